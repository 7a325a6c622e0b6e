# SPDX-License-Identifier: MIT
"""Plans which tensors of a checkpoint are quantized, and writes the file of a job."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import IO, Any

from .._arrays import Array
from ._codec import (
    Part,
    amax_of,
    check_recipe,
    count_bad_scales,
    encode,
    input_number,
    largest,
    parts_of,
    rule_of_recipe,
    second_level,
)
from ._configs import hf_quant_config, quantization_config
from ._files import Tensor, as_numbers, is_wide, read_all_headers
from ._gguf import QUANTS, SUFFIX, encoded, is_gguf, is_linear
from ._job import Job, Places, Plan, Task, Writer
from ._layers import (
    HEADS_OF_TASKS,
    Architecture,
    Choice,
    Config,
    Kind,
    grouped,
    kinds_of,
    matches,
    module_of,
    names_kind,
    read_architecture,
)
from ._manifest import Row, digest
from ._need import CheckpointError, need
from ._others import dtype_note, loader_notes, read_config, with_dtype
from ._recipes import RECIPES, Recipe

# Loaders concatenate these weights to one matrix, which has one second-level value.
_FUSED = (
    ("q_proj", "k_proj", "v_proj"),
    ("gate_proj", "up_proj"),
    ("w1", "w3"),
    ("q_a_proj", "kv_a_proj_with_mqa"),
)


@dataclass
class Options(Task):
    """The arguments of ``pto.quantize``."""

    recipe: str = ""
    rule: str | None = None
    eps: float | None = None
    include: list[str] = field(default_factory=list)
    input_amax: dict[str, float] = field(default_factory=dict)
    conv1d: bool = False

    searched = "the source or in the scales of its blocks"
    consequence = "a block with such a value may lose all of its values, and with some recipes the whole tensor does"

    def settings(self) -> Row:
        row: Row = {"recipe": self.recipe, "rule": self.rule, "eps": self.eps}
        row |= {"include": self.include, "exclude": self.exclude}
        row |= {"conv1d": True} if self.conv1d else {}
        return row | (
            {"input_amax": digest(json.dumps(self.input_amax, sort_keys=True).encode())} if self.input_amax else {}
        )

    def check(self) -> None:
        recipe_of(self.settings())

    def plan(self) -> QuantizePlan:
        config = None if is_gguf(self.source) else read_config(self.source)
        if config is not None and config.get("quantization_config") is not None:
            raise CheckpointError(f"{self.source}: config.json: the checkpoint is quantised already")
        recipe, architecture = recipe_of(self.settings()), read_architecture(config)
        if is_gguf(self.source) and recipe.config != "gguf":
            raise CheckpointError(f"{self.source}: a GGUF file; {recipe.name} is for checkpoints of safetensors")
        chosen = (self.include, self.exclude, self.input_amax, self.conv1d, architecture)
        plan = make_plan(self.source, self.out, recipe, *chosen)
        if recipe.config != "gguf":
            return replace(plan, config=config)
        need("gguf")
        model = str((config or {}).get("model_type", "unknown"))
        jobs: list[Job] = [GgufJob(*(*_fields_of(job), model)) for job in plan.jobs]
        return GgufPlan(jobs, *_fields_of(replace(plan, config=config))[1:])

    @classmethod
    def of(cls, settings: Row, source: Path, out: Path) -> Options:
        """Returns the arguments with which a checkpoint was made, according to its manifest."""
        keys = ("recipe", "rule", "eps", "include", "exclude", "conv1d")
        return cls(source, out, **{key: settings[key] for key in keys if key in settings})


@dataclass(frozen=True)
class QuantizeJob(Job):
    recipe: Recipe
    weights: frozenset[str]  # the weights of the file that are quantized
    fused: dict[str, list[tuple[Path, str]]] = field(default_factory=dict)  # weights that share a second-level value
    input_amax: dict[str, float] = field(default_factory=dict)  # by module

    @property
    def partners(self) -> list[tuple[Path, str]]:
        """Weights of other files that share a second-level value with weights of this file."""
        groups = (member for group in self.fused.values() for member in group if member[0] != self.source)
        return sorted(set(groups))

    def content(self) -> Row:
        return {
            "recipe": repr(self.recipe),
            "weights": sorted(self.weights),
            "fused": {name: [str(other) for _, other in group] for name, group in self.fused.items()},
            "input_amax": self.input_amax,
        }

    def parts(self, tensor: Tensor) -> list[Part]:
        if tensor.name in self.weights:
            return parts_of(self.recipe, tensor)
        return [Part("copy", tensor.name, tensor.dtype, tensor.shape)]

    def writer(self, header: dict[str, Tensor], file: IO[bytes], places: Places) -> Writer:
        return Quantizer(self, header, file, places)


@dataclass(frozen=True)
class GgufJob(QuantizeJob):
    """The work for a GGUF file."""

    model: str = "unknown"

    @property
    def architecture(self) -> str:
        return self.model

    def content(self) -> Row:
        return super().content() | {"architecture": self.model}

    def writer(self, header: dict[str, Tensor], file: IO[bytes], places: Places) -> Writer:
        return GgufWriter(self, header, file, places)


@dataclass(frozen=True)
class QuantizePlan(Plan):
    recipe: Recipe
    architecture: Architecture
    ignored: list[str]  # modules whose weights are not quantized
    choice: Choice
    dtypes: frozenset[str]  # the types of the weights that are quantized
    config: Config | None = None

    @property
    def odd(self) -> list[str]:
        """The weights that are not quantized because their columns are not a whole number of blocks."""
        return self.choice.odd

    def listing(self) -> str:
        return listing(self.choice, self.recipe)

    def warnings(self) -> list[str]:
        return [f"{name} is left as it is: its columns are no whole blocks" for name in self.odd]

    def notes(self) -> list[str]:
        note = dtype_note(self.recipe, self.config, self.dtypes)
        return ([note] if note else []) + loader_notes(self.recipe, self.architecture, self.choice.taken)

    def configs(self) -> dict[str, Config]:
        recipe = self.recipe
        config = dict(self.config or {})
        if recipe.loads_bf16:
            config = {"dtype": "bfloat16"} | with_dtype(config, "bfloat16")
        heads = [] if self.architecture.generates or recipe.config != "compressed_tensors" else [HEADS_OF_TASKS]
        config["quantization_config"] = quantization_config(recipe, self.ignored + heads)
        other = hf_quant_config(recipe, self.ignored)
        return ({"hf_quant_config.json": other} if other is not None else {}) | {"config.json": config}


@dataclass(frozen=True)
class GgufPlan(QuantizePlan):
    """The plan for GGUF files, one for each file of the source."""

    @property
    def has_index(self) -> bool:
        return False

    def notes(self) -> list[str]:
        if all(is_gguf(job.source) for job in self.jobs):
            return []
        return [
            "the tensors keep their names, and there are no metadata but those: llama.cpp loads models that its "
            "convert_hf_to_gguf.py has converted to a GGUF file of bf16, which is then quantized"
        ]

    def configs(self) -> dict[str, Config]:
        return {} if self.config is None else {"config.json": self.config}


def _fields_of(instance: Any) -> list[Any]:
    """Returns the values of the fields of a dataclass."""
    return [getattr(instance, field.name) for field in fields(instance)]


@dataclass(frozen=True)
class Request:
    """The arguments on which the choice of tensors depends."""

    include: list[str]
    exclude: list[str]
    conv1d: bool
    architecture: Architecture


def make_plan(
    source: Path,
    out: Path,
    recipe: Recipe,
    include: list[str],
    exclude: list[str],
    input_amax: dict[str, float],
    conv1d: bool = False,
    architecture: Architecture | None = None,
) -> QuantizePlan:
    request = Request(include, exclude, conv1d, architecture or Architecture())
    headers = read_all_headers(source)
    tensors = {name: tensor for header in headers.values() for name, tensor in header.items()}
    check_patterns(tensors, {"--include": request.include, "--exclude": request.exclude})
    kinds = None
    if is_gguf(source):
        kinds = {
            name: Kind(is_linear(name), "linear layer", name, gguf=True)
            for name, tensor in tensors.items()
            if len(tensor.shape) >= 2
        }
    choice = choose(recipe, tensors, request, kinds)
    if not choice.taken:
        raise CheckpointError(f"{source}: has no weight that {recipe.name} is for\n{listing(choice, recipe)}".rstrip())
    weights = {path: [name for name in header if name in choice.taken] for path, header in headers.items()}
    fused = _fused(weights) if recipe.two_level else {}
    if recipe.input_scale:
        _check_input(recipe, list(choice.taken), input_amax)
    jobs: list[Job] = []
    for path in headers:
        mine = frozenset(weights[path])
        name = path.name if len(headers) > 1 else "model.safetensors"
        if recipe.config == "gguf":
            name = Path(name).stem + SUFFIX
        amax = {module_of(w): input_amax[module_of(w)] for w in mine} if recipe.input_scale else {}
        jobs.append(QuantizeJob(path, out, name, recipe, mine, {w: fused[w] for w in sorted(mine) if w in fused}, amax))
    ignored = _ignored(tensors, set(choice.taken))
    dtypes = frozenset(tensors[name].dtype for name in choice.taken)
    names = frozenset(path.name for path in headers)
    return QuantizePlan(jobs, names, recipe, request.architecture, ignored, choice, dtypes)


def check_patterns(tensors: Iterable[str], options: dict[str, list[str]]) -> None:
    """Raises CheckpointError if a pattern of an option matches no tensor."""
    for option, patterns in options.items():
        for pattern in patterns:
            if not any(matches(name, [pattern]) for name in tensors):
                raise CheckpointError(f"{option} {pattern}: no tensor has such a name")


def choose(
    recipe: Recipe, tensors: dict[str, Tensor], request: Request, kinds: dict[str, Kind] | None = None
) -> Choice:
    """Decides which tensors the recipe quantizes. Records why other tensors of two or more dimensions are left."""
    choice = Choice()
    transposed = []
    for name, kind in (kinds or kinds_of(tensors, request.architecture)).items():
        tensor = tensors[name]
        reason = _why_left(recipe, tensor, kind, request)
        if reason is None and kind.conv1d and not request.conv1d:
            transposed.append(name)
        elif reason is None and not fits(recipe, tensor):
            choice.odd.append(name)
            choice.left[name] = f"its {tensor.shape[-1]} columns are no whole blocks"
        elif reason is None:
            choice.taken[name] = kind.reason if kind.taken else f"{kind.reason}; named by --include or --conv1d"
        else:
            choice.left[name] = reason
    if transposed:
        shown = ", ".join(pattern for pattern, _, _ in grouped(dict.fromkeys(transposed, ""))[:4])
        raise CheckpointError(
            f"{len(transposed)} weights of {request.architecture.name} are stored as [in, out] (Conv1D), {shown} among "
            "them: their blocks would run along the wrong dimension, and transformers does not load them quantized. "
            "Leave them with --exclude, or take them as they are with --conv1d"
        )
    choice.odd.sort()
    return choice


def _why_left(recipe: Recipe, tensor: Tensor, kind: Kind, request: Request) -> str | None:
    """Returns why a tensor is not quantized, or None if it is to be quantized, provided that its shape fits."""
    if recipe.experts:
        return _why_left_experts(tensor, kind, request)
    if kind.gguf:
        return _why_left_gguf(tensor, request)
    if len(tensor.shape) != 2 or not tensor.name.endswith(".weight"):
        return kind.reason
    if matches(tensor.name, request.exclude):
        return "--exclude"
    if request.include and not matches(tensor.name, request.include):
        return kind.reason if not kind.taken else "not in --include"
    named = bool(request.include) and (not kind.protected or names_kind(tensor.name, kind, request.include))
    if not (kind.taken or kind.conv1d or named):
        return kind.reason
    if not is_wide(tensor.dtype):
        return f"its type is {tensor.dtype}"
    return "it has no elements" if 0 in tensor.shape else None


def _why_left_experts(tensor: Tensor, kind: Kind, request: Request) -> str | None:
    """As _why_left, for stacks of experts. gpt-oss stores them as [expert, in, out], others as [expert, out, in]."""
    if not kind.experts:
        return "not a stack of experts"
    if matches(tensor.name, request.exclude):
        return "--exclude"
    if request.include and not matches(tensor.name, request.include):
        return "not in --include"
    types = request.architecture.model_types
    if types and "gpt_oss" not in types:
        return f"a stack of experts of {request.architecture.name}, whose layout is not that of gpt_oss"
    if not is_wide(tensor.dtype):
        return f"its type is {tensor.dtype}"
    return "it has no elements" if 0 in tensor.shape else None


def _why_left_gguf(tensor: Tensor, request: Request) -> str | None:
    """As _why_left, for tensors of a GGUF file. Stacks of experts are quantized as matrices."""
    if matches(tensor.name, request.exclude):
        return "--exclude"
    if request.include and not matches(tensor.name, request.include):
        return "not in --include"
    if not is_linear(tensor.name) and tensor.name not in request.include:
        return "not known as a linear layer of llama.cpp"
    if not is_wide(tensor.dtype):
        return f"its type is {tensor.dtype}"
    return "it has no elements" if 0 in tensor.shape else None


def fits(recipe: Recipe, tensor: Tensor) -> bool:
    if recipe.config == "gguf":
        return tensor.shape[-1] % recipe.even == 0
    return tensor.shape[1] % recipe.even == 0 and (recipe.packing != "fp6" or tensor.shape[1] % 4 == 0)


def listing(choice: Choice, recipe: Recipe) -> str:
    """Lists the tensors that are quantized and those that are left. Names that differ only in numbers share a line."""
    text = []
    for title, names in ((f"quantized with {recipe.name}", choice.taken), ("left as they are", choice.left)):
        text.append(f"{title}: {len(names)} tensors")
        text += [
            f"  {pattern}{f' ({count})' if count > 1 else ''}: {reason}" for pattern, reason, count in grouped(names)
        ]
    return "\n".join(text)


def _check_input(recipe: Recipe, weights: list[str], input_amax: dict[str, float]) -> None:
    modules = {module_of(name) for name in weights}
    missing = sorted(modules - input_amax.keys())
    if missing:
        raise CheckpointError(
            f"{recipe.name} stores the scale of each layer's input: --input-amax FILE, a JSON of names and largest "
            f"magnitudes, must have {len(missing)} more, {missing[0]} among them"
        )
    for module in sorted(modules):
        if not 0 < input_number(recipe, input_amax[module]) < float("inf"):
            raise CheckpointError(f"--input-amax: {module}: {input_amax[module]} gives no positive f32 scale")


def _ignored(tensors: dict[str, Tensor], taken: set[str]) -> list[str]:
    """Returns the modules whose matrices are not quantized.

    They always include lm_head, unless it is quantized. If lm_head shares its weight with the embedding, no file has
    it, but loaders have a layer for it.
    """
    left = {
        module_of(name)
        for name, tensor in tensors.items()
        if name.endswith(".weight") and len(tensor.shape) == 2 and name not in taken
    }
    return sorted(left | (set() if "lm_head.weight" in taken else {"lm_head"}))


def _fused(weights: dict[Path, list[str]]) -> dict[str, list[tuple[Path, str]]]:
    """Returns, for each weight that is fused with others, all weights that share its second-level value."""
    groups: dict[tuple[str, int], list[tuple[Path, str]]] = {}
    for path, names in weights.items():
        for name in sorted(names):
            prefix, _, last = module_of(name).rpartition(".")
            for k, members in enumerate(_FUSED):
                if last in members:
                    groups.setdefault((prefix, k), []).append((path, name))
    return {name: group for group in groups.values() for _, name in group}


def recipe_of(settings: Row) -> Recipe:
    """Returns the recipe that settings specify, with their rule and eps in place of the recipe's own."""
    name, rule, eps = (settings.get(key) for key in ("recipe", "rule", "eps"))
    if name not in RECIPES:
        raise CheckpointError(f"--recipe: one of {', '.join(RECIPES)}, not {name}")
    recipe = RECIPES[name]
    if rule is not None:
        recipe = replace(recipe, rule=rule_of_recipe(recipe, rule))
    if eps is not None:
        if isinstance(eps, bool) or not isinstance(eps, (int, float)):
            raise CheckpointError(f"--eps: a number, not {eps!r}")
        try:
            recipe = replace(recipe, eps=float(eps))
        except OverflowError:
            recipe = replace(recipe, eps=math.inf)
    check_recipe(recipe)
    return recipe


