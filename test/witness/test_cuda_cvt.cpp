/* SPDX-License-Identifier: MIT */
/* The host side of NVIDIA's cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_fp6.h and cuda_fp4.h as a witness for
 * conversions: every function and cast of theirs that is a PTX cvt, or one of the pairs that pto_cvt
 * composes, with all inputs of up to 16 bits and about a million longer ones, bit for bit, NaNs included, on
 * every ISA.
 *
 * Their host code converts in integers or with operations that are exact whatever the rounding mode; the
 * one NaN that sources dispute, that of f32 <- bf16, is here as in the code that ptxas emits: payload kept.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
#include "support/harness.h"
}
#include "truth_inputs.h"

namespace {

/* ---- a value of a header's type, from and to memory as pto_cvt lays it out ---- */

/** An e2m1 code alone, which headers keep in a byte and pto_cvt in half of one. */
struct Nibble {
    unsigned char code;
};

__nv_fp4_e2m1 typed(Nibble x) {
    __nv_fp4_e2m1 value;
    value.__x = x.code;
    return value;
}

template <class T> struct Memory {
    static constexpr std::size_t bits = 8 * sizeof(T);
    static T load(const unsigned char *from, std::size_t i) {
        T value;
        std::memcpy(static_cast<void *>(&value), from + i * sizeof value, sizeof value);
        return value;
    }
    static void store(unsigned char *to, std::size_t i, const T &value) {
        std::memcpy(to + i * sizeof value, static_cast<const void *>(&value), sizeof value);
    }
};

template <> struct Memory<Nibble> {
    static constexpr std::size_t bits = 4;
    static Nibble load(const unsigned char *from, std::size_t i) {
        return Nibble{static_cast<unsigned char>(from[i / 2] >> 4 * (i % 2) & 15)};
    }
    static void store(unsigned char *to, std::size_t i, const Nibble &value) {
        const unsigned low = i % 2 != 0 ? to[i / 2] & 15U : 0;
        to[i / 2] = static_cast<unsigned char>(low | static_cast<unsigned>(value.code) << 4 * (i % 2));
    }
};

/* ---- the rows ---- */

struct Row {
    const char *witness;
    pto_dtype dst, src;
    pto_round round;
    bool satfinite;
    std::size_t src_bits; /* that one call reads: of one element or of two */
    void (*run)(const unsigned char *src, unsigned char *dst, std::size_t calls);
};

template <class S, class D, class Call>
void run_calls(const unsigned char *src, unsigned char *dst, std::size_t calls, Call call) {
    for (std::size_t i = 0; i < calls; i++) {
        Memory<D>::store(dst, i, call(Memory<S>::load(src, i)));
    }
}

/** A form of cvt, with the header's types of argument and result, and the result as an expression in x. */
#define ANY_ROW(dst, src, round, satfinite, S, D, ...)                                                       \
    {                                                                                                        \
#        __VA_ARGS__, PTO_##dst, PTO_##src, PTO_##round, satfinite, Memory < S> ::bits,                      \
            [](const unsigned char *from, unsigned char *to,                                                 \
               std::size_t                                                                                   \
                   calls) { run_calls<S, D>(from, to, calls, [](const S &x) -> D { return __VA_ARGS__; }); } \
    }
#define ROW(dst, src, round, S, D, ...)     ANY_ROW(dst, src, round, false, S, D, __VA_ARGS__)
#define ROW_SAT(dst, src, round, S, D, ...) ANY_ROW(dst, src, round, true, S, D, __VA_ARGS__)

