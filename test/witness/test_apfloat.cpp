/* SPDX-License-Identifier: MIT */
/* Compares conversions between floats with LLVM's APFloat. The test covers every form whose two formats APFloat
 * has, without random bits, scales and .ftz, in all five roundings, on every ISA. The inputs are all values of up
 * to 16 bits and many longer ones.
 *
 * NaN payloads are not compared. That a result is NaN is compared only if the destination has NaNs and PTX
 * requires one. A NaN converted to tf32 loses mantissa bits like any value. .ftz is specific to PTX. */
#include <llvm/ADT/APFloat.h>

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
    std::size_t forms, compared, wrong;
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

/* ---- inputs ---- */

truth_shape shape_of(pto_dtype type) {
    truth_shape shape = {};
    shape.kind = type == PTO_F64 ? TRUTH_F64 : TRUTH_F32;
    shape.unit_bits = static_cast<unsigned>(pto_dtype_bits(type));
    shape.halves = 1;
    return shape;
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
                                   : i < TRUTH_SPECIALS ? truth_special(&shape, static_cast<unsigned>(i))
                                                        : truth_float(shape.kind, i);
        model_cvt_store(type, image.data(), i, code);
    }
    return n;
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
    std::printf("APFloat: %zu forms, %zu results compared over the ISAs, %zu differ\n", totals.forms,
                totals.compared, totals.wrong);
    return harness_end(totals.wrong == 0 && totals.forms > 100 ? 0 : 1);
}
