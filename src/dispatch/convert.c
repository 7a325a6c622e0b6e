/* SPDX-License-Identifier: MIT */
#include "dispatch/dispatch.h"

const struct cvt_kernel *pto_cvt_kernel(pto_isa isa, pto_cvt_op op) {
    switch (isa) {
#ifdef PTO_BUILD_AVX512
    case PTO_ISA_AVX512: return pto_cvt_avx512(op);
#endif
#ifdef PTO_BUILD_AVX2
    case PTO_ISA_AVX2: return pto_cvt_avx2(op);
#endif
#ifdef PTO_BUILD_NEON
    case PTO_ISA_NEON: return pto_cvt_neon(op);
#endif
    default: return pto_cvt_scalar(op);
    }
}
