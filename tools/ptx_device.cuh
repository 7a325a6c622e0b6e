/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_device.cuh The instructions of ptx_truth_forms.inc on a GPU: a struct FAMILY_K with a function run(n,
 * operands) for each part of a family, and the levels that the target supports. -arch must name the GPU's own
 * architecture, with its "a" if it has one (Blackwell: sm_100a). Forms that the target lacks are left out. Forms that
 * this nvcc does not support are left out too, with a warning. CUDA 13.x has PTX ISA 9.x.
 */
#ifndef PTO_PTX_DEVICE_CUH
#define PTO_PTX_DEVICE_CUH

#include "ptx_operands.h"
#include "ptx_statements.h"

#include <cstdio>
#include <cstdlib>
#include <string>

/* ---- the target ---- */

/* The PTX ISA version times 100. All toolkits after CUDA 13 support everything that is used here. */
#if __CUDACC_VER_MAJOR__ == 13
#    define PTX_ISA (900 + 10 * __CUDACC_VER_MINOR__)
#else
#    define PTX_ISA (__CUDACC_VER_MAJOR__ > 13 ? 990 : 800)
#endif
#if PTX_ISA < 940 && !defined(__CUDA_ARCH__)
#    if PTX_ISA < 910
#        warning "left out, for this nvcc does not know them: the forms of cvt and set since PTX ISA 9.1"
#    elif PTX_ISA < 920
#        warning "left out, for this nvcc does not know them: the forms of cvt and set since PTX ISA 9.2"
#    else
#        warning "left out, for this nvcc does not know them: the forms of cvt and set since PTX ISA 9.4"
#    endif
#endif

/* The target: ARCH is its number, OWN is 1 for an "a" target, FAMILY is 1 for an "f" or "a" target. */
#if defined(__CUDA_ARCH__)
#    define ARCH __CUDA_ARCH__
#else
#    define ARCH 0
#endif
#if defined(__CUDA_ARCH_SPECIFIC__) && ARCH >= 1000
#    define OWN 1
#else
#    define OWN 0
#endif
#if (OWN || defined(__CUDA_ARCH_FAMILY_SPECIFIC__)) && ARCH >= 1000
#    define FAMILY 1
#else
#    define FAMILY 0
#endif

/* HAS_k is 1 if the target and the toolkit support level k of ptx_truth_forms.cmake. */
#define HAS_0 1
#define HAS_1 (ARCH >= 1000)
#define HAS_2 FAMILY
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)
#    define HAS_3 1
#else
#    define HAS_3 0
#endif
#define HAS_4 (FAMILY && PTX_ISA >= 910)
#define HAS_5 (FAMILY && PTX_ISA >= 920)
#define HAS_6 (OWN && PTX_ISA >= 910)
#define HAS_7 (FAMILY && ARCH == 1070 && PTX_ISA >= 940)
#define HAS_8 (OWN && ARCH == 1070 && PTX_ISA >= 940)

/* Stores the supported levels, a bit for each. */
__global__ void tell_levels(unsigned *levels) {
    *levels = HAS_0 | HAS_1 << 1 | HAS_2 << 2 | HAS_3 << 3 | HAS_4 << 4 | HAS_5 << 5 | HAS_6 << 6 |
              HAS_7 << 7 | HAS_8 << 8;
}

/* ---- the instructions ---- */

#define AT_0(...) __VA_ARGS__
#if HAS_1
#    define AT_1(...) __VA_ARGS__
#else
#    define AT_1(...)
#endif
#if HAS_2
#    define AT_2(...) __VA_ARGS__
#else
#    define AT_2(...)
#endif
#if HAS_3
#    define AT_3(...) __VA_ARGS__
#else
#    define AT_3(...)
#endif
#if HAS_4
#    define AT_4(...) __VA_ARGS__
#else
#    define AT_4(...)
#endif
#if HAS_5
#    define AT_5(...) __VA_ARGS__
#else
#    define AT_5(...)
#endif
#if HAS_6
#    define AT_6(...) __VA_ARGS__
#else
#    define AT_6(...)
#endif
#if HAS_7
#    define AT_7(...) __VA_ARGS__
#else
#    define AT_7(...)
#endif
#if HAS_8
#    define AT_8(...) __VA_ARGS__
#else
#    define AT_8(...)
#endif

/* Types and asm constraints for the letters of registers. P are two predicates, whose value is p + 2 q. */
struct ptx_predicates {
    unsigned p, q;
};
#define TYPE_B    unsigned short
#define TYPE_H    unsigned short
#define TYPE_R    unsigned int
#define TYPE_L    unsigned long long
#define TYPE_P    ptx_predicates
#define TO_B(d)   "=h"(d)
#define TO_H(d)   "=h"(d)
#define TO_R(d)   "=r"(d)
#define TO_L(d)   "=l"(d)
#define TO_P(d)   "=r"(d.p), "=r"(d.q)
#define BITS_B(d) d
#define BITS_H(d) d
#define BITS_R(d) d
#define BITS_L(d) d
#define BITS_P(d) d.p + d.q
#define FROM_B(s) "h"((unsigned short)(s))
#define FROM_H(s) "h"((unsigned short)(s))
#define FROM_R(s) "r"((unsigned int)(s))
#define FROM_L(s) "l"((unsigned long long)(s))

/* clang-format takes the colons of asm for labels. */
/* clang-format off */
#define IN(S, field) FROM_##S(o.field)
#define FORM(n, level, text, third, D, statement, ...)                                                       \
    AT_##level(case n: { TYPE_##D d; asm(statement : TO_##D(d) : __VA_ARGS__); return BITS_##D(d); })
#define PART(family, k)                                                                                      \
    struct family##_##k {                                                                                    \
        static __device__ __noinline__ uint64_t run(unsigned form, const ptx_operands &o) {                  \
            switch (form) {
#define END_PART(family, k)                                                                                  \
            default: return 0;                                                                               \
            }                                                                                                \
        }                                                                                                    \
    };
/* clang-format on */

#include "ptx_truth_forms.inc"
#undef FORM
#undef IN
#undef PART
#undef END_PART

/* ---- the GPU ---- */

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

/** Returns the levels that this GPU and toolkit support, a bit for each. */
static unsigned levels_here() {
    unsigned *device, levels = 0;
    check(cudaMalloc((void **)&device, sizeof *device), "memory");
    tell_levels<<<1, 1>>>(device);
    check(cudaGetLastError(), "compiled for another -arch than this GPU's");
    check(cudaMemcpy(&levels, device, sizeof levels, cudaMemcpyDeviceToHost), "levels");
    check(cudaFree(device), "memory");
    return levels;
}

/** Returns the name of the target, such as "sm_90". */
static std::string target_of(const cudaDeviceProp &properties) {
    return "sm_" + std::to_string(properties.major) + std::to_string(properties.minor);
}

#endif
