/* SPDX-License-Identifier: MIT */
/* Tests the approximate instructions of PTX programs, and other instructions on floats: mixed precision,
 * f32x2, testp, copysign, division, and min and max of three sources. */
#include "program/example.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/values.h"

/* ---- approximations ---- */

/* Correctly rounded results, computed by mpmath with 400 bits. Operands are the ends of the range, large
 * angles, and for each function the four of 4000 random values whose results are nearest to the middle
 * between two f32. Special values follow. */
static const struct {
    const char *opcode;
    pto_dtype type;
    uint64_t a, result;
} facts[] = {
    {"ex2.approx.f32", PTO_F32, 0xc3160000, 0x0},
    {"ex2.approx.f32", PTO_F32, 0xc3150000, 0x1},
    {"ex2.approx.f32", PTO_F32, 0xc3158000, 0x1},
    {"ex2.approx.f32", PTO_F32, 0xc2fd0000, 0x5a827a},
    {"ex2.approx.f32", PTO_F32, 0xc2fc0000, 0x800000},
    {"ex2.approx.f32", PTO_F32, 0x42ff0000, 0x7f3504f3},
    {"ex2.approx.f32", PTO_F32, 0x3f000000, 0x3fb504f3},
    {"ex2.approx.f32", PTO_F32, 0xbe99999a, 0x3f4fefc6},
    {"ex2.approx.f32", PTO_F32, 0x322bcc77, 0x3f800000},
    {"ex2.approx.f32", PTO_F32, 0xb300d959, 0x3f800000},
    {"ex2.approx.f32", PTO_F32, 0x42ffffff, 0x7f7fffa7},
    {"ex2.approx.f32", PTO_F32, 0xbf7fffff, 0x3f000000},
    {"ex2.approx.f32", PTO_F32, 0x3eb83989, 0x3fa441e1},
    {"ex2.approx.f32", PTO_F32, 0x3ddb4852, 0x3f89dc70},
    {"ex2.approx.f32", PTO_F32, 0x3cb45daf, 0x3f81f7eb},
    {"ex2.approx.f32", PTO_F32, 0x3a424920, 0x3f8010d7},
    {"lg2.approx.f32", PTO_F32, 0x3f800001, 0x3438aa3a},
    {"lg2.approx.f32", PTO_F32, 0x3f7fffff, 0xb3b8aa3c},
    {"lg2.approx.f32", PTO_F32, 0x1, 0xc3150000},
    {"lg2.approx.f32", PTO_F32, 0x7f7fffff, 0x43000000},
    {"lg2.approx.f32", PTO_F32, 0x3f3504f3, 0xbf000000},
    {"lg2.approx.f32", PTO_F32, 0x3fb504f3, 0x3effffff},
    {"lg2.approx.f32", PTO_F32, 0x41200000, 0x40549a78},
    {"lg2.approx.f32", PTO_F32, 0x6ce3ee, 0xc2fc776f},
    {"lg2.approx.f32", PTO_F32, 0x40000000, 0x3f800000},
    {"lg2.approx.f32", PTO_F32, 0x40400000, 0x3fcae00d},
    {"lg2.approx.f32", PTO_F32, 0x4085848b, 0x4003e596},
    {"lg2.approx.f32", PTO_F32, 0x396b1c1e, 0xc141f707},
    {"lg2.approx.f32", PTO_F32, 0x405fb2d8, 0x3fe717c2},
    {"lg2.approx.f32", PTO_F32, 0x3b11a6d1, 0xc10d0498},
    {"sin.approx.f32", PTO_F32, 0x3f800000, 0x3f576aa4},
    {"sin.approx.f32", PTO_F32, 0x40490fdb, 0xb3bbbd2e},
    {"sin.approx.f32", PTO_F32, 0x64078678, 0xbf3becc4},
    {"sin.approx.f32", PTO_F32, 0x7f7fffff, 0xbf0599b3},
    {"sin.approx.f32", PTO_F32, 0x38fba882, 0x38fba882},
    {"sin.approx.f32", PTO_F32, 0xb900f990, 0xb900f990},
    {"sin.approx.f32", PTO_F32, 0x43b18000, 0xb7fcde82},
    {"sin.approx.f32", PTO_F32, 0x49800004, 0x3f3e15d9},
    {"sin.approx.f32", PTO_F32, 0x4a000004, 0x3f7ea5a5},
    {"sin.approx.f32", PTO_F32, 0xc0c90fdb, 0xb43bbd2e},
    {"sin.approx.f32", PTO_F32, 0x3f490fdb, 0x3f3504f3},
    {"sin.approx.f32", PTO_F32, 0x39e894d5, 0x39e894d5},
    {"sin.approx.f32", PTO_F32, 0xbe925323, 0xbe90574c},
    {"sin.approx.f32", PTO_F32, 0x3ebdbb1c, 0x3eb96b15},
    {"sin.approx.f32", PTO_F32, 0xc0557a0e, 0x3e4564e5},
    {"cos.approx.f32", PTO_F32, 0x3f800000, 0x3f0a5140},
    {"cos.approx.f32", PTO_F32, 0x3fc90fdb, 0xb33bbd2e},
    {"cos.approx.f32", PTO_F32, 0x64078678, 0x3f2dd6f7},
    {"cos.approx.f32", PTO_F32, 0x7f7fffff, 0x3f5a5f96},
    {"cos.approx.f32", PTO_F32, 0x399d4952, 0x3f7fffff},
    {"cos.approx.f32", PTO_F32, 0x43b18000, 0xbf800000},
    {"cos.approx.f32", PTO_F32, 0x49800008, 0x3e6d67d9},
    {"cos.approx.f32", PTO_F32, 0x53800000, 0xbf69fc2c},
    {"cos.approx.f32", PTO_F32, 0xbf490fdb, 0x3f3504f3},
    {"cos.approx.f32", PTO_F32, 0x4096cbe4, 0x324cde2e},
    {"cos.approx.f32", PTO_F32, 0xbff82de3, 0xbeb83de1},
    {"cos.approx.f32", PTO_F32, 0xb9ddc4f0, 0x3f7ffffe},
    {"cos.approx.f32", PTO_F32, 0xba66bcf9, 0x3f7ffffa},
    {"cos.approx.f32", PTO_F32, 0x3da4b1dc, 0x3f7f2c34},
    {"tanh.approx.f32", PTO_F32, 0x3f800000, 0x3f42f7d6},
    {"tanh.approx.f32", PTO_F32, 0x3f000000, 0x3eec9a9f},
    {"tanh.approx.f32", PTO_F32, 0xb900f990, 0xb900f990},
    {"tanh.approx.f32", PTO_F32, 0x3c23d70a, 0x3c23d5a4},
    {"tanh.approx.f32", PTO_F32, 0x41100000, 0x3f7fffff},
    {"tanh.approx.f32", PTO_F32, 0x411028f6, 0x3f7fffff},
    {"tanh.approx.f32", PTO_F32, 0x411051ec, 0x3f800000},
    {"tanh.approx.f32", PTO_F32, 0xc0400000, 0xbf7ebbe9},
    {"tanh.approx.f32", PTO_F32, 0x3eb17218, 0x3eaaaaab},
    {"tanh.approx.f32", PTO_F32, 0x3b03126f, 0x3b031264},
    {"tanh.approx.f32", PTO_F32, 0x4012b941, 0x3f7ad43c},
    {"tanh.approx.f32", PTO_F32, 0x3e68d909, 0x3e64ea76},
    {"tanh.approx.f32", PTO_F32, 0x3e3fb6c5, 0x3e3d8144},
    {"tanh.approx.f32", PTO_F32, 0xc02f02c9, 0xbf7dd9d8},
    {"rsqrt.approx.f32", PTO_F32, 0x40000000, 0x3f3504f3},
    {"rsqrt.approx.f32", PTO_F32, 0x40400000, 0x3f13cd3a},
    {"rsqrt.approx.f32", PTO_F32, 0x1, 0x64b504f3},
    {"rsqrt.approx.f32", PTO_F32, 0x7f7fffff, 0x1f800000},
    {"rsqrt.approx.f32", PTO_F32, 0x3f800001, 0x3f7fffff},
    {"rsqrt.approx.f32", PTO_F32, 0x3f7fffff, 0x3f800000},
    {"rsqrt.approx.f32", PTO_F32, 0x6ce3ee, 0x5f0ac723},
    {"rsqrt.approx.f32", PTO_F32, 0x40a00000, 0x3ee4f92e},
    {"rsqrt.approx.f32", PTO_F32, 0x37a82035, 0x435f5f1a},
    {"rsqrt.approx.f32", PTO_F32, 0x41a4d471, 0x3e6197fe},
    {"rsqrt.approx.f32", PTO_F32, 0x3d28b461, 0x409dad23},
    {"rsqrt.approx.f32", PTO_F32, 0x3c8b2808, 0x40f58611},
    {"ex2.approx.f16", PTO_F16, 0x15ae, 0x3c01},
    {"ex2.approx.f16", PTO_F16, 0x10e3, 0x3c00},
    {"ex2.approx.f16", PTO_F16, 0x4cc7, 0x7c00},
    {"ex2.approx.f16", PTO_F16, 0x3d1, 0x3c00},
    {"ex2.approx.f16", PTO_F16, 0x4614, 0x5439},
    {"ex2.approx.f16", PTO_F16, 0x53ad, 0x7c00},
    {"ex2.approx.f16", PTO_F16, 0xa669, 0x3bdd},
    {"ex2.approx.f16", PTO_F16, 0xcc1c, 0xbd},
    {"ex2.approx.ftz.bf16", PTO_BF16, 0xbf8f, 0x3eec},
    {"ex2.approx.ftz.bf16", PTO_BF16, 0x3be8, 0x3f81},
    {"tanh.approx.f16", PTO_F16, 0x23f3, 0x23f3},
    {"tanh.approx.f16", PTO_F16, 0x42dd, 0x3bfc},
    {"tanh.approx.f16", PTO_F16, 0xcac5, 0xbc00},
    {"tanh.approx.f16", PTO_F16, 0xcaab, 0xbc00},
    {"tanh.approx.f16", PTO_F16, 0x1d59, 0x1d59},
    {"tanh.approx.f16", PTO_F16, 0x9cf5, 0x9cf5},
    {"tanh.approx.f16", PTO_F16, 0x43ca, 0x3bfe},
    {"tanh.approx.f16", PTO_F16, 0x4612, 0x3c00},
    {"tanh.approx.bf16", PTO_BF16, 0x3c9a, 0x3c9a},
    {"tanh.approx.bf16", PTO_BF16, 0x3a7f, 0x3a7f},
    {"tanh.approx.bf16", PTO_BF16, 0x4220, 0x3f80},
    {"tanh.approx.bf16", PTO_BF16, 0x3583, 0x3583},
    {"rsqrt.approx.f64", PTO_F64, 0x4000000000000000, 0x3fe6a09e667f3bcd},
    {"rsqrt.approx.f64", PTO_F64, 0x3ff0000000000001, 0x3fefffffffffffff},
    {"rsqrt.approx.f64", PTO_F64, 0x3fefffffffffffff, 0x3ff0000000000000},
    {"rsqrt.approx.f64", PTO_F64, 0x1, 0x6180000000000000},
    {"rsqrt.approx.f64", PTO_F64, 0x7fefffffffffffff, 0x1ff0000000000000},
    {"rsqrt.approx.f64", PTO_F64, 0x4008000000000000, 0x3fe279a74590331c},
    {"rsqrt.approx.f64", PTO_F64, 0xfffffffffffff, 0x5fe0000000000001},
    {"rsqrt.approx.f64", PTO_F64, 0x4024000000000000, 0x3fd43d136248490f},
    /* special values, from the tables of the PTX ISA */
    {"ex2.approx.f32", PTO_F32, 0xff800000, 0},
    {"ex2.approx.f32", PTO_F32, 0x7f800000, 0x7f800000},
    {"ex2.approx.f32", PTO_F32, 0xffc00001, 0x7fffffff},
    {"ex2.approx.ftz.f32", PTO_F32, 0xc2fc0001, 0},
    {"ex2.approx.ftz.f32", PTO_F32, 0xc2fc0000, 0x00800000},
    {"lg2.approx.f32", PTO_F32, 0x80000000, 0xff800000},
    {"lg2.approx.f32", PTO_F32, 0x80000001, 0x7fffffff},
    {"lg2.approx.ftz.f32", PTO_F32, 0x80000001, 0xff800000},
    {"lg2.approx.ftz.f32", PTO_F32, 0x007fffff, 0xff800000},
    {"lg2.approx.f32", PTO_F32, 0x7f800000, 0x7f800000},
    {"sin.approx.f32", PTO_F32, 0x80000000, 0x80000000},
    {"sin.approx.ftz.f32", PTO_F32, 0x807fffff, 0x80000000},
    {"sin.approx.f32", PTO_F32, 0xff800000, 0x7fffffff},
    {"cos.approx.ftz.f32", PTO_F32, 0x807fffff, 0x3f800000},
    {"cos.approx.f32", PTO_F32, 0x7f800000, 0x7fffffff},
    {"tanh.approx.f32", PTO_F32, 0xff800000, 0xbf800000},
    {"tanh.approx.f32", PTO_F32, 0x80000001, 0x80000001},
    {"tanh.approx.f16", PTO_F16, 0xfc00, 0xbc00},
    {"tanh.approx.bf16", PTO_BF16, 0x7f81, 0x7fff},
    {"rsqrt.approx.f32", PTO_F32, 0x80000000, 0xff800000},
    {"rsqrt.approx.ftz.f32", PTO_F32, 0x80000001, 0xff800000},
    {"rsqrt.approx.f32", PTO_F32, 0x80000001, 0x7fffffff},
    {"rsqrt.approx.f32", PTO_F32, 0x7f800000, 0},
    {"rsqrt.approx.f64", PTO_F64, 0x8000000000000000, 0xfff0000000000000},
    {"rsqrt.approx.f64", PTO_F64, 0xbff0000000000000, 0xfff8000000000000},
    {"ex2.approx.f16", PTO_F16, 0xce40,
     0}, /* 2^-25 is half the smallest f16: a tie, which is rounded to even */
    {"ex2.approx.ftz.bf16", PTO_BF16, 0xc2fd, 0}, /* 2^-126.5 */
    /* the low word of a finite f64 operand is ignored; the low word of the result is 0 */
    {"rcp.approx.ftz.f64", PTO_F64, 0x4008000000000000, 0x3fd5555500000000},
    {"rcp.approx.ftz.f64", PTO_F64, 0x3ff00000ffffffff, 0x3ff0000000000000},
    {"rcp.approx.ftz.f64", PTO_F64, 0x800fffffffffffff, 0xfff0000000000000},
    {"rcp.approx.ftz.f64", PTO_F64, 0xfff0000000000000, 0x8000000000000000},
    {"rcp.approx.ftz.f64", PTO_F64, 0x7fefffffffffffff, 0},
    {"rcp.approx.ftz.f64", PTO_F64, 0x7ff0000000000001, 0x7fffffff00000000},
    {"rsqrt.approx.ftz.f64", PTO_F64, 0x4000000000000000, 0x3fe6a09e00000000},
    {"rsqrt.approx.ftz.f64", PTO_F64, 0x000fffffffffffff, 0x7ff0000000000000},
    {"rsqrt.approx.ftz.f64", PTO_F64, 0xbff0000000000000, 0x7fffffff00000000},
    {"rsqrt.approx.ftz.f64", PTO_F64, 0x7ff0000000000000, 0},
};

