/* SPDX-License-Identifier: MIT */
/* x86 flags and SETcc on arrays. */
#include "pto/setcc.h"

#include "calls/comparison.h"
#include "core/check.h"
#include "dispatch/dispatch.h"

enum { CONDITIONS = PTO_CC_G + 1 };

pto_status pto_setcc(pto_cc cc, const uint32_t *eflags, uint8_t *dst, size_t n) {
    if (n != 0 && (eflags == NULL || dst == NULL)) return PTO_ERR_NULL;
    if ((unsigned)cc >= CONDITIONS) return PTO_ERR_OP;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!disjoint(operand_array(dst, 8, n), operand_array(eflags, 32, n))) return PTO_ERR_OVERLAP;
    pto_flags_kernels(pto_active_kernels())->setcc(eflags, dst, n, (unsigned)cc);
    return PTO_OK;
}

static const struct dtype_info *integer_type(pto_dtype t) {
    const struct dtype_info *type = one_lane_info(t);
    return type != NULL && type->class != PTO_CLASS_FLOAT ? type : NULL;
}

static flags_fn *ucomi_kernel(const struct flags_kernels *k, pto_dtype t) {
    switch (t) {
    case PTO_F16: return k->ucomi_f16;
    case PTO_BF16: return k->ucomi_bf16;
    case PTO_F32: return k->ucomi_f32;
    case PTO_F64: return k->ucomi_f64;
    default: return NULL;
    }
}

/* Checks the arguments and runs the kernel. `kernel` is NULL if there is no kernel for the type. */
static pto_status flags_checked(flags_fn *kernel, pto_dtype t, const void *a, const void *b, uint32_t *eflags,
                                size_t n) {
    size_t bits = pto_dtype_bits(t);
    if (n != 0 && (a == NULL || b == NULL || eflags == NULL)) return PTO_ERR_NULL;
    if (kernel == NULL) return PTO_ERR_TYPE;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_array(eflags, 32, n),
                          (const struct operand[]){operand_array(a, bits, n), operand_array(b, bits, n)}, 2))
        return PTO_ERR_OVERLAP;
    kernel(a, b, eflags, n);
    return PTO_OK;
}

pto_status pto_flags_cmp(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const struct dtype_info *type = integer_type(t);
    flags_fn *kernel =
        type != NULL ? pto_flags_kernels(pto_active_kernels())->cmp[width_index(type->bits)] : NULL;
    return flags_checked(kernel, t, a, b, eflags, n);
}

pto_status pto_flags_test(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const struct dtype_info *type = integer_type(t);
    flags_fn *kernel =
        type != NULL ? pto_flags_kernels(pto_active_kernels())->test[width_index(type->bits)] : NULL;
    return flags_checked(kernel, t, a, b, eflags, n);
}

pto_status pto_flags_ucomi(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    return flags_checked(ucomi_kernel(pto_flags_kernels(pto_active_kernels()), t), t, a, b, eflags, n);
}

/* How a condition is evaluated after CMP or UCOMI: by an unsigned, signed or floating-point comparison with operator
 * `cmp`, from computed flags, or as a constant. */
enum evaluation_kind {
    EVALUATE_UNSIGNED,
    EVALUATE_SIGNED,
    EVALUATE_FLOAT,
    EVALUATE_FLAGS,
    EVALUATE_NEVER,
    EVALUATE_ALWAYS
};

struct evaluation {
    u8 kind, cmp;
};

/* How each condition is evaluated after CMP. The conditions that test only OF, SF or PF correspond to no comparison, so
 * the flags are computed for them. */
static const struct evaluation after_cmp[CONDITIONS] = {
    [PTO_CC_O] = {EVALUATE_FLAGS, 0},          [PTO_CC_NO] = {EVALUATE_FLAGS, 0},
    [PTO_CC_B] = {EVALUATE_UNSIGNED, PTO_LT},  [PTO_CC_AE] = {EVALUATE_UNSIGNED, PTO_GE},
    [PTO_CC_E] = {EVALUATE_UNSIGNED, PTO_EQ},  [PTO_CC_NE] = {EVALUATE_UNSIGNED, PTO_NE},
    [PTO_CC_BE] = {EVALUATE_UNSIGNED, PTO_LE}, [PTO_CC_A] = {EVALUATE_UNSIGNED, PTO_GT},
    [PTO_CC_S] = {EVALUATE_FLAGS, 0},          [PTO_CC_NS] = {EVALUATE_FLAGS, 0},
    [PTO_CC_P] = {EVALUATE_FLAGS, 0},          [PTO_CC_NP] = {EVALUATE_FLAGS, 0},
    [PTO_CC_L] = {EVALUATE_SIGNED, PTO_LT},    [PTO_CC_GE] = {EVALUATE_SIGNED, PTO_GE},
    [PTO_CC_LE] = {EVALUATE_SIGNED, PTO_LE},   [PTO_CC_G] = {EVALUATE_SIGNED, PTO_GT},
};

