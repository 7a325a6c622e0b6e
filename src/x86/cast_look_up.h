/* SPDX-License-Identifier: MIT */
/*
 * Looks up the results of bytes in registers, for pto_cast(). Included by cast.c of AVX2 and AVX-512, after bytes.h.
 *
 * b_look_up() takes a table of 16 entries, so a table of 128 entries has 8 rows. Each row is stored as its exclusive or
 * with the previous row, so the exclusive or of the stored rows 0 to k is row k. Every row is looked up with the index
 * minus its own first index. In the rows after row k that is negative, and the lookup gives 0.
 */
#include "core/cast.h"

enum { LOOKUP_ROWS = 8, LOOKUP_HALF = 128, LOOKUP_PLANES = 2, LOOKUP_VECTORS = 2 };
enum { LOOKUP_STEP = LOOKUP_VECTORS * VBYTES };

/* The results of all bytes. A result has a plane for each of its bytes, the lowest first. An f32 has the planes of its
 * upper half, because the lower half follows from that. */
struct byte_tables {
    u8 rows[LOOKUP_PLANES][2][LOOKUP_HALF]; /* of bytes below 128, and of the others */
    u8 of_128[LOOKUP_PLANES];               /* the result of byte 128 */
    /* Whether only the first half is used: for b from 1 to 127, byte b + 128 has the result of b with the top bit set.
     * If the top bit of an entry is set, both bytes have the same result, whose top bit is 0. */
    bool is_symmetric;
};

static u8 plane_byte(const u8 *table, size_t bytes, size_t code, size_t plane) {
    return table[bytes * code + (bytes == 4 ? 2 : 0) + plane];
}

/* Returns whether byte code + 128 has the result of `code`, with the top bit or without. */
static bool is_symmetric_at(const u8 *table, size_t bytes, size_t code) {
    const u8 *const low = table + bytes * code, *const high = low + bytes * LOOKUP_HALF;
    const u8 top = low[bytes - 1];
    return memcmp(low, high, bytes - 1) == 0 && top < 0x80 && ((top ^ high[bytes - 1]) & 0x7f) == 0;
}

static bool is_symmetric(const u8 *table, size_t bytes) {
    bool all = table[bytes - 1] < 0x80;
    for (size_t code = 1; code < LOOKUP_HALF; ++code) all &= is_symmetric_at(table, bytes, code);
    return all;
}

/* Marks the bytes of the top plane where the sign makes no difference. */
static void mark_equal_results(u8 *half, const u8 *table, size_t bytes) {
    for (size_t code = 1; code < LOOKUP_HALF; ++code)
        if (table[bytes * code + bytes - 1] == table[bytes * (code + LOOKUP_HALF) + bytes - 1])
            half[code] |= 0x80;
}

/* Replaces each row by its difference from the row before. */
static void make_differences(u8 half[LOOKUP_HALF]) {
    for (size_t i = LOOKUP_HALF - 1; i >= 16; --i) half[i] ^= half[i - 16];
}

static void fill_byte_tables(struct byte_tables *t, const u8 *table, size_t bytes) {
    const size_t planes = min_size(bytes, LOOKUP_PLANES);
    t->is_symmetric = bytes > 1 && is_symmetric(table, bytes); /* there is no such loop for single bytes */
    for (size_t p = 0; p < planes; ++p) {
        for (size_t i = 0; i < 2 * (size_t)LOOKUP_HALF; ++i)
            t->rows[p][i / LOOKUP_HALF][i % LOOKUP_HALF] = plane_byte(table, bytes, i, p);
        t->of_128[p] = plane_byte(table, bytes, LOOKUP_HALF, p);
    }
    if (t->is_symmetric) mark_equal_results(t->rows[planes - 1][0], table, bytes);
    for (size_t p = 0; p < planes; ++p) {
        make_differences(t->rows[p][0]);
        make_differences(t->rows[p][1]);
    }
}

/* The results of some vectors of bytes, by planes. */
struct looked_up {
    bytes plane[LOOKUP_PLANES][LOOKUP_VECTORS];
};

/* Returns a ^ b. The empty asm keeps gcc from changing the order of a chain of these, which would take more registers
 * than there are. */
static ALWAYS_INLINE bytes xor_in_order(bytes a, bytes b) {
    bytes both = a ^ b;
    __asm__("" : "+v"(both));
    return both;
}

/* Looks up the low 7 bits of x in one half of the tables. */
static ALWAYS_INLINE struct looked_up look_up_half(size_t planes, size_t half, const struct byte_tables *t,
                                                   const bytes x[LOOKUP_VECTORS]) {
    struct looked_up y;
    bytes index[LOOKUP_VECTORS];
    UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) index[v] = x[v] & 0x7f;
    UNROLL for (size_t k = 0; k < LOOKUP_ROWS; ++k) {
        UNROLL for (size_t p = 0; p < planes; ++p) {
            const __m128i row = _mm_loadu_si128((const __m128i *)(const void *)(t->rows[p][half] + 16 * k));
            UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) {
                const bytes found = b_look_up(b_table(row), index[v]);
                y.plane[p][v] = k == 0 ? found : xor_in_order(y.plane[p][v], found);
            }
        }
        UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) {
            index[v] -= 16;
            __asm__("" : "+v"(index[v]));
        }
    }
    return y;
}

