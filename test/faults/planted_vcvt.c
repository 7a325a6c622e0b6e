/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of pto_vcvt(), pto_vcvt_part() and pto_vtrc(). */
#include "support/fpstate.h"
#include "model/model_vcvt.h"
#include "faults/planted_faults.h"

#include <string.h>

static bool is_pair(const pto_vcvt_op *op, pto_dtype dst, pto_dtype src) {
    return op->dst == dst && op->src == src;
}

/** Stores `code` in dst wherever the source element is `source` and the lane is active in `mask`. */
static void alter(const pto_vcvt_op *op, const void *src, pto_mask mask, void *dst, size_t n, uint64_t source,
                  uint64_t code) {
    for (size_t i = 0; i < n; i++) {
        if (mask.data && !model_mask_get(mask.kind, mask.data, i)) continue;
        if (model_cvt_load(op->src, src, i) != source) continue;
        if (model_code_bits(op->dst) == 4) /* model_cvt_store() only sets bits */
            ((unsigned char *)dst)[i / 2] &= (unsigned char)(i % 2 ? 0x0f : 0xf0);
        model_cvt_store(op->dst, dst, i, code);
    }
}

/* ---- values: in each row one operation gives a wrong code for one source element ---- */

enum wrong {
    NAN_TO_INTEGER,
    INFINITY_WRAPPED,
    CLAMPS_UNASKED,
    AWAY_AS_EVEN,
    ODD_AS_NEAREST,
    CUT_KEEPS_LARGEST,
    NAN_CLAMPED,
    HIF8_MINUS_ZERO,
    HIF8_LATE_OVERFLOW,
    HIF8_TIE_TO_ZERO,
    FP4_TIE,
    FP4_NAN,
    NEGATIVE_WRAPS,
    ROUNDS_AFTER_RANGE,
    FLUSHES,
    TRUNC_SIGN,
    TRUNC_NAN
};

static const struct wrong_row {
    pto_vcvt_op op;
    uint64_t source, code;
} wrongs[] = {
    [NAN_TO_INTEGER] = {{PTO_S32, PTO_F32, PTO_VRND_Z, false}, 0x7fc00000, 0x80000000},
    [INFINITY_WRAPPED] = {{PTO_S16, PTO_F32, PTO_VRND_R, false}, 0x7f800000, 0xffff},
    [CLAMPS_UNASKED] = {{PTO_U8, PTO_F16, PTO_VRND_R, false}, 0x7bff, 0xff},
    [AWAY_AS_EVEN] = {{PTO_S32, PTO_F32, PTO_VRND_A, false}, 0x3f000000, 0},
    [ODD_AS_NEAREST] = {{PTO_F16, PTO_F32, PTO_VRND_O, false}, 0x3f803001, 0x3c02},
    [CUT_KEEPS_LARGEST] = {{PTO_F16, PTO_F32, PTO_VRND_Z, false}, 0x7f7fffff, 0x7bff},
    [NAN_CLAMPED] = {{PTO_F16, PTO_F32, PTO_VRND_R, true}, 0x7fc00000, 0x7e00},
    [HIF8_MINUS_ZERO] = {{PTO_HIF8, PTO_F32, PTO_VRND_A, false}, 0x80000000, 0x80},
    [HIF8_LATE_OVERFLOW] = {{PTO_HIF8, PTO_F32, PTO_VRND_A, false}, 0x47200000, 0x6e},
    [HIF8_TIE_TO_ZERO] = {{PTO_HIF8, PTO_F32, PTO_VRND_A, false}, 0x34000000, 0},
    [FP4_TIE] = {{PTO_E1M2, PTO_BF16, PTO_VRND_R, false}, 0x3f20, 3},
    [FP4_NAN] = {{PTO_E2M1, PTO_BF16, PTO_VRND_R, false}, 0x7fc0, 7},
    [NEGATIVE_WRAPS] = {{PTO_U32, PTO_S16, PTO_VRND_R, false}, 0xffff, 0xffffffff},
    [ROUNDS_AFTER_RANGE] = {{PTO_U8, PTO_F16, PTO_VRND_R, true}, 0x5bff, 0},
    [FLUSHES] = {{PTO_F32, PTO_F16, PTO_VRND_R, false}, 0x0001, 0},
    [TRUNC_SIGN] = {{PTO_F32, PTO_F32, PTO_VRND_C, false}, 0x80000001, 0},
    [TRUNC_NAN] = {{PTO_F16, PTO_F16, PTO_VRND_R, false}, 0x7c01, 0x7c01},
};

