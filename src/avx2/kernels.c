/* SPDX-License-Identifier: MIT */
/* Comparison, selection, mask and flag kernels of AVX2, and their table. */
#include "avx2/vec.h"

#define ISA          avx2
#define PTO_ISA_SELF PTO_ISA_AVX2
#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#include "loops/table.h"
