/* SPDX-License-Identifier: MIT */
/* Reads numbers in text as doubles, rounded to odd. */
#ifndef PTO_CLI_ODD_DOUBLE_H
#define PTO_CLI_ODD_DOUBLE_H

#include <stdbool.h>

/*
 * Reads a number as strtod() does, and sets *end in the same way. If a double equals the number, sets *exact and
 * returns that double. Otherwise rounds to odd: returns the one of the two neighbouring doubles whose significand is
 * odd, which is always finite. Rounding this double to a format of at most 51 significand bits gives the same as
 * rounding the number itself; rounding the nearest double might not.
 */
double read_to_odd(const char *text, char **end, bool *exact);

/* Reads a number as strtod() does, rounded to nearest. mingw-w64's strtod() rounds some hexadecimal numbers below the
 * least double wrongly. */
double read_to_nearest(const char *text);

#endif
