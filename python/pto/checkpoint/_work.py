# SPDX-License-Identifier: MIT
"""One file of the result, tensor by tensor; a worker does this, wherever it is."""

from __future__ import annotations

import multiprocessing
import os
import threading
from itertools import accumulate
from pathlib import Path
from typing import IO

import numpy as np

from .._arrays import Array
from ._codec import amax_of, encode, largest, module_of, number_of
from ._files import Tensor, bytes_of, header_of, read_bytes, read_header, read_metadata, read_numbers, whole
from ._manifest import Row, digest, faults, write_part
from ._need import CheckpointError
from ._plan import Job, layout_of


def end_with_parent() -> None:
    """In a worker: a command that is killed cannot tell its workers to end, and they would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def source_row(job: Job) -> Row:
    """What the file was made from, by what can be seen without reading all of it."""
    with open(job.source, "rb") as file:
        head = file.read(8)
        head += file.read(int.from_bytes(head, "little"))
    return {"file": job.name, "source": job.source.name, "bytes": job.size, "header": digest(head)}


def is_done(job: Job, rows: list[Row] | None) -> bool:
    return rows is not None and rows[0] == source_row(job) and not faults(job.out, rows)


def do_job(job: Job, rows: list[Row] | None = None) -> list[Row]:
    """Make the file and its part of the manifest; nothing if it is there and has the digests of ``rows``."""
    if is_done(job, rows):
        assert rows is not None
        return rows
    header = read_header(job.source)
    layout = layout_of(job, header)
    metadata = {"format": "pt"} | read_metadata(job.source)
    head = header_of([(p.name, p.dtype, p.shape) for _, p in layout], dict(sorted(metadata.items())))
    ends = accumulate((bytes_of(p.dtype, p.shape) for _, p in layout), initial=len(head))
    places: dict[str, dict[str, tuple[int, str]]] = {}  # of each tensor's parts, by role
    for (of, part), offset in zip(layout, ends, strict=False):
        places.setdefault(of, {})[part.role] = (offset, part.name)
    rows = [source_row(job)]
    with whole(job.out / job.name) as file:
        file.write(head)
        writer = _Writer(job, header, file)
        for name, tensor in header.items():
            writer.tensor(tensor, places[name])
    for of, part in layout:
        row = {"name": part.name, "dtype": part.dtype, "shape": list(part.shape), "xxh3": writer.digests[part.name]}
        rows.append(row if part.role == "copy" else row | {"of": of, "role": part.role})
    read_header(job.out / job.name)
    write_part(job.out, rows)
    return rows


class _Writer:
    def __init__(self, job: Job, header: dict[str, Tensor], file: IO[bytes]) -> None:
        self.job, self.header, self.file = job, header, file
        self.digests: dict[str, str] = {}
        self.numbers: dict[tuple[tuple[Path, str], ...], float] = {}

    def tensor(self, tensor: Tensor, places: dict[str, tuple[int, str]]) -> None:
        if tensor.name not in self.job.weights:
            self._write(*places["copy"], read_bytes(self.job.source, tensor))
            return
        number = self._number(tensor)
        x = read_numbers(self.job.source, tensor)
        try:
            for role, data in encode(self.job.recipe, x, number, self.job.input_amax.get(module_of(tensor.name))):
                self._write(*places[role], data)
        except (TypeError, ValueError) as error:
            raise CheckpointError(f"{self.job.source}: {tensor.name}: {error}") from error

    def _number(self, tensor: Tensor) -> float | None:
        """The second level, of all weights that share it; some may be in other files."""
        recipe = self.job.recipe
        if not recipe.two_level:
            return None
        group = tuple(self.job.fused.get(tensor.name, [(self.job.source, tensor.name)]))
        if group not in self.numbers:
            self.numbers[group] = number_of(recipe.rule, largest([self._amax(path, name) for path, name in group]))
        return self.numbers[group]

    def _amax(self, path: Path, name: str) -> float:
        header = self.header if path == self.job.source else read_header(path)
        return amax_of(read_numbers(path, header[name]), self.job.recipe.rule)

    def _write(self, offset: int, name: str, data: Array) -> None:
        view = np.ascontiguousarray(data).reshape(-1).view(np.uint8).data
        self.file.seek(offset)
        self.file.write(view)
        self.digests[name] = digest(view)
