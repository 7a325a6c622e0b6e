/* SPDX-License-Identifier: MIT */
/** Checks vcvt, vcvt_part and vtrc: statuses, overlaps, lengths around the size of a block, and that every backend
 * gives the scalar backend's bits. The model tests the values. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 1100, BUFFER_SIZE = LANES * 8 * 4 };

static unsigned char src[BUFFER_SIZE], expected[BUFFER_SIZE], got[BUFFER_SIZE], mask[LANES * 4];

static pto_vcvt_op form(size_t i) {
    pto_vcvt_op op;
    assert_int_equal(pto_vcvt_form(i, &op), PTO_OK);
    return op;
}

static void each_form_is_legal(void **state) {
    const size_t count = pto_vcvt_form_count();
    pto_vcvt_op op = {PTO_F16, PTO_F32, PTO_VRND_R, false};
    size_t legal = 0;
    (void)state;
    for (int i = 0; i < MODEL_DTYPES * MODEL_DTYPES * 12; i++) {
        const pto_vcvt_op some = {(pto_dtype)(i / 12 / MODEL_DTYPES), (pto_dtype)(i / 12 % MODEL_DTYPES),
                                  (pto_vrnd)(i % 12 / 2), i % 2 != 0};
        legal += pto_vcvt_check(some) == PTO_OK;
    }
    assert_int_equal(legal, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pto_vcvt_check(form(i)), PTO_OK);
    }
    assert_int_equal(pto_vcvt_form(count, &op), PTO_ERR_SIZE);
    assert_int_equal(pto_vcvt_form(0, NULL), PTO_ERR_NULL);
}

static void statuses(void **state) {
    const pto_vcvt_op good = {PTO_F16, PTO_F32, PTO_VRND_R, false};
    const pto_vcvt_op no_pair = {PTO_F64, PTO_F32, PTO_VRND_R, false};
    const pto_vcvt_op to_hif8 = {PTO_HIF8, PTO_F32, PTO_VRND_R, true};
    const pto_vcvt_op to_fp4 = {PTO_E1M2, PTO_BF16, PTO_VRND_R, false};
    const pto_mask none = PTO_NO_MASK, b16 = pto_mask_at(mask, PTO_MASK_B16);
    (void)state;
    assert_int_equal(pto_vcvt(good, NULL, none, got, 1), PTO_ERR_NULL);
    assert_int_equal(pto_vcvt(good, NULL, none, NULL, 0), PTO_OK);
    assert_int_equal(pto_vcvt(no_pair, src, b16, got, 1), PTO_ERR_TYPE);
    assert_int_equal(pto_vcvt(to_hif8, src, b16, got, 1), PTO_ERR_MODIFIER);
    assert_int_equal(pto_vcvt(good, NULL, b16, NULL, 0), PTO_ERR_MASK);
    assert_int_equal(pto_vcvt(good, src, none, src, SIZE_MAX), PTO_ERR_SIZE);
    assert_int_equal(pto_vcvt(good, src, none, src, 1), PTO_ERR_OVERLAP);
    assert_int_equal(pto_vcvt_part(good, PTO_PART_P0, src, b16, got, 0), PTO_ERR_MODIFIER);
    assert_int_equal(pto_vcvt_part(good, PTO_PART_ODD, src, b16, got, 0), PTO_ERR_MASK);
    assert_int_equal(pto_vcvt_part(good, PTO_PART_ODD, src, none, src, SIZE_MAX / 16), PTO_ERR_SIZE);
    assert_int_equal(pto_vcvt_part(good, PTO_PART_ODD, src, none, src, 1), PTO_ERR_OVERLAP);
    assert_int_equal(pto_vcvt_part(good, PTO_PART_ODD, src, none, got, 1), PTO_OK);
    assert_int_equal(pto_vcvt_part(to_fp4, PTO_PART_P3, src, none, got, 3), PTO_ERR_SIZE);
    assert_int_equal(pto_vtrc(PTO_F64, PTO_VRND_R, src, none, got, 1), PTO_ERR_TYPE);
    assert_int_equal(pto_vtrc(PTO_F32, PTO_VRND_O, src, none, got, 1), PTO_ERR_MODIFIER);
}

/** Converts with vcvt if `part` is -1, else with vcvt_part. If both types are the same, it uses vtrc. */
static void run(pto_vcvt_op op, int part, pto_mask m, unsigned char *dst, size_t n) {
    memset(dst, 0xa5, BUFFER_SIZE);
    if (op.dst == op.src)
        assert_int_equal(pto_vtrc(op.dst, op.rnd, src, m, dst, n), PTO_OK);
    else if (part < 0)
        assert_int_equal(pto_vcvt(op, src, m, dst, n), PTO_OK);
    else if (pto_vcvt_part(op, (pto_vpart)part, src, m, dst, n / 2 * 2) != PTO_OK)
        memset(dst, 0, BUFFER_SIZE); /* the pair has no such part */
}

static void one_form(pto_vcvt_op op, pto_isa isa) {
    static const size_t lengths[] = {1, 2, 15, 16, 17, 63, 100, 511, 512, 513, LANES};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (int part = -1; part <= (i % 3 == 0 ? PTO_PART_P3 : -1); part++) {
            const pto_mask m = i % 2 ? pto_packed(mask) : PTO_NO_MASK;
            assert_int_equal(pto_isa_use(PTO_ISA_SCALAR), PTO_OK);
            run(op, part, m, expected, lengths[i]);
            assert_int_equal(pto_isa_use(isa), PTO_OK);
            run(op, part, m, got, lengths[i]);
            assert_memory_equal(expected, got, BUFFER_SIZE);
        }
    }
}

/** Fills the source with random bits. A third of the elements are floats with exponents near that of 1. */
static void fill_source(void) {
    struct rng rng;
    rng_start(&rng, "vcvt");
    for (size_t i = 0; i < BUFFER_SIZE / 4; i++) {
        uint32_t x = (uint32_t)rng_next(&rng);
        if (i % 3 == 0) x = (x & 0x80ffffff) | (0x38U + x % 16) << 24;
        if (i % 7 == 0) x &= 0xffff0000;
        if (i % 41 == 0) x |= 0x7f800000;
        memcpy(src + 4 * i, &x, sizeof x);
    }
    for (size_t i = 0; i < sizeof mask; i++) {
        mask[i] = (unsigned char)rng_next(&rng);
    }
}

static void backends_agree(void **state) {
    static const pto_dtype floats[] = {PTO_F16, PTO_BF16, PTO_F32};
    (void)state;
    fill_source();
    for (int isa = 0; isa < harness_isas(); isa++) {
        if (!pto_isa_available((pto_isa)isa)) continue;
        for (size_t i = 0; i < pto_vcvt_form_count(); i++) {
            one_form(form(i), (pto_isa)isa);
        }
        for (int i = 0; i < 15; i++) {
            const pto_vcvt_op op = {floats[i / 5], floats[i / 5], (pto_vrnd)(i % 5), false};
            one_form(op, (pto_isa)isa);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_form_is_legal), cmocka_unit_test(statuses),
                                       cmocka_unit_test(backends_agree)};
    return cmocka_run_group_tests_name("vcvt", tests, NULL, NULL);
}
