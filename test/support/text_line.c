/* SPDX-License-Identifier: MIT */
/* Reads lines of any length. Windows has no getline(). */
#include "support/text_line.h"

#include <stdlib.h>

bool text_line_read(struct text_line *line, FILE *file) {
    size_t length = 0;
    int byte = 0;
    while (byte != '\n' && (byte = getc(file)) != EOF) {
        if (length + 1 >= line->capacity) {
            line->capacity = 2 * line->capacity + 256;
            line->text = realloc(line->text, line->capacity);
            if (!line->text) abort();
        }
        line->text[length++] = (char)byte;
        line->text[length] = 0;
    }
    return length != 0;
}
