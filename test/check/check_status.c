/* SPDX-License-Identifier: MIT */
/* Checks the statuses of vcmp, vsel, mask and vexp calls: each can be reached, in the documented order, and a
 * refused call writes nothing. */
#include "support/arena.h"
#include "check/checks.h"

#include <limits.h>
/** Values that are not enumerators of the header. */
static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, MODEL_DTYPES, 255, 256, 65536};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0], DTYPES = MODEL_DTYPES };

/* ---- vcmp, vcmps ---- */

/** The arguments of vcmp or vcmps. For vcmps, src1 points to a scalar. */
struct vcmp_arguments {
    pto_dtype type;
    pto_cmp op;
    unsigned flags;
    const void *src0, *src1;
    pto_mask seed, dst;
    size_t n;
};

static pto_status call_vcmp(vcmp_call *call, const struct vcmp_arguments *x) {
    return call(x->type, x->op, x->flags, x->src0, x->src1, x->seed, x->dst, x->n);
}

static struct vcmp_arguments good_vcmp(struct arena *arena) {
    const struct vcmp_arguments x = {PTO_F32,
                                     PTO_LT,
                                     PTO_FTZ,
                                     arena->bytes,
                                     arena->bytes + 512,
                                     pto_mask_at(arena->bytes + 1024, PTO_MASK_B32),
                                     pto_packed(arena->bytes + 1536),
                                     100};
    return x;
}

/** Makes the call and checks its status, and that a refused call writes nothing. */
static void expect_vcmp(struct report *r, struct arena *arena, vcmp_call *call,
                        const struct vcmp_arguments *x, pto_status want, const char *detail) {
    r->now.type = (int)x->type;
    r->now.op = (int)x->op;
    r->now.flags = (int)x->flags;
    r->now.kinds[0] = x->seed.data ? (int)x->seed.kind : -1;
    r->now.kinds[1] = (int)x->dst.kind;
    r->now.n = x->n;
    arena_expect(r, arena, call_vcmp(call, x), want, detail);
}

/** The defects of a call: one bit per status, in the order of the checks. */
enum defect {
    NULL_POINTER = 1,
    BAD_TYPE = 2,
    BAD_OP = 4,
    BAD_FLAG = 8,
    BAD_KIND = 16,
    OVERLAP = 32,
    ALL_DEFECTS = 64
};

static pto_status first_status(unsigned defects) {
    if (defects & NULL_POINTER) return PTO_ERR_NULL;
    if (defects & BAD_TYPE) return PTO_ERR_TYPE;
    if (defects & BAD_OP) return PTO_ERR_OP;
    if (defects & BAD_FLAG) return PTO_ERR_MODIFIER;
    if (defects & BAD_KIND) return PTO_ERR_MASK;
    return defects & OVERLAP ? PTO_ERR_OVERLAP : PTO_OK;
}

static void vcmp_order(struct report *r, struct arena *arena, vcmp_call *call) {
    for (unsigned defects = 0; defects < 2 * ALL_DEFECTS; defects++) {
        struct vcmp_arguments x = good_vcmp(arena);
        unsigned counted = defects % ALL_DEFECTS;
        const bool empty = defects >= ALL_DEFECTS;

        if (defects & OVERLAP) x.dst.data = arena->bytes + 512 + 3; /* in src1, even if that is one scalar */
        if (defects & NULL_POINTER) x.src0 = NULL;
        if (defects & BAD_TYPE) x.type = PTO_TF32;
        if (defects & BAD_OP) x.op = PTO_HI;
        if (defects & BAD_FLAG) x.flags = 4;
        if (defects & BAD_KIND) x.dst.kind = PTO_MASK_B16;
        if (empty) {
            x.n = 0;
            counted &= ~(unsigned)(NULL_POINTER | OVERLAP);
        }
        expect_vcmp(r, arena, call, &x, first_status(counted), "order of the checks");
    }
}

