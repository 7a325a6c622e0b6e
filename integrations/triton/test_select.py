# SPDX-License-Identifier: MIT
"""Comparisons, minima and maxima of Triton's interpreter with pto.triton against their definition in f64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton", reason="Triton is not installed: pto.triton is not tested")

import pto.triton
from oracle import DTYPES, every_code, interpreter, language, tensor, width, wrong

COMPARISONS = {
    "less_than": np.less,
    "less_equal": np.less_equal,
    "greater_than": np.greater,
    "greater_equal": np.greater_equal,
    "equal": np.equal,
    "not_equal": np.not_equal,
}


@pytest.fixture(autouse=True)
def _exact() -> Any:
    with pto.triton.exact():
        yield


def pairs(name: str) -> tuple[Any, Any]:
    """Returns all pairs of an 8-bit type, or special and random values of another against each other."""
    if width(name) == 8:
        codes = every_code(name)
    else:
        chosen = [0.0, -0.0, 1.0, -1.0, 65504.0, np.inf, -np.inf, np.nan, -np.nan, 6e-8, -6e-8]
        random = np.random.default_rng(1).integers(0, 1 << width(name), 501, np.uint64).astype(f"u{width(name) // 8}")
        codes = np.concatenate([np.array(chosen).astype(DTYPES[name]), random.view(DTYPES[name])])
    return np.repeat(codes, len(codes)), np.tile(codes, len(codes))


def model(x: Any, y: Any, largest: bool, propagate: bool) -> Any:
    """Returns the larger or smaller of f64 values: +0 is larger than -0, and a NaN is ignored or propagated."""
    before = np.where(x == y, np.signbit(x) & ~np.signbit(y), x < y)
    z = np.where(before == largest, y, x)
    z = np.where(np.isnan(x), y, np.where(np.isnan(y), x, z))
    return np.where(np.isnan(x) | np.isnan(y), np.nan, z) if propagate else z


@pytest.mark.parametrize("operation", COMPARISONS)
@pytest.mark.parametrize("name", DTYPES)
def test_comparisons(name: str, operation: str) -> None:
    x, y = pairs(name)
    with language():
        got = getattr(interpreter.interpreter_semantic, operation)(tensor(x, name), tensor(y, name)).handle
    assert got.dtype is interpreter.tl.int1
    assert np.array_equal(got.data, COMPARISONS[operation](x.astype(np.float64), y.astype(np.float64)))


@pytest.mark.parametrize("operation", pto.triton._COMPARISONS)
def test_the_builder_has_ordered_and_unordered_comparisons(operation: str) -> None:
    x, y = pairs("bf16")
    with language():
        a, b = tensor(x, "bf16").handle, tensor(y, "bf16").handle
        got = getattr(interpreter.interpreter_builder, operation)(a, b).data
    name = {"LT": "less", "LE": "less_equal", "GT": "greater", "GE": "greater_equal", "EQ": "equal", "NE": "not_equal"}
    a, b = x.astype(np.float64), y.astype(np.float64)
    unordered = np.isnan(a) | np.isnan(b)
    want = getattr(np, name[operation[-2:]])(a, b)
    assert np.array_equal(got, want | unordered if operation[-3] == "U" else want & ~unordered)


@pytest.mark.parametrize("propagate", [False, True])
@pytest.mark.parametrize("operation", ["minimum", "maximum", "clamp"])
@pytest.mark.parametrize("name", DTYPES)
def test_minima_and_maxima(name: str, operation: str, propagate: bool) -> None:
    x, y = pairs(name)
    option = interpreter.tl.PropagateNan.ALL if propagate else interpreter.tl.PropagateNan.NONE
    with language():
        semantic, a, b = interpreter.interpreter_semantic, tensor(x, name), tensor(y, name)
        if operation == "clamp":
            got = semantic.clamp(a, b, tensor(np.ones_like(y), name), option).handle
        else:
            got = getattr(semantic, operation)(a, b, option).handle
    want = model(x.astype(np.float64), y.astype(np.float64), operation != "minimum", propagate)
    if operation == "clamp":
        want = model(want, np.ones(len(want)), False, propagate)
    assert np.count_nonzero(wrong(got.data, want.astype(DTYPES[name]))) == 0


@pytest.mark.parametrize("keep_dims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, 2])
@pytest.mark.parametrize("name", DTYPES)
def test_reductions(name: str, axis: int | None, keep_dims: bool) -> None:
    rng = np.random.default_rng(1)
    x = rng.choice(pairs(name)[0], (4, 8, 2)).copy()
    x[0], x[:, 0], x[:, :, 0] = DTYPES[name](np.nan), DTYPES[name](-0.0), DTYPES[name](np.nan)
    standard = interpreter.tl.standard
    for combine, largest in ((standard._elementwise_max, True), (standard._elementwise_min, False)):
        with language():
            got = interpreter.ReduceOps(axis, combine, keep_dims).apply(tensor(x, name)).handle.data
        wide = np.moveaxis(x.astype(np.float64), axis, 0) if axis is not None else x.astype(np.float64).reshape(-1)
        want = wide[0]
        for row in wide[1:]:
            want = model(want, row, largest, False)
        shape = [1 if axis is None or i == axis else n for i, n in enumerate(x.shape)] if keep_dims else np.shape(want)
        assert got.shape == (tuple(shape) or (1,))
        assert np.count_nonzero(wrong(got.reshape(-1), want.astype(DTYPES[name]).reshape(-1))) == 0


def test_indices_are_as_before() -> None:
    x = np.array([3, np.nan, 7, 7], np.float32)
    with language():
        reduce = interpreter.ReduceOps(0, interpreter.tl.standard._argmax_combine_tie_break_left, False)
        value, index = reduce.apply((tensor(x, "fp32"), tensor(np.arange(4, dtype=np.int32), "int32")))
    assert (value.handle.data[0], index.handle.data[0]) == (7, 2)


def test_integers_are_as_before() -> None:
    x, y = np.array([-1, 2], np.int32), np.array([1, -2], np.int32)
    with language():
        a, b = tensor(x, "int32"), tensor(y, "int32")
        semantic, none = interpreter.interpreter_semantic, interpreter.tl.PropagateNan.NONE
        assert semantic.less_than(a, b).handle.data.tolist() == [True, False]
        assert semantic.maximum(a, b, none).handle.data.tolist() == [1, 2]
        assert interpreter.ReduceOps(0, interpreter.tl.standard._elementwise_max, False).apply(a).handle.data == [2]


def test_a_wrong_maximum_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pto.triton.uninstall()
    monkeypatch.setattr(pto.triton, "vmax", pto.triton.vmin)
    pto.triton.install()
    x, y = pairs("fp32")
    with language():
        none = interpreter.tl.PropagateNan.NONE
        got = interpreter.interpreter_semantic.maximum(tensor(x, "fp32"), tensor(y, "fp32"), none)
    want = np.fmax(x, y)
    assert np.count_nonzero(wrong(got.handle.data, want)) > 99
