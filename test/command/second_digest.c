/* SPDX-License-Identifier: MIT */
/*
 * A second implementation of docs/digests.md, which shares no code with cli/. Prints "FORM BEGIN END DIGEST" for some
 * forms, followed by --sample if the digest is of the form's sample. Results come from C operators and functions if C
 * has them, otherwise from libpto, for inputs generated here.
 */
#include <pto/pto.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHARE = 1 << 20, SAMPLE = 1 << 22 };

/* The results of one share. */
static uint8_t bytes[SHARE * 8];

static uint64_t splitmix(uint64_t seed) {
    uint64_t z = seed + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* Writes the results of n inputs, beginning with input `first`, to `bytes`. Returns their size in bytes. */
typedef size_t filler(uint64_t first, size_t n);

/* Stores result k, one bit. Earlier results of the same byte must already be stored. */
static void put_truth(size_t k, bool truth) {
    if (k % 8 == 0) bytes[k / 8] = 0;
    if (truth) bytes[k / 8] |= (uint8_t)(1U << (k % 8));
}

static size_t less_s8(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const int8_t a = (int8_t)(uint8_t)((first + k) & 0xff), b = (int8_t)(uint8_t)((first + k) >> 8);
        put_truth(k, a < b);
    }
    return n / 8;
}

static size_t larger_u8(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint8_t a = (uint8_t)((first + k) & 0xff), b = (uint8_t)((first + k) >> 8);
        bytes[k] = a > b ? a : b;
    }
    return n;
}

static size_t set_less_u16(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint64_t i = first + k;
        const uint32_t truth = (i & 0xffff) < i >> 16 ? 0xffffffff : 0;
        memcpy(bytes + 4 * k, &truth, 4);
    }
    return 4 * n;
}

static size_t choose_by_p(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint64_t i = first + k;
        const uint16_t chosen = (uint16_t)(i >= UINT64_C(1) << 32 ? i : i >> 16);
        memcpy(bytes + 2 * k, &chosen, 2);
    }
    return 2 * n;
}

static size_t choose_by_sign(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint64_t i = first + k;
        const uint16_t chosen = (uint16_t)(i < UINT64_C(1) << 31 ? i : i >> 16);
        memcpy(bytes + 2 * k, &chosen, 2);
    }
    return 2 * n;
}

static size_t clamp_u8(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const int16_t x = (int16_t)(uint16_t)(first + k);
        bytes[k] = (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
    }
    return n;
}

/* ---- the sample of 64-bit sources ---- */

static uint64_t sample(uint64_t i) {
    const uint64_t z = splitmix(2 * i), w = splitmix(2 * i + 1), t = (w >> 8) % 64, low = i % 0x10000;
    const uint64_t magnitude = (z >> (w % 64)) >> t << t;
    if (i < 0x10000) return low << 48;
    if (i < 0x20000) return low << 48 | 0xffffffffffff;
    if (i < 0x30000) return low << 48 | 1;
    if (i < 0x40000) return low < 0x8000 ? low : low | 0xffffffffffff0000;
    if (i % 4 == 0) return z;
    if (i % 4 == 1) return magnitude;
    if (i % 4 == 2) return ~magnitude + 1;
    return (z & 0x8000000000000000) | (863 + (w >> 16) % 320) << 52 | (z & 0xfffffffffffff) >> t << t;
}

/* Stores the 64-bit samples unchanged, for a conversion that keeps the bits. */
static size_t sampled(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint64_t x = sample(first + k);
        memcpy(bytes + 8 * k, &x, 8);
    }
    return 8 * n;
}

/* Stores the low half of each sample. */
static size_t narrowed(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint32_t low = (uint32_t)sample(first + k);
        memcpy(bytes + 4 * k, &low, 4);
    }
    return 4 * n;
}

/* ---- samples of 32-bit sources, and of pairs of 16-bit operands ---- */

