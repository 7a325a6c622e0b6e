/* SPDX-License-Identifier: MIT */
/*
 * measure LIBRARY: measures the functions of a shared library of ggml and those of pto_ggml.h in turns, on one thread
 * and normally distributed values, and prints the elements per second of the fastest of several rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats.h"

enum { ROUNDS = 7 };

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The memory of a measurement. */
struct data {
    float *x;
    unsigned char *blocks;
};

/* Returns the seconds of one pass over `total` elements, in calls with `n` elements each. */
static double pass(const struct format *f, const struct functions *by, struct data d, size_t n, size_t total,
                   int back) {
    const double start = seconds();
    for (size_t i = 0; i < total; i += n) {
        unsigned char *const blocks = d.blocks + i / f->elements * f->bytes;
        if (back)
            by->dequantize(blocks, d.x + i, (int64_t)n);
        else
            by->quantize(d.x + i, blocks, (int64_t)n);
    }
    return seconds() - start;
}

/* Measures calls with n elements. `total` elements are a pass, of which libpto makes `repeat` at a time. */
static void measure(const struct format *f, struct data d, size_t n, size_t total, int back) {
    double before = 1e9, after = 1e9;
    for (int round = 0; round < ROUNDS; ++round) {
        double t = pass(f, &f->theirs, d, n, total, back);
        if (t < before) before = t;
        for (int i = 0; i < 5; ++i) {
            t = pass(f, &f->ours, d, n, total, back);
            if (t < after) after = t;
        }
    }
    printf("%s, %s, calls with %zu elements: %.3f Gelem/s by ggml, %.3f by libpto: %.1f times as fast\n",
           f->name, back ? "dequantize" : "quantize", n, (double)total / before * 1e-9,
           (double)total / after * 1e-9, before / after);
    fflush(stdout);
}

int main(int count, char **arguments) {
    enum { SMALL = 1 << 16, LARGE = 1 << 20 };
    struct format formats[FORMATS];
    struct data d;
    uint64_t state = 1;
    if (count != 2) return EXIT_FAILURE;
    load_formats(arguments[1], formats);
    d.x = allocate(LARGE * sizeof *d.x);
    d.blocks = allocate(LARGE);
    for (size_t i = 0; i < FORMATS; ++i)
        for (int back = 0; back < 2; ++back) {
            fill_normal(d.x, LARGE, &state);
            formats[i].ours.quantize(d.x, d.blocks, LARGE);
            measure(&formats[i], d, 64, SMALL, back);
            measure(&formats[i], d, 4096, SMALL, back);
            measure(&formats[i], d, LARGE, LARGE, back);
        }
    free(d.x);
    free(d.blocks);
    return EXIT_SUCCESS;
}
