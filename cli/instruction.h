/* SPDX-License-Identifier: MIT */
/* One instruction of PTX or PTO as users write it, with its operands or as an opcode only. */
#ifndef PTO_CLI_INSTRUCTION_H
#define PTO_CLI_INSTRUCTION_H

#include "command.h"

#include <pto/program.h>

enum { INSTRUCTION_TEXT = 512 };

struct instruction {
    pto_program *program; /* to be freed */
    char text[INSTRUCTION_TEXT];
    bool completed; /* the operands were added */
};

/* Parses a text, and adds operands if it is an opcode only. Returns how the command ends: DIFFERENT if the text is not
 * legal, BAD_USE if an opcode does not say enough. The program is NULL then. */
int instruction_open(const struct command *command, const char *text, struct instruction *i);

/* A whole line of a PTO operation of which the opcode does not say enough, or NULL. */
const char *instruction_line(const char *opcode);

/* Finds an opcode with types for the name of a PTX instruction, "add.f32" for "add". Returns false if `name` has types
 * already, or if no instruction has it. */
bool instruction_with_types(const char *name, char opcode[INSTRUCTION_TEXT]);

/* Whether programs have an instruction of this opcode, up to its first dot in PTX. */
bool instruction_is_known(const char *opcode);

/* What an instruction does, in one line; NULL if no text is there. */
const char *instruction_meaning(const char *opcode);

/* The lists of instructions for a command's help. */
void instruction_list(void);

#endif
