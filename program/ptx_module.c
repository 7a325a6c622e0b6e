/* SPDX-License-Identifier: MIT */
/* Parses the directives of PTX modules: kernels with their parameters, variables, and what describes the file. */
#include "ptx.h"

#include "number.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is skipped ---- */

static bool skip_kind(struct text *t, enum token_kind kind, const char *expected) {
    if (t->now.kind != kind) return pto_text_error(t, &t->now, "expected %s", expected);
    pto_text_next(t);
    return true;
}

static bool skip_numbers(struct text *t, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!skip_kind(t, TOKEN_NUMBER, "a number")) return false;
    return true;
}

/* Skips .target sm_90, debug after its first word. */
static bool skip_targets(struct text *t) {
    do {
        if (!skip_kind(t, TOKEN_WORD, "a target such as sm_90")) return false;
    } while (pto_text_take(t, ","));
    return true;
}

/* Skips .pragma "a", "b"; after its first word. */
static bool skip_pragma(struct text *t) {
    do {
        if (!skip_kind(t, TOKEN_STRING, "a text in quotes")) return false;
    } while (pto_text_take(t, ","));
    return pto_text_expect(t, ";");
}

/* Skips .file 1 "name"[, time, size] after its first word. */
static bool skip_file(struct text *t) {
    if (!skip_numbers(t, 1) || !skip_kind(t, TOKEN_STRING, "a name in quotes")) return false;
    while (pto_text_take(t, ","))
        if (!skip_numbers(t, 1)) return false;
    return true;
}

/* Skips .loc file line column[, function_name label[+n], inlined_at file line column] after its first word. */
static bool skip_location(struct text *t) {
    if (!skip_numbers(t, 3)) return false;
    while (pto_text_take(t, ",")) {
        if (pto_text_take(t, "inlined_at")) {
            if (!skip_numbers(t, 3)) return false;
        } else if (!pto_text_expect(t, "function_name") || !skip_kind(t, TOKEN_WORD, "a label") ||
                   (pto_text_take(t, "+") && !skip_numbers(t, 1))) {
            return false;
        }
    }
    return true;
}

static bool skip_section(struct text *t) {
    pto_text_next(t); /* its name */
    if (!pto_token_is(&t->now, "{")) return pto_text_expect(t, "{");
    return pto_text_skip_pair(t, "{", "}");
}

/* Returns whether `now` is one of these words, and if so reads the next token. */
static bool take_one_of(struct text *t, const char *const *words) {
    for (; *words; words++)
        if (pto_text_take(t, *words)) return true;
    return false;
}

/* ---- numbers and types ---- */

static bool read_number(struct text *t, uint64_t most, uint64_t *number) {
    const struct token token = t->now;
    if (token.kind != TOKEN_NUMBER || pto_number_bits(&token, false, PTO_U64, number) || *number > most)
        return pto_text_error(t, &token, "expected a number, %llu at most", (unsigned long long)most);
    pto_text_next(t);
    return true;
}

static bool read_alignment(struct text *t, uint64_t *align) {
    const struct token token = t->now;
    if (!read_number(t, 1024, align)) return false;
    return (*align != 0 && (*align & (*align - 1)) == 0) ||
           pto_text_error(t, &token, "expected a power of two");
}

/* Reads a type of memory, such as .u64. */
static bool read_type(struct text *t, pto_dtype *type) {
    const struct token token = t->now;
    char word[16] = "";
    if (token.kind == TOKEN_WORD && token.length > 1 && token.length < sizeof word)
        memcpy(word, token.at + 1, token.length - 1);
    if (token.kind != TOKEN_WORD || token.at[0] != '.' || pto_parse_dtype(word, type, NULL) != PTO_OK ||
        pto_dtype_bits(*type) % 8 != 0)
        return pto_text_error(t, &token, "expected a type, such as .u64 or .f32");
    pto_text_next(t);
    return true;
}

/* A declared parameter or variable. */
struct declaration {
    struct token name;
    pto_dtype type;
    uint64_t align, elements; /* elements: 0 for an array whose size is not given */
    bool is_pointer, has_size;
};

static uint64_t aligned(uint64_t offset, uint64_t align) {
    return (offset + align - 1) / align * align;
}

enum {
    MOST_BYTES = 1 << 26, /* of a variable, so that a short text cannot exhaust memory */
    DYNAMIC_ALIGN = 128   /* alignment of dynamic shared memory */
};

