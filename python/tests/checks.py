# SPDX-License-Identifier: MIT
"""Checks against NumPy and ml_dtypes where these agree with PTX, and for each check a fault that it must find.

The argument of a check is the package, or a ``Faulty``: the package with one wrong function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import pto

Check = Callable[[Any], None]
CHECKS: list[tuple[Check, str, Callable[..., Any]]] = []


class Faulty:
    """The package with one of its functions replaced."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name, self.function = name, function

    def __getattr__(self, name: str) -> Any:
        return self.function if name == self.name else getattr(pto, name)


def finds(name: str, fault: Callable[..., Any]) -> Callable[[Check], Check]:
    """Registers a check, and a wrong function with which it must fail."""

    def register(check: Check) -> Check:
        CHECKS.append((check, name, fault))
        return check

    return register


def instead(old: str, new: str) -> Callable[..., Any]:
    """Returns a cvt that replaces a word in the text."""
    return lambda text, *args, **named: pto.cvt(text.replace(old, new), *args, **named)


def floats(n: int = 4096) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Returns random floats of every exponent, with ties and special values among them."""
    random = np.random.default_rng(1)
    bits = random.integers(0, 1 << 32, n, dtype=np.uint32)
    bits[::3] &= np.uint32(0xFFFFF000)  # ties of f16 and of smaller formats
    bits[1::5] &= np.uint32(0xFFFF8000)
    bits[2::7] = (bits[2::7] & np.uint32(0x81FFFFFF)) | np.uint32(0x3A000000)  # 2^-11 to 2^-7: subnormals of e4m3
    bits[:8] = [0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 1, 0x80000001]
    return bits.view(np.float32)


def same(a: Any, b: Any) -> None:
    """Asserts that values are equal. All NaNs are equal, and zeros of different signs differ."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    with np.errstate(invalid="ignore"):  # signalling NaNs
        a, b = a.astype(np.float64), b.astype(np.float64)
    np.testing.assert_array_equal(a, b)
    there = ~np.isnan(a)
    np.testing.assert_array_equal(np.signbit(a[there]), np.signbit(b[there]))


@finds("cvt", instead(".rn", ".rz"))
def f32_to_f16(p: Any) -> None:
    x = floats()
    with np.errstate(over="ignore", invalid="ignore"):
        same(p.cvt("cvt.rn.f16.f32", x), x.astype(np.float16))


@finds("cvt", instead(".rn", ".rz"))
def f32_to_bf16(p: Any) -> None:
    x = floats()
    with np.errstate(over="ignore", invalid="ignore"):
        same(p.cvt("cvt.rn.bf16.f32", x), x.astype(ml_dtypes.bfloat16))


@finds("cvt", instead(".rz", ".rn"))
def f32_to_bf16_cut(p: Any) -> None:
    x = floats()
    x = x[np.isfinite(x)]
    cut = (x.view(np.uint32) >> 16).astype(np.uint16)
    np.testing.assert_array_equal(p.cvt("cvt.rz.bf16.f32", x).view(np.uint16), cut)


def within(x: Any, largest: float) -> Any:
    """Returns x clamped like .satfinite, which ml_dtypes lacks. NaNs are quiet, so a cast does not warn of them."""
    return np.where(np.isnan(x), np.float32("nan"), np.clip(x, -largest, largest)).astype(np.float32)


@finds("cvt", instead(".rn", ".rz"))
def f32_to_e4m3(p: Any) -> None:
    x = floats()
    same(p.cvt("cvt.rn.satfinite.e4m3x2.f32", x), within(x, 448).astype(ml_dtypes.float8_e4m3fn))


@finds("cvt", instead("e5m2", "e4m3"))
def f32_to_e5m2(p: Any) -> None:
    x = floats()
    with np.errstate(over="ignore", invalid="ignore"):
        same(p.cvt("cvt.rn.satfinite.e5m2x2.f32", x), within(x, 57344).astype(ml_dtypes.float8_e5m2))


