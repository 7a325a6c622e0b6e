/* SPDX-License-Identifier: MIT */
/*
 * Tables of PTX's conversions: the forms that are legal (used by cvt_forms.c), and the ISA versions and targets that
 * introduced them (used by cvt_since.c). A new form needs only rows here and a kernel.
 */
#ifndef PTO_PTX_CVT_RULES_H
#define PTO_PTX_CVT_RULES_H

#include "core/formats.h"
#include "ptx/cvt_forms.h"

#define T(type)  ((u32)1 << PTO_##type)
#define R(round) ((u32)1 << (round))
#define ANY      (~(u32)0)

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

/* Modifiers other than the rounding. SAT_NARROWS allows .sat if dst cannot represent every value of src. */
#define SHORT_NAME(name, member, word, effect) name = CVT_##name,
enum { CVT_MODIFIERS(SHORT_NAME) SAT_NARROWS = 0x80 };
#undef SHORT_NAME
_Static_assert((int)CVT_MODIFIER_SETS <= (int)SAT_NARROWS,
               "SAT_NARROWS must be a bit above those of all modifiers");

/* A row makes these forms legal: every type in `dst` from every type in `src`, with every rounding in `rounds`, all
 * modifiers in `must`, and any subset of `may`. */
struct cvt_rule {
    u32 dst, src, rounds;
    u8 must, may;
    struct cvt_spelling spelling;
};

/* The forms that ptxas 13.5 accepts (PTX ISA 9.5). A conversion may be in several rows. */
static const struct cvt_rule cvt_ptx_rules[] = {
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
    {T(F16) | T(BF16), T(F32), NEAR_OR_ZERO, 0, RELU | SATFINITE | PZO, {CVT_X1, CVT_X1}},
    {T(F16), T(F64), FRACTIONAL, 0, SAT, {CVT_X1, CVT_X1}},
    {T(BF16), T(F64), FRACTIONAL, 0, 0, {CVT_X1, CVT_X1}},
    {T(F32), T(F64), FRACTIONAL, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(TF32), T(F32), R(PTO_RNA), 0, SATFINITE, {CVT_X1, CVT_X1}},
    {T(TF32), T(F32), NEAR_OR_ZERO, 0, RELU | SATFINITE | PZO, {CVT_X1, CVT_X1}},
    {T(F16) | T(BF16), T(F32), NEAR_OR_ZERO, 0, RELU | SATFINITE | PZO, {CVT_X2, CVT_X1}},
    {T(F16) | T(BF16), T(F32), R(PTO_RS), 0, RELU | SATFINITE, {CVT_X2, CVT_X1}},
    {SMALL, T(F32), NEAR_OR_ZERO, SATFINITE, RELU | PZO | N1, {CVT_X2, CVT_X1}},
    {SMALL, T(F16) | T(BF16), NEAR_OR_ZERO, SATFINITE, RELU | PZO | N1, {CVT_X2, CVT_X2}},
    {SMALL, T(F32), R(PTO_RS), SATFINITE, RELU, {CVT_X4, CVT_X1}},
    {T(F16), SMALL, R(PTO_RN), 0, RELU, {CVT_X2, CVT_X2}},
    {T(BF16), SMALL | T(S2F6), R(PTO_RN), 0, RELU | SATFINITE | N2, {CVT_X2, CVT_X2}},
    {T(S2F6), T(F32), NEAR_OR_ZERO, SATFINITE, RELU | N2, {CVT_X2, CVT_X1}},
    {T(S2F6), T(BF16), NEAR_OR_ZERO, SATFINITE, RELU | N2, {CVT_X2, CVT_X2}},
    {T(UE5M3), T(F32), NEAR_OR_ZERO, 0, SATFINITE | N1, {CVT_X2, CVT_X1}},
    {T(UE5M3), T(F32), R(PTO_RP), 0, SATFINITE, {CVT_X2, CVT_X1}},
    {T(UE5M3), T(F16) | T(BF16), NEAR_OR_ZERO, 0, SATFINITE | N1, {CVT_X2, CVT_X2}},
    {T(UE5M3), T(F16) | T(BF16), R(PTO_RP), 0, SATFINITE, {CVT_X2, CVT_X2}},
    {T(BF16), T(UE5M3), R(PTO_RN), 0, SATFINITE | N2, {CVT_X2, CVT_X2}},
    {T(F16), T(UE5M3), R(PTO_RN), 0, 0, {CVT_X2, CVT_X2}},
    {T(UE8M0), T(F32), R(PTO_RZ) | R(PTO_RP), 0, SATFINITE, {CVT_X2, CVT_X1}},
    {T(UE8M0), T(BF16), R(PTO_RZ) | R(PTO_RP), 0, SATFINITE, {CVT_X2, CVT_X2}},
    {T(BF16), T(UE8M0), R(PTO_RN), 0, 0, {CVT_X2, CVT_X2}},
};

