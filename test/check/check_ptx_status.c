/* SPDX-License-Identifier: MIT */
/* Checks the statuses of setp, set, selp, slct, vcmpsel and SETcc: each can be reached, they have a fixed order,
 * and a refused call writes nothing. */
#include "support/arena.h"
#include "check/checks.h"
#include "model/model_ptx.h"

#include <limits.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, MODEL_DTYPES, 255};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0] };

static int any(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

/** The defects of a call: one bit per status, in the order of the checks. */
enum defect { NULLS = 1, TYPE = 2, OP = 4, MODIFIER = 8, MASK = 16, OVERLAP = 32, DEFECTS = 64 };

static pto_status first_status(unsigned defects) {
    if (defects & NULLS) return PTO_ERR_NULL;
    if (defects & TYPE) return PTO_ERR_TYPE;
    if (defects & OP) return PTO_ERR_OP;
    if (defects & MODIFIER) return PTO_ERR_MODIFIER;
    if (defects & MASK) return PTO_ERR_MASK;
    return defects & OVERLAP ? PTO_ERR_OVERLAP : PTO_OK;
}

/** Returns the defects that a call checks. Values from DEFECTS on stand for a call with n == 0, which does not check
 * pointers or overlaps. */
static unsigned counting(unsigned defects) {
    return defects < DEFECTS ? defects : defects % DEFECTS & ~(unsigned)(NULLS | OVERLAP);
}

/* ---- setp ---- */

struct setp_arguments {
    pto_setp_op op;
    const void *a, *b;
    pto_mask c, p, q;
    size_t n;
};

static pto_status call_setp(const struct subject *s, const struct setp_arguments *x) {
    return s->setp(x->op, x->a, x->b, x->c, x->p, x->q, x->n);
}

static struct setp_arguments good_setp(struct arena *arena) {
    unsigned char *const m = arena->bytes;
    const struct setp_arguments x = {{PTO_F32, PTO_LT, PTO_AND, false, true},
                                     m,
                                     m + 512,
                                     pto_mask_at(m + 1024, PTO_MASK_B32),
                                     pto_packed(m + 1536),
                                     pto_bytes(m + 2048),
                                     100};
    return x;
}

static void setp_order(const struct subject *s, struct report *r, struct arena *arena) {
    for (unsigned defects = 0; defects < 2 * DEFECTS; defects++) {
        for (int which = 0; which < 3; which++) { /* which: p, q or c has the defect */
            struct setp_arguments x = good_setp(arena);
            pto_mask *const masks[] = {&x.p, &x.q, &x.c};
            if (defects & OVERLAP) masks[which % 2]->data = arena->bytes + 3;
            if (defects & NULLS) x.b = NULL;
            if (defects & TYPE) x.op.type = which == 0 ? PTO_TF32 : which == 1 ? PTO_U8 : PTO_E4M3;
            if (defects & OP) x.op.cmp = PTO_HI;
            if (defects & MODIFIER) x.op.boolop = (pto_boolop)4;
            if (defects & MASK) masks[which]->kind = PTO_MASK_B16;
            if (defects >= DEFECTS) x.n = 0;
            r->now.n = x.n;
            arena_expect(r, arena, call_setp(s, &x), first_status(counting(defects)), "order of the checks");
        }
    }
}

static void setp_nulls(const struct subject *s, struct report *r, struct arena *arena) {
    struct setp_arguments x = good_setp(arena);
    x.a = NULL;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_NULL, "a NULL");
    x = good_setp(arena);
    x.b = NULL;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_NULL, "b NULL");
    x = good_setp(arena);
    x.p.data = NULL;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_NULL, "p NULL");
    x = good_setp(arena);
    x.c = PTO_NO_MASK;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_NULL, "c NULL with a BoolOp");
    x.op.type = PTO_TF32;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_NULL, "c NULL before the type");
    x = good_setp(arena);
    x.q = PTO_NO_MASK;
    arena_expect(r, arena, call_setp(s, &x), PTO_OK, "q NULL: a sink");
    x = good_setp(arena);
    x.a = x.b = x.c.data = x.p.data = x.q.data = NULL;
    x.n = 0;
    arena_expect(r, arena, call_setp(s, &x), PTO_OK, "all NULL, n == 0");
}

