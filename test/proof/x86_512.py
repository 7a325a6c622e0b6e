# SPDX-License-Identifier: MIT
"""Models of LLVM's intrinsics for AVX-512 and its extensions, from Intel's manual. Most instructions of AVX-512 need
none: clang writes them as LLVM's own operations on vectors, with vectors of bits as masks.

test_x86_512.py compares each of them with the instruction. The models refuse masked lanes, and rounding modes that
are not named here."""

import terms
from intrinsics import lanes, leading_zeros
from terms import Refused, choose, concat, either, eq, extract, mask, negate, shl, sub, ult, zext
from values import EXPONENT, QUIET, compare_floats, flushed, is_nan, strip, with_poison

from x86 import (
    FRACTION,
    HALF,
    NEAREST,
    SUPPRESS,
    each,
    exponent_bias,
    in_halves,
    integral,
    is_away_from_zero,
    look_up,
    multiply_add,
    pack,
    permute_lanes,
    quiet,
    shift,
    shuffle_bytes,
)

CURRENT = 4  # the rounding mode of MXCSR, which is to nearest even


def direction(control, executor, i):
    """The rounding mode in `control`."""
    if control == CURRENT:
        executor.nearest()
        return NEAREST
    if control & ~3 != SUPPRESS:
        raise Refused(i.text)
    return control & 3


def must_be(value, legal, i):
    if value not in legal:
        raise Refused(i.text)


def all_lanes(value, i):
    """Refuses a mask that does not select all lanes."""
    must_be(value, (mask(i.types[0].count),), i)


# ---- integers ----


def by_bits(function, a, b, bits):
    """Applies a function to each bit of a and b: bit 2a + b is its value."""
    if function in (0, 15):
        return mask(bits) if function else 0
    if function == 10:
        return b
    if function == 12:
        return a
    if function in (6, 9):
        return terms.bit_xor(terms.bit_xor(a, b, bits), mask(bits) if function == 9 else 0, bits)
    result = 0
    for k in range(4):
        if function >> k & 1:
            x = a if k & 2 else terms.bit_xor(a, mask(bits), bits)
            y = b if k & 1 else terms.bit_xor(b, mask(bits), bits)
            result = terms.bit_or(result, terms.bit_and(x, y, bits), bits)
    return result


def ternary_logic(executor, i, arguments, state):
    """Each bit of the result is bit 4a + 2b + c of the last operand."""
    function, bits = arguments[3], i.type.lane.bits

    def one(*operands):
        (a, b, c), poison = zip(*map(strip, operands), strict=True)
        low, high = by_bits(function & 15, b, c, bits), by_bits(function >> 4, b, c, bits)
        if (function & 15) ^ 15 == function >> 4:
            value = terms.bit_xor(a, low, bits)
        else:
            value = terms.bit_or(
                terms.bit_and(a, high, bits), terms.bit_and(terms.bit_xor(a, mask(bits), bits), low, bits), bits
            )
        return with_poison(value, either(*poison))

    return lanes(one, *arguments[:3])


def permute_two(executor, i, arguments, state):
    """The bit of an index above its lane number selects the second table."""
    first, indices, second = arguments
    return look_up(first + second, indices, i.type.lane.bits)


def multishift(executor, i, arguments, state):
    """Each byte is 8 bits of its 64-bit lane, from a known bit on. Bit 0 follows bit 63."""
    starts, data = arguments
    result = []
    for k, start in enumerate(starts):
        if not isinstance(start, int):
            raise Refused(i.text)
        values, poison = zip(*map(strip, data[k & ~7 : (k & ~7) + 8]), strict=True)
        whole = terms.join(values, 8)
        result.append(with_poison(extract(concat(whole, whole, 64, 64), start & 63, 8), either(*poison)))
    return result


def average(bits, a, b):
    total = terms.add(terms.add(zext(a, bits, bits + 1), zext(b, bits, bits + 1), bits + 1), 1, bits + 1)
    return extract(total, 1, bits)


