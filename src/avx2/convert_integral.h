/* SPDX-License-Identifier: MIT */
/* Rounds floats to integral values in their own format. No integral value is subnormal. Part of
 * convert_native.h. */

/* The instruction takes the rounding as an immediate, so each mode needs a case. */
static ALWAYS_INLINE __m256 integral_ps(__m256 x, int mode) {
    switch (mode) {
    case ROUND_RZ: return _mm256_round_ps(x, ROUND_RZ);
    case ROUND_RM: return _mm256_round_ps(x, ROUND_RM);
    case ROUND_RP: return _mm256_round_ps(x, ROUND_RP);
    default: return _mm256_round_ps(x, ROUND_RN);
    }
}

static ALWAYS_INLINE struct ps_32 integral_ps_32(struct ps_32 x, int mode) {
    UNROLL for (size_t k = 0; k < VECTORS; ++k) x.v[k] = integral_ps(x.v[k], mode);
    return x;
}

static ALWAYS_INLINE struct ps_32 integral_f32(const u8 *from, int mode) {
    return integral_ps_32(load_ps_32(from), mode);
}

#define F32_F32(name, r, mode) NATIVE_GROUPS(name##_##r, mode, integral_f32, 4, store_f32_32, 4)
EACH_ROUNDING(F32_F32, F32_F32)

static ALWAYS_INLINE __m256d integral_pd(__m256d x, int mode) {
    switch (mode) {
    case ROUND_RZ: return _mm256_round_pd(x, ROUND_RZ);
    case ROUND_RM: return _mm256_round_pd(x, ROUND_RM);
    case ROUND_RP: return _mm256_round_pd(x, ROUND_RP);
    default: return _mm256_round_pd(x, ROUND_RN);
    }
}

/* A NaN keeps its payload and becomes quiet. */
#define F64_F64(name, r, mode)                                                                               \
    NATIVE(name##_##r, FP_IEEE, 4, 8, 8, store_pd(to, integral_pd(load_pd(from), mode)))
EACH_ROUNDING(F64_F64, F64_F64)

static ALWAYS_INLINE struct ps_32 integral_f16(const u8 *from, int mode) {
    return integral_ps_32(group_of_f16(from, mode), mode);
}
#define F16_F16(name, r, mode) NATIVE_GROUPS(name##_##r, mode, integral_f16, 2, store_f16_32, 2)
EACH_ROUNDING(F16_F16, F16_F16)

static ALWAYS_INLINE struct ps_32 integral_bf16(const u8 *from, int mode) {
    return integral_ps_32(group_of_bf16(from, mode), mode);
}

/* Integral values of bf16 need no more significand bits than bf16 has, so truncation is exact. */
static ALWAYS_INLINE void store_exact_bf16(u8 *to, struct ps_32 x, bool may_have_nan, int mode) {
    (void)mode;
    store_bf16_32(to, x, may_have_nan, ROUND_RZ);
}
#define BF16_BF16(name, r, mode) NATIVE_GROUPS(name##_##r, mode, integral_bf16, 2, store_exact_bf16, 2)
EACH_ROUNDING(BF16_BF16, BF16_BF16)
