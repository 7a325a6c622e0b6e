# SPDX-License-Identifier: MIT
"""What quantizing and dequantizing have in common: plans, jobs and the writer of a file."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import IO, Any, ClassVar

import numpy as np

from .._arrays import Array
from ._codec import Part, count_nonfinite
from ._files import Tensor, as_numbers, bits_of, has_nonfinite, read_bytes, read_header
from ._gguf import is_gguf
from ._layers import Config
from ._manifest import Row, digest
from ._need import CheckpointError, need

Places = dict[str, dict[str, tuple[int, str]]]
"""For each tensor of the source and role: the offset in the new file, and the name of the new tensor."""


@dataclass(frozen=True)
class Job:
    """The work for one file of the result. A job can be sent to another machine that has the same folders."""

    source: Path
    out: Path
    name: str

    @property
    def size(self) -> int:
        return self.source.stat().st_size

    @property
    def architecture(self) -> str:
        """The name of the architecture in a GGUF file that is made from safetensors."""
        return "unknown"

    @property
    def partners(self) -> list[tuple[Path, str]]:
        """The tensors of other files that the job reads, sorted."""
        raise NotImplementedError

    def content(self) -> Row:
        """Returns everything, other than data of the source, on which the bytes of the file depend."""
        raise NotImplementedError

    def parts(self, tensor: Tensor) -> list[Part]:
        """Returns the tensors of the result that are made from a tensor of the source."""
        raise NotImplementedError

    def writer(self, header: dict[str, Tensor], file: IO[bytes], places: Places) -> Writer:
        raise NotImplementedError

    def combined(self, own: dict[str, str], others: dict[tuple[Path, str], str]) -> str:
        """Returns one digest of all data from which the file is made, given the digests of the tensors."""
        rows = [sorted(own.items()), [(path.name, name, others[path, name]) for path, name in self.partners]]
        return digest(json.dumps(rows).encode())


@dataclass(frozen=True)
class Plan:
    """What will be done with a checkpoint."""

    jobs: list[Job]
    sources: frozenset[str]  # the names of all files of tensors in the source

    @property
    def has_index(self) -> bool:
        return len(self.jobs) > 1

    def listing(self) -> str:
        """Returns a text that says what is done with which tensors, and why."""
        raise NotImplementedError

    def warnings(self) -> list[str]:
        return []

    def notes(self) -> list[str]:
        """Returns messages about the result, for the end of the command."""
        return []

    def configs(self) -> dict[str, Config]:
        """Returns the contents of ``config.json`` and similar files of the result, by name."""
        raise NotImplementedError

    def removed(self) -> Config:
        """Returns what the files of the source have in addition, by file. The manifest of the result has it."""
        return {}


@dataclass
class Task:
    """The arguments. Results depend only on ``settings``; the other fields decide which process makes which file.

    ``searched`` and ``consequence`` are for messages: where NaN and infinity are searched, and what they do.
    """

    searched: ClassVar[str]
    consequence: ClassVar[str]

    source: Path
    out: Path
    _: KW_ONLY
    shard: tuple[int, int] = (0, 1)
    workers: int = 1
    dask: str | None = None
    allow_nonfinite: bool = False
    exclude: list[str] = field(default_factory=list)

    def settings(self) -> Row:
        raise NotImplementedError

    def check(self) -> None:
        """Raises CheckpointError if an argument is wrong by itself."""

    def plan(self) -> Plan:
        """Reads the headers of the source and returns the plan. Nothing is written."""
        raise NotImplementedError


def layout_of(job: Job, header: dict[str, Tensor]) -> list[tuple[str, Part]]:
    """Returns the tensors of a file, each with the name of its source tensor, in the order of the format.

    In safetensors that order is by decreasing size of the type, then by name.
    """
    rows = [(tensor.name, part) for tensor in header.values() for part in job.parts(tensor)]
    seen: set[str] = set()
    for _, part in rows:
        if part.name in seen:
            raise CheckpointError(f"{job.source}: {part.name} is there already")
        seen.add(part.name)
    if is_gguf(Path(job.name)):  # keeps the order of the source
        return rows
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


class Writer:
    """Writes the tensors of a file, and computes their digests and those of the data that it reads."""

    def __init__(self, job: Job, header: dict[str, Tensor], file: IO[bytes], places: Places) -> None:
        self.job, self.file, self.places = job, file, places
        self.digests: dict[str, str] = {}
        self.nonfinite: dict[str, int] = {}  # for each tensor: the number of NaN and infinities
        self.read: dict[str, str] = {}  # digests of the source's tensors
        self.read_elsewhere: dict[tuple[Path, str], str] = {}  # digests of tensors that were read from other files
        self.headers = {job.source: header}

    def source_digest(self) -> str:
        return self.job.combined(self.read, self.read_elsewhere)

    def tensor(self, tensor: Tensor) -> None:
        """Writes everything that is made from a tensor of the source."""
        data = read_bytes(self.job.source, tensor)
        self.read[tensor.name] = digest(data)
        self.convert(tensor, data)

    def convert(self, tensor: Tensor, data: Array) -> None:
        """Converts a tensor, whose bytes are ``data``, and writes the result."""
        raise NotImplementedError

    def other(self, path: Path, name: str) -> tuple[Tensor, Array]:
        """Returns a tensor of this file or of a partner's file, and its bytes."""
        if path not in self.headers:
            self.headers[path] = read_header(path)
        header = self.headers[path]
        if name not in header:
            raise CheckpointError(f"{path}: {name} is not there any more")
        data = read_bytes(path, header[name])
        if path != self.job.source:
            self.read_elsewhere[path, name] = digest(data)
        return header[name], data

    def count(self, tensor: Tensor, data: Array) -> None:
        """Counts the elements of a tensor of the source that are NaN or infinite."""
        if has_nonfinite(tensor.dtype):
            self.add_nonfinite(tensor, count_nonfinite(as_numbers(data, tensor)))

    def add_nonfinite(self, tensor: Tensor, count: int) -> None:
        if count:
            self.nonfinite[tensor.name] = self.nonfinite.get(tensor.name, 0) + count

    def write(self, tensor: Tensor, role: str, pieces: Iterable[Array]) -> None:
        """Writes the part ``role`` of a tensor, whose data are the pieces one after the other."""
        offset, name = self.places[tensor.name][role]
        state: Any = need("xxhash").xxh3_128()
        self.file.seek(offset)
        for piece in pieces:
            view = np.ascontiguousarray(piece).reshape(-1).view(np.uint8).data
            self.file.write(view)
            state.update(view)
        self.digests[name] = str(state.hexdigest())


def places_of(layout: list[tuple[str, Part]], offsets: Iterator[int]) -> Places:
    places: Places = {}
    for (of, part), offset in zip(layout, offsets, strict=False):
        places.setdefault(of, {})[part.role] = (offset, part.name)
    return places
