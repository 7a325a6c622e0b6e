# SPDX-License-Identifier: MIT
"""Runs models on OpenVINO's CPU device, with and without the extension. Results are bytes with a shape."""

from __future__ import annotations

import io
import os
from typing import Any, NamedTuple

import numpy as np
import openvino
from onnx import ModelProto, TensorProto

EXTENSION = os.environ.get("PTO_OPENVINO", "build/integrations-openvino/extension/libpto_openvino.so")

TYPES = {
    TensorProto.DOUBLE: openvino.Type.f64,
    TensorProto.FLOAT: openvino.Type.f32,
    TensorProto.FLOAT16: openvino.Type.f16,
    TensorProto.BFLOAT16: openvino.Type.bf16,
    TensorProto.FLOAT8E4M3FN: openvino.Type.f8e4m3,
    TensorProto.FLOAT8E5M2: openvino.Type.f8e5m2,
    TensorProto.FLOAT4E2M1: openvino.Type.f4e2m1,
    TensorProto.FLOAT8E8M0: openvino.Type.f8e8m0,
    TensorProto.UINT8: openvino.Type.u8,
    TensorProto.INT8: openvino.Type.i8,
    TensorProto.UINT16: openvino.Type.u16,
    TensorProto.INT16: openvino.Type.i16,
    TensorProto.UINT32: openvino.Type.u32,
    TensorProto.INT32: openvino.Type.i32,
    TensorProto.UINT64: openvino.Type.u64,
    TensorProto.INT64: openvino.Type.i64,
}
# The types that OpenVINO has, with their names in libpto. It lacks e4m3fnuz and e5m2fnuz.
NATIVE = ("f64", "f32", "f16", "bf16", "e4m3", "e5m2", "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "tf32")


class Result(NamedTuple):
    """A tensor: its bytes and shape."""

    data: bytes
    shape: tuple[int, ...]


def read(proto: ModelProto, *, extension: bool = True) -> tuple[Any, Any]:
    """Returns OpenVINO's core and a model."""
    core = openvino.Core()
    if extension:
        core.add_extension(EXTENSION)
    return core, core.read_model(io.BytesIO(proto.SerializeToString()))


def load(proto: ModelProto, *, extension: bool = True, threads: int = 2) -> Any:
    """Returns a model that is compiled for the CPU, to compute in the types of its tensors."""
    core, model = read(proto, extension=extension)
    options = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1}
    return core.compile_model(model, "CPU", options)


def tensor(x: Any, kind: int, shape: Any = None) -> Any:
    """Returns an array as a tensor of an element type of ONNX. e2m1 needs the shape: it has two codes in a byte."""
    shape = list(np.shape(x) if shape is None else shape)
    result = openvino.Tensor(TYPES[kind], openvino.Shape(shape))
    if result.byte_size:
        codes = np.frombuffer(np.ascontiguousarray(x).tobytes(), np.uint8)
        result.data.reshape(-1).view(np.uint8)[:] = codes
    return result


def run(active: Any, feeds: dict[str, Any]) -> list[Result]:
    active = load(active) if isinstance(active, ModelProto) else active
    request = active.create_infer_request()
    for name, value in feeds.items():
        request.set_tensor(name, value)
    request.infer()
    tensors = [request.get_output_tensor(i) for i in range(len(active.outputs))]
    return [Result(t.data.tobytes() if t.size else b"", tuple(t.shape)) for t in tensors]
