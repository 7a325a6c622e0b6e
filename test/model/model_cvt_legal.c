/* SPDX-License-Identifier: MIT */
/* Which conversions there are: the lines of the document's section 2, and the composed pairs of convert.h. */
#include "model/model_cvt.h"

#include <stdio.h>
#include <string.h>

/* ---- sets of types and roundings as bits, modifiers as letters of a set ---- */

#define SET(member)   (1U << (member))
#define INT_OF(width) (SET(PTO_U##width) | SET(PTO_S##width))

enum { FTZ = 1, RELU = 2, SATFINITE = 4, SAT = 8 };

#define NONE  SET(PTO_ROUND_NONE)
#define F     (SET(PTO_RN) | SET(PTO_RZ) | SET(PTO_RM) | SET(PTO_RP))
#define I     (SET(PTO_RNI) | SET(PTO_RZI) | SET(PTO_RMI) | SET(PTO_RPI))
#define RN_RZ (SET(PTO_RN) | SET(PTO_RZ))
#define INT   (INT_OF(8) | INT_OF(16) | INT_OF(32) | INT_OF(64))
#define FP8   (SET(PTO_E4M3) | SET(PTO_E5M2))
#define FP6   (SET(PTO_E2M3) | SET(PTO_E3M2))
#define FP4   SET(PTO_E2M1)
#define F16   SET(PTO_F16)
#define BF16  SET(PTO_BF16)
#define F32   SET(PTO_F32)
#define F64   SET(PTO_F64)
#define SCALE SET(PTO_UE8M0)

/** dst and src with how many are packed, roundings, what must be there and what may. */
struct rule {
    unsigned dst;
    int dst_lanes;
    unsigned src;
    int src_lanes;
    unsigned rounds, required, optional;
};

static const struct rule rules[] = {
    {INT, 1, INT, 1, NONE, 0, SAT}, /* SAT: see range_contains */
    {F16 | F64, 1, INT, 1, F, 0, SAT},
    {F32, 1, INT, 1, F, 0, FTZ | SAT},
    {BF16, 1, INT, 1, F, 0, 0},
    {INT, 1, F16 | F64, 1, I, 0, SAT},
    {INT, 1, F32, 1, I, 0, FTZ | SAT},
    {INT, 1, BF16, 1, I, 0, 0},
    {F16, 1, F16, 1, NONE | I, 0, SAT},
    {F64, 1, F64, 1, NONE | I, 0, SAT},
    {F32, 1, F32, 1, NONE | I, 0, FTZ | SAT},
    {BF16, 1, BF16, 1, NONE | I, 0, 0},
    {F32, 1, F16, 1, NONE, 0, FTZ | SAT},
    {F64, 1, F32, 1, NONE, 0, FTZ | SAT},
    {F64, 1, F16, 1, NONE, 0, SAT},
    {F32, 1, BF16, 1, NONE | F, 0, FTZ},
    {F64 | F16, 1, BF16, 1, NONE | F, 0, 0},
    {BF16, 1, F16, 1, NONE | F, 0, 0},
    {SET(PTO_TF32), 1, F32, 1, SET(PTO_RNA), 0, SATFINITE},
    {SET(PTO_TF32), 1, F32, 1, RN_RZ, 0, RELU | SATFINITE},
    {F16 | BF16, 2, F32, 1, RN_RZ | SET(PTO_RS), 0, RELU | SATFINITE},
    {FP8 | FP4, 2, F32, 1, SET(PTO_RN), SATFINITE, RELU},
    {FP8 | FP4, 2, F16, 2, SET(PTO_RN), SATFINITE, RELU},
    {FP6, 2, F32, 1, SET(PTO_RN), SATFINITE, RELU},
    {FP8 | FP6 | FP4, 4, F32, 1, SET(PTO_RS), SATFINITE, RELU},
    {F16, 2, FP8 | FP6 | FP4, 2, SET(PTO_RN), 0, RELU},
    {SCALE, 2, F32, 1, SET(PTO_RZ) | SET(PTO_RP), 0, SATFINITE},
    {SCALE, 2, BF16, 2, SET(PTO_RZ) | SET(PTO_RP), 0, SATFINITE},
    {BF16, 2, SCALE, 2, SET(PTO_RN), 0, 0},
    {F16, 1, F32, 1, F, 0, FTZ | SAT},
    {F16 | BF16, 1, F32, 1, RN_RZ, 0, RELU | SATFINITE},
    {BF16, 1, F32, 1, F, 0, FTZ},
    {F16, 1, F64, 1, F, 0, SAT},
    {BF16, 1, F64, 1, F, 0, 0},
    {F32, 1, F64, 1, F, 0, FTZ | SAT},
};

