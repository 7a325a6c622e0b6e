/* SPDX-License-Identifier: MIT */
/* Which conversions are legal: a table of PTX's forms, and the composed pairs of convert.h. */
#include "model/model_cvt.h"

#include <stdio.h>
#include <string.h>

/* ---- bit sets of types, of roundings and of modifiers ---- */

#define SET(member)   (1U << (member))
#define INT_OF(width) (SET(PTO_U##width) | SET(PTO_S##width))

enum { FTZ = 1, RELU = 2, SATFINITE = 4, SAT = 8, PZO = 16, N1 = 32, N2 = 64 };

#define NONE  SET(PTO_ROUND_NONE)
#define F     (SET(PTO_RN) | SET(PTO_RZ) | SET(PTO_RM) | SET(PTO_RP))
#define I     (SET(PTO_RNI) | SET(PTO_RZI) | SET(PTO_RMI) | SET(PTO_RPI))
#define RN    SET(PTO_RN)
#define RN_RZ (RN | SET(PTO_RZ))
#define INT   (INT_OF(8) | INT_OF(16) | INT_OF(32) | INT_OF(64))
#define FP8   (SET(PTO_E4M3) | SET(PTO_E5M2))
#define FP6   (SET(PTO_E2M3) | SET(PTO_E3M2))
#define FP4   SET(PTO_E2M1)
#define SMALL (FP8 | FP6 | FP4)
#define S2F6  SET(PTO_S2F6)
#define UE5M3 SET(PTO_UE5M3)
#define TF32  SET(PTO_TF32)
#define F16   SET(PTO_F16)
#define BF16  SET(PTO_BF16)
#define F32   SET(PTO_F32)
#define F64   SET(PTO_F64)
#define SCALE SET(PTO_UE8M0)

/** A set of legal forms: the destination types, the source types, the number of packed elements of each, the
 * roundings, and the required and the optional modifiers. */
struct rule {
    unsigned dst;
    int dst_lanes;
    unsigned src;
    int src_lanes;
    unsigned rounds, required, optional;
};

static const struct rule rules[] = {
    {INT, 1, INT, 1, NONE, 0, SAT}, /* for SAT, see range_contains() */
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
    {TF32, 1, F32, 1, SET(PTO_RNA), 0, SATFINITE},
    {TF32, 1, F32, 1, RN_RZ, 0, RELU | SATFINITE},
    {F16 | BF16, 2, F32, 1, RN_RZ | SET(PTO_RS), 0, RELU | SATFINITE},
    {FP8 | FP4, 2, F32, 1, RN, SATFINITE, RELU},
    {FP8 | FP4, 2, F16, 2, RN, SATFINITE, RELU},
    {FP6, 2, F32, 1, RN, SATFINITE, RELU},
    {SMALL, 4, F32, 1, SET(PTO_RS), SATFINITE, RELU},
    {F16, 2, SMALL, 2, RN, 0, RELU},
    {SCALE, 2, F32, 1, SET(PTO_RZ) | SET(PTO_RP), 0, SATFINITE},
    {SCALE, 2, BF16, 2, SET(PTO_RZ) | SET(PTO_RP), 0, SATFINITE},
    {BF16, 2, SCALE, 2, RN, 0, 0},
    {F16, 1, F32, 1, F, 0, FTZ | SAT},
    {F16 | BF16, 1, F32, 1, RN_RZ, 0, RELU | SATFINITE},
    {BF16, 1, F32, 1, F, 0, FTZ},
    {F16, 1, F64, 1, F, 0, SAT},
    {BF16, 1, F64, 1, F, 0, 0},
    {F32, 1, F64, 1, F, 0, FTZ | SAT},
    /* Forms since PTX ISA 9.1. The lines for SMALL with RN_RZ repeat forms with .rn that are listed above. */
    {SMALL, 2, BF16, 2, RN, SATFINITE, RELU},
    {FP6, 2, F16, 2, RN, SATFINITE, RELU},
    {S2F6, 2, F32, 1, RN, SATFINITE, RELU | N2},
    {S2F6, 2, BF16, 2, RN, SATFINITE, RELU | N2},
    {BF16, 2, S2F6, 2, RN, 0, RELU | SATFINITE | N2},
    {BF16, 2, SMALL, 2, RN, 0, RELU | SATFINITE | N2},
    {SMALL, 2, F32, 1, RN_RZ, SATFINITE, RELU | PZO | N1},
    {SMALL, 2, F16, 2, RN_RZ, SATFINITE, RELU | PZO | N1},
    {SMALL, 2, BF16, 2, RN_RZ, SATFINITE, RELU | PZO | N1},
    {F16 | BF16 | TF32, 1, F32, 1, RN_RZ, PZO, RELU | SATFINITE},
    {F16 | BF16, 2, F32, 1, RN_RZ, PZO, RELU | SATFINITE},
    {UE5M3, 2, F32, 1, RN_RZ | SET(PTO_RP), 0, SATFINITE},
    {UE5M3, 2, F16, 2, RN_RZ | SET(PTO_RP), 0, SATFINITE},
    {UE5M3, 2, BF16, 2, RN_RZ | SET(PTO_RP), 0, SATFINITE},
    {UE5M3, 2, F32, 1, RN_RZ, N1, SATFINITE},
    {UE5M3, 2, F16, 2, RN_RZ, N1, SATFINITE},
    {UE5M3, 2, BF16, 2, RN_RZ, N1, SATFINITE},
    {BF16, 2, UE5M3, 2, RN, 0, SATFINITE | N2},
    {F16, 2, UE5M3, 2, RN, 0, 0},
    {S2F6, 2, F32, 1, SET(PTO_RZ), SATFINITE, RELU | N2},
    {S2F6, 2, BF16, 2, SET(PTO_RZ), SATFINITE, RELU | N2},
};

