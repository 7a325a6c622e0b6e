/* SPDX-License-Identifier: MIT */
/* Block scaling: quantization, requantization and dequantization of tensors. */
#include "pto/block.h"

#include "core/check.h"
#include "core/fpenv.h"
#include "core/scaling.h"
#include "core/types.h"
#include "dispatch/dispatch.h"

const char *pto_block_rule_name(pto_block_rule rule) {
    return (unsigned)rule < BLOCK_RULE_COUNT ? pto_block_rules[rule].name : "?";
}

/* ---- what is legal ---- */

/* Whether the rule takes the element type. op.rule must be valid. */
static bool types_fit(pto_block_op op) {
    const struct block_rule *rule = &pto_block_rules[op.rule];
    if (rule->e4m3_only) return op.elem == PTO_E4M3;
    switch (rule->family) {
    case FAMILY_NV: return op.elem == PTO_E2M1;
    case FAMILY_FP8: return op.elem == PTO_E4M3 || op.elem == PTO_E5M2;
    default: return true;
    }
}

static bool second_level_fits(pto_block_op op) {
    const struct block_rule *rule = &pto_block_rules[op.rule];
    if (op.two_level && rule->level == LEVEL_NONE) return false;
    if (op.two_level) return true;
    /* -0 is accepted as eps; a NaN is rejected. */
    return rule->takes_eps ? op.tensor >= 0.0F : op.tensor == 0.0F;
}

static bool block_fits(pto_block_op op) {
    return op.elem != PTO_E2M1 || op.block_cols % 2 == 0 || op.block_cols == 1;
}

pto_status pto_block_check(pto_block_op op) {
    fp_state saved;
    bool fits;
    if (!is_tensor_type(op.wide) || !cvt_is_small(op.elem)) return PTO_ERR_TYPE;
    if ((unsigned)op.rule >= BLOCK_RULE_COUNT) return PTO_ERR_MODIFIER;
    if (!types_fit(op)) return PTO_ERR_TYPE;
    if (op.round != PTO_RN && op.round != PTO_RS) return PTO_ERR_MODIFIER;
    if (op.pow2 && !pto_block_rules[op.rule].takes_pow2) return PTO_ERR_MODIFIER;
    saved = fp_enter(FP_IEEE); /* comparing a NaN raises a flag */
    fits = second_level_fits(op);
    fp_leave(saved);
    return fits && block_fits(op) ? PTO_OK : PTO_ERR_MODIFIER;
}

/* ---- the second-level value of a tensor ---- */

static const float nv_max_product = 2688.0F; /* MAX of e4m3 times that of e2m1 */

static float canonical(float x) {
    return x != x ? float_of_bits(F32_CANONICAL_NAN) : x;
}

static bool is_finite(float x) {
    return (bits_of_float(x) & F32_INFINITY) != F32_INFINITY;
}

/* compressed-tensors uses 1 if the quotient is infinite or a NaN, for example because all elements are 0. */
static float nv_divisor(pto_block_rule rule, float amax) {
    const float g = canonical(nv_max_product / amax);
    return rule == PTO_NV_CT && !is_finite(g) ? 1.0F : g;
}

pto_status pto_block_tensor(pto_block_rule rule, float amax, float *tensor) {
    fp_state saved;
    if (tensor == NULL) return PTO_ERR_NULL;
    if ((unsigned)rule >= BLOCK_RULE_COUNT || pto_block_rules[rule].level == LEVEL_NONE)
        return PTO_ERR_MODIFIER;
    saved = fp_enter(FP_IEEE);
    switch (pto_block_rules[rule].level) {
    case LEVEL_A: *tensor = canonical(amax); break;
    case LEVEL_MULTIPLIER: *tensor = canonical(amax / nv_max_product); break;
    default: *tensor = nv_divisor(rule, amax); break;
    }
    fp_leave(saved);
    return PTO_OK;
}

/* ---- preparation of an op, in the state FP_IEEE ---- */

/* Sets the fields that depend on the element type. The table has MAX and f32(1 / MAX). */
static void set_elem(struct scaling *s, pto_dtype elem) {
    static const u32 bits[BLOCK_ELEM_TYPES][2] = {{0x43e00000, 0x3b124925},
                                                  {0x47600000, 0x37924925},
                                                  {0x40f00000, 0x3e088889},
                                                  {0x41e00000, 0x3d124925},
                                                  {0x40c00000, RCP_6}};
    s->elem = elem;
    s->max = float_of_bits(bits[elem_index(elem)][0]);
    s->rcp = float_of_bits(bits[elem_index(elem)][1]);
    s->emax = (int)(bits[elem_index(elem)][0] >> 23) - 127;
    s->product_limit = float_of_bits((bits[elem_index(elem)][0] & F32_INFINITY) + (1U << 23));
    s->fraction_bits = s->rule == PTO_MX_EVEN1 ? 1 : cvt_format_of(elem).fraction_bits;
}

