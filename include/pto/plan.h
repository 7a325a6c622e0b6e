/* SPDX-License-Identifier: MIT */
/**
 * @file plan.h
 * Plans: calls that are prepared once and run many times, for hot loops.
 *
 * @code
 * // Runs over one row of four lanes at a time; the mask of each row starts at its own byte.
 * const float rows[3][4] = {{1, -1, 2, -2}, {0, 0, 0, 0}, {-3, 3, -3, 3}}, zero = 0;
 * uint8_t masks[3];
 * pto_plan plan;
 * if (pto_plan_vcmps(&plan, PTO_F32, PTO_GT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED) != PTO_OK) return 1;
 * for (int i = 0; i < 3; i++) pto_run(&plan, rows[i], &zero, NULL, &masks[i], 4);
 * assert(masks[0] == 0x5 && masks[1] == 0 && masks[2] == 0xa);
 *
 * // A call with more operands than pto_run takes gets them by name: here both results of setp.
 * const pto_setp_op less = {.type = PTO_F32, .cmp = PTO_LT};
 * uint8_t p[1] = {0}, q[1] = {0};
 * const pto_operands operands = {.src = {rows[0], rows[2]}, .dst = {p, q}};
 * if (pto_plan_setp(&plan, less, PTO_MASK_PACKED, PTO_MASK_PACKED, PTO_MASK_PACKED) != PTO_OK) return 1;
 * pto_run_operands(&plan, &operands, 4);
 * assert(p[0] == 0xa && q[0] == 0x5);
 * @endcode
 */
#ifndef PTO_PLAN_H
#define PTO_PLAN_H

#include "cast.h"
#include "compare.h"
#include "convert.h"
#include "mask.h"
#include "maxmin.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A prepared call: checked and looked up once, run many times, like an FFTW plan.
 *
 * It is a plain value: copy it, share it between threads, and never free it. It uses the backend that was active when
 * it was made, and is valid only in this process. All rules of types.h hold, but a run checks nothing: pointers must
 * be valid, n must be at most SIZE_MAX / 16, and operands may overlap only as the checked call allows.
 */
typedef struct pto_plan {
    /** called by pto_run() */
    void (*run)(const struct pto_plan *, const void *a, const void *b, const void *m, void *dst, size_t n);
    uint64_t priv[15]; /**< internal data; about half is unused */
} pto_plan;

/**
 * Plans pto_vcmp() with this type, operator and flags, and masks of these kinds.
 *
 * pto_run(): a and b are src0 and src1, m is the data of the seed (NULL: every lane), dst is the data of the result.
 *
 * The kind `seed` is checked even if no run has a seed; pass PTO_MASK_PACKED for such a plan. (pto_vcmp() itself checks
 * the kind of a seed only if it has data.)
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER,
 * PTO_ERR_MASK (the kind of dst or seed does not fit the type). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);

/**
 * Plans pto_vcmps(). In pto_run(), a is src and b points to the scalar. Everything else is as for pto_plan_vcmp().
 */
PTO_CALL pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                   pto_mask_kind seed, pto_mask_kind dst);

/**
 * Plans pto_testp() with this type, test, flags, and masks of these kinds. In pto_run(), a is src, b is ignored, m is
 * the data of the seed or NULL, and dst is the data of the result. Everything else is as for pto_plan_vcmp().
 */
PTO_CALL pto_status pto_plan_testp(pto_plan *plan, pto_dtype t, pto_float_test test, unsigned flags,
                                   pto_mask_kind seed, pto_mask_kind dst);

/**
 * Plans pto_vsel() with this type and a mask of this kind.
 *
 * pto_run(): a is src0, b is src1 (swap them for vselr), m is the data of the mask, which is required.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MASK. On an error the plan is
 * unchanged.
 */
PTO_CALL pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask);

/**
 * Plans pto_cvt(), composed pairs included.
 *
 * pto_run(): a is src, b is not used, m is pto_cvt()'s extra: the random bits of PTO_RS or the scales. For other ops
 * m is not used. For PTO_RS, n must be a multiple of the group.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER. On an error the plan
 * is unchanged.
 */
