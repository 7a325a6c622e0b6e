/* SPDX-License-Identifier: MIT */
/** @file text_line.h  Reads lines of any length. */
#ifndef PTO_TEST_TEXT_LINE_H
#define PTO_TEST_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** A line with its line feed. The caller frees `text`, which is NULL before the first line. */
struct text_line {
    char *text;
    size_t capacity;
};

/** Reads the next line. Returns false at the end of the file. */
bool text_line_read(struct text_line *line, FILE *file);

#endif
