/* SPDX-License-Identifier: MIT */
/**
 * @file upper.h
 * Whether the upper parts of the vector registers are in use: left so, they slow down the SSE code that
 * follows.
 */
#ifndef PTO_TEST_UPPER_H
#define PTO_TEST_UPPER_H

#include <stdbool.h>

/** Whether this CPU has such registers and tells their use (XINUSE, read by XGETBV). */
bool upper_is_told(void);

/** Puts them out of use, and into it. */
void upper_clear(void);
void upper_use(void);

bool upper_in_use(void);

#endif