static uint32_t sample_of_32(uint64_t i) {
    const uint32_t upper = (uint32_t)(i % 0x80000) << 13;
    const uint64_t z = splitmix(i + 0x100000000), h = z >> 32, t = (z >> 8) % 32;
    const uint32_t magnitude = (uint32_t)(h >> (z % 32) >> t << t);
    switch (i / 0x80000) {
    case 0: return upper;
    case 1: return upper + 1;
    case 2: return upper + 0x0fff;
    case 3: return upper + 0x1000;
    case 4: return upper + 0x1001;
    case 5: return upper + 0x1fff;
    case 6: return (uint32_t)(i % 0x80000) - 0x40000;
    default: break;
    }
    if (i % 4 == 0) return (uint32_t)h;
    if (i % 4 == 1) return magnitude;
    if (i % 4 == 2) return ~magnitude + 1;
    return (uint32_t)((h & 0x80000000) | (87 + (z >> 16) % 80) << 23 | (h & 0x7fffff) >> t << t);
}

/* Stores sample i of pairs of 16-bit operands. One operand takes all values; the other takes 32 values, of which
 * every fourth has `to_a` or `to_b` added. */
static void sample_with(uint64_t i, uint16_t to_a, uint16_t to_b, uint16_t *a, uint16_t *b) {
    const uint16_t all = (uint16_t)(i % 0x10000), k = (uint16_t)(i / 0x10000 % 32),
                   some = (uint16_t)(k * 2048);
    const bool last = k % 4 == 3;
    *a = i < 0x200000 ? all : last ? some + to_a : some;
    *b = i >= 0x200000 ? all : last ? some + to_b : some;
}

static void sample_of_pair(uint64_t i, uint16_t *a, uint16_t *b) {
    sample_with(i, 0x400, 0x780, a, b);
}

/* Stores the 32-bit samples unchanged, for a conversion that keeps the bits. */
static size_t sampled_words(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint32_t x = sample_of_32(first + k);
        memcpy(bytes + 4 * k, &x, 4);
    }
    return 4 * n;
}

static size_t sampled_smaller(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        uint16_t a, b;
        sample_of_pair(first + k, &a, &b);
        memcpy(bytes + 2 * k, a < b ? &a : &b, 2);
    }
    return 2 * n;
}

static size_t sampled_by_p(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        uint16_t a, b;
        sample_of_pair(first + k, &a, &b);
        memcpy(bytes + 2 * k, (first + k) / 0x10000 % 2 == 1 ? &a : &b, 2);
    }
    return 2 * n;
}

static size_t sampled_by_sign(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        uint16_t a, b;
        sample_of_pair(first + k, &a, &b);
        memcpy(bytes + 2 * k, sample_of_32(first + k) < 0x80000000 ? &a : &b, 2);
    }
    return 2 * n;
}

/* Returns the f32 with these bits. f64() does the same for f64. */
static float f32(uint64_t bits) {
    const uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, 4);
    return x;
}

static double f64(uint64_t bits) {
    double x;
    memcpy(&x, &bits, 8);
    return x;
}

/* Returns the bits of the f32 truncated to an integer. NaNs are made quiet here, because C does not specify them. */
static uint32_t truncated(uint32_t bits) {
    if ((bits & 0x7fffffff) > 0x7f800000) return bits | 0x400000;
    const float whole = truncf(f32(bits));
    memcpy(&bits, &whole, 4);
    return bits;
}

static size_t truncated_words(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint32_t whole = truncated((uint32_t)(first + k));
        memcpy(bytes + 4 * k, &whole, 4);
    }
    return 4 * n;
}

static size_t sampled_truncated(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint32_t whole = truncated(sample_of_32(first + k));
        memcpy(bytes + 4 * k, &whole, 4);
    }
    return 4 * n;
}

/* ---- two operands of 32 and of 64 bits ---- */

struct operands {
    uint64_t a, b;
};

/* Returns the `count` bits below the upper 16 bits of an operand. */
static uint64_t lower_bits(uint64_t which, uint64_t random, unsigned count) {
    const uint64_t all = (UINT64_C(1) << count) - 1;
    switch (which % 4) {
    case 0: return 0;
    case 1: return 1;
    case 2: return all;
    default: return random & all;
    }
}

