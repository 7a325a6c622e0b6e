/* SPDX-License-Identifier: MIT */
/* Compares the predicate register calls with an array of 256 truth values. */
#include "check/checks.h"

#include <string.h>

enum { BITS = 256, PATTERNS = 15, ROUNDS = 400 };

static const unsigned granularities[] = {8, 16, 32};
enum { GRANULARITIES = 3 };

/** A register with one bool per bit. */
struct bit_register {
    bool bit[BITS];
};

static struct bit_register unpack_bits(pto_preg p) {
    struct bit_register x;
    for (size_t i = 0; i < BITS; i++) {
        x.bit[i] = p.w[i / 64] >> i % 64 & 1;
    }
    return x;
}

static pto_preg pack(const struct bit_register *x) {
    pto_preg p = {{0, 0, 0, 0}};
    for (size_t i = 0; i < BITS; i++) {
        if (x->bit[i]) p.w[i / 64] |= (uint64_t)1 << i % 64;
    }
    return p;
}

static size_t stride(unsigned g) {
    return g / 8;
}

static size_t lane_count(unsigned g) {
    return BITS / stride(g);
}

static void set_lane(struct bit_register *x, unsigned g, size_t lane, bool on) {
    x->bit[lane * stride(g)] = on;
}

static bool get_lane(const struct bit_register *x, unsigned g, size_t lane) {
    return x->bit[lane * stride(g)];
}

static pto_preg random_register(struct rng *rng) {
    pto_preg p;
    const size_t mode = rng_below(rng, 6);
    rng_fill(rng, &p, sizeof p);
    if (mode == 0) memset(&p, 0, sizeof p);
    if (mode == 1) memset(&p, 0xff, sizeof p);
    return p;
}

static void expect(struct report *r, pto_status status, const struct bit_register *want,
                   const pto_preg *got) {
    const pto_preg image = pack(want);
    r->cases++;
    report_status(r, status, PTO_OK);
    if (memcmp(&image, got, sizeof image) == 0) return;
    for (size_t w = 0; w < 4; w++) {
        if (image.w[w] == got->w[w]) continue;
        report_mismatch(r, "word %zu: expected %016llx, got %016llx", w, (unsigned long long)image.w[w],
                        (unsigned long long)got->w[w]);
    }
}

/* ---- patterns ---- */

static const struct pattern {
    pto_pattern pattern;
    size_t vl; /* k for VLk, else 0 */
    const char *name;
} patterns[PATTERNS] = {
    {PTO_PAT_ALL, 0, "PAT_ALL"},    {PTO_PAT_ALLF, 0, "PAT_ALLF"},  {PTO_PAT_H, 0, "PAT_H"},
    {PTO_PAT_Q, 0, "PAT_Q"},        {PTO_PAT_M3, 0, "PAT_M3"},      {PTO_PAT_M4, 0, "PAT_M4"},
    {PTO_PAT_VL1, 1, "PAT_VL1"},    {PTO_PAT_VL2, 2, "PAT_VL2"},    {PTO_PAT_VL3, 3, "PAT_VL3"},
    {PTO_PAT_VL4, 4, "PAT_VL4"},    {PTO_PAT_VL8, 8, "PAT_VL8"},    {PTO_PAT_VL16, 16, "PAT_VL16"},
    {PTO_PAT_VL32, 32, "PAT_VL32"}, {PTO_PAT_VL64, 64, "PAT_VL64"}, {PTO_PAT_VL128, 128, "PAT_VL128"},
};

static bool in_pattern(const struct pattern *p, size_t lane, size_t lanes) {
    switch (p->pattern) {
    case PTO_PAT_ALL: return true;
    case PTO_PAT_ALLF: return false;
    case PTO_PAT_H: return 2 * lane < lanes; /* lowest half, as in the vendor's header, not its page */
    case PTO_PAT_Q: return 4 * lane < lanes;
    case PTO_PAT_M3: return lane % 3 == 0;
    case PTO_PAT_M4: return lane % 4 == 0;
    default: return lane < p->vl;
    }
}

static void one_pattern(struct report *r, preg_pattern_call *call, unsigned g, const struct pattern *p) {
    const size_t lanes = lane_count(g);
    for (unsigned fill = 0; fill < FILLS; fill++) {
        struct bit_register want;
        pto_preg got;
        pto_status status;

        memset(&got, fill ? 0xff : 0, sizeof got);
        want = unpack_bits(got);
        status = call(g, p->pattern, &got);
        r->now.detail = p->name;
        r->now.n = lanes;
        if (p->vl > lanes) { /* an error leaves the register unchanged */
            if (status != PTO_ERR_PATTERN) report_mismatch(r, "%s", status_name(status));
            expect(r, PTO_OK, &want, &got);
            continue;
        }
        memset(&want, 0, sizeof want);
        for (size_t i = 0; i < lanes; i++) {
            set_lane(&want, g, i, in_pattern(p, i, lanes));
        }
        expect(r, status, &want, &got);
    }
}

