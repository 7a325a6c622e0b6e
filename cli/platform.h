/* SPDX-License-Identifier: MIT */
/* Functions that systems have in different forms. */
#ifndef PTO_CLI_PLATFORM_H
#define PTO_CLI_PLATFORM_H

#include <stdbool.h>

/* Prepares the standard streams, before their first use: on every system they carry bytes without changes, and a
 * console interprets the sequences that clear_progress() writes. */
void platform_start(void);

/* Creates a folder. Returns false and sets errno after an error. */
bool make_folder(const char *path);

#endif
