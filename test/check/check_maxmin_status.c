/* SPDX-License-Identifier: MIT */
/* Checks the statuses of vmax, vmin, vclamp, vrelu and vsels: each can be reached, they have a fixed order, and a
 * refused call writes nothing. Also checks overlaps. */
#include "check/checks.h"
#include "support/maxmin_fixture.h"
#include "support/operands.h"
#include "support/slide.h"

#include <limits.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, MODEL_DTYPES, 255};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0] };

static int any(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

/** The defects of a call: one bit per status, in the order of the checks. */
enum defect { NULLS = 1, TYPE = 2, MODIFIER = 4, MASK = 8, SIZE = 16, OVERLAP = 32, DEFECTS = 64 };

static pto_status first_status(unsigned defects) {
    if (defects & NULLS) return PTO_ERR_NULL;
    if (defects & TYPE) return PTO_ERR_TYPE;
    if (defects & MODIFIER) return PTO_ERR_MODIFIER;
    if (defects & MASK) return PTO_ERR_MASK;
    if (defects & SIZE) return PTO_ERR_SIZE;
    return defects & OVERLAP ? PTO_ERR_OVERLAP : PTO_OK;
}

/** Returns the defects that a call checks. Values from DEFECTS on stand for a call with n == 0, which does not check
 * pointers, sizes or overlaps. */
static unsigned counting(unsigned defects) {
    return defects < DEFECTS ? defects : defects % DEFECTS & ~(unsigned)(NULLS | SIZE | OVERLAP);
}

static size_t length_of(unsigned defects) {
    if (defects >= DEFECTS) return 0;
    return defects & SIZE ? SIZE_MAX / 16 + 1 : 60;
}

static pto_in input(const void *data, bool scalar) {
    return scalar ? pto_in_scalar(data) : pto_in_array(data);
}

/* ---- vmax, vmin, vclamp, vrelu ---- */

/** Tries the defects in each operand in turn, for each combination of arrays and scalars. */
static void maxmin_order(const struct subject *s, struct report *r, struct arena *arena,
                         enum model_maxmin call) {
    const size_t operands = model_maxmin_operands(call);
    unsigned char *const m = arena->bytes;
    for (size_t i = 0; i < (size_t)2 * DEFECTS * operands << operands; i++) {
        const size_t number = i / (size_t)(2 * DEFECTS), which = number % operands;
        const unsigned defects = (unsigned)i % (2 * DEFECTS), scalars = (unsigned)(number / operands);
        const struct maxmin_form form = {call, defects & TYPE ? PTO_TF32 : PTO_F32,
                                         defects & MODIFIER ? PTO_MERGE : PTO_FTZ | PTO_PROPAGATE_NAN, 0};
        unsigned char *const dst = defects & OVERLAP ? m + 512 * which + 1 : m + 2048;
        pto_in in[MAXMIN_INS];
        if (defects & MASK) continue; /* these calls have no mask */
        if (call == MODEL_RELU && scalars) continue;
        for (size_t k = 0; k < operands; k++) {
            in[k] = input((defects & NULLS) && k == which ? NULL : m + 512 * k, scalars >> k & 1);
        }
        r->now.n = length_of(defects);
        arena_expect(r, arena, maxmin_call(s, &form, in, dst, length_of(defects)),
                     first_status(counting(defects)), "order of the checks");
    }
}

static void maxmin_legality(const struct subject *s, struct report *r, struct arena *arena,
                            enum model_maxmin call) {
    static const unsigned flags[] = {0,  1,  2,  3,  4,  5,  6,  7,           8,           9,       10,
                                     11, 12, 13, 14, 15, 16, 32, 0x80000000U, 0x80000004U, UINT_MAX};
    enum { FLAGS = sizeof flags / sizeof flags[0] };
    unsigned char *const m = arena->bytes;
    const pto_in in[MAXMIN_INS] = {pto_in_array(m), pto_in_array(m + 512), pto_in_scalar(m + 1024)};

    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * FLAGS; i++) {
        const struct maxmin_form form = {call, (pto_dtype)any(i / FLAGS, MODEL_DTYPES), flags[i % FLAGS], 0};
        r->now.type = (int)form.type;
        r->now.flags = (int)form.flags;
        r->now.n = (i + i / FLAGS) % 3 ? 30 : 0; /* tries each flag with and without lanes */
        arena_expect(r, arena, maxmin_call(s, &form, in, m + 2048, r->now.n),
                     model_maxmin_status(call, form.type, form.flags), "legality");
    }
    r->now.type = r->now.flags = -1;
}

