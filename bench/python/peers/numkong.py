# SPDX-License-Identifier: MIT
"""NumKong's conversions, on NumKong's tensors."""

from collections.abc import Iterator
from typing import Any

import numkong
import numpy as np

import pto
from race import Array, Cell

from .data import DTYPES, casts, numbers

NAMES: dict[str, Any] = {
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "e4m3": "e4m3",
    "e5m2": "e5m2",
    "e2m3": "e2m3",
    "e3m2": "e3m2",
}
# Further conversions that NumKong has. For 6-bit formats the numbers are smaller, because its saturation may differ.
MORE = [
    ("f32", "e2m3", "cvt.rn.satfinite.e2m3x2.f32"),
    ("f32", "e3m2", "cvt.rn.satfinite.e3m2x2.f32"),
    ("e4m3", "f16", "cvt.rn.f16x2.e4m3x2"),
    ("e5m2", "f16", "cvt.rn.f16x2.e5m2x2"),
    ("e2m3", "f16", "cvt.rn.f16x2.e2m3x2"),
    ("e3m2", "f16", "cvt.rn.f16x2.e3m2x2"),
    ("f16", "f32", "cvt.f32.f16"),
    ("bf16", "f32", "cvt.f32.bf16"),
]


def memory(tensor: Any) -> Array:
    return np.frombuffer(memoryview(tensor).cast("B"), np.uint8)


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    for elements in sizes:
        for name, source, target, ours in casts(MORE):
            theirs = numkong.zeros((elements,), dtype=NAMES[source])
            memory(theirs)[:] = numbers(source, elements).view(np.uint8)
            result = numkong.zeros((elements,), dtype=NAMES[target])
            out = memory(result)
            names = {"pto": pto, "numkong": numkong, "t": theirs, "z": result, "to": NAMES[target]}
            names |= {"x": memory(theirs).view(DTYPES[source]), "y": out.view(DTYPES[target])}
            into = ours[:-1] + ", out=y)"
            yield Cell("casts to out", name, elements, into, "numkong.astype(t, to, out=z)", names, out)
