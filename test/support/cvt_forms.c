/* SPDX-License-Identifier: MIT */
#include "support/cvt_forms.h"

/* Both lists are made by cvt_forms.cmake; the composed operations are the table at pto_cvt in convert.h. */

const struct cvt_form cvt_forms[] = {
#define FORM(lanes, text, ...) {{__VA_ARGS__}, lanes, text},
#include "cvt_forms.inc"
#undef FORM
};
const size_t cvt_forms_count = sizeof cvt_forms / sizeof cvt_forms[0];

#define OP(...) {__VA_ARGS__},
#define FROM_BF16(dst)                                                                                       \
    OP(dst, PTO_BF16, PTO_RN, false, false, true, false)                                                     \
    OP(dst, PTO_BF16, PTO_RN, false, false, true, true)                                                      \
    OP(dst, PTO_BF16, PTO_RS, false, false, true, false)                                                     \
    OP(dst, PTO_BF16, PTO_RS, false, false, true, true)
#define TO_F32(src)                                                                                          \
    OP(PTO_F32, src, PTO_ROUND_NONE, false, false, false, false)                                             \
    OP(PTO_F32, src, PTO_ROUND_NONE, true, false, false, false)                                              \
    OP(PTO_F32, src, PTO_ROUND_NONE, false, true, false, false)                                              \
    OP(PTO_F32, src, PTO_ROUND_NONE, true, true, false, false)
#define EACH_ROUND(dst, src, ftz)                                                                            \
    OP(dst, src, PTO_ROUND_NONE, ftz, false, false, false)                                                   \
    OP(dst, src, PTO_RN, ftz, false, false, false)                                                           \
    OP(dst, src, PTO_RZ, ftz, false, false, false)                                                           \
    OP(dst, src, PTO_RM, ftz, false, false, false)                                                           \
    OP(dst, src, PTO_RP, ftz, false, false, false)
#define SMALL_FLOAT(type) FROM_BF16(type) TO_F32(type) EACH_ROUND(PTO_BF16, type, false)

enum { COMPOSED = 5 * (4 + 4 + 5) + 2 * 5 };

const pto_cvt_op cvt_ops[] = {
#include "cvt_forms.inc"
    /* clang-format off */
    SMALL_FLOAT(PTO_E4M3)
    SMALL_FLOAT(PTO_E5M2)
    SMALL_FLOAT(PTO_E2M3)
    SMALL_FLOAT(PTO_E3M2)
    SMALL_FLOAT(PTO_E2M1)
    EACH_ROUND(PTO_F32, PTO_UE8M0, false)
    EACH_ROUND(PTO_F32, PTO_UE8M0, true)
    /* clang-format on */
};
const size_t cvt_ops_count = sizeof cvt_ops / sizeof cvt_ops[0];
const size_t cvt_ops_legal = sizeof cvt_ops / sizeof cvt_ops[0] - COMPOSED;
