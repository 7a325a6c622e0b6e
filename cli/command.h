/* SPDX-License-Identifier: MIT */
/* The description of a subcommand, and functions that all subcommands use: options, errors, JSON strings. */
#ifndef PTO_CLI_COMMAND_H
#define PTO_CLI_COMMAND_H

#include <pto/parse.h>

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__GNUC__)
#    define PRINTF_LIKE(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#    define PRINTF_LIKE(text, first)
#endif

/* Exit statuses. */
enum { STATUS_OK = 0, STATUS_DIFFERENT = 1, STATUS_ERROR = 2 };

/* A subcommand. Its source file defines one of these, and main.c lists it. */
struct command {
    const char *name;
    const char *arguments; /* the arguments in the usage line */
    const char *summary;   /* the description in one line */
    const char *options;   /* help lines about its options and operands, or "" */
    const char *example;   /* a complete command line */
    int (*run)(int argc, char **argv);
    void (*more_help)(void); /* prints more lines of the help; may be NULL */
};

#ifdef PTO_HAS_PROGRAM
extern const struct command command_eval, command_run, command_launch;
#endif
extern const struct command command_info, command_forms, command_explain, command_table, command_digest,
    command_diff, command_vectors;

/* The prefix of a subcommand's name in messages. It is empty unless main() sets it to "pto ". */
extern const char *command_prefix;

/* Prints "pto NAME: ..." to stderr. Returns STATUS_ERROR, which a subcommand can return as its status. */
int report_error(const struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints the text, a caret below the place of the error, and what was expected there. Returns STATUS_DIFFERENT. */
int show_error(const char *text, const pto_parse_error *error);

/* Returns the `val` of the next option, which is its letter; -1 after the last one; '?' after an error, which is
 * reported. */
int next_option(const struct command *command, int argc, char **argv, const struct option *options);

/* Prints an error message and exits. (cppcheck 2.10 does not know _Noreturn.) */
__attribute__((noreturn)) void out_of_memory(void);

/* Returns what put_safe_string() would write as a string, which the caller frees. */
char *safe_copy(const char *text);

/* Writes a JSON string, with its quotes. */
void put_json_string(FILE *out, const char *text);

#endif
