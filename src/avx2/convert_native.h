/* SPDX-License-Identifier: MIT */
/*
 * Conversions for which AVX2 or F16C has an instruction. Rounding modes other than to nearest are set in the
 * instruction if it has them, and left to the generic kernels otherwise. NaNs and saturation are fixed up to
 * follow PTX. The instructions round, flush and raise flags as MXCSR is set. So most kernels require its
 * default state, or DAZ if .ftz is wanted.
 */
#include "loops/round_by_add.h"
#include "x86/convert_native.h"

enum { NATIVE_GRANULE = 32 };

/* Runs the statements for each group of `lanes` elements. `from` and `to` point to the group's source and
 * destination, whose elements have `in` and `out` bytes. */
#define LOOP(lanes, in, out, ...)                                                                            \
    _Static_assert(NATIVE_GRANULE % (lanes) == 0, "a granule must be a whole number of groups");             \
    for (size_t i = 0; i < n; i += NATIVE_GRANULE) {                                                         \
        UNROLL for (size_t k = 0; k < NATIVE_GRANULE; k += (lanes)) {                                        \
            const u8 *from = (const u8 *)src + (i + k) * (in);                                               \
            u8 *to = (u8 *)dst + (i + k) * (out);                                                            \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    }
#define NATIVE(name, fp, lanes, in, out, ...)                                                                \
    CVT_KERNEL(native_##name, NATIVE_GRANULE, fp, LOOP(lanes, in, out, __VA_ARGS__))

static ALWAYS_INLINE __m256 load_ps(const u8 *p) {
    return _mm256_loadu_ps((const float *)(const void *)p);
}

static ALWAYS_INLINE __m128 load_ps_128(const u8 *p) {
    return _mm_loadu_ps((const float *)(const void *)p);
}

static ALWAYS_INLINE __m256d load_pd(const u8 *p) {
    return _mm256_loadu_pd((const double *)(const void *)p);
}

static ALWAYS_INLINE __m128i load_128(const u8 *p) {
    return _mm_loadu_si128((const __m128i *)p);
}

static ALWAYS_INLINE __m256i load_256(const u8 *p) {
    return _mm256_loadu_si256((const __m256i *)p);
}

static ALWAYS_INLINE void store_ps(u8 *p, __m256 x) {
    _mm256_storeu_ps((float *)(void *)p, x);
}

static ALWAYS_INLINE void store_pd(u8 *p, __m256d x) {
    _mm256_storeu_pd((double *)(void *)p, x);
}

static ALWAYS_INLINE void store_128(u8 *p, __m128i x) {
    _mm_storeu_si128((__m128i *)p, x);
}

static ALWAYS_INLINE void store_256(u8 *p, __m256i x) {
    _mm256_storeu_si256((__m256i *)p, x);
}

/* Swaps the two inner quarters, which is needed after packing or before unpacking within halves. */
static ALWAYS_INLINE __m256i swap_middle_quarters(__m256i x) {
    return _mm256_permute4x64_epi64(x, 0xd8);
}

/* ---- NaNs ---- */

enum { VECTORS = NATIVE_GRANULE / 8 };

struct ps_32 {
    __m256 v[VECTORS];
};

/*
 * Returns whether x has a NaN. Replacing the NaNs of each vector costs as much as converting it; a check that
 * there are none costs a quarter of that. Hence the callers branch, except where the stores leave time for
 * the replacement.
 */
static ALWAYS_INLINE bool any_nan(const struct ps_32 *x) {
    const __m256 low = _mm256_cmp_ps(x->v[0], x->v[1], _CMP_UNORD_Q),
                 high = _mm256_cmp_ps(x->v[2], x->v[3], _CMP_UNORD_Q);
    return __builtin_expect(_mm256_movemask_ps(_mm256_or_ps(low, high)) != 0, 0);
}

static ALWAYS_INLINE __m256 nans(__m256 x) {
    return _mm256_cmp_ps(x, x, _CMP_UNORD_Q);
}

/* Replaces every NaN by the bits `nan`. */
static ALWAYS_INLINE struct ps_32 with_canonical_nans(struct ps_32 x, s32 nan) {
    const __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(nan));
    UNROLL for (size_t k = 0; k < VECTORS; ++k) x.v[k] = _mm256_blendv_ps(x.v[k], all, nans(x.v[k]));
    return x;
}

static ALWAYS_INLINE struct ps_32 with_nan(struct ps_32 x, s32 nan) {
    return any_nan(&x) ? with_canonical_nans(x, nan) : x;
}

static ALWAYS_INLINE struct ps_32 load_ps_32(const u8 *p) {
    struct ps_32 x;
    UNROLL for (size_t k = 0; k < VECTORS; ++k) x.v[k] = load_ps(p + 32 * k);
    return x;
}

static ALWAYS_INLINE void store_ps_32(u8 *p, struct ps_32 x) {
    UNROLL for (size_t k = 0; k < VECTORS; ++k) store_ps(p + 32 * k, x.v[k]);
}

/* load_group loads a group of the source as f32, which may round by `mode`. store_group converts it to the
 * destination's type and stores it. It canonicalizes NaNs if may_have_nan is set. */
typedef struct ps_32 load_group(const u8 *from, int mode);
typedef void store_group(u8 *to, struct ps_32 x, bool may_have_nan, int mode);

/* NaNs cluster, and a mispredicted branch costs as much as several groups. From the first NaN on, this many
 * elements are fixed up without a branch. */
enum { FIXUP_LANES = 8 * NATIVE_GRANULE };
typedef void fixup_fn(const u8 *src, u8 *dst, size_t n);

static ALWAYS_INLINE void fix_up_groups(load_group *load, store_group *store, int mode, size_t in, size_t out,
                                        const u8 *src, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; i += NATIVE_GRANULE) store(dst + out * i, load(src + in * i, mode), true, mode);
}

