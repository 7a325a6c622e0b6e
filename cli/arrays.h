/* SPDX-License-Identifier: MIT */
/* The inputs and outputs of pto run and pto launch: arrays in files, and single values. */
#ifndef PTO_CLI_ARRAYS_H
#define PTO_CLI_ARRAYS_H

#include "command.h"
#include "tensor.h"

#include <pto/program.h>

enum { MAX_ARRAYS = 64 }; /* the largest number of inputs, and of outputs */

/* An argument NAME=VALUE of the command line. */
struct assignment {
    char name[64];
    const char *value;
};

struct arrays {
    const struct command *command; /* the subcommand whose name error messages have */
    struct assignment input[MAX_ARRAYS], output[MAX_ARRAYS];
    size_t inputs, outputs;
    struct tensor tensor[MAX_ARRAYS];   /* the arrays of inputs that are files or zeros */
    unsigned char value[MAX_ARRAYS][8]; /* the elements of inputs that are single values */
    const struct tensor *shape_source;  /* the tensor whose shape results get, or NULL */
    size_t lanes;                       /* lanes of the run: as given, or of the longest array, or 1 */
    bool lanes_given;                   /* whether the user gave `lanes` */
    bool has_arrays;
    size_t padding; /* zero bytes after each array of a kernel program */
};

/* The functions below report errors and then return false. */

/* Takes an argument NAME=VALUE for an input or an output. Each register may have one input and several outputs. */
bool arrays_take_input(struct arrays *a, const char *text);
bool arrays_take_output(struct arrays *a, const char *text);

/* Finds a register. The % at the beginning of a PTO name may be left out. */
bool arrays_find(const pto_program *program, const char *name, pto_program_register *r);

/* Reads all inputs and binds them to registers of the program. *a must exist while the program runs. */
bool arrays_bind(struct arrays *a, pto_program *program);

/* Checks before a run that all outputs are registers of the program. */
bool arrays_check_outputs(const struct arrays *a, const pto_program *program);

/* Gets the array that an output has after a run. Sets *t, whose data stay where they are. */
typedef bool arrays_result(const struct arrays *a, const void *source, const struct assignment *output,
                           struct tensor *t);

/* Writes all outputs after a run. Old files are replaced only after all new ones are complete. */
bool arrays_write(const struct arrays *a, const pto_program *program);

/* The same for outputs that are not registers of a program: calls `result` with `source` to get each array. */
bool arrays_write_results(const struct arrays *a, arrays_result *result, const void *source);

void arrays_free(struct arrays *a);

#endif