/* Conversions composed of two PTX instructions. The first one is exact, and the modifiers are those of the second. */
static const struct cvt_rule cvt_composed_rules[] = {
    {SMALL, T(BF16), R(PTO_RS), SATFINITE, RELU, {CVT_X1, CVT_X1}},
    {T(F32), SMALL, PLAIN, 0, FTZ | SAT, {CVT_X1, CVT_X1}},
    {T(BF16), SMALL, PLAIN | R(PTO_RZ) | R(PTO_RM) | R(PTO_RP), 0, 0, {CVT_X1, CVT_X1}},
    {T(F32), T(UE8M0), PLAIN | FRACTIONAL, 0, FTZ, {CVT_X1, CVT_X1}},
};

/* ---- since when ---- */

/* The targets that introduced some form, oldest first. */
enum cvt_target { SM_75, SM_80, SM_89, SM_90, SM_100, SM_100F, SM_100A, SM_107F, SM_107A };
static const char *const cvt_target_names[] = {"sm_75",   "sm_80",   "sm_89",   "sm_90",  "sm_100",
                                               "sm_100f", "sm_100a", "sm_107f", "sm_107a"};

/* The ISA version and target that a form needs if its types are in `dst` and `src`, its rounding is in `rounds`, and it
 * has all modifiers in `flags`. */
struct cvt_need {
    u32 dst, src, rounds;
    unsigned flags;
    int isa;
    enum cvt_target target;
};

enum {
    BF16_PARTNERS = INTEGERS | T(F16) | T(BF16) | T(F64),
    BLACKWELL_FORMATS = FP6 | T(E2M1) | T(UE8M0) /* the formats that came with Blackwell */
};

/* These rows were found by running ptxas 13.5 with each ISA version from 6.3 on. A form needs the latest version and
 * the latest target of all rows that match it. */
static const struct cvt_need cvt_needs[] = {
    {ANY, ANY, ANY, 0, 63, SM_75},
    {T(BF16) | T(TF32), T(F32), ANY, 0, 70, SM_80},
    {T(F16), T(F32), ANY, RELU, 70, SM_80},
    {T(F16) | T(BF16) | T(TF32), T(F32), ANY, SATFINITE, 81, SM_75},
    {T(TF32), T(F32), NEAR_OR_ZERO, 0, 78, SM_90},
    {T(TF32), T(F32), NEAR_OR_ZERO, SATFINITE, 86, SM_100},
    {T(F32), T(BF16), ANY, 0, 71, SM_80},
    {T(F32), T(BF16), ANY, FTZ, 78, SM_90},
    {BF16_PARTNERS, T(BF16), ANY, 0, 78, SM_90},
    {T(BF16), BF16_PARTNERS, ANY, 0, 78, SM_90},
    {FP8, ANY, ANY, 0, 78, SM_89},
    {ANY, FP8, ANY, 0, 78, SM_89},
    {BLACKWELL_FORMATS, ANY, ANY, 0, 86, SM_100F},
    {ANY, BLACKWELL_FORMATS, ANY, 0, 86, SM_100F},
    {FP6 | T(E2M1), T(F16), ANY, 0, 91, SM_100F},
    {SMALL, T(BF16), ANY, 0, 91, SM_100F},
    {T(BF16), SMALL, ANY, 0, 92, SM_100F},
    {SMALL, ANY, R(PTO_RZ), 0, 94, SM_107F},
    {ANY, ANY, ANY, PZO, 94, SM_107F},
    {ANY, ANY, ANY, N1, 94, SM_107F},
    {T(UE5M3), ANY, ANY, 0, 94, SM_107F},
    {ANY, T(UE5M3), ANY, 0, 94, SM_107F},
    {T(S2F6), ANY, ANY, 0, 91, SM_100A},
    {ANY, T(S2F6), ANY, 0, 91, SM_100A},
    {T(S2F6), ANY, R(PTO_RZ), 0, 94, SM_107A},
    {ANY, ANY, R(PTO_RS), 0, 87, SM_100A},
};

/* What the spelling with f16x2 or bf16x2 needs in addition, for forms that also have a spelling with f16 or bf16. */
static const struct cvt_need cvt_need_of_pairs = {T(F16) | T(BF16), T(F32), ANY, 0, 70, SM_80};

#undef ANY
#undef R
#undef T

#endif
