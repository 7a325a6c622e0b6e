/* SPDX-License-Identifier: MIT */
/* Compares cvt between f32, f64 and the integers, and rounding to integral values, with the CPU's own conversions.
 * The CPU rounds correctly under each of the four rounding modes of <fenv.h>. C defines the result except for NaNs
 * and integers out of range, which are not compared. This file is compiled with -frounding-math, and operands are
 * volatile, so that the compiler neither converts at compile time nor moves a conversion across a change of the
 * mode. */
#include "support/harness.h"
#include "truth_inputs.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#    pragma STDC FENV_ACCESS ON
#endif

enum { MODES = 4, INTEGERS = 8, LONGEST = 1 << 20 };

struct mode {
    int fenv;
    pto_round to_float, to_integral;
};

static const struct mode modes[MODES] = {{FE_TONEAREST, PTO_RN, PTO_RNI},
                                         {FE_TOWARDZERO, PTO_RZ, PTO_RZI},
                                         {FE_DOWNWARD, PTO_RM, PTO_RMI},
                                         {FE_UPWARD, PTO_RP, PTO_RPI}};

static const pto_dtype integers[INTEGERS] = {PTO_S8,  PTO_U8,  PTO_S16, PTO_U16,
                                             PTO_S32, PTO_U32, PTO_S64, PTO_U64};

/** The inputs, the CPU's results, and for which inputs C defines the result. */
static struct fixture {
    size_t n;
    unsigned char src[8 * LONGEST], want[8 * LONGEST], got[8 * LONGEST];
    unsigned char defined[LONGEST];
    size_t conversions, compared, mismatches;
} w;

/* ---- elements ---- */

static uint64_t load(const unsigned char *image, pto_dtype type, size_t i) {
    uint64_t bits = 0;
    const size_t size = pto_dtype_bits(type) / 8;
    memcpy(&bits, image + i * size, size);
    return bits;
}

static void store(unsigned char *image, pto_dtype type, size_t i, uint64_t bits) {
    const size_t size = pto_dtype_bits(type) / 8;
    memcpy(image + i * size, &bits, size);
}

