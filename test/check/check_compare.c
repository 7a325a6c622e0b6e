/* SPDX-License-Identifier: MIT */
/* Checks vcmp and vcmps: values, lengths, offsets, and results in place. */
#include "check/checks.h"
#include "support/operands.h"

#include <string.h>

enum { NO_SEED = -1, OFFSETS = 64, EXTRA_TRUTH = 1024, MAX_SCALARS = VALUES_MAX_SPECIALS + 16 };

/** The operands of one type and the model's relations between them, computed once for many calls. */
struct fixture {
    struct operands in;
    struct guarded scalar, seed, dst, moved_a, moved_b;
    unsigned char *scratch;    /* the relation of each lane to a scalar */
    unsigned char *seed_truth; /* in.count + EXTRA_TRUTH lanes */
    unsigned char *truth, *expected, *seed_before;
    uint64_t scalars[MAX_SCALARS];
    size_t scalar_count;
    struct rng rng; /* also picks the parameters that are not enumerated */
};

/** One call of vcmp, or of vcmps if `scalar` is not negative. */
struct compare_call {
    pto_cmp op;
    unsigned flags;
    int seed_kind; /* or NO_SEED */
    pto_mask_kind dst_kind;
    int scalar;   /* index into fixture.scalars, or -1 */
    bool swapped; /* vcmps compares b instead of a */
    size_t n;
    size_t first; /* lane 0 of the call is this lane of the fixture */
    const unsigned char *src0, *src1;
    unsigned char *seed, *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

static void fixture_scalars(struct fixture *w) {
    w->scalar_count = values_special(w->in.type, w->scalars);
    for (; w->scalar_count < VALUES_MAX_SPECIALS; w->scalar_count++) { /* fill up with values of some lanes */
        w->scalars[w->scalar_count] = value_load(w->in.type, w->in.a.data, rng_below(&w->rng, w->in.count));
    }
}

/** Fills a and b with random and special values. If `cross` is true, they begin with all pairs of special values. */
static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type, bool cross) {
    memset(w, 0, sizeof *w);
    rng_start_for(&w->rng, purpose, type);
    operands_open(&w->in, &w->rng, type, cross);
    operands_relate(&w->in);
    guarded_open(&w->scalar, 1);
    guarded_open(&w->seed, w->in.count);
    guarded_open(&w->dst, w->in.count);
    guarded_open(&w->moved_a, (HARNESS_LONGEST + OFFSETS) * w->in.size);
    guarded_open(&w->moved_b, (HARNESS_LONGEST + OFFSETS) * w->in.size);
    w->scratch = harness_allocate(w->in.count);
    w->truth = harness_allocate(w->in.count);
    w->expected = harness_allocate(w->in.count);
    w->seed_before = harness_allocate(w->in.count);
    w->seed_truth = harness_allocate(w->in.count + EXTRA_TRUTH);
    check_fill_truth(&w->rng, w->seed_truth, w->in.count + EXTRA_TRUTH);
    fixture_scalars(w);
}

static void fixture_close(struct fixture *w) {
    struct guarded *const memory[] = {&w->scalar, &w->seed, &w->dst, &w->moved_a, &w->moved_b};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        guarded_close(memory[i]);
    }
    operands_close(&w->in);
    harness_free(w->scratch);
    harness_free(w->truth);
    harness_free(w->expected);
    harness_free(w->seed_before);
    harness_free(w->seed_truth);
}

static const unsigned char *relations_of(const struct fixture *w, const struct compare_call *c) {
    const int ftz = (c->flags & PTO_FTZ) != 0;
    struct model_value *const *values = c->swapped ? w->in.value_b : w->in.value_a;
    unsigned char element[sizeof(uint64_t)];
    struct model_value scalar;

    if (c->scalar < 0) return w->in.relation[ftz] + c->first;
    value_store(w->in.type, element, 0, w->scalars[c->scalar]);
    scalar = model_decode(w->in.type, ftz, element);
    model_relations(w->in.type, values[ftz] + c->first, &scalar, true, w->scratch, c->n);
    return w->scratch;
}

