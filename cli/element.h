/* SPDX-License-Identifier: MIT */
/* Converts single elements between memory, bits, values and text. */
#ifndef PTO_CLI_ELEMENT_H
#define PTO_CLI_ELEMENT_H

#include <pto/pto.h>

/* The size of a buffer for the text of any value. */
enum { VALUE_TEXT_SIZE = 40 };

/* Return the bits of an element in memory, and store bits as an element. A 4-bit element is the low half of a byte. */
uint64_t element_bits(pto_dtype type, const void *element);
void element_from_bits(pto_dtype type, uint64_t bits, void *element);

/* Copies element i of an array to `element`. Two 4-bit elements share a byte, the first in its low half. */
void element_at(pto_dtype type, const void *array, size_t i, unsigned char element[8]);

/* Returns the number of hexadecimal digits for an element's bits. */
int element_hex_digits(pto_dtype type);

/* Returns whether the elements are integers. Untyped bits count as unsigned integers; words of several elements do not
 * count. */
bool element_is_integer(pto_dtype type);

/* Returns whether the type has no sign, so that conversions to it drop the sign: ue8m0 and ue5m3. */
bool element_has_no_sign(pto_dtype type);

/* Sets *value to the value of an element. Returns false if no double has that value, and for words of several
 * elements. */
bool element_value(pto_dtype type, const void *element, double *value);

/* Like element_value(), but rounds a 64-bit integer to the nearest double. */
bool element_nearest(pto_dtype type, const void *element, double *value);

/* Compares two elements by their exact values and returns -1, 0 or 1. Neither may be a NaN or a word of several
 * elements. */
int element_order(pto_dtype a_type, const void *a, pto_dtype b_type, const void *b);

/* Writes the shortest decimal number that reads back as `value`, or "nan" or "-nan". */
void double_text(double value, char text[VALUE_TEXT_SIZE]);

/* Writes an element like double_text(), but integers with all digits, and "-" for words of several elements. */
void element_text(pto_dtype type, const void *element, char text[VALUE_TEXT_SIZE]);

/* Returns the class of a code of at most 8 bits: zero, subnormal, normal, infinity or nan. For integers and
 * fixed-point types it is zero or number. */
const char *element_class(pto_dtype type, unsigned code, double value);

#endif
