/* SPDX-License-Identifier: MIT */
/* Checks plans that run over rows: they write the same bytes as calls for each row, and overlapping rows are
 * refused. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/operands.h"

#include <string.h>

enum { BUFFER_SIZE = 65536, MOST_ROWS = 9, MOST_LANES = 150, ALL = PTO_SOURCES + PTO_RESULTS };

/** The calls that have plans. */
enum which { VCMP, VCMPS, VSEL, CVT, CVT_RS, CAST, CAST_RS, SETP, SET, SLCT, VCMPSEL, CALLS };

static const char *const names[CALLS] = {"vcmp",    "vcmps", "vsel", "cvt",  "cvt.rs", "cast",
                                         "cast.rs", "setp",  "set",  "slct", "vcmpsel"};

/** The layout of one operand. `bits` is the number of bits per lane, or 0 if the operand is absent. `scalar` means
 * one element. `no_in_place` means that no result may replace it in place. */
struct shape {
    size_t bits;
    bool scalar, no_in_place;
};

/** A call on a matrix of rows. Operands 0 to 3 are the sources, the others are the results. */
struct matrix {
    enum which which;
    pto_dtype type;
    pto_mask_kind seed, kind; /* mask kinds of the seed and the result */
    bool seeded;              /* whether the optional operand is present */
    pto_plan plan;
    struct shape shape[ALL];
    unsigned char *first[ALL]; /* the first row of each operand */
    ptrdiff_t step[ALL];
    size_t n, rows;
};

static const pto_cvt_op widen = {.dst = PTO_F32, .src = PTO_E2M1},
                        narrow = {PTO_F16, PTO_F32, PTO_RS, .ftz = false};

static const pto_cast_op to_hif8 = {PTO_HIF8, PTO_BF16, PTO_RNA, PTO_OVERFLOW_IEEE},
                         to_s2 = {PTO_S2, PTO_F16, PTO_RS, PTO_OVERFLOW_IEEE};

static pto_setp_op setp_of(const struct matrix *x) {
    const pto_setp_op op = {.type = x->type, .cmp = PTO_NE, .boolop = x->seeded ? PTO_XOR : PTO_BOOL_NONE};
    return op;
}

static pto_set_op set_of(const struct matrix *x) {
    const pto_set_op op = {PTO_U32, x->type, PTO_NE, x->seeded ? PTO_AND : PTO_BOOL_NONE, x->seeded, false};
    return op;
}

static struct shape array_of(size_t bits) {
    const struct shape shape = {bits, false, false};
    return shape;
}

/** Makes the plan of the call and fills in its operands. */
static pto_status make_plan(const struct subject *s, struct matrix *x) {
    const struct shape lanes = array_of(8 * model_size(x->type)), one = {lanes.bits, true, false};
    const struct shape seed = array_of(x->seeded ? model_lane_bits(x->seed) : 0);
    const struct shape mask = array_of(model_lane_bits(x->kind)), random = {16, false, true};
    struct shape *const in = x->shape, *const out = x->shape + PTO_SOURCES;

    for (size_t i = 0; i < ALL; i++) {
        x->shape[i] = i < 2 ? lanes : array_of(0);
    }
    switch (x->which) {
    case VCMP:
        in[2] = seed;
        out[0] = mask;
        return s->plan_vcmp(&x->plan, x->type, PTO_NE, x->seeded ? PTO_MERGE : 0, x->seed, x->kind);
    case VCMPS:
        in[1] = one;
        in[2] = seed;
        out[0] = mask;
        return s->plan_vcmps(&x->plan, x->type, PTO_EQ, 0, x->seed, x->kind);
    case VSEL:
        in[2] = array_of(model_lane_bits(x->seed));
        out[0] = lanes;
        return s->plan_vsel(&x->plan, x->type, x->seed);
    case CVT:
        in[0] = array_of(4);
        in[1] = array_of(0);
        out[0] = array_of(32);
        return s->plan_cvt(&x->plan, widen);
    case CVT_RS:
        in[0] = array_of(32);
        in[1] = array_of(0);
        in[2] = random;
        out[0] = array_of(16);
        return s->plan_cvt(&x->plan, narrow);
    case CAST:
        in[0] = array_of(16);
        in[1] = array_of(0);
        out[0] = array_of(8);
        return s->plan_cast(&x->plan, to_hif8);
    case CAST_RS:
        in[0] = array_of(16);
        in[1] = array_of(0);
        in[2] = (struct shape){32, false, true};
        out[0] = array_of(2);
        return s->plan_cast(&x->plan, to_s2);
    case SETP:
        in[2] = seed;
        out[0] = mask;
        out[1] = mask;
        return s->plan_setp(&x->plan, setp_of(x), x->seed, x->kind, x->kind);
    case SET:
        in[2] = seed;
        out[0] = array_of(32);
        return s->plan_set(&x->plan, set_of(x), x->seed);
    case SLCT:
        in[2] = array_of(32);
        out[0] = lanes;
        return s->plan_slct(&x->plan, x->type, PTO_F32, false);
    default:
        in[2] = one;
        in[3] = lanes;
        out[0] = lanes;
        return s->plan_vcmpsel(&x->plan, x->type, PTO_NE, 0, PTO_SCALAR_2);
    }
}

