/* SPDX-License-Identifier: MIT */
/* Binds arrays to the registers of a program, runs programs over lanes block by block, and returns the values
 * of registers. */
#include "platform.h"
#include "pto_kernel.h"
#include "steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- registers as callers see them ---- */

size_t pto_program_register_count(const pto_program *program) {
    if (program && program->kernel) return pto_kernel_register_count(program);
    return program ? program->named_count : 0;
}

static void describe(const struct reg *r, pto_program_register *out) {
    *out = (pto_program_register){.name = r->name,
                                  .type = r->type,
                                  .predicate = r->predicate,
                                  .input = r->input,
                                  .result = r->written,
                                  .each = r->elements_per_lane};
}

pto_status pto_program_register_at(const pto_program *program, size_t i, pto_program_register *out) {
    if (!program || !out) return PTO_ERR_NULL;
    if (program->kernel) return pto_kernel_register_at(program, i, out);
    if (i >= program->named_count) return PTO_ERR_SIZE;
    describe(&program->regs[program->named[i].reg], out);
    return PTO_OK;
}

pto_status pto_program_register_named(const pto_program *program, const char *name,
                                      pto_program_register *out) {
    const struct reg *r;
    if (!program || !name || !out) return PTO_ERR_NULL;
    if (program->kernel) return pto_kernel_register_named(program, name, out);
    r = pto_ir_named(program, name);
    if (!r) return PTO_ERR_PARSE;
    describe(r, out);
    return PTO_OK;
}

/* Returns the bits of one element in an array that a caller binds or reads. */
static size_t element_bits(const struct reg *r) {
    return r->predicate ? 8 : pto_dtype_bits(r->type);
}

