# SPDX-License-Identifier: MIT
"""The expected results of ONNX's Cast, computed with NumPy and ml_dtypes. Nothing here calls libpto."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
from models import ONNX, model, onnx_type
from onnx import helper

LARGEST = {"e4m3": 448.0, "e5m2": 57344.0, "e4m3fnuz": 240.0, "e5m2fnuz": 57344.0, "e2m1": 6.0}
SOURCES = ("f32", "f16", "bf16")


def cast_model(source: str, target: str, saturate: int = 1) -> onnx.ModelProto:
    attributes = {} if target == "e2m1" or target not in LARGEST else {"saturate": saturate}
    cast = helper.make_node("Cast", ["x"], ["y"], to=onnx_type(target), **attributes)
    return model([cast], {"x": (onnx_type(source), [None])}, {"y": (onnx_type(target), [None])})


def rounded(x: Any, target: str, saturate: int = 1) -> Any:
    """Returns x as ONNX defines Cast: one rounding to nearest even, and the overflow of each type."""
    wide = x.astype(np.float32)
    if target == "e2m1":
        wide = np.where(np.isnan(wide), np.float32(6), np.clip(wide, -6, 6))
        codes = wide.astype(ml_dtypes.float4_e2m1fn).view(np.uint8)
        return codes[0::2] | codes[1::2] << 4
    if target in LARGEST and saturate:
        wide = np.clip(wide, -LARGEST[target], LARGEST[target])
    return wide.astype(ONNX[target][1])


def wrong(got: bytes, want: Any) -> int:
    """Returns how many results differ. Two NaNs are equal."""
    codes = np.frombuffer(got, f"u{want.itemsize}")
    differ = codes != want.view(codes.dtype)
    if want.dtype.kind != "u":
        differ &= ~(np.isnan(codes.view(want.dtype).astype(np.float32)) & np.isnan(want.astype(np.float32)))
    return int(np.count_nonzero(differ))
