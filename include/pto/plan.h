/* SPDX-License-Identifier: MIT */
/**
 * @file plan.h
 * Plans: calls prepared once and run many times, for hot loops.
 *
 * @code
 * // A row of four at a time; each mask of four lanes takes a byte of its own.
 * const float rows[3][4] = {{1, -1, 2, -2}, {0, 0, 0, 0}, {-3, 3, -3, 3}}, zero = 0;
 * uint8_t masks[3];
 * pto_plan plan;
 * if (pto_plan_vcmps(&plan, PTO_F32, PTO_GT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED) != PTO_OK) return 1;
 * for (int i = 0; i < 3; i++) pto_run(&plan, rows[i], &zero, NULL, &masks[i], 4);
 * assert(masks[0] == 0x5 && masks[1] == 0 && masks[2] == 0xa);
 *
 * // What has more operands than pto_run takes has them by name: here both results of setp.
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

#include "compare.h"
#include "convert.h"
#include "mask.h"
#include "maxmin.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A prepared call: checked and looked up once, run many times (cf. an FFTW plan).
 *
 * A plain value: copy it, share it between threads, never free it. It keeps the backend that was active when
 * it was made and is good for this process alone. All rules of types.h hold, but nothing is checked any more:
 * pointers must be good, n no more than SIZE_MAX / 16, and only such overlap is allowed as the checked call
 * takes.
 */
typedef struct pto_plan {
    /** what pto_run calls */
    void (*run)(const struct pto_plan *, const void *a, const void *b, const void *m, void *dst, size_t n);
    uint64_t priv[7]; /**< not for users */
} pto_plan;

/**
 * Plan pto_vcmp() with this type, operator and flags, and masks of these kinds.
 *
 * In pto_run(), a and b are the sources, m is the data of the seed (NULL: every lane), dst that of the
 * result.
 *
 * seed is checked although a run may go without one: PTO_MASK_PACKED for a plan that never has a seed. (The
 * checked call looks at the kind of a seed only if it has data.)
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER,
 * PTO_ERR_MASK (dst or seed of a kind that does not fit the type). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);

/** Plan pto_vcmps(). In pto_run(), b points to the scalar. All else as for pto_plan_vcmp(). */
PTO_CALL pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                   pto_mask_kind seed, pto_mask_kind dst);

/**
 * Plan pto_vsel() with this type and a mask of this kind.
 *
 * In pto_run(), a is src0, b is src1 (swap them for vselr), m the mask's data, which is needed.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MASK. On an error the plan is
 * unchanged.
 */
PTO_CALL pto_status pto_plan_vsel(pto_plan *plan, pto_dtype t, pto_mask_kind mask);

/**
 * Plan pto_cvt(), composed pairs included.
 *
 * In pto_run(), a is src, b is unused, m pto_cvt()'s extra: the random bits of PTO_RS or the scales, otherwise
 * unused; for PTO_RS n must be a multiple of the group.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER. On an error the plan
 * is unchanged.
 */
PTO_CALL pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op);

/**
 * Plan pto_setp() with masks of these kinds.
 *
 * src[0] and src[1] are a and b, src[2] is the data of c where the op has a BoolOp and NULL where not, dst[0] that
 * of p, dst[1] that of q or NULL. In pto_run(), m is c's data, dst p's, and there is no q.
 *
 * All three kinds are checked although a run may go without c or q: PTO_MASK_PACKED for a mask that there never
 * is.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER,
 * PTO_ERR_MASK (a kind that does not fit the type). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_setp(pto_plan *plan, pto_setp_op op, pto_mask_kind c, pto_mask_kind p,
                                  pto_mask_kind q);

/**
 * Plan pto_set() with a mask of this kind.
 *
 * src[0] and src[1] are a and b, src[2] is the data of c where the op has a BoolOp and NULL where not; in
 * pto_run(), m is c's data. Statuses as for pto_plan_setp().
 */
PTO_CALL pto_status pto_plan_set(pto_plan *plan, pto_set_op op, pto_mask_kind c);

/**
 * Plan pto_slct().
 *
 * src[0], src[1] and src[2] are a, b and c; in pto_run(), m is c.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE (t or ctype), PTO_ERR_MODIFIER (ftz with
 * PTO_S32). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_slct(pto_plan *plan, pto_dtype t, pto_dtype ctype, bool ftz);

/**
 * Which sources of a plan are one scalar for every lane, the others being arrays: a set of bits, bit i for
 * src[i].
 */
enum { PTO_SCALAR_0 = 1, PTO_SCALAR_1 = 2, PTO_SCALAR_2 = 4, PTO_SCALAR_3 = 8 };

