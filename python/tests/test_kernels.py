# SPDX-License-Identifier: MIT
"""Whole PTX kernels of nvcc, clang and Triton, compared with what an NVIDIA GPU computed."""

from __future__ import annotations

import hashlib
import importlib.util
import pathlib
import types

import numpy as np
import pytest

import pto

ROOT = pathlib.Path(__file__).parents[2]
KERNELS = ROOT / "test" / "data" / "kernels"
RECORD = ROOT / "test" / "data" / "kernels-sm_90.txt"
TOOL = ROOT / "tools" / "ptx_kernels.py"

if not RECORD.exists() or not TOOL.exists():
    pytest.skip("these sources are without the data of the tests", allow_module_level=True)

# They need `ex2.approx` or `copysign`, which are not supported yet.
REFUSED = {"k06_expthr", "k13_mxdeq_e4m3", "k15_nan_to_num", "softmax"}


def load_tool() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("ptx_kernels", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


tool = load_tool()


def recorded() -> dict[tuple[str, str, int], str]:
    """Returns the SHA-256 of each array of the record, by file, kernel and parameter."""
    lines = [line.split() for line in RECORD.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return {(file, kernel, int(number)): digest for file, kernel, number, digest, *_ in lines}


def text_of(file: str, kernel: str) -> str:
    """Returns the file with this kernel alone, because another one may have instructions that are refused."""
    head, *entries = (KERNELS / file).read_text(encoding="utf-8").split(".visible .entry ")
    return head + "".join(".visible .entry " + entry for entry in entries if entry.startswith(kernel + "("))


def launched(file: str, kernel: str, parameters: str, per_thread: int) -> list[np.ndarray]:
    values = [value for _, value in tool.arguments(parameters)]
    grid = 8 if kernel == "softmax" else -(-tool.N // (tool.BLOCK * per_thread))
    pto.Module(text_of(file, kernel))[kernel](grid, tool.BLOCK, *values)
    return values


@pytest.mark.parametrize(("file", "kernel", "parameters", "per_thread"), tool.KERNELS)
def test_as_on_a_gpu(file: str, kernel: str, parameters: str, per_thread: int) -> None:
    if kernel in REFUSED:
        with pytest.raises(ValueError, match="unknown instruction"):
            pto.Module(text_of(file, kernel))
        return
    record = recorded()
    values = launched(file, kernel, parameters, per_thread)
    digests = {
        number: hashlib.sha256(value.tobytes()).hexdigest()
        for number, value in enumerate(values)
        if (file, kernel, number) in record
    }
    assert digests
    for number, digest in digests.items():
        assert digest == record[file, kernel, number]


def test_arguments() -> None:
    module = pto.Module(text_of("nvcc135_sm_90a.ptx", "k02_leaky"))
    kernel = module["k02_leaky"]
    x = np.array([-2, 3], np.float32)
    y = np.zeros(2, np.float32)
    assert [p.written for p in kernel.parameters] == [False, True, False, False]
    kernel(1, 32, x, y, 2, 0.5)
    assert y.tolist() == [-1, 3]
    kernel((1, 1), (32, 1, 1), x[::-1], y, np.int32(2), np.float32(0.25))  # an input may be copied
    assert y.tolist() == [3, -0.5]
    kernel(1, 32, x, y)  # n is 0
    assert y.tolist() == [3, -0.5]
    with pytest.raises(ValueError, match=r"line \d+.*thread 1 of block 0 writes 4 bytes at k02_leaky_param_1 \+ 4"):
        kernel(1, 32, x, y[:1], 2, 0.5)
    with pytest.raises(ValueError, match="not contiguous"):
        kernel(1, 32, x, np.zeros(4, np.float32)[::2], 2, 0.5)
    with pytest.raises(TypeError, match="4 parameters"):
        kernel(1, 32, x, y, 2, 0.5, 1)
    with pytest.raises(TypeError, match="k02_leaky_param_2"):
        kernel(1, 32, x, y, 2.5, 0.5)
    with pytest.raises(ValueError, match="grid: expected 1 to 3 numbers"):
        kernel((), 32, x, y)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        kernel(1, 32, x, y, 2, 0.5)


def test_module() -> None:
    module = pto.Module((KERNELS / "clang19_sm_90.ptx").read_text(encoding="utf-8"))
    assert list(module)[:2] == ["relu", "leaky"]
    assert "relu" in repr(module)
    assert "relu_param_0" in repr(module["relu"])
    assert module["relu"].block is None
    assert pto.Module(text_of("triton/relu_90.ptx", "relu"))["relu"].block == (128, 1, 1)
    with pytest.raises(KeyError):
        module["nothing"]
    with pytest.raises(ValueError, match=r'line 1, column 1: "foo"'):
        pto.Module("foo")


def test_threads() -> None:
    threads = pto.num_threads()
    x = np.random.default_rng(1).standard_normal(100_000).astype(np.float32)
    y = np.zeros_like(x)
    try:
        pto.set_num_threads(3)
        pto.Module(text_of("clang19_sm_90.ptx", "relu"))["relu"](1000, 128, x, y, x.size)
    finally:
        pto.set_num_threads(threads)
    np.testing.assert_array_equal(y, np.maximum(x, 0))
