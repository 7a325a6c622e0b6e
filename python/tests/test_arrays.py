# SPDX-License-Identifier: MIT
"""Shapes, strides, dtypes, ``out`` arguments, and arguments that must be refused."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pto

E4M3 = "cvt.rn.satfinite.e4m3x2.f32"
Array = np.ndarray[Any, np.dtype[Any]]


def numbers(*shape: int) -> Array:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@st.composite
def views(draw: st.DrawFn) -> Array:
    """Draws an array that is sliced, strided, reversed and transposed."""
    shape = draw(st.lists(st.integers(0, 7), min_size=0, max_size=4))
    x = numbers(*shape)
    cuts = tuple(
        slice(draw(st.integers(0, 2)), None, draw(st.sampled_from([1, 1, 2, -1, -2]))) if n else slice(None)
        for n in shape
    )
    x = x[cuts]
    return x.transpose(draw(st.permutations(range(x.ndim))))


@given(views())
def test_any_view_is_as_its_copy(x: Array) -> None:
    whole = np.ascontiguousarray(x).reshape(x.shape)
    flat = pto.cvt("cvt.rn.f16.f32", whole.ravel()).reshape(x.shape)
    got = pto.cvt("cvt.rn.f16.f32", x)
    assert got.shape == x.shape
    assert got.dtype == np.float16
    np.testing.assert_array_equal(got, flat)
    np.testing.assert_array_equal(pto.vcmp(x, 0, "gt"), x > 0)
    np.testing.assert_array_equal(
        pto.vmax(x, x[..., ::-1] if x.ndim else x), np.maximum(x, x[..., ::-1] if x.ndim else x)
    )


@given(st.data())
def test_shapes_broadcast_as_numpys(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(0, 5), min_size=0, max_size=3))
    shapes = [
        [n if data.draw(st.booleans()) else 1 for n in shape][data.draw(st.integers(0, len(shape))) :] for _ in range(3)
    ]
    a, b, m = numbers(*shapes[0]), numbers(*shapes[1]), numbers(*shapes[2]) > 0
    np.testing.assert_array_equal(pto.vsel(a, b, m), np.where(m, a, b))
    np.testing.assert_array_equal(pto.vcmp(a, b, "lt"), a < b)


@given(st.data())
def test_out_of_any_step(data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 70))
    gap, down = data.draw(st.integers(0, 3)), data.draw(st.booleans())
    whole = np.full((rows, cols + gap), 77, np.float16)
    out = whole[:, :cols]
    if down:
        out = out[::-1]
    x = numbers(rows, cols)
    assert pto.cvt("cvt.rn.f16.f32", x, out=out) is out
    np.testing.assert_array_equal(out, x.astype(np.float16))
    assert (whole[:, cols:] == 77).all()


@pytest.mark.parametrize("cols", [1, 2, 3, 8, 63, 64, 65])
def test_packed_masks_by_rows(cols: int) -> None:
    x = numbers(5, 2 * cols)[:, :cols]
    want = np.packbits(x > 0, axis=-1, bitorder="little")
    packed = pto.vcmp(x, 0, "gt", mask="packed")
    np.testing.assert_array_equal(packed, want)
    np.testing.assert_array_equal(pto.vsel(x, 0, packed), np.where(x > 0, x, 0))
    image = pto.vcmp(x, 0, "gt", mask="image")
    assert isinstance(image, pto.Image)
    assert image.bits == 32
    spread = np.zeros((5, cols, 4), bool)
    spread[..., 0] = x > 0
    np.testing.assert_array_equal(image.data, np.packbits(spread.reshape(5, -1), axis=-1, bitorder="little"))
    np.testing.assert_array_equal(pto.vcmp(x, 1, "lt", image), (x > 0) & (x < 1))


@pytest.mark.parametrize("cols", [1, 2, 3, 5, 64])
def test_e2m1_is_two_in_a_byte(cols: int) -> None:
    x = np.random.default_rng(1).integers(0, 16, (3, cols)).astype(np.uint8)
    loose = x.view(ml_dtypes.float4_e2m1fn)
    want = loose.astype(np.float16)
    np.testing.assert_array_equal(pto.cvt("cvt.rn.f16x2.e2m1x2", loose), want)
    packed = np.zeros((3, (cols + 1) // 2), np.uint8)
    packed[:] = x[:, 0::2]
    packed[:, : cols // 2] |= x[:, 1::2] << 4
    np.testing.assert_array_equal(pto.cvt("cvt.rn.f16x2.e2m1x2", packed)[:, :cols], want)
    codes = pto.cvt(want, "e2m1", round="rn", satfinite=True)
    np.testing.assert_array_equal(codes, packed)


@pytest.mark.parametrize("name", ["uint4", "int4"])
def test_integers_of_4_bits_of_ml_dtypes_are_one_in_a_byte(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name))
    x = np.arange(30, dtype=np.uint8).reshape(2, 15).astype(dtype)
    np.testing.assert_array_equal(pto.cast(x, "f32"), x.astype(np.float32))
    codes = pto.cast(x.astype(np.float32), dtype)
    assert codes.dtype == np.uint8
    np.testing.assert_array_equal(pto.cast(codes, "f32", src=name)[:, :15], x.astype(np.float32))
    refused(TypeError, "to: there are no arrays of u2", pto.cast, x, "uint2")


def test_flat_numbers_and_lists() -> None:
    assert pto.cvt(E4M3, np.float32(1)).shape == ()
    assert pto.cvt(E4M3, 1.0).view(np.uint8) == 0x38
    assert pto.cvt(E4M3, [1, 2.0]).view(np.uint8).tolist() == [0x38, 0x40]
    assert pto.vcmp(np.float32(1), 2, "lt").shape == ()
    assert pto.cvt(E4M3, []).shape == (0,)
    assert pto.vmax(3, np.array([1, 5], np.uint8)).tolist() == [3, 5]


def test_other_byte_order() -> None:
    x = numbers(9)
    np.testing.assert_array_equal(pto.cvt("cvt.rn.f16.f32", x.astype(">f4")), x.astype(np.float16))


def test_random_bits_by_groups() -> None:
    x = numbers(3, 64)
    words = pto.random_bits(5, 3 * 32).reshape(3, 32)
    whole = pto.cvt("cvt.rs.f16x2.f32", x, words)
    for row in range(3):
        np.testing.assert_array_equal(pto.cvt("cvt.rs.f16x2.f32", x[row], words[row]), whole[row])
    cut = pto.cvt("cvt.rs.f16x2.f32", x, np.zeros_like(words))
    assert (abs(cut.astype(np.float64)) <= abs(x)).all()
    assert (abs(whole) >= abs(cut)).all()
    assert (whole != cut).any()
    with pytest.raises(ValueError, match="rbits: its shape"):
        pto.cvt("cvt.rs.f16x2.f32", x, words[:, 1:])
    with pytest.raises(ValueError, match="rbits: wanted"):
        pto.cvt("cvt.rs.f16x2.f32", x)
    with pytest.raises(ValueError, match="multiple"):
        pto.cvt("cvt.rs.f16x2.f32", x[:, :7], words[:, :4])


def test_scales() -> None:
    x = np.array([1, -1000, np.nan, 0.3125], np.float32)
    text = "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32"
    scales = np.array([128, 125], np.uint8)
    assert pto.cvt(text, x, scales=scales).view(np.uint8).tolist() == [0x30, 0xFE, 0x7F, 0x3A]
    got = pto.cvt(x, "e4m3", round="rn", satfinite=True, scale="n1", scales=scales.view(ml_dtypes.float8_e8m0fnu))
    assert got.view(np.uint8).tolist() == [0x30, 0xFE, 0x7F, 0x3A]


# ---- in place, and overlap ----


def test_in_place() -> None:
    x = numbers(4, 6)
    want = np.maximum(x, 0)
    assert pto.vmax(x, 0, out=x) is x
    np.testing.assert_array_equal(x, want)
    y = numbers(4, 6)[:, 1:4]
    want = y.copy()
    pto.vsel(y, 1, y > 0, out=y)
    np.testing.assert_array_equal(y, np.where(want > 0, want, 1))


def test_one_element_that_is_written_over() -> None:
    x = numbers(100)
    want = np.maximum(x, x[50])
    pto.vmax(x, x[50:51], out=x)
    np.testing.assert_array_equal(x, want)


def test_halves_of_one_matrix_take_turns() -> None:
    m = numbers(5, 8)
    left = m[:, :4].copy()
    pto.vrelu(m[:, :4], out=m[:, 4:])
    np.testing.assert_array_equal(m[:, 4:], np.maximum(left, 0))


@pytest.mark.parametrize(
    ("out", "source"),
    [(np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]), (np.s_[::-1], np.s_[:])],
)
def test_overlap_is_refused(out: Any, source: Any) -> None:
    x = numbers(20)
    before = x.copy()
    with pytest.raises(ValueError, match="overlap|side by side"):
        pto.vrelu(x[source], out=x[out])
    m = numbers(4, 5)
    with pytest.raises(ValueError, match="overlaps"):
        pto.vrelu(m[:-1], out=m[1:])
    np.testing.assert_array_equal(x, before)


def test_masks_may_not_overlap() -> None:
    x, both = numbers(8), np.zeros(9, bool)
    with pytest.raises(ValueError, match="overlaps"):
        pto.setp("setp.lt.f32", x, x, out=(both[:8], both[1:]))


# ---- refused arguments ----


def refused(kind: type[Exception], words: str, call: Any, *args: Any, **named: Any) -> None:
    with pytest.raises(kind, match=words):
        call(*args, **named)


def test_outs_are_looked_at() -> None:
    x = numbers(4)
    fixed = np.zeros(4, np.float16)
    fixed.setflags(write=False)
    refused(ValueError, "out: it is read-only", pto.cvt, "cvt.rn.f16.f32", x, out=fixed)
    refused(ValueError, r"out: its shape is \(5,\)", pto.cvt, "cvt.rn.f16.f32", x, out=np.zeros(5, np.float16))
    refused(ValueError, r"out: its shape", pto.cvt, "cvt.rn.f16.f32", x, out=np.zeros((1, 4), np.float16))
    refused(TypeError, "out: .* f16", pto.cvt, "cvt.rn.f16.f32", x, out=np.zeros(4, np.int16))
    refused(ValueError, "out: the elements", pto.cvt, "cvt.rn.f16.f32", x, out=np.zeros(8, np.float16)[::2])
    refused(ValueError, "out: its elements overlap", pto.cvt, "cvt.rn.f16.f32", numbers(3, 4),
            out=np.lib.stride_tricks.as_strided(np.zeros(9, np.float16), (3, 4), (4, 2)))  # fmt: skip
    refused(ValueError, "out: .*order", pto.cvt, "cvt.rn.f16.f32", x, out=np.zeros(4, ">f2"))
    refused(TypeError, "out: an array", pto.cvt, "cvt.rn.f16.f32", x, out=[0, 0, 0, 0])
    refused(TypeError, "out: e2m1", pto.cvt, "cvt.rn.satfinite.e2m1x2.f32", x, out=np.zeros(4, ml_dtypes.float4_e2m1fn))
    refused(TypeError, "out: .*bool", pto.vcmp, x, x, "lt", out=np.zeros(4, np.uint8))


def test_types_are_looked_at() -> None:
    x = numbers(4)
    refused(TypeError, "x: elements of type f32", pto.cvt, E4M3, x.astype(np.float64))
    refused(TypeError, "x: elements of type f32", pto.cvt, E4M3, x.view(np.uint32))
    refused(TypeError, "b: elements of type f32", pto.vcmp, x, x.astype(np.float16), "lt")
    refused(TypeError, "b: .*float", pto.vcmp, np.arange(4), 1.5, "lt")
    refused(ValueError, "b: 256 is beyond what u8 holds", pto.vcmp, np.arange(4, dtype=np.uint8), 256, "lt")
    refused(TypeError, "complex", pto.vcmp, x.astype(complex), x, "lt")
    refused(TypeError, "m: a mask", pto.vsel, x, x, np.arange(4))
    refused(TypeError, "m: a mask", pto.vsel, x, x, None)
    refused(TypeError, "to: ", pto.cvt, x, "f99")
    refused(ValueError, "e4m3 <- f32 needs .satfinite", pto.cvt, x, "e4m3", round="rn")
    refused(ValueError, r"\^", pto.cvt, "cvt.rn.e4m3x2.f32", x)
    refused(ValueError, "round: one of", pto.cvt, x, "e4m3", round="up")
    refused(ValueError, "cmp: ", pto.vcmp, x, x, "below")
    refused(ValueError, "equ", pto.vcmp, np.arange(4), np.arange(4), "equ")
    refused(ValueError, "c: the predicate", pto.setp, "setp.lt.and.f32", x, x)
    refused(TypeError, "modifiers are in the text", pto.cvt, E4M3, x, ftz=True)
    refused(ValueError, "shape", pto.vcmp, numbers(3), numbers(4), "lt")
    refused(ValueError, "m: its shape", pto.vsel, numbers(9), numbers(9), np.zeros(1, np.uint8))
    refused(TypeError, "selp", pto.selp, x.astype(np.float16), x.astype(np.float16), x > 0)


@pytest.mark.parametrize("dtype", [object, [("a", object)]], ids=["objects", "fields of objects"])
def test_objects_are_no_bits(dtype: Any) -> None:
    """Copying the bits of object references would bypass Python's reference counts and crash the process."""
    objects, words = np.zeros(4, dtype), np.ones(4, np.uint64)
    refused(TypeError, "a: libpto has no type", pto.vsel, objects, objects, True)
    refused(TypeError, "out: libpto has no type", pto.vsel, words, words, True, out=objects)
    refused(TypeError, "a: libpto has no type", pto.vcmp, objects, objects, "eq", type="b64")
    refused(TypeError, "a: libpto has no type", pto.setp, "setp.eq.b64", objects, words)
    refused(TypeError, "x: libpto has no type", pto.run, "mov.b64 y, x;", x=objects)
    refused(TypeError, "m: libpto has no type", pto.vsel, words, words, objects)


