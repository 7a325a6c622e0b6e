/* SPDX-License-Identifier: MIT */
/** @file cuda_rows.h The conversions of NVIDIA's headers, as functions over arrays, with their cvt forms. */
#ifndef PTO_TEST_CUDA_ROWS_H
#define PTO_TEST_CUDA_ROWS_H

#include <cuda.h> /* CUDA_VERSION */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <pto/pto.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

/* ---- values of a header's type in memory, laid out as for pto_cvt ---- */

template <class T> struct Memory {
    static constexpr std::size_t bits = 8 * sizeof(T);
    static T load(const unsigned char *from, std::size_t i) {
        T value;
        std::memcpy(static_cast<void *>(&value), from + i * sizeof value, sizeof value);
        return value;
    }
    static void store(unsigned char *to, std::size_t i, const T &value) {
        std::memcpy(to + i * sizeof value, static_cast<const void *>(&value), sizeof value);
    }
};

/** A single e2m1 code, which headers store in a byte and pto_cvt() in half a byte. */
template <> struct Memory<__nv_fp4_e2m1> {
    static constexpr std::size_t bits = 4;
    static __nv_fp4_e2m1 load(const unsigned char *from, std::size_t i) {
        __nv_fp4_e2m1 value;
        value.__x = static_cast<unsigned char>(from[i / 2] >> 4 * (i % 2) & 15);
        return value;
    }
    static void store(unsigned char *to, std::size_t i, const __nv_fp4_e2m1 &value) {
        const unsigned low = i % 2 != 0 ? to[i / 2] & 15U : 0;
        to[i / 2] = static_cast<unsigned char>(low | static_cast<unsigned>(value.__x) << 4 * (i % 2));
    }
};

/* ---- rows ---- */

struct Row {
    std::string witness;
    pto_cvt_op op;
    std::size_t src_bits; /* bits that one call reads: one element or two */
    std::function<void(const unsigned char *src, unsigned char *dst, std::size_t calls)> run;
    int isa; /* the PTX version that introduced the form */
};

using Rows = std::vector<Row>;

inline pto_cvt_op operation(pto_dtype dst, pto_dtype src, pto_round round, bool satfinite = false) {
    pto_cvt_op op{};
    op.dst = dst;
    op.src = src;
    op.round = round;
    op.satfinite = satfinite;
    return op;
}

/** Returns the row of a cvt form. `call` computes its result from an argument of the header's type S. */
template <class S, class Call>
Row row_of(const std::string &witness, const pto_cvt_op &op, Call call, int isa = 90) {
    using D = decltype(call(S()));
    const auto run = [call](const unsigned char *src, unsigned char *dst, std::size_t calls) {
        for (std::size_t i = 0; i < calls; i++) {
            Memory<D>::store(dst, i, call(Memory<S>::load(src, i)));
        }
    };
    return {witness, op, Memory<S>::bits, run, isa};
}

/* ---- the rows of the headers ---- */

void add_half_rows(Rows &rows);
void add_bfloat16_rows(Rows &rows);
void add_small_rows(Rows &rows); /* fp8, fp6, fp4, e8m0 and, if the headers have it, ue5m3 */

#endif
