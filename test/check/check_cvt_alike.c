/* SPDX-License-Identifier: MIT */
/* Conversions from and to 8 bits and less of numbers among their like: a kernel that takes another way where one of many
 * elements is unusual shows only so whether its usual way is right. */
#include "check/checks.h"
#include "support/cvt_fixture.h"

#include <math.h>
#include <string.h>

enum { CALL = 1024, PLACES = 64, THIN = 7, MOST = 2 * ((1 << 16) + 1), WIDEST = 2 };

/** Every number of a type, in the order of the codes, twice: the second time an odd number of places behind, so that
 * calls that start at even places, as nibbles ask for, have each of them at each place. */
struct line {
    size_t count;
    unsigned char codes[MOST * WIDEST], scales[MOST], want[MOST * WIDEST], got[CALL * WIDEST];
};

static void put(struct line *l, pto_dtype type, uint64_t code) {
    model_cvt_store(type, l->codes, l->count++, code);
}

static void put_numbers(struct line *l, pto_dtype type, unsigned every) {
    const uint64_t end = (uint64_t)1 << model_code_bits(type);
    uint64_t first = end;
    for (uint64_t code = 0; code < end; code += every) {
        double value = 0;
        if (pto_dtype_value(type, &code, &value) != PTO_OK || !isfinite(value)) continue;
        if (first == end) first = code;
        put(l, type, code);
    }
    if (l->count % 2 == 0) put(l, type, first);
    for (size_t i = 0, odd = l->count; i < odd; i++) {
        put(l, type, model_cvt_load(type, l->codes, i));
    }
}

/** By which no product is subnormal or infinite. */
static void put_scales(struct line *l, struct rng *rng) {
    for (size_t i = 0; i < l->count; i++) {
        l->scales[i] = (unsigned char)(104 + rng_below(rng, 47));
    }
}

static const void *extra_at(const struct line *l, const pto_cvt_op *op, size_t first) {
    return op->scale == PTO_SCALE_NONE ? NULL : l->scales + model_cvt_extra_bytes(op, first);
}

static void call_at(const struct subject *s, struct report *r, struct line *l, const pto_cvt_op *op,
                    size_t first) {
    const size_t n = l->count - first < CALL ? l->count - first : CALL;
    const unsigned char *src = l->codes + model_cvt_bytes(op->src, first),
                        *want = l->want + model_cvt_bytes(op->dst, first);
    const pto_status status = s->cvt(*op, src, l->got, extra_at(l, op, first), n);
    r->cases += n;
    if (status != PTO_OK) report_mismatch(r, "status %d", (int)status);
    if (memcmp(want, l->got, model_cvt_bytes(op->dst, n)) == 0) return;
    for (size_t i = 0; i < n; i++) {
        const uint64_t expected = model_cvt_load(op->dst, want, i), got = model_cvt_load(op->dst, l->got, i);
        if (expected == got) continue;
        report_mismatch(r, "element %zu, source %llx: expected %llx, got %llx", i,
                        (unsigned long long)model_cvt_load(op->src, src, i), (unsigned long long)expected,
                        (unsigned long long)got);
        return;
    }
}

static void convert_line(const struct subject *s, struct report *r, struct line *l, const pto_cvt_op *op,
                         struct rng *rng) {
    const bool one_place = r->quick || pto_isa_active() == PTO_ISA_SCALAR; /* which goes lane by lane */
    memset(l->want, 0, model_cvt_bytes(op->dst, l->count));
    cvt_fixture_describe(r, op, CALL, "among their like");
    for (size_t i = 0; i < l->count; i++) {
        const uint64_t code = model_cvt_load(op->src, l->codes, i);
        model_cvt_store(op->dst, l->want, i, model_cvt(op, code, model_cvt_extra(op, l->scales, i)));
    }
    for (size_t place = one_place ? 2 * rng_below(rng, PLACES / 2) : 0; place < PLACES; place += 2) {
        for (size_t i = place; i < l->count && !report_stop(r); i += CALL) {
            call_at(s, r, l, op, i);
        }
        if (one_place) return;
    }
}

static bool is_small(const pto_cvt_op *op) {
    const size_t from = pto_dtype_bits(op->src), to = pto_dtype_bits(op->dst);
    return op->round != PTO_RS && from <= 16 && to <= 16 && (from <= 8 || to <= 8);
}

void check_cvt_alike(const struct subject *s, struct report *r) {
    struct line *l = harness_allocate(sizeof *l);
    struct rng rng;
    rng_start(&rng, "cvt alike");
    report_call(r, "cvt", NULL);
    for (size_t t = 0; t < CVT_SOURCES && !report_stop(r); t++) {
        if (pto_dtype_bits(cvt_sources[t]) > 16) continue;
        memset(l, 0, sizeof *l);
        put_numbers(l, cvt_sources[t], r->quick && pto_dtype_bits(cvt_sources[t]) == 16 ? THIN : 1);
        put_scales(l, &rng);
        for (size_t i = 0; i < cvt_ops_count && !report_stop(r); i++) {
            if (cvt_ops[i].src == cvt_sources[t] && is_small(&cvt_ops[i]))
                convert_line(s, r, l, &cvt_ops[i], &rng);
        }
    }
    harness_free(l);
}

/* ---- long arrays, which a kernel may convert in another way ---- */

enum { LONG = (4 << 20) + 77, PART = 4096 };

/** Numbers between 2^-16 and 2^16. */
static void fill_numbers(struct rng *rng, unsigned char *src) {
    for (size_t i = 0; i < LONG; i++) {
        model_cvt_store(PTO_F32, src, i, (rng_next(rng) & 0x87ffffff) | 0x38000000);
    }
}

/** The whole, and its parts one by one, which are as of short calls. */
static void convert_long(const struct subject *s, struct report *r, const pto_cvt_op *op,
                         const unsigned char *src, unsigned char *whole) {
    unsigned char part[PART];
    cvt_fixture_describe(r, op, LONG, "a long array");
    r->cases++;
    if (s->cvt(*op, src, whole, NULL, LONG) != PTO_OK) report_mismatch(r, "no success of the whole");
    for (size_t i = 0; i < LONG && !report_stop(r); i += PART) {
        const size_t n = LONG - i < PART ? LONG - i : PART;
        if (s->cvt(*op, src + i * sizeof(float), part, NULL, n) != PTO_OK)
            report_mismatch(r, "no success of a part");
        if (memcmp(part, whole + i, n) != 0) report_mismatch(r, "elements from %zu on", i);
    }
}

void check_cvt_long(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_E4M3, PTO_E5M2};
    unsigned char *src = harness_allocate(LONG * sizeof(float)), *whole = harness_allocate(LONG);
    struct rng rng;
    rng_start(&rng, "cvt long");
    report_call(r, "cvt", NULL);
    fill_numbers(&rng, src);
    for (size_t i = 0; i < (r->quick ? 1 : 2) && !report_stop(r); i++) {
        const pto_cvt_op op = {.dst = types[i], .src = PTO_F32, .round = PTO_RN, .satfinite = true};
        convert_long(s, r, &op, src, whole);
    }
    harness_free(whole);
    harness_free(src);
}
