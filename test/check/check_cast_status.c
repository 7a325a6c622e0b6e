/* SPDX-License-Identifier: MIT */
/* Checks the statuses of pto_cast(): each can be reached, they have a fixed order, and a refused call writes nothing. */
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

static void legality(const struct subject *s, struct report *r, struct arena *arena) {
    static char text[MODEL_CAST_TEXT];
    for (int i = 0; i < ANY_TYPE * ANY_TYPE * ANY_ROUND && !report_stop(r); i++) {
        struct arguments x = good(arena, PTO_RN);
        pto_status want;
        x.op.src = (pto_dtype)any(i % ANY_TYPE, MODEL_DTYPES);
        x.op.dst = (pto_dtype)any(i / ANY_TYPE % ANY_TYPE, MODEL_DTYPES);
        x.op.round = (pto_round)any(i / ANY_TYPE / ANY_TYPE, PTO_RO + 1);
        x.op.overflow = (pto_overflow)any(i % ANY_OVERFLOW, MODEL_CAST_OVERFLOWS);
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
