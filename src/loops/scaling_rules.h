/* SPDX-License-Identifier: MIT */
/* The rules, a vector of blocks at a time: from the largest magnitudes of blocks scales and factors, and from scales
 * factors, there and back. Part of scaling.h. */

/* ---- MX: a power of two, as a ue8m0 ---- */

static ALWAYS_INLINE u32v exponents_less(u32v bits, int emax) {
    return not_below((bits >> 23) - (u32)emax, v_const_32(0));
}

/* One more where a fraction is cut off. */
static ALWAYS_INLINE u32v exponents_up(u32v bits) {
    return (bits + F32_FRACTION_MASK) & ~(u32)F32_FRACTION_MASK;
}

static ALWAYS_INLINE u32v mx_codes(const struct scaling *s, u32v a) {
    u32v b = a, c;
    switch (s->rule) {
    case PTO_MX_RCEIL:
    case PTO_MX_RCEIL_SAT:
        b = (u32v)((f32v)a * v_const_f32(s->rcp));
        c = v_sel_32(v_gt_u32(b, v_const_32(F32_TINIEST_SCALE)), exponents_up(b) >> 23, v_const_32(0));
        return s->rule == PTO_MX_RCEIL ? not_above(c, v_const_32(UE8M0_NAN)) : not_above(c, v_const_32(254));
    case PTO_MX_EVEN:
    case PTO_MX_EVEN1: b = a + ((u32)1 << (22 - s->digits)); break;
    case PTO_MX_CEIL: b = exponents_up(a); break;
    default: break;
    }
    c = exponents_less(b, s->emax);
    a = s->rule == PTO_MX_CEIL ? a : b;
    return v_sel_32(v_gt_u32(a, v_const_32(F32_LARGEST)), v_const_32(UE8M0_NAN), c);
}

static ALWAYS_INLINE f32v mx_scales(u32v code) {
    const u32v normal = v_sel_32(is_32(code, UE8M0_NAN), v_const_32(F32_CANONICAL_NAN), code << 23);
    return (f32v)v_sel_32(is_32(code, 0), v_const_32(F32_TINIEST_SCALE), normal);
}

static ALWAYS_INLINE f32v mx_inverses(u32v code) {
    return mx_scales(v_sel_32(is_32(code, UE8M0_NAN), code, 254 - code));
}

/* ---- NVFP4: an e4m3 ---- */

static ALWAYS_INLINE u32v e4m3_of(f32v x) {
    return code_of_elem(x, PTO_E4M3) & 0xff;
}

static ALWAYS_INLINE f32v finite_at_most(f32v x) {
    return (f32v)v_sel_32(is_32((u32v)x, F32_INFINITY), v_const_32(F32_LARGEST), (u32v)x);
}

/* A NaN stays, whatever its sign. */
static ALWAYS_INLINE f32v clamped(f32v x, float least, float most) {
    const u32v up = not_below((u32v)x, v_const_32(bits_of_float(least)));
    const u32v y = not_above(up, v_const_32(bits_of_float(most)));
    return (f32v)v_sel_32(is_nan_32((u32v)x), (u32v)x, y);
}

static ALWAYS_INLINE u32v nv_codes(const struct scaling *s, f32v a) {
    const f32v six = v_const_f32(6.0F), up = v_const_f32(s->up);
    f32v b;
    u32v code;
    switch (s->rule) {
    case PTO_NV_TE: return e4m3_of(finite_at_most(a * up));
    case PTO_NV_RCP: return e4m3_of(up * (a * v_const_f32(float_of_bits(RCP_6))));
    case PTO_NV_AO: return e4m3_of(clamped(a / six / up, 0x1p-6F, 448.0F));
    case PTO_NV_MODELOPT:
        b = a / up;
        b = (f32v)v_sel_32(is_32(magnitude_of_32((u32v)b), 0), (u32v)v_const_f32(1.0F), (u32v)b);
        return e4m3_of(clamped(b, 0x1p-9F, 448.0F));
    default:
        b = as_wide(a / six, s->wide);
        code = e4m3_of(up * b);
        return v_sel_32(is_32(code & 0x7f, 0), v_const_32(CT_ZERO_SCALE), code);
    }
}

static ALWAYS_INLINE f32v e4m3_values(u32v code) {
    return (f32v)widen_32(code, cvt_format_of(PTO_E4M3));
}

static ALWAYS_INLINE f32v nv_factors(const struct scaling *s, u32v code) {
    const f32v v = e4m3_values(code), down = v_const_f32(s->down), one = v_const_f32(1.0F);
    switch (s->rule) {
    case PTO_NV_TE: return finite_at_most(one / (v * down));
    case PTO_NV_RCP: return (f32v)v_sel_32(is_32(code & 0x7f, 0), v_const_32(0), (u32v)(one / (v * down)));
    case PTO_NV_AO: return down / v;
    case PTO_NV_MODELOPT: return v * down;
    default: return v / down;
    }
}

static ALWAYS_INLINE f32v nv_back(const struct scaling *s, u32v code) {
    const f32v v = e4m3_values(code), level = v_const_f32(s->level);
    switch (pto_block_rules[s->rule].level) {
    case LEVEL_A: return s->two_level ? v * level * v_const_f32(float_of_bits(RCP_2688)) : v;
    case LEVEL_MULTIPLIER: return level * v;
    default: return v / level;
    }
}

/* ---- FP8: an f32 ---- */

/* Among the powers of two that are normal. */
static ALWAYS_INLINE f32v up_to_power(f32v x) {
    const u32v up = not_below(exponents_up((u32v)x) >> 23, v_const_32(1));
    return (f32v)(not_above(up, v_const_32(254)) << 23);
}

