# SPDX-License-Identifier: MIT
"""What is to be done with each tensor of a checkpoint, and by whom."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from ._codec import Part, module_of, parts_of
from ._files import Tensor, bits_of, check_index, checkpoint_files, read_header
from ._need import CheckpointError
from ._recipes import Recipe

_WIDE = ("F32", "F16", "BF16")
_NOT_BY_DEFAULT = ("*lm_head*", "*embed*", "*norm*", "*router*", "*.gate.weight", "*.shared_expert_gate.weight")
_EXPERTS = ("*.experts.gate_up_proj", "*.experts.down_proj")

# Loaders make one matrix of these, with one second level.
_FUSED = (
    ("q_proj", "k_proj", "v_proj"),
    ("gate_proj", "up_proj"),
    ("w1", "w3"),
    ("q_a_proj", "kv_a_proj_with_mqa"),
)


@dataclass(frozen=True)
class Job:
    """A file of the result; it can be sent to another machine that sees the same folders."""

    source: Path
    out: Path
    name: str
    recipe: Recipe
    weights: frozenset[str]  # those of the file that the recipe is for
    fused: dict[str, list[tuple[Path, str]]] = field(default_factory=dict)  # by weight: whose second level it shares
    input_amax: dict[str, float] = field(default_factory=dict)  # by module

    @property
    def size(self) -> int:
        return self.source.stat().st_size


@dataclass(frozen=True)
class Plan:
    jobs: list[Job]
    ignored: list[str]  # modules whose weights stay as they are
    odd: list[str]  # weights among them whose columns do not come in whole blocks
    has_index: bool


def _wanted(recipe: Recipe, tensor: Tensor, include: list[str], exclude: list[str]) -> bool:
    """Is the recipe for this tensor, if its shape lets it?"""
    name = tensor.name
    if tensor.dtype not in _WIDE or 0 in tensor.shape:
        return False
    if recipe.experts:
        if len(tensor.shape) != 3 or not _matches(name, _EXPERTS):
            return False
    elif len(tensor.shape) != 2 or not name.endswith(".weight"):
        return False
    if _matches(name, exclude):
        return False
    return _matches(name, include) if include else not _matches(name, _NOT_BY_DEFAULT)


def _matches(name: str, patterns: list[str] | tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _fits(recipe: Recipe, tensor: Tensor) -> bool:
    return tensor.shape[1] % recipe.even == 0 and (recipe.packing != "fp6" or tensor.shape[1] % 4 == 0)


def make_plan(
    source: Path, out: Path, recipe: Recipe, include: list[str], exclude: list[str], input_amax: dict[str, float]
) -> Plan:
    files = checkpoint_files(source)
    headers = {path.name: read_header(path) for path in files}
    if source.is_dir():
        check_index(source, headers)
    wanted = {p: [t for t in headers[p.name].values() if _wanted(recipe, t, include, exclude)] for p in files}
    weights = {p: [t.name for t in some if _fits(recipe, t)] for p, some in wanted.items()}
    if not any(weights.values()):
        raise CheckpointError(f"{source}: has no weight that {recipe.name} would be for")
    fused = _fused(weights) if recipe.two_level else {}
    if recipe.input_scale:
        _check_input(recipe, weights, input_amax)
    jobs = []
    for path in files:
        mine = frozenset(weights[path])
        name = path.name if len(files) > 1 else "model.safetensors"
        amax = {module_of(w): input_amax[module_of(w)] for w in mine} if recipe.input_scale else {}
        jobs.append(Job(path, out, name, recipe, mine, {w: fused[w] for w in sorted(mine) if w in fused}, amax))
    chosen = {name for names in weights.values() for name in names}
    odd = sorted(t.name for some in wanted.values() for t in some if t.name not in chosen)
    return Plan(jobs, _ignored(headers, chosen), odd, len(files) > 1)


def _check_input(recipe: Recipe, weights: dict[Path, list[str]], input_amax: dict[str, float]) -> None:
    missing = sorted({module_of(w) for some in weights.values() for w in some} - input_amax.keys())
    if missing:
        raise CheckpointError(
            f"{recipe.name} stores the scale of each layer's input: --input-amax FILE, a JSON of names and largest "
            f"magnitudes, must have {len(missing)} more, {missing[0]} among them"
        )


def _ignored(headers: dict[str, dict[str, Tensor]], chosen: set[str]) -> list[str]:
    """Matrices that stay. A head that shares its weights with the embedding is in no file, but a layer all the same."""
    stay = {
        module_of(name)
        for tensors in headers.values()
        for name, tensor in tensors.items()
        if name.endswith(".weight") and len(tensor.shape) == 2 and name not in chosen
    }
    return sorted(stay | (set() if "lm_head.weight" in chosen else {"lm_head"}))


def _fused(weights: dict[Path, list[str]]) -> dict[str, list[tuple[Path, str]]]:
    """For each weight those that share its second level, itself among them."""
    groups: dict[tuple[str, int], list[tuple[Path, str]]] = {}
    for path, names in weights.items():
        for name in sorted(names):
            prefix, _, last = module_of(name).rpartition(".")
            for k, members in enumerate(_FUSED):
                if last in members:
                    groups.setdefault((prefix, k), []).append((path, name))
    return {name: group for group in groups.values() for _, name in group}


def layout_of(job: Job, header: dict[str, Tensor]) -> list[tuple[str, Part]]:
    """The tensors of a file with the one that each is made of, as safetensors orders them: wide types first."""
    rows = []
    for tensor in header.values():
        if tensor.name in job.weights:
            rows += [(tensor.name, part) for part in parts_of(job.recipe, tensor)]
        else:
            rows.append((tensor.name, Part("copy", tensor.name, tensor.dtype, tensor.shape)))
    names = [part.name for _, part in rows]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CheckpointError(f"{job.source}: {twice} is there already")
    return sorted(rows, key=lambda row: (-bits_of(row[1].dtype), row[1].name))


def share(jobs: list[Job], k: int, n: int) -> list[Job]:
    """Part k of n, of about the same size; the parts are together all jobs."""
    loads = [0] * n
    mine = []
    for job in sorted(jobs, key=lambda job: (-job.size, job.name)):
        least = loads.index(min(loads))
        loads[least] += job.size
        if least == k:
            mine.append(job)
    return mine