/** Makes the checked call for one row. */
static pto_status call_row(const struct subject *s, const struct matrix *x, unsigned char *const p[ALL]) {
    unsigned char *const q = p[PTO_SOURCES + 1], *const dst = p[PTO_SOURCES];
    const pto_mask seed = pto_mask_at(x->shape[2].bits ? p[2] : NULL, x->seed),
                   mask = pto_mask_at(dst, x->kind);
    switch (x->which) {
    case VCMP: return s->vcmp(x->type, PTO_NE, x->seeded ? PTO_MERGE : 0, p[0], p[1], seed, mask, x->n);
    case VCMPS: return s->vcmps(x->type, PTO_EQ, 0, p[0], p[1], seed, mask, x->n);
    case VSEL: return s->vsel(x->type, p[0], p[1], seed, dst, x->n);
    case CVT: return s->cvt(widen, p[0], dst, NULL, x->n);
    case CVT_RS: return s->cvt(narrow, p[0], dst, p[2], x->n);
    case CAST: return s->cast(to_hif8, p[0], dst, NULL, x->n);
    case CAST_RS: return s->cast(to_s2, p[0], dst, p[2], x->n);
    case SETP: return s->setp(setp_of(x), p[0], p[1], seed, mask, pto_mask_at(q, x->kind), x->n);
    case SET: return s->set(set_of(x), p[0], p[1], seed, dst, x->n);
    case SLCT: return s->slct(x->type, PTO_F32, false, p[0], p[1], p[2], dst, x->n);
    default:
        return s->vcmpsel(x->type, PTO_NE, 0, pto_in_array(p[0]), pto_in_array(p[1]), pto_in_scalar(p[2]),
                          pto_in_array(p[3]), dst, x->n);
    }
}

static size_t row_bytes(const struct matrix *x, size_t i) {
    return (x->shape[i].bits * (x->shape[i].scalar ? 1 : x->n) + 7) / 8;
}

/** Fills in the operands and strides for the library; absent operands are NULL. */
static void operands_of(const struct matrix *x, pto_operands *operands, pto_steps *steps) {
    for (size_t i = 0; i < ALL; i++) {
        unsigned char *const p = x->shape[i].bits ? x->first[i] : NULL;
        if (i < PTO_SOURCES) {
            operands->src[i] = p;
            steps->src[i] = x->step[i];
        } else {
            operands->dst[i - PTO_SOURCES] = p;
            steps->dst[i - PTO_SOURCES] = x->step[i];
        }
    }
}

/** Chooses a random call and random legal types and kinds for its operands. */
static void random_form(struct rng *rng, struct matrix *x) {
    static const pto_dtype slct_types[] = {PTO_B16, PTO_S32, PTO_F64};
    memset(x, 0, sizeof *x);
    x->which = (enum which)rng_below(rng, CALLS);
    x->type = model_types[rng_below(rng, MODEL_TYPES)];
    if (x->which == SETP || x->which == SET) {
        x->type = model_setp_types[rng_below(rng, MODEL_SETP_TYPES)];
        while (x->type == PTO_F16X2 || x->type == PTO_BF16X2 || x->type == PTO_F16 || x->type == PTO_BF16)
            x->type = model_setp_types[rng_below(rng, MODEL_SETP_TYPES)];
    }
    if (x->which == SLCT) x->type = slct_types[rng_below(rng, 3)];
    x->seed = mask_kind(x->type, rng_below(rng, MASK_KINDS));
    x->kind = mask_kind(x->type, rng_below(rng, MASK_KINDS));
    x->seeded = rng_below(rng, 2);
}

