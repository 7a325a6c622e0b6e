/* SPDX-License-Identifier: MIT */
/* The parts of pto explain, one for each kind of text. All functions return the exit status. */
#ifndef PTO_CLI_EXPLAIN_H
#define PTO_CLI_EXPLAIN_H

#include "command.h"

int explain_cvt(const char *text);
int explain_setp(const char *text);
int explain_set(const char *text);
int explain_operator(const char *text);
int explain_setcc(const char *text);
#ifdef PTO_HAS_PROGRAM
/* Explains an instruction with its operands, or an opcode that none of the other functions explains. */
int explain_instruction(const struct command *command, const char *text);
#endif

#endif
