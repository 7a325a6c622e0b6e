# SPDX-License-Identifier: MIT
"""Makes one file of the result, tensor by tensor. This may run in a worker on another machine."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from itertools import accumulate
from pathlib import Path
from typing import IO

import numpy as np

from .._arrays import Array
from ._codec import amax_of, count_bad_scales, count_nonfinite, encode, largest, second_level
from ._files import (
    Tensor,
    as_numbers,
    bytes_of,
    has_nonfinite,
    header_of,
    read_bytes,
    read_header,
    read_metadata,
    whole,
)
from ._layers import module_of
from ._manifest import Row, digest, digest_in_file, exclusive, faults, write_part
from ._need import CheckpointError
from ._plan import Job, layout_of


def block_interrupts() -> None:
    """Blocks SIGINT in this thread, and in the workers that it starts until they call ``end_with_parent``."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def end_with_parent() -> None:
    """Ends this worker when the command ends, and without a traceback on SIGINT, which the command reports.

    A command that is killed cannot end its workers itself. A command that ignores SIGINT, as one in the background of a
    script does, has workers that ignore it.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def is_done(job: Job, rows: list[Row]) -> bool:
    """Returns whether the file exists with the digests in ``rows`` and was made from the current source."""
    return is_current(job, rows) and not faults(job.out, rows)


def is_checked(job: Job, rows: list[Row]) -> bool:
    """Returns whether a share has checked or made the file, and plan and source have not changed since then.

    This reads only the header of the source. The rows of a manifest have no ``stat``, so they are not checked.
    """
    return rows[0].get("stat") == stat_of(job) and _has_plan(job, rows)


def is_current(job: Job, rows: list[Row]) -> bool:
    """Returns whether the file was made from the current source with the current plan. Reads all of the source."""
    return _has_plan(job, rows) and bool(rows[0].get("xxh3") == _source_digest(job))


def _has_plan(job: Job, rows: list[Row]) -> bool:
    return all(rows[0].get(key) == value for key, value in _named_row(job).items())


def _named_row(job: Job) -> Row:
    """Returns the part of a file's row that does not depend on the data: names, and digests of the header and plan."""
    plan = {
        "recipe": repr(job.recipe),
        "weights": sorted(job.weights),
        "fused": {name: [str(other) for _, other in group] for name, group in job.fused.items()},
        "input_amax": job.input_amax,
    }
    with open(job.source, "rb") as file:
        head = file.read(8)
        head += file.read(int.from_bytes(head, "little"))
    return {
        "file": job.name,
        "source": job.source.name,
        "header": digest(head),
        "plan": digest(json.dumps(plan, sort_keys=True).encode()),
    }


def stat_of(job: Job) -> list[list[int]]:
    """Returns the size and modification time of each file that the job reads, including those of fused weights.

    Parts store them, so that a source that changes between the shares is detected.
    """
    paths = sorted({job.source, *(path for path, _ in _partners(job))})
    return [[status.st_size, status.st_mtime_ns] for status in map(Path.stat, paths)]


def _partners(job: Job) -> list[tuple[Path, str]]:
    """Returns the weights of other files that share a second-level value with weights of this file."""
    groups = (member for group in job.fused.values() for member in group if member[0] != job.source)
    return sorted(set(groups))


def _source_digest(job: Job) -> str:
    header = read_header(job.source)
    own = {name: digest_in_file(job.source, tensor) for name, tensor in header.items()}
    headers = {path: read_header(path) for path in {path for path, _ in _partners(job)}}
    if any(name not in headers[path] for path, name in _partners(job)):
        return ""
    return _combined(job, own, {m: digest_in_file(m[0], headers[m[0]][m[1]]) for m in _partners(job)})


def _combined(job: Job, own: dict[str, str], others: dict[tuple[Path, str], str]) -> str:
    """Returns one digest of all data from which a file is made."""
    rows = [sorted(own.items()), [(path.name, name, others[path, name]) for path, name in _partners(job)]]
    return digest(json.dumps(rows).encode())


