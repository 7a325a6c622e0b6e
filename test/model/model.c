/* SPDX-License-Identifier: MIT */
/* The model of compare, select and masks. */
#include "model/model.h"

#include <math.h>
#include <string.h>

/** The type classes of PTX ISA 9.3.1 and whether setp takes .ftz for a type, with the field widths of IEEE 754 and
 * bfloat16. */
struct type_row {
    pto_dtype type;
    int bytes;
    int exponent_bits;
    int fraction_bits;
    char class; /* type class: b (untyped bits), u, s or f */
    bool ftz;
};

/** Formats of at most 8 bits, from OCP's specification of 8-bit floating point and its MX formats, and from ml_dtypes
 * and P3109. */
struct small_row {
    pto_dtype type;
    int bias;
    int sign;          /* the sign bit */
    unsigned infinity; /* the code of infinity, or 0 */
    unsigned nan;      /* the least magnitude that is a NaN; 0: none; 0x80: only this code */
};

static const struct small_row small_rows[] = {
    {PTO_E4M3, 7, 0x80, 0, 0x7f},
    {PTO_E5M2, 15, 0x80, 0x7c, 0x7d},
    {PTO_E2M3, 1, 0x20, 0, 0},
    {PTO_E3M2, 3, 0x20, 0, 0},
    {PTO_E4M3FNUZ, 8, 0x80, 0, 0x80},
    {PTO_E5M2FNUZ, 16, 0x80, 0, 0x80},
    {PTO_E4M3B11FNUZ, 11, 0x80, 0, 0x80},
    {PTO_E4M3IEEE, 7, 0x80, 0x78, 0x79},
    {PTO_E3M4, 3, 0x80, 0x70, 0x71},
    {PTO_BINARY8P3SE, 16, 0x80, 0x7f, 0x80},
    {PTO_BINARY8P4SE, 8, 0x80, 0x7f, 0x80},
};

static const struct type_row type_rows[MODEL_TYPES] = {
    {PTO_B8, 1, 0, 0, 'b', false},          {PTO_B16, 2, 0, 0, 'b', false},
    {PTO_B32, 4, 0, 0, 'b', false},         {PTO_B64, 8, 0, 0, 'b', false},
    {PTO_U8, 1, 0, 0, 'u', false},          {PTO_U16, 2, 0, 0, 'u', false},
    {PTO_U32, 4, 0, 0, 'u', false},         {PTO_U64, 8, 0, 0, 'u', false},
    {PTO_S8, 1, 0, 0, 's', false},          {PTO_S16, 2, 0, 0, 's', false},
    {PTO_S32, 4, 0, 0, 's', false},         {PTO_S64, 8, 0, 0, 's', false},
    {PTO_F16, 2, 5, 10, 'f', true},         {PTO_BF16, 2, 8, 7, 'f', false},
    {PTO_F32, 4, 8, 23, 'f', true},         {PTO_F64, 8, 11, 52, 'f', false},
    {PTO_E4M3, 1, 4, 3, 'f', false},        {PTO_E5M2, 1, 5, 2, 'f', false},
    {PTO_E2M3, 1, 2, 3, 'f', false},        {PTO_E3M2, 1, 3, 2, 'f', false},
    {PTO_E4M3FNUZ, 1, 4, 3, 'f', false},    {PTO_E5M2FNUZ, 1, 5, 2, 'f', false},
    {PTO_E4M3B11FNUZ, 1, 4, 3, 'f', false}, {PTO_E4M3IEEE, 1, 4, 3, 'f', false},
    {PTO_E3M4, 1, 3, 4, 'f', false},        {PTO_BINARY8P3SE, 1, 5, 2, 'f', false},
    {PTO_BINARY8P4SE, 1, 4, 3, 'f', false},
};

