/* SPDX-License-Identifier: MIT */
/* Block scaling: runs the kernels over the tiles of a tensor. */
#include "calls/block_call.h"

#include "core/check.h"
#include "dispatch/dispatch.h"

/* ---- conversions in two passes, through stack buffers ----
 *
 * Functions with large buffers are NOINLINE. If several were inlined into one function, gcc would give each buffer its
 * own stack space, and a call would exceed a small stack. */

enum { CHUNK = 512, CHUNK_DEQUANTIZE = 1024, PADDING = CVT_MAX_GRANULE };

/* A chunk of n elements of a row, from element `at` on: whole blocks, or a part of one block. */
struct chunk {
    size_t at, n, block; /* block: elements of a block, or at least n for a part of one */
    size_t first;        /* index of its first block in the row */
};

/* Advances *k to the next chunk of at most `most` elements in a row of `all` elements. k->n is 0 after the end. */
static void next_chunk(const struct block_call *c, size_t most, size_t all, struct chunk *k) {
    const size_t block = c->block_cols, at = k->at + k->n, left = block - at % block;
    const bool whole = left == block && block <= most;
    k->at = at;
    k->n = min_size(all - at, whole ? most / block * block : min_size(left, most));
    k->block = whole ? block : most;
    k->first = at / block;
}

/* Rounds n products to codes by .rs. The first random word serves four elements, of which the first `lead` are not part
 * of the chunk. So `products` begins with `lead` padding products. */
