# SPDX-License-Identifier: MIT
"""GGUF files of ``python -m pto.quantize``, read by ggml and by the package gguf."""

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest

from conftest import TYPES

CODES = {"MXFP4": 39, "NVFP4": 40}  # enum ggml_type


def quantized_by_ggml(folder: Path, dtype: str, x: np.ndarray) -> np.ndarray:
    """Returns the rows of x as ggml_quantize_chunk() writes them."""
    library = ctypes.CDLL(str(folder / "libggml-base.so"))
    library.ggml_quantize_chunk.restype = ctypes.c_size_t
    elements, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[dtype]]
    out = np.zeros((x.shape[0], x.shape[1] // elements * size), np.uint8)
    done = library.ggml_quantize_chunk(
        CODES[dtype],
        x.ctypes.data_as(ctypes.c_void_p),
        out.ctypes.data_as(ctypes.c_void_p),
        ctypes.c_int64(0),
        ctypes.c_int64(x.shape[0]),
        ctypes.c_int64(x.shape[1]),
        None,
    )
    assert done == out.nbytes
    return out


@pytest.mark.parametrize("recipe", TYPES)
def test_blocks_are_those_of_ggml(
    recipe: str, folder: Path, weights: dict[str, np.ndarray], quantized: Callable[[str], Path]
) -> None:
    """The bytes of each tensor are those that ggml's own quantizer writes."""
    tensors = {tensor.name: tensor for tensor in gguf.GGUFReader(quantized(recipe)).tensors}
    assert tensors.keys() == weights.keys()
    count = 0
    for name, x in weights.items():
        if not name.startswith("blk.") or x.ndim == 1:
            assert tensors[name].tensor_type.name == "F32"
            np.testing.assert_array_equal(tensors[name].data, x)
            continue
        count += 1
        assert tensors[name].tensor_type.name == TYPES[recipe]
        np.testing.assert_array_equal(tensors[name].data, quantized_by_ggml(folder, TYPES[recipe], x))
    assert count == 14


@pytest.mark.parametrize("recipe", TYPES)
def test_ggml_reads_the_file(recipe: str, folder: Path, quantized: Callable[[str], Path], tmp_path: Path) -> None:
    """ggml's reader finds the tensors valid, and its values are those of the package gguf."""
    path = quantized(recipe)
    lines = subprocess.run(
        [folder / "read_gguf", path, tmp_path / "values"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    values = np.fromfile(tmp_path / "values", np.float32)
    tensors = gguf.GGUFReader(path).tensors
    assert len(lines) == len(tensors)
    at = 0
    for line, tensor in zip(lines, tensors, strict=True):
        name, dtype, rows, cols = line.split()
        want = gguf.quants.dequantize(tensor.data, tensor.tensor_type).reshape(int(rows), int(cols))
        assert (name, dtype) == (tensor.name, tensor.tensor_type.name.lower())
        got = values[at : at + want.size].reshape(want.shape)
        at += want.size
        np.testing.assert_array_equal(got.view(np.uint32), want.view(np.uint32))
    assert at == values.size
