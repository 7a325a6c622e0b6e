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

#define VEC_RAISES_NO_FLAGS false
#define COMPARE_F32Z        COMPARE(f32z, FP_IEEE)
#define CHOOSE_F32Z         CHOOSE(f32z)
#include "loops/table.h"

#ifdef PTO_BUILD_RVV_FP16
#    include "loops/table_fp16.h"
#endif
