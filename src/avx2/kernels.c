/* SPDX-License-Identifier: MIT */
#include "avx2/vec.h"
#include "core/fpenv.h"

#define ISA          avx2
#define PTO_ISA_SELF PTO_ISA_AVX2
#include "loops/table.h"