/** Checks that without a BoolOp c must be NULL and not_c false. */
static void setp_without_boolop(const struct subject *s, struct report *r, struct arena *arena) {
    struct setp_arguments x = good_setp(arena);
    x.op.boolop = PTO_BOOL_NONE;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_MODIFIER, "c without a BoolOp");
    x.n = 0;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_MODIFIER, "c without a BoolOp, n == 0");
    x = good_setp(arena);
    x.op.boolop = PTO_BOOL_NONE;
    x.op.not_c = true;
    x.c = PTO_NO_MASK;
    arena_expect(r, arena, call_setp(s, &x), PTO_ERR_MODIFIER, "not_c without a BoolOp");
    x.op.not_c = false;
    arena_expect(r, arena, call_setp(s, &x), PTO_OK, "neither");
}

/** Tries every type, operator, BoolOp and .ftz, valid enumerators or not, with and without lanes. */
static void setp_legality(const struct subject *s, struct report *r, struct arena *arena) {
    for (int t = 0; t < MODEL_DTYPES + NONSENSE; t++) {
        for (int i = 0; i < (MODEL_OPS + NONSENSE) * (MODEL_BOOLS + NONSENSE) * 2; i++) {
            struct setp_arguments x = good_setp(arena);
            x.op.type = (pto_dtype)any(t, MODEL_DTYPES);
            x.op.ftz = i % 2;
            x.op.boolop = (pto_boolop)any(i / 2 % (MODEL_BOOLS + NONSENSE), MODEL_BOOLS);
            x.op.cmp = (pto_cmp)any(i / 2 / (MODEL_BOOLS + NONSENSE), MODEL_OPS);
            x.c = x.op.boolop == PTO_BOOL_NONE ? PTO_NO_MASK : pto_bytes(arena->bytes + 1024);
            x.n = i % 3 ? 30 : 0;
            r->now.type = (int)x.op.type;
            r->now.op = (int)x.op.cmp;
            arena_expect(r, arena, call_setp(s, &x), model_setp_status(x.op), "legality");
        }
    }
    r->now.type = r->now.op = -1;
}

enum { KINDS = MODEL_KINDS + NONSENSE };

static bool fits(pto_mask m, pto_dtype type) {
    return (int)m.kind >= 0 && (int)m.kind < MODEL_KINDS && model_kind_fits_word(m.kind, type);
}

static void setp_kinds(const struct subject *s, struct report *r, struct arena *arena) {
    for (int i = 0; i < MODEL_SETP_TYPES * KINDS * KINDS * KINDS; i++) {
        struct setp_arguments x = good_setp(arena);
        bool good;
        x.op.type = model_setp_types[i % MODEL_SETP_TYPES];
        x.op.cmp = PTO_NE;
        x.op.ftz = false;
        x.c.kind = (pto_mask_kind)any(i / MODEL_SETP_TYPES % KINDS, MODEL_KINDS);
        x.p.kind = (pto_mask_kind)any(i / MODEL_SETP_TYPES / KINDS % KINDS, MODEL_KINDS);
        x.q.kind = (pto_mask_kind)any(i / MODEL_SETP_TYPES / KINDS / KINDS, MODEL_KINDS);
        x.n = i % 3 ? 50 : 0;
        good = fits(x.c, x.op.type) && fits(x.p, x.op.type) && fits(x.q, x.op.type);
        r->now.type = (int)x.op.type;
        arena_expect(r, arena, call_setp(s, &x), good ? PTO_OK : PTO_ERR_MASK, "mask kinds");
    }
    r->now.type = -1;
}

