/* SPDX-License-Identifier: MIT */
/* Checks the statuses of block scaling: each can be reached, they have a fixed order, and a refused call writes
 * nothing. Also checks overlaps. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/block_fixture.h"
#include "support/slide.h"

#include <limits.h>
#include <string.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, 64, 255};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0], ANY_TYPE = MODEL_DTYPES + NONSENSE };
enum { ANY_RULE = MODEL_BLOCK_RULES + NONSENSE, ROUNDS = 11, ANY_ROUND = ROUNDS + NONSENSE };

static int any(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

/** Returns a call that succeeds: three rows of eight elements, with two blocks per row. */
static struct model_block_call good(struct arena *arena, bool random) {
    struct model_block_call c = {
        .op = {.wide = PTO_F32, .elem = PTO_E4M3, .rule = PTO_FP8_DIV, .round = PTO_RN, .block_rows = 1}};
    c.op.block_cols = 4;
    c.rows = 3;
    c.cols = 8;
    c.wide = arena->bytes;
    c.codes = arena->bytes + 1024;
    c.scales = arena->bytes + 2048;
    if (random) {
        c.op.round = PTO_RS;
        c.rbits = arena->bytes + 3072;
    }
    return c;
}

static void try_call(const struct subject *s, struct report *r, struct arena *arena,
                     enum model_block_kind kind, const struct model_block_call *c, const char *detail) {
    block_describe(r, kind, c, detail);
    arena_expect(r, arena, block_call(s, kind, c), model_block_status(kind, c), r->now.detail);
}

/* ---- the order of the checks ---- */

enum defect { NULLS = 1, TYPE = 2, MODIFIER = 4, SIZE = 8, OVERLAP = 16, DEFECTS = 32, VARIANTS = 4 };

static void break_pointers(struct model_block_call *c, int variant) {
    if (variant == 0) c->wide = NULL;
    if (variant == 1) c->codes = NULL;
    if (variant == 2) c->scales = NULL;
    if (variant == 3) c->rbits = NULL;
}

static void break_types(struct model_block_call *c, int variant) {
    if (variant == 0) c->op.wide = PTO_F64;
    if (variant == 1) c->op.elem = PTO_UE8M0;
    if (variant == 2) c->op.elem = PTO_E2M3; /* not legal for PTO_FP8_DIV */
    if (variant == 3) c->op.wide = PTO_E4M3;
}

static void break_modifiers(struct model_block_call *c, int variant) {
    if (variant == 0) c->op.round = PTO_RZ;
    if (variant == 1) c->op.two_level = true;
    if (variant == 2) c->op.tensor = -1;
    if (variant == 3) c->op.rule = (pto_block_rule)MODEL_BLOCK_RULES;
}

static void break_sizes(struct model_block_call *c, int variant) {
    if (variant == 0) c->stride = 31;
    if (variant == 1) c->codes_stride = 7;
    if (variant == 2) c->scales_stride = 7;
    if (variant == 3) c->rows = SIZE_MAX / 2;
}

/** Makes two operands overlap. Variants 0 and 1 are errors for quantize and requantize, 2 and 3 for every call. */
static void make_overlap(struct model_block_call *c, int variant) {
    if (variant == 0) c->codes = (unsigned char *)c->wide + 95;
    if (variant == 1) c->wide = (unsigned char *)c->codes + 23;
    if (variant == 2) c->wide = (unsigned char *)c->scales - 95;
    if (variant == 3) c->scales = c->wide;
}

static void order(const struct subject *s, struct report *r, struct arena *arena, enum model_block_kind kind,
                  bool random) {
    for (unsigned i = 0; i < DEFECTS * VARIANTS * VARIANTS; i++) {
        const unsigned defects = i % DEFECTS;
        const int variant = (int)(i / DEFECTS % VARIANTS), other = (int)(i / DEFECTS / VARIANTS);
        struct model_block_call c = good(arena, random);
        if (defects & OVERLAP) make_overlap(&c, other);
        if (defects & MODIFIER) break_modifiers(&c, variant);
        if (defects & SIZE) break_sizes(&c, other);
        if (defects & TYPE) break_types(&c, variant);
        if (defects & NULLS) break_pointers(&c, other);
        try_call(s, r, arena, kind, &c, "order of the checks");
        if (i % 2)
            c.rows = 0;
        else
            c.cols = 0;
        try_call(s, r, arena, kind, &c, "order of the checks, an empty tensor");
    }
}

static void pointers(const struct subject *s, struct report *r, struct arena *arena,
                     enum model_block_kind kind) {
    struct model_block_call c = good(arena, false);
    c.rbits = arena->bytes + 3072;
    if (kind != MODEL_DEQUANTIZE) try_call(s, r, arena, kind, &c, "random words without RS");
    c.cols = 0;
    if (kind != MODEL_DEQUANTIZE) try_call(s, r, arena, kind, &c, "random words without RS, an empty tensor");
    c = good(arena, true);
    c.wide = c.codes = c.scales = c.rbits = NULL;
    try_call(s, r, arena, kind, &c, "all NULL");
    c.rows = 0;
    try_call(s, r, arena, kind, &c, "all NULL, no rows");
    c.rows = 3;
    c.cols = 0;
    try_call(s, r, arena, kind, &c, "all NULL, no columns");
    c.stride = 1;
    c.codes_stride = 1;
    try_call(s, r, arena, kind, &c, "strides where there are no columns");
}

