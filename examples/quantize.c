/* SPDX-License-Identifier: MIT */
/*
 * quantize TENSOR.npy [FOLDER]: takes a tensor to the MX formats of e4m3, e5m2 and e2m1 and back with every
 * instruction set that this machine has, and tells what that costs in accuracy, how fast it is, and whether
 * all gave the same bits as the scalar one. Draws the errors in FOLDER/quantize.svg, FOLDER being the current
 * one unless told. Exit status: 0 if all gave the same bits, 1 if not, 2 if the tensor cannot be read or the
 * picture not be written.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_plot.h"
#include "mx.h"
#include "npy.h"
#include "support.h"

enum { RUNS = 20 };

static const pto_dtype formats[] = {PTO_E4M3, PTO_E5M2, PTO_E2M1};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Everything that a run writes lies in results, one thing after the other. */
struct work {
    const float *x;
    size_t n, bytes;
    uint8_t *results;
    float *y, *scratch;
    mx_tensor q;
};

/* Seconds, and whether the results are those of scalar. */
struct outcome {
    double quantize, dequantize;
    bool same;
};

/* The error of a format over the elements that are finite before and after, NaN if none is; lost: how many
 * are not. */
struct accuracy {
    double bits, max, rms;
    size_t lost;
    float *error;
};

static struct work work_on(const float *x, size_t n, pto_dtype type) {
    const size_t blocks = mx_blocks(n), values = n * sizeof(float);
    struct work w = {.x = x, .n = n, .bytes = values + blocks + mx_element_bytes(type, n)};
    w.results = room(w.bytes);
    w.y = (float *)(void *)w.results; /* first, and so aligned */
    w.q = (mx_tensor){type, n, w.results + values + blocks, w.results + values};
    w.scratch = room((n + blocks) * sizeof(float));
    return w;
}

static void give_up(const struct work *w, pto_status status) {
    fprintf(stderr, "quantize: %s, %s: %s\n", pto_dtype_name(w->q.type), pto_isa_name(pto_isa_active()),
            pto_strerror(status));
    exit(EXIT_FAILURE);
}

/* With the active instruction set; the results of the last run stay in w. */
static struct outcome measure(const struct work *w) {
    struct outcome o = {1e9, 1e9, false};
    memset(w->results, 0xa5, w->bytes); /* so that no result of another backend is found there */
    for (int run = 0; run < RUNS; ++run) {
        const double start = now();
        pto_status status = mx_quantize(w->x, w->scratch, &w->q);
        const double middle = now();
        double end;
        if (status == PTO_OK) status = mx_dequantize(&w->q, w->scratch, w->y);
        end = now();
        if (status != PTO_OK) give_up(w, status);
        o.quantize = fmin(o.quantize, middle - start);
        o.dequantize = fmin(o.dequantize, end - middle);
    }
    return o;
}

/* One format with every backend, the first of which is the scalar one and so gives the reference. */
static bool run_all(const struct work *w, struct outcome outcome[MAX_ISAS]) {
    uint8_t *reference = room(w->bytes);
    pto_isa used = pto_isa_active();
    bool all_same = true;
    for (int isa = 0; isa < isas(); ++isa) {
        if (pto_isa_use((pto_isa)isa) != PTO_OK) continue;
        outcome[isa] = measure(w);
        if (isa == PTO_ISA_SCALAR) memcpy(reference, w->results, w->bytes);
        outcome[isa].same = memcmp(reference, w->results, w->bytes) == 0;
        all_same = all_same && outcome[isa].same;
    }
    if (pto_isa_use(used) != PTO_OK) all_same = false;
    free(reference);
    return all_same;
}

static struct accuracy compare(const struct work *w) {
    struct accuracy a = {0};
    double squares = 0.0;
    a.bits = 8.0 * (double)(w->bytes - w->n * sizeof(float)) / (double)w->n;
    a.error = room(w->n * sizeof *a.error);
    for (size_t i = 0; i < w->n; ++i) {
        const double e = (double)w->y[i] - (double)w->x[i];
        a.error[i] = (float)e;
        if (!isfinite(e)) {
            ++a.lost;
            continue;
        }
        squares += e * e;
        a.max = fmax(a.max, fabs(e));
    }
    a.rms = sqrt(squares / (double)(w->n - a.lost));
    if (a.lost == w->n) a.rms = a.max = NAN;
    return a;
}

/* Of what is finite in the tensor; 0 if nothing is. */
static double root_mean_square(const float *x, size_t n) {
    double squares = 0.0;
    size_t finite = 0;
    for (size_t i = 0; i < n; ++i)
        if (isfinite(x[i])) {
            squares += (double)x[i] * (double)x[i];
            ++finite;
        }
    return finite != 0 ? sqrt(squares / (double)finite) : 0.0;
}

static double decibels(double signal, double noise) {
    return 20.0 * log10(signal / noise);
}

