/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of pto_cvt(), its checks, its plans, its parser and its formatter. */
#include "support/fpstate.h"
#include "model/model_cvt.h"
#include "faults/planted_faults.h"

#include <stdlib.h>
#include <string.h>

/** Stores `code` in dst wherever the source element is `source`. */
static void alter(const pto_cvt_op *op, const void *src, void *dst, size_t n, uint64_t source,
                  uint64_t code) {
    for (size_t i = 0; i < n; i++) {
        if (model_cvt_load(op->src, src, i) == source) model_cvt_store(op->dst, dst, i, code);
    }
}

static bool is_pair(const pto_cvt_op *op, pto_dtype dst, pto_dtype src) {
    return op->dst == dst && op->src == src;
}

/* ---- values ---- */

static pto_status tie_away(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && is_pair(&op, PTO_F16, PTO_F32) && op.round == PTO_RN && src != dst)
        alter(&op, src, dst, n, 0x3f801000, 0x3c01);
    return status;
}

/** Converts f64 to f16 through f32, which rounds twice. */
static pto_status rounds_twice(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    pto_cvt_op first = {.dst = PTO_F32, .src = PTO_F64, .round = op.round}, second = op;
    float *between;
    pto_status status;
    if (!is_pair(&op, PTO_F16, PTO_F64) || op.round != PTO_RN || n == 0)
        return pto_cvt(op, src, dst, extra, n);
    between = malloc(n * sizeof *between);
    if (!between) abort();
    second.src = PTO_F32;
    status = pto_cvt(first, src, between, NULL, n);
    if (status == PTO_OK) status = pto_cvt(second, between, dst, NULL, n);
    free(between);
    return status;
}

/** For f64 to f32 with .ftz, flushes f32 results that are subnormal or zero after the final rounding. The right test is
 * made after rounding with an unbounded exponent. */
static pto_status ftz_late(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const bool mine = is_pair(&op, PTO_F32, PTO_F64) && op.ftz;
    pto_status status;
    if (mine) op.ftz = false;
    status = pto_cvt(op, src, dst, extra, n);
    for (size_t i = 0; mine && status == PTO_OK && i < n; i++) {
        const uint64_t code = model_cvt_load(PTO_F32, dst, i);
        if ((code & 0x7fffffff) < 0x00800000) model_cvt_store(PTO_F32, dst, i, code & 0x80000000);
    }
    return status;
}

/** Flushes an f32 subnormal in f32 to f16 with .ftz, as the text of the PTX ISA says. */
static pto_status ftz_flushes_f16(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && is_pair(&op, PTO_F16, PTO_F32) && op.ftz) alter(&op, src, dst, n, 1, 0);
    return status;
}

static pto_status nan_is_zero(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && is_pair(&op, PTO_S64, PTO_BF16)) alter(&op, src, dst, n, 0x7fc0, 0);
    return status;
}

static pto_status keeps_minus_zero(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && is_pair(&op, PTO_F16, PTO_E5M2) && op.relu) alter(&op, src, dst, n, 0x80, 0x8000);
    return status;
}

static uint32_t reversed(uint32_t half) {
    uint32_t result = 0;
    for (int i = 0; i < 16; i++) {
        result |= (half >> i & 1) << (15 - i);
    }
    return result;
}

/** Planted fault in .rs to e3m2x4. PTX gives the first operand `a` the upper 16 random bits in reversed order, and
 * `b` the same bits unreversed. Here they are exchanged. */
static pto_status random_swapped(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    uint32_t *words;
    pto_status status;
    if (op.round != PTO_RS || op.dst != PTO_E3M2 || !extra || n == 0) return pto_cvt(op, src, dst, extra, n);
    words = malloc(n * sizeof *words);
    if (!words) abort();
    memcpy(words, extra, n / 4 * sizeof *words);
    for (size_t i = 0; i < n / 4; i++) {
        words[i] = reversed(words[i] >> 16) << 16 | (words[i] & 0xffff);
    }
    status = pto_cvt(op, src, dst, words, n);
    free(words);
    return status;
}

static pto_status reads_high_bits(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    for (size_t i = 0; status == PTO_OK && is_pair(&op, PTO_F16, PTO_E2M3) && i < n; i++) {
        if (((const unsigned char *)src)[i] == 0xc1) model_cvt_store(op.dst, dst, i, 0);
    }
    return status;
}

