/* SPDX-License-Identifier: MIT */
/* Reads numbers in text as doubles, rounded to odd. Only some C libraries have a strtod() that obeys the rounding mode,
 * and some targets have no rounding modes. So strtod() reads the nearest double, whose decimal digits are then compared
 * with those of the text. */
#include "odd_double.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- decimal numbers ---- */

/* A decimal number without its sign, as an iterator over its digits. */
struct decimal {
    const char *at, *end; /* the remaining digits, which may include a point */
    long long exponent;   /* the power of ten of the first digit that is not 0 */
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Returns the number in [text, end), from its first digit that is not 0. If all are 0, `at` equals `end`. */
static struct decimal decimal_of(const char *text, const char *end) {
    const long long limit = 1000000000000000;
    struct decimal d = {text, text + strcspn(text, "eE"), 0};
    const char *point;
    if (d.end > end) d.end = end;
    if (d.end < end) d.exponent = strtoll(d.end + 1, NULL, 10);
    if (d.exponent > limit) d.exponent = limit;
    if (d.exponent < -limit) d.exponent = -limit;
    point = memchr(text, '.', (size_t)(d.end - text));
    if (point == NULL) point = d.end;
    while (d.at < d.end && (*d.at == '0' || *d.at == '.')) ++d.at;
    d.exponent += d.at < point ? point - d.at - 1 : point - d.at;
    return d;
}

/* Returns the next digit. After the last digit there are zeros. */
static char next_digit(struct decimal *d) {
    if (d->at < d->end && *d->at == '.') ++d->at;
    if (d->at == d->end) return '0';
    return *d->at++;
}

/* Returns a negative value, 0 or a positive value if the first number is less than, equal to or greater than the
 * second. */
static int compare_decimals(struct decimal a, struct decimal b) {
    if (a.at == a.end || b.at == b.end) return (a.at < a.end) - (b.at < b.end);
    if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
    while (a.at < a.end || b.at < b.end) {
        const char x = next_digit(&a), y = next_digit(&b);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static bool has_odd_significand(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits % 2 != 0;
}

/* Returns the number in [text, end) rounded to odd. `nearest` is the nearest double, or infinity. */
static double decimal_to_odd(const char *text, const char *end, double nearest, bool *exact) {
    enum { DIGITS = 766 }; /* after the point; no double has more than 767 decimal digits */
    char digits[DIGITS + 16];
    int order = -1; /* less than infinity */
    if (isfinite(nearest)) {
        const int length = snprintf(digits, sizeof digits, "%.*e", DIGITS, nearest);
        order = compare_decimals(decimal_of(text, end), decimal_of(digits, digits + length));
    }
    *exact = order == 0;
    if (order == 0 || has_odd_significand(nearest)) return nearest;
    return nextafter(nearest, order < 0 ? 0 : HUGE_VAL);
}

/* ---- hexadecimal numbers ---- */

static unsigned digit_value(char c) {
    return is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* Returns `high` * 2^exponent rounded to odd, where the highest bit of `high` is set. If `more` is true, the number is
 * greater than that, by less than the value of the lowest bit of `high`. */
static double bits_to_odd(uint64_t high, long long exponent, bool more, bool *exact) {
    const long long leading = exponent + 63, subnormal = leading < -1022 ? -1022 - leading : 0;
    const int dropped = subnormal < 53 ? 11 + (int)subnormal : 63;
    *exact = false;
    if (leading > 1023) return DBL_MAX;
    if (subnormal >= 53) return DBL_TRUE_MIN;
    *exact = !more && high << (64 - dropped) == 0;
    return ldexp((double)(high >> dropped | (*exact ? 0 : 1)), (int)exponent + dropped);
}

/* Returns `high` * 2^exponent rounded to nearest, ties to even; see bits_to_odd(). */
static double bits_to_nearest(uint64_t high, long long exponent, bool more) {
    const long long leading = exponent + 63, subnormal = leading < -1022 ? -1022 - leading : 0;
    const int dropped = subnormal < 53 ? 11 + (int)subnormal : 63;
    const uint64_t half = (uint64_t)1 << 63, rest = high << (64 - dropped);
    uint64_t kept = high >> dropped;
    if (leading > 1023) return HUGE_VAL;
    if (subnormal >= 53) return subnormal == 53 && (high > half || more) ? DBL_TRUE_MIN : 0;
    if (rest > half || (rest == half && (more || kept % 2 != 0))) ++kept;
    return ldexp((double)kept, (int)exponent + dropped);
}

/* Reads the number in [text, end), where `text` follows "0x": it is *significand * 2^*power, or a fraction of the last
 * bit greater if *rest is set. The highest bit of *significand is set, except in 0. */
static void read_hexadecimal(const char *text, const char *end, uint64_t *significand, long long *power,
                             bool *rest) {
    const long long limit = 1000000000000000;
    uint64_t high = 0;
    long long exponent = 0, given = 0;
    bool more = false, after_point = false;
    for (; text < end && *text != 'p' && *text != 'P'; ++text) {
        if (*text == '.') {
            after_point = true;
        } else if (high >> 60 == 0) {
            high = high << 4 | digit_value(*text);
            exponent -= after_point ? 4 : 0;
        } else {
            more |= *text != '0';
            exponent += after_point ? 0 : 4;
        }
    }
    if (text < end) given = strtoll(text + 1, NULL, 10);
    exponent += given > limit ? limit : given < -limit ? -limit : given;
    for (; high != 0 && high >> 63 == 0; high <<= 1) --exponent;
    *significand = high;
    *power = exponent;
    *rest = more;
}

static bool is_hexadecimal(const char *digits) {
    return digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
}

static double hexadecimal_to_odd(const char *text, const char *end, bool *exact) {
    uint64_t high;
    long long exponent;
    bool more;
    read_hexadecimal(text, end, &high, &exponent, &more);
    *exact = true;
    return high == 0 ? 0 : bits_to_odd(high, exponent, more, exact);
}

double read_to_nearest(const char *text) {
    char *end;
    const double nearest = strtod(text, &end);
    const bool minus = *text == '-';
    const char *const digits = text + (minus || *text == '+');
    uint64_t high;
    long long exponent;
    bool more;
    double magnitude;
    if (!is_hexadecimal(digits)) return nearest;
    read_hexadecimal(digits + 2, end, &high, &exponent, &more);
    magnitude = high == 0 ? 0 : bits_to_nearest(high, exponent, more);
    return minus ? -magnitude : magnitude;
}

double read_to_odd(const char *text, char **end, bool *exact) {
    const double nearest = strtod(text, end);
    const bool minus = *text == '-';
    const char *const digits = text + (minus || *text == '+');
    double magnitude = fabs(nearest);
    *exact = true;
    if (*end == text || isnan(nearest) || (!is_digit(*digits) && *digits != '.')) return nearest;
    if (is_hexadecimal(digits))
        magnitude = hexadecimal_to_odd(digits + 2, *end, exact);
    else
        magnitude = decimal_to_odd(digits, *end, magnitude, exact);
    return minus ? -magnitude : magnitude;
}
