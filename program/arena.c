/* SPDX-License-Identifier: MIT */
/* Memory for launches. A module keeps it for later launches, because getting new pages from the operating system can
 * take as long as a launch. */
#include "launch.h"

#include <stdlib.h>

/* The size of a cache line. An allocation begins with a line that contains the size of the memory after it. */
enum { LINE = 64 };

void *pto_arena_take(pto_module *m, size_t bytes) {
    unsigned char *memory;
    for (size_t i = 0; i < ARENAS; i++) {
        memory = atomic_exchange(&m->arenas[i], NULL);
        if (memory && *(size_t *)(void *)memory >= bytes) return memory + LINE;
        free(memory);
    }
    memory = aligned_alloc(LINE, LINE + (bytes + LINE - 1) / LINE * LINE);
    if (!memory) return NULL;
    *(size_t *)(void *)memory = bytes;
    return memory + LINE;
}

void pto_arena_give(pto_module *m, void *memory) {
    unsigned char *begin = memory ? (unsigned char *)memory - LINE : NULL;
    for (size_t i = 0; begin && i < ARENAS; i++) {
        void *empty = NULL;
        if (atomic_compare_exchange_strong(&m->arenas[i], &empty, begin)) return;
    }
    free(begin);
}

void pto_arena_free(pto_module *m) {
    for (size_t i = 0; i < ARENAS; i++) free(m->arenas[i]);
}
