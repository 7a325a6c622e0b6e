/* SPDX-License-Identifier: MIT */
/*
 * Converts f32 to hif8 to nearest even in byte lanes, for pto_cast(). Included by cast.c of AVX2 and AVX-512, after
 * bytes.h.
 *
 * An f32 is first rounded to odd to a bf16. Its exponent gives the codes of the two powers of two around the value, and
 * a class, which says how many fraction bits there are between them and how to round to these.
 */
#include "core/cast.h"

/* The first exponent of the tables is that of 2^-24. All smaller values share its entries, which give 0. */
enum { HIF8_FIRST_FIELD = 127 - 24, HIF8_ENTRIES = 48 };

/* Tables by exponent, as rows of 16 entries: each row is stored as its difference from the row before. */
struct hif8_tables {
    u8 lower[HIF8_ENTRIES], upper[HIF8_ENTRIES], class[HIF8_ENTRIES];
};

/* How 7 fraction bits are rounded: the sum is the fraction plus `half`, plus 1 if the bit `last` of the fraction is
 * set. If the sum is 128 or more, the result is the upper power of two. Otherwise it is the code of the lower one plus
 * hif8_places[((sum & keep) >> 4) + first]. */
struct hif8_class {
    u8 half, last, keep, first;
};

/* The first three classes have 3, 2 and 1 fraction bits. The next two have none: one is above an even code, one above
 * an odd code, so that ties go to the even code. HIF8_BELOW is exponent -23, where only 2^-23 itself becomes 0.
 * HIF8_FIXED is for results that do not depend on the fraction: 0 and the infinity. */
enum { HIF8_NO_FRACTION = 3, HIF8_BELOW = 5, HIF8_FIXED = 6, HIF8_CLASSES = 7 };
static const struct hif8_class hif8_classes[HIF8_CLASSES] = {
    {7, 0x10, 0x70, 0}, {15, 0x20, 0x60, 8}, {31, 0x40, 0x40, 9}, {63, 0, 0, 0},
    {64, 0, 0, 0},      {127, 0, 0, 0},      {0, 0, 0, 0}};

/* The places after a power of two: those of 3 fraction bits at 0 to 7, of 2 at 8, 10, 12, 14, of 1 at 9 and 13. */
static const u8 hif8_places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 1, 0, 2, 1, 3, 0};

static u8 hif8_class_of(int exponent, u8 lower) {
    const int size = exponent < 0 ? -exponent : exponent;
    if (exponent > 15 || exponent < -23) return HIF8_FIXED;
    if (size <= 15) return (u8)(size > 3) + (u8)(size > 7);
    return exponent == -23 ? HIF8_BELOW : (u8)(HIF8_NO_FRACTION + (lower & 1));
}

/* The codes of 2^-24 and the powers of two after it, to nearest even. From 2^16 on it is that of infinity. */
static const u8 hif8_powers[HIF8_ENTRIES + 1] = {
    0,   0,   1,   2,   3,   4,   5,   6,   7,   126, 124, 122, 120, 118, 116, 114, 112,
    92,  88,  84,  80,  56,  48,  24,  8,   16,  32,  40,  64,  68,  72,  76,  96,  98,
    100, 102, 104, 106, 108, 110, 111, 111, 111, 111, 111, 111, 111, 111, 111};

/* Replaces each row by its difference, by exclusive or, from the row before. */
static void difference_rows(u8 table[HIF8_ENTRIES]) {
    for (size_t i = HIF8_ENTRIES - 1; i >= 16; --i) table[i] ^= table[i - 16];
}

static void fill_hif8_tables(struct hif8_tables *t) {
    for (size_t i = 0; i < HIF8_ENTRIES; ++i) {
        t->lower[i] = hif8_powers[i];
        t->upper[i] = hif8_powers[i + 1];
        t->class[i] = hif8_class_of((int)i + HIF8_FIRST_FIELD - 127, hif8_powers[i]);
    }
    difference_rows(t->lower);
    difference_rows(t->upper);
    difference_rows(t->class);
}

static ALWAYS_INLINE bytes hif8_row(const u8 *p) {
    return b_table(_mm_loadu_si128((const __m128i *)(const void *)p));
}

