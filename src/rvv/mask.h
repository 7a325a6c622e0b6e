/* SPDX-License-Identifier: MIT */
/*
 * Converts between packed bits and the other mask kinds, and does logic on packed bits, for any register length. ISA
 * must be defined.
 *
 * Multiplications convert between packed bits and images with 2 or 4 bits a lane. A multiplication adds shifted copies
 * of the bits, so that the wanted ones end up in the topmost byte or half. No two copies overlap, so there is no
 * carry.
 */
#define NAME(name) CAT3(name, _, ISA)

/* Packs n bytes to bits. A byte is true if its lowest bit is set or, if `lowest` is false, if any bit is set. */
static ALWAYS_INLINE void NAME(bytes_to_bits)(bool lowest, const u8 *bytes, u8 *bits, size_t n) {
    size_t vl = lanes_of_8();
    const u8 *in = bytes;
    u8 *out = bits;
    for (size_t left = n; left != 0; left -= vl) {
        if (left < vl) vl = left;
        store_bits_8(out, lowest ? get_lowest_8(in, vl) : get_bytes_8(in, vl), invert_mask_8(0, vl), vl);
        in += vl;
        out += vl / 8;
    }
    clear_spare(bits, n);
}

/* Packs bits 0, 2 .. 14 of each element to a byte. */
static ALWAYS_INLINE vuint8m4_t NAME(pack_image_2)(vuint16m8_t x, size_t vl) {
    x = __riscv_vmul_vx_u16m8(__riscv_vand_vx_u16m8(x, 0x5555, vl), 0x3, vl);
    x = __riscv_vmul_vx_u16m8(__riscv_vand_vx_u16m8(x, 0x6666, vl), 0xa, vl);
    x = __riscv_vmul_vx_u16m8(__riscv_vand_vx_u16m8(x, 0xf0f0, vl), 0x11, vl);
    return __riscv_vnsrl_wx_u8m4(x, 8, vl);
}

/* Packs bits 0, 4, 8 and 12 of each element to four bits, and those of two elements to a byte. Returns vl bytes. */
static ALWAYS_INLINE vuint8m2_t NAME(pack_image_4)(vuint16m8_t x, size_t vl) {
    const vuint16m8_t fours = __riscv_vmul_vx_u16m8(__riscv_vand_vx_u16m8(x, 0x1111, 2 * vl), 0x1248, 2 * vl);
    const vuint8m4_t four = __riscv_vnsrl_wx_u8m4(fours, 12, 2 * vl);
    const vuint16m4_t pair = __riscv_vreinterpret_v_u8m4_u16m4(four);
    return __riscv_vnsrl_wx_u8m2(__riscv_vmul_vx_u16m4(pair, 0x110, vl), 8, vl);
}

/* Each pass writes vl bytes of packed bits. The image may end before the last lane of a byte; the bits of the missing
 * lanes are cleared at the end. */
static ALWAYS_INLINE void NAME(image_to_bits)(size_t lane_bits, const u8 *image, u8 *bits, size_t n) {
    size_t vl = lanes_of_8() / lane_bits, image_left = (n * lane_bits + 7) / 8;
    u8 *out = bits;
    for (size_t left = (n + 7) / 8; left != 0; left -= vl) {
        vuint16m8_t x;
        if (left < vl) vl = left;
        x = of_memory_16(load_8(image, min_size(vl * lane_bits, image_left)));
        if (lane_bits == 2)
            __riscv_vse8_v_u8m4(out, NAME(pack_image_2)(x, vl), vl);
        else
            __riscv_vse8_v_u8m2(out, NAME(pack_image_4)(x, vl), vl);
        image += vl * lane_bits;
        image_left -= min_size(vl * lane_bits, image_left);
        out += vl;
    }
    clear_spare(bits, n);
}

/* Turns four bytes, each 0 or 1, into bits 0, 2, 4 and 6 of one byte. Returns vl bytes. */
static ALWAYS_INLINE vuint8m2_t NAME(expand_image_2)(lanes_8 x, size_t vl) {
    const vuint32m8_t four = __riscv_vmul_vx_u32m8(of_memory_32(x), 0x01041040, vl);
    return __riscv_vnsrl_wx_u8m2(__riscv_vnsrl_wx_u16m4(four, 24, vl), 0, vl);
}

/* Turns two bytes, each 0 or 1, into bits 0 and 4 of one byte. Returns vl bytes. */
static ALWAYS_INLINE vuint8m4_t NAME(expand_image_4)(lanes_8 x, size_t vl) {
    return __riscv_vnsrl_wx_u8m4(__riscv_vmul_vx_u16m8(of_memory_16(x), 0x110, vl), 8, vl);
}

