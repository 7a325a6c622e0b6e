/* SPDX-License-Identifier: MIT */
/* The model of setp, set and slct, and of x86's flags and conditions. */
#include "model/model_ptx.h"

#include <stdio.h>
#include <string.h>

const pto_dtype model_set_types[MODEL_SET_TYPES] = {
    PTO_B16,  PTO_B32, PTO_B64, PTO_U16,   PTO_U32,    PTO_U64,  PTO_S16,  PTO_S32,   PTO_S64,   PTO_F16,
    PTO_BF16, PTO_F32, PTO_F64, PTO_F16X2, PTO_BF16X2, PTO_U8X4, PTO_S8X4, PTO_U16X2, PTO_S16X2,
};
const pto_dtype *const model_setp_types = model_set_types;

const pto_dtype model_selp_types[MODEL_SELP_TYPES] = {
    PTO_B16, PTO_B32, PTO_B64, PTO_U16, PTO_U32, PTO_U64, PTO_S16, PTO_S32, PTO_S64, PTO_F32, PTO_F64,
};

bool model_is_pair(pto_dtype type) {
    return type == PTO_F16X2 || type == PTO_BF16X2;
}

bool model_is_packed(pto_dtype type) {
    return type == PTO_U8X4 || type == PTO_S8X4 || type == PTO_U16X2 || type == PTO_S16X2;
}

pto_dtype model_part(pto_dtype type) {
    switch (type) {
    case PTO_F16X2: return PTO_F16;
    case PTO_BF16X2: return PTO_BF16;
    case PTO_U8X4: return PTO_U8;
    case PTO_S8X4: return PTO_S8;
    case PTO_U16X2: return PTO_U16;
    case PTO_S16X2: return PTO_S16;
    default: return type;
    }
}

size_t model_parts(pto_dtype type) {
    if (type == PTO_U8X4 || type == PTO_S8X4) return 4;
    return model_is_pair(type) || model_is_packed(type) ? 2 : 1;
}

static bool has_setp(pto_dtype type) {
    for (size_t i = 0; i < MODEL_SETP_TYPES; i++) {
        if (model_setp_types[i] == type) return true;
    }
    return false;
}

size_t model_word(pto_dtype type) {
    return model_parts(type) > 1 ? 4 : model_size(type);
}

pto_mask_kind model_word_image(pto_dtype type) {
    return model_parts(type) > 1 ? PTO_MASK_B32 : model_image_kind(type);
}

bool model_kind_fits_word(pto_mask_kind kind, pto_dtype type) {
    return kind == PTO_MASK_PACKED || kind == PTO_MASK_BYTE || kind == model_word_image(type);
}

/* ---- legality ---- */

static pto_status status_of(pto_dtype type, pto_cmp op, bool ftz, pto_boolop boolop) {
    const pto_dtype part = model_part(type);
    if (!has_setp(type)) return PTO_ERR_TYPE;
    if (!model_has_op(part, op)) return PTO_ERR_OP;
    if (ftz && !model_has_ftz(part)) return PTO_ERR_MODIFIER;
    return (int)boolop < 0 || (int)boolop >= MODEL_BOOLS ? PTO_ERR_MODIFIER : PTO_OK;
}

pto_status model_setp_status(pto_setp_op op) {
    return status_of(op.type, op.cmp, op.ftz, op.boolop);
}

/** The pairs of types that set accepts in NVIDIA's assembler, one line each. */
static const struct set_row {
    const char *dtypes;
    const char *stypes;
    const char *ftz; /* the dtypes that allow .ftz */
} set_rows[] = {
    {" u32 s32 f32 f16 bf16 ", " b16 b32 b64 ", " "},
    {" u32 s32 f32 f16 bf16 ", " u16 u32 u64 ", " "},
    {" u32 s32 f32 f16 bf16 ", " s16 s32 s64 ", " "},
    {" u32 s32 f32 f16 bf16 ", " f32 ", " u32 s32 f32 f16 "},
    {" u32 s32 f32 f16 bf16 ", " f64 ", " "},
    {" u16 s16 u32 s32 f16 bf16 ", " f16 ", " u16 s16 u32 s32 f16 "},
    {" u16 s16 u32 s32 bf16 ", " bf16 ", " "},
    {" u32 s32 f16x2 ", " f16x2 ", " u32 s32 f16x2 "},
    {" u32 s32 bf16x2 ", " bf16x2 ", " "},
};

static bool listed(const char *list, pto_dtype type) {
    char word[16];
    if ((int)type < 0 || (int)type >= MODEL_DTYPES) return false;
    snprintf(word, sizeof word, " %s ", pto_dtype_name(type));
    return strstr(list, word) != NULL;
}

