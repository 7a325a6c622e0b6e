/* SPDX-License-Identifier: MIT */
/* Checks setp, set, slct, vcmpsel, flags_ucomi and cmp_setcc in hostile floating-point states: results equal those
 * of the default state, which other checks compare with the model. Nothing traps, and the state is unchanged. */
#include "check/checks.h"
#include "support/fpstate.h"
#include "support/operands.h"

#include <string.h>

enum { MAX_LANES = VALUES_MAX_SPECIALS * VALUES_MAX_SPECIALS, TITLE = 96, MAX_STATES = 128 };

struct job {
    pto_status (*call)(const struct subject *s, const struct job *job, unsigned char *dst);
    pto_dtype type, dtype;
    pto_cmp op;
    pto_cc cc;
    bool ftz;
    size_t n;
    const unsigned char *a, *b;
    size_t dst_bytes;
};

struct fixture {
    struct fp_state states[MAX_STATES];
    char titles[MAX_STATES][TITLE];
    size_t state_count;
    unsigned char a[MAX_LANES * 8], b[MAX_LANES * 8], expected[MAX_LANES * 8], dst[MAX_LANES * 8];
};

static void collect_states(struct fixture *w, bool quick) {
    const char *title;
    for (size_t i = 0; w->state_count < MAX_STATES && fp_state_hostile(i, &w->states[w->state_count], &title);
         i += quick ? 7 : 1) {
        strncpy(w->titles[w->state_count++], title, TITLE - 1);
    }
}

/** Makes the call in a hostile state. Between setting and restoring the state only the call runs. */
static void run_hostile(const struct subject *s, struct report *r, struct fixture *w, const struct job *job,
                        size_t number) {
    const struct fp_state mine = fp_state_get();
    struct fp_state before, after;
    pto_status status;

    r->now.detail = w->titles[number];
    r->cases++;
    memset(w->dst, 0x77, job->dst_bytes);
    fp_state_set(&w->states[number]);
    before = fp_state_get();
    status = job->call(s, job, w->dst);
    after = fp_state_get();
    fp_state_set(&mine);
    report_status(r, status, PTO_OK);
    report_image(r, w->expected, w->dst, job->dst_bytes);
    if (!fp_state_same(&before, &after)) {
        report_mismatch(r, "the state has changed: %llx, %llx became %llx, %llx",
                        (unsigned long long)before.control, (unsigned long long)before.status,
                        (unsigned long long)after.control, (unsigned long long)after.status);
    }
}

static pto_status call_setp(const struct subject *s, const struct job *job, unsigned char *dst) {
    const pto_setp_op op = {job->type, job->op, PTO_BOOL_NONE, false, job->ftz};
    return s->setp(op, job->a, job->b, PTO_NO_MASK, pto_bytes(dst), pto_bytes(dst + job->n), job->n);
}

static void run_everywhere(const struct subject *s, struct report *r, struct fixture *w, const char *name,
                           const struct job *job) {
    r->now.call = name;
    r->now.type = (int)job->type;
    r->now.op = (int)job->op;
    r->now.flags = job->ftz ? PTO_FTZ : 0;
    r->now.n = job->n;
    report_result(r, job->call == call_setp ? 8 : 8 * (job->dst_bytes / job->n));
    report_source(r, pto_in_array(job->a), 8 * model_word(job->type));
    report_source(r, pto_in_array(job->b), 8 * model_word(job->type));
    r->now.detail = "the default state";
    report_status(r, job->call(s, job, w->expected), PTO_OK);
    for (size_t i = 0; i < w->state_count && !report_stop(r); i++) {
        run_hostile(s, r, w, job, i);
    }
}

static pto_status call_set(const struct subject *s, const struct job *job, unsigned char *dst) {
    const pto_set_op op = {job->dtype, job->type, job->op, PTO_BOOL_NONE, false, job->ftz};
    return s->set(op, job->a, job->b, PTO_NO_MASK, dst, job->n);
}

static pto_status call_slct(const struct subject *s, const struct job *job, unsigned char *dst) {
    return s->slct(job->type, PTO_F32, job->ftz, job->a, job->b, job->b, dst, job->n);
}

static pto_status call_vcmpsel(const struct subject *s, const struct job *job, unsigned char *dst) {
    return s->vcmpsel(job->type, job->op, job->ftz ? PTO_FTZ : 0, pto_in_array(job->a), pto_in_array(job->b),
                      pto_in_array(job->b), pto_in_array(job->a), dst, job->n);
}

