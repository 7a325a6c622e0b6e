/* SPDX-License-Identifier: MIT */
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
#    include <stdio.h>
#endif

/* The name of ISA number i, NULL behind the last one. */
static const char *isa_name(size_t i) {
    const char *name = pto_isa_name((pto_isa)i);
    return *name != '?' ? name : NULL;
}

/* ---- reading ---- */

/* A program that runs with more rights than its user does not heed the user's environment. */
static const char *variable(const char *name) {
#if defined(__linux__) && !defined(__ANDROID__)
    return secure_getenv(name);
#else
    return getenv(name);
#endif
}

/* In any case: letters differ from capitals in bit 5, and `name` is of lower-case letters and digits. */
static bool is_name(const char *text, const char *name) {
    while (*name != '\0' && (*text == *name || (*name >= 'a' && (*text | 0x20) == *name))) {
        ++text;
        ++name;
    }
    return *name == '\0' && *text == '\0';
}

/* Wishes as one word, so that threads can share them; 0 is not yet read. The ISA lies above the flags. */
enum {
    READ = 1,
    ISA_SET = 2,
    ISA_KNOWN = 4,
    WITHOUT_FP16 = 8,
    WITHOUT_VBMI = 16,
    VBMI_64 = 32,
    VBMI_128 = 64,
    WITHOUT_ARM_FP16 = 128,
    WITHOUT_ARM_BF16 = 256,
    WITHOUT_RVV_FP16 = 512,
    ISA_SHIFT = 10
};

static bool is_set_to(const char *name, const char *value) {
    const char *set = variable(name);
    return set != NULL && strcmp(set, value) == 0;
}

static unsigned read_environment(void) {
    const char *isa = variable("PTO_ISA");
    unsigned found = READ;
    if (is_set_to("PTO_AVX512_FP16", "0")) found |= WITHOUT_FP16;
    if (is_set_to("PTO_AVX512_VBMI", "0")) found |= WITHOUT_VBMI;
    if (is_set_to("PTO_AVX512_VBMI", "64")) found |= VBMI_64;
    if (is_set_to("PTO_AVX512_VBMI", "128")) found |= VBMI_128;
    if (is_set_to("PTO_ARM_FP16", "0")) found |= WITHOUT_ARM_FP16;
    if (is_set_to("PTO_ARM_BF16", "0")) found |= WITHOUT_ARM_BF16;
    if (is_set_to("PTO_RVV_FP16", "0")) found |= WITHOUT_RVV_FP16;
    if (isa == NULL || *isa == '\0') return found;
    for (size_t i = 0; isa_name(i) != NULL; ++i)
        if (is_name(isa, isa_name(i))) found |= ISA_KNOWN | (unsigned)i << ISA_SHIFT;
    return found | ISA_SET;
}

struct wishes pto_wishes(void) {
    static _Atomic(unsigned) kept;
    unsigned now = atomic_load_explicit(&kept, memory_order_relaxed), before = 0;
    struct wishes wishes;
    if (now == 0) {
        now = read_environment();
        if (!atomic_compare_exchange_strong(&kept, &before, now)) now = before; /* another thread was first */
    }
    wishes.isa_is_set = (now & ISA_SET) != 0;
    wishes.isa_is_known = (now & ISA_KNOWN) != 0;
    wishes.isa = (pto_isa)(now >> ISA_SHIFT);
    wishes.without_fp16 = (now & WITHOUT_FP16) != 0;
    wishes.without_vbmi = (now & WITHOUT_VBMI) != 0;
    wishes.vbmi_tables = (now & VBMI_64) != 0 ? 64 : (now & VBMI_128) != 0 ? 128 : 0;
    wishes.without_arm_fp16 = (now & WITHOUT_ARM_FP16) != 0;
    wishes.without_rvv_fp16 = (now & WITHOUT_RVV_FP16) != 0;
    wishes.without_arm_bf16 = (now & WITHOUT_ARM_BF16) != 0;
    return wishes;
}

/* ---- warning ---- */

#if HAVE_POSIX
/* write may raise SIGPIPE in this thread; a library must not end a program with it. */
static void write_to_stderr(const char *text, size_t length) {
    const int kept_errno = errno;
    sigset_t broken_pipe, mask, pending;
    int was_pending, signal_number;

    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    /* The signal mask is the thread's own on every system here, though POSIX promises it of pthread_sigmask
     * alone, which may need another library. */
    if (sigpending(&pending) == 0 && sigprocmask(SIG_BLOCK, &broken_pipe, &mask) == 0) {
        was_pending = sigismember(&pending, SIGPIPE);
        if (write(STDERR_FILENO, text, length) < 0 && errno == EPIPE && was_pending == 0 &&
            sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
            (void)sigwait(&broken_pipe, &signal_number);
        (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    }
    errno = kept_errno;
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

/* Not by way of stdio, whose buffers may be more than a small thread's stack holds. */
void pto_warn_of_isa(pto_isa chosen) {
    struct line line;
    line.length = 0;
    append(&line, "libpto: PTO_ISA is none of");
    for (size_t i = 0; isa_name(i) != NULL; ++i) {
        if (!pto_isa_available((pto_isa)i)) continue;
        append(&line, " ");
        append(&line, isa_name(i));
    }
    append(&line, ", using ");
    append(&line, pto_isa_name(chosen));
    append(&line, "\n");
    write_to_stderr(line.text, line.length);
}
