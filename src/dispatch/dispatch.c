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

/* Returns the FP16 variant of backend k if the CPU has FP16 and the environment allows it, otherwise NULL. */
static const struct pto_kernels *with_fp16(const struct pto_kernels *k, struct wishes wishes) {
#ifdef PTO_BUILD_AVX512_FP16
    if (k->isa == PTO_ISA_AVX512 && pto_cpu_avx512_fp16() && !wishes.without_fp16)
        return &pto_kernels_avx512_fp16;
#endif
#ifdef PTO_BUILD_NEON_FP16
    if (k->isa == PTO_ISA_NEON && pto_cpu_neon_fp16() && !wishes.without_arm_fp16)
        return &pto_kernels_neon_fp16;
#endif
#ifdef PTO_BUILD_RVV_FP16
    if (k->isa == PTO_ISA_RVV && pto_cpu_rvv_fp16() && !wishes.without_rvv_fp16) return &pto_kernels_rvv_fp16;
#endif
    (void)k, (void)wishes;
    return NULL;
}

/* Whether the program is linked with the whole backend. NEON's symbols may be weak: see NEON_EXTRA. */
static bool linked(const struct pto_kernels *k) {
#if defined(PTO_BUILD_NEON) && defined(__x86_64__)
    if (k == &pto_kernels_neon && pto_cvt_neon == NULL) return false;
#endif
    return k != NULL;
}

static const struct pto_kernels *available(pto_isa isa) {
    for (size_t i = 0; i < BUILT; ++i)
        if (linked(built[i]) && built[i]->isa == isa && pto_cpu_runs(isa)) {
            const struct pto_kernels *better = with_fp16(built[i], pto_wishes());
            return better != NULL ? better : built[i];
        }
    return NULL;
}

/* Returns the preferred backend that runs natively on this machine. The scalar one always does. */
static const struct pto_kernels *best(void) {
    for (size_t i = 0; i < BUILT; ++i)
        if (linked(built[i]) && pto_cpu_native(built[i]->isa)) return available(built[i]->isa);
    return &pto_kernels_scalar;
}

const struct pto_kernels *pto_first_kernels(void) {
    const struct wishes wishes = pto_wishes();
    const struct pto_kernels *granted = wishes.isa_is_known ? available(wishes.isa) : NULL;
    const struct pto_kernels *chosen = granted != NULL ? granted : best();
    const struct pto_kernels *expected = NULL;
    if (!atomic_compare_exchange_strong(&pto_active, &expected, chosen))
        return expected; /* another thread was first */
    if (wishes.isa_is_set && granted == NULL) pto_warn_of_isa(chosen->isa);
    return chosen;
}

const char *pto_isa_name(pto_isa isa) {
#define NAME(ISA, isa, attribute) [PTO_ISA_##ISA] = #isa,
    static const char *const names[] = {EVERY_ISA(NAME)};
#undef NAME
    return (size_t)isa < sizeof names / sizeof names[0] ? names[isa] : "?";
}

bool pto_isa_available(pto_isa isa) {
    return available(isa) != NULL;
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
