/* SPDX-License-Identifier: MIT */
/* Checks vexp of f16 and bf16: every value against exp() of C in double precision, and operands in memory. */
#include "check/checks.h"
#include "support/fpstate.h"
#include "support/values.h"

#include <math.h>
#include <string.h>

enum { CODES = 65536, LONGEST = 3000, OFFSETS = 64 };

struct half_format {
    pto_dtype type;
    int precision, least_exponent; /* significand bits, and the exponent of the smallest normal value */
    uint16_t infinity;
    /* A hash of the 65536 results, from decimal arithmetic with 60 digits. */
    uint64_t golden;
};

static const struct half_format formats[] = {{PTO_F16, 11, -14, 0x7c00, 0x5e46f34870d9c24a},
                                             {PTO_BF16, 8, -126, 0x7f80, 0x12618ca55748dba1}};
enum { FORMATS = 2 };

/** Returns the code of a value that is not negative, rounded to nearest even. Sets *margin to the distance of the value
 * from the nearest middle between two codes, in units of the last place. */
static uint16_t round_to_half(const struct half_format *f, double value, double *margin) {
    int exponent = 0;
    double units, whole;
    *margin = 1;
    if (value >= ldexp(2, f->type == PTO_F16 ? 15 : 127)) return f->infinity;
    if (value == 0) return 0;
    (void)frexp(value, &exponent);
    exponent = exponent - 1 < f->least_exponent ? f->least_exponent : exponent - 1;
    units = ldexp(value, f->precision - 1 - exponent);
    whole = floor(units);
    *margin = fabs(units - whole - 0.5);
    if (units - whole > 0.5) whole++;
    /* a significand that overflows carries into the exponent; a normal one includes the implicit bit */
    return (uint16_t)(whole + ldexp(exponent - f->least_exponent, f->precision - 1));
}

/** Returns exp of a code. `double` decides the rounding if it is farther from a middle than its own error; the nearest
 * exact result is 1.1e-5 of a last place away. */
static uint16_t expected_code(struct report *r, const struct half_format *f, uint16_t code) {
    const struct model_value x = model_decode(f->type, false, &code);
    double margin;
    uint16_t result;
    if (x.nan) return 0x7fff;
    result = round_to_half(f, exp(x.real), &margin);
    if (margin < 1e-6 && x.real != 0 && fabs(x.real) > 0x1p-30 && x.real > -150)
        report_mismatch(r, "exp(%a) is too near to a middle for this test", x.real);
    return result;
}

void check_vexp_halves(const struct subject *s, struct report *r) {
    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", "every half");
    for (size_t i = 0; i < FORMATS; i++) {
        const struct half_format *f = &formats[i];
        uint16_t *src = harness_allocate((size_t)2 * CODES * sizeof *src), *dst = src + CODES;
        uint64_t hash = 0xcbf29ce484222325;
        r->now.type = (int)f->type;
        for (size_t code = 0; code < CODES; code++) {
            src[code] = (uint16_t)code;
        }
        report_status(r, s->vexp(f->type, src, PTO_NO_MASK, dst, CODES), PTO_OK);
        for (size_t code = 0; code < CODES; code++) {
            const uint16_t want = expected_code(r, f, (uint16_t)code);
            r->cases++;
            hash = (hash ^ want) * 0x100000001b3U;
            if (dst[code] != want)
                report_mismatch(r, "exp of %04zx: expected %04x, got %04x", code, want, dst[code]);
        }
        if (hash != f->golden) report_mismatch(r, "the expected results are not those of decimal arithmetic");
        harness_free(src);
    }
}

/* ---- memory ---- */

struct fixture {
    const struct half_format *format;
    struct guarded src, dst, mask;
    unsigned char truth[LONGEST], expected[2 * LONGEST];
    struct rng rng;
};

