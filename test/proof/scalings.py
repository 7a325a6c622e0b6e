# SPDX-License-Identifier: MIT
"""Obligations of block scaling: kernels that scale elements by given factors, or compute scales and factors, equal the
scalar definition."""

from dataclasses import dataclass
from functools import partial

import claims
import terms
from claims import Call, Case, Outcome, cases_of, cells_of, element
from execute import Executor
from ir import Type
from memory import State, put
from solve import Answer, is_possible
from terms import both, either, negate, variable
from values import EXPONENT, QUIET, Pointer, choose, float_operation, is_nan, strip, with_poison

ADDRESS = Type("ptr", 64)
FAMILY = "block"
# The places of kernels in struct scaling_kernels.
PLACES = {"scales": 1, "factors": 3, "dequantize_factors": 4, "quantize": 5, "quantize_in_range": 5, "dequantize": 6,
          "products": 10}  # fmt: skip
OF_ELEMENTS = ("quantize", "quantize_in_range", "dequantize", "products")
SPACE = 16  # words after maxima, factors or products, which kernels may read or write
# Offsets in struct scaling, and a value of enum scale_op.
SCALE_OP, EPS, NEAREST = 12, 36, 4
ONE = 0x3F800000  # 1 as f32
FLOATS = ("fadd", "fsub", "fmul", "fdiv")
# Sizes of blocks: parts of a vector, one to four vectors of each backend, more, and all of a row.
BLOCKS = (1, 2, 4, 8, 16, 32, 64, 128, 1000)
CALLS = (Call(5), Call(150, 1))
FURTHER = (1, 3, 7, 16, 40, 256)  # run only if they reach more code
PERIOD = 2  # elements per call of the definition: codes of 4 bits share a byte


@dataclass(frozen=True)
class Form:
    """A line of scalings.c. largest: the largest operand. limit: the bits of an f32. In range, the magnitudes of
    products are below it, except for SCALE_NEAREST, which does not use it. unknown: offsets of words of struct scaling
    that are variables."""

    kernel: str
    text: str
    src_bits: int
    dst_bits: int
    largest: int
    limit: int
    unknown: tuple
    scaling: bytes

    call = FAMILY

    @staticmethod
    def read(line):
        kernel, text, *numbers, unknown, scaling = line.split()
        places = tuple(map(int, unknown.split(","))) if unknown != "-" else ()
        return Form(kernel, text, *map(int, numbers), places, bytes.fromhex(scaling))

    @property
    def has_factors(self):
        return self.kernel in OF_ELEMENTS


