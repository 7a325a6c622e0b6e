/* SPDX-License-Identifier: MIT */
/* Runs PTO steps on a block of lanes. */
#include "pto_steps.h"

#include <string.h>

/* ---- element counts, types and masks of a step ---- */

static size_t count_of(const struct step *s, size_t lanes) {
    return lanes * s->parameters.vector.typed.elements_per_lane;
}

/* Returns the untyped type with this many bits, for steps that only move elements. */
static pto_dtype untyped(size_t bits) {
    static const pto_dtype by_bytes[] = {[1] = PTO_B8, [2] = PTO_B16, [4] = PTO_B32, [8] = PTO_B64};
    return by_bytes[bits / 8];
}

static pto_dtype bits_of(pto_dtype type) {
    return untyped(pto_dtype_bits(type));
}

/* Returns a packed mask; PTO_NO_MASK for NULL. */
static pto_mask mask_in(const void *packed) {
    return packed ? pto_packed_in(packed) : PTO_NO_MASK;
}

/* ---- compare and select ---- */

pto_status pto_step_vcmp(const struct step *s, const struct addresses *at, size_t n) {
    const struct vector_parameters *v = &s->parameters.vector;
    return pto_vcmp(v->typed.type, v->cmp, 0, at->src[0], at->src[1], mask_in(at->src[2]),
                    pto_packed(at->dst[0]), count_of(s, n));
}

pto_status pto_step_vcmps(const struct step *s, const struct addresses *at, size_t n) {
    const struct vector_parameters *v = &s->parameters.vector;
    return pto_vcmps(v->typed.type, v->cmp, 0, at->src[0], at->src[1], mask_in(at->src[2]),
                     pto_packed(at->dst[0]), count_of(s, n));
}

pto_status pto_step_vsel(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vsel(bits_of(s->parameters.vector.typed.type), at->src[0], at->src[1],
                    pto_packed_in(at->src[2]), at->dst[0], count_of(s, n));
}

pto_status pto_step_vselr(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vselr(bits_of(s->parameters.vector.typed.type), at->src[0], at->src[1],
                     pto_packed_in(at->src[2]), at->dst[0], count_of(s, n));
}

pto_status pto_step_vselrv2(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vselrv2(bits_of(s->parameters.vector.typed.type), at->src[0], at->src[1],
                       pto_packed_in(at->src[2]), at->dst[0], count_of(s, n));
}

pto_status pto_step_vbr(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vbr(bits_of(s->parameters.vector.typed.type), at->src[0], at->dst[0], count_of(s, n));
}

/* ---- arithmetic ---- */

#ifndef PTO_NO_VMATH
#    include "pto/vmath.h"

pto_status pto_step_vexp(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vexp(s->parameters.vector.typed.type, at->src[0], mask_in(at->src[1]), at->dst[0],
                    count_of(s, n));
}
#endif

pto_status pto_step_vmaxs(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    return pto_vmax(t->type, t->flags, pto_in_array(at->src[0]), pto_in_scalar(at->src[1]), at->dst[0],
                    count_of(s, n));
}

pto_status pto_step_vmins(const struct step *s, const struct addresses *at, size_t n) {
    const struct typed_parameters *t = &s->parameters.typed;
    return pto_vmin(t->type, t->flags, pto_in_array(at->src[0]), pto_in_scalar(at->src[1]), at->dst[0],
                    count_of(s, n));
}

pto_status pto_step_vrelu(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vrelu(s->parameters.typed.type, s->parameters.typed.flags, at->src[0], at->dst[0],
                     count_of(s, n));
}

pto_status pto_step_masked(const struct step *s, const struct addresses *at, size_t n) {
    const uint64_t zero = 0;
    const pto_status status = s->parameters.vector.compute(s, at, n);
    if (status != PTO_OK || !at->src[5]) return status;
    return pto_vsels(bits_of(s->parameters.typed.type), pto_in_array(at->dst[0]), pto_in_scalar(&zero),
                     pto_packed_in(at->src[5]), at->dst[0], count_of(s, n));
}

/* ---- conversions ---- */

