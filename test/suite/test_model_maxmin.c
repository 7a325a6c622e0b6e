/* SPDX-License-Identifier: MIT */
/* Compares the model of max, min, clamp and relu, and the library, with results that were derived by hand from the
 * PTX ISA. */
#include "model/model_maxmin.h"
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/values.h"

#include <math.h>
#include <string.h>

enum { N = PTO_PROPAGATE_NAN, X = PTO_XORSIGN_ABS, F = PTO_FTZ };

struct example {
    pto_dtype type;
    unsigned flags;
    uint64_t a, b, max, min;
};

static const struct example examples[] = {
    {PTO_U8, 0, 0x80, 0x7f, 0x80, 0x7f},
    {PTO_S8, 0, 0x80, 0x7f, 0x7f, 0x80},
    {PTO_U16, 0, 0xffff, 0x0001, 0xffff, 0x0001},
    {PTO_S16, 0, 0xffff, 0x0001, 0x0001, 0xffff},
    {PTO_U32, 0, 0x80000000, 0x7fffffff, 0x80000000, 0x7fffffff},
    {PTO_S32, 0, 0x80000000, 0x7fffffff, 0x7fffffff, 0x80000000},
    {PTO_U64, 0, 0x8000000000000000, 1, 0x8000000000000000, 1},
    {PTO_S64, 0, 0x8000000000000000, 1, 1, 0x8000000000000000},
    /* small floats: bits above the sign are ignored, and code 80 is a zero or a NaN */
    {PTO_E4M3, 0, 0x01, 0x80, 0x01, 0x80},
    {PTO_E4M3, 0, 0x00, 0x80, 0x00, 0x80},
    {PTO_E4M3, 0, 0xff, 0xfe, 0xfe, 0xfe},
    {PTO_E4M3, N, 0xff, 0xfe, 0x7f, 0x7f},
    {PTO_E5M2, 0, 0x7c, 0x7b, 0x7c, 0x7b},
    {PTO_E5M2, N, 0xfd, 0x7c, 0x7f, 0x7f},
    {PTO_E2M3, 0, 0xdf, 0x20, 0x1f, 0x20},
    {PTO_E3M2, N, 0x3f, 0x01, 0x01, 0x3f},
    {PTO_E4M3FNUZ, 0, 0x80, 0x81, 0x81, 0x81},
    {PTO_E5M2FNUZ, N, 0x80, 0x7f, 0x80, 0x80},
    {PTO_E4M3B11FNUZ, 0, 0x7f, 0xff, 0x7f, 0xff},
    {PTO_E4M3IEEE, 0, 0x78, 0x79, 0x78, 0x78},
    {PTO_E3M4, N, 0x70, 0x71, 0x7f, 0x7f},
    {PTO_BINARY8P3SE, 0, 0x7f, 0xff, 0x7f, 0xff},
    {PTO_BINARY8P4SE, N, 0x80, 0x7f, 0x80, 0x80},
    /* zeros */
    {PTO_F32, 0, 0x80000000, 0x00000000, 0x00000000, 0x80000000},
    {PTO_F64, 0, 0x8000000000000000, 0, 0, 0x8000000000000000},
    {PTO_F16, 0, 0x8000, 0x0000, 0x0000, 0x8000},
    {PTO_BF16, N, 0x8000, 0x0000, 0x0000, 0x8000},
    /* one NaN, and two */
    {PTO_F32, 0, 0x7fc00001, 0xbf800000, 0xbf800000, 0xbf800000},
    {PTO_F32, 0, 0xff800005, 0x80000000, 0x80000000, 0x80000000},
    {PTO_F32, 0, 0xff800005, 0x7fc00001, 0x7fffffff, 0x7fffffff},
    {PTO_F32, N, 0xff800005, 0x3f800000, 0x7fffffff, 0x7fffffff},
    {PTO_F64, 0, 0xfff0000000000005, 0x3ff0000000000000, 0x3ff0000000000000, 0x3ff0000000000000},
    {PTO_F64, 0, 0xfff0000000000005, 0x7fffffffffffffff, 0x7fffffffffffffff, 0x7fffffffffffffff},
    {PTO_F64, 0, 0x7ff8000000000000, 0xfff7ffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff},
    {PTO_F64, 0, 0x7fffffffffffffff, 0xfff0000000000005, 0xfff8000000000005, 0xfff8000000000005},
    {PTO_F64, N, 0xfff0000000000005, 0x3ff0000000000000, 0x7fffffffffffffff, 0x7fffffffffffffff},
    {PTO_F64, N, 0xfff8000000000005, 0x7ff8000000000000, 0x7fffffffffffffff, 0x7fffffffffffffff},
    {PTO_F64, N, 0x8000000000000000, 0, 0, 0x8000000000000000},
    {PTO_F16, 0, 0xfe00, 0xfc00, 0xfc00, 0xfc00},
    {PTO_F16, 0, 0xfe00, 0x7c01, 0x7fff, 0x7fff},
    {PTO_F16, N, 0xfc00, 0xfe00, 0x7fff, 0x7fff},
    {PTO_BF16, 0, 0x7f81, 0xff81, 0x7fff, 0x7fff},
    /* subnormals */
    {PTO_F32, 0, 0x00000001, 0x807fffff, 0x00000001, 0x807fffff},
    {PTO_F32, F, 0x00000001, 0x807fffff, 0x00000000, 0x80000000},
    {PTO_F32, F, 0x80000001, 0x807fffff, 0x80000000, 0x80000000},
    {PTO_F32, F, 0x7fc00001, 0x807fffff, 0x80000000, 0x80000000},
    {PTO_F16, F, 0x03ff, 0x0400, 0x0400, 0x0000},
    {PTO_BF16, 0, 0x0001, 0x8001, 0x0001, 0x8001},
    {PTO_F64, 0, 1, 0x8000000000000001, 1, 0x8000000000000001},
    /* .xorsign.abs: the larger or smaller magnitude, with the XOR of both signs, including that of a NaN */
    {PTO_F32, X, 0xbf800000, 0x40000000, 0xc0000000, 0xbf800000},
    {PTO_F32, X, 0xbf800000, 0xc0000000, 0x40000000, 0x3f800000},
    {PTO_F32, X, 0x80000000, 0x00000000, 0x80000000, 0x80000000},
    {PTO_F32, X, 0xffc00000, 0x3f800000, 0xbf800000, 0xbf800000},
    {PTO_F32, X, 0xffc00000, 0xbf800000, 0x3f800000, 0x3f800000},
    {PTO_F32, X, 0xffc00000, 0x7fc00000, 0x7fffffff, 0x7fffffff},
    {PTO_F32, X | N, 0xffc00000, 0x3f800000, 0x7fffffff, 0x7fffffff},
    {PTO_F32, X | F, 0x80000001, 0x007fffff, 0x80000000, 0x80000000},
    {PTO_F16, X, 0xfc00, 0x3c00, 0xfc00, 0xbc00},
    {PTO_F16, X | F, 0x8001, 0xbc00, 0x3c00, 0x0000},
    {PTO_BF16, X, 0xff81, 0x8000, 0x0000, 0x0000},
};

