# SPDX-License-Identifier: MIT
"""Block scaling for numpy_peer.py: a few of its rules, as one writes them in NumPy with ml_dtypes."""

import ctypes
from functools import partial

import ml_dtypes
import numpy as np

from numpy_streams import CvtOp, at, filled, parsed, stream

try:
    import gfloat
    from gfloat import formats
except ImportError:
    gfloat = None

F = np.float32
LARGEST = F(8000)  # above all numbers of the data
EPS = F(1e-10)
WIDES = {"f32": np.dtype(F), "bf16": np.dtype(ml_dtypes.bfloat16)}
TYPES = {"e4m3": (ml_dtypes.float8_e4m3fn, F(448)), "e2m1": (ml_dtypes.float4_e2m1fn, F(6))}
QUANTIZE = ["mx.rceil.e4m3.f32", "mx.rceil.e4m3.bf16", "mx.rceil.e2m1.f32", "nv.te.e2m1.f32", "fp8.div.e4m3.f32"]
DEQUANTIZE = ["mx.rceil.f32.e4m3", "mx.rceil.bf16.e4m3"]


class Op(ctypes.Structure):
    """pto_block_op."""

    _fields_ = [(name, ctypes.c_int) for name in ("wide", "elem", "rule", "round")]
    _fields_ += [("pow2", ctypes.c_bool), ("two_level", ctypes.c_bool), ("tensor", ctypes.c_float)]
    _fields_ += [("block_rows", ctypes.c_size_t), ("block_cols", ctypes.c_size_t)]


def op_of(library, rule, elem, wide):
    """Of blocks as the rule's stacks have them."""
    library.pto_block_rule_name.restype = ctypes.c_char_p
    number = next(i for i in range(256) if library.pto_block_rule_name(i).decode() == rule)
    types = (parsed(library, "dtype", name, ctypes.c_int()).value for name in (wide, elem))
    nearest = parsed(library, "cvt", "cvt.rn.f16.f32", CvtOp()).round
    tensor = {"mx": 0, "nv": LARGEST, "fp8": EPS}[rule.split(".")[0]]
    return Op(*types, number, nearest, False, rule.startswith("nv"), tensor, 1, block_of(rule))


def block_of(rule):
    return {"mx": 32, "nv": 16, "fp8": 128}[rule.split(".")[0]]


# ---- in NumPy: x is a block a row; codes and scales are written ----


def store(y, elem, codes):
    """Rounded to elements; of e2m1 two in a byte."""
    kind, largest = TYPES[elem]
    np.clip(y, -largest, largest, out=y)
    if elem == "e4m3":
        codes.view(kind)[:] = y.reshape(-1)
    else:
        pairs = y.astype(kind).view(np.uint8).reshape(-1, 2)
        np.bitwise_or(pairs[:, 0], pairs[:, 1] << 4, out=codes)


def amax_of(x):
    return np.abs(x).max(axis=1)


def mx_rceil(x, elem, codes, scales):
    x = x.astype(F, copy=False)
    bits = (amax_of(x) * (F(1) / TYPES[elem][1])).view(np.uint32)
    code = (bits >> 23) + ((bits & 0x7FFFFF) != 0)
    scales[:] = code
    store(x * ((254 - code).astype(np.uint32) << 23).view(F)[:, None], elem, codes)


def nv_te(x, elem, codes, scales):
    encode = F(2688) / LARGEST
    scales.view(ml_dtypes.float8_e4m3fn)[:] = np.minimum(amax_of(x) * (encode * F(1 / 6)), F(448))
    value = scales.view(ml_dtypes.float8_e4m3fn).astype(F)
    store(x * (F(1) / (value * (F(1) / encode)))[:, None], elem, codes)


def fp8_div(x, elem, codes, scales):
    scale = np.maximum(amax_of(x), EPS) / F(448)
    scales.view(F)[:] = scale
    store(x / scale[:, None], elem, codes)


def restore(codes, scales, y):
    """The way back of MX."""
    scale = (scales.astype(np.uint32) << 23).view(F)
    y[:] = codes.view(ml_dtypes.float8_e4m3fn).astype(F).reshape(-1, 32) * scale[:, None]


def mx_floor(x, _elem, codes, scales):
    """By gfloat, to e4m3."""
    info, x = formats.format_info_ocp_e4m3, x.astype(np.float64)
    scale = np.array([gfloat.compute_scale_amax(info.emax, row) for row in x])
    codes[:] = gfloat.encode_ndarray(info, gfloat.round_ndarray(info, x / scale[:, None], sat=True)).reshape(-1)
    scales[:] = gfloat.encode_ndarray(formats.format_info_ocp_e8m0, scale)


RULES = {"mx.rceil": mx_rceil, "mx.floor": mx_floor, "nv.te": nv_te, "fp8.div": fp8_div}


# ---- cells, as numpy_peer.py has them ----


def quantize_cell(library, name, size):
    """Codes and, behind them, scales are one stream, so that both are compared."""
    rule, elem, wide = name.rsplit(".", 2)
    kind, block = WIDES[wide], block_of(rule)
    lanes = size // kind.itemsize
    blocks, code_bytes = lanes // block, lanes // (2 if elem == "e2m1" else 1)
    dst = stream(np.dtype(np.uint8), code_bytes + blocks * (4 if rule == "fp8.div" else 1), 0)
    codes, scales = dst[:code_bytes], dst[code_bytes:]
    x = stream(kind, lanes, 1)
    x[:] = filled(np.dtype(F), lanes, 1)
    op, one, zero, n = op_of(library, rule, elem, wide), *(ctypes.c_size_t(k) for k in (1, 0, lanes))
    ours = partial(library.pto_block_quantize, op, at(x), zero, one, n, at(codes), zero, at(scales), zero, None)
    return [dst, x], ours, {"": partial(RULES[rule], x.reshape(-1, block), elem, codes, scales)}


def dequantize_cell(library, name, size):
    rule, wide, elem = name.rsplit(".", 2)
    kind, block = WIDES[wide], block_of(rule)
    lanes = size // kind.itemsize
    y, codes, scales = stream(kind, lanes, 0), *(stream(np.dtype(np.uint8), k, 1) for k in (lanes, lanes // block))
    codes.view(TYPES[elem][0])[:] = np.random.default_rng(1).standard_normal(lanes)
    scales[:] = np.random.default_rng(2).integers(100, 150, lanes // block)
    op, one, zero, n = op_of(library, rule, elem, wide), *(ctypes.c_size_t(k) for k in (1, 0, lanes))
    ours = partial(library.pto_block_dequantize, op, at(codes), zero, at(scales), zero, one, n, at(y), zero)
    return [y, codes, scales], ours, {"": partial(restore, codes, scales, y.reshape(-1, block))}


def gfloat_cells():
    """The same recipe by gfloat, a reference that is not made for speed; none without it."""
    return [("quantize", quantize_cell, f"mx.floor.e4m3.{wide}") for wide in WIDES] if gfloat else []


def cells():
    """For numpy_peer.py's table."""
    quantize = [("quantize", quantize_cell, name) for name in QUANTIZE]
    return quantize + [("dequantize", dequantize_cell, name) for name in DEQUANTIZE]