/* Returns the bits of one lane in an array that a caller binds or reads. */
static size_t caller_lane_bits(const struct reg *r) {
    return r->elements_per_lane * element_bits(r);
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
    if (program->kernel) return pto_kernel_bind(program, name, type, data, n);
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
    if (program->kernel) return pto_kernel_value_of(program, name, type, data, n);
    r = pto_ir_named(program, name);
    if (!r) return PTO_ERR_PARSE;
    if (!program->ran) return PTO_ERR_SIZE;
    if (r->all_lanes) {
        *type = r->type;
        *data = r->all_lanes;
        *n = program->lanes * r->elements_per_lane;
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

static pto_status set_problem(pto_program *p, const struct reg *r, pto_status status, const char *format, ...)
    __attribute__((format(__printf__, 4, 5)));

static pto_status set_problem(pto_program *p, const struct reg *r, pto_status status, const char *format,
                              ...) {
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

static pto_status no_memory(pto_program *p) {
    return set_problem(p, NULL, PTO_ERR_SIZE, "there is not enough memory");
}

/* Returns whether the bound array has one element for all lanes. Registers of 4-bit elements do not allow
 * that. */
static bool is_broadcast(const struct reg *r) {
    return element_bits(r) >= 8 && r->n == element_bits(r) / pto_dtype_bits(r->data_type);
}

/* Returns an error if the register is an input and not bound, or if the bound array has neither one element nor `lanes`
 * lanes. */
static pto_status check_input(pto_program *p, const struct reg *r, size_t lanes) {
    if (!r->data || r->n == 0) {
        if (!r->input || lanes == 0) return PTO_OK;
        return set_problem(p, r, PTO_ERR_PARSE, "%s is read before it is written, and nothing is bound to it",
                           r->name);
    }
    if (is_broadcast(r)) return PTO_OK;
    if (r->n != lanes * (caller_lane_bits(r) / pto_dtype_bits(r->data_type)))
        return set_problem(p, r, PTO_ERR_SIZE, "%zu elements of %s are bound to %s, which are not %zu lanes",
                           r->n, pto_dtype_name(r->data_type), r->name, lanes);
    return PTO_OK;
}

/* Returns whether steps access the register in memory that is allocated for it. Otherwise they read the bound
 * array. */
static bool has_block(const struct reg *r) {
    return r->kind != REG_NAMED || r->written || r->predicate || is_broadcast(r);
}

static void free_memory(pto_program *p) {
    for (size_t i = 0; i < p->reg_count; i++) {
        pto_free_lines(p->regs[i].all_lanes);
        pto_free_lines(p->regs[i].block);
    }
    free(p->prepared);
    free(p->slots);
    pto_free_lines(p->guarded);
}

/* Allocates memory for all lanes, at the start of a cache line, so that no vector crosses two lines. If the previous
 * run had as many lanes, its memory is used again, because getting new pages from the operating system takes as long as
 * computing the lanes. */
static bool allocate_all_lanes(struct reg *r, size_t lanes) {
    if (r->all_lanes && r->all_lanes_count == lanes) return true;
    pto_free_lines(r->all_lanes);
    r->all_lanes = pto_allocate_lines(lanes * (caller_lane_bits(r) / 8));
    r->all_lanes_count = lanes;
    return r->all_lanes != NULL;
}

/* Copies one element to `lanes` lanes at `to`. */
static pto_status broadcast(const struct reg *r, const void *element, void *to, size_t lanes) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    if (r->predicate) {
        memset(to, *(const unsigned char *)element ? 0xff : 0, pto_reg_block_bytes(r, lanes));
        return PTO_OK;
    }
    return pto_vbr(by_bytes[element_bits(r) / 8], element, to, lanes * r->elements_per_lane);
}

/* Allocates a register's memory for one block, and fills it if the register is a constant. */
static bool allocate_block(struct reg *r) {
    const size_t bytes = pto_reg_block_bytes(r, BLOCK_LANES);
    if (r->block) return true;
    r->block = pto_allocate_lines(bytes);
    if (!r->block) return false;
    memset(r->block, 0, bytes);
    return r->kind != REG_CONSTANT || broadcast(r, &r->value, r->block, BLOCK_LANES) == PTO_OK;
}

/* Allocates the memory that a register needs. If the values of a register are retained, steps write them
 * directly to the memory for all lanes. A predicate needs a block as well, because it is retained as bytes
 * and computed as bits. */
static bool allocate(struct reg *r, size_t lanes) {
    const bool retained = r->kind == REG_NAMED && r->written && r->keep;
    if (retained && !allocate_all_lanes(r, lanes)) return false;
    if (has_block(r) && (!retained || r->predicate)) return allocate_block(r);
    pto_free_lines(r->block);
    r->block = NULL;
    return true;
}

/* If the loop's bounds are constants, checks that the loop processes as many vector registers as `lanes`
 * lanes fill. */
static pto_status check_loop(pto_program *p, size_t lanes) {
    const size_t one = p->vector_lanes;
    size_t vectors;
    if (!p->counts_vectors) return PTO_OK;
    vectors = lanes / one + (lanes % one != 0);
    if (vectors == p->vectors) return PTO_OK;
    return set_problem(
        p, NULL, PTO_ERR_SIZE,
        "the loop goes through %zu registers of %zu lanes, but the %zu lanes of the run take %zu", p->vectors,
        one, lanes, vectors);
}

/* Allocates memory for guarded results if a step needs it. */
static bool allocate_guarded(pto_program *p) {
    bool needed = p->options.trace != NULL;
    for (size_t i = 0; i < p->step_count; i++)
        needed |= p->steps[i].guard != ABSENT && p->steps[i].run != pto_step_mov;
    if (needed && !p->guarded) p->guarded = pto_allocate_lines(STEP_RESULTS * sizeof *p->guarded);
    return p->guarded || !needed;
}

/* Makes the steps ready, unless an earlier run did so for the same instruction set. */
static bool prepare_steps(pto_program *p) {
    const pto_isa isa = pto_isa_active();
    const bool made = p->prepared != NULL;
    if (!made) p->prepared = malloc((p->step_count + 1) * sizeof *p->prepared);
    if (!p->prepared || !allocate_guarded(p)) return false;
    for (size_t i = 0; i < p->step_count && (!made || p->prepared_for != isa); i++)
        pto_step_prepare(&p->steps[i], &p->prepared[i]);
    p->prepared_for = isa;
    return true;
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
        if (!allocate(r, lanes)) return no_memory(p);
    }
    return prepare_steps(p) ? PTO_OK : no_memory(p);
}

/* ---- running one block ---- */

struct block {
    size_t first_lane, lanes;
    pto_fp_state caller_state; /* the FP state of the caller, in which callbacks run */
};

/* Saves the caller's FP state and sets the default one, which arithmetic requires. */
static void enter_default_state(struct block *b) {
    b->caller_state = pto_fp_enter_default();
}

static void enter_caller_state(const struct block *b) {
    pto_fp_enter(&b->caller_state);
}

static void number_lanes(const struct reg *r, const struct block *b) {
    for (size_t i = 0; i < b->lanes; i++) {
        const uint32_t number = (uint32_t)((b->first_lane + i) >> r->value);
        memcpy(r->write_at + 4 * i, &number, sizeof number);
    }
}

/* Copies the bound lanes of this block to `to`, which is memory of the register. */
static pto_status copy_in(const struct reg *r, unsigned char *to, const struct block *b) {
    const unsigned char *data = r->data;
    if (is_broadcast(r)) return broadcast(r, data, to, b->lanes);
    if (r->predicate)
        return pto_mask_mov(pto_bytes_in(data + b->first_lane * r->elements_per_lane), pto_packed(to),
                            b->lanes * r->elements_per_lane);
    memcpy(to, data + b->first_lane * pto_reg_bits(r) / 8, pto_reg_block_bytes(r, b->lanes));
    return PTO_OK;
}

/* Returns whether the register's memory must be initialized at the start of each block, not only of the first. */
static bool has_start_values(const struct reg *r) {
    const bool is_bound = r->data && r->n != 0;
    if (is_bound && is_broadcast(r) && !r->written) return false;
    return r->kind == REG_LANE_NUMBER || is_bound || r->partial;
}

/* Sets the addresses of a register's lanes in this block, and writes the values that they have before the
 * first step. */
static pto_status locate_block(struct reg *r, const struct block *b) {
    r->write_at = r->block       ? r->block
                  : r->all_lanes ? r->all_lanes + b->first_lane * caller_lane_bits(r) / 8
                                 : NULL;
    r->read_at = r->write_at || !r->data
                     ? r->write_at
                     : (const unsigned char *)r->data + b->first_lane * pto_reg_bits(r) / 8;
    r->moves = !r->block;
    r->starts = has_start_values(r);
    if (r->kind == REG_CONSTANT || !r->write_at) return PTO_OK;
    if (r->kind == REG_LANE_NUMBER) number_lanes(r, b);
    if (r->data && r->n != 0) return copy_in(r, r->write_at, b);
    if (r->partial) memset(r->write_at, 0, pto_reg_block_bytes(r, b->lanes));
    return PTO_OK;
}

static const void *read_address(const pto_program *p, int number) {
    return number == ABSENT ? NULL : p->regs[number].read_at;
}

static void *write_address(const pto_program *p, int number) {
    return number == ABSENT ? NULL : p->regs[number].write_at;
}

/* Copies the lanes that the guard predicate enables from `computed` to `old`. */
static pto_status merge(const struct reg *r, const void *computed, void *old, const struct step *s,
                        const pto_program *p, size_t n) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    const pto_mask guard = pto_packed_in(read_address(p, s->guard));
    const void *if_true = s->guard_not ? old : computed, *if_false = s->guard_not ? computed : old;
    const size_t bits = element_bits(r) < 8 ? 8 : element_bits(r); /* 4-bit codes are merged in pairs */
    if (r->predicate)
        return pto_mask_sel(pto_packed_in(if_true), pto_packed_in(if_false), guard, pto_packed(old),
                            n * r->elements_per_lane);
    return pto_vsel(by_bytes[bits / 8], if_true, if_false, guard, old, n * pto_reg_bits(r) / bits);
}

