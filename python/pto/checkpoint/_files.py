# SPDX-License-Identifier: MIT
"""Reads and writes safetensors files one tensor at a time. A file gets its name after it is completely written."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from .._arrays import Array
from ._gguf import QUANTS, files_of, is_gguf, read_infos
from ._need import CheckpointError, need

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

INDEX = "model.safetensors.index.json"
_BITS = dict.fromkeys(("F64", "I64", "U64", "C64"), 64)
_BITS |= dict.fromkeys(("F32", "I32", "U32"), 32)
_BITS |= dict.fromkeys(("F16", "BF16", "I16", "U16"), 16)
_BITS |= dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "U8", "I8", "BOOL"), 8)
_BITS |= {"F6_E2M3": 6, "F6_E3M2": 6, "F4": 4}
_NUMBERS = {"F64": "float64", "F32": "float32", "F16": "float16", "C64": "complex64"}
_ML_DTYPES = {"BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E8M0": "float8_e8m0fnu"}
_ML_DTYPES |= {"F8_E4M3FNUZ": "float8_e4m3fnuz", "F8_E5M2FNUZ": "float8_e5m2fnuz"}
_TEMPORARY = ".tmp"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of a file. ``offset`` counts from the first byte of the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int


def is_dtype(dtype: object) -> bool:
    return isinstance(dtype, str) and (dtype in _BITS or dtype in QUANTS)


def is_wide(dtype: str) -> bool:
    """Returns whether weights of this type can be quantized, and dequantized to it."""
    return dtype in ("F32", "F16", "BF16")


def bits_of(dtype: str) -> int:
    return _BITS[dtype]


def bytes_of(dtype: str, shape: tuple[int, ...]) -> int:
    if dtype in QUANTS:
        return prod(shape) // QUANTS[dtype].elements * QUANTS[dtype].bytes
    return _BITS[dtype] * prod(shape) // 8


def parse_json(data: bytes | str, what: object) -> Any:
    """Returns the value of a JSON text. ``what`` names the text in the error."""
    try:
        return json.loads(data)
    except RecursionError:
        raise CheckpointError(f"{what}: not valid JSON: it is nested too deeply") from None
    except ValueError as error:
        raise CheckpointError(f"{what}: not valid JSON: {error}") from error


def read_object(path: Path) -> dict[str, Any]:
    """Returns the JSON object in a file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from error
    value = parse_json(data, path)
    if not isinstance(value, dict):
        raise CheckpointError(f"{path}: not a JSON object")
    return value


def read_header(path: Path) -> dict[str, Tensor]:
    """Returns a file's tensors by name. The library of the format first checks lengths and truncation."""
    if is_gguf(path):
        infos = read_infos(path)[0].items()
        return {name: Tensor(name, info.dtype, info.shape, info.offset, info.size) for name, info in infos}
    return _read_header(path)[0]


def read_metadata(path: Path) -> dict[str, str]:
    """Returns the metadata of a file of safetensors."""
    return _read_header(path)[1]


def read_head(path: Path) -> bytes:
    """Returns the bytes of a file before the data of its tensors."""
    with open(path, "rb") as file:
        if is_gguf(path):
            return file.read(read_infos(path)[1])
        head = file.read(8)
        return head + file.read(int.from_bytes(head, "little"))


