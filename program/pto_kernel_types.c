/* SPDX-License-Identifier: MIT */
/* Reads the tokens and types of kernel programs. */
#include "pto_kernel.h"

#include "pto.h"

#include <stdio.h>
#include <string.h>

/* ---- tokens ---- */

static bool is_name_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '.';
}

/* Returns the length of a suffix of the name before `at`: "-" or "#" and the letters, digits, "_", "$" and
 * "." that follow. Returns 0 if there is no such suffix. */
static size_t suffix_length(const char *at) {
    size_t n = 1;
    if ((at[0] != '-' && at[0] != '#') || !is_name_byte(at[1])) return 0;
    while (is_name_byte(at[n])) n++;
    return n;
}

static void extend_name(struct text *t) {
    size_t more;
    if (!kernel_is_name(&t->now)) return;
    while ((more = suffix_length(t->next)) != 0) {
        t->now.length += more;
        t->next += more;
    }
}

void pto_kernel_next(struct text *t) {
    pto_text_next(t);
    extend_name(t);
}

bool pto_kernel_take(struct text *t, const char *word) {
    if (!pto_token_is(&t->now, word)) return false;
    pto_kernel_next(t);
    return true;
}

bool pto_kernel_expect(struct text *t, const char *word) {
    return pto_kernel_take(t, word) || pto_text_error(t, &t->now, "expected '%s'", word);
}

bool pto_kernel_skip_pair(struct text *t, const char *open, const char *close) {
    if (!pto_text_skip_pair(t, open, close)) return false;
    extend_name(t);
    return true;
}

bool pto_kernel_skip_location(struct text *t) {
    if (!pto_token_is(&t->now, "loc")) return true;
    pto_kernel_next(t);
    return pto_token_is(&t->now, "(") ? pto_kernel_skip_pair(t, "(", ")") : pto_kernel_expect(t, "(");
}

void pto_kernel_skip_results(struct text *t) {
    while (t->now.kind != TOKEN_END && !pto_token_is(&t->now, "{") && !pto_token_is(&t->now, "}") &&
           !pto_token_is(&t->now, "attributes") && !pto_token_is(&t->now, "func.func"))
        pto_kernel_next(t);
}

/* ---- types as values ---- */

unsigned pto_kernel_lane_bits(pto_dtype element) {
    return pto_lane_of(element);
}

static pto_dtype bits_type(unsigned bytes) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    return by_bytes[bytes];
}

struct kernel_lanes pto_kernel_lanes(const struct kernel_type *vector) {
    const unsigned bytes = pto_kernel_lane_bits(vector->element) / 8;
    return (struct kernel_lanes){vector->element, bits_type(bytes), bytes, vector->lanes};
}

struct kernel_type pto_kernel_integer(unsigned bits) {
    static const pto_dtype by_bits[] = {
        [1] = PTO_U8, [8] = PTO_S8, [16] = PTO_S16, [32] = PTO_S32, [64] = PTO_S64};
    return (struct kernel_type){
        .kind = KERNEL_INTEGER, .element = by_bits[bits], .bits = bits, .is_signless = true};
}

struct kernel_type pto_kernel_index(void) {
    struct kernel_type type = pto_kernel_integer(64);
    type.is_index = true;
    return type;
}

struct kernel_type pto_kernel_mask_for(const struct kernel_type *vector) {
    struct kernel_type mask = {.kind = KERNEL_MASK, .lanes = vector->lanes, .is_vmi = vector->is_vmi};
    if (!mask.is_vmi) {
        mask.bits = pto_kernel_lane_bits(vector->element);
        if (mask.bits == 64) mask.bits = 32; /* PTO has no b64 mask: lanes 0 to 31 of a b32 mask are used */
        mask.lanes = KERNEL_VECTOR_BYTES * 8 / mask.bits;
    }
    return mask;
}

static bool elements_agree(pto_dtype a, pto_dtype b) {
    return a == b;
}