/* Merges all results. A result that is the guard predicate itself is merged last, because the others need the old
 * guard. */
static pto_status merge_results(const pto_program *p, const struct step *s, const struct addresses *at,
                                size_t n) {
    pto_status status = PTO_OK;
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < STEP_RESULTS && status == PTO_OK; i++)
            if (s->dst[i] != ABSENT && (s->dst[i] == s->guard) == last)
                status = merge(&p->regs[s->dst[i]], at->dst[i], write_address(p, s->dst[i]), s, p, n);
    return status;
}

/* Sets an operand to the address of register `number` in the first block: *source, or *result if `source` is NULL. Adds
 * the operand to p->slots if its address differs from block to block. Returns false if there is not enough memory. */
static bool locate_operand(pto_program *p, int number, const void **source, void **result) {
    const struct reg *r = number == ABSENT ? NULL : &p->regs[number];
    if (source)
        *source = r ? r->read_at : NULL;
    else
        *result = r ? r->write_at : NULL;
    if (!r || !r->moves) return true;
    if (p->slot_count == p->slot_capacity) {
        struct slot *grown = realloc(p->slots, (2 * p->slot_capacity + 8) * sizeof *grown);
        if (!grown) return false;
        p->slots = grown;
        p->slot_capacity = 2 * p->slot_capacity + 8;
    }
    p->slots[p->slot_count++] = (struct slot){r, source, result};
    return true;
}

