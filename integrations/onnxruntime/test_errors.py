# SPDX-License-Identifier: MIT
"""Illegal nodes are reported when a model is loaded, wrong sizes when it runs."""

from __future__ import annotations

import concurrent.futures
from typing import Any

import numpy as np
import pytest
from common import run, session, tensor
from models import floats, model, node
from onnx import TensorProto

import pto

F32, F16, U8, E4M3 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.UINT8, TensorProto.FLOAT8E4M3FN


@pytest.mark.parametrize(
    ("kind", "source", "target", "attributes", "message"),
    [
        ("Cvt", F32, E4M3, {"form": "cvt.rn.e4m3x2.f32"}, "needs .satfinite.*PTO_ERR_MODIFIER"),
        ("Cvt", F32, E4M3, {"form": "cvt.rn.satfinit.e4m3x2.f32"}, "satfinit.*PTO_ERR_PARSE"),
        ("Cvt", F32, E4M3, {"form": "cvt.rn.satfinite.e4m3x2.f16x2"}, "the first input is f32, not f16.*PTO_ERR_TYPE"),
        ("Cvt", F32, F32, {}, "form: the attribute is missing.*PTO_ERR_PARSE"),
        ("Cvt", F32, F32, {"form": "cvt" + 99 * ".rn"}, "form: the text is too long.*PTO_ERR_PARSE"),
        ("Cvt", F32, E4M3, {"form": "cvt.rs.satfinite.e4m3x4.f32"}, "needs a second input.*PTO_ERR_MODIFIER"),
        ("Cvt", TensorProto.STRING, E4M3, {"form": "cvt.rn.satfinite.e4m3x2.f32"}, "libpto does not have"),
        ("Cast", F32, F32, {"to": "float8"}, "to: float8 is not a type.*PTO_ERR_PARSE"),
        ("Cast", F32, F32, {}, "to: the attribute is missing"),
        ("Cast", F32, E4M3, {"to": "e4m3", "round": "up"}, "round: one of rn.*PTO_ERR_MODIFIER"),
        ("Cast", F32, E4M3, {"to": "e4m3", "overflow": "wrap"}, "overflow: one of ieee.*PTO_ERR_MODIFIER"),
        ("Cast", F32, U8, {"to": "bfp8"}, "there is no cast from f32 to bfp8.*PTO_ERR_TYPE"),
        ("Cast", F32, E4M3, {"to": "e4m3", "from": "f16"}, "the first input is f32, not f16"),
        ("Cast", TensorProto.BOOL, E4M3, {"to": "e4m3"}, "libpto does not have"),
    ],
)
def test_illegal_conversions(kind: str, source: int, target: int, attributes: dict[str, Any], message: str) -> None:
    proto = model([node(kind, ["x"], ["y"], **attributes)], {"x": (source, [4])}, {"y": (target, [4])})
    with pytest.raises(Exception, match=message):
        session(proto)


