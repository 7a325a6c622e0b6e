# SPDX-License-Identifier: MIT
"""Illegal nodes are reported when a model is read, wrong sizes when it runs."""

from __future__ import annotations

import concurrent.futures
from typing import Any

import numpy as np
import pytest
from inference import load, read, run, tensor
from models import floats, model, node
from onnx import TensorProto

import pto

F32, U8, E4M3 = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.FLOAT8E4M3FN


@pytest.mark.parametrize(
    ("kind", "source", "attributes", "message"),
    [
        ("Cvt", F32, {"form": "cvt.rn.e4m3x2.f32"}, "needs .satfinite.*PTO_ERR_MODIFIER"),
        ("Cvt", F32, {"form": "rubbish"}, "form: rubbish: .*PTO_ERR_PARSE"),
        ("Cvt", F32, {}, "form: the attribute is missing.*PTO_ERR_PARSE"),
        ("Cvt", F32, {"form": "cvt" + 99 * ".rn"}, "form: the text is too long.*PTO_ERR_PARSE"),
        ("Cvt", F32, {"form": "cvt.rn.satfinite.e4m3x2.f16x2"}, "the first input is f32, not f16.*PTO_ERR_TYPE"),
        ("Cvt", F32, {"form": "cvt.rs.satfinite.e4m3x4.f32"}, "needs a second input.*PTO_ERR_MODIFIER"),
        ("Cast", F32, {"to": "float8"}, "to: float8 is not a type.*PTO_ERR_PARSE"),
        ("Cast", F32, {"to": "bfp8"}, "there is no cast from f32 to bfp8.*PTO_ERR_TYPE"),
        ("Cast", F32, {"to": "e4m3", "round": "up"}, "round: one of rn.*PTO_ERR_MODIFIER"),
        ("Cast", TensorProto.BOOL, {"to": "e4m3"}, "libpto does not have.*PTO_ERR_TYPE"),
        ("Quantize", F32, {"elem": "e4m3", "rule": "mx.ocp"}, "rule: mx.ocp is not a rule.*PTO_ERR_PARSE"),
        ("Quantize", F32, {"elem": "f64", "rule": "mx.floor"}, "does not take elements of f64.*PTO_ERR_TYPE"),
        ("Quantize", TensorProto.DOUBLE, {"elem": "e4m3", "rule": "mx.floor"}, "the first input is f64.*PTO_ERR_TYPE"),
        ("Dequantize", U8, {"elem": "e4m3", "rule": "mx.floor"}, "1 inputs.*PTO_ERR_NULL"),
    ],
)
def test_illegal_nodes(kind: str, source: int, attributes: dict[str, Any], message: str) -> None:
    names = ["c", "s"] if kind == "Quantize" else ["c"]
    nodes = [node(kind, ["x"], names, **attributes)]
    proto = model(nodes, {"x": (source, [4, 64])}, {name: (U8, [None, None]) for name in names})
    with pytest.raises(RuntimeError, match=message):
        read(proto)


def dequantization(codes: list[Any], scales: list[Any]) -> Any:
    nodes = [node("Dequantize", ["c", "s"], ["y"], elem="e4m3", rule="mx.floor")]
    return model(nodes, {"c": (U8, codes), "s": (U8, scales)}, {"y": (F32, [None, None])})


def test_wrong_sizes() -> None:
    feeds = {"c": tensor(np.zeros((4, 64), np.uint8), U8), "s": tensor(np.zeros((4, 3), np.uint8), U8)}
    with pytest.raises(RuntimeError, match=r"dimension 1 of the scales is 3, not 2 \(PTO_ERR_SIZE\)"):
        run(dequantization([None, None], [None, None]), feeds)


def test_wrong_sizes_that_are_known() -> None:
    with pytest.raises(RuntimeError, match=r"dimension 1 of the scales is 3, not 2 \(PTO_ERR_SIZE\)"):
        read(dequantization([4, 64], [4, 3]))


@pytest.mark.parametrize("kind", [TensorProto.DOUBLE, TensorProto.INT64, TensorProto.UINT32])
def test_inputs_that_the_device_converts(kind: int) -> None:
    proto = model([node("Cast", ["x"], ["y"], to="f16")], {"x": (kind, [4])}, {"y": (TensorProto.FLOAT16, [4])})
    with pytest.raises(RuntimeError, match=r"the device converts inputs of .* which loses values \(PTO_ERR_TYPE\)"):
        load(proto)


def test_requests_on_several_threads() -> None:
    """Kernels have no state, so requests of one model may run at the same time."""
    form = "cvt.rn.satfinite.e4m3x2.f32"
    proto = model([node("Cvt", ["x"], ["y"], form=form)], {"x": (F32, ["n"])}, {"y": (E4M3, ["n"])})
    shared = load(proto, threads=2)
    x = floats(200_000)
    want = np.asarray(pto.cvt(form, x)).tobytes()

    def work(_: int) -> bool:
        return all(run(shared, {"x": tensor(x, F32)})[0].data == want for _ in range(20))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))
