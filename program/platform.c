/* SPDX-License-Identifier: MIT */
/* Functions that C11 lacks, or that not all systems have. */
#include "platform.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined _WIN32 && defined __x86_64__
#    include <xmmintrin.h>
#endif
#ifdef __APPLE__
#    include <xlocale.h> /* uselocale */
#endif

/* ---- floating-point state ---- */

#if defined _WIN32 && defined __x86_64__
pto_fp_state pto_fp_enter_default(void) {
    enum { DEFAULT_MXCSR = 0x1f80 }; /* rounds to nearest, flushes nothing, and all exceptions are masked */
    const pto_fp_state before = _mm_getcsr();
    _mm_setcsr(DEFAULT_MXCSR);
    return before;
}

void pto_fp_enter(const pto_fp_state *state) {
    _mm_setcsr(*state);
}
#else
pto_fp_state pto_fp_enter_default(void) {
    pto_fp_state before;
    (void)fegetenv(&before);
    (void)fesetenv(FE_DFL_ENV);
    return before;
}

void pto_fp_enter(const pto_fp_state *state) {
    (void)fesetenv(state);
}
#endif

/* ---- texts ---- */

char *pto_duplicate_text(const char *text, size_t length) {
    char *const copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* FNV-1a, of which a last multiplication carries the low bits to the high ones. */
uint32_t pto_scatter(const char *name, size_t length) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return (hash ^ hash >> 15) * 0x9e3779b1u;
}

/* ---- cache lines ---- */

/* aligned_alloc() is absent on Windows, and on older versions of Android and macOS. The byte before the memory holds
 * its distance from the start of the allocation: 1 to PTO_LINE. */
void *pto_allocate_lines(size_t bytes) {
    unsigned char *begin, *memory;
    if (bytes > SIZE_MAX - PTO_LINE) return NULL;
    begin = malloc(bytes + PTO_LINE);
    if (begin == NULL) return NULL;
    memory = begin + (PTO_LINE - (uintptr_t)begin % PTO_LINE);
    memory[-1] = (unsigned char)(memory - begin);
    return memory;
}

void pto_free_lines(void *memory) {
    unsigned char *const at = memory;
    if (at != NULL) free(at - at[-1]);
}

/* ---- numbers ---- */

#ifdef _WIN32
bool pto_strtod(const char *digits, char **end, double *value) {
    const int before = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    char *const locale = _strdup(setlocale(LC_NUMERIC, NULL));
    if (locale != NULL) {
        (void)setlocale(LC_NUMERIC, "C");
        *value = strtod(digits, end);
        (void)setlocale(LC_NUMERIC, locale);
        free(locale);
    }
    (void)_configthreadlocale(before);
    return locale != NULL;
}
#else
bool pto_strtod(const char *digits, char **end, double *value) {
    const locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before;
    if (c == (locale_t)0) return false;
    before = uselocale(c);
    *value = strtod(digits, end);
    (void)uselocale(before);
    freelocale(c);
    return true;
}
#endif
