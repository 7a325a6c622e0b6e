/* SPDX-License-Identifier: MIT */
/*
 * Backend for vectors whose length is known only at run time, as in scalable ISAs. It tests that the interfaces
 * of a backend also fit such ISAs. It has its own compare, select and mask loops, and does not use
 * loops/vocabulary.h. Loops that need no vocabulary are shared, and conversions and block scaling use the
 * scalar kernels.
 *
 * It is built only for tests (PTO_AGNOSTIC), and then takes the place of the NEON backend (PTO_ISA_NEON).
 */
#include "agnostic/vector.h"
#include "core/kernels.h"
#include "core/maxmin.h"
#include "core/scaling.h"
#include "core/vcvt.h"

#define ISA          agnostic
#define PTO_ISA_SELF PTO_ISA_NEON

#include "agnostic/mask.h"
#define SHIFT_BYTES 16
#include "loops/shift_bits.h"
#include "agnostic/select.h"
#define LANE_LOOPS "agnostic/compare.h"
#include "scalar/lanes.h"
#include "loops/flags.h"

const struct cvt_kernel *pto_cvt_neon(pto_cvt_op op) {
    return pto_cvt_scalar(op);
}

const struct vcvt_kernel *pto_vcvt_neon(pto_vcvt_op op) {
    return pto_vcvt_scalar(op);
}

const struct scaling_kernels *pto_scaling_neon(void) {
    return pto_scaling_scalar();
}

#define NAME(name) CAT3(name, _, ISA)
#define COMPARE(lane, fp)                                                                                    \
    { &NAME(CAT(pto_compare_, lane)), FP_ANY, true }
#define COMPARE_F16(lane) COMPARE(lane, FP_ANY)
#define COMPARE_BF16      COMPARE(bf16, FP_ANY)
#define COMPARE_F32Z      COMPARE(f32z, FP_ANY)
#define CHOOSE(lane)      NAME(CAT(pto_choose_, lane))
#define CHOOSE_F16(lane)  CHOOSE(lane)
#define CHOOSE_F32Z       CHOOSE(f32z)

const struct pto_kernels pto_kernels_neon = {
#include "core/table_rows.h"
};

const struct choose_table pto_choose_neon = {
#include "core/choose_rows.h"
};

const struct flags_kernels pto_flags_neon = {
#include "core/flags_rows.h"
};