def truncated(executor, i, arguments, state):
    """pmov: the low bits of each lane. The result's remaining lanes are 0."""
    value, _, wanted = arguments
    all_lanes(wanted, i)
    bits = i.type.lane.bits

    def one(lane):
        v, p = strip(lane)
        return with_poison(extract(v, 0, bits), p)

    return [one(lane) for lane in value] + [0] * (i.type.count - len(value))


# ---- floating point ----


def operand(a, bits, executor):
    """An instruction's operand, flushed if the state flushes subnormal operands. f16 is never flushed."""
    return flushed(a, bits) if bits > 16 and executor.flush else a


def extremum(predicate):
    """max and min: the second operand, unless the comparison holds."""

    def run(executor, i, arguments, state):
        bits = i.type.lane.bits
        must_be(arguments[2], (CURRENT, SUPPRESS), i)

        def one(x, y):
            (a, p), (b, q) = strip(x), strip(y)
            a, b = operand(a, bits, executor), operand(b, bits, executor)
            return with_poison(choose(compare_floats(predicate, a, b, bits), a, b, bits), either(p, q))

        return lanes(one, *arguments[:2])

    return run


RANGE_MIN, RANGE_MAX = 4, 5


def range_of_two(executor, i, arguments, state):
    """range: the minimum or maximum. A quiet NaN gives the other operand; -0 is less than 0."""
    x, y, what, _, wanted, control = arguments
    bits = i.type.lane.bits
    must_be(what, (RANGE_MIN, RANGE_MAX), i)
    must_be(control, (CURRENT, SUPPRESS), i)
    all_lanes(wanted, i)
    if executor.flush:
        raise Refused("range in a state that flushes operands")

    def one(x, y):
        (a, p), (b, q) = strip(x), strip(y)
        first, second = (a, b) if what == RANGE_MIN else (b, a)
        # Equal operands have equal bits, except zeros: the sign of `first` decides.
        zeros = eq(terms.bit_and(terms.bit_or(a, b, bits), mask(bits - 1), bits), 0, bits)
        is_less = choose(zeros, extract(first, bits - 1, 1), compare_floats("olt", first, second, bits), 1)
        result = choose(is_less, a, b, bits)
        result = choose(is_nan(a, bits), b, result, bits)
        result = choose(is_nan(b, bits), a, result, bits)
        for s in (b, a):  # a signaling NaN wins, the first before the second
            signals = terms.both(is_nan(s, bits), negate(is_quiet(s, bits)))
            result = choose(signals, terms.bit_or(s, QUIET[bits], bits), result, bits)
        return with_poison(result, either(p, q))

    return lanes(one, x, y)


def is_quiet(a, bits):
    """Whether a NaN is quiet."""
    return extract(a, FRACTION[bits] - 1, 1)


PRESERVES, IS_SOURCE = 0, 1  # the responses in a table that have a model


def fix_up(executor, i, arguments, state):
    """fixupimm: for each class of the second operand, the table selects the operand to return."""
    x, y, tables, reported, wanted, control = arguments
    bits = i.type.lane.bits
    must_be(reported, (0,), i)
    must_be(control, (CURRENT, SUPPRESS), i)
    all_lanes(wanted, i)

    def one(x, y, table):
        (a, p), (b, q) = strip(x), strip(y)
        # The manual makes a subnormal value and a zero +0. The model allows both signs for a subnormal value. CPUs keep
        # the sign of a zero: otherwise the digest of cvt.rni.ftz.f32.f32 with AVX-512 would differ from that of others.
        if executor.flush:
            small = eq(terms.bit_and(b, EXPONENT[bits], bits), 0, bits)
            is_zero = eq(terms.bit_and(b, mask(bits - 1), bits), 0, bits)
            any_zero = shl(zext(terms.fresh(1), 1, bits), bits - 1, bits)
            b = choose(terms.both(small, negate(is_zero)), any_zero, b, bits)
        if not isinstance(table, int):
            raise Refused(i.text)
        responses = [table >> 4 * k & 15 for k in range(8)]
        for r in responses:
            must_be(r, (PRESERVES, IS_SOURCE), i)
        keeps = either(*(c for c, r in zip(classes(b, bits), responses, strict=True) if r == PRESERVES))
        return with_poison(choose(keeps, a, b, bits), either(choose(keeps, p, 0, 1), q))

    return lanes(one, x, y, tables)


