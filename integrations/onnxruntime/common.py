# SPDX-License-Identifier: MIT
"""Sessions of ONNX Runtime with and without the library of operators, and the bytes of tensors."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np
import onnxruntime
from onnx import ModelProto, helper
from onnxruntime import OrtValue

LIBRARY = os.environ.get("PTO_ONNXRUNTIME", "build/integrations-onnxruntime/libpto_onnxruntime.so")


def session(proto: ModelProto, *, library: bool = True, threads: int = 1) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    if library:
        options.register_custom_ops_library(LIBRARY)
    return onnxruntime.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])


def tensor(x: Any, kind: int) -> OrtValue:
    """Returns an array as a tensor of an element type of ONNX. The elements of an array have the size of that type."""
    x = np.asarray(x, order="C")
    if helper.tensor_dtype_to_np_dtype(kind) == x.dtype and x.dtype.kind in "fiu":
        return OrtValue.ortvalue_from_numpy(x)
    return OrtValue.ortvalue_from_numpy_with_onnx_type(x.view(f"u{x.itemsize}"), kind)


def data(value: OrtValue, bits: int) -> bytes:
    """Returns the bytes of a tensor whose elements have this many bits."""
    count = int(np.prod(value.shape(), dtype=np.int64))
    return ctypes.string_at(value.data_ptr(), -(-count * bits // 8)) if count else b""


def run(
    proto: ModelProto | onnxruntime.InferenceSession, inputs: dict[str, OrtValue], **options: Any
) -> list[OrtValue]:
    active = session(proto, **options) if isinstance(proto, ModelProto) else proto
    return active.run_with_ort_values(None, inputs)
