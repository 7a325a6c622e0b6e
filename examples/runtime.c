/* SPDX-License-Identifier: MIT */
/*
 * runtime TENSOR.npy [THREADS [ROWS COLUMNS]]: a small runtime for graphs of elementwise operations, as a runtime for
 * machine learning would call libpto. It loads a tensor of f32, prepares a chain of nodes, runs them on threads, and
 * prints the time and a digest of the results. The digest depends neither on the number of threads nor on the backend.
 *
 *     m = x > -0.02                  compare
 *     y = m ? x : 0                  select
 *     z = min(max(y, -0.01), 0.1)    clamp
 *     b = bf16(z)                    cast
 *     q = e4m3 codes, f32 scales     quantize, in blocks of 128 x 128
 *
 * A tile is one row of blocks. Each thread runs all nodes on a tile before it takes its next one, so that intermediate
 * results stay in the cache. No block belongs to two tiles, so threads never write to the same byte.
 *
 * THREADS is 2 by default. With ROWS and COLUMNS only that part of the tensor is read, in place. Exit status: 0, or 2
 * after an error.
 */
#include <pto/pto.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"
#include "support.h"

enum { THREADS_MAX = 64, TILE_ROWS = 128, RUNS = 10 };

/* ---- the graph ---- */

/* What nodes read and write: the input, scalars, and buffers for a tile. */
enum value { X, LIMIT, ZERO, LOW, HIGH, MASK, CHOSEN, LIMITED, NARROW, VALUES };

/* Where the values of a tile are, and the bytes from a row of a value to the next, 0 for scalars. */
struct tile {
    void *data[VALUES];
    ptrdiff_t stride[VALUES];
};

struct node {
    const char *name;
    pto_plan plan;
    int sources;
    enum value src[PTO_SOURCES], dst;
};

enum { NODES = 4 };

struct graph {
    struct node nodes[NODES];
    pto_block_op quantize; /* the last node: block calls have no plans */
    unsigned char *x;
    size_t stride; /* bytes from a row of x to the next */
    size_t rows, cols;
    pto_block_size size;
    unsigned char *codes, *scales;
};

/* Prepares the nodes once. Returns the first status that is not PTO_OK. */
static pto_status prepare(struct graph *g) {
    const pto_cvt_op to_bf16 = {.dst = PTO_BF16, .src = PTO_F32, .round = PTO_RN};
    struct node *n = g->nodes;
    pto_status status[NODES];
    n[0] = (struct node){.name = "compare", .sources = 2, .src = {X, LIMIT}, .dst = MASK};
    n[1] = (struct node){.name = "select", .sources = 3, .src = {X, ZERO, MASK}, .dst = CHOSEN};
    n[2] = (struct node){.name = "clamp", .sources = 3, .src = {CHOSEN, LOW, HIGH}, .dst = LIMITED};
    n[3] = (struct node){.name = "cast", .sources = 1, .src = {LIMITED}, .dst = NARROW};
    status[0] = pto_plan_vcmps(&n[0].plan, PTO_F32, PTO_GT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED);
    status[1] = pto_plan_vsels(&n[1].plan, PTO_F32, PTO_SCALAR_1, PTO_MASK_PACKED);
    status[2] = pto_plan_vclamp(&n[2].plan, PTO_F32, 0, PTO_SCALAR_1 | PTO_SCALAR_2);
    status[3] = pto_plan_cvt(&n[3].plan, to_bf16);
    for (int i = 0; i < NODES; ++i)
        if (status[i] != PTO_OK) return status[i];
    g->quantize = (pto_block_op){.wide = PTO_BF16, .elem = PTO_E4M3, .rule = PTO_FP8_DIV, .round = PTO_RN};
    g->quantize.tensor = 1e-10F; /* eps */
    g->quantize.block_rows = TILE_ROWS;
    g->quantize.block_cols = 128;
    return pto_block_sizes(g->quantize, g->rows, g->cols, &g->size);
}

/* ---- execution ---- */

/* A thread, its tiles, and its memory for intermediate results. */
struct worker {
    const struct graph *graph;
    size_t first, end; /* tiles */
    unsigned char *memory;
    float limit, zero, low, high;
    pto_status status;
    const char *failed; /* the name of the node that failed */
    pthread_t thread;
};