const pto_dtype model_types[MODEL_TYPES] = {
    PTO_B8,       PTO_B16,         PTO_B32,      PTO_B64,  PTO_U8,          PTO_U16,         PTO_U32,
    PTO_U64,      PTO_S8,          PTO_S16,      PTO_S32,  PTO_S64,         PTO_F16,         PTO_BF16,
    PTO_F32,      PTO_F64,         PTO_E4M3,     PTO_E5M2, PTO_E2M3,        PTO_E3M2,        PTO_E4M3FNUZ,
    PTO_E5M2FNUZ, PTO_E4M3B11FNUZ, PTO_E4M3IEEE, PTO_E3M4, PTO_BINARY8P3SE, PTO_BINARY8P4SE,
};

/** PTX ISA tables 22 to 25. `truth_row` has the operator's result for a lesser, equal, greater and unordered first
 * operand, in this order. `classes` has the type classes that have the operator. */
struct op_row {
    pto_cmp op;
    const char *name;
    const char *truth_row;
    const char *classes;
};

static const struct op_row op_rows[MODEL_OPS] = {
    {PTO_EQ, "eq", "0100", "busf"}, {PTO_NE, "ne", "1010", "busf"}, {PTO_LT, "lt", "1000", "usf"},
    {PTO_LE, "le", "1100", "usf"},  {PTO_GT, "gt", "0010", "usf"},  {PTO_GE, "ge", "0110", "usf"},
    {PTO_LO, "lo", "100-", "u"},    {PTO_LS, "ls", "110-", "u"},    {PTO_HI, "hi", "001-", "u"},
    {PTO_HS, "hs", "011-", "u"},    {PTO_EQU, "equ", "0101", "f"},  {PTO_NEU, "neu", "1011", "f"},
    {PTO_LTU, "ltu", "1001", "f"},  {PTO_LEU, "leu", "1101", "f"},  {PTO_GTU, "gtu", "0011", "f"},
    {PTO_GEU, "geu", "0111", "f"},  {PTO_NUM, "num", "1110", "f"},  {PTO_NAN, "nan", "0001", "f"},
};

static const struct type_row *type_row(pto_dtype type) {
    /* Tests the row that usually belongs to the type first, which avoids a search. */
    if ((size_t)type < MODEL_TYPES && type_rows[type].type == type) return &type_rows[type];
    for (size_t i = 0; i < MODEL_TYPES; i++) {
        if (type_rows[i].type == type) return &type_rows[i];
    }
    return NULL;
}

static const struct op_row *op_row(pto_cmp op) {
    for (size_t i = 0; i < MODEL_OPS; i++) {
        if (op_rows[i].op == op) return &op_rows[i];
    }
    return NULL;
}

static const struct small_row *small_row(pto_dtype type) {
    for (size_t i = 0; i < sizeof small_rows / sizeof small_rows[0]; i++) {
        if (small_rows[i].type == type) return &small_rows[i];
    }
    return NULL;
}

bool model_is_small(pto_dtype type) {
    return small_row(type) != NULL;
}

uint64_t model_sign_bit(pto_dtype type) {
    const struct small_row *small = small_row(type);
    const size_t size = model_size(type);
    if (size == 0) return 0;
    return small ? (uint64_t)small->sign : (uint64_t)1 << (8 * size - 1);
}

bool model_has_type(pto_dtype type) {
    return type_row(type) != NULL;
}

size_t model_size(pto_dtype type) {
    const struct type_row *row = type_row(type);
    return row ? (size_t)row->bytes : 0;
}

bool model_is_float(pto_dtype type) {
    const struct type_row *row = type_row(type);
    return row && row->class == 'f';
}

bool model_has_op(pto_dtype type, pto_cmp op) {
    const struct type_row *row = type_row(type);
    const struct op_row *ops = op_row(op);
    return row && ops && strchr(ops->classes, row->class);
}

bool model_has_ftz(pto_dtype type) {
    const struct type_row *row = type_row(type);
    return row && row->ftz;
}

int model_exponent_bits(pto_dtype type) {
    const struct type_row *row = type_row(type);
    return row ? row->exponent_bits : 0;
}

int model_fraction_bits(pto_dtype type) {
    const struct type_row *row = type_row(type);
    return row ? row->fraction_bits : 0;
}