def test_a_number_is_no_out() -> None:
    """The result would be written to a temporary array of NumPy's and lost."""
    refused(TypeError, "out: an array", pto.vmax, np.float32(1), 2, out=np.float32(7))
    codes, scales = np.zeros((1, 32), np.uint8), np.zeros((1, 1), np.uint8)
    refused(TypeError, "out: an array", pto.dequantize, codes, scales, out=[[np.float32(0)] * 32])


def test_an_image_has_the_width_of_the_elements() -> None:
    x, data = numbers(4), np.zeros(4, np.uint8)
    refused(ValueError, "out: an Image for elements of 32 bits is wanted, not of 64",
            pto.vcmp, x, x, "eq", mask="image", out=pto.Image(data, 64))  # fmt: skip
    assert pto.vcmp(x, x, "eq", mask="image", out=pto.Image(data[:2], 32)).data.tolist() == [17, 17]
    refused(ValueError, "m: an Image is for elements", pto.vsel, x, 0, pto.Image(data, 7))
    refused(ValueError, "m: .* larger than memory", pto.vsel, x, 0, pto.Image(data, 1 << 70))


def test_numbers_name_their_argument() -> None:
    x, bits, huge = numbers(32), np.zeros(2, np.uint8), 1 << 70
    refused(ValueError, "b: -1 is beyond what u8 holds", pto.vmax, bits, -1)
    refused(ValueError, "b: .* is beyond what s64 holds", pto.vmax, np.zeros(1, np.int64), 1 << 63)
    refused(ValueError, "b: -1 is beyond what u64 holds", pto.vmax, np.zeros(1, np.uint64), -1)
    assert pto.vmax(np.zeros(2, np.int8), [[-128, 127]]).tolist() == [[0, 127]]
    assert pto.vmax(np.zeros(1, np.uint64), (1 << 64) - 1).tolist() == [(1 << 64) - 1]
    if np.lib.NumpyVersion(np.__version__) >= "1.24.0":  # older NumPy makes arrays of objects
        refused(ValueError, "b: .*sequence", pto.vmax, x, [1, [2, 3]])
    refused(TypeError, "key: a whole number", pto.random_bits, 1.5, 4)
    refused(TypeError, "rows: a whole number", pto.scales_unswizzle, bits, "rows", 1.5, 5)
    refused(ValueError, "cols: .* larger", pto.scales_unswizzle, bits, "rows", 1, huge)
    refused(ValueError, "lanes: .* larger", pto.mask_not, bits, lanes=huge)
    refused(TypeError, "lanes: a whole number", pto.mask_not, bits, lanes=1.5)
    refused(ValueError, "bits: .* larger", pto.mask_mov, bits, mask="image", bits=huge)
    refused(ValueError, "lanes: -1", pto.run, "mov.u32 y, 3;", lanes=-1)
    refused(ValueError, "lanes: .* larger", pto.run, "mov.u32 y, 3;", lanes=huge)
    refused(ValueError, "words: .* larger", pto.random_bits, 1, huge)
    refused(ValueError, "threads: .* larger", pto.set_num_threads, huge)
    refused(TypeError, "threads: a whole number", pto.set_num_threads, 1.5)
    refused(ValueError, "block: .* larger", pto.quantize, x, block=(1, huge))
    refused(ValueError, "block: -1 rows", pto.quantize, x, block=(-1, 32))
    refused(TypeError, "block: two", pto.quantize, x, block=3)
    refused(TypeError, "block: a whole number", pto.quantize, x, block=(1, "a"))
    refused(TypeError, "tensor: a number", pto.quantize, x, "e2m1", "nv.te", tensor="x")
    refused(TypeError, "out: two", pto.quantize, x, out=np.zeros(32, np.uint8))
    refused(TypeError, "out: two", pto.setp, "setp.lt.f32", x, x, out=np.zeros(32, bool))
    refused(ValueError, "cols: -1", pto.dequantize, bits, bits, cols=-1)
    refused(ValueError, "rows: -3", pto.scales_unswizzle, bits, "rows", -3, 5)


