/* SPDX-License-Identifier: MIT */
/* The public calls for PTX modules: parsing, the list of kernels, and launches. */
#include "platform.h"
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- modules ---- */

/* Sets the text of *error, and returns NULL. */
static pto_module *refuse(pto_program_error *error, const char *text) {
    memset(error, 0, sizeof *error);
    (void)snprintf(error->text, sizeof error->text, "%s", text);
    return NULL;
}

static bool parse_ptx(pto_module *m, const char *text, pto_program_error *error) {
    struct ptx x = {.text = pto_text_open(text, error), .module = m, .depth = 1, .active = ABSENT};
    return pto_ptx_parse_module(&x);
}

static bool is_pto(const pto_module *m) {
    return m->options.language == PTO_PROGRAM_PTO;
}

static bool parse(pto_module *m, const char *text, pto_program_error *error) {
    const pto_fp_state state = pto_fp_enter_default(); /* number.c requires the default state */
    bool good;
    good = pto_text_check_comments(text, error) &&
           (is_pto(m) ? pto_kernel_list_module(m, text, error) : parse_ptx(m, text, error));
    pto_fp_enter(&state);
    return good;
}

pto_module *pto_module_new(const char *text, pto_program_options options, pto_program_error *error) {
    pto_program_error unwanted;
    pto_module *m;
    if (!error) error = &unwanted;
    if (pto_options_have_reserved(&options))
        return refuse(error, "expected options whose reserved members are 0");
    if (options.language == PTO_PROGRAM_PTO && !options.survey)
        return refuse(error, "expected a module in PTX, or a survey; pto_program_new() runs PTO");
    if (options.language < PTO_PROGRAM_ANY || options.language > PTO_PROGRAM_PTO)
        return refuse(error, "expected PTX or PTO as the language");
    m = text ? calloc(1, sizeof *m) : NULL;
    if (!m) return refuse(error, text ? "there is not enough memory" : "expected a text, not NULL");
    m->options = options;
    atomic_flag_clear(&m->problem_lock);
    if (parse(m, text, error)) return m;
    pto_module_free(m);
    return NULL;
}

static void free_kernel(struct ptx_kernel *k) {
    for (size_t i = 0; i < k->parameter_count; i++) free(pto_without_const(k->parameters[i].name));
    free(k->parameters);
    free(k->places);
    free(k->name);
    for (size_t i = 0; i < k->use_count; i++) pto_use_free(&k->uses[i]);
    free(k->uses);
    free(k->problem);
    pto_ir_free(&k->code);
}

void pto_module_free(pto_module *module) {
    if (!module) return;
    for (size_t i = 0; i < module->kernel_count; i++) free_kernel(&module->kernels[i]);
    for (size_t i = 0; i < module->variable_count; i++) {
        free(module->variables[i].name);
        free(module->variables[i].data);
    }
    pto_arena_free(module);
    free(module->kernels);
    free(module->variables);
    free(module);
}

size_t pto_module_kernel_count(const pto_module *module) {
    return module ? module->kernel_count : 0;
}

pto_status pto_module_kernel_at(const pto_module *module, size_t i, pto_kernel *out) {
    const struct ptx_kernel *k;
    if (!module || !out) return PTO_ERR_NULL;
    if (i >= module->kernel_count) return PTO_ERR_SIZE;
    k = &module->kernels[i];
    *out = (pto_kernel){.name = k->name,
                        .parameters = k->parameters,
                        .parameter_count = k->parameter_count,
                        .block = k->required,
                        .shared_bytes = k->shared_bytes,
                        .problem = k->problem};
    return PTO_OK;
}

pto_status pto_module_use_at(const pto_module *module, size_t kernel, size_t i, pto_instruction_use *out) {
    const struct use *use;
    if (!module || !out) return PTO_ERR_NULL;
    if (kernel >= module->kernel_count || i >= module->kernels[kernel].use_count) return PTO_ERR_SIZE;
    use = &module->kernels[kernel].uses[i];
    *out = (pto_instruction_use){
        .name = use->name, .count = use->count, .line = use->line, .problem = use->problem};
    return PTO_OK;
}

pto_status pto_module_share(pto_module *module, size_t bytes) {
    enum { MOST = 1 << 20 };
    if (!module) return PTO_ERR_NULL;
    if (bytes > MOST) return PTO_ERR_SIZE;
    module->dynamic_shared = bytes;
    return PTO_OK;
}

