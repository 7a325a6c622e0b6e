/* SPDX-License-Identifier: MIT */
/*
 * Conversions for which AVX-512 has an instruction. The instructions contain the rounding mode and suppress
 * exceptions. NaNs and saturation are fixed up with masks to follow PTX. DAZ affects most of these
 * instructions, and FTZ one. So their kernels require a state without them, or with DAZ if .ftz is wanted.
 */

#include "avx512/nans.h"
#include "x86/convert_native.h"

/*
 * The FP state that most of these kernels need. Those that need FP_IEEE are: f64 to f32, because FTZ flushes its
 * subnormal results; conversions to f16, because gcc has no intrinsic for them that raises no flag; and f32 to 64-bit
 * integers, because comparisons of 256 bits cannot suppress exceptions. Clang emits instructions that raise flags even
 * if exceptions are suppressed.
 */
#ifdef __clang__
enum { UNFLUSHED = FP_IEEE };
#else
enum { UNFLUSHED = FP_UNFLUSHED };
#endif

/* Runs the statements for each vector of `lanes` elements. `from` and `to` point to the vector's source and
 * destination, whose elements have `in` and `out` bytes. */
#define LOOP(lanes, in, out, ...)                                                                            \
    const u8 *from = src;                                                                                    \
    u8 *to = dst;                                                                                            \
    UNROLL_4 for (size_t i = 0; i < n;                                                                       \
                  i += (lanes), from += (size_t)(lanes) * (in), to += (size_t)(lanes) * (out)) __VA_ARGS__
#define NATIVE(name, fp, lanes, in, out, ...)                                                                \
    CVT_KERNEL(native_##name, lanes, fp, LOOP(lanes, in, out, __VA_ARGS__))

/* VFPCLASS raises no flag, whatever instructions a compiler emits for comparisons. */
enum { NAN_CLASSES = 0x81 };

static ALWAYS_INLINE __mmask8 nan_pd(__m512d x) {
    return _mm512_fpclass_pd_mask(x, NAN_CLASSES);
}

/* Returns x, or the bits `nan` where x is a NaN. */
static ALWAYS_INLINE __m512 with_nan_ps(__m512 x, u32 nan) {
    return unless_nan_ps(x, _mm512_castsi512_ps(_mm512_set1_epi32((s32)nan)));
}

/* ---- f16 and bf16 ---- */

#define F16_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 16, 4, 2, {                                                                  \
        const __m512 x = with_nan_ps(_mm512_loadu_ps(from), INT32_MAX);                                      \
        _mm256_storeu_si256((__m256i *)to, _mm512_cvt_roundps_ph(x, mode));                                  \
    })
EACH_ROUNDING(F16_F32, F16_F32)

static ALWAYS_INLINE __m256i load_halves(const u8 *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

/* No f16 is a subnormal f32. */
static ALWAYS_INLINE __m512 f32_of_f16(__m256i x) {
    return _mm512_cvt_roundph_ps(x, _MM_FROUND_NO_EXC);
}

static ALWAYS_INLINE __m512 f32_of_bf16(__m256i x) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(x), 16));
}

NATIVE(F32_F16, FP_ANY, 16, 2, 4,
       { _mm512_storeu_ps(to, with_nan_ps(f32_of_f16(load_halves(from)), INT32_MAX)); })
NATIVE(F32_BF16, FP_ANY, 16, 2, 4, { _mm512_storeu_ps(to, f32_of_bf16(load_halves(from))); })

/* Returns lanes whose upper halves are x rounded to bf16. The value that is added to a NaN does not carry into its
 * upper half. */
static ALWAYS_INLINE __m512i bf16_above(__m512 x, int mode) {
    const __m512i bits = _mm512_castps_si512(with_nan_ps(x, 0x7fff0000)), ones = _mm512_set1_epi32(0xffff);
    const __m512i sign = _mm512_srai_epi32(bits, 31), up = _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff));
    const __mmask16 odd = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x10000));
    switch (mode) {
    case ROUND_RZ: return bits;
    case ROUND_RM: return _mm512_add_epi32(bits, _mm512_and_si512(sign, ones));
    case ROUND_RP: return _mm512_add_epi32(bits, _mm512_andnot_si512(sign, ones));
    default: return _mm512_mask_sub_epi32(up, odd, up, _mm512_set1_epi32(-1));
    }
}