def test_texts_name_their_argument() -> None:
    refused(TypeError, "text: a text", pto.explain, 3)
    refused(TypeError, "cmp: an operator", pto.vcmpsel, numbers(4), 0, 3, 1, 2)
    refused(TypeError, "x: vexp of s32", pto.vexp, np.zeros(4, np.int32))
    refused(TypeError, "x: vtrc of f64", pto.vtrc, np.zeros(4))
    refused(TypeError, "codes: ", pto.dequantize, np.zeros((2, 16), np.uint16), np.zeros((2, 1), np.uint8), "e2m1")
    refused(TypeError, "text: a text", pto.run, 3)
    refused(ValueError, "text: there is a zero", pto.run, "mov.u32 y, 3;\0 mov.u32 y, 4;")
    refused(TypeError, "inputs: a text", pto.run, "mov.u32 y, x;", {1: 1})
    refused(ValueError, "to: there is a zero", pto.cvt, numbers(4), "f16\0x", round="rn")
    refused(ValueError, "rule: one of", pto.quantize, numbers(4), None, 3)
    refused(ValueError, "to: one of", pto.forms, "cvt", "f99")
    refused(ValueError, "src: one of", pto.forms, "cvt", "f16", 3)


def test_messages_say_what_is_legal() -> None:
    x, wide = numbers(4), np.zeros(4)
    words = np.zeros(4, np.uint32)
    legal = "legal for: f16, bf16, f32, f64, e4m3, .*binary8p4se$"
    refused(ValueError, "propagate_nan: vmax of u32 .* " + legal, pto.vmax, words, 0, propagate_nan=True)
    refused(ValueError, "propagate_nan: vrelu of u32 .* " + legal, pto.vrelu, words, propagate_nan=True)
    refused(ValueError, "ftz: vclamp of f64 .* legal for: f16, f32$", pto.vclamp, wide, 0, 1, ftz=True)
    refused(ValueError, "xorsign_abs: vmin of u8 .* legal for: ", pto.vmin, np.zeros(4, np.uint8), 1, xorsign_abs=True)
    refused(ValueError, "ftz: vcmpsel of f64 .* legal for: f16, f32$", pto.vcmpsel, wide, 0, "lt", 1, 2, ftz=True)
    refused(ValueError, "rnd: vcvt f32 <- f16 .* F; legal: R$", pto.vcvt, x.astype(np.float16), "f32", "F")
    refused(ValueError, "sat: vcvt f32 <- f16 .* legal: False$", pto.vcvt, x.astype(np.float16), "f32", sat=True)
    refused(ValueError, "c, not_c: they .* only with .and, .or or .xor$", pto.setp, "setp.lt.f32", x, x, x > 0)
    refused(ValueError, "c, not_c: they .* only with .and, .or or .xor$", pto.set, "set.lt.u32.f32", x, x, not_c=True)
    for call in (
        lambda: pto.cvt(x, "e4m3", round="rn"),
        lambda: pto.cvt(x, "f16", round="rna"),
        lambda: pto.vcmp(wide, wide, "lt", ftz=True),
    ):
        with pytest.raises(ValueError, match="legal: ") as error:
            call()
        assert "flag or modifier" not in str(error.value)


