# SPDX-License-Identifier: MIT
"""Models whose Cast nodes replace_casts() replaced: results are those of ONNX's definition, computed with ml_dtypes."""

from __future__ import annotations

import numpy as np
import pytest
from inference import load, run, tensor
from models import ONNX, onnx_type, values
from replace_casts import replace_casts

from oracle import SOURCES, cast_model, rounded, wrong

TARGETS = ("e4m3", "e5m2", "e2m1")


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_casts_are_correct(source: str, target: str, saturate: int) -> None:
    x = values(source, 1_000_000)
    proto = cast_model(source, target, saturate)
    assert replace_casts(proto) == 1
    result = run(proto, {"x": tensor(x, onnx_type(source))})[0]
    assert wrong(result.data, rounded(x.view(ONNX[source][1]), target, saturate)) == 0


PAIRS = [(s, t) for s in ("e4m3", "e5m2", *SOURCES) for t in SOURCES if s != t]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_casts_to_wide_types(source: str, target: str) -> None:
    x = values(source, 1_000_000)
    proto = cast_model(source, target)
    assert replace_casts(proto, wide=True) == 1
    result = run(proto, {"x": tensor(x, onnx_type(source))})[0]
    assert wrong(result.data, rounded(x.view(ONNX[source][1]), target)) == 0


def test_openvino_alone_differs() -> None:
    x = values("f32", 1_000_000)
    active = load(cast_model("f32", "e4m3"), extension=False)
    result = run(active, {"x": tensor(x, onnx_type("f32"))})[0]
    assert wrong(result.data, rounded(x.view(np.float32), "e4m3")) > 0