bool pto_kernel_types_agree(const struct kernel_type *a, const struct kernel_type *b) {
    if (a->kind != b->kind || a->is_vmi != b->is_vmi) return false;
    switch (a->kind) {
    case KERNEL_INTEGER: return a->bits == b->bits && a->is_index == b->is_index;
    case KERNEL_FLOAT: return elements_agree(a->element, b->element);
    case KERNEL_POINTER: return elements_agree(a->element, b->element) && a->is_global == b->is_global;
    case KERNEL_VECTOR: return elements_agree(a->element, b->element) && a->lanes == b->lanes;
    case KERNEL_MASK: return a->is_vmi ? a->lanes == b->lanes : a->bits == b->bits;
    default: return true;
    }
}

/* Returns the spelling of an element in a type. */
static void element_name(const struct kernel_type *type, char *to, size_t size) {
    const char *word = pto_type_spelling(type->element);
    if (type->element == PTO_BF16X2) word = "!pto.bf16x2";
    if (pto_dtype_class(type->element) == PTO_CLASS_SIGNED && !type->is_signless)
        (void)snprintf(to, size, "si%zu", pto_dtype_bits(type->element));
    else
        (void)snprintf(to, size, "%s%s",
                       type->element == PTO_HIF8 || pto_dtype_bits(type->element) == 4 ? "!pto." : "", word);
}

void pto_kernel_type_name(const struct kernel_type *type, char *to, size_t size) {
    char element[24] = "";
    if (type->kind == KERNEL_FLOAT || type->kind == KERNEL_POINTER || type->kind == KERNEL_VECTOR)
        element_name(type, element, sizeof element);
    switch (type->kind) {
    case KERNEL_INTEGER:
        if (type->is_index)
            (void)snprintf(to, size, "index");
        else
            (void)snprintf(to, size, "i%u", type->bits);
        break;
    case KERNEL_FLOAT: (void)snprintf(to, size, "%s", element); break;
    case KERNEL_POINTER:
        (void)snprintf(to, size, "!pto.ptr<%s, %s>", element, type->is_global ? "gm" : "ub");
        break;
    case KERNEL_VECTOR:
        (void)snprintf(to, size, "!pto.%svreg<%ux%s>", type->is_vmi ? "vmi." : "", type->lanes, element);
        break;
    case KERNEL_MASK:
        if (type->is_vmi)
            (void)snprintf(to, size, "!pto.vmi.mask<%u>", type->lanes);
        else
            (void)snprintf(to, size, "!pto.mask<b%u>", type->bits);
        break;
    default: (void)snprintf(to, size, "!pto.align"); break;
    }
}

/* ---- types in the text ---- */

static bool find_element(const char *at, size_t length, struct kernel_type *type) {
    static const char pair[] = "pto.bf16x2";
    type->is_signless = length > 1 && at[0] == 'i' && at[1] >= '0' && at[1] <= '9';
    if (length == sizeof pair - 1 && memcmp(at, pair, length) == 0) {
        type->element = PTO_BF16X2;
        return true;
    }
    return pto_element_find(at, length, &type->element);
}

static bool element_error(struct kernel_front *f, const struct token *token, size_t offset) {
    return pto_text_error_inside(
        &f->text, token, offset,
        "expected a type of elements: f32, f16, bf16, i8 to i64, ui8 to ui64, f8E4M3FN, f8E5M2, !pto.hif8");
}

/* Reads an element type that is a token of its own, with or without "!". */
static bool read_element(struct kernel_front *f, struct kernel_type *type) {
    struct token token;
    (void)pto_kernel_take(&f->text, "!");
    token = f->text.now;
    if (!find_element(token.at, token.length, type)) return element_error(f, &token, 0);
    pto_kernel_next(&f->text);
    return true;
}

/* Returns how many digits, at most 6, the token starts with, and sets *lanes to the number that they
 * spell. */
static size_t digits_length(const struct token *token, unsigned *lanes) {
    size_t i = 0;
    *lanes = 0;
    for (; i < token->length && i < 6 && token->at[i] >= '0' && token->at[i] <= '9'; i++)
        *lanes = *lanes * 10 + (unsigned)(token->at[i] - '0');
    return i;
}

