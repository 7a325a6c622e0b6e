/* SPDX-License-Identifier: MIT */
/* Values as users write them, into elements. */
#ifndef PTO_CLI_VALUE_H
#define PTO_CLI_VALUE_H

#include <pto/pto.h>

/* How exactly an element is what was written. */
enum value_fit { VALUE_EXACT, VALUE_ROUNDED, VALUE_NONE };

/*
 * Reads an element of a type from "1.5", "-2e-3", "0x1.8p3", "nan", "-inf", bits as "0x3fc0" or PTX's "0f3FC00000",
 * "0d...", or for a word of several elements "{1, 2}", the lowest first. A number that the type does not have is rounded
 * once, from its exact value, to the nearest: ties go to even, for hif8 away from zero. `element` must have room for 8
 * bytes.
 */
enum value_fit value_read(const char *text, pto_dtype type, void *element);

/* The same, of so many of the type `part`, "{1, 2}", the lowest first. */
enum value_fit value_read_parts(const char *text, pto_dtype part, unsigned parts, void *element);

/* The elements that a word of several has, 1 of others; and the type of one. */
unsigned value_parts(pto_dtype type, pto_dtype *part);

#endif
