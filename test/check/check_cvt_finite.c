/* SPDX-License-Identifier: MIT */
/* Checks conversions from and to formats of at most 8 bits where all elements are finite. Kernels switch to a
 * slower path when one of many elements is unusual, so only this shows that the fast path is right. */
#include "check/checks.h"
#include "model/model_number.h"
#include "support/cvt_fixture.h"

#include <math.h>
#include <string.h>

enum { CALL = 1024, PLACES = 64, QUICK_STEP = 7, MAX_VALUES = 2 * ((1 << 16) + 1), WIDEST = 2 };

/** Every finite value of a type in the order of the codes, twice. The count of the first copy is odd. So calls that
 * start at even elements, as nibbles require, see each value at every position. */
struct sequence {
    size_t count;
    unsigned char codes[MAX_VALUES * WIDEST], scales[MAX_VALUES], want[MAX_VALUES * WIDEST],
        got[CALL * WIDEST];
};

static void put(struct sequence *l, pto_dtype type, uint64_t code) {
    model_cvt_store(type, l->codes, l->count++, code);
}

static void put_finite_values(struct sequence *l, pto_dtype type, unsigned every) {
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

/** Fills in random scales with which no product is subnormal or infinite. */
static void put_scales(struct sequence *l, struct rng *rng) {
    for (size_t i = 0; i < l->count; i++) {
        l->scales[i] = (unsigned char)(104 + rng_below(rng, 47));
    }
}

static const void *extra_at(const struct sequence *l, const pto_cvt_op *op, size_t first) {
    return op->scale == PTO_SCALE_NONE ? NULL : l->scales + model_cvt_extra_bytes(op, first);
}

static void call_at(const struct subject *s, struct report *r, struct sequence *l, const pto_cvt_op *op,
                    size_t first) {
    const size_t n = l->count - first < CALL ? l->count - first : CALL;
    const unsigned char *src = l->codes + model_cvt_bytes(op->src, first),
                        *want = l->want + model_cvt_bytes(op->dst, first);
    const pto_status status = s->cvt(*op, src, l->got, extra_at(l, op, first), n);
    r->cases += n;
    report_status(r, status, PTO_OK);
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

static void convert_sequence(const struct subject *s, struct report *r, struct sequence *l,
                             const pto_cvt_op *op, struct rng *rng) {
    const bool one_place = r->quick || pto_isa_active() == PTO_ISA_SCALAR; /* scalar kernels have one path */
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

void check_cvt_finite(const struct subject *s, struct report *r) {
    struct sequence *l = harness_allocate(sizeof *l);
    struct rng rng;
    rng_start(&rng, "cvt alike");
    report_call(r, "cvt", NULL);
    for (size_t t = 0; t < CVT_SOURCES && !report_stop(r); t++) {
        if (pto_dtype_bits(cvt_sources[t]) > 16) continue;
        memset(l, 0, sizeof *l);
        put_finite_values(l, cvt_sources[t],
                          r->quick && pto_dtype_bits(cvt_sources[t]) == 16 ? QUICK_STEP : 1);
        put_scales(l, &rng);
        for (size_t i = 0; i < cvt_ops_count() && !report_stop(r); i++) {
            if (cvt_ops[i].src == cvt_sources[t] && is_small(&cvt_ops[i]))
                convert_sequence(s, r, l, &cvt_ops[i], &rng);
        }
    }
    harness_free(l);
}

/* ---- long arrays, for which a kernel may use another loop ---- */

enum { LONG = (4 << 20) + 77, PART = 4096 };

/** Fills `src` with random values of magnitudes from 2^-15 to 2. */
static void fill_in_range(struct rng *rng, unsigned char *src) {
    for (size_t i = 0; i < LONG; i++) {
        model_cvt_store(PTO_F32, src, i, (rng_next(rng) & 0x87ffffff) | 0x38000000);
    }
}

/** Compares one call on the whole array with calls on parts, which are short enough for the usual loop. */
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
    fill_in_range(&rng, src);
    for (size_t i = 0; i < (r->quick ? 1 : 2) && !report_stop(r); i++) {
        const pto_cvt_op op = {.dst = types[i], .src = PTO_F32, .round = PTO_RN, .satfinite = true};
        convert_long(s, r, &op, src, whole);
    }
    harness_free(whole);
    harness_free(src);
}

/* ---- one unusual element among many usual ones ---- */

/* MIXED_COUNT is the length of the array. A kernel checks for unusual elements after a batch of elements. The array is
 * longer than one batch, and what remains is several iterations, a few vectors and a few elements. */
enum { MIXED_COUNT = 141 * 64 + 37, QUICK_SPECIALS = 3, SPECIALS = 24 };

struct mixed_array {
    unsigned char src[MIXED_COUNT * 4], scales[MIXED_COUNT], want[MIXED_COUNT * 4], got[MIXED_COUNT * 4];
};

/** Returns a random code of a finite value. Codes of more than 8 bits have a magnitude between 2^-9 and 2^9, which
 * is in range for every small format. */
static uint64_t finite_code(struct rng *rng, pto_dtype type) {
    const uint64_t mask = ((uint64_t)1 << model_code_bits(type)) - 1;
    for (;;) {
        const uint64_t code = rng_next(rng) & mask;
        double value = 0;
        if (number_is_integer(type) || pto_dtype_value(type, &code, &value) != PTO_OK) return code;
        if (isfinite(value) && (mask <= 0xff || (fabs(value) > 0x1p-9 && fabs(value) < 0x1p9))) return code;
    }
}

/** Returns a NaN or an infinity if the type has them, else its largest magnitude, with a random sign. */
static uint64_t special_code(struct rng *rng, pto_dtype type) {
    const unsigned bits = model_code_bits(type);
    const uint64_t most = ((uint64_t)1 << (bits - 1)) - 1, sign = rng_next(rng) & (most + 1);
    if (type == PTO_BF16 && rng_below(rng, 2) == 0) return sign | 0x7f80;
    return sign | most;
}

/** Stores an element. A nibble is cleared first, because model_cvt_store() only sets bits. */
static void replace(pto_dtype type, unsigned char *array, size_t i, uint64_t code) {
    if (model_code_bits(type) == 4) array[i / 2] &= (unsigned char)(i % 2 ? 0x0f : 0xf0);
    model_cvt_store(type, array, i, code);
}

static void expect_at(struct mixed_array *h, const pto_cvt_op *op, size_t i) {
    const uint64_t code = model_cvt_load(op->src, h->src, i);
    replace(op->dst, h->want, i, model_cvt(op, code, model_cvt_extra(op, h->scales, i)));
}

static void test_with_special(const struct subject *s, struct report *r, struct mixed_array *h,
                              const pto_cvt_op *op, struct rng *rng, size_t place) {
    const void *extra = op->scale == PTO_SCALE_NONE ? NULL : h->scales;
    const uint64_t was = model_cvt_load(op->src, h->src, place);
    replace(op->src, h->src, place, special_code(rng, op->src));
    expect_at(h, op, place);
    r->cases += MIXED_COUNT;
    report_status(r, s->cvt(*op, h->src, h->got, extra, MIXED_COUNT), PTO_OK);
    if (memcmp(h->want, h->got, model_cvt_bytes(op->dst, MIXED_COUNT)) != 0)
        report_mismatch(r, "element %zu is %llx", place,
                        (unsigned long long)model_cvt_load(op->src, h->src, place));
    replace(op->src, h->src, place, was);
    expect_at(h, op, place);
}

static bool is_tried(const pto_cvt_op *op) {
    const size_t from = pto_dtype_bits(op->src), to = pto_dtype_bits(op->dst);
    return op->round != PTO_RS && from <= 32 && to <= 32 && (from <= 8 || to <= 8);
}

void check_cvt_one_special(const struct subject *s, struct report *r) {
    const size_t specials = r->quick ? QUICK_SPECIALS : SPECIALS;
    struct mixed_array *h = harness_allocate(sizeof *h);
    struct rng rng;
    rng_start(&rng, "cvt stray");
    report_call(r, "cvt", NULL);
    for (size_t t = 0; t < CVT_SOURCES && !report_stop(r); t++) {
        const pto_dtype type = cvt_sources[t];
        if (pto_dtype_bits(type) > 32) continue;
        memset(h, 0, sizeof *h);
        for (size_t i = 0; i < MIXED_COUNT; i++) {
            replace(type, h->src, i, finite_code(&rng, type));
            h->scales[i] = (unsigned char)(120 + rng_below(&rng, 15));
        }
        for (size_t k = 0; k < cvt_ops_count() && !report_stop(r); k++) {
            const pto_cvt_op *op = &cvt_ops[k];
            if (op->src != type || !is_tried(op)) continue;
            cvt_fixture_describe(r, op, MIXED_COUNT, "one unlike the others");
            memset(h->want, 0, sizeof h->want);
            memset(h->got, 0, sizeof h->got);
            for (size_t i = 0; i < MIXED_COUNT; i++) expect_at(h, op, i);
            test_with_special(s, r, h, op, &rng, MIXED_COUNT - 1 - rng_below(&rng, 400));
            for (size_t i = 0; i < specials; i++)
                test_with_special(s, r, h, op, &rng, rng_below(&rng, MIXED_COUNT));
        }
    }
    harness_free(h);
}
