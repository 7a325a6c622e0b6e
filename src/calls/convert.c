/* SPDX-License-Identifier: MIT */
/* pto_cvt() and its plan. */
#include "pto/convert.h"

#include "calls/kernel_cache.h"
#include "calls/plan.h"
#include "core/check.h"
#include "core/fpenv.h"
#include "core/types.h"
#include "dispatch/dispatch.h"
#include "ptx/cvt_forms.h"

/* The state of a plan. */
struct cvt_plan {
    const struct cvt_kernel *kernel;
    pto_cvt_op op;
    enum fp_requirement fp; /* the FP state in which the kernel must run for op */
};

_Static_assert(sizeof(struct cvt_plan) <= PLAN_BYTES, "a conversion plan must fit pto_plan");

/* The state of a call. Unlike the state of a plan, it points to the op instead of holding a copy. */
struct conversion {
    const struct cvt_kernel *kernel;
    const pto_cvt_op *op;
    enum fp_requirement fp;
};

static size_t bits_of(pto_dtype type) {
    return pto_dtypes[type].bits;
}

/* Returns whether op has a third operand: random bits or scales. */
static bool takes_extra(pto_cvt_op op) {
    return op.round == PTO_RS || op.scale != PTO_SCALE_NONE;
}

/* Returns the size of the third operand for n elements. */
static size_t extra_bytes(pto_cvt_op op, size_t n) {
    return op.round == PTO_RS ? n / cvt_random_group(op.dst) * sizeof(u32) : cvt_scale_bytes(op.scale, n);
}

/* The operands of a conversion. */
struct arrays {
    const u8 *src;
    u8 *dst;
    const u8 *extra;
};

/* Returns the operands from element i on. Element i must not share a byte, a scale or a random word with the element
 * before it. */
static ALWAYS_INLINE struct arrays arrays_from(pto_cvt_op op, struct arrays a, size_t i) {
    return (struct arrays){a.src + i * bits_of(op.src) / 8, a.dst + i * bits_of(op.dst) / 8,
                           takes_extra(op) ? a.extra + extra_bytes(op, i) : NULL};
}

/* Returns the granularity at which the operands can be split: groups of that many elements share no byte, scale or
 * random word. (With PTO_SCALE_N2 it is 2, although each element has its own scale.) */
static size_t lanes_per_unit(pto_cvt_op op) {
    if (op.round == PTO_RS) return cvt_random_group(op.dst);
    return op.scale != PTO_SCALE_NONE || bits_of(op.src) < 8 || bits_of(op.dst) < 8 ? 2 : 1;
}

/* Converts n elements, fewer than the kernel's granule, through stack buffers of one granule. The buffers are padded
 * with zeros and with scales of 1, because kernels may be slow with other values. The high nibble after an odd last
 * e2m1 is cleared, because the scale of its pair may be a NaN, which makes the padding a NaN, too. */
static NOINLINE void convert_padded(const struct cvt_kernel *kernel, const pto_cvt_op *op, const u8 *src,
                                    u8 *dst, const u8 *extra, size_t n) {
    const size_t in = bits_of(op->src), out = bits_of(op->dst);
    u8 from[CVT_MAX_GRANULE * 8], to[CVT_MAX_GRANULE * 8];
    u32 third[CVT_MAX_GRANULE];
    clear_chunks(from, kernel->granule * in / 8);
    copy_short(from, src, (n * in + 7) / 8);
    if (extra != NULL) {
        memset(third, UE8M0_BIAS, sizeof third);
        memcpy(third, extra, extra_bytes(*op, n));
    }
    kernel->run(op, from, to, third, kernel->granule);
    if (n * out % 8 != 0) to[n * out / 8] &= 0xf;
    copy_short(dst, to, (n * out + 7) / 8);
}

/* Converts the last kernel->granule of n elements. n is not a multiple of the granule, so the first of these elements
 * have already been converted and are converted again. */
static NOINLINE void convert_last(const struct cvt_kernel *kernel, const pto_cvt_op *op, const u8 *src,
                                  u8 *dst, const u8 *extra, size_t n) {
    const struct arrays a = arrays_from(*op, (struct arrays){src, dst, extra}, n - kernel->granule);
    kernel->run(op, a.src, a.dst, a.extra, kernel->granule);
}

/* Converts n elements. In place, elements that are already converted can no longer be read again, so the rest after the
 * whole granules goes through a buffer. */
