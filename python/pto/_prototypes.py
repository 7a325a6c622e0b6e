# SPDX-License-Identifier: MIT
"""Shapes and dtypes of results, computed from the shapes and dtypes of operands, for frameworks that trace programs.

The functions make the real call with arrays that have the right row length but no rows. So types, modifiers and the
shapes of rows are checked in one place, with the same messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from . import _block, _convert, _core
from ._arrays import Array, TypeLike
from ._block import How

Shape: TypeAlias = tuple[int, ...]
DType: TypeAlias = "np.dtype[Any]"


class Proto(NamedTuple):
    """The shape and dtype of an array without data."""

    shape: Shape
    dtype: DType

    def no_rows(self) -> Array:
        return np.empty((0, self.shape[-1] if self.shape else 1), self.dtype)


class CvtParts(NamedTuple):
    """The parameters of ``cvt`` other than the result's type."""

    src: TypeLike | None = None
    round: str | None = None
    ftz: bool = False
    sat: bool = False
    satfinite: bool = False
    relu: bool = False
    pzo: bool = False
    scale: str | None = None


def cvt_op(form: TypeLike, dtype: DType, parts: CvtParts, by_text: bool) -> bytes:
    """Returns the op of ``cvt(text, x)`` if by_text is true, otherwise of ``cvt(x, to, ...)``. form: text or to."""
    if by_text:
        if parts != CvtParts():
            raise TypeError("cvt: modifiers are in the text, and not beside it")
        return _convert._texts.get(form) or _convert._op_of(form)  # type: ignore[arg-type]
    roundings, scales = _convert._words()
    return _core.cvt_op(
        np.empty(0, dtype),
        parts.src,
        form,
        _convert._number(roundings, parts.round, "round"),
        *parts[2:7],
        _convert._number(scales, parts.scale, "scale"),
    )


def cvt(op: bytes, x: Proto, rbits: Proto | None, scales: Proto | None) -> Proto:
    """Returns the shape and dtype of the result of a conversion."""
    if rbits is not None and scales is not None:
        raise ValueError("rbits, scales: no conversion takes both")
    extra = rbits if scales is None else scales
    if extra is None:  # a call without elements does not report missing random bits or scales
        _core.cvt(op, np.zeros(4, x.dtype), None, None)
    try:
        row = _core.cvt(op, x.no_rows(), None if extra is None else extra.no_rows(), None)
    except ValueError as error:  # the call had no rows, so only the last dimension in its message is right
        raise ValueError(str(error).replace("(0, ", "(..., ")) from None
    if extra is not None:
        _leads("rbits" if scales is None else "scales", extra, x)
    return Proto((*x.shape[:-1], row.shape[1]) if x.shape else (), row.dtype)


def _leads(name: str, extra: Proto, x: Proto) -> None:
    """Raises ValueError unless the leading dimensions of random bits or scales broadcast to those of x."""
    lead, want = extra.shape[:-1], x.shape[:-1]
    if len(lead) > len(want) or any(n not in (1, w) for n, w in zip(lead[::-1], want[::-1], strict=False)):
        raise ValueError(f"{name}: its shape is {extra.shape}, and not {(*want, *extra.shape[-1:])}")


def lanes(call: Callable[..., Array], operands: list[Any], dtypes: list[DType | None]) -> tuple[list[Any], DType]:
    """Returns the operands, with numbers converted to arrays of the type of the others, and the result's dtype.

    ``dtypes`` has None for each operand that is a number. ``call`` makes the call with the operands as arguments.
    """
    result = call(*(x if d is None else np.empty(0, d) for x, d in zip(operands, dtypes, strict=True))).dtype
    here = next((d for d in dtypes if d is not None), result)
    made = (
        _core.number(x, result, "a number").view(here) if d is None else x
        for x, d in zip(operands, dtypes, strict=True)
    )
    return list(made), result


