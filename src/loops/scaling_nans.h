/* SPDX-License-Identifier: MIT */
/*
 * Defines find_amax() for each type of a tensor. Where this file is included, these must exist:
 *
 *   amax_with_nans(x, n, block, maxima, type)
 *             finds the largest magnitudes, where NaNs are above all other values
 *   amax_any(x, n, block, maxima, type, propagates_nan)
 *             does the same, but ignores NaNs if propagates_nan is false
 */
#define AMAX(type)                                                                                           \
    static void amax_##type(const u8 *x, size_t n, size_t block, u32 *maxima) {                              \
        amax_with_nans(x, n, block, maxima, PTO_##type);                                                     \
    }                                                                                                        \
    static NOINLINE void amax_without_nans_##type(const u8 *x, size_t n, size_t block, u32 *maxima) {        \
        amax_any(x, n, block, maxima, PTO_##type, false);                                                    \
    }
AMAX(F16)
AMAX(BF16)
AMAX(F32)

static bool any_nan(const u32 *maxima, size_t count, pto_dtype type) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(type));
    u32 largest = 0;
    for (size_t k = 0; k < count; ++k) largest = maxima[k] > largest ? maxima[k] : largest;
    return largest > infinity;
}

static bool find_amax(const struct scaling *s, const u8 *x, size_t n, size_t block, u32 *maxima) {
    static void (*const kernels[BLOCK_TENSOR_TYPES][2])(const u8 *, size_t, size_t,
                                                        u32 *) = {{amax_without_nans_F16, amax_F16},
                                                                  {amax_without_nans_BF16, amax_BF16},
                                                                  {amax_without_nans_F32, amax_F32}};
    const size_t count = n / block + (n % block != 0), type = tensor_type_index(s->type);
    u32 before[SCALING_BLOCKS];
    if (!s->propagates_nan) memcpy(before, maxima, count * sizeof before[0]);
    kernels[type][1](x, n, block, maxima);
    if (s->propagates_nan || !any_nan(maxima, count, s->type)) return false;
    memcpy(maxima, before, count * sizeof before[0]);
    kernels[type][0](x, n, block, maxima);
    return true;
}
