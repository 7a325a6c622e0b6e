/* SPDX-License-Identifier: MIT */
/*
 * Loops of integer_loops.h for one width of elements. Before each inclusion define BITS, WORD and SIGNED_WORD (unsigned
 * and signed integers of BITS bits), NAME(x), which adds the width to a name, and, unless BITS is 64, WIDE and
 * SIGNED_WIDE, integers of twice the width. Operands of 8 and 16 bits are promoted to int, so results are converted
 * back to WORD.
 */

static ALWAYS_INLINE WORD NAME(load)(const void *from, size_t i) {
    WORD x;
    memcpy(&x, (const unsigned char *)from + i * sizeof x, sizeof x);
    return x;
}

static ALWAYS_INLINE void NAME(store)(void *to, size_t i, WORD x) {
    memcpy((unsigned char *)to + i * sizeof x, &x, sizeof x);
}

static ALWAYS_INLINE bool NAME(negative)(WORD a) {
    return a >> (BITS - 1) != 0;
}

static ALWAYS_INLINE bool NAME(less)(bool sign, WORD a, WORD b) {
    return sign ? (SIGNED_WORD)a < (SIGNED_WORD)b : a < b;
}

/* ---- sums ---- */

/* Returns the signed limit in the direction of a: the largest value, or the smallest if a is negative. */
static ALWAYS_INLINE WORD NAME(limit)(WORD a) {
    return (WORD)((WORD)(a >> (BITS - 1)) + ((WORD)-1 >> 1));
}

static ALWAYS_INLINE WORD NAME(add_sat)(bool sign, WORD a, WORD b) {
    const WORD sum = (WORD)(a + b);
    if (!sign) return sum < a ? (WORD)-1 : sum;
    return NAME(negative)((WORD)((a ^ sum) & (b ^ sum))) ? NAME(limit)(a) : sum;
}

static ALWAYS_INLINE WORD NAME(sub_sat)(bool sign, WORD a, WORD b) {
    const WORD difference = (WORD)(a - b);
    if (!sign) return a < b ? 0 : difference;
    return NAME(negative)((WORD)((a ^ b) & (a ^ difference))) ? NAME(limit)(a) : difference;
}

/* Returns a + b + carry, where carry is 0 or 1, and sets *out to the new carry. */
static ALWAYS_INLINE WORD NAME(add_carry)(WORD a, WORD b, uint32_t carry, uint32_t *out) {
    const WORD partial = (WORD)(a + b), sum = (WORD)(partial + carry);
    *out = (uint32_t)(partial < a) | (uint32_t)(sum < partial);
    return sum;
}

/* The same as add_carry for signed integers, saturated. */
static ALWAYS_INLINE WORD NAME(add_carry_sat)(WORD a, WORD b, uint32_t carry) {
    const WORD sum = (WORD)(a + b + carry);
    return NAME(negative)((WORD)((a ^ sum) & (b ^ sum))) ? NAME(limit)(a) : sum;
}

/* ---- products ---- */

#if BITS != 64
static ALWAYS_INLINE WIDE NAME(mul_wide)(bool sign, WORD a, WORD b) {
    return sign ? (WIDE)((SIGNED_WIDE)(SIGNED_WORD)a * (SIGNED_WORD)b) : (WIDE)((WIDE)a * b);
}
#endif

/* Returns the high half of the product. */
static ALWAYS_INLINE WORD NAME(mul_hi)(bool sign, WORD a, WORD b) {
#if BITS == 64
    return high_product(sign, a, b);
#else
    return (WORD)(NAME(mul_wide)(sign, a, b) >> BITS);
#endif
}

static ALWAYS_INLINE WORD NAME(mul_lo)(WORD a, WORD b) {
    return (WORD)(1U * a * b);
}

/* ---- quotients ---- */

/* A division by zero gives all ones. -1 is a case of its own, because the smallest integer divided by it overflows. */
static ALWAYS_INLINE WORD NAME(quotient)(bool sign, WORD a, WORD b) {
    if (b == 0) return (WORD)-1;
    if (!sign) return (WORD)(a / b);
    return b == (WORD)-1 ? (WORD)(0 - a) : (WORD)((SIGNED_WORD)a / (SIGNED_WORD)b);
}

