/* SPDX-License-Identifier: MIT */
/* Faulty wrappers of setp, set, selp, slct, vcmpsel, the predicate registers, SETcc and the PTX parsers. */
#include "support/fpstate.h"
#include "model/model_ptx.h"
#include "faults/planted_faults.h"
#include "support/values.h"

#include <string.h>

/* ---- setp ---- */

static void flip_lane(pto_mask m, size_t lane) {
    const size_t bit = lane * model_lane_bits(m.kind);
    unsigned char *const bytes = m.data;
    bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
}

/** Makes q the complement of p even if the operation has a BoolOp. */
static pto_status setp_complement(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                  pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    if (status == PTO_OK && q.data && n != 0 && q.data != c.data) return pto_mask_not(p, q, n);
    return status;
}

static pto_status setp_without_not(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                   pto_mask q, size_t n) {
    if (op.type == PTO_S64) op.not_c = false;
    return pto_setp(op, a, b, c, p, q, n);
}

static pto_status setp_halves_swapped(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                      pto_mask q, size_t n) {
    if (op.type == PTO_BF16X2 && q.data) return pto_setp(op, a, b, c, q, p, n);
    return pto_setp(op, a, b, c, p, q, n);
}

static pto_status setp_without_ftz(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                   pto_mask q, size_t n) {
    if (op.type == PTO_F16X2 && op.cmp == PTO_GE) op.ftz = false;
    return pto_setp(op, a, b, c, p, q, n);
}

/** Computes q from c after p, which overlaps c, has been written. */
static pto_status setp_p_first(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                               pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    unsigned char spare[HARNESS_LONGEST];
    if (status != PTO_OK || p.data != c.data || !q.data || n == 0) return status;
    return pto_setp(op, a, b, c, pto_bytes(spare), q, n);
}

static pto_status setp_one_lane(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    if (status == PTO_OK && n == 65 && op.type == PTO_U32 && op.boolop == PTO_XOR && q.data) flip_lane(q, 64);
    return status;
}

static pto_status setp_behind(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                              pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    if (status == PTO_OK && q.data && n > 9)
        ((volatile unsigned char *)q.data)[pto_mask_bytes(q.kind, n)] = 0;
    return status;
}

static pto_status setp_nan_is_less(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                   pto_mask q, size_t n) {
    if (op.type == PTO_F64 && op.cmp == PTO_NE) op.cmp = PTO_NEU;
    return pto_setp(op, a, b, c, p, q, n);
}

static pto_status setp_takes_c(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                               pto_mask q, size_t n) {
    return pto_setp(op, a, b, op.boolop == PTO_BOOL_NONE ? PTO_NO_MASK : c, p, q, n);
}

static pto_status setp_same_results(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                    pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    return status == PTO_ERR_OVERLAP && p.data == q.data ? PTO_OK : status;
}

static pto_status setp_by_fpu(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                              pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    unsigned char *const bytes = p.data;
    if (status != PTO_OK || op.type != PTO_F64 || op.cmp != PTO_LT || p.kind != PTO_MASK_BYTE) return status;
    for (size_t i = 0; op.boolop == PTO_BOOL_NONE && i < n; i++) {
        double x, y;
        memcpy(&x, (const unsigned char *)a + 8 * i, sizeof x);
        memcpy(&y, (const unsigned char *)b + 8 * i, sizeof y);
        bytes[i] = x < y; /* raises invalid for a NaN and depends on DAZ */
    }
    return status;
}

/** Computes ltu as lt, so the results are wrong only for NaNs. */
static pto_status setp_ltu_is_lt(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                 pto_mask q, size_t n) {
    if (op.cmp == PTO_LTU) op.cmp = PTO_LT;
    return pto_setp(op, a, b, c, p, q, n);
}

/** The result is wrong for one of the 2^32 pairs of f16, in the row of the most negative finite value. */
static pto_status setp_one_pair(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    for (size_t i = 0; status == PTO_OK && op.type == PTO_F16 && op.cmp == PTO_GTU && i < n; i++) {
        if (value_load(PTO_F16, a, i) == 0xfbff && value_load(PTO_F16, b, i) == 0x1234) flip_lane(p, i);
    }
    return status;
}