/* ---- bytes ---- */

struct fixture {
    struct guarded memory[ALL];
    unsigned char *expected[ALL];
    struct rng rng;
};

static size_t magnitude(ptrdiff_t step) {
    return (size_t)(step < 0 ? -step : step);
}

/** Places all rows of operand i at one end of its memory, in ascending or descending order. A source may have a
 * stride of 0. */
static unsigned char *lay_out(struct fixture *w, struct matrix *x, size_t i) {
    const size_t bytes = row_bytes(x, i), gap = rng_below(&w->rng, 3) * rng_below(&w->rng, 40);
    const bool back = rng_below(&w->rng, 2), stays = i < PTO_SOURCES && rng_below(&w->rng, 3) == 0;
    const size_t step = stays ? 0 : bytes + gap, others = (x->rows - 1) * step;
    unsigned char *lowest =
        guarded_place(&w->memory[i], others + bytes, rng_below(&w->rng, 2) ? AT_BEGIN : AT_END);
    x->step[i] = back ? -(ptrdiff_t)step : (ptrdiff_t)step;
    x->first[i] = back ? lowest + others : lowest;
    return lowest;
}

/** Computes the expected results with one call per row, on copies of the results. Bytes outside the rows must not
 * change. */
static void expect_rows(const struct subject *s, struct report *r, struct fixture *w,
                        const struct matrix *x) {
    for (size_t i = PTO_SOURCES; i < ALL; i++) {
        memcpy(w->expected[i], w->memory[i].data, BUFFER_SIZE);
    }
    for (size_t row = 0; row < x->rows; row++) {
        unsigned char *p[ALL];
        for (size_t i = 0; i < ALL; i++) {
            p[i] = x->first[i] + (ptrdiff_t)row * x->step[i];
            if (i >= PTO_SOURCES) p[i] = w->expected[i] + (p[i] - w->memory[i].data);
        }
        if (call_row(s, x, p) != PTO_OK) report_mismatch(r, "no row to compare with");
    }
}

static void run_matrix(const struct subject *s, struct report *r, struct fixture *w, struct matrix *x) {
    pto_operands operands;
    pto_steps steps;

    r->now.call = names[x->which];
    r->now.type = (int)x->type;
    r->now.kinds[0] = (int)x->seed;
    r->now.kinds[1] = (int)x->kind;
    r->now.n = x->n;
    r->cases++;
    if (make_plan(s, x) != PTO_OK) report_mismatch(r, "no plan");
    for (size_t i = 0; i < ALL; i++) {
        lay_out(w, x, i);
        rng_fill(&w->rng, w->memory[i].data, i < PTO_SOURCES ? w->memory[i].size : BUFFER_SIZE);
    }
    expect_rows(s, r, w, x);
    operands_of(x, &operands, &steps);
    if (s->rows_check(&x->plan, &operands, &steps, x->n, x->rows) != PTO_OK)
        report_mismatch(r, "it is refused");
    s->run_rows(&x->plan, &operands, &steps, x->n, x->rows);
    for (size_t i = PTO_SOURCES; i < ALL; i++) {
        report_image(r, w->expected[i], w->memory[i].data, BUFFER_SIZE);
    }
}

void check_run_rows(const struct subject *s, struct report *r) {
    struct fixture w;
    memset(&w, 0, sizeof w);
    rng_start(&w.rng, "run rows");
    for (size_t i = 0; i < ALL; i++) {
        guarded_open(&w.memory[i], BUFFER_SIZE);
        w.expected[i] = harness_allocate(BUFFER_SIZE);
    }
    report_call(r, "rows", NULL);
    for (size_t i = 0; i < (r->quick ? 500U : 4000U) && !report_stop(r); i++) {
        struct matrix x;
        random_form(&w.rng, &x);
        x.rows = 1 + rng_below(&w.rng, MOST_ROWS);
        x.n = 2 * rng_below(&w.rng, MOST_LANES / 2); /* a multiple of the group of .rs */
        run_matrix(s, r, &w, &x);
    }
    for (size_t i = 0; i < ALL; i++) {
        guarded_close(&w.memory[i]);
        harness_free(w.expected[i]);
    }
}

