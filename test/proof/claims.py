# SPDX-License-Identifier: MIT
"""Arrays in memory, and the proof that two calls give equal results, for conversions and for other kernels."""

from dataclasses import dataclass, replace
from functools import partial

import terms
from execute import execute
from memory import get, part, put
from solve import ask
from terms import Free, both, either, fresh, negate, only_about, renamed, variable
from values import strip

FP_ANY, FP_IEEE, FP_FLUSH, FP_UNFLUSHED = range(4)
ENOUGH = 2  # after this many elements that cannot be proved separately, one question covers the rest


@dataclass
class Outcome:
    """verdict: 'proved', 'refuted' or 'open'. inputs: values of variables that refute it; n: number of elements."""

    verdict: str
    detail: str = ""
    inputs: dict = None
    n: int = 0


def cells_of(values, bits, spare=lambda bits: 0):
    """The memory of an array of elements. spare(bits) is a value for unused elements of the last byte."""
    if bits < 8:
        per = 8 // bits
        values = [*values, *(spare(bits) for _ in range(-len(values) % per))]
        values = [terms.join(values[k : k + per], bits) for k in range(0, len(values), per)]
        bits = 8
    cells = [None] * (len(values) * bits // 8)
    for k, v in enumerate(values):
        put(cells, k * (bits // 8), v, bits // 8)
    return cells


def element(cells, k, bits):
    """Element k of an array in memory."""
    if bits >= 8:
        return get(cells, k * (bits // 8), bits // 8, bits)
    return part(get(cells, k * bits // 8, 1, 8), k * bits % 8, bits)


@dataclass
class Case:
    """A call of a kernel. inputs.names(k) maps variables of element k to names that are equal for all k.
    inputs.operands(k): variables by whose bits questions are split. lanes: the results, of `bits` bits each.
    undefined: conditions that must not hold. covered: the basic blocks that were executed. read_late: operands of which
    a call in place would read overwritten bytes. depends_on_flush: the kernel accepts any state of the CPU, and has an
    instruction that depends on whether subnormal operands are flushed."""

    inputs: object
    lanes: list
    bits: int
    undefined: list
    covered: frozenset = frozenset()
    read_late: frozenset = frozenset()
    depends_on_flush: bool = False


PATHS = 16  # an element with more paths is one question
PARTS = 2  # operands of an `and` to try separately


def paths(lane, own):
    """Returns pairs of a value and the condition under which a lane has it. An `ite` is split if its condition
    is about other elements. `own`: the bit of the element."""
    found, pending = {}, [(lane, 1)]
    while pending:
        value, condition = pending.pop()
        if not isinstance(value, int) and value.op == "ite" and value.bits > 1 and value.args[0].deps & ~own:
            c, x, y = value.args
            pending += [(y, both(condition, negate(c))), (x, both(condition, c))]
        else:
            found[value] = either(found.get(value, 0), condition)
        if len(found) + len(pending) > PATHS:
            return [(lane, 1)]
    return list(found.items())


class Element:
    """The question whether element k of a case can differ from element k % period of the definition. It has the
    value `got` if the condition `path` holds."""

    def __init__(self, definition, case, k, period, got, path):
        self.definition, self.case, self.k, self.got, self.path = definition, case, k, got, path
        self.own, self.place = case.inputs.names(k), k % period
        self.first, self.end = k - k % period, min(k - k % period + period, len(case.lanes))
        self.want = self.wanted(period)

    def wanted(self, period):
        """The definition's element for the operands of this period."""
        names, definition, case = {}, self.definition, self.case
        for j in range(period):
            if self.first + j < len(case.lanes):
                names.update(zip(definition.inputs.names(j), case.inputs.names(self.first + j), strict=True))
            else:
                names.update((v, fresh(v.bits)) for v in definition.inputs.names(j) if v not in names)
        return renamed(strip(definition.lanes[self.place])[0], names)

    def differs(self, by_path=True):
        """The condition that the value differs and, with `by_path`, that the path is taken."""
        differ = negate(terms.eq(self.want, self.got, self.case.bits))
        return both(self.path, differ) if by_path else differ

    def operands(self):
        """The operands whose bits may split a question, renamed by `own`."""
        return [self.own[o] for o in self.case.inputs.operands(self.k)]


def alternatives(condition, seen):
    """Returns the operands of a chain of `or`, except those in `seen`. Adds them to `seen`."""
    pending, found = [condition], []
    while pending:
        c = pending.pop()
        if c in seen or (isinstance(c, int) and not c):
            continue
        seen.add(c)
        if not isinstance(c, int) and c.op == "or":
            pending.extend(c.args)
        else:
            found.append(c)
    return found


def group_names(inputs, first, last):
    """Names for variables of elements first to last - 1. They depend only on the distance from `first`."""
    return {
        v: variable(f"{name.detail}{j - first}", v.bits)
        for j in range(first, last)
        for v, name in inputs.names(j).items()
    }


class Proof:
    """The proof that cases give the same as a definition."""

    def __init__(self):
        self.verdicts, self.seen = {}, set()
        self.questions = [
            self.by_values,
            self.on_any_path,
            self.on_path,
            self.moves_condition,
            self.among_bits,
            self.in_group,
        ]

    def elements(self, definition, case, period):
        """Returns None if all elements of a case are those of the definition, otherwise an Outcome."""
        n, dependent, together = len(case.lanes), 0, 0
        for k in range(n):
            for got, path in paths(strip(case.lanes[k])[0], 1 << k):
                e = Element(definition, case, k, period, got, path)
                if dependent == ENOUGH:
                    together = either(together, e.differs())
                elif not self.cannot_differ(e):
                    dependent += 1
                    answer = self.ask(e.differs(), case.inputs.operands(k))
                    if answer.verdict != "unsat":
                        return outcome_of(answer, f"element {k}", n)
        answer = self.ask(together, case.inputs.operands(0))
        return None if answer.verdict == "unsat" else outcome_of(answer, "one of several elements", n)

    def cannot_differ(self, e):
        """Returns whether an Element cannot differ, whatever others are. The question that succeeded for the last
        element is tried first."""
        for question in self.questions:
            if question(e):
                self.questions.remove(question)
                self.questions.insert(0, question)
                return True
        return False

    def by_values(self, e):
        """For kernels of two stages: the path of the second depends on results of the first for other elements.
        Such results become variables even if a condition about this element selects among them."""
        return self.impossible(only_about(e.differs(False), 1 << e.k, e.own, by_values=True), e.operands())

    def on_any_path(self, e):
        """The element's own operands are usually enough."""
        return self.impossible(only_about(e.differs(False), 1 << e.k, e.own), e.operands())

    def on_path(self, e):
        """The path may imply that no element of a group is a NaN."""
        return self.impossible(only_about(e.differs(), 1 << e.k, e.own), e.operands())

    def among_bits(self, e):
        """For bits that move through a word: only single bits of other elements become variables."""
        return self.impossible(only_about(e.differs(), 1 << e.k, e.own, 1), e.operands())

    def in_group(self, e):
        """Elements that share a byte or a random word may need each other's operands."""
        names = group_names(e.case.inputs, e.first, e.end)
        operands = [names[o] for o in e.case.inputs.operands(e.k)]
        return self.impossible(only_about(e.differs(), (1 << e.end) - (1 << e.first), names), operands)

    def moves_condition(self, e):
        """If the definition's element is a condition, a kernel may compute it and move its bit through a word.
        There are two questions, easier than one: is the bit right, and does it arrive?"""
        if isinstance(e.want, int) or not is_about(e.want, e.own):
            return False
        want, bits, operands = renamed(e.want, e.own), e.case.bits, e.operands()
        possible = ~want.zeros & terms.mask(bits)
        high = possible if possible.bit_count() == 1 else terms.mask(bits)
        is_high, is_low = terms.eq(want, high, bits), terms.eq(want, 0, bits)
        if not self.impossible(negate(either(is_high, is_low)), operands):
            return False
        condition, free = variable("condition", 1), Free(1 << e.k, 1)

        def replace(term):
            if term.bits != 1 or term.deps != 1 << e.k:
                return free(term)
            computed = renamed(term, e.own)
            if self.impossible(negate(terms.eq(computed, is_high, 1)), operands):
                return condition
            return negate(condition) if self.impossible(negate(terms.eq(computed, is_low, 1)), operands) else None

        got = terms.replaced(e.got, e.own, replace)
        return self.impossible(negate(terms.eq(got, terms.choose(condition, high, 0, bits), bits)), ())

    def impossible(self, condition, operands):
        return self.ask(condition, operands).verdict == "unsat"

    def defined(self, case):
        """Returns None if no element of a case can be poison and behaviour is defined, otherwise an Outcome."""
        n, found = len(case.lanes), {}
        for condition in (*case.undefined, *(strip(lane)[1] for lane in case.lanes)):
            for c in alternatives(condition, self.seen):
                k = max(0, (c.deps & -c.deps).bit_length() - 1) if not isinstance(c, int) else 0  # its first element
                names = case.inputs.names(k)
                if not is_about(c, names):
                    names = {}
                    if self.impossible(terms.logic_of(c), ()) or self.cannot_hold_with(c, 1, case):
                        continue
                operands = tuple(names.get(o, o) for o in case.inputs.operands(k))
                found[operands] = either(found.get(operands, 0), renamed(c, names))
        for operands, condition in found.items():
            answer = self.ask(condition, operands)
            if answer.verdict != "unsat":
                return outcome_of(answer, "poison or undefined behaviour", n)
        return None

    def cannot_hold_with(self, condition, rest, case):
        """Returns whether a condition cannot hold together with `rest`. A group of elements is poison if one of them
        is, so the condition is split until it is about one element. An `or` cannot hold if no operand can; an `and`
        cannot if one of its first PARTS operands cannot."""
        if isinstance(condition, int):
            return not condition
        if condition.deps.bit_count() == 1:
            k = condition.deps.bit_length() - 1
            names = case.inputs.names(k)
            operands = [names[o] for o in case.inputs.operands(k)]
            return self.impossible(renamed(condition, names), operands) or self.impossible(
                only_about(both(condition, rest), 1 << k, names), operands
            )
        if condition.op == "or":
            return all(self.cannot_hold_with(c, rest, case) for c in alternatives(condition, set()))
        if condition.op != "and":
            return False
        leaves = sorted(terms.chain(condition), key=lambda leaf: (leaf.op != "or", leaf.deps.bit_count()))
        return any(
            self.cannot_hold_with(leaf, both(*leaves[:k], *leaves[k + 1 :], rest), case)
            for k, leaf in enumerate(leaves[:PARTS])
        )

    def ask(self, condition, operands):
        """Returns solve.ask() of a condition, which is asked only once."""
        if condition not in self.verdicts:
            self.verdicts[condition] = ask(condition, operands)
        return self.verdicts[condition]


def outcome_of(answer, what, n):
    """The Outcome if a forbidden condition may hold."""
    if answer.verdict == "sat":
        return Outcome("refuted", what, answer.model, n)
    return Outcome("open", f"{what}: {answer.verdict}", None, n)


def is_about(condition, names):
    """Returns whether `names` has all element variables of a condition."""
    if isinstance(condition, int):
        return True
    own = 0
    for variable_of_element in names:
        own |= variable_of_element.deps
    return not condition.deps & ~own and all(
        t in names or not t.deps for t in terms.post_order(condition) if t.op == "var"
    )


def prove_equal(definition, cases, period):
    """Compares all elements of each Case in `cases` with the definition's. Returns an Outcome."""
    proof = Proof()
    outcome = proof.defined(definition)
    for case in cases:
        outcome = outcome or proof.elements(definition, case, period) or proof.defined(case)
    return outcome or Outcome("proved", f"{len(proof.verdicts)} conditions")


@dataclass(frozen=True)
class Call:
    """n: elements, but granules in convert.py. misalignment: arrays start this many bytes after a multiple of 64.
    flush: the CPU flushes subnormal operands. in_place: the name of the operand that the result replaces, or "".
    constant: the value of all bits of the operands, or None if they are variables."""

    n: int
    misalignment: int = 0
    flush: bool = False
    in_place: str = ""
    constant: int | None = None

    def operand(self, name, bits, deps=0):
        return variable(name, bits, deps) if self.constant is None else self.constant * terms.mask(bits)


CONSTANTS = (0, 1)  # for the operands of runs that show which code a longer call reaches


def cases_of(run, calls, further):
    """Yields the Case of each call, and of Call(n) for each n in `further` for which a run on CONSTANTS, which is fast,
    executes blocks that are not covered yet. If a call in place would read what it has overwritten, it is another case.
    So is a call that flushes subnormal operands, if Case.depends_on_flush."""
    covered = set()
    for call in (*calls, *map(Call, further)):
        if call not in calls:
            runs = [execute(partial(run, replace(call, constant=c))) for c in CONSTANTS]
            if all(case.covered <= covered for case in runs):
                continue
        case = execute(partial(run, call))
        covered |= case.covered
        yield case
        for name in ("", *sorted(case.read_late)):
            for flush in (False, True) if case.depends_on_flush else (False,):
                if name or flush:
                    yield execute(partial(run, replace(call, in_place=name, flush=flush)))
