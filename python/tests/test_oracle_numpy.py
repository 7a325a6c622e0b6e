# SPDX-License-Identifier: MIT
"""Conversions of NumPy and ml_dtypes against PTX's: where they differ and why, and that they agree everywhere else.

All NaNs count as equal. NumPy and ml_dtypes keep a NaN's sign and return a quiet NaN (7e00); PTX has one NaN (7fff).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pto
from checks import Faulty, floats, within

Array = np.ndarray[Any, Any]
DTYPES = {
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e2m3": np.dtype(ml_dtypes.float6_e2m3fn),
    "e3m2": np.dtype(ml_dtypes.float6_e3m2fn),
    "e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "ue8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
}
LIMITS = {"s16": 1 << 15, "s32": 1 << 31, "s64": 1 << 63}


@dataclass(frozen=True)
class Row:
    """A conversion, and the sources for which another library's result differs."""

    dst: str
    src: str
    round: str | None = None
    satfinite: bool = False
    differs: Callable[[Array], Array] = np.zeros_like
    why: str = ""
    always: bool = True  # the results differ for all of these sources; if False, some may agree

    def ours(self, p: Any, x: Array) -> Array:
        result = p.cvt(x, self.dst, src=self.src, round=self.round, satfinite=self.satfinite)
        if self.dst == "e2m1":
            result = np.stack([result & 15, result >> 4], axis=-1).reshape(-1).view(DTYPES["e2m1"])
        return result

    def theirs(self, x: Array) -> Array:
        if self.dst in LIMITS:
            return np.rint(x).astype(f"i{int(self.dst[1:]) // 8}")
        if self.round in ("rni", "rmi", "rpi", "rzi"):
            return {"rni": np.rint, "rmi": np.floor, "rpi": np.ceil, "rzi": np.trunc}[self.round](x)
        return x.astype(DTYPES[self.dst])

    def wrong(self, p: Any) -> int:
        """Returns how many results differ that should agree, or agree that should differ."""
        x = sources(self.src)
        differ = differing(self.ours(p, x), self.theirs(x))
        there = self.differs(x.astype(np.float64)).astype(bool)
        assert not (self.why and self.always) or there.any()
        return int((differ & ~there).sum() + ((there & ~differ).sum() if self.always else 0))


def sources(name: str) -> Array:
    """Returns every code of 16-bit types; for others random numbers, special values and ties. The first is 0."""
    if DTYPES[name].itemsize == 2:
        return np.arange(1 << 16, dtype=np.uint16).view(DTYPES[name])
    x = floats(1 << 16).astype(DTYPES[name])
    if name == "f64":  # values next to ties of smaller types, at a distance that f32 cannot represent
        x[100:20000] = floats(1 << 16)[100:20000].view(np.uint32).astype(np.float64) * 2.0**-31
        x[100:20000:3] *= 1 + 2.0**-45
        x[1000:1256] = (1 + np.arange(256) * 2.0**-8) * (1 + 2.0**-40)
    return x


def differing(ours: Array, theirs: Array) -> Array:
    if ours.dtype.kind == "i":
        return ours != theirs
    a, b = ours.astype(np.float64), theirs.astype(np.float64)
    return np.where(np.isnan(a) & np.isnan(b), False, (a != b) | (np.signbit(a) != np.signbit(b)))


def beyond(largest: float, half: float, tie_too: bool) -> Callable[[Array], Array]:
    """Returns a test for magnitudes that overflow: those that are half a unit or more above the largest value."""
    return lambda x: np.abs(x) >= largest + half if tie_too else np.abs(x) > largest + half


def twice(x: Array) -> Array:
    """Returns which elements get another value if they are first rounded to f32."""
    once = pto.cvt("cvt.rn.bf16.f64", x).astype(np.float64)
    by_f32 = x.astype(np.float32).astype(DTYPES["bf16"]).astype(np.float64)
    return (once != by_f32) & ~np.isnan(once)


