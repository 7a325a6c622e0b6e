/* SPDX-License-Identifier: MIT */
/* Pages, traps, the environment and processes of POSIX systems. */
#include "support/platform.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what) {
    perror(what);
    abort();
}

/* ---- pages ---- */

size_t platform_page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

void *platform_reserve(size_t size) {
    void *const start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) give_up("mmap");
    return start;
}

void platform_allow(void *start, size_t size, bool writable) {
    if (mprotect(start, size, writable ? PROT_READ | PROT_WRITE : PROT_READ) != 0) give_up("mprotect");
}

void platform_release(void *start, size_t size) {
    if (munmap(start, size) != 0) give_up("munmap");
}

/* ---- traps ---- */

static sigjmp_buf trap_return;
static pthread_t trap_thread;

static void trap(int signal_number) {
    if (pthread_equal(pthread_self(), trap_thread)) siglongjmp(trap_return, signal_number);
    signal(signal_number, SIG_DFL); /* a jump cannot leave another thread's stack, so the signal recurs and
                                     * ends the program */
}

static const char *signal_title(int signal_number) {
    switch (signal_number) {
    case SIGSEGV: return "SIGSEGV: memory outside the operands was touched";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE: a floating-point exception got out";
    case SIGILL: return "SIGILL: an instruction that this CPU lacks";
    default: return "a signal";
    }
}

const char *platform_catch(void (*body)(void *), void *context) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    enum { SIGNALS = sizeof signals / sizeof signals[0] };
    struct sigaction old[SIGNALS];
    struct sigaction action;
    int caught;

    trap_thread = pthread_self();
    memset(&action, 0, sizeof action);
    action.sa_handler = trap;
    action.sa_flags = SA_NODEFER; /* needed because the handler exits by a jump */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &action, &old[i]);
    }
    caught = sigsetjmp(trap_return, 0);
    if (caught == 0) body(context);
    for (size_t i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &old[i], NULL);
    }
    return caught == 0 ? NULL : signal_title(caught);
}

/* ---- this process ---- */

void platform_set_variable(const char *name, const char *value) {
    if (value ? setenv(name, value, 1) : unsetenv(name)) give_up("setenv");
}

extern char **environ; /* NOLINT(readability-redundant-declaration): some systems declare it in no header */

char **platform_variables(void) {
    return environ;
}

size_t platform_command_line(char *words, size_t size) {
    FILE *file = fopen("/proc/self/cmdline", "rb");
    const size_t length = file ? fread(words, 1, size, file) : 0;
    if (file) fclose(file);
    return length;
}

bool platform_break_stderr(void) {
    int ends[2];
    return pipe(ends) == 0 && close(ends[0]) == 0 && dup2(ends[1], STDERR_FILENO) >= 0 &&
           signal(SIGPIPE, SIG_DFL) != SIG_ERR;
}

struct platform_sigpipe platform_sigpipe(void) {
    sigset_t mask, pending;
    if (sigprocmask(SIG_SETMASK, NULL, &mask) != 0 || sigpending(&pending) != 0) give_up("sigprocmask");
    return (struct platform_sigpipe){sigismember(&mask, SIGPIPE) == 1, sigismember(&pending, SIGPIPE) == 1};
}

/* ---- child processes ---- */

enum { MAX_ARGUMENTS = 32, CANNOT_START = 126 };

/** Replaces the child process by the program. */
static void replace_process(const char *const *arguments) {
    char emulator[PLATFORM_TEXT];
    const char *words[MAX_ARGUMENTS];
    const char *prefix = getenv("PTO_TEST_EMULATOR");
    size_t count = 0;
    char *rest;
    snprintf(emulator, sizeof emulator, "%s", prefix ? prefix : "");
    for (char *word = strtok_r(emulator, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count < MAX_ARGUMENTS - 1) words[count++] = word;
    }
    for (; *arguments && count < MAX_ARGUMENTS - 1; arguments++) words[count++] = *arguments;
    words[count] = NULL;
    if (count != 0) execvp(words[0], (char *const *)words); /* execvp does not modify them */
    _exit(CANNOT_START);
}

static void read_all(int from, char text[PLATFORM_TEXT]) {
    size_t used = 0;
    ssize_t got;
    while (used < PLATFORM_TEXT - 1 &&
           ((got = read(from, text + used, PLATFORM_TEXT - 1 - used)) > 0 || (got < 0 && errno == EINTR))) {
        used += got > 0 ? (size_t)got : 0;
    }
    text[used] = 0;
    close(from);
}

bool platform_run(const char *const *arguments, struct platform_outcome *outcome) {
    int out[2], err[2];
    pid_t pid;
    fflush(NULL);
    if (pipe(out) != 0 || pipe(err) != 0) return false;
    pid = fork();
    if (pid == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        replace_process(arguments);
    }
    close(out[1]);
    close(err[1]);
    read_all(out[0], outcome->out);
    read_all(err[0], outcome->err);
    if (pid < 0 || waitpid(pid, &outcome->status, 0) != pid) return false;
    return !WIFEXITED(outcome->status) || WEXITSTATUS(outcome->status) != CANNOT_START;
}