/** The planted row. */
static const struct wrong_row *planted;

static bool is_planted(const pto_vcvt_op *op) {
    const pto_vcvt_op *mine = &planted->op;
    return is_pair(op, mine->dst, mine->src) && op->rnd == mine->rnd && op->sat == mine->sat;
}

static pto_status wrong_vcvt(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status == PTO_OK && src != dst && is_planted(&op))
        alter(&op, src, mask, dst, n, planted->source, planted->code);
    return status;
}

static pto_status wrong_vtrc(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_vcvt_op op = {t, t, rnd, false};
    const pto_status status = pto_vtrc(t, rnd, src, mask, dst, n);
    if (status == PTO_OK && src != dst && is_planted(&op))
        alter(&op, src, mask, dst, n, planted->source, planted->code);
    return status;
}

#define PLANT_WRONG(name, row)                                                                               \
    static void name(struct subject *s) {                                                                    \
        planted = &wrongs[row];                                                                              \
        s->vcvt = wrong_vcvt;                                                                                \
        s->vtrc = wrong_vtrc;                                                                                \
    }

PLANT_WRONG(plant_nan_to_integer, NAN_TO_INTEGER)
PLANT_WRONG(plant_infinity_wrapped, INFINITY_WRAPPED)
PLANT_WRONG(plant_clamps_unasked, CLAMPS_UNASKED)
PLANT_WRONG(plant_away_as_even, AWAY_AS_EVEN)
PLANT_WRONG(plant_odd_as_nearest, ODD_AS_NEAREST)
PLANT_WRONG(plant_cut_keeps_largest, CUT_KEEPS_LARGEST)
PLANT_WRONG(plant_nan_clamped, NAN_CLAMPED)
PLANT_WRONG(plant_hif8_minus_zero, HIF8_MINUS_ZERO)
PLANT_WRONG(plant_hif8_late_overflow, HIF8_LATE_OVERFLOW)
PLANT_WRONG(plant_hif8_tie_to_zero, HIF8_TIE_TO_ZERO)
PLANT_WRONG(plant_fp4_tie, FP4_TIE)
PLANT_WRONG(plant_fp4_nan, FP4_NAN)
PLANT_WRONG(plant_negative_wraps, NEGATIVE_WRAPS)
PLANT_WRONG(plant_rounds_after_range, ROUNDS_AFTER_RANGE)
PLANT_WRONG(plant_flushes, FLUSHES)
PLANT_WRONG(plant_trunc_sign, TRUNC_SIGN)
PLANT_WRONG(plant_trunc_nan, TRUNC_NAN)

/** Gives wrong results in one binade of one operation, f32 to bf16 with F. */
static pto_status one_binade(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status != PTO_OK || !is_pair(&op, PTO_BF16, PTO_F32) || op.rnd != PTO_VRND_F) return status;
    for (size_t i = 0; i < n; i++) {
        if (model_cvt_load(PTO_F32, src, i) >> 23 == 0x170) model_cvt_store(PTO_BF16, dst, i, 0xb800);
    }
    return status;
}

PLANT(plant_binade, vcvt, one_binade)

/* ---- masks and memory ---- */

/** Inactive lanes keep the old content of dst. */
static pto_status keeps_off(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    unsigned char old[4096];
    const size_t size = model_cvt_bytes(op.dst, n);
    pto_status status;
    if (!is_pair(&op, PTO_S16, PTO_F32) || !mask.data || size > sizeof old || size == 0)
        return pto_vcvt(op, src, mask, dst, n);
    memcpy(old, dst, size);
    status = pto_vcvt(op, src, mask, dst, n);
    for (size_t i = 0; status == PTO_OK && i < n; i++) {
        if (!model_mask_get(mask.kind, mask.data, i)) memcpy((unsigned char *)dst + 2 * i, old + 2 * i, 2);
    }
    return status;
}

/** Reads a B16 mask of f16 to f32 as a packed mask. */
static pto_status mask_of_result(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    if (is_pair(&op, PTO_F32, PTO_F16) && mask.kind == PTO_MASK_B16) mask.kind = PTO_MASK_PACKED;
    return pto_vcvt(op, src, mask, dst, n);
}

