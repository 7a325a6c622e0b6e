/* SPDX-License-Identifier: MIT */
/* Chooses the backend whose kernels calls use. */
#include "dispatch/dispatch.h"

#include "dispatch/cpu.h"
#include "dispatch/environment.h"

/* The backends of this build, in order of preference. */
static const struct pto_kernels *const built[] = {
#define TABLE(ISA, isa, attribute) &pto_kernels_##isa,
    BUILT_ISAS(TABLE)
#undef TABLE
};
enum { BUILT = sizeof built / sizeof built[0] };

_Atomic(const struct pto_kernels *) pto_active;

bool pto_uses_variant(enum variant variant) {
    return pto_cpu_has_variant(variant) && (pto_environment().variants_off >> variant & 1) == 0;
}

/* If backend k has a variant with its own table, and that variant is to be used, returns that table. Otherwise returns
 * k. */
static const struct pto_kernels *with_variant(const struct pto_kernels *k) {
#ifdef PTO_BUILD_AVX512_FP16
    if (k->isa == PTO_ISA_AVX512 && pto_uses_variant(VARIANT_AVX512_FP16)) return &pto_kernels_avx512_fp16;
#endif
#ifdef PTO_BUILD_NEON_FP16
    if (k->isa == PTO_ISA_NEON && pto_uses_variant(VARIANT_NEON_FP16)) return &pto_kernels_neon_fp16;
#endif
#ifdef PTO_BUILD_RVV_FP16
    if (k->isa == PTO_ISA_RVV && pto_uses_variant(VARIANT_RVV_FP16)) return &pto_kernels_rvv_fp16;
#endif
    return k;
}

/* Returns whether the program is linked with the whole backend. NEON's symbols may be weak: see NEON_EXTRA. */
static bool linked(const struct pto_kernels *k) {
#if defined(PTO_BUILD_NEON) && defined(__x86_64__)
    if (k == &pto_kernels_neon && pto_cvt_neon == NULL) return false;
#endif
    return k != NULL;
}

static const struct pto_kernels *available(pto_isa isa) {
    (void)pto_environment(); /* every first use of the library reads the environment */
    for (size_t i = 0; i < BUILT; ++i)
        if (linked(built[i]) && built[i]->isa == isa && pto_cpu_runs(isa)) return with_variant(built[i]);
    return NULL;
}

/* Returns the most preferred backend that runs natively on this machine. The scalar backend always does. */
static const struct pto_kernels *best(void) {
    for (size_t i = 0; i < BUILT; ++i)
        if (linked(built[i]) && pto_cpu_native(built[i]->isa)) return available(built[i]->isa);
    return &pto_kernels_scalar;
}

bool pto_isa_available(pto_isa isa) {
    return available(isa) != NULL;
}

/* Returns the set of available ISAs: bit i is set if ISA number i is available. */
static unsigned available_isas(void) {
    unsigned set = 0;
    for (size_t i = 0; i < BUILT; ++i)
        if (linked(built[i]) && available(built[i]->isa) != NULL) set |= 1U << built[i]->isa;
    return set;
}

const struct pto_kernels *pto_first_kernels(void) {
    const struct overrides overrides = pto_environment();
    const struct pto_kernels *granted = overrides.isa_is_known ? available(overrides.isa) : NULL;
    const struct pto_kernels *chosen = granted != NULL ? granted : best();
    const struct pto_kernels *expected = NULL;
    if (!atomic_compare_exchange_strong(&pto_active, &expected, chosen))
        return expected; /* another thread was first */
    if (overrides.isa_is_set && granted == NULL) pto_warn_about_isa(available_isas(), chosen->isa);
    return chosen;
}

#define VARIANT_ROW(VARIANT, ISA, word, environment, bit, mask)                                              \
    {.name = word, .variable = environment, .isa = PTO_ISA_##ISA, .built = DEFINED(PTO_BUILD_##VARIANT)},

pto_status pto_isa_variant(size_t i, pto_variant *out) {
    static const pto_variant rows[] = {VARIANTS(VARIANT_ROW)};
    if (out == NULL) return PTO_ERR_NULL;
    if (i >= VARIANT_COUNT) return PTO_ERR_SIZE;
    *out = rows[i];
    out->supported = pto_cpu_has_variant((enum variant)i);
    out->used = out->built && pto_uses_variant((enum variant)i) && pto_isa_active() == out->isa;
    return PTO_OK;
}

pto_isa pto_isa_active(void) {
    return pto_active_kernels()->isa;
}

pto_status pto_isa_use(pto_isa isa) {
    const struct pto_kernels *k = available(isa);
    if (k == NULL) return PTO_ERR_ISA;
    atomic_store_explicit(&pto_active, k, memory_order_relaxed);
    return PTO_OK;
}
