# SPDX-License-Identifier: MIT
"""ONNX's own cases of Cast, CastLike, QuantizeLinear and DequantizeLinear: the same bits, or a documented difference.

Each case is computed by ``pto.cast``, and by ``pto.cvt`` or ``pto.vcvt`` if these have its types. ``NOTHING_LIKE_IT``
lists the types that no call takes, ``DIFFER`` the cases in which the result differs. All other cases have the same
bits, except that the NaN may differ. No case is left out silently.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pto
from checks import Faulty

onnx = pytest.importorskip("onnx", reason="onnx is not there, and so its cases are not compared")
node = pytest.importorskip("onnx.backend.test.case.node")

Array = np.ndarray[Any, Any]
OPERATIONS = ("Cast", "CastLike", "QuantizeLinear", "DequantizeLinear")
FLOATS = {  # NumPy's and ml_dtypes' names, and PTX's
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "e4m3",
    "float8_e5m2": "e5m2",
    "float8_e8m0fnu": "ue8m0",
    "float4_e2m1fn": "e2m1",
}
INTEGERS = {"uint8": "u8", "int8": "s8", "uint16": "u16", "int16": "s16"}
NIBBLES = {"uint4": "uint4", "int4": "int4", "float4_e2m1fn": "e2m1"}
ONLY_CAST = {  # types that cvt and vcvt lack
    "float8_e4m3fnuz": "e4m3fnuz",
    "float8_e5m2fnuz": "e5m2fnuz",
    "uint4": "uint4",
    "int4": "int4",
}
NAMES = FLOATS | INTEGERS | ONLY_CAST
WHOLE = {*INTEGERS, "uint4", "int4"}
DIGITS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
NOTHING_LIKE_IT = {
    "uint2": "the Python package has no arrays of 2 bits; pto_cast() in C has",
    "int2": "the Python package has no arrays of 2 bits; pto_cast() in C has",
}
NAN = "e2m1 has no NaN: ONNX's answer is ml_dtypes' -0, PTX's the largest number"
SATURATE = "saturate=0 makes infinities, in e4m3 NaNs: cvt has no form without .satfinite; vcvt gives the same"
ZERO = "ONNX adds the zero point, +0, to the quotient -0; cvt and cast keep its sign, .pzo drops it"
WRAPS = "ONNX's integers of 4 bits are the low bits; cast clamps"
DIFFER = {  # for each case, the number of elements that differ, and the reason
    ("FLOAT_to_FLOAT4E2M1", "cvt"): (1, NAN),
    ("FLOAT16_to_FLOAT4E2M1", "cvt"): (1, NAN),
    ("test_quantizelinear_float4e2m1", "cvt"): (1, ZERO),
    ("FLOAT_to_FLOAT4E2M1", "cast"): (1, NAN),
    ("FLOAT16_to_FLOAT4E2M1", "cast"): (1, NAN),
    ("test_quantizelinear_float4e2m1", "cast"): (1, ZERO),
    **{(f"{src}_to_{dst}", "cast"): (9, WRAPS) for src in ("FLOAT", "FLOAT16") for dst in ("UINT4", "INT4")},
    **{
        (f"no_saturate_{src}_to_{dst}", "cvt"): (5, SATURATE)
        for src in ("FLOAT", "FLOAT16")
        for dst in ("FLOAT8E4M3FN", "FLOAT8E5M2")
    },
}


class Case:
    """A test case of ONNX: input arrays, an output array, and the attributes of its node."""

    def __init__(self, case: Any) -> None:
        first = case.model.graph.node[0]
        self.name, self.op = case.name, first.op_type
        inputs, outputs = case.data_sets[0]
        self.x, *self.others = [array(tensor) for tensor in inputs]
        self.want = array(outputs[0])
        self.attributes = {a.name: onnx.helper.get_attribute_value(a) for a in first.attribute}
        self.types = {a.dtype.name for a in (self.x, self.want)}
        self.saturates = bool(self.attributes.get("saturate", 1))

    def ways(self) -> list[str]:
        """The calls to test: cast, and cvt, or vcvt, which can leave out saturation and has integer types."""
        if self.types & ONLY_CAST.keys():
            return ["cast"]
        if self.types & INTEGERS.keys():
            return ["cast", "vcvt"]
        return ["cast", "cvt"] if self.saturates else ["cast", "cvt", "vcvt"]

    def along(self, other: Array) -> Array:
        """Returns the scale or zero point of each element, from that of the tensor, of an axis, or of blocks of it."""
        axis, shape = self.attributes.get("axis", 1), self.x.shape
        if other.size == 1:
            return other.reshape(())
        if other.ndim == len(shape):
            return np.repeat(other, shape[axis] // other.shape[axis], axis=axis)
        return other.reshape([-1 if i == axis else 1 for i in range(len(shape))])


def array(tensor: Any) -> Array:
    return onnx.numpy_helper.to_array(tensor) if hasattr(tensor, "data_type") else np.asarray(tensor)


def collected() -> list[Case]:
    """Returns ONNX's cases, except those that are expanded to other operations, which have the same numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its cases overflow on purpose
        cases = [case for case in node.collect_testcases() if len(case.model.graph.node) == 1]
        return [Case(c) for c in cases if c.model.graph.node[0].op_type in OPERATIONS and "_expanded" not in c.name]