/** The upper half is wrong for one pair of bf16x2, in a row that the sweep never skips. */
static pto_status setp_one_pair_of_pairs(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                         pto_mask q, size_t n) {
    const pto_status status = pto_setp(op, a, b, c, p, q, n);
    for (size_t i = 0; status == PTO_OK && op.type == PTO_BF16X2 && op.cmp == PTO_NUM && i < n; i++) {
        if (value_load(PTO_BF16, a, 2 * i + 1) == 0x8001 && value_load(PTO_BF16, b, 2 * i + 1) == 0x1235)
            flip_lane(q, i);
    }
    return status;
}

/* ---- set ---- */

static pto_status set_one_everywhere(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                     size_t n) {
    if (op.dtype == PTO_U16 && op.stype == PTO_BF16) op.dtype = PTO_BF16; /* 1.0, as in pseudo-code */
    return pto_set(op, a, b, c, dst, n);
}

static pto_status set_pair_all_ones(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                    size_t n) {
    const pto_status status = pto_set(op, a, b, c, dst, n);
    for (size_t i = 0; status == PTO_OK && op.stype == PTO_F16X2 && op.dtype == PTO_U32 && i < n; i++) {
        unsigned char *word = (unsigned char *)dst + 4 * i;
        if (word[0]) memset(word, 0xff, 4);
    }
    return status;
}

static pto_status set_c_for_low_half(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                     size_t n) {
    const pto_status status = pto_set(op, a, b, c, dst, n);
    for (size_t i = 0; status == PTO_OK && op.dtype == PTO_BF16X2 && op.boolop == PTO_OR && i < n; i++) {
        ((unsigned char *)dst)[4 * i + 3] = 0;
    }
    return status;
}

static pto_status set_in_place(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n) {
    if (dst == b && op.dtype == PTO_F32 && op.stype == PTO_F32) return pto_set(op, a, a, c, dst, n);
    return pto_set(op, a, b, c, dst, n);
}

static pto_status set_takes_f32_f16(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                    size_t n) {
    if (op.dtype == PTO_F32 && op.stype == PTO_F16) op.dtype = PTO_U32;
    return pto_set(op, a, b, c, dst, n);
}

/** Compares s16x2 as unsigned integers. */
static pto_status set_packed_unsigned(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                      size_t n) {
    if (op.dtype == PTO_S16X2 && op.stype == PTO_S16X2) op.dtype = op.stype = PTO_U16X2;
    return pto_set(op, a, b, c, dst, n);
}

/** Sets only the lowest bit of each u8 element that is true. */
static pto_status set_packed_ones(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                  size_t n) {
    const pto_status status = pto_set(op, a, b, c, dst, n);
    for (size_t i = 0; status == PTO_OK && op.stype == PTO_U8X4 && i < 4 * n; i++) {
        ((unsigned char *)dst)[i] &= 1;
    }
    return status;
}

/** Copies the second byte of each s8x4 result to the third. */
static pto_status set_packed_byte(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                  size_t n) {
    const pto_status status = pto_set(op, a, b, c, dst, n);
    for (size_t i = 0; status == PTO_OK && op.stype == PTO_S8X4 && i < n; i++) {
        ((unsigned char *)dst)[4 * i + 2] = ((unsigned char *)dst)[4 * i + 1];
    }
    return status;
}

/** Accepts operand c for packed integers, which do not have one. */
static pto_status set_packed_c(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n) {
    if (op.dtype == PTO_U16X2 && op.stype == PTO_U16X2 && op.boolop == PTO_BOOL_NONE) c = PTO_NO_MASK;
    return pto_set(op, a, b, c, dst, n);
}

