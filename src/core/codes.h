/* SPDX-License-Identifier: MIT */
/* The kernels that work on the codes of floats as integers: classes of codes, and the order of floats of 8 bits and
 * less. */
#ifndef PTO_CORE_CODES_H
#define PTO_CORE_CODES_H

#include "core/kernels.h"

/* A class of codes. It contains x if x & mask is one of the `count` values from `first` on, modulo 2^width. If `zero`
 * is not 0, it also contains every x for which x & zero is 0; `count` must then not be 0. */
struct code_class {
    u64 mask, first, count, zero;
};

/* Sets bit i of `bits` to whether element i of src is in the class. The unused bits of the last byte become 0. */
typedef void classify_fn(const struct code_class *c, const void *src, void *bits, size_t n);

struct classify_table {
    classify_fn *width[WIDTHS];
};

/*
 * The codes of a float of 8 bits or less. They are signs and magnitudes: 8 bits, or 6 bits with two bits above the sign
 * that are ignored. A code x of 8 bits is a NaN if (x ^ nan_flip) & nan_mask is above `largest`, both as s8. With 6
 * bits there are no NaNs.
 */
struct small_float {
    u8 bits;
    u8 nan_flip, nan_mask;
    s8 largest;
    u8 nan; /* the canonical NaN */
};

/* Sets byte i of `truth` to 1 if the outcome of comparing a[i] with b[i] is one of `outcomes` (enum outcome), else to
 * 0. `truth` may be exactly a or b. If `scalar` is set, b is one element, which `truth` may overlap. */
typedef void small_compare_fn(const struct small_float *f, unsigned outcomes, bool scalar, const void *a,
                              const void *b, void *truth, size_t n);

/* Sets dst[i] to the maximum or minimum of a[i] and b[i]. `what` is MAXMIN_MAX or MAXMIN_MIN, ORed with
 * PTO_PROPAGATE_NAN or 0. The operands may overlap as in small_compare_fn. */
typedef void small_extreme_fn(const struct small_float *f, unsigned what, bool scalar, const void *a,
                              const void *b, void *dst, size_t n);

#define CODES_EXPORTS(ISA, isa, attribute)                                                                   \
    extern const struct classify_table pto_classify_##isa attribute;                                         \
    small_compare_fn pto_small_compare_##isa attribute;                                                      \
    small_extreme_fn pto_small_extreme_##isa attribute;
EVERY_ISA(CODES_EXPORTS)
#undef CODES_EXPORTS

#endif