static ALWAYS_INLINE f32v te_factors(const struct scaling *s, f32v floor) {
    const u32v a = (u32v)floor, one = (u32v)v_const_f32(1.0F);
    u32v r = (u32v)(v_const_f32(s->max) / floor);
    r = v_sel_32(is_32(r, F32_INFINITY), (u32v)v_const_f32(s->top), r);
    r = v_sel_32(is_32(a, F32_INFINITY), one, v_sel_32(is_32(a, 0), one, r));
    return (f32v)(s->pow2 ? r & ~(u32)F32_FRACTION_MASK : r);
}

/* The scales, and what the elements are multiplied with or divided by. */
static ALWAYS_INLINE f32v fp8_scales(const struct scaling *s, f32v a, f32v *factors) {
    const f32v one = v_const_f32(1.0F), max = v_const_f32(s->max);
    const f32v floor = (f32v)not_below((u32v)a, (u32v)v_const_f32(s->eps)); /* a NaN stays */
    f32v scale;
    switch (s->rule) {
    case PTO_FP8_MUL: *factors = max / floor; return floor * v_const_f32(s->rcp);
    case PTO_FP8_TE: *factors = te_factors(s, floor); return one / *factors;
    case PTO_FP8_CT:
        scale = as_wide(a / max, s->wide);
        *factors = (f32v)v_sel_32(is_32((u32v)scale, 0), (u32v)v_const_f32(s->least), (u32v)scale);
        return *factors;
    default:
        scale = floor / max;
        if (s->pow2) scale = up_to_power(scale);
        *factors = s->rule == PTO_FP8_RCP ? one / scale : scale;
        return scale;
    }
}

/* ---- the scales of blocks ---- */

static ALWAYS_INLINE size_t scale_bytes(const struct scaling *s) {
    return pto_block_rules[s->rule].family == FAMILY_FP8 ? 4 : 1;
}

static ALWAYS_INLINE void store_some(u8 *p, u32v scales, size_t bytes, size_t n) {
    u8 last[VBYTES];
    if (n >= VLANES_32) {
        v_store_32(p, scales, bytes);
        return;
    }
    v_store_32(last, scales, bytes);
    memcpy(p, last, n * bytes);
}

static ALWAYS_INLINE u32v load_some(const u8 *p, size_t bytes, size_t n) {
    u8 last[VBYTES] = {0};
    if (n >= VLANES_32) return v_load_32(p, bytes, false);
    memcpy(last, p, n * bytes);
    return v_load_32(last, bytes, false);
}

/* The others are 0. */
static ALWAYS_INLINE u32v first_lanes(u32v x, size_t n) {
    u8 all[VBYTES];
    if (n >= VLANES_32) return x;
    v_store_32(all, x, 4);
    return load_some(all, 4, n);
}

static bool find_scales(const struct scaling *s, const u32 *maxima, size_t count, u8 *scales,
                        float *factors) {
    const size_t bytes = scale_bytes(s);
    u32v largest = v_const_32(0); /* magnitude of a product */
    for (size_t i = 0; i < count; i += VLANES_32) {
        const u32v a = f32_of_wide(v_load_32((const u8 *)(maxima + i), 4, false), s->wide);
        f32v factor;
        u32v scale;
        switch (pto_block_rules[s->rule].family) {
        case FAMILY_MX:
            scale = mx_codes(s, a);
            factor = mx_inverses(scale);
            break;
        case FAMILY_NV:
            scale = nv_codes(s, (f32v)a);
            factor = nv_factors(s, scale);
            break;
        default: scale = code_of_wide((u32v)fp8_scales(s, (f32v)a, &factor), PTO_F32); break;
        }
        store_some(scales + i * bytes, scale, bytes, count - i);
        v_store_32((u8 *)(factors + i), (u32v)factor, 4);
        largest = not_below(largest, first_lanes(magnitude_of_32((u32v)((f32v)a * factor)), count - i));
    }
    return v_largest_32(largest)[0] < bits_of_float(s->tame);
}

static ALWAYS_INLINE f32v factors_of(const struct scaling *s, u32v scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_inverses(scale);
    case FAMILY_NV: return nv_factors(s, scale);
    default: return s->step == STEP_TIMES ? v_const_f32(1.0F) / (f32v)scale : (f32v)scale;
    }
}

static ALWAYS_INLINE f32v back_of(const struct scaling *s, u32v scale) {
    switch (pto_block_rules[s->rule].family) {
    case FAMILY_MX: return mx_scales(scale);
    case FAMILY_NV: return nv_back(s, scale);
    default: return (f32v)scale;
    }
}

static void find_factors(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    const size_t bytes = scale_bytes(s);
    for (size_t i = 0; i < count; i += VLANES_32) {
        const u32v scale = load_some(scales + i * bytes, bytes, count - i);
        v_store_32((u8 *)(factors + i), (u32v)factors_of(s, scale), 4);
    }
}

static bool find_back(const struct scaling *s, const u8 *scales, size_t count, float *factors) {
    const size_t bytes = scale_bytes(s);
    u32v most = v_const_32(0); /* of the bits, by which what is negative is above all else */
    for (size_t i = 0; i < count; i += VLANES_32) {
        const u32v factor = (u32v)back_of(s, load_some(scales + i * bytes, bytes, count - i));
        v_store_32((u8 *)(factors + i), factor, 4);
        most = v_sel_32(v_gt_u32(factor, most), factor, most);
    }
    return v_largest_32(most)[0] < bits_of_float(TAME_FACTOR);
}
