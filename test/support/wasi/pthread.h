/* SPDX-License-Identifier: MIT */
/** @file pthread.h
 * Replaces <pthread.h> on WASI, which has no threads: pthread_create() itself calls the thread's function. */
#ifndef PTO_TEST_WASI_PTHREAD_H
#define PTO_TEST_WASI_PTHREAD_H

#include <stddef.h>

typedef void *pthread_t; /* what the thread's function returned */

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *),
                                 void *argument) {
    (void)attributes;
    *thread = start(argument);
    return 0;
}

static inline int pthread_join(pthread_t thread, void **result) {
    if (result) *result = thread;
    return 0;
}

#endif
