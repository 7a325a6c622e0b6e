// SPDX-License-Identifier: MIT
//
// Exports the calls of libpto on arrays as functions of TVM FFI, so that Python, C++, Rust and compiled kernels can
// call them with tensors in CPU memory. README.md has the build command, the arguments and examples.
//
// A function takes the arguments of the C call in the same order, with these differences:
//
//  - Counts of elements and strides are left out, because tensors have them. Calls on masks only keep n.
//  - Structs are replaced by their members or, for cvt, setp and set, by the text of the PTX instruction.
//  - Enumerators are text. None as a type means that it follows from the dtype of the first tensor that has this type.
//  - A pointer to a single result becomes the returned value.
//
// The exports are at the end of the file. Each names the C call and, in the order of its parameters, what they are.

#include "parameters.hpp"

namespace {

using namespace pto_tvm_ffi;

// The C calls whose parameters are structs, strides or bare pointers, with the operands in their place.

pto_status setp(pto_setp_op op, bool not_c, const void *a, const void *b, pto_mask c, pto_mask p, pto_mask q,
                std::size_t n) {
    op.not_c = not_c;
    return pto_setp(op, a, b, c, p, q, n);
}

pto_status set(pto_set_op op, bool not_c, const void *a, const void *b, pto_mask c, void *dst,
               std::size_t n) {
    op.not_c = not_c;
    return pto_set(op, a, b, c, dst, n);
}

pto_status cast(pto_dtype dst_type, pto_dtype src_type, pto_round round, pto_overflow overflow,
                const void *src, void *dst, const void *random_bits, std::size_t n) {
    return pto_cast({dst_type, src_type, round, overflow}, src, dst, random_bits, n);
}

pto_status vcvt(pto_dtype dst_type, pto_dtype src_type, pto_vrnd rnd, bool sat, const void *src,
                pto_mask mask, void *dst, std::size_t n) {
    return pto_vcvt({dst_type, src_type, rnd, sat}, src, mask, dst, n);
}

pto_status vcvt_part(const Call &shared, pto_dtype dst_type, pto_dtype src_type, pto_vrnd rnd, bool sat,
                     pto_vpart part, const Operand &src, const Operand &mask, const Operand &dst) {
    const std::size_t dst_bits = pto_dtype_bits(dst_type), src_bits = pto_dtype_bits(src_type);
    const bool narrows = dst_bits < src_bits;
    const std::size_t k = narrows ? src_bits / dst_bits : dst_bits / src_bits;
    const Operand &wide = narrows ? src : dst, &narrow = narrows ? dst : src;
    if (!src.present || !dst.present) return PTO_ERR_NULL;
    const std::size_t n = wide.count * wide.each(narrows ? src_type : dst_type);
    shared.check_elements(narrow, k * n / narrow.each(narrows ? dst_type : src_type));
    Call call = shared;
    call.n = narrows ? n : k * n;
    if (mask.present) call.check_mask(mask);
    return pto_vcvt_part({dst_type, src_type, rnd, sat}, part, src.data, call.mask(mask), dst.data, n);
}

pto_status mask_copy(const Call &call, const Operand &src, std::size_t src_lane, const Operand &dst,
                     std::size_t dst_lane, std::size_t n) {
    const std::pair<const Operand &, std::size_t> ranges[] = {{src, src_lane}, {dst, dst_lane}};
    for (const auto &[o, lane] : ranges) {
        if (!o.present) return PTO_ERR_NULL;
        const std::size_t lanes = call.mask_kind(o) == PTO_MASK_BYTE ? o.count : 8 * o.count;
        if (lane > lanes || n > lanes - lane)
            call.fail(o.argument, PTO_ERR_SIZE, "the mask has only " + std::to_string(lanes) + " lanes");
    }
    return pto_mask_copy(call.mask(src), src_lane, call.mask(dst), dst_lane, n);
}

pto_status block_amax(pto_dtype wide, const Operand &x, bool keep_nan, float *amax) {
    return pto_block_amax(wide, x.data, 0, x.rows(), x.last(), keep_nan, amax);
}

// Checks the shapes of codes and scales and the count of random words for a tensor x.
void check_blocks(const Call &call, pto_block_op op, const Operand &x, const Operand &codes,
                  const Operand &block_scales, const Operand &random_bits) {
    pto_block_size size;
    call.finish(pto_block_sizes(op, x.rows(), x.last(), &size));
    call.check_rows(codes, x.rows(), size.row_bytes);
    call.check_rows(block_scales, size.scale_rows, size.scale_cols * size.scale_bytes);
    call.check_elements(random_bits, x.rows() * (x.last() / 4 + (x.last() % 4 != 0)));
}

// pto_block_quantize() and pto_block_requantize().
template <auto function>
pto_status block_narrow(const Call &call, pto_block_op op, const Operand &x, const Operand &codes,
                        const Operand &block_scales, const Operand &random_bits) {
    check_blocks(call, op, x, codes, block_scales, random_bits);
    return function(op, x.data, 0, x.rows(), x.last(), codes.data, 0, block_scales.data, 0,
                    static_cast<const uint32_t *>(random_bits.data));
}

pto_status block_dequantize(const Call &call, pto_block_op op, const Operand &codes,
                            const Operand &block_scales, const Operand &y) {
    check_blocks(call, op, y, codes, block_scales, Operand{});
    return pto_block_dequantize(op, codes.data, 0, block_scales.data, 0, y.rows(), y.last(), y.data, 0);
}

pto_status block_sizes(const Call &, pto_block_op op, std::size_t rows, std::size_t cols,
                       pto_block_size *size) {
    return pto_block_sizes(op, rows, cols, size);
}

// Makes a pto_block_op of its members.
template <auto function, class... Others>
pto_status with_block_op(const Call &call, pto_dtype wide, pto_dtype elem, pto_block_rule rule,
                         pto_round round, bool pow2, bool two_level, float tensor, std::size_t rows,
                         std::size_t cols, Others... others) {
    pto_block_op op{};
    op.wide = wide;
    op.elem = elem;
    op.rule = rule;
    op.round = round;
    op.pow2 = pow2;
    op.two_level = two_level;
    op.tensor = tensor;
    op.block_rows = rows;
    op.block_cols = cols;
    return function(call, op, others...);
}

pto_status scales_swizzle(const Call &call, pto_scale_layout layout, const Operand &rowwise,
                          const Operand &tiled) {
    call.check_elements(tiled, pto_scales_bytes(layout, rowwise.rows(), rowwise.last()));
    return pto_scales_swizzle(layout, rowwise.data, 0, rowwise.rows(), rowwise.last(), tiled.data);
}

pto_status scales_unswizzle(const Call &call, pto_scale_layout layout, const Operand &tiled,
                            const Operand &rowwise) {
    call.check_elements(tiled, pto_scales_bytes(layout, rowwise.rows(), rowwise.last()));
    return pto_scales_unswizzle(layout, tiled.data, rowwise.rows(), rowwise.last(), rowwise.data, 0);
}

// Checks the operands of pto_block_pack() and pto_block_unpack(), and returns the columns of the tensor.
std::size_t packed_columns(const Call &call, pto_pack_layout layout, const Operand &codes,
                           const Operand &block_scales, const Operand &packed) {
    const std::size_t cols = codes.row_bytes() * (layout == PTO_PACK_TT_TILE ? 1 : 2);
    const std::size_t bytes = pto_block_pack_bytes(layout, codes.rows(), cols);
    if (bytes == 0 && codes.count != 0)
        call.fail(codes.argument, PTO_ERR_SIZE,
                  "the shape " + shape_text(codes.shape) + " does not fit the layout");
    call.check_rows(block_scales, codes.rows(), cols / (layout == PTO_PACK_GGUF_MXFP4 ? 32 : 16));
    call.check_elements(packed, bytes);
    return cols;
}

pto_status block_pack(const Call &call, pto_pack_layout layout, const Operand &codes,
                      const Operand &block_scales, const Operand &packed) {
    const std::size_t cols = packed_columns(call, layout, codes, block_scales, packed);
    return pto_block_pack(layout, codes.data, 0, block_scales.data, 0, codes.rows(), cols, packed.data);
}

pto_status block_unpack(const Call &call, pto_pack_layout layout, const Operand &packed, const Operand &codes,
                        const Operand &block_scales) {
    const std::size_t cols = packed_columns(call, layout, codes, block_scales, packed);
    return pto_block_unpack(layout, packed.data, codes.rows(), cols, codes.data, 0, block_scales.data, 0);
}

pto_status random_bits(const Call &call, const Operand &key, const Operand &counter, const Operand &out) {
    std::array<uint32_t, 2> key_words{};
    std::array<uint32_t, 4> counter_words{};
    if (!key.present || !counter.present) return PTO_ERR_NULL;
    call.check_elements(key, key_words.size());
    call.check_elements(counter, counter_words.size());
    std::memcpy(key_words.data(), key.data, sizeof key_words);
    std::memcpy(counter_words.data(), counter.data, sizeof counter_words);
    return pto_random_bits(key_words.data(), counter_words.data(), static_cast<uint32_t *>(out.data),
                           out.count);
}

// Parameters of block scaling: a pto_block_op, and the operands after it.
template <auto function, class... Operands> constexpr auto block_calls(const char *signature) {
    return calls<function, Self, Type<first>, Type<second>, Rule, Round, Bool, Bool, Float, Size, Size,
                 Operands...>(signature);
}

using In = const Operand &;

using Wide = Whole<first>;
using Codes = Whole<second>;
using BlockScales = Whole<scales>;
using Words = Whole<words>;
using Bytes = Whole<bytes>;
using AnyMask = Whole<bytes, Use::any_mask>;

} // namespace

