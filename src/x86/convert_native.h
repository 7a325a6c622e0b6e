/* SPDX-License-Identifier: MIT */
/*
 * Parts that the native conversions of AVX2 and AVX-512 share: macros for lists and tables of kernels, and
 * values of the small formats. Included at the head of each folder's convert_native.h; native_kernel.h is
 * included at its end.
 */

enum {
    ROUND_RN = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC,
    ROUND_RZ = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC,
    ROUND_RM = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC,
    ROUND_RP = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC,
    ROUNDINGS = 4
};

/* Expands X(name, suffix, mode) for each rounding, in the order of rounding_index in core/convert_native.h. */
#define EACH_ROUNDING(X, name)                                                                               \
    X(name, rn, ROUND_RN)                                                                                    \
    X(name, rz, ROUND_RZ)                                                                                    \
    X(name, rm, ROUND_RM)                                                                                    \
    X(name, rp, ROUND_RP)

/* ---- tables ---- */

#define NAMED(name, r, mode) &native_##name##_##r,
#define ROW(dst_, src_)      [PTO_##dst_][PTO_##src_] = {EACH_ROUNDING(NAMED, dst_##_##src_)}
#define SAME(dst_, src_)                                                                                     \
    [PTO_##dst_][PTO_##src_] = {&native_##dst_##_##src_, &native_##dst_##_##src_, &native_##dst_##_##src_,   \
                                &native_##dst_##_##src_}

/* A row with a kernel for rounding to nearest only. */
#define NEAREST(dst_, src_) [PTO_##dst_][PTO_##src_] = {&native_##dst_##_##src_}

/* Lists of conversions to and from the 8-, 6- and 4-bit formats. */
#define TO_EACH_SMALL(X, src_)                                                                               \
    X(E4M3, src_)                                                                                            \
    X(E5M2, src_)                                                                                            \
    X(E2M3, src_)                                                                                            \
    X(E3M2, src_)                                                                                            \
    X(E2M1, src_)
#define FROM_ALL_SMALL(X, dst_)                                                                              \
    X(dst_, E4M3)                                                                                            \
    X(dst_, E5M2)                                                                                            \
    X(dst_, E2M3)                                                                                            \
    X(dst_, E3M2)                                                                                            \
    X(dst_, E2M1)
#define SMALL(dst_, src_) [PTO_##dst_][PTO_##src_] = &small_##dst_##_##src_,

/* ---- values of the small formats ---- */

/* Returns a table with the upper byte of the f16 value of each subnormal code; for e2m1, of each of the 16
 * codes. */
static ALWAYS_INLINE __m128i f16_upper_bytes(pto_dtype type) {
    const __m128i e4m3 = _mm_setr_epi8(0, 0x18, 0x1c, 0x1e, 0x20, 0x21, 0x22, 0x23, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i e2m3 = _mm_setr_epi8(0, 0x30, 0x34, 0x36, 0x38, 0x39, 0x3a, 0x3b, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i e3m2 = _mm_setr_epi8(0, 0x2c, 0x30, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i e2m1 = _mm_setr_epi8(0, 0x38, 0x3c, 0x3e, 0x40, 0x42, 0x44, 0x46, INT8_MIN, (s8)0xb8,
                                       (s8)0xbc, (s8)0xbe, (s8)0xc0, (s8)0xc2, (s8)0xc4, (s8)0xc6);
    switch (type) {
    case PTO_E4M3: return e4m3;
    case PTO_E2M3: return e2m3;
    case PTO_E3M2: return e3m2;
    default: return e2m1;
    }
}
