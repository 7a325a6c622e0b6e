/* SPDX-License-Identifier: MIT */
/* Patterns of form names, as in a shell. Not all systems have fnmatch(). */
#include "pattern.h"

#include <stddef.h>

/* Returns what follows the list of characters that begins at '[', or NULL if the list has no end. Sets *fits to whether
 * `c` is in the list. */
static const char *after_list(const char *list, char c, bool *fits) {
    const char *at = list + 1;
    const bool is_negated = *at == '!' || *at == '^';
    const char *first;
    bool is_in = false;
    at += is_negated;
    first = at;
    while (*at != ']' || at == first) { /* a ']' at the start is in the list */
        const char low = *at;
        char high = low;
        if (low == '\0') return NULL;
        if (at[1] == '-' && at[2] != ']' && at[2] != '\0') {
            high = at[2];
            at += 2;
        }
        is_in = is_in || ((unsigned char)low <= (unsigned char)c && (unsigned char)c <= (unsigned char)high);
        ++at;
    }
    *fits = is_in != is_negated;
    return at + 1;
}

/* Returns the rest of the pattern after its first part, or NULL if `c` does not fit that part. The pattern must not
 * begin with '*'. */
static const char *after_one(const char *pattern, char c) {
    if (*pattern == '?') return pattern + 1;
    if (*pattern == '[') {
        bool fits;
        const char *const after = after_list(pattern, c, &fits);
        if (after != NULL) return fits ? after : NULL;
    }
    if (*pattern == '\\' && pattern[1] != '\0') ++pattern;
    return *pattern == c ? pattern + 1 : NULL;
}

bool fits_pattern(const char *pattern, const char *name) {
    const char *star = NULL,
               *retry = NULL; /* the pattern after the last '*', and where the rest is tried next */
    while (*name != '\0') {
        const char *after;
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
            continue;
        }
        after = after_one(pattern, *name);
        if (after != NULL) {
            pattern = after;
            ++name;
        } else if (star != NULL) {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') ++pattern;
    return *pattern == '\0';
}
