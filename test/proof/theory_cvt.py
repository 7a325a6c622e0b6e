# SPDX-License-Identifier: MIT
"""PTX's conversions, pto_cvt(), by IEEE 754 and the documents.

The rules are a second reading of PTX's text, include/pto/convert.h and docs/semantics.md."""

from dataclasses import dataclass

import ieee
import terms
from ieee import holds, is_, rounded, size, to_bits, value
from terms import bit_and, bit_or, choose, concat, either, eq, extract, ult, zext
from theory_formats import (
    FORMATS,
    INTEGERS,
    SCALE,
    TYPES,
    for_integral,
    integer_in_range,
    read,
    rounded_to_2_bits,
    scaled,
    sort_of,
    times_power,
)

ROUNDS = (None, "rn", "rna", "rz", "rm", "rp", "rs", "rni", "rzi", "rmi", "rpi")  # enum pto_round
SCALES = (None, "n1", "n2")  # enum pto_cvt_scale


@dataclass(frozen=True)
class Op:
    """The members of pto_cvt_op."""

    dst: str
    src: str
    rounding: str | None
    ftz: bool
    sat: bool
    satfinite: bool
    relu: bool
    pzo: bool
    scale: str | None

    @staticmethod
    def read(raw):
        number = [int.from_bytes(raw[k : k + 4], "little") for k in (0, 4, 8, 20)]
        flags = (bool(b) for b in raw[12:17])
        return Op(TYPES[number[0]], TYPES[number[1]], ROUNDS[number[2]], *flags, SCALES[number[3]])

    @property
    def mode(self):
        """The rounding of IEEE 754. Without a modifier, conversions are exact, or to nearest even."""
        return (self.rounding or "rn").removesuffix("i")

    @property
    def is_integral(self):
        return self.rounding in ("rni", "rzi", "rmi", "rpi")


def reason_if_left_out(form):
    """Returns why IEEE 754 does not define a conversion, or None."""
    op = Op.read(form.op)
    if op.rounding == "rs":
        return "no rounding of IEEE 754 is stochastic"
    return "both types are integers" if op.src in INTEGERS and op.dst in INTEGERS else None


# ---- sources ----


def is_negative_bit(x):
    """The sign of a float that is not a NaN."""
    return extract(to_bits(x), x.bits - 1, 1)


def flushed(x, sort):
    """Subnormal values become zeros of their sign."""
    zero = choose(is_negative_bit(x), value(-0.0, sort), value(0.0, sort), size(sort))
    return choose(is_("subnormal", x), zero, x, size(sort))


def flushes_source(op):
    """Returns whether .ftz flushes the source: f32, except to f16. See narrowed() for results."""
    return op.ftz and op.src == "f32" and op.dst != "f16"


# ---- results ----


def nan_of(op, x):
    """The result for a NaN with the bits x, without .sat and scales."""
    pair = op.dst, op.src
    plain = op.rounding is None and not op.ftz
    if pair in (("f32", "f32"), ("f64", "f64")) and plain:
        return x
    if pair == ("f64", "f64"):
        return bit_or(x, 1 << 51, 64)
    if pair == ("f32", "bf16") and not op.ftz:
        return concat(x, 0, 16, 16)
    if pair == ("tf32", "f32") and op.rounding == "rna":
        return tf32_nan(op, x)
    wide_name, narrow_name = (op.src, op.dst) if op.src == "f64" else (op.dst, op.src)
    if wide_name == "f64" and narrow_name in ("f16", "bf16", "f32") and not (op.ftz and op.src == "f32"):
        return moved_nan(op, x)
    if pair == ("f32", "ue8m0") and not op.ftz:
        return 0x7FFF0000
    return FORMATS[op.dst].nan << FORMATS[op.dst].zeros


def tf32_nan(op, x):
    """.rna clears the low bits as in an integer, and .satfinite then subtracts one unit."""
    low = bit_and(x, 0xFFFFE000, 32)
    return terms.sub(low, 0x2000, 32) if op.satfinite else low


def moved_nan(op, x):
    """A quiet NaN with the sign and top payload bits of x."""
    (e, s), (a, b) = FORMATS[op.src].sort, FORMATS[op.dst].sort
    s, b = s - 1, b - 1
    sign, payload = extract(x, e + s, 1), extract(x, 0, s)
    payload = concat(payload, 0, s, b - s) if b > s else extract(payload, s - b, b)
    payload = bit_or(payload, 1 << b - 1, b)
    return concat(sign, concat((1 << a) - 1, payload, a, b), 1, a + b)


def clamped(op, y, code, bits, one):
    """Applies .relu, .sat and .pzo to a code that is not a NaN. y: its value; one: the code of 1."""
    sort = op_sort(y)
    zero = value(0.0, sort)
    if op.relu or op.sat:
        code = choose(holds("leq", y, zero), 0, code, bits)
    if op.sat:
        code = choose(holds("lt", value(1.0, sort), y), one, code, bits)
    return choose(is_("zero", y), 0, code, bits) if op.pzo else code


def op_sort(x):
    """The sort of a float that rounded() or from_bits() gave."""
    if x.op == "ite":
        return op_sort(x.args[1])
    if x.op == "fp.from_bits":
        return x.detail
    if x.op in ("fp.integral", "fp.product", "fp.absolute"):
        return op_sort(x.args[0])
    return x.detail[-1]