def together(names: Iterable[str], shapes: Iterable[Shape], broadcast: Callable[..., Any]) -> Shape:
    """Returns the shape to which all operands broadcast. ``broadcast`` is the framework's function for two shapes."""
    shape: Any = ()
    for name, one in zip(names, shapes, strict=True):
        try:
            shape = broadcast(shape, one)
        except (ValueError, RuntimeError):
            raise ValueError(f"{name}: its shape is {tuple(one)}, and not {tuple(shape)}") from None
    return tuple(shape)


class Blocks(NamedTuple):
    """The op, shapes and dtypes of block scaling of a tensor, taken as a stack of matrices."""

    op: bytes
    find: bool  # true if the call computes the second-level value
    keep_nan: bool  # true if a NaN in the tensor makes its largest magnitude NaN
    stack: Shape  # (matrices, rows, columns) of x
    codes: Proto
    scales: Proto

    def codes_stack(self) -> Shape:
        return (self.stack[0], self.stack[1], self.codes.shape[-1])

    def scales_stack(self) -> Shape:
        rows = self.scales.shape[-2] if len(self.scales.shape) > 1 else 1
        return (self.stack[0], rows, self.scales.shape[-1])


def stack_of(shape: Shape) -> Shape:
    """Returns a shape as (matrices, rows, columns)."""
    rows, cols = (1, 1, *shape)[-2:]
    return (int(np.prod(shape[:-2], dtype=np.int64)), rows, cols)


def quantize(x: Proto, plan: How, given: bool, rbits: Proto | None) -> Blocks:
    """Returns the op and the results' shapes of ``quantize``. given: true if the second-level value is an operand."""
    wide = _core.type_of(x.no_rows(), "x")
    _block.check_number(plan, 1.0 if given else None, needed=False)
    op = plan.op(wide, rbits is not None, 1.0)
    codes, scales = _blocks(op, x, plan.elem)
    if rbits is not None and rbits.shape[:-1] != x.shape[:-1]:
        raise ValueError(f"rbits: its shape is {rbits.shape}, and not {(*x.shape[:-1], -(-x.shape[-1] // 4))}")
    words = None if rbits is None else rbits.no_rows()
    _core.run_blocks(op, x.no_rows(), codes.no_rows(), scales.no_rows(), words, _block._QUANTIZE)
    find = plan.two_level and not given
    return Blocks(op, find, plan.rule in _block._KEEP_NAN, stack_of(x.shape), codes, scales)


def dequantize(
    codes: Proto, scales: Proto, plan: How, to: TypeLike, given: bool, cols: int | None
) -> tuple[Blocks, Proto]:
    """Returns the op and operands' shapes of ``dequantize``, and the shape and dtype of its result."""
    _block.check_number(plan, 1.0 if given else None, needed=True)
    shape = codes.shape or (1,)
    per_byte = 2 if _core.type_bits(plan.elem) == 4 else 1
    out = Proto((*shape[:-1], shape[-1] * per_byte if cols is None else cols), _core.dtype_of(to))
    op = plan._replace(eps=0.0, pow2=False).op(to, False, 1.0, "to")
    want, parts = _blocks(op, out, plan.elem)
    if want.shape != shape:
        raise ValueError(f"codes: its shape is {shape}, and not {want.shape}")
    if stack_of(parts.shape) != stack_of(scales.shape):
        raise ValueError(f"scales: its shape is {scales.shape}, and not {parts.shape}")
    _core.run_blocks(op, out.no_rows(), codes.no_rows(), scales.no_rows(), None, _block._DEQUANTIZE)
    return Blocks(op, False, False, stack_of(out.shape), Proto(shape, codes.dtype), scales), out


def _blocks(op: bytes, x: Proto, elem: TypeLike) -> tuple[Proto, Proto]:
    """Returns the shapes and dtypes of the codes and scales of a tensor."""
    if not x.shape:
        raise ValueError("x: of one dimension or more")
    _, rows, cols = stack_of(x.shape)
    row_bytes, scale_rows, scale_cols = _core.block_sizes(op, rows, cols)
    scales = (scale_cols,) if len(x.shape) == 1 else (*x.shape[:-2], scale_rows, scale_cols)
    dtype = _core.dtype_of(_core.block_scale(op))
    return Proto((*x.shape[:-1], row_bytes), _core.dtype_of(elem)), Proto(scales, dtype)
