/* SPDX-License-Identifier: MIT */
/* Parses the statements of PTO text: functions, scopes, and the parts of an operation. pto_operations.c
 * checks the operations. */
#include "pto.h"

#include <stdlib.h>
#include <string.h>

static bool begins_with(const struct token *token, const char *word) {
    const size_t length = strlen(word);
    return token->kind == TOKEN_WORD && token->length >= length && memcmp(token->at, word, length) == 0;
}

static bool is_value(const struct token *token) {
    return token->length > 1 && begins_with(token, "%");
}

/* ---- skipped text ---- */

/* Returns whether an operation only orders others: flags, barriers and buffers. Such an operation has no
 * effect here, because each operation ends before the next one starts. */
static bool is_order(const struct token *opcode) {
    static const char *const words[] = {"pto.set_flag", "pto.wait_flag", "pto.barrier", "pto.pipe_barrier",
                                        "pto.mem_bar",  "pto.get_buf",   "pto.rls_buf"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (pto_token_is(opcode, words[i])) return true;
    return false;
}

/* Skips the operands of an operation that only orders others: the rest of its line, or the tokens before
 * "}". */
static bool skip_line(struct pto_front *f, const struct token *opcode) {
    while (f->text.now.kind != TOKEN_END && f->text.now.line == opcode->line) {
        if (pto_token_is(&f->text.now, "}")) return true;
        pto_text_next(&f->text);
    }
    return true;
}

/* ---- the parts of an operation ---- */

static bool read_offset(struct pto_front *f, struct pto_operand *o) {
    if (!pto_text_take(&f->text, "[")) return true;
    o->offset = f->text.now;
    o->has_offset = true;
    if (!is_value(&o->offset) && o->offset.kind != TOKEN_NUMBER)
        return pto_text_error(&f->text, &o->offset, "expected an offset, such as %%i or 0");
    pto_text_next(&f->text);
    return pto_text_expect(&f->text, "]");
}

static bool read_word(struct pto_front *f, struct pto_call *c) {
    if (c->word.length != 0)
        return pto_text_error(&f->text, &f->text.now, "expected only one word in quotes");
    c->word = f->text.now;
    if (c->word.length < 2 || c->word.at[c->word.length - 1] != '"')
        return pto_text_error(&f->text, &c->word, "expected '\"' at the end of the word");
    pto_text_next(&f->text);
    return true;
}

static bool read_operand(struct pto_front *f, struct pto_call *c) {
    const struct token token = f->text.now;
    struct pto_operand *o;
    if (token.kind == TOKEN_STRING) return read_word(f, c);
    if (!is_value(&token)) return pto_text_error(&f->text, &token, "expected an operand, such as %%a");
    if (c->operand_count == CALL_OPERANDS)
        return pto_text_error(&f->text, &token, "expected at most %d operands", (int)CALL_OPERANDS);
    o = &c->operand[c->operand_count++];
    o->token = token;
    pto_text_next(&f->text);
    return read_offset(f, o);
}

/* Reads operands, separated by commas. If a value follows the last operand in the same line, this is an error
 * and not a new statement. */
static bool read_operands(struct pto_front *f, struct pto_call *c) {
    size_t line;
    if (!is_value(&f->text.now) && f->text.now.kind != TOKEN_STRING) return true;
    do {
        line = f->text.now.line;
        if (!read_operand(f, c)) return false;
    } while (pto_text_take(&f->text, ","));
    if (f->text.now.line != line || (!is_value(&f->text.now) && f->text.now.kind != TOKEN_STRING))
        return true;
    return pto_text_error(&f->text, &f->text.now, "expected ',' or ':' before it");
}

static bool read_attribute(struct pto_front *f, struct pto_call *c) {
    struct pto_attribute *a = &c->attribute[c->attribute_count];
    a->key = f->text.now;
    if (a->key.kind != TOKEN_WORD)
        return pto_text_error(&f->text, &a->key, "expected an attribute, such as rnd");
    if (c->attribute_count == CALL_ATTRIBUTES)
        return pto_text_error(&f->text, &a->key, "expected at most %d attributes", (int)CALL_ATTRIBUTES);
    pto_text_next(&f->text);
    if (!pto_text_expect(&f->text, "=")) return false;
    a->value = f->text.now;
    if (a->value.kind != TOKEN_STRING)
        return pto_text_error(&f->text, &a->value, "expected a word in quotes");
    pto_text_next(&f->text);
    c->attribute_count++;
    return true;
}

static bool read_attributes(struct pto_front *f, struct pto_call *c) {
    if (!pto_text_take(&f->text, "{")) return true;
    if (pto_text_take(&f->text, "}")) return true;
    do {
        if (!read_attribute(f, c)) return false;
    } while (pto_text_take(&f->text, ","));
    return pto_text_expect(&f->text, "}");
}

static bool read_types(struct pto_front *f, struct pto_type *types, size_t capacity, size_t *count) {
    const bool closed = pto_text_take(&f->text, "(");
    do {
        if (*count == capacity)
            return pto_text_error(&f->text, &f->text.now, "expected at most %zu types here", capacity);
        if (!pto_type_read(f, &types[(*count)++])) return false;
    } while (pto_text_take(&f->text, ","));
    return !closed || pto_text_expect(&f->text, ")");
}

/* Reads ": operand types -> result types". An operation without operands has only result types. */
static bool read_all_types(struct pto_front *f, struct pto_call *c) {
    if (!pto_text_take(&f->text, ":")) return true;
    if (c->operand_count == 0) return read_types(f, c->out, CALL_RESULTS, &c->out_count);
    if (!pto_token_is(&f->text.now, "->") && !read_types(f, c->in, CALL_OPERANDS + 1, &c->in_count))
        return false;
    return !pto_text_take(&f->text, "->") || read_types(f, c->out, CALL_RESULTS, &c->out_count);
}

static bool read_call(struct pto_front *f, struct pto_call *c, const struct token *opcode) {
    const size_t prefix = begins_with(opcode, "pto.mi.") ? 7 : 4;
    c->opcode = *opcode;
    c->name = opcode->at + prefix;
    c->name_length = opcode->length - prefix;
    return read_operands(f, c) && read_attributes(f, c) && read_all_types(f, c) &&
           (pto_operation(f, c) || (!f->text.failed && pto_operation_unknown(f, c)));
}

/* ---- scopes ---- */

static bool open_scope(struct pto_front *f, bool is_loop) {
    if (!pto_text_expect(&f->text, "{")) return false;
    if (f->depth == SCOPES)
        return pto_text_error(&f->text, &f->text.now, "expected at most %d scopes", (int)SCOPES);
    f->is_loop[f->depth++] = is_loop;
    return true;
}

/* Closes the innermost scope, and skips attributes in braces after it. */
static bool close_scope(struct pto_front *f) {
    if (f->depth == 0)
        return pto_text_error(&f->text, &f->text.now, "expected a statement: no scope is open here");
    if (f->is_loop[f->depth - 1] && !pto_loop_end(f)) return false;
    f->depth--;
    pto_text_next(&f->text);
    return !pto_token_is(&f->text.now, "{") || pto_text_skip_pair(&f->text, "{", "}");
}

static bool take_attributes(struct pto_front *f) {
    if (!pto_text_take(&f->text, "attributes")) return true;
    return pto_token_is(&f->text.now, "{") ? pto_text_skip_pair(&f->text, "{", "}")
                                           : pto_text_expect(&f->text, "{");
}

static bool read_parameter(struct pto_front *f) {
    const struct token name = f->text.now;
    struct pto_type type;
    int reg;
    if (!is_value(&name)) return pto_text_error(&f->text, &name, "expected a parameter, such as %%a");
    pto_text_next(&f->text);
    if (!pto_text_expect(&f->text, ":") || !pto_type_read(f, &type)) return false;
    if (pto_token_is(&f->text.now, "{") && !pto_text_skip_pair(&f->text, "{", "}")) return false;
    reg = pto_value_make(f, type.kind == KIND_INDEX ? REG_HIDDEN : REG_NAMED, &name, type);
    return reg != ABSENT;
}

static bool read_parameters(struct pto_front *f) {
    if (!pto_text_expect(&f->text, "(")) return false;
    if (pto_text_take(&f->text, ")")) return true;
    do {
        if (!read_parameter(f)) return false;
    } while (pto_text_take(&f->text, ","));
    f->last_mask = ABSENT;
    return pto_text_expect(&f->text, ")");
}

/* Reads "@name(%a: type, ...) attributes {...} {". */
static bool read_function(struct pto_front *f) {
    if (f->has_function) return pto_text_error(&f->text, &f->text.now, "expected one function in a program");
    f->has_function = true;
    if (!pto_text_take(&f->text, "public")) (void)pto_text_take(&f->text, "private");
    if (!pto_text_expect(&f->text, "@")) return false;
    if (f->text.now.kind != TOKEN_WORD)
        return pto_text_error(&f->text, &f->text.now, "expected the name of a function");
    pto_text_next(&f->text);
    return read_parameters(f) && take_attributes(f) && open_scope(f, false);
}

static bool read_module(struct pto_front *f) {
    if (pto_text_take(&f->text, "@")) pto_text_next(&f->text);
    return take_attributes(f) && open_scope(f, false);
}

/* ---- statements ---- */

/* Defines the names of a loop's results as unknown integers, so that no operation can use them. */
static bool name_results(struct pto_front *f, const struct pto_call *c) {
    const struct pto_type nothing = {.kind = KIND_INDEX, .known = true};
    for (size_t i = 0; i < c->result_count; i++)
        if (!pto_token_is(&c->result[i], "%_") &&
            pto_value_make(f, REG_HIDDEN, &c->result[i], nothing) == ABSENT)
            return false;
    return true;
}

static bool read_operation(struct pto_front *f, struct pto_call *c) {
    const struct token opcode = f->text.now;
    if (opcode.kind == TOKEN_STRING)
        return pto_text_error(&f->text, &opcode,
                              "expected an operation without quotes, such as pto.vcmp %%a, %%b");
    if (opcode.kind != TOKEN_WORD)
        return pto_text_error(&f->text, &opcode, "expected an operation, such as pto.vcmp");
    pto_text_next(&f->text);
    if (pto_token_is(&opcode, "scf.for"))
        return pto_loop_read(f, &opcode) && name_results(f, c) && open_scope(f, true);
    if (begins_with(&opcode, "arith.") && c->result_count == 1)
        return pto_integer_read(f, &opcode, &c->result[0]);
    if (begins_with(&opcode, "pto.")) return read_call(f, c, &opcode);
    return pto_text_error(&f->text, &opcode, "expected an operation of pto, arith.constant or scf.for");
}

/* Reads an operation with results: "%a, %b = ..." or "%r:2 = ...". */
static bool read_assignment(struct pto_front *f) {
    struct pto_call c = {.operand_count = 0};
    do {
        const struct token name = f->text.now;
        if (!is_value(&name)) return pto_text_error(&f->text, &name, "expected a name, such as %%a");
        if (c.result_count == CALL_RESULTS)
            return pto_text_error(&f->text, &name, "expected at most %d results", (int)CALL_RESULTS);
        c.result[c.result_count++] = name;
        pto_text_next(&f->text);
        if (pto_text_take(&f->text, ":")) {
            if (f->text.now.kind != TOKEN_NUMBER)
                return pto_text_error(&f->text, &f->text.now, "expected how many results there are");
            pto_text_next(&f->text);
        }
    } while (pto_text_take(&f->text, ","));
    return pto_text_expect(&f->text, "=") && read_operation(f, &c);
}

static bool take_either(struct pto_front *f, const char *word, const char *other) {
    return pto_text_take(&f->text, word) || pto_text_take(&f->text, other);
}

static bool statement(struct pto_front *f) {
    const struct token first = f->text.now;
    struct pto_call c = {.operand_count = 0};
    if (is_value(&first)) return read_assignment(f);
    if (pto_token_is(&first, "}")) return close_scope(f);
    if (take_either(f, "...", "return") || pto_text_take(&f->text, "func.return")) return true;
    if (take_either(f, "module", "builtin.module")) return read_module(f);
    if (take_either(f, "func.func", "func")) return read_function(f);
    if (take_either(f, "pto.vecscope", "pto.section.vector")) return open_scope(f, false);
    if (pto_text_take(&f->text, "scf.yield")) {
        if (!f->loop.open) return pto_text_error(&f->text, &first, "expected a loop around scf.yield");
        return pto_yield_read(f);
    }
    if (is_order(&first)) return skip_line(f, &first);
    return read_operation(f, &c);
}

static bool parse(struct pto_front *f) {
    while (f->text.now.kind != TOKEN_END)
        if (!statement(f)) return false;
    if (f->depth != 0) return pto_text_error(&f->text, &f->text.now, "expected '}'");
    pto_images_drop_unread(f);
    pto_values_set_widths(f);
    return true;
}

bool pto_pto_parse(pto_program *program, const char *text, pto_program_error *error) {
    struct pto_front f = {
        .text = pto_text_open(text, error), .program = program, .last_mask = ABSENT, .vector_number = ABSENT};
    const bool ok = parse(&f);
    free(f.values);
    return ok;
}