static void set_level(struct scaling *s, pto_block_op op) {
    const float largest = float_of_bits(F32_LARGEST);
    float e = 1.0F;
    s->level = s->scale_operand = s->factor_operand = op.two_level ? op.tensor : 1.0F;
    switch (op.rule) {
    case PTO_NV_TE:
        if (op.two_level) e = nv_max_product / op.tensor;
        if (!(e <= largest)) e = largest; /* also if e is a NaN */
        if (op.two_level && op.tensor == 0.0F) e = 1.0F;
        if (e == 0.0F) e = 1.0F;
        s->scale_operand = e * float_of_bits(RCP_6);
        s->factor_operand = 1.0F / e;
        break;
    case PTO_NV_RCP:
    case PTO_NV_AO: s->factor_operand = 1.0F / s->level; break;
    case PTO_NV_MODELOPT: s->scale_operand = 6.0F * s->level; break;
    default: break;
    }
}

/* Sets the fields that depend on the tensor's type. The table has the largest value and the distance from 1 to the next
 * larger value. */
static void set_tensor_type(struct scaling *s, pto_dtype type) {
    static const u32 bits[BLOCK_TENSOR_TYPES][2] = {
        {0x477fe000, 0x3a800000}, {0x7f7f0000, 0x3c000000}, {F32_LARGEST, 0x34000000}};
    s->type = type;
    s->type_max = float_of_bits(bits[tensor_type_index(type)][0]);
    s->zero_block_scale = float_of_bits(bits[tensor_type_index(type)][1]);
}

static struct scaling prepare(pto_block_op op) {
    const struct block_rule *rule = &pto_block_rules[op.rule];
    struct scaling s = {.rule = op.rule,
                        .scale_op = (enum scale_op)rule->scale_op,
                        .propagates_nan = rule->propagates_nan,
                        .pow2 = op.pow2,
                        .two_level = op.two_level,
                        .eps = rule->takes_eps ? op.tensor : 0.0F};
    set_tensor_type(&s, op.wide);
    set_elem(&s, op.elem);
    set_level(&s, op);
    return s;
}

/* ---- operands ---- */

/* A matrix in memory: `rows` rows of `row_bytes` bytes, `stride` bytes apart. */
struct matrix {
    u8 *at;
    size_t rows, row_bytes, stride;
};

/* Sets *p; a stride of 0 means row_bytes. Returns false if the stride is too short or the matrix is too large. */
static bool set_matrix(struct matrix *p, const void *at, size_t rows, size_t row_bytes, size_t stride) {
    p->at = (u8 *)at;
    p->rows = rows;
    p->row_bytes = row_bytes;
    p->stride = stride != 0 ? stride : row_bytes;
    if (p->stride < row_bytes) return false;
    return rows == 0 || row_bytes == 0 || rows - 1 <= (SIZE_MAX / 2 - row_bytes) / p->stride;
}

static struct operand operand_matrix(const struct matrix *p) {
    const size_t bytes = p->rows == 0 ? 0 : (p->rows - 1) * p->stride + p->row_bytes;
    const struct operand o = {(uintptr_t)p->at, p->row_bytes == 0 ? 0 : bytes, 8};
    return o;
}

static u8 *row_of(const struct matrix *p, size_t row) {
    return p->at + row * p->stride;
}

static size_t ceil_div(size_t n, size_t by) {
    return n / by + (n % by != 0);
}

/* Returns the block size in a dimension of `all` elements. A block size of 0 means the whole dimension, at least 1. */
static size_t block_or_all(size_t block, size_t all) {
    return block != 0 ? block : all != 0 ? all : 1;
}

static size_t codes_bytes(pto_dtype elem, size_t cols) {
    return elem == PTO_E2M1 ? ceil_div(cols, 2) : cols;
}

static size_t bytes_of_scale(pto_block_rule rule) {
    return pto_block_rules[rule].family == FAMILY_FP8 ? sizeof(float) : 1;
}

/* Returns the sizes of the codes and scales of a legal op. */
static pto_block_size size_of(pto_block_op op, size_t rows, size_t cols) {
    const pto_block_size size = {codes_bytes(op.elem, cols),
                                 ceil_div(rows, block_or_all(op.block_rows, rows)),
                                 ceil_div(cols, block_or_all(op.block_cols, cols)), bytes_of_scale(op.rule)};
    return size;
}

