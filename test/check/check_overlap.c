/* SPDX-License-Identifier: MIT */
/* Checks overlaps: the result slides past each operand, from just before it to just after it. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/operands.h"
#include "support/slide.h"

enum { HOME = SLIDE_HOME, FAR = 2048, FARTHER = 3072, LENGTHS = 6 };

static const size_t some_lengths[LENGTHS] = {1, 2, 7, 8, 9, 37};

static pto_status status_at(const struct slide *slide, long delta) {
    const bool disjoint = delta >= (long)slide->operand_bytes || -delta >= (long)slide->dst_bytes;
    if (disjoint) return PTO_OK;
    return delta == 0 && slide->in_place ? PTO_OK : PTO_ERR_OVERLAP;
}

void slide_past(const struct subject *s, struct report *r, struct arena *arena, const struct slide *slide,
                slide_call *call, const void *context, const char *detail) {
    const long last = (long)slide->operand_bytes + 1;
    for (long delta = -(long)slide->dst_bytes - 1; delta <= last; delta++) {
        unsigned char *operand = arena->bytes + HOME;
        pto_status status;
        status = call(s, context, operand, operand + delta);
        arena_expect(r, arena, status, status_at(slide, delta), detail);
    }
}

/* ---- compare ---- */

enum operand { SRC0, SRC1, SCALAR, SEED, OPERANDS };

struct compare_form {
    pto_dtype type;
    enum operand operand;
    pto_mask_kind seed, dst;
    size_t n;
    unsigned char *far; /* the address of the other operands */
};

static pto_status slide_compare(const struct subject *s, const void *context, unsigned char *operand,
                                unsigned char *dst) {
    const struct compare_form *f = context;
    const void *src0 = f->operand == SRC0 ? operand : f->far;
    const void *src1 = f->operand == SRC1 || f->operand == SCALAR ? operand : f->far + 1;
    const pto_mask seed = f->operand == SEED ? pto_mask_at(operand, f->seed) : PTO_NO_MASK;
    vcmp_call *call = f->operand == SCALAR ? s->vcmps : s->vcmp;
    return call(f->type, PTO_NE, 0, src0, src1, seed, pto_mask_at(dst, f->dst), f->n);
}

static void compare_overlap(const struct subject *s, struct report *r, struct arena *arena,
                            const struct compare_form *f) {
    static const char *const details[OPERANDS] = {"dst over src0", "dst over src1", "dst over the scalar",
                                                  "dst over the seed"};
    const size_t size = model_size(f->type);
    struct slide slide = {f->n * size, model_mask_bytes(f->dst, f->n), size == 1 && f->dst == PTO_MASK_BYTE};

    if (f->operand == SEED) {
        slide.operand_bytes = model_mask_bytes(f->seed, f->n);
        slide.in_place = model_lane_bits(f->seed) == model_lane_bits(f->dst);
    }
    if (f->operand == SCALAR) {
        slide.operand_bytes = size;
    }
    r->now.call = f->operand == SCALAR ? "vcmps" : "vcmp";
    r->now.type = (int)f->type;
    r->now.kinds[0] = f->operand == SEED ? (int)f->seed : -1;
    r->now.kinds[1] = (int)f->dst;
    r->now.n = f->n;
    slide_past(s, r, arena, &slide, slide_compare, f, details[f->operand]);
}

static void compare_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_U8, PTO_F16, PTO_F32, PTO_F64};
    for (int i = 0; i < 4 * OPERANDS * 3 * 3 * LENGTHS; i++) {
        struct compare_form f;
        f.type = types[i % 4];
        f.operand = (enum operand)(i / 4 % OPERANDS);
        f.dst = mask_kind(f.type, (size_t)(i / (4 * OPERANDS)));
        f.seed = mask_kind(f.type, (size_t)(i / (4 * OPERANDS * MASK_KINDS)));
        f.n = some_lengths[i / (4 * OPERANDS * 9)];
        f.far = arena->bytes + FAR;
        compare_overlap(s, r, arena, &f);
    }
}

/* ---- select ---- */

struct select_form {
    vsel_call *call;
    pto_dtype type;
    enum operand operand; /* SEED means the mask */
    pto_mask_kind mask;
    size_t n;
    unsigned char *far;
};

static pto_status slide_select(const struct subject *s, const void *context, unsigned char *operand,
                               unsigned char *dst) {
    const struct select_form *f = context;
    const void *src0 = f->operand == SRC0 ? operand : f->far;
    const void *src1 = f->operand == SRC1 ? operand : f->far + 1;
    (void)s;
    return f->call(f->type, src0, src1, pto_mask_at(f->operand == SEED ? operand : f->far + 2, f->mask), dst,
                   f->n);
}

static pto_status slide_broadcast(const struct subject *s, const void *context, unsigned char *operand,
                                  unsigned char *dst) {
    const struct select_form *f = context;
    return s->vbr(f->type, operand, dst, f->n);
}

static void select_overlap(const struct subject *s, struct report *r, struct arena *arena,
                           const struct select_form *f) {
    const size_t size = model_size(f->type);
    struct slide slide = {f->n * size, f->n * size, true};

    r->now.type = (int)f->type;
    r->now.kinds[0] = (int)f->mask;
    r->now.n = f->n;
    if (f->operand == SEED) {
        slide.operand_bytes = model_mask_bytes(f->mask, f->n);
        slide.in_place = size == 1 && f->mask == PTO_MASK_BYTE;
    }
    if (f->operand == SCALAR) {
        slide.operand_bytes = size;
        r->now.call = "vbr";
        r->now.kinds[0] = -1;
        slide_past(s, r, arena, &slide, slide_broadcast, f, "dst over the scalar");
        return;
    }
    slide_past(s, r, arena, &slide, slide_select, f,
               f->operand == SEED ? "dst over the mask" : "dst over a source");
}

