/* SPDX-License-Identifier: MIT */
/* Pages, traps, the environment and processes of Windows. */
#include "support/platform.h"

#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static void give_up(const char *what) {
    fprintf(stderr, "%s: error %lu\n", what, GetLastError());
    abort();
}

/* ---- pages ---- */

size_t platform_page_size(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

void *platform_reserve(size_t size) {
    void *const start = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
    if (!start) give_up("VirtualAlloc");
    return start;
}

void platform_allow(void *start, size_t size, bool writable) {
    DWORD before;
    if (!VirtualProtect(start, size, writable ? PAGE_READWRITE : PAGE_READONLY, &before))
        give_up("VirtualProtect");
}

void platform_release(void *start, size_t size) {
    (void)size;
    if (!VirtualFree(start, 0, MEM_RELEASE)) give_up("VirtualFree");
}

/* ---- traps ---- */

static void *trap_return[5]; /* the builtin functions below need five words */
static DWORD trap_thread;
static const char *trap_title;

/* Leaves the call that trapped. longjmp() would unwind the stack, which stops at functions without unwinding tables. */
static void leave(void) {
    __builtin_longjmp(trap_return, 1);
}

static const char *title_of(DWORD code) {
    switch (code) {
    case EXCEPTION_ACCESS_VIOLATION: return "an access violation: memory outside the operands was touched";
    case EXCEPTION_ILLEGAL_INSTRUCTION: return "an instruction that this CPU lacks";
    case EXCEPTION_INT_DIVIDE_BY_ZERO: return "a division of integers by zero";
    case EXCEPTION_FLT_DENORMAL_OPERAND:
    case EXCEPTION_FLT_DIVIDE_BY_ZERO:
    case EXCEPTION_FLT_INEXACT_RESULT:
    case EXCEPTION_FLT_INVALID_OPERATION:
    case EXCEPTION_FLT_OVERFLOW:
    case EXCEPTION_FLT_STACK_CHECK:
    case EXCEPTION_FLT_UNDERFLOW:
    case STATUS_FLOAT_MULTIPLE_FAULTS:
    case STATUS_FLOAT_MULTIPLE_TRAPS: return "a floating-point exception got out";
    default: return NULL;
    }
}

/* Continues this thread in leave(), as if the instruction that trapped had called it. */
static LONG CALLBACK trap(EXCEPTION_POINTERS *exception) {
    CONTEXT *const context = exception->ContextRecord;
    const char *const title = title_of(exception->ExceptionRecord->ExceptionCode);
    if (!title || GetCurrentThreadId() != trap_thread) return EXCEPTION_CONTINUE_SEARCH;
    trap_title = title;
    context->Rsp = ((context->Rsp - 256) & ~(DWORD64)15) - sizeof(void *);
    context->Rip = (DWORD64)(uintptr_t)leave;
    return EXCEPTION_CONTINUE_EXECUTION;
}

const char *platform_catch(void (*body)(void *), void *context) {
    void *const handler = AddVectoredExceptionHandler(1, trap);
    trap_thread = GetCurrentThreadId();
    trap_title = NULL;
    if (__builtin_setjmp(trap_return) == 0) body(context);
    RemoveVectoredExceptionHandler(handler);
    return trap_title;
}

/* ---- this process ---- */

void platform_set_variable(const char *name, const char *value) {
    if (_putenv_s(name, value ? value : "") != 0)
        give_up("_putenv_s"); /* an empty value removes the variable */
}

char **platform_variables(void) {
    return _environ;
}

size_t platform_command_line(char *words, size_t size) {
    size_t used = 0;
    for (int i = 0; i < __argc; i++) {
        const size_t length = strlen(__argv[i]) + 1;
        if (length > size - used) break;
        memcpy(words + used, __argv[i], length);
        used += length;
    }
    return used;
}

bool platform_break_stderr(void) {
    int ends[2];
    return _pipe(ends, 4096, _O_BINARY) == 0 && _close(ends[0]) == 0 && _dup2(ends[1], 2) == 0;
}

struct platform_sigpipe platform_sigpipe(void) {
    return (struct platform_sigpipe){false, false};
}

/* ---- child processes ---- */

/* Opens a temporary file as stream `stream` of this process, and returns a duplicate of the previous one. */
static int redirect(int stream, FILE *file) {
    const int before = _dup(stream);
    if (before < 0 || _dup2(_fileno(file), stream) != 0) give_up("_dup2");
    return before;
}

static void restore(int stream, int before) {
    if (_dup2(before, stream) != 0) give_up("_dup2");
    _close(before);
}

/* Reads the file that a child wrote, without the carriage returns at the ends of lines, and closes it. */
static void read_all(FILE *file, char text[PLATFORM_TEXT]) {
    size_t used = 0;
    int byte;
    rewind(file);
    while (used < PLATFORM_TEXT - 1 && (byte = getc(file)) != EOF) {
        if (byte != '\r') text[used++] = (char)byte;
    }
    text[used] = 0;
    fclose(file);
}

/* Appends an argument to a command line. A C runtime splits the line at blanks outside double quotes, so that arguments
 * must not contain double quotes. */
static void append_argument(char *line, size_t size, const char *argument) {
    const size_t used = strlen(line);
    snprintf(line + used, size - used, "%s\"%s\"", used ? " " : "", argument);
}

bool platform_run(const char *const *arguments, struct platform_outcome *outcome) {
    FILE *const out = tmpfile(), *const err = tmpfile();
    char line[PLATFORM_TEXT] = "";
    const char *words[] = {NULL, NULL};
    int before_out, before_err;
    intptr_t status;
    if (!out || !err) return false;
    for (size_t i = 0; arguments[i]; i++) append_argument(line, sizeof line, arguments[i]);
    words[0] = line; /* _spawnv() joins the words with blanks */
    fflush(NULL);
    before_out = redirect(1, out);
    before_err = redirect(2, err);
    status = _spawnv(_P_WAIT, arguments[0], words);
    restore(1, before_out);
    restore(2, before_err);
    read_all(out, outcome->out);
    read_all(err, outcome->err);
    outcome->status = (int)status;
    return status != -1;
}
