/* SPDX-License-Identifier: MIT */
/* Runs programs block by block: the functions that bind arrays to registers, run a program, and return register
 * values. */
#include "steps.h"

#include <fenv.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- registers as callers see them ---- */

size_t pto_program_register_count(const pto_program *program) {
    return program ? program->named_count : 0;
}

static void describe(const struct reg *r, pto_program_register *out) {
    *out = (pto_program_register){r->name, r->type, r->predicate, r->input, r->written, r->each};
}

pto_status pto_program_register_at(const pto_program *program, size_t i, pto_program_register *out) {
    if (!program || !out) return PTO_ERR_NULL;
    if (i >= program->named_count) return PTO_ERR_SIZE;
    describe(&program->regs[program->named[i].reg], out);
    return PTO_OK;
}

pto_status pto_program_register_named(const pto_program *program, const char *name,
                                      pto_program_register *out) {
    const struct reg *r;
    if (!program || !name || !out) return PTO_ERR_NULL;
    r = pto_ir_named(program, name);
    if (!r) return PTO_ERR_PARSE;
    describe(r, out);
    return PTO_OK;
}

/* Returns the bits of one element in an array that a caller binds or reads. */
static size_t element_bits(const struct reg *r) {
    return r->predicate ? 8 : pto_dtype_bits(r->type);
}

/* Returns the bits of one lane in such an array. */
static size_t outside_bits(const struct reg *r) {
    return r->each * element_bits(r);
}

static bool type_fits(const struct reg *r, pto_dtype type) {
    const size_t bits = pto_dtype_bits(type);
    if (r->predicate) return type == PTO_B8 || type == PTO_U8;
    return bits != 0 && element_bits(r) % bits == 0;
}

pto_status pto_program_bind(pto_program *program, const char *name, pto_dtype type, const void *data,
                            size_t n) {
    struct reg *r;
    if (!program || !name || (!data && n != 0)) return PTO_ERR_NULL;
    r = pto_ir_named(program, name);
    if (!r) return PTO_ERR_PARSE;
    if (!type_fits(r, type)) return PTO_ERR_TYPE;
    r->data = data;
    r->n = n;
    r->data_type = type;
    return PTO_OK;
}

pto_status pto_program_value(const pto_program *program, const char *name, pto_dtype *type, const void **data,
                             size_t *n) {
    const struct reg *r;
    if (!program || !name || !type || !data || !n) return PTO_ERR_NULL;
    r = pto_ir_named(program, name);
    if (!r) return PTO_ERR_PARSE;
    if (!program->ran) return PTO_ERR_SIZE;
    if (r->kept) {
        *type = r->type;
        *data = r->kept;
        *n = program->lanes * r->each;
        return PTO_OK;
    }
    if (r->written || !r->data) return PTO_ERR_SIZE;
    *type = r->data_type;
    *data = r->data;
    *n = r->n;
    return PTO_OK;
}

const pto_program_error *pto_program_problem(const pto_program *program) {
    return program ? &program->problem : NULL;
}

/* ---- preparing a run ---- */

