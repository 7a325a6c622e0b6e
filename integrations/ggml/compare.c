/* SPDX-License-Identifier: MIT */
/*
 * compare LIBRARY [fused]: compares the functions of pto_ggml.h with those of a shared library of ggml, bit by bit.
 * "fused" means that the library was compiled for a CPU whose multiplications and additions the compiler may fuse; then
 * fewer values are compared.
 * Exit code: 0 if all results are equal, or differ only where docs/block-scaling.md says so.
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats.h"

enum { AT_ONCE = 4096, NORMALS = 1 << 20 };

static bool fused, failed;

/* Blocks that were compared, those that differ, and those of MXFP4 that are excused: their scale is undefined in C, or
 * is 253 and the library is fused. */
struct counts {
    size_t blocks, differ, undefined, fused;
};

static void report(const char *format, const char *check, struct counts c) {
    printf("%s, %s: %zu compared, %zu differ", format, check, c.blocks, c.differ);
    if (c.undefined != 0) printf("; %zu with a scale that is undefined in C", c.undefined);
    if (c.fused != 0) printf("; %zu with scale 253, which fused instructions change", c.fused);
    printf("\n");
    fflush(stdout);
    if (c.differ != 0) failed = true;
}

/* ---- quantization ---- */

/* Returns the largest magnitude of the elements that are not NaNs. */
static float largest(const float *x, size_t n) {
    float a = 0;
    for (size_t i = 0; i < n; ++i) a = fabsf(x[i]) > a ? fabsf(x[i]) : a;
    return a;
}

/* Returns the code of the first of the 16 elements whose distance from x is least. */
static unsigned nearest(float x, float half_scale) {
    static const float twice[16] = {0, 1, 2, 3, 4, 6, 8, 12, -0.0F, -1, -2, -3, -4, -6, -8, -12};
    unsigned best = 0;
    for (unsigned k = 1; k < 16; ++k)
        if (fabsf(twice[k] * half_scale - x) < fabsf(twice[best] * half_scale - x)) best = k;
    return best;
}

/* Returns whether a block of MXFP4 with an undefined scale is as docs/block-scaling.md defines it. */
static bool is_as_defined(const float *x, const unsigned char *block) {
    const unsigned scale = isinf(largest(x, 32)) ? 253 : 0;
    if (block[0] != scale) return false;
    for (size_t j = 0; j < 16; ++j) {
        const float half = ldexpf(1, (int)scale - 128);
        if (block[1 + j] != (nearest(x[j], half) | nearest(x[j + 16], half) << 4)) return false;
    }
    return true;
}

static void compare_blocks(const struct format *f, const float *x, size_t blocks, struct counts *c) {
    static unsigned char ours[AT_ONCE * MOST_BYTES], theirs[AT_ONCE * MOST_BYTES];
    f->ours.quantize(x, ours, (int64_t)(blocks * f->elements));
    f->theirs.quantize(x, theirs, (int64_t)(blocks * f->elements));
    for (size_t i = 0; i < blocks; ++i) {
        const float *elements = x + i * f->elements;
        const unsigned char *a = ours + i * f->bytes, *b = theirs + i * f->bytes;
        const float most = largest(elements, f->elements);
        bool good = memcmp(a, b, f->bytes) == 0;
        if (f->scales == 1 && most > 0 && (most < 0x1p-125F || isinf(most))) {
            ++c->undefined;
            good = is_as_defined(elements, a);
        } else if (f->scales == 1 && fused && !good && a[0] == 253 && b[0] == 253) {
            ++c->fused;
            good = true;
        }
        ++c->blocks;
        if (good) continue;
        if (c->differ++ == 0)
            printf("%s: the first block that differs: scale %02x, not %02x\n", f->name, a[0], b[0]);
    }
}

/* Blocks that are compared when there are AT_ONCE of them. */
struct batch {
    const struct format *f;
    struct counts counts;
    size_t used; /* elements */
    float x[AT_ONCE * MOST_ELEMENTS];
};

static void flush(struct batch *b) {
    while (b->used % b->f->elements != 0) b->x[b->used++] = 0;
    compare_blocks(b->f, b->x, b->used / b->f->elements, &b->counts);
    b->used = 0;
}

/* Adds a group, the elements that share a scale, and returns it to be filled. */
static float *next_group(struct batch *b) {
    const size_t group = b->f->elements / b->f->scales;
    if (b->used == AT_ONCE * b->f->elements) flush(b);
    b->used += group;
    return b->x + b->used - group;
}

static size_t group_of(const struct batch *b) {
    return b->f->elements / b->f->scales;
}

