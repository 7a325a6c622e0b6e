# SPDX-License-Identifier: MIT
"""Models of LLVM's intrinsics that are the same for all targets.

A model takes the executor, the call, the operands and the state, and returns the result."""

import terms
from terms import Refused, either, extract, mask
from values import BINARY, EXPONENT, QUIET, binary, is_nan, strip, with_poison


def lanes(function, *operands):
    if isinstance(operands[0], list):
        return [function(*each) for each in zip(*operands, strict=True)]
    return function(*operands)


def _binary(opcode):
    return lambda executor, i, a, state: lanes(lambda x, y: binary(opcode, x, y, i.type.lane.bits), a[0], a[1])


def unary(model):
    """A model of each lane: model(value, bits)."""

    def run(executor, i, arguments, state):
        bits = i.type.lane.bits

        def one(x):
            v, p = strip(x)
            return with_poison(model(v, bits), p)

        return lanes(one, arguments[0])

    return run


def leading_zeros(x, bits):
    result = bits
    for k in range(bits):
        result = terms.choose(extract(x, k, 1), bits - 1 - k, result, bits)
    return result


def trailing_zeros(x, bits):
    result = bits
    for k in reversed(range(bits)):
        result = terms.choose(extract(x, k, 1), k, result, bits)
    return result


def _zeros(model):
    """ctlz and cttz: if the second operand is 1, the result for 0 is poison."""

    def run(executor, i, arguments, state):
        bits = i.type.lane.bits

        def one(x):
            v, p = strip(x)
            zero = terms.eq(v, 0, bits) if arguments[1] == 1 else 0
            return with_poison(model(v, bits), either(p, zero))

        return lanes(one, arguments[0])

    return run


def _absolute(executor, i, arguments, state):
    """abs: if the second operand is 1, the result for the least value is poison."""
    bits = i.type.lane.bits

    def one(x):
        v, p = strip(x)
        least = terms.eq(v, 1 << bits - 1, bits) if arguments[1] == 1 else 0
        result = terms.choose(extract(v, bits - 1, 1), terms.sub(0, v, bits), v, bits)
        return with_poison(result, either(p, least))

    return lanes(one, arguments[0])


def ones(x, bits):
    result = 0
    for k in range(bits):
        result = terms.add(result, terms.zext(extract(x, k, 1), 1, bits), bits)
    return result


def _reversed_bits(x, bits):
    return terms.join([extract(x, bits - 1 - k, 1) for k in range(bits)], 1)


def _reversed_bytes(x, bits):
    return terms.join([extract(x, bits - 8 - 8 * k, 8) for k in range(bits // 8)], 8)


def _funnel(left):
    def run(executor, i, arguments, state):
        bits = i.type.lane.bits

        def one(x, y, n):
            (a, p), (b, q), (k, r) = strip(x), strip(y), strip(n)
            if not isinstance(k, int):
                raise Refused(i.text)
            k %= bits
            low = bits - k if left else k
            return with_poison(extract(terms.concat(a, b, bits, bits), low, bits), either(p, q, r))

        return lanes(one, *arguments[:3])

    return run


CLASSES = ("snan", "qnan", "-inf", "-normal", "-subnormal", "-0", "+0", "+subnormal", "+normal", "+inf")


def _is_class(executor, i, arguments, state):
    """is.fpclass: whether a value is of one of the classes whose bits are set."""
    bits, wanted = i.types[0].lane.bits, arguments[1]

    def one(x):
        v, p = strip(x)
        size = terms.bit_and(v, mask(bits - 1), bits)
        negative, infinity = extract(v, bits - 1, 1), EXPONENT[bits]
        quiet = extract(v, (QUIET[bits] ^ infinity).bit_length() - 1, 1)
        zero, infinite = terms.eq(size, 0, bits), terms.eq(size, infinity, bits)
        small = terms.eq(terms.bit_and(v, infinity, bits), 0, bits)
        nan = is_nan(v, bits)
        by_size = {
            "inf": infinite,
            "normal": terms.both(terms.negate(small), terms.ult(size, infinity, bits)),
            "subnormal": terms.both(small, terms.negate(zero)),
            "0": zero,
        }
        found = []
        for k, name in enumerate(CLASSES):
            if wanted >> k & 1:
                if k < 2:
                    found.append(terms.both(nan, quiet if k else terms.negate(quiet)))
                else:
                    sign = negative if name[0] == "-" else terms.negate(negative)
                    found.append(terms.both(sign, by_size[name[1:]]))
        return with_poison(either(*found), p)

    return lanes(one, arguments[0])


def ignored(executor, i, arguments, state):
    return None


def _assume(executor, i, arguments, state):
    """Behaviour is undefined unless the operand is true."""
    v, p = strip(arguments[0])
    state.must_not(either(p, terms.negate(v)))


def _copy_memory(executor, i, arguments, state):
    size = arguments[2]
    if not isinstance(size, int):
        raise Refused("a copy of unknown size")
    if size == 0:
        return
    target, to = state.located(arguments[0], size, i.align[0])
    source, at = state.located(arguments[1], size, i.align[1])
    if not isinstance(to, int) or not isinstance(at, int) or target.constant:
        raise Refused("a copy at an unknown offset")
    if "memcpy" in i.text and target is source and abs(to - at) < size and to != at:
        raise Refused("memcpy() of memory that overlaps")
    state.cells(target)[to : to + size] = state.cells_to_read(source, at, size)[at : at + size]


def _set_memory(executor, i, arguments, state):
    size = arguments[2]
    if not isinstance(size, int):
        raise Refused("memset() of unknown size")
    if size == 0:
        return
    target, to = state.located(arguments[0], size, i.align[0])
    if not isinstance(to, int) or target.constant:
        raise Refused("memset() at an unknown offset")
    state.cells(target)[to : to + size] = [(arguments[1], 0, 1)] * size


def _reduction(opcode):
    def run(executor, i, arguments, state):
        bits = i.type.bits
        result = arguments[0][0]
        for lane in arguments[0][1:]:
            result = binary(opcode, result, lane, bits)
        return result

    return run


REDUCTIONS = ("add", "and", "or", "xor", "umin", "umax", "smin", "smax")

INTRINSICS = {
    **{f"llvm.{name}": _binary(name) for name in BINARY if "." in name or name[1:] in ("min", "max")},
    **{f"llvm.vector.reduce.{name}": _reduction(name) for name in REDUCTIONS},
    "llvm.ctlz": _zeros(leading_zeros),
    "llvm.cttz": _zeros(trailing_zeros),
    "llvm.abs": _absolute,
    "llvm.ctpop": unary(ones),
    "llvm.bitreverse": unary(_reversed_bits),
    "llvm.bswap": unary(_reversed_bytes),
    "llvm.fabs": unary(lambda x, bits: terms.bit_and(x, mask(bits - 1), bits)),
    "llvm.fshl": _funnel(True),
    "llvm.fshr": _funnel(False),
    "llvm.is.fpclass": _is_class,
    "llvm.lifetime": ignored,
    "llvm.assume": _assume,
    "llvm.experimental.noalias.scope.decl": ignored,
    "llvm.memcpy": _copy_memory,
    "llvm.memmove": _copy_memory,
    "llvm.memset": _set_memory,
    # Whether kernels shall prefetch, which changes no result. It may be either.
    "pto_cpu_needs_prefetch": lambda executor, i, a, state: terms.fresh(1),
}
