/* SPDX-License-Identifier: MIT */
/* Writes a file that replaces an old one only after it is complete. */
#ifndef PTO_CLI_OUTPUT_H
#define PTO_CLI_OUTPUT_H

#include "tensor.h"

/*
 * The data is written to `write_path`. There are three kinds of output (on Windows, the only descriptor is
 * /dev/stdout, and the temporary file has a name):
 *  - A regular file, or a new file: `write_path` is a temporary file in the folder of `target`, and replaces it later.
 *  - /dev/stdout or another file descriptor of this process, if it is no pipe or terminal: `write_path` is the
 *    temporary file `source`, which is copied to the descriptor later.
 *  - Anything else, such as a device or a pipe: `write_path` is the output itself.
 */
struct output {
    char *write_path;
    char *target;        /* NULL if nothing is replaced */
    FILE *source;        /* NULL if nothing is copied */
    struct output *next; /* in the list of outputs whose temporary files exist */
    unsigned mode;       /* the permissions that the target will have */
    int descriptor;      /* the file descriptor to which `source` is copied */
};

/*
 * Prepares an output. A target that exists and is not writable is an error, although it could be replaced. *o must stay
 * at its address until output_end(). If a signal ends the process before that, the temporary file is removed, except on
 * Windows.
 * After an error returns false and sets `error` to the message.
 */
bool output_begin(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]);

/* Copies the data to the file descriptor, if the output is one. Returns false and sets `error` after an error. */
bool output_copy(struct output *o, char error[TENSOR_ERROR_SIZE]);

/* If the output replaces a file, writes the data to the disk and renames the temporary file to the target, which keeps
 * its permissions. Returns false and sets `error` after an error. */
bool output_commit(struct output *o, char error[TENSOR_ERROR_SIZE]);

/* Removes the temporary file if it was not committed, and frees the memory of *o. */
void output_end(struct output *o);

/* Returns whether two paths name the same file, also through links. The file need not exist. */
bool output_same(const char *a, const char *b);

#endif