void check_setp_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    struct setp_arguments x;

    arena_fill(&arena, "setp status");
    report_call(r, "setp", NULL);
    setp_order(s, r, &arena);
    setp_nulls(s, r, &arena);
    setp_without_boolop(s, r, &arena);
    setp_legality(s, r, &arena);
    setp_kinds(s, r, &arena);
    x = good_setp(&arena);
    x.n = SIZE_MAX / 16;
    arena_expect(r, &arena, call_setp(s, &x), PTO_ERR_OVERLAP, "the largest n");
}

/* ---- set ---- */

struct set_arguments {
    pto_set_op op;
    const void *a, *b;
    pto_mask c;
    void *dst;
    size_t n;
};

static pto_status call_set(const struct subject *s, const struct set_arguments *x) {
    return s->set(x->op, x->a, x->b, x->c, x->dst, x->n);
}

static struct set_arguments good_set(struct arena *arena) {
    unsigned char *const m = arena->bytes;
    const struct set_arguments x = {{PTO_F16, PTO_F32, PTO_LT, PTO_XOR, true, true},
                                    m,
                                    m + 512,
                                    pto_mask_at(m + 1024, PTO_MASK_B32),
                                    m + 1536,
                                    100};
    return x;
}

static void set_order(const struct subject *s, struct report *r, struct arena *arena) {
    for (unsigned defects = 0; defects < 2 * DEFECTS; defects++) {
        struct set_arguments x = good_set(arena);
        if (defects & OVERLAP) x.dst = arena->bytes + 510;
        if (defects & NULLS) x.a = NULL;
        if (defects & TYPE) x.op.dtype = PTO_F64;
        if (defects & OP) x.op.cmp = PTO_LO;
        if (defects & MODIFIER) x.op.boolop = (pto_boolop)-1;
        if (defects & MASK) x.c.kind = PTO_MASK_B16; /* the width of dtype, not of stype */
        if (defects >= DEFECTS) x.n = 0;
        r->now.n = x.n;
        arena_expect(r, arena, call_set(s, &x), first_status(counting(defects)), "order of the checks");
    }
}

static void set_pointers(const struct subject *s, struct report *r, struct arena *arena) {
    struct set_arguments x = good_set(arena);
    x.b = NULL;
    arena_expect(r, arena, call_set(s, &x), PTO_ERR_NULL, "b NULL");
    x = good_set(arena);
    x.dst = NULL;
    arena_expect(r, arena, call_set(s, &x), PTO_ERR_NULL, "dst NULL");
    x = good_set(arena);
    x.c.data = NULL;
    arena_expect(r, arena, call_set(s, &x), PTO_ERR_NULL, "c NULL with a BoolOp");
    x.a = x.b = x.dst = NULL;
    x.n = 0;
    arena_expect(r, arena, call_set(s, &x), PTO_OK, "all NULL, n == 0");
    x = good_set(arena);
    x.op.boolop = PTO_BOOL_NONE;
    arena_expect(r, arena, call_set(s, &x), PTO_ERR_MODIFIER, "c without a BoolOp");
    x.c = PTO_NO_MASK;
    arena_expect(r, arena, call_set(s, &x), PTO_ERR_MODIFIER, "not_c without a BoolOp");
    x.op.not_c = false;
    arena_expect(r, arena, call_set(s, &x), PTO_OK, "neither");
    x.n = SIZE_MAX / 16;
    arena_expect(r, arena, call_set(s, &x), PTO_ERR_OVERLAP, "the largest n");
}

static void set_legality(const struct subject *s, struct report *r, struct arena *arena) {
    enum { TYPES = MODEL_DTYPES + NONSENSE, OPS = MODEL_OPS + 2 };
    for (int i = 0; i < TYPES * TYPES * OPS * 2; i++) {
        struct set_arguments x = good_set(arena);
        x.op.ftz = i % 2;
        x.op.cmp = (pto_cmp)any(i / 2 % OPS, MODEL_OPS);
        x.op.stype = (pto_dtype)any(i / (2 * OPS) % TYPES, MODEL_DTYPES);
        x.op.dtype = (pto_dtype)any(i / (2 * OPS * TYPES), MODEL_DTYPES);
        x.op.boolop = (pto_boolop)(i % 4 + 1); /* 4 is invalid */
        x.c = pto_bytes(arena->bytes + 1024);
        x.n = i % 3 ? 30 : 0;
        r->now.type = (int)x.op.stype;
        r->now.op = (int)x.op.cmp;
        arena_expect(r, arena, call_set(s, &x), model_set_status(x.op), "legality");
    }
    r->now.type = r->now.op = -1;
}