static ALWAYS_INLINE void convert_run(const struct conversion *c, struct arrays a, size_t n) {
    const size_t granule = c->kernel->granule, rest = n & (granule - 1U), whole = n - rest;
    if (whole != 0) c->kernel->run(c->op, a.src, a.dst, a.extra, whole);
    if (rest == 0) return;
    if (whole != 0 && a.src != a.dst && rest % lanes_per_unit(*c->op) == 0) {
        convert_last(c->kernel, c->op, a.src, a.dst, a.extra, n);
    } else {
        a = arrays_from(*c->op, a, whole);
        convert_padded(c->kernel, c->op, a.src, a.dst, a.extra, rest);
    }
}

/* From LONG_RUN elements on, dst is aligned so that no store crosses a cache line, which is 1.07 to 1.2 times as fast
 * (Zen 4). */
enum { LONG_RUN = 16 << 10, LINE_BITS = 64 * 8 };

/* Returns the number of elements before the first cache line boundary in dst. Returns 0 if the operands cannot be split
 * there, because elements on both sides share a byte, a scale or a random word. */
static size_t lanes_to_line(pto_cvt_op op, const u8 *dst) {
    const size_t bits = -((uintptr_t)dst * 8) % LINE_BITS, width = bits_of(op.dst);
    return bits % (lanes_per_unit(op) * width) == 0 ? bits / width : 0;
}

static NOINLINE void convert_aligned(const struct conversion *c, struct arrays a, size_t n) {
    const size_t head = lanes_to_line(*c->op, a.dst);
    convert_run(c, a, head);
    convert_run(c, arrays_from(*c->op, a, head), n - head);
}

static ALWAYS_INLINE void convert_lanes(const struct conversion *c, struct arrays a, size_t n) {
    if (n < LONG_RUN)
        convert_run(c, a, n);
    else
        convert_aligned(c, a, n);
}

static ALWAYS_INLINE void convert_in_state(const struct conversion *c, const void *src, void *dst,
                                           const void *extra, size_t n) {
    const struct arrays a = {src, dst, extra};
    fp_state saved;
    if (c->fp == FP_ANY || (c->fp == FP_UNFLUSHED && fp_state_matches(c->fp))) {
        convert_lanes(c, a, n);
        return;
    }
    saved = fp_enter(c->fp);
    convert_lanes(c, a, n);
    fp_leave(saved);
}

static void cvt_run(const pto_plan *plan, const void *a, const void *b, const void *m, void *dst, size_t n) {
    struct cvt_plan p;
    struct conversion c;
    (void)b;
    memcpy(&p, plan->priv, sizeof p);
    c = (struct conversion){p.kernel, &p.op, p.fp};
    convert_in_state(&c, a, dst, m, n);
}

/* ---- which kernel ---- */

/*
 * Checking an op and choosing its kernel takes longer than a short call. So CACHED_CHOICES choices are cached for each
 * destination, source and rounding. An entry is a word: the upper bits are the number of the kernel, the lower bits a
 * key made of the modifiers and the ISA. A choice takes the first entry that is empty or belongs to another ISA. If
 * there is none, it is not cached.
 */
enum {
    CACHED_CHOICES = 2,
    NUMBER_AT = 16,
    KEY_BITS = (1 << NUMBER_AT) - 1,
    FIRST_ISA = 1 << CVT_MODIFIER_COUNT
};

_Static_assert(((int)ISA_COUNT + 1) * FIRST_ISA <= KEY_BITS,
               "a key must fit the bits below the kernel number");

static numbered_kernel numbered[KERNEL_NUMBERS];
static _Atomic(u32) cache[CVT_TYPES][CVT_TYPES][CVT_ROUNDS][CACHED_CHOICES];

/* Returns the key of op on this backend. It is never 0, so an empty cache entry never matches. */
static ALWAYS_INLINE u32 choice_key(const struct pto_kernels *k, pto_cvt_op op) {
    return ((u32)k->isa + 1) * FIRST_ISA | cvt_modifiers(op);
}

static void cache_choice(u32 key, pto_cvt_op op, const struct cvt_kernel *kernel) {
    for (size_t i = 0; i < CACHED_CHOICES; ++i) {
        _Atomic(u32) *place = &cache[op.dst][op.src][op.round][i];
        const u32 there = atomic_load_explicit(place, memory_order_relaxed) & KEY_BITS;
        size_t number;
        if (there / FIRST_ISA == key / FIRST_ISA) continue;
        number = number_of_kernel(numbered, kernel);
        if (number != KERNEL_NUMBERS)
            atomic_store_explicit(place, (u32)number << NUMBER_AT | key, memory_order_release);
        return;
    }
}