@pytest.mark.parametrize(
    ("source", "attributes", "message"),
    [
        (F32, {"elem": "e4m3", "rule": "mx.ocp"}, "rule: mx.ocp is not a rule.*PTO_ERR_PARSE"),
        (F32, {"elem": "e4m3"}, "rule: the attribute is missing"),
        (F32, {"rule": "mx.floor"}, "elem: the attribute is missing"),
        (F32, {"elem": "f64", "rule": "mx.floor"}, "does not take elements of f64.*PTO_ERR_TYPE"),
        (TensorProto.DOUBLE, {"elem": "e4m3", "rule": "mx.floor"}, "the first input is f64.*PTO_ERR_TYPE"),
        (F32, {"elem": "e4m3", "rule": "mx.floor", "eps": -0.5}, "eps: it must be at least 0"),
        (F32, {"elem": "e4m3", "rule": "mx.floor", "eps": 1}, "eps: the attribute must be a float.*PTO_ERR_TYPE"),
        (F32, {"elem": "e4m3", "rule": "mx.floor", "block_cols": 64.0}, "block_cols: the attribute must be an integer"),
        (F32, {"elem": 4, "rule": "mx.floor"}, "elem: the attribute must be a text|Type Error"),
        (F32, {"elem": "e4m3", "rule": "mx.floor", "pow2": 1}, "does not take this block, pow2.*PTO_ERR_MODIFIER"),
        (F32, {"elem": "e4m3", "rule": "mx.floor", "block_cols": -5}, "block_cols: it must not be negative"),
        (F32, {"elem": "e4m3", "rule": "bfp.tt", "block_cols": 32}, "PTO_ERR_(TYPE|MODIFIER)"),
    ],
)
def test_illegal_rules(source: int, attributes: dict[str, Any], message: str) -> None:
    codes = {None: F32, "f64": TensorProto.DOUBLE}.get(attributes.get("elem"), E4M3)
    outputs = {"c": (codes, [4, 64]), "s": (U8, [4, 2])}
    proto = model([node("Quantize", ["x"], ["c", "s"], **attributes)], {"x": (source, [4, 64])}, outputs)
    with pytest.raises(Exception, match=message):
        session(proto)


def test_a_missing_second_level() -> None:
    inputs = {"c": (U8, [4, 32]), "s": (U8, [4, 4])}
    proto = model([node("Dequantize", ["c", "s"], ["y"], elem="e2m1", rule="nv.te")], inputs, {"y": (F32, [4, 64])})
    with pytest.raises(Exception, match=r"has two levels.*PTO_ERR_MODIFIER"):
        session(proto)


def test_wrong_sizes() -> None:
    inputs = {"c": (U8, [None, None]), "s": (U8, [None, None])}
    proto = model(
        [node("Dequantize", ["c", "s"], ["y"], elem="e4m3", rule="mx.floor")], inputs, {"y": (F32, [None, None])}
    )
    c = tensor(np.zeros((4, 64), np.uint8), U8)
    with pytest.raises(Exception, match=r"dimension 1 of the scales is 3, not 2 \(PTO_ERR_SIZE\)"):
        run(proto, {"c": c, "s": tensor(np.zeros((4, 3), np.uint8), U8)})
    form = "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32"
    inputs = {"x": (F32, [None]), "e": (U8, [None])}
    proto = model([node("Cvt", ["x", "e"], ["y"], form=form)], inputs, {"y": (E4M3, [None])})
    with pytest.raises(Exception, match=r"the second input has 3 elements, not 8 \(PTO_ERR_SIZE\)"):
        run(proto, {"x": tensor(floats(16), F32), "e": tensor(np.zeros(3, np.uint8), U8)})


def test_an_odd_row_of_codes_of_four_bits() -> None:
    attributes = {"elem": "e2m1", "rule": "mx.floor"}
    outputs = {"c": (TensorProto.FLOAT4E2M1, [None, None]), "s": (U8, [None, None])}
    proto = model([node("Quantize", ["x"], ["c", "s"], **attributes)], {"x": (F32, [None, None])}, outputs)
    with pytest.raises(Exception, match=r"does not fill bytes: use bytes=1 \(PTO_ERR_SIZE\)"):
        run(proto, {"x": tensor(floats(15).reshape(3, 5), F32)})


def test_sessions_on_several_threads() -> None:
    """Kernels have no state, so calls of one session and registrations may run at the same time."""
    form = "cvt.rn.satfinite.e4m3x2.f32"
    proto = model([node("Cvt", ["x"], ["y"], form=form)], {"x": (F32, ["n"])}, {"y": (E4M3, ["n"])})
    shared = session(proto, threads=2)
    x = floats(200_000)
    want = np.asarray(pto.cvt(form, x)).tobytes()

    def work(k: int) -> bool:
        active = shared if k % 2 else session(proto, threads=2)
        return all(run(active, {"x": tensor(x, F32)})[0].numpy().tobytes() == want for _ in range(20))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))