static void vcmp_nulls(struct report *r, struct arena *arena, vcmp_call *call) {
    for (int which = 0; which < 5; which++) {
        static const char *const details[] = {"src0 NULL", "src1 NULL", "dst NULL", "seed NULL",
                                              "all NULL, n == 0"};
        struct vcmp_arguments x = good_vcmp(arena);
        if (which == 0 || which == 4) x.src0 = NULL;
        if (which == 1 || which == 4) x.src1 = NULL;
        if (which == 2 || which == 4) x.dst.data = NULL;
        if (which == 3 || which == 4) x.seed = PTO_NO_MASK;
        if (which == 4) x.n = 0;
        expect_vcmp(r, arena, call, &x, which < 3 ? PTO_ERR_NULL : PTO_OK, details[which]);
    }
}

static pto_status legality(pto_dtype type, pto_cmp op, unsigned flags) {
    if (!model_has_type(type)) return PTO_ERR_TYPE;
    if (!model_has_op(type, op)) return PTO_ERR_OP;
    if (flags & ~(unsigned)(PTO_FTZ | PTO_MERGE)) return PTO_ERR_MODIFIER;
    return (flags & PTO_FTZ) && !model_has_ftz(type) ? PTO_ERR_MODIFIER : PTO_OK;
}

/** Tries every type with every operator and set of flags, valid or not. */
static void vcmp_legality(struct report *r, struct arena *arena, vcmp_call *call) {
    static const unsigned flags[] = {0, 1, 2, 3, 4, 5, 6, 8, 16, 0x80000000U, 0x80000001U, UINT_MAX};
    for (int t = 0; t < DTYPES + NONSENSE; t++) {
        for (int o = 0; o < MODEL_OPS + NONSENSE; o++) {
            for (size_t f = 0; f < sizeof flags / sizeof flags[0]; f++) {
                struct vcmp_arguments x = good_vcmp(arena);
                x.type = (pto_dtype)(t < DTYPES ? t : nonsense[t - DTYPES]);
                x.op = (pto_cmp)(o < MODEL_OPS ? o : nonsense[o - MODEL_OPS]);
                x.flags = flags[f];
                x.seed = pto_bytes(arena->bytes + 1024);
                x.n = f % 2 ? 0 : 30; /* n == 0 is checked, too */
                expect_vcmp(r, arena, call, &x, legality(x.type, x.op, x.flags), "legality");
            }
        }
    }
}

static bool kind_fits(int kind, pto_dtype type) {
    return kind >= 0 && kind < MODEL_KINDS && model_kind_fits((pto_mask_kind)kind, type);
}

static int any_kind(int number) {
    return number < MODEL_KINDS ? number : nonsense[number - MODEL_KINDS];
}

enum { KINDS_AND_NONSENSE = MODEL_KINDS + 4 };

static void vcmp_kinds(struct report *r, struct arena *arena, vcmp_call *call) {
    for (int i = 0; i < MODEL_TYPES * KINDS_AND_NONSENSE * KINDS_AND_NONSENSE; i++) {
        const int seed = any_kind(i / MODEL_TYPES % KINDS_AND_NONSENSE);
        const int dst = any_kind(i / MODEL_TYPES / KINDS_AND_NONSENSE);
        struct vcmp_arguments x = good_vcmp(arena);
        x.type = model_types[i % MODEL_TYPES];
        x.op = PTO_EQ;
        x.flags = 0;
        x.seed.kind = (pto_mask_kind)seed;
        x.dst.kind = (pto_mask_kind)dst;
        x.n = i % 3 ? 50 : 0;
        expect_vcmp(r, arena, call, &x,
                    kind_fits(seed, x.type) && kind_fits(dst, x.type) ? PTO_OK : PTO_ERR_MASK, "mask kinds");
    }
}

