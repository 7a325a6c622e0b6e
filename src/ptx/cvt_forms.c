/* SPDX-License-Identifier: MIT */
/* Which conversions PTX has. */
#include "ptx/cvt_forms.h"

#include <stdatomic.h>

#define T(type)  ((u32)1 << PTO_##type)
#define R(round) ((u32)1 << (round))

enum {
    INTEGERS = T(U8) | T(U16) | T(U32) | T(U64) | T(S8) | T(S16) | T(S32) | T(S64),
    FP8 = T(E4M3) | T(E5M2),
    FP6 = T(E2M3) | T(E3M2),
    SMALL = FP8 | FP6 | T(E2M1),
    PLAIN = R(PTO_ROUND_NONE),
    FRACTIONAL = R(PTO_RN) | R(PTO_RZ) | R(PTO_RM) | R(PTO_RP),
    NEAR_OR_ZERO = R(PTO_RN) | R(PTO_RZ),
    INTEGRAL = R(PTO_RNI) | R(PTO_RZI) | R(PTO_RMI) | R(PTO_RPI)
};

/* Modifiers other than the rounding. SAT_NARROWS: .sat where dst does not hold every value of src. */
enum { FTZ = 1, RELU = 2, SATFINITE = 4, SAT = 8, SAT_NARROWS = 16 };

/* Legal: every type of dst from every type of src, in every rounding, with `must` and any subset of `may`. */
struct rule {
    u32 dst, src, rounds;
    u8 must, may;
    struct cvt_spelling spelling;
};

