# SPDX-License-Identifier: MIT
"""Executes functions of LLVM IR on symbolic inputs.

Control flow that depends on inputs is followed on both sides up to the block where the sides meet; there, values and
memory become choices by the condition. So a function has one result for all inputs."""

import intrinsics
import terms
import x86_512
from ir import UNKNOWN, Global
from memory import Object, UnknownOffset, joined_lanes, part, put
from terms import Refused, either, negate
from values import (
    Maybe,
    Pointer,
    binary,
    cast,
    choose,
    compare,
    compare_floats,
    float_operation,
    flushed,
    merge,
    strip,
    with_poison,
)

import x86

MODELS = (intrinsics.INTRINSICS, x86.INTRINSICS, x86_512.INTRINSICS)
LOOP = 8  # a branch that is nested more often inside itself is a loop: the solver then decides whether it continues


class Graph:
    """The immediate postdominators of a function's blocks."""

    def __init__(self, function):
        n = len(function.blocks)
        successors = [b.successors or [n] for b in function.blocks]
        after = [(1 << n + 1) - 1] * n + [1 << n]
        changed = True
        while changed:
            changed = False
            for k in reversed(range(n)):
                new = after[successors[k][0]]
                for s in successors[k][1:]:
                    new &= after[s]
                new |= 1 << k
                if new != after[k]:
                    after[k], changed = new, True
        by_set = {after[k]: k for k in range(n + 1)}
        self.meet = [by_set.get(after[k] & ~(1 << k), n) for k in range(n)]


class Frame:
    """A call: the function, the postdominators of its blocks, and how deep each block's branch is nested."""

    def __init__(self, function, graph):
        self.function, self.graph = function, graph
        self.end = len(function.blocks)
        self.depth = {}
        ends = (b.instructions[-1] for b in function.blocks)
        self.result = next((e.types[0] for e in ends if e.opcode == "ret" and e.types), None)


class Apart(Exception):
    """The offset of an access was merged where the sides of `branches` meet. If the sides are executed separately
    after that point, the offset is known on each."""

    def __init__(self, branches):
        super().__init__()
        self.branches = branches


def execute(run):
    """Returns run(apart). `apart`: the branches that raised Apart, whose sides must not be merged."""
    apart = frozenset()
    while True:
        try:
            return run(apart)
        except Apart as e:
            if e.branches <= apart:
                raise Refused("an offset that depends on inputs") from e
            apart |= e.branches


