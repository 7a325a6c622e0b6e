/* SPDX-License-Identifier: MIT */
/*
 * Vectors of WORD-bit lanes for the conversions, in the vector types of gcc and clang: arithmetic, logic and
 * shifts are C's operators, lane by lane. Include with WORD defined, and VBYTES, the size of a register.
 *
 * An ISA whose truth is no vector (CVT_HAS_MASKS) brings N(mask), N(below), N(above), N(select), N(least),
 * N(least_s) and N(most_s) itself.
 */
#define E       CAT(u, WORD)
#define U       CAT3(u, WORD, v)
#define S       CAT3(s, WORD, v)
#define N(name) CAT3(name, _, WORD)

typedef E U __attribute__((vector_size(VBYTES)));
typedef CAT(s, WORD) S __attribute__((vector_size(VBYTES)));

enum { N(LANES) = VBYTES * 8 / WORD };

static ALWAYS_INLINE U N(all)(E x) {
    return x - (U){0};
}

#ifdef CVT_HAS_MASKS
#    include CVT_HAS_MASKS
#else

typedef S N(mask); /* lanes of all ones or all zeros */

static ALWAYS_INLINE N(mask) N(below)(U a, U b) {
    return (S)(a < b);
}

static ALWAYS_INLINE N(mask) N(above)(U a, U b) {
    return (S)(a > b);
}

static ALWAYS_INLINE U N(select)(N(mask) m, U yes, U no) {
    return (yes & (U)m) | (no & ~(U)m);
}

static ALWAYS_INLINE U N(least)(U a, U b) {
    return N(select)(N(below)(a, b), a, b);
}

static ALWAYS_INLINE S N(least_s)(S a, S b) {
    return (S)N(select)((S)(a < b), (U)a, (U)b);
}

static ALWAYS_INLINE S N(most_s)(S a, S b) {
    return (S)N(select)((S)(a > b), (U)a, (U)b);
}

#endif

static ALWAYS_INLINE S N(clamp)(S x, s32 low, s32 high) {
    return N(least_s)(N(most_s)(x, (S)N(all)((E)(CAT(s, WORD))low)), (S)N(all)((E)(CAT(s, WORD))high));
}

/* A vector's worth of elements of 1, 2, 4 or 8 bytes, zero- or sign-extended; narrower ones are stored cut.
 */
#define PART(bytes) __attribute__((vector_size(N(LANES) * (bytes))))
typedef u8 N(u8s) PART(1);
typedef u16 N(u16s) PART(2);
typedef u32 N(u32s) PART(4);
typedef s8 N(s8s) PART(1);
typedef s16 N(s16s) PART(2);
typedef s32 N(s32s) PART(4);
#undef PART

#define EXTEND(part, type)                                                                                   \
    {                                                                                                        \
        N(part) x;                                                                                           \
        memcpy(&x, p, sizeof x);                                                                             \
        return (U) __builtin_convertvector(x, type);                                                         \
    }

static ALWAYS_INLINE U N(load)(const u8 *p, size_t bytes, bool is_signed) {
    U whole;
    if (bytes == 1 && is_signed) EXTEND(s8s, S)
    if (bytes == 2 && is_signed) EXTEND(s16s, S)
    if (bytes == 4 && is_signed) EXTEND(s32s, S)
    if (bytes == 1) EXTEND(u8s, U)
    if (bytes == 2) EXTEND(u16s, U)
    if (bytes == 4) EXTEND(u32s, U)
    memcpy(&whole, p, sizeof whole);
    return whole;
}

#undef EXTEND

#define CUT(part)                                                                                            \
    {                                                                                                        \
        const N(part) y = __builtin_convertvector(x, N(part));                                               \
        memcpy(p, &y, sizeof y);                                                                             \
        return;                                                                                              \
    }

static ALWAYS_INLINE void N(store)(u8 *p, U x, size_t bytes) {
    if (bytes == 1) CUT(u8s)
    if (bytes == 2) CUT(u16s)
    if (bytes == 4) CUT(u32s)
    memcpy(p, &x, sizeof x);
}

#undef CUT
#undef E
#undef U
#undef S
#undef N
#undef WORD
