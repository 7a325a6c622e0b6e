/* SPDX-License-Identifier: MIT */
/* Replaces output.c on systems without signals, links and permissions, such as WASI. It uses only the C library. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char SUFFIX[] = ".pto-run";

static char *joined(const char *path, const char *suffix) {
    const size_t bytes = strlen(path) + strlen(suffix) + 1;
    char *const text = malloc(bytes);
    if (text == NULL) out_of_memory();
    (void)snprintf(text, bytes, "%s%s", path, suffix);
    return text;
}

bool output_begin(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]) {
    FILE *file;
    *o = (struct output){.target = joined(path, ""), .write_path = joined(path, SUFFIX)};
    file = fopen(o->write_path, "wb");
    if (file != NULL && fclose(file) == 0) return true;
    return tensor_error(error, "no file can be created in its folder: %s", strerror(errno));
}

/* No output is a file descriptor here. */
bool output_copy(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    (void)o, (void)error;
    return true;
}

bool output_commit(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    if (rename(o->write_path, o->target) != 0)
        return tensor_error(error, "it cannot be replaced: %s", strerror(errno));
    free(o->write_path);
    o->write_path = NULL;
    return true;
}

void output_end(struct output *o) {
    if (o->write_path != NULL) (void)remove(o->write_path);
    free(o->target);
    free(o->write_path);
    *o = (struct output){.mode = 0};
}

bool output_same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}
