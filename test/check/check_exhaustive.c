/* SPDX-License-Identifier: MIT */
/* Compares every pair of 8-bit operands, and every pair of f16 and bf16 operands. */
#include "check/checks.h"
#include "support/values.h"

#include <stdlib.h>
#include <string.h>

/* ---- 8 bits: all 65536 pairs at once ---- */

enum { BYTES = 256, PAIRS = BYTES * BYTES };

struct byte_fixture {
    unsigned char a[PAIRS], b[PAIRS], truth[PAIRS], expected[PAIRS], got[PAIRS];
};

static void byte_form(const struct subject *s, struct report *r, struct byte_fixture *w, pto_dtype type,
                      pto_cmp op) {
    static const pto_mask_kind kinds[] = {PTO_MASK_PACKED, PTO_MASK_B8, PTO_MASK_BYTE};

    r->now.type = (int)type;
    r->now.op = (int)op;
    for (size_t i = 0; i < PAIRS; i++) {
        w->truth[i] = model_compare(type, op, false, &w->a[i], &w->b[i]);
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t row = model_mask_bytes(kinds[k], BYTES);
        model_mask_put(kinds[k], w->expected, w->truth, PAIRS);
        r->now.kinds[1] = (int)kinds[k];
        r->now.call = "vcmp";
        r->now.n = PAIRS;
        report_result(r, model_lane_bits(kinds[k]));
        report_source(r, pto_in_array(w->a), 8);
        report_source(r, pto_in_array(w->b), 8);
        r->cases += 2 * (size_t)PAIRS;
        memset(w->got, 0x5a, PAIRS);
        report_status(r, s->vcmp(type, op, 0, w->a, w->b, PTO_NO_MASK, pto_mask_at(w->got, kinds[k]), PAIRS),
                      PTO_OK);
        report_image(r, w->expected, w->got, model_mask_bytes(kinds[k], PAIRS));
        r->now.call = "vcmps"; /* the first 256 elements of b are all values, so they are the array operand */
        r->now.n = BYTES;
        for (size_t i = 0; i < BYTES; i++) {
            unsigned char scalar = (unsigned char)i;
            report_result(r, model_lane_bits(kinds[k]));
            report_source(r, pto_in_array(w->b), 8);
            report_source(r, pto_in_scalar(&scalar), 8);
            for (size_t x = 0; x < BYTES; x++) {
                w->truth[x] = model_compare(type, op, false, &w->b[x], &scalar);
            }
            model_mask_put(kinds[k], w->expected, w->truth, BYTES);
            s->vcmps(type, op, 0, w->b, &scalar, PTO_NO_MASK, pto_mask_at(w->got, kinds[k]), BYTES);
            report_image(r, w->expected, w->got, row);
        }
        for (size_t i = 0; i < BYTES; i++) { /* the loop for vcmps has overwritten the first row */
            w->truth[i] = model_compare(type, op, false, &w->a[i], &w->b[i]);
        }
    }
}

void check_all_bytes(const struct subject *s, struct report *r) {
    struct byte_fixture *w = harness_allocate(sizeof *w);

    report_call(r, "vcmp", "all pairs of 8-bit operands");
    for (size_t i = 0; i < PAIRS; i++) {
        w->a[i] = (unsigned char)(i / BYTES);
        w->b[i] = (unsigned char)(i % BYTES);
    }
    for (size_t t = 0; t < MODEL_TYPES; t++) {
        const pto_dtype type = model_types[t];
        if (model_size(type) != 1) continue;
        for (int op = 0; op < MODEL_OPS && !report_stop(r); op++) {
            if (model_has_op(type, (pto_cmp)op)) byte_form(s, r, w, type, (pto_cmp)op);
        }
    }
    harness_free(w);
}

/* ---- 16 bits: all 65536 right-hand operands for each left-hand operand ---- */

enum { HALVES = 65536, ROW_BYTES = HALVES / 8 };

/** A 16-bit pattern and its value, for sorting. */
struct half {
    double real;
    bool nan;
    uint16_t bits;
};

/** Left-hand operands are taken in ascending order. So from one to the next, only the bits of one class of equal
 * values change: from `greater` to `equal`, and later from `equal` to `less`. */
struct half_fixture {
    uint16_t all[HALVES]; /* every pattern, in natural order */
    uint16_t repeated[HALVES];
    struct half sorted[HALVES]; /* NaNs last */
    unsigned char less[ROW_BYTES], equal[ROW_BYTES], greater[ROW_BYTES], unequal[ROW_BYTES], got[ROW_BYTES];
    unsigned char got_q[ROW_BYTES], expected[ROW_BYTES], expected_q[ROW_BYTES]; /* for setp */
    unsigned char special[HALVES]; /* rows that a sample always includes */
    size_t begin, end;             /* the range in `sorted` of the class that is on the left */
};

static int ascending(const void *left, const void *right) {
    const struct half *a = left, *b = right;
    if (a->nan != b->nan) return a->nan ? 1 : -1;
    if (!a->nan && a->real != b->real) return a->real < b->real ? -1 : 1;
    return a->bits < b->bits ? -1 : a->bits > b->bits;
}

