/* SPDX-License-Identifier: MIT */
/* Compares the model and the library with results that were written by hand or copied from worked examples of the
 * documents. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/values.h"

#include <string.h>

/** setp on constants a and b. `p` is the result that NVIDIA's assembler (ptxas 13.0) folds it to. */
struct example {
    pto_dtype type;
    pto_cmp op;
    unsigned flags;
    int p;
    uint64_t a, b;
};

static const struct example examples[] = {
    {PTO_F32, PTO_EQ, 0, 1, 0x00000000, 0x80000000},
    {PTO_F32, PTO_LT, 0, 0, 0x80000000, 0x00000000},
    {PTO_F32, PTO_LT, 0, 1, 0x80000001, 0x00000001},
    {PTO_F32, PTO_LT, PTO_FTZ, 0, 0x80000001, 0x00000001},
    {PTO_F32, PTO_EQ, PTO_FTZ, 1, 0x007fffff, 0x80000001},
    {PTO_F32, PTO_EQ, 0, 0, 0x007fffff, 0x80000001},
    {PTO_F32, PTO_GT, PTO_FTZ, 1, 0x00800000, 0x007fffff},
    {PTO_F32, PTO_EQ, 0, 0, 0x7fc00000, 0x7fc00000},
    {PTO_F32, PTO_NE, 0, 0, 0x7fc00000, 0x7fc00000},
    {PTO_F32, PTO_NEU, 0, 1, 0x7fc00000, 0x7fc00000},
    {PTO_F32, PTO_EQU, 0, 1, 0x3f800000, 0x7f800001},
    {PTO_F32, PTO_EQU, 0, 0, 0x3f800000, 0x40000000},
    {PTO_F32, PTO_LTU, 0, 1, 0xffc00000, 0x3f800000},
    {PTO_F32, PTO_GEU, 0, 0, 0x3f800000, 0x40000000},
    {PTO_F32, PTO_NUM, 0, 1, 0x7f800000, 0xff800000},
    {PTO_F32, PTO_NUM, 0, 0, 0x7f800000, 0x7f800001},
    {PTO_F32, PTO_NAN, 0, 1, 0xffffffff, 0x00000000},
    {PTO_F32, PTO_GE, 0, 1, 0x7f800000, 0x7f7fffff},
    {PTO_F64, PTO_GT, 0, 1, 0x0000000000000001, 0x0000000000000000},
    {PTO_F64, PTO_LT, 0, 1, 0xfff0000000000000, 0xffefffffffffffff},
    {PTO_F64, PTO_LEU, 0, 1, 0x7ff0000000000001, 0x0000000000000000},
    {PTO_S32, PTO_LT, 0, 1, 0x80000000, 0x7fffffff},
    {PTO_U32, PTO_LT, 0, 0, 0x80000000, 0x7fffffff},
    {PTO_U32, PTO_HI, 0, 1, 0xffffffff, 0x00000001},
    {PTO_U16, PTO_LS, 0, 0, 0x8000, 0x7fff},
    {PTO_S16, PTO_GE, 0, 0, 0x8000, 0x7fff},
    {PTO_U64, PTO_LO, 0, 1, 0x0000000000000001, 0xffffffffffffffff},
    {PTO_S64, PTO_GE, 0, 0, 0x8000000000000000, 0x0000000000000000},
    {PTO_B32, PTO_NE, 0, 1, 0x00000000, 0x80000000},
    {PTO_B64, PTO_EQ, 0, 1, 0x7ff8000000000000, 0x7ff8000000000000},
    {PTO_F16, PTO_NAN, 0, 1, 0x7c01, 0x0000},
    {PTO_F16, PTO_LT, 0, 0, 0x7e00, 0x3c00},
    {PTO_F16, PTO_LTU, 0, 1, 0x7e00, 0x3c00},
    {PTO_BF16, PTO_NUM, 0, 0, 0x7f81, 0x3f80},
    {PTO_BF16, PTO_NEU, 0, 1, 0x7fc0, 0x7fc0},
    /* both halves of the x2 examples */
    {PTO_F16, PTO_EQ, 0, 1, 0x3c00, 0x3c00},
    {PTO_F16, PTO_NE, 0, 1, 0x3c00, 0x4000},
    {PTO_F16, PTO_LTU, 0, 1, 0x3c00, 0x4000},
    {PTO_F16, PTO_EQ, 0, 1, 0x8000, 0x0000},
    {PTO_F16, PTO_NE, 0, 1, 0x0001, 0x0000},
    {PTO_F16, PTO_GT, 0, 1, 0x0001, 0x0000},
    {PTO_F16, PTO_NE, 0, 0, 0x7c00, 0x7e00},
    {PTO_F16, PTO_LTU, 0, 1, 0x7c00, 0x7e00},
    {PTO_F16, PTO_NE, 0, 1, 0xfc00, 0xfbff},
    {PTO_F16, PTO_LTU, 0, 1, 0xfc00, 0xfbff},
    {PTO_BF16, PTO_GEU, 0, 1, 0x7fc0, 0x3f80},
    {PTO_BF16, PTO_GE, 0, 0, 0x7fc0, 0x3f80},
    {PTO_BF16, PTO_GE, 0, 1, 0x3f80, 0x3f80},
    /* 8-bit types behave like the 16-bit ones */
    {PTO_S8, PTO_LT, 0, 1, 0x80, 0x7f},
    {PTO_U8, PTO_LT, 0, 0, 0x80, 0x7f},
    {PTO_U8, PTO_HS, 0, 1, 0x80, 0x80},
    {PTO_B8, PTO_NE, 0, 1, 0x00, 0x80},
    /* f16 with .ftz: a subnormal is a zero of its sign */
    {PTO_F16, PTO_EQ, PTO_FTZ, 1, 0x03ff, 0x8001},
    {PTO_F16, PTO_GT, PTO_FTZ, 1, 0x0400, 0x03ff},
    {PTO_F16, PTO_NAN, PTO_FTZ, 1, 0x7c01, 0x0001},
};

