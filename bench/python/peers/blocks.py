# SPDX-License-Identifier: MIT
"""Block scaling written in NumPy with ml_dtypes, and the list of recipes."""

from typing import TypeAlias

import ml_dtypes
import numpy as np

from .data import Array

# Name, element type and libpto's rule. Peers that have a format by another rule list it themselves.
RECIPES = [
    ("MXFP8", "e4m3", "mx.floor"),
    ("MXFP4", "e2m1", "mx.floor"),
    ("MXFP8 rceil", "e4m3", "mx.rceil"),
    ("NVFP4", "e2m1", "nv.te"),
    ("FP8 1x128", "e4m3", "fp8.div"),
]
F = np.float32
Blocks: TypeAlias = tuple[Array, Array]  # codes and scales
KINDS = {"e4m3": (np.dtype(ml_dtypes.float8_e4m3fn), F(448), 8), "e2m1": (np.dtype(ml_dtypes.float4_e2m1fn), F(6), 2)}


def rows_of(x: Array, block: int) -> Array:
    return x.reshape(-1, block)


def elements_of(y: Array, elem: str) -> Array:
    """Returns the codes of rounded elements; those of e2m1 are packed two in a byte."""
    kind, largest, _ = KINDS[elem]
    np.clip(y, -largest, largest, out=y)
    codes = y.astype(kind).view(np.uint8)
    if elem == "e4m3":
        return codes
    pairs = codes.reshape(-1, 2)
    packed: Array = pairs[:, 0] | pairs[:, 1] << 4
    return packed


def by_power_of_two(x: Array, code: Array) -> Array:
    """Returns x / 2 ** (code - 127), which is exact."""
    power: Array = ((254 - code).astype(np.uint32) << 23).view(F)
    product: Array = x * power[:, None]
    return product


def mx_floor(x: Array, elem: str) -> Blocks:
    x = rows_of(x, 32)
    bits = np.abs(x).max(axis=1).view(np.uint32)
    code = np.maximum((bits >> 23).astype(np.int32) - KINDS[elem][2], 0)
    return elements_of(by_power_of_two(x, code), elem), code.astype(np.uint8)


def mx_rceil(x: Array, elem: str) -> Blocks:
    x = rows_of(x, 32)
    bits = (np.abs(x).max(axis=1) * (F(1) / KINDS[elem][1])).view(np.uint32)
    code = (bits >> 23) + ((bits & 0x7FFFFF) != 0)
    return elements_of(by_power_of_two(x, code), elem), code.astype(np.uint8)


def mx_back(codes: Array, scales: Array) -> Array:
    power = (scales.reshape(-1).view(np.uint8).astype(np.uint32) << 23).view(F)
    numbers: Array = rows_of(codes, 32).astype(F) * power[:, None]
    return numbers


def nv_te(x: Array, elem: str) -> Blocks:
    encode = F(2688) / np.abs(x).max()
    x = rows_of(x, 16)
    scales = np.minimum(np.abs(x).max(axis=1) * (encode * F(1 / 6)), F(448)).astype(ml_dtypes.float8_e4m3fn)
    return elements_of(x * (F(1) / (scales.astype(F) * (F(1) / encode)))[:, None], elem), scales


def fp8_div(x: Array, elem: str) -> Blocks:
    x = rows_of(x, 128)
    scales = np.abs(x).max(axis=1) / F(448)
    return elements_of(x / scales[:, None], elem), scales
