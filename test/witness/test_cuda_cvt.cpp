/* SPDX-License-Identifier: MIT */
/* Compares pto_cvt() with the host code of NVIDIA's cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_fp6.h and
 * cuda_fp4.h. The test covers every function and cast of theirs that is a PTX cvt, or a pair of types that
 * pto_cvt() composes. The inputs are all values of up to 16 bits and about a million longer ones. Results must be
 * identical, NaNs included, on every ISA.
 *
 * The host code converts with integer operations, or with operations that are exact in every rounding mode. The
 * only NaN on which sources disagree is that of f32 <- bf16. The headers keep its payload, as the code that ptxas
 * emits does.
 *
 * NaNs of double are left out: for f16 and bf16 the headers return 7fff, while an H100 keeps sign and payload. */
#include "witness/cuda_rows.h"

#include <cstdint>
#include <cstdio>

extern "C" {
#include "support/harness.h"
}
#include "truth_inputs.h"

namespace {

/* ---- inputs ---- */

using Bytes = std::vector<unsigned char>;

void append(Bytes &image, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; i++) {
        image.push_back(static_cast<unsigned char>(value >> 8 * i));
    }
}

/** Returns all pairs of neighbours for 4 and 8 bits. For 16 bits, returns all values, once in order and once with
 * neighbours that differ much. */
Bytes all_inputs(std::size_t bits) {
    Bytes image;
    if (bits == 4) {
        for (unsigned i = 0; i < 256; i++) append(image, i, 1);
        return image;
    }
    for (unsigned i = 0; i < 65536; i++) append(image, i, 2);
    for (std::uint64_t i = 0; i < 65536; i++) append(image, i * 40503U, 2);
    return image;
}

truth_shape shape_of(pto_dtype type) {
    truth_shape shape = {};
    shape.kind = type == PTO_F32 ? TRUTH_F32 : type == PTO_F64 ? TRUTH_F64 : TRUTH_INT;
    shape.unit_bits = static_cast<unsigned>(pto_dtype_bits(type));
    shape.halves = 1;
    return shape;
}

/** Appends a source, unless it is a NaN of double. */
void append_source(Bytes &image, pto_dtype type, std::uint64_t value) {
    const std::uint64_t sign = std::uint64_t(1) << 63, infinity = 0x7ff0000000000000;
    if (type != PTO_F64 || (value & ~sign) <= infinity) append(image, value, pto_dtype_bits(type) / 8);
}

/** Returns values of 32 or 64 bits at a fixed stride, as many values near rounding and range limits, and special
 * values. */
Bytes some_inputs(pto_dtype type) {
    const truth_shape shape = shape_of(type);
    const std::size_t size = shape.unit_bits / 8;
    const std::uint64_t step = shape.unit_bits == 32 ? 8191 : 35184372088777U; /* primes near 2^13 and 2^45 */
    const std::uint64_t count = harness_quick() ? 1 << 14 : 1 << 19, times = (1 << 19) / count;
    Bytes image;
    image.reserve(2 * count * size + TRUTH_SPECIALS * size);
    for (std::uint64_t i = 0; i < count; i++) {
        const std::uint64_t number = harness_seed() + i;
        append_source(image, type, i * times * step & truth_all_bits(shape.unit_bits));
        append_source(image, type,
                      shape.kind == TRUTH_INT ? truth_integer(shape.unit_bits, number)
                                              : truth_float(shape.kind, number));
    }
    for (unsigned i = 0; i < TRUTH_SPECIALS; i++) append_source(image, type, truth_special(&shape, i));
    return image;
}

/** Returns the inputs of a type, which are made on the first call. */
const Bytes &inputs_of(pto_dtype type) {
    static Bytes made[MODEL_DTYPES];
    Bytes &image = made[type];
    if (image.empty())
        image = pto_dtype_bits(type) <= 16 ? all_inputs(pto_dtype_bits(type)) : some_inputs(type);
    return image;
}

/* ---- comparing ---- */