/* Takes the multiplication sign U+00D7. The tokenizer makes two tokens of its two bytes. */
static bool take_times(struct kernel_front *f) {
    const struct token *now = &f->text.now;
    if (now->length != 1 || (unsigned char)now->at[0] != 0xc3 || (unsigned char)now->at[1] != 0x97)
        return false;
    pto_kernel_next(&f->text);
    pto_kernel_next(&f->text);
    return true;
}

/* Reads "64xf32", "256x!pto.hif8" or the same with the multiplication sign. */
static bool read_shape(struct kernel_front *f, struct kernel_written *to) {
    const struct token token = f->text.now;
    const size_t digits = token.kind == TOKEN_NUMBER ? digits_length(&token, &to->type.lanes) : 0;
    if (digits == 0)
        return pto_text_error(&f->text, &token, "expected the shape of a register, such as 64xf32");
    pto_kernel_next(&f->text);
    if (digits == token.length)
        return (take_times(f) || pto_text_error(&f->text, &token, "expected a shape, such as 64xf32")) &&
               read_element(f, &to->type);
    if (token.at[digits] != 'x')
        return pto_text_error(&f->text, &token, "expected the shape of a register, such as 64xf32");
    if (digits + 1 == token.length) return read_element(f, &to->type);
    return find_element(token.at + digits + 1, token.length - digits - 1, &to->type) ||
           element_error(f, &token, digits + 1);
}

static bool check_lanes(struct kernel_front *f, const struct kernel_written *t, const struct token *token) {
    const unsigned wanted = KERNEL_VECTOR_BYTES * 8 / pto_kernel_lane_bits(t->type.element);
    char element[24];
    if (t->type.is_vmi && t->type.lanes >= 1 && t->type.lanes <= KERNEL_VMI_LANES) return true;
    if (t->type.is_vmi)
        return pto_text_error(&f->text, token, "expected 1 to %d lanes", (int)KERNEL_VMI_LANES);
    element_name(&t->type, element, sizeof element);
    return t->type.lanes == wanted ||
           pto_text_error(&f->text, token, "expected %ux%s: a register has 256 bytes", wanted, element);
}

/* Reports a layout attribute after the shape of a type as an error. Only VMI types have such attributes. */
static bool no_layout(struct kernel_front *f) {
    if (!pto_token_is(&f->text.now, ",")) return true;
    pto_kernel_next(&f->text);
    return pto_text_error(&f->text, &f->text.now, "layout: its meaning is not public");
}

static bool read_vector(struct kernel_front *f, struct kernel_written *to) {
    struct token token;
    to->type.kind = KERNEL_VECTOR;
    if (!pto_kernel_expect(&f->text, "<")) return false;
    token = f->text.now;
    return read_shape(f, to) && check_lanes(f, to, &token) && no_layout(f) &&
           pto_kernel_expect(&f->text, ">");
}

static bool read_mask(struct kernel_front *f, struct kernel_written *to) {
    static const struct {
        const char *word;
        unsigned bits;
    } widths[] = {{"b8", 8}, {"b16", 16}, {"b32", 32}};
    to->type.kind = KERNEL_MASK;
    if (!pto_kernel_expect(&f->text, "<")) return false;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (pto_kernel_take(&f->text, widths[i].word)) {
            to->type.bits = widths[i].bits;
            to->type.lanes = KERNEL_VECTOR_BYTES * 8 / widths[i].bits;
            return pto_kernel_expect(&f->text, ">");
        }
    return pto_text_error(&f->text, &f->text.now, "expected b8, b16 or b32");
}

