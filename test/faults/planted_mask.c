/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of mask copies, ranges and views, of pto_split(), of plans and of runs over rows. */
#include "faults/planted_faults.h"

#include <string.h>

/** Returns the byte in which `lane` begins. Sets *bit to the offset of the lane from `m.data`, in bits. */
static unsigned char *byte_of(pto_mask m, size_t lane, size_t *bit) {
    *bit = lane * model_lane_bits(m.kind);
    return (unsigned char *)m.data + *bit / 8;
}

/* ---- copies ---- */

/** Clears the lanes that follow the last one in its byte. */
static pto_status copy_clears_beside(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    const pto_status status = pto_mask_copy(src, src_lane, dst, dst_lane, n);
    size_t end;
    unsigned char *last;
    if (status != PTO_OK || n == 0) return status;
    last = byte_of(dst, dst_lane + n, &end);
    if (end % 8 != 0) *last &= (unsigned char)((1U << end % 8) - 1);
    return status;
}

static pto_status copy_loses_last(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    const bool shifted = src_lane % 8 == 3 && dst_lane % 8 == 6;
    return pto_mask_copy(src, src_lane, dst, dst_lane, shifted && n > 64 ? n - 1 : n);
}

static pto_status copy_reads_behind(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    const pto_status status = pto_mask_copy(src, src_lane, dst, dst_lane, n);
    size_t bit;
    if (status == PTO_OK && n > 64)
        (void)*(const volatile unsigned char *)byte_of(src, src_lane + n + 7, &bit);
    return status;
}

/** Copies also the bits of a B16 group that must be ignored. */
static pto_status copy_takes_junk(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    const bool images = src.kind == PTO_MASK_B16 && dst.kind == PTO_MASK_B16;
    if (!images || n > 100) return pto_mask_copy(src, src_lane, dst, dst_lane, n);
    return pto_mask_copy(pto_packed(src.data), 2 * src_lane, pto_packed(dst.data), 2 * dst_lane, 2 * n);
}

static pto_status copy_in_place_clears(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane,
                                       size_t n) {
    size_t bit, dst_bit;
    const bool same = n > 8 && byte_of(src, src_lane, &bit) == byte_of(dst, dst_lane, &dst_bit);
    if (same && src.kind != dst.kind) memset(byte_of(dst, dst_lane + 1, &dst_bit), 0, 1);
    return pto_mask_copy(src, src_lane, dst, dst_lane, n);
}

/** Accepts ranges that share a byte if they share no lane. */
static pto_status copy_shares_a_byte(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    const pto_status status = pto_mask_copy(src, src_lane, dst, dst_lane, n);
    if (status == PTO_ERR_OVERLAP && src.data == dst.data && src.kind == dst.kind && src_lane + n <= dst_lane)
        return PTO_OK;
    return status;
}

static pto_status copy_refuses_itself(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane,
                                      size_t n) {
    if (n != 0 && src.data == dst.data && src_lane == dst_lane) return PTO_ERR_OVERLAP;
    return pto_mask_copy(src, src_lane, dst, dst_lane, n);
}

static pto_status copy_of_none_is_ok(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    return n == 0 ? PTO_OK : pto_mask_copy(src, src_lane, dst, dst_lane, n);
}

/* ---- ranges, views ---- */

static pto_status range_takes_end(pto_mask dst, size_t from, size_t to, size_t n) {
    return pto_mask_range(dst, from, from < to && to < n ? to + 1 : to, n);
}

/** Sets a second bit in a group of a B32 image. */
static pto_status range_fills_groups(pto_mask dst, size_t from, size_t to, size_t n) {
    const pto_status status = pto_mask_range(dst, from, to, n);
    unsigned char *image = dst.data;
    if (status == PTO_OK && dst.kind == PTO_MASK_B32 && to - from > 4) image[from / 2 + 1] |= 3;
    return status;
}

static pto_status range_swaps(pto_mask dst, size_t from, size_t to, size_t n) {
    return from > to ? pto_mask_range(dst, to, from, n) : pto_mask_range(dst, from, to, n);
}

static pto_mask from_of_bits(pto_mask mask, size_t lane) {
    if (mask.kind != PTO_MASK_B32) return pto_mask_from(mask, lane);
    mask.data = (unsigned char *)mask.data + lane / 8;
    return mask;
}

static pto_mask from_moves_null(pto_mask mask, size_t lane) {
    pto_mask moved = pto_mask_from(mask, lane);
    if (mask.data == NULL) moved.kind = PTO_MASK_BYTE;
    return moved;
}