static bool too_large(size_t rows, size_t cols) {
    return cols > MAX_LANES || (cols != 0 && rows > MAX_LANES / cols);
}

pto_status pto_block_sizes(pto_block_op op, size_t rows, size_t cols, pto_block_size *size) {
    pto_status status;
    if (size == NULL) return PTO_ERR_NULL;
    status = pto_block_check(op);
    if (status != PTO_OK) return status;
    if (too_large(rows, cols)) return PTO_ERR_SIZE;
    *size = size_of(op, rows, cols);
    return PTO_OK;
}

/* ---- a call ---- */

enum direction { QUANTIZE, REQUANTIZE, DEQUANTIZE };

/* A call with its operands: the tensor x, its codes and scales, and the random words of PTO_RS. */
struct call {
    const struct scaling_kernels *k;
    const struct scaling_extras *extras; /* or NULL */
    const struct scaling *s;
    enum direction direction;
    size_t rows, cols, block_rows, block_cols, scale_bytes;
    struct matrix x, codes, scales, words;
    const struct cvt_kernel *convert; /* for products (.rs) or codes; NULL to quantize to nearest even */
    pto_cvt_op conversion;
    struct scaling_results *results; /* table for dequantization, or NULL */
};

enum { WORD_ELEMENTS = 4 }; /* elements that share a random word */

/* Returns the bytes of n codes. With e2m1, n may be odd only at the end of a row. */
static size_t elem_bytes(const struct call *c, size_t n) {
    return codes_bytes(c->s->elem, n);
}

static size_t tensor_bytes(const struct call *c, size_t n) {
    return n * (c->s->type == PTO_F32 ? 4 : 2);
}

/* ---- conversions in two passes, through stack buffers ----
 *
 * Functions with large buffers are NOINLINE. If several were inlined into one function, gcc would give each buffer its
 * own stack space, and a call would exceed a small stack. */

enum { CHUNK = 512, CHUNK_DEQUANTIZE = 1024, PADDING = CVT_MAX_GRANULE };

/* A chunk of n elements of a row, from element `at` on: whole blocks, or a part of one block. */
struct chunk {
    size_t at, n, block; /* block: elements of a block, or at least n for a part of one */
    size_t first;        /* number of its first block */
};

/* Advances *k to the next chunk of at most `most` elements in a row of `all` elements. k->n is 0 after the end. */
static void next_chunk(const struct call *c, size_t most, size_t all, struct chunk *k) {
    const size_t block = c->block_cols, at = k->at + k->n, left = block - at % block;
    const bool whole = left == block && block <= most;
    k->at = at;
    k->n = min_size(all - at, whole ? most / block * block : min_size(left, most));
    k->block = whole ? block : most;
    k->first = at / block;
}

/* Rounds n products to codes by .rs. `lead` padding products precede them, so that they are aligned to the random
 * words. */
static void round_stochastically(const struct call *c, float *products, size_t lead, size_t n,
                                 const u8 *words, u8 *codes) {
    const size_t used = lead + n, whole = ceil_div(used, PADDING) * PADDING;
    u32 random[(CHUNK + 2 * PADDING) / WORD_ELEMENTS] = {0};
    u8 some[CHUNK + 2 * PADDING];
    memcpy(random, words, ceil_div(used, WORD_ELEMENTS) * sizeof random[0]);
    memset(products + used, 0, (whole - used) * sizeof products[0]);
    c->convert->run(&c->conversion, products, some, random, whole);
    if (c->s->elem == PTO_E2M1 && used % 2 != 0) some[used / 2] &= 0xf;
    memcpy(codes, some + elem_bytes(c, lead), elem_bytes(c, n));
}

/* Quantizes n elements of a row by .rs, from column `col` on, where a block begins. */
static NOINLINE void quantize_stochastically(const struct call *c, const u8 *x, const float *factors,
                                             u8 *codes, const u8 *words, size_t col, size_t n) {
    float products[CHUNK + 2 * PADDING];
    struct chunk k = {0};
    for (next_chunk(c, CHUNK, n, &k); k.n != 0; next_chunk(c, CHUNK, n, &k)) {
        const size_t lead = (col + k.at) % WORD_ELEMENTS;
        memset(products, 0, lead * sizeof products[0]);
        c->k->scaled_products(c->s, x + tensor_bytes(c, k.at), factors + k.first, k.block, products + lead,
                              k.n);
        round_stochastically(c, products, lead, k.n, words + (col + k.at) / WORD_ELEMENTS * sizeof(u32),
                             codes + elem_bytes(c, k.at));
    }
}

