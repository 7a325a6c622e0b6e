/* SPDX-License-Identifier: MIT */
/* Converts f16, bf16 and f32 to the formats of 8 bits and less. Part of convert_native.h. */
#include "core/cast.h"
#include "core/prefetch.h"
#include "x86/convert_narrow.h"

static ALWAYS_INLINE __m256i set1_16(unsigned x) {
    return _mm256_set1_epi16((s16)x);
}

/* The parameters of x86/convert_narrow.h in vectors. AVX2 has no variable shift of 16-bit lanes: a
 * multiplication by a power of two, whose upper half is the result, takes the place of a right shift. */
struct narrow_vectors {
    __m256i subtrahend, power; /* tables by exponent: low bytes, then high bytes */
    __m256i lowest, largest, special, nan;
    __m256i sign_bit; /* in byte lanes */
    unsigned min_scale, scale_range;
    bool relu, pzo;
};

static ALWAYS_INLINE __m256i broadcast_table(const u16 entries[NARROW_TABLE_SIZE]) {
    const __m128i order = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    return _mm256_broadcastsi128_si256(_mm_shuffle_epi8(load_128((const u8 *)entries), order));
}

/* `lanes` is the format of the lanes. */
static ALWAYS_INLINE struct narrow_vectors make_narrowing_inline(pto_cvt_op op, pto_dtype lanes) {
    const struct narrow_params s = narrow_params_of(op, cvt_format_of(lanes));
    struct narrow_vectors p;
    u16 subtrahend[NARROW_TABLE_SIZE], power[NARROW_TABLE_SIZE];
    UNROLL for (unsigned k = 0; k < NARROW_TABLE_SIZE; ++k) {
        const struct narrow_entry e = narrow_entry_of(&s, k, op.round != PTO_RZ);
        subtrahend[k] = (u16)e.subtrahend;
        power[k] = (u16)(0x10000U >> e.shift);
    }
    p.subtrahend = broadcast_table(subtrahend);
    p.power = broadcast_table(power);
    p.lowest = set1_16(s.lowest << s.exponent_shift);
    p.largest = set1_16(s.largest);
    p.special = set1_16(s.special - 1);
    p.nan = set1_16(s.nan);
    p.sign_bit = _mm256_set1_epi8((s8)s.sign_bit);
    p.min_scale = s.min_scale;
    p.scale_range = s.scale_range;
    p.relu = op.relu;
    p.pzo = op.pzo;
    return p;
}

/* Computes the parameters once for a call. One function serves all kernels whose op is not constant. */
static NOINLINE struct narrow_vectors make_narrowing(pto_cvt_op op, pto_dtype lanes) {
    return make_narrowing_inline(op, lanes);
}

/* ---- lanes ---- */

struct lanes {
    __m256i source_magnitude,
        doubled;  /* magnitudes shifted left by one bit; `doubled` is in the format of the lanes */
    __m256i sign; /* -128 or less: a negative value; from -127 to -1: a negative NaN */
};

static ALWAYS_INLINE struct lanes lanes_of(__m256i x, __m256i sign) {
    const __m256i doubled = _mm256_add_epi16(x, x);
    const struct lanes y = {doubled, doubled, sign};
    return y;
}

/* The saturating addition moves -infinity of f16 to -128. */
static ALWAYS_INLINE struct lanes f16_lanes(__m256i x) {
    return lanes_of(x, _mm256_adds_epi16(x, set1_16(1024 - 128)));
}