/** Makes a call on operands at the places of `number`, in place or under a mask in some calls. */
static void run_call(const struct subject *s, struct report *r, struct fixture *w, size_t n, size_t number) {
    const pto_dtype type = w->format->type;
    const enum place place = number % 2 ? AT_BEGIN : AT_END;
    const size_t bytes = 2 * n, offset = place == AT_BEGIN ? rng_below(&w->rng, OFFSETS) : 0;
    static const pto_mask_kind kinds[] = {PTO_MASK_PACKED, PTO_MASK_B16, PTO_MASK_BYTE};
    const pto_mask_kind kind = kinds[number / 2 % 3];
    const bool masked = number % 5 != 0, in_place = number % 7 == 0;
    unsigned char *const dst = guarded_place(&w->dst, bytes, place) + offset,
                         *const mask = guarded_place(&w->mask, model_mask_bytes(kind, n), place),
                         *const src = in_place ? dst : guarded_place(&w->src, bytes, place) + offset;
    if (!in_place) buffer_fill(&w->dst, dst, bytes, (unsigned)number % FILLS);
    rng_fill(&w->rng, src, bytes);
    if (in_place) margins_fill(&w->dst, dst, bytes);
    check_fill_truth(&w->rng, w->truth, n);
    check_fill_mask(&w->rng, kind, mask, w->truth, n);
    for (size_t i = 0; i < n; i++) {
        const uint16_t code = (uint16_t)value_load(type, src, i);
        value_store(type, w->expected, i, masked && !w->truth[i] ? 0 : expected_code(r, w->format, code));
    }
    r->now.n = n;
    r->cases++;
    report_result(r, 16);
    report_status(r, s->vexp(type, src, masked ? pto_mask_at(mask, kind) : PTO_NO_MASK, dst, n), PTO_OK);
    report_image(r, w->expected, dst, bytes);
    if (!margins_intact(&w->dst, dst, bytes)) report_mismatch(r, "bytes outside dst were written");
}

static void sweep_fp_states(const struct subject *s, struct report *r, struct fixture *w) {
    const struct fp_state normal = fp_state_get();
    struct fp_state state, before, after;
    const char *title;
    for (size_t i = 0; fp_state_hostile(i, &state, &title) && !report_stop(r); i += r->quick ? 7 : 1) {
        pto_status status;
        r->now.detail = title;
        rng_fill(&w->rng, w->src.data, (size_t)2 * LONGEST);
        fp_state_set(&state);
        before = fp_state_get();
        status = s->vexp(w->format->type, w->src.data, PTO_NO_MASK, w->dst.data, LONGEST);
        after = fp_state_get();
        fp_state_set(&normal);
        report_status(r, status, PTO_OK);
        if (!fp_state_same(&before, &after)) report_mismatch(r, "the FP state changed");
        for (size_t k = 0; k < LONGEST; k++) {
            const uint16_t code = (uint16_t)value_load(w->format->type, w->src.data, k);
            value_store(w->format->type, w->expected, k, expected_code(r, w->format, code));
        }
        report_image(r, w->expected, w->dst.data, (size_t)2 * LONGEST);
    }
    r->now.detail = NULL;
}

void check_vexp_halves_memory(const struct subject *s, struct report *r) {
    if (!check_has_vexp(s, r)) return;
    report_call(r, "vexp", NULL);
    for (size_t i = 0; i < FORMATS; i++) {
        struct fixture *w = harness_allocate(sizeof *w);
        size_t lengths[HARNESS_MAX_LENGTHS], count = lengths_short(lengths, r->quick), number = 0;
        w->format = &formats[i];
        rng_start_for(&w->rng, "vexp halves", w->format->type);
        guarded_open(&w->src, 2 * LONGEST + OFFSETS);
        guarded_open(&w->dst, 2 * LONGEST + OFFSETS);
        guarded_open(&w->mask, LONGEST);
        lengths[count++] = 513;
        lengths[count++] = LONGEST;
        r->now.type = (int)w->format->type;
        for (size_t k = 0; k < 6 * count && !report_stop(r); k++) {
            run_call(s, r, w, lengths[k % count], number++);
        }
        sweep_fp_states(s, r, w);
        guarded_close(&w->src);
        guarded_close(&w->dst);
        guarded_close(&w->mask);
        harness_free(w);
    }
}