/**
 * Plan pto_vcmpsel(), of whose operands these are scalars: 0 for arrays alone.
 *
 * src[0] to src[3] are x, y, u and v. That is more than pto_run() has, so this plan is for pto_run_operands()
 * and pto_run_rows().
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER (flags, or
 * a bit of scalars that is none of the four). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vcmpsel(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                     unsigned scalars);

/**
 * Plan pto_vsels() with a mask of this kind; PTO_SCALAR_0 and PTO_SCALAR_1 say which source is a scalar.
 *
 * src[0] and src[1] are src0 and src1, src[2] the mask's data, which is needed; in pto_run(), a, b and m.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER (another bit of scalars),
 * PTO_ERR_MASK. On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vsels(pto_plan *plan, pto_dtype t, unsigned scalars, pto_mask_kind mask);

/**
 * Plan pto_vmax(), of whose operands these are scalars.
 *
 * src[0] and src[1] are a and b, as they are in pto_run().
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan), PTO_ERR_TYPE, PTO_ERR_MODIFIER (flags, or a bit of scalars
 * for an operand that there is not). On an error the plan is unchanged.
 */
PTO_CALL pto_status pto_plan_vmax(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);

/** Plan pto_vmin(). All as for pto_plan_vmax(). */
PTO_CALL pto_status pto_plan_vmin(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);

/** Plan pto_vclamp(). src[0], src[1] and src[2], or a, b and m, are x, lo and hi. All else as for pto_plan_vmax(). */
PTO_CALL pto_status pto_plan_vclamp(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);

/** Plan pto_vrelu(). src[0], or a, is x. All else as for pto_plan_vmax(). */
PTO_CALL pto_status pto_plan_vrelu(pto_plan *plan, pto_dtype t, unsigned flags);

/** Run a plan over n lanes. What a, b, m and dst are is said where the plan is made. */
static inline void pto_run(const pto_plan *p, const void *a, const void *b, const void *m, void *dst,
                           size_t n) {
    p->run(p, a, b, m, dst, n);
}

/** The most sources and results that a plan has. */
enum { PTO_SOURCES = 4, PTO_RESULTS = 2 };

/**
 * The operands of a plan, any plan: what each of them is is said where the plan is made, and one that it does not
 * have is NULL. Where that tells of a, b, m and dst, they are src[0], src[1], src[2] and dst[0].
 */
typedef struct pto_operands {
    const void *src[PTO_SOURCES]; /**< arrays, scalars and the data of masks */
    void *dst[PTO_RESULTS];       /**< results */
} pto_operands;

/** Run a plan over n lanes, with as many operands as it has. */
static inline void pto_run_operands(const pto_plan *p, const pto_operands *operands, size_t n) {
    if (operands->src[3] == NULL && operands->dst[1] == NULL)
        p->run(p, operands->src[0], operands->src[1], operands->src[2], operands->dst[0], n);
    else
        p->run(p, operands, NULL, NULL, NULL, n); /* without dst a plan takes them from there */
}

/** Bytes from one row of a matrix to the next, for each operand; see pto_run_rows(). */
typedef struct pto_steps {
    ptrdiff_t src[PTO_SOURCES]; /**< of the sources */
    ptrdiff_t dst[PTO_RESULTS]; /**< of the results */
} pto_steps;

/**
 * Run a plan over each row of a matrix: rows of n lanes each, one after the other, the first at the operands, and
 * every next one at so many bytes from it as steps says.
 *
 * Steps may be negative (rows from the last to the first), and 0 where all rows have the same source, be that an
 * array or a scalar. A row of a mask begins at a byte of its own; rows of bits without a gap are taken apart with
 * pto_mask_copy(). The step of an operand that is NULL is not looked at. With rows or n 0 nothing is done.
 *
 * The bits are those of pto_run_operands() row by row, the first row first, and so is the time of each row. As
 * there nothing is checked: pto_rows_check() does that.
 *
 * @code
 * // Scores of 2 rows of 3, the lowest -1 by a bias that all rows share, into a matrix with a gap behind each row.
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
 * Whether pto_run_rows() may be called so: the checks that a plan leaves out, for all rows, in a time that does
 * not depend on how many there are.
 *
 * In each row a result may lie as the checked call takes it, in place included. No result may lie on a source of
 * another row, nor on any other row of a result. Rows of a result and of a source that have the same step may
 * take turns in memory, such as two halves of the columns of one matrix; where steps differ, everything from the
 * first byte of the result's lowest row to the last of its highest must be apart from the same of the source: some
 * that would do no harm are refused, none that would is let through.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (plan, operands, steps, or with n and rows above 0 an operand that
 * the plan needs), PTO_ERR_MODIFIER (an operand that the plan does not have), PTO_ERR_SIZE (n above SIZE_MAX / 16
 * or no multiple of the group of PTO_RS; rows of an operand further apart than SIZE_MAX / 2), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_rows_check(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                                   size_t n, size_t rows);

#ifdef __cplusplus
}
#endif
#endif
