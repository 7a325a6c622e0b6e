# SPDX-License-Identifier: MIT
"""Selection of elements: by a mask, by a comparison, or by which is larger."""

from __future__ import annotations

from . import _core
from ._arrays import Array, ArrayLike, Mask, Out, TypeLike


def vsel(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """Return ``m ? a : b``: PTO's ``pto.vsel``, NumPy's ``where``. Elements are copied bit for bit.

    ``a`` and ``b`` have the same dtype, of 1, 2, 4 or 8 bytes; either may be a number. ``m`` is a mask. Shapes
    broadcast. The result has the dtype of a and b. Raises TypeError if the dtypes differ and ValueError if shapes do
    not fit.

    >>> import numpy as np, pto
    >>> pto.vsel(np.array([1, 2, 3], np.int16), 0, np.array([True, False, True]))
    array([1, 0, 3], dtype=int16)
    """
    return _core.vsel(a, b, m, out)


def vsels(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """Return ``m ? a : b``, where a or b is a number (masked fill). It is ``vsel``, which also takes numbers.

    >>> import numpy as np, pto
    >>> pto.vsels(0, np.array([1, 2], np.int8), np.array([True, False]))
    array([0, 2], dtype=int8)
    """
    return _core.vsel(a, b, m, out)


def vselr(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """Return ``m ? b : a``, which is ``vsel`` with a and b exchanged: PTO's ``pto.vselr`` with its mask.

    Parameters and errors are as in ``vsel``.

    >>> import numpy as np, pto
    >>> pto.vselr(np.array([1, 2]), np.array([3, 4]), np.array([True, False]))
    array([3, 2])
    """
    return _core.vsel(b, a, m, out)


def vselrv2(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """Return ``m ? b : a``: PTO's ``pto.vselrv2``. It selects the same lanes as ``vselr``.

    Parameters and errors are as in ``vsel``.

    >>> import numpy as np, pto
    >>> pto.vselrv2(np.array([1, 2]), np.array([3, 4]), np.array([True, False]))
    array([3, 2])
    """
    return _core.vsel(b, a, m, out)


def vpermute(x: ArrayLike, index: ArrayLike, lanes: int | None = None, *, out: Out = None) -> Array:
    """Select elements by index within groups: PTO's ``vselr`` by lane numbers, NumPy's ``take_along_axis``.

    The last dimension is divided into groups of ``lanes`` elements; without ``lanes`` it is one group. Element i of a
    group of the result is element ``index[i] % lanes`` of the same group of x. x has any dtype of 1, 2, 4 or 8 bytes,
    and its elements are copied bit for bit. ``index`` has unsigned integers of the same width. Shapes broadcast.
    ``out`` may be index, and must not overlap x. Raises TypeError for other dtypes and ValueError if shapes or lanes
    do not fit.

    >>> import numpy as np, pto
    >>> x = np.array([1, 2, 3, 4, 5, 6, 7, 8], np.float32)
    >>> pto.vpermute(x, np.array([3, 2, 1, 0, 0, 0, 1, 5], np.uint32), 4)
    array([4., 3., 2., 1., 5., 5., 6., 6.], dtype=float32)
    """
    return _core.vpermute(x, index, lanes, out)


def selp(a: ArrayLike, b: ArrayLike, p: Mask, *, out: Out = None) -> Array:
    """PTX's ``selp``: return ``p ? a : b`` for the types that PTX's instruction has.

    These are integers of 16 to 64 bits, f32 and f64; other types are a TypeError. Parameters and errors are as in
    ``vsel``; ``p`` is a mask.

    >>> import numpy as np, pto
    >>> pto.selp(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([True, False]))
    array([1., 4.])
    """
    return _core.selp(a, b, p, out)


def slct(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, *, ftz: bool = False, type: TypeLike | None = None, out: Out = None
) -> Array:
    """PTX's ``slct``: return ``c >= 0 ? a : b``. For -0 the condition is true, for a NaN it is false.

    ``a`` and ``b`` have one of the types that ``selp`` takes; ``type`` is that type, if it does not follow from the
    dtype. ``c`` has type s32 or f32. ``ftz``, only for f32, takes a subnormal c as zero. Shapes broadcast. The result
    has the dtype of a. Raises TypeError for other types and ValueError if shapes do not fit.

    >>> import numpy as np, pto
    >>> c = np.array([-1, -0.0, np.nan], np.float32)
    >>> pto.slct(np.full(3, 1, np.int32), np.full(3, 2, np.int32), c)
    array([2, 1, 2], dtype=int32)
    """
    return _core.slct(a, b, c, ftz, type, out)


def vcmpsel(
    x: ArrayLike,
    y: ArrayLike,
    cmp: str,
    u: ArrayLike,
    v: ArrayLike,
    *,
    ftz: bool = False,
    type: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Return ``(x CMP y) ? u : v``, computed in one pass over memory.

    All four operands have the same type; each may be a number. Shapes broadcast. ``cmp``, ``ftz``, ``type`` and errors
    are as in ``vcmp``.

    >>> import numpy as np, pto
    >>> x = np.array([-2, 3, np.nan], np.float32)
    >>> pto.vcmpsel(x, 0, "lt", 0, x)
    array([ 0.,  3., nan], dtype=float32)
    """
    return _core.vcmpsel(x, y, u, v, _core.FTZ if ftz else 0, type, out, cmp)


def _flags(propagate_nan: bool, ftz: bool, xorsign_abs: bool = False) -> int:
    return (
        (_core.PROPAGATE_NAN if propagate_nan else 0)
        | (_core.FTZ if ftz else 0)
        | (_core.XORSIGN_ABS if xorsign_abs else 0)
    )


def vmax(
    a: ArrayLike,
    b: ArrayLike,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    xorsign_abs: bool = False,
    type: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Return the larger of two elements, as PTX's ``max``. +0 is larger than -0.

    If one element is a NaN, the result is the other one; see ``propagate_nan``.

    Parameters
    ----------
    a, b : arrays of one type, integers or f16, bf16, f32, f64, whose shapes broadcast; either may be a number
    propagate_nan : if an operand is a NaN, the result is the canonical NaN. PTO's vmax and np.maximum return NaNs, too.
        For f64, which has no ``.NaN`` in PTX, it is 7fffffffffffffff.
    ftz : only for f16 and f32: subnormal operands are taken as zero
    xorsign_abs : compare magnitudes; the result is negative if the signs of the operands differ
    type : the type of a and b, if it does not follow from the dtype
    out : an array to write to; it may be a or b

    Examples
    --------
    >>> import numpy as np, pto
    >>> pto.vmax(np.array([1, np.nan, -0.0]), np.array([2, 5, 0.0]))
    array([2., 5., 0.])
    """
    return _core.vmax(a, b, _flags(propagate_nan, ftz, xorsign_abs), type, out)


def vmin(
    a: ArrayLike,
    b: ArrayLike,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    xorsign_abs: bool = False,
    type: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Return the smaller of two elements, as PTX's ``min``. -0 is smaller than +0. Parameters are as in ``vmax``.

    >>> import numpy as np, pto
    >>> pto.vmin(np.array([1, np.nan, -0.0]), np.array([2, 5, 0.0]))
    array([ 1.,  5., -0.])
    """
    return _core.vmin(a, b, _flags(propagate_nan, ftz, xorsign_abs), type, out)


def vclamp(
    x: ArrayLike,
    lo: ArrayLike,
    hi: ArrayLike,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    type: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Return ``min(max(x, lo), hi)``, computed in one pass. Operands and flags are as in ``vmax``.

    >>> import numpy as np, pto
    >>> pto.vclamp(np.array([-1, 3, 7], np.float32), 0, 6)
    array([0., 3., 6.], dtype=float32)
    """
    return _core.vclamp(x, lo, hi, _flags(propagate_nan, ftz), type, out)


def vrelu(
    x: ArrayLike,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    type: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Return ``max(x, +0)``. Parameters are as in ``vmax``.

    Negative values and -0 become +0. NaNs become +0 too, unless propagate_nan is true.

    >>> import numpy as np, pto
    >>> pto.vrelu(np.array([-1, 3, -0.0], np.float32))
    array([0., 3., 0.], dtype=float32)
    """
    return _core.vrelu(x, _flags(propagate_nan, ftz), type, out)


__all__ = [
    "selp",
    "slct",
    "vclamp",
    "vcmpsel",
    "vmax",
    "vmin",
    "vpermute",
    "vrelu",
    "vsel",
    "vselr",
    "vselrv2",
    "vsels",
]
