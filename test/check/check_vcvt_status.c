/* SPDX-License-Identifier: MIT */
/* Checks the statuses of vcvt, its parts and vtrc: each can be reached, they have a fixed order, and a refused
 * call writes nothing. Also checks overlaps and the list of forms. */
#include "support/arena.h"
#include "check/checks.h"
#include "support/slide.h"
#include "support/vcvt_fixture.h"

#include <limits.h>
#include <string.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, 64, 255};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0], ANY_TYPE = MODEL_VCVT_DTYPES + NONSENSE };
enum {
    ANY_RND = MODEL_VRNDS + NONSENSE,
    ANY_PART = MODEL_VPARTS + NONSENSE,
    ANY_KIND = MODEL_KINDS + NONSENSE
};

static int any(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

/** The function under test: pto_vcvt(), pto_vcvt_part() or pto_vtrc(). */
enum which { WHOLE, PART, TRUNCATE, CALLS };

struct arguments {
    enum which which;
    pto_vcvt_op op;
    int part;
    const void *src;
    pto_mask mask;
    void *dst;
    size_t n;
};

static pto_status call(const struct subject *s, const struct arguments *x) {
    switch (x->which) {
    case WHOLE: return s->vcvt(x->op, x->src, x->mask, x->dst, x->n);
    case PART: return s->vcvt_part(x->op, (pto_vpart)x->part, x->src, x->mask, x->dst, x->n);
    default: return s->vtrc(x->op.src, x->op.rnd, x->src, x->mask, x->dst, x->n);
    }
}

static struct arguments good(struct arena *arena, enum which which) {
    struct arguments x = {
        which, {PTO_F16, PTO_F32, PTO_VRND_R, false}, PTO_PART_ODD, arena->bytes, PTO_NO_MASK, NULL, 64};
    x.mask = pto_mask_at(arena->bytes + 1024, PTO_MASK_B32);
    x.dst = arena->bytes + 2048;
    return x;
}

/* ---- the order of the checks ---- */

enum defect { NULLS = 1, TYPE = 2, MODIFIER = 4, MASK = 8, SIZE = 16, OVERLAP = 32, DEFECTS = 64 };

static pto_status first_status(unsigned defects) {
    if (defects & NULLS) return PTO_ERR_NULL;
    if (defects & TYPE) return PTO_ERR_TYPE;
    if (defects & MODIFIER) return PTO_ERR_MODIFIER;
    if (defects & MASK) return PTO_ERR_MASK;
    if (defects & SIZE) return PTO_ERR_SIZE;
    return defects & OVERLAP ? PTO_ERR_OVERLAP : PTO_OK;
}

enum { VARIANTS = 3 };

/** Sets an illegal modifier. vtrc has neither sat nor parts, so for vtrc it is always the rounding. */
static void break_modifiers(struct arguments *x, int variant) {
    if (variant == 1 && x->which == PART)
        x->part = PTO_PART_P2;
    else if (variant == 2 && x->which != TRUNCATE)
        x->op = (pto_vcvt_op){x->op.dst == PTO_F16 ? PTO_F32 : x->op.dst, PTO_F16, PTO_VRND_R, true};
    else
        x->op.rnd = (pto_vrnd)(variant == 0 ? MODEL_VRNDS : -1);
}

static void break_types(struct arguments *x, int variant) {
    static const pto_dtype types[VARIANTS] = {PTO_F64, PTO_B32, PTO_TF32};
    x->op.src = types[variant];
}

/** Moves the result over the source (variants 0 and 2) or over the mask (variant 1). */
static void make_overlap(struct arguments *x, struct arena *arena, int variant) {
    static const size_t offsets[VARIANTS] = {3, 1025, 1};
    x->dst = arena->bytes + offsets[variant];
}

/** Sets a kind for wider elements, a kind for narrower ones, or an invalid kind. */
static void break_mask(struct arguments *x, int variant) {
    static const pto_mask_kind wrong[VARIANTS] = {PTO_MASK_B64, PTO_MASK_B8, (pto_mask_kind)MODEL_KINDS};
    x->mask.kind = wrong[variant];
}

static void order(const struct subject *s, struct report *r, struct arena *arena, enum which which) {
    for (unsigned i = 0; i < DEFECTS * VARIANTS; i++) {
        const unsigned defects = i % DEFECTS;
        const int variant = (int)(i / DEFECTS);
        struct arguments x = good(arena, which);
        if (defects & OVERLAP) make_overlap(&x, arena, variant);
        if (defects & MODIFIER) break_modifiers(&x, variant);
        if (defects & TYPE) break_types(&x, variant);
        if (defects & MASK) break_mask(&x, variant);
        if (defects & SIZE) x.n = SIZE_MAX / 16 + 1;
        if ((defects & NULLS) && variant != 1) x.src = NULL;
        if ((defects & NULLS) && variant != 0) x.dst = NULL;
        arena_expect(r, arena, call(s, &x), first_status(defects), "order of the checks");
        x.n = 0;
        arena_expect(r, arena, call(s, &x), first_status(defects & ~(unsigned)(NULLS | SIZE | OVERLAP)),
                     "order of the checks, n == 0");
    }
}

static void pointers(const struct subject *s, struct report *r, struct arena *arena, enum which which) {
    struct arguments x = good(arena, which);
    x.src = x.dst = NULL;
    arena_expect(r, arena, call(s, &x), PTO_ERR_NULL, "both NULL");
    x.n = 0;
    arena_expect(r, arena, call(s, &x), PTO_OK, "both NULL, n == 0");
    x.mask.data = NULL;
    arena_expect(r, arena, call(s, &x), PTO_OK, "all NULL, n == 0");
    x = good(arena, which);
    x.mask = (pto_mask){NULL, (pto_mask_kind)1000};
    arena_expect(r, arena, call(s, &x), PTO_OK, "an absent mask, whatever its kind");
    x = good(arena, which);
    x.n = SIZE_MAX / 16 / (which == PART ? 2 : 1); /* the limit applies to the elements of dst */
    arena_expect(r, arena, call(s, &x), PTO_ERR_OVERLAP, "the largest n");
    x.n += 1;
    arena_expect(r, arena, call(s, &x), PTO_ERR_SIZE, "more than the largest n");
}

/** Checks that parts of fp4 conversions require an even number of elements. */
static void groups(const struct subject *s, struct report *r, struct arena *arena) {
    for (size_t n = 0; n < 68; n++) {
        struct arguments x = good(arena, PART);
        x.op = (pto_vcvt_op){PTO_E2M1, PTO_BF16, PTO_VRND_R, false};
        if (n % 4 >= 2) x.op = (pto_vcvt_op){PTO_BF16, PTO_E1M2, PTO_VRND_R, false};
        x.part = PTO_PART_P0 + (int)(n / 4 % 4);
        x.mask.kind = PTO_MASK_PACKED;
        x.n = n / 2;
        arena_expect(r, arena, call(s, &x), x.n % 2 ? PTO_ERR_SIZE : PTO_OK,
                     "an odd number of elements of fp4");
    }
}

/* ---- every type, rounding, sat, part and mask kind, valid enumerators or not ---- */

static pto_vcvt_op any_op(int i) {
    pto_vcvt_op op = {.sat = i % 2 != 0, .rnd = (pto_vrnd)any(i / 2 % ANY_RND, MODEL_VRNDS)};
    op.src = (pto_dtype)any(i / 2 / ANY_RND % ANY_TYPE, MODEL_VCVT_DTYPES);
    op.dst = (pto_dtype)any(i / 2 / ANY_RND / ANY_TYPE, MODEL_VCVT_DTYPES);
    return op;
}

enum { ANY_OPS = 2 * ANY_RND * ANY_TYPE * ANY_TYPE };

static void legal_or_not(const struct subject *s, struct report *r, struct arena *arena,
                         const pto_vcvt_op *op) {
    struct arguments x = good(arena, WHOLE);
    const pto_status want = model_vcvt_status(op);
    x.op = *op;
    x.mask = PTO_NO_MASK;
    arena_expect(r, arena, call(s, &x), want, r->now.detail);
    x.which = PART;
    for (int p = 0; p < ANY_PART; p++) {
        x.part = any(p, MODEL_VPARTS);
        x.n = p % 3 ? 32 : 0;
        arena_expect(r, arena, call(s, &x), model_vcvt_part_status(op, x.part), r->now.detail);
    }
}

static void legality(const struct subject *s, struct report *r, struct arena *arena) {
    static char text[MODEL_VCVT_TEXT];
    for (int i = 0; i < ANY_OPS && !report_stop(r); i++) {
        const pto_vcvt_op op = any_op(i);
        const pto_status want = model_vcvt_status(&op);
        model_vcvt_describe(&op, MODEL_WHOLE, text);
        r->now.detail = text;
        r->cases++;
        if (s->vcvt_check(op) != want)
            report_mismatch(r, "vcvt_check: expected %s, got %s", status_name(want),
                            status_name(s->vcvt_check(op)));
        if (want == PTO_ERR_TYPE && i % 7 != 0) continue;
        legal_or_not(s, r, arena, &op);
    }
    for (int i = 0; i < ANY_TYPE * ANY_RND; i++) {
        struct arguments x = good(arena, TRUNCATE);
        x.op.src = (pto_dtype)any(i / ANY_RND, MODEL_VCVT_DTYPES);
        x.op.rnd = (pto_vrnd)any(i % ANY_RND, MODEL_VRNDS);
        x.mask = PTO_NO_MASK;
        arena_expect(r, arena, call(s, &x), model_vtrc_status(x.op.src, x.op.rnd),
                     "types and roundings of vtrc");
    }
}

/** Tries each mask kind with every operation, and with one of its parts. */
static void kinds(const struct subject *s, struct report *r, struct arena *arena) {
    static char text[MODEL_VCVT_TEXT];
    pto_vcvt_op ops[VCVT_OPS_MAX];
    const size_t count = vcvt_operations(ops);
    for (size_t i = 0; i < count * ANY_KIND && !report_stop(r); i++) {
        const pto_vcvt_op *op = &ops[i / ANY_KIND];
        const int kind = any((int)(i % ANY_KIND), MODEL_KINDS);
        const pto_status want = model_vcvt_kind_fits((pto_mask_kind)kind, op->src) ? PTO_OK : PTO_ERR_MASK;
        struct arguments x = good(arena, vcvt_is_vtrc(op) ? TRUNCATE : WHOLE);
        x.op = *op;
        x.mask.kind = (pto_mask_kind)kind;
        x.n = i % 3 ? 32 : 0;
        model_vcvt_describe(op, MODEL_WHOLE, text);
        r->now.kinds[0] = kind;
        arena_expect(r, arena, call(s, &x), want, text);
        if (x.which == TRUNCATE || model_vcvt_parts(op) == 1) continue;
        x.which = PART;
        x.part = model_vcvt_part(op, i % model_vcvt_parts(op));
        arena_expect(r, arena, call(s, &x), want, text);
    }
}

void check_vcvt_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "vcvt status");
    report_call(r, "vcvt", NULL);
    for (int which = 0; which < CALLS; which++) {
        order(s, r, &arena, (enum which)which);
        pointers(s, r, &arena, (enum which)which);
    }
    groups(s, r, &arena);
    legality(s, r, &arena);
    kinds(s, r, &arena);
}

