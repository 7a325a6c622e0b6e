# SPDX-License-Identifier: MIT
"""Numbers that are passed with arrays are rounded once, to nearest even. The oracle is exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pto

# Significand bits, the exponent of the smallest subnormal, the largest finite value, and the result of an overflow.
FORMATS: dict[str, tuple[int, int, Fraction, float | None]] = {
    "f64": (53, -1074, Fraction(np.finfo(np.float64).max), math.inf),
    "f32": (24, -149, Fraction(float(np.finfo(np.float32).max)), math.inf),
    "f16": (11, -24, Fraction(65504), math.inf),
    "bf16": (8, -133, Fraction(float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)), math.inf),
    "e4m3": (4, -9, Fraction(448), math.nan),
    "e5m2": (3, -16, Fraction(57344), math.inf),
    "e2m3": (4, -3, Fraction(15, 2), None),
    "e3m2": (3, -4, Fraction(28), None),
    "e4m3fnuz": (4, -10, Fraction(240), math.nan),
    "e5m2fnuz": (3, -17, Fraction(57344), math.nan),
    "e4m3b11fnuz": (4, -13, Fraction(30), math.nan),
    "e4m3ieee": (4, -9, Fraction(240), math.inf),
    "e3m4": (5, -6, Fraction(31, 2), math.inf),
    "binary8p3se": (3, -17, Fraction(49152), math.inf),
    "binary8p4se": (4, -10, Fraction(224), math.inf),
}


def rounded(x: Fraction, name: str) -> float:
    """Returns x rounded to a format, to nearest even."""
    bits, least, largest, beyond = FORMATS[name]
    if x == 0:
        return 0.0
    exponent = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    step = Fraction(2) ** max(exponent - bits + 1, least)
    near = round(x / step) * step  # Python rounds a Fraction to the even integer
    if abs(near) <= largest:
        return float(near)
    return math.copysign(float(largest) if beyond is None else beyond, x)


def made(x: Any, name: str) -> float:
    """Returns the value to which a call converts x."""
    code = pto._core.number(x, name, "x")
    if name.startswith("binary8"):  # their dtype is uint8
        return float(pto.cast(code, "f64", src=name))
    wide = np.asarray(code).astype(np.float64) if name != "tf32" else code
    return float(wide)


def check(x: Any, exact: Fraction, name: str) -> None:
    want, got = rounded(exact, name), made(x, name)
    assert got == want or (math.isnan(got) and math.isnan(want)), (x, name, got, want)


def near_ties(name: str) -> st.SearchStrategy[float]:
    """Draws floats close to a tie, for which double rounding gives another result, and other floats."""
    bits, least = FORMATS[name][:2]
    some = st.tuples(
        st.integers(1 << (bits - 1), (1 << bits) - 1),
        st.integers(least, 12 if name.startswith("e") else 15),
        st.sampled_from([0, 2.0**-20, -(2.0**-20), 2.0**-35, -(2.0**-35), 2.0**-44, -(2.0**-44)]),
        st.sampled_from([1, -1]),
    )
    return some.map(lambda t: t[3] * math.ldexp(t[0] + 0.5 + t[2], t[1]))


@pytest.mark.parametrize("name", [n for n in FORMATS if n != "f64"])
@given(data=st.data())
def test_floats(name: str, data: st.DataObject) -> None:
    x = data.draw(st.one_of(near_ties(name), st.floats(allow_nan=False, allow_infinity=False)))
    check(x, Fraction(x), name)
    assert np.asarray(pto._core.number([x, 1.0], name, "x"))[0:1].tobytes() == pto._core.number(x, name, "x").tobytes()


@pytest.mark.parametrize("name", FORMATS)
@given(x=st.one_of(st.integers(-(1 << 200), 1 << 200), st.integers(-(1 << 70), 1 << 70), st.integers(-70000, 70000)))
def test_integers(name: str, x: int) -> None:
    check(x, Fraction(x), name)


@pytest.mark.parametrize("name", FORMATS)
def test_integers_beside_ties(name: str) -> None:
    bits = FORMATS[name][0]
    for shift in (1, 20, 40, 60, 64, 100):
        for top in ((1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) + 1):
            tie = (2 * top + 1) << (shift - 1)
            for x in (tie - 1, tie, tie + 1, -tie - 1):
                check(x, Fraction(x), name)


def test_special_values() -> None:
    for name in ("f64", "f32", "f16", "bf16", "e5m2"):
        assert made(math.inf, name) == math.inf
        assert made(-math.inf, name) == -math.inf
        assert made(10**400, name) == math.inf
        assert math.isnan(made(math.nan, name))
        assert math.copysign(1, made(-0.0, name)) == -1
    assert math.isnan(made(math.inf, "e4m3"))
    assert math.isnan(made(465, "e4m3"))
    assert made(464, "e4m3") == 448
    assert made(True, "f16") == 1


@pytest.mark.parametrize("name", ["f16", "bf16", "e4m3", "e5m2", "e2m3", "e3m2"])
def test_as_ml_dtypes_of_what_f32_holds(name: str) -> None:
    """Values that f32 represents exactly are also rounded once by NumPy and ml_dtypes."""
    bits = np.random.default_rng(1).integers(0, 1 << 32, 20000, dtype=np.uint32)
    x = bits.view(np.float32)
    x = x[np.isfinite(x)] if name not in ("e2m3", "e3m2") else x[np.abs(x) <= 28]
    got = np.asarray(pto._core.number(x.tolist(), name, "x"))
    with np.errstate(all="ignore"):
        want = x.astype(got.dtype)
    np.testing.assert_array_equal(got.astype(np.float32), want.astype(np.float32))


def test_calls_take_such_numbers() -> None:
    """1.00390625 is a tie of bf16; a slightly larger number rounds up."""
    x, number, up = np.zeros(1, ml_dtypes.bfloat16), 1.003906251, 1.0078125
    assert float(pto.vmax(x, number)[0]) == up
    assert float(pto.vmin(x + 9, [number])[0]) == up
    assert float(pto.vsel(x, number, np.array([False]))[0]) == up
    assert float(pto.vselr(x, number, np.array([True]))[0]) == up
    assert float(pto.vclamp(x, number, 9)[0]) == up
    assert float(pto.vcmpsel(x, 0, "eq", number, 0)[0]) == up
    assert float(pto.cvt(number, "f32", src="bf16")) == up
    assert pto.vcmp(x + np.float32(up).astype(x.dtype), number, "eq")[0]
    assert float(pto.run("max.bf16 z, x, y;", x=x, y=number)["z"][0]) == up
    half = np.zeros(1, np.float16)
    assert float(pto.vmax(half, 1.00048828126)[0]) == 1.0009765625
    single = np.zeros(1, np.float32)
    big = (1 << 60) + (1 << 36) + 1
    assert pto.vmax(single, big)[0] == np.float32((1 << 60) + (1 << 37))
    assert pto.vmax(single, [big, 0.5])[0] == np.float32((1 << 60) + (1 << 37))
    if np.finfo(np.longdouble).nmant > 52:
        wide = np.longdouble(1) + np.longdouble(2) ** -24 + np.longdouble(2) ** -60
        assert pto.vmax(single, [wide])[0] == 1 + 2.0**-23


@pytest.mark.parametrize("name", ["e4m3fnuz", "binary8p3se"])
def test_whole_numbers_are_values(name: str) -> None:
    """A number is a value, not a code, also of types without a dtype."""
    codes = pto.cast(np.float32([1, 2]), name).view(np.uint8)
    assert pto.vcmp(codes, 1, "eq", type=name).tolist() == [True, False]
    assert pto.cast([1, 2], "f32", src=name).tolist() == [1, 2]


def test_tf32() -> None:
    code = pto._core.number(1 + 2.0**-11 + 2.0**-40, "tf32", "x")
    assert float(code) == 1 + 2.0**-10
    assert float(pto._core.number(1 + 2.0**-11, "tf32", "x")) == 1


def test_what_is_refused() -> None:
    x = np.zeros(2, np.float32)
    for wrong in ("1", None, 1j, [1, "2"], [None, 1], object(), np.datetime64(1, "s")):
        with pytest.raises(TypeError, match="b: "):
            pto.vmax(x, wrong)
    with pytest.raises((TypeError, ValueError), match="b: "):
        pto.vmax(x, [[1], [1, 2]])
    with pytest.raises(TypeError, match="b: "):
        pto.vmax(x.astype(np.int32), 1.5)
    for number in (1 << 40, -(1 << 70), [1, 1 << 80]):
        with pytest.raises((TypeError, ValueError), match="b: "):
            pto.vmax(x.astype(np.int32), number)