/** Returns the status of set on packed integers. dtype and stype must be equal; PTX has one word for both. */
static pto_status packed_status(pto_set_op op) {
    if (op.dtype != op.stype) return PTO_ERR_TYPE;
    if (!model_has_op(model_part(op.stype), op.cmp)) return PTO_ERR_OP;
    return op.ftz || op.boolop != PTO_BOOL_NONE ? PTO_ERR_MODIFIER : PTO_OK;
}

pto_status model_set_status(pto_set_op op) {
    if (model_is_packed(op.stype)) return packed_status(op);
    for (size_t i = 0; i < sizeof set_rows / sizeof set_rows[0]; i++) {
        const struct set_row *row = &set_rows[i];
        pto_status status;
        if (!listed(row->dtypes, op.dtype) || !listed(row->stypes, op.stype)) continue;
        status = status_of(op.stype, op.cmp, false, op.boolop);
        if (status != PTO_OK) return status;
        return op.ftz && !listed(row->ftz, op.dtype) ? PTO_ERR_MODIFIER : PTO_OK;
    }
    return PTO_ERR_TYPE;
}

bool model_same_setp(const pto_setp_op *x, const pto_setp_op *y) {
    return x->type == y->type && x->cmp == y->cmp && x->boolop == y->boolop && x->not_c == y->not_c &&
           x->ftz == y->ftz;
}

bool model_same_set(const pto_set_op *x, const pto_set_op *y) {
    return x->dtype == y->dtype && x->stype == y->stype && x->cmp == y->cmp && x->boolop == y->boolop &&
           x->not_c == y->not_c && x->ftz == y->ftz;
}

/* ---- values ---- */

bool model_bool(pto_boolop boolop, bool t, bool c) {
    static const char *const tables[MODEL_BOOLS] = {"0011", "0001", "0111", "0110"}; /* index: t, c */
    return tables[boolop][2 * t + c] == '1';
}

void model_setp_lane(const pto_setp_op *op, const bool truth[2], bool c, bool *p, bool *q) {
    const bool negated = op->not_c ? !c : c;
    *p = model_bool(op->boolop, truth[0], negated);
    *q = model_bool(op->boolop, model_is_pair(op->type) ? truth[1] : !truth[0], negated);
}

/** Returns the value that represents true, from the PTX ISA's page on set. `pair` is true for sources of two
 * halves. */
static uint64_t true_of(pto_dtype dtype, bool pair) {
    switch (dtype) {
    case PTO_U32:
    case PTO_S32: return pair ? 0xffff : 0xffffffff;
    case PTO_U16:
    case PTO_S16: return 0xffff;
    case PTO_F32: return 0x3f800000;
    case PTO_F16:
    case PTO_F16X2: return 0x3c00;
    default: return 0x3f80; /* bf16, bf16x2 */
    }
}

/** Returns the result of set on packed integers (since PTX ISA 9.4). Each part is all ones if its comparison holds,
 * else 0. */
static uint64_t packed_lane(pto_dtype type, const bool truth[MODEL_MOST_PARTS]) {
    const size_t parts = model_parts(type);
    uint64_t bits = 0;
    for (size_t bit = 0; bit < 32; bit++) {
        if (truth[bit * parts / 32]) bits |= (uint64_t)1 << bit;
    }
    return bits;
}

uint64_t model_set_lane(const pto_set_op *op, const bool truth[MODEL_MOST_PARTS], bool c) {
    const bool pair = model_is_pair(op->stype);
    const bool negated = op->not_c ? !c : c;
    const uint64_t yes = true_of(op->dtype, pair);
    uint64_t bits = model_bool(op->boolop, truth[0], negated) ? yes : 0;
    if (model_is_packed(op->stype)) return packed_lane(op->stype, truth);
    if (pair && model_bool(op->boolop, truth[1], negated)) bits += yes * 65536;
    return bits;
}

bool model_slct_lane(pto_dtype ctype, bool ftz, const void *c) {
    const struct model_value value = model_decode(ctype, ftz, c);
    if (ctype == PTO_S32) return value.integer >= 0;
    return !value.nan && value.real >= 0.0;
}

const char *model_bool_name(pto_boolop boolop) {
    static const char *const names[MODEL_BOOLS] = {"", "and", "or", "xor"};
    return names[boolop];
}

/* ---- x86 ---- */

enum { CARRY = 1, PARITY = 4, ADJUST = 16, ZERO = 64, SIGN = 128, OVERFLOW = 2048 };