static void set_bit(unsigned char *row, size_t bit, bool on) {
    const unsigned mask = 1U << bit % 8;
    row[bit / 8] = (unsigned char)(on ? row[bit / 8] | mask : row[bit / 8] & ~mask);
}

static void half_open(struct half_fixture *w, pto_dtype type, bool ftz) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(type, specials);

    memset(w, 0, sizeof *w);
    for (size_t i = 0; i < count; i++) {
        w->special[specials[i]] = 1;
    }
    for (size_t i = 0; i < HALVES; i++) {
        struct model_value value;
        w->all[i] = (uint16_t)i;
        value = model_decode(type, ftz, &w->all[i]);
        w->sorted[i].bits = (uint16_t)i;
        w->sorted[i].real = value.real;
        w->sorted[i].nan = value.nan;
        set_bit(w->unequal, i, !value.nan);
        set_bit(w->greater, i, !value.nan); /* before the first class, all non-NaN values are greater */
    }
    qsort(w->sorted, HALVES, sizeof w->sorted[0], ascending);
}

/** Sets the bits of one class of equal values, sorted[begin] to sorted[end - 1]. */
static void half_move(struct half_fixture *w, size_t begin, size_t end, bool less, bool equal) {
    for (size_t i = begin; i < end; i++) {
        const size_t bit = w->sorted[i].bits;
        set_bit(w->less, bit, less);
        set_bit(w->equal, bit, equal);
        set_bit(w->greater, bit, false);
        set_bit(w->unequal, bit, !equal);
    }
}

/** Makes the next class of `sorted`, from index w->end on, the left-hand operand. */
static void half_advance(struct half_fixture *w) {
    const struct half *first = &w->sorted[w->end];
    half_move(w, w->begin, w->end, true, false);
    w->begin = w->end;
    if (first->nan) { /* nothing is less than, equal to, greater than or ordered with a NaN */
        memset(w->less, 0, ROW_BYTES);
        memset(w->unequal, 0, ROW_BYTES);
        w->end = HALVES;
        return;
    }
    while (w->end < HALVES && !w->sorted[w->end].nan && w->sorted[w->end].real == first->real) {
        w->end++;
    }
    half_move(w, w->begin, w->end, false, true);
}

static void half_compare(struct report *r, struct half_fixture *w, pto_status status, const char *call,
                         pto_cmp op, unsigned left, const unsigned char *expected) {
    r->cases += HALVES;
    if (status == PTO_OK && memcmp(expected, w->got, ROW_BYTES) == 0) return;
    r->now.call = call;
    r->now.op = (int)op;
    report_status(r, status, PTO_OK);
    for (size_t i = 0; i < HALVES; i++) {
        if (model_mask_get(PTO_MASK_PACKED, expected, i) == model_mask_get(PTO_MASK_PACKED, w->got, i))
            continue;
        report_mismatch(r, "operands %04x in the row, %04zx in the lane: expected %d", left, i,
                        model_mask_get(PTO_MASK_PACKED, expected, i));
        return;
    }
}

/** Compares one value with all 65536. It is the left operand of vcmp, then the scalar, on the right, of vcmps. */
static void half_row(const struct subject *s, struct report *r, struct half_fixture *w, pto_dtype type,
                     unsigned flags, uint16_t bits) {
    static const pto_cmp ops[] = {PTO_LT, PTO_EQ, PTO_NE};
    const unsigned char *const left[] = {w->greater, w->equal, w->unequal};
    const unsigned char *const right[] = {w->less, w->equal, w->unequal};
    const pto_mask got = pto_packed(w->got);

    for (size_t i = 0; i < HALVES; i++) {
        w->repeated[i] = bits;
    }
    for (int k = 0; k < 3; k++) {
        pto_status status = s->vcmp(type, ops[k], flags, w->repeated, w->all, PTO_NO_MASK, got, HALVES);
        half_compare(r, w, status, "vcmp", ops[k], bits, left[k]);
        status = s->vcmps(type, ops[k], flags, w->all, &bits, PTO_NO_MASK, got, HALVES);
        half_compare(r, w, status, "vcmps", ops[k], bits, right[k]);
    }
}

/* ---- setp: all 14 operators, p and q, and the pairs ---- */

static void setp_compare(struct report *r, struct half_fixture *w, pto_status status, const char *call,
                         pto_cmp op, unsigned left, size_t n) {
    const size_t bytes = n / 8;
    r->cases += HALVES;
    if (status == PTO_OK && memcmp(w->expected, w->got, bytes) == 0 &&
        memcmp(w->expected_q, w->got_q, bytes) == 0)
        return;
    r->now.call = call;
    r->now.op = (int)op;
    report_status(r, status, PTO_OK);
    for (size_t i = 0; i < n; i++) {
        const bool p = model_mask_get(PTO_MASK_PACKED, w->expected, i);
        const bool q = model_mask_get(PTO_MASK_PACKED, w->expected_q, i);
        if (p == model_mask_get(PTO_MASK_PACKED, w->got, i) &&
            q == model_mask_get(PTO_MASK_PACKED, w->got_q, i))
            continue;
        report_mismatch(r, "operands %04x in the row, %04zx in the lane: expected p %d, q %d", left, i, p, q);
        return;
    }
}