static void maxmin_pointers(const struct subject *s, struct report *r, struct arena *arena,
                            enum model_maxmin call) {
    unsigned char *const m = arena->bytes;
    const pto_in none[MAXMIN_INS] = {pto_in_array(NULL), pto_in_array(NULL), pto_in_scalar(NULL)};
    const pto_in in[MAXMIN_INS] = {pto_in_array(m), pto_in_array(m), pto_in_array(m)};
    const struct maxmin_form form = {call, PTO_F64, 0, 0}, bad = {call, PTO_B32, 0, 0};

    arena_expect(r, arena, maxmin_call(s, &form, none, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, maxmin_call(s, &bad, none, NULL, 0), PTO_ERR_TYPE, "all NULL, n == 0");
    arena_expect(r, arena, maxmin_call(s, &bad, in, NULL, 3), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, maxmin_call(s, &form, in, m + 1024, SIZE_MAX / 16), PTO_ERR_OVERLAP,
                 "the largest n");
    arena_expect(r, arena, maxmin_call(s, &form, in, m + 1024, SIZE_MAX), PTO_ERR_SIZE, "SIZE_MAX");
}

void check_maxmin_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "maxmin status");
    for (int call = 0; call < MODEL_MAXMIN_CALLS; call++) {
        report_call(r, maxmin_name((enum model_maxmin)call), NULL);
        maxmin_order(s, r, &arena, (enum model_maxmin)call);
        maxmin_legality(s, r, &arena, (enum model_maxmin)call);
        maxmin_pointers(s, r, &arena, (enum model_maxmin)call);
    }
}

/* ---- vsels ---- */

static void vsels_order(const struct subject *s, struct report *r, struct arena *arena) {
    unsigned char *const m = arena->bytes;
    for (unsigned i = 0; i < 2 * DEFECTS * 3 * 4; i++) { /* which: src0, src1 or the mask has the defect */
        const unsigned defects = i % (2 * DEFECTS), which = i / (2 * DEFECTS) % 3,
                       scalars = i / (2 * DEFECTS * 3);
        const bool null = defects & NULLS;
        pto_mask mask = pto_mask_at(null && which == 2 ? NULL : m + 1024, PTO_MASK_B32);
        if (defects & MODIFIER) continue; /* vsels has no modifiers */
        if (defects & MASK) mask.kind = PTO_MASK_B16;
        r->now.n = length_of(defects);
        arena_expect(r, arena,
                     s->vsels(defects & TYPE ? PTO_TF32 : PTO_F32,
                              input(null && which == 0 ? NULL : m, scalars & 1),
                              input(null && which == 1 ? NULL : m + 512, scalars & 2), mask,
                              defects & OVERLAP ? m + (size_t)512 * which + 1 : m + 2048, length_of(defects)),
                     first_status(counting(defects)), "order of the checks");
    }
}

static void vsels_kinds(const struct subject *s, struct report *r, struct arena *arena) {
    enum { KINDS = MODEL_KINDS + NONSENSE };
    unsigned char *const m = arena->bytes;
    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * KINDS; i++) {
        const pto_dtype type = (pto_dtype)any(i / KINDS, MODEL_DTYPES);
        const int kind = any(i % KINDS, MODEL_KINDS);
        const bool fits = kind >= 0 && kind < MODEL_KINDS && model_kind_fits((pto_mask_kind)kind, type);
        const pto_status want = !model_has_type(type) ? PTO_ERR_TYPE : fits ? PTO_OK : PTO_ERR_MASK;
        r->now.type = (int)type;
        r->now.n = (i + i / KINDS) % 3 ? 40 : 0; /* tries each kind with and without lanes */
        arena_expect(r, arena,
                     s->vsels(type, pto_in_array(m), pto_in_scalar(m + 512),
                              pto_mask_at(m + 1024, (pto_mask_kind)kind), m + 2048, r->now.n),
                     want, "types, mask kinds");
    }
    r->now.type = -1;
}

void check_vsels_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    unsigned char *const m = arena.bytes;
    const pto_in in = pto_in_array(m), none = pto_in_array(NULL);

    arena_fill(&arena, "vsels status");
    report_call(r, "vsels", NULL);
    vsels_order(s, r, &arena);
    vsels_kinds(s, r, &arena);
    arena_expect(r, &arena, s->vsels(PTO_F64, none, none, PTO_NO_MASK, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, &arena, s->vsels(PTO_TF32, in, in, pto_packed(m), NULL, 3), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, &arena, s->vsels(PTO_B64, in, in, pto_packed(m), m + 1024, SIZE_MAX / 16),
                 PTO_ERR_OVERLAP, "the largest n");
}

/* ---- overlap ---- */

