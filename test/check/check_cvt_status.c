/* SPDX-License-Identifier: MIT */
/* Checks the statuses of pto_cvt() and its plans: each can be reached, they have a fixed order, and a refused call
 * writes nothing. Also checks overlaps and that plans keep their ISA. */
#include "support/arena.h"
#include "check/checks.h"
#include "support/cvt_fixture.h"
#include "support/slide.h"

#include <limits.h>
#include <string.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, 33, 255};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0], ANY_TYPE = MODEL_CVT_TYPES + NONSENSE };
enum { ANY_ROUND = MODEL_ROUNDS + NONSENSE };

static int any(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

struct arguments {
    pto_cvt_op op;
    const void *src;
    void *dst;
    const void *extra;
    size_t n;
};

static pto_status call(const struct subject *s, const struct arguments *x) {
    return s->cvt(x->op, x->src, x->dst, x->extra, x->n);
}

/** What the operand `extra` points to. */
enum extra { EXTRA_NONE, RANDOM, SCALES_N1, SCALES_N2, EXTRAS };

static pto_cvt_op op_with(enum extra extra) {
    pto_cvt_op op = {.dst = PTO_F16, .src = PTO_F32, .round = extra == RANDOM ? PTO_RS : PTO_RN};
    if (extra == EXTRA_NONE || extra == RANDOM) return op;
    op.dst = extra == SCALES_N1 ? PTO_E4M3 : PTO_S2F6;
    op.scale = extra == SCALES_N1 ? PTO_SCALE_N1 : PTO_SCALE_N2;
    op.satfinite = true;
    return op;
}

static bool takes_extra(const pto_cvt_op *op) {
    return op->round == PTO_RS || op->scale != PTO_SCALE_NONE;
}

static struct arguments good(struct arena *arena, enum extra extra) {
    struct arguments x = {op_with(extra), NULL, NULL, NULL, 100};
    x.src = arena->bytes;
    x.dst = arena->bytes + 1024;
    if (extra != EXTRA_NONE) x.extra = arena->bytes + 2048;
    return x;
}

/* ---- the order of the checks ---- */

/** The defects of a call: one bit per status. */
enum defect { NULLS = 1, TYPE = 2, MODIFIER = 4, SIZE = 8, OVERLAP = 16, DEFECTS = 32 };

static pto_status first_status(unsigned defects) {
    if (defects & NULLS) return PTO_ERR_NULL;
    if (defects & TYPE) return PTO_ERR_TYPE;
    if (defects & MODIFIER) return PTO_ERR_MODIFIER;
    if (defects & SIZE) return PTO_ERR_SIZE;
    return defects & OVERLAP ? PTO_ERR_OVERLAP : PTO_OK;
}

enum { VARIANTS = 3 };

/** Makes the modifiers illegal, in one of three ways. */
static void break_modifiers(struct arguments *x, int variant) {
    switch (variant) {
    case 0: x->op.sat = true; break;
    case 1: x->op.ftz = x->op.relu = true; break;
    default: x->op.round = (pto_round)MODEL_ROUNDS; break;
    }
}

static void order(const struct subject *s, struct report *r, struct arena *arena, enum extra extra) {
    for (unsigned i = 0; i < DEFECTS * VARIANTS; i++) {
        const unsigned defects = i % DEFECTS;
        const int variant = (int)(i / DEFECTS);
        struct arguments x = good(arena, extra);
        if (extra != RANDOM && (defects & SIZE)) continue; /* scales allow every count */
        if (defects & OVERLAP) x.dst = variant % 2 ? arena->bytes + 2049 : arena->bytes + 3;
        if (defects & MODIFIER) break_modifiers(&x, variant);
        if (defects & SIZE) x.n += 1; /* not a whole number of groups */
        if (defects & TYPE) x.op.src = variant == 0 ? PTO_B32 : variant == 1 ? PTO_TF32 : PTO_F16X2;
        if (defects & NULLS) {
            if (variant == 0) x.src = NULL;
            if (variant == 1) x.dst = NULL;
            if (variant == 2) x.extra = NULL;
            if (extra == RANDOM && variant == 2 && (defects & MODIFIER))
                continue; /* the rounding is then not .rs, so x.extra may be NULL */
        }
        /* Variant 2 of break_modifiers() replaces .rs, and without it any n is legal. */
        if (variant == 2 && (defects & (MODIFIER | SIZE)) == (MODIFIER | SIZE)) continue;
        r->now.n = x.n;
        arena_expect(r, arena, call(s, &x), first_status(defects), "order of the checks");
        x.n = 0;
        arena_expect(r, arena, call(s, &x), first_status(defects & ~(unsigned)(NULLS | SIZE | OVERLAP)),
                     "order of the checks, n == 0");
    }
}

static void pointers(const struct subject *s, struct report *r, struct arena *arena) {
    struct arguments x = good(arena, EXTRA_NONE);
    x.extra = arena->bytes + 2048;
    arena_expect(r, arena, call(s, &x), PTO_ERR_MODIFIER, "random bits without .rs");
    x.n = 0;
    arena_expect(r, arena, call(s, &x), PTO_ERR_MODIFIER, "random bits without .rs, n == 0");
    x = good(arena, EXTRA_NONE);
    x.src = x.dst = NULL;
    arena_expect(r, arena, call(s, &x), PTO_ERR_NULL, "both NULL");
    x.n = 0;
    arena_expect(r, arena, call(s, &x), PTO_OK, "all NULL, n == 0");
    x.op.round = PTO_RS;
    arena_expect(r, arena, call(s, &x), PTO_OK, "all NULL, n == 0, .rs");
    x.op = op_with(SCALES_N1);
    arena_expect(r, arena, call(s, &x), PTO_OK, "all NULL, n == 0, a scale");
    x = good(arena, EXTRA_NONE);
    x.n = SIZE_MAX / 16;
    arena_expect(r, arena, call(s, &x), PTO_ERR_OVERLAP, "the largest n");
    x.op = (pto_cvt_op){.dst = PTO_F64, .src = PTO_S64, .round = PTO_RN};
    arena_expect(r, arena, call(s, &x), PTO_ERR_OVERLAP, "the largest n, of 64 bits");
    x.n = SIZE_MAX / 64 + 1; /* n elements of 64 bits have SIZE_MAX + 1 bits */
    arena_expect(r, arena, call(s, &x), PTO_ERR_OVERLAP, "sizes in bits beyond SIZE_MAX");
    x.n = SIZE_MAX / 16 + 1;
    arena_expect(r, arena, call(s, &x), PTO_ERR_SIZE, "more than the largest n");
}

/** Checks .rs with counts that are whole groups and with other counts. */
static void groups(const struct subject *s, struct report *r, struct arena *arena) {
    for (size_t i = 0; i < cvt_ops_count(); i++) {
        const size_t group = model_cvt_group(&cvt_ops[i]);
        if (group == 1) continue;
        for (size_t n = 0; n < 34; n++) {
            struct arguments x = good(arena, RANDOM);
            x.op = cvt_ops[i];
            x.n = n;
            cvt_fixture_describe(r, &x.op, n, "groups");
            arena_expect(r, arena, call(s, &x), n % group != 0 ? PTO_ERR_SIZE : PTO_OK, r->now.detail);
        }
    }
}

/** Checks that scaled conversions accept every count, including odd ones. */
static void odd_scales(const struct subject *s, struct report *r, struct arena *arena) {
    for (size_t n = 0; n < 34; n++) {
        struct arguments x = good(arena, EXTRA_NONE);
        x.op = op_with(n % 2 ? SCALES_N1 : SCALES_N2);
        x.extra = arena->bytes + 2048;
        x.n = n / 2;
        cvt_fixture_describe(r, &x.op, x.n, "scales");
        arena_expect(r, arena, call(s, &x), PTO_OK, r->now.detail);
    }
}

/* ---- every pair of types, rounding and set of modifiers, valid enumerators or not ---- */

/** Numbers of scales, of sets of flags and scales, and of these with every rounding, including invalid ones. */
enum { ANY_SCALE = 3 + NONSENSE, ANY_FLAGS = 32 * ANY_SCALE, ANY_MODIFIERS = ANY_FLAGS * ANY_ROUND };

static pto_cvt_op any_op(int i) {
    const int flags = i % 32, scale = i / 32 % ANY_SCALE;
    pto_cvt_op op = model_cvt_modifiers((size_t)flags);
    op.scale = (pto_cvt_scale)any(scale, 3);
    op.round = (pto_round)any(i / ANY_FLAGS % ANY_ROUND, MODEL_ROUNDS);
    op.src = (pto_dtype)any(i / ANY_MODIFIERS % ANY_TYPE, MODEL_CVT_TYPES);
    op.dst = (pto_dtype)any(i / ANY_MODIFIERS / ANY_TYPE, MODEL_CVT_TYPES);
    return op;
}

enum { ANY_OPS = ANY_MODIFIERS * ANY_TYPE * ANY_TYPE };

/** Returns the number of the next operation to try. A pair of types that does not exist is refused with any
 * modifiers, so a few sets of modifiers suffice for it. */
static int next_op(int i, pto_status want) {
    const int few = (i / 41 + 1) * 41, next_pair = (i / ANY_MODIFIERS + 1) * ANY_MODIFIERS;
    if (want != PTO_ERR_TYPE) return i + 1;
    return few < next_pair ? few : next_pair;
}

static void legality(const struct subject *s, struct report *r, struct arena *arena) {
    pto_status want;
    for (int i = 0; i < ANY_OPS && !report_stop(r); i = next_op(i, want)) {
        struct arguments x = good(arena, EXTRA_NONE);
        x.op = any_op(i);
        want = model_cvt_status(&x.op);
        x.n = i % 3 ? 32 : 0;
        if (takes_extra(&x.op)) x.extra = arena->bytes + 2048;
        r->now.n = x.n;
        cvt_fixture_describe(r, &x.op, x.n, "legality");
        arena_expect(r, arena, call(s, &x), want, r->now.detail);
        if (s->cvt_check(x.op) != want)
            report_mismatch(r, "cvt_check: expected %s, got %s", status_name(want),
                            status_name(s->cvt_check(x.op)));
        if (s->cvt_is_ptx(x.op) != (model_cvt_check(&x.op) == PTO_OK)) report_mismatch(r, "cvt_is_ptx");
    }
}

void check_cvt_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "cvt status");
    report_call(r, "cvt", NULL);
    order(s, r, &arena, RANDOM);
    order(s, r, &arena, SCALES_N1);
    order(s, r, &arena, SCALES_N2);
    pointers(s, r, &arena);
    groups(s, r, &arena);
    odd_scales(s, r, &arena);
    legality(s, r, &arena);
}