class Inputs:
    """Variables for n elements and the factors of their blocks, or for n maxima or scales."""

    def __init__(self, form, block, call):
        self.form, self.block, n = form, block, call.n
        self.elements = [call.operand(f"x{k}", form.src_bits, 1 << k) for k in range(n)]
        self.fields = [call.operand(f"field{at}", 32) for at in form.unknown]
        self.factors = []
        if form.has_factors:
            self.factors = [call.operand(f"r{k}", 32) for k in range(-(-n // block))]

    def names(self, k):
        found = {self.elements[k]: variable("x", self.form.src_bits)}
        found.update((f, f) for f in self.fields if not isinstance(f, int))
        if self.factors:
            found[self.factors[k // self.block]] = variable("r", 32)
        return found

    def operands(self, k):
        return (self.elements[k],)


def float_of(x, form):
    """An element as f32."""
    if form.src_bits == 32:
        return x
    is_f16 = form.text.endswith(".f16")
    return float_operation("fpext", [x], 32, 16) if is_f16 else terms.concat(x, 0, 16, 16)


def is_in_range(form, x, factor):
    """The condition under which `in_range` may be passed for an element: see scales_fn in core/scaling.h. The factors
    of SCALE_NEAREST are halves of scales, which have few significant bits."""
    x = float_of(x, form)
    if form.scaling[SCALE_OP] != NEAREST:
        product, _ = strip(float_operation("fmul", [x, factor], 32))
        return terms.ult(terms.bit_and(product, terms.mask(31), 32), form.limit, 32)
    most, _ = strip(float_operation("fmul", [factor, 0x47800000], 32))  # 2^16 times the factor
    few = terms.eq(terms.extract(factor, 0, 16), 0, 16)
    is_finite = terms.ult(most, EXPONENT[32], 32)
    return both(few, is_finite, negate(terms.ult(most, terms.bit_and(strip(x)[0], terms.mask(31), 32), 32)))


def limited(form, x):
    """A maximum: 0 in place of a NaN, unless the rule propagates NaNs. It has no sign."""
    return terms.zext(terms.choose(terms.ult(form.largest, x, form.src_bits), 0, x, form.src_bits), form.src_bits, 32)


def not_negative(x):
    """A float: 0 in place of a NaN or a value below 0."""
    is_valid = either(negate(terms.ult(EXPONENT[32], x, 32)), terms.eq(x, 1 << 31, 32))
    return terms.choose(is_valid, x, 0, 32)


def with_one_nan(lane):
    """The float, or QUIET for any NaN: kernels may return any NaN."""
    value, poison = strip(lane)
    return with_poison(terms.choose(is_nan(value, 32), QUIET[32], value, 32), poison)


def table_of(module, backend):
    """The function that returns a backend's kernels. Variants of a backend add kernels that have no obligations."""
    return module.global_named(f"pto_scaling_{backend.partition('-')[0]}")


def functions_of(module, backend):
    return frozenset((table_of(module, backend),))


class Run:
    """Runs kernels of a backend, and has their state."""

    def __init__(self, module, backend, apart):
        self.state, self.executor = State(), Executor(module, False, is_possible, apart)
        self.table, self.state = self.executor.call(self.state, table_of(module, backend), [])

    def array(self, name, values, bits, misalignment, space=0):
        values = [*values, *(terms.fresh(bits) for _ in range(space))]
        return Pointer(self.state.new_object(name, cells_of(values, bits), True, misalignment), 0)

    def result(self, name, count, bits, misalignment):
        return Pointer(self.state.new_object(name, [None] * -(-count * bits // 8), False, misalignment), 0)

    def call(self, kernel, arguments):
        address = Pointer(self.table.object, self.table.offset + 8 * PLACES[kernel])
        function = self.state.load(address, ADDRESS).object.function
        _, self.state = self.executor.call(self.state, function, arguments)

    def lanes(self, pointer, n, bits):
        return [element(self.state.memory[pointer.object], k, bits) for k in range(n)]


def scaling_of(form, inputs):
    """The bytes of struct scaling, with variables for unknown words."""
    cells = [(b, 0, 1) for b in form.scaling]
    for at, field in zip(form.unknown, inputs.fields, strict=True):
        put(cells, at, not_negative(field) if at == EPS else field, 4)
    return cells


def results_of_elements(one, form, inputs, scaling, call):
    """Runs a kernel that scales elements by given factors. Returns its results."""
    n, words = call.n, 4 * call.misalignment  # arrays of words are aligned
    is_product = form.kernel == "products"
    x = one.array("x", inputs.elements, form.src_bits, call.misalignment)
    factors = one.array("factors", inputs.factors, 32, words, SPACE)
    count, misalignment = (n + SPACE, words) if is_product else (n, call.misalignment)
    dst = one.result("dst", count, form.dst_bits, misalignment)
    in_range = [int(form.kernel == "quantize_in_range")] if form.kernel.startswith("quantize") else []
    one.call(form.kernel, [scaling, *in_range, x, factors, inputs.block, dst, n])
    found = one.lanes(dst, n, form.dst_bits)
    if form.kernel == "quantize_in_range":
        for k, lane in enumerate(found):
            condition = is_in_range(form, inputs.elements[k], inputs.factors[k // inputs.block])
            found[k] = choose(condition, lane, 0, form.dst_bits)
    return [with_one_nan(lane) for lane in found] if is_product else found


def results_of_blocks(one, form, inputs, scaling, call):
    """Runs a kernel that computes factors. Returns these; those of `scales` are joined with the scales."""
    n, words = call.n, 4 * call.misalignment
    factors = one.result("factors", n + SPACE, 32, words)
    if form.kernel != "scales":
        scales = one.array("scales", inputs.elements, form.src_bits, call.misalignment)
        one.call(form.kernel, [scaling, scales, n, factors])
        return [with_one_nan(lane) for lane in one.lanes(factors, n, 32)]
    bits = form.dst_bits - 32
    maxima = one.array("maxima", [limited(form, x) for x in inputs.elements], 32, words, SPACE)
    scales = one.result("scales", n, bits, call.misalignment)
    one.call(form.kernel, [scaling, maxima, n, scales, factors])
    found = []
    for scale, factor in zip(one.lanes(scales, n, bits), one.lanes(factors, n, 32), strict=True):
        (value, p), (by, q) = strip(scale), strip(with_one_nan(factor))
        found.append(with_poison(terms.concat(by, value, 32, bits), either(p, q)))
    return found


def run(module, backend, form, block, call, apart=frozenset()):
    """Runs a kernel on call.n elements, maxima or scales. Returns a Case."""
    one, inputs = Run(module, backend, apart), Inputs(form, block, call)
    scaling = Pointer(one.state.new_object("scaling", scaling_of(form, inputs), True), 0)
    results = results_of_elements if form.has_factors else results_of_blocks
    values, poison = zip(*map(strip, results(one, form, inputs, scaling, call)), strict=True)
    seen, undefined = set(), []
    for condition in (*one.state.undefined, *poison):
        undefined += map(with_short_names, claims.alternatives(condition, seen))
    return Case(inputs, list(values), form.dst_bits, undefined, one.executor.covered)


def with_short_names(condition):
    """The condition with other names for fresh variables, so that it is often the same for all elements."""
    made = {}

    def replace(term):
        is_fresh = term.op == "var" and term.detail.startswith("any")
        return made.setdefault(term, variable(f"nan{len(made)}", term.bits)) if is_fresh else None

    return terms.replaced(condition, {}, replace)


class Proof(claims.Proof):
    """A proof in which float operations are one term if their operands are equal, or both NaNs. Then their results are,
    too. As separate terms, z3 would multiply or divide twice."""

    def __init__(self):
        super().__init__()
        self.shares, self.answers = True, {}

    def defined(self, case):
        self.shares = False
        try:
            return super().defined(case)
        finally:
            self.shares = True

    def ask(self, condition, operands):
        if not self.shares:
            return super().ask(condition, operands)
        if condition not in self.answers:
            shared = self.shared(condition, operands)
            answer = super().ask(without_floats(shared), operands)
            if answer.verdict != "unsat":
                answer = self.ask_about_one(shared, operands)
            self.answers[condition] = answer if answer.verdict in ("sat", "unsat") else super().ask(shared, operands)
        return self.answers[condition]

    def ask_about_one(self, condition, operands):
        """Asks whether a condition can hold if all factors are 1. This is easy, and often shows a fault. If it cannot,
        returns unknown."""
        factors = {v for v in variables_of(condition) if v.detail[0] == "r"}
        special = without_ones(terms.renamed(condition, dict.fromkeys(factors, ONE)))
        answer = super().ask(special, operands) if factors else None
        if answer is None or answer.verdict != "sat":
            return Answer("unknown")
        return Answer("sat", answer.model | {f.detail: ONE for f in factors})

    def shared(self, condition, operands):
        """The condition with one term for all float operations that are known to have the same result."""
        if isinstance(condition, int):
            return condition
        memo, found = {}, []
        for term in terms.post_order(condition):
            new = terms.rebuilt(term, [a if isinstance(a, int) else memo[a] for a in term.args]) if term.args else term
            if not isinstance(new, int) and new.op in FLOATS:
                same = next((f for f in found if self.is_same(f, new, operands)), None)
                if same is None:
                    found.append(new)
                new = new if same is None else same
            memo[term] = new
        return memo[condition]

    def is_same(self, a, b, operands):
        if a is b:
            return True
        if (a.op, a.bits) != (b.op, b.bits):
            return False
        orders = [b.args, b.args[::-1]] if a.op in ("fadd", "fmul") else [b.args]
        return any(all(self.is_equal(x, y, a.bits, operands) for x, y in zip(a.args, o, strict=True)) for o in orders)

    def is_equal(self, x, y, bits, operands):
        """Whether two floats are known to be equal, or both NaNs. If their variables differ, no."""
        if x is y or variables_of(x) != variables_of(y):
            return x is y
        differ = both(negate(terms.eq(x, y, bits)), negate(both(is_nan(x, bits), is_nan(y, bits))))
        return super().ask(without_floats(differ), operands).verdict == "unsat"


def variables_of(x):
    """The operands on which an expression depends. Arbitrary values, such as payloads of NaNs, are left out."""
    if isinstance(x, int):
        return set()
    return {t for t in terms.post_order(x) if t.op == "var" and not t.detail.startswith(("any", "other"))}


def without_ones(condition):
    """The condition with x in place of x * 1, 1 * x and x / 1. If x is a NaN, these are NaNs, too."""

    def replace(term):
        by_one = term.op in ("fmul", "fdiv") and ONE in (term.args if term.op == "fmul" else term.args[1:])
        return next((a for a in term.args if a != ONE), ONE) if by_one else None

    return terms.replaced(condition, {}, replace)


def without_floats(condition):
    """The condition with variables for float operations. What holds for all their values holds for their results."""
    made = {}

    def replace(term):
        return made.setdefault(term, variable(f"float{len(made)}", term.bits)) if term.op in FLOATS else None

    return terms.replaced(condition, {}, replace)


def prove(module, backend, form):
    """Proves a form for arrays of several lengths and, with factors, blocks of several sizes."""
    terms.forget_terms()
    definition = run(module, "scalar", form, 1, Call(PERIOD))
    proof = Proof()
    outcome = proof.defined(definition)
    for block in BLOCKS if form.has_factors else (1,):
        for case in cases_of(partial(run, module, backend, form, block), CALLS, FURTHER):
            outcome = outcome or proof.elements(definition, case, PERIOD) or proof.defined(case)
    return outcome or Outcome("proved", f"{len(proof.verdicts)} conditions")
