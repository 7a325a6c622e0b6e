# SPDX-License-Identifier: MIT
"""Logical operations on masks, whose kinds may differ, and the number of lanes that are set."""

from __future__ import annotations

from . import _core
from ._arrays import Array, Image, Mask

_AND, _OR, _XOR, _NOT, _MOV, _SEL = range(6)  # first argument of mask_logic() in the core


def _logic(
    op: int, a: Mask, b: Mask, sel: Mask, lanes: int | None, mask: str | None, bits: int | None, out: Mask
) -> Array | Image:
    if mask is None:
        like = a if out is None else out
        if isinstance(like, Image):
            mask = "image"
        else:
            mask = "packed" if str(getattr(like, "dtype", "")).endswith("uint8") else "bool"
    if mask == "image" and bits is None:
        given = [m for m in (out, a, b, sel) if isinstance(m, Image)]
        if not given:
            raise ValueError("bits: the width of the elements that the Image is for is wanted")
        bits = given[0].bits
    return _core.mask_logic(op, a, b, sel, lanes, mask, bits, out)


def mask_and(
    a: Mask, b: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """Return ``a & b`` lane by lane.

    Parameters
    ----------
    a, b : masks, which may be of different kinds. Shapes broadcast; the last dimension of packed masks and of an
        ``Image`` counts by its lanes.
    lanes : the number of lanes of a row. The default is that of an array of bool if there is one, otherwise as many as
        the bytes hold. It is needed if the last byte of a row has unused bits and no operand is an array of bool. In
        the result, unused bits of the last byte become 0.
    mask : the kind of the result, ``"bool"``, ``"packed"`` or ``"image"`` (see ``vcmp``). The default is the kind of
        ``out``, or of a.
    bits : if the result is an ``Image``, the width of the elements that it is for. The default is that of ``out`` or of
        the first operand that is an ``Image``.
    out : a mask of that kind to write to. It may be a or b if that mask has as many bits for each lane.

    Raises
    ------
    TypeError : a or b is not a mask; ValueError : shapes do not fit

    Examples
    --------
    >>> import numpy as np, pto
    >>> pto.mask_and(np.array([True, True, False]), np.array([0b110], np.uint8))
    array([False,  True, False])
    """
    return _logic(_AND, a, b, None, lanes, mask, bits, out)


def mask_or(
    a: Mask, b: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """Return ``a | b`` lane by lane. Parameters and errors are as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_or(np.array([0b001], np.uint8), np.array([False, False, True]))
    array([5], dtype=uint8)
    """
    return _logic(_OR, a, b, None, lanes, mask, bits, out)


def mask_xor(
    a: Mask, b: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """Return ``a ^ b`` lane by lane. Parameters and errors are as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_xor(np.array([True, True, False]), np.array([True, False, False]))
    array([False,  True, False])
    """
    return _logic(_XOR, a, b, None, lanes, mask, bits, out)


def mask_not(
    a: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """Return ``~a`` lane by lane. Parameters and errors are as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_not(np.array([0b001], np.uint8), lanes=3)
    array([6], dtype=uint8)
    """
    return _logic(_NOT, a, None, None, lanes, mask, bits, out)


def mask_mov(
    a: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """Copy a mask, or convert it to another kind. Parameters and errors are as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_mov(np.array([True, False, True]), mask="image", bits=32)
    Image(data=array([1, 1], dtype=uint8), bits=32)
    >>> pto.mask_mov(np.array([0b101], np.uint8), lanes=3, mask="bool")
    array([ True, False,  True])
    """
    return _logic(_MOV, a, None, None, lanes, mask, bits, out)


def mask_sel(
    a: Mask,
    b: Mask,
    sel: Mask,
    *,
    lanes: int | None = None,
    mask: str | None = None,
    bits: int | None = None,
    out: Mask = None,
) -> Array | Image:
    """Return ``sel ? a : b`` lane by lane. Parameters and errors are as in ``mask_and``.

    >>> import numpy as np, pto
    >>> a, b = np.array([True, True, False]), np.array([False, False, True])
    >>> pto.mask_sel(a, b, np.array([0b101], np.uint8))
    array([ True, False, False])
    """
    return _logic(_SEL, a, b, sel, lanes, mask, bits, out)


def mask_count(m: Mask, lanes: int | None = None) -> int:
    """Return the number of lanes of a mask that are set, in all of its rows. ``lanes`` is as in ``mask_and``.

    Raises TypeError if m is not a mask, and ValueError if it has another number of lanes than ``lanes``.

    >>> import numpy as np, pto
    >>> pto.mask_count(np.array([[0xFF, 0x0F]], np.uint8), lanes=10)
    10
    """
    return _core.mask_count(m, lanes)


__all__ = ["mask_and", "mask_count", "mask_mov", "mask_not", "mask_or", "mask_sel", "mask_xor"]
