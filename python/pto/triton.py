# SPDX-License-Identifier: MIT
"""Exact casts, comparisons, minima and maxima in Triton's interpreter (``TRITON_INTERPRET=1``).

The interpreter runs kernels on the CPU with NumPy. Some of its casts give other results than a GPU: it truncates f32 to
bf16, rounds ties and subnormals wrongly on the way to FP8, and compares bf16 and FP8 by their bits. ``install()``
replaces the functions of ``triton.runtime.interpreter`` that cast, compare and select by calls of libpto::

    import pto.triton

    pto.triton.install()        # from now on, until pto.triton.uninstall()

    with pto.triton.exact():    # or only here
        kernel[grid](x, y)

Results then have the bits of the instructions that Triton's compiler emits for NVIDIA GPUs with compute capability 9.0.
docs/integrations.md lists each decision with its source, the exceptions, and the conversions that the compiler lacks.
Triton is imported when the functions are called, not when this module is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from ._arrays import Array
from ._compare import vcmp
from ._convert import cast, cvt
from ._select import vclamp, vmax, vmin

VERSIONS = ("3.9",)
"""The versions of Triton that ``install`` accepts, as major and minor number."""

Handle: TypeAlias = Any  # Triton's TensorHandle: an array (data) and a type of Triton (dtype)

# The floating-point types of Triton and those of libpto. fp8e4b15 is converted by _from_e4b15 and _to_e4b15.
_FLOATS = {
    "fp16": "f16",
    "bf16": "bf16",
    "fp32": "f32",
    "fp64": "f64",
    "fp8e4nv": "e4m3",
    "fp8e5": "e5m2",
    "fp8e4b8": "e4m3fnuz",
    "fp8e5b16": "e5m2fnuz",
    "fp8e4b15": "",
}
# The dtypes in which the interpreter stores them.
_STORED = {"fp16": np.float16, "bf16": np.uint16, "fp32": np.float32, "fp64": np.float64}
_WIDENING = {("fp16", "fp32"), ("fp16", "fp64"), ("bf16", "fp32"), ("bf16", "fp64"), ("fp32", "fp64")}
# The integer types of Triton, and the type to which the compiler converts a float for them. PTX converts no float to 8
# bits: the compiler converts to 16 bits and stores the low byte.
_INTEGERS = {
    "int8": "s16",
    "int16": "s16",
    "int32": "s32",
    "int64": "s64",
    "uint8": "u16",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
}
# What becomes of values that are too large when they are rounded to nearest. NVIDIA's conversions to FP8 have
# .satfinite, which clamps infinities too. AMD's formats have no infinity, and an infinity becomes their NaN.
_OVERFLOWS = {
    "fp8e4nv": "saturate",
    "fp8e5": "saturate",
    "fp8e4b8": "saturate_finite",
    "fp8e5b16": "saturate_finite",
}
_COMPARISONS = {
    "create_fcmpOLT": "lt",
    "create_fcmpOLE": "le",
    "create_fcmpOGT": "gt",
    "create_fcmpOGE": "ge",
    "create_fcmpOEQ": "eq",
    "create_fcmpONE": "ne",
    "create_fcmpULT": "ltu",
    "create_fcmpULE": "leu",
    "create_fcmpUGT": "gtu",
    "create_fcmpUGE": "geu",
    "create_fcmpUEQ": "equ",
    "create_fcmpUNE": "neu",
}


def _storage(name: str) -> Any:
    """Returns the NumPy dtype in which the interpreter stores a floating-point type."""
    return np.dtype(_STORED.get(name, np.uint8))


def _float_name(handle: Handle) -> str | None:
    """Returns the name of the handle's type if its elements are of a floating-point type, otherwise None.

    The interpreter gives the masks of comparisons the type of the operands, so the dtype of the array is checked too.
    """
    name: str = handle.dtype.scalar.name
    return name if name in _FLOATS and handle.data.dtype == _storage(name) else None


# ---- conversions ----


def _from_e4b15(codes: Array) -> Array:
    """Returns the values of fp8e4b15 as f16, which has the same exponent bias. Every code is finite."""
    wide = codes.astype(np.uint16)
    return (((wide & 0x80) << 8) | ((wide & 0x7F) << 7)).view(np.float16)


def _to_e4b15(x: Array) -> Array:
    """Returns f16 values as fp8e4b15, as Triton's ``convert_float16_to_fp8e4b15`` does.

    Magnitudes are limited to 1.75, which a NaN becomes as well. Ties are rounded away from zero.
    """
    bits = x.view(np.uint16)
    magnitude = vmin((bits & 0x7FFF).view(np.float16), np.float16(1.75)).view(np.uint16)
    return (((bits >> 8) & 0x80) | ((2 * magnitude + 0x80) >> 8)).astype(np.uint8)


def _convert(x: Array, source: str | None, target: str, toward_zero: bool = False) -> Array:
    """Returns x converted to the type ``target`` of Triton, in the dtype in which the interpreter stores it.

    ``source`` is the name of the floating-point type of x, or None for integers. The value is rounded once: to nearest
    even, or toward zero.
    """
    if source == "fp8e4b15":
        x, source = _from_e4b15(x), "fp16"
    if target == "fp8e4b15":
        if source != "fp16":
            x = _convert(x, source, "fp16", toward_zero=True)
        return _to_e4b15(x)
    if source == target:
        return x
    round = "rz" if toward_zero else "rn"
    kind = None if source is None else _FLOATS[source]
    if source in _STORED and target in _STORED:
        # PTX has these conversions; those from and to f64, and bf16 to f32, keep the payload of a NaN.
        is_exact = (source, target) in _WIDENING
        y = cvt(x, _FLOATS[target], src=kind, round=None if is_exact else round)
    else:
        # Toward zero, an infinity becomes an infinity or a NaN, except in E4M3.
        saturates = target in _OVERFLOWS and (not toward_zero or target == "fp8e4nv")
        y = cast(x, _FLOATS[target], round, _OVERFLOWS[target] if saturates else "ieee", src=kind)
    return y.view(_storage(target))


def _to_integer(x: Array, source: str, target: str) -> Array:
    """Returns x rounded toward zero to an integer type of Triton. Values out of range become what a GPU returns."""
    if source.startswith("fp8"):
        x, source = _convert(x, source, "fp32"), "fp32"
    return cvt(x, _INTEGERS[target], src=_FLOATS[source], round="rzi").astype(np.dtype(target), copy=False)


def _is_toward_zero(rounding_mode: Any) -> bool:
    """Returns whether a rounding mode of Triton, or None for the default, is toward zero."""
    return getattr(rounding_mode, "name", None) == "RTZ"


def _convert_float(input: Array, input_dtype: Any, output_dtype: Any, rounding_mode: Any) -> Array:
    """Replaces the interpreter's function of this name, which returns the bits of the result as unsigned integers."""
    x = np.ascontiguousarray(input).view(_storage(input_dtype.name)).reshape(np.shape(input))
    y = _convert(x, input_dtype.name, output_dtype.name, _is_toward_zero(rounding_mode))
    return y.view(f"u{y.itemsize}")


