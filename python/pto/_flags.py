# SPDX-License-Identifier: MIT
"""The flags that x86's compare instructions set, and SETcc."""

from __future__ import annotations

from . import _core
from ._arrays import Array, ArrayLike, Out, TypeLike

_CMP, _TEST, _UCOMI = range(3)  # first argument of flags() in the core


def flags_cmp(a: ArrayLike, b: ArrayLike, *, type: TypeLike | None = None, out: Out = None) -> Array:
    """Return the EFLAGS of x86's ``CMP a, b``, which computes ``a - b``.

    The result is uint32 with CF, PF, AF, ZF, SF and OF at their bit positions in EFLAGS. ``a`` and ``b`` are integers
    of one type, whose shapes broadcast; either may be a number. ``type`` is their type, if it does not follow from the
    dtype. Raises TypeError for other types and ValueError if shapes do not fit.

    >>> import numpy as np, pto
    >>> pto.flags_cmp(np.array([200, 7], np.uint8), np.array([100, 7], np.uint8))
    array([2048,   68], dtype=uint32)
    """
    return _core.flags(_CMP, a, b, type, out)


def flags_test(a: ArrayLike, b: ArrayLike, *, type: TypeLike | None = None, out: Out = None) -> Array:
    """Return the EFLAGS of x86's ``TEST a, b``, which computes ``a & b``.

    Parameters and errors are as in ``flags_cmp``.

    >>> import numpy as np, pto
    >>> pto.flags_test(np.array([1, 6], np.uint8), 1)
    array([ 0, 68], dtype=uint32)
    """
    return _core.flags(_TEST, a, b, type, out)


def flags_ucomi(a: ArrayLike, b: ArrayLike, *, type: TypeLike | None = None, out: Out = None) -> Array:
    """Return the EFLAGS of x86's ``UCOMISS a, b``.

    CF is set if a is less than b, ZF if they are equal, and ZF, PF and CF if an operand is a NaN. ``a`` and ``b`` are
    floats of one type. Other parameters and errors are as in ``flags_cmp``.

    >>> import numpy as np, pto
    >>> pto.flags_ucomi(np.array([2, 1, 0, np.nan]), 1)
    array([ 0, 64,  1, 69], dtype=uint32)
    """
    return _core.flags(_UCOMI, a, b, type, out)


def setcc(text: str, eflags: ArrayLike, *, out: Out = None) -> Array:
    """x86's SETcc: return an array of bool, which is true where the condition holds for the word of flags.

    ``text`` is the instruction: ``"setb"`` or another of its 30 names. ``eflags`` is an array of uint32. Raises
    ValueError if there is no such instruction.

    >>> import numpy as np, pto
    >>> pto.setcc("setl", pto.flags_cmp(np.array([-1, 1], np.int8), 0))
    array([ True, False])
    """
    return _core.setcc(text, eflags, out)


def cmp_setcc(text: str, a: ArrayLike, b: ArrayLike, *, type: TypeLike | None = None, out: Out = None) -> Array:
    """Return an array of bool: ``CMP`` of integers or ``UCOMISS`` of floats, followed by SETcc, in one pass.

    ``text`` is as in ``setcc``. ``a`` and ``b`` may be integers or floats. Other parameters and errors are as in
    ``flags_cmp``.

    >>> import numpy as np, pto
    >>> x = np.array([200, 7], np.uint8)
    >>> pto.cmp_setcc("setl", x, 100), pto.cmp_setcc("setb", x, 100)
    (array([ True,  True]), array([False,  True]))
    """
    return _core.cmp_setcc(text, a, b, type, out)


__all__ = ["cmp_setcc", "flags_cmp", "flags_test", "flags_ucomi", "setcc"]
