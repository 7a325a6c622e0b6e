# SPDX-License-Identifier: MIT
"""Every cast of Triton's interpreter with pto.triton against ml_dtypes and NumPy: 0 results differ."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton", reason="Triton is not installed: pto.triton is not tested")

import oracle
import pto.triton
from oracle import DTYPES, bits, cast, every_code, sample, width, wrong

F32_COUNT = 10 << 20  # of the 2^32 values of f32
F64_COUNT = 2 << 20
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
# The NaNs that GPUs return. Conversions from f64, and from bf16 to f32 or f64, keep the payload instead.
NANS = {"fp32": 0x7FFFFFFF, "fp16": 0x7FFF, "bf16": 0x7FFF, "fp8e4nv": 0x7F, "fp8e5": 0x7F, "fp8e4b8": 0x80}
NANS["fp8e5b16"] = 0x80


@pytest.fixture(autouse=True)
def _exact() -> Any:
    with pto.triton.exact():
        yield


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    """Returns all values of the types of at most 16 bits, and samples of f32 and f64."""
    small = {name: every_code(name) for name in DTYPES if width(name) <= 16}
    return {"fp64": sample("fp64", F64_COUNT), "fp32": sample("fp32", F32_COUNT), **small}


@pytest.mark.parametrize(("source", "target"), list(permutations(DTYPES, 2)))
def test_floats(values: dict[str, Any], source: str, target: str) -> None:
    x = values[source]
    got = cast(x, source, target)
    assert np.count_nonzero(wrong(got, oracle.nearest(x, target))) == 0
    if target in NANS and source not in ("fp64", "bf16"):
        assert (bits(got)[np.isnan(x.astype(np.float64))] == NANS[target]).all()


@pytest.mark.parametrize(("source", "target"), [(a, b) for a, b in permutations(DTYPES, 2) if width(a) > width(b)])
def test_toward_zero(values: dict[str, Any], source: str, target: str) -> None:
    x = values[source][-(1 << 20) :]
    assert np.count_nonzero(wrong(cast(x, source, target, "rtz"), oracle.toward_zero(x, target))) == 0


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", ["fp64", "fp32", "fp16", "bf16"])
def test_integers_from_floats(values: dict[str, Any], source: str, target: str) -> None:
    x = values[source][-(1 << 20) :]
    small = np.arange(-(1 << 17), 1 << 17).astype(np.float32) / 2
    bounds = np.array([s * (2.0**e + d) for e in (7, 8, 15, 16, 31, 32, 63, 64) for s in (1, -1) for d in (-1, 0, 1)])
    x = np.concatenate([x, small.astype(x.dtype), bounds.astype(x.dtype)])
    assert np.array_equal(cast(x, source, target), oracle.to_integer(x, target))


@pytest.mark.parametrize("target", ["fp64", "fp32", "fp16", "bf16"])
@pytest.mark.parametrize("source", INTEGERS)
def test_floats_from_integers(source: str, target: str) -> None:
    info = np.iinfo(source)
    x = np.arange(-(1 << 15), 1 << 16).clip(info.min, min(info.max, 1 << 53)).astype(source)
    if info.bits >= 32:  # these are integers of f64
        wide = np.random.default_rng(1).integers(max(info.min, -(1 << 53)), min(info.max, 1 << 53), 1 << 18)
        ties = ((1 << 23) + np.arange(1 << 8) * 2 + 1) << (info.bits - 28 if info.bits == 32 else 26)
        x = np.concatenate([x, wide.astype(source), ties.astype(source)])
    assert np.count_nonzero(wrong(cast(x, source, target), oracle.nearest(x.astype(np.float64), target))) == 0


def test_an_integer_is_rounded_once() -> None:
    x = np.array([(1 << 40) + (1 << 32) + 1], np.int64)  # f32 would make a tie of it, and bf16 then round it down
    assert cast(x, "int64", "bf16")[0] == 0x5381


def test_masks_become_numbers() -> None:
    with oracle.language():
        x = oracle.tensor(np.array([1, np.nan], np.float32), "fp32")
        mask = oracle.interpreter.interpreter_semantic.equal(x, x)
        for target, one in [("bf16", 0x3F80), ("fp16", 1), ("fp32", 1), ("fp64", 1), ("int8", 1)]:
            y = oracle.interpreter.interpreter_semantic.cast(mask, oracle.type_of(target))
            assert y.handle.data.tolist() == [one, 0]


@pytest.mark.parametrize("name", [name for name in DTYPES if name != "fp64"])
def test_constants(name: str) -> None:
    with oracle.language():
        y = oracle.interpreter.interpreter_semantic.full([2], 1.1, oracle.type_of(name))
    assert np.count_nonzero(wrong(y.handle.data, oracle.nearest(np.full(2, 1.1, np.float32), name))) == 0


@pytest.mark.parametrize("source", [name for name in DTYPES if name != "fp64"])
def test_to_and_from_e4b15(values: dict[str, Any], source: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    value = np.where(codes & 0x78, 1 + (codes & 7) / 8, (codes & 7) / 4) * 2.0 ** ((codes >> 3 & 15) - 15.0)
    value *= np.where(codes & 0x80, -1, 1)
    assert np.count_nonzero(wrong(cast(codes, "fp8e4b15", source), oracle.nearest(value, source))) == 0
    x = values[source][-(1 << 16) :]
    magnitude = np.abs(oracle.toward_zero(x, "fp16").astype(np.float64))
    magnitude = np.where(np.isnan(magnitude), 1.75, np.minimum(magnitude, 1.75))
    inside = value[:127]
    want = np.searchsorted((inside[:-1] + inside[1:]) / 2, magnitude, side="right")
    negative = bits(x) >> (width(source) - 1) == 1
    number = ~np.isnan(x.astype(np.float64))  # a NaN is converted to f16 first, where it is positive except from f16
    got = cast(x, source, "fp8e4b15")
    assert np.array_equal((got & 0x7F)[number], want[number])
    if source not in ("fp8e4b8", "fp8e5b16"):
        assert np.array_equal((got >> 7 == 1)[number], negative[number])


@pytest.mark.parametrize(("source", "target"), [("fp8e5", "fp16"), ("fp8e4nv", "fp16"), ("fp16", "fp16")])
def test_operands_of_dot(source: str, target: str) -> None:
    x = every_code(source)
    stored = x.view(oracle.interpreter._get_np_dtype(oracle.type_of(source)))
    got = oracle.interpreter._convert_float(stored, oracle.type_of(source), oracle.type_of(target), None)
    assert got.dtype == np.uint16
    assert np.count_nonzero(wrong(got, oracle.nearest(x, target))) == 0


def test_shapes_and_strides() -> None:
    x = np.arange(64, dtype=np.float32).reshape(8, 8)
    with oracle.language():
        for view in (x.T, x[:, ::2], np.broadcast_to(x[0], (4, 8)), x[:0], x[0, 0].reshape(())):
            handle = oracle.interpreter.TensorHandle(view, oracle.type_of("fp32"))
            y = oracle.interpreter.interpreter_builder.cast_impl(handle, oracle.type_of("bf16"))
            assert y.data.shape == view.shape
            assert np.array_equal(y.data.view(DTYPES["bf16"]).astype(np.float32), view)


@pytest.mark.parametrize("fault", ["rtz", "no saturation"])
def test_a_wrong_cast_is_found(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    if fault == "rtz":
        monkeypatch.setattr(pto.triton, "_is_toward_zero", lambda mode: True)
    else:
        monkeypatch.setattr(pto.triton, "_OVERFLOWS", {})
    x = every_code("fp16")
    assert np.count_nonzero(wrong(cast(x, "fp16", "fp8e4nv"), oracle.nearest(x, "fp8e4nv"))) > 100