def _cast_impl(module: ModuleType, original: Callable[..., Handle]) -> Callable[..., Handle]:
    def cast_impl(self: Any, src: Handle, dst_type: Any) -> Handle:
        target = dst_type.scalar
        source = _float_name(src)
        if target.name in _FLOATS:
            x = src.data.view(np.uint8) if src.data.dtype == np.bool_ else src.data
            return module.TensorHandle(_convert(x, source, target.name), target)
        if source is not None and target.name in _INTEGERS:
            return module.TensorHandle(_to_integer(src.data, source, target.name), target)
        return original(self, src, dst_type)

    return cast_impl


def _create_fp_to_fp(module: ModuleType) -> Callable[..., Handle]:
    def create_fp_to_fp(self: Any, src: Handle, dst_type: Any, rounding_mode: Any) -> Handle:
        target = dst_type.scalar
        y = _convert(src.data, src.dtype.scalar.name, target.name, _is_toward_zero(rounding_mode))
        return module.TensorHandle(y, target)

    return create_fp_to_fp


# ---- comparisons, minima and maxima ----


def _operands(*handles: Handle) -> tuple[list[Array], str] | None:
    """Returns the operands of a comparison or selection and their type in libpto.

    Returns None if the operands are not all of one floating-point type, or if it is fp8e4b15.
    """
    name = _float_name(handles[0])
    if name is None or name == "fp8e4b15" or any(_float_name(handle) != name for handle in handles):
        return None
    return [handle.data for handle in handles], _FLOATS[name]


def _comparison(module: ModuleType, original: Callable[..., Handle], cmp: str) -> Callable[..., Handle]:
    def create_fcmp(self: Any, lhs: Handle, rhs: Handle) -> Handle:
        operands = _operands(lhs, rhs)
        if operands is None:
            return original(self, lhs, rhs)
        (a, b), kind = operands
        return module.TensorHandle(vcmp(a, b, cmp, type=kind), module.tl.int1)

    return create_fcmp


def _extreme(
    module: ModuleType, original: Callable[..., Handle], select: Callable[..., Array], propagate_nan: bool
) -> Callable[..., Handle]:
    def create_extreme(self: Any, lhs: Handle, rhs: Handle) -> Handle:
        operands = _operands(lhs, rhs)
        if operands is None:
            return original(self, lhs, rhs)
        (a, b), kind = operands
        y = select(a, b, propagate_nan=propagate_nan, type=kind)
        return module.TensorHandle(y.view(a.dtype), lhs.dtype.scalar)

    return create_extreme


