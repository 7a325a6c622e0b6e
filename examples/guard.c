/* SPDX-License-Identifier: MIT */
#include <pto/pto.h>

#include <stdio.h>
#include <string.h>

/*
 * PTX's guards @p and @!p on arrays. A guarded instruction writes nothing in lanes whose guard is off:
 *  - For an instruction with a result, run it without the guard into a scratch array. Then pto_vsel selects in place:
 *    dst = guard ? new : dst.
 *  - For a guarded setp, call pto_vcmp with the guard as its seed and PTO_MERGE, which keeps the other lanes.
 */
enum { N = 10 };

/*
 * if (i < n) j = j + 1;
 *
 *       setp.lt.s32  p, i, n;
 *   @p  add.s32      j, j, 1;
 */
static pto_status count_up(const int32_t *i, const int32_t *n, int32_t *j) {
    uint8_t p[(N + 7) / 8];
    int32_t sum[N];
    pto_setp_op lt;
    pto_status status = pto_parse_setp("setp.lt.s32", &lt, NULL);

    if (status == PTO_OK) status = pto_setp(lt, i, n, PTO_NO_MASK, pto_packed(p), PTO_NO_MASK, N);
    for (int k = 0; k < N; k++) {
        sum[k] = j[k] + 1;
    }
    return status == PTO_OK ? pto_vsel(PTO_S32, sum, j, pto_packed(p), j, N) : status;
}

/*
 *       setp.lt.s32  p, i, n;
 *  @!p  setp.eq.s32  r, i, j;       r keeps its old value where p is true
 */
static pto_status guarded_setp(const int32_t *i, const int32_t *n, const int32_t *j, uint8_t *r) {
    uint8_t not_p[N] = {0}; /* initialized, because some compilers do not see the write by pto_setp() */
    const pto_setp_op lt = {.type = PTO_S32, .cmp = PTO_LT};
    uint8_t p[N];
    /* q is !p, so @!p needs no call of its own. */
    pto_status status = pto_setp(lt, i, n, PTO_NO_MASK, pto_bytes(p), pto_bytes(not_p), N);

    if (status != PTO_OK) return status;
    return pto_vcmp(PTO_S32, PTO_EQ, PTO_MERGE, i, j, pto_bytes(not_p), pto_bytes(r), N);
}

int main(void) {
    const int32_t i[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const int32_t n[N] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    int32_t j[N] = {10, 10, 10, 10, 10, 10, 7, 7, 9, 9};
    uint8_t r[N] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    const int32_t expected_j[N] = {11, 11, 11, 11, 11, 10, 7, 7, 9, 9};
    const uint8_t expected_r[N] = {1, 0, 1, 0, 1, 0, 0, 1, 0, 1};
    pto_status status = count_up(i, n, j);

    if (status == PTO_OK) status = guarded_setp(i, n, j, r);
    if (status != PTO_OK) {
        fprintf(stderr, "guard: %s\n", pto_strerror(status));
        return 1;
    }
    printf("j =");
    for (int k = 0; k < N; k++) {
        printf(" %d", (int)j[k]);
    }
    printf("\nr =");
    for (int k = 0; k < N; k++) {
        printf(" %d", r[k]);
    }
    printf("\n");
    return memcmp(j, expected_j, sizeof j) != 0 || memcmp(r, expected_r, sizeof r) != 0;
}
