# SPDX-License-Identifier: MIT
"""The operators Cvt and Cast in OpenVINO have the bits of pto.cvt and pto.cast."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from inference import NATIVE, load, read, run, tensor
from models import FORMS, expected, extra_of, floats, model, node, onnx_type, typed, values, words
from onnx import TensorProto, helper

import pto


def kind_of(name: str) -> int:
    """Returns the element type of a tensor that Cvt and Cast return for a type."""
    small = {"e2m1": TensorProto.FLOAT4E2M1, "ue8m0": TensorProto.FLOAT8E8M0}
    return small.get(name) or (onnx_type(name) if name in NATIVE else TensorProto.UINT8)


# The CPU device converts inputs of these types to f32 or s32, which loses values.
LOST = ("f64", "s64", "u64", "u32")


@pytest.mark.parametrize("source", sorted({words(form)[1] for form in FORMS} - {*LOST}))
def test_all_forms(source: str) -> None:
    """Every form of PTX from this type in one model: all values of types of at most 16 bits, else 64 Ki."""
    forms = [form for form in FORMS if words(form)[1] == source]
    x = values(source, 1 << 16)
    count = len(x) * (2 if source == "e2m1" else 1)
    inputs = {"x": (kind_of(source), [None])}
    feeds = {"x": tensor(x, kind_of(source), [count])}
    extras, nodes = [extra_of(form, count) for form in forms], []
    for i, (form, extra) in enumerate(zip(forms, extras, strict=True)):
        if extra is not None:
            kind = TensorProto.INT32 if ".rs" in form else TensorProto.UINT8
            inputs[f"e{i}"], feeds[f"e{i}"] = (kind, [None]), tensor(extra, kind)
        nodes.append(node("Cvt", ["x"] + [f"e{i}"] * (extra is not None), [f"y{i}"], form=form))
    outputs = {f"y{i}": (kind_of(words(form)[0]), [None]) for i, form in enumerate(forms)}
    results = run(model(nodes, inputs, outputs), feeds)
    for form, extra, result in zip(forms, extras, results, strict=True):
        assert result.data == expected(form, typed(x, source), extra), form


MAIN = (
    "cvt.rn.satfinite.e4m3x2.f32",
    "cvt.rn.relu.satfinite.e5m2x2.f32",
    "cvt.rn.satfinite.e2m3x2.f32",
    "cvt.rn.satfinite.e2m1x2.f32",
    "cvt.rz.bf16.f32",
    "cvt.rn.f16.f32",
)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("form", MAIN)
def test_a_million_values(form: str, threads: int) -> None:
    x = floats(1_000_003)
    kinds = TensorProto.FLOAT, kind_of(words(form)[0])
    proto = model([node("Cvt", ["x"], ["y"], form=form)], {"x": (kinds[0], ["n"])}, {"y": (kinds[1], ["n"])})
    result = run(load(proto, threads=threads), {"x": tensor(x, TensorProto.FLOAT)})[0]
    assert result.data == np.ascontiguousarray(pto.cvt(form, x)).tobytes()


SHAPES: list[tuple[int, ...]] = [(), (0,), (1,), (7,), (3, 0), (2, 3, 5), (1, 64, 65)]


@pytest.mark.parametrize("shape", SHAPES)
def test_one_model_takes_all_shapes_of_a_rank(shape: tuple[int, ...]) -> None:
    form = "cvt.rn.satfinite.e4m3x2.f32"
    dynamic = [None] * len(shape)
    proto = model(
        [node("Cvt", ["x"], ["y"], form=form), helper.make_node("Cast", ["y"], ["z"], to=TensorProto.FLOAT)],
        {"x": (TensorProto.FLOAT, dynamic)},
        {"y": (TensorProto.FLOAT8E4M3FN, dynamic), "z": (TensorProto.FLOAT, dynamic)},
    )
    active = load(proto)
    for part in (shape, tuple(2 * size for size in shape)):
        x = floats(int(np.prod(part))).reshape(part)
        y, z = run(active, {"x": tensor(x, TensorProto.FLOAT)})
        assert y.shape == z.shape == part
        want = np.asarray(pto.cvt(form, x.reshape(-1)))
        assert y.data == want.tobytes()
        got = np.frombuffer(z.data, np.float32)
        assert np.array_equal(got, want.astype(np.float32), equal_nan=True)


def test_constants_are_folded() -> None:
    x = floats(64)
    constant = helper.make_tensor("x", TensorProto.FLOAT, [64], x.tobytes(), raw=True)
    proto = model([node("Cvt", ["x"], ["y"], form="cvt.rn.f16.f32")], {}, {"y": (TensorProto.FLOAT16, [64])})
    proto.graph.initializer.append(constant)
    assert run(proto, {})[0].data == pto.cvt("cvt.rn.f16.f32", x).tobytes()


def test_saved_models(tmp_path: Any) -> None:
    """A model that OpenVINO saves as IR has the operators and their attributes."""
    import openvino

    results = ["c", "s", "t"]
    proto = model(
        [
            node("Quantize", ["x"], results, elem="e2m1", rule="nv.te", bytes=1),
            node("Dequantize", results, ["y"], elem="e2m1", rule="nv.te", to="bf16"),
        ],
        {"x": (TensorProto.FLOAT, [None, 64])},
        {"y": (TensorProto.BFLOAT16, [None, 64])},
    )
    core, network = read(proto)
    openvino.save_model(network, tmp_path / "model.xml", compress_to_fp16=False)
    again = core.compile_model(core.read_model(tmp_path / "model.xml"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    x = floats(256).reshape(4, 64)
    x = np.where(np.isfinite(x), x, np.float32(1))
    feeds = {"x": tensor(x, TensorProto.FLOAT)}
    want = np.asarray(pto.quantize(x, "e2m1", "nv.te").dequantize(to="bf16")).tobytes()
    assert run(proto, feeds)[0].data == run(again, feeds)[0].data == want


CAST = [name for name in NATIVE] + ["ue8m0", "e2m3", "hif8", "e4m3fnuz"]


@pytest.mark.parametrize("source", [name for name in CAST if name not in LOST])
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
    outputs = {f"y{i}": (kind_of(target), [None]) for i, (target, _, _) in enumerate(cases)}
    results = run(model(nodes, {"x": (kind_of(source), [None])}, outputs), {"x": tensor(x, kind_of(source))})
    for (target, rounding, overflow), result in zip(cases, results, strict=True):
        want = pto.cast(typed(x, source), target, src=source, round=rounding, overflow=overflow)
        assert result.data == np.ascontiguousarray(want).tobytes(), (target, rounding, overflow)
