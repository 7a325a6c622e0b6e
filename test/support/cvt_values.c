/* SPDX-License-Identifier: MIT */
/* Source elements for the checks of conversions. */
#include "support/cvt_values.h"

#include <string.h>

/* The types with 65536 values are last. */
const pto_dtype cvt_sources[CVT_SOURCES] = {
    PTO_F32, PTO_F64, PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2, PTO_E2M1, PTO_UE8M0, PTO_S2F6, PTO_UE5M3,
    PTO_U8,  PTO_S8,  PTO_U32,  PTO_S32,  PTO_U64,  PTO_S64,  PTO_F16,  PTO_BF16,  PTO_U16,  PTO_S16};

/* ---- a growing list of values ---- */

struct list {
    uint64_t *codes;
    size_t count, capacity;
    size_t keep_one_in; /* put() adds one of this many values, chosen at random, and omits the others */
    struct rng rng;
};

static void put(struct list *list, uint64_t code) {
    if (list->keep_one_in > 1 && rng_below(&list->rng, list->keep_one_in) != 0) return;
    if (list->count == list->capacity) {
        uint64_t *const larger = harness_allocate(2 * list->capacity * sizeof *larger);
        memcpy(larger, list->codes, list->count * sizeof *larger);
        harness_free(list->codes);
        list->codes = larger;
        list->capacity *= 2;
    }
    list->codes[list->count++] = code;
}

static void list_open(struct list *list, pto_dtype type, const char *purpose) {
    list->count = 0;
    list->capacity = 4096;
    list->codes = harness_allocate(list->capacity * sizeof *list->codes);
    list->keep_one_in = 1;
    rng_start_for(&list->rng, purpose, type);
}

/** Returns the `keep_one_in` of a quick run, which takes four times fewer values under an emulator. */
static size_t quick_keep_one_in(size_t keep_one_in) {
    return harness_emulated() ? 4 * keep_one_in : keep_one_in;
}

/* ---- floats of 32 and 64 bits ---- */

/** Adds values whose upper bits are `high_bits` and whose mantissas have `width` bits. The mantissas are near 2^k and
 * near odd multiples of 2^k, for each k, because these are the midpoints of every coarser format. */
static void put_mantissas(struct list *list, uint64_t high_bits, int width) {
    const uint64_t all = ((uint64_t)1 << width) - 1;
    put(list, high_bits);
    put(list, high_bits | all);
    for (int k = 0; k < width; k++) {
        const uint64_t bit = (uint64_t)1 << k;
        const uint64_t tie = (rng_next(&list->rng) & all & ~(2 * bit - 1)) | bit;
        put(list, high_bits | bit);
        put(list, high_bits | ((bit + 1) & all));
        put(list, high_bits | ((all + 1 - bit) & all));
        put(list, high_bits | ((3 * bit) & all));
        put(list, high_bits | ((3 * bit + 1) & all));
        put(list, high_bits | ((3 * bit - 1) & all));
        put(list, high_bits | tie);
        put(list, high_bits | ((tie + 1) & all));
        put(list, high_bits | (tie - 1));
    }
}

/** Whether the binade that starts at 2^e is special: a float format has its smallest subnormal, its smallest normal or
 * its largest value near it, or it starts at 1 or near an integer limit. A quick run omits no values of these
 * binades. */
static bool is_border(int e) {
    static const int borders[] = {-150, -149, -134, -133, -128, -127, -126, -25, -24, -17, -16, -15,
                                  -14,  -10,  -9,   -7,   -6,   -1,   0,    2,   4,   7,   8,   14,
                                  15,   16,   30,   31,   32,   62,   63,   64,  126, 127, 128};
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++) {
        if (borders[i] == e) return true;
    }
    return false;
}

static void put_f32(struct list *list, bool quick) {
    for (uint64_t high = 0; high < 512; high++) {
        list->keep_one_in = quick && !is_border((int)(high & 255) - 127) ? quick_keep_one_in(24) : 1;
        put_mantissas(list, high << 23, 23);
        list->keep_one_in = 1;
        put(list, high << 23);
        put(list, high << 23 | 1);
        put(list, high << 23 | 0x7fffff);
    }
}

/** Whether `exponent`, the exponent field of an f64, is near the ends of f64's range, near the ends or among the
 * subnormals of a narrower format, or in the range of integers. */
static bool interesting(int exponent) {
    const int e = exponent - 1023;
    if (exponent < 2 || exponent > 2045) return true;
    return (e >= -152 && e <= -122) || (e >= -27 && e <= 66) || (e >= 124 && e <= 130);
}

