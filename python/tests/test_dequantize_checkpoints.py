# SPDX-License-Identifier: MIT
"""``python -m pto.dequantize``: the values of every format, computed a second time in NumPy, and faulty inputs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pto

pytest.importorskip("safetensors")
pytest.importorskip("xxhash")
pytest.importorskip("tqdm")

import ml_dtypes
from safetensors.numpy import save_file
from test_quantize_checkpoints import FILE, LAYERS, MATRICES, contents, make, source, tensors_of, weights

from pto.checkpoint import CheckpointError, DequantizeOptions, Outcome, convert_checkpoint
from pto.checkpoint._command import dequantize_main, verify_main

__all__ = ["source"]

Tensors = dict[str, tuple[str, np.ndarray]]
TYPES: dict[str, tuple[str, Any]] = {
    "bf16": ("BF16", ml_dtypes.bfloat16),
    "f16": ("F16", np.float16),
    "f32": ("F32", np.float32),
}
NUMPY = {
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
    "BF16": ml_dtypes.bfloat16,
    "F16": np.float16,
    "F32": np.float32,
    "U8": np.uint8,
    "I8": np.int8,
    "I32": np.int32,
}
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
W = "model.layers.0.mlp.up_proj.weight"
FP8 = {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]}


def dequantize(source: Path, out: Path, dtype: str | None = None, **more: Any) -> Outcome:
    return convert_checkpoint(DequantizeOptions(source, out, dtype=dtype, **more), lambda size: None, lambda *_: None)


def save(folder: Path, files: dict[str, Tensors], quantization: object = None, **config: object) -> Path:
    """Writes files of tensors, the index, and config.json. The header is written here, for types that NumPy lacks."""
    folder.mkdir(parents=True, exist_ok=True)
    weight_map = {}
    for file, tensors in files.items():
        rows, data = {}, b""
        for name, (dtype, x) in tensors.items():
            rows[name] = {"dtype": dtype, "shape": x.shape, "data_offsets": [len(data), len(data) + x.nbytes]}
            data += x.tobytes()
            weight_map[name] = file
        head = json.dumps(rows).encode()
        head += b" " * (-len(head) % 8)
        (folder / file).write_bytes(len(head).to_bytes(8, "little") + head + data)
    if len(files) > 1:
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    config = {"model_type": "llama", "dtype": "bfloat16"} | config
    if quantization is not None:
        config["quantization_config"] = quantization
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def codes8(seed: int, *shape: int) -> np.ndarray:
    """Returns codes of e4m3, all finite ones among them."""
    x = np.random.default_rng(seed).integers(0, 254, shape, np.uint8)
    return np.where(x >= 127, x + 1, x).astype(np.uint8)


def floats(seed: int, *shape: int) -> np.ndarray:
    return np.exp2(np.random.default_rng(seed).uniform(-9, -2, shape)).astype(np.float32)


@pytest.fixture(params=[1 << 20, 100], ids=["one slice", "slices"])
def slices(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are computed in slices of at least one row of blocks, and of this many elements if they are larger."""
    monkeypatch.setattr("pto.checkpoint._codec._AT_ONCE", request.param)
    monkeypatch.setattr("pto.checkpoint._dequantize._AT_ONCE", request.param)


# ---- a second computation of the values ----


def exponents(codes: np.ndarray) -> np.ndarray:
    bits = np.where(codes == 0, 1 << 22, codes.astype(np.uint32) << 23).astype(np.uint32)
    return np.where(codes == 255, np.float32("nan"), bits.view(np.float32))


def nibbles(packed: np.ndarray) -> np.ndarray:
    codes = np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1)
    return np.where(codes & 8, -E2M1[codes & 7], E2M1[codes & 7])


def sixes(packed: np.ndarray) -> np.ndarray:
    """Unpacks e2m3: a stream of bits, the first code in the low bits."""
    bits = np.unpackbits(packed, axis=-1, bitorder="little")
    codes = np.packbits(bits.reshape(*packed.shape[:-1], -1, 6), axis=-1, bitorder="little")[..., 0].astype(np.int32)
    exponent, mantissa = codes >> 3 & 3, codes & 7
    magnitude = np.where(exponent == 0, mantissa / 8, (1 + mantissa / 8) * np.exp2(exponent - 1.0))
    return np.where(codes & 32, -magnitude, magnitude).astype(np.float32)


def spread(scales: np.ndarray, shape: tuple[int, ...], block: tuple[int, int]) -> np.ndarray:
    """Repeats each scale over its block."""
    for axis, size in zip((-2, -1), block, strict=True):
        scales = np.repeat(scales, size, axis=axis)
    return scales[..., : shape[-2], : shape[-1]]


