# SPDX-License-Identifier: MIT
"""The operators Quantize and Dequantize in OpenVINO have the bits of pto.quantize and pto.dequantize."""

from __future__ import annotations

import numpy as np
import pytest
from inference import load, run, tensor
from models import CASES, SHAPES, WIDE, floats, has_level, model, node, onnx_type, proto_of, sample
from onnx import TensorProto

import pto


@pytest.mark.parametrize("wide", WIDE)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_all_rules(rank: int, wide: str) -> None:
    active = load(proto_of(rank, wide, True), threads=2)
    names = [output.get_any_name() for output in active.outputs]
    for shape in SHAPES:
        if len(shape) != rank:
            continue
        for finite in (True, False):
            x = sample(shape, wide, finite=finite)
            got = dict(zip(names, run(active, {"x": tensor(x, onnx_type(wide))}), strict=True))
            for i, (elem, rule) in enumerate(CASES):
                want = pto.quantize(x, elem, rule)
                assert got[f"c{i}"].data == want.codes.tobytes(), (elem, rule, shape)
                assert got[f"s{i}"].data == want.scales.tobytes(), (elem, rule, shape)
                assert got[f"s{i}"].shape == want.scales.shape
                if has_level(rule):
                    assert got[f"t{i}"].data == np.float32(want.tensor).tobytes(), (elem, rule, shape)
                if shape[-1] % 2 == 0:
                    back = np.asarray(want.dequantize(to=wide))
                    assert got[f"y{i}"].data == back.tobytes(), (elem, rule, shape)


@pytest.mark.parametrize(("elem", "rule"), [("e4m3", "mx.rceil"), ("e2m1", "mx.even"), ("e2m1", "nv.te")])
def test_types_of_openvino(elem: str, rule: str) -> None:
    """Without ``bytes``, codes and scales have the types of OpenVINO that it reads from ONNX models."""
    scale = TensorProto.FLOAT8E4M3FN if rule == "nv.te" else TensorProto.FLOAT8E8M0
    proto = model(
        [node("Quantize", ["x"], ["c", "s"], elem=elem, rule=rule)],
        {"x": (TensorProto.FLOAT, [None, None])},
        {"c": (onnx_type(elem), [None, None]), "s": (scale, [None, None])},
    )
    x = sample((6, 160), "f32", finite=True)
    codes, scales = run(proto, {"x": tensor(x, TensorProto.FLOAT)})
    want = pto.quantize(x, elem, rule)
    assert codes.data == want.codes.tobytes()
    assert scales.data == want.scales.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_large_tensors_on_threads(threads: int) -> None:
    x = floats(1 << 20).reshape(1024, 1024)
    proto = model(
        [node("Quantize", ["x"], ["c", "s"], elem="e4m3", rule="mx.rceil", bytes=1)],
        {"x": (TensorProto.FLOAT, [None, None])},
        {"c": (TensorProto.UINT8, [None, None]), "s": (TensorProto.UINT8, [None, None])},
    )
    want = pto.quantize(x, "e4m3", "mx.rceil")
    codes, scales = run(load(proto, threads=threads), {"x": tensor(x, TensorProto.FLOAT)})
    assert codes.data == want.codes.tobytes()
    assert scales.data == want.scales.tobytes()
