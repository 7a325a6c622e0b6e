# SPDX-License-Identifier: MIT
"""test_x86_512.py [--count N]: compares each model of x86_512.py with the instruction, on special and on N random
vectors.

Where the CPU lacks AVX-512 or an extension of it, each half of a vector is compared with the instruction of AVX2 that
does the same, if there is one, and otherwise the result with a few lines of Python. It prints this."""

import math
import re
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import x86_512
from terms import mask
from test_x86 import BYTES as HALF_BYTES
from test_x86 import (
    FLAGS,
    MXCSR,
    X86,
    Machine,
    Row,
    build,
    check,
    check_on_cpu,
    lanes_of,
    missing,
    number_of_vectors,
    of_x86,
    operands_of,
    run,
    vectors,
)
from values import EXPONENT, QUIET

import x86

BYTES = 64
X86_512 = Machine("immintrin.h", "__m512i", BYTES, MXCSR)
FLAGS_512 = ("-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mbmi2")
NEEDED = {"avx512f", "avx512bw", "avx512dq", "avx512vl"}
IN_CPUINFO = {"avx512fp16": "avx512_fp16"}  # the other extensions have the compiler's names
SAE = 8  # suppress all exceptions
DIRECTIONS = (8, 9, 10, 11)
KINDS = {16: "ph", 32: "ps", 64: "pd"}


@dataclass
class WideRow(Row):
    """An instruction of 64 bytes, and what else gives its result: `half`, the C expression for the 32 bytes of AVX2,
    with `how`, the direction in the CPU's state; or `meaning`, a function of lists of lanes."""

    half: str = ""
    how: int = 0
    meaning: object = None


# ---- what instructions give, in Python ----


def each(function):
    return lambda *operands: [function(*lanes) for lanes in zip(*operands, strict=True)]


def number(a, bits):
    """A float as a Fraction, an infinity as a float, or None for a NaN."""
    f, bias = x86.FRACTION[bits], x86.exponent_bias(bits)
    sign, exponent, fraction = -1 if a >> bits - 1 else 1, a >> f & mask(bits - f - 1), a & mask(f)
    if exponent == mask(bits - f - 1):
        return None if fraction else sign * math.inf
    significand = fraction | (1 << f if exponent else 0)
    return sign * significand * Fraction(2) ** (max(exponent, 1) - bias - f)


def rounded(x, how):
    """A Fraction as an integer, in a direction of the CPU's state."""
    return (round, math.floor, math.ceil, math.trunc)[how](x)


def to_unsigned(source, target, how):
    def one(a):
        x = number(a, source)
        n = -1 if x is None or isinstance(x, float) else rounded(x, how)
        return n if 0 <= n <= mask(target) else mask(target)

    return each(one)


def from_unsigned(target, how):
    f, bias = x86.FRACTION[target], x86.exponent_bias(target)

    def one(n):
        if n == 0:
            return 0
        exponent = n.bit_length() - 1
        return (exponent + bias - 1 << f) + rounded(n * Fraction(2) ** (f - exponent), how)

    return each(one)


def extremum(is_max, bits):
    """VMAXPH and VMINPH: the second operand if both are zeros, or if one is a NaN."""

    def one(a, b):
        x, y = number(a, bits), number(b, bits)
        ordered = x is not None and y is not None
        return a if ordered and (x > y if is_max else x < y) else b

    return each(one)


def range_of_two(is_max, bits):
    def one(a, b):
        for s in (a, b):
            if number(s, bits) is None and s | QUIET[bits] != s:
                return s | QUIET[bits]
        x, y = number(a, bits), number(b, bits)
        if x is None or y is None:
            return a if y is None else b
        return (max if is_max else min)((x, -(a >> bits - 1), a), (y, -(b >> bits - 1), b))[2]

    return each(one)


def is_nan(bits):
    return each(lambda a: int(a & mask(bits - 1) > EXPONENT[bits]))


