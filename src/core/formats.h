/* SPDX-License-Identifier: MIT */
/* The formats of floats, and the modifiers and NaN results of conversions. They are the same in every backend. */
#ifndef PTO_CORE_FORMATS_H
#define PTO_CORE_FORMATS_H

#include "core/common.h"
#include "pto/convert.h"

/* CVT_TYPES and CVT_ROUNDS are the numbers of types and of roundings of PTX's cvt. These types precede the packed types
 * and the types that PTX does not have, and these roundings precede PTO_RO. */
enum { CVT_TYPES = PTO_UE5M3 + 1, CVT_ROUNDS = PTO_RPI + 1 };

/* What the codes above the largest finite value are: infinity and NaNs (SPECIALS_IEEE), one NaN (SPECIALS_NAN), or one
 * infinity (SPECIALS_EXTENDED). With SPECIALS_NONE and SPECIALS_FNUZ there are no such codes. With SPECIALS_FNUZ and
 * SPECIALS_EXTENDED the only NaN is the code of the sign bit, which elsewhere is -0. */
enum cvt_specials { SPECIALS_IEEE, SPECIALS_NAN, SPECIALS_NONE, SPECIALS_FNUZ, SPECIALS_EXTENDED };

/* A binary floating-point format. The sign bit is above the exponent and the fraction; ue5m3 has no sign bit. */
struct cvt_format {
    u8 exponent_bits, fraction_bits;
    s16 bias;
    u8 specials;
};

/* Returns the format of `type`, or all zeros if it has none. tf32 is described as a format of 19 bits. Three types have
 * no such format: ue8m0 (no sign and no zero), s2f6 (an integer in units of 1/64) and hif8 (fields of variable
 * width). */
static ALWAYS_INLINE struct cvt_format cvt_format_of(pto_dtype type) {
    const struct cvt_format none = {0, 0, 0, 0}, f16 = {5, 10, 15, SPECIALS_IEEE},
                            bf16 = {8, 7, 127, SPECIALS_IEEE}, f32 = {8, 23, 127, SPECIALS_IEEE},
                            f64 = {11, 52, 1023, SPECIALS_IEEE}, tf32 = {8, 10, 127, SPECIALS_IEEE},
                            e4m3 = {4, 3, 7, SPECIALS_NAN}, e5m2 = {5, 2, 15, SPECIALS_IEEE},
                            e2m3 = {2, 3, 1, SPECIALS_NONE}, e3m2 = {3, 2, 3, SPECIALS_NONE},
                            e2m1 = {2, 1, 1, SPECIALS_NONE}, ue5m3 = {5, 3, 15, SPECIALS_NAN},
                            e1m2 = {1, 2, 1, SPECIALS_NONE}, e4m3fnuz = {4, 3, 8, SPECIALS_FNUZ},
                            e5m2fnuz = {5, 2, 16, SPECIALS_FNUZ}, e4m3b11fnuz = {4, 3, 11, SPECIALS_FNUZ},
                            e4m3ieee = {4, 3, 7, SPECIALS_IEEE}, e3m4 = {3, 4, 3, SPECIALS_IEEE},
                            binary8p3se = {5, 2, 16, SPECIALS_EXTENDED},
                            binary8p4se = {4, 3, 8, SPECIALS_EXTENDED};
    switch (type) {
    case PTO_F16: return f16;
    case PTO_BF16: return bf16;
    case PTO_F32: return f32;
    case PTO_F64: return f64;
    case PTO_TF32: return tf32;
    case PTO_E4M3: return e4m3;
    case PTO_E5M2: return e5m2;
    case PTO_E2M3: return e2m3;
    case PTO_E3M2: return e3m2;
    case PTO_E2M1: return e2m1;
    case PTO_UE5M3: return ue5m3;
    case PTO_E1M2: return e1m2;
    case PTO_E4M3FNUZ: return e4m3fnuz;
    case PTO_E5M2FNUZ: return e5m2fnuz;
    case PTO_E4M3B11FNUZ: return e4m3b11fnuz;
    case PTO_E4M3IEEE: return e4m3ieee;
    case PTO_E3M4: return e3m4;
    case PTO_BINARY8P3SE: return binary8p3se;
    case PTO_BINARY8P4SE: return binary8p4se;
    default: return none;
    }
}

