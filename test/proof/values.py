# SPDX-License-Identifier: MIT
"""LLVM's operations on one lane, with poison.

Floating-point lanes are their bits. A lane that may be poison is a Maybe. Pointers have an object and an offset."""

from dataclasses import dataclass

import terms
from terms import COMPARISONS, Refused, both, either, extract, mask, negate


@dataclass(frozen=True)
class Pointer:
    object: object
    offset: object  # a lane of 64 bits


@dataclass(frozen=True)
class PointerChoice:
    """The first address if a condition holds, else the second. They are in different objects."""

    condition: object
    first: object
    second: object


class Maybe:
    """A lane that is poison if `poison`, a condition, holds. If poison is 1, the value is arbitrary."""

    __slots__ = ("poison", "value")

    def __init__(self, value, poison):
        self.value, self.poison = value, poison

    def __repr__(self):
        return f"[{self.value} unless {self.poison}]"


ADDRESSES = (Pointer, PointerChoice)


def strip(lane):
    """Returns the value of a lane, and the condition under which it is poison."""
    return (lane.value, lane.poison) if type(lane) is Maybe else (lane, 0)


def with_poison(value, poison):
    return value if type(poison) is int and poison == 0 else Maybe(value, poison)


# ---- integers ----


def _minimum(less, exchange):
    def run(a, b, n):
        c = less(a, b, n)
        return terms.choose(c, b, a, n) if exchange else terms.choose(c, a, b, n)

    return run


def _subtract_to_zero(a, b, n):
    return terms.choose(terms.ult(a, b, n), 0, terms.sub(a, b, n), n)


def _add_to_most(a, b, n):
    total = terms.add(a, b, n)
    return terms.choose(terms.ult(total, a, n), mask(n), total, n)


def _signed_saturated(operation):
    """Adds or subtracts with one more bit, and clamps."""

    def run(a, b, n):
        wide = operation(terms.sext(a, n, n + 1), terms.sext(b, n, n + 1), n + 1)
        most, least = mask(n - 1), mask(n + 1) ^ mask(n - 1)
        wide = terms.choose(terms.slt(most, wide, n + 1), most, wide, n + 1)
        wide = terms.choose(terms.slt(wide, least, n + 1), least, wide, n + 1)
        return extract(wide, 0, n)

    return run


