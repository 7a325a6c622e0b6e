/* SPDX-License-Identifier: MIT */
/* Checks unusual operands: absent masks of any kind, and results that overlap each other or the mask that is
 * queried. */
#include "check/checks.h"
#include "support/arena.h"

#include <string.h>

enum { HOME = 1024, LANES = 37 };

/* ---- absent masks ---- */

/** Kinds for a NULL mask that are invalid or do not fit the elements. */
static const pto_mask_kind odd_kinds[] = {PTO_MASK_B8,         PTO_MASK_B64,
                                          (pto_mask_kind)6,    (pto_mask_kind)1000,
                                          (pto_mask_kind)(-1), (pto_mask_kind)0x7fffffff};
enum { ODD_KINDS = sizeof odd_kinds / sizeof odd_kinds[0] };

enum absent_call { VCMP, VCMPS, SETP, SET, VEXP, ABSENT_CALLS };

static pto_status call_without(const struct subject *s, enum absent_call call, pto_mask none,
                               const unsigned char *a, unsigned char *dst) {
    const pto_setp_op setp = {.type = PTO_F32, .cmp = PTO_LT};
    const pto_set_op set = {.dtype = PTO_U32, .stype = PTO_F32, .cmp = PTO_LT};
    const unsigned char *b = a + 256;
    switch (call) {
    case VCMP: return s->vcmp(PTO_F32, PTO_LT, 0, a, b, none, pto_packed(dst), LANES);
    case VCMPS: return s->vcmps(PTO_F32, PTO_LT, 0, a, b, none, pto_packed(dst), LANES);
    case SETP: return s->setp(setp, a, b, none, pto_packed(dst), PTO_NO_MASK, LANES);
    case SET: return s->set(set, a, b, none, dst, LANES);
    default: return s->vexp(PTO_F32, a, none, dst, LANES);
    }
}

void check_absent_masks(const struct subject *s, struct report *r) {
    static const char *const names[ABSENT_CALLS] = {"vcmp", "vcmps", "setp", "set", "vexp"};
    static struct arena arena;
    unsigned char plain[LANES * 4];

    arena_fill(&arena, "absent masks");
    report_call(r, "", "a NULL mask");
    r->now.type = PTO_F32;
    r->now.n = LANES;
    for (int i = 0; i < ABSENT_CALLS * ODD_KINDS; i++) {
        const enum absent_call call = (enum absent_call)(i / ODD_KINDS);
        const pto_mask none = {NULL, odd_kinds[i % ODD_KINDS]};
        unsigned char *dst = arena.bytes + HOME;
        if (call == VEXP && !s->vexp) continue;
        r->now.call = names[call];
        r->now.kinds[0] = (int)none.kind;
        memcpy(plain, dst, sizeof plain);
        report_status(r, call_without(s, call, PTO_NO_MASK, arena.bytes, plain), PTO_OK);
        report_status(r, call_without(s, call, none, arena.bytes, dst), PTO_OK);
        report_image(r, plain, dst, sizeof plain);
        arena_expect(r, &arena, PTO_OK, PTO_OK, "a NULL mask");
    }
}

/* ---- results ---- */

/** Tries two result registers `delta` bytes apart. They must not overlap. */
static void registers_overlap(const struct subject *s, struct report *r, struct arena *arena, long delta) {
    preg_lanes_call *const calls[] = {s->pintlv, s->pdintlv};
    const pto_preg a = {{1, 2, 3, 4}}, b = {{5, 6, 7, 8}};
    const long size = (long)sizeof a;
    const bool disjoint = delta >= size || -delta >= size;
    for (int i = 0; i < 2; i++) {
        pto_preg *lo = (pto_preg *)(void *)(arena->bytes + HOME);
        pto_preg *hi = (pto_preg *)(void *)(arena->bytes + HOME + delta);
        r->now.call = i == 0 ? "pintlv" : "pdintlv";
        arena_expect(r, arena, calls[i](8, a, b, lo, hi), disjoint ? PTO_OK : PTO_ERR_OVERLAP,
                     "lo and hi some bytes apart");
    }
}

/** Queries a mask, with the result `delta` bytes after the start of the mask. Expects an error if they overlap. */
static void query_overlap(const struct subject *s, struct report *r, struct arena *arena, pto_mask_kind kind,
                          long delta) {
    const pto_mask m = pto_mask_at(arena->bytes + HOME, kind);
    const long bytes = (long)model_mask_bytes(kind, LANES);
    const pto_status expected = delta >= bytes || -delta >= 1 ? PTO_OK : PTO_ERR_OVERLAP;
    bool *is = (bool *)(arena->bytes + HOME + delta);
    size_t *number = (size_t *)(void *)(arena->bytes + HOME + delta);

    r->now.kinds[0] = (int)kind;
    r->now.call = "mask_any";
    arena_expect(r, arena, s->mask_any(m, LANES, is), expected, "the answer and the mask");
    r->now.call = "mask_all";
    arena_expect(r, arena, s->mask_all(m, LANES, is), expected, "the answer and the mask");
    r->now.call = "mask_none";
    arena_expect(r, arena, s->mask_none(m, LANES, is), expected, "the answer and the mask");
    if (delta % (long)sizeof(size_t) != 0) return;
    const bool disjoint = delta >= bytes || -delta >= (long)sizeof(size_t);
    r->now.call = "mask_count";
    arena_expect(r, arena, s->mask_count(m, LANES, number), disjoint ? PTO_OK : PTO_ERR_OVERLAP,
                 "the answer and the mask");
    r->now.call = "mask_first";
    arena_expect(r, arena, s->mask_first(m, LANES, number), disjoint ? PTO_OK : PTO_ERR_OVERLAP,
                 "the answer and the mask");
}

void check_result_overlaps(const struct subject *s, struct report *r) {
    static _Alignas(uint64_t) struct arena arena;
    arena_fill(&arena, "results that overlap");
    report_call(r, "", NULL);
    for (long delta = -48; delta <= 48; delta += (long)sizeof(uint64_t)) {
        registers_overlap(s, r, &arena, delta);
    }
    r->now.n = LANES;
    for (int kind = 0; kind < MODEL_KINDS; kind++) {
        for (long delta = -16; delta <= LANES + 8; delta++) {
            query_overlap(s, r, &arena, (pto_mask_kind)kind, delta);
        }
    }
}