static ALWAYS_INLINE WORD NAME(remainder)(bool sign, WORD a, WORD b) {
    if (b == 0) return (WORD)-1;
    if (!sign) return (WORD)(a % b);
    return b == (WORD)-1 ? 0 : (WORD)((SIGNED_WORD)a % (SIGNED_WORD)b);
}

/* ---- shifts ---- */

/* C leaves shifts undefined whose count is not below the width. AVX2 has variable shifts of 32 and 64 bits only, and no
 * arithmetic one of 64 bits. */

#if BITS < 32
/* Words are shifted as signed integers of 32 bits, where a count of 31 shifts out all bits of a word. gcc 12 would
 * narrow an unsigned right shift to the width of the word, and then not vectorize it. */
static ALWAYS_INLINE WORD NAME(shifted_left)(WORD a, uint32_t by) {
    return (WORD)((uint32_t)a << (by < 31 ? by : 31));
}

static ALWAYS_INLINE WORD NAME(shifted_right)(bool sign, WORD a, uint32_t by) {
    return (WORD)((sign ? (int32_t)(SIGNED_WORD)a : (int32_t)a) >> (by < 31 ? by : 31));
}
#else
/* Returns all ones for a count of less than the width, otherwise 0. As a mask it needs no branch, which would keep gcc
 * from vectorizing. */
static ALWAYS_INLINE WORD NAME(inside)(uint32_t count) {
    return (WORD)(0 - (WORD)(count < BITS));
}

static ALWAYS_INLINE WORD NAME(shifted_left)(WORD a, uint32_t by) {
    return (a << (by % BITS)) & NAME(inside)(by);
}

/* Returns a >> by, with copies of the sign bit if `sign` is set. Not all instruction sets have this shift for 64 bits,
 * so negative values are inverted, shifted with zeros, and inverted again. */
static ALWAYS_INLINE WORD NAME(shifted_right)(bool sign, WORD a, uint32_t by) {
    const WORD signs = sign ? (WORD)(0 - (a >> (BITS - 1))) : 0;
    if (BITS == 32 && sign) return (WORD)((SIGNED_WORD)a >> (by < 31 ? by : 31));
    return (((a ^ signs) >> (by % BITS)) & NAME(inside)(by)) ^ signs;
}
#endif

/* ---- bits ---- */

#if BITS >= 32
/* The halves of bytes, pairs of bits and single bits change places, and then the bytes. */
static ALWAYS_INLINE WORD NAME(reversed)(WORD a) {
    const WORD fours = (WORD)-1 / 17, pairs = (WORD)-1 / 5, ones = (WORD)-1 / 3;
    a = (a >> 4 & fours) | (a & fours) << 4;
    a = (a >> 2 & pairs) | (a & pairs) << 2;
    a = (a >> 1 & ones) | (a & ones) << 1;
    return BITS == 64 ? __builtin_bswap64(a) : __builtin_bswap32((uint32_t)a);
}

/* Returns the number of bits that are set: of pairs of bits, then of nibbles, bytes and the word. */
static ALWAYS_INLINE uint32_t NAME(ones)(WORD a) {
    const WORD pairs = (WORD)-1 / 3, fours = (WORD)-1 / 5;
    uint32_t sums;
    a = a - (a >> 1 & pairs);
    a = (a & fours) + (a >> 2 & fours);
    sums = (uint32_t)a + (BITS == 64 ? (uint32_t)(a >> BITS / 2) : 0);
    sums = (sums & 0x0f0f0f0f) + (sums >> 4 & 0x0f0f0f0f);
    return sums * 0x01010101 >> 24;
}

/* Returns the number of zeros above the highest bit that is set, from the exponent of a as an f32. Without the bit that
 * follows the highest one, a is not rounded up to the next power of two. If the highest bit of the 32 is set, the f32
 * is negative. */
static ALWAYS_INLINE uint32_t NAME(leading_zeros)(WORD a) {
#    if BITS == 64
    const uint32_t high = (uint32_t)(a >> 32);
    return leading_zeros_32(high != 0 ? high : (uint32_t)a) + (high != 0 ? 0 : 32);
#    else
    const float x = (float)(int32_t)(a & ~(a >> 1));
    int32_t bits, zeros;
    memcpy(&bits, &x, sizeof bits);
    zeros = 158 - (int32_t)((uint32_t)bits >> 23);
    return (uint32_t)(zeros < 0 ? 0 : zeros > BITS ? BITS : zeros);
#    endif
}