static bool is_pair(pto_dtype type) {
    return pto_dtype_bits(type) == 4;
}

/* Converts 4-bit codes under a mask that has one bit for each pair of codes. pto_vcvt_part() takes a mask
 * with one bit for each code, and the bit of a pair's lower code decides. So bit i of the mask is copied to
 * bit 2 i. */
static pto_status convert_pairs(const struct step *s, const struct addresses *at, size_t n) {
    const struct vector_parameters *v = &s->parameters.vector;
    const size_t pairs = n * v->lane_bits / 8;
    unsigned char mask[BLOCK_LANES * 16 / 8];
    const pto_status status = pto_mask_mov(pto_packed_in(at->src[1]), pto_mask_at(mask, PTO_MASK_B16), pairs);
    if (status != PTO_OK) return status;
    return pto_vcvt_part(v->cvt, v->part, at->src[0], pto_packed_in(mask), at->dst[0], count_of(s, n));
}

pto_status pto_step_vcvt(const struct step *s, const struct addresses *at, size_t n) {
    const struct vector_parameters *v = &s->parameters.vector;
    if (v->same_width) return pto_vcvt(v->cvt, at->src[0], mask_in(at->src[1]), at->dst[0], count_of(s, n));
    if (is_pair(v->cvt.src) && at->src[1]) return convert_pairs(s, at, n);
    return pto_vcvt_part(v->cvt, v->part, at->src[0], mask_in(at->src[1]), at->dst[0], count_of(s, n));
}

pto_status pto_step_vtrc(const struct step *s, const struct addresses *at, size_t n) {
    return pto_vtrc(s->parameters.vector.cvt.src, s->parameters.vector.cvt.rnd, at->src[0],
                    mask_in(at->src[1]), at->dst[0], count_of(s, n));
}

/* ---- predicates, lane by lane ---- */

typedef pto_status two_masks(pto_mask a, pto_mask b, pto_mask dst, size_t n);

static pto_status and_seed(const void *seed, void *dst, size_t n) {
    if (!seed) return PTO_OK;
    return pto_mask_and(pto_packed_in(dst), pto_packed_in(seed), pto_packed(dst), n);
}

static pto_status combine(two_masks *operation, const struct step *s, const struct addresses *at, size_t n) {
    const pto_status status = operation(pto_packed_in(at->src[0]), pto_packed_in(at->src[1]),
                                        pto_packed(at->dst[0]), count_of(s, n));
    return status == PTO_OK ? and_seed(at->src[2], at->dst[0], count_of(s, n)) : status;
}

pto_status pto_step_vpand(const struct step *s, const struct addresses *at, size_t n) {
    return combine(pto_mask_and, s, at, n);
}

pto_status pto_step_vpor(const struct step *s, const struct addresses *at, size_t n) {
    return combine(pto_mask_or, s, at, n);
}

pto_status pto_step_vpxor(const struct step *s, const struct addresses *at, size_t n) {
    return combine(pto_mask_xor, s, at, n);
}

pto_status pto_step_vpnot(const struct step *s, const struct addresses *at, size_t n) {
    const pto_status status = pto_mask_not(pto_packed_in(at->src[0]), pto_packed(at->dst[0]), count_of(s, n));
    return status == PTO_OK ? and_seed(at->src[1], at->dst[0], count_of(s, n)) : status;
}

pto_status pto_step_vpsel(const struct step *s, const struct addresses *at, size_t n) {
    return pto_mask_sel(pto_packed_in(at->src[0]), pto_packed_in(at->src[1]), pto_packed_in(at->src[2]),
                        pto_packed(at->dst[0]), count_of(s, n));
}

/* ---- masks, one vector register at a time ---- */

/* One of the vector registers in a block. */
struct vector_range {
    size_t lanes;        /* lanes of the program in this vector register; the last one may have fewer */
    size_t number, bits; /* its index in the block; width of a lane of the program */
};