const pto_program_error *pto_module_problem(const pto_module *module) {
    return module ? &module->problem : NULL;
}

/* ---- arguments ---- */

static const void *given(const pto_argument *a) {
    return a->scalar ? a->scalar : a->input ? a->input : a->memory;
}

static bool is_memory(const pto_argument *a) {
    return a->input || a->memory;
}

static pto_status check_argument(struct launch *l, const struct ptx_kernel *k, size_t i,
                                 const pto_argument *a) {
    const pto_parameter *p = &k->parameters[i];
    const uint64_t bytes = a->bytes; /* a size_t can be too narrow for the limit below */
    if ((a->scalar != NULL) + (a->input != NULL) + (a->memory != NULL) > 1)
        return pto_launch_error(l, NULL, p->name, PTO_ERR_TYPE,
                                "more than one pointer is set in the argument for %s", p->name);
    if (is_memory(a) && p->bytes != 8)
        return pto_launch_error(l, NULL, p->name, PTO_ERR_TYPE,
                                "memory is given for %s, which has %zu bytes and so is no pointer", p->name,
                                p->bytes);
    if (a->scalar && a->bytes != p->bytes)
        return pto_launch_error(l, NULL, p->name, PTO_ERR_TYPE, "%zu bytes are given for %s, which has %zu",
                                a->bytes, p->name, p->bytes);
    if (is_memory(a) && bytes >= (uint64_t)1 << (WINDOW_SHIFT - 1))
        return pto_launch_error(l, NULL, p->name, PTO_ERR_SIZE, "the memory for %s is too large", p->name);
    return PTO_OK;
}

/* Sets `is_constant` of the windows that no store of this launch can reach. */
static void mark_constant(struct launch *l) {
    for (size_t i = FIRST_WINDOW; i < l->window_count; i++) {
        struct window *w = &l->windows[i];
        w->is_constant = !w->is_writable;
        for (size_t j = FIRST_WINDOW; j < l->window_count && w->is_constant; j++)
            w->is_constant = !l->windows[j].is_writable || !pto_windows_overlap(w, &l->windows[j]);
    }
}

/* Makes a window for each variable and each argument that is memory, and writes the parameter space. */
static pto_status bind_arguments(struct launch *l, const pto_module *m, const pto_argument *arguments,
                                 size_t n) {
    const struct ptx_kernel *k = l->kernel;
    if (n > k->parameter_count)
        return pto_launch_error(l, NULL, k->name, PTO_ERR_TYPE, "%zu arguments are given for %zu parameters",
                                n, k->parameter_count);
    l->window_count = FIRST_WINDOW + m->variable_count + k->parameter_count;
    l->windows = calloc(l->window_count, sizeof *l->windows);
    l->parameters = calloc(1, k->parameter_bytes + 1);
    if (!l->windows || !l->parameters)
        return pto_launch_error(l, NULL, "", PTO_ERR_SIZE, "there is not enough memory");
    for (size_t i = 0; i < m->variable_count; i++) {
        const struct variable *v = &m->variables[i];
        l->windows[FIRST_WINDOW + i] = (struct window){v->name, v->data, v->bytes, v->is_writable, false};
    }
    for (size_t i = 0; i < n; i++) {
        const size_t number = FIRST_WINDOW + m->variable_count + i;
        const uint64_t address = (uint64_t)number << WINDOW_SHIFT;
        const pto_argument *a = &arguments[i];
        const pto_status status = check_argument(l, k, i, a);
        if (status != PTO_OK) return status;
        if (a->scalar) memcpy(l->parameters + k->places[i], a->scalar, a->bytes);
        if (!is_memory(a)) continue;
        memcpy(l->parameters + k->places[i], &address, sizeof address);
        l->windows[number] = (struct window){k->parameters[i].name, pto_without_const(given(a)), a->bytes,
                                             a->memory != NULL, false};
    }
    mark_constant(l);
    return PTO_OK;
}

/* ---- launches ---- */

static void complete(pto_dim3 *dim) {
    if (dim->y == 0) dim->y = 1;
    if (dim->z == 0) dim->z = 1;
}

/* Returns x * y * z, or 0 if the product is more than `most`. */
static uint64_t volume(const pto_dim3 *dim, uint64_t most) {
    const uint64_t plane = (uint64_t)dim->x * dim->y;
    return plane == 0 || plane > most / dim->z ? 0 : plane * dim->z;
}

