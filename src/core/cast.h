/* SPDX-License-Identifier: MIT */
/* The conversions of pto_cast(), and their kernel interface. */
#ifndef PTO_CORE_CAST_H
#define PTO_CORE_CAST_H

#include "core/formats.h"
#include "core/isas.h"
#include "core/types.h"
#include "pto/cast.h"

/* Each element of a conversion with PTO_RS has a random word of its own. */
enum { CAST_RANDOM_BITS = 32 };

/* Returns PTO_OK if pto_cast() takes op, otherwise PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
pto_status pto_cast_status(pto_cast_op op);

/* These take only types that pto_cast() takes. */
static inline bool cast_is_integer(pto_dtype type) {
    return pto_dtypes[type].class != PTO_CLASS_FLOAT;
}

static inline bool cast_is_signed(pto_dtype type) {
    return pto_dtypes[type].class == PTO_CLASS_SIGNED;
}

/* Returns whether a floating-point type has no sign. */
static inline bool cast_has_no_sign(pto_dtype type) {
    return type == PTO_UE8M0 || type == PTO_UE5M3;
}

/* Returns how many bits of an element in memory are below its code: a tf32 is the upper 19 bits of a word. */
static inline unsigned cast_unused_below(pto_dtype type) {
    return type == PTO_TF32 ? 13 : 0;
}

/* Returns the sign bit of an element in memory, of a floating-point type with a sign. */
static inline u64 cast_sign(pto_dtype type) {
    const struct cvt_format f = cvt_format_of(type);
    if (type == PTO_HIF8) return 0x80;
    return (u64)1 << (f.exponent_bits + f.fraction_bits + cast_unused_below(type));
}

/* Returns the result for a NaN as an element in memory. */
static inline u64 cast_nan(pto_dtype dst) {
    switch (dst) {
    case PTO_HIF8: return HIF8_NAN;
    case PTO_UE8M0: return UE8M0_NAN;
    case PTO_S2F6: return 0x7f;
    default:
        return cast_is_integer(dst) ? 0 : cvt_canonical_nan(cvt_format_of(dst)) << cast_unused_below(dst);
    }
}

/* Returns the result for an infinity that does not saturate, without its sign: the code of infinity, otherwise the NaN,
 * otherwise the largest value. */
static inline u64 cast_infinity(pto_dtype dst) {
    const struct cvt_format f = cvt_format_of(dst);
    if (dst == PTO_HIF8) return HIF8_INFINITY;
    return f.exponent_bits != 0 && cvt_has_infinity(f) ? cvt_inf_code(f) << cast_unused_below(dst)
                                                       : cast_nan(dst);
}

/* Returns the code of the largest finite value as an element in memory. `dst` must be a floating-point type. */
static inline u64 cast_largest(pto_dtype dst) {
    switch (dst) {
    case PTO_HIF8: return HIF8_LARGEST;
    case PTO_UE8M0: return UE8M0_NAN - 1;
    case PTO_S2F6: return 0x7f;
    default: return cvt_max_code(cvt_format_of(dst)) << cast_unused_below(dst);
    }
}

/* Returns the result of a finite value that is too large, without its sign. */
static inline u64 cast_overflow(pto_cast_op op, bool negative) {
    const bool stays = op.round == PTO_RZ || op.round == PTO_RO || (op.round == PTO_RM && !negative) ||
                       (op.round == PTO_RP && negative);
    return op.overflow == PTO_OVERFLOW_IEEE && !stays ? cast_infinity(op.dst) : cast_largest(op.dst);
}

/* The most bytes of results that an entry of a table has: two elements of 8 bytes, or four of 4. More would make calls
 * need more stack than small threads have. */
enum { LOOKUP_MAX_BYTES = 16 };

/* Sets the `bytes` bytes at dst + bytes * i to the entry of that size that byte src[i] has in `table`. `bytes` is a
 * power of two. It is not in a file of kernels, because with the compiler flags of those files compilers vectorise such
 * loops, which makes them slower. dst may be src if `bytes` is 1. */
void pto_look_up(size_t bytes, const u8 *table, const u8 *src, u8 *dst, size_t n);

/* These return the kernel of pto_cvt() that gives the results of a cast if it runs for *cvt, which they set, or NULL if
 * there is none. Its granule is a power of two. */
const struct cvt_kernel *pto_cast_narrow_avx2(pto_cast_op op, pto_cvt_op *cvt);
const struct cvt_kernel *pto_cast_narrow_avx512(pto_cast_op op, pto_cvt_op *cvt);

/* Converts n elements of src as *op specifies, in any FP state. `random` has a word for each element with PTO_RS,
 * otherwise it is NULL. */
typedef void cast_fn(const pto_cast_op *op, const void *src, void *dst, const void *random, size_t n);

#define CAST_EXPORTS(ISA, isa, attribute) extern cast_fn pto_cast_##isa attribute;
EVERY_ISA(CAST_EXPORTS)
#undef CAST_EXPORTS

#endif
