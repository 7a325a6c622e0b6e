/* SPDX-License-Identifier: MIT */
/* Tests the operations of kernel programs that work lane by lane, against models in C. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_kernel_text.h"
#include "program/pto_running.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LANES = 64, HALVES = 128 };

/* Runs "%r = pto.OPERATION" on the registers %x and %y, the scalar %s and the mask %m, in which the lanes 0,
 * 3, 6, .. are on, and stores %r. `type` is the type of the elements, `bits` their width. */
static void run_operation(const char *operation, const char *type, unsigned bits, const void *in, void *out) {
    char body[2048];
    const unsigned lanes = 2048 / bits;
    (void)snprintf(body, sizeof body,
                   "%%m = pto.pset_b%u \"PAT_M3\" : !pto.mask<b%u>\n"
                   "%%x = pto.vlds %%in_%s[%%c0] : !pto.ptr<%s, ub> -> !pto.vreg<%ux%s>\n"
                   "%%y = pto.vlds %%in_%s[%%c%u] : !pto.ptr<%s, ub> -> !pto.vreg<%ux%s>\n"
                   "%%s = pto.load_scalar %%in_%s[%%c512] : !pto.ptr<%s, ub> -> %s\n"
                   "%%r = pto.%s -> !pto.vreg<%ux%s>\n"
                   "pto.vsts %%r, %%out_%s[%%c0] : !pto.vreg<%ux%s>, !pto.ptr<%s, ub>",
                   bits, bits, type, type, lanes, type, type, lanes, type, lanes, type, type, type,
                   type[0] == 'u' || type[0] == 's' ? type + 1 : type, operation, lanes, type, type, lanes,
                   type, type);
    kernel_run(body, in, out);
}

/* ---- f32 ---- */

static double model_f32(const char *name, double x, double y, double s) {
    if (strcmp(name, "vadd") == 0) return x + y;
    if (strcmp(name, "vsub") == 0) return x - y;
    if (strcmp(name, "vmul") == 0) return x * y;
    if (strcmp(name, "vdiv") == 0) return (float)x / (float)y;
    if (strcmp(name, "vadds") == 0) return x + s;
    if (strcmp(name, "vmuls") == 0) return x * s;
    if (strcmp(name, "vmaxs") == 0) return isnan(x) ? NAN : x > s ? x : s;
    if (strcmp(name, "vmins") == 0) return isnan(x) ? NAN : x < s ? x : s;
    if (strcmp(name, "vlrelu") == 0) return x >= 0 ? x : x * s;
    if (strcmp(name, "vprelu") == 0) return x >= 0 ? x : x * y;
    if (strcmp(name, "vmax") == 0)
        return isnan(x) || isnan(y) ? NAN : x == y ? (signbit(x) ? y : x) : x > y ? x : y;
    if (strcmp(name, "vmin") == 0)
        return isnan(x) || isnan(y) ? NAN : x == y ? (signbit(x) ? x : y) : x < y ? x : y;
    if (strcmp(name, "vsqrt") == 0) return sqrtf((float)x);
    if (strcmp(name, "vrelu") == 0) return x > 0 ? x : 0;
    return 0;
}

static void same_float(const char *name, size_t i, float is, float should) {
    if (isnan(is) && isnan(should)) return;
    if (f32_bits(is) != f32_bits(should)) fail_msg("%s, lane %zu: %a and not %a", name, i, is, should);
}

#define V32 "!pto.vreg<64xf32>"
#define B32 "!pto.mask<b32>"

