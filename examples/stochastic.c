/* SPDX-License-Identifier: MIT */
#include <pto/pto.h>

#include <stdio.h>
#include <string.h>

/*
 * Stochastic rounding to 8 bits. The nearer a value is to its upper neighbour, the more often it is rounded up. So
 * sums of many values stay right on average; rounding to nearest loses every remainder below half a step.
 *
 * The random bits of element i depend only on the key and on i: .rs takes one word for four elements of 8 bits, and
 * element i uses word i / 4 of the key's sequence. So the work may be split among any number of threads, at any
 * multiple of 64 elements.
 */
enum { N = 1 << 16, SHARES = 3, LANES_AT_ONCE = 4096 };

static const uint32_t key[2] = {20260801, 0};

/* Rounds elements begin to end - 1. begin must be a multiple of 64. end must be one too, or for the last part a
 * multiple of 4. */
static pto_status round_share(const float *x, uint8_t *y, size_t begin, size_t end) {
    static const uint32_t start[4] = {0, 0, 0, 0};
    const pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RS, .satfinite = true};
    uint32_t bits[LANES_AT_ONCE / 4], counter[4];
    pto_status status =
        pto_random_counter(start, begin / 16, counter); /* a block is 4 words, for 16 elements */

    while (begin < end && status == PTO_OK) {
        const size_t left = end - begin, lanes = left < LANES_AT_ONCE ? left : LANES_AT_ONCE;
        status = pto_random_bits(key, counter, bits, lanes / 4);
        if (status == PTO_OK) status = pto_cvt(op, x + begin, y + begin, bits, lanes);
        if (status == PTO_OK) status = pto_random_counter(counter, LANES_AT_ONCE / 16, counter);
        begin += lanes;
    }
    return status;
}

/* Rounds in parts, the last one first. The order of the parts does not change the bits, so threads may share them. */
static pto_status round_in_shares(const float *x, uint8_t *y, size_t n) {
    const size_t grains = n / 64;
    pto_status status = PTO_OK;
    for (size_t k = SHARES; k-- > 0 && status == PTO_OK;) {
        const size_t end = k + 1 < SHARES ? grains * (k + 1) / SHARES * 64 : n;
        status = round_share(x, y, grains * k / SHARES * 64, end);
    }
    return status;
}

static double mean_of(const uint8_t *y, size_t n, pto_status *status) {
    static float back[N];
    const pto_cvt_op op = {.dst = PTO_F32, .src = PTO_E4M3};
    double sum = 0;
    if (*status == PTO_OK) *status = pto_cvt(op, y, back, NULL, n);
    for (size_t i = 0; i < n && *status == PTO_OK; i++) sum += (double)back[i];
    return sum / (double)n;
}

int main(void) {
    static float x[N];
    static uint8_t nearest[N], whole[N], shared[N];
    const pto_cvt_op to_nearest = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    pto_status status;
    double mean, mean_nearest;
    bool good;

    for (size_t i = 0; i < N; i++) x[i] = 1.04F; /* its neighbours in e4m3 are 1 and 1.125 */
    status = pto_cvt(to_nearest, x, nearest, NULL, N);
    if (status == PTO_OK) status = round_share(x, whole, 0, N);
    if (status == PTO_OK) status = round_in_shares(x, shared, N);
    mean_nearest = mean_of(nearest, N, &status);
    mean = mean_of(whole, N, &status);
    if (status != PTO_OK) {
        fprintf(stderr, "stochastic: %s\n", pto_strerror(status));
        return 1;
    }
    good = memcmp(whole, shared, N) == 0 && mean > 1.039 && mean < 1.041;
    printf(
        "the mean of %d times 1.04 in e4m3: to nearest %.4f, stochastically %.4f; in %d shares the %s bits\n",
        N, mean_nearest, mean, SHARES, memcmp(whole, shared, N) == 0 ? "same" : "wrong");
    return !good;
}
