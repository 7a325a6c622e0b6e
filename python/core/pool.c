/* SPDX-License-Identifier: MIT */
/* A pool of threads that work on one call at a time. */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_THREADS = 256 };

static atomic_size_t wanted = 1;

/* The call that holds `user` has the pool's threads to itself. Only this call starts rounds. `lock` protects the
 * variables below. */
static pthread_mutex_t user = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begin = PTHREAD_COND_INITIALIZER, end = PTHREAD_COND_INITIALIZER;
static size_t started; /* threads besides the callers' */
static size_t round_number;
static bool open_round; /* threads that wake while it is true take part in the round */
static size_t inside;   /* the number of pool threads that take part */
static pool_work *work_now;
static void *context_now;
static size_t parts_now;
static atomic_size_t next_part;

static void do_parts(pool_work *work, void *context, size_t parts) {
    for (size_t part; (part = atomic_fetch_add(&next_part, 1)) < parts;) work(context, part);
}

/* The main function of a pool thread. last_round is the value of round_number when the thread was made, as a pointer.
 * */
static void *serve(void *last_round) {
    size_t seen = (uintptr_t)last_round;
    pthread_mutex_lock(&lock);
    for (;;) {
        pool_work *work;
        void *context;
        size_t parts;
        while (round_number == seen) pthread_cond_wait(&begin, &lock);
        seen = round_number;
        if (!open_round) continue;
        ++inside;
        work = work_now;
        context = context_now;
        parts = parts_now;
        pthread_mutex_unlock(&lock);
        do_parts(work, context, parts);
        pthread_mutex_lock(&lock);
        if (--inside == 0) pthread_cond_signal(&end);
    }
    return NULL;
}

/* Resets the pool in the child after fork(): the child does not have its parent's threads. */
static void forget(void) {
    static const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
    static const pthread_cond_t nobody = PTHREAD_COND_INITIALIZER;
    user = lock = open;
    begin = end = nobody;
    started = inside = 0;
    open_round = false;
}

/* Starts threads until the pool has `others`, or as many as the system allows. */
static void start(size_t others) {
    static bool told;
    if (!told) told = pthread_atfork(NULL, NULL, forget) == 0;
    while (started < others) {
        pthread_t thread;
        void *const round = (void *)(uintptr_t)round_number; /* NOLINT(performance-no-int-to-ptr) */
        if (pthread_create(&thread, NULL, serve, round) != 0) return;
        pthread_detach(thread);
        ++started;
    }
}

void pool_run(pool_work *work, void *context, size_t parts) {
    if (parts <= 1 || pthread_mutex_trylock(&user) != 0) {
        for (size_t part = 0; part < parts; ++part) work(context, part);
        return;
    }
    start(parts - 1);
    pthread_mutex_lock(&lock);
    atomic_store(&next_part, 0);
    work_now = work;
    context_now = context;
    parts_now = parts;
    open_round = true;
    ++round_number;
    pthread_cond_broadcast(&begin);
    pthread_mutex_unlock(&lock);
    do_parts(work, context, parts);
    pthread_mutex_lock(&lock);
    open_round = false; /* threads that wake later take no part: on a busy machine they may wake late */
    while (inside != 0) pthread_cond_wait(&end, &lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&user);
}

void pool_set_threads(size_t threads) {
    atomic_store(&wanted, threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads);
}

size_t pool_threads(void) {
    return atomic_load(&wanted);
}
