/* SPDX-License-Identifier: MIT */
/* pto_setp(), pto_set() and their plans. */
#include "pto/compare.h"

#include "calls/comparison.h"
#include "calls/plan.h"
#include "core/block.h"
#include "core/check.h"
#include "dispatch/dispatch.h"
#include "ptx/setp_forms.h"

/*
 * A setp or set: a comparison whose result is combined with a predicate c. The elements of pairs and packed types are
 * compared as separate lanes: the results of pair i are bits 2i and 2i + 1.
 */
struct bound_setp {
    struct comparison compare;
    const struct pto_kernels *k;
    u8 logic; /* enum logic */
    bool not_c;
    u8 elements_per_lane; /* 1; 2 for pairs; 2 or 4 for packed types */
    u8 c;                 /* mask kind of c; p and q below are mask kinds, too */
    union {
        struct {
            u8 p, q;
        } setp;
        struct {
            u8 dtype, stype;
        } set;
    } as;
};

_Static_assert(sizeof(struct bound_setp) <= PLAN_BYTES, "a plan of setp or set must fit pto_plan");

static enum logic boolop_logic(pto_boolop boolop) {
    return boolop == PTO_OR ? LOGIC_OR : boolop == PTO_XOR ? LOGIC_XOR : LOGIC_AND;
}

/* Checks op like pto_setp_legal(), and also checks c, and fills *s. For a plan, only the kind of c is known, and c.data
 * is NULL. `type` is the type that the instruction compares, or NULL if it does not take op.type. */
static pto_status bound_setp_make(struct bound_setp *s, const struct dtype_info *type, pto_setp_op op,
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
    s->compare = bind(&l, s->k, false, MASK_AS_BITS);
    s->logic = (u8)boolop_logic(op.boolop);
    s->not_c = op.not_c;
    s->elements_per_lane = (u8)(pto_dtype_bits(op.type) / type->bits);
    s->c = (u8)c.kind;
    return PTO_OK;
}

/* Compares the lanes of a block. Writes a bit for each element to `bits`. */
static void compare_block(const struct bound_setp *s, const void *a, const void *b, size_t i, void *bits,
                          size_t lanes) {
    comparison_run(&s->compare, a, b, i * s->elements_per_lane, bits, lanes * s->elements_per_lane);
}

/* Sets `out` to (bits ^ flip) BoolOp c, where c is complemented first if not_c is set. Without a BoolOp c is NULL, and
 * `out` is set to bits ^ flip. */
static void apply_boolop(const struct bound_setp *s, const void *bits, u64 flip, const void *c, void *out,
                         size_t lanes) {
    if (c == NULL)
        s->k->logic[LOGIC_AND](bits, bits, NULL, out, lanes, flip, flip);
    else
        s->k->logic[s->logic](bits, c, NULL, out, lanes, flip, s->not_c ? ~(u64)0 : 0);
}

/* Writes one of the two results of setp for a block. */
static void write_predicate(const struct bound_setp *s, const void *bits, u64 flip, const void *c,
                            pto_mask dst, size_t i, size_t lanes) {
    u64 buffer[BLOCK_WORDS];
    void *out = block_target(dst, i, buffer);
    apply_boolop(s, bits, flip, c, out, lanes);
    block_end(s->k, dst, i, out, lanes);
}

/* Extracts the results of the low halves (`first` is 0) or of the high halves (1) of pairs. These are every second bit,
 * as in a B16 mask. */
static void extract_halves(const struct pto_kernels *k, const u64 *pairs, unsigned first, u64 *bits,
                           size_t lanes) {
    u64 shifted[BLOCK_WORDS];
    for (size_t w = 0; w < block_words(2 * lanes); ++w) shifted[w] = pairs[w] >> first;
    k->mask_load[PTO_MASK_B16](shifted, bits, lanes);
}