def test_merge_keeps() -> None:
    x = numbers(100)
    old = numbers(100)[::-1] > 0
    seed = np.arange(100) % 3 == 0
    out = old.copy()
    pto.vcmp(x, 0, "gt", seed, merge=True, out=out)
    np.testing.assert_array_equal(out, np.where(seed, x > 0, old))


def test_type_argument() -> None:
    codes = np.array([0x3F80, 0x4000], np.uint16)
    assert pto.vmax(codes, codes[::-1], type="bf16").view(np.uint16).tolist() == [0x4000, 0x4000]
    assert pto.vcmp(numbers(3), numbers(3), "eq", type="b32").all()
    refused(TypeError, "a: elements of type s32", pto.vcmp, numbers(3), numbers(3), "eq", type="s32")


def test_masks_of_three_dimensions_and_in_place(threads: int) -> None:
    m = np.random.default_rng(1).integers(0, 2, (3, 70, 3001)).astype(bool)
    packed = np.packbits(m, axis=-1, bitorder="little")
    both = pto.mask_and(packed, m[:, :1], lanes=3001)
    np.testing.assert_array_equal(both, np.packbits(m & m[:, :1], axis=-1, bitorder="little"))
    assert pto.mask_count(both, 3001) == (m & m[:, :1]).sum()
    assert pto.mask_xor(packed, packed, lanes=3001, out=packed) is packed
    assert not packed.any()


