# SPDX-License-Identifier: MIT
"""Plans which tensors of a checkpoint are dequantized or converted, and writes the file of a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import IO

import numpy as np

from .._arrays import Array
from .._convert import cvt
from ._codec import Coded, Part, count_nonfinite, decode, decode_turned
from ._files import Tensor, as_numbers, is_wide, read_all_headers
from ._formats import Format, Found, Stored, find_weights, read_format
from ._gguf import QUANTS, decoded, is_gguf
from ._job import Job, Places, Plan, Task, Writer
from ._layers import Config, configurations, grouped, matches
from ._manifest import Row
from ._need import CheckpointError
from ._others import folder_of, read_config, with_dtype
from ._plan import check_patterns

_AT_ONCE = 1 << 20  # elements that are converted at a time

# By the value of --dtype: the type in files of tensors, and in config.json.
TYPES = {"bf16": ("BF16", "bfloat16"), "f16": ("F16", "float16"), "f32": ("F32", "float32")}

# Keys of config.json that describe the quantization. DeepSeek-V4 has the type of the experts outside of it.
_QUANTIZATION = ("quantization_config", "compression_config", "expert_dtype")


@dataclass
class DequantizeOptions(Task):
    """The arguments of ``pto.dequantize``. Without ``dtype``, only quantized tensors get another type."""

    dtype: str | None = None
    unscaled: list[str] = field(default_factory=list)

    searched = "the result"
    consequence = "a scale that is NaN makes all values of its block NaN, and f16 has no finite value above 65504"

    def settings(self) -> Row:
        row: Row = {"direction": "dequantize", "dtype": self.dtype, "exclude": self.exclude}
        return row | ({"unscaled": self.unscaled} if self.unscaled else {})

    @classmethod
    def of(cls, settings: Row, source: Path, out: Path) -> DequantizeOptions:
        """Returns the arguments with which a checkpoint was made, according to its manifest."""
        given = {key: settings[key] for key in ("dtype", "exclude", "unscaled") if key in settings}
        return cls(source, out, **given)

    def check(self) -> None:
        if self.dtype is not None and self.dtype not in TYPES:
            raise CheckpointError(f"--dtype: one of {', '.join(TYPES)}, not {self.dtype}")

    def plan(self) -> DequantizePlan:
        gguf = is_gguf(self.source)
        config = None if gguf else read_config(self.source)
        modelopt = None if gguf else read_config(self.source, "hf_quant_config.json")
        form = Format("GGUF") if gguf else read_format(folder_of(self.source), config, modelopt)
        headers = read_all_headers(self.source)
        tensors = {name: tensor for header in headers.values() for name, tensor in header.items()}
        check_patterns(tensors, {"--exclude": self.exclude, "--unscaled": self.unscaled})
        found = _weights_of_gguf(tensors) if gguf else find_weights(headers, form, self.unscaled)
        if not found.weights:
            raise CheckpointError(f"{self.source}: has no quantized weight")
        for name in found.weights:
            if matches(name, self.exclude):
                raise CheckpointError(f"--exclude: {name} is quantized; only unquantized tensors can keep their type")
        wide = self.dtype or _type_in(config)
        converted = {
            name: f"{tensor.dtype}, not quantized"
            for name, tensor in tensors.items()
            if self.dtype is not None
            and name not in found.weights
            and name not in found.dropped
            and is_wide(tensor.dtype)
            and tensor.dtype != TYPES[wide][0]
            and not matches(name, self.exclude)
        }
        left = {
            name: tensor.dtype
            for name, tensor in tensors.items()
            if name not in found.weights and name not in found.dropped and name not in converted
        }
        jobs = _jobs(self.out, headers, found, TYPES[wide][0], frozenset(converted))
        names = frozenset(path.name for path in headers)
        return DequantizePlan(
            jobs, names, form.name, wide, self.dtype is not None, found, converted, left, config, modelopt
        )


def _weights_of_gguf(tensors: dict[str, Tensor]) -> Found:
    """Returns the quantized tensors of GGUF files. Their scales are in the tensors themselves."""
    found = Found()
    for name, tensor in tensors.items():
        if tensor.dtype in QUANTS:
            rows, cols = prod(tensor.shape[:-1]), tensor.shape[-1]
            coded = Coded("e2m1", QUANTS[tensor.dtype].rule, (1, 32), 1, rows, cols, "")
            found.weights[name] = Stored(name, tensor.shape, coded, {}, tensor.dtype.lower())
    return found


def _type_in(config: Config | None) -> str:
    """Returns the type of the model in ``config.json``, or else bf16."""
    words = {word: name for name, (_, word) in TYPES.items()}
    for one in configurations(config or {}):
        for key in ("dtype", "torch_dtype"):
            if one.get(key) in words:
                return words[one[key]]
    return "bf16"


def _jobs(
    out: Path, headers: dict[Path, dict[str, Tensor]], found: Found, dtype: str, converted: frozenset[str]
) -> list[Job]:
    """Returns a job for each file that has other tensors than scales."""
    files = {name: path for path, header in headers.items() for name in header}
    paths = [path for path, header in headers.items() if not header.keys() <= found.dropped.keys()]
    jobs: list[Job] = []
    for path in paths:
        header = headers[path]
        weights = {name: found.weights[name] for name in header if name in found.weights}
        parts = {part for stored in weights.values() for part in stored.parts.values()}
        jobs.append(
            DequantizeJob(
                path,
                out,
                path.with_suffix(".safetensors").name if len(paths) > 1 else "model.safetensors",
                dtype,
                weights,
                {part: files[part] for part in sorted(parts) if files[part] != path},
                converted & header.keys(),
                frozenset(found.dropped.keys() & header.keys()),
            )
        )
    return jobs


@dataclass(frozen=True)
class DequantizeJob(Job):
    """The file to make from a file of the source. Scales may be in other files."""

    dtype: str
    weights: dict[str, Stored]  # by the name of the tensor of codes
    elsewhere: dict[str, Path]  # the files of scales that are not in this file
    converted: frozenset[str]  # unquantized tensors that get the type ``dtype``
    dropped: frozenset[str]  # tensors without which the result is complete

    @property
    def partners(self) -> list[tuple[Path, str]]:
        return sorted((path, name) for name, path in self.elsewhere.items())

    def content(self) -> Row:
        return {
            "dtype": self.dtype,
            "weights": {name: repr(stored) for name, stored in sorted(self.weights.items())},
            "elsewhere": {name: path.name for name, path in self.elsewhere.items()},
            "converted": sorted(self.converted),
            "dropped": sorted(self.dropped),
        }

    def parts(self, tensor: Tensor) -> list[Part]:
        if tensor.name in self.weights:
            stored = self.weights[tensor.name]
            return [Part("values", stored.name, self.dtype, stored.shape)]
        if tensor.name in self.dropped:
            return []
        if tensor.name in self.converted:
            return [Part("values", tensor.name, self.dtype, tensor.shape)]
        return [Part("copy", tensor.name, tensor.dtype, tensor.shape)]

    def writer(self, header: dict[str, Tensor], file: IO[bytes], places: Places) -> Dequantizer:
        return Dequantizer(self, header, file, places)


@dataclass(frozen=True)
class DequantizePlan(Plan):
    """``converted`` and ``left`` are dicts from the names of unquantized tensors to texts about their types."""

    form: str
    dtype: str
    all_types: bool  # whether unquantized tensors get the type, too
    found: Found
    converted: dict[str, str]
    left: dict[str, str]
    config: Config | None
    modelopt: Config | None

    def listing(self) -> str:
        weights = {stored.name: stored.text for stored in self.found.weights.values()}
        text = [f"quantized as {self.form}"]
        for title, names in (
            (f"dequantized to {self.dtype}", weights),
            (f"converted to {self.dtype}", self.converted),
            ("left as they are", self.left),
        ):
            text.append(f"{title}: {len(names)} tensors")
            text += [f"  {name}{f' ({count})' if count > 1 else ''}: {why}" for name, why, count in grouped(names)]
        text.append(f"left out: {len(self.found.dropped)} tensors")
        text += [f"  {why} ({count})" for why, count in sorted(Counter(self.found.dropped.values()).items())]
        return "\n".join(text)

    def configs(self) -> dict[str, Config]:
        if self.config is None:
            return {}
        word = TYPES[self.dtype][1]
        kept, _ = _divided(self.config)
        types = {one.get(key) for one in configurations(kept) for key in ("dtype", "torch_dtype")}
        if self.all_types or word not in types:
            kept = with_dtype(kept, word)
        if kept.get("dtype") is None and kept.get("torch_dtype") is None:
            kept["dtype"] = word
        return {"config.json": kept}

    def notes(self) -> list[str]:
        gguf = any(is_gguf(job.source) for job in self.jobs)
        return ["the tensors keep the names of the GGUF file; its metadata are not in the result"] if gguf else []

    def removed(self) -> Config:
        found = {"config.json": _divided(self.config)[1] if self.config else {}}
        found |= {"hf_quant_config.json": self.modelopt or {}}
        return {name: content for name, content in found.items() if content}


def _divided(config: Config) -> tuple[Config, Config]:
    """Divides a configuration, with the configurations nested in it, into what stays and what is removed."""
    kept: Config = {}
    removed: Config = {}
    for key, value in config.items():
        if key in _QUANTIZATION:
            removed[key] = value
        elif key.endswith("_config") and isinstance(value, dict):
            kept[key], inner = _divided(value)
            removed |= {key: inner} if inner else {}
        else:
            kept[key] = value
    return kept, removed


class Dequantizer(Writer):
    """Writes a file of dequantized weights. Values are computed slice by slice, so they are never all in memory."""

    def __init__(self, job: DequantizeJob, header: dict[str, Tensor], file: IO[bytes], places: Places) -> None:
        super().__init__(job, header, file, places)
        self.plan = job
        self.to = next(name for name, (dtype, _) in TYPES.items() if dtype == job.dtype)

    def convert(self, tensor: Tensor, data: Array) -> None:
        if tensor.name in self.plan.weights:
            try:
                self.write(tensor, "values", self._counted(tensor, self._values(tensor, data)))
            except (TypeError, ValueError) as error:
                raise CheckpointError(f"{self.job.source}: {tensor.name}: {error}") from error
        elif tensor.name in self.plan.converted:
            self.write(tensor, "values", self._counted(tensor, self._converted(tensor, data)))
        elif tensor.name not in self.plan.dropped:
            self.count(tensor, data)
            self.write(tensor, "copy", [data])

    def _values(self, tensor: Tensor, data: Array) -> Iterator[Array]:
        stored = self.plan.weights[tensor.name]
        if tensor.dtype in QUANTS:
            return decoded(data, tensor.dtype, tensor.shape, self.to)
        parts = {"codes": data}
        for role, name in stored.parts.items():
            parts[role] = self.other(self.plan.elsewhere.get(name, self.job.source), name)[1]
        if stored.coded.turned:
            return decode_turned(stored.coded, parts, self.to)
        return (values for _, values in decode(stored.coded, parts, self.to))

    def _converted(self, tensor: Tensor, data: Array) -> Iterator[Array]:
        flat = as_numbers(data, tensor).reshape(-1)
        for i in range(0, flat.size, _AT_ONCE):
            part = flat[i : i + _AT_ONCE]
            yield part.astype(np.float32) if self.to == "f32" else cvt(part, self.to, round="rn")

    def _counted(self, tensor: Tensor, pieces: Iterable[Array]) -> Iterator[Array]:
        for piece in pieces:
            self.add_nonfinite(tensor, count_nonfinite(piece))
            yield piece
