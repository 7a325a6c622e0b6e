/* SPDX-License-Identifier: MIT */
/* Block scaling: the properties of its rules, and its kernel interface. */
#ifndef PTO_CORE_SCALING_H
#define PTO_CORE_SCALING_H

#include "core/formats.h"
#include "core/isas.h"
#include "pto/block.h"

/* The families of rules. Their scales are ue8m0 for MX, e4m3 or ue5m3 for NV, f32 for FP8, and exponent fields for BFP,
 * which has kernels of its own. */
enum block_family { FAMILY_MX, FAMILY_NV, FAMILY_FP8, FAMILY_BFP };

/* The second-level value of a tensor: none, its largest magnitude A, A / 2688, or 2688 / A. With a choice, 2688 is
 * replaced by 6 times `target`. */
enum block_level { LEVEL_NONE, LEVEL_A, LEVEL_MULTIPLIER, LEVEL_DIVISOR };

/* How a rule chooses between two scales of a block, of which one maps its largest element to 6 and the other to 4: by
 * the errors of Transformer Engine, FlashInfer, fast mathematics or ModelOpt. */
enum block_choice { CHOICE_NONE, CHOICE_TE, CHOICE_FI, CHOICE_FAST, CHOICE_MODELOPT };

/*
 * How an element is scaled: it is multiplied by the factor of its block, or divided by it.
 *
 *   SCALE_DIVIDE_CAST  the quotient is rounded to the tensor's type before it is rounded to the element type
 *   SCALE_CLAMP        the product is clamped to [-MAX, MAX], where a NaN becomes -MAX. For one-byte elements it is
 *   then
 *                      rounded to f16 before it is rounded to the element type
 *   SCALE_NEAREST      among the elements times the factor, the first one with the least distance is chosen (see
 *                      nearest_element() in scalar/scaling.c)
 */
enum scale_op { SCALE_MULTIPLY, SCALE_DIVIDE, SCALE_DIVIDE_CAST, SCALE_CLAMP, SCALE_NEAREST, SCALE_OPS };

/* Sets of element types. */
enum {
    ELEM_E4M3 =
        1 << 0, /* a bit for each of PTO_E4M3 and the types that follow it, and for the types of bfp */
    ELEM_E5M2 = 1 << (PTO_E5M2 - PTO_E4M3),
    ELEM_E2M3 = 1 << (PTO_E2M3 - PTO_E4M3),
    ELEM_E3M2 = 1 << (PTO_E3M2 - PTO_E4M3),
    ELEM_E2M1 = 1 << (PTO_E2M1 - PTO_E4M3),
    ELEM_S2F6 = 1 << (PTO_S2F6 - PTO_E4M3),
    ELEM_BFP8 = ELEM_S2F6 << 1,
    ELEM_BFP4 = ELEM_S2F6 << 2,
    ELEMS_FP8 = ELEM_E4M3 | ELEM_E5M2,
    ELEMS_FLOAT = ELEMS_FP8 | ELEM_E2M3 | ELEM_E3M2 | ELEM_E2M1
};

struct block_rule {
    const char *name; /* NULL if there is no rule with this value */
    u8 family, level, scale_op;
    u16 elems;
    bool propagates_nan; /* a NaN makes the block's amax a NaN; otherwise NaNs are skipped */
    bool takes_pow2;     /* the op may set pow2 */
    bool takes_eps;      /* the op may have an eps in `tensor` */
    bool takes_rs;       /* the op may round stochastically */
    bool ue5m3_scales;   /* scales are ue5m3; only for FAMILY_NV */
    bool squares;        /* with a choice: errors are squared, not absolute */
    u8 choice;           /* if not CHOICE_NONE, the op must have a second level */
    u8 most_rows;        /* with a choice: blocks have 1 or `most_rows` rows */
    u16 target;          /* with a choice: the largest scale of the tensor, 256 or 448 */
};

extern const struct block_rule pto_block_rules[PTO_BLOCK_RULE_LIMIT];

static inline bool is_block_rule(pto_block_rule rule) {
    return (unsigned)rule < PTO_BLOCK_RULE_LIMIT && pto_block_rules[rule].name != NULL;
}

