/* SPDX-License-Identifier: MIT */
/* Checks random bits: known answers, lengths beside guard pages, carries of the counter, splits, statuses and
 * overlaps. */
#include "check/checks.h"
#include "model/model_random.h"
#include "support/arena.h"
#include "support/slide.h"

#include <string.h>

enum { BUFFER_SIZE = 1 << 14, WORDS = BUFFER_SIZE / 4, SHORT = 70 };

/** A generator's key and counter, memory for a result, and the expected words. */
struct stream {
    uint32_t key[2], counter[4];
    struct guarded out;
    struct rng rng;
    uint32_t expected[WORDS];
};

static void start(struct report *r, struct stream *w, const char *detail) {
    report_call(r, "random_bits", detail);
    rng_start(&w->rng, detail);
    guarded_open(&w->out, BUFFER_SIZE);
}

static void draw(struct stream *w) {
    rng_fill(&w->rng, w->key, sizeof w->key);
    rng_fill(&w->rng, w->counter, sizeof w->counter);
}

/** Makes one call. The result begins `offset` bytes after a guard page (AT_BEGIN) or ends at one (AT_END). */
static void compare(const struct subject *s, struct report *r, struct stream *w, size_t n, enum place place,
                    size_t offset) {
    unsigned char *buffer = guarded_place(&w->out, n * 4, place) + (place == AT_BEGIN ? offset : 0);
    r->now.n = n;
    r->cases++;
    model_random_words(w->key, w->counter, w->expected, n);
    buffer_fill(&w->out, buffer, n * 4, (unsigned)r->cases);
    report_status(r, s->random_bits(w->key, w->counter, (uint32_t *)(void *)buffer, n), PTO_OK);
    report_image(r, (const unsigned char *)w->expected, buffer, n * 4);
    if (!margins_intact(&w->out, buffer, n * 4)) report_mismatch(r, "bytes outside were written");
}

/** Checks the known answers of Random123: philox4x32 with 10 rounds in its tests/kat_vectors. */
void check_random_known(const struct subject *s, struct report *r) {
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    uint32_t block[4], model[4];
    report_call(r, "random_bits", "known answers");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        r->cases++;
        model_random_block(known[i].key, known[i].counter, model);
        if (memcmp(model, known[i].block, sizeof model) != 0) report_mismatch(r, "the model, answer %zu", i);
        report_status(r, s->random_bits(known[i].key, known[i].counter, block, 4), PTO_OK);
        report_image(r, (const unsigned char *)known[i].block, (const unsigned char *)block, sizeof block);
    }
}

void check_random_lengths(const struct subject *s, struct report *r) {
    static const size_t more[] = {127, 128, 129, 255, 256, 511, 1000, WORDS - 32};
    static struct stream w;
    start(r, &w, "random lengths");
    for (size_t i = 0; i <= SHORT + sizeof more / sizeof more[0] && !report_stop(r); i++) {
        const size_t n = i <= SHORT ? i : more[i - SHORT - 1];
        draw(&w);
        compare(s, r, &w, n, AT_END, 0);
        for (size_t offset = 0; offset < 64; offset += r->quick ? 7 : 1)
            compare(s, r, &w, n, AT_BEGIN, offset);
    }
    guarded_close(&w.out);
}

/** Starts from counters just before a carry out of one or several words, and advances counters by small and large
 * steps. */
void check_random_carry(const struct subject *s, struct report *r) {
    static const uint64_t far[] = {0,         1, 17, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX / 2,
                                   UINT64_MAX};
    static struct stream w;
    start(r, &w, "random carries");
    for (uint32_t i = 0; i < 16 * 48 && !report_stop(r); i++) {
        uint32_t next[4], want[4];
        draw(&w);
        for (int word = 0; word < 4; word++)
            if (i >> word & 1) w.counter[word] = UINT32_MAX;
        if (i & 1) w.counter[0] -= i / 16;
        compare(s, r, &w, 67 + i % 5 * 50, AT_END, 0);
        for (size_t k = 0; k < sizeof far / sizeof far[0]; k++) {
            r->cases++;
            model_random_counter(w.counter, far[k], want);
            memcpy(next, w.counter, sizeof next);
            if (s->random_counter(next, far[k], next) != PTO_OK) report_mismatch(r, "counter: no success");
            if (memcmp(next, want, sizeof want) != 0)
                report_mismatch(r, "counter %08x %08x %08x %08x + %llx", w.counter[3], w.counter[2],
                                w.counter[1], w.counter[0], (unsigned long long)far[k]);
        }
    }
    guarded_close(&w.out);
}

