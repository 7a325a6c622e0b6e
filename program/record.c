/* SPDX-License-Identifier: MIT */
/*
 * Records what a kernel does to the lanes of many blocks, if all these lanes take the same branches, and runs the
 * record for one group of these blocks after the other.
 *
 * While the record is made, l->group stands for all these blocks, and ramps describe the values of all their lanes. A
 * step whose sources are ramps is computed then, and adds no entry to the record. While the record runs, l->group is
 * one group, as in engine.c. The values of the other registers are arrays with the lanes of this group. Such an array
 * is in `own`, or it is a part of a constant window, and then its address differs from group to group.
 */
#include "launch.h"

#include "steps.h"

#include <stdlib.h>
#include <string.h>

enum entry_kind {
    ENTRY_COMPUTE, /* runs the step */
    ENTRY_LOAD,    /* at.dst[0]: the elements of one register */
    ENTRY_STORE,   /* at.src[0]: the elements of one register */
    ENTRY_COPY,    /* copies at.src[0], an array of register `reg`, to at.dst[0] */
    ENTRY_MERGE,   /* copies at.src[0] to at.dst[0] in the lanes for which the guard at.src[1] is true */
    ENTRY_FILL,    /* writes `ramp` to at.dst[0] */
    ENTRY_NOTHING
};

struct entry {
    enum entry_kind kind;
    const struct step *step;
    struct addresses at;
    int reg;       /* the register of at.dst[0], or of at.src[0] for a store */
    unsigned part; /* loads, stores: the number of the element */
    union {
        struct strided memory; /* loads, stores */
        struct ramp ramp;
    } of; /* for the first of the recorded blocks */
};

/* An operand of an entry whose address differs from group to group, because it is in a window. */
struct moving {
    size_t entry, operand;      /* operand: index of a source, or STEP_SOURCES plus the index of a result */
    const unsigned char *first; /* its address for the first of the recorded blocks */
    ptrdiff_t per_block;
};

struct record {
    struct entry *entries;
    size_t count, capacity;
    struct moving *moving;
    size_t moving_count, moving_capacity;
    struct prepared *steps;   /* for each step of the kernel; `run` is NULL if it is not prepared */
    size_t first, blocks;     /* the record is for `blocks` blocks, from block `first` of the grid on */
    size_t done;              /* how many of them have run */
    bool is_disabled;         /* whether no further attempt to record is made */
    size_t pause, next_pause; /* groups until the next attempt, now and after the next failure */
};

/* ---- entries ---- */

static struct entry *add_entry(struct record *r, enum entry_kind kind, const struct step *s, int reg) {
    enum { MOST = 4096 }; /* about 1 MiB */
    r->is_disabled = r->count == MOST;
    if (r->is_disabled) return NULL;
    if (r->count == r->capacity) {
        struct entry *grown = realloc(r->entries, (2 * r->capacity + 32) * sizeof *grown);
        if (!grown) return NULL;
        r->entries = grown;
        r->capacity = 2 * r->capacity + 32;
    }
    r->entries[r->count] = (struct entry){.kind = kind, .step = s, .reg = reg};
    return &r->entries[r->count++];
}

static bool add_moving(struct record *r, size_t entry, size_t operand, const unsigned char *first,
                       ptrdiff_t per_block) {
    if (r->moving_count == r->moving_capacity) {
        struct moving *grown = realloc(r->moving, (2 * r->moving_capacity + 16) * sizeof *grown);
        if (!grown) return false;
        r->moving = grown;
        r->moving_capacity = 2 * r->moving_capacity + 16;
    }
    r->moving[r->moving_count++] = (struct moving){entry, operand, first, per_block};
    return true;
}

/* ---- operands ---- */

/* Returns the memory for the values of a register that an entry writes. */
static void *write_array(struct launch *l, int reg) {
    struct lane_values *v = &l->values[reg];
    v->writes++;
    v->per_block = 0;
    return pto_launch_result(l, reg);
}