/** Tries the largest legal n: sizes must not wrap around, and the overlap must be found. */
static void vcmp_huge(struct report *r, struct arena *arena, vcmp_call *call, bool with_scalar) {
    struct vcmp_arguments x = good_vcmp(arena);
    x.n = SIZE_MAX / 16;
    x.type = PTO_F64;
    x.op = PTO_EQ;
    x.flags = 0;
    x.seed = PTO_NO_MASK;
    x.dst = pto_bytes(arena->bytes + 2000);
    if (!with_scalar) x.src0 = x.src1;
    expect_vcmp(r, arena, call, &x, PTO_ERR_OVERLAP, "the largest n");
    x.type = PTO_TF32;
    expect_vcmp(r, arena, call, &x, PTO_ERR_TYPE, "the largest n");
}

void check_compare_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    vcmp_call *const calls[] = {s->vcmp, s->vcmps};

    arena_fill(&arena, "compare status");
    for (int i = 0; i < 2; i++) {
        report_call(r, i == 0 ? "vcmp" : "vcmps", NULL);
        vcmp_order(r, &arena, calls[i]);
        vcmp_nulls(r, &arena, calls[i]);
        vcmp_legality(r, &arena, calls[i]);
        vcmp_kinds(r, &arena, calls[i]);
        vcmp_huge(r, &arena, calls[i], i == 1);
    }
}

/* ---- vsel, vselr, vselrv2, vbr ---- */

static void vsel_order(struct report *r, struct arena *arena, vsel_call *call) {
    for (unsigned defects = 0; defects < 2 * ALL_DEFECTS; defects++) {
        unsigned char *const p = arena->bytes;
        const bool empty = defects >= ALL_DEFECTS;
        const pto_mask_kind kind = defects & BAD_KIND ? PTO_MASK_B64 : PTO_MASK_B16;
        void *dst = defects & OVERLAP ? p + 511 : p + 1536;
        unsigned counted = defects % ALL_DEFECTS;

        if (defects & (BAD_OP | BAD_FLAG)) continue; /* vsel has neither */
        if (empty) counted &= ~(unsigned)(NULL_POINTER | OVERLAP);
        arena_expect(r, arena,
                     call(defects & BAD_TYPE ? PTO_E2M1 : PTO_BF16, defects & NULL_POINTER ? NULL : p,
                          p + 512, pto_mask_at(p + 1024, kind), dst, empty ? 0 : 40),
                     first_status(counted), "order of the checks");
    }
}

