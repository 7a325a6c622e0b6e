/* SPDX-License-Identifier: MIT */
/* Checks testp: every code of the short types, lengths, seeds, kinds, offsets, in place, FP states and statuses. */
#include "check/checks.h"
#include "model/model_testp.h"
#include "support/arena.h"
#include "support/fpstate.h"
#include "support/slide.h"

#include <limits.h>
#include <string.h>

enum { NO_SEED = -1, LANES = HARNESS_LONGEST, OFFSETS = 64, ALL_CODES = 65536, DTYPES = MODEL_DTYPES };

struct fixture {
    pto_dtype type;
    size_t size;
    struct guarded src, seed, dst;
    unsigned char *truth, *expected, *seed_truth;
    struct rng rng;
};

/** A call. `offset` moves each operand from the beginning of its memory; AT_END ignores it. */
struct call {
    pto_float_test test;
    unsigned flags;
    int seed_kind;
    pto_mask_kind dst_kind;
    size_t n, offset;
    enum place place;
};

/** Returns a pattern whose ones are one run of bits, more or less 1, with a random top bit: the borders between
 * classes are such patterns in every format. Every second one is random. */
static uint64_t border_or_random(struct rng *rng, size_t size) {
    const unsigned bits = (unsigned)(8 * size), high = (unsigned)rng_below(rng, bits),
                   low = (unsigned)rng_below(rng, bits);
    const uint64_t run = ((uint64_t)1 << high) - ((uint64_t)1 << low) + rng_below(rng, 3) - 1;
    const uint64_t top = (uint64_t)1 << (bits - 1) % 64;
    if (rng_below(rng, 2)) return rng_next(rng);
    return rng_below(rng, 2) ? run | top : run & ~top;
}

static struct fixture *fixture_open(const char *purpose, pto_dtype type, size_t lanes) {
    struct fixture *w = harness_allocate(sizeof *w);
    w->type = type;
    w->size = model_testp_size(type);
    rng_start_for(&w->rng, purpose, type);
    guarded_open(&w->src, (lanes + OFFSETS) * w->size);
    guarded_open(&w->seed, lanes + OFFSETS);
    guarded_open(&w->dst, lanes + OFFSETS);
    w->truth = harness_allocate(lanes);
    w->expected = harness_allocate(lanes);
    w->seed_truth = harness_allocate(lanes);
    check_fill_truth(&w->rng, w->seed_truth, lanes);
    return w;
}

static void fixture_close(struct fixture *w) {
    guarded_close(&w->src);
    guarded_close(&w->seed);
    guarded_close(&w->dst);
    harness_free(w->truth);
    harness_free(w->expected);
    harness_free(w->seed_truth);
    harness_free(w);
}

static void fill_source(struct fixture *w, unsigned char *src, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = border_or_random(&w->rng, w->size);
        memcpy(src + i * w->size, &bits, w->size);
    }
}

static uint64_t load_bits(const unsigned char *src, size_t size, size_t lane) {
    uint64_t bits = 0;
    for (size_t i = size; i-- > 0;) {
        bits = bits * 256 + src[lane * size + i];
    }
    return bits;
}

