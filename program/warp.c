/* SPDX-License-Identifier: MIT */
/* Runs the instructions with which the threads of a warp exchange values. */
#include "launch.h"

#include <string.h>

enum { WARP = 32 };

/* A warp of the group. */
struct warp {
    size_t first, size; /* its first lane in the group, and the number of its threads */
    uint32_t active;    /* bit i is set if thread i of the warp executes the instruction */
};

static struct warp warp_of(const struct launch *l, const struct lane_mask *mask, size_t block,
                           size_t thread) {
    struct warp w = {block * l->group.threads + thread, l->group.threads - thread, 0};
    if (w.size > WARP) w.size = WARP;
    for (size_t i = 0; i < w.size; i++)
        if (!mask || pto_mask_has(mask, w.first + i)) w.active |= (uint32_t)1 << i;
    return w;
}

/* The sources and results of an instruction for all lanes. Results are computed in scratch memory and then
 * merged into the registers. */
struct exchange {
    const struct step *step;
    const unsigned char *src[3];
    unsigned char *dst[2];
    size_t bytes; /* size of an element of src[0] */
};

static uint64_t value(const struct exchange *x, size_t source, size_t lane, size_t bytes) {
    uint64_t v = 0;
    if (x->src[source]) memcpy(&v, x->src[source] + lane * bytes, bytes);
    return v;
}

static bool predicate(const struct exchange *x, size_t lane) {
    return (x->src[0][lane / 8] >> lane % 8 & 1) != 0;
}

static void set_word(const struct exchange *x, size_t lane, uint32_t word) {
    if (x->dst[0]) memcpy(x->dst[0] + 4 * lane, &word, 4);
}

static void set_bit(unsigned char *bits, size_t lane, bool bit) {
    if (bits)
        bits[lane / 8] = (unsigned char)((bits[lane / 8] & ~(1U << lane % 8)) | (unsigned)bit << lane % 8);
}

/* ---- shuffles ---- */

/* Returns the lane of the warp from which lane i gets its value. Sets *in_range to the predicate result; if
 * that is false, returns i. b and c are the operands of shfl. */
static unsigned shuffle_source(enum warp_op op, unsigned i, uint32_t b, uint32_t c, bool *in_range) {
    const unsigned by = b & 31, clamp = c & 31, segment = c >> 8 & 31;
    const unsigned least = i & segment, most = (i & segment) | (clamp & ~segment);
    unsigned source = i;
    switch (op) {
    case WARP_SHUFFLE_UP:
        *in_range = (int)i - (int)by >= (int)most;
        source = i - by;
        break;
    case WARP_SHUFFLE_DOWN:
        source = i + by;
        *in_range = source <= most;
        break;
    case WARP_SHUFFLE_BUTTERFLY:
        source = i ^ by;
        *in_range = source <= most;
        break;
    default: source = least | (by & ~segment); *in_range = source <= most;
    }
    return *in_range ? source : i;
}

/* If the source is a lane that the warp does not have, because the block is too small, the lane gets its own
 * value. */
static void shuffle(const struct exchange *x, const struct warp *w) {
    for (unsigned i = 0; i < w->size; i++) {
        const size_t lane = w->first + i;
        bool in_range;
        const unsigned source = shuffle_source(x->step->parameters.warp.op, i, (uint32_t)value(x, 1, lane, 4),
                                               (uint32_t)value(x, 2, lane, 4), &in_range);
        set_word(x, lane, (uint32_t)value(x, 0, w->first + (source < w->size ? source : i), 4));
        set_bit(x->dst[1], lane, in_range);
    }
}

/* ---- votes, matches and reductions ---- */

/* Returns the lanes that take part with lane i: those in its member mask, which is source `source`, that
 * execute the instruction. */
static uint32_t members(const struct exchange *x, const struct warp *w, size_t i, size_t source) {
    return (uint32_t)value(x, source, w->first + i, 4) & w->active;
}

static uint32_t ballot(const struct exchange *x, const struct warp *w) {
    uint32_t bits = 0;
    for (size_t i = 0; i < w->size; i++)
        bits |= (uint32_t)(predicate(x, w->first + i) != x->step->parameters.warp.negated) << i;
    return bits;
}

static void vote(const struct exchange *x, const struct warp *w) {
    const uint32_t bits = ballot(x, w);
    for (size_t i = 0; i < w->size; i++) {
        const uint32_t all = members(x, w, i, 1), on = bits & all;
        switch (x->step->parameters.warp.op) {
        case WARP_VOTE_ALL: set_bit(x->dst[0], w->first + i, on == all); break;
        case WARP_VOTE_ANY: set_bit(x->dst[0], w->first + i, on != 0); break;
        case WARP_VOTE_UNIFORM: set_bit(x->dst[0], w->first + i, on == 0 || on == all); break;
        default: set_word(x, w->first + i, on);
        }
    }
}