/* Half of the groups are normally distributed with a deviation of 1, half with one from 2^-20 to 2^20. */
static void random_normal(struct batch *b, uint64_t *state, size_t groups) {
    float *const normal = allocate(NORMALS * sizeof *normal);
    fill_normal(normal, NORMALS, state);
    for (size_t i = 0; i < groups; ++i) {
        const uint64_t bits = random_bits(state);
        const float by = i % 2 == 0 ? 1 : exp2f((float)(bits >> 40) * 0x1p-24F * 40 - 20);
        const float *from = normal + bits % (NORMALS - MOST_ELEMENTS);
        float *x = next_group(b);
        for (size_t j = 0; j < group_of(b); ++j) x[j] = from[j] * by;
    }
    free(normal);
}

/* The exponents of a group are any one and the eight below; one element in 64 has any bits. */
static void random_codes(struct batch *b, uint64_t *state, size_t groups) {
    for (size_t i = 0; i < groups; ++i) {
        const uint32_t top = (uint32_t)(random_bits(state) >> 56);
        float *x = next_group(b);
        for (size_t j = 0; j < group_of(b); ++j) {
            const uint64_t bits = random_bits(state);
            const uint32_t below = (uint32_t)(bits >> 32) % 9, field = top > below ? top - below : 0;
            x[j] = float_of((bits >> 40) % 64 == 0 ? (uint32_t)bits
                                                   : ((uint32_t)bits & 0x807fffffU) | field << 23);
        }
    }
}

/* Zeros, subnormals, the least and the largest values, infinities, quiet and signaling NaNs, powers of two. */
static const uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 2,          0x007fffff,
                                   0x807fffff, 0x00400000, 0x00800000, 0x80800000, 0x00800001, 0x00ffffff,
                                   0x01000000, 0x01000001, 0x01800000, 0x7f7fffff, 0xff7fffff, 0x7f000000,
                                   0x7e800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001,
                                   0xffffffff, 0x7fffffff, 0x3f800000, 0xbf800000, 0x40c00000, 0xc0c00000,
                                   0x40c00001, 0x40bfffff, 0x43e00000, 0x44b9ffff, 0x44ba0000, 0x45280000,
                                   0x3a2aaaab, 0x3b000000, 0x3c800000, 0x3f000000, 0x34000000, 0x5f000000};
enum { SPECIALS = sizeof special / sizeof special[0] };

/* Every special value alone and with every other, and random groups of special and normal values. */
static void special_values(struct batch *b, uint64_t *state, size_t groups) {
    for (size_t i = 0; i < SPECIALS; ++i)
        for (size_t k = 0; k < SPECIALS; ++k) {
            float *x = next_group(b);
            for (size_t j = 0; j < group_of(b); ++j) x[j] = float_of(special[j % 3 == 0 ? k : i]);
        }
    for (size_t i = 0; i < groups; ++i) {
        const size_t from = (size_t)(random_bits(state) % SPECIALS),
                     count = (size_t)(random_bits(state) % 8) + 1;
        float *x = next_group(b);
        for (size_t j = 0; j < group_of(b); ++j) {
            const uint64_t bits = random_bits(state);
            x[j] = float_of(special[(from + bits % count) % SPECIALS]);
            if (bits >> 32 & 1) x[j] *= (float)(bits >> 40) * 0x1p-24F;
        }
    }
}

/* Middles between two elements and the three values on either side, for every scale. */
static void ties(struct batch *b, uint64_t *state, size_t groups) {
    static const float middles[] = {0.5F, 1.5F, 2.5F, 3.5F, 5, 7, 10, 12};
    (void)state, (void)groups;
    for (int scale = 0; scale < 255; ++scale) {
        const float half = b->f->scales == 1 ? ldexpf(1, scale - 128)
                                             : ldexpf((float)(scale & 7) + (scale > 7 ? 8 : 0),
                                                      (scale > 7 ? scale >> 3 : 1) - 11);
        if (b->f->scales != 1 && scale >= 127) break;
        for (size_t m = 0; m < sizeof middles / sizeof middles[0]; ++m)
            for (int sign = -1; sign <= 1; sign += 2) {
                float *x = next_group(b), value = middles[m] * half;
                for (int step = 0; step < 3; ++step) value = nextafterf(value, 0);
                for (size_t j = 0; j < group_of(b); ++j) x[j] = 0;
                x[0] = half * 12;
                for (size_t j = 1; j < 8; ++j) {
                    x[j] = x[group_of(b) - j] = (float)sign * value;
                    value = nextafterf(value, INFINITY);
                }
            }
    }
}