static float f32_of(uint64_t bits) {
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint64_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool is_signed(pto_dtype type) {
    return type == PTO_S8 || type == PTO_S16 || type == PTO_S32 || type == PTO_S64;
}

/** Returns the value of a signed element. */
static int64_t extend(pto_dtype type, uint64_t bits) {
    const unsigned unused = 64 - (unsigned)pto_dtype_bits(type);
    const uint64_t moved = bits << unused;
    int64_t value;
    memcpy(&value, &moved, sizeof value);
    return value < 0 ? -(int64_t)(~(uint64_t)value >> unused) - 1 : (int64_t)((uint64_t)value >> unused);
}

/* ---- the CPU's results, in the current rounding mode; false if C does not define the result ---- */

typedef bool answer(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result);

static bool f32_from_f64(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result) {
    volatile double x = f64_of(bits);
    volatile float y = (float)x;
    (void)dst;
    (void)src;
    *result = bits_of_f32(y);
    return !isnan(x);
}

static bool f64_from_f32(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result) {
    volatile float x = f32_of(bits);
    volatile double y = x;
    (void)dst;
    (void)src;
    *result = bits_of_f64(y);
    return !isnan(x);
}

static bool integral_f32(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result) {
    volatile float x = f32_of(bits);
    volatile float y = rintf(x);
    (void)dst;
    (void)src;
    *result = bits_of_f32(y);
    return !isnan(x);
}

static bool integral_f64(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result) {
    volatile double x = f64_of(bits);
    volatile double y = rint(x);
    (void)dst;
    (void)src;
    *result = bits_of_f64(y);
    return !isnan(x);
}

/*
 * Converts through signed 64-bit integers, for which CPUs have one instruction. Larger unsigned integers are first
 * halved, with the lost bit kept as a sticky bit, and the result is doubled, which is exact. The sequences that
 * compilers generate for them give -0 for 0 when rounding down.
 */
static bool float_from_integer(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result) {
    const bool halved = !is_signed(src) && bits >> 63 != 0;
    volatile int64_t x = halved           ? (int64_t)(bits >> 1 | (bits & 1))
                         : is_signed(src) ? extend(src, bits)
                                          : (int64_t)bits;
    if (dst == PTO_F32) {
        volatile float y = (float)x;
        *result = bits_of_f32(halved ? y * 2 : y);
    } else {
        volatile double y = (double)x;
        *result = bits_of_f64(halved ? y * 2 : y);
    }
    return true;
}

static bool in_range(pto_dtype type, int64_t value) {
    const unsigned bits = (unsigned)pto_dtype_bits(type);
    if (is_signed(type)) return extend(type, (uint64_t)value & truth_all_bits(bits)) == value;
    return value >= 0 && (uint64_t)value <= truth_all_bits(bits);
}

/** f32 is converted to double exactly. Doubles of 2^63 and more are integers, which only u64 can hold. */
static bool integer_from_float(pto_dtype dst, pto_dtype src, uint64_t bits, uint64_t *result) {
    const double two63 = 9223372036854775808.0;
    volatile double x = src == PTO_F32 ? (double)f32_of(bits) : f64_of(bits);
    int64_t value;
    if (isnan(x) || x < -two63 || x >= 2 * two63) return false;
    if (x >= two63) {
        *result = (uint64_t)(int64_t)(x - two63) | (uint64_t)1 << 63;
        return dst == PTO_U64;
    }
    value = llrint(x);
    *result = (uint64_t)value & truth_all_bits((unsigned)pto_dtype_bits(dst));
    return in_range(dst, value);
}

/* ---- inputs: special values, all values of short types, for others a stride and values near rounding limits ---- */

static struct truth_shape shape_of(pto_dtype type) {
    struct truth_shape shape = {.kind = TRUTH_INT, .halves = 1};
    if (type == PTO_F32) shape.kind = TRUTH_F32;
    if (type == PTO_F64) shape.kind = TRUTH_F64;
    shape.unit_bits = (unsigned)pto_dtype_bits(type);
    return shape;
}

static void fill(pto_dtype type) {
    const struct truth_shape shape = shape_of(type);
    const uint64_t step = shape.unit_bits == 64 ? 70368744177679U : 16381; /* primes near 2^46 and 2^14 */
    const uint64_t strided = harness_quick() ? 1 << 13 : 1 << 18;
    const uint64_t structured = strided;
    w.n = 0;
    for (unsigned i = 0; i < TRUTH_SPECIALS; i++) {
        store(w.src, type, w.n++, truth_special(&shape, i));
    }
    if (shape.unit_bits <= 16) {
        for (uint64_t i = 0; i < (uint64_t)1 << shape.unit_bits; i++) store(w.src, type, w.n++, i);
        return;
    }
    for (uint64_t i = 0; i < strided; i++) {
        store(w.src, type, w.n++, i * (((uint64_t)1 << 18) / strided) * step);
    }
    for (uint64_t i = 0; i < structured; i++) {
        const uint64_t index = harness_seed() + i;
        store(w.src, type, w.n++,
              shape.kind == TRUTH_INT ? truth_integer(shape.unit_bits, index)
                                      : truth_float(shape.kind, index));
    }
}

/* ---- comparing ---- */

static void differ(pto_cvt_op op, pto_isa isa, size_t i) {
    if (w.mismatches++ >= 16) return;
    printf("%s <- %s, rounding %d, %s: %" PRIx64 " gives %" PRIx64 ", the CPU %" PRIx64 "\n",
           pto_dtype_name(op.dst), pto_dtype_name(op.src), (int)op.round, pto_isa_name(isa),
           load(w.src, op.src, i), load(w.got, op.dst, i), load(w.want, op.dst, i));
}

static void compare_isa(pto_cvt_op op, pto_isa isa) {
    memset(w.got, 0x77, w.n * pto_dtype_bits(op.dst) / 8);
    const pto_status used = pto_isa_use(isa);
    const pto_status status = used != PTO_OK ? used : pto_cvt(op, w.src, w.got, NULL, w.n);
    if (status != PTO_OK) {
        printf("%s <- %s, rounding %d, %s: %s\n", pto_dtype_name(op.dst), pto_dtype_name(op.src),
               (int)op.round, pto_isa_name(isa), status_name(status));
        w.mismatches++;
        return;
    }
    for (size_t i = 0; i < w.n; i++) {
        if (!w.defined[i]) continue;
        w.compared++;
        if (load(w.got, op.dst, i) != load(w.want, op.dst, i)) differ(op, isa, i);
    }
}

/** Compares one form in one rounding mode, which is set only for the CPU's conversions. */
static void compare_form(pto_dtype dst, pto_dtype src, const struct mode *mode, pto_round round,
                         answer *cpu) {
    const pto_cvt_op op = {.dst = dst, .src = src, .round = round};
    if (fesetround(mode->fenv) != 0) abort();
    for (size_t i = 0; i < w.n; i++) {
        uint64_t bits = 0;
        w.defined[i] = cpu(dst, src, load(w.src, src, i), &bits);
        store(w.want, dst, i, bits);
        w.conversions += w.defined[i];
    }
    if (fesetround(FE_TONEAREST) != 0) abort();
    for (int i = 0; i < harness_isas(); i++) {
        if (pto_isa_available((pto_isa)i)) compare_isa(op, (pto_isa)i);
    }
}

static void compare_from_float(pto_dtype src) {
    const bool f32 = src == PTO_F32;
    fill(src);
    for (size_t m = 0; m < MODES; m++) {
        for (size_t i = 0; i < INTEGERS; i++) {
            compare_form(integers[i], src, &modes[m], modes[m].to_integral, integer_from_float);
        }
        compare_form(src, src, &modes[m], modes[m].to_integral, f32 ? integral_f32 : integral_f64);
        if (!f32) compare_form(PTO_F32, src, &modes[m], modes[m].to_float, f32_from_f64);
    }
    if (f32) compare_form(PTO_F64, src, &modes[0], PTO_ROUND_NONE, f64_from_f32);
}

static void compare_from_integer(pto_dtype src) {
    fill(src);
    for (size_t m = 0; m < MODES; m++) {
        compare_form(PTO_F32, src, &modes[m], modes[m].to_float, float_from_integer);
        compare_form(PTO_F64, src, &modes[m], modes[m].to_float, float_from_integer);
    }
}

int main(int argc, char **argv) {
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    compare_from_float(PTO_F32);
    compare_from_float(PTO_F64);
    for (size_t i = 0; i < INTEGERS; i++) {
        compare_from_integer(integers[i]);
    }
    printf("%zu conversions by the CPU, %zu results compared over the ISAs, %zu mismatches\n", w.conversions,
           w.compared, w.mismatches);
    return harness_end(w.mismatches == 0 && w.compared != 0 ? 0 : 1);
}