static struct operands sample_of_wide(uint64_t i, unsigned width) {
    const uint64_t chosen = splitmix(i + 0x200000000), random = splitmix(chosen);
    const unsigned below = width - 16;
    const uint16_t added = width == 32 ? 0x780 : 0x7f0;
    uint16_t a, b;
    sample_with(i, added, added, &a, &b);
    struct operands x = {(uint64_t)a << below | lower_bits(chosen, random, below),
                         (uint64_t)b << below | lower_bits(chosen >> 2, splitmix(random), below)};
    if ((chosen >> 4) % 8 == 0) x.b = x.a;
    return x;
}

static size_t sampled_less_f32(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 32);
        put_truth(k, f32(x.a) < f32(x.b));
    }
    return n / 8;
}

static size_t sampled_equal_f64(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 64);
        put_truth(k, f64(x.a) == f64(x.b));
    }
    return n / 8;
}

static size_t sampled_greater_s64(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 64);
        put_truth(k, (int64_t)x.a > (int64_t)x.b);
    }
    return n / 8;
}

static size_t sampled_set_less_f32(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 32);
        const uint32_t truth = f32(x.a) < f32(x.b) ? 0xffffffff : 0;
        memcpy(bytes + 4 * k, &truth, 4);
    }
    return 4 * n;
}

static size_t sampled_larger_s32(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 32);
        const int32_t a = (int32_t)(uint32_t)x.a, b = (int32_t)(uint32_t)x.b;
        memcpy(bytes + 4 * k, a > b ? &a : &b, 4);
    }
    return 4 * n;
}

static size_t sampled_smaller_u64(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 64);
        memcpy(bytes + 8 * k, x.a < x.b ? &x.a : &x.b, 8);
    }
    return 8 * n;
}

static size_t sampled_wide_by_p(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 64);
        memcpy(bytes + 8 * k, (first + k) / 0x10000 % 2 == 1 ? &x.a : &x.b, 8);
    }
    return 8 * n;
}

/* Stores the results of slct with an f32 c. It selects a if c >= 0, which is false for NaN and true for -0. */
static size_t sampled_wide_by_f32(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const struct operands x = sample_of_wide(first + k, 32);
        const uint32_t chosen = (uint32_t)(f32(sample_of_32(first + k)) >= 0 ? x.a : x.b);
        memcpy(bytes + 4 * k, &chosen, 4);
    }
    return 4 * n;
}

/* ---- results of the library ---- */

static uint32_t words[SHARE];
static uint8_t sources[SHARE * 4];
static uint8_t extra[SHARE * 4];

static size_t converted(pto_cvt_op op, size_t n) {
    if (pto_cvt(op, sources, bytes, extra, n) != PTO_OK) return 0;
    return n * pto_dtype_bits(op.dst) / 8;
}

static size_t stochastic(uint64_t first, size_t n, pto_dtype dst, unsigned group) {
    const pto_cvt_op op = {.dst = dst, .src = PTO_F32, .round = PTO_RS, .satfinite = dst == PTO_E2M1};
    for (size_t k = 0; k < n; ++k) words[k] = (uint32_t)(first + k);
    memcpy(sources, words, 4 * n);
    for (size_t k = 0; k < n / group; ++k) words[k] = (uint32_t)splitmix(first / group + k);
    memcpy(extra, words, 4 * (n / group));
    return converted(op, n);
}

static size_t stochastic_f16(uint64_t first, size_t n) {
    return stochastic(first, n, PTO_F16, 2);
}

static size_t stochastic_e2m1(uint64_t first, size_t n) {
    return stochastic(first, n, PTO_E2M1, 4);
}

/* Converts the n values in `words`, with one scale for each pair. */
static size_t scaled_words(uint64_t first, size_t n) {
    const pto_cvt_op op = {PTO_E4M3, PTO_F32, PTO_RN, .satfinite = true, .scale = PTO_SCALE_N1};
    memcpy(sources, words, 4 * n);
    for (size_t k = 0; k < n / 2; ++k) extra[k] = (uint8_t)(splitmix(first / 2 + k) >> 56);
    return converted(op, n);
}

