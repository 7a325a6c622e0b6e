/* SPDX-License-Identifier: MIT */
/*
 * Quantization to block floating point: see docs/block-scaling.md, section 4. The loops have a constant length and no
 * branches, so compilers turn them into vectors of any ISA. Part of scaling.h. The definition is in scalar/scaling.c.
 */

/* Returns an element of the tensor's type as f32. NaNs keep their fraction, shifted up. */
static ALWAYS_INLINE u32 bfp_source(const u8 *x, size_t i, pto_dtype type) {
    u32 word, subnormal;
    u16 half;
    if (type == PTO_F32) {
        memcpy(&word, x + i * sizeof word, sizeof word);
        return word;
    }
    memcpy(&half, x + i * sizeof half, sizeof half);
    if (type == PTO_BF16) return (u32)half << 16;
    word = (half & 0x7fffU) << 13;
    subnormal = bits_of_float((float)(s32)word * 0x1p-37F); /* only for words below 2^23: exact */
    word += word < 0x00800000 ? subnormal - word : word < 0x0f800000 ? (u32)112 << 23 : (u32)224 << 23;
    return word | (half & 0x8000U) << 16;
}

/* Returns the code of an element x in a block with this field: its significand is shifted to the block's exponent, and
 * then rounded to `bits` bits. */
static ALWAYS_INLINE u32 bfp_code(u32 x, u32 block_field, unsigned bits) {
    const u32 field = x >> 23 & 0xff, down = block_field - field, dropped = 24 - bits;
    const u32 significand = ((x & F32_FRACTION_MASK) | (F32_FRACTION_MASK + 1)) >> (down < 31 ? down : 31);
    const u32 m = field == 0 ? 0 : significand;
    const u32 rounded = (m + ((1U << (dropped - 1)) - 1) + (m >> dropped & 1)) >> dropped;
    const u32 most = (1U << bits) - 1, magnitude = rounded < most ? rounded : most;
    return magnitude == 0 ? 0 : magnitude | x >> 31 << bits;
}

/* Quantizes one block and returns its field. */
static ALWAYS_INLINE u32 quantize_bfp_block(const u8 *x, u8 codes[BFP_BLOCK], pto_dtype type, unsigned bits) {
    u32 values[BFP_BLOCK], wide[BFP_BLOCK], largest = 0;
    for (size_t i = 0; i < BFP_BLOCK; ++i) values[i] = bfp_source(x, i, type);
    for (size_t i = 0; i < BFP_BLOCK; ++i) {
        const u32 magnitude = values[i] & INT32_MAX;
        largest = magnitude > largest ? magnitude : largest;
    }
    for (size_t i = 0; i < BFP_BLOCK; ++i) wide[i] = bfp_code(values[i], largest >> 23, bits);
    if (bits == 7) {
        for (size_t i = 0; i < BFP_BLOCK; ++i) codes[i] = (u8)wide[i];
    } else {
        for (size_t i = 0; i < BFP_BLOCK / 2; ++i) codes[i] = (u8)(wide[2 * i] | wide[2 * i + 1] << 4);
    }
    return largest >> 23;
}

static ALWAYS_INLINE void quantize_bfp_blocks(const u8 *x, u8 *fields, u8 *codes, size_t n, pto_dtype type,
                                              unsigned bits) {
    const size_t bytes = tensor_elem_bytes(type), code_bytes = bits == 7 ? BFP_BLOCK : BFP_BLOCK / 2;
    const size_t rest = n % BFP_BLOCK, whole = n / BFP_BLOCK;
    u8 last[BFP_BLOCK * sizeof(u32)] = {0}, last_codes[BFP_BLOCK];
    for (size_t k = 0; k < whole; ++k)
        fields[k] = (u8)quantize_bfp_block(x + k * BFP_BLOCK * bytes, codes + k * code_bytes, type, bits);
    if (rest == 0) return;
    memcpy(last, x + whole * BFP_BLOCK * bytes, rest * bytes); /* zeros change no result */
    fields[whole] = (u8)quantize_bfp_block(last, last_codes, type, bits);
    memcpy(codes + whole * code_bytes, last_codes, bits == 7 ? rest : (rest + 1) / 2);
}

#define QUANTIZE_BFP(type)                                                                                   \
    static void quantize_bfp_##type(const u8 *x, u8 *fields, u8 *codes, size_t n, bool in_nibbles) {         \
        if (in_nibbles)                                                                                      \
            quantize_bfp_blocks(x, fields, codes, n, PTO_##type, 3);                                         \
        else                                                                                                 \
            quantize_bfp_blocks(x, fields, codes, n, PTO_##type, 7);                                         \
    }
QUANTIZE_BFP(F16)
QUANTIZE_BFP(BF16)
QUANTIZE_BFP(F32)
#undef QUANTIZE_BFP

static void quantize_bfp(const struct scaling *s, const u8 *x, u8 *fields, u8 *codes, size_t n) {
    static void (*const kernels[BLOCK_TENSOR_TYPES])(const u8 *, u8 *, u8 *, size_t, bool) = {
        quantize_bfp_F16, quantize_bfp_BF16, quantize_bfp_F32};
    kernels[tensor_type_index(s->type)](x, fields, codes, n, is_in_nibbles(s->elem));
}