/* Returns the entries for indices from 0 to 47. */
static ALWAYS_INLINE bytes look_up_48(const u8 table[HIF8_ENTRIES], bytes index) {
    bytes y = b_look_up(hif8_row(table), index);
    UNROLL for (size_t at = 16; at < HIF8_ENTRIES; at += 16) y ^=
        b_look_up(hif8_row(table + at), index - (u8)at);
    return y;
}

/* The classes' members as tables by class. */
struct hif8_rounding {
    bytes half, last, keep, first, places;
};

static struct hif8_rounding hif8_rounding_of(void) {
    u8 half[16] = {0}, last[16] = {0}, keep[16] = {0}, first[16] = {0};
    for (size_t i = 0; i < HIF8_CLASSES; ++i) {
        half[i] = hif8_classes[i].half;
        last[i] = hif8_classes[i].last;
        keep[i] = hif8_classes[i].keep;
        first[i] = hif8_classes[i].first;
    }
    return (struct hif8_rounding){hif8_row(half), hif8_row(last), hif8_row(keep), hif8_row(first),
                                  hif8_row(hif8_places)};
}

/* Returns two vectors of f32 as bf16 rounded to odd. Each 16 bytes have four of the first, then four of the second. */
static ALWAYS_INLINE wide odd_halves(const u8 *p) {
    const bytes order = b_table(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    const wide a = (wide)b_look_up(b_load(p), order), b = (wide)b_look_up(b_load(p + VBYTES), order);
    const wide lower = WIDE(unpacklo_epi64)(a, b), upper = WIDE(unpackhi_epi64)(a, b);
    return (wide)((bytes)upper | (bytes)WIDE(min_epu16)(lower, WIDE(set1_epi16)(1)));
}

/* Returns codes without sign, from exponent fields and 7 fraction bits. */
static ALWAYS_INLINE bytes hif8_codes(const struct hif8_tables *t, const struct hif8_rounding *r, bytes field,
                                      bytes fraction) {
    typedef s8 signed_bytes __attribute__((vector_size(VBYTES)));
    const bytes index = b_min(b_sub_saturated(field, b_const(HIF8_FIRST_FIELD)), b_const(HIF8_ENTRIES - 1));
    const bytes class = look_up_48(t->class, index);
    const bytes odd = b_min(fraction & b_look_up(r->last, class), b_const(1));
    const bytes sum = fraction + b_look_up(r->half, class) + odd;
    const bytes place = b_right(sum & b_look_up(r->keep, class), 4) + b_look_up(r->first, class);
    const bytes carries = (bytes)((signed_bytes)sum < 0);
    return b_select_bits(carries, look_up_48(t->upper, index),
                         look_up_48(t->lower, index) + b_look_up(r->places, place));
}

/* Converts the first elements, as many as fill whole vectors, and returns how many these are. Finite values that are
 * too large become the same as infinities, so `overflow` must not be PTO_OVERFLOW_SATURATE_FINITE. */
static size_t narrow_to_hif8(pto_cast_op op, const u8 *words, u8 *dst, size_t n) {
    const bytes infinity = b_const(op.overflow == PTO_OVERFLOW_SATURATE ? HIF8_LARGEST : HIF8_INFINITY);
    const struct hif8_rounding r = hif8_rounding_of();
    const size_t whole = n - n % VBYTES;
    struct hif8_tables t;
    fill_hif8_tables(&t);
    for (size_t i = 0; i < whole; i += VBYTES) {
        const wide a = odd_halves(words + 4 * i), b = odd_halves(words + 4 * i + (size_t)2 * VBYTES);
        const wide low = WIDE(set1_epi16)(0xff);
        const bytes upper = (bytes)WIDE(packus_epi16)(WIDE(srli_epi16)(a, 8), WIDE(srli_epi16)(b, 8));
        const bytes lower =
            (bytes)WIDE(packus_epi16)((wide)((bytes)a & (bytes)low), (wide)((bytes)b & (bytes)low));
        const bytes field = (upper + upper) | (b_right(lower, 7) & 1), fraction = lower & 0x7f;
        const bytes code = hif8_codes(&t, &r, field, fraction);
        const bytes is_nan = (bytes)(field == 0xff) & (bytes)(fraction != 0);
        const bytes number = b_select_bits((bytes)(code == HIF8_INFINITY), infinity, code) |
                             (upper & 0x80 & (bytes)(code != 0));
        b_store(dst + i, b_after_packing_twice(b_select_bits(is_nan, b_const(HIF8_NAN), number)));
    }
    return whole;
}
