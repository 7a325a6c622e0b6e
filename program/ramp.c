/* SPDX-License-Identifier: MIT */
/* Computes steps on ramps: the integer arithmetic of indices and addresses, and comparisons of bounds. */
#include "ramp.h"

#include "steps.h"

#include <string.h>

uint64_t pto_ramp_at(const struct ramp *r, const struct group *g, size_t lane) {
    return r->first + lane % g->threads * r->per_thread + lane / g->threads * r->per_block;
}

/* Returns the low `bits` bits of a value, extended with the sign bit if `is_signed` is set, otherwise with
 * zeros. */
static int64_t extended(uint64_t value, unsigned bits, bool is_signed) {
    const unsigned above = 64 - bits;
    uint64_t low = value << above >> above;
    if (is_signed && bits < 64 && low >> (bits - 1) != 0) low |= ~(uint64_t)0 << bits;
    return (int64_t)low;
}

/* Adds count * step to *least if the step is negative, otherwise to *greatest. Returns false on overflow. */
static bool widen_range(int64_t step, size_t count, int64_t *least, int64_t *greatest) {
    int64_t *end = step < 0 ? least : greatest, distance;
    return !__builtin_mul_overflow(step, (int64_t)count, &distance) &&
           !__builtin_add_overflow(*end, distance, end);
}

bool pto_ramp_range(const struct ramp *r, const struct group *g, unsigned bits, bool is_signed,
                    int64_t *least, int64_t *greatest) {
    const int64_t highest =
        bits == 64 ? INT64_MAX : (int64_t)(((uint64_t)1 << (is_signed ? bits - 1 : bits)) - 1);
    const int64_t lowest = !is_signed ? 0 : -highest - 1;
    *least = *greatest = extended(r->first, bits, is_signed);
    if (!widen_range(extended(r->per_thread, bits, true), g->threads - 1, least, greatest)) return false;
    if (!widen_range(extended(r->per_block, bits, true), g->blocks - 1, least, greatest)) return false;
    return *least >= lowest && *greatest <= highest;
}

static inline void fill(const struct ramp *r, const struct group *g, size_t bytes, unsigned char *to) {
    for (size_t b = 0; b < g->blocks; b++) {
        uint64_t value = r->first + b * r->per_block;
        for (size_t t = 0; t < g->threads; t++, to += bytes, value += r->per_thread)
            memcpy(to, &value, bytes);
    }
}

void pto_ramp_fill(const struct ramp *r, const struct group *g, size_t bytes, void *to) {
    switch (bytes) { /* with a constant size, memcpy() becomes one store */
    case 1: fill(r, g, 1, to); break;
    case 2: fill(r, g, 2, to); break;
    case 4: fill(r, g, 4, to); break;
    default: fill(r, g, 8, to); break;
    }
}

/* ---- arithmetic ---- */

static struct ramp sum(const struct ramp *a, const struct ramp *b) {
    return (struct ramp){a->first + b->first, a->per_thread + b->per_thread, a->per_block + b->per_block};
}

static struct ramp scaled(const struct ramp *a, uint64_t factor) {
    return (struct ramp){a->first * factor, a->per_thread * factor, a->per_block * factor};
}

/* Sets *product to a times b. Returns false unless one factor is the same in all lanes. */
static bool multiply(const struct ramp *a, const struct ramp *b, struct ramp *product) {
    if (pto_ramp_is_uniform(b))
        *product = scaled(a, b->first);
    else if (pto_ramp_is_uniform(a))
        *product = scaled(b, a->first);
    else
        return false;
    return true;
}

/* Sets *wide to the ramp of the values of r, extended to 64 bits. Returns false if a value of r wraps
 * around. */
static bool extend_ramp(const struct ramp *r, const struct group *g, unsigned bits, bool is_signed,
                        struct ramp *wide) {
    int64_t least, greatest;
    if (!pto_ramp_range(r, g, bits, is_signed, &least, &greatest)) return false;
    *wide = (struct ramp){(uint64_t)extended(r->first, bits, is_signed),
                          (uint64_t)extended(r->per_thread, bits, true),
                          (uint64_t)extended(r->per_block, bits, true)};
    return true;
}

