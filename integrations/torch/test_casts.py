# SPDX-License-Identifier: MIT
"""Casts of ``pto.torch.exact`` against NumPy and ml_dtypes, in eager and compiled programs, in every form of call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import gpu
import oracle
import pto.torch
import samples


def result(x: Any, target: str) -> np.ndarray:
    return gpu.codes_of(x).view(oracle.DTYPES[target])


@pytest.mark.parametrize("source", samples.BITS)
def test_every_pair(source: str) -> None:
    codes = samples.codes(source)
    x = gpu.tensor(codes, source)
    for target in samples.BITS:
        if target != source:
            with pto.torch.exact():
                y = x.to(getattr(torch, target))
            right = oracle.same(result(y, target), oracle.cast(codes, source, target))
            assert right.all(), (source, target, [hex(code) for code in codes[~right][:4]])


@pytest.mark.parametrize("source", ["float32", "float64"])
def test_random_codes(source: str) -> None:
    """2^20 random codes, and as many normally distributed values."""
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 1 << samples.BITS[source], 1 << 20, f"u{samples.BITS[source] // 8}", False)
    values = (rng.standard_normal(1 << 20) * 100).astype(source).view(codes.dtype)
    for sample in (codes, values):
        for target in samples.BITS:
            if target == source:
                continue
            with pto.torch.exact():
                y = gpu.tensor(sample, source).to(getattr(torch, target))
            assert oracle.same(result(y, target), oracle.cast(sample, source, target)).all(), target


@pytest.mark.parametrize("length", [0, 1, 2, 3, 7, 31, 33, 63, 65, 1000, 32767, 32769])
def test_position_does_not_matter(length: int) -> None:
    """Each element has the same bits at every length and alignment: the ends of arrays are no exception."""
    x = gpu.tensor(samples.codes("float32")[-70000:], "float32")
    for name in samples.BITS:
        with pto.torch.exact():
            whole = x.to(getattr(torch, name))
            part = x[5 : 5 + length].to(getattr(torch, name))
        assert np.array_equal(gpu.codes_of(part), gpu.codes_of(whole)[5 : 5 + length]), name


SHAPES = {
    "scalar": lambda x: x[3],
    "empty": lambda x: x[:0].reshape(0, 4),
    "transposed": lambda x: x[:24].reshape(4, 6).t(),
    "strided": lambda x: x[:64].reshape(4, 16)[:, ::3],
    "expanded": lambda x: x[:5].reshape(5, 1).expand(5, 4),
    "channels last": lambda x: x[:120].reshape(2, 3, 4, 5).to(memory_format=torch.channels_last),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("target", ["bfloat16", "float8_e4m3fn", "int8", "float64"])
def test_shapes_and_strides(shape: str, target: str) -> None:
    """The result has the values, shape and strides that torch gives it."""
    x = SHAPES[shape](gpu.tensor(samples.codes("float16")[15000:16000], "float16"))
    dtype = getattr(torch, target)
    expected = x.to(dtype)
    with pto.torch.exact():
        y = x.to(dtype)
        packed = x.to(dtype, memory_format=torch.contiguous_format)
    assert (y.shape, y.stride()) == (expected.shape, expected.stride())
    assert np.array_equal(gpu.codes_of(y), gpu.codes_of(expected))
    assert packed.is_contiguous()
    assert np.array_equal(gpu.codes_of(packed), gpu.codes_of(expected))


def test_copy() -> None:
    """copy_ casts into contiguous, strided and broadcast targets, and assignments to slices do."""
    x = torch.tensor([1e10, -3.7, 0.0, torch.nan, 300.0, -0.5])
    expected = [-1, -3, 0, 0, 44, 0]
    with pto.torch.exact():
        assert x.to(torch.int8).tolist() == expected
        assert torch.empty(6, dtype=torch.int8).copy_(x).tolist() == expected
        wide = torch.zeros(2, 12, dtype=torch.int8)
        wide[:, ::2].copy_(x)
        assert wide[:, ::2].tolist() == [expected, expected]
        assert wide[:, 1::2].count_nonzero() == 0
        wide[0, 3:9] = x
        assert wide[0, 3:9].tolist() == expected
        assert x.type(torch.int8).tolist() == x.char().tolist() == x.type_as(wide).tolist() == expected
        y = x.to(torch.int8)
        assert y.to(torch.int8) is y


def test_saturation() -> None:
    """``saturate`` is PTX's .satfinite for E5M2; finite values of the FNUZ types are limited."""
    x = torch.tensor([1e9, -torch.inf, torch.nan, 1.0])
    values = {}
    for saturate in (False, True):
        with pto.torch.exact(saturate=saturate):
            for name in ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"):
                values[name, saturate] = gpu.codes_of(x.to(getattr(torch, name))).tolist()
    assert values["float8_e4m3fn", False] == values["float8_e4m3fn", True] == [0x7E, 0xFE, 0x7F, 0x38]
    assert values["float8_e5m2", False] == [0x7C, 0xFC, 0x7F, 0x3C]
    assert values["float8_e5m2", True] == [0x7B, 0xFB, 0x7F, 0x3C]
    assert values["float8_e4m3fnuz", False] == values["float8_e5m2fnuz", False] == [0x80, 0x80, 0x80, 0x40]
    assert values["float8_e4m3fnuz", True] == [0x7F, 0x80, 0x80, 0x40]
    with pto.torch.exact(saturate=True), pto.torch.exact():
        assert gpu.codes_of(x.to(torch.float8_e5m2)).tolist() == values["float8_e5m2", False]
    for name, ptx in (("float32", "f32"), ("float16", "f16x2")):
        narrow = gpu.tensor(samples.codes(name), name)
        with pto.torch.exact(saturate=True):
            got = narrow.to(torch.float8_e5m2)
        assert np.array_equal(gpu.codes_of(got), gpu.codes_of(pto.torch.cvt(f"cvt.rn.satfinite.e5m2x2.{ptx}", narrow)))


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If float to int8 took the low bits of a conversion to 64 bits, the test of every pair would fail."""
    from pto import _torch_exact

    monkeypatch.setitem(_torch_exact._INTEGERS, torch.int8, torch.int64)
    _torch_exact._route.cache_clear()
    try:
        with pytest.raises(AssertionError, match="int8"):
            test_every_pair("float32")
    finally:
        monkeypatch.undo()
        _torch_exact._route.cache_clear()
    test_every_pair("float8_e5m2")
