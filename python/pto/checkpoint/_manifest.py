# SPDX-License-Identifier: MIT
"""Reads and writes the manifest, which lists the contents of a checkpoint with a digest of every tensor.

``manifest.jsonl`` has a line with the settings, a line for every file of tensors followed by one line for each of its
tensors, and a line for every other file (``config.json``, tokenizers). While files are still missing, the lines of each
finished file are in a separate text file in the folder ``.parts``, so any number of processes can add files. The first
line of each of these files has a digest of all its lines, which detects a file that was cut or changed.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from ._files import (
    Tensor,
    is_dtype,
    is_file_name,
    lock,
    parse_json,
    read_header,
    read_object,
    remove_temporaries,
    write_json,
    write_text,
)
from ._need import CheckpointError, need

MANIFEST = "manifest.jsonl"
PARTS = ".parts"
VERSION = 2
_SETTINGS = "settings.json"
_OTHERS = "others"
_CHECK = "check"
_LOCK = "lock"
_PIECE = 1 << 24

Row = dict[str, Any]
Files = dict[str, list[Row]]
"""Maps the name of a file to its rows: first the row of the file, then the rows of its tensors."""


def digest(data: Any) -> str:
    """Returns the 128-bit XXH3 digest in hexadecimal."""
    return str(need("xxhash").xxh3_128_hexdigest(data))


def digest_of_file(path: Path, offset: int = 0, size: int | None = None) -> str:
    """Returns the digest of ``size`` bytes of a file from ``offset`` on; None means up to its end."""
    state = need("xxhash").xxh3_128()
    left = path.stat().st_size - offset if size is None else size
    with open(path, "rb") as file:
        file.seek(offset)
        while left > 0 and (data := file.read(min(left, _PIECE))):
            state.update(data)
            left -= len(data)
    return str(state.hexdigest())


def _lines(rows: list[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _write_rows(path: Path, rows: list[Row]) -> None:
    """Writes rows with a digest of all of them in the first one."""
    check = {_CHECK: digest(_lines(rows).encode())}
    write_text(path, _lines([row | check for row in rows[:1]] + rows[1:]))


@contextlib.contextmanager
def exclusive(out: Path) -> Iterator[None]:
    """Holds the lock of a checkpoint: only one process at a time begins it, adds a part or completes it.

    The lock file is in ``.parts``, which ``finish`` removes. A process that waited for a removed file tries again.
    """
    path = out / PARTS / _LOCK
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = open(path, "ab")  # noqa: SIM115
        except FileNotFoundError:  # another process has removed the folder
            continue
        except OSError as error:
            raise CheckpointError(f"{path}: {error.strerror or error}") from error
        with file:
            lock(file, wait=True)
            if path.exists():
                yield
                return


def begin(out: Path, settings: Row) -> str:
    """Prepares the folder, holding the lock. Raises CheckpointError if the folder holds something else.

    If a manifest was unreadable, all files are made again, and a message is returned; otherwise an empty string.
    """
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).exists() and not (out / PARTS).is_dir():
        raise CheckpointError(f"{out}: is not empty and has no {MANIFEST}")
    with exclusive(out):
        try:
            before = _read_settings(out)
            message = ""
        except CheckpointError as error:
            before, message = None, f"{error}; all files are made again"
            for path in [out / MANIFEST, out / PARTS / _SETTINGS, *(out / PARTS).glob("*.jsonl")]:
                path.unlink(missing_ok=True)
        if before is not None and before != settings:
            raise CheckpointError(f"{out}: was begun with {_other_settings(before, settings)}")
        if not (out / PARTS / _SETTINGS).exists():
            write_json(out / PARTS / _SETTINGS, settings)
    return message


def _other_settings(before: Row, now: Row) -> str:
    """Describes how two commands differ: by their direction, or by the options that are not equal."""
    if before.get("direction") != now.get("direction"):
        return "another command: pto.quantize and pto.dequantize need folders of their own"
    keys = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    return "other options: " + "; ".join(f"{key} {before.get(key)}, not {now.get(key)}" for key in keys)


def _read_settings(out: Path) -> Row | None:
    """Returns the settings of the checkpoint in a folder, or None if there is none."""
    if (out / MANIFEST).exists():
        return read_manifest(out)[0]
    path = out / PARTS / _SETTINGS
    if not path.exists():
        return None
    settings = read_object(path)
    if not _is_settings(settings):
        raise CheckpointError(f"{path}: has no recipe")
    return settings


def _is_settings(settings: object) -> bool:
    return isinstance(settings, dict) and (isinstance(settings.get("recipe"), str) or is_dequantized(settings))


def is_dequantized(settings: Row) -> bool:
    """Returns whether these are the settings of pto.dequantize. Those of pto.quantize have no direction."""
    return bool(settings.get("direction") == "dequantize")


def is_result(folder: Path) -> bool:
    """Returns whether a folder has a checkpoint that pto.quantize or pto.dequantize made or began."""
    if (folder / PARTS / _SETTINGS).is_file():
        return True
    try:
        with open(folder / MANIFEST, "rb") as file:
            head = parse_json(file.readline(_PIECE), folder / MANIFEST)
    except (OSError, CheckpointError):
        return False
    return isinstance(head, dict) and "manifest" in head and "settings" in head


def read_manifest(out: Path) -> tuple[Row, Files, list[Row]]:
    """Returns the settings, the files of tensors and the rows of other files."""
    path = out / MANIFEST
    if not path.is_file():
        raise CheckpointError(f"{path}: is not there; the checkpoint is not complete")
    head, *rows = _rows(path) or [{}]
    settings = head.get("settings", {})
    if not _is_settings(settings):
        raise CheckpointError(f"{path}: line 1 has no settings: this is no manifest, or it was cut")
    if head.get("manifest") not in (1, VERSION):
        raise CheckpointError(f"{path}: a manifest of version {head.get('manifest')!r}, not {VERSION}")
    others = [row for row in rows if "other" in row]
    return settings, _files([row for row in rows if "other" not in row], path), others


def _rows(path: Path) -> list[Row]:
    """Returns the rows of a manifest or part. Every value that the tools use is checked."""
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{path}: not a text: {error}") from error
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        row = parse_json(line, f"{path}, line {number}")
        if not isinstance(row, dict) or not ("settings" in row if number == 1 and "manifest" in row else _is_row(row)):
            raise CheckpointError(f"{path}, line {number}: not a line of a manifest: {line[:60]!r}")
        rows.append(row)
    check = rows[0].pop(_CHECK, None) if rows else None  # earlier versions wrote none
    if check is not None and check != digest(_lines(rows).encode()):
        raise CheckpointError(f"{path}: was cut or changed: its lines have another digest")
    return rows


def _is_row(row: Row) -> bool:
    texts = [row.get(key, "") for key in ("source", "header", "xxh3", "plan", "of", "role", "name", "dtype")]
    if not all(isinstance(text, str) for text in texts):
        return False
    if "other" in row:
        return is_inside(row["other"]) and "xxh3" in row
    if "file" in row:
        return is_file_name(row["file"]) and is_file_name(row.get("source"))
    shape = row.get("shape")
    sizes = isinstance(shape, list) and all(type(size) is int and size >= 0 for size in shape)
    return sizes and "name" in row and "xxh3" in row and is_dtype(row.get("dtype")) and ("of" in row) == ("role" in row)


def is_inside(name: object) -> bool:
    """Returns whether this is a relative path of a file below a folder."""
    if not isinstance(name, str) or not name or "\0" in name:
        return False
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


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
    """Adds the rows of a file to ``.parts``. The caller must hold the lock."""
    _write_rows(_part(out, rows[0]["file"]), rows)


def _part(out: Path, name: str) -> Path:
    return out / PARTS / (name + ".jsonl")


def drop_manifest(out: Path, settings: Row) -> None:
    """Replaces the manifest, if there is one, by parts that no share has checked. The caller must hold the lock."""
    if not (out / MANIFEST).is_file():
        return
    _, files, others = read_manifest(out)
    write_json(out / PARTS / _SETTINGS, settings)
    _write_rows(out / PARTS / _OTHERS, others)
    for name, rows in files.items():
        if not _part(out, name).exists():
            write_part(out, rows)
    (out / MANIFEST).unlink()


def known_files(out: Path) -> Files:
    """Returns the files that the manifest and the parts list. A part overrides the manifest, which is older.

    An invalid part is removed, and its file counts as missing.
    """
    files = read_manifest(out)[1] if (out / MANIFEST).is_file() else {}
    for path in sorted((out / PARTS).glob("*.jsonl")):
        if not path.exists():  # another process has finished since
            continue
        try:
            files |= _files(_rows(path), path)
        except CheckpointError:
            path.unlink(missing_ok=True)
            files.pop(path.name.removesuffix(".jsonl"), None)
    return files


def known_others(out: Path) -> list[str]:
    """Returns the files other than tensors that the manifest lists, or listed before it was replaced by parts."""
    rows = read_manifest(out)[2] if (out / MANIFEST).is_file() else []
    if (out / PARTS / _OTHERS).is_file():
        with contextlib.suppress(CheckpointError):
            rows += _rows(out / PARTS / _OTHERS)
    return [row["other"] for row in rows if "other" in row]


def finish(out: Path, settings: Row, removed: Row, files: Files, others: list[Row]) -> None:
    """Writes the manifest of a complete checkpoint, and removes the parts and files left by killed processes.

    ``removed`` is what the configuration of the source has in addition. The caller must hold the lock.
    """
    rows = [row for name in sorted(files) for row in files[name]]
    head = {"manifest": VERSION, "settings": settings} | ({"removed": removed} if removed else {})
    _write_rows(out / MANIFEST, [head, *rows, *others])
    remove_temporaries(out)
    remove_parts(out)


def manifest_state(out: Path) -> tuple[int, int] | None:
    """Returns a value that changes when the manifest is written again, or None if there is no manifest."""
    try:
        there = (out / MANIFEST).stat()
    except FileNotFoundError:
        return None
    return there.st_ino, there.st_mtime_ns


def remove_parts(out: Path) -> None:
    """Removes the folder of the lock and the parts. The caller must hold the lock."""
    shutil.rmtree(out / PARTS, ignore_errors=True)


def faults(out: Path, rows: list[Row]) -> list[str]:
    """Returns a message for each difference between a file and its rows. Another process may remove it meanwhile."""
    head, *wanted = rows
    path = out / head["file"]
    if not path.is_file():
        return [f"{path}: is not there"]
    try:
        return _differences(path, wanted)
    except CheckpointError as error:
        return [str(error)]
    except FileNotFoundError:
        return [f"{path}: is not there"]


def _differences(path: Path, wanted: list[Row]) -> list[str]:
    there = read_header(path)
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


def digest_in_file(path: Path, tensor: Tensor) -> str:
    return digest_of_file(path, tensor.offset, tensor.size)
