/* SPDX-License-Identifier: MIT */
/* pto_vcvt(), pto_vcvt_part() and pto_vtrc(). */
#include "calls/vcvt_call.h"

#include "calls/kernel_cache.h"
#include "core/block.h"
#include "core/check.h"
#include "core/fpenv.h"
#include "core/vcvt.h"
#include "dispatch/dispatch.h"

enum { VCVT_LANES = 2048, CLEARED = 512, LARGEST_GROUP = 4 };

/* A prepared conversion. */
struct vcvt {
    const struct pto_kernels *k;
    const struct vcvt_kernel *kernel;
    struct ptx_cvt ptx; /* set only if kernel->uses_ptx_kernel */
    pto_vcvt_op op;
    size_t in, out; /* bits of an element of src and of dst */
};

/*
 * Choosing kernels takes longer than a short call, so choices are cached. An entry is a word with the numbers of the
 * vcvt kernel and of its PTX kernel (0 if it has none) above the ISA for which they were chosen. An entry for another
 * ISA is replaced.
 */
enum { ISA_BITS = 4, VCVT_AT = ISA_BITS, PTX_AT = VCVT_AT + KERNEL_NUMBER_BITS };

_Static_assert((int)ISA_COUNT < 1 << ISA_BITS, "an ISA plus 1 must fit its bits");
_Static_assert(PTX_AT + KERNEL_NUMBER_BITS <= 32, "an ISA and two kernel numbers must fit a word");

static numbered_kernel vcvt_kernels[KERNEL_NUMBERS], ptx_kernels[KERNEL_NUMBERS];
static _Atomic(u32) cache[VCVT_TYPES][VCVT_TYPES][VRND_COUNT][2];

/* Returns the key of this backend. It is never 0, so an empty cache entry never matches. */
static u32 isa_key(const struct pto_kernels *k) {
    return (u32)k->isa + 1;
}

static _Atomic(u32) *choice_of(pto_vcvt_op op) {
    return &cache[op.dst][op.src][op.rnd][op.sat];
}

static NOINLINE void choose_kernels(struct vcvt *v) {
    size_t vcvt_number, ptx = 0;
    v->kernel = pto_vcvt_kernel(v->k, v->op);
    if (v->kernel->uses_ptx_kernel) {
        pto_vcvt_as_ptx(v->op, &v->ptx.op);
        v->ptx.kernel = pto_cvt_kernel(v->k, v->ptx.op);
        ptx = number_of_kernel(ptx_kernels, v->ptx.kernel);
    }
    vcvt_number = number_of_kernel(vcvt_kernels, v->kernel);
    if (vcvt_number == KERNEL_NUMBERS || ptx == KERNEL_NUMBERS) return;
    atomic_store_explicit(choice_of(v->op), (u32)ptx << PTX_AT | (u32)vcvt_number << VCVT_AT | isa_key(v->k),
                          memory_order_release);
}

static ALWAYS_INLINE void find_kernels(struct vcvt *v) {
    const u32 word = atomic_load_explicit(choice_of(v->op), memory_order_acquire);
    if (unlikely((word & ((1U << ISA_BITS) - 1)) != isa_key(v->k))) {
        choose_kernels(v);
        return;
    }
    v->kernel = kernel_by_number(vcvt_kernels, word >> VCVT_AT & (KERNEL_NUMBERS - 1));
    if (v->kernel->uses_ptx_kernel) v->ptx.kernel = kernel_by_number(ptx_kernels, word >> PTX_AT);
}

/* Prepares a legal op. It does not return the struct: a copy made right after the members are stored would have to wait
 * for these stores. */
static ALWAYS_INLINE void prepare(struct vcvt *v, const struct pto_kernels *k, pto_vcvt_op op) {
    v->k = k;
    v->op = op;
    v->in = pto_dtypes[op.src].bits;
    v->out = pto_dtypes[op.dst].bits;
    find_kernels(v);
    if (v->kernel->uses_ptx_kernel) pto_vcvt_as_ptx(op, &v->ptx.op);
}

/* Returns the bytes that n elements of `bits` bits take. */
static size_t bytes_of(size_t bits, size_t n) {
    return (n * bits + 7) / 8;
}

/* ---- a block ---- */

