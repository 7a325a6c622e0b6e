# SPDX-License-Identifier: MIT
"""Recognises the quantized weights of a checkpoint, by its configuration and the names, types and shapes of tensors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import NoReturn

from ._codec import Coded, grid_of
from ._files import Tensor, is_wide
from ._layers import Config, configurations, matches, module_of
from ._need import CheckpointError

_TENSOR, _ROW, _TILE, _MX, _NV = (0, 0), (1, 0), (128, 128), (1, 32), (1, 16)
_ANY = (_TENSOR, _ROW, _TILE, _MX, _NV, (1, 128))
_METHODS = ("compressed-tensors", "fbgemm_fp8", "fp8", "modelopt", "mxfp4", "mxfp8")
_FORMATS = (
    "float-quantized",
    "mixed-precision",
    "mxfp4-pack-quantized",
    "mxfp6-pack-quantized",
    "mxfp8-quantized",
    "naive-quantized",
    "nvfp4-pack-quantized",
)
_ALGORITHMS: dict[str, tuple[tuple[int, int], ...]] = {
    "FP8": (_TENSOR,),
    "FP8_PER_CHANNEL_PER_TOKEN": (_ROW,),
    "FP8_PB_WO": (_TILE,),
    "MXFP8": (_MX,),
    "MXFP4": (_MX,),
    "W4A8_MXFP4_FP8": (_MX,),
    "NVFP4": (_NV,),
    "W4A16_NVFP4": (_NV,),
    "W4A8_NVFP4_FP8": (_NV, (1, 32)),
    "MIXED_PRECISION": _ANY,
}
_FP8 = {"F8_E4M3": "e4m3", "F8_E5M2": "e5m2"}
_FLOATS_OF_SCALES = ("F32", "F16", "BF16")
_EXPONENTS = ("U8", "F8_E8M0")
_SMALL = (*_FP8, "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F4", "F6_E2M3", "F6_E3M2")
_BYTES = ("U8", "I8")  # types that hold two e2m1 elements
_UNUSED = ("input_scale", "input_global_scale", "output_scale", "weight_shape")  # of activations, or without a use here
_REFUSED = ("weight_zero_point", "weight_g_idx", "pre_quant_scale")  # without these, values would be wrong
_CACHE = ("k_scale", "v_scale", "q_scale", "kv_scale", "prob_output_scale")


@dataclass(frozen=True)
class Format:
    """What the configuration says about the quantized weights."""

    name: str
    blocks: tuple[tuple[int, int], ...] = _ANY  # the sizes of blocks that may occur, the likeliest first
    cache: bool = False  # the checkpoint has scales of the KV cache


@dataclass(frozen=True)
class Stored:
    """A quantized weight. ``shape`` is that of the dequantized weight, ``parts`` has the other tensors by role."""

    name: str
    shape: tuple[int, ...]
    coded: Coded
    parts: dict[str, str]
    text: str  # describes the format


@dataclass
class Found:
    """The quantized weights of a checkpoint, and the tensors that the dequantized one does not need."""

    weights: dict[str, Stored] = field(default_factory=dict)  # by the name of the tensor of codes
    dropped: dict[str, str] = field(default_factory=dict)  # tensors that the result does not have, with reasons


def read_format(folder: Path, config: Config | None, modelopt: Config | None) -> Format:
    """Returns the format that ``config.json`` and ``hf_quant_config.json`` name."""
    path = folder / "config.json"
    given: object = _quantization_of(config or {})
    if given is None and modelopt is not None:
        path, given = folder / "hf_quant_config.json", modelopt.get("quantization")
        given = given | {"quant_method": "modelopt"} if isinstance(given, dict) else given
    if given is None:
        return Format("tensors that are recognised by their names, types and shapes")
    if not isinstance(given, dict):
        raise CheckpointError(f"{path}: quantization_config is not an object")
    method = str(given.get("quant_method", "compressed-tensors" if "config_groups" in given else ""))
    if not method:
        raise CheckpointError(f"{path}: quantization_config has no quant_method; known are {', '.join(_METHODS)}")
    if method not in _METHODS:
        raise CheckpointError(f"{path}: the quant_method {method!r} is not known; known are {', '.join(_METHODS)}")
    cache = any(given.get(key) is not None for key in ("kv_cache_scheme", "kv_cache_quant_algo"))
    try:
        return Format(method, _blocks_of(path, method, given), cache)
    except KeyError as error:
        raise CheckpointError(f"{path}: quantization_config: not as {method} writes it: it has no {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: quantization_config: not as {method} writes it: {error}") from error


def _quantization_of(config: Config) -> object:
    """Returns the quantization_config of a configuration, or of one nested in it. Its older name is also known."""
    keys = ("quantization_config", "compression_config")
    found = (one[key] for one in configurations(config) for key in keys if one.get(key) is not None)
    return next(found, None)


def _blocks_of(path: Path, method: str, given: Config) -> tuple[tuple[int, int], ...]:
    if method == "compressed-tensors":
        return _blocks_of_groups(path, given)
    if method == "modelopt":
        name = str(given.get("quant_algo"))
        if name not in _ALGORITHMS:
            raise CheckpointError(f"{path}: the quant_algo {name!r} is not known; known are {', '.join(_ALGORITHMS)}")
        return _ALGORITHMS[name]
    if method == "mxfp4":
        return (_MX,)
    if method == "fbgemm_fp8":
        return (_ROW,)
    size = given.get("weight_block_size")
    if size is None:
        return (_MX,) if method == "mxfp8" else (_TENSOR, _ROW)
    return (_block(size), _MX)  # experts of DeepSeek-V4 have blocks of 32


def _block(size: object) -> tuple[int, int]:
    if not (isinstance(size, list) and len(size) == 2 and all(type(n) is int and n > 0 for n in size)):
        raise ValueError(f"a block is two positive integers, not {size!r}")
    return size[0], size[1]


def _blocks_of_groups(path: Path, given: Config) -> tuple[tuple[int, int], ...]:
    if given.get("transform_config"):
        raise CheckpointError(f"{path}: transform_config: the weights are rotated, which this tool cannot undo")
    groups = given["config_groups"].values()
    for name in (given.get("format"), *(group.get("format") for group in groups)):
        if name is not None and name not in _FORMATS:
            raise CheckpointError(f"{path}: the format {name!r} is not known; known are {', '.join(_FORMATS)}")
    found = []
    for weights in (group.get("weights") for group in groups):
        if weights is None:
            continue
        if weights.get("type", "int") != "float":
            raise CheckpointError(f"{path}: weights of type {weights.get('type', 'int')!r} are not known, only float")
        strategy, size = weights["strategy"], weights.get("group_size")
        found.append(
            {"tensor": _TENSOR, "channel": _ROW}.get(strategy)
            or (_block(weights["block_structure"]) if strategy == "block" else _block([1, size]))
        )
    return tuple(dict.fromkeys(found))


def find_weights(headers: dict[Path, dict[str, Tensor]], form: Format, unscaled: list[str]) -> Found:
    """Finds the quantized weights, and what belongs to them. Raises CheckpointError if something does not fit.

    Tensors of FP8 whose names match a pattern of ``unscaled`` have no scale: the codes are the values.
    """
    return _Finder(headers, form, unscaled).find()


class _Finder:
    """Assigns each tensor of a checkpoint: it holds codes, belongs to a weight, or is left."""

    def __init__(self, headers: dict[Path, dict[str, Tensor]], form: Format, unscaled: list[str]) -> None:
        self.tensors = {name: tensor for header in headers.values() for name, tensor in header.items()}
        self.files = {name: path for path, header in headers.items() for name in header}
        self.form, self.unscaled = form, unscaled
        self.found = Found()

    def fail(self, name: str, message: str) -> NoReturn:
        raise CheckpointError(f"{self.files[name]}: {name}: {message}")

    def find(self) -> Found:
        claimed: set[str] = set()
        for name, tensor in self.tensors.items():
            stored = None if self._is_scale(tensor) else self._stored(tensor)
            if stored is None:
                continue
            self.found.weights[name] = stored
            claimed.update(stored.parts.values())
            if stored.name != name and stored.name in self.tensors:
                self.fail(name, f"the checkpoint has {stored.name}, too")
        self.found.dropped |= dict.fromkeys(claimed, "scale of a weight")
        self._companions()
        for name, tensor in self.tensors.items():
            if name not in claimed and name not in self.found.weights:
                self._check_left(tensor)
        return self.found

    def _is_scale(self, tensor: Tensor) -> bool:
        return tensor.dtype == "F8_E8M0" or tensor.name.endswith(("_scale", "_scale_inv", "_scales", ".scales"))

    def _stored(self, tensor: Tensor) -> Stored | None:
        """Returns the weight whose codes a tensor holds, or None if it holds no codes."""
        name = tensor.name
        if name.endswith(("_blocks", ".blocks")) and tensor.dtype == "U8":
            return self._experts(tensor)
        if name.endswith(".weight_packed"):
            if tensor.dtype != "U8":
                self.fail(name, f"packed as {tensor.dtype}: only U8, which holds e2m1 or e2m3, is known")
            return self._scaled(tensor, [name.removesuffix("packed") + "scale"])
        scales = [name + "_scale_inv", name + "_scale"]
        scales += [module_of(name) + ".scale"] if name.endswith(".weight") else []
        known = [scale for scale in scales if scale in self.tensors]
        if len(known) > 1:
            self.fail(name, f"has several scales: {', '.join(known)}")
        if is_wide(tensor.dtype):
            if known and not known[0].endswith(".scale"):
                self.fail(name, f"is {tensor.dtype}, but has {known[0]}: it is not quantized, or not completely")
            return None
        if not known and tensor.dtype in _FP8 and matches(name, self.unscaled):
            coded = Coded(
                _FP8[tensor.dtype], "fp8.div", _TENSOR, 1, prod(tensor.shape[:-1]), (1, *tensor.shape)[-1], ""
            )
            return Stored(name, tensor.shape, coded, {}, f"{_FP8[tensor.dtype]}, without a scale")
        if known or tensor.dtype in _FP8 or (tensor.dtype in (*_BYTES, "F4") and name.endswith(".weight")):
            return self._scaled(tensor, known or scales)
        return None

    def _experts(self, tensor: Tensor) -> Stored:
        """Returns a stack of experts as gpt-oss stores it: rows of blocks of 16 bytes.

        The layers of transformers have the transposed matrices, those of the original implementation do not.
        """
        weight, sign = tensor.name[: -len("_blocks")], tensor.name[-len("_blocks")]
        scales = self._part(tensor, [f"{weight}{sign}scales"])
        if len(tensor.shape) != 4 or tensor.shape[3] != 16:
            self.fail(tensor.name, f"its shape {list(tensor.shape)} is not [experts, rows, blocks, 16]")
        count, rows, blocks = tensor.shape[:3]
        if scales.shape != (count, rows, blocks):
            self.fail(scales.name, f"its shape {list(scales.shape)} does not fit {list(tensor.shape)} of {tensor.name}")
        if scales.dtype not in _EXPONENTS:
            self.fail(scales.name, f"scales of MXFP4 are U8, not {scales.dtype}")
        turned = sign == "_"
        coded = Coded("e2m1", "mx.rceil", _MX, count, rows, 32 * blocks, "U8", turned=turned)
        shape = (count, 32 * blocks, rows) if turned else (count, rows, 32 * blocks)
        return Stored(weight, shape, coded, {"scales": scales.name}, _text(coded, scales.dtype))

    def _part(self, tensor: Tensor, names: list[str]) -> Tensor:
        """Returns the first of these tensors that the checkpoint has."""
        for name in names:
            if name in self.tensors:
                return self.tensors[name]
        hint = "" if tensor.dtype not in _FP8 else "; --unscaled names weights that have none"
        self.fail(tensor.name, f"is {tensor.dtype}, and its scale {' or '.join(names)} is missing{hint}")

    def _scaled(self, tensor: Tensor, names: list[str]) -> Stored:
        """Returns a weight with the first of these scales."""
        scale = self._part(tensor, names)
        elem, packing, cols = self._element(tensor, scale)
        name = tensor.name.removesuffix("_packed")
        parts, rule = {"scales": scale.name}, "fp8.div"
        if scale.dtype == "F8_E4M3":
            given = name + "_global_scale" in self.tensors
            second = self._part(tensor, [name + "_global_scale", name + "_scale_2"])
            if second.dtype != "F32" or prod(second.shape) != 1:
                self.fail(second.name, f"is {second.dtype} {list(second.shape)}, not one value of F32")
            parts["tensor"], rule = second.name, "nv.ct" if given else "nv.modelopt"
        elif scale.dtype in _EXPONENTS:
            rule = "mx.rceil"
        elif scale.dtype not in _FLOATS_OF_SCALES:
            self.fail(scale.name, f"scales of type {scale.dtype} are not known")
        if (rule == "fp8.div" and elem not in _FP8.values()) or (rule.startswith("nv") and elem != "e2m1"):
            self.fail(name, f"{tensor.dtype} with {scale.dtype} scales is not a format that is known")
        coded = self._blocks(tensor, scale, elem, rule, cols, packing)
        return Stored(name, (*tensor.shape[:-1], cols), coded, parts, _text(coded, scale.dtype))

    def _element(self, tensor: Tensor, scale: Tensor) -> tuple[str, str, int]:
        """Returns the type of the elements, how they are packed, and how many a row has."""
        if len(tensor.shape) < 2:
            self.fail(tensor.name, f"its shape {list(tensor.shape)} is not that of a matrix")
        cols = tensor.shape[-1]
        if tensor.dtype in _FP8:
            return _FP8[tensor.dtype], "", cols
        if tensor.dtype == "F4":
            return "e2m1", "", cols
        if tensor.dtype not in _BYTES:
            self.fail(tensor.name, f"has the scale {scale.name}, but weights of type {tensor.dtype} are not known")
        if tensor.dtype == "I8" and scale.dtype not in _EXPONENTS:
            self.fail(tensor.name, f"integers with {scale.dtype} scales are not known")
        if (
            scale.dtype in _EXPONENTS
            and cols % 3 == 0
            and scale.shape[-1:] == (cols // 3 * 4 // 32,)
            and cols % 24 == 0
        ):
            return "e2m3", "fp6", cols // 3 * 4
        return "e2m1", "", 2 * cols

    def _blocks(self, tensor: Tensor, scale: Tensor, elem: str, rule: str, cols: int, packing: str) -> Coded:
        """Returns the description of a weight whose blocks fit the shape of its scales."""
        lead, rows = tensor.shape[:-2], tensor.shape[-2]
        grids = list(_grids(scale.shape, lead, rows))
        one = prod(scale.shape) == 1
        count = prod(lead)
        for block in self._candidates(rule):
            if block == _TENSOR and one and rule == "fp8.div":
                return Coded(elem, rule, block, 1, count * rows, cols, scale.dtype)
            if grid_of(block, rows, cols) in grids:
                return Coded(elem, rule, block, count, rows, cols, scale.dtype, rule.startswith("nv"), packing)
        wanted = " or ".join(
            f"{[*lead, *grid_of(block, rows, cols)]} for blocks of {block[0] or rows} x {block[1] or cols}"
            for block in self._candidates(rule)
        )
        if not wanted:
            self.fail(scale.name, f"scales of type {scale.dtype} do not occur in {self.form.name}")
        self.fail(
            scale.name,
            f"its shape {list(scale.shape)} does not fit {tensor.name}, {tensor.dtype} {list(tensor.shape)}: "
            f"{wanted} is needed",
        )

    def _candidates(self, rule: str) -> Iterator[tuple[int, int]]:
        """Yields the sizes of blocks that may occur with a rule."""
        for block in self.form.blocks:
            if rule == "fp8.div" or 0 not in block:
                yield block

    def _companions(self) -> None:
        """Drops scales of activations and of the KV cache. Raises CheckpointError for tensors that change values."""
        modules = {module_of(stored.name) for stored in self.found.weights.values()}
        for name, tensor in self.tensors.items():
            module, _, last = name.rpartition(".")
            if module in modules and last in _REFUSED:
                self.fail(name, "it changes the values of the weight, and is not known to this tool")
            if module in modules and last in _UNUSED:
                self.found.dropped[name] = "scale of activations" if "scale" in last else "shape of a packed weight"
            attention = module in modules or f"{module}.k_proj" in modules or self.form.cache
            if last in _CACHE and prod(tensor.shape) == 1 and is_wide(tensor.dtype) and attention:
                self.found.dropped[name] = "scale of the KV cache"

    def _check_left(self, tensor: Tensor) -> None:
        """Raises CheckpointError if a tensor that is left may be a part of a quantized weight."""
        name = tensor.name
        if name in self.found.dropped:
            return
        if tensor.dtype in _SMALL or name.endswith(("_scale_inv", ".weight_scale", ".weight_scale_2", "_global_scale")):
            self.fail(name, f"is {tensor.dtype}, and belongs to no quantized weight that is known")


def _text(coded: Coded, dtype: str) -> str:
    high, wide = coded.block
    sizes = {_TENSOR: "one scale", _ROW: "one scale for each row"}.get(coded.block, f"blocks of {high} x {wide}")
    return f"{coded.elem}, {sizes}, {dtype} scales" + (", two levels" if coded.two_level else "")


def _grids(shape: tuple[int, ...], lead: tuple[int, ...], rows: int) -> Iterator[tuple[int, int]]:
    """Yields the ways in which the shape of scales can be read as a grid for each matrix of a stack."""
    if prod(shape) == prod(lead) == 1:
        yield 1, 1
    if shape[: len(lead)] != lead:
        return
    rest = shape[len(lead) :]
    if rest == () or rest == (1,):
        yield 1, 1
    if rest == (rows,):
        yield rows, 1
    if len(rest) == 4 and rest[1] == rest[3] == 1:
        yield rest[0], rest[2]
    if len(rest) == 2:
        yield rest[0], rest[1]
