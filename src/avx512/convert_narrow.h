/* SPDX-License-Identifier: MIT */
/* Converts f16, bf16 and f32 to the formats of 8 bits and less. Part of convert_native.h. */
#include "core/cast.h"
#include "core/prefetch.h"
#include "x86/convert_narrow.h"

enum { NARROW_GRANULE = 64, LANES = 32 };

static ALWAYS_INLINE __m512i set1_16(unsigned x) {
    return _mm512_set1_epi16((s16)x);
}

struct narrow_vectors {
    __m512i subtrahend, shift; /* tables by exponent */
    __m512i lowest, largest, special, nan;
    __m512i sign_bit; /* in byte lanes */
    unsigned min_scale, scale_range;
    bool relu, pzo;
};

/* Repeats the last entry, so that the table has an entry for each of LANES exponents. */
static ALWAYS_INLINE __m512i broadcast_table(const u16 entries[NARROW_TABLE_SIZE]) {
    static const u16 places[LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7,
                                      7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const __m128i table = _mm_loadu_si128((const __m128i *)(const void *)entries);
    return _mm512_permutexvar_epi16(_mm512_loadu_si512(places), _mm512_broadcast_i32x4(table));
}

/* `lanes` is the format of the lanes. */
static ALWAYS_INLINE struct narrow_vectors make_narrowing_inline(pto_cvt_op op, pto_dtype lanes) {
    const struct narrow_params s = narrow_params_of(op, cvt_format_of(lanes));
    struct narrow_vectors p;
    u16 subtrahend[NARROW_TABLE_SIZE], shift[NARROW_TABLE_SIZE];
    UNROLL for (unsigned k = 0; k < NARROW_TABLE_SIZE; ++k) {
        const struct narrow_entry e = narrow_entry_of(&s, k, op.round != PTO_RZ);
        subtrahend[k] = (u16)e.subtrahend;
        shift[k] = (u16)e.shift;
    }
    p.subtrahend = broadcast_table(subtrahend);
    p.shift = broadcast_table(shift);
    p.lowest = set1_16(s.lowest << s.exponent_shift);
    p.largest = set1_16(s.largest);
    p.special = set1_16(s.special);
    p.nan = set1_16(s.nan);
    p.sign_bit = _mm512_set1_epi8((s8)s.sign_bit);
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
    __m512i doubled;
    __m512i sign; /* -128 or less: a negative value; from -127 to -1: a negative NaN */
    __mmask32 is_not_nan;
};

static ALWAYS_INLINE __mmask32 is_less_16(__m512i doubled, __m512i special) {
    return _mm512_cmplt_epu16_mask(doubled, special);
}

static ALWAYS_INLINE struct lanes bf16_lanes(__m512i x, const struct narrow_vectors *p) {
    const __m512i doubled = _mm512_add_epi16(x, x);
    const struct lanes y = {doubled, x, is_less_16(doubled, p->special)};
    return y;
}

/* The saturating addition moves -infinity of f16 to -128. */
static ALWAYS_INLINE struct lanes f16_lanes(__m512i x, const struct narrow_vectors *p) {
    const __m512i doubled = _mm512_add_epi16(x, x);
    const struct lanes y = {doubled, _mm512_adds_epi16(x, set1_16(1024 - 128)),
                            is_less_16(doubled, p->special)};
    return y;
}

/* Converts f16 to bf16 rounded to odd. Subnormal f16 become zero. */
static ALWAYS_INLINE struct lanes f16_lanes_as_bf16(__m512i x, const struct narrow_vectors *p) {
    const unsigned least = 2U << 10, infinity = 31U * least;
    struct lanes y = f16_lanes(x, p);
    const __mmask32 is_normal = _mm512_test_epi16_mask(y.doubled, set1_16(infinity));
    const __mmask32 is_infinite = _mm512_cmpeq_epi16_mask(y.doubled, set1_16(infinity));
    const __m512i rest = _mm512_min_epu16(_mm512_and_si512(y.doubled, set1_16(0xf)), set1_16(2));
    const __m512i kept = _mm512_srli_epi16(_mm512_and_si512(y.doubled, set1_16(0xfff0)), 3);
    y.doubled = _mm512_maskz_add_epi16(is_normal, _mm512_or_si512(kept, rest), set1_16((127 - 15) << 8));
    y.doubled = _mm512_mask_mov_epi16(y.doubled, is_infinite, set1_16(0xff00));
    return y;
}

/* Converts two vectors of f32 to bf16 rounded to odd. Each quarter of the result has four lanes of the first
 * vector, then four of the second. */
static ALWAYS_INLINE struct lanes f32_lanes(const u8 *low, const u8 *high, const struct narrow_vectors *p) {
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(
        0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)); /* low halves of f32, then high halves */
    const __m512i a = _mm512_shuffle_epi8(_mm512_loadu_si512(low), order),
                  b = _mm512_shuffle_epi8(_mm512_loadu_si512(high), order);
    const __m512i lower = _mm512_unpacklo_epi64(a, b), upper = _mm512_unpackhi_epi64(a, b);
    return bf16_lanes(_mm512_or_si512(upper, _mm512_min_epu16(lower, set1_16(1))), p);
}