static pto_status one_too_many(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status == PTO_OK && n > 9 && is_pair(&op, PTO_HIF8, PTO_F16)) ((volatile unsigned char *)dst)[n] = 0;
    return status;
}

static pto_status reads_mask_behind(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    if (op.dst == PTO_S64 && mask.data && n > 0)
        (void)((const volatile unsigned char *)mask.data)[model_mask_bytes(mask.kind, n)];
    return pto_vcvt(op, src, mask, dst, n);
}

static pto_status last_nibble(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status == PTO_OK && op.dst == PTO_E1M2 && n % 2) ((unsigned char *)dst)[n / 2] |= 0x10;
    return status;
}

static pto_status wrong_in_place(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status == PTO_OK && src == dst && op.dst == PTO_S16 && n > 30) ((unsigned char *)dst)[30] ^= 4;
    return status;
}

PLANT(plant_keeps_off, vcvt, keeps_off)
PLANT(plant_mask_of_result, vcvt, mask_of_result)
PLANT(plant_one_too_many, vcvt, one_too_many)
PLANT(plant_reads_mask_behind, vcvt, reads_mask_behind)
PLANT(plant_last_nibble, vcvt, last_nibble)
PLANT(plant_in_place, vcvt, wrong_in_place)

/* ---- parts ---- */

/** Elements of dst that belong to other parts keep their old content. */
static pto_status part_merges(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                              size_t n) {
    unsigned char old[4096];
    pto_status status;
    if (!is_pair(&op, PTO_F16, PTO_F32) || n == 0 || 4 * n > sizeof old)
        return pto_vcvt_part(op, part, src, mask, dst, n);
    memcpy(old, dst, 4 * n);
    status = pto_vcvt_part(op, part, src, mask, dst, n);
    for (size_t i = 0; status == PTO_OK && i < 2 * n; i++) {
        if (i % 2 != (part == PTO_PART_ODD)) memcpy((unsigned char *)dst + 2 * i, old + 2 * i, 2);
    }
    return status;
}

static pto_status odd_is_even(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                              size_t n) {
    return pto_vcvt_part(op, part == PTO_PART_ODD && op.dst == PTO_S64 ? PTO_PART_EVEN : part, src, mask, dst,
                         n);
}

static pto_status parts_swapped(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                size_t n) {
    if (is_pair(&op, PTO_U8, PTO_S32) && part == PTO_PART_P1) part = PTO_PART_P2;
    return pto_vcvt_part(op, part, src, mask, dst, n);
}

/** A widening conversion takes the mask bit of the result lane instead of the source lane. */
static pto_status lane_of_result(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                 size_t n) {
    pto_status status;
    if (!is_pair(&op, PTO_U32, PTO_U8) || !mask.data) return pto_vcvt_part(op, part, src, mask, dst, n);
    status = pto_vcvt_part(op, part, src, PTO_NO_MASK, dst, n);
    for (size_t i = 0; status == PTO_OK && i < n; i++) {
        if (!model_mask_get(mask.kind, mask.data, i)) memset((unsigned char *)dst + 4 * i, 0, 4);
    }
    return status;
}

/** Masks each element of an fp4 pair by its own bit instead of the pair's. */
static pto_status fp4_own_bits(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                               size_t n) {
    const pto_status status = pto_vcvt_part(op, part, src, mask, dst, n);
    if (status != PTO_OK || !is_pair(&op, PTO_BF16, PTO_E2M1) || !mask.data) return status;
    for (size_t i = 1; i < n; i += 2) {
        size_t source, lane;
        (void)model_vcvt_origin(&op, (int)part, i, &source, &lane);
        if (!model_mask_get(mask.kind, mask.data, source)) memset((unsigned char *)dst + 2 * i, 0, 2);
    }
    return status;
}

static pto_status part_behind(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                              size_t n) {
    const pto_status status = pto_vcvt_part(op, part, src, mask, dst, n);
    if (status == PTO_OK && n > 9 && is_pair(&op, PTO_E5M2, PTO_F32))
        ((volatile unsigned char *)dst)[4 * n] = 0;
    return status;
}

