# SPDX-License-Identifier: MIT
"""NumPy, with ml_dtypes for the types that it lacks."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import pto
from race import Cell

from . import blocks
from .data import DTYPES, Array, casts, matrix, numbers

INTO = "np.copyto(y, x, casting='unsafe')"
E4M3 = "cvt.rn.satfinite.e4m3x2.f32"
# libpto's statement and NumPy's, on a, b and the mask m. Results are written to y, except that where() has no `out`.
LANES = {
    "less": ("pto.vcmp(a, b, 'lt', out=y)", "np.less(a, b, out=y)"),
    "where": ("pto.vsel(a, b, m)", "np.where(m, a, b)"),
    "where.runs": ("pto.vsel(a, b, runs)", "np.where(runs, a, b)"),
    "fill": ("pto.vsels(a, 7, m)", "np.where(m, a, seven)"),
    "maximum": ("pto.vmax(a, b, propagate_nan=True, out=y)", "np.maximum(a, b, out=y)"),
    "fmax": ("pto.vmax(a, b, out=y)", "np.fmax(a, b, out=y)"),
    "clip": ("pto.vclamp(a, -5, 5, propagate_nan=True, out=y)", "np.clip(a, -5, 5, out=y)"),
    "relu": ("pto.vrelu(a, propagate_nan=True, out=y)", "np.maximum(a, zero, out=y)"),
}
LANE_TYPES = {
    "less": ("s8", "s16", "s32", "s64", "f16", "f32", "f64"),
    "where": ("s8", "s16", "f32", "f64"),
    "where.runs": ("s8", "f32"),
    "fill": ("s8", "f32"),
    "maximum": ("s8", "s32", "f16", "f32"),
    "fmax": ("f16", "f32"),
    "clip": ("s32", "f32"),
    "relu": ("f16", "f32"),
}
MORE = [
    ("f16", "f32", "cvt.f32.f16"),
    ("f32", "f64", "cvt.f64.f32"),
    ("f64", "f32", "cvt.rn.f32.f64"),
    ("s32", "f32", "cvt.rn.f32.s32"),
    ("f32", "s32", "cvt.rzi.s32.f32"),
]
INTEGERS = {"s8": "i1", "s16": "i2", "s32": "i4", "s64": "i8"}


def calls() -> Iterator[Cell]:
    """Yields cells that measure the overhead of a call."""
    for n in (1, 64):
        x, zeros = numbers("f32", n), np.zeros(n, np.float32)
        y8, narrow, mask = np.zeros(n, DTYPES["e4m3"]), DTYPES["e4m3"], x > 0
        names: dict[str, Any] = {"pto": pto, "np": np, "x": x, "b": zeros, "m": mask, "y": y8, "less": mask.copy()}
        names |= {"e4m3": narrow, "text": E4M3, "f16": np.dtype(np.float16)}
        astype = "x.astype(e4m3)"
        yield Cell("calls", "cvt by text", n, "pto.cvt(text, x)", astype, names)
        words = "pto.cvt(x, 'e4m3', round='rn', satfinite=True)"
        yield Cell("calls", "cvt by keywords", n, words, astype, names)
        yield Cell("calls", "cvt to out", n, "pto.cvt(text, x, out=y)", INTO, names, y8)
        yield Cell("calls", "cvt to f16", n, "pto.cvt('cvt.rn.f16.f32', x)", "x.astype(f16)", names)
        yield Cell("calls", "vcmp", n, "pto.vcmp(x, b, 'lt')", "np.less(x, b)", names)
        yield Cell(
            "calls", "vcmp to out", n, "pto.vcmp(x, b, 'lt', out=less)", "np.less(x, b, out=less)", names, names["less"]
        )
        yield Cell("calls", "vsel", n, "pto.vsel(x, b, m)", "np.where(m, x, b)", names)
    x = np.random.default_rng(1).standard_normal(64).astype(np.float32)
    names = {"pto": pto, "x": x, "by_numpy": blocks.mx_floor}
    yield Cell("calls", "quantize", 64, "pto.quantize(x, 'e4m3', 'mx.floor')", "by_numpy(x, 'e4m3')", names)


def cast_cells(elements: int) -> Iterator[Cell]:
    for name, source, target, ours in casts(MORE):
        x, to = numbers(source, elements), DTYPES[target]
        names: dict[str, Any] = {"pto": pto, "np": np, "x": x, "to": to, "y": np.zeros(elements, to)}
        yield Cell("casts", name, elements, ours, "x.astype(to)", names)
        into = ours[:-1] + ", out=y)"
        yield Cell("casts to out", name, elements, into, INTO, names, names["y"])


def block_cells(elements: int) -> Iterator[Cell]:
    names: dict[str, Any] = {"pto": pto, "x": matrix(elements)}
    by_numpy: dict[str, Callable[[Array, str], blocks.Blocks]] = {
        "mx.floor": blocks.mx_floor,
        "mx.rceil": blocks.mx_rceil,
        "nv.te": blocks.nv_te,
        "fp8.div": blocks.fp8_div,
    }
    for label, elem, rule in blocks.RECIPES:
        cell = names | {"by_numpy": by_numpy[rule]}
        ours = f"pto.quantize(x, {elem!r}, {rule!r})"
        yield Cell("blocks", label, elements, ours, f"by_numpy(x, {elem!r})", cell)
    codes, scales = pto.quantize(names["x"], "e4m3", "mx.floor")[:2]
    cell = names | {"codes": codes, "scales": scales, "by_numpy": blocks.mx_back}
    ours = "pto.dequantize(codes, scales, 'e4m3', 'mx.floor')"
    yield Cell("blocks", "MXFP8 back", elements, ours, "by_numpy(codes, scales)", cell)


def lanes(word: str, kind: str, elements: int) -> dict[str, Any]:
    """Returns operands of a type. They have no NaNs and no zeros of both signs, for which NumPy and a GPU differ."""
    dtype, random = np.dtype(INTEGERS.get(kind) or DTYPES[kind]), np.random.default_rng(elements)
    a, b = (random.standard_normal((2, elements)) * 30).astype(dtype)
    b[::7] = a[::7]  # equal lanes, too
    mask = random.integers(0, 2, elements).astype(bool)
    names = {"pto": pto, "np": np, "a": a, "b": b, "m": mask, "runs": np.arange(elements) // 1000 % 2 == 1}
    y = np.zeros(elements, bool if word == "less" else dtype)
    return names | {"y": y, "zero": dtype.type(0), "seven": dtype.type(7)}


def lane_cells(elements: int) -> Iterator[Cell]:
    for word, kinds in LANE_TYPES.items():
        for kind in kinds:
            names = lanes(word, kind, elements)
            ours, theirs = LANES[word]
            if kind in INTEGERS:  # integers have no NaN
                ours = ours.replace("propagate_nan=True, ", "")
            yield Cell(
                "lanes", f"{word}.{kind}", elements, ours, theirs, names, names["y"] if "out=y" in ours else None
            )


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    if threads == 1:
        yield from calls()
    for elements in sizes:
        yield from cast_cells(elements)
        yield from block_cells(elements)
        if threads == 1:
            yield from lane_cells(elements)