/* Each value is repeated 67 times, so that both whole vectors and the elements after them are tested. */
void floats_approximate(void **state) {
    enum { REPEATED = 67 };
    (void)state;
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        const size_t bytes = pto_dtype_bits(facts[k].type) / 8;
        unsigned char *in = harness_allocate(REPEATED * bytes), *out = harness_allocate(REPEATED * bytes);
        for (size_t i = 0; i < REPEATED; i++) value_store(facts[k].type, in, i, facts[k].a);
        example_instruction(facts[k].opcode, facts[k].type, (const void *const[3]){in, NULL, NULL}, 1, out,
                            REPEATED);
        for (size_t i = 0; i < REPEATED; i++) {
            const uint64_t is = value_load(facts[k].type, out, i);
            if (is != facts[k].result)
                fail_msg("%s of %llx: %llx, not %llx", facts[k].opcode, (unsigned long long)facts[k].a,
                         (unsigned long long)is, (unsigned long long)facts[k].result);
        }
        harness_free(in);
        harness_free(out);
    }
}

/* ---- examples ---- */

void floats_examples(void **state) {
    static const struct example examples[] = {
        {.title = "f32x2",
         .text = ".reg .b64 a, b, c, d, e, f;\n"
                 "add.rp.f32x2 d, a, b;\n"
                 "mul.ftz.f32x2 e, a, b;\n"
                 "fma.rz.f32x2 f, a, b, c;\n",
         .lanes = 2,
         .in = {{"a", PTO_B64, 2, {0x3f80000000800000, 0x7f80000040400000}},
                {"b", PTO_B64, 2, {0x330000003f000000, 0xff8000003f800001}},
                {"c", PTO_B64, 2, {0x3f80000000000000, 0x0000000080000001}}},
         .out = {{"d", PTO_B64, 2, {0x3f8000013f000001, 0x7fffffff40800001}},
                 {"e", PTO_B64, 2, {0x3300000000000000, 0xff80000040400002}},
                 {"f", PTO_B64, 2, {0x3f80000000400000, 0xff80000040400001}}}},
        {.title =
             "mixed precision", /* f16 1.5, subnormal, NaN, infinity; bf16 1.5, subnormal, NaN, infinity */
         .text = "add.f32.f16 p, h, x;\n"
                 "sub.rz.sat.f32.bf16 q, b, x;\n"
                 "fma.rn.f32.f16 r, h, h, x;\n"
                 "fma.rm.sat.f32.bf16 s, b, b, 0f3E800000;\n",
         .lanes = 4,
         .in = {{"h", PTO_F16, 4, {0x3e00, 0x0001, 0x7c01, 0x7c00}},
                {"b", PTO_BF16, 4, {0x3fc0, 0x0001, 0x7f81, 0xff80}},
                {"x", PTO_F32, 4, {0x3f000000, 0x00000001, 0x3f800000, 0xff800000}}},
         .out = {{"p", PTO_F32, 4, {0x40000000, 0x33800000, 0x7fffffff, 0x7fffffff}},
                 {"q", PTO_F32, 4, {0x3f800000, 0x0000ffff, 0, 0}},
                 {"r", PTO_F32, 4, {0x40300000, 0x27800000, 0x7fffffff, 0x7fffffff}},
                 {"s", PTO_F32, 4, {0x3f800000, 0x3e800000, 0, 0x3f800000}}}},
        {.title = "testp", /* zeros belong to the class .normal */
         .text = "testp.finite.f32 p, a;\ntestp.infinite.f32 q, a;\ntestp.number.f32 r, a;\n"
                 "testp.notanumber.f32 s, a;\ntestp.normal.f32 t, a;\ntestp.subnormal.f32 u, a;\n",
         .lanes = 9,
         .in = {{"a",
                 PTO_F32,
                 9,
                 {0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0xff7fffff, 0x7f800000, 0xff800000,
                  0x7f800001, 0xffffffff}}},
         .out = {{"p", PTO_B8, 9, {1, 1, 1, 1, 1, 0, 0, 0, 0}},
                 {"q", PTO_B8, 9, {0, 0, 0, 0, 0, 1, 1, 0, 0}},
                 {"r", PTO_B8, 9, {1, 1, 1, 1, 1, 1, 1, 0, 0}},
                 {"s", PTO_B8, 9, {0, 0, 0, 0, 0, 0, 0, 1, 1}},
                 {"t", PTO_B8, 9, {1, 0, 0, 1, 1, 0, 0, 0, 0}},
                 {"u", PTO_B8, 9, {0, 1, 1, 0, 0, 0, 0, 0, 0}}}},
        {.title = "testp of f64",
         .text = "testp.normal.f64 p, a;\ntestp.subnormal.f64 q, a;\ntestp.notanumber.f64 r, a;\n",
         .lanes = 4,
         .in = {{"a",
                 PTO_F64,
                 4,
                 {0x8000000000000000, 0x000fffffffffffff, 0x7fefffffffffffff, 0x7ff0000000000001}}},
         .out = {{"p", PTO_B8, 4, {1, 0, 1, 0}},
                 {"q", PTO_B8, 4, {0, 1, 0, 0}},
                 {"r", PTO_B8, 4, {0, 0, 0, 1}}}},
        {.title = "min and max of three",
         .text = "max.f32 d, a, b, c;\nmin.NaN.f32 e, a, b, c;\nmax.ftz.abs.f32 f, a, b, c;\n"
                 "min.f32 g, a, b, 1.0;\n",
         .lanes = 4,
         .in = {{"a", PTO_F32, 4, {0x3f800000, 0x7fc00001, 0x80000001, 0xff800000}},
                {"b", PTO_F32, 4, {0x40000000, 0xbf800000, 0x80000000, 0x7fc00000}},
                {"c", PTO_F32, 4, {0xc0400000, 0x3f800000, 0x00000000, 0x7fc00000}}},
         .out = {{"d", PTO_F32, 4, {0x40000000, 0x3f800000, 0x00000000, 0xff800000}},
                 {"e", PTO_F32, 4, {0xc0400000, 0x7fffffff, 0x80000001, 0x7fffffff}},
                 {"f", PTO_F32, 4, {0x40400000, 0x3f800000, 0x00000000, 0x7f800000}},
                 {"g", PTO_F32, 4, {0x3f800000, 0xbf800000, 0x80000001, 0xff800000}}}},
        {.title = "copysign, division by large values, in place", /* NaN payloads stay in copysign */
         .text = "copysign.f32 c, a, b;\ndiv.approx.f32 d, a, b;\n@p div.approx.ftz.f32 b, a, b;\n",
         .lanes = 4,
         .in = {{"a", PTO_F32, 4, {0xbf800000, 0x7f800000, 0x3f800000, 0x7f7fffff}},
                {"b", PTO_F32, 4, {0x7f800001, 0xfe800001, 0xfe800001, 0x7e800000}},
                {"p", PTO_B8, 4, {1, 0, 1, 0}}},
         .out = {{"c", PTO_F32, 4, {0xff800001, 0x7e800001, 0x7e800001, 0x7e800000}},
                 {"d", PTO_F32, 4, {0x7fffffff, 0x7fffffff, 0x80000000, 0x407fffff}},
                 {"b", PTO_F32, 4, {0x7fffffff, 0xfe800001, 0x80000000, 0x7e800000}}}},
    };
    (void)state;
    examples_check(examples, sizeof examples / sizeof examples[0]);
}
