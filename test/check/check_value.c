/* SPDX-License-Identifier: MIT */
/* Checks the conversion of elements to double and back, against a decoder that uses ldexp, and single lanes of
 * masks. */
#include "check/checks.h"
#include "support/fpstate.h"

#include <math.h>
#include <string.h>

/** A floating-point format. `infinite` means that the top exponent is for infinities and NaNs as in IEEE 754. `nan`
 * means that only the last code is a NaN. */
struct format {
    pto_dtype type;
    int exponent, fraction, bias;
    bool infinite, nan;
    int unused_low_bits;
};

static const struct format formats[] = {
    {PTO_F16, 5, 10, 15, true, false, 0},    {PTO_BF16, 8, 7, 127, true, false, 0},
    {PTO_TF32, 8, 10, 127, true, false, 13}, {PTO_F32, 8, 23, 127, true, false, 0},
    {PTO_E4M3, 4, 3, 7, false, true, 0},     {PTO_E5M2, 5, 2, 15, true, false, 0},
    {PTO_E2M3, 2, 3, 1, false, false, 0},    {PTO_E3M2, 3, 2, 3, false, false, 0},
    {PTO_E2M1, 2, 1, 1, false, false, 0},    {PTO_E1M2, 1, 2, 1, false, false, 0},
    {PTO_E4M3IEEE, 4, 3, 7, true, false, 0}, {PTO_E3M4, 3, 4, 3, true, false, 0},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int width_of(const struct format *f) {
    return 1 + f->exponent + f->fraction;
}

static bool is_nan_code(const struct format *f, uint32_t code) {
    const uint32_t top = (1U << f->exponent) - 1, fraction = code & ((1U << f->fraction) - 1);
    if ((code >> f->fraction & top) != top) return false;
    return f->infinite ? fraction != 0 : f->nan && fraction == (1U << f->fraction) - 1;
}

static double value_of(const struct format *f, uint32_t code) {
    const uint32_t top = (1U << f->exponent) - 1;
    const uint32_t exponent = code >> f->fraction & top, fraction = code & ((1U << f->fraction) - 1);
    const double sign = code >> (f->exponent + f->fraction) & 1 ? -1.0 : 1.0;
    if (f->infinite && exponent == top) return sign * HUGE_VAL;
    if (exponent == 0) return sign * ldexp(fraction, 1 - f->bias - f->fraction);
    return sign * ldexp(fraction + (1U << f->fraction), (int)exponent - f->bias - f->fraction);
}

static void expect_value(const struct subject *s, struct report *r, pto_dtype type, const void *element,
                         double want) {
    double got = -12345;
    r->cases++;
    if (s->dtype_value(type, element, &got) != PTO_OK || bits_of(got) != bits_of(want))
        report_mismatch(r, "%a, not %a", got, want);
}

/** Converts `value` and compares all bytes of the element with `want`. Bytes after the element must not change. */
static void expect_code(const struct subject *s, struct report *r, pto_dtype type, double value,
                        uint64_t want) {
    const size_t bytes = (pto_dtype_bits(type) + 7) / 8;
    uint64_t got = 0x7777777777777777, expected = got;
    r->cases++;
    memcpy(&expected, &want, bytes);
    if (s->dtype_code(type, value, &got) != PTO_OK || got != expected)
        report_mismatch(r, "%a: %llx, not %llx", value, (unsigned long long)got,
                        (unsigned long long)expected);
}

static void expect_refused(const struct subject *s, struct report *r, pto_dtype type, double value) {
    uint64_t got = 0x7777777777777777;
    r->cases++;
    r->now.type = (int)type;
    if (s->dtype_code(type, value, &got) != PTO_ERR_SIZE || got != 0x7777777777777777)
        report_mismatch(r, "%a: not refused, or %llx written", value, (unsigned long long)got);
}

/** Returns the element as it lies in memory. If `ones` is true, all bits that do not belong to the code are set. */
static uint64_t memory_of(const struct format *f, uint32_t code, bool ones) {
    const int width = width_of(f) + f->unused_low_bits;
    const uint64_t below = (1ULL << f->unused_low_bits) - 1, above = ~(uint64_t)0 << width;
    return (uint64_t)code << f->unused_low_bits | (ones ? below | above : 0);
}

static void one_code(const struct subject *s, struct report *r, const struct format *f, uint32_t code) {
    uint64_t memory = memory_of(f, code, code % 3 == 0);
    const uint64_t clean = memory_of(f, code, false);
    double value = 0;
    r->now.type = (int)f->type;
    r->now.n = code;
    if (!is_nan_code(f, code)) {
        expect_value(s, r, f->type, &memory, value_of(f, code));
        expect_code(s, r, f->type, value_of(f, code), clean);
        return;
    }
    r->cases++;
    if (s->dtype_value(f->type, &memory, &value) != PTO_OK || !isnan(value) ||
        !signbit(value) != !(code >> (width_of(f) - 1)))
        report_mismatch(r, "%a is not this NaN", value);
    expect_code(s, r, f->type, value, clean);
}

/** Checks that the value halfway between `code` and the next code is refused. */
static void refuse_midpoint(const struct subject *s, struct report *r, const struct format *f,
                            uint32_t code) {
    const double here = value_of(f, code), next = value_of(f, code + 1);
    if (is_nan_code(f, code) || is_nan_code(f, code + 1) || isinf(here) || isinf(next)) return;
    if (signbit(here) != signbit(next)) return;
    expect_refused(s, r, f->type, (here + next) / 2);
}

static void all_ue8m0(const struct subject *s, struct report *r) {
    double value = 0;
    unsigned char code = 255;
    r->now.type = PTO_UE8M0;
    for (int i = 0; i < 255; i++) {
        code = (unsigned char)i;
        expect_value(s, r, PTO_UE8M0, &code, ldexp(1, i - 127));
        expect_code(s, r, PTO_UE8M0, ldexp(1, i - 127), (uint64_t)i);
        expect_refused(s, r, PTO_UE8M0, -ldexp(1, i - 127));
        expect_refused(s, r, PTO_UE8M0, 3 * ldexp(1, i - 127));
    }
    code = 255;
    r->cases++;
    if (s->dtype_value(PTO_UE8M0, &code, &value) != PTO_OK || !isnan(value)) report_mismatch(r, "no NaN");
    expect_code(s, r, PTO_UE8M0, value, 255);
    expect_refused(s, r, PTO_UE8M0, 0);
    expect_refused(s, r, PTO_UE8M0, ldexp(1, -128));
    expect_refused(s, r, PTO_UE8M0, ldexp(1, 128));
    expect_refused(s, r, PTO_UE8M0, HUGE_VAL);
}

static void all_s2f6(const struct subject *s, struct report *r) {
    r->now.type = PTO_S2F6;
    for (int i = -128; i < 128; i++) {
        const unsigned char code = (unsigned char)i;
        expect_value(s, r, PTO_S2F6, &code, i / 64.0);
        expect_code(s, r, PTO_S2F6, i / 64.0, code);
        expect_refused(s, r, PTO_S2F6, (i + 0.5) / 64);
    }
    expect_code(s, r, PTO_S2F6, -0.0, 0);
    expect_refused(s, r, PTO_S2F6, 2);
    expect_refused(s, r, PTO_S2F6, -129 / 64.0);
    expect_refused(s, r, PTO_S2F6, 5e-324);
    expect_refused(s, r, PTO_S2F6, HUGE_VAL);
    expect_refused(s, r, PTO_S2F6, NAN);
}

/** Checks ue5m3: the exponents of e5m2, three mantissa bits, and finite values in all codes except the last. */
static void all_ue5m3(const struct subject *s, struct report *r) {
    unsigned char code = 255;
    double value = 0;
    r->now.type = PTO_UE5M3;
    for (int i = 0; i < 255; i++) {
        const int field = i / 8, mantissa = i % 8;
        const double number = field == 0 ? ldexp(mantissa, -17) : ldexp(8 + mantissa, field - 18);
        code = (unsigned char)i;
        expect_value(s, r, PTO_UE5M3, &code, number);
        expect_code(s, r, PTO_UE5M3, number, code);
        expect_refused(s, r, PTO_UE5M3, number + ldexp(1, -18));
        if (i > 0) expect_refused(s, r, PTO_UE5M3, -number);
    }
    code = 255;
    r->cases++;
    if (s->dtype_value(PTO_UE5M3, &code, &value) != PTO_OK || !isnan(value)) report_mismatch(r, "no NaN");
    expect_code(s, r, PTO_UE5M3, NAN, 255);
    expect_code(s, r, PTO_UE5M3, -NAN, 255);
    expect_code(s, r, PTO_UE5M3, -0.0, 0);
    expect_refused(s, r, PTO_UE5M3, 122880);
    expect_refused(s, r, PTO_UE5M3, HUGE_VAL);
    expect_refused(s, r, PTO_UE5M3, -HUGE_VAL);
}

/** Checks a type with one zero, whose codes except 80, the only NaN, have values up to magnitude `largest`. */
static void all_with_one_zero(const struct subject *s, struct report *r, const struct format *f,
                              uint32_t largest) {
    unsigned char code = 0x80;
    double value = 0;
    r->now.type = (int)f->type;
    for (uint32_t i = 0; i < 256; i++) {
        if (i == 0x80 || i % 0x80 > largest) continue;
        one_code(s, r, f, i);
        if (i % 0x80 != largest) refuse_midpoint(s, r, f, i);
    }
    r->cases++;
    if (s->dtype_value(f->type, &code, &value) != PTO_OK || !isnan(value)) report_mismatch(r, "no NaN");
    expect_code(s, r, f->type, value, 0x80);
    expect_code(s, r, f->type, -NAN, 0x80);
    expect_code(s, r, f->type, -0.0, 0);
    expect_refused(s, r, f->type, 2 * value_of(f, largest));
    expect_refused(s, r, f->type, value_of(f, 0x7f) + (largest == 0x7f));
}

/** Checks a FNUZ type, in which -0 is stored as 0. */
static void all_fnuz(const struct subject *s, struct report *r, const struct format *f) {
    all_with_one_zero(s, r, f, 0x7f);
    expect_refused(s, r, f->type, HUGE_VAL);
    expect_refused(s, r, f->type, -HUGE_VAL);
}

/** Checks an extended format of P3109, in which codes 7f and ff are infinities. */
static void all_extended(const struct subject *s, struct report *r, const struct format *f) {
    const unsigned char plus = 0x7f, minus = 0xff;
    all_with_one_zero(s, r, f, 0x7e);
    expect_value(s, r, f->type, &plus, HUGE_VAL);
    expect_value(s, r, f->type, &minus, -HUGE_VAL);
    expect_code(s, r, f->type, HUGE_VAL, plus);
    expect_code(s, r, f->type, -HUGE_VAL, minus);
}

/** Checks an integer type of less than 8 bits, which is in the low bits of a byte. */
static void all_small_integers(const struct subject *s, struct report *r, pto_dtype type, int low, int high) {
    const int bits = (int)pto_dtype_bits(type), mask = (1 << bits) - 1;
    r->now.type = (int)type;
    for (int i = low; i <= high; i++) {
        const unsigned char clean = (unsigned char)(i & mask), full = (unsigned char)(i | ~mask);
        expect_value(s, r, type, &clean, i);
        expect_value(s, r, type, &full, i);
        expect_code(s, r, type, i, clean);
        expect_refused(s, r, type, i + 0.5);
    }
    expect_code(s, r, type, -0.0, 0);
    expect_refused(s, r, type, low - 1);
    expect_refused(s, r, type, high + 1);
    expect_refused(s, r, type, 1e300);
    expect_refused(s, r, type, HUGE_VAL);
    expect_refused(s, r, type, NAN);
}

static const struct format fnuz_formats[] = {{PTO_E4M3FNUZ, 4, 3, 8, false, false, 0},
                                             {PTO_E5M2FNUZ, 5, 2, 16, false, false, 0},
                                             {PTO_E4M3B11FNUZ, 4, 3, 11, false, false, 0}};

static const struct format extended_formats[] = {{PTO_BINARY8P3SE, 5, 2, 16, false, false, 0},
                                                 {PTO_BINARY8P4SE, 4, 3, 8, false, false, 0}};

static void types_of_cast(const struct subject *s, struct report *r) {
    for (size_t i = 0; i < sizeof fnuz_formats / sizeof fnuz_formats[0]; i++) {
        all_fnuz(s, r, &fnuz_formats[i]);
    }
    for (size_t i = 0; i < sizeof extended_formats / sizeof extended_formats[0]; i++) {
        all_extended(s, r, &extended_formats[i]);
    }
    all_small_integers(s, r, PTO_U4, 0, 15);
    all_small_integers(s, r, PTO_S4, -8, 7);
    all_small_integers(s, r, PTO_U2, 0, 3);
    all_small_integers(s, r, PTO_S2, -2, 1);
}

/** Checks that each type either is in one of the lists above or is refused. */
static void every_type(const struct subject *s, struct report *r) {
    static const pto_dtype others[] = {PTO_F64,      PTO_UE8M0,       PTO_S2F6,       PTO_UE5M3, PTO_E4M3FNUZ,
                                       PTO_E5M2FNUZ, PTO_E4M3B11FNUZ, PTO_U4,         PTO_S4,    PTO_U2,
                                       PTO_S2,       PTO_BINARY8P3SE, PTO_BINARY8P4SE};
    for (int t = 0; t < MODEL_DTYPES; t++) {
        const uint64_t zero = 0;
        double value = 0;
        bool is_listed = t <= PTO_S64;
        for (size_t i = 0; i < FORMATS; i++) is_listed = is_listed || formats[i].type == (pto_dtype)t;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            is_listed = is_listed || others[i] == (pto_dtype)t;
        r->cases++;
        r->now.type = t;
        if (is_listed != (s->dtype_value((pto_dtype)t, &zero, &value) == PTO_OK))
            report_mismatch(r, is_listed ? "not taken" : "taken, and not checked");
    }
}

static void narrow_integers(const struct subject *s, struct report *r) {
    for (uint32_t code = 0; code < 65536; code++) {
        const int16_t s16 = (int16_t)code;
        const int8_t s8 = (int8_t)code;
        r->now.n = code;
        expect_value(s, r, PTO_U16, &code, code);
        expect_value(s, r, PTO_B16, &code, code);
        expect_value(s, r, PTO_S16, &code, s16);
        expect_value(s, r, PTO_U8, &code, (uint8_t)code);
        expect_value(s, r, PTO_B8, &code, (uint8_t)code);
        expect_value(s, r, PTO_S8, &code, s8);
        expect_code(s, r, PTO_U16, code, code);
        expect_code(s, r, PTO_B16, code, code);
        expect_code(s, r, PTO_S16, s16, code);
        expect_code(s, r, PTO_U8, (uint8_t)code, code);
        expect_code(s, r, PTO_B8, (uint8_t)code, code);
        expect_code(s, r, PTO_S8, s8, code);
    }
}

void check_value_codes(const struct subject *s, struct report *r) {
    report_call(r, "dtype_value, dtype_code", NULL);
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *f = &formats[i];
        const uint32_t step = f->type == PTO_TF32 && r->quick ? 37 : 1;
        if (f->type == PTO_F32) continue;
        for (uint32_t code = 0; code < 1U << width_of(f) && !report_stop(r); code += step) {
            one_code(s, r, f, code);
            refuse_midpoint(s, r, f, code);
        }
    }
    all_ue8m0(s, r);
    all_s2f6(s, r);
    all_ue5m3(s, r);
    types_of_cast(s, r);
    every_type(s, r);
    narrow_integers(s, r);
}

