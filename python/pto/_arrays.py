# SPDX-License-Identifier: MIT
"""The types of arguments and results, for annotations, and ``Image``, the class of predicate images."""

from __future__ import annotations

import operator
import sys
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core


class SupportsDLPack(Protocol):
    """An array of another framework in CPU memory."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


class Image(NamedTuple):
    """A mask in the layout of a PTO predicate register (a predicate image): one bit for each byte of the elements.

    ``data`` is an array of uint8. ``bits`` is the width of the elements that the mask is for: 8, 16, 32 or 64. Lane i
    of a row is bit ``i * bits / 8``, counted from the least significant bit of the row's first byte.
    """

    data: NDArray[np.uint8]
    bits: int


_core.set_image(Image)

ArrayLike: TypeAlias = Any
"""An array of NumPy or ml_dtypes, one with ``__dlpack__`` (torch, jax), a number, or nested sequences of numbers."""

Array: TypeAlias = NDArray[Any]
"""What is given back: an array of NumPy, a torch tensor if an operand is one, or what was given as ``out``."""

Out: TypeAlias = Any
"""Where to write: an array of NumPy or one with ``__dlpack__``, such as a tensor of torch; None for a new one."""

Mask: TypeAlias = Any
"""A mask: an array of bool, of uint8 with packed bits, or an Image; None for every lane."""

TypeLike: TypeAlias = DTypeLike | str
"""A type: by PTX's name ("bf16", "e4m3"), or by its dtype."""

_T = TypeVar("_T")


def pair(given: tuple[_T, _T], argument: str) -> tuple[_T, _T]:
    """Returns both items of an argument that must have two; otherwise raises a TypeError that names the argument."""
    try:
        first, second = given
    except (TypeError, ValueError):
        raise TypeError(f"{argument}: two are wanted, not {given!r}") from None
    return first, second


def count(number: int, argument: str) -> int:
    """Returns a count as an int. Raises TypeError for anything but integers, ValueError if out of range."""
    try:
        whole = operator.index(number)
    except TypeError:
        raise TypeError(f"{argument}: a whole number is wanted, not {number!r}") from None
    if whole < 0:
        raise ValueError(f"{argument}: {whole} is less than none")
    if whole > sys.maxsize:
        raise ValueError(f"{argument}: {whole} is larger than memory")
    return whole


__all__ = ["Array", "ArrayLike", "Image", "Mask", "Out", "SupportsDLPack", "TypeLike", "count", "pair"]