static void select_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_S8, PTO_BF16, PTO_U32, PTO_B64};
    static const char *const names[] = {"vsel", "vselr", "vselrv2"};
    vsel_call *const calls[] = {s->vsel, s->vselr, s->vselrv2};
    for (int i = 0; i < 3 * 4 * OPERANDS * 3 * LENGTHS; i++) {
        struct select_form f;
        f.call = calls[i % 3];
        f.type = types[i / 3 % 4];
        f.operand = (enum operand)(i / 12 % OPERANDS);
        f.mask = mask_kind(f.type, (size_t)(i / (12 * OPERANDS)));
        f.n = some_lengths[i / (12 * OPERANDS * 3)];
        f.far = arena->bytes + FAR;
        r->now.call = names[i % 3];
        select_overlap(s, r, arena, &f);
    }
}

/* ---- masks ---- */

enum mask_form_op { AND, OR, XOR, NOT, MOV, SEL, MASK_OPS };

struct mask_form {
    enum mask_form_op op;
    int position; /* the operand that dst slides past: a, b or sel */
    pto_mask_kind kind, dst;
    size_t n;
    unsigned char *far;
};

static pto_status slide_mask(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct mask_form *f = context;
    const pto_mask result = pto_mask_at(dst, f->dst);
    pto_mask in[3];
    for (int k = 0; k < 3; k++) {
        in[k] = k == f->position ? pto_mask_at(operand, f->kind) : pto_packed(f->far + k);
    }
    switch (f->op) {
    case AND: return s->mask_and(in[0], in[1], result, f->n);
    case OR: return s->mask_or(in[0], in[1], result, f->n);
    case XOR: return s->mask_xor(in[0], in[1], result, f->n);
    case NOT: return s->mask_not(in[0], result, f->n);
    case MOV: return s->mask_mov(in[0], result, f->n);
    default: return s->mask_sel(in[0], in[1], in[2], result, f->n);
    }
}

static void mask_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const char *const names[MASK_OPS] = {"mask_and", "mask_or",  "mask_xor",
                                                "mask_not", "mask_mov", "mask_sel"};
    static const int sources[MASK_OPS] = {2, 2, 2, 1, 1, 3};
    for (int i = 0; i < MASK_OPS * 3 * MODEL_KINDS * MODEL_KINDS * LENGTHS; i++) {
        struct slide slide = {0, 0, false};
        struct mask_form f;
        f.op = (enum mask_form_op)(i % MASK_OPS);
        f.position = i / MASK_OPS % 3;
        f.kind = (pto_mask_kind)(i / (MASK_OPS * 3) % MODEL_KINDS);
        f.dst = (pto_mask_kind)(i / (MASK_OPS * 3 * MODEL_KINDS) % MODEL_KINDS);
        f.n = some_lengths[i / (MASK_OPS * 3 * MODEL_KINDS * MODEL_KINDS)];
        f.far = arena->bytes + FAR;
        if (f.position >= sources[f.op]) continue;
        slide.operand_bytes = model_mask_bytes(f.kind, f.n);
        slide.dst_bytes = model_mask_bytes(f.dst, f.n);
        slide.in_place = model_lane_bits(f.kind) == model_lane_bits(f.dst);
        r->now.call = names[f.op];
        r->now.kinds[0] = (int)f.kind;
        r->now.kinds[1] = (int)f.dst;
        r->now.n = f.n;
        slide_past(s, r, arena, &slide, slide_mask, &f, "dst over a source");
    }
}

/* ---- vexp ---- */

static pto_status slide_exp_source(const struct subject *s, const void *context, unsigned char *operand,
                                   unsigned char *dst) {
    const struct select_form *f = context;
    return s->vexp(f->type, operand, PTO_NO_MASK, dst, f->n);
}

static pto_status slide_exp_mask(const struct subject *s, const void *context, unsigned char *operand,
                                 unsigned char *dst) {
    const struct select_form *f = context;
    return s->vexp(f->type, f->far, pto_mask_at(operand, f->mask), dst, f->n);
}

static void exp_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_F32, PTO_F64, PTO_F16, PTO_BF16};
    for (int i = 0; i < 4 * 3 * LENGTHS; i++) {
        struct slide slide;
        struct select_form f = {0};
        f.type = types[i % 4];
        f.mask = mask_kind(f.type, (size_t)(i / 4));
        f.n = some_lengths[i / 12];
        f.far = arena->bytes + FARTHER;
        slide.dst_bytes = slide.operand_bytes = f.n * model_size(f.type);
        slide.in_place = true;
        r->now.type = (int)f.type;
        r->now.n = f.n;
        slide_past(s, r, arena, &slide, slide_exp_source, &f, "dst over src");
        slide.operand_bytes = model_mask_bytes(f.mask, f.n);
        slide.in_place = false;
        slide_past(s, r, arena, &slide, slide_exp_mask, &f, "dst over the mask");
    }
}

void check_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "overlaps");
    report_call(r, "vcmp", NULL);
    compare_overlaps(s, r, &arena);
    report_call(r, "vsel", NULL);
    select_overlaps(s, r, &arena);
    report_call(r, "mask logic", NULL);
    mask_overlaps(s, r, &arena);
    report_call(r, "vexp", NULL);
    if (s->vexp) exp_overlaps(s, r, &arena);
}
