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

/* Spreads the low 32 bits of x: byte i moves to byte 2i, and the other bytes are 0. */
static ALWAYS_INLINE u64 spread_bytes(u64 x) {
    x = (x | x << 16) & 0x0000ffff0000ffffULL;
    return (x | x << 8) & 0x00ff00ff00ff00ffULL;
}

/* Gathers the even bytes of x: the inverse of spread_bytes(). */
static ALWAYS_INLINE u64 gather_bytes(u64 x) {
    x &= 0x00ff00ff00ff00ffULL;
    x = (x | x >> 8) & 0x0000ffff0000ffffULL;
    return (x | x >> 16) & 0xffffffffU;
}

#define LOW_NIBBLES 0x0f0f0f0fU

/* Packs eight codes of `low` and eight of `high`, each in four bytes: byte j of the result has code j of `low` in the
 * low nibble and code j of `high` in the high nibble. */
static ALWAYS_INLINE u64 pair_codes(u32 low, u32 high) {
    const u32 even = (low & LOW_NIBBLES) | (high & LOW_NIBBLES) << 4;
    const u32 odd = (low >> 4 & LOW_NIBBLES) | (high & ~LOW_NIBBLES);
    return spread_bytes(even) | spread_bytes(odd) << 8;
}

/* The inverse of pair_codes(). */
static ALWAYS_INLINE void part_codes(u64 pairs, u32 *low, u32 *high) {
    const u32 even = (u32)gather_bytes(pairs), odd = (u32)gather_bytes(pairs >> 8);
    *low = (even & LOW_NIBBLES) | (odd & LOW_NIBBLES) << 4;
    *high = (even >> 4 & LOW_NIBBLES) | (odd & ~LOW_NIBBLES);
}

/* Copies the units of one row. Each unit has `scale_bytes` scales and then `code_bytes` bytes of codes, in groups of
 * 4 * `half` codes: a byte has one code of the first half of its group and one of the second. */
static ALWAYS_INLINE void pack_row(const u8 *codes, const u8 *scales, u8 *to, size_t count, struct unit u,
                                   size_t half) {
    for (size_t i = 0; i < count; ++i, codes += u.code_bytes, scales += u.scale_bytes, to += u.bytes) {
        memcpy(to, scales, u.scale_bytes);
        UNROLL
        for (size_t k = 0; k < u.code_bytes; k += 8) {
            const size_t low = k / (2 * half) * (2 * half) + k / 2 % half;
            store64(to + u.scale_bytes + k,
                    pair_codes((u32)load_bytes(codes + low, 4), (u32)load_bytes(codes + low + half, 4)));
        }
    }
}

/* The inverse of pack_row(). */
static ALWAYS_INLINE void unpack_row(u8 *codes, u8 *scales, const u8 *from, size_t count, struct unit u,
                                     size_t half) {
    for (size_t i = 0; i < count; ++i, codes += u.code_bytes, scales += u.scale_bytes, from += u.bytes) {
        memcpy(scales, from, u.scale_bytes);
        UNROLL
        for (size_t k = 0; k < u.code_bytes; k += 8) {
            const size_t at = k / (2 * half) * (2 * half) + k / 2 % half;
            u32 low, high;
            part_codes(load64(from + u.scale_bytes + k), &low, &high);
            store_bytes(codes + at, low, 4);
            store_bytes(codes + at + half, high, 4);
        }
    }
}

/* Half of a group of codes in bytes. A group is a block of 32 elements in MXFP4, and one of 16 in NVFP4. */
enum { MXFP4_HALF = 8, NVFP4_HALF = 4 };

static void copy_gguf(const struct pack_call *c, bool unpack) {
    const struct unit mx = units[PTO_PACK_GGUF_MXFP4], nv = units[PTO_PACK_GGUF_NVFP4];
    for (size_t r = 0; r < c->units_down; ++r) {
        u8 *codes = c->codes.at + r * c->codes.stride, *scales = c->scales.at + r * c->scales.stride;
        u8 *packed = c->packed + r * c->units_across * units[c->layout].bytes;
        if (c->layout == PTO_PACK_GGUF_MXFP4 && unpack)
            unpack_row(codes, scales, packed, c->units_across, mx, MXFP4_HALF);
        else if (c->layout == PTO_PACK_GGUF_MXFP4)
            pack_row(codes, scales, packed, c->units_across, mx, MXFP4_HALF);
        else if (unpack)
            unpack_row(codes, scales, packed, c->units_across, nv, NVFP4_HALF);
        else
            pack_row(codes, scales, packed, c->units_across, nv, NVFP4_HALF);
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
