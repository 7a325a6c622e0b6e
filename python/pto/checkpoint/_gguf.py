# SPDX-License-Identifier: MIT
"""Reads and writes the headers of GGUF files by the package ``gguf``, and converts their quantized tensors."""

from __future__ import annotations

import contextlib
import functools
import logging
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from .._arrays import Array
from .._block import block_pack, block_unpack, dequantize, quantize
from ._need import CheckpointError, need

SUFFIX = ".gguf"
_AT_ONCE = 1 << 20  # elements that are converted at a time
_PLAIN = {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8"}  # types with the same name in safetensors
_SPLIT = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf")


@dataclass(frozen=True)
class Quant:
    """A quantized type of GGUF: its rule, the layout of its units, and the elements and bytes of a unit."""

    rule: str
    layout: str
    elements: int
    bytes: int


QUANTS = {"MXFP4": Quant("mx.gguf", "gguf_mxfp4", 32, 17), "NVFP4": Quant("nv.gguf", "gguf_nvfp4", 64, 36)}

# The linear layers of llama.cpp's models: the last word of the name before ".weight".
_LINEAR = re.compile(
    r"(?:.*\.)?(?:blk|layers)\.\d+\."
    r"(?:(?:cross_)?attn_(?:q|k|v|qkv|output|out|gate|q_a|q_b|kv_a_mqa|kv_b|k_b|v_b)"
    r"|ffn_(?:up|gate|down|gate_up)(?:_exps|_shexp)?|ssm_(?:in|out))\.weight"
)


def is_gguf(path: Path) -> bool:
    return path.suffix == SUFFIX


def is_linear(name: str) -> bool:
    """Returns whether llama.cpp has a linear layer of this name."""
    return _LINEAR.fullmatch(name) is not None


def files_of(source: Path) -> list[Path]:
    """Returns all files of a model, of which ``source`` may be one of several splits."""
    match = _SPLIT.fullmatch(source.name)
    if match is None:
        return [source]
    stem, _, count = match.groups()
    files = [source.with_name(f"{stem}-{i:05}-of-{count}{SUFFIX}") for i in range(1, int(count) + 1)]
    for path in files:
        if not path.is_file():
            raise CheckpointError(f"{path}: is not there, and {source.name} is one of {int(count)} splits")
    return files


# ---- headers ----


@dataclass(frozen=True)
class Info:
    """A tensor of a file: its type, its shape with the rows first, and where its bytes are."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int


def read_infos(path: Path) -> tuple[dict[str, Info], int]:
    """Returns the tensors of a file, and the offset of the first byte after the header."""
    status = path.stat()
    return _read_infos(path, status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _read_infos(path: Path, size: int, _mtime: int) -> tuple[dict[str, Info], int]:
    reader = _reader(path)
    if reader.byte_order != "I":
        raise CheckpointError(f"{path}: a GGUF file in the other byte order")
    infos = {}
    for tensor in reader.tensors:
        name, dtype = str(tensor.name), tensor.tensor_type.name
        info = Info(dtype, tuple(int(n) for n in reversed(tensor.shape)), int(tensor.data_offset), int(tensor.n_bytes))
        if info.offset + info.size > size:
            raise CheckpointError(f"{path}: {name} ends after the file")
        if dtype in _PLAIN or dtype in QUANTS:
            infos[name] = info
        else:
            raise CheckpointError(
                f"{path}: {name} has the type {dtype}; known are {', '.join([*QUANTS, *sorted(_PLAIN)])}"
            )
    return infos, int(reader.data_offset)


def _reader(path: Path) -> Any:
    gguf = need("gguf")
    try:
        return gguf.GGUFReader(path)
    except (OSError, ValueError, IndexError, KeyError, OverflowError) as error:
        raise CheckpointError(f"{path}: not a GGUF file that the package gguf reads: {error}") from error


def head_of(layout: list[tuple[str, str, tuple[int, ...], int]], source: Path, model: str) -> tuple[bytes, list[int]]:
    """Returns the header of a file with tensors of these names, types, shapes and sizes, and their offsets.

    The metadata are those of ``source`` if that is a GGUF file. Otherwise they are only the name ``model`` of the
    architecture.
    """
    gguf = need("gguf")
    reader = _reader(source) if is_gguf(source) else None
    fields = reader.fields if reader is not None else {}
    arch = fields["general.architecture"].contents() if "general.architecture" in fields else model
    with tempfile.TemporaryDirectory() as folder, _quiet():
        path = Path(folder) / "head.gguf"
        writer = gguf.GGUFWriter(path, arch)
        for name, field in fields.items():
            if name.startswith("GGUF.") or name in ("general.architecture", "general.alignment"):
                continue
            kind = field.types[0]
            writer.add_key_value(name, field.contents(), kind, field.types[-1] if len(field.types) > 1 else None)
        for name, dtype, shape, size in layout:
            writer.add_tensor_info(name, shape, None, size, gguf.GGMLQuantizationType[dtype])
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        head = path.read_bytes()
    align = gguf.GGUF_DEFAULT_ALIGNMENT
    head += b"\0" * (-len(head) % align)
    offsets, at = [], len(head)
    for _, _, _, size in layout:
        offsets.append(at)
        at += size + -size % align
    return head, [*offsets, at]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Turns off the messages of the package gguf below errors."""
    logger = logging.getLogger("gguf.gguf_writer")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


# ---- data ----


def _rows_at_once(cols: int) -> int:
    return max(1, _AT_ONCE // max(cols, 1))


def encoded(x: Array, rule: str, block: tuple[int, int], layout: str) -> Iterator[Array]:
    """Yields the bytes of a tensor in units of codes and scales, some rows at a time."""
    matrix = x.reshape(-1, x.shape[-1])
    step = _rows_at_once(matrix.shape[1])
    for row in range(0, matrix.shape[0], step):
        q = quantize(matrix[row : row + step], "e2m1", rule, block=block, two_level=False)
        yield block_pack(q.codes, q.scales, layout)


def decoded(data: Array, dtype: str, shape: tuple[int, ...], to: str) -> Iterator[Array]:
    """Yields the values of a quantized tensor, some rows at a time."""
    quant, cols = QUANTS[dtype], shape[-1]
    rows, step = prod(shape[:-1]), _rows_at_once(cols)
    row_bytes = cols // quant.elements * quant.bytes
    for row in range(0, rows, step):
        count = min(step, rows - row)
        part = data[row * row_bytes : (row + count) * row_bytes]
        codes, scales = block_unpack(part, quant.layout, count, cols)
        yield dequantize(codes, scales, "e2m1", quant.rule, two_level=False, to=to)
