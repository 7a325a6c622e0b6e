/* SPDX-License-Identifier: MIT */
/* Parses values that users write into elements. */
#ifndef PTO_CLI_VALUE_H
#define PTO_CLI_VALUE_H

#include <pto/pto.h>

/* How an element relates to its text: equal, rounded to the nearest, or the text is no value of the type. */
enum value_result { VALUE_EXACT, VALUE_ROUNDED, VALUE_INVALID };

/*
 * Parses an element of a type. The text is a number ("1.5", "-2e-3", "0x1.8p3", "nan", "-inf") or bits ("0x3fc0", PTX's
 * "0f3FC00000" and "0d..."). A word of several elements is "{1, 2}", the lowest first, or its bits. A number that the
 * type cannot represent is rounded once to the nearest value; ties go to even, for hif8 away from zero. `element` must
 * have space for 8 bytes.
 */
enum value_result value_read(const char *text, pto_dtype type, void *element);

/* Parses `parts` elements of type `part` as "{1, 2}", the lowest first. */
enum value_result value_read_parts(const char *text, pto_dtype part, unsigned parts, void *element);

/* Returns the number of elements in a word of this type, 1 if it is no word of several. Sets *part to the type of
 * one. */
unsigned value_element_count(pto_dtype type, pto_dtype *part);

#endif
