/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of the lists of forms, pto_cvt_since(), explanations, error positions, element values and
 * reserved members. */
#include "faults/planted_faults.h"

#include <math.h>
#include <string.h>

/* ---- lists ---- */

static size_t one_form_less(void) {
    return pto_cvt_form_count() - 1;
}

static pto_status form_twice(size_t i, pto_setp_op *op) {
    return pto_setp_form(i == 100 ? 99 : i, op);
}

static pto_status form_behind(size_t i, pto_set_op *op) {
    return pto_set_form(i == pto_set_form_count() ? 0 : i, op);
}

/* ---- since ---- */

static pto_status since_first_step(pto_cvt_op op, int *isa) {
    if (op.dst == PTO_BF16 && op.src == PTO_E2M1 && op.round == PTO_RM) op.src = PTO_F16;
    return pto_cvt_since(op, isa);
}

static pto_status target_of_family(pto_cvt_op op, const char **target) {
    const pto_status status = pto_cvt_target(op, target);
    if (status == PTO_OK && strcmp(*target, "sm_100a") == 0) *target = "sm_100f";
    return status;
}

/* ---- explanations ---- */

/** Replaces the first `old` in `text` by `other`, which has the same length. */
static void reword(pto_status status, char *text, const char *old, const char *other) {
    char *at = status == PTO_OK ? strstr(text, old) : NULL;
    for (size_t i = 0; at && other[i]; i++) {
        at[i] = other[i];
    }
}

static pto_status explain_other(pto_cvt_op op, char *buf, size_t size) {
    const pto_status status = pto_cvt_explain(op, buf, size);
    reword(status, buf, ", .rs[", ", .rz[");
    return status;
}

static pto_status explain_cut(pto_cvt_op op, char *buf, size_t size) {
    const pto_status status = pto_cvt_explain(op, buf, size);
    if (status == PTO_ERR_SIZE) buf[0] = 0;
    return status;
}

static pto_status explain_setp_other(pto_setp_op op, char *buf, size_t size) {
    const pto_status status = pto_setp_explain(op, buf, size);
    reword(status, buf, "legal: .eq .ne", "legal: .hi .ne");
    return status;
}

static pto_status explain_set_other(pto_set_op op, char *buf, size_t size) {
    const pto_status status = pto_set_explain(op, buf, size);
    reword(status, buf, "legal: u32 s32", "legal: u64 s32");
    return status;
}

static pto_status explain_since_other(pto_set_op op, char *buf, size_t size) {
    const pto_status status = pto_set_explain(op, buf, size);
    reword(status, buf, "sm_107f", "sm_100f");
    return status;
}

/* ---- error positions ---- */

static pto_status place_behind(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    const pto_status status = pto_parse_cvt(text, op, error);
    if (status == PTO_ERR_MODIFIER && error) error->at++;
    return status;
}

static pto_status place_of_second(const char *text, pto_set_op *op, pto_parse_error *error) {
    const pto_status status = pto_parse_set(text, op, error);
    if (error && status == PTO_ERR_PARSE && strstr(error->text, "third type")) error->at = 0;
    return status;
}

/* ---- values ---- */

static pto_status value_flushed(pto_dtype type, const void *element, double *value) {
    const pto_status status = pto_dtype_value(type, element, value);
    if (status == PTO_OK && type == PTO_E3M2 && *value == 0.0625) *value = 0;
    return status;
}

static pto_status value_rounded(pto_dtype type, const void *element, double *value) {
    const pto_status status = pto_dtype_value(type, element, value);
    uint64_t x;
    if (status != PTO_ERR_SIZE || type != PTO_U64) return status;
    memcpy(&x, element, sizeof x);
    *value = (double)x;
    return PTO_OK;
}

/** Reads the infinity of binary8p4se as the next value after the largest. */
static pto_status value_of_infinity(pto_dtype type, const void *element, double *value) {
    const pto_status status = pto_dtype_value(type, element, value);
    if (status == PTO_OK && type == PTO_BINARY8P4SE && *value == HUGE_VAL) *value = 240;
    return status;
}

/** Reads the NaN of a FNUZ type as -0. */
static pto_status value_of_fnuz_nan(pto_dtype type, const void *element, double *value) {
    const pto_status status = pto_dtype_value(type, element, value);
    if (status == PTO_OK && type == PTO_E5M2FNUZ && isnan(*value)) *value = -0.0;
    return status;
}

/** Reads the bits above a 4-bit integer. */
static pto_status value_of_whole_byte(pto_dtype type, const void *element, double *value) {
    return pto_dtype_value(type == PTO_U4 ? PTO_U8 : type, element, value);
}