static void pattern_name(const struct subject *s, struct report *r, const struct pattern *p) {
    pto_pattern parsed = (pto_pattern)99;
    r->cases++;
    r->now.call = "parse_pattern";
    r->now.detail = p->name;
    if (s->parse_pattern(p->name, &parsed, NULL) != PTO_OK || parsed != p->pattern)
        report_mismatch(r, "parsed as %d", (int)parsed);
}

void check_preg_patterns(const struct subject *s, struct report *r) {
    report_call(r, "pset", NULL);
    for (size_t i = 0; i < PATTERNS; i++) {
        for (size_t k = 0; k < GRANULARITIES; k++) {
            r->now.call = "pset";
            one_pattern(r, s->pset, granularities[k], &patterns[i]);
            r->now.call = "pge";
            one_pattern(r, s->pge, granularities[k], &patterns[i]);
        }
        pattern_name(s, r, &patterns[i]);
    }
}

/* ---- plt ---- */

void check_preg_plt(const struct subject *s, struct report *r) {
    static const uint32_t large[] = {511, 512, 513, 100000, 0x7fffffff, 0x80000000, 0xffffff00, 0xffffffff};
    report_call(r, "plt", NULL);
    for (size_t k = 0; k < GRANULARITIES; k++) {
        const unsigned g = granularities[k];
        for (size_t i = 0; i < 300 + sizeof large / sizeof large[0]; i++) {
            const uint32_t before = i < 300 ? (uint32_t)i : large[i - 300];
            const size_t on = before < lane_count(g) ? before : lane_count(g);
            uint32_t remaining = before;
            struct bit_register want = {{false}};
            pto_preg got;
            pto_status status;
            memset(&got, 0x5a, sizeof got);
            status = s->plt(g, &remaining, &got);
            for (size_t lane = 0; lane < on; lane++) {
                set_lane(&want, g, lane, true);
            }
            r->now.n = before;
            expect(r, status, &want, &got);
            if (remaining != before - on) report_mismatch(r, "%u remaining", (unsigned)remaining);
        }
    }
}

/* ---- logic ---- */

enum logic { AND, OR, XOR, SEL, LOGICS };

static bool logic(enum logic which, bool a, bool b, bool third) {
    switch (which) {
    case AND: return a && b && third;
    case OR: return (a || b) && third;
    case XOR: return a != b && third;
    default: return third ? a : b;
    }
}

/** Makes a call whose result replaces source number `onto`, or is separate if `onto` is 3. */
static void one_logic(struct report *r, preg_logic_call *call, enum logic which, struct rng *rng,
                      size_t onto) {
    pto_preg in[4] = {random_register(rng), random_register(rng), random_register(rng), random_register(rng)};
    const struct bit_register a = unpack_bits(in[0]), b = unpack_bits(in[1]), third = unpack_bits(in[2]);
    struct bit_register want;
    pto_status status;

    for (size_t i = 0; i < BITS; i++) {
        want.bit[i] = logic(which, a.bit[i], b.bit[i], third.bit[i]);
    }
    status = call(in[0], in[1], in[2], &in[onto]);
    expect(r, status, &want, &in[onto]);
}

static void one_not(struct report *r, preg_not_call *call, struct rng *rng, size_t onto) {
    pto_preg in[3] = {random_register(rng), random_register(rng), random_register(rng)};
    const struct bit_register a = unpack_bits(in[0]), seed = unpack_bits(in[1]);
    struct bit_register want;
    pto_status status;

    for (size_t i = 0; i < BITS; i++) {
        want.bit[i] = !a.bit[i] && seed.bit[i];
    }
    status = call(in[0], in[1], &in[onto]);
    expect(r, status, &want, &in[onto]);
}

void check_preg_logic(const struct subject *s, struct report *r) {
    static const char *const names[LOGICS] = {"pand", "por", "pxor", "psel"};
    preg_logic_call *const calls[LOGICS] = {s->pand, s->por, s->pxor, s->psel};
    struct rng rng;

    rng_start(&rng, "register logic");
    report_call(r, "pand", NULL);
    for (size_t i = 0; i < (size_t)ROUNDS * 4; i++) {
        for (int k = 0; k < LOGICS; k++) {
            r->now.call = names[k];
            one_logic(r, calls[k], (enum logic)k, &rng, i % 4);
        }
        r->now.call = "pnot";
        one_not(r, s->pnot, &rng, i % 3);
    }
}