const Row half_rows[] = {
    ROW(F16, F32, RN, float, __half, __float2half(x)),
    ROW(F16, F32, RN, float, __half, __float2half_rn(x)),
    ROW(F16, F32, RZ, float, __half, __float2half_rz(x)),
    ROW(F16, F32, RM, float, __half, __float2half_rd(x)),
    ROW(F16, F32, RP, float, __half, __float2half_ru(x)),
    ROW(F16, F64, RN, double, __half, __double2half(x)),
    ROW(F16, F32, RN, float, __half, __low2half(__float2half2_rn(x))),
    ROW(F16, F32, RN, float, __half, __high2half(__float2half2_rn(x))),
    ROW(F16, F32, RN, float2, __half2, __floats2half2_rn(x.x, x.y)),
    ROW(F16, F32, RN, float2, __half2, __float22half2_rn(x)),
    ROW(F32, F16, ROUND_NONE, __half, float, __half2float(x)),
    ROW(F32, F16, ROUND_NONE, __half2, float2, __half22float2(x)),
    ROW(F32, F16, ROUND_NONE, __half, float, __low2float(__halves2half2(x, __half()))),
    ROW(F32, F16, ROUND_NONE, __half, float, __high2float(__halves2half2(__half(), x))),
    ROW(S8, F16, RZI, __half, signed char, __half2char_rz(x)),
    ROW(U8, F16, RZI, __half, unsigned char, __half2uchar_rz(x)),
    ROW(S16, F16, RZI, __half, short, __half2short_rz(x)),
    ROW(U16, F16, RZI, __half, unsigned short, __half2ushort_rz(x)),
    ROW(S32, F16, RZI, __half, int, __half2int_rz(x)),
    ROW(U32, F16, RZI, __half, unsigned, __half2uint_rz(x)),
    ROW(S64, F16, RZI, __half, long long, __half2ll_rz(x)),
    ROW(U64, F16, RZI, __half, unsigned long long, __half2ull_rz(x)),
    ROW(F16, S16, RN, short, __half, __short2half_rn(x)),
    ROW(F16, S16, RZ, short, __half, __short2half_rz(x)),
    ROW(F16, S16, RM, short, __half, __short2half_rd(x)),
    ROW(F16, S16, RP, short, __half, __short2half_ru(x)),
    ROW(F16, U16, RN, unsigned short, __half, __ushort2half_rn(x)),
    ROW(F16, U16, RZ, unsigned short, __half, __ushort2half_rz(x)),
    ROW(F16, U16, RM, unsigned short, __half, __ushort2half_rd(x)),
    ROW(F16, U16, RP, unsigned short, __half, __ushort2half_ru(x)),
    ROW(F16, S32, RN, int, __half, __int2half_rn(x)),
    ROW(F16, S32, RZ, int, __half, __int2half_rz(x)),
    ROW(F16, S32, RM, int, __half, __int2half_rd(x)),
    ROW(F16, S32, RP, int, __half, __int2half_ru(x)),
    ROW(F16, U32, RN, unsigned, __half, __uint2half_rn(x)),
    ROW(F16, U32, RZ, unsigned, __half, __uint2half_rz(x)),
    ROW(F16, U32, RM, unsigned, __half, __uint2half_rd(x)),
    ROW(F16, U32, RP, unsigned, __half, __uint2half_ru(x)),
    ROW(F16, S64, RN, long long, __half, __ll2half_rn(x)),
    ROW(F16, S64, RZ, long long, __half, __ll2half_rz(x)),
    ROW(F16, S64, RM, long long, __half, __ll2half_rd(x)),
    ROW(F16, S64, RP, long long, __half, __ll2half_ru(x)),
    ROW(F16, U64, RN, unsigned long long, __half, __ull2half_rn(x)),
    ROW(F16, U64, RZ, unsigned long long, __half, __ull2half_rz(x)),
    ROW(F16, U64, RM, unsigned long long, __half, __ull2half_rd(x)),
    ROW(F16, U64, RP, unsigned long long, __half, __ull2half_ru(x)),
    ROW(S8, F16, RZI, __half, signed char, static_cast<signed char>(x)),
    ROW(U8, F16, RZI, __half, unsigned char, static_cast<unsigned char>(x)),
    ROW(S16, F16, RZI, __half, short, static_cast<short>(x)),
    ROW(U16, F16, RZI, __half, unsigned short, static_cast<unsigned short>(x)),
    ROW(S32, F16, RZI, __half, int, static_cast<int>(x)),
    ROW(U32, F16, RZI, __half, unsigned, static_cast<unsigned>(x)),
    ROW(S64, F16, RZI, __half, long long, static_cast<long long>(x)),
    ROW(U64, F16, RZI, __half, unsigned long long, static_cast<unsigned long long>(x)),
    ROW(S64, F16, RZI, __half, long, static_cast<long>(x)),
    ROW(U64, F16, RZI, __half, unsigned long, static_cast<unsigned long>(x)),
    ROW(F16, S16, RN, short, __half, __half(x)),
    ROW(F16, U16, RN, unsigned short, __half, __half(x)),
    ROW(F16, S32, RN, int, __half, __half(x)),
    ROW(F16, U32, RN, unsigned, __half, __half(x)),
    ROW(F16, S64, RN, long long, __half, __half(x)),
    ROW(F16, U64, RN, unsigned long long, __half, __half(x)),
    ROW(F16, S64, RN, long, __half, __half(x)),
    ROW(F16, U64, RN, unsigned long, __half, __half(x)),
    ROW(F16, F32, RN, float, __half, __half(x)),
    ROW(F16, F64, RN, double, __half, __half(x)),
    ROW(F32, F16, ROUND_NONE, __half, float, static_cast<float>(x)),
    ROW(F16, BF16, RN, __nv_bfloat16, __half, __half(x)),
};