/* Adds a group whose largest magnitude has these bits. */
static void add_largest(struct batch *b, uint64_t *state, uint32_t bits) {
    const uint64_t more = random_bits(state);
    const float a = float_of(bits);
    float *x = next_group(b);
    for (size_t j = 0; j < group_of(b); ++j) x[j] = a * ((float)(random_bits(state) >> 40) * 0x1p-23F - 1);
    x[more % group_of(b)] = more >> 32 & 1 ? a : -a;
}

/* Largest magnitudes: one in 997 of all, and those near powers of two and near the borders between scales of NVFP4. */
static void scales(struct batch *b, uint64_t *state, size_t groups) {
    enum { NEAR = 100, INFINITE = 0x7f800000 };
    const uint32_t stride = fused ? 19937 : 997;
    (void)groups;
    for (uint32_t bits = 1; bits < INFINITE; bits += stride) add_largest(b, state, bits);
    for (uint32_t field = 1; field < 255; ++field)
        for (uint32_t i = 0; i <= 2 * NEAR; ++i) add_largest(b, state, (field << 23) + i - NEAR);
    for (int sixteenth = 0; sixteenth < 16; ++sixteenth)
        for (int power = -11; power < 10; ++power) {
            const float border = 6 * ldexpf(1 + (float)sixteenth / 16, power);
            uint32_t bits;
            memcpy(&bits, &border, sizeof bits);
            for (uint32_t i = 0; i <= 2 * NEAR; ++i) add_largest(b, state, bits + i - NEAR);
        }
}

static void compare_quantization(const struct format *f) {
    static const struct {
        const char *name;
        void (*add)(struct batch *b, uint64_t *state, size_t groups);
        size_t groups;
    } checks[] = {{"normally distributed", random_normal, 2 << 20},
                  {"random codes", random_codes, 1 << 20},
                  {"special values", special_values, 1 << 18},
                  {"ties", ties, 0},
                  {"scales", scales, 0}};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; ++i) {
        struct batch *const b = allocate(sizeof *b);
        uint64_t state = i + 1;
        b->f = f;
        b->counts = (struct counts){0};
        b->used = 0;
        checks[i].add(b, &state, checks[i].groups / (fused ? 16 : 1));
        flush(b);
        report(f->name, checks[i].name, b->counts);
        free(b);
    }
}

/* ---- dequantization ---- */

/* Compares blocks of any bytes: each scale with each pair of codes at each place, and random blocks. */
static void compare_dequantization(const struct format *f) {
    enum { RANDOM = 1 << 18, BLOCKS = 256 * 256 + RANDOM };
    unsigned char *const blocks = allocate(BLOCKS * f->bytes);
    float *const ours = allocate(BLOCKS * f->elements * sizeof *ours);
    float *const theirs = allocate(BLOCKS * f->elements * sizeof *theirs);
    struct counts c = {.blocks = BLOCKS};
    uint64_t state = 7;
    for (size_t i = 0; i < BLOCKS * f->bytes; ++i) {
        const size_t block = i / f->bytes, at = i % f->bytes;
        blocks[i] = (unsigned char)(random_bits(&state) >> 32);
        if (block < (size_t)256 * 256) blocks[i] = (unsigned char)(at < f->scales ? block >> 8 : block + at);
    }
    f->ours.dequantize(blocks, ours, (int64_t)(BLOCKS * f->elements));
    f->theirs.dequantize(blocks, theirs, (int64_t)(BLOCKS * f->elements));
    for (size_t i = 0; i < BLOCKS; ++i)
        c.differ += memcmp(ours + i * f->elements, theirs + i * f->elements, f->elements * sizeof *ours) != 0;
    report(f->name, "dequantized blocks", c);
    free(blocks);
    free(ours);
    free(theirs);
}

/* ---- lengths, rows, threads, errors ---- */

static void expect(const char *format, const char *what, bool holds) {
    if (!holds) printf("%s: wrong: %s\n", format, what), failed = true;
}

