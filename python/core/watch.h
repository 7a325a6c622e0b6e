/* SPDX-License-Identifier: MIT */
/* Lets a long call run without the GIL and still handle signals, such as SIGINT from Ctrl-C. */
#ifndef WATCH_H
#define WATCH_H

#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct watch {
    PyThreadState *state;
    pthread_t caller;
    long long looked; /* time of the last check for signals */
    atomic_bool stopped;
} watch;

/* Returns the time of a monotonic clock in microseconds. */
long long watch_now(void);

/* Starts the watch and releases the GIL. */
void watch_begin(watch *w);

/* Returns whether the call must end early. Every thread that works on the call calls this between two pieces of the
 * work. In the caller's thread it runs Python's signal handlers, at most once in 50 ms. */
bool watch_stopped(watch *w);

/* Acquires the GIL again. Returns false if the call ended early; then a signal handler has set an exception. */
bool watch_end(watch *w);

#endif