PTO_CALL pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op);

/**
 * Plans pto_cast().
 *
 * pto_run(): a is src, b is not used, m is the random bits of PTO_RS: one uint32_t per element. For other roundings m
 * is not used.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER. On an error the plan
 * is unchanged.
 */
PTO_CALL pto_status pto_plan_cast(pto_plan *plan, pto_cast_op op);

/**
 * Plans pto_setp() with masks of these kinds.
 *
 * pto_run_operands(): src[0] and src[1] are a and b; src[2] is the data of c if op has a BoolOp, else NULL; dst[0] is
 * the data of p; dst[1] is the data of q, or NULL. pto_run(): m is the data of c, dst that of p, and q is not
 * computed.
 *
 * All three kinds are checked even if runs have no c or q; pass PTO_MASK_PACKED for a mask that no run has.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER,
 * PTO_ERR_MASK (a kind that does not fit the type). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_setp(pto_plan *plan, pto_setp_op op, pto_mask_kind c, pto_mask_kind p,
                                  pto_mask_kind q);

/**
 * Plans pto_set() with a mask of this kind.
 *
 * src[0] and src[1] are a and b; src[2] is the data of c if op has a BoolOp, else NULL. In pto_run(), m is the data of
 * c. Statuses as for pto_plan_setp().
 */
PTO_CALL pto_status pto_plan_set(pto_plan *plan, pto_set_op op, pto_mask_kind c);

/**
 * Plans pto_slct().
 *
 * src[0], src[1] and src[2] are a, b and c. In pto_run(), m is c.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE (t or ctype), PTO_ERR_MODIFIER (ftz with
 * PTO_S32). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_slct(pto_plan *plan, pto_dtype t, pto_dtype ctype, bool ftz);

/**
 * Bits of the argument `scalars`. Bit i is set if src[i] is one scalar for all lanes, and clear if src[i] is an array.
 */
enum { PTO_SCALAR_0 = 1, PTO_SCALAR_1 = 2, PTO_SCALAR_2 = 4, PTO_SCALAR_3 = 8 };

/**
 * Plans pto_vcmpsel(). `scalars` is the set of operands that are scalars, 0 if all are arrays.
 *
 * src[0] to src[3] are x, y, u and v. These are more operands than pto_run() takes, so use pto_run_operands() or
 * pto_run_rows().
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER (illegal flags, or
 * an unknown bit in scalars). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vcmpsel(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                     unsigned scalars);

/**
 * Plans pto_vsels() with a mask of this kind. `scalars`: PTO_SCALAR_0 if src0 is a scalar, PTO_SCALAR_1 if src1 is one.
 *
 * src[0] and src[1] are src0 and src1, src[2] is the data of the mask, which is required. In pto_run() they are a, b
 * and m.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER (another bit in scalars),
 * PTO_ERR_MASK. On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vsels(pto_plan *plan, pto_dtype t, unsigned scalars, pto_mask_kind mask);

/**
 * Plans pto_vmax(). `scalars` is the set of operands that are scalars.
 *
 * src[0] and src[1] are a and b, as in pto_run().
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER (illegal flags, or a bit in
 * scalars for an operand that does not exist). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vmax(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);

/** Plans pto_vmin(). Everything is as for pto_plan_vmax(). */
PTO_CALL pto_status pto_plan_vmin(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);

/**
 * Plans pto_vclamp(). src[0], src[1] and src[2] are x, lo and hi; in pto_run() they are a, b and m. Everything else is
 * as for pto_plan_vmax().
 */
PTO_CALL pto_status pto_plan_vclamp(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);

/** Plans pto_vrelu(). src[0] is x, in pto_run() a. Everything else is as for pto_plan_vmax(). */
PTO_CALL pto_status pto_plan_vrelu(pto_plan *plan, pto_dtype t, unsigned flags);

/** Runs a plan over n lanes. The call that made the plan documents what a, b, m and dst are. */
static inline void pto_run(const pto_plan *p, const void *a, const void *b, const void *m, void *dst,
                           size_t n) {
    p->run(p, a, b, m, dst, n);
}

