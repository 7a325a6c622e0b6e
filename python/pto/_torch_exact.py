# SPDX-License-Identifier: MIT
"""``pto.torch.exact``: casts, minima, maxima and clamps of torch on the CPU with the bits of torch on an NVIDIA GPU.

A ``TorchDispatchMode`` replaces operators of ``torch.ops.aten`` below autograd, so gradients are computed as before.
``torch.compile`` ignores such a mode, so a pass of Inductor replaces the same operators in its graphs by operators of
``torch.ops.pto``. docs/integrations.md lists each decision with its source.
"""

from __future__ import annotations

import contextlib
import functools
import math
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from ._compare import testp, vcmp
from ._convert import cast, cvt
from ._masks import mask_count
from ._select import vclamp, vcmpsel, vmax, vmin, vsel
from .torch import _memory, _operator

_aten = torch.ops.aten

# ---- casts ----

_F64, _F32, _F16, _BF16 = torch.float64, torch.float32, torch.float16, torch.bfloat16
_E4M3, _E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
_E4M3FNUZ, _E5M2FNUZ, _E8M0 = torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu

# The floating-point types and libpto's names of them.
_FLOATS = {
    _F64: "f64",
    _F32: "f32",
    _F16: "f16",
    _BF16: "bf16",
    _E4M3: "e4m3",
    _E5M2: "e5m2",
    _E4M3FNUZ: "e4m3fnuz",
    _E5M2FNUZ: "e5m2fnuz",
    _E8M0: "ue8m0",
}
# The integer types, and the type to which CUDA converts a float for them; narrower ones take its low bits.
_INTEGERS = {
    torch.uint8: torch.int64,
    torch.int8: torch.int32,
    torch.int16: torch.int32,
    torch.int32: torch.int32,
    torch.int64: torch.int64,
    torch.uint16: torch.uint32,
    torch.uint32: torch.uint32,
    torch.uint64: torch.uint64,
}
_WIDE_INTEGERS = {torch.int32: "s32", torch.int64: "s64", torch.uint32: "u32", torch.uint64: "u64"}
# torch's own casts between these types have the bits of a GPU on every CPU.
_RIGHT = {(_F64, _F32), (_F32, _F64), (_BF16, _F32), (_BF16, _F64), (_E8M0, _F32), (_E8M0, _F64)}
_CODES = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}


class _Fix(NamedTuple):
    """Source codes with ``code CMP bound`` become ``result``. They are NaNs whose sign or payload is kept."""

    cmp: str
    bound: int
    result: int


# NaNs of torch's kernels that differ from those of PTX's cvt.
_FIXES = {
    (_E4M3, _F32): (_Fix("eq", 0x7F, 0x7FF00000), _Fix("eq", 0xFF, 0xFFF00000)),
    (_E5M2, _F32): (_Fix("gt", 0xFC, 0xFFFFFFFF),),
    (_E4M3FNUZ, _F32): (_Fix("eq", 0x80, 0x7F800001),),
    (_E5M2FNUZ, _F32): (_Fix("eq", 0x80, 0x7F800001),),
    (_E4M3, _E5M2): (_Fix("eq", 0xFF, 0xFF),),
    (_E5M2, _E4M3): (_Fix("gt", 0xFC, 0xFF),),
    (_BF16, _E5M2): (_Fix("gt", 0xFF80, 0xFF),),
}
_NEGATIVE_NAN = (_Fix("gt", 0xFF800000, 0xFF),)  # of f64 to e4m3, which is converted by way of f32


class _Step(NamedTuple):
    """One conversion. If ``by_torch``, torch's own has the right bits."""

    source: torch.dtype
    target: torch.dtype
    by_torch: bool = False
    fixes: tuple[_Fix, ...] = ()


def _step(source: torch.dtype, target: torch.dtype) -> _Step:
    return _Step(source, target, (source, target) in _RIGHT, _FIXES.get((source, target), ()))


