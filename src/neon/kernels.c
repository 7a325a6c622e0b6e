/* SPDX-License-Identifier: MIT */
#include "neon/vec.h"

#define ISA          neon
#define PTO_ISA_SELF PTO_ISA_NEON
#include "loops/mask.h"
#include "loops/compare_all.h"
#include "loops/select_all.h"
#include "loops/flags.h"

#include "loops/table.h"

#ifdef PTO_BUILD_NEON_FP16
#    undef COMPARE_F16
#    define COMPARE_F16(lane)                                                                                \
        { &CAT3(pto_compare_, lane, _neon_fp16), FP_IEEE, VEC_QUIET }

const struct pto_kernels pto_kernels_neon_fp16 = {
#    include "core/table_rows.h"
};

#    undef CHOOSE_F16
#    define CHOOSE_F16(lane) CAT3(pto_choose_, lane, _neon_fp16)

const struct choose_table pto_choose_neon_fp16 = {
#    include "core/choose_rows.h"
};
#endif
