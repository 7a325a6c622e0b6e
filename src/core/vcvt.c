/* SPDX-License-Identifier: MIT */
/* The table of the conversions that PTO's vcvt takes, and the mapping from them to similar PTX conversions. */
#include "core/vcvt.h"

#include "core/formats.h"

#define R(rnd) (1 << PTO_VRND_##rnd)

/* Sets of roundings. Exact pairs take only R, which then has no effect. */
enum {
    ANY_EXACT = R(R),
    IEEE = R(R) | R(A) | R(F) | R(C) | R(Z),
    ANY = IEEE | R(O),
    NEAREST_OR_ZERO = R(R) | R(A) | R(Z),
    NEAREST_AWAY = R(A)
};

const struct vcvt_rule pto_vcvt_rules[VCVT_TYPES][VCVT_TYPES] = {
    [PTO_U8] = {[PTO_F16] = {ANY, true},
                [PTO_U16] = {ANY_EXACT, true},
                [PTO_S16] = {ANY_EXACT, true},
                [PTO_U32] = {ANY_EXACT, true},
                [PTO_S32] = {ANY_EXACT, true}},
    [PTO_U16] = {[PTO_U8] = {ANY_EXACT, false}, [PTO_U32] = {ANY_EXACT, true}, [PTO_S32] = {ANY_EXACT, true}},
    [PTO_U32] =
        {[PTO_U8] = {ANY_EXACT, false}, [PTO_U16] = {ANY_EXACT, false}, [PTO_S16] = {ANY_EXACT, false}},
    [PTO_S8] = {[PTO_F16] = {ANY, true}},
    [PTO_S16] = {[PTO_F32] = {ANY, true},
                 [PTO_F16] = {ANY, true},
                 [PTO_S8] = {ANY_EXACT, false},
                 [PTO_U32] = {ANY_EXACT, true},
                 [PTO_S32] = {ANY_EXACT, true}},
    [PTO_S32] = {[PTO_F32] = {ANY, true},
                 [PTO_F16] = {ANY, false},
                 [PTO_BF16] = {ANY, true},
                 [PTO_S8] = {ANY_EXACT, false},
                 [PTO_S16] = {ANY_EXACT, false},
                 [PTO_S64] = {ANY_EXACT, true}},
    [PTO_S64] = {[PTO_F32] = {ANY, true}, [PTO_S32] = {ANY_EXACT, false}},
    [PTO_F16] = {[PTO_F32] = {ANY, true},
                 [PTO_BF16] = {ANY, true},
                 [PTO_HIF8] = {ANY_EXACT, false},
                 [PTO_U8] = {ANY_EXACT, false},
                 [PTO_S8] = {ANY_EXACT, false},
                 [PTO_S16] = {ANY, false}},
    [PTO_BF16] = {[PTO_F32] = {ANY, true},
                  [PTO_F16] = {IEEE, false},
                  [PTO_E2M1] = {ANY_EXACT, false},
                  [PTO_E1M2] = {ANY_EXACT, false}},
    [PTO_F32] = {[PTO_F16] = {ANY_EXACT, false},
                 [PTO_BF16] = {ANY_EXACT, false},
                 [PTO_E4M3] = {ANY_EXACT, false},
                 [PTO_E5M2] = {ANY_EXACT, false},
                 [PTO_HIF8] = {ANY_EXACT, false},
                 [PTO_S16] = {ANY_EXACT, false},
                 [PTO_U32] = {ANY, false},
                 [PTO_S32] = {ANY, false},
                 [PTO_S64] = {ANY, false}},
    [PTO_E4M3] = {[PTO_F32] = {NEAREST_OR_ZERO, true}, [PTO_F16] = {IEEE, true}, [PTO_BF16] = {IEEE, true}},
    [PTO_E5M2] = {[PTO_F32] = {NEAREST_OR_ZERO, true}, [PTO_F16] = {IEEE, true}, [PTO_BF16] = {IEEE, true}},
    [PTO_E2M1] = {[PTO_BF16] = {IEEE, false}},
    [PTO_E1M2] = {[PTO_BF16] = {IEEE, false}},
    [PTO_HIF8] = {[PTO_F32] = {NEAREST_AWAY, true}, [PTO_F16] = {NEAREST_AWAY, true}},
};

static bool has_rounding(unsigned set, pto_vrnd rnd) {
    return (unsigned)rnd < VRND_COUNT && (set >> rnd & 1) != 0;
}

pto_status pto_vcvt_status(pto_vcvt_op op) {
    struct vcvt_rule rule;
    if ((unsigned)op.dst >= VCVT_TYPES || (unsigned)op.src >= VCVT_TYPES) return PTO_ERR_TYPE;
    rule = pto_vcvt_rules[op.dst][op.src];
    if (rule.rounds == 0) return PTO_ERR_TYPE;
    return has_rounding(rule.rounds, op.rnd) && (rule.sat || !op.sat) ? PTO_OK : PTO_ERR_MODIFIER;
}

pto_status pto_vtrc_status(pto_dtype type, pto_vrnd rnd) {
    if (type != PTO_F16 && type != PTO_BF16 && type != PTO_F32) return PTO_ERR_TYPE;
    return has_rounding(IEEE, rnd) ? PTO_OK : PTO_ERR_MODIFIER;
}

/* An op with equal types is a vtrc. */
void pto_vcvt_as_ptx(pto_vcvt_op op, pto_cvt_op *ptx) {
    static const u8 fractional[VRND_COUNT] = {PTO_RN, PTO_ROUND_NONE, PTO_RM, PTO_RP, PTO_RZ, PTO_ROUND_NONE},
                    whole[VRND_COUNT] = {PTO_RNI, PTO_ROUND_NONE, PTO_RMI, PTO_RPI, PTO_RZI, PTO_ROUND_NONE};
    const bool to_whole = cvt_is_integer(op.dst) || op.dst == op.src;
    const bool exact = op.dst == PTO_F32 && !cvt_is_integer(op.src) && !to_whole;
    *ptx = (pto_cvt_op){.dst = op.dst,
                        .src = op.src,
                        .round = exact ? PTO_ROUND_NONE : (pto_round)(to_whole ? whole : fractional)[op.rnd],
                        .satfinite = cvt_is_small(op.dst)};
}

void pto_look_up_16(const u8 *table, const u8 *src, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) memcpy(dst + 2 * i, table + (size_t)2 * src[i], 2);
}

void pto_look_up_32(const u8 *table, const u8 *src, u8 *dst, size_t n) {
    for (size_t i = 0; i < n; ++i) memcpy(dst + 4 * i, table + (size_t)4 * src[i], 4);
}