def classes(a, bits):
    """The conditions of fixupimm's classes: quiet NaN, signaling NaN, zero, 1, -inf, inf, other negative, other
    positive values."""
    negative, nan = extract(a, bits - 1, 1), is_nan(a, bits)
    named = [eq(terms.bit_and(a, mask(bits - 1), bits), 0, bits), eq(a, exponent_bias(bits) << FRACTION[bits], bits),
             eq(a, EXPONENT[bits] | 1 << bits - 1, bits), eq(a, EXPONENT[bits], bits)]  # fmt: skip
    other = negate(either(nan, *named))
    quiet_nan = terms.both(nan, is_quiet(a, bits))
    signaling = terms.both(nan, negate(is_quiet(a, bits)))
    return [quiet_nan, signaling, *named, terms.both(other, negative), terms.both(other, negate(negative))]


QUIET_OR_SIGNALING = 0x81  # bits of the operand of fpclass


def is_of_class(executor, i, arguments, state):
    """fpclass: whether a value is a NaN. The result is a vector of bits."""
    bits = i.types[0].lane.bits
    must_be(arguments[1], (QUIET_OR_SIGNALING,), i)

    def one(x):
        a, p = strip(x)
        return with_poison(is_nan(a, bits), p)

    return lanes(one, arguments[0])


# ---- conversions: function(value, bits of the source, bits of the result, direction) ----


def conversion(function, how_at=None, mask_at=None, control_at=None, of_integers=False):
    """A model of a conversion of each lane. The operands at how_at, mask_at and control_at are the rounding mode, the
    mask, and a word that only suppresses exceptions."""

    def run(executor, i, arguments, state):
        source, target = i.types[0].lane.bits, i.type.lane.bits
        how = NEAREST if how_at is None else direction(arguments[how_at], executor, i)
        if mask_at is not None:
            all_lanes(arguments[mask_at], i)
        if control_at is not None:
            must_be(arguments[control_at], (CURRENT, SUPPRESS), i)
        if executor.flush and function is narrowed and target > 16:
            raise Refused("a conversion to f32 in a state that flushes results")

        def one(x):
            a, p = strip(x)
            a = a if of_integers else operand(a, source, executor)
            return with_poison(function(a, source, target, how), p)

        return lanes(one, arguments[0])

    return run


def rounds_up(value, lost, unit, negative, how, bits):
    """Returns whether rounding adds one to `value`. It drops the bits of `lost` below the bit `unit`."""
    half_unit = terms.lshr(unit, 1, bits)
    half = negate(eq(terms.bit_and(lost, half_unit, bits), 0, bits))
    rest = negate(eq(terms.bit_and(lost, sub(half_unit, 1, bits), bits), 0, bits))
    return zext(is_away_from_zero(how, negative, extract(value, 0, 1), half, rest), 1, bits)


def sign_bit(negative, bits):
    return shl(zext(negative, 1, bits), bits - 1, bits)