struct Totals {
    std::size_t rows, conversions, compared, wrong_rows;
} totals;

std::uint64_t element(const unsigned char *image, std::size_t bits, std::size_t i) {
    std::uint64_t value = 0;
    if (bits == 4) return Memory<__nv_fp4_e2m1>::load(image, i).__x;
    for (std::size_t k = bits / 8; k-- > 0;) {
        value = value << 8 | image[i * (bits / 8) + k];
    }
    return value;
}

/** Returns the name of a row: the form, the header's function and the ISA. */
std::string title(const Row &row, pto_isa isa) {
    static const char *const rounds[] = {"", ".rn", ".rna", ".rz", ".rm", ".rp"};
    return std::string(pto_dtype_name(row.op.dst)) + " <- " + pto_dtype_name(row.op.src) + " " +
           (row.op.round <= PTO_RP ? rounds[row.op.round] : ".r.i") +
           (row.op.satfinite ? ".satfinite, " : ", ") + row.witness + ", " + pto_isa_name(isa);
}

/** Prints the first elements that differ, and the number of differences. */
void explain(const Row &row, pto_isa isa, const Bytes &src, const Bytes &want, const Bytes &got,
             std::size_t n) {
    const std::size_t src_bits = pto_dtype_bits(row.op.src), dst_bits = pto_dtype_bits(row.op.dst);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; i++) {
        const std::uint64_t w = element(want.data(), dst_bits, i), g = element(got.data(), dst_bits, i);
        if (w == g || wrong++ >= 4) continue;
        std::printf("%s: %0*llx gives %0*llx, the header %0*llx\n", title(row, isa).c_str(),
                    static_cast<int>(src_bits / 4),
                    static_cast<unsigned long long>(element(src.data(), src_bits, i)),
                    static_cast<int>(dst_bits / 4), static_cast<unsigned long long>(g),
                    static_cast<int>(dst_bits / 4), static_cast<unsigned long long>(w));
    }
    std::printf("%s: %zu of %zu differ\n", title(row, isa).c_str(), wrong, n);
}

bool compare_isa(const Row &row, pto_isa isa, const Bytes &src, const Bytes &want, std::size_t n) {
    Bytes got(want.size(), 0x77);
    if (pto_isa_use(isa) != PTO_OK) return false;
    const pto_status status = pto_cvt(row.op, src.data(), got.data(), nullptr, n);
    if (status != PTO_OK) {
        std::printf("%s: %s\n", title(row, isa).c_str(), status_name(status));
        return false;
    }
    totals.compared += n;
    if (got == want) return true;
    explain(row, isa, src, want, got, n);
    return false;
}

void compare_row(const Row &row) {
    const Bytes &src = inputs_of(row.op.src);
    const std::size_t n = 8 * src.size() / pto_dtype_bits(row.op.src);
    Bytes want(n * pto_dtype_bits(row.op.dst) / 8, 0);
    bool good = true;
    totals.rows++;
    row.run(src.data(), want.data(), 8 * src.size() / row.src_bits);
    for (int i = 0; i < harness_isas(); i++) {
        const auto isa = static_cast<pto_isa>(i);
        if (pto_isa_available(isa)) good = compare_isa(row, isa, src, want, n) && good;
    }
    totals.conversions += n;
    totals.wrong_rows += good ? 0 : 1;
}

} /* namespace */

int main(int argc, char **argv) {
    const int status = harness_start(argc, argv);
    Rows rows;
    if (status != 0) return status;
    add_half_rows(rows);
    add_bfloat16_rows(rows);
    add_small_rows(rows);
    for (const Row &row : rows) {
        compare_row(row);
    }
    std::printf(
        "headers of CUDA %d.%d: %zu functions and casts, %zu conversions, %zu results compared over the "
        "ISAs; %zu functions differ\n",
        CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10, totals.rows, totals.conversions, totals.compared,
        totals.wrong_rows);
    return harness_end(totals.wrong_rows == 0 ? 0 : 1);
}