class Executor:
    """`flush`: the CPU's state flushes subnormal operands. `is_nearest`: it rounds to nearest; otherwise in any way.
    `is_possible` decides whether a loop may continue. `apart`: branches, as (file, function, block), whose sides are
    merged only at the end of the function, or where the sides of an enclosing branch meet."""

    def __init__(self, module, flush=False, is_possible=None, apart=frozenset(), is_nearest=True, limit=400000):
        self.module, self.is_possible, self.limit = module, is_possible, limit
        self.flushes, self.is_nearest = flush, is_nearest
        self.depends_on_flush = False  # True after an instruction that depends on flushing
        self.apart, self.merges = apart, {}
        self.graphs, self.objects = {}, {}
        self.steps = 0
        self.covered = set()  # executed blocks: (file, function, block)

    @property
    def flush(self):
        self.depends_on_flush = True
        return self.flushes

    def nearest(self):
        """Refuses an instruction that rounds by the CPU's state, unless that is to nearest."""
        if not self.is_nearest:
            raise Refused("an instruction that rounds in any state of the CPU")

    def rounded(self, state, opcode, operands, bits, source=None):
        """Returns the result of an instruction that rounds as the CPU's state specifies. If the state may flush
        results, none must be subnormal before or after rounding. If the rounding direction may be any, the result must
        be exact; only the sign of a zero, such as x - x, may depend on the direction."""
        result = float_operation(opcode, operands, bits, source)
        values = tuple(strip(a)[0] for a in operands)
        up, down = (terms.make(f"{opcode}.{way}", bits, values, source) for way in ("rp", "rm"))
        same = terms.eq(up, down, bits)
        is_zero = terms.eq(terms.bit_and(terms.bit_or(up, down, bits), terms.mask(bits - 1), bits), 0, bits)
        inexact = negate(either(same, is_zero))
        if bits > 16 and opcode not in ("uitofp", "sitofp") and (not self.is_nearest or self.flush):
            size = terms.bit_and(strip(result)[0], terms.mask(bits - 1), bits)
            least = 1 << SIGNIFICAND[bits] - 1  # the least normal value
            state.must_not(terms.both(negate(terms.eq(size, 0, bits)), terms.ult(size, least, bits)))
            state.must_not(terms.both(inexact, either(terms.eq(size, least, bits), terms.eq(size, 0, bits))))
        if self.is_nearest:
            return result
        state.must_not(inexact)
        value, poison = strip(result)
        any_zero = terms.concat(terms.fresh(1), 0, 1, bits - 1)
        return with_poison(terms.choose(same, value, any_zero, bits), poison)

    # ---- constants ----

    def address(self, state, constant):
        """The address of a global variable or function."""
        home = self.module.home(constant)
        key = (home.path if home else "", constant.name)
        if key not in self.objects:
            if home is None or constant.name in home.functions:
                self.objects[key] = Object(constant.name, 0, True, constant), None
            else:
                kind, value = self.module.variable(constant)
                obj = Object(constant.name, kind.size(), self.module.is_constant(constant))
                self.objects[key] = obj, (kind, value)
        obj, value = self.objects[key]
        if value is not None and obj not in state.memory:
            state.memory[obj] = cells = [(0, 0, 1)] * obj.size
            self.initialize(state, cells, 0, *value)
        return Pointer(obj, constant.offset)

    def initialize(self, state, cells, at, kind, value):
        if kind.kind in ("array", "vector"):
            size = kind.element.size()
            for k, v in enumerate(value):
                self.initialize(state, cells, at + k * size, kind.element, v)
        elif kind.kind == "struct":
            for k, (e, v) in enumerate(zip(kind.elements, value, strict=True)):
                self.initialize(state, cells, at + kind.offset(k), e, v)
        else:
            put(cells, at, self.constant(state, value), kind.size())

    def constant(self, state, value):
        if isinstance(value, list):
            return [self.constant(state, v) for v in value]
        if value == UNKNOWN:
            return Maybe(0, 1)
        return self.address(state, value) if isinstance(value, Global) else value

    # ---- control flow ----

    def call(self, state, function_name, arguments):
        """Executes a function, a Global. Returns its result and the state after it."""
        function = self.module.function(function_name)
        key = function.file, function.name
        if key not in self.graphs:
            self.graphs[key] = Graph(function)
        env = [None] * (len(function.values) + 1)  # the last is the result
        env[: len(arguments)] = arguments
        for number, value in function.constants.items():
            env[number] = value if type(value) is int else self.constant(state, value)
        frame = Frame(function, self.graphs[key])
        env, state = self.run(frame, 0, None, frame.end, env, state)
        return env[-1], state

    def run(self, frame, at, before, stop, env, state):
        """Executes from block `at`, entered from `before`, until `stop` is entered and its phis are set. If `before`
        is None, the phis of `at` are set already."""
        blocks = frame.function.blocks
        while True:
            if before is not None and at != frame.end:
                enter(blocks[at], before, env)
            if at == stop:
                return env, state
            block = blocks[at]
            self.covered.add((frame.function.file, frame.function.name, at))
            self.steps += len(block.instructions)
            if self.steps > self.limit:
                raise Refused("too many steps")
            for i in block.instructions[:-1]:
                operands = [env[o] for o in i.operands]
                if i.opcode == "call":
                    env[i.number], state = self.execute_call(i, operands, state)
                else:
                    handler = HANDLERS.get(i.opcode)
                    if handler is None:
                        raise Refused(i.text.strip()[:160])
                    try:
                        env[i.number] = handler(self, i, operands, state)
                    except UnknownOffset as e:
                        self.set_apart(e)
            last = block.instructions[-1]
            if last.opcode == "ret":
                env[-1] = env[last.operands[0]] if last.operands else None
                before, at = at, frame.end
                continue
            sides = self.sides(block, last, env, state)
            if len(sides) == 1:
                before, at = at, sides[0][1]
            else:
                is_apart = (frame.function.file, frame.function.name, at) in self.apart
                meet = stop if is_apart else frame.graph.meet[at]
                env, state = self.branch(frame, at, meet, sides, env, state, is_apart)
                before, at = None, meet

    def sides(self, block, last, env, state):
        """Returns pairs (condition, target) of a block's possible branches."""
        if last.opcode == "unreachable":
            state.must_not(1)
            raise Refused("unreachable code")
        if last.opcode not in ("br", "switch"):
            raise Refused(last.text)
        if not last.operands:
            return [(1, block.successors[0])]
        value, poison = strip(env[last.operands[0]])
        state.must_not(poison)
        if last.opcode == "br":
            sides = [(value, block.successors[0]), (negate(value), block.successors[1])]
        else:
            cases = [(terms.eq(value, k, last.types[0].bits), t)
                     for k, t in zip(last.detail, block.successors[1:], strict=True)]  # fmt: skip
            sides = [*cases, (negate(either(*(c for c, _ in cases))), block.successors[0])]
        return [(c, t) for c, t in sides if not isinstance(c, int) or c]

    def branch(self, frame, at, meet, sides, env, state, is_apart):
        """Executes all sides up to the block where they meet, and merges them."""
        frame.depth[at] = frame.depth.get(at, 0) + 1
        merged = None
        for c, target in sides:
            inside = state.fork(c)
            if frame.depth[at] > LOOP and not is_apart and not self.is_possible(inside.condition):
                continue
            one = self.run(frame, target, at, meet, list(env), inside)
            merged = one if merged is None else self.merged(frame, at, c, one, merged)
        frame.depth[at] -= 1
        if merged is None:
            raise Refused("no side of a branch is possible")
        merged[1].condition = state.condition
        return merged

    def set_apart(self, error):
        """Raises Apart with the branches that an unknown offset depends on, or `error`."""
        choices = terms.post_order(error.offset)
        branches = frozenset().union(*(self.merges.get(t, ()) for t in choices))
        if not branches:
            raise error
        raise Apart(branches) from error

    def merged(self, frame, at, c, one, other):
        """Merges the states after the branch of block `at`: `one` if c holds, otherwise `other`."""
        types = frame.function.values
        env = list(other[0])
        for k, (x, y) in enumerate(zip(one[0], other[0], strict=True)):
            if x is not y:
                # A value that is not defined on both sides is not used after they meet.
                known = x is not None and y is not None
                kind = types[k] if k < len(types) else frame.result
                env[k] = merge(c, x, y, kind) if known else None
                if known and kind.kind in ("int", "ptr") and kind.bits == 64:
                    self.note_merge(frame, at, env[k])
        state = other[1].fork(1)
        state.merge_memory(c, one[1], other[1])
        return env, state

    def note_merge(self, frame, at, value):
        """Remembers that a value, a number or an address, was merged after a branch."""
        value, _ = strip(value)
        value = strip(value.offset)[0] if isinstance(value, Pointer) else value
        if isinstance(value, terms.Term):
            self.merges.setdefault(value, set()).add((frame.function.file, frame.function.name, at))

    # ---- instructions ----

    def execute_call(self, i, operands, state):
        callee, arguments = operands[-1], operands[:-1]
        if not isinstance(callee, Pointer) or callee.object.function is None or callee.offset != 0:
            raise Refused("a call of an unknown function")
        name, (defined, limits) = callee.object.name, i.detail
        for k in defined:
            for lane in arguments[k] if isinstance(arguments[k], list) else [arguments[k]]:
                state.must_not(strip(lane)[1])
        if i.flags - {"fastcc"}:
            raise Refused(i.text)
        if self.module.is_function(callee.object.function):
            result, state = self.call(state, callee.object.function, arguments)
        else:
            model = next((models[n] for n in name_prefixes(name) for models in MODELS if n in models), None)
            if model is None:
                raise Refused(f"no model of {name}")
            result = model(self, i, arguments, state)
        return (within(result, limits, i.type.lane.bits) if limits else result), state


