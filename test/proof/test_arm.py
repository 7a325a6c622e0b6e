# SPDX-License-Identifier: MIT
"""test_arm.py [--count N]: compares each model of arm.py with the instruction, on special and on N random vectors.

The instructions run in qemu, or on the CPU if it is 64-bit Arm."""

import platform
import shutil
import sys

import arm
from compiler import ARM
from test_x86 import Machine, Row, build, check_on_cpu, missing, number_of_vectors

QEMU = "qemu-aarch64"
FPCR = """
static void set_state(int flush, unsigned direction) {
    unsigned long state = (flush ? 1ul << 24 : 0) | (unsigned long)direction << 22; /* 1 is up, and 2 down */
    __asm__ volatile("msr fpcr, %0" : : "r"(state));
}
"""


def as_type(kind, expression):
    """C code that casts a byte vector to elements of `kind`."""
    return f"vreinterpretq_{kind}_u8({expression})" if kind != "u8" else expression


def row(name, kind, count=2, is_float=False):
    """The Row of an instruction on elements of `kind`, such as 's16'."""
    bits = int(kind[1:])
    operands = ", ".join(as_type(kind, o) for o in "ab"[:count])
    code = f"{name}_{kind}({operands})"
    return Row(code if kind == "u8" else f"vreinterpretq_u8_{kind}({code})", (bits,) * count, bits, is_float)


def converted(name, source, target):
    """The Row of a conversion of floats to integers of equal width."""
    bits = int(source[1:])
    return Row(f"vreinterpretq_u8_{target}({name}_{target}_{source}({as_type(source, 'a')}))", (bits,), bits, True)


def narrowed(source, target):
    """The Row of a saturating conversion to half the width. The result is half a vector."""
    code = f"vqmovn_{source}({as_type(source, 'a')})"
    if target != "u8":
        code = f"vreinterpret_u8_{target}({code})"
    return Row(f"vcombine_u8({code}, vdup_n_u8(0))", (int(source[1:]),), int(target[1:]))


INSTRUCTIONS = {
    "addp": [row("vpaddq", "u8")],
    "sabd": [row("vabdq", "s16")],
    "smax": [row("vmaxq", f"s{bits}") for bits in (8, 16, 32)],
    "smin": [row("vminq", f"s{bits}") for bits in (8, 16, 32)],
    "umax": [row("vmaxq", f"u{bits}") for bits in (8, 16, 32)],
    "umin": [row("vminq", f"u{bits}") for bits in (8, 16, 32)],
    "tbl1": [Row("vqtbl1q_u8(a, b)", (8, 8), 8)],
    "fmax": [row("vmaxq", f"f{bits}", 2, True) for bits in (32, 64)],
    "fmin": [row("vminq", f"f{bits}", 2, True) for bits in (32, 64)],
    "vcvthf2fp": [
        Row("vreinterpretq_u8_f32(vcvt_f32_f16(vreinterpret_f16_u8(vget_low_u8(a))))", (16,), 32, True, part=2)
    ],
    "vcvtfp2hf": [
        Row(f"vcombine_u8(vreinterpret_u8_f16(vcvt_f16_f32({as_type('f32', 'a')})), vdup_n_u8(0))", (32,), 16, True)
    ],
    "uqxtn": [narrowed(f"u{2 * bits}", f"u{bits}") for bits in (8, 16, 32)],
    "sqxtn": [narrowed(f"s{2 * bits}", f"s{bits}") for bits in (8, 16, 32)],
    "ushl": [
        Row(f"vreinterpretq_u8_u32(vshlq_u32({as_type('u32', 'a')}, {as_type('s32', 'b')}))", (32, 32), 32)
    ],
    "uqadd": [row("vqaddq", "u16")],
    "facge": [
        Row(f"vreinterpretq_u8_u32(vcageq_f32({as_type('f32', 'a')}, {as_type('f32', 'b')}))", (32, 32), 32, True)
    ],
    **{
        f"fcvt{way}{sign}": [converted(f"vcvt{'' if way == 'z' else way}q", f"f{bits}", f"{sign}{bits}")
                             for bits in (32, 64)]
        for way in "nmpz"
        for sign in "su"
    },
}  # fmt: skip
ROUNDING = {"roundeven": "n", "floor": "m", "ceil": "p", "trunc": ""}


def all_rows():
    """Pairs (intrinsic's name, Row)."""
    rows = [(f"llvm.aarch64.neon.{name}", one) for name, group in INSTRUCTIONS.items() for one in group]
    return rows + [
        (f"llvm.{name}", row(f"vrnd{way}q", f"f{bits}", 1, True)) for name, way in ROUNDING.items() for bits in (32, 64)
    ]


def main():
    count, rows, is_arm = number_of_vectors(), all_rows(), platform.machine() == "aarch64"
    if missing(set(arm.INTRINSICS), rows):
        return 1
    if not is_arm and not shutil.which(QEMU):
        print(f"skipped: {QEMU} is not installed")
        return 0
    machine = Machine("arm_neon.h", "uint8x16_t", 16, FPCR, () if is_arm else (QEMU,))
    program = build("instructions_arm", [one for _, one in rows], machine, (*ARM, "-static"))
    wrong = sum(not check_on_cpu(program, arm.INTRINSICS, k, *one, machine, count) for k, one in enumerate(rows))
    print(f"{len(rows)} models of instructions of Arm, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