/* Returns the position of the highest bit that differs from the sign (of unsigned: that is set), or all ones. For
 * `shiftamt`, returns the shift that moves this bit to the top. */
static ALWAYS_INLINE uint32_t NAME(find)(bool sign, bool shiftamt, WORD a) {
    const uint32_t zeros = NAME(leading_zeros)(sign ? a ^ (0 - (a >> (BITS - 1))) : a);
    return shiftamt ? zeros | (0 - zeros / BITS) : BITS - 1 - zeros;
}

/* Returns `length` ones. */
static ALWAYS_INLINE WORD NAME(low_ones)(uint32_t length) {
    return ~NAME(shifted_left)((WORD)-1, length);
}

/* Returns a position or a length. Of 32-bit operands the chips use the low 8 bits. The assembler makes the instructions
 * on 64 bits from shifts, which use all bits. */
static ALWAYS_INLINE uint32_t NAME(position)(uint32_t count) {
    return BITS == 64 ? count : count & 0xff;
}

/* Returns a field with zeros or, of signed types, copies of its highest bit above it. If the field ends above a, that
 * is a's highest bit. */
static ALWAYS_INLINE WORD NAME(extract)(bool sign, WORD a, uint32_t position, uint32_t length) {
    const uint32_t bits = NAME(position)(length), above = BITS - (bits < BITS ? bits : BITS);
    const WORD field = NAME(shifted_right)(sign, a, NAME(position)(position));
    return sign ? NAME(shifted_right)(true, NAME(shifted_left)(field, above), above)
                : field & NAME(low_ones)(bits);
}

static ALWAYS_INLINE WORD NAME(insert)(WORD a, WORD b, uint32_t position, uint32_t length) {
    const uint32_t from = NAME(position)(position);
    const WORD mask = NAME(shifted_left)(NAME(low_ones)(NAME(position)(length)), from);
    return (b & ~mask) | (NAME(shifted_left)(a, from) & mask);
}
#endif

/* ---- loops ---- */

static ALWAYS_INLINE WORD NAME(result)(enum integer_op op, bool sign, WORD a, WORD b, WORD c) {
    WORD x;
    switch (op) {
    case INTEGER_ADD: return (WORD)(a + b);
    case INTEGER_SUB: return (WORD)(a - b);
    case INTEGER_MUL_LO: return NAME(mul_lo)(a, b);
    case INTEGER_NEG: return (WORD)(0 - a);
    case INTEGER_ABS: return NAME(negative)(a) ? (WORD)(0 - a) : a;
    case INTEGER_AND: return a & b;
    case INTEGER_OR: return a | b;
    case INTEGER_XOR: return a ^ b;
    case INTEGER_NOT: return (WORD)~a;
    case INTEGER_ADD_SAT: return NAME(add_sat)(sign, a, b);
    case INTEGER_SUB_SAT: return NAME(sub_sat)(sign, a, b);
    case INTEGER_MIN_RELU: x = NAME(less)(true, a, b) ? a : b; return NAME(negative)(x) ? 0 : x;
    case INTEGER_MAX_RELU: x = NAME(less)(true, a, b) ? b : a; return NAME(negative)(x) ? 0 : x;
    case INTEGER_MUL_HI: return NAME(mul_hi)(sign, a, b);
    case INTEGER_MAD_LO: return (WORD)(NAME(mul_lo)(a, b) + c);
    case INTEGER_MAD_HI: return (WORD)(NAME(mul_hi)(sign, a, b) + c);
    case INTEGER_MAD_HI_SAT: return NAME(add_sat)(true, NAME(mul_hi)(true, a, b), c);
    case INTEGER_SAD: return (WORD)(c + (NAME(less)(sign, a, b) ? (WORD)(b - a) : (WORD)(a - b)));
#if BITS >= 32
    case INTEGER_BREV: return NAME(reversed)(a);
#endif
    default: return a == 0;
    }
}