/* Returns whether the format has infinities. `f` must be the format of a type that has one. */
static ALWAYS_INLINE bool cvt_has_infinity(struct cvt_format f) {
    return f.specials == SPECIALS_IEEE || f.specials == SPECIALS_EXTENDED;
}

/* Returns whether the format has one zero, since the code of -0 is its NaN. */
static ALWAYS_INLINE bool cvt_has_one_zero(struct cvt_format f) {
    return f.specials == SPECIALS_FNUZ || f.specials == SPECIALS_EXTENDED;
}

static ALWAYS_INLINE u64 cvt_inf_code(struct cvt_format f) {
    const u64 exponent = low_bits(f.exponent_bits) << f.fraction_bits;
    return f.specials == SPECIALS_EXTENDED ? exponent | low_bits(f.fraction_bits) : exponent;
}

/* Returns the code of the largest finite magnitude. */
static ALWAYS_INLINE u64 cvt_max_code(struct cvt_format f) {
    switch (f.specials) {
    case SPECIALS_IEEE: return cvt_inf_code(f) - 1;
    case SPECIALS_NAN:
    case SPECIALS_EXTENDED: return low_bits((size_t)f.exponent_bits + f.fraction_bits) - 1;
    default: return low_bits((size_t)f.exponent_bits + f.fraction_bits);
    }
}

/* Returns the NaN that conversions produce unless they preserve the source's payload: all bits set except the sign, or
 * only the sign in formats with one zero. In formats without NaN this code is the largest value. */
static ALWAYS_INLINE u64 cvt_canonical_nan(struct cvt_format f) {
    const size_t sign_at = (size_t)f.exponent_bits + f.fraction_bits;
    return cvt_has_one_zero(f) ? (u64)1 << sign_at : low_bits(sign_at);
}

/* Returns the quiet NaN with sign 0 and an otherwise zero payload. */
static ALWAYS_INLINE u64 cvt_quiet_nan(struct cvt_format f) {
    return cvt_inf_code(f) | (u64)1 << (f.fraction_bits - 1);
}

static ALWAYS_INLINE u64 cvt_one_code(struct cvt_format f) {
    return (u64)f.bias << f.fraction_bits;
}

/* Returns how many bytes an element takes in the vector loops, where an element of 2 or 4 bits takes a whole byte. */
static ALWAYS_INLINE size_t element_bytes(pto_dtype type) {
    switch (type) {
    case PTO_U16:
    case PTO_S16:
    case PTO_F16:
    case PTO_BF16: return 2;
    case PTO_U32:
    case PTO_S32:
    case PTO_F32:
    case PTO_TF32: return 4;
    case PTO_U64:
    case PTO_S64:
    case PTO_F64: return 8;
    default: return 1;
    }
}

/* The four functions below test whether an enumerator is in a range. Kernels call them at run time, and comparing with
 * each enumerator would need more code. The values are part of the ABI: types and roundings that are added later follow
 * the present ones. The integer types of 2 and 4 bits are not in these ranges: pto_cvt() and pto_vcvt() do not have
 * them. */
static inline bool cvt_is_integer(pto_dtype t) {
    return t >= PTO_U8 && t <= PTO_S64;
}

static inline bool cvt_is_signed(pto_dtype t) {
    return t >= PTO_S8 && t <= PTO_S64;
}

/* Returns whether t is one of PTX's signed formats of 8, 6 and 4 bits. Conversions to them always saturate. */
static ALWAYS_INLINE bool cvt_is_small(pto_dtype t) {
    return t >= PTO_E4M3 && t <= PTO_E2M1;
}

static inline bool cvt_is_integral_round(pto_round r) {
    return r >= PTO_RNI && r <= PTO_RPI;
}