/* ptxas 13.0, PTX ISA 9.0. A conversion may stand in several rows. */
static const struct rule ptx_rules[] = {
    {INTEGERS, INTEGERS, PLAIN, 0, SAT_NARROWS, {CVT_X1, CVT_X1}},
    {T(F16) | T(F64), INTEGERS, FRACTIONAL, 0, SAT, {CVT_X1, CVT_X1}},
    {T(F32), INTEGERS, FRACTIONAL, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(BF16), INTEGERS, FRACTIONAL, 0, 0, {CVT_X1, CVT_X1}},
    {INTEGERS, T(F16) | T(F64), INTEGRAL, 0, SAT, {CVT_X1, CVT_X1}},
    {INTEGERS, T(F32), INTEGRAL, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {INTEGERS, T(BF16), INTEGRAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(F16), T(F16), PLAIN | INTEGRAL, 0, SAT, {CVT_X1, CVT_X1}},
    {T(F64), T(F64), PLAIN | INTEGRAL, 0, SAT, {CVT_X1, CVT_X1}},
    {T(F32), T(F32), PLAIN | INTEGRAL, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(BF16), T(BF16), PLAIN | INTEGRAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(F32), T(F16), PLAIN, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(F64), T(F32), PLAIN, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(F64), T(F16), PLAIN, 0, SAT, {CVT_X1, CVT_X1}},
    {T(F32), T(BF16), PLAIN | FRACTIONAL, 0, FTZ, {CVT_X1, CVT_X1}},
    {T(F64) | T(F16), T(BF16), PLAIN | FRACTIONAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(BF16), T(F16), PLAIN | FRACTIONAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(F16), T(F32), FRACTIONAL, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(BF16), T(F32), FRACTIONAL, 0, FTZ, {CVT_X1, CVT_X1}},
    {T(F16) | T(BF16), T(F32), NEAR_OR_ZERO, 0, RELU | SATFINITE, {CVT_X1, CVT_X1}},
    {T(F16), T(F64), FRACTIONAL, 0, SAT, {CVT_X1, CVT_X1}},
    {T(BF16), T(F64), FRACTIONAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(F32), T(F64), FRACTIONAL, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(TF32), T(F32), R(PTO_RNA), 0, SATFINITE, {CVT_X1, CVT_X1}},
    {T(TF32), T(F32), NEAR_OR_ZERO, 0, RELU | SATFINITE, {CVT_X1, CVT_X1}},
    {T(F16) | T(BF16), T(F32), NEAR_OR_ZERO | R(PTO_RS), 0, RELU | SATFINITE, {CVT_X2, CVT_X1}},
    {SMALL, T(F32), R(PTO_RN), SATFINITE, RELU, {CVT_X2, CVT_X1}},
    {FP8 | T(E2M1), T(F16), R(PTO_RN), SATFINITE, RELU, {CVT_X2, CVT_X2}},
    {SMALL, T(F32), R(PTO_RS), SATFINITE, RELU, {CVT_X4, CVT_X1}},
    {T(F16), SMALL, R(PTO_RN), 0, RELU, {CVT_X2, CVT_X2}},
    {T(UE8M0), T(F32), R(PTO_RZ) | R(PTO_RP), 0, SATFINITE, {CVT_X2, CVT_X1}},
    {T(UE8M0), T(BF16), R(PTO_RZ) | R(PTO_RP), 0, SATFINITE, {CVT_X2, CVT_X2}},
    {T(BF16), T(UE8M0), R(PTO_RN), 0, 0, {CVT_X2, CVT_X2}},
};

/* Two PTX instructions in one, with the modifiers of the second; the first is exact. */
static const struct rule composed_rules[] = {
    {SMALL, T(BF16), R(PTO_RN) | R(PTO_RS), SATFINITE, RELU, {CVT_X1, CVT_X1}},
    {T(F32), SMALL, PLAIN, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(BF16), SMALL, PLAIN | FRACTIONAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(F32), T(UE8M0), PLAIN | FRACTIONAL, 0, FTZ, {CVT_X1, CVT_X1}},
};

#undef R

static bool in(u32 set, int member) {
    return (unsigned)member < 32 && (set >> member & 1) != 0;
}

static bool has_pair(const struct rule *r, pto_cvt_op op) {
    return in(r->dst, (int)op.dst) && in(r->src, (int)op.src);
}

static bool is_spelled(const struct rule *r, const struct cvt_spelling *s) {
    return s == NULL || (r->spelling.dst_lanes == s->dst_lanes && r->spelling.src_lanes == s->src_lanes);
}

/* Whether dst holds every value of src: it is wider, or as wide and of the same sign; and not without a sign
 * where src has one. */
static bool contains(pto_dtype dst, pto_dtype src) {
    size_t d = pto_dtype_bits(dst), s = pto_dtype_bits(src);
    if (cvt_is_signed(dst) == cvt_is_signed(src)) return d >= s;
    return cvt_is_signed(dst) && d > s;
}

static bool has_modifiers(const struct rule *r, pto_cvt_op op) {
    unsigned said =
        (op.ftz ? FTZ : 0U) | (op.relu ? RELU : 0U) | (op.satfinite ? SATFINITE : 0U) | (op.sat ? SAT : 0U);
    unsigned may = r->may;
    if ((may & SAT_NARROWS) != 0 && !contains(op.dst, op.src)) may |= SAT;
    return in(r->rounds, (int)op.round) && (said & ~(may | r->must)) == 0 && (r->must & ~said) == 0;
}

/* The first rule that op obeys in this spelling (NULL: in any), else the status that tells why there is none.
 */
static const struct rule *find(const struct rule *rules, size_t count, pto_cvt_op op,
                               const struct cvt_spelling *s, pto_status *status) {
    *status = PTO_ERR_TYPE;
    for (size_t i = 0; i < count; ++i) {
        if (!has_pair(&rules[i], op) || !is_spelled(&rules[i], s)) continue;
        *status = PTO_ERR_MODIFIER;
        if (!has_modifiers(&rules[i], op)) continue;
        *status = PTO_OK;
        return &rules[i];
    }
    return NULL;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

pto_status pto_cvt_check(pto_cvt_op op) {
    pto_status status;
    (void)find(ptx_rules, COUNT(ptx_rules), op, NULL, &status);
    return status;
}

static NOINLINE pto_status search(pto_cvt_op op) {
    pto_status status = pto_cvt_check(op);
    if (status == PTO_ERR_TYPE) (void)find(composed_rules, COUNT(composed_rules), op, NULL, &status);
    return status;
}

/* Which of the 16 sets of modifiers are taken, as bits. */
enum { KNOWN = 1 << 16 };

static unsigned modifiers_of(pto_cvt_op op) {
    return (unsigned)op.ftz | (unsigned)op.sat << 1 | (unsigned)op.satfinite << 2 | (unsigned)op.relu << 3;
}

/* Searching the rules takes longer than a short call, so answers are kept. Each is a word that depends on
 * nothing else, whoever writes it: no ordering is needed. */
static NOINLINE u32 search_modifiers(pto_cvt_op op, _Atomic(u32) *answer) {
    u32 taken = KNOWN;
    for (unsigned m = 0; m < 16; ++m) {
        op.ftz = m & 1;
        op.sat = m >> 1 & 1;
        op.satfinite = m >> 2 & 1;
        op.relu = m >> 3 & 1;
        taken |= (u32)(search(op) == PTO_OK) << m;
    }
    atomic_store_explicit(answer, taken, memory_order_relaxed);
    return taken;
}

pto_status pto_cvt_takes(pto_cvt_op op) {
    static _Atomic(u32) answers[CVT_TYPES][CVT_TYPES][CVT_ROUNDS];
    _Atomic(u32) *answer;
    u32 taken;
    if ((unsigned)op.dst >= CVT_TYPES || (unsigned)op.src >= CVT_TYPES || (unsigned)op.round >= CVT_ROUNDS)
        return search(op);
    answer = &answers[op.dst][op.src][op.round];
    taken = atomic_load_explicit(answer, memory_order_relaxed);
    if (unlikely(taken == 0)) taken = search_modifiers(op, answer);
    return (taken >> modifiers_of(op) & 1) != 0 ? PTO_OK : search(op);
}

pto_status pto_cvt_spelled(pto_cvt_op op, struct cvt_spelling spelling) {
    pto_status status;
    (void)find(ptx_rules, COUNT(ptx_rules), op, &spelling, &status);
    return status;
}

bool pto_cvt_find_spelling(pto_cvt_op op, struct cvt_spelling *spelling) {
    pto_status status;
    const struct rule *r = find(ptx_rules, COUNT(ptx_rules), op, NULL, &status);
    if (r != NULL) *spelling = r->spelling;
    return r != NULL;
}
