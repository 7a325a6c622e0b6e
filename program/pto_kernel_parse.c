/* SPDX-License-Identifier: MIT */
/* Parses kernel programs: modules, functions and statements. */
#include "pto_kernel.h"

#include <stdlib.h>
#include <string.h>

/* ---- the header of a function ---- */

static bool is_function(const struct token *t) {
    return pto_token_is(t, "func.func") || pto_token_is(t, "func");
}

/* Skips attributes in braces and sets *is_kernel if one of them makes the function a kernel. */
static bool read_function_attributes(struct text *t, bool *is_kernel) {
    struct text inside = *t;
    size_t depth = 0;
    if (!pto_token_is(&t->now, "{")) return true;
    do {
        if (pto_token_is(&inside.now, "{")) depth++;
        if (pto_token_is(&inside.now, "}")) depth--;
        if (pto_token_is(&inside.now, "pto.kernel") || pto_token_is(&inside.now, "pto.aicore"))
            *is_kernel = true;
        pto_kernel_next(&inside);
    } while (depth != 0 && inside.now.kind != TOKEN_END);
    return pto_kernel_skip_pair(t, "{", "}");
}

/* Reads "%a: type {attributes}", or a type without a name. */
static bool read_argument(struct kernel_front *f, struct kernel_function *function,
                          struct kernel_value **to) {
    struct kernel_written type;
    const struct token name = f->text.now;
    bool ignored = false;
    if (kernel_is_name(&name)) {
        pto_kernel_next(&f->text);
        if (!pto_kernel_expect(&f->text, ":")) return false;
    }
    if (!pto_kernel_type_read(f, &type) || !read_function_attributes(&f->text, &ignored)) return false;
    if (type.type.kind == KERNEL_POINTER && type.type.is_global) function->has_global_pointer = true;
    *to = pto_kernel_value(f, kernel_is_name(&name) ? &name : NULL, type.type);
    return *to != NULL && pto_kernel_skip_location(&f->text);
}

static bool read_arguments(struct kernel_front *f, struct kernel_function *function) {
    struct kernel_value *read[KERNEL_OPERANDS];
    size_t count = 0;
    if (!pto_kernel_expect(&f->text, "(")) return false;
    if (!pto_kernel_take(&f->text, ")")) {
        do {
            if (count == KERNEL_OPERANDS)
                return pto_text_error(&f->text, &f->text.now, "expected at most %d arguments",
                                      (int)KERNEL_OPERANDS);
            if (!read_argument(f, function, &read[count++])) return false;
        } while (pto_kernel_take(&f->text, ","));
        if (!pto_kernel_expect(&f->text, ")")) return false;
    }
    function->body.arguments = pto_kernel_allocate(f, (count + 1) * sizeof(struct kernel_value *));
    if (!function->body.arguments) return false;
    memcpy(function->body.arguments, read, count * sizeof(struct kernel_value *));
    function->body.argument_count = count;
    return true;
}

static bool read_function_results(struct kernel_front *f, struct kernel_function *function) {
    struct kernel_written read[KERNEL_RESULTS];
    size_t count = 0;
    if (!pto_kernel_take(&f->text, "->")) return true;
    if (!pto_kernel_type_list(f, read, KERNEL_RESULTS, &count)) return false;
    function->result = pto_kernel_allocate(f, (count + 1) * sizeof *function->result);
    if (!function->result) return false;
    for (size_t i = 0; i < count; i++) function->result[i] = read[i].type;
    function->result_count = count;
    return true;
}

static struct kernel_function *find_function(const struct kernel *k, const struct token *name) {
    for (struct kernel_function *i = k->functions; i; i = i->next)
        if (i->name.length == name->length && memcmp(i->name.at, name->at, name->length) == 0) return i;
    return NULL;
}

