/* SPDX-License-Identifier: MIT */
/* Since when PTX has a conversion, and on which target. */
#include "pto/forms.h"

#include "ptx/cvt_forms.h"

/* Targets that were the first with something, oldest first. */
enum target { SM_75, SM_80, SM_89, SM_90, SM_100, SM_100F, SM_100A };
static const char *const target_names[] = {"sm_75",  "sm_80",   "sm_89",  "sm_90",
                                           "sm_100", "sm_100f", "sm_100a"};

/* What a form calls for that has one of these types, one of these roundings and all of these flags. */
struct need {
    u32 dst, src, rounds;
    unsigned flags;
    int isa;
    enum target target;
};

#define T(type)  ((u32)1 << PTO_##type)
#define R(round) ((u32)1 << (round))
#define ANY      (~(u32)0)

enum {
    BF16_PARTNERS =
        T(U8) | T(U16) | T(U32) | T(U64) | T(S8) | T(S16) | T(S32) | T(S64) | T(F16) | T(BF16) | T(F64),
    FP8 = T(E4M3) | T(E5M2),
    LATE = T(E2M3) | T(E3M2) | T(E2M1) | T(UE8M0), /* the formats that came with Blackwell */
    NEAR_OR_ZERO = R(PTO_RN) | R(PTO_RZ)
};

/* As ptxas 13.5 answers when asked under each ISA version from 6.3 on. A form needs all that match it. */
static const struct need needs[] = {
    {ANY, ANY, ANY, 0, 63, SM_75},
    {T(BF16) | T(TF32), T(F32), ANY, 0, 70, SM_80},
    {T(F16), T(F32), ANY, CVT_RELU, 70, SM_80},
    {T(F16) | T(BF16) | T(TF32), T(F32), ANY, CVT_SATFINITE, 81, SM_75},
    {T(TF32), T(F32), NEAR_OR_ZERO, 0, 78, SM_90},
    {T(TF32), T(F32), NEAR_OR_ZERO, CVT_SATFINITE, 86, SM_100},
    {T(F32), T(BF16), ANY, 0, 71, SM_80},
    {T(F32), T(BF16), ANY, CVT_FTZ, 78, SM_90},
    {BF16_PARTNERS, T(BF16), ANY, 0, 78, SM_90},
    {T(BF16), BF16_PARTNERS, ANY, 0, 78, SM_90},
    {FP8, ANY, ANY, 0, 78, SM_89},
    {ANY, FP8, ANY, 0, 78, SM_89},
    {LATE, ANY, ANY, 0, 86, SM_100F},
    {ANY, LATE, ANY, 0, 86, SM_100F},
    {T(E2M1), T(F16), ANY, 0, 91, SM_100F},
    {ANY, ANY, R(PTO_RS), 0, 87, SM_100A},
};

/* Raise isa and target to what one instruction of PTX needs. */
static void add_needs(pto_cvt_op op, int *isa, enum target *target) {
    const unsigned flags = cvt_modifiers(op);
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; ++i) {
        const struct need *n = &needs[i];
        if ((n->dst >> op.dst & n->src >> op.src & n->rounds >> op.round & 1) == 0) continue;
        if ((n->flags & ~flags) != 0) continue;
        if (*isa < n->isa) *isa = n->isa;
        if (*target < n->target) *target = n->target;
    }
}

static pto_status needs_of(pto_cvt_op op, int *isa, enum target *target) {
    const pto_status status = pto_cvt_check(op);
    pto_cvt_op steps[2];
    *isa = 0;
    *target = SM_75;
    if (status != PTO_OK) return status;
    if (pto_cvt_is_ptx(op)) {
        add_needs(op, isa, target);
        return PTO_OK;
    }
    pto_cvt_steps(op, steps);
    add_needs(steps[0], isa, target);
    add_needs(steps[1], isa, target);
    return PTO_OK;
}

pto_status pto_cvt_since(pto_cvt_op op, int *isa) {
    int version;
    enum target target;
    pto_status status;
    if (isa == NULL) return PTO_ERR_NULL;
    status = needs_of(op, &version, &target);
    if (status == PTO_OK) *isa = version;
    return status;
}

pto_status pto_cvt_target(pto_cvt_op op, const char **name) {
    int version;
    enum target target;
    pto_status status;
    if (name == NULL) return PTO_ERR_NULL;
    status = needs_of(op, &version, &target);
    if (status == PTO_OK) *name = target_names[target];
    return status;
}
