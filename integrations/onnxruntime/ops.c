/* SPDX-License-Identifier: MIT */
/* The operators of the domain `pto`, without any runtime. */
#include "ops.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

const op_signature op_signatures[OP_KINDS] = {
    [OP_CVT] = {"Cvt", 2, 1, 1, 1},
    [OP_CAST] = {"Cast", 1, 1, 1, 1},
    [OP_QUANTIZE] = {"Quantize", 2, 1, 3, 2},
    [OP_DEQUANTIZE] = {"Dequantize", 3, 2, 1, 1},
};

enum { CVT = 1 << OP_CVT, CAST = 1 << OP_CAST, QUANTIZE = 1 << OP_QUANTIZE, DEQUANTIZE = 1 << OP_DEQUANTIZE };

const op_attribute op_text_attributes[OP_TEXTS] = {
    {"form", offsetof(op_attributes, form), CVT},
    {"to", offsetof(op_attributes, to), CAST | DEQUANTIZE},
    {"from", offsetof(op_attributes, from), CAST},
    {"round", offsetof(op_attributes, round), CAST},
    {"overflow", offsetof(op_attributes, overflow), CAST},
    {"elem", offsetof(op_attributes, elem), QUANTIZE | DEQUANTIZE},
    {"rule", offsetof(op_attributes, rule), QUANTIZE | DEQUANTIZE},
};

const op_attribute op_integer_attributes[OP_INTEGERS] = {
    {"bytes", offsetof(op_attributes, bytes), CVT | CAST | QUANTIZE},
    {"block_rows", offsetof(op_attributes, block_rows), QUANTIZE | DEQUANTIZE},
    {"block_cols", offsetof(op_attributes, block_cols), QUANTIZE | DEQUANTIZE},
    {"two_level", offsetof(op_attributes, two_level), QUANTIZE | DEQUANTIZE},
    {"pow2", offsetof(op_attributes, pow2), QUANTIZE},
    {"cols", offsetof(op_attributes, cols), DEQUANTIZE},
};

op_attributes op_no_attributes(void) {
    op_attributes a;
    memset(&a, 0, sizeof a);
    a.bytes = a.block_rows = a.block_cols = a.two_level = a.pow2 = a.cols = OP_ABSENT;
    a.eps = OP_ABSENT;
    return a;
}

/* ---- messages ---- */

static const char *status_name(pto_status status) {
    static const char *const names[] = {"PTO_OK",          "PTO_ERR_NULL",     "PTO_ERR_TYPE",
                                        "PTO_ERR_OP",      "PTO_ERR_MODIFIER", "PTO_ERR_MASK",
                                        "PTO_ERR_OVERLAP", "PTO_ERR_ISA",      "PTO_ERR_PARSE",
                                        "PTO_ERR_PATTERN", "PTO_ERR_SIZE",     "PTO_ERR_STOPPED"};
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown status";
}

/* Writes "pto.NAME: MESSAGE (STATUS)" to problem and returns false. */
__attribute__((format(printf, 4, 5))) static bool fail(char *problem, op_kind kind, pto_status status,
                                                       const char *format, ...) {
    char text[OP_PROBLEM - 60];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(problem, OP_PROBLEM, "pto.%s: %s (%s)", op_signatures[kind].name, text, status_name(status));
    return false;
}

/* ---- types ---- */

/* Returns how many elements a byte holds in a tensor of bytes. */
static int64_t per_byte(pto_dtype type) {
    return pto_dtype_bits(type) < 8 ? 8 / (int64_t)pto_dtype_bits(type) : 1;
}

/* Returns the type of a tensor that holds elements of `type`. */
static pto_dtype storage_of(pto_dtype type, bool bytes, bool (*native)(pto_dtype)) {
    if (type == PTO_TF32) return PTO_F32;
    if (pto_dtype_bits(type) <= 8 && (bytes || !native(type))) return PTO_U8;
    return type;
}

/* Returns whether a tensor whose elements in memory are `storage` can hold elements of `type`. */
static bool holds(pto_dtype storage, pto_dtype type) {
    return storage == type || (type == PTO_TF32 && storage == PTO_F32) ||
           (storage == PTO_U8 && pto_dtype_bits(type) <= 8);
}