/* Runs a setp. c.data is NULL if there is no BoolOp, and q.data is NULL if q is not computed. */
static void setp_blocks(const struct bound_setp *s, const void *a, const void *b, pto_mask c, pto_mask p,
                        pto_mask q, size_t n) {
    const bool pairs = s->elements_per_lane == 2;
    const size_t step = BLOCK_LANES / s->elements_per_lane;
    const u64 flip_q = pairs ? 0 : ~(u64)0;
    u64 t[BLOCK_WORDS], low[BLOCK_WORDS], high[BLOCK_WORDS], c_buffer[BLOCK_WORDS];
    const fp_state saved = compare_enter(s->compare.entry);
    for (size_t i = 0; i < n; i += step) {
        const size_t lanes = min_size(n - i, step);
        const void *on = c.data != NULL ? block_bits(s->k, c, i, c_buffer, lanes) : NULL;
        const u64 *for_p = t, *for_q = t;
        block_begin(t, lanes * s->elements_per_lane);
        compare_block(s, a, b, i, t, lanes);
        if (pairs) {
            extract_halves(s->k, t, 0, low, lanes);
            extract_halves(s->k, t, 1, high, lanes);
            for_p = low;
            for_q = high;
        }
        /* Either p or q may be in place of c. Both are computed from c, so the one in place of c is written last. */
        if (q.data != NULL && q.data != c.data) write_predicate(s, for_q, flip_q, on, q, i, lanes);
        write_predicate(s, for_p, 0, on, p, i, lanes);
        if (q.data != NULL && q.data == c.data) write_predicate(s, for_q, flip_q, on, q, i, lanes);
    }
    compare_leave(s->compare.entry, saved);
}

static bool setp_fits(struct operand dst, const void *a, const void *b, pto_mask c, size_t bits, size_t n) {
    const struct operand sources[] = {operand_array(a, bits, n), operand_array(b, bits, n),
                                      operand_mask(c, n)};
    return overlaps_allowed(dst, sources, 3);
}

pto_status pto_setp(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p, pto_mask q,
                    size_t n) {
    size_t bits = pto_dtype_bits(op.type);
    struct bound_setp s;
    pto_status status;

    if (n != 0 && (a == NULL || b == NULL || p.data == NULL)) return PTO_ERR_NULL;
    if (n != 0 && op.boolop != PTO_BOOL_NONE && c.data == NULL) return PTO_ERR_NULL;
    status = bound_setp_make(&s, pto_setp_type(op.type), op, c);
    if (status != PTO_OK) return status;
    if (!mask_fits(p.kind, bits) || (q.data != NULL && !mask_fits(q.kind, bits))) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!setp_fits(operand_mask(p, n), a, b, c, bits, n)) return PTO_ERR_OVERLAP;
    if (q.data != NULL && (!setp_fits(operand_mask(q, n), a, b, c, bits, n) ||
                           !disjoint(operand_mask(p, n), operand_mask(q, n))))
        return PTO_ERR_OVERLAP;

    setp_blocks(&s, a, b, c, p, q, n);
    return PTO_OK;
}

static void setp_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct bound_setp s;
    pto_operands o;
    if (n == 0) return;
    o = plan_all_operands(a, b, m, dst);
    memcpy(&s, plan->priv, sizeof s);
    setp_blocks(&s, o.src[0], o.src[1], pto_mask_in(o.src[2], (pto_mask_kind)s.c),
                pto_mask_at(o.dst[0], (pto_mask_kind)s.as.setp.p),
                pto_mask_at(o.dst[1], (pto_mask_kind)s.as.setp.q), n);
}

/* Returns the shapes of the operands that setp and set share: a, b, and c if there is a BoolOp. */
static struct plan_shapes setp_shapes(pto_dtype type, pto_boolop boolop, pto_mask_kind c) {
    const u8 elements = shape_array(pto_dtype_bits(type));
    return (struct plan_shapes){.src = {elements, elements, boolop != PTO_BOOL_NONE ? shape_mask(c) : 0}};
}

pto_status pto_plan_setp(pto_plan *plan, pto_setp_op op, pto_mask_kind c, pto_mask_kind p, pto_mask_kind q) {
    const size_t bits = pto_dtype_bits(op.type);
    struct plan_shapes shapes;
    struct bound_setp s;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = bound_setp_make(&s, pto_setp_type(op.type), op, pto_mask_at(NULL, c));
    if (status != PTO_OK) return status;
    if (!mask_fits(c, bits) || !mask_fits(p, bits) || !mask_fits(q, bits)) return PTO_ERR_MASK;
    s.as.setp.p = (u8)p;
    s.as.setp.q = (u8)q;
    shapes = setp_shapes(op.type, op.boolop, c);
    shapes.dst[0] = shape_mask(p);
    shapes.dst[1] = shape_optional(shape_mask(q));
    plan_make(plan, setp_run, &s, sizeof s, shapes);
    return PTO_OK;
}