enum { FAR = 2048, LENGTHS = 6, SLIDING_TYPES = 4, SLIDING = SLIDING_TYPES * LENGTHS };
static const size_t some_lengths[LENGTHS] = {1, 2, 7, 8, 9, 37};

/** One operand that dst slides past; the others lie far away. */
struct sliding {
    struct maxmin_form form; /* vsels uses only its type and scalars */
    size_t slider, n;
    pto_mask_kind kind;
    unsigned char *far;
};

static void place_operands(const struct sliding *f, unsigned char *operand, pto_in in[MAXMIN_INS]) {
    for (size_t k = 0; k < MAXMIN_INS; k++) {
        in[k] = input(k == f->slider ? operand : f->far + k, f->form.scalars >> k & 1);
    }
}

static struct slide slide_of(const struct sliding *f) {
    const size_t size = model_size(f->form.type);
    const struct slide slide = {f->form.scalars >> f->slider & 1 ? size : f->n * size, f->n * size, true};
    return slide;
}

static pto_status slide_maxmin(const struct subject *s, const void *context, unsigned char *operand,
                               unsigned char *dst) {
    const struct sliding *f = context;
    pto_in in[MAXMIN_INS];
    place_operands(f, operand, in);
    return maxmin_call(s, &f->form, in, dst, f->n);
}

void check_maxmin_overlaps(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_U8, PTO_BF16, PTO_F32, PTO_S64};
    static struct arena arena;

    arena_fill(&arena, "maxmin overlaps");
    report_call(r, "vmax", NULL);
    for (int i = 0; i < SLIDING * MODEL_MAXMIN_CALLS * MAXMIN_INS * 2; i++) {
        struct sliding f = {.form = {.call = (enum model_maxmin)(i / SLIDING % MODEL_MAXMIN_CALLS),
                                     .type = types[i % SLIDING_TYPES]},
                            .slider = (size_t)(i / (SLIDING * MODEL_MAXMIN_CALLS) % MAXMIN_INS),
                            .n = some_lengths[i / SLIDING_TYPES % LENGTHS],
                            .far = arena.bytes + FAR};
        const bool scalar = i / (SLIDING * MODEL_MAXMIN_CALLS * MAXMIN_INS);
        struct slide slide;
        if (f.slider >= model_maxmin_operands(f.form.call) || (scalar && f.form.call == MODEL_RELU)) continue;
        f.form.scalars = scalar ? 1U << f.slider : 0;
        slide = slide_of(&f);
        r->now.call = maxmin_name(f.form.call);
        r->now.type = (int)f.form.type;
        r->now.n = f.n;
        slide_past(s, r, &arena, &slide, slide_maxmin, &f,
                   scalar ? "dst over a scalar" : "dst over an array");
    }
}

enum { SLIDE_MASK = 2, SLIDERS = 3 };

static pto_status slide_vsels(const struct subject *s, const void *context, unsigned char *operand,
                              unsigned char *dst) {
    const struct sliding *f = context;
    pto_in in[MAXMIN_INS];
    unsigned char *const mask = f->slider == SLIDE_MASK ? operand : f->far + 2;
    place_operands(f, operand, in);
    return s->vsels(f->form.type, in[0], in[1], pto_mask_at(mask, f->kind), dst, f->n);
}

void check_vsels_overlaps(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_S8, PTO_BF16, PTO_U32, PTO_B64};
    static struct arena arena;

    arena_fill(&arena, "vsels overlaps");
    report_call(r, "vsels", NULL);
    for (int i = 0; i < SLIDING * SLIDERS * MASK_KINDS * 4; i++) { /* 4: both arrays, either one, none */
        const pto_dtype type = types[i % SLIDING_TYPES];
        struct sliding f = {
            .form = {.type = type, .scalars = (unsigned)(i / (SLIDING * SLIDERS * MASK_KINDS))},
            .slider = (size_t)(i / SLIDING % SLIDERS),
            .n = some_lengths[i / SLIDING_TYPES % LENGTHS],
            .kind = mask_kind(type, (size_t)(i / (SLIDING * SLIDERS))),
            .far = arena.bytes + FAR};
        struct slide slide = slide_of(&f);
        if (f.slider == SLIDE_MASK) {
            slide.operand_bytes = model_mask_bytes(f.kind, f.n);
            slide.in_place = model_size(f.form.type) == 1 && f.kind == PTO_MASK_BYTE;
        }
        r->now.type = (int)f.form.type;
        r->now.kinds[0] = (int)f.kind;
        r->now.n = f.n;
        slide_past(s, r, &arena, &slide, slide_vsels, &f,
                   f.slider == SLIDE_MASK ? "dst over the mask" : "dst over a side");
    }
}