/* Loads half k of NARROW_GRANULE elements. */
static ALWAYS_INLINE struct lanes load_lanes(pto_dtype type, bool scaled, const u8 *p, size_t k,
                                             const struct narrow_vectors *to) {
    if (type == PTO_F32) return f32_lanes(p + 128 * k, p + 128 * k + 64, to);
    if (type == PTO_BF16) return bf16_lanes(_mm512_loadu_si512(p + 64 * k), to);
    return (scaled ? f16_lanes_as_bf16 : f16_lanes)(_mm512_loadu_si512(p + 64 * k), to);
}

/* Returns the scales of these elements as exponent fields of lanes. Each of the 16 bytes at p is the scale of
 * two elements. */
static ALWAYS_INLINE __m512i load_scales(pto_dtype type, const u8 *p) {
    const __m512i all = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
    const __m512i first = _mm512_setr_epi32(
        (s32)0x00800080, (s32)0x01800180, (s32)0x02800280, (s32)0x03800380, (s32)0x04800480, (s32)0x05800580,
        (s32)0x06800680, (s32)0x07800780, (s32)0x08800880, (s32)0x09800980, (s32)0x0a800a80, (s32)0x0b800b80,
        (s32)0x0c800c80, (s32)0x0d800d80, (s32)0x0e800e80, (s32)0x0f800f80);
    const __m512i fours = _mm512_setr_epi32(
        (s32)0x00800080, (s32)0x01800180, (s32)0x08800880, (s32)0x09800980, (s32)0x02800280, (s32)0x03800380,
        (s32)0x0a800a80, (s32)0x0b800b80, (s32)0x04800480, (s32)0x05800580, (s32)0x0c800c80, (s32)0x0d800d80,
        (s32)0x06800680, (s32)0x07800780, (s32)0x0e800e80, (s32)0x0f800f80);
    return _mm512_shuffle_epi8(all, type == PTO_F32 ? fours : first);
}

/* Returns whether any scale of NARROW_GRANULE elements is less than `min_scale` or more than `min_scale` +
 * `scale_range`, which includes the NaN. The tables do not handle such scales: the generic kernel converts these
 * elements. */
static ALWAYS_INLINE bool has_unhandled_scale(const u8 *p, const struct narrow_vectors *to) {
    const __m256i from_least =
        _mm256_sub_epi8(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi8((s8)to->min_scale));
    return _mm256_cmpgt_epu8_mask(from_least, _mm256_set1_epi8((s8)to->scale_range)) != 0;
}

/* ---- codes ---- */

/* Returns codes without signs. If `large_exponent_range` is set, the destination has more exponents than LANES, the
 * number of entries of a table. For f16 sources all entries are then equal. */