@functools.cache
def _route(source: torch.dtype, target: torch.dtype, saturate: bool) -> tuple[_Step, ...] | None:
    """Returns the conversions that CUDA's kernel makes.

    Returns None if torch's cast on the CPU has the same bits and is about as fast.
    """
    if source not in _FLOATS or source == target or (source, target) in _RIGHT:
        return None
    if source in (_F64, _F32) and target == _E5M2 and not saturate:
        return None
    if target == _E8M0:
        return None if source in (_F64, _F32, _BF16) else (_step(source, _F32), _Step(_F32, _E8M0, by_torch=True))
    if target in _INTEGERS:
        wide = _INTEGERS[target]
        first = () if source in (_F64, _F32) else (_step(source, _F32),)
        last = () if wide == target else (_Step(wide, target, by_torch=True),)
        return (*first, _step(_F64 if source == _F64 else _F32, wide), *last)
    if target not in _FLOATS:
        return None
    if source == _F64:
        last_step = _step(_F32, target)
        return _step(_F64, _F32), last_step._replace(fixes=_NEGATIVE_NAN) if target == _E4M3 else last_step
    if target == _F64:
        return _step(source, _F32), _step(_F32, _F64)
    return (_step(source, target),)


def _run_step(x: Tensor, step: _Step, saturate: bool, out: Tensor) -> None:
    """Converts the contiguous tensor x to out."""
    source, target = step.source, step.target
    if step.by_torch:
        out.copy_(x)
        return
    src, to = _memory(x), _memory(out)
    if target in _INTEGERS:
        cvt(src, _WIDE_INTEGERS[target], src=_FLOATS[source], round="rzi", out=to)
        return
    if target == _E4M3:
        overflow = "saturate"
    elif not saturate:
        overflow = "ieee"
    elif target == _E5M2:
        overflow = "saturate"
    else:
        overflow = "saturate_finite" if target in (_E4M3FNUZ, _E5M2FNUZ) else "ieee"
    if target == _E4M3 and source in (_F32, _F16, _BF16):
        cvt(src, "e4m3", src=_FLOATS[source], round="rn", satfinite=True, out=to)
    elif source == _F16 and target == _F32:
        cvt(src, "f32", out=to)
    else:
        cast(src, _FLOATS[target], overflow=overflow, src=_FLOATS[source], out=to)
    codes, results = x.view(_CODES[x.element_size()]), out.view(_CODES[out.element_size()])
    for fix in () if saturate and target == _E5M2 else step.fixes:  # .satfinite has one NaN
        found = vcmp(codes, fix.bound, fix.cmp, mask="packed")
        if mask_count(found):
            vsel(fix.result, results, found, out=results)


def _convert_flat(x: Tensor, route: tuple[_Step, ...], saturate: bool, out: Tensor) -> None:
    """Converts the contiguous one-dimensional tensor x to out, in pieces that fit the caches."""
    piece = 1 << 17
    for i in range(0, x.numel(), piece) if len(route) > 1 else (0,):
        y, target = (x[i : i + piece], out[i : i + piece]) if len(route) > 1 else (x, out)
        for step in route[:-1]:
            wide = torch.empty(y.shape, dtype=step.target)
            _run_step(y, step, saturate, wide)
            y = wide
        _run_step(y, route[-1], saturate, target)


def _is_dense(x: Tensor) -> bool:
    """Returns whether the elements fill a piece of memory without gaps and overlaps."""
    return bool(x.is_contiguous() or _aten.is_non_overlapping_and_dense(x))


def _convert(x: Tensor, dtype: torch.dtype, saturate: bool, memory_format: Any = torch.preserve_format) -> Tensor:
    """Returns x with another dtype, with the strides that ``x.to(dtype)`` has."""
    route = _route(x.dtype, dtype, saturate)
    if route is None:
        return x.to(dtype, memory_format=memory_format)
    out = torch.empty_like(x, dtype=dtype, memory_format=memory_format)
    if x.numel() == 0:
        return out
    if x.stride() != out.stride() or not _is_dense(x):
        x = torch.empty_like(out, dtype=x.dtype).copy_(x)
    count = (x.numel(),)
    _convert_flat(x.as_strided(count, (1,)), route, saturate, out.as_strided(count, (1,)))
    return out