/* Reads "private @name(%a: type) -> type attributes {...}", after func.func, up to its body. */
static struct kernel_function *read_header(struct kernel_front *f) {
    struct kernel_function *function = pto_kernel_allocate(f, sizeof *function);
    struct text start;
    if (!function) return NULL;
    function->is_private = pto_kernel_take(&f->text, "private");
    if (!function->is_private) (void)pto_kernel_take(&f->text, "public");
    if (!pto_kernel_expect(&f->text, "@")) return NULL;
    function->name = f->text.now;
    if (function->name.kind != TOKEN_WORD) {
        (void)pto_text_error(&f->text, &function->name, "expected the name of a function");
        return NULL;
    }
    pto_kernel_next(&f->text);
    start = f->text;
    if ((!read_arguments(f, function) || !read_function_results(f, function)) &&
        !pto_kernel_recover_function(f, function, &start))
        return NULL;
    if (pto_kernel_take(&f->text, "attributes") && !read_function_attributes(&f->text, &function->is_kernel))
        return NULL;
    function->has_body = pto_token_is(&f->text.now, "{");
    return function;
}

/* Reads the headers of all functions, so that a call may come before the function in the text. */
static bool read_headers(struct kernel_front *f) {
    struct kernel_function **last = &f->kernel->functions;
    while (f->text.now.kind != TOKEN_END) {
        struct kernel_function *function;
        if (!is_function(&f->text.now)) {
            pto_kernel_next(&f->text);
            continue;
        }
        pto_kernel_next(&f->text);
        function = read_header(f);
        if (!function) return false;
        if (find_function(f->kernel, &function->name) && function->has_body &&
            find_function(f->kernel, &function->name)->has_body)
            return pto_text_error(&f->text, &function->name,
                                  "expected a new name: another function has this one");
        *last = function;
        last = &function->next;
    }
    return true;
}

/* ---- recognition ---- */

/* Whether a function has arguments that point to global memory, or to the unified buffer. */
struct pointers {
    bool global, buffer;
};

/* Skips the arguments of a function, from "(" on, and returns what they point to. */
static struct pointers skip_arguments(struct text *t) {
    struct pointers found = {false, false};
    size_t depth = 0;
    do {
        if (pto_token_is(&t->now, "(")) depth++;
        if (pto_token_is(&t->now, ")")) depth--;
        found.global = found.global || pto_token_is(&t->now, "gm");
        found.buffer = found.buffer || pto_token_is(&t->now, "ub");
        pto_kernel_next(t);
    } while (depth != 0 && t->now.kind != TOKEN_END);
    return found;
}

/* Returns whether the function at the current token is a kernel: it has a pointer to global memory, or it has
 * a kernel attribute and no pointer to the unified buffer. A run cannot pass arrays in the unified buffer; a
 * text with only such functions is a program over lanes (pto.h). */
static bool is_kernel_function(struct text *t) {
    struct pointers pointers = {false, false};
    bool has_attribute = false;
    while (t->now.kind != TOKEN_END && !pto_token_is(&t->now, "(") && !pto_token_is(&t->now, "{"))
        pto_kernel_next(t);
    if (pto_token_is(&t->now, "(")) pointers = skip_arguments(t);
    while (t->now.kind != TOKEN_END && !pto_token_is(&t->now, "{") && !pto_token_is(&t->now, "attributes"))
        pto_kernel_next(t);
    if (pto_kernel_take(t, "attributes")) (void)read_function_attributes(t, &has_attribute);
    return pointers.global || (has_attribute && !pointers.buffer);
}

bool pto_kernel_recognize(const char *text) {
    pto_program_error none;
    struct text t = pto_text_open(text, &none);
    while (t.now.kind != TOKEN_END) {
        const bool function = is_function(&t.now);
        pto_kernel_next(&t);
        if (function && is_kernel_function(&t)) return true;
    }
    return false;
}

/* ---- statements ---- */

static bool begins_with(const struct token *token, const char *word) {
    const size_t length = strlen(word);
    return token->length > length && memcmp(token->at, word, length) == 0;
}

