/* SPDX-License-Identifier: MIT */
/* Emulates VCMPPH, VMAXPH and VMINPH in plain C. */
#include "fp16/instructions.h"

#include <stdatomic.h>

enum { EXPONENT_MAX = 31, FRACTION_BITS = 10, IMPLICIT = 1 << FRACTION_BITS };

/** The relation of two values, as bits, so that sets of relations can be combined. */
enum outcome { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static _Atomic unsigned long count;

unsigned long fp16_count(void) {
    return atomic_load_explicit(&count, memory_order_relaxed);
}

/* pto_cpu_has_variant() of src/dispatch/cpu.c, which the build compiles under this name. The build also includes
 * src/dispatch/cpu.h before this file. */
bool pto_cpu_itself_has_variant(enum variant variant);

bool pto_cpu_has_variant(enum variant variant) {
    return variant == VARIANT_AVX512_FP16 || pto_cpu_itself_has_variant(variant);
}

static int exponent(uint16_t x) {
    return x >> FRACTION_BITS & EXPONENT_MAX;
}

static bool is_nan(uint16_t x) {
    return exponent(x) == EXPONENT_MAX && x % IMPLICIT != 0;
}

/** Returns the value in units of the smallest subnormal, which is never flushed. Infinity has the value of the
 * next exponent. */
static int64_t value(uint16_t x) {
    const int64_t fraction = x % IMPLICIT;
    const int64_t magnitude = exponent(x) == 0 ? fraction : (IMPLICIT + fraction) << (exponent(x) - 1);
    return x >> 15 ? -magnitude : magnitude;
}

static enum outcome relate(uint16_t a, uint16_t b) {
    if (is_nan(a) || is_nan(b)) return UNORDERED;
    return value(a) < value(b) ? LESS : value(a) > value(b) ? GREATER : EQUAL;
}

/** The relations for which each predicate is true, by the low four bits of the immediate. The fifth bit only
 * decides whether quiet NaNs raise an exception. */
static const unsigned true_of[16] = {
    /* EQ_O */ EQUAL,
    /* LT_O */ LESS,
    /* LE_O */ LESS | EQUAL,
    /* UNORD */ UNORDERED,
    /* NEQ_U */ LESS | GREATER | UNORDERED,
    /* NLT_U */ EQUAL | GREATER | UNORDERED,
    /* NLE_U */ GREATER | UNORDERED,
    /* ORD */ LESS | EQUAL | GREATER,
    /* EQ_U */ EQUAL | UNORDERED,
    /* NGE_U */ LESS | UNORDERED,
    /* NGT_U */ LESS | EQUAL | UNORDERED,
    /* FALSE */ 0,
    /* NEQ_O */ LESS | GREATER,
    /* GE_O */ EQUAL | GREATER,
    /* GT_O */ GREATER,
    /* TRUE */ LESS | EQUAL | GREATER | UNORDERED,
};

uint32_t fp16_vcmpph(uint32_t k, const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES],
                     unsigned predicate) {
    uint32_t result = 0;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    for (unsigned i = 0; i < FP16_LANES; i++) {
        const bool holds = (true_of[predicate % 16] & relate(a[i], b[i])) != 0;
        result |= (uint32_t)holds << i;
    }
    return result & k;
}

static void extremes(enum outcome first, const uint16_t *a, const uint16_t *b, uint16_t *result) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    for (unsigned i = 0; i < FP16_LANES; i++) {
        result[i] = relate(a[i], b[i]) == first ? a[i] : b[i];
    }
}

void fp16_vmaxph(const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES], uint16_t result[FP16_LANES]) {
    extremes(GREATER, a, b, result);
}

void fp16_vminph(const uint16_t a[FP16_LANES], const uint16_t b[FP16_LANES], uint16_t result[FP16_LANES]) {
    extremes(LESS, a, b, result);
}