def name_prefixes(name):
    """Yields an intrinsic's name, and its prefixes: llvm.umin.v4i32, llvm.umin, llvm."""
    yield name
    while "." in name:
        name = name.rsplit(".", 1)[0]
        yield name


def enter(block, before, env):
    """Sets the phis of a block, all at once."""
    values = [env[i.operands[i.detail.index(before)]] for i in block.phis]
    for i, v in zip(block.phis, values, strict=True):
        env[i.number] = v


def lanes(function, *operands):
    """Applies a function to lanes: each lane of vectors, or a single one."""
    if isinstance(operands[0], list):
        return [function(*each) for each in zip(*operands, strict=True)]
    return function(*operands)


def within(result, limits, bits):
    """A result, poison if it is outside [low, high), which may wrap around."""
    low, high = limits

    def one(lane):
        v, p = strip(lane)
        below, above = terms.ult(v, low, bits), negate(terms.ult(v, high, bits))
        outside = either(below, above) if low < high else terms.both(below, above)
        return with_poison(v, either(p, outside))

    return lanes(one, result)


def _binary(self, i, o, state):
    op, bits, flags = i.opcode, i.type.bits, i.flags
    if i.type.is_vector:
        return [binary(op, a, b, bits, flags) for a, b in zip(*o, strict=True)]
    if bits == 64:
        state.note_distance(*o)
    return binary(op, o[0], o[1], bits, flags)


