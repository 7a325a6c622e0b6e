# SPDX-License-Identifier: MIT
"""test_x86.py [--count N]: compares each model of x86.py with the instruction, on special and on N random vectors.

It needs a CPU with AVX2, F16C and BMI2. For each instruction, clang compiles a function of three vectors."""

import argparse
import itertools
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import solve
import terms
import z3
from compiler import CLANG
from ir import Type
from values import strip

import x86

BUILD = Path("build/proof")
BYTES = 32
FLAGS = ("-mavx2", "-mf16c", "-mbmi2")
ALL_ONES = 0xFFFFFFFFFFFFFFFF
WITHOUT_RESULT = {"llvm.x86.sse.sfence", "llvm.x86.avx.vzeroupper"}
FLOATS = {
    16: [0, 1, 0x03FF, 0x0400, 0x3BFF, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7C01, 0x7E05],
    32: [0, 1, 0x007FFFFF, 0x00800000, 0x33000000, 0x33800001, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F800000,
         0x3FC00000, 0x40200000, 0x4AFFFFFF, 0x4B000000, 0x4B7FFFFF, 0x477FEFFF, 0x477FF000, 0x4EFFFFFF, 0x4F000000,
         0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00005, 0x387FE000, 0x33000001],
    64: [0, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x3FDFFFFFFFFFFFFF, 0x3FE0000000000000, 0x3FE0000000000001,
         0x3FF0000000000000, 0x3FF8000000000000, 0x4004000000000000, 0x41DFFFFFFFFFFFFF, 0x41DFFFFFFFE00000,
         0x41E0000000000000, 0x41E0000000100000, 0x47EFFFFFEFFFFFFF, 0x47EFFFFFF0000000, 0x36A0000000000000,
         0x36A0000000000001, 0x3810000000000000, 0x380FFFFFE0000000, 0x432FFFFFFFFFFFFF, 0x4330000000000000,
         0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0x7FF0000000000001, 0x7FF8000000000005],
}  # fmt: skip


@dataclass
class Row:
    """An instruction: the C expression of it, the bits of a lane of each operand, 0 for what is not a vector, and of
    the result; whether its lanes are floats. Operands are the first 1/part of a vector. target: an extension of the CPU
    that only some instructions need."""

    code: str
    operands: tuple
    result: int
    is_float: bool = False
    extra: tuple = ()  # operands that are known, such as a rounding direction
    part: int = 1
    target: str = ""


def as_float(expression, kind):
    return f"_mm256_cast{kind}_si256({expression})"


def float_row(name, bits, count=2):
    kind = "ps" if bits == 32 else "pd"
    operands = ", ".join(f"_mm256_castsi256_{kind}({o})" for o in "abc"[:count])
    return Row(as_float(f"_mm256_{name}_{kind}({operands})", kind), (bits,) * count, bits, True)


def round_row(bits, how):
    kind = "ps" if bits == 32 else "pd"
    return Row(as_float(f"_mm256_round_{kind}(_mm256_castsi256_{kind}(a), {how})", kind), (bits,), bits, True, (how,))


def narrowed(call, kind, bits, result, extra=()):
    arguments = ", ".join([f"_mm256_castsi256_{kind}(a)", *map(str, extra)])
    return Row(f"_mm256_zextsi128_si256({call}({arguments}))", (bits,), result, True, extra)


def scalar(call, result):
    return f"_mm256_zextsi128_si256(_mm_cvtsi{result}_si128({call}))"