/* Converts f16 to bf16 rounded to odd. Subnormal f16 become zero. */
static ALWAYS_INLINE struct lanes f16_lanes_as_bf16(__m256i x) {
    const __m256i infinity = set1_16(0xf800);
    struct lanes y = f16_lanes(x);
    const __m256i is_infinite = _mm256_cmpeq_epi16(y.doubled, infinity);
    const __m256i is_subnormal =
        _mm256_cmpeq_epi16(_mm256_and_si256(y.doubled, infinity), _mm256_setzero_si256());
    const __m256i rest = _mm256_min_epu16(_mm256_and_si256(y.doubled, set1_16(0xf)), set1_16(2));
    const __m256i kept = _mm256_srli_epi16(_mm256_and_si256(y.doubled, set1_16(0xfff0)), 3);
    const __m256i wide = _mm256_add_epi16(_mm256_or_si256(kept, rest), set1_16((127 - 15) << 8));
    y.doubled = _mm256_andnot_si256(is_subnormal, wide);
    y.doubled = _mm256_or_si256(y.doubled, _mm256_and_si256(is_infinite, set1_16(0xff00)));
    return y;
}

/* Converts two vectors of f32 to bf16 rounded to odd. Each half of the result has four lanes of the first
 * vector, then four of the second. */
static ALWAYS_INLINE struct lanes f32_lanes(const u8 *from) {
    const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)); /* low halves of f32, then high halves */
    const __m256i a = _mm256_shuffle_epi8(load_256(from), order),
                  b = _mm256_shuffle_epi8(load_256(from + 32), order);
    const __m256i lower = _mm256_unpacklo_epi64(a, b), upper = _mm256_unpackhi_epi64(a, b);
    const __m256i x = _mm256_or_si256(upper, _mm256_min_epu16(lower, set1_16(1)));
    return lanes_of(x, x);
}

/* Loads half k of NATIVE_GRANULE elements. */
static ALWAYS_INLINE struct lanes load_lanes(pto_dtype type, bool scaled, const u8 *p, size_t k) {
    __m256i x;
    if (type == PTO_F32) return f32_lanes(p + 64 * k);
    x = load_256(p + 32 * k);
    if (type == PTO_BF16) return lanes_of(x, x);
    return (scaled ? f16_lanes_as_bf16 : f16_lanes)(x);
}

/* Returns the scales of half k as exponent fields of lanes. Each of the 16 bytes at p is the scale of two
 * elements. */
static ALWAYS_INLINE __m256i load_scales(pto_dtype type, const u8 *p, size_t k) {
    const __m256i all = _mm256_broadcastsi128_si256(load_128(p));
    const __m256i pairs = _mm256_setr_epi32(0x00800080, 0x01800180, 0x02800280, 0x03800380, 0x04800480,
                                            0x05800580, 0x06800680, 0x07800780);
    const __m256i fours = _mm256_setr_epi32(0x00800080, 0x01800180, 0x04800480, 0x05800580, 0x02800280,
                                            0x03800380, 0x06800680, 0x07800780);
    const __m256i first = type == PTO_F32 ? fours : pairs;
    return _mm256_shuffle_epi8(all, _mm256_add_epi16(first, set1_16(0x0800 * (unsigned)k)));
}

/* Returns whether any scale of NATIVE_GRANULE elements is less than `min_scale` or more than `min_scale` +
 * `scale_range`, which includes the NaN. The tables do not handle such scales: the generic kernel converts these
 * elements. */
static ALWAYS_INLINE bool has_unhandled_scale(const u8 *p, const struct narrow_vectors *to) {
    const __m128i from_least = _mm_sub_epi8(load_128(p), _mm_set1_epi8((s8)to->min_scale));
    const __m128i over = _mm_subs_epu8(from_least, _mm_set1_epi8((s8)to->scale_range));
    return !_mm_testz_si128(over, over);
}

/* ---- codes ---- */

/* Returns lanes that are not 0 where the source is a NaN, or an infinity that becomes NaN. */
static ALWAYS_INLINE __m256i is_nan_or_overflow(__m256i doubled, const struct narrow_vectors *p) {
    return _mm256_subs_epu16(doubled, p->special);
}

/*
 * Returns the indices of the two bytes of each lane's table entry. Exponents are limited to the last entry.
 */
