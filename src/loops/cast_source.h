/* SPDX-License-Identifier: MIT */
/*
 * The sources of pto_cast(): elements as words of f32. Values that f32 does not hold are rounded to odd: the last bit
 * is 1 if the value is inexact, so rounding once more, to at most 22 significand bits, gives the same as rounding the
 * value itself. Part of cast.h.
 */

/* Stores f64, rounded to odd, as f32. Finite values that are too large become the largest f32. Needs the FP state
 * FP_IEEE. If the nearest f32 has a larger magnitude than the f64, it is decremented. If it is inexact, its last bit
 * is set. */
static ALWAYS_INLINE void store_odd_f32(u8 *words, u64v x) {
    typedef double doubles __attribute__((vector_size(VBYTES)));
    typedef float floats __attribute__((vector_size(VBYTES / 2)));
    typedef u32 half_words __attribute__((vector_size(VBYTES / 2)));
    const floats nearest = __builtin_convertvector((doubles)x, floats);
    const u64v above = (u64v) __builtin_convertvector(nearest, doubles) - x;
    const u64v less = (u64v)((s64v)above > 0) & 2, inexact = (u64v)(above != 0) & 1;
    const half_words how = __builtin_convertvector(less | inexact, half_words);
    const half_words odd = ((half_words)nearest - (how >> 1)) | (how & 1);
    memcpy(words, &odd, sizeof odd);
}

static NOINLINE void words_of_f64(const u8 *src, u8 *words, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_64) store_odd_f32(words + 4 * i, v_load_64(src + 8 * i, 8, false));
}

/* Returns an integer of 64 bits, rounded to odd, as f64. */
static ALWAYS_INLINE u64v integer_to_odd_f64(u64v x, bool is_signed) {
    const u64v sign = is_signed ? sign_mask_of_64(x) : v_const_64(0), m = (x ^ sign) - sign;
    return to_odd_64(m) | sign_bit_of_64(sign);
}

static ALWAYS_INLINE void words_of_long(bool is_signed, const u8 *src, u8 *words, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_64)
        store_odd_f32(words + 4 * i, integer_to_odd_f64(v_load_64(src + 8 * i, 8, false), is_signed));
}

static ALWAYS_INLINE void words_of_integer(size_t in, bool is_signed, const u8 *src, u8 *words, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x = v_load_32(src + in * i, in, is_signed);
        const u32v sign = is_signed ? sign_mask_of_32(x) : v_const_32(0), m = (x ^ sign) - sign;
        v_store_32(words + 4 * i, (in < 4 ? exact_float_32(m) : to_odd_32(m)) | sign_bit_of_32(sign), 4);
    }
}

static ALWAYS_INLINE void words_of_float(pto_dtype type, const u8 *src, u8 *words, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_32) v_store_32(words + 4 * i, cast_load(type, src + 2 * i), 4);
}

/* Stores f16 as words of f32. A signalling NaN may raise a flag. */
static NOINLINE void words_of_f16(const u8 *src, u8 *words, size_t n) {
    words_of_float(PTO_F16, src, words, n);
}

static NOINLINE void words_of_bf16(const u8 *src, u8 *words, size_t n) {
    words_of_float(PTO_BF16, src, words, n);
}

static NOINLINE void words_of_tf32(const u8 *src, u8 *words, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_32)
        v_store_32(words + 4 * i, v_load_32(src + 4 * i, 4, false) & 0xffffe000, 4);
}

static NOINLINE void words_of_u16(const u8 *src, u8 *words, size_t n) {
    words_of_integer(2, false, src, words, n);
}

static NOINLINE void words_of_s16(const u8 *src, u8 *words, size_t n) {
    words_of_integer(2, true, src, words, n);
}

static NOINLINE void words_of_u32(const u8 *src, u8 *words, size_t n) {
    words_of_integer(4, false, src, words, n);
}

static NOINLINE void words_of_s32(const u8 *src, u8 *words, size_t n) {
    words_of_integer(4, true, src, words, n);
}

static NOINLINE void words_of_u64(const u8 *src, u8 *words, size_t n) {
    words_of_long(false, src, words, n);
}

