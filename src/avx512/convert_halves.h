/* SPDX-License-Identifier: MIT */
/*
 * The formats of 8 bits and less from and to f16 and bf16 in lanes of 16 bits, with scales and without. All of
 * it is integer arithmetic. Part of convert_native.h.
 */

enum { TO_NARROW_STEP = 64, TO_BF16_STEP = 32 };

static ALWAYS_INLINE __m512i words(unsigned x) {
    return _mm512_set1_epi16((s16)x);
}

static ALWAYS_INLINE unsigned infinity_of(struct cvt_format f) {
    return (unsigned)cvt_inf_code(f);
}

/* ---- to a small format ---- */

/*
 * Codes without sign of magnitudes in the source's format, whose exponents may have grown beyond it. To cut d
 * digits more is what makes a subnormal: then the hidden digit is put where the exponent was.
 */
static ALWAYS_INLINE __m512i round_halves(__m512i magnitude, struct cvt_format from, struct cvt_format to,
                                          bool cuts) {
    const unsigned digits = from.fraction_bits, cut = digits - to.fraction_bits,
                   first =
                       (unsigned)(from.bias - to.bias) + 1; /* the exponent field of the smallest normal */
    const unsigned rebias = (first - 1) << digits;
    const __m512i bounded = _mm512_min_epu16(magnitude, words((unsigned)(cvt_max_code(to) << cut) + rebias));
    __m512i d = _mm512_setzero_si512(), t = bounded, shift, even, below_half;
    if (first > 1) { /* else the formats have the same exponents */
        d = _mm512_subs_epu16(words(first), _mm512_srli_epi16(bounded, digits));
        t = _mm512_add_epi16(_mm512_sub_epi16(bounded, words(rebias)), _mm512_slli_epi16(d, digits));
    }
    shift = _mm512_add_epi16(d, words(cut));
    if (cuts) return _mm512_srlv_epi16(t, shift);
    even = _mm512_and_si512(_mm512_srlv_epi16(t, shift), words(1));
    below_half = _mm512_srlv_epi16(words(0x7fff), _mm512_sub_epi16(words(16 - cut), d));
    return _mm512_srlv_epi16(_mm512_add_epi16(_mm512_add_epi16(t, below_half), even), shift);
}

/* A scale for each pair of lanes, from 16 bytes. */
static ALWAYS_INLINE __m512i scales_of_pairs(const u8 *p) {
    static const u8 places[64] = {0,  128, 0,  128, 1,  128, 1,  128, 2,  128, 2,  128, 3,  128, 3,  128,
                                  4,  128, 4,  128, 5,  128, 5,  128, 6,  128, 6,  128, 7,  128, 7,  128,
                                  8,  128, 8,  128, 9,  128, 9,  128, 10, 128, 10, 128, 11, 128, 11, 128,
                                  12, 128, 12, 128, 13, 128, 13, 128, 14, 128, 14, 128, 15, 128, 15, 128};
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p)),
                               _mm512_loadu_si512(places));
}

/*
 * Magnitudes over their scales. Exponent fields below 0 become 0, which all of these formats round to zero,
 * and a scale that takes f16 beyond all of their numbers need be no larger.
 */
static ALWAYS_INLINE __m512i scale_halves(__m512i magnitude, __m512i scale, struct cvt_format from) {
    const unsigned digits = from.fraction_bits;
    const __mmask32 is_finite = _mm512_cmplt_epu16_mask(magnitude, words(infinity_of(from)));
    const __mmask32 is_normal = _mm512_cmpge_epu16_mask(magnitude, words(1U << digits));
    unsigned middle = UE8M0_BIAS;
    __m512i down = scale, scaled;
    if (from.exponent_bits == 5) {
        middle = 30;
        down = _mm512_min_epu16(_mm512_subs_epu16(scale, words(UE8M0_BIAS - middle)), words(63));
    }
    scaled =
        _mm512_mask_subs_epu16(words(0xffff), is_finite, _mm512_add_epi16(magnitude, words(middle << digits)),
                               _mm512_slli_epi16(down, digits));
    return _mm512_maskz_mov_epi16(is_normal, scaled);
}

/* What a kernel is made for, all constants but relu and pzo. */
struct halves_form {
    struct cvt_format from, to;
    bool cuts, scaled; /* .rz; .scaled::n1 */
    bool relu, pzo;
};