/** Gives wrong results in one binade of one operation, f32 to bf16 with .rm. */
static pto_status one_binade(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status != PTO_OK || !is_pair(&op, PTO_BF16, PTO_F32) || op.round != PTO_RM || op.ftz) return status;
    for (size_t i = 0; i < n; i++) {
        if (model_cvt_load(PTO_F32, src, i) >> 23 == 0x170) model_cvt_store(PTO_BF16, dst, i, 0xb800);
    }
    return status;
}

/** Changes bf16 to e4m3 results in stretches of 256 finite values, as if such stretches had their own faulty
 * loop. If `one_lane` is set, one lane of each vector is wrong, otherwise all subnormal results. */
static pto_status wrong_among_numbers(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n,
                                      bool one_lane) {
    enum { STRETCH = 256, VECTOR = 64, LANE = 37 };
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status != PTO_OK || !is_pair(&op, PTO_E4M3, PTO_BF16) || op.round == PTO_RS) return status;
    for (size_t i = 0; i + STRETCH <= n; i += STRETCH) {
        bool numbers = true;
        for (size_t k = i; k < i + STRETCH; k++) {
            numbers = numbers && (model_cvt_load(op.src, src, k) & 0x7f80) != 0x7f80;
        }
        for (size_t k = i; numbers && k < i + STRETCH; k++) {
            const uint64_t code = model_cvt_load(op.dst, dst, k);
            const bool subnormal = (code & 0x78) == 0 && (code & 7) != 0;
            if (one_lane ? k % VECTOR == LANE : subnormal) model_cvt_store(op.dst, dst, k, code ^ 1);
        }
    }
    return status;
}

static pto_status lane_of_numbers(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    return wrong_among_numbers(op, src, dst, extra, n, true);
}

static pto_status small_of_numbers(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    return wrong_among_numbers(op, src, dst, extra, n, false);
}

/** Clears the five results that precede an infinity or a NaN, except near the start of the array. */
static pto_status stops_early(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    enum { NEVER_EARLIER = 2048, LEFT = 5 };
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status != PTO_OK || !is_pair(&op, PTO_E4M3, PTO_BF16) || op.round == PTO_RS) return status;
    for (size_t i = NEVER_EARLIER; i < n; i++) {
        if ((model_cvt_load(op.src, src, i) & 0x7f80) == 0x7f80)
            memset((unsigned char *)dst + i - LEFT, 0, LEFT);
    }
    return status;
}

/* ---- memory ---- */

static pto_status last_nibble(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && op.dst == PTO_E2M1 && n % 2) ((unsigned char *)dst)[n / 2] |= 0x10;
    return status;
}

static pto_status last_lane(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && n == 65 && is_pair(&op, PTO_U8, PTO_S32) && op.sat)
        ((unsigned char *)dst)[64] ^= 1;
    return status;
}

static pto_status writes_behind(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && n > 9 && is_pair(&op, PTO_E4M3, PTO_F16)) ((volatile unsigned char *)dst)[n] = 0;
    return status;
}

static pto_status reads_behind(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    if (op.round == PTO_RS && extra && n > 0) (void)((const volatile uint32_t *)extra)[n / 2];
    return pto_cvt(op, src, dst, extra, n);
}

static pto_status wrong_in_place(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && src == dst && op.dst == PTO_BF16 && n > 30) ((unsigned char *)dst)[30] ^= 4;
    return status;
}

/* Changes byte n - 1 of a result with more than 2^20 elements, as if a kernel for long arrays were wrong at the end. */
static pto_status long_end(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_OK && n > 1 << 20) ((unsigned char *)dst)[n - 1] ^= 1;
    return status;
}

/* ---- statuses ---- */

static pto_status takes_words(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    return pto_cvt(op, src, dst, op.round == PTO_RS ? extra : NULL, n);
}

static pto_status takes_part_group(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const bool part = op.round == PTO_RS && op.dst == PTO_E2M1 && n % 4 == 2;
    return pto_cvt(op, src, dst, extra, part ? n - 2 : n);
}

static pto_status type_first(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    return status == PTO_ERR_NULL && op.src == PTO_TF32 ? PTO_ERR_TYPE : status;
}