/* Converts n elements, fewer than the kernel's granule, through zero-padded stack buffers of one granule. */
static NOINLINE void convert_padded(const struct vcvt *v, const u8 *src, u8 *dst, size_t n) {
    u8 from[CVT_MAX_GRANULE * 8], to[CVT_MAX_GRANULE * 8];
    clear_chunks(from, bytes_of(v->in, v->kernel->granule));
    copy_short(from, src, bytes_of(v->in, n));
    v->kernel->run(&v->op, &v->ptx, from, to, v->kernel->granule);
    if (n * v->out % 8 != 0) to[n * v->out / 8] &= 0xf;
    copy_short(dst, to, bytes_of(v->out, n));
}

/* Converts the last `rest` of n elements; `rest` is less than the kernel's granule. If possible, converts the last
 * granule of the n elements, although its first elements have already been converted. In place, the sources of those
 * have been overwritten, so the last `rest` elements go through a buffer. */
static void convert_rest(const struct vcvt *v, const u8 *src, u8 *dst, size_t n, size_t rest) {
    const size_t again = n - v->kernel->granule, whole = n - rest;
    if (whole != 0 && src != dst && rest * v->in % 8 == 0 && rest * v->out % 8 == 0)
        v->kernel->run(&v->op, &v->ptx, src + again * v->in / 8, dst + again * v->out / 8,
                       v->kernel->granule);
    else
        convert_padded(v, src + whole * v->in / 8, dst + whole * v->out / 8, rest);
}

/* Returns a word in which all bits of nibble k are equal to bit k of `bits`. */
static u32 nibbles_of(u8 bits) {
    u32 x = bits;
    x = (x | x << 12) & 0x000f000f;
    x = (x | x << 6) & 0x03030303;
    return ((x | x << 3) & 0x11111111) * 0xf;
}

static ALWAYS_INLINE void keep_nibbles(u8 *p, u8 bits, size_t bytes) {
    store_bytes(p, load_bytes(p, bytes) & nibbles_of(bits), bytes);
}

static void clear_nibbles(const u8 *on, u8 *dst, size_t lanes) {
    const size_t whole = lanes / 8;
    for (size_t i = 0; i < whole; ++i) keep_nibbles(dst + 4 * i, on[i], 4);
    if (lanes % 8 != 0) keep_nibbles(dst + 4 * whole, on[whole], (lanes % 8 + 1) / 2);
}

/* Sets the lanes that are off to zero. The kernel has converted them, too; fp_leave() removes the exception flags that
 * this may have raised. */
static void clear_inactive(const struct vcvt *v, const void *on, u8 *dst, size_t lanes) {
    static const u64 zeros[CLEARED];
    select_fn *select;
    if (v->out < 8) {
        clear_nibbles(on, dst, lanes);
        return;
    }
    select = v->k->select[MASK_AS_BITS][width_index((unsigned)v->out)];
    for (size_t i = 0; i < lanes; i += CLEARED) {
        u8 *some = dst + i / 8 * v->out;
        select(some, zeros, (const u8 *)on + i / 8, some, min_size(lanes - i, CLEARED));
    }
}

/* Converts a block. `on` has a bit for each lane; NULL means that all lanes are on. */
static void convert_block(const struct vcvt *v, const u8 *src, const void *on, u8 *dst, size_t lanes) {
    const size_t rest = lanes & (v->kernel->granule - 1U), whole = lanes - rest;
    if (whole != 0) v->kernel->run(&v->op, &v->ptx, src, dst, whole);
    if (rest != 0) convert_rest(v, src, dst, lanes, rest);
    if (on != NULL) clear_inactive(v, on, dst, lanes);
}

_Static_assert(VCVT_LANES % CVT_MAX_GRANULE == 0, "a block must be a whole number of granules");

/* ---- lane to lane ---- */

/* Converts n elements. If there is a mask, or if the kernel has uses_ptx_kernel, it converts block by block: such a
 * kernel makes a second pass over its results, and those of a block stay in the cache. Otherwise the kernel converts
 * all elements at once. */
static void convert_lanes(const struct vcvt *v, const u8 *src, pto_mask m, u8 *dst, size_t n) {
    const size_t most = m.data == NULL && !v->kernel->uses_ptx_kernel ? n : VCVT_LANES;
    u64 buffer[VCVT_LANES / 64];
    for (size_t i = 0; i < n; i += most) {
        const size_t lanes = min_size(n - i, most);
        const void *on = m.data != NULL ? block_bits(v->k, m, i, buffer, lanes) : NULL;
        convert_block(v, src + i / 8 * v->in, on, dst + i / 8 * v->out, lanes);
    }
}

