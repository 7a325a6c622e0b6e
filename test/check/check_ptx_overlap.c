/* SPDX-License-Identifier: MIT */
/* Checks overlaps of setp, set, selp, slct, vcmpsel and SETcc, see slide.h. */
#include "check/checks.h"
#include "support/operands.h"
#include "support/slide.h"

enum { FAR = 2048, LENGTHS = 5 };

static const size_t some_lengths[LENGTHS] = {1, 2, 8, 9, 33};

/** The parameters of a call. The result slides past operand number `slider`. */
struct form {
    pto_dtype type, other; /* other: dtype of set, ctype of slct */
    pto_mask_kind kind, dst_kind;
    int slider;
    bool onto_q; /* setp: q slides instead of p */
    bool scalar; /* vcmpsel: the operand is a scalar */
    size_t n;
    unsigned char *far;
};

static const void *at(const struct form *f, int number, const unsigned char *operand) {
    return f->slider == number ? operand : f->far + (ptrdiff_t)256 * number;
}

static void describe(struct report *r, const struct form *f, const char *call) {
    r->now.call = call;
    r->now.type = (int)f->type;
    r->now.kinds[0] = (int)f->kind;
    r->now.kinds[1] = (int)f->dst_kind;
    r->now.n = f->n;
}

/* ---- setp: a, b, c, and the other result ---- */

enum { SETP_A, SETP_B, SETP_C, SETP_OTHER, SETP_OPERANDS };

static pto_status slide_setp(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct form *f = context;
    const pto_setp_op op = {f->type, PTO_EQ, PTO_OR, false, false};
    const pto_mask c = pto_mask_in(at(f, SETP_C, operand), f->kind);
    const pto_mask result = pto_mask_at(dst, f->dst_kind);
    const pto_mask other = pto_mask_in(at(f, SETP_OTHER, operand), f->kind);
    return s->setp(op, at(f, SETP_A, operand), at(f, SETP_B, operand), c, f->onto_q ? other : result,
                   f->onto_q ? result : other, f->n);
}

static void setp_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_F16, PTO_U32, PTO_F64, PTO_BF16X2};
    static const char *const details[] = {"over a", "over b", "over c", "over the other result"};
    for (int i = 0; i < 4 * SETP_OPERANDS * MASK_KINDS * MASK_KINDS * 2 * LENGTHS; i++) {
        struct form f = {.type = types[i % 4], .slider = i / 4 % SETP_OPERANDS, .far = arena->bytes + FAR};
        struct slide slide = {0, 0, false};
        f.kind = mask_kind(f.type, (size_t)(i / (4 * SETP_OPERANDS)));
        f.dst_kind = mask_kind(f.type, (size_t)(i / (4 * SETP_OPERANDS * MASK_KINDS)));
        f.onto_q = i / (4 * SETP_OPERANDS * MASK_KINDS * MASK_KINDS) % 2;
        f.n = some_lengths[i / (4 * SETP_OPERANDS * MASK_KINDS * MASK_KINDS * 2)];
        slide.dst_bytes = model_mask_bytes(f.dst_kind, f.n);
        slide.operand_bytes = f.slider < SETP_C ? f.n * model_word(f.type) : model_mask_bytes(f.kind, f.n);
        slide.in_place = f.slider == SETP_C && model_lane_bits(f.kind) == model_lane_bits(f.dst_kind);
        describe(r, &f, f.onto_q ? "setp, q" : "setp, p");
        slide_past(s, r, arena, &slide, slide_setp, &f, details[f.slider]);
    }
}

/* ---- set: a, b, c ---- */

static pto_status slide_set(const struct subject *s, const void *context, unsigned char *operand,
                            unsigned char *dst) {
    const struct form *f = context;
    pto_set_op op = {f->other, f->type, PTO_NE, PTO_AND, true, false};
    pto_mask c = pto_mask_in(at(f, 2, operand), f->kind);
    if (model_is_packed(f->type)) { /* packed types have no c */
        op.boolop = PTO_BOOL_NONE;
        op.not_c = false;
        c = PTO_NO_MASK;
    }
    return s->set(op, at(f, 0, operand), at(f, 1, operand), c, dst, f->n);
}

static void set_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[][2] = {
        {PTO_F16, PTO_U16},   {PTO_F16, PTO_F16},    {PTO_BF16, PTO_U32},  {PTO_F32, PTO_F16},
        {PTO_S32, PTO_F32},   {PTO_U64, PTO_U32},    {PTO_F16X2, PTO_U32}, {PTO_BF16X2, PTO_BF16X2},
        {PTO_U8X4, PTO_U8X4}, {PTO_S16X2, PTO_S16X2}};
    enum { PAIRS = sizeof types / sizeof types[0] };
    static const char *const details[] = {"dst over a", "dst over b", "dst over c"};
    for (int i = 0; i < PAIRS * 3 * MASK_KINDS * LENGTHS; i++) {
        struct form f = {.type = types[i % PAIRS][0], .other = types[i % PAIRS][1], .slider = i / PAIRS % 3};
        struct slide slide = {0, 0, false};
        if (f.slider == 2 && model_is_packed(f.type)) continue;
        f.far = arena->bytes + FAR;
        f.kind = mask_kind(f.type, (size_t)(i / (PAIRS * 3)));
        f.n = some_lengths[i / (PAIRS * 3 * MASK_KINDS)];
        slide.dst_bytes = f.n * model_word(f.other);
        slide.operand_bytes = f.slider < 2 ? f.n * model_word(f.type) : model_mask_bytes(f.kind, f.n);
        slide.in_place = f.slider < 2 && model_word(f.type) == model_word(f.other);
        describe(r, &f, "set");
        slide_past(s, r, arena, &slide, slide_set, &f, details[f.slider]);
    }
}