static void set_kinds(const struct subject *s, struct report *r, struct arena *arena) {
    for (int i = 0; i < MODEL_SETP_TYPES * KINDS; i++) {
        struct set_arguments x = good_set(arena);
        x.op.stype = model_setp_types[i % MODEL_SETP_TYPES];
        x.op.dtype = PTO_U32;
        x.op.cmp = PTO_EQ;
        x.op.ftz = false;
        x.c.kind = (pto_mask_kind)any(i / MODEL_SETP_TYPES, MODEL_KINDS);
        x.n = i % 3 ? 50 : 0;
        r->now.type = (int)x.op.stype;
        arena_expect(r, arena, call_set(s, &x), fits(x.c, x.op.stype) ? PTO_OK : PTO_ERR_MASK, "mask kinds");
    }
    r->now.type = -1;
}

/** Checks set on packed integer types, which takes neither c nor modifiers. */
static void set_packed(const struct subject *s, struct report *r, struct arena *arena) {
    for (size_t i = MODEL_SETP_TYPES; i < MODEL_SET_TYPES; i++) {
        struct set_arguments x = good_set(arena);
        x.op = (pto_set_op){.dtype = model_set_types[i], .stype = model_set_types[i], .cmp = PTO_LE};
        r->now.type = (int)x.op.stype;
        arena_expect(r, arena, call_set(s, &x), PTO_ERR_MODIFIER, "packed, c");
        x.c = PTO_NO_MASK;
        arena_expect(r, arena, call_set(s, &x), PTO_OK, "packed");
        x.op.ftz = true;
        arena_expect(r, arena, call_set(s, &x), PTO_ERR_MODIFIER, "packed, .ftz");
        x.op.cmp = PTO_LTU;
        arena_expect(r, arena, call_set(s, &x), PTO_ERR_OP, "packed, the operator before .ftz");
        x.op.dtype = PTO_U32;
        arena_expect(r, arena, call_set(s, &x), PTO_ERR_TYPE, "packed, to u32");
    }
    r->now.type = -1;
}

void check_set_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "set status");
    report_call(r, "set", NULL);
    set_order(s, r, &arena);
    set_pointers(s, r, &arena);
    set_legality(s, r, &arena);
    set_kinds(s, r, &arena);
    set_packed(s, r, &arena);
}

/* ---- selp, slct, vcmpsel ---- */

static bool selp_has(pto_dtype type) {
    for (size_t i = 0; i < MODEL_SELP_TYPES; i++) {
        if (model_selp_types[i] == type) return true;
    }
    return false;
}

static void selp_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    unsigned char *const m = arena->bytes;
    const pto_mask p = pto_packed(m + 1024);

    report_call(r, "selp", NULL);
    arena_expect(r, arena, s->selp(PTO_F32, NULL, m, p, m + 2048, 9), PTO_ERR_NULL, "a NULL");
    arena_expect(r, arena, s->selp(PTO_F32, m, NULL, p, m + 2048, 9), PTO_ERR_NULL, "b NULL");
    arena_expect(r, arena, s->selp(PTO_F32, m, m, PTO_NO_MASK, m + 2048, 9), PTO_ERR_NULL, "p NULL");
    arena_expect(r, arena, s->selp(PTO_F32, m, m, p, NULL, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, s->selp(PTO_F16, m, m, p, NULL, 9), PTO_ERR_NULL, "NULL before the type");
    arena_expect(r, arena, s->selp(PTO_F32, NULL, NULL, PTO_NO_MASK, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, s->selp(PTO_F64, m, m, p, m + 1600, SIZE_MAX / 16), PTO_ERR_OVERLAP,
                 "the largest n");
    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * KINDS; i++) {
        const pto_dtype type = (pto_dtype)any(i / KINDS, MODEL_DTYPES);
        const pto_mask mask = pto_mask_at(m + 1024, (pto_mask_kind)any(i % KINDS, MODEL_KINDS));
        const pto_status want = !selp_has(type) ? PTO_ERR_TYPE : fits(mask, type) ? PTO_OK : PTO_ERR_MASK;
        r->now.type = (int)type;
        arena_expect(r, arena, s->selp(type, m, m + 512, mask, m + 2048, i % 3 ? 40 : 0), want,
                     "types, mask kinds");
    }
}

