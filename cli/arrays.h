/* SPDX-License-Identifier: MIT */
/* What pto run gives a program's registers and takes from them: arrays in files, and single values. */
#ifndef PTO_CLI_ARRAYS_H
#define PTO_CLI_ARRAYS_H

#include "command.h"
#include "tensor.h"

#include <pto/program.h>

enum { ARRAYS_MOST = 64 }; /* inputs or outputs */

/* NAME=VALUE of the command line. */
struct assignment {
    char name[64];
    const char *value;
};

struct arrays {
    const struct command *command; /* in whose name complaints are */
    struct assignment input[ARRAYS_MOST], output[ARRAYS_MOST];
    size_t inputs, outputs;
    struct tensor tensor[ARRAYS_MOST];     /* of inputs that are files */
    unsigned char element[ARRAYS_MOST][8]; /* of the others */
    const struct tensor *shaped;           /* a tensor whose shape results have, if any */
    size_t lanes;                          /* how many the program has: as many as the longest array, or */
    bool lanes_given;                      /* those that were asked for, or where there is no array one */
    bool has_files;
};

/* Each returns false after a complaint. */
bool arrays_take_input(struct arrays *a, const char *text);
bool arrays_take_output(struct arrays *a, const char *text);

/* Read all inputs, and bind them to registers of the program, for which they must stay there. */
bool arrays_bind(struct arrays *a, pto_program *program);

/* Whether the outputs are registers of the program, before it runs. */
bool arrays_check_outputs(const struct arrays *a, const pto_program *program);

/* Write all outputs after a run. Old files are replaced when all new ones are whole. */
bool arrays_write(const struct arrays *a, const pto_program *program);

void arrays_free(struct arrays *a);

#endif
