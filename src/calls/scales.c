/* SPDX-License-Identifier: MIT */
/* Conversion of block scales between rows and tiled layouts. */
#include "pto/block.h"

#include "core/check.h"

enum { LAYOUTS = PTO_SCALES_32X8 + 1 };

/* The largest size of an object in memory. */
#define MAX_BYTES (SIZE_MAX / 2)

/* The rows and columns of a tile. Incomplete tiles are padded. */
static const struct tiling {
    size_t rows, cols;
} tilings[LAYOUTS] = {[PTO_SCALES_ROWS] = {1, 1},
                      [PTO_SCALES_128X4] = {128, 4},
                      [PTO_SCALES_8X4] = {8, 4},
                      [PTO_SCALES_MN_X4] = {4, 4},
                      [PTO_SCALES_32X8] = {32, 8}};

/* A tiled matrix of scales. */
struct grid {
    pto_scale_layout layout;
    size_t cols, tiles_down, tiles_across;
};

static size_t tiles_of(size_t n, size_t to) {
    return n / to + (n % to != 0);
}

static struct grid grid_of(pto_scale_layout layout, size_t rows, size_t cols) {
    const struct tiling t = tilings[layout];
    const struct grid g = {layout, cols, tiles_of(rows, t.rows), tiles_of(cols, t.cols)};
    return g;
}

/* Returns the byte offset of the scale in row r and column c. */
static size_t place_of(const struct grid *g, size_t r, size_t c) {
    switch (g->layout) {
    case PTO_SCALES_128X4:
        return (r / 128 * g->tiles_across + c / 4) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + c % 4;
    case PTO_SCALES_8X4: return (r / 8 * g->tiles_across + c / 4) * 32 + r % 8 * 4 + c % 4;
    case PTO_SCALES_MN_X4: return (c / 4 * g->tiles_down * 4 + r) * 4 + c % 4;
    case PTO_SCALES_32X8:
        return (r / 32 * g->tiles_across + c / 8) * 256 + c % 4 * 64 + r % 16 * 4 + c % 8 / 4 * 2 +
               r % 32 / 16;
    default: return r * g->cols + c;
    }
}

size_t pto_scales_bytes(pto_scale_layout layout, size_t rows, size_t cols) {
    struct grid g;
    size_t tile;
    if ((unsigned)layout >= LAYOUTS) return 0;
    g = grid_of(layout, rows, cols);
    tile = tilings[layout].rows * tilings[layout].cols;
    if (g.tiles_down == 0 || g.tiles_across == 0) return 0;
    return g.tiles_down > MAX_BYTES / tile / g.tiles_across ? 0 : g.tiles_down * g.tiles_across * tile;
}

/* Checks the arguments of pto_scales_swizzle() and pto_scales_unswizzle(). Sets *bytes to the size of `tiled` in bytes,
 * and *stride to `cols` if it is 0. */
static pto_status check(pto_scale_layout layout, const void *rowwise, size_t *stride, size_t rows,
                        size_t cols, const void *tiled, size_t *bytes) {
    struct operand a, b;
    *bytes = 0;
    if (rows != 0 && cols != 0 && (rowwise == NULL || tiled == NULL)) return PTO_ERR_NULL;
    if ((unsigned)layout >= LAYOUTS) return PTO_ERR_MODIFIER;
    if (*stride == 0) *stride = cols;
    if (*stride < cols) return PTO_ERR_SIZE;
    if (rows == 0 || cols == 0) return PTO_OK;
    *bytes = pto_scales_bytes(layout, rows, cols);
    if (*bytes == 0 || cols > MAX_BYTES || rows - 1 > (MAX_BYTES - cols) / *stride) return PTO_ERR_SIZE;
    a = operand_array(rowwise, 8, (rows - 1) * *stride + cols);
    b = operand_array(tiled, 8, *bytes);
    return disjoint(a, b) ? PTO_OK : PTO_ERR_OVERLAP;
}

pto_status pto_scales_swizzle(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                              size_t cols, void *tiled) {
    const u8 *from = rowwise;
    u8 *to = tiled;
    size_t bytes;
    struct grid g;
    const pto_status status = check(layout, rowwise, &stride, rows, cols, tiled, &bytes);
    if (status != PTO_OK || bytes == 0) return status;
    g = grid_of(layout, rows, cols);
    memset(to, 0, bytes);
    for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < cols; ++c) to[place_of(&g, r, c)] = from[r * stride + c];
    return PTO_OK;
}

pto_status pto_scales_unswizzle(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                                void *rowwise, size_t stride) {
    const u8 *from = tiled;
    u8 *to = rowwise;
    size_t bytes;
    struct grid g;
    const pto_status status = check(layout, rowwise, &stride, rows, cols, tiled, &bytes);
    if (status != PTO_OK || bytes == 0) return status;
    g = grid_of(layout, rows, cols);
    for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < cols; ++c) to[r * stride + c] = from[place_of(&g, r, c)];
    return PTO_OK;
}