/* Converts groups up to the first one with a NaN. Returns how many elements it has converted. */
static ALWAYS_INLINE size_t groups_before_nans(load_group *load, store_group *store, int mode, size_t in,
                                               size_t out, const u8 *src, u8 *dst, size_t n) {
    size_t i = 0;
    for (; i < n; i += NATIVE_GRANULE) {
        const struct ps_32 x = load(src + in * i, mode);
        if (any_nan(&x)) break;
        store(dst + out * i, x, false, mode);
    }
    return i;
}

static ALWAYS_INLINE void convert_groups(load_group *load, store_group *store, fixup_fn *fix_up, int mode,
                                         size_t in, size_t out, const u8 *src, u8 *dst, size_t n) {
    for (size_t i = 0, lanes; i < n; i += lanes) {
        i += groups_before_nans(load, store, mode, in, out, src + in * i, dst + out * i, n - i);
        lanes = min_size(n - i, FIXUP_LANES);
        if (lanes != 0) fix_up(src + in * i, dst + out * i, lanes);
    }
}

/* The fix-up is a function of its own: if it is inlined, compilers convert before they check for NaNs. */
#define DEFINE_FIXUP(name, mode, load, in, store, out)                                                       \
    static NOINLINE void fix_up_##name(const u8 *src, u8 *dst, size_t n) {                                   \
        fix_up_groups(load, store, mode, in, out, src, dst, n);                                              \
    }