/* Returns the bytes of a row of all intermediate results. The clamp works in place; rows of masks begin at bytes. */
static size_t row_memory(const struct graph *g) {
    return g->cols * (sizeof(float) + sizeof(uint16_t)) + pto_mask_bytes(PTO_MASK_PACKED, g->cols);
}

static struct tile tile_at(struct worker *w, size_t row) {
    const struct graph *g = w->graph;
    const size_t wide = g->cols * sizeof(float), narrow = g->cols * sizeof(uint16_t);
    struct tile t = {.stride = {[X] = (ptrdiff_t)g->stride,
                                [CHOSEN] = (ptrdiff_t)wide,
                                [LIMITED] = (ptrdiff_t)wide,
                                [NARROW] = (ptrdiff_t)narrow,
                                [MASK] = (ptrdiff_t)pto_mask_bytes(PTO_MASK_PACKED, g->cols)}};
    t.data[X] = g->x + row * g->stride;
    t.data[LIMIT] = &w->limit;
    t.data[ZERO] = &w->zero;
    t.data[LOW] = &w->low;
    t.data[HIGH] = &w->high;
    t.data[CHOSEN] = t.data[LIMITED] = w->memory;
    t.data[NARROW] = w->memory + TILE_ROWS * wide;
    t.data[MASK] = w->memory + TILE_ROWS * (wide + narrow);
    return t;
}

static pto_status run_node(const struct node *node, const struct tile *t, size_t cols, size_t rows) {
    pto_operands operands = {.dst = {t->data[node->dst]}};
    pto_steps steps = {.dst = {t->stride[node->dst]}};
    pto_status status;
    for (int i = 0; i < node->sources; ++i) {
        operands.src[i] = t->data[node->src[i]];
        steps.src[i] = t->stride[node->src[i]];
    }
    status = pto_rows_check(&node->plan, &operands, &steps, cols, rows);
    if (status == PTO_OK) pto_run_rows(&node->plan, &operands, &steps, cols, rows);
    return status;
}

static void *run_tiles(void *argument) {
    struct worker *w = argument;
    const struct graph *g = w->graph;
    for (size_t tile = w->first; tile < w->end; ++tile) {
        const size_t row = tile * TILE_ROWS, rows = g->rows - row < TILE_ROWS ? g->rows - row : TILE_ROWS;
        const struct tile t = tile_at(w, row);
        for (int i = 0; i < NODES; ++i) {
            w->failed = g->nodes[i].name;
            w->status = run_node(&g->nodes[i], &t, g->cols, rows);
            if (w->status != PTO_OK) return NULL;
        }
        w->failed = "quantize";
        w->status = pto_block_quantize(g->quantize, t.data[NARROW], 0, rows, g->cols,
                                       g->codes + row * g->size.row_bytes, 0,
                                       g->scales + tile * g->size.scale_cols * g->size.scale_bytes, 0, NULL);
        if (w->status != PTO_OK) return NULL;
    }
    return NULL;
}

/* Runs the graph on threads, of which the caller is the last. If a thread cannot be started, the caller does its work,
 * too. Returns whether all went well. */
static bool run_graph(struct worker *workers, size_t threads) {
    bool started[THREADS_MAX] = {false}, good = true;
    for (size_t k = 0; k < threads; ++k) {
        if (k + 1 < threads)
            started[k] = pthread_create(&workers[k].thread, NULL, run_tiles, &workers[k]) == 0;
        if (!started[k]) run_tiles(&workers[k]);
    }
    for (size_t k = 0; k < threads; ++k) {
        if (started[k]) pthread_join(workers[k].thread, NULL);
        if (workers[k].status != PTO_OK)
            fprintf(stderr, "runtime: %s: %s\n", workers[k].failed, pto_strerror(workers[k].status));
        good = good && workers[k].status == PTO_OK;
    }
    return good;
}

/* ---- the program ---- */

