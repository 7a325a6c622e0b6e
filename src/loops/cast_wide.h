/* SPDX-License-Identifier: MIT */
/* Conversions of pto_cast() in words of f64: to f64 and to 64-bit integers, and of f64 to f32 and to 32-bit integers.
 * They have the roundings PTO_RN, PTO_RZ, PTO_RM and PTO_RP. Part of cast.h. */

static NOINLINE void longs_of_words(const u8 *words, u8 *longs, size_t n) {
    for (size_t i = 0; i < n; i += VLANES_64)
        v_store_64(longs + 8 * i, widen_64(v_load_64(words + 4 * i, 4, false), cvt_format_of(PTO_F32)), 8);
}

static ALWAYS_INLINE void longs_to_float(pto_dtype dst_type, pto_cast_op op, const u8 *longs, u8 *dst,
                                         size_t n) {
    const struct cvt_format to = cvt_format_of(dst_type);
    const pto_cvt_op as_cvt = {
        .dst = dst_type, .src = PTO_F64, .round = op.round, .satfinite = op.overflow != PTO_OVERFLOW_IEEE};
    const size_t out = element_bytes(dst_type);
    struct narrow_64 p = narrow_of_64(as_cvt, to);
    p.infinity = op.overflow == PTO_OVERFLOW_SATURATE ? cvt_max_code(to) : cvt_inf_code(to);
    p.nan = cast_nan(dst_type);
    p.nan_keep = 0;
    for (size_t i = 0; i < n; i += VLANES_64)
        v_store_64(dst + out * i, narrow_64(v_load_64(longs + 8 * i, 8, false), &p, to), out);
}

static ALWAYS_INLINE void longs_to_integer(size_t out, pto_cast_op op, const u8 *longs, u8 *dst, size_t n) {
    const pto_cvt_op as_cvt = {.dst = op.dst, .src = PTO_F64, .round = op.round};
    struct to_integer_64 p = to_integer_of_64(as_cvt, 8 * (unsigned)out);
    p.nan = 0;
    for (size_t i = 0; i < n; i += VLANES_64)
        v_store_64(dst + out * i, to_integer_64(v_load_64(longs + 8 * i, 8, false), &p), out);
}

static NOINLINE void longs_to_f32(pto_cast_op op, const u8 *longs, u8 *dst, size_t n) {
    longs_to_float(PTO_F32, op, longs, dst, n);
}

static NOINLINE void longs_to_f64(pto_cast_op op, const u8 *longs, u8 *dst, size_t n) {
    longs_to_float(PTO_F64, op, longs, dst, n);
}

static NOINLINE void longs_to_word(pto_cast_op op, const u8 *longs, u8 *dst, size_t n) {
    longs_to_integer(4, op, longs, dst, n);
}

static NOINLINE void longs_to_long(pto_cast_op op, const u8 *longs, u8 *dst, size_t n) {
    longs_to_integer(8, op, longs, dst, n);
}

static bool rounds_longs(pto_round round) {
    return round == PTO_RN || round == PTO_RZ || round == PTO_RM || round == PTO_RP;
}

/* Returns the loop from longs to a type of at least 32 bits, or NULL. */
static cast_loop *loop_of_longs(pto_dtype dst) {
    switch (dst) {
    case PTO_F32: return longs_to_f32;
    case PTO_F64: return longs_to_f64;
    case PTO_U32:
    case PTO_S32: return longs_to_word;
    case PTO_U64:
    case PTO_S64: return longs_to_long;
    default: return NULL;
    }
}
