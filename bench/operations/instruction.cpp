// SPDX-License-Identifier: MIT
//
// Measures programs of one instruction, against vmax of the same type, which moves about the same bytes.
#include "measure/cells.h"
#include "measure/subject.h"
#include "measure/texts.h"

#include <cstring>
#include <list>
#include <string>

namespace bench {

namespace {

/// Instructions whose name is followed by each of the types, and their operands.
struct Family {
    const char *name, *types, *operands;
};

constexpr Family families[] = {
    {"add", "u8x4 s16 s32 s64 f16x2 bf16x2 f32 f64", "a, b"},
    {"add.rz", "f32 f64", "a, b"},
    {"add.sat", "s32 f16x2 f32", "a, b"},
    {"add.ftz", "f16x2 f32", "a, b"},
    {"sub", "s16 s32 s64 f16x2 bf16x2 f32 f64", "a, b"},
    {"mul.lo", "s16 s32 s64", "a, b"},
    {"mul.hi", "s16 u32 s32 u64 s64", "a, b"},
    {"mul", "f16x2 bf16x2 f32 f64", "a, b"},
    {"mad.lo", "s16 s32 s64", "a, b, c"},
    {"fma.rn", "f16x2 bf16x2 f32 f64", "a, b, c"},
    {"fma.rn.ftz", "f16x2 f32", "a, b, c"},
    {"div", "s16 s32 u32 s64 u64", "a, b"},
    {"rem", "s16 s32 u32 s64 u64", "a, b"},
    {"div.rn", "f32 f64", "a, b"},
    {"div.rn.ftz", "f32", "a, b"},
    {"rcp.rn", "f32 f64", "a"},
    {"sqrt.rn", "f32 f64", "a"},
    {"neg", "s16 s32 s64 f16x2 bf16x2 f32 f64", "a"},
    {"abs", "s16 s32 s64 f16x2 bf16x2 f32 f64", "a"},
    {"min", "s16 s32 u64 f16x2 bf16x2 f32 f64", "a, b"},
    {"sad", "u16 s32 u64", "a, b, c"},
    {"and", "b16 b32 b64", "a, b"},
    {"not", "b16 b32 b64", "a"},
    {"cnot", "b16 b32 b64", "a"},
    {"shl", "b16 b32 b64", "a, 3"},
    {"shr", "s16 u32 s64", "a, 3"},
    {"shr", "s32", "a, b"},
    {"popc", "b32 b64", "a"},
    {"clz", "b32 b64", "a"},
    {"brev", "b32 b64", "a"},
    {"lop3", "b32", "a, b, c, 0x96"},
    {"prmt", "b32", "a, b, 0x6240"},
    {"bfe", "u32", "a, 3, 9"},
    {"shf.l.wrap", "b32", "a, b, 7"},
};

/// A text with the strings to which it points.
struct Made {
    std::string name, lines;
    bench_text text;
};

/// Returns the type of the elements of a PTX type: s32 for b32, and f16 for f16x2.
pto_dtype element_of(std::string type) {
    type.resize(std::min(type.size(), type.find('x')));
    if (type[0] == 'b' && type[1] != 'f') type[0] = 's';
    if (type == "u16" || type == "u32") type[0] = 's'; // lanes.h has one type of these widths
    int found = 0;
    while (type != pto_dtype_name(static_cast<pto_dtype>(found))) found++;
    return static_cast<pto_dtype>(found);
}

void add_family(std::list<Made> &all, const Family &family) {
    const std::string types = family.types;
    for (size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
        end = types.find(' ', at);
        const std::string type = types.substr(at, end - at), opcode = std::string(family.name) + "." + type;
        const bool variable = std::strcmp(family.name, "shr") == 0 && family.operands[3] == 'b';
        all.push_back({opcode + (variable ? ".each" : ""), opcode + " d, " + family.operands + ";", {}});
        Made &made = all.back();
        made.text = {BENCH_OTHER_TEXT, made.name.c_str(), element_of(type), made.lines.c_str()};
    }
}

const std::list<Made> &instructions() {
    static const std::list<Made> all = [] {
        std::list<Made> made;
        for (const Family &family : families) add_family(made, family);
        return made;
    }();
    return all;
}

void repeated_vmax(const bench_args *args, size_t repeat) {
    for (size_t i = 0; i < repeat; i++) {
        (void)pto_vmax(args->what->type, 0, pto_in_array(args->a), pto_in_array(args->b), args->dst, args->n);
        BENCH_BARRIER();
    }
}

bench_fn *vmax_of(const bench_what & /*what*/) {
    return repeated_vmax;
}

void add_cells(Cells &cells) {
    if (!has_texts || !cells.full()) return;
    for (const Made &made : instructions()) cells.one_size(run(BENCH_INSTRUCTION, made.text));
}

std::string rest_of_name(const bench_what &what) {
    return std::string(".") + what.text->name;
}

} // namespace

namespace operation {

extern const Operation instruction;
const Operation instruction = {"instruction", program_once, program_repeated, add_cells, 2,
                               Writes::lanes, plain,        nullptr,          vmax_of,   rest_of_name};

} // namespace operation

} // namespace bench
