// SPDX-License-Identifier: MIT
/// @file blocks.h  Shapes and scales of the tensors on which block scaling is measured.
#ifndef PTO_BENCH_BLOCKS_H
#define PTO_BENCH_BLOCKS_H

#include "peers/contender.h"

#include <pto/pto.h>

#include <cstddef>

namespace bench {

struct Shape {
    size_t rows, cols;
};

/// Returns the shape of a tensor of n elements, where n is a power of two. Rows have 4096 elements, a usual length for
/// weights of models. They are shorter if the tensor would otherwise have fewer rows than a block.
Shape shape_of(const pto_block_op &op, size_t n);

/// Returns the description of quantization from op.wide, or of dequantization to it.
bench_what scaling(bench_operation operation, const pto_block_op &op);

/// Returns the size in bytes of all scales of a tensor of n elements.
size_t scales_bytes(const pto_block_op &op, size_t n);

} // namespace bench

#endif
