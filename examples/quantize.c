/* SPDX-License-Identifier: MIT */
/*
 * quantize TENSOR.npy [FOLDER]: quantizes a tensor to MXFP8, MXFP6, MXFP4, NVFP4 and FP8 with block scales, by the
 * rules of several stacks (recipes.c), and dequantizes it, with every backend of this machine. It prints the loss of
 * accuracy, how many codes and scales differ between the rules of a format, the speed, and whether all backends gave
 * the same bits as the scalar one. A tensor of more than two dimensions is treated as rows of its last dimension. It
 * draws the errors in FOLDER/quantize.svg; the default FOLDER is the current one. Exit code: 0 if all backends gave
 * the same bits, 1 if not, 2 if the tensor cannot be read or the picture cannot be written.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"
#include "quantize_report.h"
#include "recipes.h"
#include "support.h"

enum { RUNS = 8 };

static size_t elements_of(const matrix *m) {
    return m->rows * m->cols;
}

static void give_up(const recipe *r, pto_status status) {
    char label[RULE_LABEL];
    fprintf(stderr, "quantize: %s, %s, %s: %s\n", r->format, recipe_rule(r, label),
            pto_isa_name(pto_isa_active()), pto_strerror(status));
    exit(EXIT_FAILURE);
}

/* ---- one recipe with every backend ---- */

/* The results of one backend: the quantized tensor, and y, the dequantized one. */
typedef struct trip {
    quantized q;
    void *y;
    size_t y_bytes;
} trip;

static void trip_free(trip *t) {
    quantized_free(&t->q);
    free(t->y);
}

/* Quantizes and dequantizes with the active backend, `runs` times, and stores the best times in *o. */
static trip run_trip(const recipe *r, const matrix *m, int runs, outcome *o) {
    trip t = {.y = room(matrix_bytes(m)), .y_bytes = matrix_bytes(m)};
    pto_status status = quantized_for(r, m, &t.q);
    *o = (outcome){INFINITY, INFINITY, false};
    for (int run = 0; run < runs && status == PTO_OK; ++run) {
        const double start = now();
        double middle;
        status = quantize(&t.q, m);
        middle = now();
        if (status == PTO_OK) status = dequantize(&t.q, t.y);
        o->quantize = fmin(o->quantize, middle - start);
        o->dequantize = fmin(o->dequantize, now() - middle);
    }
    if (status != PTO_OK) give_up(r, status);
    return t;
}

static bool same_bits(const trip *a, const trip *b) {
    return a->q.op.tensor == b->q.op.tensor &&
           memcmp(a->q.codes, b->q.codes, a->q.code_bytes + a->q.scale_bytes) == 0 &&
           memcmp(a->y, b->y, a->y_bytes) == 0;
}

/* Runs a recipe with every backend. Returns the results of the scalar one, which every machine has. */
static trip run_isas(const recipe *r, const matrix *m, int runs, outcome outcomes[MAX_ISAS]) {
    const pto_isa used = pto_isa_active();
    const pto_status status = pto_isa_use(PTO_ISA_SCALAR);
    const trip scalar = run_trip(r, m, runs, &outcomes[PTO_ISA_SCALAR]);
    outcomes[PTO_ISA_SCALAR].same = status == PTO_OK;
    for (int isa = PTO_ISA_SCALAR + 1; isa < isas(); ++isa) {
        trip other;
        if (pto_isa_use((pto_isa)isa) != PTO_OK) continue;
        other = run_trip(r, m, runs, &outcomes[isa]);
        outcomes[isa].same = same_bits(&scalar, &other);
        trip_free(&other);
    }
    if (pto_isa_use(used) != PTO_OK) outcomes[used].same = false;
    return scalar;
}

/* ---- accuracy ---- */

/* Replaces y by the errors y - x, and stores their maximum and RMS in *r. */
static void find_errors(const float *x, float *y, size_t n, result *r) {
    double squares = 0.0;
    for (size_t i = 0; i < n; ++i) {
        const double e = (double)y[i] - (double)x[i];
        y[i] = (float)e;
        if (!isfinite(e)) {
            ++r->lost;
            continue;
        }
        squares += e * e;
        r->max = fmax(r->max, fabs(e));
    }
    r->rms = sqrt(squares / (double)(n - r->lost));
    if (r->lost == n) r->rms = r->max = NAN;
}

/* Returns the RMS of the finite values, 0 if there are none. */
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

/* ---- all recipes ---- */

/* Compares codes and scales with those of the format's first recipe, which `first` holds. If opens_format, t is that
 * recipe and is moved to `first`. */
static difference compare(trip *t, bool opens_format, quantized *first) {
    if (!opens_format) return (difference){other_codes(&t->q, first), other_scales(&t->q, first)};
    quantized_free(first);
    *first = t->q;
    t->q = (quantized){0};
    return (difference){0, 0};
}

