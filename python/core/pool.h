/* SPDX-License-Identifier: MIT */
/* Threads that share one call; they know nothing of Python. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

typedef void pool_work(void *context, size_t part);

/* Does every part once, in this thread and others, and returns when all are done. While another call has the threads,
 * this thread does all of them. */
void pool_run(pool_work *work, void *context, size_t parts);

/* How many threads a call may use, this one among them; the others start when they are needed. */
void pool_set_threads(size_t threads);
size_t pool_threads(void);

#endif
