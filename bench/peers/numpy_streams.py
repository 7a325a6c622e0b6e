# SPDX-License-Identifier: MIT
"""What numpy_peer.py and numpy_block.py share: libpto's names, and arrays where both sides have them alike."""

import ctypes
import sys

import numpy as np

BOOL = np.dtype(bool)
TYPES = {"s16": "i2", "s32": "i4", "s64": "i8", "f16": "f2", "f32": "f4", "f64": "f8"}
TYPES |= {"u8": "u1", "u16": "u2", "u32": "u4"}
PACKED, BYTE = 0, 5  # kinds of pto_mask: they have no spelling to parse, but wrong ones do not pass the verification


class Mask(ctypes.Structure):
    """pto_mask."""

    _fields_ = [("data", ctypes.c_void_p), ("kind", ctypes.c_int)]


class CvtOp(ctypes.Structure):
    """pto_cvt_op."""

    _fields_ = [(name, ctypes.c_int) for name in ("dst", "src", "round")]
    _fields_ += [(name, ctypes.c_bool) for name in ("ftz", "sat", "satfinite", "relu", "pzo")]
    _fields_ += [("scale", ctypes.c_int)]


def parsed(library, word, text, result):
    """What libpto's own parser makes of a name, so that no enum value is repeated here."""
    if library[f"pto_parse_{word}"](text.encode(), ctypes.byref(result), None) != 0:
        sys.exit(f"numpy_peer: libpto does not know {text}")
    return result


def stream(kind, lanes, place):
    """An array on a cache line. Each place has another offset in its page: at one and the same they would collide."""
    size = lanes * kind.itemsize
    memory = np.empty(size + 8192, np.uint8)
    start = -memory.ctypes.data % 4096 + 1088 * place
    return memory[start : start + size].view(kind)


def filled(kind, lanes, place):
    """A stream of random data, without NaNs: in their payloads NumPy and a GPU differ."""
    array, random = stream(kind, lanes, place), np.random.default_rng(place)
    if kind.kind == "f":
        array[:] = random.standard_normal(lanes) * 1000
    else:
        octets = np.frombuffer(random.bytes(array.nbytes), np.uint8)
        array.view(np.uint8)[:] = octets & 1 if kind == BOOL else octets
    return array


def at(array):
    return ctypes.c_void_p(array.ctypes.data)