/* Reads "%a, %b = " or "%r:2 = ", and the opcode. */
static bool read_results(struct kernel_front *f, struct kernel_call *c) {
    do {
        const struct token name = f->text.now;
        uint64_t count = 1;
        if (!kernel_is_name(&name)) return pto_text_error(&f->text, &name, "expected a name, such as %%a");
        pto_kernel_next(&f->text);
        if (pto_kernel_take(&f->text, ":")) {
            const struct kernel_type index = pto_kernel_index();
            if (!pto_kernel_number(f, &f->text.now, false, &index, &count)) return false;
            pto_kernel_next(&f->text);
        }
        if (count == 0 || count > KERNEL_RESULTS - c->result_count)
            return pto_text_error(&f->text, &name, "expected 1 to %d results", (int)KERNEL_RESULTS);
        while (count-- != 0) c->result[c->result_count++] = name;
    } while (pto_kernel_take(&f->text, ","));
    return pto_kernel_expect(&f->text, "=");
}

/* Gives the results of "%r:2 = ..." the names %r#0 and %r#1, which are stored in memory of the program. */
static bool name_results(struct kernel_front *f, struct kernel_call *c) {
    for (size_t i = 0, k = 0; i < c->result_count; i++) {
        const bool repeats = (i != 0 && c->result[i].at == c->result[i - 1].at) ||
                             (i + 1 < c->result_count && c->result[i].at == c->result[i + 1].at);
        char *name;
        k = i != 0 && c->result[i].at == c->result[i - 1].at ? k + 1 : 0;
        if (!repeats) continue;
        name = pto_kernel_allocate(f, c->result[i].length + 3);
        if (!name) return false;
        memcpy(name, c->result[i].at, c->result[i].length);
        name[c->result[i].length] = '#';
        if (k >= 10) name[c->result[i].length + 1] = (char)('0' + k / 10);
        name[c->result[i].length + (k >= 10 ? 2 : 1)] = (char)('0' + k % 10);
        c->result[i].at = name;
        c->result[i].length += k >= 10 ? 3 : 2;
    }
    return true;
}

/* Reads an operation of the table. */
static struct kernel_op *read_operation(struct kernel_front *f, struct kernel_call *c) {
    const char *word = c->opcode.at;
    size_t length = c->opcode.length;
    if (c->opcode.kind == TOKEN_STRING) {
        word++;
        length = length < 2 ? 0 : length - 2;
    }
    if (length < 5 || memcmp(word, "pto.", 4) != 0) {
        (void)pto_text_error(&f->text, &c->opcode, "expected an operation of pto, arith, scf or func");
        return NULL;
    }
    c->name = word + 4;
    c->name_length = length - 4;
    if (c->name_length > 3 && memcmp(c->name, "mi.", 3) == 0) {
        c->name += 3;
        c->name_length -= 3;
    }
    if (c->name_length > 4 && memcmp(c->name, "vmi.", 4) == 0) {
        c->is_vmi = true;
        c->name += 4;
        c->name_length -= 4;
    }
    c->operation = pto_kernel_row(c);
    if (!c->operation) {
        (void)pto_kernel_unknown(f, c);
        return NULL;
    }
    return pto_kernel_call_read(f, c) && pto_kernel_check(f, c) ? c->op : NULL;
}

static bool is_scope(const struct token *opcode) {
    return pto_token_is(opcode, "pto.vecscope") || pto_token_is(opcode, "pto.strict_vecscope") ||
           pto_token_is(opcode, "pto.section.vector");
}

/* Reads one statement, from its opcode on. Sets *op to NULL if the statement needs no op. */
static bool read_statement(struct kernel_front *f, struct kernel_call *c, struct kernel_op **op) {
    c->opcode = f->text.now;
    if (!pto_kernel_count(f, &c->opcode)) return false;
    pto_kernel_next(&f->text);
    if (pto_token_is(&c->opcode, "scf.for")) return (*op = pto_kernel_for(f, c)) != NULL;
    if (pto_token_is(&c->opcode, "scf.if")) return (*op = pto_kernel_if(f, c)) != NULL;
    if (is_scope(&c->opcode)) return (*op = pto_kernel_scope(f, c)) != NULL;
    if (pto_token_is(&c->opcode, "func.call") || pto_token_is(&c->opcode, "call"))
        return (*op = pto_kernel_call_of(f, c)) != NULL;
    if (begins_with(&c->opcode, "arith.") || begins_with(&c->opcode, "llvm."))
        return pto_kernel_arith(f, c, op);
    return (*op = read_operation(f, c)) != NULL;
}