/* If the register is a ramp, adds an entry that writes the values to an array. The register stays a ramp. */
static bool fill_array(struct launch *l, int reg) {
    struct lane_values *v = &l->values[reg];
    struct entry *e;
    if (!v->is_ramp || pto_launch_is_filled(v)) return true;
    e = add_entry(l->record, ENTRY_FILL, NULL, reg);
    if (!e) return false;
    e->at.dst[0] = v->own;
    e->of.ramp = v->ramp;
    v->writes++;
    v->has_filled = true;
    v->filled = v->ramp;
    return true;
}

/* Sets a source of the last entry to the array of a register. If the register is a ramp, fill_array() must have been
 * called for it. */
static bool set_source(struct launch *l, size_t source, int reg) {
    struct record *r = l->record;
    const struct lane_values *v = &l->values[reg];
    struct entry *e = &r->entries[r->count - 1];
    e->at.src[source] = v->is_ramp ? v->own : v->data;
    return v->is_ramp || v->per_block == 0 || add_moving(r, r->count - 1, source, v->data, v->per_block);
}

/* ---- steps ---- */

/* Adds entries that copy the lanes in which the guard predicate is true to register `reg`. They copy from the array
 * `computed`, or from register `from` if `computed` is NULL. */
static bool record_merge(struct launch *l, const struct step *s, int reg, const void *computed, int from) {
    struct lane_values *v = &l->values[reg];
    struct entry *e;
    if (!fill_array(l, reg) || (!computed && !fill_array(l, from))) return false;
    if (!v->is_ramp && v->per_block != 0) { /* a window must not be written: copy to `own` first */
        e = add_entry(l->record, ENTRY_COPY, s, reg);
        if (!e || !set_source(l, 0, reg)) return false;
        e->at.dst[0] = write_array(l, reg);
    }
    e = add_entry(l->record, ENTRY_MERGE, s, reg);
    if (!e || (!computed && !set_source(l, 0, from)) || !set_source(l, 1, s->guard)) return false;
    if (computed) e->at.src[0] = computed;
    e->at.dst[0] = write_array(l, reg);
    return true;
}

/* Adds an entry for a calculation. If `is_guarded` is set, its results are merged into the registers. */
static bool record_compute(struct launch *l, const struct step *s, bool is_guarded) {
    struct record *r = l->record;
    struct prepared *ready = &r->steps[s - l->kernel->code.steps];
    struct entry *e;
    if (is_guarded && s->run == pto_step_mov) return record_merge(l, s, s->dst[0], NULL, s->src[0]);
    if (!ready->run) pto_step_prepare(s, ready);
    for (size_t i = 0; i < STEP_SOURCES; i++)
        if (s->src[i] != ABSENT && !fill_array(l, s->src[i])) return false;
    e = add_entry(r, ENTRY_COMPUTE, s, ABSENT);
    if (!e) return false;
    e->at.ready = ready;
    for (size_t i = 0; i < STEP_SOURCES; i++)
        if (s->src[i] != ABSENT && !set_source(l, i, s->src[i])) return false;
    for (size_t i = 0; i < STEP_RESULTS; i++)
        if (s->dst[i] != ABSENT)
            e->at.dst[i] = is_guarded ? (void *)l->scratch[i] : write_array(l, s->dst[i]);
    /* A result that is the guard predicate itself is merged last, because the others need the old guard. */
    for (size_t last = 0; is_guarded && last < 2; last++)
        for (size_t i = 0; i < STEP_RESULTS; i++)
            if (s->dst[i] != ABSENT && (s->dst[i] == s->guard) == last &&
                !record_merge(l, s, s->dst[i], l->scratch[i], ABSENT))
                return false;
    return true;
}

/* Loads element k from an address that is equal in all lanes, in a constant window. The register becomes a ramp. */
static void load_uniform(struct launch *l, const struct step *s, const struct strided *a, unsigned k) {
    const struct group all = l->group;
    struct lane_values *v = &l->values[s->dst[k]];
    uint64_t value = 0;
    l->group = (struct group){1, 1, 1, 0};
    pto_memory_load_strided(l, s, a, k, (unsigned char *)&value);
    l->group = all;
    v->is_ramp = true;
    v->ramp = pto_ramp_uniform(value);
}

