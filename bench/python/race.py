# SPDX-License-Identifier: MIT
"""A cell: the same work by libpto's package and by a peer; verified first, then raced."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

TURN = 2e-4  # seconds of a turn in a race, at least one call
ROUNDS = 3  # at least

Array: TypeAlias = "np.ndarray[Any, Any]"
Bits: TypeAlias = "Callable[[Any], Array]"


@dataclass
class Cell:
    group: str
    name: str
    elements: int
    ours: str  # statements, which are timed as they stand
    theirs: str
    names: dict[str, Any]  # that the statements use
    out: Array | None = None  # which both write to, if so
    bits: Bits | None = None  # the bytes of the peer's result; None where it is an array of NumPy


@dataclass
class Row:
    """What is known of a cell after its race."""

    peer: str
    threads: int
    group: str
    name: str
    elements: int
    ours: str
    theirs: str
    ours_seconds: float
    theirs_seconds: float
    differ: float  # the share of the result's bytes


def octets(result: Any) -> Array:
    """The bytes of an array; of a quantised tensor those of its codes and scales."""
    if isinstance(result, tuple):
        return np.concatenate([octets(part) for part in result[:2]])
    return np.ascontiguousarray(np.asarray(result)).reshape(-1).view(np.uint8)


def result_of(cell: Cell, statement: str, bits: Bits, stale: int) -> Array:
    """What a statement gives, over other stale bytes than the one before it had: what is not written is not equal."""
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
    """Seconds of each: in every round each has its turn, and the best turn counts."""
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
