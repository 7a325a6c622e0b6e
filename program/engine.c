/* SPDX-License-Identifier: MIT */
/*
 * Runs a kernel for a group of threads, step by step. All lanes of the group that are at the same step run it together.
 * If lanes are at different steps, those at the lowest step run first. So lanes come together again after a branch.
 */
#include "launch.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of lanes ---- */

static size_t words_of(const struct launch *l) {
    return (l->group.lanes + 63) / 64;
}

static struct lane_mask all_lanes(const struct launch *l) {
    struct lane_mask m = {{0}};
    memset(m.words, 0xff, l->group.lanes / 64 * 8);
    if (l->group.lanes % 64 != 0) m.words[l->group.lanes / 64] = ((uint64_t)1 << l->group.lanes % 64) - 1;
    return m;
}

static bool is_empty(const struct launch *l, const struct lane_mask *m) {
    uint64_t any = 0;
    for (size_t i = 0; i < words_of(l); i++) any |= m->words[i];
    return any == 0;
}

static bool are_equal(const struct launch *l, const struct lane_mask *a, const struct lane_mask *b) {
    return memcmp(a->words, b->words, words_of(l) * 8) == 0;
}

static void add_lanes(struct lane_mask *to, const struct lane_mask *m) {
    for (size_t i = 0; i < MASK_WORDS; i++) to->words[i] |= m->words[i];
}

static void remove_lanes(struct lane_mask *from, const struct lane_mask *m) {
    for (size_t i = 0; i < MASK_WORDS; i++) from->words[i] &= ~m->words[i];
}

static void set_active(struct launch *l, const struct lane_mask *m) {
    l->active = *m;
    l->is_whole = are_equal(l, &l->active, &l->alive);
}

/* ---- registers ---- */

static const struct reg *reg_of(const struct launch *l, int reg) {
    return &l->kernel->code.regs[reg];
}

static void set_ramp(struct launch *l, int reg, const struct ramp *ramp) {
    l->values[reg].is_ramp = true;
    l->values[reg].ramp = *ramp;
}

/* ---- computing ---- */

/* Sets src[i] to the ramp of source i, or to NULL if the step has no source i. Returns false if a source is
 * not a ramp. */
static bool ramps_of_sources(const struct launch *l, const struct step *s,
                             const struct ramp *src[STEP_SOURCES]) {
    for (size_t i = 0; i < STEP_SOURCES; i++) {
        src[i] = s->src[i] == ABSENT ? NULL : &l->values[s->src[i]].ramp;
        if (src[i] && !l->values[s->src[i]].is_ramp) return false;
    }
    return true;
}

/* If all sources of a step have the same value in all lanes, computes the step for one lane. Returns false if
 * a source has different values, or if the step fails. */
static bool compute_one_lane(const struct step *s, const struct ramp *const src[STEP_SOURCES],
                             struct ramp dst[STEP_RESULTS]) {
    uint64_t in[STEP_SOURCES] = {0}, out[STEP_RESULTS] = {0};
    struct addresses at;
    for (size_t i = 0; i < STEP_SOURCES; i++) {
        if (src[i] && !pto_ramp_is_uniform(src[i])) return false;
        if (src[i]) in[i] = src[i]->first;
        at.src[i] = src[i] ? &in[i] : NULL;
    }
    for (size_t i = 0; i < STEP_RESULTS; i++) at.dst[i] = s->dst[i] == ABSENT ? NULL : &out[i];
    if (s->run(s, &at, 1) != PTO_OK) return false;
    for (size_t i = 0; i < STEP_RESULTS; i++) dst[i] = pto_ramp_uniform(out[i]);
    return true;
}

bool pto_launch_ramps(struct launch *l, const struct step *s) {
    const struct ramp *src[STEP_SOURCES];
    struct ramp dst[STEP_RESULTS];
    if (!ramps_of_sources(l, s, src)) return false;
    if (!pto_ramp_step(s, src, &l->group, dst) && !compute_one_lane(s, src, dst)) return false;
    for (size_t i = 0; i < STEP_RESULTS; i++)
        if (s->dst[i] != ABSENT) set_ramp(l, s->dst[i], &dst[i]);
    return true;
}