/** Copies the last but one word of long s16x2 results to the last. */
static pto_status set_packed_last(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                  size_t n) {
    const pto_status status = pto_set(op, a, b, c, dst, n);
    if (status == PTO_OK && op.stype == PTO_S16X2 && n > 1000)
        memcpy((unsigned char *)dst + 4 * (n - 1), (unsigned char *)dst + 4 * (n - 2), 4);
    return status;
}

/** Writes words to the next aligned address if dst is one byte below it. */
static pto_status set_packed_aligned(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst,
                                     size_t n) {
    unsigned char *d = dst;
    if (op.stype == PTO_U8X4 && n > 1 && (uintptr_t)dst % 4 == 3) return pto_set(op, a, b, c, d + 1, n - 1);
    return pto_set(op, a, b, c, dst, n);
}

/* ---- selp, slct, vcmpsel ---- */

static pto_status selp_takes_f16(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n) {
    return pto_selp(t == PTO_F16 ? PTO_B16 : t, a, b, p, dst, n);
}

/** Omits the last lane of long b64 results. */
static pto_status selp_last_lane(pto_dtype t, const void *a, const void *b, pto_mask p, void *dst, size_t n) {
    return pto_selp(t, a, b, p, dst, t == PTO_B64 && n > 40 ? n - 1 : n);
}

static pto_status slct_minus_zero(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b,
                                  const void *c, void *dst, size_t n) {
    return pto_slct(t, ctype == PTO_F32 && !ftz ? PTO_S32 : ctype, ftz, a, b, c, dst, n);
}

static pto_status slct_no_ftz(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b,
                              const void *c, void *dst, size_t n) {
    return pto_slct(t, ctype, ftz && t != PTO_U16, a, b, c, dst, n);
}

static pto_status vcmpsel_swaps(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                pto_in v, void *dst, size_t n) {
    if (x.scalar && !y.scalar && !u.scalar && v.scalar && t == PTO_S8 && op == PTO_LE) op = PTO_GE;
    return pto_vcmpsel(t, op, flags, x, y, u, v, dst, n);
}

/** Re-reads a scalar operand after dst, which overlaps it, has been written. */
static pto_status vcmpsel_rereads(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                  pto_in v, void *dst, size_t n) {
    const size_t size = model_size(t);
    const size_t first = 512;
    const pto_in in[4] = {x, y, u, v};
    pto_in rest[4];
    pto_status status;
    if (n <= first || !v.scalar || t != PTO_U16) return pto_vcmpsel(t, op, flags, x, y, u, v, dst, n);
    status = pto_vcmpsel(t, op, flags, x, y, u, v, dst, first);
    if (status != PTO_OK) return status;
    for (size_t k = 0; k < 4; k++) {
        rest[k] = in[k];
        if (!in[k].scalar) rest[k].data = (const unsigned char *)in[k].data + first * size;
    }
    return pto_vcmpsel(t, op, flags, rest[0], rest[1], rest[2], rest[3], (unsigned char *)dst + first * size,
                       n - first);
}

static pto_status vcmpsel_last_lane(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                    pto_in v, void *dst, size_t n) {
    return pto_vcmpsel(t, op, flags, x, y, u, v, dst, n > 1 << 20 ? n - 1 : n);
}

static pto_status vcmpsel_flushes(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                  pto_in v, void *dst, size_t n) {
    const pto_status status = pto_vcmpsel(t, op, flags, x, y, u, v, dst, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_F16 && flags && i < n; i++) {
        const uint64_t bits = value_load(t, dst, i);
        if (value_is_subnormal(t, bits)) value_store(t, dst, i, bits & 0x8000);
    }
    return status;
}

/* ---- predicate registers ---- */

/** H selects no lane: the upper half, which is empty, replaces the lower half. */
static pto_status pset_lowest(unsigned g, pto_pattern pattern, pto_preg *p) {
    const pto_status status = pto_pset(g, pattern, p);
    if (status == PTO_OK && pattern == PTO_PAT_H) {
        p->w[0] = p->w[3];
        p->w[1] = p->w[2];
        p->w[2] = p->w[3] = 0;
    }
    return status;
}

