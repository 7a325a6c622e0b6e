# SPDX-License-Identifier: MIT
"""GGUF files: tensors compared with the package ``gguf``, and the rules of files that start again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("safetensors")
pytest.importorskip("xxhash")
pytest.importorskip("tqdm")
pytest.importorskip("gguf", reason="the package gguf is not installed: GGUF files are not tested")

import gguf
import ml_dtypes
from safetensors.numpy import load_file, save_file
from test_quantize_checkpoints import source

import pto
from pto.checkpoint import CheckpointError, DequantizeOptions, Options, Outcome, convert_checkpoint
from pto.checkpoint._command import dequantize_main, quantize_main, verify_main

__all__ = ["source"]

TYPES = {"gguf-mxfp4": "MXFP4", "gguf-nvfp4": "NVFP4"}
NAMES = ("token_embd.weight", "blk.0.attn_q.weight", "blk.0.ffn_down_exps.weight", "blk.0.ffn_gate_inp.weight",
         "blk.0.attn_norm.weight", "blk.0.ffn_up.weight", "output.weight")  # fmt: skip


def quantize(source: Path, out: Path, recipe: str = "gguf-mxfp4", **more: Any) -> Outcome:
    return convert_checkpoint(Options(source, out, recipe=recipe, **more), lambda size: None, lambda *_: None)


def dequantize(source: Path, out: Path, dtype: str | None = None) -> Outcome:
    return convert_checkpoint(DequantizeOptions(source, out, dtype=dtype), lambda size: None, lambda *_: None)


def tensors_of(path: Path) -> dict[str, Any]:
    return {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}


def raw(tensor: Any) -> bytes:
    return bytes(np.asarray(tensor.data).tobytes())


def values(rng: np.random.Generator, *shape: int) -> np.ndarray:
    x = rng.standard_normal(shape, dtype=np.float32)
    x *= np.exp2(rng.integers(-9, 3, (*shape[:-1], 1))).astype(np.float32)
    x.reshape(-1)[::97] = 0
    return x


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF file of f32, f16 and bf16 with metadata of several types."""
    path = tmp_path_factory.mktemp("gguf") / "model-bf16.gguf"
    rng = np.random.default_rng(3)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_rope_freq_base(10000.0)
    writer.add_array("tokenizer.ggml.tokens", ["a", "ä", "c"])
    writer.add_array("tokenizer.ggml.scores", [0.5, 1.5, -2.0])
    writer.add_bool("tokenizer.ggml.add_bos_token", True)
    for i, name in enumerate(NAMES):
        x = values(rng, *((4, 24, 128) if "exps" in name else (256,) if "norm" in name else (40, 192)))
        if i % 3 == 1:
            writer.add_tensor(name, x.astype(np.float16))
        elif i % 3 == 2:
            data = x.astype(ml_dtypes.bfloat16).view(np.uint8)
            writer.add_tensor(name, data, raw_dtype=gguf.GGMLQuantizationType.BF16)
        else:
            writer.add_tensor(name, x)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def as_f32(tensor: Any) -> np.ndarray:
    kind = tensor.tensor_type.name
    shape = tuple(int(n) for n in reversed(tensor.shape))
    dtype = {"F32": np.float32, "F16": np.float16, "BF16": ml_dtypes.bfloat16}[kind]
    return np.frombuffer(raw(tensor), dtype).astype(np.float32).reshape(shape)


@pytest.mark.parametrize("recipe", TYPES)
def test_tensors_of_gguf(model: Path, tmp_path: Path, recipe: str) -> None:
    quantize(model, tmp_path / "out", recipe)
    before, after = tensors_of(model), tensors_of(tmp_path / "out" / "model.gguf")
    assert list(after) == list(before)
    taken = {"blk.0.attn_q.weight", "blk.0.ffn_down_exps.weight", "blk.0.ffn_up.weight"}
    assert {name for name, tensor in after.items() if tensor.tensor_type.name == TYPES[recipe]} == taken
    for name, tensor in before.items():
        assert list(after[name].shape) == list(tensor.shape)
        if name not in taken:
            assert raw(after[name]) == raw(tensor)
            continue
        x = as_f32(tensor)
        q = pto.quantize(x.reshape(-1, x.shape[-1]), "e2m1", "mx.gguf" if recipe == "gguf-mxfp4" else "nv.gguf")
        got = gguf.quants.dequantize(after[name].data, after[name].tensor_type)
        np.testing.assert_array_equal(got.reshape(-1, x.shape[-1]), q.dequantize())


def test_mxfp4_is_that_of_gguf(model: Path, tmp_path: Path) -> None:
    """Compares with the quantizer of the package. It computes log2 in f32 as NumPy does, so blocks whose largest
    magnitude is just below a power of two may differ; these data have none."""
    quantize(model, tmp_path / "out")
    after = tensors_of(tmp_path / "out" / "model.gguf")
    for name, tensor in tensors_of(model).items():
        if after[name].tensor_type.name == "MXFP4":
            want = gguf.quants.quantize(as_f32(tensor), gguf.GGMLQuantizationType.MXFP4)
            assert raw(after[name]) == want.tobytes()


def test_scales_of_nvfp4_are_those_of_gguf() -> None:
    x = values(np.random.default_rng(4), 64, 64)
    q = pto.quantize(x, "e2m1", "nv.gguf")
    largest = np.abs(x.reshape(64, 4, 16)).max(axis=-1)
    want = gguf.quants.NVFP4.fp32_to_ue4m3(largest / np.float32(6))
    np.testing.assert_array_equal(q.scales.view(np.uint8), want)


