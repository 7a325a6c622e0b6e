# SPDX-License-Identifier: MIT
"""The interpreter with pto.triton has the bits of the kernels that Triton's compiler makes of the same operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton", reason="Triton is not installed: its compiled kernels are not compared")

import compiled
import pto.triton
from compiled import SIZE
from oracle import DTYPES, bits, cast, every_code, interpreter, language, sample, tensor, width

# Triton's warnings, such as those about a default that will change, are not errors.
pytestmark = pytest.mark.filterwarnings("default")

WIDE = ["fp64", "fp32", "fp16", "bf16"]
FP8 = ["fp8e4nv", "fp8e5"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
# The conversions that Triton 3.9 compiles for compute capability 9.0: none between two FP8 types, or f64 and FP8.
PAIRS = [(a, b) for a in WIDE for b in WIDE if a != b]
PAIRS += [pair for a in WIDE[1:] for b in FP8 for pair in ((a, b), (b, a))]


def values(name: str) -> Any:
    if name in INTEGERS:
        size = np.dtype(name).itemsize
        x = np.arange(1 << (8 * min(size, 2)), dtype=np.uint64)
        return (x * np.uint64({1: 1, 2: 1, 4: 65537, 8: 281479271743490}[size])).astype(f"u{size}").view(name)
    x = every_code(name) if width(name) <= 16 else sample(name, 1 << 20)
    return x[: len(x) // SIZE * SIZE]


def differences(got: Any, want: Any) -> Any:
    return np.flatnonzero(bits(got) != bits(want))


@pytest.mark.parametrize("cap", [90, 100])
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_casts(source: str, target: str, cap: int) -> None:
    x = values(source)
    want = compiled.run(compiled.cast, [(x, source)], target, None, cap)
    with pto.triton.exact():
        got = cast(x, source, target)
    differ = differences(got, want)
    if (source, target) == ("fp8e5", "bf16"):  # the compiler returns finite values for these: triton#11784
        assert set(bits(x)[differ]) == {0x7C, 0x7D, 0x7E, 0x7F, 0xFC, 0xFD, 0xFE, 0xFF}
    elif (source, target) == ("fp16", "fp64"):  # the compiler omits the step to f32, and keeps the payload of NaNs
        assert np.isnan(x[differ]).all()
        assert np.isnan(got[differ]).all()
    else:
        assert differ.size == 0


@pytest.mark.parametrize("target", ["fp16", "bf16", "fp8e5"])
def test_toward_zero(target: str) -> None:
    x = values("fp32")
    want = compiled.run(compiled.cast, [(x, "fp32")], target, "rtz")
    with pto.triton.exact():
        assert differences(cast(x, "fp32", target, "rtz"), want).size == 0


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in WIDE for b in INTEGERS])
def test_integers_from_floats(source: str, target: str) -> None:
    x = values(source)
    want = compiled.run(compiled.cast, [(x, source)], target, None)
    with pto.triton.exact():
        assert differences(cast(x, source, target), want).size == 0


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in INTEGERS for b in WIDE])
def test_floats_from_integers(source: str, target: str) -> None:
    x = values(source)
    want = compiled.run(compiled.cast, [(x, source)], target, None)
    with pto.triton.exact():
        assert differences(cast(x, source, target), want).size == 0


@pytest.mark.parametrize(("source", "target"), [("fp16", "fp8e4b15"), ("fp32", "fp8e4b15"), ("fp8e4b15", "fp16")])
def test_e4b15(source: str, target: str) -> None:
    x = np.arange(256, dtype=np.uint8) if source == "fp8e4b15" else values(source)
    want = compiled.run(compiled.cast, [(x, source)], target, None, 80)
    with pto.triton.exact():
        assert differences(cast(x, source, target), want).size == 0


def pairs_of(name: str) -> tuple[Any, Any]:
    """Returns special and random values of a type against each other."""
    x = every_code(name) if width(name) == 16 else sample(name, 1 << 19)
    chosen = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1.5, -2.5]).astype(DTYPES[name])
    some = np.concatenate([chosen, np.random.default_rng(1).choice(x, 503)])
    return np.repeat(some, 512), np.tile(some, 512)


def interpreted(operation: str, x: Any, y: Any, name: str) -> Any:
    semantic, options = interpreter.interpreter_semantic, interpreter.tl.PropagateNan
    propagate = options.ALL if operation.endswith("ALL") else options.NONE
    with language():
        a, b = tensor(x, name), tensor(y, name)
        if operation.startswith("clamp"):
            z = semantic.clamp(a, b, tensor(np.abs(y), name), propagate)
        elif operation[0] == "m":
            z = getattr(semantic, operation.split()[0])(a, b, propagate)
        else:
            comparisons = {"<": "less_than", "<=": "less_equal", ">": "greater_than", ">=": "greater_equal"}
            z = getattr(semantic, comparisons.get(operation, "equal" if operation == "==" else "not_equal"))(a, b)
    return z.handle.data


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize(
    "operation",
    ["minimum", "maximum", "clamp", "minimum ALL", "maximum ALL", "clamp ALL", "<", "<=", ">", ">=", "==", "!="],
)
def test_selections(operation: str, name: str) -> None:
    x, y = pairs_of(name)
    result = name if operation[0] in "mc" else "int8"
    want = compiled.run(compiled.select, [(x, name), (y, name)], result, operation)
    with pto.triton.exact():
        got = interpreted(operation, x, y, name)
    if name == "fp64" and operation.endswith("ALL"):  # PTX has no min.NaN.f64: LLVM chooses the NaN
        assert (np.isnan(got) == np.isnan(want)).all()
        got, want = got[~np.isnan(got)], want[~np.isnan(want)]
    assert differences(got.view(want.dtype), want).size == 0
