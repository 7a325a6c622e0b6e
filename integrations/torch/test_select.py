# SPDX-License-Identifier: MIT
"""Comparisons, minima, maxima and clamps of ``pto.torch.exact`` against definitions in f64, in every form of call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import gpu
import pto.torch
import samples

FLOAT8 = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")
WIDE = ("float64", "float32", "float16", "bfloat16")
COMPARISONS = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def pairs(name: str) -> tuple[Any, Any]:
    """Returns all pairs of codes of a type of 8 bits, or special and random values of a wider one."""
    if name in FLOAT8:
        codes = samples.codes(name)
    else:
        rng = np.random.default_rng(3)
        special = samples.special(name)
        codes = np.concatenate([special, rng.integers(0, 1 << samples.BITS[name], 500, special.dtype, False)])
    a, b = np.meshgrid(codes, codes)
    return gpu.tensor(a.ravel(), name), gpu.tensor(b.ravel(), name)


def values(x: Any) -> np.ndarray:
    """Returns the values of a tensor as f64, which torch converts exactly."""
    return x.double().numpy() if x.dtype != torch.bool else x.numpy()


def extreme(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Returns maximum, minimum, fmax or fmin by definition: +0 is larger than -0."""
    larger = (x > y) | ((x == y) & ~np.signbit(x) & np.signbit(y))
    smaller = (x < y) | ((x == y) & np.signbit(x) & ~np.signbit(y))
    chosen = np.where(larger if name in ("maximum", "fmax") else smaller, x, y)
    if name in ("fmax", "fmin"):
        return np.where(np.isnan(x), y, np.where(np.isnan(y), x, chosen))
    return np.where(np.isnan(x) | np.isnan(y), np.nan, chosen)


def assert_same(got: np.ndarray, expected: np.ndarray) -> None:
    same = (got == expected) & (np.signbit(got) == np.signbit(expected))
    assert (same | (np.isnan(got) & np.isnan(expected))).all()


@pytest.mark.parametrize("name", [*FLOAT8, *WIDE])
def test_comparisons(name: str) -> None:
    a, b = pairs(name)
    x, y = values(a), values(b)
    for cmp, expected in COMPARISONS.items():
        with pto.torch.exact():
            got = getattr(torch, cmp)(a, b)
            scalar = getattr(a, cmp)(1.0)
            out = getattr(torch, cmp)(a, b, out=torch.empty(0, dtype=torch.bool))
        assert np.array_equal(got.numpy(), expected(x, y)), cmp
        assert np.array_equal(scalar.numpy(), expected(x, 1.0)), cmp
        assert torch.equal(got, out)


@pytest.mark.parametrize("name", [*FLOAT8, *WIDE])
def test_extremes_and_clamps(name: str) -> None:
    a, b = pairs(name)
    x, y = values(a), values(b)
    with pto.torch.exact():
        for select in ("maximum", "minimum", "fmax", "fmin"):
            got = getattr(torch, select)(a, b)
            assert got.dtype == a.dtype
            assert_same(values(got), extreme(select, x, y))
        low, high = -1.5, 2.0
        between = extreme("minimum", extreme("maximum", x, np.full_like(x, low)), np.full_like(x, high))
        assert_same(values(a.clamp(low, high)), between)
        assert_same(values(torch.clip(a, max=high)), extreme("minimum", x, np.full_like(x, high)))
        assert_same(values(torch.clamp_min(a, b)), extreme("maximum", x, y))
        reverse = b[torch.arange(len(b) - 1, -1, -1)] if name in WIDE else b.view(torch.uint8).flip(0).view(b.dtype)
        assert_same(values(torch.clamp(a, b, reverse)), extreme("minimum", extreme("maximum", x, y), values(reverse)))
        assert_same(values(a.relu()), extreme("maximum", x, np.zeros_like(x)))
        assert_same(values(torch.nn.functional.hardtanh(a, low, high)), between)
        assert_same(
            values(torch.nn.functional.relu6(a)),
            extreme("minimum", extreme("maximum", x, np.zeros_like(x)), np.full_like(x, 6)),
        )


