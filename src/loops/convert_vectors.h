/* SPDX-License-Identifier: MIT */
/*
 * Vectors of WORD-bit lanes for the conversions, in the vector types of gcc and clang: arithmetic, logic and
 * shifts are C's operators, lane by lane. Include with WORD defined, and VBYTES, the size of a register.
 *
 * An ISA may bring the entries of its own from N(mask) to N(store): CVT_ISA names the file.
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

#ifdef CVT_ISA
#    include CVT_ISA
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

/* A vector's worth of elements of 1, 2, 4 or 8 bytes, anywhere in memory; zero- or sign-extended when loaded,
 * cut when stored. */
#    define PART(bytes) __attribute__((vector_size(N(LANES) * (bytes)), aligned(1), may_alias))
typedef u8 N(u8s) PART(1);
typedef u16 N(u16s) PART(2);
typedef u32 N(u32s) PART(4);
typedef s8 N(s8s) PART(1);
typedef s16 N(s16s) PART(2);
typedef s32 N(s32s) PART(4);
typedef E N(words) PART(WORD / 8);
#    undef PART

static ALWAYS_INLINE U N(load)(const u8 *p, size_t bytes, bool is_signed) {
    if (bytes == 1 && is_signed) return (U) __builtin_convertvector(*(const N(s8s) *)p, S);
    if (bytes == 2 && is_signed) return (U) __builtin_convertvector(*(const N(s16s) *)p, S);
    if (bytes == 4 && is_signed) return (U) __builtin_convertvector(*(const N(s32s) *)p, S);
    if (bytes == 1) return __builtin_convertvector(*(const N(u8s) *)p, U);
    if (bytes == 2) return __builtin_convertvector(*(const N(u16s) *)p, U);
    if (bytes == 4) return __builtin_convertvector(*(const N(u32s) *)p, U);
    return *(const N(words) *)p;
}

static ALWAYS_INLINE void N(store)(u8 *p, U x, size_t bytes) {
    if (bytes == 1)
        *(N(u8s) *)p = __builtin_convertvector(x, N(u8s));
    else if (bytes == 2)
        *(N(u16s) *)p = __builtin_convertvector(x, N(u16s));
    else if (bytes == 4)
        *(N(u32s) *)p = __builtin_convertvector(x, N(u32s));
    else
        *(N(words) *)p = x;
}

#endif

static ALWAYS_INLINE S N(clamp)(S x, s32 low, s32 high) {
    return N(least_s)(N(most_s)(x, (S)N(all)((E)(CAT(s, WORD))low)), (S)N(all)((E)(CAT(s, WORD))high));
}

#undef E
#undef U
#undef S
#undef N
#undef WORD
