/* SPDX-License-Identifier: MIT */
/* Bit-exact PTX arithmetic on arrays of integers. */
#include "floats.h"

#include <string.h>

/* ---- integers ---- */

static inline uint64_t load(const void *from, size_t bytes, size_t i) {
    uint64_t x = 0;
    memcpy(&x, (const unsigned char *)from + i * bytes, bytes);
    return x;
}

static inline void store(void *to, size_t bytes, size_t i, uint64_t x) {
    memcpy((unsigned char *)to + i * bytes, &x, bytes);
}

static inline uint64_t shift_right(uint64_t a, uint32_t by, unsigned bits, bool arithmetic) {
    const uint64_t signs = arithmetic && a >> (bits - 1) != 0 ? ~(uint64_t)0 : 0;
    const uint64_t wide = bits == 64 ? a : a | signs << bits;
    if (by >= bits) return signs;
    return by == 0 ? wide : wide >> by | signs << (64 - by);
}

static inline uint64_t integer(enum arithmetic op, uint64_t a, uint64_t b, unsigned bits,
                               bool is_signed_type) {
    switch (op) {
    case ARITHMETIC_ADD: return a + b;
    case ARITHMETIC_SUB: return a - b;
    case ARITHMETIC_MUL: return a * b;
    case ARITHMETIC_NEG: return 0 - a;
    case ARITHMETIC_ABS: return a >> (bits - 1) != 0 ? 0 - a : a;
    case ARITHMETIC_SHL: return b >= bits ? 0 : a << b;
    default: return shift_right(a, (uint32_t)b, bits, is_signed_type);
    }
}

/* Callers pass constants for `op` and `bytes`, so that the compiler makes a separate loop for each combination. */
static inline void integer_loop(enum arithmetic op, size_t bytes, bool is_signed_type,
                                const struct addresses *at, size_t n) {
    const bool shift = op == ARITHMETIC_SHL || op == ARITHMETIC_SHR,
               one = op == ARITHMETIC_NEG || op == ARITHMETIC_ABS;
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = load(at->src[0], bytes, i);
        const uint64_t b = one ? 0 : load(at->src[1], shift ? 4 : bytes, i);
        store(at->dst[0], bytes, i, integer(op, a, b, (unsigned)bytes * 8, is_signed_type));
    }
}

static inline void integer_loop_by_width(enum arithmetic op, size_t bytes, bool is_signed_type,
                                         const struct addresses *at, size_t n) {
    switch (bytes) {
    case 1: integer_loop(op, 1, is_signed_type, at, n); break;
    case 2: integer_loop(op, 2, is_signed_type, at, n); break;
    case 4: integer_loop(op, 4, is_signed_type, at, n); break;
    default: integer_loop(op, 8, is_signed_type, at, n); break;
    }
}

static void dispatch_integers(enum arithmetic op, size_t bytes, bool is_signed_type,
                              const struct addresses *at, size_t n) {
    switch (op) {
    case ARITHMETIC_ADD: integer_loop_by_width(ARITHMETIC_ADD, bytes, false, at, n); break;
    case ARITHMETIC_SUB: integer_loop_by_width(ARITHMETIC_SUB, bytes, false, at, n); break;
    case ARITHMETIC_MUL: integer_loop_by_width(ARITHMETIC_MUL, bytes, false, at, n); break;
    case ARITHMETIC_NEG: integer_loop_by_width(ARITHMETIC_NEG, bytes, false, at, n); break;
    case ARITHMETIC_ABS: integer_loop_by_width(ARITHMETIC_ABS, bytes, false, at, n); break;
    case ARITHMETIC_SHL: integer_loop_by_width(ARITHMETIC_SHL, bytes, false, at, n); break;
    default: integer_loop_by_width(ARITHMETIC_SHR, bytes, is_signed_type, at, n); break;
    }
}

pto_status pto_arithmetic(enum arithmetic op, const struct typed_parameters *typed,
                          const struct addresses *at, size_t n) {
    const pto_dtype type = typed->type;
    const pto_class class = pto_dtype_class(type);
    n *= typed->elements_per_lane;
    if (class == PTO_CLASS_FLOAT) return pto_floats(op, typed, at, n);
    dispatch_integers(op, pto_dtype_bits(type) / 8, class == PTO_CLASS_SIGNED, at, n);
    return PTO_OK;
}