/** Checks that a sequence equals its two parts, which are computed in reverse order. */
void check_random_splits(const struct subject *s, struct report *r) {
    enum { WHOLE = 403 };
    static struct stream w;
    uint32_t whole[WHOLE], from[4];
    start(r, &w, "random splits");
    draw(&w);
    w.counter[0] = UINT32_MAX - WHOLE / 8; /* the carry is in the middle */
    report_status(r, s->random_bits(w.key, w.counter, w.expected, WHOLE), PTO_OK);
    for (size_t at = 0; at < WHOLE && !report_stop(r); at += 4) {
        r->now.n = at;
        r->cases++;
        memset(whole, 0, sizeof whole);
        report_status(r, s->random_counter(w.counter, at / 4, from), PTO_OK);
        report_status(r, s->random_bits(w.key, from, whole + at, WHOLE - at), PTO_OK);
        report_status(r, s->random_bits(w.key, w.counter, whole, at), PTO_OK);
        report_image(r, (const unsigned char *)w.expected, (const unsigned char *)whole, sizeof whole);
    }
    guarded_close(&w.out);
}

/* ---- statuses ---- */

static void bits_status(const struct subject *s, struct report *r, struct arena *arena) {
    uint32_t *const out = (uint32_t *)(void *)arena->bytes;
    const uint32_t *const key = out + 512, *const counter = out + 514;
    const size_t most = SIZE_MAX / 16;
    report_call(r, "random_bits", NULL);
    arena_expect(r, arena, s->random_bits(NULL, counter, out, 1), PTO_ERR_NULL, "no key");
    arena_expect(r, arena, s->random_bits(key, NULL, out, 1), PTO_ERR_NULL, "no counter");
    arena_expect(r, arena, s->random_bits(key, counter, NULL, most + 1), PTO_ERR_NULL, "no out, too many");
    arena_expect(r, arena, s->random_bits(key, counter, out, most + 1), PTO_ERR_SIZE, "too many");
    arena_expect(r, arena, s->random_bits(key, counter, out, SIZE_MAX), PTO_ERR_SIZE, "most of all");
    arena_expect(r, arena, s->random_bits(NULL, NULL, NULL, 0), PTO_OK, "none");
    arena_expect(r, arena, s->random_bits(key, counter, out, most), PTO_ERR_OVERLAP, "more than memory");
    arena_expect(r, arena, s->random_bits(key, counter, out, 512), PTO_OK, "side by side");
}

static void counter_status(const struct subject *s, struct report *r, struct arena *arena) {
    uint32_t *const next = (uint32_t *)(void *)arena->bytes;
    report_call(r, "random_counter", NULL);
    arena_expect(r, arena, s->random_counter(NULL, 0, next), PTO_ERR_NULL, "no counter");
    arena_expect(r, arena, s->random_counter(next, 0, NULL), PTO_ERR_NULL, "no result");
}

void check_random_status(const struct subject *s, struct report *r) {
    static struct arena arena;
    arena_fill(&arena, "random status");
    bits_status(s, r, &arena);
    counter_status(s, r, &arena);
}

/* Slides the operand and the result past each other byte by byte; any alignment is allowed. */
static pto_status slide_key(const struct subject *s, const void *context, unsigned char *operand,
                            unsigned char *dst) {
    return s->random_bits((const uint32_t *)(const void *)operand, context, (uint32_t *)(void *)dst, 5);
}

static pto_status slide_counter(const struct subject *s, const void *context, unsigned char *operand,
                                unsigned char *dst) {
    return s->random_bits(context, (const uint32_t *)(const void *)operand, (uint32_t *)(void *)dst, 5);
}

static pto_status slide_next(const struct subject *s, const void *context, unsigned char *operand,
                             unsigned char *dst) {
    (void)context;
    return s->random_counter((const uint32_t *)(const void *)operand, 3, (uint32_t *)(void *)dst);
}

void check_random_overlaps(const struct subject *s, struct report *r) {
    static const uint32_t elsewhere[4] = {1, 2, 3, 4};
    static const struct slide key = {8, 20, false}, counter = {16, 20, false}, next = {16, 16, true};
    static struct arena arena;
    arena_fill(&arena, "random overlaps");
    report_call(r, "random_bits", NULL);
    slide_past(s, r, &arena, &key, slide_key, elsewhere, "out over the key");
    slide_past(s, r, &arena, &counter, slide_counter, elsewhere, "out over the counter");
    report_call(r, "random_counter", NULL);
    slide_past(s, r, &arena, &next, slide_next, NULL, "the result over the counter");
}