/** Returns the integer type with `size` bytes. */
static pto_dtype integer_type(size_t size, bool is_signed) {
    switch (size) {
    case 1: return is_signed ? PTO_S8 : PTO_U8;
    case 2: return is_signed ? PTO_S16 : PTO_U16;
    case 4: return is_signed ? PTO_S32 : PTO_U32;
    default: return is_signed ? PTO_S64 : PTO_U64;
    }
}

/** Returns PF, ZF and SF of a result that is `size` bytes wide. */
static uint32_t flags_of_result(uint64_t result, size_t size) {
    const size_t width = 8 * size;
    unsigned ones = 0;
    for (unsigned i = 0; i < 8; i++) {
        ones += (unsigned)(result >> i) % 2;
    }
    return (ones % 2 == 0 ? PARITY : 0U) | (result << (64 - width) == 0 ? ZERO : 0U) |
           (result >> (width - 1) & 1 ? SIGN : 0U);
}

/** Whether a - b overflows a signed integer of `size` bytes. Compares without computing a - b itself. */
static bool leaves_range(int64_t a, int64_t b, size_t size) {
    const int64_t most = (int64_t)(UINT64_MAX >> (65 - 8 * size));
    const int64_t least = -most - 1;
    return b < 0 ? a > most + b : a < least + b;
}

uint32_t model_flags_cmp(pto_dtype type, const void *a, const void *b) {
    const size_t size = model_size(type);
    const uint64_t x = model_decode(integer_type(size, false), false, a).unsigned_integer;
    const uint64_t y = model_decode(integer_type(size, false), false, b).unsigned_integer;
    const int64_t left = model_decode(integer_type(size, true), false, a).integer;
    const int64_t right = model_decode(integer_type(size, true), false, b).integer;
    return flags_of_result(x - y, size) | (x < y ? CARRY : 0U) | (x % 16 < y % 16 ? ADJUST : 0U) |
           (leaves_range(left, right, size) ? OVERFLOW : 0U);
}

uint32_t model_flags_test(pto_dtype type, const void *a, const void *b) {
    const size_t size = model_size(type);
    const uint64_t x = model_decode(integer_type(size, false), false, a).unsigned_integer;
    const uint64_t y = model_decode(integer_type(size, false), false, b).unsigned_integer;
    return flags_of_result(x & y, size);
}

uint32_t model_flags_ucomi(pto_dtype type, const void *a, const void *b) {
    const struct model_value x = model_decode(type, false, a);
    const struct model_value y = model_decode(type, false, b);
    switch (model_relate(type, &x, &y)) {
    case MODEL_UNORDERED: return ZERO | PARITY | CARRY;
    case MODEL_LESS: return CARRY;
    case MODEL_EQUAL: return ZERO;
    default: return 0;
    }
}

const struct model_mnemonic model_mnemonics[MODEL_MNEMONICS] = {
    {"seta", 0x97},  {"setae", 0x93},  {"setb", 0x92},  {"setbe", 0x96}, {"setc", 0x92},  {"sete", 0x94},
    {"setg", 0x9f},  {"setge", 0x9d},  {"setl", 0x9c},  {"setle", 0x9e}, {"setna", 0x96}, {"setnae", 0x92},
    {"setnb", 0x93}, {"setnbe", 0x97}, {"setnc", 0x93}, {"setne", 0x95}, {"setng", 0x9e}, {"setnge", 0x9c},
    {"setnl", 0x9d}, {"setnle", 0x9f}, {"setno", 0x91}, {"setnp", 0x9b}, {"setns", 0x99}, {"setnz", 0x95},
    {"seto", 0x90},  {"setp", 0x9a},   {"setpe", 0x9a}, {"setpo", 0x9b}, {"sets", 0x98},  {"setz", 0x94},
};

bool model_condition(pto_cc cc, uint32_t eflags) {
    const bool cf = eflags & CARRY, pf = eflags & PARITY, zf = eflags & ZERO, sf = eflags & SIGN,
               of = eflags & OVERFLOW;
    switch (cc) {
    case PTO_CC_A: return !cf && !zf;
    case PTO_CC_AE: return !cf;
    case PTO_CC_B: return cf;
    case PTO_CC_BE: return cf || zf;
    case PTO_CC_E: return zf;
    case PTO_CC_G: return !zf && sf == of;
    case PTO_CC_GE: return sf == of;
    case PTO_CC_L: return sf != of;
    case PTO_CC_LE: return zf || sf != of;
    case PTO_CC_NE: return !zf;
    case PTO_CC_NO: return !of;
    case PTO_CC_NP: return !pf;
    case PTO_CC_NS: return !sf;
    case PTO_CC_O: return of;
    case PTO_CC_P: return pf;
    default: return sf;
    }
}