static ALWAYS_INLINE struct looked_up look_up_symmetric(size_t planes, const struct byte_tables *t,
                                                        const bytes x[LOOKUP_VECTORS]) {
    struct looked_up y = look_up_half(planes, 0, t, x);
    UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) {
        bytes *const top = &y.plane[planes - 1][v];
        const bytes is_128 = (bytes)(x[v] == b_const(LOOKUP_HALF));
        *top = b_select_bits(b_const(0x80), x[v] & ~*top, *top);
        UNROLL for (size_t p = 0; p < planes; ++p) y.plane[p][v] =
            b_select_bits(is_128, b_const(t->of_128[p]), y.plane[p][v]);
    }
    return y;
}

static ALWAYS_INLINE struct looked_up look_up_all(size_t planes, const struct byte_tables *t,
                                                  const bytes x[LOOKUP_VECTORS]) {
    struct looked_up y = look_up_half(planes, 0, t, x);
    const struct looked_up high = look_up_half(planes, 1, t, x);
    UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) {
        const bytes is_high = (bytes)(x[v] > b_const(0x7f));
        UNROLL for (size_t p = 0; p < planes; ++p) y.plane[p][v] =
            b_select_bits(is_high, high.plane[p][v], y.plane[p][v]);
    }
    return y;
}

/* Stores upper halves of f32. The lower half is zero, except in a NaN. */
static ALWAYS_INLINE void store_upper_halves(u8 *p, bytes halves) {
    const wide lower = (wide)((byte_pairs)halves == (byte_pairs){0} + 0x7fff);
    b_store(p, (bytes)WIDE(unpacklo_epi16)(lower, (wide)halves));
    b_store(p + VBYTES, (bytes)WIDE(unpackhi_epi16)(lower, (wide)halves));
}

/* Stores the results of one vector, of `out` bytes each. */
static ALWAYS_INLINE void store_results(size_t out, u8 *to, bytes lower, bytes upper) {
    const bytes low = b_low(lower, upper), high = b_high(lower, upper);
    if (out == 2) {
        b_store(to, low);
        b_store(to + VBYTES, high);
    } else {
        store_upper_halves(to, low);
        store_upper_halves(to + (size_t)2 * VBYTES, high);
    }
}

static ALWAYS_INLINE void look_up_loop(size_t out, bool symmetric, const struct byte_tables *t, const u8 *src,
                                       u8 *dst, size_t n) {
    const size_t planes = out == 1 ? 1 : LOOKUP_PLANES;
    for (size_t i = 0; i < n; i += LOOKUP_STEP) {
        bytes x[LOOKUP_VECTORS];
        struct looked_up y;
        UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) {
            const bytes codes = b_load(src + i + v * VBYTES);
            x[v] = out == 1 ? codes : out == 2 ? b_for_interleave(codes) : b_for_interleave_twice(codes);
        }
        y = symmetric ? look_up_symmetric(planes, t, x) : look_up_all(planes, t, x);
        UNROLL for (size_t v = 0; v < LOOKUP_VECTORS; ++v) {
            u8 *const to = dst + out * (i + v * VBYTES);
            if (out == 1)
                b_store(to, y.plane[0][v]);
            else
                store_results(out, to, y.plane[0][v], y.plane[1][v]);
        }
    }
}

static NOINLINE void look_up_8(const struct byte_tables *t, const u8 *src, u8 *dst, size_t n) {
    look_up_loop(1, false, t, src, dst, n);
}

static NOINLINE void look_up_16(const struct byte_tables *t, const u8 *src, u8 *dst, size_t n) {
    look_up_loop(2, false, t, src, dst, n);
}

static NOINLINE void look_up_16_symmetric(const struct byte_tables *t, const u8 *src, u8 *dst, size_t n) {
    look_up_loop(2, true, t, src, dst, n);
}

static NOINLINE void look_up_f32(const struct byte_tables *t, const u8 *src, u8 *dst, size_t n) {
    look_up_loop(4, false, t, src, dst, n);
}

static NOINLINE void look_up_f32_symmetric(const struct byte_tables *t, const u8 *src, u8 *dst, size_t n) {
    look_up_loop(4, true, t, src, dst, n);
}

/* Looks up as many of n bytes as fill whole vectors. Returns their number. `table` has the results, which are f32 or
 * have at most 2 bytes. */
static size_t look_up_vectors(const u8 *table, size_t bytes, const u8 *src, u8 *dst, size_t n) {
    const size_t whole = n - n % LOOKUP_STEP;
    struct byte_tables t;
    fill_byte_tables(&t, table, bytes);
    if (bytes == 1)
        look_up_8(&t, src, dst, whole);
    else if (bytes == 2)
        (t.is_symmetric ? look_up_16_symmetric : look_up_16)(&t, src, dst, whole);
    else
        (t.is_symmetric ? look_up_f32_symmetric : look_up_f32)(&t, src, dst, whole);
    return whole;
}
