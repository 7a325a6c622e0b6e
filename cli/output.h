/* SPDX-License-Identifier: MIT */
/* Writes a file that replaces an old one only after it is complete. */
#ifndef PTO_CLI_OUTPUT_H
#define PTO_CLI_OUTPUT_H

#include "tensor.h"

/* The data is written to `write_path`: a temporary file in the target's folder, or the target itself if it is no
 * regular file. */
struct output {
    char *target, *write_path;
    unsigned mode; /* the permissions that the target will have */
};

/*
 * Prepares a file to write. A target that exists and is not writable is an error, although it could be replaced.
 * After an error returns false and sets `error` to the message.
 */
bool output_begin(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]);

/* Writes the data to the disk, then renames the temporary file to the target. The target keeps its permissions.
 * Returns false and sets `error` after an error. */
bool output_commit(struct output *o, char error[TENSOR_ERROR_SIZE]);

/* Removes the temporary file if it was not committed, and frees the memory of *o. */
void output_end(struct output *o);

/* Returns whether two paths name the same file, also through links. The file need not exist. */
bool output_same(const char *a, const char *b);

#endif
