/* SPDX-License-Identifier: MIT */
/* Checks that results are right while some threads compute and another switches the ISA. */
#include "check/checks.h"
#include "support/values.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 3, PROBLEMS = 24, LANES = 1003 };

/** A compare, its complement and a select, with the expected results. Threads only read it. */
struct problem {
    pto_dtype type;
    pto_cmp op;
    unsigned flags;
    pto_mask_kind kind;
    unsigned char a[LANES * 8], b[LANES * 8];
    unsigned char mask[LANES], complement[LANES], chosen[LANES * 8];
    float exponents[LANES], powers[LANES];
};

struct worker {
    const struct subject *subject;
    const struct problem *problems;
    atomic_int *working;
    size_t rounds;
    struct report report;
};

static void make_problem(struct rng *rng, struct problem *p, size_t number) {
    static const pto_cmp ops[] = {PTO_LT, PTO_EQ, PTO_GE, PTO_NE};
    unsigned char truth[LANES], otherwise[LANES];
    size_t size;

    p->type = model_types[number * 5 % MODEL_TYPES];
    size = model_size(p->type);
    p->op = ops[number % 4];
    if (!model_has_op(p->type, p->op)) p->op = PTO_NE;
    p->flags = number % 2 && model_has_ftz(p->type) ? PTO_FTZ : 0;
    p->kind = number % 3 == 0 ? PTO_MASK_PACKED : number % 3 == 1 ? PTO_MASK_BYTE : model_image_kind(p->type);
    values_pairs(rng, p->type, p->a, p->b, LANES);
    for (size_t i = 0; i < LANES; i++) {
        const bool holds = model_compare(p->type, p->op, p->flags != 0, p->a + i * size, p->b + i * size);
        truth[i] = holds;
        otherwise[i] = !holds;
        memcpy(p->chosen + i * size, (holds ? p->a : p->b) + i * size, size);
        p->exponents[i] = (float)((double)(rng_next(rng) % 100000) / 1000.0 - 50.0);
    }
    model_mask_put(p->kind, p->mask, truth, LANES);
    model_mask_put(p->kind, p->complement, otherwise, LANES);
}

/** Repeats the compare with setp, except for 8-bit types and for bf16 with .ftz, which setp does not have. */
static void solve_setp(struct worker *w, const struct problem *p) {
    const pto_setp_op op = {.type = p->type, .cmp = p->op, .ftz = p->flags != 0};
    unsigned char mask[LANES], complement[LANES];
    pto_status status;

    if (model_size(p->type) == 1 || (p->type == PTO_BF16 && op.ftz)) return;
    w->report.cases += 2;
    status = w->subject->setp(op, p->a, p->b, PTO_NO_MASK, pto_mask_at(mask, p->kind),
                              pto_mask_at(complement, p->kind), LANES);
    report_status(&w->report, status, PTO_OK);
    report_image(&w->report, p->mask, mask, model_mask_bytes(p->kind, LANES));
    report_image(&w->report, p->complement, complement, model_mask_bytes(p->kind, LANES));
}

static void solve(struct worker *w, const struct problem *p) {
    const struct subject *s = w->subject;
    unsigned char mask[LANES], chosen[LANES * 8];
    float powers[LANES];
    pto_status status;

    w->report.now.type = (int)p->type;
    w->report.now.op = (int)p->op;
    w->report.now.n = LANES;
    w->report.cases += 3;
    report_result(&w->report, model_lane_bits(p->kind));
    report_source(&w->report, pto_in_array(p->a), 8 * model_size(p->type));
    report_source(&w->report, pto_in_array(p->b), 8 * model_size(p->type));
    status = s->vcmp(p->type, p->op, p->flags, p->a, p->b, PTO_NO_MASK, pto_mask_at(mask, p->kind), LANES);
    report_status(&w->report, status, PTO_OK);
    report_image(&w->report, p->mask, mask, model_mask_bytes(p->kind, LANES));
    w->report.now.result_bits = 8 * model_size(p->type);
    status = s->vsel(p->type, p->a, p->b, pto_mask_at(mask, p->kind), chosen, LANES);
    report_status(&w->report, status, PTO_OK);
    report_image(&w->report, p->chosen, chosen, LANES * model_size(p->type));
    status = s->vcmpsel(p->type, p->op, p->flags, pto_in_array(p->a), pto_in_array(p->b), pto_in_array(p->a),
                        pto_in_array(p->b), chosen, LANES);
    report_status(&w->report, status, PTO_OK);
    report_image(&w->report, p->chosen, chosen, LANES * model_size(p->type));
    w->report.now.result_bits = model_lane_bits(p->kind);
    solve_setp(w, p);
    if (!s->vexp) return;
    report_result(&w->report, 32);
    report_source(&w->report, pto_in_array(p->exponents), 32);
    status = s->vexp(PTO_F32, p->exponents, PTO_NO_MASK, powers, LANES);
    report_status(&w->report, status, PTO_OK);
    report_image(&w->report, (const unsigned char *)p->powers, (const unsigned char *)powers, sizeof powers);
}

static void *work(void *argument) {
    struct worker *w = argument;
    for (size_t i = 0; i < w->rounds; i++) {
        solve(w, &w->problems[i % PROBLEMS]);
    }
    atomic_fetch_sub(w->working, 1);
    return NULL;
}

/** Switches to each available ISA in turn while workers run. Returns the number of switches. */
static size_t switch_isa(const struct subject *s, struct report *r, atomic_int *working) {
    size_t switches = 0;
    for (size_t i = 0; atomic_load(working) > 0; i++) {
        const pto_isa isa = (pto_isa)(i % (size_t)harness_isas());
        const bool available = pto_isa_available(isa);
        if (s->isa_use(isa) != (available ? PTO_OK : PTO_ERR_ISA))
            report_mismatch(r, "isa_use: wrong status");
        if (available && pto_isa_active() != isa) report_mismatch(r, "isa_use: another is active");
        switches++;
        if (i % 8 == 0) sched_yield(); /* let the workers run even if there are fewer CPUs than threads */
    }
    return switches;
}

void check_threads(const struct subject *s, struct report *r) {
    struct problem *problems = calloc(PROBLEMS, sizeof *problems);
    struct worker *workers = calloc(WORKERS, sizeof *workers);
    const pto_isa active = pto_isa_active();
    pthread_t threads[WORKERS];
    atomic_int working;
    struct rng rng;

    if (!problems || !workers) abort();
    atomic_init(&working, WORKERS);
    report_call(r, "isa_use", "while others compute");
    rng_start(&rng, "threads");
    for (size_t i = 0; i < PROBLEMS; i++) {
        make_problem(&rng, &problems[i], i);
        if (s->vexp) s->vexp(PTO_F32, problems[i].exponents, PTO_NO_MASK, problems[i].powers, LANES);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        struct worker *w = &workers[i];
        w->subject = s;
        w->problems = problems;
        w->working = &working;
        w->rounds = r->quick ? 300 : 20000;
        report_init(&w->report);
        report_call(&w->report, "vcmp, vsel, vcmpsel, setp, vexp", "while the ISA is switched");
        if (pthread_create(&threads[i], NULL, work, w) != 0) abort();
    }
    r->cases += switch_isa(s, r, &working);
    for (size_t i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        r->cases += workers[i].report.cases;
        if (r->mismatches == 0) memcpy(r->first, workers[i].report.first, sizeof r->first);
        r->mismatches += workers[i].report.mismatches;
    }
    use_isa(active);
    free(workers);
    free(problems);
}
