# SPDX-License-Identifier: MIT
"""Models whose Cast nodes replace_casts() replaced: results are those of ONNX's definition, computed with ml_dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from common import data, run, tensor
from models import ONNX, model, onnx_type, values
from onnx import TensorProto, helper
from replace_casts import replace_casts

from oracle import LARGEST, SOURCES, cast_model, rounded, wrong


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("target", LARGEST)
@pytest.mark.parametrize("source", SOURCES)
def test_casts_are_correct(source: str, target: str, saturate: int) -> None:
    x = values(source, 1_000_000)
    proto = cast_model(source, target, saturate)
    assert replace_casts(proto) == 1
    result = run(proto, {"x": tensor(x, onnx_type(source))})[0]
    want = rounded(x.view(ONNX[source][1]), target, saturate)
    assert wrong(data(result, 4 if target == "e2m1" else 8), want) == 0


# ONNX Runtime cannot make a tensor of e2m1 from Python; the next test has its casts.
PAIRS = [(s, t) for s in (*LARGEST, *SOURCES) for t in SOURCES if s not in (t, "e2m1")]


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_casts_to_wide_types(source: str, target: str) -> None:
    x = values(source, 1_000_000)
    proto = cast_model(source, target)
    assert replace_casts(proto, wide=True) == 1
    result = run(proto, {"x": tensor(x, onnx_type(source))})[0]
    want = rounded(x.view(ONNX[source][1]), target)
    assert wrong(data(result, 8 * want.itemsize), want) == 0


def test_a_round_trip_through_four_bits() -> None:
    proto = model(
        [
            helper.make_node("Cast", ["x"], ["c"], to=TensorProto.FLOAT4E2M1),
            helper.make_node("Cast", ["c"], ["y"], to=TensorProto.FLOAT),
        ],
        {"x": (TensorProto.FLOAT, ["n"])},
        {"y": (TensorProto.FLOAT, ["n"])},
    )
    x = np.array([0.3, -7, 2.5, 0.25, 5.1], np.float32)
    with pytest.raises(Exception, match=r"(?i)not.implemented|Could not find an implementation"):
        run(proto, {"x": tensor(x, TensorProto.FLOAT)}, library=False)
    assert replace_casts(proto) == 2
    y = run(proto, {"x": tensor(x, TensorProto.FLOAT)})[0].numpy()
    assert np.array_equal(y, x.astype(ml_dtypes.float4_e2m1fn).astype(np.float32))


def test_other_casts_stay() -> None:
    proto = model(
        [
            helper.make_node("Cast", ["x"], ["a"], to=TensorProto.INT32),
            helper.make_node("Cast", ["x"], ["b"], to=TensorProto.FLOAT16),
            helper.make_node("Cast", ["a"], ["c"], to=TensorProto.FLOAT8E4M3FN),
        ],
        {"x": (TensorProto.FLOAT, [4])},
        {"b": (TensorProto.FLOAT16, [4]), "c": (TensorProto.FLOAT8E4M3FN, [4])},
    )
    before = proto.SerializeToString()
    assert replace_casts(proto) == 0
    assert proto.SerializeToString() == before


def test_casts_in_branches() -> None:
    kind = TensorProto.FLOAT8E4M3FN
    branches = {}
    for name in ("then_branch", "else_branch"):
        nodes = [
            helper.make_node("Cast", ["x"], ["v"], to=kind),
            helper.make_node("Cast", ["v"], ["w"], to=TensorProto.FLOAT),
        ]
        branches[name] = helper.make_graph(
            nodes, name, [], [helper.make_tensor_value_info("w", TensorProto.FLOAT, [3])]
        )
    proto = model(
        [helper.make_node("If", ["c"], ["y"], **branches)],
        {"x": (TensorProto.FLOAT, [3]), "c": (TensorProto.BOOL, [])},
        {"y": (TensorProto.FLOAT, [3])},
    )
    assert replace_casts(proto) == 4
    x = np.array([0.3, -1000, 2.5], np.float32)
    feeds = {"x": tensor(x, TensorProto.FLOAT), "c": tensor(np.array(True).view(np.uint8), TensorProto.BOOL)}
    y = run(proto, feeds)[0].numpy()
    assert np.array_equal(y, rounded(x, "e4m3").astype(np.float32))


def test_a_wrong_cast_is_found() -> None:
    x = values("f32", 100_000)
    proto = cast_model("f32", "e4m3")
    replace_casts(proto)
    next(a for a in proto.graph.node[0].attribute if a.name == "overflow").s = b"ieee"
    result = run(proto, {"x": tensor(x, TensorProto.FLOAT)})[0]
    with np.errstate(all="ignore"):
        assert wrong(data(result, 8), rounded(x, "e4m3")) > 1000
