/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of f16, comparisons of bf16 into masks, and maximum and minimum of f16 with AVX512-FP16. This
 * is all that the AVX-512 backend does differently on a CPU that has it. The instructions ignore DAZ and FTZ
 * and do not flush subnormals, so .ftz is implemented separately.
 */
#ifndef __AVX512FP16__
#    error "this file is compiled with -mavx512fp16"
#endif

#define VEC_HAS_F16_RELATION
#include "avx512/vec.h"

/* Compares the lanes of mask k; the result is 0 in others. Exceptions are suppressed as in vec.h. */
#define CMP_PH(k, x, y, r)                                                                                   \
    _mm512_mask_cmp_round_ph_mask(k, _mm512_castsi512_ph(x), _mm512_castsi512_ph(y), r, _MM_FROUND_NO_EXC)

#define EVERY_LANE UINT32_MAX

static ALWAYS_INLINE vmask_16 v_rel_f16(enum relation r, vec x, vec y) {
    switch (r) {
    case RELATION_EQ: return CMP_PH(EVERY_LANE, x, y, _CMP_EQ_OQ);
    case RELATION_LT: return CMP_PH(EVERY_LANE, x, y, _CMP_LT_OQ);
    case RELATION_LE: return CMP_PH(EVERY_LANE, x, y, _CMP_LE_OQ);
    case RELATION_LG: return CMP_PH(EVERY_LANE, x, y, _CMP_NEQ_OQ);
    case RELATION_ORD: return CMP_PH(EVERY_LANE, x, y, _CMP_ORD_Q);
    case RELATION_GT: return CMP_PH(EVERY_LANE, x, y, _CMP_GT_OQ);
    case RELATION_GE: return CMP_PH(EVERY_LANE, x, y, _CMP_GE_OQ);
    }
    return 0;
}

enum { SUBNORMAL_MAX = 0x03ff, SUBNORMAL_MIN = INT16_MIN + 0x03ff };

/* Returns the lanes that are neither zero nor subnormal. */
static ALWAYS_INLINE vmask_16 f16_is_normal_or_special(vec x) {
    return _mm512_test_epi16_mask(x, _mm512_set1_epi16(0x7c00));
}

/*
 * Implements .ftz by changing only y. A zero or subnormal y becomes `end`, the smallest or the largest
 * subnormal. No zero or subnormal x is below the smallest or above the largest one. All of them compare like
 * zero with any other y, so x needs no change.
 */
static ALWAYS_INLINE vec f16_flushed_bound(vec y, s16 end) {
    return _mm512_mask_mov_epi16(_mm512_set1_epi16(end), f16_is_normal_or_special(y), y);
}

static ALWAYS_INLINE vmask_16 v_rel_f16z(enum relation r, vec x, vec y) {
    /* If x and y are both zero or subnormal, they are equal. Other lanes are compared unchanged. */
    const vmask_16 large = f16_is_normal_or_special(v_or(x, y));
    switch (r) {
    case RELATION_EQ: return ~CMP_PH(large, x, y, _CMP_NEQ_UQ);
    case RELATION_LG: return CMP_PH(large, x, y, _CMP_NEQ_OQ);
    case RELATION_LT:
    case RELATION_GE: return v_rel_f16(r, x, f16_flushed_bound(y, SUBNORMAL_MIN));
    case RELATION_LE:
    case RELATION_GT: return v_rel_f16(r, x, f16_flushed_bound(y, SUBNORMAL_MAX));
    case RELATION_ORD: break;
    }
    return v_rel_f16(r, x, y);
}

/* For EQ and LG, if the scalar is neither zero nor subnormal, x is compared unchanged. The other relations need no such
 * check: for them v_rel_f16z() changes at most the scalar. */
#define VEC_HAS_REL_SCALAR_f16z 1
static ALWAYS_INLINE vmask_16 v_rel_scalar_f16z(enum relation r, vec x, vec scalar) {
    const bool unchanged = (r == RELATION_EQ || r == RELATION_LG) && f16_is_normal_or_special(scalar) != 0;
    return unchanged ? v_rel_f16(r, x, scalar) : v_rel_f16z(r, x, scalar);
}

#define ISA avx512_fp16

#define LANE     f16
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#define LANE     f16z
#define WIDTH    16
#define FLOATING 1
#include "loops/compare.h"

#include "avx512/bf16.h"
#include "avx512/fp16_maxmin.h"
