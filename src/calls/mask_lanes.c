/* SPDX-License-Identifier: MIT */
/* Copies lanes of masks from and to any position, sets ranges of lanes, and splits lanes among threads. */
#include "pto/mask.h"

#include "core/block.h"
#include "dispatch/dispatch.h"

/* ---- bits ---- */

/* If there are fewer bytes than this, copy_bytes() copies them without calling a kernel. */
enum { FEW_BYTES = 32 };

/* Stores the low `count` bits of `bits` in *byte from bit `shift` on. count + shift is at most 8. */
static void put_bits(u8 *byte, size_t shift, u64 bits, size_t count) {
    const unsigned own = (unsigned)low_bits(count) << shift;
    *byte = (u8)((*byte & ~own) | ((unsigned)(bits << shift) & own));
}

/* Writes `bytes` whole bytes to `to`: the bits that begin at bit `at` of `from`. */
static void copy_bytes(const u8 *from, size_t at, u8 *to, size_t bytes) {
    from += at / 8;
    at %= 8;
    if (at == 0)
        memmove(to, from, bytes); /* to may be from */
    else if (bytes < FEW_BYTES)
        copy_bits_by_words(from, at, to, bytes);
    else
        pto_active_kernels()->shift_bits(from, at, to, bytes);
}

/* Copies n bits from bit `at` of `from` to bit `to_at` of `to`. All other bits of `to` are unchanged. */
static void copy_bits(const u8 *from, size_t at, u8 *to, size_t to_at, size_t n) {
    to += to_at / 8;
    to_at %= 8;
    if (to_at != 0) {
        const size_t head = min_size(n, 8 - to_at);
        put_bits(to++, to_at, bits_at(from, at, head), head);
        at += head;
        n -= head;
    }
    copy_bytes(from, at, to, n / 8);
    if (n % 8 != 0) put_bits(to + n / 8, 0, bits_at(from, at + n / 8 * 8, n % 8), n % 8);
}

/* ---- copies ---- */

/* The bits of memory that some lanes of a mask take. */
struct span {
    u8 *at;           /* the byte with the first bit */
    size_t shift;     /* the position of the first bit in that byte */
    size_t bits;      /* number of bits of all lanes */
    size_t lane_bits; /* number of bits of a lane */
};

static struct span span_of(pto_mask m, size_t lane, size_t n) {
    const size_t lane_bits = mask_lane_bits(m.kind), first = lane * lane_bits;
    const struct span s = {(u8 *)m.data + first / 8, first % 8, n * lane_bits, lane_bits};
    return s;
}

static struct operand operand_span(const struct span *s) {
    return (struct operand){(uintptr_t)s->at, (s->shift + s->bits + 7) / 8, s->lane_bits};
}

static bool copy_allowed(const struct span *dst, const struct span *src) {
    const struct operand d = operand_span(dst), s = operand_span(src);
    return disjoint(d, s) || (overlap_allowed(d, s) && dst->shift == src->shift);
}

/* Lanes are converted from one kind to the other in blocks, by way of packed bits. If the lanes of a block do not begin
 * and end at whole bytes of a mask, they are copied through the buffer `image`. The buffer has space for lanes of up to
 * 4 bits, because lanes of 8 bits always begin and end at whole bytes. */
enum { COPY_LANES = 2048, IMAGE_WORDS = COPY_LANES * 4 / 64 };

static void load_lanes(mask_fn *load, const struct span *src, u64 *bits, size_t lanes) {
    u64 image[IMAGE_WORDS];
    if (src->shift == 0) {
        load(src->at, bits, lanes);
        return;
    }
    block_begin(image, src->bits);
    copy_bits(src->at, src->shift, (u8 *)image, 0, src->bits);
    load(image, bits, lanes);
}

static void store_lanes(mask_fn *store, const u64 *bits, const struct span *dst, size_t lanes) {
    u64 image[IMAGE_WORDS];
    if (dst->shift == 0 && dst->bits % 8 == 0) {
        store(bits, dst->at, lanes);
        return;
    }
    store(bits, image, lanes);
    copy_bits((const u8 *)image, 0, dst->at, dst->shift, dst->bits);
}

