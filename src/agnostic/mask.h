/* SPDX-License-Identifier: MIT */
/* Conversions between packed bits and the other mask kinds, and logic on packed bits, for vectors whose length
 * is known only at run time. ISA must be defined. */
#define NAME(name) CAT3(name, _, ISA)

/* Converts n mask lanes of `from_bits` bits each to lanes of `to_bits` bits. A source lane is true if any of
 * its bits in `lane_on` is 1. A destination lane is stored as its lowest bit; its other bits are 0. */
static void NAME(convert_mask)(const u8 *from, size_t from_bits, u8 lane_on, u8 *to, size_t to_bits,
                               size_t n) {
    const size_t lanes = vector_lanes(1);
    for (size_t i = 0; i < n; i += lanes) {
        const predicate p = while_less(i, n, lanes);
        const predicate truth = load_mask_lanes(&p, from, i, from_bits, lane_on, lanes);
        store_mask_lanes(&p, &truth, to, i, to_bits, lanes);
    }
}

#define CONVERT(name, from_bits, lane_on, to_bits)                                                           \
    static void NAME(name)(const void *from, void *to, size_t n) {                                           \
        NAME(convert_mask)(from, from_bits, lane_on, to, to_bits, n);                                        \
    }
CONVERT(copy_packed, 1, 1, 1)
CONVERT(load_b16, 2, 1, 1)
CONVERT(load_b32, 4, 1, 1)
CONVERT(load_b64, 8, 1, 1)
CONVERT(load_byte, 8, 0xff, 1)
CONVERT(store_b16, 1, 1, 2)
CONVERT(store_b32, 1, 1, 4)
CONVERT(store_byte, 1, 1, 8)
#undef CONVERT

static u8 NAME(logic_byte)(enum logic op, u8 a, u8 b, u8 s) {
    switch (op) {
    case LOGIC_AND: return a & b;
    case LOGIC_OR: return a | b;
    case LOGIC_XOR: return a ^ b;
    default: return (u8)((a & s) | (b & ~s));
    }
}

static void NAME(logic)(enum logic op, const u8 *a, const u8 *b, const u8 *s, u8 *dst, size_t n, u64 flip_a,
                        u64 flip_b) {
    const size_t bytes = (n + 7) / 8, lanes = vector_lanes(1);
    for (size_t i = 0; i < bytes; i += lanes) {
        const predicate p = while_less(i, bytes, lanes);
        const vector x = load_lanes(&p, a + i, 1), y = load_lanes(&p, b + i, 1);
        vector z = load_lanes(&p, (op == LOGIC_SEL ? s : a) + i, 1);
        for (size_t k = 0; k < lanes; ++k)
            z.byte[k] = NAME(logic_byte)(op, x.byte[k] ^ (u8)flip_a, y.byte[k] ^ (u8)flip_b, z.byte[k]);
        store_lanes(&p, dst + i, &z, 1);
    }
    if (n % 8 != 0) dst[bytes - 1] &= (u8)low_bits(n % 8);
}

#define LOGIC(name, op)                                                                                      \
    static void NAME(name)(const void *a, const void *b, const void *s, void *dst, size_t n, u64 flip_a,     \
                           u64 flip_b) {                                                                     \
        NAME(logic)(op, a, b, s, dst, n, flip_a, flip_b);                                                    \
    }
LOGIC(logic_and, LOGIC_AND)
LOGIC(logic_or, LOGIC_OR)
LOGIC(logic_xor, LOGIC_XOR)
LOGIC(logic_sel, LOGIC_SEL)
#undef LOGIC

#undef NAME
