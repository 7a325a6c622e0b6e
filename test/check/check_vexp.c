/* SPDX-License-Identifier: MIT */
/* Checks vexp: accuracy, subnormal results, special values, lengths, masks, offsets, and a digest of results. */
#include "check/checks.h"
#include "support/operands.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 4096, OFFSETS = 64 };

/* ---- accuracy ---- */

/** The largest errors found, in ULP of the exact result, and the operands that have them. */
struct errors {
    double normal, subnormal;
    double normal_at, subnormal_at;
    uint64_t digest; /* a hash of all results */
};

/** Returns the error of `got` against the exact e^x in ULP. One ULP is the distance between neighbours at the exact
 * result; below the smallest normal number it is that of subnormals. An infinite result counts as the power of two
 * after the largest finite value. */
static double ulp_error(pto_dtype type, long double exact, double got) {
    const int precision = model_fraction_bits(type) + 1;
    const int lowest = type == PTO_F32 ? FLT_MIN_EXP : DBL_MIN_EXP;
    const int highest = type == PTO_F32 ? FLT_MAX_EXP : DBL_MAX_EXP;
    const long double largest = type == PTO_F32 ? (long double)FLT_MAX : (long double)DBL_MAX;
    long double value = got;
    int exponent;

    if (isnan(got) || got < 0) return HUGE_VAL;
    if (isinf(got)) {
        if (exact > largest) return 0.0;
        value = ldexpl(1.0L, highest);
    }
    if (exact > ldexpl(1.0L, highest)) return HUGE_VAL; /* finite instead of infinite */
    (void)frexpl(exact, &exponent);
    if (exact == 0.0L || exponent < lowest) exponent = lowest;
    return (double)ldexpl(fabsl(value - exact), precision - exponent);
}

static void note_error(struct errors *errors, pto_dtype type, long double exact, double x, double error) {
    const long double smallest = type == PTO_F32 ? (long double)FLT_MIN : (long double)DBL_MIN;
    if (exact >= smallest && error > errors->normal) {
        errors->normal = error;
        errors->normal_at = x;
    }
    if (exact < smallest && error > errors->subnormal) {
        errors->subnormal = error;
        errors->subnormal_at = x;
    }
}

static double load_double(pto_dtype type, const void *array, size_t lane) {
    float f32;
    double f64;
    if (type == PTO_F64) {
        memcpy(&f64, (const unsigned char *)array + lane * sizeof f64, sizeof f64);
        return f64;
    }
    memcpy(&f32, (const unsigned char *)array + lane * sizeof f32, sizeof f32);
    return f32;
}

static void accuracy_block(const struct subject *s, struct report *r, struct errors *errors, pto_dtype type,
                           const void *src, size_t n) {
    static double dst[BLOCK]; /* large enough for both types */

    r->now.n = n;
    report_status(r, s->vexp(type, src, PTO_NO_MASK, dst, n), PTO_OK);
    for (size_t i = 0; i < n; i++) {
        const double x = load_double(type, src, i);
        const double got = load_double(type, dst, i);
        long double exact;
        double error;
        errors->digest = (errors->digest ^ value_load(type, dst, i)) * 0x100000001b3U;
        if (isnan(x)) continue;
        /* For f32 results a double is exact enough, and much faster than a software long double. */
        exact = type == PTO_F32 ? (long double)exp(x) : expl((long double)x);
        error = ulp_error(type, exact, got);
        note_error(errors, type, exact, x, error);
        r->cases++;
        if (error > 1.0) report_mismatch(r, "exp(%a) = %a, %.4f ULP from %La", x, got, error, exact);
    }
}

/** Tests the bit patterns first, first + step, and so on up to last. */
static void accuracy_f32(const struct subject *s, struct report *r, struct errors *errors, uint64_t first,
                         uint64_t last, uint64_t step) {
    static float src[BLOCK];
    size_t n = 0;
    for (uint64_t bits = first; bits <= last; bits += step) {
        value_store(PTO_F32, src, n++, bits);
        if (n == BLOCK || bits + step > last) {
            accuracy_block(s, r, errors, PTO_F32, src, n);
            n = 0;
        }
    }
}

/** Checks that results equal the scalar backend's in every bit. Results that are computed without SLEEF take the
 * same steps on all backends; errors in ULP do not show that. */