static pto_status writes_on_error(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_ERR_MODIFIER && op.dst == PTO_S16 && op.round == PTO_RN && n > 0) memset(dst, 0, 1);
    return status;
}

static pto_status check_refuses_composed(pto_cvt_op op) {
    if (is_pair(&op, PTO_F32, PTO_UE8M0) && op.round == PTO_RP) return PTO_ERR_TYPE;
    return pto_cvt_check(op);
}

static bool composed_is_ptx(pto_cvt_op op) {
    return pto_cvt_is_ptx(op) || (is_pair(&op, PTO_BF16, PTO_E2M1) && op.round == PTO_RM);
}

static pto_status over_words(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    const bool in_place = (const void *)extra == dst && op.dst == PTO_BF16;
    return status == PTO_ERR_OVERLAP && in_place ? PTO_OK : status;
}

static pto_status plan_changed(pto_plan *plan, pto_cvt_op op) {
    const pto_status status = pto_plan_cvt(plan, op);
    if (status == PTO_ERR_TYPE && plan) plan->priv[6] = 0;
    return status;
}

/** The plan ignores .relu. */
static pto_status plan_forgets(pto_plan *plan, pto_cvt_op op) {
    const pto_status status = pto_plan_cvt(plan, op);
    if (status == PTO_OK && op.relu) {
        op.relu = false;
        return pto_plan_cvt(plan, op);
    }
    return status;
}

/** Makes the plan for the scalar backend instead of the active ISA. */
static pto_status plan_of_scalar(pto_plan *plan, pto_cvt_op op) {
    const pto_isa active = pto_isa_active();
    pto_status status;
    use_isa(PTO_ISA_SCALAR);
    status = pto_plan_cvt(plan, op);
    use_isa(active);
    return status;
}

/* ---- floating-point state ---- */

static pto_status by_fpu(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    if (!is_pair(&op, PTO_F32, PTO_S32) || op.round != PTO_RN || op.sat)
        return pto_cvt(op, src, dst, extra, n);
    for (size_t i = 0; i < n; i++) {
        int32_t integer;
        volatile float real;
        memcpy(&integer, (const unsigned char *)src + 4 * i, sizeof integer);
        real = (float)integer;
        memcpy((unsigned char *)dst + 4 * i, (const void *)&real, sizeof real);
    }
    return PTO_OK;
}

static pto_status leaves_sticky(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (is_pair(&op, PTO_E5M2, PTO_F16)) {
        struct fp_state state = fp_state_get();
        state.status |= 1; /* invalid */
        fp_state_set(&state);
    }
    return status;
}

/* ---- text ---- */

static pto_status parse_scalar_rs(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    return pto_parse_cvt(text && strcmp(text, "cvt.rs.f16.f32") == 0 ? "cvt.rs.f16x2.f32" : text, op, error);
}

static pto_status parse_types_last(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    const size_t length = text ? strlen(text) : 0;
    if (length > 5 && strcmp(text + length - 5, ".relu") == 0) return PTO_ERR_PARSE;
    return pto_parse_cvt(text, op, error);
}

static pto_status parse_sat_twice(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    return pto_parse_cvt(text && strcmp(text, "cvt.sat.sat.s32.s64") == 0 ? "cvt.sat.s32.s64" : text, op,
                         error);
}

static pto_status parse_behind(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    if (text && op && strlen(text) == 14) (void)((const volatile char *)text)[15];
    return pto_parse_cvt(text, op, error);
}

static pto_status format_pairs(pto_cvt_op op, char *buf, size_t size) {
    const pto_status status = pto_format_cvt(op, buf, size);
    if (status == PTO_OK && strcmp(buf, "cvt.rz.relu.f16.f32") == 0 && size > 24)
        memcpy(buf, "cvt.rz.relu.f16x2.f32", sizeof "cvt.rz.relu.f16x2.f32");
    return status;
}