/*
 * The modifiers other than the rounding, in PTX's order: X(enumerator, member of pto_cvt_op or value of its scale,
 * PTX's spelling, effect in the words of pto_cvt_explain()). Parsing, formatting, enumerating and explaining all expand
 * this list. ptx/cvt_rules.h has the pairs of types that take each modifier.
 */
#define CVT_SWITCHES(X)                                                                                      \
    X(FTZ, ftz, "ftz", "subnormal f32 values become zeros of the same sign")                                 \
    X(RELU, relu, "relu", "negative results become +0")                                                      \
    X(SATFINITE, satfinite, "satfinite", "larger magnitudes become the largest finite value")                \
    X(SAT, sat, "sat", "clamped to [0, 1]; a NaN becomes +0")                                                \
    X(PZO, pzo, "pzo", "a result of -0 becomes +0")
#define CVT_SCALES(X)                                                                                        \
    X(N1, PTO_SCALE_N1, "scaled::n1::ue8m0",                                                                 \
      "divided by one scale for two elements; subnormals count as zero")                                     \
    X(N2, PTO_SCALE_N2, "scaled::n2::ue8m0", "divided by a scale for each element")
#define CVT_MODIFIERS(X) CVT_SWITCHES(X) CVT_SCALES(X)

/* CVT_BIT_x is the number of a modifier's bit in a set of modifiers, CVT_x the bit itself. */
#define PLACE(name, member, word, effect) CVT_BIT_##name,
enum cvt_modifier_bit { CVT_MODIFIERS(PLACE) CVT_MODIFIER_COUNT };
#undef PLACE

#define BIT(name, member, word, effect) CVT_##name = 1 << CVT_BIT_##name,
enum cvt_modifier { CVT_MODIFIERS(BIT) CVT_MODIFIER_SETS = 1 << CVT_MODIFIER_COUNT };
#undef BIT

/* A pto_cvt_scale shifted left by CVT_BIT_N1 is its set of modifiers. The set of both scales is representable, too, but
 * no form takes it. */
enum { CVT_ANY_SCALE = CVT_N1 | CVT_N2 };
_Static_assert(CVT_N1 == (int)PTO_SCALE_N1 << CVT_BIT_N1 && CVT_N2 == (int)PTO_SCALE_N2 << CVT_BIT_N1,
               "pto_cvt_scale must have the order of the modifiers N1 and N2");

/* Returns whether a reserved byte of op is not 0. A single load reads the three bytes together with pzo, the byte
 * before them. */
static ALWAYS_INLINE bool cvt_has_reserved(pto_cvt_op op) {
    u32 word;
    memcpy(&word, (const u8 *)&op + offsetof(pto_cvt_op, pzo), sizeof word);
    return word >> 8 != 0;
}

_Static_assert(offsetof(pto_cvt_op, reserved) == offsetof(pto_cvt_op, pzo) + 1, "pzo and the reserved bytes");

/* Returns the set of op's modifiers. If the scale is unknown or a reserved byte is not 0, the set has both scales,
 * which no form takes. All code that checks for unexpected modifiers calls this function, so that a modifier that is
 * added later is never overlooked. */
static ALWAYS_INLINE unsigned cvt_modifiers(pto_cvt_op op) {
    const bool known = (unsigned)op.scale <= PTO_SCALE_N2 && !cvt_has_reserved(op);
    unsigned modifiers = known ? (unsigned)op.scale << CVT_BIT_N1 : CVT_ANY_SCALE;
#define ADD(name, member, word, effect) modifiers |= op.member ? CVT_##name : 0U;
    CVT_SWITCHES(ADD)
#undef ADD
    return modifiers;
}

static inline pto_cvt_op cvt_with_modifiers(pto_cvt_op op, unsigned modifiers) {
    op.scale = (pto_cvt_scale)((modifiers & CVT_ANY_SCALE) >> CVT_BIT_N1);
#define SET_MEMBER(name, member, word, effect) op.member = (modifiers & CVT_##name) != 0;
    CVT_SWITCHES(SET_MEMBER)
#undef SET_MEMBER
    return op;
}

/* Returns whether the conversion copies bits unchanged. It does between integers of one size, and from f32 to f32 and
 * f64 to f64, where even signalling NaNs stay unchanged. */
