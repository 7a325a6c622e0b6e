# SPDX-License-Identifier: MIT
"""Comparisons, whose results are masks or elements."""

from __future__ import annotations

from . import _core
from ._arrays import Array, ArrayLike, Image, Mask, Out, TypeLike, pair

_setp_ops: dict[str, bytes] = {}
_set_ops: dict[str, bytes] = {}


def vcmp(
    a: ArrayLike,
    b: ArrayLike,
    cmp: str,
    seed: Mask = None,
    *,
    ftz: bool = False,
    merge: bool = False,
    mask: str = "bool",
    type: TypeLike | None = None,
    out: Mask = None,
) -> Array | Image:
    """Compare lane by lane and return a mask, ``seed & (a CMP b)``: PTO's ``pto.vcmp``.

    Parameters
    ----------
    a, b : arrays of one type, whose shapes broadcast; either may be a number
    cmp : eq, ne, lt, le, gt or ge; for unsigned integers also lo, ls, hi and hs; for floats also equ, neu, ltu, leu,
        gtu, geu, num and nan. For floats ``ne`` is PTX's: it is false if an operand is a NaN. NumPy's ``!=`` is
        ``neu``.
    seed : a mask of the lanes that are compared; the others become false
    ftz : only for f16 and f32: subnormal operands are taken as zero
    merge : lanes that are not in ``seed`` keep their value in ``out``
    mask : the kind of the result. ``"bool"`` is an array of bool. ``"packed"`` is uint8 with one bit for each lane
        along the last axis, as ``numpy.packbits(..., axis=-1, bitorder="little")``. ``"image"`` is an ``Image``.
    type : the type of a and b, if their dtype is an unsigned integer that stands for it; or ``b8`` to ``b64``
    out : a mask of that kind to write to

    Raises
    ------
    TypeError : libpto does not compare this type, or the types of a and b differ; ValueError : the type lacks the
        operator, or shapes do not fit

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.array([0.5, 1, np.nan, 2], np.float32)
    >>> pto.vcmp(x, 1, "ge")
    array([False,  True, False,  True])
    >>> pto.vcmp(x, x, "neu", mask="packed")
    array([4], dtype=uint8)
    """
    flags = (_core.FTZ if ftz else 0) | (_core.MERGE if merge else 0)
    if merge and out is None:
        raise ValueError("out: what merge keeps is in it")
    return _core.vcmp(a, b, cmp, flags, seed, mask, type, out)


def vcmps(
    x: ArrayLike,
    scalar: ArrayLike,
    cmp: str,
    seed: Mask = None,
    *,
    ftz: bool = False,
    merge: bool = False,
    mask: str = "bool",
    type: TypeLike | None = None,
    out: Mask = None,
) -> Array | Image:
    """Compare with one number: PTO's ``pto.vcmps``. It is the same as ``vcmp``, which also takes numbers.

    >>> import numpy as np, pto
    >>> pto.vcmps(np.arange(4, dtype=np.int8), 2, "lt")
    array([ True,  True, False, False])
    """
    return vcmp(x, scalar, cmp, seed, ftz=ftz, merge=merge, mask=mask, type=type, out=out)


def setp(
    text: str,
    a: ArrayLike,
    b: ArrayLike,
    c: Mask = None,
    *,
    not_c: bool = False,
    mask: str = "bool",
    out: tuple[Mask, Mask] | None = None,
) -> tuple[Array | Image, Array | Image]:
    """Return both predicates of PTX's ``setp``: ``p = BoolOp(a CMP b, c)`` and ``q = BoolOp(!(a CMP b), c)``.

    Parameters
    ----------
    text : the instruction, such as ``"setp.lt.and.ftz.f32"``; ``forms("setp")`` lists all
    a, b : arrays of the instruction's type, whose shapes broadcast. For f16x2 and bf16x2 they are uint32 with two
        halves; then p is the result of the low halves and q that of the high halves.
    c : the predicate operand, a mask; needed with ``.and``, ``.or`` and ``.xor``
    not_c : use the negation of c, which PTX writes as ``!c``
    mask : the kind of p and q; see ``vcmp``
    out : a pair of masks to write to

    Raises
    ------
    TypeError, ValueError : as ``vcmp``. If the text is invalid, the message has the invalid word and what is expected.

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.array([1, np.nan], np.float32)
    >>> p, q = pto.setp("setp.eq.f32", x, x)
    >>> p, q
    (array([ True, False]), array([False,  True]))
    """
    op = _setp_ops.get(text)
    if op is None:
        op = _setp_ops[text] = _core.parse_setp(text)
    p, q = (None, None) if out is None else pair(out, "out")
    return _core.setp(op, a, b, c, not_c, mask, p, q)


def set(text: str, a: ArrayLike, b: ArrayLike, c: Mask = None, *, not_c: bool = False, out: Out = None) -> Array:
    """PTX's ``set``: compare, and return elements. True is all ones for integers and 1.0 for floats; false is 0.

    ``text`` is the instruction, such as ``"set.lt.u32.f32"``: the type of the result precedes that of a and b. Other
    parameters and errors are as in ``setp``. ``out`` is an array to write to.

    >>> import numpy as np, pto
    >>> pto.set("set.lt.f32.s32", np.array([1, 5], np.int32), np.array([2, 2], np.int32))
    array([1., 0.], dtype=float32)
    """
    op = _set_ops.get(text)
    if op is None:
        op = _set_ops[text] = _core.parse_set(text)
    return _core.set(op, a, b, c, not_c, out)


def testp(
    x: ArrayLike,
    test: str,
    seed: Mask = None,
    *,
    merge: bool = False,
    mask: str = "bool",
    type: TypeLike | None = None,
    out: Mask = None,
) -> Array | Image:
    """Return a mask of the elements that pass a test: PTX's ``testp``.

    ``test`` is finite, infinite, number, notanumber, normal (zeros are normal), subnormal, or, which PTX does not have,
    zero or negative (the sign bit is set). The type is f16, bf16, f32, f64, tf32, e4m3, e5m2, e2m3, e3m2, ue5m3 or
    ue8m0. The other parameters are as in ``vcmp``.

    >>> import numpy as np, pto
    >>> x = np.array([1, -0.0, 1e-40, np.inf, np.nan], np.float32)
    >>> pto.testp(x, "normal")
    array([ True,  True, False, False, False])
    >>> pto.testp(x, "negative", mask="packed")
    array([2], dtype=uint8)
    """
    if merge and out is None:
        raise ValueError("out: what merge keeps is in it")
    return _core.testp(x, test, _core.MERGE if merge else 0, seed, mask, type, out)


__all__ = ["set", "setp", "testp", "vcmp", "vcmps"]
