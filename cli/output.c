/* SPDX-License-Identifier: MIT */
/* Writes files through temporary ones, and resolves paths. */
#define _XOPEN_SOURCE 700 /* realpath, sigaction */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TEMPORARY[] = ".pto-run-XXXXXX";

static char *copy_of(const char *text) {
    char *const copy = strdup(text);
    if (copy == NULL) out_of_memory();
    return copy;
}

/* ---- paths ---- */

/* Returns the path of the file `name` in the folder of `path`. */
static char *path_in_folder(const char *path, const char *name) {
    const char *const slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1,
                 bytes = length + strlen(name) + sizeof "./";
    char *const to = malloc(bytes);
    if (to == NULL) out_of_memory();
    (void)snprintf(to, bytes, "%.*s%s%s", (int)length, path, length == 0 ? "./" : "", name);
    return to;
}

static const char *base_name(const char *path) {
    const char *const slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Returns the path that a symbolic link refers to. If the link has a relative path, it is appended to the
 * link's folder. Returns NULL if `path` is not a link. */
static char *link_target(const char *path) {
    char to[PATH_MAX + 1];
    const ssize_t length = readlink(path, to, PATH_MAX);
    if (length < 0) return NULL;
    to[length] = '\0';
    return to[0] == '/' ? copy_of(to) : path_in_folder(path, to);
}

/*
 * Returns the absolute path of a file, without links. If the file does not exist, this is the path where opening it for
 * writing would create it, also if `path` is a dangling link.
 */
static char *canonical(const char *path) {
    char *at = copy_of(path), *resolved = realpath(at, NULL), *folder, *whole;
    size_t bytes;
    while (resolved == NULL && errno == ENOENT) { /* a cycle of links gives ELOOP */
        char *const next = link_target(at);
        if (next == NULL) break;
        free(at);
        at = next;
        resolved = realpath(at, NULL);
    }
    if (resolved != NULL) {
        free(at);
        return resolved;
    }
    folder = path_in_folder(at, "");
    resolved = realpath(folder, NULL);
    free(folder);
    if (resolved == NULL) return at;
    bytes = strlen(resolved) + strlen(base_name(at)) + 2;
    whole = malloc(bytes);
    if (whole == NULL) out_of_memory();
    (void)snprintf(whole, bytes, "%s/%s", resolved, base_name(at));
    free(resolved);
    free(at);
    return whole;
}

/* Returns whether two paths name the same folder. Returns false if one of them does not exist. */
static bool is_same_folder(const char *a, const char *b) {
    char *const x = realpath(a, NULL), *const y = realpath(b, NULL);
    const bool same = x != NULL && y != NULL && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* Returns N if the path is /dev/fd/N, /proc/self/fd/N or /proc/thread-self/fd/N, otherwise -1. */
static int descriptor_number(const char *path) {
    const char *const name = base_name(path);
    char *const folder = path_in_folder(path, "");
    char *end;
    const long number = strtol(name, &end, 10);
    const bool found = is_same_folder(folder, "/dev/fd") || is_same_folder(folder, "/proc/self/fd") ||
                       is_same_folder(folder, "/proc/thread-self/fd");
    free(folder);
    return found && *name >= '0' && *name <= '9' && *end == '\0' && number <= INT_MAX ? (int)number : -1;
}

/* Returns the file descriptor of this process that a path names, directly or through links such as
 * /dev/stdout. Returns -1 if the path does not name a file descriptor. */
static int descriptor_of(const char *path) {
    enum { MAX_LINKS = 40 };
    char *at = copy_of(path);
    int descriptor = descriptor_number(at);
    for (int i = 0; i < MAX_LINKS && descriptor < 0; ++i) {
        char *const next = link_target(at);
        if (next == NULL) break;
        free(at);
        at = next;
        descriptor = descriptor_number(at);
    }
    free(at);
    return descriptor;
}

bool output_same(const char *a, const char *b) {
    char *const x = canonical(a), *const y = canonical(b);
    const bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

static bool fail(char error[TENSOR_ERROR_SIZE], const char *what) {
    return tensor_error(error, "%s: %s", what, strerror(errno));
}

/* ---- temporary files ---- */

static struct output *first_temporary; /* the list of outputs whose temporary files exist */

/* Handles a signal that ends the process: removes all temporary files. Because of SA_RESETHAND the signal has
 * its default action again, which ends the process after this function returns. */
static void remove_temporaries(int signal_number) {
    for (const struct output *o = first_temporary; o != NULL; o = o->next) (void)unlink(o->write_path);
    (void)raise(signal_number);
}

static void handle_signals(void) {
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
    struct sigaction action = {.sa_handler = remove_temporaries, .sa_flags = (int)SA_RESETHAND}, old;
    (void)sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            (void)sigaction(signals[i], &action, NULL);
}

/* Blocks all signals, so that the handler does not run while the list of outputs changes. */
static void block_signals(sigset_t *old) {
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, old);
}

/* Creates a temporary file in the target's folder, and returns its descriptor. Returns -1 after an error. */
static int create_temporary(struct output *o) {
    char *const path = path_in_folder(o->target, TEMPORARY);
    sigset_t old;
    int file, problem;
    handle_signals();
    block_signals(&old);
    file = mkstemp(path);
    problem = errno;
    if (file >= 0) {
        o->write_path = path;
        o->next = first_temporary;
        first_temporary = o;
    }
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
    if (file < 0) free(path);
    errno = problem;
    return file;
}

/* Returns whether the temporary file of an output exists. */
static bool is_temporary(const struct output *o) {
    const struct output *at = first_temporary;
    while (at != NULL && at != o) at = at->next;
    return at != NULL;
}

/* Removes an output from the list of outputs whose temporary files exist. */
static void forget_temporary(const struct output *o) {
    struct output **at = &first_temporary;
    sigset_t old;
    block_signals(&old);
    while (*at != o) at = &(*at)->next;
    *at = o->next;
    (void)sigprocmask(SIG_SETMASK, &old, NULL);
}

/* ---- writing ---- */

/* Returns the permissions that a new file gets: 0666 without the bits of the umask. */
static mode_t default_mode(void) {
    const mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

/* Returns whether the output is written to a temporary file that then replaces `path`, and sets *mode to the
 * permissions of the new file. This is so for regular files and for paths that do not exist, but not for
 * dangling links. */
static bool is_replaced(const char *path, unsigned *mode) {
    struct stat s;
    *mode = default_mode();
    if (stat(path, &s) == 0) {
        *mode = s.st_mode & 07777;
        return S_ISREG(s.st_mode);
    }
    return lstat(path, &s) != 0;
}

/*
 * Prepares the output to a file descriptor. The data is written to a temporary file without a name, and copied to the
 * descriptor later. Otherwise the old content of a regular file would be lost, because opening its path truncates the
 * file; and the path of a socket cannot be opened.
 */
static bool begin_descriptor(struct output *o, int descriptor, char error[TENSOR_ERROR_SIZE]) {
    enum { PATH_SIZE = 32 };
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return fail(error, "it is not open");
    if ((flags & O_ACCMODE) == O_RDONLY) return tensor_error(error, "it is open only for reading");
    o->source = tmpfile();
    if (o->source == NULL) return fail(error, "no temporary file can be created for it");
    o->descriptor = descriptor;
    o->write_path = malloc(PATH_SIZE);
    if (o->write_path == NULL) out_of_memory();
    (void)snprintf(o->write_path, PATH_SIZE, "/dev/fd/%d", fileno(o->source));
    return true;
}

/* Returns whether a file descriptor is a pipe, a terminal or another character device. */
static bool is_pipe_or_terminal(int descriptor) {
    struct stat s;
    return fstat(descriptor, &s) == 0 && (S_ISFIFO(s.st_mode) || S_ISCHR(s.st_mode));
}

static bool begin_temporary(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]) {
    int file;
    o->target = canonical(path);
    if (access(o->target, F_OK) == 0 && access(o->target, W_OK) != 0)
        return fail(error, "it cannot be opened for writing");
    file = create_temporary(o);
    if (file < 0) return fail(error, "no file can be created in its folder");
    return close(file) == 0 || fail(error, "it cannot be written");
}

bool output_begin(struct output *o, const char *path, char error[TENSOR_ERROR_SIZE]) {
    const int descriptor = descriptor_of(path);
    *o = (struct output){.mode = 0};
    /* If the descriptor is stdout, the text printed so far must precede the data. */
    if (descriptor >= 0 && fflush(stdout) != 0) return fail(error, "it cannot be written");
    if (descriptor >= 0 && !is_pipe_or_terminal(descriptor)) return begin_descriptor(o, descriptor, error);
    if (is_replaced(path, &o->mode)) return begin_temporary(o, path, error);
    o->write_path = copy_of(path);
    return true;
}

/* Writes all bytes to a file descriptor. */
static bool write_all(int descriptor, const char *data, size_t n) {
    while (n != 0) {
        const ssize_t written = write(descriptor, data, n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        data += written;
        n -= (size_t)written;
    }
    return true;
}

bool output_copy(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    char data[1 << 14];
    size_t n;
    if (o->source == NULL) return true;
    rewind(o->source);
    if (fflush(stdout) != 0) return fail(error, "it cannot be written"); /* stdout may have buffered text */
    while ((n = fread(data, 1, sizeof data, o->source)) != 0)
        if (!write_all(o->descriptor, data, n)) return fail(error, "it cannot be written");
    return ferror(o->source) == 0 || fail(error, "its temporary file cannot be read");
}

/* Writes the data of a file, or the entries of a folder, to the disk. Some file systems do not support this. */
static bool sync_file(int file) {
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

static bool finish(const struct output *o) {
    const int file = open(o->write_path, O_WRONLY);
    const bool good = file >= 0 && sync_file(file) && fchmod(file, (mode_t)o->mode) == 0;
    return file >= 0 && close(file) == 0 && good;
}

static void sync_folder_of(const char *path) {
    char *const name = path_in_folder(path, "");
    const int folder = open(name, O_RDONLY);
    if (folder >= 0) {
        (void)sync_file(folder);
        (void)close(folder);
    }
    free(name);
}

bool output_commit(struct output *o, char error[TENSOR_ERROR_SIZE]) {
    if (!is_temporary(o)) return true;
    if (!finish(o)) return fail(error, "it cannot be written");
    if (rename(o->write_path, o->target) != 0) return fail(error, "it cannot be replaced");
    forget_temporary(o);
    sync_folder_of(o->target);
    return true;
}

void output_end(struct output *o) {
    if (is_temporary(o)) {
        (void)unlink(o->write_path);
        forget_temporary(o);
    }
    if (o->source != NULL) (void)fclose(o->source);
    free(o->target);
    free(o->write_path);
    *o = (struct output){.mode = 0};
}