static pto_status problem(pto_program *p, const struct reg *r, pto_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static pto_status problem(pto_program *p, const struct reg *r, pto_status status, const char *format, ...) {
    va_list arguments;
    memset(&p->problem, 0, sizeof p->problem);
    if (r) {
        p->problem.line = r->line;
        p->problem.column = r->column;
        (void)snprintf(p->problem.word, sizeof p->problem.word, "%s", r->name);
    }
    va_start(arguments, format);
    (void)vsnprintf(p->problem.text, sizeof p->problem.text, format, arguments);
    va_end(arguments);
    return status;
}

/* Returns whether one element is bound for all lanes. 4-bit types do not allow that. */
static bool is_spread(const struct reg *r) {
    return element_bits(r) >= 8 && r->n == element_bits(r) / pto_dtype_bits(r->data_type);
}

/* Checks that an input is bound, and that the bound array has one element or `lanes` lanes. */
static pto_status check_input(pto_program *p, const struct reg *r, size_t lanes) {
    if (!r->data || r->n == 0) {
        if (!r->input || lanes == 0) return PTO_OK;
        return problem(p, r, PTO_ERR_PARSE, "%s is read before it is written, and nothing is bound to it",
                       r->name);
    }
    if (is_spread(r)) return PTO_OK;
    if (r->n != lanes * (outside_bits(r) / pto_dtype_bits(r->data_type)))
        return problem(p, r, PTO_ERR_SIZE, "%zu elements of %s are bound to %s, which are not %zu lanes",
                       r->n, pto_dtype_name(r->data_type), r->name, lanes);
    return PTO_OK;
}

/* Returns whether the register needs memory of its own. Otherwise steps read the bound array. */
static bool has_block(const struct reg *r) {
    return r->kind != REG_NAMED || r->written || r->predicate || is_spread(r);
}

static void forget(pto_program *p) {
    for (size_t i = 0; i < p->reg_count; i++) {
        free(p->regs[i].kept);
        free(p->regs[i].block);
    }
}

/* Allocates `bytes` bytes at the start of a cache line, so that no vector crosses two lines. */
static void *aligned_memory(size_t bytes) {
    enum { LINE = 64 };
    return aligned_alloc(LINE, (bytes / LINE + 1) * LINE);
}

/* Allocates memory for all lanes. Memory of the previous run is used again if it had as many lanes, because getting
 * new pages takes as long as computing the lanes. */
static bool make_kept(struct reg *r, size_t lanes) {
    if (r->kept && r->kept_lanes == lanes) return true;
    free(r->kept);
    r->kept = aligned_memory(lanes * (outside_bits(r) / 8));
    r->kept_lanes = lanes;
    return r->kept != NULL;
}

static bool make_block(struct reg *r) {
    const size_t bytes = pto_reg_block_bytes(r, BLOCK_LANES);
    if (r->block) return true;
    r->block = aligned_memory(bytes);
    return r->block && memset(r->block, 0, bytes);
}

/* Allocates the memory that a register needs. A retained register is computed in its memory for all lanes and needs
 * no block, except a predicate: it is retained as bytes and computed as bits. */
static bool make_room(struct reg *r, size_t lanes) {
    const bool keep = r->kind == REG_NAMED && r->written && r->keep;
    if (keep && !make_kept(r, lanes)) return false;
    if (has_block(r) && (!keep || r->predicate)) return make_block(r);
    free(r->block);
    r->block = NULL;
    return true;
}

/* Copies one element to `lanes` lanes at `to`. */
static pto_status spread(const struct reg *r, const void *element, void *to, size_t lanes) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    if (r->predicate) {
        memset(to, *(const unsigned char *)element ? 0xff : 0, pto_reg_block_bytes(r, lanes));
        return PTO_OK;
    }
    return pto_vbr(by_bytes[element_bits(r) / 8], element, to, lanes * r->each);
}

/* If the loop's bounds are constants, checks that the loop processes as many vector registers as `lanes` lanes take. */
static pto_status check_loop(pto_program *p, size_t lanes) {
    const size_t one = p->vector_lanes;
    size_t vectors;
    if (!p->counts_vectors) return PTO_OK;
    vectors = lanes / one + (lanes % one != 0);
    if (vectors == p->vectors) return PTO_OK;
    return problem(p, NULL, PTO_ERR_SIZE,
                   "the loop goes through %zu registers of %zu lanes, but the %zu lanes of the run take %zu",
                   p->vectors, one, lanes, vectors);
}

static pto_status prepare(pto_program *p, size_t lanes) {
    const pto_status loop = check_loop(p, lanes);
    if (loop != PTO_OK) return loop;
    for (size_t i = 0; i < p->named_count; i++) {
        const pto_status status = check_input(p, &p->regs[p->named[i].reg], lanes);
        if (status != PTO_OK) return status;
    }
    for (size_t i = 0; i < p->used_count; i++) {
        struct reg *r = &p->regs[p->used[i]];
        if (!make_room(r, lanes)) return problem(p, NULL, PTO_ERR_SIZE, "there is not enough memory");
        if (r->kind == REG_CONSTANT && r->block != NULL &&
            spread(r, &r->value, r->block, BLOCK_LANES) != PTO_OK)
            return PTO_ERR_TYPE;
    }
    return PTO_OK;
}