/* Sets *w to the next vector register of a block of n lanes. Returns false after the last one. */
static bool next_vector(struct vector_range *w, const struct step *s, size_t n) {
    const size_t one = VECTOR_BITS / s->parameters.vector.lane_bits;
    w->number = w->lanes == 0 ? 0 : w->number + 1;
    w->bits = s->parameters.vector.lane_bits;
    if (w->number * one >= n) return false;
    w->lanes = n - w->number * one < one ? n - w->number * one : one;
    return true;
}

static size_t masked_lanes(const struct vector_range *w, unsigned width) {
    return w->lanes * w->bits / width;
}

/* Returns the offset, in bytes, of a vector register's bits in a packed predicate for elements of `width`
 * bits. */
static size_t mask_offset(const struct vector_range *w, unsigned width) {
    return w->number * (VECTOR_BITS / width / 8);
}

static pto_mask_kind kind_of(unsigned width) {
    return width == 8 ? PTO_MASK_B8 : width == 16 ? PTO_MASK_B16 : width == 32 ? PTO_MASK_B32 : PTO_MASK_B64;
}

static pto_status get_register(const void *packed, const struct vector_range *w, unsigned width,
                               pto_preg *p) {
    const unsigned char *at = packed;
    memset(p, 0, sizeof *p);
    return pto_mask_mov(pto_packed_in(at + mask_offset(w, width)), pto_mask_at(p->w, kind_of(width)),
                        masked_lanes(w, width));
}

static pto_status put_register(const pto_preg *p, const struct vector_range *w, unsigned width,
                               void *packed) {
    unsigned char *at = packed;
    return pto_mask_mov(pto_mask_in(p->w, kind_of(width)), pto_packed(at + mask_offset(w, width)),
                        masked_lanes(w, width));
}

typedef pto_status change_register(const struct vector_parameters *v, const pto_preg *from, pto_preg *to);

