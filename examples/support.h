/* SPDX-License-Identifier: MIT */
/**
 * @file support.h
 * What the programs that measure share: memory, time, and what machine they run on.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <pto/pto.h>

enum { MAX_ISAS = 16 };

/** How many ISAs libpto has a name for, available or not: they are numbered from 0. */
int isas(void);

/** Memory that is there, also for 0 bytes; without it the program ends. Give it back with free. */
void *room(size_t bytes);

/** Seconds on a clock that only goes forward. */
double now(void);

/** libpto, CPU, system, compiler and instruction sets, one line each. */
void print_machine(void);

#endif
