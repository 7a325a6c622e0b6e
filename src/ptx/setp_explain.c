/* SPDX-License-Identifier: MIT */
/* Explains in English what a setp or set does, or why it is illegal. */
#include "core/lowering.h"
#include "pto/forms.h"
#include "pto/parse.h"
#include "ptx/explain.h"
#include "ptx/setp_forms.h"

/* ---- what is wrong ---- */

static void write_type(struct sink *s, pto_dtype type) {
    if (dtype_info(type) != NULL)
        pto_sink_add(s, "%s", pto_dtype_name(type));
    else
        pto_sink_add(s, "type %d", (int)type);
}

/* Returns whether the instruction named `word` ("setp" or "set") compares the type. */
static bool compares(const char *word, pto_dtype type) {
    return (strcmp(word, "setp") == 0 ? pto_setp_type(type) : pto_set_type(type)) != NULL;
}

static void write_type_fault(struct sink *s, const char *word, pto_set_op op) {
    char list[256];
    struct sink l = sink_into(list, sizeof list);
    if (!compares(word, op.stype)) {
        for (int t = 0; t < DTYPE_COUNT; ++t)
            if (compares(word, (pto_dtype)t)) pto_sink_add(&l, " %s", pto_dtype_name((pto_dtype)t));
        pto_sink_add(s, "%s compares no ", word);
        write_type(s, op.stype);
        pto_sink_add(s, "; legal:%s", list);
        return;
    }
    write_type(s, op.stype);
    pto_sink_add(s, " is not compared into ");
    write_type(s, op.dtype);
    for (int t = 0; t < DTYPE_COUNT; ++t)
        if (pto_set_true((pto_dtype)t, op.stype) != 0) pto_sink_add(&l, " %s", pto_dtype_name((pto_dtype)t));
    pto_sink_add(s, "; legal:%s", list);
}

static void write_cmp_fault(struct sink *s, pto_set_op op) {
    const struct dtype_info *type = pto_set_type(op.stype);
    struct lowering unused;
    char list[128];
    struct sink l = sink_into(list, sizeof list);
    for (int cmp = 0; cmp < CMP_COUNT; ++cmp)
        if (lower(type, (pto_cmp)cmp, false, &unused) == PTO_OK) pto_sink_add(&l, " .%s", pto_cmp_words[cmp]);
    if ((unsigned)op.cmp < CMP_COUNT)
        pto_sink_add(s, "%s has no .%s", pto_dtype_name(op.stype), pto_cmp_words[op.cmp]);
    else
        pto_sink_add(s, "%d is not an operator", (int)op.cmp);
    pto_sink_add(s, "; legal:%s", list);
}

static void write_modifier_fault(struct sink *s, const char *word, pto_set_op op) {
    if (pto_is_packed(op.stype)) {
        pto_sink_add(s, "%s of %s takes no BoolOp, no c and no .ftz; legal: none", word,
                     pto_dtype_name(op.stype));
    } else if ((unsigned)op.boolop >= BOOLOP_COUNT) {
        pto_sink_add(s, "%d is not a BoolOp; legal:%s .and .or .xor", (int)op.boolop,
                     op.not_c ? "" : " none");
    } else if (op.not_c && op.boolop == PTO_BOOL_NONE) {
        pto_sink_add(s, "!c needs a BoolOp; legal: .and .or .xor");
    } else if (pto_set_type(op.stype)->lane_ftz != LANE_NONE) {
        pto_sink_add(s, "%s into %s takes no .ftz; legal: none", word, pto_dtype_name(op.dtype));
    } else {
        pto_sink_add(s, "%s takes no .ftz, which only f16, f16x2 and f32 take; legal: none",
                     pto_dtype_name(op.stype));
    }
}

void pto_set_write_fault(struct sink *s, const char *word, pto_set_op op, pto_status status) {
    if (status == PTO_ERR_TYPE)
        write_type_fault(s, word, op);
    else if (status == PTO_ERR_OP)
        write_cmp_fault(s, op);
    else
        write_modifier_fault(s, word, op);
}

/* ---- what is legal, in words ---- */

/* Writes how NaNs and subnormal operands are compared. */
static void write_operands(struct sink *s, pto_set_op op) {
    const struct dtype_info *type = pto_set_type(op.stype);
    struct lowering l;
    if (type->class == PTO_CLASS_FLOAT && op.cmp != PTO_NUM && op.cmp != PTO_NAN &&
        lower(type, op.cmp, op.ftz, &l) == PTO_OK)
        pto_sink_add(s, "; %s if either is a NaN", l.complement ? "true" : "false");
    if (op.ftz) pto_sink_add(s, "; subnormal operands count as zero");
}

/* Writes the BoolOp and c, such as " and c" or " xor !c". */
static void write_boolop(struct sink *s, pto_set_op op) {
    if (op.boolop != PTO_BOOL_NONE)
        pto_sink_add(s, " %s %sc", pto_boolop_words[op.boolop], op.not_c ? "!" : "");
}

static void write_setp(struct sink *s, pto_set_op op) {
    const bool pair = pto_is_pair(op.stype);
    pto_sink_add(s, "legal: p = (%s%s)", pto_cmp_relations[op.cmp], pair ? " of the low halves" : "");
    write_boolop(s, op);
    pto_sink_add(s, ", q = %s(%s%s)", pair ? "" : "!", pto_cmp_relations[op.cmp],
                 pair ? " of the high halves" : "");
    write_boolop(s, op);
}

/* Returns the phrase for the parts of a word that are compared separately. */
static const char *part_phrase(pto_dtype stype) {
    switch (pto_dtype_bits(stype) / pto_dtype_bits(pto_element_type(stype))) {
    case 2: return " in each half";
    case 4: return " in each byte";
    default: return "";
    }
}

static void write_set(struct sink *s, pto_set_op op) {
    const bool ones = dtype_info(op.dtype)->class != PTO_CLASS_FLOAT;
    pto_sink_add(s, "legal: %s%s where (%s)", ones ? "all ones" : "1.0", part_phrase(op.stype),
                 pto_cmp_relations[op.cmp]);
    write_boolop(s, op);
    pto_sink_add(s, ", else 0");
}

pto_status pto_setp_explain(pto_setp_op op, char *buf, size_t size) {
    const pto_set_op as_set = set_of_setp(op);
    const pto_status status = pto_set_check_not_c(pto_setp_legal(op), as_set);
    char text[PTO_EXPLAIN_SIZE];
    struct sink s = sink_into(text, sizeof text);
    if (buf == NULL) return PTO_ERR_NULL;
    if (status == PTO_OK) {
        write_setp(&s, as_set);
        write_operands(&s, as_set);
    } else {
        pto_set_write_fault(&s, "setp", as_set, status);
    }
    return pto_copy_text(text, buf, size);
}

pto_status pto_set_explain(pto_set_op op, char *buf, size_t size) {
    const pto_status status = pto_set_check_not_c(pto_set_legal(op), op);
    char text[PTO_EXPLAIN_SIZE];
    struct sink s = sink_into(text, sizeof text);
    if (buf == NULL) return PTO_ERR_NULL;
    if (status == PTO_OK) {
        write_set(&s, op);
        write_operands(&s, op);
        if (pto_is_packed(op.stype)) pto_sink_add(&s, "\nsince PTX ISA 9.4, first target sm_107f");
    } else {
        pto_set_write_fault(&s, "set", op, status);
    }
    return pto_copy_text(text, buf, size);
}