/* BLOCK_TENSOR_TYPES is the number of tensor types. BLOCK_ELEM_TYPES is the size of tables that are indexed by the
 * element type. One of their entries, that of ue8m0, is not used. */
enum { BLOCK_TENSOR_TYPES = 3, BLOCK_ELEM_TYPES = PTO_S2F6 - PTO_E4M3 + 1 };

static inline bool is_tensor_type(pto_dtype t) {
    return t == PTO_F16 || t == PTO_BF16 || t == PTO_F32;
}

static ALWAYS_INLINE size_t tensor_elem_bytes(pto_dtype type) {
    return type == PTO_F32 ? 4 : 2;
}

/* Table indices of a tensor type and of an element type. */
static ALWAYS_INLINE size_t tensor_type_index(pto_dtype type) {
    return (size_t)(type - PTO_F16);
}

static ALWAYS_INLINE size_t elem_index(pto_dtype elem) {
    return (size_t)(elem - PTO_E4M3);
}

/* Returns whether any rule has this element type. */
static inline bool is_elem_type(pto_dtype t) {
    return cvt_is_small(t) || t == PTO_S2F6 || t == PTO_BFP8 || t == PTO_BFP4;
}

/* Returns the bit of an element type in the sets of element types. */
static inline unsigned elem_bit(pto_dtype elem) {
    return elem == PTO_BFP8 ? ELEM_BFP8 : elem == PTO_BFP4 ? ELEM_BFP4 : 1U << elem_index(elem);
}

/* Returns whether two elements share a byte. */
static ALWAYS_INLINE bool is_in_nibbles(pto_dtype elem) {
    return elem == PTO_E2M1 || elem == PTO_BFP4;
}

_Static_assert(PTO_BF16 == PTO_F16 + 1 && PTO_F32 == PTO_F16 + 2,
               "f16, bf16 and f32 must be consecutive, because tables are indexed by them");

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

/* Bits of f32 values. */
enum {
    F32_INFINITY = 0x7f800000,
    F32_LARGEST = 0x7f7fffff,
    F32_CANONICAL_NAN = 0x7fffffff,
    F32_FRACTION_MASK = 0x007fffff,
    F32_MIN_UE8M0 = 0x00400000, /* 2^-127, the smallest ue8m0 */
    RCP_6 = 0x3e2aaaab,         /* f32(1 / 6) */
    RCP_2688 = 0x39c30c31,      /* f32(1 / 2688) */
    RCP_1536 = 0x3a2aaaab       /* f32(1 / 1536) */
};

/* In dequantization, factors that are at least 0 and below this limit are in range (see dequantize_factors_fn). */
#define FACTOR_LIMIT 0x1p64F

/* The scale that PTO_NV_CT gives a block of zeros, as an e4m3 code: 1/8. */
enum { CT_ZERO_SCALE = 0x20 };

/* The scale before rounding, and the divisor of elements, that PTO_NV_QUARK uses instead of 0. */
#define QUARK_LEAST 0x1p-23F

/* PTO_MX_CANN6 and PTO_MX_CANN7 round the exponent up if the bf16 fraction, as an integer of 7 bits, plus this constant
 * has a carry: above 1.5 and above 1.75. */
enum { CANN6_ADDED = 0x3f, CANN7_ADDED = 0x1f };

/* Block floating point has blocks of this many elements of a row. */
enum { BFP_BLOCK = 16 };

/* Returns the magnitude bits of an element of block floating point. */
static ALWAYS_INLINE unsigned bfp_bits(pto_dtype elem) {
    return elem == PTO_BFP8 ? 7 : 3;
}

