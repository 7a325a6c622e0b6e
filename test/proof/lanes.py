# SPDX-License-Identifier: MIT
"""Obligations of kernels in tables: comparisons, selections, masks and logic, and max, min, clamp and relu."""

from dataclasses import dataclass
from functools import partial

import terms
from claims import FP_ANY, FP_FLUSH, FP_IEEE, Call, Case, cases_of, cells_of, element, prove_equal
from execute import Executor
from ir import Global
from memory import State, put
from solve import is_possible
from terms import either, negate, variable
from values import Pointer, strip

LANES = ("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f16", "f16z", "bf16", "f32", "f32z", "f64")
RELATIONS = ("eq", "lt", "gt", "le", "lg", "ord", "ge")  # enum relation
STORAGES = ("bits", "bytes", "image")  # enum mask_storage
KINDS = {"packed": 1, "b8": 1, "b16": 2, "b32": 4, "b64": 8, "byte": 8}  # pto_mask_kind, and its bits for a lane
WIDTHS = (8, 16, 32, 64)
BROADCAST_LANES = 64
ALL_ONES = (1 << 64) - 1
# A short call; and an unaligned one, with whole vectors of every backend and remaining elements.
CALLS = (Call(5), Call(77, 1))
FURTHER = (1, 3, 7, 15, 23, 31, 45, 78, 150, 333, 600)  # elements; run only if they reach more code
PERIOD = 8  # elements per call of the definition: their bits share a byte

# The indices of the tables in struct pto_kernels, and of those in struct choose_table.
COMPARE, SELECT, FILL, MASK_LOAD, MASK_STORE, LOGIC = 1, 2, 3, 4, 5, 7
BY_RELATION, SELECTS = 0, 1


@dataclass(frozen=True)
class Operand:
    """copies: 0 for an array of n elements, otherwise how often memory repeats the one element."""

    name: str
    bits: int
    copies: int = 0


@dataclass(frozen=True)
class Form:
    """A kernel and its call. path: the indices of its address in `table`. operands: its arrays. arguments: numbers,
    'n', 'dst', names of operands, or ('sources', names, scalars) for a struct sources. bits: of a result."""

    call: str
    text: str
    table: str
    path: tuple
    operands: tuple
    arguments: tuple
    bits: int


def lane_bits(lane):
    return int("".join(c for c in lane if c.isdigit()))