static NOINLINE pto_status choose_kernel(const struct pto_kernels *k, pto_cvt_op op,
                                         const struct cvt_kernel **kernel) {
    const pto_status status = pto_cvt_status(op);
    if (status != PTO_OK) return status;
    *kernel = pto_cvt_kernel(k, op);
    cache_choice(choice_key(k, op), op, *kernel);
    return PTO_OK;
}

/* Returns the cached kernel of op, or NULL if it is not cached. */
static ALWAYS_INLINE const struct cvt_kernel *cached_kernel(const struct pto_kernels *k, pto_cvt_op op) {
    const u32 key = choice_key(k, op);
    if ((unsigned)op.dst >= CVT_TYPES || (unsigned)op.src >= CVT_TYPES || (unsigned)op.round >= CVT_ROUNDS)
        return NULL;
    UNROLL
    for (size_t i = 0; i < CACHED_CHOICES; ++i) {
        const u32 word = atomic_load_explicit(&cache[op.dst][op.src][op.round][i], memory_order_acquire);
        if ((word & KEY_BITS) == key)
            return (const struct cvt_kernel *)kernel_by_number(numbered, word >> NUMBER_AT);
    }
    return NULL;
}

const struct cvt_kernel *pto_cached_cvt_kernel(const struct pto_kernels *k, pto_cvt_op op) {
    const struct cvt_kernel *kernel = cached_kernel(k, op);
    if (kernel == NULL && choose_kernel(k, op, &kernel) != PTO_OK) return NULL;
    return kernel;
}

static ALWAYS_INLINE pto_status kernel_of(pto_cvt_op op, const struct cvt_kernel **kernel) {
    const struct pto_kernels *k = pto_active_kernels();
    *kernel = cached_kernel(k, op);
    return unlikely(*kernel == NULL) ? choose_kernel(k, op, kernel) : PTO_OK;
}

/* Returns the FP state in which the kernel must run for op. */
static ALWAYS_INLINE enum fp_requirement requirement_of(pto_cvt_op op, const struct cvt_kernel *kernel) {
    return kernel->fp != FP_ANY && cvt_flushes_sources(op) ? FP_FLUSH : (enum fp_requirement)kernel->fp;
}

static struct plan_shapes cvt_shapes(pto_cvt_op op) {
    enum { SOME = 8 }; /* lanes; a multiple of every number of elements that share a scale or random word */
    struct plan_shapes shapes = {.src = {shape_array(bits_of(op.src))},
                                 .dst = {shape_array(bits_of(op.dst))}};
    if (takes_extra(op)) shapes.src[2] = (u8)(shape_array(extra_bytes(op, SOME) * 8 / SOME) | SHAPE_DISJOINT);
    if (op.round == PTO_RS) shapes.group = (u8)cvt_random_group(op.dst);
    return shapes;
}

pto_status pto_plan_cvt(pto_plan *plan, pto_cvt_op op) {
    struct cvt_plan p;
    pto_status status;
    if (plan == NULL) return PTO_ERR_NULL;
    status = kernel_of(op, &p.kernel);
    if (status != PTO_OK) return status;
    p.op = op;
    p.fp = requirement_of(op, p.kernel);
    plan_make(plan, cvt_run, &p, sizeof p, cvt_shapes(op));
    return PTO_OK;
}

/* Returns whether dst and the third operand are disjoint. They must be: not even in place is allowed. */
static bool extra_disjoint(pto_cvt_op op, struct operand dst, const void *extra, size_t n) {
    return extra == NULL || disjoint(dst, operand_array(extra, 8, extra_bytes(op, n)));
}

pto_status pto_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    const bool random = op.round == PTO_RS, third = takes_extra(op);
    struct conversion c;
    pto_status status;
    struct operand d;

    if (n != 0 && (src == NULL || dst == NULL || (third && extra == NULL))) return PTO_ERR_NULL;
    status = kernel_of(op, &c.kernel);
    if (status != PTO_OK) return status;
    if (!third && extra != NULL) return PTO_ERR_MODIFIER;
    if (random && n % cvt_random_group(op.dst) != 0) return PTO_ERR_SIZE;
    if (is_empty_or_too_large(n)) return size_status(n);
    d = operand_bits(dst, bits_of(op.dst), n);
    if (!overlap_allowed(d, operand_bits(src, bits_of(op.src), n)) || !extra_disjoint(op, d, extra, n))
        return PTO_ERR_OVERLAP;
    c.op = &op;
    c.fp = requirement_of(op, c.kernel);
    convert_in_state(&c, src, dst, extra, n);
    return PTO_OK;
}
