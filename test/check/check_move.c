/* SPDX-License-Identifier: MIT */
/* Checks vcompress and vexpand. The model is a loop over lanes. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/operands.h"
#include "support/slide.h"
#include "support/values.h"

#include <limits.h>
#include <string.h>

enum { LONGEST = HARNESS_LONGEST, OFFSETS = 64, DTYPES = MODEL_DTYPES, DENSITIES = 5 };

struct fixture {
    pto_dtype type;
    size_t size;
    struct guarded src, mask, dst;
    unsigned char truth[LONGEST], expected[8 * LONGEST];
    struct rng rng;
};

/** A call. `offset` moves the operands that are placed at the beginning of their memory. */
struct call {
    bool is_expand, in_place;
    pto_mask_kind kind;
    size_t n, offset;
    enum place place;
};

/** Fills in truth values, of which none, about 1/32, half, most or all are true. Returns how many are. */
static size_t fill_truth(struct fixture *w, size_t density, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t random = rng_below(&w->rng, 32);
        w->truth[i] = density == 0   ? 0
                      : density == 1 ? random == 0
                      : density == 2 ? random % 2
                      : density == 3 ? random != 0
                                     : 1;
        count += w->truth[i];
    }
    return count;
}

static unsigned char *place(const struct guarded *memory, const struct call *c, size_t bytes) {
    return guarded_place(memory, bytes, c->place) + (c->place == AT_BEGIN ? c->offset : 0);
}

/** Computes the result, of which dst has the old values, and returns its size in bytes. */
static size_t expect(struct fixture *w, const struct call *c, const unsigned char *src,
                     const unsigned char *dst) {
    size_t packed = 0;
    if (c->is_expand) memcpy(w->expected, dst, c->n * w->size);
    for (size_t i = 0; i < c->n; i++) {
        if (!w->truth[i]) continue;
        memcpy(w->expected + (c->is_expand ? i : packed) * w->size,
               src + (c->is_expand ? packed : i) * w->size, w->size);
        packed++;
    }
    return (c->is_expand ? c->n : packed) * w->size;
}

static void run_call(const struct subject *s, struct report *r, struct fixture *w, const struct call *c,
                     size_t density) {
    const size_t count = fill_truth(w, density, c->n), all = c->n * w->size, packed = count * w->size;
    unsigned char *const dst = place(&w->dst, c, c->is_expand || c->in_place ? all : packed),
                         *const mask = place(&w->mask, c, model_mask_bytes(c->kind, c->n)),
                         *const src = c->in_place ? dst : place(&w->src, c, c->is_expand ? packed : all);
    move_call *const call = c->is_expand ? s->vexpand : s->vcompress;
    size_t bytes, got = SIZE_MAX;

    r->now.call = c->is_expand ? "vexpand" : "vcompress";
    r->now.type = (int)w->type;
    r->now.kinds[0] = (int)c->kind;
    r->now.n = c->n;
    r->cases++;
    buffer_fill(&w->dst, dst, c->is_expand ? all : packed, (unsigned)rng_below(&w->rng, FILLS));
    rng_fill(&w->rng, src, c->is_expand ? packed : all);
    check_fill_mask(&w->rng, c->kind, mask, w->truth, c->n);
    bytes = expect(w, c, src, dst);
    if (c->in_place) memcpy(w->expected + bytes, dst + bytes, all - bytes); /* unchanged */
    if (!report_status(r, call(w->type, src, pto_mask_at(mask, c->kind), dst, c->n, &got), PTO_OK)) return;
    if (got != count) report_mismatch(r, "count is %zu, not %zu", got, count);
    report_result(r, 8 * w->size);
    report_image(r, w->expected, dst, c->in_place ? all : bytes);
    if (!c->in_place && !margins_intact(&w->dst, dst, bytes))
        report_mismatch(r, "bytes outside dst were written");
}