/* Returns whether the elements of a tensor are packed along the last dimension, because a byte holds several. */
static bool is_packed(pto_dtype storage, pto_dtype type) {
    return storage == PTO_U8 && pto_dtype_bits(type) < 8;
}

static const char *name_of(pto_dtype storage) {
    return storage == OP_NO_TYPE ? "a type that libpto does not have" : pto_dtype_name(storage);
}

static bool parse_type(char *problem, op_kind kind, const char *attribute, const char *text,
                       pto_dtype *type) {
    const pto_status status = pto_parse_dtype(text, type, NULL);
    if (status == PTO_OK) return true;
    if (*text == 0) return fail(problem, kind, status, "%s: the attribute is missing", attribute);
    return fail(problem, kind, status, "%s: %s is not a type", attribute, text);
}

/* ---- Cvt and Cast ---- */

/* Returns how many elements one element of the second input of Cvt serves: random words or scales. */
static size_t group_of(pto_cvt_op op) {
    if (op.round == PTO_RS) return op.dst == PTO_F16 || op.dst == PTO_BF16 ? 2 : 4;
    return op.scale == PTO_SCALE_N1 ? 2 : 1;
}

static bool takes_extra(pto_cvt_op op) {
    return op.round == PTO_RS || op.scale != PTO_SCALE_NONE;
}

/* Returns whether a tensor whose elements in memory are `storage` can be the second input of Cvt. */
static bool holds_extra(pto_cvt_op op, pto_dtype storage) {
    return op.round == PTO_RS ? storage == PTO_U32 || storage == PTO_S32 : holds(storage, PTO_UE8M0);
}

static bool set_cvt(op_setting *s, const op_attributes *a, const op_tensor *in, char *problem) {
    pto_parse_error error;
    const pto_status status = pto_parse_cvt(a->form, &s->cvt, &error);
    if (*a->form == 0) return fail(problem, OP_CVT, PTO_ERR_PARSE, "form: the attribute is missing");
    if (status != PTO_OK) return fail(problem, OP_CVT, status, "form: %s: %s", a->form, error.text);
    s->src = s->cvt.src;
    s->dst = s->cvt.dst;
    if (takes_extra(s->cvt) != in[1].present)
        return fail(problem, OP_CVT, PTO_ERR_MODIFIER,
                    takes_extra(s->cvt) ? "%s needs a second input: its random bits (u32) or scales (ue8m0)"
                                        : "%s takes no second input",
                    a->form);
    if (in[1].present && !holds_extra(s->cvt, in[1].type))
        return fail(problem, OP_CVT, PTO_ERR_TYPE, "the second input is %s, not %s", name_of(in[1].type),
                    s->cvt.round == PTO_RS ? "u32 or s32" : "ue8m0 or u8");
    return true;
}

/* Returns the index of `text` in a list of names, `absent` if the text is empty, or -1 if it is not in the list. */
static int index_of(const char *text, const char *const *names, int count, int absent) {
    if (*text == 0) return absent;
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) return i;
    return -1;
}

static bool set_cast(op_setting *s, const op_attributes *a, const op_tensor *in, char *problem) {
    static const char *const roundings[] = {"rn", "rna", "rz", "rm", "rp", "ro"};
    static const pto_round rounds[] = {PTO_RN, PTO_RNA, PTO_RZ, PTO_RM, PTO_RP, PTO_RO};
    static const char *const overflows[] = {"ieee", "saturate", "saturate_finite"};
    const int round = index_of(a->round, roundings, 6, 0), overflow = index_of(a->overflow, overflows, 3, 0);
    pto_status status;
    if (round < 0)
        return fail(problem, OP_CAST, PTO_ERR_MODIFIER, "round: one of rn, rna, rz, rm, rp, ro, not %s",
                    a->round);
    if (overflow < 0)
        return fail(problem, OP_CAST, PTO_ERR_MODIFIER,
                    "overflow: one of ieee, saturate, saturate_finite, not %s", a->overflow);
    if (!parse_type(problem, OP_CAST, "to", a->to, &s->dst)) return false;
    if (*a->from != 0) {
        if (!parse_type(problem, OP_CAST, "from", a->from, &s->src)) return false;
    } else if (in[0].type != OP_NO_TYPE) {
        s->src = in[0].type;
    } else {
        return fail(problem, OP_CAST, PTO_ERR_TYPE, "the first input has %s", name_of(in[0].type));
    }
    s->cast = (pto_cast_op){s->dst, s->src, rounds[round], (pto_overflow)overflow};
    status = pto_cast_check(s->cast);
    if (status != PTO_OK)
        return fail(problem, OP_CAST, status, "there is no cast from %s to %s", pto_dtype_name(s->src),
                    pto_dtype_name(s->dst));
    return true;
}