ALL = collected()
ASKED = [(case, way) for case in ALL if not case.types & NOTHING_LIKE_IT.keys() for way in case.ways()]
IDS = [f"{case.name}-{way}" for case, way in ASKED]


# ---- the same in libpto ----


def stored(x: Array) -> Array:
    """Returns the elements in libpto's layout, in one dimension. Those of 4 bits are two in a byte."""
    flat = np.ascontiguousarray(x).reshape(-1)
    if x.dtype.name not in ("uint4", "int4"):
        return flat
    codes = np.append(flat.astype(np.int8).view(np.uint8) & 15, np.zeros(flat.size % 2, np.uint8))
    return codes[0::2] | codes[1::2] << 4


def unpacked(result: Array, size: int) -> Array:
    return np.stack([result & 15, result >> 4], axis=-1).reshape(-1)[:size]


def cast_exactly(p: Any, x: Array, to: str, saturates: bool = True) -> Array:
    """Converts by pto.cast: to nearest, and to ue8m0 up, as ONNX's cases."""
    overflow = "saturate" if saturates and to not in DIGITS else "ieee"
    result = p.cast(stored(x), to, "rp" if to == "ue8m0" else "rn", overflow, src=NAMES.get(x.dtype.name, x.dtype.name))
    if x.dtype.name in ("uint4", "int4"):
        result = result[: x.size]  # the last byte may have an element too many
    return unpacked(result, x.size) if to in NIBBLES.values() else result


def cast(p: Any, x: Array, to: str, way: str, saturates: bool = True) -> Array:
    """Converts between floats, to nearest. To ue8m0 it rounds up, as ONNX's cases; ue8m0 and f16 go through f32."""
    if way == "cast":
        return cast_exactly(p, x, to, saturates)
    flat, src = np.ascontiguousarray(x).reshape(-1), FLOATS[x.dtype.name]
    if {src, to} == {"ue8m0", "f16"}:
        return cast(p, cast(p, x, "f32", way), to, way)
    if way == "vcvt":
        return p.vcvt(flat, to, "R", saturates, src=src)
    narrower = DIGITS.get(to, 0) < DIGITS.get(src, 0)
    round = "rp" if to == "ue8m0" else "rn" if narrower or to == "f16" else None
    result = p.cvt(flat, to, src=src, round=round, satfinite=to not in DIGITS)
    return unpacked(result, flat.size) if to == "e2m1" else result


def whole(p: Any, x: Array) -> Array:
    """Returns the elements as s32, in the shape of x. They are rounded to nearest."""
    return cast_exactly(p, x, "s32").reshape(x.shape)