static void bits_as_scalar(const struct subject *s, struct report *r, const double *src, size_t n) {
    static double got[BLOCK], expected[BLOCK];
    const pto_isa active = pto_isa_active();

    report_status(r, s->vexp(PTO_F64, src, PTO_NO_MASK, got, n), PTO_OK);
    use_isa(PTO_ISA_SCALAR);
    report_status(r, s->vexp(PTO_F64, src, PTO_NO_MASK, expected, n), PTO_OK);
    use_isa(active);
    for (size_t i = 0; i < n; i++) {
        r->cases++;
        if (value_load(PTO_F64, got, i) != value_load(PTO_F64, expected, i))
            report_mismatch(r, "exp(%a) = %a, by scalar %a", src[i], got[i], expected[i]);
    }
}

/** Tests doubles up to the largest one whose exp is finite. An exp that overflows too early does so here. */
static void accuracy_f64_top(const struct subject *s, struct report *r, struct errors *errors) {
    const uint64_t first = 0x40862e42fe000000, last = 0x40862e42fefa39ef, step = r->quick ? 4001 : 37;
    static double src[BLOCK];
    size_t n = 0;
    for (uint64_t back = (last - first) / step + 1; back-- > 0;) {
        value_store(PTO_F64, src, n++, last - back * step);
        if (n == BLOCK || back == 0) {
            accuracy_block(s, r, errors, PTO_F64, src, n);
            bits_as_scalar(s, r, src, n);
            n = 0;
        }
    }
}

static void accuracy_f64(const struct subject *s, struct report *r, struct errors *errors) {
    static double src[BLOCK];
    struct rng rng;

    rng_start(&rng, "vexp accuracy");
    for (size_t block = 0; block < (r->quick ? 4U : 150U); block++) {
        for (size_t i = 0; i < BLOCK; i++) {
            const double unit = (double)(rng_next(&rng) >> 11) * 0x1p-53;
            switch (block % 4) {
            case 0: src[i] = unit * 1460.0 - 748.0; break;
            case 1: src[i] = unit * 40.0 - 746.0; break; /* subnormal results */
            case 2: src[i] = unit * 4.0 - 2.0; break;
            default: value_store(PTO_F64, src, i, rng_next(&rng));
            }
        }
        accuracy_block(s, r, errors, PTO_F64, src, BLOCK);
    }
}

static void print_errors(pto_dtype type, const struct errors *errors) {
    printf("largest error of vexp: %s %.4f ULP at %a, subnormal results %.4f at %a\n", pto_dtype_name(type),
           errors->normal, errors->normal_at, errors->subnormal, errors->subnormal_at);
}

void check_vexp_accuracy(const struct subject *s, struct report *r) {
    struct errors f32 = {0}, f64 = {0};

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "accuracy");
    r->now.type = PTO_F32;
    accuracy_f32(s, r, &f32, 0, UINT32_MAX, r->quick ? 196613 : 509);
    /* -87 to -104.5 have subnormal results */
    accuracy_f32(s, r, &f32, 0xc2ae0000, 0xc2d10000, r->quick ? 4001 : 13);
    r->now.type = PTO_F64;
    accuracy_f64(s, r, &f64);
    accuracy_f64_top(s, r, &f64);
    if (r->stop_first) return;
    print_errors(PTO_F32, &f32);
    print_errors(PTO_F64, &f64);
}

void check_vexp_all_f32(const struct subject *s, struct report *r) {
    static const uint64_t golden = 0xf84ec796f6069283;
    struct errors errors = {0};

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "accuracy, every f32");
    r->now.type = PTO_F32;
    accuracy_f32(s, r, &errors, 0, UINT32_MAX, r->sweep.step);
    if (r->stop_first) return;
    print_errors(PTO_F32, &errors);
    if (r->sweep.step == 1 && errors.digest != golden) {
        report_mismatch(r, "0x%016llx is not what is checked in", (unsigned long long)errors.digest);
    }
}

/* ---- subnormal results ---- */

/** Operands in descending order: several runs of consecutive values. */
struct descending_run {
    pto_dtype type;
    uint64_t first, stride; /* the operands are negative, so larger bits mean smaller values */
    size_t runs, length;
};

static uint64_t descending_operand(const struct descending_run *run, size_t i) {
    return run->first + i / run->length * run->stride + i % run->length;
}

