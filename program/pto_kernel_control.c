/* SPDX-License-Identifier: MIT */
/* Parses and runs the control flow of kernel programs: loops, branches, regions and calls. */
#include "pto_kernel.h"

#include <string.h>

/* ---- regions ---- */

/* Reads "{ ... }", whose names are not known outside. Returns `region`, or NULL after an error. */
static struct kernel_region *read_region(struct kernel_front *f, struct kernel_region *region) {
    const size_t mark = pto_kernel_open_names(f);
    const bool good = pto_kernel_expect(&f->text, "{") && f->read_region(f, region);
    pto_kernel_close_names(f, mark);
    return good ? region : NULL;
}

static bool read_values(struct kernel_front *f, struct kernel_value **to, size_t *count) {
    do {
        const struct token name = f->text.now;
        if (*count == KERNEL_RESULTS)
            return pto_text_error(&f->text, &name, "expected at most %d values", (int)KERNEL_RESULTS);
        pto_kernel_next(&f->text);
        to[*count] = pto_kernel_find(f, &name);
        if (!to[(*count)++]) return false;
    } while (pto_kernel_take(&f->text, ","));
    return true;
}

/* Reads ": types" after values, and checks that they are the types of the values. */
static bool read_value_types(struct kernel_front *f, struct kernel_value **values, size_t count) {
    struct kernel_written types[KERNEL_RESULTS];
    size_t n = 0;
    if (!pto_kernel_take(&f->text, ":")) return true;
    if (!pto_kernel_type_list(f, types, KERNEL_RESULTS, &n)) return false;
    for (size_t i = 0; i < n && i < count; i++)
        if (!pto_kernel_types_agree(&types[i].type, &values[i]->type))
            return pto_kernel_wrong_type(f, &types[i].token, &values[i]->type, &types[i].type);
    return n == count || pto_text_error(&f->text, &f->text.now, "expected %zu types before it", count);
}

bool pto_kernel_yield(struct kernel_front *f, struct kernel_region *region) {
    struct kernel_value *read[KERNEL_RESULTS];
    size_t count = 0;
    if (kernel_is_name(&f->text.now) && (!read_values(f, read, &count) || !read_value_types(f, read, count)))
        return false;
    if (!pto_kernel_skip_location(&f->text)) return false;
    region->results = pto_kernel_allocate(f, (count + 1) * sizeof(struct kernel_value *));
    if (!region->results) return false;
    memcpy(region->results, read, count * sizeof(struct kernel_value *));
    region->result_count = count;
    return true;
}

/* Checks that a region yields `count` values of the types of `wanted`. */
static bool check_yield(struct kernel_front *f, const struct token *place, const struct kernel_region *region,
                        struct kernel_value *const *wanted, size_t count) {
    if (region->result_count != count) {
        if (region->is_unknown) f->survey->misses_value = true;
        return pto_text_error(&f->text, place,
                              "expected scf.yield of %zu values at the end of its region; it gives %zu",
                              count, region->result_count);
    }
    for (size_t i = 0; i < count; i++)
        if (!pto_kernel_types_agree(&wanted[i]->type, &region->results[i]->type))
            return pto_kernel_wrong_type(f, &region->results[i]->name, &wanted[i]->type,
                                         &region->results[i]->type);
    return true;
}

/* Makes results of these types. They get the names in the call, or no names if the call has no results. */
static bool make_results(struct kernel_front *f, struct kernel_call *c, struct kernel_op *op,
                         const struct kernel_type *const *types, size_t count) {
    if (c->result_count != 0 && c->result_count != count)
        return pto_text_error(&f->text, &c->opcode, "expected names for %zu results; %zu stand here", count,
                              c->result_count);
    for (size_t i = 0; i < count; i++) {
        op->out[i] = c->result_count ? pto_kernel_define(f, &c->result[i], *types[i])
                                     : pto_kernel_value(f, NULL, *types[i]);
        if (!op->out[i]) return false;
    }
    return true;
}

/* ---- scf.for; in: lower bound, upper bound, step, initial values of the carried values ---- */