static void floats(void **state) {
    static const char *const two[] = {"vadd", "vsub", "vmul", "vdiv", "vmax", "vmin", "vprelu"},
                             *const scalar[] = {"vadds", "vmuls", "vmaxs", "vmins", "vlrelu"},
                             *const one[] = {"vsqrt", "vrelu"};
    float in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_f32("kernel floats", in, KERNEL_IN / 4);
    in[512] = 0.37F;
    for (size_t k = 0; k < 14; k++) {
        const char *name = k < 7 ? two[k] : k < 12 ? scalar[k - 7] : one[k - 12];
        char operation[200];
        (void)snprintf(operation, sizeof operation,
                       k < 7    ? "%s %%x, %%y, %%m : " V32 ", " V32 ", " B32
                       : k < 12 ? "%s %%x, %%s, %%m : " V32 ", f32, " B32
                                : "%s %%x, %%m : " V32 ", " B32,
                       name);
        run_operation(operation, "f32", 32, in, out);
        for (size_t i = 0; i < LANES; i++)
            same_float(name, i, out[i],
                       i % 3 != 0 ? 0 : (float)model_f32(name, in[i], in[LANES + i], in[512]));
    }
}

/* Only the sign bit changes, also that of a NaN. */
static void signs(void **state) {
    float in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_f32("kernel signs", in, KERNEL_IN / 4);
    in[0] = bits_f32(0xff812345);
    in[3] = bits_f32(0x7fc00001);
    run_operation("vabs %x, %m : " V32 ", " B32, "f32", 32, in, out);
    for (size_t i = 0; i < LANES; i++)
        assert_int_equal(f32_bits(out[i]), i % 3 != 0 ? 0 : f32_bits(in[i]) & 0x7fffffff);
    run_operation("vneg %x, %m : " V32 ", " B32, "f32", 32, in, out);
    for (size_t i = 0; i < LANES; i++)
        assert_int_equal(f32_bits(out[i]), i % 3 != 0 ? 0 : f32_bits(in[i]) ^ 0x80000000);
}

/* Sums of products are rounded once. x * x is 1 + 2^-11 + 2^-24, and rounding the product to f32 would lose
 * the last term. */
static void fused(void **state) {
    static const char *const operations[] = {"vaxpy %x, %y, %s, %m : " V32 ", " V32 ", f32, " B32,
                                             "vmadd %x, %x, %y, %m : " V32 ", " V32 ", " V32 ", " B32,
                                             "vmula %y, %x, %x, %m : " V32 ", " V32 ", " V32 ", " B32};
    float in[KERNEL_IN / 4] = {0}, out[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < LANES; i++) {
        in[i] = 1 + 0x1p-12F;
        in[LANES + i] = -1 - 0x1p-11F;
    }
    in[512] = 1 + 0x1p-12F;
    for (size_t k = 0; k < 3; k++) {
        run_operation(operations[k], "f32", 32, in, out);
        for (size_t i = 0; i < LANES; i++) same_float(operations[k], i, out[i], i % 3 != 0 ? 0 : 0x1p-24F);
    }
}

/* These logarithms are not near the middle of two f32 values, so rounding log() suffices. The relative error of vexp is
 * at most 2^-23, that of vexpdif at most 2^-22. */
static void exponentials(void **state) {
    float in[KERNEL_IN / 4] = {0}, out[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < LANES; i++) in[i] = (float)i * 0.7F - 20;
    in[0] = -INFINITY;
    in[3] = NAN;
    run_operation("vln %x, %m : " V32 ", " B32, "f32", 32, in, out);
    for (size_t i = 0; i < LANES; i += 3) same_float("vln", i, out[i], (float)log((double)in[i]));
#ifndef PTO_NO_VMATH
    run_operation("vexp %x, %m : " V32 ", " B32, "f32", 32, in, out);
    same_float("vexp", 0, out[0], 0);
    assert_true(isnan(out[3]));
    for (size_t i = 6; i < LANES; i += 3) {
        const double wanted = exp((double)in[i]);
        assert_true(fabs(out[i] - wanted) <= wanted * 0x1p-23);
    }
    run_operation("vexpdif %x, %y, %m, \"ODD\" : " V32 ", " V32 ", " B32, "f32", 32, in, out);
    for (size_t i = 6; i < LANES; i += 3)
        assert_true(fabs(out[i] - exp((double)in[i])) <= exp((double)in[i]) * 0x1p-22);
#endif
}

