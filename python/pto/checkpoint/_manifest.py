# SPDX-License-Identifier: MIT
"""The manifest: what each file of a checkpoint holds, with a digest of every tensor.

``manifest.jsonl`` has a line with the settings, then for each file a line of its own and one for each tensor. While
files are still to be made, those that are done have theirs in ``.parts``, one text for each, so that any number of
processes can add to them.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

from ._files import Tensor, read_header, write_json, write_text
from ._need import CheckpointError, need

MANIFEST = "manifest.jsonl"
PARTS = ".parts"
_SETTINGS = "settings.json"
_PIECE = 1 << 24

Row = dict[str, Any]
Files = dict[str, list[Row]]
"""By the name of a file its own row, then those of its tensors."""


def digest(data: Any) -> str:
    """XXH3 of 128 bits."""
    return str(need("xxhash").xxh3_128_hexdigest(data))


def digest_in_file(path: Path, tensor: Tensor) -> str:
    state = need("xxhash").xxh3_128()
    left = tensor.size
    with open(path, "rb") as file:
        file.seek(tensor.offset)
        while left and (data := file.read(min(left, _PIECE))):
            state.update(data)
            left -= len(data)
    return str(state.hexdigest())


def lines(rows: list[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def read_settings(out: Path) -> Row | None:
    """What the checkpoint in a folder is made with, if any is begun."""
    if (out / MANIFEST).is_file():
        return read_manifest(out)[0]
    path = out / PARTS / _SETTINGS
    return _json(path.read_text(), path) if path.is_file() else None


def begin(out: Path, settings: Row) -> None:
    """Make the folder ready, unless it holds something else."""
    before = read_settings(out) if out.is_dir() else None
    if before is not None and before != settings:
        raise CheckpointError(f"{out}: was begun with {before}, not {settings}")
    if before is None and out.is_dir() and any(p.name != PARTS for p in out.iterdir()):
        raise CheckpointError(f"{out}: is not empty and has no {MANIFEST}")
    (out / PARTS).mkdir(parents=True, exist_ok=True)
    if before is None:
        write_json(out / PARTS / _SETTINGS, settings)


def read_manifest(out: Path) -> tuple[Row, Files]:
    path = out / MANIFEST
    if not path.is_file():
        raise CheckpointError(f"{path}: is not there; the checkpoint is not complete")
    head, *rest = path.read_text().splitlines() or [""]
    return _json(head, path)["settings"], _files([_json(line, path) for line in rest], path)


def _json(text: str, path: Path) -> Row:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise CheckpointError(f"{path}: not a line of a manifest: {text[:60]!r}") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{path}: not a line of a manifest: {text[:60]!r}")
    return value


def _files(rows: list[Row], path: Path) -> Files:
    files: Files = {}
    for row in rows:
        if "file" in row:
            files[row["file"]] = []
        if not files:
            raise CheckpointError(f"{path}: a tensor before its file")
        files[next(reversed(files))].append(row)
    return files


def write_part(out: Path, rows: list[Row]) -> None:
    (out / PARTS).mkdir(exist_ok=True)  # who repaired another file may have finished
    write_text(out / PARTS / (rows[0]["file"] + ".jsonl"), lines(rows))


def known_files(out: Path) -> Files:
    """What is said to be done, which is to be verified. A part is younger than the manifest."""
    files = read_manifest(out)[1] if (out / MANIFEST).is_file() else {}
    for path in sorted((out / PARTS).glob("*.jsonl")):
        with contextlib.suppress(FileNotFoundError):  # another process has finished since
            files |= _files([_json(line, path) for line in path.read_text().splitlines()], path)
    return files


def finish(out: Path, settings: Row, files: Files) -> None:
    """All files are there: one manifest for them, and nothing left over from processes that were killed."""
    rows = [row for name in sorted(files) for row in files[name]]
    write_text(out / MANIFEST, lines([{"manifest": 1, "settings": settings}, *rows]))
    shutil.rmtree(out / PARTS, ignore_errors=True)
    for path in out.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def faults(out: Path, rows: list[Row]) -> list[str]:
    """How a file differs from its rows; nothing if it verifies."""
    head, *wanted = rows
    path = out / head["file"]
    if not path.is_file():
        return [f"{path}: is not there"]
    try:
        there = read_header(path)
    except CheckpointError as error:
        return [str(error)]
    found = [f"{path}: {name} is not in the manifest" for name in there.keys() - {row["name"] for row in wanted}]
    for row in wanted:
        tensor = there.get(row["name"])
        if tensor is None:
            found.append(f"{path}: {row['name']} is not there")
        elif [tensor.dtype, list(tensor.shape)] != [row["dtype"], row["shape"]]:
            found.append(f"{path}: {tensor.name} is {tensor.dtype} {list(tensor.shape)}, not as in the manifest")
        elif digest_in_file(path, tensor) != row["xxh3"]:
            found.append(f"{path}: {tensor.name} has another digest")
    return sorted(found)