PLANT(plant_part_merges, vcvt_part, part_merges)
PLANT(plant_odd_is_even, vcvt_part, odd_is_even)
PLANT(plant_parts_swapped, vcvt_part, parts_swapped)
PLANT(plant_lane_of_result, vcvt_part, lane_of_result)
PLANT(plant_fp4_own_bits, vcvt_part, fp4_own_bits)
PLANT(plant_part_behind, vcvt_part, part_behind)

/* ---- statuses and forms ---- */

static pto_status takes_sat(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    if (is_pair(&op, PTO_S32, PTO_F16)) op.sat = false;
    return pto_vcvt(op, src, mask, dst, n);
}

static pto_status hif8_rounds_r(pto_vcvt_op op) {
    if (op.dst == PTO_HIF8 && op.rnd == PTO_VRND_R) op.rnd = PTO_VRND_A;
    return pto_vcvt_check(op);
}

static pto_status part_of_four(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                               size_t n) {
    if (is_pair(&op, PTO_F16, PTO_F32) && part == PTO_PART_P0) part = PTO_PART_EVEN;
    return pto_vcvt_part(op, part, src, mask, dst, n);
}

static pto_status trunc_odd(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst, size_t n) {
    return pto_vtrc(t, rnd == PTO_VRND_O ? PTO_VRND_Z : rnd, src, mask, dst, n);
}

static pto_status writes_on_error(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status == PTO_ERR_MASK && op.dst == PTO_S16 && n > 0) memset(dst, 0, 1);
    return status;
}

static pto_status size_before_mask(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    return status == PTO_ERR_MASK && n > SIZE_MAX / 16 ? PTO_ERR_SIZE : status;
}

static pto_status over_mask(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    return status == PTO_ERR_OVERLAP && mask.data == dst && op.dst == PTO_E4M3 ? PTO_OK : status;
}

static pto_status part_in_place(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                size_t n) {
    const pto_status status = pto_vcvt_part(op, part, src, mask, dst, n);
    return status == PTO_ERR_OVERLAP && src == dst && op.dst == PTO_S64 ? PTO_OK : status;
}

static size_t one_form_less(void) {
    return pto_vcvt_form_count() - 1;
}

static pto_status form_twice(size_t i, pto_vcvt_op *op) {
    return pto_vcvt_form(i == 40 ? 39 : i, op);
}

PLANT(plant_takes_sat, vcvt, takes_sat)
PLANT(plant_hif8_rounds_r, vcvt_check, hif8_rounds_r)
PLANT(plant_part_of_four, vcvt_part, part_of_four)
PLANT(plant_trunc_odd, vtrc, trunc_odd)
PLANT(plant_writes_on_error, vcvt, writes_on_error)
PLANT(plant_size_before_mask, vcvt, size_before_mask)
PLANT(plant_over_mask, vcvt, over_mask)
PLANT(plant_part_in_place, vcvt_part, part_in_place)
PLANT(plant_one_form_less, vcvt_form_count, one_form_less)
PLANT(plant_form_twice, vcvt_form, form_twice)

/* ---- floating-point state ---- */

static pto_status by_fpu(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    if (!is_pair(&op, PTO_F32, PTO_S32) || op.rnd != PTO_VRND_R || mask.data)
        return pto_vcvt(op, src, mask, dst, n);
    for (size_t i = 0; i < n; i++) {
        int32_t integer;
        volatile float real;
        memcpy(&integer, (const unsigned char *)src + 4 * i, sizeof integer);
        real = (float)integer;
        memcpy((unsigned char *)dst + 4 * i, (const void *)&real, sizeof real);
    }
    return PTO_OK;
}

static pto_status leaves_sticky(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst,
                                size_t n) {
    const pto_status status = pto_vtrc(t, rnd, src, mask, dst, n);
    struct fp_state state = fp_state_get();
    state.status |= 1; /* invalid */
    fp_state_set(&state);
    return status;
}