class Quantizer(Writer):
    """Writes a file of quantized weights."""

    def __init__(self, job: QuantizeJob, header: dict[str, Tensor], file: IO[bytes], places: Places) -> None:
        super().__init__(job, header, file, places)
        self.plan = job
        self.numbers: dict[tuple[tuple[Path, str], ...], float] = {}

    def convert(self, tensor: Tensor, data: Array) -> None:
        self.count(tensor, data)
        if tensor.name not in self.plan.weights:
            self.write(tensor, "copy", [data])
            return
        x = as_numbers(data, tensor)
        number = self._number(tensor, x)
        try:
            for role, part in encode(self.plan.recipe, x, number, self.plan.input_amax.get(module_of(tensor.name))):
                self.write(tensor, role, [part])
                if role == "scales" and tensor.name not in self.nonfinite:
                    # Some rules overflow near the maximum of f32, also for finite weights.
                    self.add_nonfinite(tensor, count_bad_scales(self.plan.recipe, part))
        except (TypeError, ValueError) as error:
            raise CheckpointError(f"{self.job.source}: {tensor.name}: {error}") from error

    def _number(self, tensor: Tensor, x: Array) -> float | None:
        """Returns the second-level value of a weight and of all that share it. Some of them may be in other files."""
        recipe = self.plan.recipe
        if not recipe.two_level:
            return None
        own = (self.job.source, tensor.name)
        group = tuple(self.plan.fused.get(tensor.name, [own]))
        if group not in self.numbers:
            found = [
                (amax_of(x, recipe.rule), tensor.dtype) if member == own else self._amax(*member) for member in group
            ]
            amax, dtypes = largest([amax for amax, _ in found]), {dtype for _, dtype in found}
            self.numbers[group] = second_level(recipe.rule, amax, dtypes)
        return self.numbers[group]

    def _amax(self, path: Path, name: str) -> tuple[float, str]:
        tensor, data = self.other(path, name)
        return amax_of(as_numbers(data, tensor), self.plan.recipe.rule), tensor.dtype


class GgufWriter(Writer):
    """Writes a GGUF file."""

    def __init__(self, job: GgufJob, header: dict[str, Tensor], file: IO[bytes], places: Places) -> None:
        super().__init__(job, header, file, places)
        self.plan = job

    def convert(self, tensor: Tensor, data: Array) -> None:
        self.count(tensor, data)
        if tensor.name not in self.plan.weights:
            self.write(tensor, "copy", [data])
            return
        recipe = self.plan.recipe
        layout = QUANTS[recipe.detail].layout
        try:
            self.write(tensor, "codes", encoded(as_numbers(data, tensor), recipe.rule, recipe.block, layout))
        except (TypeError, ValueError) as error:
            raise CheckpointError(f"{self.job.source}: {tensor.name}: {error}") from error
