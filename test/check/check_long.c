/* SPDX-License-Identifier: MIT */
/* Results of so many bytes that the library may write them past the caches: every lane, when quick one in 13,
 * which is at every place of a cache line in turn; and no byte beside. */
#include "check/checks.h"

#include <string.h>

enum { LONG_BYTES = 17 << 20, ROOM = 4096, OFFSETS = 4, TYPES = 4, QUICK_STEP = 13 };

static const pto_dtype types[TYPES] = {PTO_U8, PTO_U16, PTO_U32, PTO_U64};

/** A kind of mask for each of the types. */
static const pto_mask_kind packed[TYPES] = {PTO_MASK_PACKED, PTO_MASK_PACKED, PTO_MASK_PACKED,
                                            PTO_MASK_PACKED};
static const pto_mask_kind images[TYPES] = {PTO_MASK_B8, PTO_MASK_B16, PTO_MASK_B32, PTO_MASK_B64};
static const pto_mask_kind bytes[TYPES] = {PTO_MASK_BYTE, PTO_MASK_BYTE, PTO_MASK_BYTE, PTO_MASK_BYTE};

struct fixture {
    pto_dtype type;
    pto_mask_kind kind;
    size_t size, n;
    struct guarded a, b, mask, dst;
    struct rng rng;
};

static void fixture_open(struct fixture *w, const char *purpose, pto_dtype type, pto_mask_kind kind) {
    memset(w, 0, sizeof *w);
    w->type = type;
    w->kind = kind;
    w->size = model_size(type);
    rng_start(&w->rng, purpose);
    guarded_open(&w->a, LONG_BYTES);
    guarded_open(&w->b, LONG_BYTES);
    guarded_open(&w->mask, model_mask_bytes(kind, LONG_BYTES / w->size));
    guarded_open(&w->dst, LONG_BYTES + ROOM);
    rng_fill(&w->rng, w->a.data, w->a.size);
    rng_fill(&w->rng, w->b.data, w->b.size);
    rng_fill(&w->rng, w->mask.data, w->mask.size);
    guarded_freeze(&w->a);
    guarded_freeze(&w->b);
    guarded_freeze(&w->mask);
}

static void fixture_close(struct fixture *w) {
    guarded_close(&w->a);
    guarded_close(&w->b);
    guarded_close(&w->mask);
    guarded_close(&w->dst);
}

/** On a cache line, an element behind one, in the middle of an element, half a line behind one. */
static size_t offset_of(const struct fixture *w, size_t number) {
    const size_t offsets[OFFSETS] = {0, w->size, w->size / 2, 32};
    return HARNESS_MARGIN + offsets[number];
}

typedef bool long_truth(const struct fixture *w, size_t lane);
typedef pto_status long_call(const struct subject *s, const struct fixture *w, unsigned char *dst);

static void check_lanes(struct report *r, const struct fixture *w, long_truth *truth,
                        const unsigned char *dst) {
    const size_t step = r->quick ? QUICK_STEP : 1;
    for (size_t i = (w->n - 1) % step; i < w->n; i += step) { /* the last lane always */
        const unsigned char *chosen = truth(w, i) ? w->a.data : w->b.data;
        if (memcmp(dst + i * w->size, chosen + i * w->size, w->size) == 0) continue;
        report_mismatch(r, "lane %zu", i);
        return;
    }
}

static void call_long(const struct subject *s, struct report *r, struct fixture *w, long_call *call,
                      long_truth *truth, size_t number) {
    unsigned char *dst = w->dst.data + offset_of(w, number);
    pto_status status;

    w->n = r->now.n = (LONG_BYTES - rng_below(&w->rng, ROOM)) / w->size;
    r->cases++;
    room_fill(&w->dst, dst, w->n * w->size, (unsigned)number % FILLS);
    status = call(s, w, dst);
    if (status != PTO_OK) report_mismatch(r, "status %d", (int)status);
    check_lanes(r, w, truth, dst);
    if (!margins_intact(&w->dst, dst, w->n * w->size)) report_mismatch(r, "bytes outside dst were written");
}

/** Every type, at every place or at one each. */
static void for_each_place(const struct subject *s, struct report *r, const char *name, long_call *call,
                           const pto_mask_kind *kinds, long_truth *truth, bool every) {
    report_call(r, name, "long results");
    for (size_t t = 0; t < TYPES && !report_stop(r); t++) {
        struct fixture w;
        fixture_open(&w, name, types[t], kinds[t]);
        r->now.type = (int)w.type;
        for (size_t number = 0; number < OFFSETS && !report_stop(r); number++) {
            if ((r->quick || !every) && number != t) continue;
            call_long(s, r, &w, call, truth, number);
        }
        fixture_close(&w);
    }
}

static bool masked(const struct fixture *w, size_t lane) {
    return model_mask_get(w->kind, w->mask.data, lane);
}

static pto_status select_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    return s->vsel(w->type, w->a.data, w->b.data, pto_mask_at(w->mask.data, w->kind), dst, w->n);
}

void check_select_long(const struct subject *s, struct report *r) {
    for_each_place(s, r, "vsel", select_long, packed, masked, true);
    for_each_place(s, r, "vsel by images", select_long, images, masked, true);
    for_each_place(s, r, "vsel by bytes", select_long, bytes, masked, true);
}

static bool less(const struct fixture *w, size_t lane) {
    return model_compare(w->type, PTO_LT, false, w->a.data + lane * w->size, w->b.data + lane * w->size);
}

static pto_status choose_long(const struct subject *s, const struct fixture *w, unsigned char *dst) {
    const pto_in a = {w->a.data, false}, b = {w->b.data, false};
    return s->vcmpsel(w->type, PTO_LT, 0, a, b, a, b, dst, w->n);
}

void check_vcmpsel_long(const struct subject *s, struct report *r) {
    for_each_place(s, r, "vcmpsel", choose_long, packed, less, false);
}
