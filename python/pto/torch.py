# SPDX-License-Identifier: MIT
"""libpto as operators of torch, for tensors on the CPU: in eager programs and under ``torch.compile``.

The functions have the names and exactly the results of those in ``pto``, as tensors. Each is an operator in
``torch.ops.pto`` with a shape function, so that ``torch.compile(fullgraph=True)`` and fake tensors accept it. In eager
programs the functions of ``pto`` are called directly, without torch's dispatcher, unless a mode, a tracer or the
profiler is active or a tensor requires a gradient. Errors have the same messages as those of ``pto``; under
``torch.compile`` they are raised while the program is traced, inside an error of torch. Derivatives are not supported.
In operands and results, 4-bit elements are uint8 with two in a byte, and 6-bit elements are uint8.

``with pto.torch.exact():`` gives torch's own casts, minima, maxima and clamps on the CPU the bits of an NVIDIA GPU.

>>> import torch, pto.torch
>>> pto.torch.cvt("cvt.rn.satfinite.e4m3x2.f32", torch.tensor([0.3, -1000.0])).float().tolist()
[0.3125, -448.0]
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import torch
from torch import Tensor

from . import _block, _convert, _core, _prototypes, _select
from ._block import How
from ._prototypes import CvtParts, Proto, Shape

Number: TypeAlias = float
Type: TypeAlias = "str | torch.dtype"


class Quantized(NamedTuple):
    """A quantized tensor: as ``pto.Quantized``, except that ``tensor``, the second-level value, is a tensor of f32."""

    codes: Tensor
    scales: Tensor
    elem: str
    rule: str
    block: tuple[int, int]
    tensor: Tensor | None
    two_level: bool
    cols: int

    def dequantize(self, *, to: Type = "f32") -> Tensor:
        """Returns the values; the same as ``pto.torch.dequantize(q, to=...)``."""
        return dequantize(self, to=to)


# ---- types ----

# torch's dtypes by PTX's names, without those that an older torch lacks.
_DTYPES: dict[str, torch.dtype] = {
    name: getattr(torch, dtype)
    for name, dtype in {
        "u8": "uint8",
        "u16": "uint16",
        "u32": "uint32",
        "u64": "uint64",
        "s8": "int8",
        "s16": "int16",
        "s32": "int32",
        "s64": "int64",
        "f16": "float16",
        "bf16": "bfloat16",
        "f32": "float32",
        "f64": "float64",
        "e4m3": "float8_e4m3fn",
        "e5m2": "float8_e5m2",
        "e4m3fnuz": "float8_e4m3fnuz",
        "e5m2fnuz": "float8_e5m2fnuz",
        "ue8m0": "float8_e8m0fnu",
        "e2m1": "float4_e2m1fn_x2",
    }.items()
    if hasattr(torch, dtype)
}
_NAMES: dict[Any, str] = {dtype: name for name, dtype in _DTYPES.items()} | {torch.bool: "u8"}
_UNSIGNED = {8: torch.uint8, 16: torch.uint16, 32: torch.uint32, 64: torch.uint64}


def _name(type: Type | None) -> str | None:
    """Returns PTX's name of a torch.dtype, and other arguments unchanged."""
    return _NAMES[type] if isinstance(type, torch.dtype) else type


def _result(name: str) -> torch.dtype:
    """Returns the torch.dtype of results of a type: uint8 for e2m1, unsigned integers for types that torch lacks."""
    if name == "tf32":
        return torch.float32
    bits = max(8, _core.type_bits(name))
    return _UNSIGNED[bits] if name == "e2m1" or name not in _DTYPES else _DTYPES[name]


def _proto(x: Tensor, name: str) -> Proto:
    """Returns the shape and NumPy dtype of a tensor, which may be fake. Only the last dimension is made an int.

    The others may be symbolic.
    """
    if x.dtype not in _NAMES:
        raise TypeError(f"{name}: libpto has no type for {x.dtype}")
    type = _NAMES[x.dtype]
    dtype = np.dtype(np.uint8) if type == "e2m1" else _core.dtype_of(type)
    return Proto((*x.shape[:-1], int(x.shape[-1])) if x.dim() else (), dtype)


def _whole(x: Tensor, name: str) -> Proto:
    """Returns the same as _proto, with all dimensions as ints."""
    return Proto(tuple(int(n) for n in x.shape), _proto(x, name).dtype)


