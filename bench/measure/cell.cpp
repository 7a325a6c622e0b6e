// SPDX-License-Identifier: MIT
#include "measure/cell.h"

#include "measure/subject.h"
#include "peers/lanes.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kib = 1024, mib = 1024 * kib;

struct Comparison {
    pto_dtype type;
    pto_cmp cmp;
};

// ---- the lists of lanes.h ----

const Comparison comparisons[] = {
#define ROW(op, relation, T)      {PTO_##T, PTO_##op},
#define INTEGER(T, element, bits) BENCH_INTEGER_OPERATORS(ROW, T)
#define FLOAT(T, element, bits)   BENCH_FLOAT_OPERATORS(ROW, T)
    BENCH_INTEGERS(INTEGER) BENCH_FLOATS(FLOAT) BENCH_HALVES(FLOAT)
#undef ROW
};

struct Conversion {
    Goal goal;
    pto_cvt_op op;
};

const Conversion conversions[] = {
#define CVT(goal, dst, src, round, satfinite)                                                                \
    {Goal::goal, {PTO_##dst, PTO_##src, PTO_##round, false, false, satfinite, false, false, PTO_SCALE_NONE}},
#define WIDE(dst, src, round, satfinite)  CVT(convert, dst, src, round, satfinite)
#define TO(dst, src, round, satfinite)    CVT(to_small, dst, src, round, satfinite)
#define BYTES(dst, src, round, satfinite) CVT(none, dst, src, round, satfinite)
#define FROM(dst, src, round, satfinite)  CVT(from_small, dst, src, round, satfinite)
    BENCH_CVT_WIDE(WIDE) BENCH_CVT_FROM_BYTES(BYTES) BENCH_CVT_TO_SMALL(TO) BENCH_CVT_FROM_SMALL(FROM)};

bool is_half(pto_dtype t) {
    return t == PTO_F16 || t == PTO_BF16;
}

bool is_float(pto_dtype t) {
    return is_half(t) || t == PTO_F32 || t == PTO_F64;
}

bool has_ftz(pto_dtype t) {
    return t == PTO_F16 || t == PTO_F32;
}

pto_mask_kind image_of(pto_dtype t) {
    switch (pto_dtype_bits(t)) {
    case 8: return PTO_MASK_B8;
    case 16: return PTO_MASK_B16;
    case 32: return PTO_MASK_B32;
    default: return PTO_MASK_B64;
    }
}

Goal packed_goal(pto_dtype type, unsigned flags) {
    if (is_half(type)) return Goal::compare_half;
    return (flags & PTO_FTZ) != 0 ? Goal::compare_ftz : Goal::compare;
}

bench_what compare(bench_family family, Comparison c, unsigned flags = 0,
                   pto_mask_kind mask = PTO_MASK_PACKED, bool seed = false) {
    return {family, c.type, c.cmp, flags, mask, seed, {}};
}

bench_what convert(pto_cvt_op op) {
    return {BENCH_CVT, op.src, PTO_EQ, 0, PTO_MASK_PACKED, false, op};
}

// ---- the list of cells ----

/// Cells that use the same data stand together.
bool before(const Cell &x, const Cell &y) {
    if (x.isa != y.isa) return x.isa > y.isa;
    if (x.data != y.data) return x.data < y.data;
    return x.what.type < y.what.type;
}

class List {
  public:
    explicit List(Scope scope) : scope_(scope) {}

    void isa(pto_isa isa) {
        isa_ = isa;
        compares();
        predicates();
        other_masks();
        selects();
        chooses();
        converts();
        places();
        laden();
    }

    std::vector<Cell> sorted() {
        std::stable_sort(cells_.begin(), cells_.end(), before);
        return std::move(cells_);
    }

  private:
    std::vector<Cell> cells_;
    Scope scope_;
    pto_isa isa_ = PTO_ISA_SCALAR;

    bool full() const { return scope_ != Scope::quick; } // the tests see every cell, if only at one size

    /// What --quick leaves out of the second-best instruction set, so as to stay below two minutes.
    bool thin() const { return !full() && isa_ != isas().front(); }

    void one(Goal goal, const bench_what &what, size_t size, Place place = Place::aligned,
             Data data = Data::plain) {
        if (scope_ == Scope::tiny && size > cell_sizes[0]) return;
        cells_.push_back({what, goal, isa_, size, place, data});
    }

    void every_size(Goal goal, const bench_what &what) {
        for (const size_t size : cell_sizes) one(goal, what, size);
    }

    /// Operators stand in for each other where they are one kernel with an inverted or swapped result.
    bool picked(Comparison c) const {
        if (full()) return true;
        if (c.cmp == PTO_LT) return true;
        return !thin() && (c.cmp == PTO_LTU || (c.cmp == PTO_EQ && !is_float(c.type)));
    }

    void compares() {
        for (const Comparison c : comparisons) {
            if (!picked(c)) continue;
            for (const unsigned flags : {0U, static_cast<unsigned>(PTO_FTZ)}) {
                if (flags != 0 && !has_ftz(c.type)) continue;
                every_size(packed_goal(c.type, flags), compare(BENCH_VCMP, c, flags));
                if (full() || c.cmp == PTO_LT)
                    every_size(packed_goal(c.type, flags), compare(BENCH_VCMPS, c, flags));
            }
        }
    }

    void predicates() {
        for (const Comparison c : comparisons) {
            if (c.cmp != PTO_LT || pto_dtype_bits(c.type) == 8 || thin()) continue;
            if (!full() && (c.type == PTO_S16 || c.type == PTO_S32 || c.type == PTO_S64)) continue;
            every_size(Goal::setp, compare(BENCH_SETP, c));
            if (has_ftz(c.type)) every_size(Goal::setp, compare(BENCH_SETP, c, PTO_FTZ));
        }
    }

    void other_masks() {
        for (const Comparison c : comparisons) {
            if (c.cmp != PTO_LT || thin()) continue;
            if (!full() && (is_half(c.type) || c.type == PTO_S32 || c.type == PTO_S64 || c.type == PTO_U16 ||
                            c.type == PTO_S8))
                continue;
            every_size(Goal::to_bytes, compare(BENCH_VCMP, c, 0, PTO_MASK_BYTE));
            every_size(Goal::to_bytes, compare(BENCH_VCMP, c, 0, image_of(c.type)));
            every_size(Goal::to_bytes, compare(BENCH_VCMP, c, 0, PTO_MASK_PACKED, true));
        }
    }

    void selects() {
        for (const pto_dtype t : {PTO_U8, PTO_U16, PTO_F32, PTO_F64}) {
            const Comparison c = {t, PTO_EQ};
            every_size(Goal::select, compare(BENCH_VSEL, c));
            if (!thin()) every_size(Goal::select, compare(BENCH_VSELR, c));
            if (!full()) continue;
            every_size(Goal::none, compare(BENCH_VSEL, c, 0, PTO_MASK_BYTE));
            every_size(Goal::none, compare(BENCH_VSEL, c, 0, image_of(t)));
            for (const Data density : {Data::none, Data::all, Data::half, Data::uneven})
                for (const size_t size : {cell_sizes[0], cell_sizes[1]})
                    one(Goal::none, compare(BENCH_VSEL, c), size, Place::aligned, density);
        }
    }

    void chooses() {
        for (const Comparison c : comparisons) {
            if (c.cmp != PTO_LT || thin()) continue;
            const bool quick = c.type == PTO_U8 || c.type == PTO_S16 || c.type == PTO_F16 ||
                               c.type == PTO_F32 || c.type == PTO_F64;
            if (!full() && !quick) continue;
            every_size(Goal::choose, compare(BENCH_VCMPSEL, c));
        }
    }

    void converts() {
        for (const Conversion &c : conversions)
            if (!thin() || c.goal == Goal::convert) every_size(c.goal, convert(c.op));
    }

    void places() {
        if (!full()) return;
        const bench_what some[] = {compare(BENCH_VCMP, {PTO_F32, PTO_LT}),
                                   compare(BENCH_VCMP, {PTO_U8, PTO_EQ}),
                                   compare(BENCH_VSEL, {PTO_F32, PTO_EQ}),
                                   compare(BENCH_VCMPSEL, {PTO_F32, PTO_LT}), convert(conversions[0].op)};
        for (const bench_what &what : some)
            for (const Place place : {Place::misaligned, Place::apart_4k})
                for (const size_t size : cell_sizes) one(Goal::none, what, size, place);
    }

    void laden() {
        if (thin()) return;
        const size_t size = cell_sizes[scope_ == Scope::tiny ? 0 : 1];
        for (const pto_dtype t : {PTO_F32, PTO_F64, PTO_F16, PTO_BF16})
            for (const Data data : {Data::subnormal, Data::nan}) {
                one(Goal::laden, compare(BENCH_VCMP, {t, PTO_LT}), size, Place::aligned, data);
                if (has_ftz(t))
                    one(Goal::laden, compare(BENCH_VCMP, {t, PTO_LT}, PTO_FTZ), size, Place::aligned, data);
            }
        for (const Conversion &c : conversions)
            for (const Data data : {Data::subnormal, Data::nan})
                if (is_float(c.op.src) && (full() || c.goal == Goal::convert))
                    one(Goal::laden, convert(c.op), size, Place::aligned, data);
    }
};

const char *mask_name(pto_mask_kind kind) {
    static const char *const names[] = {"", ".b8", ".b16", ".b32", ".b64", ".bytes"};
    return names[kind];
}

const char *place_name(Place place) {
    switch (place) {
    case Place::misaligned: return "/misaligned";
    case Place::apart_4k: return "/4KiB-apart";
    case Place::aligned: break;
    }
    return "";
}

const char *data_name(Data data) {
    switch (data) {
    case Data::subnormal: return "/subnormal";
    case Data::nan: return "/nan";
    case Data::none: return "/mask-0%";
    case Data::all: return "/mask-100%";
    case Data::half: return "/mask-50%";
    case Data::uneven: return "/mask-uneven";
    case Data::mixed: return "/mixed";
    case Data::plain: break;
    }
    return "";
}

} // namespace

std::vector<Cell> cells_of(Scope scope) {
    List list(scope);
    for (const pto_isa isa : isas()) list.isa(isa);
    return list.sorted();
}

std::string name_of(const bench_what &what) {
    if (what.family == BENCH_CVT)
        return std::string("cvt.") + pto_dtype_name(what.cvt.dst) + "." + pto_dtype_name(what.cvt.src);
    std::string name = family_of(what.family).name;
    if (what.family != BENCH_VSEL && what.family != BENCH_VSELR) {
        static const char *const names[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                            "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
        name += std::string(".") + names[what.cmp];
    }
    if ((what.flags & PTO_FTZ) != 0) name += ".ftz";
    name += std::string(".") + pto_dtype_name(what.type) + mask_name(what.mask);
    return what.seed ? name + ".seed" : name;
}

std::string size_name(size_t bytes) {
    return bytes >= mib ? std::to_string(bytes / mib) + "MiB" : std::to_string(bytes / kib) + "KiB";
}

std::string name_of(const Cell &cell) {
    return name_of(cell.what) + "/" + pto_isa_name(cell.isa) + "/" + size_name(cell.stream) +
           place_name(cell.place) + data_name(cell.data);
}

size_t lanes_of(const Cell &cell) {
    size_t bits = pto_dtype_bits(cell.what.type);
    if (cell.what.family == BENCH_CVT) bits = std::max(bits, pto_dtype_bits(cell.what.cvt.dst));
    return cell.stream * 8 / bits;
}

} // namespace bench