/* ---- pack, unpack, interleave ---- */

static void one_pack(const struct subject *s, struct report *r, struct rng *rng, size_t half) {
    const pto_preg in = random_register(rng);
    const struct bit_register a = unpack_bits(in);
    const size_t base = half ? BITS / 2 : 0;
    struct bit_register packed = {{false}}, unpacked = {{false}};
    pto_preg got = in;

    for (size_t i = 0; i < BITS / 2; i++) {
        packed.bit[base + i] = a.bit[2 * i];
        unpacked.bit[2 * i] = a.bit[base + i];
    }
    r->now.detail = half ? "higher" : "lower";
    r->now.call = "ppack";
    expect(r, s->ppack(in, half ? PTO_HIGHER : PTO_LOWER, &got), &packed, &got);
    r->now.call = "punpack";
    expect(r, s->punpack(in, half ? PTO_HIGHER : PTO_LOWER, &got), &unpacked, &got);
    r->now.detail = NULL;
}

/** Checks pintlv: the two results together are a0 b0 a1 b1 ... Bits that belong to no lane are not read, and are 0 in
 * the results. */
static void one_interleave(const struct subject *s, struct report *r, struct rng *rng, unsigned g) {
    const size_t lanes = lane_count(g);
    pto_preg in[4] = {random_register(rng), random_register(rng), random_register(rng), random_register(rng)};
    const struct bit_register a = unpack_bits(in[0]), b = unpack_bits(in[1]);
    struct bit_register want[2] = {{{false}}, {{false}}};
    const size_t lo = rng_below(rng, 4), hi = (lo + 1 + rng_below(rng, 3)) % 4; /* may replace a and b */
    pto_status status;

    for (size_t i = 0; i < 2 * lanes; i++) {
        set_lane(&want[i / lanes], g, i % lanes, get_lane(i % 2 ? &b : &a, g, i / 2));
    }
    r->now.call = "pintlv";
    status = s->pintlv(g, in[0], in[1], &in[lo], &in[hi]);
    expect(r, status, &want[0], &in[lo]);
    expect(r, status, &want[1], &in[hi]);
}

static void one_deinterleave(const struct subject *s, struct report *r, struct rng *rng, unsigned g) {
    const size_t lanes = lane_count(g);
    pto_preg in[4] = {random_register(rng), random_register(rng), random_register(rng), random_register(rng)};
    const struct bit_register a = unpack_bits(in[0]), b = unpack_bits(in[1]);
    struct bit_register want[2] = {{{false}}, {{false}}};
    const size_t lo = rng_below(rng, 4), hi = (lo + 1 + rng_below(rng, 3)) % 4;
    pto_status status;

    for (size_t i = 0; i < 2 * lanes; i++) { /* lane i of a followed by b */
        set_lane(&want[i % 2], g, i / 2, get_lane(i < lanes ? &a : &b, g, i % lanes));
    }
    r->now.call = "pdintlv";
    status = s->pdintlv(g, in[0], in[1], &in[lo], &in[hi]);
    expect(r, status, &want[0], &in[lo]);
    expect(r, status, &want[1], &in[hi]);
}

void check_preg_lanes(const struct subject *s, struct report *r) {
    struct rng rng;
    rng_start(&rng, "register lanes");
    report_call(r, "ppack", NULL);
    for (size_t i = 0; i < ROUNDS; i++) {
        one_pack(s, r, &rng, i % 2);
        one_interleave(s, r, &rng, granularities[i % GRANULARITIES]);
        one_deinterleave(s, r, &rng, granularities[i % GRANULARITIES]);
    }
}

/* ---- statuses ---- */

static void want_status(struct report *r, pto_status got, pto_status want, const pto_preg *p,
                        size_t registers) {
    r->cases++;
    report_status(r, got, want);
    for (size_t i = 0; i < registers * sizeof *p; i++) {
        if (((const unsigned char *)p)[i] != 0x3c)
            report_mismatch(r, "%s, yet something was written", status_name(got));
    }
}

