/* SPDX-License-Identifier: MIT */
/* Reads the words in opcodes of instructions that only kernels have, and the address operands of such
 * instructions. */
#include "ptx.h"

#include <string.h>

bool pto_word_next(const struct token *opcode, struct opcode_word *w) {
    const char *end = opcode->at + opcode->length;
    const char *dot = memchr(w->at ? w->at + w->length : opcode->at, '.',
                             (size_t)(end - (w->at ? w->at + w->length : opcode->at)));
    if (!dot) return false;
    w->at = dot + 1;
    dot = memchr(w->at, '.', (size_t)(end - w->at));
    w->length = (size_t)((dot ? dot : end) - w->at);
    return true;
}

bool pto_word_is(const struct opcode_word *w, const char *text) {
    return strlen(text) == w->length && memcmp(w->at, text, w->length) == 0;
}

bool pto_word_is_one_of(const struct opcode_word *w, const char *const *texts) {
    for (; *texts; texts++)
        if (pto_word_is(w, *texts)) return true;
    return false;
}

static bool has_word(const struct token *opcode, const struct opcode_word *w) {
    struct opcode_word v = {NULL, 0};
    while (pto_word_next(opcode, &v))
        if (v.length == w->length && memcmp(v.at, w->at, w->length) == 0) return true;
    return false;
}

bool pto_word_same(const struct token *opcode, const char *form) {
    const struct token other = {.at = form, .length = strlen(form)};
    struct opcode_word w = {NULL, 0};
    if (opcode->length != other.length || memcmp(opcode->at, form, strcspn(form, ".") + 1) != 0) return false;
    while (pto_word_next(&other, &w))
        if (!has_word(opcode, &w)) return false;
    return true;
}

bool pto_word_error(struct ptx *x, const struct token *opcode, const struct opcode_word *w,
                    const char *text) {
    return pto_text_error_inside(&x->text, opcode, (size_t)(w->at - opcode->at), text);
}

bool pto_word_type(const struct opcode_word *w, pto_dtype *type) {
    char text[16] = "";
    if (w->length >= sizeof text) return false;
    memcpy(text, w->at, w->length);
    return pto_parse_dtype(text, type, NULL) == PTO_OK;
}

bool pto_word_space(const struct opcode_word *w, enum space *space) {
    static const struct {
        const char *name;
        enum space space;
    } spaces[] = {{"global", SPACE_GLOBAL},
                  {"const", SPACE_GLOBAL},
                  {"param", SPACE_PARAMETER},
                  {"param::entry", SPACE_PARAMETER},
                  {"shared", SPACE_SHARED},
                  {"shared::cta", SPACE_SHARED},
                  {"shared::cluster", SPACE_SHARED}, /* each block is a cluster */
                  {"local", SPACE_LOCAL}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (!pto_word_is(w, spaces[i].name)) continue;
        *space = spaces[i].space;
        return true;
    }
    return false;
}

static bool is_address_reg(const struct reg *r) {
    return !r->predicate && (pto_is_untyped(r->type) || pto_is_integer(r->type));
}

int pto_ptx_address(struct ptx *x, const struct operand *o, enum space space, int64_t *offset) {
    const struct requirement wide = {.type = PTO_B64}, any = {.type = PTO_B8, .wider = true};
    struct operand base = *o;
    const struct symbol *symbol = pto_ptx_symbol(x, &o->token);
    int reg;
    *offset = o->offset;
    if (o->kind != OPERAND_ADDRESS) {
        (void)pto_text_error(&x->text, &o->token, "expected an address in brackets");
        return ABSENT;
    }
    if (o->is_number && space != SPACE_LOCAL) {
        (void)pto_text_error(&x->text, &o->token, "only addresses of local memory can be numbers");
        return ABSENT;
    }
    if (symbol && symbol->space != space && !(space == SPACE_GENERIC && symbol->space == SPACE_GLOBAL)) {
        (void)pto_text_error(&x->text, &o->token, "this name is in another space of addresses");
        return ABSENT;
    }
    base.kind = o->is_number ? OPERAND_NUMBER : OPERAND_NAME;
    reg = pto_ptx_source(x, &base, symbol || base.kind == OPERAND_NUMBER ? wide : any);
    if (reg == ABSENT || is_address_reg(&x->program->regs[reg])) return reg;
    (void)pto_text_error(&x->text, &o->token,
                         "expected an address, a register of an integer or untyped bits");
    return ABSENT;
}
