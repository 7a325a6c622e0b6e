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

# Kernels with `ex2.approx` or `div.full`. PTX gives only error bounds for these instructions, so a GPU's results may
# differ from those of libpto, which are correctly rounded.
APPROXIMATE = {"k06_expthr", "k13_mxdeq_e4m3", "softmax"}
BOUND = 2.0**-20


def load_tool() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("ptx_kernels", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


tool = load_tool()


def recorded() -> dict[tuple[str, str, int], list[str]]:
    """Returns for each (file, kernel, parameter) the SHA-256 of the array and the first bytes of both its halves."""
    lines = [line.split() for line in RECORD.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return {(file, kernel, int(number)): rest for file, kernel, number, *rest in lines}


def check_close(array: np.ndarray, halves: list[str]) -> None:
    """Compares the first floats of both halves of an array with the record."""
    data = array.tobytes()
    for half, text in zip((data, data[len(data) // 2 :]), halves, strict=True):
        want = np.frombuffer(bytes.fromhex(text), np.float32)
        got = np.frombuffer(half[: want.nbytes], np.float32)
        np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
        np.testing.assert_allclose(got, want, rtol=BOUND, atol=0)


def text_of(file: str, kernel: str) -> str:
    """Returns the text of a file without its other kernels, which may have instructions that libpto refuses."""
    head, *entries = (KERNELS / file).read_text(encoding="utf-8").split(".visible .entry ")
    return head + "".join(".visible .entry " + entry for entry in entries if entry.startswith(kernel + "("))


def launched(file: str, kernel: str, parameters: str, per_thread: int) -> list[np.ndarray]:
    values = [value for _, value in tool.arguments(parameters)]
    grid = 8 if kernel == "softmax" else -(-tool.N // (tool.BLOCK * per_thread))
    text = (KERNELS / file).read_text(encoding="utf-8")
    pto.Module(text)[kernel](grid, tool.BLOCK, *values, shared_bytes=1024)
    return values


@pytest.mark.parametrize(("file", "kernel", "parameters", "per_thread"), tool.KERNELS)
def test_as_on_a_gpu(file: str, kernel: str, parameters: str, per_thread: int) -> None:
    values = launched(file, kernel, parameters, per_thread)
    record = recorded()
    found = {number: record[key] for number in range(len(values)) if (key := (file, kernel, number)) in record}
    assert found
    for number, (digest, *halves) in found.items():
        if kernel in APPROXIMATE:
            check_close(values[number], halves)
        else:
            assert hashlib.sha256(values[number].tobytes()).hexdigest() == digest


@pytest.mark.parametrize("file", ["nvcc135_sm_100a.ptx", "triton/dropout_100.ptx"])
def test_other_targets(file: str) -> None:
    """The file of nvcc must compute the same as the file for sm_90: there is no record of a GPU of its target.

    The kernel in the file of Triton is only parsed here; test_dropout runs it.
    """
    module = pto.Module((KERNELS / file).read_text(encoding="utf-8"))
    for name, kernel in module.items():
        if name not in tool.CUDA:
            continue
        results = [[value for _, value in tool.arguments(tool.CUDA[name])] for _ in range(2)]
        kernel(-(-tool.N // tool.BLOCK), tool.BLOCK, *results[0])
        other = pto.Module((KERNELS / "nvcc135_sm_90a.ptx").read_text(encoding="utf-8"))[name]
        other(-(-tool.N // tool.BLOCK), tool.BLOCK, *results[1])
        for a, b in zip(*results, strict=True):
            assert a.tobytes() == b.tobytes(), name


def test_dropout() -> None:
    """A dropout kernel of Triton with p = 0.5: about half of the elements are doubled, the others are 0."""
    kernel = pto.Module((KERNELS / "triton" / "dropout_100.ptx").read_text(encoding="utf-8"))["dropout"]
    x, y = np.ones(100_000, np.float32), np.full(100_000, 7, np.float32)
    kernel(-(-x.size // 512), 128, x, y, x.size, 0.5, 1234)
    assert set(np.unique(y).tolist()) == {0.0, 2.0}
    assert abs(y.mean() - 1) < 0.02


def test_arguments() -> None:
    module = pto.Module(text_of("nvcc135_sm_90a.ptx", "k02_leaky"))
    kernel = module["k02_leaky"]
    x = np.array([-2, 3], np.float32)
    y = np.zeros(2, np.float32)
    assert [p.written for p in kernel.parameters] == [False, True, False, False]
    kernel(1, 32, x, y, 2, 0.5)
    assert y.tolist() == [-1, 3]
    kernel((1, 1), (32, 1, 1), x[::-1], y, np.int32(2), np.float32(0.25))  # x is not contiguous, so it is copied
    assert y.tolist() == [3, -0.5]
    kernel(1, 32, x, y)  # n is left out, so it is 0
    assert y.tolist() == [3, -0.5]
    with pytest.raises(ValueError, match=r"line \d+.*thread 1 of block 0 writes 4 bytes at k02_leaky_param_1 \+ 4"):
        kernel(1, 32, x, y[:1], 2, 0.5)
    with pytest.raises(ValueError, match="not contiguous"):
        kernel(1, 32, x, np.zeros(4, np.float32)[::2], 2, 0.5)
    with pytest.raises(TypeError, match="4 parameters"):
        kernel(1, 32, x, y, 2, 0.5, 1)
    with pytest.raises(TypeError, match="k02_leaky_param_2"):
        kernel(1, 32, x, y, 2.5, 0.5)
    with pytest.raises(ValueError, match="shared_bytes"):  # not the error of an earlier launch
        kernel(1, 32, x, y, 2, 0.5, shared_bytes=1 << 21)
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


def test_unsupported() -> None:
    """A kernel that is not supported is listed, and calling it raises the error that was found in its text."""
    module = pto.Module(".entry good() { ret; }\n.entry bad(.param .u64 x) {\n  call f;\n  ret;\n}")
    assert list(module) == ["good", "bad"]
    assert module["good"].problem is None
    assert module["bad"].problem == 'line 3, column 3: "call": calls are not supported'
    assert [p.name for p in module["bad"].parameters] == ["x"]
    module["good"](1, 1)
    with pytest.raises(ValueError, match='line 3, column 3: "call"'):
        module["bad"](1, 1, None)
    with pytest.raises(ValueError, match="calls are not supported"):
        pto.Module(".entry bad() { call f; ret; }")


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
