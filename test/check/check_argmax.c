/* SPDX-License-Identifier: MIT */
/* Checks vargmax and vargmin. The model is a loop over lanes with the model's relations. */
#include "check/checks.h"
#include "support/arena.h"
#include "support/operands.h"
#include "support/values.h"

#include <limits.h>
#include <string.h>

enum { LONGEST = 20000, FLAGS = 8, OFFSETS = 64, KINDS_OF_VALUES = 5 };

struct fixture {
    pto_dtype type;
    size_t size;
    struct guarded src, seed;
    unsigned char truth[LONGEST];
    struct rng rng;
};

static bool takes(pto_dtype type, unsigned flags) {
    if ((flags & PTO_MERGE) != 0) return false;
    if ((flags & PTO_FTZ) != 0 && !model_has_ftz(type)) return false;
    return (flags & PTO_PROPAGATE_NAN) == 0 || model_is_float(type);
}

/** Fills src with: special values; a few values; one value everywhere; NaNs and special values; few lanes that are not
 * NaNs. Integers have no NaNs; they get random values instead. */
static void fill(struct fixture *w, unsigned char *src, size_t n, size_t kind) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(w->type, specials);
    const uint64_t one = specials[rng_below(&w->rng, count)];
    const uint64_t nan = w->type == PTO_F64   ? 0x7ff8000000000000
                         : w->type == PTO_F32 ? 0xffc00001
                         : w->type == PTO_F16 ? 0x7e00
                                              : 0xffc0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = specials[rng_below(&w->rng, kind == 1 ? 3 : count)];
        if (kind == 2) bits = one;
        if (kind == 3 ? rng_below(&w->rng, 3) == 0 : kind == 4 && rng_below(&w->rng, n) > 1) bits = nan;
        if (kind >= 3 && !model_is_float(w->type)) bits = rng_next(&w->rng);
        value_store(w->type, src, i, bits);
    }
}

static size_t expect(const struct fixture *w, bool is_max, unsigned flags, const unsigned char *src,
                     bool seeded, size_t n) {
    const bool nan_wins = (flags & PTO_PROPAGATE_NAN) != 0, ftz = (flags & PTO_FTZ) != 0;
    struct model_value best = {0};
    size_t index = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        const struct model_value x = model_decode(w->type, ftz, src + i * w->size);
        enum model_relation relation;
        if (seeded && !w->truth[i]) continue;
        relation = index == SIZE_MAX ? MODEL_UNORDERED : model_relate(w->type, &x, &best);
        if (index != SIZE_MAX && relation == MODEL_UNORDERED && (best.nan ? nan_wins || x.nan : !nan_wins))
            continue;
        if (relation == MODEL_EQUAL || relation == (is_max ? MODEL_LESS : MODEL_GREATER)) continue;
        best = x;
        index = i;
    }
    return index;
}

static void run_call(const struct subject *s, struct report *r, struct fixture *w, unsigned flags, size_t n,
                     size_t number) {
    const enum place place = number % 2 ? AT_BEGIN : AT_END;
    const size_t offset = place == AT_BEGIN ? rng_below(&w->rng, OFFSETS) : 0;
    const pto_mask_kind kind = mask_kind(w->type, number);
    const bool seeded = number % 4 != 0;
    unsigned char *const src = guarded_place(&w->src, n * w->size, place) + offset,
                         *const seed = guarded_place(&w->seed, model_mask_bytes(kind, n), place);
    fill(w, src, n, number % KINDS_OF_VALUES);
    check_fill_truth(&w->rng, w->truth, n);
    for (size_t i = 0; i < n; i++) {
        if (number % 3 == 0) w->truth[i] = rng_below(&w->rng, n) == 0; /* about one lane, or none */
    }
    check_fill_mask(&w->rng, kind, seed, w->truth, n);
    r->now.type = (int)w->type;
    r->now.flags = (int)flags;
    r->now.kinds[0] = seeded ? (int)kind : -1;
    r->now.n = n;
    for (int is_max = 0; is_max < 2; is_max++) {
        const size_t want = expect(w, is_max, flags, src, seeded, n);
        size_t got = 1234567;
        r->now.call = is_max ? "vargmax" : "vargmin";
        r->cases++;
        report_status(r,
                      (is_max ? s->vargmax : s->vargmin)(
                          w->type, flags, src, seeded ? pto_mask_at(seed, kind) : PTO_NO_MASK, &got, n),
                      PTO_OK);
        if (got != want) report_mismatch(r, "expected %zu, got %zu", want, got);
    }
}