def test_masks_that_do_not_fit() -> None:
    bits, bools = np.zeros(2, np.uint8), np.zeros(13, bool)
    assert pto.mask_or(bits, bools).shape == (2,)
    for call in (
        lambda: pto.mask_or(bits, bools, lanes=12),
        lambda: pto.mask_not(bits, lanes=17),
        lambda: pto.mask_not(bits, lanes=8),
        lambda: pto.mask_not(bits, lanes=-1),
        lambda: pto.mask_not(bools, lanes=1),
        lambda: pto.mask_mov(bools, mask="image"),
        lambda: pto.mask_mov(bools, mask="image", bits=24),
        lambda: pto.mask_and(bools, np.zeros(12, bool)),
        lambda: pto.mask_count(np.zeros((2, 2), np.uint8), 9 + 8),
    ):
        with pytest.raises(ValueError, match=r"lanes|bits|shape"):
            call()
    with pytest.raises(TypeError, match=r"^b: a mask is wanted"):
        pto.mask_and(bits, None)
    with pytest.raises(TypeError, match=r"^a: a mask is an array of bool"):
        pto.mask_not(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match=r"SETcc"):
        pto.setcc("setx", np.zeros(3, np.uint32))
    with pytest.raises(TypeError, match=r"^flags_cmp of f32"):
        pto.flags_cmp(np.zeros(3, np.float32), 1)