/* Returns the dimension that `count` elements take in a tensor of bytes; -1 if it is not known. */
static int64_t packed(int64_t count, pto_dtype type) {
    return count < 0 ? -1 : (count + per_byte(type) - 1) / per_byte(type);
}

/* Returns how many elements a dimension of packed bytes has; -1 if it is not known. */
static int64_t unpacked(int64_t bytes, pto_dtype type) {
    return bytes < 0 ? -1 : bytes * per_byte(type);
}

static bool shape_convert(const op_setting *s, const op_tensor *in, op_tensor *out, char *problem) {
    int64_t *last;
    *out = in[0];
    out->type = s->types[0];
    if (!is_packed(in[0].type, s->src) && !is_packed(out->type, s->dst)) return true;
    if (in[0].rank == 0)
        return fail(problem, s->kind, PTO_ERR_SIZE, "a tensor of packed bytes needs at least one dimension");
    last = &out->dims[in[0].rank - 1];
    if (is_packed(in[0].type, s->src)) *last = unpacked(*last, s->src);
    if (is_packed(out->type, s->dst)) *last = packed(*last, s->dst);
    return true;
}

/* ---- Quantize and Dequantize ---- */

/* Returns whether the name of a rule starts with `family`. */
static bool is_in(const char *rule, const char *family) {
    return strncmp(rule, family, strlen(family)) == 0;
}

/* Returns the rule with this name, or PTO_BLOCK_RULE_LIMIT. */
static pto_block_rule rule_named(const char *text) {
    for (int i = 0; i < PTO_BLOCK_RULE_LIMIT; i++)
        if (strcmp(text, pto_block_rule_name((pto_block_rule)i)) == 0) return (pto_block_rule)i;
    return (pto_block_rule)PTO_BLOCK_RULE_LIMIT;
}

/* Returns the eps of the software that uses an FP8 rule, as pto.quantize() in Python does. */
static float eps_of(pto_block_rule rule) {
    switch (rule) {
    case PTO_FP8_DIV:
    case PTO_FP8_MUL: return 1e-10F;
    case PTO_FP8_RCP: return 1e-4F;
    case PTO_FP8_AO: return 1e-12F;
    default: return 0;
    }
}

/* Returns a dimension of blocks: the attribute or the default of the rule. */
static bool block_size(char *problem, op_kind kind, const char *name, int64_t attribute, size_t otherwise,
                       size_t *size) {
    if (attribute < OP_ABSENT)
        return fail(problem, kind, PTO_ERR_MODIFIER, "%s: it must not be negative", name);
    *size = attribute == OP_ABSENT ? otherwise : (size_t)attribute;
    return true;
}

