/* SPDX-License-Identifier: MIT */
/* Checks comparisons, selects, mask logic and vexp in hostile floating-point states: results stay the same,
 * nothing traps, and the state, including sticky flags, is unchanged. */
#include "check/checks.h"
#include "support/fpstate.h"
#include "support/operands.h"

#include <stdio.h>
#include <string.h>

enum { MAX_STATES = 128, TITLE = 96, MAX_LANES = VALUES_MAX_SPECIALS * VALUES_MAX_SPECIALS };

struct hostile {
    struct fp_state state;
    char title[TITLE];
};

/** A call that can be repeated in each state: its operands, where it writes, and the expected bytes. */
struct job {
    pto_status (*call)(const struct subject *s, const struct job *job);
    pto_dtype type;
    pto_cmp op;
    unsigned flags;
    pto_mask_kind kind;
    size_t n;
    const unsigned char *a, *b;
    const unsigned char *mask;
    unsigned char *dst;
    unsigned char *expected;
    size_t dst_bytes;
    pto_plan plan;
};

struct fixture {
    struct hostile states[MAX_STATES];
    size_t state_count;
    unsigned char a[MAX_LANES * 8], b[MAX_LANES * 8];
    unsigned char dst[MAX_LANES * 8], expected[MAX_LANES * 8], truth[MAX_LANES];
    unsigned char mask[MAX_LANES];
    struct rng rng;
};

static void collect_states(struct fixture *w, bool quick) {
    struct fp_state state;
    const char *title;
    for (size_t i = 0; fp_state_hostile(i, &state, &title) && w->state_count < MAX_STATES;
         i += quick ? 7 : 1) {
        struct hostile *hostile = &w->states[w->state_count++];
        hostile->state = state;
        memcpy(hostile->title, title, strlen(title) + 1);
    }
}

/** Makes the call in a hostile state. Between setting and restoring the state only the call runs. */
static void run_hostile(const struct subject *s, struct report *r, const struct job *job,
                        const struct hostile *hostile) {
    const struct fp_state mine = fp_state_get();
    struct fp_state before, after;
    pto_status status;

    r->now.detail = hostile->title;
    r->cases++;
    memset(job->dst, 0x77, job->dst_bytes);
    fp_state_set(&hostile->state);
    before = fp_state_get();
    status = job->call(s, job);
    after = fp_state_get();
    fp_state_set(&mine);
    report_status(r, status, PTO_OK);
    report_image(r, job->expected, job->dst, job->dst_bytes);
    if (!fp_state_same(&before, &after)) {
        report_mismatch(r,
                        "the state has changed: control %llx, flags %llx, x87 %llx became %llx, %llx, %llx",
                        (unsigned long long)before.control, (unsigned long long)before.status,
                        (unsigned long long)before.x87, (unsigned long long)after.control,
                        (unsigned long long)after.status, (unsigned long long)after.x87);
    }
}

static void run_everywhere(const struct subject *s, struct report *r, struct fixture *w,
                           const struct job *job) {
    r->now.n = job->n;
    for (size_t i = 0; i < w->state_count && !report_stop(r); i++) {
        run_hostile(s, r, job, &w->states[i]);
    }
}

static pto_status call_vcmp(const struct subject *s, const struct job *job) {
    return s->vcmp(job->type, job->op, job->flags, job->a, job->b, PTO_NO_MASK,
                   pto_mask_at(job->dst, job->kind), job->n);
}

static pto_status call_vcmps(const struct subject *s, const struct job *job) {
    return s->vcmps(job->type, job->op, job->flags, job->a, job->b, PTO_NO_MASK,
                    pto_mask_at(job->dst, job->kind), job->n);
}

static pto_status call_plan(const struct subject *s, const struct job *job) {
    (void)s;
    pto_run(&job->plan, job->a, job->b, NULL, job->dst, job->n);
    return PTO_OK;
}

static pto_status call_vsel(const struct subject *s, const struct job *job) {
    return s->vsel(job->type, job->a, job->b, pto_mask_in(job->mask, job->kind), job->dst, job->n);
}

static pto_status call_vbr(const struct subject *s, const struct job *job) {
    return s->vbr(job->type, job->a, job->dst, job->n);
}

static pto_status call_mask_sel(const struct subject *s, const struct job *job) {
    return s->mask_sel(pto_packed_in(job->a), pto_bytes_in(job->b), pto_mask_in(job->mask, job->kind),
                       pto_bytes(job->dst), job->n);
}

static pto_status call_vexp(const struct subject *s, const struct job *job) {
    return s->vexp(job->type, job->a, PTO_NO_MASK, job->dst, job->n);
}

static void expect_compare(struct fixture *w, struct job *job, bool with_scalar) {
    const bool ftz = (job->flags & PTO_FTZ) != 0;
    const size_t size = model_size(job->type);
    for (size_t i = 0; i < job->n; i++) {
        const unsigned char *b = job->b + (with_scalar ? 0 : i * size);
        w->truth[i] = model_compare(job->type, job->op, ftz, job->a + i * size, b);
    }
    model_mask_put(job->kind, job->expected, w->truth, job->n);
    job->dst_bytes = model_mask_bytes(job->kind, job->n);
}

