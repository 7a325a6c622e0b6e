/* SPDX-License-Identifier: MIT */
/* What pto explain tells of each kind of text; all return how the command ends. */
#ifndef PTO_CLI_EXPLAIN_H
#define PTO_CLI_EXPLAIN_H

#include <pto/pto.h>

/* The text, a caret below the place, and what was expected there. */
int show_error(const char *text, const pto_parse_error *error);

int explain_cvt(const char *text);
int explain_setp(const char *text);
int explain_set(const char *text);
int explain_operator(const char *text);
int explain_setcc(const char *text);
#ifdef PTO_HAS_PROGRAM
/* An instruction with its operands, or an opcode that none of the others takes. */
int explain_instruction(const char *text);
#endif

#endif