/** Computes the bytes that dst must hold. It reads the seed and the old contents of dst, so it runs before the call. */
static void expect(const struct fixture *w, const struct compare_call *c) {
    const unsigned char *relation = relations_of(w, c);
    const bool merge = (c->flags & PTO_MERGE) != 0;
    bool truth_row[4];

    model_truth_row(c->op, truth_row);
    for (size_t i = 0; i < c->n; i++) {
        const bool seed = !c->seed || model_mask_get((pto_mask_kind)c->seed_kind, c->seed, i);
        const bool old = merge && model_mask_get(c->dst_kind, c->dst, i);
        w->truth[i] = model_vcmp_lane(truth_row[relation[i]], seed, merge, old);
    }
    model_mask_put(c->dst_kind, w->expected, w->truth, c->n);
}

static void describe_call(struct report *r, const struct fixture *w, const struct compare_call *c) {
    const size_t bits = 8 * w->in.size;
    r->now.call = c->scalar < 0 ? "vcmp" : "vcmps";
    r->now.type = (int)w->in.type;
    r->now.op = (int)c->op;
    r->now.flags = (int)c->flags;
    r->now.kinds[0] = c->seed_kind;
    r->now.kinds[1] = (int)c->dst_kind;
    r->now.n = c->n;
    report_result(r, model_lane_bits(c->dst_kind));
    report_source(r, pto_in_array((c->swapped ? w->in.b.data : w->in.a.data) + c->first * w->in.size), bits);
    report_source(r,
                  c->scalar < 0 ? pto_in_array(w->in.b.data + c->first * w->in.size)
                                : pto_in_scalar(&w->scalars[c->scalar]),
                  bits);
}

/** Makes one call and compares its result with the model's. Also checks that the bytes around dst and the seed are
 * unchanged. */
static void compare(const struct subject *s, struct report *r, struct fixture *w,
                    const struct compare_call *c) {
    const size_t dst_bytes = model_mask_bytes(c->dst_kind, c->n);
    const bool own_seed = c->seed && c->seed != c->dst;
    const size_t seed_bytes = own_seed ? model_mask_bytes((pto_mask_kind)c->seed_kind, c->n) : 0;
    const pto_mask seed = c->seed ? pto_mask_at(c->seed, (pto_mask_kind)c->seed_kind) : PTO_NO_MASK;
    vcmp_call *call = c->scalar < 0 ? s->vcmp : s->vcmps;
    pto_status status;

    describe_call(r, w, c);
    r->cases++;
    expect(w, c);
    if (own_seed) memcpy(w->seed_before, c->seed, seed_bytes);
    status =
        call(w->in.type, c->op, c->flags, c->src0, c->src1, seed, pto_mask_at(c->dst, c->dst_kind), c->n);
    if (!report_status(r, status, PTO_OK)) return;
    report_image(r, w->expected, c->dst, dst_bytes);
    if (!margins_intact(c->home, c->dst, dst_bytes)) report_mismatch(r, "bytes outside dst were written");
    if (own_seed && memcmp(w->seed_before, c->seed, seed_bytes) != 0)
        report_mismatch(r, "the seed was written");
}

static enum place random_side(struct fixture *w) {
    return rng_below(&w->rng, 2) ? AT_BEGIN : AT_END;
}

static int choose_scalar(struct fixture *w) {
    return (int)rng_below(&w->rng, w->scalar_count);
}

static unsigned char *place_scalar(struct fixture *w, int scalar, enum place place) {
    unsigned char *buffer = guarded_place(&w->scalar, w->in.size, place);
    value_store(w->in.type, buffer, 0, w->scalars[scalar]);
    return buffer;
}

static unsigned char *place_seed(struct fixture *w, int kind, size_t n, enum place place) {
    unsigned char *buffer;
    if (kind == NO_SEED) return NULL;
    buffer = guarded_place(&w->seed, model_mask_bytes((pto_mask_kind)kind, n), place);
    check_fill_mask(&w->rng, (pto_mask_kind)kind, buffer, w->seed_truth + rng_below(&w->rng, EXTRA_TRUTH), n);
    return buffer;
}

