/* SPDX-License-Identifier: MIT */
/* Checks vmax, vmin, vclamp, vrelu and vsels in hostile floating-point states: results equal the model's, nothing
 * traps, and the state is unchanged afterwards. */
#include "check/checks.h"
#include "support/maxmin_fixture.h"
#include "support/fpstate.h"

#include <string.h>

enum { MAX_LANES = VALUES_MAX_SPECIALS * VALUES_MAX_SPECIALS };

struct fixture {
    struct fp_states states;
    unsigned char a[8 * MAX_LANES], b[8 * MAX_LANES], expected[8 * MAX_LANES], dst[8 * MAX_LANES];
    unsigned char mask[MAX_LANES];
};

/** A call that can be repeated in each state. `kind` is the mask kind of vsels. */
struct job {
    pto_status (*call)(const struct subject *s, const struct job *job);
    struct maxmin_form form;
    pto_mask_kind kind;
    pto_in in[MAXMIN_INS];
    struct fixture *w;
    size_t n;
};

static pto_status call_maxmin(const struct subject *s, const struct job *job) {
    return maxmin_call(s, &job->form, job->in, job->w->dst, job->n);
}

static pto_status call_vsels(const struct subject *s, const struct job *job) {
    return s->vsels(job->form.type, job->in[0], job->in[1], pto_mask_at(job->w->mask, job->kind), job->w->dst,
                    job->n);
}

/** Makes the call in a hostile state. Between setting and restoring the state only the call runs. */
static void run_hostile(const struct subject *s, struct report *r, const struct job *job, size_t number) {
    const size_t bytes = job->n * model_size(job->form.type);
    const struct fp_state mine = fp_state_get();
    struct fp_state before, after;
    pto_status status;

    r->now.detail = job->w->states.title[number];
    r->cases++;
    memset(job->w->dst, 0x77, bytes);
    fp_state_set(&job->w->states.state[number]);
    before = fp_state_get();
    status = job->call(s, job);
    after = fp_state_get();
    fp_state_set(&mine);
    report_status(r, status, PTO_OK);
    report_image(r, job->w->expected, job->w->dst, bytes);
    if (!fp_state_same(&before, &after)) {
        report_mismatch(r, "the state has changed: %llx, %llx became %llx, %llx",
                        (unsigned long long)before.control, (unsigned long long)before.status,
                        (unsigned long long)after.control, (unsigned long long)after.status);
    }
}

static void run_everywhere(const struct subject *s, struct report *r, const struct job *job) {
    r->now.type = (int)job->form.type;
    r->now.flags = (int)job->form.flags;
    r->now.n = job->n;
    for (size_t i = 0; i < job->w->states.count && !report_stop(r); i++) {
        run_hostile(s, r, job, i);
    }
}

/** Runs every form of a type. The third operand is the second half of the second operand's array. */
static void maxmin_jobs(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type) {
    const size_t size = model_size(type), half = values_cross_size(type) / 2;
    struct job job = {.call = call_maxmin, .w = w, .n = half};
    for (size_t i = 0; maxmin_form_of(type, i, &job.form) && !report_stop(r); i++) {
        const unsigned char *const at[MAXMIN_INS] = {w->a, w->b, w->b + half * size};
        for (size_t k = 0; k < MAXMIN_INS; k++) {
            job.in[k] = job.form.scalars >> k & 1 ? pto_in_scalar(at[k] + (i * 29 + k * 13) % half * size)
                                                  : pto_in_array(at[k]);
        }
        job.n = model_maxmin_operands(job.form.call) == 3 ? half : 2 * half;
        maxmin_expect(&job.form, job.in, w->expected, job.n);
        r->now.call = maxmin_name(job.form.call);
        maxmin_sources(r, &job.form, job.in);
        run_everywhere(s, r, &job);
    }
}

static void vsels_job(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type) {
    const size_t size = model_size(type);
    struct job job = {
        .call = call_vsels, .w = w, .n = values_cross_size(type), .kind = model_image_kind(type)};
    job.form.type = type;
    job.in[0] = pto_in_array(w->a);
    job.in[1] = pto_in_scalar(w->b + 31 * size); /* a NaN in float types, see special_floats() */
    for (size_t i = 0; i < job.n; i++) {
        const bool on = model_mask_get(job.kind, w->mask, i);
        memcpy(w->expected + i * size, on ? w->a + i * size : w->b + 31 * size, size);
    }
    r->now.call = "vsels";
    report_result(r, 8 * size);
    report_source(r, job.in[0], 8 * size);
    report_source(r, job.in[1], 8 * size);
    report_source(r, pto_in_array(w->mask), model_lane_bits(job.kind));
    run_everywhere(s, r, &job);
}

void check_maxmin_fpstate(const struct subject *s, struct report *r) {
    struct fixture *w = harness_allocate(sizeof *w);
    struct rng rng;

    rng_start(&rng, "maxmin fpstate");
    rng_fill(&rng, w->mask, sizeof w->mask);
    fp_states_collect(&w->states, r->quick);
    report_call(r, "vmax", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        values_cross(model_types[t], w->a, w->b);
        maxmin_jobs(s, r, w, model_types[t]);
        vsels_job(s, r, w, model_types[t]);
    }
    harness_free(w);
}
