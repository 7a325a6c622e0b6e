/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of pto_cast(), its check and its plans. */
#include "model/model_cast.h"
#include "faults/planted_faults.h"
#include "support/fpstate.h"

#include <string.h>

/** Replaces the result of one source element in one conversion. */
struct wrong {
    pto_cast_op op;
    uint64_t from, to;
};

static const struct wrong
    tie_to_odd = {{PTO_E4M3FNUZ, PTO_F32, PTO_RN, PTO_OVERFLOW_IEEE}, 0x3f880000, 0x41},
    fnuz_minus_zero = {{PTO_E5M2FNUZ, PTO_F16, PTO_RZ, PTO_OVERFLOW_IEEE}, 0x8000, 0x80},
    ue8m0_tie_up = {{PTO_UE8M0, PTO_F32, PTO_RN, PTO_OVERFLOW_SATURATE}, 0x40400000, 0x81},
    keeps_infinity = {{PTO_E3M4, PTO_BF16, PTO_RN, PTO_OVERFLOW_SATURATE}, 0x7f80, 0x70},
    loses_infinity = {{PTO_E5M2, PTO_F16, PTO_RN, PTO_OVERFLOW_SATURATE_FINITE}, 0x7c00, 0x7b},
    odd_overflows = {{PTO_E4M3, PTO_F16, PTO_RO, PTO_OVERFLOW_IEEE}, 0x5f40, 0x7f},
    wraps = {{PTO_S4, PTO_S8, PTO_RN, PTO_OVERFLOW_IEEE}, 0x7f, 0xf},
    nan_to_integer = {{PTO_U2, PTO_BF16, PTO_RN, PTO_OVERFLOW_IEEE}, 0x7fc0, 3},
    extended_tie = {{PTO_BINARY8P3SE, PTO_F32, PTO_RN, PTO_OVERFLOW_IEEE}, 0x47500000, 0x7f},
    infinity_as_nan = {{PTO_BINARY8P4SE, PTO_F16, PTO_RN, PTO_OVERFLOW_IEEE}, 0x7c00, 0x80},
    hif8_tie = {{PTO_HIF8, PTO_F16, PTO_RN, PTO_OVERFLOW_IEEE}, 0x0060, 0x08};

static void replace(pto_dtype type, unsigned char *array, size_t i, uint64_t code) {
    const size_t bits = pto_dtype_bits(type);
    if (bits < 8) array[i * bits / 8] &= (unsigned char)~(((1U << bits) - 1) << i * bits % 8);
    model_cvt_store(type, array, i, code);
}

static pto_status run_wrong(const struct wrong *f, pto_cast_op op, const void *src, void *dst,
                            const void *random, size_t n) {
    unsigned char old[65536];
    const bool is_meant = memcmp(&op, &f->op, sizeof op) == 0 && model_cvt_bytes(op.src, n) <= sizeof old;
    pto_status status;
    if (is_meant) memcpy(old, src, model_cvt_bytes(op.src, n));
    status = pto_cast(op, src, dst, random, n);
    for (size_t i = 0; is_meant && status == PTO_OK && i < n; i++) {
        if (model_cvt_load(op.src, old, i) == f->from) replace(op.dst, dst, i, f->to);
    }
    return status;
}

#define WRONG(name)                                                                                          \
    static pto_status run_##name(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) { \
        return run_wrong(&(name), op, src, dst, random, n);                                                  \
    }
WRONG(tie_to_odd)
WRONG(fnuz_minus_zero)
WRONG(ue8m0_tie_up)
WRONG(keeps_infinity)
WRONG(loses_infinity)
WRONG(odd_overflows)
WRONG(wraps)
WRONG(nan_to_integer)
WRONG(extended_tie)
WRONG(infinity_as_nan)
WRONG(hif8_tie)

/* ---- all values of an operation ---- */