MASKS = (0, ALL_ONES, 0x5555555555555555, 0x0F0F00000000F0F1)
INSTRUCTIONS = {
    "avx2.packsswb": [Row("_mm256_packs_epi16(a, b)", (16, 16), 8)],
    "avx2.packuswb": [Row("_mm256_packus_epi16(a, b)", (16, 16), 8)],
    "avx2.packssdw": [Row("_mm256_packs_epi32(a, b)", (32, 32), 16)],
    "avx2.packusdw": [Row("_mm256_packus_epi32(a, b)", (32, 32), 16)],
    "avx2.psign.w": [Row("_mm256_sign_epi16(a, b)", (16, 16), 16)],
    "avx2.pmulhu.w": [Row("_mm256_mulhi_epu16(a, b)", (16, 16), 16)],
    "avx2.pmadd.ub.sw": [Row("_mm256_maddubs_epi16(a, b)", (8, 8), 16)],
    "avx2.psrlv.q.256": [Row("_mm256_srlv_epi64(a, b)", (64, 64), 64)],
    "avx2.psllv.q.256": [Row("_mm256_sllv_epi64(a, b)", (64, 64), 64)],
    "avx2.pshuf.b": [Row("_mm256_shuffle_epi8(a, b)", (8, 8), 8)],
    "avx2.permd": [Row("_mm256_permutevar8x32_epi32(a, b)", (32, 32), 32)],
    "avx2.pblendvb": [Row("_mm256_blendv_epi8(a, b, c)", (8, 8, 8), 8)],
    "avx.blendv.ps.256": [float_row("blendv", 32, 3)],
    "avx.blendv.pd.256": [float_row("blendv", 64, 3)],
    "avx.ptestz.256": [Row(scalar("_mm256_testz_si256(a, b)", 32), (64, 64), 32)],
    "sse41.ptestz": [
        Row(scalar("_mm_testz_si128(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b))", 32), (64, 64), 32, part=2)
    ],
    "bmi.pext.64": [
        Row(scalar(f"_pext_u64(_mm256_extract_epi64(a, 0), {m}u)", 64), (0,), 64, False, (m,)) for m in MASKS
    ],
    "bmi.pdep.64": [
        Row(scalar(f"_pdep_u64(_mm256_extract_epi64(a, 0), {m}u)", 64), (0,), 64, False, (m,)) for m in MASKS
    ],
    "bmi.bzhi.64": [
        Row(scalar(f"_bzhi_u64(_mm256_extract_epi64(a, 0), {n})", 64), (0,), 64, False, (n,))
        for n in (0, 1, 63, 64, 255)
    ],
    "avx.max.ps.256": [float_row("max", 32)],
    "avx.max.pd.256": [float_row("max", 64)],
    "avx.min.ps.256": [float_row("min", 32)],
    "avx.min.pd.256": [float_row("min", 64)],
    "avx.round.ps.256": [round_row(32, how) for how in (8, 9, 10, 11)],
    "avx.round.pd.256": [round_row(64, how) for how in (8, 9, 10, 11)],
    "avx.cvt.pd2.ps.256": [narrowed("_mm256_cvtpd_ps", "pd", 64, 32)],
    "vcvtps2ph.256": [narrowed("_mm256_cvtps_ph", "ps", 32, 16, (how,)) for how in (0, 9, 10, 11)],
    "avx.cvt.ps2dq.256": [Row("_mm256_cvtps_epi32(_mm256_castsi256_ps(a))", (32,), 32, True)],
    "avx.cvtt.ps2dq.256": [Row("_mm256_cvttps_epi32(_mm256_castsi256_ps(a))", (32,), 32, True)],
    "avx.cvt.pd2dq.256": [narrowed("_mm256_cvtpd_epi32", "pd", 64, 32)],
    "avx.cvtt.pd2dq.256": [narrowed("_mm256_cvttpd_epi32", "pd", 64, 32)],
}


@dataclass
class Machine:
    """What runs instructions. header: declares its intrinsics. vector: the C type of a vector of `size` bytes.
    set_state: C code of the function that sets the CPU's state. runner: the command before the program, if any."""

    header: str
    vector: str
    size: int
    set_state: str
    runner: tuple = ()


MXCSR = """
static void set_state(int flush, unsigned direction) {
    _mm_setcsr(_mm_getcsr() | (flush ? 0x40 : 0) /* DAZ */ | direction << 13);
}
"""
X86 = Machine("immintrin.h", "__m256i", BYTES, MXCSR)
PROGRAM = """
#include <%s>
#include <stdio.h>
#include <stdlib.h>
typedef %s vec;
%s
static vec (*const instructions[])(vec, vec, vec) = {%s};
int main(int argc, char **argv) {
    vec in[3], out;
    if (argc != 4) return 2;
    set_state(atoi(argv[2]), (unsigned)atoi(argv[3]));
    while (fread(in, sizeof in, 1, stdin) == 1) {
        out = instructions[atoi(argv[1])](in[0], in[1], in[2]);
        fwrite(&out, sizeof out, 1, stdout);
    }
    return 0;
}
"""


def build(name, rows, machine, flags, helpers=""):
    """Compiles a program whose function k is the instruction of row k. Returns its command."""
    functions = [machine.set_state, helpers]
    for k, r in enumerate(rows):
        target = f'__attribute__((target("{r.target}"))) ' if r.target else ""
        functions.append(f"{target}static vec f{k}(vec a, vec b, vec c) {{ return {r.code}; }}")
    names = ", ".join(f"f{k}" for k in range(len(rows)))
    text = PROGRAM % (machine.header, machine.vector, "\n".join(functions), names)
    BUILD.mkdir(parents=True, exist_ok=True)
    source, program = BUILD / f"{name}.c", BUILD / name
    source.write_text(text)
    subprocess.run([CLANG, *flags, "-O1", "-Wno-unused-parameter", "-o", str(program), str(source)], check=True)
    return [*machine.runner, str(program)]


def run(program, number, data, flush=False, how=0):
    """Runs function `number` of a program (the words of its command) on `data`, with or without flushing of subnormal
    operands, in rounding direction `how`. Returns the results as bytes."""
    words = [*program, str(number), str(int(flush)), str(how)]
    return subprocess.run(words, input=b"".join(data), check=True, capture_output=True).stdout


def special_values(row):
    bits = row.operands[0] or 64
    if row.is_float:
        return [v | s << bits - 1 for v in FLOATS[bits] for s in (0, 1)]
    top = 1 << bits - 1
    return [0, 1, 2, 7, 31, 63 % (2 * top), top - 1, top, top + 1, 2 * top - 1]