def _read_header(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    safetensors = need("safetensors")
    try:
        with safetensors.safe_open(path, framework="np"):
            pass
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            rows = json.loads(file.read(size), object_hook=_compact)
    except RecursionError:
        raise CheckpointError(f"{path}: the header is nested too deeply") from None
    except (OSError, ValueError, safetensors.SafetensorError) as error:
        raise CheckpointError(f"{path}: {error}") from error
    metadata = rows.pop("__metadata__", None)
    tensors = {}
    while rows:
        name, (dtype, shape, begin, end) = rows.popitem()
        if dtype not in _BITS:
            raise CheckpointError(f"{path}: {name} has the type {dtype}, which libpto does not know")
        tensors[name] = Tensor(name, dtype, shape, 8 + size + begin, end - begin)
    return dict(sorted(tensors.items(), key=lambda item: (item[1].offset, item[0]))), metadata or {}


_INTERNED = {dtype: dtype for dtype in _BITS}


def _compact(row: dict[str, Any]) -> Any:
    """Returns a tensor's entry in a header as a short tuple. Large headers take a quarter of the memory this way."""
    if row.keys() == {"dtype", "shape", "data_offsets"} and isinstance(row["shape"], list):
        return _INTERNED.get(row["dtype"], row["dtype"]), tuple(row["shape"]), *row["data_offsets"]
    return row


def read_bytes(path: Path, tensor: Tensor) -> Array:
    """Returns the bytes of a tensor as a new array."""
    data = np.fromfile(path, np.uint8, tensor.size, offset=tensor.offset)
    if data.size != tensor.size:
        raise CheckpointError(f"{path}: {tensor.name} ends early, after {data.size} of {tensor.size} bytes")
    return data


def read_numbers(path: Path, tensor: Tensor) -> Array:
    """Returns the values of a tensor of f64, f32, f16, bf16 or another type that NumPy or ml_dtypes has."""
    return as_numbers(read_bytes(path, tensor), tensor)


def has_nonfinite(dtype: str) -> bool:
    """Returns whether a type has NaN or infinities."""
    return dtype in _NUMBERS or dtype in _ML_DTYPES


def as_numbers(data: Array, tensor: Tensor) -> Array:
    name = _ML_DTYPES.get(tensor.dtype)
    dtype = getattr(need("ml_dtypes"), name) if name else _NUMBERS[tensor.dtype]
    return data.view(np.dtype(dtype)).reshape(tensor.shape)


def checkpoint_files(source: Path) -> list[Path]:
    """Returns the sorted files of a checkpoint: those in the index, the only file, or all splits of a GGUF file."""
    if source.is_file():
        return files_of(source) if is_gguf(source) else [source]
    if not (source / INDEX).is_file():
        files = sorted(source.glob("*.safetensors"))
        if len(files) != 1:
            raise CheckpointError(f"{source}: no {INDEX}, and {len(files)} files of safetensors instead of one")
        return files
    names = sorted(set(read_index(source).values()))
    for name in names:
        if not (source / name).is_file():
            raise CheckpointError(f"{source / name}: it is in the index but not there")
    return [source / name for name in names]


def read_index(folder: Path) -> dict[str, str]:
    """Returns the index of a folder as a dict from tensor names to file names."""
    path = folder / INDEX
    weight_map = read_object(path).get("weight_map")
    if not isinstance(weight_map, dict) or not weight_map:
        raise CheckpointError(f"{path}: not an index of safetensors: it needs a weight_map of tensors and files")
    for name in weight_map.values():
        if not is_file_name(name):
            raise CheckpointError(f"{path}: {name!r} is no file of this folder")
    return weight_map


def is_file_name(name: object) -> bool:
    """Returns whether this is the name of a file directly inside a folder."""
    return isinstance(name, str) and name not in ("", ".", "..") and Path(name).name == name and "\0" not in name


def read_all_headers(source: Path) -> dict[Path, dict[str, Tensor]]:
    """Returns the tensors of each file of a checkpoint. Raises CheckpointError unless the index fits them."""
    headers = {path: read_header(path) for path in checkpoint_files(source)}
    if source.is_dir():
        check_index(source, {path.name: header for path, header in headers.items()})
    return headers


def check_index(source: Path, headers: dict[str, dict[str, Tensor]]) -> None:
    """Raises CheckpointError unless the index lists exactly the tensors of the files, each in one file."""
    if not (source / INDEX).is_file():
        return
    listed = read_index(source)
    present: dict[str, str] = {}
    for file, tensors in headers.items():
        for name in tensors:
            first = present.setdefault(name, file)
            if first != file:
                raise CheckpointError(f"{source}: a tensor is in two files: {name} in {first} and {file}")
    for name in sorted(listed.keys() | present.keys()):
        if listed.get(name) != present.get(name):
            found = f"is in {present[name]}" if name in present else "is in none of the files"
            told = f"the index says {listed[name]}" if name in listed else "the index does not list it"
            raise CheckpointError(f"{source / INDEX}: {name} {found}, {told}")


def header_of(layout: list[tuple[str, str, tuple[int, ...]]], metadata: dict[str, str]) -> bytes:
    """Returns the header of a file with these tensors, in this order. Its length is a multiple of 8 bytes."""
    rows: dict[str, Any] = {"__metadata__": metadata} if metadata else {}
    begin = 0
    for name, dtype, shape in layout:
        end = begin + bytes_of(dtype, shape)
        rows[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
        begin = end
    text = json.dumps(rows, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Opens a temporary file for writing, and renames it to ``path`` after all of it is on the disk.

    It is locked while it is written, so ``remove_temporaries`` can distinguish it from files of killed processes.
    """
    file, temporary = _temporary(path)
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(temporary, path)
    except OSError as error:
        raise CheckpointError(f"{path}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    sync_folder(path.parent)


def _temporary(path: Path) -> tuple[IO[bytes], Path]:
    """Opens and locks a new temporary file in the folder of ``path``. Returns the file and its path."""
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}{_TEMPORARY}")
        try:
            file = open(temporary, "wb")  # noqa: SIM115, the caller closes it
        except OSError as error:
            raise CheckpointError(f"{path}: {error.strerror or error}") from error
        lock(file, wait=True)
        if temporary.exists():  # false if another process removed the file before it was locked
            return file, temporary
        file.close()


def lock(file: IO[bytes], *, wait: bool) -> bool:
    """Locks an open file for this process. Returns False if another process holds it or locks are not supported."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def remove_temporaries(folder: Path) -> None:
    """Removes incomplete files of processes that were killed. Files of running processes are locked and stay."""
    for path in folder.glob(f".*{_TEMPORARY}"):
        with contextlib.suppress(OSError), open(path, "r+b") as file:
            if lock(file, wait=False):
                path.unlink()


def sync_folder(folder: Path) -> None:
    """Makes a new name in a folder durable. Some file systems do not support this; the error is ignored."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_text(path: Path, text: str) -> None:
    with whole(path) as file:
        file.write(text.encode())


def write_json(path: Path, value: Any) -> None:
    write_text(path, json.dumps(value, indent=2) + "\n")