/* Returns the upper halves of the lanes of two vectors, in order. */
static ALWAYS_INLINE __m512i upper_halves(__m512i low, __m512i high) {
    static const u16 odd[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    return _mm512_permutex2var_epi16(low, _mm512_loadu_si512(odd), high);
}

#define BF16_F32(name, r, mode)                                                                              \
    NATIVE(name##_##r, UNFLUSHED, 32, 4, 2, {                                                                \
        const __m512i low = bf16_above(_mm512_loadu_ps(from), mode);                                         \
        _mm512_storeu_si512(to, upper_halves(low, bf16_above(_mm512_loadu_ps(from + 64), mode)));            \
    })
EACH_ROUNDING(BF16_F32, BF16_F32)

/* ---- f32 and integers ---- */

#define F32_S32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_ANY, 16, 4, 4,                                                                     \
           { _mm512_storeu_ps(to, _mm512_cvt_roundepi32_ps(_mm512_loadu_si512(from), mode)); })
EACH_ROUNDING(F32_S32, F32_S32)

#define F32_U32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_ANY, 16, 4, 4,                                                                     \
           { _mm512_storeu_ps(to, _mm512_cvt_roundepu32_ps(_mm512_loadu_si512(from), mode)); })
EACH_ROUNDING(F32_U32, F32_U32)

/* These conversions are exact in every rounding. */
#define F32_SHORT(type, bytes, is_signed)                                                                    \
    NATIVE(F32_##type, FP_ANY, 16, bytes, 4, {                                                               \
        const __m512i x = (__m512i)v_load_32(from, bytes, is_signed);                                        \
        _mm512_storeu_ps(to, _mm512_cvt_roundepi32_ps(x, ROUND_RN));                                         \
    })
F32_SHORT(U8, 1, false)
F32_SHORT(S8, 1, true)
F32_SHORT(U16, 2, false)
F32_SHORT(S16, 2, true)

/* The instruction gives 80000000 for values out of range and NaNs. That is correct for values that are too
 * small, and for NaNs of f64. */
#define S32_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 16, 4, 4, {                                                                \
        const __m512 x = with_nan_ps(_mm512_loadu_ps(from), 0);                                              \
        const __mmask16 above =                                                                              \
            _mm512_cmp_round_ps_mask(x, _mm512_set1_ps(0x1p31F), _CMP_GE_OQ, _MM_FROUND_NO_EXC);             \
        const __m512i y = _mm512_cvt_roundps_epi32(x, mode);                                                 \
        _mm512_storeu_si512(to, _mm512_mask_mov_epi32(y, above, _mm512_set1_epi32(INT32_MAX)));              \
    })
EACH_ROUNDING(S32_F32, S32_F32)

/* The maximum of a NaN and 0 is the second operand, 0. The instruction gives ffffffff for values that are too
 * large. */
#define U32_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 16, 4, 4, {                                                                \
        const __m512 x = _mm512_max_round_ps(_mm512_loadu_ps(from), _mm512_setzero_ps(), _MM_FROUND_NO_EXC); \
        _mm512_storeu_si512(to, _mm512_cvt_roundps_epu32(x, mode));                                          \
    })
EACH_ROUNDING(U32_F32, U32_F32)

/* The value is clamped before it is rounded. The result is the same, because the bounds are integers. */
static ALWAYS_INLINE __m512 clamped(__m512 x, float least, float most) {
    const __m512 up = _mm512_max_round_ps(x, _mm512_set1_ps(least), _MM_FROUND_NO_EXC);
    return _mm512_min_round_ps(up, _mm512_set1_ps(most), _MM_FROUND_NO_EXC);
}

#define SHORT_F32(type, bytes, least, most, r, mode)                                                         \
    NATIVE(type##_F32_##r, UNFLUSHED, 16, 4, bytes, {                                                        \
        const __m512 x = with_nan_ps(_mm512_loadu_ps(from), 0);                                              \
        const __m512i y = _mm512_cvt_roundps_epi32(clamped(x, least, most), mode);                           \
        v_store_32(to, (u32v)y, bytes);                                                                      \
    })
#define S8_F32(name, r, mode)  SHORT_F32(S8, 1, -128, 127, r, mode)
#define U8_F32(name, r, mode)  SHORT_F32(U8, 1, 0, 255, r, mode)
#define S16_F32(name, r, mode) SHORT_F32(S16, 2, -32768, 32767, r, mode)
#define U16_F32(name, r, mode) SHORT_F32(U16, 2, 0, 65535, r, mode)
EACH_ROUNDING(S8_F32, S8_F32)
EACH_ROUNDING(U8_F32, U8_F32)
EACH_ROUNDING(S16_F32, S16_F32)
EACH_ROUNDING(U16_F32, U16_F32)