#define NATIVE_GROUPS(name, mode, load, in, store, out)                                                      \
    DEFINE_FIXUP(name, mode, load, in, store, out)                                                           \
    CVT_KERNEL(native_##name, NATIVE_GRANULE, FP_IEEE,                                                       \
               convert_groups(load, store, fix_up_##name, mode, in, out, src, dst, n))

/* ---- f16 and bf16 ---- */

static ALWAYS_INLINE __m128i f16_rounded(__m256 x, int mode) {
    switch (mode) { /* the instruction takes the mode as an immediate */
    case ROUND_RZ: return _mm256_cvtps_ph(x, ROUND_RZ);
    case ROUND_RM: return _mm256_cvtps_ph(x, ROUND_RM);
    case ROUND_RP: return _mm256_cvtps_ph(x, ROUND_RP);
    default: return _mm256_cvtps_ph(x, ROUND_RN);
    }
}

/* Returns 7fff where is_nan is set, and x elsewhere. A maximum does this: it compares x with the largest
 * integer for NaNs, and with the smallest one otherwise. */
static ALWAYS_INLINE __m256i with_nan_7fff(__m256i x, __m256i is_nan) {
    return _mm256_max_epi16(x, _mm256_xor_si256(is_nan, _mm256_set1_epi16(INT16_MIN)));
}

static ALWAYS_INLINE __m256i f16_with_nan(__m256i x) {
    const __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi16(INT16_MAX));
    return with_nan_7fff(x, _mm256_cmpgt_epi16(magnitude, _mm256_set1_epi16(0x7c00)));
}

static ALWAYS_INLINE void store_f16_32(u8 *to, struct ps_32 x, bool may_have_nan, int mode) {
    __m128i y[VECTORS];
    UNROLL for (size_t k = 0; k < VECTORS; ++k) y[k] = f16_rounded(x.v[k], mode);
    if (may_have_nan) {
        store_256(to, f16_with_nan(_mm256_set_m128i(y[1], y[0])));
        store_256(to + 32, f16_with_nan(_mm256_set_m128i(y[3], y[2])));
    } else {
        UNROLL for (size_t k = 0; k < VECTORS; ++k) store_128(to + 16 * k, y[k]);
    }
}

static ALWAYS_INLINE struct ps_32 group_of_f32(const u8 *from, int mode) {
    (void)mode;
    return load_ps_32(from);
}
#define F16_F32(name, r, mode) NATIVE_GROUPS(name##_##r, mode, group_of_f32, 4, store_f16_32, 2)
EACH_ROUNDING(F16_F32, F16_F32)

static ALWAYS_INLINE struct ps_32 group_of_f16(const u8 *from, int mode) {
    struct ps_32 x;
    UNROLL for (size_t k = 0; k < VECTORS; ++k) x.v[k] = _mm256_cvtph_ps(load_128(from + 16 * k));
    (void)mode;
    return x;
}

/* Replaces NaNs by 7fffffff. As in with_nan_7fff, a maximum compares NaNs with the largest integer and other
 * values with the smallest one. */
static ALWAYS_INLINE struct ps_32 f32_with_nan(struct ps_32 x) {
    const __m256i sign = _mm256_set1_epi32(INT32_MIN);
    UNROLL for (size_t k = 0; k < VECTORS; ++k) {
        const __m256i most_or_least = _mm256_xor_si256(_mm256_castps_si256(nans(x.v[k])), sign);
        x.v[k] = _mm256_castsi256_ps(_mm256_max_epi32(_mm256_castps_si256(x.v[k]), most_or_least));
    }
    return x;
}

static ALWAYS_INLINE void store_f32_32(u8 *to, struct ps_32 x, bool may_have_nan, int mode) {
    (void)mode;
    store_ps_32(to, may_have_nan ? f32_with_nan(x) : x);
}
NATIVE_GROUPS(F32_F16, ROUND_RN, group_of_f16, 2, store_f32_32, 4)

/* The eight elements are loaded into both halves, so that one shuffle within halves suffices. */
static ALWAYS_INLINE __m256 f32_of_bf16(const u8 *from) {
    const __m256i to_upper_halves =
        _mm256_setr_epi8(-1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7, -1, -1, 8, 9, -1, -1, 10, 11,
                         -1, -1, 12, 13, -1, -1, 14, 15);
    const __m256i twice = _mm256_broadcastsi128_si256(load_128(from));
    return _mm256_castsi256_ps(_mm256_shuffle_epi8(twice, to_upper_halves));
}
NATIVE(F32_BF16, FP_ANY, 8, 2, 4, store_ps(to, f32_of_bf16(from)))

static ALWAYS_INLINE struct ps_32 group_of_bf16(const u8 *from, int mode) {
    struct ps_32 x;
    UNROLL for (size_t k = 0; k < VECTORS; ++k) x.v[k] = f32_of_bf16(from + 16 * k);
    (void)mode;
    return x;
}

/*
 * Returns the value, 0 or 1, that rounding adds to the upper halves. To nearest even, it is 1 if the lower half is
 * above 8000, or is 8000 and the upper half is odd. This is the lower half's top bit, after 1 is subtracted if the
 * upper half is even. With .rm or .rp, it is 1 if the lower half is not 0 and the sign is negative or positive,
 * respectively.
 */
static ALWAYS_INLINE __m256i bf16_carry(__m256i upper, __m256i lower, int mode) {
    const __m256i one = _mm256_set1_epi16(1), none = _mm256_setzero_si256();
    const __m256i inexact = _mm256_andnot_si256(_mm256_cmpeq_epi16(lower, none), one);
    const __m256i sign = _mm256_srai_epi16(upper, 15);
    switch (mode) {
    case ROUND_RZ: return none;
    case ROUND_RM: return _mm256_and_si256(sign, inexact);
    case ROUND_RP: return _mm256_andnot_si256(sign, inexact);
    default: return _mm256_srli_epi16(_mm256_subs_epu16(lower, _mm256_andnot_si256(upper, one)), 15);
    }
}

/* Rounds two vectors of f32 to bf16. NaNs become 7fff, as in f16_with_nan. Unpacking within halves leaves the
 * lanes out of order, which swap_middle_quarters() corrects at the end. */
static ALWAYS_INLINE __m256i bf16_rounded(__m256 a, __m256 b, bool may_have_nan, int mode) {
    const __m256i order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const __m256i x = _mm256_shuffle_epi8(_mm256_castps_si256(a), order),
                  y = _mm256_shuffle_epi8(_mm256_castps_si256(b), order);
    const __m256i lower = _mm256_unpacklo_epi64(x, y), upper = _mm256_unpackhi_epi64(x, y);
    const __m256i sum = _mm256_add_epi16(upper, bf16_carry(upper, lower, mode));
    if (!may_have_nan) return swap_middle_quarters(sum);
    return swap_middle_quarters(
        with_nan_7fff(sum, _mm256_packs_epi32(_mm256_castps_si256(nans(a)), _mm256_castps_si256(nans(b)))));
}

static ALWAYS_INLINE void store_bf16_32(u8 *to, struct ps_32 x, bool may_have_nan, int mode) {
    store_256(to, bf16_rounded(x.v[0], x.v[1], may_have_nan, mode));
    store_256(to + 32, bf16_rounded(x.v[2], x.v[3], may_have_nan, mode));
}
#define BF16_F32(name, r, mode) NATIVE_GROUPS(name##_##r, mode, group_of_f32, 4, store_bf16_32, 2)
EACH_ROUNDING(BF16_F32, BF16_F32)

/* ---- f32 and integers ---- */

/* These conversions are exact in every rounding. */
#define F32_SHORT(type, bytes, is_signed)                                                                    \
    NATIVE(F32_##type, FP_ANY, 8, bytes, 4,                                                                  \
           store_ps(to, _mm256_cvtepi32_ps((__m256i)v_load_32(from, bytes, is_signed))))
F32_SHORT(U8, 1, false)
F32_SHORT(S8, 1, true)
F32_SHORT(U16, 2, false)
F32_SHORT(S16, 2, true)

NATIVE(F32_S32, FP_IEEE, 8, 4, 4, store_ps(to, _mm256_cvtepi32_ps(load_256(from))))

/* Each half of x is placed below a leading 1 of the right weight. Only the last addition rounds. */
static ALWAYS_INLINE __m256 f32_of_u32(__m256i x) {
    const __m256i low = _mm256_blend_epi16(x, _mm256_set1_epi32(0x4b000000), 0xaa);
    const __m256i high = _mm256_or_si256(_mm256_srli_epi32(x, 16), _mm256_set1_epi32(0x53000000));
    const __m256 rest = _mm256_sub_ps(_mm256_castsi256_ps(high), _mm256_set1_ps(0x1p39F + 0x1p23F));
    return _mm256_add_ps(_mm256_castsi256_ps(low), rest);
}
NATIVE(F32_U32, FP_IEEE, 8, 4, 4, store_ps(to, f32_of_u32(load_256(from))))

/* The instruction gives 80000000 for NaNs and values out of range. */
static ALWAYS_INLINE __m256i s32_rounded(__m256 x, int mode) {
    switch (mode) {
    case ROUND_RZ: return _mm256_cvttps_epi32(x);
    case ROUND_RM: return _mm256_cvttps_epi32(_mm256_round_ps(x, ROUND_RM));
    case ROUND_RP: return _mm256_cvttps_epi32(_mm256_round_ps(x, ROUND_RP));
    default: return _mm256_cvtps_epi32(x);
    }
}

static ALWAYS_INLINE __m256i is_ge(__m256 x, float bound) {
    return _mm256_castps_si256(_mm256_cmp_ps(x, _mm256_set1_ps(bound), _CMP_GE_OQ));
}

static ALWAYS_INLINE __m256i is_not_nan(__m256 x) {
    return _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_ORD_Q));
}