/* Numbers of lanes mean nothing here. */
static const struct rule composed[] = {
    {FP8 | FP6 | FP4, 1, BF16, 1, SET(PTO_RN) | SET(PTO_RS), SATFINITE, RELU},
    {F32, 1, FP8 | FP6 | FP4, 1, NONE, 0, FTZ | SAT},
    {BF16, 1, FP8 | FP6 | FP4, 1, NONE | F, 0, 0},
    {F32, 1, SCALE, 1, NONE | F, 0, FTZ},
};

enum { RULES = sizeof rules / sizeof rules[0], COMPOSED = sizeof composed / sizeof composed[0] };

static bool has_member(unsigned set, int member) {
    return member >= 0 && member < 32 && (set & SET((unsigned)member)) != 0;
}

/** Between integer types: whether every value of src is one of dst. */
static bool range_contains(pto_dtype dst, pto_dtype src) {
    const bool dst_signed = dst >= PTO_S8 && dst <= PTO_S64;
    const bool src_signed = src >= PTO_S8 && src <= PTO_S64;
    if (dst_signed == src_signed) return model_code_bits(dst) >= model_code_bits(src);
    return dst_signed && model_code_bits(dst) > model_code_bits(src);
}

static bool has_modifiers(const struct rule *rule, const pto_cvt_op *op) {
    const unsigned flags = model_cvt_flags(op);
    if (!has_member(rule->rounds, (int)op->round)) return false;
    if ((flags & rule->required) != rule->required) return false;
    if (flags & ~(rule->required | rule->optional)) return false;
    return !(has_member(INT, (int)op->dst) && has_member(INT, (int)op->src) && op->sat &&
             range_contains(op->dst, op->src));
}

/** lanes 0: any. */
static pto_status judge(const struct rule *list, size_t count, const pto_cvt_op *op, int dst_lanes,
                        int src_lanes) {
    pto_status status = PTO_ERR_TYPE;
    for (size_t i = 0; i < count; i++) {
        const struct rule *rule = &list[i];
        if (!has_member(rule->dst, (int)op->dst) || !has_member(rule->src, (int)op->src)) continue;
        if (dst_lanes && (dst_lanes != rule->dst_lanes || src_lanes != rule->src_lanes)) continue;
        if (has_modifiers(rule, op)) return PTO_OK;
        status = PTO_ERR_MODIFIER;
    }
    return status;
}

pto_status model_cvt_check(const pto_cvt_op *op) {
    return judge(rules, RULES, op, 0, 0);
}

pto_status model_cvt_status(const pto_cvt_op *op) {
    const pto_status status = model_cvt_check(op);
    return status == PTO_ERR_TYPE ? judge(composed, COMPOSED, op, 0, 0) : status;
}

/* ---- modifiers one by one ---- */

const char *const model_flag_names[MODEL_FLAGS] = {"ftz", "relu", "satfinite", "sat"};

pto_cvt_op model_cvt_with(unsigned flags) {
    const pto_cvt_op op = {.ftz = (flags & FTZ) != 0,
                           .relu = (flags & RELU) != 0,
                           .satfinite = (flags & SATFINITE) != 0,
                           .sat = (flags & SAT) != 0};
    return op;
}

unsigned model_cvt_flags(const pto_cvt_op *op) {
    return (op->ftz ? (unsigned)FTZ : 0) | (op->relu ? (unsigned)RELU : 0) |
           (op->satfinite ? (unsigned)SATFINITE : 0) | (op->sat ? (unsigned)SAT : 0);
}