/* ---- plans ---- */

static void plan_statuses(const struct subject *s, struct report *r) {
    pto_plan untouched, plan;
    pto_status want;
    memset(&untouched, 0x5a, sizeof untouched);
    for (int i = 0; i < ANY_OPS && !report_stop(r); i = next_op(i, want)) {
        const pto_cvt_op op = any_op(i);
        pto_status got;
        want = model_cvt_status(&op);
        memcpy(&plan, &untouched, sizeof plan);
        got = s->plan_cvt(&plan, op);
        r->cases++;
        cvt_fixture_describe(r, &op, 0, "plan");
        report_status(r, got, want);
        if (want != PTO_OK && memcmp(&plan, &untouched, sizeof plan) != 0)
            report_mismatch(r, "%s, yet the plan was changed", status_name(got));
        if (i % 97 == 0 && s->plan_cvt(NULL, op) != PTO_ERR_NULL) report_mismatch(r, "NULL plan");
    }
}

enum { PLANNED = 260 };

/** Runs plans made under each ISA while every other ISA is active. Results must equal the model's and the plan must
 * not change. */
static void visit_plans(const struct subject *s, struct report *r, struct cvt_fixture *w) {
    const pto_isa active = pto_isa_active();
    unsigned char dst[PLANNED * 8];
    cvt_fixture_describe(r, &w->op, w->in.count, "a plan");
    for (int i = 0; i < harness_isas() * harness_isas() && !report_stop(r); i++) {
        pto_plan plan, before;
        if (s->isa_use((pto_isa)(i % harness_isas())) != PTO_OK) continue;
        if (s->plan_cvt(&plan, w->op) != PTO_OK) report_mismatch(r, "no plan");
        if (s->isa_use((pto_isa)(i / harness_isas())) != PTO_OK) continue;
        memcpy(&before, &plan, sizeof before);
        memset(dst, 0x33, sizeof dst);
        pto_run(&plan, w->in.memory, NULL, cvt_fixture_extra(w, 0), dst, w->in.count);
        r->cases++;
        cvt_fixture_compare(r, w, 0, w->in.count, PTO_OK, w->expected, dst);
        if (memcmp(&plan, &before, sizeof plan) != 0) report_mismatch(r, "running it has changed the plan");
    }
    use_isa(active);
}

