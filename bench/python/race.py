# SPDX-License-Identifier: MIT
"""Measures a cell: the same work by libpto's package and by a peer. The results are compared first."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

TURN = 2e-4  # seconds of a turn, which has at least one call
ROUNDS = 3  # the minimum number of rounds

Array: TypeAlias = "np.ndarray[Any, Any]"
Bits: TypeAlias = "Callable[[Any], Array]"


@dataclass
class Cell:
    group: str
    name: str
    elements: int
    ours: str  # libpto's statement, which is timed
    theirs: str  # the peer's statement
    names: dict[str, Any]  # the variables of the statements
    out: Array | None = None  # the array to which both write; None if they return new arrays
    bits: Bits | None = None  # returns the bytes of the peer's result; None if it is a NumPy array


@dataclass
class Row:
    """The results of a cell."""

    peer: str
    threads: int
    group: str
    name: str
    elements: int
    ours: str
    theirs: str
    ours_seconds: float
    theirs_seconds: float
    differ: float  # the share of bytes in which the results differ


def octets(result: Any) -> Array:
    """Returns the bytes of an array, or those of the codes and scales of a quantized tensor."""
    if isinstance(result, tuple):
        return np.concatenate([octets(part) for part in result[:2]])
    return np.ascontiguousarray(np.asarray(result)).reshape(-1).view(np.uint8)


def result_of(cell: Cell, statement: str, bits: Bits, stale: int) -> Array:
    """Returns the bytes of a statement's result.

    ``out`` is first filled with ``stale``, another byte for each statement, so that bytes that are not written differ.
    """
    if cell.out is not None:
        cell.out.view(np.uint8).fill(stale)
    result = eval(statement, cell.names)
    return bits(result if cell.out is None else cell.out).copy()


def share_that_differs(cell: Cell) -> float:
    ours = result_of(cell, cell.ours, octets, 0xA5)
    theirs = result_of(cell, cell.theirs, cell.bits or octets, 0x5A)
    if ours.size != theirs.size:
        raise ValueError(f"{cell.name}: {cell.ours} has {ours.size} bytes, {cell.theirs} {theirs.size}")
    return float((ours != theirs).mean())


def race(statements: list[str], names: dict[str, Any], seconds: float) -> list[float]:
    """Returns the seconds of each statement. In every round each has a turn, and the best turn counts."""
    timers = [timeit.Timer(statement, globals=names) for statement in statements]
    turns = [max(1, round(TURN / min(timer.repeat(3, 1)))) for timer in timers]
    best, rounds, start = [float("inf")] * len(timers), 0, timeit.default_timer()
    while rounds < ROUNDS or timeit.default_timer() - start < seconds:
        best = [min(b, timer.timeit(k) / k) for b, timer, k in zip(best, timers, turns, strict=True)]
        rounds += 1
    return best


def run(cell: Cell, peer: str, threads: int, seconds: float) -> dict[str, Any]:
    differ = share_that_differs(cell)
    ours, theirs = race([cell.ours, cell.theirs], cell.names, seconds)
    words = (cell.group, cell.name, cell.elements, cell.ours, cell.theirs)
    return asdict(Row(peer, threads, *words, ours, theirs, differ))
