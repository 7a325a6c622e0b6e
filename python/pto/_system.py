# SPDX-License-Identifier: MIT
"""Threads and random bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import _core


def set_num_threads(threads: int) -> None:
    """Let calls on large arrays be shared by so many threads; 1 at first. The bits do not depend on it.

    Arrays of less than 128 KiB stay with the thread that calls, and so does a call while another has the threads.
    ValueError for less than 1.

    >>> import pto
    >>> pto.set_num_threads(2)
    >>> pto.num_threads()
    2
    >>> pto.set_num_threads(1)
    """
    _core.set_threads(threads)


def num_threads() -> int:
    """How many threads calls on large arrays use.

    >>> import pto
    >>> pto.num_threads()
    1
    """
    return _core.threads()


def random_bits(key: int, words: int, counter: int = 0) -> NDArray[np.uint32]:
    """The words of Philox4x32-10 that ``.rs`` conversions take as rbits, the same on every CPU.

    key is a number of 64 bits, counter one of 128, a step for each four words: so the words from 4k on are those with
    ``counter + k``. CUDA's ``curand_init(seed, subsequence, offset)`` is ``key=seed`` and
    ``counter=offset // 4 + (subsequence << 64)``. NotImplementedError where libpto was built without Random123.

    >>> import pto
    >>> all(pto.random_bits(1, 8)[4:] == pto.random_bits(1, 4, counter=1))
    True
    """
    return _core.random_bits(key, counter, words)


__all__ = ["num_threads", "random_bits", "set_num_threads"]
