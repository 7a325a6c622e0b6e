# SPDX-License-Identifier: MIT
"""Terms: bit-vector expressions over variables, each stored once, and simplified when they are made.

A lane is a Python int if its value is known, and otherwise a Term. Conditions are lanes of one bit. `deps`: the set
of elements of operands that a term depends on, as bits. `values`: the same, but without conditions of `ite` terms.
`zeros`: the bits of the term that are always 0."""

import hashlib


class Refused(Exception):
    """Something that the prover has no model of."""


class Term:
    __slots__ = ("args", "bits", "deps", "detail", "op", "values", "zeros")

    def __init__(self, op, bits, args, detail, deps, values, zeros):
        self.op, self.bits, self.args, self.detail, self.zeros = op, bits, args, detail, zeros
        self.deps, self.values = deps, values

    def __repr__(self):
        if self.op == "var":
            return self.detail
        return f"({self.op}{'' if self.detail is None else ':' + str(self.detail)} {' '.join(map(str, self.args))})"


fresh_count = 0  # variables that fresh() made
known = {}  # terms by operation, width, operands and detail
order = {}  # terms by age, which is the order of the operands of commutative operations


def forget_terms():
    global fresh_count
    known.clear()
    order.clear()
    fresh_count = 0


def mask(bits):
    return (1 << bits) - 1


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def zeros_of(value, bits):
    """The bits of a lane that are always 0."""
    return ~value & mask(bits) if isinstance(value, int) else value.zeros


def make(op, bits, args, detail=None, zeros=0):
    key = (op, bits, args, detail)
    term = known.get(key)
    if term is None:
        deps = values = 0
        for k, a in enumerate(args):
            if not isinstance(a, int):
                deps |= a.deps
                values |= a.values if k or op != "ite" else 0
        term = known[key] = Term(op, bits, args, detail, deps, values, zeros)
        order[term] = len(order)
    return term


def variable(name, bits, deps=0):
    key = ("var", bits, (), name)
    term = known.get(key)
    if term is None:
        term = known[key] = Term("var", bits, (), name, deps, deps, 0)
        order[term] = len(order)
    return term


def fresh(bits):
    """A new variable, for a value that is arbitrary."""
    global fresh_count
    fresh_count += 1
    return variable(f"any{fresh_count}", bits)


def ordered(a, b):
    """Operands of a commutative operation: a known value last, others by age."""
    if isinstance(a, int) or (not isinstance(b, int) and order[a] > order[b]):
        return b, a
    return a, b


# ---- logic ----