def _memory(x: Tensor) -> Tensor:
    """Returns a tensor over the same memory whose dtype every version of torch can export: float8 becomes uint8."""
    x = x.detach()
    return x.view(torch.uint8) if x.dtype.itemsize == 1 and x.dtype.is_floating_point else x


# Functions of torch that report whether something intercepts the dispatcher. An older torch lacks some.
_WATCHERS: tuple[Callable[[], Any] | None, ...] = (
    getattr(torch._C, "_len_torch_dispatch_stack", None),
    getattr(torch._C, "_is_torch_function_mode_enabled", None),
    getattr(torch._C, "_get_tracing_state", None),
    getattr(getattr(torch._C, "_functorch", None), "peek_interpreter_stack", None),
    getattr(torch._C._autograd, "_profiler_enabled", None),
)
_CAN_WATCH = all(watcher is not None for watcher in _WATCHERS)
_stack, _modes, _tracing, _transforms, _profiling = cast("tuple[Callable[[], Any], ...]", _WATCHERS)


def _is_direct(*operands: Any) -> bool:
    """Returns whether a call can bypass the dispatcher, which takes longer than the work on a small tensor."""
    if torch.compiler.is_compiling() or not _CAN_WATCH:
        return False
    if _stack() or _modes() or _tracing() is not None or _transforms() is not None or _profiling():
        return False
    for x in operands:
        if x.__class__ is Tensor:
            if x.requires_grad:
                return False
        elif isinstance(x, Tensor):
            return False
    return True


def _check_tensor(x: Any, name: str) -> None:
    """Raises TypeError if x is neither a tensor nor an object that stands for one, as in torch.fx."""
    if not isinstance(x, Tensor) and not hasattr(x, "__torch_function__"):
        raise TypeError(f"{name}: a tensor is wanted, not {type(x).__name__}")


def _words(x: Tensor | None) -> Tensor | None:
    """Returns random words as uint32; torch generates them as int32."""
    return x.view(torch.uint32) if x is not None and x.dtype == torch.int32 else x


def _operator(name: str, schema: str) -> Callable[[Callable[..., Any]], Any]:
    made: Any = torch.library.custom_op(f"pto::{name}", mutates_args=(), device_types="cpu", schema=schema)
    return lambda function: made(function)


# ---- conversion ----


def _cvt_op(x: Tensor, form: str, by_text: bool, parts: CvtParts) -> tuple[bytes, torch.dtype]:
    if not by_text and parts.src is None:
        parts = parts._replace(src=_NAMES.get(x.dtype))
    op = _prototypes.cvt_op(form, _proto(x, "x").dtype, parts, by_text)
    return op, _result(_core.cvt_fields(op)[0])


def _cvt_like(
    x: Tensor, form: str, by_text: bool, rbits: Tensor | None, scales: Tensor | None, *parts: Any
) -> tuple[bytes, Tensor]:
    """Returns the op, and an empty tensor for its result."""
    op, dtype = _cvt_op(x, form, by_text, CvtParts(*parts))
    words = None if rbits is None else _proto(rbits, "rbits")
    factors = None if scales is None else _proto(scales, "scales")
    shape = _prototypes.cvt(op, _proto(x, "x"), words, factors).shape
    return op, torch.empty(shape, dtype=dtype, device=x.device)


@_operator(
    "cvt",
    "(Tensor x, str form, bool by_text, Tensor? rbits, Tensor? scales, str? src, str? round, bool ftz, bool sat, "
    "bool satfinite, bool relu, bool pzo, str? scale) -> Tensor",
)
def _cvt(x: Tensor, form: str, by_text: bool, rbits: Tensor | None, scales: Tensor | None, *parts: Any) -> Tensor:
    op, out = _cvt_like(x, form, by_text, rbits, scales, *parts)
    extra = rbits if scales is None else scales
    _core.cvt(op, _memory(x), None if extra is None else _memory(extra), _memory(out))
    return out


def _cvt_fake(*args: Any) -> Tensor:
    return _cvt_like(*args)[1]


_cvt.register_fake(_cvt_fake)