/* Sets the addresses of all steps in the first block. */
static bool locate_steps(pto_program *p) {
    bool done = true;
    p->slot_count = 0;
    for (size_t i = 0; i < p->step_count && done; i++) {
        const struct step *s = &p->steps[i];
        struct addresses *at = &p->prepared[i].at;
        for (size_t k = 0; k < STEP_SOURCES; k++) done &= locate_operand(p, s->src[k], &at->src[k], NULL);
        for (size_t k = 0; k < STEP_RESULTS; k++) {
            if (s->guard == ABSENT || s->dst[k] == ABSENT)
                done &= locate_operand(p, s->dst[k], NULL, &at->dst[k]);
            else
                at->dst[k] = p->guarded[k];
        }
    }
    return done;
}

/* Sets the operands in p->slots to their addresses in the current block. */
static void move_steps(const pto_program *p) {
    for (size_t i = 0; i < p->slot_count; i++) {
        const struct slot *slot = &p->slots[i];
        if (slot->source)
            *slot->source = slot->reg->read_at;
        else
            *slot->result = slot->reg->write_at;
    }
}

static pto_status run_step(const pto_program *p, size_t i, struct block *b) {
    const struct step *s = &p->steps[i];
    const struct prepared *ready = &p->prepared[i];
    pto_status status;
    if (s->guard == ABSENT) return ready->run(s, &ready->at, b->lanes);
    if (s->run == pto_step_mov) /* merges the source directly, without copying it first */
        return merge(&p->regs[s->dst[0]], ready->at.src[0], write_address(p, s->dst[0]), s, p, b->lanes);
    status = ready->run(s, &ready->at, b->lanes);
    return status == PTO_OK ? merge_results(p, s, &ready->at, b->lanes) : status;
}

