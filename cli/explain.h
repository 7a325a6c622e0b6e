/* SPDX-License-Identifier: MIT */
/* The parts of pto explain, one for each kind of text. The functions that return an int return the exit status. */
#ifndef PTO_CLI_EXPLAIN_H
#define PTO_CLI_EXPLAIN_H

#include "command.h"

#ifdef PTO_HAS_PROGRAM
#    include <pto/module.h>
#endif

int explain_cvt(const char *text);
int explain_cast(const char *text);
int explain_setp(const char *text);
int explain_set(const char *text);
int explain_operator(const char *text);
int explain_setcc(const char *text);
#ifdef PTO_HAS_PROGRAM
/* Explains an instruction with its operands, or an opcode that none of the other functions explains. */
int explain_instruction(const struct command *command, const char *text);
/* Returns whether the text names a file, or standard input, and is no instruction. */
bool explain_is_file(const char *text);
/* Summarises the kernels of a PTX or PTO file. */
int explain_file(const struct command *command, const char *path);
/* Prints a line for each parameter of a kernel of PTX. */
void explain_parameters(const pto_kernel *k);
#endif

#endif
