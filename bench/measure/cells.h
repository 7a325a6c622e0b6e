// SPDX-License-Identifier: MIT
/// @file cells.h
/// What the operations make their cells of: types and operators, and the list that they add them to.
#ifndef PTO_BENCH_CELLS_H
#define PTO_BENCH_CELLS_H

#include "measure/cell.h"

#include <initializer_list>
#include <vector>

namespace bench {

struct Comparison {
    pto_dtype type;
    pto_cmp cmp;
};

/// Each type with each of its operators, from lanes.h.
const std::vector<Comparison> &comparisons();

bool is_half(pto_dtype type);
bool is_float(pto_dtype type);
bool has_ftz(pto_dtype type);

/// The image mask of the type's width.
pto_mask_kind image_of(pto_dtype type);

bench_what compare(bench_operation operation, Comparison c, unsigned flags = 0,
                   pto_mask_kind mask = PTO_MASK_PACKED, bool seed = false);

/// By a mask: only the type's width counts.
bench_what select(bench_operation operation, pto_dtype type, pto_mask_kind mask = PTO_MASK_PACKED);

/// vmax and its like; of a clamp with bounds that cut off some of the data at either end.
bench_what extreme(bench_operation operation, pto_dtype type, unsigned flags = 0);

bench_what convert(const pto_cvt_op &op);
bench_what convert_as_pto(const pto_vcvt_op &op);

/// A form without modifiers, but for .satfinite and a scale.
pto_cvt_op conversion(pto_dtype dst, pto_dtype src, pto_round round, bool satfinite = false,
                      pto_cvt_scale scale = PTO_SCALE_NONE);

/// The cells of one instruction set, at the sizes of a scope.
class Cells {
  public:
    Cells(Scope scope, pto_isa isa) : scope_(scope), isa_(isa) {}

    /// Not only the goals: the tests see every cell, if only at one size.
    bool full() const { return scope_ != Scope::quick; }

    /// What --quick leaves out of the second-best instruction set, so as to stay below three minutes.
    bool thin() const;

    void one(Goal goal, const bench_what &what, size_t size, Place place = Place::aligned,
             Data data = Data::plain);
    void every_size(Goal goal, const bench_what &what);

    /// At 256 KiB alone.
    void one_size(Goal goal, const bench_what &what, Data data = Data::plain);

    /// Streams that lie badly.
    void places(const bench_what &what);

    /// Subnormals and NaNs in half of the lanes, or what else is laden.
    void laden(const bench_what &what, std::initializer_list<Data> kinds = {Data::subnormal, Data::nan});

    std::vector<Cell> take() { return std::move(cells_); }

  private:
    Scope scope_;
    pto_isa isa_;
    std::vector<Cell> cells_;
};

} // namespace bench

#endif