def _icmp(self, i, o, state):
    bits = i.types[0].lane.bits
    if bits == 64 and not i.types[0].is_vector:
        state.note_distance(*o)
    return lanes(lambda a, b: compare(i.detail, a, b, bits, i.flags), *o)


def _select(self, i, o, state):
    bits, kind = i.type.lane.bits, i.type
    if isinstance(o[1], list) and not isinstance(o[0], list):
        return merge_poison(o[0], o[1], o[2], kind)
    return lanes(lambda c, x, y: choose(c, x, y, bits), *o)


def merge_poison(c, x, y, kind):
    """select of whole vectors by one condition."""
    return [choose(c, a, b, kind.bits) for a, b in zip(x, y, strict=True)]


def _cast(self, i, o, state):
    source, target = i.types[0].lane.bits, i.type.lane.bits
    return lanes(lambda a: cast(i.opcode, a, source, target, i.flags), o[0])


def _load(self, i, o, state):
    result = state.load(o[0], i.type, i.align)
    if i.detail:
        result = within(result, i.detail, i.type.bits)
    if "noundef" in i.flags:
        lanes(lambda a: state.must_not(strip(a)[1]), result)
    return result


def _store(self, i, o, state):
    state.store(o[1], i.types[0], o[0], i.align)


def _element_address(self, i, o, state):
    """inbounds needs no check: each access is checked to lie inside its object."""
    base, kind = o[0], i.detail
    for k, (index, t) in enumerate(zip(o[1:], i.types[1:], strict=True)):
        index = cast("sext", index, t.bits, 64) if t.bits < 64 else index
        if k and kind.kind == "struct":
            if not isinstance(index, int):
                raise Refused(i.text)
            base = binary("add", base, kind.offset(index), 64)
            kind = kind.elements[index]
            continue
        if k:
            kind = kind.element
        if type(index) is int and index == 0:
            continue
        base = binary("add", base, binary("mul", index, kind.size(), 64), 64)
    return base