static bool record_load(struct launch *l, const struct step *s) {
    struct strided a;
    if (!pto_memory_strided(l, s, false, &a)) return false;
    for (unsigned k = 0; k < s->parameters.memory.count; k++) {
        const int reg = s->dst[k];
        struct lane_values *v = reg == ABSENT ? NULL : &l->values[reg];
        struct entry *e;
        if (reg == ABSENT) continue;
        if (a.window.is_constant && a.per_thread == 0 && a.per_block == 0) {
            load_uniform(l, s, &a, k);
            continue;
        }
        if (a.window.is_constant && pto_memory_is_array(l, s, &a, reg)) {
            v->is_ramp = false;
            v->data = a.first;
            v->per_block = a.per_thread * (ptrdiff_t)l->group.threads;
            continue;
        }
        e = add_entry(l->record, ENTRY_LOAD, s, reg);
        if (!e) return false;
        e->part = k;
        e->of.memory = a;
        e->at.dst[0] = write_array(l, reg);
    }
    return true;
}

static bool record_store(struct launch *l, const struct step *s) {
    struct strided a;
    if (!pto_memory_strided(l, s, true, &a)) return false;
    for (unsigned k = 0; k < s->parameters.memory.count; k++) {
        const int reg = s->src[1 + k];
        struct entry *e = fill_array(l, reg) ? add_entry(l->record, ENTRY_STORE, s, reg) : NULL;
        if (!e || !set_source(l, 0, reg)) return false;
        e->part = k;
        e->of.memory = a;
    }
    return true;
}

/* Records a step that all lanes reach. `is_guarded` means that its guard predicate may differ from lane to lane. After
 * a branch or an exit, sets *next to the index of the next step. Returns false if the step cannot be recorded. */
static bool record_step(struct launch *l, const struct step *s, bool is_guarded, size_t *next) {
    if (s->kind == STEP_COMPUTE)
        return (!is_guarded && pto_launch_ramps(l, s)) || record_compute(l, s, is_guarded);
    if (is_guarded) return false;
    switch (s->kind) {
    case STEP_BRANCH: *next = s->parameters.target; return true;
    case STEP_EXIT: *next = l->kernel->code.step_count; return true;
    case STEP_LOAD: return record_load(l, s);
    case STEP_STORE: return record_store(l, s);
    default: return false;
    }
}

static bool record_steps(struct launch *l) {
    const pto_program *code = &l->kernel->code;
    uint64_t executed = 0;
    size_t step = 0;
    while (step < code->step_count) {
        const struct step *s = &code->steps[step++];
        const struct lane_values *guard = s->guard == ABSENT ? NULL : &l->values[s->guard];
        if (executed++ == pto_launch_limit(l)) {
            /* Fewer blocks would reach the limit, too: it counts the steps of one group. */
            l->record->is_disabled = true;
            return false;
        }
        if (guard && guard->is_ramp && (guard->ramp.first & 1) == (s->guard_not ? 1U : 0U)) continue;
        if (!record_step(l, s, guard && !guard->is_ramp, &step)) return false;
    }
    return true;
}

/* ---- storing without copies ---- */

/* Returns whether an entry writes the array. */
static bool writes_array(const struct entry *e, const unsigned char *array) {
    bool writes = false;
    for (size_t i = 0; i < STEP_RESULTS; i++) writes |= e->at.dst[i] == array;
    return writes;
}

/* Returns whether other entries can write the array that entry `store` stores directly to the memory of the store. This
 * requires that no later entry writes the array, that no ENTRY_FILL does, and that no other load or store accesses a
 * window with this memory. */
static bool can_redirect(const struct launch *l, size_t store) {
    const struct record *r = l->record;
    const struct entry *e = &r->entries[store];
    if (e->at.src[0] != l->values[e->reg].own || !pto_memory_is_array(l, e->step, &e->of.memory, e->reg))
        return false;
    for (size_t i = 0; i < r->count; i++) {
        const struct entry *other = &r->entries[i];
        const bool is_access = other->kind == ENTRY_LOAD || other->kind == ENTRY_STORE;
        if (is_access && i != store && pto_windows_overlap(&other->of.memory.window, &e->of.memory.window))
            return false;
        if (writes_array(other, e->at.src[0]) && (i > store || other->kind == ENTRY_FILL)) return false;
    }
    return true;
}

