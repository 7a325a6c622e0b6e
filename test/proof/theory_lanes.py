# SPDX-License-Identifier: MIT
"""Comparisons, choices by a relation, and max, min, clamp and relu of floats, by IEEE 754 and the documents.

Like theory_cvt.py, this is a second reading of PTX's text, include/pto and docs/semantics.md."""

import ieee
import lanes
import terms
from claims import Case
from ieee import from_bits, holds, is_
from terms import bit_and, bit_or, both, choose, concat, either, extract, negate, zext

SORTS = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53)}
CANONICAL = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FFFFFFFFFFFFFFF}
# The operators of PTX that the relations of kernels are; a complement has the operator that is also true for NaNs.
OPERATORS = {"eq": ("eq", "neu"), "lt": ("lt", "geu"), "gt": ("gt", "leu"), "le": ("le", "gtu"), "lg": ("ne", "equ"),
             "ord": ("num", "nan"), "ge": ("ge", "ltu")}  # fmt: skip


def sort_of(lane):
    return SORTS[lane.removesuffix("z")]


def flushed(x, sort):
    """The bits of an operand under .ftz: a subnormal one becomes zero of its sign."""
    bits = ieee.size(sort)
    sign = concat(extract(x, bits - 1, 1), 0, 1, bits - 1)
    return choose(is_("subnormal", from_bits(x, sort)), sign, x, bits)


def compared(operator, x, y):
    """PTX's comparison of two floats."""
    unordered = either(is_("nan", x), is_("nan", y))
    if operator in ("num", "nan"):
        return unordered if operator == "nan" else negate(unordered)
    relation = {
        "eq": lambda: holds("eq", x, y),
        "ne": lambda: either(holds("lt", x, y), holds("lt", y, x)),
        "lt": lambda: holds("lt", x, y),
        "le": lambda: holds("leq", x, y),
        "gt": lambda: holds("lt", y, x),
        "ge": lambda: holds("leq", y, x),
    }[operator[:2]]()
    return either(unordered, relation) if operator.endswith("u") else relation


def condition(lane, operator, x, y):
    sort = sort_of(lane)
    if lane.endswith("z"):
        x, y = flushed(x, sort), flushed(y, sort)
    return compared(operator, from_bits(x, sort), from_bits(y, sort))


def extremum(which, lane, flags, x, y):
    """PTX's max or min of two operands."""
    sort, bits = SORTS[lane], lanes.lane_bits(lane)
    if flags & lanes.FTZ:
        x, y = flushed(x, sort), flushed(y, sort)
    nan_x, nan_y = is_("nan", from_bits(x, sort)), is_("nan", from_bits(y, sort))
    two_nans = CANONICAL[lane] if lane != "f64" else bit_or(y, 1 << 51, 64)
    sign = None
    if flags & lanes.XORSIGN_ABS:
        top = 1 << bits - 1
        sign = bit_and(terms.bit_xor(x, y, bits), top, bits)
        x, y = (bit_and(v, top - 1, bits) for v in (x, y))
    a, b = from_bits(x, sort), from_bits(y, sort)
    zeros = both(is_("zero", a), is_("zero", b))
    of_zeros = (bit_and if which == "max" else bit_or)(x, y, bits)  # the sign: +0 is larger than -0
    result = choose(zeros, of_zeros, ieee.to_bits(ieee.extremum(which, a, b)), bits)
    result = choose(nan_x, y, choose(nan_y, x, result, bits), bits)
    if sign is not None:
        result = bit_or(result, sign, bits)
    result = choose(both(nan_x, nan_y), two_nans, result, bits)
    if flags & lanes.PROPAGATE_NAN:
        result = choose(either(nan_x, nan_y), CANONICAL[lane], result, bits)
    return result


def expected(form, operands):
    """The bits of a result. operands: the bits of the element's operands, by name."""
    name, lane, *words = form.text.split(".")
    if form.call == "extremum":
        flags, x, y, z = int(words[0]), operands["x"], operands.get("y"), operands.get("z")
        if name == "clamp":
            return extremum("min", lane, flags, extremum("max", lane, flags, x, y), z)
        return extremum("max", lane, flags, x, 0) if name == "relu" else extremum(name, lane, flags, x, y)
    if form.call == "choose":
        holds_there = condition(lane, OPERATORS[words[0]][0], operands["x"], operands["y"])
        return choose(holds_there, operands["u"], operands["v"], form.bits)
    truth = condition(lane, OPERATORS[words[0]][words[-1] == "not"], operands["a"], operands["b"])
    return zext(truth, 1, form.bits)


def case(form, inputs, n):
    operands = [{o.name: inputs.arrays[o.name][0 if o.copies else k] for o in form.operands} for k in range(n)]
    return Case(inputs, [expected(form, each) for each in operands], form.bits, [])


def reason_if_left_out(form):
    """Returns why IEEE 754 does not define a form, or None."""
    if form.call not in ("compare", "choose", "extremum"):
        return "no floats are compared"
    return None if form.text.split(".")[1][0] in "fb" else "integers are compared"