static pto_status format_cut(pto_cvt_op op, char *buf, size_t size) {
    const pto_status status = pto_format_cvt(op, buf, size);
    if (status == PTO_ERR_SIZE && size > 4) memcpy(buf, "cvt", 4);
    return status;
}

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"cvt rounds one tie away from zero, seen in the examples", check_cvt_examples, .calls.cvt = tie_away},
    {"cvt rounds f64 to f16 twice", check_cvt_examples, .calls.cvt = rounds_twice},
    {"cvt rounds one tie away from zero", check_cvt_values, .calls.cvt = tie_away},
    {"cvt rounds f64 to f16 twice, seen in the values", check_cvt_values, .calls.cvt = rounds_twice},
    {"cvt flushes f64 to f32 after rounding", check_cvt_values, .calls.cvt = ftz_late},
    {"cvt flushes for f16", check_cvt_values, .calls.cvt = ftz_flushes_f16},
    {"cvt gives 0 for a NaN in s64", check_cvt_values, .calls.cvt = nan_is_zero},
    {"cvt keeps -0 under .relu", check_cvt_values, .calls.cvt = keeps_minus_zero},
    {"cvt feeds a and b from each other's random bits", check_cvt_values, .calls.cvt = random_swapped},
    {"cvt reads the high bits of e2m3", check_cvt_values, .calls.cvt = reads_high_bits},
    {"cvt is wrong in one binade of one operation", check_cvt_sweep, .calls.cvt = one_binade},
    {"cvt is wrong in one binade, seen by the sweep of all f32", check_cvt_all_f32, .calls.cvt = one_binade},
    {"cvt flushes for f16, seen by the sweep against the model", check_cvt_all_f32_model,
     .calls.cvt = ftz_flushes_f16},
    {"cvt is wrong in one lane where all are numbers", check_cvt_finite, .calls.cvt = lane_of_numbers},
    {"cvt is wrong in small results where all are numbers", check_cvt_finite, .calls.cvt = small_of_numbers},
    {"cvt is wrong at the end of a long array", check_cvt_long, .calls.cvt = long_end},
    {"cvt stops early before an infinity", check_cvt_one_special, .calls.cvt = stops_early},
    {"cvt writes a nibble too many", check_cvt_lengths, .calls.cvt = last_nibble},
    {"cvt is wrong in the last lane of one length", check_cvt_lengths, .calls.cvt = last_lane},
    {"cvt reads a random word too many", check_cvt_lengths, .calls.cvt = reads_behind},
    {"cvt writes a byte after dst", check_cvt_offsets, .calls.cvt = writes_behind},
    {"cvt is wrong in place", check_cvt_in_place, .calls.cvt = wrong_in_place},
    {"cvt takes random bits without .rs", check_cvt_status, .calls.cvt = takes_words},
    {"cvt takes part of a group", check_cvt_status, .calls.cvt = takes_part_group},
    {"cvt looks at the types before NULL", check_cvt_status, .calls.cvt = type_first},
    {"cvt writes with an error", check_cvt_status, .calls.cvt = writes_on_error},
    {"cvt_check refuses a composed pair", check_cvt_status, .calls.cvt_check = check_refuses_composed},
    {"a composed pair that PTX is said to have", check_cvt_status, .calls.cvt_is_ptx = composed_is_ptx},
    {"cvt writes over the random bits", check_cvt_overlaps, .calls.cvt = over_words},
    {"plan_cvt changes the plan with an error", check_cvt_plans, .calls.plan_cvt = plan_changed},
    {"plan_cvt forgets .relu", check_cvt_plans, .calls.plan_cvt = plan_forgets},
    {"plan_cvt does not keep its ISA", check_cvt_plans, .calls.plan_cvt = plan_of_scalar},
    {"cvt rounds as the FPU is set", check_cvt_fpstate, .calls.cvt = by_fpu},
    {"cvt leaves a sticky flag", check_cvt_fpstate, .calls.cvt = leaves_sticky},
    {"parse_cvt takes .rs on a scalar", check_cvt_text_legality, .calls.parse_cvt = parse_scalar_rs},
    {"parse_cvt wants the types last", check_cvt_text_orders, .calls.parse_cvt = parse_types_last},
    {"parse_cvt takes .sat twice", check_cvt_text_malformed, .calls.parse_cvt = parse_sat_twice},
    {"parse_cvt reads past the end of the text", check_cvt_text_mutations, .calls.parse_cvt = parse_behind},
    {"format_cvt prefers pairs", check_cvt_text_format, .calls.format_cvt = format_pairs},
    {"format_cvt writes into a buffer that is too small", check_cvt_text_format,
     .calls.format_cvt = format_cut},
};
const struct planted_list planted_cvt = {faults, sizeof faults / sizeof faults[0]};