@finds("cvt", lambda text, *a, **k: pto.cvt(text, *a, **k) ^ np.uint8(0x10))
def f32_to_e2m1(p: Any) -> None:
    x = floats()
    x = x[~np.isnan(x)]
    x = x[: x.size // 2 * 2]
    packed = p.cvt("cvt.rn.satfinite.e2m1x2.f32", x)
    want = within(x, 6).astype(ml_dtypes.float4_e2m1fn).view(np.uint8)
    assert packed.dtype == np.uint8
    np.testing.assert_array_equal(packed, want[0::2] | (want[1::2] << 4))


@finds("cvt", instead(".f16", ".bf16"))
def fp8_to_f16(p: Any) -> None:
    codes = np.arange(256, dtype=np.uint8)
    for name, dtype in (("e4m3", ml_dtypes.float8_e4m3fn), ("e5m2", ml_dtypes.float8_e5m2)):
        want = codes.view(dtype).astype(np.float16)
        got = p.cvt(f"cvt.rn.f16x2.{name}x2", codes.view(dtype))
        assert got.dtype == np.float16
        same(got, want)
        same(p.cvt(f"cvt.rn.f16x2.{name}x2", codes), want)  # codes as uint8


@finds("cvt", lambda *a, **k: pto.cvt(*a, **{**k, "relu": True}))
def keywords_are_the_text(p: Any) -> None:
    x = floats()
    a = p.cvt(x, "e4m3", round="rn", satfinite=True).view(np.uint8)
    np.testing.assert_array_equal(a, pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x).view(np.uint8))


@finds("cvt", instead(".rn", ".rp"))
def integers(p: Any) -> None:
    x = np.random.default_rng(2).integers(-(1 << 31), 1 << 31, 1000, dtype=np.int32)
    same(p.cvt("cvt.rn.f32.s32", x), x.astype(np.float32))
    same(p.cvt("cvt.rn.f16.s32", x % 4096), (x % 4096).astype(np.float16))


@finds("testp", lambda x, test, *a, **k: pto.testp(x, {"normal": "finite"}.get(test, test), *a, **k))
def tests_of_floats(p: Any) -> None:
    x = floats()
    seed = np.arange(x.size) % 3 == 0
    for test, numpy in (
        ("finite", np.isfinite),
        ("infinite", np.isinf),
        ("notanumber", np.isnan),
        ("negative", np.signbit),
    ):
        np.testing.assert_array_equal(p.testp(x, test), numpy(x))
        np.testing.assert_array_equal(p.testp(x, test, seed), numpy(x) & seed)
    tiny = np.abs(x) < np.finfo(np.float32).smallest_normal
    np.testing.assert_array_equal(p.testp(x, "subnormal"), tiny & (x != 0))
    np.testing.assert_array_equal(p.testp(x, "normal"), np.isfinite(x) & ~(tiny & (x != 0)))
    np.testing.assert_array_equal(p.testp(x, "zero"), x == 0)
    codes = np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e5m2)
    np.testing.assert_array_equal(p.testp(codes, "infinite"), np.isinf(codes.astype(np.float32)))


@finds("vcmp", lambda a, b, cmp, **k: pto.vcmp(a, b, {"lt": "ltu", "ge": "geu"}.get(cmp, cmp), **k))
def compare_floats(p: Any) -> None:
    x, y = floats(), floats()[::-1].copy()
    for cmp, numpy in (
        ("eq", np.equal),
        ("lt", np.less),
        ("le", np.less_equal),
        ("gt", np.greater),
        ("ge", np.greater_equal),
        ("neu", np.not_equal),
    ):
        np.testing.assert_array_equal(p.vcmp(x, y, cmp), numpy(x, y))
        packed = p.vcmp(x, y, cmp, mask="packed")
        np.testing.assert_array_equal(packed, np.packbits(numpy(x, y), bitorder="little"))


@finds("vsel", lambda a, b, m: pto.vselr(a, b, m))
def select(p: Any) -> None:
    random = np.random.default_rng(3)
    for dtype in (np.int8, np.float16, np.uint32, np.float64, ml_dtypes.bfloat16, np.dtype("M8[s]")):
        a = random.integers(0, 100, 77).astype(dtype)
        b = random.integers(0, 100, 77).astype(dtype)
        m = random.integers(0, 2, 77).astype(bool)
        got = p.vsel(a, b, m)
        assert got.dtype == a.dtype
        np.testing.assert_array_equal(got, np.where(m, a, b))