/* Returns the members of lane i that have the same value as lane i. */
static uint32_t equals(const struct exchange *x, const struct warp *w, size_t i) {
    uint32_t bits = 0;
    for (size_t k = 0; k < w->size; k++)
        bits |= (uint32_t)(value(x, 0, w->first + k, x->bytes) == value(x, 0, w->first + i, x->bytes)) << k;
    return bits & members(x, w, i, 1);
}

static void match(const struct exchange *x, const struct warp *w) {
    for (size_t i = 0; i < w->size; i++) {
        const uint32_t same = equals(x, w, i), all = members(x, w, i, 1);
        const bool any = x->step->parameters.warp.op == WARP_MATCH_ANY;
        set_word(x, w->first + i, any || same == all ? same : 0);
        set_bit(x->dst[1], w->first + i, same == all);
    }
}

static unsigned lowest(uint32_t bits) {
    unsigned i = 0;
    while (i < WARP - 1 && (bits >> i & 1) == 0) i++;
    return i;
}

static void elect(const struct exchange *x, const struct warp *w) {
    for (size_t i = 0; i < w->size; i++) {
        const unsigned leader = lowest(members(x, w, i, 0));
        set_word(x, w->first + i, leader);
        set_bit(x->dst[1], w->first + i, leader == i);
    }
}

static bool is_less(uint32_t a, uint32_t b, bool is_signed) {
    return is_signed ? (a ^ 0x80000000) < (b ^ 0x80000000) : a < b;
}

static uint32_t combine(const struct warp_parameters *p, uint32_t a, uint32_t b) {
    switch (p->op) {
    case WARP_REDUCE_ADD: return a + b;
    case WARP_REDUCE_MIN: return is_less(b, a, p->is_signed) ? b : a;
    case WARP_REDUCE_MAX: return is_less(a, b, p->is_signed) ? b : a;
    case WARP_REDUCE_AND: return a & b;
    case WARP_REDUCE_OR: return a | b;
    default: return a ^ b;
    }
}

static void reduce(const struct exchange *x, const struct warp *w) {
    for (size_t i = 0; i < w->size; i++) {
        const uint32_t all = members(x, w, i, 1);
        const unsigned first = lowest(all);
        uint32_t result = (uint32_t)value(x, 0, w->first + (first < w->size ? first : i), 4);
        for (unsigned k = first + 1; k < w->size; k++)
            if (all >> k & 1)
                result = combine(&x->step->parameters.warp, result, (uint32_t)value(x, 0, w->first + k, 4));
        set_word(x, w->first + i, result);
    }
}

static void active_mask(const struct exchange *x, const struct warp *w) {
    for (size_t i = 0; i < w->size; i++) set_word(x, w->first + i, w->active);
}

static void run_warp(const struct exchange *x, const struct warp *w) {
    switch (x->step->parameters.warp.op) {
    case WARP_SHUFFLE_UP:
    case WARP_SHUFFLE_DOWN:
    case WARP_SHUFFLE_BUTTERFLY:
    case WARP_SHUFFLE_INDEX: shuffle(x, w); break;
    case WARP_VOTE_ALL:
    case WARP_VOTE_ANY:
    case WARP_VOTE_UNIFORM:
    case WARP_BALLOT: vote(x, w); break;
    case WARP_ACTIVE_MASK: active_mask(x, w); break;
    case WARP_MATCH_ANY:
    case WARP_MATCH_ALL: match(x, w); break;
    case WARP_ELECT: elect(x, w); break;
    default: reduce(x, w);
    }
}

pto_status pto_warp_run(struct launch *l, const struct step *s, const struct lane_mask *mask) {
    struct lane_mask all;
    struct exchange x = {.step = s};
    pto_status status = PTO_OK;
    memset(&all, 0xff, sizeof all);
    for (size_t i = 0; i < 3; i++) x.src[i] = s->src[i] == ABSENT ? NULL : pto_launch_lanes(l, s->src[i]);
    for (size_t i = 0; i < 2; i++) x.dst[i] = s->dst[i] == ABSENT ? NULL : l->scratch[i];
    x.bytes = s->src[0] == ABSENT ? 0 : pto_reg_bits(&l->kernel->code.regs[s->src[0]]) / 8;
    for (size_t b = 0; b < l->group.blocks; b++)
        for (size_t t = 0; t < l->group.threads; t += WARP) {
            const struct warp w = warp_of(l, mask, b, t);
            if (w.active != 0) run_warp(&x, &w);
        }
    for (size_t i = 0; i < 2 && status == PTO_OK; i++)
        if (s->dst[i] != ABSENT) status = pto_launch_merge(l, s->dst[i], l->scratch[i], mask ? mask : &all);
    return status;
}