static bool set_block(op_setting *s, const op_attributes *a, const op_tensor *in, char *problem) {
    const op_kind kind = s->kind;
    const bool quantize = kind == OP_QUANTIZE, nv = is_in(a->rule, "nv."),
               level = in[quantize ? 1 : 2].present;
    const pto_block_rule rule = rule_named(a->rule);
    const bool one_level = rule == PTO_NV_GGUF || rule == PTO_NV_ONEDNN || rule == PTO_NV_QUARK;
    pto_block_op *op = &s->block;
    pto_status status;
    if (*a->rule == 0) return fail(problem, kind, PTO_ERR_PARSE, "rule: the attribute is missing");
    if ((int)rule == PTO_BLOCK_RULE_LIMIT)
        return fail(problem, kind, PTO_ERR_PARSE, "rule: %s is not a rule", a->rule);
    if (!parse_type(problem, kind, "elem", a->elem, &op->elem)) return false;
    op->rule = rule;
    op->round = PTO_RN;
    op->pow2 = a->pow2 > 0;
    op->two_level = a->two_level == OP_ABSENT ? nv && !one_level : a->two_level > 0;
    op->tensor = op->two_level ? 1 : 0;
    if (quantize) {
        op->wide = in[0].type;
        if (a->eps != OP_ABSENT && (!(a->eps >= 0) || isinf(a->eps) || op->two_level))
            return fail(problem, kind, PTO_ERR_MODIFIER, "eps: it must be at least 0 and finite, and %s",
                        "it is only for FP8 rules");
        if (!op->two_level) op->tensor = a->eps == OP_ABSENT ? eps_of(rule) : a->eps;
        if (op->wide != PTO_F32 && op->wide != PTO_F16 && op->wide != PTO_BF16)
            return fail(problem, kind, PTO_ERR_TYPE, "the first input is %s, not f32, f16 or bf16",
                        name_of(in[0].type));
    } else if (*a->to == 0) {
        op->wide = PTO_F32;
    } else if (!parse_type(problem, kind, "to", a->to, &op->wide)) {
        return false;
    }
    if (!block_size(problem, kind, "block_rows", a->block_rows, 1, &op->block_rows)) return false;
    if (!block_size(problem, kind, "block_cols", a->block_cols,
                    is_in(a->rule, "mx.")    ? 32
                    : is_in(a->rule, "fp8.") ? 128
                                             : 16,
                    &op->block_cols))
        return false;
    status = pto_block_check(*op);
    if (status == PTO_ERR_TYPE)
        return fail(problem, kind, status, "%s does not take elements of %s and values of %s", a->rule,
                    a->elem, name_of(op->wide));
    if (status != PTO_OK)
        return fail(problem, kind, status, "%s does not take this block, pow2, two_level or eps", a->rule);
    if (level && !op->two_level)
        return fail(problem, kind, PTO_ERR_MODIFIER,
                    "%s has one level here, so there is no input for a second one", a->rule);
    if (!quantize && !level && op->two_level)
        return fail(problem, kind, PTO_ERR_MODIFIER,
                    "%s has two levels, and so the third input, the second-level value, is needed", a->rule);
    if (level && in[quantize ? 1 : 2].type != PTO_F32)
        return fail(problem, kind, PTO_ERR_TYPE, "the second-level value is %s, not f32",
                    name_of(in[quantize ? 1 : 2].type));
    if (!quantize && !holds(in[0].type, op->elem))
        return fail(problem, kind, PTO_ERR_TYPE, "codes are %s, not %s or u8", name_of(in[0].type), a->elem);
    if (!quantize && !holds(in[1].type, pto_block_scale_type(rule)))
        return fail(problem, kind, PTO_ERR_TYPE, "scales are %s, not %s", name_of(in[1].type),
                    pto_dtype_name(pto_block_scale_type(rule)));
    s->cols = a->cols == OP_ABSENT ? 0 : a->cols;
    if (s->cols < 0) return fail(problem, kind, PTO_ERR_SIZE, "cols: it must not be negative");
    return true;
}

/* Returns the number of blocks of `size` elements that cover `count` elements; -1 if count is not known. */
static int64_t blocks(int64_t count, size_t size) {
    if (count < 0) return -1;
    if (size == 0) return count > 0;
    return count / (int64_t)size + (count % (int64_t)size != 0);
}

/* Sets the dimensions of the scales of a tensor of values. */
static void shape_scales(const op_setting *s, const op_tensor *values, op_tensor *scales) {
    const size_t rank = values->rank;
    *scales = *values;
    if (rank >= 2) scales->dims[rank - 2] = blocks(values->dims[rank - 2], s->block.block_rows);
    scales->dims[rank - 1] = blocks(values->dims[rank - 1], s->block.block_cols);
}