const Row bfloat16_rows[] = {
    ROW(BF16, F32, RN, float, __nv_bfloat16, __float2bfloat16(x)),
    ROW(BF16, F32, RN, float, __nv_bfloat16, __float2bfloat16_rn(x)),
    ROW(BF16, F32, RZ, float, __nv_bfloat16, __float2bfloat16_rz(x)),
    ROW(BF16, F32, RM, float, __nv_bfloat16, __float2bfloat16_rd(x)),
    ROW(BF16, F32, RP, float, __nv_bfloat16, __float2bfloat16_ru(x)),
    ROW(BF16, F64, RN, double, __nv_bfloat16, __double2bfloat16(x)),
    ROW(BF16, F32, RN, float, __nv_bfloat16, __low2bfloat16(__float2bfloat162_rn(x))),
    ROW(BF16, F32, RN, float, __nv_bfloat16, __high2bfloat16(__float2bfloat162_rn(x))),
    ROW(BF16, F32, RN, float2, __nv_bfloat162, __floats2bfloat162_rn(x.x, x.y)),
    ROW(BF16, F32, RN, float2, __nv_bfloat162, __float22bfloat162_rn(x)),
    ROW(F32, BF16, ROUND_NONE, __nv_bfloat16, float, __bfloat162float(x)),
    ROW(F32, BF16, ROUND_NONE, __nv_bfloat162, float2, __bfloat1622float2(x)),
    ROW(F32, BF16, ROUND_NONE, __nv_bfloat16, float, __low2float(__halves2bfloat162(x, __nv_bfloat16()))),
    ROW(F32, BF16, ROUND_NONE, __nv_bfloat16, float, __high2float(__halves2bfloat162(__nv_bfloat16(), x))),
    ROW(S8, BF16, RZI, __nv_bfloat16, signed char, __bfloat162char_rz(x)),
    ROW(U8, BF16, RZI, __nv_bfloat16, unsigned char, __bfloat162uchar_rz(x)),
    ROW(S16, BF16, RZI, __nv_bfloat16, short, __bfloat162short_rz(x)),
    ROW(U16, BF16, RZI, __nv_bfloat16, unsigned short, __bfloat162ushort_rz(x)),
    ROW(S32, BF16, RZI, __nv_bfloat16, int, __bfloat162int_rz(x)),
    ROW(U32, BF16, RZI, __nv_bfloat16, unsigned, __bfloat162uint_rz(x)),
    ROW(S64, BF16, RZI, __nv_bfloat16, long long, __bfloat162ll_rz(x)),
    ROW(U64, BF16, RZI, __nv_bfloat16, unsigned long long, __bfloat162ull_rz(x)),
    ROW(BF16, S16, RN, short, __nv_bfloat16, __short2bfloat16_rn(x)),
    ROW(BF16, U16, RN, unsigned short, __nv_bfloat16, __ushort2bfloat16_rn(x)),
    ROW(BF16, S32, RN, int, __nv_bfloat16, __int2bfloat16_rn(x)),
    ROW(BF16, U32, RN, unsigned, __nv_bfloat16, __uint2bfloat16_rn(x)),
    ROW(BF16, S64, RN, long long, __nv_bfloat16, __ll2bfloat16_rn(x)),
    ROW(BF16, U64, RN, unsigned long long, __nv_bfloat16, __ull2bfloat16_rn(x)),
    ROW(S8, BF16, RZI, __nv_bfloat16, signed char, static_cast<signed char>(x)),
    ROW(U8, BF16, RZI, __nv_bfloat16, unsigned char, static_cast<unsigned char>(x)),
    ROW(S16, BF16, RZI, __nv_bfloat16, short, static_cast<short>(x)),
    ROW(U16, BF16, RZI, __nv_bfloat16, unsigned short, static_cast<unsigned short>(x)),
    ROW(S32, BF16, RZI, __nv_bfloat16, int, static_cast<int>(x)),
    ROW(U32, BF16, RZI, __nv_bfloat16, unsigned, static_cast<unsigned>(x)),
    ROW(S64, BF16, RZI, __nv_bfloat16, long long, static_cast<long long>(x)),
    ROW(U64, BF16, RZI, __nv_bfloat16, unsigned long long, static_cast<unsigned long long>(x)),
    ROW(S64, BF16, RZI, __nv_bfloat16, long, static_cast<long>(x)),
    ROW(U64, BF16, RZI, __nv_bfloat16, unsigned long, static_cast<unsigned long>(x)),
    ROW(BF16, S16, RN, short, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, U16, RN, unsigned short, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, S32, RN, int, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, U32, RN, unsigned, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, S64, RN, long long, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, U64, RN, unsigned long long, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, S64, RN, long, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, U64, RN, unsigned long, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, F32, RN, float, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(BF16, F64, RN, double, __nv_bfloat16, __nv_bfloat16(x)),
    ROW(F32, BF16, ROUND_NONE, __nv_bfloat16, float, static_cast<float>(x)),
    ROW(BF16, F16, RN, __half, __nv_bfloat16, __nv_bfloat16(x)),
};

const Row fp8_rows[] = {
    ROW_SAT(E4M3, F32, RN, float, unsigned char, __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)),
    ROW_SAT(E4M3, F32, RN, float2, unsigned short, __nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, __NV_E4M3)),
    ROW_SAT(E4M3, F16, RN, __half_raw, unsigned char, __nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, __NV_E4M3)),
    ROW_SAT(E4M3, F16, RN, __half2_raw, unsigned short,
            __nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, __NV_E4M3)),
    ROW_SAT(E4M3, BF16, RN, __nv_bfloat16_raw, unsigned char,
            __nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, __NV_E4M3)),
    ROW_SAT(E4M3, BF16, RN, __nv_bfloat162_raw, unsigned short,
            __nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, __NV_E4M3)),
    ROW(F16, E4M3, RN, unsigned char, __half_raw, __nv_cvt_fp8_to_halfraw(x, __NV_E4M3)),
    ROW(F16, E4M3, RN, unsigned short, __half2_raw, __nv_cvt_fp8x2_to_halfraw2(x, __NV_E4M3)),
    ROW_SAT(E4M3, F32, RN, float, __nv_fp8_e4m3, __nv_fp8_e4m3(x)),
    ROW_SAT(E4M3, F32, RN, float2, __nv_fp8x2_e4m3, __nv_fp8x2_e4m3(x)),
    ROW_SAT(E4M3, F16, RN, __half, __nv_fp8_e4m3, __nv_fp8_e4m3(x)),
    ROW_SAT(E4M3, F16, RN, __half2, __nv_fp8x2_e4m3, __nv_fp8x2_e4m3(x)),
    ROW_SAT(E4M3, BF16, RN, __nv_bfloat16, __nv_fp8_e4m3, __nv_fp8_e4m3(x)),
    ROW_SAT(E4M3, BF16, RN, __nv_bfloat162, __nv_fp8x2_e4m3, __nv_fp8x2_e4m3(x)),
    ROW(F16, E4M3, RN, __nv_fp8_e4m3, __half, static_cast<__half>(x)),
    ROW(F32, E4M3, ROUND_NONE, __nv_fp8_e4m3, float, static_cast<float>(x)),
    ROW(BF16, E4M3, ROUND_NONE, __nv_fp8_e4m3, __nv_bfloat16, static_cast<__nv_bfloat16>(x)),
    ROW(F16, E4M3, RN, __nv_fp8x2_e4m3, __half2, static_cast<__half2>(x)),
    ROW(F32, E4M3, ROUND_NONE, __nv_fp8x2_e4m3, float2, static_cast<float2>(x)),
    ROW_SAT(E5M2, F32, RN, float, unsigned char, __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2)),
    ROW_SAT(E5M2, F32, RN, float2, unsigned short, __nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, __NV_E5M2)),
    ROW_SAT(E5M2, F16, RN, __half_raw, unsigned char, __nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, __NV_E5M2)),
    ROW_SAT(E5M2, F16, RN, __half2_raw, unsigned short,
            __nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, __NV_E5M2)),
    ROW_SAT(E5M2, BF16, RN, __nv_bfloat16_raw, unsigned char,
            __nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, __NV_E5M2)),
    ROW_SAT(E5M2, BF16, RN, __nv_bfloat162_raw, unsigned short,
            __nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, __NV_E5M2)),
    ROW(F16, E5M2, RN, unsigned char, __half_raw, __nv_cvt_fp8_to_halfraw(x, __NV_E5M2)),
    ROW(F16, E5M2, RN, unsigned short, __half2_raw, __nv_cvt_fp8x2_to_halfraw2(x, __NV_E5M2)),
    ROW_SAT(E5M2, F32, RN, float, __nv_fp8_e5m2, __nv_fp8_e5m2(x)),
    ROW_SAT(E5M2, F32, RN, float2, __nv_fp8x2_e5m2, __nv_fp8x2_e5m2(x)),
    ROW_SAT(E5M2, F16, RN, __half, __nv_fp8_e5m2, __nv_fp8_e5m2(x)),
    ROW_SAT(E5M2, F16, RN, __half2, __nv_fp8x2_e5m2, __nv_fp8x2_e5m2(x)),
    ROW_SAT(E5M2, BF16, RN, __nv_bfloat16, __nv_fp8_e5m2, __nv_fp8_e5m2(x)),
    ROW_SAT(E5M2, BF16, RN, __nv_bfloat162, __nv_fp8x2_e5m2, __nv_fp8x2_e5m2(x)),
    ROW(F16, E5M2, RN, __nv_fp8_e5m2, __half, static_cast<__half>(x)),
    ROW(F32, E5M2, ROUND_NONE, __nv_fp8_e5m2, float, static_cast<float>(x)),
    ROW(BF16, E5M2, ROUND_NONE, __nv_fp8_e5m2, __nv_bfloat16, static_cast<__nv_bfloat16>(x)),
    ROW(F16, E5M2, RN, __nv_fp8x2_e5m2, __half2, static_cast<__half2>(x)),
    ROW(F32, E5M2, ROUND_NONE, __nv_fp8x2_e5m2, float2, static_cast<float2>(x)),
};