/** Places all operands right after a guard page or right before one. */
static void compare_placed(const struct subject *s, struct report *r, struct fixture *w,
                           struct compare_call *c, enum place place, bool with_scalar) {
    const size_t dst_bytes = model_mask_bytes(c->dst_kind, c->n);

    c->first = operands_first(&w->in, c->n, place);
    c->src0 = w->in.a.data + c->first * w->in.size;
    c->src1 = w->in.b.data + c->first * w->in.size;
    c->scalar = with_scalar ? choose_scalar(w) : -1;
    if (with_scalar) c->src1 = place_scalar(w, c->scalar, place);
    c->seed = place_seed(w, c->seed_kind, c->n, place);
    c->home = &w->dst;
    c->dst = guarded_place(&w->dst, dst_bytes, place);
    buffer_fill(&w->dst, c->dst, dst_bytes, (unsigned)rng_below(&w->rng, FILLS));
    r->now.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
    compare(s, r, w, c);
}

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w,
                          struct compare_call *c, bool with_scalar) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    const size_t long_calls = r->quick ? rng_below(&w->rng, 16) == 0 : 2;

    for (size_t i = 0; i < count && !report_stop(r); i++) {
        c->n = lengths[i];
        const enum place place = random_side(w); /* a quick run tries only this place */
        if (!r->quick || place == AT_BEGIN) compare_placed(s, r, w, c, AT_BEGIN, with_scalar);
        if (!r->quick || place == AT_END) compare_placed(s, r, w, c, AT_END, with_scalar);
    }
    for (size_t i = 0; i < long_calls && !report_stop(r); i++) {
        c->n = length_long(rng_below(&w->rng, 64));
        compare_placed(s, r, w, c, random_side(w), with_scalar);
    }
}

/** Returns NO_SEED for number 0, and otherwise a mask kind that fits the type. */
static int seed_kind(pto_dtype type, size_t number) {
    return number == 0 ? NO_SEED : (int)mask_kind(type, number - 1);
}

enum { SEED_KINDS = 1 + MASK_KINDS, FLAG_SETS = 4 };

static void sweep_kinds(const struct subject *s, struct report *r, struct fixture *w, pto_cmp op,
                        unsigned flags) {
    for (size_t i = 0; i < SEED_KINDS; i++) {
        for (size_t k = 0; k < MASK_KINDS; k++) {
            struct compare_call c = {.op = op, .flags = flags};
            c.seed_kind = seed_kind(w->in.type, i);
            c.dst_kind = mask_kind(w->in.type, k);
            sweep_lengths(s, r, w, &c, false);
            sweep_lengths(s, r, w, &c, true);
            if (report_stop(r)) return;
        }
    }
}

typedef void sweep_of_op(const struct subject *s, struct report *r, struct fixture *w, pto_cmp op,
                         unsigned flags);

/** Calls `sweep` for every legal type, operator and set of flags. */
static void for_each_form(const struct subject *s, struct report *r, const char *purpose, bool cross,
                          sweep_of_op *sweep) {
    report_call(r, "vcmp", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, purpose, model_types[t], cross);
        for (int op = 0; op < MODEL_OPS && !report_stop(r); op++) {
            if (!model_has_op(w.in.type, (pto_cmp)op)) continue;
            for (unsigned flags = 0; flags < FLAG_SETS; flags++) {
                if ((flags & PTO_FTZ) && !model_has_ftz(w.in.type)) continue;
                sweep(s, r, &w, (pto_cmp)op, flags);
            }
        }
        fixture_close(&w);
    }
}

void check_compare_lengths(const struct subject *s, struct report *r) {
    for_each_form(s, r, "compare lengths", false, sweep_kinds);
}

/* ---- offsets ---- */

/** The operand whose offset takes all values, while the other operands have random offsets. */
enum swept_operand { SWEEP_SRC0, SWEEP_SRC1, SWEEP_SEED, SWEEP_DST, SWEPT_OPERANDS };

static size_t offset_of(struct fixture *w, enum swept_operand operand, enum swept_operand swept,
                        size_t offset) {
    return operand == swept ? offset : rng_below(&w->rng, OFFSETS);
}