/* ---- parts ---- */

/* Where the narrower type's elements are: at unit number `place` of each group of `group` units. A unit is an element,
 * or a byte with two elements of 4 bits. */
struct part_layout {
    size_t group, place;
    size_t unit, elements; /* bytes and elements of a unit */
};

/* Sets *p to the layout of a part. Returns false if the pair of types does not have the part. */
static bool set_part_layout(const struct vcvt *v, pto_vpart part, struct part_layout *p) {
    const size_t narrow = min_size(v->in, v->out), wide = v->in + v->out - narrow;
    const size_t first = wide / narrow == 2 ? PTO_PART_EVEN : PTO_PART_P0;
    p->group = wide / narrow;
    p->place = (size_t)part - first;
    p->elements = narrow < 8 ? 2 : 1;
    p->unit = narrow * p->elements / 8;
    return p->group > 1 && p->place < p->group;
}

/* Copies units one by one: those that convert_words() has left. `unit` must be a compile-time constant. */
static ALWAYS_INLINE void copy_units(const u8 *from, u8 *to, size_t units, size_t unit, size_t from_step,
                                     size_t to_step) {
    for (size_t i = 0; i < units; ++i) memcpy(to + i * to_step, from + i * from_step, unit);
}

static void move_units(size_t unit, const u8 *from, u8 *to, size_t units, size_t from_step, size_t to_step) {
    switch (unit) {
    case 1: copy_units(from, to, units, 1, from_step, to_step); break;
    case 2: copy_units(from, to, units, 2, from_step, to_step); break;
    default: copy_units(from, to, units, 4, from_step, to_step); break;
    }
}

static pto_dtype word_of(size_t bytes) {
    return bytes == 1 ? PTO_U8 : bytes == 2 ? PTO_U16 : bytes == 4 ? PTO_U32 : PTO_U64;
}

/* Converts words of `in` bytes to words of `out` bytes. One of them is a unit, the other a word of a group's size that
 * begins at the unit. So widening puts a unit into its group, and narrowing extracts it. Returns how many units were
 * converted. If the unit is not the first of its group, the last word extends past the last group. That memory belongs
 * to the operand only if `more` is set, which means that further groups follow. Otherwise at least one unit is left to
 * the caller. */
static size_t convert_words(const struct vcvt *v, size_t in, size_t out, const u8 *from, u8 *to, size_t units,
                            bool more) {
    const pto_cvt_op op = {.dst = word_of(out), .src = word_of(in)};
    const struct cvt_kernel *kernel = pto_cached_cvt_kernel(v->k, op);
    const size_t whole = (more ? units : units - 1) & ~(kernel->granule - (size_t)1);
    if (whole != 0) kernel->run(&op, from, to, NULL, whole);
    return whole;
}

/* Writes units to their places in the groups, and zeros to all other places. A word that extends past its group writes
 * zeros into the next group, but only before the unit of that group, where zeros belong anyway. */
static void interleave_units(const struct vcvt *v, const struct part_layout *p, const u8 *from, u8 *to,
                             size_t units, bool more) {
    const size_t group = p->group * p->unit, at = p->place * p->unit;
    size_t done;
    if (units == 0) return;
    memset(to, 0, at);
    done = convert_words(v, p->unit, group, from, to + at, units, more);
    memset(to + done * group, 0, (units - done) * group);
    move_units(p->unit, from + done * p->unit, to + done * group + at, units - done, p->unit, group);
}

static void extract_units(const struct vcvt *v, const struct part_layout *p, const u8 *from, u8 *to,
                          size_t units, bool more) {
    const size_t group = p->group * p->unit, at = p->place * p->unit;
    size_t done;
    if (units == 0) return;
    done = convert_words(v, group, p->unit, from + at, to, units, more);
    move_units(p->unit, from + done * group + at, to + done * p->unit, units - done, group, p->unit);
}

/* Returns a word whose bit k is bit 2k of x, for k < 32; the upper half is 0. */
static u64 even_bits(u64 x) {
    x &= 0x5555555555555555;
    x = (x | x >> 1) & 0x3333333333333333;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (x | x >> 16) & 0xffffffff;
}