/* ---- 32 and 64 bits ---- */

/** Checks the conversions of x if a double can represent it. Else checks that dtype_value() refuses x. C's conversion
 * to double rounds, so the result is converted back and compared with x. */
static void want_unsigned(const struct subject *s, struct report *r, pto_dtype type, uint64_t x) {
    const double value = (double)x;
    double got = 1;
    if (value < 18446744073709551616.0 && (uint64_t)value == x) {
        expect_value(s, r, type, &x, value);
        expect_code(s, r, type, value, x);
        return;
    }
    r->cases++;
    if (s->dtype_value(type, &x, &got) != PTO_ERR_SIZE || got != 1) report_mismatch(r, "no double holds it");
}

static void want_signed(const struct subject *s, struct report *r, pto_dtype type, int64_t x) {
    const double value = (double)x;
    double got = 1;
    if (value < 9223372036854775808.0 && (int64_t)value == x) {
        expect_value(s, r, type, &x, value);
        expect_code(s, r, type, value, (uint64_t)x);
        return;
    }
    r->cases++;
    if (s->dtype_value(type, &x, &got) != PTO_ERR_SIZE || got != 1) report_mismatch(r, "no double holds it");
}

static void wide_integer(const struct subject *s, struct report *r, uint64_t x) {
    int64_t as_signed;
    int32_t half;
    memcpy(&as_signed, &x, sizeof x);
    memcpy(&half, &x, sizeof half);
    want_unsigned(s, r, PTO_U64, x);
    want_unsigned(s, r, PTO_B64, x);
    want_signed(s, r, PTO_S64, as_signed);
    want_unsigned(s, r, PTO_U32, (uint32_t)x);
    want_unsigned(s, r, PTO_B32, (uint32_t)x);
    want_signed(s, r, PTO_S32, half);
}

