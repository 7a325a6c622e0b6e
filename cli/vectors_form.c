/* SPDX-License-Identifier: MIT */
/* Lists the forms of pto vectors, and finds those that a text selects. */
#include "vectors_form.h"

#include "cast_text.h"
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

static void append(struct vector_list *list, const struct vector_form *form) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 4096 : 2 * list->capacity;
        struct vector_form *const items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) out_of_memory();
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *form;
}

/* Appends the forms that have digests. Casts and set follow with all their modifiers. */
static void list_digest_forms(struct vector_list *list) {
    struct form_list forms;
    list_forms(&forms);
    for (size_t i = 0; i < forms.count; ++i) {
        struct vector_form form = {.kind = VECTORS_FORM, .as.form = forms.items[i]};
        if (forms.items[i].operation == OP_CAST || forms.items[i].operation == OP_SET) continue;
        memcpy(form.name, forms.items[i].name, sizeof form.name);
        append(list, &form);
    }
    free(forms.items);
}

static void name_cast(pto_cast_op op, char name[FORM_NAME_SIZE]) {
    const char *const overflow = cast_overflow_word(op.overflow);
    const bool is_ieee = op.overflow == PTO_OVERFLOW_IEEE; /* not written */
    snprintf(name, FORM_NAME_SIZE, "cast.%s%s%s.%s.%s", cast_round_word(op.round), is_ieee ? "" : ".",
             is_ieee ? "" : overflow, pto_dtype_name(op.dst), pto_dtype_name(op.src));
}

static void list_casts_of(struct vector_list *list, pto_dtype dst, pto_dtype src) {
    for (pto_round round = PTO_RN; round <= PTO_RO; ++round)
        for (pto_overflow o = PTO_OVERFLOW_IEEE; o <= PTO_OVERFLOW_SATURATE_FINITE; ++o) {
            struct vector_form form = {.kind = VECTORS_CAST, .as.cast = {dst, src, round, o}};
            if (pto_cast_check(form.as.cast) != PTO_OK) continue;
            name_cast(form.as.cast, form.name);
            append(list, &form);
        }
}

static void append_set(struct vector_list *list, pto_set_op op) {
    struct vector_form form = {.kind = VECTORS_SET, .as.set = op};
    if (pto_format_set(op, form.name, sizeof form.name) == PTO_OK) append(list, &form);
}

/* Appends the forms of set for two types, in the order of their fields; nothing if eq is illegal for them. */
static void list_sets_of(struct vector_list *list, pto_dtype dtype, pto_dtype stype) {
    char name[FORM_NAME_SIZE];
    pto_set_op op = {.dtype = dtype, .stype = stype, .cmp = PTO_EQ};
    if (pto_format_set(op, name, sizeof name) != PTO_OK) return;
    for (op.cmp = PTO_EQ; op.cmp <= PTO_NAN; ++op.cmp)
        for (op.boolop = PTO_BOOL_NONE; op.boolop <= PTO_XOR; ++op.boolop)
            for (int ftz = 0; ftz < 2; ++ftz) {
                op.ftz = ftz != 0;
                append_set(list, op);
            }
}

static void list_setps(struct vector_list *list) {
    for (size_t i = 0; i < pto_setp_form_count(); ++i) {
        struct vector_form form = {.kind = VECTORS_SETP};
        if (pto_setp_form(i, &form.as.setp) == PTO_OK &&
            pto_format_setp(form.as.setp, form.name, sizeof form.name) == PTO_OK)
            append(list, &form);
    }
}

/* Returns the usual number of elements in a block: 32 for MX, 16 for NVFP4 and block floating point, 128 for FP8. */
static size_t usual_columns(pto_block_rule rule) {
    const pto_dtype scale = pto_block_scale_type(rule);
    return scale == PTO_UE8M0 ? 32 : scale == PTO_F32 ? 128 : 16;
}

/* Appends the legal variants of a rule for two types: with and without a second level, and with scales that are powers
 * of two. */
static void list_block(struct vector_list *list, pto_block_rule rule, pto_dtype elem, pto_dtype wide) {
    for (int variant = 0; variant < 4; ++variant) {
        struct vector_form form = {.kind = VECTORS_BLOCK};
        pto_block_op *const op = &form.as.block;
        *op = (pto_block_op){.wide = wide, .elem = elem, .rule = rule, .round = PTO_RN, .block_rows = 1};
        op->block_cols = usual_columns(rule);
        op->pow2 = variant % 2 != 0;
        op->two_level = variant / 2 != 0;
        if (pto_block_check(*op) != PTO_OK) continue;
        snprintf(form.name, sizeof form.name, "block.%s%s%s.%s.%s", pto_block_rule_name(rule),
                 op->two_level ? ".two_level" : "", op->pow2 ? ".pow2" : "", pto_dtype_name(elem),
                 pto_dtype_name(wide));
        append(list, &form);
    }
}

static void list_blocks(struct vector_list *list) {
    for (int rule = 0; rule < PTO_BLOCK_RULE_LIMIT; ++rule) {
        if (*pto_block_rule_name((pto_block_rule)rule) == '?') continue;
        for (pto_dtype elem = PTO_B8; is_type(elem); ++elem)
            for (pto_dtype wide = PTO_F16; wide <= PTO_F32; ++wide)
                list_block(list, (pto_block_rule)rule, elem, wide);
    }
}

void list_vector_forms(struct vector_list *list) {
    *list = (struct vector_list){NULL, 0, 0};
    list_digest_forms(list);
    for (pto_dtype dst = PTO_B8; is_type(dst); ++dst)
        for (pto_dtype src = PTO_B8; is_type(src); ++src) list_casts_of(list, dst, src);
    list_setps(list);
    for (pto_dtype dtype = PTO_B8; is_type(dtype); ++dtype)
        for (pto_dtype stype = PTO_B8; is_type(stype); ++stype) list_sets_of(list, dtype, stype);
    list_blocks(list);
}

