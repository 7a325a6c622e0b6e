/* SPDX-License-Identifier: MIT */
/* Parses and prints names that subcommands share: types, instruction sets, forms. */
#ifndef PTO_CLI_WORDS_H
#define PTO_CLI_WORDS_H

#include "command.h"

#include <pto/pto.h>

/* Finds a type by its name. cvt's packed spellings such as e4m3x2 are names of the element type. Returns
 * false if no type has the name. */
bool find_type(const char *name, pto_dtype *type);

/* Finds the element type for the name of a type, also of a packed type: f16 for f16x2. Returns false if no
 * type has the name. */
bool find_element_type(const char *name, pto_dtype *type);

/* Finds an instruction set by its name. If this machine cannot run it, reports an error and returns false. */
bool find_isa(const struct command *command, const char *name, pto_isa *isa);

/* The size of a buffer for the name of any form. */
enum { FORM_NAME_SIZE = 80 };

/* Writes the name of a cvt form as PTX spells it: "cvt.rn.satfinite.e4m3x2.f32". PTX has no spelling for forms that
 * libpto composes of two; their names have the two types without x2 or x4. */
void cvt_name(pto_cvt_op op, char name[FORM_NAME_SIZE]);

/* Returns whether a number is that of a type. Types are numbered from PTO_B8 without gaps. */
bool is_type(pto_dtype type);

#endif