/* In all entries, replaces the array that entry `store` stores by the memory of the store, and drops the store.
 * pto_record_run() sets the addresses of these operands. */
static bool redirect(struct launch *l, size_t store) {
    struct record *r = l->record;
    struct entry *e = &r->entries[store];
    const unsigned char *array = e->at.src[0];
    const struct strided memory = e->of.memory;
    const ptrdiff_t per_block = memory.per_thread * (ptrdiff_t)l->group.threads;
    e->kind = ENTRY_NOTHING;
    for (size_t i = 0; i < r->count; i++) {
        struct addresses *at = &r->entries[i].at;
        for (size_t k = 0; k < STEP_SOURCES; k++) {
            if (at->src[k] != array) continue;
            at->src[k] = NULL;
            if (!add_moving(r, i, k, memory.first, per_block)) return false;
        }
        for (size_t k = 0; k < STEP_RESULTS; k++) {
            if (at->dst[k] != array) continue;
            at->dst[k] = NULL;
            if (!add_moving(r, i, STEP_SOURCES + k, memory.first, per_block)) return false;
        }
    }
    return true;
}

/* Drops the stores whose values other entries can write directly to memory. Returns false if there is not enough
 * memory. */
static bool redirect_stores(struct launch *l) {
    const struct record *r = l->record;
    for (size_t i = 0; i < r->count; i++)
        if (r->entries[i].kind == ENTRY_STORE && can_redirect(l, i) && !redirect(l, i)) return false;
    return true;
}

/* ---- making a record ---- */

static void forget_arrays(struct launch *l) {
    for (size_t i = 0; i < l->kernel->code.reg_count; i++) {
        l->values[i].has_filled = l->values[i].has_threads = false;
        l->values[i].writes = 0;
    }
}

/* Tries to record `blocks` blocks, from block `first` of the grid on. Returns whether it succeeded. */
static bool record_blocks(struct launch *l, size_t first, size_t blocks) {
    struct record *r = l->record;
    const size_t threads = (size_t)l->block.x * l->block.y * l->block.z;
    bool is_recorded;
    l->group = (struct group){threads, blocks, threads * blocks, first};
    r->count = r->moving_count = r->done = 0;
    r->first = first;
    r->blocks = blocks;
    forget_arrays(l);
    is_recorded = pto_launch_start(l, true) && record_steps(l) && redirect_stores(l);
    for (size_t i = 0; i < l->kernel->code.reg_count; i++) l->values[i].has_filled = false;
    return is_recorded;
}

/* Returns whether the kernel has steps that cannot be recorded, or options.trace must be called for each step. */
static bool is_never_recorded(const struct launch *l) {
    const pto_program *code = &l->kernel->code;
    if (l->options->trace) return true;
    for (size_t i = 0; i < code->step_count; i++) {
        const enum step_kind kind = code->steps[i].kind;
        const enum space space = code->steps[i].parameters.memory.space;
        if (kind == STEP_BARRIER || kind == STEP_ATOMIC || kind == STEP_WARP) return true;
        if ((kind == STEP_LOAD || kind == STEP_STORE) && (space == SPACE_SHARED || space == SPACE_LOCAL))
            return true;
    }
    return false;
}

static struct record *new_record(const struct launch *l) {
    struct record *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->steps = calloc(l->kernel->code.step_count + 1, sizeof *r->steps);
    r->is_disabled = !r->steps || is_never_recorded(l);
    return r;
}

static size_t blocks_of_group(const struct launch *l) {
    return BLOCK_LANES / ((size_t)l->block.x * l->block.y * l->block.z);
}

size_t pto_record(struct launch *l, size_t first, size_t most) {
    const size_t group = blocks_of_group(l);
    size_t blocks = most;
    struct record *r;
    if (!l->record) l->record = new_record(l);
    r = l->record;
    if (!r || r->is_disabled) return 0;
    if (r->pause > 0) {
        r->pause--;
        return 0;
    }
    do {
        if (record_blocks(l, first, blocks)) {
            r->next_pause = 0;
            return blocks;
        }
        /* Often only the last blocks take other branches, so the second attempt leaves out the last group. */
        blocks = (blocks == most ? most - 1 : blocks / 2) / group * group;
    } while (blocks > group && !r->is_disabled);
    r->pause = r->next_pause;
    r->next_pause = 2 * r->next_pause + 1;
    return 0;
}

