# SPDX-License-Identifier: MIT
"""What ``pto.quantize`` makes is loaded by transformers and compressed-tensors, with the numbers that libpto has."""

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
from pto.checkpoint._codec import decode
from pto.checkpoint._files import read_bytes, read_header
from pto.checkpoint._manifest import read_manifest

__all__ = ["source"]

pytestmark = pytest.mark.filterwarnings("default")  # what they warn of is theirs
LOADED = [name for name, recipe in RECIPES.items() if recipe.config == "compressed_tensors"]


@pytest.mark.parametrize("recipe", LOADED)
def test_compressed_tensors(source: Path, tmp_path: Path, recipe: str) -> None:
    out = tmp_path / "out"
    make(source, out, recipe)
    model = transformers.AutoModelForCausalLM.from_pretrained(out, dtype=torch.bfloat16)
    with torch.no_grad():
        model(torch.arange(4)[None])  # weights are made wide at the first call
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
            want = np.concatenate([y for _, y in decode(RECIPES[recipe], weights[name], data)])
            assert torch.allclose(there[name].float(), torch.from_numpy(want), rtol=2**-7, atol=1e-9), name
            count += 1
    assert count == LINEAR
