/* SPDX-License-Identifier: MIT */
/**
 * @file support.h
 * What the programs that measure share: memory, time, and what machine they run on.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <pto/pto.h>

enum { ISAS = PTO_ISA_NEON + 1 };

/** Memory that is there, also for 0 bytes; without it the program ends. Give it back with free. */
void *room(size_t bytes);

/** Seconds on a clock that only goes forward. */
double now(void);

/** libpto, CPU, system, compiler and instruction sets, one line each. */
void print_machine(void);

#endif
