# SPDX-License-Identifier: MIT
"""The operators Quantize and Dequantize in ONNX Runtime have the bits of pto.quantize and pto.dequantize."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from common import data, run, session, tensor
from models import CASES, SHAPES, WIDE, floats, has_level, model, node, onnx_type, proto_of, sample, scale_type
from onnx import TensorProto

import pto


@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize("wide", WIDE)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_all_rules(rank: int, wide: str, as_bytes: bool) -> None:
    active = session(proto_of(rank, wide, as_bytes), threads=2)
    names = [output.name for output in active.get_outputs()]
    for shape in SHAPES:
        if len(shape) != rank or (not as_bytes and shape[-1] % 2):
            continue
        for finite in (True, False):
            x = sample(shape, wide, finite=finite)
            got = dict(zip(names, run(active, {"x": tensor(x, onnx_type(wide))}), strict=True))
            for i, (elem, rule) in enumerate(CASES):
                want = pto.quantize(x, elem, rule)
                bits = 4 if elem == "e2m1" and not as_bytes else 8
                assert data(got[f"c{i}"], bits) == want.codes.tobytes(), (elem, rule, shape)
                assert data(got[f"s{i}"], 32 if rule.startswith("fp8.") else 8) == want.scales.tobytes(), (elem, rule)
                assert got[f"s{i}"].shape() == list(want.scales.shape)
                if has_level(rule):
                    level = got[f"t{i}"].numpy()
                    assert level.tobytes() == np.float32(want.tensor).tobytes(), (elem, rule, shape)
                if shape[-1] % 2 == 0:
                    back = np.asarray(want.dequantize(to=wide))
                    assert data(got[f"y{i}"], 8 * back.itemsize) == back.tobytes(), (elem, rule, shape)


@pytest.mark.parametrize("block", [(1, 8), (4, 4), (0, 32), (2, 0), (0, 0)])
@pytest.mark.parametrize("rule", ["mx.floor", "fp8.div", "nv.ao"])
def test_blocks(rule: str, block: tuple[int, int]) -> None:
    elem = "e2m1" if rule == "nv.ao" else "e4m3"
    x = sample((2, 10, 70), "f32", finite=True)
    results = ["c", "s", "t"] if has_level(rule) else ["c", "s"]
    sizes = {"block_rows": block[0], "block_cols": block[1]}
    proto = model(
        [
            node("Quantize", ["x"], results, elem=elem, rule=rule, bytes=1, **sizes),
            node("Dequantize", results, ["y"], elem=elem, rule=rule, **sizes),
        ],
        {"x": (TensorProto.FLOAT, [None] * 3)},
        {
            "c": (TensorProto.UINT8, [None] * 3),
            "s": (scale_type(rule, True), [None] * 3),
            "y": (TensorProto.FLOAT, [None] * 3),
        },
    )
    c, s, y = run(proto, {"x": tensor(x, TensorProto.FLOAT)})
    want = pto.quantize(x, elem, rule, block=block)
    assert c.numpy().tobytes() == want.codes.tobytes()
    assert s.numpy().tobytes() == want.scales.tobytes()
    assert y.numpy().tobytes() == np.asarray(want.dequantize()).tobytes()


@pytest.mark.parametrize(
    ("attributes", "arguments"),
    [
        ({"pow2": 1}, {"pow2": True}),
        ({"eps": 0.5}, {"eps": 0.5}),
        ({"eps": 0.0}, {"eps": 0.0}),
    ],
)
def test_modifiers_of_fp8(attributes: dict[str, Any], arguments: dict[str, Any]) -> None:
    x = sample((4, 300), "f32", finite=True)
    x[1] = 0
    proto = model(
        [node("Quantize", ["x"], ["c", "s"], elem="e4m3", rule="fp8.div", **attributes)],
        {"x": (TensorProto.FLOAT, ["n", 300])},
        {"c": (TensorProto.FLOAT8E4M3FN, ["n", 300]), "s": (TensorProto.FLOAT, ["n", 3])},
    )
    c, s = run(proto, {"x": tensor(x, TensorProto.FLOAT)})
    want = pto.quantize(x, "e4m3", "fp8.div", **arguments)
    assert data(c, 8) == want.codes.tobytes()
    assert s.numpy().tobytes() == want.scales.tobytes()


@pytest.mark.parametrize("levels", [1, 2])
def test_a_given_second_level_and_none(levels: int) -> None:
    x = sample((4, 64), "bf16", finite=True)
    inputs, given = {"x": (TensorProto.BFLOAT16, [4, 64])}, {"x": tensor(x, TensorProto.BFLOAT16)}
    if levels == 2:
        inputs["t"], given["t"] = (TensorProto.FLOAT, []), tensor(np.float32(3.5), TensorProto.FLOAT)
    proto = model(
        [node("Quantize", list(inputs), ["c", "s"], elem="e2m1", rule="nv.te", two_level=levels - 1)],
        inputs,
        {"c": (TensorProto.FLOAT4E2M1, [4, 64]), "s": (TensorProto.FLOAT8E4M3FN, [4, 4])},
    )
    c, s = run(proto, given)
    arguments = {"tensor": 3.5} if levels == 2 else {"two_level": False}
    want = pto.quantize(x, "e2m1", "nv.te", **arguments)
    assert data(c, 4) == want.codes.tobytes()
    assert data(s, 8) == want.scales.tobytes()


def test_large_tensors_on_threads() -> None:
    x = floats(1 << 20).reshape(1024, 1024)
    proto = model(
        [node("Quantize", ["x"], ["c", "s"], elem="e4m3", rule="mx.rceil", bytes=1)],
        {"x": (TensorProto.FLOAT, [None, None])},
        {"c": (TensorProto.UINT8, [None, None]), "s": (TensorProto.UINT8, [None, None])},
    )
    want = pto.quantize(x, "e4m3", "mx.rceil")
    for threads in (1, 2, 5):
        c, s = run(proto, {"x": tensor(x, TensorProto.FLOAT)}, threads=threads)
        assert c.numpy().tobytes() == want.codes.tobytes()
        assert s.numpy().tobytes() == want.scales.tobytes()
