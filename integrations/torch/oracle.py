# SPDX-License-Identifier: MIT
"""The expected values of casts, in NumPy and ml_dtypes: a second reading of torch's rules that uses no libpto.

Values are compared, not bits: any two NaNs are equal, and -0 differs from +0.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

import samples

DTYPES: dict[str, Any] = {
    "float64": np.float64,
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
    "float8_e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8_e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8_e8m0fnu": ml_dtypes.float8_e8m0fnu,
} | {name: np.dtype(name) for name in samples.INTEGERS}
# The width to which CUDA converts a float for an integer type, and whether it is signed.
WIDE = {
    "int8": (32, True),
    "int16": (32, True),
    "int32": (32, True),
    "int64": (64, True),
    "uint8": (64, True),
    "uint16": (32, False),
    "uint32": (32, False),
    "uint64": (64, False),
}


def _e8m0(x: np.ndarray) -> np.ndarray:
    """Returns codes of E8M0: the exponent, plus 1 if the fraction is at least half. A subnormal half is not enough."""
    bits = x.view(np.uint32)
    exponent, fraction = (bits >> 23) & 0xFF, bits & 0x7FFFFF
    up = (fraction > 0x400000) | ((fraction == 0x400000) & (exponent > 0))
    return np.where(exponent == 0xFF, 0xFF, exponent + up).astype(np.uint8)


def _integer(x: np.ndarray, target: str) -> np.ndarray:
    """Returns floats as integers: truncated and clamped to the wide type, of which the low bits are the result."""
    bits, signed = WIDE[target]
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    nan = 0 if bits == 32 and x.dtype == np.float32 else 1 << (bits - 1)
    whole = np.trunc(x.astype(np.float64))
    inside = (whole >= low) & (whole < float(high + 1))
    wide = np.where(inside, whole, 0).astype(np.int64 if signed else np.uint64).view(np.uint64)
    wide = np.where(whole >= float(high + 1), np.uint64(high), wide)
    wide = np.where(whole < low, np.uint64(low % (1 << 64)), wide)
    wide = np.where(np.isnan(x), np.uint64(nan), wide)
    size = np.dtype(target).itemsize
    return wide.astype(f"u{size}").view(target)


def cast(codes: np.ndarray, source: str, target: str) -> np.ndarray:
    """Returns the expected results as an array of the dtype of NumPy or ml_dtypes."""
    x = codes.view(DTYPES[source])
    if target in samples.INTEGERS and source in samples.FLOATS and target != "bool":
        return _integer(x if source == "float64" else x.astype(np.float32), target)
    if target == "bool":
        return np.isnan(x.astype(np.float32)) | (x != 0) if source in samples.FLOATS else x != 0
    if target in samples.INTEGERS or target in ("float64", "float32"):
        return x.astype(np.float32).astype(target) if source not in ("float64", *samples.INTEGERS) else x.astype(target)
    single = x.astype(np.float32)  # torch rounds to f32 first
    if target == "float8_e8m0fnu":
        return _e8m0(single).view(DTYPES[target])
    if target == "float8_e4m3fn":
        single = np.where(np.isnan(single), single, np.clip(single, -448, 448))
    return single.astype(DTYPES[target])


def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns for each element whether two arrays of one dtype have the same value."""
    if a.dtype.kind in "biu":
        return a == b
    x, y = a.astype(np.float64), b.astype(np.float64)
    return ((x == y) & (np.signbit(x) == np.signbit(y))) | (np.isnan(x) & np.isnan(y))
