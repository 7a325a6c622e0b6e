/* SPDX-License-Identifier: MIT */
/* The model of pto_cast(). */
#include "model/model_cast.h"
#include "model/model_number.h"

#include <stdio.h>

const pto_dtype model_cast_types[MODEL_CAST_TYPES] = {
    PTO_U8,   PTO_U16,  PTO_U32,      PTO_U64,      PTO_S8,          PTO_S16,        PTO_S32,
    PTO_S64,  PTO_F16,  PTO_BF16,     PTO_F32,      PTO_F64,         PTO_TF32,       PTO_E4M3,
    PTO_E5M2, PTO_E2M3, PTO_E3M2,     PTO_E2M1,     PTO_UE8M0,       PTO_S2F6,       PTO_UE5M3,
    PTO_E1M2, PTO_HIF8, PTO_E4M3FNUZ, PTO_E5M2FNUZ, PTO_E4M3B11FNUZ, PTO_E4M3IEEE,   PTO_E3M4,
    PTO_U4,   PTO_S4,   PTO_U2,       PTO_S2,       PTO_BINARY8P3SE, PTO_BINARY8P4SE};

const pto_round model_cast_rounds[MODEL_CAST_ROUNDS] = {PTO_RN, PTO_RNA, PTO_RZ, PTO_RM,
                                                        PTO_RP, PTO_RS,  PTO_RO};

/* ---- what is legal ---- */

static bool takes(pto_dtype type) {
    for (size_t i = 0; i < MODEL_CAST_TYPES; i++) {
        if (model_cast_types[i] == type) return true;
    }
    return false;
}

pto_status model_cast_status(const pto_cast_op *op) {
    bool rounds = false;
    for (size_t i = 0; i < MODEL_CAST_ROUNDS; i++) {
        rounds = rounds || model_cast_rounds[i] == op->round;
    }
    if (!takes(op->dst) || !takes(op->src)) return PTO_ERR_TYPE;
    if (!rounds || (int)op->overflow < 0 || (int)op->overflow >= MODEL_CAST_OVERFLOWS)
        return PTO_ERR_MODIFIER;
    return PTO_OK;
}

/* ---- values of elements ---- */

enum { S2F6_UNIT = -6, TF32_UNUSED = 13 };

/** Whether the type is an integer, possibly in units of 2^-6. */
static bool is_fixed(pto_dtype type) {
    return type == PTO_S2F6 || number_is_integer(type);
}

static struct number value_of(pto_dtype type, uint64_t bits) {
    struct number x;
    if (type == PTO_HIF8) return model_hif8_value(bits);
    if (type == PTO_TF32) bits >>= TF32_UNUSED;
    if (type != PTO_S2F6) return number_of(type, bits);
    x = number_of_integer(PTO_S8, bits);
    x.e = S2F6_UNIT;
    return x;
}

/* ---- magnitudes by rank ---- */

/** Returns the largest magnitude of an integer, of either sign. */
static uint64_t fixed_limit(pto_dtype type, bool negative) {
    return number_limit(type == PTO_S2F6 ? PTO_S8 : type, negative);
}

uint64_t model_cast_largest(pto_dtype type) {
    if (is_fixed(type)) return fixed_limit(type, false);
    return type == PTO_HIF8 ? MODEL_HIF8_RANKS - 2 : number_format(type)->largest;
}

static void rank_value(pto_dtype type, uint64_t rank, uint64_t *m, int *q) {
    if (is_fixed(type)) {
        *m = rank;
        *q = type == PTO_S2F6 ? S2F6_UNIT : 0;
    } else if (type == PTO_HIF8) {
        model_hif8_decode(model_hif8_code(rank), m, q);
    } else {
        number_decode(number_format(type), rank, m, q);
    }
}

/** Returns in m * 2^q the distance from one magnitude to the next. */
static void gap_after(pto_dtype type, uint64_t rank, uint64_t *m, int *q) {
    uint64_t low;
    int low_q;
    rank_value(type, rank, &low, &low_q);
    rank_value(type, rank + 1, m, q);
    if (low == 0) return;
    for (; *q > low_q; --*q) {
        *m *= 2;
    }
    *m -= low;
}

