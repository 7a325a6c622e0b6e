# SPDX-License-Identifier: MIT
"""Replaces the casts of an ONNX model between floats by pto.Cast, which has the results of ONNX's definition.

python replace_casts.py MODEL.onnx NEW.onnx [--all]
"""

from __future__ import annotations

import argparse

import onnx
from onnx import TensorProto, helper

# The floating-point types of ONNX that pto.Cast takes, with their names in libpto.
NAMES = {
    TensorProto.DOUBLE: "f64",
    TensorProto.FLOAT: "f32",
    TensorProto.FLOAT16: "f16",
    TensorProto.BFLOAT16: "bf16",
    TensorProto.FLOAT8E4M3FN: "e4m3",
    TensorProto.FLOAT8E5M2: "e5m2",
    TensorProto.FLOAT8E4M3FNUZ: "e4m3fnuz",
    TensorProto.FLOAT8E5M2FNUZ: "e5m2fnuz",
    TensorProto.FLOAT4E2M1: "e2m1",
}
WIDE = ("f64", "f32", "f16", "bf16")


def overflow_of(target: str, saturate: int) -> str:
    """Returns what ONNX defines for values that are too large: ``saturate`` applies only to types of 8 bits."""
    return "ieee" if target in WIDE or (target != "e2m1" and not saturate) else "saturate"


def replace_casts(model: onnx.ModelProto, *, wide: bool = False) -> int:
    """Replaces Cast nodes in place, also in subgraphs of control flow, and returns how many. Functions do not change.

    A node is replaced if its source and target are floats and one of them has 8 or 4 bits; with ``wide`` also casts
    between f64, f32, f16 and bf16. Nodes whose source type shape inference does not find stay as they are.
    """
    inferred = onnx.shape_inference.infer_shapes(model)
    count = _replace(model.graph, inferred.graph, {}, wide)
    if count and all(entry.domain != "pto" for entry in model.opset_import):
        model.opset_import.append(helper.make_opsetid("pto", 1))
    return count


def _replace(graph: onnx.GraphProto, inferred: onnx.GraphProto, outer: dict[str, int], wide: bool) -> int:
    types = dict(outer)
    for value in (*inferred.input, *inferred.value_info, *inferred.output):
        types[value.name] = value.type.tensor_type.elem_type
    types.update((tensor.name, tensor.data_type) for tensor in inferred.initializer)
    count = 0
    for node, twin in zip(graph.node, inferred.node, strict=True):
        for attribute, other in zip(node.attribute, twin.attribute, strict=True):
            if attribute.HasField("g"):
                count += _replace(attribute.g, other.g, types, wide)
        if node.op_type != "Cast" or node.domain not in ("", "ai.onnx"):
            continue
        given = {attribute.name: attribute.i for attribute in node.attribute}
        source, target = NAMES.get(types.get(node.input[0], 0)), NAMES.get(given["to"])
        if source is None or target is None or (source in WIDE and target in WIDE and not wide):
            continue
        overflow = overflow_of(target, given.get("saturate", 1))
        new = helper.make_node("Cast", node.input, node.output, node.name, domain="pto", to=target, overflow=overflow)
        node.CopyFrom(new)
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="the file to read")
    parser.add_argument("new", help="the file to write")
    parser.add_argument("--all", action="store_true", help="also casts between f64, f32, f16 and bf16")
    arguments = parser.parse_args()
    model = onnx.load(arguments.model)
    print(f"{replace_casts(model, wide=arguments.all)} casts replaced")
    onnx.save(model, arguments.new)


if __name__ == "__main__":
    main()