static pto_status plt_keeps(unsigned g, uint32_t *remaining, pto_preg *p) {
    uint32_t copy = remaining ? *remaining : 0;
    if (g != 16) return pto_plt(g, remaining, p);
    return pto_plt(g, remaining ? &copy : NULL, p);
}

static pto_status pnot_ungoverned(pto_preg a, pto_preg governing, pto_preg *p) {
    (void)governing;
    return pto_pnot(a, (pto_preg){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}}, p);
}

static pto_status punpack_lower(pto_preg a, pto_half half, pto_preg *p) {
    return pto_punpack(a, half == PTO_HIGHER ? PTO_LOWER : half, p);
}

static pto_status pintlv_as_bytes(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi) {
    return pto_pintlv(g == 32 ? 16 : g, a, b, lo, hi);
}

static pto_status pdintlv_swapped(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi) {
    return pto_pdintlv(g, a, b, hi, lo);
}

static pto_status pset_writes(unsigned g, pto_pattern pattern, pto_preg *p) {
    const pto_status status = pto_pset(g, pattern, p);
    if (status != PTO_OK && p) memset(p, 0, sizeof *p);
    return status;
}

/* ---- SETcc ---- */

static pto_status setcc_reads_junk(pto_cc cc, const uint32_t *eflags, uint8_t *dst, size_t n) {
    const pto_status status = pto_setcc(cc, eflags, dst, n);
    for (size_t i = 0; status == PTO_OK && cc == PTO_CC_B && i < n; i++) {
        if (eflags[i] & 2) dst[i] = 1;
    }
    return status;
}

static pto_status flags_no_adjust(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const pto_status status = pto_flags_cmp(t, a, b, eflags, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_S64 && i < n; i++) {
        eflags[i] &= ~(uint32_t)PTO_AF;
    }
    return status;
}

/** OF is missing for one pair of bytes: -128 - 1. */
static pto_status flags_one_pair(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const pto_status status = pto_flags_cmp(t, a, b, eflags, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_S8 && i < n; i++) {
        if (value_load(t, a, i) == 0x80 && value_load(t, b, i) == 1) eflags[i] &= ~(uint32_t)PTO_OF;
    }
    return status;
}

static pto_status setcc_writes_on_error(pto_cc cc, const uint32_t *eflags, uint8_t *dst, size_t n) {
    const pto_status status = pto_setcc(cc, eflags, dst, n);
    if (status == PTO_ERR_OP && dst && n > 0) dst[0] ^= 1;
    return status;
}

/** Computes PF from the whole result instead of its low byte. */
static pto_status flags_wide_parity(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const pto_status status = pto_flags_test(t, a, b, eflags, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_U16 && i < n; i++) {
        const uint64_t both = value_load(t, a, i) & value_load(t, b, i);
        unsigned ones = 0;
        for (unsigned k = 0; k < 16; k++) {
            ones += (unsigned)(both >> k) & 1;
        }
        eflags[i] = (eflags[i] & ~(uint32_t)PTO_PF) | (ones % 2 ? 0 : PTO_PF);
    }
    return status;
}

static pto_status ucomi_ordered(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const pto_status status = pto_flags_ucomi(t, a, b, eflags, n);
    for (size_t i = 0; status == PTO_OK && t == PTO_BF16 && i < n; i++) {
        if (eflags[i] & PTO_PF) eflags[i] = PTO_PF;
    }
    return status;
}

static pto_status cmp_setcc_ordered(pto_cc cc, pto_dtype t, const void *a, const void *b, uint8_t *dst,
                                    size_t n) {
    if (t == PTO_F32 && cc == PTO_CC_B) { /* SETB is true for a NaN, and lt is not */
        const pto_status status = pto_vcmp(t, PTO_LT, 0, a, b, PTO_NO_MASK, pto_bytes(dst), n);
        if (status == PTO_OK) return status;
    }
    return pto_cmp_setcc(cc, t, a, b, dst, n);
}

