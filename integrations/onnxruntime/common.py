# SPDX-License-Identifier: MIT
"""Models of one or more nodes, sessions with and without the library of operators, and the bytes of tensors."""

from __future__ import annotations

import ctypes
import os
from typing import Any

import ml_dtypes
import numpy as np
import onnxruntime
from onnx import ModelProto, NodeProto, TensorProto, helper
from onnxruntime import OrtValue

LIBRARY = os.environ.get("PTO_ONNXRUNTIME", "build/integrations-onnxruntime/libpto_onnxruntime.so")

# The types of ONNX, with their names in libpto and the dtypes of arrays that hold them. e2m1 has two codes in a byte.
ONNX: dict[str, Any] = {
    "f64": (TensorProto.DOUBLE, np.float64),
    "f32": (TensorProto.FLOAT, np.float32),
    "f16": (TensorProto.FLOAT16, np.float16),
    "bf16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
    "e4m3": (TensorProto.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn),
    "e5m2": (TensorProto.FLOAT8E5M2, ml_dtypes.float8_e5m2),
    "e4m3fnuz": (TensorProto.FLOAT8E4M3FNUZ, ml_dtypes.float8_e4m3fnuz),
    "e5m2fnuz": (TensorProto.FLOAT8E5M2FNUZ, ml_dtypes.float8_e5m2fnuz),
    "e2m1": (TensorProto.FLOAT4E2M1, np.uint8),
    "u4": (TensorProto.UINT4, np.uint8),
    "s4": (TensorProto.INT4, np.uint8),
    "s8": (TensorProto.INT8, np.int8),
    "u8": (TensorProto.UINT8, np.uint8),
    "s16": (TensorProto.INT16, np.int16),
    "u16": (TensorProto.UINT16, np.uint16),
    "s32": (TensorProto.INT32, np.int32),
    "u32": (TensorProto.UINT32, np.uint32),
    "s64": (TensorProto.INT64, np.int64),
    "u64": (TensorProto.UINT64, np.uint64),
    "tf32": (TensorProto.FLOAT, np.float32),
}
BYTES = (TensorProto.UINT8, np.uint8)  # e2m3, e3m2, ue8m0, s2f6, ue5m3 and others, which ONNX Runtime lacks


def onnx_type(name: str) -> int:
    return ONNX.get(name, BYTES)[0]


def model(
    nodes: list[NodeProto],
    inputs: dict[str, tuple[int, Any]],
    outputs: dict[str, tuple[int, Any]],
    opset: int = 23,
) -> ModelProto:
    """Returns a model. Inputs and outputs have an element type of ONNX and a shape, in which None is any number."""
    values = [
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in group.items()]
        for group in (inputs, outputs)
    ]
    graph = helper.make_graph(nodes, "test", *values)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("pto", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=11)


def node(kind: str, inputs: list[str], outputs: list[str], **attributes: Any) -> NodeProto:
    return helper.make_node(kind, inputs, outputs, domain="pto", **attributes)


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


def floats(count: int) -> Any:
    """Returns random codes of f32, and special ones: zeros, infinities, NaNs, limits and values close to ties."""
    random = np.random.default_rng(1).integers(0, 1 << 32, count, np.uint32)
    small = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
    near = (small[:1024].view(np.uint32)[:, None] + np.array([0, 1, 0xFFFFFFFF], np.uint32)).reshape(-1)
    ties = np.arange(0x3C000000, 0x44000000, 0x20000, dtype=np.uint32)  # ties of e4m3 and e5m2, and between
    special = np.array([0, 1 << 31, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFC12345, 1, 0x7F7FFFFF], np.uint32)
    chosen = np.concatenate([special, ties, ties + 1, ties - 1, ties | (1 << 31), near])
    random[: len(chosen)] = chosen[: len(random)]
    return random.view(np.float32)


def values(name: str, count: int) -> Any:
    """Returns all codes of a type of at most 16 bits, or ``count`` codes of another; 4-bit codes two in a byte."""
    if name in ("f32", "tf32"):
        return floats(count)
    bits = 8 * np.dtype(ONNX.get(name, BYTES)[1]).itemsize
    if bits <= 16:
        return np.arange(1 << bits, dtype=f"u{bits // 8}")
    codes = np.random.default_rng(2).integers(0, 1 << 64, count, np.uint64)
    if name == "f64":
        with np.errstate(invalid="ignore"):
            codes[: count // 2] = floats(count // 2).astype(np.float64).view(np.uint64)
    return (codes >> np.uint64(64 - bits)).astype(f"u{bits // 8}")
