/* SPDX-License-Identifier: MIT */
#include "pto/compare.h"

#include "calls/comparison.h"
#include "core/block.h"
#include "core/check.h"
#include "dispatch/dispatch.h"
#include "ptx/setp_forms.h"

/*
 * setp and set: a comparison whose truth meets a predicate c. The elements of a word of several, as the halves
 * of the x2 types, are compared as lanes of their own: the truth of pair i lies in bits 2i and 2i + 1.
 */
struct predicated {
    struct comparison compare;
    const struct pto_kernels *k;
    pto_mask c; /* its data is NULL without a BoolOp */
    enum logic logic;
    u64 c_flip; /* all ones for !c */
    u8 per;     /* elements in a lane: 2 in the pairs */
};

static enum logic boolop_logic(pto_boolop boolop) {
    return boolop == PTO_OR ? LOGIC_OR : boolop == PTO_XOR ? LOGIC_XOR : LOGIC_AND;
}

/* Checks what pto_setp_legal does, and c. type: what the instruction compares, NULL for what it does not. */
static pto_status predicated_make(struct predicated *s, const struct dtype_info *type, pto_setp_op op,
                                  pto_mask c) {
    struct lowering l;
    pto_status status;
    if (type == NULL) return PTO_ERR_TYPE;
    status = lower(type, op.cmp, op.ftz, &l);
    if (status != PTO_OK) return status;
    if ((unsigned)op.boolop > PTO_XOR) return PTO_ERR_MODIFIER;
    if (op.boolop == PTO_BOOL_NONE && (op.not_c || c.data != NULL)) return PTO_ERR_MODIFIER;
    if (op.boolop != PTO_BOOL_NONE && !mask_fits(c.kind, pto_dtype_bits(op.type))) return PTO_ERR_MASK;
    s->k = pto_active_kernels();
    s->compare = bind(&l, s->k, false, AS_BITS);
    s->c = c;
    s->logic = boolop_logic(op.boolop);
    s->c_flip = op.not_c ? ~(u64)0 : 0;
    s->per = (u8)(pto_dtype_bits(op.type) / type->bits);
    return PTO_OK;
}

/* Truth of a block's lanes, of each element if they have several. */
static void truth(const struct predicated *s, const void *a, const void *b, size_t i, void *bits,
                  size_t lanes) {
    comparison_run(&s->compare, a, b, i * s->per, bits, lanes * s->per);
}

/* out = (bits ^ flip) BoolOp c; without a BoolOp c is NULL. */
static void combine(const struct predicated *s, const void *bits, u64 flip, const void *c, void *out,
                    size_t lanes) {
    if (c == NULL)
        s->k->logic[LOGIC_AND](bits, bits, NULL, out, lanes, flip, flip);
    else
        s->k->logic[s->logic](bits, c, NULL, out, lanes, flip, s->c_flip);
}

/* One of the two results for a block. */
static void predicate(const struct predicated *s, const void *bits, u64 flip, const void *c, pto_mask dst,
                      size_t i, size_t lanes) {
    u64 buffer[BLOCK_WORDS];
    void *out = block_target(dst, i, buffer);
    combine(s, bits, flip, c, out, lanes);
    block_end(s->k, dst, i, out, lanes);
}

/* The truth of the low halves (first is 0) or the high ones (1) of pairs: every second bit, which is how a B16
 * mask is read. */
static void pick_halves(const struct pto_kernels *k, const u64 *pairs, unsigned first, u64 *bits,
                        size_t lanes) {
    u64 shifted[BLOCK_WORDS];
    for (size_t w = 0; w < block_words(2 * lanes); ++w) shifted[w] = pairs[w] >> first;
    k->mask_load[PTO_MASK_B16](shifted, bits, lanes);
}

static void setp_blocks(const struct predicated *s, const void *a, const void *b, pto_mask p, pto_mask q,
                        size_t n) {
    const bool pairs = s->per == 2;
    const size_t step = BLOCK_LANES / s->per;
    const u64 flip_q = pairs ? 0 : ~(u64)0;
    u64 t[BLOCK_WORDS], low[BLOCK_WORDS], high[BLOCK_WORDS], c_buffer[BLOCK_WORDS];
    for (size_t i = 0; i < n; i += step) {
        const size_t lanes = min_size(n - i, step);
        const void *c = s->c.data != NULL ? block_bits(s->k, s->c, i, c_buffer, lanes) : NULL;
        const u64 *for_p = t, *for_q = t;
        block_begin(t, lanes * s->per);
        truth(s, a, b, i, t, lanes);
        if (pairs) {
            pick_halves(s->k, t, 0, low, lanes);
            pick_halves(s->k, t, 1, high, lanes);
            for_p = low;
            for_q = high;
        }
        /* either may be written over c, which both read: that one last */
        if (q.data != NULL && q.data != s->c.data) predicate(s, for_q, flip_q, c, q, i, lanes);
        predicate(s, for_p, 0, c, p, i, lanes);
        if (q.data != NULL && q.data == s->c.data) predicate(s, for_q, flip_q, c, q, i, lanes);
    }
}