const char *model_op_name(pto_cmp op) {
    const struct op_row *row = op_row(op);
    return row ? row->name : "?";
}

/** Decodes a floating-point element. The value is exact in a double for all formats up to f32. */
static struct model_value decode_fields(const struct type_row *row, bool ftz, uint64_t bits) {
    struct model_value value = {0};
    const uint64_t fraction_count = (uint64_t)1 << row->fraction_bits;
    const int exponent_count = 1 << row->exponent_bits;
    const int bias = exponent_count / 2 - 1;
    const uint64_t fraction = bits % fraction_count;
    const int exponent = (int)(bits / fraction_count % (uint64_t)exponent_count);
    const bool negative = bits / fraction_count / (uint64_t)exponent_count != 0;

    if (exponent == exponent_count - 1) {
        value.nan = fraction != 0;
        value.real = value.nan ? 0.0 : HUGE_VAL;
    } else if (exponent == 0) {
        value.real = ftz ? 0.0 : ldexp((double)fraction, 1 - bias - row->fraction_bits);
    } else {
        value.real = ldexp((double)(fraction_count + fraction), exponent - bias - row->fraction_bits);
    }
    if (negative) value.real = -value.real;
    return value;
}

static struct model_value decode_small(const struct type_row *row, const struct small_row *small,
                                       unsigned code) {
    struct model_value value = {0};
    const unsigned magnitude = code % (unsigned)small->sign, steps = 1U << row->fraction_bits;
    const unsigned exponent = magnitude / steps, fraction = magnitude % steps;
    const bool negative = code / (unsigned)small->sign % 2 != 0;

    value.nan = small->nan == 0x80 ? code == 0x80 : small->nan != 0 && magnitude >= small->nan;
    if (value.nan) return value;
    value.real = ldexp(exponent == 0 ? fraction : steps + fraction,
                       (exponent == 0 ? 1 : (int)exponent) - small->bias - row->fraction_bits);
    if (small->infinity != 0 && magnitude == small->infinity) value.real = HUGE_VAL;
    if (negative) value.real = -value.real;
    return value;
}

static struct model_value decode_unsigned(const void *element, int bytes) {
    struct model_value value = {0};
    const unsigned char *p = element;
    for (int i = bytes; i-- > 0;) {
        value.unsigned_integer = value.unsigned_integer * 256 + p[i];
    }
    return value;
}

/** Decodes two's complement: the upper half of the unsigned values represents the negative ones. */
static struct model_value decode_integer(const void *element, int bytes) {
    struct model_value value = decode_unsigned(element, bytes);
    if (bytes == 8) {
        memcpy(&value.integer, element, sizeof value.integer);
    } else {
        const int64_t half = (int64_t)1 << (8 * bytes - 1);
        value.integer = (int64_t)value.unsigned_integer;
        if (value.integer >= half) value.integer -= 2 * half;
    }
    return value;
}

struct model_value model_decode(pto_dtype type, bool ftz, const void *element) {
    const struct type_row *row = type_row(type);
    struct model_value value;

    if (row->class == 's') return decode_integer(element, row->bytes);
    value = decode_unsigned(element, row->bytes);
    if (row->class != 'f') return value;
    if (small_row(type)) return decode_small(row, small_row(type), (unsigned)value.unsigned_integer);
    if (type != PTO_F64) return decode_fields(row, ftz, value.unsigned_integer);
    memcpy(&value.real, element, sizeof value.real);
    value.nan = isnan(value.real);
    return value;
}

static enum model_relation relate(char class, const struct model_value *a, const struct model_value *b) {
    switch (class) {
    case 'f':
        if (a->nan || b->nan) return MODEL_UNORDERED;
        if (a->real < b->real) return MODEL_LESS;
        return a->real > b->real ? MODEL_GREATER : MODEL_EQUAL;
    case 's':
        if (a->integer < b->integer) return MODEL_LESS;
        return a->integer > b->integer ? MODEL_GREATER : MODEL_EQUAL;
    default:
        if (a->unsigned_integer < b->unsigned_integer) return MODEL_LESS;
        return a->unsigned_integer > b->unsigned_integer ? MODEL_GREATER : MODEL_EQUAL;
    }
}

