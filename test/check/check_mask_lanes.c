/* SPDX-License-Identifier: MIT */
/* Checks mask calls on ranges of lanes: copies between any lanes, ranges, and views that begin at a lane. */
#include "check/checks.h"
#include "support/arena.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 16384, TRUTHS = BUFFER_SIZE + 1024, LANES = 64 };

struct fixture {
    struct guarded source, dst;
    unsigned char *truths, *expected;
    struct rng rng;
};

/** One copy. `source` and `dst` point to the first byte that contains one of the lanes. */
struct copy {
    pto_mask_kind kind, dst_kind;
    size_t lane, dst_lane, n;
    unsigned char *source, *dst;
    const struct guarded *home; /* the memory that dst lies in */
};

static void fixture_open(struct fixture *w, const char *purpose) {
    rng_start(&w->rng, purpose);
    guarded_open(&w->source, BUFFER_SIZE);
    guarded_open(&w->dst, BUFFER_SIZE);
    w->truths = harness_allocate(TRUTHS);
    w->expected = harness_allocate(BUFFER_SIZE);
    check_fill_truth(&w->rng, w->truths, TRUTHS);
}

static void fixture_close(struct fixture *w) {
    guarded_close(&w->source);
    guarded_close(&w->dst);
    harness_free(w->truths);
    harness_free(w->expected);
}

/** Returns the position of a lane within its byte. */
static size_t place_in_byte(pto_mask_kind kind, size_t lane) {
    return lane % (8 / model_lane_bits(kind));
}

/** Returns how many bytes contain one of n lanes from `lane` on. */
static size_t bytes_touched(pto_mask_kind kind, size_t lane, size_t n) {
    return n == 0 ? 0 : model_mask_bytes(kind, place_in_byte(kind, lane) + n);
}

/** Returns a mask whose lane `lane` lies in `byte`. The mask may begin before the memory that a call may access. */
static pto_mask mask_with(unsigned char *byte, pto_mask_kind kind, size_t lane) {
    return pto_mask_at(byte - lane * model_lane_bits(kind) / 8, kind);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/** bytes_before() returns how many bytes before dst must not change; bytes_in_all() adds dst and the bytes after it. */
static size_t bytes_before(const struct copy *c) {
    return least(HARNESS_MARGIN, (size_t)(c->dst - c->home->data));
}

static size_t bytes_in_all(const struct copy *c) {
    const size_t to_end = c->home->size - (size_t)(c->dst - c->home->data);
    return bytes_before(c) + least(to_end, bytes_touched(c->dst_kind, c->dst_lane, c->n) + HARNESS_MARGIN);
}

static void fill_source(struct fixture *w, const struct copy *c) {
    if (c->n == 0) return;
    check_fill_mask(&w->rng, c->kind, c->source, w->truths + rng_below(&w->rng, 1024),
                    place_in_byte(c->kind, c->lane) + c->n);
}

static void run_copy(const struct subject *s, struct report *r, struct fixture *w, const struct copy *c) {
    const size_t before = bytes_before(c), bytes = bytes_in_all(c);
    const size_t from = place_in_byte(c->kind, c->lane), to = place_in_byte(c->dst_kind, c->dst_lane);
    pto_status status;

    r->now.kinds[0] = (int)c->kind;
    r->now.kinds[1] = (int)c->dst_kind;
    r->now.n = c->n;
    r->cases++;
    memcpy(w->expected, c->dst - before, bytes);
    for (size_t i = 0; i < c->n; i++) {
        model_mask_set(c->dst_kind, w->expected + before, to + i,
                       model_mask_get(c->kind, c->source, from + i));
    }
    status = s->mask_copy(mask_with(c->source, c->kind, c->lane), c->lane,
                          mask_with(c->dst, c->dst_kind, c->dst_lane), c->dst_lane, c->n);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, c->dst - before, bytes);
}

static void copy_placed(const struct subject *s, struct report *r, struct fixture *w, struct copy *c,
                        enum place place) {
    c->source = guarded_place(&w->source, bytes_touched(c->kind, c->lane, c->n), place);
    fill_source(w, c);
    c->home = &w->dst;
    c->dst = guarded_place(&w->dst, bytes_touched(c->dst_kind, c->dst_lane, c->n), place);
    rng_fill(&w->rng, c->dst - bytes_before(c), bytes_in_all(c));
    r->now.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
    run_copy(s, r, w, c);
}

static void copy_somewhere(const struct subject *s, struct report *r, struct fixture *w, struct copy *c,
                           size_t n) {
    c->n = n;
    c->lane = rng_below(&w->rng, LANES);
    c->dst_lane = rng_below(&w->rng, LANES);
    copy_placed(s, r, w, c, AT_BEGIN);
    copy_placed(s, r, w, c, AT_END);
}