static pto_status cmp_setcc_ff(pto_cc cc, pto_dtype t, const void *a, const void *b, uint8_t *dst, size_t n) {
    const pto_status status = pto_cmp_setcc(cc, t, a, b, dst, n);
    if (status == PTO_OK && t == PTO_B64 && n == 33 && dst[32]) dst[32] = 0xff;
    return status;
}

static pto_status flags_leave_sticky(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n) {
    const pto_status status = pto_flags_ucomi(t, a, b, eflags, n);
    if (t == PTO_F16) {
        struct fp_state state = fp_state_get();
        state.status |= 1; /* invalid */
        fp_state_set(&state);
    }
    return status;
}

static pto_status parse_setcc_lower(const char *mnemonic, pto_cc *cc, pto_parse_error *error) {
    if (mnemonic && mnemonic[0] == 'S' && mnemonic[3] == 'n') return PTO_ERR_PARSE;
    return pto_parse_setcc(mnemonic, cc, error);
}

/* ---- text ---- */

static pto_status parse_in_order(const char *text, pto_setp_op *op,
                                 pto_parse_error *error) { /* rejects a type that is not the last word */
    if (text && strncmp(text, "setp.f64.", 9) == 0) return PTO_ERR_PARSE;
    return pto_parse_setp(text, op, error);
}

static pto_status parse_op_first(const char *text, pto_set_op *op, pto_parse_error *error) {
    const pto_status status = pto_parse_set(text, op, error);
    return status == PTO_ERR_TYPE && text && strncmp(text, "set.hi.", 7) == 0 ? PTO_ERR_OP : status;
}

static pto_status parse_bf16_ftz(const char *text, pto_setp_op *op, pto_parse_error *error) {
    pto_status status = pto_parse_setp(text, op, error);
    if (status == PTO_ERR_MODIFIER && op && strcmp(text, "setp.nan.ftz.bf16x2") == 0) status = PTO_OK;
    return status;
}

static pto_status parse_twice(const char *text, pto_setp_op *op, pto_parse_error *error) {
    if (text && strcmp(text, "setp.lt.ftz.ftz.f32") == 0) text = "setp.lt.ftz.f32";
    return pto_parse_setp(text, op, error);
}

static pto_status parse_reads_behind(const char *text, pto_set_op *op, pto_parse_error *error) {
    if (text && strlen(text) == 17) {
        const volatile char *behind = text;
        if (behind[18] == 'x') return PTO_ERR_PARSE;
    }
    return pto_parse_set(text, op, error);
}

static pto_status parse_pred_first(const char *text, pto_set_op *op, pto_parse_error *error) {
    if (text && strstr(text, "s8x4.pred")) return PTO_ERR_PARSE;
    return pto_parse_set(text, op, error);
}

static pto_status parse_packed_boolop(const char *text, pto_set_op *op, pto_parse_error *error) {
    return pto_parse_set(text && strcmp(text, "set.hs.xor.u16x2") == 0 ? "set.hs.u16x2" : text, op, error);
}

static pto_status parse_dtype_cut(const char *text, pto_dtype *type, pto_parse_error *error) {
    return pto_parse_dtype(text && strcmp(text, "bf16x") == 0 ? "bf16" : text, type, error);
}

static pto_status format_short(pto_set_op op, char *buf, size_t size) {
    const pto_status status = pto_format_set(op, buf, size);
    if (status == PTO_ERR_SIZE && size > 4) memcpy(buf, "set", 4);
    return status;
}

/* Accepts `not_c` for u16x2, which has no c. */
static pto_status format_packed_not_c(pto_set_op op, char *buf, size_t size) {
    if (op.stype == PTO_U16X2) op.not_c = false;
    return pto_format_set(op, buf, size);
}

/* ---- absent and overlapping operands ---- */

/** Checks the mask kind of c even if c is absent. */
static pto_status setp_checks_absent(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                                     pto_mask q, size_t n) {
    return (unsigned)c.kind > PTO_MASK_BYTE ? PTO_ERR_MASK : pto_setp(op, a, b, c, p, q, n);
}

