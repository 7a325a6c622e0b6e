# SPDX-License-Identifier: MIT
"""Conversions: PTX's cvt, PTO's vcvt and vtrc, cast between any two formats, and vexp, the exponential."""

from __future__ import annotations

import functools
from typing import overload

from . import _core
from ._arrays import Array, ArrayLike, Mask, Out, TypeLike

_texts: dict[str, bytes] = {}  # cache of parsed texts; it stays small, since only some thousand texts are legal


def _op_of(text: str) -> bytes:
    op = _texts[text] = _core.parse_cvt(text)
    return op


@functools.cache
def _words() -> tuple[dict[str, int], dict[str, int]]:
    """Returns dicts from PTX's names of roundings and scales to the values of pto_round and pto_cvt_scale."""
    roundings, scales = {"": 0}, {"": 0}
    for text, op, _, _ in _core.cvt_forms():
        if text is None:
            continue
        fields, words = _core.cvt_fields(op), text.split(".")
        if fields[2]:
            roundings[words[1]] = fields[2]
        if fields[8]:
            word = next(w for w in words if w.startswith("scaled::"))
            scales[word.split("::")[1]] = fields[8]
    return roundings, scales


def _number(names: dict[str, int], name: str | None, argument: str) -> int:
    try:
        return names[name or ""]
    except KeyError:
        known = ", ".join(sorted(names)[1:])
        raise ValueError(f"{argument}: one of {known}, not {name!r}") from None


@overload
def cvt(
    text: str, x: ArrayLike, /, rbits: ArrayLike | None = ..., out: Out = ..., *, scales: ArrayLike | None = ...
) -> Array: ...


@overload
def cvt(
    x: ArrayLike,
    to: TypeLike,
    /,
    rbits: ArrayLike | None = ...,
    out: Out = ...,
    *,
    scales: ArrayLike | None = ...,
    src: TypeLike | None = ...,
    round: str | None = ...,
    ftz: bool = ...,
    sat: bool = ...,
    satfinite: bool = ...,
    relu: bool = ...,
    pzo: bool = ...,
    scale: str | None = ...,
) -> Array: ...


