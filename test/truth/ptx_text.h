/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_text.h
 * Runs the text of the asm statements of tools/ptx_statements.h with libpto. Each instruction reads and writes
 * the registers that its operands name, in PTX's order of operands. This tests the statements that a GPU's
 * assembler gets on machines without a GPU.
 */
#ifndef PTO_TEST_PTX_TEXT_H
#define PTO_TEST_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The largest number of instructions for which a statement runs at once. */
enum { PTX_TEXT_LANES = 1 << 14 };

/** Forgets all registers. From now on registers have n lanes. */
void ptx_text_begin(size_t n);

/** Returns the lanes of the register `name`, such as "%1". Creates the register on first use. */
uint64_t *ptx_text_register(const char *name);

/** Runs a statement, such as "{ .reg .b8 d; ...; }". Returns false, and prints a message to stdout, if the
 * statement is not supported. */
bool ptx_text_run(const char *statement);

#endif