/* ---- f64 ---- */

/* A NaN keeps its sign and leading payload bits and becomes quiet (section "NaN" of docs/semantics.md). */
#define F32_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 8, 8, 4,                                                                     \
           { _mm256_storeu_ps((float *)(void *)to, _mm512_cvt_roundpd_ps(_mm512_loadu_pd(from), mode)); })
EACH_ROUNDING(F32_F64, F32_F64)

NATIVE(F64_F32, UNFLUSHED, 8, 4, 8, {
    const __m256 x = _mm256_loadu_ps((const float *)(const void *)from);
    _mm512_storeu_pd(to, _mm512_cvt_roundps_pd(x, _MM_FROUND_NO_EXC));
})

/* The instructions make a NaN quiet and keep its sign and payload. */
static ALWAYS_INLINE void store_16_as_f64(u8 *to, __m512 x) {
    const __m256 low = _mm512_castps512_ps256(x), high = _mm512_extractf32x8_ps(x, 1);
    _mm512_storeu_pd(to, _mm512_cvt_roundps_pd(low, _MM_FROUND_NO_EXC));
    _mm512_storeu_pd(to + 64, _mm512_cvt_roundps_pd(high, _MM_FROUND_NO_EXC));
}
NATIVE(F64_F16, UNFLUSHED, 16, 2, 8, store_16_as_f64(to, f32_of_f16(load_halves(from))))
NATIVE(F64_BF16, UNFLUSHED, 16, 2, 8, store_16_as_f64(to, f32_of_bf16(load_halves(from))))

#define F64_S64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_ANY, 8, 8, 8,                                                                      \
           { _mm512_storeu_pd(to, _mm512_cvt_roundepi64_pd(_mm512_loadu_si512(from), mode)); })
EACH_ROUNDING(F64_S64, F64_S64)

#define F64_U64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_ANY, 8, 8, 8,                                                                      \
           { _mm512_storeu_pd(to, _mm512_cvt_roundepu64_pd(_mm512_loadu_si512(from), mode)); })
EACH_ROUNDING(F64_U64, F64_U64)

#define F32_S64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_ANY, 8, 8, 4, {                                                                    \
        _mm256_storeu_ps((float *)(void *)to, _mm512_cvt_roundepi64_ps(_mm512_loadu_si512(from), mode));     \
    })
EACH_ROUNDING(F32_S64, F32_S64)

#define F32_U64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_ANY, 8, 8, 4, {                                                                    \
        _mm256_storeu_ps((float *)(void *)to, _mm512_cvt_roundepu64_ps(_mm512_loadu_si512(from), mode));     \
    })
EACH_ROUNDING(F32_U64, F32_U64)

/* A NaN gives 8000000000000000, as PTX requires. */
#define S64_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 8, 8, 8, {                                                                 \
        const __m512d x = _mm512_loadu_pd(from);                                                             \
        const __mmask8 above =                                                                               \
            _mm512_cmp_round_pd_mask(x, _mm512_set1_pd(0x1p63), _CMP_GE_OQ, _MM_FROUND_NO_EXC);              \
        const __m512i y = _mm512_cvt_roundpd_epi64(x, mode);                                                 \
        _mm512_storeu_si512(to, _mm512_mask_mov_epi64(y, above, _mm512_set1_epi64(INT64_MAX)));              \
    })
EACH_ROUNDING(S64_F64, S64_F64)

#define U64_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 8, 8, 8, {                                                                 \
        const __m512d x = _mm512_loadu_pd(from);                                                             \
        const __m512d up = _mm512_max_round_pd(x, _mm512_setzero_pd(), _MM_FROUND_NO_EXC);                   \
        const __m512i y = _mm512_cvt_roundpd_epu64(up, mode);                                                \
        _mm512_storeu_si512(to, _mm512_mask_mov_epi64(y, nan_pd(x), _mm512_set1_epi64(INT64_MIN)));          \
    })
EACH_ROUNDING(U64_F64, U64_F64)