/* ---- which overlaps of rows are allowed ---- */

enum { HOME = 1536 };

static bool meet(const unsigned char *a, size_t a_bytes, const unsigned char *b, size_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

/** Whether the ranges from the lowest to the highest byte of all rows of operands d and i overlap. */
static bool spans_meet(const struct matrix *x, size_t d, size_t i) {
    const size_t others_d = (x->rows - 1) * magnitude(x->step[d]),
                 others_i = (x->rows - 1) * magnitude(x->step[i]);
    const unsigned char *low_d = x->step[d] < 0 ? x->first[d] - others_d : x->first[d];
    const unsigned char *low_i = x->step[i] < 0 ? x->first[i] - others_i : x->first[i];
    return meet(low_d, others_d + row_bytes(x, d), low_i, others_i + row_bytes(x, i));
}

/** Whether plan.h allows the overlap of result d with operand i. Compares every row of d with every row of i. */
static bool overlap_is_allowed(const struct matrix *x, size_t d, size_t i) {
    for (size_t row = 0; row < x->rows; row++) {
        for (size_t other = 0; other < x->rows; other++) {
            const unsigned char *a = x->first[d] + (ptrdiff_t)row * x->step[d];
            const unsigned char *b = x->first[i] + (ptrdiff_t)other * x->step[i];
            const bool in_place = a == b && x->shape[d].bits == x->shape[i].bits && i < PTO_SOURCES;
            if (row == other && (i == d || (in_place && !x->shape[i].no_in_place))) continue;
            if (meet(a, row_bytes(x, d), b, row_bytes(x, i))) return false;
        }
    }
    return true;
}

static pto_status expected_status(const struct matrix *x) {
    for (size_t d = PTO_SOURCES; d < ALL; d++) {
        for (size_t i = 0; i <= d; i++) {
            if (!x->shape[d].bits || !x->shape[i].bits) continue;
            if (!overlap_is_allowed(x, d, i)) return PTO_ERR_OVERLAP;
            if (x->rows > 1 && x->step[d] != x->step[i] && spans_meet(x, d, i)) return PTO_ERR_OVERLAP;
        }
    }
    return PTO_OK;
}

/** Places operands near each other or farther away, often with equal strides and often at the same address. */
static void place_near(struct rng *rng, struct matrix *x, unsigned char *home) {
    const ptrdiff_t common = (ptrdiff_t)rng_below(rng, 61) - 30;
    for (size_t i = 0; i < ALL; i++) {
        const size_t kind = rng_below(rng, 6);
        x->step[i] = kind < 4 ? common : kind == 4 ? (ptrdiff_t)rng_below(rng, 61) - 30 : 0;
        x->first[i] = home + rng_below(rng, rng_below(rng, 2) ? 64 : 1024) - 32;
        if (rng_below(rng, 4) == 0) x->first[i] = x->first[rng_below(rng, i + 1)];
        if (x->first[i] == NULL) x->first[i] = home;
    }
}

void check_rows_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    size_t allowed = 0;
    struct rng rng;
    rng_start(&rng, "rows overlaps");
    arena_fill(&arena, "rows overlaps");
    for (size_t i = 0; i < 60000 && !report_stop(r); i++) {
        pto_operands operands;
        pto_steps steps;
        struct matrix x;
        pto_status want;
        random_form(&rng, &x);
        x.rows = 1 + rng_below(&rng, 7);
        x.n = 2 + 2 * rng_below(&rng, 5);
        report_call(r, names[x.which], NULL);
        r->now.type = (int)x.type;
        r->now.n = x.n;
        if (make_plan(s, &x) != PTO_OK) report_mismatch(r, "no plan");
        place_near(&rng, &x, arena.bytes + HOME);
        operands_of(&x, &operands, &steps);
        want = expected_status(&x);
        allowed += want == PTO_OK;
        arena_expect(r, &arena, s->rows_check(&x.plan, &operands, &steps, x.n, x.rows), want,
                     "rows near each other");
    }
    if (allowed < 6000 && !report_stop(r)) report_mismatch(r, "hardly any rows are allowed: %zu", allowed);
}

