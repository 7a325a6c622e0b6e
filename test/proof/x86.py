# SPDX-License-Identifier: MIT
"""Models of LLVM's intrinsics for x86: what each instruction does with its operands, from Intel's manual.

test_x86.py compares each of them with the instruction. A model takes the executor, the call, the operands and the
state, and returns the result."""

import terms
from intrinsics import ignored, lanes
from terms import Refused, choose, concat, either, eq, extract, mask, negate, sext, shl, slt, sub, ult, zext
from values import QUIET, binary, compare_floats, flushed, is_nan, strip, with_poison

HALF = 16  # bytes of half a register; most 256-bit instructions work in each half


def each(function):
    """A model of an instruction whose lanes do not depend on each other: function(bits, operands...) gives one lane.
    Operands that are not vectors are the same for all lanes."""

    def run(executor, i, arguments, state):
        bits = i.type.lane.bits
        vectors = [a for a in arguments if isinstance(a, list)]
        others = [a for a in arguments if not isinstance(a, list)]

        def one(*operands):
            values, poison = zip(*map(strip, operands), strict=True)
            return with_poison(function(bits, *values, *others), either(*poison))

        return lanes(one, *vectors)

    return run


def in_halves(function, lanes_of_half):
    """A model of an instruction that works in each half of its vectors. lanes_of_half: the lanes in half an operand."""

    def run(executor, i, arguments, state):
        result = []
        for k in range(0, len(arguments[0]), lanes_of_half):
            result += function(*(a[k : k + lanes_of_half] for a in arguments))
        return result

    return run


# ---- integers ----


def saturated(value, bits, low, high):
    """A signed value, clamped to a range."""
    value = choose(slt(value, low & mask(bits), bits), low & mask(bits), value, bits)
    return choose(slt(high, value, bits), high, value, bits)