static bool shape_quantize(const op_setting *s, const op_tensor *in, op_tensor *out, char *problem) {
    const size_t last = in[0].rank - 1;
    if (in[0].rank == 0)
        return fail(problem, s->kind, PTO_ERR_SIZE, "the first input needs at least one dimension");
    shape_scales(s, &in[0], &out[1]);
    out[0] = in[0];
    if (is_packed(s->types[0], s->block.elem)) {
        out[0].dims[last] = packed(in[0].dims[last], s->block.elem);
    } else if (pto_dtype_bits(s->block.elem) < 8 && in[0].dims[last] > 0 && in[0].dims[last] % 2 != 0) {
        return fail(problem, s->kind, PTO_ERR_SIZE, "a row of %lld elements does not fill bytes: use bytes=1",
                    (long long)in[0].dims[last]);
    }
    out[2] = (op_tensor){.rank = 0};
    for (size_t i = 0; i < OP_OUTPUTS; i++) out[i].type = s->types[i];
    return true;
}

static bool shape_dequantize(const op_setting *s, const op_tensor *in, op_tensor *out, char *problem) {
    const bool two = is_packed(in[0].type, s->block.elem);
    op_tensor scales;
    int64_t *last;
    if (in[0].rank == 0) return fail(problem, s->kind, PTO_ERR_SIZE, "codes need at least one dimension");
    *out = in[0];
    out->type = s->types[0];
    last = &out->dims[in[0].rank - 1];
    if (two && s->cols > 0 && *last >= 0) {
        if (*last != packed(s->cols, s->block.elem))
            return fail(problem, s->kind, PTO_ERR_SIZE, "cols: %lld elements do not take %lld bytes",
                        (long long)s->cols, (long long)*last);
        *last = s->cols;
    } else if (two) {
        *last = unpacked(*last, s->block.elem);
    } else if (!two && pto_dtype_bits(s->block.elem) < 8 && *last > 0 && *last % 2 != 0) {
        return fail(problem, s->kind, PTO_ERR_SIZE, "a row of %lld elements does not fill bytes",
                    (long long)*last);
    }
    shape_scales(s, out, &scales);
    if (in[1].rank != scales.rank)
        return fail(problem, s->kind, PTO_ERR_SIZE, "scales have %zu dimensions, not %zu", in[1].rank,
                    scales.rank);
    for (size_t i = 0; i < scales.rank; i++)
        if (in[1].dims[i] >= 0 && scales.dims[i] >= 0 && in[1].dims[i] != scales.dims[i])
            return fail(problem, s->kind, PTO_ERR_SIZE, "dimension %zu of the scales is %lld, not %lld", i,
                        (long long)in[1].dims[i], (long long)scales.dims[i]);
    return true;
}

/* ---- all operators ---- */

/* Returns the type that `text` names, without the number of elements in a word such as e4m3x2, or f32. */
static pto_dtype type_in(const char *text, size_t length) {
    char word[OP_TEXT];
    pto_dtype type;
    if (length >= 2 && text[length - 2] == 'x') length -= 2;
    if (length >= sizeof word) return PTO_F32;
    memcpy(word, text, length);
    word[length] = 0;
    return pto_parse_dtype(word, &type, NULL) == PTO_OK ? type : PTO_F32;
}

/* Returns the destination type of a form, legal or not: the word before the last one. */
static pto_dtype type_in_form(const char *form) {
    const char *last = strrchr(form, '.'), *word = last;
    if (last == NULL) return PTO_F32;
    while (word > form && word[-1] != '.') word--;
    return type_in(word, (size_t)(last - word));
}

void op_types(op_setting *s, op_kind kind, const op_attributes *a, bool (*native)(pto_dtype)) {
    const bool bytes = a->bytes > 0;
    const pto_dtype to = type_in(a->to, strlen(a->to)), elem = type_in(a->elem, strlen(a->elem));
    memset(s, 0, sizeof *s);
    s->kind = kind;
    switch (kind) {
    case OP_CVT: s->types[0] = storage_of(type_in_form(a->form), bytes, native); break;
    case OP_CAST: s->types[0] = storage_of(to, bytes, native); break;
    case OP_DEQUANTIZE: s->types[0] = to; break;
    default: s->types[0] = storage_of(elem, bytes, native);
    }
    s->types[1] = is_in(a->rule, "fp8.")  ? PTO_F32
                  : is_in(a->rule, "nv.") ? storage_of(PTO_E4M3, bytes, native)
                                          : storage_of(PTO_UE8M0, bytes, native);
    s->types[2] = PTO_F32;
}