static void slct_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    unsigned char *const m = arena->bytes;

    report_call(r, "slct", NULL);
    for (unsigned i = 0; i < 16; i++) { /* one of the pointers is NULL, or none */
        const pto_dtype type = i % 2 ? PTO_F32 : PTO_F16;
        const pto_status none = type == PTO_F32 ? PTO_OK : PTO_ERR_TYPE;
        const void *a = i / 2 == 0 ? NULL : m, *b = i / 2 == 1 ? NULL : m, *c = i / 2 == 2 ? NULL : m;
        void *dst = i / 2 == 3 ? NULL : m + 2048;
        const pto_status want = i / 2 < 4 ? PTO_ERR_NULL : none;
        arena_expect(r, arena, s->slct(type, PTO_S32, false, a, b, c, dst, 7), want, "NULL");
    }
    arena_expect(r, arena, s->slct(PTO_F32, PTO_S32, false, NULL, NULL, NULL, NULL, 0), PTO_OK, "n == 0");
    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * (MODEL_DTYPES + NONSENSE) * 2; i++) {
        const pto_dtype type = (pto_dtype)any(i / 2 % (MODEL_DTYPES + NONSENSE), MODEL_DTYPES);
        const pto_dtype ctype = (pto_dtype)any(i / 2 / (MODEL_DTYPES + NONSENSE), MODEL_DTYPES);
        const bool types = selp_has(type) && (ctype == PTO_S32 || ctype == PTO_F32), ftz = i % 2;
        const pto_status want = !types ? PTO_ERR_TYPE : ftz && ctype == PTO_S32 ? PTO_ERR_MODIFIER : PTO_OK;
        r->now.type = (int)type;
        arena_expect(r, arena, s->slct(type, ctype, ftz, m, m + 512, m + 1024, m + 2048, i % 3 ? 40 : 0),
                     want, "types");
    }
    arena_expect(r, arena, s->slct(PTO_F32, PTO_S32, true, m, m, m, m + 3, 9), PTO_ERR_MODIFIER,
                 "before overlap");
    arena_expect(r, arena, s->slct(PTO_U64, PTO_S32, false, m + 8, m + 8, m, m, SIZE_MAX / 16),
                 PTO_ERR_OVERLAP, "the largest n");
}

static pto_status fused_legality(pto_dtype type, pto_cmp op, unsigned flags) {
    if (!model_has_type(type)) return PTO_ERR_TYPE;
    if (!model_has_op(type, op)) return PTO_ERR_OP;
    if (flags & ~(unsigned)PTO_FTZ) return PTO_ERR_MODIFIER;
    return flags && !model_has_ftz(type) ? PTO_ERR_MODIFIER : PTO_OK;
}

static pto_in input(const void *data, bool scalar) {
    return scalar ? pto_in_scalar(data) : pto_in_array(data);
}