/* Composed pairs. Lane counts do not matter here. PTX now has some of these as one instruction. */
static const struct rule composed[] = {
    {SMALL, 1, BF16, 1, RN | SET(PTO_RS), SATFINITE, RELU},
    {F32, 1, SMALL, 1, NONE, 0, FTZ | SAT},
    {BF16, 1, SMALL, 1, NONE | F, 0, 0},
    {F32, 1, SCALE, 1, NONE | F, 0, FTZ},
};

enum { RULES = sizeof rules / sizeof rules[0], COMPOSED = sizeof composed / sizeof composed[0] };

static bool has_member(unsigned set, int member) {
    return member >= 0 && member < 32 && (set & SET((unsigned)member)) != 0;
}

/** For integer types: whether dst can represent every value of src. */
static bool range_contains(pto_dtype dst, pto_dtype src) {
    const bool dst_signed = dst >= PTO_S8 && dst <= PTO_S64;
    const bool src_signed = src >= PTO_S8 && src <= PTO_S64;
    if (dst_signed == src_signed) return model_code_bits(dst) >= model_code_bits(src);
    return dst_signed && model_code_bits(dst) > model_code_bits(src);
}

bool model_cvt_has_reserved(const pto_cvt_op *op) {
    for (size_t i = 0; i < sizeof op->reserved; i++) {
        if (op->reserved[i] != 0) return true;
    }
    return false;
}

static bool has_modifiers(const struct rule *rule, const pto_cvt_op *op) {
    const unsigned flags = model_cvt_flags(op);
    if (!has_member(rule->rounds, (int)op->round) || model_cvt_has_reserved(op)) return false;
    if ((flags & rule->required) != rule->required) return false;
    if (flags & ~(rule->required | rule->optional)) return false;
    return !(has_member(INT, (int)op->dst) && has_member(INT, (int)op->src) && op->sat &&
             range_contains(op->dst, op->src));
}

/** Finds the status of an op in a list. Lane counts of 0 match any. */
static pto_status find_status(const struct rule *list, size_t count, const pto_cvt_op *op, int dst_lanes,
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
    return find_status(rules, RULES, op, 0, 0);
}

pto_status model_cvt_status(const pto_cvt_op *op) {
    const pto_status one = model_cvt_check(op);
    const pto_status two = find_status(composed, COMPOSED, op, 0, 0);
    if (one == PTO_OK || two == PTO_OK) return PTO_OK;
    return one == PTO_ERR_TYPE ? two : one;
}

/* ---- single modifiers ---- */

const char *const model_flag_names[MODEL_FLAGS] = {
    "ftz", "relu", "satfinite", "sat", "pzo", "scaled::n1::ue8m0", "scaled::n2::ue8m0"};