/* Converts codes to f16: whole granules directly, the rest through a copy. */
static void codes_to_f16(const struct call *c, const u8 *codes, u16 *halves, size_t n) {
    const size_t rest = n & (c->convert->granule - 1U), whole = n - rest;
    u8 last[CVT_MAX_GRANULE] = {0};
    if (whole != 0) c->convert->run(&c->conversion, codes, halves, NULL, whole);
    if (rest == 0) return;
    memcpy(last, codes + elem_bytes(c, whole), elem_bytes(c, rest));
    c->convert->run(&c->conversion, last, halves + whole, NULL, c->convert->granule);
}

/* Repeats each byte `block` times, until n bytes are written. */
static ALWAYS_INLINE void repeat_bytes(const u8 *bytes, size_t block, u8 *each, size_t n) {
    for (size_t i = 0; i < n; i += block) memset(each + i, *bytes++, block);
}

/* Writes a scale for each element of a chunk, whose last block may be incomplete. */
static void repeat_scales(const struct chunk *k, const u8 *scales, u8 each[CHUNK_DEQUANTIZE + PADDING]) {
    const size_t whole = k->n / k->block * k->block;
    if (k->block == 1) {
        memcpy(each, scales, k->n);
        return;
    }
    if (k->block == 32) /* a constant size, so memset() is inlined */
        repeat_bytes(scales, 32, each, whole);
    else
        repeat_bytes(scales, k->block, each, whole);
    if (whole < k->n) memset(each + whole, scales[whole / k->block], k->n - whole);
}

/* Dequantizes to bf16 by conversions that apply power-of-two scales. */
static NOINLINE void dequantize_scaled(const struct call *c, const u8 *codes, const u8 *scales, u8 *y,
                                       size_t n) {
    u8 each[CHUNK_DEQUANTIZE + PADDING], last[CVT_MAX_GRANULE] = {0}, last_scales[CVT_MAX_GRANULE];
    u16 last_y[CVT_MAX_GRANULE];
    struct chunk k = {0};
    for (next_chunk(c, CHUNK_DEQUANTIZE, n, &k); k.n != 0; next_chunk(c, CHUNK_DEQUANTIZE, n, &k)) {
        const size_t rest = k.n & (c->convert->granule - 1U), whole = k.n - rest;
        const u8 *from = codes + elem_bytes(c, k.at);
        u8 *to = y + tensor_bytes(c, k.at);
        repeat_scales(&k, scales + k.first, each);
        if (whole != 0) c->convert->run(&c->conversion, from, to, each, whole);
        if (rest == 0) continue;
        memcpy(last, from + elem_bytes(c, whole), elem_bytes(c, rest));
        memset(last_scales, UE8M0_BIAS, sizeof last_scales); /* kernels may be slow with other values */
        memcpy(last_scales, each + whole, rest);
        c->convert->run(&c->conversion, last, last_y, last_scales, c->convert->granule);
        memcpy(to + tensor_bytes(c, whole), last_y, tensor_bytes(c, rest));
    }
}

static NOINLINE void dequantize_via_f16(const struct call *c, const u8 *codes, const float *factors, u8 *y,
                                        size_t n) {
    u16 halves[CHUNK_DEQUANTIZE + PADDING];
    struct chunk k = {0};
    for (next_chunk(c, CHUNK_DEQUANTIZE, n, &k); k.n != 0; next_chunk(c, CHUNK_DEQUANTIZE, n, &k)) {
        codes_to_f16(c, codes + elem_bytes(c, k.at), halves, k.n);
        c->k->dequantize_f16(c->s, halves, factors + k.first, k.block, y + tensor_bytes(c, k.at), k.n);
    }
}

/* ---- tiles: adjacent blocks, as many as stay in a cache between the two passes over them ---- */

enum {
    TILE_ELEMENTS = 4096, /* with blocks of one row: stays in the L1 cache */
    TILE_BYTES = 4 << 20, /* with blocks of several rows: stays in the last-level cache */
    TILE_ELEMENTS_DEQUANTIZE = 4 * TILE_ELEMENTS,
    BLOCK_PADDING = 16,
    RESULT_ROWS = sizeof(((struct scaling_results *)0)->bytes) / ROW_BYTES
};

struct tile {
    size_t row, rows, col, cols, blocks;
    bool in_range, tabulated;
    float factors[SCALING_BLOCKS + BLOCK_PADDING];
};

/* Whether results are looked up by scale, or in a row for each block. Both are false if there is no table. */
static bool looks_up_by_scale(const struct call *c) {
    return c->results != NULL && c->s->elem == PTO_E2M1;
}

static bool looks_up_by_row(const struct call *c) {
    return c->results != NULL && c->s->elem != PTO_E2M1;
}

