/* SPDX-License-Identifier: MIT */
/**
 * @file exact_bits.h
 * A model of PTX's instructions on integers and bits, which shares no code with program/. Integers are lists of
 * 160 bits, so sums, products and quotients are exact. Results are truncated to their width at the end.
 */
#ifndef PTO_TEST_EXACT_BITS_H
#define PTO_TEST_EXACT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXACT_OPERANDS = 4 };

/** An instruction. `operands` has a letter for each operand, the result first: h, w, d for 16, 32, 64 bits; c
 * for a position or a count, of 32 bits. */
struct exact_form {
    const char *opcode, *operands;
    bool folds; /**< whether ptxas computes the result at compile time for most constant operands */
};

extern const struct exact_form exact_forms[];
extern const size_t exact_forms_count;

/** Returns the width in bits of an operand with this letter. */
unsigned exact_width(char letter);

/** Returns whether the instruction reads the carry flag; sets the carry flag. */
bool exact_reads_carry(const char *opcode);
bool exact_sets_carry(const char *opcode);

/**
 * Returns the result of an instruction. *flag is the carry flag, which the instruction may read and change. `table` is
 * the constant operand of lop3.
 */
uint64_t exact_bits(const char *opcode, const uint64_t in[EXACT_OPERANDS], bool *flag, unsigned table);

#endif
