/* SPDX-License-Identifier: MIT */
/*
 * mx_edges: what becomes of unusual blocks in the MX formats, checked against answers worked out by hand,
 * with every instruction set that this machine has. Exit status: 0 if all are right.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mx.h"
#include "support.h"

enum { ZEROS, CLAMPED, TINY, NOT_A_NUMBER, INFINITE, SHORT, BLOCKS };
enum { LAST = 5, N = SHORT * MX_BLOCK + LAST, UNTOUCHED = 0xa5 };

typedef float values[BLOCKS][MX_BLOCK];

static const struct expected {
    pto_dtype type;
    uint8_t scales[BLOCKS];
    float clamped, tiny; /* what 500 and 2^-140 become */
} expectations[] = {
    {PTO_E4M3, {0, 127, 0, 255, 255, 121}, 448.0F, 0.0F},
    {PTO_E5M2, {0, 120, 0, 255, 255, 114}, 448.0F, 0x1p-140F},
    {PTO_E2M1, {0, 133, 0, 255, 255, 127}, 384.0F, 0.0F},
};

/* All else is 0. */
static void fill(values x) {
    const float short_block[LAST] = {1.0F, -2.0F, 3.0F, -4.0F, 6.0F};
    memset(x, 0, sizeof(values));
    x[ZEROS][1] = -0.0F;
    x[CLAMPED][7] = 500.0F; /* more than the largest value times the scale */
    x[TINY][0] = 0x1p-126F; /* the scale would be less than 2^-127 */
    x[TINY][31] = 0x1p-140F;
    x[NOT_A_NUMBER][3] = NAN;
    x[INFINITE][30] = -INFINITY;
    memcpy(x[SHORT], short_block, sizeof short_block);
}

static bool same_bytes(const void *a, const void *b, size_t bytes) {
    return memcmp(a, b, bytes) == 0;
}

static bool untouched(const void *from, const void *to) {
    for (const uint8_t *p = from; p != to; ++p)
        if (*p != UNTOUCHED) return false;
    return true;
}

static bool all_nan(const float *block) {
    for (size_t i = 0; i < MX_BLOCK; ++i)
        if (!isnan(block[i])) return false;
    return true;
}

/* The values, with every bit of those that are numbers, and nothing behind them. */
static bool right_values(values y, const struct expected *e) {
    values wanted;
    fill(wanted);
    wanted[CLAMPED][7] = e->clamped;
    wanted[TINY][31] = e->tiny;
    return same_bytes(y, wanted, NOT_A_NUMBER * sizeof y[0]) && all_nan(y[NOT_A_NUMBER]) &&
           all_nan(y[INFINITE]) && same_bytes(y[SHORT], wanted[SHORT], LAST * sizeof(float)) &&
           untouched(y[SHORT] + LAST, y[SHORT] + MX_BLOCK);
}

/* There and back with the active instruction set. */
static bool holds(const struct expected *e) {
    values x, y;
    float scratch[N + BLOCKS];
    uint8_t elements[N], scales[BLOCKS];
    const mx_tensor q = {e->type, N, elements, scales};

    fill(x);
    memset(elements, UNTOUCHED, sizeof elements);
    memset(y, UNTOUCHED, sizeof y);
    return mx_quantize(x[0], scratch, &q) == PTO_OK && mx_dequantize(&q, scratch, y[0]) == PTO_OK &&
           same_bytes(scales, e->scales, sizeof scales) && right_values(y, e) &&
           untouched(elements + mx_element_bytes(e->type, N), elements + N);
}

int main(void) {
    bool all = true;
    for (int isa = 0; isa < MAX_ISAS; ++isa) {
        if (pto_isa_use((pto_isa)isa) != PTO_OK) continue;
        for (size_t k = 0; k < sizeof expectations / sizeof expectations[0]; ++k) {
            const bool good = holds(&expectations[k]);
            printf("%-8s%-6s%s\n", pto_isa_name((pto_isa)isa), pto_dtype_name(expectations[k].type),
                   good ? "as expected" : "WRONG");
            all = all && good;
        }
    }
    return all ? 0 : 1;
}