def pack(bits, is_signed):
    """Narrows lanes of two operands to half of their bits, with saturation."""
    to = bits // 2
    low, high = (-(1 << to - 1), mask(to - 1)) if is_signed else (0, mask(to))

    def one(lane):
        value, poison = strip(lane)
        return with_poison(extract(saturated(value, bits, low, high), 0, to), poison)

    return in_halves(lambda a, b: [one(x) for x in a + b], HALF * 8 // bits)


def sign(bits, a, b):
    return choose(extract(b, bits - 1, 1), sub(0, a, bits), choose(eq(b, 0, bits), 0, a, bits), bits)


def high_product(bits, a, b):
    return extract(terms.mul(zext(a, bits, 2 * bits), zext(b, bits, 2 * bits), 2 * bits), bits, bits)


def multiply_add(executor, i, arguments, state):
    """Products of unsigned and signed bytes; sums of two of them, with saturation."""
    a, b = arguments
    result = []
    for k in range(0, len(a), 2):
        total, poison = 0, 0
        for x, y in zip(a[k : k + 2], b[k : k + 2], strict=True):
            (v, p), (w, q) = strip(x), strip(y)
            total = terms.add(total, terms.mul(zext(v, 8, 18), sext(w, 8, 18), 18), 18)
            poison = either(poison, p, q)
        result.append(with_poison(extract(saturated(total, 18, -0x8000, 0x7FFF), 0, 16), poison))
    return result


def shift(operation):
    """A shift of each lane by its own count; counts of all bits and more give 0."""
    return each(lambda bits, a, n: choose(ult(n, bits, bits), operation(a, n, bits), 0, bits))


def entry(table, index, bits):
    """The entry of a table whose length is a power of 2: the bits of an index select halves."""
    k = 0
    while len(table) > 1:
        c = extract(index, k, 1)
        table = [choose(c, y, x, bits) for x, y in zip(table[::2], table[1::2], strict=True)]
        k += 1
    return table[0]


def look_up(table, indices, bits):
    values, poison = zip(*map(strip, table), strict=True)

    def one(lane):
        index, p = strip(lane)
        return with_poison(entry(values, index, bits), either(p, entry(poison, index, 1)))

    return [one(lane) for lane in indices]


def shuffle_bytes(table, indices):
    """An index whose highest bit is 1 gives 0."""

    def one(found, lane):
        (v, bad), (index, poison) = strip(found), strip(lane)
        zero = extract(index, 7, 1)
        return with_poison(choose(zero, 0, v, 8), either(poison, terms.both(negate(zero), bad)))

    return lanes(one, look_up(table, indices, 8), indices)


def permute_lanes(executor, i, arguments, state):
    table, indices = arguments
    return look_up(table, indices, i.type.lane.bits)


def blend(executor, i, arguments, state):
    bits = i.type.lane.bits

    def one(x, y, m):
        (a, p), (b, q), (c, r) = strip(x), strip(y), strip(m)
        c = extract(c, bits - 1, 1)
        return with_poison(choose(c, b, a, bits), either(choose(c, q, p, 1), r))

    return lanes(one, *arguments)


def tests_zero(executor, i, arguments, state):
    """ptest: 1 if no bit is set in both operands."""
    bits, common, poison = i.types[0].lane.bits, 0, 0
    for x, y in zip(*arguments, strict=True):
        (a, p), (b, q) = strip(x), strip(y)
        common = terms.bit_or(common, terms.bit_and(a, b, bits), bits)
        poison = either(poison, p, q)
    return with_poison(zext(eq(common, 0, bits), 1, 32), poison)


def selected_bits(executor, i, arguments, state):
    return moved_bits(i, arguments, False)


def deposited_bits(executor, i, arguments, state):
    return moved_bits(i, arguments, True)


def moved_bits(i, arguments, deposits):
    """pext and pdep, for a known mask."""
    bits = i.type.bits
    (a, p), (m, q) = map(strip, arguments)
    if not isinstance(m, int):
        raise Refused(i.text)
    places = [k for k in range(bits) if m >> k & 1]
    result = [0] * bits
    for k, place in enumerate(places):
        if deposits:
            result[place] = extract(a, k, 1)
        else:
            result[k] = extract(a, place, 1)
    return with_poison(terms.join(result, 1), either(p, q))


def zero_high_bits(executor, i, arguments, state):
    """bzhi, for a known number of bits."""
    (a, p), (n, q) = map(strip, arguments)
    if not isinstance(n, int):
        raise Refused(i.text)
    return with_poison(extract(a, 0, min(n & 255, i.type.bits)), either(p, q))


# ---- floating point ----

FRACTION = {16: 10, 32: 23, 64: 52}
NEAREST, DOWN, UP, TOWARD_ZERO, SUPPRESS = 0, 1, 2, 3, 8


def extremum(predicate):
    """max and min: the second operand, unless the comparison holds."""

    def run(executor, i, arguments, state):
        bits = i.type.lane.bits

        def one(x, y):
            (a, p), (b, q) = strip(x), strip(y)
            if executor.flush:
                a, b = flushed(a, bits), flushed(b, bits)
            return with_poison(choose(compare_floats(predicate, a, b, bits), a, b, bits), either(p, q))

        return lanes(one, *arguments)

    return run


def quiet(a, source, target):
    """The NaN of a conversion: quiet, with the highest bits of the payload."""
    f, g = FRACTION[source], FRACTION[target]
    payload = extract(a, f - g, g) if g <= f else concat(extract(a, 0, f), 0, f, g - f)
    body = terms.bit_or(zext(payload, g, target), QUIET[target], target)
    return terms.bit_or(shl(zext(extract(a, source - 1, 1), 1, target), target - 1, target), body, target)


WAYS = {NEAREST: "", DOWN: ".rm", UP: ".rp", TOWARD_ZERO: ".rz"}


def narrow(bits, a, executor, how):
    """f64 to f32 (bits 32), or f32 to f16."""
    source = 2 * bits
    if executor.flush:
        a = flushed(a, source)
    result = terms.make(f"fptrunc{WAYS[how]}", bits, (a,), source)
    if bits == 32 and executor.flush:
        raise Refused("a conversion to f32 in a state that flushes results")
    return choose(is_nan(a, source), quiet(a, source, bits), result, bits)


def narrow_all(executor, i, arguments, state):
    bits, how = i.type.lane.bits, NEAREST
    if len(arguments) == 1:
        executor.nearest()
    elif arguments[1] & ~SUPPRESS in WAYS:
        how = arguments[1] & ~SUPPRESS
    else:
        raise Refused(i.text)

    def one(x):
        a, p = strip(x)
        return with_poison(narrow(bits, a, executor, how), p)

    return lanes(one, arguments[0])


def exponent_bias(bits):
    return (1 << bits - FRACTION[bits] - 2) - 1


def is_away_from_zero(how, negative, odd, half, rest):
    """Returns whether rounding adds one to a magnitude. half: the highest dropped bit; rest: whether others are 1."""
    if how == NEAREST:
        return terms.both(half, either(odd, rest))
    if how == TOWARD_ZERO:
        return 0
    return terms.both(negative if how == DOWN else negate(negative), either(half, rest))


def integral(a, bits, how):
    """A value rounded to an integral one of the same type."""
    f, bias = FRACTION[bits], exponent_bias(bits)
    negative, size = extract(a, bits - 1, 1), terms.bit_and(a, mask(bits - 1), bits)
    exponent = terms.lshr(size, f, bits)
    # Values below 1 become 0 or 1. The others lose the bits below the unit, and a carry runs into the exponent.
    half_exponent = eq(exponent, bias - 1, bits)
    rest = terms.both(negate(eq(size, 0, bits)), negate(terms.both(half_exponent, eq(extract(a, 0, f), 0, f))))
    up = is_away_from_zero(how, negative, 0, half_exponent, rest)
    small = choose(up, bias << f, 0, bits)
    shift_count = sub(bias + f, exponent, bits)
    unit = shl(1, shift_count, bits)
    below = sub(unit, 1, bits)
    odd = either(eq(exponent, bias, bits), negate(eq(terms.bit_and(a, unit, bits), 0, bits)))
    half = negate(eq(terms.bit_and(a, terms.lshr(unit, 1, bits), bits), 0, bits))
    rest = negate(eq(terms.bit_and(a, terms.lshr(below, 1, bits), bits), 0, bits))
    up = is_away_from_zero(how, negative, odd, half, rest)
    cut = terms.bit_and(size, terms.bit_xor(below, mask(bits), bits), bits)
    middle = terms.add(cut, choose(up, unit, 0, bits), bits)
    kept = choose(is_nan(a, bits), terms.bit_or(size, QUIET[bits], bits), size, bits)
    result = choose(ult(exponent, bias, bits), small, choose(ult(exponent, bias + f, bits), middle, kept, bits), bits)
    return terms.bit_or(result, terms.bit_and(a, 1 << bits - 1, bits), bits)


def round_all(executor, i, arguments, state):
    """round: to integral values, in the direction in the operand."""
    bits, how = i.type.lane.bits, arguments[1] & ~SUPPRESS
    if how not in (NEAREST, DOWN, UP, TOWARD_ZERO):
        raise Refused(i.text)

    def one(x):
        a, p = strip(x)
        return with_poison(integral(flushed(a, bits) if executor.flush else a, bits, how), p)

    return lanes(one, arguments[0])


def to_integer(how):
    """Conversions to s32: values that do not fit give -2^31."""

    def run(executor, i, arguments, state):
        bits = i.types[0].lane.bits
        f, bias = FRACTION[bits], exponent_bias(bits)
        if how == NEAREST:  # the instruction rounds by the CPU's state
            executor.nearest()

        def one(x):
            a, p = strip(x)
            r = integral(flushed(a, bits) if executor.flush else a, bits, how)
            exponent = zext(extract(r, f, bits - f - 1), bits - f - 1, 64)
            significand = zext(concat(1, extract(r, 0, f), 1, f), f + 1, 64)
            if bits == 32:
                size = terms.lshr(shl(significand, sub(exponent, bias, 64), 64), f, 64)
            else:
                size = terms.lshr(significand, sub(bias + f, exponent, 64), 64)
            size = choose(ult(exponent, bias, 64), 0, size, 64)
            value = choose(extract(r, bits - 1, 1), sub(0, size, 64), size, 64)
            fits = terms.both(ult(exponent, bias + 32, 64), eq(sext(extract(value, 0, 32), 32, 64), value, 64))
            return with_poison(choose(fits, extract(value, 0, 32), 1 << 31, 32), p)

        return lanes(one, arguments[0])

    return run


# ---- memory ----


def masked_load(executor, i, arguments, state):
    address, align, wanted, otherwise = arguments
    must_be_aligned(address, align)
    return [
        state.load(moved(address, k, i.type.lane), i.type.lane) if is_known(wanted[k], i) else otherwise[k]
        for k in range(i.type.count)
    ]


def masked_store(executor, i, arguments, state):
    value, address, align, wanted = arguments
    must_be_aligned(address, align)
    kind = i.types[0].lane
    for k, lane in enumerate(value):
        if is_known(wanted[k], i):
            state.store(moved(address, k, kind), kind, lane)


def must_be_aligned(address, align):
    """Refuses an address that is not a multiple of `align`, also if no lane is accessed."""
    address, _ = strip(address)
    at = address.object.address
    if at and not (isinstance(address.offset, int) and (at + address.offset) % align == 0):
        raise Refused(f"an access to {address.object} that is not aligned to {align}")


def moved(address, k, kind):
    return binary("add", address, k * kind.size(), 64)


def is_known(lane, i):
    if not isinstance(lane, int):
        raise Refused(i.text)
    return lane


INTRINSICS = {
    "llvm.masked.load": masked_load,
    "llvm.masked.store": masked_store,
    "llvm.prefetch": ignored,
    "llvm.x86.sse.sfence": ignored,
    "llvm.x86.avx.vzeroupper": ignored,
    "llvm.x86.avx2.packsswb": pack(16, True),
    "llvm.x86.avx2.packuswb": pack(16, False),
    "llvm.x86.avx2.packssdw": pack(32, True),
    "llvm.x86.avx2.packusdw": pack(32, False),
    "llvm.x86.avx2.psign.w": each(sign),
    "llvm.x86.avx2.pmulhu.w": each(high_product),
    "llvm.x86.avx2.pmadd.ub.sw": multiply_add,
    "llvm.x86.avx2.psrlv.q.256": shift(terms.lshr),
    "llvm.x86.avx2.psllv.q.256": shift(terms.shl),
    "llvm.x86.avx2.pshuf.b": in_halves(shuffle_bytes, HALF),
    "llvm.x86.avx2.permd": permute_lanes,
    "llvm.x86.avx2.pblendvb": blend,
    "llvm.x86.avx.blendv.ps.256": blend,
    "llvm.x86.avx.blendv.pd.256": blend,
    "llvm.x86.avx.ptestz.256": tests_zero,
    "llvm.x86.sse41.ptestz": tests_zero,
    "llvm.x86.bmi.pext.64": selected_bits,
    "llvm.x86.bmi.pdep.64": deposited_bits,
    "llvm.x86.bmi.bzhi.64": zero_high_bits,
    "llvm.x86.avx.max.ps.256": extremum("ogt"),
    "llvm.x86.avx.max.pd.256": extremum("ogt"),
    "llvm.x86.avx.min.ps.256": extremum("olt"),
    "llvm.x86.avx.min.pd.256": extremum("olt"),
    "llvm.x86.avx.round.ps.256": round_all,
    "llvm.x86.avx.round.pd.256": round_all,
    "llvm.x86.avx.cvt.pd2.ps.256": narrow_all,
    "llvm.x86.vcvtps2ph.256": narrow_all,
    "llvm.x86.avx.cvt.ps2dq.256": to_integer(NEAREST),
    "llvm.x86.avx.cvt.pd2dq.256": to_integer(NEAREST),
    "llvm.x86.avx.cvtt.ps2dq.256": to_integer(TOWARD_ZERO),
    "llvm.x86.avx.cvtt.pd2dq.256": to_integer(TOWARD_ZERO),
}
