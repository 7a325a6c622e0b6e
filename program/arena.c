/* SPDX-License-Identifier: MIT */
/* Memory for launches. A module keeps it for later launches, because getting new pages from the operating system can
 * take as long as a launch. */
#include "launch.h"
#include "platform.h"

#include <stdint.h>

/* An allocation begins with a cache line that contains the size of the memory after it. */
enum { LINE = PTO_LINE };

void *pto_arena_take(pto_module *m, size_t bytes) {
    unsigned char *memory;
    for (size_t i = 0; i < ARENAS; i++) {
        memory = atomic_exchange(&m->arenas[i], NULL);
        if (memory && *(size_t *)(void *)memory >= bytes) return memory + LINE;
        pto_free_lines(memory);
    }
    memory = bytes <= SIZE_MAX - LINE ? pto_allocate_lines(LINE + bytes) : NULL;
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
    pto_free_lines(begin);
}

void pto_arena_free(pto_module *m) {
    for (size_t i = 0; i < ARENAS; i++) pto_free_lines(m->arenas[i]);
}
