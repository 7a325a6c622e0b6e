/* SPDX-License-Identifier: MIT */
/* Pages and the environment of WASI, which cannot protect pages and has neither signals nor processes. A trap ends the
 * program, and node prints the reason. */
#include "support/platform.h"

#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 4096 };

/* ---- pages ---- */

size_t platform_page_size(void) {
    return PAGE;
}

void *platform_reserve(size_t size) {
    void *const start = aligned_alloc(PAGE, size);
    if (!start) {
        perror("aligned_alloc");
        abort();
    }
    return start;
}

void platform_allow(void *start, size_t size, bool writable) {
    (void)start, (void)size, (void)writable;
}

void platform_release(void *start, size_t size) {
    (void)size;
    free(start);
}

/* ---- traps ---- */

const char *platform_catch(void (*body)(void *), void *context) {
    body(context);
    return NULL;
}

/* ---- this process ---- */

void platform_set_variable(const char *name, const char *value) {
    if (value ? setenv(name, value, 1) : unsetenv(name)) {
        perror("setenv");
        abort();
    }
}

extern char **environ; /* wasi-libc declares it in no header */

char **platform_variables(void) {
    return environ;
}

size_t platform_command_line(char *words, size_t size) {
    (void)words, (void)size;
    return 0;
}

bool platform_break_stderr(void) {
    return false;
}

struct platform_sigpipe platform_sigpipe(void) {
    return (struct platform_sigpipe){false, false};
}

/* ---- child processes ---- */

bool platform_run(const char *const *arguments, struct platform_outcome *outcome) {
    (void)arguments, (void)outcome;
    return false;
}