/** Checks that both conversions of an f64 element leave its bits unchanged. */
static void same_f64(const struct subject *s, struct report *r, uint64_t x) {
    double value = 0;
    uint64_t back = 0;
    r->cases++;
    r->now.type = PTO_F64;
    if (s->dtype_value(PTO_F64, &x, &value) != PTO_OK || bits_of(value) != x ||
        s->dtype_code(PTO_F64, value, &back) != PTO_OK || back != x)
        report_mismatch(r, "%llx", (unsigned long long)x);
}

void check_value_wide(const struct subject *s, struct report *r) {
    const struct format *f32 = &formats[3];
    struct rng rng;
    rng_start(&rng, "values");
    report_call(r, "dtype_value, dtype_code", NULL);
    for (size_t i = 0; i < (r->quick ? 20000U : 400000U) && !report_stop(r); i++) {
        const uint64_t x = rng_next(&rng), bit = (uint64_t)1 << i % 64;
        wide_integer(s, r, x >> rng_below(&rng, 64) << rng_below(&rng, 64));
        wide_integer(s, r, i % 3 == 0 ? bit : i % 3 == 1 ? bit - 1 : ~bit);
        one_code(s, r, f32, (uint32_t)x);
        one_code(s, r, f32, (uint32_t)x & (i % 2 ? 0x807fffff : 0xffbfffff));
        refuse_midpoint(s, r, f32, (uint32_t)x);
        same_f64(s, r, x);
        same_f64(s, r, i % 2 ? bit : x | 0x7ff0000000000000);
    }
}

