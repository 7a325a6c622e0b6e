# SPDX-License-Identifier: MIT
"""Conversions between floats against gfloat, which rounds and decodes by a description of the format.

Every form of cvt and vcvt between floats is compared, and pto.cast between all these formats in the roundings of IEEE
754, saturating or not.

gfloat rounds a double to a format. The rest of a conversion in PTX (flushing, scales, ``.relu``, ``.sat``, ``.pzo``,
the result of a NaN) is implemented here. All NaNs count as equal; other results are compared by value and sign.

gfloat has no counterpart for these, which are therefore not tested here: integers as source or destination; hif8, whose
precision is tapered; the rounding O (to odd) of ``vcvt``; the bits of NaNs. ``.rni .rzi .rmi .rpi`` are computed with
NumPy's ``rint`` and similar functions. gfloat has no names for tf32, ue5m3 and e1m2, so they are described to it; s2f6
is its INT8. Where PTX or PTO differ from gfloat, ``round_as_ptx`` and ``round_as_pto`` implement the difference:

- ue8m0: PTX returns code 0 for everything below 2^-127; gfloat returns values below the format's range.
- ue8m0, ue5m3: PTX drops the sign first; gfloat's functions leave that to the caller.
- a NaN in a format without NaNs: PTX returns the largest positive value; gfloat raises an error.
- tf32 ``.rna`` of a NaN whose payload is only in the 13 low bits: PTX returns an infinity.
- ``vcvt``'s overflow: the condition is the same in every rounding. gfloat, as IEEE 754, stays finite in F, C and Z.
- ``.rs``: PTX's carry is exactly gfloat's StochasticFastest. gfloat's other three modes first round the fraction to K
  bits, or add half a unit to the random bits, so they differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

import pto
from checks import Faulty, floats, instead

gfloat = pytest.importorskip("gfloat", reason="gfloat is not there, and so its conversions are not compared")
formats = pytest.importorskip("gfloat.formats")

Array = np.ndarray[Any, Any]
Mode = gfloat.RoundMode


def described(k: int, precision: int, bias: int, **more: Any) -> Any:
    """Returns the description of a format for which gfloat has no name."""
    usual = {"is_signed": True, "domain": gfloat.Domain.Finite, "has_nz": True, "num_high_nans": 0}
    usual |= {"has_subnormals": True, "is_twos_complement": False}
    return gfloat.FormatInfo(f"e{k - precision}m{precision - 1}", k, precision, bias=bias, **{**usual, **more})


FORMATS = {
    "f64": formats.format_info_binary64,
    "f32": formats.format_info_binary32,
    "f16": formats.format_info_binary16,
    "bf16": formats.format_info_bfloat16,
    "tf32": described(19, 11, 127, domain=gfloat.Domain.Extended, num_high_nans=1023),
    "e4m3": formats.format_info_ocp_e4m3,
    "e5m2": formats.format_info_ocp_e5m2,
    "e2m3": formats.format_info_ocp_e2m3,
    "e3m2": formats.format_info_ocp_e3m2,
    "e2m1": formats.format_info_ocp_e2m1,
    "e1m2": described(4, 3, 1),
    "ue8m0": formats.format_info_ocp_e8m0,
    "ue5m3": described(8, 4, 15, is_signed=False, has_nz=False, num_high_nans=1),
    "s2f6": formats.format_info_ocp_int8,
}
SMALL = ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1")
NIBBLES = ("e2m1", "e1m2")
MODES = {"": Mode.TiesToEven, "rn": Mode.TiesToEven, "rna": Mode.TiesToAway, "rz": Mode.TowardZero}
MODES |= {"rm": Mode.TowardNegative, "rp": Mode.TowardPositive, "rs": Mode.StochasticFastest}
INTEGRAL = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}
LEAST_F32 = 2.0**-126  # the smallest normal f32


# ---- forms ----


@dataclass(frozen=True)
class Form:
    """The parts of a conversion."""

    dst: str
    src: str
    round: str = ""
    flags: frozenset[str] = frozenset()
    scale: str = ""
    ptx: str = ""  # the text, if it is one PTX instruction

    def __call__(self, p: Any, x: Array, extra: Array | None) -> Array:
        named = {"scales" if self.scale else "rbits": extra}
        if self.ptx:
            return p.cvt(self.ptx, x, **named)
        return p.cvt(x, self.dst, src=self.src, round=self.round, **dict.fromkeys(self.flags, True), **named)


def form_of(text: str) -> Form | None:
    """Returns the form of a text, or None if a type is an integer."""
    *words, dst, src = re.sub(r"(?<=\d)x[24]\b", "", text).replace("::ue8m0", "").split(".")[1:]
    if dst not in FORMATS or src not in FORMATS:
        return None
    rounds = [word for word in words if word in MODES or word in INTEGRAL]
    scales = [word for word in words if word.startswith("scaled")]
    flags = frozenset(words) - {*rounds, *scales}
    return Form(dst, src, "".join(rounds), flags, "".join(scales).removeprefix("scaled::"), text)


def composed() -> Iterator[Form]:
    """Yields the pairs of types for which PTX needs two instructions."""
    for small in SMALL:
        for relu in ([], ["relu"]):
            yield Form(small, "bf16", "rs", frozenset(["satfinite", *relu]))
        for flags in ([], ["ftz"], ["sat"], ["ftz", "sat"]):
            yield Form("f32", small, "", frozenset(flags))
        yield from (Form("bf16", small, way) for way in ("", "rz", "rm", "rp"))
    yield from (Form("f32", "ue8m0", way) for way in ("", "rn", "rz", "rm", "rp"))


FORMS = [*(form for text in pto.forms() if (form := form_of(text))), *composed()]


# ---- codes and values ----


def decoded(name: str, codes: Array) -> Array:
    """Returns the codes as doubles, decoded by gfloat, or by NumPy for f64."""
    if name == "f64":
        return codes.view(np.float64)
    return gfloat.decode_ndarray(FORMATS[name], codes.astype(np.int64))


def encoded(name: str, values: Array) -> Array:
    """Returns values as codes of f32 or f64."""
    return values.astype(np.float32 if name == "f32" else np.float64).view(np.uint32 if name == "f32" else np.uint64)


def stored(name: str, codes: Array) -> Array:
    """Returns codes in libpto's memory layout."""
    if name in ("f16", "f32", "f64"):
        return codes.view(f"f{codes.itemsize}")
    return codes[0::2] | (codes[1::2] << 4) if name in NIBBLES else codes


