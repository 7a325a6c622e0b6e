# SPDX-License-Identifier: MIT
"""Block scaling: quantize tensors to small formats with one scale for each block, by the rules of many frameworks."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._arrays import Array, ArrayLike, Out, TypeLike, count, pair

if TYPE_CHECKING:
    from .checkpoint._recipes import Recipe

_QUANTIZE, _REQUANTIZE, _DEQUANTIZE, _QUANTIZE_LONG = range(4)  # enum direction of run_blocks() in the core
# rules by which a NaN in a tensor makes its largest magnitude NaN
_KEEP_NAN = ("nv.ao", "nv.modelopt", "nv.ct", "nv.46.modelopt")
_RULES = _core.rule_numbers()
_ONE_LEVEL = ("nv.gguf", "nv.onednn", "nv.quark")  # NV rules without a second-level value
# the types of elements by default, where it is not e4m3
_ELEM = {"mx.gguf": "e2m1", "mx.cann6": "e2m1", "mx.cann7": "e2m1", "mx.int8": "s2f6", "bfp.tt": "bfp8"}
_LAYOUTS = ("rows", "128x4", "8x4", "mn_x4", "32x8")  # in the order of pto_scale_layout
# of pto_pack_layout, in order: the name, the elements of a block and of a byte, and the type of the scales
_PACKS = {
    "gguf_mxfp4": (0, 32, 2, "ue8m0"),
    "gguf_nvfp4": (1, 16, 2, "e4m3"),
    "tt_tile": (2, 16, 1, "u8"),
    "tt_tile4": (3, 16, 2, "u8"),
}
_TYPES = frozenset(_core.dtype_names())
_FROM_BLOCK = ("fp8.mul", "fp8.te", "fp8.hf")  # rules by which the codes do not follow from the stored scale
_CHOOSES = "nv.46."  # prefix of the rules that compute a scale from all elements of the block, not only the largest
_LONG = 1 << 22  # larger blocks (in elements) take several calls, so that signals are handled in between
_EPS = {"fp8.div": 1e-10, "fp8.rcp": 1e-4, "fp8.mul": 1e-10, "fp8.ao": 1e-12}  # of the frameworks in quantize()


class Quantized(NamedTuple):
    """A quantized tensor, with everything that ``dequantize`` needs.

    codes : the elements, an array of x's shape; e2m1 and bfp4 have two elements in a byte along the last axis
    scales : one scale for each block, along the last two axes
    elem, rule, block : the type of the elements, the rule, and the rows and columns of a block
    tensor : the second-level value of the tensor; None for rules with one level
    two_level : whether the rule has two levels, so that ``tensor`` is used
    cols : the number of elements of a row
    """

    codes: Any
    scales: Any
    elem: str
    rule: str
    block: tuple[int, int]
    tensor: Any
    two_level: bool
    cols: int

    def dequantize(self, *, to: TypeLike = "f32", out: Out = None) -> Array:
        """Returns the values as f32, f16 or bf16; the same as ``pto.dequantize(q, to=..., out=...)``.

        >>> import numpy as np, pto
        >>> pto.quantize(np.full(16, 6, np.float32), "nvfp4").dequantize()[:2]
        array([6., 6.], dtype=float32)
        """
        return dequantize(self, to=to, out=out)


def rules() -> list[str]:
    """Returns the names of the rules. docs/block-scaling.md lists which framework uses which rule.

    >>> import pto
    >>> pto.rules()[:3]
    ['mx.floor', 'mx.ceil', 'mx.even']
    """
    return list(_RULES)


def rule_number(name: str) -> int:
    """Returns the value of a rule in the C enumeration. Raises ValueError if there is no such rule."""
    try:
        return _RULES[name]
    except (KeyError, TypeError):
        raise ValueError(f"rule: one of {', '.join(rules())}, not {name!r}") from None


# ---- parameters of a call ----


class How(NamedTuple):
    """The element type, rule, block and modifiers of a call, with all defaults filled in."""

    elem: str
    rule: str
    block: tuple[int, int]
    two_level: bool
    eps: float
    pow2: bool

    def op(self, wide: TypeLike, random: bool = False, number: float | None = None, name: str = "x") -> bytes:
        """Returns the core's op. ``number`` is the second-level value; it is used only if the rule has two levels.

        ``name`` is the argument that has the type ``wide``, for messages.
        """
        if number is not None:
            check_level(number, "tensor")
        level = (number or 0.0) if self.two_level else self.eps
        rule = _RULES[self.rule]
        return _core.block_op(wide, self.elem, rule, random, self.pow2, self.two_level, level, *self.block, name)


@functools.cache
def _recipes() -> dict[str, Recipe]:
    from .checkpoint._recipes import RECIPES

    return RECIPES


def _recipe(elem: TypeLike | None) -> Recipe | None:
    """Returns the recipe with this name, or None if elem is a type or None. Raises TypeError if it is neither."""
    if not isinstance(elem, str) or elem in _TYPES:
        return None
    if elem in _recipes():
        return _recipes()[elem]
    try:
        _core.type_bits(elem)
    except TypeError as error:
        if "ambiguous" in str(error):
            raise TypeError(str(error).replace("type:", "elem:", 1)) from None
        raise TypeError(f"elem: a type or a recipe ({', '.join(_recipes())}) is wanted, not {elem!r}") from None
    return None


def how(
    elem: TypeLike | None,
    rule: str | None,
    block: tuple[int, int] | None,
    two_level: bool | None = None,
    eps: float | None = None,
    pow2: bool = False,
) -> How:
    """Fills in the defaults: from the recipe if elem names one, otherwise those of the rule."""
    recipe = _recipe(elem)
    if recipe is not None:
        given = {"rule": rule, "block": block, "two_level": two_level, "eps": eps, "pow2": pow2 or None}
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"{name}: the recipe {recipe.name} has its own; name a type to choose it")
        return How(recipe.elem, recipe.rule, recipe.block, recipe.two_level, recipe.eps, recipe.pow2)
    rule = "mx.rceil" if rule is None else rule
    rule_number(rule)
    family = rule.split(".")[0]
    if two_level is None:
        two_level = family == "nv" and rule not in _ONE_LEVEL
    if elem is None:
        elem = "e2m1" if family == "nv" else _ELEM.get(rule, "e4m3")
    if block is None:
        block = {"mx": (1, 32), "nv": (1, 16), "bfp": (1, 16)}.get(family, (1, 128))
    if eps is None:
        eps = _EPS.get(rule, 0.0)
    elif check_level(eps, "eps") and two_level:
        raise ValueError(f"eps: it is for FP8 rules, not for {rule}")
    elif math.isinf(eps):
        raise ValueError(f"eps: {eps} is not finite")
    return How(_core.type_name(elem), rule, pair(block, "block"), bool(two_level), eps, bool(pow2))


def check_level(number: Any, name: str) -> bool:
    """Returns whether a second-level value or an eps is other than 0.

    Raises TypeError if it is not a number, and ValueError if only the rounding to f32 makes it 0 or infinite.
    """
    try:
        magnitude = math.fabs(number)
        rounded = float(_core.number(magnitude, "f32", name))
    except OverflowError:
        magnitude, rounded = 0.0, math.inf
    except TypeError:
        raise TypeError(f"{name}: a number is wanted, not {number!r}") from None
    if math.isinf(rounded) and not math.isinf(magnitude):
        raise ValueError(f"{name}: it is too large for f32")
    if rounded == 0 and number != 0:
        raise ValueError(f"{name}: {number} is 0 in f32")
    return rounded != 0


def check_number(plan: How, tensor: Any, *, needed: bool) -> None:
    """Raises ValueError if ``tensor`` is given for a rule with one level, or ``needed`` but missing."""
    if tensor is not None and not plan.two_level:
        raise ValueError(f"tensor: {plan.rule} has one level here, so there is no second-level value")
    if tensor is None and plan.two_level and needed:
        otherwise = "" if plan.rule.startswith(_CHOOSES) else "; two_level=False if there is none"
        raise ValueError(
            f"tensor: {plan.rule} has two levels, and so the second-level value is needed, as in "
            f"quantize(...).tensor{otherwise}"
        )


def _written(out: Out, name: str) -> Array:
    """Returns a NumPy array over ``out``. Numbers and lists are a TypeError, because NumPy would copy them."""
    if isinstance(out, np.ndarray) or hasattr(out, "__dlpack__"):
        return _core.as_array(out, name)
    raise TypeError(f"{name}: an array is wanted to write to")


def _matrices(x: Array, name: str, *, written: bool = False) -> Array:
    """Returns the array as a stack of matrices. It is copied if needed; an array that is written is refused instead."""
    if x.ndim < 2:
        return x.reshape((1, 1, -1)) if x.ndim == 1 else x.reshape((1, 1, 1))
    if x.ndim == 2:
        return x[None]
    if written and not x.flags.c_contiguous:
        raise ValueError(f"{name}: of more than two dimensions it must be contiguous")
    return x.reshape((math.prod(x.shape[:-2]), *x.shape[-2:]))


def _tensor_of(x: Array, plan: How, wide: TypeLike) -> float:
    """Returns the second-level value of a tensor, computed from its largest magnitude."""
    amax = _core.block_amax(_matrices(x, "x"), plan.rule in _KEEP_NAN)
    return _core.block_number(_RULES[plan.rule], wide, amax)


def quantize(
    x: ArrayLike,
    elem: TypeLike | None = None,
    rule: str | None = None,
    *,
    block: tuple[int, int] | None = None,
    tensor: float | None = None,
    two_level: bool | None = None,
    eps: float | None = None,
    pow2: bool = False,
    rbits: ArrayLike | None = None,
    out: tuple[Out, Out] | None = None,
) -> Quantized:
    """Quantize a tensor to a small format, with one scale for each block of elements.

    ``quantize(x, "mxfp8")`` uses a recipe. It has the rule, block and eps that ``python -m pto.quantize`` uses for
    checkpoints. Recipes are mxfp8, mxfp6, mxfp4, nvfp4, fp8-tensor, fp8-channel and fp8-block, and variants named after
    the loader that they are for, such as nvfp4-modelopt. ``quantize(x, elem, rule)`` specifies the parts separately.

    Parameters
    ----------
    x : f32, f16 or bf16, with one dimension or more; blocks are formed in the last two
    elem : the type of the codes, e4m3, e5m2, e2m3, e3m2, e2m1, s2f6, bfp8 or bfp4, or the name of a recipe. The default
        is e4m3 if the rule takes it, e2m1 for other rules, s2f6 for mx.int8 and bfp8 for bfp.tt.
    rule : how the scale of a block is computed; see ``rules`` and docs/block-scaling.md. The default is mx.rceil.
    block : (rows, columns) of a block; 0 means all. The default is (1, 32) for MX rules, (1, 16) for NV rules and
        (1, 128) for FP8 rules.
    tensor : only for NV rules: the second-level value of the tensor. By default it is computed from the largest
        magnitude of x. If the formula gives 0 or infinity, as for a tensor of zeros, the default is 1, because
        otherwise every element would become a NaN. For nv.ct it is computed in the type of x, as compressed-tensors
        does.
    two_level : False for an NV rule without a second-level value
    eps : only for FP8 rules: a lower bound for the largest magnitude of a block. The default is that of the framework
        that uses the rule: 1e-10 for fp8.div (vLLM) and fp8.mul (SGLang), 1e-4 for fp8.rcp (DeepGEMM), 0 for fp8.te;
        fp8.ct and fp8.hf have none. For fp8.ao it is 1e-12, because torchao has no bound unless one is given. With
        ``eps=0`` a block of zeros is computed as 0 / 0 by fp8.div, fp8.rcp, fp8.mul and fp8.ao: its scale is 0 and its
        codes are NaN. With pow2 its scale is 2**-126 and its codes are 0. By fp8.te its scale is 1 and its codes are 0.
    pow2 : only for fp8.div, fp8.rcp and fp8.te: scales are powers of two
    rbits : uint32 words of random bits for stochastic rounding, one for each four elements along the last axis; not all
        rules take them
    out : a pair of arrays to which codes and scales are written

    Returns
    -------
    A ``Quantized``: codes, scales, and what else ``dequantize`` needs. Scales are ue8m0 (MX), e4m3 (NV), ue5m3
    bytes (nv.quark) or f32 (FP8).
    Codes and scales are torch tensors if x is one, otherwise NumPy arrays.

    Raises
    ------
    TypeError : the rule does not take these types; ValueError : there is no such rule, it does not take this modifier,
        or shapes do not fit

    Examples
    --------
    >>> import numpy as np, pto
    >>> x = np.linspace(-448, 448, 64, dtype=np.float32)
    >>> q = pto.quantize(x, "mxfp8")
    >>> q.codes.shape, q.scales.view(np.uint8), q.elem, q.rule
    ((64,), array([128, 128], dtype=uint8), 'e4m3', 'mx.even1')
    >>> float(abs(pto.dequantize(q) - x).max()) < 16
    True
    """
    given = (None, None) if out is None else pair(out, "out")
    return quantize_by(how(elem, rule, block, two_level, eps, pow2), x, tensor, rbits, given)


def quantize_by(
    plan: How, x: ArrayLike, tensor: float | None, rbits: ArrayLike | None, out: tuple[Out, Out]
) -> Quantized:
    """The implementation of ``quantize``, with all defaults filled in."""
    array, wide = _core.as_array(x, "x"), _core.type_of(x, "x")
    check_number(plan, tensor, needed=False)
    if plan.two_level and tensor is None:
        plan.op(wide)  # checks the types before the tensor is read
        tensor = _tensor_of(array, plan, wide)
    op = plan.op(wide, rbits is not None, tensor)
    direction = _QUANTIZE_LONG if _is_long(plan, array) else _QUANTIZE
    codes, scales = _blocks(op, direction, array, plan.elem, out, rbits, x)
    cols = array.shape[-1] if array.ndim else 1
    return Quantized(codes, scales, plan.elem, plan.rule, plan.block, tensor, plan.two_level, cols)


def _is_long(plan: How, x: Array) -> bool:
    """Returns whether each matrix is one block of more than _LONG elements, by a rule that needs only its amax.

    The core handles signals only between blocks. It therefore computes the scale of such a block first and then
    requantizes the matrix with it. Both are done in pieces.
    """
    rows, cols = (1, 1, *x.shape)[-2:]
    one = plan.block[0] in (0, rows) and plan.block[1] in (0, cols)
    return one and rows * cols > _LONG and plan.rule not in _FROM_BLOCK and not plan.rule.startswith(_CHOOSES)


def requantize(
    x: ArrayLike,
    scales: ArrayLike,
    elem: TypeLike | None = None,
    rule: str | None = None,
    *,
    block: tuple[int, int] | None = None,
    tensor: float | None = None,
    two_level: bool | None = None,
    rbits: ArrayLike | None = None,
    out: Out = None,
) -> Array:
    """Return the codes of a tensor for given scales, such as static or calibrated ones.

    Other parameters and errors are as in ``quantize``. ``out`` is an array for the codes. A rule with two levels needs
    ``tensor``, or ``two_level=False``.

    >>> import numpy as np, pto
    >>> x = np.ones(32, np.float32)
    >>> pto.requantize(x, np.array([127], np.uint8)).view(np.uint8)[0]
    np.uint8(56)
    """
    array = _core.as_array(x, "x")
    plan = how(elem, rule, block, two_level)
    check_number(plan, tensor, needed=True)
    op = plan._replace(eps=0.0, pow2=False).op(_core.type_of(x, "x"), rbits is not None, tensor)
    return _blocks(op, _REQUANTIZE, array, plan.elem, (out, scales), rbits, x)[0]


def dequantize(
    codes: ArrayLike | Quantized,
    scales: ArrayLike | None = None,
    elem: TypeLike | None = None,
    rule: str | None = None,
    block: tuple[int, int] | None = None,
    tensor: float | None = None,
    two_level: bool | None = None,
    cols: int | None = None,
    *,
    to: TypeLike = "f32",
    out: Out = None,
) -> Array:
    """Return the values of codes and scales that ``quantize`` or another framework made, as f32, f16 or bf16.

    ``dequantize(q)`` takes the result of ``quantize``. Otherwise codes, scales, elem, rule and block are as in
    ``quantize``; elem may be left out if the dtype of codes is that type. A rule with two levels needs ``tensor``, or
    ``two_level=False`` if the tensor has no second-level value. ``cols`` is the number of elements of a row; for e2m1
    it is needed if that is odd. ``to`` is the type of the result: f32, f16 or bf16.

    >>> import numpy as np, pto
    >>> q = pto.quantize(np.full(16, -3, np.float32), "nvfp4")
    >>> pto.dequantize(q)[0], pto.dequantize(q.codes, q.scales, "nvfp4", tensor=q.tensor)[0]
    (np.float32(-3.0), np.float32(-3.0))
    """
    if hasattr(codes, "codes"):
        given = (scales, elem, rule, block, tensor, two_level, cols)
        return dequantize(*parts_of(codes, given), to=to, out=out)
    if scales is None:
        raise TypeError("scales: they are needed, unless codes is a Quantized")
    array = _core.as_array(codes, "codes")
    if elem is None and not str(rule).startswith("nv."):
        elem = _elem_of(codes)
    plan = how(elem, rule, block, two_level)
    check_number(plan, tensor, needed=True)
    two_to_a_byte = _core.type_bits(plan.elem) == 4
    if two_to_a_byte and array.dtype != np.uint8:
        loose = array.shape[-1] if array.ndim else 1
        if cols is not None and count(cols, "cols") != loose:
            raise ValueError(f"cols: a row of codes has {loose} elements, not {cols}")
        cols, array = loose, _core.pack4(array)
    shape = (1,) if array.ndim == 0 else array.shape
    width = shape[-1] * (2 if two_to_a_byte else 1) if cols is None else count(cols, "cols")
    result = np.empty((*shape[:-1], width), _core.dtype_of(to)) if out is None else out
    op = plan._replace(eps=0.0, pow2=False).op(to, False, tensor, "to")
    stack = _matrices(_written(result, "out"), "out", written=True)
    factors = _matrices(_core.as_array(scales, "scales"), "scales")
    _core.run_blocks(op, stack, _matrices(array, "codes"), factors, None, _DEQUANTIZE)
    return result if out is not None else _core.like((codes, scales), result, to)


def parts_of(q: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns the arguments of ``dequantize`` from a Quantized of pto, pto.torch or pto.jax."""
    if any(x is not None for x in given):
        raise TypeError("codes: a Quantized has its own scales, elem, rule, block, tensor, two_level and cols")
    return q.codes, q.scales, q.elem, q.rule, q.block, q.tensor, q.two_level, q.cols