# ---- minima, maxima and clamps ----

_SELECTABLE = {_F64, _F32, _F16, _BF16, _E4M3, _E5M2, _E4M3FNUZ, _E5M2FNUZ}
_FLOAT8 = {_E4M3, _E5M2, _E4M3FNUZ, _E5M2FNUZ}
_EXTREMES: dict[str, tuple[Callable[..., Any], bool]] = {
    "maximum": (vmax, True),
    "minimum": (vmin, True),
    "fmax": (vmax, False),
    "fmin": (vmin, False),
}


_NEGATIVE_QUIET = 0xFFF8000000000000


def _empty_result(operands: tuple[Tensor, ...], dtype: torch.dtype) -> Tensor:
    """Returns an empty tensor with the shape and strides that an elementwise operator of torch gives its result."""
    first = operands[0]
    if len(operands) == 1:
        return torch.empty_like(first, dtype=dtype)
    if all(x.shape == first.shape and x.is_contiguous() for x in operands):
        return torch.empty(first.shape, dtype=dtype, device=first.device)
    metas = [torch.empty_strided(x.shape, x.stride(), dtype=_F32, device="meta") for x in operands]
    like = _aten.where(metas[0] > metas[-1], metas[1], metas[-1]) if len(metas) == 3 else _aten.maximum(*metas)
    return torch.empty_strided(like.shape, like.stride(), dtype=dtype, device=first.device)


def _extreme(name: str, a: Tensor, b: Tensor, out: Tensor) -> None:
    """Sets ``out`` to the results of an operator of _EXTREMES. A NaN is kept as it is: a's first, then b's."""
    select, keeps_nan = _EXTREMES[name]
    kind = _FLOATS[a.dtype]
    x, y, z = _memory(a), _memory(b), _memory(out)
    select(x, y, propagate_nan=keeps_nan, type=kind, out=z)
    if a.dtype in _FLOAT8 or not (keeps_nan or a.dtype == _F64):
        return
    nans = testp(z, "notanumber", mask="packed", type=kind)
    if mask_count(nans) == 0:
        return
    if keeps_nan:
        vcmpsel(y, y, "neu", y, z, type=kind, out=z)
        vcmpsel(x, x, "neu", x, z, type=kind, out=z)
    else:  # CUDA's fmax and fmin of two f64 NaNs return the first if it is negative and quiet, otherwise the second
        codes, results = x.expand_as(z).view(torch.uint64), z.view(torch.uint64)
        vsel(codes, results, vcmp(codes, _NEGATIVE_QUIET, "ge", nans, mask="packed"), out=results)


def _clamp(x: Tensor, low: Tensor | None, high: Tensor | None, out: Tensor) -> None:
    """Sets ``out`` to min(max(x, low), high). A NaN is kept as it is: x's first, then low's."""
    if low is None or high is None:
        if low is not None:
            _extreme("maximum", x, low, out)
        elif high is not None:
            _extreme("minimum", x, high, out)
        return
    kind = _FLOATS[x.dtype]
    a, b, c, y = _memory(x).expand(out.shape), _memory(low), _memory(high), _memory(out)
    vclamp(a, b, c, propagate_nan=True, type=kind, out=y)
    if x.dtype not in _FLOAT8 and mask_count(testp(y, "notanumber", mask="packed", type=kind)):
        larger = torch.empty(torch.broadcast_shapes(x.shape, low.shape), dtype=x.dtype)
        _extreme("maximum", x, low, larger)
        _extreme("minimum", larger, high, out)


def _compute(operands: tuple[Tensor, ...], out: Tensor, write: Callable[..., None]) -> Tensor:
    """Returns ``out`` after ``write(*operands, out)``, which gets tensors of at least one dimension in C order."""
    if out.numel():
        whole = [x.reshape(1) if out.dim() == 0 else x for x in operands]
        made = out if out.is_contiguous() else torch.empty(out.shape, dtype=out.dtype)
        write(*whole, made.view(1) if out.dim() == 0 else made)
        if made is not out:
            out.copy_(made)
    return out


