/* SPDX-License-Identifier: MIT */
/* Runs PTX as compilers and users write it. The expected results were computed by hand from the PTX ISA, and
 * for conversions from the known behaviour of tools and chips. */
#include "program/example.h"
#include "program/program_tests.h"

static const struct example table[] = {
    {.title =
         "packed halves: the sum of both in both", /* 65504 + 16 is a tie: infinity; inf - inf is a NaN */
     .text = "{ .reg .b16 lo, hi;\n"
             "mov.b32 {lo, hi}, %r1;\n"
             "add.f16 lo, lo, hi;\n"
             "mov.b32 %r2, {lo, lo}; }\n",
     .lanes = 6,
     .in = {{"%r1", PTO_B32, 6, {0x40803e00, 0x4c007bff, 0x4b807bff, 0xfc007c00, 0x80008000, 0x80010001}}},
     .out = {{"%r2", PTO_B32, 6, {0x43804380, 0x7c007c00, 0x7bff7bff, 0x7fff7fff, 0x80008000, 0}}}},
    {.title =
         "relu of two halves", /* max ignores a NaN operand, while max.NaN returns that NaN; -0 becomes +0 */
     .text = ".reg .b32 %r<4>; mov.b32 %r0, 0;\n"
             "max.f16x2 %r2, %r1, %r0;\n"
             "max.NaN.f16x2 %r3, %r1, %r0;\n",
     .lanes = 4,
     .in = {{"%r1", PTO_B32, 4, {0x8000bc00, 0x7e003c00, 0xfc007c00, 0x00018001}}},
     .out = {{"%r2", PTO_B32, 4, {0, 0x00003c00, 0x00007c00, 0x00010000}},
             {"%r3", PTO_B32, 4, {0, 0x7fff3c00, 0x00007c00, 0x00010000}}}},
    {.title = "fp8 and back",
     .text = "cvt.rn.satfinite.e4m3x2.f32 %rs1, %f2, %f1;\n"
             "cvt.rn.f16x2.e4m3x2 %r1, %rs1;\n"
             "mov.b32 {%h0, %h1}, %r1;\n"
             "cvt.f32.f16 %f3, %h0;\n"
             "cvt.f32.f16 %f4, %h1;\n",
     .lanes = 4,
     .in = {{"%f1", PTO_F32, 4, {0x3f880000, 0x43fa0000, 0x7fc00000, 0x80000000}},
            {"%f2", PTO_F32, 4, {0x3a800001, 0xff800000, 0x3f980000, 0x3a800000}}},
     .out = {{"%rs1", PTO_B16, 4, {0x0138, 0xfe7e, 0x3a7f, 0x0080}},
             {"%rs1", PTO_E4M3, 8, {0x38, 0x01, 0x7e, 0xfe, 0x7f, 0x3a, 0x80, 0x00}},
             {"%f3", PTO_F32, 4, {0x3f800000, 0x43e00000, 0x7fffffff, 0x80000000}},
             {"%f4", PTO_F32, 4, {0x3b000000, 0xc3e00000, 0x3fa00000, 0}}}},
    {.title =
         "MX: divided by a scale", /* both values have one scale; a subnormal is flushed; scale ff is a NaN */
     .text = ".reg .b8 scale;\n"
             "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 %rs1, %f2, %f1, scale;\n",
     .lanes = 4,
     .in = {{"%f1", PTO_F32, 4, {0x3f800000, 0x04800000, 0x3f800000, 0x00080000}},
            {"%f2", PTO_F32, 4, {0xbf800000, 0x80000000, 0xbf800000, 0x43e00000}},
            {"scale", PTO_UE8M0, 4, {0x77, 0x00, 0xff, 0x7f}}},
     .out = {{"%rs1", PTO_B16, 4, {0xf878, 0x807e, 0x7f7f, 0x7e00}}}},
    {.title = "MX: multiplied by two scales",
     .text = "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 %r1, %rs1, %rs2;",
     .lanes = 4,
     .in = {{"%rs1", PTO_E4M3, 8, {0x38, 0xb8, 0x7e, 0x7e, 0x05, 0x04, 0x38, 0x38}},
            {"%rs2", PTO_B16, 4, {0x807f, 0xf6f7, 0x0000, 0x00ff}}},
     .out = {{"%r1", PTO_B32, 4, {0xc0003f80, 0x7f607f80, 0x00000001, 0x00407fff}}}},
    {.title =
         "eight floats to e2m1", /* lane 0: 0.5 to 6, and 0; lane 1: ties, which are rounded to even, and a NaN */
     .text = "{\n.reg .b8 byte0;\n.reg .b8 byte1;\n.reg .b8 byte2;\n.reg .b8 byte3;\n"
             "cvt.rn.satfinite.e2m1x2.f32   byte0, %f2, %f1;\n"
             "cvt.rn.satfinite.e2m1x2.f32   byte1, %f4, %f3;\n"
             "cvt.rn.satfinite.e2m1x2.f32   byte2, %f6, %f5;\n"
             "cvt.rn.satfinite.e2m1x2.f32   byte3, %f8, %f7;\n"
             "mov.b32 %r0, {byte0, byte1, byte2, byte3};\n}",
     .lanes = 2,
     .in = {{"%f1", PTO_F32, 2, {0x3f000000, 0xbe800000}},
            {"%f2", PTO_F32, 2, {0x3f800000, 0x3e800001}},
            {"%f3", PTO_F32, 2, {0x3fc00000, 0x3fa00000}},
            {"%f4", PTO_F32, 2, {0x40000000, 0x3fe00000}},
            {"%f5", PTO_F32, 2, {0x40400000, 0x40200000}},
            {"%f6", PTO_F32, 2, {0x40800000, 0x40600000}},
            {"%f7", PTO_F32, 2, {0x40c00000, 0x40a00000}},
            {"%f8", PTO_F32, 2, {0x00000000, 0xffc00000}}},
     .out = {{"%r0", PTO_B32, 2, {0x07654321, 0x76644218}}}},
    {.title = "stochastic rounding to fp8",
     .text = "cvt.rs.satfinite.e4m3x4.f32 %r2, {%f1, %f1, %f1, %f1}, %r1;",
     .lanes = 3,
     .in = {{"%f1", PTO_F32, 3, {0x3f890000, 0x3f890000, 0x3f880000}},
            {"%r1", PTO_B32, 3, {0xf0f0f0f0, 0x12345678, 0x80000001}}},
     .out = {{"%r2", PTO_B32, 3, {0x38393839, 0x38383838, 0x38393938}}}},
    {.title = "which of four floats goes where", /* 1, 2, 4 and 6 are exact, so random bits have no effect */
     .text = "cvt.rs.satfinite.e4m3x4.f32 %r2, {%f1, %f2, %f3, %f4}, %r1;\n"
             "cvt.rs.satfinite.e2m1x4.f32 %rs1, {%f1, %f2, %f3, %f4}, %r1;\n",
     .lanes = 2,
     .in = {{"%f1", PTO_F32, 1, {0x3f800000}},
            {"%f2", PTO_F32, 1, {0x40000000}},
            {"%f3", PTO_F32, 1, {0x40800000}},
            {"%f4", PTO_F32, 2, {0x40c00000, 0xbf800000}},
            {"%r1", PTO_B32, 2, {0xffffffff, 0}}},
     .out = {{"%r2", PTO_B32, 2, {0x3840484c, 0x384048b8}}, {"%rs1", PTO_B16, 2, {0x2467, 0x246a}}}},
    {.title = "stochastic rounding to fp4, f16 and bf16",
     .text = "mov.b32 %r4, 0xf0f0f0f0; mov.b32 %r5, 0x0fff1000; mov.b32 %r6, 0x7fff8000;\n"
             "cvt.rs.satfinite.e2m1x4.f32 %rs1, {%f1, %f1, %f1, %f1}, %r4;\n"
             "cvt.rs.f16x2.f32 %r2, %f2, %f2, %r5;\n"
             "cvt.rs.bf16x2.f32 %r3, %f3, %f3, %r6;\n",
     .lanes = 1,
     .in = {{"%f1", PTO_F32, 1, {0x3f890000}},
            {"%f2", PTO_F32, 1, {0x3f801000}},
            {"%f3", PTO_F32, 1, {0x3f808000}}},
     .out = {{"%rs1", PTO_B16, 1, {0x2323}},
             {"%r2", PTO_B32, 1, {0x3c003c01}},
             {"%r3", PTO_B32, 1, {0x3f803f81}}}},
    {.title =
         "saxpy with a tail", /* lane 2: (1 + 2^-12)^2 - 1 is rounded once; lanes without a result are 0 */
     .text = "        .reg .pred      %p<2>;\n"
             "        .reg .f32       %f<5>;\n"
             "        .reg .b32       %r<3>;\n"
             "        mov.u32         %r1, %tid.x;\n"
             "        setp.ge.s32     %p1, %r1, %r2;\n"
             "        @%p1 bra        $L__BB0_2;\n\n"
             "        fma.rn.f32      %f4, %f1, %f2, %f3;\n\n"
             "$L__BB0_2:\n"
             "        ret;\n",
     .lanes = 4,
     .counts_lanes = true,
     .in = {{"%f1", PTO_F32, 4, {0x40200000, 0x40200000, 0x3f800800, 0x3f800000}},
            {"%f2", PTO_F32, 4, {0x3dcccccd, 0x40e00000, 0x3f800800, 0x3f800000}},
            {"%f3", PTO_F32, 4, {0x3eaaaaab, 0xc18c0000, 0xbf800000, 0x3f800000}},
            {"%r2", PTO_S32, 1, {3}}},
     .out = {{"%f4", PTO_F32, 4, {0x3f155556, 0x00000000, 0x3a000400, 0}}, {"%p1", PTO_B8, 4, {0, 0, 0, 1}}}},
    {.title = "signs by words", /* NaNs, also signalling ones, keep all other bits */
     .text = "mov.b32 %r1, %f1;\n"
             "and.b32 %r2, %r1, 0x7fffffff;\n"
             "mov.b32 %f2, %r2;\n"
             "xor.b32 %r3, %r1, -2147483648;\n"
             "mov.b32 %f3, %r3;\n"
             "shr.s32 %r4, %r1, 31;\n"
             "not.b32 %r5, %r4;\n"
             "and.b32 %r6, %r1, %r5; // relu, of -0 and NaNs with a sign too\n",
     .lanes = 4,
     .in = {{"%f1", PTO_F32, 4, {0xff800001, 0x80000000, 0x3f800000, 0x7fc12345}}},
     .out = {{"%f2", PTO_F32, 4, {0x7f800001, 0, 0x3f800000, 0x7fc12345}},
             {"%f3", PTO_F32, 4, {0x7f800001, 0, 0xbf800000, 0xffc12345}},
             {"%r6", PTO_B32, 4, {0, 0, 0x3f800000, 0x7fc12345}}}},
    {.title = "a step of argmax", /* if values are equal, the first one stays; a NaN in %f1 stays */
     .text = "setp.gt.f32 %p1, %f2, %f1;\n"
             "selp.f32 %f3, %f2, %f1, %p1;\n"
             "selp.b32 %r3, %r2, %r1, %p1;\n",
     .lanes = 5,
     .in = {{"%f1", PTO_F32, 5, {0x3f800000, 0x40000000, 0x7f800001, 0x80000000, 0x3f800000}},
            {"%f2", PTO_F32, 5, {0x40000000, 0x40000000, 0x3f800000, 0x00000000, 0x7fc00000}},
            {"%r1", PTO_U32, 5, {1, 2, 3, 4, 5}},
            {"%r2", PTO_U32, 1, {9}}},
     .out = {{"%f3", PTO_F32, 5, {0x40000000, 0x40000000, 0x7f800001, 0x80000000, 0x3f800000}},
             {"%r3", PTO_B32, 5, {9, 2, 3, 4, 5}}}},
    {.title = "slct", /* 0 and -0 select a, a NaN selects b; with .ftz, subnormal values select a */
     .text = "slct.f32.s32 %f3, %f1, %f2, %r1;\n"
             "slct.u32.f32 %r2, 11, 22, %f4;\n"
             "slct.ftz.u32.f32 %r3, 11, 22, %f4;\n",
     .lanes = 5,
     .in = {{"%f1", PTO_F32, 1, {0x7f800001}},
            {"%f2", PTO_F32, 1, {0xff812345}},
            {"%r1", PTO_S32, 5, {0, 1, 0x7fffffff, 0x80000000, 0xffffffff}},
            {"%f4", PTO_F32, 5, {0x80000000, 0x807fffff, 0x80800000, 0x7fc00000, 0x7f800000}}},
     .out = {{"%f3", PTO_F32, 5, {0x7f800001, 0x7f800001, 0x7f800001, 0xff812345, 0xff812345}},
             {"%r2", PTO_U32, 5, {11, 22, 22, 22, 11}},
             {"%r3", PTO_U32, 5, {11, 11, 22, 22, 11}}}},
    {.title = "clamp to 0 and 1",
     .text = "max.NaN.f32 %f2, %f1, 0f00000000;\n"
             "min.NaN.f32 %f2, %f2, 0f3F800000;\n"
             "max.f32 %f3, %f1, 0.0;\n"
             "min.f32 %f3, %f3, 1.0;\n",
     .lanes = 5,
     .in = {{"%f1", PTO_F32, 5, {0xffc00001, 0xff800000, 0x3f000000, 0x40000000, 0x80000001}}},
     .out = {{"%f2", PTO_F32, 5, {0x7fffffff, 0, 0x3f000000, 0x3f800000, 0}},
             {"%f3", PTO_F32, 5, {0, 0, 0x3f000000, 0x3f800000, 0}}}},
    {.title = "two bf16 as two floats, and packed again",
     .text = "shl.b32 %r2, %r1, 16;\n"
             "and.b32 %r3, %r1, 0xffff0000;\n"
             "mov.b32 %f1, %r2;\n"
             "mov.b32 %f2, %r3;\n"
             "cvt.rn.bf16x2.f32 %r4, %f2, %f1;\n",
     .lanes = 2,
     .in = {{"%r1", PTO_B32, 2, {0x3f80c000, 0x7fc08001}}},
     .out = {{"%f1", PTO_F32, 2, {0xc0000000, 0x80010000}},
             {"%f2", PTO_F32, 2, {0x3f800000, 0x7fc00000}},
             {"%r4", PTO_B32, 2, {0x3f80c000, 0x7fff8001}}}},
    {.title = "fma of bf16 pairs", /* 1.5 * 2 + 0.25; inf * 0 + 1; 256 + 1 rounds to 256, 256 + 3 to 260 */
     .text = "fma.rn.bf16x2 %r4, %r1, %r2, %r3;",
     .lanes = 2,
     .in = {{"%r1", PTO_B32, 2, {0x7f803fc0, 0x43804380}},
            {"%r2", PTO_B32, 2, {0x00004000, 0x3f803f80}},
            {"%r3", PTO_B32, 2, {0x3f803e80, 0x40403f80}}},
     .out = {{"%r4", PTO_B32, 2, {0x7fff4050, 0x43824380}}}},
    {.title = "a rotation of 64 bits",
     .text = "mov.b64 {%r1, %r2}, %rd1;\n"
             "shl.b64 %rd2, %rd1, 13;\n"
             "shr.u64 %rd3, %rd1, 51;\n"
             "or.b64 %rd4, %rd2, %rd3;\n"
             "mul.lo.s64 %rd5, %rd1, %rd2;\n",
     .lanes = 2,
     .in = {{"%rd1", PTO_B64, 2, {0x0123456789abcdef, 0x8000000000000001}}},
     .out = {{"%r1", PTO_B32, 2, {0x89abcdef, 1}},
             {"%r2", PTO_B32, 2, {0x01234567, 0x80000000}},
             {"%rd4", PTO_B64, 2, {0x68acf13579bde024, 0x3000}},
             {"%rd5", PTO_B64, 2, {0xbc41121e54a42000, 0x2000}}}},
    {.title = "masks by set",
     .text = "set.gt.u32.f32 %r1, %f1, %f2;\n"
             "and.b32 %r2, %r1, %r3;\n"
             "set.leu.u32.f16x2 %r4, %r5, %r6;\n"
             "set.lt.f32.s32 %f3, %r3, 0;\n",
     .lanes = 3,
     .in = {{"%f1", PTO_F32, 3, {0x3f800000, 0x7fc00000, 0xff800000}},
            {"%f2", PTO_F32, 1, {0x00000000}},
            {"%r3", PTO_B32, 3, {0x12345678, 0xffffffff, 0x80000000}},
            {"%r5", PTO_B32, 3, {0x3c007e00, 0x80004000, 0x00013c00}},
            {"%r6", PTO_B32, 3, {0x3c003c00, 0x00003c00, 0x00003c01}}},
     .out = {{"%r2", PTO_B32, 3, {0x12345678, 0, 0}},
             {"%r4", PTO_B32, 3, {0xffffffff, 0xffff0000, 0x0000ffff}},
             {"%f3", PTO_F32, 3, {0, 0x3f800000, 0x3f800000}}}},
    {.title = "if and else", /* -10 * 0.1 rounds to -1 */
     .text = "setp.gt.f32 %p1, %f1, 0f00000000;\n"
             "@%p1 bra POSITIVE;\n"
             "mul.f32 %f2, %f1, 0f3DCCCCCD;\n"
             "bra.uni DONE;\n"
             "POSITIVE:\n"
             "mov.f32 %f2, %f1;\n"
             "DONE: mov.b32 %r1, 5;\n",
     .lanes = 4,
     .in = {{"%f1", PTO_F32, 4, {0x40000000, 0xc1200000, 0x7f800001, 0x80000000}}},
     .out = {{"%f2", PTO_F32, 4, {0x40000000, 0xbf800000, 0x7fffffff, 0x80000000}},
             {"%r1", PTO_B32, 4, {5, 5, 5, 5}}}},
    {.title = "jumps over jumps, and threads that leave",
     .text = "setp.eq.s32 %p1, %r1, 0;\n"
             "@%p1 ret;\n"
             "setp.lt.s32 %p2, %r1, 0;\n"
             "@%p2 bra NEGATIVE;\n"
             "add.s32 %r2, %r1, 100;\n"
             "setp.gt.s32 %p2, %r1, 5;\n"
             "@%p2 bra END;\n"
             "add.s32 %r2, %r2, 1;\n"
             "bra END;\n"
             "NEGATIVE: sub.s32 %r2, %r1, 100;\n"
             "END: mul.lo.s32 %r3, %r2, 3;\n"
             "exit;\n"
             "mov.b32 %r3, 77;\n",
     .lanes = 4,
     .in = {{"%r1", PTO_S32, 4, {0, 5, 0xfffffffb, 6}}},
     .out = {{"%r2", PTO_S32, 4, {0, 106, 0xffffff97, 106}}, {"%r3", PTO_S32, 4, {0, 318, 0xfffffec5, 318}}}},
    {.title = "inline assembly twice, each with a p of its own",
     .text = "{ .reg .pred p; setp.ne.b32 p, %r1, 0; selp.b32 %r2, 1, 0, p; }\n"
             "{ .reg .pred p; setp.eq.b32 p, %r1, 5; selp.b32 %r3, 0x10, 010, !p; }\n",
     .lanes = 3,
     .in = {{"%r1", PTO_B32, 3, {0, 5, 6}}},
     .out = {{"%r2", PTO_B32, 3, {0, 1, 1}}, {"%r3", PTO_B32, 3, {16, 8, 16}}}},
    {.title = "constants of doubles",
     .text = "sub.f64 %fd2, %fd1, 0d3FF0000000000000;\n"
             "add.f64 %fd3, %fd1, -2.5e-1;\n"
             "max.f64 %fd4, %fd1, 0d0000000000000000;\n"
             "cvt.rn.f32.f64 %f1, %fd3;\n",
     .lanes = 2,
     .in = {{"%fd1", PTO_F64, 2, {0x4004000000000000, 0xbff0000000000000}}},
     .out = {{"%fd2", PTO_F64, 2, {0x3ff8000000000000, 0xc000000000000000}},
             {"%fd3", PTO_F64, 2, {0x4002000000000000, 0xbff4000000000000}},
             {"%fd4", PTO_F64, 2, {0x4004000000000000, 0}},
             {"%f1", PTO_F32, 2, {0x40100000, 0xbfa00000}}}},
    {.title = "integers at their ends",
     .text = "neg.s32 %r2, %r1; abs.s32 %r3, %r1; min.s32 %r4, %r1, -1; max.u32 %r5, %r1, 7;\n"
             "shl.b32 %r6, %r1, 32; shr.s32 %r7, %r1, 99; shr.u32 %r8, %r1, 31; shr.b32 %r9, %r1, 0;\n",
     .lanes = 3,
     .in = {{"%r1", PTO_S32, 3, {0x80000000, 0x7fffffff, 0xffffffff}}},
     .out = {{"%r2", PTO_S32, 3, {0x80000000, 0x80000001, 1}},
             {"%r3", PTO_S32, 3, {0x80000000, 0x7fffffff, 1}},
             {"%r4", PTO_S32, 3, {0x80000000, 0xffffffff, 0xffffffff}},
             {"%r5", PTO_U32, 3, {0x80000000, 0x7fffffff, 0xffffffff}},
             {"%r6", PTO_B32, 3, {0, 0, 0}},
             {"%r7", PTO_S32, 3, {0xffffffff, 0, 0xffffffff}},
             {"%r8", PTO_U32, 3, {1, 0, 1}},
             {"%r9", PTO_B32, 3, {0x80000000, 0x7fffffff, 0xffffffff}}}},
};

void snippets(void **state) {
    (void)state;
    examples_check(table, sizeof table / sizeof table[0]);
}
