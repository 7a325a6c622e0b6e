# SPDX-License-Identifier: MIT
"""The expected results of Triton's casts, computed with NumPy and ml_dtypes, and the casts of Triton's interpreter.

Nothing here calls libpto. ml_dtypes rounds once, but it does not saturate, and it rounds f64 twice. So values are
clamped here first, and f64 values are rounded to odd in f32, which makes the second rounding correct.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import triton.language as tl
from triton.runtime import interpreter

# The floating-point types of Triton that ml_dtypes has, too. fp8e4b15 is Triton's own.
DTYPES: dict[str, Any] = {
    "fp64": np.float64,
    "fp32": np.float32,
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "fp8e4nv": ml_dtypes.float8_e4m3fn,
    "fp8e5": ml_dtypes.float8_e5m2,
    "fp8e4b8": ml_dtypes.float8_e4m3fnuz,
    "fp8e5b16": ml_dtypes.float8_e5m2fnuz,
}
LARGEST = {"fp8e4nv": 448.0, "fp8e5": 57344.0, "fp8e4b8": 240.0, "fp8e5b16": 57344.0}
BLOCK = 1 << 20  # the most elements that a tensor of Triton can have


def width(name: str) -> int:
    return np.dtype(DTYPES[name]).itemsize * 8


def bits(x: Any) -> Any:
    x = np.ascontiguousarray(x)
    return x.view(f"u{x.itemsize}")


def to_odd(x: Any) -> Any:
    """Returns f64 values as f32, rounded to odd: inexact results are truncated and get a last bit of 1."""
    with np.errstate(over="ignore", under="ignore"):
        y = x.astype(np.float32)
    code = y.view(np.uint32)
    code = np.where(np.abs(y.astype(np.float64)) > np.abs(x), code - 1, code)  # rounded away from zero
    inexact = code.view(np.float32).astype(np.float64) != x
    return np.where(inexact & ~np.isnan(x), code | 1, code).view(np.float32)


def nearest(x: Any, target: str) -> Any:
    """Returns x rounded to nearest even with the overflow of ``target``, as an array of its dtype of ml_dtypes."""
    wide = x.astype(np.float64)
    if target in LARGEST:
        infinite = np.isinf(wide)
        wide = np.clip(wide, -LARGEST[target], LARGEST[target])
        if target in ("fp8e4b8", "fp8e5b16"):
            wide[infinite] = np.nan
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if target in ("fp64", "fp32"):
            return wide.astype(DTYPES[target])
        return (to_odd(wide) if x.dtype == np.float64 else wide.astype(np.float32)).astype(DTYPES[target])


def toward_zero(x: Any, target: str) -> Any:
    """Returns x rounded toward zero. Infinities of formats with infinities are kept, finite values stay finite."""
    y = nearest(x, target)
    code = bits(y)
    with np.errstate(invalid="ignore"):
        beyond = np.abs(y.astype(np.float64)) > np.abs(x.astype(np.float64))
    code = np.where(beyond, code - 1, code)
    if target in ("fp8e4b8", "fp8e5b16"):  # formats without -0, whose code is that of their NaN
        code = np.where(beyond & (code == 0x80), 0, code).astype(np.uint8)
    if target == "fp8e5":
        code = np.where(np.isinf(x), np.where(x > 0, 0x7C, 0xFC).astype(np.uint8), code)
    return code.view(DTYPES[target])


def to_integer(x: Any, target: str) -> Any:
    """Returns what a GPU has for values truncated to an integer type. For 8 bits that is the low byte of 16 bits."""
    kind = np.dtype(target)
    width_of = np.iinfo(np.dtype(f"{kind.kind}{max(kind.itemsize, 2)}"))
    whole = np.trunc(x.astype(np.float64))
    above = whole >= float(width_of.max + 1)
    below = whole < float(width_of.min)
    inside = ~above & ~below & ~np.isnan(whole)
    y = np.zeros(x.shape, width_of.dtype)
    y[inside] = whole[inside].astype(y.dtype)
    y[above] = width_of.max
    y[below] = width_of.min
    if x.dtype == np.float64 or kind.itemsize == 8:
        y.view(f"u{y.itemsize}")[np.isnan(whole)] = 1 << (8 * y.itemsize - 1)
    return y.astype(kind)


def wrong(got: Any, want: Any) -> Any:
    """Returns which results differ. Two NaNs are equal, +0 and -0 are not."""
    got, want = np.ascontiguousarray(got).view(want.dtype), np.ascontiguousarray(want)
    if want.dtype.kind in "iub":
        return got != want
    with np.errstate(invalid="ignore"):
        nans = np.isnan(got.astype(np.float64)) & np.isnan(want.astype(np.float64))
    return (bits(got) != bits(want)) & ~nans


def every_code(name: str) -> Any:
    """Returns every value of a type of at most 16 bits."""
    return np.arange(1 << width(name), dtype=f"u{width(name) // 8}").view(DTYPES[name])


def sample(name: str, count: int) -> Any:
    """Returns ``count`` values of f32 or f64: evenly spaced codes, and those about the ties of the narrower types."""
    size = width(name)
    halves = []
    for target in ("fp16", "bf16"):
        ordered = np.sort(every_code(target)[np.isfinite(every_code(target).astype(np.float32))].astype(np.float64))
        halves += [ordered[:-1] / 2 + ordered[1:] / 2]
    for target in ("fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16"):
        ordered = every_code(target).astype(np.float64)
        ordered = np.sort(ordered[np.isfinite(ordered)])
        halves += [ordered[:-1] / 2 + ordered[1:] / 2, ordered * 1.0625]
    ties = bits(np.concatenate(halves).astype(DTYPES[name]))
    near = np.concatenate([ties - 1, ties, ties + 1])
    step = ((1 << size) // (count - len(near))) | 1
    spaced = np.arange(count - len(near), dtype=np.uint64) * np.uint64(step)
    return np.concatenate([spaced.astype(ties.dtype), near]).view(DTYPES[name])


# ---- Triton ----


def _uses_triton() -> None:
    """Names the modules whose functions _patch_lang replaces: those in the globals of this function."""


@contextlib.contextmanager
def language() -> Iterator[None]:
    """Makes the functions of triton.language call the interpreter, as they do while a kernel runs."""
    scope = interpreter._patch_lang(_uses_triton)
    try:
        yield
    finally:
        scope.restore()


def type_of(name: str) -> Any:
    return getattr(tl, name) if "int" in name else tl.dtype(name)


def tensor(x: Any, name: str) -> Any:
    """Returns values as a tensor of Triton's interpreter."""
    kind = type_of(name)
    data = np.ascontiguousarray(x).view(interpreter._get_np_dtype(kind))
    return tl.tensor(interpreter.TensorHandle(data, kind), tl.block_type(kind, list(data.shape)))


def cast(x: Any, source: str, target: str, rounding: str | None = None) -> Any:
    """Returns what ``x.to(target)`` computes in Triton's interpreter, as the interpreter stores it."""
    parts = []
    with language():
        for at in range(0, len(x), BLOCK):
            part = tensor(np.resize(x[at : at + BLOCK], min(BLOCK, 1 << (len(x) - at - 1).bit_length())), source)
            y = interpreter.interpreter_semantic.cast(part, type_of(target), rounding)
            parts.append(y.handle.data[: len(x) - at])
    return np.concatenate(parts)
