/* SPDX-License-Identifier: MIT */
/* Looks up the kernels that are not in struct pto_kernels. Only backends of this build are ever looked up. */
#include "dispatch/dispatch.h"

#include "dispatch/cpu.h"
#include "dispatch/environment.h"

#define CVT(ISA, isa, attribute)      [PTO_ISA_##ISA] = pto_cvt_##isa,
#define VCVT(ISA, isa, attribute)     [PTO_ISA_##ISA] = pto_vcvt_##isa,
#define SCALING(ISA, isa, attribute)  [PTO_ISA_##ISA] = pto_scaling_##isa,
#define MAXMIN(ISA, isa, attribute)   [PTO_ISA_##ISA] = &pto_maxmin_##isa,
#define CLAMP(ISA, isa, attribute)    [PTO_ISA_##ISA] = &pto_clamp_##isa,
#define RELU(ISA, isa, attribute)     [PTO_ISA_##ISA] = &pto_relu_##isa,
#define CHOOSE(ISA, isa, attribute)   [PTO_ISA_##ISA] = &pto_choose_##isa,
#define FLAGS(ISA, isa, attribute)    [PTO_ISA_##ISA] = &pto_flags_##isa,
#define PERMUTE(ISA, isa, attribute)  [PTO_ISA_##ISA] = &pto_permute_##isa,
#define CLASSIFY(ISA, isa, attribute) [PTO_ISA_##ISA] = &pto_classify_##isa,
#define COMPARE(ISA, isa, attribute)  [PTO_ISA_##ISA] = pto_small_compare_##isa,
#define EXTREME(ISA, isa, attribute)  [PTO_ISA_##ISA] = pto_small_extreme_##isa,

#ifdef PTO_BUILD_AVX512_VBMI
static bool uses_vbmi(const struct pto_kernels *k) {
    return k->isa == PTO_ISA_AVX512 && pto_uses_variant(VARIANT_AVX512_VBMI);
}

static bool has_fast_128_byte_tables(void) {
    const unsigned tables = pto_environment().vbmi_tables;
    return tables == 128 || (tables == 0 && pto_cpu_has_fast_128_byte_tables());
}
#endif

/* Returns whether op is the conversion that Arm's BF16 implements: f32 to bf16, to nearest even, without modifiers. */
#if defined(PTO_BUILD_NEON_BF16) || defined(PTO_BUILD_SVE_BF16)
static bool is_arm_bf16_cvt(pto_cvt_op op) {
    return op.dst == PTO_BF16 && op.src == PTO_F32 && op.round == PTO_RN && cvt_modifiers(op) == 0 &&
           op.scale == PTO_SCALE_NONE;
}
#endif

static const struct cvt_kernel *extra_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op) {
#ifdef PTO_BUILD_AVX512_VBMI
    if (uses_vbmi(k)) return pto_cvt_avx512_vbmi(op, has_fast_128_byte_tables());
#endif
#ifdef PTO_BUILD_NEON_BF16
    if (k->isa == PTO_ISA_NEON && is_arm_bf16_cvt(op) && pto_uses_variant(VARIANT_NEON_BF16))
        return pto_cvt_neon_bf16();
#endif
#ifdef PTO_BUILD_SVE_BF16
    if (k->isa == PTO_ISA_SVE && is_arm_bf16_cvt(op) && pto_uses_variant(VARIANT_SVE_BF16))
        return pto_cvt_sve_bf16();
#endif
#ifdef PTO_BUILD_RVV_FP16
    if (k == &pto_kernels_rvv_fp16) return pto_cvt_rvv_fp16(op);
#endif
    (void)k, (void)op;
    return NULL;
}

const struct scaling_extras *pto_scaling_extras(const struct pto_kernels *k) {
#ifdef PTO_BUILD_AVX512_VBMI
    if (uses_vbmi(k)) return pto_scaling_avx512_vbmi(has_fast_128_byte_tables());
#endif
    (void)k;
    return NULL;
}

const struct cvt_kernel *pto_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op) {
    static const struct cvt_kernel *(*const by_isa[])(pto_cvt_op) = {BUILT_ISAS(CVT)};
    const struct cvt_kernel *extra = extra_cvt_kernel(k, op);
    return extra != NULL ? extra : by_isa[k->isa](op);
}

const struct vcvt_kernel *pto_vcvt_kernel(const struct pto_kernels *k, pto_vcvt_op op) {
    static const struct vcvt_kernel *(*const by_isa[])(pto_vcvt_op) = {BUILT_ISAS(VCVT)};
    return by_isa[k->isa](op);
}

const struct scaling_kernels *pto_scaling_kernels(const struct pto_kernels *k) {
    static const struct scaling_kernels *(*const by_isa[])(void) = {BUILT_ISAS(SCALING)};
    return by_isa[k->isa]();
}

const struct choose_table *const pto_choose_tables[] = {BUILT_ISAS(CHOOSE)};
const struct maxmin_table *const pto_maxmin_tables[] = {BUILT_ISAS(MAXMIN)};
const struct maxmin_table *const pto_clamp_tables[] = {BUILT_ISAS(CLAMP)};
const struct maxmin_table *const pto_relu_tables[] = {BUILT_ISAS(RELU)};

const struct flags_kernels *pto_flags_kernels(const struct pto_kernels *k) {
    static const struct flags_kernels *const by_isa[] = {BUILT_ISAS(FLAGS)};
    return by_isa[k->isa];
}

const struct permute_table *pto_permute_kernels(const struct pto_kernels *k) {
    static const struct permute_table *const by_isa[] = {BUILT_ISAS(PERMUTE)};
    return by_isa[k->isa];
}

const struct classify_table *pto_classify_kernels(const struct pto_kernels *k) {
    static const struct classify_table *const by_isa[] = {BUILT_ISAS(CLASSIFY)};
    return by_isa[k->isa];
}

small_compare_fn *pto_small_compare(const struct pto_kernels *k) {
    static small_compare_fn *const by_isa[] = {BUILT_ISAS(COMPARE)};
    return by_isa[k->isa];
}

small_extreme_fn *pto_small_extreme(const struct pto_kernels *k) {
    static small_extreme_fn *const by_isa[] = {BUILT_ISAS(EXTREME)};
    return by_isa[k->isa];
}
