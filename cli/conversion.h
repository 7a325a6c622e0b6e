/* SPDX-License-Identifier: MIT */
/* What a conversion did to its elements, in words. */
#ifndef PTO_CLI_CONVERSION_H
#define PTO_CLI_CONVERSION_H

#include <pto/pto.h>

enum { CONVERSION_NOTE = 400 };

/*
 * What to write beside the result of one lane of cvt: "  (exact)", or the elements of a word, the lowest first, with what
 * became of each: "  {-448 (saturated), 0.1015625 (inexact)}". Empty where nothing can be said.
 *
 * operands: the registers of the sources, of a type that is op.src or a word of several; of these the last one is the
 * lowest element; NULL where they are not known, and nothing is said of what became of them. result: the register of the
 * result, of type result_type.
 */
void conversion_note(pto_cvt_op op, pto_dtype operand_type, const unsigned char (*operands)[8],
                     pto_dtype result_type, const void *result, char note[CONVERSION_NOTE]);

/*
 * How many elements of a small format, of type *element, a register of this type holds that is an operand of cvt: its source
 * (operand 0) or its scales. 0 where it holds others, or one that is as wide.
 */
unsigned conversion_elements(pto_cvt_op op, unsigned operand, pto_dtype reg, pto_dtype *element);

/* So many elements of a word: "  {2, 1.5}". */
void conversion_elements_text(pto_dtype element, unsigned count, const void *word,
                              char text[CONVERSION_NOTE]);

#endif