static void vsel_nulls(struct report *r, struct arena *arena, vsel_call *call) {
    unsigned char *const p = arena->bytes;
    const pto_mask m = pto_packed(p + 1024);
    arena_expect(r, arena, call(PTO_F32, NULL, p, m, p + 2048, 9), PTO_ERR_NULL, "src0 NULL");
    arena_expect(r, arena, call(PTO_F32, p, NULL, m, p + 2048, 9), PTO_ERR_NULL, "src1 NULL");
    arena_expect(r, arena, call(PTO_F32, p, p, PTO_NO_MASK, p + 2048, 9), PTO_ERR_NULL, "mask NULL");
    arena_expect(r, arena, call(PTO_F32, p, p, m, NULL, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, call(PTO_F32, NULL, NULL, PTO_NO_MASK, NULL, 0), PTO_OK, "all NULL, n == 0");
}

static void vsel_types(struct report *r, struct arena *arena, vsel_call *call) {
    unsigned char *const p = arena->bytes;
    for (int i = 0; i < (DTYPES + NONSENSE) * KINDS_AND_NONSENSE; i++) {
        const int t = i / KINDS_AND_NONSENSE;
        const pto_dtype type = (pto_dtype)(t < DTYPES ? t : nonsense[t - DTYPES]);
        const int kind = any_kind(i % KINDS_AND_NONSENSE);
        const pto_status want = !model_has_type(type)   ? PTO_ERR_TYPE
                                : kind_fits(kind, type) ? PTO_OK
                                                        : PTO_ERR_MASK;
        r->now.type = (int)type;
        r->now.kinds[0] = kind;
        arena_expect(
            r, arena,
            call(type, p, p + 512, pto_mask_at(p + 1024, (pto_mask_kind)kind), p + 2048, i % 3 ? 40 : 0),
            want, "types and mask kinds");
    }
}

static void vbr_statuses(struct report *r, struct arena *arena, vbr_call *call) {
    unsigned char *const p = arena->bytes;

    report_call(r, "vbr", NULL);
    arena_expect(r, arena, call(PTO_F32, NULL, p, 5), PTO_ERR_NULL, "scalar NULL");
    arena_expect(r, arena, call(PTO_F32, p, NULL, 5), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, call(PTO_F32, NULL, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, call(PTO_TF32, NULL, p, 5), PTO_ERR_NULL, "NULL before the type");
    arena_expect(r, arena, call(PTO_TF32, p + 1, p, 5), PTO_ERR_TYPE, "the type before overlap");
    arena_expect(r, arena, call(PTO_TF32, NULL, NULL, 0), PTO_ERR_TYPE, "the type for n == 0 too");
    arena_expect(r, arena, call(PTO_F64, p + 1600, p, SIZE_MAX / 16), PTO_ERR_OVERLAP, "the largest n");
    for (int t = 0; t < DTYPES + NONSENSE; t++) {
        const pto_dtype type = (pto_dtype)(t < DTYPES ? t : nonsense[t - DTYPES]);
        r->now.type = (int)type;
        arena_expect(r, arena, call(type, p, p + 512, 5), model_has_type(type) ? PTO_OK : PTO_ERR_TYPE,
                     "types");
    }
}

void check_select_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    static const char *const names[] = {"vsel", "vselr", "vselrv2"};
    vsel_call *const calls[] = {s->vsel, s->vselr, s->vselrv2};

    arena_fill(&arena, "select status");
    for (int i = 0; i < 3; i++) {
        report_call(r, names[i], NULL);
        vsel_order(r, &arena, calls[i]);
        vsel_nulls(r, &arena, calls[i]);
        vsel_types(r, &arena, calls[i]);
    }
    vbr_statuses(r, &arena, s->vbr);
}

/* ---- masks ---- */

static void binary_statuses(struct report *r, struct arena *arena, mask_binary_call *call) {
    unsigned char *const p = arena->bytes;
    const pto_mask a = pto_packed(p), b = pto_bytes(p + 512), dst = pto_packed(p + 1024), none = PTO_NO_MASK;
    const pto_mask bad = pto_mask_at(NULL, (pto_mask_kind)6);

    arena_expect(r, arena, call(none, b, dst, 64), PTO_ERR_NULL, "a NULL");
    arena_expect(r, arena, call(a, none, dst, 64), PTO_ERR_NULL, "b NULL");
    arena_expect(r, arena, call(a, b, none, 64), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, call(none, none, none, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, call(bad, b, dst, 64), PTO_ERR_NULL, "NULL before the kind");
    arena_expect(r, arena, call(bad, none, none, 0), PTO_ERR_MASK, "the kind of a for n == 0 too");
    arena_expect(r, arena, call(none, bad, none, 0), PTO_ERR_MASK, "the kind of b for n == 0 too");
    arena_expect(r, arena, call(none, none, bad, 0), PTO_ERR_MASK, "the kind of dst for n == 0 too");
    arena_expect(r, arena, call(a, b, pto_bytes(p + 530), SIZE_MAX / 16), PTO_ERR_OVERLAP, "the largest n");
    for (int i = 0; i < NONSENSE; i++) {
        const pto_mask_kind kind = (pto_mask_kind)nonsense[i];
        arena_expect(r, arena, call(pto_mask_at(p, kind), b, dst, 64), PTO_ERR_MASK, "the kind of a");
        arena_expect(r, arena, call(a, pto_mask_at(p, kind), dst, 64), PTO_ERR_MASK, "the kind of b");
        arena_expect(r, arena, call(a, b, pto_mask_at(p + 1, kind), 64), PTO_ERR_MASK,
                     "the kind of dst, before overlap");
    }
}

static void unary_statuses(struct report *r, struct arena *arena, mask_unary_call *call) {
    unsigned char *const p = arena->bytes;
    const pto_mask a = pto_packed(p), dst = pto_packed(p + 1024), none = PTO_NO_MASK;
    const pto_mask bad = pto_mask_at(NULL, (pto_mask_kind)6);

    arena_expect(r, arena, call(none, dst, 64), PTO_ERR_NULL, "a NULL");
    arena_expect(r, arena, call(a, none, 64), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, call(none, none, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, call(bad, dst, 64), PTO_ERR_NULL, "NULL before the kind");
    arena_expect(r, arena, call(bad, none, 0), PTO_ERR_MASK, "the kind of a for n == 0 too");
    arena_expect(r, arena, call(none, bad, 0), PTO_ERR_MASK, "the kind of dst for n == 0 too");
    for (int i = 0; i < NONSENSE; i++) {
        const pto_mask_kind kind = (pto_mask_kind)nonsense[i];
        arena_expect(r, arena, call(pto_mask_at(p, kind), dst, 64), PTO_ERR_MASK, "the kind of a");
        arena_expect(r, arena, call(a, pto_mask_at(p + 1, kind), 64), PTO_ERR_MASK,
                     "the kind of dst, before overlap");
    }
}

static void sel_statuses(struct report *r, struct arena *arena, mask_sel_call *call) {
    unsigned char *const p = arena->bytes;
    const pto_mask a = pto_packed(p), b = pto_bytes(p + 512), sel = pto_packed(p + 1024),
                   dst = pto_packed(p + 1536);
    const pto_mask none = PTO_NO_MASK;

    arena_expect(r, arena, call(none, b, sel, dst, 64), PTO_ERR_NULL, "a NULL");
    arena_expect(r, arena, call(a, none, sel, dst, 64), PTO_ERR_NULL, "b NULL");
    arena_expect(r, arena, call(a, b, none, dst, 64), PTO_ERR_NULL, "sel NULL");
    arena_expect(r, arena, call(a, b, sel, none, 64), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, call(none, none, none, none, 0), PTO_OK, "all NULL, n == 0");
    for (int i = 0; i < NONSENSE; i++) {
        const pto_mask bad = pto_mask_at(p + 1, (pto_mask_kind)nonsense[i]);
        arena_expect(r, arena, call(bad, b, sel, dst, i), PTO_ERR_MASK, "the kind of a");
        arena_expect(r, arena, call(a, bad, sel, dst, i), PTO_ERR_MASK, "the kind of b");
        arena_expect(r, arena, call(a, b, bad, dst, i), PTO_ERR_MASK, "the kind of sel");
        arena_expect(r, arena, call(a, b, sel, bad, i), PTO_ERR_MASK, "the kind of dst, before overlap");
    }
}

/** A query on a mask, whose result is either a number or a truth value. */
struct query {
    mask_size_call *number;
    mask_bool_call *truth;
};

static pto_status run_query(const struct query *q, pto_mask m, size_t n, size_t *number, bool *truth) {
    if (q->number) return q->number(m, n, number);
    if (q->truth) return q->truth(m, n, truth);
    return PTO_ERR_PATTERN; /* the table below has an empty row */
}

/** Checks the statuses of a query. A NULL pointer to the result is an error even for n == 0. */
static void query_statuses(struct report *r, struct arena *arena, const struct query *q) {
    unsigned char *const p = arena->bytes;
    const pto_mask bad = pto_mask_at(p, (pto_mask_kind)-1);
    size_t number = 7;
    bool truth = true;

    arena_expect(r, arena, run_query(q, PTO_NO_MASK, 9, &number, &truth), PTO_ERR_NULL, "data NULL");
    arena_expect(r, arena, run_query(q, pto_packed(p), 9, NULL, NULL), PTO_ERR_NULL, "out NULL");
    arena_expect(r, arena, run_query(q, pto_packed(p), 0, NULL, NULL), PTO_ERR_NULL, "out NULL, n == 0");
    arena_expect(r, arena, run_query(q, bad, 9, NULL, NULL), PTO_ERR_NULL, "NULL before the kind");
    arena_expect(r, arena, run_query(q, bad, 9, &number, &truth), PTO_ERR_MASK, "the kind");
    arena_expect(r, arena, run_query(q, bad, 0, &number, &truth), PTO_ERR_MASK, "the kind, n == 0");
    if (number != 7 || !truth) report_mismatch(r, "out was written with an error");
    arena_expect(r, arena, run_query(q, PTO_NO_MASK, 0, &number, &truth), PTO_OK, "data NULL, n == 0");
}

static void all_query_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    static const char *const names[] = {"mask_count", "mask_first", "mask_any", "mask_all", "mask_none"};
    const struct query queries[] = {{s->mask_count, NULL},
                                    {s->mask_first, NULL},
                                    {NULL, s->mask_any},
                                    {NULL, s->mask_all},
                                    {NULL, s->mask_none}};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        report_call(r, names[i], NULL);
        query_statuses(r, arena, &queries[i]);
    }
}

void check_mask_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    static const char *const binary_names[] = {"mask_and", "mask_or", "mask_xor"};
    static const char *const unary_names[] = {"mask_not", "mask_mov"};
    mask_binary_call *const binary[] = {s->mask_and, s->mask_or, s->mask_xor};
    mask_unary_call *const unary[] = {s->mask_not, s->mask_mov};

    arena_fill(&arena, "mask status");
    for (int i = 0; i < 3; i++) {
        report_call(r, binary_names[i], NULL);
        binary_statuses(r, &arena, binary[i]);
    }
    for (int i = 0; i < 2; i++) {
        report_call(r, unary_names[i], NULL);
        unary_statuses(r, &arena, unary[i]);
    }
    report_call(r, "mask_sel", NULL);
    sel_statuses(r, &arena, s->mask_sel);
    all_query_statuses(s, r, &arena);
}