static pto_status code_rounded(pto_dtype type, double value, void *element) {
    const pto_status status = pto_dtype_code(type, value, element);
    return status == PTO_ERR_SIZE && type == PTO_S16 && value == 0.5 ? PTO_OK : status;
}

static pto_status value_by_fpu(pto_dtype type, const void *element, double *value) {
    float x;
    if (type != PTO_F32) return pto_dtype_value(type, element, value);
    memcpy(&x, element, sizeof x);
    *value = (double)*(volatile float *)&x;
    return PTO_OK;
}

static void set_whole_group(pto_mask mask, size_t i, bool on) {
    unsigned char *image = mask.data;
    pto_mask_set(mask, i, on);
    if (image && mask.kind == PTO_MASK_B16 && on) image[i / 4] |= (unsigned char)(3U << i % 4 * 2);
}

/* ---- reserved members ---- */

static pto_status plan_any_cvt(pto_plan *plan, pto_cvt_op op) {
    op.reserved[2] = 0;
    return pto_plan_cvt(plan, op);
}

static pto_status check_any_block(pto_block_op op) {
    op.reserved[5] = 0;
    return pto_block_check(op);
}

static pto_status cvt_then_refuse(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const pto_status status = pto_cvt(op, src, dst, extra, n);
    if (status == PTO_ERR_MODIFIER) memset(dst, 0, 1);
    return status;
}

static pto_status form_leaves_reserved(size_t i, pto_cvt_op *op) {
    const uint8_t before = op->reserved[0];
    const pto_status status = pto_cvt_form(i, op);
    op->reserved[0] = before;
    return status;
}

static pto_status sizes_leave_reserved(pto_block_op op, size_t rows, size_t cols, pto_block_size *size) {
    const size_t before = size->reserved[3];
    const pto_status status = pto_block_sizes(op, rows, cols, size);
    size->reserved[3] = before;
    return status;
}

static const struct planted_fault faults[] = {
    {"cvt has a form less", check_cvt_forms, .calls.cvt_form_count = one_form_less},
    {"setp has a form twice", check_setp_forms, .calls.setp_form = form_twice},
    {"set has a form after the last", check_set_forms, .calls.set_form = form_behind},
    {"cvt_since looks at one step of a composed pair", check_cvt_since, .calls.cvt_since = since_first_step},
    {"cvt_target says the family for the chip", check_cvt_since, .calls.cvt_target = target_of_family},
    {"cvt_explain calls a wrong rounding legal", check_cvt_explain, .calls.cvt_explain = explain_other},
    {"cvt_explain writes into a buffer that is too small", check_cvt_explain,
     .calls.cvt_explain = explain_cut},
    {"setp_explain calls a wrong operator legal", check_setp_explain,
     .calls.setp_explain = explain_setp_other},
    {"set_explain calls a wrong type legal", check_set_explain, .calls.set_explain = explain_set_other},
    {"set_explain says another first target", check_set_explain, .calls.set_explain = explain_since_other},
    {"parse_cvt points to the place after a modifier", check_parse_errors, .calls.parse_cvt = place_behind},
    {"parse_set points at the front", check_parse_errors_in_forms, .calls.parse_set = place_of_second},
    {"dtype_value flushes a subnormal", check_value_codes, .calls.dtype_value = value_flushed},
    {"dtype_value reads an infinity of P3109 as a number", check_value_codes,
     .calls.dtype_value = value_of_infinity},
    {"dtype_value has a -0 of a FNUZ type", check_value_codes, .calls.dtype_value = value_of_fnuz_nan},
    {"dtype_value reads more than 4 bits", check_value_codes, .calls.dtype_value = value_of_whole_byte},
    {"dtype_value rounds", check_value_wide, .calls.dtype_value = value_rounded},
    {"dtype_code rounds", check_value_refused, .calls.dtype_code = code_rounded},
    {"dtype_value uses the FPU", check_value_fpstate, .calls.dtype_value = value_by_fpu},
    {"mask_set sets a whole group", check_mask_lanes, .calls.mask_set = set_whole_group},
    {"plan_cvt ignores a reserved byte", check_reserved_refused, .calls.plan_cvt = plan_any_cvt},
    {"block_check ignores a reserved word", check_reserved_refused, .calls.block_check = check_any_block},
    {"cvt refuses a reserved byte after it has written", check_reserved_refused,
     .calls.cvt = cvt_then_refuse},
    {"cvt_form does not set a reserved byte", check_reserved_set, .calls.cvt_form = form_leaves_reserved},
    {"block_sizes does not set a reserved word", check_reserved_set,
     .calls.block_sizes = sizes_leave_reserved},
};

const struct planted_list planted_forms = {faults, sizeof faults / sizeof faults[0]};