/* Returns how many blocks `elements` elements contain, but at least 1. */
static size_t blocks_in(const struct call *c, size_t elements) {
    return c->block_cols < elements ? elements / c->block_cols : 1;
}

/* Returns the number of blocks in a tile if blocks have several rows. Such blocks are read twice. Reading rows in short
 * pieces is slow, because CPUs prefetch only contiguous memory. Quantizing 64 MiB in 128 x 128 blocks takes 1.3 to 1.6
 * times as long in pieces of 2 KiB as in whole rows. So a tile has all blocks of a row, or an equal share of them if
 * they take more than TILE_BYTES. */
static size_t blocks_of_band(const struct call *c) {
    const size_t all = ceil_div(c->cols, c->block_cols), rows = min_size(c->block_rows, c->rows);
    const size_t bytes = rows * tensor_bytes(c, c->cols);
    const size_t tiles = ceil_div(bytes, TILE_BYTES), fewest = ceil_div(all, SCALING_BLOCKS);
    return ceil_div(all, tiles > fewest ? tiles : fewest);
}

/* Returns the number of blocks in a tile. Two e2m1 elements share a byte, so a tile of one-column blocks must have an
 * even number of columns. For all types it is a multiple of BLOCK_PADDING. */
static size_t blocks_of_tile(const struct call *c) {
    size_t blocks;
    if (c->direction == DEQUANTIZE) /* elements are read only once */
        blocks = min_size(blocks_in(c, TILE_ELEMENTS_DEQUANTIZE),
                          looks_up_by_row(c) ? RESULT_ROWS : SCALING_BLOCKS);
    else
        blocks =
            c->block_rows == 1 ? min_size(blocks_in(c, TILE_ELEMENTS), SCALING_BLOCKS) : blocks_of_band(c);
    return c->block_cols == 1 ? ceil_div(blocks, BLOCK_PADDING) * BLOCK_PADDING : blocks;
}

_Static_assert(SCALING_BLOCKS % BLOCK_PADDING == 0 && RESULT_ROWS % BLOCK_PADDING == 0,
               "tiles have room for whole ones");

static u8 *x_at(const struct call *c, const struct tile *t, size_t row) {
    return row_of(&c->x, row) + tensor_bytes(c, t->col);
}

static u8 *codes_at(const struct call *c, const struct tile *t, size_t row) {
    return row_of(&c->codes, row) + elem_bytes(c, t->col);
}

static u8 *scales_at(const struct call *c, const struct tile *t) {
    return row_of(&c->scales, t->row / c->block_rows) + t->col / c->block_cols * c->scale_bytes;
}

static void look_up_scales(const struct call *c, const struct tile *t, const u8 *codes, u8 *y) {
    look_up_fn *const run = c->extras != NULL ? c->extras->look_up : c->k->look_up;
    run(c->s, codes, scales_at(c, t), c->results, c->block_cols, y, t->cols);
}

static void look_up(const struct call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (looks_up_by_row(c))
        c->extras->look_up_rows(c->s, codes, c->results->bytes, c->block_cols, y, t->cols);
    else
        look_up_scales(c, t, codes, y);
}

static void dequantize_pow2(const struct call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (c->extras == NULL ||
        !c->extras->dequantize_pow2(c->s, codes, scales_at(c, t), c->block_cols, y, t->cols))
        dequantize_scaled(c, codes, scales_at(c, t), y, t->cols);
}

static void dequantize_row(const struct call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (t->in_range && c->extras != NULL &&
        c->extras->dequantize_codes(c->s, codes, t->factors, c->block_cols, y, t->cols))
        return;
    if (!t->in_range || c->k->dequantize_codes == NULL ||
        !c->k->dequantize_codes(c->s, codes, t->factors, c->block_cols, y, t->cols))
        dequantize_via_f16(c, codes, t->factors, y, t->cols);
}

/* Computes the scales and factors of a tile from the largest magnitudes of its blocks. A tile has at least one row. */
static NOINLINE void compute_scales(const struct call *c, struct tile *t) {
    u32 maxima[SCALING_BLOCKS + BLOCK_PADDING] = {0};
    bool without_nan = true;
    size_t r = 0;
    do without_nan &= !c->k->amax(c->s, x_at(c, t, t->row + r), t->cols, c->block_cols, maxima);
    while (++r < t->rows);
    t->in_range = c->k->scales(c->s, maxima, t->blocks, scales_at(c, t), t->factors) && without_nan;
}

/* From this many elements of a block on, it pays to compute the block's 128 possible results first. */
enum { LONG_BLOCK = 2048 };