def narrowed(op, x, f):
    """The code of x if f has infinities."""
    y = rounded(x, op.mode, f.sort)
    if op.ftz and op.dst == "f32" and op.src in ("f64", "bf16", "ue8m0"):
        # A result is subnormal if rounding with unbounded exponent leaves x below the least normal value.
        tiny = holds("lt", ieee.absolute(rounded(x, op.mode, (12, 24))), value(2.0**-126, (12, 24)))
        y = choose(tiny, choose(is_negative_bit(y), value(-0.0, f.sort), value(0.0, f.sort), 32), y, 32)
    code = to_bits(y)
    if op.satfinite:
        most = concat(extract(code, f.bits - 1, 1), f.largest, 1, f.bits - 1)
        code = choose(is_("infinite", y), most, code, f.bits)
    one = ((1 << f.sort[0] - 1) - 1) << f.sort[1] - 1
    return clamped(op, y, code, f.bits, one)


def small_code(op, x, f, sort):
    """The code of x if f has no infinities."""
    sort, x = for_integral(sort), rounded(x, "rn", for_integral(sort))
    if not f.signed:
        x = ieee.absolute(x)
    exact = rounded_to_2_bits(x, op.mode, sort) if f.spare else x
    y = rounded(scaled(exact, -f.shift, sort), op.mode, f.sort)
    whole = to_bits(y)
    top = size(f.sort) - 1
    magnitude, sign = extract(whole, f.spare, top - f.spare), extract(whole, top, 1)
    n = f.bits - f.signed
    most = f.largest
    if not f.signed and not op.satfinite:
        # ue5m3: without .satfinite, overflow gives the NaN. With .rz, only an infinite source overflows.
        most = f.nan if op.mode != "rz" else choose(is_("infinite", x), f.nan, f.largest, n)
    code = choose(ult(f.largest, magnitude, top - f.spare), most, extract(magnitude, 0, n), n)
    if f.signed:
        code = concat(sign, code, 1, n)
    return clamped(op, y, code, f.bits, None)


def power_of_two(op, x):
    """A code of ue8m0. Rounding to 3 bits and then to 1 in the same direction is the same as rounding once."""
    bits = extract(to_bits(rounded(ieee.absolute(x), op.mode, SCALE)), 0, 12)
    if op.mode == "rp":
        bits = terms.add(bits, 3, 12)
    field, beyond = extract(bits, 2, 10), 0xFE if op.satfinite else 0xFF
    code = choose(ult(field, 384, 10), 0, extract(terms.sub(field, 384, 10), 0, 8), 8)
    return choose(ult(384 + 0xFE, field, 10), beyond, code, 8)


def fixed_point(op, x, sort):
    """A code of s2f6."""
    sort, x = for_integral(sort), rounded(x, "rn", for_integral(sort))
    q = ieee.integral(scaled(x, 6, sort), op.mode)
    code = integer_in_range(q, sort, 8, True)
    return clamped(op, x, code, 8, None)


def expected(op, x, scale=None):
    """The bits of a conversion of x, an element in memory; scale: the code of its scale."""
    if op.src in INTEGERS:
        f = FORMATS[op.dst]
        number = ieee.from_integer(x, *INTEGERS[op.src], op.mode, f.sort)
        return clamped(op, number, to_bits(number), f.bits, ((1 << f.sort[0] - 1) - 1) << f.sort[1] - 1)
    source, sort = read(op.src, x), sort_of(op.src)
    number, nan = source.value, source.nan
    if flushes_source(op) or op.scale == "n1":
        number = flushed(number, sort)
    if op.dst in INTEGERS:
        bits, is_signed = INTEGERS[op.dst]
        code = integer_in_range(ieee.integral(number, op.mode), sort, bits, is_signed)
        return choose(nan, 1 << bits - 1 if op.src == "f64" or bits == 64 else 0, code, bits)
    of_nan = 0 if op.sat else nan_result(op, source)
    if op.scale:
        number, nan_scale, sort = with_scale(op, number, scale, sort)
        nan = either(nan, nan_scale)
    if op.is_integral:
        number = ieee.integral(number, op.mode)
    bits = 8 if op.dst in ("ue8m0", "s2f6") else FORMATS[op.dst].bits
    result = result_code(op, number, sort)
    return stored(op, choose(nan, of_nan, result, bits))


def with_scale(op, x, c, sort):
    """The exact x * scale or x / scale; whether the scale is a NaN; the sort of the result."""
    sort = (10, sort[1])
    power = c if op.dst == "bf16" else terms.sub(254, c, 8)
    return times_power(rounded(x, "rn", sort), power, sort), eq(c, 0xFF, 8), sort


def nan_result(op, source):
    if op.dst in ("ue8m0", "s2f6"):
        return 0xFF if op.dst == "ue8m0" else 0x7F
    return extract(nan_of(op, source.bits), FORMATS[op.dst].zeros, FORMATS[op.dst].bits)


def result_code(op, number, sort):
    if op.dst == "ue8m0":
        return power_of_two(op, number)
    if op.dst == "s2f6":
        return fixed_point(op, number, sort)
    f = FORMATS[op.dst]
    return narrowed(op, number, f) if f.has_infinity else small_code(op, number, f, sort)


def stored(op, code):
    """A code as it is in memory."""
    f = FORMATS.get(op.dst)
    if f is not None and f.zeros:
        return concat(code, 0, f.bits, f.zeros)
    return zext(code, f.bits, 8) if f is not None and f.bits == 6 else code