/* Reads the name of a declaration and its dimensions. */
static bool read_name(struct text *t, struct declaration *d) {
    d->name = t->now;
    if (d->name.kind != TOKEN_WORD) return pto_text_error(t, &d->name, "expected a name");
    pto_text_next(t);
    while (pto_text_take(t, "[")) {
        uint64_t n = 0;
        if (!pto_token_is(&t->now, "]") && !read_number(t, MOST_BYTES, &n)) return false;
        d->elements *= n;
        d->has_size = true;
        if (d->elements > MOST_BYTES)
            return pto_text_error(t, &d->name, "expected at most %d bytes", (int)MOST_BYTES);
        if (!pto_text_expect(t, "]")) return false;
    }
    return true;
}

/* Reads [.align N] [.v2] type. */
static bool read_declared_type(struct text *t, struct declaration *d) {
    uint64_t align = 0;
    *d = (struct declaration){.elements = 1};
    if (pto_text_take(t, ".align") && !read_alignment(t, &align)) return false;
    if (pto_text_take(t, ".v2"))
        d->elements = 2;
    else if (pto_text_take(t, ".v4"))
        d->elements = 4;
    if (!read_type(t, &d->type)) return false;
    d->align = pto_dtype_bits(d->type) / 8 * d->elements;
    if (align > d->align) d->align = align;
    return true;
}

/* ---- names of addresses ---- */

static bool add_symbol(struct ptx *x, const struct token *name, enum space space, uint64_t address,
                       int scope) {
    if (x->symbol_count == x->symbol_capacity) {
        const size_t capacity = 2 * x->symbol_capacity + 16;
        struct symbol *grown = realloc(x->symbols, capacity * sizeof *grown);
        if (!grown) return pto_ptx_no_memory(x);
        x->symbols = grown;
        x->symbol_capacity = capacity;
    }
    x->symbols[x->symbol_count++] =
        (struct symbol){.name = *name, .space = space, .address = address, .scope = scope};
    return true;
}

static int current_scope(const struct ptx *x) {
    return x->kernel ? x->scopes[x->depth - 1] : MODULE_SCOPE;
}

/* ---- variables ---- */

/* Reads one initial value into element *count of `data`. */
static bool read_value(struct text *t, const struct declaration *d, unsigned char *data, uint64_t *count) {
    const bool minus = pto_text_take(t, "-");
    const size_t bytes = pto_dtype_bits(d->type) / 8;
    uint64_t bits = 0;
    const char *error = pto_number_bits(&t->now, minus, d->type, &bits);
    if (error) return pto_text_error(t, &t->now, "%s", error);
    if (*count == d->elements) return pto_text_error(t, &t->now, "expected no more values than elements");
    memcpy(data + *count * bytes, &bits, bytes);
    pto_text_next(t);
    ++*count;
    return true;
}

/* Reads a value, or the values of an array in nested braces. */
static bool read_values(struct text *t, const struct declaration *d, unsigned char *data) {
    uint64_t count = 0;
    size_t depth = 0;
    do {
        while (pto_text_take(t, "{")) depth++;
        if (!pto_token_is(&t->now, "}") && !read_value(t, d, data, &count)) return false;
        while (depth != 0 && pto_text_take(t, "}")) depth--;
    } while (depth != 0 && pto_text_take(t, ","));
    return depth == 0 || pto_text_expect(t, "}");
}

/* Counts the values of the initialiser that begins at `now`. */
static uint64_t count_values(const struct text *t) {
    struct text ahead = *t;
    uint64_t count = 0;
    while (ahead.now.kind != TOKEN_END && !pto_token_is(&ahead.now, ";")) {
        count += ahead.now.kind == TOKEN_NUMBER;
        pto_text_next(&ahead);
    }
    return count;
}