def narrowed(a, source, target, how):
    """A float in a narrower format. Results that are subnormal there lose more bits."""
    f, g, infinity = FRACTION[source], FRACTION[target], EXPONENT[target]
    negative, size = extract(a, source - 1, 1), terms.bit_and(a, mask(source - 1), source)
    exponent, offset = terms.lshr(size, f, source), exponent_bias(source) - exponent_bias(target)
    # Normal results have the exponent above the fraction, so that a carry runs into it.
    normal = sub(terms.lshr(size, f - g, source), offset << g, source)
    normal = terms.add(normal, rounds_up(normal, size, 1 << f - g, negative, how, source), source)
    most = choose(is_away_from_zero(how, negative, 1, 1, 1), infinity, infinity - 1, source)
    normal = choose(ult(normal, infinity, source), normal, most, source)
    # For subnormal results, the significand is shifted until its unit is the least subnormal value.
    significand = terms.bit_or(terms.bit_and(a, mask(f), source), 1 << f, source)
    significand = choose(eq(exponent, 0, source), terms.bit_and(a, mask(f), source), significand, source)
    count = sub(f - g + 1 + offset, exponent, source)
    count = choose(ult(f + 2, count, source), f + 2, count, source)
    small = terms.lshr(significand, count, source)
    up = rounds_up(small, significand, shl(1, count, source), negative, how, source)
    result = choose(ult(offset, exponent, source), normal, terms.add(small, up, source), source)
    result = choose(eq(size, EXPONENT[source], source), infinity, result, source)
    result = terms.bit_or(extract(result, 0, target), sign_bit(negative, target), target)
    return choose(is_nan(a, source), quiet(a, source, target), result, target)


def widened(a, source, target, how):
    """A float in a wider format, which has all its values."""
    f, g = FRACTION[source], FRACTION[target]
    exponent_bits, offset = source - f - 1, exponent_bias(target) - exponent_bias(source)
    exponent, fraction = extract(a, f, exponent_bits), extract(a, 0, f)
    size = shl(zext(extract(a, 0, source - 1), source - 1, target), g - f, target)
    normal = terms.add(size, offset << g, target)
    # A subnormal value is shifted until its highest 1 is the implicit bit, which adds 1 to the exponent.
    zeros = zext(leading_zeros(fraction, f), f, target)
    shifted = shl(zext(fraction, f, target), terms.add(zeros, g - f + 1, target), target)
    small = terms.add(shifted, shl(sub(offset - 1, zeros, target), g, target), target)
    small = choose(eq(fraction, 0, f), 0, small, target)
    result = choose(eq(exponent, 0, exponent_bits), small, normal, target)
    result = choose(eq(exponent, mask(exponent_bits), exponent_bits), EXPONENT[target], result, target)
    result = terms.bit_or(result, sign_bit(extract(a, source - 1, 1), target), target)
    return choose(is_nan(a, source), quiet(a, source, target), result, target)


def rounded(a, source, target, how):
    return integral(a, source, how)


WIDE = 64  # bits of intermediate integers


def to_integer(is_signed):
    """Conversions to integers: values that do not fit give the least signed value, or the greatest unsigned one."""

    def run(a, source, target, how):
        r, f, bias = integral(a, source, how), FRACTION[source], exponent_bias(source)
        negative, exponent_bits = extract(r, source - 1, 1), source - f - 1
        exponent = zext(extract(r, f, exponent_bits), exponent_bits, WIDE)
        significand = zext(concat(1, extract(r, 0, f), 1, f), f + 1, WIDE)
        left, right = sub(exponent, bias + f, WIDE), sub(bias + f, exponent, WIDE)
        size = choose(ult(exponent, bias + f, WIDE), terms.lshr(significand, right, WIDE),
                      shl(significand, left, WIDE), WIDE)  # fmt: skip
        size = choose(ult(exponent, bias, WIDE), 0, size, WIDE)
        if is_signed:
            least = terms.both(negative, ult(exponent, bias + target, WIDE), eq(size, 1 << target - 1, WIDE))
            fits, otherwise = either(ult(exponent, bias + target - 1, WIDE), least), 1 << target - 1
        else:
            fits = ult(exponent, choose(negative, bias, bias + target, WIDE), WIDE)
            otherwise = mask(target)
        value = extract(choose(negative, sub(0, size, WIDE), size, WIDE), 0, target)
        return choose(fits, value, otherwise, target)

    return run


