/* SPDX-License-Identifier: MIT */
/* Conversion of codes and scales between separate arrays and the layouts that store both together. */
#include "pto/block.h"

#include "core/check.h"

enum { PACK_LAYOUTS = PTO_PACK_TT_TILE4 + 1, TILE = 32, FACE = 16 };

/* The largest size of an object in memory. */
#define MAX_BYTES (SIZE_MAX / 2)

/* The smallest part that a layout stores together: its rows and columns, the bytes of codes and of scales in each of
 * its rows, and its bytes in the layout. */
static const struct unit {
    size_t rows, cols, code_bytes, scale_bytes, bytes;
} units[PACK_LAYOUTS] = {[PTO_PACK_GGUF_MXFP4] = {1, 32, 16, 1, 17},
                         [PTO_PACK_GGUF_NVFP4] = {1, 64, 32, 4, 36},
                         [PTO_PACK_TT_TILE] = {TILE, TILE, 32, 2, 64 + 1024},
                         [PTO_PACK_TT_TILE4] = {TILE, TILE, 16, 2, 64 + 512}};

/* A matrix of codes or scales, `stride` bytes from row to row. `bytes` is the size of all rows with their gaps. */
struct bytes_of_rows {
    u8 *at;
    size_t stride, bytes;
};

/* The operands of a call. */
struct pack_call {
    pto_pack_layout layout;
    size_t units_down, units_across;
    struct bytes_of_rows codes, scales;
    u8 *packed;
    size_t packed_bytes;
};

size_t pto_block_pack_bytes(pto_pack_layout layout, size_t rows, size_t cols) {
    size_t down, across;
    if ((unsigned)layout >= PACK_LAYOUTS) return 0;
    if (rows % units[layout].rows != 0 || cols % units[layout].cols != 0) return 0;
    down = rows / units[layout].rows;
    across = cols / units[layout].cols;
    if (down == 0 || across == 0) return 0;
    return down > MAX_BYTES / units[layout].bytes / across ? 0 : down * across * units[layout].bytes;
}

/* ---- checks ---- */

/* Sets the stride to row_bytes if it is 0. Returns false if the stride is shorter than a row, or if the rows span more
 * than MAX_BYTES. */
static bool set_extent(struct bytes_of_rows *m, size_t rows, size_t row_bytes) {
    if (m->stride == 0) m->stride = row_bytes;
    if (m->stride < row_bytes || row_bytes > MAX_BYTES) return false;
    if (rows == 0 || row_bytes == 0) return true;
    if (rows - 1 > (MAX_BYTES - row_bytes) / m->stride) return false;
    m->bytes = (rows - 1) * m->stride + row_bytes;
    return true;
}

/* Checks the operands of a call and completes *c. If the status is PTO_OK and packed_bytes is 0, there is nothing to
 * copy. */
static pto_status check(struct pack_call *c, size_t rows, size_t cols, bool unpack) {
    const bool empty = rows == 0 || cols == 0;
    const struct unit *u;
    struct operand codes, scales, packed;
    if (!empty && (c->codes.at == NULL || c->scales.at == NULL || c->packed == NULL)) return PTO_ERR_NULL;
    if ((unsigned)c->layout >= PACK_LAYOUTS) return PTO_ERR_MODIFIER;
    u = &units[c->layout];
    if (rows % u->rows != 0 || cols % u->cols != 0) return PTO_ERR_SIZE;
    c->units_down = rows / u->rows;
    c->units_across = cols / u->cols;
    if (!set_extent(&c->codes, rows, c->units_across * u->code_bytes)) return PTO_ERR_SIZE;
    if (!set_extent(&c->scales, rows, c->units_across * u->scale_bytes)) return PTO_ERR_SIZE;
    if (empty) return PTO_OK;
    c->packed_bytes = pto_block_pack_bytes(c->layout, rows, cols);
    if (c->packed_bytes == 0) return PTO_ERR_SIZE;
    codes = operand_array(c->codes.at, 8, c->codes.bytes);
    scales = operand_array(c->scales.at, 8, c->scales.bytes);
    packed = operand_array(c->packed, 8, c->packed_bytes);
    if (!disjoint(packed, codes) || !disjoint(packed, scales)) return PTO_ERR_OVERLAP;
    return unpack && !disjoint(codes, scales) ? PTO_ERR_OVERLAP : PTO_OK;
}

