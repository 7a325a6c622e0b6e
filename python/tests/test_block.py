# SPDX-License-Identifier: MIT
"""Block scaling: shapes, types, levels, and stacks of matrices."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pto
import pto.checkpoint


def tensor(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32) * 10


@pytest.mark.parametrize("rule", pto.rules())
def test_every_rule_there_and_back(rule: str, isa: str) -> None:
    x = tensor(32, 256)
    q = pto.quantize(x, rule=rule)
    elem = q.elem
    y = pto.dequantize(q.codes, q.scales, elem, rule, tensor=q.tensor)
    assert y.shape == x.shape
    for same in (pto.dequantize(q), pto.dequantize(*q), q.dequantize()):
        assert same.tobytes() == y.tobytes()
    error = np.linalg.norm(y - x) / np.linalg.norm(x)
    assert error < (0.12 if elem == "e2m1" else 0.04), error
    kinds = {"mx": ml_dtypes.float8_e8m0fnu, "nv": ml_dtypes.float8_e4m3fn, "fp": np.float32, "bf": np.uint8}
    assert q.scales.dtype == (np.uint8 if rule == "nv.quark" else kinds[rule[:2]])


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


def test_a_quantized_tensor_knows_how_it_was_made() -> None:
    x = tensor(256, 129)
    q = pto.quantize(x, "e2m1", "mx.even", block=(1, 64))
    assert (q.elem, q.rule, q.block, q.tensor, q.two_level, q.cols) == ("e2m1", "mx.even", (1, 64), None, False, 129)
    assert pto.dequantize(q).shape == x.shape
    assert q.dequantize(to="bf16").dtype == ml_dtypes.bfloat16
    out = np.zeros(x.shape, np.float16)
    assert pto.dequantize(q, to="f16", out=out) is out
    assert (out == pto.dequantize(q)).all()
    one = pto.quantize(x, ml_dtypes.float8_e5m2, "fp8.div", block=(128, 128), pow2=True)
    assert one.elem == "e5m2"
    assert float(abs(pto.dequantize(one) - x).max()) < 5
    single = pto.quantize(x, rule="nv.ct", two_level=False)
    assert not single.two_level
    assert pto.dequantize(*single).tobytes() == single.dequantize().tobytes()
    assert pto.dequantize(pto.quantize(x, "e5m2").codes, pto.quantize(x, "e5m2").scales).shape == x.shape
    with pytest.raises(TypeError, match="codes: a Quantized has its own"):
        pto.dequantize(q, q.scales)
    with pytest.raises(TypeError, match="codes: a Quantized has its own"):
        pto.dequantize(q, rule="nv.te")
    with pytest.raises(TypeError, match="scales: they are needed"):
        pto.dequantize(q.codes)


NV_OF_ONE_LEVEL = ("nv.gguf", "nv.onednn", "nv.quark")
NV_OF_TWO_LEVELS = [r for r in pto.rules() if r.startswith("nv.") and r not in NV_OF_ONE_LEVEL]
NV_OF_ONE_OR_TWO = [r for r in NV_OF_TWO_LEVELS if not r.startswith("nv.46.")]


@pytest.mark.parametrize("rule", [r for r in pto.rules() if r.startswith("nv.46.")])
def test_four_over_six(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long row is one block, whose scale needs all elements. The scale of a block may be either of two."""
    x = tensor(2, 4096)
    long = pto.quantize(x[:1], rule=rule, block=(1, 0))
    monkeypatch.setattr(pto._block, "_LONG", 8)
    again = pto.quantize(x[:1], rule=rule, block=(1, 0))
    monkeypatch.undo()
    assert again.codes.tobytes() == long.codes.tobytes()
    assert again.scales.tobytes() == long.scales.tobytes()
    q = pto.quantize(x, rule=rule)
    halves = [(q.codes >> at & 7).reshape(-1, 8).max(axis=1) for at in (0, 4)]
    largest = np.maximum(*halves)
    assert set(np.unique(largest)) == {6, 7}
    with pytest.raises(ValueError, match=f"^block: {re.escape(rule)} takes blocks of 1 row(, or of 16)?, not of 2$"):
        pto.quantize(x, rule=rule, block=(2, 16))
    with pytest.raises(ValueError, match=f"^two_level: {re.escape(rule)} needs it$"):
        pto.quantize(x, rule=rule, two_level=False)


