/* SPDX-License-Identifier: MIT */
/** @file upper.h
 * Whether the upper parts of the vector registers are in use. If they are left in use, SSE code that follows is
 * slow. */
#ifndef PTO_TEST_UPPER_H
#define PTO_TEST_UPPER_H

#include <stdbool.h>

/** Whether this CPU has such registers and reports their use (XINUSE, read by XGETBV). */
bool upper_is_reported(void);

/** upper_clear() clears the upper parts. upper_use() sets the upper part of one register. */
void upper_clear(void);
void upper_use(void);

bool upper_in_use(void);

#endif