def cvt(
    a: Any,
    b: Any,
    /,
    rbits: Tensor | None = None,
    *,
    scales: Tensor | None = None,
    src: Type | None = None,
    round: str | None = None,
    ftz: bool = False,
    sat: bool = False,
    satfinite: bool = False,
    relu: bool = False,
    pzo: bool = False,
    scale: str | None = None,
) -> Tensor:
    """Convert elements as ``pto.cvt``: ``cvt(text, x)`` or ``cvt(x, to, round=..., ...)``.

    Types are PTX's names or torch's dtypes. ``rbits`` may have dtype int32 or uint32.

    >>> import torch, pto.torch
    >>> x = torch.tensor([1.0, -1000.0, 0.3])
    >>> pto.torch.cvt(x, torch.float8_e4m3fn, round="rn", satfinite=True).float().tolist()
    [1.0, -448.0, 0.3125]
    """
    by_text = isinstance(a, str)
    if _is_direct(a, b, rbits, scales) and isinstance(b if by_text else a, Tensor):
        named: dict[str, Any] = {}
        if not by_text or src is not None or round or ftz or sat or satfinite or relu or pzo or scale:
            named = {"src": src, "round": round, "ftz": ftz, "sat": sat, "satfinite": satfinite}
            named |= {"relu": relu, "pzo": pzo, "scale": scale}
        direct: Any = _convert.cvt(a, b, _words(rbits), scales=scales, **named)
        return cast(Tensor, direct)
    x, form = (b, a) if by_text else (a, _name(b))
    _check_tensor(x, "x")
    parts = (_name(src), round, ftz, sat, satfinite, relu, pzo, scale)
    result: Tensor = torch.ops.pto.cvt(x, form, by_text, _words(rbits), scales, *parts)
    return result


# ---- selection ----


def _chosen(call: Callable[..., Any], operands: tuple[Tensor, ...], type: str | None) -> Tensor:
    """Returns an empty tensor for the result. The dtypes are checked by making the call without elements."""
    names = ("x", "y", "u", "v") if len(operands) == 4 else ("a", "b")
    protos = [_proto(x, name) for x, name in zip(operands, names, strict=True)]
    call(*(np.empty(0, p.dtype) for p in protos), None)
    shape = _prototypes.together(names, (x.shape for x in operands), torch.broadcast_shapes)
    return torch.empty(shape, dtype=_result(type or _NAMES[operands[0].dtype]), device=operands[0].device)


def _choose(call: Callable[..., Any], operands: tuple[Tensor, ...], type: str | None) -> Tensor:
    out = _chosen(call, operands, type)
    call(*(_memory(x) for x in operands), _memory(out))
    return out


def _vcmpsel_call(cmp: str, ftz: bool, type: str | None) -> Callable[..., Any]:
    flags = _core.FTZ if ftz else 0
    return lambda x, y, u, v, out: _core.vcmpsel(x, y, u, v, flags, type, out, cmp)


@_operator("vcmpsel", "(Tensor x, Tensor y, str cmp, Tensor u, Tensor v, bool ftz, str? type) -> Tensor")
def _vcmpsel(x: Tensor, y: Tensor, cmp: str, u: Tensor, v: Tensor, ftz: bool, type: str | None) -> Tensor:
    return _choose(_vcmpsel_call(cmp, ftz, type), (x, y, u, v), type)


def _vcmpsel_fake(x: Tensor, y: Tensor, cmp: str, u: Tensor, v: Tensor, ftz: bool, type: str | None) -> Tensor:
    return _chosen(_vcmpsel_call(cmp, ftz, type), (x, y, u, v), type)


_vcmpsel.register_fake(_vcmpsel_fake)


def _larger(which: Callable[..., Any], type: str | None, *flags: bool) -> Callable[..., Any]:
    bits = _select._flags(*flags)
    return lambda a, b, out: which(a, b, bits, type, out)


_LARGER = "(Tensor a, Tensor b, bool propagate_nan, bool ftz, bool xorsign_abs, str? type) -> Tensor"


@_operator("vmax", _LARGER)
def _vmax(a: Tensor, b: Tensor, nan: bool, ftz: bool, xorsign: bool, type: str | None) -> Tensor:
    return _choose(_larger(_core.vmax, type, nan, ftz, xorsign), (a, b), type)


def _vmax_fake(a: Tensor, b: Tensor, nan: bool, ftz: bool, xorsign: bool, type: str | None) -> Tensor:
    return _chosen(_larger(_core.vmax, type, nan, ftz, xorsign), (a, b), type)


_vmax.register_fake(_vmax_fake)


@_operator("vmin", _LARGER)
def _vmin(a: Tensor, b: Tensor, nan: bool, ftz: bool, xorsign: bool, type: str | None) -> Tensor:
    return _choose(_larger(_core.vmin, type, nan, ftz, xorsign), (a, b), type)


