// SPDX-License-Identifier: MIT
//
// Shapes and scales of the tensors on which block scaling is measured.
#include "measure/blocks.h"

#include <algorithm>

namespace bench {

Shape shape_of(const pto_block_op &op, size_t n) {
    constexpr size_t longest = 4096;
    const size_t cols = std::min(n / std::max<size_t>(op.block_rows, 1), longest);
    return cols > 0 ? Shape{n / cols, cols} : Shape{1, n};
}

bench_what scaling(bench_operation operation, const pto_block_op &op) {
    const bool quantizes = operation == BENCH_QUANTIZE;
    bench_what what = {};
    what.operation = operation;
    what.block = op;
    what.cvt.src = quantizes ? op.wide : op.elem;
    what.cvt.dst = quantizes ? op.elem : op.wide;
    what.type = what.cvt.src;
    return what;
}

size_t scales_bytes(const pto_block_op &op, size_t n) {
    const Shape shape = shape_of(op, n);
    pto_block_size size = {};
    (void)pto_block_sizes(op, shape.rows, shape.cols,
                          &size); // if op is refused, sizes are 0, and the call itself fails too
    return size.scale_rows * size.scale_cols * size.scale_bytes;
}

} // namespace bench