/* Logarithms near the middle of two f32 values: log() of glibc 2.36, rounded to f32, is the other one. The results were
 * computed with 60 decimal digits. */
static void logarithms(void **state) {
    static const float facts[][2] = {{0x1.827a74p-7F, -0x1.1c2b1ep+2F},
                                     {0x1.2f1fd6p+3F, 0x1.1fcbcep+1F},
                                     {0x1.bacb4ap+25F, 0x1.1e0696p+4F},
                                     {0x1.b121a6p+76F, 0x1.a9a3f2p+5F},
                                     {0x1.6351d8p+95F, 0x1.08b512p+6F}};
    float in[KERNEL_IN / 4] = {0}, out[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) in[3 * i] = facts[i][0];
    run_operation("vln %x, %m : " V32 ", " B32, "f32", 32, in, out);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        same_float("vln", 3 * i, out[3 * i], facts[i][1]);
}

/* ---- f16: quotients, roots, exponentials and logarithms are rounded correctly ---- */

static double f16_value(uint16_t x) {
    const int exponent = x >> 10 & 31, fraction = x & 1023;
    const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                             : exponent == 0 ? ldexp(fraction, -24)
                                             : ldexp(1024 + fraction, exponent - 25);
    return x & 0x8000 ? -magnitude : magnitude;
}

/* Fails the test if a neighbour of the f16 x is nearer to `exact` than x is. */
static void nearest_f16(const char *name, size_t i, uint16_t x, double exact) {
    const double is = f16_value(x);
    if (isnan(exact) || isnan(is) || isinf(is) || fabs(exact) > 65504) {
        if (isnan(exact) != isnan(is)) fail_msg("%s, lane %zu: %04x of %a", name, i, x, exact);
        return;
    }
    for (int k = -1; k <= 1; k += 2)
        if (fabs(f16_value((uint16_t)(x + k)) - exact) < fabs(is - exact) && (x & 0x7fff) != 0)
            fail_msg("%s, lane %zu: %04x is not the nearest to %a", name, i, x, exact);
}

#define V16 "!pto.vreg<128xf16>"
#define B16 "!pto.mask<b16>"

static void halves(void **state) {
    uint16_t in[KERNEL_IN / 2], out[KERNEL_OUT / 2];
    (void)state;
    fill_bytes("kernel halves", in, sizeof in);
    run_operation("vdiv %x, %y, %m : " V16 ", " V16 ", " B16, "f16", 16, in, out);
    for (size_t i = 0; i < HALVES; i += 3)
        nearest_f16("vdiv", i, out[i], f16_value(in[i]) / f16_value(in[HALVES + i]));
    run_operation("vmul %x, %y, %m : " V16 ", " V16 ", " B16, "f16", 16, in, out);
    for (size_t i = 0; i < HALVES; i += 3)
        nearest_f16("vmul", i, out[i], f16_value(in[i]) * f16_value(in[HALVES + i]));
    run_operation("vsqrt %x, %m : " V16 ", " B16, "f16", 16, in, out);
    for (size_t i = 0; i < HALVES; i += 3) nearest_f16("vsqrt", i, out[i], sqrt(f16_value(in[i])));
#ifndef PTO_NO_VMATH
    run_operation("vexp %x, %m : " V16 ", " B16, "f16", 16, in, out);
    for (size_t i = 0; i < HALVES; i += 3) nearest_f16("vexp", i, out[i], exp(f16_value(in[i])));
#endif
    for (size_t i = 0; i < HALVES; i++)
        if (i % 3 != 0) assert_int_equal(out[i], 0);
}

/* For all f16 values, the exponential and the logarithm are the f16 that is nearest to the result in long
 * double. */