static void sweep(const struct subject *s, struct report *r, struct fixture *w) {
    size_t lengths[HARNESS_MAX_LENGTHS], count = lengths_short(lengths, r->quick);
    lengths[count++] = length_long(rng_below(&w->rng, 64));
    lengths[count++] = LONGEST - OFFSETS;
    for (size_t i = 0; i < count * DENSITIES && !report_stop(r); i++) {
        struct call c = {.kind = mask_kind(w->type, rng_below(&w->rng, 3)), .n = lengths[i / DENSITIES]};
        for (int turn = 0; turn < 3; turn++) {
            c.is_expand = turn == 1;
            c.in_place = turn == 2;
            c.place = rng_below(&w->rng, 2) ? AT_BEGIN : AT_END;
            c.offset = rng_below(&w->rng, OFFSETS);
            run_call(s, r, w, &c, i % DENSITIES);
        }
    }
}

void check_move(const struct subject *s, struct report *r) {
    report_call(r, "vcompress", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture *w = harness_allocate(sizeof *w);
        w->type = model_types[t];
        w->size = model_size(w->type);
        rng_start_for(&w->rng, "move", w->type);
        guarded_open(&w->src, LONGEST * w->size + OFFSETS);
        guarded_open(&w->dst, LONGEST * w->size + OFFSETS);
        guarded_open(&w->mask, LONGEST + OFFSETS);
        sweep(s, r, w);
        guarded_close(&w->src);
        guarded_close(&w->dst);
        guarded_close(&w->mask);
        harness_free(w);
    }
}

/* ---- statuses ---- */

/** A packed mask of 64 lanes, of which the first 16 are on, and an array far from the arena. */
static const uint64_t first_16 = 0xffff;
static unsigned char far_array[256];

static pto_status slide_compress(const struct subject *s, const void *context, unsigned char *operand,
                                 unsigned char *dst) {
    size_t count;
    (void)context;
    return s->vcompress(PTO_F32, operand, pto_packed_in(&first_16), dst, 64, &count);
}

static pto_status slide_expand(const struct subject *s, const void *context, unsigned char *operand,
                               unsigned char *dst) {
    size_t count;
    (void)context;
    return s->vexpand(PTO_F32, operand, pto_packed_in(&first_16), dst, 64, &count);
}

/** The mask is in the arena, which has random bytes: the call is refused whatever they are, if dst is a whole array. */
static pto_status slide_over_mask(const struct subject *s, const void *context, unsigned char *operand,
                                  unsigned char *dst) {
    size_t count;
    (void)context;
    return s->vexpand(PTO_U8, far_array, pto_packed(operand), dst, 256, &count);
}

/** Places count in and after the source, the destination and the mask, which is at byte 1024 of the arena. */
static void overlaps_of_count(const struct subject *s, struct report *r, struct arena *arena) {
    static const size_t bytes[2][3] = {{256, 64, 8}, {64, 256, 8}};
    static unsigned char other_array[256];
    unsigned char *const inner = arena->bytes + 1024;
    for (int i = 0; i < 6; i++) {
        move_call *const call = i / 3 == 0 ? s->vcompress : s->vexpand;
        const size_t last = bytes[i / 3][i % 3] - sizeof(size_t);
        const pto_mask m = i % 3 == 2 ? pto_packed(inner) : pto_packed_in(&first_16);
        void *const src = i % 3 == 0 ? inner : far_array, *const dst = i % 3 == 1 ? inner : other_array;
        arena_expect(r, arena, call(PTO_F32, src, m, dst, 64, (size_t *)(void *)inner), PTO_ERR_OVERLAP,
                     "count at the start of an operand");
        arena_expect(r, arena, call(PTO_F32, src, m, dst, 64, (size_t *)(void *)(inner + last)),
                     PTO_ERR_OVERLAP, "count at the end of an operand");
        arena_expect(r, arena,
                     call(PTO_F32, src, m, dst, 64, (size_t *)(void *)(inner + last + sizeof(size_t))),
                     PTO_OK, "count after an operand");
    }
}

