/* SPDX-License-Identifier: MIT */
/* Comparison, selection, mask and flag kernels of NEON, and their table. */
#include "neon/vec.h"

#define ISA          neon
#define PTO_ISA_SELF PTO_ISA_NEON
#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#include "loops/table.h"

#ifdef PTO_BUILD_NEON_FP16
#    include "loops/table_fp16.h"
#endif
