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

static const struct wrong {
    pto_vcvt_op op;
    uint64_t source, code;
} nan_to_integer = {{PTO_S32, PTO_F32, PTO_VRND_Z, false}, 0x7fc00000, 0x80000000},
  infinity_wrapped = {{PTO_S16, PTO_F32, PTO_VRND_R, false}, 0x7f800000, 0xffff},
  clamps_unasked = {{PTO_U8, PTO_F16, PTO_VRND_R, false}, 0x7bff, 0xff},
  away_as_even = {{PTO_S32, PTO_F32, PTO_VRND_A, false}, 0x3f000000, 0},
  odd_as_nearest = {{PTO_F16, PTO_F32, PTO_VRND_O, false}, 0x3f803001, 0x3c02},
  cut_keeps_largest = {{PTO_F16, PTO_F32, PTO_VRND_Z, false}, 0x7f7fffff, 0x7bff},
  nan_clamped = {{PTO_F16, PTO_F32, PTO_VRND_R, true}, 0x7fc00000, 0x7e00},
  hif8_minus_zero = {{PTO_HIF8, PTO_F32, PTO_VRND_A, false}, 0x80000000, 0x80},
  hif8_late_overflow = {{PTO_HIF8, PTO_F32, PTO_VRND_A, false}, 0x47200000, 0x6e},
  hif8_tie_to_zero = {{PTO_HIF8, PTO_F32, PTO_VRND_A, false}, 0x34000000, 0},
  fp4_tie = {{PTO_E1M2, PTO_BF16, PTO_VRND_R, false}, 0x3f20, 3},
  fp4_nan = {{PTO_E2M1, PTO_BF16, PTO_VRND_R, false}, 0x7fc0, 7},
  negative_wraps = {{PTO_U32, PTO_S16, PTO_VRND_R, false}, 0xffff, 0xffffffff},
  rounds_after_range = {{PTO_U8, PTO_F16, PTO_VRND_R, true}, 0x5bff, 0},
  flushes = {{PTO_F32, PTO_F16, PTO_VRND_R, false}, 0x0001, 0},
  trunc_sign = {{PTO_F32, PTO_F32, PTO_VRND_C, false}, 0x80000001, 0},
  trunc_nan = {{PTO_F16, PTO_F16, PTO_VRND_R, false}, 0x7c01, 0x7c01};

/** The planted row. */
static const struct wrong *planted;

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

static void plant_wrong(struct subject *s, const void *row) {
    planted = row;
    s->vcvt = wrong_vcvt;
    s->vtrc = wrong_vtrc;
}

/* Initializers for the last members of a struct planted_fault. */
#define WRONG(row) .plant = plant_wrong, .detail = &(row)

/** Gives wrong results in one binade of one operation, f32 to bf16 with F. */
static pto_status one_binade(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status != PTO_OK || !is_pair(&op, PTO_BF16, PTO_F32) || op.rnd != PTO_VRND_F) return status;
    for (size_t i = 0; i < n; i++) {
        if (model_cvt_load(PTO_F32, src, i) >> 23 == 0x170) model_cvt_store(PTO_BF16, dst, i, 0xb800);
    }
    return status;
}

/* ---- masks and memory ---- */

/** Leaves the old content of dst in inactive lanes. */
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

/* ---- parts ---- */

/** Leaves the old content in elements of dst that belong to other parts. */
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

/** Changes element 512 of an f16 result. With a mask, the library converts 512 elements at a time, so this element is
 * the first of the second block. */
static pto_status second_block(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_status status = pto_vcvt(op, src, mask, dst, n);
    if (status == PTO_OK && n > 512 && mask.data && op.dst == PTO_F16) ((unsigned char *)dst)[1024] ^= 1;
    return status;
}

static pto_status second_block_of_part(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask,
                                       void *dst, size_t n) {
    const pto_status status = pto_vcvt_part(op, part, src, mask, dst, n);
    if (status == PTO_OK && n > 512 && op.dst == PTO_F16) ((unsigned char *)dst)[1024] ^= 1;
    return status;
}

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

static pto_status takes_f64(pto_vcvt_op op) {
    if (is_pair(&op, PTO_F64, PTO_F32) && op.rnd == PTO_VRND_O && op.sat) op.dst = PTO_F16;
    return pto_vcvt_check(op);
}

/** Accepts an odd number of elements for the last part of an fp4 conversion, and does not convert the last element. */
static pto_status odd_part_of_fp4(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                  size_t n) {
    return pto_vcvt_part(op, part, src, mask, dst, part == PTO_PART_P3 ? n / 2 * 2 : n);
}

static size_t one_form_less(void) {
    return pto_vcvt_form_count() - 1;
}

