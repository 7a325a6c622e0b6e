# SPDX-License-Identifier: MIT
"""The operators Cvt and Cast in ONNX Runtime have the bits of pto.cvt and pto.cast."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from common import data, run, session, tensor
from models import BYTES, FORMS, ONNX, expected, extra_of, floats, model, node, onnx_type, typed, values, words
from onnx import TensorProto, helper

import pto


@pytest.mark.parametrize("source", sorted({words(form)[1] for form in FORMS}))
def test_all_forms(source: str) -> None:
    """Every form of PTX from this type in one model: all values of types of at most 16 bits, else 64 Ki."""
    forms = [form for form in FORMS if words(form)[1] == source]
    x = values(source, 1 << 16)
    count = len(x) * (2 if source == "e2m1" else 1)
    extras = {form: extra_of(form, count) for form in forms}
    inputs = {"x": (onnx_type(source), [None])}
    feeds = {"x": tensor_of_codes(x, source)}
    nodes = []
    for i, form in enumerate(forms):
        names = ["x"]
        if extras[form] is not None:
            names.append(f"e{i}")
            kind = TensorProto.UINT32 if ".rs" in form else TensorProto.UINT8
            inputs[f"e{i}"] = (kind, [None])
            feeds[f"e{i}"] = tensor(extras[form], kind)
        nodes.append(node("Cvt", names, [f"y{i}"], form=form))
    outputs = {f"y{i}": (onnx_type(words(form)[0]), [None]) for i, form in enumerate(forms)}
    results = run(model(nodes, inputs, outputs), feeds)
    operand = typed(x, source)
    for form, result in zip(forms, results, strict=True):
        bits = {"e2m1": 4}.get(words(form)[0], 8 * np.dtype(ONNX.get(words(form)[0], BYTES)[1]).itemsize)
        assert data(result, bits) == expected(form, operand, extras[form]), form


def tensor_of_codes(x: Any, name: str) -> Any:
    """Returns codes as a tensor. A tensor of e2m1 has two elements in a byte."""
    if name != "e2m1":
        return tensor(x, onnx_type(name))
    return run(
        model(
            [node("Cast", ["x"], ["y"], to="e2m1", **{"from": "e2m1"})],
            {"x": (TensorProto.UINT8, [None])},
            {"y": (TensorProto.FLOAT4E2M1, [None])},
        ),
        {"x": tensor(x, TensorProto.UINT8)},
    )[0]


MAIN = (
    "cvt.rn.satfinite.e4m3x2.f32",
    "cvt.rn.relu.satfinite.e5m2x2.f32",
    "cvt.rn.satfinite.e2m3x2.f32",
    "cvt.rn.satfinite.e2m1x2.f32",
    "cvt.rp.satfinite.ue8m0x2.f32",
    "cvt.rz.bf16.f32",
    "cvt.rn.f16.f32",
    "cvt.rzi.ftz.s32.f32",
)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("form", MAIN)
def test_a_million_values(form: str, threads: int) -> None:
    x = floats(1_000_003)
    target = words(form)[0]
    proto = model(
        [node("Cvt", ["x"], ["y"], form=form)],
        {"x": (TensorProto.FLOAT, ["n"])},
        {"y": (onnx_type(target), ["n"])},
    )
    result = run(proto, {"x": tensor(x, TensorProto.FLOAT)}, threads=threads)[0]
    bits = {"e2m1": 4}.get(target, 8 * np.dtype(ONNX.get(target, BYTES)[1]).itemsize)
    assert data(result, bits) == np.ascontiguousarray(pto.cvt(form, x)).tobytes()


SHAPES: list[tuple[int, ...]] = [(), (0,), (1,), (7,), (3, 0), (2, 3, 5), (1, 64, 65)]


@pytest.mark.parametrize("shape", SHAPES)
def test_one_session_takes_all_shapes_of_a_rank(shape: tuple[int, ...]) -> None:
    form = "cvt.rn.satfinite.e4m3x2.f32"
    dynamic = [f"d{i}" for i in range(len(shape))]
    proto = model(
        [node("Cvt", ["x"], ["y"], form=form), helper.make_node("Cast", ["y"], ["z"], to=TensorProto.FLOAT)],
        {"x": (TensorProto.FLOAT, dynamic)},
        {"y": (TensorProto.FLOAT8E4M3FN, dynamic), "z": (TensorProto.FLOAT, dynamic)},
    )
    active = session(proto)
    for part in (shape, tuple(2 * size for size in shape)):
        x = floats(int(np.prod(part))).reshape(part)
        y, z = run(active, {"x": tensor(x, TensorProto.FLOAT)})
        assert tuple(y.shape()) == tuple(z.shape()) == part
        want = np.asarray(pto.cvt(form, x.reshape(-1)))
        assert data(y, 8) == want.tobytes()
        assert np.array_equal(z.numpy().reshape(-1), want.astype(np.float32), equal_nan=True)


@pytest.mark.parametrize("dimension", [None, "n", 6])
def test_unknown_and_known_dimensions(dimension: Any) -> None:
    proto = model(
        [node("Cvt", ["x"], ["y"], form="cvt.rn.f16.f32"), node("Cvt", ["y"], ["z"], form="cvt.f32.f16")],
        {"x": (TensorProto.FLOAT, [dimension, 3])},
        {"z": (TensorProto.FLOAT, [dimension, 3])},
    )
    x = floats(18).reshape(6, 3)
    z = run(proto, {"x": tensor(x, TensorProto.FLOAT)})[0].numpy()
    assert np.array_equal(z.view(np.uint32), pto.cvt("cvt.f32.f16", pto.cvt("cvt.rn.f16.f32", x)).view(np.uint32))


def test_a_tensor_whose_number_of_dimensions_is_unknown() -> None:
    proto = model(
        [node("Cvt", ["x"], ["y"], form="cvt.rn.f16.f32"), node("Cvt", ["y"], ["z"], form="cvt.f32.f16")],
        {"x": (TensorProto.FLOAT, None)},
        {"z": (TensorProto.FLOAT, None)},
    )
    x = floats(4096).reshape(64, 64)
    z = run(proto, {"x": tensor(x, TensorProto.FLOAT)})[0].numpy()
    assert np.array_equal(z.view(np.uint32), pto.cvt("cvt.f32.f16", pto.cvt("cvt.rn.f16.f32", x)).view(np.uint32))


@pytest.mark.parametrize("cols", [1, 5, 6])
@pytest.mark.parametrize("rows", [1, 3])
def test_codes_of_four_bits_as_bytes(rows: int, cols: int) -> None:
    x = floats(rows * cols).reshape(rows, cols)
    proto = model(
        [
            node("Cvt", ["x"], ["y"], form="cvt.rn.satfinite.e2m1x2.f32", bytes=1),
            node("Cvt", ["y"], ["z"], form="cvt.rn.f16x2.e2m1x2"),
        ],
        {"x": (TensorProto.FLOAT, [None, None])},
        {"y": (TensorProto.UINT8, [None, None]), "z": (TensorProto.FLOAT16, [None, None])},
    )
    y, z = run(proto, {"x": tensor(x, TensorProto.FLOAT)})
    want = pto.cvt("cvt.rn.satfinite.e2m1x2.f32", x)
    assert np.array_equal(y.numpy(), want)
    assert np.array_equal(z.numpy(), pto.cvt("cvt.rn.f16x2.e2m1x2", want))


CAST = [name for name in ONNX if name not in ("u4", "s4", "e2m1")] + ["ue8m0", "e2m3", "hif8"]


@pytest.mark.parametrize("source", CAST)
def test_cast(source: str) -> None:
    """pto.Cast between all pairs of types, in one rounding and overflow each, in turn."""
    x = values(source, 1 << 16)
    cases = []
    for i, target in enumerate([*CAST, "e2m1", "s4"]):
        rounding = ("rn", "rz", "rna", "rm", "rp", "ro")[i % 6]
        cases.append((target, rounding, ("ieee", "saturate", "saturate_finite")[i % 3]))
    nodes = [
        node("Cast", ["x"], [f"y{i}"], to=target, round=rounding, overflow=overflow, **{"from": source})
        for i, (target, rounding, overflow) in enumerate(cases)
    ]
    outputs = {f"y{i}": (onnx_type(target), [None]) for i, (target, _, _) in enumerate(cases)}
    proto = model(nodes, {"x": (onnx_type(source), [None])}, outputs)
    results = run(proto, {"x": tensor(x, onnx_type(source))})
    for (target, rounding, overflow), result in zip(cases, results, strict=True):
        bits = 4 if target in ("e2m1", "s4") else 8 * np.dtype(ONNX.get(target, BYTES)[1]).itemsize
        want = pto.cast(typed(x, source), target, src=source, round=rounding, overflow=overflow)
        assert data(result, bits) == np.ascontiguousarray(want).tobytes(), (target, rounding, overflow)
