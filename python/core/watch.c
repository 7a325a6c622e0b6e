/* SPDX-License-Identifier: MIT */
/* Releases the GIL during a long call and checks for signals. */
#include "watch.h"

#include <time.h>

enum { EVERY_US = 50000 };

long long watch_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void watch_begin(watch *w) {
    w->caller = pthread_self();
    atomic_init(&w->stopped, false);
    w->looked = watch_now();
    w->state = PyEval_SaveThread();
}

static bool is_time_to_look(watch *w) {
    const long long now = watch_now();
    if (now - w->looked < EVERY_US) return false;
    w->looked = now;
    return true;
}

bool watch_stopped(watch *w) {
    if (atomic_load(&w->stopped)) return true;
    if (!pthread_equal(pthread_self(), w->caller) || !is_time_to_look(w)) return false;
    PyEval_RestoreThread(w->state);
    if (PyErr_CheckSignals() != 0) atomic_store(&w->stopped, true);
    w->state = PyEval_SaveThread();
    return atomic_load(&w->stopped);
}

bool watch_end(watch *w) {
    PyEval_RestoreThread(w->state);
    return !atomic_load(&w->stopped);
}
