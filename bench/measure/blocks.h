// SPDX-License-Identifier: MIT
/// @file blocks.h  Tensors of the block scalings: their shapes, and their scales.
#ifndef PTO_BENCH_BLOCKS_H
#define PTO_BENCH_BLOCKS_H

#include "peers/contender.h"

#include <pto/pto.h>

#include <cstddef>

namespace bench {

struct Shape {
    size_t rows, cols;
};

/// Of a tensor of n elements, a power of two: rows as long as those of a model, but at least a block of rows.
Shape shape_of(const pto_block_op &op, size_t n);

/// A tensor of op.wide quantized, or back.
bench_what scaling(bench_operation operation, const pto_block_op &op);

/// How the scales are stored.
pto_dtype scale_type(const pto_block_op &op);

/// Bytes of all scales of a tensor of n elements.
size_t scales_bytes(const pto_block_op &op, size_t n);

} // namespace bench

#endif