static void vcmpsel_order(const struct subject *s, struct report *r, struct arena *arena) {
    unsigned char *const m = arena->bytes;
    for (unsigned i = 0; i < 2 * DEFECTS * 4 * 16; i++) {
        const unsigned defects = i % (2 * DEFECTS), which = i / (2 * DEFECTS) % 4,
                       scalars = i / (2 * DEFECTS * 4);
        pto_in in[4];
        if (defects & MASK) continue; /* vcmpsel has no mask */
        for (unsigned k = 0; k < 4; k++) {
            in[k] = input((defects & NULLS) && k == which ? NULL : m + (size_t)512 * k, scalars >> k & 1);
        }
        arena_expect(r, arena,
                     s->vcmpsel(defects & TYPE ? PTO_TF32 : PTO_F32, defects & OP ? PTO_LO : PTO_LT,
                                defects & MODIFIER ? PTO_MERGE : 0, in[0], in[1], in[2], in[3],
                                defects & OVERLAP ? m + (size_t)512 * ((which + 1) % 4) + 1 : m + 2048,
                                defects >= DEFECTS ? 0 : 60),
                     first_status(counting(defects)), "order of the checks");
    }
    arena_expect(r, arena,
                 s->vcmpsel(PTO_TF32, PTO_LT, 0, pto_in_array(m), pto_in_array(m), pto_in_array(m),
                            pto_in_array(m), NULL, 3),
                 PTO_ERR_NULL, "dst NULL");
}

static void vcmpsel_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    static const unsigned flags[] = {0, PTO_FTZ, PTO_MERGE, PTO_FTZ | PTO_MERGE, 4, 0x80000000U, UINT_MAX};
    unsigned char *const m = arena->bytes;

    report_call(r, "vcmpsel", NULL);
    vcmpsel_order(s, r, arena);
    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * (MODEL_OPS + NONSENSE) * 7; i++) {
        const unsigned f = flags[i % 7];
        const pto_cmp op = (pto_cmp)any(i / 7 % (MODEL_OPS + NONSENSE), MODEL_OPS);
        const pto_dtype type = (pto_dtype)any(i / 7 / (MODEL_OPS + NONSENSE), MODEL_DTYPES);
        r->now.type = (int)type;
        r->now.op = (int)op;
        arena_expect(r, arena,
                     s->vcmpsel(type, op, f, pto_in_array(m), pto_in_scalar(m), pto_in_array(m + 512),
                                pto_in_array(m + 1024), m + 2048, i % 3 ? 30 : 0),
                     fused_legality(type, op, f), "legality");
    }
    r->now.type = r->now.op = -1;
    arena_expect(r, arena,
                 s->vcmpsel(PTO_F64, PTO_LT, 0, pto_in_scalar(m), pto_in_scalar(m + 8), pto_in_scalar(m + 16),
                            pto_in_array(m + 512), m + 1024, SIZE_MAX / 16),
                 PTO_ERR_OVERLAP, "the largest n");
}

void check_choose_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "choose status");
    selp_statuses(s, r, &arena);
    slct_statuses(s, r, &arena);
    vcmpsel_statuses(s, r, &arena);
}

/* ---- SETcc ---- */

static bool is_integer(pto_dtype type) {
    return model_has_type(type) && !model_is_float(type);
}

static void flags_statuses(const struct subject *s, struct report *r, struct arena *arena, flags_call *call,
                           bool integers) {
    unsigned char *const m = arena->bytes;
    uint32_t *const eflags = (uint32_t *)(void *)(m + 2048);
    const pto_dtype good = integers ? PTO_U32 : PTO_F32;
    (void)s;

    arena_expect(r, arena, call(good, NULL, m, eflags, 9), PTO_ERR_NULL, "a NULL");
    arena_expect(r, arena, call(good, m, NULL, eflags, 9), PTO_ERR_NULL, "b NULL");
    arena_expect(r, arena, call(good, m, m, NULL, 9), PTO_ERR_NULL, "eflags NULL");
    arena_expect(r, arena, call(PTO_TF32, m, m, NULL, 9), PTO_ERR_NULL, "NULL before the type");
    arena_expect(r, arena, call(good, NULL, NULL, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, call(good, m, m + 512, eflags, SIZE_MAX / 16), PTO_ERR_OVERLAP, "the largest n");
    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * 2; i++) {
        const pto_dtype type = (pto_dtype)any(i / 2, MODEL_DTYPES);
        const bool has = integers ? is_integer(type) : model_is_float(type) && !model_is_small(type);
        r->now.type = (int)type;
        arena_expect(r, arena, call(type, m, m + 512, eflags, i % 2 ? 40 : 0), has ? PTO_OK : PTO_ERR_TYPE,
                     "types");
    }
    r->now.type = -1;
}