void model_cast_rank_value(pto_dtype type, uint64_t rank, bool midpoint, uint64_t *m, int *q) {
    uint64_t gap;
    int gap_q;
    rank_value(type, rank, m, q);
    if (!midpoint) return;
    gap_after(type, rank, &gap, &gap_q);
    if (*m == 0) {
        *m = gap;
        *q = gap_q - 1;
        return;
    }
    *m = 2 * *m + gap; /* a nonzero magnitude and the gap after it have the same exponent */
    *q -= 1;
}

/** Returns a number that is probably the largest whose magnitude is at most that of x. */
static uint64_t guess_of(pto_dtype type, const struct number *x) {
    const int up = x->e - (type == PTO_S2F6 ? S2F6_UNIT : 0);
    if (type == PTO_HIF8) return 0;
    if (!is_fixed(type)) return number_guess(number_format(type), x->m, x->e);
    if (up >= 64 || up <= -64) return 0;
    return up >= 0 ? x->m << up : x->m >> -up;
}

/** Returns the number of the largest magnitude that is at most that of x, up to `last`; 0 if there is none. */
static uint64_t rank_below(pto_dtype type, const struct number *x, uint64_t last) {
    const uint64_t guess = guess_of(type, x);
    uint64_t low = 0, high = last, m;
    int q;
    while (low < high) {
        const uint64_t middle = number_next_probe(low, high, guess);
        rank_value(type, middle, &m, &q);
        if (number_compare(m, q, x->m, x->e) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- rounding ---- */

/** Returns in *m the distance from the magnitude m * 2^q, which is not larger, to x; its exponent is *e. */
static void distance(const struct number *x, uint64_t m, int q, uint64_t *rest, int *e) {
    uint64_t mine = x->m;
    *e = x->e;
    *rest = mine;
    if (m == 0) return;
    for (; *e > q; --*e) {
        mine *= 2;
    }
    for (; q > *e; q--) {
        m *= 2;
    }
    *rest = mine - m;
}

static bool chooses_upper(pto_dtype type, uint64_t low, const struct number *x, pto_round round,
                          uint32_t word) {
    uint64_t m, rest, gap;
    int q, rest_e, gap_q, to_half;
    rank_value(type, low, &m, &q);
    if (number_compare(x->m, x->e, m, q) <= 0) return false;
    distance(x, m, q, &rest, &rest_e);
    gap_after(type, low, &gap, &gap_q);
    to_half = number_compare(rest, rest_e, gap, gap_q - 1);
    switch (round) {
    case PTO_RN: return to_half > 0 || (to_half == 0 && low % 2 == 1);
    case PTO_RNA: return to_half >= 0;
    case PTO_RM: return x->negative;
    case PTO_RP: return !x->negative;
    case PTO_RS: /* the distance is at least 1 - word / 2^32 of the gap */
        return number_compare(rest, rest_e, (((uint64_t)1 << 32) - word) * gap, gap_q - 32) >= 0;
    case PTO_RO: return low % 2 == 0;
    default: return false;
    }
}

/* ---- results ---- */

static uint64_t nan_of(pto_dtype type) {
    switch (type) {
    case PTO_F64: return 0x7fffffffffffffff;
    case PTO_F32: return 0x7fffffff;
    case PTO_TF32: return 0x7fffe000;
    case PTO_F16:
    case PTO_BF16: return 0x7fff;
    case PTO_E2M3:
    case PTO_E3M2: return 0x1f;
    case PTO_E2M1:
    case PTO_E1M2: return 7;
    case PTO_UE8M0:
    case PTO_UE5M3: return 0xff;
    case PTO_HIF8:
    case PTO_E4M3FNUZ:
    case PTO_E5M2FNUZ:
    case PTO_E4M3B11FNUZ:
    case PTO_BINARY8P3SE:
    case PTO_BINARY8P4SE: return 0x80;
    default: return number_is_integer(type) ? 0 : 0x7f;
    }
}

static uint64_t element_of_rank(pto_dtype type, uint64_t rank, bool negative) {
    const int bits = model_code_bits(type);
    const uint64_t code = type == PTO_HIF8   ? model_hif8_code(rank)
                          : type == PTO_TF32 ? rank << TF32_UNUSED
                                             : rank;
    if (is_fixed(type)) return number_low_bits(negative ? number_negated(rank) : rank, bits);
    if (!negative || (rank == 0 && (type == PTO_HIF8 || number_has_one_zero(type)))) return code;
    return code | (uint64_t)1 << (bits - 1);
}

static uint64_t infinity_of(pto_dtype type, bool negative) {
    const bool has_nan = model_code_bits(type) > 6;
    if (type == PTO_HIF8) return element_of_rank(type, MODEL_HIF8_RANKS - 1, negative);
    if (!has_nan) return element_of_rank(type, model_cast_largest(type), negative);
    if (number_is_unsigned(type) || number_format(type)->infinity == 0) return nan_of(type);
    return element_of_rank(type, number_format(type)->infinity, negative);
}

static uint64_t too_large(const pto_cast_op *op, const struct number *x) {
    const uint64_t largest = element_of_rank(op->dst, model_cast_largest(op->dst), x->negative);
    bool finite = op->overflow != PTO_OVERFLOW_IEEE;
    if (x->kind == INFINITE)
        return op->overflow == PTO_OVERFLOW_SATURATE ? largest : infinity_of(op->dst, x->negative);
    if (op->round == PTO_RZ || op->round == PTO_RO) finite = true;
    if (op->round == (x->negative ? PTO_RP : PTO_RM)) finite = true;
    return finite ? largest : infinity_of(op->dst, x->negative);
}

static uint64_t to_fixed(const pto_cast_op *op, const struct number *x, uint32_t word) {
    const uint64_t limit = fixed_limit(op->dst, x->negative);
    const int unit = op->dst == PTO_S2F6 ? S2F6_UNIT : 0;
    uint64_t rank = limit;
    if (x->kind == FINITE && number_compare(x->m, x->e, limit, unit) < 0) {
        rank = rank_below(op->dst, x, limit);
        rank += chooses_upper(op->dst, rank, x, op->round, word);
    }
    return element_of_rank(op->dst, rank, x->negative);
}

static uint64_t to_float(const pto_cast_op *op, const struct number *x, uint32_t word) {
    const uint64_t largest = model_cast_largest(op->dst);
    uint64_t rank;
    if (x->kind == INFINITE) return too_large(op, x);
    rank = rank_below(op->dst, x, largest + 1);
    if (rank <= largest) rank += chooses_upper(op->dst, rank, x, op->round, word);
    return rank <= largest ? element_of_rank(op->dst, rank, x->negative) : too_large(op, x);
}

uint64_t model_cast(const pto_cast_op *op, uint64_t bits, uint32_t word) {
    struct number x = value_of(op->src, bits);
    if (x.kind == NOT_A_NUMBER) return nan_of(op->dst);
    if (is_fixed(op->dst)) return to_fixed(op, &x, word);
    if (number_is_unsigned(op->dst)) x.negative = false;
    return to_float(op, &x, word);
}

uint64_t model_cast_at_most(pto_dtype type, uint64_t m, int q, bool negative) {
    const struct number x = {FINITE, negative, m, q};
    return element_of_rank(type, rank_below(type, &x, model_cast_largest(type)), negative);
}

/* ---- text ---- */

void model_cast_describe(const pto_cast_op *op, char text[MODEL_CAST_TEXT]) {
    static const char *const rounds[] = {"",   "rn",  "rna", "rz",  "rm",  "rp",
                                         "rs", "rni", "rzi", "rmi", "rpi", "ro"};
    static const char *const overflows[] = {"ieee", "saturate", "saturate finite"};
    const bool known = model_cast_status(op) == PTO_OK;
    snprintf(text, MODEL_CAST_TEXT, "%s <- %s %s %s", pto_dtype_name(op->dst), pto_dtype_name(op->src),
             known ? rounds[op->round] : "?", known ? overflows[op->overflow] : "?");
}
