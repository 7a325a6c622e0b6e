/* SPDX-License-Identifier: MIT */
/*
 * Tests that decimal and hexadecimal numbers are converted to elements with one rounding. For two adjacent values of
 * a format the test reads three texts: the exact middle, a number just below it, and one just above it. They are so
 * close that no double lies between them and the middle. The expected results follow from the codes of the format.
 */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "element.h"
#include "value.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 2400 };

static uint64_t code_of(const char *text, pto_dtype type, enum value_result *fit) {
    uint64_t element = 0;
    *fit = value_read(text, type, &element);
    return element_bits(type, &element);
}

static void expect(const char *text, pto_dtype type, uint64_t code, enum value_result wanted) {
    enum value_result fit;
    const uint64_t got = code_of(text, type, &fit);
    if (got != code || fit != wanted)
        fail_msg("%s %.400s is %llx with fit %d, expected %llx with fit %d", pto_dtype_name(type), text,
                 (unsigned long long)got, (int)fit, (unsigned long long)code, (int)wanted);
}

/* Changes the exact decimal number in `text` to one just below it: its last nonzero digit minus one, then many
 * nines. */
static void just_below(char *text) {
    char *digit = text + strlen(text) - 1;
    while (*digit == '0' || *digit == '.') {
        if (*digit == '0') *digit = '9';
        --digit;
    }
    *digit = (char)(*digit - 1);
    memcpy(text + strlen(text), "999999999999999999999999999999", sizeof "999999999999999999999999999999");
}

static void put_sign(char *to, bool minus, const char *text) {
    (void)snprintf(to, TEXT, "%s%s", minus ? "-" : "", text);
}

/* Checks the texts of `middle`, which lies halfway between the values of `low` and `high`, and of numbers just below
 * and above it. `tie` is the code that `middle` itself rounds to. */
static void check_middle(pto_dtype type, long double middle, uint64_t low, uint64_t high, uint64_t tie) {
    const bool minus = middle < 0;
    char digits[TEXT - 100], text[TEXT];
    (void)snprintf(digits, sizeof digits, "%.1100Lf", fabsl(middle)); /* exact, with trailing zeros */
    put_sign(text, minus, digits);
    expect(text, type, tie, VALUE_ROUNDED);
    (void)snprintf(text, sizeof text, "%s%s1", minus ? "-" : "", digits);
    expect(text, type, minus ? low : high, VALUE_ROUNDED);
    put_sign(text, minus, digits);
    just_below(text);
    expect(text, type, minus ? high : low, VALUE_ROUNDED);
}

static void check_pair(pto_dtype type, uint64_t low, uint64_t high) {
    double a = 0, b = 0;
    uint64_t below = 0, above = 0;
    element_from_bits(type, low, &below);
    element_from_bits(type, high, &above);
    assert_true(element_value(type, &below, &a) && element_value(type, &above, &b));
    assert_true(a < b);
    if (type == PTO_HIF8) /* ties go away from zero */
        check_middle(type, ((long double)a + b) / 2, low, high, fabs(a) > fabs(b) ? low : high);
    else
        check_middle(type, ((long double)a + b) / 2, low, high, low % 2 == 0 ? low : high);
}

struct entry {
    double value;
    uint64_t code;
};

