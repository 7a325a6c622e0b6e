# SPDX-License-Identifier: MIT
"""Operands of the tests: codes of any type, as arrays of NumPy, tensors of any dtype of DLPack, or of torch."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

# The dtype of DLPack for each type: its code, bits and lanes, as dlpack.h numbers them.
DLPACK = {
    **{f"s{bits}": (0, bits, 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (1, bits, 1) for bits in (8, 16, 32, 64)},
    **{f"b{bits}": (1, bits, 1) for bits in (8, 16, 32, 64)},
    **{f"f{bits}": (2, bits, 1) for bits in (16, 32, 64)},
    "bf16": (4, 16, 1),
    "tf32": (2, 32, 1),
    "bool": (6, 8, 1),
    "e3m4": (7, 8, 1),
    "e4m3ieee": (8, 8, 1),
    "e4m3b11fnuz": (9, 8, 1),
    "e4m3": (10, 8, 1),
    "e4m3fnuz": (11, 8, 1),
    "e5m2": (12, 8, 1),
    "e5m2fnuz": (13, 8, 1),
    "ue8m0": (14, 8, 1),
    "e2m1": (17, 4, 2),
    "s4": (0, 4, 2),
    "u4": (1, 4, 2),
    "s2": (0, 2, 4),
    "u2": (1, 2, 4),
    "f16x2": (2, 16, 2),
    "bf16x2": (4, 16, 2),
    "u8x4": (1, 8, 4),
    "s8x4": (0, 8, 4),
    "u16x2": (1, 16, 2),
    "s16x2": (0, 16, 2),
}
# The bits of the exponent of floats: all of them are set in infinities and NaNs, and none in subnormals and zeros.
EXPONENTS = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "tf32": 0x7F800000, "f64": 0x7FF << 52}
WIDTHS = {"u2": 2, "s2": 2, "u4": 4, "s4": 4, "e2m1": 4, "e1m2": 4, "bfp4": 4, "tf32": 32, "bf16": 16}


def width(name: str) -> int:
    """Returns the bits of an element in memory."""
    if name in WIDTHS:
        return WIDTHS[name]
    if "x" in name[1:]:
        return 32
    return int(name[1:]) if name[0] in "bfsu" and name[1:].isdigit() else 8


def words(name: str) -> type[np.unsignedinteger[Any]]:
    """Returns the unsigned integers that have the codes of a type."""
    return {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}[max(width(name), 8)]


def codes(name: str, n: int, seed: int = 0) -> Any:
    """Returns a new array with random codes of n elements, among them special values."""
    return _codes(name, n, seed).copy()


@functools.cache
def _codes(name: str, n: int, seed: int) -> Any:
    random = np.random.default_rng([seed, *name.encode()])
    dtype = words(name)
    count = -(-n * width(name) // 8) if width(name) < 8 else n
    x = random.integers(0, np.iinfo(dtype).max, count, dtype, endpoint=True)
    exponent = dtype(EXPONENTS.get(name, 0))
    x[::5] |= exponent
    x[1::7] &= ~exponent
    x[2::11] = exponent
    x[3::13] = 0
    if width(name) < 8 and n * width(name) % 8:
        x[-1] &= (1 << (n * width(name) % 8)) - 1
    return x


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


@Deleter
def keep(_: int) -> None:
    """The memory belongs to Tensor."""


class Tensor:
    """A tensor over the memory of an array, with any dtype, device, shape, strides and offset in bytes."""

    def __init__(
        self,
        array: Any,
        dtype: tuple[int, int, int],
        shape: Sequence[int] | None = None,
        strides: Sequence[int] | None = None,
        device: int = 1,
        offset: int = 0,
    ) -> None:
        shape = array.shape if shape is None else shape
        self.array = array
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = None if strides is None else (ctypes.c_int64 * len(strides))(*strides)
        tensor = DLTensor(array.ctypes.data - offset, device, 0, len(shape), DLDataType(*dtype))
        tensor.shape = ctypes.cast(self.shape, ctypes.POINTER(ctypes.c_int64))
        if self.strides is not None:
            tensor.strides = ctypes.cast(self.strides, ctypes.POINTER(ctypes.c_int64))
        tensor.byte_offset = offset
        self.device = device
        self.managed = DLManagedTensor(tensor, None, keep)

    def __dlpack__(self, **_: Any) -> Any:
        return new_capsule(ctypes.addressof(self.managed), b"dltensor", None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


def in_numpy(array: Any, name: str) -> Any:
    """NumPy's dtype for the type, or unsigned integers if NumPy has none."""
    names = {
        **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
        **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
        **{"tf32": "float32", "bool": "bool"},
    }
    return array.view(names.get(name, array.dtype))


def in_dlpack(array: Any, name: str) -> Any:
    """The dtype of DLPack for the type, or unsigned integers if DLPack has none."""
    return Tensor(array, DLPACK.get(name, (1, max(width(name), 8), 1)))


def in_torch(array: Any, name: str) -> Any:
    import torch

    names = {
        **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
        **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
        **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
        **{"bf16": "bfloat16", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2", "e4m3fnuz": "float8_e4m3fnuz"},
        **{"e5m2fnuz": "float8_e5m2fnuz", "ue8m0": "float8_e8m0fnu", "tf32": "float32", "bool": "bool"},
    }
    tensor = torch.from_numpy(array)
    return tensor.view(getattr(torch, names[name])) if name in names else tensor


Way = Callable[[Any, str], Any]
WAYS: dict[str, Way] = {"numpy": in_numpy, "dlpack": in_dlpack, "torch": in_torch}
