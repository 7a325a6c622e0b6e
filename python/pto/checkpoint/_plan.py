# SPDX-License-Identifier: MIT
"""Plans which tensors of a checkpoint are quantized, and which process makes which file."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from pathlib import Path

from ._codec import Part, input_number, parts_of
from ._files import Tensor, bits_of, check_index, checkpoint_files, read_header
from ._layers import Architecture, Choice, Kind, grouped, kinds_of, matches, module_of, names_kind
from ._need import CheckpointError
from ._recipes import Recipe

_WIDE = ("F32", "F16", "BF16")

# Loaders concatenate these weights to one matrix, which has one second-level value.
_FUSED = (
    ("q_proj", "k_proj", "v_proj"),
    ("gate_proj", "up_proj"),
    ("w1", "w3"),
    ("q_a_proj", "kv_a_proj_with_mqa"),
)


@dataclass(frozen=True)
class Job:
    """The work for one file of the result. A job can be sent to another machine that has the same folders."""

    source: Path
    out: Path
    name: str
    recipe: Recipe
    weights: frozenset[str]  # the weights of the file that are quantized
    fused: dict[str, list[tuple[Path, str]]] = field(default_factory=dict)  # weights that share a second-level value
    input_amax: dict[str, float] = field(default_factory=dict)  # by module

    @property
    def size(self) -> int:
        return self.source.stat().st_size


@dataclass(frozen=True)
class Plan:
    jobs: list[Job]
    ignored: list[str]  # modules whose weights are not quantized
    odd: list[str]  # weights that are not quantized because their columns are not a whole number of blocks
    has_index: bool
    choice: Choice
    dtypes: frozenset[str]  # the types of the weights that are quantized


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
) -> Plan:
    request = Request(include, exclude, conv1d, architecture or Architecture())
    files = checkpoint_files(source)
    headers = {path.name: read_header(path) for path in files}
    if source.is_dir():
        check_index(source, headers)
    tensors = {name: tensor for header in headers.values() for name, tensor in header.items()}
    _check_patterns(tensors, request)
    choice = choose(recipe, tensors, request)
    if not choice.taken:
        raise CheckpointError(f"{source}: has no weight that {recipe.name} is for\n{listing(choice, recipe)}".rstrip())
    weights = {path: [name for name in headers[path.name] if name in choice.taken] for path in files}
    fused = _fused(weights) if recipe.two_level else {}
    if recipe.input_scale:
        _check_input(recipe, list(choice.taken), input_amax)
    jobs = []
    for path in files:
        mine = frozenset(weights[path])
        name = path.name if len(files) > 1 else "model.safetensors"
        amax = {module_of(w): input_amax[module_of(w)] for w in mine} if recipe.input_scale else {}
        jobs.append(Job(path, out, name, recipe, mine, {w: fused[w] for w in sorted(mine) if w in fused}, amax))
    ignored = _ignored(tensors, set(choice.taken))
    dtypes = frozenset(tensors[name].dtype for name in choice.taken)
    return Plan(jobs, ignored, choice.odd, len(files) > 1, choice, dtypes)


def _check_patterns(tensors: dict[str, Tensor], request: Request) -> None:
    for option, patterns in (("--include", request.include), ("--exclude", request.exclude)):
        for pattern in patterns:
            if not any(matches(name, [pattern]) for name in tensors):
                raise CheckpointError(f"{option} {pattern}: no tensor has such a name")


def choose(recipe: Recipe, tensors: dict[str, Tensor], request: Request) -> Choice:
    """Decides which tensors the recipe quantizes. Records why other tensors of two or more dimensions are left."""
    choice = Choice()
    transposed = []
    for name, kind in kinds_of(tensors, request.architecture).items():
        tensor = tensors[name]
        reason = _why_left(recipe, tensor, kind, request)
        if reason is None and kind.conv1d and not request.conv1d:
            transposed.append(name)
        elif reason is None and not fits(recipe, tensor):
            choice.odd.append(name)
            choice.left[name] = f"its {tensor.shape[1]} columns are no whole blocks"
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
    if len(tensor.shape) != 2 or not tensor.name.endswith(".weight"):
        return kind.reason
    if matches(tensor.name, request.exclude):
        return "--exclude"
    if request.include and not matches(tensor.name, request.include):
        return kind.reason if not kind.taken else "not in --include"
    named = bool(request.include) and (not kind.protected or names_kind(tensor.name, kind, request.include))
    if not (kind.taken or kind.conv1d or named):
        return kind.reason
    if tensor.dtype not in _WIDE:
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
    if tensor.dtype not in _WIDE:
        return f"its type is {tensor.dtype}"
    return "it has no elements" if 0 in tensor.shape else None


def fits(recipe: Recipe, tensor: Tensor) -> bool:
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


def layout_of(job: Job, header: dict[str, Tensor]) -> list[tuple[str, Part]]:
    """Returns the tensors of a file, each with the name of its source tensor, in the order of safetensors.

    That order is by decreasing size of the type, then by name.
    """
    rows = []
    for tensor in header.values():
        if tensor.name in job.weights:
            rows += [(tensor.name, part) for part in parts_of(job.recipe, tensor)]
        else:
            rows.append((tensor.name, Part("copy", tensor.name, tensor.dtype, tensor.shape)))
    seen: set[str] = set()
    for _, part in rows:
        if part.name in seen:
            raise CheckpointError(f"{job.source}: {part.name} is there already")
        seen.add(part.name)
    return sorted(rows, key=lambda row: (-bits_of(row[1].dtype), row[1].name))


def share(jobs: list[Job], k: int, n: int) -> list[Job]:
    """Returns part k of n of the jobs. All parts have about the same size; every job is in one part."""
    loads = [(0, part) for part in range(min(n, len(jobs)))]  # if there are more parts than jobs, the rest are empty
    mine = []
    for job in sorted(jobs, key=lambda job: (-job.size, job.name)):
        load, part = heapq.heappop(loads)
        heapq.heappush(loads, (load + job.size, part))
        if part == k:
            mine.append(job)
    return mine
