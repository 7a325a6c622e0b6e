/* SPDX-License-Identifier: MIT */
/* Reads the parts of an operation in a kernel program: operands, words in quotes, attributes and types. */
#include "pto_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- operands ---- */

static bool add_operand(struct kernel_front *f, struct kernel_call *c, const struct token *token,
                        struct kernel_value *value, bool in_brackets) {
    if (!value) return false;
    if (c->operand_count == KERNEL_OPERANDS)
        return pto_text_error(&f->text, token, "expected at most %d operands", (int)KERNEL_OPERANDS);
    c->operand[c->operand_count++] =
        (struct kernel_operand){.token = *token, .value = value, .in_brackets = in_brackets};
    return true;
}

/* Reads a number as an operand, with or without a minus sign. */
static bool read_number(struct kernel_front *f, struct kernel_call *c, bool in_brackets) {
    const struct kernel_type index = pto_kernel_index();
    const struct token first = f->text.now;
    const bool minus = pto_kernel_take(&f->text, "-");
    const struct token number = f->text.now;
    uint64_t bits;
    if (number.kind != TOKEN_NUMBER) return pto_text_error(&f->text, &number, "expected a number");
    if (!pto_kernel_number(f, &number, minus, &index, &bits)) return false;
    pto_kernel_next(&f->text);
    return add_operand(f, c, &first, pto_kernel_constant(f, index, bits), in_brackets);
}

static bool is_number(const struct token *t) {
    return t->kind == TOKEN_NUMBER || pto_token_is(t, "-");
}

static bool read_name(struct kernel_front *f, struct kernel_call *c, bool in_brackets) {
    const struct token token = f->text.now;
    if (!kernel_is_name(&token)) return pto_text_error(&f->text, &token, "expected an operand, such as %%a");
    pto_kernel_next(&f->text);
    return add_operand(f, c, &token, pto_kernel_find(f, &token), in_brackets);
}

static bool read_value(struct kernel_front *f, struct kernel_call *c, bool in_brackets) {
    return is_number(&f->text.now) ? read_number(f, c, in_brackets) : read_name(f, c, in_brackets);
}

static bool read_word(struct kernel_front *f, struct kernel_call *c) {
    const struct token word = f->text.now;
    if (c->word_count == KERNEL_WORDS)
        return pto_text_error(&f->text, &word, "expected at most %d words in quotes", (int)KERNEL_WORDS);
    if (word.length < 2 || word.at[word.length - 1] != '"')
        return pto_text_error(&f->text, &word, "expected '\"' at the end of the word");
    c->word[c->word_count++] = word;
    pto_kernel_next(&f->text);
    return true;
}

/* Reads "[%i]" after a pointer, or the words of pto.set_flag["A", "B", "C"]. */
static bool read_brackets(struct kernel_front *f, struct kernel_call *c) {
    pto_kernel_next(&f->text);
    do {
        const bool good = f->text.now.kind == TOKEN_STRING ? read_word(f, c) : read_value(f, c, true);
        if (!good) return false;
    } while (pto_kernel_take(&f->text, ","));
    return pto_kernel_expect(&f->text, "]");
}

/* Reads a group, such as nburst(%a, %b, %c). */
static bool read_group(struct kernel_front *f, struct kernel_call *c) {
    struct kernel_group *g = &c->group[c->group_count];
    if (c->group_count == KERNEL_GROUPS)
        return pto_text_error(&f->text, &f->text.now, "expected at most %d groups of operands",
                              (int)KERNEL_GROUPS);
    c->group_count++;
    g->name = f->text.now;
    pto_kernel_next(&f->text);
    pto_kernel_next(&f->text); /* the parenthesis */
    do {
        const struct token token = f->text.now;
        const size_t count = c->operand_count;
        if (g->count == sizeof g->value / sizeof g->value[0])
            return pto_text_error(&f->text, &token, "expected at most 3 operands here");
        if (!read_value(f, c, false)) return false;
        g->value[g->count++] = c->operand[count].value;
        c->operand_count = count; /* the operand belongs to the group */
    } while (pto_kernel_take(&f->text, ","));
    return pto_kernel_expect(&f->text, ")");
}

bool pto_kernel_begins_statement(const struct kernel_front *f) {
    struct text ahead = f->text;
    while (kernel_is_name(&ahead.now)) {
        pto_kernel_next(&ahead);
        if (pto_token_is(&ahead.now, ":")) {
            pto_kernel_next(&ahead);
            if (ahead.now.kind != TOKEN_NUMBER) return false;
            pto_kernel_next(&ahead);
        }
        if (!pto_token_is(&ahead.now, ",")) break;
        pto_kernel_next(&ahead);
    }
    return pto_token_is(&ahead.now, "=");
}

/* Skips <PIPE_V> or #pto.pipe<PIPE_ALL>. */
static bool skip_angle(struct kernel_front *f) {
    if (pto_kernel_take(&f->text, "#")) pto_kernel_next(&f->text);
    return !pto_token_is(&f->text.now, "<") || pto_kernel_skip_pair(&f->text, "<", ">");
}