def _vmin_fake(a: Tensor, b: Tensor, nan: bool, ftz: bool, xorsign: bool, type: str | None) -> Tensor:
    return _chosen(_larger(_core.vmin, type, nan, ftz, xorsign), (a, b), type)


_vmin.register_fake(_vmin_fake)


_is_constant: Any = torch.compiler.assume_constant_result  # torch.compile calls the function instead of tracing it


def _rounded(x: Number, type: str) -> Number:
    """Returns x rounded once to the type. torch would round twice: to f32, and then to f16 or bf16."""
    made = _core.number(x, type, "a number")
    wide = _convert.cvt(made, "f32", src=type) if type == "bf16" else made
    return cast(Number, wide.item())


_is_constant(_rounded)


def _tensors(operands: tuple[Tensor | Number, ...], type: str | None) -> list[Tensor]:
    """Returns the operands, with numbers converted to tensors of the type of the others."""
    like = _like(operands)
    made: list[Tensor] = []
    for x in operands:
        if isinstance(x, Tensor):
            made.append(x)
            continue
        dtype = like if type is None else _DTYPES.get(type, like)
        made.append(torch.full((), _rounded(x, _NAMES[dtype]), dtype=dtype).view(like))
    return made


def _like(operands: tuple[Tensor | Number, ...]) -> torch.dtype:
    for x in operands:
        if isinstance(x, Tensor):
            return x.dtype
    raise TypeError("one of the operands must be a tensor")


def vcmpsel(
    x: Tensor | Number,
    y: Tensor | Number,
    cmp: str,
    u: Tensor | Number,
    v: Tensor | Number,
    *,
    ftz: bool = False,
    type: Type | None = None,
) -> Tensor:
    """Return ``(x CMP y) ? u : v``, as ``pto.vcmpsel``. Shapes broadcast.

    >>> import torch, pto.torch
    >>> x = torch.tensor([-2.0, 3.0, torch.nan])
    >>> pto.torch.vcmpsel(x, 0, "lt", 0, x)
    tensor([0., 3., nan])
    """
    name = _name(type)
    if _is_direct(x, y, u, v):
        _like((x, y, u, v))
        return cast(Tensor, _core.vcmpsel(x, y, u, v, _core.FTZ if ftz else 0, name, None, cmp))
    x, y, u, v = _tensors((x, y, u, v), name)
    result: Tensor = torch.ops.pto.vcmpsel(x, y, cmp, u, v, ftz, name)
    return result


def vmax(
    a: Tensor | Number,
    b: Tensor | Number,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    xorsign_abs: bool = False,
    type: Type | None = None,
) -> Tensor:
    """Return the larger of two elements, as ``pto.vmax``. Shapes broadcast.

    >>> import torch, pto.torch
    >>> pto.torch.vmax(torch.tensor([1, torch.nan, -0.0]), 0)
    tensor([1., 0., 0.])
    """
    name = _name(type)
    if _is_direct(a, b):
        _like((a, b))
        return cast(Tensor, _core.vmax(a, b, _select._flags(propagate_nan, ftz, xorsign_abs), name, None))
    a, b = _tensors((a, b), name)
    result: Tensor = torch.ops.pto.vmax(a, b, propagate_nan, ftz, xorsign_abs, name)
    return result


def vmin(
    a: Tensor | Number,
    b: Tensor | Number,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    xorsign_abs: bool = False,
    type: Type | None = None,
) -> Tensor:
    """Return the smaller of two elements, as ``pto.vmin``. Parameters are as in ``vmax``.

    >>> import torch, pto.torch
    >>> pto.torch.vmin(torch.tensor([1, torch.nan, -0.0]), 0)
    tensor([0., 0., -0.])
    """
    name = _name(type)
    if _is_direct(a, b):
        _like((a, b))
        return cast(Tensor, _core.vmin(a, b, _select._flags(propagate_nan, ftz, xorsign_abs), name, None))
    a, b = _tensors((a, b), name)
    result: Tensor = torch.ops.pto.vmin(a, b, propagate_nan, ftz, xorsign_abs, name)
    return result


# ---- block scaling ----


def _empty(proto: Shape, type: str, x: Tensor) -> Tensor:
    return torch.empty(proto, dtype=_result(type), device=x.device)


def _plan(*given: Any) -> tuple[Any, ...]:
    """Returns the fields of the ``How`` that ``_block.how`` makes, as a plain tuple."""
    return tuple(_block.how(*given))