def test_calls_on_lanes_name_what_is_wrong() -> None:
    x, m, fours = numbers(4), np.ones(3, bool), np.zeros(2, ml_dtypes.float4_e2m1fn)
    refused(TypeError, "^m: a mask is wanted", pto.vcompress, x, None)
    refused(TypeError, "^m: a mask is wanted", pto.vexpand, x, None, x)
    refused(ValueError, "^seed: ", pto.vargmax, x, m)
    refused(TypeError, "^out: an array of dtype float32", pto.vexpand, x, m, [1.0, 2.0, 3.0])
    refused(ValueError, "^ftz: vargmax of f64 does not take it; legal for: f16, f32$", pto.vargmax, [1.0], ftz=True)
    refused(ValueError, "^propagate_nan: vargmin of s64 does not", pto.vargmin, [1], propagate_nan=True)
    refused(TypeError, "^vcmp compares no e2m1; legal: u8, ", pto.vcmp, fours, fours, "lt")
    refused(ValueError, "^ftz: vcmp of e3m4 does not", pto.vcmp, [1.0], [2.0], "lt", type="e3m4", ftz=True)


@pytest.mark.parametrize("name", ["u1", "u2", "u4", "i1", "i2", "i4", "i8", "f2", "f4", "f8"])
def test_codes_that_count_bytes_are_refused(name: str) -> None:
    """'u4' is uint32 in NumPy, but PTX's names such as 'u8' count bits."""
    x, dtype = numbers(4), np.dtype(name).name
    for call in (
        lambda: pto.cvt(x, name, round="rn"),
        lambda: pto.cvt(x, "f16", src=name, round="rn"),
        lambda: pto.vcvt(x, name),
        lambda: pto.vmax(x, x, type=name),
        lambda: pto.vcmp(x, x, "lt", type=name),
        lambda: pto.quantize(x, name),
        lambda: pto.dequantize(np.zeros(32, np.uint8), np.zeros(1, np.uint8), to=name),
    ):
        with pytest.raises(TypeError, match=f"'{name}' is ambiguous: .*'{dtype}'"):
            call()
    assert pto.cvt(x, dtype if dtype.startswith("f") else "f32", round="rn" if name == "f2" else None).shape == (4,)
    assert pto.cvt(x, np.dtype("<f2"), round="rn").dtype == np.float16