def _as_tensor(x: Any, dtype: torch.dtype, saturate: bool) -> Tensor:
    """Returns an operand as a tensor of a dtype. CUDA's kernels round a number to f32 first, except for f64."""
    if isinstance(x, Tensor):
        return x if x.dtype == dtype else _convert(x, dtype, saturate)
    made = torch.full((), float(x), dtype=_F64)
    return made if dtype == _F64 else _convert(made.to(_F32), dtype, saturate) if dtype != _F32 else made.to(_F32)


def _common_dtype(x: Tensor, *others: Any) -> torch.dtype:
    """Returns the dtype of a clamp's result, to which torch promotes all operands at once."""
    tensors = [y for y in (x, *others) if isinstance(y, Tensor)]
    if len(tensors) == 3 and any(y.dtype != x.dtype for y in tensors):
        metas = [torch.empty((1,) * y.dim(), dtype=y.dtype, device="meta") for y in tensors]
        return _aten.clamp(*metas).dtype
    dtype = x.dtype
    for other in others:
        if other is not None:
            dtype = torch.promote_types(dtype, torch.result_type(x, other))
    return dtype


def _chosen(name: str, operands: tuple[Any, ...], saturate: bool) -> Tensor | None:
    """Returns the result of an operator of _EXTREMES or of clamp, or None if torch's own must be called.

    Those are calls with other types, with mixed float8 types, which torch refuses, and clamps to a NaN.
    """
    x = operands[0]
    dtype = torch.result_type(*operands) if name in _EXTREMES else _common_dtype(*operands)
    if dtype not in _SELECTABLE or all(y is None for y in operands[1:]):
        return None
    if any(isinstance(y, float) and math.isnan(y) for y in operands[1:]):
        return None
    if dtype in _FLOAT8 and any(isinstance(y, Tensor) and y.dtype != dtype for y in operands):
        return None
    given = [None if y is None else _as_tensor(y, dtype, saturate) for y in operands]
    tensors = tuple(y for y in given if y is not None)
    shaped = tuple(y for y, was in zip(given, operands, strict=True) if isinstance(was, Tensor) and y is not None)
    out = _empty_result(shaped if len(shaped) > 1 else (x,), dtype)
    if name in _EXTREMES:
        return _compute(tensors, out, functools.partial(_extreme, name))
    if len(tensors) == 3:
        return _compute(tensors, out, _clamp)
    single = "minimum" if given[1] is None else "maximum"
    return _compute(tensors, out, functools.partial(_extreme, single))


def _ordered(cmp: str, a: Tensor, b: Any, saturate: bool) -> Tensor | None:
    """Returns a comparison of float8 by value, or None for other types, which torch compares exactly."""
    if a.dtype not in _FLOAT8 or (isinstance(b, Tensor) and b.dtype != a.dtype):
        return None
    other = _as_tensor(b, a.dtype, saturate)
    out = _empty_result((a, b) if isinstance(b, Tensor) else (a,), torch.bool)
    kind = _FLOATS[a.dtype]

    def compare(x: Tensor, y: Tensor, z: Tensor) -> None:
        vcmp(_memory(x), _memory(y), cmp, type=kind, out=z)

    return _compute((a, other), out, compare)


# ---- operators for compiled graphs ----


@_operator("exact_cast", "(Tensor x, ScalarType dtype, bool saturate) -> Tensor")
def _exact_cast(x: Tensor, dtype: torch.dtype, saturate: bool) -> Tensor:
    return _convert(x, dtype, saturate)


def _exact_cast_fake(x: Tensor, dtype: torch.dtype, saturate: bool) -> Tensor:
    return torch.empty_like(x, dtype=dtype)


_exact_cast.register_fake(_exact_cast_fake)


def _only(*operands: Any) -> tuple[Any, ...]:
    """Returns the operands of an operator of ``pto::exact_select``: a tensor wins over the number of its place."""
    a, b, c, low, high = operands
    return a, low if b is None else b, high if c is None else c


