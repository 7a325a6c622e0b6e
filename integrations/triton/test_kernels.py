# SPDX-License-Identifier: MIT
"""Kernels that run in Triton's interpreter on tensors of torch, with pto.triton: 0 results differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton", reason="Triton is not installed: pto.triton is not tested")
pytest.importorskip("torch", reason="torch is not installed: no kernels are run on its tensors")

import torch
import triton
import triton.language as tl

import pto.triton
from oracle import DTYPES, bits, every_code, nearest, sample, width, wrong

TORCH = {
    "fp64": torch.float64,
    "fp32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "fp8e4nv": torch.float8_e4m3fn,
    "fp8e5": torch.float8_e5m2,
    "fp8e4b8": torch.float8_e4m3fnuz,
    "fp8e5b16": torch.float8_e5m2fnuz,
}
SIGNED = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


@pytest.fixture(autouse=True)
def _exact() -> Any:
    with pto.triton.exact():
        yield


def to_torch(x: Any, name: str) -> Any:
    return torch.from_numpy(np.ascontiguousarray(x).view(SIGNED[x.itemsize]).copy()).view(TORCH[name])


def to_numpy(t: Any, name: str) -> Any:
    size = t.element_size()
    return t.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[size]).numpy().view(DTYPES[name])


@triton.jit
def cast_kernel(X, Y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n)
    tl.store(Y + at, x.to(Y.dtype.element_ty), mask=at < n)


@pytest.mark.parametrize("target", TORCH)
@pytest.mark.parametrize("source", TORCH)
def test_casts(source: str, target: str) -> None:
    x = every_code(source) if width(source) <= 16 else sample(source, 1 << 20)
    x = x[: len(x) - 3]  # a last block that is masked
    y = torch.zeros(len(x), dtype=TORCH[target])
    cast_kernel[(triton.cdiv(len(x), 1 << 16),)](to_torch(x, source), y, len(x), BLOCK=1 << 16)
    want = x if source == target else nearest(x, target)
    assert np.count_nonzero(wrong(to_numpy(y, target), want)) == 0


@triton.jit
def round_trip_kernel(A, B, C):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    b = tl.load(A + at).to(tl.float16, bitcast=True)
    tl.store(B + at, b)
    tl.store(C + at, b.to(tl.float8e5).to(tl.float16))


def test_the_kernel_of_issue_8322() -> None:
    codes = torch.arange(1 << 16, dtype=torch.int32).to(torch.int16)
    b, c = torch.empty(1 << 16, dtype=torch.float16), torch.empty(1 << 16, dtype=torch.float16)
    round_trip_kernel[(256,)](codes, b, c)
    x = every_code("fp16")
    assert np.array_equal(bits(b.numpy()), bits(x))
    assert np.count_nonzero(wrong(c.numpy(), nearest(x, "fp8e5").astype(np.float16))) == 0


@triton.jit
def quantize_kernel(X, Y, S, COLS: tl.constexpr, LIMIT: tl.constexpr):
    row = tl.program_id(0)
    at = row * COLS + tl.arange(0, COLS)
    x = tl.load(X + at).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(x), axis=0), 1e-12) / LIMIT
    tl.store(S + row, scale)
    tl.store(Y + at, tl.clamp(x / scale, -LIMIT, LIMIT).to(Y.dtype.element_ty))


@pytest.mark.parametrize("source", ["fp32", "bf16", "fp16"])
@pytest.mark.parametrize(("target", "limit"), [("fp8e4nv", 448.0), ("fp8e5", 57344.0), ("fp8e4b8", 240.0)])
def test_quantization(source: str, target: str, limit: float) -> None:
    x = nearest(np.random.default_rng(1).standard_normal((64, 1024)) * np.logspace(-3, 3, 64)[:, None], source)
    y, scales = torch.empty(x.shape, dtype=TORCH[target]), torch.empty(64, dtype=torch.float32)
    quantize_kernel[(64,)](to_torch(x, source), y, scales, COLS=1024, LIMIT=limit)
    wide = x.astype(np.float32)
    want = np.maximum(np.abs(wide).max(axis=1), np.float32(1e-12)) / np.float32(limit)
    assert np.array_equal(scales.numpy(), want)
    assert np.count_nonzero(wrong(to_numpy(y, target), nearest(wide / want[:, None], target))) == 0


@triton.jit
def softmax_kernel(X, Y, COLS: tl.constexpr):
    at = tl.program_id(0) * COLS + tl.arange(0, COLS)
    x = tl.load(X + at).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(Y + at, (e / tl.sum(e, axis=0)).to(tl.bfloat16))


def test_softmax() -> None:
    x = nearest(np.random.default_rng(2).standard_normal((64, 256)) * 4, "bf16")
    y = torch.empty(x.shape, dtype=torch.bfloat16)
    softmax_kernel[(64,)](to_torch(x, "bf16"), y, COLS=256)
    wide = x.astype(np.float32)
    e = np.exp(wide - wide.max(axis=1, keepdims=True))
    sums = np.array([[np.sum(row)] for row in e])  # NumPy's order of additions depends on the shape
    assert np.count_nonzero(wrong(to_numpy(y, "bf16"), nearest(e / sums, "bf16"))) == 0


@triton.jit
def relu_kernel(X, LOW, Y, M, n, BLOCK: tl.constexpr, PROPAGATE: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(X + at, mask=at < n)
    low = tl.load(LOW + at, mask=at < n)
    tl.store(Y + at, tl.where(x > low, tl.maximum(x, low, propagate_nan=PROPAGATE), low), mask=at < n)
    tl.store(M + at, ((x < low) | (x != x)).to(tl.bfloat16), mask=at < n)


@pytest.mark.parametrize("propagate", [tl.PropagateNan.NONE, tl.PropagateNan.ALL])
@pytest.mark.parametrize("name", ["bf16", "fp16", "fp8e4nv", "fp8e5"])
def test_comparisons_in_kernels(name: str, propagate: Any) -> None:
    x = every_code(name)
    low = np.random.default_rng(3).permutation(x)
    y, mask = torch.empty(len(x), dtype=TORCH[name]), torch.empty(len(x), dtype=torch.bfloat16)
    blocks = triton.cdiv(len(x), 1 << 14)
    relu_kernel[(blocks,)](to_torch(x, name), to_torch(low, name), y, mask, len(x), BLOCK=1 << 14, PROPAGATE=propagate)
    a, b = x.astype(np.float64), low.astype(np.float64)
    assert np.count_nonzero(wrong(to_numpy(y, name), np.where(a > b, x, low))) == 0
    assert np.array_equal(mask.float().numpy(), ((a < b) | np.isnan(a)).astype(np.float32))


@triton.jit
def dot_kernel(A, B, C):
    i, j = tl.arange(0, 32)[:, None], tl.arange(0, 32)[None, :]
    a, b = tl.load(A + i * 32 + j), tl.load(B + i * 32 + j)
    tl.store(C + i * 32 + j, tl.dot(a, b))


@pytest.mark.parametrize("name", ["fp8e4nv", "fp8e5"])
def test_dot_of_fp8(name: str) -> None:
    rng = np.random.default_rng(4)
    a, b = (nearest(rng.integers(-3, 4, (32, 32)) * 2.0 ** rng.integers(-6, 3, (32, 32)), name) for _ in range(2))
    a[0, 0] = np.nan
    c = torch.empty((32, 32), dtype=torch.float32)
    dot_kernel[(1,)](to_torch(a, name), to_torch(b, name), c)
    want = a.astype(np.float32) @ b.astype(np.float32)  # every product and sum is exact
    assert np.array_equal(c.numpy(), want, equal_nan=True)
    assert np.isnan(want[0]).all()


@triton.jit
def fill_kernel(Y):
    tl.store(Y + tl.arange(0, 128), tl.full((128,), 1.1, Y.dtype.element_ty))


@pytest.mark.parametrize("name", ["bf16", "fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16"])
def test_constants_in_kernels(name: str) -> None:
    y = torch.zeros(128, dtype=TORCH[name])
    fill_kernel[(1,)](y)
    assert np.array_equal(y.float().numpy(), nearest(np.full(128, 1.1, np.float32), name).astype(np.float32))


def test_the_interpreter_alone_differs() -> None:
    pto.triton.uninstall()
    x = every_code("fp16")
    y = torch.empty(len(x), dtype=torch.float8_e5m2)
    cast_kernel[(1,)](to_torch(x, "fp16"), y, len(x), BLOCK=1 << 16)
    assert np.count_nonzero(wrong(to_numpy(y, "fp8e5"), nearest(x, "fp8e5"))) > 5000