void pto_record_free(struct launch *l) {
    if (!l->record) return;
    free(l->record->entries);
    free(l->record->moving);
    free(l->record->steps);
    free(l->record);
}

/* ---- running a record ---- */

static pto_status merge(const struct launch *l, const struct entry *e) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    const struct reg *r = &l->kernel->code.regs[e->reg];
    const bool invert = e->step->guard_not;
    const void *computed = e->at.src[0], *old = e->at.dst[0];
    const void *if_true = invert ? old : computed, *if_false = invert ? computed : old;
    const pto_mask guard = pto_packed_in(e->at.src[1]);
    if (r->predicate)
        return pto_mask_sel(pto_packed_in(if_true), pto_packed_in(if_false), guard, pto_packed(e->at.dst[0]),
                            l->group.lanes);
    return pto_vsel(by_bytes[pto_reg_bits(r) / 8], if_true, if_false, guard, e->at.dst[0], l->group.lanes);
}

static pto_status run_entry(const struct launch *l, const struct entry *e) {
    const ptrdiff_t done = (ptrdiff_t)l->record->done;
    struct strided memory;
    struct ramp ramp;
    switch (e->kind) {
    case ENTRY_COMPUTE: return e->at.ready->run(e->step, &e->at, l->group.lanes);
    case ENTRY_MERGE: return merge(l, e);
    case ENTRY_LOAD:
    case ENTRY_STORE:
        memory = e->of.memory;
        memory.first += done * memory.per_block;
        if (e->kind == ENTRY_LOAD)
            pto_memory_load_strided(l, e->step, &memory, e->part, e->at.dst[0]);
        else
            pto_memory_store_strided(l, e->step, &memory, e->part, e->at.src[0]);
        return PTO_OK;
    case ENTRY_COPY:
        memcpy(e->at.dst[0], e->at.src[0],
               pto_reg_block_bytes(&l->kernel->code.regs[e->reg], l->group.lanes));
        return PTO_OK;
    case ENTRY_FILL:
        ramp = e->of.ramp;
        ramp.first += l->record->done * ramp.per_block;
        pto_launch_fill(l, e->reg, &ramp, e->at.dst[0]);
        return PTO_OK;
    default: return PTO_OK;
    }
}

/* Fills the arrays that have the same values in all groups, and drops the entries that would do so for each group. */
static void fill_constants(const struct launch *l) {
    struct record *r = l->record;
    for (size_t i = 0; i < r->count; i++) {
        struct entry *e = &r->entries[i];
        if (e->kind != ENTRY_FILL || l->values[e->reg].writes != 1 || !pto_ramp_is_uniform(&e->of.ramp))
            continue;
        pto_launch_fill(l, e->reg, &e->of.ramp, e->at.dst[0]);
        e->kind = ENTRY_NOTHING;
    }
}

pto_status pto_record_run(struct launch *l, size_t *count) {
    struct record *r = l->record;
    const size_t group = blocks_of_group(l), rest = r->blocks - r->done, blocks = rest < group ? rest : group;
    const size_t threads = l->group.threads;
    pto_status status = PTO_OK;
    l->group = (struct group){threads, blocks, threads * blocks, r->first + r->done};
    if (r->done == 0) fill_constants(l);
    for (size_t i = 0; i < r->moving_count; i++) {
        const struct moving *m = &r->moving[i];
        struct addresses *at = &r->entries[m->entry].at;
        const unsigned char *now = m->first + (ptrdiff_t)r->done * m->per_block;
        if (m->operand < STEP_SOURCES)
            at->src[m->operand] = now;
        else
            at->dst[m->operand - STEP_SOURCES] = pto_without_const(now);
    }
    for (size_t i = 0; i < r->count && status == PTO_OK; i++) status = run_entry(l, &r->entries[i]);
    r->done += blocks;
    *count = blocks;
    return status;
}