/* ---- vexp ---- */

void check_vexp_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    unsigned char *const p = arena.bytes;
    const pto_mask none = PTO_NO_MASK;

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", NULL);
    arena_fill(&arena, "vexp status");
    arena_expect(r, &arena, s->vexp(PTO_F32, NULL, none, p, 9), PTO_ERR_NULL, "src NULL");
    arena_expect(r, &arena, s->vexp(PTO_F32, p, none, NULL, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, &arena, s->vexp(PTO_F32, NULL, none, NULL, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, &arena, s->vexp(PTO_TF32, NULL, none, p, 9), PTO_ERR_NULL, "NULL before the type");
    arena_expect(r, &arena, s->vexp(PTO_TF32, p, pto_mask_at(p, PTO_MASK_B8), p + 1, 9), PTO_ERR_TYPE,
                 "type before the kind");
    arena_expect(r, &arena, s->vexp(PTO_F32, p, pto_mask_at(p, PTO_MASK_B8), p + 1, 9), PTO_ERR_MASK,
                 "kind before overlap");
    arena_expect(r, &arena, s->vexp(PTO_F64, p, pto_packed(p + 64), p + 2048, 9), PTO_OK, "good");
    for (int i = 0; i < (DTYPES + NONSENSE) * KINDS_AND_NONSENSE; i++) {
        const int t = i / KINDS_AND_NONSENSE;
        const pto_dtype type = (pto_dtype)(t < DTYPES ? t : nonsense[t - DTYPES]);
        const int kind = any_kind(i % KINDS_AND_NONSENSE);
        const bool has = model_has_type(type) && model_is_float(type) && !model_is_small(type);
        const pto_status want = !has ? PTO_ERR_TYPE : kind_fits(kind, type) ? PTO_OK : PTO_ERR_MASK;
        r->now.type = (int)type;
        r->now.kinds[0] = kind;
        arena_expect(r, &arena,
                     s->vexp(type, p, pto_mask_at(p + 1024, (pto_mask_kind)kind), p + 2048, i % 3 ? 40 : 0),
                     want, "types and mask kinds");
    }
}