static bool is_long(const struct call *c, size_t rows) {
    return c->block_cols >= LONG_BLOCK / min_size(rows, c->block_rows);
}

static bool can_look_up_rows(const struct call *c) {
    return c->direction == DEQUANTIZE && c->s->elem != PTO_E2M1 && c->s->type != PTO_F32 &&
           c->extras != NULL && c->conversion.scale == PTO_SCALE_NONE && is_long(c, c->rows);
}

/* Fills the table of results for one-byte codes, using the general dequantization kernel. */
static NOINLINE void fill_result_rows(const struct call *c, const struct tile *t) {
    struct scaling unstreamed = *c->s;
    u8 codes[CODES_PER_ROW];
    u16 halves[CODES_PER_ROW + PADDING], results[CODES_PER_ROW];
    unstreamed.stream = false;
    for (size_t k = 0; k < CODES_PER_ROW; ++k) codes[k] = (u8)k;
    codes_to_f16(c, codes, halves, CODES_PER_ROW);
    for (size_t k = 0; k < t->blocks; ++k) {
        c->k->dequantize_f16(&unstreamed, halves, t->factors + k, CODES_PER_ROW, (u8 *)results,
                             CODES_PER_ROW);
        c->extras->arrange_row(results, c->results->bytes + k * ROW_BYTES);
    }
}

static void compute_factors(const struct call *c, struct tile *t) {
    t->in_range = false;
    t->tabulated = looks_up_by_scale(c) && c->k->tabulate(c->s, scales_at(c, t), t->blocks, c->results);
    if (t->tabulated || c->conversion.scale != PTO_SCALE_NONE) return; /* both use the scales, not factors */
    switch (c->direction) {
    case QUANTIZE: compute_scales(c, t); break;
    case REQUANTIZE: c->k->factors(c->s, scales_at(c, t), t->blocks, t->factors); break;
    default:
        t->in_range = c->k->dequantize_factors(c->s, scales_at(c, t), t->blocks, t->factors);
        t->tabulated =
            looks_up_by_row(c) && t->in_range && is_long(c, t->rows); /* the last tile may have few rows */
        if (t->tabulated) fill_result_rows(c, t);
        break;
    }
}

/* Whether the tensor is small enough for quantize_in_range. On a larger one this loop was slower, although it is
 * shorter: see docs/bench/README.md. */
static bool fits_caches(const struct call *c) {
    return c->rows * c->x.row_bytes < STREAM_BYTES;
}

/* Quantizes a row of a tile, rounding to nearest even. The elements that quantize_in_range does not convert begin at a
 * block, or are all within one block. */
static void quantize_row(const struct call *c, const struct tile *t, const u8 *x, u8 *codes) {
    const size_t block = c->block_cols;
    size_t done = 0;
    if (t->in_range && c->extras != NULL && c->extras->quantize_in_range != NULL && fits_caches(c))
        done = c->extras->quantize_in_range(c->s, x, t->factors, block, codes, t->cols);
    if (done < t->cols)
        c->k->quantize(c->s, t->in_range, x + done * tensor_elem_bytes(c->s->type), t->factors + done / block,
                       block, codes + elem_bytes(c, done), t->cols - done);
}

static void convert_row(const struct call *c, const struct tile *t, size_t row) {
    u8 *x = x_at(c, t, row), *codes = codes_at(c, t, row);
    if (t->tabulated)
        look_up(c, t, codes, x);
    else if (c->conversion.scale != PTO_SCALE_NONE)
        dequantize_pow2(c, t, codes, x);
    else if (c->direction == DEQUANTIZE)
        dequantize_row(c, t, codes, x);
    else if (c->convert == NULL)
        quantize_row(c, t, x, codes);
    else
        quantize_stochastically(c, x, t->factors, codes, row_of(&c->words, row), t->col, t->cols);
}

static bool can_look_up(const struct call *c) {
    return c->direction == DEQUANTIZE && c->s->elem == PTO_E2M1 && c->scale_bytes == 1 &&
           c->block_cols % RESULTS_PER_SCALE == 0 && c->k->look_up != NULL;
}

static bool should_stream(const struct call *c) {
    return c->direction == DEQUANTIZE && c->rows * c->x.row_bytes >= STREAM_BYTES;
}

static size_t cols_of_tile(const struct call *c) {
    return blocks_of_tile(c) * c->block_cols;
}

static size_t bytes_to_next_tile(const struct call *c) {
    const size_t cols = cols_of_tile(c);
    if (cols < c->cols) return tensor_bytes(c, cols);
    return c->rows > c->block_rows ? c->x.stride * c->block_rows : 0;
}