/** Checks that a plan records its ISA: plans of one operation made under two ISAs differ in their bytes. */
static void plans_keep_isa(const struct subject *s, struct report *r) {
    const pto_cvt_op op = {.dst = PTO_F16, .src = PTO_F32, .round = PTO_RN};
    const pto_isa active = pto_isa_active();
    pto_plan plans[HARNESS_MAX_ISAS];
    size_t count = 0;
    cvt_fixture_describe(r, &op, 0, "made under two ISAs");
    memset(plans, 0, sizeof plans);
    for (int i = 0; i < harness_isas(); i++) {
        if (i == PTO_ISA_SVE) continue; /* SVE uses NEON kernels for some conversions */
        if (s->isa_use((pto_isa)i) != PTO_OK) continue;
        if (s->plan_cvt(&plans[count++], op) != PTO_OK) report_mismatch(r, "no plan");
        for (size_t k = 0; k + 1 < count; k++) {
            if (memcmp(&plans[count - 1], &plans[k], sizeof plans[k]) == 0)
                report_mismatch(r, "plans of two ISAs are equal");
        }
    }
    use_isa(active);
}

void check_cvt_plans(const struct subject *s, struct report *r) {
    report_call(r, "plan_cvt", NULL);
    plan_statuses(s, r);
    plans_keep_isa(s, r);
    cvt_fixture_each(s, r, "cvt plans", PLANNED, visit_plans);
}