/* Adds a variable in global or constant memory. */
static bool add_variable(struct ptx *x, struct declaration *d, bool is_writable) {
    pto_module *m = x->module;
    struct text *t = &x->text;
    const bool has_values = pto_text_take(t, "=");
    const uint64_t address = (uint64_t)(FIRST_WINDOW + m->variable_count) << WINDOW_SHIFT;
    struct variable *grown, *v;
    if (has_values && d->elements == 0) d->elements = count_values(t);
    grown = realloc(m->variables, (m->variable_count + 1) * sizeof *grown);
    if (!grown) return pto_ptx_no_memory(x);
    m->variables = grown;
    v = &grown[m->variable_count];
    v->bytes = d->elements * (pto_dtype_bits(d->type) / 8);
    v->is_writable = is_writable;
    v->name = pto_duplicate_text(d->name.at, d->name.length);
    v->data = calloc(1, v->bytes + 1);
    m->variable_count++;
    if (!v->name || !v->data) return pto_ptx_no_memory(x);
    if (has_values && !read_values(t, d, v->data)) return false;
    return add_symbol(x, &d->name, SPACE_GLOBAL, address, current_scope(x));
}

/* Adds an array in shared or local memory of a kernel. A module's own shared arrays are in all of its kernels: each
 * kernel has the memory of all that the text declares before its end. */
static bool add_block_variable(struct ptx *x, const struct declaration *d, enum space space, size_t *bytes) {
    const uint64_t address = aligned(*bytes, d->align);
    if (pto_token_is(&x->text.now, "="))
        return pto_text_error(&x->text, &x->text.now, "this memory has no initial values");
    *bytes = address + d->elements * (pto_dtype_bits(d->type) / 8);
    if (*bytes > MOST_BYTES)
        return pto_text_error(&x->text, &d->name, "expected at most %d bytes", (int)MOST_BYTES);
    return add_symbol(x, &d->name, space, address, current_scope(x));
}

/* Reads the declaration of variables that follows .global, .const, .shared or .local. */
static bool read_variables(struct ptx *x, const struct token *where, bool is_extern) {
    struct text *t = &x->text;
    struct declaration first, d;
    if (!read_declared_type(t, &first)) return false;
    do {
        bool good;
        d = first;
        if (!read_name(t, &d)) return false;
        if (pto_token_is(where, ".shared")) {
            if (d.elements == 0) {
                good = add_symbol(x, &d.name, SPACE_SHARED, 0, current_scope(x));
                if (good) x->symbols[x->symbol_count - 1].is_dynamic = true;
            } else {
                good = add_block_variable(x, &d, SPACE_SHARED,
                                          x->kernel ? &x->kernel->shared_bytes : &x->shared_bytes);
            }
        } else if (is_extern) {
            return pto_text_error(t, &d.name,
                                  "external variables are not supported: this one is not in the text");
        } else if (pto_token_is(where, ".local")) {
            if (!x->kernel) return pto_text_error(t, where, "local variables belong into a kernel");
            good = add_block_variable(x, &d, SPACE_LOCAL, &x->kernel->local_bytes);
        } else {
            good = add_variable(x, &d, pto_token_is(where, ".global"));
        }
        if (!good) return false;
    } while (pto_text_take(t, ","));
    return pto_text_expect(t, ";");
}

static bool is_variable_space(const struct token *word) {
    return pto_token_is(word, ".global") || pto_token_is(word, ".const") || pto_token_is(word, ".shared") ||
           pto_token_is(word, ".local");
}

static bool read_directive(struct ptx *x) {
    static const char *const unsupported[] = {".branchtargets", ".calltargets", ".callprototype",
                                              ".param",         ".alias",       NULL};
    const struct token word = x->text.now;
    pto_text_next(&x->text);
    if (pto_token_is(&word, ".loc")) return skip_location(&x->text);
    if (pto_token_is(&word, ".pragma")) return skip_pragma(&x->text);
    if (is_variable_space(&word)) return read_variables(x, &word, false);
    for (size_t i = 0; unsupported[i]; i++)
        if (pto_token_is(&word, unsupported[i]))
            return pto_text_error(&x->text, &word, "calls are not supported");
    return pto_text_error(&x->text, &word, "expected a directive such as .reg, .shared or .loc");
}

/* ---- parameters ---- */

/* Reads .ptr [.space] [.align N]. */
static bool read_pointer_words(struct text *t) {
    static const char *const spaces[] = {".global", ".const", ".shared", ".local", NULL};
    uint64_t align = 0;
    (void)take_one_of(t, spaces);
    return !pto_text_take(t, ".align") || read_alignment(t, &align);
}

