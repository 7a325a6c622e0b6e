/* SPDX-License-Identifier: MIT */
/** @file module_pair.h
 * Launches one kernel in two modules of the same text. The trace callback of the second module does nothing, but a
 * launch with a trace callback never uses a record (program/record.c). So the results of record and engine can be
 * compared.
 *
 * To see whether a launch used a record, each kernel copies the input element `turn` to an array, for each thread. The
 * stop callback, which is called between groups of blocks, increments this element. The engine loads it in each group,
 * so all threads of group i store i. A record loads the element once for all of its groups.
 */
#ifndef PTO_TEST_MODULE_PAIR_H
#define PTO_TEST_MODULE_PAIR_H

#include <pto/module.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAIR_ARRAYS = 4, PAIR_THREADS = 8192, PAIR_REGION = 144 << 10, PAIR_POOL = PAIR_ARRAYS * PAIR_REGION };

/** An argument of the kernel: `bytes` bytes at `offset` of the pool. */
struct pair_array {
    size_t offset, bytes;
    bool is_input;
};

struct pair_setup {
    pto_dim3 grid, block;
    size_t first, count; /**< the blocks that run */
    struct pair_array arrays[PAIR_ARRAYS];
    uint32_t n; /**< the argument `n` */
    size_t max_steps;
};

/** What a launch leaves. */
struct pair_result {
    pto_status status;
    pto_program_error problem;
    uint32_t turn, seen[PAIR_THREADS];
    unsigned char pool[PAIR_POOL];
};

/**
 * The beginning of each kernel: `.entry k` with the parameters a, b, c, d, turn, seen and n. Sets %r1 to the number of
 * the thread in the grid, %r2 to that in its block, %r3 to the number of the block, %r5 to n, and %rd4 to %rd7 to the
 * addresses of the arrays a to d. Kernels may change the registers %f0 to %f5, %q0 to %q5 (32 bits), %h0 to %h5 (16
 * bits), %d0 to %d5 (64 bits) and %p0 to %p3, and %r6 to %r19, %rd8 to %rd19 and %pp.
 */
extern const char pair_prologue[];

/** A trace callback that does nothing. */
void pair_ignore(void *user, const pto_program_step *step);

/** Launches the kernel with random memory and compares both results. Fails the test if they differ, or if the second
 * launch used a record. */
void pair_run(const char *text, const struct pair_setup *setup);

/** Returns a result of the last pair_run(): 0 for the module without, 1 for the module with the trace callback. */
const struct pair_result *pair_result(int traced);

/** Returns how many threads a record ran after its first group, in the last pair_run(). */
size_t pair_recorded(void);

#endif