/* 32 codes in the low bytes of their lanes. */
static ALWAYS_INLINE __m512i narrow_halves(__m512i x, const u8 *scales, struct halves_form f) {
    const unsigned at_sign = (unsigned)f.to.exponent_bits + f.to.fraction_bits;
    const __m512i sign_bit = words(1U << at_sign);
    const __m512i magnitude = _mm512_and_si512(x, words(0x7fff));
    const __mmask32 is_negative = _mm512_movepi16_mask(x);
    __mmask32 is_nan = _mm512_cmpgt_epu16_mask(magnitude, words(infinity_of(f.from))), has_sign = is_negative;
    __m512i code = magnitude;
    if (f.scaled) {
        const __m512i scale = scales_of_pairs(scales);
        is_nan |= _mm512_cmpeq_epi16_mask(scale, words(UE8M0_NAN));
        code = scale_halves(magnitude, scale, f.from);
    }
    code = round_halves(code, f.from, f.to, f.cuts);
    if (f.pzo) has_sign &= _mm512_test_epi16_mask(code, code);
    code = f.relu ? _mm512_maskz_mov_epi16(~is_negative, code)
                  : _mm512_mask_add_epi16(code, has_sign, code, sign_bit);
    return _mm512_mask_mov_epi16(code, is_nan, words((unsigned)cvt_canonical_nan(f.to)));
}

static ALWAYS_INLINE void store_narrow(u8 *dst, pto_dtype type, __m512i low, __m512i high) {
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7); /* for the packing within quarters */
    const __m512i codes = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high));
    if (type == PTO_E2M1)
        _mm256_storeu_si256((__m256i *)dst, _mm512_cvtepi16_epi8(_mm512_maddubs_epi16(codes, words(0x1001))));
    else
        _mm512_storeu_si512(dst, codes);
}

static ALWAYS_INLINE void halves_loop(pto_dtype dst_type, struct halves_form f, const u8 *src, u8 *dst,
                                      const u8 *scales, size_t n) {
    const size_t out_bits = dst_type == PTO_E2M1 ? 4 : 8;
    for (size_t i = 0; i < n; i += TO_NARROW_STEP) {
        const u8 *from = src + 2 * i, *scale = f.scaled ? scales + i / 2 : NULL;
        const __m512i low = narrow_halves(_mm512_loadu_si512(from), scale, f);
        const __m512i high = narrow_halves(_mm512_loadu_si512(from + 64), f.scaled ? scale + 16 : NULL, f);
        store_narrow(dst + i / 8 * out_bits, dst_type, low, high);
    }
}

/* The commonest forms have neither .relu nor .pzo, and a loop that does not ask. */
static ALWAYS_INLINE void halves_to_small(pto_dtype dst_type, pto_dtype src_type, bool cuts, bool scaled,
                                          pto_cvt_op op, const u8 *src, u8 *dst, const u8 *scales, size_t n) {
    struct halves_form f = {cvt_format_of(src_type), cvt_format_of(dst_type), cuts, scaled, false, false};
    if (!op.relu && !op.pzo) {
        halves_loop(dst_type, f, src, dst, scales, n);
        return;
    }
    f.relu = op.relu;
    f.pzo = op.pzo;
    halves_loop(dst_type, f, src, dst, scales, n);
}

/* ---- to bf16 ---- */

/* By the low five bits of a code: the numbers of the formats that have no more of them without sign (of e2m1
 * with it), and the subnormals of the others. */
static ALWAYS_INLINE __m512i bf16_table(pto_dtype type) {
    static const u16 e4m3[32] = {0, 0x3b00, 0x3b80, 0x3bc0, 0x3c00, 0x3c20, 0x3c40, 0x3c60};
    static const u16 e5m2[32] = {0, 0x3780, 0x3800, 0x3840};
    static const u16 ue5m3[32] = {0, 0x3700, 0x3780, 0x37c0, 0x3800, 0x3820, 0x3840, 0x3860};
    static const u16 e2m3[32] = {0,      0x3e00, 0x3e80, 0x3ec0, 0x3f00, 0x3f20, 0x3f40, 0x3f60,
                                 0x3f80, 0x3f90, 0x3fa0, 0x3fb0, 0x3fc0, 0x3fd0, 0x3fe0, 0x3ff0,
                                 0x4000, 0x4010, 0x4020, 0x4030, 0x4040, 0x4050, 0x4060, 0x4070,
                                 0x4080, 0x4090, 0x40a0, 0x40b0, 0x40c0, 0x40d0, 0x40e0, 0x40f0};
    static const u16 e3m2[32] = {0,      0x3d80, 0x3e00, 0x3e40, 0x3e80, 0x3ea0, 0x3ec0, 0x3ee0,
                                 0x3f00, 0x3f20, 0x3f40, 0x3f60, 0x3f80, 0x3fa0, 0x3fc0, 0x3fe0,
                                 0x4000, 0x4020, 0x4040, 0x4060, 0x4080, 0x40a0, 0x40c0, 0x40e0,
                                 0x4100, 0x4120, 0x4140, 0x4160, 0x4180, 0x41a0, 0x41c0, 0x41e0};
    static const u16 e2m1[32] = {0,      0x3f00, 0x3f80, 0x3fc0, 0x4000, 0x4040, 0x4080, 0x40c0,
                                 0x8000, 0xbf00, 0xbf80, 0xbfc0, 0xc000, 0xc040, 0xc080, 0xc0c0};
    switch (type) {
    case PTO_E4M3: return _mm512_loadu_si512(e4m3);
    case PTO_E5M2: return _mm512_loadu_si512(e5m2);
    case PTO_E2M3: return _mm512_loadu_si512(e2m3);
    case PTO_E3M2: return _mm512_loadu_si512(e3m2);
    case PTO_UE5M3: return _mm512_loadu_si512(ue5m3);
    default: return _mm512_loadu_si512(e2m1);
    }
}