/** Checks that a stride that is too short is an error even with one row or no row. */
static void strides(const struct subject *s, struct report *r, struct arena *arena,
                    enum model_block_kind kind) {
    for (size_t rows = 0; rows < 3; rows++) {
        for (size_t off = 0; off < 3; off++) {
            struct model_block_call c = good(arena, false);
            c.rows = rows;
            c.stride = 31 + off;
            try_call(s, r, arena, kind, &c, "the tensor's stride");
            c.stride = 0;
            c.codes_stride = 7 + off;
            try_call(s, r, arena, kind, &c, "the codes' stride");
            c.codes_stride = 0;
            c.scales_stride = 7 + off;
            try_call(s, r, arena, kind, &c, "the scales' stride");
        }
    }
}

/* ---- legal and illegal ops ---- */

static void try_op(const struct subject *s, struct report *r, struct arena *arena, const pto_block_op *op,
                   enum model_block_kind kind) {
    struct model_block_call c = good(arena, false);
    const pto_status want = model_block_check(op);
    c.op = *op;
    if (op->round == PTO_RS && kind != MODEL_DEQUANTIZE) c.rbits = arena->bytes + 3072;
    try_call(s, r, arena, kind, &c, "legal or not");
    if (s->block_check(*op) != want)
        report_mismatch(r, "block_check: %s, not %s", status_name(s->block_check(*op)), status_name(want));
}

static void types(const struct subject *s, struct report *r, struct arena *arena) {
    for (int i = 0; i < ANY_TYPE * ANY_TYPE * 4 && !report_stop(r); i++) {
        pto_block_op op = {.wide = (pto_dtype)any(i / 4 % ANY_TYPE, MODEL_DTYPES), .round = PTO_RN};
        op.elem = (pto_dtype)any(i / 4 / ANY_TYPE, MODEL_DTYPES);
        op.rule = (pto_block_rule)any(i * 7 % ANY_RULE, MODEL_BLOCK_RULES);
        try_op(s, r, arena, &op, (enum model_block_kind)(i % MODEL_BLOCK_KINDS));
    }
}

/** Tries each rule with each element type and rounding, with and without pow2 and two_level, with many values of
 * op.tensor and odd numbers of columns. */
static void modifiers(const struct subject *s, struct report *r, struct arena *arena) {
    static const pto_dtype elems[] = {PTO_E4M3, PTO_E5M2, PTO_E2M3, PTO_E3M2, PTO_E2M1, PTO_S2F6};
    static const uint32_t tensors[] = {0,          0x80000000, 0x3f800000, 0x7fc00000,
                                       0x80000001, 0x7f800000, 0xff800000};
    static const size_t columns[] = {0, 1, 2, 3, 17, SIZE_MAX};
    enum { TENSORS = sizeof tensors / sizeof tensors[0], COLUMNS = sizeof columns / sizeof columns[0] };
    for (int i = 0; i < ANY_RULE * 6 * 4 * TENSORS * 5 && !report_stop(r); i++) {
        const int flags = i % 4, tensor = i / 4 % TENSORS, elem = i / 4 / TENSORS % 6;
        pto_block_op op = {.wide = i % 3 ? PTO_F16 : PTO_BF16, .elem = elems[elem], .round = PTO_RN};
        op.rule = (pto_block_rule)any(i / 4 / TENSORS / 6 % ANY_RULE, MODEL_BLOCK_RULES);
        op.pow2 = flags & 1;
        op.two_level = flags & 2;
        memcpy(&op.tensor, &tensors[tensor], sizeof op.tensor);
        if (i % 11 == 0) op.round = (pto_round)any(i / 11 % ANY_ROUND, ROUNDS);
        op.block_rows = columns[(i / 7) % COLUMNS];
        op.block_cols = columns[(i + i / 20) % COLUMNS];
        try_op(s, r, arena, &op, (enum model_block_kind)(i % MODEL_BLOCK_KINDS));
    }
}

/* ---- amax ---- */

static void try_amax(const struct subject *s, struct report *r, struct arena *arena, pto_dtype wide,
                     const void *x, size_t stride, size_t rows, size_t cols, void *amax) {
    const pto_status want = model_block_amax_status(wide, x, stride, rows, cols, amax);
    arena_expect(r, arena, s->block_amax(wide, x, stride, rows, cols, true, amax), want, "amax");
}