static void functions_of_all_halves(void **state) {
    static const char body[] = "scf.for %i = %c0 to %c1024 step %c128 {\n"
                               "  %x = pto.vlds %in_f16[%i] : !pto.ptr<f16, ub> -> " V16 "\n"
                               "  %r = pto.vln %x : " V16 " -> " V16 "\n"
#ifndef PTO_NO_VMATH
                               "  %e = pto.vexp %x : " V16 " -> " V16 "\n"
                               "  %j = arith.addi %i, %c1024 : index\n"
                               "  pto.vsts %e, %out_f16[%j] : " V16 ", !pto.ptr<f16, ub>\n"
#endif
                               "  pto.vsts %r, %out_f16[%i] : " V16 ", !pto.ptr<f16, ub>\n}";
    uint16_t in[KERNEL_IN / 2], out[KERNEL_OUT / 2];
    (void)state;
    for (uint32_t first = 0; first < 65536; first += 1024) {
        for (uint32_t i = 0; i < KERNEL_IN / 2; i++) in[i] = (uint16_t)(first + i);
        kernel_run(body, in, out);
        for (size_t i = 0; i < 1024; i++) {
            const double x = f16_value(in[i]);
            nearest_f16("vln", in[i], out[i],
                        x == 0  ? -INFINITY
                        : x < 0 ? NAN
                                : (double)logl((long double)x));
#ifndef PTO_NO_VMATH
            nearest_f16("vexp", in[i], out[1024 + i], (double)expl((long double)x));
#endif
        }
    }
}

/* ---- integers ---- */

static int64_t model_integer(const char *name, int64_t x, int64_t y, int64_t s, unsigned bits) {
    const uint64_t by = (uint64_t)y & ((1ULL << bits) - 1), all = (1ULL << bits) - 1;
    if (strcmp(name, "vadd") == 0) return x + y;
    if (strcmp(name, "vsub") == 0) return x - y;
    if (strcmp(name, "vmul") == 0) return (int64_t)((uint64_t)x * (uint64_t)y);
    if (strcmp(name, "vdiv") == 0) return x / y;
    if (strcmp(name, "vand") == 0) return x & y;
    if (strcmp(name, "vor") == 0) return x | y;
    if (strcmp(name, "vxor") == 0) return x ^ y;
    if (strcmp(name, "vmax") == 0) return x > y ? x : y;
    if (strcmp(name, "vmin") == 0) return x < y ? x : y;
    if (strcmp(name, "vshl") == 0) return by >= bits ? 0 : (int64_t)((uint64_t)x << by);
    if (strcmp(name, "vshr") == 0 && x >= 0) return by >= bits ? 0 : x >> by;
    if (strcmp(name, "vshr") == 0) return by >= bits ? -1 : ~(~x >> by);
    if (strcmp(name, "vadds") == 0) return x + s;
    if (strcmp(name, "vmuls") == 0) return (int64_t)((uint64_t)x * (uint64_t)s);
    if (strcmp(name, "vmaxs") == 0) return x > s ? x : s;
    if (strcmp(name, "vmins") == 0) return x < s ? x : s;
    if (strcmp(name, "vabs") == 0) return x < 0 ? -x : x;
    if (strcmp(name, "vneg") == 0) return -x;
    if (strcmp(name, "vnot") == 0) return (int64_t)((uint64_t)x ^ all);
    return x > 0 ? x : 0; /* vrelu */
}

/* Returns lane i of an array. Elements are signed unless the name of the type begins with "u". */
static int64_t lane(const void *from, const char *type, unsigned bits, size_t i) {
    uint64_t x = 0;
    memcpy(&x, (const unsigned char *)from + i * bits / 8, bits / 8);
    if (type[0] != 'u' && x >> (bits - 1)) x |= ~0ULL << bits;
    return (int64_t)x;
}