static void run_f32(const matrix *m, bool opens_format, quantized *first, result *out) {
    trip t = run_isas(out->recipe, m, opens_format ? RUNS : 1, out->outcome);
    out->bits = bits_per_element(&t.q);
    out->scales = scale_count(&t.q);
    out->others[FROM_F32] = compare(&t, opens_format, first);
    find_errors(m->x, t.y, elements_of(m), out);
    if (opens_format) {
        out->error = t.y;
        t.y = NULL;
    }
    trip_free(&t);
}

/* Runs a recipe from bf16, only to compare the bits. */
static void run_bf16(const matrix *m, bool opens_format, quantized *first, result *out) {
    outcome outcomes[MAX_ISAS] = {{0}};
    trip t = run_isas(out->recipe, m, 1, outcomes);
    for (int isa = 0; isa < MAX_ISAS; ++isa)
        out->outcome[isa].same = out->outcome[isa].same && outcomes[isa].same;
    out->others[FROM_BF16] = compare(&t, opens_format, first);
    trip_free(&t);
}

static result *run_recipes(const matrix sources[SOURCES]) {
    result *results = room(recipe_count * sizeof *results);
    quantized first[SOURCES] = {{.rows = 0}};
    for (size_t k = 0; k < recipe_count; ++k) {
        results[k] = (result){.recipe = &recipes[k]};
        run_f32(&sources[FROM_F32], is_first(results, k), &first[FROM_F32], &results[k]);
        run_bf16(&sources[FROM_BF16], is_first(results, k), &first[FROM_BF16], &results[k]);
    }
    for (int s = 0; s < SOURCES; ++s) quantized_free(&first[s]);
    return results;
}

static void free_results(result *results) {
    for (size_t k = 0; k < recipe_count; ++k) free(results[k].error);
    free(results);
}

/* Reads a tensor of f32. Returns NULL, or what is wrong with the file. */
static const char *read_tensor(const char *path, npy_tensor *t) {
    const char *wrong = npy_read_f32(path, t);
    if (wrong == NULL && t->n == 0) {
        npy_free(t);
        wrong = "it is empty";
    }
    return wrong;
}

static matrix matrix_of(const npy_tensor *t) {
    const size_t cols = t->dims == 0 ? 1 : t->shape[t->dims - 1];
    return (matrix){PTO_F32, t->data, t->n / cols, cols};
}

/* Returns the tensor rounded to bf16, in new memory. */
static uint16_t *as_bf16(const npy_tensor *t) {
    const pto_cvt_op to = {.dst = PTO_BF16, .src = PTO_F32, .round = PTO_RN};
    uint16_t *y = room(t->n * sizeof *y);
    const pto_status status = pto_cvt(to, t->data, y, NULL, t->n);
    if (status == PTO_OK) return y;
    fprintf(stderr, "quantize: to bf16: %s\n", pto_strerror(status));
    exit(EXIT_FAILURE);
}

/* Runs all recipes and prints the report. Returns the exit status. */
static int tell(const matrix sources[SOURCES], const char *folder, double rms) {
    const size_t n = elements_of(&sources[FROM_F32]);
    const double unit = rms > 0.0 ? rms : 1.0;
    result *results = run_recipes(sources);
    bool same, drawn;
    print_errors(results, recipe_count, n, unit);
    print_speed(results, recipe_count, n);
    same = print_bits(results, recipe_count);
    drawn = draw(folder, results, recipe_count, n, unit);
    free_results(results);
    if (!drawn) fputs("quantize: the picture cannot be written\n", stderr);
    puts(same ? "\nEvery backend gave the same bits as scalar."
              : "\nFAILED: a backend gave other bits than scalar.");
    if (!same) return EXIT_FAILURE;
    return drawn ? EXIT_SUCCESS : 2;
}

int main(int argc, char **argv) {
    npy_tensor t;
    matrix sources[SOURCES];
    uint16_t *rounded;
    const char *wrong;
    double rms;
    int status;

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: %s TENSOR.npy [FOLDER]\n", argv[0]);
        return 2;
    }
    wrong = read_tensor(argv[1], &t);
    if (wrong != NULL) {
        fprintf(stderr, "quantize: %s: %s\n", argv[1], wrong);
        return 2;
    }
    rounded = as_bf16(&t);
    sources[FROM_F32] = matrix_of(&t);
    sources[FROM_BF16] = (matrix){PTO_BF16, rounded, sources[FROM_F32].rows, sources[FROM_F32].cols};
    rms = root_mean_square(t.data, t.n);
    print_machine();
    printf("tensor    %s: %zu x %zu f32, RMS %.6g\n", argv[1], sources[FROM_F32].rows, sources[FROM_F32].cols,
           rms);
    status = tell(sources, argc == 3 ? argv[2] : ".", rms);
    free(rounded);
    npy_free(&t);
    return status;
}