def rounded(x: np.ndarray, scale: np.ndarray, dtype: str) -> np.ndarray:
    with np.errstate(over="ignore", invalid="ignore"):
        return (x.astype(np.float32) * scale.astype(np.float32)).astype(TYPES[dtype][1])


def second(there: dict[str, Any], module: str, dtype: str) -> np.ndarray:
    """Computes the values of a module's weight from the tensors of a quantized checkpoint."""

    def tensor(name: str) -> np.ndarray:
        row, data = there[f"{module}.{name}"]
        return data.view(NUMPY[row.dtype]).reshape(row.shape)

    packed = f"{module}.weight_packed" in there
    codes = tensor("weight_packed" if packed else "weight")
    scale_name = next(s for s in ("weight_scale_inv", "weight_scale", "scale") if f"{module}.{s}" in there)
    scales = tensor(scale_name)
    if codes.dtype == np.uint8:
        x = sixes(codes) if codes.shape[1] == 24 * scales.shape[1] else nibbles(codes)
    else:
        x = codes.astype(np.float32)
    if scales.dtype == np.uint8:
        return rounded(x, spread(exponents(scales), x.shape, (1, 32)), dtype)
    if scales.dtype == ml_dtypes.float8_e4m3fn:
        v = scales.astype(np.float32)
        one = f"{module}.weight_scale_2" in there
        factors = v * tensor("weight_scale_2") if one else v / tensor("weight_global_scale")
        return rounded(x, spread(factors, x.shape, (1, 16)), dtype)
    wide = scales.astype(np.float32)
    if wide.size == 1:
        return rounded(x, wide.reshape(()), dtype)
    if wide.size == len(x):
        return rounded(x, wide.reshape(-1, 1), dtype)
    return rounded(x, spread(wide.reshape(-(-x.shape[0] // 128), -1), x.shape, (128, 128)), dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("recipe", MATRICES)
def test_every_recipe(source: Path, tmp_path: Path, recipe: str, dtype: str) -> None:
    narrow, wide = tmp_path / "narrow", tmp_path / "wide"
    make(source, narrow, recipe)
    asked = dequantize(narrow, wide, dtype)
    assert (asked.made, asked.missing) == (5, 0)
    before, there, after = tensors_of(source), tensors_of(narrow), tensors_of(wide)
    assert after.keys() == before.keys()
    for name, (tensor, data) in after.items():
        assert (tensor.dtype, tensor.shape) == (TYPES[dtype][0], before[name][0].shape)
        module = name.removesuffix(".weight")
        if module + ".weight" in there and there[module + ".weight"][0].dtype == "BF16":
            wanted = before[name][1].view(ml_dtypes.bfloat16).astype(np.float32).astype(TYPES[dtype][1])
        else:
            wanted = second(there, module, dtype)
        assert data.tobytes() == wanted.tobytes(), name
    config = json.loads((wide / "config.json").read_text())
    assert "quantization_config" not in config
    assert config["torch_dtype"] == {"bf16": "bfloat16", "f16": "float16", "f32": "float32"}[dtype]
    head = json.loads((wide / "manifest.jsonl").read_text().splitlines()[0])
    removed = json.loads((narrow / "config.json").read_text())["quantization_config"]
    assert head["removed"]["config.json"] == {"quantization_config": removed}
    index = json.loads((wide / "model.safetensors.index.json").read_text())
    assert index["weight_map"].keys() == after.keys()
    assert index["metadata"]["total_size"] == sum(data.size for _, data in after.values())
    assert (wide / "tokenizer.json").read_text() == "{}"
    assert not (wide / "hf_quant_config.json").exists()
    assert verify_main([str(wide), "--source", str(narrow), "--quiet"]) == 0


def test_values_are_those_of_the_function(source: Path, tmp_path: Path) -> None:
    make(source, tmp_path / "narrow", "nvfp4")
    dequantize(tmp_path / "narrow", tmp_path / "wide", "f16")
    there, after = tensors_of(tmp_path / "narrow"), tensors_of(tmp_path / "wide")
    row, codes = there["model.layers.1.mlp.up_proj.weight_packed"]
    scales = there["model.layers.1.mlp.up_proj.weight_scale"][1].reshape(row.shape[0], -1)
    level = there["model.layers.1.mlp.up_proj.weight_global_scale"][1].view(np.float32).item()
    wanted = pto.dequantize(codes.reshape(row.shape), scales, "e2m1", "nv.ct", tensor=level, to="f16")
    assert after["model.layers.1.mlp.up_proj.weight"][1].tobytes() == wanted.tobytes()


@pytest.mark.usefixtures("slices")
def test_other_tensors_keep_their_bits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only --dtype converts unquantized tensors, and the command says which."""
    bias, table = floats(3, 128), np.arange(6, dtype=np.int32)
    tensors: Tensors = {
        W: ("F8_E4M3", codes8(0, 128, 256)),
        W + "_scale_inv": ("F32", floats(1, 1, 2)),
        "model.bias": ("F32", bias),
        "model.gate": ("F32", bias),
        "model.table": ("I32", table),
    }
    folder = save(tmp_path / "in", {"model.safetensors": tensors}, FP8)
    assert dequantize_main([str(folder), str(tmp_path / "a"), "--quiet"]) == 0
    assert "dequantized to bf16: 1 tensors\n" in capsys.readouterr().out
    after = tensors_of(tmp_path / "a")
    assert [after[name][0].dtype for name in (W, "model.bias", "model.table")] == ["BF16", "F32", "I32"]
    assert after["model.bias"][1].tobytes() == bias.tobytes()
    words = [str(folder), str(tmp_path / "b"), "--dtype", "bf16", "--exclude", "*.gate", "--quiet"]
    assert dequantize_main(words) == 0
    told = capsys.readouterr().out
    assert "converted to bf16: 1 tensors\n  model.bias: F32, not quantized\n" in told
    assert "left as they are: 2 tensors\n  model.gate: F32\n  model.table: I32\n" in told
    assert "left out: 1 tensors\n  scale of a weight (1)\n" in told
    after = tensors_of(tmp_path / "b")
    assert after["model.bias"][1].tobytes() == bias.astype(ml_dtypes.bfloat16).tobytes()
    assert after["model.gate"][1].tobytes() == bias.tobytes()
    assert after["model.table"][1].tobytes() == table.tobytes()
    assert dequantize_main([str(folder), str(tmp_path / "c"), "--exclude", "*up_proj*", "--quiet"]) == 1
    assert f"--exclude: {W} is quantized" in capsys.readouterr().err


def test_nested_configurations(tmp_path: Path) -> None:
    """The configuration of a sub-model may have the quantization, and the only type."""
    tensors: Tensors = {W: ("F8_E4M3", codes8(0, 128, 256)), W + "_scale_inv": ("F32", floats(1, 1, 2))}
    text = {"dtype": "float16", "quantization_config": FP8, "hidden_size": 256}
    folder = save(tmp_path / "in", {"model.safetensors": tensors}, None, dtype=None, text_config=text)
    dequantize(folder, tmp_path / "out")
    assert tensors_of(tmp_path / "out")[W][0].dtype == "F16"
    config = json.loads((tmp_path / "out/config.json").read_text())
    assert config["dtype"] == "float16"
    assert config["text_config"] == {"dtype": "float16", "hidden_size": 256}
    head = json.loads((tmp_path / "out/manifest.jsonl").read_text().splitlines()[0])
    assert head["removed"] == {"config.json": {"text_config": {"quantization_config": FP8}}}


# ---- DeepSeek ----


@pytest.mark.usefixtures("slices")
@pytest.mark.parametrize("scale", ["F32", "BF16", "F8_E8M0", "U8"])
@pytest.mark.parametrize("name", [W + "_scale_inv", W.replace("weight", "scale"), W + "_scale"])
def test_deepseek(tmp_path: Path, scale: str, name: str) -> None:
    """Blocks at the edges are smaller. The scales are in another file, as in some files of DeepSeek-V3."""
    x = codes8(0, 300, 200)
    if scale in ("F32", "BF16"):
        stored = floats(1, 3, 2).astype(NUMPY[scale])
        values = stored.astype(np.float32)
    else:
        stored = np.array([[100, 127], [0, 1], [130, 90]], np.uint8)
        values = exponents(stored)
    files: dict[str, Tensors] = {
        "a.safetensors": {W: ("F8_E4M3", x), "norm.weight": ("BF16", floats(2, 4).astype(ml_dtypes.bfloat16))},
        "b.safetensors": {name: (scale, stored)},
    }
    folder = save(tmp_path / "in", files, FP8 | {"scale_fmt": "ue8m0"}, expert_dtype="fp4")
    dequantize(folder, tmp_path / "out", "f32")
    got = tensors_of(tmp_path / "out")[W]
    wanted = rounded(x.view(ml_dtypes.float8_e4m3fn), spread(values, x.shape, (128, 128)), "f32")
    assert got[0].shape == (300, 200)
    assert got[1].tobytes() == wanted.tobytes()
    assert sorted(path.name for path in (tmp_path / "out").glob("*.safetensors")) == ["model.safetensors"]
    assert not (tmp_path / "out" / "model.safetensors.index.json").exists()
    assert json.loads((tmp_path / "out" / "config.json").read_text()) == {"model_type": "llama", "dtype": "float32"}


@pytest.mark.usefixtures("slices")
def test_experts_of_deepseek_v4(tmp_path: Path) -> None:
    """Two e2m1 elements in a byte of type I8, and a scale for 32 elements."""
    rng = np.random.default_rng(0)
    name = "layers.3.ffn.experts.7.w1"
    packed, scales = rng.integers(0, 256, (40, 48), np.uint8), rng.integers(110, 130, (40, 3), np.uint8)
    tensors: Tensors = {name + ".weight": ("I8", packed), name + ".scale": ("F8_E8M0", scales)}
    folder = save(tmp_path / "in", {"model.safetensors": tensors}, FP8)
    dequantize(folder, tmp_path / "out")
    wanted = rounded(nibbles(packed), spread(exponents(scales), (40, 96), (1, 32)), "bf16")
    assert tensors_of(tmp_path / "out")[name + ".weight"][1].tobytes() == wanted.tobytes()


@pytest.mark.usefixtures("slices")
def test_stacks_of_experts(tmp_path: Path) -> None:
    x, scales = codes8(0, 3, 130, 256), floats(1, 3, 2, 2)
    name = "model.layers.0.mlp.experts.gate_up_proj"
    tensors: Tensors = {name: ("F8_E4M3", x), name + "_scale_inv": ("F32", scales)}
    dequantize(save(tmp_path / "in", {"model.safetensors": tensors}, FP8), tmp_path / "out")
    wanted = rounded(x.view(ml_dtypes.float8_e4m3fn), spread(scales, x.shape, (128, 128)), "bf16")
    assert tensors_of(tmp_path / "out")[name][1].tobytes() == wanted.tobytes()


@pytest.mark.usefixtures("slices")
@pytest.mark.parametrize("shape", [(), (1,), (3, 1, 1), (3,), (3, 20, 1), (3, 20)])
def test_scales_of_whole_matrices_and_rows(tmp_path: Path, shape: tuple[int, ...]) -> None:
    x, scales = codes8(0, 3, 20, 64), floats(1, *shape)
    tensors: Tensors = {"experts.w1": ("F8_E5M2", x & 0x7B), "experts.w1_scale": ("F32", scales)}
    dequantize(save(tmp_path / "in", {"model.safetensors": tensors}, {"quant_method": "fp8"}), tmp_path / "out")
    factors = scales.reshape(shape + (1,) * (3 - len(shape))) if scales.size > 1 else scales.reshape(())
    wanted = rounded((x & 0x7B).view(ml_dtypes.float8_e5m2), factors, "bf16")
    assert tensors_of(tmp_path / "out")["experts.w1"][1].tobytes() == wanted.tobytes()


@pytest.mark.usefixtures("slices")
def test_groups_of_compressed_tensors(tmp_path: Path) -> None:
    x, scales = codes8(0, 6, 256), floats(1, 6, 4).astype(ml_dtypes.bfloat16)
    tensors: Tensors = {W: ("F8_E4M3", x), W + "_scale": ("BF16", scales)}
    args = {"num_bits": 8, "type": "float", "strategy": "group", "group_size": 64}
    quantization = {"quant_method": "compressed-tensors", "format": "float-quantized"}
    quantization |= {"config_groups": {"group_0": {"targets": ["Linear"], "weights": args}}}
    dequantize(save(tmp_path / "in", {"model.safetensors": tensors}, quantization), tmp_path / "out")
    wanted = rounded(x.view(ml_dtypes.float8_e4m3fn), spread(scales, x.shape, (1, 64)), "bf16")
    assert tensors_of(tmp_path / "out")[W][1].tobytes() == wanted.tobytes()


def test_unscaled_tensors_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    x = codes8(0, 128, 128)
    tensors: Tensors = {W: ("F8_E4M3", x), W + "_scale_inv": ("F32", floats(1, 1, 1)), "mtp.e.weight": ("F8_E4M3", x)}
    folder = save(tmp_path / "in", {"model.safetensors": tensors}, FP8)
    assert dequantize_main([str(folder), str(tmp_path / "out"), "--quiet"]) == 1
    told = capsys.readouterr().err
    assert "model.safetensors: mtp.e.weight: is F8_E4M3, and its scale mtp.e.weight_scale_inv or " in told
    assert "--unscaled" in told
    assert dequantize_main([str(folder), str(tmp_path / "out"), "--unscaled", "mtp.*", "--quiet"]) == 0
    after = tensors_of(tmp_path / "out")["mtp.e.weight"][1]
    assert after.tobytes() == x.view(ml_dtypes.float8_e4m3fn).astype(ml_dtypes.bfloat16).tobytes()


# ---- gpt-oss ----


def gpt_oss(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns blocks and scales of three experts, and their values as [out, in] matrices."""
    rng = np.random.default_rng(seed)
    blocks, scales = rng.integers(0, 256, (3, 70, 4, 16), np.uint8), rng.integers(100, 130, (3, 70, 4), np.uint8)
    values = nibbles(blocks.reshape(3, 70, 64)) * spread(exponents(scales), (3, 70, 128), (1, 32))
    return blocks, scales, values


@pytest.mark.usefixtures("slices")
@pytest.mark.parametrize("original", [False, True])
def test_gpt_oss(tmp_path: Path, original: bool) -> None:
    """transformers stores [experts, out, blocks, 16] and computes with [experts, in, out] matrices.

    The original implementation computes with [experts, out, in] matrices, and has no quantization_config.
    """
    blocks, scales, values = gpt_oss(0)
    name, sign = ("block.0.mlp.mlp1_weight", ".") if original else ("model.layers.0.mlp.experts.down_proj", "_")
    tensors: Tensors = {f"{name}{sign}blocks": ("U8", blocks), f"{name}{sign}scales": ("U8", scales)}
    quantization = None if original else {"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]}
    dequantize(save(tmp_path / "in", {"model.safetensors": tensors}, quantization), tmp_path / "out")
    row, data = tensors_of(tmp_path / "out")[name]
    wanted = values if original else values.swapaxes(1, 2)
    assert row.shape == wanted.shape
    assert data.tobytes() == np.ascontiguousarray(wanted).astype(ml_dtypes.bfloat16).tobytes()


def test_gpt_oss_of_the_quantizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slices do not divide the matrices. Quantizing the values again does not change them."""
    monkeypatch.setattr("pto.checkpoint._codec._AT_ONCE", 3 * 64 * 40)
    name = "model.layers.0.mlp.experts.gate_up_proj"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "config.json").write_text('{"model_type": "gpt_oss"}')
    save_file({name: weights(np.random.default_rng(1), 2, 160, 64)}, tmp_path / "in" / "model.safetensors")
    make(tmp_path / "in", tmp_path / "a", "mxfp4-gpt-oss")
    dequantize(tmp_path / "a", tmp_path / "b")
    there = tensors_of(tmp_path / "a")
    scales = exponents(there[name + "_scales"][1].reshape(2, 64, 5))
    values = nibbles(there[name + "_blocks"][1].reshape(2, 64, 80)) * spread(scales, (2, 64, 160), (1, 32))
    row, data = tensors_of(tmp_path / "b")[name]
    assert row.shape == (2, 160, 64)
    assert data.tobytes() == np.ascontiguousarray(values.swapaxes(1, 2)).astype(ml_dtypes.bfloat16).tobytes()
    make(tmp_path / "b", tmp_path / "c", "mxfp4-gpt-oss")
    dequantize(tmp_path / "c", tmp_path / "d")
    assert (tmp_path / "b/model.safetensors").read_bytes() == (tmp_path / "d/model.safetensors").read_bytes()


# ---- ModelOpt ----


@pytest.mark.usefixtures("slices")
def test_modelopt_without_a_quantization_config(tmp_path: Path) -> None:
    """Older versions write only hf_quant_config.json. Scales of activations and of the KV cache are left out."""
    rng = np.random.default_rng(0)
    packed, scales = rng.integers(0, 256, (32, 64), np.uint8), codes8(1, 32, 8) & 0x7F
    module, attention = W.removesuffix(".weight"), "model.layers.0.self_attn"
    one = np.array(0.25, np.float32)
    tensors: Tensors = {
        W: ("U8", packed),
        W + "_scale": ("F8_E4M3", scales),
        W + "_scale_2": ("F32", np.array(3e-5, np.float32)),
        module + ".input_scale": ("F32", one),
        attention + ".k_proj.k_scale": ("F32", one),
        attention + ".v_proj.v_scale": ("F32", one),
    }
    folder = save(tmp_path / "in", {"model.safetensors": tensors})
    quantization = {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "group_size": 16}
    given = {"producer": {"name": "modelopt"}, "quantization": quantization}
    (folder / "hf_quant_config.json").write_text(json.dumps(given))
    made = dequantize(folder, tmp_path / "out")
    after = tensors_of(tmp_path / "out")
    assert after.keys() == {W}
    factors = scales.view(ml_dtypes.float8_e4m3fn).astype(np.float32) * np.float32(3e-5)
    wanted = rounded(nibbles(packed), spread(factors, (32, 128), (1, 16)), "bf16")
    assert after[W][1].tobytes() == wanted.tobytes()
    assert "scale of the KV cache (2)" in made.plan.listing()
    head = json.loads((tmp_path / "out/manifest.jsonl").read_text().splitlines()[0])
    assert head["removed"] == {"hf_quant_config.json": given}
    assert not (tmp_path / "out/hf_quant_config.json").exists()


# ---- errors, which name the file and the tensor, and leave nothing ----

GROUP = {"group_0": {"weights": {"type": "float", "strategy": "channel"}}}
CT = {"quant_method": "compressed-tensors", "format": "float-quantized", "config_groups": GROUP}
INTEGERS = {"group_0": {"weights": {"type": "int", "strategy": "channel"}}}


@pytest.mark.parametrize(
    ("quantization", "words"),
    [
        ({"quant_method": "gptq"}, "config.json: the quant_method 'gptq' is not known"),
        ({"quant_method": "modelopt", "quant_algo": "W4A16_AWQ"}, "the quant_algo 'W4A16_AWQ' is not known"),
        (CT | {"format": "pack-quantized"}, "the format 'pack-quantized' is not known"),
        (CT | {"config_groups": INTEGERS}, "weights of type 'int' are not known"),
        (CT | {"config_groups": {"group_0": GROUP["group_0"] | {"format": "marlin-24"}}}, "'marlin-24' is not known"),
        (CT | {"transform_config": {"R1": {}}}, "the weights are rotated"),
        (CT | {"config_groups": [1]}, "not as compressed-tensors writes it"),
        (CT | {"config_groups": {"group_0": {"weights": {"type": "float"}}}}, "it has no 'strategy'"),
        (FP8 | {"weight_block_size": [0, 128]}, "writes it: a block is two positive integers, not [0, 128]"),
        ({"bits": 8}, "quantization_config has no quant_method"),
        ("fp8", "quantization_config is not an object"),
    ],
)
def test_a_format_that_is_not_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quantization: object, words: str
) -> None:
    tensors: Tensors = {W: ("F8_E4M3", codes8(0, 128, 128)), W + "_scale": ("F32", floats(1, 128, 1))}
    refused(save(tmp_path / "in", {"model.safetensors": tensors}, quantization), capsys, words)


def refused(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> None:
    out = folder.parent / "out"
    assert dequantize_main([str(folder), str(out), "--quiet"]) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert all(word in told for word in words), told
    assert not out.exists()


def shaped(*shape: int, dtype: str = "F32") -> tuple[str, np.ndarray]:
    return dtype, np.ones(shape, NUMPY[dtype])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"_scale_inv": None}, f"{W}: is F8_E4M3, and its scale {W}_scale_inv or {W}_scale or "),
        ({"_scale_inv": shaped(2, 2)}, f"{W}_scale_inv: its shape [2, 2] does not fit {W}, F8_E4M3 [300, 200]"),
        ({"_scale_inv": shaped(3, 3)}, "[3, 2] for blocks of 128 x 128"),
        ({"_scale_inv": shaped(2, 3)}, "does not fit"),
        ({"_scale_inv": shaped(1)}, "its shape [1] does not fit"),
        ({"_scale_inv": shaped(6)}, "its shape [6] does not fit"),
        ({"_scale_inv": shaped(3, 2, dtype="I32")}, "scales of type I32 are not known"),
        ({"": shaped(300, 200, dtype="BF16")}, f"{W}: is BF16, but has {W}_scale_inv"),
        ({"": shaped(300, 200, dtype="I32")}, "weights of type I32 are not known"),
        ({"": shaped(300, 200, dtype="I8")}, "integers with F32 scales are not known"),
        ({"": None}, f"{W}_scale_inv: is F32, and belongs to no quantized weight"),
        ({"_scale": shaped(3, 2)}, f"{W}: has several scales"),
        ({"_zero_point": shaped(3, 2)}, f"{W}_zero_point: it changes the values"),
    ],
)
def test_tensors_that_do_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: str
) -> None:
    tensors: Tensors = {W: ("F8_E4M3", codes8(0, 300, 200)), W + "_scale_inv": ("F32", floats(1, 3, 2))}
    tensors |= {"ok.weight": ("F8_E4M3", codes8(0, 64, 64)), "ok.weight_scale_inv": ("F32", floats(1, 1, 1))}
    tensors |= {W + end: tensor for end, tensor in change.items()}
    tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    files = {"a.safetensors": tensors, "b.safetensors": {"c.weight": shaped(4, dtype="BF16")}}
    refused(save(tmp_path / "in", files, FP8), capsys, "a.safetensors: ", words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"_scales": None}, "down_proj_scales is missing"),
        ({"_scales": shaped(3, 70, 5, dtype="U8")}, "down_proj_scales: its shape [3, 70, 5] does not fit"),
        ({"_scales": shaped(3, 70, 4, dtype="F32")}, "scales of MXFP4 are U8, not F32"),
        ({"_blocks": shaped(3, 70, 64, dtype="U8")}, "its shape [3, 70, 64] is not [experts, rows, blocks, 16]"),
        ({"": shaped(3, 128, 70, dtype="BF16")}, "has model.layers.0.mlp.experts.down_proj, too"),
    ],
)
def test_experts_that_do_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: str
) -> None:
    name = "model.layers.0.mlp.experts.down_proj"
    blocks, scales, _ = gpt_oss(0)
    tensors: Tensors = {name + "_blocks": ("U8", blocks), name + "_scales": ("U8", scales)}
    tensors |= {name + end: tensor for end, tensor in change.items()}
    tensors = {key: tensor for key, tensor in tensors.items() if tensor is not None}
    refused(save(tmp_path / "in", {"model.safetensors": tensors}, {"quant_method": "mxfp4"}), capsys, words)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"_global_scale": None}, f"its scale {W}_global_scale or {W}_scale_2 is missing"),
        ({"_global_scale": shaped(2)}, "is F32 [2], not one value of F32"),
        ({"_scale": shaped(8, 5, dtype="F8_E4M3")}, "does not fit"),
        ({"_packed": shaped(8, 4, dtype="I32")}, f"{W}_packed: packed as I32"),
        ({"_packed": shaped(8, dtype="U8")}, "its shape [8] is not that of a matrix"),
    ],
)
def test_nvfp4_that_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: str
) -> None:
    weights = {"type": "float", "strategy": "tensor_group", "group_size": 16}
    quantization = CT | {"format": "nvfp4-pack-quantized", "config_groups": {"group_0": {"weights": weights}}}
    tensors: Tensors = {
        W + "_packed": shaped(8, 32, dtype="U8"),
        W + "_scale": shaped(8, 4, dtype="F8_E4M3"),
        W + "_global_scale": shaped(1),
    }
    tensors |= {W + end: tensor for end, tensor in change.items()}
    tensors = {key: tensor for key, tensor in tensors.items() if tensor is not None}
    refused(save(tmp_path / "in", {"model.safetensors": tensors}, quantization), capsys, words)


def test_a_checkpoint_that_is_not_quantized(source: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="has no quantized weight"):
        dequantize(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_results_are_not_mixed(source: Path, tmp_path: Path) -> None:
    make(source, tmp_path / "narrow", "mxfp8")
    dequantize(tmp_path / "narrow", tmp_path / "wide")
    with pytest.raises(CheckpointError, match="was begun with other options: dtype None, not f32$"):
        dequantize(tmp_path / "narrow", tmp_path / "wide", "f32")
    with pytest.raises(CheckpointError, match="was begun with another command"):
        make(source, tmp_path / "wide", "mxfp8")


def test_values_that_are_not_finite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scale that is NaN, a code that is NaN, and values that are finite in bf16 but not in f16."""
    x, scales = codes8(0, 128, 256), np.array([[1, 2]], np.float32)

    def fails(x: np.ndarray, scales: np.ndarray, *words: str) -> str:
        tensors: Tensors = {W: ("F8_E4M3", x), W + "_scale_inv": ("F32", scales)}
        folder = save(tmp_path / "in", {"model.safetensors": tensors}, FP8)
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        assert dequantize_main([str(folder), str(tmp_path / "out"), "--quiet", *words]) == 1
        assert not (tmp_path / "out/config.json").exists()
        told = capsys.readouterr().err
        assert dequantize_main([str(folder), str(tmp_path / "out"), "--quiet", "--allow-nonfinite", *words]) == 0
        return told

    assert f"{W}: {128 * 128}\n" in fails(x, np.array([[1, np.nan]], np.float32))
    bad = x.copy()
    bad[3, 5] = 127
    assert f"{W}: 1\n" in fails(bad, scales)
    big = x.copy() & 0x3F
    big[7, 200] = 0x7E  # 448, times 256
    told = fails(big, np.array([[1, 256]], np.float32), "--dtype", "f16")
    assert f"{W}: 1\n" in told
    assert "in the result" in told


# ---- files that are damaged, killed processes, memory ----


@pytest.fixture(scope="module")
def narrow(source: Path) -> Path:
    out = source.parent / "narrow"
    make(source, out, "fp8-block")
    return out


@pytest.fixture(scope="module")
def whole(narrow: Path) -> dict[str, bytes]:
    out = narrow.parent / "wide"
    dequantize(narrow, out)
    return contents(out)


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-W", "error", "-m", "pto.dequantize", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_workers_and_shards(narrow: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    told = command(narrow, tmp_path / "a", "--workers", 2)
    assert told.returncode == 0, told.stderr
    assert contents(tmp_path / "a") == whole
    missing = [dequantize(narrow, tmp_path / "b", shard=(k, 3)).missing == 0 for k in (1, 2, 0)]
    assert missing == [False, False, True]
    assert contents(tmp_path / "b") == whole


KILLED = """
import os, signal, sys
from pto.checkpoint._command import dequantize_main
left = int(sys.argv.pop(1))
replace = os.replace
def dies(a, b):  # before the file has its name
    global left
    left -= str(b).endswith("safetensors")
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(a, b)
os.replace = dies
dequantize_main(sys.argv[1:])
"""


def test_a_killed_process_goes_on(narrow: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    words = [sys.executable, "-c", KILLED, "2", str(narrow), str(out), "--quiet"]
    assert subprocess.run(words, check=False, stdout=subprocess.DEVNULL).returncode == -9
    assert len(list(out.glob("*.safetensors"))) == 2
    assert not (out / "config.json").exists()
    assert verify_main([str(out), "--quiet"]) == 1
    made = dequantize(narrow, out)
    assert (made.made, made.kept) == (3, 2)
    assert contents(out) == whole
    assert dequantize(narrow, out).kept == 5


def test_a_damaged_result(narrow: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    dequantize(narrow, out)
    path = out / FILE.format(2)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert verify_main([str(out), "--quiet"]) == 1
    assert dequantize(narrow, out).made == 1
    assert contents(out) == whole


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:100], lambda data: b"", bytes.lower])
def test_a_damaged_source(
    narrow: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[bytes], bytes]
) -> None:
    shutil.copytree(narrow, tmp_path / "in")
    path = tmp_path / "in" / FILE.format(3)
    path.write_bytes(damage(path.read_bytes()))
    refused(tmp_path / "in", capsys, path.name)


def test_a_changed_scale_in_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The size and time of the file do not change, and the file with the codes does not change at all."""
    files: dict[str, Tensors] = {
        "a.safetensors": {W: ("F8_E4M3", codes8(0, 128, 128)), "b.weight": shaped(4, dtype="BF16")},
        "b.safetensors": {W + "_scale_inv": ("F32", floats(1, 1, 1)), "c.weight": shaped(4, dtype="BF16")},
    }
    folder = save(tmp_path / "in", files, FP8)
    assert dequantize(folder, tmp_path / "out").made == 2
    assert dequantize(folder, tmp_path / "out").kept == 2
    status = (folder / "b.safetensors").stat()
    files["b.safetensors"][W + "_scale_inv"] = ("F32", floats(2, 1, 1))
    save(folder, files, FP8)
    os.utime(folder / "b.safetensors", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert verify_main([str(tmp_path / "out"), "--quiet"]) == 0
    assert verify_main([str(tmp_path / "out"), "--source", str(folder), "--quiet"]) == 1
    assert f"{W} gives another tensor" in capsys.readouterr().err
    assert dequantize(folder, tmp_path / "out").made == 2
    assert verify_main([str(tmp_path / "out"), "--source", str(folder), "--quiet"]) == 0


@pytest.mark.parametrize("shape", [(1, 1), (32, 32)], ids=["one scale", "blocks"])
def test_memory_is_less_than_the_result(tmp_path: Path, shape: tuple[int, int]) -> None:
    """A tensor of codes is in memory as a whole, but its values are not."""
    tensors: Tensors = {W: ("F8_E4M3", codes8(0, 4096, 4096)), W + "_scale_inv": ("F32", floats(1, *shape))}
    quantization = FP8 if shape != (1, 1) else {"quant_method": "fp8"}
    folder = save(tmp_path / "in", {"model.safetensors": tensors}, quantization)
    tracemalloc.start()
    dequantize(folder, tmp_path / "out", "f32")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 4096 * 4096 < peak < 2 * 4096 * 4096


def test_the_name_can_be_called() -> None:
    code = "import pto.dequantize, pto; import numpy as np; q = pto.quantize(np.ones(32, np.float32), 'mxfp8'); "
    code += "print(pto.dequantize(q)[0])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1.0\n"


def test_all_layers_were_compared(source: Path) -> None:
    assert sum("proj" in name for name in tensors_of(source)) == 7 * LAYERS