static ALWAYS_INLINE __m512i codes_of(struct lanes x, __m512i lowest, unsigned exponent_shift,
                                      bool large_exponent_range, const struct narrow_vectors *p) {
    const bool equal_entries = large_exponent_range && exponent_shift > 8;
    const __m512i relative = equal_entries ? x.doubled : _mm512_subs_epu16(x.doubled, lowest);
    const __m512i bounded = _mm512_min_epu16(relative, p->largest);
    __m512i shift = p->shift, subtrahend = p->subtrahend, is_even;
    if (!equal_entries) {
        const __m512i own_exponent = _mm512_srli_epi16(bounded, exponent_shift);
        const __m512i exponent =
            large_exponent_range ? _mm512_min_epu16(own_exponent, set1_16(LANES - 1)) : own_exponent;
        shift = _mm512_permutexvar_epi16(exponent, shift);
        subtrahend = _mm512_permutexvar_epi16(exponent, subtrahend);
    }
    /* subtrahend | (~bit & 1) */
    is_even = _mm512_ternarylogic_epi32(subtrahend, _mm512_srlv_epi16(bounded, shift), set1_16(1), 0xf2);
    return _mm512_mask_srlv_epi16(p->nan, x.is_not_nan, _mm512_sub_epi16(bounded, is_even), shift);
}