@_operator(
    "exact_select", "(str name, Tensor a, Tensor? b, Tensor? c, float? low, float? high, bool saturate) -> Tensor"
)
def _exact_select(
    name: str, a: Tensor, b: Tensor | None, c: Tensor | None, low: float | None, high: float | None, saturate: bool
) -> Tensor:
    operands = _only(a, b, c, low, high)
    made = _chosen(name, operands[:2] if name in _EXTREMES else operands, saturate)
    if made is None:  # a clamp to a NaN
        result: Tensor = getattr(torch, name)(*operands)
        return result
    return made


def _exact_select_fake(
    name: str, a: Tensor, b: Tensor | None, c: Tensor | None, low: float | None, high: float | None, saturate: bool
) -> Tensor:
    operands = _only(a, b, c, low, high)
    tensors = tuple(x for x in operands if isinstance(x, Tensor))
    dtype = torch.result_type(*operands[:2]) if name in _EXTREMES else _common_dtype(*operands)
    return _empty_result(tensors, dtype)


_exact_select.register_fake(_exact_select_fake)


# ---- the mode ----


def _is_plain(*operands: Any) -> bool:
    """Returns whether all tensors among the operands are ordinary ones in CPU memory."""
    for x in operands:
        if isinstance(x, Tensor) and (
            type(x) not in (Tensor, torch.nn.Parameter) or x.device.type != "cpu" or x.layout != torch.strided
        ):
            return False
    return True


def _bounds(x: Tensor, low: Any = None, high: Any = None, *, min: Any = None, max: Any = None) -> tuple[Any, ...]:
    return x, low if min is None else min, high if max is None else max


def _lower(x: Tensor, min: Any) -> tuple[Any, ...]:
    return x, min, None


def _upper(x: Tensor, max: Any) -> tuple[Any, ...]:
    return x, None, max


def _tanh_bounds(x: Tensor, min_val: Any = -1, max_val: Any = 1) -> tuple[Any, ...]:
    """Unlike clamp, hardtanh of integers returns integers, so it is left to torch."""
    return (x, min_val, max_val) if x.is_floating_point() else (x, None, None)


def _relu_bounds(x: Tensor) -> tuple[Any, ...]:
    return x, 0, None


def _both(a: Tensor, other: Tensor) -> tuple[Any, ...]:
    return a, other


class _Call(NamedTuple):
    """How to compute an operator: by _chosen or _ordered, with operands that ``operands`` makes of its arguments."""

    name: str
    operands: Callable[..., tuple[Any, ...]]

    def compute(self, args: tuple[Any, ...], kwargs: dict[str, Any], saturate: bool) -> Tensor | None:
        operands = self.operands(*args, **kwargs)
        if not _is_plain(*operands):
            return None
        if self.name in ("lt", "le", "gt", "ge"):
            a, b = operands
            return _ordered(self.name, a, b, saturate)
        return _chosen(self.name, operands, saturate)


_CALLS: dict[Any, _Call] = {}  # operators that return a new tensor
_OUT_CALLS: dict[Any, _Call] = {}  # operators with out=
_INPLACE_CALLS: dict[Any, _Call] = {}  # operators that write to their first operand


def _add_calls() -> None:
    packets: list[tuple[str, str, Callable[..., tuple[Any, ...]]]] = [
        *((name, name, _both) for name in (*_EXTREMES, "lt", "le", "gt", "ge")),
        ("clamp", "clamp", _bounds),
        ("clip", "clamp", _bounds),
        ("clamp_min", "clamp", _lower),
        ("clamp_max", "clamp", _upper),
        ("hardtanh", "clamp", _tanh_bounds),
        ("relu", "clamp", _relu_bounds),
    ]
    for packet, name, operands in packets:
        for table, suffix in ((_CALLS, ""), (_INPLACE_CALLS, "_")):
            operator = getattr(_aten, packet + suffix, None)
            for overload in operator.overloads() if operator is not None else ():
                function = getattr(operator, overload)
                has_out = any(argument.is_out for argument in function._schema.arguments)
                (_OUT_CALLS if has_out else table)[function] = _Call(name, operands)


_add_calls()


