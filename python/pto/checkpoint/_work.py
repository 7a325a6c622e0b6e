# SPDX-License-Identifier: MIT
"""Makes one file of the result, tensor by tensor. This may run in a worker on another machine."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import signal
import threading
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, cast

from ._codec import Part
from ._files import bytes_of, header_of, read_head, read_header, read_metadata, whole
from ._gguf import head_of, is_gguf
from ._job import Job, layout_of, places_of
from ._manifest import Row, digest, digest_in_file, exclusive, faults, write_part

_VALUES = ("copy", "codes", "values")  # the roles of tensors that have as many elements as their source


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
    return {
        "file": job.name,
        "source": job.source.name,
        "header": digest(read_head(job.source)),
        "plan": digest(json.dumps(job.content(), sort_keys=True).encode()),
    }


def stat_of(job: Job) -> list[list[int]]:
    """Returns the size and modification time of each file that the job reads, including those of its partners.

    Parts store them, so that a source that changes between the shares is detected.
    """
    paths = sorted({job.source, *(path for path, _ in job.partners)})
    return [[status.st_size, status.st_mtime_ns] for status in map(Path.stat, paths)]


def _source_digest(job: Job) -> str:
    header = read_header(job.source)
    own = {name: digest_in_file(job.source, tensor) for name, tensor in header.items()}
    headers = {path: read_header(path) for path in {path for path, _ in job.partners}}
    if any(name not in headers[path] for path, name in job.partners):
        return ""
    return job.combined(own, {m: digest_in_file(m[0], headers[m[0]][m[1]]) for m in job.partners})


def do_job(job: Job) -> list[Row]:
    """Writes the file and its part of the manifest, and returns its rows."""
    named = {"stat": stat_of(job)} | _named_row(job)  # stat first: a later change is then detected
    with whole(job.out / job.name) as file:
        key, tensors = _write_tensors(job, file)
    rows = [named | {"xxh3": key}, *tensors]
    read_header(job.out / job.name)
    with exclusive(job.out):
        write_part(job.out, rows)
    return rows


def _head(job: Job, parts: list[Part]) -> tuple[bytes, list[int]]:
    """Returns the header of the file, and the offset of each part and of the end."""
    sizes = [bytes_of(part.dtype, part.shape) for part in parts]
    if is_gguf(Path(job.name)):
        rows = [(part.name, part.dtype, part.shape, size) for part, size in zip(parts, sizes, strict=True)]
        return head_of(rows, job.source, job.architecture)
    metadata = {"format": "pt"} | ({} if is_gguf(job.source) else read_metadata(job.source))
    head = header_of([(p.name, p.dtype, p.shape) for p in parts], dict(sorted(metadata.items())))
    return head, list(accumulate(sizes, initial=len(head)))


def _write_tensors(job: Job, file: IO[bytes]) -> tuple[str, list[Row]]:
    """Writes the header and the tensors. Returns the digest of what was read, and the rows of the tensors."""
    header = read_header(job.source)
    layout = layout_of(job, header)
    head, offsets = _head(job, [part for _, part in layout])
    file.write(head)
    writer = job.writer(header, file, places_of(layout, iter(offsets)))
    for tensor in header.values():
        writer.tensor(tensor)
    if is_gguf(Path(job.name)):
        file.seek(0, os.SEEK_END)
        file.write(b"\0" * (offsets[-1] - file.tell()))  # files end with padding
    rows = []
    for of, part in layout:
        row: Row = {
            "name": part.name,
            "dtype": part.dtype,
            "shape": list(part.shape),
            "xxh3": writer.digests[part.name],
        }
        row |= {} if part.role == "copy" else {"of": of, "role": part.role}
        if of in writer.nonfinite and part.role in _VALUES:
            row["nonfinite"] = writer.nonfinite[of]
        rows.append(row)
    return writer.source_digest(), rows


class _Nowhere(io.RawIOBase):
    """A file that keeps nothing of what is written."""

    def write(self, data: Any) -> int:
        return len(data)

    def seek(self, offset: int, whence: int = 0) -> int:
        return offset


def source_differences(job: Job, rows: list[Row]) -> list[str]:
    """Makes a file again without keeping it. Returns a message for each tensor that differs from the rows."""
    wanted = {row["name"]: row for row in rows[1:]}
    found = []
    for row in _write_tensors(job, cast(IO[bytes], _Nowhere()))[1]:
        there = wanted.pop(row["name"], None)
        if there is None:
            found.append(f"{job.source}: {row['name']} is not in the result")
        elif any(there.get(key) != row[key] for key in ("dtype", "shape", "xxh3")):
            found.append(f"{job.source}: {row['name']} gives another tensor than that of the result")
    return found + [f"{job.source}: {name} is not there" for name in wanted]
