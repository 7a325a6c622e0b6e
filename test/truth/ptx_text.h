/* SPDX-License-Identifier: MIT */
/**
 * @file ptx_text.h
 * Runs the asm statements of tools/ptx_statements.h by what is written in them: each instruction by its text with
 * libpto, on the registers that its operands name, in the order that PTX gives them. So what a GPU's assembler is given
 * is tested where there is no GPU.
 */
#ifndef PTO_TEST_PTX_TEXT_H
#define PTO_TEST_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Statements are run for so many instructions at once. */
enum { PTX_TEXT_LANES = 1 << 14 };

/** Forgets all registers; n lanes of each are used from now on. */
void ptx_text_begin(size_t n);

/** The lanes of a register, which is made where it is not there yet: "%1". */
uint64_t *ptx_text_register(const char *name);

/** Runs a statement, "{ .reg .b8 d; ...; }". False, with a word about it on stdout, where it is none that is known. */
bool ptx_text_run(const char *statement);

#endif
