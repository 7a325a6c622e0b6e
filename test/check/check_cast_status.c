/* SPDX-License-Identifier: MIT */
/* Checks the statuses of pto_cast() and its plans: each can be reached, they have a fixed order, and a refused call
 * writes nothing. Also checks overlaps and that plans keep their ISA. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/cast_fixture.h"
#include "support/slide.h"

#include <limits.h>
#include <string.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, 64, 255};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0] };
enum { ANY_TYPE = MODEL_DTYPES + NONSENSE, ANY_ROUND = PTO_RO + 1 + NONSENSE };
enum { ANY_OVERFLOW = MODEL_CAST_OVERFLOWS + NONSENSE };

static int any(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

struct arguments {
    pto_cast_op op;
    const void *src;
    void *dst;
    const void *random;
    size_t n;
};

static pto_status call(const struct subject *s, const struct arguments *x) {
    return s->cast(x->op, x->src, x->dst, x->random, x->n);
}

static struct arguments good(struct arena *arena, pto_round round) {
    return (struct arguments){{PTO_E4M3FNUZ, PTO_F32, round, PTO_OVERFLOW_IEEE},
                              arena->bytes,
                              arena->bytes + 2048,
                              round == PTO_RS ? arena->bytes + 1024 : NULL,
                              32};
}

/* ---- the order of the checks ---- */

enum defect { NULLS = 1, TYPE = 2, MODIFIER = 4, SIZE = 8, OVERLAP = 16, DEFECTS = 32, VARIANTS = 3 };

static pto_status first_status(unsigned defects) {
    if (defects & NULLS) return PTO_ERR_NULL;
    if (defects & TYPE) return PTO_ERR_TYPE;
    if (defects & MODIFIER) return PTO_ERR_MODIFIER;
    if (defects & SIZE) return PTO_ERR_SIZE;
    return defects & OVERLAP ? PTO_ERR_OVERLAP : PTO_OK;
}

static void break_call(struct arguments *x, struct arena *arena, unsigned defects, int variant) {
    static const pto_dtype types[VARIANTS] = {PTO_B32, PTO_F16X2, (pto_dtype)MODEL_DTYPES};
    static const size_t offsets[VARIANTS] = {3, 1, 1025};
    const bool is_random = x->op.round == PTO_RS;
    if (defects & OVERLAP) x->dst = arena->bytes + offsets[is_random ? variant : variant % 2];
    if (defects & TYPE) *(variant == 1 ? &x->op.src : &x->op.dst) = types[variant];
    if (defects & MODIFIER) {
        if (variant == 0) x->op.overflow = (pto_overflow)MODEL_CAST_OVERFLOWS;
        if (variant == 1) x->op.overflow = (pto_overflow)-1;
        if (variant == 2 && !is_random) x->random = arena->bytes + 1024;
        if (variant == 2 && is_random) x->op.overflow = (pto_overflow)INT_MAX;
    }
    if (defects & SIZE) x->n = SIZE_MAX / 16 + 1;
    if (!(defects & NULLS)) return;
    if (variant == 0) x->src = NULL;
    if (variant == 1 || (variant == 2 && !is_random)) x->dst = NULL;
    if (variant == 2 && is_random) x->random = NULL;
}

static void order(const struct subject *s, struct report *r, struct arena *arena, pto_round round) {
    for (unsigned i = 0; i < DEFECTS * VARIANTS; i++) {
        const unsigned defects = i % DEFECTS;
        struct arguments x = good(arena, round);
        break_call(&x, arena, defects, (int)(i / DEFECTS));
        arena_expect(r, arena, call(s, &x), first_status(defects), "order of the checks");
        x.n = 0;
        arena_expect(r, arena, call(s, &x), first_status(defects & ~(unsigned)(NULLS | SIZE | OVERLAP)),
                     "order of the checks, n == 0");
    }
}

static void sizes(const struct subject *s, struct report *r, struct arena *arena) {
    struct arguments x = good(arena, PTO_RN);
    x.src = x.dst = NULL;
    x.n = 0;
    arena_expect(r, arena, call(s, &x), PTO_OK, "all NULL, n == 0");
    x = good(arena, PTO_RN);
    x.n = SIZE_MAX / 16;
    arena_expect(r, arena, call(s, &x), PTO_ERR_OVERLAP, "the largest n");
}

/* ---- every type, rounding and overflow, valid enumerators or not ---- */

enum { ANY_OPS = ANY_TYPE * ANY_TYPE * ANY_ROUND };

/** Returns op number i. */
static pto_cast_op any_op(int i) {
    return (pto_cast_op){.src = (pto_dtype)any(i % ANY_TYPE, MODEL_DTYPES),
                         .dst = (pto_dtype)any(i / ANY_TYPE % ANY_TYPE, MODEL_DTYPES),
                         .round = (pto_round)any(i / ANY_TYPE / ANY_TYPE, PTO_RO + 1),
                         .overflow = (pto_overflow)any(i % ANY_OVERFLOW, MODEL_CAST_OVERFLOWS)};
}

static void legality(const struct subject *s, struct report *r, struct arena *arena) {
    static char text[MODEL_CAST_TEXT];
    for (int i = 0; i < ANY_OPS && !report_stop(r); i++) {
        struct arguments x = good(arena, PTO_RN);
        pto_status want;
        x.op = any_op(i);
        if (x.op.round == PTO_RS) x.random = arena->bytes + 1024;
        want = model_cast_status(&x.op);
        model_cast_describe(&x.op, text);
        r->now.detail = text;
        r->cases++;
        if (s->cast_check(x.op) != want)
            report_mismatch(r, "cast_check: expected %s, got %s", status_name(want),
                            status_name(s->cast_check(x.op)));
        if (want == PTO_ERR_TYPE && i % 5 != 0) continue;
        if (want == PTO_ERR_MODIFIER && x.op.round != PTO_RS) x.random = NULL;
        arena_expect(r, arena, call(s, &x), want, text);
    }
}