enum { SET_LANES = 512 }; /* lanes of a block; the constants that it selects from must stay in the L1 cache */

/* Sets bits 2i and 2i + 1 of `both`, the halves of pair i, to c[i]. */
static void double_bits(const struct pto_kernels *k, const void *c, u64 *both, size_t lanes) {
    block_begin(both, 2 * lanes);
    k->mask_store[PTO_MASK_B16](c, both, lanes);
    for (size_t w = 0; w < block_words(2 * lanes); ++w) both[w] |= both[w] << 1;
}

static void set_blocks(const struct bound_setp *s, const void *a, const void *b, pto_mask c, void *dst,
                       size_t n) {
    static const u32 zeros[SET_LANES];
    const pto_dtype dtype = (pto_dtype)s->as.set.dtype;
    const u32 true_bits = pto_set_true(dtype, (pto_dtype)s->as.set.stype);
    const size_t elements_per_lane = s->elements_per_lane, step = SET_LANES / elements_per_lane,
                 width = pto_dtype_bits(dtype) / elements_per_lane;
    u32 ones[SET_LANES];
    u64 t[BLOCK_WORDS], c_buffer[BLOCK_WORDS], c_both[BLOCK_WORDS];
    const fp_state saved = compare_enter(s->compare.entry);
    s->k->fill[width_index((unsigned)width)](&true_bits, ones, SET_LANES);
    for (size_t i = 0; i < n; i += step) {
        const size_t lanes = min_size(n - i, step);
        compare_block(s, a, b, i, t, lanes);
        if (c.data != NULL) {
            const void *on = block_bits(s->k, c, i, c_buffer, lanes);
            if (elements_per_lane == 2) {
                double_bits(s->k, on, c_both, lanes);
                on = c_both;
            }
            apply_boolop(s, t, 0, on, t, lanes * elements_per_lane);
        }
        s->k->select[MASK_AS_BITS][width_index((unsigned)width)](
            ones, zeros, t, (u8 *)dst + i * elements_per_lane * (width / 8), lanes * elements_per_lane);
    }
    compare_leave(s->compare.entry, saved);
}

/* Checks op like pto_set_legal(), and also checks c, and fills *s. */
static pto_status set_prepare(struct bound_setp *s, pto_set_op op, pto_mask c) {
    pto_status status = pto_set_legal(op);
    if (status == PTO_OK) status = bound_setp_make(s, pto_set_type(op.stype), setp_of_set(op), c);
    if (status != PTO_OK) return status;
    s->as.set.dtype = (u8)op.dtype;
    s->as.set.stype = (u8)op.stype;
    return PTO_OK;
}

pto_status pto_set(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n) {
    size_t sbits = pto_dtype_bits(op.stype), dbits = pto_dtype_bits(op.dtype);
    struct bound_setp s;
    pto_status status;

    if (n != 0 && (a == NULL || b == NULL || dst == NULL)) return PTO_ERR_NULL;
    if (n != 0 && op.boolop != PTO_BOOL_NONE && c.data == NULL) return PTO_ERR_NULL;
    status = set_prepare(&s, op, c);
    if (status != PTO_OK) return status;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!setp_fits(operand_array(dst, dbits, n), a, b, c, sbits, n)) return PTO_ERR_OVERLAP;
    set_blocks(&s, a, b, c, dst, n);
    return PTO_OK;
}

static void set_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct bound_setp s;
    if (n == 0) return;
    memcpy(&s, plan->priv, sizeof s);
    set_blocks(&s, a, b, pto_mask_in(m, (pto_mask_kind)s.c), dst, n);
}

pto_status pto_plan_set(pto_plan *plan, pto_set_op op, pto_mask_kind c) {
    struct plan_shapes shapes;
    struct bound_setp s;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = set_prepare(&s, op, pto_mask_at(NULL, c));
    if (status != PTO_OK) return status;
    if (!mask_fits(c, pto_dtype_bits(op.stype))) return PTO_ERR_MASK;
    shapes = setp_shapes(op.stype, op.boolop, c);
    shapes.dst[0] = shape_array(pto_dtype_bits(op.dtype));
    plan_make(plan, set_run, &s, sizeof s, shapes);
    return PTO_OK;
}
