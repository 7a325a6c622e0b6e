# SPDX-License-Identifier: MIT
"""Texts, forms and programs."""

from __future__ import annotations

import numpy as np
import pytest

import pto


def test_every_form_runs() -> None:
    """Every listed form is accepted and runs, on codes of every kind."""
    for text in pto.forms("cvt"):
        src = text.split(".")[-1]
        bits = 8 if src.startswith(("e", "ue8", "s2", "ue5")) else 0
        name = src.removesuffix("x2").removesuffix("x4")
        x = np.zeros(8, np.uint8) if bits else np.zeros(8, pto._core.dtype_of(name))
        n = x.size * (2 if name in ("e2m1", "e1m2") else 1)
        rbits = (
            np.zeros(n // (2 if ".f16x2" in text or ".bf16x2" in text else 4), np.uint32) if ".rs." in text else None
        )
        scales = None
        if "scaled" in text:
            scales = np.full(n // 2 if "n1" in text else n, 127, np.uint8)
        y = pto.cvt(text, x, rbits, scales=scales)
        assert y.size in (n, n // 2)


def test_every_keyword_form_is_its_text() -> None:
    rounds, scales = pto._convert._words()
    names, factors = {v: k for k, v in rounds.items()}, {v: k for k, v in scales.items()}
    for text, op, _, _ in pto._core.cvt_forms():
        dst, src, rnd, ftz, sat, satfinite, relu, pzo, scale = pto._core.cvt_fields(op)
        made = pto._core.cvt_op(
            np.zeros(1), src, dst, rounds[names[rnd]], ftz, sat, satfinite, relu, pzo, scales[factors[scale]]
        )
        assert pto._core.cvt_fields(made) == pto._core.cvt_fields(op)
        if text is not None:
            assert pto._core.cvt_fields(pto._core.parse_cvt(text)) == pto._core.cvt_fields(op)
    assert {"rn", "rna", "rz", "rm", "rp", "rs", "rni", "rzi", "rmi", "rpi", ""} == {*rounds}
    assert {"n1", "n2", ""} == {*scales}


def test_composed_pairs() -> None:
    codes = np.arange(256, dtype=np.uint8)
    one = pto.cvt(codes, "f32", src="e4m3")
    np.testing.assert_array_equal(one, pto.cvt("cvt.f32.f16", pto.cvt("cvt.rn.f16x2.e4m3x2", codes)))


def test_forms_of_cvt() -> None:
    ptx = [text for text, _, _, _ in pto._core.cvt_forms() if text is not None]
    assert len(ptx) == len({*ptx}) == len(pto.forms("cvt"))
    assert "cvt.rn.relu.satfinite.pzo.scaled::n1::ue8m0.e4m3x2.bf16x2" in ptx


def test_forms() -> None:
    assert len({*pto.forms("setp")}) == len(pto.forms("setp"))
    assert all(t.startswith("set.") for t in pto.forms("set"))
    assert pto.since("cvt.rn.satfinite.e4m3x2.f32") == (78, "sm_89")
    with pytest.raises(ValueError, match="instruction"):
        pto.forms("add")
    with pytest.raises(ValueError, match="instruction"):
        pto.explain("add.f32")


def test_explanations_are_whole() -> None:
    for text in pto.forms("cvt")[::17] + pto.forms("setp")[::97] + pto.forms("set")[::97]:
        assert "^" not in pto.explain(text)
    assert "^" in pto.explain("setp.lt.ftz.s32")


def test_program_errors() -> None:
    with pytest.raises(ValueError, match="line 2, column"):
        pto.run("mov.u32 a, 1;\nadd.banana b, a, a;")
    with pytest.raises(TypeError, match="no such register"):
        pto.run("mov.u32 a, 1;", z=3)
    with pytest.raises(TypeError, match="x: the register is of type .f32"):
        pto.run("add.f32 y, x, x;", x=np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="x"):
        pto.run("add.f32 y, x, x;")
    with pytest.raises(ValueError, match="language"):
        pto.run("", language="c")


def test_program_of_pto() -> None:
    text = """
%all = pto.pset_b32 "PAT_ALL" : !pto.mask<G>
%zero = pto.vbr %c0 : f32 -> !pto.vreg<64xf32>
%neg = pto.vcmps %x, %c0, %all, "lt" : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>
%y = pto.vsel %zero, %x, %neg
"""
    x = np.random.default_rng(0).standard_normal((7, 11)).astype(np.float32)
    got = pto.run(text, {"%x": x}, c0=0.0)
    np.testing.assert_array_equal(got["%y"], np.maximum(x, 0))
    assert got["%neg"].dtype == bool
    np.testing.assert_array_equal(got["%neg"], x < 0)


def test_program_shapes() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    out = pto.run("add.f32 y, x, x; setp.lt.f32 p, x, y;", x=x[:, ::-1])
    np.testing.assert_array_equal(out["y"], 2 * x[:, ::-1])
    assert out["p"].shape == (3, 4)
    assert pto.run("mov.u32 a, 7;", lanes=3)["a"].tolist() == [7, 7, 7]


def test_program_of_no_lanes() -> None:
    text, none = "add.f32 y, x, z;", np.zeros((3, 0), np.float32)
    assert pto.run(text, x=none, z=1.0)["y"].shape == (3, 0)
    assert pto.run(text, x=none, z=none)["y"].shape == (3, 0)
    assert pto.run(text, x=none, z=none, lanes=0)["y"].size == 0
    for named in ({"z": np.ones(4, np.float32)}, {"z": 1.0, "lanes": 4}):
        with pytest.raises(ValueError, match=r"x: it has no elements, and there are 4 lanes"):
            pto.run(text, x=none, **named)