static inline bool cvt_is_copy(pto_cvt_op op) {
    if (op.round != PTO_ROUND_NONE || cvt_modifiers(op) != 0) return false;
    if (cvt_is_integer(op.dst))
        return cvt_is_integer(op.src) && pto_dtype_bits(op.dst) == pto_dtype_bits(op.src);
    return op.dst == op.src && (op.dst == PTO_F32 || op.dst == PTO_F64);
}

/* cvt_scale_group() returns how many elements share one scale. cvt_scale_bytes() returns how many bytes the scales of n
 * elements take. */
static inline size_t cvt_scale_group(pto_cvt_scale scale) {
    return scale == PTO_SCALE_N1 ? 2 : 1;
}

static inline size_t cvt_scale_bytes(pto_cvt_scale scale, size_t n) {
    return (n - n % 2) / cvt_scale_group(scale) + n % 2;
}

/* Returns whether elements are multiplied by their scales, as in conversions to bf16. In conversions to narrower
 * formats they are divided by them. */
static inline bool cvt_multiplies(pto_dtype dst) {
    return dst == PTO_BF16;
}

enum { UE8M0_NAN = 0xff, UE8M0_BIAS = 127 };

/* Codes of hif8: the NaN, and without sign infinity and the largest finite value. */
enum { HIF8_NAN = 0x80, HIF8_INFINITY = 0x6f, HIF8_LARGEST = 0x6e };

/* cvt_random_bits() returns how many random bits .rs uses per element. cvt_random_group() returns how many elements
 * share a random word. */
static inline unsigned cvt_random_bits(pto_dtype dst) {
    return dst == PTO_F16 ? 13 : 16;
}

static inline unsigned cvt_random_group(pto_dtype dst) {
    return dst == PTO_F16 || dst == PTO_BF16 ? 2 : 4;
}

/* The result for a NaN: either `bits`, or `bits` with the source's sign and leading payload bits (section "NaN" of
 * docs/semantics.md). */
struct cvt_nan {
    u64 bits;
    bool keeps_payload; /* `bits` is ORed with the source's sign and payload, aligned to the destination */
};

/* Returns the result of op for a NaN. A conversion keeps the leading bits of the payload as the leading bits of the
 * result, or drops the whole payload. */
static ALWAYS_INLINE struct cvt_nan cvt_nan_of(pto_cvt_op op) {
    const struct cvt_format to = cvt_format_of(op.dst);
    const bool is_f64 = op.dst == PTO_F64 || op.src == PTO_F64;
    struct cvt_nan nan = {cvt_canonical_nan(to), false};
    if (op.sat) {
        nan.bits = 0;
    } else if (op.dst == PTO_S2F6) {
        nan.bits = 0x7f;
    } else if (op.dst == PTO_TF32) {
        nan.bits <<= 13; /* an element is the upper 19 bits of a word */
    } else if (op.dst == PTO_F64 && op.src == PTO_F32 && op.ftz) {
        nan.bits = 0x7fffffffe0000000; /* 7fffffff, the NaN of cvt.ftz.f32.f32, as an f64 */
    } else if (is_f64) {
        nan.keeps_payload = true;
        nan.bits = cvt_quiet_nan(to);
    } else if (op.dst == PTO_F32 && (op.src == PTO_BF16 || op.src == PTO_UE8M0) && !op.ftz) {
        nan.keeps_payload = true;
        nan.bits = 0x7f800000;
    }
    return nan;
}

/* Returns whether subnormal sources count as zero. These are f32 sources with .ftz, except in conversions to f16, and
 * all sources with a scale per pair. */
static inline bool cvt_flushes_sources(pto_cvt_op op) {
    return (op.ftz && op.src == PTO_F32 && op.dst != PTO_F16) || op.scale == PTO_SCALE_N1;
}

/* Returns the integer result for a NaN. */
static inline u64 cvt_integer_nan(pto_cvt_op op, unsigned dst_bits) {
    return op.src == PTO_F64 || dst_bits == 64 ? (u64)1 << (dst_bits - 1) : 0;
}

#endif
