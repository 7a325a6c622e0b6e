# SPDX-License-Identifier: MIT
"""Compress and expand lanes by a mask, and the indices of the largest and smallest element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, ArrayLike, Image, Mask, TypeLike
from ._masks import mask_mov
from ._select import _flags


def _bools(m: Mask, shape: tuple[int, ...], name: str) -> Array:
    """Return a mask of any kind as a C-contiguous array of bool of this shape."""
    if m is None:
        raise TypeError(f"{name}: a mask is wanted")
    try:
        flags = _core.as_array(mask_mov(m, lanes=shape[-1], mask="bool"), name)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("a:", f"{name}:", 1)) from None
    if flags.shape != shape:
        raise ValueError(f"{name}: a mask of shape {shape} is wanted, not {flags.shape}")
    return np.ascontiguousarray(flags)


def _elements(x: ArrayLike, name: str) -> Array:
    array: Array = _core.as_array(x, name)
    if array.dtype.hasobject:
        raise TypeError(f"{name}: elements of 1, 2, 4 or 8 bytes are wanted, not of dtype {array.dtype}")
    return array


def _like(operands: tuple[Any, ...], array: Array) -> Array:
    """Return the array, or a tensor over its memory if an operand is a tensor. It has the type of the first operand."""
    if all(isinstance(operand, (np.ndarray, Image)) for operand in operands):
        return array
    result: Array = _core.like(operands, array, _core.type_of(operands[0], "x"))
    return result


def vcompress(x: ArrayLike, m: Mask) -> Array:
    """Return the elements of x whose lane is on, in order, as an array of one dimension: NumPy's ``x[m]``.

    x has elements of 1, 2, 4 or 8 bytes and at least one dimension. m is a mask of its shape, of any kind.

    >>> import numpy as np, pto
    >>> x = np.array([3, -1, 0, 5], np.float32)
    >>> pto.vcompress(x, pto.vcmp(x, 0, "gt"))
    array([3., 5.], dtype=float32)
    """
    array = np.atleast_1d(np.ascontiguousarray(_elements(x, "x")))
    flags = _bools(m, array.shape, "m")
    out = np.empty(np.count_nonzero(flags), array.dtype)
    _core.vcompress(array, flags, out)
    return _like((x, m), out)


def vexpand(x: ArrayLike, m: Mask, out: Array) -> Array:
    """Copy the elements of x, in order, to the lanes of ``out`` that are on, and return ``out``: ``out[m] = x``.

    x has the dtype of ``out`` and as many elements as there are lanes that are on. Lanes that are off keep their value.

    >>> import numpy as np, pto
    >>> pto.vexpand(np.array([3, 5], np.int16), np.array([True, False, True]), np.zeros(3, np.int16))
    array([3, 0, 5], dtype=int16)
    """
    array = np.ascontiguousarray(_elements(x, "x"))
    to = _elements(out, "out") if hasattr(out, "__dlpack__") else array[:0]
    if to.ndim == 0 or to.dtype != array.dtype or not hasattr(out, "__dlpack__"):
        raise TypeError(f"out: an array of dtype {array.dtype} is wanted")
    if not to.flags.writeable or not to.flags.c_contiguous:
        raise ValueError("out: a C-contiguous array is wanted that can be written")
    flags = _bools(m, to.shape, "m")
    if array.size != np.count_nonzero(flags):
        raise ValueError(f"x: {np.count_nonzero(flags)} elements are wanted, as many as the mask has, not {array.size}")
    _core.vexpand(array.copy() if np.may_share_memory(array, to) else array, flags, to)
    return out


def _index(call: Callable[..., int], x: ArrayLike, seed: Mask, flags: int, type: TypeLike | None) -> int | None:
    shape = np.atleast_1d(_elements(x, "x")).shape
    index = call(x, None if seed is None else _bools(seed, shape, "seed"), flags, type)
    return None if index < 0 else index


def vargmax(
    x: ArrayLike,
    seed: Mask = None,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    type: TypeLike | None = None,
) -> int | None:
    """Return the index of the first largest element whose seed is on, counted over all dimensions, or None.

    A NaN loses; with ``propagate_nan`` the first NaN is the result, as in ``np.argmax``. +0 equals -0. The types are
    those of ``vmax``, and seed is a mask of the shape of x.

    >>> import numpy as np, pto
    >>> x = np.array([1, 7, np.nan, 7], np.float32)
    >>> pto.vargmax(x), pto.vargmax(x, propagate_nan=True), pto.vargmin(x)
    (1, 2, 0)
    """
    return _index(_core.vargmax, x, seed, _flags(propagate_nan, ftz), type)


def vargmin(
    x: ArrayLike,
    seed: Mask = None,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    type: TypeLike | None = None,
) -> int | None:
    """Return the index of the first smallest element whose seed is on, or None. Parameters are as in ``vargmax``.

    >>> import numpy as np, pto
    >>> pto.vargmin(np.array([3, 1, 2]), np.array([True, False, True]))
    2
    """
    return _index(_core.vargmin, x, seed, _flags(propagate_nan, ftz), type)


__all__ = ["vargmax", "vargmin", "vcompress", "vexpand"]