static bool is_end(const struct token *opcode) {
    return pto_token_is(opcode, "scf.yield") || pto_token_is(opcode, "return") ||
           pto_token_is(opcode, "func.return");
}

/* Reads a statement that is not the end of a region. Sets *op to NULL if the statement needs no op. */
static bool read_inner_statement(struct kernel_front *f, struct kernel_op **op) {
    struct kernel_call *c = calloc(1, sizeof *c);
    bool good;
    if (!c) return pto_text_error(&f->text, &f->text.now, "there is not enough memory");
    good = (!kernel_is_name(&f->text.now) || (read_results(f, c) && name_results(f, c))) &&
           read_statement(f, c, op);
    free(c);
    return good;
}

/* Reads a statement and appends its op to the region; **last is the end of the list of ops. Sets *ended if
 * the statement is scf.yield or return. */
static bool statement(struct kernel_front *f, struct kernel_region *region, struct kernel_op ***last,
                      bool *ended) {
    const struct text start = f->text;
    const size_t use = f->survey ? f->survey->count : 0;
    struct kernel_op *op = NULL;
    bool good;
    *ended = is_end(&start.now);
    if (*ended) {
        if (!pto_kernel_count(f, &start.now)) return false;
        pto_kernel_next(&f->text);
        good = pto_kernel_yield(f, region);
        region->is_unknown = !good;
    } else {
        good = read_inner_statement(f, &op);
    }
    if (!good) return pto_kernel_recover(f, &start, use);
    if (op) {
        **last = op;
        *last = &op->next;
    }
    return true;
}

/* Reads the statements of a region, up to the "}". */
static bool read_statements(struct kernel_front *f, struct kernel_region *region) {
    struct kernel_op **last = &region->first;
    bool ended = false;
    if (f->depth == KERNEL_DEPTH)
        return pto_text_error(&f->text, &f->text.now, "expected at most %d regions inside one another",
                              (int)KERNEL_DEPTH);
    f->depth++;
    while (!pto_token_is(&f->text.now, "}")) {
        if (f->text.now.kind == TOKEN_END) return pto_text_error(&f->text, &f->text.now, "expected '}'");
        if (ended)
            return pto_text_error(&f->text, &f->text.now,
                                  "expected '}': nothing may follow scf.yield or return");
        if (!statement(f, region, &last, &ended)) return false;
    }
    f->depth--;
    return true;
}

static bool read_region(struct kernel_front *f, struct kernel_region *region) {
    if (!read_statements(f, region)) {
        if (f->survey) f->survey->is_unbalanced = true;
        return false;
    }
    pto_kernel_next(&f->text);
    return pto_kernel_skip_location(&f->text);
}

/* ---- functions and modules ---- */

static bool read_body(struct kernel_front *f, struct kernel_function *function) {
    const size_t mark = pto_kernel_open_names(f);
    bool good = true;
    for (size_t i = 0; i < function->body.argument_count && good; i++) {
        struct kernel_value *argument = function->body.arguments[i];
        if (argument->type.kind == KERNEL_POINTER && argument->type.is_global) argument->root = argument;
        if (argument->name.length != 0) good = pto_kernel_alias(f, &argument->name, argument);
    }
    f->function = function;
    good = good && pto_kernel_expect(&f->text, "{") && read_region(f, &function->body);
    pto_kernel_close_names(f, mark);
    if (!good) return false;
    if (!function->body.is_unknown && function->body.result_count != function->result_count)
        return pto_text_error(&f->text, &function->name, "expected a return of %zu values at its end",
                              function->result_count);
    return true;
}