static pto_status trace_step(const pto_program *p, const struct step *s, struct block *b) {
    for (size_t i = 0; i < STEP_RESULTS; i++) {
        const struct reg *r = s->dst[i] == ABSENT ? NULL : &p->regs[s->dst[i]];
        pto_program_step entry;
        if (!r || r->kind != REG_NAMED) continue;
        entry = (pto_program_step){.line = s->line,
                                   .name = r->name,
                                   .type = r->type,
                                   .data = read_address(p, s->dst[i]),
                                   .first = b->first_lane * r->elements_per_lane,
                                   .lanes = b->lanes * r->elements_per_lane};
        if (r->predicate) {
            const pto_status status =
                pto_mask_mov(pto_packed_in(entry.data), pto_bytes(p->guarded[0]), entry.lanes);
            if (status != PTO_OK) return status;
            entry.data = p->guarded[0];
        }
        enter_caller_state(b);
        p->options.trace(p->options.user, &entry);
        enter_default_state(b);
    }
    return PTO_OK;
}

static pto_status copy_predicates_out(const pto_program *p, const struct block *b) {
    for (size_t i = 0; i < p->used_count; i++) {
        const struct reg *r = &p->regs[p->used[i]];
        pto_status status;
        if (!r->predicate || !r->all_lanes) continue;
        status = pto_mask_mov(pto_packed_in(r->block),
                              pto_bytes(r->all_lanes + b->first_lane * r->elements_per_lane),
                              b->lanes * r->elements_per_lane);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

/* Prepares the registers and the operands of all steps for a block. */
static pto_status start_block(pto_program *p, const struct block *b) {
    const bool is_first = b->first_lane == 0;
    pto_status status = PTO_OK;
    for (size_t i = 0; i < p->used_count && status == PTO_OK; i++) {
        struct reg *r = &p->regs[p->used[i]];
        if (is_first || r->moves || r->starts) status = locate_block(r, b);
    }
    if (!is_first)
        move_steps(p);
    else if (status == PTO_OK && !locate_steps(p))
        status = PTO_ERR_SIZE;
    return status;
}

static pto_status run_block(pto_program *p, struct block *b) {
    pto_status status = start_block(p, b);
    for (size_t i = 0; i < p->step_count && status == PTO_OK; i++) {
        status = run_step(p, i, b);
        if (status == PTO_OK && p->options.trace) status = trace_step(p, &p->steps[i], b);
    }
    return status == PTO_OK ? copy_predicates_out(p, b) : status;
}

static bool is_stopped(const pto_program *p, struct block *b) {
    bool stopped;
    if (b->first_lane == 0 || !p->options.stop) return false;
    enter_caller_state(b);
    stopped = p->options.stop(p->options.user);
    enter_default_state(b);
    return stopped;
}

static pto_status run_blocks(pto_program *p, size_t lanes) {
    struct block b;
    pto_status status = PTO_OK;
    enter_default_state(&b);
    for (b.first_lane = 0; b.first_lane < lanes && status == PTO_OK; b.first_lane += BLOCK_LANES) {
        b.lanes = lanes - b.first_lane < BLOCK_LANES ? lanes - b.first_lane : BLOCK_LANES;
        status = is_stopped(p, &b) ? PTO_ERR_STOPPED : run_block(p, &b);
    }
    enter_caller_state(&b);
    return status;
}

pto_status pto_program_run(pto_program *program, size_t lanes) {
    pto_status status;
    if (!program) return PTO_ERR_NULL;
    program->ran = false;
    memset(&program->problem, 0, sizeof program->problem);
    if (program->kernel) return pto_kernel_run(program, lanes);
    if (lanes > SIZE_MAX / 64)
        return set_problem(program, NULL, PTO_ERR_SIZE, "too many lanes for this machine");
    status = prepare(program, lanes);
    if (status != PTO_OK) return status;
    status = run_blocks(program, lanes);
    if (status != PTO_OK) return set_problem(program, NULL, status, "%s", pto_strerror(status));
    program->lanes = lanes;
    program->ran = true;
    return PTO_OK;
}

void pto_program_free(pto_program *program) {
    if (!program) return;
    pto_kernel_free(program->kernel);
    free_memory(program);
    pto_ir_free(program);
    free(program);
}