def ternary(function):
    def one(a, b, c):
        return sum((function >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k for k in range(32))

    return each(one)


def permuted(table, indices):
    return [table[k % len(table)] for k in indices]


def permuted_two(first, indices, second):
    return permuted(first + second, indices)


def multishifted(starts, data):
    found = []
    for k, start in enumerate(starts):
        whole = sum(byte << 8 * j for j, byte in enumerate(data[k // 8 * 8 : k // 8 * 8 + 8]))
        found.append((whole << 64 | whole) >> start % 64 & 255)
    return found


# ---- the instructions ----


def cast(expression, bits):
    return f"_mm512_castsi512_{KINDS[bits]}({expression})"


def wide(expression, bits=512):
    """A vector of integers of 512 bits, from a shorter one."""
    return f"_mm512_zextsi{bits}_si512({expression})" if bits < 512 else expression


def of_floats(call, bits, count, more, **other):
    """The name of an instruction of floats, which clang's functions have in the middle: _mm512_NAME_ps."""
    operands = ", ".join([cast(o, bits) for o in "abc"[:count]] + more)
    code = f"_mm512_cast{KINDS[bits]}_si512(_mm512_{call}_{KINDS[bits]}({operands}))"
    return WideRow(code, (bits,) * count, bits, True, **other)


def max_min(name, bits):
    if bits == 16:
        meaning = extremum(name == "max", bits)
        return [of_floats(f"{name}_round", 16, 2, ["8"], extra=(SAE,), target="avx512fp16", meaning=meaning)]
    kind = KINDS[bits]
    half = f"_mm256_cast{kind}_si256(_mm256_{name}_{kind}(_mm256_castsi256_{kind}(a), _mm256_castsi256_{kind}(b)))"
    return [of_floats(f"{name}_round", bits, 2, ["8"], extra=(SAE,), half=half)]


def range_rows(bits):
    return [
        of_floats("range_round", bits, 2, [str(what), "8"], extra=(what, None, mask(512 // bits), SAE),
                  meaning=range_of_two(what == x86_512.RANGE_MAX, bits))
        for what in (x86_512.RANGE_MIN, x86_512.RANGE_MAX)
    ]  # fmt: skip


KEEPS_NANS = 0x11111100  # the table with which kernels use fixupimm


def fixup_row(bits):
    def one(a, b):
        return a if number(b, bits) is None else b

    tables = f"_mm512_set1_epi{bits}({KEEPS_NANS})"
    extra = ([KEEPS_NANS] * (512 // bits), 0, mask(512 // bits), SAE)
    return of_floats("fixupimm_round", bits, 2, [tables, "0", "8"], extra=extra, meaning=each(one))


def class_row(bits, size):
    call = f"_mm{size}_fpclass_{KINDS[bits]}_mask"
    operand = cast("a", bits) if size == 512 else f"_mm256_castsi256_{KINDS[bits]}(_mm512_castsi512_si256(a))"
    code = wide(f"_mm_cvtsi32_si128({call}({operand}, {x86_512.QUIET_OR_SIGNALING}))", 128)
    return WideRow(code, (bits,), 1, True, (x86_512.QUIET_OR_SIGNALING,), 512 // size, meaning=is_nan(bits))


def integral_rows(bits):
    kind, rows = KINDS[bits], []
    for how in DIRECTIONS:
        half = f"_mm256_cast{kind}_si256(_mm256_round_{kind}(_mm256_castsi256_{kind}(a), {how}))"
        extra = (how, None, mask(512 // bits), SAE)
        rows.append(of_floats("roundscale_round", bits, 1, [str(how), "8"], extra=extra, half=half))
    return rows


# The functions of clang for conversions: the types there, and whether the source or the result is unsigned.
TYPES = {"ps": 32, "pd": 64, "ph": 16, "epi32": 32, "epu32": 32, "epi64": 64, "epu64": 64}
HALVES = {
    ("ps", "ph"): "_mm256_zextsi128_si256(_mm256_cvtps_ph(_mm256_castsi256_ps(a), %d))",
    ("pd", "ps"): "_mm256_zextsi128_si256(_mm_castps_si128(_mm256_cvtpd_ps(_mm256_castsi256_pd(a))))",
    ("ph", "ps"): "_mm256_castps_si256(_mm256_cvtph_ps(_mm256_castsi256_si128(a)))",
    ("ps", "pd"): "_mm256_castpd_si256(_mm256_cvtps_pd(_mm_castsi128_ps(_mm256_castsi256_si128(a))))",
    ("ps", "epi32"): "_mm256_cvtps_epi32(_mm256_castsi256_ps(a))",
    ("pd", "epi32"): "_mm256_zextsi128_si256(_mm256_cvtpd_epi32(_mm256_castsi256_pd(a)))",
    ("ps", "epi64"): "s64_of_ps(a)",
    ("pd", "epi64"): "s64_of_pd(a)",
    ("epi32", "ps"): "_mm256_castps_si256(_mm256_cvtepi32_ps(a))",
    ("epi64", "ps"): "ps_of_s64(a)",
    ("epi64", "pd"): "pd_of_s64(a)",
}
HELPERS = """
static vec s64_of_ps(vec a) {
    union { vec v; float f[8]; long long n[4]; } x = {a}, y;
    for (int i = 0; i < 4; ++i) y.n[i] = _mm_cvtss_si64(_mm_set_ss(x.f[i]));
    return y.v;
}
static vec s64_of_pd(vec a) {
    union { vec v; double f[4]; long long n[4]; } x = {a}, y;
    for (int i = 0; i < 4; ++i) y.n[i] = _mm_cvtsd_si64(_mm_set_sd(x.f[i]));
    return y.v;
}
static vec ps_of_s64(vec a) {
    union { vec v; long long n[4]; float f[8]; } x = {a}, y = {_mm256_setzero_si256()};
    for (int i = 0; i < 4; ++i) y.f[i] = _mm_cvtss_f32(_mm_cvtsi64_ss(_mm_setzero_ps(), x.n[i]));
    return y.v;
}
static vec pd_of_s64(vec a) {
    union { vec v; long long n[4]; double f[4]; } x = {a}, y;
    for (int i = 0; i < 4; ++i) y.f[i] = _mm_cvtsd_f64(_mm_cvtsi64_sd(_mm_setzero_pd(), x.n[i]));
    return y.v;
}
"""


def conversion_row(source, target, how, extra):
    """An instruction that converts `source` to `target`, in a direction or with SAE only. extra: without the mask."""
    a, b = TYPES[source], TYPES[target]
    count = 512 // max(a, b)
    operand = "a" if count * a == 512 else "_mm512_castsi512_si256(a)"
    if source in ("ps", "pd"):
        operand = f"_mm{count * a}_castsi{count * a}_{source}({operand})"
    result = f"_mm512_cvt_round{source}_{target}({operand}, {how})"
    if target in ("ps", "pd"):
        result = f"_mm{count * b}_cast{target}_si{count * b}({result})"
    half, meaning = HALVES.get((source, target), ""), None
    if not half:
        is_result = target.startswith("epu")
        meaning = to_unsigned(a, b, how & 3) if is_result else from_unsigned(b, how & 3)
    extra = tuple(mask(count) if e == "mask" else e for e in extra)
    half = half % (how & 3) if "%" in half else half
    part = 512 // (count * a) if a < b else 1
    return WideRow(
        wide(result, count * b), (a,), b, source in ("ph", "ps", "pd"), extra, part, "", half, how & 3, meaning
    )


def conversion_rows(source, target, extra):
    return [conversion_row(source, target, how, [how if e == "how" else e for e in extra]) for how in DIRECTIONS]


TO = {"dq": "epi32", "udq": "epu32", "qq": "epi64", "uqq": "epu64"}
FROM = {"sitofp.round.v16f32.v16i32": ("epi32", "ps"), "uitofp.round.v16f32.v16i32": ("epu32", "ps"),
        "sitofp.round.v8f32.v8i64": ("epi64", "ps"), "uitofp.round.v8f32.v8i64": ("epu64", "ps"),
        "sitofp.round.v8f64.v8i64": ("epi64", "pd"), "uitofp.round.v8f64.v8i64": ("epu64", "pd")}  # fmt: skip


def in_halves(name, operands, result):
    """The row of an integer instruction that AVX2 has, too."""
    return [WideRow(f"_mm512_{name}(a, b)", operands, result, half=f"_mm256_{name}(a, b)")]


def of_integers(code, operands, result, meaning, extra=(), part=1, target=""):
    return [WideRow(code, operands, result, False, extra, part, target, meaning=meaning)]


LOW = "_mm512_castsi512_si256({})"
INSTRUCTIONS = {
    "pavg.b.512": in_halves("avg_epu8", (8, 8), 8),
    "pmaddubs.w.512": in_halves("maddubs_epi16", (8, 8), 16),
    "packsswb.512": in_halves("packs_epi16", (16, 16), 8),
    "packuswb.512": in_halves("packus_epi16", (16, 16), 8),
    "pshuf.b.512": in_halves("shuffle_epi8", (8, 8), 8),
    "psrlv.w.512": of_integers("_mm512_srlv_epi16(a, b)", (16, 16), 16, each(lambda a, n: a >> min(n, 16))),
    "permvar.hi.256": of_integers(
        wide(f"_mm256_permutexvar_epi16({LOW.format('b')}, {LOW.format('a')})", 256), (16, 16), 16, permuted, part=2
    ),
    "permvar.hi.512": of_integers("_mm512_permutexvar_epi16(b, a)", (16, 16), 16, permuted),
    "permvar.si.512": of_integers("_mm512_permutexvar_epi32(b, a)", (32, 32), 32, permuted),
    "permvar.qi.512": of_integers("_mm512_permutexvar_epi8(b, a)", (8, 8), 8, permuted, target="avx512vbmi"),
    "vpermi2var.hi.512": of_integers("_mm512_permutex2var_epi16(a, b, c)", (16, 16, 16), 16, permuted_two),
    "vpermi2var.qi.512": of_integers(
        "_mm512_permutex2var_epi8(a, b, c)", (8, 8, 8), 8, permuted_two, target="avx512vbmi"
    ),
    "pmultishift.qb.256": of_integers(
        wide(f"_mm256_multishift_epi64_epi8({LOW.format('a')}, {LOW.format('b')})", 256),
        (8, 8),
        8,
        multishifted,
        part=2,
        target="avx512vbmi",
    ),
    "pmultishift.qb.512": of_integers(
        "_mm512_multishift_epi64_epi8(a, b)", (8, 8), 8, multishifted, target="avx512vbmi"
    ),
    "pternlog.d.512": [
        row
        for f in (88, 120, 128, 174, 202, 216, 242, 248, 0, 255, 1, 105, 150, 170, 204, 240)
        for row in of_integers(f"_mm512_ternarylogic_epi32(a, b, c, {f})", (32, 32, 32), 32, ternary(f), (f,))
    ],
    "mask.pmov.qb.512": of_integers(
        wide("_mm512_cvtepi64_epi8(a)", 128), (64,), 8, lambda a: [x & 255 for x in a] + [0] * 8, (None, 255)
    ),
    **{f"{name}.{kind}.512": max_min(name, bits) for name in ("max", "min") for bits, kind in KINDS.items()},
    "mask.range.ps.512": range_rows(32),
    "mask.range.pd.512": range_rows(64),
    "mask.fixupimm.ps.512": [fixup_row(32)],
    "mask.fixupimm.pd.512": [fixup_row(64)],
    "fpclass.ps.256": [class_row(32, 256)],
    "fpclass.pd.512": [class_row(64, 512)],
    "mask.rndscale.ps.512": integral_rows(32),
    "mask.rndscale.pd.512": integral_rows(64),
    "mask.vcvtps2ph.512": conversion_rows("ps", "ph", ("how", None, "mask")),
    "mask.cvtpd2ps.512": conversion_rows("pd", "ps", (None, "mask", "how")),
    "mask.vcvtph2ps.512": [conversion_row("ph", "ps", SAE, (None, "mask", SAE))],
    "mask.cvtps2pd.512": [conversion_row("ps", "pd", SAE, (None, "mask", SAE))],
    **{
        f"mask.cvt{source}2{name}.512": conversion_rows(source, target, (None, "mask", "how"))
        for source in ("ps", "pd")
        for name, target in TO.items()
    },
    **{name: conversion_rows(*types, ("how",)) for name, types in FROM.items()},
}


def in_models(name):
    """The key of an instruction in INTRINSICS, without the types at its end if one model covers them all."""
    return re.sub(r"(?<=round)\..*", "", f"llvm.x86.avx512{'fp16' if '.ph.' in name else ''}.{name}")


def check_otherwise(program, number, name, row, count):
    """Compares a model with the instruction of AVX2 that does the same with each half, or with its meaning."""
    agree = True
    for flush in (False, True) if row.is_float and row.half else (False,):
        data = list(vectors(row, count, BYTES))
        if row.half:
            outputs = [run(program, number, halves(row, data, at), flush, row.how) for at in (0, 1)]

            def results(k, n, outputs=outputs):
                return [lane for o in outputs for lane in lanes_of(o[k * HALF_BYTES :], row.result, n // 2)]
        else:

            def results(k, n, data=data):
                return row.meaning(*operands_of(row, data[k]))

        agree &= check(x86_512.INTRINSICS, name, row, data, results, flush)
    return agree


def halves(row, data, at):
    """The first or second halves of the operands of vectors."""
    size = HALF_BYTES // row.part
    return [
        b"".join(one[k + at * size : k + (at + 1) * size].ljust(HALF_BYTES, b"\0") for k in range(0, 3 * BYTES, BYTES))
        for one in data
    ]


def main():
    count, words = number_of_vectors(), Path("/proc/cpuinfo").read_text().split()
    rows = [(in_models(name), row) for name, group in INSTRUCTIONS.items() for row in group]
    if missing(of_x86(x86_512.INTRINSICS), rows):
        return 1
    is_here = [
        {*NEEDED, *([IN_CPUINFO.get(row.target, row.target)] if row.target else ())} <= {*words} for _, row in rows
    ]
    program = build("instructions_512", [row for _, row in rows], X86_512, FLAGS_512)
    other = [Row(row.half or "a", row.operands, row.result) for _, row in rows]
    emulation = build("instructions_512_in_halves", other, X86, FLAGS, HELPERS)
    wrong = skipped = 0
    for k, (name, row) in enumerate(rows):
        if is_here[k]:
            wrong += not check_on_cpu(program, x86_512.INTRINSICS, k, name, row, X86_512, count)
        else:
            skipped += 1
            wrong += not check_otherwise(emulation, k, name, row, count)
    if skipped:
        print(f"skipped: this CPU lacks {skipped} of {len(rows)} instructions of AVX-512; the models of {skipped} were "
              "compared with instructions of AVX2 or with Python instead")  # fmt: skip
    print(f"{len(rows)} models of instructions of AVX-512, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
