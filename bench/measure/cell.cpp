// SPDX-License-Identifier: MIT
//
// Makes the list of cells, and their names.
#include "measure/cell.h"

#include "measure/cells.h"
#include "measure/subject.h"
#include "peers/lanes.h"

#include <algorithm>

namespace bench {

namespace {

constexpr size_t kib = 1024, mib = 1024 * kib;

/// The order of cells. It makes cells that use the same data adjacent.
bool before(const Cell &x, const Cell &y) {
    if (x.isa != y.isa) return x.isa > y.isa;
    if (x.data != y.data) return x.data < y.data;
    return x.what.type < y.what.type;
}

/// Returns the name of an operator of lanes.h in lower case, such as "lt".
std::string operator_name(pto_cmp cmp) {
    static const struct {
        pto_cmp cmp;
        const char *upper;
    } rows[] = {
#define ROW(op, relation, ...) {PTO_##op, #op},
        BENCH_INTEGER_OPERATORS(ROW, ) BENCH_FLOAT_OPERATORS(ROW, )
#undef ROW
    };
    std::string name;
    for (const auto &row : rows)
        if (row.cmp == cmp) name = row.upper;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char letter) { return static_cast<char>(letter - 'A' + 'a'); });
    return name;
}

const char *mask_name(pto_mask_kind kind) {
    static const char *const names[] = {"", ".b8", ".b16", ".b32", ".b64", ".bytes"};
    return names[kind];
}

/// Returns the modifiers that distinguish conversions of one pair of types: ".rz" if rounding to nearest would be legal
/// too, and the scale.
std::string modifiers_name(const pto_cvt_op &op) {
    static const char *const scales[] = {"", ".n1", ".n2"};
    pto_cvt_op nearest = op;
    nearest.round = PTO_RN;
    const bool cuts = op.round == PTO_RZ && pto_cvt_check(nearest) == PTO_OK;
    return std::string(cuts ? ".rz" : "") + scales[op.scale];
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
    case Data::zero: return "/zero";
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

// ---- helpers with which operations make their cells ----

const std::vector<Comparison> &comparisons() {
    static const std::vector<Comparison> all = {
#define ROW(op, relation, T)      {PTO_##T, PTO_##op},
#define INTEGER(T, element, bits) BENCH_INTEGER_OPERATORS(ROW, T)
#define FLOAT(T, element, bits)   BENCH_FLOAT_OPERATORS(ROW, T)
        BENCH_INTEGERS(INTEGER) BENCH_FLOATS(FLOAT) BENCH_HALVES(FLOAT)
#undef ROW
    };
    return all;
}

bool is_half(pto_dtype type) {
    return type == PTO_F16 || type == PTO_BF16;
}

bool is_float(pto_dtype type) {
    return is_half(type) || type == PTO_F32 || type == PTO_F64;
}

bool has_ftz(pto_dtype type) {
    return type == PTO_F16 || type == PTO_F32;
}

pto_mask_kind image_of(pto_dtype type) {
    switch (pto_dtype_bits(type)) {
    case 8: return PTO_MASK_B8;
    case 16: return PTO_MASK_B16;
    case 32: return PTO_MASK_B32;
    default: return PTO_MASK_B64;
    }
}

bench_what compare(bench_operation operation, Comparison c, unsigned flags, pto_mask_kind mask, bool seed) {
    bench_what what = {};
    what.operation = operation;
    what.type = c.type;
    what.cmp = c.cmp;
    what.flags = flags;
    what.mask = mask;
    what.seed = seed;
    return what;
}

bench_what select(bench_operation operation, pto_dtype type, pto_mask_kind mask) {
    return compare(operation, {type, PTO_EQ}, 0, mask);
}

bench_what extreme(bench_operation operation, pto_dtype type, unsigned flags) {
    bench_what what = compare(operation, {type, PTO_EQ}, flags);
    if (is_float(type)) {
        (void)pto_dtype_code(type, -1, &what.bounds[0]);
        (void)pto_dtype_code(type, 1, &what.bounds[1]);
    } else { // the bytes of the data are 0 to 3, or 0x80 to 0x83
        const bool is_signed = pto_dtype_class(type) == PTO_CLASS_SIGNED;
        what.bounds[is_signed ? 1 : 0] = 0x0202020202020202;
        what.bounds[is_signed ? 0 : 1] = 0x8282828282828282;
    }
    return what;
}

bench_what convert(const pto_cvt_op &op) {
    bench_what what = {};
    what.operation = BENCH_CVT;
    what.type = op.src;
    what.cvt = op;
    return what;
}

pto_cvt_op conversion(pto_dtype dst, pto_dtype src, pto_round round, bool satfinite, pto_cvt_scale scale) {
    pto_cvt_op op = {};
    op.dst = dst;
    op.src = src;
    op.round = round;
    op.satfinite = satfinite;
    op.scale = scale;
    return op;
}

bool Cells::thin() const {
    return !full() && isa_ != isas().front();
}

void Cells::one(const bench_what &what, size_t size, Place place, Data data) {
    if (scope_ == Scope::tiny && size > cell_sizes[0]) return;
    cells_.push_back({what, isa_, size, place, data});
}

void Cells::every_size(const bench_what &what) {
    for (const size_t size : cell_sizes) one(what, size);
}

void Cells::one_size(const bench_what &what, Data data) {
    one(what, cell_sizes[scope_ == Scope::tiny ? 0 : 1], Place::aligned, data);
}

void Cells::places(const bench_what &what) {
    if (!full()) return;
    for (const Place place : {Place::misaligned, Place::apart_4k})
        for (const size_t size : cell_sizes) one(what, size, place);
}

void Cells::laden(const bench_what &what, std::initializer_list<Data> kinds) {
    for (const Data data : kinds) one_size(what, data);
}

// ---- the list of cells ----

std::vector<Cell> cells_of(Scope scope) {
    std::vector<Cell> all;
    for (const pto_isa isa : isas()) {
        Cells cells(scope, isa);
        for (const Operation *operation : operations()) operation->cells(cells);
        const std::vector<Cell> some = cells.take();
        all.insert(all.end(), some.begin(), some.end());
    }
    std::stable_sort(all.begin(), all.end(), before);
    return all;
}

std::string name_of(const bench_what &what) {
    const Operation &operation = operation_of(what);
    std::string name = operation.name;
    if (operation.rest != nullptr) return name + operation.rest(what);
    if (operation.writes == Writes::converted)
        return name + "." + pto_dtype_name(what.cvt.dst) + "." + pto_dtype_name(what.cvt.src) +
               modifiers_name(what.cvt);
    if ((operation.traits & compares) != 0) name += "." + operator_name(what.cmp);
    if ((what.flags & PTO_FTZ) != 0) name += ".ftz";
    if ((what.flags & PTO_PROPAGATE_NAN) != 0) name += ".NaN";
    if ((what.flags & PTO_XORSIGN_ABS) != 0) name += ".xorsign.abs";
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
    if ((operation_of(cell.what).traits & in_bits) != 0) return cell.stream * 8;
    size_t bits = pto_dtype_bits(cell.what.type);
    if (operation_of(cell.what).writes == Writes::converted)
        bits = std::max(bits, pto_dtype_bits(cell.what.cvt.dst));
    return cell.stream * 8 / bits;
}

} // namespace bench