/* Computes a step for the lanes in `mask`, or for all lanes if it is NULL. */
static pto_status compute(struct launch *l, const struct step *s, const struct lane_mask *mask) {
    struct addresses at;
    pto_status status;
    if (!mask && pto_launch_ramps(l, s)) return PTO_OK;
    for (size_t i = 0; i < STEP_SOURCES; i++)
        at.src[i] = s->src[i] == ABSENT ? NULL : pto_launch_lanes(l, s->src[i]);
    for (size_t i = 0; i < STEP_RESULTS; i++)
        at.dst[i] = s->dst[i] == ABSENT ? NULL : mask ? l->scratch[i] : l->values[s->dst[i]].own;
    status = s->run(s, &at, l->group.lanes);
    for (size_t i = 0; i < STEP_RESULTS && status == PTO_OK; i++) {
        if (s->dst[i] == ABSENT) continue;
        if (mask)
            status = pto_launch_merge(l, s->dst[i], at.dst[i], mask);
        else
            (void)pto_launch_result(l, s->dst[i]);
    }
    return status;
}

/* ---- control ---- */

/* Appends an entry to a list and returns it, or NULL if there is no memory. */
static struct waiting *append(struct waiting **list, size_t *count, size_t *capacity) {
    if (*count == *capacity) {
        struct waiting *grown = realloc(*list, (2 * *capacity + 4) * sizeof *grown);
        if (!grown) return NULL;
        *list = grown;
        *capacity = 2 * *capacity + 4;
    }
    return &(*list)[(*count)++];
}

static pto_status no_memory(struct launch *l) {
    return pto_launch_error(l, NULL, "", PTO_ERR_SIZE, "there is not enough memory");
}

/* Adds lanes to l->branched, which continue at `step`. */
static pto_status put_aside(struct launch *l, size_t step, const struct lane_mask *lanes) {
    size_t i = l->branched_count;
    while (i > 0 && l->branched[i - 1].step < step) i--;
    if (i > 0 && l->branched[i - 1].step == step) {
        add_lanes(&l->branched[i - 1].lanes, lanes);
        return PTO_OK;
    }
    if (!append(&l->branched, &l->branched_count, &l->branched_capacity)) return no_memory(l);
    memmove(&l->branched[i + 1], &l->branched[i], (l->branched_count - 1 - i) * sizeof l->branched[0]);
    l->branched[i] = (struct waiting){step, 0, *lanes};
    return PTO_OK;
}

/* Returns how many threads of the group's block b are in m. */
static size_t count_in_block(const struct launch *l, const struct lane_mask *m, size_t b) {
    size_t count = 0;
    for (size_t t = 0; t < l->group.threads; t++) count += pto_mask_has(m, b * l->group.threads + t);
    return count;
}

/* Lets the lanes at barriers continue, when no other lane can run. Reports an error if threads of one block
 * wait at different barriers. */
static pto_status release_barriers(struct launch *l) {
    pto_status status = PTO_OK;
    for (size_t i = 1; i < l->arrived_count; i++)
        for (size_t b = 0; l->arrived[i].barrier != l->arrived[0].barrier && b < l->group.blocks; b++)
            if (count_in_block(l, &l->arrived[i].lanes, b) != 0 &&
                count_in_block(l, &l->arrived[0].lanes, b) != 0)
                return pto_launch_error(
                    l, &l->kernel->code.steps[l->arrived[i].step - 1], "bar", PTO_ERR_STOPPED,
                    "the threads of block %zu wait at different barriers", l->group.first_block + b);
    for (size_t i = 0; i < l->arrived_count && status == PTO_OK; i++)
        status = put_aside(l, l->arrived[i].step, &l->arrived[i].lanes);
    l->arrived_count = 0;
    return status;
}

/* Makes the waiting lanes with the lowest step active, and sets *step to that step. If no lane waits, all
 * lanes have ended, and no lane becomes active. */
static pto_status resume(struct launch *l, size_t *step) {
    const struct lane_mask none = {{0}};
    if (l->branched_count == 0 && l->arrived_count != 0) {
        const pto_status status = release_barriers(l);
        if (status != PTO_OK) return status;
    }
    if (l->branched_count == 0) {
        set_active(l, &none);
        return PTO_OK;
    }
    l->branched_count--;
    *step = l->branched[l->branched_count].step;
    set_active(l, &l->branched[l->branched_count].lanes);
    return PTO_OK;
}

/* Decides which lanes run the next step. *step is the next step of the active lanes. If other lanes wait at an earlier
 * step, they become active, the active lanes wait, and *step is set to that step. If other lanes wait at *step, they
 * become active, too. */