/* ---- running one block ---- */

struct block {
    /* results of a step with a guard predicate, before they are merged into the registers */
    unsigned char guarded[STEP_RESULTS][BLOCK_LANES * 8];
    size_t first, lanes;
};

static void number_lanes(const struct reg *r, const struct block *b) {
    for (size_t i = 0; i < b->lanes; i++) {
        const uint32_t number = (uint32_t)((b->first + i) >> r->value);
        memcpy(r->own + 4 * i, &number, sizeof number);
    }
}

/* Copies the bound lanes of this block to `to`, the memory of the register itself. */
static pto_status copy_in(const struct reg *r, unsigned char *to, const struct block *b) {
    const unsigned char *data = r->data;
    if (is_spread(r)) return spread(r, data, to, b->lanes);
    if (r->predicate)
        return pto_mask_mov(pto_bytes_in(data + b->first * r->each), pto_packed(to), b->lanes * r->each);
    memcpy(to, data + b->first * pto_reg_bits(r) / 8, pto_reg_block_bytes(r, b->lanes));
    return PTO_OK;
}

/* Sets the addresses of a register's lanes in this block, and fills in the values that they have before the first
 * step. */
static pto_status place(struct reg *r, const struct block *b) {
    r->own = r->block ? r->block : r->kept ? r->kept + b->first * outside_bits(r) / 8 : NULL;
    r->at = r->own || !r->data ? r->own : (const unsigned char *)r->data + b->first * pto_reg_bits(r) / 8;
    if (r->kind == REG_CONSTANT || !r->own) return PTO_OK;
    if (r->kind == REG_LANE_NUMBER) number_lanes(r, b);
    if (r->data && r->n != 0) return copy_in(r, r->own, b);
    if (r->partial) memset(r->own, 0, pto_reg_block_bytes(r, b->lanes));
    return PTO_OK;
}

static const void *at_of(const pto_program *p, int number) {
    return number == ABSENT ? NULL : p->regs[number].at;
}

static void *own_of(const pto_program *p, int number) {
    return number == ABSENT ? NULL : p->regs[number].own;
}

/* Copies the lanes that the guard predicate enables from `computed` to `old`. */
static pto_status merge(const struct reg *r, const void *computed, void *old, const struct step *s,
                        const pto_program *p, size_t n) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    const pto_mask guard = pto_packed_in(at_of(p, s->guard));
    const void *on = s->guard_not ? old : computed, *off = s->guard_not ? computed : old;
    const size_t bits = element_bits(r) < 8 ? 8 : element_bits(r); /* 4-bit codes are merged in pairs */
    if (r->predicate)
        return pto_mask_sel(pto_packed_in(on), pto_packed_in(off), guard, pto_packed(old), n * r->each);
    return pto_vsel(by_bytes[bits / 8], on, off, guard, old, n * pto_reg_bits(r) / bits);
}

/* Merges all results. A result that is the guard predicate itself is merged last, because the others need the old
 * guard. */
static pto_status merge_results(const pto_program *p, const struct step *s, const struct places *at,
                                size_t n) {
    pto_status status = PTO_OK;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < STEP_RESULTS && status == PTO_OK; i++)
            if (s->dst[i] != ABSENT && (s->dst[i] == s->guard) == last)
                status = merge(&p->regs[s->dst[i]], at->dst[i], own_of(p, s->dst[i]), s, p, n);
    return status;
}

static pto_status run_step(const pto_program *p, const struct step *s, struct block *b) {
    struct places at;
    pto_status status;
    if (s->run == pto_step_mov && s->guard != ABSENT) /* merges the source itself, without a copy */
        return merge(&p->regs[s->dst[0]], at_of(p, s->src[0]), own_of(p, s->dst[0]), s, p, b->lanes);
    for (size_t i = 0; i < STEP_SOURCES; i++) at.src[i] = at_of(p, s->src[i]);
    for (size_t i = 0; i < STEP_RESULTS; i++)
        at.dst[i] = s->dst[i] != ABSENT && s->guard != ABSENT ? b->guarded[i] : own_of(p, s->dst[i]);
    status = s->run(s, &at, b->lanes);
    return status == PTO_OK && s->guard != ABSENT ? merge_results(p, s, &at, b->lanes) : status;
}