def cvt(
    a: ArrayLike,
    b: ArrayLike,
    /,
    rbits: ArrayLike | None = None,
    out: Out = None,
    *,
    scales: ArrayLike | None = None,
    src: TypeLike | None = None,
    round: str | None = None,
    ftz: bool = False,
    sat: bool = False,
    satfinite: bool = False,
    relu: bool = False,
    pzo: bool = False,
    scale: str | None = None,
) -> Array:
    """Convert elements with exactly the results of PTX's ``cvt``.

    ``cvt(text, x)`` takes the instruction as PTX spells it. ``cvt(x, to, round=..., satfinite=...)`` takes its parts;
    it also has conversions for which PTX needs two instructions. ``explain`` describes a text, and ``forms`` lists all.

    Parameters
    ----------
    text : the instruction, such as ``"cvt.rn.satfinite.e4m3x2.f32"``
    x : elements of the source type, in any shape. A type that NumPy lacks has ml_dtypes' dtype or unsigned integers of
        its width. e2m1 has two elements in a byte along the last axis, element 2k in the low four bits. ml_dtypes'
        ``float4_e2m1fn``, which has one in a byte, is packed first.
    to : the type of the result, by name or dtype
    rbits : the random bits for ``.rs``, uint32. Along the last axis, one word serves two elements if the result is f16
        or bf16, otherwise four.
    out : an array to write to. It may be x itself if both types have the same width.
    scales : ue8m0 bytes for ``.scaled::n1`` and ``.scaled::n2``: one for two elements (n1) or for each element (n2)
        along the last axis
    src : the source type, if it does not follow from the dtype of x
    round : ``rn``, ``rna``, ``rz``, ``rm``, ``rp``, ``rs``, ``rni``, ``rzi``, ``rmi`` or ``rpi``
    ftz, sat, satfinite, relu, pzo : PTX's modifiers
    scale : ``n1`` or ``n2``

    Returns
    -------
    ``out``, or a new array with the shape of x and the dtype of the result. If NumPy lacks the type, the dtype is
    ml_dtypes'; if that lacks it too or is not installed, it is an unsigned integer. e2m1 is uint8 with half as many
    elements along the last axis.

    Raises
    ------
    TypeError : there is no such pair of types; x, rbits, scales or out has another dtype
    ValueError : a modifier is not legal (the message lists the legal ones), shapes do not fit, out is read-only, or out
        overlaps x other than in place

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.array([1, -1000, np.nan, 0.3], np.float32)
    >>> pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x).view(np.uint8)
    array([ 56, 254, 127,  42], dtype=uint8)
    >>> pto.cvt(x, "e4m3", round="rn", satfinite=True).astype(np.float32).tolist()
    [1.0, -448.0, nan, 0.3125]
    >>> pto.cvt(x, "e4m3", round="rn")
    Traceback (most recent call last):
    ...
    ValueError: e4m3 <- f32 needs .satfinite; legal: ...
    """
    if type(a) is str:
        if round or ftz or sat or satfinite or relu or pzo or scale or src is not None:
            raise TypeError("cvt: modifiers are in the text, and not beside it")
        op = _texts.get(a) or _op_of(a)
        x = b
    else:
        roundings, factors = _words()
        op = _core.cvt_op(
            a,
            src,
            b,
            _number(roundings, round, "round"),
            ftz,
            sat,
            satfinite,
            relu,
            pzo,
            _number(factors, scale, "scale"),
        )
        x = a
    if scales is not None:
        if rbits is not None:
            raise ValueError("rbits, scales: no conversion takes both")
        return _core.cvt(op, x, scales, out)
    return _core.cvt(op, x, rbits, out)


_CAST_ROUNDS = {"rn": 1, "rna": 2, "rz": 3, "rm": 4, "rp": 5, "rs": 6, "ro": 11}  # values of pto_round
_OVERFLOWS = ("ieee", "saturate", "saturate_finite")  # in the order of pto_overflow