@finds("vpermute", lambda x, index, lanes=None: pto.vpermute(x, index))
def permute(p: Any) -> None:
    random = np.random.default_rng(6)
    for dtype in (np.int8, np.float16, np.uint32, np.float64, np.dtype("M8[s]")):
        unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
        for rows, cols, lanes in ((1, 64, 16), (3, 60, 12), (2, 3 << 16, 3 << 6), (7, 77, None)):
            x = random.integers(0, 100, (rows, cols)).astype(dtype)
            index = random.integers(0, 256, (rows, cols)).astype(unsigned)
            groups = (rows, -1, lanes or cols)
            want = np.take_along_axis(
                x.reshape(groups), index.reshape(groups).astype(np.int64) % (lanes or cols), axis=2
            )
            got = p.vpermute(x, index, lanes)
            assert got.dtype == x.dtype
            np.testing.assert_array_equal(got, want.reshape(rows, cols))


@finds("vargmax", lambda x, *a, **k: pto.vargmin(x, *a, **k))
@finds("vargmin", lambda x, *a, **k: pto.vargmin(x))
def indices_of_extremes(p: Any) -> None:
    random = np.random.default_rng(12)
    for dtype in (np.uint8, np.int64, np.float16, np.float32, np.float64):
        x = (random.standard_normal((40, 60)) * 50).astype(dtype)
        m = random.integers(0, 2, x.shape).astype(bool)
        assert p.vargmax(x) == np.argmax(x)
        assert p.vargmin(x) == np.argmin(x)
        lanes = np.flatnonzero(m)
        assert p.vargmax(x, m) == lanes[np.argmax(x[m])]
        assert p.vargmin(x, m) == lanes[np.argmin(x[m])]
    x = floats()
    assert p.vargmax(x, propagate_nan=True) == np.argmax(x)
    assert p.vargmax(x) == np.nanargmax(x)
    assert p.vargmin(x, np.zeros(x.size, bool)) is None


@finds("vcompress", lambda x, m: pto.vcompress(x, m)[::-1])
@finds("vexpand", lambda x, m, out: pto.vexpand(x[::-1], m, out))
def lanes_of_a_mask(p: Any) -> None:
    random = np.random.default_rng(11)
    for dtype in (np.int8, np.float16, np.int32, np.float64, ml_dtypes.bfloat16):
        x = random.integers(0, 100, (30, 70)).astype(dtype)
        m = random.integers(0, 2, x.shape).astype(bool)
        same(p.vcompress(x, m), x[m])
        same(p.vcompress(x, np.packbits(m, axis=-1, bitorder="little")), x[m])
        got, want = np.ones_like(x), np.ones_like(x)
        want[m] = x[m] * dtype(2)
        assert p.vexpand(want[m], m, got) is got
        same(got, want)


@finds("vmax", lambda a, b, **k: pto.vmax(a, b))
def larger(p: Any) -> None:
    x, y = floats(), np.roll(floats(), 5)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(p.vmax(x, y, propagate_nan=True), np.maximum(x, y))
        np.testing.assert_array_equal(p.vmax(x, y), np.fmax(x, y))
        wide, other = x.astype(np.float64), y.astype(np.float64)
        np.testing.assert_array_equal(p.vmax(wide, other, propagate_nan=True), np.maximum(wide, other))


@finds("vcmp", lambda x, y, cmp: pto.vcmp(x.view(np.int8), y.view(np.int8), cmp))
def small_floats(p: Any) -> None:
    x, y = (a.ravel() for a in np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8)))
    for dtype in (
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e5m2,
        ml_dtypes.float8_e4m3fnuz,
        ml_dtypes.float8_e5m2fnuz,
        ml_dtypes.float8_e4m3b11fnuz,
        ml_dtypes.float8_e4m3,
        ml_dtypes.float8_e3m4,
    ):
        a, b = x.view(dtype), y.view(dtype)
        with np.errstate(invalid="ignore"):
            wide = a.astype(np.float32), b.astype(np.float32)
        np.testing.assert_array_equal(p.vcmp(a, b, "lt"), wide[0] < wide[1])
        np.testing.assert_array_equal(p.vcmp(a, b, "eq"), wide[0] == wide[1])
        np.testing.assert_array_equal(p.vcmp(a, b, "geu"), ~(wide[0] < wide[1]))
        largest, either = p.vmax(a, b), p.vmax(a, b, propagate_nan=True)
        np.testing.assert_array_equal(largest.astype(np.float32), np.fmax(*wide))
        np.testing.assert_array_equal(either.astype(np.float32), np.maximum(*wide))


