/* SPDX-License-Identifier: MIT */
/* Conversions between the public calls, the text parsers and the kernels: which forms there are, and formats.
 */
#ifndef PTO_SRC_CVT_H
#define PTO_SRC_CVT_H

#include "common.h"
#include "pto/convert.h"

/* How PTX spells a type in cvt: one element, two or four. */
enum cvt_lanes { CVT_X1 = 1, CVT_X2 = 2, CVT_X4 = 4 };

struct cvt_spelling {
    u8 dst_lanes, src_lanes;
};

/* Whether PTX has op in this spelling: PTO_OK, PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
pto_status pto_cvt_spelled(pto_cvt_op op, struct cvt_spelling spelling);

/* The first spelling of a legal op, false if op is not legal. */
bool pto_cvt_find_spelling(pto_cvt_op op, struct cvt_spelling *spelling);

/* As pto_cvt_check, but the composed pairs of convert.h are legal too: what pto_cvt takes. */
pto_status pto_cvt_takes(pto_cvt_op op);

/* What codes above the largest finite number mean: infinity and NaNs, one NaN, or there are none. */
enum cvt_specials { SPECIALS_IEEE, SPECIALS_NAN, SPECIALS_NONE };

/* A binary floating-point format with a sign above its exponent and fraction. */
struct cvt_format {
    u8 exponent_bits, fraction_bits;
    s16 bias;
    u8 specials;
};

/* By pto_dtype; all zero for other types. tf32 here is its 19 bits; ue8m0, without sign and zero, is not
 * here. */
extern const struct cvt_format pto_cvt_formats[PTO_BF16X2 + 1];

static ALWAYS_INLINE u64 cvt_inf_code(struct cvt_format f) {
    return low_bits(f.exponent_bits) << f.fraction_bits;
}

/* Largest finite magnitude. */
static ALWAYS_INLINE u64 cvt_max_code(struct cvt_format f) {
    switch (f.specials) {
    case SPECIALS_IEEE: return cvt_inf_code(f) - 1;
    case SPECIALS_NAN: return low_bits((size_t)f.exponent_bits + f.fraction_bits) - 1;
    default: return low_bits((size_t)f.exponent_bits + f.fraction_bits);
    }
}

/* The one NaN that conversions produce unless the source's payload is kept: all ones but the sign; the
 * largest number in the formats that have no NaN. */
static ALWAYS_INLINE u64 cvt_canonical_nan(struct cvt_format f) {
    return low_bits((size_t)f.exponent_bits + f.fraction_bits);
}

static ALWAYS_INLINE u64 cvt_one_code(struct cvt_format f) {
    return (u64)f.bias << f.fraction_bits;
}

static inline bool cvt_is_integer(pto_dtype t) {
    return t >= PTO_U8 && t <= PTO_S64;
}

static inline bool cvt_is_signed(pto_dtype t) {
    return t >= PTO_S8 && t <= PTO_S64;
}

static inline bool cvt_is_integral_round(pto_round r) {
    return r >= PTO_RNI;
}

/* Random bits that .rs consumes per element, and elements per word of them. */
static inline unsigned cvt_random_bits(pto_dtype dst) {
    return dst == PTO_F16 ? 13 : 16;
}

static inline unsigned cvt_random_group(pto_dtype dst) {
    return dst == PTO_F16 || dst == PTO_BF16 ? 2 : 4;
}

/* What becomes of a NaN: `bits` alone, or with the source's sign and leading payload bits (section "NaN" of
 * docs/semantics.md). */
struct cvt_nan {
    u64 bits;
    bool keep; /* or'ed with what the source has at the same places */
};

struct cvt_nan pto_cvt_nan(pto_cvt_op op);

/* Whether subnormal f32 sources count as zero. */
static inline bool cvt_flushes_source(pto_cvt_op op) {
    return op.ftz && op.src == PTO_F32 && op.dst != PTO_F16;
}

/* What an integer result is for a NaN. */
static inline u64 cvt_integer_nan(pto_cvt_op op, unsigned dst_bits) {
    return op.src == PTO_F64 || dst_bits == 64 ? (u64)1 << (dst_bits - 1) : 0;
}

#endif