@pytest.mark.parametrize("rule", NV_OF_ONE_LEVEL)
def test_rules_of_one_level(rule: str) -> None:
    x = tensor(4, 64)
    q = pto.quantize(x, rule=rule)
    assert (q.elem, q.tensor, q.two_level) == ("e2m1", None, False)
    with pytest.raises(ValueError, match=f"two_level: {rule} does not take it; legal for: nv.te, "):
        pto.quantize(x, rule=rule, two_level=True, tensor=1.0)


def test_integers_of_eight_bits() -> None:
    x = np.array([[1, -1, 127 / 64, -2 + 1 / 128, 1 / 128, 3 / 128, 0, np.nan]], np.float32)
    q = pto.quantize(x[:, :7], rule="mx.int8")
    assert q.codes.dtype == np.uint8
    assert q.codes.view(np.int8).tolist() == [[64, -64, 127, -127, 0, 2, 0]]
    assert pto.dequantize(q).tolist() == [[1, -1, 127 / 64, -127 / 64, 0, 2 / 64, 0]]
    assert np.isnan(pto.dequantize(pto.quantize(x, rule="mx.int8"))).all()


@pytest.mark.parametrize("rule", ["mx.cann", "nv.quark", "fp8.hf", "mx.int8"])
def test_rules_without_random_rounding(rule: str) -> None:
    with pytest.raises(ValueError, match=f"^rbits: {re.escape(rule)} does not take it; legal for: mx.floor, .*fp8.ct$"):
        pto.quantize(tensor(4, 128), rule=rule, rbits=np.zeros((4, 32), np.uint32))


@pytest.mark.parametrize("rule", NV_OF_ONE_OR_TWO)
def test_the_number_of_the_tensor_is_needed(rule: str) -> None:
    """Without the second-level value, results would be thousands of times too large."""
    x = tensor(4, 64)
    q = pto.quantize(x, "e2m1", rule)
    for call in (
        lambda **k: pto.dequantize(q.codes, q.scales, "e2m1", rule, **k),
        lambda **k: pto.requantize(x, q.scales, "e2m1", rule, **k),
    ):
        with pytest.raises(ValueError, match=f"tensor: {rule} has two levels"):
            call()
        call(two_level=False)
        call(tensor=q.tensor)
        with pytest.raises(ValueError, match=f"tensor: {rule} has one level"):
            call(tensor=q.tensor, two_level=False)
    with pytest.raises(ValueError, match="tensor: mx.rceil has one level"):
        pto.quantize(x, tensor=2.0)
    with pytest.raises(ValueError, match="tensor: fp8.div has one level"):
        pto.quantize(x, rule="fp8.div", tensor=1e-4)
    with pytest.raises(ValueError, match="eps: it is for FP8"):
        pto.quantize(x, "e2m1", rule, eps=1e-4)


RECIPES = pto.checkpoint.RECIPES


@pytest.mark.parametrize("name", RECIPES)
def test_recipes(name: str) -> None:
    recipe, x = RECIPES[name], tensor(128, 256)
    q = pto.quantize(x, name)
    parts = {"block": recipe.block, "eps": recipe.eps, "pow2": recipe.pow2, "two_level": recipe.two_level}
    want = pto.quantize(x, recipe.elem, recipe.rule, **parts)
    assert q.codes.tobytes() == want.codes.tobytes()
    assert q.scales.tobytes() == want.scales.tobytes()
    assert q[2:] == want[2:]
    back = pto.dequantize(q.codes, q.scales, name, tensor=q.tensor)
    assert back.tobytes() == pto.dequantize(q).tobytes()
    assert pto.requantize(x, q.scales, name, tensor=q.tensor).tobytes() == q.codes.tobytes()
    for wrong in ({"rule": "mx.floor"}, {"block": (1, 8)}, {"eps": 1e-3}, {"pow2": True}, {"two_level": False}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))}: the recipe {name} has its own"):
            pto.quantize(x, name, **wrong)  # type: ignore[arg-type]