static void round_stochastically(const struct block_call *c, float *products, size_t lead, size_t n,
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
static NOINLINE void quantize_stochastically(const struct block_call *c, const u8 *x, const float *factors,
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

static bool is_bfp(const struct block_call *c) {
    return pto_block_rules[c->s->rule].family == FAMILY_BFP;
}

/* Converts n codes of block floating point to f16, with the magnitudes as integers. Writes an even number of
 * results. */
static void bfp_to_f16(pto_dtype elem, const u8 *codes, u16 *halves, size_t n) {
    static const u16 nibbles[] = {0,      0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700,
                                  0x8000, 0xbc00, 0xc000, 0xc200, 0xc400, 0xc500, 0xc600, 0xc700};
    if (elem == PTO_BFP4) {
        for (size_t i = 0; i < n; i += 2) {
            halves[i] = nibbles[codes[i / 2] & 0xf];
            halves[i + 1] = nibbles[codes[i / 2] >> 4];
        }
        return;
    }
    for (size_t i = 0; i < n; ++i) { /* in f32, f16 and this type the sign is the upper bit */
        const u32 m = codes[i] & 0x7fU, bits = bits_of_float((float)(s32)m) - ((u32)112 << 23);
        halves[i] = (u16)((m != 0 ? bits >> 13 : 0) | (codes[i] & 0x80U) << 8);
    }
}

/* Returns the value of the magnitude 1 in a block of `bits` magnitude bits with this exponent field. */
static float bfp_unit(unsigned bits, u8 block_field) {
    const int field = block_field + 1 - (int)bits;
    return float_of_bits(field >= 1 ? (u32)field << 23 : (u32)1 << (22 + field));
}

/* Converts n codes to f16. Whole granules are converted directly, the rest from a padded copy. */
static void codes_to_f16(const struct block_call *c, const u8 *codes, u16 *halves, size_t n) {
    size_t rest, whole;
    u8 last[CVT_MAX_GRANULE] = {0};
    if (is_bfp(c)) {
        bfp_to_f16(c->s->elem, codes, halves, n);
        return;
    }
    rest = n & (c->convert->granule - 1U);
    whole = n - rest;
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
static NOINLINE void dequantize_scaled(const struct block_call *c, const u8 *codes, const u8 *scales, u8 *y,
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
        memset(last_scales, UE8M0_BIAS, sizeof last_scales); /* scales of 1: arbitrary bytes may be slow */
        memcpy(last_scales, each + whole, rest);
        c->convert->run(&c->conversion, last, last_y, last_scales, c->convert->granule);
        memcpy(to + tensor_bytes(c, whole), last_y, tensor_bytes(c, rest));
    }
}

static NOINLINE void dequantize_via_f16(const struct block_call *c, const u8 *codes, const float *factors,
                                        u8 *y, size_t n) {
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
    RESULT_ROWS = sizeof(((struct scaling_results *)0)->bytes) / ROW_BYTES
};

struct tile {
    size_t row, rows, col, cols, blocks;
    bool in_range, tabulated;
    float factors[SCALING_BLOCKS + BLOCK_PADDING];
};

/* Returns whether there is a table of results with a row for each scale. */
static bool looks_up_by_scale(const struct block_call *c) {
    return c->results != NULL && c->s->elem == PTO_E2M1;
}

static bool looks_up_by_row(const struct block_call *c) {
    return c->results != NULL && c->s->elem != PTO_E2M1;
}

/* Returns how many blocks `elements` elements contain, but at least 1. */
static size_t blocks_in(const struct block_call *c, size_t elements) {
    return c->block_cols < elements ? elements / c->block_cols : 1;
}

/* Returns the number of blocks in a tile if blocks have several rows. Each of the two passes reads such a tile row by
 * row. Reading rows in short pieces is slow, because CPUs prefetch only contiguous memory. Quantizing 64 MiB in 128 x
 * 128 blocks takes 1.3 to 1.6 times as long in pieces of 2 KiB as in whole rows. So a tile has all blocks of a row, or
 * an equal share of them if they take more than TILE_BYTES. */
static size_t blocks_of_band(const struct block_call *c) {
    const size_t all = ceil_div(c->cols, c->block_cols), rows = min_size(c->block_rows, c->rows);
    const size_t bytes = rows * tensor_bytes(c, c->cols);
    const size_t tiles = ceil_div(bytes, TILE_BYTES), fewest = ceil_div(all, SCALING_BLOCKS);
    return ceil_div(all, tiles > fewest ? tiles : fewest);
}

/* Returns the number of blocks in a tile. Two e2m1 elements share a byte, so a tile of one-column blocks must have an
 * even number of columns. So the number of one-column blocks is rounded up to a multiple of BLOCK_PADDING, which is
 * even, whatever the type. */
static size_t blocks_of_tile(const struct block_call *c) {
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
               "padded rows of blocks must fit the arrays of a tile");

static u8 *x_at(const struct block_call *c, const struct tile *t, size_t row) {
    return row_of(&c->x, row) + tensor_bytes(c, t->col);
}

static u8 *codes_at(const struct block_call *c, const struct tile *t, size_t row) {
    return row_of(&c->codes, row) + elem_bytes(c, t->col);
}

static u8 *scales_at(const struct block_call *c, const struct tile *t) {
    return row_of(&c->scales, t->row / c->block_rows) + t->col / c->block_cols * c->scale_bytes;
}

static void look_up_scales(const struct block_call *c, const struct tile *t, const u8 *codes, u8 *y) {
    look_up_fn *const run = c->extras != NULL ? c->extras->look_up : c->k->look_up;
    run(c->s, codes, scales_at(c, t), c->results, c->block_cols, y, t->cols);
}

static void look_up(const struct block_call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (looks_up_by_row(c))
        c->extras->look_up_rows(c->s, codes, c->results->bytes, c->block_cols, y, t->cols);
    else
        look_up_scales(c, t, codes, y);
}

static void dequantize_pow2(const struct block_call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (c->extras == NULL ||
        !c->extras->dequantize_pow2(c->s, codes, scales_at(c, t), c->block_cols, y, t->cols))
        dequantize_scaled(c, codes, scales_at(c, t), y, t->cols);
}

/* Dequantizes by one of the kernels that read codes, if one handles the case. Returns false if none does. */
static bool dequantize_codes(const struct block_call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (!t->in_range || c->s->elem == PTO_S2F6) return false;
    if (c->extras != NULL && c->extras->dequantize_codes(c->s, codes, t->factors, c->block_cols, y, t->cols))
        return true;
    return c->k->dequantize_codes != NULL &&
           c->k->dequantize_codes(c->s, codes, t->factors, c->block_cols, y, t->cols);
}

static void dequantize_row(const struct block_call *c, const struct tile *t, const u8 *codes, u8 *y) {
    if (!dequantize_codes(c, t, codes, y)) dequantize_via_f16(c, codes, t->factors, y, t->cols);
}

/* Computes the scales and factors of a tile from the largest magnitudes of its blocks. A tile has at least one row. */
static NOINLINE void compute_scales(const struct block_call *c, struct tile *t) {
    u32 maxima[SCALING_BLOCKS + BLOCK_PADDING] = {0};
    bool without_nan = true;
    size_t r = 0;
    do without_nan &= !c->k->amax(c->s, x_at(c, t, t->row + r), t->cols, c->block_cols, maxima);
    while (++r < t->rows);
    if (pto_block_rules[c->s->rule].choice != CHOICE_NONE) {
        const struct block_elements e = {x_at(c, t, t->row), c->x.stride, t->rows, t->cols, c->block_cols};
        t->in_range =
            c->k->choose_scales(c->s, &e, maxima, t->blocks, scales_at(c, t), t->factors) && without_nan;
        return;
    }
    t->in_range = c->k->scales(c->s, maxima, t->blocks, scales_at(c, t), t->factors) && without_nan;
}

/* A block with at least this many elements is dequantized faster if its 128 possible results are computed first. */
enum { LONG_BLOCK = 2048 };

static bool is_long(const struct block_call *c, size_t rows) {
    return c->block_cols >= LONG_BLOCK / min_size(rows, c->block_rows);
}

static bool can_look_up_rows(const struct block_call *c) {
    return c->direction == DEQUANTIZE && c->s->elem != PTO_E2M1 && c->s->elem != PTO_S2F6 && !is_bfp(c) &&
           c->s->type != PTO_F32 && c->extras != NULL && c->conversion.scale == PTO_SCALE_NONE &&
           is_long(c, c->rows);
}

/* Fills the table of results for one-byte codes, using the general dequantization kernel. */
static NOINLINE void fill_result_rows(const struct block_call *c, const struct tile *t) {
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

static void compute_factors(const struct block_call *c, struct tile *t) {
    t->in_range = t->tabulated = false;
    if (is_bfp(c)) {
        for (size_t k = 0; c->direction == DEQUANTIZE && k < t->blocks; ++k)
            t->factors[k] = bfp_unit(bfp_bits(c->s->elem), scales_at(c, t)[k]);
        return;
    }
    t->tabulated = looks_up_by_scale(c) && c->k->tabulate(c->s, scales_at(c, t), t->blocks, c->results);
    if (t->tabulated || c->conversion.scale != PTO_SCALE_NONE) return; /* both use scales and no factors */
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

/* Returns whether the tensor is small enough for quantize_in_range. On larger tensors that kernel was slower, although
 * its loop is shorter: see docs/bench/README.md. */
static bool fits_caches(const struct block_call *c) {
    return c->rows * c->x.row_bytes < STREAM_BYTES;
}

/* Quantizes a row of a tile, rounding to nearest even. quantize_in_range may leave elements at the end. They begin at a
 * block or are all within one block, so `quantize` can convert them. */
static void quantize_row(const struct block_call *c, const struct tile *t, const u8 *x, u8 *codes) {
    const size_t block = c->block_cols;
    size_t done = 0;
    if (t->in_range && c->extras != NULL && c->extras->quantize_in_range != NULL && fits_caches(c))
        done = c->extras->quantize_in_range(c->s, x, t->factors, block, codes, t->cols);
    if (done < t->cols)
        c->k->quantize(c->s, t->in_range, x + done * tensor_elem_bytes(c->s->type), t->factors + done / block,
                       block, codes + elem_bytes(c, done), t->cols - done);
}

/* Clears the codes of blocks whose factor is a NaN: see choose_scales_fn. */
static void clear_blocks(const struct block_call *c, const struct tile *t, u8 *codes) {
    for (size_t k = 0; k < t->blocks; ++k) {
        const size_t first = k * c->block_cols, end = min_size(first + c->block_cols, t->cols);
        if (t->factors[k] == t->factors[k]) continue;
        for (size_t i = first; i < end; ++i) codes[i / 2] &= i % 2 != 0 ? 0x0f : 0xf0;
    }
}

static void convert_row(const struct block_call *c, const struct tile *t, size_t row) {
    u8 *x = x_at(c, t, row), *codes = codes_at(c, t, row);
    if (t->tabulated)
        look_up(c, t, codes, x);
    else if (c->conversion.scale != PTO_SCALE_NONE)
        dequantize_pow2(c, t, codes, x);
    else if (c->direction == DEQUANTIZE)
        dequantize_row(c, t, codes, x);
    else if (is_bfp(c))
        c->k->quantize_bfp(c->s, x, scales_at(c, t), codes, t->cols);
    else if (c->convert == NULL) {
        quantize_row(c, t, x, codes);
        if (c->direction == QUANTIZE && pto_block_rules[c->s->rule].choice == CHOICE_FI)
            clear_blocks(c, t, codes);
    } else
        quantize_stochastically(c, x, t->factors, codes, row_of(&c->words, row), t->col, t->cols);
}

static bool can_look_up(const struct block_call *c) {
    return c->direction == DEQUANTIZE && c->s->elem == PTO_E2M1 && c->scale_bytes == 1 &&
           c->block_cols % RESULTS_PER_SCALE == 0 && c->k->look_up != NULL;
}

static bool should_stream(const struct block_call *c) {
    return c->direction == DEQUANTIZE && c->rows * c->x.row_bytes >= STREAM_BYTES;
}

static size_t cols_of_tile(const struct block_call *c) {
    return blocks_of_tile(c) * c->block_cols;
}

static size_t bytes_to_next_tile(const struct block_call *c) {
    const size_t cols = cols_of_tile(c);
    if (cols < c->cols) return tensor_bytes(c, cols);
    return c->rows > c->block_rows ? c->x.stride * c->block_rows : 0;
}

static NOINLINE void run_tiles(const struct block_call *c) {
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

/* Runs with a table of results. This is a separate function, so that other calls do not need stack space for the
 * table. */
static NOINLINE void run_tiles_by_results(struct block_call *c) {
    struct scaling_results results;
    results.first = results.end = 0;
    c->results = &results;
    run_tiles(c);
    c->results = NULL;
}

void pto_block_run_tiles(struct block_call *c, struct scaling *s) {
    s->prefetch_distance = bytes_to_next_tile(c);
    s->stream = should_stream(c);
    if (can_look_up(c) || can_look_up_rows(c))
        run_tiles_by_results(c);
    else
        run_tiles(c);
    if (s->stream) c->k->fence();
}