static bool read_parameter(struct ptx *x, struct ptx_kernel *k) {
    struct text *t = &x->text;
    struct declaration d;
    pto_parameter *parameters, *p;
    size_t *places;
    if (!pto_text_expect(t, ".param") || !read_declared_type(t, &d)) return false;
    d.is_pointer = pto_text_take(t, ".ptr");
    if (d.is_pointer && !read_pointer_words(t)) return false;
    if (!read_name(t, &d)) return false;
    parameters = realloc(k->parameters, (k->parameter_count + 1) * sizeof *parameters);
    if (parameters) k->parameters = parameters;
    places = realloc(k->places, (k->parameter_count + 1) * sizeof *places);
    if (places) k->places = places;
    if (!parameters || !places) return pto_ptx_no_memory(x);
    p = &parameters[k->parameter_count];
    *p = (pto_parameter){.name = pto_duplicate_text(d.name.at, d.name.length),
                         .type = d.type,
                         .bytes = d.elements * (pto_dtype_bits(d.type) / 8),
                         .pointer = d.is_pointer};
    if (!p->name) return pto_ptx_no_memory(x);
    places[k->parameter_count++] = aligned(k->parameter_bytes, d.align);
    k->parameter_bytes = places[k->parameter_count - 1] + p->bytes;
    if (k->parameter_bytes > MOST_BYTES) return pto_text_error(t, &d.name, "expected smaller parameters");
    return add_symbol(x, &d.name, SPACE_PARAMETER, places[k->parameter_count - 1], 0);
}

static bool read_parameters(struct ptx *x, struct ptx_kernel *k) {
    struct text *t = &x->text;
    if (!pto_text_take(t, "(")) return true;
    if (pto_text_take(t, ")")) return true;
    do {
        if (!read_parameter(x, k)) return false;
    } while (pto_text_take(t, ","));
    return pto_text_expect(t, ")");
}

/* ---- kernels ---- */

static bool read_dim3(struct text *t, pto_dim3 *dim) {
    uint32_t *const parts[] = {&dim->x, &dim->y, &dim->z};
    *dim = (pto_dim3){1, 1, 1};
    for (size_t i = 0; i < 3; i++) {
        uint64_t n = 1;
        if (i != 0 && !pto_text_take(t, ",")) return true;
        if (!read_number(t, UINT32_MAX, &n)) return false;
        *parts[i] = (uint32_t)n;
    }
    return true;
}

/* Reads what stands between the parameters and the body. */
static bool read_performance_words(struct ptx *x, struct ptx_kernel *k) {
    static const char *const with_number[] = {".minnctapersm", ".maxnctapersm", ".maxnreg", NULL};
    struct text *t = &x->text;
    uint64_t number = 0;
    while (!pto_token_is(&t->now, "{")) {
        if (pto_text_take(t, ".reqntid")) {
            if (!read_dim3(t, &k->required)) return false;
        } else if (pto_text_take(t, ".maxntid")) {
            if (!read_dim3(t, &k->most)) return false;
        } else if (take_one_of(t, with_number)) {
            if (!read_number(t, UINT32_MAX, &number)) return false;
        } else if (pto_text_take(t, ".pragma")) {
            if (!skip_pragma(t)) return false;
        } else if (!pto_text_take(t, ".noreturn")) {
            return pto_text_error(t, &t->now, "expected '{', or a directive such as .reqntid");
        }
    }
    pto_text_next(t);
    return true;
}

/* Makes the kernel whose text follows the current one in x->kernel. */
static bool begin_kernel(struct ptx *x, const struct token *name) {
    pto_module *m = x->module;
    struct ptx_kernel *grown = realloc(m->kernels, (m->kernel_count + 1) * sizeof *grown);
    if (!grown) return pto_ptx_no_memory(x);
    m->kernels = grown;
    x->kernel = &grown[m->kernel_count];
    memset(x->kernel, 0, sizeof *x->kernel);
    m->kernel_count++;
    x->kernel->name = pto_duplicate_text(name->at, name->length);
    x->kernel->shared_bytes = x->shared_bytes;
    x->program = &x->kernel->code;
    x->scopes[0] = x->last_scope = 0;
    x->depth = 1;
    return x->kernel->name || pto_ptx_no_memory(x);
}

static bool is_kernel_name(const struct ptx *x, const struct token *name) {
    for (size_t i = 0; i < x->module->kernel_count; i++)
        if (pto_token_is(name, x->module->kernels[i].name)) return true;
    return false;
}

/* Reads the name, the parameters and the directives of a kernel, up to its body. An error in them is recorded as a
 * problem of the kernel, and the text then continues at the body. Returns false if there is no body. */