def test_no_such_recipe() -> None:
    with pytest.raises(TypeError, match="elem: a type or a recipe .*nvfp4.* is wanted, not 'nvfp5'"):
        pto.quantize(tensor(4, 64), "nvfp5")
    with pytest.raises(TypeError, match="elem: a type or a recipe"):
        pto.dequantize(np.zeros(32, np.uint8), np.zeros(1, np.uint8), "fp8")


@pytest.mark.parametrize("rule", pto.rules())
def test_zeros_stay_zeros(rule: str) -> None:
    """Zeros stay zeros with the defaults, also as a block of a tensor with other values."""
    x = np.zeros((8, 256), np.float32)
    for some in (x, x + np.r_[np.zeros(128), np.ones(128)].astype(np.float32)):
        q = pto.quantize(some, rule=rule)
        back = pto.dequantize(q)
        assert (back[:, :128] == 0).all()
        assert np.isfinite(back).all()


@pytest.mark.parametrize("rule", NV_OF_TWO_LEVELS)
def test_tiny_tensors_have_a_number(rule: str) -> None:
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        for value in (2.0**-149, 2.0**-133, 2.0**-24, 0.0):
            q = pto.quantize(np.full((2, 32), value, dtype), rule=rule)
            assert np.isfinite(q.tensor)
            assert np.isfinite(pto.dequantize(q)).all()


def test_eps_as_each_stack_has_it() -> None:
    x = np.full((1, 128), 1e-30, np.float32)
    for rule, eps in (("fp8.div", 1e-10), ("fp8.rcp", 1e-4), ("fp8.mul", 1e-10), ("fp8.te", 0.0)):
        assert pto.quantize(x, rule=rule).scales.tobytes() == pto.quantize(x, rule=rule, eps=eps).scales.tobytes()
    for rule in ("fp8.div", "fp8.rcp", "fp8.mul"):
        q = pto.quantize(x * 0, rule=rule, eps=0)
        assert q.scales[0, 0] == 0
        assert np.isnan(q.codes.astype(np.float32)).all()
    for wrong in (1e-50, -1.0):
        with pytest.raises(ValueError, match="eps|fp8.div"):
            pto.quantize(x, rule="fp8.div", eps=wrong)


def test_the_number_of_compressed_tensors() -> None:
    """compressed-tensors' generate_gparam computes in the type of the weight."""
    for dtype, amax in ((ml_dtypes.bfloat16, 0.0874), (np.float16, 0.0874), (np.float32, 0.0874)):
        x = np.full((1, 16), amax, dtype)
        reciprocal = (np.float32(1) / x[0, :1].astype(np.float32)).astype(dtype).astype(np.float32)
        want = (np.float32(2688) * reciprocal).astype(dtype)
        assert pto.quantize(x, rule="nv.ct").tensor == float(want[0])
    assert pto.quantize(np.full(16, np.nan, np.float32), rule="nv.ct").tensor == 1