/* 32 codes, a lane each. */
static ALWAYS_INLINE __m512i load_codes(const u8 *p, pto_dtype type) {
    if (type == PTO_E2M1) {
        const __m512i both = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
        const __m512i low = _mm512_and_si512(both, _mm512_set1_epi32(0xf));
        return _mm512_ternarylogic_epi32(_mm512_set1_epi32(0x000f0000), _mm512_slli_epi32(both, 12), low,
                                         0xca);
    }
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)p));
}

struct bf16_lanes {
    __m512i x;            /* finite numbers */
    __mmask32 is_special; /* what is none */
};

static ALWAYS_INLINE struct bf16_lanes bf16_of_codes(__m512i code, pto_dtype type) {
    const struct cvt_format from = cvt_format_of(type);
    const unsigned m = from.fraction_bits, at_sign = (unsigned)from.exponent_bits + m;
    const __m512i magnitude = _mm512_and_si512(code, words((1U << at_sign) - 1));
    const __m512i sign = _mm512_and_si512(_mm512_slli_epi16(code, 15 - at_sign), words(0x8000));
    struct bf16_lanes y = {_mm512_permutexvar_epi16(code, bf16_table(type)), 0};
    if (type == PTO_E2M1) return y;
    if (from.specials != SPECIALS_NONE) {
        const __mmask32 is_normal = _mm512_cmpge_epu16_mask(magnitude, words(1U << m));
        const __m512i normal =
            _mm512_add_epi16(_mm512_slli_epi16(magnitude, 7 - m), words((unsigned)(127 - from.bias) << 7));
        y.x = _mm512_mask_mov_epi16(y.x, is_normal, normal);
        y.is_special = _mm512_cmpgt_epu16_mask(magnitude, words((unsigned)cvt_max_code(from)));
    }
    if (at_sign < 8) y.x = _mm512_or_si512(y.x, sign);
    return y;
}

/* Times their scales, where the product is a normal number or zero; is_special has the others too. */
static ALWAYS_INLINE struct bf16_lanes scale_bf16(struct bf16_lanes y, const u8 *scales) {
    const __m512i scale =
        _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)scales)), 7);
    const __m512i magnitude = _mm512_and_si512(y.x, words(0x7fff));
    const __mmask32 is_number = _mm512_test_epi16_mask(magnitude, magnitude);
    const __m512i sum = _mm512_add_epi16(magnitude, scale); /* exponents with twice the bias */
    const __m512i above = _mm512_sub_epi16(sum, words((UE8M0_BIAS + 1) << 7));
    const __mmask32 is_beyond = _mm512_mask_cmpge_epu16_mask(is_number, above, words(254 << 7));
    const __mmask32 no_scale = _mm512_cmpeq_epi16_mask(scale, words(UE8M0_NAN << 7));
    y.is_special |= is_beyond | no_scale;
    y.x = _mm512_mask_add_epi16(y.x, is_number, y.x, _mm512_sub_epi16(scale, words(UE8M0_BIAS << 7)));
    return y;
}

/* By the kernel that knows everything, where some lanes are no ordinary numbers. */
static ALWAYS_INLINE void small_to_bf16(pto_dtype type, bool scaled, const struct cvt_kernel *careful,
                                        const pto_cvt_op *op, const u8 *src, u8 *dst, const u8 *scales,
                                        size_t n) {
    const size_t in_bits = type == PTO_E2M1 ? 4 : 8;
    const bool relu = op->relu;
    for (size_t i = 0; i < n; i += TO_BF16_STEP) {
        const u8 *from = src + i / 8 * in_bits;
        u8 *to = dst + 2 * i;
        struct bf16_lanes y = bf16_of_codes(load_codes(from, type), type);
        if (scaled) y = scale_bf16(y, scales + i);
        if (unlikely(y.is_special != 0)) {
            careful->run(op, from, to, scaled ? scales + i : NULL, TO_BF16_STEP);
            continue;
        }
        if (relu) y.x = _mm512_maskz_mov_epi16(~_mm512_movepi16_mask(y.x), y.x);
        _mm512_storeu_si512(to, y.x);
    }
}