pto_cvt_op model_cvt_with(unsigned flags) {
    const int scale = ((flags & N1) != 0 ? PTO_SCALE_N1 : 0) + ((flags & N2) != 0 ? PTO_SCALE_N2 : 0);
    const pto_cvt_op op = {.ftz = (flags & FTZ) != 0,
                           .relu = (flags & RELU) != 0,
                           .satfinite = (flags & SATFINITE) != 0,
                           .sat = (flags & SAT) != 0,
                           .pzo = (flags & PZO) != 0,
                           .scale = (pto_cvt_scale)scale};
    return op;
}

unsigned model_cvt_flags(const pto_cvt_op *op) {
    const unsigned scale = op->scale == PTO_SCALE_NONE ? 0U
                           : op->scale == PTO_SCALE_N1 ? (unsigned)N1
                           : op->scale == PTO_SCALE_N2 ? (unsigned)N2
                                                       : (unsigned)N1 | N2;
    return scale | (op->ftz ? (unsigned)FTZ : 0) | (op->relu ? (unsigned)RELU : 0) |
           (op->satfinite ? (unsigned)SATFINITE : 0) | (op->sat ? (unsigned)SAT : 0) |
           (op->pzo ? (unsigned)PZO : 0);
}

pto_cvt_op model_cvt_modifiers(size_t i) {
    pto_cvt_op op = model_cvt_with((unsigned)(i % MODEL_FLAG_SETS));
    op.round = (pto_round)(i / MODEL_FLAG_SETS);
    return op;
}

size_t model_cvt_modifiers_number(const pto_cvt_op *op) {
    return (size_t)op->round * MODEL_FLAG_SETS + model_cvt_flags(op);
}

pto_cvt_op model_cvt_invalid(void) {
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
    {"s2f6", PTO_S2F6, 1},   {"s2f6x2", PTO_S2F6, 2}, {"ue5m3", PTO_UE5M3, 1},   {"ue5m3x2", PTO_UE5M3, 2},
};

pto_status model_cvt_spelling(const struct model_cvt_word *dst, const struct model_cvt_word *src,
                              const pto_cvt_op *modifiers) {
    pto_cvt_op op = *modifiers;
    op.dst = dst->type;
    op.src = src->type;
    if ((int)op.scale < 0 || (int)op.scale > PTO_SCALE_N2) return PTO_ERR_PARSE; /* no text has two scales */
    return find_status(rules, RULES, &op, dst->lanes, src->lanes);
}

const char *model_round_name(pto_round round) {
    static const char *const names[MODEL_ROUNDS] = {"",   "rn",  "rna", "rz",  "rm", "rp",
                                                    "rs", "rni", "rzi", "rmi", "rpi"};
    return (int)round >= 0 && (int)round < MODEL_ROUNDS ? names[round] : "?";
}

/** Returns the word for a single element. */
static const char *word_of(pto_dtype type) {
    for (size_t i = 0; i < MODEL_CVT_WORDS; i++) {
        if (model_cvt_words[i].type == type && model_cvt_words[i].lanes == 1) return model_cvt_words[i].name;
    }
    return "?";
}

void model_cvt_opcode(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]) {
    int used = snprintf(text, MODEL_CVT_TEXT, "cvt%s%s", op->round == PTO_ROUND_NONE ? "" : ".",
                        model_round_name(op->round));
    for (int i = 0; i < MODEL_FLAGS; i++) {
        if (model_cvt_flags(op) >> i & 1)
            used += snprintf(text + used, MODEL_CVT_TEXT - (size_t)used, ".%s", model_flag_names[i]);
    }
}

void model_cvt_describe(const pto_cvt_op *op, char text[MODEL_CVT_TEXT]) {
    size_t used;
    model_cvt_opcode(op, text);
    used = strlen(text);
    snprintf(text + used, MODEL_CVT_TEXT - used, ".%s.%s", word_of(op->dst), word_of(op->src));
}

bool model_same_cvt(const pto_cvt_op *x, const pto_cvt_op *y) {
    return x->dst == y->dst && x->src == y->src && x->round == y->round &&
           model_cvt_flags(x) == model_cvt_flags(y);
}