def cast(
    x: ArrayLike,
    to: TypeLike,
    round: str = "rn",
    overflow: str = "ieee",
    *,
    rbits: ArrayLike | None = None,
    src: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Convert elements exactly between any two formats, rounded once.

    Parameters
    ----------
    x : elements in any shape; see ``cvt`` for dtypes
    to : the type of the result, by name (``"e4m3fnuz"``, ``"uint4"``) or dtype; not ``u2`` or ``s2``
    round : ``rn`` to nearest even, ``rna`` to nearest, ties away from zero, ``rz`` toward zero, ``rm`` down, ``rp`` up,
        ``ro`` to odd, ``rs`` stochastic
    overflow : of floats: ``ieee`` for an infinity, else the NaN, else the largest value; ``saturate`` for the largest
        value, also of infinities; ``saturate_finite`` for the same of finite values only. Integers are clamped.
    rbits : for ``rs``, uint32 words, one for each element
    src : the source type, if it does not follow from the dtype of x
    out : an array to write to

    Returns
    -------
    An array as from ``cvt``.

    Raises
    ------
    TypeError : a type has no numbers or no arrays; ValueError : unknown round or overflow; rbits or shapes do not fit

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.array([1, -1000, np.nan, 2.5], np.float32)
    >>> codes = pto.cast(x, "e4m3fnuz", overflow="saturate").view(np.uint8)
    >>> codes
    array([ 64, 255, 128,  74], dtype=uint8)
    >>> pto.cast(codes, "f32", src="e4m3fnuz")
    array([   1. , -240. ,    nan,    2.5], dtype=float32)
    >>> pto.cast(x, "s8", "rna")
    array([   1, -128,    0,    3], dtype=int8)
    """
    if round not in _CAST_ROUNDS:
        raise ValueError(f"round: one of {', '.join(_CAST_ROUNDS)}, not {round!r}")
    if overflow not in _OVERFLOWS:
        raise ValueError(f"overflow: one of {', '.join(_OVERFLOWS)}, not {overflow!r}")
    return _core.cast(x, src, to, _CAST_ROUNDS[round], _OVERFLOWS.index(overflow), rbits, out)


_VRND = "RAFCZO"  # PTO's rounding modes, in the order of pto_vrnd


def _vrnd(rnd: str) -> int:
    if len(rnd) != 1 or rnd.upper() not in _VRND:
        raise ValueError(f"rnd: one of {', '.join(_VRND)}, not {rnd!r}")
    return _VRND.index(rnd.upper())


def vcvt(
    x: ArrayLike,
    to: TypeLike,
    rnd: str = "R",
    sat: bool = False,
    *,
    mask: Mask = None,
    src: TypeLike | None = None,
    out: Out = None,
) -> Array:
    """Convert elements as PTO's ``pto.vcvt`` does: ``mask ? vcvt(x) : 0``.

    Parameters
    ----------
    x : elements in any shape; see ``cvt`` for dtypes
    to : the type of the result, by name (``"hif8"``, ``"e1m2"``) or dtype
    rnd : the rounding mode: ``R`` to nearest even, ``A`` to nearest, ties away from zero, ``F`` down, ``C`` up, ``Z``
        toward zero, ``O`` to odd. Exact conversions take R. Conversions to hif8 take A.
    sat : clamp values that are out of range. Without it, an integer is truncated to its low bits and a float overflows.
    mask : a mask of the lanes to convert; the others become zero
    src : the source type, if it does not follow from the dtype of x
    out : an array to write to

    Returns
    -------
    An array as from ``cvt``.

    Raises
    ------
    TypeError : there is no such pair of types; ValueError : it does not take rnd or sat; shapes do not fit

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.array([2.5, 65537, -np.inf, np.nan], np.float32)
    >>> pto.vcvt(x, "s16", "A")
    array([     3,      1, -32768,      0], dtype=int16)
    >>> pto.vcvt(x, "s16", "R", sat=True)
    array([     2,  32767, -32768,      0], dtype=int16)
    """
    return _core.vcvt(x, src, to, _vrnd(rnd), sat, mask, out)


def vtrc(x: ArrayLike, rnd: str = "R", *, mask: Mask = None, out: Out = None) -> Array:
    """Round to an integral value of the same type, ``mask ? trc(x) : 0``: PTO's ``pto.vtrc``.

    ``x`` has type f16, bf16 or f32 and any shape. ``rnd`` is R, A, F, C or Z (see ``vcvt``). The result has the dtype
    and shape of x. Raises TypeError for other types and ValueError for other rounding modes.

    >>> import numpy as np, pto
    >>> pto.vtrc(np.array([2.5, -0.5, 3.7], np.float32), "F")
    array([ 2., -1.,  3.], dtype=float32)
    """
    return _core.vtrc(x, mask, out, _vrnd(rnd))


def vexp(x: ArrayLike, *, mask: Mask = None, out: Out = None) -> Array:
    """Return ``mask ? e ** x : 0``, within 1 ULP and with the same bits on every CPU.

    f16 and bf16 are correctly rounded. ``x`` has type f16, bf16, f32 or f64 and any shape, and ``mask`` the same shape.
    The result has the dtype and shape of x.
    Raises TypeError for other types, and NotImplementedError if libpto was built without SLEEF.

    >>> import numpy as np, pto
    >>> pto.vexp(np.array([0.0, -np.inf]))
    array([1., 0.])
    """
    return _core.vexp(x, mask, out)


__all__ = ["cast", "cvt", "vcvt", "vexp", "vtrc"]