static size_t scaled_pairs(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) words[k] = (uint32_t)(first + k);
    return scaled_words(first, n);
}

static size_t sampled_scaled_pairs(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) words[k] = sample_of_32(first + k);
    return scaled_words(first, n);
}

static size_t scaled_codes(uint64_t first, size_t n) {
    const pto_cvt_op op = {PTO_BF16, PTO_E2M3, PTO_RN, .scale = PTO_SCALE_N2};
    for (size_t k = 0; k < n; ++k) {
        sources[k] = (uint8_t)((first + k) % 64);
        extra[k] = (uint8_t)((first + k) / 64);
    }
    return converted(op, n);
}

/* Converts the 16-bit codes `first` to `first` + n - 1. */
static size_t converted_codes(pto_vcvt_op op, uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const uint16_t code = (uint16_t)(first + k);
        memcpy(sources + 2 * k, &code, 2);
    }
    if (pto_vcvt(op, sources, PTO_NO_MASK, bytes, n) != PTO_OK) return 0;
    return n * pto_dtype_bits(op.dst) / 8;
}

static size_t converted_s8(uint64_t first, size_t n) {
    return converted_codes((pto_vcvt_op){PTO_S8, PTO_F16, PTO_VRND_Z, .sat = true}, first, n);
}

static size_t converted_e2m1(uint64_t first, size_t n) {
    return converted_codes((pto_vcvt_op){PTO_E2M1, PTO_BF16, PTO_VRND_F, .sat = false}, first, n);
}

/* ---- casts: rows of inputs, one for each rounding and overflow ---- */

/* In each row of 2^16 inputs, the source is the low 16 bits of the number of the input. */
static size_t cast_clamped(uint64_t first, size_t n) {
    return clamp_u8(first, n);
}

static uint32_t source_of_32(uint64_t i) {
    const uint64_t w = splitmix(i + 0x400000000), row = i / 0x10000;
    const uint32_t upper = (uint32_t)((i + row % 4) % 0x10000) << 16;
    if (i % 4 != 0) return sample_of_32(0x400000 + i);
    return upper | (uint32_t)lower_bits(w, splitmix(w), 16);
}

static uint64_t source_of_64(uint64_t i) {
    const uint64_t w = splitmix(i + 0x400000000), row = i / 0x10000;
    if (i % 4 != 0) return sample(0x400000 + i);
    return (i + row % 4) % 0x10000 << 48 | lower_bits(w, splitmix(w), 48);
}

static size_t widened(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const int64_t x = (int32_t)source_of_32(first + k);
        memcpy(bytes + 8 * k, &x, 8);
    }
    return 8 * n;
}

/* The results are s2: four in a byte. */
static size_t stochastic_and_others(uint64_t first, size_t n) {
    static const pto_round rounds[] = {PTO_RN, PTO_RNA, PTO_RZ, PTO_RM, PTO_RP, PTO_RS, PTO_RO};
    for (size_t k = 0; k < n; k += 0x10000) {
        const size_t row = (size_t)(first + k) / 0x10000;
        const pto_cast_op op = {PTO_S2, PTO_F64, rounds[row % 7], (pto_overflow)(row / 7)};
        uint64_t longs[0x1000];
        uint32_t random[0x1000];
        for (size_t j = 0; j < 0x10000; j += 0x1000) {
            for (size_t i = 0; i < 0x1000; ++i) {
                longs[i] = source_of_64(first + k + j + i);
                random[i] = (uint32_t)splitmix(first + k + j + i);
            }
            if (pto_cast(op, longs, bytes + (k + j) / 4, op.round == PTO_RS ? random : NULL, 0x1000) !=
                PTO_OK)
                return 0;
        }
    }
    return n / 4;
}

/* The sources are the integers of 4 bits in the order of their codes: 0 to 7, -8 to -1. */
static size_t values_of_s4(uint64_t first, size_t n) {
    for (size_t k = 0; k < n; ++k) {
        const double x = (int)((first + k + 8) % 16) - 8;
        memcpy(bytes + 8 * k, &x, 8);
    }
    return 8 * n;
}