static ALWAYS_INLINE size_t NAME(sources)(enum integer_op op) {
    switch (op) {
    case INTEGER_NEG:
    case INTEGER_ABS:
    case INTEGER_NOT:
    case INTEGER_CNOT:
    case INTEGER_BREV: return 1;
    case INTEGER_MAD_LO:
    case INTEGER_MAD_HI:
    case INTEGER_MAD_HI_SAT:
    case INTEGER_SAD: return 3;
    default: return 2;
    }
}

static ALWAYS_INLINE void NAME(loop)(enum integer_op op, bool sign, struct addresses at, size_t n) {
    const void *a = at.src[0], *b = NAME(sources)(op) > 1 ? at.src[1] : a,
               *c = NAME(sources)(op) > 2 ? at.src[2] : a;
    const bool by_vectors = BITS >= 32 && is_high_product(op);
    void *d = at.dst[0];
    INDEPENDENT
    for (size_t i = by_vectors ? high_product_vectors(op, sign, BITS, at, n) : 0; i < n; i++)
        NAME(store)(d, i, NAME(result)(op, sign, NAME(load)(a, i), NAME(load)(b, i), NAME(load)(c, i)));
}

/* Divisions are not vectorized. */
static ALWAYS_INLINE void NAME(division_loop)(bool rest, bool sign, struct addresses at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const WORD a = NAME(load)(at.src[0], i), b = NAME(load)(at.src[1], i);
        NAME(store)(at.dst[0], i, rest ? NAME(remainder)(sign, a, b) : NAME(quotient)(sign, a, b));
    }
}

static ALWAYS_INLINE void NAME(division_by_sign)(bool rest, bool sign, struct addresses at, size_t n) {
    if (sign)
        NAME(division_loop)(rest, true, at, n);
    else
        NAME(division_loop)(rest, false, at, n);
}

static ALWAYS_INLINE void NAME(loop_by_sign)(enum integer_op op, bool sign, struct addresses at, size_t n) {
    if (sign)
        NAME(loop)(op, true, at, n);
    else
        NAME(loop)(op, false, at, n);
}

static ALWAYS_INLINE void NAME(shift_loop)(bool left, bool sign, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const WORD a = NAME(load)(at.src[0], i);
        const uint32_t by = load_32(at.src[1], i);
        NAME(store)(at.dst[0], i, left ? NAME(shifted_left)(a, by) : NAME(shifted_right)(sign, a, by));
    }
}

static ALWAYS_INLINE void NAME(carry_lanes)(enum integer_op op, bool sign, bool sets_flag,
                                            struct addresses at, size_t n) {
    const bool product =
        op == INTEGER_MAD_LO_CARRY || op == INTEGER_MAD_HI_CARRY || op == INTEGER_MAD_HI_CARRY_SAT;
    const bool sat =
        op == INTEGER_ADD_CARRY_SAT || op == INTEGER_SUB_CARRY_SAT || op == INTEGER_MAD_HI_CARRY_SAT;
    const void *a = at.src[0], *b = at.src[1], *c = product ? at.src[2] : a, *flag = at.src[3];
    void *d = at.dst[0], *new_flag = at.dst[1];
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        WORD x = NAME(load)(a, i), y = NAME(load)(b, i);
        uint32_t carry = load_32(flag, i);
        if (op == INTEGER_SUB_CARRY || op == INTEGER_SUB_CARRY_SAT) y = (WORD)~y;
        if (product) {
            x = op == INTEGER_MAD_LO_CARRY ? NAME(mul_lo)(x, y) : NAME(mul_hi)(sign, x, y);
            y = NAME(load)(c, i);
        }
        NAME(store)(d, i, sat ? NAME(add_carry_sat)(x, y, carry) : NAME(add_carry)(x, y, carry, &carry));
        if (sets_flag) store_32(new_flag, i, carry);
    }
}

static ALWAYS_INLINE void NAME(carry_loop)(enum integer_op op, bool sign, struct addresses at, size_t n) {
    if (at.dst[1])
        NAME(carry_lanes)(op, sign, true, at, n);
    else
        NAME(carry_lanes)(op, sign, false, at, n);
}

