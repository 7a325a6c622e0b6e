# SPDX-License-Identifier: MIT
"""A weight as the tensors that a checkpoint has for it, and back."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .. import _core
from .._arrays import Array
from .._block import dequantize, quantize, rules
from ._files import Tensor
from ._need import CheckpointError, need
from ._recipes import Recipe

_AT_ONCE = 1 << 20  # elements of a slice, where a step needs memory of its own
_KEEP_NAN = ("nv.ao", "nv.modelopt", "nv.ct")


@dataclass(frozen=True)
class Part:
    """A tensor of the result: what it is of the weight, and how it stands in the file."""

    role: str  # "copy", "codes", "scales", "tensor" or "input"
    name: str
    dtype: str
    shape: tuple[int, ...]


def module_of(name: str) -> str:
    return name.removesuffix(".weight")


def parts_of(recipe: Recipe, weight: Tensor) -> list[Part]:
    """What stands for a weight that the recipe is for."""
    if recipe.experts:
        count, cols, rows = weight.shape
        codes = (count, rows, cols // recipe.block[1], recipe.block[1] // 2)
        scales = (count, rows, cols // recipe.block[1])
        return [
            Part("codes", weight.name + recipe.codes, "U8", codes),
            Part("scales", weight.name + recipe.scales, "U8", scales),
        ]
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
    """Scales of fp8.ct are numbers of the weight's type; those of other rules may need all of f32."""
    if recipe.scale_as != "wide":
        return recipe.scale_as
    return weight.dtype if recipe.rule == "fp8.ct" else "F32"


def _grid(recipe: Recipe, rows: int, cols: int) -> tuple[int, int]:
    high, wide = recipe.block
    return -(-rows // (high or rows)), -(-cols // (wide or cols))


def _scale_shape(recipe: Recipe, rows: int, cols: int) -> tuple[int, ...]:
    down, along = _grid(recipe, rows, cols)
    return {"matrix": (down, along), "vector": (down,), "scalar": (), "spread": (down, 1, along, 1)}[recipe.scale_shape]


def amax_of(x: Array, rule: str) -> float:
    return float(_core.block_amax(x, rule in _KEEP_NAN))


def largest(amaxes: list[float]) -> float:
    """A NaN among them counts: max() would take it or not, by its place."""
    return math.nan if any(map(math.isnan, amaxes)) else max(amaxes)


def number_of(rule: str, amax: float) -> float:
    """The second level, s2 or g, as the rule has it.

    Of zeros, and of what is so small that the quotient leaves f32, it would be 0 or infinite and all elements NaN on
    the way back. It is 1 then, and they are zeros.
    """
    number = float(_core.block_tensor(rules().index(rule), amax))
    return 1.0 if math.isfinite(amax) and (number == 0 or math.isinf(number)) else number


def input_number(recipe: Recipe, amax: float) -> float:
    """The scale of activations whose largest magnitude is amax: A / 2688 of NVFP4, A / 448 of FP8."""
    return float(np.float32(amax) / np.float32(2688 if recipe.two_level else 448))


def encode(recipe: Recipe, x: Array, number: float | None, input_amax: float | None) -> Iterator[tuple[str, Array]]:
    """Role and bytes of each part, one after the other."""
    if recipe.experts:
        yield from _encode_experts(recipe, x)
        return
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
    codes = q.codes.view(np.uint8)
    yield "scales", _stored_scales(recipe, q.scales, x)
    yield "codes", pack6(codes) if recipe.packing == "fp6" else codes
    if number is not None:
        yield "tensor", np.array(number, np.float32)
    if recipe.input_scale:
        assert input_amax is not None
        yield "input", np.array(input_number(recipe, input_amax), np.float32)


def _encode_experts(recipe: Recipe, x: Array) -> Iterator[tuple[str, Array]]:
    """Matrices of [in, out], whose blocks run along in: each is turned over by itself."""
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
    """Four codes of six bits in three bytes, the first one in the low bits."""
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


def decode(recipe: Recipe, weight: Tensor, parts: dict[str, Array]) -> Iterator[tuple[int, Array]]:
    """The numbers of a weight as f32, in slices of rows, each with where it begins; parts are arrays of bytes by role.

    Stacks of experts come as matrices of [out, in], one behind the other.
    """
    if recipe.experts:
        count, cols, rows = weight.shape
    else:
        (rows, cols), count = weight.shape, 1
    codes = parts["codes"].reshape(count * rows, -1)
    down, along = _grid(recipe, rows, cols)
    scales = _loaded_scales(recipe, weight, parts["scales"]).reshape(count * down, along)
    number = float(parts["tensor"].view(np.float32).reshape(())) if recipe.tensor else None
    high = recipe.block[0] or count * rows
    step = max(1, _AT_ONCE // (cols * high)) * high
    for row in range(0, count * rows, step):
        narrow = codes[row : row + step]
        if recipe.packing == "fp6":
            narrow = unpack6(narrow).reshape(len(narrow), cols)
        some = scales[row // high : -(-(row + step) // high)]
        yield row, dequantize(narrow, some, recipe.elem, recipe.rule, block=recipe.block, tensor=number, cols=cols)


def _loaded_scales(recipe: Recipe, weight: Tensor, data: Array) -> Array:
    dtype = _scale_dtype(recipe, weight)
    if recipe.scale_as == "F8_E8M0":
        return (data.astype(np.uint32) << 23).view(np.float32)
    if dtype == "BF16":
        wide: Array = data.view(np.dtype(need("ml_dtypes").bfloat16)).astype(np.float32)
        return wide
    if dtype in ("F16", "F32"):
        return data.view({"F16": np.float16, "F32": np.float32}[dtype]).astype(np.float32)
    return data


def check_recipe(recipe: Recipe) -> None:
    """Whether there is such an op, before anything is made by it."""
    if recipe.eps != 0 and not (recipe.rule.startswith("fp8") and 0 < recipe.eps <= np.finfo(np.float32).max):
        raise CheckpointError(f"--eps: of FP8, and a number from 0 on, not {recipe.eps} for {recipe.name}")
    number = 1.0 if recipe.two_level else recipe.eps
    rule, pow2 = rules().index(recipe.rule), recipe.pow2
    try:
        _core.block_op("f32", recipe.elem, rule, False, pow2, recipe.two_level, number, *recipe.block)
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"{recipe.name}: {error}") from error


def rule_of_recipe(recipe: Recipe, rule: str) -> str:
    """A rule that may stand in for the recipe's own: of the same family, and with the same second level."""
    same = [r for r in rules() if r.split(".")[0] == recipe.rule.split(".")[0]]
    if recipe.two_level:
        pairs = (("nv.ct", "nv.rcp"), ("nv.modelopt", "nv.ao"))
        same = next(list(pair) for pair in pairs if recipe.rule in pair)
    if rule not in same:
        raise CheckpointError(f"--rule: for {recipe.name} one of {', '.join(same)}, not {rule}")
    return rule
