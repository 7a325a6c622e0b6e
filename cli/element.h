/* SPDX-License-Identifier: MIT */
/* One element as bits and as a number, for people to read. */
#ifndef PTO_CLI_ELEMENT_H
#define PTO_CLI_ELEMENT_H

#include <pto/pto.h>

/* Bytes that hold the text of any number. */
enum { NUMBER_TEXT = 40 };

/* The element in memory form, and back; of 4-bit types it is a byte's low nibble. */
uint64_t element_bits(pto_dtype type, const void *element);
void element_from_bits(pto_dtype type, uint64_t bits, void *element);

/* Element i of an array in memory form; of 4-bit types two share a byte, the lower first. */
void element_at(pto_dtype type, const void *array, size_t i, unsigned char element[8]);

/* Digits that show an element's bits in hex. */
int element_digits(pto_dtype type);

/* ue8m0 and ue5m3, whose conversions drop the sign. */
bool element_has_no_sign(pto_dtype type);

/* The value of an element; false if no double holds it, and for words of several elements. */
bool element_value(pto_dtype type, const void *element, double *value);

/* The same, but 64-bit integers that no double holds are rounded to the nearest one. */
bool element_nearest(pto_dtype type, const void *element, double *value);

/* Compares two elements by their exact values: -1, 0 or 1. None of them may be a NaN or a word of several elements. */
int element_order(pto_dtype a_type, const void *a, pto_dtype b_type, const void *b);

/* The shortest decimal that reads back as the number; nan with its sign. */
void number_text(double value, char text[NUMBER_TEXT]);

/* The same of an element: integers in full, "-" for words of several elements. */
void element_text(pto_dtype type, const void *element, char text[NUMBER_TEXT]);

/* What kind of number a code of at most 8 bits is: zero, subnormal, normal, infinity or nan; of a type without an
 * exponent zero or number. */
const char *element_class(pto_dtype type, unsigned code, double value);

#endif