/** Checks that results do not increase while operands decrease. Also checks that the error of a subnormal result is
 * at most 0.8 ULP, which is less than the limit of other results. */
static void check_descending_block(const struct subject *s, struct report *r, pto_dtype type, const void *src,
                                   void *dst, size_t n, uint64_t *last) {
    const long double least = type == PTO_F32 ? (long double)FLT_MIN : (long double)DBL_MIN;

    report_status(r, s->vexp(type, src, PTO_NO_MASK, dst, n), PTO_OK);
    for (size_t i = 0; i < n; i++) {
        const double x = load_double(type, src, i), got = load_double(type, dst, i);
        const long double exact = type == PTO_F32 ? (long double)exp(x) : expl((long double)x);
        const double error = ulp_error(type, exact, got);
        const uint64_t bits = value_load(type, dst, i);
        r->cases++;
        if (error > (exact < least ? 0.8 : 1.0))
            report_mismatch(r, "exp(%a) = %a, %.4f ULP from %La", x, got, error, exact);
        if (bits > *last) report_mismatch(r, "exp(%a) = %a is more than that of a larger number", x, got);
        *last = bits;
    }
}

static void store_double(pto_dtype type, void *array, size_t lane, double x) {
    const float narrow = (float)x;
    if (type == PTO_F64) memcpy((unsigned char *)array + lane * sizeof x, &x, sizeof x);
    if (type == PTO_F32) memcpy((unsigned char *)array + lane * sizeof narrow, &narrow, sizeof narrow);
}

/** Returns what vexp gives for one operand in a call of its own. */
static uint64_t exp_single(const struct subject *s, struct report *r, pto_dtype type, const void *x) {
    double dst; /* large enough for both types */
    report_status(r, s->vexp(type, x, PTO_NO_MASK, &dst, 1), PTO_OK);
    return value_load(type, &dst, 0);
}

/** Computes each result again while two of three lanes have other operands. No lane may change the result of
 * another. */
static void check_lane_independence(const struct subject *s, struct report *r, pto_dtype type,
                                    const void *src, const void *expected, size_t n) {
    static const double others[] = {1, -2000, 0, -INFINITY, NAN, 2000, -0x1p-140, 88.5, 709.7, -1, -5e-324};
    enum { OTHERS = sizeof others / sizeof others[0] };
    static double mixed[BLOCK], dst[BLOCK]; /* large enough for both types */
    uint64_t single[OTHERS];

    for (size_t i = 0; i < OTHERS; i++) {
        store_double(type, mixed, 0, others[i]);
        single[i] = exp_single(s, r, type, mixed);
    }
    for (size_t shift = 0; shift < 3; shift++) {
        memcpy(mixed, src, n * model_size(type));
        for (size_t i = 0; i < n; i++) {
            if (i % 3 != shift) store_double(type, mixed, i, others[i % OTHERS]);
        }
        report_status(r, s->vexp(type, mixed, PTO_NO_MASK, dst, n), PTO_OK);
        for (size_t i = 0; i < n; i++) {
            const uint64_t want = i % 3 == shift ? value_load(type, expected, i) : single[i % OTHERS];
            const uint64_t got = value_load(type, dst, i);
            r->cases++;
            if (got == want) continue;
            report_mismatch(r, "exp(%a) among others: expected %llx, got %llx", load_double(type, mixed, i),
                            (unsigned long long)want, (unsigned long long)got);
        }
    }
}

static void check_descending(const struct subject *s, struct report *r, struct descending_run run) {
    static double src[BLOCK], dst[BLOCK]; /* large enough for both types */
    const size_t count = run.runs * run.length;
    uint64_t last = UINT64_MAX;

    r->now.type = (int)run.type;
    for (size_t begin = 0; begin < count && !report_stop(r); begin += BLOCK) {
        size_t n = 0;
        while (n < BLOCK && begin + n < count) {
            value_store(run.type, src, n, descending_operand(&run, begin + n));
            n++;
        }
        r->now.n = n;
        check_descending_block(s, r, run.type, src, dst, n, &last);
        check_lane_independence(s, r, run.type, src, dst, n);
    }
}

/** Tests the operands around multiples of ln(2)/2. There exp(x) crosses a power of two or the argument reduction
 * changes to the next integer. */
