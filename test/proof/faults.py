# SPDX-License-Identifier: MIT
"""Plants faults in the generic kernels, one of each kind. Each must be refuted, and a C program that runs the compiled
kernel on the counterexample must see the difference. Run it in the root of the repository."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import compiler
import convert
import ir
import obligations
import prove

FOLDER = prove.BUILD / "faults"
BACKEND = "generic"
# What replay.c links with.
OBJECTS = ("src/scalar/convert.c", "src/scalar/vcvt.c", "src/core/types.c", "src/core/vcvt.c")


@dataclass(frozen=True)
class Fault:
    """A text of a header that is replaced, and a form whose result is then wrong. No other fault affects the form."""

    kind: str
    header: str
    old: str
    new: str
    form: str


FAULTS = (
    Fault("shift", "loops/convert.h", "narrow_32(x, &p, to) << 13", "narrow_32(x, &p, to) << 12", "cvt.rn.tf32.f32"),
    Fault("constant", "loops/convert.h", "v_const_32(0x00400000)", "v_const_32(0x00400001)", "cvt.rp.ue8m0x2.f32"),
    Fault("mask", "loops/convert.h", "(both | both << 4) & (u16)0x0f0f", "(both | both << 4) & (u16)0x0f07",
          "cvt.rn.f16x2.e2m1x2"),
    Fault("lane order", "loops/convert.h", "(apart | apart >> 4)", "(apart << 4 | apart >> 8)",
          "cvt.rn.satfinite.e2m1x2.f32"),
    Fault("NaN", "loops/convert_vector.h", "v_const(~(word)0 >> 1), x)", "v_const(infinity_bits()), x)",
          "cvt.rn.f16x2.e4m3x2"),
    Fault("tie", "loops/convert_vector.h", "r.nearest = r.even = nearest",
          "r.nearest = nearest, r.even = round == PTO_RN", "cvt.rni.f32.f32"),
)  # fmt: skip


def plant():
    """Writes the headers with all faults."""
    for header in {f.header for f in FAULTS}:
        text = Path("src", header).read_text()
        for f in FAULTS:
            if f.header == header:
                if text.count(f.old) != 1:
                    sys.exit(f"the fault '{f.kind}' is not planted: {header} has '{f.old}' {text.count(f.old)} times")
                text = text.replace(f.old, f.new)
        target = FOLDER / header
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != text:
            target.write_text(text)


def build():
    """Compiles the faulty kernels. Returns the files of IR and the program that replays counterexamples."""
    commands, kernels = compiler.commands(prove.BUILD), f"src/{BACKEND}/convert.c"
    faulty = [commands[kernels][0], f"-I{FOLDER}", *commands[kernels][1:]]
    jobs = [(commands[s], s, FOLDER / f"{s.replace('/', '_')}.o", compiler.TO_OBJECT) for s in OBJECTS]
    jobs.append((faulty, kernels, FOLDER / "kernels.ll", compiler.TO_IR))
    jobs.append((faulty, kernels, FOLDER / "kernels.o", compiler.TO_OBJECT))
    jobs.append(([*faulty, f"-DBACKEND={BACKEND}"], "test/proof/replay.c", FOLDER / "replay.o", compiler.TO_OBJECT))
    compiler.compile_all(jobs)
    program = FOLDER / "replay"
    objects = [str(target) for _, _, target, kind in jobs if kind == compiler.TO_OBJECT]
    subprocess.run([compiler.CLANG, "-Wl,--gc-sections", "-o", str(program), *objects], check=True)
    files = [f for f in prove.compile_ir((BACKEND,)) if f != str(prove.ir_file(kernels))]
    return [*files, str(FOLDER / "kernels.ll")], program


def hexadecimal(values, bits):
    """Operands in memory, the first in the lowest bits."""
    whole = sum(v << k * bits for k, v in enumerate(values))
    return whole.to_bytes(-(-len(values) * bits // 8), "little").hex()


def replay(program, form, outcome):
    """Runs the program on a counterexample. Returns whether the results differ."""
    n, extra = outcome.n, "00"
    src = hexadecimal([outcome.inputs.get(f"x{k}", 0) for k in range(n)], form.src_bits)
    if form.extra_bytes:
        extra = hexadecimal([outcome.inputs.get(f"r{k}", 0) for k in range(-(-n // form.group))], 8 * form.extra_bytes)
    size = str(n * form.dst_bits // 8)
    words = [str(program), form.op.hex(), src, extra, size, str(n)]
    return subprocess.run(words, stdout=subprocess.DEVNULL).returncode == 0


def main():
    sys.setrecursionlimit(prove.RECURSION)
    plant()
    files, program = build()
    module, lines, missed = ir.Module(files), prove.list_forms(), 0
    for fault in FAULTS:
        (obligation,) = obligations.listed(module, lines, BACKEND, fault.form)
        outcome = convert.prove(module, BACKEND, obligation.form)
        found = outcome.verdict == "refuted" and replay(program, obligation.form, outcome)
        print(f"fault '{fault.kind}' in {fault.form}: {'found' if found else 'MISSED: ' + outcome.verdict}", flush=True)
        missed += not found
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