#if BITS >= 32
static ALWAYS_INLINE void NAME(count_loop)(enum integer_op op, bool sign, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const WORD a = NAME(load)(at.src[0], i);
        const uint32_t count = op == INTEGER_POPC  ? NAME(ones)(a)
                               : op == INTEGER_CLZ ? NAME(leading_zeros)(a)
                                                   : NAME(find)(sign, op == INTEGER_BFIND_SHIFTAMT, a);
        store_32(at.dst[0], i, count);
    }
}

static ALWAYS_INLINE void NAME(extract_loop)(bool sign, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = BITS == 64 ? extract_vectors(sign, at, n) : 0; i < n; i++) NAME(store)
    (at.dst[0], i,
     NAME(extract)(sign, NAME(load)(at.src[0], i), load_32(at.src[1], i), load_32(at.src[2], i)));
}

static ALWAYS_INLINE void NAME(insert_loop)(struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = BITS == 64 ? insert_vectors(at, n) : 0; i < n; i++) NAME(store)
    (at.dst[0], i,
     NAME(insert)(NAME(load)(at.src[0], i), NAME(load)(at.src[1], i), load_32(at.src[2], i),
                  load_32(at.src[3], i)));
}
#endif

#if BITS != 64
static ALWAYS_INLINE void NAME(wide_loop)(enum integer_op op, bool sign, struct addresses at, size_t n) {
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const WIDE product = NAME(mul_wide)(sign, NAME(load)(at.src[0], i), NAME(load)(at.src[1], i));
        WIDE c = 0;
        if (op == INTEGER_MAD_WIDE) memcpy(&c, (const unsigned char *)at.src[2] + i * sizeof c, sizeof c);
        c += product;
        memcpy((unsigned char *)at.dst[0] + i * sizeof c, &c, sizeof c);
    }
}

static ALWAYS_INLINE void NAME(wide_loop_by_sign)(enum integer_op op, bool sign, struct addresses at,
                                                  size_t n) {
    if (sign)
        NAME(wide_loop)(op, true, at, n);
    else
        NAME(wide_loop)(op, false, at, n);
}
#endif

/* ---- the loop of an operation ---- */

static void NAME(run_basic)(enum integer_op op, bool sign, const struct addresses *at, size_t n) {
    switch (op) {
    case INTEGER_ADD: NAME(loop)(INTEGER_ADD, false, *at, n); break;
    case INTEGER_SUB: NAME(loop)(INTEGER_SUB, false, *at, n); break;
    case INTEGER_MUL_LO: NAME(loop)(INTEGER_MUL_LO, false, *at, n); break;
    case INTEGER_NEG: NAME(loop)(INTEGER_NEG, false, *at, n); break;
    case INTEGER_ABS: NAME(loop)(INTEGER_ABS, false, *at, n); break;
    case INTEGER_SHL: NAME(shift_loop)(true, false, *at, n); break;
    default:
        if (sign)
            NAME(shift_loop)(false, true, *at, n);
        else
            NAME(shift_loop)(false, false, *at, n);
    }
}

#if BITS == 8
static void NAME(run)(enum integer_op op, bool sign, const struct addresses *at, size_t n) {
    switch (op) {
    case INTEGER_AND: NAME(loop)(INTEGER_AND, false, *at, n); break;
    case INTEGER_OR: NAME(loop)(INTEGER_OR, false, *at, n); break;
    case INTEGER_XOR: NAME(loop)(INTEGER_XOR, false, *at, n); break;
    case INTEGER_NOT: NAME(loop)(INTEGER_NOT, false, *at, n); break;
    case INTEGER_ADD_SAT: NAME(loop_by_sign)(INTEGER_ADD_SAT, sign, *at, n); break;
    case INTEGER_SUB_SAT: NAME(loop_by_sign)(INTEGER_SUB_SAT, sign, *at, n); break;
    case INTEGER_MIN_RELU: NAME(loop)(INTEGER_MIN_RELU, true, *at, n); break;
    case INTEGER_MAX_RELU: NAME(loop)(INTEGER_MAX_RELU, true, *at, n); break;
    default: NAME(run_basic)(op, sign, at, n); break;
    }
}
#else
static void NAME(run_carry)(enum integer_op op, bool sign, const struct addresses *at, size_t n) {
    switch (op) {
    case INTEGER_ADD_CARRY: NAME(carry_loop)(INTEGER_ADD_CARRY, false, *at, n); break;
    case INTEGER_SUB_CARRY: NAME(carry_loop)(INTEGER_SUB_CARRY, false, *at, n); break;
    case INTEGER_MAD_LO_CARRY: NAME(carry_loop)(INTEGER_MAD_LO_CARRY, false, *at, n); break;
    case INTEGER_MAD_HI_CARRY:
        if (sign)
            NAME(carry_loop)(INTEGER_MAD_HI_CARRY, true, *at, n);
        else
            NAME(carry_loop)(INTEGER_MAD_HI_CARRY, false, *at, n);
        break;
    case INTEGER_ADD_CARRY_SAT: NAME(carry_loop)(INTEGER_ADD_CARRY_SAT, true, *at, n); break;
    case INTEGER_SUB_CARRY_SAT: NAME(carry_loop)(INTEGER_SUB_CARRY_SAT, true, *at, n); break;
    default: NAME(carry_loop)(INTEGER_MAD_HI_CARRY_SAT, true, *at, n); break;
    }
}