static void overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    slide_past(s, r, arena, &(struct slide){256, 64, true}, slide_compress, NULL,
               "dst of vcompress over src");
    slide_past(s, r, arena, &(struct slide){64, 256, false}, slide_expand, NULL, "dst of vexpand over src");
    slide_past(s, r, arena, &(struct slide){32, 256, false}, slide_over_mask, NULL, "dst over the mask");
}

/** Returns member `number` of an enum, or a value that it does not have. */
static int any(int number, int members) {
    static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000};
    return number < members ? number : nonsense[number - members];
}

static void legality(const struct subject *s, struct report *r, struct arena *arena, move_call *call) {
    enum { KINDS = MODEL_KINDS + 4 };
    unsigned char *const m = arena->bytes;
    (void)s;
    for (int i = 0; i < (DTYPES + 4) * KINDS; i++) {
        const pto_dtype type = (pto_dtype)any(i / KINDS, DTYPES);
        const int kind = any(i % KINDS, MODEL_KINDS);
        const bool fits = kind >= 0 && kind < MODEL_KINDS && model_kind_fits((pto_mask_kind)kind, type);
        size_t count = 77;
        r->now.type = (int)type;
        r->now.kinds[0] = kind;
        r->now.n = i % 3 ? 40 : 0;
        arena_expect(r, arena,
                     call(type, m, pto_mask_at(m + 1024, (pto_mask_kind)kind), m + 2048, r->now.n, &count),
                     !model_has_type(type) ? PTO_ERR_TYPE
                     : fits                ? PTO_OK
                                           : PTO_ERR_MASK,
                     "types, mask kinds");
        if (r->now.n == 0 && count != (model_has_type(type) && fits ? 0U : 77U))
            report_mismatch(r, "count is %zu after n == 0 or an error", count);
    }
    r->now.type = r->now.kinds[0] = -1;
}

void check_move_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    unsigned char *const m = arena.bytes;
    const pto_mask some = pto_packed(m + 1024), bad = pto_mask_at(m + 1024, PTO_MASK_B8);
    report_call(r, "vcompress, vexpand", NULL);
    arena_fill(&arena, "move status");
    for (int i = 0; i < 2; i++) {
        move_call *const call = i == 0 ? s->vcompress : s->vexpand;
        size_t count = 7;
        arena_expect(r, &arena, call(PTO_F32, NULL, some, m, 9, &count), PTO_ERR_NULL, "src NULL");
        arena_expect(r, &arena, call(PTO_F32, m, PTO_NO_MASK, m + 64, 9, &count), PTO_ERR_NULL, "mask NULL");
        arena_expect(r, &arena, call(PTO_F32, m, some, NULL, 9, &count), PTO_ERR_NULL, "dst NULL");
        arena_expect(r, &arena, call(PTO_F32, NULL, PTO_NO_MASK, NULL, 0, NULL), PTO_ERR_NULL, "count NULL");
        arena_expect(r, &arena, call(PTO_TF32, m, bad, m + 1, SIZE_MAX, &count), PTO_ERR_TYPE, "order");
        arena_expect(r, &arena, call(PTO_F32, m, bad, m + 1, SIZE_MAX, &count), PTO_ERR_MASK, "order");
        arena_expect(r, &arena, call(PTO_F32, m, some, m + 1, SIZE_MAX, &count), PTO_ERR_SIZE, "order");
        if (count != 7) report_mismatch(r, "count is %zu after errors", count);
        arena_expect(r, &arena, call(PTO_F32, NULL, PTO_NO_MASK, NULL, 0, &count), PTO_OK,
                     "all NULL, n == 0");
        if (count != 0) report_mismatch(r, "count is %zu, not 0", count);
        legality(s, r, &arena, call);
    }
    overlaps(s, r, &arena);
    overlaps_of_count(s, r, &arena);
}
