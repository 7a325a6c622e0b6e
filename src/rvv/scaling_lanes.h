/* SPDX-License-Identifier: MIT */
/*
 * The loops of block scaling over elements, in RVV, in groups of four registers. Each element is an f32 in a lane of
 * 32 bits. Part of loops/scaling.h. fcsr must be in its default state. vsetvli grants a vl of at most a group
 * unchanged.
 */
#include "rvv/convert_float.h"

static ALWAYS_INLINE size_t lanes_of_group(void) {
    return __riscv_vsetvlmax_e32m4();
}

/* ---- the largest magnitude of each block; NaNs are above infinity if propagates_nan, else they are ignored ---- */

#define MAX_MAGNITUDE(w, b)                                                                                  \
    static ALWAYS_INLINE vuint##w##m1_t max_magnitude_vector_##w(const u8 *x, size_t vl, vuint##w##m1_t r,   \
                                                                 u##w infinity, bool propagates_nan) {       \
        const vuint##w##m8_t bits =                                                                          \
            __riscv_vreinterpret_v_u8m8_u##w##m8(__riscv_vle8_v_u8m8(x, vl * sizeof infinity));              \
        const vuint##w##m8_t m = __riscv_vand_vx_u##w##m8(bits, INT##w##_MAX, vl);                           \
        return propagates_nan ? __riscv_vredmaxu_vs_u##w##m8_u##w##m1(m, r, vl)                              \
                              : __riscv_vredmaxu_vs_u##w##m8_u##w##m1_m(                                     \
                                    __riscv_vmsleu_vx_u##w##m8_b##b(m, infinity, vl), m, r, vl);             \
    }                                                                                                        \
                                                                                                             \
    static ALWAYS_INLINE u32 max_magnitude_block_##w(const u8 *x, size_t n, bool is_group, u##w infinity,    \
                                                     bool propagates_nan) {                                  \
        const size_t lanes = is_group ? n : __riscv_vsetvlmax_e##w##m8();                                    \
        vuint##w##m1_t r = __riscv_vmv_s_x_u##w##m1(0, 1);                                                   \
        for (; n > lanes; n -= lanes, x += lanes * sizeof infinity)                                          \
            r = max_magnitude_vector_##w(x, lanes, r, infinity, propagates_nan);                             \
        return __riscv_vmv_x_s_u##w##m1_u##w(max_magnitude_vector_##w(x, n, r, infinity, propagates_nan));   \
    }
MAX_MAGNITUDE(16, 2)
MAX_MAGNITUDE(32, 4)
#undef MAX_MAGNITUDE

/* Updates the maximum of a block of n elements. If is_group, n must be at most a group. */
static ALWAYS_INLINE void amax_block(const u8 *x, size_t n, bool is_group, u32 *max, pto_dtype type,
                                     bool propagates_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    const u32 m = type == PTO_F32 ? max_magnitude_block_32(x, n, is_group, infinity, propagates_nan)
                                  : max_magnitude_block_16(x, n, is_group, (u16)infinity, propagates_nan);
    *max = m > *max ? m : *max;
}

/* Updates the maxima of n blocks of one element. */
static ALWAYS_INLINE void amax_each(const u8 *x, size_t n, u32 *maxima, pto_dtype type, bool propagates_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    const size_t lanes = lanes_of_group(), size = tensor_elem_bytes(type);
    for (size_t vl; n != 0; n -= vl) {
        vuint32m4_t m, most;
        vl = min_size(n, lanes);
        m = __riscv_vand_vx_u32m4(load_words(x, size, false, vl), type == PTO_F32 ? INT32_MAX : INT16_MAX,
                                  vl);
        if (!propagates_nan)
            m = __riscv_vmerge_vxm_u32m4(m, 0, __riscv_vmsgtu_vx_u32m4_b8(m, infinity, vl), vl);
        most = __riscv_vle32_v_u32m4(maxima, vl);
        __riscv_vse32_v_u32m4(maxima, __riscv_vmaxu_vv_u32m4(most, m, vl), vl);
        x += vl * size;
        maxima += vl;
    }
}

/* Updates the maxima for as many elements as whole groups have, and returns that number. `block` must be a power of
 * two and at most half a group. After each pass over a group, lane i has the maximum of 2 * step elements: it takes
 * the larger of itself and lane i + step. */
