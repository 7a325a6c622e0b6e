# SPDX-License-Identifier: MIT
"""Wrong arguments give an exception that names the argument and the status of libpto, and write nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensors import DLPACK, Tensor

X = np.array([1, -2, 0.5, 3], np.float32)
F32 = DLPACK["f32"]


def y(count: int = 4, dtype: Any = np.float32) -> Any:
    return np.zeros(count, dtype)


def strided(*strides: int) -> Tensor:
    return Tensor(X, F32, (2, 2), strides)


# The call, and what the message says.
ERRORS: list[tuple[str, tuple[Any, ...], str]] = [
    (
        "vrelu",
        ("f32", "", Tensor(X, F32, device=2), y()),
        r"x: the tensor is not in CPU memory \(PTO_ERR_TYPE\)",
    ),
    ("vrelu", ("f32", "", X[::2], y(2)), r"x: the tensor is not contiguous \(PTO_ERR_SIZE\)"),
    ("vrelu", ("f32", "", strided(1, 2), np.zeros((2, 2), "f")), "x: the tensor is not contiguous"),
    ("vrelu", ("f32", "", strided(0, 1), np.zeros((2, 2), "f")), "x: the tensor is not contiguous"),
    (
        "vrelu",
        ("f32", "", X, y(4, np.float64)),
        r"dst: elements of type f32 are wanted, not float64 \(PTO_ERR_TYPE",
    ),
    ("vrelu", (None, "", Tensor(X, (5, 32, 1)), y()), "x: elements of type f32 are wanted, not an unknown dtype"),
    ("vrelu", (None, "", Tensor(X, (15, 6, 1)), y()), "x: elements of type f32 are wanted, not float6_e2m3fn"),
    ("vrelu", ("e2m3", "", Tensor(X, (15, 6, 1)), y(4, np.uint8)), "x: elements of type e2m3 are wanted, not"),
    ("vrelu", (None, "", Tensor(X, (15, 6, 1)), None), "x: libpto has no type for float6_e2m3fn; give one"),
    ("vrelu", (None, "", None, None), r"t: no tensor has this type; give one \(PTO_ERR_TYPE\)"),
    ("vrelu", ("f33", "", X, y()), r't: "f33" is not a type .*\(PTO_ERR_PARSE\)'),
    ("vrelu", ("b32", "", X, y()), r"\(PTO_ERR_TYPE\)"),
    ("vrelu", ("f32", "ftz,merge", X, y()), r'flags: "ftz,merge" is not one of ftz, .*\(PTO_ERR_PARSE\)'),
    ("vrelu", ("f32", "merge", X, y()), r"\(PTO_ERR_MODIFIER\)"),
    ("vrelu", ("f32", "", X, y(3)), r"dst: the shape \(3,\) does not fit: .* x is \(4,\) \(PTO_ERR_SIZE\)"),
    ("vrelu", ("f32", "", X.reshape(2, 2), y()), r"dst: the shape \(4,\) does not fit"),
    ("vrelu", ("f32", "", X, y().reshape(4, 1)), r"dst: the shape \(4, 1\) does not fit"),
    ("vrelu", ("f32", "", X, None), r"\(PTO_ERR_NULL\)"),
    ("vrelu", ("f32", "", X[:3], X[1:]), r"overlaps .*\(PTO_ERR_OVERLAP\)"),
    ("vrelu", ("f32", "", "X", y()), r"x: a tensor is wanted, not .*Str \(PTO_ERR_TYPE\)"),
    ("vrelu", ("f32", "", 1.5, y()), "x: a tensor is wanted"),
    ("vrelu", ("f32", "", X), "Mismatched number of arguments"),
    ("vrelu", ("f32", None, X, y()), "Mismatched type on argument #1"),
    ("vmax", ("f32", "", X, y(2), y()), r"b: the shape \(2,\) does not fit"),
    ("vmax", ("f32", "", X, "1", y()), "b: a tensor is wanted"),
    (
        "vmax",
        ("s8", "", y(4, np.int8), 128, y(4, np.int8)),
        r"b: the number is not a value of type s8 \(PTO_ERR_SIZE",
    ),
    ("vmax", ("s8", "", y(4, np.int8), 0.5, y(4, np.int8)), "b: the number is not a value of type s8"),
    ("vmax", ("u8", "", y(4, np.uint8), -1, y(4, np.uint8)), "b: the number is not a value of type u8"),
    ("vmax", ("s8", "", y(4, np.int8), float("nan"), y(4, np.int8)), "b: the number is not a value of type s8"),
    ("vbr", (None, 1, None), "scalar: the type of a number must be given"),
    ("vbr", ("f32", X, y()), r"scalar: one element is wanted, not the shape \(4,\)"),
    ("vcmp", ("f32", "less", "", X, X, None, y(4, bool)), r'op: "less": .*\(PTO_ERR_PARSE\)'),
    ("vcmp", ("s32", "ltu", "", y(4, "i4"), y(4, "i4"), None, y(4, bool)), r"\(PTO_ERR_OP\)"),
    ("vcmp", ("f32", "lt", "", X, X, y(3, bool), y(4, bool)), r"seed: the shape \(3,\) does not fit"),
    (
        "vcmp",
        ("f32", "lt", "", X, X, None, y(2, np.uint8)),
        r"dst: a mask of 4 lanes has ceil\(n / 8\) = 1 words",
    ),
    (
        "vcmp",
        ("f32", "lt", "", X, X, None, y(1, np.int8)),
        r"dst: a mask is of bool or .* not int8 \(PTO_ERR_MASK",
    ),
    ("vcmp", ("f32", "lt", "", X, X, None, y(1, np.uint16)), r"\(PTO_ERR_MASK\)"),
    ("vcmp", ("f32", "lt", "", X, X, None, None), r"\(PTO_ERR_NULL\)"),
    ("vsel", ("f32", X, X, None, y()), r"\(PTO_ERR_NULL\)"),
    ("setp", ("setp.lt.f33", False, X, X, None, y(4, bool), None), r'text: "setp.lt.f33": .*\(PTO_ERR_PARSE'),
    ("setp", ("setp.lt.f32", True, X, X, None, y(4, bool), None), r"\(PTO_ERR_MODIFIER\)"),
    ("cvt", ("cvt.rn.e4m3x2.f32", X, y(4, np.uint8), None), r"needs .satfinite; legal: .*\(PTO_ERR_MODIFIER\)"),
    ("cvt", ("cvt.rn.f32.e4m3", y(4, np.uint8), y(), None), r'text: "cvt.rn.f32.e4m3"'),
    ("cvt", ("cvt.rs.satfinite.e4m3x4.f32", X, y(4, np.uint8), None), r"\(PTO_ERR_NULL\)"),
    ("cvt", ("cvt.rs.satfinite.e4m3x4.f32", X, y(4, np.uint8), y(2, "u4")), r"extra: 1 elements are wanted"),
    ("cvt", ("cvt.rs.satfinite.e4m3x4.f32", X, y(4, np.uint8), y(1, "i4")), r"extra: random words of type u32"),
    ("cvt", ("cvt.rn.satfinite.e4m3x2.f32", X, y(4, np.uint8), y(1, "u4")), r"\(PTO_ERR_MODIFIER\)"),
    ("cvt", ("cvt.rn.satfinite.e2m1x2.f32", X, y(4, np.uint8), None), r"dst: the shape \(4,\) does not fit"),
    (
        "cvt",
        ("cvt.rn.satfinite.e2m1x2.f32", np.zeros((2, 3), "f"), np.zeros((2, 2), "u1"), None),
        "dst: the shape",
    ),
    (
        "cast",
        ("e4m3", "f32", "near", "ieee", X, y(4, np.uint8), None),
        r"round: one of .*rn, .*\(PTO_ERR_PARSE\)",
    ),
    ("cast", ("b8", "f32", "rn", "ieee", X, y(4, np.uint8), None), r"\(PTO_ERR_TYPE\)"),
    ("vpermute", ("f32", -1, X, y(4, "u4"), y()), r"lanes: -1 is negative \(PTO_ERR_SIZE\)"),
    ("vpermute", ("f32", 3, X, y(4, "u4"), y()), r"\(PTO_ERR_SIZE\)"),
    ("vpermute", ("f32", 4, X, y(4, "i4"), y()), r"index: unsigned integers as wide as f32 are wanted"),
    ("vcompress", ("f32", X, y(4, bool) | True, y(3)), r"dst: 4 elements are needed, and the shape is \(3,\)"),
    ("vexpand", ("f32", X[:2], y(4, bool) | True, y()), r"src: 4 elements are needed, and the shape is \(2,\)"),
    ("vcvt_part", ("s16", "f32", "R", True, "EVEN", X, None, y(4, "i2")), r"dst: 8 elements are wanted"),
    (
        "vcvt_part",
        ("s16", "f32", "R", True, "ODDER", X, None, y(8, "i2")),
        r"part: one of EVEN, ODD, .*PTO_ERR_PARSE",
    ),
    ("setcc", ("setq", y(4, "u4"), y(4, bool)), r'cc: "setq"'),
    ("setcc", ("seta", X, y(4, bool)), r"eflags: elements of type u32 are wanted"),
    ("mask_count", (y(4, bool), 5), r"m: the shape \(4,\) does not fit: there are 5 lanes"),
    ("mask_count", (y(4, bool), -1), r"n: -1 is negative"),
    ("mask_count", (y(1, np.uint8), 9), r"m: a mask of 9 lanes"),
    ("mask_copy", (y(8, bool), 4, y(8, bool), 0, 5), r"src: the mask has only 8 lanes \(PTO_ERR_SIZE\)"),
    ("mask_copy", (y(8, bool), 0, y(1, np.uint8), 1 << 62, 8), r"dst: the mask has only 8 lanes"),
    ("mask_range", (y(8, bool), 5, 4, 8), r"\(PTO_ERR_SIZE\)"),
    ("block_amax", ("s32", y(4, "i4"), False), r"\(PTO_ERR_TYPE\)"),
    ("block_tensor", ("mx.odd", 1.0), r'rule: "mx.odd" is not a rule .*\(PTO_ERR_PARSE\)'),
    ("block_tensor", ("mx.floor", 1.0), r"\(PTO_ERR_MODIFIER\)"),
    ("scales_swizzle", ("128x4", y(4, np.uint8), y(4, np.uint8)), r"tiled: 512 elements are wanted"),
    ("block_pack", ("gguf_mxfp4", y(15, np.uint8), y(1, np.uint8), y(17, np.uint8)), "does not fit the layout"),
    (
        "block_pack",
        ("gguf_mxfp4", y(16, np.uint8), y(2, np.uint8), y(17, np.uint8)),
        "scales: 1 rows of 1 bytes",
    ),
    ("random_bits", (y(3, "u4"), y(4, "u4"), y(8, "u4")), "key: 2 elements are wanted"),
]


def blocks(x: Any, codes: Any, scales: Any, random_bits: Any = None, rule: str = "mx.rceil") -> tuple[Any, ...]:
    return (None, "e4m3", rule, "rn", False, False, 0.0, 1, 32, x, codes, scales, random_bits)


BLOCK = np.zeros((2, 64), np.float32)
ERRORS += [
    ("block_quantize", blocks(BLOCK, y(128, "u1"), y(4, "u1")), r"codes: 2 rows of 64 bytes are wanted, not"),
    (
        "block_quantize",
        blocks(BLOCK, np.zeros((2, 64), "u1"), np.zeros((2, 3), "u1")),
        "scales: 2 rows of 2 bytes",
    ),
    (
        "block_quantize",
        blocks(BLOCK, np.zeros((2, 64), "u1"), np.zeros((2, 2), "f")),
        "scales: elements of type ue8m0",
    ),
    ("block_quantize", blocks(BLOCK, BLOCK.view("u4"), np.zeros((2, 2), "u1")), "codes: elements of type e4m3"),
    ("block_quantize", blocks(BLOCK, np.zeros((2, 64), "u1"), None), r"\(PTO_ERR_NULL\)"),
    (
        "block_quantize",
        blocks(BLOCK, np.zeros((2, 64), "u1"), np.zeros((2, 2), "u1"), y(1, "u4")),
        "rbits: 32 elements",
    ),
    ("block_quantize", blocks(BLOCK, None, None, rule="nv.te"), r"\(PTO_ERR_TYPE\)"),
]


@pytest.mark.parametrize(("name", "arguments", "message"), ERRORS)
def test_errors(module: Any, name: str, arguments: tuple[Any, ...], message: str) -> None:
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    before = [a.copy() for a in arrays]
    with pytest.raises((TypeError, ValueError), match=message) as error:
        module[name](*arguments)
    assert name in str(error.value)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))


def test_read_only_arrays_are_refused_by_numpy(module: Any) -> None:
    out = np.frombuffer(bytes(16), np.float32)
    with pytest.raises(BufferError):
        module.vrelu("f32", "", X, out)


def test_memory_of_every_form_is_taken(module: Any) -> None:
    """Unaligned memory, offsets, given strides, dimensions of one element, no dimensions and no elements."""
    raw = np.zeros(33, np.uint8)
    unaligned = raw[1:17].view(np.float32)
    unaligned[:] = X
    out = raw[17:33].view(np.float32)
    module.vrelu("f32", "", unaligned, out)
    assert out.tolist() == [1, 0, 0.5, 3]
    out = y()
    module.vrelu("f32", "", Tensor(X, F32, offset=64), Tensor(out, F32, offset=4))
    assert out.tolist() == [1, 0, 0.5, 3]
    module.vrelu("f32", "", Tensor(X, F32, (2, 1, 2), (2, 77, 1)), out.reshape(2, 1, 2))
    module.vrelu("f32", "", X, X2 := X.copy())
    module.vrelu("f32", "", X2, X2)
    assert X2.tolist() == [1, 0, 0.5, 3]
    scalar = np.array(-1, np.float32)
    module.vrelu("f32", "", scalar, scalar)
    assert scalar == 0
    module.vrelu("f32", "", y(0), y(0))
    module.cvt("cvt.rn.satfinite.e2m1x2.f32", X[:3].copy(), halves := y(2, np.uint8), None)
    assert halves.tolist() == [0xC2, 0x01]


# Arguments that are legal for a parameter of some export, by its name.
LIKELY: dict[str, Sequence[Any]] = {
    **dict.fromkeys(("t", "dst_type", "src_type", "wide", "elem", "ctype"), (None, None, "f32", "u8", "b32")),
    **dict.fromkeys(("n", "lanes", "from", "to", "rows", "cols", "block_rows", "block_cols"), (0, 1, 2, 4, 8, 32)),
    **dict.fromkeys(("src_lane", "dst_lane", "scalar", "amax", "tensor"), (0, 1, 2, 4)),
    **dict.fromkeys(("ftz", "sat", "not_c", "pow2", "two_level", "keep_nan"), (False, True)),
    **dict.fromkeys(("seed", "extra", "rbits", "random_bits", "q", "c"), (None,)),
    "text": ["cvt.rn.satfinite.e4m3x2.f32", "cvt.f32.e2m1", "set.lt.u32.f32", "setp.lt.f32"],
    "layout": ["128x4", "rows", "tt_tile", "gguf_mxfp4"],
    "rule": ["mx.rceil", "nv.te", "fp8.div", "bfp.tt"],
    "op": ["lt", "eq", "num"],
    "flags": ["", "ftz"],
    "test": ["finite"],
    "round": ["rn", "rs"],
    "overflow": ["ieee"],
    "rnd": ["R", "A"],
    "part": ["EVEN", "P3"],
    "cc": ["seta"],
}
ANYTHING = [None, True, 0, 3, -1, 1 << 62, 0.5, float("nan"), float("inf"), 1e300, "", "?", "\0", "é" * 50, "f32", "lt"]


def test_any_arguments_do_no_harm(module: Any) -> None:
    """Random arguments give a result or an exception, and no byte beside the tensors is written."""
    chosen = random.Random(1)
    source = (Path(__file__).parent / "pto_tvm_ffi.cpp").read_text().replace('"\n    "', "")
    shapes = [(), (0,), (1,), (4,), (8,), (2, 4), (2, 32), (32, 32), (0, 3), (3, 0)]
    dtypes = ["f32", "f16", "u8", "u16", "u32", "u64", "s8", "bool", "e4m3", "ue8m0", "e2m1", "bf16", "f16x2", "u2"]
    memory = [np.full(64 + 8 * 1024 + 64, 0x5A, np.uint8) for _ in range(12)]

    def tensor(shape: tuple[int, ...], dtype: str) -> Tensor:
        bits = DLPACK[dtype][1] * DLPACK[dtype][2]
        return Tensor(chosen.choice(memory)[64 : 64 + int(np.prod(shape)) * bits // 8], DLPACK[dtype], shape)

    def argument(name: str, shape: tuple[int, ...], dtype: str) -> Any:
        if chosen.random() < 0.05:
            return chosen.choice(ANYTHING)
        if name in LIKELY:
            return chosen.choice(LIKELY[name])
        if chosen.random() < 0.2:
            dtype = chosen.choice(dtypes)
        return tensor(chosen.choice(shapes) if chosen.random() < 0.1 else shape, dtype)

    called = 0
    for name, parameters in re.findall(r'"(\w+)\(([^"]*)\)"\)', source):
        for _ in range(100):
            like = chosen.choice(shapes), chosen.choice(dtypes)
            arguments = [argument(parameter, *like) for parameter in parameters.split(", ")]
            try:
                module[name](*arguments)
                called += 1
            except (TypeError, ValueError):
                pass
    assert called > 100
    for whole in memory:
        assert (whole[:64] == 0x5A).all()
        assert (whole[-64:] == 0x5A).all()