static void NAME(run)(enum integer_op op, bool sign, const struct addresses *at, size_t n) {
    switch (op) {
    case INTEGER_ADD_SAT: NAME(loop_by_sign)(INTEGER_ADD_SAT, sign, *at, n); break;
    case INTEGER_SUB_SAT: NAME(loop)(INTEGER_SUB_SAT, true, *at, n); break;
    case INTEGER_MIN_RELU: NAME(loop)(INTEGER_MIN_RELU, true, *at, n); break;
    case INTEGER_MAX_RELU: NAME(loop)(INTEGER_MAX_RELU, true, *at, n); break;
    case INTEGER_MUL_HI: NAME(loop_by_sign)(INTEGER_MUL_HI, sign, *at, n); break;
    case INTEGER_MAD_LO: NAME(loop)(INTEGER_MAD_LO, false, *at, n); break;
    case INTEGER_MAD_HI: NAME(loop_by_sign)(INTEGER_MAD_HI, sign, *at, n); break;
    case INTEGER_DIV: NAME(division_by_sign)(false, sign, *at, n); break;
    case INTEGER_REM: NAME(division_by_sign)(true, sign, *at, n); break;
    case INTEGER_SAD: NAME(loop_by_sign)(INTEGER_SAD, sign, *at, n); break;
    case INTEGER_CNOT: NAME(loop)(INTEGER_CNOT, false, *at, n); break;
#    if BITS >= 32
    case INTEGER_POPC: NAME(count_loop)(INTEGER_POPC, false, *at, n); break;
    case INTEGER_CLZ: NAME(count_loop)(INTEGER_CLZ, false, *at, n); break;
    case INTEGER_BFIND: NAME(count_loop)(INTEGER_BFIND, sign, *at, n); break;
    case INTEGER_BFIND_SHIFTAMT: NAME(count_loop)(INTEGER_BFIND_SHIFTAMT, sign, *at, n); break;
    case INTEGER_BFE: NAME(extract_loop)(sign, *at, n); break;
    case INTEGER_BFI: NAME(insert_loop)(*at, n); break;
    case INTEGER_BREV: NAME(loop)(INTEGER_BREV, false, *at, n); break;
#    endif
#    if BITS == 32
    case INTEGER_MAD_HI_SAT: NAME(loop)(INTEGER_MAD_HI_SAT, true, *at, n); break;
#    endif
#    if BITS != 64
    case INTEGER_MUL_WIDE: NAME(wide_loop_by_sign)(INTEGER_MUL_WIDE, sign, *at, n); break;
    case INTEGER_MAD_WIDE: NAME(wide_loop_by_sign)(INTEGER_MAD_WIDE, sign, *at, n); break;
#    endif
    default:
        if (op <= INTEGER_SHR)
            NAME(run_basic)(op, sign, at, n);
        else
            NAME(run_carry)(op, sign, at, n);
    }
}
#endif

#undef BITS
#undef WORD
#undef SIGNED_WORD
#undef NAME
#undef WIDE
#undef SIGNED_WIDE