/** Rounds f64 to f32 before it rounds to a narrower type. */
static pto_status rounds_twice(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_cast_op first = {PTO_F32, PTO_F64, PTO_RN, PTO_OVERFLOW_IEEE};
    float single[2048];
    if (op.src != PTO_F64 || op.dst != PTO_F16 || op.round != PTO_RN || n > 2048 || n == 0 || src == NULL)
        return pto_cast(op, src, dst, random, n);
    if (pto_cast(first, src, single, NULL, n) != PTO_OK) return PTO_ERR_ISA;
    op.src = PTO_F32;
    return pto_cast(op, single, dst, random, n);
}

static pto_status ignores_word(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    if (op.round != PTO_RS || op.dst != PTO_S2F6 || random == NULL) return pto_cast(op, src, dst, random, n);
    op.round = PTO_RN;
    return pto_cast(op, src, dst, NULL, n);
}

/** Uses only 16 bits of each random word. */
static pto_status short_words(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    uint32_t words[2048];
    if (op.round != PTO_RS || op.dst != PTO_BF16 || random == NULL || n > 2048)
        return pto_cast(op, src, dst, random, n);
    memcpy(words, random, n * sizeof *words);
    for (size_t i = 0; i < n; i++) {
        words[i] &= 0xffff0000;
    }
    return pto_cast(op, src, dst, words, n);
}

static pto_status odd_as_zero(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    if (op.round == PTO_RO && op.dst == PTO_U64) op.round = PTO_RZ;
    return pto_cast(op, src, dst, random, n);
}

/* ---- memory ---- */

static pto_status one_too_many(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    if (status == PTO_OK && n > 9 && op.dst == PTO_E3M4) ((volatile unsigned char *)dst)[n] = 0;
    return status;
}

static pto_status reads_behind(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    if (op.src == PTO_E3M4 && n > 0) (void)((const volatile unsigned char *)src)[n];
    return pto_cast(op, src, dst, random, n);
}

static pto_status dirty_last_byte(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    if (status == PTO_OK && op.dst == PTO_S2 && n % 4 == 3) ((unsigned char *)dst)[n / 4] |= 0x40;
    return status;
}

static pto_status wrong_in_place(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    if (status == PTO_OK && src == dst && op.dst == PTO_U4 && n > 1) ((unsigned char *)dst)[0] ^= 0x10;
    return status;
}

static pto_status wrong_after_4096(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    if (status == PTO_OK && n > 4096 && op.dst == PTO_E5M2FNUZ) ((unsigned char *)dst)[4096] ^= 1;
    return status;
}

/* ---- statuses ---- */

static pto_status writes_on_error(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    if (status == PTO_ERR_MODIFIER && dst != NULL && n == 32) memset(dst, 0, 1);
    return status;
}

static pto_status takes_untyped(pto_cast_op op) {
    return op.dst == PTO_B8 && op.src == PTO_F32 ? PTO_OK : pto_cast_check(op);
}

static pto_status size_before_type(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    return status == PTO_ERR_TYPE && n > SIZE_MAX / 16 ? PTO_ERR_SIZE : status;
}

static pto_status over_words(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    return status == PTO_ERR_OVERLAP && random == dst && op.dst == PTO_U32 ? PTO_OK : status;
}

/* ---- plans ---- */

static pto_status plan_changed(pto_plan *plan, pto_cast_op op) {
    const pto_status status = pto_plan_cast(plan, op);
    if (status == PTO_ERR_MODIFIER && plan) plan->priv[6] = 0;
    return status;
}

/** Each plan of a conversion that PTX has is one of saturation. */
static pto_status plan_saturates(pto_plan *plan, pto_cast_op op) {
    const pto_status status = pto_plan_cast(plan, op);
    if (status != PTO_OK || op.dst != PTO_E5M2 || op.src != PTO_F32) return status;
    op.overflow = PTO_OVERFLOW_SATURATE;
    return pto_plan_cast(plan, op);
}

/** Makes the plan for the scalar backend instead of the active ISA. */
static pto_status plan_of_scalar(pto_plan *plan, pto_cast_op op) {
    const pto_isa active = pto_isa_active();
    pto_status status;
    use_isa(PTO_ISA_SCALAR);
    status = pto_plan_cast(plan, op);
    use_isa(active);
    return status;
}