/* A pto_block_op prepared for the kernels. Without a second level, `level` is 1, which changes no result bit. */
struct scaling {
    pto_dtype type, elem;
    pto_block_rule rule;
    enum scale_op scale_op;
    bool propagates_nan, pow2, two_level;
    int emax, fraction_bits; /* exponent of MAX; fraction bits of an element, except that EVEN1 has 1 */
    float max, rcp;          /* MAX, f32(1 / MAX) */
    float eps;
    float level; /* the second-level value: A, s2 or g */
    /* Operands that the rules PTO_NV_TE, RCP, AO, MODELOPT and CT (in this order) use to compute a block's scale
     * (e * RCP_6, g, s2, 6 * s2, g) and its factor (1 / e, 1 / g, 1 / s2, s2, g). */
    float scale_operand;
    float factor_operand;
    float six_targets;      /* with a choice: 6 times `target` */
    float level_rcp;        /* f32(1 / 2688), or with a choice f32(1 / six_targets) */
    float fake_inverse;     /* NV_46_MODELOPT: 1 / k, where k is scale_operand */
    float level_sixth;      /* NV_46_MODELOPT: A / 6 */
    float type_max;         /* FP8_TE: the largest value of the tensor's type */
    float zero_block_scale; /* FP8_CT: the scale of a block of zeros; FP8_AO: 0 */
    float product_limit;    /* 2^(emax + 1); smaller products are in range */
    bool stream;            /* use non-temporal stores for dequantized elements, where the backend can */
    size_t
        prefetch_distance; /* distance in bytes from an element to the one at the same place in the next tile */
};

/*
 * The kernels below run in the state FP_IEEE. Each block has `block` elements; the last block of a call may have fewer.
 * With e2m1, `block` is 1, even, or at least n. Maxima are magnitude codes of the tensor's type. The elements of a
 * block are multiplied or divided by its factor. Arrays of maxima, factors and products are naturally aligned and have
 * space for a whole vector after the last entry.
 */

enum {
    SCALING_BLOCKS = 256,  /* at most this many blocks in a kernel call: factors must fit a small stack */
    RESULTS_PER_SCALE = 16 /* results of the e2m1 codes with one scale */
};

/* Raises maxima[k] to the largest magnitude of block k of x, if that is larger. Returns whether NaNs were skipped. */
typedef bool amax_fn(const struct scaling *s, const u8 *x, size_t n, size_t block, u32 *maxima);

/* Computes the scales, as they are stored, and the factors from the maxima. Returns whether all blocks are known to be
 * in range: no product is a NaN or reaches s->product_limit, or with SCALE_NEAREST, no magnitude is above 2^16 times
 * its factor, and these products are finite. This holds only if amax_fn skipped no NaN. */
typedef bool scales_fn(const struct scaling *s, const u32 *maxima, size_t count, u8 *scales, float *factors);

/* The elements of a tile of blocks: rows of n elements, which are `stride` bytes apart. */
struct block_elements {
    const u8 *x;
    size_t stride, rows, n, block;
};

enum { CHOICE_ROWS = 16 }; /* the most rows of a block by a rule with a choice */

/* Does the same as scales_fn by a rule with a choice. Factors are NaNs where all codes must be 0. */
typedef bool choose_scales_fn(const struct scaling *s, const struct block_elements *e, const u32 *maxima,
                              size_t count, u8 *scales, float *factors);

/* Computes the factors of quantization from given scales. */
typedef void factors_fn(const struct scaling *s, const u8 *scales, size_t count, float *factors);

/* Computes the factors of dequantization from scales: S in docs/block-scaling.md. Returns whether all are known to be
 * in range: at least 0 and below FACTOR_LIMIT. */
typedef bool dequantize_factors_fn(const struct scaling *s, const u8 *scales, size_t count, float *factors);

/* Quantizes elements to codes, rounding to nearest even. `in_range` means that all blocks are known to be in range. */
typedef void quantize_fn(const struct scaling *s, bool in_range, const u8 *x, const float *factors,
                         size_t block, u8 *codes, size_t n);

/* Dequantizes codes: multiplies them by their factors. The codes are given as f16, which represents each exactly. */
typedef void dequantize_f16_fn(const struct scaling *s, const u16 *halves, const float *factors, size_t block,
                               u8 *y, size_t n);

/* Does the same as dequantize_f16_fn, but reads the codes themselves. All factors must be in range. Returns false if
 * some code is not a finite value, or if the kernel does not handle the case; all of y must then be written again. */
typedef bool dequantize_codes_fn(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                                 u8 *y, size_t n);

/*
 * A table of dequantized results, in an order that depends on the backend. For e2m1 with one-byte scales it holds the
 * 16 results of each scale from `first` to before `end`; those of scale k are at index k % result_capacity(). For
 * one-byte codes it holds the rows of a tile (see CODES_PER_ROW).
 */
