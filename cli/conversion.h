/* SPDX-License-Identifier: MIT */
/* Describes what a conversion did to each element: exact, rounded, saturated and so on. */
#ifndef PTO_CLI_CONVERSION_H
#define PTO_CLI_CONVERSION_H

#include <pto/pto.h>

enum { CONVERSION_NOTE = 400 };

/*
 * Writes a note on the result of one lane of cvt: "  (exact)", or for a word of several elements the elements, lowest
 * first, each with its remark: "  {-448 (saturated), 0.1015625 (inexact)}". The note is empty if there is no remark.
 *
 * operands: the source registers, of type operand_type, which is op.src or a word of several op.src. If there are
 * several registers, the last one has the lowest element. NULL if they are not known; the elements then have no
 * remarks. result: the result register, of type result_type.
 */
void conversion_note(pto_cvt_op op, pto_dtype operand_type, const unsigned char (*operands)[8],
                     pto_dtype result_type, const void *result, char note[CONVERSION_NOTE]);

/*
 * Returns how many elements a register of type b8, b16 or b32 holds as an operand of cvt: its source (operand 0) or
 * its scales. Sets *element to their type. Returns 0 for other registers, and for one that is only wider than an
 * element.
 */
unsigned conversion_elements(pto_cvt_op op, unsigned operand, pto_dtype reg, pto_dtype *element);

/* Writes `count` elements of a word as text: "  {2, 1.5}". */
void conversion_elements_text(pto_dtype element, unsigned count, const void *word,
                              char text[CONVERSION_NOTE]);

#endif