static pto_status tell(const pto_program *p, const struct step *s, struct block *b) {
    for (size_t i = 0; i < STEP_RESULTS; i++) {
        const struct reg *r = s->dst[i] == ABSENT ? NULL : &p->regs[s->dst[i]];
        pto_program_step told;
        if (!r || r->kind != REG_NAMED) continue;
        told = (pto_program_step){
            s->line, r->name, r->type, at_of(p, s->dst[i]), b->first * r->each, b->lanes * r->each};
        if (r->predicate) {
            const pto_status status =
                pto_mask_mov(pto_packed_in(told.data), pto_bytes(b->guarded[0]), told.lanes);
            if (status != PTO_OK) return status;
            told.data = b->guarded[0];
        }
        p->options.trace(p->options.user, &told);
    }
    return PTO_OK;
}

static pto_status keep_predicates(const pto_program *p, const struct block *b) {
    for (size_t i = 0; i < p->used_count; i++) {
        const struct reg *r = &p->regs[p->used[i]];
        pto_status status;
        if (!r->predicate || !r->kept) continue;
        status = pto_mask_mov(pto_packed_in(r->block), pto_bytes(r->kept + b->first * r->each),
                              b->lanes * r->each);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

static pto_status run_block(pto_program *p, struct block *b) {
    pto_status status = PTO_OK;
    for (size_t i = 0; i < p->used_count && status == PTO_OK; i++) status = place(&p->regs[p->used[i]], b);
    for (size_t i = 0; i < p->step_count && status == PTO_OK; i++) {
        status = run_step(p, &p->steps[i], b);
        if (status == PTO_OK && p->options.trace) status = tell(p, &p->steps[i], b);
    }
    return status == PTO_OK ? keep_predicates(p, b) : status;
}

static bool is_stopped(const pto_program *p, const struct block *b) {
    return b->first > 0 && p->options.stop && p->options.stop(p->options.user);
}

/* Runs all blocks in the default FP state. arithmetic.c requires it, and libpto works in any. */
static pto_status run_blocks(pto_program *p, struct block *b, size_t lanes) {
    pto_status status = PTO_OK;
    fenv_t state;
    (void)fegetenv(&state);
    (void)fesetenv(FE_DFL_ENV);
    for (b->first = 0; b->first < lanes && status == PTO_OK; b->first += BLOCK_LANES) {
        b->lanes = lanes - b->first < BLOCK_LANES ? lanes - b->first : BLOCK_LANES;
        status = is_stopped(p, b) ? PTO_ERR_STOPPED : run_block(p, b);
    }
    (void)fesetenv(&state);
    return status;
}

pto_status pto_program_run(pto_program *program, size_t lanes) {
    struct block *block;
    pto_status status;
    if (!program) return PTO_ERR_NULL;
    program->ran = false;
    memset(&program->problem, 0, sizeof program->problem);
    if (lanes > SIZE_MAX / 64) return problem(program, NULL, PTO_ERR_SIZE, "too many lanes for this machine");
    status = prepare(program, lanes);
    if (status != PTO_OK) return status;
    block = aligned_memory(sizeof *block);
    if (!block) return problem(program, NULL, PTO_ERR_SIZE, "there is not enough memory");
    status = run_blocks(program, block, lanes);
    free(block);
    if (status != PTO_OK) return problem(program, NULL, status, "%s", pto_strerror(status));
    program->lanes = lanes;
    program->ran = true;
    return PTO_OK;
}

/* ---- freeing ---- */

/* A comparison function for which all entries are equal, so that tdelete() removes the root. */
static int any_order(const void *a, const void *b) {
    (void)a, (void)b;
    return 0;
}

void pto_program_free(pto_program *program) {
    if (!program) return;
    forget(program);
    while (program->names) {
        void *binding = *(void **)program->names;
        (void)tdelete(binding, &program->names, any_order); /* removes the root */
        free(binding);
    }
    for (size_t i = 0; i < program->reg_count; i++) free(program->regs[i].name);
    free(program->named);
    free(program->sorted);
    free(program->used);
    free(program->regs);
    free(program->steps);
    free(program);
}