static NOINLINE void words_of_s64(const u8 *src, u8 *words, size_t n) {
    words_of_long(true, src, words, n);
}

typedef void words_fn(const u8 *src, u8 *words, size_t n);

/* Returns the function that stores elements as words, or NULL if they are f32. Types of 8 bits and less are looked up
 * in tables instead. */
static words_fn *words_of(pto_dtype type) {
    switch (type) {
    case PTO_F16: return words_of_f16;
    case PTO_BF16: return words_of_bf16;
    case PTO_TF32: return words_of_tf32;
    case PTO_F64: return words_of_f64;
    case PTO_U16: return words_of_u16;
    case PTO_S16: return words_of_s16;
    case PTO_U32: return words_of_u32;
    case PTO_S32: return words_of_s32;
    case PTO_U64: return words_of_u64;
    case PTO_S64: return words_of_s64;
    default: return NULL;
    }
}

/* Returns whether words hold every value of the type exactly. */
static bool words_are_exact(pto_dtype type) {
    return pto_dtypes[type].bits <= 16 || type == PTO_F32 || type == PTO_TF32;
}

/* ---- types of 8 bits: codes as words ---- */

static ALWAYS_INLINE void words_of_codes(pto_dtype type, const u8 *codes, u8 *words, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v x =
            type == PTO_HIF8 ? hif8_to_f32(v_load_32(codes + i, 1, false)) : load_float_32(codes + i, type);
        v_store_32(words + 4 * i, x, 4);
    }
}

/* Stores codes of a format that cvt_format_of() describes as words. Infinities and NaNs are found by their codes. */
static NOINLINE void words_of_small_floats(pto_dtype type, const u8 *codes, u8 *words, size_t n) {
    const u32 no_code = ~(u32)0, keep = type == PTO_E2M3 || type == PTO_E3M2 ? 0x3f : 0xff;
    struct cvt_format f = cvt_format_of(type);
    const u32 magnitude_bits = (u32)low_bits((size_t)f.exponent_bits + f.fraction_bits);
    const u32 infinity = cast_infinity(type) != cast_nan(type) ? (u32)cast_infinity(type) : no_code;
    const u32 largest = (u32)cvt_max_code(f),
              nan = f.specials == SPECIALS_NONE ? no_code : (u32)cast_nan(type);
    f.specials = SPECIALS_NONE;
    for (size_t i = 0; i < n; i += VLANES_32) {
        const u32v code = v_load_32(codes + i, 1, false) & keep, magnitude = code & magnitude_bits;
        const vmask_32 is_finite = v_lt_u32(magnitude, v_const_32(largest + 1));
        const vmask_32 is_infinite = v_lt_u32(magnitude ^ infinity, v_const_32(1));
        const vmask_32 is_nan = v_lt_u32(code ^ nan, v_const_32(1));
        const u32v x = widen_32(code, f);
        const u32v special =
            v_sel_32(is_infinite, infinity_bits_32() | sign_bit_of_32(x), v_const_32(0x7fffffff));
        v_store_32(words + 4 * i, v_sel_32(is_nan, v_const_32(0x7fffffff), v_sel_32(is_finite, x, special)),
                   4);
    }
}

/* Stores n codes of a type of 8 bits as words; n is a multiple of GRANULE. */
static void decode(pto_dtype type, const u8 *codes, u8 *words, size_t n) {
    switch (type) {
    case PTO_U8: words_of_integer(1, false, codes, words, n); break;
    case PTO_S8: words_of_integer(1, true, codes, words, n); break;
    case PTO_HIF8: words_of_codes(PTO_HIF8, codes, words, n); break;
    case PTO_UE8M0: words_of_codes(PTO_UE8M0, codes, words, n); break;
    case PTO_S2F6: words_of_codes(PTO_S2F6, codes, words, n); break;
    default: words_of_small_floats(type, codes, words, n); break;
    }
}

/* Returns whether the function adds or converts floats, so that it needs the FP state FP_IEEE. */
static bool words_need_fp(words_fn *words) {
    return words == words_of_f16 || words == words_of_f64 || words == words_of_u64 || words == words_of_s64;
}
