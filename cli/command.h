/* SPDX-License-Identifier: MIT */
/* What a subcommand is, and what all of them share: options, errors, JSON, words. */
#ifndef PTO_CLI_COMMAND_H
#define PTO_CLI_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__GNUC__)
#    define PRINTF_LIKE(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#    define PRINTF_LIKE(text, first)
#endif

/* How a run ends. */
enum { ALL_WELL = 0, DIFFERENT = 1, BAD_USE = 2 };

/* A subcommand: a file that defines one of these, and a row in main.c. */
struct command {
    const char *name;
    const char *arguments; /* what follows the name in the line of use */
    const char *line;      /* what it does, in one line */
    const char *options;   /* lines about its options and operands, or "" */
    const char *example;   /* a whole command line */
    int (*run)(int argc, char **argv);
    void (*more_help)(void); /* prints more of the help, or NULL */
};

#ifdef PTO_HAS_PROGRAM
extern const struct command command_eval, command_run;
#endif
extern const struct command command_info, command_forms, command_explain, command_table, command_digest,
    command_diff;

/* Stands before a command's name in what is said of its use: "pto ". Defined beside main. */
extern const char command_prefix[];

/* "pto NAME: ..." on stderr; returns BAD_USE, so that a subcommand can return it. */
int bad_use(const struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* The next option's value as getopt_long has it, which is its letter, -1 behind the last, '?' after a complaint about one. */
int next_option(const struct command *command, int argc, char **argv, const struct option *options);

/* Says so and ends the program. */
_Noreturn void out_of_memory(void);

/* A string of JSON, quotes and all. */
void put_json_string(FILE *out, const char *text);

#endif
