/* SPDX-License-Identifier: MIT */
/*
 * A second table of a backend, behind its own: for CPUs that have instructions for f16, by which the loops of ISA_fp16
 * compare. VEC_QUIET is true of those, too, if of all others. To be defined if bf16 is compared by them: COMPARE_BF16.
 */
#undef COMPARE_F16
#define COMPARE_F16(lane)                                                                                    \
    { &CAT3(CAT(pto_compare_, lane), CAT(_, ISA), _fp16), VEC_QUIET ? FP_ANY : FP_IEEE, VEC_QUIET }

const struct pto_kernels CAT3(pto_kernels_, ISA, _fp16) = {
#include "core/table_rows.h"
};

#undef CHOOSE_F16
#define CHOOSE_F16(lane) CAT3(CAT(pto_choose_, lane), CAT(_, ISA), _fp16)

const struct choose_table CAT3(pto_choose_, ISA, _fp16) = {
#include "core/choose_rows.h"
};
