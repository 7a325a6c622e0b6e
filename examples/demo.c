/* SPDX-License-Identifier: MIT */
/*
 * demo TENSOR.npy: runs four example programs on a tensor with every backend of this machine. It prints the speed of
 * each, and whether all backends gave the same bits as the scalar one. Exit status: 0 if they did, 1 if not, 2 if the
 * tensor cannot be read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"
#include "programs.h"
#include "support.h"

enum { RUNS = 40 };

/* The operands of the programs, and buffers for their results. */
struct work {
    const float *x, *transposed, *logits;
    float *y;
    uint8_t *mask;
    size_t n, mask_bytes;
};

static pto_status relu(const struct work *w) {
    return relu_f32(w->x, w->y, w->mask, w->n);
}

static pto_status max(const struct work *w) {
    return max_f32(w->x, w->transposed, w->y, w->mask, w->n);
}

static pto_status threshold(const struct work *w) {
    return threshold_f32(w->x, 0.1F, w->y, w->mask, w->n);
}

#ifdef HAVE_SAFE_EXP
static pto_status safe_exp(const struct work *w) {
    return safe_exp_f32(w->logits, -80.0F, w->y, w->mask, w->n);
}
#endif

/* bytes: memory traffic per lane, counting each operand and the result once. The mask, and what a tile reads again from
 * the cache, are not counted. */
static const struct program {
    const char *name;
    pto_status (*run)(const struct work *);
    int bytes;
    const char *does;
} programs[] = {
    {"relu", relu, 8, "w < 0 ? 0 : w"},
    {"max", max, 12, "w > wT ? w : wT, wT the transposed tensor"},
    {"threshold", threshold, 8, "w >= 0.1 ? w : 0"},
#ifdef HAVE_SAFE_EXP
    {"safe_exp", safe_exp, 8, "exp(l < -80 ? -80 : l), l = 200 (w - the maximum of its row)"},
#endif
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

struct outcome {
    double seconds;
    size_t selected;
    bool same;
};

static float *transpose(const float *x, size_t rows, size_t columns) {
    float *t = room(rows * columns * sizeof *t);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j) t[j * rows + i] = x[i * columns + j];
    return t;
}

/* Returns each row as the argument of a softmax with temperature 1/200: minus the row's maximum, so that 0 is the
 * largest value. */
static float *logits(const float *x, size_t rows, size_t columns) {
    float *l = room(rows * columns * sizeof *l);
    for (size_t i = 0; i < rows; ++i) {
        const float *row = x + i * columns;
        float most = columns != 0 ? row[0] : 0.0F;
        for (size_t j = 1; j < columns; ++j) most = row[j] > most ? row[j] : most;
        for (size_t j = 0; j < columns; ++j) l[i * columns + j] = 200.0F * (row[j] - most);
    }
    return l;
}

/* Times one program with the active backend. The results of its last run stay in w. */
static struct outcome measure(const struct program *p, const struct work *w) {
    struct outcome o = {1e9, 0, false};
    pto_status status = PTO_OK;
    for (int run = 0; run < RUNS && status == PTO_OK; ++run) {
        double start, seconds;
        memset(w->y, 0xa5, w->n * sizeof(float)); /* so that no results of another backend remain there */
        memset(w->mask, 0xa5, w->mask_bytes);
        start = now();
        status = p->run(w);
        seconds = now() - start;
        if (seconds < o.seconds) o.seconds = seconds;
    }
    if (status == PTO_OK) status = pto_mask_count(pto_packed(w->mask), w->n, &o.selected);
    if (status != PTO_OK) {
        fprintf(stderr, "demo: %s, %s: %s\n", p->name, pto_isa_name(pto_isa_active()), pto_strerror(status));
        exit(EXIT_FAILURE);
    }
    return o;
}

/* Runs every program with every backend. The first backend is the scalar one, which gives the reference. Returns
 * whether all backends gave the same bits. */