def test_metadata_stay(model: Path, tmp_path: Path) -> None:
    quantize(model, tmp_path / "out", "gguf-nvfp4")
    fields = [gguf.GGUFReader(path).fields for path in (model, tmp_path / "out" / "model.gguf")]
    before, after = ({k: v.contents() for k, v in f.items() if not k.startswith("GGUF.")} for f in fields)
    assert after == before
    assert after["tokenizer.ggml.tokens"] == ["a", "ä", "c"]


@pytest.mark.parametrize("recipe", TYPES)
def test_checkpoints_of_several_files(source: Path, tmp_path: Path, recipe: str) -> None:
    """Each file of safetensors becomes a GGUF file. Started again, all files are kept; a lost one is made again."""
    out = tmp_path / "out"
    done = quantize(source, out, recipe, workers=2)
    paths = sorted(out.glob("*.gguf"))
    assert done.made == len(paths) == 5
    assert any("convert_hf_to_gguf" in note for note in done.notes)
    assert json.loads((out / "config.json").read_text()) == json.loads((source / "config.json").read_text())
    contents = {path.name: path.read_bytes() for path in paths}
    tensors = {name: tensor for path in paths for name, tensor in tensors_of(path).items()}
    name = "model.layers.1.mlp.up_proj.weight"
    x = next(f[name] for f in map(load_file, source.glob("*.safetensors")) if name in f)
    q = pto.quantize(x.astype(np.float32), "e2m1", "mx.gguf" if recipe == "gguf-mxfp4" else "nv.gguf")
    got = gguf.quants.dequantize(tensors[name].data, tensors[name].tensor_type)
    np.testing.assert_array_equal(got, q.dequantize())
    assert tensors["model.embed_tokens.weight"].tensor_type.name == "BF16"
    paths[2].unlink()
    again = quantize(source, out, recipe)
    assert (again.made, again.kept) == (1, 4)
    assert {path.name: path.read_bytes() for path in sorted(out.glob("*.gguf"))} == contents
    assert verify_main([str(out), "--source", str(source), "--quiet"]) == 0


def test_verify_finds_another_byte(model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert quantize_main(["--recipe", "gguf-mxfp4", str(model), str(out), "--quiet"]) == 0
    assert verify_main([str(out), "--source", str(model), "--quiet"]) == 0
    path = out / "model.gguf"
    data = bytearray(path.read_bytes())
    data[tensors_of(path)["blk.0.ffn_up.weight"].data_offset] ^= 1
    path.write_bytes(data)
    assert verify_main([str(out), "--quiet"]) == 1
    assert "blk.0.ffn_up.weight has another digest" in capfd.readouterr().err


@pytest.mark.parametrize("recipe", TYPES)
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_dequantize(model: Path, tmp_path: Path, recipe: str, dtype: str) -> None:
    """Dequantized tensors are those of the package; the others stay, or get the type."""
    quantize(model, tmp_path / "q", recipe)
    assert (
        dequantize_main([str(tmp_path / "q" / "model.gguf"), str(tmp_path / "out"), "--dtype", dtype, "--quiet"]) == 0
    )
    got = load_file(tmp_path / "out" / "model.safetensors")
    to = np.float32 if dtype == "f32" else ml_dtypes.bfloat16
    for name, tensor in tensors_of(tmp_path / "q" / "model.gguf").items():
        is_quantized = tensor.tensor_type.name == TYPES[recipe]
        x = gguf.quants.dequantize(tensor.data, tensor.tensor_type) if is_quantized else as_f32(tensor)
        assert got[name].dtype == to
        np.testing.assert_array_equal(got[name], x.astype(to).reshape(got[name].shape))
    assert verify_main([str(tmp_path / "out"), "--source", str(tmp_path / "q" / "model.gguf"), "--quiet"]) == 0


def test_splits(source: Path, tmp_path: Path) -> None:
    """Any split of a GGUF file names all of them."""
    quantize(source, tmp_path / "q")
    first = sorted((tmp_path / "q").glob("*.gguf"))[0]
    dequantize(first, tmp_path / "out")
    assert len(list((tmp_path / "out").glob("*.safetensors"))) == 5
    first.with_name(first.name.replace("-00001-", "-00003-")).unlink()
    with pytest.raises(CheckpointError, match="one of 5 splits"):
        dequantize(first, tmp_path / "again")


def test_refusals(model: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="for checkpoints of safetensors"):
        quantize(model, tmp_path / "out", "mxfp4")
    with pytest.raises(CheckpointError, match="--rule: for gguf-mxfp4 one of mx.gguf"):
        quantize(model, tmp_path / "out", rule="mx.floor")
    with pytest.raises(CheckpointError, match="has no quantized weight"):
        dequantize(model, tmp_path / "out")
    cut = tmp_path / "cut.gguf"
    for size in (0, 3, 40, 400, model.stat().st_size - 8000):
        cut.write_bytes(model.read_bytes()[:size])
        with pytest.raises(CheckpointError, match=r"cut\.gguf"):
            quantize(cut, tmp_path / "out")
    writer = gguf.GGUFWriter(cut, "llama")
    writer.add_tensor("blk.0.ffn_up.weight", np.zeros((4, 34), np.uint8), raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(CheckpointError, match="has the type Q8_0"):
        dequantize(cut, tmp_path / "out")


def test_nonfinite(tmp_path: Path) -> None:
    x = np.ones((32, 64), np.float32)
    x[1, 1] = np.nan
    save_file({"model.layers.0.mlp.up_proj.weight": x}, tmp_path / "in.safetensors")
    with pytest.raises(CheckpointError, match="NaN or infinite"):
        quantize(tmp_path / "in.safetensors", tmp_path / "out")
    assert quantize(tmp_path / "in.safetensors", tmp_path / "out", allow_nonfinite=True).kept == 1