const Row fp6_rows[] = {
    ROW_SAT(E2M3, F32, RN, float, unsigned char, __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest)),
    ROW_SAT(E2M3, F32, RN, float2, unsigned short, __nv_cvt_float2_to_fp6x2(x, __NV_E2M3, cudaRoundNearest)),
    ROW_SAT(E2M3, BF16, RN, __nv_bfloat16_raw, unsigned char,
            __nv_cvt_bfloat16raw_to_fp6(x, __NV_E2M3, cudaRoundNearest)),
    ROW_SAT(E2M3, BF16, RN, __nv_bfloat162_raw, unsigned short,
            __nv_cvt_bfloat16raw2_to_fp6x2(x, __NV_E2M3, cudaRoundNearest)),
    ROW(F16, E2M3, RN, unsigned char, __half_raw, __nv_cvt_fp6_to_halfraw(x, __NV_E2M3)),
    ROW(F16, E2M3, RN, unsigned short, __half2_raw, __nv_cvt_fp6x2_to_halfraw2(x, __NV_E2M3)),
    ROW_SAT(E2M3, F32, RN, float, __nv_fp6_e2m3, __nv_fp6_e2m3(x)),
    ROW_SAT(E2M3, F32, RN, float2, __nv_fp6x2_e2m3, __nv_fp6x2_e2m3(x)),
    ROW_SAT(E2M3, BF16, RN, __nv_bfloat16, __nv_fp6_e2m3, __nv_fp6_e2m3(x)),
    ROW_SAT(E2M3, BF16, RN, __nv_bfloat162, __nv_fp6x2_e2m3, __nv_fp6x2_e2m3(x)),
    ROW(F16, E2M3, RN, __nv_fp6_e2m3, __half, static_cast<__half>(x)),
    ROW(F32, E2M3, ROUND_NONE, __nv_fp6_e2m3, float, static_cast<float>(x)),
    ROW(BF16, E2M3, ROUND_NONE, __nv_fp6_e2m3, __nv_bfloat16, static_cast<__nv_bfloat16>(x)),
    ROW(F16, E2M3, RN, __nv_fp6x2_e2m3, __half2, static_cast<__half2>(x)),
    ROW(F32, E2M3, ROUND_NONE, __nv_fp6x2_e2m3, float2, static_cast<float2>(x)),
    ROW_SAT(E3M2, F32, RN, float, unsigned char, __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest)),
    ROW_SAT(E3M2, F32, RN, float2, unsigned short, __nv_cvt_float2_to_fp6x2(x, __NV_E3M2, cudaRoundNearest)),
    ROW_SAT(E3M2, BF16, RN, __nv_bfloat16_raw, unsigned char,
            __nv_cvt_bfloat16raw_to_fp6(x, __NV_E3M2, cudaRoundNearest)),
    ROW_SAT(E3M2, BF16, RN, __nv_bfloat162_raw, unsigned short,
            __nv_cvt_bfloat16raw2_to_fp6x2(x, __NV_E3M2, cudaRoundNearest)),
    ROW(F16, E3M2, RN, unsigned char, __half_raw, __nv_cvt_fp6_to_halfraw(x, __NV_E3M2)),
    ROW(F16, E3M2, RN, unsigned short, __half2_raw, __nv_cvt_fp6x2_to_halfraw2(x, __NV_E3M2)),
    ROW_SAT(E3M2, F32, RN, float, __nv_fp6_e3m2, __nv_fp6_e3m2(x)),
    ROW_SAT(E3M2, F32, RN, float2, __nv_fp6x2_e3m2, __nv_fp6x2_e3m2(x)),
    ROW_SAT(E3M2, BF16, RN, __nv_bfloat16, __nv_fp6_e3m2, __nv_fp6_e3m2(x)),
    ROW_SAT(E3M2, BF16, RN, __nv_bfloat162, __nv_fp6x2_e3m2, __nv_fp6x2_e3m2(x)),
    ROW(F16, E3M2, RN, __nv_fp6_e3m2, __half, static_cast<__half>(x)),
    ROW(F32, E3M2, ROUND_NONE, __nv_fp6_e3m2, float, static_cast<float>(x)),
    ROW(BF16, E3M2, ROUND_NONE, __nv_fp6_e3m2, __nv_bfloat16, static_cast<__nv_bfloat16>(x)),
    ROW(F16, E3M2, RN, __nv_fp6x2_e3m2, __half2, static_cast<__half2>(x)),
    ROW(F32, E3M2, ROUND_NONE, __nv_fp6x2_e3m2, float2, static_cast<float2>(x)),
};