/* ---- overlap ---- */

struct sliding {
    struct arguments x;
    bool over_mask; /* dst slides past the mask instead of src */
    unsigned char *far;
};

static pto_status slide_vcvt(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct sliding *f = context;
    struct arguments x = f->x;
    x.src = f->over_mask ? f->far : operand;
    if (f->over_mask) x.mask = pto_mask_at(operand, x.mask.kind);
    x.dst = dst;
    return call(s, &x);
}

static void slide_op(const struct subject *s, struct report *r, struct arena *arena,
                     const struct vcvt_fixture *w) {
    static const size_t lengths[] = {1, 2, 8, 36};
    for (size_t i = 0; i < 2 * (sizeof lengths / sizeof lengths[0]); i++) {
        struct sliding f = {good(arena, vcvt_is_vtrc(&w->op)     ? TRUNCATE
                                        : w->part == MODEL_WHOLE ? WHOLE
                                                                 : PART),
                            i % 2, arena->bytes + 3072};
        const int kind = i % 2 ? vcvt_kind_in_turn(w, 1 + i / 2 % 2) : -1;
        struct slide slide = {0, 0, false};
        f.x.op = w->op;
        f.x.part = w->part;
        f.x.n = lengths[i / 2];
        f.x.mask = pto_mask_at(NULL, kind < 0 ? PTO_MASK_PACKED : (pto_mask_kind)kind);
        if (f.x.n % model_vcvt_group(&w->op, w->part)) continue;
        slide.operand_bytes = vcvt_fixture_source_bytes(w, f.x.n);
        slide.dst_bytes = vcvt_fixture_result_bytes(w, f.x.n);
        slide.in_place = !f.over_mask && model_code_bits(w->op.src) == model_code_bits(w->op.dst);
        if (f.over_mask)
            slide.operand_bytes = model_mask_bytes(f.x.mask.kind, model_vcvt_sources(&w->op, w->part, f.x.n));
        vcvt_fixture_describe(r, w, f.x.n, f.over_mask ? "dst over the mask" : "dst over src");
        slide_past(s, r, arena, &slide, slide_vcvt, &f, r->now.detail);
    }
}