static pto_status check_geometry(struct launch *l) {
    enum { MOST_THREADS = 1024 };
    const struct ptx_kernel *k = l->kernel;
    const pto_dim3 *r = &k->required;
    const uint64_t threads = volume(&l->block, MOST_THREADS);
    if (threads == 0)
        return pto_launch_error(l, NULL, k->name, PTO_ERR_SIZE,
                                "expected blocks of 1 to %d threads, not %u x %u x %u", (int)MOST_THREADS,
                                l->block.x, l->block.y, l->block.z);
    if (volume(&l->grid, SIZE_MAX / MOST_THREADS) == 0)
        return pto_launch_error(l, NULL, k->name, PTO_ERR_SIZE,
                                "expected at least one block, not %u x %u x %u", l->grid.x, l->grid.y,
                                l->grid.z);
    if (r->x != 0 && (r->x != l->block.x || r->y != l->block.y || r->z != l->block.z))
        return pto_launch_error(l, NULL, k->name, PTO_ERR_SIZE, "%s requires blocks of %u x %u x %u threads",
                                k->name, r->x, r->y, r->z);
    if (k->most.x != 0 && threads > volume(&k->most, UINT64_MAX))
        return pto_launch_error(l, NULL, k->name, PTO_ERR_SIZE, "%s takes blocks of at most %llu threads",
                                k->name, (unsigned long long)volume(&k->most, UINT64_MAX));
    return PTO_OK;
}

/* Returns the number of bytes to reserve for the lanes of a register. It is a multiple of the size of a cache line, and
 * at least 1 more than the lanes need. So the next register begins at a cache line, but not at the same offset in a
 * page. */
static size_t lane_bytes(const struct reg *r, size_t lanes) {
    enum { LINE = 64 };
    return (pto_reg_block_bytes(r, lanes) / LINE + 1) * LINE;
}

/* Allocates memory for the lanes of all registers at once. Registers that stay ramps cost nothing, because
 * the operating system provides a page only when it is first written. */
static bool allocate_lanes(struct launch *l, pto_module *m, size_t lanes) {
    const pto_program *code = &l->kernel->code;
    const size_t scratch = STEP_RESULTS * sizeof *l->scratch, places = BLOCK_LANES * sizeof *l->places;
    size_t bytes = scratch + places;
    for (size_t i = 0; i < code->used_count; i++) bytes += lane_bytes(&code->regs[code->used[i]], lanes);
    l->values = calloc(code->reg_count + 1, sizeof *l->values);
    l->memory = pto_arena_take(m, bytes);
    if (!l->values || !l->memory) return false;
    l->scratch = (void *)l->memory;
    l->places = (void *)(l->memory + scratch);
    bytes = scratch + places;
    for (size_t i = 0; i < code->used_count; i++) {
        l->values[code->used[i]].own = l->memory + bytes;
        bytes += lane_bytes(&code->regs[code->used[i]], lanes);
    }
    return true;
}

static bool allocate(struct launch *l, pto_module *m, size_t blocks) {
    const size_t threads = (size_t)l->block.x * l->block.y * l->block.z;
    const size_t together = BLOCK_LANES / threads < blocks ? BLOCK_LANES / threads : blocks;
    l->shared = calloc(together, l->shared_bytes + 1);
    l->local = calloc(together * threads, l->local_bytes + 1);
    return l->shared && l->local && allocate_lanes(l, m, together * threads);
}

static void free_launch(struct launch *l, pto_module *m) {
    pto_arena_give(m, l->memory);
    free(l->values);
    free(l->windows);
    free(l->parameters);
    free(l->shared);
    free(l->local);
    free(l->branched);
    free(l->arrived);
    pto_record_free(l);
}

/* Calls options.stop in the caller's FP state and returns its result. Returns false if options.stop is NULL. */
static bool is_stopped(struct launch *l) {
    bool stopped;
    if (!l->options->stop) return false;
    pto_fp_enter(&l->caller_state);
    stopped = l->options->stop(l->options->user);
    l->caller_state = pto_fp_enter_default();
    return stopped;
}