static void pattern_status(struct report *r, preg_pattern_call *call, pto_preg *p) {
    static const int wrong[] = {-1, 15, 16, 255, 1000, INT32_MIN, INT32_MAX};
    static const unsigned widths[] = {0, 1, 4, 7, 9, 12, 24, 31, 33, 64, 128, 256, UINT32_MAX};
    want_status(r, call(8, PTO_PAT_ALL, NULL), PTO_ERR_NULL, p, 1);
    want_status(r, call(7, (pto_pattern)99, NULL), PTO_ERR_NULL, p, 1);
    want_status(r, call(7, (pto_pattern)99, p), PTO_ERR_MASK, p, 1);
    want_status(r, call(16, PTO_PAT_VL128, p) == PTO_OK ? PTO_OK : PTO_ERR_PATTERN, PTO_OK, p + 1, 1);
    memset(p, 0x3c, sizeof *p);
    want_status(r, call(32, PTO_PAT_VL128, p), PTO_ERR_PATTERN, p, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        want_status(r, call(16, (pto_pattern)wrong[i], p), PTO_ERR_PATTERN, p, 1);
    }
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        want_status(r, call(widths[i], PTO_PAT_ALL, p), PTO_ERR_MASK, p, 1);
    }
}

static void plt_status(const struct subject *s, struct report *r, pto_preg *p) {
    uint32_t remaining = 77;
    r->now.call = "plt";
    want_status(r, s->plt(8, NULL, p), PTO_ERR_NULL, p, 1);
    want_status(r, s->plt(8, &remaining, NULL), PTO_ERR_NULL, p, 1);
    want_status(r, s->plt(9, &remaining, NULL), PTO_ERR_NULL, p, 1);
    want_status(r, s->plt(9, &remaining, p), PTO_ERR_MASK, p, 1);
    want_status(r, s->plt(64, &remaining, p), PTO_ERR_MASK, p, 1);
    for (size_t i = 0; i < sizeof *p / sizeof remaining; i++) { /* `remaining` must not lie in the register */
        uint32_t *const within = (uint32_t *)(void *)p + i;
        const uint32_t kept = *within;
        want_status(r, s->plt(8, within, p), PTO_ERR_OVERLAP, p, 1);
        if (*within != kept) report_mismatch(r, "remaining within the register has changed");
    }
    if (remaining != 77) report_mismatch(r, "remaining has changed");
}

static void half_status(struct report *r, preg_half_call *call, pto_preg *p) {
    want_status(r, call(*p, PTO_LOWER, NULL), PTO_ERR_NULL, p, 1);
    want_status(r, call(*p, (pto_half)2, NULL), PTO_ERR_NULL, p, 1);
    want_status(r, call(*p, (pto_half)2, p), PTO_ERR_PATTERN, p, 1);
    want_status(r, call(*p, (pto_half)-1, p), PTO_ERR_PATTERN, p, 1);
}

static void lanes_status(struct report *r, preg_lanes_call *call, pto_preg *p) {
    want_status(r, call(8, *p, *p, NULL, p + 1), PTO_ERR_NULL, p, 2);
    want_status(r, call(8, *p, *p, p, NULL), PTO_ERR_NULL, p, 2);
    want_status(r, call(64, *p, *p, NULL, NULL), PTO_ERR_NULL, p, 2);
    want_status(r, call(64, *p, *p, p, p + 1), PTO_ERR_MASK, p, 2);
    want_status(r, call(64, *p, *p, p, p), PTO_ERR_MASK, p, 2);
    want_status(r, call(16, *p, *p, p, p), PTO_ERR_OVERLAP, p, 2);
}

void check_preg_status(const struct subject *s, struct report *r) {
    pto_preg p[2];
    memset(p, 0x3c, sizeof p);
    report_call(r, "pset", NULL);
    pattern_status(r, s->pset, p);
    r->now.call = "pge";
    pattern_status(r, s->pge, p);
    plt_status(s, r, p);
    r->now.call = "logic";
    want_status(r, s->pand(*p, *p, *p, NULL), PTO_ERR_NULL, p, 2);
    want_status(r, s->por(*p, *p, *p, NULL), PTO_ERR_NULL, p, 2);
    want_status(r, s->pxor(*p, *p, *p, NULL), PTO_ERR_NULL, p, 2);
    want_status(r, s->psel(*p, *p, *p, NULL), PTO_ERR_NULL, p, 2);
    want_status(r, s->pnot(*p, *p, NULL), PTO_ERR_NULL, p, 2);
    r->now.call = "ppack";
    half_status(r, s->ppack, p);
    r->now.call = "punpack";
    half_status(r, s->punpack, p);
    r->now.call = "pintlv";
    lanes_status(r, s->pintlv, p);
    r->now.call = "pdintlv";
    lanes_status(r, s->pdintlv, p);
}
