/* SPDX-License-Identifier: MIT */
/*
 * The tables of a vector backend. Its kernels.c includes its vec.h and defines ISA (the suffix of names) and
 * PTO_ISA_SELF (its enum value). Then it includes the loops that it uses, and then this file. A backend may
 * have better loops of its own in place of some of these. Before it includes this file, it defines COMPARE_F16 if
 * its comparison of f16 needs an FP state, and COMPARE_F32Z and CHOOSE_F32Z if it has kernels for f32 under .ftz.
 */
#include "core/fpenv.h"

#define NAME(name) CAT3(name, _, ISA)
#ifdef VEC_INTEGER_RELATIONS
#    define COMPARE_FP(fp) FP_ANY
#else
#    define COMPARE_FP(fp) (fp)
#endif
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), COMPARE_FP(fp), (fp) == FP_ANY || VEC_RAISES_NO_FLAGS }
#ifndef COMPARE_F16
#    define COMPARE_F16(lane) COMPARE(lane, FP_ANY)
#endif
#define COMPARE_BF16     COMPARE(bf16, FP_ANY)
#define CHOOSE(lane)     NAME(CAT(pto_choose_, lane))
#define CHOOSE_F16(lane) CHOOSE(lane)
#ifdef VEC_INTEGER_RELATIONS
#    define COMPARE_F32Z COMPARE(f32z, FP_ANY)
#    define CHOOSE_F32Z  CHOOSE(f32z)
#elif !defined COMPARE_F32Z
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