/* Reads "iter_args(%a = %b, ...) -> (types)". */
static bool read_carried(struct kernel_front *f, struct token *names, struct kernel_value **initial,
                         size_t *count) {
    struct kernel_written types[KERNEL_RESULTS];
    size_t n = 0;
    if (!pto_kernel_take(&f->text, "iter_args")) return true;
    if (!pto_kernel_expect(&f->text, "(")) return false;
    do {
        if (*count == KERNEL_RESULTS)
            return pto_text_error(&f->text, &f->text.now, "expected at most %d values", (int)KERNEL_RESULTS);
        names[*count] = f->text.now;
        pto_kernel_next(&f->text);
        if (!pto_kernel_expect(&f->text, "=")) return false;
        initial[*count] = pto_kernel_find(f, &f->text.now);
        if (!initial[(*count)++]) return false;
        pto_kernel_next(&f->text);
    } while (pto_kernel_take(&f->text, ","));
    if (!pto_kernel_expect(&f->text, ")") || !pto_kernel_expect(&f->text, "->")) return false;
    if (!pto_kernel_type_list(f, types, KERNEL_RESULTS, &n)) return false;
    for (size_t i = 0; i < n && i < *count; i++)
        if (!pto_kernel_types_agree(&types[i].type, &initial[i]->type))
            return pto_kernel_wrong_type(f, &types[i].token, &initial[i]->type, &types[i].type);
    return n == *count || pto_text_error(&f->text, &f->text.now, "expected %zu types before it", *count);
}

static struct kernel_value *read_bound(struct kernel_front *f, const struct kernel_type *like) {
    const struct token name = f->text.now;
    struct kernel_value *v = pto_kernel_find(f, &name);
    if (!v) return NULL;
    pto_kernel_next(&f->text);
    if (v->type.kind == KERNEL_INTEGER && (!like || pto_kernel_types_agree(like, &v->type))) return v;
    (void)pto_text_error(&f->text, &name, "expected an integer%s",
                         like ? " of the type of the first bound" : "");
    return NULL;
}

static bool read_bounds(struct kernel_front *f, struct token *counter, struct kernel_value **bounds) {
    *counter = f->text.now;
    bounds[0] = bounds[1] = bounds[2] = NULL;
    if (!kernel_is_name(counter)) return pto_text_error(&f->text, counter, "expected the loop's variable");
    pto_kernel_next(&f->text);
    if (!pto_kernel_expect(&f->text, "=") || !(bounds[0] = read_bound(f, NULL))) return false;
    if (!pto_kernel_expect(&f->text, "to") || !(bounds[1] = read_bound(f, &bounds[0]->type))) return false;
    return pto_kernel_expect(&f->text, "step") && (bounds[2] = read_bound(f, &bounds[0]->type));
}

/* Names the counter and the carried values, and reads the body. */
static bool read_loop_body(struct kernel_front *f, struct kernel_region *body, const struct token *names) {
    const size_t mark = pto_kernel_open_names(f);
    bool good = true;
    for (size_t i = 0; i < body->argument_count && good; i++)
        good = pto_kernel_alias(f, &names[i], body->arguments[i]);
    good = good && pto_kernel_expect(&f->text, "{") && f->read_region(f, body);
    pto_kernel_close_names(f, mark);
    return good;
}

struct kernel_op *pto_kernel_for(struct kernel_front *f, struct kernel_call *c) {
    struct token names[KERNEL_RESULTS + 1];
    struct kernel_value *in[KERNEL_RESULTS + 3];
    const struct kernel_type *types[KERNEL_RESULTS];
    struct kernel_written counter_type;
    struct kernel_region *body;
    struct kernel_op *op;
    size_t count = 0;
    if (!read_bounds(f, &names[0], in) || !in[0] || !read_carried(f, names + 1, in + 3, &count)) return NULL;
    if (pto_kernel_take(&f->text, ":") && !pto_kernel_type_read(f, &counter_type)) return NULL;
    op = pto_kernel_op(f, &c->opcode, count + 3, count);
    body = op ? pto_kernel_allocate(f, sizeof *body) : NULL;
    if (!body) return NULL;
    memcpy(op->in, in, (count + 3) * sizeof(struct kernel_value *));
    op->run = pto_kernel_run_for;
    op->region[0] = body;
    body->arguments = pto_kernel_allocate(f, (count + 1) * sizeof(struct kernel_value *));
    if (!body->arguments) return NULL;
    body->argument_count = count + 1;
    for (size_t i = 0; i <= count; i++) {
        const struct kernel_value *like = i == 0 ? in[0] : in[i + 2];
        body->arguments[i] = pto_kernel_value(f, &names[i], like->type);
        if (!body->arguments[i]) return NULL;
        body->arguments[i]->root = like->root;
        if (i != 0) types[i - 1] = &like->type;
    }
    if (!read_loop_body(f, body, names) || !check_yield(f, &c->opcode, body, in + 3, count)) return NULL;
    if (pto_token_is(&f->text.now, "{") && !pto_kernel_skip_pair(&f->text, "{", "}")) return NULL;
    if (!make_results(f, c, op, types, count)) return NULL;
    for (size_t i = 0; i < count; i++) op->out[i]->root = in[i + 3]->root;
    return op;
}

