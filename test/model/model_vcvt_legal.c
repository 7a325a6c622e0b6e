/* SPDX-License-Identifier: MIT */
/* Which pairs and roundings vcvt has, and the positions of the elements of a part. */
#include "model/model_vcvt.h"

#include <stdio.h>
#include <string.h>

/* ---- pairs ---- */

/** Sets of roundings. ANY is all roundings of PTO, DIRECT all except O. EXACT is for exact conversions: only R is
 * legal, which is 0 and has no effect. */
#define ANY    "RAFCZO"
#define DIRECT "RAFCZ"
#define EXACT  "R"

static const struct pair {
    pto_dtype dst, src;
    const char *roundings;
    bool sat; /* whether the form allows sat */
} pairs[] = {
    {PTO_F16, PTO_F32, ANY, true},       {PTO_BF16, PTO_F32, ANY, true},
    {PTO_S16, PTO_F32, ANY, true},       {PTO_S32, PTO_F32, ANY, true},
    {PTO_S64, PTO_F32, ANY, true},       {PTO_E4M3, PTO_F32, "RAZ", true},
    {PTO_E5M2, PTO_F32, "RAZ", true},    {PTO_HIF8, PTO_F32, "A", true},
    {PTO_F32, PTO_F16, EXACT, false},    {PTO_S32, PTO_F16, ANY, false},
    {PTO_S16, PTO_F16, ANY, true},       {PTO_S8, PTO_F16, ANY, true},
    {PTO_U8, PTO_F16, ANY, true},        {PTO_HIF8, PTO_F16, "A", true},
    {PTO_E4M3, PTO_F16, DIRECT, true},   {PTO_E5M2, PTO_F16, DIRECT, true},
    {PTO_BF16, PTO_F16, DIRECT, false},  {PTO_F32, PTO_BF16, EXACT, false},
    {PTO_F16, PTO_BF16, ANY, true},      {PTO_S32, PTO_BF16, ANY, true},
    {PTO_E2M1, PTO_BF16, DIRECT, false}, {PTO_E1M2, PTO_BF16, DIRECT, false},
    {PTO_E4M3, PTO_BF16, DIRECT, true},  {PTO_E5M2, PTO_BF16, DIRECT, true},
    {PTO_F32, PTO_E4M3, EXACT, false},   {PTO_F32, PTO_E5M2, EXACT, false},
    {PTO_F32, PTO_HIF8, EXACT, false},   {PTO_F16, PTO_HIF8, EXACT, false},
    {PTO_BF16, PTO_E2M1, EXACT, false},  {PTO_BF16, PTO_E1M2, EXACT, false},
    {PTO_F16, PTO_U8, EXACT, false},     {PTO_U16, PTO_U8, EXACT, false},
    {PTO_U32, PTO_U8, EXACT, false},     {PTO_F16, PTO_S8, EXACT, false},
    {PTO_S16, PTO_S8, EXACT, false},     {PTO_S32, PTO_S8, EXACT, false},
    {PTO_U8, PTO_U16, EXACT, true},      {PTO_U32, PTO_U16, EXACT, false},
    {PTO_F16, PTO_S16, ANY, false},      {PTO_F32, PTO_S16, EXACT, false},
    {PTO_S32, PTO_S16, EXACT, false},    {PTO_U32, PTO_S16, EXACT, false},
    {PTO_U8, PTO_S16, EXACT, true},      {PTO_U8, PTO_U32, EXACT, true},
    {PTO_U16, PTO_U32, EXACT, true},     {PTO_S16, PTO_U32, EXACT, true},
    {PTO_F32, PTO_U32, ANY, false},      {PTO_F32, PTO_S32, ANY, false},
    {PTO_U8, PTO_S32, EXACT, true},      {PTO_U16, PTO_S32, EXACT, true},
    {PTO_S16, PTO_S32, EXACT, true},     {PTO_S64, PTO_S32, EXACT, false},
    {PTO_F32, PTO_S64, ANY, false},      {PTO_S32, PTO_S64, EXACT, true},
};

static const char letters[] = ANY;

static const struct pair *find_pair(const pto_vcvt_op *op) {
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i].dst == op->dst && pairs[i].src == op->src) return &pairs[i];
    }
    return NULL;
}

static bool has_rounding(const char *roundings, pto_vrnd rnd) {
    return (unsigned)rnd < MODEL_VRNDS && strchr(roundings, letters[rnd]) != NULL;
}

pto_status model_vcvt_status(const pto_vcvt_op *op) {
    const struct pair *pair = find_pair(op);
    if (!pair) return PTO_ERR_TYPE;
    return has_rounding(pair->roundings, op->rnd) && (pair->sat || !op->sat) ? PTO_OK : PTO_ERR_MODIFIER;
}

