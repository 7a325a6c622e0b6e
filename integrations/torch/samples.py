# SPDX-License-Identifier: MIT
"""The values that the tests convert, as codes: unsigned integers of the width of the type. Needs only NumPy."""

from __future__ import annotations

import numpy as np

FLOATS = {
    "float64": 64,
    "float32": 32,
    "float16": 16,
    "bfloat16": 16,
    "float8_e4m3fn": 8,
    "float8_e5m2": 8,
    "float8_e4m3fnuz": 8,
    "float8_e5m2fnuz": 8,
    "float8_e8m0fnu": 8,
}
INTEGERS = {
    "bool": 8,
    "uint8": 8,
    "int8": 8,
    "uint16": 16,
    "int16": 16,
    "uint32": 32,
    "int32": 32,
    "uint64": 64,
    "int64": 64,
}
BITS = FLOATS | INTEGERS


def _near(codes: np.ndarray) -> np.ndarray:
    """Returns codes, their predecessors and their successors."""
    one = codes.dtype.type(1)
    return np.concatenate([codes - one, codes, codes + one])


def _float32() -> np.ndarray:
    """Returns every 4099th code of f32, and codes at and beside all values of f16 and bf16 and their midpoints."""
    spaced = np.arange(0, 1 << 32, 4099, dtype=np.uint64).astype(np.uint32)
    half = np.sort(np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64))
    half = half[np.isfinite(half)]
    halves = np.concatenate([half, (half[:-1] + half[1:]) / 2, [65520.0, -65520.0]])
    brain = np.arange(0, 1 << 32, 1 << 15, dtype=np.uint64).astype(np.uint32)
    return np.concatenate([spaced, _near(halves.astype(np.float32).view(np.uint32)), _near(brain)])


def _float64() -> np.ndarray:
    """Returns 2^20 evenly spaced codes of f64, and codes at and beside every third value of _float32()."""
    spaced = np.arange(1 << 20, dtype=np.uint64) * np.uint64((1 << 44) + 40503)
    with np.errstate(invalid="ignore"):
        single = _float32()[::3].view(np.float32).astype(np.float64)
    return np.concatenate([spaced, _near(single.view(np.uint64))])


def codes(name: str) -> np.ndarray:
    """Returns the codes of a dtype of torch: all of them up to 16 bits, a sample of wider ones."""
    bits = BITS[name]
    if name == "bool":
        return np.arange(2, dtype=np.uint8)
    if bits <= 16:
        return np.arange(1 << bits, dtype=f"u{bits // 8}")
    if name in FLOATS:
        return _float32() if bits == 32 else _float64()
    powers = np.uint64(1) << np.arange(64, dtype=np.uint64)
    near = np.concatenate([_near(powers), _near(np.uint64(0) - powers), _near(powers + (powers >> np.uint64(9)))])
    spaced = np.arange(1 << 16, dtype=np.uint64) * np.uint64((1 << 48) + (1 << 20) + 1)
    every = np.concatenate([near, spaced, spaced >> np.uint64(20), spaced >> np.uint64(40)])
    return every.astype(np.uint32) if bits == 32 else every


def special(name: str) -> np.ndarray:
    """Returns all codes of a type of 8 bits, and zeros, ones, subnormals, infinities and NaNs of wider ones."""
    bits = FLOATS[name]
    if bits == 8:
        return codes(name)
    mantissa = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}[name]
    sign = 1 << (bits - 1)
    infinity, quiet = sign - (1 << mantissa), 1 << (mantissa - 1)
    one = (infinity >> 1) >> mantissa << mantissa
    numbers = [0, 1, 2, (1 << mantissa) - 1, 1 << mantissa, one - 1, one, one + 1, one + quiet, infinity - 1, infinity]
    nans = [infinity + payload for payload in (1, 5, quiet, quiet + 1, quiet + 5)]
    positive = [*numbers, *nans, sign - 1]
    return np.array([*positive, *(code | sign for code in positive)], dtype=f"u{bits // 8}")
