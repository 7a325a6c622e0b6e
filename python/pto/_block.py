# SPDX-License-Identifier: MIT
"""Block scaling: narrow elements and a scale for each block of them, by the rule of each stack."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from . import _core
from ._arrays import Array, ArrayLike, Out, TypeLike, count, pair

_QUANTIZE, _REQUANTIZE, _DEQUANTIZE = range(3)  # of run_blocks() in the core
_KEEP_NAN = ("nv.ao", "nv.modelopt", "nv.ct")  # rules by which a NaN is the largest magnitude of all
_RULES = {name: number for number, name in enumerate(_core.rule_names())}
_LAYOUTS = ("rows", "128x4", "8x4", "mn_x4", "32x8")  # pto_scale_layout


class Quantized(NamedTuple):
    """What ``quantize`` makes of a tensor.

    codes : of x's shape, e2m1 two in a byte along the last axis; scales : one for each block, as the last two axes;
    tensor : the tensor's own number with two levels, else None.
    """

    codes: Array
    scales: Array
    tensor: float | None


def rules() -> list[str]:
    """The names of the rules; docs/block-scaling.md tells whose each is.

    >>> import pto
    >>> pto.rules()[:3]
    ['mx.floor', 'mx.ceil', 'mx.even']
    """
    return list(_RULES)


def _rule(name: str) -> int:
    try:
        return _RULES[name]
    except (KeyError, TypeError):
        raise ValueError(f"rule: one of {', '.join(rules())}, not {name!r}") from None


def _default_block(rule: str) -> tuple[int, int]:
    return {"mx": (1, 32), "nv": (1, 16)}.get(rule.split(".")[0], (1, 128))


def _default_elem(rule: str) -> str:
    _rule(rule)
    return "e2m1" if rule.startswith("nv.") else "e4m3"


def _written(out: Out, name: str) -> Array:
    """An array to write to: no number and no list, of which NumPy would make another array."""
    if isinstance(out, np.ndarray) or hasattr(out, "__dlpack__"):
        return _core.as_array(out, name)
    raise TypeError(f"{name}: an array is wanted to write to")


def _matrices(x: Array, name: str, *, written: bool = False) -> Array:
    """The same elements as a stack of matrices; copied where there is no other way, but never what is written."""
    if x.ndim < 2:
        return x.reshape((1, 1, -1)) if x.ndim == 1 else x.reshape((1, 1, 1))
    if x.ndim == 2:
        return x[None]
    if written and not x.flags.c_contiguous:
        raise ValueError(f"{name}: of more than two dimensions it must be contiguous")
    return x.reshape((math.prod(x.shape[:-2]), *x.shape[-2:]))


def _op(
    wide: TypeLike,
    elem: TypeLike,
    rule: str,
    block: tuple[int, int] | None,
    random: bool,
    pow2: bool,
    two_level: bool,
    number: float,
) -> bytes:
    rows, cols = _default_block(rule) if block is None else pair(block, "block")
    return _core.block_op(wide, elem, _rule(rule), random, pow2, two_level, number, rows, cols)


def _tensor_of(x: Array, rule: str) -> float:
    """The number of a tensor by an NV rule, from its largest magnitude. A rule that keeps NaNs sees them here, too."""
    keep_nan = rule in _KEEP_NAN
    amax = 0.0
    for matrix in _matrices(x, "x"):
        largest = _core.block_amax(matrix, keep_nan)
        amax = largest if math.isnan(largest) or largest > amax else amax
    return _core.block_tensor(_rule(rule), amax)


def quantize(
    x: ArrayLike,
    elem: TypeLike | None = None,
    rule: str = "mx.rceil",
    *,
    block: tuple[int, int] | None = None,
    tensor: float | None = None,
    two_level: bool | None = None,
    eps: float = 0.0,
    pow2: bool = False,
    rbits: ArrayLike | None = None,
    out: tuple[Out, Out] | None = None,
) -> Quantized:
    """Make narrow elements of a tensor, with a scale for each block of them.

    Parameters
    ----------
    x : f32, f16 or bf16, of one dimension or more; blocks lie in the last two
    elem : e4m3, e5m2, e2m3, e3m2 or e2m1; e4m3 if it is not said, for NV rules e2m1
    rule : how a block's scale is found; see ``rules`` and docs/block-scaling.md
    block : rows and columns of a block, 0 for all: (1, 32) for MX rules, (1, 16) for NV and (1, 128) for FP8, if it is
        not said
    tensor, two_level : of NV rules the tensor's own number, found from its largest magnitude if it is not said; without
        two_level there is none
    eps : of FP8 rules the least magnitude that a block counts as having
    pow2 : of fp8.div, fp8.rcp and fp8.te: scales are powers of two
    rbits : for stochastic rounding uint32 words, one for four elements along the last axis
    out : codes and scales to write to

    Returns
    -------
    Quantized(codes, scales, tensor): scales are ue8m0 (MX), e4m3 (NV) or f32 (FP8).

    Raises
    ------
    TypeError : the rule does not take these types; ValueError : there is no such rule, it does not take this modifier,
        or shapes do not fit

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.linspace(-448, 448, 64, dtype=np.float32)
    >>> q = pto.quantize(x, "e4m3", "mx.rceil")
    >>> q.codes.shape, q.scales.view(np.uint8)
    ((64,), array([127, 127], dtype=uint8))
    >>> float(abs(pto.dequantize(q.codes, q.scales, "e4m3", "mx.rceil") - x).max()) < 16
    True
    """
    array = _core.as_array(x, "x")
    elem = _default_elem(rule) if elem is None else elem
    _rule(rule)
    if two_level is None:
        two_level = rule.startswith("nv.")
    if two_level and tensor is None:
        tensor = _tensor_of(array, rule)
    number = tensor if tensor is not None else eps
    op = _op(_core.type_of(x, "x"), elem, rule, block, rbits is not None, pow2, two_level, number)
    given = (None, None) if out is None else pair(out, "out")
    codes, scales = _blocks(op, _QUANTIZE, array, elem, given, rbits)
    return Quantized(codes, scales, tensor)


def requantize(
    x: ArrayLike,
    scales: ArrayLike,
    elem: TypeLike | None = None,
    rule: str = "mx.rceil",
    *,
    block: tuple[int, int] | None = None,
    tensor: float | None = None,
    rbits: ArrayLike | None = None,
    out: Out = None,
) -> Array:
    """The codes of a tensor for scales that are given, static or calibrated ones; all else as in ``quantize``.

    >>> import numpy as np, pto
    >>> x = np.ones(32, np.float32)
    >>> pto.requantize(x, np.array([127], np.uint8)).view(np.uint8)[0]
    np.uint8(56)
    """
    array = _core.as_array(x, "x")
    elem = _default_elem(rule) if elem is None else elem
    op = _op(_core.type_of(x, "x"), elem, rule, block, rbits is not None, False, tensor is not None, tensor or 0.0)
    return _blocks(op, _REQUANTIZE, array, elem, (out, scales), rbits)[0]


def dequantize(
    codes: ArrayLike,
    scales: ArrayLike,
    elem: TypeLike | None = None,
    rule: str = "mx.rceil",
    *,
    to: TypeLike = "f32",
    block: tuple[int, int] | None = None,
    tensor: float | None = None,
    cols: int | None = None,
    out: Out = None,
) -> Array:
    """The way back from what ``quantize`` made, or any stack that has the rule: f32, f16 or bf16.

    codes, scales, elem, rule, block and tensor are as there; to is the result's type. cols, for e2m1, is how many
    elements a row has, where that is odd.

    >>> import numpy as np, pto
    >>> pto.dequantize(np.full(32, 0x38, np.uint8), np.array([128], np.uint8), "e4m3")[0]
    np.float32(2.0)
    """
    array = _core.as_array(codes, "codes")
    elem = _default_elem(rule) if elem is None else elem
    two_to_a_byte = _core.type_bits(elem) == 4
    if two_to_a_byte and array.dtype != np.uint8:
        cols = array.shape[-1] if cols is None else cols
        array = _core.pack4(array)
    shape = (1,) if array.ndim == 0 else array.shape
    width = shape[-1] * (2 if two_to_a_byte else 1) if cols is None else count(cols, "cols")
    result = np.empty((*shape[:-1], width), _core.dtype_of(to)) if out is None else out
    op = _op(to, elem, rule, block, False, False, tensor is not None, tensor or 0.0)
    stack = _matrices(_written(result, "out"), "out", written=True)
    parts = _matrices(_core.as_array(scales, "scales"), "scales")
    narrows = _matrices(array, "codes")
    _as_many(narrows, "codes", {"scales": parts, "out": stack})
    for i, narrow in enumerate(narrows):
        _core.run_blocks(op, stack[i], narrow, parts[i], None, _DEQUANTIZE)
    return result


def _as_many(stack: Array, name: str, others: dict[str, Array | None]) -> None:
    for other, matrices in others.items():
        if matrices is not None and len(matrices) != len(stack):
            raise ValueError(f"{other}: it has {len(matrices)} matrices, and {name} has {len(stack)}")


def _blocks(
    op: bytes, direction: int, x: Array, elem: TypeLike, given: tuple[Out, Out], rbits: ArrayLike | None
) -> tuple[Array, Array]:
    """Codes and scales of each matrix of a stack."""
    stack = _matrices(x, "x")
    rows, cols = stack.shape[1:]
    row_bytes, scale_rows, scale_cols = _core.block_sizes(op, rows, cols)
    codes, scales = given
    lead = x.shape[:-2]
    if codes is None:
        shape = (row_bytes,) if x.ndim < 2 else (*lead, rows, row_bytes)
        codes = np.empty(shape, _core.dtype_of(elem))
    if scales is None:
        shape = (scale_cols,) if x.ndim < 2 else (*lead, scale_rows, scale_cols)
        scales = np.empty(shape, _core.dtype_of(_core.block_scale(op)))
    fresh = direction == _QUANTIZE
    narrow = _matrices(_written(codes, "codes"), "codes", written=True)
    parts = _matrices((_written if fresh else _core.as_array)(scales, "scales"), "scales", written=fresh)
    words = None if rbits is None else _matrices(_core.as_array(rbits, "rbits"), "rbits")
    _as_many(stack, "x", {"codes": narrow, "scales": parts, "rbits": words})
    for i, matrix in enumerate(stack):
        _core.run_blocks(op, matrix, narrow[i], parts[i], None if words is None else words[i], direction)
    return codes, scales


def scales_swizzle(scales: ArrayLike, layout: str) -> Array:
    """Lay one-byte scales out for a matrix product; padding is zero.

    scales has two dimensions; layout is ``"rows"``, ``"128x4"`` (cuBLAS, CUTLASS), ``"8x4"`` (TensorRT-LLM),
    ``"mn_x4"`` (DeepGEMM) or ``"32x8"`` (aiter). The result is a row of uint8.

    >>> import numpy as np, pto
    >>> pto.scales_swizzle(np.ones((128, 4), np.uint8), "128x4").shape
    (512,)
    """
    array = _core.as_array(scales, "scales")
    if array.ndim != 2:
        raise ValueError(f"scales: it has {array.ndim} dimensions, not 2")
    number = _layout(layout)
    tiled = np.empty((1, _core.scales_bytes(number, *array.shape)), np.uint8)
    _core.lay_out_scales(number, array, tiled, False)
    row: Array = tiled[0]
    return row


def scales_unswizzle(tiled: ArrayLike, layout: str, rows: int, cols: int) -> Array:
    """The way back: rows by cols scales, of the dtype of tiled.

    >>> import numpy as np, pto
    >>> x = np.arange(8, dtype=np.uint8).reshape(4, 2)
    >>> bool((pto.scales_unswizzle(pto.scales_swizzle(x, "8x4"), "8x4", 4, 2) == x).all())
    True
    """
    array = _core.as_array(tiled, "tiled")
    scales = np.empty((count(rows, "rows"), count(cols, "cols")), array.dtype)
    _core.lay_out_scales(_layout(layout), scales, array.reshape((1, -1)), True)
    return scales


def _layout(name: str) -> int:
    if name not in _LAYOUTS:
        raise ValueError(f"layout: one of {', '.join(_LAYOUTS)}, not {name!r}")
    return _LAYOUTS.index(name)


__all__ = ["Quantized", "dequantize", "quantize", "requantize", "rules", "scales_swizzle", "scales_unswizzle"]