def do_job(job: Job) -> list[Row]:
    """Writes the file and its part of the manifest, and returns its rows."""
    named = {"stat": stat_of(job)} | _named_row(job)  # stat first: a later change is then detected
    header = read_header(job.source)
    layout = layout_of(job, header)
    metadata = {"format": "pt"} | read_metadata(job.source)
    head = header_of([(p.name, p.dtype, p.shape) for _, p in layout], dict(sorted(metadata.items())))
    ends = accumulate((bytes_of(p.dtype, p.shape) for _, p in layout), initial=len(head))
    places: dict[str, dict[str, tuple[int, str]]] = {}  # for each tensor and role: offset and name
    for (of, part), offset in zip(layout, ends, strict=False):
        places.setdefault(of, {})[part.role] = (offset, part.name)
    with whole(job.out / job.name) as file:
        file.write(head)
        writer = _Writer(job, header, file)
        for name, tensor in header.items():
            writer.tensor(tensor, places[name])
    rows = [named | {"xxh3": writer.source_digest()}]
    for of, part in layout:
        row: Row = {
            "name": part.name,
            "dtype": part.dtype,
            "shape": list(part.shape),
            "xxh3": writer.digests[part.name],
        }
        row |= {} if part.role == "copy" else {"of": of, "role": part.role}
        if of in writer.nonfinite and part.role in ("copy", "codes"):
            row["nonfinite"] = writer.nonfinite[of]
        rows.append(row)
    read_header(job.out / job.name)
    with exclusive(job.out):
        write_part(job.out, rows)
    return rows


class _Writer:
    def __init__(self, job: Job, header: dict[str, Tensor], file: IO[bytes]) -> None:
        self.job, self.header, self.file = job, header, file
        self.digests: dict[str, str] = {}
        self.nonfinite: dict[str, int] = {}  # for each tensor: the number of NaN and infinities
        self.numbers: dict[tuple[tuple[Path, str], ...], float] = {}
        self.read: dict[str, str] = {}  # digests of the source's tensors
        self.read_elsewhere: dict[tuple[Path, str], str] = {}  # digests of tensors that were read from other files

    def source_digest(self) -> str:
        return _combined(self.job, self.read, self.read_elsewhere)

    def tensor(self, tensor: Tensor, places: dict[str, tuple[int, str]]) -> None:
        data = read_bytes(self.job.source, tensor)
        self.read[tensor.name] = digest(data)
        if has_nonfinite(tensor.dtype):
            count = count_nonfinite(as_numbers(data, tensor))
            if count:
                self.nonfinite[tensor.name] = count
        if tensor.name not in self.job.weights:
            self._write(*places["copy"], data)
            return
        x = as_numbers(data, tensor)
        number = self._number(tensor, x)
        try:
            for role, part in encode(self.job.recipe, x, number, self.job.input_amax.get(module_of(tensor.name))):
                self._write(*places[role], part)
                if role == "scales" and tensor.name not in self.nonfinite:
                    self._check_scales(tensor, part)
        except (TypeError, ValueError) as error:
            raise CheckpointError(f"{self.job.source}: {tensor.name}: {error}") from error

    def _check_scales(self, tensor: Tensor, scales: Array) -> None:
        """Counts scales of a finite weight that are NaN or infinite. Some rules overflow near the maximum of f32."""
        count = count_bad_scales(self.job.recipe, scales)
        if count:
            self.nonfinite[tensor.name] = count

    def _number(self, tensor: Tensor, x: Array) -> float | None:
        """Returns the second-level value of a weight and of all that share it. Some of them may be in other files."""
        recipe = self.job.recipe
        if not recipe.two_level:
            return None
        own = (self.job.source, tensor.name)
        group = tuple(self.job.fused.get(tensor.name, [own]))
        if group not in self.numbers:
            found = [
                (amax_of(x, recipe.rule), tensor.dtype) if member == own else self._amax(*member) for member in group
            ]
            amax, dtypes = largest([amax for amax, _ in found]), {dtype for _, dtype in found}
            self.numbers[group] = second_level(recipe.rule, amax, dtypes)
        return self.numbers[group]

    def _amax(self, path: Path, name: str) -> tuple[float, str]:
        header = self.header if path == self.job.source else read_header(path)
        if name not in header:
            raise CheckpointError(f"{path}: {name} is not there any more")
        data = read_bytes(path, header[name])
        if path != self.job.source:
            self.read_elsewhere[path, name] = digest(data)
        return amax_of(as_numbers(data, header[name]), self.job.recipe.rule), header[name].dtype

    def _write(self, offset: int, name: str, data: Array) -> None:
        view = np.ascontiguousarray(data).reshape(-1).view(np.uint8).data
        self.file.seek(offset)
        self.file.write(view)
        self.digests[name] = digest(view)