static pto_status meet(struct launch *l, size_t *step) {
    struct waiting *lowest = &l->branched[l->branched_count - 1];
    struct lane_mask joined;
    if (lowest->step > *step) return PTO_OK;
    if (lowest->step < *step) {
        const pto_status status = put_aside(l, *step, &l->active);
        return status == PTO_OK ? resume(l, step) : status;
    }
    joined = lowest->lanes;
    l->branched_count--;
    add_lanes(&joined, &l->active);
    set_active(l, &joined);
    return PTO_OK;
}

enum participation { NO_LANES, SOME_LANES, ALL_ACTIVE_LANES };

/* Sets *m to the active lanes for which the guard predicate of a step is true. If the result is NO_LANES, *m
 * is undefined. */
static enum participation take_part(struct launch *l, const struct step *s, struct lane_mask *m) {
    const uint64_t invert = s->guard_not ? ~(uint64_t)0 : 0;
    struct lane_mask guard = {{0}};
    *m = l->active;
    if (s->guard == ABSENT) return ALL_ACTIVE_LANES;
    if (l->values[s->guard].is_ramp)
        return (l->values[s->guard].ramp.first & 1) != (s->guard_not ? 1U : 0U) ? ALL_ACTIVE_LANES : NO_LANES;
    memcpy(guard.words, pto_launch_lanes(l, s->guard), (l->group.lanes + 7) / 8);
    for (size_t i = 0; i < MASK_WORDS; i++) m->words[i] &= guard.words[i] ^ invert;
    if (is_empty(l, m)) return NO_LANES;
    return are_equal(l, m, &l->active) ? ALL_ACTIVE_LANES : SOME_LANES;
}

/* Removes lanes from the active ones. If no active lane is left, lets waiting lanes continue. */
static pto_status leave(struct launch *l, const struct lane_mask *lanes, size_t *step) {
    struct lane_mask rest = l->active;
    remove_lanes(&rest, lanes);
    set_active(l, &rest);
    return is_empty(l, &rest) ? resume(l, step) : PTO_OK;
}

static pto_status end_lanes(struct launch *l, const struct lane_mask *lanes, size_t *step) {
    remove_lanes(&l->alive, lanes);
    l->is_complete = false;
    return leave(l, lanes, step);
}

/* Returns whether lanes that continue at a step end there. */
static bool is_end(const pto_program *code, size_t step) {
    return step == code->step_count ||
           (code->steps[step].kind == STEP_EXIT && code->steps[step].guard == ABSENT);
}

static pto_status branch(struct launch *l, size_t target, enum participation who,
                         const struct lane_mask *lanes, size_t *step) {
    pto_status status;
    if (who == ALL_ACTIVE_LANES) {
        *step = target;
        return PTO_OK;
    }
    /* The registers of lanes that end now need not be retained, so index arithmetic continues on ramps. */
    if (is_end(&l->kernel->code, target)) return end_lanes(l, lanes, step);
    status = put_aside(l, target, lanes);
    return status == PTO_OK ? leave(l, lanes, step) : status;
}

static pto_status arrive(struct launch *l, const struct step *s, const struct lane_mask *lanes,
                         size_t *step) {
    struct waiting *entry;
    if (are_equal(l, lanes, &l->alive)) return PTO_OK; /* all lanes have arrived */
    entry = append(&l->arrived, &l->arrived_count, &l->arrived_capacity);
    if (!entry) return no_memory(l);
    *entry = (struct waiting){*step, s->parameters.barrier, *lanes};
    return leave(l, lanes, step);
}

/* ---- steps ---- */

static size_t first_lane(const struct lane_mask *m) {
    size_t lane = 0;
    while (!pto_mask_has(m, lane)) lane++;
    return lane;
}

static pto_status trap(struct launch *l, const struct step *s, const struct lane_mask *lanes) {
    const size_t lane = first_lane(lanes);
    return pto_launch_error(l, s, "trap", PTO_ERR_STOPPED, "thread %zu of block %zu executes trap",
                            lane % l->group.threads, l->group.first_block + lane / l->group.threads);
}