/** Makes the call on these operands and compares what it wrote. */
static void run_call(const struct subject *s, struct report *r, struct fixture *w, const struct call *c,
                     unsigned char *src, unsigned char *seed, unsigned char *dst,
                     const struct guarded *home) {
    const size_t bytes = model_mask_bytes(c->dst_kind, c->n);
    const pto_mask on = seed ? pto_mask_at(seed, (pto_mask_kind)c->seed_kind) : PTO_NO_MASK;
    const bool merge = (c->flags & PTO_MERGE) != 0;
    r->now.type = (int)w->type;
    r->now.op = (int)c->test;
    r->now.flags = (int)c->flags;
    r->now.kinds[0] = c->seed_kind;
    r->now.kinds[1] = (int)c->dst_kind;
    r->now.n = c->n;
    r->cases++;
    report_result(r, model_lane_bits(c->dst_kind));
    for (size_t i = 0; i < c->n; i++) {
        const bool passes = model_testp(w->type, c->test, load_bits(src, w->size, i));
        const bool is_on = !seed || model_mask_get((pto_mask_kind)c->seed_kind, seed, i);
        const bool old = merge && model_mask_get(c->dst_kind, dst, i);
        w->truth[i] = model_vcmp_lane(passes, is_on, merge, old);
    }
    model_mask_put(c->dst_kind, w->expected, w->truth, c->n);
    if (!report_status(r, s->testp(w->type, c->test, c->flags, src, on, pto_mask_at(dst, c->dst_kind), c->n),
                       PTO_OK))
        return;
    report_image(r, w->expected, dst, bytes);
    if (!margins_intact(home, dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}

static unsigned char *place(const struct guarded *memory, const struct call *c, size_t bytes) {
    return guarded_place(memory, bytes, c->place) + (c->place == AT_BEGIN ? c->offset : 0);
}

static void run_placed(const struct subject *s, struct report *r, struct fixture *w, const struct call *c) {
    unsigned char *const src = place(&w->src, c, c->n * w->size), *seed = NULL;
    const size_t bytes = model_mask_bytes(c->dst_kind, c->n);
    unsigned char *const dst = place(&w->dst, c, bytes);
    fill_source(w, src, c->n);
    if (c->seed_kind != NO_SEED) {
        seed = place(&w->seed, c, model_mask_bytes((pto_mask_kind)c->seed_kind, c->n));
        check_fill_mask(&w->rng, (pto_mask_kind)c->seed_kind, seed, w->seed_truth, c->n);
    }
    buffer_fill(&w->dst, dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    run_call(s, r, w, c, src, seed, dst, &w->dst);
}

/** Returns PACKED, BYTE or the image kind of the type's width. */
static pto_mask_kind kind_of(const struct fixture *w, size_t number) {
    const pto_mask_kind image = w->size == 1   ? PTO_MASK_B8
                                : w->size == 2 ? PTO_MASK_B16
                                : w->size == 4 ? PTO_MASK_B32
                                               : PTO_MASK_B64;
    return number % 3 == 0 ? PTO_MASK_PACKED : number % 3 == 1 ? PTO_MASK_BYTE : image;
}

/* ---- codes ---- */

void check_testp_codes(const struct subject *s, struct report *r) {
    report_call(r, "testp", "every code, or borders and random values");
    for (size_t t = 0; t < MODEL_TESTP_TYPES; t++) {
        struct fixture *w = fixture_open("testp codes", model_testp_types[t], ALL_CODES);
        fill_source(w, w->src.data, ALL_CODES);
        for (size_t i = 0; w->size <= 2 && i < ALL_CODES; i++) {
            memcpy(w->src.data + i * w->size, &i, w->size);
        }
        for (int test = 0; test < MODEL_TESTS && !report_stop(r); test++) {
            const struct call c = {.test = (pto_float_test)test, .seed_kind = NO_SEED, .n = ALL_CODES};
            buffer_fill(&w->dst, w->dst.data, ALL_CODES / 8, 0);
            run_call(s, r, w, &c, w->src.data, NULL, w->dst.data, &w->dst);
        }
        fixture_close(w);
    }
}

/* ---- lengths, kinds, seeds, flags, offsets, FP states ---- */

static void sweep_lengths(const struct subject *s, struct report *r, struct fixture *w, struct call *c) {
    size_t lengths[HARNESS_MAX_LENGTHS], count = lengths_short(lengths, r->quick);
    lengths[count++] = length_long(rng_below(&w->rng, 64));
    for (size_t i = 0; i < count && !report_stop(r); i++) {
        c->n = lengths[i];
        c->test = (pto_float_test)rng_below(&w->rng, MODEL_TESTS);
        c->offset = rng_below(&w->rng, OFFSETS);
        c->place = i % 2 ? AT_BEGIN : AT_END;
        run_placed(s, r, w, c);
    }
}

static void sweep_fp_states(const struct subject *s, struct report *r, struct fixture *w) {
    struct fp_state state, before, after;
    const struct fp_state normal = fp_state_get();
    const char *title;
    for (size_t i = 0; fp_state_hostile(i, &state, &title) && !report_stop(r); i += r->quick ? 7 : 1) {
        const pto_float_test test = (pto_float_test)(i % MODEL_TESTS);
        const size_t n = 777;
        pto_status status;
        r->now.detail = title;
        r->cases++;
        fill_source(w, w->src.data, n);
        fp_state_set(&state);
        before = fp_state_get();
        status = s->testp(w->type, test, 0, w->src.data, PTO_NO_MASK, pto_packed(w->dst.data), n);
        after = fp_state_get();
        fp_state_set(&normal);
        report_status(r, status, PTO_OK);
        if (!fp_state_same(&before, &after)) report_mismatch(r, "the FP state changed");
        for (size_t k = 0; k < n; k++) {
            if (model_mask_get(PTO_MASK_PACKED, w->dst.data, k) !=
                model_testp(w->type, test, load_bits(w->src.data, w->size, k)))
                report_mismatch(r, "lane %zu", k);
        }
    }
    r->now.detail = NULL;
}

void check_testp_lengths(const struct subject *s, struct report *r) {
    report_call(r, "testp", NULL);
    for (size_t t = 0; t < MODEL_TESTP_TYPES && !report_stop(r); t++) {
        struct fixture *w = fixture_open("testp lengths", model_testp_types[t], LANES);
        for (size_t i = 0; i < (size_t)4 * 3 * 2 && !report_stop(r);
             i++) { /* no seed or one of 3, 3 results, 2 flags */
            struct call c = {.flags = i % 2 ? PTO_MERGE : 0, .dst_kind = kind_of(w, i / 2)};
            c.seed_kind = i / 6 == 0 ? NO_SEED : (int)kind_of(w, i / 6);
            sweep_lengths(s, r, w, &c);
        }
        sweep_fp_states(s, r, w);
        fixture_close(w);
    }
}

/* ---- in place ---- */

static void onto_seed(const struct subject *s, struct report *r, struct fixture *w, struct call *c) {
    unsigned char *const src = w->src.data, *const dst = w->dst.data + HARNESS_MARGIN;
    fill_source(w, src, c->n);
    check_fill_mask(&w->rng, c->dst_kind, dst, w->seed_truth, c->n);
    margins_fill(&w->dst, dst, model_mask_bytes(c->dst_kind, c->n));
    c->seed_kind = (int)c->dst_kind;
    r->now.detail = "dst is the seed";
    run_call(s, r, w, c, src, dst, dst, &w->dst);
}

/** Makes a call whose result replaces its source, a byte by a byte. */
static void onto_source(const struct subject *s, struct report *r, struct fixture *w, struct call *c) {
    unsigned char *const src = w->src.data + HARNESS_MARGIN;
    c->dst_kind = PTO_MASK_BYTE;
    c->seed_kind = NO_SEED;
    fill_source(w, src, c->n);
    margins_fill(&w->src, src, c->n);
    r->now.detail = "dst is the source";
    run_call(s, r, w, c, src, NULL, src, &w->src);
}

void check_testp_in_place(const struct subject *s, struct report *r) {
    static const size_t lengths[] = {1, 63, 64, 200, 4096, 4099, 8200};
    report_call(r, "testp", NULL);
    for (size_t t = 0; t < MODEL_TESTP_TYPES && !report_stop(r); t++) {
        struct fixture *w = fixture_open("testp in place", model_testp_types[t], LANES + 2 * HARNESS_MARGIN);
        for (size_t i = 0; i < (size_t)3 * MODEL_TESTS * sizeof lengths / sizeof lengths[0]; i++) {
            struct call c = {.test = (pto_float_test)(i / 3 % MODEL_TESTS), .flags = i % 5 ? 0 : PTO_MERGE};
            c.dst_kind = kind_of(w, i);
            c.n = lengths[i / ((size_t)3 * MODEL_TESTS)];
            onto_seed(s, r, w, &c);
            if (w->size == 1) onto_source(s, r, w, &c);
        }
        fixture_close(w);
    }
}

/* ---- statuses ---- */

/** Returns member `number` of an enum, or values that it does not have. */
static int any(int number, int members) {
    static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000};
    return number < members ? number : nonsense[number - members];
}

static void legality(const struct subject *s, struct report *r, struct arena *arena) {
    static const unsigned flags[] = {0, PTO_MERGE, PTO_FTZ, 4, 8, 16, UINT_MAX};
    enum { FLAGS = 7, TESTS = MODEL_TESTS + 4, KINDS = MODEL_KINDS + 4, ALL = (DTYPES + 4) * TESTS * FLAGS };
    unsigned char *const m = arena->bytes;
    pto_plan plan;
    for (int i = 0; i < ALL; i++) {
        const pto_dtype type = (pto_dtype)any(i / FLAGS / TESTS, DTYPES);
        const int test = any(i / FLAGS % TESTS, MODEL_TESTS), seed = any(i / 3 % KINDS, MODEL_KINDS),
                  dst = any(i / 5 % KINDS, MODEL_KINDS);
        const pto_status want = model_testp_status(type, test, flags[i % FLAGS], seed, dst);
        r->now.type = (int)type;
        r->now.op = test;
        r->now.n = i % 3 ? 40 : 0;
        arena_expect(r, arena,
                     s->testp(type, (pto_float_test)test, flags[i % FLAGS], m,
                              pto_mask_at(m + 1024, (pto_mask_kind)seed),
                              pto_mask_at(m + 2048, (pto_mask_kind)dst), r->now.n),
                     want, "legality");
        report_status(r,
                      s->plan_testp(&plan, type, (pto_float_test)test, flags[i % FLAGS], (pto_mask_kind)seed,
                                    (pto_mask_kind)dst),
                      want);
    }
    r->now.type = r->now.op = -1;
}

struct overlap {
    bool seed;
    pto_mask_kind kind;
};

static pto_status overlap_call(const struct subject *s, const void *context, unsigned char *operand,
                               unsigned char *dst) {
    const struct overlap *o = context;
    static uint8_t far_source[64];
    return s->testp(PTO_E4M3, PTO_TEST_ZERO, 0, o->seed ? far_source : operand,
                    o->seed ? pto_mask_at(operand, o->kind) : PTO_NO_MASK, pto_mask_at(dst, o->kind), 64);
}

static void overlaps(const struct subject *s, struct report *r, struct arena *arena) {
    const struct overlap packed_source = {false, PTO_MASK_PACKED}, bytes_source = {false, PTO_MASK_BYTE},
                         packed_seed = {true, PTO_MASK_PACKED};
    slide_past(s, r, arena, &(struct slide){64, 8, false}, overlap_call, &packed_source, "src, packed");
    slide_past(s, r, arena, &(struct slide){64, 64, true}, overlap_call, &bytes_source, "src, bytes");
    slide_past(s, r, arena, &(struct slide){8, 8, true}, overlap_call, &packed_seed, "seed");
}

void check_testp_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    unsigned char *const m = arena.bytes;
    const pto_mask dst = pto_packed(m + 512), none = PTO_NO_MASK, bad = pto_mask_at(m + 512, PTO_MASK_B8);
    const pto_float_test zero = PTO_TEST_ZERO, unknown = (pto_float_test)8;
    report_call(r, "testp", NULL);
    arena_fill(&arena, "testp status");
    arena_expect(r, &arena, s->testp(PTO_U8, zero, 0, NULL, none, dst, 9), PTO_ERR_NULL, "src NULL");
    arena_expect(r, &arena, s->testp(PTO_U8, zero, 0, m, none, none, 9), PTO_ERR_NULL, "dst NULL");
    arena_expect(r, &arena, s->testp(PTO_F32, zero, 0, NULL, none, none, 0), PTO_OK, "all NULL, n == 0");
    arena_expect(r, &arena, s->testp(PTO_U8, unknown, 8, m, none, bad, SIZE_MAX), PTO_ERR_TYPE, "order");
    arena_expect(r, &arena, s->testp(PTO_F32, unknown, 8, m, none, bad, SIZE_MAX), PTO_ERR_OP, "order");
    arena_expect(r, &arena, s->testp(PTO_F32, zero, 8, m, none, bad, SIZE_MAX), PTO_ERR_MODIFIER, "order");
    arena_expect(r, &arena, s->testp(PTO_F32, zero, 0, m, none, bad, SIZE_MAX), PTO_ERR_MASK, "order");
    arena_expect(r, &arena, s->testp(PTO_F32, zero, 0, m, none, pto_packed(m + 1), SIZE_MAX), PTO_ERR_SIZE,
                 "order");
    report_status(r, s->plan_testp(NULL, PTO_U8, zero, 0, PTO_MASK_PACKED, PTO_MASK_PACKED), PTO_ERR_NULL);
    legality(s, r, &arena);
    overlaps(s, r, &arena);
}
