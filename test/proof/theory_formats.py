# SPDX-License-Identifier: MIT
"""The formats of conversions, and their values as floats of IEEE 754."""

from dataclasses import dataclass

import ieee
from ieee import from_bits, holds, is_, rounded, size, value
from terms import choose, concat, eq, extract, zext

SCALE = 10, 3  # a sort with bias 511: code c of ue8m0 has the exponent field 384 + c


@dataclass(frozen=True)
class Format:
    """A float format. bits: of a code. sort: IEEE's with the same precision and at least its exponents, but no fewer
    than 3 significand bits, the least that z3 takes. A value is that of the sort times 2^shift. spare: bits of the
    sort's fraction that codes do not have. largest: the code of the largest finite value. nan: the canonical NaN, or
    what a NaN becomes if the format has none. has_nan: codes of magnitudes above `largest` (and above infinity) are
    NaNs. zeros: lowest bits of a word in memory that are always 0."""

    bits: int
    sort: tuple
    largest: int
    nan: int
    has_nan: bool = True
    has_infinity: bool = True
    signed: bool = True
    shift: int = 0
    spare: int = 0
    zeros: int = 0


FORMATS = {
    "f64": Format(64, (11, 53), 0x7FEFFFFFFFFFFFFF, 0x7FFFFFFFE0000000),
    "f32": Format(32, (8, 24), 0x7F7FFFFF, 0x7FFFFFFF),
    "tf32": Format(19, (8, 11), 0x7F7FE000 >> 13, 0x7FFFE000 >> 13, zeros=13),
    "f16": Format(16, (5, 11), 0x7BFF, 0x7FFF),
    "bf16": Format(16, (8, 8), 0x7F7F, 0x7FFF),
    "e5m2": Format(8, (5, 3), 0x7B, 0x7F),
    "e4m3": Format(8, (5, 4), 0x7E, 0x7F, True, False, shift=8),
    "e3m2": Format(6, (4, 3), 0x1F, 0x1F, False, False, shift=4),
    "e2m3": Format(6, (3, 4), 0x1F, 0x1F, False, False, shift=2),
    "e2m1": Format(4, (3, 3), 0x7, 0x7, False, False, shift=2, spare=1),
    "ue5m3": Format(8, (6, 4), 0xFE, 0xFF, True, False, False, shift=16),
}
INTEGERS = {f"{kind}{bits}": (bits, kind == "s") for kind in "us" for bits in (8, 16, 32, 64)}
# enum pto_dtype; packed types have no name here.
TYPES = (
    *("b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "bf16", "f32", "f64"),
    *("tf32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0", "s2f6", "ue5m3", *[None] * 6, "e1m2", "hif8"),
)


@dataclass
class Source:
    """A source: its value as a float, the condition that it is a NaN, and its bits."""

    value: object
    nan: object
    bits: object


def wide(sort, more=2):
    """A sort with more exponents, where scaled values are exact."""
    return sort[0] + more, sort[1]


def for_integral(sort):
    """A wider sort whose significand has no fewer bits than the exponent: z3 needs that to round to an integer."""
    e, s = wide(sort)
    return e, max(e, s)


def scaled(x, power, sort):
    """x * 2^power, which must be exact in the sort."""
    return ieee.product(x, value(2.0**power, sort)) if power else x


def times_power(x, c, sort):
    """x * 2^(c - 127) for a byte c, exactly. The exponent's field of the factor 2^(c + 1) begins with bits that are
    known, so z3 sees that it is normal."""
    field = concat(0b010, c, 3, 8)
    return ieee.product(scaled(x, -128, sort), from_bits(concat(field, 0, 11, sort[1] - 1), sort))


def read(name, x):
    """The source of a type that the bits x are."""
    if name == "ue8m0":
        return Source(times_power(value(1.0, SCALE), x, SCALE), eq(x, 0xFF, 8), x)
    if name == "s2f6":
        sort = (6, 8)
        return Source(scaled(ieee.from_integer(x, 8, True, "rn", sort), -6, sort), 0, x)
    f = FORMATS[name]
    code = extract(x, f.zeros, f.bits)
    if f.has_infinity:
        number = from_bits(code, f.sort)
        return Source(number, is_("nan", number), code)
    magnitude = extract(code, 0, f.bits - 1) if f.signed else code
    sign = extract(code, f.bits - 1, 1) if f.signed else 0
    width = f.bits - 1 if f.signed else f.bits
    full = concat(magnitude, 0, width, f.spare) if f.spare else magnitude
    width += f.spare
    number = from_bits(concat(sign, zext(full, width, size(f.sort) - 1), 1, size(f.sort) - 1), f.sort)
    sort = wide(f.sort)
    nan = eq(magnitude, f.largest + 1, f.bits - f.signed) if f.has_nan else 0
    return Source(scaled(rounded(number, "rn", sort), f.shift, sort), nan, code)


def sort_of(name):
    """The sort of the float that read() returns."""
    if name in ("ue8m0", "s2f6"):
        return SCALE if name == "ue8m0" else (6, 8)
    f = FORMATS[name]
    return f.sort if f.has_infinity else wide(f.sort)


def integer_in_range(x, sort, bits, is_signed):
    """An integral float as an integer, clamped."""
    least, beyond = (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1)) if is_signed else (0.0, 2.0**bits)
    lowest, highest = (1 << bits - 1, (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    wide_sort = (max(sort[0], 8), sort[1])
    y = rounded(x, "rn", wide_sort)
    code = ieee.to_integer(y, bits, is_signed, "rz")
    code = choose(holds("leq", value(beyond, wide_sort), y), highest, code, bits)
    return choose(holds("leq", y, value(least, wide_sort)), lowest, code, bits)


def rounded_to_2_bits(x, mode, sort):
    """e2m1 has 2 significand bits, fewer than z3's sorts: in each binade values are multiples of 1/2, 1 or 2."""
    below_2, below_4 = (holds("lt", ieee.absolute(x), value(limit, sort)) for limit in (2.0, 4.0))

    def by_binade(y, sign):
        one = choose(below_4, y, scaled(y, -sign, sort), size(sort))
        return choose(below_2, scaled(y, sign, sort), one, size(sort))

    return by_binade(ieee.integral(by_binade(x, 1), mode), -1)