static void check_reduction_borders(const struct subject *s, struct report *r) {
    for (int half = 2044; half <= 2151; half++) {
        const double turn = -half * 0x1.62e42fefa39efp-2;
        uint64_t bits;
        memcpy(&bits, &turn, sizeof bits);
        check_descending(s, r, (struct descending_run){PTO_F64, bits - 32, 0, 1, 64});
    }
}

void check_vexp_subnormal(const struct subject *s, struct report *r) {
    /* -87.33 to -104.5; a full run tests every value */
    const uint64_t first_f32 = 0xc2aeac00, last_f32 = 0xc2d10000;
    /* -708.396 to -746 */
    const uint64_t first_f64 = 0xc086232bdd7abc00, last_f64 = 0xc087500000000000;
    const size_t runs_f32 = r->quick ? 1000 : 1, runs_f64 = r->quick ? 1000 : 25000;
    struct descending_run f32 = {PTO_F32, first_f32, (last_f32 - first_f32) / runs_f32, runs_f32, 8};
    struct descending_run f64 = {PTO_F64, first_f64, (last_f64 - first_f64) / runs_f64, runs_f64, 8};

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "subnormal results");
    if (!r->quick) f32.length = (size_t)(last_f32 - first_f32);
    check_descending(s, r, f32);
    check_descending(s, r, f64);
    check_reduction_borders(s, r);
}

/* ---- special values ---- */

struct exp_row {
    uint64_t x, result;
};

/** Checks the results of all rows in one call, and of each row in a call of its own. */
static void special_rows(const struct subject *s, struct report *r, pto_dtype type,
                         const struct exp_row *rows, size_t count) {
    unsigned char src[VALUES_MAX_SPECIALS * 8] = {0}, dst[VALUES_MAX_SPECIALS * 8];

    r->now.type = (int)type;
    r->now.n = count;
    for (size_t i = 0; i < count; i++) {
        value_store(type, src, i, rows[i].x);
    }
    report_status(r, s->vexp(type, src, PTO_NO_MASK, dst, count), PTO_OK);
    for (size_t i = 0; i < count; i++) {
        const uint64_t got = value_load(type, dst, i),
                       single = exp_single(s, r, type, src + i * model_size(type));
        r->cases++;
        if (got == rows[i].result && single == got) continue;
        report_mismatch(r, "exp of %llx: expected %llx, got %llx, alone %llx", (unsigned long long)rows[i].x,
                        (unsigned long long)rows[i].result, (unsigned long long)got,
                        (unsigned long long)single);
    }
}

/** Checks that every NaN of the special values gives the canonical NaN. */
static void special_nans(const struct subject *s, struct report *r, pto_dtype type, uint64_t canonical) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    struct exp_row rows[VALUES_MAX_SPECIALS];
    const size_t count = values_special(type, specials);
    size_t nans = 0;

    for (size_t i = 0; i < count; i++) {
        if (!value_is_nan(type, specials[i])) continue;
        rows[nans].x = specials[i];
        rows[nans++].result = canonical;
    }
    special_rows(s, r, type, rows, nans);
}

