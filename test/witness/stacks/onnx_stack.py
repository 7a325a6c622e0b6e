# SPDX-License-Identifier: MIT
"""ONNX: QuantizeLinear of the reference evaluator, which is given libpto's scales."""

import block_rules as rules
import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

PACKAGES = ("onnx",)
RULES = ("fp8.div",)
KINDS = {"e4m3": TensorProto.FLOAT8E4M3FN, "e5m2": TensorProto.FLOAT8E5M2}


def covers(case, blocks):
    return case.block[0] == 1 and case.wide == "f32"


def answer(case, blocks, ours):
    node = helper.make_node("QuantizeLinear", ["x", "s"], ["q"], axis=0, output_dtype=KINDS[case.elem], saturate=1)
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "s")]
    found = [helper.make_tensor_value_info("q", KINDS[case.elem], None)]
    graph = helper.make_graph([node], "quantize", values, found)
    evaluator = ReferenceEvaluator(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)]))
    with np.errstate(all="ignore"):
        codes = evaluator.run(None, {"x": blocks, "s": ours.scales})[0]
    return rules.Answer(codes.view(np.uint8), None, None)


def known(case, blocks, ours):
    return ()