static void put_f64(struct list *list, bool quick) {
    for (uint64_t high = 0; high < 4096; high++) {
        const bool closely = interesting((int)(high & 2047));
        list->keep_one_in = quick ? quick_keep_one_in(closely ? 24 : 500) : closely ? 2 : 100;
        if (is_border((int)(high & 2047) - 1023)) list->keep_one_in = 1;
        put_mantissas(list, high << 52, 52);
        list->keep_one_in = closely ? 1 : 7;
        put(list, high << 52);
        put(list, high << 52 | 1);
        put(list, high << 52 | 0xfffffffffffff);
    }
}

/* ---- integers of 32 and 64 bits ---- */

static void put_integers(struct list *list, int width, bool quick) {
    for (int k = 0; k < width; k++) {
        list->keep_one_in = quick ? quick_keep_one_in(6) : 1;
        for (int shorter = 0; shorter <= k; shorter++) {
            const size_t before = list->count;
            if (shorter == 0) put_mantissas(list, (uint64_t)1 << k, k < 3 ? k : 3);
            if (k - shorter > 2) { /* bit k, then zeros or ones, then a few other bits near bit `shorter` */
                const uint64_t ones = ((uint64_t)1 << k) - ((uint64_t)1 << (shorter + 1));
                put(list, (uint64_t)1 << k | (uint64_t)1 << shorter);
                put(list, ((uint64_t)1 << k | (uint64_t)1 << shorter) + 1);
                put(list, ((uint64_t)1 << k | (uint64_t)1 << shorter) - 1);
                put(list, (uint64_t)1 << k | ones);
                put(list, (uint64_t)1 << k | ones | (uint64_t)1 << shorter);
                put(list, (uint64_t)1 << k | (uint64_t)3 << shorter);
                put(list, ((uint64_t)1 << k | (uint64_t)3 << shorter) + 1);
                put(list, ((uint64_t)1 << k | (uint64_t)3 << shorter) - 1);
            }
            for (size_t i = before, end = list->count; i < end; i++) {
                put(list, ~list->codes[i] + 1);
            }
        }
        list->keep_one_in = 1;
        for (uint64_t near = 0; near < 5; near++) {
            put(list, ((uint64_t)1 << k) + near - 2);
            put(list, ~(((uint64_t)1 << k) + near - 2) + 1);
        }
    }
    for (uint64_t edge = 65500; edge < 65540; edge++) { /* integers around f16's largest value, 65504 */
        put(list, edge);
        put(list, ~edge + 1);
    }
}

/* ---- random values ---- */

static void put_random(struct list *list, pto_dtype type, size_t count) {
    const int width = model_code_bits(type);
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = rng_next(&list->rng);
        const size_t shift = rng_below(&list->rng, (size_t)width);
        switch (i % 4) {
        case 0: put(list, bits); break;
        case 1: put(list, bits >> (64 - width) >> shift); break;
        case 2: put(list, bits << shift); break;
        default: put(list, ~(bits >> (64 - width) >> shift)); break;
        }
        if (type == PTO_F64 && i % 4 == 2) { /* an exponent in the range of narrower formats */
            uint64_t *const last = &list->codes[list->count - 1];
            *last = (*last & 0x800fffffffffffff) | (1023 - 30 + (bits >> 52) % 96) << 52;
        }
    }
}

/* ---- memory ---- */

/** Stores the list in memory layout. Bits that are ignored are random. */
static void to_memory(struct cvt_values *values, pto_dtype type, struct list *list) {
    while (list->count % 4 != 0) {
        put(list, list->codes[list->count - 1]);
    }
    values->type = type;
    values->count = list->count;
    values->capacity = model_cvt_bytes(type, list->count);
    values->memory = harness_allocate(values->capacity);
    for (size_t i = 0; i < list->count; i++) {
        model_cvt_store(type, values->memory, i, list->codes[i]);
    }
    if (type == PTO_E2M3 || type == PTO_E3M2) {
        for (size_t i = 0; i < list->count; i++) {
            values->memory[i] |= (unsigned char)(rng_next(&list->rng) << 6);
        }
    }
    harness_free(list->codes);
}

static void put_all(struct list *list, pto_dtype type, bool quick) {
    const int width = model_code_bits(type);
    if (width <= 16) {
        for (uint64_t code = 0; code < (uint64_t)1 << width; code++) {
            const bool near_multiple = (code + 1) % 16 < 3; /* near multiples of 16, where exponents change */
            list->keep_one_in = quick && width == 16 && !near_multiple ? quick_keep_one_in(8) : 1;
            put(list, code);
        }
    } else if (type == PTO_F32 || type == PTO_TF32) {
        put_f32(list, quick);
    } else if (type == PTO_F64) {
        put_f64(list, quick);
    } else {
        put_integers(list, width, quick);
    }
    list->keep_one_in = 1;
    put_random(list, type, width <= 8 ? 256 : quick ? 1024 : 8192);
}