/* ---- floating-point state ---- */

static pto_status by_fpu(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    if (op.dst != PTO_F32 || op.src != PTO_S32 || op.round != PTO_RN)
        return pto_cast(op, src, dst, random, n);
    for (size_t i = 0; i < n; i++) {
        int32_t integer;
        volatile float real;
        memcpy(&integer, (const unsigned char *)src + 4 * i, sizeof integer);
        real = (float)integer;
        memcpy((unsigned char *)dst + 4 * i, (const void *)&real, sizeof real);
    }
    return PTO_OK;
}

static pto_status leaves_sticky(pto_cast_op op, const void *src, void *dst, const void *random, size_t n) {
    const pto_status status = pto_cast(op, src, dst, random, n);
    struct fp_state state = fp_state_get();
    state.status |= 1; /* invalid */
    fp_state_set(&state);
    return status;
}

static const struct planted_fault faults[] = {
    {"cast sends a tie to the odd code", check_cast_values, .calls.cast = run_tie_to_odd},
    {"cast has a -0 of a FNUZ type", check_cast_values, .calls.cast = run_fnuz_minus_zero},
    {"cast sends a tie of ue8m0 up", check_cast_values, .calls.cast = run_ue8m0_tie_up},
    {"cast keeps an infinity that saturates", check_cast_values, .calls.cast = run_keeps_infinity},
    {"cast saturates an infinity that stays", check_cast_values, .calls.cast = run_loses_infinity},
    {"cast rounds to odd beyond the largest value", check_cast_values, .calls.cast = run_odd_overflows},
    {"cast wraps an integer", check_cast_values, .calls.cast = run_wraps},
    {"cast makes an integer of a NaN", check_cast_values, .calls.cast = run_nan_to_integer},
    {"cast sends a tie below the infinity of binary8p3se up", check_cast_values,
     .calls.cast = run_extended_tie},
    {"cast makes a NaN of an infinity for binary8p4se", check_cast_values, .calls.cast = run_infinity_as_nan},
    {"cast sends a tie of hif8 to the odd code", check_cast_values, .calls.cast = run_hif8_tie},
    {"cast rounds twice", check_cast_values, .calls.cast = rounds_twice},
    {"cast takes RS for RN", check_cast_values, .calls.cast = ignores_word},
    {"cast uses half of a random word", check_cast_values, .calls.cast = short_words},
    {"cast rounds to odd as towards zero", check_cast_values, .calls.cast = odd_as_zero},
    {"cast writes a byte after dst", check_cast_lengths, .calls.cast = one_too_many},
    {"cast reads a byte after src", check_cast_lengths, .calls.cast = reads_behind},
    {"cast sets unused bits of the last byte", check_cast_lengths, .calls.cast = dirty_last_byte},
    {"cast is wrong in place", check_cast_lengths, .calls.cast = wrong_in_place},
    {"cast is wrong after 4096 elements", check_cast_long, .calls.cast = wrong_after_4096},
    {"cast writes with an error", check_cast_status, .calls.cast = writes_on_error},
    {"cast_check takes untyped elements", check_cast_status, .calls.cast_check = takes_untyped},
    {"cast looks at the size before the type", check_cast_status, .calls.cast = size_before_type},
    {"plan_cast changes the plan with an error", check_cast_plans, .calls.plan_cast = plan_changed},
    {"plan_cast saturates", check_cast_plans, .calls.plan_cast = plan_saturates},
    {"plan_cast does not keep its ISA", check_cast_plans, .calls.plan_cast = plan_of_scalar},
    {"cast writes over the random bits", check_cast_overlaps, .calls.cast = over_words},
    {"cast rounds as the FPU is set", check_cast_fpstate, .calls.cast = by_fpu},
    {"cast leaves a sticky flag", check_cast_fpstate, .calls.cast = leaves_sticky},
};
const struct planted_list planted_cast = {faults, sizeof faults / sizeof faults[0]};
