/* SPDX-License-Identifier: MIT */
/* Long calls run without the GIL and still notice signals, such as that of Ctrl-C. */
#ifndef WATCH_H
#define WATCH_H

#include "core.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct watch {
    PyThreadState *state;
    pthread_t caller;
    long long looked; /* when signals were last looked for */
    atomic_bool stopped;
} watch;

/* Microseconds of a clock that only goes forward. */
long long watch_now(void);

/* Releases the GIL. */
void watch_begin(watch *w);

/* Returns whether the call is to end early. Every thread that works on the call asks between two pieces of the work;
 * in the thread of the caller this runs Python's signal handlers, at most every 50 ms. */
bool watch_stopped(watch *w);

/* Takes the GIL again. Returns false if the call ended early: then a signal handler has set an exception. */
bool watch_end(watch *w);

#endif