PLANT(plant_fpu, vcvt, by_fpu)
PLANT(plant_sticky, vtrc, leaves_sticky)

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"vcvt makes an integer of a NaN", check_vcvt_values, plant_nan_to_integer},
    {"vcvt wraps an infinity", check_vcvt_values, plant_infinity_wrapped},
    {"vcvt clamps where it is to wrap", check_vcvt_values, plant_clamps_unasked},
    {"vcvt sends a tie to the even one for A", check_vcvt_values, plant_away_as_even},
    {"vcvt takes O for the nearest", check_vcvt_values, plant_odd_as_nearest},
    {"vcvt cuts to the largest, as IEEE 754 does", check_vcvt_values, plant_cut_keeps_largest},
    {"vcvt keeps a NaN where it clamps", check_vcvt_values, plant_nan_clamped},
    {"vcvt has a minus zero of hif8", check_vcvt_values, plant_hif8_minus_zero},
    {"vcvt overflows too late in hif8", check_vcvt_values, plant_hif8_late_overflow},
    {"vcvt sends the tie at half of hif8's smallest to zero", check_vcvt_values, plant_hif8_tie_to_zero},
    {"vcvt sends a tie of e1m2 to the odd one", check_vcvt_values, plant_fp4_tie},
    {"vcvt makes the largest e2m1 of a NaN", check_vcvt_values, plant_fp4_nan},
    {"vcvt wraps a negative s16 to u32", check_vcvt_values, plant_negative_wraps},
    {"vcvt rounds beyond the range after looking at it", check_vcvt_values, plant_rounds_after_range},
    {"vcvt flushes a subnormal", check_vcvt_values, plant_flushes},
    {"vtrc loses the sign of zero", check_vcvt_values, plant_trunc_sign},
    {"vtrc leaves a NaN signaling", check_vcvt_values, plant_trunc_nan},
    {"vcvt wraps an infinity, seen in the examples", check_vcvt_examples, plant_infinity_wrapped},
    {"vcvt overflows too late in hif8, seen in the examples", check_vcvt_examples, plant_hif8_late_overflow},
    {"vtrc loses the sign of zero, seen in the examples", check_vcvt_examples, plant_trunc_sign},
    {"vcvt is wrong in one binade of one operation", check_vcvt_sweep, plant_binade},
    {"vcvt keeps lanes that are off", check_vcvt_lengths, plant_keeps_off},
    {"vcvt reads a mask of another kind as packed bits", check_vcvt_lengths, plant_mask_of_result},
    {"vcvt reads a byte of the mask too many", check_vcvt_lengths, plant_reads_mask_behind},
    {"vcvt writes a nibble too many", check_vcvt_lengths, plant_last_nibble},
    {"vcvt writes a byte behind dst", check_vcvt_offsets, plant_one_too_many},
    {"vcvt is wrong in place", check_vcvt_in_place, plant_in_place},
    {"a part keeps the other places", check_vcvt_parts, plant_part_merges},
    {"the odd part is the even one", check_vcvt_parts, plant_odd_is_even},
    {"a part in widening is on by the result's lane", check_vcvt_parts, plant_lane_of_result},
    {"a part of fp4 takes each element by its own bit", check_vcvt_parts, plant_fp4_own_bits},
    {"a part writes a byte behind dst", check_vcvt_parts, plant_part_behind},
    {"two parts of four are the same", check_vcvt_union, plant_parts_swapped},
    {"a part keeps the other places, seen beside each other", check_vcvt_union, plant_part_merges},
    {"vcvt takes sat where there is none", check_vcvt_status, plant_takes_sat},
    {"vcvt_check takes R to hif8", check_vcvt_status, plant_hif8_rounds_r},
    {"vcvt_part takes P0 for even", check_vcvt_status, plant_part_of_four},
    {"vtrc takes O", check_vcvt_status, plant_trunc_odd},
    {"vcvt writes with an error", check_vcvt_status, plant_writes_on_error},
    {"vcvt looks at the size before the mask", check_vcvt_status, plant_size_before_mask},
    {"vcvt writes over the mask", check_vcvt_overlaps, plant_over_mask},
    {"vcvt_part works in place", check_vcvt_overlaps, plant_part_in_place},
    {"a form of vcvt is missing", check_vcvt_forms, plant_one_form_less},
    {"a form of vcvt is there twice", check_vcvt_forms, plant_form_twice},
    {"vcvt rounds as the FPU is set", check_vcvt_fpstate, plant_fpu},
    {"vtrc leaves a sticky flag", check_vcvt_fpstate, plant_sticky},
};
const struct planted_list planted_vcvt = {faults, sizeof faults / sizeof faults[0]};
