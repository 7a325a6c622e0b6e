/* SPDX-License-Identifier: MIT */
/*
 * Converts between packed bits and the other mask kinds, and does logic on packed bits, for any vector length. ISA must
 * be defined.
 *
 * A block has as many lanes as a vector has bytes. Its packed bits are one predicate; its image of W-bit elements is
 * W / 8 predicates.
 */
#define NAME(name) CAT3(name, _, ISA)

/* These load and store predicate k of a mask of `bytes` bytes. Bytes after the end are loaded as 0, and not stored. If
 * `whole`, the mask has all bytes, and `bytes` is ignored. */
static ALWAYS_INLINE svbool_t NAME(load_part)(const u8 *mask, bool whole, size_t bytes, size_t k) {
    const size_t from = k * svcntd();
    if (whole || bytes >= from + svcntd()) return load_predicate(mask + from);
    return bytes <= from ? svpfalse_b() : load_predicate_some(mask + from, bytes - from);
}

static ALWAYS_INLINE void NAME(store_part)(u8 *mask, bool whole, size_t bytes, size_t k, svbool_t truth) {
    const size_t from = k * svcntd();
    if (whole || bytes >= from + svcntd())
        store_predicate(mask + from, truth);
    else if (bytes > from)
        store_predicate_some(mask + from, truth, bytes - from);
}

/* These pack part k of an image that has 2, 4 or lane_bits bits a lane to one bit a lane. Each svuzp1_b8 keeps the
 * lower of every two bits. */
static ALWAYS_INLINE svbool_t NAME(pack_image_2)(const u8 *image, bool whole, size_t bytes, size_t k) {
    return svuzp1_b8(NAME(load_part)(image, whole, bytes, 2 * k),
                     NAME(load_part)(image, whole, bytes, 2 * k + 1));
}

static ALWAYS_INLINE svbool_t NAME(pack_image_4)(const u8 *image, bool whole, size_t bytes, size_t k) {
    return svuzp1_b8(NAME(pack_image_2)(image, whole, bytes, 2 * k),
                     NAME(pack_image_2)(image, whole, bytes, 2 * k + 1));
}

static ALWAYS_INLINE svbool_t NAME(pack_image)(const u8 *image, bool whole, size_t bytes, size_t lane_bits) {
    switch (lane_bits) {
    case 1: return NAME(load_part)(image, whole, bytes, 0);
    case 2: return NAME(pack_image_2)(image, whole, bytes, 0);
    case 4: return NAME(pack_image_4)(image, whole, bytes, 0);
    default:
        return svuzp1_b8(NAME(pack_image_4)(image, whole, bytes, 0),
                         NAME(pack_image_4)(image, whole, bytes, 1));
    }
}

static ALWAYS_INLINE void NAME(image_to_bits)(size_t lane_bits, const u8 *image, u8 *bits, size_t n) {
    const size_t lanes = svcntb();
    for (; n >= lanes; n -= lanes) {
        store_predicate(bits, NAME(pack_image)(image, true, 0, lane_bits));
        image += lane_bits * svcntd();
        bits += svcntd();
    }
    if (n != 0) { /* the spare bits of the image may have any value */
        const svbool_t truth = NAME(pack_image)(image, false, (n * lane_bits + 7) / 8, lane_bits);
        store_predicate_some(bits, svmov_b_z(first_bytes(n), truth), (n + 7) / 8);
    }
}

static ALWAYS_INLINE void NAME(bits_to_image)(size_t lane_bits, const u8 *bits, u8 *image, size_t n) {
    const size_t lanes = svcntb();
    for (; n >= lanes; n -= lanes) {
        const svbool_t truth = load_predicate(bits);
        UNROLL
        for (size_t k = 0; k < lane_bits; ++k)
            NAME(store_part)(image, true, 0, k, expand_predicate(truth, lane_bits, k));
        image += lane_bits * svcntd();
        bits += svcntd();
    }
    if (n != 0) {
        const svbool_t truth = load_predicate_some(bits, (n + 7) / 8);
        UNROLL
        for (size_t k = 0; k < lane_bits; ++k)
            NAME(store_part)(image, false, (n * lane_bits + 7) / 8, k, expand_predicate(truth, lane_bits, k));
    }
}

static void NAME(copy_packed)(const void *from, void *to, size_t n) {
    NAME(image_to_bits)(1, from, to, n);
}

static void NAME(load_b16)(const void *from, void *to, size_t n) {
    NAME(image_to_bits)(2, from, to, n);
}

static void NAME(load_b32)(const void *from, void *to, size_t n) {
    NAME(image_to_bits)(4, from, to, n);
}

static void NAME(load_b64)(const void *from, void *to, size_t n) {
    NAME(image_to_bits)(8, from, to, n);
}

static void NAME(store_b16)(const void *from, void *to, size_t n) {
    NAME(bits_to_image)(2, from, to, n);
}

static void NAME(store_b32)(const void *from, void *to, size_t n) {
    NAME(bits_to_image)(4, from, to, n);
}

static void NAME(load_byte)(const void *from, void *to, size_t n) {
    const u8 *bytes = from;
    u8 *bits = to;
    for (; n >= svcntb(); n -= svcntb()) {
        store_predicate(bits, load_truth_bytes(svptrue_b8(), bytes, 1));
        bytes += svcntb();
        bits += svcntd();
    }
    if (n != 0) store_predicate_some(bits, load_truth_bytes(first_bytes(n), bytes, 1), (n + 7) / 8);
}

static void NAME(store_byte)(const void *from, void *to, size_t n) {
    const u8 *bits = from;
    u8 *bytes = to;
    for (; n >= svcntb(); n -= svcntb()) {
        svst1_u8(svptrue_b8(), bytes, svdup_n_u8_z(load_predicate(bits), 1));
        bits += svcntd();
        bytes += svcntb();
    }
    if (n != 0) svst1_u8(first_bytes(n), bytes, svdup_n_u8_z(load_predicate_some(bits, (n + 7) / 8), 1));
}

static ALWAYS_INLINE svuint8_t NAME(logic_bytes)(enum logic op, svbool_t pg, svuint8_t a, svuint8_t b,
                                                 const u8 *s) {
    svuint8_t third;
    switch (op) {
    case LOGIC_AND: return svand_u8_x(pg, a, b);
    case LOGIC_OR: return svorr_u8_x(pg, a, b);
    case LOGIC_XOR: return sveor_u8_x(pg, a, b);
    default:
        third = svld1_u8(pg, s);
        return svorr_u8_x(pg, svand_u8_x(pg, a, third), svbic_u8_x(pg, b, third));
    }
}

static ALWAYS_INLINE void NAME(logic)(enum logic op, const u8 *a, const u8 *b, const u8 *s, u8 *dst, size_t n,
                                      u64 flip_a, u64 flip_b) {
    const size_t bytes = (n + 7) / 8;
    for (size_t i = 0; i < bytes; i += svcntb()) {
        const svbool_t pg = svwhilelt_b8_u64(i, bytes);
        const svuint8_t x = sveor_n_u8_x(pg, svld1_u8(pg, a + i), (u8)flip_a);
        const svuint8_t y = sveor_n_u8_x(pg, svld1_u8(pg, b + i), (u8)flip_b);
        svst1_u8(pg, dst + i, NAME(logic_bytes)(op, pg, x, y, op == LOGIC_SEL ? s + i : NULL));
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
