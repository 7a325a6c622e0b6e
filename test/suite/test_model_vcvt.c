/* SPDX-License-Identifier: MIT */
/* Compares the model of vcvt with known answers, HiFloat8's table, counts made by hand, and C's own conversions. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/vcvt_examples.h"
#include "model/model_vcvt.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t convert(const pto_vcvt_op *op, uint64_t bits) {
    return op->dst == op->src ? model_vtrc(op->dst, op->rnd, bits) : model_vcvt(op, bits);
}

static void examples(void **state) {
    (void)state;
    for (size_t i = 0; i < vcvt_examples_count; i++) {
        const pto_vcvt_op *op = &vcvt_examples[i].op;
        const char *at = vcvt_examples[i].pairs;
        char text[MODEL_VCVT_TEXT];
        uint64_t input, output;
        model_vcvt_describe(op, MODEL_WHOLE, text);
        while (vcvt_example_next(&at, &input, &output)) {
            const uint64_t got = convert(op, input);
            if (got != output)
                fail_msg("%s of %llx: %llx, not %llx", text, (unsigned long long)input,
                         (unsigned long long)got, (unsigned long long)output);
        }
    }
}

/* ---- HiFloat8 ---- */

/** Returns the number of fraction bits of the values from 2^exponent on, from HiFloat8's table of ranges. */
static int hif8_fraction_bits(int exponent) {
    const int e = exponent < 0 ? -exponent : exponent;
    if (exponent < -15) return 0;
    return e < 4 ? 3 : e < 8 ? 2 : 1;
}

/** Checks that the codes in ascending order have all values of 38 binades, each once, and no others. */
static void hif8_ranks(void **state) {
    const pto_vcvt_op to_f32 = {PTO_F32, PTO_HIF8, PTO_VRND_R, false};
    size_t rank = 1;
    (void)state;
    assert_int_equal(model_hif8_code(0), 0);
    for (int e = -22; e <= 15; e++) {
        const int steps = e == 15 ? 1 : 1 << hif8_fraction_bits(e);
        for (int i = 0; i < steps; i++, rank++) {
            const double want = ldexp(1 + (double)i / (1 << hif8_fraction_bits(e)), e);
            const uint32_t bits = (uint32_t)model_vcvt(&to_f32, model_hif8_code(rank));
            float got;
            memcpy(&got, &bits, sizeof got);
            if ((double)got != want) fail_msg("hif8 number %zu is %a, not %a", rank, (double)got, want);
        }
    }
    assert_int_equal(rank, MODEL_HIF8_RANKS - 1);
    assert_int_equal(model_hif8_code(rank), 0x6f);
}

/** Checks that every code of HiFloat8 converts to f32 and back to itself. */
static void hif8_round_trip(void **state) {
    const pto_vcvt_op up = {PTO_F32, PTO_HIF8, PTO_VRND_R, false};
    const pto_vcvt_op down = {PTO_HIF8, PTO_F32, PTO_VRND_A, false};
    (void)state;
    for (uint64_t code = 0; code < 256; code++) {
        assert_int_equal(model_vcvt(&down, model_vcvt(&up, code)), code);
    }
}

/* ---- legality ---- */

/** Compares the number of legal forms with a count made by hand. The terms follow the columns for roundings and sat
 * in the table of pairs. */
static void legality(void **state) {
    enum {
        ANY_SAT =
            9 * 12,    /* f32 to f16, bf16, s16, s32, s64; f16 to s16, s8, u8; bf16 to f16, not s32 (below) */
        BF16_SAT = 12, /* bf16 to s32 */
        ANY_ONLY = 5 * 6, /* f16 to s32; s16 to f16; u32, s32, s64 to f32 */
        FP8 = 2 * 3 * 2 + 4 * 5 * 2,
        HIF8 = 2 * 2,
        DIRECT = 3 * 5,               /* f16 to bf16, bf16 to e2m1, e1m2 */
        SAT_ONLY = 9 * 2,             /* u16, s16, u32, s32 to u8; u32, s32 to u16, s16; s64 to s32 */
        EXACT = 2 + 6 + 6 + 1 + 3 + 1 /* from f16, bf16; fp8, hif8, fp4; u8, s8; u16; s16; s32 */
    };
    size_t legal = 0;
    (void)state;
    for (int i = 0; i < MODEL_VCVT_DTYPES * MODEL_VCVT_DTYPES * MODEL_VRNDS * 2; i++) {
        pto_vcvt_op op = {.sat = i % 2 != 0, .rnd = (pto_vrnd)(i / 2 % MODEL_VRNDS)};
        op.src = (pto_dtype)(i / 2 / MODEL_VRNDS % MODEL_VCVT_DTYPES);
        op.dst = (pto_dtype)(i / 2 / MODEL_VRNDS / MODEL_VCVT_DTYPES);
        legal += model_vcvt_status(&op) == PTO_OK;
    }
    assert_int_equal(legal, ANY_SAT + BF16_SAT + ANY_ONLY + FP8 + HIF8 + DIRECT + SAT_ONLY + EXACT);
}

/* ---- parts ---- */

/** Checks that every result of a narrowing conversion belongs to exactly one part, and every source element of a
 * widening one. */