_is_constant(_plan)


def _how(elem: str, rule: str, block: list[int], *rest: Any) -> How:
    return How(elem, rule, (int(block[0]), int(block[1])), *rest)


def _given(tensor: Tensor | None) -> bool:
    if tensor is not None and (tensor.dim() != 0 or tensor.dtype != torch.float32):
        raise TypeError(f"tensor: a number of f32 is wanted, not {tensor.dtype} of shape {tuple(tensor.shape)}")
    return tensor is not None


_PLAN = "str elem, str rule, int[] block, bool two_level, float eps, bool pow2"


def _quantize_fake(x: Tensor, tensor: Tensor | None, rbits: Tensor | None, *plan: Any) -> tuple[Tensor, Tensor, Tensor]:
    words = None if rbits is None else _whole(rbits, "rbits")
    how = _how(*plan)
    b = _prototypes.quantize(_whole(x, "x"), how, _given(tensor), words)
    codes = _empty(b.codes.shape, how.elem, x)
    scales = _empty(b.scales.shape, _core.block_scale(b.op), x)
    return codes, scales, torch.empty(() if b.find else (0,), device=x.device)


@_operator("quantize", f"(Tensor x, Tensor? tensor, Tensor? rbits, {_PLAN}) -> (Tensor, Tensor, Tensor)")
def _quantize(x: Tensor, tensor: Tensor | None, rbits: Tensor | None, *plan: Any) -> tuple[Tensor, Tensor, Tensor]:
    codes, scales, found = _quantize_fake(x, tensor, rbits, *plan)
    how = _how(*plan)
    q = _block.quantize_by(
        how,
        _memory(x if x.dim() < 3 else x.contiguous()),
        None if tensor is None else float(tensor),
        None if rbits is None else _memory(rbits),
        (_memory(codes), _memory(scales)),
    )
    if found.dim() == 0:
        found.fill_(q.tensor)
    return codes, scales, found


_quantize.register_fake(_quantize_fake)


def _level(number: Number) -> Number:
    """Returns a second-level value rounded to f32, after the checks of ``pto.quantize``."""
    _block.check_level(number, "tensor")
    return _rounded(number if isinstance(number, int) else float(number), "f32")


_is_constant(_level)


def _number(tensor: Tensor | Number | None) -> Tensor | None:
    if tensor is None or isinstance(tensor, Tensor):
        return tensor
    return torch.tensor(_level(tensor), dtype=torch.float32)


def quantize(
    x: Tensor,
    elem: Type | None = None,
    rule: str | None = None,
    *,
    block: tuple[int, int] | None = None,
    tensor: Tensor | Number | None = None,
    two_level: bool | None = None,
    eps: float | None = None,
    pow2: bool = False,
    rbits: Tensor | None = None,
) -> Quantized:
    """Quantize a tensor to a small format with one scale for each block, as ``pto.quantize``.

    >>> import torch, pto.torch
    >>> q = pto.torch.quantize(torch.full((2, 32), 6.0), "e2m1", "nv.te")
    >>> q.codes.shape, q.scales.dtype, q.tensor
    (torch.Size([2, 16]), torch.float8_e4m3fn, tensor(6.))
    """
    _check_tensor(x, "x")
    plan = _plan(_name(elem), rule, block, two_level, eps, pow2)
    number, how = _number(tensor), How(*plan)
    if _is_direct(x, tensor, rbits):
        _given(number)
        level = None if number is None else float(number)
        q: Any = _block.quantize_by(how, x.contiguous() if x.dim() > 2 else x, level, _words(rbits), (None, None))
        return Quantized(*q._replace(tensor=_number(q.tensor)))
    words = _words(rbits)
    codes, scales, found = torch.ops.pto.quantize(x, number, words, plan[0], plan[1], list(plan[2]), *plan[3:])
    number = found if found.dim() == 0 else number
    return Quantized(codes, scales, how.elem, how.rule, how.block, number, how.two_level, x.shape[-1])


def _dequantize_fake(
    codes: Tensor, scales: Tensor, tensor: Tensor | None, to: str, cols: int | None, *plan: Any
) -> Tensor:
    narrow, parts = _whole(codes, "codes"), _whole(scales, "scales")
    out = _prototypes.dequantize(narrow, parts, _how(*plan), to, _given(tensor), cols)[1]
    return _empty(out.shape, to, codes)


