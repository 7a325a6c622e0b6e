# SPDX-License-Identifier: MIT
"""Finds with z3 whether a condition can hold. A file caches hashes of conditions that cannot."""

import ieee
import z3
from terms import Refused, concat, digest, post_order, renamed, variable
from values import EXPONENT

# z3's `rlimit` for a part of a question: LIMIT is about a second. Unlike a time limit, it does not depend on the
# machine's load. A question that z3 cannot answer within ieee.LIMIT is split into two by a bit of an operand, at most
# DEPTH times. While more than 32 bits are unknown, z3 seldom succeeds before the exponent is known, so these parts have
# the lower limit LIMIT_OF_LONG.
LIMIT, LIMIT_OF_LONG, DEPTH = 1_500_000, 300_000, 18

SORTS = {16: z3.FPSort(5, 11), 32: z3.FPSort(8, 24), 64: z3.FPSort(11, 53)}
LOGIC = {"and": (z3.And, lambda a, b: a & b), "or": (z3.Or, lambda a, b: a | b), "xor": (z3.Xor, lambda a, b: a ^ b)}
ARITHMETIC = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "shl": lambda a, b: a << b,
    "lshr": z3.LShR, "ashr": lambda a, b: a >> b, "udiv": z3.UDiv, "urem": z3.URem,
}  # fmt: skip
FLOAT = {"fadd": z3.fpAdd, "fsub": z3.fpSub, "fmul": z3.fpMul, "fdiv": z3.fpDiv}


class Translation:
    """Translates terms for z3. Terms of one bit become Bools."""

    def __init__(self):
        self.memo, self.variables = {}, []

    def of(self, lane, bits):
        if isinstance(lane, int):
            return z3.BoolVal(bool(lane)) if bits == 1 else z3.BitVecVal(lane, bits)
        for term in post_order(lane):
            if term not in self.memo:
                self.memo[term] = self.one(term)
        return self.memo[lane]

    def operand(self, lane, bits):
        if isinstance(lane, int):
            return z3.BoolVal(bool(lane)) if bits == 1 else z3.BitVecVal(lane, bits)
        return self.memo[lane]

    def word(self, lane, bits):
        """An operand as a bit-vector, also if it has one bit."""
        x = self.operand(lane, bits)
        return z3.If(x, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)) if bits == 1 else x

    def one(self, t):
        op, n, args = t.op, t.bits, t.args
        if op == "var":
            variable = z3.Bool(t.detail) if n == 1 else z3.BitVec(t.detail, n)
            self.variables.append(variable)
            return variable
        if op in LOGIC:
            return LOGIC[op][n > 1](self.operand(args[0], n), self.operand(args[1], n))
        if op == "ite":
            return z3.If(self.operand(args[0], 1), self.operand(args[1], n), self.operand(args[2], n))
        if op == "eq":
            return self.operand(args[0], t.detail) == self.operand(args[1], t.detail)
        if op == "ult":
            return z3.ULT(self.operand(args[0], t.detail), self.operand(args[1], t.detail))
        if op == "slt":
            return self.operand(args[0], t.detail) < self.operand(args[1], t.detail)
        if op == "concat":
            return z3.Concat(self.word(args[0], t.detail), self.word(args[1], n - t.detail))
        if op == "extract":
            x = z3.Extract(t.detail + n - 1, t.detail, self.operand(args[0], args[0].bits))
            return x == 1 if n == 1 else x
        if op in ("zext", "sext"):
            source = args[0].bits
            if source == 1:
                return z3.If(self.operand(args[0], 1), z3.BitVecVal(1 if op == "zext" else -1, n), z3.BitVecVal(0, n))
            return (z3.ZeroExt if op == "zext" else z3.SignExt)(n - source, self.operand(args[0], source))
        if op in ARITHMETIC:
            x = ARITHMETIC[op](self.word(args[0], n), self.word(args[1], n))
            return x == 1 if n == 1 else x
        if op.startswith("fp."):
            widths = [ieee.operand_bits(t) if isinstance(a, int) else a.bits for a in args]
            return ieee.translated(t, [self.word(a, bits) for a, bits in zip(args, widths, strict=True)])
        return self.floating(t)

    def floating(self, t):
        """Equal operands must give equal results. z3's to_ieee_bv() may give any NaN: it is replaced by one."""
        op, _, way = t.op.partition(".")
        n, rounding = t.bits, ieee.ROUNDINGS[way or "rn"]()
        if op in FLOAT:
            x = FLOAT[op](rounding, *(z3.fpBVToFP(self.operand(a, n), SORTS[n]) for a in t.args))
        elif op == "fsqrt":
            x = z3.fpSqrt(rounding, z3.fpBVToFP(self.operand(t.args[0], n), SORTS[n]))
        elif op in ("fpext", "fptrunc"):
            x = z3.fpFPToFP(rounding, z3.fpBVToFP(self.operand(t.args[0], t.detail), SORTS[t.detail]), SORTS[n])
        elif op == "uitofp":
            x = z3.fpUnsignedToFP(rounding, self.word(t.args[0], t.detail), SORTS[n])
        elif op == "sitofp":
            x = z3.fpSignedToFP(rounding, self.word(t.args[0], t.detail), SORTS[n])
        else:
            raise Refused(f"the operation {t.op}")
        return z3.If(z3.fpIsNaN(x), z3.BitVecVal(EXPONENT[n] | EXPONENT[n] >> 1, n), z3.fpToIEEEBV(x))


