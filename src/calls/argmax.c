/* SPDX-License-Identifier: MIT */
/* pto_vargmax() and pto_vargmin(). */
#include "pto/lanes.h"

#include "calls/small_floats.h"
#include "core/check.h"
#include "core/formats.h"
#include "core/types.h"
#include "pto/compare.h"
#include "pto/maxmin.h"

/* A chunk has CHUNK_BYTES bytes; twice as many without a seed, because then no copy is made. CHUNK_LANES is the most
 * lanes of a chunk. */
enum { CHUNK_BYTES = 4096, CHUNK_LANES = 2 * CHUNK_BYTES };

/* A search for the largest or the smallest element. */
struct search {
    pto_dtype type;
    unsigned flags; /* of vmax */
    bool is_max;
    size_t bytes; /* of an element */
    size_t chunk; /* elements */
    u64 neutral;  /* stands for lanes that are off: it never wins against another element */
};

/* Does what neutral_element() does, for a small float. */
static u64 neutral_small(const struct search *s, const struct small_float *f) {
    const unsigned sign = 1U << (f->bits - 1), largest = f->nan == sign - 1 ? (u8)f->largest : sign - 1;
    if ((s->flags & PTO_PROPAGATE_NAN) == 0 && f->bits == 8) return f->nan;
    return largest | (s->is_max ? sign : 0);
}

/* Returns an element that loses against every other one: a NaN or, if NaNs win, the infinity, or largest magnitude, at
 * the losing end of the order. */
static u64 neutral_element(const struct search *s, const struct dtype_info *type) {
    const u64 all = low_bits(type->bits), sign = (u64)1 << (type->bits - 1);
    switch (type->class) {
    case PTO_CLASS_UNSIGNED: return s->is_max ? 0 : all;
    case PTO_CLASS_SIGNED: return s->is_max ? sign : all - sign;
    default:
        if (pto_small_float(s->type) != NULL) return neutral_small(s, pto_small_float(s->type));
        if ((s->flags & PTO_PROPAGATE_NAN) == 0) return all;
        return cvt_inf_code(cvt_format_of(s->type)) | (s->is_max ? sign : 0);
    }
}

/* Drops the status of a call whose arguments are legal. */
static ALWAYS_INLINE void succeeds(pto_status status) {
    (void)status;
}

/* dst[i] = the larger or smaller one of a[i] and b[i]. */
static void fold(const struct search *s, const u8 *a, const u8 *b, u8 *dst, size_t n) {
    const pto_in x = pto_in_array(a), y = pto_in_array(b);
    succeeds(s->is_max ? pto_vmax(s->type, s->flags, x, y, dst, n)
                       : pto_vmin(s->type, s->flags, x, y, dst, n));
}

/* Stores the extreme of n > 0 elements in *to: each round halves them. If n is odd, the middle one is copied. */
static void extreme_of(const struct search *s, const u8 *x, size_t n, u8 *to) {
    u8 buffer[CHUNK_BYTES];
    while (n > 1) {
        const size_t half = n / 2, rest = n - half;
        fold(s, x, x + rest * s->bytes, buffer, half);
        if (rest != half && x != buffer) memcpy(buffer + half * s->bytes, x + half * s->bytes, s->bytes);
        x = buffer;
        n = rest;
    }
    memcpy(to, x, s->bytes);
}

/* Returns the first lane of n for which x CMP y is true, and whose seed is on, or n if there is none. y is one element,
 * or NULL for x itself. */
static size_t first_related(const struct search *s, pto_cmp cmp, const u8 *x, const u8 *y, pto_mask seed,
                            size_t n) {
    const unsigned ftz = s->flags & PTO_FTZ;
    u8 bits[CHUNK_LANES / 8];
    size_t first = n;
    succeeds(y == NULL ? pto_vcmp(s->type, cmp, ftz, x, x, seed, pto_packed(bits), n)
                       : pto_vcmps(s->type, cmp, ftz, x, y, seed, pto_packed(bits), n));
    succeeds(pto_mask_first(pto_packed(bits), n, &first));
    return first;
}

static bool is_related(const struct search *s, pto_cmp cmp, const u8 *x, const u8 *y) {
    return first_related(s, cmp, x, y, PTO_NO_MASK, 1) == 0;
}