static ALWAYS_INLINE size_t amax_groups(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type,
                                        bool propagates_nan) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    const size_t vl = __riscv_vsetvlmax_e32m8(), blocks = vl / block, size = tensor_elem_bytes(type);
    const vuint32m8_t firsts = __riscv_vmul_vx_u32m8(__riscv_vid_v_u32m8(blocks), (u32)block, blocks);
    size_t done = 0;
    for (; n - done >= vl; done += vl, maxima += blocks) {
        const u8 *p = x + done * size;
        vuint32m8_t m = type == PTO_F32 ? __riscv_vreinterpret_v_u8m8_u32m8(__riscv_vle8_v_u8m8(p, 4 * vl))
                                        : __riscv_vzext_vf2_u32m8(array_16m4(p, vl), vl);
        m = __riscv_vand_vx_u32m8(m, type == PTO_F32 ? INT32_MAX : INT16_MAX, vl);
        if (!propagates_nan)
            m = __riscv_vmerge_vxm_u32m8(m, 0, __riscv_vmsgtu_vx_u32m8_b4(m, infinity, vl), vl);
        UNROLL_4
        for (size_t step = 1; step < block; step *= 2)
            m = __riscv_vmaxu_vv_u32m8(m, __riscv_vslidedown_vx_u32m8(m, step, vl), vl);
        m = __riscv_vmaxu_vv_u32m8(__riscv_vrgather_vv_u32m8(m, firsts, blocks),
                                   __riscv_vle32_v_u32m8(maxima, blocks), blocks);
        __riscv_vse32_v_u32m8(maxima, m, blocks);
    }
    return done;
}

static ALWAYS_INLINE void amax_any(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type,
                                   bool propagates_nan) {
    if (block == 1) {
        amax_each(x, n, maxima, type, propagates_nan);
        return;
    }
    if (block <= __riscv_vsetvlmax_e32m8() / 2 && (block & (block - 1)) == 0) {
        const size_t done = block == 16 ? amax_groups(x, n, 16, maxima, type, propagates_nan)
                                        : amax_groups(x, n, block, maxima, type, propagates_nan);
        x += done * tensor_elem_bytes(type);
        n -= done;
        maxima += done / block;
    }
    if (block <= __riscv_vsetvlmax_e32m8())
        for (; n >= block; n -= block, x += block * tensor_elem_bytes(type))
            amax_block(x, block, true, maxima++, type, propagates_nan);
    for (size_t some; n != 0; n -= some, x += some * tensor_elem_bytes(type)) {
        some = min_size(n, block);
        amax_block(x, some, false, maxima++, type, propagates_nan);
    }
}

static ALWAYS_INLINE void amax_with_nans(const u8 *x, size_t n, size_t block, u32 *maxima, pto_dtype type) {
    amax_any(x, n, block, maxima, type, true);
}

#include "loops/scaling_nans.h"

/* ---- a group of elements ---- */

/* Loads e2m1 codes as f32. They are two in a byte, the first in the low half. */
static ALWAYS_INLINE vfloat32m4_t f32_of_pairs(const u8 *p, size_t vl) {
    const struct cvt_format from = cvt_format_of(PTO_E2M1);
    const u32 digits = (u32)from.exponent_bits + from.fraction_bits, up = F32_FRACTION - from.fraction_bits;
    const u32 kept = (u32)1 << 31 | (u32)low_bits(digits) << up;
    const size_t bytes = (vl + 1) / 2;
    vuint16m1_t pair = __riscv_vzext_vf2_u16m1(__riscv_vle8_v_u8mf2(p, bytes), bytes);
    vuint32m4_t x;
    pair = __riscv_vor_vv_u16m1(pair, __riscv_vsll_vx_u16m1(pair, 4, bytes), bytes);
    x = __riscv_vsll_vx_u32m4(__riscv_vzext_vf4_u32m4(__riscv_vreinterpret_v_u16m1_u8m1(pair), vl),
                              31 - digits, vl);
    x = __riscv_vreinterpret_v_i32m4_u32m4(
        __riscv_vsra_vx_i32m4(__riscv_vreinterpret_v_u32m4_i32m4(x), 31 - digits - up, vl));
    return times_power_of_2(__riscv_vand_vx_u32m4(x, kept, vl), F32_BIAS - from.bias, vl);
}