static pto_status form_twice(size_t i, pto_vcvt_op *op) {
    return pto_vcvt_form(i == 40 ? 39 : i, op);
}

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

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"vcvt makes an integer of a NaN", check_vcvt_values, WRONG(nan_to_integer)},
    {"vcvt wraps an infinity", check_vcvt_values, WRONG(infinity_wrapped)},
    {"vcvt clamps where it is to wrap", check_vcvt_values, WRONG(clamps_unasked)},
    {"vcvt sends a tie to the even one for A", check_vcvt_values, WRONG(away_as_even)},
    {"vcvt takes O for the nearest", check_vcvt_values, WRONG(odd_as_nearest)},
    {"vcvt cuts to the largest, as IEEE 754 does", check_vcvt_values, WRONG(cut_keeps_largest)},
    {"vcvt keeps a NaN where it clamps", check_vcvt_values, WRONG(nan_clamped)},
    {"vcvt has a minus zero of hif8", check_vcvt_values, WRONG(hif8_minus_zero)},
    {"vcvt overflows too late in hif8", check_vcvt_values, WRONG(hif8_late_overflow)},
    {"vcvt sends the tie at half of hif8's smallest to zero", check_vcvt_values, WRONG(hif8_tie_to_zero)},
    {"vcvt sends a tie of e1m2 to the odd one", check_vcvt_values, WRONG(fp4_tie)},
    {"vcvt makes the largest e2m1 of a NaN", check_vcvt_values, WRONG(fp4_nan)},
    {"vcvt wraps a negative s16 to u32", check_vcvt_values, WRONG(negative_wraps)},
    {"vcvt rounds beyond the range after looking at it", check_vcvt_values, WRONG(rounds_after_range)},
    {"vcvt flushes a subnormal", check_vcvt_values, WRONG(flushes)},
    {"vtrc loses the sign of zero", check_vcvt_values, WRONG(trunc_sign)},
    {"vtrc leaves a NaN signaling", check_vcvt_values, WRONG(trunc_nan)},
    {"vcvt wraps an infinity, seen in the examples", check_vcvt_examples, WRONG(infinity_wrapped)},
    {"vcvt overflows too late in hif8, seen in the examples", check_vcvt_examples, WRONG(hif8_late_overflow)},
    {"vtrc loses the sign of zero, seen in the examples", check_vcvt_examples, WRONG(trunc_sign)},
    {"vcvt is wrong in one binade of one operation", check_vcvt_sweep, .calls.vcvt = one_binade},
    {"vcvt keeps lanes that are off", check_vcvt_lengths, .calls.vcvt = keeps_off},
    {"vcvt reads a mask of another kind as packed bits", check_vcvt_lengths, .calls.vcvt = mask_of_result},
    {"vcvt reads a byte of the mask too many", check_vcvt_lengths, .calls.vcvt = reads_mask_behind},
    {"vcvt under a mask is wrong after its first block", check_vcvt_lengths, .calls.vcvt = second_block},
    {"a part is wrong after its first block", check_vcvt_parts, .calls.vcvt_part = second_block_of_part},
    {"vcvt writes a nibble too many", check_vcvt_lengths, .calls.vcvt = last_nibble},
    {"vcvt writes a byte after dst", check_vcvt_offsets, .calls.vcvt = one_too_many},
    {"vcvt is wrong in place", check_vcvt_in_place, .calls.vcvt = wrong_in_place},
    {"a part keeps the other places", check_vcvt_parts, .calls.vcvt_part = part_merges},
    {"the odd part is the even one", check_vcvt_parts, .calls.vcvt_part = odd_is_even},
    {"a part in widening is on by the result's lane", check_vcvt_parts, .calls.vcvt_part = lane_of_result},
    {"a part of fp4 takes each element by its own bit", check_vcvt_parts, .calls.vcvt_part = fp4_own_bits},
    {"a part writes a byte after dst", check_vcvt_parts, .calls.vcvt_part = part_behind},
    {"two parts of four are the same", check_vcvt_union, .calls.vcvt_part = parts_swapped},
    {"a part keeps the other places, seen beside each other", check_vcvt_union,
     .calls.vcvt_part = part_merges},
    {"vcvt takes sat where there is none", check_vcvt_status, .calls.vcvt = takes_sat},
    {"vcvt_check takes R to hif8", check_vcvt_status, .calls.vcvt_check = hif8_rounds_r},
    {"vcvt_check takes one rounding of an illegal pair", check_vcvt_status, .calls.vcvt_check = takes_f64},
    {"the last part of fp4 takes an odd count", check_vcvt_status, .calls.vcvt_part = odd_part_of_fp4},
    {"vcvt_part takes P0 for even", check_vcvt_status, .calls.vcvt_part = part_of_four},
    {"vtrc takes O", check_vcvt_status, .calls.vtrc = trunc_odd},
    {"vcvt writes with an error", check_vcvt_status, .calls.vcvt = writes_on_error},
    {"vcvt looks at the size before the mask", check_vcvt_status, .calls.vcvt = size_before_mask},
    {"vcvt writes over the mask", check_vcvt_overlaps, .calls.vcvt = over_mask},
    {"vcvt_part works in place", check_vcvt_overlaps, .calls.vcvt_part = part_in_place},
    {"a form of vcvt is missing", check_vcvt_forms, .calls.vcvt_form_count = one_form_less},
    {"a form of vcvt is there twice", check_vcvt_forms, .calls.vcvt_form = form_twice},
    {"vcvt rounds as the FPU is set", check_vcvt_fpstate, .calls.vcvt = by_fpu},
    {"vtrc leaves a sticky flag", check_vcvt_fpstate, .calls.vtrc = leaves_sticky},
};
const struct planted_list planted_vcvt = {faults, sizeof faults / sizeof faults[0]};
