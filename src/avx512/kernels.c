/* SPDX-License-Identifier: MIT */
/* Comparison, selection, mask and flag kernels of AVX-512, and their table. */
#include "avx512/vec.h"

#define ISA          avx512
#define PTO_ISA_SELF PTO_ISA_AVX512
#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#include "loops/table.h"

#ifdef PTO_BUILD_AVX512_FP16
/* FP16 compares bf16, too. Where its comparisons raise no flag, they run in any FP state. */
#    undef COMPARE_BF16
#    define COMPARE_BF16 COMPARE_F16(bf16)
#    include "loops/table_fp16.h"
#endif
