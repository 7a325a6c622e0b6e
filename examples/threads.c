/* SPDX-License-Identifier: MIT */
#include <pto/pto.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Splits one compare across threads. libpto starts no threads, and any thread may make any call. Only the start of each
 * part matters: calls write whole bytes. A byte of a packed mask has eight lanes, a byte of an e2m1 array two elements,
 * and a word of random bits serves two or four elements. If each part starts at a multiple of 64 lanes, no two parts
 * share a byte or a word.
 *
 * Lane `begin` starts at these offsets:
 *     an array    begin * pto_dtype_bits(type) / 8 bytes
 *     a mask      pto_mask_bytes(kind, begin) bytes
 *     .rs's bits  begin / 2 words (f16, bf16) or begin / 4 (8, 6 and 4 bits)
 */
enum { THREADS = 4, GRAIN = 64 };

struct share {
    const float *x;
    const float *limit;
    uint8_t *mask; /* x and mask are the whole arrays; the part is lanes begin to end - 1 */
    size_t begin, end;
    pto_status status;
};

static void *compare_share(void *arg) {
    struct share *s = arg;
    uint8_t *mask = s->mask + pto_mask_bytes(PTO_MASK_PACKED, s->begin);
    s->status = pto_vcmps(PTO_F32, PTO_LT, 0, s->x + s->begin, s->limit, PTO_NO_MASK, pto_packed(mask),
                          s->end - s->begin);
    return NULL;
}

/* mask[i] = x[i] < limit, computed by THREADS threads. */
static pto_status below(const float *x, float limit, uint8_t *mask, size_t n) {
    const size_t grains = (n + GRAIN - 1) / GRAIN;
    struct share shares[THREADS];
    pthread_t threads[THREADS];
    bool started[THREADS];
    pto_status status = PTO_OK;

    for (size_t k = 0; k < THREADS; k++) {
        const size_t begin = grains * k / THREADS * GRAIN, end = grains * (k + 1) / THREADS * GRAIN;
        shares[k].x = x;
        shares[k].limit = &limit;
        shares[k].mask = mask;
        shares[k].begin = begin;
        shares[k].end = end < n ? end : n;
        started[k] = pthread_create(&threads[k], NULL, compare_share, &shares[k]) == 0;
        if (!started[k]) compare_share(&shares[k]);
    }
    for (size_t k = 0; k < THREADS; k++) {
        if (started[k]) pthread_join(threads[k], NULL);
        if (status == PTO_OK) status = shares[k].status;
    }
    return status;
}

/* Returns whether the threads give the same mask as a single call. */
static bool same_as_one_call(const float *x, float limit, uint8_t *mask, uint8_t *whole, size_t n) {
    pto_status status = below(x, limit, mask, n);
    if (status == PTO_OK)
        status = pto_vcmps(PTO_F32, PTO_LT, 0, x, &limit, PTO_NO_MASK, pto_packed(whole), n);
    if (status != PTO_OK) fprintf(stderr, "threads: %s\n", pto_strerror(status));
    return status == PTO_OK && memcmp(mask, whole, pto_mask_bytes(PTO_MASK_PACKED, n)) == 0;
}

int main(void) {
    enum { N = 100003 };
    float *x = malloc(N * sizeof *x);
    uint8_t *mask = malloc(pto_mask_bytes(PTO_MASK_PACKED, N));
    uint8_t *whole = malloc(pto_mask_bytes(PTO_MASK_PACKED, N));
    bool same = false;

    if (x == NULL || mask == NULL || whole == NULL) {
        fprintf(stderr, "threads: no memory\n");
    } else {
        for (int i = 0; i < N; i++) x[i] = (float)(i * 37 % 101);
        same = same_as_one_call(x, 50, mask, whole, N);
        printf("%d lanes by %d threads: %s\n", N, THREADS, same ? "the same mask as by one" : "another mask");
    }
    free(x);
    free(mask);
    free(whole);
    return !same;
}
