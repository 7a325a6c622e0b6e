# SPDX-License-Identifier: MIT
"""Files of safetensors, read and written a tensor at a time, and how a file comes to be there whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from .._arrays import Array
from ._need import CheckpointError, need

INDEX = "model.safetensors.index.json"
_BITS = dict.fromkeys(("F64", "I64", "U64", "C64"), 64)
_BITS |= dict.fromkeys(("F32", "I32", "U32"), 32)
_BITS |= dict.fromkeys(("F16", "BF16", "I16", "U16"), 16)
_BITS |= dict.fromkeys(("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "U8", "I8", "BOOL"), 8)
_BITS |= {"F6_E2M3": 6, "F6_E3M2": 6, "F4": 4}
_NUMBERS = {"F32": "float32", "F16": "float16"}


@dataclass(frozen=True)
class Tensor:
    """Where a tensor lies in a file, from its first byte on."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int


def bits_of(dtype: str) -> int:
    return _BITS[dtype]


def bytes_of(dtype: str, shape: tuple[int, ...]) -> int:
    return _BITS[dtype] * prod(shape) // 8


def read_header(path: Path) -> dict[str, Tensor]:
    """The tensors of a file. The safetensors library judges it first: lengths, gaps, overlaps, a file that is cut."""
    safetensors = need("safetensors")
    try:
        with safetensors.safe_open(path, framework="np"):
            pass
        with open(path, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(size))
    except (OSError, ValueError, safetensors.SafetensorError) as error:
        raise CheckpointError(f"{path}: {error}") from error
    tensors = {}
    for name, row in header.items():
        if name == "__metadata__":
            continue
        if row["dtype"] not in _BITS:
            raise CheckpointError(f"{path}: {name} is of {row['dtype']}, which pto.quantize does not know")
        begin, end = row["data_offsets"]
        tensors[name] = Tensor(name, row["dtype"], tuple(row["shape"]), 8 + size + begin, end - begin)
    return tensors


def read_metadata(path: Path) -> dict[str, str]:
    with need("safetensors").safe_open(path, framework="np") as file:
        return dict(file.metadata() or {})


def read_bytes(path: Path, tensor: Tensor) -> Array:
    """A tensor's bytes, which nobody else has."""
    data = np.fromfile(path, np.uint8, tensor.size, offset=tensor.offset)
    if data.size != tensor.size:
        raise CheckpointError(f"{path}: {tensor.name} ends early, after {data.size} of {tensor.size} bytes")
    return data


def read_numbers(path: Path, tensor: Tensor) -> Array:
    """A tensor of f32, f16 or bf16."""
    return as_numbers(read_bytes(path, tensor), tensor)


def as_numbers(data: Array, tensor: Tensor) -> Array:
    dtype = need("ml_dtypes").bfloat16 if tensor.dtype == "BF16" else _NUMBERS[tensor.dtype]
    return data.view(np.dtype(dtype)).reshape(tensor.shape)


def checkpoint_files(source: Path) -> list[Path]:
    """The files of a checkpoint, in order: those of the index, or one file."""
    if source.is_file():
        return [source]
    index = source / INDEX
    if not index.is_file():
        files = sorted(source.glob("*.safetensors"))
        if len(files) != 1:
            raise CheckpointError(f"{source}: no {INDEX}, and {len(files)} files of safetensors instead of one")
        return files
    try:
        names = sorted(set(json.loads(index.read_bytes())["weight_map"].values()))
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise CheckpointError(f"{index}: not an index of safetensors: {error!r}") from error
    for name in names:
        if not isinstance(name, str) or Path(name).name != name:
            raise CheckpointError(f"{index}: {name!r} is no file of this folder")
        if not (source / name).is_file():
            raise CheckpointError(f"{source / name}: it is in the index but not there")
    return [source / name for name in names]


def check_index(source: Path, headers: dict[str, dict[str, Tensor]]) -> None:
    """The index names what the files have, each tensor once."""
    index = source / INDEX
    if not index.is_file():
        return
    said = json.loads(index.read_bytes())["weight_map"]
    there = {name: file for file, tensors in headers.items() for name in tensors}
    if sum(map(len, headers.values())) != len(there):
        raise CheckpointError(f"{source}: a tensor is in two files")
    for name in sorted(said.keys() | there.keys()):
        if said.get(name) != there.get(name):
            raise CheckpointError(f"{index}: {name} is in {there.get(name)}, the index says {said.get(name)}")


def header_of(layout: list[tuple[str, str, tuple[int, ...]]], metadata: dict[str, str]) -> bytes:
    """The head of a file with these tensors, one behind the other: a multiple of 8 bytes."""
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
    """A file to write that has its name only once all of it is on the disk."""
    temporary = path.with_name(f".{path.name}.{socket.gethostname()}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
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


def sync_folder(folder: Path) -> None:
    """A new name lasts once its folder is on the disk, too. Some file systems cannot be told so."""
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