def _elem_of(codes: ArrayLike) -> str | None:
    """Returns the type of codes if their dtype is a small float format, or None for bytes."""
    name = _core.type_of(codes, "codes")
    return name if name in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1") else None


def _blocks(
    op: bytes,
    direction: int,
    x: Array,
    elem: str,
    given: tuple[Out, Out],
    rbits: ArrayLike | None,
    like: ArrayLike,
) -> tuple[Array, Array]:
    """Quantizes or requantizes the matrices of x, and returns codes and scales.

    ``given`` has arrays for both, or None; new arrays become torch tensors if ``like`` is one.
    """
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
    fresh = direction != _REQUANTIZE
    narrow = _matrices(_written(codes, "codes"), "codes", written=True)
    parts = _matrices((_written if fresh else _core.as_array)(scales, "scales"), "scales", written=fresh)
    words = None if rbits is None else _matrices(_core.as_array(rbits, "rbits"), "rbits")
    _core.run_blocks(op, stack, narrow, parts, words, direction)
    if given[0] is None:
        codes = _core.like((like,), codes, elem)
    if given[1] is None:
        scales = _core.like((like,), scales, _core.block_scale(op))
    return codes, scales


def scales_swizzle(scales: ArrayLike, layout: str) -> Array:
    """Copy one-byte scales to the layout that a matrix-multiply library reads. Padding bytes are zero.

    ``scales`` has two dimensions. ``layout`` is ``"rows"``, ``"128x4"`` (cuBLAS, CUTLASS), ``"8x4"`` (TensorRT-LLM),
    ``"mn_x4"`` (DeepGEMM) or ``"32x8"`` (aiter). The result is a one-dimensional array of uint8.

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
    row: Array = _core.like((scales,), tiled[0], "u8")
    return row


def scales_unswizzle(tiled: ArrayLike, layout: str, rows: int, cols: int) -> Array:
    """The inverse of ``scales_swizzle``: returns an array of ``rows`` by ``cols`` scales with the dtype of ``tiled``.

    >>> import numpy as np, pto
    >>> x = np.arange(8, dtype=np.uint8).reshape(4, 2)
    >>> bool((pto.scales_unswizzle(pto.scales_swizzle(x, "8x4"), "8x4", 4, 2) == x).all())
    True
    """
    array = _core.as_array(tiled, "tiled")
    scales = np.empty((count(rows, "rows"), count(cols, "cols")), array.dtype)
    _core.lay_out_scales(_layout(layout), scales, array.reshape((1, -1)), True)
    result: Array = _core.like((tiled,), scales, _core.type_of(tiled, "tiled"))
    return result


def block_pack(codes: ArrayLike, scales: ArrayLike, layout: str) -> Array:
    """Store codes and scales together, as GGUF files and Tenstorrent's tiles do.

    ``layout`` is ``"gguf_mxfp4"`` or ``"gguf_nvfp4"`` (llama.cpp; codes of e2m1, two in a byte), ``"tt_tile"``
    (bfloat8_b; codes of bfp8) or ``"tt_tile4"`` (bfloat4_b; codes of bfp4, two in a byte). ``codes`` and ``scales``
    have two dimensions. Rows and columns must be multiples of 1 x 32, 1 x 64 and 32 x 32 elements. The result is a
    one-dimensional array of uint8.

    >>> import numpy as np, pto
    >>> q = pto.quantize(np.ones((2, 64), np.float32), "e2m1", "mx.gguf")
    >>> pto.block_pack(q.codes, q.scales, "gguf_mxfp4").shape
    (68,)
    """
    number, block, _, _ = _pack(layout)
    array, factors = _core.as_array(codes, "codes"), _core.as_array(scales, "scales")
    for x, name in ((array, "codes"), (factors, "scales")):
        if x.ndim != 2:
            raise ValueError(f"{name}: it has {x.ndim} dimensions, not 2")
    rows, cols = factors.shape[0], factors.shape[1] * block
    packed = np.empty((1, _pack_bytes(layout, rows, cols)), np.uint8)
    _core.pack_blocks(number, array, factors, packed, cols, False)
    row: Array = _core.like((codes, scales), packed[0], "u8")
    return row


def block_unpack(packed: ArrayLike, layout: str, rows: int, cols: int) -> tuple[Array, Array]:
    """The inverse of ``block_pack``: returns the codes, as uint8, and the scales of ``rows`` by ``cols`` elements.

    >>> import numpy as np, pto
    >>> q = pto.quantize(np.ones((2, 64), np.float32), "e2m1", "nv.gguf")
    >>> codes, scales = pto.block_unpack(pto.block_pack(q.codes, q.scales, "gguf_nvfp4"), "gguf_nvfp4", 2, 64)
    >>> bool((codes == q.codes).all()), scales.shape
    (True, (2, 4))
    """
    number, block, per_byte, scale = _pack(layout)
    array = _core.as_array(packed, "packed").reshape((1, -1))
    rows, cols = count(rows, "rows"), count(cols, "cols")
    _pack_bytes(layout, rows, cols)
    codes = np.empty((rows, cols // per_byte), np.uint8)
    scales = np.empty((rows, cols // block), _core.dtype_of(scale))
    _core.pack_blocks(number, codes, scales, array, cols, True)
    return _core.like((packed,), codes, "u8"), _core.like((packed,), scales, scale)


def _pack(name: str) -> tuple[int, int, int, str]:
    if name not in _PACKS:
        raise ValueError(f"layout: one of {', '.join(_PACKS)}, not {name!r}")
    return _PACKS[name]


def _pack_bytes(layout: str, rows: int, cols: int) -> int:
    """Returns the size of a tensor in a layout. Raises ValueError if it has partial units."""
    size = _core.pack_bytes(_PACKS[layout][0], rows, cols)
    if size == 0 and rows > 0 and cols > 0:
        raise ValueError(f"layout: {layout} does not store {rows} rows of {cols} elements")
    return size


def _layout(name: str) -> int:
    if name not in _LAYOUTS:
        raise ValueError(f"layout: one of {', '.join(_LAYOUTS)}, not {name!r}")
    return _LAYOUTS.index(name)


__all__ = [
    "Quantized",
    "block_pack",
    "block_unpack",
    "dequantize",
    "quantize",
    "requantize",
    "rules",
    "scales_swizzle",
    "scales_unswizzle",
]
