# SPDX-License-Identifier: MIT
"""The obligations, and which of them are proved: proved.txt has their hashes, open.txt the reasons of the others.

The hash of an obligation is over all that its proof depends on: the IR of the kernel and of the definition, the form,
the code of the prover, and the solver's version."""

import ast
import fnmatch
import hashlib
from dataclasses import dataclass
from pathlib import Path

import arm
import convert
import intrinsics
import lanes
import scalings
import theory
import z3
from execute import Executor
from memory import State

HERE = Path(__file__).resolve().parent
PROVED, OPEN = HERE / "proved.txt", HERE / "open.txt"
THEORY = "theory"  # in place of a backend: the definition equals IEEE 754
# PROVER: files on which all proofs depend. MORE: further files, by the beginning of the names of the backends.
PROVER = ("claims", "convert", "execute", "ieee", "intrinsics", "ir", "lanes", "memory", "solve", "terms", "values")
MORE = {
    "avx": ("x86", "x86_512"),
    "neon": ("x86", "x86_512"),  # arm.py, too: see Hasher.code()
    THEORY: ("theory", "theory_cvt", "theory_formats", "theory_lanes", "theory_vcvt"),
}
MODULES = {convert.Form: convert, lanes.Form: lanes, scalings.Form: scalings}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)  # what may begin with a docstring


@dataclass(frozen=True)
class Obligation:
    """A backend's kernel equals the scalar definition; for THEORY, that equals IEEE 754. form: of convert.py, lanes.py
    or scalings.py."""

    backend: str
    form: object

    @property
    def family(self):
        return self.form.call

    @property
    def name(self):
        return f"{self.backend} {self.form.text}"

    @property
    def is_conversion(self):
        return isinstance(self.form, convert.Form)

    def prove(self, module):
        if self.backend == THEORY:
            return theory.prove(module, self.form)
        return MODULES[type(self.form)].prove(module, self.backend, self.form)


# Variants of backends, which use other kernels for some forms, and what they use for the rest. The last one is for CPUs
# that look up tables of 128 bytes fast.
VARIANT_OF = {"avx512-fp16": "avx512", "avx512-vbmi": "avx512", "avx512-vbmi-128": "avx512-vbmi"}


def listed(module, lines, backend, pattern):
    """The obligations of a backend: conversions and block scaling, which C programs have printed as lines, and kernels
    in tables. A variant has those whose kernel is its own."""
    forms = [(convert if line.startswith(("cvt", "vcvt")) else scalings).Form.read(line) for line in lines]
    kernels = "scalar" if backend == THEORY else backend
    if backend == "neon":  # Arm passes vcvt's op in another way than x86, for which src/core is compiled
        forms = [f for f in forms if f.call != "vcvt"]
    forms += [f for f in lanes.forms() if lanes.find_kernel(module, kernels, f)[0] is not None]
    if backend == THEORY:
        forms = [f for f in forms if f.call != scalings.FAMILY and theory.reason_if_left_out(f) is None]
    found = [Obligation(backend, f) for f in forms if f.call == pattern or fnmatch.fnmatch(f.text, pattern)]
    if backend not in VARIANT_OF:
        return found
    kernels = Kernels(module)
    return [o for o in found if kernels.of(backend, o.form) != kernels.of(VARIANT_OF[backend], o.form)]


intrinsics.INTRINSICS.update(arm.INTRINSICS)  # the table in which execute.py looks first


class Kernels:
    """Finds the kernels of forms. Constants of the library are initialized once."""

    def __init__(self, module):
        self.module, self.executor, self.constants = module, Executor(module), {}

    def of(self, backend, form):
        """The functions of a backend's kernel, and what else describes it."""
        if isinstance(form, scalings.Form):
            return scalings.functions_of(self.module, backend), ()
        if isinstance(form, lanes.Form):
            *functions, details = lanes.find_kernel(self.module, backend, form)
            return frozenset(functions), details
        state = State()
        state.memory.update(self.constants)
        self.executor.steps = 0
        kernel, state = convert.find_kernel(self.executor, state, backend, form)
        self.constants.update((o, cells) for o, cells in state.memory.items() if o.constant and not o.address)
        return frozenset(convert.functions_of(kernel, state)), (kernel.granule, kernel.fp, kernel.via)


def hash_of_code(names):
    """A hash of code of the prover, without comments and docstrings, and of the solver's version."""
    h = hashlib.sha256(z3.get_full_version().encode())
    for name in names:
        tree = ast.parse((HERE / f"{name}.py").read_text())
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
                del node.body[0]
        h.update(ast.dump(tree).encode())
    return h.digest()


class Hasher:
    """Computes hashes of obligations. Texts that many share are hashed once."""

    def __init__(self, module):
        self.module, self.texts, self.kernels = module, {}, Kernels(module)
        self.prover, self.arm = hash_of_code(PROVER), hash_of_code(("arm",))
        self.scalings = hash_of_code(("scalings",))
        self.more = {start: hash_of_code(names) for start, names in MORE.items()}

    def code(self, functions):
        """The hash of functions and of what they refer to, and of arm.py if they call one of its intrinsics."""
        if functions not in self.texts:
            joined = "\n".join(self.module.closure(functions)).encode()
            calls_arm = any(f"@{name}".encode() in joined for name in arm.INTRINSICS)
            self.texts[functions] = hashlib.sha256(joined + (self.arm if calls_arm else b"")).digest()
        return self.texts[functions]

    def of(self, obligation):
        h = hashlib.sha256(self.prover)
        if obligation.family == scalings.FAMILY:
            h.update(self.scalings)
        for start, code in self.more.items():
            if obligation.backend.startswith(start):
                h.update(code)
        for backend in ("scalar",) if obligation.backend == THEORY else ("scalar", obligation.backend):
            functions, details = self.kernels.of(backend, obligation.form)
            h.update(self.code(functions))
            h.update(repr(details).encode())
        h.update(repr(obligation.form).encode())
        return h.hexdigest()[:16]


def read_proved():
    """The hashes of what is proved, with the names."""
    return dict(line.split(" ", 1) for line in PROVED.read_text().splitlines()) if PROVED.exists() else {}


def add_proved(found):
    """Adds hashes to proved.txt, in place of older ones of the same names. A run that is killed loses nothing."""
    names = set(found.values())
    proved = {key: name for key, name in read_proved().items() if name not in names} | found
    new = PROVED.with_suffix(".new")
    new.write_text("".join(f"{key} {name}\n" for key, name in sorted(proved.items(), key=lambda item: item[::-1])))
    new.replace(PROVED)


def read_open():
    """Pairs of a pattern of names and the reason why these are open."""
    lines = OPEN.read_text().splitlines() if OPEN.exists() else []
    return [tuple(line.split(": ", 1)) for line in lines if line and not line.startswith("#")]


def reason_if_open(obligation, reasons):
    return next((reason for pattern, reason in reasons if fnmatch.fnmatch(obligation.name, pattern)), None)
