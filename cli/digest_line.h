/* SPDX-License-Identifier: MIT */
/* Writes, reads and merges the lines of JSON that hold digests. */
#ifndef PTO_CLI_DIGEST_LINE_H
#define PTO_CLI_DIGEST_LINE_H

#include "digest_form.h"

/* An integer of 128 bits. Digests are added modulo 2^128. */
struct digest128 {
    uint64_t high, low;
};

void digest_add(struct digest128 *digest, struct digest128 more);

enum { LINE_WORD_SIZE = 32 };

/* The digest of the shares from `begin` to `end` - 1 of a form. */
struct line {
    char form[FORM_NAME_SIZE];
    char inputs[LINE_WORD_SIZE];      /* the name of a coverage */
    uint64_t count;                   /* number of inputs of the form */
    uint64_t begin, end, share_count; /* share_count: shares of the whole form */
    struct digest128 digest;
    char version[LINE_WORD_SIZE]; /* version of the library */
    char isa[LINE_WORD_SIZE];     /* the instruction set that computed it; it does not change the digest */
};

void write_line(const struct line *line);

/* Finds the form in `forms` that has the name, coverage and number of inputs of the line. Returns false if no
 * form has them. */
bool form_of_line(const struct form_list *forms, const struct line *line, struct form *form);

/* Narrows a range to the shares of a line. Returns false if the result is empty. */
bool common_range(const struct line *line, uint64_t range[2]);

/* A list of lines in the order in which they were read, or after merge_lines() in the order of compare_lines(). */
struct line_list {
    struct line *items;
    size_t count, capacity;
};

void add_line(struct line_list *list, const struct line *line);

/* Appends the lines of a file; "-" is standard input. Returns STATUS_ERROR after an error, whose message has file and
 * line. */
int read_lines(const struct command *command, const char *path, struct line_list *list);

/* Compares two lines by form, inputs and first share: less than 0, 0, or greater than 0. */
int compare_lines(const struct line *a, const struct line *b);

/* Sorts the lines and joins those with adjacent shares. Returns STATUS_ERROR after an error, if lines contradict each
 * other or overlap. */
int merge_lines(const struct command *command, struct line_list *list);

#endif
