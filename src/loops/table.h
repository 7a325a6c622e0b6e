/* SPDX-License-Identifier: MIT */
/*
 * The table of a vector backend. Its kernels.c includes its vec.h, defines ISA (the suffix of names) and
 * PTO_ISA_SELF (its enum value), then includes the loops that it wants, by name, and then this. What it does
 * better than they do is its own, in place of theirs. A backend without this vocabulary needs
 * core/table_rows.h alone.
 */
#include "core/fpenv.h"

#define NAME(name) CAT3(name, _, ISA)
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), VEC_ANY_STATE ? FP_ANY : (fp), (fp) == FP_ANY || VEC_QUIET }
#define COMPARE_F16(lane) COMPARE(lane, FP_ANY)
#define COMPARE_BF16      COMPARE(bf16, FP_ANY)
#define CHOOSE(lane)      NAME(CAT(pto_choose_, lane))
#define CHOOSE_F16(lane)  CHOOSE(lane)
#ifdef VEC_HAS_F32Z
#    define COMPARE_F32Z COMPARE(f32z, FP_ANY)
#    define CHOOSE_F32Z  CHOOSE(f32z)
#else
#    define COMPARE_F32Z COMPARE(f32, FP_FLUSH)
#    define CHOOSE_F32Z  CHOOSE(f32)
#endif

const struct pto_kernels NAME(pto_kernels) = {
#include "core/table_rows.h"
};

const struct choose_table NAME(pto_choose) = {
#include "core/choose_rows.h"
};

const struct flags_kernels NAME(pto_flags) = {
#include "core/flags_rows.h"
};