/* Returns the mask bits of lane number `first` of each of 64 groups; a group has `group` lanes, 2 or 4. */
static u64 extract_64(const u8 *from, size_t first, size_t group) {
    u64 extracted = 0;
    for (size_t k = 0; k < group; ++k) {
        u64 x;
        memcpy(&x, from + 8 * k, sizeof x);
        x = even_bits(x >> first);
        extracted |= (group == 4 ? even_bits(x) : x) << k * (64 / group);
    }
    return extracted;
}

/* Extracts the mask bits of every `step`-th unit, starting at unit `first`. All lanes of a unit get the bit of its
 * first lane. */
static void extract_lanes(const struct part_layout *p, const u8 *from, u64 *to, size_t lanes, size_t first,
                          size_t step) {
    const size_t quick = p->elements == 1 && (step == 2 || step == 4) ? lanes / 64 * 64 : 0;
    for (size_t i = 0; i < quick; i += 64) to[i / 64] = extract_64(from + i / 8 * step, first, step);
    for (size_t i = quick; i < lanes; i += 64) to[i / 64] = 0;
    for (size_t i = quick; i < lanes; ++i) {
        const size_t at = (first + i / p->elements * step) * p->elements;
        to[i / 64] |= (u64)(from[at / 8] >> at % 8 & 1) << i % 64;
    }
}

/* pto_vcvt_part() converts in blocks, through a buffer of the narrower type that fits a small stack. With 4-bit
 * elements, PART_LANES limits a block to what the mask buffers can hold. */
enum { PART_BYTES = 2048, PART_LANES = 2048 };

static size_t lanes_of_part(const struct part_layout *p) {
    return min_size(PART_LANES, PART_BYTES / p->unit * p->elements);
}

static void narrow_lanes(const struct vcvt *v, const struct part_layout *p, const u8 *src, pto_mask m,
                         u8 *dst, size_t n) {
    u64 buffer[PART_LANES / 64], extracted[PART_LANES / 64];
    u8 results[PART_BYTES];
    const size_t most = lanes_of_part(p);
    for (size_t i = 0; i < n; i += most) {
        const size_t lanes = min_size(n - i, most);
        const void *on = m.data != NULL ? block_bits(v->k, m, i, buffer, lanes) : NULL;
        if (on != NULL && p->elements > 1) {
            extract_lanes(p, on, extracted, lanes, 0, 1);
            on = extracted;
        }
        convert_block(v, src + i / 8 * v->in, on, results, lanes);
        interleave_units(v, p, results, dst + i / p->elements * p->group * p->unit, lanes / p->elements,
                         n - i > lanes);
    }
}

static void widen_lanes(const struct vcvt *v, const struct part_layout *p, const u8 *src, pto_mask m, u8 *dst,
                        size_t n) {
    u64 buffer[PART_LANES * LARGEST_GROUP / 64], extracted[PART_LANES / 64];
    u8 sources[PART_BYTES];
    const size_t most = lanes_of_part(p);
    for (size_t i = 0; i < n; i += most) {
        const size_t lanes = min_size(n - i, most);
        extract_units(v, p, src + i / p->elements * p->group * p->unit, sources, lanes / p->elements,
                      n - i > lanes);
        if (m.data != NULL)
            extract_lanes(p, block_bits(v->k, m, i * p->group, buffer, lanes * p->group), extracted, lanes,
                          p->place, p->group);
        convert_block(v, sources, m.data != NULL ? extracted : NULL, dst + i / 8 * v->out, lanes);
    }
}

/* ---- the calls ---- */

/* Converts in the FP state that the kernel needs. p is NULL in pto_vcvt() and pto_vtrc(), which have no parts. */
static void convert_in_state(const struct vcvt *v, const struct part_layout *p, const u8 *src, pto_mask m,
                             u8 *dst, size_t n) {
    const bool any = v->kernel->fp == FP_ANY;
    fp_state saved;
    if (!any) saved = fp_enter(FP_IEEE);
    if (p == NULL)
        convert_lanes(v, src, m, dst, n);
    else if (v->in < v->out)
        widen_lanes(v, p, src, m, dst, n);
    else
        narrow_lanes(v, p, src, m, dst, n);
    if (!any) fp_leave(saved);
}