static bool setp_fits(struct operand dst, const void *a, const void *b, pto_mask c, size_t bits, size_t n) {
    const struct operand sources[] = {operand_array(a, bits, n), operand_array(b, bits, n),
                                      operand_mask(c, n)};
    return dst_fits(dst, sources, 3);
}

pto_status pto_setp(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p, pto_mask q,
                    size_t n) {
    size_t bits = pto_dtype_bits(op.type);
    struct predicated s;
    pto_status status;
    fp_state saved;

    if (n != 0 && (a == NULL || b == NULL || p.data == NULL)) return PTO_ERR_NULL;
    if (n != 0 && op.boolop != PTO_BOOL_NONE && c.data == NULL) return PTO_ERR_NULL;
    status = predicated_make(&s, pto_setp_type(op.type), op, c);
    if (status != PTO_OK) return status;
    if (!mask_fits(p.kind, bits) || (q.data != NULL && !mask_fits(q.kind, bits))) return PTO_ERR_MASK;
    if (nothing_to_do(n)) return nothing_status(n);
    if (!setp_fits(operand_mask(p, n), a, b, c, bits, n)) return PTO_ERR_OVERLAP;
    if (q.data != NULL && (!setp_fits(operand_mask(q, n), a, b, c, bits, n) ||
                           !disjoint(operand_mask(p, n), operand_mask(q, n))))
        return PTO_ERR_OVERLAP;

    saved = compare_enter(s.compare.entry);
    setp_blocks(&s, a, b, p, q, n);
    compare_leave(s.compare.entry, saved);
    return PTO_OK;
}

enum { SET_LANES = 512 }; /* the constants that a block selects from stay in the first-level cache */

/* c[i] stands for both halves of pair i. */
static void double_bits(const struct pto_kernels *k, const void *c, u64 *both, size_t lanes) {
    block_begin(both, 2 * lanes);
    k->mask_store[PTO_MASK_B16](c, both, lanes);
    for (size_t w = 0; w < block_words(2 * lanes); ++w) both[w] |= both[w] << 1;
}

/* width: of an element of dst */
static void set_blocks(const struct predicated *s, const void *a, const void *b, u32 true_bits,
                       unsigned width, void *dst, size_t n) {
    static const u32 zeros[SET_LANES];
    u32 ones[SET_LANES];
    u64 t[BLOCK_WORDS], c_buffer[BLOCK_WORDS], c_both[BLOCK_WORDS];
    const size_t per = s->per, step = SET_LANES / per;
    s->k->fill[width_index(width)](&true_bits, ones, SET_LANES);
    for (size_t i = 0; i < n; i += step) {
        const size_t lanes = min_size(n - i, step);
        const void *c = NULL;
        truth(s, a, b, i, t, lanes);
        if (s->c.data != NULL) {
            c = block_bits(s->k, s->c, i, c_buffer, lanes);
            if (per == 2) {
                double_bits(s->k, c, c_both, lanes);
                c = c_both;
            }
            combine(s, t, 0, c, t, lanes * per);
        }
        s->k->select[AS_BITS][width_index(width)](ones, zeros, t, (u8 *)dst + i * per * (width / 8),
                                                  lanes * per);
    }
}

pto_status pto_set(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n) {
    const pto_setp_op compare = {op.stype, op.cmp, op.boolop, op.not_c, op.ftz};
    size_t sbits = pto_dtype_bits(op.stype), dbits = pto_dtype_bits(op.dtype);
    struct predicated s;
    struct operand d;
    pto_status status;
    fp_state saved;

    if (n != 0 && (a == NULL || b == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (n != 0 && op.boolop != PTO_BOOL_NONE && c.data == NULL) return PTO_ERR_NULL;
    status = pto_set_legal(op);
    if (status == PTO_OK) status = predicated_make(&s, pto_set_type(op.stype), compare, c);
    if (status != PTO_OK) return status;
    if (nothing_to_do(n)) return nothing_status(n);
    d = operand_array(dst, dbits, n);
    if (!setp_fits(d, a, b, c, sbits, n)) return PTO_ERR_OVERLAP;

    saved = compare_enter(s.compare.entry);
    set_blocks(&s, a, b, pto_set_true(op.dtype, op.stype), (unsigned)dbits / s.per, dst, n);
    compare_leave(s.compare.entry, saved);
    return PTO_OK;
}