bool op_set(op_setting *s, op_kind kind, const op_attributes *a, const op_tensor in[OP_INPUTS],
            bool (*native)(pto_dtype), char *problem) {
    const bool bytes = a->bytes > 0;
    op_types(s, kind, a, native);
    if (kind == OP_QUANTIZE || kind == OP_DEQUANTIZE) {
        if (!set_block(s, a, in, problem)) return false;
        s->types[0] = kind == OP_DEQUANTIZE ? s->block.wide : storage_of(s->block.elem, bytes, native);
        s->types[1] = storage_of(pto_block_scale_type(s->block.rule), bytes, native);
        return true;
    }
    if (!(kind == OP_CVT ? set_cvt : set_cast)(s, a, in, problem)) return false;
    if (!holds(in[0].type, s->src))
        return fail(problem, kind, PTO_ERR_TYPE, "the first input is %s, not %s", name_of(in[0].type),
                    pto_dtype_name(s->src));
    s->types[0] = storage_of(s->dst, bytes, native);
    return true;
}

bool op_shapes(const op_setting *s, const op_tensor in[OP_INPUTS], op_tensor out[OP_OUTPUTS], char *problem) {
    switch (s->kind) {
    case OP_QUANTIZE: return shape_quantize(s, in, out, problem);
    case OP_DEQUANTIZE: return shape_dequantize(s, in, out, problem);
    default: return shape_convert(s, in, out, problem);
    }
}

/* ---- work, divided into parts ---- */

enum {
    PART = 1 << 15
}; /* the least elements of a part, because starting a thread's part takes some microseconds */

/* The work of one call. A part converts some units: elements, or rows of blocks. */
typedef struct job {
    const op_setting *s;
    const char *in, *extra;
    char *out, *scales;
    size_t n;               /* Cvt, Cast: elements */
    size_t rows, cols;      /* of each matrix; Cvt, Cast: of the tensor, if its rows start at bytes */
    size_t matrices, bands; /* Quantize, Dequantize: matrices, and rows of blocks of each */
    size_t band;            /* the rows of a row of blocks */
    pto_block_size size;
    pto_block_op op;
    size_t parts;
    atomic_int status;
} job;

/* Stores the status of a part if it is an error. */
static void report(job *j, pto_status status) {
    if (status != PTO_OK) atomic_store(&j->status, (int)status);
}

static pto_status convert(const job *j, size_t src, size_t dst, size_t n) {
    const op_setting *s = j->s;
    const void *in = j->in + src * pto_dtype_bits(s->src) / 8;
    void *out = j->out + dst * pto_dtype_bits(s->dst) / 8;
    const char *extra = j->extra;
    if (s->kind == OP_CAST) return pto_cast(s->cast, in, out, NULL, n);
    if (extra != NULL) extra += src / group_of(s->cvt) * (s->cvt.round == PTO_RS ? 4 : 1);
    return pto_cvt(s->cvt, in, out, extra, n);
}

static void convert_part(void *data, size_t k) {
    job *j = data;
    size_t begin, count;
    if (pto_split(j->n, j->parts, k, &begin, &count) == PTO_OK) report(j, convert(j, begin, begin, count));
}

/* Converts rows whose results start at bytes, although the last byte of each row is not full. */
static void convert_rows(void *data, size_t k) {
    job *j = data;
    const size_t per = (size_t)per_byte(j->s->dst), pitch = (j->cols + per - 1) / per * per;
    const size_t begin = j->rows * k / j->parts, end = j->rows * (k + 1) / j->parts;
    for (size_t row = begin; row < end; row++) report(j, convert(j, row * j->cols, row * pitch, j->cols));
}

