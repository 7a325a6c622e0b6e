/* SPDX-License-Identifier: MIT */
/*
 * The kernel fold(), for each type of a tensor. Include with
 *
 *   fold_quickly(x, n, block, maxima, wide)
 *             finds the largest magnitudes, where NaNs are above all other values
 *   fold_any(x, n, block, maxima, wide, keeps_nan)
 *             does the same, but ignores NaNs if keeps_nan is false
 */
#define FOLD(wide)                                                                                           \
    static void fold_##wide(const u8 *x, size_t n, size_t block, u32 *maxima) {                              \
        fold_quickly(x, n, block, maxima, PTO_##wide);                                                       \
    }                                                                                                        \
    static NOINLINE void fold_numbers_##wide(const u8 *x, size_t n, size_t block, u32 *maxima) {             \
        fold_any(x, n, block, maxima, PTO_##wide, false);                                                    \
    }
FOLD(F16)
FOLD(BF16)
FOLD(F32)

static bool any_nan(const u32 *maxima, size_t count, pto_dtype wide) {
    const u32 infinity = (u32)cvt_inf_code(cvt_format_of(wide));
    u32 largest = 0;
    for (size_t k = 0; k < count; ++k) largest = maxima[k] > largest ? maxima[k] : largest;
    return largest > infinity;
}

static bool fold(const struct scaling *s, const u8 *x, size_t n, size_t block, u32 *maxima) {
    static void (*const of[BLOCK_WIDES][2])(const u8 *, size_t, size_t, u32 *) = {
        {fold_numbers_F16, fold_F16}, {fold_numbers_BF16, fold_BF16}, {fold_numbers_F32, fold_F32}};
    const size_t count = n / block + (n % block != 0), wide = wide_index(s->wide);
    u32 before[SCALING_BLOCKS];
    if (!s->keeps_nan) memcpy(before, maxima, count * sizeof before[0]);
    of[wide][1](x, n, block, maxima);
    if (s->keeps_nan || !any_nan(maxima, count, s->wide)) return false;
    memcpy(maxima, before, count * sizeof before[0]);
    of[wide][0](x, n, block, maxima);
    return true;
}