/* How each condition is evaluated after UCOMI. Unordered operands set CF, ZF and PF; SF and OF are always clear. */
static const struct evaluation after_ucomi[CONDITIONS] = {
    [PTO_CC_O] = {EVALUATE_NEVER, 0},        [PTO_CC_NO] = {EVALUATE_ALWAYS, 0},
    [PTO_CC_B] = {EVALUATE_FLOAT, PTO_LTU},  [PTO_CC_AE] = {EVALUATE_FLOAT, PTO_GE},
    [PTO_CC_E] = {EVALUATE_FLOAT, PTO_EQU},  [PTO_CC_NE] = {EVALUATE_FLOAT, PTO_NE},
    [PTO_CC_BE] = {EVALUATE_FLOAT, PTO_LEU}, [PTO_CC_A] = {EVALUATE_FLOAT, PTO_GT},
    [PTO_CC_S] = {EVALUATE_NEVER, 0},        [PTO_CC_NS] = {EVALUATE_ALWAYS, 0},
    [PTO_CC_P] = {EVALUATE_FLOAT, PTO_NAN},  [PTO_CC_NP] = {EVALUATE_FLOAT, PTO_NUM},
    [PTO_CC_L] = {EVALUATE_NEVER, 0},        [PTO_CC_GE] = {EVALUATE_ALWAYS, 0},
    [PTO_CC_LE] = {EVALUATE_FLOAT, PTO_EQU}, [PTO_CC_G] = {EVALUATE_FLOAT, PTO_NE},
};

static pto_dtype integer_of(size_t bits, bool is_signed) {
    static const pto_dtype of_width[2][WIDTHS] = {{PTO_U8, PTO_U16, PTO_U32, PTO_U64},
                                                  {PTO_S8, PTO_S16, PTO_S32, PTO_S64}};
    return of_width[is_signed][width_index((unsigned)bits)];
}

/* Computes the flags and then the condition, a block at a time. */
static void setcc_blocks(const struct flags_kernels *k, unsigned cc, const u8 *a, const u8 *b, size_t bits,
                         u8 *dst, size_t n) {
    enum { LANES = 512 };
    u32 eflags[LANES];
    for (size_t i = 0; i < n; i += LANES) {
        size_t lanes = min_size(n - i, LANES), at = i * (bits / 8);
        k->cmp[width_index((unsigned)bits)](a + at, b + at, eflags, lanes);
        k->setcc(eflags, dst + i, lanes, cc);
    }
}

pto_status pto_cmp_setcc(pto_cc cc, pto_dtype t, const void *a, const void *b, uint8_t *dst, size_t n) {
    const struct dtype_info *type = one_lane_info(t);
    const struct pto_kernels *k;
    struct lowering l;
    struct evaluation q;
    struct comparison c;
    pto_status status;
    size_t bits = pto_dtype_bits(t);

    if (n != 0 && (a == NULL || b == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if ((unsigned)cc >= CONDITIONS) return PTO_ERR_OP;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_array(dst, 8, n),
                          (const struct operand[]){operand_array(a, bits, n), operand_array(b, bits, n)}, 2))
        return PTO_ERR_OVERLAP;

    k = pto_active_kernels();
    q = type->class == PTO_CLASS_FLOAT ? after_ucomi[cc] : after_cmp[cc];
    switch (q.kind) {
    case EVALUATE_NEVER: memset(dst, 0, n); return PTO_OK;
    case EVALUATE_ALWAYS: memset(dst, 1, n); return PTO_OK;
    case EVALUATE_FLAGS: setcc_blocks(pto_flags_kernels(k), (unsigned)cc, a, b, bits, dst, n); return PTO_OK;
    case EVALUATE_FLOAT: break;
    default: type = one_lane_info(integer_of(bits, q.kind == EVALUATE_SIGNED)); break;
    }
    status = lower(type, (pto_cmp)q.cmp, false, &l);
    if (status != PTO_OK) return status; /* cannot happen: every type here has the operator */
    c = bind(&l, k, false, MASK_AS_BYTES);
    return comparison_run_all(&c, a, b, dst, n);
}