/* Puts bytes in order after packing within quarters. */
static ALWAYS_INLINE __m512i unpack_order(pto_dtype src_type, __m512i codes) {
    const __m512i quarters = _mm512_setr_epi32(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const __m512i fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(src_type == PTO_F32 ? fours : quarters, codes);
}

static ALWAYS_INLINE void store_codes(u8 *dst, bool nibbles, __m512i codes) {
    if (nibbles)
        _mm256_storeu_si256((__m256i *)dst,
                            _mm512_cvtepi16_epi8(_mm512_maddubs_epi16(codes, set1_16(0x1001))));
    else
        _mm512_storeu_si512(dst, codes);
}

/* With .pzo zeros get no sign, and neither does a NaN whose code is the sign bit. */
static ALWAYS_INLINE __m512i with_signs(__m512i codes, __m512i signs, const struct narrow_vectors *p) {
    __mmask64 is_negative = _mm512_cmpeq_epi8_mask(signs, _mm512_set1_epi8(INT8_MIN));
    if (p->relu) return _mm512_maskz_mov_epi8(~is_negative, codes);
    if (p->pzo) is_negative = _mm512_mask_test_epi8_mask(is_negative, codes, _mm512_set1_epi8(INT8_MAX));
    return _mm512_mask_add_epi8(codes, is_negative, codes, p->sign_bit);
}

/*
 * If `constant_op` is set, *op is a compile-time constant. Then most parameters are constants, too, so short calls need
 * not compute them.
 */
static ALWAYS_INLINE void narrow_floats(pto_dtype src_type, bool scaled, bool large_exponent_range,
                                        bool nibbles, bool constant_op, const pto_cvt_op *op, const u8 *src,
                                        u8 *dst, const u8 *scales, size_t n) {
    const bool is_f16 = src_type == PTO_F16 && !scaled;
    const unsigned exponent_shift = is_f16 ? 11 : 8;
    const pto_dtype format = is_f16 ? PTO_F16 : PTO_BF16;
    const struct narrow_vectors made = constant_op ? make_narrowing_inline(*op, format)
                                                   : make_narrowing(*op, format),
                                p = made; /* a copy: the compiler then knows that no store changes it */
    const bool prefetches = should_prefetch(n);
    for (size_t i = 0; i < n; i += NARROW_GRANULE) {
        const u8 *from = src + i * element_bytes(src_type);
        u8 *to = dst + (nibbles ? i / 2 : i);
        __m512i code[2], sign[2];
        if (prefetches) prefetch(from + PREFETCH_DISTANCE, NARROW_GRANULE * element_bytes(src_type));
        if (scaled && unlikely(has_unhandled_scale(scales + i / 2, &p))) {
            generic_kernel(*op)->run(op, from, to, scales + i / 2, NARROW_GRANULE);
            continue;
        }
        UNROLL for (size_t k = 0; k < 2; ++k) {
            const struct lanes x = load_lanes(src_type, scaled, from, k, &p);
            __m512i lowest = p.lowest;
            if (scaled)
                lowest = _mm512_sub_epi16(load_scales(src_type, scales + i / 2 + 16 * k),
                                          set1_16(p.min_scale << 8));
            code[k] = codes_of(x, lowest, exponent_shift, large_exponent_range, &p);
            sign[k] = x.sign;
        }
        store_codes(to, nibbles,
                    unpack_order(src_type, with_signs(_mm512_packus_epi16(code[0], code[1]),
                                                      _mm512_packs_epi16(sign[0], sign[1]), &p)));
    }
}

static ALWAYS_INLINE void narrow_plain(pto_dtype dst_type, pto_dtype src_type, const u8 *src, u8 *dst,
                                       size_t n) {
    const pto_cvt_op op = {.dst = dst_type, .src = src_type, .round = PTO_RN, .satfinite = true};
    narrow_floats(src_type, false, dst_type == PTO_E5M2, dst_type == PTO_E2M1, true, &op, src, dst, NULL, n);
}

/* ---- kernels ---- */

#define TO_SMALL(dst_, src_)                                                                                 \
    CVT_KERNEL(small_##dst_##_##src_, NARROW_GRANULE, FP_ANY,                                                \
               narrow_plain(PTO_##dst_, PTO_##src_, src, dst, n))
TO_EACH_SMALL(TO_SMALL, F16)
TO_EACH_SMALL(TO_SMALL, BF16)
TO_EACH_SMALL(TO_SMALL, F32)

/* Kernels without and with scales. Each exists for three kinds of destinations: of one byte, of one byte with more
 * exponents than LANES, and e2m1. */
#define NARROW(name, src_, scaled, large_exponent_range, nibbles)                                            \
    CVT_KERNEL(                                                                                              \
        name##_##src_, NARROW_GRANULE, FP_ANY,                                                               \
        narrow_floats(PTO_##src_, scaled, large_exponent_range, nibbles, false, op, src, dst, extra, n))
#define NARROW_FROM(src_)                                                                                    \
    NARROW(narrow, src_, false, false, false)                                                                \
    NARROW(narrow_large_range, src_, false, true, false)                                                     \
    NARROW(narrow_nibbles, src_, false, false, true)                                                         \
    NARROW(scaled_narrow, src_, true, false, false)                                                          \
    NARROW(scaled_narrow_large_range, src_, true, true, false)                                               \
    NARROW(scaled_narrow_nibbles, src_, true, false, true)
NARROW_FROM(F16)
NARROW_FROM(BF16)
NARROW_FROM(F32)

#define NARROWS(src_)                                                                                        \
    [PTO_##                                                                                                  \
        src_] = {{&narrow_##src_, &narrow_large_range_##src_, &narrow_nibbles_##src_},                       \
                 {&scaled_narrow_##src_, &scaled_narrow_large_range_##src_, &scaled_narrow_nibbles_##src_}}

static const struct cvt_kernel *narrow_kernel(pto_cvt_op op) {
    static const struct cvt_kernel *const kernels[CVT_TYPES][2][3] = {NARROWS(F16), NARROWS(BF16),
                                                                      NARROWS(F32)};
    const bool large_exponent_range = op.dst == PTO_E5M2 || op.dst == PTO_UE5M3;
    if (!is_narrowing(op)) return NULL;
    return kernels[op.src][op.scale != PTO_SCALE_NONE][large_exponent_range ? 1 : op.dst == PTO_E2M1 ? 2 : 0];
}

const struct cvt_kernel *pto_cast_narrow_avx512(pto_cast_op op, pto_cvt_op *cvt) {
    static const struct cvt_kernel *const kernels[CVT_TYPES][2] = {
        [PTO_F16] = {&narrow_F16, &narrow_large_range_F16},
        [PTO_BF16] = {&narrow_BF16, &narrow_large_range_BF16},
        [PTO_F32] = {&narrow_F32, &narrow_large_range_F32}};
    return narrows_as_cast(op, cvt) ? kernels[op.src][cvt_format_of(op.dst).exponent_bits > 4] : NULL;
}
