// SPDX-License-Identifier: MIT
//
// Divides a cell's work into parts for threads.
#include "measure/share.h"

#include "measure/blocks.h"
#include "measure/memory.h"
#include "measure/subject.h"

#include <algorithm>

namespace bench {

namespace {

const void *from(const void *p, size_t bytes) {
    return static_cast<const unsigned char *>(p) + bytes;
}

void *from(void *p, size_t bytes) {
    return static_cast<unsigned char *>(p) + bytes;
}

/// Returns the bytes of the first `lanes` lanes of an operand, or of a packed mask for operations with in_bits.
size_t operand_bytes(const bench_what &what, size_t lanes) {
    const bool bits = (operation_of(what).traits & in_bits) != 0;
    return bits ? lanes / 8 : lanes * pto_dtype_bits(what.type) / 8;
}

/// Returns the bytes of the first `lanes` lanes of m, which has a mask or scales.
size_t mask_bytes(const bench_what &what, size_t lanes) {
    const bool scales = (operation_of(what).traits & takes_scales) != 0;
    return scales ? scales_bytes(what.block, lanes) : pto_mask_bytes(what.mask, lanes);
}

} // namespace

bench_args share_of(const bench_args &whole, size_t parts, size_t k,
                    [[maybe_unused]] RandomCounter &counter) {
    bench_args part = whole;
    size_t begin = 0;
    (void)pto_split(whole.n, parts, k, &begin, &part.n);
    const bench_what &what = *whole.what;
    const size_t operand = operand_bytes(what, begin);
    part.dst = from(whole.dst, result_bytes(what, begin));
    part.dst2 = from(whole.dst2, result2_bytes(what, begin));
    part.m = from(whole.m, begin > 0 ? mask_bytes(what, begin) : 0);
    const unsigned streams = operation_of(what).reads;
    if (streams > 0) part.a = from(whole.a, operand);
    if (streams > 1) { // otherwise the other operands are scalars
        part.b = from(whole.b, operand);
        part.u = from(whole.u, operand);
        part.v = from(whole.v, operand);
    }
    if (what.operation == BENCH_RANDOM) {
        std::copy_n(static_cast<const uint32_t *>(whole.a), counter.size(), counter.begin());
        (void)pto_random_counter(&counter[2], begin / 4, &counter[2]);
        part.a = counter.data();
    }
    return part;
}

} // namespace bench