static ALWAYS_INLINE vfloat32m4_t load_values(struct job j, const u8 *from, size_t vl) {
    if (j.work == DEQUANTIZE_F16) return load_f32_at(PTO_F16, from, vl);
    if (j.work != DEQUANTIZE_CODES) return load_f32_at(j.type, from, vl);
    return j.elem == PTO_E2M1 ? f32_of_pairs(from, vl) : f32_of_small(j.elem, from, vl);
}

/* Rounds x to f16 or bf16. The result for a NaN is undefined. */
static ALWAYS_INLINE vuint16m2_t half_of(struct job j, vfloat32m4_t x, size_t vl) {
    const struct cvt_params f = {.dst = PTO_F16, .src = PTO_F32, .max_magnitude = 65536};
    vuint16m2_t sign;
    if (j.type == PTO_BF16)
        return j.exact ? __riscv_vnsrl_wx_u16m2(bits_of(x), 16, vl) : high_halves_to_nearest(bits_of(x), vl);
    sign = __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(bits_of(x), 16, vl), (u16)INT16_MIN, vl);
    return __riscv_vor_vv_u16m2(f16_code(&f, x, vl), sign, vl);
}

/* Rounds x to the type of the tensor, and converts it back to f32. */
static ALWAYS_INLINE vfloat32m4_t round_lanes_to_type(struct job j, vfloat32m4_t x, size_t vl) {
    vuint16m2_t half;
    if (j.type == PTO_F32) return x;
    half = __riscv_vmerge_vxm_u16m2(half_of(j, x, vl), HALF_NAN, nans_of(x, vl), vl);
    return j.type == PTO_F16 ? f32_of_f16(half, vl) : f32_of_bf16(half, vl);
}

/* Clamps x to [-MAX, MAX], where a NaN becomes -MAX, and rounds it to f16 if elements have a byte. */
static ALWAYS_INLINE vfloat32m4_t clamp_product(struct job j, vfloat32m4_t x, size_t vl) {
    const struct job to_f16 = {.type = PTO_F16};
    const float max = float_of_bits((u32)round_by_add_of(cvt_format_of(j.elem)).largest_finite);
    x = __riscv_vfmin_vf_f32m4(__riscv_vfmax_vf_f32m4(x, -max, vl), max, vl);
    return j.elem == PTO_E2M1 ? x : round_lanes_to_type(to_f16, x, vl);
}

/* Returns the e2m1 value for which its double times the factor is nearest to x: see nearest_element() in
 * scalar/scaling.c. By symmetry the magnitudes suffice. The smaller of two equally near magnitudes is chosen, and 0 has
 * no sign. */
static ALWAYS_INLINE vfloat32m4_t nearest_value(vfloat32m4_t x, bool is_one, float one, vfloat32m4_t each,
                                                size_t vl) {
    static const float values[] = {0.5F, 1, 1.5F, 2, 3, 4, 6};
    const vfloat32m4_t magnitude = __riscv_vfabs_v_f32m4(x, vl);
    vfloat32m4_t least = magnitude, best = __riscv_vfmv_v_f_f32m4(0, vl);
    UNROLL
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
        const float twice = 2 * values[k];
        const vfloat32m4_t difference =
            is_one ? __riscv_vfsub_vf_f32m4(magnitude, twice * one, vl)
                   : __riscv_vfsub_vv_f32m4(magnitude, __riscv_vfmul_vf_f32m4(each, twice, vl), vl);
        const vfloat32m4_t distance = __riscv_vfabs_v_f32m4(difference, vl);
        const vbool8_t nearer = __riscv_vmflt_vv_f32m4_b8(distance, least, vl);
        best = __riscv_vfmerge_vfm_f32m4(best, values[k], nearer, vl);
        least = __riscv_vmerge_vvm_f32m4(least, distance, nearer, vl);
    }
    return __riscv_vmerge_vvm_f32m4(best, __riscv_vfsgnj_vv_f32m4(best, x, vl),
                                    __riscv_vmfgt_vf_f32m4_b8(best, 0, vl), vl);
}