static void parts(void **state) {
    static const pto_vcvt_op ops[] = {
        {PTO_F16, PTO_F32, PTO_VRND_R, false},   {PTO_U8, PTO_S32, PTO_VRND_R, true},
        {PTO_E2M1, PTO_BF16, PTO_VRND_R, false}, {PTO_S64, PTO_S32, PTO_VRND_R, false},
        {PTO_U32, PTO_U8, PTO_VRND_R, false},    {PTO_BF16, PTO_E1M2, PTO_VRND_R, false}};
    enum { N = 32, MOST = 4 * N };
    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        const size_t results = model_vcvt_results(&ops[i], PTO_PART_EVEN, N);
        const size_t sources = model_vcvt_sources(&ops[i], PTO_PART_EVEN, N);
        unsigned char fed[MOST] = {0}, used[MOST] = {0};
        for (size_t p = 0; p < model_vcvt_parts(&ops[i]); p++) {
            for (size_t k = 0; k < results; k++) {
                size_t source, lane;
                if (!model_vcvt_origin(&ops[i], model_vcvt_part(&ops[i], p), k, &source, &lane)) continue;
                assert_true(source < sources && lane <= source && source - lane < 2);
                fed[k]++;
                used[source]++;
            }
        }
        for (size_t k = 0; k < results; k++)
            assert_int_equal(fed[k], results > N ? 1 : model_vcvt_parts(&ops[i]));
        for (size_t k = 0; k < sources; k++)
            assert_int_equal(used[k], sources > N ? 1 : model_vcvt_parts(&ops[i]));
    }
}

/** Checks known positions. For example, u32 to u8 with P2 writes bytes 2, 6, and so on. Two fp4 elements share a byte
 * and stay together. */
static void places(void **state) {
    const pto_vcvt_op narrow = {PTO_U8, PTO_U32, PTO_VRND_R, false},
                      wide = {PTO_F32, PTO_F16, PTO_VRND_R, false};
    const pto_vcvt_op to_fp4 = {PTO_E2M1, PTO_BF16, PTO_VRND_R, false};
    const pto_vcvt_op from_fp4 = {PTO_BF16, PTO_E2M1, PTO_VRND_R, false};
    size_t source, lane;
    (void)state;
    assert_true(model_vcvt_origin(&narrow, PTO_PART_P2, 6, &source, &lane) && source == 1 && lane == 1);
    assert_false(model_vcvt_origin(&narrow, PTO_PART_P2, 5, &source, &lane));
    assert_true(model_vcvt_origin(&wide, PTO_PART_ODD, 3, &source, &lane) && source == 7 && lane == 7);
    /* byte 4 * 1 + 3 has elements 14 and 15 */
    assert_true(model_vcvt_origin(&to_fp4, PTO_PART_P3, 15, &source, &lane) && source == 3 && lane == 2);
    assert_false(model_vcvt_origin(&to_fp4, PTO_PART_P3, 13, &source, &lane));
    assert_true(model_vcvt_origin(&from_fp4, PTO_PART_P1, 3, &source, &lane) && source == 11 && lane == 10);
}

/* ---- comparison with C's conversions, in each rounding mode of the CPU ---- */

enum { RANDOM = 20000, MODES = 4 };
static const int fe_modes[MODES] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
static const pto_vrnd modes[MODES] = {PTO_VRND_R, PTO_VRND_Z, PTO_VRND_F, PTO_VRND_C};

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void expect(const pto_vcvt_op *op, uint64_t in, uint64_t want) {
    char text[MODEL_VCVT_TEXT];
    const uint64_t got = convert(op, in);
    model_vcvt_describe(op, MODEL_WHOLE, text);
    if (got != want)
        fail_msg("%s of %llx: %llx, not %llx", text, (unsigned long long)in, (unsigned long long)got,
                 (unsigned long long)want);
}

static void as_the_cpu(void **state) {
    struct rng rng;
    (void)state;
    rng_start(&rng, "vcvt as the CPU");
    for (size_t i = 0; i < (size_t)RANDOM * MODES; i++) {
        const pto_vrnd rnd = modes[i % MODES];
        const uint64_t u = rng_next(&rng) >> rng_below(&rng, 64);
        volatile int64_t integer = (int64_t)(i % 8 < 4 ? u : ~u);
        volatile float real = ldexpf((float)(int32_t)rng_next(&rng), -(int)rng_below(&rng, 40));
        volatile float from_s64, whole;
        volatile int64_t rounded;
        fesetround(fe_modes[i % MODES]);
        from_s64 = (float)integer;
        whole = rintf(real);
        rounded = llrintf(real);
        fesetround(FE_TONEAREST);
        expect(&(pto_vcvt_op){PTO_F32, PTO_S64, rnd, false}, (uint64_t)integer, bits_of(from_s64));
        expect(&(pto_vcvt_op){PTO_F32, PTO_F32, rnd, false}, bits_of(real), bits_of(whole));
        expect(&(pto_vcvt_op){PTO_S64, PTO_F32, rnd, i % 3 == 0}, bits_of(real), (uint64_t)rounded);
        expect(&(pto_vcvt_op){PTO_S16, PTO_F32, rnd, false}, bits_of(real), (uint64_t)rounded & 0xffff);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples),        cmocka_unit_test(hif8_ranks),
                                       cmocka_unit_test(hif8_round_trip), cmocka_unit_test(legality),
                                       cmocka_unit_test(parts),           cmocka_unit_test(places),
                                       cmocka_unit_test(as_the_cpu)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status
                       : harness_end(cmocka_run_group_tests_name("model of vcvt", tests, NULL, NULL));
}
