/* SPDX-License-Identifier: MIT */
/* The model of testp. */
#include "model/model_testp.h"

/** What the codes with all exponent bits set mean: those of IEEE 754, only one NaN with all bits set, or values. With
 * TOP_FNUZ they are values, too, and -0 is the NaN. */
enum top { TOP_IEEE, TOP_ONE_NAN, TOP_VALUES, TOP_FNUZ };

/** The layout of a type: `unused` low bits, fraction, exponent, and a sign unless `is_unsigned`. */
struct layout {
    pto_dtype type;
    unsigned bytes, unused, fraction, exponent;
    bool is_unsigned;
    enum top top;
};

static const struct layout layouts[MODEL_TESTP_TYPES] = {
    {PTO_F16, 2, 0, 10, 5, false, TOP_IEEE},     {PTO_BF16, 2, 0, 7, 8, false, TOP_IEEE},
    {PTO_F32, 4, 0, 23, 8, false, TOP_IEEE},     {PTO_F64, 8, 0, 52, 11, false, TOP_IEEE},
    {PTO_TF32, 4, 13, 10, 8, false, TOP_IEEE},   {PTO_E4M3, 1, 0, 3, 4, false, TOP_ONE_NAN},
    {PTO_E5M2, 1, 0, 2, 5, false, TOP_IEEE},     {PTO_E2M3, 1, 0, 3, 2, false, TOP_VALUES},
    {PTO_E3M2, 1, 0, 2, 3, false, TOP_VALUES},   {PTO_UE5M3, 1, 0, 3, 5, true, TOP_ONE_NAN},
    {PTO_UE8M0, 1, 0, 0, 8, true, TOP_ONE_NAN},  {PTO_E4M3IEEE, 1, 0, 3, 4, false, TOP_IEEE},
    {PTO_E3M4, 1, 0, 4, 3, false, TOP_IEEE},     {PTO_E4M3FNUZ, 1, 0, 3, 4, false, TOP_FNUZ},
    {PTO_E5M2FNUZ, 1, 0, 2, 5, false, TOP_FNUZ}, {PTO_E4M3B11FNUZ, 1, 0, 3, 4, false, TOP_FNUZ},
};

const pto_dtype model_testp_types[MODEL_TESTP_TYPES] = {
    PTO_F16,  PTO_BF16,  PTO_F32,   PTO_F64,      PTO_TF32, PTO_E4M3,     PTO_E5M2,     PTO_E2M3,
    PTO_E3M2, PTO_UE5M3, PTO_UE8M0, PTO_E4M3IEEE, PTO_E3M4, PTO_E4M3FNUZ, PTO_E5M2FNUZ, PTO_E4M3B11FNUZ};

static const struct layout *layout_of(pto_dtype type) {
    for (size_t i = 0; i < MODEL_TESTP_TYPES; i++) {
        if (layouts[i].type == type) return &layouts[i];
    }
    return NULL;
}

size_t model_testp_size(pto_dtype type) {
    const struct layout *l = layout_of(type);
    return l ? l->bytes : 0;
}

static uint64_t field(uint64_t *bits, unsigned width) {
    const uint64_t unit = (uint64_t)1 << width, value = *bits % unit;
    *bits /= unit;
    return value;
}

bool model_testp(pto_dtype type, pto_float_test test, uint64_t bits) {
    const struct layout *l = layout_of(type);
    const uint64_t unused = field(&bits, l->unused), fraction = field(&bits, l->fraction),
                   exponent = field(&bits, l->exponent), sign = l->is_unsigned ? 0 : field(&bits, 1);
    const bool top = exponent == ((uint64_t)1 << l->exponent) - 1;
    const bool all_ones = top && fraction == ((uint64_t)1 << l->fraction) - 1;
    const bool nan = l->top == TOP_IEEE      ? top && fraction != 0
                     : l->top == TOP_ONE_NAN ? all_ones
                     : l->top == TOP_FNUZ    ? sign == 1 && exponent == 0 && fraction == 0
                                             : false;
    const bool infinite = l->top == TOP_IEEE && top && fraction == 0;
    const bool least = exponent == 0 && type != PTO_UE8M0; /* 2^-127 of ue8m0 is a normal value */
    (void)unused;
    switch (test) {
    case PTO_TEST_FINITE: return !nan && !infinite;
    case PTO_TEST_INFINITE: return infinite;
    case PTO_TEST_NUMBER: return !nan;
    case PTO_TEST_NOTANUMBER: return nan;
    case PTO_TEST_NORMAL: return !nan && !infinite && !(least && fraction != 0);
    case PTO_TEST_SUBNORMAL: return least && fraction != 0;
    case PTO_TEST_ZERO: return !nan && least && fraction == 0;
    default: return sign == 1;
    }
}

static bool kind_fits(int kind, size_t bytes) {
    return kind == PTO_MASK_PACKED || kind == PTO_MASK_BYTE || (kind == PTO_MASK_B8 && bytes == 1) ||
           (kind == PTO_MASK_B16 && bytes == 2) || (kind == PTO_MASK_B32 && bytes == 4) ||
           (kind == PTO_MASK_B64 && bytes == 8);
}

pto_status model_testp_status(pto_dtype type, int test, unsigned flags, int seed, int dst) {
    const size_t bytes = model_testp_size(type);
    if (bytes == 0) return PTO_ERR_TYPE;
    if (test < 0 || test >= MODEL_TESTS) return PTO_ERR_OP;
    if ((flags | PTO_MERGE) != PTO_MERGE) return PTO_ERR_MODIFIER;
    return kind_fits(seed, bytes) && kind_fits(dst, bytes) ? PTO_OK : PTO_ERR_MASK;
}