const Row fp4_rows[] = {
    ROW_SAT(E2M1, F32, RN, float, Nibble, Nibble{__nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest)}),
    ROW_SAT(E2M1, F32, RN, float2, unsigned char, __nv_cvt_float2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest)),
    ROW_SAT(E2M1, F16, RN, __half_raw, Nibble,
            Nibble{__nv_cvt_halfraw_to_fp4(x, __NV_E2M1, cudaRoundNearest)}),
    ROW_SAT(E2M1, F16, RN, __half2_raw, unsigned char,
            __nv_cvt_halfraw2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest)),
    ROW_SAT(E2M1, BF16, RN, __nv_bfloat16_raw, Nibble,
            Nibble{__nv_cvt_bfloat16raw_to_fp4(x, __NV_E2M1, cudaRoundNearest)}),
    ROW_SAT(E2M1, BF16, RN, __nv_bfloat162_raw, unsigned char,
            __nv_cvt_bfloat16raw2_to_fp4x2(x, __NV_E2M1, cudaRoundNearest)),
    ROW(F16, E2M1, RN, Nibble, __half_raw, __nv_cvt_fp4_to_halfraw(x.code, __NV_E2M1)),
    ROW(F16, E2M1, RN, unsigned char, __half2_raw, __nv_cvt_fp4x2_to_halfraw2(x, __NV_E2M1)),
    ROW_SAT(E2M1, F32, RN, float, Nibble, Nibble{__nv_fp4_e2m1(x).__x}),
    ROW_SAT(E2M1, F32, RN, float2, __nv_fp4x2_e2m1, __nv_fp4x2_e2m1(x)),
    ROW_SAT(E2M1, F16, RN, __half, Nibble, Nibble{__nv_fp4_e2m1(x).__x}),
    ROW_SAT(E2M1, F16, RN, __half2, __nv_fp4x2_e2m1, __nv_fp4x2_e2m1(x)),
    ROW_SAT(E2M1, BF16, RN, __nv_bfloat16, Nibble, Nibble{__nv_fp4_e2m1(x).__x}),
    ROW_SAT(E2M1, BF16, RN, __nv_bfloat162, __nv_fp4x2_e2m1, __nv_fp4x2_e2m1(x)),
    ROW(F16, E2M1, RN, Nibble, __half, static_cast<__half>(typed(x))),
    ROW(F32, E2M1, ROUND_NONE, Nibble, float, static_cast<float>(typed(x))),
    ROW(BF16, E2M1, ROUND_NONE, Nibble, __nv_bfloat16, static_cast<__nv_bfloat16>(typed(x))),
    ROW(F16, E2M1, RN, __nv_fp4x2_e2m1, __half2, static_cast<__half2>(x)),
    ROW(F32, E2M1, ROUND_NONE, __nv_fp4x2_e2m1, float2, static_cast<float2>(x)),
};

