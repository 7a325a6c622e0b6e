# SPDX-License-Identifier: MIT
"""Block scaling: shapes, types, levels, and that matrices go one by one."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import pto


def tensor(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32) * 10


@pytest.mark.parametrize("rule", pto.rules())
def test_every_rule_there_and_back(rule: str, isa: str) -> None:
    x = tensor(32, 256)
    elem = "e2m1" if rule.startswith("nv.") else "e4m3"
    q = pto.quantize(x, elem, rule)
    y = pto.dequantize(q.codes, q.scales, elem, rule, tensor=q.tensor)
    assert y.shape == x.shape
    error = np.linalg.norm(y - x) / np.linalg.norm(x)
    assert error < (0.12 if elem == "e2m1" else 0.04), error
    assert (
        q.scales.dtype
        == {
            "mx": ml_dtypes.float8_e8m0fnu,
            "nv": ml_dtypes.float8_e4m3fn,
            "fp": np.float32,
        }[rule[:2]]
    )


@pytest.mark.parametrize(
    ("shape", "scales"), [((64,), (2,)), ((3, 64), (3, 2)), ((2, 3, 64), (2, 3, 2)), ((0, 64), (0, 2))]
)
def test_shapes(shape: tuple[int, ...], scales: tuple[int, ...]) -> None:
    x = tensor(*shape)
    q = pto.quantize(x)
    assert q.codes.shape == shape
    assert q.scales.shape == scales
    assert pto.dequantize(q.codes, q.scales).shape == shape
    assert pto.requantize(x, q.scales).tobytes() == q.codes.tobytes()


def test_stacks_are_matrices_one_by_one() -> None:
    x = tensor(3, 128, 256)
    q = pto.quantize(x, "e4m3", "fp8.div", block=(128, 128))
    assert q.scales.shape == (3, 1, 2)
    for i in range(3):
        one = pto.quantize(x[i], "e4m3", "fp8.div", block=(128, 128))
        assert one.codes.tobytes() == q.codes[i].tobytes()
        assert one.scales.tobytes() == q.scales[i].tobytes()


def test_steps_and_outs() -> None:
    x = tensor(8, 128)
    want = pto.quantize(np.ascontiguousarray(x[::2, :64]))
    codes, scales = np.full((4, 70), 9, np.uint8), np.zeros((4, 2), np.uint8)
    got = pto.quantize(x[::2, :64], out=(codes[:, :64], scales))
    assert got.scales is scales
    np.testing.assert_array_equal(codes[:, :64], want.codes.view(np.uint8))
    np.testing.assert_array_equal(scales, want.scales.view(np.uint8))
    assert (codes[:, 64:] == 9).all()
    assert pto.quantize(x.T).codes.tobytes() == pto.quantize(x.T.copy()).codes.tobytes()


def test_e2m1_of_odd_rows() -> None:
    x = tensor(3, 33)
    q = pto.quantize(x, "e2m1", "mx.even")
    assert q.codes.shape == (3, 17)
    y = pto.dequantize(q.codes, q.scales, "e2m1", "mx.even", cols=33)
    assert y.shape == x.shape
    loose = np.stack([q.codes & 15, q.codes >> 4], axis=-1).reshape(3, 34)[:, :33].view(ml_dtypes.float4_e2m1fn)
    np.testing.assert_array_equal(pto.dequantize(loose, q.scales, "e2m1", "mx.even"), y)


def test_two_levels() -> None:
    x = tensor(4, 64)
    with_level, without = pto.quantize(x, rule="nv.te"), pto.quantize(x, rule="nv.te", two_level=False)
    assert with_level.tensor == float(np.abs(x).max())
    assert without.tensor is None
    given = pto.quantize(x, rule="nv.te", tensor=with_level.tensor)
    assert given.codes.tobytes() == with_level.codes.tobytes()


def test_random_rounding() -> None:
    x = tensor(4, 64)
    words = pto.random_bits(1, 4 * 16).reshape(4, 16)
    q = pto.quantize(x, rbits=words)
    assert q.codes.tobytes() != pto.quantize(x).codes.tobytes()
    assert q.codes.tobytes() == pto.quantize(x, rbits=words).codes.tobytes()


def test_what_is_refused() -> None:
    x = tensor(4, 64)
    with pytest.raises(ValueError, match="rule: one of mx.floor"):
        pto.quantize(x, rule="mx.middle")
    with pytest.raises(TypeError, match="nv.te of f32 to e4m3"):
        pto.quantize(x, "e4m3", "nv.te")
    with pytest.raises(TypeError, match="f64"):
        pto.quantize(x.astype(np.float64))
    with pytest.raises(ValueError, match="pow2"):
        pto.quantize(x, pow2=True)
    with pytest.raises(ValueError, match=r"scales: its shape is \(4, 1\), and not \(4, 2\)"):
        pto.requantize(x, np.zeros((4, 1), np.uint8))
    fixed = np.zeros((4, 64), np.uint8)
    fixed.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        pto.quantize(x, out=(fixed, np.zeros((4, 2), np.uint8)))
    with pytest.raises(ValueError, match="overlaps"):
        pto.quantize(x, out=(x.view(np.uint8)[:, :64], np.zeros((4, 2), np.uint8)))
    with pytest.raises(ValueError, match="scales: its bytes"):
        pto.quantize(x, rule="fp8.div", out=(fixed.copy(), np.zeros((4, 1), ">f4")))
    with pytest.raises(ValueError, match="out: of more than two"):
        pto.dequantize(
            np.zeros((2, 3, 32), np.uint8), np.zeros((2, 3, 1), np.uint8), out=tensor(2, 32, 3).swapaxes(1, 2)
        )
    with pytest.raises(ValueError, match="layout"):
        pto.scales_swizzle(np.zeros((4, 4), np.uint8), "5x5")


def test_as_many_matrices() -> None:
    codes, scales = np.zeros((3, 2, 64), np.uint8), np.zeros((3, 2, 2), np.uint8)
    with pytest.raises(ValueError, match="scales: it has 2 matrices, and codes has 3"):
        pto.dequantize(codes, scales[:2])
    with pytest.raises(ValueError, match="scales: it has 3 matrices, and codes has 2"):
        pto.dequantize(codes[:2], scales)
    with pytest.raises(ValueError, match="out: it has 5 matrices, and codes has 3"):
        pto.dequantize(codes, scales, out=np.zeros((5, 2, 64), np.float32))
    with pytest.raises(ValueError, match="codes: it has 2 matrices, and x has 3"):
        pto.quantize(tensor(3, 2, 64), out=(codes[:2], None))


def test_stacks_with_steps() -> None:
    """Operands are copied where they must be; what is written never is."""
    x = tensor(4, 3, 64)
    steps = x.swapaxes(0, 1)
    q = pto.quantize(steps)
    assert q.codes.tobytes() == pto.quantize(steps.copy()).codes.tobytes()
    back = pto.dequantize(q.codes.swapaxes(0, 1), q.scales.swapaxes(0, 1))
    assert back.tobytes() == pto.dequantize(q.codes, q.scales).swapaxes(0, 1).tobytes()
    with pytest.raises(ValueError, match="codes: of more than two"):
        pto.quantize(x, out=(np.zeros((3, 4, 64), np.uint8).swapaxes(0, 1), None))


@pytest.mark.parametrize("layout", ["rows", "128x4", "8x4", "mn_x4", "32x8"])
def test_layouts_there_and_back(layout: str) -> None:
    s = np.random.default_rng(1).integers(1, 255, (130, 7), dtype=np.uint8)
    tiled = pto.scales_swizzle(s, layout)
    np.testing.assert_array_equal(pto.scales_unswizzle(tiled, layout, 130, 7), s)
    np.testing.assert_array_equal(np.sort(tiled[tiled != 0]), np.sort(s.ravel()))