void check_vexp_specials(const struct subject *s, struct report *r) {
    static const struct exp_row f32[] = {
        {0x00000000, 0x3f800000}, {0x80000000, 0x3f800000}, /* zeros: 1 */
        {0x00000001, 0x3f800000}, {0x80000001, 0x3f800000}, /* subnormals: 1 */
        {0x007fffff, 0x3f800000}, {0x807fffff, 0x3f800000},
        {0x7f800000, 0x7f800000}, {0xff800000, 0x00000000}, /* infinities: inf, +0 */
        {0x7f7fffff, 0x7f800000}, {0xff7fffff, 0x00000000}, /* overflow, underflow */
        {0x42b17217, 0x7f7fff84},                           /* the largest operand with a finite result */
        {0x42b17218, 0x7f800000}, {0x43000000, 0x7f800000}, /* the smallest with overflow; 128 */
        {0xc3000000, 0x00000000},                           /* -128 */
        {0x1fffffff, 0x3f800000}, {0x9fffffff, 0x3f800000}, /* around 2^-63 */
        {0x20000000, 0x3f800000}, {0xa0000000, 0x3f800000},
    };
    static const struct exp_row f64[] = {
        {0x0000000000000000, 0x3ff0000000000000}, {0x8000000000000000, 0x3ff0000000000000},
        {0x0000000000000001, 0x3ff0000000000000}, {0x8000000000000001, 0x3ff0000000000000},
        {0x7ff0000000000000, 0x7ff0000000000000}, {0xfff0000000000000, 0x0000000000000000},
        {0x7fefffffffffffff, 0x7ff0000000000000}, {0xffefffffffffffff, 0x0000000000000000},
        {0x000fffffffffffff, 0x3ff0000000000000}, {0x800fffffffffffff, 0x3ff0000000000000},
        {0x1fffffffffffffff, 0x3ff0000000000000}, {0x9fffffffffffffff, 0x3ff0000000000000}, /* 2^-511 */
        {0x2000000000000000, 0x3ff0000000000000}, {0xa000000000000000, 0x3ff0000000000000},
        {0x40862e42fe102c83, 0x7feffffc57ca84a9}, {0x40862e42fe102c84, 0x7feffffc57ca88a9},
        {0x40862e42fea888ca, 0x7feffffeb93b71af}, /* SLEEF 3.9.0 gives one less */
        {0x40862e42fefa39ef, 0x7fefffffffffff2a}, /* the largest operand with a finite result */
        {0x40862e42fefa39f0, 0x7ff0000000000000}, /* the smallest that overflows */
        {0x4090000000000000, 0x7ff0000000000000}, {0xc090000000000000, 0x0000000000000000},
    };
    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "special values");
    special_rows(s, r, PTO_F32, f32, sizeof f32 / sizeof f32[0]);
    special_rows(s, r, PTO_F64, f64, sizeof f64 / sizeof f64[0]);
    special_nans(s, r, PTO_F32, 0x7fffffff);
    special_nans(s, r, PTO_F64, 0x7ff8000000000000);
}

/* ---- lengths, offsets, masks, in place; expected values are those of the scalar backend ---- */

struct fixture {
    pto_dtype type;
    size_t size, lanes;
    struct guarded src, mask, dst, moved;
    unsigned char *powers;   /* e^x of every lane from the scalar backend */
    unsigned char *expected; /* the result expected from one call */
    unsigned char *truth;
    struct rng rng;
};

/** Returns a random double in or near the range of large operands whose exp is computed without SLEEF. The first and
 * last value of that range are frequent. */
static uint64_t top_operand(struct rng *rng) {
    const uint64_t first = 0x40862e42fe102c84, last = 0x40862e42fefa39ef;
    switch (rng_below(rng, 8)) {
    case 0: return first - rng_below(rng, 2);
    case 1: return last + rng_below(rng, 2);
    default: return first + rng_below(rng, last - first);
    }
}

static void fixture_open(const struct subject *s, struct report *r, struct fixture *w, const char *purpose,
                         pto_dtype type) {
    const pto_isa active = pto_isa_active();
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(type, specials);

    w->type = type;
    w->size = model_size(type);
    rng_start(&w->rng, purpose);
    guarded_open(&w->src, HARNESS_LONGEST * w->size);
    guarded_open(&w->dst, HARNESS_LONGEST * w->size);
    guarded_open(&w->moved, HARNESS_LONGEST * w->size);
    w->lanes = w->src.size / w->size;
    guarded_open(&w->mask, w->lanes);
    w->powers = harness_allocate(w->src.size);
    w->expected = harness_allocate(w->src.size);
    w->truth = harness_allocate(w->lanes);
    for (size_t i = 0; i < w->lanes; i++) {
        /* results are zero, subnormal, normal and infinite */
        const double x = ((double)(rng_next(&w->rng) >> 11) * 0x1p-52 - 1) * (type == PTO_F32 ? 110 : 760);
        store_double(type, w->src.data, i, x);
        if (i % 5 == 0) value_store(type, w->src.data, i, specials[rng_below(&w->rng, count)]);
        if (i % 11 == 1 && type == PTO_F64) value_store(type, w->src.data, i, top_operand(&w->rng));
    }
    guarded_freeze(&w->src);
    use_isa(PTO_ISA_SCALAR);
    report_status(r, s->vexp(type, w->src.data, PTO_NO_MASK, w->powers, w->lanes), PTO_OK);
    use_isa(active);
}

