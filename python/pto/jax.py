# SPDX-License-Identifier: MIT
"""libpto in programs that JAX compiles for the CPU, under ``jax.jit`` and ``jax.vmap``, through XLA's FFI.

The functions have the names and exactly the results of those in ``pto``, for arrays of jax. Operands are not copied,
not even to broadcast them. Errors in types, modifiers and shapes are raised while a program is traced, with the
exceptions of ``pto``. Derivatives are not supported. ``pto.set_num_threads`` also applies here. In operands and
results, 4-bit elements are uint8 with two in a byte, and 6-bit elements are uint8.

>>> import jax, jax.numpy as jnp, pto.jax
>>> @jax.jit
... def narrow(x):
...     return pto.jax.cvt(2 * x, "e4m3", round="rn", satfinite=True)
>>> narrow(jnp.array([0.5, -1000.0]))
Array([1, -448], dtype=float8_e4m3fn)
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from . import _block, _core, _prototypes, _select
from ._arrays import TypeLike
from ._prototypes import CvtParts, Proto


class Quantized(NamedTuple):
    """A quantized tensor: as ``pto.Quantized``, except that ``tensor``, the second-level value, is an array of f32.

    For jax's transformations it is a pytree whose leaves are codes, scales and tensor.
    """

    codes: jax.Array
    scales: jax.Array
    elem: str
    rule: str
    block: tuple[int, int]
    tensor: jax.Array | None
    two_level: bool
    cols: int

    def dequantize(self, *, to: TypeLike = "f32") -> jax.Array:
        """Returns the values; the same as ``pto.jax.dequantize(q, to=...)``."""
        return dequantize(self, to=to)


def _leaves(q: Quantized) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    return (q.codes, q.scales, q.tensor), (q.elem, q.rule, q.block, q.two_level, q.cols)


def _of_leaves(known: tuple[Any, ...], leaves: tuple[Any, ...]) -> Quantized:
    (elem, rule, block, two_level, cols), (codes, scales, tensor) = known, leaves
    return Quantized(codes, scales, elem, rule, block, tensor, two_level, cols)


jax.tree_util.register_pytree_node(Quantized, _leaves, _of_leaves)


def _register() -> None:
    """Registers the core's handlers with XLA. They report the minor version of the interface in jaxlib's header."""
    header = os.path.join(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h")
    minor = None
    if os.path.exists(header):
        with open(header, encoding="utf-8") as text:
            minor = re.search(r"define XLA_FFI_API_MINOR (\d+)", text.read())
    for name, handler in _core.xla_handlers(int(minor[1]) if minor else 1 << 16).items():
        jax.ffi.register_ffi_target(f"pto.{name}", handler, platform="cpu")


_register()


# ---- operands and results ----


def _held(dtype: np.dtype[Any], name: str) -> np.dtype[Any]:
    """Returns the dtype with which jax holds an array. Raises TypeError if that needs jax_enable_x64."""
    if dtype.name.startswith("float6_"):
        return np.dtype(np.uint8)
    config: Any = jax.config
    if dtype.itemsize == 8 and not config.jax_enable_x64:
        raise TypeError(f"{name}: {dtype} wants jax_enable_x64")
    return dtype


def _array(x: Any, name: str) -> tuple[Any, Proto]:
    """Returns an operand as an array of jax or NumPy, and its shape and dtype."""
    if not isinstance(x, jax.Array):
        x = np.asarray(x)
    if x.dtype.name.startswith(("float4_", "int4", "uint4")):
        raise TypeError(f"{name}: elements of 4 bits are taken two in a byte, as uint8, and not as {x.dtype}")
    return x, Proto(x.shape, _held(np.dtype(x.dtype), name))


def _of_rank(x: Any, rank: int) -> Any:
    """Returns x with leading dimensions of 1 added, up to this rank."""
    return x.reshape((1,) * (rank - x.ndim) + x.shape)


def _call(name: str, op: bytes, operands: Sequence[Any], results: Sequence[Proto], vmap: str) -> list[jax.Array]:
    struct: Callable[..., Any] = jax.ShapeDtypeStruct
    specs = [struct(r.shape, r.dtype) for r in results]
    call: Callable[..., Any] = jax.ffi.ffi_call(f"pto.{name}", specs, vmap_method=vmap)
    return list(call(*operands, op=np.frombuffer(op, np.uint8)))


def _by_lane(name: str, op: bytes, operands: Sequence[Any], result: Proto) -> jax.Array:
    """Calls a lane-wise handler. All operands get the rank of the result.

    Under vmap they keep the same rank: an operand that is not mapped gets a dimension of 1.
    """
    rank = max(len(result.shape), 1)
    shape = result.shape or (1,)
    out = Proto(shape, _held(result.dtype, "the result"))
    return _call(name, op, [_of_rank(x, rank) for x in operands], [out], "expand_dims")[0].reshape(result.shape)


# ---- conversion ----


def cvt(
    a: Any,
    b: Any,
    /,
    rbits: Any = None,
    *,
    scales: Any = None,
    src: TypeLike | None = None,
    round: str | None = None,
    ftz: bool = False,
    sat: bool = False,
    satfinite: bool = False,
    relu: bool = False,
    pzo: bool = False,
    scale: str | None = None,
) -> jax.Array:
    """Convert elements as ``pto.cvt``: ``cvt(text, x)`` or ``cvt(x, to, round=..., ...)``.

    >>> import jax, jax.numpy as jnp, pto.jax
    >>> x = jnp.array([1.0, -1000.0, jnp.nan, 0.3], jnp.float32)
    >>> jax.jit(lambda x: pto.jax.cvt("cvt.rn.satfinite.e4m3x2.f32", x))(x)
    Array([1, -448, nan, 0.3125], dtype=float8_e4m3fn)
    >>> jax.vmap(lambda x: pto.jax.cvt(x, "bf16", round="rz"))(x)
    Array([1, -1000, nan, 0.298828], dtype=bfloat16)
    """
    by_text = isinstance(a, str)
    form, given = (a, b) if by_text else (b, a)
    x, like = _array(given, "x")
    parts = CvtParts(src, round, ftz, sat, satfinite, relu, pzo, scale)
    op = _prototypes.cvt_op(form, like.dtype, parts, by_text)
    operands, protos = [x], []
    for extra, name in ((rbits, "rbits"), (scales, "scales")):
        array, proto = (None, None) if extra is None else _array(extra, name)
        protos.append(proto)
        if array is not None:
            operands.append(array)
    return _by_lane("cvt", op, operands, _prototypes.cvt(op, like, protos[0], protos[1]))


# ---- selection ----


def _is_number(x: Any) -> bool:
    return not hasattr(x, "dtype")


def _chosen(
    name: str,
    call: Callable[..., Any],
    given: dict[str, Any],
    cmp: str | None,
    flags: int,
    type: TypeLike | None,
) -> jax.Array:
    operands: list[Any] = []
    dtypes: list[np.dtype[Any] | None] = []
    for argument, x in given.items():
        array, proto = (x, None) if _is_number(x) else _array(x, argument)
        operands.append(array)
        dtypes.append(None if proto is None else proto.dtype)
    arrays, dtype = _prototypes.lanes(call, operands, dtypes)
    shape = _prototypes.together(given, (x.shape for x in arrays), np.broadcast_shapes)
    op = _core.xla_select_op(dtype if type is None else type, cmp, flags)
    return _by_lane(name, op, arrays, Proto(shape, dtype))


def vcmpsel(x: Any, y: Any, cmp: str, u: Any, v: Any, *, ftz: bool = False, type: TypeLike | None = None) -> jax.Array:
    """Return ``(x CMP y) ? u : v``, as ``pto.vcmpsel``. Shapes broadcast, without a copy.

    >>> import jax, jax.numpy as jnp, pto.jax
    >>> x = jnp.array([-2.0, 3.0, jnp.nan])
    >>> jax.jit(lambda x: pto.jax.vcmpsel(x, 0, "lt", 0, x))(x)
    Array([ 0.,  3., nan], dtype=float32)
    """
    flags = _core.FTZ if ftz else 0
    return _chosen(
        "vcmpsel",
        lambda x, y, u, v: _core.vcmpsel(x, y, u, v, flags, type, None, cmp),
        {"x": x, "y": y, "u": u, "v": v},
        cmp,
        flags,
        type,
    )


def vmax(
    a: Any,
    b: Any,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    xorsign_abs: bool = False,
    type: TypeLike | None = None,
) -> jax.Array:
    """Return the larger of two elements, as ``pto.vmax``. Shapes broadcast, without a copy.

    >>> import jax.numpy as jnp, pto.jax
    >>> pto.jax.vmax(jnp.array([1, jnp.nan, -0.0]), 0)
    Array([1., 0., 0.], dtype=float32)
    """
    flags = _select._flags(propagate_nan, ftz, xorsign_abs)
    return _chosen("vmax", lambda a, b: _core.vmax(a, b, flags, type, None), {"a": a, "b": b}, None, flags, type)


def vmin(
    a: Any,
    b: Any,
    *,
    propagate_nan: bool = False,
    ftz: bool = False,
    xorsign_abs: bool = False,
    type: TypeLike | None = None,
) -> jax.Array:
    """Return the smaller of two elements, as ``pto.vmin``. Parameters are as in ``vmax``.

    >>> import jax.numpy as jnp, pto.jax
    >>> pto.jax.vmin(jnp.array([1, jnp.nan, -0.0]), 0)
    Array([ 0.,  0., -0.], dtype=float32)
    """
    flags = _select._flags(propagate_nan, ftz, xorsign_abs)
    return _chosen("vmin", lambda a, b: _core.vmin(a, b, flags, type, None), {"a": a, "b": b}, None, flags, type)


# ---- block scaling ----


def _number(tensor: Any) -> Any:
    """Returns the second-level value as an array of f32. It may be a traced array, known only when the program runs."""
    if _is_number(tensor):
        _block.check_level(tensor, "tensor")
        tensor = _core.number(tensor if isinstance(tensor, int) else float(tensor), "f32", "tensor")
    number, proto = _array(tensor, "tensor")
    if proto.shape or proto.dtype != np.float32:
        raise TypeError(f"tensor: a number of f32 is wanted, not {proto.dtype} of shape {proto.shape}")
    return number


def quantize(
    x: Any,
    elem: TypeLike | None = None,
    rule: str | None = None,
    *,
    block: tuple[int, int] | None = None,
    tensor: Any = None,
    two_level: bool | None = None,
    eps: float | None = None,
    pow2: bool = False,
    rbits: Any = None,
) -> Quantized:
    """Quantize a tensor to a small format with one scale for each block, as ``pto.quantize``.

    ``tensor`` may also be a zero-dimensional array of f32, such as the ``tensor`` of another result. Under vmap each
    tensor has its own second-level value.

    >>> import jax, jax.numpy as jnp, pto.jax
    >>> q = jax.jit(lambda x: pto.jax.quantize(x, "e2m1", "nv.te"))(jnp.full((2, 32), 6.0))
    >>> q.codes.shape, q.scales.shape, float(q.tensor)
    ((2, 16), (2, 2), 6.0)
    """
    x, like = _array(x, "x")
    words, extra = (None, None) if rbits is None else _array(rbits, "rbits")
    plan = _block.how(elem, rule, block, two_level, eps, pow2)
    given = tensor is not None
    b = _prototypes.quantize(like, plan, given, extra)
    operands = [x.reshape(b.stack)]
    if given:
        operands.append(_number(tensor))
    if words is not None:
        operands.append(words.reshape((*b.stack[:-1], words.shape[-1])))
    results = [
        Proto(b.codes_stack(), _held(b.codes.dtype, "codes")),
        Proto(b.scales_stack(), b.scales.dtype),
    ]
    if b.find:
        results.append(Proto((), np.dtype(np.float32)))
    name = "find_quantize" if b.find else "quantize"
    made = _call(name, _core.xla_block_op(b.op, b.keep_nan), operands, results, "broadcast_all")
    number = made[2] if b.find else jax.numpy.asarray(operands[1]) if given else None
    codes, scales = made[0].reshape(b.codes.shape), made[1].reshape(b.scales.shape)
    return Quantized(codes, scales, plan.elem, plan.rule, plan.block, number, plan.two_level, like.shape[-1])


def dequantize(
    codes: Any,
    scales: Any = None,
    elem: TypeLike | None = None,
    rule: str | None = None,
    block: tuple[int, int] | None = None,
    tensor: Any = None,
    two_level: bool | None = None,
    cols: int | None = None,
    *,
    to: TypeLike = "f32",
) -> jax.Array:
    """Return the values of a ``Quantized``, or of its parts, as ``pto.dequantize``.

    >>> import jax, jax.numpy as jnp, pto.jax
    >>> codes, scales = jnp.full(32, 0x38, jnp.uint8), jnp.array([128], jnp.uint8)
    >>> jax.jit(lambda c, s: pto.jax.dequantize(c, s, "e4m3"))(codes, scales)[0]
    Array(2., dtype=float32)
    """
    if hasattr(codes, "codes"):
        given = (scales, elem, rule, block, tensor, two_level, cols)
        codes, scales, elem, rule, block, tensor, two_level, cols = _block.parts_of(codes, given)
    codes, narrow = _array(codes, "codes")
    scales, parts = _array(scales, "scales")
    plan = _block.how(elem, rule, block, two_level)
    b, out = _prototypes.dequantize(narrow, parts, plan, to, tensor is not None, cols)
    operands = [codes.reshape(b.codes_stack()), scales.reshape(b.scales_stack())]
    if tensor is not None:
        operands.append(_number(tensor))
    result = Proto(b.stack, _held(out.dtype, "the result"))
    made = _call("dequantize", _core.xla_block_op(b.op, False), operands, [result], "broadcast_all")
    return made[0].reshape(out.shape)


__all__ = ["Quantized", "cvt", "dequantize", "quantize", "vcmpsel", "vmax", "vmin"]