/* Each pass reads vl bytes of packed bits. The image may end before the last lane of a byte. */
static ALWAYS_INLINE void NAME(bits_to_image)(size_t lane_bits, const u8 *bits, u8 *image, size_t n) {
    size_t vl = lanes_of_8() / 8, image_left = (n * lane_bits + 7) / 8;
    u8 *out = image;
    for (size_t left = (n + 7) / 8; left != 0; left -= vl) {
        lanes_8 x;
        size_t stored;
        if (left < vl) vl = left;
        stored = min_size(vl * lane_bits, image_left);
        x = __riscv_vmerge_vxm_u8m8(__riscv_vmv_v_x_u8m8(0, 8 * vl), 1, get_bits_8(bits, 8 * vl), 8 * vl);
        if (lane_bits == 2)
            __riscv_vse8_v_u8m2(out, NAME(expand_image_2)(x, 2 * vl), stored);
        else
            __riscv_vse8_v_u8m4(out, NAME(expand_image_4)(x, 4 * vl), stored);
        bits += vl;
        out += stored;
        image_left -= stored;
    }
    clear_spare(image, n * lane_bits);
}

static void NAME(copy_packed)(const void *from, void *to, size_t n) {
    const size_t bytes = (n + 7) / 8;
    size_t vl = lanes_of_8();
    for (size_t at = 0; at < bytes; at += vl) {
        if (bytes - at < vl) vl = bytes - at;
        store_8((u8 *)to + at, load_8((const u8 *)from + at, vl), vl);
    }
    clear_spare(to, n);
}

static void NAME(load_b16)(const void *from, void *to, size_t n) {
    NAME(image_to_bits)(2, from, to, n);
}

static void NAME(load_b32)(const void *from, void *to, size_t n) {
    NAME(image_to_bits)(4, from, to, n);
}

static void NAME(load_b64)(const void *from, void *to, size_t n) {
    NAME(bytes_to_bits)(true, from, to, n);
}

static void NAME(load_byte)(const void *from, void *to, size_t n) {
    NAME(bytes_to_bits)(false, from, to, n);
}

static void NAME(store_b16)(const void *from, void *to, size_t n) {
    NAME(bits_to_image)(2, from, to, n);
}

static void NAME(store_b32)(const void *from, void *to, size_t n) {
    NAME(bits_to_image)(4, from, to, n);
}

static void NAME(store_byte)(const void *from, void *to, size_t n) {
    const u8 *bits = from;
    u8 *bytes = to;
    size_t vl = lanes_of_8();
    for (size_t left = n; left != 0; left -= vl) {
        if (left < vl) vl = left;
        store_bytes_8(bytes, get_bits_8(bits, vl), inverted_zero_8(0, vl), 0, vl);
        bits += vl / 8;
        bytes += vl;
    }
}

/* LOGIC_SEL, s ? a : b, is b with the bits inverted in which a and b differ and s is set. */
static ALWAYS_INLINE lanes_8 NAME(logic_bytes)(enum logic op, lanes_8 a, lanes_8 b, const u8 *s, size_t vl) {
    switch (op) {
    case LOGIC_AND: return __riscv_vand_vv_u8m8(a, b, vl);
    case LOGIC_OR: return __riscv_vor_vv_u8m8(a, b, vl);
    case LOGIC_XOR: return __riscv_vxor_vv_u8m8(a, b, vl);
    default:
        a = __riscv_vand_vv_u8m8(__riscv_vxor_vv_u8m8(a, b, vl), load_8(s, vl), vl);
        return __riscv_vxor_vv_u8m8(a, b, vl);
    }
}

static ALWAYS_INLINE void NAME(logic)(enum logic op, const u8 *a, const u8 *b, const u8 *s, u8 *dst, size_t n,
                                      u64 flip_a, u64 flip_b) {
    const size_t bytes = (n + 7) / 8;
    size_t vl = lanes_of_8();
    for (size_t i = 0; i < bytes; i += vl) {
        lanes_8 x, y;
        if (bytes - i < vl) vl = bytes - i;
        x = __riscv_vxor_vx_u8m8(load_8(a + i, vl), (u8)flip_a, vl);
        y = __riscv_vxor_vx_u8m8(load_8(b + i, vl), (u8)flip_b, vl);
        store_8(dst + i, NAME(logic_bytes)(op, x, y, op == LOGIC_SEL ? s + i : NULL, vl), vl);
    }
    clear_spare(dst, n);
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
