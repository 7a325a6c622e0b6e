/* SPDX-License-Identifier: MIT */
/** @file platform.h
 * Functions of the operating system that the tests use: pages, traps, the environment and processes. platform_posix.c,
 * platform_windows.c and platform_wasi.c implement it. */
#ifndef PTO_TEST_PLATFORM_H
#define PTO_TEST_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

/* ---- pages ---- */

size_t platform_page_size(void);

/** Reserves whole pages that cannot be accessed. Aborts if that fails. */
void *platform_reserve(size_t size);

/** Makes pages readable, and writable or not. Aborts if that fails. */
void platform_allow(void *start, size_t size, bool writable);

/** Frees all pages that platform_reserve() returned in one call. */
void platform_release(void *start, size_t size);

/* ---- traps ---- */

/** Calls body(context). Returns NULL if body() returns. If it traps in this thread, ends the call and returns a
 * description of the trap; the floating-point state is then undefined. A trap in another thread ends the program. */
const char *platform_catch(void (*body)(void *), void *context);

/* ---- this process ---- */

/** Sets an environment variable, or removes it if `value` is NULL. */
void platform_set_variable(const char *name, const char *value);

/** Returns the entries "NAME=value" of the environment, and a NULL after them. */
char **platform_variables(void);

/** Writes the words of the command line, with a NUL byte after each. Returns the number of bytes, at most `size`. */
size_t platform_command_line(char *words, size_t size);

/** Makes stderr a pipe without a reader. Returns false if that fails. */
bool platform_break_stderr(void);

/** Whether SIGPIPE is blocked in this thread, and whether it is pending. Both are false on systems without signals. */
struct platform_sigpipe {
    bool is_blocked, is_pending;
};

struct platform_sigpipe platform_sigpipe(void);

/* ---- child processes ---- */

enum { PLATFORM_TEXT = 4096 };

struct platform_outcome {
    int status; /**< 0 for success */
    char out[PLATFORM_TEXT], err[PLATFORM_TEXT];
};

/** Runs a program with arguments, the last of which is NULL, and waits for its end. If PTO_TEST_EMULATOR is set, the
 * emulator that it names runs the program. Returns false if it cannot be started. */
bool platform_run(const char *const *arguments, struct platform_outcome *outcome);

#endif
