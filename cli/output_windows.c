/* SPDX-License-Identifier: MIT */
/* Writes files through temporary ones on Windows, as output.c does on other systems. */
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static char *copy_of(const char *text) {
    char *const copy = _strdup(text);
    if (copy == NULL) out_of_memory();
    return copy;
}

static bool is_stdout(const char *path) {
    return strcmp(path, "/dev/stdout") == 0;
}

/* Sets `whole` to the absolute path of a file. If the file exists, links are resolved. */
static void canonical(const char *path, char whole[MAX_PATH]) {
    const HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    OPEN_EXISTING, 0, NULL);
    DWORD length = 0;
    if (file != INVALID_HANDLE_VALUE) {
        length = GetFinalPathNameByHandleA(file, whole, MAX_PATH, FILE_NAME_NORMALIZED);
        (void)CloseHandle(file);
    }
    if (length == 0 || length >= MAX_PATH) length = GetFullPathNameA(path, MAX_PATH, whole, NULL);
    if (length == 0 || length >= MAX_PATH) (void)snprintf(whole, MAX_PATH, "%s", path);
}

bool output_same(const char *a, const char *b) {
    char x[MAX_PATH], y[MAX_PATH];
    canonical(a, x);
    canonical(b, y);
    return _stricmp(x, y) == 0;
}

/* Creates a temporary file in a folder, which must end in a separator, and sets o->write_path. */
static bool create_temporary(struct output *o, const char *folder, char error[TENSOR_ERROR_SIZE]) {
    char path[MAX_PATH];
    if (GetTempFileNameA(folder, "pto", 0, path) == 0) {
        const bool is_absent = GetFileAttributesA(folder) == INVALID_FILE_ATTRIBUTES;
        return tensor_error(error, "no file can be created in its folder: %s",
                            strerror(is_absent ? ENOENT : EACCES));
    }
    o->write_path = copy_of(path);
    return true;
}

/* Prepares the output to stdout, which output_copy() later writes from a temporary file. */
static bool begin_stdout(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    char folder[MAX_PATH];
    const DWORD length = GetTempPathA(sizeof folder, folder);
    if (length == 0 || length >= sizeof folder)
        return tensor_error(error, "there is no folder for temporary files");
    o->descriptor = 1;
    return create_temporary(o, folder, error);
}

static bool begin_file(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]) {
    char folder[MAX_PATH], *name;
    const DWORD length = GetFullPathNameA(path, sizeof folder, folder, &name);
    if (length == 0 || length >= sizeof folder || name == NULL)
        return tensor_error(error, "it is no path of a file");
    o->target = copy_of(folder);
    *name = '\0';
    return create_temporary(o, folder, error);
}

bool output_begin(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]) {
    const DWORD attributes = GetFileAttributesA(path);
    const bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    const DWORD special = FILE_ATTRIBUTE_DEVICE | FILE_ATTRIBUTE_DIRECTORY;
    *o = (struct output){.mode = 0};
    if (is_stdout(path)) return begin_stdout(o, error);
    if (exists && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
        return tensor_error(error, "it cannot be opened for writing");
    if (!exists || (attributes & special) == 0) return begin_file(o, path, error);
    o->write_path = copy_of(path); /* opening a folder fails later, with a message */
    return true;
}

bool output_copy(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    char data[1 << 14];
    size_t n;
    FILE *source;
    bool good;
    if (o->descriptor == 0) return true;
    source = fopen(o->write_path, "rb");
    if (source == NULL) return tensor_error(error, "its temporary file cannot be read");
    while ((n = fread(data, 1, sizeof data, source)) != 0)
        if (fwrite(data, 1, n, stdout) != n) break;
    good = ferror(source) == 0;
    (void)fclose(source);
    if (!good) return tensor_error(error, "its temporary file cannot be read");
    return (ferror(stdout) == 0 && fflush(stdout) == 0) || tensor_error(error, "it cannot be written");
}

bool output_commit(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    if (o->target == NULL) return true;
    if (MoveFileExA(o->write_path, o->target, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0)
        return tensor_error(error, "it cannot be replaced");
    free(o->target);
    o->target = NULL;
    return true;
}

void output_end(struct output *o) {
    if (o->target != NULL || o->descriptor != 0) (void)remove(o->write_path != NULL ? o->write_path : "");
    free(o->target);
    free(o->write_path);
    *o = (struct output){.mode = 0};
}