// An export has the C call with what its parameters are, and the names of the arguments for messages.
// clang-format off
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vcmp, (calls<pto_vcmp, Type<>, Compare, Flags, Lanes<>, Lanes<>, Mask, Mask, Count>(
    "vcmp(t, op, flags, src0, src1, seed, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vcmps, (calls<pto_vcmps, Type<>, Compare, Flags, Lanes<>, Scalar<>, Mask, Mask, Count>(
    "vcmps(t, op, flags, src, scalar, seed, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(testp, (calls<pto_testp, Type<>, Test, Flags, Lanes<>, Mask, Mask, Count>(
    "testp(t, test, flags, src, seed, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(setp, (calls<setp, Setp, Bool, Lanes<>, Lanes<>, Mask, Mask, Mask, Count>(
    "setp(text, not_c, a, b, c, p, q)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(set, (calls<set, Set, Bool, Lanes<>, Lanes<>, Mask, Lanes<second>, Count>(
    "set(text, not_c, a, b, c, dst)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vsel, (calls<pto_vsel, Type<>, Lanes<>, Lanes<>, Mask, Lanes<>, Count>(
    "vsel(t, src0, src1, m, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vselr, (calls<pto_vselr, Type<>, Lanes<>, Lanes<>, Mask, Lanes<>, Count>(
    "vselr(t, src0, src1, m, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vselrv2, (calls<pto_vselrv2, Type<>, Lanes<>, Lanes<>, Mask, Lanes<>, Count>(
    "vselrv2(t, src0, src1, m, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vsels, (calls<pto_vsels, Type<>, Either, Either, Mask, Lanes<>, Count>(
    "vsels(t, src0, src1, m, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vbr, (calls<pto_vbr, Type<>, Scalar<>, Lanes<>, Count>(
    "vbr(t, scalar, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vpermute, (calls<pto_vpermute, Type<>, Size, Lanes<>, Index, Lanes<>, Count>(
    "vpermute(t, lanes, src, index, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(selp, (calls<pto_selp, Type<>, Lanes<>, Lanes<>, Mask, Lanes<>, Count>(
    "selp(t, a, b, p, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(slct, (calls<
    pto_slct, Type<>, Type<second>, Bool, Lanes<>, Lanes<>, Lanes<second>, Lanes<>, Count>(
    "slct(t, ctype, ftz, a, b, c, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vcmpsel, (calls<
    pto_vcmpsel, Type<>, Compare, Flags, Either, Either, Either, Either, Lanes<>, Count>(
    "vcmpsel(t, op, flags, x, y, u, v, dst)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vmax, (calls<pto_vmax, Type<>, Flags, Either, Either, Lanes<>, Count>(
    "vmax(t, flags, a, b, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vmin, (calls<pto_vmin, Type<>, Flags, Either, Either, Lanes<>, Count>(
    "vmin(t, flags, a, b, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vclamp, (calls<pto_vclamp, Type<>, Flags, Either, Either, Either, Lanes<>, Count>(
    "vclamp(t, flags, x, lo, hi, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vrelu, (calls<pto_vrelu, Type<>, Flags, Lanes<>, Lanes<>, Count>(
    "vrelu(t, flags, x, dst)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(cvt, (calls<pto_cvt, Cvt, Lanes<>, Lanes<second>, Extra, Count>(
    "cvt(text, src, dst, extra)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cast, (calls<
    cast, Type<second>, Type<>, Round, Overflow, Lanes<>, Lanes<second>, RandomPerElement, Count>(
    "cast(dst_type, src_type, round, overflow, src, dst, random_bits)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vcvt, (calls<
    vcvt, Type<second>, Type<>, PtoRound, Bool, Lanes<>, Mask, Lanes<second>, Count>(
    "vcvt(dst_type, src_type, rnd, sat, src, mask, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vcvt_part, (calls<
    vcvt_part, Self, Type<second>, Type<>, PtoRound, Bool, Part, Whole<first>, AnyMask, Whole<second>>(
    "vcvt_part(dst_type, src_type, rnd, sat, part, src, mask, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vtrc, (calls<pto_vtrc, Type<>, PtoRound, Lanes<>, Mask, Lanes<>, Count>(
    "vtrc(t, rnd, src, mask, dst)")));
#ifndef PTO_NO_VMATH
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vexp, (calls<pto_vexp, Type<>, Lanes<>, Mask, Lanes<>, Count>(
    "vexp(t, src, m, dst)")));
#endif

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vcompress, (calls<
    pto_vcompress, Type<>, Lanes<>, Mask, Compressed, Count, Result<std::size_t>>(
    "vcompress(t, src, m, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vexpand, (calls<
    pto_vexpand, Type<>, Compressed, Mask, Lanes<>, Count, Result<std::size_t>>(
    "vexpand(t, src, m, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vargmax, (calls<pto_vargmax, Type<>, Flags, Lanes<>, Mask, Result<std::size_t>, Count>(
    "vargmax(t, flags, src, seed)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(vargmin, (calls<pto_vargmin, Type<>, Flags, Lanes<>, Mask, Result<std::size_t>, Count>(
    "vargmin(t, flags, src, seed)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(setcc, (calls<pto_setcc, Condition, Lanes<words>, Lanes<bools>, Count>(
    "setcc(cc, eflags, dst)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(flags_cmp, (calls<pto_flags_cmp, Type<>, Lanes<>, Lanes<>, Lanes<words>, Count>(
    "flags_cmp(t, a, b, eflags)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(flags_test, (calls<pto_flags_test, Type<>, Lanes<>, Lanes<>, Lanes<words>, Count>(
    "flags_test(t, a, b, eflags)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(flags_ucomi, (calls<pto_flags_ucomi, Type<>, Lanes<>, Lanes<>, Lanes<words>, Count>(
    "flags_ucomi(t, a, b, eflags)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(cmp_setcc, (calls<
    pto_cmp_setcc, Condition, Type<>, Lanes<>, Lanes<>, Lanes<bools>, Count>(
    "cmp_setcc(cc, t, a, b, dst)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_and, (calls<pto_mask_and, Mask, Mask, Mask, GivenCount>(
    "mask_and(a, b, dst, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_or, (calls<pto_mask_or, Mask, Mask, Mask, GivenCount>(
    "mask_or(a, b, dst, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_xor, (calls<pto_mask_xor, Mask, Mask, Mask, GivenCount>(
    "mask_xor(a, b, dst, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_not, (calls<pto_mask_not, Mask, Mask, GivenCount>(
    "mask_not(a, dst, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_mov, (calls<pto_mask_mov, Mask, Mask, GivenCount>(
    "mask_mov(a, dst, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_sel, (calls<pto_mask_sel, Mask, Mask, Mask, Mask, GivenCount>(
    "mask_sel(a, b, sel, dst, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_count, (calls<pto_mask_count, Mask, GivenCount, Result<std::size_t>>(
    "mask_count(m, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_any, (calls<pto_mask_any, Mask, GivenCount, Result<bool>>(
    "mask_any(m, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_all, (calls<pto_mask_all, Mask, GivenCount, Result<bool>>(
    "mask_all(m, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_none, (calls<pto_mask_none, Mask, GivenCount, Result<bool>>(
    "mask_none(m, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_first, (calls<pto_mask_first, Mask, GivenCount, Result<std::size_t>>(
    "mask_first(m, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_copy, (calls<mask_copy, Self, AnyMask, Size, AnyMask, Size, Size>(
    "mask_copy(src, src_lane, dst, dst_lane, n)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mask_range, (calls<pto_mask_range, Mask, Size, Size, GivenCount>(
    "mask_range(dst, from, to, n)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_sizes, (block_calls<
    with_block_op<block_sizes, std::size_t, std::size_t, pto_block_size *>,
    Size, Size, Result<pto_block_size>>(
    "block_sizes(wide, elem, rule, round, pow2, two_level, tensor, "
    "block_rows, block_cols, rows, cols)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_amax, (calls<block_amax, Type<>, Wide, Bool, Result<float>>(
    "block_amax(wide, x, keep_nan)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_tensor, (calls<pto_block_tensor, Rule, Float, Result<float>>(
    "block_tensor(rule, amax)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_quantize, (block_calls<
    with_block_op<block_narrow<pto_block_quantize>, In, In, In, In>,
    Wide, Codes, BlockScales, Words>(
    "block_quantize(wide, elem, rule, round, pow2, two_level, tensor, "
    "block_rows, block_cols, x, codes, scales, rbits)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_requantize, (block_calls<
    with_block_op<block_narrow<pto_block_requantize>, In, In, In, In>,
    Wide, Codes, BlockScales, Words>(
    "block_requantize(wide, elem, rule, round, pow2, two_level, tensor, "
    "block_rows, block_cols, x, codes, scales, rbits)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_dequantize, (block_calls<
    with_block_op<block_dequantize, In, In, In>,
    Codes, BlockScales, Wide>(
    "block_dequantize(wide, elem, rule, round, pow2, two_level, tensor, "
    "block_rows, block_cols, codes, scales, y)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scales_swizzle, (calls<scales_swizzle, Self, ScaleLayout, Bytes, Bytes>(
    "scales_swizzle(layout, rowwise, tiled)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(scales_unswizzle, (calls<scales_unswizzle, Self, ScaleLayout, Bytes, Bytes>(
    "scales_unswizzle(layout, tiled, rowwise)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_pack, (calls<block_pack, Self, PackLayout, Bytes, Bytes, Bytes>(
    "block_pack(layout, codes, scales, out)")));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(block_unpack, (calls<block_unpack, Self, PackLayout, Bytes, Bytes, Bytes>(
    "block_unpack(layout, packed, codes, scales)")));

TVM_FFI_DLL_EXPORT_TYPED_FUNC(random_bits, (calls<random_bits, Self, Words, Words, Words>(
    "random_bits(key, counter, out)")));
// clang-format on
