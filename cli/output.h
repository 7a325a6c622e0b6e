/* SPDX-License-Identifier: MIT */
/* A file that replaces another one only when it is whole. */
#ifndef PTO_CLI_OUTPUT_H
#define PTO_CLI_OUTPUT_H

#include "tensor.h"

/* `place` is where to write: a temporary file beside the target, or for devices, pipes and the like the target itself. */
struct output {
    char *target, *place;
    unsigned mode; /* the permissions that the target shall have */
};

/*
 * Prepares a file to write. A target that exists and cannot be written is refused, although it could be replaced. What
 * goes wrong is put into words, and the result is false.
 */
bool output_begin(struct output *o, const char *path, char wrong[TENSOR_WRONG]);

/* Brings the data to the disk and gives the file its name. An old file is there until then, and permissions stay. */
bool output_commit(struct output *o, char wrong[TENSOR_WRONG]);

/* Removes the temporary file, unless it was committed, and frees the struct's memory. */
void output_end(struct output *o);

/* Whether two paths name one file, however they are spelled; it need not exist. */
bool output_same(const char *a, const char *b);

#endif