@_operator("dequantize", f"(Tensor codes, Tensor scales, Tensor? tensor, str to, int? cols, {_PLAN}) -> Tensor")
def _dequantize(codes: Tensor, scales: Tensor, tensor: Tensor | None, to: str, cols: int | None, *plan: Any) -> Tensor:
    out = _dequantize_fake(codes, scales, tensor, to, cols, *plan)
    how = _how(*plan)
    _block.dequantize(
        _memory(codes.contiguous()),
        _memory(scales.contiguous()),
        how.elem,
        how.rule,
        how.block,
        None if tensor is None else float(tensor),
        how.two_level,
        cols,
        to=to,
        out=_memory(out),
    )
    return out


_dequantize.register_fake(_dequantize_fake)


def dequantize(
    codes: Tensor | Quantized,
    scales: Tensor | None = None,
    elem: Type | None = None,
    rule: str | None = None,
    block: tuple[int, int] | None = None,
    tensor: Tensor | Number | None = None,
    two_level: bool | None = None,
    cols: int | None = None,
    *,
    to: Type = "f32",
) -> Tensor:
    """Return the values of a ``Quantized``, or of its parts, as ``pto.dequantize``.

    >>> import torch, pto.torch
    >>> codes, scales = torch.full((32,), 0x38, dtype=torch.uint8), torch.tensor([128], dtype=torch.uint8)
    >>> pto.torch.dequantize(codes, scales, "e4m3")[0]
    tensor(2.)
    """
    if not isinstance(codes, Tensor):
        if not hasattr(codes, "codes"):
            _check_tensor(codes, "codes")
        given = (scales, elem, rule, block, tensor, two_level, cols)
        return dequantize(*_block.parts_of(codes, given), to=to)
    if elem is None and not str(rule).startswith("nv.") and _NAMES.get(codes.dtype) in ("e4m3", "e5m2"):
        elem = codes.dtype
    plan = _plan(_name(elem), rule, block, two_level)
    number = _number(tensor)
    if _is_direct(codes, scales, tensor):
        _given(number)
        how, level = How(*plan), None if number is None else float(number)
        direct: Any = _block.dequantize(
            codes, scales, how.elem, how.rule, how.block, level, how.two_level, cols, to=_name(to) or "f32"
        )
        return cast(Tensor, direct)
    _block.check_number(How(*plan), number, needed=True)
    result: Tensor = torch.ops.pto.dequantize(
        codes, scales, number, _name(to), cols, plan[0], plan[1], list(plan[2]), *plan[3:]
    )
    return result


# ---- torch's own operators ----

EXACT_VERSIONS = ("2.15",)
"""The versions of torch that ``exact`` accepts, as major and minor number."""


def exact(*, saturate: bool = False) -> AbstractContextManager[None]:
    """Give torch's own operators on the CPU the bits that they have on an NVIDIA GPU: a context manager and decorator.

    It replaces casts (``to``, ``copy_``, ...), ``maximum``, ``minimum``, ``fmax``, ``fmin``, every ``clamp``, ``relu``,
    ``hardtanh`` and the casts of ``where``. For float8 it adds these, and ``<``, ``<=``, ``>``, ``>=``, which torch
    lacks. It holds in the thread that enters it, and for functions of ``torch.compile`` that are called inside it.
    Gradients are computed as before. docs/integrations.md has the rules.

    ``saturate`` limits float8_e5m2 and its infinities to the largest finite value, as PTX's ``.satfinite`` does, and
    finite values of the FNUZ types. float8_e4m3fn saturates in any case.

    Raises RuntimeError if the version of torch is not one of ``EXACT_VERSIONS``.

    >>> import torch, pto.torch
    >>> x = torch.tensor([300.7, -0.0, torch.nan])
    >>> with pto.torch.exact():
    ...     x.to(torch.int8).tolist(), x.relu().tolist()
    ([44, 0, 0], [300.70001220703125, 0.0, nan])
    """
    if ".".join(torch.__version__.split(".")[:2]) not in EXACT_VERSIONS:
        raise RuntimeError(
            f"pto.torch.exact: torch {torch.__version__} is not supported; supported: {', '.join(EXACT_VERSIONS)}"
        )
    from . import _torch_exact

    return _torch_exact.exact(saturate)


__all__ = ["EXACT_VERSIONS", "Quantized", "cvt", "dequantize", "exact", "quantize", "vcmpsel", "vmax", "vmin"]
