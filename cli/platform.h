/* SPDX-License-Identifier: MIT */
/* Functions whose implementation depends on the operating system. */
#ifndef PTO_CLI_PLATFORM_H
#define PTO_CLI_PLATFORM_H

#include <stdbool.h>

/* Must be called before the first use of the standard streams. Makes them binary, so that Windows converts no line
 * ends, and makes a console interpret the escape sequences that clear_progress() writes. */
void platform_start(void);

/* Returns whether standard output, of which a write failed with `error`, is a pipe that nobody reads any more.
 * On other systems a signal has ended the process before, unless it is ignored, and this returns false. */
bool is_reader_gone(int error);

/* Creates a folder. Returns false and sets errno after an error. */
bool make_folder(const char *path);

#endif
