# SPDX-License-Identifier: MIT
"""Choosing between elements: by a mask, by a comparison, by which is larger."""

from __future__ import annotations

from . import _core
from ._arrays import Array, ArrayLike, Mask, Out, TypeLike


def vsel(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """``m ? a : b``, a copy of bits: PTO's ``pto.vsel``, NumPy's ``where``.

    a and b are of one dtype, any with 1, 2, 4 or 8 bytes, and may be numbers; m is a mask. Shapes broadcast. The result
    is of their dtype. TypeError where dtypes differ, ValueError where shapes do not fit.

    >>> import numpy as np, pto
    >>> pto.vsel(np.array([1, 2, 3], np.int16), 0, np.array([True, False, True]))
    array([1, 0, 3], dtype=int16)
    """
    return _core.vsel(a, b, m, out)


def vsels(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """``vsel`` with numbers, which that takes as well: masked fill.

    >>> import numpy as np, pto
    >>> pto.vsels(0, np.array([1, 2], np.int8), np.array([True, False]))
    array([0, 2], dtype=int8)
    """
    return _core.vsel(a, b, m, out)


def vselr(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """``m ? b : a``: ``vsel`` reversed, PTO's ``pto.vselr`` with its mask. All else as there.

    >>> import numpy as np, pto
    >>> pto.vselr(np.array([1, 2]), np.array([3, 4]), np.array([True, False]))
    array([3, 2])
    """
    return _core.vsel(b, a, m, out)


def vselrv2(a: ArrayLike, b: ArrayLike, m: Mask, *, out: Out = None) -> Array:
    """``m ? b : a``: the lanes of ``vselr``, PTO's ``pto.vselrv2``.

    >>> import numpy as np, pto
    >>> pto.vselrv2(np.array([1, 2]), np.array([3, 4]), np.array([True, False]))
    array([3, 2])
    """
    return _core.vsel(b, a, m, out)


def selp(a: ArrayLike, b: ArrayLike, p: Mask, *, out: Out = None) -> Array:
    """PTX's ``selp``: ``p ? a : b`` of the types that PTX has there, integers of 16 to 64 bits, f32 and f64.

    All else as in ``vsel``; TypeError for other types.

    >>> import numpy as np, pto
    >>> pto.selp(np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([True, False]))
    array([1., 4.])
    """
    return _core.selp(a, b, p, out)


def slct(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, *, ftz: bool = False, type: TypeLike | None = None, out: Out = None
) -> Array:
    """PTX's ``slct``: ``c >= 0 ? a : b``, where -0 is at least 0 and a NaN is not.

    a and b are of one type that ``selp`` takes, c of s32 or f32; ftz, for f32, takes a subnormal c as zero. Shapes
    broadcast, and the result is of the dtype of a.

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
    """``(x CMP y) ? u : v`` in one pass over memory.

    All four are of one type and may be numbers; shapes broadcast. cmp, ftz, type and errors are as in ``vcmp``.

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
    """The larger of two, as PTX's ``max``: +0 is larger than -0, and of a NaN and a number it is the number.

    Parameters
    ----------
    a, b : arrays of one type, integers or f16, bf16, f32, f64, whose shapes broadcast; either may be a number
    propagate_nan : a NaN wins, as in NumPy and in PTO's vmax; the result is the canonical NaN
    ftz : of f16 and f32: subnormal operands count as zero
    xorsign_abs : magnitudes are compared, and the result's sign is whether the signs differ
    type : the type, where the dtype does not tell it
    out : an array to write to, a or b among them

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
    """The smaller of two, as PTX's ``min``; all else as in ``vmax``.

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
    """``min(max(x, lo), hi)`` in one pass; operands and flags as in ``vmax``.

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
    """``max(x, +0)``: negative numbers, -0 and, without propagate_nan, NaNs become +0. All else as in ``vmax``.

    >>> import numpy as np, pto
    >>> pto.vrelu(np.array([-1, 3, -0.0], np.float32))
    array([0., 3., 0.], dtype=float32)
    """
    return _core.vrelu(x, _flags(propagate_nan, ftz), type, out)


__all__ = ["selp", "slct", "vclamp", "vcmpsel", "vmax", "vmin", "vrelu", "vsel", "vselr", "vselrv2", "vsels"]