const Row e8m0_rows[] = {
    ROW(UE8M0, F32, RZ, float, unsigned char, __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero)),
    ROW(UE8M0, F32, RZ, float2, unsigned short, __nv_cvt_float2_to_e8m0x2(x, __NV_NOSAT, cudaRoundZero)),
    ROW(UE8M0, BF16, RZ, __nv_bfloat16_raw, unsigned char,
        __nv_cvt_bfloat16raw_to_e8m0(x, __NV_NOSAT, cudaRoundZero)),
    ROW(UE8M0, BF16, RZ, __nv_bfloat162_raw, unsigned short,
        __nv_cvt_bfloat162raw_to_e8m0x2(x, __NV_NOSAT, cudaRoundZero)),
    ROW_SAT(UE8M0, F32, RZ, float, unsigned char, __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero)),
    ROW_SAT(UE8M0, F32, RZ, float2, unsigned short,
            __nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundZero)),
    ROW_SAT(UE8M0, BF16, RZ, __nv_bfloat16_raw, unsigned char,
            __nv_cvt_bfloat16raw_to_e8m0(x, __NV_SATFINITE, cudaRoundZero)),
    ROW_SAT(UE8M0, BF16, RZ, __nv_bfloat162_raw, unsigned short,
            __nv_cvt_bfloat162raw_to_e8m0x2(x, __NV_SATFINITE, cudaRoundZero)),
    ROW(UE8M0, F32, RP, float, unsigned char, __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf)),
    ROW(UE8M0, F32, RP, float2, unsigned short, __nv_cvt_float2_to_e8m0x2(x, __NV_NOSAT, cudaRoundPosInf)),
    ROW(UE8M0, BF16, RP, __nv_bfloat16_raw, unsigned char,
        __nv_cvt_bfloat16raw_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf)),
    ROW(UE8M0, BF16, RP, __nv_bfloat162_raw, unsigned short,
        __nv_cvt_bfloat162raw_to_e8m0x2(x, __NV_NOSAT, cudaRoundPosInf)),
    ROW_SAT(UE8M0, F32, RP, float, unsigned char, __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)),
    ROW_SAT(UE8M0, F32, RP, float2, unsigned short,
            __nv_cvt_float2_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)),
    ROW_SAT(UE8M0, BF16, RP, __nv_bfloat16_raw, unsigned char,
            __nv_cvt_bfloat16raw_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf)),
    ROW_SAT(UE8M0, BF16, RP, __nv_bfloat162_raw, unsigned short,
            __nv_cvt_bfloat162raw_to_e8m0x2(x, __NV_SATFINITE, cudaRoundPosInf)),
    ROW(BF16, UE8M0, RN, unsigned char, __nv_bfloat16_raw, __nv_cvt_e8m0_to_bf16raw(x)),
    ROW(BF16, UE8M0, RN, unsigned short, __nv_bfloat162_raw, __nv_cvt_e8m0x2_to_bf162raw(x)),
    ROW_SAT(UE8M0, F32, RP, float, __nv_fp8_e8m0, __nv_fp8_e8m0(x)),
    ROW_SAT(UE8M0, F32, RP, float2, __nv_fp8x2_e8m0, __nv_fp8x2_e8m0(x)),
    ROW_SAT(UE8M0, BF16, RP, __nv_bfloat16, __nv_fp8_e8m0, __nv_fp8_e8m0(x)),
    ROW_SAT(UE8M0, BF16, RP, __nv_bfloat162, __nv_fp8x2_e8m0, __nv_fp8x2_e8m0(x)),
    ROW(BF16, UE8M0, RN, __nv_fp8_e8m0, __nv_bfloat16, static_cast<__nv_bfloat16>(x)),
    ROW(BF16, UE8M0, RN, __nv_fp8x2_e8m0, __nv_bfloat162, static_cast<__nv_bfloat162>(x)),
    ROW(F32, UE8M0, ROUND_NONE, __nv_fp8_e8m0, float, static_cast<float>(x)),
    ROW(F32, UE8M0, ROUND_NONE, __nv_fp8x2_e8m0, float2, static_cast<float2>(x)),
};
#undef ANY_ROW
#undef ROW
#undef ROW_SAT

