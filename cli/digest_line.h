/* SPDX-License-Identifier: MIT */
/* The lines of JSON that hold digests: written, read, merged. */
#ifndef PTO_CLI_DIGEST_LINE_H
#define PTO_CLI_DIGEST_LINE_H

#include "digest_form.h"

/* A number of 128 bits; digests add modulo 2^128. */
struct sum {
    uint64_t high, low;
};

void sum_add(struct sum *sum, struct sum more);

enum { LINE_WORD = 32 };

/* The shares from begin to end - 1 of a form. */
struct line {
    char form[FORM_NAME];
    char inputs[LINE_WORD]; /* the name of a coverage */
    uint64_t count;         /* of the form's inputs */
    uint64_t begin, end, of;
    struct sum digest;
    char version[LINE_WORD]; /* of the library */
    char isa[LINE_WORD];     /* that computed it; no part of the digest */
};

void write_line(const struct line *line);

/* The form whose inputs a line speaks of, out of some; false if it is not among them. */
bool form_of_line(const struct form_list *forms, const struct line *line, struct form *form);

/* Narrows a range to the shares of a line; false where none is left. */
bool common_range(const struct line *line, uint64_t range[2]);

/* Lines in the order in which they were read; merged, by form, inputs and share. */
struct line_list {
    struct line *items;
    size_t count, room;
};

void add_line(struct line_list *list, const struct line *line);

/* Adds the lines of a file, "-" being standard input. After a complaint that names file and line: BAD_USE. */
int read_lines(const struct command *command, const char *path, struct line_list *list);

/* By form, inputs and first share, as merged lines lie. */
int compare_lines(const struct line *a, const struct line *b);

/* Sorts the lines and joins those that follow each other. After a complaint about some that do not fit: BAD_USE. */
int merge_lines(const struct command *command, struct line_list *list);

#endif
