/* SPDX-License-Identifier: MIT */
/* pto eval for casts, which are no instructions of PTX or PTO. */
#ifndef PTO_CLI_EVAL_CAST_H
#define PTO_CLI_EVAL_CAST_H

#include "command.h"

/* Runs a cast on the values after its text: one value, and random bits if it rounds stochastically. Prints operands and
 * results, for all_isas of every instruction set. `command` is for messages. Returns the exit status. */
int eval_cast(const struct command *command, char **arguments, int count, bool all_isas);

#endif
