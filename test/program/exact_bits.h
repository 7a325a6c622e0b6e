/* SPDX-License-Identifier: MIT */
/**
 * @file exact_bits.h
 * A model of PTX's instructions on integers and bits, which shares no code with program/. Integers are lists of bits,
 * so sums, products and quotients are exact, and results are cut off at the end.
 */
#ifndef PTO_TEST_EXACT_BITS_H
#define PTO_TEST_EXACT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXACT_OPERANDS = 4 };

/** An instruction and its operands, the result first: h, w, d are 16, 32, 64 bits; c is 32 bits, a position or a
 * count. */
struct exact_form {
    const char *opcode, *operands;
    bool folds; /**< whether ptxas computes it of most constants */
};

extern const struct exact_form exact_forms[];
extern const size_t exact_forms_count;

/** Returns the bits of an operand of this letter. */
unsigned exact_width(char letter);

/** Returns whether the instruction reads the carry flag; whether it sets it. */
bool exact_reads_carry(const char *opcode);
bool exact_sets_carry(const char *opcode);

/**
 * Returns the result of an instruction. `flag` is the carry flag before and after. `table` is the constant of lop3.
 */
uint64_t exact_bits(const char *opcode, const uint64_t in[EXACT_OPERANDS], bool *flag, unsigned table);

#endif