# Its attribute ``mode`` is the mode whose __torch_dispatch__ the thread executes. Operators that it leaves to torch
# reach the modes around it, which then do nothing. Threads of autograd inherit the modes, but not this variable.
_active = threading.local()


class _ExactMode(TorchDispatchMode):  # type: ignore[misc]
    """Replaces operators on ordinary CPU tensors. All others are called as they are."""

    def __init__(self, saturate: bool) -> None:
        super().__init__()
        self.saturate = saturate

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        return True  # otherwise torch.compile would not compile

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(_active, "mode", None) is not None:
            return func(*args, **kwargs)
        _active.mode = self
        try:
            return self.call(func, args, kwargs)
        finally:
            _active.mode = None

    def call(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        made = None
        if func is _aten._to_copy.default:
            made = self.cast(*args, **kwargs)
        elif func is _aten.copy_.default:
            made = self.copy(*args)
        elif func in _CALLS:
            made = _CALLS[func].compute(args, kwargs, self.saturate)
        elif func in _OUT_CALLS or func in _INPLACE_CALLS:
            made = self.write(func, args, dict(kwargs))
        elif func in (_aten.where.self, _aten.where.self_out):
            args = self.widened(*args)
        return func(*args, **kwargs) if made is None else made

    def cast(
        self,
        x: Tensor,
        *,
        dtype: torch.dtype | None = None,
        layout: Any = None,
        device: Any = None,
        pin_memory: bool | None = None,
        non_blocking: bool = False,
        memory_format: Any = None,
    ) -> Tensor | None:
        """Returns x with another dtype, or None if torch's own cast is right."""
        stays = device is None or torch.device(device).type == "cpu"
        if (
            dtype is None
            or pin_memory
            or not stays
            or not _is_plain(x)
            or _route(x.dtype, dtype, self.saturate) is None
        ):
            return None
        return _convert(x, dtype, self.saturate, memory_format or torch.preserve_format)

    def copy(self, target: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor | None:
        """Copies with a cast, or returns None if torch's own copy is right."""
        if not _is_plain(target, source) or _route(source.dtype, target.dtype, self.saturate) is None:
            return None
        return target.copy_(_convert(source, target.dtype, self.saturate))

    def write(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Tensor | None:
        """Computes an operator that writes to a tensor. Returns None if torch's own must do it, or report an error."""
        if func in _INPLACE_CALLS:
            target, made = args[0], _INPLACE_CALLS[func].compute(args, kwargs, self.saturate)
            if made is None or made.shape != target.shape:
                return None
        else:
            target = kwargs.pop("out")
            made = _OUT_CALLS[func].compute(args, kwargs, self.saturate) if _is_plain(target) else None
            if made is None:
                return None
        if not torch.can_cast(made.dtype, target.dtype):
            return None
        if made.shape != target.shape:
            target.resize_(made.shape)
        return target.copy_(_convert(made, target.dtype, self.saturate))

    def widened(self, condition: Tensor, *values: Tensor) -> tuple[Any, ...]:
        """Returns the operands of where, the values cast to their common dtype."""
        a, b = values
        if a.dtype == b.dtype or not _is_plain(a, b):
            return condition, a, b
        dtype = torch.result_type(a, b)
        return condition, _convert(a, dtype, self.saturate), _convert(b, dtype, self.saturate)


class _Guard(TorchFunctionMode):  # type: ignore[misc]
    """Does nothing. Code that torch.compile made outside of ``exact`` is not used inside, because modes are guarded."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class _SaturateGuard(_Guard):
    """The guard of ``exact(saturate=True)``: modes are guarded by their class."""


def _cast_operands(graph: torch.fx.Graph, node: torch.fx.Node, saturate: bool) -> None:
    """Casts the values of where, and the source of copy, to the dtype of the result."""
    dtype = node.meta["val"].dtype
    for i in (1, 2) if node.target is _aten.where.self else (1,):
        source = node.args[i]
        x = source.meta.get("val")
        if isinstance(x, Tensor) and x.device.type == "cpu" and _route(x.dtype, dtype, saturate) is not None:
            with graph.inserting_before(node):
                cast_node = graph.call_function(torch.ops.pto.exact_cast.default, (source, dtype, saturate))
            cast_node.meta["val"] = _exact_cast_fake(x, dtype, saturate)
            node.update_arg(i, cast_node)


def _as_node(graph: torch.fx.Graph, before: torch.fx.Node, x: Any) -> torch.fx.Node | None:
    """Returns an operand as a node with a tensor: a symbolic number becomes a tensor without dimensions."""
    if not isinstance(x, torch.fx.Node) or isinstance(x.meta.get("val"), Tensor):
        return x if isinstance(x, torch.fx.Node) else None
    value = before.meta["val"]
    dtype = _F64 if value.dtype == _F64 else _F32
    with graph.inserting_before(before):
        made = graph.call_function(_aten.scalar_tensor.default, (x,), {"dtype": dtype, "device": value.device})
    made.meta["val"] = value.new_empty((), dtype=dtype)
    return made


def _replace_nodes(graph: torch.fx.Graph, saturate: bool) -> None:
    """Replaces casts, minima, maxima and clamps on the CPU in a graph of Inductor."""
    for node in list(graph.nodes):
        if node.op != "call_function":
            continue
        value = node.meta.get("val")
        if not isinstance(value, Tensor) or value.device.type != "cpu":
            continue
        new: tuple[Any, tuple[Any, ...]] | None = None
        if node.target in (torch.ops.prims.convert_element_type.default, _aten._to_copy.default):
            source = node.args[0].meta.get("val")
            others = {key for key, given in node.kwargs.items() if given is not None} - {"dtype"}
            if isinstance(source, Tensor) and not others and _route(source.dtype, value.dtype, saturate) is not None:
                new = torch.ops.pto.exact_cast.default, (node.args[0], value.dtype, saturate)
        elif node.target in (_aten.where.self, _aten.copy.default):
            _cast_operands(graph, node, saturate)
        elif node.target in _CALLS and value.dtype in _SELECTABLE:
            call = _CALLS[node.target]
            operands = (*call.operands(*node.args, **node.kwargs), None)[:3]
            nodes = [_as_node(graph, node, x) for x in operands]
            numbers = [float(x) if isinstance(x, (int, float)) else None for x in operands[1:]]
            new = torch.ops.pto.exact_select.default, (call.name, *nodes, *numbers, saturate)
        if new is not None:
            with graph.inserting_before(node):
                replacement = graph.call_function(*new)
            replacement.meta.update(node.meta)
            node.replace_all_uses_with(replacement)
            graph.erase_node(node)


@functools.cache
def _graph_pass(saturate: bool) -> Any:
    """Returns the pass for Inductor, whose cache of compiled code distinguishes passes by their uuid."""
    from torch._inductor.custom_graph_pass import CustomGraphPass, get_hash_for_files

    class ExactPass(CustomGraphPass):  # type: ignore[misc]
        def __call__(self, graph: torch.fx.Graph) -> None:
            _replace_nodes(graph, saturate)

        def uuid(self) -> Any:
            return get_hash_for_files((__file__,), f"saturate={saturate}")

    return ExactPass()


@contextlib.contextmanager
def exact(saturate: bool) -> Iterator[None]:
    """Implements ``pto.torch.exact``."""
    if torch.compiler.is_compiling():
        raise RuntimeError("pto.torch.exact: enter it outside of the function that torch.compile compiles")
    from torch._inductor import config
    from torch._inductor.custom_graph_pass import get_custom_graph_passes

    own = (_graph_pass(False), _graph_pass(True))
    others = [other for other in get_custom_graph_passes(config.joint_custom_pre_pass) if other not in own]
    mode, outer = _ExactMode(saturate), getattr(_active, "mode", None)
    with (
        config.patch(joint_custom_pre_pass=[*others, own[saturate]], emulate_precision_casts=True),
        _SaturateGuard() if saturate else _Guard(),
        mode,
    ):
        _active.mode = None  # this block may be in the implementation of an operator that an outer mode has called
        try:
            yield
        finally:
            _active.mode = outer


__all__ = ["exact"]
