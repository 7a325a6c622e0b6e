/* SPDX-License-Identifier: MIT */
#include "avx512/vec.h"

#define ISA          avx512
#define PTO_ISA_SELF PTO_ISA_AVX512
#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#include "loops/table.h"

#ifdef PTO_BUILD_AVX512_FP16
/* Instructions that raise no flag heed no FP state at all. */
#    undef COMPARE_F16
#    undef COMPARE_BF16
#    define COMPARE_F16(lane)                                                                                \
        { &CAT3(pto_compare_, lane, _avx512_fp16), VEC_QUIET ? FP_ANY : FP_IEEE, VEC_QUIET }
#    define COMPARE_BF16 COMPARE_F16(bf16)

const struct pto_kernels pto_kernels_avx512_fp16 = {
#    include "core/table_rows.h"
};

#    undef CHOOSE_F16
#    define CHOOSE_F16(lane) CAT3(pto_choose_, lane, _avx512_fp16)

const struct choose_table pto_choose_avx512_fp16 = {
#    include "core/choose_rows.h"
};
#endif