def answer(p: Any, case: Case, way: str) -> Array:
    to = NAMES[case.want.dtype.name]
    if case.op in ("Cast", "CastLike"):
        return cast(p, case.x, to, way, case.saturates)
    scale, *points = (case.along(other) for other in case.others)
    if case.op == "QuantizeLinear":
        x = case.x / scale
        if case.want.dtype.name not in WHOLE:
            return cast(p, x, to, way)
        if way == "cast":
            return cast_exactly(p, (whole(p, x) + (whole(p, points[0]) if points else 0)).astype(np.int32), to)
        sums = p.vcvt(x, "s32", "R") + (points[0].astype(np.int32) if points else 0)
        return p.vcvt(sums.astype(np.int32), to, "R", True)
    if case.x.dtype.name not in WHOLE:
        return cast(p, case.x, to, way).reshape(case.x.shape) * scale
    if way == "cast":
        return cast_exactly(p, whole(p, case.x) - whole(p, points[0]), "f32").reshape(case.x.shape) * scale
    return p.vcvt(case.x.astype(np.int32) - points[0].astype(np.int32), "f32", "R") * scale


def differing(case: Case, result: Array) -> tuple[int, int]:
    """Counts elements whose bits differ: those where at least one is not a NaN, and those where both are NaNs."""
    result, want = np.ascontiguousarray(result).reshape(-1), case.want.reshape(-1)
    word = f"u{want.itemsize}"
    mask = 15 if want.dtype.name in NIBBLES else -1
    theirs = np.isnan(want.astype(np.float64))
    ours = np.isnan(result.view(want.dtype).astype(np.float64))
    other = (result.view(word) ^ want.view(word)) & want.view(word).dtype.type(mask & (256**want.itemsize - 1)) != 0
    return int((other & ~(theirs & ours)).sum()), int((other & theirs & ours).sum())


def row(case: Case, way: str) -> tuple[str, str]:
    return case.name.replace("castlike", "cast").removeprefix("test_cast_"), way


def of_the_table(case: Case, way: str) -> int:
    return DIFFER.get(row(case, way), (0, ""))[0]


# ---- checks ----


def test_cases_are_there() -> None:
    """Only cases with types that no call takes are left out, and each row of the table has cases."""
    assert len(ALL) > 130
    assert {case.op for case, _ in ASKED} == {*OPERATIONS}
    left = [case for case in ALL if case.types & NOTHING_LIKE_IT.keys()]
    assert {name for case in left for name in case.types & NOTHING_LIKE_IT.keys()} == NOTHING_LIKE_IT.keys()
    assert {row(case, way) for case, way in ASKED} >= DIFFER.keys()
    assert sum(way == "cast" for _, way in ASKED) == len(ALL) - len(left)


@pytest.mark.parametrize(("case", "way"), ASKED, ids=IDS)
def test_case(case: Case, way: str, isa: str, tally: Callable[[str, int, int], None]) -> None:
    numbers, nans = differing(case, answer(pto, case, way))
    assert numbers == of_the_table(case, way)
    assert nans <= (0 if case.types & WHOLE else np.isnan(case.want.astype(np.float64)).sum())
    if isa == "scalar":
        tally("onnx", 1, case.want.size)


@pytest.mark.parametrize(("case", "way"), ASKED, ids=IDS)
def test_case_finds_one_altered_digit(case: Case, way: str) -> None:
    """The altered bit is in the last conversion, if another one to s32 or f32 precedes it."""
    last = NAMES[case.want.dtype.name]

    def altered(x: Array, to: str, *args: Any, **named: Any) -> Array:
        result = getattr(pto, way)(x, to, *args, **named)
        if to != last:
            return result
        codes = result.view(f"u{result.dtype.itemsize}").reshape(-1)
        codes[codes.size // 2 if last in ("uint4", "int4") else 0] ^= codes.dtype.type(1)  # the first ones may wrap
        return result

    numbers, _ = differing(case, answer(Faulty(way, altered), case, way))
    assert numbers == of_the_table(case, way) + 1