static NOINLINE void run_tiles(const struct call *c) {
    const size_t cols = cols_of_tile(c);
    struct tile t;
    for (t.row = 0; t.row < c->rows; t.row += t.rows) {
        t.rows = min_size(c->rows - t.row, c->block_rows);
        for (t.col = 0; t.col < c->cols; t.col += t.cols) {
            t.cols = min_size(c->cols - t.col, cols);
            t.blocks = ceil_div(t.cols, c->block_cols);
            compute_factors(c, &t);
            for (size_t r = 0; r < t.rows; ++r) convert_row(c, &t, t.row + r);
        }
    }
}

/* Runs with a table of results. A separate function, so that other calls do not need stack space for the table. */
static NOINLINE void run_tiles_by_results(struct call *c) {
    struct scaling_results results;
    results.first = results.end = 0;
    c->results = &results;
    run_tiles(c);
    c->results = NULL;
}

/* ---- preparation of calls ---- */

static bool is_dense(const struct matrix *p) {
    return p->stride == p->row_bytes;
}

/* Joins contiguous rows to a single one, if blocks have one row and divide the rows evenly. */
static void join_rows(struct call *c) {
    const bool whole = c->block_rows == 1 && c->cols % c->block_cols == 0;
    const bool bytes = c->s->elem != PTO_E2M1 || c->cols % 2 == 0;
    if (!whole || !bytes || c->words.at != NULL) return;
    if (!is_dense(&c->x) || !is_dense(&c->codes) || !is_dense(&c->scales)) return;
    c->cols *= c->rows;
    c->rows = 1;
}

/* Whether this backend applies power-of-two scales in the conversion to bf16 itself. */
static bool converts_with_scales(const struct call *c) {
    return c->extras != NULL || c->k->dequantize_codes == NULL;
}

static void set_conversion(struct call *c, const struct pto_kernels *k, pto_block_op op) {
    const bool dequantizes = c->direction == DEQUANTIZE;
    c->convert = NULL;
    if (!dequantizes && op.round != PTO_RS) return;
    if (!dequantizes)
        c->conversion = (pto_cvt_op){.dst = op.elem, .src = PTO_F32, .round = PTO_RS, .satfinite = true};
    else if (pto_block_rules[op.rule].family == FAMILY_MX && op.wide == PTO_BF16 && converts_with_scales(c))
        c->conversion = (pto_cvt_op){.dst = PTO_BF16, .src = op.elem, .round = PTO_RN, .scale = PTO_SCALE_N2};
    else
        c->conversion = (pto_cvt_op){.dst = PTO_F16, .src = op.elem, .round = PTO_RN};
    c->convert = pto_cvt_kernel(k, c->conversion);
}

/* A matrix as the caller gives it. */
struct matrix_arg {
    const void *at;
    size_t stride;
};

/* Sets the sizes and matrices of the call. Returns false if a matrix is too large or a stride too short. */
static bool set_operands(struct call *c, pto_block_op op, struct matrix_arg x, struct matrix_arg codes,
                         struct matrix_arg scales, const uint32_t *words) {
    const pto_block_size size = size_of(op, c->rows, c->cols);
    c->block_rows = block_or_all(op.block_rows, c->rows);
    c->block_cols = min_size(block_or_all(op.block_cols, c->cols), block_or_all(c->cols + c->cols % 2, 1));
    c->scale_bytes = size.scale_bytes;
    return set_matrix(&c->x, x.at, c->rows, c->cols * (op.wide == PTO_F32 ? 4 : 2), x.stride) &&
           set_matrix(&c->codes, codes.at, c->rows, size.row_bytes, codes.stride) &&
           set_matrix(&c->scales, scales.at, size.scale_rows, size.scale_cols * size.scale_bytes,
                      scales.stride) &&
           set_matrix(&c->words, words, words != NULL ? c->rows : 0,
                      ceil_div(c->cols, WORD_ELEMENTS) * sizeof *words, 0);
}

/* Whether no operand that is written overlaps another operand. */
static bool outputs_disjoint(const struct call *c) {
    const struct operand x = operand_matrix(&c->x), codes = operand_matrix(&c->codes),
                         scales = operand_matrix(&c->scales), words = operand_matrix(&c->words);
    if (c->direction == DEQUANTIZE) return disjoint(x, codes) && disjoint(x, scales);
    if (!disjoint(codes, x) || !disjoint(codes, scales) || !disjoint(codes, words)) return false;
    return c->direction == REQUANTIZE || (disjoint(scales, x) && disjoint(scales, words));
}

