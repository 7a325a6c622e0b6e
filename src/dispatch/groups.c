/* SPDX-License-Identifier: MIT */
/* The groups of kernels that stand beside the table of a backend. */
#include "dispatch/dispatch.h"

const struct cvt_kernel *pto_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op) {
    switch (k->isa) {
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

const struct choose_table *pto_choose_kernels(const struct pto_kernels *k) {
#ifdef PTO_BUILD_AVX512_FP16
    if (k == &pto_kernels_avx512_fp16) return &pto_choose_avx512_fp16;
#endif
    switch (k->isa) {
#ifdef PTO_BUILD_AVX512
    case PTO_ISA_AVX512: return &pto_choose_avx512;
#endif
#ifdef PTO_BUILD_AVX2
    case PTO_ISA_AVX2: return &pto_choose_avx2;
#endif
#ifdef PTO_BUILD_NEON
    case PTO_ISA_NEON: return &pto_choose_neon;
#endif
    default: return &pto_choose_scalar;
    }
}

const struct flags_kernels *pto_flags_kernels(const struct pto_kernels *k) {
    switch (k->isa) {
#ifdef PTO_BUILD_AVX512
    case PTO_ISA_AVX512: return &pto_flags_avx512;
#endif
#ifdef PTO_BUILD_AVX2
    case PTO_ISA_AVX2: return &pto_flags_avx2;
#endif
#ifdef PTO_BUILD_NEON
    case PTO_ISA_NEON: return &pto_flags_neon;
#endif
    default: return &pto_flags_scalar;
    }
}