/* ---- kernels ---- */

#define HALVES_TO(X, src)                                                                                    \
    X(E4M3, src)                                                                                             \
    X(E5M2, src)                                                                                             \
    X(E2M3, src)                                                                                             \
    X(E3M2, src)                                                                                             \
    X(E2M1, src)
#define HALVES_FROM(X)                                                                                       \
    X(BF16, E4M3)                                                                                            \
    X(BF16, E5M2)                                                                                            \
    X(BF16, E2M3)                                                                                            \
    X(BF16, E3M2)                                                                                            \
    X(BF16, E2M1)                                                                                            \
    X(BF16, UE5M3)

#define NARROW(name, dst_, src_, cuts, scaled)                                                               \
    CVT_KERNEL(name##_##dst_##_##src_, TO_NARROW_STEP, FP_ANY,                                               \
               halves_to_small(PTO_##dst_, PTO_##src_, cuts, scaled, *op, src, dst, extra, n))
#define NARROW_PLAIN(dst_, src_)                                                                             \
    NARROW(nearest, dst_, src_, false, false)                                                                \
    NARROW(cut, dst_, src_, true, false)
#define NARROW_SCALED(dst_, src_)                                                                            \
    NARROW(scaled_nearest, dst_, src_, false, true)                                                          \
    NARROW(scaled_cut, dst_, src_, true, true)
#define WIDEN(dst_, src_)                                                                                    \
    CVT_KERNEL(half_##dst_##_##src_, TO_BF16_STEP, FP_ANY,                                                   \
               small_to_bf16(PTO_##src_, false, &any_##dst_##_##src_, op, src, dst, NULL, n))                \
    CVT_KERNEL(scaled_half_##dst_##_##src_, TO_BF16_STEP, FP_ANY,                                            \
               small_to_bf16(PTO_##src_, true, &scaled_##dst_##_##src_, op, src, dst, extra, n))

HALVES_TO(NARROW_PLAIN, F16)
HALVES_TO(NARROW_PLAIN, BF16)
HALVES_TO(NARROW_SCALED, BF16)
NARROW_SCALED(E4M3, F16)
NARROW_SCALED(E2M3, F16)
NARROW_SCALED(E3M2, F16)
NARROW_SCALED(E2M1, F16)
HALVES_FROM(WIDEN)

/* By whether there is a scale, and, for the narrow formats, by whether digits are cut off. */
struct half_kernels {
    const struct cvt_kernel *plain[2], *scaled[2];
};

#define OF_PLAIN(dst_, src_)                                                                                 \
    [PTO_##dst_][PTO_##src_].plain = {&nearest_##dst_##_##src_, &cut_##dst_##_##src_},
#define OF_SCALED(dst_, src_)                                                                                \
    [PTO_##dst_][PTO_##src_].scaled = {&scaled_nearest_##dst_##_##src_, &scaled_cut_##dst_##_##src_},
#define OF_WIDE(dst_, src_)                                                                                  \
    [PTO_##dst_][PTO_##src_] = {{&half_##dst_##_##src_, NULL}, {&scaled_half_##dst_##_##src_, NULL}},

#define OF_F32(dst_, src_) [PTO_##dst_][PTO_##src_].scaled = {&scaled_small_##dst_##_##src_, NULL},

static const struct half_kernels halves[CVT_TYPES][CVT_TYPES] = {
    F32_TO_SMALL(OF_F32) HALVES_TO(OF_PLAIN, F16) HALVES_TO(OF_PLAIN, BF16) HALVES_TO(OF_SCALED, BF16)
        OF_SCALED(E4M3, F16) OF_SCALED(E2M3, F16) OF_SCALED(E3M2, F16) OF_SCALED(E2M1, F16)
            HALVES_FROM(OF_WIDE)};

static const struct cvt_kernel *half_kernel(pto_cvt_op op) {
    const struct half_kernels *k = &halves[op.dst][op.src];
    if (op.round != PTO_RN && op.round != PTO_RZ) return NULL;
    if (op.src == PTO_F32 && (op.relu || op.pzo)) return NULL;
    return (op.scale != PTO_SCALE_NONE ? k->scaled : k->plain)[op.round == PTO_RZ];
}