void check_cast_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "cast status");
    report_call(r, "cast", NULL);
    order(s, r, &arena, PTO_RN);
    order(s, r, &arena, PTO_RS);
    sizes(s, r, &arena);
    legality(s, r, &arena);
}

/* ---- plans ---- */

static void plan_statuses(const struct subject *s, struct report *r) {
    static char text[MODEL_CAST_TEXT];
    pto_plan untouched, plan;
    memset(&untouched, 0x5a, sizeof untouched);
    r->now.detail = text;
    for (int i = 0; i < ANY_OPS && !report_stop(r); i++) {
        const pto_cast_op op = any_op(i);
        const pto_status want = model_cast_status(&op);
        pto_status got;
        memcpy(&plan, &untouched, sizeof plan);
        got = s->plan_cast(&plan, op);
        r->cases++;
        model_cast_describe(&op, text);
        report_status(r, got, want);
        if (want != PTO_OK && memcmp(&plan, &untouched, sizeof plan) != 0)
            report_mismatch(r, "%s, yet the plan was changed", status_name(got));
        if (i % 97 == 0 && s->plan_cast(NULL, op) != PTO_ERR_NULL) report_mismatch(r, "NULL plan");
    }
}

enum { PLANNED = 260 };

/** Runs plans made under each ISA while every other ISA is active. Results must equal the model's and the plan must
 * not change. */
static void visit_plans(const struct subject *s, struct report *r, struct cast_fixture *w) {
    const pto_isa active = pto_isa_active();
    unsigned char dst[PLANNED * CAST_WIDEST];
    cast_fixture_describe(r, w, w->count);
    cast_fixture_image(w, 0, w->count, w->expected);
    for (int i = 0; i < harness_isas() * harness_isas() && !report_stop(r); i++) {
        pto_plan plan, before;
        if (s->isa_use((pto_isa)(i % harness_isas())) != PTO_OK) continue;
        if (s->plan_cast(&plan, w->op) != PTO_OK) report_mismatch(r, "no plan");
        if (s->isa_use((pto_isa)(i / harness_isas())) != PTO_OK) continue;
        memcpy(&before, &plan, sizeof before);
        memset(dst, 0x33, sizeof dst);
        /* Without PTO_RS the words are an operand that is not used. */
        pto_run(&plan, w->src, NULL, w->words, dst, w->count);
        r->cases++;
        cast_fixture_compare(r, w, 0, w->count, PTO_OK, w->expected, dst);
        if (memcmp(&plan, &before, sizeof plan) != 0) report_mismatch(r, "running it has changed the plan");
    }
    use_isa(active);
}

/** Checks that plans of one operation made under two ISAs differ in their bytes. */
static void plans_keep_isa(const struct subject *s, struct report *r, pto_cast_op op) {
    const pto_isa active = pto_isa_active();
    pto_plan plans[HARNESS_MAX_ISAS];
    size_t count = 0;
    memset(plans, 0, sizeof plans);
    for (int i = 0; i < harness_isas(); i++) {
        if (s->isa_use((pto_isa)i) != PTO_OK) continue;
        if (s->plan_cast(&plans[count++], op) != PTO_OK) report_mismatch(r, "no plan");
        for (size_t k = 0; k + 1 < count; k++) {
            if (memcmp(&plans[count - 1], &plans[k], sizeof plans[k]) == 0)
                report_mismatch(r, "plans of two ISAs are equal");
        }
    }
    use_isa(active);
}

void check_cast_plans(const struct subject *s, struct report *r) {
    const pto_cast_op own = {PTO_E4M3FNUZ, PTO_F32, PTO_RN, PTO_OVERFLOW_IEEE};
    const pto_cast_op by_vcvt = {PTO_HIF8, PTO_F32, PTO_RNA, PTO_OVERFLOW_IEEE};
    report_call(r, "plan_cast", NULL);
    plan_statuses(s, r);
    plans_keep_isa(s, r, own);
    plans_keep_isa(s, r, by_vcvt);
    cast_fixture_each(s, r, "cast plans", PLANNED, visit_plans);
}

/* ---- overlap ---- */

struct sliding {
    pto_cast_op op;
    size_t n;
    bool over_random; /* dst slides past the random bits instead of src */
    unsigned char *far;
};

static pto_status slide_cast(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct sliding *f = context;
    if (f->over_random) return s->cast(f->op, f->far, dst, operand, f->n);
    return s->cast(f->op, operand, dst, f->op.round == PTO_RS ? f->far : NULL, f->n);
}

static void visit_overlaps(const struct subject *s, struct report *r, struct cast_fixture *w) {
    static struct arena arena;
    const size_t n = 1 + rng_below(&w->rng, 12);
    struct sliding f = {w->op, n, w->op.round == PTO_RS && rng_below(&w->rng, 2), arena.bytes + 3072};
    struct slide slide = {model_cvt_bytes(w->op.src, n), model_cvt_bytes(w->op.dst, n), false};
    arena_fill(&arena, "cast overlaps");
    slide.in_place = !f.over_random && pto_dtype_bits(w->op.src) == pto_dtype_bits(w->op.dst);
    if (f.over_random) slide.operand_bytes = 4 * n;
    cast_fixture_describe(r, w, n);
    slide_past(s, r, &arena, &slide, slide_cast, &f, r->now.detail);
}

void check_cast_overlaps(const struct subject *s, struct report *r) {
    cast_fixture_each(s, r, "cast overlaps", 16, visit_overlaps);
}
