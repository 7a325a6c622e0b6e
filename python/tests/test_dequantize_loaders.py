# SPDX-License-Identifier: MIT
"""The values of ``pto.dequantize`` are those that transformers and compressed-tensors compute when they load a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")
pytest.importorskip("safetensors")
pytest.importorskip("xxhash")

import ml_dtypes
import torch
import transformers
from test_dequantize_checkpoints import FP8, W, codes8, dequantize, floats, gpt_oss, save
from test_quantize_checkpoints import LINEAR, make, source, tensors_of

from pto.checkpoint import RECIPES

__all__ = ["source"]

pytestmark = pytest.mark.filterwarnings("default")  # warnings of other packages are not errors
LOADED = [name for name, recipe in RECIPES.items() if recipe.config == "compressed_tensors"]


def bits(x: torch.Tensor) -> np.ndarray:
    return x.detach().to(torch.bfloat16).contiguous().view(torch.int16).numpy().view(np.uint16)


@pytest.mark.parametrize("recipe", LOADED)
def test_compressed_tensors(source: Path, tmp_path: Path, recipe: str) -> None:
    """All bits of the bf16 values are equal."""
    pytest.importorskip("compressed_tensors", reason="compressed-tensors is not installed")
    make(source, tmp_path / "narrow", recipe)
    dequantize(tmp_path / "narrow", tmp_path / "wide")
    model = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "narrow", dtype=torch.bfloat16)
    with torch.no_grad():
        model(torch.arange(4)[None])  # weights are dequantized at the first call
    there, count = dict(model.named_parameters()), 0
    for name, (row, data) in tensors_of(tmp_path / "wide").items():
        if name.endswith("_proj.weight"):
            ours, theirs = data.view(np.uint16).reshape(row.shape), bits(there[name])
            assert np.array_equal(ours, theirs), name
            count += 1
    assert count == LINEAR


@pytest.mark.parametrize("recipe", LOADED)
def test_a_dequantized_model_loads(source: Path, tmp_path: Path, recipe: str) -> None:
    """Without compressed-tensors, and with all weights in their places."""
    make(source, tmp_path / "narrow", recipe)
    dequantize(tmp_path / "narrow", tmp_path / "wide", "f32")
    model, report = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "wide", output_loading_info=True)
    assert not any(report[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    assert model.dtype == torch.float32
    assert getattr(model.config, "quantization_config", None) is None


@pytest.mark.parametrize("scale", ["F32", "F8_E8M0"])
def test_fine_grained_fp8(tmp_path: Path, scale: str) -> None:
    module = pytest.importorskip("transformers.integrations.finegrained_fp8", reason="transformers has no FP8")
    if not hasattr(module, "Fp8Dequantize"):
        pytest.skip("this version of transformers has no Fp8Dequantize")
    x = codes8(0, 384, 256)
    scales = floats(1, 3, 2) if scale == "F32" else np.array([[100, 127], [110, 126], [130, 90]], np.uint8)
    tensors = {W: ("F8_E4M3", x), W + "_scale_inv": (scale, scales)}
    dequantize(save(tmp_path / "in", {"model.safetensors": tensors}, FP8), tmp_path / "out")
    codes = torch.from_numpy(x).view(torch.float8_e4m3fn)
    factors = torch.from_numpy(scales) if scale == "F32" else torch.from_numpy(scales).view(torch.float8_e8m0fnu)
    wanted = module.Fp8Dequantize(None)._dequantize_one(codes, factors, torch.bfloat16)
    assert tensors_of(tmp_path / "out")[W][1].tobytes() == bits(wanted).tobytes()


def test_mxfp4_of_gpt_oss(tmp_path: Path) -> None:
    module = pytest.importorskip("transformers.integrations.mxfp4", reason="transformers has no MXFP4")
    blocks, scales, _ = gpt_oss(0)
    name = "model.layers.0.mlp.experts.gate_up_proj"
    tensors = {name + "_blocks": ("U8", blocks), name + "_scales": ("U8", scales)}
    folder = save(tmp_path / "in", {"model.safetensors": tensors}, {"quant_method": "mxfp4"})
    dequantize(folder, tmp_path / "out")
    wanted = module.convert_moe_packed_tensors(torch.from_numpy(blocks), torch.from_numpy(scales))
    row, data = tensors_of(tmp_path / "out")[name]
    assert row.shape == tuple(wanted.shape)
    assert data.view(ml_dtypes.bfloat16).reshape(row.shape).tobytes() == bits(wanted).tobytes()