BINARY = {
    **{name: terms.REBUILD[name] for name in ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")},
    "udiv": terms.divide("udiv"),
    "urem": terms.divide("urem"),
    "umin": _minimum(terms.ult, False),
    "umax": _minimum(terms.ult, True),
    "smin": _minimum(terms.slt, False),
    "smax": _minimum(terms.slt, True),
    "usub.sat": _subtract_to_zero,
    "uadd.sat": _add_to_most,
    "ssub.sat": _signed_saturated(terms.sub),
    "sadd.sat": _signed_saturated(terms.add),
}


def _sign(lane, n):
    return extract(lane, n - 1, 1)


def _wraps(opcode, flags, a, b, n):
    """When an addition, subtraction or multiplication breaks its flags."""
    found = []
    if "nuw" in flags:
        if opcode == "add":
            found.append(terms.ult(terms.add(a, b, n), a, n))
        elif opcode == "sub":
            found.append(terms.ult(a, b, n))
        else:
            product = terms.mul(terms.zext(a, n, 2 * n), terms.zext(b, n, 2 * n), 2 * n)
            found.append(negate(terms.eq(extract(product, n, n), 0, n)))
    if "nsw" in flags:
        if opcode == "mul":
            product = terms.mul(terms.sext(a, n, 2 * n), terms.sext(b, n, 2 * n), 2 * n)
            found.append(negate(terms.eq(product, terms.sext(extract(product, 0, n), n, 2 * n), 2 * n)))
        else:
            result = BINARY[opcode](a, b, n)
            x, y, r = _sign(a, n), _sign(b, n), _sign(result, n)
            other = y if opcode == "add" else negate(y)
            found.append(both(terms.eq(x, other, 1), negate(terms.eq(x, r, 1))))
    return either(*found)


def _shift_loses(opcode, flags, a, b, n):
    """When a shift is too far, or breaks its flags."""
    if isinstance(b, int) and b >= n:
        return 1
    found = [negate(terms.ult(b, n, n))]
    if opcode == "shl" and isinstance(b, int):
        if "nuw" in flags:
            found.append(negate(terms.eq(extract(a, n - b, b), 0, b)) if b else 0)
        if "nsw" in flags:
            found.append(negate(terms.eq(terms.ashr(terms.shl(a, b, n), b, n), a, n)))
    elif opcode == "shl" and flags:
        for flag, back in (("nuw", terms.lshr), ("nsw", terms.ashr)):
            if flag in flags:
                found.append(negate(terms.eq(back(terms.shl(a, b, n), b, n), a, n)))
    elif "exact" in flags:
        found.append(negate(terms.eq(terms.shl(terms.lshr(a, b, n), b, n), a, n)))
    return either(*found)


def _violation(opcode, flags, a, b, n):
    """When the flags or the operands of an operation make its result poison."""
    if opcode in ("shl", "lshr", "ashr"):
        return _shift_loses(opcode, flags, a, b, n)
    if not flags:
        return 0
    if opcode in ("add", "sub", "mul"):
        return _wraps(opcode, flags, a, b, n)
    if opcode == "or" and flags == {"disjoint"}:
        return negate(terms.eq(terms.bit_and(a, b, n), 0, n))
    if opcode == "udiv" and flags == {"exact"}:
        return negate(terms.eq(BINARY["urem"](a, b, n), 0, n))
    raise Refused(f"{opcode} with {' '.join(sorted(flags))}")


def binary(opcode, a, b, bits, flags=frozenset()):
    """An operation of two integer lanes."""
    if type(a) is int and type(b) is int and not flags and b < bits:
        return BINARY[opcode](a, b, bits)
    a, p = strip(a)
    b, q = strip(b)
    if isinstance(a, ADDRESSES) or isinstance(b, ADDRESSES):
        return _pointer_arithmetic(opcode, a, b)
    if opcode in ("udiv", "urem") and not (isinstance(b, int) and b):
        raise Refused(f"{opcode} by an operand that depends on inputs")
    return with_poison(BINARY[opcode](a, b, bits), either(p, q, _violation(opcode, flags, a, b, bits)))


def _pointer_arithmetic(opcode, a, b):
    if isinstance(a, PointerChoice) and not isinstance(b, ADDRESSES):
        return PointerChoice(a.condition, binary(opcode, a.first, b, 64), binary(opcode, a.second, b, 64))
    if opcode == "sub" and isinstance(a, Pointer) and isinstance(b, Pointer) and a.object is b.object:
        return binary("sub", a.offset, b.offset, 64)
    if opcode in ("add", "sub") and isinstance(a, Pointer) and not isinstance(b, Pointer):
        return Pointer(a.object, binary(opcode, a.offset, b, 64))
    if opcode == "add" and isinstance(b, Pointer):
        return Pointer(b.object, binary("add", b.offset, a, 64))
    a, b = number_of(a), number_of(b)
    if isinstance(a, int) and isinstance(b, int):
        return BINARY[opcode](a, b, 64)
    raise Refused(f"{opcode} of addresses")


def number_of(lane):
    """An address as a number, if it is known."""
    if isinstance(lane, Pointer) and isinstance(lane.offset, int) and lane.object.address:
        return lane.object.address + lane.offset & mask(64)
    return lane


def compare(predicate, a, b, bits, flags=frozenset()):
    a, p = strip(a)
    b, q = strip(b)
    if isinstance(a, ADDRESSES) or isinstance(b, ADDRESSES):
        return with_poison(_compare_pointers(predicate, a, b), either(p, q))
    if flags:
        q = either(q, negate(terms.eq(_sign(a, bits), _sign(b, bits), 1)))
    return with_poison(COMPARISONS[predicate](a, b, bits), either(p, q))


def _compare_pointers(predicate, a, b):
    if predicate in ("eq", "ne") and (a == 0 or b == 0):
        return int(predicate == "ne")
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        if a.object is b.object:
            return compare(predicate, a.offset, b.offset, 64)
        if predicate in ("eq", "ne"):
            return int(predicate == "ne")
    raise Refused(f"icmp {predicate} of addresses")


def choose(condition, x, y, bits):
    """select: x if the bit is 1, else y."""
    if x is y and type(x) is not Maybe and type(condition) is not Maybe:
        return x
    c, p = strip(condition)
    (a, q), (b, r) = strip(x), strip(y)
    if isinstance(c, int):
        return with_poison(a, either(p, q)) if c else with_poison(b, either(p, r))
    poison = either(p, both(c, q), both(negate(c), r))
    if isinstance(q, int) and q:
        return with_poison(b, poison)
    if isinstance(r, int) and r:
        return with_poison(a, poison)
    if isinstance(a, ADDRESSES) or isinstance(b, ADDRESSES):
        if isinstance(a, Pointer) and isinstance(b, Pointer) and a.object is b.object:
            return with_poison(Pointer(a.object, strip(choose(c, a.offset, b.offset, 64))[0]), poison)
        if not (isinstance(a, ADDRESSES) and isinstance(b, ADDRESSES)):
            raise Refused("a choice between an address and a number")
        return with_poison(PointerChoice(c, a, b), poison)
    return with_poison(terms.choose(c, a, b, bits), poison)


def merge(c, x, y, kind):
    """The value after a branch: x if the condition holds, else y. Values may be vectors or structs."""
    if x is y:
        return x
    if isinstance(x, list):
        kinds = kind.elements if kind.kind == "struct" else [kind.elements[0]] * len(x)
        return [merge(c, a, b, k) for a, b, k in zip(x, y, kinds, strict=True)]
    return choose(c, x, y, kind.bits)


def cast(opcode, a, source, target, flags=frozenset()):
    a, poison = strip(a)
    if isinstance(a, ADDRESSES):
        if target == 64:
            return with_poison(a, poison)
        raise Refused(f"{opcode} of an address")
    if "nneg" in flags:
        poison = either(poison, _sign(a, source))
    if opcode == "zext":
        return with_poison(terms.zext(a, source, target), poison)
    if opcode == "sext":
        return with_poison(terms.sext(a, source, target), poison)
    low = extract(a, 0, target)
    for flag, extend in (("nuw", terms.zext), ("nsw", terms.sext)):
        if flag in flags:
            poison = either(poison, negate(terms.eq(extend(low, target, source), a, source)))
    return with_poison(low, poison)


# ---- floating point ----

EXPONENT = {16: 0x7C00, 32: 0x7F800000, 64: 0x7FF << 52}
QUIET = {16: 0x7E00, 32: 0x7FC00000, 64: 0x7FF8 << 48}


def is_nan(a, bits):
    return terms.ult(EXPONENT[bits], terms.bit_and(a, mask(bits - 1), bits), bits)


def flushed(a, bits):
    """The operand of an instruction in a state that flushes subnormal operands: they become zeros of their sign."""
    small = terms.eq(terms.bit_and(a, EXPONENT[bits], bits), 0, bits)
    return terms.choose(small, terms.bit_and(a, 1 << bits - 1, bits), a, bits)


def _any_nan(result, bits):
    """Any quiet NaN for a NaN: LLVM does not specify which."""
    return terms.choose(is_nan(result, bits), terms.bit_or(terms.fresh(bits), QUIET[bits], bits), result, bits)


def float_operation(opcode, operands, bits, source=None):
    """An operation whose result is a floating-point lane, rounded to nearest even. `source`: the operands' width."""
    values, poison = zip(*map(strip, operands), strict=True)
    result = terms.make(opcode, bits, tuple(values), source)
    never_nan = opcode in ("uitofp", "sitofp")
    return with_poison(result if never_nan else _any_nan(result, bits), either(*poison))


def float_compare(predicate, a, b, bits):
    a, p = strip(a)
    b, q = strip(b)
    return with_poison(compare_floats(predicate, a, b, bits), either(p, q))


def compare_floats(predicate, a, b, bits):
    """fcmp of two values, by their bits."""
    unordered = either(is_nan(a, bits), is_nan(b, bits))
    if predicate in ("ord", "uno"):
        return unordered if predicate == "uno" else negate(unordered)
    zero = terms.eq(terms.bit_and(terms.bit_or(a, b, bits), mask(bits - 1), bits), 0, bits)
    same = either(zero, terms.eq(a, b, bits))

    def less(x, y):
        s, t = _sign(x, bits), _sign(y, bits)
        by_sign = both(s, negate(zero))
        by_bits = terms.choose(s, terms.ult(y, x, bits), terms.ult(x, y, bits), 1)
        return terms.choose(terms.eq(s, t, 1), by_bits, by_sign, 1)

    relation = predicate[1:]
    c = {
        "eq": lambda: same,
        "ne": lambda: negate(same),
        "lt": lambda: less(a, b),
        "gt": lambda: less(b, a),
        "le": lambda: either(less(a, b), same),
        "ge": lambda: either(less(b, a), same),
    }[relation]()
    return either(unordered, c) if predicate[0] == "u" else both(negate(unordered), c)
