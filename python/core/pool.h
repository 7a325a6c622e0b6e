/* SPDX-License-Identifier: MIT */
/* A pool of threads that work on one call at a time. It does not use Python. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

typedef void pool_work(void *context, size_t part);

/* Calls work(context, part) once for every part from 0 to parts - 1, in this thread and in the pool's, and returns when
 * all are done. If another call is using the pool, this thread does all parts. */
void pool_run(pool_work *work, void *context, size_t parts);

/* The number of threads that a call may use, including the caller's. The setter limits it to 1 to 256. Threads are
 * started on first use. */
void pool_set_threads(size_t threads);
size_t pool_threads(void);

#endif