static void setcc_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    unsigned char *const m = arena->bytes;
    const uint32_t *const eflags = (const uint32_t *)(const void *)m;

    report_call(r, "setcc", NULL);
    arena_expect(r, arena, s->setcc(PTO_CC_A, NULL, m + 2048, 9), PTO_ERR_NULL, "eflags NULL");
    arena_expect(r, arena, s->setcc(PTO_CC_A, eflags, NULL, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, s->setcc((pto_cc)16, eflags, NULL, 9), PTO_ERR_NULL, "NULL before the condition");
    arena_expect(r, arena, s->setcc(PTO_CC_A, NULL, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, s->setcc((pto_cc)16, eflags, m + 2, 9), PTO_ERR_OP,
                 "the condition before overlap");
    arena_expect(r, arena, s->setcc(PTO_CC_A, eflags, m + 2048, SIZE_MAX / 16), PTO_ERR_OVERLAP,
                 "the largest n");
    for (int i = 0; i < (MODEL_CCS + NONSENSE) * 2; i++) {
        const int cc = any(i / 2, MODEL_CCS);
        arena_expect(r, arena, s->setcc((pto_cc)cc, eflags, m + 2048, i % 2 ? 40 : 0),
                     cc >= 0 && cc < MODEL_CCS ? PTO_OK : PTO_ERR_OP, "conditions");
    }
}

static void cmp_setcc_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    unsigned char *const m = arena->bytes;

    report_call(r, "cmp_setcc", NULL);
    for (unsigned defects = 0; defects < 2 * DEFECTS; defects++) {
        if (defects & (MODIFIER | MASK)) continue;
        arena_expect(r, arena,
                     s->cmp_setcc(defects & OP ? (pto_cc)-1 : PTO_CC_L, defects & TYPE ? PTO_E5M2 : PTO_F64,
                                  defects & NULLS ? NULL : m, m + 512, defects & OVERLAP ? m + 512 : m + 2048,
                                  defects >= DEFECTS ? 0 : 40),
                     first_status(counting(defects)), "order of the checks");
    }
    arena_expect(r, arena, s->cmp_setcc(PTO_CC_L, PTO_U8, m, NULL, m + 512, 3), PTO_ERR_NULL, "b NULL");
    arena_expect(r, arena, s->cmp_setcc(PTO_CC_L, PTO_U8, m, m, NULL, 3), PTO_ERR_NULL, "dst NULL");
    for (int i = 0; i < (MODEL_DTYPES + NONSENSE) * (MODEL_CCS + NONSENSE); i++) {
        const pto_dtype type = (pto_dtype)any(i / (MODEL_CCS + NONSENSE), MODEL_DTYPES);
        const int cc = any(i % (MODEL_CCS + NONSENSE), MODEL_CCS);
        const bool has = model_has_type(type) && !model_is_small(type);
        const pto_status want = !has ? PTO_ERR_TYPE : cc < 0 || cc >= MODEL_CCS ? PTO_ERR_OP : PTO_OK;
        r->now.type = (int)type;
        arena_expect(r, arena, s->cmp_setcc((pto_cc)cc, type, m, m + 512, m + 2048, i % 3 ? 40 : 0), want,
                     "types and conditions");
    }
}

void check_setcc_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "setcc status");
    report_call(r, "flags_cmp", NULL);
    flags_statuses(s, r, &arena, s->flags_cmp, true);
    report_call(r, "flags_test", NULL);
    flags_statuses(s, r, &arena, s->flags_test, true);
    report_call(r, "flags_ucomi", NULL);
    flags_statuses(s, r, &arena, s->flags_ucomi, false);
    setcc_statuses(s, r, &arena);
    cmp_setcc_statuses(s, r, &arena);
}
