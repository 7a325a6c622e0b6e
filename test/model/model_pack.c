/* SPDX-License-Identifier: MIT */
/* The model of layouts that store codes and scales together: docs/block-scaling.md, section 8. It computes the place of
 * each code and each scale by a formula. */
#include "model/model_block.h"

static bool is_layout(pto_pack_layout layout) {
    return (int)layout >= 0 && (int)layout < MODEL_PACKS;
}

struct model_pack_shape model_pack_shape(pto_pack_layout layout) {
    switch (layout) {
    case PTO_PACK_GGUF_MXFP4: return (struct model_pack_shape){1, 32, 17, 32, 4};
    case PTO_PACK_GGUF_NVFP4: return (struct model_pack_shape){1, 64, 36, 16, 4};
    case PTO_PACK_TT_TILE: return (struct model_pack_shape){32, 32, 1088, 16, 8};
    default: return (struct model_pack_shape){32, 32, 576, 16, 4};
    }
}

static bool is_whole(pto_pack_layout layout, size_t rows, size_t cols) {
    const struct model_pack_shape s = model_pack_shape(layout);
    return rows % s.rows == 0 && cols % s.cols == 0;
}

/** Returns false if the size is larger than any object can be, which is half of the address space. */
static bool bytes_of(pto_pack_layout layout, size_t rows, size_t cols, size_t *bytes) {
    const struct model_pack_shape s = model_pack_shape(layout);
    const size_t down = rows / s.rows, across = cols / s.cols;
    *bytes = down * across * s.bytes;
    return down == 0 || across == 0 || SIZE_MAX / 2 / down / across >= s.bytes;
}

size_t model_pack_bytes(pto_pack_layout layout, size_t rows, size_t cols) {
    size_t bytes;
    return is_layout(layout) && is_whole(layout, rows, cols) && bytes_of(layout, rows, cols, &bytes) ? bytes
                                                                                                     : 0;
}

/** The number of the face of 16 x 16 elements within its tile. */
static size_t face_of(size_t r, size_t c) {
    return (r & 16 ? 2 : 0) + (c & 16 ? 1 : 0);
}

size_t model_pack_code(pto_pack_layout layout, size_t cols, size_t r, size_t c) {
    const size_t element = r * cols + c, tile = r / 32 * (cols / 32) + c / 32;
    const size_t in_tile = face_of(r, c) * 256 + r % 16 * 16 + c % 16;
    switch (layout) {
    case PTO_PACK_GGUF_MXFP4: return element / 32 * 34 + 2 + c % 16 * 2 + (c % 32 >= 16);
    case PTO_PACK_GGUF_NVFP4: return element / 64 * 72 + 8 + c % 64 / 16 * 16 + c % 8 * 2 + (c % 16 >= 8);
    case PTO_PACK_TT_TILE: return (tile * 1088 + 64 + in_tile) * 2;
    default: return (tile * 576 + 64) * 2 + in_tile;
    }
}

size_t model_pack_scale(pto_pack_layout layout, size_t cols, size_t r, size_t c) {
    const size_t element = r * cols + c, tile = r / 32 * (cols / 32) + c / 32;
    switch (layout) {
    case PTO_PACK_GGUF_MXFP4: return element / 32 * 17;
    case PTO_PACK_GGUF_NVFP4: return element / 64 * 36 + c % 64 / 16;
    case PTO_PACK_TT_TILE: return tile * 1088 + face_of(r, c) * 16 + r % 16;
    default: return tile * 576 + face_of(r, c) * 16 + r % 16;
    }
}

size_t model_pack_row_bytes(pto_pack_layout layout, size_t cols) {
    return model_pack_shape(layout).bits == 8 ? cols : cols / 2;
}

pto_status model_pack_status(const struct model_pack_call *call, bool unpack) {
    struct model_block_range codes = {call->codes, 0}, scales = {call->scales, 0}, packed = {call->packed, 0};
    const bool empty = call->rows == 0 || call->cols == 0;
    if (!empty && (!call->codes || !call->scales || !call->packed)) return PTO_ERR_NULL;
    if (!is_layout(call->layout)) return PTO_ERR_MODIFIER;
    if (!is_whole(call->layout, call->rows, call->cols)) return PTO_ERR_SIZE;
    if (!model_block_extent(call->rows, call->codes_stride, model_pack_row_bytes(call->layout, call->cols),
                            &codes.bytes))
        return PTO_ERR_SIZE;
    if (!model_block_extent(call->rows, call->scales_stride,
                            call->cols / model_pack_shape(call->layout).block, &scales.bytes))
        return PTO_ERR_SIZE;
    if (!bytes_of(call->layout, call->rows, call->cols, &packed.bytes)) return PTO_ERR_SIZE;
    if (empty) return PTO_OK;
    if (model_block_overlap(&packed, &codes) || model_block_overlap(&packed, &scales)) return PTO_ERR_OVERLAP;
    return unpack && model_block_overlap(&codes, &scales) ? PTO_ERR_OVERLAP : PTO_OK;
}

static unsigned nibble_of(const unsigned char *p, size_t i) {
    return p[i / 2] >> i % 2 * 4 & 15;
}

static void set_nibble(unsigned char *p, size_t i, unsigned value) {
    p[i / 2] = (unsigned char)((p[i / 2] & (i % 2 ? 15 : 240)) | value << i % 2 * 4);
}

/** Copies a code of `bits` bits. `from` and `to` are numbers of nibbles. */
static void copy_code(unsigned char *to_bytes, size_t to, const unsigned char *from_bytes, size_t from,
                      unsigned bits) {
    set_nibble(to_bytes, to, nibble_of(from_bytes, from));
    if (bits == 8) set_nibble(to_bytes, to + 1, nibble_of(from_bytes, from + 1));
}

void model_pack_run(const struct model_pack_call *call, bool unpack) {
    const struct model_pack_shape shape = model_pack_shape(call->layout);
    const size_t row = model_pack_row_bytes(call->layout, call->cols), blocks = call->cols / shape.block;
    const size_t nibbles = shape.bits / 4;
    for (size_t r = 0; r < call->rows; r++) {
        unsigned char *codes = call->codes + r * (call->codes_stride ? call->codes_stride : row);
        unsigned char *scales = call->scales + r * (call->scales_stride ? call->scales_stride : blocks);
        for (size_t c = 0; c < call->cols; c++) {
            const size_t code = model_pack_code(call->layout, call->cols, r, c);
            unsigned char *scale = call->packed + model_pack_scale(call->layout, call->cols, r, c);
            if (unpack)
                copy_code(codes, c * nibbles, call->packed, code, shape.bits);
            else
                copy_code(call->packed, code, codes, c * nibbles, shape.bits);
            *(unpack ? scales + c / shape.block : scale) = *(unpack ? scale : scales + c / shape.block);
        }
    }
}
