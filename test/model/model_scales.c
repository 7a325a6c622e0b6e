/* SPDX-License-Identifier: MIT */
/* The model of layouts of one-byte scales: docs/block-scaling.md, section 8. */
#include "model/model_block.h"

#include <string.h>

/** The tile size of each layout; a layout consists of whole tiles. */
static const struct tile {
    size_t rows, cols;
} tiles[MODEL_LAYOUTS] = {
    [PTO_SCALES_ROWS] = {1, 1},  [PTO_SCALES_128X4] = {128, 4}, [PTO_SCALES_8X4] = {8, 4},
    [PTO_SCALES_MN_X4] = {4, 4}, [PTO_SCALES_32X8] = {32, 8},
};

static bool is_layout(pto_scale_layout layout) {
    return (int)layout >= 0 && (int)layout < MODEL_LAYOUTS;
}

/** Returns false if the size is larger than any object can be, which is half of the address space. */
static bool bytes_of(pto_scale_layout layout, size_t rows, size_t cols, size_t *bytes) {
    const size_t down = model_block_ceil_div(rows, tiles[layout].rows),
                 across = model_block_ceil_div(cols, tiles[layout].cols);
    const size_t tile = tiles[layout].rows * tiles[layout].cols;
    *bytes = down * across * tile;
    return down == 0 || across == 0 || SIZE_MAX / 2 / down / across >= tile;
}

size_t model_scales_bytes(pto_scale_layout layout, size_t rows, size_t cols) {
    size_t bytes;
    return is_layout(layout) && bytes_of(layout, rows, cols, &bytes) ? bytes : 0;
}

size_t model_scales_offset(pto_scale_layout layout, size_t rows, size_t cols, size_t r, size_t c) {
    const size_t fours = model_block_ceil_div(cols, 4), eights = model_block_ceil_div(cols, 8);
    switch (layout) {
    case PTO_SCALES_128X4: return (r / 128 * fours + c / 4) * 512 + r % 32 * 16 + r % 128 / 32 * 4 + c % 4;
    case PTO_SCALES_8X4: return (r / 8 * fours + c / 4) * 32 + r % 8 * 4 + c % 4;
    case PTO_SCALES_MN_X4: return (c / 4 * (model_block_ceil_div(rows, 4) * 4) + r) * 4 + c % 4;
    case PTO_SCALES_32X8:
        return r / 32 * (eights * 8) * 32 + c / 8 * 256 + c % 4 * 64 + r % 16 * 4 + c % 8 / 4 * 2 +
               r % 32 / 16;
    default: return r * cols + c;
    }
}

pto_status model_scales_status(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                               size_t cols, const void *tiled) {
    struct model_block_range plain = {rowwise, 0}, laid_out = {tiled, 0};
    if (rows != 0 && cols != 0 && (!rowwise || !tiled)) return PTO_ERR_NULL;
    if (!is_layout(layout)) return PTO_ERR_MODIFIER;
    if (!model_block_extent(rows, stride, cols, &plain.bytes)) return PTO_ERR_SIZE;
    if (!bytes_of(layout, rows, cols, &laid_out.bytes)) return PTO_ERR_SIZE;
    return model_block_overlap(&plain, &laid_out) ? PTO_ERR_OVERLAP : PTO_OK;
}

void model_scales_swizzle(pto_scale_layout layout, const void *rowwise, size_t stride, size_t rows,
                          size_t cols, void *tiled) {
    const unsigned char *from = rowwise;
    unsigned char *to = tiled;
    const size_t bytes = model_scales_bytes(layout, rows, cols);
    if (bytes > 0) memset(to, 0, bytes);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            to[model_scales_offset(layout, rows, cols, r, c)] = from[r * (stride ? stride : cols) + c];
        }
    }
}

void model_scales_unswizzle(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                            void *rowwise, size_t stride) {
    const unsigned char *from = tiled;
    unsigned char *to = rowwise;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            to[r * (stride ? stride : cols) + c] = from[model_scales_offset(layout, rows, cols, r, c)];
        }
    }
}
