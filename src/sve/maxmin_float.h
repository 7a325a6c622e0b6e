/* SPDX-License-Identifier: MIT */
/*
 * Max, min and relu of f16, f32 or f64 by SVE's float instructions. FPCR must be in its default state. Include with
 *   LANE      f16, f32, f64
 *   WIDTH     16, 32, 64
 *   NAN_BITS  the canonical NaN
 *   SMALLEST  the least normal value
 * Defines minmax_LANE, relu_LANE and flush_LANE.
 */
#define NAME(prefix)      CAT(prefix, LANE)
#define floats            CAT3(svfloat, WIDTH, _t)
#define words             CAT3(svuint, WIDTH, _t)
#define all               CAT(svptrue_b, WIDTH)()
#define to_floats(x)      CAT(svreinterpret_f, WIDTH)(x)
#define to_words(x)       CAT(svreinterpret_u, WIDTH)(x)
#define broadcast_word(x) CAT(svdup_n_u, WIDTH)(x)
#define QUIET_F64         ((CAT3(uint, WIDTH, _t))0x0008000000000000)
#define SIGN              ((CAT3(uint, WIDTH, _t))1 << (WIDTH - 1))
#define canonical         NAME(canonical_)
#define float_extremum    NAME(float_extremum_)
#define float_signed      NAME(float_signed_)

/* Returns x, with the canonical NaN in the lanes where y is a NaN. */
static ALWAYS_INLINE floats canonical(floats x, floats y) {
    return svsel(svcmpuo(all, y, y), to_floats(broadcast_word(NAN_BITS)), x);
}

/* Returns y, with each NaN replaced by the result for two NaN operands: the canonical NaN, or for f64 the NaN itself,
 * made quiet. */
static ALWAYS_INLINE floats NAME(quiet_)(floats y) {
    if (WIDTH != 64) return canonical(y, y);
    return to_floats(svorr_m(svcmpuo(all, y, y), to_words(y), QUIET_F64));
}

/* If one operand is a quiet NaN, FMAXNM returns the other; of two equal NaNs it returns that NaN. FMAX returns a NaN
 * if any operand is one. Both order -0 below +0. */
static ALWAYS_INLINE floats float_extremum(bool max, bool nan, floats x, floats y) {
    if (nan) return max ? svmax_x(all, x, y) : svmin_x(all, x, y);
    y = NAME(quiet_)(y);
    x = svsel(svcmpuo(all, x, x), y, x);
    return max ? svmaxnm_x(all, x, y) : svminnm_x(all, x, y);
}

/* .xorsign.abs: compares magnitudes, and the result has the XOR of both signs. The canonical NaN has no sign. */
static ALWAYS_INLINE floats float_signed(bool max, bool nan, floats x, floats y) {
    const words sign = svand_x(all, sveor_x(all, to_words(x), to_words(y)), SIGN);
    const floats r = float_extremum(max, nan, svabs_x(all, x), svabs_x(all, y));
    return canonical(to_floats(svorr_x(all, to_words(r), sign)), r);
}

static ALWAYS_INLINE svuint8_t NAME(minmax_)(bool max, unsigned flags, svuint8_t a, svuint8_t b) {
    const bool nan = (flags & PTO_PROPAGATE_NAN) != 0;
    const floats x = to_floats(a), y = to_floats(b);
    floats r;
    if ((flags & PTO_XORSIGN_ABS) != 0) return svreinterpret_u8(float_signed(max, nan, x, y));
    r = float_extremum(max, nan, x, y);
    return svreinterpret_u8(nan ? canonical(r, r) : r);
}

static ALWAYS_INLINE svuint8_t NAME(relu_)(unsigned flags, svuint8_t a) {
    const floats x = to_floats(a);
    if ((flags & PTO_PROPAGATE_NAN) != 0) return svreinterpret_u8(canonical(svmax_x(all, x, 0), x));
    return svreinterpret_u8(svsel(svcmpgt(all, x, 0), x, to_floats(broadcast_word(0))));
}

static ALWAYS_INLINE svuint8_t NAME(flush_)(svuint8_t a) {
    const floats x = to_floats(a);
    return svreinterpret_u8(svand_m(svaclt(all, x, SMALLEST), to_words(x), SIGN));
}

#undef NAME
#undef floats
#undef words
#undef all
#undef to_floats
#undef to_words
#undef broadcast_word
#undef QUIET_F64
#undef SIGN
#undef canonical
#undef float_extremum
#undef float_signed
#undef LANE
#undef WIDTH
#undef NAN_BITS
#undef SMALLEST