def _create_clampf(module: ModuleType, original: Callable[..., Handle]) -> Callable[..., Handle]:
    def create_clampf(self: Any, arg: Handle, lo: Handle, hi: Handle, propagate_nans: Any) -> Handle:
        operands = _operands(arg, lo, hi)
        if operands is None:
            return original(self, arg, lo, hi, propagate_nans)
        (x, low, high), kind = operands
        propagates = propagate_nans != module._ir.PROPAGATE_NAN.NONE
        y = vclamp(x, low, high, propagate_nan=propagates, type=kind)
        return module.TensorHandle(y.view(x.dtype), arg.dtype.scalar)

    return create_clampf


def _fold(x: Array, axis: int | None, keep_dims: bool, select: Callable[[Array, Array], Array]) -> Array:
    """Returns x reduced along an axis, or along all for None, by an associative and commutative function.

    The dimensions of Triton's tensors are powers of two.
    """
    shape = [1 if axis is None or i == axis % x.ndim else n for i, n in enumerate(x.shape)]
    rows = x.reshape(-1) if axis is None else np.moveaxis(x, axis, 0)
    while len(rows) > 1:
        rows = select(*np.split(rows, 2))
    return rows.reshape(shape) if keep_dims else rows.reshape(rows.shape[1:])


def _min_max(original: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces the method that computes ``tl.min`` and ``tl.max``. With indices it is the original."""
    selects = {np.nanmin: vmin, np.nanmax: vmax}

    def min_max(self: Any, input: Any, val_reduce_op: Any, idx_reduce_op: Any = None) -> Any:
        value = input[0] if isinstance(input, tuple) else input
        operands = _operands(value.handle)
        if idx_reduce_op is not None or operands is None or val_reduce_op not in selects:
            return original(self, input, val_reduce_op, idx_reduce_op)
        (x,), kind = operands
        select = selects[val_reduce_op]
        # select(x, x) makes every NaN canonical, so that an axis of length 1 gives a canonical NaN too.
        y = _fold(select(x, x, type=kind), self.axis, self.keep_dims, lambda a, b: select(a, b, type=kind))
        return self.to_tensor(y.view(x.dtype), value.dtype)

    return min_max


# ---- switching on and off ----


def _replacements(module: ModuleType) -> list[tuple[Any, str, Callable[..., Any]]]:
    """Returns the objects of the interpreter, the names of their functions, and the functions that replace them."""
    builder, reduce = module.InterpreterBuilder, module.ReduceOps
    extremes = {
        "create_minimumf": (vmin, True),
        "create_minnumf": (vmin, False),
        "create_maximumf": (vmax, True),
        "create_maxnumf": (vmax, False),
    }
    return [
        (module, "_convert_float", _convert_float),
        (builder, "cast_impl", _cast_impl(module, builder.cast_impl)),
        (builder, "create_fp_to_fp", _create_fp_to_fp(module)),
        (builder, "create_clampf", _create_clampf(module, builder.create_clampf)),
        (reduce, "min_max", _min_max(reduce.min_max)),
        *((builder, name, _comparison(module, getattr(builder, name), cmp)) for name, cmp in _COMPARISONS.items()),
        *(
            (builder, name, _extreme(module, getattr(builder, name), select, propagate_nan))
            for name, (select, propagate_nan) in extremes.items()
        ),
    ]


_originals: list[tuple[Any, str, Any]] = []  # what install() replaced; empty if it is not installed


def install() -> None:
    """Replaces the functions of Triton's interpreter. Does nothing if they are replaced already.

    Kernels run in the interpreter if the environment has ``TRITON_INTERPRET=1`` when they are defined. Kernels that are
    compiled for a GPU are not affected.

    Raises ImportError if Triton is not installed, and RuntimeError if its version is not one of ``VERSIONS``.
    """
    if _originals:
        return
    import triton

    if ".".join(triton.__version__.split(".")[:2]) not in VERSIONS:
        raise RuntimeError(
            f"pto.triton: Triton {triton.__version__} is not supported; supported versions: {', '.join(VERSIONS)}"
        )
    from triton.runtime import interpreter

    for place, name, function in _replacements(interpreter):
        _originals.append((place, name, getattr(place, name)))
        setattr(place, name, function)


def uninstall() -> None:
    """Restores the functions of Triton's interpreter. Does nothing if ``install`` was not called."""
    while _originals:
        place, name, function = _originals.pop()
        setattr(place, name, function)


@contextlib.contextmanager
def exact() -> Iterator[None]:
    """Returns a context manager that calls ``install``, and afterwards restores the state that it found."""
    was_installed = bool(_originals)
    install()
    try:
        yield
    finally:
        if not was_installed:
            uninstall()


__all__ = ["VERSIONS", "exact", "install", "uninstall"]
