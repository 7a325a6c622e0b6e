// SPDX-License-Identifier: MIT
//
// Measures pto_mask_copy() of a packed mask to another bit offset, and random bits.
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

/// The first lane of the copy. It changes the bit position of every lane.
constexpr size_t from_lane = 3;

pto_status call_mask_copy(const bench_args &r) {
    return pto_mask_copy(pto_packed_in(r.a), from_lane, pto_packed(r.dst), 0, r.n);
}

std::string copy_name(const bench_what & /*what*/) {
    return ".from" + std::to_string(from_lane);
}

void cells_of_mask_copy(Cells &cells) {
    cells.every_size(select(BENCH_MASK_COPY, PTO_U8));
}

/// Operand a has the key, followed by the counter.
pto_status call_random([[maybe_unused]] const bench_args &r) {
    const auto *from = static_cast<const uint32_t *>(r.a);
    return pto_random_bits(from, from + 2, static_cast<uint32_t *>(r.dst), r.n);
}

void cells_of_random([[maybe_unused]] Cells &cells) {
    cells.every_size(select(BENCH_RANDOM, PTO_U32));
}

} // namespace

namespace operation {

extern const Operation mask_copy;
const Operation mask_copy = {"mask_copy",
                             call_mask_copy,
                             repeated<call_mask_copy>,
                             cells_of_mask_copy,
                             1,
                             Writes::mask,
                             in_bits,
                             nullptr,
                             nullptr,
                             copy_name};

extern const Operation random;
const Operation random = {"random",      call_random, repeated<call_random>, cells_of_random, 0,
                          Writes::lanes, plain};

} // namespace operation

} // namespace bench