@finds("vmin", lambda a, b, **k: pto.vmax(a, b))
def smaller(p: Any) -> None:
    x = np.random.default_rng(4).integers(-9, 9, 100).astype(np.int64)
    np.testing.assert_array_equal(p.vmin(x, x[::-1]), np.minimum(x, x[::-1]))


@finds("vclamp", lambda x, lo, hi: pto.vclamp(x, hi, lo))
def clamp(p: Any) -> None:
    x = np.random.default_rng(5).standard_normal(1000)
    np.testing.assert_array_equal(p.vclamp(x, -0.5, 0.5), np.clip(x, -0.5, 0.5))


@finds("vcmpsel", lambda x, y, cmp, u, v: pto.vcmpsel(x, y, cmp, v, u))
def compare_and_select(p: Any) -> None:
    x, y = floats(), np.roll(floats(), 9)
    same(p.vcmpsel(x, y, "lt", 1, x), np.where(x < y, np.float32(1), x))


@finds("vrelu", lambda x: pto.vmin(x, 0))
def relu(p: Any) -> None:
    x = floats()
    same(p.vrelu(x), np.where(x > 0, x, np.float32(0)))


@finds("selp", lambda a, b, m: pto.selp(b, a, m))
def select_ptx(p: Any) -> None:
    x, y, m = floats(), np.roll(floats(), 9), floats() > 0
    same(p.selp(x, y, m), np.where(m, x, y))


@finds("slct", lambda a, b, c: pto.slct(a, b, -c))
def select_sign(p: Any) -> None:
    x, y, c = floats(), np.roll(floats(), 9), np.roll(floats(), 3)
    same(p.slct(x, y, c), np.where(c >= 0, x, y))


@finds("set", lambda text, a, b: pto.set(text, b, a))
def answers_in_numbers(p: Any) -> None:
    x, y = floats(), np.roll(floats(), 9)
    np.testing.assert_array_equal(p.set("set.lt.u32.f32", x, y), np.where(x < y, np.uint32(0xFFFFFFFF), np.uint32(0)))
    same(p.set("set.geu.f32.f32", x, y), (~(x < y)).astype(np.float32))


@finds("vtrc", lambda x, rnd: pto.vtrc(x, "Z"))
def integral(p: Any) -> None:
    x = floats()
    for rnd, numpy in (("R", np.rint), ("F", np.floor), ("C", np.ceil), ("Z", np.trunc)):
        with np.errstate(invalid="ignore"):
            same(p.vtrc(x, rnd), numpy(x))


@finds("requantize", lambda x, s, e, r: pto.requantize(x, s * np.uint8(0), e, r))
def given_scales(p: Any) -> None:
    x = np.random.default_rng(10).standard_normal((4, 64)).astype(np.float16)
    q = pto.quantize(x, "e5m2", "mx.ceil")
    codes = p.requantize(x, q.scales.view(np.uint8), "e5m2", "mx.ceil")
    np.testing.assert_array_equal(codes.view(np.uint8), q.codes.view(np.uint8))


@finds("quantize", lambda x, e, r: pto.quantize(x, e, "mx.ceil"))
def mx_floor(p: Any) -> None:
    """Compares with the rule of OCP MX 1.0, written in NumPy."""
    x = np.random.default_rng(6).standard_normal((8, 64)).astype(np.float32) * 100
    q = p.quantize(x, "e4m3", "mx.floor")
    blocks = x.reshape(8, 2, 32)
    exponent = np.floor(np.log2(np.abs(blocks).max(axis=2))) - 8
    np.testing.assert_array_equal(q.scales.view(np.uint8), exponent + 127)
    scaled = within(blocks / np.exp2(exponent)[..., None], 448).astype(ml_dtypes.float8_e4m3fn)
    np.testing.assert_array_equal(q.codes.view(np.uint8), scaled.reshape(8, 64).view(np.uint8))