enum model_relation model_relate(pto_dtype type, const struct model_value *a, const struct model_value *b) {
    return relate(type_row(type)->class, a, b);
}

void model_relations(pto_dtype type, const struct model_value *a, const struct model_value *b, bool one_b,
                     unsigned char *relation, size_t n) {
    const char class = type_row(type)->class;
    for (size_t i = 0; i < n; i++) {
        relation[i] = (unsigned char)relate(class, &a[i], one_b ? b : &b[i]);
    }
}

bool model_holds(pto_cmp op, enum model_relation relation) {
    return op_row(op)->truth_row[relation] == '1';
}

void model_truth_row(pto_cmp op, bool truth_row[4]) {
    const struct op_row *row = op_row(op);
    for (size_t i = 0; i < 4; i++) {
        truth_row[i] = row->truth_row[i] == '1';
    }
}

bool model_compare(pto_dtype type, pto_cmp op, bool ftz, const void *a, const void *b) {
    const struct model_value x = model_decode(type, ftz, a);
    const struct model_value y = model_decode(type, ftz, b);
    return model_holds(op, model_relate(type, &x, &y));
}

bool model_vcmp_lane(bool holds, bool seed, bool merge, bool old) {
    if (seed) return holds;
    return merge ? old : false;
}

const char *model_kind_name(pto_mask_kind kind) {
    static const char *const names[MODEL_KINDS] = {"packed", "b8", "b16", "b32", "b64", "byte"};
    return (size_t)kind < MODEL_KINDS ? names[kind] : "?";
}

pto_mask_kind model_image_kind(pto_dtype type) {
    switch (model_size(type)) {
    case 1: return PTO_MASK_B8;
    case 2: return PTO_MASK_B16;
    case 4: return PTO_MASK_B32;
    default: return PTO_MASK_B64;
    }
}

size_t model_lane_bits(pto_mask_kind kind) {
    switch (kind) {
    case PTO_MASK_B16: return 2;
    case PTO_MASK_B32: return 4;
    case PTO_MASK_B64:
    case PTO_MASK_BYTE: return 8;
    default: return 1;
    }
}

bool model_kind_fits(pto_mask_kind kind, pto_dtype type) {
    return kind == PTO_MASK_PACKED || kind == PTO_MASK_BYTE || kind == model_image_kind(type);
}

size_t model_mask_bytes(pto_mask_kind kind, size_t n) {
    const size_t bits = model_lane_bits(kind);
    const size_t lanes_per_byte = 8 / bits;
    return n / lanes_per_byte + (n % lanes_per_byte != 0);
}

bool model_mask_get(pto_mask_kind kind, const void *image, size_t lane) {
    const unsigned char *p = image;
    const size_t bit = lane * model_lane_bits(kind);
    if (kind == PTO_MASK_BYTE) return p[lane] != 0;
    return p[bit / 8] >> bit % 8 & 1;
}

void model_mask_set(pto_mask_kind kind, void *image, size_t lane, bool on) {
    unsigned char *p = image;
    const size_t bits = model_lane_bits(kind);
    for (size_t b = lane * bits; b < (lane + 1) * bits; b++) {
        const bool set = on && b == lane * bits;
        p[b / 8] = (unsigned char)((p[b / 8] & ~(1U << b % 8)) | (unsigned)set << b % 8);
    }
}

void model_mask_put(pto_mask_kind kind, void *image, const unsigned char *truth, size_t n) {
    unsigned char *p = image;
    const size_t bits = model_lane_bits(kind);
    memset(p, 0, model_mask_bytes(kind, n));
    for (size_t i = 0; i < n; i++) {
        if (truth[i]) p[i * bits / 8] |= (unsigned char)(1U << i * bits % 8);
    }
}