/* Scales x by the factor `one` if is_one, else by a factor for each lane. */
static ALWAYS_INLINE vfloat32m4_t scaled(struct job j, vfloat32m4_t x, bool is_one, float one,
                                         vfloat32m4_t each, size_t vl) {
    if (j.scale_op == SCALE_NEAREST) return nearest_value(x, is_one, one, each, vl);
    if (j.scale_op == SCALE_MULTIPLY || j.scale_op == SCALE_CLAMP) {
        x = is_one ? __riscv_vfmul_vf_f32m4(x, one, vl) : __riscv_vfmul_vv_f32m4(x, each, vl);
        return j.scale_op == SCALE_MULTIPLY ? x : clamp_product(j, x, vl);
    }
    x = is_one ? __riscv_vfdiv_vf_f32m4(x, one, vl) : __riscv_vfdiv_vv_f32m4(x, each, vl);
    return j.scale_op == SCALE_DIVIDE ? x : round_lanes_to_type(j, x, vl);
}

/* Returns the s2f6 code nearest to x, but never that of -2. */
static ALWAYS_INLINE vuint8m1_t s2f6_lanes(vfloat32m4_t x, size_t vl) {
    const vfloat32m4_t most = __riscv_vfmin_vf_f32m4(__riscv_vfmul_vf_f32m4(x, 64, vl), 127, vl);
    const vint16m2_t steps = __riscv_vfncvt_x_f_w_i16m2(__riscv_vfmax_vf_f32m4(most, -127, vl), vl);
    const vuint8m1_t code = __riscv_vncvt_x_x_w_u8m1(__riscv_vreinterpret_v_i16m2_u16m2(steps), vl);
    return __riscv_vmerge_vxm_u8m1(code, 127, nans_of(x, vl), vl);
}

/* Converts as cvt.rn.satfinite does. QUANTIZE_IN_RANGE means that x is not a NaN. */
static ALWAYS_INLINE vuint8m1_t elements_of(struct job j, vfloat32m4_t x, size_t vl) {
    const struct cvt_format to = cvt_format_of(j.elem);
    const struct round_by_add a = round_by_add_of(to);
    const u32 at_sign = (u32)to.exponent_bits + to.fraction_bits;
    const float most = float_of_bits((u32)a.largest_finite);
    const vfloat32m4_t magnitude = __riscv_vfmin_vf_f32m4(__riscv_vfabs_v_f32m4(x, vl), most, vl);
    const vuint32m4_t exponent = exponent_of(a, magnitude, vl);
    const vfloat32m4_t power = f32_of(__riscv_vadd_vx_u32m4(exponent, (u32)a.added, vl));
    const vuint32m4_t sum = bits_of(__riscv_vfadd_vv_f32m4(magnitude, power, vl));
    const vuint32m4_t code =
        __riscv_vadd_vv_u32m4(sum, __riscv_vsrl_vx_u32m4(exponent, a.dropped_bits, vl), vl);
    const vuint16m2_t sign =
        __riscv_vand_vx_u16m2(__riscv_vnsrl_wx_u16m2(bits_of(x), 31 - at_sign, vl), (u16)(1 << at_sign), vl);
    const vuint8m1_t r =
        __riscv_vncvt_x_x_w_u8m1(__riscv_vor_vv_u16m2(__riscv_vncvt_x_x_w_u16m2(code, vl), sign, vl), vl);
    if (j.elem == PTO_S2F6) return s2f6_lanes(x, vl);
    if (j.work == QUANTIZE_IN_RANGE) return r;
    return __riscv_vmerge_vxm_u8m1(r, (u8)cvt_canonical_nan(to), nans_of(x, vl), vl);
}

static ALWAYS_INLINE void store_elements(struct job j, u8 *to, vuint8m1_t x, size_t vl) {
    const size_t bytes = (vl + 1) / 2;
    vuint16m1_t pair;
    if (j.elem != PTO_E2M1) {
        __riscv_vse8_v_u8m1(to, x, vl);
        return;
    }
    pair = __riscv_vreinterpret_v_u8m1_u16m1(x);
    pair = __riscv_vor_vv_u16m1(pair, __riscv_vsrl_vx_u16m1(pair, 4, bytes), bytes);
    __riscv_vse8_v_u8mf2(to, __riscv_vncvt_x_x_w_u8mf2(pair, bytes), bytes);
    if (vl % 2 != 0) to[vl / 2] &= 0xf;
}

/* Stores x in the type of the tensor. With DEQUANTIZE_CODES, factors are in range, so only codes that are NaNs or
 * infinities give NaNs. */