/** The largest numbers of sources and results of a plan. */
enum { PTO_SOURCES = 4, PTO_RESULTS = 2 };

/**
 * The operands of a plan.
 *
 * The call that made the plan documents what each operand is. Operands that the plan does not have must be NULL. The
 * operands a, b, m and dst of pto_run() are src[0], src[1], src[2] and dst[0].
 */
typedef struct pto_operands {
    const void *src[PTO_SOURCES]; /**< arrays, scalars and the data of masks */
    void *dst[PTO_RESULTS];       /**< results */
} pto_operands;

/** Runs a plan over n lanes, with all the operands that it has. */
static inline void pto_run_operands(const pto_plan *p, const pto_operands *operands, size_t n) {
    if (operands->src[3] == NULL && operands->dst[1] == NULL)
        p->run(p, operands->src[0], operands->src[1], operands->src[2], operands->dst[0], n);
    else
        p->run(p, operands, NULL, NULL, NULL,
               n); /* because dst is NULL, the plan's function reads all operands from *a */
}

/** The stride of each operand of a matrix: the bytes from one row to the next. See pto_run_rows(). */
typedef struct pto_steps {
    ptrdiff_t src[PTO_SOURCES]; /**< strides of the sources */
    ptrdiff_t dst[PTO_RESULTS]; /**< strides of the results */
} pto_steps;

/**
 * Runs a plan over each row of a matrix.
 *
 * There are `rows` rows of n lanes each. The operands point to the first row, and `steps` has the bytes from each row
 * to the next. The rows run from the first to the last. Each row gives the same bits as a call of pto_run_operands(),
 * and takes as long.
 *
 * A stride may be negative (rows from the last to the first), or 0 if all rows have the same source, array or scalar.
 * Each row of a mask must start at a byte. If rows of bits are contiguous, split them with pto_mask_copy() first. The
 * stride of a NULL operand is ignored. If rows or n is 0, nothing is done.
 *
 * Like pto_run_operands(), this call checks nothing. pto_rows_check() does the checks.
 *
 * @code
 * // Limits 2 rows of 3 scores from below by one row that all rows share. The result has a gap after each row.
 * const float x[2][3] = {{-5, 0, 5}, {2, -2, -1}}, lowest[3] = {-1, -1, -1};
 * float y[2][4] = {{0}};
 * const pto_operands operands = {.src = {x, lowest, x, lowest}, .dst = {y}};
 * const pto_steps steps = {.src = {sizeof x[0], 0, sizeof x[0], 0}, .dst = {sizeof y[0]}};
 * pto_plan plan;
 * if (pto_plan_vcmpsel(&plan, PTO_F32, PTO_GT, 0, 0) != PTO_OK) return 1;
 * if (pto_rows_check(&plan, &operands, &steps, 3, 2) != PTO_OK) return 1;
 * pto_run_rows(&plan, &operands, &steps, 3, 2);
 * assert(y[0][0] == -1 && y[0][2] == 5 && y[0][3] == 0 && y[1][0] == 2 && y[1][2] == -1);
 * @endcode
 */
PTO_API void pto_run_rows(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                          size_t n, size_t rows);

/**
 * Checks whether pto_run_rows() may be called with these arguments: does for all rows the checks that a plan omits. The
 * time does not depend on the number of rows.
 *
 * Within a row, a result may overlap a source as the checked call allows, in place included. A result must not
 * overlap a source of another row, or another row of any result. Rows of a result and of a source with the same
 * stride may be interleaved in memory, such as two halves of the columns of one matrix. If the strides differ, the
 * whole range of the result, from the first byte of its lowest row to the last byte of its highest, must be disjoint
 * from that of the source. So some harmless overlaps are refused, but no harmful one is accepted.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan, operands, steps, or, if n and rows are above 0, an operand that
 * the plan needs), PTO_ERR_MODIFIER (an operand that the plan does not have), PTO_ERR_SIZE (n is above SIZE_MAX / 16 or
 * not a multiple of the group of PTO_RS; or the rows of an operand span more than SIZE_MAX / 2 bytes), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_rows_check(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                                   size_t n, size_t rows);

#ifdef __cplusplus
}
#endif
#endif