def read(name: str, result: Array) -> Array:
    """Returns the codes in a result, without bits that must be zero."""
    codes = result.view(f"u{result.dtype.itemsize}")
    if name in NIBBLES:
        codes = np.stack([codes & 15, codes >> 4], axis=-1).reshape(-1)
    if name == "tf32":
        assert not (codes[~np.isnan(result.view(np.float32))] & 0x1FFF).any()
        codes = codes >> 13
    return codes


@np.errstate(all="ignore")
def ties(name: str) -> Array:
    """Returns the values of a format and the ties between them; for wide formats a random selection."""
    k = FORMATS[name].k
    some = np.arange(1 << k) if k <= 8 else np.random.default_rng(11).integers(0, 1 << min(k, 63), 2048)
    word = np.uint64 if name == "f64" else np.uint32
    here, there = (decoded(name, (codes & ((1 << min(k, 63)) - 1)).astype(word)) for codes in (some, some + 1))
    return np.concatenate([here, here / 2 + there / 2])


def beside(codes: Array) -> Array:
    """Returns the codes, and for each also the next larger and the next smaller one."""
    return np.concatenate([codes, codes + codes.dtype.type(1), codes - codes.dtype.type(1)])


def sources(form: Form) -> Array:
    """Returns source codes: all codes of types of up to 16 bits, otherwise special values, random ones, and ties.

    Ties include their neighbours. The first code is a zero, or for ue8m0 the smallest value.
    """
    k = FORMATS[form.src].k
    if k <= 16:
        codes = np.tile(np.arange(1 << k, dtype=np.uint16 if k == 16 else np.uint8), 1 if k == 16 else 8)
    else:
        some = np.concatenate([floats(1 << 14).astype(np.float64), ties(form.dst)])
        codes = beside(encoded(form.src, some))
        if form.src == "f64":  # with mantissa bits that f32 lacks
            bits = np.random.default_rng(12).integers(0, 1 << 29, codes[1::2].size, dtype=np.uint64)
            codes[1::2] ^= bits
    return codes[: codes.size // 4 * 4]


def shares(form: Form, words: Array) -> Array:
    """Returns the random bits of each element. A word has those of two or four elements."""
    if form.dst in ("f16", "bf16"):
        bits = np.stack([words, words >> 16], axis=-1).reshape(-1) & ((1 << digits_of(form)) - 1)
        return bits.astype(np.int64)
    upper, lower = words >> 16, words & 0xFFFF
    if form.dst == "e2m1":
        upper, lower = (words >> 24 << 8) | (words >> 8 & 0xFF), (words >> 8 & 0xFF00) | (words & 0xFF)
    return np.stack([lower, turned(lower), upper, turned(upper)], axis=-1).reshape(-1).astype(np.int64)


def digits_of(form: Form) -> int:
    return 13 if form.dst == "f16" else 16


def random_words(form: Form, x: Array) -> Array:
    """Returns words for ``.rs``. Every other one is the smallest with which an element rounds up, or one less."""
    two, top = form.dst in ("f16", "bf16"), 1 << digits_of(form)
    random = np.random.default_rng(13).integers(0, 1 << 32, x.size // (2 if two else 4), dtype=np.uint32)
    size = np.where(np.isfinite(x), np.minimum(np.abs(x), FORMATS[form.dst].max), 0.0)
    down, up = (rounded(form.dst, size, mode, True) for mode in (Mode.TowardZero, Mode.TowardPositive))
    enough = np.ceil(top * (1 - (size - down) / np.where(up > down, up - down, 1.0)))
    enough = np.clip(enough - np.arange(x.size) // 4 % 2, 0, top - 1).astype(np.uint32)
    lower, upper = enough.reshape(-1, 2).T if two else enough.reshape(-1, 4).T[::2]
    words = lower | upper << 16
    if form.dst == "e2m1":
        words = (upper >> 8 << 24) | (lower >> 8 << 16) | (upper & 0xFF) << 8 | (lower & 0xFF)
    words[::2] = random[::2]
    return words


def turned(halves: Array) -> Array:
    """Returns 16-bit words with their bits reversed."""
    return sum((halves >> i & 1) << (15 - i) for i in range(16))


# ---- expected results ----


def rounded(name: str, x: Array, mode: Any, sat: bool, bits: Array | None = None, digits: int = 0) -> Array:
    return gfloat.round_ndarray(FORMATS[name], x, mode, sat, bits, digits)


def round_as_ptx(form: Form, x: Array, bits: Array | None) -> Array:
    sat = "satfinite" in form.flags
    if form.dst in ("ue8m0", "ue5m3"):
        x = np.abs(x)
    if form.dst == "ue8m0":
        x = np.maximum(x, 2.0**-127)
    if FORMATS[form.dst].num_nans == 0:
        x = np.where(np.isnan(x), np.inf, x)
    return rounded(form.dst, x, MODES[form.round], sat, bits, digits_of(form))


def flushed(x: Array, least: float) -> Array:
    return np.where(np.abs(x) < least, np.copysign(0.0, x), x)


def unbounded(name: str, exponent_bits: int, bias: int) -> Any:
    """Returns a format with the same precision and a larger exponent range."""
    p = FORMATS[name].precision
    most = {"domain": gfloat.Domain.Extended, "num_high_nans": (1 << (p - 1)) - 1}
    return described(p + exponent_bits, p, bias, **most)


def flush_f32(form: Form, x: Array) -> Array:
    """Applies ``.ftz`` to f32 sources, and to results that have the source's value."""
    if "ftz" not in form.flags or (form.dst, form.src) == ("f16", "f32"):
        return x
    if (form.dst, form.src) == ("f32", "f64"):
        tiny = np.abs(gfloat.round_ndarray(unbounded("f32", 11, 1023), x, MODES[form.round])) < LEAST_F32
        return np.where(tiny, np.copysign(0.0, x), x)
    return flushed(x, LEAST_F32)


def scaled(form: Form, x: Array, scales: Array) -> Array:
    """Applies the scales. The products are exact, because a double has enough precision and exponent range."""
    factor = decoded("ue8m0", np.repeat(scales, 2) if form.scale == "n1" else scales)
    if form.dst == "bf16" and form.src not in ("f32", "bf16", "f16"):
        return x * factor
    if form.scale == "n1":
        x = flushed(x, FORMATS[form.src].smallest_normal)
    return x / factor


def expected(form: Form, x: Array, extra: Array | None, bits: Array | None) -> Array:
    """Returns the expected result, in the order of docs/semantics.md: flush, scale, round, .relu or .sat, .pzo."""
    x = flush_f32(form, x)
    if form.scale and extra is not None:
        x = scaled(form, x, extra)
    y = INTEGRAL[form.round](x) if form.round in INTEGRAL else round_as_ptx(form, x, bits)
    if "relu" in form.flags:
        y = np.where((y < 0) | (y == 0), np.maximum(y, 0.0) + 0.0, y)
    if "sat" in form.flags:
        y = np.where(y > 0, np.minimum(y, 1.0), 0.0)
    return np.where(y == 0, 0.0, y) if "pzo" in form.flags else y


def differing(name: str, result: Array, want: Array) -> Array:
    """Returns which elements have another value, or are a zero of the other sign."""
    got = decoded(name, read(name, result))
    nan = np.isnan(got) | np.isnan(want)
    return np.where(nan, np.isnan(got) != np.isnan(want), (got != want) | (np.signbit(got) != np.signbit(want)))


@dataclass
class Question:
    """A form with its operands and gfloat's results."""

    form: Form
    x: Array
    extra: Array | None
    want: Array

    def wrong(self, p: Any) -> int:
        return int(differing(self.form.dst, self.form(p, self.x, self.extra), self.want).sum())


@np.errstate(all="ignore")
def question(form: Form) -> Question:
    codes = sources(form)
    extra = bits = None
    if form.round == "rna":
        codes = codes[~np.isnan(codes.view(np.float32))][: codes.size // 8 * 4]
    if form.round == "rs":
        extra = random_words(form, decoded(form.src, codes))
        bits = shares(form, extra)
    if form.scale:
        count = codes.size // 2 if form.scale == "n1" else codes.size
        extra = np.random.default_rng(14).integers(0, 256, count, dtype=np.uint8)
        extra[::3] = 127 + extra[::3] % 3  # scales with which most results are in range
    want = expected(form, decoded(form.src, codes), extra, bits)
    return Question(form, stored(form.src, codes), extra, want)


# ---- checks ----

DESTINATIONS = sorted({form.dst for form in FORMS})


def each_isa() -> Iterator[str]:
    """Uses each backend in turn for the same question, because gfloat takes longer than the backends."""
    before = pto.isa.active()
    try:
        for isa in pto.isa.available():
            pto.isa.use(isa)
            yield isa
    finally:
        pto.isa.use(before)


def test_every_form_between_floats_is_asked() -> None:
    """The forms that are left out have an integer type."""
    left = [text for text in pto.forms() if form_of(text) is None]
    assert all(re.search(r"\.[us](8|16|32|64)(\.|$)", text) for text in left)
    assert len(left) + sum(bool(form.ptx) for form in FORMS) == len(pto.forms())


@pytest.mark.parametrize("dst", DESTINATIONS)
def test_cvt(dst: str, tally: Callable[[str, int, int], None]) -> None:
    for form in (form for form in FORMS if form.dst == dst):
        asked = question(form)
        for isa in each_isa():
            assert asked.wrong(pto) == 0, (isa, form)
        tally("gfloat, cvt", 1, asked.want.size)


def one_altered(*args: Any, **named: Any) -> Array:
    """cvt with the lowest bit of the first result inverted."""
    result = pto.cvt(*args, **named).copy()
    result.view(f"u{result.dtype.itemsize}")[0] ^= 0x2000 if "tf32" in str(args[0]) else 1
    return result


@pytest.mark.parametrize("dst", DESTINATIONS)
def test_cvt_finds_one_altered_digit(dst: str) -> None:
    """Checks one form for each source type, scale and rounding, whatever its other modifiers."""
    kinds = {(form.src, form.scale, form.round): form for form in FORMS if form.dst == dst}
    for form in kinds.values():
        assert question(form).wrong(Faulty("cvt", one_altered)) == 1, form


WRONG_WORDS = [
    ("cvt.rn.f16.f32", ".rn", ".rz"),
    ("cvt.rz.satfinite.e4m3x2.f32", ".rz", ".rn"),
    ("cvt.rm.bf16.f32", ".rm", ".rp"),
    ("cvt.rp.f32.f64", ".rp", ".rn"),
    ("cvt.rna.tf32.f32", ".rna", ".rn"),
    ("cvt.rz.ue8m0x2.f32", ".rz", ".rp"),
    ("cvt.rni.f32.f32", ".rni", ".rmi"),
    ("cvt.rn.relu.satfinite.e5m2x2.f16x2", ".relu", ""),
    ("cvt.rn.satfinite.pzo.e2m3x2.f32", ".pzo", ""),
    ("cvt.rn.satfinite.f16.f32", ".satfinite", ""),
    ("cvt.rn.ftz.bf16.f32", ".ftz", ""),
    ("cvt.rn.ftz.f32.f64", ".ftz", ""),
    ("cvt.rn.sat.f16.f32", ".sat", ""),
    ("cvt.rn.satfinite.e3m2x2.f32", "e3m2", "e2m3"),
]


@pytest.mark.parametrize(("text", "word", "other"), WRONG_WORDS)
def test_cvt_finds_wrong_words(text: str, word: str, other: str) -> None:
    form = form_of(text)
    assert form is not None
    assert question(form).wrong(Faulty("cvt", instead(word, other))) > 0


@pytest.mark.parametrize("mode", [Mode.Stochastic, Mode.StochasticOdd, Mode.StochasticFast])
def test_other_stochastic_roundings_differ(mode: Any) -> None:
    """The check distinguishes PTX's carry from other modes, and the right order of random bits from the wrong one."""
    asked = question(form_of("cvt.rs.satfinite.e4m3x4.f32"))
    assert asked.wrong(pto) == 0
    with np.errstate(all="ignore"):
        other = rounded("e4m3", asked.x.astype(np.float64), mode, True, shares(asked.form, asked.extra), 16)
    assert 0 < differing("e4m3", pto.cvt(asked.form.ptx, asked.x, asked.extra), other).sum() < asked.x.size // 4
    assert asked.wrong(Faulty("cvt", lambda text, x, rbits: pto.cvt(text, x, rbits[::-1].copy()))) > 0


# ---- PTO's vcvt ----

VMODES = {"R": Mode.TiesToEven, "A": Mode.TiesToAway, "F": Mode.TowardNegative, "C": Mode.TowardPositive}
VMODES |= {"Z": Mode.TowardZero}
VCVT = [  # vcvt.h's table, for types of gfloat: destinations, sources, roundings, whether sat is optional
    (["f16"], ["f32", "bf16"], "RAFCZ", True),
    (["bf16"], ["f32"], "RAFCZ", True),
    (["bf16"], ["f16"], "RAFCZ", False),
    (["e4m3", "e5m2"], ["f32"], "RAZ", True),
    (["e4m3", "e5m2"], ["f16", "bf16"], "RAFCZ", True),
    (["e2m1", "e1m2"], ["bf16"], "RAFCZ", False),
    (["f32"], ["f16", "bf16", "e4m3", "e5m2"], "R", False),
    (["bf16"], ["e2m1", "e1m2"], "R", False),
]


def pairs() -> Iterator[tuple[str, str, str, bool]]:
    for destinations, from_, roundings, choice in VCVT:
        yield from product(destinations, from_, roundings, [False, True] if choice else [False])


CASES = list(pairs())


def round_as_pto(dst: str, x: Array, mode: Any, sat: bool) -> Array:
    """Rounds as vcvt: a value has overflowed if it exceeds the largest one after rounding with unbounded exponent."""
    f = FORMATS[dst]
    clamps = sat or f.num_nans == 0
    y = gfloat.round_ndarray(unbounded(dst, 9, f.bias), x, mode)
    beyond = f.max if clamps else np.nan if f.domain == gfloat.Domain.Finite else np.inf
    y = np.where(np.abs(y) > f.max, np.copysign(beyond, y), y)
    return np.where(np.isnan(x), 0.0 if clamps else np.nan, y)


@np.errstate(all="ignore")
def vcvt_question(dst: str, src: str, rnd: str, sat: bool) -> tuple[Array, Array]:
    codes = sources(Form(dst, src))
    return stored(src, codes), round_as_pto(dst, decoded(src, codes), VMODES[rnd], sat)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_vcvt(case: tuple[str, str, str, bool], tally: Callable[[str, int, int], None]) -> None:
    dst, src, rnd, sat = case
    x, want = vcvt_question(*case)
    for isa in each_isa():
        assert not differing(dst, pto.vcvt(x, dst, rnd, sat, src=src), want).any(), isa
    tally("gfloat, vcvt", 1, want.size)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_vcvt_finds_its_faults(case: tuple[str, str, str, bool]) -> None:
    def altered(*args: Any, **named: Any) -> Array:
        result = pto.vcvt(*args, **named)
        result.view(f"u{result.dtype.itemsize}")[0] ^= 1
        return result

    def other_way(x: Array, to: str, rnd: str, sat: bool, **named: Any) -> Array:
        return pto.vcvt(x, to, {"R": "A", "A": "Z", "F": "C", "C": "F", "Z": "R"}[rnd], sat, **named)

    def without_sat(x: Array, to: str, rnd: str, sat: bool, **named: Any) -> Array:
        return pto.vcvt(x, to, rnd, **named)

    dst, src, rnd, sat = case
    x, want = vcvt_question(*case)

    def wrong(fault: Callable[..., Array]) -> int:
        return int(differing(dst, fault(x, dst, rnd, sat, src=src), want).sum())

    assert wrong(altered) == 1
    if FORMATS[dst].precision < FORMATS[src].precision:
        assert wrong(other_way) > 0
    if sat:
        assert wrong(without_sat) > 0


# ---- pto.cast ----

CAST_FORMATS = [*FORMATS, "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e4m3ieee", "e3m4"]
CAST_ROUNDS = ("rn", "rna", "rz", "rm", "rp")
FORMATS |= {
    "e4m3fnuz": described(8, 4, 8, has_nz=False),
    "e5m2fnuz": described(8, 3, 16, has_nz=False),
    "e4m3b11fnuz": described(8, 4, 11, has_nz=False),
    "e4m3ieee": described(8, 4, 7, domain=gfloat.Domain.Extended, num_high_nans=7),
    "e3m4": described(8, 5, 3, domain=gfloat.Domain.Extended, num_high_nans=15),
}


def cast_codes(dst: str, src: str) -> Array:
    """Returns all codes of a source of up to 8 bits, and otherwise some of those of cvt."""
    codes = sources(Form(dst, "f32" if src == "tf32" else src))
    if FORMATS[src].k <= 8:
        return codes[: 1 << FORMATS[src].k]
    some = np.random.default_rng(15).permutation(codes)[:4096]
    return some & np.uint32(0xFFFFE000) if src == "tf32" else some


def round_as_cast(dst: str, x: Array, mode: Any, saturates: bool) -> Array:
    f = FORMATS[dst]
    if dst in ("ue8m0", "ue5m3"):
        x = np.abs(x)
    if dst == "ue8m0":
        x = np.maximum(x, 2.0**-127)
    if f.num_nans == 0:
        x = np.where(np.isnan(x), np.inf, x)
    y = rounded(dst, x, mode, saturates or f.num_nans == 0)
    return y if f.has_nz else np.where(y == 0, 0.0, y)


def cast_wrong(p: Any, dst: str, src: str, round: str, saturates: bool) -> tuple[int, int]:
    """Returns how many results differ, and how many are compared."""
    codes = cast_codes(dst, src)
    x = decoded(src, codes >> 13 if src == "tf32" else codes)
    want = round_as_cast(dst, x, MODES[round], saturates)
    operand = codes.view(np.float32) if src == "tf32" else stored(src, codes)
    result = p.cast(operand, dst, round, "saturate" if saturates else "ieee", src=src)
    return int(differing(dst, result, want).sum()), want.size


@pytest.mark.parametrize("dst", CAST_FORMATS)
@np.errstate(all="ignore")
def test_cast(dst: str, tally: Callable[[str, int, int], None]) -> None:
    for src, round, saturates in product(CAST_FORMATS, CAST_ROUNDS, (False, True)):
        for isa in each_isa():
            wrong, compared = cast_wrong(pto, dst, src, round, saturates)
            assert wrong == 0, (isa, src, round, saturates)
        tally("gfloat, cast", 1, compared)


@np.errstate(all="ignore")
def test_cast_finds_its_faults() -> None:
    def as_nearest(x: Array, to: str, round: str, overflow: str, **named: Any) -> Array:
        return pto.cast(x, to, "rn", overflow, **named)

    def as_ieee(x: Array, to: str, round: str, overflow: str, **named: Any) -> Array:
        return pto.cast(x, to, round, "ieee", **named)

    for dst in CAST_FORMATS:
        if dst not in ("f64", "f32"):
            assert all(cast_wrong(Faulty("cast", as_nearest), dst, "f32", round, True)[0] for round in CAST_ROUNDS[1:])
        if FORMATS[dst].num_nans != 0 and dst not in ("f64", "f32", "tf32", "bf16", "ue8m0"):
            assert cast_wrong(Faulty("cast", as_ieee), dst, "f64", "rn", True)[0] > 0


def test_vcvt_overflows_where_gfloat_does_not() -> None:
    """With the roundings Z, F and C, vcvt overflows by other rules than IEEE 754. There is no other such difference."""
    x = floats()
    with np.errstate(invalid="ignore"):
        ieee = rounded("f16", x.astype(np.float64), Mode.TowardZero, False)
    assert not differing("f16", pto.cvt("cvt.rz.f16.f32", x), ieee).any()
    differ = differing("f16", pto.vcvt(x, "f16", "Z"), ieee)
    assert differ.any()
    assert (np.abs(x[differ]) >= 65536).all()