/* Skips a header that read_headers() has read, and reads the body. */
static bool read_function(struct kernel_front *f) {
    struct kernel_function *function;
    while (!pto_kernel_take(&f->text, "@")) pto_kernel_next(&f->text);
    function = f->kernel->functions;
    while (function && function->name.at != f->text.now.at) function = function->next;
    pto_kernel_next(&f->text);
    if (!pto_kernel_skip_pair(&f->text, "(", ")")) return false;
    if (pto_token_is(&f->text.now, "->")) pto_kernel_skip_results(&f->text);
    if (pto_kernel_take(&f->text, "attributes") && !pto_kernel_skip_pair(&f->text, "{", "}")) return false;
    if (!function || !pto_token_is(&f->text.now, "{")) return true;
    return read_body(f, function);
}

/* Reads modules and functions, up to the end of the text or of a module. */
static bool read_items(struct kernel_front *f) {
    size_t depth = 0;
    while (f->text.now.kind != TOKEN_END) {
        const struct token now = f->text.now;
        pto_kernel_next(&f->text);
        if (pto_token_is(&now, "module") || pto_token_is(&now, "builtin.module")) {
            if (pto_kernel_take(&f->text, "@")) pto_kernel_next(&f->text);
            if (pto_kernel_take(&f->text, "attributes") && !pto_kernel_skip_pair(&f->text, "{", "}"))
                return false;
            if (!pto_kernel_expect(&f->text, "{")) return false;
            depth++;
        } else if (is_function(&now)) {
            if (!read_function(f)) return false;
        } else if (pto_token_is(&now, "}") && depth != 0) {
            depth--;
            if (pto_token_is(&f->text.now, "{") && !pto_kernel_skip_pair(&f->text, "{", "}")) return false;
            if (!pto_kernel_skip_location(&f->text)) return false;
        } else if (pto_token_is(&now, "#")) { /* an alias, such as #loc1 = loc("a") */
            pto_kernel_next(&f->text);
            if (!pto_kernel_expect(&f->text, "=")) return false;
            pto_kernel_next(&f->text);
            if (pto_token_is(&f->text.now, "(") && !pto_kernel_skip_pair(&f->text, "(", ")")) return false;
        } else {
            return pto_text_error(&f->text, &now, "expected module or func.func");
        }
    }
    return depth == 0 || pto_text_error(&f->text, &f->text.now, "expected '}'");
}

/* If no function of the text has a kernel attribute, the functions with a pointer to global memory are the
 * kernels. */
static void mark_kernels(struct kernel *k) {
    for (const struct kernel_function *i = k->functions; i; i = i->next)
        if (i->is_kernel) return;
    for (struct kernel_function *i = k->functions; i; i = i->next)
        i->is_kernel = i->has_global_pointer && i->has_body && !i->is_private;
}

static struct kernel_function *only_kernel(const struct kernel *k) {
    struct kernel_function *only = NULL;
    for (struct kernel_function *i = k->functions; i; i = i->next) {
        if (!i->is_kernel || !i->has_body) continue;
        if (only) return NULL;
        only = i;
    }
    return only;
}

static bool parse(struct kernel_front *f) {
    struct text begin = f->text;
    struct kernel_function *only;
    if (!f->survey && !pto_kernel_refuse(f)) return false;
    f->text = begin;
    if (!read_headers(f)) return false;
    f->text = begin;
    if (!read_items(f)) return false;
    mark_kernels(f->kernel);
    if (!pto_kernel_check_calls(f)) return f->survey != NULL;
    if (f->survey) return true;
    only = only_kernel(f->kernel);
    if (only && !pto_kernel_list(f->program, only))
        return pto_text_error(&f->text, &f->text.now, "there is not enough memory");
    return true;
}

bool pto_kernel_parse(pto_program *program, const char *text, struct kernel_survey *survey,
                      pto_program_error *error) {
    struct kernel_front f = {.program = program, .read_region = read_region, .survey = survey};
    bool good;
    program->kernel = calloc(1, sizeof *program->kernel);
    f.kernel = program->kernel;
    if (f.kernel) f.kernel->text = strdup(text);
    f.text = pto_text_open(f.kernel && f.kernel->text ? f.kernel->text : "", error);
    if (!f.kernel || !f.kernel->text)
        return pto_text_error(&f.text, &f.text.now, "there is not enough memory");
    good = parse(&f);
    free(f.symbol);
    return good;
}
