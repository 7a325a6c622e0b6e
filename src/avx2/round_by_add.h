/* SPDX-License-Identifier: MIT */
/* Converts f32 to the 8-, 6- and 4-bit formats, to nearest even and with no modifier except .satfinite. Part
 * of convert_native.h. */
#include "core/prefetch.h"

/*
 * Returns the codes of magnitudes, in 32-bit lanes. A floating-point addition rounds them, see struct round_by_add in
 * loops/round_by_add.h.
 */
static ALWAYS_INLINE __m256i code_of_magnitude(__m256i magnitude, struct cvt_format to) {
    const struct round_by_add a = round_by_add_of(to);
    const __m256i bounded = _mm256_min_epu32(magnitude, _mm256_set1_epi32(a.largest_finite));
    const __m256i up = _mm256_max_epu32(bounded, _mm256_set1_epi32(a.smallest_normal));
    const __m256i e = _mm256_and_si256(up, _mm256_set1_epi32(0x7f800000));
    const __m256i magic = _mm256_add_epi32(e, _mm256_set1_epi32(a.added));
    const __m256 sum = _mm256_add_ps(_mm256_castsi256_ps(bounded), _mm256_castsi256_ps(magic));
    const __m256i code =
        _mm256_add_epi32(_mm256_castps_si256(sum), _mm256_srli_epi32(e, (int)a.dropped_bits));
    return _mm256_and_si256(code, _mm256_set1_epi32(0xff));
}

/* Narrows 32-bit lanes to bytes of the same signs. Packing works within halves of 128 bits, so the bytes are not
 * in order. */
static ALWAYS_INLINE __m256i pack_signs(const __m256i x[VECTORS]) {
    return _mm256_packs_epi16(_mm256_packs_epi32(x[0], x[1]), _mm256_packs_epi32(x[2], x[3]));
}

/* Converts 32 elements to codes, each in a byte, in order. */
static ALWAYS_INLINE __m256i small_codes(const u8 *p, struct cvt_format to) {
    const int down = 7 - (to.exponent_bits + to.fraction_bits);
    __m256i code[VECTORS], bits[VECTORS], sign, y;
    struct ps_32 x;
    UNROLL for (size_t k = 0; k < VECTORS; ++k) {
        x.v[k] = load_ps(p + 32 * k);
        bits[k] = _mm256_castps_si256(x.v[k]);
        code[k] = code_of_magnitude(_mm256_and_si256(bits[k], _mm256_set1_epi32(INT32_MAX)), to);
    }
    y = _mm256_packus_epi16(_mm256_packus_epi32(code[0], code[1]), _mm256_packus_epi32(code[2], code[3]));
    sign = _mm256_and_si256(pack_signs(bits), _mm256_set1_epi8(INT8_MIN));
    y = _mm256_or_si256(y, _mm256_srli_epi16(sign, down));
    if (any_nan(&x)) {
        UNROLL for (size_t k = 0; k < VECTORS; ++k) bits[k] = _mm256_castps_si256(nans(x.v[k]));
        y = _mm256_blendv_epi8(y, _mm256_set1_epi8((s8)cvt_canonical_nan(to)), pack_signs(bits));
    }
    return _mm256_permutevar8x32_epi32(y, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static ALWAYS_INLINE void f32_to_small(pto_dtype dst_type, const u8 *src, u8 *dst, size_t n) {
    const bool prefetches = should_prefetch(n);
    for (size_t i = 0; i < n; i += NATIVE_GRANULE) {
        const __m256i codes = small_codes(src + 4 * i, cvt_format_of(dst_type));
        if (prefetches) prefetch(src + 4 * i + PREFETCH_DISTANCE, sizeof(float[NATIVE_GRANULE]));
        if (dst_type == PTO_E2M1)
            store_nibbles(dst + i / 2, codes);
        else
            store_256(dst + i, codes);
    }
}

/* ---- kernels ---- */

#define TO_SMALL_BY_ADD(dst_, src_)                                                                          \
    CVT_KERNEL(small_##dst_##_##src_, NATIVE_GRANULE, FP_IEEE, f32_to_small(PTO_##dst_, src, dst, n))
TO_EACH_SMALL(TO_SMALL_BY_ADD, F32)