void check_mask_copy(const struct subject *s, struct report *r) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    struct fixture w;

    fixture_open(&w, "mask copy");
    report_call(r, "mask_copy", NULL);
    for (size_t kinds = 0; kinds < (size_t)MODEL_KINDS * MODEL_KINDS && !report_stop(r); kinds++) {
        struct copy c = {.kind = (pto_mask_kind)(kinds % MODEL_KINDS),
                         .dst_kind = (pto_mask_kind)(kinds / MODEL_KINDS)};
        for (size_t i = 0; i < count; i++) {
            copy_somewhere(s, r, &w, &c, lengths[i]);
        }
        for (size_t i = 0; i < 6; i++) {
            copy_somewhere(s, r, &w, &c, length_long(i));
        }
    }
    fixture_close(&w);
}

void check_mask_copy_bits(const struct subject *s, struct report *r) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    struct fixture w;

    fixture_open(&w, "mask copy bits");
    report_call(r, "mask_copy", NULL);
    for (size_t places = 0; places < (size_t)MODEL_KINDS * 64 && !report_stop(r); places++) {
        const pto_mask_kind kind = (pto_mask_kind)(places / 64);
        struct copy c = {kind, kind, places % 8, places / 8 % 8, 0, NULL, NULL, NULL};
        for (size_t i = 0; i < count; i++) {
            c.n = lengths[i];
            copy_placed(s, r, &w, &c, i % 2 ? AT_BEGIN : AT_END);
        }
    }
    fixture_close(&w);
}

/** Copies masks onto themselves: bits that readers ignore are cleared, and B64 is converted to BYTE and back. */
void check_mask_copy_in_place(const struct subject *s, struct report *r) {
    struct fixture w;
    fixture_open(&w, "mask copy in place");
    report_call(r, "mask_copy", "in place");
    for (size_t i = 0; i < 4000 && !report_stop(r); i++) {
        struct copy c = {.kind = (pto_mask_kind)(i % MODEL_KINDS),
                         .dst_kind = (pto_mask_kind)(i / MODEL_KINDS % MODEL_KINDS)};
        if (model_lane_bits(c.kind) != model_lane_bits(c.dst_kind)) continue;
        c.n = i % 50 == 0 ? length_long(i) : rng_below(&w.rng, 300);
        c.lane = rng_below(&w.rng, LANES);
        /* The lane has the same position in its byte, but the view may begin earlier. */
        c.dst_lane = c.lane + 8 * rng_below(&w.rng, 3);
        c.source = guarded_place(&w.source, bytes_touched(c.kind, c.lane, c.n), i % 7 ? AT_END : AT_BEGIN);
        c.dst = c.source;
        c.home = &w.source;
        rng_fill(&w.rng, c.dst - bytes_before(&c), bytes_in_all(&c));
        fill_source(&w, &c);
        run_copy(s, r, &w, &c);
    }
    fixture_close(&w);
}

static bool bytes_meet(const unsigned char *a, size_t a_bytes, const unsigned char *b, size_t b_bytes) {
    for (size_t i = 0; i < a_bytes; i++) {
        if (a + i >= b && a + i < b + b_bytes) return true;
    }
    return false;
}

/** Tries any two ranges near each other. They may share bytes only if they cover the same bits. */
void check_mask_copy_overlaps(const struct subject *s, struct report *r) {
    static struct arena arena;
    struct rng rng;
    rng_start(&rng, "mask copy overlaps");
    arena_fill(&arena, "mask copy overlaps");
    report_call(r, "mask_copy", NULL);
    for (size_t i = 0; i < 40000 && !report_stop(r); i++) {
        const pto_mask_kind kind = (pto_mask_kind)(i % MODEL_KINDS);
        const pto_mask_kind dst_kind = (pto_mask_kind)(i / MODEL_KINDS % MODEL_KINDS);
        const size_t n = 1 + rng_below(&rng, 24), lane = rng_below(&rng, 20), dst_lane = rng_below(&rng, 20);
        unsigned char *source = arena.bytes + 1024, *dst = source + rng_below(&rng, 9) - 4;
        unsigned char *first = source + lane * model_lane_bits(kind) / 8;
        unsigned char *dst_first = dst + dst_lane * model_lane_bits(dst_kind) / 8;
        const bool same = first == dst_first && model_lane_bits(kind) == model_lane_bits(dst_kind) &&
                          place_in_byte(kind, lane) == place_in_byte(dst_kind, dst_lane);
        const bool meet =
            bytes_meet(first, bytes_touched(kind, lane, n), dst_first, bytes_touched(dst_kind, dst_lane, n));
        char detail[120];
        snprintf(detail, sizeof detail, "ranges near each other: from lane %zu to lane %zu, dst at src%+td",
                 lane, dst_lane, dst - source);
        r->now.kinds[0] = (int)kind;
        r->now.kinds[1] = (int)dst_kind;
        r->now.n = n;
        arena_expect(r, &arena,
                     s->mask_copy(pto_mask_at(source, kind), lane, pto_mask_at(dst, dst_kind), dst_lane, n),
                     meet && !same ? PTO_ERR_OVERLAP : PTO_OK, detail);
    }
}

