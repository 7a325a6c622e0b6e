/* SPDX-License-Identifier: MIT */
/* A program with an array and a call that _FORTIFY_SOURCE checks. It is compiled without any hardening, so that the
 * test hardening.planted misses all of it. */
#include <stdio.h>

int main(int count, char **words) {
    char text[16];
    if (count > 0) (void)snprintf(text, sizeof text, "%s", words[0]);
    return count > 0 && puts(text) < 0;
}