/* ---- inputs ---- */

using Bytes = std::vector<unsigned char>;

void append(Bytes &image, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; i++) {
        image.push_back(static_cast<unsigned char>(value >> 8 * i));
    }
}

/** All neighbours of 4 and 8 bits; all of 16 bits, beside their like and beside their unlike. */
Bytes all_inputs(std::size_t bits) {
    Bytes image;
    if (bits == 4) {
        for (unsigned i = 0; i < 256; i++) append(image, i, 1);
        return image;
    }
    for (unsigned i = 0; i < 65536; i++) append(image, i, 2);
    for (std::uint64_t i = 0; i < 65536; i++) append(image, i * 40503U, 2);
    return image;
}

truth_shape shape_of(pto_dtype type) {
    truth_shape shape = {};
    shape.kind = type == PTO_F32 ? TRUTH_F32 : type == PTO_F64 ? TRUTH_F64 : TRUTH_INT;
    shape.unit_bits = static_cast<unsigned>(pto_dtype_bits(type));
    shape.halves = 1;
    return shape;
}

/** Of 32 and 64 bits: every so many-th, as many that rounding and ranges mind, and specials. */
Bytes some_inputs(pto_dtype type) {
    const truth_shape shape = shape_of(type);
    const std::size_t size = shape.unit_bits / 8;
    const std::uint64_t step = shape.unit_bits == 32 ? 8191 : 35184372088777U; /* primes near 2^13 and 2^45 */
    const std::uint64_t count = harness_quick() ? 1 << 14 : 1 << 19, times = (1 << 19) / count;
    Bytes image;
    image.reserve(2 * count * size + TRUTH_SPECIALS * size);
    for (std::uint64_t i = 0; i < count; i++) {
        append(image, i * times * step, size);
        append(image,
               shape.kind == TRUTH_INT ? truth_integer(shape.unit_bits, harness_seed() + i)
                                       : truth_float(shape.kind, harness_seed() + i),
               size);
    }
    for (unsigned i = 0; i < TRUTH_SPECIALS; i++) append(image, truth_special(&shape, i), size);
    return image;
}