static void block_part(void *data, size_t k) {
    job *j = data;
    const size_t bands = j->matrices * j->bands, end = bands * (k + 1) / j->parts;
    const size_t value_bytes = j->cols * pto_dtype_bits(j->op.wide) / 8;
    const size_t scale_row = j->size.scale_cols * j->size.scale_bytes;
    for (size_t at = bands * k / j->parts; at < end;) {
        const size_t matrix = at / j->bands, first = at % j->bands;
        const size_t count = end - at < j->bands - first ? end - at : j->bands - first;
        const size_t row = first * j->band,
                     here = j->rows - row < count * j->band ? j->rows - row : count * j->band;
        const size_t whole = matrix * j->rows + row, scale = at * scale_row;
        if (j->s->kind == OP_QUANTIZE)
            report(j, pto_block_quantize(j->op, j->in + whole * value_bytes, 0, here, j->cols,
                                         j->out + whole * j->size.row_bytes, 0, j->scales + scale, 0, NULL));
        else
            report(j, pto_block_dequantize(j->op, j->in + whole * j->size.row_bytes, 0, j->extra + scale, 0,
                                           here, j->cols, j->out + whole * value_bytes, 0));
        at += count;
    }
}

/* Runs the parts of a job, at most one for PART elements, and returns the first error. */
static bool run_parts(job *j, void (*part)(void *, size_t), size_t elements, size_t units,
                      op_parallel parallel, void *pool, char *problem) {
    const size_t parts = elements / PART;
    pto_status status;
    j->parts = parts > units ? units : parts;
    atomic_init(&j->status, PTO_OK);
    if (j->parts <= 1) {
        j->parts = 1;
        part(j, 0);
    } else {
        parallel(pool, part, j, j->parts);
    }
    status = (pto_status)atomic_load(&j->status);
    return status == PTO_OK || fail(problem, j->s->kind, status, "%s", pto_strerror(status));
}

/* Returns the product of the first `rank` dimensions. */
static size_t product(const op_tensor *t, size_t rank) {
    size_t n = 1;
    for (size_t i = 0; i < rank; i++) n *= (size_t)t->dims[i];
    return n;
}

static bool run_convert(const op_setting *s, const op_tensor *in, const op_tensor *out, op_parallel parallel,
                        void *pool, char *problem) {
    const bool from_bytes = is_packed(in[0].type, s->src), to_bytes = is_packed(out->type, s->dst);
    job j = {.s = s, .in = in[0].data, .out = out[0].data};
    j.n = product(&in[0], in[0].rank) * (from_bytes ? (size_t)per_byte(s->src) : 1);
    if (in[1].present) {
        const size_t group = group_of(s->cvt), wanted = (j.n + group - 1) / group;
        if (product(&in[1], in[1].rank) != wanted)
            return fail(problem, s->kind, PTO_ERR_SIZE, "the second input has %zu elements, not %zu",
                        product(&in[1], in[1].rank), wanted);
        j.extra = in[1].data;
    }
    if (to_bytes) {
        j.cols = (size_t)in[0].dims[in[0].rank - 1] * (from_bytes ? (size_t)per_byte(s->src) : 1);
        j.rows = product(&in[0], in[0].rank - 1);
        if (j.cols % (size_t)per_byte(s->dst) != 0 && j.rows > 1) {
            if (pto_dtype_bits(s->src) < 8 || j.extra != NULL)
                return fail(problem, s->kind, PTO_ERR_SIZE, "rows of %zu elements do not fill bytes", j.cols);
            return run_parts(&j, convert_rows, j.n, j.rows, parallel, pool, problem);
        }
    }
    return run_parts(&j, convert_part, j.n, j.n, parallel, pool, problem);
}

/* Returns whether a NaN in the tensor makes the largest magnitude of the tensor a NaN. */
static bool keeps_nan(pto_block_rule rule) {
    return rule == PTO_NV_AO || rule == PTO_NV_MODELOPT || rule == PTO_NV_CT || rule == PTO_NV_46_MODELOPT;
}