static pto_status run_blocks(struct launch *l, size_t first, size_t count) {
    pto_status status = PTO_OK;
    size_t done = 0, recorded = 0, blocks;
    while (done < count && status == PTO_OK) {
        if (done != 0 && is_stopped(l))
            return pto_launch_error(l, NULL, "", PTO_ERR_STOPPED, "%s", pto_strerror(PTO_ERR_STOPPED));
        if (recorded == 0) recorded = pto_record(l, first + done, count - done);
        if (recorded == 0) {
            status = pto_launch_group(l, first + done, count - done, &blocks);
        } else {
            status = pto_record_run(l, &blocks);
            recorded -= blocks;
        }
        done += blocks;
    }
    return status;
}

static pto_status run_in_default_fp(struct launch *l, size_t first, size_t count) {
    pto_status status;
    l->caller_state = pto_fp_enter_default();
    status = run_blocks(l, first, count);
    pto_fp_enter(&l->caller_state);
    return status;
}

static pto_status launch(struct launch *l, pto_module *m, const pto_argument *arguments, size_t n,
                         size_t first, size_t count) {
    pto_status status = bind_arguments(l, m, arguments, n);
    if (status == PTO_OK) status = check_geometry(l);
    if (status != PTO_OK) return status;
    if (count == SIZE_MAX) count = (size_t)volume(&l->grid, SIZE_MAX);
    if (first > volume(&l->grid, SIZE_MAX) || count > volume(&l->grid, SIZE_MAX) - first)
        return pto_launch_error(l, NULL, l->kernel->name, PTO_ERR_SIZE, "the grid has only %llu blocks",
                                (unsigned long long)volume(&l->grid, SIZE_MAX));
    l->shared_bytes = l->kernel->shared_bytes + m->dynamic_shared;
    l->local_bytes = l->kernel->local_bytes;
    if (count == 0) return PTO_OK;
    if (!allocate(l, m, count))
        return pto_launch_error(l, NULL, "", PTO_ERR_SIZE, "there is not enough memory");
    return run_in_default_fp(l, first, count);
}

static pto_status launch_supported(struct launch *l, pto_module *m, const pto_argument *arguments, size_t n,
                                   size_t first, size_t count) {
    if (is_pto(m))
        return pto_launch_error(l, NULL, l->kernel->name, PTO_ERR_PARSE,
                                "pto_program_run() runs kernels of PTO");
    if (!l->kernel->problem) return launch(l, m, arguments, n, first, count);
    l->problem = *l->kernel->problem;
    return PTO_ERR_PARSE;
}

/* Sets the problem of the module. Launches in other threads may do so at the same time.
 * pto_module_launch_blocks() calls this only after a failure, so that a part that succeeds does not erase the
 * failure of another part. */
static void store_problem(pto_module *m, const pto_program_error *problem) {
    while (atomic_flag_test_and_set(&m->problem_lock)) {
    }
    m->problem = *problem;
    atomic_flag_clear(&m->problem_lock);
}

static const struct ptx_kernel *find_kernel(const pto_module *m, const char *name) {
    if (!name) return m->kernel_count == 1 ? &m->kernels[0] : NULL;
    for (size_t i = 0; i < m->kernel_count; i++)
        if (strcmp(m->kernels[i].name, name) == 0) return &m->kernels[i];
    return NULL;
}

pto_status pto_module_launch_blocks(pto_module *module, const char *kernel, pto_dim3 grid, pto_dim3 block,
                                    const pto_argument *arguments, size_t n, size_t first, size_t count) {
    struct launch l = {.grid = grid, .block = block};
    pto_status status;
    if (!module || (!arguments && n != 0)) return PTO_ERR_NULL;
    complete(&l.grid);
    complete(&l.block);
    l.options = &module->options;
    l.kernel = find_kernel(module, kernel);
    status = l.kernel ? launch_supported(&l, module, arguments, n, first, count)
                      : pto_launch_error(&l, NULL, kernel ? kernel : "", PTO_ERR_PARSE,
                                         kernel ? "the module has no kernel of this name"
                                                : "the module has several kernels, and none is named");
    free_launch(&l, module);
    if (status != PTO_OK) store_problem(module, &l.problem);
    return status;
}

pto_status pto_module_launch(pto_module *module, const char *kernel, pto_dim3 grid, pto_dim3 block,
                             const pto_argument *arguments, size_t n) {
    const pto_program_error none = {0};
    if (module) store_problem(module, &none);
    return pto_module_launch_blocks(module, kernel, grid, block, arguments, n, 0, SIZE_MAX);
}