impossible = set()  # hashes of conditions that cannot hold


def load_answers(path):
    """Loads the hashes that earlier runs have written to a file, and appends those of this run to it."""
    global log
    if path.exists():
        impossible.update(path.read_text().split())
    log = path.open("a")


class Answer:
    """verdict: 'unsat', 'sat' or a reason; model: the values of variables, by name."""

    def __init__(self, verdict, model=None):
        self.verdict, self.model = verdict, model


log = None  # the file to which new hashes are appended


def ask(condition, operands=()):
    """Returns an Answer. If z3 gives up, the question is split by the highest bit of each of the variables
    `operands`, then by further bits of the first one."""
    if isinstance(condition, int):
        return Answer("sat", {}) if condition else Answer("unsat")
    key = digest(condition)
    if key in impossible:
        return Answer("unsat")
    answer = ask_in_parts(condition, list(operands), 0)
    if answer.verdict == "unsat":
        impossible.add(key)
        if log is not None:
            log.write(f"{key}\n")
            log.flush()
    return answer


def ask_in_parts(condition, operands, depth):
    if isinstance(condition, int):
        return Answer("sat", {}) if condition else Answer("unsat")
    width = max((o.bits for o in operands), default=0)
    answer = ask_solver(condition, LIMIT_OF_LONG if depth and width > 32 else LIMIT, depth == 0)
    at = depth if depth < len(operands) else 0
    if answer.verdict in ("sat", "unsat") or not operands or depth == DEPTH or operands[at].bits == 1:
        return answer
    operand = operands[at]
    rest = variable(f"{operand.detail}_{operand.bits - 1}", operand.bits - 1, operand.deps)
    operands[at] = rest
    for bit in (0, 1):
        part = renamed(condition, {operand: concat(bit, rest, 1, rest.bits)})
        answer = ask_in_parts(part, list(operands), depth + 1)
        if answer.verdict == "sat":
            answer.model[operand.detail] = bit << rest.bits | answer.model.pop(rest.detail, 0)
        if answer.verdict != "unsat":
            return answer
    return answer


def solvers_of(condition, limit, is_whole):
    """Returns pairs (solver, limit of its work). They are tried in turn until one answers. `is_whole`: the question is
    not split yet. It gets a higher limit, because splitting takes longer."""
    graphs, other = ieee.solvers()
    if any(t.op.startswith("fp.") for t in post_order(condition)):
        return [(graphs, ieee.LIMIT), (other, ieee.LIMIT)]
    return [(graphs, ieee.LIMIT), (other, limit)] if is_whole else [(graphs, limit)]


def ask_solver(condition, limit, is_whole):
    """Tries the solvers. `is_whole`: the question was not split."""
    for solver, work in solvers_of(condition, limit, is_whole):
        translation = Translation()
        solver.set("rlimit", work)
        solver.add(translation.of(condition, 1))
        verdict = solver.check()
        if verdict == z3.unsat:
            return Answer("unsat")
        if verdict == z3.sat:
            model = solver.model()
            values = ((v, model.eval(v, model_completion=True)) for v in translation.variables)
            return Answer("sat", {v.decl().name(): value_of(value) for v, value in values})
    return Answer(f"z3 gave up: {solver.reason_unknown()}")


def value_of(value):
    return int(z3.is_true(value)) if z3.is_bool(value) else value.as_long()


def is_possible(condition):
    return ask(condition).verdict != "unsat"