static bool is_group(const struct kernel_front *f) {
    return f->text.now.kind == TOKEN_WORD && !kernel_is_name(&f->text.now) && pto_text_peek_is(&f->text, "(");
}

/* Reads one item after the opcode: an operand, a word in quotes, a group, or something in brackets. Sets
 * *more to false if no item follows. A name or number is an item only if `may_be_value`: at the beginning and
 * after a comma. */
static bool read_item(struct kernel_front *f, struct kernel_call *c, bool may_be_value, bool *more) {
    const struct token *now = &f->text.now;
    *more = true;
    if (now->kind == TOKEN_STRING && !pto_text_peek_is(&f->text, "(")) return read_word(f, c);
    if (pto_token_is(now, "[")) return read_brackets(f, c);
    if (pto_token_is(now, "#") || pto_token_is(now, "<")) return skip_angle(f);
    if (is_group(f) && !pto_token_is(now, "loc")) return read_group(f, c);
    if (may_be_value && is_number(now)) return read_value(f, c, false);
    if (may_be_value && kernel_is_name(now) &&
        (now->line == c->opcode.line || !pto_kernel_begins_statement(f)))
        return read_value(f, c, false);
    *more = false;
    return true;
}

static bool read_items(struct kernel_front *f, struct kernel_call *c) {
    bool more, after_comma = true, at_begin = true;
    for (;;) {
        if (!read_item(f, c, after_comma, &more)) return false;
        if (!more && after_comma && !at_begin)
            return pto_text_error(&f->text, &f->text.now, "expected an operand after ','");
        if (!more) break;
        after_comma = pto_kernel_take(&f->text, ",");
        at_begin = false;
    }
    if (!kernel_is_name(&f->text.now) || at_begin || pto_kernel_begins_statement(f)) return true;
    return pto_text_error(&f->text, &f->text.now, "expected ',' or ':' before it");
}

/* Reads the operands "(%a, %b)" of MLIR's generic form, in which the opcode is in quotes. */
static bool read_generic(struct kernel_front *f, struct kernel_call *c) {
    if (!pto_kernel_expect(&f->text, "(")) return false;
    if (pto_kernel_take(&f->text, ")")) return true;
    do {
        if (!read_value(f, c, false)) return false;
    } while (pto_kernel_take(&f->text, ","));
    return pto_kernel_expect(&f->text, ")");
}

/* ---- attributes ---- */

/* Skips the rest of an attribute's value, up to "," or "}". */
static bool skip_value(struct kernel_front *f) {
    size_t depth = 0;
    while (depth != 0 || (!pto_token_is(&f->text.now, ",") && !pto_token_is(&f->text.now, "}"))) {
        const struct token *now = &f->text.now;
        if (now->kind == TOKEN_END) return pto_text_error(&f->text, now, "expected '}'");
        if (now->kind == TOKEN_PUNCTUATION && now->length == 1) {
            if (strchr("<[({", now->at[0])) depth++;
            if (strchr(">])}", now->at[0]) && depth != 0) depth--;
        }
        pto_kernel_next(&f->text);
    }
    return true;
}

static bool read_attribute(struct kernel_front *f, struct kernel_call *c) {
    struct kernel_attribute *a = &c->attribute[c->attribute_count];
    const struct token key = f->text.now;
    if (key.kind != TOKEN_WORD) return pto_text_error(&f->text, &key, "expected an attribute, such as rnd");
    if (c->attribute_count == KERNEL_ATTRIBUTES)
        return pto_text_error(&f->text, &key, "expected at most %d attributes", (int)KERNEL_ATTRIBUTES);
    c->attribute_count++;
    a->key = key;
    pto_kernel_next(&f->text);
    if (!pto_kernel_take(&f->text, "=")) return true;
    a->minus = pto_kernel_take(&f->text, "-");
    a->value = f->text.now;
    if (!skip_value(f)) return false;
    if (a->value.kind != TOKEN_STRING &&
        a->value.kind != TOKEN_NUMBER) /* several tokens: take all their text */
        a->value.length = (size_t)(f->text.previous_end - a->value.at);
    return true;
}

static bool read_attributes(struct kernel_front *f, struct kernel_call *c) {
    if (!pto_kernel_take(&f->text, "{") || pto_kernel_take(&f->text, "}")) return true;
    do {
        if (!read_attribute(f, c)) return false;
    } while (pto_kernel_take(&f->text, ","));
    return pto_kernel_expect(&f->text, "}");
}

static bool key_is(const struct token *token, const char *key) {
    return token->length == strlen(key) && memcmp(token->at, key, token->length) == 0;
}

struct kernel_attribute *pto_kernel_attribute(struct kernel_call *c, const char *key) {
    for (size_t i = 0; i < c->attribute_count; i++)
        if (key_is(&c->attribute[i].key, key)) {
            c->attribute[i].is_taken = true;
            return &c->attribute[i];
        }
    return NULL;
}

