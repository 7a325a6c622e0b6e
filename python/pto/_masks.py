# SPDX-License-Identifier: MIT
"""Logic on masks of any kinds, which may be mixed, and how many lanes are on."""

from __future__ import annotations

from . import _core
from ._arrays import Array, Image, Mask

_AND, _OR, _XOR, _NOT, _MOV, _SEL = range(6)  # of mask_logic() in the core


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
    """``a & b`` lane by lane.

    Parameters
    ----------
    a, b : masks, of one kind or of two; shapes broadcast, packed bits and images by their lanes
    lanes : how many a row has. It is wanted where packed bits and images alone do not tell, since the last byte may
        have bits that stand for no lane; otherwise all that the bytes hold. Bits behind the last lane become 0.
    mask : the kind of the result, ``"bool"``, ``"packed"`` or ``"image"`` (see ``vcmp``); that of a, if it is not said
    bits : of a result that is an Image the width of its elements; that of the first operand that is one
    out : a mask of that kind to write to, a or b among them if their kind takes as many bits a lane

    Raises
    ------
    TypeError : a or b is no mask; ValueError : shapes do not fit

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
    """``a | b`` lane by lane; all else as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_or(np.array([0b001], np.uint8), np.array([False, False, True]))
    array([5], dtype=uint8)
    """
    return _logic(_OR, a, b, None, lanes, mask, bits, out)


def mask_xor(
    a: Mask, b: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """``a ^ b`` lane by lane; all else as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_xor(np.array([True, True, False]), np.array([True, False, False]))
    array([False,  True, False])
    """
    return _logic(_XOR, a, b, None, lanes, mask, bits, out)


def mask_not(
    a: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """The other lanes; all else as in ``mask_and``.

    >>> import numpy as np, pto
    >>> pto.mask_not(np.array([0b001], np.uint8), lanes=3)
    array([6], dtype=uint8)
    """
    return _logic(_NOT, a, None, None, lanes, mask, bits, out)


def mask_mov(
    a: Mask, *, lanes: int | None = None, mask: str | None = None, bits: int | None = None, out: Mask = None
) -> Array | Image:
    """The same lanes as another kind of mask; all else as in ``mask_and``.

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
    """``sel ? a : b`` lane by lane; all else as in ``mask_and``.

    >>> import numpy as np, pto
    >>> a, b = np.array([True, True, False]), np.array([False, False, True])
    >>> pto.mask_sel(a, b, np.array([0b101], np.uint8))
    array([ True, False, False])
    """
    return _logic(_SEL, a, b, sel, lanes, mask, bits, out)


def mask_count(m: Mask, lanes: int | None = None) -> int:
    """How many lanes of a mask are on, in all of its rows; lanes as in ``mask_and``.

    So any are on where it is more than 0. TypeError where m is no mask, ValueError where it has not so many lanes.

    >>> import numpy as np, pto
    >>> pto.mask_count(np.array([[0xFF, 0x0F]], np.uint8), lanes=10)
    10
    """
    return _core.mask_count(m, lanes)


__all__ = ["mask_and", "mask_count", "mask_mov", "mask_not", "mask_or", "mask_sel", "mask_xor"]