/* ---- selecting ---- */

/* Writes the name that the list has for a text: cvt forms have several spellings in PTX, and the list has max and min
 * under their names in PTO. */
static void listed_name(const char *text, char name[FORM_NAME_SIZE]) {
    pto_cvt_op cvt;
    const bool is_max = strncmp(text, "max.", 4) == 0 || strncmp(text, "min.", 4) == 0;
    if (pto_parse_cvt(text, &cvt, NULL) == PTO_OK)
        cvt_name(cvt, name);
    else
        snprintf(name, FORM_NAME_SIZE, "%s%s", is_max ? "v" : "", text);
}

static bool is_selected(const struct vector_form *form, const char *text, const char *name) {
    if (form->kind == VECTORS_BLOCK && strcmp(text, pto_block_rule_name(form->as.block.rule)) == 0)
        return true;
    return strcmp(name, form->name) == 0 || fits_pattern(name, form->name);
}

/* Parses the text as an instruction with a grammar. Returns whether it is one and wrong; then *error is what is. */
static bool explain_text(const char *text, pto_parse_error *error) {
    pto_cvt_op cvt;
    pto_setp_op setp;
    pto_set_op set;
    pto_cast_op cast;
    if (strpbrk(text, "*?[") != NULL) return false;
    if (strncmp(text, "cvt.", 4) == 0) return pto_parse_cvt(text, &cvt, error) != PTO_OK;
    if (strncmp(text, "setp.", 5) == 0) return pto_parse_setp(text, &setp, error) != PTO_OK;
    if (strncmp(text, "set.", 4) == 0) return pto_parse_set(text, &set, error) != PTO_OK;
    return is_cast_text(text) && !parse_cast(text, &cast, error);
}

static size_t common_length(const char *a, const char *b) {
    size_t length = 0;
    while (a[length] != '\0' && a[length] == b[length]) ++length;
    return length;
}

/* Returns the form whose name begins most like the text: the first one of several. */
static const struct vector_form *nearest_form(const struct vector_list *list, const char *text) {
    const struct vector_form *nearest = list->items;
    for (size_t i = 0; i < list->count; ++i)
        if (common_length(list->items[i].name, text) > common_length(nearest->name, text))
            nearest = &list->items[i];
    return nearest;
}

static int report_unknown(const struct command *command, const struct vector_list *list, const char *text,
                          const char *name) {
    const struct vector_form *const nearest = nearest_form(list, name);
    pto_parse_error error;
    if (explain_text(text, &error)) return report_error(command, "%s: %s", text, error.text);
    return report_error(command,
                        "%s: expected a form such as %s, a pattern of forms or a block rule; pto vectors "
                        "--list prints all",
                        text, common_length(nearest->name, name) > 2 ? nearest->name : "cvt.rn.bf16.f32");
}

int select_vector_forms(const struct command *command, const struct vector_list *list, const char *text,
                        bool *wanted) {
    char name[FORM_NAME_SIZE];
    bool found = false;
    listed_name(text, name);
    for (size_t i = 0; i < list->count; ++i) {
        if (!is_selected(&list->items[i], text, name)) continue;
        wanted[i] = true;
        found = true;
    }
    return found ? STATUS_OK : report_unknown(command, list, text, name);
}

/* ---- sources ---- */

static void cvt_source(pto_cvt_op op, char source[VECTOR_SOURCE_SIZE]) {
    const char *target = "?";
    int isa = 0;
    if (pto_cvt_since(op, &isa) != PTO_OK || pto_cvt_target(op, &target) != PTO_OK) isa = 0;
    snprintf(source, VECTOR_SOURCE_SIZE, "PTX ISA, cvt%s; since PTX ISA %d.%d, %s",
             pto_cvt_is_ptx(op) ? "" : " (composed of two)", isa / 10, isa % 10, target);
}

static const char *source_of(const struct form *form) {
    switch (form->operation) {
    case OP_VCVT: return "PTO ISA, pto.vcvt; libpto docs/semantics.md";
    case OP_VTRC: return "PTO ISA, pto.vtrc; libpto docs/semantics.md";
    case OP_VCMP: return "PTO ISA, pto.vcmp; PTX ISA, setp; libpto docs/semantics.md";
    case OP_SELP: return "PTX ISA, selp";
    case OP_SLCT: return "PTX ISA, slct";
    case OP_VMAX: return "PTX ISA, max; libpto docs/semantics.md";
    default: return "PTX ISA, min; libpto docs/semantics.md";
    }
}

void vector_source(const struct vector_form *form, char source[VECTOR_SOURCE_SIZE]) {
    const char *text = "IEEE 754, 5.4; libpto docs/semantics.md, Casts";
    if (form->kind == VECTORS_FORM && form->as.form.operation == OP_CVT) {
        cvt_source(form->as.form.cvt, source);
        return;
    }
    if (form->kind == VECTORS_BLOCK) {
        snprintf(source, VECTOR_SOURCE_SIZE, "libpto docs/block-scaling.md, rule %s",
                 pto_block_rule_name(form->as.block.rule));
        return;
    }
    if (form->kind == VECTORS_FORM) text = source_of(&form->as.form);
    if (form->kind == VECTORS_SETP) text = "PTX ISA, setp";
    if (form->kind == VECTORS_SET) text = "PTX ISA, set; libpto docs/semantics.md";
    snprintf(source, VECTOR_SOURCE_SIZE, "%s", text);
}