static pto_status call_vcmpsel_scalar(const struct subject *s, const struct job *job, unsigned char *dst) {
    return s->vcmpsel(job->type, job->op, job->ftz ? PTO_FTZ : 0, pto_in_array(job->b),
                      pto_in_scalar(job->b + 5 * model_size(job->type)), pto_in_array(job->b),
                      pto_in_scalar(job->a), dst, job->n);
}

static pto_status call_flags(const struct subject *s, const struct job *job, unsigned char *dst) {
    return s->flags_ucomi(job->type, job->a, job->b, (uint32_t *)(void *)dst, job->n);
}

static pto_status call_cmp_setcc(const struct subject *s, const struct job *job, unsigned char *dst) {
    return s->cmp_setcc(job->cc, job->type, job->a, job->b, dst, job->n);
}

/** Returns the destination type with which set is tested. */
static pto_dtype some_dtype(pto_dtype type, pto_cmp op) {
    switch (type) {
    case PTO_F16X2:
    case PTO_BF16X2: return op % 2 ? type : PTO_U32;
    case PTO_F16: return op % 2 ? PTO_F16 : PTO_U32;
    case PTO_BF16: return op % 2 ? PTO_BF16 : PTO_S16;
    default: return op % 2 ? PTO_F32 : PTO_F16;
    }
}

static void compare_jobs(const struct subject *s, struct report *r, struct fixture *w, struct job *job) {
    const size_t size = model_word(job->type);

    job->dst_bytes = 2 * job->n;
    job->call = call_setp;
    run_everywhere(s, r, w, "setp", job);
    job->dtype = some_dtype(job->type, job->op);
    job->dst_bytes = job->n * model_word(job->dtype);
    job->call = call_set;
    run_everywhere(s, r, w, "set", job);
    if (model_is_pair(job->type)) return;
    job->dst_bytes = job->n * size;
    job->call = call_vcmpsel;
    run_everywhere(s, r, w, "vcmpsel", job);
    job->call = call_vcmpsel_scalar;
    run_everywhere(s, r, w, "vcmpsel", job);
}

static void flag_jobs(const struct subject *s, struct report *r, struct fixture *w, struct job *job) {
    job->ftz = false;
    job->dst_bytes = 4 * job->n;
    job->call = call_flags;
    run_everywhere(s, r, w, "flags_ucomi", job);
    job->dst_bytes = job->n;
    job->call = call_cmp_setcc;
    for (int cc = 0; cc < MODEL_CCS && !report_stop(r); cc++) {
        job->cc = (pto_cc)cc;
        run_everywhere(s, r, w, "cmp_setcc", job);
    }
}

static void type_jobs(const struct subject *s, struct report *r, struct fixture *w, pto_dtype type) {
    const pto_dtype part = model_part(type);
    struct job job;

    memset(&job, 0, sizeof job);
    job.type = type;
    job.a = w->a;
    job.b = w->b;
    job.n = values_cross_size(part) / (model_is_pair(type) ? 2 : 1);
    values_cross(part, w->a, w->b);
    for (int i = 0; i < 2 * MODEL_OPS && !report_stop(r); i++) {
        job.op = (pto_cmp)(i / 2);
        job.ftz = i % 2;
        if (!model_has_op(part, job.op) || (job.ftz && !model_has_ftz(part))) continue;
        compare_jobs(s, r, w, &job);
    }
    if (!model_is_pair(type)) flag_jobs(s, r, w, &job);
    if (type != PTO_F32) return;
    job.dst_bytes = 4 * job.n;
    job.call = call_slct;
    for (int ftz = 0; ftz < 2; ftz++) {
        job.ftz = ftz;
        run_everywhere(s, r, w, "slct", &job);
    }
}

void check_ptx_fpstate(const struct subject *s, struct report *r) {
    static const pto_dtype types[] = {PTO_F16, PTO_BF16, PTO_F32, PTO_F64, PTO_F16X2, PTO_BF16X2};
    struct fixture *w = harness_allocate(sizeof *w);
    collect_states(w, r->quick);
    report_call(r, "setp", NULL);
    for (size_t t = 0; t < sizeof types / sizeof types[0] && !report_stop(r); t++) {
        type_jobs(s, r, w, types[t]);
    }
    harness_free(w);
}