static pto_status pintlv_by_address(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi) {
    pto_preg low, high;
    if (lo == hi) return PTO_ERR_OVERLAP;
    if (pto_pintlv(g, a, b, &low, &high) != PTO_OK) return PTO_ERR_MASK;
    *lo = low;
    *hi = high;
    return PTO_OK;
}

static pto_status count_anywhere(pto_mask m, size_t n, size_t *out) {
    size_t count;
    const pto_status status = pto_mask_count(m, n, &count);
    if (status == PTO_OK) *out = count;
    return status;
}

/* ---- the list ---- */

static const struct planted_fault faults[] = {
    {"setp's q is the complement of p", check_setp_lengths, .calls.setp = setp_complement},
    {"setp ignores !c for one type", check_setp_lengths, .calls.setp = setp_without_not},
    {"setp swaps the halves of bf16x2", check_setp_lengths, .calls.setp = setp_halves_swapped},
    {"setp ignores .ftz for one form of f16x2", check_setp_values, .calls.setp = setp_without_ftz},
    {"setp writes p before it reads c for q", check_setp_in_place, .calls.setp = setp_p_first},
    {"setp is wrong in the last lane of one form", check_setp_lengths, .calls.setp = setp_one_lane},
    {"setp writes a byte after q", check_setp_offsets, .calls.setp = setp_behind},
    {"setp's ne is C's !=", check_setp_values, .calls.setp = setp_nan_is_less},
    {"setp's ne is C's !=, seen in the lengths", check_setp_lengths, .calls.setp = setp_nan_is_less},
    {"setp is wrong for one pair of f16", check_all_f16_setp, .calls.setp = setp_one_pair},
    {"setp is wrong for one pair of bf16x2", check_all_bf16_setp, .calls.setp = setp_one_pair_of_pairs},
    {"setp takes ltu for lt", check_setp_examples, .calls.setp = setp_ltu_is_lt},
    {"setp takes c without a BoolOp", check_setp_status, .calls.setp = setp_takes_c},
    {"setp takes p and q in one place", check_ptx_overlaps, .calls.setp = setp_same_results},
    {"setp compares as the FPU does", check_ptx_fpstate, .calls.setp = setp_by_fpu},
    {"set gives 1.0 for an integer from bf16", check_set_lengths, .calls.set = set_one_everywhere},
    {"set fills both halves", check_set_examples, .calls.set = set_pair_all_ones},
    {"set fills both halves, seen in the lengths", check_set_lengths, .calls.set = set_pair_all_ones},
    {"set combines c only with the low half", check_set_values, .calls.set = set_c_for_low_half},
    {"set is wrong in place on b", check_set_in_place, .calls.set = set_in_place},
    {"set takes f32 from f16", check_set_status, .calls.set = set_takes_f32_f16},
    {"set compares s16x2 without signs", check_set_values, .calls.set = set_packed_unsigned},
    {"set compares s16x2 without signs, seen in the examples", check_set_examples,
     .calls.set = set_packed_unsigned},
    {"set gives 1 for u8x4", check_set_examples, .calls.set = set_packed_ones},
    {"set repeats a byte of s8x4", check_set_lengths, .calls.set = set_packed_byte},
    {"set repeats a byte of s8x4, seen in place", check_set_in_place, .calls.set = set_packed_byte},
    {"set leaves out the last word of long s16x2", check_set_lengths, .calls.set = set_packed_last},
    {"set of u8x4 wants aligned words", check_set_in_place, .calls.set = set_packed_aligned},
    {"set takes c with u16x2", check_set_status, .calls.set = set_packed_c},
    {"selp takes f16", check_choose_status, .calls.selp = selp_takes_f16},
    {"selp leaves out the last lane", check_selp, .calls.selp = selp_last_lane},
    {"slct takes -0 for negative", check_slct_examples, .calls.slct = slct_minus_zero},
    {"slct takes -0 for negative, seen in the sweep", check_slct, .calls.slct = slct_minus_zero},
    {"slct ignores .ftz for one type", check_slct, .calls.slct = slct_no_ftz},
    {"vcmpsel is wrong for one choice of scalars", check_vcmpsel_lengths, .calls.vcmpsel = vcmpsel_swaps},
    {"vcmpsel reads a scalar after writing over it", check_vcmpsel_in_place,
     .calls.vcmpsel = vcmpsel_rereads},
    {"vcmpsel flushes what it selects", check_vcmpsel_values, .calls.vcmpsel = vcmpsel_flushes},
    {"vcmpsel leaves out the last lane of a long result", check_vcmpsel_long,
     .calls.vcmpsel = vcmpsel_last_lane},
    {"pset takes H for no lane", check_preg_patterns, .calls.pset = pset_lowest},
    {"pset writes with an error", check_preg_status, .calls.pset = pset_writes},
    {"plt does not count down at b16", check_preg_plt, .calls.plt = plt_keeps},
    {"pnot ignores the governing register", check_preg_logic, .calls.pnot = pnot_ungoverned},
    {"punpack always takes the lower half", check_preg_lanes, .calls.punpack = punpack_lower},
    {"pintlv is wrong at b32", check_preg_lanes, .calls.pintlv = pintlv_as_bytes},
    {"pdintlv swaps its results", check_preg_lanes, .calls.pdintlv = pdintlv_swapped},
    {"setp looks at the kind of a NULL mask", check_absent_masks, .calls.setp = setp_checks_absent},
    {"pintlv takes lo and hi that overlap in part", check_result_overlaps, .calls.pintlv = pintlv_by_address},
    {"mask_count writes into the mask", check_result_overlaps, .calls.mask_count = count_anywhere},
    {"setcc reads a bit that is no flag", check_setcc_flags, .calls.setcc = setcc_reads_junk},
    {"setcc writes with an error", check_setcc_status, .calls.setcc = setcc_writes_on_error},
    {"flags_cmp leaves out OF for one pair of bytes", check_setcc_bytes, .calls.flags_cmp = flags_one_pair},
    {"flags_cmp leaves out AF", check_setcc_wide, .calls.flags_cmp = flags_no_adjust},
    {"flags_test takes PF from all bits", check_setcc_lengths, .calls.flags_test = flags_wide_parity},
    {"flags_ucomi sets only PF on a NaN", check_setcc_wide, .calls.flags_ucomi = ucomi_ordered},
    {"cmp_setcc takes below for C's <", check_setcc_wide, .calls.cmp_setcc = cmp_setcc_ordered},
    {"cmp_setcc writes 0xff once", check_setcc_lengths, .calls.cmp_setcc = cmp_setcc_ff},
    {"flags_ucomi leaves a sticky flag", check_ptx_fpstate, .calls.flags_ucomi = flags_leave_sticky},
    {"parse_setcc refuses mixed case", check_setcc_mnemonics, .calls.parse_setcc = parse_setcc_lower},
    {"parse_setp wants the type last", check_text_legal, .calls.parse_setp = parse_in_order},
    {"parse_set names the operator before the type", check_text_legality, .calls.parse_set = parse_op_first},
    {"parse_setp takes .ftz on bf16x2", check_text_legality, .calls.parse_setp = parse_bf16_ftz},
    {"parse_set takes a BoolOp with u16x2", check_text_legality, .calls.parse_set = parse_packed_boolop},
    {"parse_set refuses .pred after s8x4", check_text_legal, .calls.parse_set = parse_pred_first},
    {"parse_setp takes a word twice", check_text_malformed, .calls.parse_setp = parse_twice},
    {"parse_dtype takes a word and the beginning of another", check_text_words,
     .calls.parse_dtype = parse_dtype_cut},
    {"parse_set reads past the end of the text", check_text_mutations, .calls.parse_set = parse_reads_behind},
    {"format_set writes into a buffer that is too small", check_text_format,
     .calls.format_set = format_short},
    {"format_set takes !c with u16x2, which has no c", check_text_format,
     .calls.format_set = format_packed_not_c},
};
const struct planted_list planted_ptx = {faults, sizeof faults / sizeof faults[0]};