static bool multiply_wide(const struct integer_parameters *p, const struct ramp *a, const struct ramp *b,
                          const struct group *g, struct ramp *product) {
    struct ramp x, y;
    return extend_ramp(a, g, p->bits, p->is_signed, &x) && extend_ramp(b, g, p->bits, p->is_signed, &y) &&
           multiply(&x, &y, product);
}

/* Computes mad.lo, mul.wide and mad.wide. Returns false for other operations of integers.c. */
static bool multiply_and_add(const struct integer_parameters *p, const struct ramp *const src[STEP_SOURCES],
                             const struct group *g, struct ramp *d) {
    struct ramp product;
    const bool is_wide = p->op == INTEGER_MUL_WIDE || p->op == INTEGER_MAD_WIDE;
    if (!is_wide && p->op != INTEGER_MAD_LO) return false;
    if (!(is_wide ? multiply_wide(p, src[0], src[1], g, &product) : multiply(src[0], src[1], &product)))
        return false;
    *d = src[2] ? sum(&product, src[2]) : product;
    return true;
}

static bool shift_left(const struct ramp *a, const struct ramp *count, unsigned bits, struct ramp *d) {
    const uint32_t by = (uint32_t)count->first;
    if (!pto_ramp_is_uniform(count) || by >= bits) return false;
    *d = scaled(a, (uint64_t)1 << by);
    return true;
}

/* ---- bits ---- */

/* Returns whether all values are multiples of 2^k. */
static bool are_multiples(const struct ramp *r, unsigned k) {
    const uint64_t low = ((uint64_t)1 << k) - 1;
    return ((r->first | r->per_thread | r->per_block) & low) == 0;
}

/* Returns whether all values are less than 2^k, which is at most 2^bits. */
static bool are_below(const struct ramp *r, const struct group *g, unsigned bits, unsigned k) {
    int64_t least, greatest;
    return pto_ramp_range(r, g, bits, false, &least, &greatest) && greatest >> k == 0;
}

/* Computes x & mask, if the mask is 2^k - 1: the sum of the low k bits of the members of x, if this sum is
 * below 2^k in all lanes. Returns false otherwise. */
static bool low_bits(const struct ramp *x, const struct ramp *mask, const struct group *g, unsigned bits,
                     struct ramp *d) {
    const uint64_t low = (uint64_t)extended(mask->first, bits, false);
    unsigned k = 0;
    if (!pto_ramp_is_uniform(mask) || (low & (low + 1)) != 0 || low >= INT64_MAX) return false;
    while (low >> k != 0) k++;
    *d = (struct ramp){x->first & low, x->per_thread & low, x->per_block & low};
    return are_below(d, g, bits, k);
}

/* Computes x | y and x ^ y, which are x + y if no bit is set in both. Returns false unless a k shows that:
 * one operand has only multiples of 2^k, and the other is below 2^k. */
static bool join_bits(const struct ramp *x, const struct ramp *y, const struct group *g, unsigned bits,
                      struct ramp *d) {
    *d = sum(x, y);
    for (unsigned k = 0; k < bits && k < 63; k++)
        if ((are_multiples(x, k) && are_below(y, g, bits, k)) ||
            (are_multiples(y, k) && are_below(x, g, bits, k)))
            return true;
    return false;
}

/* ---- conversions and comparisons ---- */

static bool convert(const struct cvt_parameters *c, const struct ramp *a, const struct group *g,
                    struct ramp *d) {
    const unsigned bits = (unsigned)pto_dtype_bits(c->op.src);
    const bool is_signed = pto_dtype_class(c->op.src) == PTO_CLASS_SIGNED;
    if (!pto_is_integer(c->op.src) || !pto_is_integer(c->op.dst) || c->op.sat || c->elements_per_lane != 1)
        return false;
    if (c->dst_bits <= bits &&
        pto_dtype_bits(c->op.dst) == c->dst_bits) { /* the low bits of a sum do not depend on higher bits */
        *d = *a;
        return true;
    }
    return pto_dtype_bits(c->op.dst) == c->dst_bits && extend_ramp(a, g, bits, is_signed, d);
}