static void visit_overlaps(const struct subject *s, struct report *r, struct vcvt_fixture *w) {
    static struct arena arena;
    arena_fill(&arena, "vcvt overlaps");
    if (w->first_of_pair) slide_op(s, r, &arena, w);
}

void check_vcvt_overlaps(const struct subject *s, struct report *r) {
    vcvt_fixture_each(s, r, "vcvt overlaps", VCVT_OFFSETS, false, visit_overlaps);
    vcvt_fixture_each(s, r, "vcvt overlaps of parts", VCVT_OFFSETS, true, visit_overlaps);
}

/* ---- forms ---- */

static int op_number(const pto_vcvt_op *op) {
    return (((int)op->dst * MODEL_VCVT_DTYPES + (int)op->src) * MODEL_VRNDS + (int)op->rnd) * 2 + op->sat;
}

/** Checks that each form occurs once, in the order of the types, and that indices past the end are refused. */
void check_vcvt_forms(const struct subject *s, struct report *r) {
    const size_t past_end[] = {s->vcvt_form_count(), s->vcvt_form_count() + 1000, SIZE_MAX};
    const pto_vcvt_op before = {PTO_B64, PTO_B8, PTO_VRND_O, true};
    pto_vcvt_op ops[VCVT_OPS_MAX], op;
    size_t legal = 0;
    int last = -1;

    report_call(r, "vcvt_form", NULL);
    for (size_t i = vcvt_operations(ops); i-- > 0;) {
        legal += !vcvt_is_vtrc(&ops[i]);
    }
    r->cases++;
    if (s->vcvt_form_count() != legal) report_mismatch(r, "%zu forms, not %zu", s->vcvt_form_count(), legal);
    for (size_t i = 0; i < s->vcvt_form_count() && !report_stop(r); i++) {
        r->cases++;
        op = before;
        if (s->vcvt_form(i, &op) != PTO_OK) report_mismatch(r, "no form %zu", i);
        if (model_vcvt_status(&op) != PTO_OK) report_mismatch(r, "form %zu is none", i);
        if (op_number(&op) <= last) report_mismatch(r, "form %zu is out of order, or is there twice", i);
        last = op_number(&op);
    }
    for (size_t i = 0; i < 3; i++) {
        op = before;
        r->cases++;
        if (s->vcvt_form(past_end[i], &op) != PTO_ERR_SIZE) report_mismatch(r, "a form after the last");
        if (op_number(&op) != op_number(&before)) report_mismatch(r, "the op was written");
    }
    if (s->vcvt_form(SIZE_MAX, NULL) != PTO_ERR_NULL) report_mismatch(r, "NULL");
}