/* ---- values that a type does not have ---- */

static void refuse_large_integers(const struct subject *s, struct report *r) {
    for (int t = PTO_B8; t <= PTO_S64; t++) {
        const pto_dtype type = (pto_dtype)t;
        const int bits = (int)pto_dtype_bits(type) - (t >= PTO_S8);
        const double limit = ldexp(1, bits);
        expect_refused(s, r, type, limit);
        expect_refused(s, r, type, t >= PTO_S8 ? -limit - fmax(1, limit / 1099511627776) : -1);
        expect_refused(s, r, type, 0.5);
        expect_refused(s, r, type, 2.25);
        expect_refused(s, r, type, 5e-324);
        expect_refused(s, r, type, HUGE_VAL);
        expect_refused(s, r, type, -HUGE_VAL);
        expect_refused(s, r, type, NAN);
        expect_refused(s, r, type, ldexp(1, 1000));
        expect_code(s, r, type, -0.0, 0);
    }
}

static void refuse_large_values(const struct subject *s, struct report *r) {
    for (size_t i = 0; i < FORMATS; i++) {
        const struct format *f = &formats[i];
        const uint32_t top = (1U << (f->exponent + f->fraction)) - 1;
        const uint32_t largest = f->infinite ? top - (1U << f->fraction) : f->nan ? top - 1 : top;
        const double value = value_of(f, largest);
        expect_refused(s, r, f->type, value * (1 + ldexp(1, -f->fraction - 2)));
        expect_refused(s, r, f->type, -2 * value);
        expect_refused(s, r, f->type, ldexp(1, 1023));
        expect_refused(s, r, f->type, 5e-324);
        expect_refused(s, r, f->type, value_of(f, 1) / 2);
        if (!f->infinite) expect_refused(s, r, f->type, HUGE_VAL);
        if (!f->infinite && !f->nan) expect_refused(s, r, f->type, NAN);
        if (f->infinite || f->nan) {
            uint64_t thin = 0x7ff0000000000001; /* a NaN whose payload does not fit */
            double nan;
            memcpy(&nan, &thin, sizeof nan);
            expect_code(s, r, f->type, nan, (uint64_t)top << f->unused_low_bits);
        }
    }
}