/* Every count of blocks up to 600, at addresses that are not aligned. Bytes after the results must not change. */
static void compare_lengths(const struct format *f) {
    enum { MOST = 600, GUARD = 64 };
    static float x[MOST * MOST_ELEMENTS], y[2][MOST * MOST_ELEMENTS + GUARD];
    static unsigned char blocks[2][MOST * MOST_BYTES + GUARD + 8];
    struct counts c = {0};
    uint64_t state = 9;
    fill_normal(x, MOST * f->elements, &state);
    for (size_t n = 0; n <= MOST; ++n) {
        const size_t at = n % 8;
        memset(blocks, 0xa5, sizeof blocks);
        memset(y, 0xa5, sizeof y);
        f->ours.quantize(x, blocks[0] + at, (int64_t)(n * f->elements));
        f->theirs.quantize(x, blocks[1] + at, (int64_t)(n * f->elements));
        f->ours.dequantize(blocks[0] + at, y[0], (int64_t)(n * f->elements));
        f->theirs.dequantize(blocks[1] + at, y[1], (int64_t)(n * f->elements));
        ++c.blocks;
        c.differ +=
            memcmp(blocks[0], blocks[1], sizeof blocks[0]) != 0 || memcmp(y[0], y[1], sizeof y[0]) != 0;
    }
    report(f->name, "lengths", c);
    f->ours.quantize(NULL, NULL, 0);
    f->ours.dequantize(NULL, NULL, 0);
    for (int64_t rows = 0; rows < 5; ++rows) {
        const size_t ours = f->ours.quantize_rows(x, blocks[0], rows, 128, NULL);
        const size_t theirs = f->theirs.quantize_rows(x, blocks[1], rows, 128, NULL);
        expect(f->name, "rows", ours == theirs && memcmp(blocks[0], blocks[1], ours) == 0);
    }
}

/* The work of one thread: it quantizes and dequantizes the same row several times. */
struct work {
    const struct format *f;
    const float *x;
    unsigned char *blocks;
    float *y;
};

enum { THREADS = 4, THREAD_ELEMENTS = 1 << 16 };

static void *run_work(void *argument) {
    const struct work *w = argument;
    for (int i = 0; i < 50; ++i) {
        w->f->ours.quantize(w->x, w->blocks, THREAD_ELEMENTS);
        w->f->ours.dequantize(w->blocks, w->y, THREAD_ELEMENTS);
    }
    return NULL;
}

static void compare_threads(const struct format *f) {
    const size_t bytes = THREAD_ELEMENTS / f->elements * f->bytes;
    float *const x = allocate(THREAD_ELEMENTS * sizeof *x), *const want =
                                                                allocate(THREAD_ELEMENTS * sizeof *x);
    unsigned char *const blocks = allocate(bytes);
    struct work work[THREADS];
    pthread_t threads[THREADS];
    uint64_t state = 11;
    fill_normal(x, THREAD_ELEMENTS, &state);
    f->theirs.quantize(x, blocks, THREAD_ELEMENTS);
    f->theirs.dequantize(blocks, want, THREAD_ELEMENTS);
    for (size_t i = 0; i < THREADS; ++i) {
        work[i] = (struct work){f, x, allocate(bytes), allocate(THREAD_ELEMENTS * sizeof *x)};
        if (pthread_create(&threads[i], NULL, run_work, &work[i]) != 0) exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        expect(f->name, "threads", memcmp(work[i].blocks, blocks, bytes) == 0);
        expect(f->name, "threads", memcmp(work[i].y, want, THREAD_ELEMENTS * sizeof *x) == 0);
        free(work[i].blocks);
        free(work[i].y);
    }
    free(x);
    free(want);
    free(blocks);
}

/* Returns whether a call aborts in a process of its own. */
static bool aborts(const struct format *f, const float *x, unsigned char *y, int64_t k, bool back) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(1);
        if (back)
            f->ours.dequantize(y, (float *)x, k);
        else
            f->ours.quantize(x, y, k);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT;
}

static void check_errors(const struct format *f) {
    static float x[MOST_ELEMENTS * 2];
    unsigned char y[MOST_BYTES * 2] = {0};
    const int64_t k = (int64_t)f->elements;
    for (int back = 0; back < 2; ++back) {
        expect(f->name, "k is not a multiple of the block", aborts(f, x, y, k - 1, back));
        expect(f->name, "NULL", aborts(f, x, NULL, k, back) && aborts(f, NULL, y, k, back));
        expect(f->name, "a valid call", !aborts(f, x, y, k, back));
    }
}

int main(int count, char **arguments) {
    struct format formats[FORMATS];
    if (count < 2) return EXIT_FAILURE;
    fused = count > 2 && strcmp(arguments[2], "fused") == 0;
    load_formats(arguments[1], formats);
    for (size_t i = 0; i < FORMATS; ++i) {
        compare_quantization(&formats[i]);
        compare_dequantization(&formats[i]);
        compare_lengths(&formats[i]);
        compare_threads(&formats[i]);
        check_errors(&formats[i]);
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