@finds("dequantize", lambda c, s, e, r: pto.dequantize(c.view(np.uint8), s, "e5m2", r))
def way_back(p: Any) -> None:
    codes = np.arange(256, dtype=np.uint8).reshape(2, 128).view(ml_dtypes.float8_e4m3fn)
    scales = np.random.default_rng(7).integers(100, 150, (2, 4), dtype=np.uint8)
    want = codes.astype(np.float32).reshape(2, 4, 32) * np.exp2(scales.astype(np.float32) - 127)[..., None]
    same(p.dequantize(codes, scales, "e4m3", "mx.floor"), want.reshape(2, 128))


@finds("setp", lambda *a, **k: pto.setp(*a, **k)[::-1])
def both_predicates(p: Any) -> None:
    x, y = floats(), np.roll(floats(), 1)
    c = floats() > 0
    t = x < y
    p_, q = p.setp("setp.lt.and.f32", x, y, c)
    np.testing.assert_array_equal(p_, t & c)
    np.testing.assert_array_equal(q, ~t & c)


@finds("run", lambda text, **k: pto.run(text.replace("selp.f32", "selp.f32"), **{**k, "limit": 1.0}))
def program(p: Any) -> None:
    x = floats()
    out = p.run("setp.ge.f32 q, x, limit; selp.f32 y, x, 0f00000000, q;", x=x, limit=0.5)
    same(out["y"], np.where(x >= np.float32(0.5), x, np.float32(0)))
    assert out["q"].dtype == bool