/* ---- GGUF: rows of units ---- */

typedef u8 bytes_16 __attribute__((vector_size(16)));
typedef u64 words_16 __attribute__((vector_size(16)));

#define LOW_NIBBLES 0x0f0f0f0f0f0f0f0fULL
#define LOW_WORD    0xffffffffULL

/* Returns the bytes of x at even positions, and those of y at odd ones. */
static ALWAYS_INLINE bytes_16 interleaved(u64 x, u64 y) {
    const bytes_16 even = (bytes_16)(words_16){x}, odd = (bytes_16)(words_16){y};
    return __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/* The inverse of interleaved(). Each shuffle has 16 result bytes, because x86-64 has instructions for them. */
static ALWAYS_INLINE void separate(bytes_16 pairs, u64 *x, u64 *y) {
    const bytes_16 even =
        __builtin_shufflevector(pairs, pairs, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const bytes_16 odd =
        __builtin_shufflevector(pairs, pairs, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    *x = ((words_16)even)[0];
    *y = ((words_16)odd)[0];
}

/* Packs 16 codes of `low` and 16 of `high`: byte j of the result has code j of `low` in the low nibble and code j of
 * `high` in the high nibble. */
static ALWAYS_INLINE bytes_16 pair_codes(u64 low, u64 high) {
    const u64 even = (low & LOW_NIBBLES) | (high & LOW_NIBBLES) << 4;
    const u64 odd = (low >> 4 & LOW_NIBBLES) | (high & ~LOW_NIBBLES);
    return interleaved(even, odd);
}

/* The inverse of pair_codes(). */
static ALWAYS_INLINE void part_codes(bytes_16 pairs, u64 *low, u64 *high) {
    u64 even, odd;
    separate(pairs, &even, &odd);
    *low = (even & LOW_NIBBLES) | (odd & LOW_NIBBLES) << 4;
    *high = (even >> 4 & LOW_NIBBLES) | (odd & ~LOW_NIBBLES);
}

/* Exchanges the upper word of *x with the lower word of *y. */
static ALWAYS_INLINE void exchange_words(u64 *x, u64 *y) {
    const u64 upper = *x >> 32;
    *x = (*x & LOW_WORD) | *y << 32;
    *y = upper | (*y & ~LOW_WORD);
}

/* Copies the units of one row. Each unit has `scale_bytes` scales and then `code_bytes` bytes of codes. These are in
 * groups of 16 bytes, or of 8 if `in_eights`. A byte has one code of the first half of its group and one of the
 * second. */
static ALWAYS_INLINE void pack_row(const u8 *codes, const u8 *scales, u8 *to, size_t count, struct unit u,
                                   bool in_eights) {
    for (size_t i = 0; i < count; ++i, codes += u.code_bytes, scales += u.scale_bytes, to += u.bytes) {
        memcpy(to, scales, u.scale_bytes);
        UNROLL
        for (size_t k = 0; k < u.code_bytes; k += 16) {
            u64 low = load64(codes + k), high = load64(codes + k + 8);
            bytes_16 pairs;
            if (in_eights) exchange_words(&low, &high);
            pairs = pair_codes(low, high);
            memcpy(to + u.scale_bytes + k, &pairs, sizeof pairs);
        }
    }
}

/* The inverse of pack_row(). */
static ALWAYS_INLINE void unpack_row(u8 *codes, u8 *scales, const u8 *from, size_t count, struct unit u,
                                     bool in_eights) {
    for (size_t i = 0; i < count; ++i, codes += u.code_bytes, scales += u.scale_bytes, from += u.bytes) {
        memcpy(scales, from, u.scale_bytes);
        UNROLL
        for (size_t k = 0; k < u.code_bytes; k += 16) {
            bytes_16 pairs;
            u64 low, high;
            memcpy(&pairs, from + u.scale_bytes + k, sizeof pairs);
            part_codes(pairs, &low, &high);
            if (in_eights) exchange_words(&low, &high);
            store64(codes + k, low);
            store64(codes + k + 8, high);
        }
    }
}

static void copy_gguf(const struct pack_call *c, bool unpack) {
    const struct unit mx = units[PTO_PACK_GGUF_MXFP4], nv = units[PTO_PACK_GGUF_NVFP4];
    for (size_t r = 0; r < c->units_down; ++r) {
        u8 *codes = c->codes.at + r * c->codes.stride, *scales = c->scales.at + r * c->scales.stride;
        u8 *packed = c->packed + r * c->units_across * units[c->layout].bytes;
        if (c->layout == PTO_PACK_GGUF_MXFP4 && unpack)
            unpack_row(codes, scales, packed, c->units_across, mx, false);
        else if (c->layout == PTO_PACK_GGUF_MXFP4)
            pack_row(codes, scales, packed, c->units_across, mx, false);
        else if (unpack)
            unpack_row(codes, scales, packed, c->units_across, nv, true);
        else
            pack_row(codes, scales, packed, c->units_across, nv, true);
    }
}

/* ---- Tenstorrent: tiles of four faces ---- */

/* Copies one tile. Its exponents precede its codes, and both run over the faces and over the rows of each face. */
static ALWAYS_INLINE void copy_tile(u8 *codes, size_t codes_stride, u8 *scales, size_t scales_stride,
                                    u8 *packed, size_t code_bytes, bool unpack) {
    for (size_t i = 0; i < (size_t)2 * TILE; ++i) {
        const size_t face = i / FACE, row = face / 2 * FACE + i % FACE, side = face % 2;
        u8 *scale = scales + row * scales_stride + side;
        u8 *from = codes + row * codes_stride + side * code_bytes;
        u8 *to = packed + (size_t)2 * TILE + i * code_bytes;
        if (unpack) {
            *scale = packed[i];
            memcpy(from, to, code_bytes);
        } else {
            packed[i] = *scale;
            memcpy(to, from, code_bytes);
        }
    }
}

static void copy_tiles(const struct pack_call *c, bool unpack) {
    const struct unit *u = &units[c->layout];
    for (size_t r = 0; r < c->units_down; ++r) {
        u8 *codes = c->codes.at + r * TILE * c->codes.stride;
        u8 *scales = c->scales.at + r * TILE * c->scales.stride;
        u8 *packed = c->packed + r * c->units_across * u->bytes;
        for (size_t t = 0; t < c->units_across; ++t) {
            u8 *from = codes + t * u->code_bytes, *by = scales + t * u->scale_bytes,
               *to = packed + t * u->bytes;
            if (c->layout == PTO_PACK_TT_TILE)
                copy_tile(from, c->codes.stride, by, c->scales.stride, to, FACE, unpack);
            else
                copy_tile(from, c->codes.stride, by, c->scales.stride, to, FACE / 2, unpack);
        }
    }
}

/* ---- the calls ---- */

static pto_status run(struct pack_call *c, size_t rows, size_t cols, bool unpack) {
    const pto_status status = check(c, rows, cols, unpack);
    if (status != PTO_OK || c->packed_bytes == 0) return status;
    if (units[c->layout].rows == 1)
        copy_gguf(c, unpack);
    else
        copy_tiles(c, unpack);
    return PTO_OK;
}

pto_status pto_block_pack(pto_pack_layout layout, const void *codes, size_t codes_stride, const void *scales,
                          size_t scales_stride, size_t rows, size_t cols, void *out) {
    struct pack_call c = {.layout = layout,
                          .codes = {(u8 *)codes, codes_stride, 0},
                          .scales = {(u8 *)scales, scales_stride, 0},
                          .packed = out};
    return run(&c, rows, cols, false);
}

pto_status pto_block_unpack(pto_pack_layout layout, const void *packed, size_t rows, size_t cols, void *codes,
                            size_t codes_stride, void *scales, size_t scales_stride) {
    struct pack_call c = {.layout = layout,
                          .codes = {codes, codes_stride, 0},
                          .scales = {scales, scales_stride, 0},
                          .packed = (u8 *)packed};
    return run(&c, rows, cols, true);
}