static void compare_at_offset(const struct subject *s, struct report *r, struct fixture *w,
                              struct compare_call *c, enum swept_operand swept, size_t offset,
                              bool with_scalar) {
    unsigned char *a = w->moved_a.data + offset_of(w, SWEEP_SRC0, swept, offset);
    unsigned char *b = w->moved_b.data + offset_of(w, SWEEP_SRC1, swept, offset);

    c->first = rng_below(&w->rng, w->in.count - c->n);
    c->scalar = with_scalar ? choose_scalar(w) : -1;
    c->seed_kind = seed_kind(w->in.type, swept == SWEEP_SEED ? 1 + rng_below(&w->rng, 3)
                                                             : rng_below(&w->rng, SEED_KINDS));
    c->dst_kind = mask_kind(w->in.type, rng_below(&w->rng, MASK_KINDS));
    memcpy(a, w->in.a.data + c->first * w->in.size, c->n * w->in.size);
    memcpy(b, w->in.b.data + c->first * w->in.size, c->n * w->in.size);
    if (with_scalar) value_store(w->in.type, b, 0, w->scalars[c->scalar]);
    c->src0 = a;
    c->src1 = b;
    c->seed = NULL;
    if (c->seed_kind != NO_SEED) {
        c->seed = w->seed.data + offset_of(w, SWEEP_SEED, swept, offset);
        check_fill_mask(&w->rng, (pto_mask_kind)c->seed_kind, c->seed, w->seed_truth + offset, c->n);
    }
    c->home = &w->dst;
    c->dst = w->dst.data + HARNESS_MARGIN + offset_of(w, SWEEP_DST, swept, offset);
    buffer_fill(&w->dst, c->dst, model_mask_bytes(c->dst_kind, c->n), (unsigned)rng_below(&w->rng, FILLS));
    compare(s, r, w, c);
}

static void sweep_offsets(const struct subject *s, struct report *r, struct fixture *w, pto_cmp op,
                          unsigned flags) {
    static const char *const titles[] = {"offsets of src0", "offsets of src1", "offsets of the seed",
                                         "offsets of dst"};
    static const size_t lengths[] = {1, 31, 64, 65, 97, 130, 200};
    struct compare_call c = {.op = op, .flags = flags};

    for (int swept = 0; swept < SWEPT_OPERANDS; swept++) {
        r->now.detail = titles[swept];
        for (size_t offset = 0; offset < OFFSETS && !report_stop(r); offset++) {
            for (int with_scalar = 0; with_scalar < 2; with_scalar++) {
                c.n = lengths[rng_below(&w->rng, sizeof lengths / sizeof lengths[0])];
                compare_at_offset(s, r, w, &c, (enum swept_operand)swept, offset, with_scalar);
            }
        }
    }
}

void check_compare_offsets(const struct subject *s, struct report *r) {
    for_each_form(s, r, "compare offsets", false, sweep_offsets);
}

/* ---- values ---- */

static void sweep_values(const struct subject *s, struct report *r, struct fixture *w, pto_cmp op,
                         unsigned flags) {
    struct compare_call c = {.op = op, .flags = flags, .seed_kind = NO_SEED, .scalar = -1, .home = &w->dst};
    const size_t cross = values_cross_size(w->in.type);

    c.dst_kind = mask_kind(w->in.type, rng_below(&w->rng, MASK_KINDS));
    c.src0 = w->in.a.data;
    c.src1 = w->in.b.data;
    c.dst = w->dst.data;
    c.n = r->quick ? cross : HARNESS_LONGEST;
    buffer_fill(&w->dst, c.dst, model_mask_bytes(c.dst_kind, c.n), (unsigned)rng_below(&w->rng, FILLS));
    r->now.detail = "specials against specials";
    compare(s, r, w, &c);
    c.swapped = true; /* adjacent lanes of b differ; those of a are equal in runs */
    c.src0 = w->in.b.data;
    for (size_t i = 0; i < w->scalar_count && !report_stop(r); i++) {
        c.scalar = (int)i;
        c.src1 = place_scalar(w, c.scalar, AT_END);
        c.n = (size_t)4 * VALUES_MAX_SPECIALS + i;
        buffer_fill(&w->dst, c.dst, model_mask_bytes(c.dst_kind, c.n), (unsigned)rng_below(&w->rng, FILLS));
        compare(s, r, w, &c);
    }
}

void check_compare_values(const struct subject *s, struct report *r) {
    for_each_form(s, r, "compare values", true, sweep_values);
}

/* ---- in place ---- */