/* Returns x rounded to the type `wide`. */
static float rounded(pto_dtype wide, float x) {
    const pto_cast_op there = {wide, PTO_F32, PTO_RN, PTO_OVERFLOW_IEEE},
                      again = {PTO_F32, wide, PTO_RN, PTO_OVERFLOW_IEEE};
    uint16_t narrow;
    if (wide == PTO_F32 || pto_cast(there, &x, &narrow, NULL, 1) != PTO_OK) return x;
    return pto_cast(again, &narrow, &x, NULL, 1) == PTO_OK ? x : NAN;
}

/* Computes the second-level value from the largest magnitude of a tensor, as pto.quantize() in Python does. */
static pto_status level_of(pto_block_op op, float amax, float *level) {
    const pto_status status = pto_block_tensor(op.rule, amax, level);
    float of_three;
    if (status != PTO_OK) return status;
    if (op.rule == PTO_NV_CT) { /* compressed-tensors divides in the type of the weight */
        const float least = op.wide == PTO_F16 ? 0x1p-14F : 0x1p-126F;
        *level = rounded(op.wide, 2688 * rounded(op.wide, 1 / (amax < least ? least : amax)));
        if (!isfinite(*level)) *level = 1;
        return PTO_OK;
    }
    /* The rules whose second-level value is the largest magnitude take 0, except ModelOpt's. */
    if (op.rule != PTO_NV_46_MODELOPT && pto_block_tensor(op.rule, 3, &of_three) == PTO_OK && of_three == 3)
        return PTO_OK;
    if (isfinite(amax) && (*level == 0 || isinf(*level))) *level = 1;
    return PTO_OK;
}

static bool run_block(const op_setting *s, const op_tensor *in, const op_tensor *out, op_parallel parallel,
                      void *pool, char *problem) {
    const bool quantize = s->kind == OP_QUANTIZE;
    const op_tensor *values = quantize ? &in[0] : &out[0], *level = quantize ? &in[1] : &in[2];
    const size_t rank = values->rank;
    job j = {.s = s, .in = in[0].data, .out = out[0].data, .op = s->block};
    pto_status status;
    j.rows = rank >= 2 ? (size_t)values->dims[rank - 2] : 1;
    j.cols = (size_t)values->dims[rank - 1];
    j.matrices = product(values, rank >= 2 ? rank - 2 : 0);
    if (level->present) {
        if (product(level, level->rank) != 1)
            return fail(problem, s->kind, PTO_ERR_SIZE, "the second-level value has %zu elements, not 1",
                        product(level, level->rank));
        memcpy(&j.op.tensor, level->data, sizeof j.op.tensor);
    } else if (j.op.two_level) {
        float amax;
        status = pto_block_amax(j.op.wide, j.in, 0, j.matrices * j.rows, j.cols, keeps_nan(j.op.rule), &amax);
        if (status == PTO_OK) status = level_of(j.op, amax, &j.op.tensor);
        if (status != PTO_OK) return fail(problem, s->kind, status, "%s", pto_strerror(status));
    }
    if (quantize && out[2].present) memcpy(out[2].data, &j.op.tensor, sizeof j.op.tensor);
    status = pto_block_sizes(j.op, j.rows, j.cols, &j.size);
    if (status != PTO_OK) return fail(problem, s->kind, status, "%s", pto_strerror(status));
    j.extra = quantize ? NULL : in[1].data;
    j.scales = quantize ? out[1].data : NULL;
    j.band = j.op.block_rows == 0 || j.op.block_rows > j.rows ? j.rows : j.op.block_rows;
    j.bands = j.size.scale_rows;
    if (j.matrices * j.rows * j.cols == 0) return true;
    return run_parts(&j, block_part, j.matrices * j.rows * j.cols, j.matrices * j.bands, parallel, pool,
                     problem);
}

bool op_run(const op_setting *s, const op_tensor in[OP_INPUTS], const op_tensor out[OP_OUTPUTS],
            op_parallel parallel, void *pool, char *problem) {
    const bool block = s->kind == OP_QUANTIZE || s->kind == OP_DEQUANTIZE;
    return (block ? run_block : run_convert)(s, in, out, parallel, pool, problem);
}
