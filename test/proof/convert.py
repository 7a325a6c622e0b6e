# SPDX-License-Identifier: MIT
"""Obligations of conversions: a backend's kernel of a form gives the bits of the scalar definition, for all inputs."""

from dataclasses import dataclass
from functools import partial

import terms
from claims import FP_ANY, FP_FLUSH, FP_IEEE, FP_UNFLUSHED, Call, Case, cases_of, cells_of, element, prove_equal
from execute import Executor
from ir import Type
from memory import State, get, put
from solve import is_possible
from terms import variable
from values import Pointer

BYTE, ADDRESS = Type("int", 8), Type("ptr", 64)
# n in granules: the shortest array that a kernel takes, and one that repeats its loops.
CALLS = (Call(1), Call(2, 1))
FURTHER = (3, 5, 6, 16)  # granules; run only if they reach more code
BACK = 4  # elements per call of the definition: up to four share a random word or a byte


@dataclass(frozen=True)
class Form:
    """A conversion. call: 'cvt' or 'vcvt'. group: elements that share a random word or a scale; extra_bytes: bytes of
    the word or scale, 0 without one. flushes: subnormal sources are flushed. op: the bytes of the C struct."""

    call: str
    text: str
    dst_bits: int
    src_bits: int
    group: int
    extra_bytes: int
    flushes: bool
    op: bytes

    @staticmethod
    def read(line):
        call, text, *numbers, op = line.split()
        dst_bits, src_bits, group, extra_bytes, flushes = map(int, numbers)
        return Form(call, text, dst_bits, src_bits, group, extra_bytes, bool(flushes), bytes.fromhex(op))


@dataclass
class Kernel:
    """run: the address of the kernel's function. arguments: its operands between op and source. via: op, granule and
    FP state of the PTX kernel that they contain, if any."""

    run: Pointer
    granule: int
    fp: int
    arguments: list
    via: tuple = ()


class Inputs:
    """Variables for the operands of n elements."""

    def __init__(self, form, n, call):
        self.form = form
        self.elements = [call.operand(f"x{k}", form.src_bits, 1 << k) for k in range(n)]
        self.extra = []
        for k in range(-(-n // form.group) if form.extra_bytes else 0):
            owners = sum(1 << j for j in range(k * form.group, min(n, (k + 1) * form.group)))
            self.extra.append(call.operand(f"r{k}", 8 * form.extra_bytes, owners))

    def names(self, k):
        """Names that do not depend on k for the operands of element k."""
        found = {self.elements[k]: variable("x", self.form.src_bits)}
        if self.extra:
            found[self.extra[k // self.form.group]] = variable("r", 8 * self.form.extra_bytes)
        return found

    def operands(self, k):
        return (self.elements[k],)


def struct_arguments(executor, state, function, op):
    """The arguments by which a struct is passed by value: its address, or its words."""
    if executor.module.function(function).values[0].kind == "ptr":
        return [Pointer(state.new_object("op", [(b, 0, 1) for b in op], True), 0)]
    op += bytes(-len(op) % 8)
    return [int.from_bytes(op[k : k + 8], "little") for k in range(0, len(op), 8)]


def returned_kernel(executor, state, name, op, extra=()):
    """The kernel that a backend's function returns for an op, or None."""
    function = executor.module.global_named(name)
    address, state = executor.call(state, function, struct_arguments(executor, state, function, op) + list(extra))
    if address == 0:
        return None, state
    fields = [state.load(Pointer(address.object, address.offset + at), BYTE) for at in (8, 9)]
    return Kernel(state.load(address, ADDRESS), *fields, [address]), state


def cvt_kernel(executor, state, backend, op):
    """The kernel of a PTX conversion. A variant of a backend has kernels for some, and its backend for the rest."""
    base, _, variant = backend.partition("-")
    if variant.startswith("vbmi"):
        kernel, state = returned_kernel(executor, state, f"pto_cvt_{base}_vbmi", op, [int(variant == "vbmi-128")])
        if kernel is not None:
            return kernel, state
    return returned_kernel(executor, state, f"pto_cvt_{base}", op)


def find_kernel(executor, state, backend, form):
    """Chooses the kernel of a form as pto_cvt() and pto_vcvt() do."""
    if form.call == "cvt":
        kernel, state = cvt_kernel(executor, state, backend, form.op)
        kernel.arguments = []
        return kernel, state
    kernel, state = returned_kernel(executor, state, f"pto_vcvt_{backend.partition('-')[0]}", form.op)
    address = kernel.arguments[0]
    kernel.arguments = [0]
    if state.load(Pointer(address.object, address.offset + 10), BYTE):
        ptx = state.new_object("ptx", [(0, 0, 1)] * 32)
        name = executor.module.global_named("pto_vcvt_as_ptx")
        op = struct_arguments(executor, state, name, form.op)
        _, state = executor.call(state, name, [*op, Pointer(ptx, 0)])
        ptx_op = bytes(get(state.memory[ptx], k, 1, 8) for k in range(24))
        chosen, state = cvt_kernel(executor, state, backend, ptx_op)
        put(state.cells(ptx), 24, chosen.arguments[0], 8)
        kernel.arguments = [Pointer(ptx, 0)]
        kernel.via = (ptx_op, chosen.granule, chosen.fp)
    return kernel, state


def functions_of(kernel, state):
    """The functions that a kernel runs: its own, and that of a PTX kernel in its arguments."""
    found = [kernel.run.object.function]
    for argument in kernel.arguments:
        if argument:
            chosen = get(state.memory[argument.object], 24, 8, 64)
            found.append(state.load(chosen, ADDRESS).object.function)
    return found


def run(module, backend, form, call, apart=frozenset()):
    """Runs a kernel on call.n granules and at least BACK elements, or the definition on BACK elements. Returns a Case.
    If call.in_place is not empty, the result replaces the source."""
    state = State()
    executor = Executor(module, call.flush, is_possible, apart)
    kernel, state = find_kernel(executor, state, backend, form)
    if form.flushes and kernel.fp in (FP_IEEE, FP_UNFLUSHED):
        executor.flushes = True
    executor.is_nearest = kernel.fp in (FP_IEEE, FP_FLUSH)
    n = max(call.n * kernel.granule, BACK) if backend != "scalar" else BACK
    inputs = Inputs(form, n, call)
    op = state.new_object("op", [(b, 0, 1) for b in form.op], True)
    src = dst = state.new_object("src", cells_of(inputs.elements, form.src_bits), not call.in_place, call.misalignment)
    if not call.in_place:
        dst = state.new_object("dst", [None] * (n * form.dst_bits // 8), False, call.misalignment)
        src.result = dst if form.src_bits == form.dst_bits else None
    arguments = [Pointer(op, 0), *kernel.arguments, Pointer(src, 0), Pointer(dst, 0)]
    if form.call == "cvt":
        extra = form.extra_bytes and cells_of(inputs.extra, 8 * form.extra_bytes)
        arguments.append(Pointer(state.new_object("extra", extra, True), 0) if extra else 0)
    _, state = executor.call(state, kernel.run.object.function, [*arguments, n])
    lanes = [element(state.memory[dst], k, form.dst_bits) for k in range(n)]
    depends_on_flush = kernel.fp == FP_ANY and executor.depends_on_flush
    return Case(inputs, lanes, form.dst_bits, state.undefined, executor.covered, state.read_late, depends_on_flush)


def prove(module, backend, form):
    """Proves a form for arrays of several lengths."""
    terms.forget_terms()
    definition = run(module, "scalar", form, Call(1))
    return prove_equal(definition, cases_of(partial(run, module, backend, form), CALLS, FURTHER), BACK)