static pto_status each_register(change_register *change, const struct step *s, const struct addresses *at,
                                size_t n) {
    const struct vector_parameters *v = &s->parameters.vector;
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        pto_preg from, to;
        pto_status status = get_register(at->src[0], &w, v->lane[0], &from);
        if (status == PTO_OK) status = change(v, &from, &to);
        if (status == PTO_OK) status = put_register(&to, &w, v->lane[1], at->dst[0]);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

static pto_status pack(const struct vector_parameters *v, const pto_preg *from, pto_preg *to) {
    return pto_ppack(*from, v->half, to);
}

static pto_status unpack(const struct vector_parameters *v, const pto_preg *from, pto_preg *to) {
    return pto_punpack(*from, v->half, to);
}

static pto_status same_bits(const struct vector_parameters *v, const pto_preg *from, pto_preg *to) {
    (void)v;
    *to = *from;
    return PTO_OK;
}

pto_status pto_step_ppack(const struct step *s, const struct addresses *at, size_t n) {
    return each_register(pack, s, at, n);
}

pto_status pto_step_punpack(const struct step *s, const struct addresses *at, size_t n) {
    return each_register(unpack, s, at, n);
}

pto_status pto_step_pbitcast(const struct step *s, const struct addresses *at, size_t n) {
    return each_register(same_bits, s, at, n);
}

static void or_shifted(pto_preg *to, const pto_preg *from, unsigned left) {
    for (size_t w = 0; w < 4; w++) to->w[w] |= from->w[w] << left;
}

static pto_preg shifted_right(const pto_preg *from, unsigned right) {
    pto_preg p;
    for (size_t w = 0; w < 4; w++) p.w[w] = from->w[w] >> right;
    return p;
}

/* libpto's calls move the lowest bit of each group. So each bit of a group takes its turn as the lowest. */
pto_status pto_image_pairs(pto_image_change *change, unsigned g, unsigned bits, const pto_preg from[2],
                           pto_preg to[2]) {
    memset(to, 0, 2 * sizeof *to);
    for (unsigned bit = 0; bit < bits; bit++) {
        pto_preg low, high;
        const pto_status status =
            change(g, shifted_right(&from[0], bit), shifted_right(&from[1], bit), &low, &high);
        if (status != PTO_OK) return status;
        or_shifted(&to[0], &low, bit);
        or_shifted(&to[1], &high, bit);
    }
    return PTO_OK;
}

static pto_status each_pair(pto_image_change *change, const struct step *s, const struct addresses *at,
                            size_t n) {
    const unsigned width = s->parameters.vector.lane[0], group = s->parameters.vector.group;
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        pto_preg from[2], to[2];
        pto_status status = get_register(at->src[0], &w, width, &from[0]);
        if (status == PTO_OK) status = get_register(at->src[1], &w, width, &from[1]);
        if (status == PTO_OK) status = pto_image_pairs(change, group, group / width, from, to);
        if (status == PTO_OK) status = put_register(&to[0], &w, width, at->dst[0]);
        if (status == PTO_OK) status = put_register(&to[1], &w, width, at->dst[1]);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

pto_status pto_step_pintlv(const struct step *s, const struct addresses *at, size_t n) {
    return each_pair(pto_pintlv, s, at, n);
}

pto_status pto_step_pdintlv(const struct step *s, const struct addresses *at, size_t n) {
    return each_pair(pto_pdintlv, s, at, n);
}

/* All vector registers get the same mask, so it is computed once and copied. Bytes after the last lane are
 * not written. */
pto_status pto_step_pset(const struct step *s, const struct addresses *at, size_t n) {
    const unsigned width = s->parameters.vector.lane[1];
    const struct vector_range one = {VECTOR_BITS / s->parameters.vector.lane_bits, 0,
                                     s->parameters.vector.lane_bits};
    const size_t bytes = VECTOR_BITS / width / 8, all = (count_of(s, n) + 7) / 8;
    unsigned char packed[VECTOR_BITS / 8 / 8], *out = at->dst[0];
    pto_preg p;
    pto_status status = pto_pset(width, s->parameters.vector.pattern, &p);
    if (status == PTO_OK) status = put_register(&p, &one, width, packed);
    for (size_t i = 0; i < all && status == PTO_OK; i += bytes)
        memcpy(out + i, packed, all - i < bytes ? all - i : bytes);
    return status;
}

static void fill_words(uint32_t word, const struct vector_range *w, void *to) {
    unsigned char *at = to;
    const size_t first = w->number * (VECTOR_BITS / w->bits);
    for (size_t i = 0; i < w->lanes; i++) memcpy(at + (first + i) * 4, &word, 4);
}

static uint32_t word_at(const void *words, size_t i) {
    uint32_t word;
    memcpy(&word, (const unsigned char *)words + i * 4, sizeof word);
    return word;
}

pto_status pto_step_plt(const struct step *s, const struct addresses *at, size_t n) {
    const unsigned width = s->parameters.vector.lane[1];
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        uint32_t remaining = word_at(at->src[0], w.number * (VECTOR_BITS / w.bits));
        pto_preg p;
        pto_status status = pto_plt(width, &remaining, &p);
        if (status == PTO_OK) status = put_register(&p, &w, width, at->dst[0]);
        if (status != PTO_OK) return status;
        if (at->dst[1]) fill_words(remaining, &w, at->dst[1]);
    }
    return PTO_OK;
}

pto_status pto_step_remaining(const struct step *s, const struct addresses *at, size_t n) {
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        const size_t first = w.number * (VECTOR_BITS / w.bits);
        const uint64_t gone =
            (uint64_t)word_at(at->src[1], first) * s->parameters.vector.subtracted_per_vector;
        const uint32_t all = word_at(at->src[0], first);
        fill_words(all > gone ? all - (uint32_t)gone : 0, &w, at->dst[0]);
    }
    return PTO_OK;
}

/* ---- data, one vector register at a time ---- */

enum { VECTOR_BYTES = VECTOR_BITS / 8 };

/* Copies one vector register to `to`. Lanes after the end of the array become 0. */
static void get_vector(const void *from, const struct vector_range *w, unsigned char *to) {
    const size_t bytes = w->lanes * w->bits / 8;
    memcpy(to, (const unsigned char *)from + w->number * VECTOR_BYTES, bytes);
    memset(to + bytes, 0, VECTOR_BYTES - bytes);
}

static void put_vector(const unsigned char *from, const struct vector_range *w, void *to) {
    memcpy((unsigned char *)to + w->number * VECTOR_BYTES, from, w->lanes * w->bits / 8);
}