static void integers_of(const char *type, unsigned bits) {
    static const char *const names[] = {"vadd",  "vsub", "vmul", "vdiv", "vand",  "vor",   "vxor",
                                        "vmax",  "vmin", "vshl", "vshr", "vadds", "vmuls", "vmaxs",
                                        "vmins", "vabs", "vneg", "vnot", "vrelu"};
    unsigned char in[KERNEL_IN], out[KERNEL_OUT];
    const size_t lanes = 2048 / bits;
    char vector[32], mask[32], scalar[8];
    (void)snprintf(vector, sizeof vector, "!pto.vreg<%zux%s>", lanes, type);
    (void)snprintf(mask, sizeof mask, "!pto.mask<b%u>", bits);
    (void)snprintf(scalar, sizeof scalar, "%s", type[0] == 'i' ? type : type + 1);
    fill_bytes(type, in, sizeof in);
    for (size_t i = 0; i < lanes; i++) /* small shift counts, and no divisor that is zero */
        if (i % 6 == 0 || lane(in + 256, type, bits, i) == 0) {
            memset(in + 256 + i * bits / 8, 0, bits / 8);
            in[256 + i * bits / 8] = (unsigned char)(1 + i % (bits + 3));
        }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char operation[200];
        const bool with_scalar = strlen(names[k]) == 5 && names[k][4] == 's', one = k >= 15;
        (void)snprintf(operation, sizeof operation, "%s %%x%s, %%m : %s%s%s, %s", names[k],
                       one           ? ""
                       : with_scalar ? ", %s"
                                     : ", %y",
                       vector, one ? "" : ", ",
                       one           ? ""
                       : with_scalar ? scalar
                                     : vector,
                       mask);
        run_operation(operation, type, bits, in, out);
        for (size_t i = 0; i < lanes; i++) {
            const int64_t x = lane(in, type, bits, i), y = lane(in + 256, type, bits, i),
                          s = lane(in, type, bits, 512);
            uint64_t wanted = (uint64_t)model_integer(names[k], x, y, s, bits) & ((1ULL << bits) - 1), is = 0;
            memcpy(&is, out + i * bits / 8, bits / 8);
            if (i % 3 != 0) wanted = 0;
            if (is != wanted)
                fail_msg("%s of %s, lane %zu: %llx and not %llx", names[k], type, i, (unsigned long long)is,
                         (unsigned long long)wanted);
        }
    }
}

static void integers(void **state) {
    (void)state;
    integers_of("i32", 32);
    integers_of("ui32", 32);
    integers_of("si16", 16);
    integers_of("ui16", 16);
    integers_of("i16", 16);
    integers_of("i8", 8);
    integers_of("ui8", 8);
}

static void least_integer_by_minus_one(void **state) {
    int32_t in[KERNEL_IN / 4] = {INT32_MIN, 0, 0, 7}, out[KERNEL_OUT / 4];
    (void)state;
    for (size_t i = 0; i < LANES; i++) in[LANES + i] = -1;
    run_operation("vdiv %x, %y, %m : !pto.vreg<64xi32>, !pto.vreg<64xi32>, " B32, "i32", 32, in, out);
    assert_int_equal(out[0], INT32_MIN);
    assert_int_equal(out[3], -7);
    run_operation("vabs %x, %m : !pto.vreg<64xi32>, " B32, "i32", 32, in, out);
    assert_int_equal(out[0], INT32_MIN);
}

/* ---- carries and long products ---- */

#define U32 "!pto.vreg<64xui32>"