/* ---- statuses ---- */

void check_rows_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    const size_t most = SIZE_MAX / 16;
    unsigned char *const p = arena.bytes;
    const pto_operands good = {{p, p + 512, NULL, NULL}, {p + 1024, NULL}}, nothing = {{NULL}, {NULL}};
    const pto_steps steps = {{64, 64, 0, 0}, {64, 0}}, apart = {{PTRDIFF_MIN, 0, 0, 0}, {1, 0}};
    pto_operands wrong;
    pto_plan vcmp, cvt;

    report_call(r, "rows_check", NULL);
    arena_fill(&arena, "rows status");
    if (s->plan_vcmp(&vcmp, PTO_F32, PTO_LT, 0, PTO_MASK_PACKED, PTO_MASK_BYTE) != PTO_OK ||
        s->plan_cvt(&cvt, narrow) != PTO_OK)
        report_mismatch(r, "no plan");
    arena_expect(r, &arena, s->rows_check(NULL, &good, &steps, 9, 3), PTO_ERR_NULL, "plan NULL");
    arena_expect(r, &arena, s->rows_check(&vcmp, NULL, &steps, 0, 3), PTO_ERR_NULL, "operands NULL");
    arena_expect(r, &arena, s->rows_check(&vcmp, &good, NULL, 9, 0), PTO_ERR_NULL, "steps NULL");
    arena_expect(r, &arena, s->rows_check(&vcmp, &good, &steps, 9, 3), PTO_OK, "good");
    arena_expect(r, &arena, s->rows_check(&vcmp, &nothing, &steps, 0, 3), PTO_OK, "all NULL, n == 0");
    arena_expect(r, &arena, s->rows_check(&vcmp, &nothing, &steps, 9, 0), PTO_OK, "all NULL, no rows");
    for (size_t i = 0; i < 3; i++) {
        wrong = good;
        if (i < 2)
            wrong.src[i] = NULL;
        else
            wrong.dst[0] = NULL;
        wrong.src[3] = p;
        arena_expect(r, &arena, s->rows_check(&vcmp, &wrong, &steps, 9, 3), PTO_ERR_NULL, "an operand NULL");
    }
    wrong = good;
    wrong.src[2] = p + 3072;
    arena_expect(r, &arena, s->rows_check(&vcmp, &wrong, &steps, 9, 3), PTO_OK, "a seed");
    wrong.dst[1] = p + 2048;
    arena_expect(r, &arena, s->rows_check(&vcmp, &wrong, &steps, most + 1, 3), PTO_ERR_MODIFIER,
                 "a second result, before the size");
    arena_expect(r, &arena, s->rows_check(&vcmp, &wrong, &steps, 0, 3), PTO_ERR_MODIFIER, "the same, n == 0");
    arena_expect(r, &arena, s->rows_check(&vcmp, &good, &steps, most + 1, 0), PTO_ERR_SIZE, "n too large");
    arena_expect(r, &arena, s->rows_check(&vcmp, &good, &steps, 9, SIZE_MAX), PTO_ERR_SIZE,
                 "rows too far apart");
    arena_expect(r, &arena, s->rows_check(&vcmp, &good, &apart, 9, 2), PTO_ERR_SIZE, "the farthest step");
    arena_expect(r, &arena, s->rows_check(&vcmp, &good, &steps, most, 2), PTO_ERR_OVERLAP, "the largest n");
    wrong = good;
    wrong.src[1] = NULL;
    wrong.src[2] = p + 2048;
    arena_expect(r, &arena, s->rows_check(&cvt, &wrong, &steps, 10, 3), PTO_OK, "random bits");
    arena_expect(r, &arena, s->rows_check(&cvt, &wrong, &steps, 9, 3), PTO_ERR_SIZE,
                 "no multiple of the group");
}
