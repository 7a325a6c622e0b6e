# SPDX-License-Identifier: MIT
"""Models of the LLVM intrinsics that clang uses for 64-bit Arm, written from Arm's manual.

test_arm.py compares each of them with the instruction. A model takes the executor, the call, the operands and the
state, and returns the result."""

import terms
from intrinsics import lanes
from terms import choose, concat, either, eq, extract, mask, negate, shl, slt, sub, ult, zext
from values import QUIET, compare_floats, flushed, is_nan, strip, with_poison
from x86_512 import narrowed

from x86 import DOWN, FRACTION, NEAREST, TOWARD_ZERO, UP, each, exponent_bias, integral, quiet, saturated


def pairwise_sums(executor, i, arguments, state):
    """addp: the sums of neighbouring lanes of the first operand, then of the second."""
    bits, whole = i.type.lane.bits, arguments[0] + arguments[1]

    def one(x, y):
        (a, p), (b, q) = strip(x), strip(y)
        return with_poison(terms.add(a, b, bits), either(p, q))

    return lanes(one, whole[::2], whole[1::2])


def distance(bits, a, b):
    """sabd: the absolute difference of signed lanes."""
    return choose(slt(a, b, bits), sub(b, a, bits), sub(a, b, bits), bits)


def extremum(less, is_max):
    def one(bits, a, b):
        return choose(less(a, b, bits), *((b, a) if is_max else (a, b)), bits)

    return each(one)


def look_up(executor, i, arguments, state):
    """tbl1: selects bytes of the first operand by the indices in the second. A too large index gives 0."""
    table, numbers = arguments
    values, poison = zip(*map(strip, table), strict=True)

    def one(x):
        n, p = strip(x)
        result = 0
        for k, value in enumerate(values):
            result = choose(eq(n, k, 8), value, result, 8)
        return with_poison(result, either(p, *poison))

    return [one(x) for x in numbers]


def float_extremum(is_max):
    """fmax, fmin: +0 is greater than -0. If an operand is a NaN, the result is that of nan_of()."""

    def run(executor, i, arguments, state):
        bits = i.type.lane.bits

        def one(x, y):
            (a, p), (b, q) = strip(x), strip(y)
            if executor.flush:
                a, b = flushed(a, bits), flushed(b, bits)
            negative = extract(a, bits - 1, 1)
            zero = eq(terms.bit_and(terms.bit_or(a, b, bits), mask(bits - 1), bits), 0, bits)
            less = choose(zero, negative, compare_floats("olt", a, b, bits), 1)
            result = choose(less, *((b, a) if is_max else (a, b)), bits)
            return with_poison(choose(either(is_nan(a, bits), is_nan(b, bits)), nan_of(a, b, bits), result, bits),
                               either(p, q))  # fmt: skip

        return lanes(one, *arguments)

    return run


def nan_of(a, b, bits):
    """The first signaling NaN of two operands, quieted, else the first NaN."""
    quiet = QUIET[bits] & mask(bits - 1)
    a_signals, b_signals = (terms.both(is_nan(x, bits), is_signaling(x, bits)) for x in (a, b))
    first = either(a_signals, terms.both(negate(b_signals), is_nan(a, bits)))
    return terms.bit_or(choose(first, a, b, bits), quiet, bits)


def is_signaling(x, bits):
    """True if a NaN is signaling."""
    return negate(extract(x, FRACTION[bits] - 1, 1))


def of_float(function, rounds=False):
    """A model of an instruction with one float operand: function(lane, its bits, bits of a result lane). `rounds`: it
    rounds by the CPU's state, which must be to nearest."""

    def run(executor, i, arguments, state):
        source, bits = i.types[0].lane.bits, i.type.lane.bits
        if rounds:
            executor.nearest()

        def one(x):
            a, p = strip(x)
            a = flushed(a, source) if source > 16 and executor.flush else a
            return with_poison(function(a, source, bits), p)

        return lanes(one, arguments[0])

    return run


def rounded(how):
    """frint: rounds to an integral float."""
    return of_float(lambda a, source, bits: integral(a, bits, how))


def to_integer(how, is_signed):
    """fcvt to an integer of the same width. Out-of-range values saturate, and a NaN gives 0."""

    def one(a, source, bits):
        f, bias = FRACTION[bits], exponent_bias(bits)
        r = integral(a, bits, how)
        negative, exponent = extract(r, bits - 1, 1), zext(extract(r, f, bits - f - 1), bits - f - 1, 64)
        significand = zext(concat(1, extract(r, 0, f), 1, f), f + 1, 64)
        right = terms.lshr(significand, sub(bias + f, exponent, 64), 64)
        left = shl(significand, sub(exponent, bias + f, 64), 64)
        size = choose(ult(exponent, bias + f, 64), right, left, 64)
        size = choose(ult(exponent, bias, 64), 0, size, 64)
        size = choose(ult(exponent, bias + 64, 64), size, mask(64), 64)
        most = mask(bits - is_signed)
        positive = choose(ult(most, size, 64), most, size, 64)
        least = 1 << bits - 1 if is_signed else 0
        below = choose(ult(least, size, 64), least, size, 64)
        value = extract(choose(negative, sub(0, below, 64), positive, 64), 0, bits)
        return choose(is_nan(a, bits), 0, value, bits)

    return of_float(one)


