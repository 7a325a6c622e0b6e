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
import z3
from compiler import CLANG
from ir import Type
from values import strip

import x86

BUILD = Path("build/proof")
BYTES = 32
ALL_ONES = 0xFFFFFFFFFFFFFFFF
WITHOUT_RESULT = {"llvm.x86.sse.sfence", "llvm.x86.avx.vzeroupper"}
FLOATS = {
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
    the result; whether its lanes are floats."""

    code: str
    operands: tuple
    result: int
    is_float: bool = False
    extra: tuple = ()  # operands that are known, such as a rounding direction


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
    return Row(f"_mm256_zextsi128_si256({call}(_mm256_castsi256_{kind}(a){', 0' if extra else ''}))", (bits,), result,
               True, extra)  # fmt: skip


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
        Row(scalar("_mm_testz_si128(_mm256_castsi256_si128(a), _mm256_castsi256_si128(b))", 32), (64, 64), 32)
    ],
    "bmi.pext.64": [
        Row(scalar(f"_pext_u64(_mm256_extract_epi64(a, 0), {m}u)", 64), (0,), 64, False, (m,)) for m in MASKS
    ],
    "bmi.pdep.64": [
        Row(scalar(f"_pdep_u64(_mm256_extract_epi64(a, 0), {m}u)", 64), (0,), 64, False, (m,)) for m in MASKS
    ],
    "avx.max.ps.256": [float_row("max", 32)],
    "avx.max.pd.256": [float_row("max", 64)],
    "avx.min.ps.256": [float_row("min", 32)],
    "avx.min.pd.256": [float_row("min", 64)],
    "avx.round.ps.256": [round_row(32, how) for how in (8, 9, 10, 11)],
    "avx.round.pd.256": [round_row(64, how) for how in (8, 9, 10, 11)],
    "avx.cvt.pd2.ps.256": [narrowed("_mm256_cvtpd_ps", "pd", 64, 32)],
    "vcvtps2ph.256": [narrowed("_mm256_cvtps_ph", "ps", 32, 16, (0,))],
    "avx.cvt.ps2dq.256": [Row("_mm256_cvtps_epi32(_mm256_castsi256_ps(a))", (32,), 32, True)],
    "avx.cvtt.ps2dq.256": [Row("_mm256_cvttps_epi32(_mm256_castsi256_ps(a))", (32,), 32, True)],
    "avx.cvt.pd2dq.256": [narrowed("_mm256_cvtpd_epi32", "pd", 64, 32)],
    "avx.cvtt.pd2dq.256": [narrowed("_mm256_cvttpd_epi32", "pd", 64, 32)],
}

PROGRAM = """
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
%s
static __m256i (*const instructions[])(__m256i, __m256i, __m256i) = {%s};
int main(int argc, char **argv) {
    __m256i in[3], out;
    if (argc != 3) return 2;
    if (atoi(argv[2])) _mm_setcsr(_mm_getcsr() | 0x40); /* DAZ */
    while (fread(in, sizeof in, 1, stdin) == 1) {
        out = instructions[atoi(argv[1])](in[0], in[1], in[2]);
        fwrite(&out, sizeof out, 1, stdout);
    }
    return 0;
}
"""


def build(rows):
    """Compiles a program whose function k is the instruction of row k."""
    functions = [
        f"static __m256i f{k}(__m256i a, __m256i b, __m256i c) {{ return {r.code}; }}" for k, r in enumerate(rows)
    ]
    text = PROGRAM % ("\n".join(functions), ", ".join(f"f{k}" for k in range(len(rows))))
    BUILD.mkdir(parents=True, exist_ok=True)
    source, program = BUILD / "instructions.c", BUILD / "instructions"
    source.write_text(text)
    flags = ["-mavx2", "-mf16c", "-mbmi2", "-O1", "-Wno-unused-parameter"]
    subprocess.run([CLANG, *flags, "-o", str(program), str(source)], check=True)
    return program


def special_values(row):
    bits = row.operands[0] or 64
    if row.is_float:
        return [v | s << bits - 1 for v in FLOATS[bits] for s in (0, 1)]
    top = 1 << bits - 1
    return [0, 1, 2, 7, 31, 63 % (2 * top), top - 1, top, top + 1, 2 * top - 1]


def vectors(row, count):
    """Operands as bytes: pairs of special values, then random ones, of which floats are often near powers of 2."""
    bits = row.operands[0] or 64
    special = special_values(row)
    per = BYTES * 8 // bits
    pairs = list(itertools.product(special, special))
    for k in range(0, len(pairs), per):
        group = (pairs[k : k + per] * per)[:per]
        lanes = [v for v, _ in group], [v for _, v in group], [v for _, v in reversed(group)]
        yield b"".join(v.to_bytes(bits // 8, "little") for operand in lanes for v in operand)
    for _ in range(count):
        data = bytearray(random.randbytes(3 * BYTES))
        if row.is_float and random.random() < 0.75:
            step, f = bits // 8, x86.FRACTION[bits]
            for at in range(0, len(data), step):
                value = int.from_bytes(data[at : at + step], "little")
                exponent = (1 << bits - f - 2) - 1 + random.randint(-f - 3, f + 10)
                value = value & ~((1 << bits - 1) - (1 << f)) | exponent << f
                data[at : at + step] = (value & ~((1 << random.randint(0, f)) - 1)).to_bytes(step, "little")
        yield bytes(data)


def value_of(lane, bits):
    """The value of a lane whose operands are known: the terms of floating-point conversions are not folded."""
    value, poison = strip(lane)
    assert not poison
    return value if isinstance(value, int) else z3.simplify(solve.Translation().of(value, bits)).as_long()


def model_results(name, row, data, flush):
    """What the model gives for three vectors, as bytes."""

    def lanes(at, bits):
        size = 16 if name == "sse41.ptestz" else BYTES
        step = bits // 8
        return [int.from_bytes(data[k : k + step], "little") for k in range(at, at + size, step)]

    arguments = [
        lanes(k * BYTES, bits) if bits else int.from_bytes(data[:8], "little") for k, bits in enumerate(row.operands)
    ]
    count = len(arguments[0]) if isinstance(arguments[0], list) else 1
    if row.operands[0] and row.operands[0] > row.result and "pack" in name:
        count *= 2
    kind = Type("vector", row.result, count, (Type("int", row.result),))
    operand = Type("vector", row.operands[0], 1, (Type("int", row.operands[0]),))
    if not row.operands[0]:
        kind = Type("int", row.result)
    call = SimpleNamespace(type=kind, types=[operand], text=name)
    model = x86.INTRINSICS[f"llvm.x86.{name}"]
    result = model(SimpleNamespace(flush=flush), call, [*arguments, *row.extra], None)
    result = result if isinstance(result, list) else [result]
    return b"".join(value_of(lane, row.result).to_bytes(row.result // 8, "little") for lane in result).ljust(
        BYTES, b"\0"
    )


def check(program, number, name, row, count, flush):
    """Compares a model with its instruction. Returns whether they agree."""
    data = list(vectors(row, count))
    run = subprocess.run(
        [str(program), str(number), str(int(flush))], input=b"".join(data), check=True, capture_output=True
    )
    for k, operands in enumerate(data):
        got = run.stdout[k * BYTES : (k + 1) * BYTES]
        try:
            want = model_results(name, row, operands, flush)
        except x86.Refused:
            return True  # this state has no model
        if got != want:
            print(f"{name} {row.extra} {'with DAZ' if flush else ''}: {operands.hex()}: {want.hex()}, not {got.hex()}")
            return False
    return True


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=500, metavar="N")
    count = options.parse_args().count
    modelled = {n for n in x86.INTRINSICS if n.startswith("llvm.x86.")} - WITHOUT_RESULT
    missing = modelled ^ {f"llvm.x86.{n}" for n in INSTRUCTIONS}
    if missing:
        print(f"models or instructions are missing: {' '.join(sorted(missing))}")
        return 1
    if " avx2 " not in Path("/proc/cpuinfo").read_text():
        print("skipped: this CPU has no AVX2")
        return 0
    rows = [(name, row) for name, group in INSTRUCTIONS.items() for row in group]
    program = build([row for _, row in rows])
    wrong = 0
    for number, (name, row) in enumerate(rows):
        for flush in (False, True) if row.is_float else (False,):
            wrong += not check(program, number, name, row, count, flush)
    print(f"{len(rows)} models of instructions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
