/* SPDX-License-Identifier: MIT */
/* Patterns of form names, as in a shell. */
#ifndef PTO_CLI_PATTERN_H
#define PTO_CLI_PATTERN_H

#include <stdbool.h>

/* Returns whether a name fits a pattern. `*` stands for any characters, `?` for one, `[a-c]` for one of these, and
 * `[!a-c]` for one other than these. The character after a backslash stands for itself. */
bool fits_pattern(const char *pattern, const char *name);

#endif