pto_status model_vtrc_status(pto_dtype type, pto_vrnd rnd) {
    if (type != PTO_F16 && type != PTO_BF16 && type != PTO_F32) return PTO_ERR_TYPE;
    return has_rounding(DIRECT, rnd) ? PTO_OK : PTO_ERR_MODIFIER;
}

/* ---- parts ---- */

/** Returns 1 for an operation whose types are equal. It stands for vtrc, which has no parts. */
size_t model_vcvt_parts(const pto_vcvt_op *op) {
    const int dst = model_code_bits(op->dst), src = model_code_bits(op->src);
    return (size_t)(dst < src ? src / dst : dst / src);
}

int model_vcvt_part(const pto_vcvt_op *op, size_t i) {
    return (model_vcvt_parts(op) == 2 ? PTO_PART_EVEN : PTO_PART_P0) + (int)i;
}

pto_status model_vcvt_part_status(const pto_vcvt_op *op, int part) {
    const pto_status status = model_vcvt_status(op);
    size_t parts;
    if (status != PTO_OK) return status;
    parts = model_vcvt_parts(op);
    for (size_t i = 0; parts > 1 && i < parts; i++) {
        if (model_vcvt_part(op, i) == part) return PTO_OK;
    }
    return PTO_ERR_MODIFIER;
}

/** The number of elements in the unit that parts select: 2 (a byte) for 4-bit types, else 1. */
static size_t unit(const pto_vcvt_op *op) {
    return model_code_bits(op->dst) == 4 || model_code_bits(op->src) == 4 ? 2 : 1;
}

size_t model_vcvt_group(const pto_vcvt_op *op, int part) {
    return part == MODEL_WHOLE ? 1 : unit(op);
}

static bool narrows(const pto_vcvt_op *op) {
    return model_code_bits(op->dst) < model_code_bits(op->src);
}

size_t model_vcvt_sources(const pto_vcvt_op *op, int part, size_t n) {
    return part == MODEL_WHOLE || narrows(op) ? n : n * model_vcvt_parts(op);
}

size_t model_vcvt_results(const pto_vcvt_op *op, int part, size_t n) {
    return part == MODEL_WHOLE || !narrows(op) ? n : n * model_vcvt_parts(op);
}

/** Returns the index of the part among those of its pair. */
static size_t place_of(int part) {
    return (size_t)(part < PTO_PART_P0 ? part - PTO_PART_EVEN : part - PTO_PART_P0);
}

bool model_vcvt_origin(const pto_vcvt_op *op, int part, size_t result, size_t *source, size_t *lane) {
    const size_t size = unit(op), parts = model_vcvt_parts(op);
    const size_t in_unit = result % size;
    size_t from = result / size; /* the unit */
    *source = *lane = result;
    if (part == MODEL_WHOLE) return true;
    if (narrows(op) && from % parts != place_of(part)) return false;
    from = narrows(op) ? from / parts : from * parts + place_of(part);
    *source = from * size + in_unit;
    *lane = from * size; /* one lane controls both 4-bit elements */
    return true;
}

bool model_vcvt_kind_fits(pto_mask_kind kind, pto_dtype src) {
    switch (kind) {
    case PTO_MASK_PACKED:
    case PTO_MASK_BYTE: return true;
    case PTO_MASK_B8: return model_code_bits(src) == 8;
    case PTO_MASK_B16: return model_code_bits(src) == 16;
    case PTO_MASK_B32: return model_code_bits(src) == 32;
    case PTO_MASK_B64: return model_code_bits(src) == 64;
    default: return false;
    }
}

/* ---- words ---- */

const char *model_vcvt_type_name(pto_dtype type) {
    if (type == PTO_E1M2) return "e1m2";
    return type == PTO_HIF8 ? "hif8" : pto_dtype_name(type);
}

void model_vcvt_describe(const pto_vcvt_op *op, int part, char text[MODEL_VCVT_TEXT]) {
    static const char *const names[] = {"", ", even", ", odd", ", P0", ", P1", ", P2", ", P3"};
    const bool known = part >= MODEL_WHOLE && part < MODEL_VPARTS;
    snprintf(text, MODEL_VCVT_TEXT, "%s <- %s %c%s%s", model_vcvt_type_name(op->dst),
             model_vcvt_type_name(op->src), (unsigned)op->rnd < MODEL_VRNDS ? letters[op->rnd] : '?',
             op->sat ? " sat" : "", known ? names[part + 1] : ", no such part");
}