static ALWAYS_INLINE void run_op(const struct pto_kernels *k, pto_vcvt_op op, const void *src, pto_mask m,
                                 void *dst, size_t n) {
    struct vcvt v;
    prepare(&v, k, op);
    convert_in_state(&v, NULL, src, m, dst, n);
}

void pto_vcvt_run(const struct pto_kernels *k, pto_vcvt_op op, const void *src, void *dst, size_t n) {
    run_op(k, op, src, PTO_NO_MASK, dst, n);
}

/* Checks the other arguments of a legal op and runs it. */
static pto_status run_lanes(pto_vcvt_op op, const void *src, pto_mask m, void *dst, size_t n) {
    const size_t in = pto_dtypes[op.src].bits, out = pto_dtypes[op.dst].bits;
    if (m.data != NULL && !mask_fits(m.kind, in)) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (!overlaps_allowed(operand_bits(dst, out, n),
                          (const struct operand[]){operand_bits(src, in, n), operand_mask(m, n)}, 2))
        return PTO_ERR_OVERLAP;
    run_op(pto_active_kernels(), op, src, m, dst, n);
    return PTO_OK;
}

pto_status pto_vcvt(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n) {
    pto_status status;
    if (n != 0 && (src == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = pto_vcvt_status(op);
    return status == PTO_OK ? run_lanes(op, src, mask, dst, n) : status;
}

pto_status pto_vtrc(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst, size_t n) {
    const pto_vcvt_op op = {t, t, rnd, false};
    pto_status status;
    if (n != 0 && (src == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = pto_vtrc_status(t, rnd);
    return status == PTO_OK ? run_lanes(op, src, mask, dst, n) : status;
}

pto_status pto_vcvt_part(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                         size_t n) {
    struct part_layout p;
    struct operand d;
    struct vcvt v;
    pto_status status;
    size_t sources, results;

    if (n != 0 && (src == NULL || dst == NULL)) return PTO_ERR_NULL;
    status = pto_vcvt_status(op);
    if (status != PTO_OK) return status;
    prepare(&v, pto_active_kernels(), op);
    if (!set_part_layout(&v, part, &p)) return PTO_ERR_MODIFIER;
    if (mask.data != NULL && !mask_fits(mask.kind, v.in)) return PTO_ERR_MASK;
    if (n > MAX_LANES / p.group || n % p.elements != 0) return PTO_ERR_SIZE;
    if (n == 0) return PTO_OK;
    sources = v.in < v.out ? n * p.group : n;
    results = v.in < v.out ? n : n * p.group;
    d = operand_bits(dst, v.out, results);
    if (!disjoint(d, operand_bits(src, v.in, sources)) ||
        (mask.data != NULL && !disjoint(d, operand_mask(mask, sources))))
        return PTO_ERR_OVERLAP;
    convert_in_state(&v, &p, src, mask, dst, n);
    return PTO_OK;
}

/* ---- what is legal ---- */

pto_status pto_vcvt_check(pto_vcvt_op op) {
    return pto_vcvt_status(op);
}

/* Sets *op to form i and returns true. If there is no form i, returns false and sets *count to the number of forms. */
static bool find_form(size_t i, pto_vcvt_op *op, size_t *count) {
    enum { VARIANTS = 2 * VRND_COUNT };
    *count = 0;
    for (size_t at = 0; at < (size_t)VCVT_TYPES * VCVT_TYPES * VARIANTS; ++at) {
        const size_t variant = at % VARIANTS, pair = at / VARIANTS;
        const pto_vcvt_op form = {(pto_dtype)(pair / VCVT_TYPES), (pto_dtype)(pair % VCVT_TYPES),
                                  (pto_vrnd)(variant / 2), variant % 2 != 0};
        if (pto_vcvt_status(form) != PTO_OK) continue;
        if ((*count)++ != i) continue;
        *op = form;
        return true;
    }
    return false;
}

size_t pto_vcvt_form_count(void) {
    pto_vcvt_op unused;
    size_t count;
    (void)find_form(SIZE_MAX, &unused, &count);
    return count;
}

pto_status pto_vcvt_form(size_t i, pto_vcvt_op *op) {
    size_t count;
    if (op == NULL) return PTO_ERR_NULL;
    return find_form(i, op, &count) ? PTO_OK : PTO_ERR_SIZE;
}