static int by_value(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Checks every pair of adjacent values, or one in 37 for 16-bit formats. Only one code of zero is used. */
static void small_formats(void **state) {
    static const pto_dtype types[] = {PTO_E4M3, PTO_E5M2,  PTO_E2M3, PTO_E3M2,  PTO_E2M1, PTO_E1M2,
                                      PTO_S2F6, PTO_UE5M3, PTO_HIF8, PTO_UE8M0, PTO_F16,  PTO_BF16};
    static struct entry entries[65536];
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t) {
        const pto_dtype type = types[t];
        const unsigned codes = 1U << (type == PTO_E2M3 || type == PTO_E3M2 ? 6 : pto_dtype_bits(type));
        const size_t step = codes > 256 ? 37 : 1;
        size_t count = 0;
        for (unsigned code = 0; code < codes; ++code) {
            uint64_t element = 0;
            double value;
            element_from_bits(type, code, &element);
            if (!element_value(type, &element, &value) || !isfinite(value)) continue;
            if (value == 0 && code != 0) continue;
            entries[count++] = (struct entry){value, code};
        }
        qsort(entries, count, sizeof entries[0], by_value);
        for (size_t i = 0; i + 1 < count; i += step)
            if (entries[i].value != 0 &&
                entries[i + 1].value != 0) /* a negative value that rounds to 0 is -0 */
                check_pair(type, entries[i].code, entries[i + 1].code);
    }
}

/* Checks 0 and the smallest positive value. */
static void least_values(void **state) {
    static const pto_dtype types[] = {PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2, PTO_E2M1,
                                      PTO_E1M2, PTO_S2F6, PTO_F16,  PTO_BF16, PTO_F32};
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t) check_pair(types[t], 0, 1);
}