static ALWAYS_INLINE __m256i table_index(__m256i bounded, unsigned exponent_shift) {
    const __m256i upper =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15));
    const __m256i above = exponent_shift == 8 ? bounded : _mm256_srli_epi16(bounded, (int)exponent_shift - 8);
    const __m256i least = _mm256_min_epu16(above, set1_16(NARROW_TABLE_SIZE * 256 - 1));
    return _mm256_or_si256(_mm256_shuffle_epi8(least, upper), set1_16(NARROW_TABLE_SIZE << 8));
}

static ALWAYS_INLINE __m256i codes_of(struct lanes x, __m256i lowest, unsigned exponent_shift,
                                      const struct narrow_vectors *p) {
    const __m256i bounded = _mm256_min_epu16(_mm256_subs_epu16(x.doubled, lowest), p->largest);
    const __m256i at = table_index(bounded, exponent_shift);
    const __m256i subtrahend = _mm256_shuffle_epi8(p->subtrahend, at),
                  power = _mm256_shuffle_epi8(p->power, at);
    const __m256i is_even = _mm256_andnot_si256(_mm256_mulhi_epu16(bounded, power), set1_16(1));
    return _mm256_mulhi_epu16(_mm256_sub_epi16(bounded, _mm256_or_si256(subtrahend, is_even)), power);
}

static ALWAYS_INLINE __m256i with_signs(__m256i codes, __m256i signs, const struct narrow_vectors *p) {
    const __m256i negative = _mm256_cmpeq_epi8(signs, _mm256_set1_epi8(INT8_MIN));
    const __m256i zero = _mm256_cmpeq_epi8(codes, _mm256_setzero_si256());
    const __m256i sign_bits = _mm256_and_si256(negative, p->sign_bit);
    if (p->relu) return _mm256_andnot_si256(negative, codes);
    return _mm256_or_si256(codes, p->pzo ? _mm256_andnot_si256(zero, sign_bits) : sign_bits);
}

/* Stores 32 codes of e2m1, each in a byte of `codes`. Each even code is the low nibble of a byte, the odd
 * code after it is the high nibble. */
static ALWAYS_INLINE void store_nibbles(u8 *dst, __m256i codes) {
    const __m256i pairs = _mm256_maddubs_epi16(codes, set1_16(0x1001));
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs, pairs), 0x08);
    store_128(dst, _mm256_castsi256_si128(packed));
}

