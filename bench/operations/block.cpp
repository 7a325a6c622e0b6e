// SPDX-License-Identifier: MIT
//
// Measures quantization and dequantization: a rule of each kind at all sizes, and the others at the sizes that fit
// caches.
#include "measure/blocks.h"
#include "measure/cells.h"
#include "measure/subject.h"

namespace bench {

namespace {

pto_status call_quantize(const bench_args &r) {
    const Shape shape = shape_of(r.what->block, r.n);
    return pto_block_quantize(r.what->block, r.a, 0, shape.rows, shape.cols, r.dst, 0, r.dst2, 0, nullptr);
}

pto_status call_dequantize(const bench_args &r) {
    const Shape shape = shape_of(r.what->block, r.n);
    return pto_block_dequantize(r.what->block, r.a, 0, r.m, 0, shape.rows, shape.cols, r.dst, 0);
}

/// A rule with the format and block size with which it is used.
struct Use {
    size_t block_rows, block_cols;
    pto_block_rule rule;
    pto_dtype elem;
    bool pow2;
};

constexpr Use mx(pto_block_rule rule, pto_dtype elem) {
    return {1, 32, rule, elem, false};
}

constexpr Use nv(pto_block_rule rule) {
    return {1, 16, rule, PTO_E2M1, false};
}

constexpr Use fp8(pto_block_rule rule, size_t rows, pto_dtype elem = PTO_E4M3, bool pow2 = false) {
    return {rows, 128, rule, elem, pow2};
}

/// One of each kind. A quick run measures only these.
constexpr Use kinds[] = {mx(PTO_MX_RCEIL, PTO_E4M3), mx(PTO_MX_RCEIL, PTO_E2M1), nv(PTO_NV_TE),
                         nv(PTO_NV_MODELOPT),        fp8(PTO_FP8_MUL, 1),        fp8(PTO_FP8_RCP, 128),
                         fp8(PTO_FP8_DIV, 1)};
constexpr Use kinds_back[] = {mx(PTO_MX_RCEIL, PTO_E4M3), nv(PTO_NV_TE)};

constexpr Use others[] = {mx(PTO_MX_FLOOR, PTO_E4M3),
                          mx(PTO_MX_CEIL, PTO_E4M3),
                          mx(PTO_MX_EVEN, PTO_E4M3),
                          mx(PTO_MX_EVEN1, PTO_E4M3),
                          mx(PTO_MX_RCEIL_SAT, PTO_E4M3),
                          mx(PTO_MX_RCEIL, PTO_E5M2),
                          mx(PTO_MX_RCEIL, PTO_E2M3),
                          mx(PTO_MX_RCEIL, PTO_E3M2),
                          mx(PTO_MX_FLOOR, PTO_E2M1),
                          mx(PTO_MX_EVEN, PTO_E2M1),
                          nv(PTO_NV_RCP),
                          nv(PTO_NV_AO),
                          nv(PTO_NV_CT),
                          nv(PTO_NV_46_TE_MAE256),
                          nv(PTO_NV_46_TE_MSE448),
                          nv(PTO_NV_46_FI_MAE448),
                          nv(PTO_NV_46_FAST_MAE256),
                          nv(PTO_NV_46_MODELOPT),
                          mx(PTO_MX_GGUF, PTO_E2M1),
                          nv(PTO_NV_GGUF),
                          mx(PTO_MX_ONEDNN, PTO_E4M3),
                          nv(PTO_NV_ONEDNN),
                          mx(PTO_MX_CANN, PTO_E4M3),
                          mx(PTO_MX_EVEN_QUARK, PTO_E4M3),
                          nv(PTO_NV_QUARK),
                          mx(PTO_MX_INT8, PTO_S2F6),
                          {1, 16, PTO_BFP_TT, PTO_BFP8, false},
                          {1, 16, PTO_BFP_TT, PTO_BFP4, false},
                          fp8(PTO_FP8_AO, 1),
                          fp8(PTO_FP8_HF, 128),
                          fp8(PTO_FP8_RCP, 1, PTO_E4M3, true),
                          fp8(PTO_FP8_TE, 1, PTO_E4M3, true),
                          fp8(PTO_FP8_TE, 1, PTO_E5M2),
                          fp8(PTO_FP8_DIV, 128),
                          fp8(PTO_FP8_CT, 128)};
constexpr Use others_back[] = {mx(PTO_MX_RCEIL, PTO_E2M3), mx(PTO_MX_RCEIL, PTO_E2M1), nv(PTO_NV_CT),
                               fp8(PTO_FP8_DIV, 128)};

pto_block_op op_of(const Use &use, pto_dtype wide) {
    constexpr float largest = 4, eps = 1e-10F; // magnitudes in the data are at most 4
    pto_block_op op = {};
    op.wide = wide;
    op.elem = use.elem;
    op.rule = use.rule;
    op.round = PTO_RN;
    op.pow2 = use.pow2;
    op.block_rows = use.block_rows;
    op.block_cols = use.block_cols;
    op.two_level = pto_block_tensor(op.rule, largest, &op.tensor) == PTO_OK;
    if (pto_block_scale_type(op.rule) == PTO_F32 && op.rule != PTO_FP8_CT && op.rule != PTO_FP8_HF)
        op.tensor = eps;
    return op;
}

/// Returns names such as ".mx.rceil.e4m3.f32" or ".fp8.te.pow2.e4m3.bf16.1x128". The type that is written comes first.
std::string rest_of_name(const bench_what &what) {
    const pto_block_op &op = what.block;
    std::string name = std::string(".") + pto_block_rule_name(op.rule) + (op.pow2 ? ".pow2." : ".") +
                       pto_dtype_name(what.cvt.dst) + "." + pto_dtype_name(what.cvt.src);
    if (pto_block_scale_type(op.rule) == PTO_F32) name += op.block_rows == 1 ? ".1x128" : ".128x128";
    return name;
}

/// Adds cells at several sizes. At 64 MiB, only `kinds` are measured, because verification by the scalar backend takes
/// a second. A quick run measures only those from or to f32.
void add_sizes(Cells &cells, const bench_what &what, bool is_kind) {
    const bool large = is_kind && (cells.full() || (!cells.thin() && what.block.wide == PTO_F32));
    const size_t last = large ? 3 : 2;
    for (size_t i = cells.full() ? 0 : 1; i <= last; i++) cells.one(what, cell_sizes[i]);
}

template <size_t count>
void add_cells(Cells &cells, bench_operation operation, const Use (&uses)[count], bool are_kinds) {
    for (const Use &use : uses)
        for (const pto_dtype wide : {PTO_F32, PTO_BF16})
            add_sizes(cells, scaling(operation, op_of(use, wide)), are_kinds);
}

void cells_of_quantize(Cells &cells) {
    add_cells(cells, BENCH_QUANTIZE, kinds, true);
    if (cells.full()) add_cells(cells, BENCH_QUANTIZE, others, false);
}

void cells_of_dequantize(Cells &cells) {
    add_cells(cells, BENCH_DEQUANTIZE, kinds_back, true);
    if (cells.full()) add_cells(cells, BENCH_DEQUANTIZE, others_back, false);
}

} // namespace

namespace operation {

extern const Operation quantize;
const Operation quantize = {"quantize",
                            call_quantize,
                            repeated<call_quantize>,
                            cells_of_quantize,
                            1,
                            Writes::converted,
                            finds_scales,
                            nullptr,
                            nullptr,
                            rest_of_name};

extern const Operation dequantize;
const Operation dequantize = {"dequantize",
                              call_dequantize,
                              repeated<call_dequantize>,
                              cells_of_dequantize,
                              1,
                              Writes::converted,
                              takes_scales,
                              nullptr,
                              nullptr,
                              rest_of_name};

} // namespace operation

} // namespace bench