def widened(a, source, bits):
    """fcvtl: f16 to f32. Subnormal sources are not flushed."""
    f, g = FRACTION[source], FRACTION[bits]
    negative, exponent = extract(a, source - 1, 1), extract(a, f, source - f - 1)
    fraction = zext(extract(a, 0, f), f, bits)
    offset = exponent_bias(bits) - exponent_bias(source)
    normal = terms.add(shl(zext(extract(a, 0, source - 1), source - 1, bits), g - f, bits), offset << g, bits)
    # A subnormal value is normalized: its highest 1 becomes the hidden bit.
    small = 0
    for k in range(f):
        value = terms.add(shl(fraction, g - k, bits), offset + k - f << g, bits)
        small = choose(extract(a, k, 1), value, small, bits)
    result = choose(eq(exponent, 0, source - f - 1), small, normal, bits)
    result = choose(eq(exponent, mask(source - f - 1), source - f - 1), 0x7F800000, result, bits)
    result = terms.bit_or(result, shl(zext(negative, 1, bits), bits - 1, bits), bits)
    return choose(is_nan(a, source), quiet(a, source, bits), result, bits)


def half(a, source, bits):
    """fcvtn: f32 to f16, to nearest even."""
    return choose(is_nan(a, source), quiet(a, source, bits), narrowed(a, source, bits, NEAREST), bits)


def narrow_lanes(is_signed):
    """uqxtn, sqxtn: halves the width of integers, saturating."""

    def run(executor, i, arguments, state):
        source, bits = i.types[0].lane.bits, i.type.lane.bits

        def one(x):
            a, p = strip(x)
            if is_signed:
                value = saturated(a, source, -(1 << bits - 1), mask(bits - 1))
            else:
                value = choose(ult(mask(bits), a, source), mask(bits), a, source)
            return with_poison(extract(value, 0, bits), p)

        return lanes(one, arguments[0])

    return run


def shifted(bits, a, count):
    """ushl: shifts left, or right by a negative count. The count is a lane's low byte."""
    count = terms.sext(extract(count, 0, 8), 8, bits)
    back = sub(0, count, bits)
    left = choose(ult(count, bits, bits), shl(a, count, bits), 0, bits)
    right = choose(ult(back, bits, bits), terms.lshr(a, back, bits), 0, bits)
    return choose(extract(count, bits - 1, 1), right, left, bits)


def sum_to_most(bits, a, b):
    """uqadd: the unsigned sum, saturated."""
    result = terms.add(a, b, bits)
    return choose(ult(result, a, bits), mask(bits), result, bits)


def is_not_below(executor, i, arguments, state):
    """facge: all ones in the lanes where |first operand| >= |second operand|, otherwise 0."""
    source, bits = i.types[0].lane.bits, i.type.lane.bits

    def one(x, y):
        (a, p), (b, q) = strip(x), strip(y)
        if executor.flush:
            a, b = flushed(a, source), flushed(b, source)
        a, b = (terms.bit_and(v, mask(source - 1), source) for v in (a, b))
        return with_poison(choose(compare_floats("oge", a, b, source), mask(bits), 0, bits), either(p, q))

    return lanes(one, *arguments)


WAYS = {"n": NEAREST, "m": DOWN, "p": UP, "z": TOWARD_ZERO}
INTRINSICS = {
    f"llvm.aarch64.neon.{name}": model
    for name, model in {
        "addp": pairwise_sums,
        "sabd": each(distance),
        "smax": extremum(slt, True),
        "smin": extremum(slt, False),
        "umax": extremum(ult, True),
        "umin": extremum(ult, False),
        "tbl1": look_up,
        "fmax": float_extremum(True),
        "fmin": float_extremum(False),
        "vcvthf2fp": of_float(widened),
        "vcvtfp2hf": of_float(half, True),
        "uqxtn": narrow_lanes(False),
        "sqxtn": narrow_lanes(True),
        "ushl": each(shifted),
        "uqadd": each(sum_to_most),
        "facge": is_not_below,
        **{f"fcvt{way}s": to_integer(how, True) for way, how in WAYS.items()},
        **{f"fcvt{way}u": to_integer(how, False) for way, how in WAYS.items()},
    }.items()
} | {
    "llvm.roundeven": rounded(NEAREST),
    "llvm.floor": rounded(DOWN),
    "llvm.ceil": rounded(UP),
    "llvm.trunc": rounded(TOWARD_ZERO),
}