pto_status pto_step_permute(const struct step *s, const struct addresses *at, size_t n) {
    const size_t bits = s->parameters.vector.bits, lanes = VECTOR_BITS / bits;
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        unsigned char from[VECTOR_BYTES], numbers[VECTOR_BYTES], to[VECTOR_BYTES];
        pto_status status;
        get_vector(at->src[0], &w, from);
        get_vector(at->src[1], &w, numbers);
        status = pto_vpermute(untyped(bits), lanes, from, numbers, to, lanes);
        if (status != PTO_OK) return status;
        put_vector(to, &w, at->dst[0]);
    }
    return PTO_OK;
}

pto_status pto_step_vdup(const struct step *s, const struct addresses *at, size_t n) {
    const size_t bytes = s->parameters.vector.bits / 8,
                 lane = s->parameters.vector.highest ? VECTOR_BYTES - bytes : 0;
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        unsigned char from[VECTOR_BYTES], to[VECTOR_BYTES];
        get_vector(at->src[0], &w, from);
        for (size_t i = 0; i < VECTOR_BYTES; i += bytes) memcpy(to + i, from + lane, bytes);
        put_vector(to, &w, at->dst[0]);
    }
    return PTO_OK;
}

/* Interleaves the elements of two vector registers, or deinterleaves them if `deinterleave` is set. `from`
 * and `to` have two vector registers each, one after the other. */
static void shuffle(bool deinterleave, size_t bytes, const unsigned char *from, unsigned char *to) {
    const size_t elements_per_vector = VECTOR_BYTES / bytes;
    for (size_t i = 0; i < elements_per_vector; i++)
        for (size_t k = 0; k < 2; k++) {
            const size_t interleaved = (2 * i + k) * bytes, separate = (k * elements_per_vector + i) * bytes;
            memcpy(to + (deinterleave ? separate : interleaved),
                   from + (deinterleave ? interleaved : separate), bytes);
        }
}

static pto_status shuffle_each(bool deinterleave, const struct step *s, const struct addresses *at,
                               size_t n) {
    struct vector_range w = {0};
    while (next_vector(&w, s, n)) {
        unsigned char from[2 * VECTOR_BYTES], to[2 * VECTOR_BYTES];
        get_vector(at->src[0], &w, from);
        get_vector(at->src[1], &w, from + VECTOR_BYTES);
        shuffle(deinterleave, s->parameters.vector.bits / 8, from, to);
        put_vector(to, &w, at->dst[0]);
        put_vector(to + VECTOR_BYTES, &w, at->dst[1]);
    }
    return PTO_OK;
}

pto_status pto_step_vintlv(const struct step *s, const struct addresses *at, size_t n) {
    return shuffle_each(false, s, at, n);
}

pto_status pto_step_vdintlv(const struct step *s, const struct addresses *at, size_t n) {
    return shuffle_each(true, s, at, n);
}

/* ---- memory ---- */

pto_status pto_step_vbits(const struct step *s, const struct addresses *at, size_t n) {
    memcpy(at->dst[0], at->src[0], n * s->parameters.vector.lane_bits / 8);
    return PTO_OK;
}

pto_status pto_step_unpack(const struct step *s, const struct addresses *at, size_t n) {
    const size_t wide = s->parameters.vector.bits / 8, narrow = wide / s->parameters.vector.width_ratio;
    const unsigned char *from = at->src[0];
    unsigned char *to = at->dst[0];
    memset(to, 0, count_of(s, n) * wide);
    for (size_t i = 0; i < count_of(s, n); i++) memcpy(to + i * wide, from + i * narrow, narrow);
    return PTO_OK;
}

pto_status pto_step_pack(const struct step *s, const struct addresses *at, size_t n) {
    const size_t wide = s->parameters.vector.bits / 8, narrow = wide / s->parameters.vector.width_ratio;
    const unsigned char *from = at->src[0];
    unsigned char *to = at->dst[0];
    for (size_t i = 0; i < count_of(s, n); i++) memcpy(to + i * narrow, from + i * wide, narrow);
    return PTO_OK;
}
