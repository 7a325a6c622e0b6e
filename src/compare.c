/* SPDX-License-Identifier: MIT */
#include "pto/compare.h"

#include "block.h"
#include "check.h"
#include "dispatch.h"
#include "dtype.h"
#include "fpenv.h"

/* How an operator is made: a basis relation, perhaps complemented. */
struct lowering {
    u8 legal, basis, complement;
};

enum { CMPS = PTO_NAN + 1 };

/* Integers are never unordered, so LE is the complement of GT and so on. */
static const struct lowering integer_ops[CMPS] = {
    [PTO_EQ] = {1, BASIS_EQ, 0}, [PTO_NE] = {1, BASIS_EQ, 1}, [PTO_LT] = {1, BASIS_LT, 0},
    [PTO_LE] = {1, BASIS_GT, 1}, [PTO_GT] = {1, BASIS_GT, 0}, [PTO_GE] = {1, BASIS_LT, 1},
    [PTO_LO] = {1, BASIS_LT, 0}, [PTO_LS] = {1, BASIS_GT, 1}, [PTO_HI] = {1, BASIS_GT, 0},
    [PTO_HS] = {1, BASIS_LT, 1},
};

/* A complement turns false on NaN into true on NaN: LTU is "not GE". NE is ordered: less or greater. */
static const struct lowering float_ops[CMPS] = {
    [PTO_EQ] = {1, BASIS_EQ, 0},   [PTO_NE] = {1, BASIS_LG, 0},   [PTO_LT] = {1, BASIS_LT, 0},
    [PTO_LE] = {1, BASIS_LE, 0},   [PTO_GT] = {1, BASIS_GT, 0},   [PTO_GE] = {1, BASIS_GE, 0},
    [PTO_EQU] = {1, BASIS_LG, 1},  [PTO_NEU] = {1, BASIS_EQ, 1},  [PTO_LTU] = {1, BASIS_GE, 1},
    [PTO_LEU] = {1, BASIS_GT, 1},  [PTO_GTU] = {1, BASIS_LE, 1},  [PTO_GEU] = {1, BASIS_LT, 1},
    [PTO_NUM] = {1, BASIS_ORD, 0}, [PTO_NAN] = {1, BASIS_ORD, 1},
};

static const struct lowering *lower(const struct dtype_info *type, pto_cmp op) {
    const struct lowering *l;
    if ((unsigned)op >= CMPS) return NULL;
    if (type->class == CLASS_BITS && op != PTO_EQ && op != PTO_NE) return NULL;
    if (type->class == CLASS_SIGNED && op >= PTO_LO && op <= PTO_HS) return NULL;
    l = type->class == CLASS_FLOAT ? &float_ops[op] : &integer_ops[op];
    return l->legal ? l : NULL;
}

/* What a plan keeps between calls. */
struct compare_plan {
    compare_fn *compare;
    mask_fn *load_seed, *load_old, *store;
    u64 flip;
    u8 element_bytes;           /* of a and b */
    u8 seed_bits, dst_bits;     /* per lane */
    u8 scalar, swap, merge, fp; /* b is one element; compare(b, a); keep off lanes; enum fp_need */
    u8 packed;                  /* dst takes the kernel's bits as they are */
};

_Static_assert(sizeof(struct compare_plan) <= sizeof((pto_plan){0}).priv, "a compare plan must fit pto_plan");

static void block_logic(u64 *bits, const u64 *seed, const u64 *old, size_t words, bool merge) {
    for (size_t w = 0; w < words; ++w) bits[w] = (bits[w] & seed[w]) | (merge ? old[w] & ~seed[w] : 0);
}

/* Block by block: compare, then seed and merge as word logic, then store as the caller's kind. */
static void compare_blocks(const struct compare_plan *p, const u8 *a, const u8 *b, const u8 *m, u8 *dst,
                           size_t n) {
    u64 bits[BLOCK_WORDS], seed[BLOCK_WORDS], old[BLOCK_WORDS];
    size_t b_step = p->scalar ? 0 : p->element_bytes;
    u8 scalar[8];
    if (p->scalar) b = memcpy(scalar, b, p->element_bytes); /* dst may begin where it lies */
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        size_t lanes = min_size(n - i, BLOCK_LANES);
        const u8 *x = a + i * p->element_bytes, *y = b + i * b_step;
        block_begin(bits, lanes);
        p->compare(p->swap ? y : x, p->swap ? x : y, bits, lanes, p->flip);
        if (m != NULL) {
            block_load(p->load_seed, m + block_bytes(i, p->seed_bits), seed, lanes);
            if (p->merge) block_load(p->load_old, dst + block_bytes(i, p->dst_bits), old, lanes);
            block_logic(bits, seed, old, block_words(lanes), p->merge);
        }
        p->store(bits, dst + block_bytes(i, p->dst_bits), lanes);
    }
}

