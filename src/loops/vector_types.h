/* SPDX-License-Identifier: MIT */
/*
 * Vectors of WORD-bit lanes for the conversions, in the vector types of gcc and clang. Arithmetic, logic and
 * shifts are C's operators, lane by lane. The other operations have the names of vocabulary.h, and there are a
 * few more:
 *
 *   u32v, s32v             a vector of unsigned and of signed lanes
 *   v_const_32(k)          every lane = k
 *   v_gt_u32(x, y)         x > y
 *   v_min_u32, v_min_s32, v_max_s32  (x, y)
 *   v_clamp_32(x, lo, hi)  signed
 *   v_minus_1_32(x)        x - 1
 *   v_load_32(p, b, s)     loads a vector of elements of b bytes, sign-extended if s, else zero-extended
 *   v_store_32(p, x, b)    stores the low b bytes of each lane; both work at any alignment
 *
 * The same names exist with 64 for 32. Part of convert_vector.h, which defines macros without the width for all
 * names. An ISA may define the operations from vmask to v_store itself, in a file that CVT_ISA names.
 */
typedef word uvec __attribute__((vector_size(VBYTES)));
typedef CAT(s, WORD) svec __attribute__((vector_size(VBYTES)));

enum { VLANES = VBYTES * 8 / WORD };

static ALWAYS_INLINE uvec v_const(word x) {
    return x - (uvec){0};
}

/* Returns x - 1. gcc 12 computes x + -1, where -1 is all ones. For AVX-512 it makes this vector anew in each
 * iteration of a loop, by an instruction that depends on the previous contents of its register. So iterations
 * wait for each other. The empty asm hides from the compiler that `one` is 1. */
static ALWAYS_INLINE uvec v_minus_1(uvec x) {
    uvec one = v_const(1);
#if defined(__AVX512F__) && !defined(__clang__)
    __asm__("" : "+v"(one));
#endif
    return x - one;
}

#ifdef CVT_ISA
#    include CVT_ISA
#else

typedef svec vmask; /* lanes of all ones or all zeros */

static ALWAYS_INLINE vmask v_lt_u(uvec a, uvec b) {
    return (svec)(a < b);
}

static ALWAYS_INLINE vmask v_gt_u(uvec a, uvec b) {
    return (svec)(a > b);
}

static ALWAYS_INLINE uvec v_sel(vmask m, uvec yes, uvec no) {
    return (yes & (uvec)m) | (no & ~(uvec)m);
}

static ALWAYS_INLINE uvec v_min_u(uvec a, uvec b) {
    return v_sel(v_lt_u(a, b), a, b);
}

static ALWAYS_INLINE svec v_min_s(svec a, svec b) {
    return (svec)v_sel((svec)(a < b), (uvec)a, (uvec)b);
}

static ALWAYS_INLINE svec v_max_s(svec a, svec b) {
    return (svec)v_sel((svec)(a > b), (uvec)a, (uvec)b);
}

/* Vectors of VLANES elements of 1, 2, 4 or WORD / 8 bytes, at any alignment. */
#    define PART(bytes) __attribute__((vector_size(VLANES * (bytes)), aligned(1), may_alias))
typedef u8 u8s PART(1);
typedef u16 u16s PART(2);
typedef u32 u32s PART(4);
typedef s8 s8s PART(1);
typedef s16 s16s PART(2);
typedef s32 s32s PART(4);
typedef word words PART(WORD / 8);
#    undef PART

static ALWAYS_INLINE uvec v_load(const u8 *p, size_t bytes, bool is_signed) {
    if (bytes == 1 && is_signed) return (uvec) __builtin_convertvector(*(const s8s *)p, svec);
    if (bytes == 2 && is_signed) return (uvec) __builtin_convertvector(*(const s16s *)p, svec);
    if (bytes == 4 && is_signed) return (uvec) __builtin_convertvector(*(const s32s *)p, svec);
    if (bytes == 1) return __builtin_convertvector(*(const u8s *)p, uvec);
    if (bytes == 2) return __builtin_convertvector(*(const u16s *)p, uvec);
    if (bytes == 4) return __builtin_convertvector(*(const u32s *)p, uvec);
    return *(const words *)p;
}

static ALWAYS_INLINE void v_store(u8 *p, uvec x, size_t bytes) {
    if (bytes == 1)
        *(u8s *)p = __builtin_convertvector(x, u8s);
    else if (bytes == 2)
        *(u16s *)p = __builtin_convertvector(x, u16s);
    else if (bytes == 4)
        *(u32s *)p = __builtin_convertvector(x, u32s);
    else
        *(words *)p = x;
}

#endif

static ALWAYS_INLINE svec v_clamp(svec x, s32 low, s32 high) {
    return v_min_s(v_max_s(x, (svec)v_const((word)(CAT(s, WORD))low)),
                   (svec)v_const((word)(CAT(s, WORD))high));
}