/* ---- scf.if; in: condition ---- */

struct kernel_op *pto_kernel_if(struct kernel_front *f, struct kernel_call *c) {
    const struct token name = f->text.now;
    struct kernel_value *condition = pto_kernel_find(f, &name);
    struct kernel_written written[KERNEL_RESULTS];
    const struct kernel_type *types[KERNEL_RESULTS];
    struct kernel_op *op;
    size_t count = 0;
    if (!condition) return NULL;
    pto_kernel_next(&f->text);
    if (condition->type.kind != KERNEL_INTEGER || condition->type.bits != 1) {
        (void)pto_text_error(&f->text, &name, "expected a value of type i1");
        return NULL;
    }
    if (pto_kernel_take(&f->text, "->") && !pto_kernel_type_list(f, written, KERNEL_RESULTS, &count))
        return NULL;
    op = pto_kernel_op(f, &c->opcode, 1, count);
    if (!op) return NULL;
    op->in[0] = condition;
    op->run = pto_kernel_run_if;
    for (size_t k = 0; k < 2; k++) {
        if (k == 1 && !pto_kernel_take(&f->text, "else")) break;
        op->region[k] = pto_kernel_allocate(f, sizeof *op->region[k]);
        if (!op->region[k] || !read_region(f, op->region[k])) return NULL;
    }
    for (size_t i = 0; i < count; i++) types[i] = &written[i].type;
    if (pto_token_is(&f->text.now, "{") && !pto_kernel_skip_pair(&f->text, "{", "}")) return NULL;
    if (!make_results(f, c, op, types, count)) return NULL;
    for (size_t k = 0; k < 2; k++) {
        if (!op->region[k]) continue;
        if (!check_yield(f, &c->opcode, op->region[k], op->out, count)) return NULL;
        for (size_t i = 0; i < count; i++) op->out[i]->root = op->region[k]->results[i]->root;
    }
    if (count != 0 && !op->region[1]) {
        (void)pto_text_error(&f->text, &c->opcode, "expected 'else', because it has results");
        return NULL;
    }
    return op;
}

/* ---- regions without control ---- */

/* Reads "^bb0(%x: type, ...):" of pto.strict_vecscope, which gives the values new names inside the region. */
static bool name_inside(struct kernel_front *f, struct kernel_value **values, size_t count) {
    (void)pto_kernel_take(&f->text, "^");
    pto_kernel_next(&f->text);
    if (!pto_kernel_expect(&f->text, "(")) return false;
    for (size_t i = 0; i < count; i++) {
        const struct token name = f->text.now;
        struct kernel_written type;
        pto_kernel_next(&f->text);
        if (!pto_kernel_expect(&f->text, ":") || !pto_kernel_type_read(f, &type)) return false;
        if (!pto_kernel_alias(f, &name, values[i])) return false;
        if (i + 1 < count && !pto_kernel_expect(&f->text, ",")) return false;
    }
    return pto_kernel_expect(&f->text, ")") && pto_kernel_expect(&f->text, ":");
}

struct kernel_op *pto_kernel_scope(struct kernel_front *f, struct kernel_call *c) {
    struct kernel_value *values[KERNEL_RESULTS];
    size_t count = 0, mark;
    struct kernel_op *op = pto_kernel_op(f, &c->opcode, 0, 0);
    bool good = op != NULL && (op->region[0] = pto_kernel_allocate(f, sizeof *op->region[0])) != NULL;
    if (!good) return NULL;
    op->run = pto_kernel_run_scope;
    if (pto_kernel_take(&f->text, "(") && !pto_kernel_take(&f->text, ")") &&
        (!read_values(f, values, &count) || !pto_kernel_expect(&f->text, ")")))
        return NULL;
    mark = pto_kernel_open_names(f);
    good = pto_kernel_expect(&f->text, "{") &&
           (!pto_token_is(&f->text.now, "^") || name_inside(f, values, count)) &&
           f->read_region(f, op->region[0]);
    pto_kernel_close_names(f, mark);
    if (!good) return NULL;
    if (pto_token_is(&f->text.now, "{") && !pto_kernel_skip_pair(&f->text, "{", "}")) return NULL;
    if (pto_kernel_take(&f->text, ":")) { /* the types of the values, and "-> ()" */
        struct kernel_written types[KERNEL_RESULTS];
        size_t n = 0;
        if (!pto_kernel_type_list(f, types, KERNEL_RESULTS, &n)) return NULL;
        n = 0;
        if (pto_kernel_take(&f->text, "->") && !pto_kernel_type_list(f, types, KERNEL_RESULTS, &n))
            return NULL;
    }
    return op;
}