bool pto_kernel_integer_attribute(struct kernel_front *f, struct kernel_call *c, const char *key,
                                  int64_t *value, bool *found) {
    const struct kernel_attribute *a = pto_kernel_attribute(c, key);
    const struct kernel_type index = pto_kernel_index();
    uint64_t bits;
    *found = a != NULL;
    if (!a) return true;
    if (a->value.kind != TOKEN_NUMBER)
        return pto_text_error(&f->text, a->value.length ? &a->value : &a->key, "expected an integer");
    if (!pto_kernel_number(f, &a->value, a->minus, &index, &bits)) return false;
    *value = (int64_t)bits;
    return true;
}

/* Returns the index of a quoted word in `words`, or -1. */
static int64_t index_of(const struct token *quoted, const char *const *words) {
    for (int64_t i = 0; words[i]; i++)
        if (quoted->kind == TOKEN_STRING && strlen(words[i]) + 2 == quoted->length &&
            memcmp(words[i], quoted->at + 1, quoted->length - 2) == 0)
            return i;
    return -1;
}

static bool expected_words(struct kernel_front *f, const struct token *at, const char *const *words) {
    char list[120] = "";
    size_t used = 0;
    for (size_t i = 0; words[i] && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    return pto_text_error(&f->text, at, "expected one of %s", list);
}

bool pto_kernel_word(struct kernel_front *f, struct kernel_call *c, const char *key, const char *const *words,
                     int64_t *index) {
    const struct kernel_attribute *a = pto_kernel_attribute(c, key);
    *index = -1;
    if (a) {
        *index = index_of(&a->value, words);
        return *index >= 0 || expected_words(f, a->value.length ? &a->value : &a->key, words);
    }
    for (size_t i = 0; i < c->word_count && *index < 0; i++) {
        if (c->word_is_taken[i]) continue;
        *index = index_of(&c->word[i], words);
        c->word_is_taken[i] = *index >= 0;
    }
    return true;
}

bool pto_kernel_nothing_left(struct kernel_front *f, const struct kernel_call *c) {
    static const char *const ignored[] = {"operandSegmentSizes", "operand_segment_sizes",
                                          "resultSegmentSizes"};
    for (size_t i = 0; i < c->word_count; i++)
        if (!c->word_is_taken[i])
            return pto_text_error(&f->text, &c->word[i],
                                  "expected another word: pto.%s%.*s does not take this one",
                                  c->is_vmi ? "vmi." : "", (int)c->name_length, c->name);
    for (size_t i = 0; i < c->attribute_count; i++) {
        bool known = c->attribute[i].is_taken;
        for (size_t k = 0; k < sizeof ignored / sizeof ignored[0]; k++)
            known = known || key_is(&c->attribute[i].key, ignored[k]);
        if (!known)
            return pto_text_error(&f->text, &c->attribute[i].key, "pto.%s%.*s does not take this attribute",
                                  c->is_vmi ? "vmi." : "", (int)c->name_length, c->name);
    }
    return true;
}

/* ---- types ---- */

/* Skips words in the list of types that name a group, such as "loop". */
static void skip_group_name(struct kernel_front *f) {
    static const char *const names[] = {"nburst", "loop", "pad", "l2_cache_ctl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) (void)pto_kernel_take(&f->text, names[i]);
}

bool pto_kernel_type_list(struct kernel_front *f, struct kernel_written *to, size_t capacity, size_t *count) {
    const bool closed = pto_kernel_take(&f->text, "(");
    if (closed && pto_kernel_take(&f->text, ")")) return true;
    do {
        if (*count == capacity)
            return pto_text_error(&f->text, &f->text.now, "expected at most %zu types here", capacity);
        skip_group_name(f);
        if (!pto_kernel_type_read(f, &to[(*count)++])) return false;
    } while (pto_kernel_take(&f->text, ","));
    return !closed || pto_kernel_expect(&f->text, ")");
}

static bool read_types(struct kernel_front *f, struct kernel_call *c) {
    if (!pto_kernel_take(&f->text, ":")) return true;
    c->has_types = true;
    if (!pto_token_is(&f->text.now, "->") && !pto_kernel_type_list(f, c->in, KERNEL_OPERANDS, &c->in_count))
        return false;
    if (pto_kernel_take(&f->text, "->"))
        return pto_kernel_type_list(f, c->out, KERNEL_RESULTS, &c->out_count);
    if (c->operand_count != 0 || c->in_count > KERNEL_RESULTS) return true;
    memcpy(c->out, c->in,
           c->in_count *
               sizeof c->in[0]); /* without operands, the types after ":" are those of the results */
    c->out_count = c->in_count;
    c->in_count = 0;
    return true;
}

bool pto_kernel_call_read(struct kernel_front *f, struct kernel_call *c) {
    const bool is_generic = c->opcode.kind == TOKEN_STRING;
    if (is_generic ? !read_generic(f, c) : !read_items(f, c)) return false;
    if (is_generic && pto_kernel_take(&f->text, "<") &&
        (!read_attributes(f, c) || !pto_kernel_expect(&f->text, ">")))
        return false;
    return read_attributes(f, c) && read_types(f, c) && pto_kernel_skip_location(&f->text);
}
