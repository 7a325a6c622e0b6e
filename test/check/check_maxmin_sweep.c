/* SPDX-License-Identifier: MIT */
/* Checks vmax and vmin on every pair of bytes, and on every pair of f16 and bf16 values. */
#include "check/checks.h"
#include "support/maxmin_fixture.h"

#include <string.h>

/* ---- 8 bits: all 65536 pairs at once, and each byte as a scalar on either side ---- */

enum { BYTES = 256, PAIRS = BYTES * BYTES };

struct byte_fixture {
    unsigned char a[PAIRS], b[PAIRS], expected[PAIRS], got[PAIRS];
};

static void run_bytes(const struct subject *s, struct report *r, struct byte_fixture *w,
                      const struct maxmin_form *form, const pto_in *in, size_t n) {
    r->cases += n;
    r->now.n = n;
    maxmin_sources(r, form, in);
    memset(w->got, 0x5a, n);
    maxmin_expect(form, in, w->expected, n);
    report_status(r, maxmin_call(s, form, in, w->got, n), PTO_OK);
    report_image(r, w->expected, w->got, n);
}

static void byte_form(const struct subject *s, struct report *r, struct byte_fixture *w,
                      const struct maxmin_form *form) {
    const unsigned operands = (unsigned)model_maxmin_operands(form->call);
    pto_in in[MAXMIN_INS] = {pto_in_array(w->a), pto_in_array(w->b), pto_in_array(w->b)};

    r->now.call = maxmin_name(form->call);
    r->now.type = (int)form->type;
    if (operands == 3) in[2] = pto_in_scalar(&w->b[200]);
    if (form->scalars == 0) run_bytes(s, r, w, form, in, PAIRS);
    for (size_t i = 0; i < BYTES && form->scalars != 0; i++) {
        for (unsigned k = 0; k < operands; k++) {
            in[k] = form->scalars >> k & 1 ? pto_in_scalar(&w->b[(i + (size_t)37 * k) % BYTES])
                                           : pto_in_array(w->b);
        }
        run_bytes(s, r, w, form, in, BYTES);
    }
}

void check_maxmin_bytes(const struct subject *s, struct report *r) {
    struct byte_fixture *w = harness_allocate(sizeof *w);
    struct maxmin_form form;

    report_call(r, "vmax", "all pairs of 8-bit operands");
    for (size_t i = 0; i < PAIRS; i++) {
        w->a[i] = (unsigned char)(i / BYTES);
        w->b[i] = (unsigned char)(i % BYTES);
    }
    for (size_t t = 0; t < MODEL_TYPES; t++) {
        if (model_size(model_types[t]) != 1) continue;
        for (size_t i = 0; maxmin_form_of(model_types[t], i, &form) && !report_stop(r); i++) {
            byte_form(s, r, w, &form);
        }
    }
    harness_free(w);
}

/* ---- 16 bits: all 65536 right-hand operands for each left-hand operand ---- */

enum { HALVES = 65536 };

struct half_fixture {
    uint16_t all[HALVES], repeated[HALVES], expected[HALVES], got[HALVES];
    struct model_lane lane[HALVES]; /* the elements of `all`, read under the current flags */
    unsigned char special[HALVES];  /* rows that a sample always includes */
};

static void half_open(struct half_fixture *w, const struct maxmin_form *form) {
    uint64_t specials[VALUES_MAX_SPECIALS];
    const size_t count = values_special(form->type, specials);
    for (size_t i = 0; i < count; i++) {
        w->special[specials[i]] = 1;
    }
    for (size_t i = 0; i < HALVES; i++) {
        w->all[i] = (uint16_t)i;
        w->lane[i] = model_lane_read(form->type, form->flags, &w->all[i]);
    }
}

static void half_compare(struct report *r, const struct half_fixture *w, pto_status status, unsigned left) {
    r->cases += HALVES;
    report_status(r, status, PTO_OK);
    if (memcmp(w->expected, w->got, sizeof w->got) == 0) return;
    for (size_t i = 0; i < HALVES; i++) {
        if (w->expected[i] == w->got[i]) continue;
        report_mismatch(r, "operands %04x in the row, %04zx in the lane: expected %04x, got %04x", left, i,
                        w->expected[i], w->got[i]);
        return;
    }
}

static void expect_by_model(struct half_fixture *w, const struct maxmin_form *form, uint16_t bits) {
    for (size_t i = 0; i < HALVES; i++) {
        const struct model_lane in[] = {w->lane[bits], w->lane[i]};
        w->expected[i] = (uint16_t)model_maxmin(form->call, form->type, form->flags, in);
    }
}

static void expect_by_scalar(struct report *r, struct half_fixture *w, const struct maxmin_form *form,
                             const pto_in *in, pto_isa active) {
    const struct subject library = subject_library();
    use_isa(PTO_ISA_SCALAR);
    if (maxmin_call(&library, form, in, w->expected, HALVES) != PTO_OK)
        report_mismatch(r, "scalar: no success");
    use_isa(active);
}

/** Checks one value against all values: as the left operand, an array that repeats it, and then as the right operand, a
 * scalar. So all calls together have each pair in both orders. In a full sweep the scalar kernels are compared with
 * the model, which takes an hour, and the other backends with the scalar kernels. */
static void half_row(const struct subject *s, struct report *r, struct half_fixture *w,
                     const struct maxmin_form *form, uint16_t bits) {
    const pto_in array[] = {pto_in_array(w->repeated), pto_in_array(w->all)};
    const pto_in scalar[] = {pto_in_array(w->all), pto_in_scalar(&bits)};
    const pto_isa active = pto_isa_active();

    for (size_t i = 0; i < HALVES; i++) {
        w->repeated[i] = bits;
    }
    if (r->sweep.step > 1 || active == PTO_ISA_SCALAR)
        expect_by_model(w, form, bits);
    else
        expect_by_scalar(r, w, form, array, active);
    memset(w->got, 0x5a, sizeof w->got);
    half_compare(r, w, maxmin_call(s, form, array, w->got, HALVES), bits);
    memset(w->got, 0x5a, sizeof w->got);
    half_compare(r, w, maxmin_call(s, form, scalar, w->got, HALVES), bits);
}

static void sweep_halves(const struct subject *s, struct report *r, pto_dtype type) {
    struct half_fixture *w = harness_allocate(sizeof *w);
    struct maxmin_form form;

    report_call(r, "vmax", "all pairs of 16-bit operands");
    r->now.type = (int)type;
    r->now.n = HALVES;
    for (size_t k = 0; maxmin_form_of(type, k, &form); k++) {
        if (form.call > MODEL_MIN || form.scalars != 0) continue;
        half_open(w, &form);
        r->now.call = maxmin_name(form.call);
        r->now.flags = (int)form.flags;
        for (size_t i = 0; i < HALVES && !report_stop(r); i++) {
            if (i % r->sweep.step == 0 || w->special[i]) half_row(s, r, w, &form, (uint16_t)i);
        }
    }
    harness_free(w);
}

void check_all_f16_maxmin(const struct subject *s, struct report *r) {
    sweep_halves(s, r, PTO_F16);
}

void check_all_bf16_maxmin(const struct subject *s, struct report *r) {
    sweep_halves(s, r, PTO_BF16);
}