static void fixture_close(struct fixture *w) {
    guarded_close(&w->src);
    guarded_close(&w->dst);
    guarded_close(&w->moved);
    guarded_close(&w->mask);
    harness_free(w->powers);
    harness_free(w->expected);
    harness_free(w->truth);
}

/** Makes one call and compares the result. If m.data is NULL, every lane is on. Lane 0 of the call is lane `first`
 * of the fixture. */
static void exponentiate(const struct subject *s, struct report *r, struct fixture *w,
                         const struct guarded *home, const unsigned char *src, size_t first, pto_mask m,
                         unsigned char *dst, size_t n) {
    const size_t bytes = n * w->size;
    pto_status status;

    r->now.kinds[0] = m.data ? (int)m.kind : -1;
    r->now.n = n;
    r->cases++;
    memcpy(w->expected, w->powers + first * w->size, bytes);
    for (size_t i = 0; i < n; i++) {
        if (m.data && !model_mask_get(m.kind, m.data, i)) memset(w->expected + i * w->size, 0, w->size);
    }
    status = s->vexp(w->type, src, m, dst, n);
    report_status(r, status, PTO_OK);
    for (size_t i = 0; i < n; i++) {
        const uint64_t expected = value_load(w->type, w->expected, i);
        const uint64_t got = value_load(w->type, dst, i);
        if (expected == got) continue;
        report_mismatch(r, "lane %zu of x=%llx: expected %llx, got %llx", i,
                        (unsigned long long)value_load(w->type, w->src.data, first + i),
                        (unsigned long long)expected, (unsigned long long)got);
        break;
    }
    if (!margins_intact(home, dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}

/** Returns PTO_NO_MASK if number % 4 is 0, else a random mask at `at`. Its kind depends on `number` and fits the
 * type. */
static pto_mask make_mask(struct fixture *w, size_t number, unsigned char *at, size_t n) {
    pto_mask_kind kind;
    if (number % 4 == 0) return PTO_NO_MASK;
    kind = mask_kind(w->type, number % 4 - 1);
    check_fill_truth(&w->rng, w->truth, n);
    check_fill_mask(&w->rng, kind, at, w->truth, n);
    return pto_mask_at(at, kind);
}

static size_t mask_size(const struct fixture *w, size_t number, size_t n) {
    return model_mask_bytes(number % 4 == 0 ? PTO_MASK_BYTE : mask_kind(w->type, number % 4 - 1), n);
}

static void exp_placed(const struct subject *s, struct report *r, struct fixture *w, size_t n,
                       size_t mask_number, enum place place) {
    const size_t bytes = n * w->size;
    const size_t first = place == AT_BEGIN ? 0 : w->lanes - n;
    unsigned char *dst = guarded_place(&w->dst, bytes, place);
    unsigned char *buffer = guarded_place(&w->mask, mask_size(w, mask_number, n), place);
    const pto_mask m = make_mask(w, mask_number, buffer, n);

    buffer_fill(&w->dst, dst, bytes, (unsigned)rng_below(&w->rng, FILLS));
    r->now.detail = place == AT_BEGIN ? "after a guard page" : "ending at a guard page";
    exponentiate(s, r, w, &w->dst, w->src.data + first * w->size, first, m, dst, n);
}

static void exp_at_offset(const struct subject *s, struct report *r, struct fixture *w, size_t offset) {
    for (size_t swept = 0; swept < 3; swept++) {
        const size_t n = 1 + rng_below(&w->rng, 150);
        const size_t first = rng_below(&w->rng, w->lanes - n);
        unsigned char *src = w->moved.data + (swept == 0 ? offset : rng_below(&w->rng, OFFSETS));
        unsigned char *at = w->mask.data + (swept == 1 ? offset : rng_below(&w->rng, OFFSETS));
        unsigned char *dst =
            w->dst.data + HARNESS_MARGIN + (swept == 2 ? offset : rng_below(&w->rng, OFFSETS));
        const pto_mask m =
            make_mask(w, swept == 1 ? 1 + rng_below(&w->rng, 3) : rng_below(&w->rng, 4), at, n);

        memcpy(src, w->src.data + first * w->size, n * w->size);
        buffer_fill(&w->dst, dst, n * w->size, (unsigned)rng_below(&w->rng, FILLS));
        r->now.detail = "offsets";
        exponentiate(s, r, w, &w->dst, src, first, m, dst, n);
    }
}

void check_vexp_lengths(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_F32, PTO_F64};
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", NULL);
    for (size_t t = 0; t < 2 && !report_stop(r); t++) {
        struct fixture w;
        r->now.type = (int)types[t];
        fixture_open(s, r, &w, "vexp lengths", types[t]);
        for (size_t i = 0; i < 4 * count; i++) {
            exp_placed(s, r, &w, lengths[i / 4], i, AT_BEGIN);
            exp_placed(s, r, &w, lengths[i / 4], i, AT_END);
        }
        for (size_t i = 0; i < 24; i++) {
            exp_placed(s, r, &w, length_long(i / 4), i, i / 4 % 2 ? AT_BEGIN : AT_END);
        }
        for (size_t offset = 0; offset < OFFSETS; offset++) {
            exp_at_offset(s, r, &w, offset);
        }
        fixture_close(&w);
    }
}

void check_vexp_in_place(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_F32, PTO_F64};
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "dst is src");
    for (size_t t = 0; t < 2 && !report_stop(r); t++) {
        struct fixture w;
        r->now.type = (int)types[t];
        fixture_open(s, r, &w, "vexp in place", types[t]);
        for (size_t i = 0; i < 4 * count + 8; i++) {
            const size_t n = i < 4 * count ? lengths[i / 4] : length_long(i / 4);
            const enum place place = i % 8 < 4 ? AT_BEGIN : AT_END;
            const size_t first = rng_below(&w.rng, w.lanes - n);
            unsigned char *at = guarded_place(&w.moved, n * w.size, place);
            const pto_mask m = make_mask(&w, i, guarded_place(&w.mask, mask_size(&w, i, n), place), n);
            memcpy(at, w.src.data + first * w.size, n * w.size);
            margins_fill(&w.moved, at, n * w.size);
            exponentiate(s, r, &w, &w.moved, at, first, m, at, n);
        }
        fixture_close(&w);
    }
}