static void carries(void **state) {
    static const char body[] =
        "%m = pto.pset_b32 \"PAT_M3\" : " B32 "\n"
        "%all = pto.pset_b32 \"PAT_ALL\" : " B32 "\n"
        "%x = pto.vlds %in_ui32[%c0] : !pto.ptr<ui32, ub> -> " U32 "\n"
        "%y = pto.vlds %in_ui32[%c64] : !pto.ptr<ui32, ub> -> " U32 "\n"
        "%s, %c = pto.vaddc %x, %y, %m : " U32 ", " U32 ", " B32 " -> " U32 ", " B32 "\n"
        "%t, %d = pto.vaddcs %x, %y, %c, %all : " U32 ", " U32 ", " B32 ", " B32 " -> " U32 ", " B32 "\n"
        "%u, %e = pto.vsubc %x, %y, %all : " U32 ", " U32 ", " B32 " -> " U32 ", " B32 "\n"
        "%v, %f = pto.vsubcs %x, %y, %c, %all : " U32 ", " U32 ", " B32 ", " B32 " -> " U32 ", " B32 "\n"
        "%one = arith.constant 1 : i32\n%zero = arith.constant 0 : i32\n"
        "%ones = pto.vbr %one : i32 -> " U32 "\n%zeros = pto.vbr %zero : i32 -> " U32 "\n"
        "%cs = pto.vsel %ones, %zeros, %c : " U32 ", " U32 ", " B32 " -> " U32 "\n"
        "%ds = pto.vsel %ones, %zeros, %d : " U32 ", " U32 ", " B32 " -> " U32 "\n"
        "%es = pto.vsel %ones, %zeros, %e : " U32 ", " U32 ", " B32 " -> " U32 "\n"
        "%fs = pto.vsel %ones, %zeros, %f : " U32 ", " U32 ", " B32 " -> " U32 "\n"
        "%low, %high = pto.vmull %x, %y, %all : " U32 ", " U32 ", " B32 " -> " U32 ", " U32 "\n"
        "pto.vsts %s, %out_ui32[%c0] : " U32 ", !pto.ptr<ui32, ub>\n"
        "pto.vsts %cs, %out_ui32[%c64] : " U32 ", !pto.ptr<ui32, ub>\n"
        "pto.vsts %t, %out_ui32[%c128] : " U32 ", !pto.ptr<ui32, ub>\n"
        "%c192 = arith.constant 192 : index\n"
        "pto.vsts %ds, %out_ui32[%c192] : " U32 ", !pto.ptr<ui32, ub>\n"
        "pto.vsts %u, %out_ui32[%c256] : " U32 ", !pto.ptr<ui32, ub>\n"
        "%c320 = arith.constant 320 : index\n%c384 = arith.constant 384 : index\n%c448 = arith.constant 448 "
        ": index\n"
        "pto.vsts %es, %out_ui32[%c320] : " U32 ", !pto.ptr<ui32, ub>\n"
        "pto.vsts %v, %out_ui32[%c384] : " U32 ", !pto.ptr<ui32, ub>\n"
        "pto.vsts %fs, %out_ui32[%c448] : " U32 ", !pto.ptr<ui32, ub>\n"
        "pto.vsts %low, %out_ui32[%c512] : " U32 ", !pto.ptr<ui32, ub>\n"
        "%c576 = arith.constant 576 : index\n"
        "pto.vsts %high, %out_ui32[%c576] : " U32 ", !pto.ptr<ui32, ub>";
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_bytes("kernel carries", in, sizeof in);
    in[0] = in[LANES] = 5; /* equal operands: no borrow unless there is a borrow in */
    in[3] = UINT32_MAX;
    in[LANES + 3] = UINT32_MAX;
    kernel_run(body, in, out);
    for (size_t i = 0; i < LANES; i++) {
        const uint64_t x = in[i], y = in[LANES + i], carry = i % 3 == 0 && x + y > UINT32_MAX;
        assert_int_equal(out[i], i % 3 != 0 ? 0 : (uint32_t)(x + y));
        assert_int_equal(out[64 + i], carry);
        assert_int_equal(out[128 + i], (uint32_t)(x + y + carry));
        assert_int_equal(out[192 + i], x + y + carry > UINT32_MAX);
        assert_int_equal(out[256 + i], (uint32_t)(x - y));
        assert_int_equal(out[320 + i], x >= y);
        assert_int_equal(out[384 + i], (uint32_t)(x - y - (1 - carry)));
        assert_int_equal(out[448 + i], x >= y + (1 - carry));
        assert_int_equal(out[512 + i], (uint32_t)(x * y));
        assert_int_equal(out[576 + i], (uint32_t)(x * y >> 32));
    }
}