def bit_and(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return a & b
    a, b = ordered(a, b)
    if a is b:
        return a
    zeros = zeros_of(a, n) | zeros_of(b, n)
    if zeros == mask(n):
        return 0
    if isinstance(b, int):
        if ~b & mask(n) & ~a.zeros == 0:
            return a
        if a.op == "and" and isinstance(a.args[1], int):
            return bit_and(a.args[0], a.args[1] & b, n)
        if a.op in ("zext", "concat") and b & b + 1 == 0:
            return zext(extract(a, 0, b.bit_length()), b.bit_length(), n)
    elif n == 1 and (is_not(a, b) or is_not(b, a)):
        return 0
    return make("and", n, (a, b), None, zeros)


def is_not(a, b):
    return a.op == "xor" and a.args[1] == 1 and a.args[0] is b


def bit_or(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return a | b
    a, b = ordered(a, b)
    if a is b:
        return a
    if isinstance(b, int):
        if b == 0:
            return a
        if b == mask(n):
            return b
    elif n == 1 and (is_not(a, b) or is_not(b, a)):
        return 1
    return make("or", n, (a, b), None, zeros_of(a, n) & zeros_of(b, n))


def bit_xor(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return a ^ b
    a, b = ordered(a, b)
    if a is b:
        return 0
    if isinstance(b, int):
        if b == 0:
            return a
        if a.op == "xor" and isinstance(a.args[1], int):
            return bit_xor(a.args[0], a.args[1] ^ b, n)
        if n > 1 and a.op == "sext" and b == mask(n):
            return sext(bit_xor(a.args[0], mask(a.args[0].bits), a.args[0].bits), a.args[0].bits, n)
    return make("xor", n, (a, b), None, zeros_of(a, n) & zeros_of(b, n))


def negate(c):
    """The opposite of a condition."""
    return bit_xor(c, 1, 1)


def both(*conditions):
    result = 1
    for c in conditions:
        result = bit_and(result, c, 1)
    return result


def either(*conditions):
    result = 0
    for c in conditions:
        result = bit_or(result, c, 1)
    return result


# ---- arithmetic ----


def add(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return a + b & mask(n)
    a, b = ordered(a, b)
    if isinstance(b, int):
        if b == 0:
            return a
        if a.op == "add" and isinstance(a.args[1], int):
            return add(a.args[0], a.args[1] + b & mask(n), n)
    return make("add", n, (a, b))


def sub(a, b, n):
    if isinstance(b, int):
        return add(a, -b & mask(n), n)
    if a is b:
        return 0
    return make("sub", n, (a, b))


def mul(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return a * b & mask(n)
    a, b = ordered(a, b)
    if isinstance(b, int):
        if b in (0, 1):
            return a if b else 0
        if b & b - 1 == 0:
            return shl(a, b.bit_length() - 1, n)
    return make("mul", n, (a, b))


def divide(op):
    def run(a, b, n):
        if isinstance(b, int):
            if b == 0:
                raise Refused("a division by zero")
            if isinstance(a, int):
                return a // b if op == "udiv" else a % b
        return make(op, n, (a, b))

    return run


def shl(a, b, n):
    """A shift by n or more gives 0. LLVM calls that poison, which values.py adds."""
    if isinstance(b, int):
        if b == 0 or b >= n:
            return a if b == 0 else 0
        if isinstance(a, int):
            return a << b & mask(n)
        zeros = (a.zeros << b | mask(b)) & mask(n)
        return 0 if zeros == mask(n) else make("shl", n, (a, b), None, zeros)
    return make("shl", n, (a, b))


def lshr(a, b, n):
    if isinstance(b, int):
        if b == 0 or b >= n:
            return a if b == 0 else 0
        if isinstance(a, int):
            return a >> b
        zeros = a.zeros >> b | mask(n) ^ mask(n - b)
        if zeros == mask(n):
            return 0
        if a.op == "zext" and b < a.args[0].bits:
            return zext(lshr(a.args[0], b, a.args[0].bits), a.args[0].bits, n)
        if a.op == "lshr" and isinstance(a.args[1], int):
            return lshr(a.args[0], a.args[1] + b, n)
        if a.op == "shl" and a.args[1] == b:
            return bit_and(a.args[0], mask(n - b), n)
        if a.op == "sext" and a.args[0].bits == 1 and b == n - 1:
            return zext(a.args[0], 1, n)
        return make("lshr", n, (a, b), None, zeros)
    return make("lshr", n, (a, b))


def ashr(a, b, n):
    if isinstance(b, int):
        b = min(b, n - 1)
        if b == 0:
            return a
        if isinstance(a, int):
            return signed(a, n) >> b & mask(n)
        if a.zeros >> n - 1:
            return lshr(a, b, n)
        if a.op == "sext" and a.args[0].bits == 1:
            return a
    return make("ashr", n, (a, b))


# ---- comparisons ----


def eq(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return int(a == b)
    a, b = ordered(a, b)
    if a is b:
        return 1
    if isinstance(b, int):
        if b & a.zeros:
            return 0
        if n == 1:
            return a if b else negate(a)
        if a.op == "zext":
            return eq(a.args[0], b, a.args[0].bits) if b >> a.args[0].bits == 0 else 0
        if a.op == "sext" and a.args[0].bits == 1:
            return a.args[0] if b == mask(n) else negate(a.args[0]) if b == 0 else 0
        if a.op == "concat" and b in (0, mask(n)):
            high, low = a.args
            h, k = a.detail, n - a.detail
            return both(eq(high, b >> k, h), eq(low, b & mask(k), k))
        if a.op == "xor" and isinstance(a.args[1], int):
            return eq(a.args[0], a.args[1] ^ b, n)
        if a.op == "ite" and isinstance(a.args[1], int) and isinstance(a.args[2], int):
            return choose(a.args[0], int(a.args[1] == b), int(a.args[2] == b), 1)
        if b == 0 and a.op == "or":
            return both(eq(a.args[0], 0, n), eq(a.args[1], 0, n))
        if b == 0 and a.op == "and" and isinstance(a.args[1], int) and a.args[0].op in ("or", "concat"):
            return has_no_bits(a.args[0], a.args[1], n)
        if b.bit_count() == 1 and a.zeros ^ b == mask(n):
            return extract(a, b.bit_length() - 1, 1)
        if b == 0 and (a.zeros ^ mask(n)).bit_count() == 1:
            return negate(extract(a, (a.zeros ^ mask(n)).bit_length() - 1, 1))
    elif n == 1:
        return negate(bit_xor(a, b, 1))
    return make("eq", 1, (a, b), n)


def has_no_bits(a, bits, n):
    """Returns whether `bits` are 0 in an `or` or `concat`: they must be 0 in both operands."""
    if a.op == "or":
        return both(*(eq(bit_and(x, bits, n), 0, n) for x in a.args))
    high, k = a.detail, n - a.detail
    return both(eq(bit_and(a.args[0], bits >> k, high), 0, high), eq(bit_and(a.args[1], bits & mask(k), k), 0, k))


def ult(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return int(a < b)
    if a is b or (isinstance(b, int) and b == 0) or (isinstance(a, int) and a == mask(n)):
        return 0
    if isinstance(b, int):
        if zeros_of(a, n) ^ mask(n) < b:
            return 1
        if b == 1:
            return eq(a, 0, n)
    elif isinstance(a, int):
        if b.zeros ^ mask(n) <= a:
            return 0
        if a == 0:
            return negate(eq(b, 0, n))
    return make("ult", 1, (a, b), n)


def slt(a, b, n):
    if isinstance(a, int) and isinstance(b, int):
        return int(signed(a, n) < signed(b, n))
    if a is b:
        return 0
    top = 1 << n - 1
    if zeros_of(a, n) & top and zeros_of(b, n) & top:
        return ult(a, b, n)
    if isinstance(b, int) and b == 0:
        return extract(a, n - 1, 1)
    if isinstance(a, int) and a == mask(n):
        return negate(extract(b, n - 1, 1))
    return make("slt", 1, (a, b), n)


COMPARISONS = {
    "eq": eq,
    "ne": lambda a, b, n: negate(eq(a, b, n)),
    "ult": ult,
    "ule": lambda a, b, n: negate(ult(b, a, n)),
    "ugt": lambda a, b, n: ult(b, a, n),
    "uge": lambda a, b, n: negate(ult(a, b, n)),
    "slt": slt,
    "sle": lambda a, b, n: negate(slt(b, a, n)),
    "sgt": lambda a, b, n: slt(b, a, n),
    "sge": lambda a, b, n: negate(slt(a, b, n)),
}


# ---- choices and parts ----


def choose(c, x, y, n):
    """x if the condition holds, else y."""
    if isinstance(c, int):
        return x if c else y
    if x is y or (isinstance(x, int) and isinstance(y, int) and x == y):
        return x
    if c.op == "xor" and c.args[1] == 1:
        return choose(c.args[0], y, x, n)
    if n == 1:
        if isinstance(x, int):
            return bit_or(c, y, 1) if x else bit_and(negate(c), y, 1)
        if isinstance(y, int):
            return bit_or(negate(c), x, 1) if y else bit_and(c, x, 1)
    if isinstance(x, int) and isinstance(y, int):
        if x == mask(n) and y == 0:
            return sext(c, 1, n)
        if x == 0 and y == mask(n):
            return sext(negate(c), 1, n)
        if x == 1 and y == 0:
            return zext(c, 1, n)
    if not isinstance(x, int) and x.op == "ite" and x.args[0] is c:
        x = x.args[1]
    if not isinstance(y, int) and y.op == "ite" and y.args[0] is c:
        y = y.args[2]
    if x is y:
        return x
    # The same value on two sides: one choice by both conditions.
    if not isinstance(y, int) and y.op == "ite" and y.args[1] is x:
        return choose(bit_or(c, y.args[0], 1), x, y.args[2], n)
    if not isinstance(x, int) and x.op == "ite" and x.args[2] is y:
        return choose(bit_and(c, x.args[0], 1), x.args[1], y, n)
    return make("ite", n, (c, x, y), None, zeros_of(x, n) & zeros_of(y, n))


def zext(a, source, target):
    if isinstance(a, int) or source == target:
        return a
    if a.op == "zext":
        a = a.args[0]
    return make("zext", target, (a,), None, a.zeros | mask(target) ^ mask(a.bits))


def sext(a, source, target):
    if source == target:
        return a
    if isinstance(a, int):
        return signed(a, source) & mask(target)
    if a.zeros >> source - 1:
        return zext(a, source, target)
    return make("sext", target, (a.args[0] if a.op == "sext" else a,))


def extract(a, low, n):
    """n bits of a lane from bit `low` on."""
    if isinstance(a, int):
        return a >> low & mask(n)
    if n == a.bits:
        return a
    zeros = a.zeros >> low & mask(n)
    if zeros == mask(n):
        return 0
    op, args = a.op, a.args
    if op == "extract":
        return extract(args[0], a.detail + low, n)
    if op == "concat":
        k = a.bits - a.detail  # bits of the lower part
        if low + n <= k:
            return extract(args[1], low, n)
        if low >= k:
            return extract(args[0], low - k, n)
        return concat(extract(args[0], 0, low + n - k), extract(args[1], low, k - low), low + n - k, k - low)
    if op in ("zext", "sext"):
        inner = args[0].bits
        if low + n <= inner:
            return extract(args[0], low, n)
        if op == "zext":
            return zext(extract(args[0], low, inner - low), inner - low, n)
        if low >= inner - 1:
            return sext(extract(args[0], inner - 1, 1), 1, n)
        return sext(extract(args[0], low, inner - low), inner - low, n)
    if op in ("or", "xor"):
        for one, other in (args, args[::-1]):
            if zeros_of(other, a.bits) >> low & mask(n) == mask(n):
                return extract(one, low, n)
    # Only if an operand is known: otherwise expressions would be rebuilt many times.
    if op in ("and", "or", "xor") and isinstance(args[1], int):
        return REBUILD[op](extract(args[0], low, n), extract(args[1], low, n), n)
    if op == "ite" and (isinstance(args[1], int) or isinstance(args[2], int) or is_joined(a)):
        return choose(args[0], extract(args[1], low, n), extract(args[2], low, n), n)
    if op == "shl" and isinstance(args[1], int) and low >= args[1]:
        return extract(args[0], low - args[1], n)
    if op == "lshr" and isinstance(args[1], int) and low + n + args[1] <= a.bits:
        return extract(args[0], low + args[1], n)
    if op == "ashr" and isinstance(args[1], int):
        if low + n + args[1] <= a.bits:
            return extract(args[0], low + args[1], n)
        if low + args[1] >= a.bits - 1:
            return sext(extract(args[0], a.bits - 1, 1), 1, n)
    if low == 0 and op in ("add", "mul") and isinstance(args[1], int):
        return REBUILD[op](extract(args[0], 0, n), extract(args[1], 0, n), n)
    return make("extract", n, (a,), low, zeros)


def is_joined(a):
    """Returns whether a lane is known, joined from parts, or a choice between such lanes."""
    return isinstance(a, int) or a.op == "concat" or (a.op == "ite" and is_joined(a.args[1]) and is_joined(a.args[2]))


def concat(high, low, h, k):
    """h bits above k bits."""
    if isinstance(high, int) and isinstance(low, int):
        return high << k | low
    if isinstance(high, int) and high == 0:
        return zext(low, k, h + k)
    if not isinstance(high, int):
        x, at = (high.args[0], high.detail) if high.op == "extract" else (high, 0)
        if not isinstance(low, int):
            y, start = (low.args[0], low.detail) if low.op == "extract" else (low, 0)
            if x is y and at == start + k:
                return extract(x, start, h + k)
    return make("concat", h + k, (high, low), h, zeros_of(high, h) << k | zeros_of(low, k))


def join(lanes, bits):
    """The lanes as one lane, the first in the lowest bits."""
    result, width = lanes[0], bits
    for lane in lanes[1:]:
        result = concat(lane, result, bits, width)
        width += bits
    return result


# ---- hashes and variables ----


def post_order(root):
    """The terms of an expression, operands first."""
    done, stack, result = set(), [(root, False)], []
    while stack:
        term, ready = stack.pop()
        if ready:
            result.append(term)
        elif term not in done:
            done.add(term)
            stack.append((term, True))
            stack.extend((a, False) for a in reversed(term.args) if not isinstance(a, int) and a not in done)
    return result


def digest(root):
    """A hash of an expression, equal in all runs."""
    numbers, h = {}, hashlib.sha256()
    for term in post_order(root):
        if term in numbers:
            continue
        numbers[term] = len(numbers)
        args = " ".join(str(a) if isinstance(a, int) else f"t{numbers[a]}" for a in term.args)
        h.update(f"{term.op} {term.bits} {term.detail} {args}\n".encode())
    return h.hexdigest()


REBUILD = {
    "and": bit_and, "or": bit_or, "xor": bit_xor, "add": add, "sub": sub, "mul": mul, "shl": shl, "lshr": lshr,
    "ashr": ashr, "udiv": divide("udiv"), "urem": divide("urem"),
}  # fmt: skip


def rebuilt(term, args):
    """The operation of a term with other operands."""
    op, n = term.op, term.bits
    if op in REBUILD:
        return REBUILD[op](*args, n)
    if op in ("eq", "ult", "slt"):
        return COMPARISONS[op](*args, term.detail)
    if op == "ite":
        return choose(*args, n)
    if op in ("zext", "sext"):
        return (zext if op == "zext" else sext)(args[0], term.args[0].bits, n)
    if op == "extract":
        return extract(args[0], term.detail, n)
    if op == "concat":
        return concat(*args, term.detail, n - term.detail)
    return make(op, n, tuple(args), term.detail)


def renamed(root, names):
    """The expression with variables replaced by `names`, a dictionary."""
    return replaced(root, names, lambda term: None)


class Free:
    """Replaces variables without a name, and parts of at most `width` bits that depend only on elements outside
    `own`, a set of bits, by new variables. What holds for all their values holds for the parts, too. With
    `by_values`, a part does not depend on the conditions of its `ite` terms."""

    def __init__(self, own, width, by_values=False):
        self.own, self.width, self.variables, self.rests = own, width, set(), {}
        self.elements_of = (lambda term: term.values) if by_values else (lambda term: term.deps)

    def variable(self, bits):
        """A new variable."""
        made = variable(f"other{len(self.variables)}_{bits}", bits)
        self.variables.add(made)
        return made

    def is_other(self, term):
        elements = self.elements_of(term)
        return elements and not elements & self.own

    def __call__(self, term):
        if term in self.variables:
            return term
        if term.op == "var" or (self.is_other(term) and term.bits <= self.width):
            return self.variable(term.bits)
        return None

    def gathered(self, term):
        """Returns a chain of `and` or `or` with one variable for all operands about other elements, and other
        terms unchanged."""
        if term.bits > 1 or term.op not in DUAL or not term.deps & self.own or not term.deps & ~self.own:
            return term
        mine, others = [], []
        for leaf in chain(term):
            (others if self.is_other(leaf) else mine).append(leaf)
        if len(others) < 2:
            return term
        key = term.op, frozenset(others)
        if key not in self.rests:
            self.rests[key] = self.variable(1)
        return (both if term.op == "and" else either)(*mine, self.rests[key])


DUAL = {"and": "or", "or": "and"}


def chain(root):
    """The operands of a chain of `and` or `or`. By De Morgan, it includes negated chains of the other operation."""
    found, pending, seen = [], [(root, False)], set()
    while pending:
        term, negated = pending.pop()
        if (term, negated) in seen:
            continue
        seen.add((term, negated))
        if term.op == "xor" and term.args[1] == 1:
            pending.append((term.args[0], not negated))
        elif (DUAL.get(term.op) if negated else term.op) == root.op:
            pending.extend((a, negated) for a in term.args)
        else:
            found.append(negate(term) if negated else term)
    return found


def only_about(root, own, names, width=1 << 30, by_values=False):
    """Returns `root` with variables replaced by `names`, and parts about other elements replaced by Free."""
    free = Free(own, width, by_values)
    return replaced(root, names, free, free.gathered)


def logic_of(condition):
    """The condition with variables for all parts except its `and`, `or` and `xor`."""
    made = {}

    def replace(term):
        if term.bits == 1 and term.op in ("and", "or", "xor"):
            return None
        return made.setdefault(term, variable(f"part{len(made)}", term.bits))

    return replaced(condition, {}, replace)


def replaced(root, names, replace, rewrite=lambda term: term):
    """Returns an expression with variables replaced by `names`, and parts, the largest first, by replace(part)
    where that is not None. rewrite(part) is searched in place of each other part."""
    if isinstance(root, int):
        return root
    memo, stack = dict(names), [(root, None)]
    while stack:
        term, form = stack.pop()
        if term in memo:
            continue
        if form is term:
            memo[term] = rebuilt(term, [a if isinstance(a, int) else memo[a] for a in term.args])
            continue
        if form is not None:
            memo[term] = form if isinstance(form, int) else memo[form]
            continue
        found = replace(term)
        if found is not None or term.op == "var":
            memo[term] = term if found is None else found
            continue
        form = rewrite(term)
        stack.append((term, form))
        if form is term:
            stack.extend((a, None) for a in reversed(term.args) if not isinstance(a, int) and a not in memo)
        elif not isinstance(form, int):
            stack.append((form, None))
    return memo[root]
