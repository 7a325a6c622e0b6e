# SPDX-License-Identifier: MIT
"""The number of threads, and random bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import _core


def set_num_threads(threads: int) -> None:
    """Set the number of threads that a call on large arrays may use. It is 1 at first. Results do not depend on it.

    A call uses only the calling thread if its arrays have less than 128 KiB, or while another call uses the other
    threads. Raises ValueError for less than 1.

    >>> import pto
    >>> pto.set_num_threads(2)
    >>> pto.num_threads()
    2
    >>> pto.set_num_threads(1)
    """
    _core.set_threads(threads)


def num_threads() -> int:
    """Return the number of threads that a call on large arrays may use.

    >>> import pto
    >>> pto.num_threads()
    1
    """
    return _core.threads()


def random_bits(key: int, words: int, counter: int = 0) -> NDArray[np.uint32]:
    """Return random words (uint32) of Philox4x32-10 for ``.rs`` conversions. They are the same on every CPU.

    ``key`` is an integer of 64 bits, ``counter`` one of 128 bits. Four words use one value of the counter, so the
    words from index 4k on are those of ``counter + k``. CUDA's ``curand_init(seed, subsequence, offset)`` corresponds
    to ``key=seed`` and ``counter=offset // 4 + (subsequence << 64)``.

    >>> import pto
    >>> all(pto.random_bits(1, 8)[4:] == pto.random_bits(1, 4, counter=1))
    True
    """
    return _core.random_bits(key, counter, words)


__all__ = ["num_threads", "random_bits", "set_num_threads"]
