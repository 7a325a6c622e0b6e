# SPDX-License-Identifier: MIT
"""``python -m pto.quantize`` and ``pto.verify`` with inputs that are damaged, changed, incomplete or out of range.

Each is an error that names the input, or is repaired. None ends in a traceback or in a wrong result with status 0.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors")
pytest.importorskip("xxhash")
pytest.importorskip("tqdm")

import ml_dtypes
from safetensors.numpy import load_file, save_file
from test_quantize_checkpoints import MATRICES, contents, make, tensors_of, weights

from pto.checkpoint import RECIPES, CheckpointError, _manifest
from pto.checkpoint._codec import count_nonfinite, second_level
from pto.checkpoint._command import quantize_main, verify_main
from pto.checkpoint._files import Tensor, remove_temporaries, whole
from pto.checkpoint._job import share

FILES = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
Q, K, V = (f"model.layers.0.self_attn.{name}_proj.weight" for name in "qkv")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A checkpoint with q and k in one file, v and a norm in another."""
    folder = tmp_path / "in"
    folder.mkdir()
    rng = np.random.default_rng(0)
    parts = [
        {Q: weights(rng, 64, 128), K: weights(rng, 32, 128)},
        {V: weights(rng, 32, 128), "model.norm.weight": weights(rng, 64)},
    ]
    for name, tensors in zip(FILES, parts, strict=True):
        save_file(tensors, folder / name, {"format": "pt"})
    weight_map = {key: name for name, tensors in zip(FILES, parts, strict=True) for key in tensors}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    (folder / "config.json").write_text(json.dumps({"model_type": "llama", "architectures": ["LlamaForCausalLM"]}))
    return folder


def change(path: Path, name: str, index: int, value: float) -> None:
    """Changes one element of a tensor. The header, length and time of the file stay the same."""
    status = path.stat()
    tensors = {key: x.copy() for key, x in load_file(path).items()}
    tensors[name].reshape(-1)[index] = value
    save_file(tensors, path, {"format": "pt"})
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def quantize(source: Path, *words: object) -> int:
    return quantize_main([str(source), str(source.parent / "out"), "--quiet", *map(str, words)])


def verify(source: Path, *words: object) -> int:
    return verify_main([str(source.parent / "out"), "--quiet", *map(str, words)])


# which tensors are taken


@pytest.mark.parametrize(
    "name",
    ["output", "score", "classifier", "lm_head", "model.layers.4.shared_head.head", "bert.pooler.dense", "shared",
     "cls.predictions.transform.dense", "model.embed_tokens", "transformer.wte", "transformer.wpe",
     "model.layers.0.mlp.gate",
     "encoder.block.0.layer.0.SelfAttention.relative_attention_bias", "model.layers.0.input_layernorm"],
)  # fmt: skip
@pytest.mark.parametrize("configured", [False, True])
def test_heads_and_embeddings_are_left(
    small: Path, capsys: pytest.CaptureFixture[str], name: str, configured: bool
) -> None:
    tensors = load_file(small / FILES[0]) | {name + ".weight": weights(np.random.default_rng(1), 96, 64)}
    save_file(tensors, small.parent / "one.safetensors")
    if configured:
        shutil.copy(small / "config.json", small.parent)
    words = [str(small.parent / "one.safetensors"), str(small.parent / "out"), "--recipe", "mxfp8", "--quiet"]
    assert quantize_main(words) == 0
    told = capsys.readouterr().out
    assert "quantized with mxfp8: 2 tensors" in told
    assert "left as they are: 1 tensors" in told
    assert name + ".weight" in tensors_of(small.parent / "out")
    shutil.rmtree(small.parent / "out")
    assert quantize_main([*words, "--include", "*"]) == 0
    assert "quantized with mxfp8: 2 tensors" in capsys.readouterr().out
    shutil.rmtree(small.parent / "out")
    assert quantize_main([*words, "--include", "*predictions*" if name[:3] == "cls" else f"*{name}*"]) == 0
    assert "quantized with mxfp8: 1 tensors" in capsys.readouterr().out