void cvt_values_open(struct cvt_values *values, pto_dtype type, bool quick) {
    struct list list;
    list_open(&list, type, "cvt values");
    put_all(&list, type, quick);
    for (size_t i = 0; i < list.count; i++) { /* clear bits above the type's width */
        if (model_code_bits(type) < 64) list.codes[i] &= ((uint64_t)1 << model_code_bits(type)) - 1;
    }
    to_memory(values, type, &list);
}

void cvt_values_some(struct cvt_values *values, pto_dtype type, size_t count) {
    struct cvt_values all;
    struct list list;
    cvt_values_open(&all, type, true);
    list_open(&list, type, "cvt some values");
    for (size_t i = 0; i < count; i++) {
        put(&list, model_cvt_load(type, all.memory, rng_below(&list.rng, all.count)));
    }
    cvt_values_close(&all);
    to_memory(values, type, &list);
}

void cvt_values_close(struct cvt_values *values) {
    harness_free(values->memory);
}

/* ---- random bits ---- */

/** Returns `word` changed so that the element at `place` in its group gets r as its random number. Tries each bit of
 * the word to find the ones that belong to this element; the other bits stay unchanged. */
static uint32_t word_with(const pto_cvt_op *op, size_t place, uint32_t r, uint32_t word) {
    for (unsigned bit = 0; bit < 32; bit++) {
        const uint32_t single = (uint32_t)1 << bit;
        uint32_t words[1] = {single};
        const uint32_t fed = model_cvt_extra(op, words, place);
        if (fed) word = (word & ~single) | ((r & fed) != 0 ? single : 0);
    }
    return word;
}

/** Returns the smallest random number with which `code` is rounded up. If there is none, returns 2^13 for f16 and
 * 2^16 for other types, which is one more than the largest random number. */
static uint32_t threshold(const pto_cvt_op *op, uint64_t code) {
    const uint32_t end = op->dst == PTO_F16 ? 1U << 13 : 1U << 16;
    const uint64_t down = model_cvt(op, code, 0);
    uint32_t low = 0, high = end;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (model_cvt(op, code, middle) != down)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void choose_words(struct rng *rng, const pto_cvt_op *op, const void *source, uint32_t *words,
                         size_t n) {
    const size_t group = model_cvt_group(op);
    for (size_t i = 0; i < n / group; i++) {
        const size_t place = rng_below(rng, group);
        uint32_t r;
        words[i] = (uint32_t)rng_next(rng);
        if (i % 16 == 0) words[i] = i % 32 ? 0 : UINT32_MAX;
        if (i % 4 != 1) continue;
        r = threshold(op, model_cvt_load(op->src, source, i * group + place));
        words[i] = word_with(op, place, r - (r > 0 && rng_below(rng, 2)), words[i]);
    }
}

/* ---- scales ---- */

/** Sets *low and *high to a range that is a little wider than the exponents of results of this type. */
static void range_of(pto_dtype dst, int *low, int *high) {
    *low = dst == PTO_BF16 ? -140 : -20;
    *high = dst == PTO_BF16 ? 132 : 20;
}

/** Returns a scale that brings a value with this exponent to a random exponent of the destination, or as near as
 * possible. */
static unsigned char scale_for(struct rng *rng, const pto_cvt_op *op, int exponent) {
    int low, high, wanted, code;
    range_of(op->dst, &low, &high);
    wanted = low + (int)rng_below(rng, (size_t)(high - low));
    code = 127 + (op->dst == PTO_BF16 ? wanted - exponent : exponent - wanted);
    return (unsigned char)(code < 0 ? 0 : code > 254 ? 254 : code);
}

static void choose_scales(struct rng *rng, const pto_cvt_op *op, const void *source, unsigned char *scales,
                          size_t n) {
    static const unsigned char ends[] = {0, 1, 126, 127, 128, 253, 254, 255};
    const size_t sharing = op->scale == PTO_SCALE_N1 ? 2 : 1;
    for (size_t i = 0; i < n; i += sharing) {
        const size_t place = n - i < sharing ? 0 : rng_below(rng, sharing);
        const int exponent = model_cvt_exponent(op->src, model_cvt_load(op->src, source, i + place));
        switch (rng_below(rng, 8)) {
        case 0: scales[i / sharing] = (unsigned char)rng_next(rng); break;
        case 1: scales[i / sharing] = ends[rng_below(rng, sizeof ends)]; break;
        default: scales[i / sharing] = scale_for(rng, op, exponent);
        }
    }
}

void cvt_values_choose_extra(struct rng *rng, const pto_cvt_op *op, const void *source, void *extra,
                             size_t n) {
    if (op->round == PTO_RS) choose_words(rng, op, source, extra, n);
    if (op->scale != PTO_SCALE_NONE) choose_scales(rng, op, source, extra, n);
}