/* ---- compare and select ---- */

static void compares(void **state) {
    static const char *const modes[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    float in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_f32("kernel compares", in, KERNEL_IN / 4);
    for (size_t i = 0; i < LANES; i += 5) in[LANES + i] = in[i];
    for (size_t k = 0; k < 12; k++) {
        const bool a5 = k >= 6;
        char body[1200];
        (void)snprintf(body, sizeof body,
                       "%%m = pto.pset_b32 \"PAT_M4\" : " B32 "\n"
                       "%%x = pto.vlds %%in_f32[%%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
                       "%%y = pto.vlds %%in_f32[%%c64] : !pto.ptr<f32, ub> -> " V32 "\n"
                       "%%p = pto.vcmp %%x, %%y, %%m, \"%s\" : " V32 ", " V32 ", " B32 " -> " B32 "\n"
                       "%%r = pto.vsel %%x, %%y, %%p : " V32 ", " V32 ", " B32 " -> " V32 "\n"
                       "pto.vsts %%r, %%out_f32[%%c0] : " V32 ", !pto.ptr<f32, ub>",
                       modes[k % 6]);
        pto_program_free(kernel_run_with(
            body, (pto_program_options){.profile = a5 ? PTO_PROFILE_A5 : PTO_PROFILE_PTX}, in, out));
        for (size_t i = 0; i < LANES; i++) {
            const float x = in[i], y = in[LANES + i];
            const bool unordered = isnan(x) || isnan(y);
            const bool relations[] = {x == y, unordered ? a5 : x != y, x<y, x <= y, x> y, x >= y};
            const bool on = i % 4 == 0 && relations[k % 6];
            if (f32_bits(out[i]) != f32_bits(on ? x : y)) fail_msg("%s, lane %zu", modes[k % 6], i);
        }
    }
}

/* vselr selects lanes by their numbers, modulo the number of lanes. */
static void lanes_by_number(void **state) {
    static const char body[] = "%x = pto.vlds %in_f32[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
                               "%i = pto.vlds %in_i32[%c64] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n"
                               "%r = pto.vselr %x, %i : " V32 ", !pto.vreg<64xi32> -> " V32 "\n"
                               "pto.vsts %r, %out_f32[%c0] : " V32 ", !pto.ptr<f32, ub>";
    uint32_t in[KERNEL_IN / 4], out[KERNEL_OUT / 4];
    (void)state;
    fill_bytes("kernel permute", in, sizeof in);
    kernel_run(body, in, out);
    for (size_t i = 0; i < LANES; i++) assert_int_equal(out[i], in[in[64 + i] % 64]);
}

/* ---- conversions ---- */

static void narrowed_integers(void **state) {
    static const char body[] =
        "%m = pto.pset_b32 \"PAT_M3\" : " B32 "\n"
        "%x = pto.vlds %in_i32[%c0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>\n"
        "%a = pto.vcvt %x, %m {part = \"P2\"} : !pto.vreg<64xi32>, " B32 " -> !pto.vreg<256xsi8>\n"
        "%b = pto.vcvt %x, %m {sat = \"SAT\", part = \"P1\"} : !pto.vreg<64xi32>, " B32
        " -> !pto.vreg<256xsi8>\n"
        "pto.vsts %a, %out_si8[%c0] : !pto.vreg<256xsi8>, !pto.ptr<si8, ub>\n"
        "pto.vsts %b, %out_si8[%c256] : !pto.vreg<256xsi8>, !pto.ptr<si8, ub>";
    int32_t in[KERNEL_IN / 4];
    int8_t out[KERNEL_OUT];
    (void)state;
    fill_bytes("kernel narrow", in, sizeof in);
    for (size_t i = 0; i < LANES; i += 2) in[i] = (int32_t)i * 6 - 190;
    kernel_run(body, in, out);
    for (size_t i = 0; i < 4 * (size_t)LANES; i++) {
        const int32_t x = in[i / 4];
        const bool on = i / 4 % 3 == 0;
        assert_int_equal(out[i], on && i % 4 == 2 ? (int8_t)(uint8_t)x : 0);
        assert_int_equal(out[256 + i], on && i % 4 == 1 ? (x < -128 ? -128 : x > 127 ? 127 : x) : 0);
    }
}

/* With saturation, overflows give the largest finite value. With options.recorded, three conversions give the
 * values that the vendor's test cases recorded. */
static void recorded_overflows(void **state) {
    static const char body[] = "%m = pto.pset_b32 \"PAT_ALL\" : " B32 "\n"
                               "%x = pto.vlds %in_f32[%c0] : !pto.ptr<f32, ub> -> " V32 "\n"
                               "%a = pto.vcvt %x, %m {rnd = \"A\", sat = \"SAT\", part = \"P0\"} : " V32
                               ", " B32 " -> !pto.vreg<256xf8E4M3FN>\n"
                               "%b = pto.vcvt %x, %m {rnd = \"A\", sat = \"SAT\", part = \"P0\"} : " V32
                               ", " B32 " -> !pto.vreg<256xf8E5M2>\n"
                               "%c = pto.vcvt %x, %m {rnd = \"Z\", sat = \"SAT\", part = \"P0\"} : " V32
                               ", " B32 " -> !pto.vreg<256xf8E5M2>\n"
                               "%d = pto.vbitcast %a : !pto.vreg<256xf8E4M3FN> -> !pto.vreg<256xui8>\n"
                               "%e = pto.vbitcast %b : !pto.vreg<256xf8E5M2> -> !pto.vreg<256xui8>\n"
                               "%f = pto.vbitcast %c : !pto.vreg<256xf8E5M2> -> !pto.vreg<256xui8>\n"
                               "pto.vsts %d, %out_ui8[%c0] : !pto.vreg<256xui8>, !pto.ptr<ui8, ub>\n"
                               "pto.vsts %e, %out_ui8[%c256] : !pto.vreg<256xui8>, !pto.ptr<ui8, ub>\n"
                               "pto.vsts %f, %out_ui8[%c512] : !pto.vreg<256xui8>, !pto.ptr<ui8, ub>";
    float in[KERNEL_IN / 4] = {1000, -1000, 1e10F, -1e10F, 1};
    uint8_t out[KERNEL_OUT];
    (void)state;
    kernel_run(body, in, out);
    assert_int_equal(out[0], 0x7e);
    assert_int_equal(out[4], 0xfe);
    assert_int_equal(out[256 + 8], 0x7b);
    assert_int_equal(out[512 + 8], 0x7b);
    pto_program_free(kernel_run_with(body, (pto_program_options){.recorded = true}, in, out));
    assert_int_equal(out[0], 0x78);
    assert_int_equal(out[4], 0xf8);
    assert_int_equal(out[16], 0x38);
    assert_int_equal(out[256 + 8], 0x7d);
    assert_int_equal(out[256 + 12], 0xfd);
    assert_int_equal(out[512 + 8], 0x7c);
    assert_int_equal(out[512 + 16], 0x3c);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats),
        cmocka_unit_test(signs),
        cmocka_unit_test(fused),
        cmocka_unit_test(exponentials),
        cmocka_unit_test(logarithms),
        cmocka_unit_test(halves),
        cmocka_unit_test(functions_of_all_halves),
        cmocka_unit_test(integers),
        cmocka_unit_test(least_integer_by_minus_one),
        cmocka_unit_test(carries),
        cmocka_unit_test(compares),
        cmocka_unit_test(lanes_by_number),
        cmocka_unit_test(narrowed_integers),
        cmocka_unit_test(recorded_overflows),
    };
    const int status = harness_start(argc, argv);
    if (status) return status;
    return harness_end(cmocka_run_group_tests_name("pto_kernels", tests, NULL, NULL));
}
