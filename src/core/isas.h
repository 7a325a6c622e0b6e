/* SPDX-License-Identifier: MIT */
/*
 * The list of backends. EVERY_ISA(X) lists all values of pto_isa, and BUILT_ISAS(X) those of this build, as
 * X(ENUMERATOR, name, attribute of the symbols that it exports).
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

/* One row for each backend; the best ones come first. Every machine can run the last one. */
#define ISA_ROWS(ROW, X)                                                                                     \
    ROW(X, AVX512, avx512, )                                                                                 \
    ROW(X, AVX2, avx2, )                                                                                     \
    ROW(X, SVE, sve, )                                                                                       \
    ROW(X, NEON, neon, NEON_EXTRA)                                                                           \
    ROW(X, RVV, rvv, )                                                                                       \
    ROW(X, GENERIC, generic, )                                                                               \
    ROW(X, SCALAR, scalar, )

/* DEFINED(macro) is 1 if the macro is defined as 1, and 0 if it is not defined. If it is 1, PAIR_##value is PAIR_1,
 * whose expansion makes 1 the second argument of SECOND(). Otherwise the second argument is 0. IF_DEFINED(macro, ...)
 * expands to the arguments after the macro if it is defined as 1, otherwise to nothing. */
#define PAIR_1                     0, 1
#define SECOND_(pair, second, ...) second
#define SECOND(...)                SECOND_(__VA_ARGS__)
#define DEFINED_(value)            SECOND(PAIR_##value, 0, 0)
#define DEFINED(macro)             DEFINED_(macro)
#define TEXT_IF_0(...)
#define TEXT_IF_1(...)         __VA_ARGS__
#define TEXT_IF_(defined, ...) TEXT_IF_##defined(__VA_ARGS__)
#define TEXT_IF(defined, ...)  TEXT_IF_(defined, __VA_ARGS__)
#define IF_DEFINED(macro, ...) TEXT_IF(DEFINED(macro), __VA_ARGS__)

#define ROW_ALWAYS(X, ISA, isa, attribute)   X(ISA, isa, attribute)
#define ROW_IF_BUILT(X, ISA, isa, attribute) IF_DEFINED(PTO_BUILD_##ISA, X(ISA, isa, attribute))

/* CMake defines PTO_BUILD_AVX2 and so on. The scalar kernels are in every build. */
#define PTO_BUILD_SCALAR 1

#define EVERY_ISA(X)  ISA_ROWS(ROW_ALWAYS, X)
#define BUILT_ISAS(X) ISA_ROWS(ROW_IF_BUILT, X)

#define ONE_MORE(ISA, isa, attribute) +1
enum { ISA_COUNT = 0 EVERY_ISA(ONE_MORE) };
#undef ONE_MORE

#endif
