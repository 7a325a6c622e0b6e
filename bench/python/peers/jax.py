# SPDX-License-Identifier: MIT
"""jax: astype under jit, against pto.cvt, and against pto.jax under jit."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

import pto
import pto.jax
from race import Cell

from .data import DTYPES, casts, numbers


def astype(x: Any, to: Any) -> Any:
    return x.astype(to)


def under_jit(source: str, target: str) -> Any:
    """Returns the same conversion by pto.jax, compiled with jit."""
    words: dict[str, Any] = {"round": "rn"} if source in ("f32", "bf16") else {}
    if target in ("e4m3", "e5m2"):
        words["satfinite"] = True
    return jax.jit(lambda x: pto.jax.cvt(x, target, **words))


def cells(threads: int, sizes: list[int]) -> Iterator[Cell]:
    theirs = "f(t).block_until_ready()"
    for elements in [1, 64, *sizes] if threads == 1 else sizes:
        group = "calls" if elements < 100 else "casts"
        for name, source, target, ours in casts():
            if group == "calls" and name != "f32->e4m3":
                continue
            x = numbers(source, elements)
            names = {"pto": pto, "x": x, "t": jnp.asarray(x), "g": under_jit(source, target)}
            names["f"] = jax.jit(partial(astype, to=DTYPES[target]))
            label = "cvt by text" if group == "calls" else name
            yield Cell(group, label, elements, ours, theirs, names)
            yield Cell(f"{group} in jit", label, elements, "g(t).block_until_ready()", theirs, names)