def vectors(row, count, size=BYTES):
    """Operands as bytes: pairs of special values, then random ones, of which floats are often near powers of 2, and
    integers have few bits."""
    bits = row.operands[0] or 64
    special = special_values(row)
    per = size * 8 // bits
    pairs = list(itertools.product(special, special))
    for k in range(0, len(pairs), per):
        group = (pairs[k : k + per] * per)[:per]
        lanes = [v for v, _ in group], [v for _, v in group], [v for _, v in reversed(group)]
        yield b"".join(v.to_bytes(bits // 8, "little") for operand in lanes for v in operand)
    for _ in range(count):
        data, step = bytearray(random.randbytes(3 * size)), bits // 8
        if not row.is_float and bits >= 32 and random.random() < 0.5:
            for at in range(0, len(data), step):
                value = int.from_bytes(data[at : at + step], "little") >> random.randrange(bits)
                low = random.randrange(bits)
                data[at : at + step] = (value >> low << low).to_bytes(step, "little")
        if row.is_float and random.random() < 0.75:
            f = x86.FRACTION[bits]
            for at in range(0, len(data), step):
                value = int.from_bytes(data[at : at + step], "little")
                exponent = (1 << bits - f - 2) - 1 + random.randint(-f - 3, f + 10)
                value = value & ~((1 << bits - 1) - (1 << f)) | exponent << f
                data[at : at + step] = (value & ~((1 << random.randint(0, f)) - 1)).to_bytes(step, "little")
        yield bytes(data)


def is_allowed(lane, bits, got):
    """Returns whether a model's lane for known operands can be `got`. Its bits may be variables."""
    value, poison = strip(lane)
    assert not poison
    if not isinstance(value, int):
        value = z3.simplify(solve.Translation().of(value, bits))  # floating-point conversions are not folded
        return value.as_long() == got if z3.is_bv_value(value) else z3.Solver().check(value == got) == z3.sat
    return value == got


def lanes_of(data, bits, count):
    """Lanes in memory."""
    whole = int.from_bytes(data, "little")
    return [whole >> k * bits & terms.mask(bits) for k in range(count)]


def operands_of(row, data):
    """The operands in the bytes of three vectors."""
    size = len(data) // 3
    return [
        lanes_of(data[k * size : (k + 1) * size], bits, size * 8 // bits // row.part)
        if bits
        else lanes_of(data, 64, 1)[0]
        for k, bits in enumerate(row.operands)
    ]


def model_results(model, name, row, operands, flush):
    """The lanes that a model gives."""
    count = len(operands[0]) if row.operands[0] else 1
    lane, result = Type("int", row.operands[0]), Type("int", row.result)
    if row.operands[0]:
        result = Type("vector", row.result, max(count, 128 // row.result), (result,))
    call = SimpleNamespace(type=result, types=[Type("vector", lane.bits, count, (lane,))], text=name)
    found = model(SimpleNamespace(flush=flush, nearest=lambda: None), call, [*operands, *row.extra], None)
    return found if isinstance(found, list) else [found]


def check(models, name, row, data, results, flush):
    """Compares a model with an instruction: results(k, count) are the lanes that it gives for vector k of the data.
    Returns whether they agree."""
    for k, operands in enumerate(data):
        try:
            want = model_results(models[name], name, row, operands_of(row, operands), flush)
        except terms.Refused:
            return flush  # this state has no model
        got = results(k, len(want))
        if not all(is_allowed(x, row.result, y) for x, y in zip(want, got, strict=True)):
            print(f"{name} {row.extra} {'with DAZ' if flush else ''}: {operands.hex()}: {want}, not {got}")
            return False
    return True


def of_x86(models):
    """The names of models of x86 instructions that have a result."""
    return {n for n in models if n.startswith("llvm.x86.")} - WITHOUT_RESULT


def missing(models, rows):
    """Prints the names of models without a row, and of rows without a model. Returns whether there are any."""
    names = models ^ {name for name, _ in rows}
    if names:
        print(f"models or instructions are missing: {' '.join(sorted(names))}")
    return bool(names)


def check_on_cpu(program, models, number, name, row, machine, count):
    """Compares a model with function `number` of a program, with and without flushing of subnormal operands. Returns
    whether they agree."""
    agree = True
    for flush in (False, True) if row.is_float else (False,):
        data, size = list(vectors(row, count, machine.size)), machine.size
        output = run(program, number, data, flush)
        parts = [output[k : k + size] for k in range(0, len(output), size)]
        agree &= check(models, name, row, data, lambda k, n, parts=parts: lanes_of(parts[k], row.result, n), flush)
    return agree


def number_of_vectors():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=500, metavar="N")
    return options.parse_args().count


def main():
    count = number_of_vectors()
    rows = [(f"llvm.x86.{name}", row) for name, group in INSTRUCTIONS.items() for row in group]
    if missing(of_x86(x86.INTRINSICS), rows):
        return 1
    if " avx2 " not in Path("/proc/cpuinfo").read_text():
        print("skipped: this CPU has no AVX2")
        return 0
    program = build("instructions", [row for _, row in rows], X86, FLAGS)
    wrong = sum(not check_on_cpu(program, x86.INTRINSICS, k, *row, X86, count) for k, row in enumerate(rows))
    print(f"{len(rows)} models of instructions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