/** The inputs of a type, made once. */
const Bytes &inputs_of(pto_dtype type) {
    static Bytes made[MODEL_DTYPES];
    Bytes &image = made[type];
    if (image.empty())
        image = pto_dtype_bits(type) <= 16 ? all_inputs(pto_dtype_bits(type)) : some_inputs(type);
    return image;
}

/* ---- comparing ---- */

struct Totals {
    std::size_t rows, conversions, compared, wrong_rows;
} totals;

std::uint64_t element(const unsigned char *image, std::size_t bits, std::size_t i) {
    std::uint64_t value = 0;
    if (bits == 4) return Memory<Nibble>::load(image, i).code;
    for (std::size_t k = bits / 8; k-- > 0;) {
        value = value << 8 | image[i * (bits / 8) + k];
    }
    return value;
}

/** The first few elements that differ, and how many do. */
void explain(const Row &row, pto_isa isa, const Bytes &src, const Bytes &want, const Bytes &got,
             std::size_t n) {
    const std::size_t src_bits = pto_dtype_bits(row.src), dst_bits = pto_dtype_bits(row.dst);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; i++) {
        const std::uint64_t w = element(want.data(), dst_bits, i), g = element(got.data(), dst_bits, i);
        if (w == g || wrong++ >= 4) continue;
        std::printf("%s <- %s, %s, %s: %0*llx gives %0*llx, the header %0*llx\n", pto_dtype_name(row.dst),
                    pto_dtype_name(row.src), row.witness, pto_isa_name(isa), static_cast<int>(src_bits / 4),
                    static_cast<unsigned long long>(element(src.data(), src_bits, i)),
                    static_cast<int>(dst_bits / 4), static_cast<unsigned long long>(g),
                    static_cast<int>(dst_bits / 4), static_cast<unsigned long long>(w));
    }
    std::printf("%s: %zu of %zu differ\n", row.witness, wrong, n);
}

bool compare_isa(const Row &row, pto_isa isa, const Bytes &src, const Bytes &want, std::size_t n) {
    Bytes got(want.size(), 0x77);
    pto_cvt_op op = {};
    op.dst = row.dst;
    op.src = row.src;
    op.round = row.round;
    op.satfinite = row.satfinite;
    if (pto_isa_use(isa) != PTO_OK) return false;
    const pto_status status = pto_cvt(op, src.data(), got.data(), nullptr, n);
    if (status != PTO_OK) {
        std::printf("%s <- %s, %s: status %d\n", pto_dtype_name(row.dst), pto_dtype_name(row.src),
                    row.witness, static_cast<int>(status));
        return false;
    }
    totals.compared += n;
    if (got == want) return true;
    explain(row, isa, src, want, got, n);
    return false;
}

void compare_row(const Row &row) {
    const Bytes &src = inputs_of(row.src);
    const std::size_t n = 8 * src.size() / pto_dtype_bits(row.src);
    Bytes want(n * pto_dtype_bits(row.dst) / 8, 0);
    bool good = true;
    row.run(src.data(), want.data(), 8 * src.size() / row.src_bits);
    for (int i = 0; i < harness_isas(); i++) {
        const auto isa = static_cast<pto_isa>(i);
        if (pto_isa_available(isa)) good = compare_isa(row, isa, src, want, n) && good;
    }
    totals.rows++;
    totals.conversions += n;
    totals.wrong_rows += good ? 0 : 1;
}

template <std::size_t N> void compare_rows(const Row (&rows)[N]) {
    for (const Row &row : rows) {
        compare_row(row);
    }
}

} /* namespace */

int main(int argc, char **argv) {
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    compare_rows(half_rows);
    compare_rows(bfloat16_rows);
    compare_rows(fp8_rows);
    compare_rows(fp6_rows);
    compare_rows(fp4_rows);
    compare_rows(e8m0_rows);
    std::printf("%zu functions and casts, %zu conversions, %zu results compared over the ISAs; %zu functions "
                "differ\n",
                totals.rows, totals.conversions, totals.compared, totals.wrong_rows);
    return totals.wrong_rows == 0 ? 0 : 1;
}
