/* SPDX-License-Identifier: MIT */
#include <pto/pto.h>

#include <stdio.h>

/*
 * A PTO loop over 256-byte vector registers, as in a PTO kernel. pto_plt gives the predicate of each iteration: all
 * lanes are on, except in the last iteration, where only the remaining lanes are. vcmp compares under this predicate
 * into another register, and vsel selects. No tail loop is needed, and nothing after the arrays is read or written.
 *
 *     y[i] = a[i] > b[i] ? a[i] : b[i]
 */
enum { LANES = 256 / sizeof(float), N = 1000 };

static pto_status max_by_registers(const float *a, const float *b, float *y, uint32_t n) {
    uint32_t remaining = n;
    pto_status status = PTO_OK;

    for (uint32_t i = 0; i < n && status == PTO_OK; i += LANES) {
        pto_preg active, greater;
        const uint32_t lanes = remaining < LANES ? remaining : LANES;
        const pto_mask seed = pto_mask_at(active.w, PTO_MASK_B32),
                       mask = pto_mask_at(greater.w, PTO_MASK_B32);

        status = pto_plt(32, &remaining, &active); /* subtracts `lanes` from remaining */
        if (status == PTO_OK) status = pto_vcmp(PTO_F32, PTO_GT, 0, a + i, b + i, seed, mask, lanes);
        if (status == PTO_OK) status = pto_vsel(PTO_F32, a + i, b + i, mask, y + i, lanes);
    }
    return status;
}

int main(void) {
    static float a[N], b[N], y[N];
    pto_status status;
    unsigned wrong = 0, from_a = 0;

    for (int i = 0; i < N; i++) {
        a[i] = (float)(i * 37 % 101);
        b[i] = (float)(i * 53 % 97);
    }
    status = max_by_registers(a, b, y, N);
    if (status != PTO_OK) {
        fprintf(stderr, "plt_loop: %s\n", pto_strerror(status));
        return 1;
    }
    for (int i = 0; i < N; i++) {
        wrong += y[i] != (a[i] > b[i] ? a[i] : b[i]);
        from_a += a[i] > b[i];
    }
    printf("maximum of %d lanes in %d registers: %u from a, %u wrong\n", N, (N + LANES - 1) / LANES, from_a,
           wrong);
    return wrong != 0;
}
