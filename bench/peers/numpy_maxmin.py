# SPDX-License-Identifier: MIT
"""The larger of two, clip, ReLU and where() with a scalar for numpy_peer.py."""

import ctypes
from functools import partial

import numpy as np

from numpy_streams import BOOL, BYTE, TYPES, Mask, at, filled, parsed, stream

# PTO_PROPAGATE_NAN, as np.maximum and np.clip do and np.fmax does not. Flags have no spelling to parse either; the data
# have NaNs, so that a wrong one does not pass the verification.
PROPAGATE_NAN = 4
CANONICAL = {"f16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FF8000000000000}
MAXIMA = {"maximum": ("u8", "s16", "s32", "f16", "f32"), "fmax": ("f16", "f32", "f64")}
ONE_ARRAY = {"clip": ("u8", "s32", "f32"), "relu": ("f16", "f32")}
FILLS = ("u8", "u16", "f32", "f64")


class In(ctypes.Structure):
    """pto_in."""

    _fields_ = [("data", ctypes.c_void_p), ("scalar", ctypes.c_bool)]


def array_in(array):
    return In(array.ctypes.data, False)


def scalar_in(array):
    operand = In(array.ctypes.data, True)
    operand.owner = array  # which nobody else need keep
    return operand


def with_nans(name, lanes, place):
    """A stream of random data; of floats a lane in some hundred is the NaN that a GPU makes."""
    kind = np.dtype(TYPES[name])
    array = filled(kind, lanes, place)
    if name in CANONICAL:
        array.view(f"u{kind.itemsize}")[place :: 97 + place] = CANONICAL[name]
    return array


def flags(word, name):
    return PROPAGATE_NAN if word != "fmax" and name in CANONICAL else 0


def maximum_cell(word, library, name, size):
    kind = np.dtype(TYPES[name])
    lanes = size // kind.itemsize
    dst, a, b = stream(kind, lanes, 0), with_nans(name, lanes, 1), with_nans(name, lanes, 2)
    dtype = parsed(library, "dtype", name, ctypes.c_int())
    operands = array_in(a), array_in(b), at(dst), ctypes.c_size_t(lanes)
    ours = partial(library.pto_vmax, dtype, flags(word, name), *operands)
    return [dst, a, b], ours, {"": partial(getattr(np, word), a, b, out=dst)}


def one_array_cell(word, library, name, size):
    """clip between two scalars, and ReLU as np.maximum with 0."""
    kind = np.dtype(TYPES[name])
    lanes = size // kind.itemsize
    dst, x = stream(kind, lanes, 0), with_nans(name, lanes, 1)
    dtype, rest = parsed(library, "dtype", name, ctypes.c_int()), (at(dst), ctypes.c_size_t(lanes))
    if word == "relu":
        ours = partial(library.pto_vrelu, dtype, flags(word, name), at(x), *rest)
        return [dst, x], ours, {"": partial(np.maximum, x, kind.type(0), out=dst)}
    bounds = np.array([50, 100], kind)
    scalars = scalar_in(bounds[:1]), scalar_in(bounds[1:])
    ours = partial(library.pto_vclamp, dtype, flags(word, name), array_in(x), *scalars, *rest)
    return [dst, x], ours, {"": partial(np.clip, x, *bounds, out=dst)}


def fill_cell(library, name, size):
    """A scalar where a random mask is off."""
    kind = np.dtype(TYPES[name])
    lanes = size // kind.itemsize
    dst, a, mask = stream(kind, lanes, 0), filled(kind, lanes, 1), filled(BOOL, lanes, 3)
    scalar = np.array([7], kind)

    def copied():
        dst.fill(scalar[0])
        np.copyto(dst, a, where=mask)

    dtype, given = parsed(library, "dtype", name, ctypes.c_int()), Mask(mask.ctypes.data, BYTE)
    operands = array_in(a), scalar_in(scalar), given, at(dst), ctypes.c_size_t(lanes)
    ours = partial(library.pto_vsels, dtype, *operands)
    return [dst, a, mask], ours, {"w": partial(np.where, mask, a, scalar[0]), "c": copied}


def cells():
    makers = [(maximum_cell, MAXIMA), (one_array_cell, ONE_ARRAY)]
    found = [
        (word, partial(make, word), name) for make, words in makers for word, names in words.items() for name in names
    ]
    return found + [("fill", fill_cell, name) for name in FILLS]