static const struct row {
    const char *form;
    filler *fill;
    uint64_t count, begin, end;
} rows[] = {
    {"vcmp.lt.s8", less_s8, 65536, 0, 1},
    {"vmax.u8", larger_u8, 65536, 0, 1},
    {"set.lt.u32.u16", set_less_u16, UINT64_C(1) << 32, 5, 7},
    {"selp.b16", choose_by_p, UINT64_C(1) << 33, 4095, 4097},
    {"slct.s16.s32", choose_by_sign, UINT64_C(1) << 32, 2047, 2049},
    {"cvt.sat.u8.s16", clamp_u8, 65536, 0, 1},
    {"cvt.u64.s64", sampled, UINT64_C(1) << 24, 0, 2},
    {"cvt.rs.f16x2.f32", stochastic_f16, UINT64_C(1) << 32, 1016, 1018},
    {"cvt.rs.satfinite.e2m1x4.f32", stochastic_e2m1, UINT64_C(1) << 32, 1016, 1017},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32", scaled_pairs, UINT64_C(1) << 32, 1016, 1017},
    {"cvt.rn.scaled::n2::ue8m0.bf16x2.e2m3x2", scaled_codes, UINT64_C(64) * 256, 0, 1},
    {"cvt.u32.s32", sampled_words, SAMPLE, 0, 4},
    {"vmin.u16", sampled_smaller, SAMPLE, 0, 4},
    {"selp.b16", sampled_by_p, SAMPLE, 0, 4},
    {"slct.s16.s32", sampled_by_sign, SAMPLE, 1, 4},
    {"cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32", sampled_scaled_pairs, SAMPLE, 3, 4},
    {"vcmp.lt.f32", sampled_less_f32, SAMPLE, 0, 4},
    {"vcmp.eq.f64", sampled_equal_f64, SAMPLE, 0, 4},
    {"vcmp.gt.s64", sampled_greater_s64, SAMPLE, 0, 4},
    {"set.lt.u32.f32", sampled_set_less_f32, SAMPLE, 1, 3},
    {"vmax.s32", sampled_larger_s32, SAMPLE, 0, 4},
    {"vmin.u64", sampled_smaller_u64, SAMPLE, 0, 4},
    {"selp.b64", sampled_wide_by_p, SAMPLE, 0, 4},
    {"slct.u32.f32", sampled_wide_by_f32, SAMPLE, 0, 4},
    {"vtrc.Z.f32", truncated_words, UINT64_C(1) << 32, 1016, 1017},
    {"vtrc.Z.f32", sampled_truncated, SAMPLE, 0, 4},
    {"vcvt.Z.sat.s8.f16", converted_s8, 65536, 0, 1},
    {"vcvt.F.e2m1.bf16", converted_e2m1, 65536, 0, 1},
    {"vcvt.R.s32.s64", narrowed, UINT64_C(1) << 24, 0, 2},
    {"cast.u8.s16", cast_clamped, UINT64_C(21) << 16, 0, 2},
    {"cast.s64.s32", widened, UINT64_C(21) << 16, 0, 2},
    {"cast.s2.f64", stochastic_and_others, UINT64_C(21) << 16, 0, 2},
    {"cast.f64.s4", values_of_s4, UINT64_C(21) << 12, 0, 1},
};

int main(void) {
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        uint64_t high = 0, low = 0;
        for (uint64_t s = rows[r].begin; s < rows[r].end; ++s) {
            const uint64_t left = rows[r].count - s * SHARE;
            const size_t length = rows[r].fill(s * SHARE, left < SHARE ? (size_t)left : SHARE);
            const XXH128_hash_t leaf = XXH3_128bits_withSeed(bytes, length, s);
            low += leaf.low64;
            high += leaf.high64 + (low < leaf.low64 ? 1 : 0);
        }
        printf("%s %" PRIu64 " %" PRIu64 " %016" PRIx64 "%016" PRIx64 "%s\n", rows[r].form, rows[r].begin,
               rows[r].end, high, low, rows[r].count == SAMPLE ? " --sample" : "");
    }
    return 0;
}