static ALWAYS_INLINE __m256i s32_of_f32(__m256 x, int mode) {
    const __m256i bounded = _mm256_xor_si256(s32_rounded(x, mode), is_ge(x, 0x1p31F));
    return _mm256_and_si256(bounded, is_not_nan(x));
}
#define S32_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 8, 4, 4, store_256(to, s32_of_f32(load_ps(from), mode)))
EACH_ROUNDING(S32_F32, S32_F32)

/* `low` is the result below 2^31, and 80000000 above. There, `bounded` has the lower 31 bits of the result.
 * The maximum of a NaN and 0 is the second operand, 0. */
static ALWAYS_INLINE __m256i u32_of_f32(__m256 x, int mode) {
    const __m256 up = _mm256_max_ps(x, _mm256_setzero_ps());
    const __m256i low = s32_rounded(up, mode),
                  above = _mm256_cvttps_epi32(_mm256_sub_ps(up, _mm256_set1_ps(0x1p31F)));
    const __m256i bounded = _mm256_xor_si256(above, is_ge(up, 0x1p32F));
    return _mm256_or_si256(low, _mm256_and_si256(bounded, _mm256_srai_epi32(low, 31)));
}
#define U32_F32(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 8, 4, 4, store_256(to, u32_of_f32(load_ps(from), mode)))
EACH_ROUNDING(U32_F32, U32_F32)

