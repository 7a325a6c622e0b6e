/* SPDX-License-Identifier: MIT */
/* Reads the environment variables that affect the choice of a backend, and warns of an unusable PTO_ISA. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#    define _GNU_SOURCE /* secure_getenv */
#endif

#include "dispatch/environment.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#    define HAVE_POSIX 1
#    include <errno.h>
#    include <signal.h>
#    include <unistd.h>
#else
#    define HAVE_POSIX 0
#    ifdef _WIN32
#        include <windows.h>
#    else
#        include <stdio.h>
#    endif
#endif

#include "core/isas.h"

/* Returns the name of ISA number i, or NULL after the last one. */
static const char *isa_name(size_t i) {
    const char *name = pto_isa_name((pto_isa)i);
    return *name != '?' ? name : NULL;
}

/* ---- reading ---- */

/* Returns the value of an environment variable. A program that runs with more rights than its user ignores the user's
 * environment. */
static const char *variable(const char *name) {
#if defined(__linux__) && !defined(__ANDROID__)
    return secure_getenv(name);
#else
    return getenv(name);
#endif
}

/* Returns whether `text` equals `name`, ignoring case. `name` must consist of lower-case letters and digits. Capital
 * and small ASCII letters differ in bit 5. */
static bool is_name(const char *text, const char *name) {
    while (*name != '\0' && (*text == *name || (*name >= 'a' && (*text | 0x20) == *name))) {
        ++text;
        ++name;
    }
    return *name == '\0' && *text == '\0';
}

/* The settings are stored in one word, which threads can share atomically. A word of 0 means that they have not been
 * read. Above the flags are the ISA number and one bit per variant, which is set if the variant is switched off. */
enum {
    READ = 1,
    ISA_SET = 2,
    ISA_KNOWN = 4,
    VBMI_64 = 8,
    VBMI_128 = 16,
    ISA_SHIFT = 5,
    ISA_MASK = 15,
    VARIANT_SHIFT = 9,
    VARIANT_MASK = (1 << VARIANT_COUNT) - 1
};

_Static_assert((int)ISA_COUNT <= (int)ISA_MASK + 1, "an ISA must fit its bits");
_Static_assert((int)VARIANT_SHIFT + (int)VARIANT_COUNT < 32, "all settings must fit a word");

static bool is_set_to(const char *name, const char *value) {
    const char *set = variable(name);
    return set != NULL && strcmp(set, value) == 0;
}

static unsigned read_environment(void) {
#define VARIANT_VARIABLE(VARIANT, ISA, name, variable, word, mask) variable,
    static const char *const variables[] = {VARIANTS(VARIANT_VARIABLE)};
#undef VARIANT_VARIABLE
    const char *isa = variable("PTO_ISA");
    unsigned found = READ;
    for (unsigned i = 0; i < VARIANT_COUNT; ++i)
        if (is_set_to(variables[i], "0")) found |= 1U << (VARIANT_SHIFT + i);
    if (is_set_to("PTO_AVX512_VBMI", "64")) found |= VBMI_64;
    if (is_set_to("PTO_AVX512_VBMI", "128")) found |= VBMI_128;
    if (isa == NULL || *isa == '\0') return found;
    for (size_t i = 0; isa_name(i) != NULL; ++i)
        if (is_name(isa, isa_name(i))) found |= ISA_KNOWN | (unsigned)i << ISA_SHIFT;
    return found | ISA_SET;
}

struct overrides pto_environment(void) {
    static _Atomic(unsigned) cache;
    unsigned now = atomic_load_explicit(&cache, memory_order_relaxed), before = 0;
    struct overrides overrides;
    if (now == 0) {
        now = read_environment();
        if (!atomic_compare_exchange_strong(&cache, &before, now))
            now = before; /* another thread was first */
    }
    overrides.isa_is_set = (now & ISA_SET) != 0;
    overrides.isa_is_known = (now & ISA_KNOWN) != 0;
    overrides.isa = (pto_isa)(now >> ISA_SHIFT & ISA_MASK);
    overrides.variants_off = now >> VARIANT_SHIFT & VARIANT_MASK;
    overrides.vbmi_tables = (now & VBMI_64) != 0 ? 64 : (now & VBMI_128) != 0 ? 128 : 0;
    return overrides;
}

/* ---- warning ---- */

#if HAVE_POSIX
/* Writes `length` bytes to stderr. write() may raise SIGPIPE in this thread, which must not end the program: the signal
 * is blocked and, if it was raised, consumed. */
static void write_to_stderr(const char *text, size_t length) {
    const int saved_errno = errno;
    sigset_t broken_pipe, mask, pending;
    int was_pending, signal_number;

    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    /* On every system here sigprocmask() changes only this thread's mask. POSIX guarantees that only for
     * pthread_sigmask(), which may need another library. */
    if (sigpending(&pending) == 0 && sigprocmask(SIG_BLOCK, &broken_pipe, &mask) == 0) {
        was_pending = sigismember(&pending, SIGPIPE);
        if (write(STDERR_FILENO, text, length) < 0 && errno == EPIPE && was_pending == 0 &&
            sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
            (void)sigwait(&broken_pipe, &signal_number);
        (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    }
    errno = saved_errno;
}
#elif defined(_WIN32)
/* Writes `length` bytes to stderr. Other than the C library's functions, WriteFile() leaves errno unchanged and accepts
 * a closed stderr. */
static void write_to_stderr(const char *text, size_t length) {
    DWORD written;
    (void)WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, (DWORD)length, &written, NULL);
}
#else
static void write_to_stderr(const char *text, size_t length) {
    (void)fwrite(text, 1, length, stderr);
}
#endif

struct line {
    size_t length;
    char text[128];
};

static void append(struct line *line, const char *text) {
    while (*text != '\0' && line->length < sizeof line->text) line->text[line->length++] = *text++;
}

/* Does not use stdio, whose buffers may exceed a small thread's stack. */
void pto_warn_about_isa(unsigned available, pto_isa chosen) {
    struct line line;
    line.length = 0;
    append(&line, "libpto: PTO_ISA is none of");
    for (size_t i = 0; isa_name(i) != NULL; ++i) {
        if ((available >> i & 1) == 0) continue;
        append(&line, " ");
        append(&line, isa_name(i));
    }
    append(&line, ", using ");
    append(&line, pto_isa_name(chosen));
    append(&line, "\n");
    write_to_stderr(line.text, line.length);
}
