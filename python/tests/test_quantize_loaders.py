# SPDX-License-Identifier: MIT
"""transformers and compressed-tensors load checkpoints of ``pto.quantize`` with the same values as libpto."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")
pytest.importorskip("compressed_tensors", reason="compressed-tensors is not installed")
pytest.importorskip("safetensors")
pytest.importorskip("xxhash")

import torch
import transformers
from test_quantize_checkpoints import LINEAR, make, source

from pto.checkpoint import RECIPES
from pto.checkpoint._codec import coded_by, decode
from pto.checkpoint._files import read_bytes, read_header
from pto.checkpoint._manifest import read_manifest

__all__ = ["source"]

pytestmark = pytest.mark.filterwarnings("default")  # warnings of other packages are not errors
LOADED = [name for name, recipe in RECIPES.items() if recipe.config == "compressed_tensors"]


def same_weights(model: torch.nn.Module, source: Path, out: Path, recipe: str) -> int:
    """Checks that weights of a model have the values that libpto decodes. Returns how many are in the manifest."""
    there = dict(model.named_parameters())
    count = 0
    for rows in read_manifest(out)[1].values():
        parts: dict[str, dict[str, np.ndarray]] = {}
        header = read_header(out / rows[0]["file"])
        for row in rows[1:]:
            if "of" in row:
                parts.setdefault(row["of"], {})[row["role"]] = read_bytes(out / rows[0]["file"], header[row["name"]])
        weights = read_header(source / rows[0]["source"])
        for name, data in parts.items():
            want = np.concatenate([y for _, y in decode(coded_by(RECIPES[recipe], weights[name]), data)])
            assert torch.allclose(there[name].float(), torch.from_numpy(want), rtol=2**-7, atol=1e-9), name
            count += 1
    return count


@pytest.mark.parametrize("recipe", LOADED)
def test_compressed_tensors(source: Path, tmp_path: Path, recipe: str) -> None:
    out = tmp_path / "out"
    make(source, out, recipe)
    model = transformers.AutoModelForCausalLM.from_pretrained(out, dtype=torch.bfloat16)
    with torch.no_grad():
        model(torch.arange(4)[None])  # weights are dequantized at the first call
    assert same_weights(model, source, out, recipe) == LINEAR


@pytest.mark.parametrize("recipe", ["fp8-block", "fp8-block-pow2"])
def test_fine_grained_fp8(source: Path, tmp_path: Path, recipe: str) -> None:
    """The matrix products need a GPU, but weights can be dequantized on a CPU."""
    pytest.importorskip("accelerate", reason="accelerate is not installed")
    out = tmp_path / "out"
    make(source, out, recipe)
    wide = transformers.FineGrainedFP8Config(dequantize=True)
    model = transformers.AutoModelForCausalLM.from_pretrained(out, dtype=torch.bfloat16, quantization_config=wide)
    assert same_weights(model, source, out, recipe) == LINEAR


def test_gpt_oss(tmp_path: Path) -> None:
    """A small model with random weights, whose stacks of experts transformers dequantizes."""
    sizes = {"vocab_size": 256, "hidden_size": 64, "intermediate_size": 96, "head_dim": 16, "sliding_window": 16}
    counts = {"num_hidden_layers": 2, "num_local_experts": 4, "num_attention_heads": 4, "num_key_value_heads": 2}
    config = transformers.GptOssConfig(num_experts_per_tok=2, **sizes, **counts)
    source, out = tmp_path / "in", tmp_path / "out"
    transformers.GptOssForCausalLM(config).to(torch.bfloat16).save_pretrained(source)
    make(source, out, "mxfp4-gpt-oss")
    wide = transformers.Mxfp4Config(dequantize=True)
    model = transformers.GptOssForCausalLM.from_pretrained(out, dtype=torch.bfloat16, quantization_config=wide)
    there, file = dict(model.named_parameters()), out / "model.safetensors"
    made, count = read_header(file), 0
    for name, weight in read_header(source / "model.safetensors").items():
        if not name.endswith((".gate_up_proj", ".down_proj")):
            continue
        parts = {
            role: read_bytes(file, made[f"{name}_{end}"]) for role, end in (("codes", "blocks"), ("scales", "scales"))
        }
        want = np.concatenate([y for _, y in decode(coded_by(RECIPES["mxfp4-gpt-oss"], weight), parts)])
        experts, cols, rows = weight.shape
        turned = want.reshape(experts, rows, cols).swapaxes(1, 2).copy()
        assert torch.equal(there[name].float(), torch.from_numpy(turned)), name
        count += 1
    assert count == 4