/* The value is clamped before it is rounded. The result is the same, because the bounds are integers. */
static ALWAYS_INLINE __m256i short_of_f32(__m256 x, float least, float most, int mode) {
    const __m256 up = _mm256_max_ps(x, _mm256_set1_ps(least));
    return _mm256_and_si256(s32_rounded(_mm256_min_ps(up, _mm256_set1_ps(most)), mode), is_not_nan(x));
}
#define SHORT_F32(type, bytes, least, most, r, mode)                                                         \
    NATIVE(type##_F32_##r, FP_IEEE, 8, 4, bytes,                                                             \
           v_store_32(to, (u32v)short_of_f32(load_ps(from), least, most, mode), bytes))
#define S8_F32(name, r, mode)  SHORT_F32(S8, 1, -128, 127, r, mode)
#define U8_F32(name, r, mode)  SHORT_F32(U8, 1, 0, 255, r, mode)
#define S16_F32(name, r, mode) SHORT_F32(S16, 2, -32768, 32767, r, mode)
#define U16_F32(name, r, mode) SHORT_F32(U16, 2, 0, 65535, r, mode)
EACH_ROUNDING(S8_F32, S8_F32)
EACH_ROUNDING(U8_F32, U8_F32)
EACH_ROUNDING(S16_F32, S16_F32)
EACH_ROUNDING(U16_F32, U16_F32)

/* ---- f64 ---- */

/*
 * A NaN keeps its sign and leading payload bits and becomes quiet (section "NaN" of docs/semantics.md).
 *
 * Compilers clear the upper halves of registers after code that writes them. This code only reads 256 bits
 * from memory, but that marks the upper halves as used, too. Hence the explicit _mm256_zeroupper().
 */