def not_up(x: Array) -> Array:
    """Returns where rounding to nearest is not up, and zeros and negative numbers, which ml_dtypes converts to NaN."""
    fraction, _ = np.frexp(x)
    return ((x <= 0) & (x >= -(2.0**127))) | ((x > 2.0**-126) & np.isfinite(x) & (fraction > 0.5) & (fraction < 0.75))


def not_in(limit: int) -> Callable[[Array], Array]:
    return lambda x: ~((np.rint(x) >= -limit) & (np.rint(x) < limit))


CLAMPED = "no saturation: an infinity, or a NaN in e4m3 (ml_dtypes#400)"
NO_NAN = "a NaN becomes -0, and PTX's the largest number"
UNDEFINED = "C leaves the cast open where the integer does not fit; PTX clamps, and a NaN is 0 (1 << 63 to s64)"
ROWS = [
    *(Row("f16", src, "rn") for src in ("bf16", "f32", "f64")),
    *(Row("bf16", src, "rn") for src in ("f16", "f32")),
    Row("bf16", "f64", "rn", False, twice, "ml_dtypes goes through f32, and so rounds twice"),
    Row("f32", "f64", "rn"),
    *(Row(dst, src) for dst in ("f32", "f64") for src in ("f16", "bf16")),
    Row("f64", "f32"),
    *(Row(name, name, way) for name in ("f16", "f32", "f64") for way in ("rni", "rmi", "rpi", "rzi")),
    *(Row("e4m3", src, "rn", True, beyond(448, 16, False), CLAMPED) for src in ("f16", "bf16", "f32")),
    *(Row("e5m2", src, "rn", True, beyond(57344, 4096, True), CLAMPED) for src in ("f16", "bf16", "f32")),
    *(
        Row(dst, src, "rn", True, np.isnan, NO_NAN)
        for dst in ("e2m3", "e3m2", "e2m1")
        for src in ("f16", "bf16", "f32")
    ),
    *(Row("ue8m0", src, "rp", False, not_up, "ml_dtypes rounds to nearest, PTX up or down") for src in ("bf16", "f32")),
    *(Row(dst, src, "rni", False, not_in(n), UNDEFINED, False) for dst, n in LIMITS.items() for src in ("f32", "f64")),
]
IDS = [f"{row.dst}-{row.src}-{row.round}" for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=IDS)
@np.errstate(all="ignore")
def test_differs_there_and_nowhere_else(row: Row, tally: Callable[[str, int, int], None]) -> None:
    assert row.wrong(pto) == 0
    tally("NumPy and ml_dtypes", 1, sources(row.src).size)


@pytest.mark.parametrize("row", ROWS, ids=IDS)
@np.errstate(all="ignore")
def test_finds_one_altered_digit(row: Row) -> None:
    """The altered bit is in an element for which both libraries agree."""
    x = sources(row.src)
    there = row.differs(x.astype(np.float64)).astype(bool)
    at = int(np.flatnonzero(~there & ~np.isnan(x.astype(np.float64)))[0])

    def altered(*args: Any, **named: Any) -> Array:
        result = pto.cvt(*args, **named)
        codes = result.view(f"u{result.dtype.itemsize}")
        codes[at // 2 if row.dst == "e2m1" else at] ^= codes.dtype.type(16 if row.dst == "e2m1" and at % 2 else 1)
        return result

    assert row.wrong(Faulty("cvt", altered)) == 1


def test_clamped_ml_dtypes_agrees() -> None:
    """With a clamp, ml_dtypes agrees on all f16 codes, so the missing clamp is the only difference."""
    x = sources("f16")
    for name, largest in (("e4m3", 448.0), ("e5m2", 57344.0)):
        ours = pto.cvt(x, name, round="rn", satfinite=True)
        assert not differing(ours, within(x, largest).astype(DTYPES[name])).any()