/* Stores 32 codes, which packing within halves has left out of order. */
static ALWAYS_INLINE void store_codes(u8 *dst, pto_dtype src_type, bool nibbles, __m256i codes) {
    const __m256i y = src_type == PTO_F32
                          ? _mm256_permutevar8x32_epi32(codes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
                          : swap_middle_quarters(codes);
    if (nibbles)
        store_nibbles(dst, y);
    else
        store_256(dst, y);
}

/*
 * If `constant_op` is set, *op is a compile-time constant. Then most parameters are constants, too, so short calls need
 * not compute them.
 */
static ALWAYS_INLINE void narrow_floats(pto_dtype src_type, bool scaled, bool nibbles, bool constant_op,
                                        const pto_cvt_op *op, const u8 *src, u8 *dst, const u8 *scales,
                                        size_t n) {
    const bool is_f16 = src_type == PTO_F16 && !scaled;
    const pto_dtype format = is_f16 ? PTO_F16 : PTO_BF16;
    const struct narrow_vectors made = constant_op ? make_narrowing_inline(*op, format)
                                                   : make_narrowing(*op, format),
                                p = made; /* a copy: the compiler then knows that no store changes it */
    const bool prefetches = should_prefetch(n);
    for (size_t i = 0; i < n; i += NATIVE_GRANULE) {
        const u8 *from = src + i * element_bytes(src_type);
        u8 *to = dst + (nibbles ? i / 2 : i);
        __m256i code[2], any;
        struct lanes x[2];
        if (unlikely(prefetches))
            prefetch(from + PREFETCH_DISTANCE, NATIVE_GRANULE * element_bytes(src_type));
        if (scaled && unlikely(has_unhandled_scale(scales + i / 2, &p))) {
            generic_kernel(*op)->run(op, from, to, scales + i / 2, NATIVE_GRANULE);
            continue;
        }
        UNROLL for (size_t k = 0; k < 2; ++k) {
            __m256i lowest = p.lowest;
            x[k] = load_lanes(src_type, scaled, from, k);
            if (scaled)
                lowest =
                    _mm256_sub_epi16(load_scales(src_type, scales + i / 2, k), set1_16(p.min_scale << 8));
            code[k] = codes_of(x[k], lowest, is_f16 ? 11 : 8, &p);
        }
        any = is_nan_or_overflow(_mm256_max_epu16(x[0].source_magnitude, x[1].source_magnitude), &p);
        if (unlikely(!_mm256_testz_si256(any, any))) {
            UNROLL for (size_t k = 0; k < 2; ++k) {
                const __m256i good =
                    _mm256_cmpeq_epi16(is_nan_or_overflow(x[k].source_magnitude, &p), _mm256_setzero_si256());
                code[k] = _mm256_blendv_epi8(p.nan, code[k], good);
            }
        }
        store_codes(
            to, src_type, nibbles,
            with_signs(_mm256_packus_epi16(code[0], code[1]), _mm256_packs_epi16(x[0].sign, x[1].sign), &p));
    }
}

static ALWAYS_INLINE void narrow_plain(pto_dtype dst_type, pto_dtype src_type, const u8 *src, u8 *dst,
                                       size_t n) {
    const pto_cvt_op op = {.dst = dst_type, .src = src_type, .round = PTO_RN, .satfinite = true};
    narrow_floats(src_type, false, dst_type == PTO_E2M1, true, &op, src, dst, NULL, n);
}

/* ---- kernels ---- */

#define TO_SMALL(dst_, src_)                                                                                 \
    CVT_KERNEL(small_##dst_##_##src_, NATIVE_GRANULE, FP_ANY,                                                \
               narrow_plain(PTO_##dst_, PTO_##src_, src, dst, n))
TO_EACH_SMALL(TO_SMALL, F16)
TO_EACH_SMALL(TO_SMALL, BF16)

/* Kernels without and with scales. Each exists for destinations of one byte, and for e2m1. */
#define NARROW(name, src_, scaled, nibbles)                                                                  \
    CVT_KERNEL(name##_##src_, NATIVE_GRANULE, FP_ANY,                                                        \
               narrow_floats(PTO_##src_, scaled, nibbles, false, op, src, dst, extra, n))
#define NARROW_FROM(src_)                                                                                    \
    NARROW(narrow, src_, false, false)                                                                       \
    NARROW(narrow_nibbles, src_, false, true)                                                                \
    NARROW(scaled_narrow, src_, true, false)                                                                 \
    NARROW(scaled_narrow_nibbles, src_, true, true)
NARROW_FROM(F16)
NARROW_FROM(BF16)
NARROW_FROM(F32)

#define NARROWS(src_)                                                                                        \
    [PTO_##src_] = {{&narrow_##src_, &narrow_nibbles_##src_},                                                \
                    {&scaled_narrow_##src_, &scaled_narrow_nibbles_##src_}}

static const struct cvt_kernel *narrow_kernel(pto_cvt_op op) {
    static const struct cvt_kernel *const kernels[CVT_TYPES][2][2] = {NARROWS(F16), NARROWS(BF16),
                                                                      NARROWS(F32)};
    if (!is_narrowing(op)) return NULL;
    return kernels[op.src][op.scale != PTO_SCALE_NONE][op.dst == PTO_E2M1];
}

const struct cvt_kernel *pto_cast_narrow_avx2(pto_cast_op op, pto_cvt_op *cvt) {
    static const struct cvt_kernel *const kernels[CVT_TYPES] = {
        [PTO_F16] = &narrow_F16, [PTO_BF16] = &narrow_BF16, [PTO_F32] = &narrow_F32};
    return narrows_as_cast(op, cvt) ? kernels[op.src] : NULL;
}
