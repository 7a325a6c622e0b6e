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

#define NAME(name) CAT3(name, _, ISA)
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), fp, (fp) == FP_ANY }
#define COMPARE_F16(lane) COMPARE(lane, FP_IEEE) /* SVE includes FP16 */
#define COMPARE_BF16      COMPARE(bf16, FP_ANY)
#define COMPARE_F32Z      COMPARE(f32, FP_FLUSH)
#define CHOOSE(lane)      NAME(CAT(pto_choose_, lane))
#define CHOOSE_F16(lane)  CHOOSE(lane)
#define CHOOSE_F32Z       CHOOSE(f32)

const struct pto_kernels pto_kernels_sve = {
#include "core/table_rows.h"
};

const struct choose_table pto_choose_sve = {
#include "core/choose_rows.h"
};

const struct flags_kernels pto_flags_sve = {
#include "core/flags_rows.h"
};