static uint64_t load_word(const unsigned char *row, size_t word) {
    uint64_t bits;
    memcpy(&bits, row + 8 * word, sizeof bits);
    return bits;
}

static void store_word(unsigned char *row, size_t word, uint64_t bits) {
    memcpy(row + 8 * word, &bits, sizeof bits);
}

/** Returns bits 0, 2, 4, ... of a word packed together. */
static uint64_t even_bits(uint64_t x) {
    x &= 0x5555555555555555U;
    x = (x | x >> 1) & 0x3333333333333333U;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0fU;
    x = (x | x >> 4) & 0x00ff00ff00ff00ffU;
    x = (x | x >> 8) & 0x0000ffff0000ffffU;
    return (x | x >> 16) & 0xffffffffU;
}

/** Computes the expected p, the operator's result, and q, its complement. */
static void expect_lanes(struct half_fixture *w, pto_cmp op) {
    bool truth_row[4];
    model_truth_row(op, truth_row);
    for (size_t i = 0; i < ROW_BYTES / 8; i++) {
        const uint64_t l = load_word(w->greater, i), e = load_word(w->equal, i), g = load_word(w->less, i);
        const uint64_t t = (truth_row[MODEL_LESS] ? l : 0) | (truth_row[MODEL_EQUAL] ? e : 0) |
                           (truth_row[MODEL_GREATER] ? g : 0) |
                           (truth_row[MODEL_UNORDERED] ? ~(l | e | g) : 0);
        store_word(w->expected, i, t);
        store_word(w->expected_q, i, ~t);
    }
}

/** Computes the expected masks of packed pairs from those of single lanes: p for the low halves, q for the high
 * ones. */
static void expect_pairs(struct half_fixture *w) {
    for (size_t i = 0; i < ROW_BYTES / 16; i++) {
        const uint64_t first = load_word(w->expected, 2 * i), second = load_word(w->expected, 2 * i + 1);
        store_word(w->expected, i, even_bits(first) | even_bits(second) << 32);
        store_word(w->expected_q, i, even_bits(first >> 1) | even_bits(second >> 1) << 32);
    }
}

static void half_row_setp(const struct subject *s, struct report *r, struct half_fixture *w, pto_dtype type,
                          unsigned flags, uint16_t bits) {
    const pto_mask p = pto_packed(w->got), q = pto_packed(w->got_q);

    for (size_t i = 0; i < HALVES; i++) {
        w->repeated[i] = bits;
    }
    for (int i = 0; i < MODEL_OPS; i++) {
        pto_setp_op op = {type, (pto_cmp)i, PTO_BOOL_NONE, false, flags != 0};
        pto_status status;
        if (!model_has_op(type, op.cmp)) continue;
        expect_lanes(w, op.cmp);
        status = s->setp(op, w->repeated, w->all, PTO_NO_MASK, p, q, HALVES);
        setp_compare(r, w, status, "setp", op.cmp, bits, HALVES);
        expect_pairs(w);
        op.type = type == PTO_F16 ? PTO_F16X2 : PTO_BF16X2;
        status = s->setp(op, w->repeated, w->all, PTO_NO_MASK, p, q, HALVES / 2);
        setp_compare(r, w, status, "setp of pairs", op.cmp, bits, HALVES / 2);
    }
}

typedef void row_checker(const struct subject *s, struct report *r, struct half_fixture *w, pto_dtype type,
                         unsigned flags, uint16_t bits);

static void sweep_halves(const struct subject *s, struct report *r, const char *call, pto_dtype type,
                         row_checker *check_row) {
    struct half_fixture *w = harness_allocate(sizeof *w);

    report_call(r, call, "all pairs of 16-bit operands");
    r->now.type = (int)type;
    r->now.n = HALVES;
    for (unsigned flags = 0; flags <= (model_has_ftz(type) ? PTO_FTZ : 0U); flags += PTO_FTZ) {
        half_open(w, type, flags != 0);
        r->now.flags = (int)flags;
        for (size_t i = 0; i < HALVES && !report_stop(r); i++) {
            const uint16_t bits = w->sorted[i].bits;
            if (i == w->end) half_advance(w);
            if (i % r->sweep.step == 0 || w->special[bits]) check_row(s, r, w, type, flags, bits);
        }
    }
    harness_free(w);
}

void check_all_f16(const struct subject *s, struct report *r) {
    sweep_halves(s, r, "vcmp", PTO_F16, half_row);
}

void check_all_bf16(const struct subject *s, struct report *r) {
    sweep_halves(s, r, "vcmp", PTO_BF16, half_row);
}

void check_all_f16_setp(const struct subject *s, struct report *r) {
    sweep_halves(s, r, "setp", PTO_F16, half_row_setp);
}

void check_all_bf16_setp(const struct subject *s, struct report *r) {
    sweep_halves(s, r, "setp", PTO_BF16, half_row_setp);
}