/* Passes the results of a step to options.trace. */
static void trace(struct launch *l, const struct step *s, const struct lane_mask *lanes) {
    for (size_t i = 0; i < STEP_RESULTS; i++) {
        const struct reg *r = s->dst[i] == ABSENT ? NULL : reg_of(l, s->dst[i]);
        pto_program_step entry;
        if (!r || r->kind != REG_NAMED) continue;
        entry = (pto_program_step){.line = s->line,
                                   .name = r->name,
                                   .type = r->type,
                                   .data = pto_launch_lanes(l, s->dst[i]),
                                   .first = l->group.first_block * l->group.threads,
                                   .lanes = l->group.lanes,
                                   .active = lanes->words};
        if (r->predicate) {
            if (pto_mask_mov(pto_packed_in(entry.data), pto_bytes(l->scratch[0]), entry.lanes) != PTO_OK)
                continue;
            entry.data = l->scratch[0];
        }
        pto_fp_enter(&l->caller_state);
        l->options->trace(l->options->user, &entry);
        l->caller_state = pto_fp_enter_default();
    }
}

/* Runs a step for `lanes`. *step is the index of the next step, which a branch or the end of lanes
 * changes. */
static pto_status run_lanes(struct launch *l, const struct step *s, enum participation who,
                            const struct lane_mask *lanes, size_t *step) {
    /* Registers of lanes that have ended may get any value, but such lanes must not access memory. */
    const struct lane_mask *computing = who == ALL_ACTIVE_LANES && l->is_whole ? NULL : lanes;
    const struct lane_mask *accessing = computing || !l->is_complete ? lanes : NULL;
    switch (s->kind) {
    case STEP_BRANCH: return branch(l, s->parameters.target, who, lanes, step);
    case STEP_EXIT: return end_lanes(l, lanes, step);
    case STEP_TRAP: return trap(l, s, lanes);
    case STEP_BARRIER: return arrive(l, s, lanes, step);
    case STEP_LOAD: return pto_memory_load(l, s, accessing);
    case STEP_STORE: return pto_memory_store(l, s, accessing);
    case STEP_ATOMIC: return pto_atomic_run(l, s, accessing);
    case STEP_WARP: return pto_warp_run(l, s, accessing);
    default: return compute(l, s, computing);
    }
}

static pto_status run_step(struct launch *l, const struct step *s, size_t *step) {
    struct lane_mask lanes;
    const enum participation who = take_part(l, s, &lanes);
    const pto_status status = who == NO_LANES ? PTO_OK : run_lanes(l, s, who, &lanes, step);
    if (status == PTO_OK && who != NO_LANES && l->options->trace) trace(l, s, &lanes);
    return status;
}

static pto_status too_long(struct launch *l, const struct step *s) {
    return pto_launch_error(
        l, s, "", PTO_ERR_STOPPED,
        "the threads of block %zu have executed %llu instructions; this is the limit (max_steps)",
        l->group.first_block, (unsigned long long)l->executed);
}

uint64_t pto_launch_limit(const struct launch *l) {
    return l->options->max_steps != 0 ? l->options->max_steps : (uint64_t)1 << 26;
}

static pto_status run_steps(struct launch *l) {
    const pto_program *code = &l->kernel->code;
    const uint64_t most = pto_launch_limit(l);
    size_t step = 0;
    pto_status status = PTO_OK;
    while (status == PTO_OK && !is_empty(l, &l->active)) {
        const struct step *s;
        if (l->branched_count != 0) status = meet(l, &step);
        if (status != PTO_OK) return status;
        if (step == code->step_count) {
            status = end_lanes(l, &l->active, &step);
            continue;
        }
        s = &code->steps[step++];
        if (l->executed++ == most) return too_long(l, s);
        status = run_step(l, s, &step);
    }
    return status;
}

/* ---- groups ---- */

/* Sets the lanes of a special register to number / divisor % modulus, where `number` is the number of the
 * thread in its block, or if `of_block` is set the number of the block in the grid. */
static void set_special_lanes(struct launch *l, int reg, size_t divisor, size_t modulus, bool of_block) {
    struct lane_values *v = &l->values[reg];
    const bool is_known = v->has_threads && !of_block; /* all groups have the same values */
    uint32_t *own = pto_launch_result(l, reg);
    for (size_t i = 0; i < l->group.lanes && !is_known; i++) {
        const size_t number = of_block ? l->group.first_block + i / l->group.threads : i % l->group.threads;
        own[i] = (uint32_t)(number / divisor % modulus);
    }
    v->has_threads = true;
}

/* Sets a special register to the same values as set_special_lanes(), as a ramp if that is possible. Returns false if it
 * is not and `only_ramps` is set. */
