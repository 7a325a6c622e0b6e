# SPDX-License-Identifier: MIT
"""Encodes a weight as the tensors that a checkpoint stores for it, and decodes these."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .. import _core
from .._arrays import Array
from .._block import _KEEP_NAN, dequantize, quantize, requantize, rule_number, rules
from ._files import Tensor
from ._layers import module_of
from ._need import CheckpointError, need
from ._recipes import Recipe

_AT_ONCE = 1 << 20  # elements that are processed at a time if an operation needs a temporary array


@dataclass(frozen=True, slots=True)
class Part:
    """A tensor of the resulting checkpoint. ``role`` is "copy", "codes", "scales", "tensor", "input" or "values"."""

    role: str
    name: str
    dtype: str
    shape: tuple[int, ...]


def parts_of(recipe: Recipe, weight: Tensor) -> list[Part]:
    """Returns the tensors that replace a weight."""
    if recipe.experts:
        count, cols, rows = weight.shape
        codes = (count, rows, cols // recipe.block[1], recipe.block[1] // 2)
        scales = (count, rows, cols // recipe.block[1])
        return [
            Part("codes", weight.name + recipe.codes, "U8", codes),
            Part("scales", weight.name + recipe.scales, "U8", scales),
        ]
    if recipe.config == "gguf":
        return [Part("codes", weight.name, recipe.detail, weight.shape)]
    rows, cols = weight.shape
    module = module_of(weight.name)
    bytes_of_row = {"e2m1": cols // 2, "e2m3": cols // 4 * 3}.get(recipe.elem, cols)
    parts = [
        Part("codes", f"{module}.{recipe.codes}", "F8_E4M3" if recipe.elem == "e4m3" else "U8", (rows, bytes_of_row)),
        Part("scales", f"{module}.{recipe.scales}", _scale_dtype(recipe, weight), _scale_shape(recipe, rows, cols)),
    ]
    if recipe.tensor:
        parts.append(Part("tensor", f"{module}.{recipe.tensor}", "F32", recipe.tensor_shape))
    if recipe.input_scale:
        parts.append(Part("input", f"{module}.{recipe.input_scale}", "F32", ()))
    return parts


def _scale_dtype(recipe: Recipe, weight: Tensor) -> str:
    """Returns the dtype of stored scales. Those of fp8.ct have the weight's type; others may need f32's precision."""
    if recipe.scale_as != "wide":
        return recipe.scale_as
    return weight.dtype if recipe.rule == "fp8.ct" else "F32"


def grid_of(block: tuple[int, int], rows: int, cols: int) -> tuple[int, int]:
    """Returns the numbers of blocks of a matrix, down and along. 0 in a block means all rows or columns."""
    high, wide = block
    return -(-rows // (high or rows or 1)), -(-cols // (wide or cols or 1))


def _scale_shape(recipe: Recipe, rows: int, cols: int) -> tuple[int, ...]:
    down, along = grid_of(recipe.block, rows, cols)
    return {"matrix": (down, along), "vector": (down,), "scalar": (), "spread": (down, 1, along, 1)}[recipe.scale_shape]


def amax_of(x: Array, rule: str) -> float:
    return float(_core.block_amax(x, rule in _KEEP_NAN))


def count_nonfinite(x: Array) -> int:
    """Returns how many elements of an array are NaN or infinite."""
    flat = x.reshape(-1)
    if x.size == 0:
        return 0
    quick = x.dtype.name in ("float32", "float16", "bfloat16")
    if quick and math.isfinite(_core.block_amax(flat.reshape(1, -1), True)):
        return 0
    parts = (flat[i : i + _AT_ONCE] for i in range(0, flat.size, _AT_ONCE))
    return sum(int(part.size - np.isfinite(part).sum()) for part in parts)


def count_bad_scales(recipe: Recipe, scales: Array) -> int:
    """Returns how many stored scales of a weight are NaN or infinite."""
    if scales.dtype.itemsize != 1:
        return count_nonfinite(scales)
    codes = scales.view(np.uint8)
    return int(((codes & 0x7F) == 0x7F).sum() if recipe.two_level else (codes == 0xFF).sum())  # e4m3 or e8m0


def largest(amaxes: list[float]) -> float:
    """Returns the maximum, or NaN if one value is NaN. The result of max() would depend on the position of the NaN."""
    return math.nan if any(map(math.isnan, amaxes)) else max(amaxes)


def second_level(rule: str, amax: float, dtypes: set[str]) -> float:
    """Returns the second-level value of weights whose largest magnitude is ``amax`` and whose types are ``dtypes``.

    For nv.ct this is ``generate_gparam`` of compressed-tensors, which computes in the weights' type. For other rules, a
    value that is 0 or infinite for a finite amax would turn all elements into NaN when they are dequantized. It is 1
    instead, and the elements are zeros.
    """
    if rule == "nv.ct":
        return _global_scale(amax, dtypes)
    value = float(_core.block_tensor(rule_number(rule), amax))
    return 1.0 if math.isfinite(amax) and (value == 0 or math.isinf(value)) else value


def _global_scale(amax: float, dtypes: set[str]) -> float:
    """Returns 2688 / amax, as a reciprocal and a product that are each rounded to the weights' type.

    If the result is NaN or infinite, it returns 1.
    """
    types = {"BF16": need("ml_dtypes").bfloat16, "F16": np.float16, "F32": np.float32}
    dtype = np.dtype(types[next(iter(dtypes))] if len(dtypes) == 1 else np.float32)
    least = np.float32(need("ml_dtypes").finfo(dtype).tiny)
    with np.errstate(all="ignore"):
        bounded = np.maximum(np.float32(amax), least)  # keeps a NaN
        reciprocal = (np.float32(1) / bounded).astype(dtype).astype(np.float32)
        scale = float((np.float32(2688) * reciprocal).astype(dtype))
    return scale if math.isfinite(scale) else 1.0


def input_number(recipe: Recipe, amax: float) -> float:
    """Returns the scale of activations whose largest magnitude is amax: amax / 2688 for NVFP4, amax / 448 for FP8."""
    with np.errstate(over="ignore"):
        return float(np.float32(amax) / np.float32(2688 if recipe.two_level else 448))


def encode(recipe: Recipe, x: Array, number: float | None, input_amax: float | None) -> Iterator[tuple[str, Array]]:
    """Yields the role and the data of each part of a weight. ``number`` is the second-level value."""
    if recipe.experts:
        yield from _encode_experts(recipe, x)
        return
    if recipe.config == "compressed_tensors" and recipe.elem == "e2m1":
        _clear_signs_of_zeros(x)
    q = quantize(
        x,
        recipe.elem,
        recipe.rule,
        block=recipe.block,
        tensor=number,
        two_level=recipe.two_level,
        eps=recipe.eps,
        pow2=recipe.pow2,
    )
    codes, scales = q.codes, q.scales
    if recipe.loads_bf16 and x.dtype == np.float16 and recipe.rule.startswith("mx"):
        codes, scales = _with_f16_scales(recipe, x, codes, scales)
    codes = codes.view(np.uint8)
    yield "scales", _stored_scales(recipe, scales, x)
    yield "codes", pack6(codes) if recipe.packing == "fp6" else codes
    if number is not None:
        yield "tensor", np.array(number, np.float32)
    if recipe.input_scale:
        assert input_amax is not None
        yield "input", np.array(input_number(recipe, input_amax), np.float32)


def _clear_signs_of_zeros(x: Array) -> None:
    """Replaces -0 by 0. compressed-tensors multiplies e2m1 elements by their sign, which is 0 for both."""
    bits = x.reshape(-1).view(f"u{x.dtype.itemsize}")
    for i in range(0, bits.size, _AT_ONCE):
        part = bits[i : i + _AT_ONCE]
        part[part == 1 << 8 * x.dtype.itemsize - 1] = 0


def _with_f16_scales(recipe: Recipe, x: Array, codes: Array, scales: Array) -> tuple[Array, Array]:
    """Returns codes and scales as compressed-tensors computes them for an f16 weight, with scales computed in f16.

    There, a scale below 2^-24 becomes 0, which is replaced by 1. compressed-tensors keeps only the exponent bits of the
    largest magnitude of a block. A subnormal one therefore rounds to the least normal value or to 0.
    """
    exponents = scales.view(np.uint8)
    half, least = (64 if recipe.elem == "e2m3" else 256), 113 - (8 if recipe.elem == "e4m3" else 2)
    before = exponents.copy()
    rows, columns = np.nonzero(exponents <= least)
    for i in range(0, len(rows), _AT_ONCE >> 5):
        at = rows[i : i + (_AT_ONCE >> 5)], columns[i : i + (_AT_ONCE >> 5)]
        largest = (x.reshape(len(x), -1, recipe.block[1])[at].view(np.uint16) & 0x7FFF).max(axis=1)
        rounded = np.where(largest + half < 0x400, 127, least)
        exponents[at] = np.where(largest < 0x400, rounded, exponents[at])
    exponents[exponents < 103] = 127
    if (exponents == before).all():
        return codes, scales
    return requantize(x, scales, recipe.elem, recipe.rule, block=recipe.block), scales


def _encode_experts(recipe: Recipe, x: Array) -> Iterator[tuple[str, Array]]:
    """Encodes a stack of [in, out] matrices. Blocks run along ``in``, so each matrix is transposed first."""
    turned = [quantize(np.ascontiguousarray(one.T), recipe.elem, recipe.rule, block=recipe.block) for one in x]
    yield "scales", np.stack([q.scales.view(np.uint8) for q in turned])
    yield "codes", np.stack([q.codes.view(np.uint8) for q in turned])


def _stored_scales(recipe: Recipe, scales: Array, x: Array) -> Array:
    if recipe.scale_as == "F8_E8M0":
        return (scales.view(np.uint32) >> 23).astype(np.uint8)
    if recipe.scale_as == "wide" and recipe.rule == "fp8.ct":
        return scales.astype(x.dtype)
    return scales


def pack6(codes: Array) -> Array:
    """Packs every four 6-bit codes into three bytes, the first code in the low bits."""
    flat = codes.reshape(-1, 4)
    packed = np.empty((len(flat), 3), np.uint8)
    for i in range(0, len(flat), _AT_ONCE):
        c = flat[i : i + _AT_ONCE].astype(np.uint8)
        to = packed[i : i + _AT_ONCE]
        to[:, 0] = c[:, 0] | c[:, 1] << 6
        to[:, 1] = c[:, 1] >> 2 | c[:, 2] << 4
        to[:, 2] = c[:, 2] >> 4 | c[:, 3] << 2
    return packed


def unpack6(packed: Array) -> Array:
    p = packed.reshape(-1, 3)
    codes = np.empty((len(p), 4), np.uint8)
    codes[:, 0] = p[:, 0] & 63
    codes[:, 1] = p[:, 0] >> 6 | (p[:, 1] & 15) << 2
    codes[:, 2] = p[:, 1] >> 4 | (p[:, 2] & 3) << 4
    codes[:, 3] = p[:, 2] >> 2
    return codes


@dataclass(frozen=True, slots=True)
class Coded:
    """Describes the codes and scales of a weight of ``count`` matrices of ``rows`` x ``cols`` elements.

    ``scale_dtype`` is the dtype of the scales in the file, or empty if all scales are 1.
    """

    elem: str
    rule: str
    block: tuple[int, int]
    count: int
    rows: int
    cols: int
    scale_dtype: str
    two_level: bool = False
    packing: str = ""
    turned: bool = False  # the weight has the transposed matrices

    @property
    def grid(self) -> tuple[int, int]:
        """The numbers of scales of a matrix, down and along."""
        return grid_of(self.block, self.rows, self.cols)


def coded_by(recipe: Recipe, weight: Tensor) -> Coded:
    """Returns how a recipe stores a weight of the source. A stack of experts is stored as [out, in] matrices."""
    if recipe.experts:
        count, cols, rows = weight.shape
    else:
        (rows, cols), count = weight.shape, 1
    dtype = _scale_dtype(recipe, weight)
    rule = "mx.rceil" if dtype == "F8_E8M0" else recipe.rule  # a rule whose scales are powers of two, as bytes
    return Coded(
        recipe.elem, rule, recipe.block, count, rows, cols, dtype, recipe.two_level, recipe.packing, recipe.experts
    )


def decode(coded: Coded, parts: dict[str, Array], to: str = "f32") -> Iterator[tuple[int, Array]]:
    """Yields the values of a weight in slices of rows: the index of the first row, and the slice.

    ``parts`` is a dict from roles to arrays of bytes. The matrices of a stack are counted as one. If the weight has the
    transposed matrices, rows are still those of the codes.
    """
    codes, scales, number = _arrays_of(coded, parts)
    high = coded.block[0] or 1
    step = max(1, _AT_ONCE // max(1, coded.cols * high)) * high
    for k in range(coded.count):
        for row in range(0, coded.rows, step):
            narrow = codes[k, row : row + step]
            some = scales[k, row // high : -(-(row + step) // high)] if coded.block[0] else scales[k]
            yield k * coded.rows + row, _values(coded, narrow, some, number, coded.cols, to)


def decode_turned(coded: Coded, parts: dict[str, Array], to: str) -> Iterator[Array]:
    """Yields the values of the transposed matrices, one after the other, in slices of their rows.

    Only for e2m1 with blocks in one row.
    """
    codes, scales, number = _arrays_of(coded, parts)
    wide = coded.block[1]
    step = max(1, _AT_ONCE // max(1, coded.rows * wide)) * wide
    for k in range(coded.count):
        for col in range(0, coded.cols, step):
            cols = min(step, coded.cols - col)
            narrow = np.ascontiguousarray(codes[k, :, col // 2 : (col + cols) // 2])
            some = np.ascontiguousarray(scales[k, :, col // wide : -(-(col + cols) // wide)])
            yield np.ascontiguousarray(_values(coded, narrow, some, number, cols, to).T)


def _arrays_of(coded: Coded, parts: dict[str, Array]) -> tuple[Array, Array, float | None]:
    """Returns the codes and scales of each matrix, and the second-level value or None."""
    matrices = coded.count * coded.rows
    codes = parts["codes"].reshape(coded.count, coded.rows, parts["codes"].size // matrices if matrices else 0)
    if coded.scale_dtype:
        scales = _loaded_scales(coded.scale_dtype, parts["scales"])
    else:
        scales = np.ones(coded.count, np.float32)
    number = float(parts["tensor"].view(np.float32).reshape(())) if coded.two_level else None
    return codes, scales.reshape(coded.count, *coded.grid), number


def _values(coded: Coded, codes: Array, scales: Array, number: float | None, cols: int, to: str) -> Array:
    if coded.packing == "fp6":
        codes = unpack6(codes).reshape(len(codes), cols)
    return dequantize(
        codes,
        scales,
        coded.elem,
        coded.rule,
        block=coded.block,
        tensor=number,
        two_level=coded.two_level,
        cols=cols,
        to=to,
    )


def _loaded_scales(dtype: str, data: Array) -> Array:
    """Returns scales as f32, or as bytes if they are of one byte."""
    if dtype == "BF16":
        wide: Array = data.view(np.dtype(need("ml_dtypes").bfloat16)).astype(np.float32)
        return wide
    if dtype in ("F16", "F32"):
        return data.view({"F16": np.float16, "F32": np.float32}[dtype]).astype(np.float32)
    return data


def check_recipe(recipe: Recipe) -> None:
    """Raises CheckpointError if the library has no such quantization. It is called before any file is written."""
    if recipe.eps != 0:
        with np.errstate(over="ignore", under="ignore"):
            narrow = float(np.float32(recipe.eps))
        if not (recipe.rule.startswith("fp8") and 0 < narrow < math.inf):
            raise CheckpointError(
                f"--eps: only for FP8 recipes, and 0 or a positive number that f32 can hold, not {recipe.eps} for "
                f"{recipe.name}"
            )
    number = 1.0 if recipe.two_level else recipe.eps
    rule, pow2 = rule_number(recipe.rule), recipe.pow2
    try:
        _core.block_op("f32", recipe.elem, rule, False, pow2, recipe.two_level, number, *recipe.block, "x")
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"{recipe.name}: {error}") from error


def rule_of_recipe(recipe: Recipe, rule: str) -> str:
    """Returns a rule that replaces the recipe's own. It must have the same family and form of second-level value."""
    same = [r for r in rules() if r.split(".")[0] == recipe.rule.split(".")[0]]
    if recipe.config == "gguf":  # the readers of GGUF dequantize by one rule
        same = [recipe.rule]
    if recipe.two_level:
        pairs = (("nv.ct", "nv.rcp"), ("nv.modelopt", "nv.ao"))
        same = next(list(pair) for pair in pairs if recipe.rule in pair)
    if rule not in same:
        raise CheckpointError(f"--rule: for {recipe.name} one of {', '.join(same)}, not {rule}")
    return rule
