# SPDX-License-Identifier: MIT
"""Adapters to the functions of other stacks, one module for each.

A module has

- PACKAGES: the distributions that it needs; the first one names the stack in the results,
- RULES: the rules that it can compute,
- covers(case, blocks): whether it takes a case, as a bool or as a mask of the blocks,
- answer(case, blocks, ours): a block_rules.Answer. A field is None if the stack has no such result. ``ours`` is the
  Answer of libpto, for stacks that are given scales,
- known(case, blocks, ours): the documented differences, as a sequence of Known.

Each row of ``blocks`` is a block. A module whose packages are missing raises ImportError.
"""

from collections.abc import Callable
from typing import NamedTuple

import block_rules as rules
import numpy as np


class Known(NamedTuple):
    """A documented difference. The test fails if it does not occur, because docs/block-scaling.md is then out of date.

    ``change`` returns what the stack computes, given libpto's answer; every block must then be equal. Without
    ``change``, the blocks of the mask ``where`` may differ in any way.
    """

    reason: str
    change: Callable[[rules.Answer], rules.Answer] | None = None
    where: np.ndarray | None = None


def zeros_lose_sign(case, zeros):
    """Elements of the mask whose code is a zero have the code 0, also if they are negative."""

    def change(ours):
        lost = zeros & (rules.decode(case.elem, ours.codes) == 0)
        return ours._replace(codes=np.where(lost, np.uint8(0), ours.codes))

    return Known("-0 becomes 0", change)


def quotient_is_zero(case, blocks, divisors, least=0):
    """Returns for each element whether its magnitude, divided by its block's divisor in f32, is at most ``least``."""
    with np.errstate(all="ignore"):
        return np.abs(floats(blocks) / divisors[:, None]) <= least


def floats(blocks):
    return blocks.astype(np.float32)


def magnitudes(blocks):
    """The largest magnitude of each block; a NaN if it has one."""
    return np.max(np.abs(floats(blocks)), axis=1)


def with_nan(blocks):
    return np.isnan(floats(blocks)).any(axis=1)


def not_finite(blocks):
    return ~np.isfinite(floats(blocks)).all(axis=1)


def beside_power(a, steps):
    """Whether a is one of the next ``steps`` floats above a power of two, or below one if ``steps`` is negative."""
    fraction = np.asarray(a, np.float32).view(np.uint32) & 0x7FFFFF
    return (fraction > 0) & (fraction <= steps) if steps > 0 else fraction >= 0x800000 + steps