static struct job job_of(struct fixture *w, pto_dtype type, size_t n) {
    struct job job;
    memset(&job, 0, sizeof job);
    job.type = type;
    job.n = n;
    job.a = w->a;
    job.b = w->b;
    job.mask = w->mask;
    job.dst = w->dst;
    job.expected = w->expected;
    return job;
}

static void compare_form(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type,
                         pto_cmp op, unsigned flags) {
    const size_t cross = values_cross_size(type);
    struct job job = job_of(w, type, cross);

    job.op = op;
    job.flags = flags;
    job.kind = mask_kind(type, rng_below(&w->rng, MASK_KINDS));
    r->now.call = "vcmp";
    r->now.type = (int)type;
    r->now.op = (int)op;
    r->now.flags = (int)flags;
    r->now.kinds[1] = (int)job.kind;
    report_result(r, model_lane_bits(job.kind));
    report_source(r, pto_in_array(job.a), 8 * model_size(type));
    report_source(r, pto_in_array(job.b), 8 * model_size(type));
    expect_compare(w, &job, false);
    job.call = call_vcmp;
    run_everywhere(s, r, w, &job);
    if (s->plan_vcmp(&job.plan, type, op, flags, PTO_MASK_PACKED, job.kind) == PTO_OK) {
        r->now.call = "a plan of vcmp";
        job.call = call_plan;
        run_everywhere(s, r, w, &job);
    }
    r->now.call = "vcmps";
    job.b = w->b + rng_below(&w->rng, cross) * model_size(type);
    r->now.sources[1].in = pto_in_scalar(job.b);
    expect_compare(w, &job, true);
    job.call = call_vcmps;
    run_everywhere(s, r, w, &job);
}

static void compare_type(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type) {
    values_cross(type, w->a, w->b);
    for (int op = 0; op < MODEL_OPS && !report_stop(r); op++) {
        if (!model_has_op(type, (pto_cmp)op)) continue;
        compare_form(s, r, w, type, (pto_cmp)op, 0);
        if (model_has_ftz(type)) compare_form(s, r, w, type, (pto_cmp)op, PTO_FTZ);
    }
    r->now.op = r->now.flags = r->now.kinds[1] = -1;
    report_result(r, 0);
}

/** Checks that the call gives its default-state result in all other states. Other checks test the default-state
 * result. */
static void same_everywhere(const struct subject *s, struct report *r, struct fixture *w, struct job *job,
                            const char *name) {
    r->now.call = name;
    r->now.type = (int)job->type;
    job->dst = w->expected;
    r->now.detail = "the default state";
    report_status(r, job->call(s, job), PTO_OK);
    job->dst = w->dst;
    run_everywhere(s, r, w, job);
}

static void select_type(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type) {
    struct job job = job_of(w, type, values_cross_size(type));

    values_cross(type, w->a, w->b);
    rng_fill(&w->rng, w->mask, sizeof w->mask);
    job.kind = model_image_kind(type);
    job.dst_bytes = job.n * model_size(type);
    job.call = call_vsel;
    same_everywhere(s, r, w, &job, "vsel");
    job.a += model_size(type) * 31; /* element 31 is a NaN, see special_floats() */
    job.call = call_vbr;
    same_everywhere(s, r, w, &job, "vbr");
}

static void masks(const struct subject *s, struct report *r, struct fixture *w) {
    struct job job = job_of(w, PTO_U8, 1500);
    rng_fill(&w->rng, w->a, 1500);
    rng_fill(&w->rng, w->b, 1500);
    rng_fill(&w->rng, w->mask, 1500);
    job.kind = PTO_MASK_B32;
    job.dst_bytes = job.n;
    job.call = call_mask_sel;
    same_everywhere(s, r, w, &job, "mask_sel");
}

static void exponentials(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type) {
    struct job job = job_of(w, type, 2003);
    const uint64_t one = type == PTO_F32 ? 0x3f800000U : 0x3ff0000000000000U;
    const uint64_t step = type == PTO_F32 ? 0x400000U : 0x8000000000000U; /* half a binade */

    values_cross(type, w->a, w->b);
    for (size_t i = 500; i < job.n; i++) { /* magnitudes of about 2^-5 to 2^10, both signs, random low bits */
        const uint64_t magnitude = one + (rng_below(&w->rng, 30) - 10) * step + rng_below(&w->rng, step);
        const uint64_t sign = rng_below(&w->rng, 2) ? (uint64_t)1 << (8 * model_size(type) - 1) : 0;
        value_store(type, w->a, i, magnitude | sign);
    }
    job.dst_bytes = job.n * model_size(type);
    job.call = call_vexp;
    same_everywhere(s, r, w, &job, "vexp");
}

void check_fpstate(const struct subject *s, struct report *r) {
    struct fixture *w = harness_allocate(sizeof *w);

    rng_start(&w->rng, "fpstate");
    collect_states(w, r->quick);
    report_call(r, "vcmp", NULL);
    for (size_t t = 0; t < MODEL_TYPES && !report_stop(r); t++) {
        compare_type(s, r, w, model_types[t]);
        select_type(s, r, w, model_types[t]);
    }
    masks(s, r, w);
    if (s->vexp) exponentials(s, r, w, PTO_F32);
    if (s->vexp) exponentials(s, r, w, PTO_F64);
    if (!r->stop_first) printf("%zu states\n", w->state_count);
    harness_free(w);
}
