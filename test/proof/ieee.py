# SPDX-License-Identifier: MIT
"""SMT-LIB's IEEE 754 theory as terms. The library's code is not read here, and no kernel is modelled with it.

A term of a float has the bits of its sort, but it is a float for z3, and only the functions below take it. A sort is a
pair: the bits of the exponent, and those of the significand with its hidden bit."""

import z3
from terms import make

ROUNDINGS = {"rn": z3.RNE, "rna": z3.RNA, "rz": z3.RTZ, "rm": z3.RTN, "rp": z3.RTP}
RELATIONS = {"eq": z3.fpEQ, "lt": z3.fpLT, "leq": z3.fpLEQ}
PROPERTIES = {"nan": z3.fpIsNaN, "infinite": z3.fpIsInf, "zero": z3.fpIsZero, "subnormal": z3.fpIsSubnormal}
# z3's `rlimit` for a question: about 10 s.
LIMIT = 20_000_000


def size(sort):
    return sort[0] + sort[1]


def from_bits(x, sort):
    """The float with these bits."""
    return make("fp.from_bits", size(sort), (x,), sort)


def value(number, sort):
    """A Python float, which the sort must be able to represent."""
    return make("fp.value", size(sort), (), (number.hex(), sort))  # 0.0 == -0.0, but their texts differ


def from_integer(x, bits, is_signed, rounding, sort):
    return make("fp.from_integer", size(sort), (x,), (bits, is_signed, rounding, sort))


def rounded(x, rounding, sort):
    """A float in another sort."""
    return make("fp.rounded", size(sort), (x,), (rounding, sort))


def integral(x, rounding):
    return make("fp.integral", x.bits, (x,), rounding)


def product(x, y):
    """The product to nearest; callers use it where it is exact."""
    return make("fp.product", x.bits, (x, y))


def total(x, y):
    """The sum to nearest; callers use it where it is exact."""
    return make("fp.total", x.bits, (x, y))


def negative(x):
    """-x."""
    return make("fp.negative", x.bits, (x,))


def absolute(x):
    return make("fp.absolute", x.bits, (x,))


def to_integer(x, bits, is_signed, rounding):
    """The integer; any if it is out of range."""
    return make("fp.to_integer", bits, (x,), (is_signed, rounding))


def to_bits(x):
    """The bits of a float. Those of a NaN are any, so callers must replace them."""
    return make("fp.to_bits", x.bits, (x,))


def extremum(which, x, y):
    """fp.max or fp.min. Callers replace the results for NaNs and for two zeros, which differ between versions of IEEE
    754."""
    return make("fp.extremum", x.bits, (x, y), which)


def holds(relation, x, y):
    """fp.eq, fp.lt or fp.leq: false if an operand is a NaN."""
    return make("fp.holds", 1, (x, y), relation)


def is_(name, x):
    return make("fp.is", 1, (x,), name)


# ---- translation ----


def solvers():
    """The first solver finds parts that both sides of a question share, by and-inverter graphs. But it says "unknown"
    where it cannot give values to variables; then the second one is asked."""
    graphs = z3.Then("simplify", "fpa2bv", "simplify", "propagate-values", "solve-eqs", "max-bv-sharing", "bit-blast",
                     "aig", "sat")  # fmt: skip
    yield graphs.solver()
    yield z3.SolverFor("QF_FPBV")


def sort_of(sort):
    return z3.FPSort(*sort)


def _value(number, sort):
    return z3.FPVal(float.fromhex(number), sort_of(sort))


def _from_integer(x, detail):
    _, is_signed, rounding, sort = detail
    return (z3.fpSignedToFP if is_signed else z3.fpUnsignedToFP)(ROUNDINGS[rounding](), x, sort_of(sort))


def _to_integer(x, detail, bits):
    is_signed, rounding = detail
    return (z3.fpToSBV if is_signed else z3.fpToUBV)(ROUNDINGS[rounding](), x, z3.BitVecSort(bits))


def operand_bits(term):
    """The width of a bit-vector operand of a term of this file, which may be a known value."""
    return term.detail[0] if term.op == "fp.from_integer" else term.bits


def translated(term, operands):
    """The z3 expression of a term of this file, whose operands are translated."""
    op, detail = term.op, term.detail
    return {
        "fp.from_bits": lambda x: z3.fpBVToFP(x, sort_of(detail)),
        "fp.value": lambda: _value(*detail),
        "fp.from_integer": lambda x: _from_integer(x, detail),
        "fp.rounded": lambda x: z3.fpFPToFP(ROUNDINGS[detail[0]](), x, sort_of(detail[1])),
        "fp.integral": lambda x: z3.fpRoundToIntegral(ROUNDINGS[detail](), x),
        "fp.product": lambda x, y: z3.fpMul(z3.RNE(), x, y),
        "fp.total": lambda x, y: z3.fpAdd(z3.RNE(), x, y),
        "fp.negative": z3.fpNeg,
        "fp.absolute": z3.fpAbs,
        "fp.to_integer": lambda x: _to_integer(x, detail, term.bits),
        "fp.to_bits": z3.fpToIEEEBV,
        "fp.extremum": lambda x, y: (z3.fpMax if detail == "max" else z3.fpMin)(x, y),
        "fp.holds": lambda x, y: RELATIONS[detail](x, y),
        "fp.is": lambda x: PROPERTIES[detail](x),
    }[op](*operands)