#define S32_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 8, 8, 4, {                                                                 \
        const __m512d x = _mm512_loadu_pd(from);                                                             \
        const __mmask8 above =                                                                               \
            _mm512_cmp_round_pd_mask(x, _mm512_set1_pd(INT32_MAX), _CMP_GT_OQ, _MM_FROUND_NO_EXC);           \
        const __m256i y = _mm512_cvt_roundpd_epi32(x, mode);                                                 \
        _mm256_storeu_si256((__m256i *)to, _mm256_mask_mov_epi32(y, above, _mm256_set1_epi32(INT32_MAX)));   \
    })
EACH_ROUNDING(S32_F64, S32_F64)

#define U32_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, UNFLUSHED, 8, 8, 4, {                                                                 \
        const __m512d x = _mm512_loadu_pd(from);                                                             \
        const __m512d up = _mm512_max_round_pd(x, _mm512_setzero_pd(), _MM_FROUND_NO_EXC);                   \
        const __m256i y = _mm512_cvt_roundpd_epu32(up, mode);                                                \
        _mm256_storeu_si256((__m256i *)to,                                                                   \
                            _mm256_mask_mov_epi32(y, nan_pd(x), _mm256_set1_epi32(INT32_MIN)));              \
    })
EACH_ROUNDING(U32_F64, U32_F64)

/* Returns the lanes with values of at least 2^63, which become the largest s64. */
static ALWAYS_INLINE __mmask8 at_least_2_63(__m256 x) {
    return _mm256_cmp_ps_mask(x, _mm256_set1_ps(0x1p63F), _CMP_GE_OQ);
}

#define S64_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 8, 4, 8, {                                                                   \
        const __m256 x = _mm256_loadu_ps((const float *)(const void *)from);                                 \
        const __mmask8 above = at_least_2_63(x);                                                             \
        const __m512i y = _mm512_cvt_roundps_epi64(x, mode);                                                 \
        _mm512_storeu_si512(to, _mm512_mask_mov_epi64(y, above, _mm512_set1_epi64(INT64_MAX)));              \
    })
EACH_ROUNDING(S64_F32, S64_F32)

#define U64_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 8, 4, 8, {                                                                   \
        const __m256 x = _mm256_loadu_ps((const float *)(const void *)from);                                 \
        const __mmask8 is_nan = _mm256_fpclass_ps_mask(x, NAN_CLASSES);                                      \
        const __m512i y = _mm512_cvt_roundps_epu64(_mm256_max_ps(x, _mm256_setzero_ps()), mode);             \
        _mm512_storeu_si512(to, _mm512_mask_mov_epi64(y, is_nan, _mm512_set1_epi64(INT64_MIN)));             \
    })
EACH_ROUNDING(U64_F32, U64_F32)

NATIVE(F64_S32, FP_ANY, 8, 4, 8,
       _mm512_storeu_pd(to, _mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)from))))
NATIVE(F64_U32, FP_ANY, 8, 4, 8,
       _mm512_storeu_pd(to, _mm512_cvtepu32_pd(_mm256_loadu_si256((const __m256i *)from))))

#include "avx512/bytes.h"
#include "avx512/convert_integral.h"
#include "avx512/convert_narrow.h"
#include "avx512/convert_small.h"
#include "x86/convert_bytes.h"

static const struct cvt_kernel *const natives[CVT_TYPES][CVT_TYPES][ROUNDINGS] = {
    ROW(F16, F32), SAME(F32, F16), SAME(F32, BF16), ROW(BF16, F32),  ROW(F32, S32),  ROW(F32, U32),
    SAME(F32, U8), SAME(F32, S8),  SAME(F32, U16),  SAME(F32, S16),  ROW(S32, F32),  ROW(U32, F32),
    ROW(S8, F32),  ROW(U8, F32),   ROW(S16, F32),   ROW(U16, F32),   ROW(S64, F32),  ROW(U64, F32),
    ROW(F32, F64), SAME(F64, F32), ROW(F64, S64),   ROW(F64, U64),   SAME(F64, S32), SAME(F64, U32),
    ROW(F32, S64), ROW(F32, U64),  ROW(S64, F64),   ROW(U64, F64),   ROW(S32, F64),  ROW(U32, F64),
    ROW(F16, F16), ROW(F32, F32),  ROW(F64, F64),   ROW(BF16, BF16), SAME(F64, F16), SAME(F64, BF16),
};

/* The generic kernels are fast enough for .sat. */
static const struct cvt_kernel *sat_kernel(pto_cvt_op op) {
    (void)op;
    return NULL;
}

#include "x86/native_kernel.h"