static void compare_any(const struct compare_plan *p, const void *a, const void *b, const void *m, void *dst,
                        size_t n) {
    if (m == NULL && p->packed)
        p->compare(p->swap ? b : a, p->swap ? a : b, dst, n, p->flip);
    else
        compare_blocks(p, a, b, m, dst, n);
}

static void compare_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst,
                        size_t n) {
    struct compare_plan p;
    memcpy(&p, plan->priv, sizeof p);
    if (n == 0) return;
    if (p.fp == FP_ANY) {
        compare_any(&p, a, b, m, dst, n);
    } else {
        fp_state saved = fp_enter((enum fp_need)p.fp);
        compare_any(&p, a, b, m, dst, n);
        fp_leave(saved);
    }
}

static pto_status compare_plan(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                               pto_mask_kind dst, bool scalar) {
    const struct dtype_info *type = pto_one_lane(t);
    const struct pto_kernels *k = pto_active_kernels();
    const struct lowering *l;
    const struct compare_entry *entry;
    struct compare_plan p;
    unsigned basis;

    if (type == NULL) return PTO_ERR_TYPE;
    l = lower(type, op);
    if (l == NULL) return PTO_ERR_OP;
    if (flags & ~(unsigned)(PTO_FTZ | PTO_MERGE)) return PTO_ERR_MODIFIER;
    if ((flags & PTO_FTZ) && type->lane_ftz == LANE_NONE) return PTO_ERR_MODIFIER;
    if (!mask_fits(dst, type->bits) || !mask_fits(seed, type->bits)) return PTO_ERR_MASK;

    entry = &k->compare[flags & PTO_FTZ ? type->lane_ftz : type->lane];
    basis = l->basis;
    p.swap = !scalar && (basis == BASIS_GT || basis == BASIS_GE);
    if (p.swap) basis = basis == BASIS_GT ? BASIS_LT : BASIS_LE;
    p.compare = scalar ? entry->kernels->vs[basis] : entry->kernels->vv[basis];
    p.load_seed = k->mask_load[seed];
    p.load_old = k->mask_load[dst];
    p.store = k->mask_store[dst];
    p.flip = l->complement ? ~(u64)0 : 0;
    p.element_bytes = type->bits / 8;
    p.seed_bits = (u8)mask_lane_bits(seed);
    p.dst_bits = (u8)mask_lane_bits(dst);
    p.scalar = scalar;
    p.merge = (flags & PTO_MERGE) != 0;
    p.fp = (u8)entry->fp;
    p.packed = p.dst_bits == 1;
    plan->run = compare_run;
    memcpy(plan->priv, &p, sizeof p);
    return PTO_OK;
}

static pto_status compare_checked(pto_dtype t, pto_cmp op, unsigned flags, const void *a, const void *b,
                                  pto_mask seed, pto_mask dst, size_t n, bool scalar) {
    pto_plan plan;
    pto_status status;
    struct operand d, x, y;

    if (n != 0 && (a == NULL || b == NULL || dst.data == NULL)) return PTO_ERR_NULL;
    status =
        compare_plan(&plan, t, op, flags, seed.data != NULL ? seed.kind : PTO_MASK_PACKED, dst.kind, scalar);
    if (status != PTO_OK || n == 0) return status;
    d = operand_mask(dst, n);
    x = operand_array(a, pto_dtype_bits(t), n);
    y = operand_array(b, pto_dtype_bits(t), scalar ? 1 : n);
    if (!apart(d, x) || !apart(d, y) || !apart(d, operand_mask(seed, n))) return PTO_ERR_OVERLAP;
    compare_run(&plan, a, b, seed.data, dst.data, n);
    return PTO_OK;
}

pto_status pto_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                    pto_mask seed, pto_mask dst, size_t n) {
    return compare_checked(t, op, flags, src0, src1, seed, dst, n, false);
}

pto_status pto_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                     pto_mask seed, pto_mask dst, size_t n) {
    return compare_checked(t, op, flags, src, scalar, seed, dst, n, true);
}

pto_status pto_plan_vcmp(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                         pto_mask_kind dst) {
    return plan == NULL ? PTO_ERR_NULL : compare_plan(plan, t, op, flags, seed, dst, false);
}

pto_status pto_plan_vcmps(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                          pto_mask_kind dst) {
    return plan == NULL ? PTO_ERR_NULL : compare_plan(plan, t, op, flags, seed, dst, true);
}