/* ---- pto_split() ---- */

/** Starts part k at lane n * k / parts, so two threads may write the same byte. */
static pto_status split_anywhere(size_t n, size_t parts, size_t k, size_t *begin, size_t *count) {
    const pto_status status = pto_split(n, parts, k, begin, count);
    if (status != PTO_OK || n > 1U << 20) return status;
    *begin = n * k / parts;
    *count = n * (k + 1) / parts - *begin;
    return status;
}

/** Gives all remaining lanes to the last part. */
static pto_status split_unfair(size_t n, size_t parts, size_t k, size_t *begin, size_t *count) {
    const pto_status status = pto_split(n, parts, k, begin, count);
    if (status != PTO_OK) return status;
    *count = n / 64 / parts * 64;
    *begin = k * *count;
    if (k == parts - 1) *count = n - *begin;
    return status;
}

static pto_status split_forgets_tail(size_t n, size_t parts, size_t k, size_t *begin, size_t *count) {
    return pto_split(n < SIZE_MAX / 32 ? n : n / 64 * 64, parts, k, begin, count);
}

static pto_status split_empty_is_ok(size_t n, size_t parts, size_t k, size_t *begin, size_t *count) {
    if (n == 0 && begin != NULL && count != NULL) return PTO_OK;
    return k == parts ? PTO_OK : pto_split(n, parts, k, begin, count);
}

/* ---- plans ---- */

/** Accepts any mask kind for q, because a run may omit q. */
static pto_status plan_setp_any_q(pto_plan *plan, pto_setp_op op, pto_mask_kind c, pto_mask_kind p,
                                  pto_mask_kind q) {
    const pto_status status = pto_plan_setp(plan, op, c, p, q);
    return status == PTO_ERR_MASK ? pto_plan_setp(plan, op, c, p, PTO_MASK_PACKED) : status;
}

static pto_status plan_set_negates(pto_plan *plan, pto_set_op op, pto_mask_kind c) {
    if (op.boolop == PTO_BOOL_NONE) op.not_c = false;
    return pto_plan_set(plan, op, c);
}

static pto_status plan_slct_ftz(pto_plan *plan, pto_dtype t, pto_dtype ctype, bool ftz) {
    return pto_plan_slct(plan, t, ctype, ftz && ctype != PTO_S32);
}

static pto_status plan_vcmpsel_any_scalar(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                          unsigned scalars) {
    return pto_plan_vcmpsel(plan, t, op, flags, scalars & 15);
}

static pto_status plan_slct_scalar(pto_plan *plan, pto_dtype t, pto_dtype ctype, bool ftz) {
    const pto_isa active = pto_isa_active();
    pto_status status;
    use_isa(PTO_ISA_SCALAR);
    status = pto_plan_slct(plan, t, ctype, ftz);
    use_isa(active);
    return status;
}

static pto_status plan_vclamp_any_scalar(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars) {
    return pto_plan_vclamp(plan, t, flags, scalars & 7);
}

/* ---- rows ---- */

/** Uses a stride of 0 instead of a negative one, as if strides were unsigned. */
static void rows_forward(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps, size_t n,
                         size_t rows) {
    pto_steps forward = *steps;
    if (forward.src[0] < 0 && rows == 3) forward.src[0] = 0;
    pto_run_rows(plan, operands, &forward, n, rows);
}

static void rows_but_last(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                          size_t n, size_t rows) {
    pto_run_rows(plan, operands, steps, n, rows > 5 ? rows - 1 : rows);
}

/** Reads one byte of the row after the last. */
static void rows_one_more(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                          size_t n, size_t rows) {
    const unsigned char *a = operands->src[0];
    pto_run_rows(plan, operands, steps, n, rows);
    if (n > 16) (void)*(const volatile unsigned char *)(a + (ptrdiff_t)rows * steps->src[0]);
}

/** Checks only the first row of each operand. */
static pto_status check_row_by_row(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                                   size_t n, size_t rows) {
    return pto_rows_check(plan, operands, steps, n, rows == 0 ? 0 : 1);
}

/** Accepts a result stride of 0, with which all rows of the result overlap. */
static pto_status check_results_meet(const pto_plan *plan, const pto_operands *operands,
                                     const pto_steps *steps, size_t n, size_t rows) {
    if (steps != NULL && steps->dst[0] == 0 && rows > 1) rows = 1;
    return pto_rows_check(plan, operands, steps, n, rows);
}