/* ---- overlap ---- */

struct sliding {
    pto_cvt_op op;
    bool over_extra; /* dst overlaps the random words or scales, not src */
    size_t n;
    unsigned char *far;
};

static pto_status slide_cvt(const struct subject *s, const void *context, unsigned char *operand,
                            unsigned char *dst) {
    const struct sliding *f = context;
    const void *extra = !takes_extra(&f->op) ? NULL : f->over_extra ? operand : f->far + 512;
    return s->cvt(f->op, f->over_extra ? f->far : operand, dst, extra, f->n);
}

static void slide_op(const struct subject *s, struct report *r, struct arena *arena, const pto_cvt_op *op) {
    static const size_t lengths[] = {1, 2, 3, 4, 8, 36};
    for (size_t i = 0; i < 2 * (sizeof lengths / sizeof lengths[0]); i++) {
        struct sliding f = {*op, i % 2, lengths[i / 2], arena->bytes + 2048};
        struct slide slide = {0, 0, false};
        const size_t group = model_cvt_group(op);
        if (f.n % group || (f.over_extra && !takes_extra(op))) continue;
        slide.operand_bytes = f.over_extra ? model_cvt_extra_bytes(op, f.n) : model_cvt_bytes(op->src, f.n);
        slide.dst_bytes = model_cvt_bytes(op->dst, f.n);
        slide.in_place = !f.over_extra && pto_dtype_bits(op->src) == pto_dtype_bits(op->dst);
        cvt_fixture_describe(r, op, f.n,
                             f.over_extra ? "dst over the random bits or scales" : "dst over src");
        slide_past(s, r, arena, &slide, slide_cvt, &f, r->now.detail);
    }
}

/** Whether two operations on one pair of types take the same operands. */
static bool same_operands(const pto_cvt_op *x, const pto_cvt_op *y) {
    return (x->round == PTO_RS) == (y->round == PTO_RS) && x->scale == y->scale;
}

/** Tests one operation for each pair of types, and one with random bits and one with scales if the pair has them. */
void check_cvt_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "cvt overlaps");
    report_call(r, "cvt", NULL);
    for (size_t i = 0; i < cvt_ops_count() && !report_stop(r); i++) {
        const pto_cvt_op *op = &cvt_ops[i];
        const bool same_pair = i > 0 && op[-1].dst == op->dst && op[-1].src == op->src;
        if (same_pair && (!takes_extra(op) || same_operands(op, op - 1))) continue;
        slide_op(s, r, &arena, op);
    }
}
