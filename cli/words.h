/* SPDX-License-Identifier: MIT */
/* Names that subcommands take and give: types, instruction sets, forms. */
#ifndef PTO_CLI_WORDS_H
#define PTO_CLI_WORDS_H

#include "command.h"

#include <pto/pto.h>

/* A type by its name, packed spellings of conversions such as e4m3x2 included. */
bool type_named(const char *name, pto_dtype *type);

/* The type of one element where the name is of several, such as f16x2. */
bool element_named(const char *name, pto_dtype *type);

/* An instruction set by its name that this machine can run. On another it complains, and returns false. */
bool isa_named(const struct command *command, const char *name, pto_isa *isa);

/* Bytes that hold the name of any form. */
enum { FORM_NAME = 80 };

/* "cvt.rn.satfinite.e4m3x2.f32" as PTX spells it; a composed pair, for which PTX has no spelling, by its two types. */
void cvt_name(pto_cvt_op op, char name[FORM_NAME]);

/* Types are numbered from PTO_B8 on; false behind the last. */
bool is_type(pto_dtype type);

#endif