def storage_bits(storage, bits):
    return {"bits": 1, "bytes": 8, "image": bits // 8}[storage]


def arrays(names, bits):
    return tuple(Operand(name, bits) for name in names)


def compare_forms():
    for number, lane in enumerate(LANES):
        bits = lane_bits(lane)
        for second, copies in (("vv", 0), ("vs", 1)):
            for s, storage in enumerate(STORAGES):
                for r, relation in enumerate(RELATIONS):
                    for flip in (0, ALL_ONES):
                        text = f"compare.{lane}.{relation}.{second}.{storage}{'.not' if flip else ''}"
                        path = (COMPARE, number, 0, int(second == "vs"), s, r)
                        operands = (Operand("a", bits), Operand("b", bits, copies))
                        result = storage_bits(storage, bits)
                        yield Form("compare", text, "pto_kernels", path, operands, ("a", "b", "dst", "n", flip), result)


def select_forms():
    for w, bits in enumerate(WIDTHS):
        for s, storage in enumerate(STORAGES):
            mask = Operand("m", storage_bits(storage, bits))
            operands = (*arrays("xy", bits), mask)
            text = f"select.b{bits}.{storage}"
            yield Form("select", text, "pto_kernels", (SELECT, s, w), operands, ("x", "y", "m", "dst", "n"), bits)
            for scalars in range(4):
                operands = (*(Operand(o, bits, BROADCAST_LANES * (scalars >> k & 1)) for k, o in enumerate("xy")), mask)
                arguments = (("sources", "xy", scalars), "m", "dst", "n")
                text = f"selects.b{bits}.{storage}.{scalars}"
                yield Form("select", text, "pto_choose", (SELECTS, s, w), operands, arguments, bits)


def choose_forms():
    for number, lane in enumerate(LANES):
        bits = lane_bits(lane)
        for r, relation in enumerate(RELATIONS):
            for scalars in (0, 1, 2, 4, 8, 15):
                operands = tuple(Operand(o, bits, scalars >> k & 1) for k, o in enumerate("xyuv"))
                text = f"choose.{lane}.{relation}.{scalars}"
                arguments = (("sources", "xyuv", scalars), "dst", "n")
                yield Form("choose", text, "pto_choose", (BY_RELATION, number, 0, r), operands, arguments, bits)


def mask_forms():
    for k, (kind, bits) in enumerate(KINDS.items()):
        for field, name, one, other in ((MASK_LOAD, "load", bits, 1), (MASK_STORE, "store", 1, bits)):
            operands = (Operand("m", one),)
            yield Form("mask", f"mask.{name}.{kind}", "pto_kernels", (field, k), operands, ("m", "dst", "n"), other)
    for w, bits in enumerate(WIDTHS):
        yield Form("mask", f"fill.b{bits}", "pto_kernels", (FILL, w), (Operand("x", bits, 1),), ("x", "dst", "n"), bits)
    for number, name in enumerate(("and", "or", "xor", "sel")):
        for flip_a in (0, ALL_ONES):
            for flip_b in (0, ALL_ONES):
                text = f"logic.{name}{'.not_a' if flip_a else ''}{'.not_b' if flip_b else ''}"
                arguments = ("a", "b", "s", "dst", "n", flip_a, flip_b)
                yield Form("mask", text, "pto_kernels", (LOGIC, number), arrays("abs", 1), arguments, 1)


FTZ, PROPAGATE_NAN, XORSIGN_ABS = 1, 4, 8
EXTREMA = {"max": (0, "pto_maxmin", 2), "min": (16, "pto_maxmin", 2), "clamp": (32, "pto_clamp", 3),
           "relu": (48, "pto_relu", 1)}  # fmt: skip


def extremum_flags(lane, name):
    """The flags with which a kernel of max, min, clamp or relu is called."""
    if lane[0] in "us":
        return (0,)
    nans = (0, PROPAGATE_NAN)
    if lane == "f64":
        return nans
    flushes = (0, FTZ) if lane != "bf16" else (0,)
    signs = (0, XORSIGN_ABS) if name in ("max", "min") else (0,)
    return tuple(a | b | c for a in nans for b in flushes for c in signs)


def extremum_forms():
    for number, lane in enumerate(LANES):
        if lane.endswith("z"):
            continue
        bits = lane_bits(lane)
        for name, (what, table, count) in EXTREMA.items():
            for flags in extremum_flags(lane, name):
                for scalars in {1: (0,), 2: (0, 2), 3: (0, 2, 4, 6)}[count]:
                    operands = tuple(Operand(o, bits, scalars >> k & 1) for k, o in enumerate("xyz"[:count]))
                    text = f"{name}.{lane}.{flags}.{scalars}"
                    arguments = (what | flags, ("sources", "xyz"[:count], scalars), "dst", "n")
                    yield Form("extremum", text, table, (0, number), operands, arguments, bits)


def forms():
    """All forms; a backend does not have a kernel for each."""
    for family in (compare_forms, select_forms, choose_forms, mask_forms, extremum_forms):
        yield from family()


def find_kernel(module, backend, form):
    """Returns the function of a form's kernel, a Global or None, and fp_of()."""
    own = f"pto_maxmin_f16_{backend.replace('-', '_')}"
    if "-" in backend and form.table == "pto_maxmin" and form.path[1] == LANES.index("f16") and own in module.exported:
        return module.global_named(own), fp_of(module, backend, form)
    value = table_of(module, backend, form.table)
    for index in form.path:
        if isinstance(value, Global):
            value = module.variable(value)[1]
        value = value[index]
    return (value if isinstance(value, Global) else None), fp_of(module, backend, form)


def table_of(module, backend, name):
    """The value of a backend's table. A variant of a backend has its own, or that of its backend."""
    own, base = f"{name}_{backend.replace('-', '_')}", f"{name}_{backend.partition('-')[0]}"
    return module.variable(module.global_named(own if own in module.exported else base))[1]


def fp_of(module, backend, form):
    """The FP state in which a kernel runs, and whether it rounds to nearest and does not flush results. Both depend on
    the comparison of the lane type. If that raises no flag, x86 checks only whether operands are flushed."""
    if form.call not in ("compare", "choose", "extremum"):
        return FP_ANY, False
    entry = table_of(module, backend, "pto_kernels")[COMPARE][form.path[1]]
    _, fp, raises_no_flags = module.variable(entry)[1] if isinstance(entry, Global) else entry
    return fp, fp in (FP_IEEE, FP_FLUSH) and not (raises_no_flags and backend != "neon")


class Inputs:
    """Variables for the operands of n elements."""

    def __init__(self, form, call):
        self.form, self.arrays = form, {}
        for o in form.operands:
            if o.copies:
                self.arrays[o.name] = [call.operand(o.name, o.bits)] * o.copies
            else:
                self.arrays[o.name] = [call.operand(f"{o.name}{k}", o.bits, 1 << k) for k in range(call.n)]

    def names(self, k):
        found = {}
        for o in self.form.operands:
            own = self.arrays[o.name][0 if o.copies else k]
            found[own] = variable(o.name, o.bits)
        return found

    def operands(self, k):
        return tuple(self.names(k))


def run(module, backend, form, call, apart=frozenset()):
    """Runs a kernel and returns a Case. In place, the result can replace an array of equal element size or the one
    element of a broadcast scalar, but not the copies of a scalar, which are the library's."""
    state, n = State(), call.n
    function, (fp, is_nearest) = find_kernel(module, backend, form)
    executor = Executor(module, call.flush or fp == FP_FLUSH, is_possible, apart, is_nearest)
    inputs = Inputs(form, call)
    size, operands = -(-n * form.bits // 8), {}
    for o in form.operands:
        spare = terms.fresh if form.path[0] != MASK_STORE else lambda bits: 0  # mask_store needs zeros there
        cells = cells_of(inputs.arrays[o.name], o.bits, spare)
        is_result = o.name == call.in_place
        cells += [None] * (size - len(cells)) if is_result else []  # dst may begin at a broadcast scalar
        operands[o.name] = Pointer(state.new_object(o.name, cells, not is_result, call.misalignment), 0)
    if call.in_place:
        dst = operands[call.in_place].object
    else:
        dst = state.new_object("dst", [None] * size, False, call.misalignment)
        for o in form.operands:
            if o.bits == form.bits and o.copies <= 1:
                operands[o.name].object.result = dst
    named = {**operands, "dst": Pointer(dst, 0), "n": n}

    def argument(a):
        if not isinstance(a, tuple):
            return named[a] if isinstance(a, str) else a
        cells = [(0, 0, 1)] * 40
        for k, name in enumerate(a[1]):
            put(cells, 8 * k, named[name], 8)
        put(cells, 32, a[2], 4)
        return Pointer(state.new_object("sources", cells, True), 0)

    _, state = executor.call(state, function, [argument(a) for a in form.arguments])
    lanes = [element(state.memory[dst], k, form.bits) for k in range(n)]
    unused = [element(state.memory[dst], k, form.bits) for k in range(n, 8 * size // form.bits)]
    for lane in unused:
        value, poison = strip(lane)
        state.must_not(either(poison, negate(terms.eq(value, 0, form.bits))))
    depends_on_flush = fp == FP_ANY and executor.depends_on_flush
    return Case(inputs, lanes, form.bits, state.undefined, executor.covered, state.read_late, depends_on_flush)


def prove(module, backend, form):
    """Proves a form for arrays of several lengths."""
    terms.forget_terms()
    definition = run(module, "scalar", form, Call(PERIOD))
    return prove_equal(definition, cases_of(partial(run, module, backend, form), CALLS, FURTHER), PERIOD)
