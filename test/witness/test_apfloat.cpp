/* SPDX-License-Identifier: MIT */
/* Compares conversions with LLVM's APFloat. The test covers every form of cvt between floats whose two formats APFloat
 * has, without random bits, scales and .ftz, in all five roundings, on every ISA; and every cast between these formats
 * and integers, in these roundings, saturating or not. The inputs are all values of up to 16 bits and many longer ones.
 *
 * NaN payloads are not compared. That a result is NaN is compared only if the destination has NaNs and PTX
 * requires one. A NaN converted to tf32 loses mantissa bits like any value. .ftz is specific to PTX. */
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include "model/model_cvt.h"
#include "support/harness.h"
}
#include "truth_inputs.h"

namespace {

using llvm::APFloat;
using Rounding = APFloat::roundingMode;
using Bytes = std::vector<unsigned char>;

/* ---- formats ---- */

const llvm::fltSemantics *semantics_of(pto_dtype type) {
    switch (type) {
    case PTO_F64: return &APFloat::IEEEdouble();
    case PTO_F32: return &APFloat::IEEEsingle();
    case PTO_TF32: return &APFloat::FloatTF32();
    case PTO_F16: return &APFloat::IEEEhalf();
    case PTO_BF16: return &APFloat::BFloat();
    case PTO_E4M3: return &APFloat::Float8E4M3FN();
    case PTO_E5M2: return &APFloat::Float8E5M2();
    case PTO_E2M3: return &APFloat::Float6E2M3FN();
    case PTO_E3M2: return &APFloat::Float6E3M2FN();
    case PTO_E2M1: return &APFloat::Float4E2M1FN();
    case PTO_E4M3FNUZ: return &APFloat::Float8E4M3FNUZ();
    case PTO_E5M2FNUZ: return &APFloat::Float8E5M2FNUZ();
    case PTO_E4M3B11FNUZ: return &APFloat::Float8E4M3B11FNUZ();
    case PTO_E4M3IEEE: return &APFloat::Float8E4M3();
    default: return nullptr;
    }
}

bool makes_nan(pto_dtype type) {
    return type != PTO_TF32 && type != PTO_E2M3 && type != PTO_E3M2 && type != PTO_E2M1;
}

/** Returns the number of unused low bits: a tf32 is stored in the upper bits of an f32. */
unsigned unused_bits(pto_dtype type) {
    return type == PTO_TF32 ? 13 : 0;
}

APFloat value_of(pto_dtype type, std::uint64_t code) {
    const llvm::fltSemantics &s = *semantics_of(type);
    return APFloat(s, llvm::APInt(APFloat::getSizeInBits(s), code >> unused_bits(type)));
}

std::uint64_t code_of(pto_dtype type, const APFloat &x) {
    return x.bitcastToAPInt().getZExtValue() << unused_bits(type);
}

/** Sets `mode` and returns true if APFloat has the rounding. No rounding means an exact conversion, or to nearest. */
bool rounding_of(pto_round round, Rounding &mode) {
    switch (round) {
    case PTO_ROUND_NONE:
    case PTO_RN: mode = Rounding::NearestTiesToEven; return true;
    case PTO_RNA: mode = Rounding::NearestTiesToAway; return true;
    case PTO_RZ: mode = Rounding::TowardZero; return true;
    case PTO_RM: mode = Rounding::TowardNegative; return true;
    case PTO_RP: mode = Rounding::TowardPositive; return true;
    default: return false;
    }
}

/* ---- a conversion ---- */

APFloat converted(const pto_cvt_op &op, Rounding mode, std::uint64_t code) {
    APFloat x = value_of(op.src, code);
    const bool negative = x.isNegative(), is_nan = x.isNaN();
    bool loses = false;
    (void)x.convert(*semantics_of(op.dst), mode, &loses);
    if (is_nan) return x;
    /* If the format has no infinity, APFloat returns a NaN, or the largest value, for overflows. */
    if (op.satfinite && !x.isFinite()) x = APFloat::getLargest(x.getSemantics(), negative);
    if ((op.relu && x.isNegative()) || (op.pzo && x.isNegZero())) x = APFloat::getZero(x.getSemantics());
    return x;
}

struct Totals {
    std::size_t forms, casts, compared, wrong;
} totals;

bool agrees(pto_dtype dst, const APFloat &want, std::uint64_t got) {
    if (!want.isNaN()) return got == code_of(dst, want);
    return value_of(dst, got).isNaN();
}

void compare_isa(const pto_cvt_op &op, pto_isa isa, const Bytes &from, const std::vector<APFloat> &want) {
    Bytes got(model_cvt_bytes(op.dst, want.size()));
    std::size_t wrong = 0;
    use_isa(isa);
    if (pto_cvt(op, from.data(), got.data(), nullptr, want.size()) != PTO_OK) std::abort();
    for (std::size_t i = 0; i < want.size(); i++) {
        const std::uint64_t code = model_cvt_load(op.dst, got.data(), i);
        if (want[i].isNaN() && !makes_nan(op.dst)) continue;
        totals.compared++;
        if (agrees(op.dst, want[i], code) || wrong++ > 3) continue;
        std::printf("%s from %s, rounding %d, %s: %" PRIx64 " becomes %" PRIx64 ", by APFloat %" PRIx64 "\n",
                    pto_dtype_name(op.dst), pto_dtype_name(op.src), static_cast<int>(op.round),
                    pto_isa_name(isa), model_cvt_load(op.src, from.data(), i), code,
                    code_of(op.dst, want[i]));
    }
    totals.wrong += wrong;
}

void compare(const pto_cvt_op &op, Rounding mode, const Bytes &from, std::size_t n) {
    std::vector<APFloat> want;
    want.reserve(n);
    for (std::size_t i = 0; i < n; i++) {
        want.push_back(converted(op, mode, model_cvt_load(op.src, from.data(), i)));
    }
    for (int isa = 0; isa < harness_isas(); isa++) {
        if (pto_isa_available(static_cast<pto_isa>(isa)))
            compare_isa(op, static_cast<pto_isa>(isa), from, want);
    }
    totals.forms++;
}

/* ---- casts ---- */

bool is_integer(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_UNSIGNED || pto_dtype_class(type) == PTO_CLASS_SIGNED;
}

bool is_signed(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_SIGNED;
}

/** A result of APFloat as an element, or as any NaN. */
struct Element {
    std::uint64_t code;
    bool is_nan;
};

APFloat source_of(const pto_cast_op &op, Rounding mode, std::uint64_t code) {
    if (!is_integer(op.src)) return value_of(op.src, code);
    const llvm::APInt integer(static_cast<unsigned>(pto_dtype_bits(op.src)), code);
    APFloat x(is_integer(op.dst) ? APFloat::IEEEquad() : *semantics_of(op.dst)); /* quad has every integer */
    (void)x.convertFromAPInt(integer, is_signed(op.src), mode);
    return x;
}

/** Returns x as an integer. APFloat clamps values that are out of range, and makes 0 of NaNs. */
Element to_integer(pto_dtype dst, Rounding mode, const APFloat &x) {
    llvm::APSInt integer(static_cast<unsigned>(pto_dtype_bits(dst)), !is_signed(dst));
    bool is_exact = false;
    (void)x.convertToInteger(integer, mode, &is_exact);
    return {integer.getZExtValue(), false};
}

Element cast(const pto_cast_op &op, Rounding mode, std::uint64_t code) {
    APFloat x = source_of(op, mode, code);
    const bool negative = is_integer(op.src)
                              ? is_signed(op.src) && (code >> (pto_dtype_bits(op.src) - 1)) != 0
                              : x.isNegative();
    const bool is_nan = !is_integer(op.src) && x.isNaN();
    bool loses = false;
    if (is_integer(op.dst)) return to_integer(op.dst, mode, x);
    (void)x.convert(*semantics_of(op.dst), mode, &loses);
    if (is_nan && pto_dtype_bits(op.dst) < 8) return {0, false};
    if (!is_nan && op.overflow == PTO_OVERFLOW_SATURATE && !x.isFinite())
        x = APFloat::getLargest(x.getSemantics(), negative);
    return {code_of(op.dst, x), x.isNaN()};
}

/** Whether the type has no NaN, so that the result of a NaN is a choice. */
bool has_no_nan(pto_dtype type) {
    return type == PTO_E2M3 || type == PTO_E3M2 || type == PTO_E2M1;
}

void compare_cast_isa(const pto_cast_op &op, pto_isa isa, const Bytes &from,
                      const std::vector<Element> &want) {
    Bytes got(model_cvt_bytes(op.dst, want.size()));
    std::size_t wrong = 0;
    use_isa(isa);
    if (pto_cast(op, from.data(), got.data(), nullptr, want.size()) != PTO_OK) std::abort();
    for (std::size_t i = 0; i < want.size(); i++) {
        const std::uint64_t code = model_cvt_load(op.dst, got.data(), i),
                            source = model_cvt_load(op.src, from.data(), i);
        /* APFloat makes 0 of infinities and -0 of NaNs if the format has neither. */
        if (has_no_nan(op.dst) && !is_integer(op.src) && !value_of(op.src, source).isFinite()) continue;
        totals.compared++;
        if (want[i].is_nan ? value_of(op.dst, code).isNaN() : code == want[i].code) continue;
        if (wrong++ > 3) continue;
        std::printf("cast, %s from %s, rounding %d, overflow %d, %s: %" PRIx64 " becomes %" PRIx64
                    ", by APFloat %" PRIx64 "\n",
                    pto_dtype_name(op.dst), pto_dtype_name(op.src), static_cast<int>(op.round),
                    static_cast<int>(op.overflow), pto_isa_name(isa), source, code, want[i].code);
    }
    totals.wrong += wrong;
}

void compare_cast(const pto_cast_op &op, Rounding mode, const Bytes &from, std::size_t n) {
    std::vector<Element> want;
    want.reserve(n);
    for (std::size_t i = 0; i < n; i++) {
        want.push_back(cast(op, mode, model_cvt_load(op.src, from.data(), i)));
    }
    for (int isa = 0; isa < harness_isas(); isa++) {
        if (pto_isa_available(static_cast<pto_isa>(isa)))
            compare_cast_isa(op, static_cast<pto_isa>(isa), from, want);
    }
    totals.casts++;
}

/* ---- inputs ---- */

truth_shape shape_of(pto_dtype type) {
    truth_shape shape = {};
    shape.kind = type == PTO_F64 ? TRUTH_F64 : TRUTH_F32;
    shape.unit_bits = static_cast<unsigned>(pto_dtype_bits(type));
    shape.halves = 1;
    return shape;
}

/** Returns integers of all magnitudes. Every other one is the negative of the one before. */
std::uint64_t any_integer(std::size_t i, std::size_t bits) {
    const std::uint64_t any = (i / 2 + 1) * 0x9e3779b97f4a7c15U;
    const std::uint64_t magnitude = (any ^ any >> 29) >> (64 - bits) >> (i / 2 % bits);
    return (i % 2 == 0 ? magnitude : 0 - magnitude) & UINT64_MAX >> (64 - bits);
}

/** Fills `image` with all codes of a type of up to 16 bits, otherwise with special and many other values. Returns
 * their number. */
std::size_t fill(pto_dtype type, Bytes &image) {
    const std::size_t bits = pto_dtype_bits(type);
    const std::size_t n = bits <= 16 ? std::size_t{1} << bits : std::size_t{1} << (harness_quick() ? 12 : 16);
    const truth_shape shape = shape_of(type);
    image.assign(model_cvt_bytes(type, n), 0);
    for (std::size_t i = 0; i < n; i++) {
        const std::uint64_t code = bits <= 16           ? i
                                   : is_integer(type)   ? any_integer(i, bits)
                                   : i < TRUTH_SPECIALS ? truth_special(&shape, static_cast<unsigned>(i))
                                                        : truth_float(shape.kind, i);
        model_cvt_store(type, image.data(), i, code);
    }
    return n;
}

bool has_type(pto_dtype type) {
    return semantics_of(type) != nullptr || is_integer(type);
}

/** Compares every cast from the type. */
void compare_casts_from(pto_dtype src) {
    static const pto_round rounds[] = {PTO_RN, PTO_RNA, PTO_RZ, PTO_RM, PTO_RP};
    Bytes from;
    const std::size_t n = fill(src, from);
    for (int dst = 0; *pto_dtype_name(static_cast<pto_dtype>(dst)) != '?'; dst++) {
        if (!has_type(static_cast<pto_dtype>(dst))) continue;
        for (const pto_round round : rounds) {
            Rounding mode{};
            (void)rounding_of(round, mode);
            compare_cast({static_cast<pto_dtype>(dst), src, round, PTO_OVERFLOW_IEEE}, mode, from, n);
            if (round == PTO_RN || round == PTO_RZ)
                compare_cast({static_cast<pto_dtype>(dst), src, round, PTO_OVERFLOW_SATURATE}, mode, from, n);
        }
    }
}

bool is_comparable(const pto_cvt_op &op, Rounding &mode) {
    return op.src != op.dst && semantics_of(op.src) != nullptr && semantics_of(op.dst) != nullptr &&
           !op.sat && !op.ftz && op.scale == PTO_SCALE_NONE && rounding_of(op.round, mode);
}

} // namespace

int main(int argc, char **argv) {
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    for (std::size_t i = 0; i < pto_cvt_form_count(); i++) {
        pto_cvt_op op;
        Rounding mode;
        Bytes from;
        if (pto_cvt_form(i, &op) != PTO_OK) return 1;
        if (!is_comparable(op, mode)) continue;
        const std::size_t n = fill(op.src, from);
        compare(op, mode, from, n);
    }
    for (int src = 0; *pto_dtype_name(static_cast<pto_dtype>(src)) != '?'; src++) {
        if (has_type(static_cast<pto_dtype>(src))) compare_casts_from(static_cast<pto_dtype>(src));
    }
    std::printf("APFloat: %zu forms of cvt, %zu casts, %zu results compared over the ISAs, %zu differ\n",
                totals.forms, totals.casts, totals.compared, totals.wrong);
    return harness_end(totals.wrong == 0 && totals.forms > 100 && totals.casts > 1000 ? 0 : 1);
}