/* Returns FNV-1a of the bytes, continued from `digest`. */
static uint64_t add_to_digest(uint64_t digest, const unsigned char *bytes, size_t n) {
    for (size_t i = 0; i < n; ++i) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

/* Runs the prepared graph several times, and prints the shortest time and the digest. */
static bool measure(struct graph *g, struct worker *workers, size_t threads) {
    const size_t code_bytes = g->rows * g->size.row_bytes;
    const size_t scale_bytes = g->size.scale_rows * g->size.scale_cols * g->size.scale_bytes;
    double best = 1e9;
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < RUNS; ++i) {
        const double start = now();
        if (!run_graph(workers, threads)) return false;
        if (now() - start < best) best = now() - start;
    }
    digest = add_to_digest(digest, g->codes, code_bytes);
    digest = add_to_digest(digest, g->scales, scale_bytes);
    printf("%zu x %zu, %zu %s, %s: %.3f ms, digest %016llx\n", g->rows, g->cols, threads,
           threads == 1 ? "thread" : "threads", pto_isa_name(pto_isa_active()), best * 1e3,
           (unsigned long long)digest);
    return true;
}

/* Returns memory for a number of parts, or NULL if their size exceeds SIZE_MAX or if there is no memory. */
static void *allocate(size_t parts, size_t bytes) {
    if (bytes > SIZE_MAX / parts - 1) return NULL;
    return malloc(parts * bytes + 1);
}

/* Allocates results and the memory of the threads, splits the tiles among the threads, and runs. */
static bool execute(struct graph *g, size_t threads) {
    const pto_status status = prepare(g);
    const size_t scales = g->size.scale_rows * g->size.scale_cols;
    const size_t tiles = (g->rows + TILE_ROWS - 1) / TILE_ROWS;
    struct worker workers[THREADS_MAX];
    bool good;
    unsigned char *memory;
    if (status != PTO_OK) {
        fprintf(stderr, "runtime: %s\n", pto_strerror(status));
        return false;
    }
    g->codes = allocate(g->rows, g->size.row_bytes);
    g->scales = allocate(scales, g->size.scale_bytes);
    memory = allocate(threads * TILE_ROWS, row_memory(g));
    good = g->codes != NULL && g->scales != NULL && memory != NULL;
    if (!good) fputs("runtime: no memory\n", stderr);
    for (size_t k = 0; good && k < threads; ++k)
        workers[k] = (struct worker){.graph = g,
                                     .first = tiles * k / threads,
                                     .end = tiles * (k + 1) / threads,
                                     .memory = memory + k * TILE_ROWS * row_memory(g),
                                     .limit = -0.02F,
                                     .low = -0.01F,
                                     .high = 0.1F};
    good = good && measure(g, workers, threads);
    free(memory);
    free(g->codes);
    free(g->scales);
    return good;
}

/* Reads a number from 1 to `limit`, or 0 after an error. */
static size_t read_number(const char *text, size_t limit) {
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && value >= 1 && value <= limit) return (size_t)value;
    fprintf(stderr, "runtime: %s: expected a number from 1 to %zu\n", text, limit);
    return 0;
}

int main(int argc, char **argv) {
    npy_tensor tensor;
    struct graph g = {.rows = 0};
    size_t threads = 2;
    const char *wrong;
    bool good;
    if (argc != 2 && argc != 3 && argc != 5) {
        fputs("usage: runtime TENSOR.npy [THREADS [ROWS COLUMNS]]\n", stderr);
        return 2;
    }
    wrong = npy_read_f32(argv[1], &tensor);
    if (wrong == NULL && (tensor.dims == 0 || tensor.n == 0)) wrong = "it has no rows or no elements";
    if (wrong != NULL) {
        fprintf(stderr, "runtime: %s: %s\n", argv[1], wrong);
        npy_free(&tensor);
        return 2;
    }
    g.x = tensor.data;
    g.cols = tensor.shape[tensor.dims - 1];
    g.rows = tensor.n / g.cols;
    g.stride = g.cols * sizeof(float);
    if (argc > 2) threads = read_number(argv[2], THREADS_MAX);
    if (argc > 3) {
        g.rows = read_number(argv[3], g.rows);
        g.cols = read_number(argv[4], g.cols);
    }
    good = threads != 0 && g.rows != 0 && g.cols != 0 && execute(&g, threads);
    npy_free(&tensor);
    return good ? 0 : 2;
}
