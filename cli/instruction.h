/* SPDX-License-Identifier: MIT */
/* Parses one instruction of PTX or PTO, given with its operands or as an opcode only. */
#ifndef PTO_CLI_INSTRUCTION_H
#define PTO_CLI_INSTRUCTION_H

#include "command.h"

#include <pto/program.h>

enum { INSTRUCTION_TEXT = 512 };

struct instruction {
    pto_program *program; /* the caller frees it */
    char text[INSTRUCTION_TEXT];
    bool operands_added; /* whether operands were added */
};

/* Parses a text, and adds operands if it is an opcode only. Returns STATUS_DIFFERENT if the text is not legal,
 * STATUS_ERROR if no operands can be added to the opcode. In both cases i->program is NULL. */
int instruction_open(const struct command *command, const char *text, struct instruction *i);

/* Returns an example line of a PTO operation for which no operands can be added to the opcode. Returns NULL for
 * others. */
const char *instruction_example(const char *opcode);

/* Finds an opcode with types for the name of a PTX instruction, "add.f32" for "add". Returns false if `name` has types
 * already, or if no instruction has it. */
bool instruction_with_types(const char *name, char opcode[INSTRUCTION_TEXT]);

/* Returns whether programs have the instruction of this opcode. For PTX only the part before the first dot counts. */
bool instruction_is_known(const char *opcode);

/* Returns the length of an instruction's name: all of "pto.vcmp", and for PTX the part before the first dot. */
size_t instruction_name_length(const char *opcode);

/* Returns whether the opcode is an operation of PTO that only kernels can have. */
bool instruction_is_for_kernels(const char *opcode);

/* Returns what an instruction does, in one line, or NULL if there is no text for it. */
const char *instruction_meaning(const char *opcode);

/* Prints the lists of instructions for a command's help. */
void instruction_list(void);

#endif
