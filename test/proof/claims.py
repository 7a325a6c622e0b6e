# SPDX-License-Identifier: MIT
"""What conversions and other kernels have in common: arrays in memory, and the proof that two calls give the same."""

from dataclasses import dataclass

import terms
from memory import get, part, put
from solve import ask
from terms import either, fresh, negate, only_about, variable
from values import strip

FP_ANY, FP_IEEE, FP_FLUSH, FP_UNFLUSHED = range(4)
ENOUGH = 2  # after this number of elements that depend on others, one question covers the rest of the array


@dataclass
class Outcome:
    """verdict: 'proved', 'refuted' or 'open'. inputs: the values of variables that refute it; n: the elements."""

    verdict: str
    detail: str = ""
    inputs: dict = None
    n: int = 0


def cells_of(values, bits):
    """The memory of an array of elements; unused bits of the last byte are 0."""
    if bits < 8:
        per = 8 // bits
        values = [*values, *[0] * (-len(values) % per)]
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
    """A call of a kernel. inputs.names(k): the variables of element k, with names that do not depend on k.
    inputs.main(k): the one by whose bits questions are split. lanes: the results, of `bits` bits. undefined: conditions
    that must not hold."""

    inputs: object
    lanes: list
    bits: int
    undefined: list


def differs(definition, case, k, period):
    """The condition that the value of element k of a case differs from the definition's element of the same place in a
    period, over the operands of all elements."""
    first = k - k % period
    names = {}
    for j in range(period):
        if first + j < len(case.lanes):
            names.update(zip(definition.inputs.names(j), case.inputs.names(first + j), strict=True))
        else:
            names.update((v, fresh(v.bits)) for v in definition.inputs.names(j) if v not in names)
    want = only_about(strip(definition.lanes[k % period])[0], -1, names, True)
    return negate(terms.eq(want, strip(case.lanes[k])[0], case.bits))


def alternatives(condition, seen):
    """The conditions of which one must hold for a condition to hold, except those in `seen`. Adds them to `seen`."""
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
    """Names for the variables of some elements that depend only on their distance from the first of these."""
    return {
        v: variable(f"{name.detail}{j - first}", v.bits)
        for j in range(first, last)
        for v, name in inputs.names(j).items()
    }


class Proof:
    """The proof that cases give the same as a definition."""

    def __init__(self):
        self.verdicts, self.seen = {}, set()

    def elements(self, definition, case, period):
        """Returns None if all elements of a case are those of the definition, otherwise an Outcome."""
        n, dependent, together = len(case.lanes), 0, 0
        for k in range(n):
            exact = differs(definition, case, k, period)
            if dependent == ENOUGH:
                together = either(together, exact)
            elif not self.cannot_hold(exact, case, k, period):
                dependent += 1
                answer = self.ask(exact, case.inputs.main(k))
                if answer.verdict != "unsat":
                    return outcome_of(answer, f"element {k}", n)
        answer = self.ask(together, case.inputs.main(0))
        return None if answer.verdict == "unsat" else outcome_of(answer, "one of several elements", n)

    def cannot_hold(self, exact, case, k, period):
        """Returns whether element k cannot differ, whatever elements elsewhere are. Usually its own operands are
        enough. Elements that share a byte or a random word may need each other's."""
        main, first = case.inputs.main(k), k - k % period
        last = min(first + period, len(case.lanes))
        for own, names in (
            (1 << k, case.inputs.names(k)),
            ((1 << last) - (1 << first), group_names(case.inputs, first, last)),
        ):
            if self.ask(only_about(exact, own, names), names[main]).verdict == "unsat":
                return True
        return False

    def defined(self, case):
        """Returns None if no element of a case can be poison and behaviour is defined, otherwise an Outcome."""
        n, found = len(case.lanes), {}
        for condition in (*case.undefined, *(strip(lane)[1] for lane in case.lanes)):
            for c in alternatives(condition, self.seen):
                k = next((k for k in range(n) if is_about(c, case.inputs.names(k))), None)
                names = case.inputs.names(k) if k is not None else {}
                operand = names.get(case.inputs.main(k or 0))
                found[operand] = either(found.get(operand, 0), only_about(c, -1, names, True))
        for operand, condition in found.items():
            answer = self.ask(condition, operand or case.inputs.main(0))
            if answer.verdict != "unsat":
                return outcome_of(answer, "poison or undefined behaviour", n)
        return None

    def ask(self, condition, operand):
        """Asks whether a condition can hold, once. It may be split by the bits of `operand`."""
        if condition not in self.verdicts:
            self.verdicts[condition] = ask(condition, operand)
        return self.verdicts[condition]


def outcome_of(answer, what, n):
    """The outcome if a condition that must not hold may hold."""
    if answer.verdict == "sat":
        return Outcome("refuted", what, answer.model, n)
    return Outcome("open", f"{what}: {answer.verdict}", None, n)


def is_about(condition, names):
    """Returns whether a condition has no variables of elements except these."""
    return isinstance(condition, int) or all(
        t in names or not t.deps for t in terms.post_order(condition) if t.op == "var"
    )


def prove_equal(definition, cases, period):
    """Proves that all elements of all cases are those of the definition. `cases` are functions that make a Case."""
    proof = Proof()
    outcome = proof.defined(definition)
    for make_case in cases:
        case = make_case()
        outcome = outcome or proof.elements(definition, case, period) or proof.defined(case)
    return outcome or Outcome("proved", f"{len(proof.verdicts)} conditions")