void check_argmax(const struct subject *s, struct report *r) {
    report_call(r, "vargmax", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        struct fixture *w;
        size_t lengths[HARNESS_MAX_LENGTHS], count = lengths_short(lengths, r->quick);
        if (model_types[t] <= PTO_B64) continue;
        w = harness_allocate(sizeof *w);
        w->type = model_types[t];
        w->size = model_size(w->type);
        rng_start_for(&w->rng, "argmax", w->type);
        guarded_open(&w->src, LONGEST * w->size + OFFSETS);
        guarded_open(&w->seed, LONGEST);
        lengths[count++] = 1024;
        lengths[count++] = 1025;
        lengths[count++] = 5000;
        lengths[count++] = LONGEST;
        for (size_t i = 0; i < FLAGS * count && !report_stop(r); i++) {
            if (!takes(w->type, (unsigned)(i % FLAGS))) continue;
            for (size_t k = 0; k < 5; k++) {
                run_call(s, r, w, (unsigned)(i % FLAGS), lengths[i / FLAGS], i / FLAGS + k);
            }
        }
        guarded_close(&w->src);
        guarded_close(&w->seed);
        harness_free(w);
    }
}

/* ---- statuses ---- */

/** Returns member `number` of an enum, or a value that it does not have. */
static int any(int number, int members) {
    static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000};
    return number < members ? number : nonsense[number - members];
}

void check_argmax_status(const struct subject *s, struct report *r) {
    enum { KINDS = MODEL_KINDS + 4, DTYPES = MODEL_DTYPES + 4 };
    static struct arena arena;
    unsigned char *const m = arena.bytes;
    const pto_mask none = PTO_NO_MASK;
    size_t *const inside = (size_t *)(void *)(m + 64), *const after = (size_t *)(void *)(m + 128);
    arena_fill(&arena, "argmax status");
    for (int call = 0; call < 2; call++) {
        vargmax_call *const f = call ? s->vargmin : s->vargmax;
        size_t index = 5;
        report_call(r, call ? "vargmin" : "vargmax", NULL);
        arena_expect(r, &arena, f(PTO_B8, 0, m, none, NULL, 9), PTO_ERR_NULL, "index NULL");
        arena_expect(r, &arena, f(PTO_B8, 0, NULL, none, &index, 9), PTO_ERR_NULL, "src NULL");
        arena_expect(r, &arena, f(PTO_F32, 0, m, none, &index, SIZE_MAX), PTO_ERR_SIZE, "size");
        arena_expect(r, &arena, f(PTO_F32, 0, m, none, inside, 17), PTO_ERR_OVERLAP, "index in src");
        arena_expect(r, &arena, f(PTO_F32, 0, m + 512, pto_packed(m + 60), inside, 40), PTO_ERR_OVERLAP,
                     "index in the seed");
        if (index != 5) report_mismatch(r, "an error wrote the index");
        arena_expect(r, &arena, f(PTO_F32, 0, NULL, none, &index, 0), PTO_OK, "n == 0");
        if (index != SIZE_MAX) report_mismatch(r, "n == 0 does not give SIZE_MAX");
        report_status(r, f(PTO_F32, 0, m, none, after, 32), PTO_OK);
        arena_fill(&arena, "argmax status");
        for (int i = 0; i < DTYPES * KINDS * 16; i++) {
            const pto_dtype type = (pto_dtype)any(i / KINDS / 16, MODEL_DTYPES);
            const int kind = any(i / 16 % KINDS, MODEL_KINDS);
            const bool has = model_has_type(type) && type > PTO_B64;
            const bool fits =
                has && kind >= 0 && kind < MODEL_KINDS && model_kind_fits((pto_mask_kind)kind, type);
            const unsigned flags = (unsigned)i % 16;
            r->now.type = (int)type;
            r->now.flags = (int)flags;
            r->now.n = i % 3 ? 40 : 0;
            arena_expect(r, &arena,
                         f(type, flags, m, pto_mask_at(m + 1024, (pto_mask_kind)kind), &index, r->now.n),
                         !has                                ? PTO_ERR_TYPE
                         : flags >= 8 || !takes(type, flags) ? PTO_ERR_MODIFIER
                         : fits                              ? PTO_OK
                                                             : PTO_ERR_MASK,
                         "legality");
        }
        r->now.type = r->now.flags = -1;
    }
}
