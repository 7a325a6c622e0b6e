/* SPDX-License-Identifier: MIT */
/*
 * The list of backends: X(ENUMERATOR, name, attribute of the symbols that it exports). EVERY_ISA lists all values of
 * pto_isa. BUILT_ISAS lists the backends of this build, the preferred ones first.
 */
#ifndef PTO_CORE_ISAS_H
#define PTO_CORE_ISAS_H

/*
 * On x86 the NEON backend is only for cross-checking. Its symbols are weak there, so a static program contains it only
 * if it is linked explicitly. The shared library always contains it.
 */
#if defined(__x86_64__) && defined(__GNUC__)
#    define NEON_EXTRA __attribute__((weak))
#else
#    define NEON_EXTRA
#endif

#define ISA_SCALAR(X)  X(SCALAR, scalar, )
#define ISA_AVX2(X)    X(AVX2, avx2, )
#define ISA_AVX512(X)  X(AVX512, avx512, )
#define ISA_NEON(X)    X(NEON, neon, NEON_EXTRA)
#define ISA_SVE(X)     X(SVE, sve, )
#define ISA_RVV(X)     X(RVV, rvv, )
#define ISA_GENERIC(X) X(GENERIC, generic, )

#define EVERY_ISA(X) ISA_SCALAR(X) ISA_AVX2(X) ISA_AVX512(X) ISA_NEON(X) ISA_SVE(X) ISA_RVV(X) ISA_GENERIC(X)

#ifdef PTO_BUILD_AVX512
#    define BUILT_AVX512 ISA_AVX512
#else
#    define BUILT_AVX512(X)
#endif
#ifdef PTO_BUILD_AVX2
#    define BUILT_AVX2 ISA_AVX2
#else
#    define BUILT_AVX2(X)
#endif
#ifdef PTO_BUILD_NEON
#    define BUILT_NEON ISA_NEON
#else
#    define BUILT_NEON(X)
#endif
#ifdef PTO_BUILD_SVE
#    define BUILT_SVE ISA_SVE
#else
#    define BUILT_SVE(X)
#endif
#ifdef PTO_BUILD_RVV
#    define BUILT_RVV ISA_RVV
#else
#    define BUILT_RVV(X)
#endif

#ifdef PTO_BUILD_GENERIC
#    define BUILT_GENERIC ISA_GENERIC
#else
#    define BUILT_GENERIC(X)
#endif

#define BUILT_ISAS(X)                                                                                        \
    BUILT_AVX512(X) BUILT_AVX2(X) BUILT_SVE(X) BUILT_NEON(X) BUILT_RVV(X) BUILT_GENERIC(X) ISA_SCALAR(X)

#endif