def from_integer(is_signed):
    def run(a, source, target, how):
        g, most = FRACTION[target], max(source, target)
        negative = extract(a, source - 1, 1) if is_signed else 0
        size = choose(negative, sub(0, a, source), a, source)
        # The highest 1 becomes the highest bit: the implicit bit, which adds 1 to the exponent.
        zeros = leading_zeros(size, source)
        shifted = shl(size, zeros, source)
        lost = source - 1 - g
        if lost > 0:
            kept = terms.lshr(shifted, lost, source)
            kept = terms.add(kept, rounds_up(kept, shifted, 1 << lost, negative, how, source), source)
        else:
            kept = shl(zext(shifted, source, most), -lost, most)
        exponent = sub(exponent_bias(target) + source - 2, zext(zeros, source, most), most)
        result = terms.add(zext(kept, source, most) if lost > 0 else kept, shl(exponent, g, most), most)
        result = terms.bit_or(extract(result, 0, target), sign_bit(negative, target), target)
        return choose(eq(size, 0, source), 0, result, target)

    return run


PERMUTATIONS = ("permvar.hi.256", "permvar.hi.512", "permvar.si.512", "permvar.qi.512")
OF_INTEGERS = {
    **{f"llvm.x86.avx512.{name}": permute_lanes for name in PERMUTATIONS},
    "llvm.x86.avx512.vpermi2var.hi.512": permute_two,
    "llvm.x86.avx512.vpermi2var.qi.512": permute_two,
    "llvm.x86.avx512.pternlog.d.512": ternary_logic,
    "llvm.x86.avx512.pmultishift.qb.256": multishift,
    "llvm.x86.avx512.pmultishift.qb.512": multishift,
    "llvm.x86.avx512.mask.pmov.qb.512": truncated,
    "llvm.x86.avx512.pavg.b.512": each(average),
    "llvm.x86.avx512.psrlv.w.512": shift(terms.lshr),
    "llvm.x86.avx512.pmaddubs.w.512": multiply_add,
    "llvm.x86.avx512.packsswb.512": pack(16, True),
    "llvm.x86.avx512.packuswb.512": pack(16, False),
    "llvm.x86.avx512.pshuf.b.512": in_halves(shuffle_bytes, HALF),
}
OF_FLOATS = {
    "fp16.max.ph.512": extremum("ogt"),
    "fp16.min.ph.512": extremum("olt"),
    ".max.ps.512": extremum("ogt"),
    ".max.pd.512": extremum("ogt"),
    ".min.ps.512": extremum("olt"),
    ".min.pd.512": extremum("olt"),
    ".mask.range.ps.512": range_of_two,
    ".mask.range.pd.512": range_of_two,
    ".mask.fixupimm.ps.512": fix_up,
    ".mask.fixupimm.pd.512": fix_up,
    ".fpclass.ps.256": is_of_class,
    ".fpclass.pd.512": is_of_class,
    ".mask.rndscale.ps.512": conversion(rounded, 1, 3, 4),
    ".mask.rndscale.pd.512": conversion(rounded, 1, 3, 4),
    ".mask.vcvtps2ph.512": conversion(narrowed, 1, 3),
    ".mask.cvtpd2ps.512": conversion(narrowed, 3, 2),
    ".mask.vcvtph2ps.512": conversion(widened, None, 2, 3),
    ".mask.cvtps2pd.512": conversion(widened, None, 2, 3),
    **{f".mask.cvtp{f}2{t}.512": conversion(to_integer(True), 3, 2) for f in "sd" for t in ("dq", "qq")},
    **{f".mask.cvtp{f}2{t}.512": conversion(to_integer(False), 3, 2) for f in "sd" for t in ("udq", "uqq")},
    ".sitofp.round": conversion(from_integer(True), 1, of_integers=True),
    ".uitofp.round": conversion(from_integer(False), 1, of_integers=True),
}
INTRINSICS = {**OF_INTEGERS, **{f"llvm.x86.avx512{name}": model for name, model in OF_FLOATS.items()}}
