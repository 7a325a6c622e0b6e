/* SPDX-License-Identifier: MIT */
/**
 * @file subject.h
 * The calls under test, as pointers: the checkers take the library's own, the same operations by way of
 * plans, or wrappers with a planted fault.
 */
#ifndef PTO_TEST_SUBJECT_H
#define PTO_TEST_SUBJECT_H

#include <pto/pto.h>

typedef pto_status vcmp_call(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                             pto_mask seed, pto_mask dst, size_t n);
typedef pto_status vsel_call(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                             size_t n);
typedef pto_status vbr_call(pto_dtype t, const void *scalar, void *dst, size_t n);
typedef pto_status vexp_call(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n);
typedef pto_status mask_binary_call(pto_mask a, pto_mask b, pto_mask dst, size_t n);
typedef pto_status mask_unary_call(pto_mask a, pto_mask dst, size_t n);
typedef pto_status mask_sel_call(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n);
typedef pto_status mask_size_call(pto_mask m, size_t n, size_t *out);
typedef pto_status mask_bool_call(pto_mask m, size_t n, bool *out);
typedef pto_status plan_vcmp_call(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);
typedef pto_status plan_vsel_call(pto_plan *plan, pto_dtype t, pto_mask_kind mask);

struct subject {
    vcmp_call *vcmp, *vcmps;
    vsel_call *vsel, *vselr, *vselrv2;
    vbr_call *vbr;
    vexp_call *vexp; /* NULL in a library without it */
    mask_binary_call *mask_and, *mask_or, *mask_xor;
    mask_unary_call *mask_not, *mask_mov;
    mask_sel_call *mask_sel;
    mask_size_call *mask_count, *mask_first;
    mask_bool_call *mask_any, *mask_all, *mask_none;
    size_t (*mask_bytes)(pto_mask_kind kind, size_t n);
    plan_vcmp_call *plan_vcmp, *plan_vcmps;
    plan_vsel_call *plan_vsel;
    pto_status (*isa_use)(pto_isa isa);
    const char *(*error_text)(pto_status status);
};

/** The library itself. */
struct subject subject_library(void);

/** The library, with vcmp, vcmps, vsel, vselr and vselrv2 going through a plan made for each call. */
struct subject subject_plans(void);

#endif