def test_a_wrong_pattern_is_an_error(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--include", "--exclude"):
        assert quantize(small, "--recipe", "mxfp8", option, "*.q_prj.*") == 1
        assert f"{option} *.q_prj.*: no tensor has such a name" in capsys.readouterr().err


def test_f64_weights_are_named(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = load_file(small / FILES[0])
    tensors[K] = tensors[K].astype(np.float64)
    save_file(tensors, small / FILES[0], {"format": "pt"})
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert f"{K.replace('0', '*')}: its type is F64" in capsys.readouterr().out
    assert tensors_of(small.parent / "out")[K][0].dtype == "F64"


def test_bert_heads_that_are_in_no_file_are_ignored(small: Path) -> None:
    """Otherwise compressed-tensors would expect scales for these heads."""
    import re

    (small / "config.json").write_text('{"model_type": "bert", "architectures": ["BertForMaskedLM"]}')
    assert quantize(small, "--recipe", "fp8-channel") == 0
    ignored = json.loads((small.parent / "out/config.json").read_text())["quantization_config"]["ignore"]
    pattern = next(entry for entry in ignored if entry.startswith("re:")).removeprefix("re:")
    assert all(re.match(pattern, head) for head in ("cls.predictions.decoder", "bert.pooler.dense", "classifier"))
    assert not re.match(pattern, "bert.encoder.layer.0.attention.output.dense")


# NaN and infinity


@pytest.mark.parametrize("recipe", MATRICES)
@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_nonfinite_weights_are_named(
    small: Path, capsys: pytest.CaptureFixture[str], recipe: str, value: float
) -> None:
    change(small / FILES[0], Q, 5, value)
    change(small / FILES[1], "model.norm.weight", 1, value)
    (small.parent / "amax.json").write_text(json.dumps({name.removesuffix(".weight"): 1 for name in (Q, K, V)}))
    words = ["--recipe", recipe, "--input-amax", small.parent / "amax.json"]
    assert quantize(small, *words) == 1
    told = capsys.readouterr().err
    assert f"{Q}: 1\n" in told
    assert "model.norm.weight: 1\n" in told
    assert not (small.parent / "out/config.json").exists()
    assert quantize(small, *words, "--allow-nonfinite") == 0
    assert "0 files made, 2 were there" in capsys.readouterr().out
    assert verify(small, "--source", small) == 1
    assert f"{Q}: the error is not finite; its source has 1 elements" in capsys.readouterr().err
    if not RECIPES[recipe].two_level:  # k and v share the second-level value, which is 0 or NaN
        assert verify(small, "--source", small, "--allow-nonfinite") == 0


def test_nvfp4_with_a_nan_is_that_of_llm_compressor(small: Path) -> None:
    """The second-level value is 1, and only the block with the NaN is lost."""
    change(small / FILES[0], Q, 0, np.nan)
    make(small, small.parent / "out", "nvfp4", allow_nonfinite=True)
    after = tensors_of(small.parent / "out")
    for name in (Q, K, V):
        module = name.removesuffix(".weight")
        assert after[module + ".weight_global_scale"][1].view(np.float32).item() == 1
        bad = (after[module + ".weight_scale"][1] & 0x7F) == 0x7F
        assert bad.sum() == (name == Q)


def test_scales_that_overflow_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A weight near the maximum of f32, whose scale by mx.even1 would be 2^128, is reported."""
    save_file({"a.weight": np.full((1, 32), 3.4e38, np.float32)}, tmp_path / "one.safetensors")
    assert (
        quantize_main([str(tmp_path / "one.safetensors"), str(tmp_path / "out"), "--recipe", "mxfp8", "--quiet"]) == 1
    )
    assert "a.weight: 1\n" in capsys.readouterr().err


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_count_nonfinite(dtype: type) -> None:
    x = np.ones((3, 7), dtype)
    assert count_nonfinite(x) == 0
    x[0, 1] = np.nan
    x[2, 6] = -np.inf
    assert count_nonfinite(x) == 2
    assert count_nonfinite(x[:0]) == 0


@pytest.mark.parametrize(
    ("dtype", "code"),
    [
        ("F8_E4M3", b"\x7f"),
        ("F8_E5M2", b"\x7c"),
        ("F8_E8M0", b"\xff"),
        ("F8_E4M3FNUZ", b"\x80"),
        ("F8_E5M2FNUZ", b"\x80"),
        ("C64", np.array([1j * np.nan], np.complex64).tobytes()),
    ],
)
def test_nonfinite_values_of_tensors_that_are_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], dtype: str, code: bytes
) -> None:
    """A NaN or infinity is found in unquantized tensors of every type that has one. All other elements are 0."""
    weight = np.ones((32, 32), np.float32).tobytes()
    data = code + bytes(3 * len(code))
    rows = {
        Q: {"dtype": "F32", "shape": [32, 32], "data_offsets": [0, len(weight)]},
        "other": {"dtype": dtype, "shape": [4], "data_offsets": [len(weight), len(weight) + len(data)]},
    }
    head = json.dumps(rows).encode()
    (tmp_path / "one.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + weight + data)
    words = [str(tmp_path / "one.safetensors"), str(tmp_path / "out"), "--recipe", "mxfp8", "--quiet"]
    assert quantize_main(words) == 1
    assert "other: 1\n" in capsys.readouterr().err
    assert quantize_main([*words, "--allow-nonfinite"]) == 0


# the second-level value of nv.ct, as generate_gparam of compressed-tensors computes it


def test_second_level_by_type() -> None:
    for amax in (0.0, 1e-45, 1e-42, 1e-38, np.nan):
        assert [second_level("nv.ct", amax, {dtype}) for dtype in ("F32", "F16", "BF16")] == [1, 1, 1]
    assert second_level("nv.ct", np.inf, {"F32"}) == 0
    assert second_level("nv.ct", 0.0874, {"F32"}) == float(np.float32(2688) * (np.float32(1) / np.float32(0.0874)))
    amax = float(np.float32(0.0874).astype(ml_dtypes.bfloat16))
    assert second_level("nv.ct", amax, {"BF16"}) == 30720
    assert second_level("nv.ct", float(np.float16(0.041)), {"F16"}) == 1  # 2688 / 0.041 overflows f16
    assert second_level("nv.ct", 0.125, {"F16", "BF16"}) == 21504


def test_second_level_is_that_of_compressed_tensors() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    helpers = pytest.importorskip("compressed_tensors.quantization.utils", reason="compressed-tensors is not installed")
    amaxes = np.exp(np.random.default_rng(0).normal(-2, 8, 60))
    for name, dtype in (("F32", torch.float32), ("BF16", torch.bfloat16), ("F16", torch.float16)):
        for x in torch.tensor([*amaxes, 0, 1e-42, np.nan, np.inf, 65504, 3e38], dtype=torch.float64).to(dtype):
            want = helpers.generate_gparam(-x.reshape(1), x.reshape(1)).item()
            assert second_level("nv.ct", x.item(), {name}) == want, (name, x)


@pytest.mark.parametrize("recipe", [name for name in RECIPES if name.startswith("fp8") and name.endswith("modelopt")])
def test_modelopt_divides(recipe: str) -> None:
    assert RECIPES[recipe].rule == "fp8.div"


# sources that change, and results that are damaged


@pytest.mark.parametrize("recipe", ["mxfp8", "nvfp4"])
def test_a_changed_source_is_seen(small: Path, recipe: str) -> None:
    """An element of q changes, but not the size and time of its file. v, fused with q, is in the other file."""
    make(small, small.parent / "out", recipe)
    assert make(small, small.parent / "out", recipe).kept == 2
    change(small / FILES[0], Q, 5, 3.0)
    assert make(small, small.parent / "out", recipe).made == (2 if recipe == "nvfp4" else 1)
    make(small, small.parent / "again", recipe)
    assert contents(small.parent / "out") == contents(small.parent / "again")
    assert verify(small, "--source", small) == 0


def test_a_changed_source_and_one_share(small: Path) -> None:
    """Files of a shard that was not started again do not count as current."""
    make(small, small.parent / "out", "mxfp8")
    change(small / FILES[0], Q, 5, 3.0)
    change(small / FILES[1], V, 5, 3.0)
    assert make(small, small.parent / "out", "mxfp8", shard=(0, 2)).missing == 1
    assert verify(small) == 1
    assert make(small, small.parent / "out", "mxfp8", shard=(1, 2)).missing == 0
    assert verify(small, "--source", small) == 0


def test_a_source_that_changes_meanwhile(small: Path) -> None:
    assert make(small, small.parent / "out", "mxfp8", shard=(0, 2)).missing == 1
    change(small / FILES[0], Q, 5, 3.0)
    os.utime(small / FILES[0])
    assert make(small, small.parent / "out", "mxfp8", shard=(1, 2)).missing == 1
    assert make(small, small.parent / "out", "mxfp8").made == 1
    assert verify(small, "--source", small) == 0


def test_another_configuration_is_seen(small: Path) -> None:
    """The choice of tensors follows from config.json."""
    make(small, small.parent / "out", "mxfp8")
    (small / "config.json").write_text('{"model_type": "ibert"}')
    with pytest.raises(CheckpointError, match="has no weight"):
        make(small, small.parent / "out", "mxfp8")


def test_verify_fails_beside_another_source(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make(small, small.parent / "out", "mxfp8")
    tensors = load_file(small / FILES[0])
    save_file(tensors | {Q: weights(np.random.default_rng(9), 64, 128)}, small / FILES[0], {"format": "pt"})
    assert verify(small, "--source", small) == 1
    assert f"{Q}: the signal-to-noise ratio is -" in capsys.readouterr().err
    assert verify(small, "--source", small, "--min-snr", "-10") == 0
    assert verify(small, "--source", small, "--min-snr", "nan") == 1
    save_file(tensors | {Q: weights(np.random.default_rng(9), 64, 64)}, small / FILES[0], {"format": "pt"})
    assert verify(small, "--source", small) == 1
    assert "is not what" in capsys.readouterr().err


def test_verify_compares_all_tensors_with_the_source(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unquantized tensors must have the same bytes, and source and result must have the same tensors."""
    out = small.parent / "out"
    make(small, out, "mxfp8")
    original = load_file(small / FILES[1])

    def fails(tensors: dict[str, np.ndarray]) -> str:
        save_file(tensors, small / FILES[1], {"format": "pt"})
        assert verify(small) == 0
        assert verify(small, "--source", small) == 1
        return capsys.readouterr().err

    norm = "model.norm.weight"
    assert f"{norm} is not quantized, but has other bytes" in fails(original | {norm: original[norm] * 2})
    assert f"{norm} is BF16 [32], not as in the result" in fails(original | {norm: original[norm][:32]})
    assert f"{norm} is F16 [64], not" in fails(original | {norm: original[norm].astype(np.float16)})
    assert "more.weight is not in the result" in fails(original | {"more.weight": original[V]})
    assert f"{norm} is not there" in fails({V: original[V]})
    save_file(original, small / FILES[1], {"format": "pt"})
    assert verify(small, "--source", small) == 0
    save_file({"model.layers.1.self_attn.q_proj.weight": original[V]}, small / "more.safetensors", {"format": "pt"})
    index = small / "model.safetensors.index.json"
    weight_map = json.loads(index.read_text())["weight_map"]
    weight_map |= {"model.layers.1.self_attn.q_proj.weight": "more.safetensors"}
    index.write_text(json.dumps({"weight_map": weight_map}))
    assert verify(small, "--source", small) == 1
    assert "model.layers.1.self_attn.q_proj.weight is not in the result" in capsys.readouterr().err


def start(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pto.quantize", *map(str, words), "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("shards", [["0/2", "1/2"], ["0/1", "0/1"]], ids=["shares", "whole runs"])
def test_processes_at_once_repair(small: Path, shards: list[str]) -> None:
    out = small.parent / "out"
    make(small, out, "nvfp4")
    want = contents(out)
    data = bytearray((out / FILES[1]).read_bytes())
    data[-100] ^= 1
    (out / FILES[1]).write_bytes(data)
    running = [start(small, out, "--recipe", "nvfp4", "--shard", shard) for shard in shards]
    assert [(one.communicate(timeout=120)[1], one.returncode) for one in running] == [("", 0)] * 2
    assert contents(out) == want


def test_file_removed_while_it_is_checked(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = small.parent / "out"
    make(small, out, "nvfp4")

    def remove_first(path: Path, tensor: Tensor) -> str:
        path.unlink()
        return _manifest.digest_of_file(path, tensor.offset, tensor.size)

    monkeypatch.setattr(_manifest, "digest_in_file", remove_first)
    assert _manifest.faults(out, _manifest.known_files(out)[FILES[1]]) == [f"{out / FILES[1]}: is not there"]


def test_temporaries_of_living_processes_stay(tmp_path: Path) -> None:
    (tmp_path / ".left.0123.tmp").write_text("of a process that was killed")
    with whole(tmp_path / "file") as file:
        file.write(b"half")
        remove_temporaries(tmp_path)
        file.write(b" and half")
    assert contents(tmp_path) == {"file": b"half and half"}


GARBLED: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "brace": lambda data: b"{",
    "object": lambda data: b"{}\n",
    "list": lambda data: b"[]\n",
    "null": lambda data: b"null\n" * 3,
    "deep": lambda data: b"[" * 200_000 + b"\n",
    "bytes": lambda data: b"\xff\xfe\x00" * 40,
    "no digest": lambda data: data.replace(b'"xxh3"', b'"xxh4"'),
    "numbers": lambda data: data.replace(b'"name": "', b'"name": 1, "n": "'),
    "shape": lambda data: data.replace(b'"shape": [', b'"shape": ["a", '),
    "path": lambda data: data.replace(b'"file": "', b'"file": "../'),
    "recipe": lambda data: data.replace(b'"recipe": "mxfp8"', b'"recipe": ["mxfp8"]'),
    "settings": lambda data: data.replace(b'"settings"', b'"setting"'),
    "version": lambda data: data.replace(b'"manifest": 2', b'"manifest": 99'),
    "last line": lambda data: data[: data.rindex(b"\n", 0, -1) + 1],
    "role": lambda data: data.replace(b'"role": "codes"', b'"role": "tensor"'),
    "of": lambda data: data.replace(f'"of": "{Q}"'.encode(), f'"of": "{K}"'.encode()),
    "source": lambda data: data.replace(b'"source": "model', b'"source": "modem'),
    "nonfinite": lambda data: data.replace(b'"role": "codes"', b'"role": "codes", "nonfinite": 1'),
    "other recipe": lambda data: data.replace(b'"recipe": "mxfp8"', b'"recipe": "mxfp4"'),
    "rule": lambda data: data.replace(b'"rule": null', b'"rule": "mx.even"'),
}


OF_SETTINGS = ("recipe", "settings", "version", "other recipe", "rule")


@pytest.mark.parametrize("kind", GARBLED)
def test_a_garbled_manifest(small: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    out = small.parent / "out"
    make(small, out, "mxfp8")
    want = contents(out)
    (out / "manifest.jsonl").write_bytes(GARBLED[kind](want["manifest.jsonl"]))
    assert verify(small) == 1
    assert "manifest.jsonl" in capsys.readouterr().err
    assert quantize(small, "--recipe", "mxfp8") == 0
    told = capsys.readouterr()
    assert "all files are made again" in told.err
    assert "2 files made" in told.out
    assert contents(out) == want


@pytest.mark.parametrize("kind", [kind for kind in GARBLED if kind not in OF_SETTINGS])
@pytest.mark.parametrize("part", [FILES[0] + ".jsonl", "settings.json"])
def test_a_garbled_part(small: Path, kind: str, part: str) -> None:
    out = small.parent / "out"
    make(small, out, "mxfp8")
    want = contents(out)
    shutil.rmtree(out)
    make(small, out, "mxfp8", shard=(0, 2))
    path = out / ".parts" / part
    path.write_bytes(GARBLED[kind](path.read_bytes()))
    if part == "settings.json" and kind not in ("empty", "cut", "brace", "list", "null", "deep", "bytes"):
        return  # the settings stay valid, or become those of another command
    make(small, out, "mxfp8")
    assert contents(out) == want


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors.index.json", "tokenizer.json", "1_Pooling/config.json"]
)
@pytest.mark.parametrize("text", ["{}", "", "[" * 100_000, None])
def test_verify_sees_other_files(small: Path, name: str, text: str | None) -> None:
    (small / "1_Pooling").mkdir()
    (small / "1_Pooling/config.json").write_text('{"pooling_mode_mean_tokens": true}')
    (small / "tokenizer.json").write_text('{"version": "1.0"}')
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert verify(small) == 0
    path = small.parent / "out" / name
    path.unlink() if text is None else path.write_text(text)
    assert verify(small) == 1
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert verify(small) == 0


@pytest.mark.parametrize("name", ["config.json", "model.safetensors.index.json"])
@pytest.mark.parametrize(
    "text",
    [b"", b"[" * 100_000, b"\xff", b"[]", b'{"weight_map": []}', b'{"weight_map": {"a": 1}}', b'{"a":' * 9999,
     b'{"weight_map": {"a": "../b"}}', b'{"weight_map": {"a": "b\\u0000"}}'],
)  # fmt: skip
def test_garbled_inputs(small: Path, capsys: pytest.CaptureFixture[str], name: str, text: bytes) -> None:
    (small / name).write_bytes(text)
    if name == "config.json" and b"weight_map" in text:
        return
    assert quantize(small, "--recipe", "mxfp8") == 1
    assert name in capsys.readouterr().err
    assert not (small.parent / "out").exists()


# files other than tensors


def test_folders_are_copied(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sub-folders are copied, as sentence-transformers has them. Weights in other formats are reported, not copied."""
    kept = ["1_Pooling/config.json", "2_Dense/pytorch_model.bin", "a/b/c.txt", "original/params.json"]
    left = ["onnx/model.onnx", "original/consolidated.00.pth", "pytorch_model.bin", "consolidated.safetensors"]
    for name in [*kept, *left, ".git/HEAD"]:
        (small / name).parent.mkdir(parents=True, exist_ok=True)
        (small / name).write_text(name)
    (small / "loop").symlink_to(small)
    out = small / "result"
    assert quantize_main([str(small), str(out), "--recipe", "mxfp8", "--quiet"]) == 0
    told = capsys.readouterr().err
    for name in left:
        assert f"{name} is not copied" in told
    copied = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert copied == {*FILES, *kept, "config.json", "model.safetensors.index.json", "manifest.jsonl"}
    assert verify_main([str(out), "--quiet"]) == 0
    assert quantize_main([str(small), str(out), "--recipe", "mxfp8", "--quiet"]) == 0


def test_results_in_the_source_are_not_copied(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Otherwise each of two results in the source's folder would copy the other one, also when it is incomplete."""
    for name in ("a", "b", "c", "a"):
        words = ["--recipe", "mxfp8", "--quiet", *(["--shard", "0/2"] if name == "b" else [])]
        assert quantize_main([str(small), str(small / name), *words]) == 0
    assert "b is not copied: it is a result of pto.quantize" in capsys.readouterr().err
    made = {*FILES, "config.json", "model.safetensors.index.json", "manifest.jsonl"}
    assert {path.name for path in (small / "a").iterdir()} == {path.name for path in (small / "c").iterdir()} == made
    (small / "c/manifest.jsonl").write_text('{"of": "another tool"}')
    assert quantize_main([str(small), str(small / "a"), "--recipe", "mxfp8", "--quiet"]) == 0
    assert (small / "a/c/manifest.jsonl").exists()


def test_links_to_folders_are_copied(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two names of a folder become two folders of the result. A broken link is an error."""
    (small / "tokenizer").mkdir()
    (small / "tokenizer/vocab.txt").write_text("a")
    (small / "tokenizer/again").symlink_to(small / "tokenizer")
    (small / "tokenizer_2").symlink_to("tokenizer")
    assert quantize(small, "--recipe", "mxfp8") == 0
    copied = {path.relative_to(small.parent / "out").as_posix() for path in (small.parent / "out").rglob("vocab.txt")}
    assert copied == {"tokenizer/vocab.txt", "tokenizer_2/vocab.txt"}
    (small / "merges.txt").symlink_to("nowhere")
    assert quantize(small, "--recipe", "mxfp8") == 1
    assert "merges.txt: the link leads nowhere" in capsys.readouterr().err


def test_a_source_whose_files_are_renamed(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of the result that the source no longer has is removed if the manifest lists it."""
    out = small.parent / "out"
    assert quantize(small, "--recipe", "mxfp8") == 0
    (small / FILES[1]).rename(small / "model-other.safetensors")
    index = small / "model.safetensors.index.json"
    index.write_text(index.read_text().replace(FILES[1], "model-other.safetensors"))
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert sorted(path.name for path in out.glob("*.safetensors")) == [FILES[0], "model-other.safetensors"]
    assert verify(small, "--source", small) == 0
    (out / "strange.safetensors").write_bytes(b"")
    assert quantize(small, "--recipe", "mxfp8") == 1
    assert "strange.safetensors: is neither in the plan nor in the manifest" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.st", "tokenizer.json", "model.bin", "pytorch_model"])
@pytest.mark.parametrize("count", [1, 2])
def test_files_of_tensors_with_other_names(small: Path, name: str, count: int) -> None:
    """The index may list any file name. The source's file must not be copied over the quantized one."""
    (small / FILES[0]).rename(small / name)
    index = small / "model.safetensors.index.json"
    weight_map = json.loads(index.read_text().replace(FILES[0], name))["weight_map"]
    if count == 1:
        weight_map = {key: file for key, file in weight_map.items() if file == name}
    index.write_text(json.dumps({"weight_map": weight_map}))
    for _ in range(2):
        assert quantize(small, "--recipe", "mxfp8") == 0
        assert verify(small, "--source", small) == 0
    out = small.parent / "out"
    made = {name, FILES[1], "model.safetensors.index.json"} if count == 2 else {"model.safetensors"}
    assert {path.name for path in out.iterdir()} == {*made, "config.json", "manifest.jsonl"}
    (small / name).rename(small / FILES[0])
    index.write_text(index.read_text().replace(name, FILES[0]))
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert verify(small, "--source", small) == 0
    assert count == 1 or not (out / name).exists()


@pytest.mark.parametrize("name", ["manifest.jsonl", "hf_quant_config.json", ".parts"])
def test_files_of_tensors_with_names_of_the_result(small: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (small / FILES[0]).rename(small / name)
    index = small / "model.safetensors.index.json"
    index.write_text(index.read_text().replace(FILES[0], name))
    assert quantize(small, "--recipe", "mxfp8") == 1
    assert f"{name}: a file of tensors cannot have this name" in capsys.readouterr().err
    assert not (small.parent / "out").exists()


def test_settings_without_a_recipe_are_made_again(small: Path) -> None:
    assert quantize(small, "--recipe", "mxfp8", "--shard", "0/2") == 0
    (small.parent / "out/.parts/settings.json").write_text("{}")
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert verify(small) == 0


@pytest.mark.parametrize("recipe", [name for name, recipe in RECIPES.items() if recipe.config == "compressed_tensors"])
def test_the_type_of_the_model(small: Path, capsys: pytest.CaptureFixture[str], recipe: str) -> None:
    """compressed-tensors dequantizes MX and NVFP4 weights to bf16, and f32 activations would not fit."""
    for name in FILES:
        save_file({k: x.astype(np.float32) for k, x in load_file(small / name).items()}, small / name)
    (small / "config.json").write_text(
        '{"model_type": "llama", "torch_dtype": "float32", "text_config": {"dtype": "float32"}}'
    )
    assert quantize(small, "--recipe", recipe) == 0
    config = json.loads((small.parent / "out/config.json").read_text())
    want = "float32" if recipe.startswith("fp8") else "bfloat16"
    assert (config["torch_dtype"], config["text_config"]["dtype"]) == (want, want)
    assert ("the type of the model is bfloat16" in capsys.readouterr().err) == (want == "bfloat16")


# arguments


def test_arguments_out_of_range(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for eps in ("1e-50", "1e50", "-0.0001"):
        assert quantize(small, "--recipe", "fp8-block", f"--eps={eps}") == 1
        assert "--eps" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        quantize(small, "--recipe", "mxfp8", "--workers", "\u00b2")


@pytest.mark.parametrize("text", ["1" + "0" * 400, "1e39", "0", "1e-46", '"a"', "true", "null", "[1]", "[" * 100_000])
def test_input_amax_out_of_range(small: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    amaxes = ", ".join(f'"{name.removesuffix(".weight")}": {text}' for name in (Q, K, V))
    (small.parent / "amax.json").write_text(f"{{{amaxes}}}")
    assert quantize(small, "--recipe", "nvfp4-modelopt", "--input-amax", small.parent / "amax.json") == 1
    assert "amax" in capsys.readouterr().err


@pytest.mark.parametrize("eps", ["1" + "0" * 400, "-1" + "0" * 400, "1e400", "NaN", '"1"', "[1]", "true"])
def test_a_manifest_with_a_wrong_eps(small: Path, capsys: pytest.CaptureFixture[str], eps: str) -> None:
    """Python's integers have no bound, so JSON can have integers that no float holds."""
    assert quantize(small, "--recipe", "fp8-block") == 0
    path = small.parent / "out/manifest.jsonl"
    head, _, rows = path.read_text().partition("\n")
    settings = json.dumps(json.loads(head)["settings"]).replace('"eps": null', f'"eps": {eps}')
    path.write_text(f'{{"manifest": 2, "settings": {settings}}}\n{rows}')
    capsys.readouterr()
    assert verify(small) == 1
    assert "--eps: " in capsys.readouterr().err


def test_many_shares_take_no_memory(small: Path) -> None:
    assert quantize(small, "--recipe", "mxfp8", "--shard", f"0/{10**18}") == 0
    assert quantize(small, "--recipe", "mxfp8", "--shard", f"{10**18 - 1}/{10**18}") == 0
    jobs = [_Job(name, size) for name, size in (("a", 5), ("b", 5), ("c", 3), ("d", 2))]
    parts = [[job.name for job in share(jobs, k, 3)] for k in range(3)]  # type: ignore[arg-type]
    assert parts == [["a"], ["b"], ["c", "d"]]


class _Job:
    def __init__(self, name: str, size: int) -> None:
        self.name, self.size = name, size


def test_names_with_escapes_are_printed_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = weights(np.random.default_rng(0), 32, 64)
    save_file({"a\x1b[31m.weight": x, "b.weight": x}, tmp_path / "one.safetensors")
    assert (
        quantize_main([str(tmp_path / "one.safetensors"), str(tmp_path / "out"), "--recipe", "mxfp8", "--quiet"]) == 0
    )
    told = capsys.readouterr()
    assert "\x1b" not in told.out + told.err
    assert "a\\x1b[31m.weight" in told.out


HEADER = """
import resource, sys
from pathlib import Path
from pto.checkpoint._files import read_header
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
header = read_header(Path(sys.argv[1]))
print(len(header), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_of_a_large_header(tmp_path: Path) -> None:
    """Tensors without elements, whose header has 4 MB."""
    row = {"dtype": "BF16", "shape": [0, 64], "data_offsets": [0, 0]}
    rows = {f"model.layers.{k}.mlp.experts.{k}.down_proj.weight": row for k in range(40_000)}
    head = json.dumps(rows).encode()
    head += b" " * (-len(head) % 8)
    (tmp_path / "one.safetensors").write_bytes(len(head).to_bytes(8, "little") + head)
    told = subprocess.run(
        [sys.executable, "-c", HEADER, tmp_path / "one.safetensors"], capture_output=True, text=True, check=True
    )
    count, megabytes = map(int, told.stdout.split())
    assert count == 40_000
    assert megabytes < 12 * len(head) >> 20, megabytes