static bool parse_head(struct ptx *x) {
    const struct token name = x->text.now;
    struct text *t = &x->text;
    pto_text_next(t);
    if (read_parameters(x, x->kernel) && read_performance_words(x, x->kernel)) return true;
    if (!pto_ptx_keep_problem(x, &name)) return false;
    while (t->now.kind != TOKEN_END && !pto_token_is(&t->now, "{") && !pto_token_is(&t->now, ";"))
        pto_text_next(t);
    return pto_text_expect(t, "{");
}

/* Completes a kernel whose text has been read. */
static bool end_kernel(struct ptx *x) {
    struct ptx_kernel *k = x->kernel;
    k->shared_bytes = aligned(k->shared_bytes, DYNAMIC_ALIGN); /* where the dynamic part begins */
    if (!pto_kernel_mark_pointers(k)) return pto_ptx_no_memory(x);
    if (!k->problem) return pto_ir_index(&k->code) || pto_ptx_no_memory(x);
    pto_ir_free(&k->code);
    memset(&k->code, 0, sizeof k->code);
    return true;
}

static bool parse_kernel(struct ptx *x) {
    const struct token name = x->text.now;
    const size_t symbols = x->symbol_count;
    bool good;
    if (name.kind != TOKEN_WORD) return pto_text_error(&x->text, &name, "expected the name of a kernel");
    if (is_kernel_name(x, &name))
        return pto_text_error(&x->text, &name, "there is a kernel of this name already");
    if (!begin_kernel(x, &name)) return false;
    good = parse_head(x) && pto_ptx_parse_body(x);
    good = pto_ptx_end_survey(x) && good && end_kernel(x);
    x->symbol_count = symbols;
    x->kernel = NULL;
    x->program = NULL;
    return good;
}

/* Skips a .func. Kernels cannot call functions, because `call` is not supported. */
static bool skip_function(struct text *t) {
    while (t->now.kind != TOKEN_END && !pto_token_is(&t->now, "{") && !pto_token_is(&t->now, ";"))
        pto_text_next(t);
    if (pto_text_take(t, ";")) return true;
    if (!pto_token_is(&t->now, "{")) return pto_text_expect(t, "{");
    return pto_text_skip_pair(t, "{", "}");
}

/* ---- the module ---- */

static bool read_address_size(struct text *t) {
    const struct token token = t->now;
    uint64_t size = 0;
    if (!read_number(t, 64, &size)) return false;
    return size == 64 || pto_text_error(t, &token, "expected 64: addresses of 32 bits are not supported");
}

static bool parse_part(struct ptx *x) {
    static const char *const linking[] = {".visible", ".weak", ".common", NULL};
    struct text *t = &x->text;
    struct token word;
    bool is_extern = false;
    while (take_one_of(t, linking) || pto_token_is(&t->now, ".extern"))
        is_extern |= pto_text_take(t, ".extern");
    word = t->now;
    pto_text_next(t);
    if (pto_token_is(&word, ".version")) return skip_numbers(t, 1);
    if (pto_token_is(&word, ".target")) return skip_targets(t);
    if (pto_token_is(&word, ".file")) return skip_file(t);
    if (pto_token_is(&word, ".address_size")) return read_address_size(t);
    if (pto_token_is(&word, ".section")) return skip_section(t);
    if (pto_token_is(&word, ".pragma")) return skip_pragma(t);
    if (pto_token_is(&word, ".entry")) return parse_kernel(x);
    if (pto_token_is(&word, ".func")) return skip_function(t);
    if (is_variable_space(&word)) return read_variables(x, &word, is_extern);
    return pto_text_error(t, &word, "expected a directive such as .version, .visible or .entry");
}

/* Reports an error if the module has no kernel that can be launched. */
static bool check_kernels(struct ptx *x) {
    const pto_module *m = x->module;
    if (m->kernel_count == 0)
        return pto_text_error(&x->text, &x->text.now, "expected a kernel, .entry, in the text");
    for (size_t i = 0; i < m->kernel_count; i++)
        if (!m->kernels[i].problem || m->options.survey) return true;
    *x->text.error = *m->kernels[0].problem;
    return false;
}

bool pto_ptx_parse_module(struct ptx *x) {
    bool good = true;
    x->directive = read_directive;
    while (good && x->text.now.kind != TOKEN_END) good = parse_part(x);
    free(x->symbols);
    return good && check_kernels(x);
}
