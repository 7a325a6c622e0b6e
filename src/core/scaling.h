/* SPDX-License-Identifier: MIT */
/* Block scaling: what its rules are, and what a backend brings for them. */
#ifndef PTO_CORE_SCALING_H
#define PTO_CORE_SCALING_H

#include "core/formats.h"
#include "core/isas.h"
#include "pto/block.h"

/* The scales: ue8m0 for MX, e4m3 for NV, f32 for FP8. */
enum block_family { FAMILY_MX, FAMILY_NV, FAMILY_FP8 };

/* A tensor's own number: none, its largest magnitude A, or A / 2688 or 2688 / A. */
enum block_level { LEVEL_NONE, LEVEL_A, LEVEL_MULTIPLIER, LEVEL_DIVISOR };

/* What an element is multiplied with or divided by; CAST: the quotient is rounded to the type of the tensor before
 * it is to that of the elements. */
enum block_step { STEP_TIMES, STEP_OVER, STEP_OVER_CAST, BLOCK_STEPS };

struct block_rule {
    const char *name;
    u8 family, level, step;
    bool keeps_nan;  /* one in a block makes its amax one; else they are passed over */
    bool takes_pow2; /* and what else it takes */
    bool takes_eps;
    bool e4m3_alone;
};

enum { PTO_BLOCK_RULES = PTO_FP8_CT + 1 };
extern const struct block_rule pto_block_rules[PTO_BLOCK_RULES];

/* The types of a tensor, and of elements. */
enum { BLOCK_WIDES = 3, BLOCK_ELEMS = PTO_E2M1 - PTO_E4M3 + 1 };

static inline bool is_wide(pto_dtype t) {
    return t == PTO_F16 || t == PTO_BF16 || t == PTO_F32;
}

static ALWAYS_INLINE size_t bytes_of_wide(pto_dtype wide) {
    return wide == PTO_F32 ? 4 : 2;
}

/* As indices. */
static ALWAYS_INLINE size_t wide_index(pto_dtype wide) {
    return (size_t)(wide - PTO_F16);
}

static ALWAYS_INLINE size_t elem_index(pto_dtype elem) {
    return (size_t)(elem - PTO_E4M3);
}

_Static_assert(PTO_BF16 == PTO_F16 + 1 && PTO_F32 == PTO_F16 + 2, "the types of a tensor in a row");

