/* SPDX-License-Identifier: MIT */
/* Writes the text of a random kernel. */
#include "program/text_writer.h"

#include "support/cmocka_all.h"

#include <stdarg.h>
#include <stdio.h>

void text_put(struct text_writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    w->length += (size_t)vsnprintf(w->text + w->length, TEXT_WRITER_BYTES - w->length, format, arguments);
    va_end(arguments);
    if (w->length >= TEXT_WRITER_BYTES) fail_msg("the text is too long");
}
