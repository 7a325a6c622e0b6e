# SPDX-License-Identifier: MIT
"""Models of nodes of the domain pto, and values for them. The tests of ONNX Runtime and of OpenVINO use them."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper

import pto

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


# ---- Cvt ----

FORMS = pto.forms("cvt")


def words(form: str) -> tuple[str, str]:
    """Returns the destination and the source type of a form."""
    target, source = (re.sub(r"x[24]$", "", word) for word in form.split(".")[-2:])
    return target, source


def extra_of(form: str, count: int) -> Any:
    """Returns the second operand of a form for ``count`` elements, or None."""
    rng = np.random.default_rng(3)
    if ".rs" in form:
        group = 2 if words(form)[0] in ("f16", "bf16") else 4
        return rng.integers(0, 1 << 32, count // group, np.uint32)
    if ".scaled" in form:
        return rng.integers(0, 256, count // (2 if "::n1" in form else 1)).astype(np.uint8)
    return None


def expected(form: str, x: Any, extra: Any) -> bytes:
    if extra is None:
        return np.ascontiguousarray(pto.cvt(form, x)).tobytes()
    if ".rs" in form:
        return np.ascontiguousarray(pto.cvt(form, x, extra)).tobytes()
    return np.ascontiguousarray(pto.cvt(form, x, scales=extra)).tobytes()


def typed(x: Any, name: str) -> Any:
    """Returns codes as an array that pto.cvt takes for elements of a type."""
    return x.view(ONNX[name][1]) if name in ONNX else x


# ---- Quantize and Dequantize ----

ELEMENTS = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "s2f6", "bfp8", "bfp4")
WIDE = ("f32", "f16", "bf16")
SHAPES: list[tuple[int, ...]] = [(70,), (1,), (0,), (5, 100), (33, 16), (4, 0), (2, 3, 70), (1, 17, 256)]


def cases() -> list[tuple[str, str]]:
    """Returns the pairs of an element type and a rule that pto.quantize takes."""
    found = []
    for rule in pto.rules():
        for elem in ELEMENTS:
            try:
                pto.quantize(np.zeros(16, np.float32), elem, rule)
            except (TypeError, ValueError):
                continue
            found.append((elem, rule))
    return found


CASES = cases()


def has_level(rule: str) -> bool:
    return rule.startswith("nv.") and rule not in ("nv.gguf", "nv.onednn", "nv.quark")


def scale_type(rule: str, as_bytes: bool) -> int:
    if rule.startswith("fp8."):
        return TensorProto.FLOAT
    is_e4m3 = rule.startswith("nv.") and rule != "nv.quark"
    return TensorProto.FLOAT8E4M3FN if is_e4m3 and not as_bytes else TensorProto.UINT8


def proto_of(rank: int, wide: str, as_bytes: bool) -> Any:
    """Returns a model that quantizes and dequantizes x in all cases."""
    nodes, outputs = [], {}
    shape = [f"d{i}" for i in range(rank)]
    for i, (elem, rule) in enumerate(CASES):
        results = [f"c{i}", f"s{i}"] + ([f"t{i}"] if has_level(rule) else [])
        nodes.append(node("Quantize", ["x"], results, elem=elem, rule=rule, bytes=int(as_bytes)))
        nodes.append(node("Dequantize", results, [f"y{i}"], elem=elem, rule=rule, to=wide))
        outputs[f"c{i}"] = (TensorProto.UINT8 if as_bytes else onnx_type(elem), [None] * rank)
        outputs[f"s{i}"] = (scale_type(rule, as_bytes), [None] * rank)
        outputs[f"y{i}"] = (onnx_type(wide), [None] * rank)
        if has_level(rule):
            outputs[f"t{i}"] = (TensorProto.FLOAT, [])
    return model(nodes, {"x": (onnx_type(wide), shape)}, outputs)


def sample(shape: tuple[int, ...], wide: str, *, finite: bool) -> Any:
    """Returns values of many magnitudes; unless ``finite``, some are infinite or NaN."""
    rng = np.random.default_rng(4)
    x = rng.standard_normal(shape) * 2.0 ** rng.integers(-12, 12, shape)
    flat = x.reshape(-1)
    flat[::17] = 0
    if not finite and len(flat):
        flat[:: max(1, len(flat) // 3)] = np.inf
        flat[len(flat) // 2] = np.nan
    return x.astype(ONNX[wide][1])