static ALWAYS_INLINE void f32_of_f64(const u8 *from, u8 *to) {
    _mm_storeu_ps((float *)(void *)to, _mm256_cvtpd_ps(load_pd(from)));
}
CVT_KERNEL(native_F32_F64, NATIVE_GRANULE, FP_IEEE, LOOP(4, 8, 4, f32_of_f64(from, to)) _mm256_zeroupper())
NATIVE(F64_F32, FP_IEEE, 4, 4, 8, store_pd(to, _mm256_cvtps_pd(load_ps_128(from))))

/* The instructions make a NaN quiet and keep its sign and payload. */
static ALWAYS_INLINE __m128 four_of_f16(const u8 *from) {
    return _mm_cvtph_ps(_mm_loadl_epi64((const __m128i *)from));
}

static ALWAYS_INLINE __m128 four_of_bf16(const u8 *from) {
    return _mm_castsi128_ps(_mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64((const __m128i *)from)));
}
NATIVE(F64_F16, FP_IEEE, 4, 2, 8, store_pd(to, _mm256_cvtps_pd(four_of_f16(from))))
NATIVE(F64_BF16, FP_IEEE, 4, 2, 8, store_pd(to, _mm256_cvtps_pd(four_of_bf16(from))))
NATIVE(F64_S32, FP_IEEE, 4, 4, 8, store_pd(to, _mm256_cvtepi32_pd(load_128(from))))

/*
 * The minimum of a value and a NaN is the second operand, here the NaN. It becomes 80000000, as PTX requires.
 */
static ALWAYS_INLINE __m128i s32_of_f64(__m256d x, int mode) {
    const __m256d down = _mm256_min_pd(_mm256_set1_pd(INT32_MAX), x);
    switch (mode) {
    case ROUND_RZ: return _mm256_cvttpd_epi32(down);
    case ROUND_RM: return _mm256_cvttpd_epi32(_mm256_round_pd(down, ROUND_RM));
    case ROUND_RP: return _mm256_cvttpd_epi32(_mm256_round_pd(down, ROUND_RP));
    default: return _mm256_cvtpd_epi32(down);
    }
}
#define S32_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 8, 4, store_128(to, s32_of_f64(load_pd(from), mode)))
EACH_ROUNDING(S32_F64, S32_F64)

#include "avx2/convert_integral.h"
#include "avx2/convert_to_int64.h"
#include "avx2/convert_from_int64.h"

#include "avx2/bytes.h"
#include "avx2/convert_narrow.h"
#include "avx2/round_by_add.h"
#include "avx2/convert_small.h"
#include "x86/convert_bytes.h"

static const struct cvt_kernel *const natives[CVT_TYPES][CVT_TYPES][ROUNDINGS] = {
    ROW(F16, F32),     SAME(F32, F16),    SAME(F32, BF16),   ROW(BF16, F32),  NEAREST(F32, S32),
    NEAREST(F32, U32), SAME(F32, U8),     SAME(F32, S8),     SAME(F32, U16),  SAME(F32, S16),
    ROW(S32, F32),     ROW(U32, F32),     ROW(S8, F32),      ROW(U8, F32),    ROW(S16, F32),
    ROW(U16, F32),     NEAREST(F32, F64), SAME(F64, F32),    SAME(F64, S32),  ROW(S32, F64),
    ROW(F32, S64),     ROW(F32, U64),     ROW(F16, S64),     ROW(F16, U64),   ROW(BF16, S64),
    ROW(BF16, U64),    NEAREST(F64, S64), NEAREST(F64, U64), ROW(F16, F16),   ROW(F32, F32),
    ROW(F64, F64),     ROW(BF16, BF16),   ROW(S64, F64),     ROW(U64, F64),   ROW(S64, F32),
    ROW(U64, F32),     ROW(U32, F64),     SAME(F64, F16),    SAME(F64, BF16),
};

#include "x86/native_kernel.h"
