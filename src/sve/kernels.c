/* SPDX-License-Identifier: MIT */
/* The SVE backend's kernels for comparison, selection, masks and EFLAGS, and their tables. */
#include "sve/vector.h"

#define ISA          sve
#define PTO_ISA_SELF PTO_ISA_SVE

#include "sve/mask.h"
#define SHIFT_BYTES 16
#include "loops/shift_bits.h"

#define LANE_LOOPS "sve/compare.h"
#include "loops/compare_all.h"
#define WIDTH_LOOPS "sve/select.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#define VEC_RAISES_NO_FLAGS false
#define COMPARE_F16(lane)   COMPARE(lane, FP_IEEE) /* SVE includes FP16 */
#include "loops/table.h"