/** Makes a call with dst equal to the seed, which is allowed if both kinds have the same number of bits per lane. */
static void compare_onto_seed(const struct subject *s, struct report *r, struct fixture *w,
                              struct compare_call *c, bool with_scalar) {
    const enum place place = random_side(w);
    c->first = operands_first(&w->in, c->n, place);
    c->src0 = w->in.a.data + c->first * w->in.size;
    c->src1 = w->in.b.data + c->first * w->in.size;
    c->scalar = with_scalar ? choose_scalar(w) : -1;
    if (with_scalar) c->src1 = place_scalar(w, c->scalar, place);
    c->seed = place_seed(w, c->seed_kind, c->n, place);
    if (!c->seed) return;
    c->dst = c->seed;
    c->home = &w->seed;
    margins_fill(c->home, c->dst, model_mask_bytes(c->dst_kind, c->n));
    r->now.detail = "dst is the seed";
    compare(s, r, w, c);
}

/** Makes a call with dst equal to src0 (`which` is 1), to src1 (2), or to both src0 and the seed (3). The elements
 * have one byte, like the lanes of the BYTE masks. */
static void compare_onto_source(const struct subject *s, struct report *r, struct fixture *w,
                                struct compare_call *c, int which, bool with_scalar) {
    static const char *const details[] = {"", "dst is src0", "dst is src1 or begins at the scalar",
                                          "dst is src0 and the seed"};
    unsigned char *a = w->moved_a.data + rng_below(&w->rng, OFFSETS);
    unsigned char *b = w->moved_b.data + rng_below(&w->rng, OFFSETS);

    c->first = rng_below(&w->rng, w->in.count - c->n);
    memcpy(a, w->in.a.data + c->first, c->n);
    memcpy(b, w->in.b.data + c->first, c->n);
    c->scalar = with_scalar ? choose_scalar(w) : -1;
    c->src0 = a;
    c->src1 = with_scalar && which != 2 ? place_scalar(w, c->scalar, AT_END) : b;
    if (with_scalar && which == 2) value_store(w->in.type, b, 0, w->scalars[c->scalar]);
    c->dst = which == 2 ? b : a;
    c->home = which == 2 ? &w->moved_b : &w->moved_a;
    c->seed = which == 3 ? a : place_seed(w, c->seed_kind, c->n, AT_END);
    if (which == 3) c->seed_kind = PTO_MASK_BYTE;
    margins_fill(c->home, c->dst, c->n);
    r->now.detail = details[which];
    compare(s, r, w, c);
}

static void sweep_onto_source(const struct subject *s, struct report *r, struct fixture *w,
                              struct compare_call *c) {
    const int kind = c->seed_kind;
    c->dst_kind = PTO_MASK_BYTE;
    for (int with_scalar = 0; with_scalar < 2; with_scalar++) {
        for (int which = 1; which <= 3; which++) {
            c->seed_kind = kind;
            compare_onto_source(s, r, w, c, which, with_scalar);
        }
    }
    c->seed_kind = kind;
}

static void sweep_in_place(const struct subject *s, struct report *r, struct fixture *w, pto_cmp op,
                           unsigned flags) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    size_t count = lengths_short(lengths, r->quick);
    struct compare_call c = {.op = op, .flags = flags};

    lengths[count++] = length_long(rng_below(&w->rng, 6)); /* longer than one chunk of the library */
    for (size_t i = 0; i < SEED_KINDS * count && !report_stop(r); i++) {
        c.n = lengths[i / SEED_KINDS];
        c.seed_kind = seed_kind(w->in.type, i % SEED_KINDS);
        if (w->in.size == 1) sweep_onto_source(s, r, w, &c);
        if (c.seed_kind == NO_SEED) continue;
        for (size_t k = 0; k < MASK_KINDS; k++) {
            c.dst_kind = mask_kind(w->in.type, k);
            if (model_lane_bits(c.dst_kind) != model_lane_bits((pto_mask_kind)c.seed_kind)) continue;
            compare_onto_seed(s, r, w, &c, i / SEED_KINDS % 2);
        }
    }
}

void check_compare_in_place(const struct subject *s, struct report *r) {
    for_each_form(s, r, "compare in place", false, sweep_in_place);
}
