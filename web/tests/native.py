# SPDX-License-Identifier: MIT
"""The native command and library, with which the page is compared."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("PTO_NATIVE", ROOT / "build/release"))
_lib = ctypes.CDLL(str(BUILD / "libpto.so"))


def command(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """Runs the command pto. Returns its exit status, and what it wrote to stdout and stderr."""
    done = subprocess.run([BUILD / "cli/pto", *arguments], input=stdin, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


# ---- block scaling ----


class Op(ctypes.Structure):
    """pto_block_op"""

    _fields_ = (
        ("wide", ctypes.c_int),
        ("elem", ctypes.c_int),
        ("rule", ctypes.c_int),
        ("round", ctypes.c_int),
        ("pow2", ctypes.c_bool),
        ("two_level", ctypes.c_bool),
        ("tensor", ctypes.c_float),
        ("block_rows", ctypes.c_size_t),
        ("block_cols", ctypes.c_size_t),
        ("reserved", ctypes.c_uint32 * 6),
    )


class Size(ctypes.Structure):
    """pto_block_size"""

    _fields_ = (
        ("row_bytes", ctypes.c_size_t),
        ("scale_rows", ctypes.c_size_t),
        ("scale_cols", ctypes.c_size_t),
        ("scale_bytes", ctypes.c_size_t),
        ("reserved", ctypes.c_size_t * 4),
    )


_size, _pointer = ctypes.c_size_t, ctypes.c_void_p
_lib.pto_block_rule_name.restype = ctypes.c_char_p
_lib.pto_dtype_name.restype = ctypes.c_char_p
_lib.pto_dtype_bits.restype = _size
_lib.pto_random_bits.argtypes = (_pointer, _pointer, _pointer, _size)
_lib.pto_block_check.argtypes = (Op,)
_lib.pto_block_sizes.argtypes = (Op, _size, _size, _pointer)
_lib.pto_block_amax.argtypes = (ctypes.c_int, _pointer, _size, _size, _size, ctypes.c_bool, _pointer)
_lib.pto_block_tensor.argtypes = (ctypes.c_int, ctypes.c_float, _pointer)
_lib.pto_block_quantize.argtypes = (
    *(Op, _pointer, _size, _size, _size),
    *(_pointer, _size, _pointer, _size, _pointer),
)
_lib.pto_block_dequantize.argtypes = (
    *(Op, _pointer, _size, _pointer, _size, _size, _size),
    *(_pointer, _size),
)


@functools.cache
def types() -> dict[str, int]:
    """Returns the types by their names."""
    names = [_lib.pto_dtype_name(i).decode() for i in range(64)]
    return {name: i for i, name in enumerate(names) if name != "?"}


@functools.cache
def rules() -> dict[str, int]:
    """Returns the rules by their names."""
    names = [_lib.pto_block_rule_name(i).decode() for i in range(64)]
    return {name: i for i, name in enumerate(names) if name != "?"}


RN, RS = 1, 6  # rounding modes
KEEP_NAN = ("nv.ao", "nv.modelopt", "nv.ct", "nv.46.modelopt")
ONE_LEVEL = ("nv.gguf", "nv.onednn", "nv.quark")
EPS = {"fp8.div": 1e-10, "fp8.rcp": 1e-4, "fp8.mul": 1e-10, "fp8.ao": 1e-12}  # as in the Python package
COLUMNS = {"mx": 32, "nv": 16, "bfp": 16, "fp8": 128}


def _checked(status: int) -> None:
    assert status == 0, f"the library returns status {status}"


def random_words(seed: int, count: int) -> np.ndarray:
    """Returns the words of Philox with a seed as key, from counter 0 on."""
    key, counter = np.array([seed & 0xFFFFFFFF, seed >> 32], np.uint32), np.zeros(4, np.uint32)
    words = np.zeros(count, np.uint32)
    _checked(_lib.pto_random_bits(key.ctypes.data, counter.ctypes.data, words.ctypes.data, count))
    return words


def quantize(
    x: np.ndarray, wide: str, elem: str, rule: str, pow2: bool = False, random: np.ndarray | None = None
) -> dict[str, list[int]]:
    """Quantizes a matrix, whose elements are bits. Returns the bits of codes, scales, values and second-level value.

    `random` are words for stochastic rounding; without them, elements are rounded to nearest.
    """
    family = rule.split(".")[0]
    two_level = family == "nv" and rule not in ONE_LEVEL
    eps = EPS.get(rule, 0)
    op = Op(types()[wide], types()[elem], rules()[rule], RN, pow2, two_level, eps, 1, COLUMNS[family])
    if random is not None:
        op.round = RS
    rows, cols = x.shape
    if two_level:
        amax = ctypes.c_float()
        level = ctypes.c_float()
        keep = rule in KEEP_NAN
        _checked(_lib.pto_block_amax(op.wide, x.ctypes.data, 0, rows, cols, keep, ctypes.byref(amax)))
        _checked(_lib.pto_block_tensor(op.rule, amax, ctypes.byref(level)))
        op.tensor = level
    size = Size()
    _checked(_lib.pto_block_sizes(op, rows, cols, ctypes.byref(size)))
    codes = np.zeros((rows, size.row_bytes), np.uint8)
    scales = np.zeros((size.scale_rows, size.scale_cols), f"u{size.scale_bytes}")
    y = np.zeros_like(x)
    _checked(
        _lib.pto_block_quantize(
            *(op, x.ctypes.data, 0, rows, cols, codes.ctypes.data, 0, scales.ctypes.data, 0),
            None if random is None else random.ctypes.data,
        )
    )
    _checked(_lib.pto_block_dequantize(op, codes.ctypes.data, 0, scales.ctypes.data, 0, rows, cols, y.ctypes.data, 0))
    if _lib.pto_dtype_bits(op.elem) == 4:
        codes = np.stack([codes & 15, codes >> 4], axis=-1).reshape(rows, -1)[:, :cols]
    tensor = np.array([op.tensor], np.float32).view(np.uint32)
    return {"codes": codes, "scales": scales, "values": y, "tensor": tensor}


def cases(is_stochastic: bool = False) -> list[tuple[str, str, str, bool]]:
    """Returns all families, element types, rules and powers of two that the library allows with a rounding."""
    found = []
    for rule in rules():
        family = rule.split(".")[0]
        for elem, number in types().items():
            for pow2 in (False, True):
                two_level = family == "nv" and rule not in ONE_LEVEL
                eps = EPS.get(rule, 0)
                rounding = RS if is_stochastic else RN
                op = Op(types()["f32"], number, rules()[rule], rounding, pow2, two_level, eps, 1, COLUMNS[family])
                if _lib.pto_block_check(op) == 0:
                    found.append((family, elem, rule, pow2))
    return found
