// SPDX-License-Identifier: MIT
/// @file cells.h
/// Helpers with which the operations make their cells, and the list to which they add them.
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

/// Returns each type of lanes.h with each of its operators.
const std::vector<Comparison> &comparisons();

bool is_half(pto_dtype type);
bool is_float(pto_dtype type);
bool has_ftz(pto_dtype type);

/// Returns the kind of a predicate image for the type's width.
pto_mask_kind image_of(pto_dtype type);

bench_what compare(bench_operation operation, Comparison c, unsigned flags = 0,
                   pto_mask_kind mask = PTO_MASK_PACKED, bool seed = false);

/// Returns the description of a selection by a mask. Only the width of the type matters.
bench_what select(bench_operation operation, pto_dtype type, pto_mask_kind mask = PTO_MASK_PACKED);

/// Returns the description of vmax, vmin, vclamp or vrelu. The bounds of a clamp cut off some data at both ends.
bench_what extreme(bench_operation operation, pto_dtype type, unsigned flags = 0);

bench_what convert(const pto_cvt_op &op);
bench_what convert_as_pto(const pto_vcvt_op &op);

/// Returns a conversion without modifiers other than .satfinite and a scale.
pto_cvt_op conversion(pto_dtype dst, pto_dtype src, pto_round round, bool satfinite = false,
                      pto_cvt_scale scale = PTO_SCALE_NONE);

/// The cells of one instruction set, at the sizes of a scope.
class Cells {
  public:
    Cells(Scope scope, pto_isa isa) : scope_(scope), isa_(isa) {}

    /// Returns whether all cells are added, not only those of --quick. It is true for the tests too, which use one
    /// size.
    bool full() const { return scope_ != Scope::quick; }

    /// Returns whether to leave out cells: --quick measures fewer on instruction sets other than the best, to take less
    /// than three minutes.
    bool thin() const;

    void one(const bench_what &what, size_t size, Place place = Place::aligned, Data data = Data::plain);
    void every_size(const bench_what &what);

    /// Adds a cell at 256 KiB only.
    void one_size(const bench_what &what, Data data = Data::plain);

    /// Adds cells with unfavourable placements of streams.
    void places(const bench_what &what);

    /// Adds cells whose data has subnormals and NaNs, or the given kinds, in half of the lanes.
    void laden(const bench_what &what, std::initializer_list<Data> kinds = {Data::subnormal, Data::nan});

    std::vector<Cell> take() { return std::move(cells_); }

  private:
    Scope scope_;
    pto_isa isa_;
    std::vector<Cell> cells_;
};

} // namespace bench

#endif