static ALWAYS_INLINE float float_of_bits(u32 bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static ALWAYS_INLINE u32 bits_of_float(float x) {
    u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Bits of f32. */
enum {
    F32_INFINITY = 0x7f800000,
    F32_LARGEST = 0x7f7fffff,
    F32_CANONICAL_NAN = 0x7fffffff,
    F32_FRACTION_MASK = 0x007fffff,
    F32_TINIEST_SCALE = 0x00400000, /* 2^-127, the least of ue8m0 */
    RCP_6 = 0x3e2aaaab,             /* f32(1 / 6) */
    RCP_2688 = 0x39c30c31           /* f32(1 / 2688) */
};

#define TAME_FACTOR 0x1p64F

/* The number of f32 that a scale of NV has for a block of zeros, as a code of e4m3. */
enum { CT_ZERO_SCALE = 0x20 };

/* An op made ready. Without a second level its numbers are 1, which changes no bit. */
struct scaling {
    pto_dtype wide, elem;
    pto_block_rule rule;
    enum block_step step;
    bool keeps_nan, pow2, two_level;
    int emax, digits; /* of MAX the exponent; digits behind the point, of EVEN1 one */
    float max, rcp;   /* MAX, f32(1 / MAX) */
    float eps;
    float level;  /* A, s2 or g */
    float up;     /* NV: what a block's scale is computed with: k, g, s2, 6 * s2 or g */
    float down;   /* and its elements: 1 / e, 1 / g, 1 / s2, s2 or g */
    float top;    /* FP8_TE: the largest number of the tensor's type */
    float least;  /* FP8_CT: the scale of zeros */
    float tame;   /* 2^(emax + 1) */
    bool streams; /* expanded elements go past the caches, where they can */
    size_t ahead; /* from an element to the one that the next tile has in its place, in bytes */
};

/*
 * Kernels. Maxima are magnitude codes of the tensor's type. Blocks are of `block` elements; the last of a call may have
 * fewer. A factor is what the elements of a block are multiplied with, or divided by. Arrays of maxima, factors and
 * products are aligned, and have room for a whole vector behind the last. With e2m1 `block` is 1, even, or not less
 * than n. All of it in the state FP_IEEE.
 */

enum {
    SCALING_BLOCKS = 256, /* of one call at most, so that arrays of them fit a small stack */
    RESULTS_OF_SCALE = 16
};

/* maxima[k] becomes the larger of itself and the largest magnitude of block k of x. Returns whether NaNs were passed
 * over. */
typedef bool fold_fn(const struct scaling *s, const u8 *x, size_t n, size_t block, u32 *maxima);

/* From maxima the scales, as they are stored, and the factors. Returns whether the blocks, if no NaN was passed over,
 * are known to be tame: none of their products is a NaN, or reaches s->tame. */
typedef bool scales_fn(const struct scaling *s, const u32 *maxima, size_t count, u8 *scales, float *factors);

/* From scales the factors. */
typedef void factors_fn(const struct scaling *s, const u8 *scales, size_t count, float *factors);

/* The same of the way back, which are S. Returns whether all are known to be tame: at least 0, and
 * below TAME_FACTOR. */
typedef bool back_fn(const struct scaling *s, const u8 *scales, size_t count, float *factors);

/* Elements to codes, to nearest even. tame: all blocks are known to be that. */
typedef void shrink_fn(const struct scaling *s, bool tame, const u8 *x, const float *factors, size_t block,
                       u8 *codes, size_t n);

/* Codes, as the f16 that hold them all, times their factors. */
typedef void expand_fn(const struct scaling *s, const u16 *halves, const float *factors, size_t block, u8 *y,
                       size_t n);

/* The same from the codes, with tame factors. Returns false, and nothing is done, where codes are no numbers. */
typedef bool expand_codes_fn(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                             u8 *y, size_t n);

/* The 16 results of e2m1 for each scale from `first` to before `end`, in an order of the backend's own: of scales that
 * are bytes. Scale k lies at k % results_held(). Or, of codes of a byte, the rows of a tile, which are described below. */
enum { RESULT_BYTES = 4096 };

struct scaling_results {
    _Alignas(64) u8 of[RESULT_BYTES];
    size_t first, end;
};

/* How many neighbouring scales there is memory for: all numbers of e4m3 but the negative ones for types of 2 bytes, 8
 * powers of two for f32. */
static ALWAYS_INLINE size_t results_held(pto_dtype wide) {
    return RESULT_BYTES / (RESULTS_OF_SCALE * bytes_of_wide(wide));
}

/* Adds the results of these scales. Returns false if that costs more than it saves, or if there is no memory for all of
 * them; then nothing is to be looked up. */
typedef bool tabulate_fn(const struct scaling *s, const u8 *scales, size_t count,
                         struct scaling_results *results);

/* Codes of e2m1 become their results; `block` is a multiple of 16. */
typedef void look_up_fn(const struct scaling *s, const u8 *codes, const u8 *scales,
                        const struct scaling_results *results, size_t block, u8 *y, size_t n);

/* What codes of a byte become with one tame factor, 2 bytes each: a row, in an order of the backend's own. */
enum { CODES_OF_ROW = 128, ROW_BYTES = 2 * CODES_OF_ROW };

/* From the results of codes 0 to 127 their row. */
typedef void arrange_row_fn(const u16 *results, u8 *row);

/* Codes become their results, each block's by a row of its own. */
typedef void look_up_rows_fn(const struct scaling *s, const u8 *codes, const u8 *rows, size_t block, u8 *y,
                             size_t n);

/* Codes of a byte to bf16, with scales that are powers of two. Returns false where there are numbers, or a size of
 * blocks, that it does not do; then y is to be written anew. */
typedef bool expand_powers_fn(const struct scaling *s, const u8 *codes, const u8 *scales, size_t block, u8 *y,
                              size_t n);

/* What shrink rounds to codes, for another rounding. */
typedef void product_fn(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                        float *products, size_t n);

/* After the last loop of a call that streams. */
typedef void finish_fn(void);

struct scaling_kernels {
    fold_fn *fold;
    scales_fn *scales;
    factors_fn *factors;
    back_fn *back;
    shrink_fn *shrink;
    expand_fn *expand;
    expand_codes_fn *expand_codes; /* or NULL */
    tabulate_fn *tabulate;         /* and both of these two */
    look_up_fn *look_up;
    product_fn *product;
    finish_fn *finish;
};

/* What shrink does with tame blocks. Returns how many elements it did, from the first, a multiple of 64: none where it
 * does not do it. */
typedef size_t shrink_tame_fn(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                              u8 *codes, size_t n);

/* What a CPU with more than the backend's instructions has besides. The second of them is for codes of a byte to f32 in
 * that way, too. */
struct scaling_extras {
    look_up_fn *look_up;
    expand_codes_fn *expand_codes;
    expand_powers_fn *expand_powers;
    arrange_row_fn *arrange_row;
    look_up_rows_fn *look_up_rows;
    shrink_tame_fn *shrink_tame; /* or NULL */
};

const struct scaling_extras *pto_scaling_avx512_vbmi(bool of_128);

#define SCALING_EXPORTS(ISA, isa, attribute) const struct scaling_kernels *pto_scaling_##isa(void) attribute;
EVERY_ISA(SCALING_EXPORTS)
#undef SCALING_EXPORTS

#endif
