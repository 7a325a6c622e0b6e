/* SPDX-License-Identifier: MIT */
/*
 * Copies packed bits that start inside a byte, in the compiler's own vectors of SHIFT_BYTES bytes. The bits
 * that a word lacks after the shift come from a second load, one byte further on. ISA and SHIFT_BYTES must be
 * defined.
 */
#define NAME(name) CAT3(name, _, ISA)

typedef u64 NAME(words) __attribute__((vector_size(SHIFT_BYTES), aligned(1), may_alias));

static ALWAYS_INLINE void NAME(shift_bits_by)(const u8 *from, unsigned at, u8 *to, size_t bytes) {
    size_t i = 0;
    UNROLL_4
    for (; i + SHIFT_BYTES <= bytes; i += SHIFT_BYTES) {
        const NAME(words) low = *(const NAME(words) *)(from + i) >> at,
                          high = *(const NAME(words) *)(from + i + 1) << (8 - at);
        *(NAME(words) *)(to + i) = low | high;
    }
    if (i < bytes) copy_bits_by_words(from + i, at, to + i, bytes - i);
}

/* Each case shifts by a constant, which is one operation. A shift by a variable is two on Intel CPUs. */
static void NAME(shift_bits)(const u8 *from, size_t at, u8 *to, size_t bytes) {
    switch (at) {
    case 1: NAME(shift_bits_by)(from, 1, to, bytes); break;
    case 2: NAME(shift_bits_by)(from, 2, to, bytes); break;
    case 3: NAME(shift_bits_by)(from, 3, to, bytes); break;
    case 4: NAME(shift_bits_by)(from, 4, to, bytes); break;
    case 5: NAME(shift_bits_by)(from, 5, to, bytes); break;
    case 6: NAME(shift_bits_by)(from, 6, to, bytes); break;
    default: NAME(shift_bits_by)(from, 7, to, bytes); break;
    }
}

#undef NAME
#undef SHIFT_BYTES