pto_cvt_op model_cvt_odd(void) {
    pto_cvt_op op = model_cvt_with(MODEL_FLAG_SETS - 1);
    op.dst = PTO_B64;
    op.src = PTO_F16X2;
    op.round = PTO_RMI;
    return op;
}

/* ---- spellings ---- */

const struct model_cvt_word model_cvt_words[MODEL_CVT_WORDS] = {
    {"b8", PTO_B8, 1},       {"b16", PTO_B16, 1},     {"b32", PTO_B32, 1},       {"b64", PTO_B64, 1},
    {"u8", PTO_U8, 1},       {"u16", PTO_U16, 1},     {"u32", PTO_U32, 1},       {"u64", PTO_U64, 1},
    {"s8", PTO_S8, 1},       {"s16", PTO_S16, 1},     {"s32", PTO_S32, 1},       {"s64", PTO_S64, 1},
    {"f16", PTO_F16, 1},     {"bf16", PTO_BF16, 1},   {"f32", PTO_F32, 1},       {"f64", PTO_F64, 1},
    {"tf32", PTO_TF32, 1},   {"e4m3", PTO_E4M3, 1},   {"e5m2", PTO_E5M2, 1},     {"e2m3", PTO_E2M3, 1},
    {"e3m2", PTO_E3M2, 1},   {"e2m1", PTO_E2M1, 1},   {"ue8m0", PTO_UE8M0, 1},   {"f16x2", PTO_F16, 2},
    {"bf16x2", PTO_BF16, 2}, {"e4m3x2", PTO_E4M3, 2}, {"e5m2x2", PTO_E5M2, 2},   {"e2m3x2", PTO_E2M3, 2},
    {"e3m2x2", PTO_E3M2, 2}, {"e2m1x2", PTO_E2M1, 2}, {"ue8m0x2", PTO_UE8M0, 2}, {"e4m3x4", PTO_E4M3, 4},
    {"e5m2x4", PTO_E5M2, 4}, {"e2m3x4", PTO_E2M3, 4}, {"e3m2x4", PTO_E3M2, 4},   {"e2m1x4", PTO_E2M1, 4},
};

pto_status model_cvt_spelling(const struct model_cvt_word *dst, const struct model_cvt_word *src,
                              const pto_cvt_op *modifiers) {
    pto_cvt_op op = *modifiers;
    op.dst = dst->type;
    op.src = src->type;
    return judge(rules, RULES, &op, dst->lanes, src->lanes);
}

const char *model_round_name(pto_round round) {
    static const char *const names[MODEL_ROUNDS] = {"",   "rn",  "rna", "rz",  "rm", "rp",
                                                    "rs", "rni", "rzi", "rmi", "rpi"};
    return (int)round >= 0 && (int)round < MODEL_ROUNDS ? names[round] : "?";
}

/** The element's own word. */
static const char *word_of(pto_dtype type) {
    for (size_t i = 0; i < MODEL_CVT_WORDS; i++) {
        if (model_cvt_words[i].type == type && model_cvt_words[i].lanes == 1) return model_cvt_words[i].name;
    }
    return "?";
}

void model_cvt_modifiers(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]) {
    int used = snprintf(text, MODEL_CVT_TEXT, "cvt%s%s", op->round == PTO_ROUND_NONE ? "" : ".",
                        model_round_name(op->round));
    for (int i = 0; i < MODEL_FLAGS; i++) {
        if (model_cvt_flags(op) >> i & 1)
            used += snprintf(text + used, MODEL_CVT_TEXT - (size_t)used, ".%s", model_flag_names[i]);
    }
}

void model_cvt_describe(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]) {
    size_t used;
    model_cvt_modifiers(op, text);
    used = strlen(text);
    snprintf(text + used, MODEL_CVT_TEXT - used, ".%s.%s", word_of(op->dst), word_of(op->src));
}

bool model_same_cvt(const pto_cvt_op *x, const pto_cvt_op *y) {
    return x->dst == y->dst && x->src == y->src && x->round == y->round &&
           model_cvt_flags(x) == model_cvt_flags(y);
}