def test_masked_arrays_are_refused() -> None:
    """Masked arrays are refused because results would not have the mask."""
    x = np.ma.masked_array(numbers(4), [True, False, False, False])
    plain = numbers(4)
    calls: dict[str, Any] = {
        "x": lambda: pto.cvt(E4M3, x),
        "a": lambda: pto.vmax(x, 0),
        "b": lambda: pto.vmax(plain, x),
        "c": lambda: pto.slct(plain, plain, x),
        "m": lambda: pto.vsel(plain, plain, x > 0),
        "out": lambda: pto.vmax(plain, 0, out=np.ma.masked_array(plain.copy())),
        "seed": lambda: pto.vcmp(plain, plain, "lt", x > 0),
        "y": lambda: pto.run("add.f32 z, x, y;", x=plain, y=x),
        "codes": lambda: pto.dequantize(np.ma.masked_array(np.zeros(32, np.uint8)), np.zeros(1, np.uint8)),
        "scales": lambda: pto.scales_swizzle(np.ma.masked_array(np.zeros((4, 4), np.uint8)), "8x4"),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError, match=f"^{name}: masked arrays are refused"):
            call()
    for call in (
        lambda: pto.quantize(x),
        lambda: pto.vmax([1.0, np.ma.masked], 0),
        lambda: pto.vmax([[x, plain]], 0),
        lambda: pto.vmax(plain, (x,)),
        lambda: pto.vsel(plain, plain, [x > 0]),
    ):
        with pytest.raises(TypeError, match="masked arrays are refused"):
            call()
    np.testing.assert_array_equal(pto.vmax(x.filled(0), 0), np.maximum(x.filled(0), 0))
    np.testing.assert_array_equal(pto.vmax(plain.view(np.memmap), 0), np.maximum(plain, 0))  # another subclass


@pytest.mark.parametrize(
    "shapes",
    [
        ((2**58,), (2**58,)),
        ((2**62,), (1,)),
        ((2**40, 1), (1, 2**40)),
        ((2**30, 2**31), (2**31,)),
        ((2**58, 0), (1, 0)),
    ],
)
def test_shapes_that_cannot_be_counted_are_refused(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    x, y = (np.broadcast_to(np.int8(1), shape) for shape in shapes)  # NumPy counts bytes
    with pytest.raises(ValueError, match="too many elements"):
        pto.vcmp(x, y, "eq", mask="packed")