static bool set_coordinate(struct launch *l, int reg, size_t divisor, size_t modulus, bool of_block,
                           bool only_ramps) {
    const size_t first = of_block ? l->group.first_block : 0;
    const size_t last = first + (of_block ? l->group.blocks : l->group.threads) - 1;
    struct ramp ramp = pto_ramp_uniform(first / divisor % modulus);
    if (first / divisor == last / divisor) {
        set_ramp(l, reg, &ramp);
    } else if (divisor == 1 && first / modulus == last / modulus) {
        if (of_block)
            ramp.per_block = 1;
        else
            ramp.per_thread = 1;
        set_ramp(l, reg, &ramp);
    } else if (only_ramps) {
        return false;
    } else {
        set_special_lanes(l, reg, divisor, modulus, of_block);
    }
    return true;
}

static bool set_special(struct launch *l, int reg, enum special special, bool only_ramps) {
    const size_t x = l->block.x, y = l->block.y, z = l->block.z;
    const size_t threads = l->group.threads, warps = (threads + 31) / 32;
    const uint32_t sizes[] = {
        [SPECIAL_NTID_X] = l->block.x,      [SPECIAL_NTID_Y] = l->block.y,  [SPECIAL_NTID_Z] = l->block.z,
        [SPECIAL_NCTAID_X] = l->grid.x,     [SPECIAL_NCTAID_Y] = l->grid.y, [SPECIAL_NCTAID_Z] = l->grid.z,
        [SPECIAL_NWARPID] = (uint32_t)warps};
    switch (special) {
    case SPECIAL_TID_X: return set_coordinate(l, reg, 1, x, false, only_ramps);
    case SPECIAL_TID_Y: return set_coordinate(l, reg, x, y, false, only_ramps);
    case SPECIAL_TID_Z: return set_coordinate(l, reg, x * y, z, false, only_ramps);
    case SPECIAL_CTAID_X: return set_coordinate(l, reg, 1, l->grid.x, true, only_ramps);
    case SPECIAL_CTAID_Y: return set_coordinate(l, reg, l->grid.x, l->grid.y, true, only_ramps);
    case SPECIAL_CTAID_Z:
        return set_coordinate(l, reg, (size_t)l->grid.x * l->grid.y, l->grid.z, true, only_ramps);
    case SPECIAL_LANEID: return set_coordinate(l, reg, 1, 32, false, only_ramps);
    case SPECIAL_WARPID: return set_coordinate(l, reg, 32, warps, false, only_ramps);
    default: {
        const struct ramp size = pto_ramp_uniform(sizes[special]);
        set_ramp(l, reg, &size);
        return true;
    }
    }
}

bool pto_launch_start(struct launch *l, bool only_ramps) {
    const pto_program *code = &l->kernel->code;
    for (size_t i = 0; i < code->used_count; i++) {
        const int reg = (int)code->used[i];
        const struct reg *r = reg_of(l, reg);
        const struct ramp value = pto_ramp_uniform(r->kind == REG_CONSTANT     ? r->value
                                                   : r->kind == REG_SHARED_END ? l->kernel->shared_bytes
                                                                               : 0);
        if (r->kind != REG_SPECIAL)
            set_ramp(l, reg, &value);
        else if (!set_special(l, reg, (enum special)r->value, only_ramps))
            return false;
    }
    return true;
}

pto_status pto_launch_group(struct launch *l, size_t first, size_t most, size_t *count) {
    const size_t threads = (size_t)l->block.x * l->block.y * l->block.z;
    size_t blocks = BLOCK_LANES / threads;
    const size_t before = l->group.blocks;
    if (blocks > most) blocks = most;
    l->group = (struct group){threads, blocks, threads * blocks, first};
    if (blocks != before) /* the arrays in `own` are for another number of blocks */
        for (size_t i = 0; i < l->kernel->code.reg_count; i++)
            l->values[i].has_filled = l->values[i].has_threads = false;
    l->alive = all_lanes(l);
    l->is_complete = true;
    l->branched_count = l->arrived_count = 0;
    l->executed = 0;
    set_active(l, &l->alive);
    (void)pto_launch_start(l, false);
    if (l->shared_bytes != 0) memset(l->shared, 0, l->shared_bytes * blocks);
    if (l->local_bytes != 0) memset(l->local, 0, l->local_bytes * l->group.lanes);
    *count = blocks;
    return run_steps(l);
}