static void worked_examples(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct example *e = &examples[i];
        unsigned char a[8], b[8], vv = 0xff, vs = 0xff;
        value_store(e->type, a, 0, e->a);
        value_store(e->type, b, 0, e->b);
        assert_status(pto_vcmp(e->type, e->op, e->flags, a, b, PTO_NO_MASK, pto_packed(&vv), 1), PTO_OK);
        assert_status(pto_vcmps(e->type, e->op, e->flags, a, b, PTO_NO_MASK, pto_bytes(&vs), 1), PTO_OK);
        if (model_compare(e->type, e->op, e->flags != 0, a, b) != e->p || vv != e->p || vs != e->p) {
            fail_msg("%s %s %llx, %llx: expected %d; model %d, vcmp %d, vcmps %d", pto_dtype_name(e->type),
                     model_op_name(e->op), (unsigned long long)e->a, (unsigned long long)e->b, e->p,
                     model_compare(e->type, e->op, e->flags != 0, a, b), vv, vs);
        }
    }
}

/** Compares the number of legal forms with section setp of setp_legal.json, which has 180 triples of type, ftz and
 * CmpOp. Of these, 28 are x2 forms without .ftz and 14 with .ftz. */
static void legality(void **state) {
    const size_t float_ops = 14;
    size_t wide = 0, bytes = 0;
    (void)state;
    for (size_t t = 0; t < MODEL_TYPES; t++) {
        const pto_dtype type = model_types[t];
        for (int op = 0; op < MODEL_OPS; op++) {
            if (model_is_small(type) || !model_has_op(type, (pto_cmp)op)) continue;
            *(model_size(type) == 1 ? &bytes : &wide) += model_has_ftz(type) ? 2 : 1;
        }
    }
    assert_int_equal(wide + 3 * float_ops, 180);
    assert_int_equal(bytes, 2 + 10 + 6);
}