static pto_status run(enum direction direction, pto_block_op op, size_t rows, size_t cols,
                      struct matrix_arg x, struct matrix_arg codes, struct matrix_arg scales,
                      const uint32_t *words) {
    const bool random = direction != DEQUANTIZE && op.round == PTO_RS, empty = rows == 0 || cols == 0;
    const struct pto_kernels *k;
    struct scaling s;
    struct call c = {.s = &s, .direction = direction, .rows = rows, .cols = cols};
    fp_state saved;
    pto_status status;
    if (!empty && (x.at == NULL || codes.at == NULL || scales.at == NULL || (random && words == NULL)))
        return PTO_ERR_NULL;
    status = pto_block_check(op);
    if (status != PTO_OK) return status;
    if (!random && words != NULL) return PTO_ERR_MODIFIER;
    if (too_large(rows, cols) || !set_operands(&c, op, x, codes, scales, words)) return PTO_ERR_SIZE;
    if (empty) return PTO_OK;
    if (!outputs_disjoint(&c)) return PTO_ERR_OVERLAP;
    k = pto_active_kernels();
    c.k = pto_scaling_kernels(k);
    c.extras = pto_scaling_extras(k);
    set_conversion(&c, k, op);
    saved = fp_enter(FP_IEEE);
    s = prepare(op);
    join_rows(&c);
    s.prefetch_distance = bytes_to_next_tile(&c);
    s.stream = should_stream(&c);
    if (can_look_up(&c) || can_look_up_rows(&c))
        run_tiles_by_results(&c);
    else
        run_tiles(&c);
    if (s.stream) c.k->fence();
    fp_leave(saved);
    return PTO_OK;
}

pto_status pto_block_quantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                              void *codes, size_t codes_stride, void *scales, size_t scales_stride,
                              const uint32_t *rbits) {
    return run(QUANTIZE, op, rows, cols, (struct matrix_arg){x, stride},
               (struct matrix_arg){codes, codes_stride}, (struct matrix_arg){scales, scales_stride}, rbits);
}

pto_status pto_block_requantize(pto_block_op op, const void *x, size_t stride, size_t rows, size_t cols,
                                void *codes, size_t codes_stride, const void *scales, size_t scales_stride,
                                const uint32_t *rbits) {
    return run(REQUANTIZE, op, rows, cols, (struct matrix_arg){x, stride},
               (struct matrix_arg){codes, codes_stride}, (struct matrix_arg){scales, scales_stride}, rbits);
}

pto_status pto_block_dequantize(pto_block_op op, const void *codes, size_t codes_stride, const void *scales,
                                size_t scales_stride, size_t rows, size_t cols, void *y, size_t stride) {
    return run(DEQUANTIZE, op, rows, cols, (struct matrix_arg){y, stride},
               (struct matrix_arg){codes, codes_stride}, (struct matrix_arg){scales, scales_stride}, NULL);
}

/* ---- the largest magnitude of a tensor ---- */

static float f32_of_magnitude(pto_dtype wide, u32 magnitude) {
    const pto_cvt_op op = {.dst = PTO_F32, .src = wide};
    float x = float_of_bits(F32_CANONICAL_NAN);
    if (magnitude > cvt_inf_code(cvt_format_of(wide))) return x;
    if (wide == PTO_F32) return float_of_bits(magnitude);
    pto_cvt_scalar(op)->run(&op, &magnitude, &x, NULL, 1);
    return x;
}

pto_status pto_block_amax(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                          bool keep_nan, float *amax) {
    const struct scaling s = {.type = wide, .propagates_nan = keep_nan};
    u32 maxima[1 + BLOCK_PADDING] = {0};
    const struct scaling_kernels *k;
    struct matrix p;
    float largest;
    if (amax == NULL || (rows != 0 && cols != 0 && x == NULL)) return PTO_ERR_NULL;
    if (!is_tensor_type(wide)) return PTO_ERR_TYPE;
    if (too_large(rows, cols) || !set_matrix(&p, x, rows, cols * (wide == PTO_F32 ? 4 : 2), stride))
        return PTO_ERR_SIZE;
    if (rows != 0 && cols != 0 && !disjoint(operand_matrix(&p), operand_array(amax, 32, 1)))
        return PTO_ERR_OVERLAP;
    k = pto_scaling_kernels(pto_active_kernels());
    if (is_dense(&p)) {
        cols *= rows;
        rows = rows != 0;
    }
    for (size_t r = 0; r < rows && cols != 0; ++r) k->amax(&s, row_of(&p, r), cols, cols, maxima);
    largest = f32_of_magnitude(wide, maxima[0]);
    memcpy(amax, &largest, sizeof largest); /* amax need not be aligned either */
    return PTO_OK;
}
