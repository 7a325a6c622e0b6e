# SPDX-License-Identifier: MIT
"""PTO's conversions, pto_vcvt(), by IEEE 754 and the documents.

Like theory_cvt.py, this is a second reading of include/pto/vcvt.h and docs/semantics.md."""

from dataclasses import dataclass

import ieee
from ieee import holds, is_, rounded, size, to_bits, value
from terms import bit_or, choose, concat, eq, extract, ult, zext
from theory_formats import (
    FORMATS,
    INTEGERS,
    TYPES,
    Source,
    for_integral,
    integer_in_range,
    read,
    rounded_to_2_bits,
    scaled,
    sort_of,
)

ROUNDS = ("rn", "rna", "rm", "rp", "rz", "odd")  # enum pto_vrnd
NANS = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "e4m3": 0x7F, "e5m2": 0x7F}
E1M2_SORT = (5, 4)


@dataclass(frozen=True)
class Op:
    """The members of pto_vcvt_op."""

    dst: str
    src: str
    rounding: str
    sat: bool

    @staticmethod
    def read(raw):
        dst, src, rounding = (int.from_bytes(raw[k : k + 4], "little") for k in (0, 4, 8))
        return Op(TYPES[dst], TYPES[src], ROUNDS[rounding], bool(raw[12]))


def reason_if_left_out(form):
    """Returns why IEEE 754 does not define a conversion, or None."""
    op = Op.read(form.op)
    if "hif8" in (op.dst, op.src):
        return "the precision of hif8 depends on the exponent"
    return "both types are integers" if op.src in INTEGERS and op.dst in INTEGERS else None


def read_source(op, x):
    """The source, and the sort of its value."""
    if op.src == "e1m2":
        quarters = ieee.from_integer(zext(extract(x, 0, 3), 3, 8), 8, False, "rn", E1M2_SORT)
        number = scaled(quarters, -2, E1M2_SORT)
        return Source(choose(extract(x, 3, 1), ieee.negative(number), number, size(E1M2_SORT)), 0, x), E1M2_SORT
    return read(op.src, x), sort_of(op.src)


def integral(x, rounding, sort):
    """x rounded to an integer. To odd: the odd neighbour of an x that is no integer is 2 * floor(x / 2) + 1."""
    if rounding != "odd":
        return ieee.integral(x, rounding)
    even = scaled(ieee.integral(scaled(x, -1, sort), "rm"), 1, sort)
    is_integer = holds("eq", ieee.integral(x, "rz"), x)
    return choose(is_integer, x, ieee.total(even, value(1.0, sort)), size(sort))


def integer(op, source, sort):
    """The integer that a float becomes."""
    bits, is_signed = INTEGERS[op.dst]
    sort, x = for_integral(sort), rounded(source.value, "rn", for_integral(sort))
    y = integral(x, op.rounding, sort)
    clamped = integer_in_range(y, sort, bits, is_signed)
    if op.sat:
        return choose(source.nan, 0, clamped, bits)
    most = 18 if op.src == "f16" else 130  # bits of the largest integers
    low = extract(ieee.to_integer(y, most, True, "rz"), 0, bits) if most > bits else clamped
    return choose(source.nan, 0, choose(is_("infinite", x), clamped, low, bits), bits)


def quarters(op, x, sort):
    """The code of e1m2, which saturates."""
    sort, x = for_integral(sort), rounded(x, "rn", for_integral(sort))
    steps = ieee.absolute(ieee.integral(scaled(x, 2, sort), op.rounding))
    magnitude = integer_in_range(steps, sort, 8, False)
    return concat(
        extract(to_bits(x), size(sort) - 1, 1), extract(choose(ult(magnitude, 7, 8), magnitude, 7, 8), 0, 3), 1, 3
    )


def converted(op, source, sort):
    """The code of a float. It is rounded in a sort with more exponents above, so that what overflows is above the
    largest code; in IEEE 754's sort of the format, rounding to zero would stay finite."""
    f = FORMATS[op.dst]
    saturates = op.sat or not f.has_nan
    up, shift = ((f.sort[0] + 1, f.sort[1]), 1 << f.sort[0] - 1) if f.has_infinity else (f.sort, f.shift)
    roomy = for_integral((max(sort[0], up[0]), sort[1]))
    x = rounded(source.value, "rn", roomy)
    if f.spare:
        x = rounded_to_2_bits(x, op.rounding, roomy)
    x = scaled(x, -shift, roomy)
    y = rounded(x, "rz" if op.rounding == "odd" else op.rounding, up)
    whole = to_bits(y)
    if op.rounding == "odd":
        is_exact = holds("eq", rounded(y, "rn", roomy), x)
        whole = choose(is_exact, whole, bit_or(whole, 1, size(up)), size(up))
    n, top = f.bits - 1, size(up) - 1
    sign, magnitude = extract(whole, top, 1), extract(whole, f.spare, top - f.spare)
    limit = f.nan if not saturates and not f.has_infinity else concat(sign, f.largest + (not saturates), 1, n)
    in_range = concat(sign, extract(magnitude, 0, n), 1, n)
    code = choose(ult(f.largest, magnitude, top - f.spare), limit, in_range, f.bits)
    return choose(source.nan, 0 if saturates else NANS[op.dst], code, f.bits)


def of_integer(op, x):
    """The code of a float from an integer, which cannot overflow in the pairs that there are."""
    f, (bits, is_signed) = FORMATS[op.dst], INTEGERS[op.src]
    y = ieee.from_integer(x, bits, is_signed, "rz" if op.rounding == "odd" else op.rounding, f.sort)
    if op.rounding != "odd":
        return to_bits(y)
    is_exact = eq(ieee.to_integer(y, bits, is_signed, "rz"), x, bits)
    return choose(is_exact, to_bits(y), bit_or(to_bits(y), 1, f.bits), f.bits)


def expected(op, x):
    """The bits of a conversion of x, an element in memory."""
    if op.src in INTEGERS:
        return of_integer(op, x)
    source, sort = read_source(op, x)
    if op.dst in INTEGERS:
        return integer(op, source, sort)
    if op.dst == "e1m2":
        return choose(source.nan, 0, quarters(op, source.value, sort), 4)
    return converted(op, source, sort)