static uint64_t by_model(enum model_maxmin call, const struct example *e) {
    unsigned char a[8], b[8];
    struct model_lane in[2];
    value_store(e->type, a, 0, e->a);
    value_store(e->type, b, 0, e->b);
    in[0] = model_lane_read(e->type, e->flags, a);
    in[1] = model_lane_read(e->type, e->flags, b);
    return model_maxmin(call, e->type, e->flags, in);
}

static uint64_t by_library(enum model_maxmin call, const struct example *e) {
    unsigned char a[8], b[8], got[8];
    value_store(e->type, a, 0, e->a);
    value_store(e->type, b, 0, e->b);
    assert_status((call == MODEL_MAX ? pto_vmax : pto_vmin)(e->type, e->flags, pto_in_array(a),
                                                            pto_in_scalar(b), got, 1),
                  PTO_OK);
    return value_load(e->type, got, 0);
}

static void expect(enum model_maxmin call, const struct example *e, uint64_t want) {
    const uint64_t model = by_model(call, e), library = by_library(call, e);
    if (model == want && library == want) return;
    fail_msg("%s %s, flags %u, %llx and %llx: expected %llx; model %llx, library %llx",
             call == MODEL_MAX ? "max" : "min", pto_dtype_name(e->type), e->flags, (unsigned long long)e->a,
             (unsigned long long)e->b, (unsigned long long)want, (unsigned long long)model,
             (unsigned long long)library);
}

/** Whether the order of the operands matters: of two f64 NaNs the result is the second, unless NaNs propagate. */
static bool has_an_order(const struct example *e) {
    return e->type == PTO_F64 && e->flags == 0 && value_is_nan(e->type, e->a) && value_is_nan(e->type, e->b);
}

/** Checks each example with its operands in the given order, and exchanged if the order does not matter. */
static void worked_examples(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        struct example e = examples[i];
        const int turns = has_an_order(&e) ? 1 : 2;
        for (int turn = 0; turn < turns; turn++) {
            const uint64_t a = e.a;
            expect(MODEL_MAX, &e, e.max);
            expect(MODEL_MIN, &e, e.min);
            e.a = e.b;
            e.b = a;
        }
    }
}

static void clamp_and_relu(void **state) {
    static const float x[6] = {-1, -0.0F, 0.5F, 2, NAN, 1e-40F}, lo = -0.25F, hi = 1;
    static const uint32_t nan = 0x7fffffff;
    float got[6];
    uint32_t bits;
    (void)state;
    assert_status(
        pto_vclamp(PTO_F32, PTO_FTZ, pto_in_array(x), pto_in_scalar(&lo), pto_in_scalar(&hi), got, 6),
        PTO_OK);
    assert_true(got[0] == lo && got[1] == 0 && signbit(got[1]) && got[2] == 0.5F && got[3] == hi);
    assert_true(got[4] == lo && got[5] == 0); /* max(NaN, lo) is lo */
    assert_status(pto_vrelu(PTO_F32, 0, x, got, 6), PTO_OK);
    assert_true(got[0] == 0 && !signbit(got[0]) && !signbit(got[1]) && got[3] == 2 && got[4] == 0);
    assert_true(got[5] == 1e-40F);
    assert_status(pto_vrelu(PTO_F32, PTO_PROPAGATE_NAN, x, got, 6), PTO_OK);
    memcpy(&bits, &got[4], sizeof bits);
    assert_int_equal(bits, nan);
}

/** Checks that the model decodes and encodes every value of the 16-bit types without a change. */
static void encodings(void **state) {
    static const pto_dtype types[] = {PTO_F16, PTO_BF16};
    (void)state;
    for (uint32_t i = 0; i < 2 * 65536; i++) {
        const pto_dtype type = types[i / 65536];
        const uint16_t code = (uint16_t)i;
        const struct model_lane lane = model_lane_read(type, 0, &code);
        const uint64_t want = value_is_nan(type, code) ? 0x7fff : code;
        if (model_lane_bits_of(type, 0, &lane) != want) fail_msg("%s %04x", pto_dtype_name(type), code);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(worked_examples), cmocka_unit_test(clamp_and_relu),
                                       cmocka_unit_test(encodings)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status
                       : harness_end(cmocka_run_group_tests_name("model of max and min", tests, NULL, NULL));
}