/* ---- digest ---- */

/** Returns `bits` if `any` is true. Else returns an operand made from them whose exponent is so limited that the result
 * is not 1 and is rarely out of range. */
static uint64_t digest_operand(pto_dtype type, uint64_t bits, bool any) {
    const uint64_t sign = bits & (uint64_t)1 << 63;
    if (any) return bits;
    if (type == PTO_F32) return sign >> 32 | (110 + bits % 24) << 23 | (bits >> 8 & 0x7fffff);
    return sign | (990 + bits % 43) << 52 | (bits >> 8 & 0xfffffffffffff);
}

/** Returns the FNV-1a hash of the results for a fixed set of operands. The hash must be the same on every CPU. */
static uint64_t digest(const struct subject *s, struct report *r, pto_dtype type, size_t blocks) {
    static unsigned char src[BLOCK * 8], dst[BLOCK * 8];
    struct rng rng = {type == PTO_F32 ? 32 : 64}; /* not from the seed, because the digest is fixed */
    uint64_t hash = 0xcbf29ce484222325U;

    for (size_t block = 0; block < blocks; block++) {
        for (size_t i = 0; i < BLOCK; i++) {
            value_store(type, src, i, digest_operand(type, rng_next(&rng), block % 4 == 0));
        }
        report_status(r, s->vexp(type, src, PTO_NO_MASK, dst, BLOCK), PTO_OK);
        for (size_t i = 0; i < BLOCK * model_size(type); i++) {
            hash = (hash ^ dst[i]) * 0x100000001b3U;
        }
        r->cases += BLOCK;
    }
    return hash;
}

void check_vexp_digest(const struct subject *s, struct report *r) {
    enum { BLOCKS = 64 };
    static const uint64_t golden_f32 = 0x1e76fe5d4f8f1cc6, golden_f64 = 0x7ffc332bfc9ff794;
    uint64_t got;

    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "digest");
    r->now.type = PTO_F32;
    got = digest(s, r, PTO_F32, BLOCKS);
    if (got != golden_f32) report_mismatch(r, "0x%016llx is not what is checked in", (unsigned long long)got);
    r->now.type = PTO_F64;
    got = digest(s, r, PTO_F64, BLOCKS);
    if (got != golden_f64) report_mismatch(r, "0x%016llx is not what is checked in", (unsigned long long)got);
}
