# SPDX-License-Identifier: MIT
"""``pto.torch.exact`` has the bits of an NVIDIA H200: gpu.json has the digests of its results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import gpu
import pto.torch
import samples

EXPECTED = json.loads((Path(__file__).parent / "gpu.json").read_text())


@pytest.mark.parametrize("source", samples.BITS)
def test_casts(source: str) -> None:
    """All codes up to 16 bits, at least 1.8 million of f32 and 2.8 million of f64, to all other types."""
    x = gpu.tensor(samples.codes(source), source)
    for target in samples.BITS:
        if target != source:
            with pto.torch.exact():
                y = x.to(getattr(torch, target))
            assert gpu.digest(y) == EXPECTED["casts"][f"{source} {target}"], (source, target)


def test_selections() -> None:
    """Comparisons, minima, maxima, clamps, relu and where, of all pairs of special values."""
    with pto.torch.exact():
        results = {name: gpu.digest(y) for name, y in gpu.selections() if y is not None}
    expected = EXPECTED["selections"]
    assert len(expected) > 400
    assert {name: results.get(name) for name in expected} == expected


def test_stock_torch_differs() -> None:
    """The digests find differences: those of torch without ``exact``."""
    casts = {name for name, y in gpu.casts() if gpu.digest(y) != EXPECTED["casts"][name]}
    assert len(casts) >= 60
    assert {"float32 int8", "float16 float32", "float32 float8_e4m3fn"} <= casts
    assert "float32 float64" not in casts
    selected = {name: gpu.digest(y) for name, y in gpu.selections() if y is not None}
    assert selected["float32 relu"] != EXPECTED["selections"]["float32 relu"]