static void print_accuracy(const struct accuracy accuracy[FORMATS], double unit) {
    printf("\nIn blocks of %d that share a scale of 8 bits; RMS and SNR against the tensor's "
           "RMS\n\n%-9s%14s%12s%12s%11s%11s%10s\n",
           MX_BLOCK, "format", "bits/element", "max error", "RMS error", "max / RMS", "RMS / RMS", "SNR");
    for (size_t k = 0; k < FORMATS; ++k) {
        const struct accuracy *a = &accuracy[k];
        printf("%-9s%14.2f%#12.4g%#12.4g%10.1f%%%10.2f%%%7.1f dB\n", pto_dtype_name(formats[k]), a->bits,
               a->max, a->rms, 100.0 * a->max / unit, 100.0 * a->rms / unit, decibels(unit, a->rms));
        if (a->lost != 0)
            printf("%9s%14zu elements are NaN: their blocks have a NaN or an infinity\n", "", a->lost);
    }
}

static void print_speed(size_t n, struct outcome outcome[FORMATS][MAX_ISAS]) {
    printf("\nGigaelements per second, best of %d runs: to the format and back to f32\n\n%-9s", RUNS, "");
    for (size_t k = 0; k < FORMATS; ++k) printf("%10s%8s", pto_dtype_name(formats[k]), "back");
    puts("  same bits as scalar");
    for (int isa = 0; isa < isas(); ++isa) {
        bool same = true;
        printf("%-9s", pto_isa_name((pto_isa)isa));
        if (!pto_isa_available((pto_isa)isa)) {
            puts("      skipped: not on this machine or not in this build");
            continue;
        }
        for (size_t k = 0; k < FORMATS; ++k) {
            const struct outcome *o = &outcome[k][isa];
            printf("%10.3f%8.3f", (double)n / o->quantize * 1e-9, (double)n / o->dequantize * 1e-9);
            same = same && o->same;
        }
        printf("  %s\n", same ? "yes" : "NO");
    }
}

static bool draw(const char *folder, size_t n, const struct accuracy accuracy[FORMATS], double unit) {
    char path[4096], title[128], about[FORMATS][128];
    error_curve curves[FORMATS];
    FILE *f;
    bool drawn;

    for (size_t k = 0; k < FORMATS; ++k) {
        const struct accuracy *a = &accuracy[k];
        snprintf(about[k], sizeof about[k], "%.2f bits per element: RMS %.1f %%, max %.0f %%, SNR %.1f dB",
                 a->bits, 100.0 * a->rms / unit, 100.0 * a->max / unit, decibels(unit, a->rms));
        curves[k] = (error_curve){pto_dtype_name(formats[k]), about[k], a->error, a->rms};
    }
    snprintf(title, sizeof title, "Error of MX formats: %zu values, blocks of %d", n, MX_BLOCK);
    if (snprintf(path, sizeof path, "%s/quantize.svg", folder) >= (int)sizeof path) return false;
    f = fopen(path, "w");
    if (f == NULL) return false;
    drawn = error_plot(f, title, curves, FORMATS, n, unit) == 0;
    drawn = fclose(f) == 0 && drawn;
    if (drawn) printf("\npicture   %s\n", path);
    return drawn;
}

/* NULL, or what is wrong with the file. */
static const char *read_tensor(const char *path, npy_tensor *t) {
    const char *wrong = npy_read(path, t);
    if (wrong == NULL && t->n == 0) {
        npy_free(t);
        wrong = "it is empty";
    }
    return wrong;
}

/* Every format with every backend. */
static bool run_formats(const npy_tensor *t, struct outcome outcome[FORMATS][MAX_ISAS],
                        struct accuracy accuracy[FORMATS]) {
    bool same = true;
    for (size_t k = 0; k < FORMATS; ++k) {
        struct work w = work_on(t->data, t->n, formats[k]);
        same = run_all(&w, outcome[k]) && same;
        accuracy[k] = compare(&w);
        free(w.scratch);
        free(w.results);
    }
    return same;
}

int main(int argc, char **argv) {
    struct outcome outcome[FORMATS][MAX_ISAS] = {{{0}}};
    struct accuracy accuracy[FORMATS];
    npy_tensor t;
    const char *wrong;
    double rms, unit;
    bool same, drawn;

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: %s TENSOR.npy [FOLDER]\n", argv[0]);
        return 2;
    }
    wrong = read_tensor(argv[1], &t);
    if (wrong != NULL) {
        fprintf(stderr, "quantize: %s: %s\n", argv[1], wrong);
        return 2;
    }
    rms = root_mean_square(t.data, t.n);
    unit = rms > 0.0 ? rms : 1.0;
    print_machine();
    printf("tensor    %s: %zu f32, RMS %.6g\n", argv[1], t.n, rms);

    same = run_formats(&t, outcome, accuracy);
    print_accuracy(accuracy, unit);
    print_speed(t.n, outcome);
    drawn = draw(argc == 3 ? argv[2] : ".", t.n, accuracy, unit);
    if (!drawn) fputs("quantize: the picture cannot be written\n", stderr);
    puts(same ? "\nEvery backend gave the same bits as scalar."
              : "\nFAILED: a backend gave other bits than scalar.");

    for (size_t k = 0; k < FORMATS; ++k) free(accuracy[k].error);
    npy_free(&t);
    if (!same) return EXIT_FAILURE;
    return drawn ? EXIT_SUCCESS : 2;
}
