/* SPDX-License-Identifier: MIT */
/*
 * The vector kernels of one ISA and their table. A backend's kernels.c includes its vec.h, defines ISA (the
 * suffix of names) and PTO_ISA_SELF (its enum value), then this. An override is a line after the templates
 * and a name here.
 */
#include "pto/setcc.h"

#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#define NAME(name) CAT3(name, _, ISA)
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), fp, (fp) == FP_ANY || VEC_QUIET }
#define COMPARE_F16(lane) COMPARE(lane, FP_ANY)

const struct pto_kernels NAME(pto_kernels) = {
#include "core/table_rows.h"
};