static void statuses(const struct subject *s, struct report *r) {
    static const int none[] = {PTO_F16X2, PTO_BF16X2, PTO_U8X4, PTO_S8X4,     PTO_U16X2,
                               PTO_S16X2, PTO_HIF8,   -1,       MODEL_DTYPES, 1000};
    uint64_t element = 0;
    double value = 1;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        r->cases += 4;
        r->now.type = none[i];
        if (s->dtype_value((pto_dtype)none[i], &element, &value) != PTO_ERR_TYPE || value != 1)
            report_mismatch(r, "value of no type");
        if (s->dtype_code((pto_dtype)none[i], 1, &element) != PTO_ERR_TYPE || element != 0)
            report_mismatch(r, "code of no type");
        if (s->dtype_value((pto_dtype)none[i], NULL, &value) != PTO_ERR_NULL ||
            s->dtype_value((pto_dtype)none[i], &element, NULL) != PTO_ERR_NULL)
            report_mismatch(r, "value: NULL");
        if (s->dtype_code((pto_dtype)none[i], 1, NULL) != PTO_ERR_NULL) report_mismatch(r, "code: NULL");
    }
}

void check_value_refused(const struct subject *s, struct report *r) {
    report_call(r, "dtype_value, dtype_code", "refused");
    refuse_large_integers(s, r);
    refuse_large_values(s, r);
    statuses(s, r);
}