static bool is_nan(const struct search *s, const u8 *x) {
    return pto_dtype_class(s->type) == PTO_CLASS_FLOAT && is_related(s, PTO_NAN, x, NULL);
}

/* Returns whether the extreme x of a chunk wins against `best`, that of earlier chunks. A NaN wins against everything
 * else or loses. */
static bool wins(const struct search *s, const u8 *x, const u8 *best) {
    const bool nan_wins = (s->flags & PTO_PROPAGATE_NAN) != 0;
    if (is_nan(s, best)) return !nan_wins && !is_nan(s, x);
    if (is_nan(s, x)) return nan_wins;
    return is_related(s, s->is_max ? PTO_GT : PTO_LT, x, best);
}

/* Copies the elements of a chunk whose seed is on, and the neutral element for the others. Returns the first lane that
 * is on, or n. */
static size_t take_seeded(const struct search *s, const u8 *x, pto_mask seed, u8 *to, size_t n) {
    size_t first = n;
    u8 neutral[8];
    store_bytes(neutral, s->neutral, s->bytes);
    succeeds(pto_mask_first(seed, n, &first));
    if (first < n) succeeds(pto_vsels(s->type, pto_in_array(x), pto_in_scalar(neutral), seed, to, n));
    return first;
}

/* Returns the index of the element in the chunk at `at` that equals `best`, the extreme of all. */
static size_t index_in_chunk(const struct search *s, const u8 *src, pto_mask seed, size_t at, const u8 *best,
                             size_t n) {
    const bool nan = is_nan(s, best);
    return at + first_related(s, nan ? PTO_NAN : PTO_EQ, src + at * s->bytes, nan ? NULL : best,
                              pto_mask_from(seed, at), min_size(n - at, s->chunk));
}

/*
 * Returns the index. Each chunk is reduced to its extreme, and only the first chunk that has the extreme of all is then
 * searched for it. If every element is a NaN that loses, that is the first one.
 */
static size_t find(const struct search *s, const u8 *src, pto_mask seed, size_t n) {
    size_t best_at = SIZE_MAX;
    u8 best[8], now[8], seeded[CHUNK_BYTES];
    for (size_t i = 0; i < n; i += s->chunk) {
        const size_t lanes = min_size(n - i, s->chunk);
        const u8 *x = src + i * s->bytes;
        if (seed.data != NULL) {
            if (take_seeded(s, x, pto_mask_from(seed, i), seeded, lanes) == lanes) continue;
            x = seeded;
        }
        extreme_of(s, x, lanes, now);
        if (best_at != SIZE_MAX && !wins(s, now, best)) continue;
        memcpy(best, now, s->bytes);
        best_at = i;
        if ((s->flags & PTO_PROPAGATE_NAN) != 0 && is_nan(s, best)) break;
    }
    return best_at == SIZE_MAX ? SIZE_MAX : index_in_chunk(s, src, seed, best_at, best, n);
}

static pto_status search(bool is_max, pto_dtype t, unsigned flags, const void *src, pto_mask seed,
                         size_t *index, size_t n) {
    const pto_in none = pto_in_array(NULL);
    const struct operand out = operand_array(index, 8 * sizeof *index, 1);
    struct search s = {.type = t, .flags = flags, .is_max = is_max, .bytes = pto_dtype_bits(t) / 8};
    pto_status status;
    if (index == NULL || (n != 0 && src == NULL)) return PTO_ERR_NULL;
    status = pto_vclamp(t, flags, none, none, none, NULL, 0); /* takes the same types and flags */
    if (status != PTO_OK) return status;
    if (seed.data != NULL && !mask_fits(seed.kind, 8 * s.bytes)) return PTO_ERR_MASK;
    if (n > 0 && is_empty_or_too_large(n)) return size_status(n);
    if (n > 0 &&
        (!disjoint(out, operand_array(src, 8 * s.bytes, n)) || !disjoint(out, operand_mask(seed, n))))
        return PTO_ERR_OVERLAP;
    s.chunk = CHUNK_BYTES / s.bytes * (seed.data == NULL ? 2 : 1);
    s.neutral = neutral_element(&s, dtype_info(t));
    *index = find(&s, src, seed, n);
    return PTO_OK;
}

pto_status pto_vargmax(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index, size_t n) {
    return search(true, t, flags, src, seed, index, n);
}

pto_status pto_vargmin(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index, size_t n) {
    return search(false, t, flags, src, seed, index, n);
}