/* ---- calls ---- */

static struct kernel_function *find_body(const struct kernel *k, const struct token *name) {
    struct kernel_function *found = NULL;
    for (struct kernel_function *i = k->functions; i; i = i->next)
        if (i->name.length == name->length && memcmp(i->name.at, name->at, name->length) == 0 &&
            (!found || i->has_body))
            found = i;
    return found;
}

static bool skip_call_types(struct kernel_front *f) {
    struct kernel_written types[KERNEL_OPERANDS];
    size_t n = 0;
    if (!pto_kernel_take(&f->text, ":")) return true;
    if (!pto_kernel_type_list(f, types, KERNEL_OPERANDS, &n)) return false;
    n = 0;
    return !pto_kernel_take(&f->text, "->") || pto_kernel_type_list(f, types, KERNEL_OPERANDS, &n);
}

struct kernel_op *pto_kernel_call_of(struct kernel_front *f, struct kernel_call *c) {
    struct kernel_value *in[KERNEL_RESULTS];
    const struct kernel_type *types[KERNEL_RESULTS];
    struct kernel_function *function;
    struct kernel_op *op;
    struct token name;
    size_t count = 0;
    if (!pto_kernel_expect(&f->text, "@")) return NULL;
    name = f->text.now;
    function = find_body(f->kernel, &name);
    if (!function || !function->has_body) {
        (void)pto_text_error(&f->text, &name, "external function %.*s: its body is not in this text",
                             (int)(name.length < 48 ? name.length : 48), name.at);
        return NULL;
    }
    if (f->survey) f->survey->use[f->survey->count - 1].callee = function;
    pto_kernel_next(&f->text);
    if (!pto_kernel_expect(&f->text, "(")) return NULL;
    if (!pto_kernel_take(&f->text, ")") && (!read_values(f, in, &count) || !pto_kernel_expect(&f->text, ")")))
        return NULL;
    if (!skip_call_types(f) || !pto_kernel_skip_location(&f->text)) return NULL;
    if (count != function->body.argument_count) {
        if (function->is_unknown) f->survey->misses_value = true;
        (void)pto_text_error(&f->text, &name, "expected %zu arguments; %zu stand here",
                             function->body.argument_count, count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (!pto_kernel_types_agree(&function->body.arguments[i]->type, &in[i]->type)) {
            (void)pto_kernel_wrong_type(f, &in[i]->name, &function->body.arguments[i]->type, &in[i]->type);
            return NULL;
        }
    op = pto_kernel_op(f, &c->opcode, count, function->result_count);
    if (!op) return NULL;
    memcpy(op->in, in, count * sizeof(struct kernel_value *));
    op->run = pto_kernel_run_call;
    op->function = function;
    for (size_t i = 0; i < function->result_count; i++) types[i] = &function->result[i];
    return make_results(f, c, op, types, function->result_count) ? op : NULL;
}

static bool visit(struct kernel_front *f, struct kernel_function *function, unsigned depth);

// NOLINTNEXTLINE(misc-no-recursion): KERNEL_DEPTH bounds it
static bool visit_region(struct kernel_front *f, const struct kernel_region *region, unsigned depth) {
    for (const struct kernel_op *op = region ? region->first : NULL; op; op = op->next) {
        if (!visit_region(f, op->region[0], depth) || !visit_region(f, op->region[1], depth)) return false;
        if (!op->function) continue;
        if (op->function->visiting)
            return pto_text_error(&f->text, &op->place, "expected no recursion: this function calls itself");
        if (depth == KERNEL_CALL_DEPTH)
            return pto_text_error(&f->text, &op->place, "expected at most %d calls inside one another",
                                  (int)KERNEL_CALL_DEPTH);
        if (!visit(f, op->function, depth + 1)) return false;
        for (size_t i = 0; i < op->in_count; i++)
            if (op->function->body.arguments[i]->is_stored && op->in[i]->root)
                op->in[i]->root->is_stored = true;
    }
    return true;
}

/* Checks the calls in a function, which is inside `depth` calls. A function that was checked at this depth or
 * a larger one is not checked again. */
// NOLINTNEXTLINE(misc-no-recursion): KERNEL_CALL_DEPTH bounds it
static bool visit(struct kernel_front *f, struct kernel_function *function, unsigned depth) {
    bool good;
    if (function->depth > depth) return true;
    function->depth = depth + 1;
    function->visiting = true;
    good = visit_region(f, &function->body, depth);
    function->visiting = false;
    return good;
}

bool pto_kernel_check_calls(struct kernel_front *f) {
    for (struct kernel_function *i = f->kernel->functions; i; i = i->next)
        if (!visit(f, i, 0)) return false;
    return true;
}

/* ---- running ---- */

static void copy_value(const struct kernel_machine *m, const struct kernel_value *from,
                       const struct kernel_value *to) {
    memmove(m->memory + to->at, m->memory + from->at, pto_kernel_value_bytes(&from->type));
}

/* Returns whether a copy to `to[i]` would change the source of a later copy. */
static bool overwrites(struct kernel_value *const *from, struct kernel_value *const *to, size_t count,
                       size_t i) {
    for (size_t k = i + 1; k < count; k++)
        if (from[k] == to[i]) return true;
    return false;
}

/* Copies `count` values. If a copy would change the source of a later copy, all values are first copied to
 * `spare`, the memory after the values: a loop may yield its own arguments in another order. */
static void copy_values(const struct kernel_machine *m, struct kernel_value *const *from,
                        struct kernel_value *const *to, size_t count) {
    unsigned char *spare = m->memory + m->kernel->memory_bytes;
    bool conflict = false;
    for (size_t i = 0; i < count && !conflict; i++) conflict = overwrites(from, to, count, i);
    for (size_t i = 0; i < count && !conflict; i++) copy_value(m, from[i], to[i]);
    if (!conflict) return;
    for (size_t i = 0; i < count; i++) {
        memcpy(spare, m->memory + from[i]->at, pto_kernel_value_bytes(&from[i]->type));
        spare += pto_kernel_value_bytes(&from[i]->type);
    }
    spare = m->memory + m->kernel->memory_bytes;
    for (size_t i = 0; i < count; i++) {
        memcpy(m->memory + to[i]->at, spare, pto_kernel_value_bytes(&from[i]->type));
        spare += pto_kernel_value_bytes(&from[i]->type);
    }
}

bool pto_kernel_run_for(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_region *body = op->region[0];
    const int64_t end = kernel_signed(m, op->in[1]), step = kernel_signed(m, op->in[2]);
    const unsigned bits = op->in[0]->type.bits;
    int64_t i = kernel_signed(m, op->in[0]);
    if (step <= 0)
        return pto_kernel_fail(m, op, NULL, PTO_ERR_SIZE, "the step of the loop is %lld, not positive",
                               (long long)step);
    copy_values(m, op->in + 3, body->arguments + 1, op->out_count);
    while (i < end) {
        kernel_set_bits(m, body->arguments[0], (uint64_t)i << (64 - bits) >> (64 - bits));
        if (!pto_kernel_spend(m, op) || !pto_kernel_run_region(m, body)) return false;
        copy_values(m, body->results, body->arguments + 1, op->out_count);
        if (__builtin_add_overflow(i, step, &i)) break;
    }
    copy_values(m, body->arguments + 1, op->out, op->out_count);
    return true;
}

bool pto_kernel_run_if(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_region *region = op->region[kernel_bits(m, op->in[0]) & 1 ? 0 : 1];
    if (!region) return true;
    if (!pto_kernel_run_region(m, region)) return false;
    copy_values(m, region->results, op->out, op->out_count);
    return true;
}

bool pto_kernel_run_scope(struct kernel_machine *m, const struct kernel_op *op) {
    return pto_kernel_run_region(m, op->region[0]);
}

bool pto_kernel_run_call(struct kernel_machine *m, const struct kernel_op *op) {
    const struct kernel_region *body = &op->function->body;
    copy_values(m, op->in, body->arguments, op->in_count);
    if (!pto_kernel_run_region(m, body)) return false;
    copy_values(m, body->results, op->out, op->out_count);
    return true;
}