/* ---- floating-point state ---- */

void check_value_fpstate(const struct subject *s, struct report *r) {
    static const uint64_t codes[] = {1, 0x3c01, 0x7c01, 0x7fc1, 0x80000001, 0x7f800001, 0x123456789abcdef};
    static const pto_dtype types[] = {PTO_F16, PTO_BF16, PTO_F32, PTO_F64, PTO_S64, PTO_E5M2, PTO_UE8M0};
    const struct fp_state mine = fp_state_get();
    struct fp_state state;
    const char *title;
    report_call(r, "dtype_value, dtype_code", NULL);
    for (size_t i = 0; fp_state_hostile(i, &state, &title) && !report_stop(r); i++) {
        for (size_t k = 0; k < 49; k++) {
            struct fp_state before, after;
            uint64_t values[2] = {0, 0}, back[2] = {0, 0};
            pto_status status[4];
            double value;
            memset(&value, 0, sizeof value);
            status[0] = s->dtype_value(types[k % 7], &codes[k / 7], &value);
            status[1] = s->dtype_code(types[k % 7], value, &back[0]);
            memcpy(&values[0], &value, sizeof value);
            memset(&value, 0, sizeof value);
            fp_state_set(&state);
            before = fp_state_get();
            status[2] = s->dtype_value(types[k % 7], &codes[k / 7], &value);
            status[3] = s->dtype_code(types[k % 7], value, &back[1]);
            after = fp_state_get();
            fp_state_set(&mine);
            memcpy(&values[1], &value, sizeof value);
            r->now.detail = title;
            r->cases++;
            if (status[0] != status[2] || status[1] != status[3] || values[0] != values[1] ||
                back[0] != back[1])
                report_mismatch(r, "other results");
            if (!fp_state_same(&before, &after)) report_mismatch(r, "the state has changed");
        }
    }
}

/* ---- masks ---- */

enum { LANES = 80, BUFFER_SIZE = LANES };

void check_mask_lanes(const struct subject *s, struct report *r) {
    unsigned char image[BUFFER_SIZE], expected[BUFFER_SIZE];
    const pto_mask strange = {image, (pto_mask_kind)9};
    struct rng rng;
    rng_start(&rng, "lanes");
    report_call(r, "mask_get, mask_set", NULL);
    for (size_t i = 0; i < 2000 && !report_stop(r); i++) {
        const pto_mask_kind kind = (pto_mask_kind)(i % 6);
        const pto_mask mask = {image, kind};
        const size_t lane = rng_below(&rng, LANES);
        const bool on = rng_below(&rng, 2);
        rng_fill(&rng, image, sizeof image);
        if (i % 5 == 0) memset(image, 0, sizeof image);
        r->now.n = lane;
        r->cases += 2;
        if (s->mask_get(mask, lane) != model_mask_get(kind, image, lane))
            report_mismatch(r, "the lane is not read");
        memcpy(expected, image, sizeof image);
        model_mask_set(kind, expected, lane, on);
        s->mask_set(mask, lane, on);
        report_image(r, expected, image, sizeof image);
    }
    r->cases += 2;
    if (!s->mask_get(PTO_NO_MASK, 7)) report_mismatch(r, "no mask");
    if (s->mask_get(strange, 0)) report_mismatch(r, "no kind");
    s->mask_set(PTO_NO_MASK, 7, true);
    s->mask_set(strange, 0, true);
}
