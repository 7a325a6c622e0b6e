/* SPDX-License-Identifier: MIT */
/* Magnitudes and elements for the checks of block scaling. */
#include "support/block_values.h"
#include "model/model_number.h"

#include <math.h>
#include <string.h>

/* ---- magnitudes ---- */

/** The f32 fractions at which scales change: the fractions of the element types' largest values, the smallest
 * fractions that round to the next power of two in an element type's precision, and 0. Each is tested with its two
 * neighbours. */
static const uint32_t border_fractions[] = {0, 0x400000, 0x600000, 0x700000, 0x780000};
enum {
    BORDER_FRACTIONS = 3 * sizeof border_fractions / sizeof border_fractions[0],
    BINADES = 256,
    RANDOM = 4096
};
enum {
    NORMALS = BINADES * BORDER_FRACTIONS,
    SUBNORMALS = 3 * 23,
    F32_MAGNITUDES = NORMALS + SUBNORMALS + RANDOM
};

size_t block_magnitudes(pto_dtype wide) {
    return wide == PTO_F32 ? F32_MAGNITUDES : (size_t)1 << 15;
}

static uint32_t f32_magnitude(size_t i) {
    if (i < NORMALS) {
        const uint32_t power = (uint32_t)(i / BORDER_FRACTIONS) << 23;
        return (power + border_fractions[i % BORDER_FRACTIONS / 3] + (uint32_t)(i % 3) - 1) & 0x7fffffff;
    }
    i -= NORMALS;
    if (i < SUBNORMALS) return ((uint32_t)1 << i / 3) + (uint32_t)(i % 3) - 1;
    return (uint32_t)(i * 0x9e3779b1U) & 0x7fffffff;
}

uint64_t block_magnitude(pto_dtype wide, size_t i) {
    return wide == PTO_F32 ? f32_magnitude(i) : i;
}

/* ---- elements ---- */

static uint64_t sign_of(pto_dtype wide, bool negative) {
    return negative ? number_sign(number_format(wide)) : 0;
}

/** Returns the middle of two neighbours of the element type. */
static double any_tie(struct rng *rng, pto_dtype elem) {
    const struct format *f;
    uint64_t m;
    int q;
    if (elem == PTO_S2F6) return ldexp((double)(2 * rng_below(rng, 128) + 1), -7);
    f = number_format(elem);
    number_decode(f, rng_below(rng, (size_t)f->largest), &m, &q);
    return ldexp((double)(2 * m + 1), q - 1);
}

static double real_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/** Returns the magnitude that becomes `y` when it is scaled. */
static double unscaled(const struct model_block_scaling *scaling, double y) {
    const double by = fabs(real_of(scaling->factor));
    switch (scaling->operation) {
    case MODEL_MULTIPLY:
    case MODEL_CLAMP: return y / by;
    case MODEL_NEAREST: return y * 2 * by;
    default: return y * by;
    }
}

/** Returns the code of an element that becomes a tie, or nearly a tie, when it is scaled by `scaling`. If its magnitude
 * would exceed `magnitude`, returns a random code from 0 to `magnitude` instead. */
static uint64_t near_tie(struct rng *rng, const pto_block_op *op, const struct model_block_scaling *scaling,
                         uint64_t magnitude) {
    const double tie = any_tie(rng, op->elem);
    const double x = unscaled(scaling, tie);
    const uint32_t bits = x < 3e38 ? model_f32_bits((float)x) : MODEL_F32_INF; /* also for a NaN */
    const uint64_t code = model_f32_narrowed(op->wide, bits) + rng_below(rng, 3) - 1;
    return code <= magnitude ? code : rng_below(rng, (size_t)magnitude + 1);
}

void block_pool(struct rng *rng, const pto_block_op *op, const struct model_block_scaling *scaling,
                uint64_t magnitude, uint64_t pool[BLOCK_POOL]) {
    const uint64_t word = rng_next(rng);
    pool[0] = magnitude;
    pool[1] = near_tie(rng, op, scaling, magnitude);
    pool[2] = rng_below(rng, (size_t)magnitude + 1);
    switch (word >> 32 & 31) {
    case 0: pool[3] = number_format(op->wide)->nan; break;
    case 1:
    case 2:
    case 3: pool[3] = 0; break;
    case 4: pool[3] = magnitude != 0; break;
    default: pool[3] = near_tie(rng, op, scaling, magnitude);
    }
    for (int i = 0; i < BLOCK_POOL; i++) {
        pool[i] |= sign_of(op->wide, word >> i & 1);
    }
}
