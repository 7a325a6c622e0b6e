# SPDX-License-Identifier: MIT
"""The data that all peers get, and libpto's call for each conversion."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"

DTYPES = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e2m3": np.dtype(ml_dtypes.float6_e2m3fn),
    "e3m2": np.dtype(ml_dtypes.float6_e3m2fn),
    "s32": np.dtype(np.int32),
}
# Source type, destination type and PTX instruction.
CASTS = [
    ("f32", "bf16", "cvt.rn.bf16.f32"),
    ("f32", "f16", "cvt.rn.f16.f32"),
    ("f32", "e4m3", "cvt.rn.satfinite.e4m3x2.f32"),
    ("f32", "e5m2", "cvt.rn.satfinite.e5m2x2.f32"),
    ("bf16", "e4m3", "cvt.rn.satfinite.e4m3x2.bf16x2"),
]
WIDENING = ("e4m3", "f32")  # PTX needs two instructions for it, so libpto is called with types instead of a text


@lru_cache(maxsize=2)
def numbers(kind: str, elements: int) -> Array:
    """Returns random numbers in the range of every format, because peers differ out of range and in bits of NaNs."""
    size = 1 if kind in ("e2m3", "e3m2") else 10
    return (np.random.default_rng(elements).standard_normal(elements) * size).astype(DTYPES[kind])


@lru_cache(maxsize=1)
def matrix(elements: int) -> Array:
    """Returns the tensor for block scaling. Its rows have 4096 elements, a usual length for weights of models."""
    return (np.random.default_rng(elements).standard_normal((elements // 4096, 4096)) * 0.02).astype(np.float32)


def casts(more: list[tuple[str, str, str]] | None = None) -> Iterator[tuple[str, str, str, str]]:
    """Yields the name, source type, destination type and libpto's call of each conversion."""
    for source, target, text in CASTS + (more or []):
        yield f"{source}->{target}", source, target, f"pto.cvt({text!r}, x)"
    source, target = WIDENING
    yield f"{source}->{target}", source, target, f"pto.cvt(x, {target!r})"
