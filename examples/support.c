/* SPDX-License-Identifier: MIT */
/* Memory, time and a description of the machine, for the examples that measure. */
#define _POSIX_C_SOURCE 200809L

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *room(size_t bytes) {
    void *p = malloc(bytes != 0 ? bytes : 1);
    if (p == NULL) {
        fputs("no memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int isas(void) {
    int count = 0;
    while (count < MAX_ISAS && strcmp(pto_isa_name((pto_isa)count), "?") != 0) ++count;
    return count;
}

/* Returns the rest of the first line of a file that begins with key, without blanks, '=', ':' and quotes around it. If
 * there is none, returns "unknown". */
static const char *look_up(const char *path, const char *key, char *line, int size) {
    FILE *f = fopen(path, "r");
    char *found = NULL;
    while (f != NULL && found == NULL && fgets(line, size, f) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) found = line + strlen(key);
    if (f != NULL) fclose(f);
    if (found == NULL) return "unknown";
    found += strspn(found, " \t:=\"");
    found[strcspn(found, "\"\n")] = '\0';
    return found;
}

void print_machine(void) {
    char cpu[256], os[256], kernel[256];
    printf("libpto %s (headers %d.%d.%d)\n", pto_version(), PTO_VERSION_MAJOR, PTO_VERSION_MINOR,
           PTO_VERSION_PATCH);
    printf("CPU       %s\n", look_up("/proc/cpuinfo", "model name", cpu, sizeof cpu));
    printf("OS        %s, kernel %s", look_up("/etc/os-release", "PRETTY_NAME", os, sizeof os),
           look_up("/proc/sys/kernel/osrelease", "", kernel, sizeof kernel));
#if defined(__clang__)
    printf("\ncompiler  clang %s\n", __clang_version__);
#else
    printf("\ncompiler  gcc %s\n", __VERSION__);
#endif
    printf("ISAs     ");
    for (int isa = 0; isa < isas(); ++isa)
        if (pto_isa_available((pto_isa)isa)) printf(" %s", pto_isa_name((pto_isa)isa));
    printf("; used: %s\n", pto_isa_name(pto_isa_active()));
#ifdef __x86_64__
    if (pto_isa_available(PTO_ISA_NEON)) puts("          (neon through SIMDe, for cross-checking alone)");
#endif
}
