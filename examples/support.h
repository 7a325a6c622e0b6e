/* SPDX-License-Identifier: MIT */
/**
 * @file support.h
 * Memory, time and a description of the machine, for the examples that measure.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <pto/pto.h>

enum { MAX_ISAS = 16 };

/** Returns the number of backends that libpto has names for, available or not. They are numbered from 0. */
int isas(void);

/** Allocates memory, for 0 bytes too. If the allocation fails, the program ends. The caller must free the memory. */
void *room(size_t bytes);

/** Returns the seconds of a monotonic clock. */
double now(void);

/** Prints libpto's version, the CPU, the system, the compiler and the backends, one line each. */
void print_machine(void);

#endif
