/* SPDX-License-Identifier: MIT */
/* Look-ups by 6 and 7 bits, and helpers to build their tables. Tables are written with C's operators on
 * vectors, so compilers can compute them at compile time. Part of vbmi.c. */

/* Returns bytes from 0 to 63. */
static ALWAYS_INLINE bytes t_iota(void) {
    typedef u64 eights __attribute__((vector_size(VBYTES)));
    const eights first = {0, 8, 16, 24, 32, 40, 48, 56};
    return (bytes)(first * 0x0101010101010101 + 0x0706050403020100);
}

/* Selects byte by byte. `truth` is the result of a comparison: all ones or 0 in each byte. */
static ALWAYS_INLINE bytes t_select(bytes truth, bytes yes, bytes no) {
    return (yes & truth) | (no & ~truth);
}

#define T_MASK(comparison) ((bytes)(comparison))

/* Returns the entry for the low 6 bits of each index. */
static ALWAYS_INLINE bytes look_up_64(bytes table, bytes index) {
    return (bytes)_mm512_permutexvar_epi8((__m512i)index, (__m512i)table);
}

struct table_128 {
    bytes low, high;
};

/* Returns the entry for the low 7 bits of each index. */
static ALWAYS_INLINE bytes look_up_128(struct table_128 table, bytes index) {
    return (bytes)_mm512_permutex2var_epi8((__m512i)table.low, (__m512i)index, (__m512i)table.high);
}

static ALWAYS_INLINE bytes and_three(bytes a, bytes b, bytes c) {
    return (bytes)_mm512_ternarylogic_epi32((__m512i)a, (__m512i)b, (__m512i)c, 0x80);
}

static ALWAYS_INLINE bool no_top_bit(bytes x) {
    return _mm512_movepi8_mask((__m512i)x) == 0;
}

static ALWAYS_INLINE bool every_top_bit(bytes x) {
    return _mm512_movepi8_mask((__m512i)x) == ~(__mmask64)0;
}