static bool run_all(struct work *w, struct outcome outcome[PROGRAMS][MAX_ISAS]) {
    float *y = room(w->n * sizeof *y);
    uint8_t *mask = room(w->mask_bytes);
    pto_isa used = pto_isa_active();
    bool all_same = true;
    for (size_t p = 0; p < PROGRAMS; ++p)
        for (int isa = 0; isa < isas(); ++isa) {
            if (pto_isa_use((pto_isa)isa) != PTO_OK) continue;
            outcome[p][isa] = measure(&programs[p], w);
            if (isa == PTO_ISA_SCALAR) {
                memcpy(y, w->y, w->n * sizeof *y);
                memcpy(mask, w->mask, w->mask_bytes);
            }
            outcome[p][isa].same =
                memcmp(y, w->y, w->n * sizeof *y) == 0 && memcmp(mask, w->mask, w->mask_bytes) == 0;
            all_same = all_same && outcome[p][isa].same;
        }
    if (pto_isa_use(used) != PTO_OK) all_same = false;
    free(y);
    free(mask);
    return all_same;
}

static double gigabytes_per_second(const struct program *p, size_t n, struct outcome o) {
    return (double)n * p->bytes / o.seconds * 1e-9;
}

static void print_programs(size_t n, struct outcome outcome[PROGRAMS][MAX_ISAS]) {
    pto_isa used = pto_isa_active();
    printf("\nWith %s; time is the best of %d runs; GB/s counts each operand read once and the result "
           "written once.\n\n",
           pto_isa_name(used), RUNS);
    printf("%-11s%8s%10s%12s%8s  %s\n", "program", "lanes", "selected", "time", "GB/s",
           "same bits as scalar");
    for (size_t p = 0; p < PROGRAMS; ++p) {
        struct outcome o = outcome[p][used];
        printf("%-11s%8zu%10zu%9.1f us%8.2f ", programs[p].name, n, o.selected, o.seconds * 1e6,
               gigabytes_per_second(&programs[p], n, o));
        for (int isa = 1; isa < isas(); ++isa)
            if (pto_isa_available((pto_isa)isa))
                printf(" %s %s", pto_isa_name((pto_isa)isa), outcome[p][isa].same ? "yes" : "NO");
        putchar('\n');
    }
#ifndef HAVE_SAFE_EXP
    puts("safe_exp   skipped: this libpto was built without SLEEF");
#endif
    putchar('\n');
    for (size_t p = 0; p < PROGRAMS; ++p) printf("%-11s%s\n", programs[p].name, programs[p].does);
}

static void print_backends(size_t n, struct outcome outcome[PROGRAMS][MAX_ISAS]) {
    printf("\n%-11s", "GB/s");
    for (size_t p = 0; p < PROGRAMS; ++p) printf("%11s", programs[p].name);
    putchar('\n');
    for (int isa = 0; isa < isas(); ++isa) {
        printf("%-11s", pto_isa_name((pto_isa)isa));
        if (!pto_isa_available((pto_isa)isa)) {
            puts("    skipped: not on this machine or not in this build");
            continue;
        }
        for (size_t p = 0; p < PROGRAMS; ++p)
            printf("%11.2f", gigabytes_per_second(&programs[p], n, outcome[p][isa]));
        putchar('\n');
    }
}

int main(int argc, char **argv) {
    struct outcome outcome[PROGRAMS][MAX_ISAS];
    npy_tensor t;
    const char *wrong;
    float *transposed, *scaled;
    struct work w;
    bool same;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TENSOR.npy\n", argv[0]);
        return 2;
    }
    wrong = npy_read_f32(argv[1], &t);
    if (wrong == NULL && (t.dims != 2 || t.n == 0)) wrong = "it is no matrix";
    if (wrong != NULL) {
        fprintf(stderr, "demo: %s: %s\n", argv[1], wrong);
        npy_free(&t);
        return 2;
    }
    print_machine();
    printf("tensor    %s: %zu x %zu f32, %zu KiB\n", argv[1], t.shape[0], t.shape[1],
           t.n * sizeof(float) / 1024);

    transposed = transpose(t.data, t.shape[0], t.shape[1]);
    scaled = logits(t.data, t.shape[0], t.shape[1]);
    w.x = t.data;
    w.transposed = transposed;
    w.logits = scaled;
    w.n = t.n;
    w.mask_bytes = pto_mask_bytes(PTO_MASK_PACKED, t.n);
    w.y = room(t.n * sizeof(float));
    w.mask = room(w.mask_bytes);

    same = run_all(&w, outcome);
    print_programs(t.n, outcome);
    print_backends(t.n, outcome);
    puts(same ? "\nEvery backend gave the same bits as scalar."
              : "\nFAILED: a backend gave other bits than scalar.");

    free(w.mask);
    free(w.y);
    free(scaled);
    free(transposed);
    npy_free(&t);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