def _bitcast(self, i, o, state):
    value, source, target = o[0], i.types[0], i.type
    bits, other = source.lane.bits, target.lane.bits
    if source.is_vector == target.is_vector and bits == other:
        return value
    values = value if source.is_vector else [value]
    if other > bits:
        per = other // bits
        if other % bits:
            raise Refused(i.text)
        wide = [joined_lanes(values[k : k + per], bits) for k in range(0, len(values), per)]
        return wide if target.is_vector else wide[0]
    if bits % other:
        raise Refused(i.text)
    narrow = [part(v, k * other, other) for v in values for k in range(bits // other)]
    return narrow if target.is_vector else narrow[0]


def _shuffle(self, i, o, state):
    whole = o[0] + o[1]
    return [Maybe(0, 1) if k == UNKNOWN else whole[k] for k in i.detail]


def _lane_number(operand, count):
    if type(operand) is not int or operand >= count:
        raise Refused("a lane whose number depends on inputs")
    return operand


def _insert(self, i, o, state):
    result = list(o[0])
    result[_lane_number(o[2], len(result))] = o[1]
    return result


def _extract(self, i, o, state):
    return o[0][_lane_number(o[1], len(o[0]))]


def _extract_value(self, i, o, state):
    value = o[0]
    for k in i.detail:
        value = value[k]
    return value


def _insert_value(self, i, o, state):
    if len(i.detail) != 1:
        raise Refused(i.text)
    result = list(o[0])
    result[i.detail[0]] = o[1]
    return result


def _flush_lane(self, a, bits):
    v, p = strip(a)
    return with_poison(flushed(v, bits), p) if bits > 16 and self.flush else a


def _float_binary(self, i, o, state):
    bits = i.type.lane.bits
    if i.flags:
        raise Refused(i.text)

    def one(*each):
        return self.rounded(state, i.opcode, [_flush_lane(self, a, bits) for a in each], bits)

    return lanes(one, *o)


def _fcmp(self, i, o, state):
    bits = i.types[0].lane.bits

    def one(a, b):
        (x, p), (y, q) = strip(_flush_lane(self, a, bits)), strip(_flush_lane(self, b, bits))
        return with_poison(compare_floats(i.detail, x, y, bits), either(p, q))

    return lanes(one, *o)


SIGNIFICAND = {16: 11, 32: 24, 64: 53}  # bits of floats, with the implicit one


def is_exact(opcode, lane, bits, significand):
    """Returns whether an integer is known to be exact as a float with this number of significand bits."""
    if opcode == "sitofp" and isinstance(lane, terms.Term) and lane.op == "sext":
        lane, bits = lane.args[0], lane.args[0].bits
    if opcode == "sitofp" and not terms.zeros_of(lane, bits) >> bits - 1:
        return bits <= significand
    possible = terms.zeros_of(lane, bits) ^ terms.mask(bits)
    return possible.bit_length() <= significand


def _float_cast(self, i, o, state):
    source, target = i.types[0].lane.bits, i.type.lane.bits
    from_float = i.opcode in ("fpext", "fptrunc")
    if not from_float and i.opcode not in ("uitofp", "sitofp"):
        raise Refused(i.text)
    if "bfloat" in i.text:
        raise Refused(i.text)

    def one(a):
        if "nneg" in i.flags:
            v, p = strip(a)
            a = with_poison(v, either(p, terms.extract(v, source - 1, 1)))
        if from_float:
            a = _flush_lane(self, a, source)
        if i.opcode == "fptrunc" or not (from_float or is_exact(i.opcode, strip(a)[0], source, SIGNIFICAND[target])):
            return self.rounded(state, i.opcode, [a], target, source)
        return float_operation(i.opcode, [a], target, source)

    return lanes(one, o[0])


def _negate_float(self, i, o, state):
    bits = i.type.lane.bits
    return lanes(lambda a: binary("xor", a, 1 << bits - 1, bits), o[0])


def _alloca(self, i, o, state):
    return Pointer(state.new_object("a local variable", [None] * i.detail.size()), 0)


def _freeze(self, i, o, state):
    bits = i.type.lane.bits

    def one(a):
        v, p = strip(a)
        return v if type(p) is int and not p else terms.choose(p, terms.fresh(bits), v, bits)

    return lanes(one, o[0])


HANDLERS = {
    **dict.fromkeys(("add", "sub", "mul", "udiv", "urem", "shl", "lshr", "ashr", "and", "or", "xor"), _binary),
    **dict.fromkeys(("zext", "sext", "trunc"), _cast),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv"), _float_binary),
    **dict.fromkeys(("uitofp", "sitofp", "fpext", "fptrunc"), _float_cast),
    **dict.fromkeys(("ptrtoint", "inttoptr"), lambda self, i, o, state: o[0]),
    "icmp": _icmp,
    "fcmp": _fcmp,
    "select": _select,
    "load": _load,
    "store": _store,
    "getelementptr": _element_address,
    "bitcast": _bitcast,
    "shufflevector": _shuffle,
    "insertelement": _insert,
    "extractelement": _extract,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "fneg": _negate_float,
    "alloca": _alloca,
    "freeze": _freeze,
}