/* ---- selp, slct: a, b, and the mask or c ---- */

static pto_status slide_selp(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct form *f = context;
    return s->selp(f->type, at(f, 0, operand), at(f, 1, operand), pto_mask_in(at(f, 2, operand), f->kind),
                   dst, f->n);
}

static pto_status slide_slct(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    const struct form *f = context;
    return s->slct(f->type, f->other, false, at(f, 0, operand), at(f, 1, operand), at(f, 2, operand), dst,
                   f->n);
}

static void choose_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_B16, PTO_F32, PTO_S64};
    static const char *const details[] = {"dst over a", "dst over b", "dst over the control"};
    for (int i = 0; i < 3 * 3 * MASK_KINDS * LENGTHS; i++) {
        struct form f = {.type = types[i % 3], .slider = i / 3 % 3, .far = arena->bytes + FAR};
        struct slide slide = {0, 0, true};
        f.kind = mask_kind(f.type, (size_t)i / 9);
        f.other = i % 2 ? PTO_S32 : PTO_F32;
        f.n = some_lengths[i / (9 * MASK_KINDS)];
        slide.dst_bytes = slide.operand_bytes = f.n * model_word(f.type);
        if (f.slider == 2) slide.operand_bytes = model_mask_bytes(f.kind, f.n);
        slide.in_place = f.slider < 2;
        describe(r, &f, "selp");
        slide_past(s, r, arena, &slide, slide_selp, &f, details[f.slider]);
        if (f.slider == 2) slide.operand_bytes = 4 * f.n;
        slide.in_place = f.slider < 2 || model_word(f.type) == 4;
        describe(r, &f, "slct");
        slide_past(s, r, arena, &slide, slide_slct, &f, details[f.slider]);
    }
}

/* ---- vcmpsel: x, y, u, v, arrays or scalars ---- */

static pto_status slide_vcmpsel(const struct subject *s, const void *context, unsigned char *operand,
                                unsigned char *dst) {
    const struct form *f = context;
    pto_in in[4];
    for (int k = 0; k < 4; k++) {
        in[k] =
            f->scalar && k == f->slider ? pto_in_scalar(at(f, k, operand)) : pto_in_array(at(f, k, operand));
    }
    return s->vcmpsel(f->type, PTO_EQ, 0, in[0], in[1], in[2], in[3], dst, f->n);
}

static void vcmpsel_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_U8, PTO_BF16, PTO_S32, PTO_F64};
    static const char *const details[] = {"dst over x", "dst over y", "dst over u", "dst over v"};
    for (int i = 0; i < 4 * 4 * 2 * LENGTHS; i++) {
        struct form f = {.type = types[i % 4], .slider = i / 4 % 4, .far = arena->bytes + FAR};
        struct slide slide = {0, 0, true};
        f.scalar = i / 16 % 2;
        f.n = some_lengths[i / 32];
        slide.dst_bytes = f.n * model_size(f.type);
        slide.operand_bytes = f.scalar ? model_size(f.type) : slide.dst_bytes;
        describe(r, &f, f.scalar ? "vcmpsel, a scalar" : "vcmpsel");
        slide_past(s, r, arena, &slide, slide_vcmpsel, &f, details[f.slider]);
    }
}

/* ---- SETcc ---- */

static pto_status slide_setcc(const struct subject *s, const void *context, unsigned char *operand,
                              unsigned char *dst) {
    const struct form *f = context;
    return s->setcc(PTO_CC_LE, (const uint32_t *)(const void *)operand, dst, f->n);
}

static pto_status slide_cmp_setcc(const struct subject *s, const void *context, unsigned char *operand,
                                  unsigned char *dst) {
    const struct form *f = context;
    return s->cmp_setcc(PTO_CC_BE, f->type, at(f, 0, operand), at(f, 1, operand), dst, f->n);
}

static pto_status slide_flags(const struct subject *s, const void *context, unsigned char *operand,
                              unsigned char *dst) {
    const struct form *f = context;
    flags_call *call = model_is_float(f->type) ? s->flags_ucomi : f->n % 2 ? s->flags_cmp : s->flags_test;
    return call(f->type, at(f, 0, operand), at(f, 1, operand), (uint32_t *)(void *)dst, f->n);
}

static void setcc_overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype types[] = {PTO_S8, PTO_U16, PTO_B32, PTO_S64, PTO_F16, PTO_F32};
    for (int i = 0; i < 6 * 2 * LENGTHS; i++) {
        struct form f = {.type = types[i % 6], .slider = i / 6 % 2, .far = arena->bytes + FAR};
        struct slide slide = {0, 0, false};
        const size_t size = model_size(f.type);
        f.n = some_lengths[i / 12];
        slide.operand_bytes = f.n * size;
        slide.dst_bytes = f.n;
        slide.in_place = size == 1;
        describe(r, &f, "cmp_setcc");
        slide_past(s, r, arena, &slide, slide_cmp_setcc, &f, "dst over a source");
        slide.dst_bytes = 4 * f.n;
        slide.in_place = size == 4;
        describe(r, &f, "flags");
        slide_past(s, r, arena, &slide, slide_flags, &f, "eflags over a source");
        slide.operand_bytes = 4 * f.n;
        slide.dst_bytes = f.n;
        slide.in_place = false;
        describe(r, &f, "setcc");
        slide_past(s, r, arena, &slide, slide_setcc, &f, "dst over eflags");
    }
}

void check_ptx_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "ptx overlaps");
    report_call(r, "setp", NULL);
    setp_overlaps(s, r, &arena);
    set_overlaps(s, r, &arena);
    choose_overlaps(s, r, &arena);
    vcmpsel_overlaps(s, r, &arena);
    setcc_overlaps(s, r, &arena);
}
