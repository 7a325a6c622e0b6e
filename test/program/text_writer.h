/* SPDX-License-Identifier: MIT */
/** @file text_writer.h Writes the text of a random kernel. */
#ifndef PTO_TEST_TEXT_WRITER_H
#define PTO_TEST_TEXT_WRITER_H

#include "support/harness.h"

enum { TEXT_WRITER_BYTES = 1 << 14 };

struct text_writer {
    struct rng rng;
    char text[TEXT_WRITER_BYTES]; /**< terminated */
    size_t length;
};

/** Appends to the text. Fails the test if the text becomes too long. */
void text_put(struct text_writer *w, const char *format, ...) __attribute__((format(__printf__, 2, 3)));

#endif