static void copy_lanes(const struct pto_kernels *k, pto_mask src, size_t src_lane, pto_mask dst,
                       size_t dst_lane, size_t n) {
    u64 bits[COPY_LANES / 64];
    for (size_t i = 0; i < n; i += COPY_LANES) {
        const size_t lanes = min_size(n - i, COPY_LANES);
        const struct span from = span_of(src, src_lane + i, lanes), to = span_of(dst, dst_lane + i, lanes);
        load_lanes(k->mask_load[src.kind], &from, bits, lanes);
        store_lanes(k->mask_store[dst.kind], bits, &to, lanes);
    }
}

pto_status pto_mask_copy(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n) {
    struct span from, to;

    if (n != 0 && (src.data == NULL || dst.data == NULL)) return PTO_ERR_NULL;
    if (!is_mask_kind(src.kind) || !is_mask_kind(dst.kind)) return PTO_ERR_MASK;
    if (n > MAX_LANES || src_lane > MAX_LANES - n || dst_lane > MAX_LANES - n) return PTO_ERR_SIZE;
    if (n == 0) return PTO_OK;
    from = span_of(src, src_lane, n);
    to = span_of(dst, dst_lane, n);
    if (!copy_allowed(&to, &from)) return PTO_ERR_OVERLAP;
    if (from.lane_bits == 1 && to.lane_bits == 1)
        copy_bits(from.at, from.shift, to.at, to.shift, n);
    else
        copy_lanes(pto_active_kernels(), src, src_lane, dst, dst_lane, n);
    return PTO_OK;
}

/* ---- ranges ---- */

/* Returns a byte whose lanes of `lane_bits` bits all have the value 1. */
static u8 byte_of_ones(size_t lane_bits) {
    return (u8)(0xff / low_bits(lane_bits));
}

pto_status pto_mask_range(pto_mask dst, size_t from, size_t to, size_t n) {
    u8 *const p = dst.data;
    size_t bits, first, end, bytes;

    if (n != 0 && p == NULL) return PTO_ERR_NULL;
    if (!is_mask_kind(dst.kind)) return PTO_ERR_MASK;
    if (from > to || to > n || n > MAX_LANES) return PTO_ERR_SIZE;
    if (n == 0) return PTO_OK;
    bits = mask_lane_bits(dst.kind);
    bytes = (n * bits + 7) / 8;
    if (from == to) {
        memset(p, 0, bytes);
        return PTO_OK;
    }
    first = from * bits / 8;
    end = (to * bits + 7) / 8;
    memset(p, 0, first);
    memset(p + first, byte_of_ones(bits), end - first);
    memset(p + end, 0, bytes - end);
    p[first] &= (u8)(0xff << from * bits % 8);
    if (to * bits % 8 != 0) p[end - 1] &= (u8)low_bits(to * bits % 8);
    return PTO_OK;
}

/* ---- shares ---- */

enum { SHARE_LANES = 64 };

pto_status pto_split(size_t n, size_t parts, size_t k, size_t *begin, size_t *count) {
    const struct operand b = operand_array(begin, 8, sizeof *begin),
                         c = operand_array(count, 8, sizeof *count);
    size_t units, each, longer, first, lanes;

    if (begin == NULL || count == NULL) return PTO_ERR_NULL;
    if (k >= parts || n > MAX_LANES) return PTO_ERR_SIZE;
    if (!disjoint(b, c)) return PTO_ERR_OVERLAP;
    units = n / SHARE_LANES + (n % SHARE_LANES != 0);
    each = units / parts;
    longer = units % parts; /* the first `longer` shares have one unit more */
    first = (k * each + min_size(k, longer)) * SHARE_LANES;
    lanes = (each + (k < longer)) * SHARE_LANES;
    /* The start of an empty share, too, must not be after lane n. */
    *begin = min_size(first, n / SHARE_LANES * SHARE_LANES);
    *count = lanes == 0 ? 0 : min_size(lanes, n - first);
    return PTO_OK;
}