static void amax_status(const struct subject *s, struct report *r, struct arena *arena) {
    void *const x = arena->bytes, *const amax = arena->bytes + 1024;
    report_call(r, "block_amax", NULL);
    for (int i = 0; i < ANY_TYPE; i++) {
        const pto_dtype wide = (pto_dtype)any(i, MODEL_DTYPES);
        try_amax(s, r, arena, wide, x, 0, 2, 5, amax);
        try_amax(s, r, arena, wide, NULL, 0, 0, 5, amax);
        try_amax(s, r, arena, wide, NULL, 0, 5, 0, amax);
        try_amax(s, r, arena, wide, NULL, 0, 1, 1, amax);
        try_amax(s, r, arena, wide, x, 0, 1, 1, NULL);
        try_amax(s, r, arena, wide, x, 0, 0, 0, NULL);
        try_amax(s, r, arena, wide, x, 9, 1, 5, amax);
        try_amax(s, r, arena, wide, x, 19, 0, 5, amax);
        try_amax(s, r, arena, wide, x, 0, SIZE_MAX / 2, SIZE_MAX / 2, amax);
        try_amax(s, r, arena, wide, amax, 0, 3, 1, amax);
        for (size_t k = 0; k < 4; k++) { /* no elements, so nothing overlaps */
            try_amax(s, r, arena, wide, (unsigned char *)amax + k, 0, 0, 5, amax);
            try_amax(s, r, arena, wide, (unsigned char *)amax + k, 8, 5, 0, amax);
        }
    }
}

static pto_status slide_amax(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    (void)context;
    return s->block_amax(PTO_BF16, operand, 0, 3, 5, false, (void *)dst);
}

void check_block_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "block status");
    for (int i = 0; i < MODEL_BLOCK_KINDS * 2 && !report_stop(r); i++) {
        const enum model_block_kind kind = (enum model_block_kind)(i / 2);
        if (kind != MODEL_DEQUANTIZE || i % 2 == 0) order(s, r, &arena, kind, i % 2);
        pointers(s, r, &arena, kind);
        strides(s, r, &arena, kind);
    }
    types(s, r, &arena);
    modifiers(s, r, &arena);
    amax_status(s, r, &arena);
}

/* ---- overlap ---- */

struct sliding {
    enum model_block_kind kind;
    struct model_block_call call;
    enum block_operand still, moves;
};

static pto_status slide_block(const struct subject *s, const void *context, unsigned char *operand,
                              unsigned char *dst) {
    const struct sliding *f = context;
    struct model_block_call c = f->call;
    *block_operand_of(&c, f->still) = operand;
    *block_operand_of(&c, f->moves) = dst;
    return block_call(s, f->kind, &c);
}

/** Slides each result past each other operand; the rows have no gaps. */
static void slide_op(const struct subject *s, struct report *r, struct arena *arena, const pto_block_op *op,
                     enum model_block_kind kind, size_t cols) {
    for (int i = 0; i < BLOCK_OPERANDS * BLOCK_OPERANDS; i++) {
        const enum block_operand still = (enum block_operand)(i % BLOCK_OPERANDS),
                                 moves = (enum block_operand)(i / BLOCK_OPERANDS);
        struct sliding f = {kind, good(arena, kind != MODEL_DEQUANTIZE && op->round == PTO_RS), still, moves};
        struct slide slide = {0, 0, false};
        f.call.op = *op;
        f.call.rows = 2;
        f.call.cols = cols;
        /* slide_block() moves two of the operands; the others stay here, where neither can reach them. */
        f.call.wide = arena->bytes + 2560;
        f.call.codes = arena->bytes + 2816;
        f.call.scales = arena->bytes + 3072;
        if (f.call.rbits) f.call.rbits = arena->bytes + 3328;
        if (still == moves || !block_writes(kind, moves)) continue;
        if ((still == BLOCK_RANDOM || moves == BLOCK_RANDOM) && !f.call.rbits) continue;
        slide.operand_bytes = block_bytes(&f.call, still);
        slide.dst_bytes = block_bytes(&f.call, moves);
        block_describe(r, kind, &f.call, "a result over another operand");
        slide_past(s, r, arena, &slide, slide_block, &f, r->now.detail);
    }
}

void check_block_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    const struct slide amax = {30, sizeof(float), false};
    pto_block_op ops[BLOCK_OPS_MAX];
    const size_t count = block_ops(ops);
    arena_fill(&arena, "block overlaps");
    for (size_t i = 0; i < count && !report_stop(r); i += r->quick ? 11 : 3) {
        pto_block_op op = ops[i];
        if (i % 2 && model_block_takes_rs(op.rule)) op.round = PTO_RS;
        slide_op(s, r, &arena, &op, (enum model_block_kind)(i % MODEL_BLOCK_KINDS), 5 + i % 4);
        op.block_cols = 2;
        slide_op(s, r, &arena, &op, (enum model_block_kind)((i + 1) % MODEL_BLOCK_KINDS), 1 + i % 9);
    }
    report_call(r, "block_amax", NULL);
    slide_past(s, r, &arena, &amax, slide_amax, NULL, "amax over the tensor");
}