enum { RESULT_BYTES = 4096 };

struct scaling_results {
    _Alignas(64) u8 bytes[RESULT_BYTES];
    size_t first, end;
};

/* Returns how many consecutive scales the table can hold: 128 for two-byte types, which are all non-negative e4m3
 * codes, and 64 for f32, which span 8 powers of two. */
static ALWAYS_INLINE size_t result_capacity(pto_dtype type) {
    return RESULT_BYTES / (RESULTS_PER_SCALE * tensor_elem_bytes(type));
}

/* Adds the results of these scales to the table. Returns false if that would take longer than the table saves, or if
 * the table cannot hold the results of all these scales. The table must then not be used for them. */
typedef bool tabulate_fn(const struct scaling *s, const u8 *scales, size_t count,
                         struct scaling_results *results);

/* Dequantizes e2m1 codes by looking up their results. `block` is a multiple of 16. */
typedef void look_up_fn(const struct scaling *s, const u8 *codes, const u8 *scales,
                        const struct scaling_results *results, size_t block, u8 *y, size_t n);

/* A row holds the two-byte results that the one-byte codes 0 to 127 have with one factor, which is in range. Their
 * order depends on the backend. */
enum { CODES_PER_ROW = 128, ROW_BYTES = 2 * CODES_PER_ROW };

/* Arranges the results of codes 0 to 127 as a row. */
typedef void arrange_row_fn(const u16 *results, u8 *row);

/* Dequantizes one-byte codes by looking up their results. Each block has its own row. */
typedef void look_up_rows_fn(const struct scaling *s, const u8 *codes, const u8 *rows, size_t block, u8 *y,
                             size_t n);

/* Dequantizes one-byte codes to bf16 with scales that are powers of two. Returns false if it does not handle the block
 * size or some value; all of y must then be written again. */
typedef bool dequantize_pow2_fn(const struct scaling *s, const u8 *codes, const u8 *scales, size_t block,
                                u8 *y, size_t n);

/* Computes the products or quotients that quantize_fn would round to codes. Callers that round in another way use
 * it. */
typedef void scaled_products_fn(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                                float *products, size_t n);

/* Called after the last kernel of a call that uses non-temporal stores. */
typedef void fence_fn(void);

/* Quantizes n elements of a row to block floating point: stores one exponent field per BFP_BLOCK elements,
 * and codes. */
typedef void quantize_bfp_fn(const struct scaling *s, const u8 *x, u8 *fields, u8 *codes, size_t n);

struct scaling_kernels {
    amax_fn *amax;
    scales_fn *scales;
    choose_scales_fn *choose_scales;
    factors_fn *factors;
    dequantize_factors_fn *dequantize_factors;
    quantize_fn *quantize;
    dequantize_f16_fn *dequantize_f16;
    dequantize_codes_fn *dequantize_codes; /* or NULL */
    tabulate_fn *tabulate;                 /* or NULL, together with look_up */
    look_up_fn *look_up;
    scaled_products_fn *scaled_products;
    quantize_bfp_fn *quantize_bfp;
    fence_fn *fence;
};

/* Quantizes blocks that are in range, as quantize_fn does. It may convert only the first elements, and returns how
 * many: a multiple of 64, or 0 if it does not handle the case. */
typedef size_t quantize_in_range_fn(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                                    u8 *codes, size_t n);

/* Kernels for CPUs that have more instructions than the backend requires. dequantize_codes dequantizes one-byte codes
 * to bf16 and f32. */
struct scaling_extras {
    look_up_fn *look_up;
    dequantize_codes_fn *dequantize_codes;
    dequantize_pow2_fn *dequantize_pow2;
    arrange_row_fn *arrange_row;
    look_up_rows_fn *look_up_rows;
    quantize_in_range_fn *quantize_in_range; /* or NULL */
};

const struct scaling_extras *pto_scaling_avx512_vbmi(bool fast_128);

#define SCALING_EXPORTS(ISA, isa, attribute) const struct scaling_kernels *pto_scaling_##isa(void) attribute;
EVERY_ISA(SCALING_EXPORTS)
#undef SCALING_EXPORTS

#endif
