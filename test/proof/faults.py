# SPDX-License-Identifier: MIT
"""Plants faults in the generic kernels and in the definition, one of each kind. Each must be refuted: the kernels by
the definition, and the definition by IEEE 754. For conversions, a C program that runs the faulty code on the
counterexample must get a result that differs, too. Run it in the root of the repository."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import claims
import compiler
import ir
import obligations
import prove
from terms import Refused

FOLDER = prove.BUILD / "faults"
# What replay.c links with. It runs pto_cvt_generic(), which is the faulty code.
OBJECTS = ("src/scalar/convert.c", "src/scalar/vcvt.c", "src/core/types.c", "src/core/vcvt.c")
BACKEND = "generic"


@dataclass(frozen=True)
class Fault:
    """A text of a file in src that is replaced, and a form whose result is then wrong. No other fault affects the
    form."""

    kind: str
    file: str
    old: str
    new: str
    form: str


KERNEL_FAULTS = (
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
    Fault("zero when rounding down", "loops/convert_vector.h", "magnitude_of((uvec)((low - 0x1p52) + (high - 0x1p84)))",
          "(uvec)((low - 0x1p52) + (high - 0x1p84))", "cvt.rn.f64.u32"),
    Fault("loop of long arrays", "loops/mask.h", "v_xor(v_load(pb + i), fb), v_load(ps + i))",
          "v_xor(v_load(pb + i), fa), v_load(ps + i))", "logic.and.not_b"),
    Fault("in place", "loops/walk.h", "if (rest) v_store(w->out + end, last);",
          "if (rest) v_store(w->out + end, walk_vector(compute, what, operands, kind, w, end, 0));",
          "choose.u32.lt.0"),
    Fault("addresses", "loops/mask.h", "if (n % 8 != 0) out[bytes - 1]", "if (n % 8 != 0 && dst != a) out[bytes - 1]",
          "logic.and"),
    Fault("scale of a block", "loops/scaling_rules.h", "w_add(bits, F32_FRACTION_MASK), ~",
          "w_add(bits, F32_FRACTION_MASK - 1), ~", "scales.mx.ceil.e4m3.f32"),
    Fault("tie of an element of a block", "loops/scaling.h", "in_range_code(v_min_u32(magnitude,",
          "in_range_code(v_min_u32(magnitude + 1,", "quantize.multiply.e4m3.f32"),
)  # fmt: skip


DEFINITION_FAULTS = (
    Fault("tie", "scalar/exact_value.h", "above || (tie && (keep & 1) != 0)", "above || (tie && (keep & 3) == 3)",
          "cvt.rn.f16.f32"),
    Fault("range of integers", "scalar/exact_value.h", "is_signed ? low_bits(width - 1) :",
          "is_signed ? low_bits(width - 1) - 1 :", "cvt.rzi.s64.f64"),
    Fault("largest value", "core/formats.h", "f.fraction_bits) - 1;", "f.fraction_bits) - 2;",
          "cvt.rz.satfinite.e4m3x2.bf16x2"),
    Fault("direction of overflow", "scalar/convert.c", "PTO_RM && !negative", "PTO_RM && negative",
          "cvt.rm.bf16.f32"),
    Fault("NaN", "scalar/convert.c", "payload >> narrower", "payload >> (narrower - 1)", "cvt.rz.bf16.f64"),
    Fault("flush", "scalar/convert.c", "(c >> 24) < -126", "(c >> 24) < -125", "cvt.rz.ftz.f32.f64"),
    Fault("relu", "scalar/convert.c", "(op.relu || op.sat ||", "(op.sat ||", "cvt.rz.relu.f16.f32"),
    Fault("scale", "scalar/convert.c", "? by : -by", "? by : by", "cvt.rz.satfinite.scaled::n1::ue8m0.e5m2x2.f16x2"),
    Fault("flush in a comparison", "scalar/relation.h", "magnitude < f.min_normal", "magnitude <= f.min_normal",
          "compare.f32z.lt.vv.bits"),
    Fault("NaN in a comparison", "scalar/relation.h", "(b & ~f.sign) > f.infinity", "(b & ~f.sign) >= f.infinity",
          "compare.f64.eq.vv.bits.not"),
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """backend: of the obligations. sources: those that the faults change, first the one that replay.c runs."""

    backend: str
    sources: tuple
    faults: tuple
    flags: tuple = ()  # for the compiler, to give pto_cvt_generic() as replay.c expects it

    @property
    def folder(self):
        return FOLDER / self.backend


PLANS = (
    Plan(BACKEND, tuple(f"src/{BACKEND}/{f}.c" for f in ("convert", "kernels", "scaling")), KERNEL_FAULTS),
    Plan("theory", ("src/scalar/convert.c", "src/scalar/kernels.c"), DEFINITION_FAULTS,
         (f"-Dpto_cvt_scalar=pto_cvt_{BACKEND}",)),
)  # fmt: skip


def plant(plan):
    """Writes the files with all faults of a plan."""
    for file in {f.file for f in plan.faults}:
        text = Path("src", file).read_text()
        for f in plan.faults:
            if f.file == file:
                if text.count(f.old) != 1:
                    sys.exit(f"the fault '{f.kind}' is not planted: {file} has '{f.old}' {text.count(f.old)} times")
                text = text.replace(f.old, f.new)
        target = plan.folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != text:
            target.write_text(text)


def build(plan):
    """Compiles the faulty code. Returns the files of IR and the program that replays counterexamples."""
    commands, folder = compiler.commands(prove.BUILD), plan.folder
    jobs = [(commands[s], s, folder / f"{s.replace('/', '_')}.o", compiler.TO_OBJECT) for s in OBJECTS]
    faulty = {}
    for source in plan.sources:
        words = [commands[source][0], f"-I{folder}", *commands[source][1:]]
        changed = folder / source.removeprefix("src/")
        path = changed if changed.exists() else source
        faulty[source] = folder / f"faulty_{source.replace('/', '_')}.ll"
        jobs.append((words, path, faulty[source], compiler.TO_IR))
        if source == plan.sources[0]:
            jobs.append(([*words, *plan.flags], path, folder / "faulty.o", compiler.TO_OBJECT))
            words = [*words, f"-DBACKEND={BACKEND}"]
            jobs.append((words, "test/proof/replay.c", folder / "replay.o", compiler.TO_OBJECT))
    compiler.compile_all(jobs)
    program = folder / "replay"
    objects = [str(target) for _, _, target, kind in jobs if kind == compiler.TO_OBJECT]
    subprocess.run([compiler.CLANG, "-no-pie", "-Wl,--gc-sections", "-o", str(program), *objects, "-lm"], check=True)
    right = {str(prove.ir_file(s)) for s in plan.sources}
    files = [f for f in prove.compile_ir((plan.backend,)) if f not in right]
    return [*files, *map(str, faulty.values())], program


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


def missed(plan):
    """Returns how many faults of a plan are not found."""
    plant(plan)
    files, program = build(plan)
    module, lines, count = ir.Module(files), prove.list_forms(), 0
    for fault in plan.faults:
        (obligation,) = obligations.listed(module, lines, plan.backend, fault.form)
        try:
            outcome = obligation.prove(module)
        except Refused as e:
            outcome = claims.Outcome("open", f"refused: {e}")
        found = outcome.verdict == "refuted"
        if found and obligation.is_conversion:
            found = replay(program, obligation.form, outcome)
        print(f"fault '{fault.kind}' in {fault.form}: {'found' if found else 'MISSED: ' + outcome.verdict}", flush=True)
        count += not found
    return count


def main():
    sys.setrecursionlimit(prove.RECURSION)
    return 1 if sum(map(missed, PLANS)) else 0


if __name__ == "__main__":
    sys.exit(main())