static ALWAYS_INLINE void store_tensor(struct job j, u8 *to, vfloat32m4_t x, size_t vl) {
    const bool any_nan = j.work == DEQUANTIZE_F16 || j.elem == PTO_E4M3 || j.elem == PTO_E5M2;
    if (j.type == PTO_F32) {
        const vuint32m4_t r = bits_of(x);
        put_array_32m4(to, any_nan ? __riscv_vmerge_vxm_u32m4(r, F32_CANONICAL_NAN, nans_of(x, vl), vl) : r,
                       vl);
    } else {
        const vuint16m2_t r = half_of(j, x, vl);
        put_array_16m2(to, any_nan ? __riscv_vmerge_vxm_u16m2(r, HALF_NAN, nans_of(x, vl), vl) : r, vl);
    }
}

static ALWAYS_INLINE void scale_group(struct job j, const u8 *from, bool is_one, float one, vfloat32m4_t each,
                                      u8 *to, size_t vl) {
    const vfloat32m4_t x = scaled(j, load_values(j, from, vl), is_one, one, each, vl);
    if (quantizes(j))
        store_elements(j, to, elements_of(j, x, vl), vl);
    else if (dequantizes(j))
        store_tensor(j, to, x, vl);
    else
        put_array_32m4(to, bits_of(x), vl);
}

/* ---- loops over blocks ---- */

/* Scales n elements of one block. */
static ALWAYS_INLINE void scale_block(struct job j, const u8 *from, float factor, u8 *to, size_t n) {
    const size_t lanes = lanes_of_group();
    for (; n >= lanes; n -= lanes) {
        scale_group(j, from, true, factor, __riscv_vundefined_f32m4(), to, lanes);
        from += bytes_of_lanes(lanes, bits_from(j));
        to += bytes_of_lanes(lanes, bits_to(j));
    }
    if (n != 0) scale_group(j, from, true, factor, __riscv_vundefined_f32m4(), to, n);
}

/* Scales blocks of up to half a group. A group takes as many whole blocks as fit. */
static ALWAYS_INLINE void scale_short_blocks(struct job j, const u8 *from, const float *factors, size_t block,
                                             u8 *to, size_t n) {
    const size_t lanes = lanes_of_group(), blocks = lanes / block, step = blocks * block;
    const vuint32m4_t which = __riscv_vdivu_vx_u32m4(__riscv_vid_v_u32m4(lanes), (u32)block, lanes);
    while (n != 0) {
        const size_t vl = min_size(n, step);
        const size_t some = vl == step ? blocks : (vl + block - 1) / block;
        const vfloat32m4_t each = __riscv_vrgather_vv_f32m4(__riscv_vle32_v_f32m4(factors, some), which, vl);
        scale_group(j, from, false, 0, each, to, vl);
        from += bytes_of_lanes(vl, bits_from(j));
        to += bytes_of_lanes(vl, bits_to(j));
        factors += some;
        n -= vl;
    }
}

/* Scales `blocks` blocks of one group or two groups each. */
static ALWAYS_INLINE void scale_groups(struct job j, const u8 *from, const float *factors, size_t groups,
                                       u8 *to, size_t blocks) {
    const size_t lanes = lanes_of_group(), in = bytes_of_lanes(lanes, bits_from(j)),
                 out = bytes_of_lanes(lanes, bits_to(j));
    for (; blocks != 0; --blocks, ++factors) {
        UNROLL
        for (size_t k = 0; k < groups; ++k) {
            scale_group(j, from, true, *factors, __riscv_vundefined_f32m4(), to, lanes);
            from += in;
            to += out;
        }
    }
}

static ALWAYS_INLINE void scale_blocks(struct job j, const u8 *from, const float *factors, size_t block,
                                       u8 *to, size_t n) {
    const size_t lanes = lanes_of_group();
    if (block <= lanes / 2) {
        scale_short_blocks(j, from, factors, block, to, n);
        return;
    }
    if (block == lanes || block == 2 * lanes) {
        if (block == lanes)
            scale_groups(j, from, factors, 1, to, n / block);
        else
            scale_groups(j, from, factors, 2, to, n / block);
        factors += n / block;
        from += bytes_of_lanes(n / block * block, bits_from(j));
        to += bytes_of_lanes(n / block * block, bits_to(j));
        n %= block;
    }
    for (; n != 0; ++factors) {
        const size_t some = min_size(n, block);
        scale_block(j, from, *factors, to, some);
        from += bytes_of_lanes(some, bits_from(j));
        to += bytes_of_lanes(some, bits_to(j));
        n -= some;
    }
}

#include "loops/scaling_any_length.h"
#include "rvv/scaling_words.h"