def test_long_rows_are_cut_without_a_trace() -> None:
    """A long call is divided into pieces; the bits are those of small calls at any position."""
    x = np.random.default_rng(3).standard_normal((1, (1 << 22) + 77)).astype(np.float32)
    words = pto.random_bits(3, x.shape[1] // 4 + 1).reshape(1, -1)
    for rule, elem, block in (("mx.rceil", "e2m1", (1, 32)), ("fp8.div", "e4m3", (1, 128)), ("nv.te", "e2m1", (1, 16))):
        number = 5.0 if rule == "nv.te" else None
        q = pto.quantize(x, elem, rule, block=block, rbits=words, tensor=number)
        at = (1 << 20) + 128
        part = slice(at, at + (1 << 20))
        per = 2 if elem == "e2m1" else 1
        small = pto.quantize(
            x[:, part], elem, rule, block=block, rbits=words[:, part.start // 4 : part.stop // 4], tensor=number
        )
        assert q.codes[:, part.start // per : part.stop // per].tobytes() == small.codes.tobytes()
        assert q.scales[:, part.start // block[1] : part.stop // block[1]].tobytes() == small.scales.tobytes()
        assert pto.dequantize(q)[:, part].tobytes() == pto.dequantize(small).tobytes()
        pto.set_num_threads(3)
        again = pto.quantize(x, elem, rule, block=block, rbits=words, tensor=number)
        back = pto.dequantize(again)
        pto.set_num_threads(1)
        assert again.codes.tobytes() == q.codes.tobytes()
        assert again.scales.tobytes() == q.scales.tobytes()
        assert back.tobytes() == pto.dequantize(q).tobytes()


EPS_RULES = ("fp8.div", "fp8.rcp", "fp8.mul", "fp8.te")
RANDOM_RULES = pto.rules()[: pto.rules().index("fp8.ct") + 1]


@pytest.mark.parametrize("rule", [r for r in pto.rules() if not r.startswith(("nv.46.", "bfp."))])
@pytest.mark.parametrize("special", [None, np.nan, np.inf, 0.0])
def test_long_blocks(rule: str, special: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Very large blocks are quantized in two steps, with the same bits as in one."""
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        x = (tensor(6, 256) * 3).astype(dtype)
        if special is not None:
            x[3, 7] = special
            x = x * dtype(0) if special == 0 else x
        words = pto.random_bits(1, 6 * 64).reshape(6, 64)
        for some, rbits in ((x, None), (x, words), (x[:1], words[:1]), (x[3], None)):
            for named in ({}, {"pow2": True}, {"eps": 100.0}):
                takes = {"pow2": ("fp8.div", "fp8.rcp", "fp8.te"), "eps": (*EPS_RULES, "fp8.ao")}
                if (named and rule not in takes[next(iter(named))]) or (rbits is not None and rule not in RANDOM_RULES):
                    continue
                want = pto.quantize(some, rule=rule, block=(0, 0), rbits=rbits, **named)
                monkeypatch.setattr(pto._block, "_LONG", 8)
                got = pto.quantize(some, rule=rule, block=(0, 0), rbits=rbits, **named)
                monkeypatch.undo()
                assert got.codes.tobytes() == want.codes.tobytes()
                assert got.scales.tobytes() == want.scales.tobytes()


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
    with pytest.raises(TypeError, match="^elem: nv.te does not take e4m3; legal: e2m1$"):
        pto.quantize(x, "e4m3", "nv.te")
    for elem in (None, "mxfp8", "nvfp4"):
        with pytest.raises(TypeError, match=r"^x: \S+ does not take f64; legal: f16, bf16, f32$"):
            pto.quantize(x.astype(np.float64), elem)
    with pytest.raises(TypeError, match="^to: mx.rceil does not take u8; legal: f16, bf16, f32$"):
        pto.dequantize(np.zeros((4, 64), np.uint8), np.zeros((4, 2), np.uint8), "e4m3", to="u8")
    for rule in ("mx.rceil", "nv.te", "fp8.mul"):
        with pytest.raises(ValueError, match=f"^pow2: {rule} does not take it; legal for: fp8.div, fp8.rcp, fp8.te$"):
            pto.quantize(x, rule=rule, pow2=True)
    with pytest.raises(ValueError, match=r"^two_level: mx.rceil does not take it; legal for: nv.te, .*nv.46.modelopt$"):
        pto.quantize(x, two_level=True, tensor=1.0)
    with pytest.raises(ValueError, match=r"^eps: mx.rceil does not take it; legal for: fp8.div, .*fp8.ao$"):
        pto.quantize(x, eps=1e-3)
    for eps in (-1.0, math.nan):
        with pytest.raises(ValueError, match="^eps: a number of at least 0"):
            pto.quantize(x, rule="fp8.div", eps=eps)
    with pytest.raises(ValueError, match="^block: e2m1 takes an even number of columns, 1, or 0 for all, not 3$"):
        pto.quantize(x, "e2m1", "mx.floor", block=(1, 3))
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
    """Sources are copied if their layout requires it; results never are."""
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


# for each layout: the elements of a block, the bytes of the codes of 32 elements, and the bytes of 32 x 64 elements
PACKS = {
    "gguf_mxfp4": (32, 16, 1088),
    "gguf_nvfp4": (16, 16, 1152),
    "tt_tile": (16, 32, 2176),
    "tt_tile4": (16, 16, 1152),
}


@pytest.mark.parametrize("layout", PACKS)
def test_packs_there_and_back(layout: str) -> None:
    rng = np.random.default_rng(2)
    block, row_bytes, size = PACKS[layout]
    codes = rng.integers(0, 256, (32, 2 * row_bytes), dtype=np.uint8)
    scales = rng.integers(0, 256, (32, 64 // block), dtype=np.uint8)
    packed = pto.block_pack(codes, scales, layout)
    assert packed.shape == (size,)
    codes_back, scales_back = pto.block_unpack(packed, layout, 32, 64)
    np.testing.assert_array_equal(codes_back, codes)
    np.testing.assert_array_equal(scales_back.view(np.uint8), scales)
    apart = np.zeros((32, 2 * row_bytes + 5), np.uint8)
    apart[:, :-5] = codes
    np.testing.assert_array_equal(pto.block_pack(apart[:, :-5], scales, layout), packed)


def test_packs_of_tiles() -> None:
    """Exponents and codes run over the faces of 16 by 16, and over the rows of each face."""
    scales = np.arange(128, dtype=np.uint8).reshape(64, 2)
    codes = np.arange(64 * 32, dtype=np.uint16).astype(np.uint8).reshape(64, 32)
    tiles = pto.block_pack(codes, scales, "tt_tile").reshape(2, 1088)
    faces = codes.reshape(2, 2, 16, 2, 16).transpose(0, 1, 3, 2, 4)
    np.testing.assert_array_equal(tiles[:, 64:], faces.reshape(2, 1024))
    np.testing.assert_array_equal(tiles[:, :64], scales.reshape(2, 2, 16, 2).transpose(0, 1, 3, 2).reshape(2, 64))


def test_packs_of_partial_units() -> None:
    codes, scales = np.zeros((2, 24), np.uint8), np.zeros((2, 3), np.uint8)
    with pytest.raises(ValueError, match="gguf_nvfp4 does not store 2 rows of 48"):
        pto.block_pack(codes, scales, "gguf_nvfp4")
    with pytest.raises(ValueError, match="tt_tile does not store 2 rows of 48"):
        pto.block_unpack(np.zeros(96, np.uint8), "tt_tile", 2, 48)
    with pytest.raises(ValueError, match="codes: its shape"):
        pto.block_pack(codes, scales[:, :2], "gguf_mxfp4")
    with pytest.raises(ValueError, match="layout: one of gguf_mxfp4"):
        pto.block_pack(codes, scales, "q4_0")
    with pytest.raises(ValueError, match="scales: it has 1 dimensions"):
        pto.block_pack(codes, scales[0], "gguf_mxfp4")


@pytest.mark.parametrize(("elem", "bits"), [("bfp8", 7), ("bfp4", 3)])
def test_block_floating_point(elem: str, bits: int, isa: str) -> None:
    """Codes are a sign and the significand shifted to the largest exponent, rounded after the shift."""
    x = tensor(8, 64)
    q = pto.quantize(x, elem, "bfp.tt")
    field = (x.view(np.uint32) >> 23 & 255).astype(np.int64).reshape(-1, 16)
    largest = field.max(axis=1)
    np.testing.assert_array_equal(q.scales.reshape(-1), largest)
    kept = np.trunc(np.ldexp(np.abs(x.reshape(-1, 16)).astype(np.float64), 150 - largest[:, None]))
    m = np.minimum(np.rint(kept / 2 ** (24 - bits)), 2**bits - 1)
    codes = np.where(m == 0, 0, m + (x.reshape(-1, 16) < 0) * 2**bits).astype(np.uint8).reshape(8, 64)
    want = codes if elem == "bfp8" else codes[:, ::2] | codes[:, 1::2] << 4
    np.testing.assert_array_equal(q.codes, want)
    y = np.ldexp(m, (largest - 126 - bits)[:, None]) * np.sign(x.reshape(-1, 16))
    np.testing.assert_array_equal(q.dequantize().reshape(-1, 16), y)
    assert q.dequantize(to="bf16").dtype == ml_dtypes.bfloat16


def test_block_floating_point_has_no_given_scales() -> None:
    q = pto.quantize(tensor(1, 32), rule="bfp.tt")
    with pytest.raises(ValueError, match="bfp.tt"):
        pto.requantize(tensor(1, 32), q.scales, "bfp8", "bfp.tt")
    with pytest.raises(TypeError, match="bfp8"):
        pto.cast(tensor(32), "bfp8")
    with pytest.raises(ValueError, match="block"):
        pto.quantize(tensor(1, 32), rule="bfp.tt", block=(1, 32))


def test_packs_of_quantized() -> None:
    x = tensor(32, 64)
    for rule, layout in (("mx.gguf", "gguf_mxfp4"), ("nv.gguf", "gguf_nvfp4")):
        q = pto.quantize(x, "e2m1", rule)
        codes, scales = pto.block_unpack(pto.block_pack(q.codes, q.scales, layout), layout, 32, 64)
        back = pto.dequantize(codes, scales, "e2m1", rule)
        assert back.tobytes() == q.dequantize().tobytes()


SMALL = (1e-50, Fraction(1, 10**50), Fraction(1, 10**400), Decimal("1e-60"), np.float64(1e-50), -1e-50)
LARGE = (1e39, -1e39, 10**39, 10**400, -(10**400), Fraction(10**400, 3), np.float64(1e39), Decimal("1e50"))


@pytest.mark.filterwarnings("error")
def test_a_number_that_f32_does_not_have() -> None:
    """The rounding to f32 does not turn a second-level value or an eps into 0 or infinity."""
    x = np.ones(16, np.float32)
    q = pto.quantize(x, "nvfp4", tensor=2.0)
    for number, problem in [(n, ".* is 0 in f32") for n in SMALL] + [(n, "it is too large for f32") for n in LARGE]:
        for call in (
            lambda n=number: pto.quantize(x, "e2m1", "nv.te", tensor=n),
            lambda n=number: pto.requantize(x, q.scales, "nvfp4", tensor=n),
            lambda n=number: pto.dequantize(q.codes, q.scales, "nvfp4", tensor=n),
        ):
            with pytest.raises(ValueError, match=f"^tensor: {problem}"):
                call()
        with pytest.raises(ValueError, match=f"^eps: {problem}"):
            pto.quantize(x, rule="fp8.div", eps=number)
    with pytest.raises(ValueError, match="^eps: inf is not finite"):
        pto.quantize(x, rule="fp8.div", eps=np.inf)
    for wrong in ("1", 1j, [1.0], np.ones(2)):
        with pytest.raises(TypeError, match="^tensor: a number is wanted"):
            pto.quantize(x, "nvfp4", tensor=wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="^eps: a number is wanted"):
            pto.quantize(x, rule="fp8.div", eps=wrong)  # type: ignore[arg-type]
    for same in (2, Fraction(2), Decimal(2), np.float32(2), np.array(2.0)):
        assert pto.quantize(x, "nvfp4", tensor=same).scales.tobytes() == q.scales.tobytes()  # type: ignore[arg-type]


# ---- arrays of a call that overlap, and calls that write nothing ----


def room(nbytes: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 120, nbytes, dtype=np.uint8)


def test_results_over_random_words_of_a_later_piece() -> None:
    """A long call is divided into pieces, each of which overlaps only words of a later piece."""
    rows, cols = 4096, 1024
    n = rows * cols
    x = np.ones((rows, cols), np.float32)
    memory = room(2 * n)
    words = memory[:n].view(np.uint32).reshape(rows, cols // 4)
    before = memory.copy()
    for start, size in ((n // 2, n), (n // 2, n // 32)):
        one = memory[start : start + size].reshape(rows, -1)
        out = (one, None) if size == n else (None, one)
        with pytest.raises(ValueError, match="overlaps"):
            pto.quantize(x, "e4m3", "mx.floor", rbits=words, out=out)
        assert (memory == before).all()
    with pytest.raises(ValueError, match="overlaps"):
        pto.requantize(
            x, np.ones((rows, 32), np.uint8), rbits=words, out=memory[n // 2 : n // 2 + n].reshape(rows, cols)
        )
    assert (memory == before).all()


def test_results_over_another_matrix_of_the_stack() -> None:
    n = 64 * 64
    memory = room(12 * n)
    before = memory.copy()
    scales = np.full((2, 64, 2), 127, np.uint8)
    codes, out = memory[: 2 * n].reshape(2, 64, 64), memory[n : 9 * n].view(np.float32).reshape(2, 64, 64)
    with pytest.raises(ValueError, match="overlaps"):  # out[0] over codes[1]
        pto.dequantize(codes, scales, "e4m3", out=out)
    factors = memory[9 * n - 256 : 9 * n].reshape(2, 64, 2)
    with pytest.raises(ValueError, match="overlaps"):  # out[1] over scales[0]
        pto.dequantize(room(2 * n).reshape(2, 64, 64), factors, "e4m3", out=out)
    x = memory[2 * n : 10 * n].view(np.float32).reshape(2, 64, 64)
    inside, few = memory[5 * n : 7 * n].reshape(2, 64, 64), memory[5 * n : 5 * n + 256].reshape(2, 64, 2)
    for some in (x, x[::-1], x[:, ::-1][:, ::-1]):  # results in one of the matrices
        for call in (
            lambda some=some: pto.quantize(some, out=(inside, scales)),
            lambda some=some: pto.quantize(some, out=(None, few)),
            lambda some=some: pto.requantize(some, scales, out=inside),
        ):
            with pytest.raises(ValueError, match="overlaps"):
                call()
    assert (memory == before).all()


def test_stacks_in_any_order() -> None:
    """Stacks that are reversed or broadcast are read where they are."""
    x = tensor(3, 8, 64)
    want = pto.quantize(x)
    got = pto.quantize(x[::-1])
    assert got.codes.tobytes() == want.codes[::-1].tobytes()
    assert got.scales.tobytes() == want.scales[::-1].tobytes()
    same = pto.quantize(np.broadcast_to(x[0], x.shape))
    assert all(same.codes[i].tobytes() == want.codes[0].tobytes() for i in range(3))
    back = pto.dequantize(got.codes[::-1], got.scales[::-1])
    assert back.tobytes() == want.dequantize().tobytes()
    beside = np.zeros((3, 8, 128), np.float32)
    beside[..., 64:] = x
    assert pto.quantize(beside[..., 64:]).codes.tobytes() == want.codes.tobytes()


def test_a_call_that_raises_has_written_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operand of every matrix is checked first, also if the scale of a long block is computed first."""
    monkeypatch.setattr(pto._block, "_LONG", 64)
    read_only = np.broadcast_to(np.uint8(0), (2, 1, 128))
    codes, x = np.zeros((2, 1, 128), np.uint8), tensor(2, 1, 128)
    for some, wrong, words in (
        (x, codes[..., :127], None),
        (x, codes[:, :, :64], None),
        (x, codes[:1], None),
        (x, read_only, None),
        (x, codes.astype(np.float16), None),
        (x, codes, np.zeros((2, 1, 5), np.uint32)),
        (x, codes, np.zeros((1, 1, 32), np.uint32)),
        (x, codes, np.zeros((2, 1, 32), np.int32)),
        (x, codes, np.zeros((2, 1, 64), np.uint32)[..., :62:2]),
        (x[:0], codes[:0, :, :127], None),
    ):
        for rule in ("fp8.div", "fp8.te"):
            scales = np.full((len(some), 1, 1), -7, np.float32)
            with pytest.raises((ValueError, TypeError), match=r"^(codes|rbits): "):
                pto.quantize(some, rule=rule, block=(1, 0), rbits=words, out=(wrong, scales))
            assert (scales == -7).all()
    y = x[0].copy()
    with pytest.raises(ValueError, match="overlaps"):
        pto.quantize(y, rule="fp8.div", block=(1, 0), out=(codes[0], y[:, 5:6]))
    assert (codes == 0).all()
    assert (y == x[0]).all()


def test_results_right_after_the_last_row() -> None:
    """The bytes between the end of the last row and the start of a next one belong to no operand."""
    memory = np.zeros(4 * 64 * 4 + 4 * 32, np.uint8)
    x = memory[: 4 * 64 * 4].view(np.float32).reshape(4, 64)[:, 32:]
    x[:] = tensor(4, 32)
    codes = memory[4 * 64 * 4 :].reshape(4, 32)
    assert pto.quantize(x, out=(codes, None)).codes.tobytes() == pto.quantize(x).codes.tobytes()


# ---- e2m1, packed or one in a byte ----


@pytest.mark.parametrize("dtype", [np.int8, "S1", np.bool_, ml_dtypes.float8_e4m3fn, ml_dtypes.int4, ml_dtypes.uint4])
def test_codes_of_e2m1_are_bytes_or_float4(dtype: Any) -> None:
    """Other dtypes of one byte would be ambiguous: packed, or one code in a byte."""
    q = pto.quantize(tensor(4, 32), "mxfp4")
    codes = q.codes.view(dtype)
    with pytest.raises(TypeError, match="codes: elements of type e2m1 are wanted"):
        pto.dequantize(codes, q.scales, "mxfp4")
    with pytest.raises(TypeError, match="codes: elements of type e2m1 are wanted"):
        q._replace(codes=codes, cols=16).dequantize()
    with pytest.raises(TypeError, match="codes: elements of type e2m1 are wanted"):
        pto.dequantize(q.codes.astype(np.int64), q.scales, "mxfp4")


def test_float4_is_not_written() -> None:
    x = tensor(2, 32)
    out = np.zeros((2, 16), ml_dtypes.float4_e2m1fn)
    with pytest.raises(TypeError, match="codes: e2m1 is written two in a byte"):
        pto.quantize(x, "mxfp4", out=(out, None))
    with pytest.raises(TypeError, match="codes: e2m1 is written two in a byte"):
        pto.requantize(x, pto.quantize(x, "mxfp4").scales, "mxfp4", out=out)


def test_cols_of_float4_are_those_of_codes() -> None:
    codes, scales = np.ones((1, 5), ml_dtypes.float4_e2m1fn), np.full((1, 1), 127, np.uint8)
    for cols in (None, 5):
        assert pto.dequantize(codes, scales, "mxfp4", cols=cols).tolist() == [[1] * 5]
    for cols in (4, 6):
        with pytest.raises(ValueError, match=f"cols: a row of codes has 5 elements, not {cols}"):
            pto.dequantize(codes, scales, "mxfp4", cols=cols)
    assert pto.dequantize(codes[0, 0], scales[0], "mxfp4").tolist() == [1]