@finds("scales_swizzle", lambda s, layout: pto.scales_swizzle(s, "32x8"))
def swizzle(p: Any) -> None:
    """Compares with cuBLAS' tiles of 128 by 4, by the index formula of its documentation."""
    s = np.random.default_rng(8).integers(0, 256, (256, 8), dtype=np.uint8)
    tiled = p.scales_swizzle(s, "128x4")
    r, c = np.indices(s.shape)
    at = (r // 128 * 2 + c // 4) * 512 + r % 32 * 16 + r % 128 // 32 * 4 + c % 4
    np.testing.assert_array_equal(tiled[at], s)


@finds("block_pack", lambda c, s, layout: pto.block_pack(c << 4 | c >> 4, s, layout))
def packs(p: Any) -> None:
    """Compares with the blocks of llama.cpp's nvfp4: four scales, then bytes of the codes j and j + 8 of each 16."""
    rng = np.random.default_rng(9)
    codes, scales = (rng.integers(0, 256, (6, n), dtype=np.uint8) for n in (64, 8))
    packed = p.block_pack(codes, scales, "gguf_nvfp4").reshape(-1, 36)
    np.testing.assert_array_equal(packed[:, :4], scales.reshape(-1, 4))
    each = np.stack((codes & 15, codes >> 4), axis=-1).reshape(-1, 2, 8)
    np.testing.assert_array_equal(packed[:, 4:].reshape(-1, 8), each[:, 0] | each[:, 1] << 4)


@finds("vexp", lambda x: pto.vexp(np.nextafter(x, 2 * x).astype(x.dtype) * np.float32(1.0001)))
def exponential(p: Any) -> None:
    x = np.linspace(-80, 80, 1001).astype(np.float32)
    want = np.exp(x.astype(np.float64))
    assert np.all(np.abs(p.vexp(x) - want) <= np.spacing(want.astype(np.float32)))
    half = np.arange(0, 0x4000, dtype=np.uint16).view(np.float16)
    same(p.vexp(-half), np.exp(-half.astype(np.float64)).astype(np.float16))


@finds("random_bits", lambda key, words, counter=0: pto.random_bits(key, words, counter + 1))
def philox(p: Any) -> None:
    """Compares with Random123's known answers for Philox4x32. NumPy's Philox has words of 64 bits."""
    ones = (1 << 128) - 1
    assert p.random_bits(0, 4).tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert p.random_bits((1 << 64) - 1, 4, ones).tolist() == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


@finds("cast", lambda x, to, round="rn", *a, **k: pto.cast(x, to, "rz" if round == "rn" else round, *a, **k))
def between_formats(p: Any) -> None:
    x = np.random.default_rng(10).standard_normal(1000) * 100
    np.testing.assert_array_equal(p.cast(x, "f32"), x.astype(np.float32))
    np.testing.assert_array_equal(p.cast(x, "s8", "rz"), np.clip(np.trunc(x), -128, 127).astype(np.int8))
    codes = np.arange(256, dtype=np.uint8)
    wide = p.cast(codes, "f64", src="e5m2fnuz")
    np.testing.assert_array_equal(p.cast(wide, "e5m2fnuz", "ro").view(np.uint8), codes)
    nibbles = p.cast(np.arange(-9, 9, dtype=np.int16), "s4")
    assert nibbles.tolist() == [0x88, 0xA9, 0xCB, 0xED, 0x0F, 0x21, 0x43, 0x65, 0x77]
    up = np.array([0xC0000000, 0xBFFFFFFF], np.uint32)
    assert p.cast(np.float32([1.25, 1.25]), "u8", "rs", rbits=up).tolist() == [2, 1]


@finds("vcvt", lambda x, to, rnd="R", **k: pto.vcvt(x, to, "Z", **k))
def pto_rounding(p: Any) -> None:
    x = np.random.default_rng(9).standard_normal(1000).astype(np.float32) * 1000
    for rnd, numpy in (("R", np.rint), ("F", np.floor), ("C", np.ceil), ("Z", np.trunc)):
        np.testing.assert_array_equal(p.vcvt(x, "s32", rnd), numpy(x).astype(np.int32))


def masks(seed: int) -> Any:
    return np.random.default_rng(seed).integers(0, 2, (5, 77)).astype(bool)


def kinds(p: Any, m: Any) -> Any:
    """Yields the same mask as bools, as packed bits, and as predicate images of two widths."""
    yield m
    yield np.packbits(m, axis=-1, bitorder="little")
    for bits in (8, 32):
        spread = np.zeros((*m.shape[:-1], m.shape[-1] * bits // 8), bool)
        spread[..., :: bits // 8] = m
        yield p.Image(np.packbits(spread, axis=-1, bitorder="little"), bits)


def logic(p: Any, name: str, numpy: Callable[[Any, Any], Any]) -> None:
    """Checks all pairs of kinds, packed masks of only three lanes, and a row that is broadcast."""
    a, b = masks(11), masks(12)
    call, want = getattr(p, name), numpy(a, b)
    packed = np.packbits(want, axis=-1, bitorder="little")
    for left in kinds(p, a):
        for right in kinds(p, b):
            np.testing.assert_array_equal(call(left, right, lanes=77, mask="packed"), packed)
            np.testing.assert_array_equal(call(left, right, lanes=77, mask="bool"), want)
    np.testing.assert_array_equal(call(a, b[1]), numpy(a, b[1]))


@finds("mask_and", lambda a, b, **k: pto.mask_or(a, b, **k))
def both_masks(p: Any) -> None:
    logic(p, "mask_and", np.logical_and)


@finds("mask_or", lambda a, b, **k: pto.mask_xor(a, b, **k))
def either_mask(p: Any) -> None:
    logic(p, "mask_or", np.logical_or)


@finds("mask_xor", lambda a, b, **k: pto.mask_or(a, b, **k))
def one_mask(p: Any) -> None:
    logic(p, "mask_xor", np.logical_xor)


@finds("mask_not", lambda a, lanes=None, mask=None: pto.mask_not(a, mask=mask))
def other_lanes(p: Any) -> None:
    """Unused bits after the last lane must be 0; a plain NOT of the bytes would set them."""
    a = masks(13)
    want = np.packbits(~a, axis=-1, bitorder="little")
    for given in kinds(p, a):
        np.testing.assert_array_equal(p.mask_not(given, lanes=77, mask="packed"), want)


@finds("mask_mov", lambda a, **k: pto.mask_not(a, **k))
def kind_to_kind(p: Any) -> None:
    a = masks(14)
    for given in kinds(p, a):
        for want in kinds(p, a):
            if isinstance(want, pto.Image):
                got = p.mask_mov(given, lanes=77, mask="image", bits=want.bits)
                assert got.bits == want.bits
                np.testing.assert_array_equal(got.data, want.data)
            else:
                kind = "bool" if want.dtype == bool else "packed"
                np.testing.assert_array_equal(p.mask_mov(given, lanes=77, mask=kind), want)


@finds("mask_sel", lambda a, b, sel, **k: pto.mask_sel(b, a, sel, **k))
def chosen_lanes(p: Any) -> None:
    a, b, sel = masks(15), masks(16), masks(17)
    for given in kinds(p, sel):
        np.testing.assert_array_equal(p.mask_sel(a, b, given), np.where(sel, a, b))


@finds("mask_count", lambda m, lanes=None: pto.mask_count(m))
def lanes_on(p: Any) -> None:
    """Unused bits after the last lane must not be counted."""
    a = masks(18)
    assert p.mask_count(a) == a.sum()
    for given in list(kinds(p, a))[1:]:
        data, behind = (
            (given.data, 0xF0 if given.bits == 32 else 0xE0) if isinstance(given, pto.Image) else (given, 0xE0)
        )
        data[..., -1] |= behind
        assert p.mask_count(given, 77) == a.sum()


X86 = {"o": 11, "b": 0, "e": 6, "s": 7, "p": 2}  # conditions that test one flag, and its bit in EFLAGS


@finds("flags_cmp", lambda a, b: pto.flags_cmp(b, a))
def flags_of_cmp(p: Any) -> None:
    """Compares with wider arithmetic, for all pairs of bytes."""
    u = np.arange(256, dtype=np.uint8)
    a, b = (x.reshape(-1).copy() for x in np.meshgrid(u, u))
    flags, wide = p.flags_cmp(a, b), a.astype(np.int32) - b
    signed = a.view(np.int8).astype(np.int32) - b.view(np.int8)
    low = (wide & 0xFF).astype(np.uint8)
    parity = np.unpackbits(low[:, None], axis=1).sum(axis=1) % 2 == 0
    want = {
        0: wide < 0,
        2: parity,
        4: (a & 15) < (b & 15),
        6: wide == 0,
        7: low > 127,
        11: np.abs(2 * signed + 1) > 255,
    }
    np.testing.assert_array_equal(flags, sum((on.astype(np.uint32) << bit) for bit, on in want.items()))


@finds("flags_test", lambda a, b: pto.flags_cmp(a & b, 255))
def flags_of_test(p: Any) -> None:
    a = np.random.default_rng(19).integers(-9, 9, 500, dtype=np.int32)
    flags, both = p.flags_test(a, a[::-1]), a & a[::-1]
    np.testing.assert_array_equal(flags & 0x8C1, np.where(both == 0, 0x40, 0) | np.where(both < 0, 0x80, 0))


@finds("flags_ucomi", lambda a, b: pto.flags_ucomi(b, a))
def flags_of_ucomi(p: Any) -> None:
    x, y = floats(), np.roll(floats(), 9)
    y[::4] = x[::4]
    unordered = np.isnan(x) | np.isnan(y)
    want = np.where(unordered, 0x45, np.where(x == y, 0x40, np.where(x < y, 1, 0)))
    np.testing.assert_array_equal(p.flags_ucomi(x, y), want)


@finds("setcc", lambda text, flags: pto.setcc(text.replace("setn", "set"), flags))
def conditions(p: Any) -> None:
    flags = np.random.default_rng(20).integers(0, 1 << 12, 300, dtype=np.uint32)
    for word, bit in X86.items():
        on = flags >> np.uint32(bit) & 1 == 1
        np.testing.assert_array_equal(p.setcc(f"set{word}", flags), on)
        np.testing.assert_array_equal(p.setcc(f"setn{word}", flags), ~on)


@finds("cmp_setcc", lambda text, a, b: pto.cmp_setcc(text, b, a))
def compare_and_set(p: Any) -> None:
    a = np.random.default_rng(21).integers(-128, 128, 500).astype(np.int8)
    b = a[::-1].copy()
    np.testing.assert_array_equal(p.cmp_setcc("setl", a, b), a < b)
    np.testing.assert_array_equal(p.cmp_setcc("SETNBE", a, b), a.view(np.uint8) > b.view(np.uint8))
    x, y = floats(), np.roll(floats(), 9)
    np.testing.assert_array_equal(p.cmp_setcc("seta", x, y), x > y)
