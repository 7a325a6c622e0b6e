/* SPDX-License-Identifier: MIT */
/*
 * A second set of tables of a backend, included after table.h. It is for CPUs with f16 instructions, which the
 * loops with the suffix ISA_fp16 use for comparisons. VEC_RAISES_NO_FLAGS must hold for these loops if it holds
 * for the others. If they also compare bf16, COMPARE_BF16 must be defined.
 */
#undef COMPARE_F16
#define COMPARE_F16(lane)                                                                                    \
    {                                                                                                        \
        &CAT3(CAT(pto_compare_, lane), CAT(_, ISA), _fp16), VEC_RAISES_NO_FLAGS ? FP_ANY : FP_IEEE,          \
            VEC_RAISES_NO_FLAGS                                                                              \
    }

const struct pto_kernels CAT3(pto_kernels_, ISA, _fp16) = {
#include "core/table_rows.h"
};

#undef CHOOSE_F16
#define CHOOSE_F16(lane) CAT3(CAT(pto_choose_, lane), CAT(_, ISA), _fp16)

const struct choose_table CAT3(pto_choose_, ISA, _fp16) = {
#include "core/choose_rows.h"
};
