/* SPDX-License-Identifier: MIT */
/* The RVV backend's kernels for comparison, selection, masks and EFLAGS, and their tables. */
#include "rvv/vector.h"

#define ISA          rvv
#define PTO_ISA_SELF PTO_ISA_RVV

#include "rvv/mask.h"
#define SHIFT_BYTES 16
#include "loops/shift_bits.h"

#define LANE_LOOPS "rvv/compare.h"
#include "loops/compare_all.h"
#define LANE     f32z
#define WIDTH    32
#define FLOATING 1
#include "rvv/compare.h"
#define WIDTH_LOOPS "rvv/select.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#define NAME(name) CAT3(name, _, ISA)
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), fp, (fp) == FP_ANY }
#define COMPARE_F16(lane) COMPARE(lane, FP_ANY)
#define COMPARE_BF16      COMPARE(bf16, FP_ANY)
#define COMPARE_F32Z      COMPARE(f32z, FP_IEEE)
#define CHOOSE(lane)      NAME(CAT(pto_choose_, lane))
#define CHOOSE_F16(lane)  CHOOSE(lane)
#define CHOOSE_F32Z       CHOOSE(f32z)

const struct pto_kernels pto_kernels_rvv = {
#include "core/table_rows.h"
};

const struct choose_table pto_choose_rvv = {
#include "core/choose_rows.h"
};

const struct flags_kernels pto_flags_rvv = {
#include "core/flags_rows.h"
};

#ifdef PTO_BUILD_RVV_FP16
#    define VEC_RAISES_NO_FLAGS false
#    include "loops/table_fp16.h"
#endif