/* ---- ranges ---- */

static void range_placed(const struct subject *s, struct report *r, struct fixture *w, pto_mask_kind kind,
                         size_t from, size_t to, size_t n, enum place place) {
    const size_t bytes = model_mask_bytes(kind, n);
    unsigned char *dst = guarded_place(&w->dst, bytes, place);
    pto_status status;

    for (size_t i = 0; i < n; i++) {
        w->truths[i] = from <= i && i < to;
    }
    model_mask_put(kind, w->expected, w->truths, n);
    buffer_fill(&w->dst, dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    r->now.kinds[0] = (int)kind;
    r->now.n = n;
    r->cases++;
    status = s->mask_range(pto_mask_at(dst, kind), from, to, n);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, dst, bytes);
    if (!margins_intact(&w->dst, dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}

void check_mask_range(const struct subject *s, struct report *r) {
    const size_t step = r->quick ? 7 : 1;
    struct fixture w;
    fixture_open(&w, "mask range");
    report_call(r, "mask_range", NULL);
    for (int kind = 0; kind < MODEL_KINDS && !report_stop(r); kind++) {
        for (size_t n = 0; n < 40; n++) {
            for (size_t i = rng_below(&w.rng, step); i < (n + 1) * (n + 1); i += step) {
                const size_t from = i % (n + 1), to = i / (n + 1);
                if (from > to) continue;
                range_placed(s, r, &w, (pto_mask_kind)kind, from, to, n, i % 2 ? AT_BEGIN : AT_END);
            }
        }
        for (size_t i = 0; i < 60; i++) {
            const size_t n = length_long(i), to = rng_below(&w.rng, n + 1), from = rng_below(&w.rng, to + 1);
            range_placed(s, r, &w, (pto_mask_kind)kind, from, to, n, i % 2 ? AT_BEGIN : AT_END);
        }
    }
    fixture_close(&w);
}

/* ---- views ---- */

void check_mask_from(const struct subject *s, struct report *r) {
    unsigned char image[LANES * 8];
    struct rng rng;
    rng_start(&rng, "mask from");
    rng_fill(&rng, image, sizeof image);
    report_call(r, "mask_from", NULL);
    for (size_t i = 0; i < (size_t)MODEL_KINDS * LANES && !report_stop(r); i++) {
        const pto_mask_kind kind = (pto_mask_kind)(i % MODEL_KINDS);
        const size_t lane = i / MODEL_KINDS / 8 * 8, behind = i / MODEL_KINDS % 8;
        const pto_mask view = s->mask_from(pto_mask_at(image, kind), lane);
        const pto_mask none = s->mask_from(pto_mask_at(NULL, kind), lane);
        r->now.kinds[0] = (int)kind;
        r->now.n = lane;
        r->cases++;
        if (view.kind != kind || none.kind != kind) report_mismatch(r, "another kind");
        if (none.data != NULL) report_mismatch(r, "no mask becomes one");
        if (model_mask_get(kind, view.data, behind) != model_mask_get(kind, image, lane + behind) ||
            (unsigned char *)view.data != image + lane * model_lane_bits(kind) / 8)
            report_mismatch(r, "another lane");
    }
}

/* ---- statuses ---- */

static void copy_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    const size_t most = SIZE_MAX / 16;
    unsigned char *p = arena->bytes;
    const pto_mask a = pto_packed(p), b = pto_bytes(p + 1024), none = PTO_NO_MASK;
    const pto_mask no_kind = pto_mask_at(p, (pto_mask_kind)6), negative = pto_mask_at(p, (pto_mask_kind)-1);

    report_call(r, "mask_copy", NULL);
    arena_expect(r, arena, s->mask_copy(none, 1, b, 2, 9), PTO_ERR_NULL, "src NULL");
    arena_expect(r, arena, s->mask_copy(a, 1, none, 2, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, s->mask_copy(none, 1, none, 2, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, arena, s->mask_copy(none, 1, negative, 2, 9), PTO_ERR_NULL, "NULL before the kind");
    arena_expect(r, arena, s->mask_copy(no_kind, 1, b, most, 9), PTO_ERR_MASK,
                 "src of no kind, before the size");
    arena_expect(r, arena, s->mask_copy(a, most, negative, 2, 9), PTO_ERR_MASK, "dst of no kind");
    arena_expect(r, arena, s->mask_copy(a, 0, no_kind, 0, 0), PTO_ERR_MASK, "dst of no kind, n == 0");
    arena_expect(r, arena, s->mask_copy(a, 0, b, 0, most + 1), PTO_ERR_SIZE, "n too large");
    arena_expect(r, arena, s->mask_copy(a, most - 8, b, 0, 9), PTO_ERR_SIZE, "src_lane + n too large");
    arena_expect(r, arena, s->mask_copy(a, 1, b, SIZE_MAX, 9), PTO_ERR_SIZE, "dst_lane + n wraps");
    arena_expect(r, arena, s->mask_copy(a, SIZE_MAX, a, 0, 9), PTO_ERR_SIZE, "size before overlap");
    arena_expect(r, arena, s->mask_copy(a, most, b, most, 0), PTO_OK, "the last lane, n == 0");
    arena_expect(r, arena, s->mask_copy(a, most + 1, b, 0, 0), PTO_ERR_SIZE, "src_lane too large, n == 0");
    arena_expect(r, arena, s->mask_copy(a, 0, b, most + 1, 0), PTO_ERR_SIZE, "dst_lane too large, n == 0");
    arena_expect(r, arena, s->mask_copy(a, 3, b, 5, 999), PTO_OK, "good");
}

static void range_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    const size_t most = SIZE_MAX / 16;
    const pto_mask a = pto_packed(arena->bytes), none = PTO_NO_MASK;
    const pto_mask no_kind = pto_mask_at(arena->bytes, (pto_mask_kind)6);

    report_call(r, "mask_range", NULL);
    arena_expect(r, arena, s->mask_range(none, 1, 2, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, arena, s->mask_range(none, 0, 0, 0), PTO_OK, "dst NULL, n == 0");
    arena_expect(r, arena, s->mask_range(pto_mask_at(NULL, (pto_mask_kind)6), 3, 2, 9), PTO_ERR_NULL,
                 "NULL before the kind");
    arena_expect(r, arena, s->mask_range(no_kind, 3, 2, 9), PTO_ERR_MASK, "no kind, before the size");
    arena_expect(r, arena, s->mask_range(no_kind, 0, 0, 0), PTO_ERR_MASK, "no kind, n == 0");
    arena_expect(r, arena, s->mask_range(a, 3, 2, 9), PTO_ERR_SIZE, "from > to");
    arena_expect(r, arena, s->mask_range(a, 3, 10, 9), PTO_ERR_SIZE, "to > n");
    arena_expect(r, arena, s->mask_range(a, 0, 1, 0), PTO_ERR_SIZE, "to > n == 0");
    arena_expect(r, arena, s->mask_range(a, 0, 1, most + 1), PTO_ERR_SIZE, "n too large");
    arena_expect(r, arena, s->mask_range(a, 9, 9, 9), PTO_OK, "no lane");
    arena_expect(r, arena, s->mask_range(a, 0, 9, 9), PTO_OK, "every lane");
}

static void split_statuses(const struct subject *s, struct report *r, struct arena *arena) {
    size_t *const begin = (size_t *)(void *)arena->bytes, *const count = begin + 1;
    size_t *const inside = (size_t *)(void *)(arena->bytes + sizeof *begin / 2);

    report_call(r, "split", NULL);
    arena_expect(r, arena, s->split(9, 2, 1, NULL, count), PTO_ERR_NULL, "begin NULL");
    arena_expect(r, arena, s->split(9, 2, 1, begin, NULL), PTO_ERR_NULL, "count NULL");
    arena_expect(r, arena, s->split(0, 0, 1, NULL, count), PTO_ERR_NULL, "NULL before the size, n == 0");
    arena_expect(r, arena, s->split(9, 0, 0, begin, count), PTO_ERR_SIZE, "no parts");
    arena_expect(r, arena, s->split(9, 3, 3, begin, count), PTO_ERR_SIZE, "k is parts");
    arena_expect(r, arena, s->split(SIZE_MAX / 16 + 1, 3, 2, begin, count), PTO_ERR_SIZE, "n too large");
    arena_expect(r, arena, s->split(9, 3, 3, begin, begin), PTO_ERR_SIZE, "size before overlap");
    arena_expect(r, arena, s->split(9, 3, 2, begin, begin), PTO_ERR_OVERLAP, "begin is count");
    arena_expect(r, arena, s->split(9, 3, 2, begin, inside), PTO_ERR_OVERLAP, "begin lies in count");
    arena_expect(r, arena, s->split(0, 1, 0, begin, count), PTO_OK, "good");
}

void check_mask_lanes_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "mask lanes status");
    copy_statuses(s, r, &arena);
    range_statuses(s, r, &arena);
    split_statuses(s, r, &arena);
}