/* Compares each value from a_least to a_greatest with each value from b_least to b_greatest. Returns 1 if the
 * relation holds for all pairs, 0 if it holds for no pair, otherwise -1. */
static int compare_ranges(pto_cmp relation, int64_t a_least, int64_t a_greatest, int64_t b_least,
                          int64_t b_greatest) {
    const bool less = a_greatest < b_least, not_less = a_least >= b_greatest;
    const bool greater = a_least > b_greatest, not_greater = a_greatest <= b_least;
    const bool equal = not_less && not_greater, not_equal = less || greater;
    switch (relation) {
    case PTO_LT:
    case PTO_LO: return less ? 1 : not_less ? 0 : -1;
    case PTO_GE:
    case PTO_HS: return not_less ? 1 : less ? 0 : -1;
    case PTO_GT:
    case PTO_HI: return greater ? 1 : not_greater ? 0 : -1;
    case PTO_LE:
    case PTO_LS: return not_greater ? 1 : greater ? 0 : -1;
    case PTO_EQ: return equal ? 1 : not_equal ? 0 : -1;
    case PTO_NE: return not_equal ? 1 : equal ? 0 : -1;
    default: return -1;
    }
}

static bool compare(const pto_setp_op *op, const struct ramp *a, const struct ramp *b, const struct group *g,
                    struct ramp dst[2]) {
    const unsigned bits = (unsigned)pto_dtype_bits(op->type);
    const bool is_signed = pto_dtype_class(op->type) == PTO_CLASS_SIGNED && op->cmp != PTO_LO &&
                           op->cmp != PTO_LS && op->cmp != PTO_HI && op->cmp != PTO_HS;
    int64_t least[2], greatest[2];
    int result;
    if (op->boolop != PTO_BOOL_NONE || pto_dtype_class(op->type) == PTO_CLASS_FLOAT) return false;
    if (!pto_ramp_range(a, g, bits, is_signed, &least[0], &greatest[0])) return false;
    if (!pto_ramp_range(b, g, bits, is_signed, &least[1], &greatest[1])) return false;
    result = compare_ranges(op->cmp, least[0], greatest[0], least[1], greatest[1]);
    dst[0] = pto_ramp_uniform(result == 1);
    dst[1] = pto_ramp_uniform(result == 0);
    return result >= 0;
}

/* ---- steps ---- */

static bool integer_step(const struct step *s, const struct ramp *const src[STEP_SOURCES],
                         const struct group *g, struct ramp *d) {
    const unsigned bits = (unsigned)pto_dtype_bits(s->parameters.typed.type);
    const struct ramp *a = src[0], *b = src[1];
    if (s->run == pto_step_add) {
        *d = sum(a, b);
        return true;
    }
    if (s->run == pto_step_sub) {
        const struct ramp negative = scaled(b, UINT64_MAX);
        *d = sum(a, &negative);
        return true;
    }
    if (s->run == pto_step_mul) return multiply(a, b, d);
    if (s->run == pto_step_shl) return shift_left(a, b, bits, d);
    if (s->run == pto_step_and) return low_bits(a, b, g, bits, d) || low_bits(b, a, g, bits, d);
    if (s->run == pto_step_or || s->run == pto_step_xor) return join_bits(a, b, g, bits, d);
    return false;
}

static bool is_one_integer(const struct typed_parameters *t) {
    return pto_dtype_class(t->type) != PTO_CLASS_FLOAT && t->elements_per_lane == 1;
}

bool pto_ramp_step(const struct step *s, const struct ramp *const src[STEP_SOURCES], const struct group *g,
                   struct ramp dst[STEP_RESULTS]) {
    if (s->run == pto_step_setp) return compare(&s->parameters.setp, src[0], src[1], g, dst);
    if (s->run == pto_step_cvt) return convert(&s->parameters.cvt, src[0], g, dst);
    if (s->run == pto_step_mov || s->run == pto_step_selp) {
        dst[0] = s->run == pto_step_mov || (src[2]->first & 1) != 0 ? *src[0] : *src[1];
        return true;
    }
    if (s->run == pto_step_integer) return multiply_and_add(&s->parameters.integer, src, g, dst);
    return is_one_integer(&s->parameters.typed) && integer_step(s, src, g, dst);
}