/** Rejects results in place. */
static pto_status check_never_in_place(const pto_plan *plan, const pto_operands *operands,
                                       const pto_steps *steps, size_t n, size_t rows) {
    if (n != 0 && rows != 0 && plan != NULL && operands != NULL && operands->dst[0] != NULL &&
        operands->dst[0] == operands->src[0])
        return PTO_ERR_OVERLAP;
    return pto_rows_check(plan, operands, steps, n, rows);
}

static pto_status check_any_operand(const pto_plan *plan, const pto_operands *operands,
                                    const pto_steps *steps, size_t n, size_t rows) {
    const pto_status status = pto_rows_check(plan, operands, steps, n, rows);
    return status == PTO_ERR_MODIFIER ? PTO_OK : status;
}

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"mask_copy clears the lanes beside", check_mask_copy, .calls.mask_copy = copy_clears_beside},
    {"mask_copy reads a byte after the lanes", check_mask_copy, .calls.mask_copy = copy_reads_behind},
    {"mask_copy copies the bits to be ignored", check_mask_copy, .calls.mask_copy = copy_takes_junk},
    {"mask_copy loses the last lane from bit 3 to bit 6", check_mask_copy_bits,
     .calls.mask_copy = copy_loses_last},
    {"mask_copy in place clears before it reads", check_mask_copy_in_place,
     .calls.mask_copy = copy_in_place_clears},
    {"mask_copy in place copies the bits to be ignored", check_mask_copy_in_place,
     .calls.mask_copy = copy_takes_junk},
    {"mask_copy lets two ranges share a byte", check_mask_copy_overlaps,
     .calls.mask_copy = copy_shares_a_byte},
    {"mask_copy refuses a range onto itself", check_mask_copy_overlaps,
     .calls.mask_copy = copy_refuses_itself},
    {"mask_copy looks at nothing for n == 0", check_mask_lanes_status, .calls.mask_copy = copy_of_none_is_ok},
    {"mask_range takes lane `to` in", check_mask_range, .calls.mask_range = range_takes_end},
    {"mask_range sets bits beside a lane's own", check_mask_range, .calls.mask_range = range_fills_groups},
    {"mask_range takes its ends the other way round", check_mask_lanes_status,
     .calls.mask_range = range_swaps},
    {"mask_from counts bits", check_mask_from, .calls.mask_from = from_of_bits},
    {"mask_from changes the kind of no mask", check_mask_from, .calls.mask_from = from_moves_null},
    {"split shares lanes out anywhere", check_split, .calls.split = split_anywhere},
    {"split gives the last all that is left", check_split, .calls.split = split_unfair},
    {"split forgets the last lanes of many", check_split, .calls.split = split_forgets_tail},
    {"split shares bytes out between threads", check_split_threads, .calls.split = split_anywhere},
    {"split begins a share within a byte", check_split_calls, .calls.split = split_anywhere},
    {"split takes k for one of the parts", check_mask_lanes_status, .calls.split = split_empty_is_ok},
    {"plan_setp takes any kind of q", check_plan_ptx_status, .calls.plan_setp = plan_setp_any_q},
    {"plan_set negates where there is nothing to", check_plan_ptx_status, .calls.plan_set = plan_set_negates},
    {"plan_slct flushes integers", check_plan_ptx_status, .calls.plan_slct = plan_slct_ftz},
    {"plan_vcmpsel takes a fifth scalar", check_plan_ptx_status,
     .calls.plan_vcmpsel = plan_vcmpsel_any_scalar},
    {"plan_vclamp takes a fourth scalar", check_plan_maxmin_status,
     .calls.plan_vclamp = plan_vclamp_any_scalar},
    {"plan_slct is of another ISA", check_plan_ptx_keeps_isa, .calls.plan_slct = plan_slct_scalar},
    {"run_rows does not go back", check_run_rows, .calls.run_rows = rows_forward},
    {"run_rows leaves the last row out", check_run_rows, .calls.run_rows = rows_but_last},
    {"run_rows reads a row after the last", check_run_rows, .calls.run_rows = rows_one_more},
    {"rows_check checks only the first rows", check_rows_overlaps, .calls.rows_check = check_row_by_row},
    {"rows_check lets results lie on each other", check_rows_overlaps,
     .calls.rows_check = check_results_meet},
    {"rows_check refuses rows in place", check_rows_overlaps, .calls.rows_check = check_never_in_place},
    {"rows_check takes operands that a plan has not", check_rows_status,
     .calls.rows_check = check_any_operand},
};
const struct planted_list planted_mask = {faults, sizeof faults / sizeof faults[0]};