static uint64_t random_bits(void) {
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void singles_and_doubles(void **state) {
    (void)state;
    for (int i = 0; i < 3000; ++i) {
        const uint32_t code = (uint32_t)random_bits() & 0x7fffffff;
        const uint64_t wide = random_bits() & 0x7fffffffffffffff;
        if (code < 0x7f7fffff) {
            check_pair(PTO_F32, code, code + 1);
            check_pair(PTO_F32, 0x80000000 | (code + 1), 0x80000000 | code);
        }
        /* long double holds the middle of any two doubles if it has more bits and smaller exponents, which a pair of
         * doubles does not have */
        if (LDBL_MANT_DIG > 53 && LDBL_MIN_EXP < DBL_MIN_EXP && wide < 0x7fefffffffffffff)
            check_pair(PTO_F64, wide, wide + 1);
    }
}

/* Checks numbers far above the largest value and far below the smallest one, and special values. */
static void ends(void **state) {
    static const struct {
        const char *text;
        uint64_t code;
        pto_dtype type;
        enum value_result fit;
    } cases[] = {
        {"1e400", 0x7f800000, PTO_F32, VALUE_ROUNDED},
        {"-1e400", 0xfff0000000000000, PTO_F64, VALUE_ROUNDED},
        {"1e400", 0x7c00, PTO_F16, VALUE_ROUNDED},
        {"1e400", 0x7f80, PTO_BF16, VALUE_ROUNDED},
        {"1e400", 0x7e, PTO_E4M3, VALUE_ROUNDED},
        {"1e400", 0x7, PTO_E2M1, VALUE_ROUNDED},
        {"1e400", 0x6f, PTO_HIF8, VALUE_ROUNDED},
        {"1e400", 0xfe, PTO_UE8M0, VALUE_ROUNDED},
        {"-1e400", 0xfe, PTO_E4M3, VALUE_ROUNDED},
        {"1e-400", 0, PTO_F64, VALUE_ROUNDED},
        {"-1e-400", 0x80000000, PTO_F32, VALUE_ROUNDED},
        {"1e-400", 0, PTO_UE8M0, VALUE_ROUNDED},
        {"-1e-400", 0, PTO_UE8M0, VALUE_INVALID},
        {"inf", 0x7c00, PTO_F16, VALUE_EXACT},
        {"-inf", 0xfff0000000000000, PTO_F64, VALUE_EXACT},
        {"inf", 0, PTO_E4M3, VALUE_INVALID},
        {"nan", 0x7fc00000, PTO_F32, VALUE_EXACT},
        {"-0", 0x8000, PTO_F16, VALUE_EXACT},
        {"65519.99999999999999999999", 0x7bff, PTO_F16, VALUE_ROUNDED},
        {"65520", 0x7c00, PTO_F16, VALUE_ROUNDED},
        {"0.1", 0x3fb999999999999a, PTO_F64, VALUE_ROUNDED},
        {"0.5", 0x3fe0000000000000, PTO_F64, VALUE_EXACT},
        {"0x100000100000008p0", 0x5b800001, PTO_F32, VALUE_ROUNDED},
        {"0x100000100000000p0", 0x5b800000, PTO_F32, VALUE_ROUNDED},
        {"0x1.00000100000000000000000000001p0", 0x3f800001, PTO_F32, VALUE_ROUNDED},
        {"0x1.4000000000000000000001p-1", 0x1, PTO_E2M1, VALUE_ROUNDED},
        {"0x1.8000000000000000000001p-2", 0x1, PTO_E2M1, VALUE_ROUNDED},
        {"0x1p-1074", 1, PTO_F64, VALUE_EXACT},
        {"0x1p-1075", 0, PTO_F64, VALUE_ROUNDED},
        {"0x1.0000000000000000000000001p-1075", 1, PTO_F64, VALUE_ROUNDED},
        {"1.5x", 0, PTO_F32, VALUE_INVALID},
        {"", 0, PTO_F32, VALUE_INVALID},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        enum value_result fit;
        const uint64_t code = code_of(cases[i].text, cases[i].type, &fit);
        if (fit != cases[i].fit || (fit != VALUE_INVALID && code != cases[i].code))
            fail_msg("%s %s is %llx with fit %d", pto_dtype_name(cases[i].type), cases[i].text,
                     (unsigned long long)code, (int)fit);
    }
    assert_int_equal(fegetround(), FE_TONEAREST);
}

/* Checks that 64-bit integers and floats are compared by their exact values. */
static void orders(void **state) {
    static const struct {
        const char *a, *b;
        pto_dtype a_type, b_type;
        int order;
    } cases[] = {
        {"18446744073709551615", "0x1p64", PTO_U64, PTO_F64, -1},
        {"18446744073709549568", "18446744073709549568", PTO_U64, PTO_F64, 0},
        {"18446744073709549569", "18446744073709549568", PTO_U64, PTO_F64, 1},
        {"9223372036854775807", "0x1p63", PTO_S64, PTO_F64, -1},
        {"-9223372036854775808", "-0x1p63", PTO_S64, PTO_F64, 0},
        {"-9223372036854775807", "-0x1p63", PTO_S64, PTO_F64, 1},
        {"9007199254740993", "9007199254740992", PTO_S64, PTO_F64, 1},
        {"-9007199254740993", "-9007199254740992", PTO_S64, PTO_F64, -1},
        {"-1", "18446744073709551615", PTO_S64, PTO_U64, -1},
        {"9223372036854775809", "9223372036854775807", PTO_U64, PTO_S64, 1},
        {"9223372036854775807", "9223372036854775807", PTO_U64, PTO_S64, 0},
        {"1.5", "1", PTO_F32, PTO_S64, 1},
        {"-0", "0", PTO_F32, PTO_S64, 0},
        {"inf", "18446744073709551615", PTO_F64, PTO_U64, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t a, b;
        assert_int_equal(value_read(cases[i].a, cases[i].a_type, &a), VALUE_EXACT);
        assert_int_equal(value_read(cases[i].b, cases[i].b_type, &b), VALUE_EXACT);
        if (element_order(cases[i].a_type, &a, cases[i].b_type, &b) != cases[i].order ||
            element_order(cases[i].b_type, &b, cases[i].a_type, &a) != -cases[i].order)
            fail_msg("%s and %s", cases[i].a, cases[i].b);
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_formats),
        cmocka_unit_test(least_values),
        cmocka_unit_test(singles_and_doubles),
        cmocka_unit_test(ends),
        cmocka_unit_test(orders),
    };
    return harness_end(cmocka_run_group_tests_name("value", tests, NULL, NULL));
}