/** Checks the bytes of the lanes 1 0 1 1 0 in each mask kind, from the table of kinds in mask.h. */
static void mask_images(void **state) {
    static const unsigned char truth[5] = {1, 0, 1, 1, 0};
    static const unsigned char packed[] = {0x0d}, b16[] = {0x51, 0x00}, b32[] = {0x01, 0x11, 0x00};
    static const unsigned char bytes[] = {1, 0, 1, 1, 0};
    const unsigned char *const images[MODEL_KINDS] = {packed, packed, b16, b32, bytes, bytes};
    static const size_t sizes[MODEL_KINDS] = {1, 1, 2, 3, 5, 5};

    (void)state;
    for (int i = 0; i < MODEL_KINDS; i++) {
        const pto_mask_kind kind = (pto_mask_kind)i;
        unsigned char model[8], library[8];
        memset(library, 0xee, sizeof library);
        model_mask_put(kind, model, truth, 5);
        assert_status(pto_mask_mov(pto_bytes_in(truth), pto_mask_at(library, kind), 5), PTO_OK);
        assert_int_equal(model_mask_bytes(kind, 5), sizes[i]);
        assert_int_equal(pto_mask_bytes(kind, 5), sizes[i]);
        assert_memory_equal(model, images[i], sizes[i]);
        assert_memory_equal(library, images[i], sizes[i]);
        for (size_t lane = 0; lane < 5; lane++) {
            assert_int_equal(model_mask_get(kind, images[i], lane), truth[lane]);
        }
    }
}

/** Checks vcmp with a seed. Lanes where the seed is false become 0, or stay unchanged with PTO_MERGE. */
static void seed_and_merge(void **state) {
    static const uint32_t a[4] = {1, 1, 9, 9}, b[4] = {5, 5, 5, 5};
    static const unsigned char seed[4] = {1, 0, 1, 0};
    unsigned char got = 0x0e; /* 0 1 1 1 */

    (void)state;
    assert_status(pto_vcmp(PTO_U32, PTO_LT, 0, a, b, pto_bytes_in(seed), pto_packed(&got), 4), PTO_OK);
    assert_int_equal(got, 0x01);
    got = 0x0e;
    assert_status(pto_vcmp(PTO_U32, PTO_LT, PTO_MERGE, a, b, pto_bytes_in(seed), pto_packed(&got), 4),
                  PTO_OK);
    assert_int_equal(got, 0x0b);
    assert_true(model_vcmp_lane(false, false, true, true));
    assert_false(model_vcmp_lane(true, false, false, true));
    assert_false(model_vcmp_lane(false, true, true, true));
}

static void selections(void **state) {
    static const uint16_t a[3] = {0x7c01, 2, 3}, b[3] = {4, 0xfe05, 6};
    const unsigned char mask = 0x5; /* 1 0 1 */
    uint16_t got[3];

    (void)state;
    assert_status(pto_vsel(PTO_F16, a, b, pto_packed_in(&mask), got, 3), PTO_OK);
    assert_true(got[0] == 0x7c01 && got[1] == 0xfe05 && got[2] == 3);
    assert_status(pto_vselr(PTO_F16, a, b, pto_packed_in(&mask), got, 3), PTO_OK);
    assert_true(got[0] == 4 && got[1] == 2 && got[2] == 6);
    assert_status(pto_vselrv2(PTO_F16, a, b, pto_packed_in(&mask), got, 3), PTO_OK);
    assert_true(got[0] == 4 && got[1] == 2 && got[2] == 6);
    assert_status(pto_vbr(PTO_F16, &a[0], got, 3), PTO_OK);
    assert_true(got[0] == 0x7c01 && got[1] == 0x7c01 && got[2] == 0x7c01);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(worked_examples), cmocka_unit_test(legality),
                                       cmocka_unit_test(mask_images), cmocka_unit_test(seed_and_merge),
                                       cmocka_unit_test(selections)};
    const int status = harness_start(argc, argv);
    return status != 0 ? status : harness_end(cmocka_run_group_tests_name("model", tests, NULL, NULL));
}