def test_in_place_and_out() -> None:
    x = torch.tensor([-0.0, 5.0, -7.0, torch.nan])
    with pto.torch.exact():
        y = x.clone()
        assert y.clamp_(0, 3) is y
        assert y.tolist()[:3] == [0.0, 3.0, 0.0]
        assert not torch.signbit(y[0])
        for change in (lambda z: z.clamp_min_(0), lambda z: z.clip_(0), lambda z: z.relu_()):
            y = x.clone()
            assert change(y) is y
            assert not torch.signbit(y[0])
        out = torch.empty(4, dtype=torch.float64)
        assert torch.maximum(x, torch.zeros(4), out=out) is out
        assert not torch.signbit(out[0])
        wide = torch.zeros(4, 2)
        assert torch.clamp(x, min=0.0, out=wide[:, 1]).data_ptr() == wide[:, 1].data_ptr()
        assert wide[1].tolist() == [0.0, 5.0]
        with pytest.raises(RuntimeError, match="can't be cast"):
            torch.maximum(x, x, out=torch.empty(4, dtype=torch.int32))
        with pytest.raises(RuntimeError):
            torch.zeros(2, dtype=torch.int32).clamp_(0.5)
        with pytest.raises(RuntimeError):
            torch.maximum(torch.zeros(2), torch.zeros(3))


@pytest.mark.parametrize("contiguous", [True, False])
def test_shapes_promotion_and_strides(contiguous: bool) -> None:
    """Shape, strides and dtype of results are torch's."""
    base = torch.randn(4, 6, 5)
    a = base if contiguous else base.permute(2, 0, 1)
    others = [a[:1], a[0, :1], torch.tensor(0.5, dtype=torch.float64), a.half(), torch.tensor(3), a.to(torch.int16)]
    calls = [
        *(lambda b=b: torch.maximum(a, b) for b in others),
        *(lambda b=b: torch.fmin(b, a) for b in others),
        lambda: torch.clamp(a, a[:1], a.double()),
        lambda: a.half().clamp(0.1, 0.2),
        lambda: torch.arange(5).clamp(min=1.5),
        lambda: torch.arange(5).clamp(1, 3),
        lambda: torch.where(a > 0, a, a.half()),
        lambda: torch.where(a > 0, a.half(), 0.1),
        lambda: torch.maximum(a[:0], a[:0]),
        lambda: torch.maximum(torch.tensor(1.0), torch.tensor(2.0, dtype=torch.float16)),
        lambda: torch.tensor(2.5).clamp(0, 1),
    ]
    for call in calls:
        expected = call()
        with pto.torch.exact():
            got = call()
        assert (got.dtype, got.shape, got.stride()) == (expected.dtype, expected.shape, expected.stride())
        assert torch.equal(got, expected)


def test_refusals_stay() -> None:
    """What torch refuses on every device, except float8 comparisons and selections, is refused as before."""
    x = torch.ones(4)
    e4m3, e5m2 = x.to(torch.float8_e4m3fn), x.to(torch.float8_e5m2)
    with pto.torch.exact():
        for call in (
            lambda: torch.maximum(e4m3, e5m2),
            lambda: torch.maximum(e4m3, x),
            lambda: e4m3 < e5m2,
            lambda: e4m3 + e4m3,
            lambda: x.to(torch.float4_e2m1fn_x2),
            lambda: x.to(torch.float8_e8m0fnu) < x.to(torch.float8_e8m0fnu),
        ):
            with pytest.raises((RuntimeError, NotImplementedError)):
                call()


def test_dtypes_of_clamps() -> None:
    """hardtanh of integers returns integers, and the type of a clamp follows from all three operands."""
    x = torch.tensor([-3, 0, 3])
    low, high = torch.tensor(1.1, dtype=torch.float16), torch.tensor([2.2], dtype=torch.bfloat16)
    expected = torch.nn.functional.hardtanh(x, -1.5, 1.5), x.clamp(low, high)
    with pto.torch.exact():
        got = torch.nn.functional.hardtanh(x, -1.5, 1.5), x.clamp(low, high)
    assert [y.dtype for y in got] == [y.dtype for y in expected] == [torch.int64, torch.bfloat16]
    assert all(torch.equal(a, b) for a, b in zip(got, expected, strict=True))