/* Reads <64>, <64xpred> or <64xb32>. */
static bool read_vmi_mask(struct kernel_front *f, struct kernel_written *to) {
    static const char *const kinds[] = {"pred", "b8", "b16", "b32"};
    struct token token;
    size_t digits;
    to->type.kind = KERNEL_MASK;
    if (!pto_kernel_expect(&f->text, "<")) return false;
    token = f->text.now;
    digits = token.kind == TOKEN_NUMBER ? digits_length(&token, &to->type.lanes) : 0;
    if (digits == 0 || to->type.lanes == 0 || to->type.lanes > KERNEL_VMI_LANES)
        return pto_text_error(&f->text, &token, "expected 1 to %d lanes", (int)KERNEL_VMI_LANES);
    pto_kernel_next(&f->text);
    if (digits != token.length || take_times(f)) {
        const char *word = digits == token.length ? f->text.now.at : token.at + digits + 1;
        const size_t length = digits == token.length ? f->text.now.length : token.length - digits - 1;
        bool known = digits == token.length || token.at[digits] == 'x';
        for (size_t i = 0; i <= sizeof kinds / sizeof kinds[0] && known; i++) {
            known = i < sizeof kinds / sizeof kinds[0];
            if (known && strlen(kinds[i]) == length && memcmp(kinds[i], word, length) == 0) break;
        }
        if (!known)
            return pto_text_error(&f->text, &token, "expected a mask, such as <64>, <64xpred> or <64xb32>");
        if (digits == token.length) pto_kernel_next(&f->text);
    }
    return no_layout(f) && pto_kernel_expect(&f->text, ">");
}

/* Reads the rest of a pointer type, from "<". */
static bool read_pointer(struct kernel_front *f, struct kernel_written *to) {
    to->type.kind = KERNEL_POINTER;
    if (!pto_kernel_expect(&f->text, "<") || !read_element(f, &to->type) || !pto_kernel_expect(&f->text, ","))
        return false;
    to->type.is_global = pto_token_is(&f->text.now, "gm");
    if (!to->type.is_global && !pto_token_is(&f->text.now, "ub"))
        return pto_text_error(&f->text, &f->text.now, "expected gm or ub");
    pto_kernel_next(&f->text);
    return pto_kernel_expect(&f->text, ">");
}

static bool read_scalar(struct kernel_front *f, struct kernel_written *to) {
    const struct token token = f->text.now;
    to->type.kind = KERNEL_INTEGER;
    if (pto_token_is(&token, "index")) {
        to->type = pto_kernel_index();
    } else if (pto_token_is(&token, "i1")) {
        to->type = pto_kernel_integer(1);
    } else if (token.kind == TOKEN_WORD && find_element(token.at, token.length, &to->type)) {
        to->type.bits = (unsigned)pto_dtype_bits(to->type.element);
        if (!pto_is_integer(to->type.element)) to->type.kind = KERNEL_FLOAT;
    } else {
        return pto_text_error(
            &f->text, &token,
            "expected a type: !pto.vreg<64xf32>, !pto.mask<b32>, !pto.ptr<f32, ub>, f32, i32, index");
    }
    pto_kernel_next(&f->text);
    return true;
}

static bool read_type(struct kernel_front *f, struct kernel_written *to) {
    if (pto_token_is(&f->text.now, "<")) return read_pointer(f, to);
    if (!pto_kernel_take(&f->text, "!")) return read_scalar(f, to);
    if (pto_kernel_take(&f->text, "pto.vreg")) return read_vector(f, to);
    if (pto_kernel_take(&f->text, "pto.mask")) return read_mask(f, to);
    if (pto_kernel_take(&f->text, "pto.ptr")) return read_pointer(f, to);
    if (pto_kernel_take(&f->text, "pto.align")) {
        to->type.kind = KERNEL_ALIGN;
        return true;
    }
    to->type.is_vmi = true;
    if (pto_kernel_take(&f->text, "pto.vmi.vreg")) return read_vector(f, to);
    if (pto_kernel_take(&f->text, "pto.vmi.mask")) return read_vmi_mask(f, to);
    to->type.is_vmi = false;
    if (pto_token_is(&f->text.now, "pto.hif8")) return read_scalar(f, to);
    return pto_text_error(
        &f->text, &f->text.now,
        "expected a type: !pto.vreg<64xf32>, !pto.mask<b32>, !pto.ptr<f32, ub>, !pto.align");
}

bool pto_kernel_type_read(struct kernel_front *f, struct kernel_written *to) {
    memset(to, 0, sizeof *to);
    to->token = f->text.now;
    if (!read_type(f, to)) return false;
    to->token.length = (size_t)(f->text.previous_end - to->token.at);
    return true;
}
