/* SPDX-License-Identifier: MIT */
/* Generates the inputs of forms. docs/digests.md defines them, so that other programs can compute the same digests. */
#include "digest_input.h"

#include "cast_text.h"
#include "element.h"

#include <string.h>

/* ---- pseudorandom sources ---- */

/* Returns the first output of SplitMix64 with the seed x. */
static uint64_t splitmix64(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Returns source i of the first 4 * 2^16 of a 64-bit sample. In the first 3 * 2^16 the upper 16 bits have all
 * values, and the 48 bits below are 0, all ones, or 1. The last 2^16 are all 16-bit signed integers. */
static uint64_t special_64(uint64_t i) {
    const uint64_t upper = i % 65536 << 48;
    switch (i / 65536) {
    case 0: return upper;
    case 1: return upper | (UINT64_MAX >> 16);
    case 2: return upper | 1;
    default: return (uint64_t)(int64_t)(int16_t)(uint16_t)(i % 65536);
    }
}

/* Returns source i of a 64-bit sample. The first sources are those of special_64(). The others are
 * pseudorandom, and i % 4 selects the kind: any bits; positive integers whose low bits are 0; the same
 * negated; f64 values with exponents from -160 to 159. */
static uint64_t sampled_64(uint64_t i) {
    const uint64_t z = splitmix64(2 * i), w = splitmix64(2 * i + 1), zeros = UINT64_MAX << (w / 256 % 64);
    if (i < UINT64_C(4) * 65536) return special_64(i);
    switch (i % 4) {
    case 0: return z;
    case 1: return z >> w % 64 & zeros;
    case 2: return 0 - (z >> w % 64 & zeros);
    default: return (z >> 63 << 63) | (1023 - 160 + w / 65536 % 320) << 52 | (z & zeros & (UINT64_MAX >> 12));
    }
}

/* Returns source i of the first 7 * 2^19 of a 32-bit sample. In the first 6 * 2^19 the upper 19 bits have all
 * values. These are sign, exponent and the first 10 fraction bits of an f32; f16 has 10 fraction bits, too.
 * The 13 bits below are near 0, near half of the last bit above, or all ones. The last 2^19 are the integers
 * from -2^18 to 2^18 - 1. */
static uint32_t special_32(uint64_t i) {
    static const uint32_t below[] = {0, 1, 0xfff, 0x1000, 0x1001, 0x1fff};
    const uint64_t row = i >> 19;
    if (row < sizeof below / sizeof *below) return (uint32_t)i << 13 | below[row];
    return (uint32_t)(i - (UINT64_C(13) << 18));
}

/* Returns source i of a 32-bit sample, of the kinds of sampled_64(). The f32 values have exponents from -40
 * to 39. */
static uint32_t sampled_32(uint64_t i) {
    const uint64_t z = splitmix64((UINT64_C(1) << 32) + i);
    const uint32_t upper = (uint32_t)(z >> 32), zeros = UINT32_MAX << (z >> 8) % 32;
    if (i < UINT64_C(7) << 19) return special_32(i);
    switch (i % 4) {
    case 0: return upper;
    case 1: return upper >> z % 32 & zeros;
    case 2: return 0 - (upper >> z % 32 & zeros);
    default:
        return (upper & UINT32_C(0x80000000)) | (uint32_t)(87 + (z >> 16) % 80) << 23 |
               (upper & zeros & UINT32_C(0x7fffff));
    }
}

/* ---- operands ---- */

static void fill_8(union lanes *to, uint64_t first, size_t n, uint64_t codes) {
    for (size_t i = 0; i < n; ++i) to->bytes[i] = (uint8_t)((first + i) % codes);
}

static void fill_16(union lanes *to, uint64_t first, size_t n) {
    for (size_t i = 0; i < n; ++i) to->halves[i] = (uint16_t)(first + i);
}

static void fill_32(union lanes *to, uint64_t first, size_t n) {
    for (size_t i = 0; i < n; ++i) to->words[i] = (uint32_t)(first + i);
}

static void sample_32(union lanes *to, uint64_t first, size_t n) {
    for (size_t i = 0; i < n; ++i) to->words[i] = sampled_32(first + i);
}

/* Codes of 4 or 2 bits share a byte; the first is in the low bits. */
static void fill_packed(union lanes *to, uint64_t first, size_t n, size_t bits) {
    memset(to->bytes, 0, (n * bits + 7) / 8);
    for (size_t i = 0; i < n; ++i)
        to->bytes[i * bits / 8] |= (uint8_t)((first + i) % (1U << bits) << i * bits % 8);
}

static void fill_sources(union lanes *to, const struct form *form, uint64_t first, size_t n) {
    const pto_dtype type = source_type(form);
    switch (pto_dtype_bits(type)) {
    case 2:
    case 4: fill_packed(to, first, n, pto_dtype_bits(type)); break;
    case 8: fill_8(to, first, n, source_codes(type)); break;
    case 16: fill_16(to, first, n); break;
    case 32: (form->coverage == COVERS_SAMPLE ? sample_32 : fill_32)(to, first, n); break;
    default:
        for (size_t i = 0; i < n; ++i) to->longs[i] = sampled_64(first + i);
        break;
    }
}

/* Returns the scale for an element. A form that covers all inputs has every scale for every source. Otherwise
 * the scale is pseudorandom; with .scaled::n1 two neighbouring elements share one scale. */
static uint8_t scale_of(const struct form *form, uint64_t element) {
    if (form->coverage == COVERS_ALL) return (uint8_t)(element / source_codes(form->cvt.src));
    return (uint8_t)(splitmix64(form->cvt.scale == PTO_SCALE_N1 ? element / 2 : element) >> 56);
}

static void fill_scales(const struct form *form, struct block *block) {
    const size_t group = form->cvt.scale == PTO_SCALE_N1 ? 2 : 1;
    for (size_t i = 0; i < block->n; i += group)
        block->extra.bytes[i / group] = scale_of(form, block->first + i);
}

static void fill_random(const struct form *form, struct block *block) {
    const size_t group = elements_per_random_word(form->cvt.dst);
    for (size_t i = 0; i < block->n; i += group)
        block->extra.words[i / group] = (uint32_t)splitmix64((block->first + i) / group);
}

/* Writes all pairs of 8-bit or 16-bit operands. The low half of an input's number is a, the high half is
 * b. */
static void fill_pairs(struct block *block, pto_dtype type) {
    const size_t bits = pto_dtype_bits(type);
    if (bits == 8) {
        fill_8(&block->source, block->first, block->n, 256);
        for (size_t i = 0; i < block->n; ++i) block->second.bytes[i] = (uint8_t)((block->first + i) >> 8);
    } else {
        fill_16(&block->source, block->first, block->n);
        for (size_t i = 0; i < block->n; ++i) block->second.halves[i] = (uint16_t)((block->first + i) >> 16);
    }
}

/* Samples pairs of 16-bit operands: all 2^16 values of a with each of 32 values of b, then all values of b
 * with each of 32 values of a. The 32 values include both zeros, 1, -1 and both infinities, for b of bf16 and
 * for a of f16. In a block, the operand with 32 values is constant, because 2^16 is a multiple of the block's
 * size. */
static void sample_pairs(struct block *block) {
    const bool varies_a = block->first >> 21 == 0;
    const uint64_t k = block->first >> 16 & 31, lower = k % 4 != 3 ? 0 : varies_a ? 0x780 : 0x400;
    union lanes *const some = varies_a ? &block->second : &block->source;
    fill_16(varies_a ? &block->source : &block->second, block->first, block->n);
    for (size_t i = 0; i < block->n; ++i) some->halves[i] = (uint16_t)(k << 11 | lower);
}

/* Returns `bits` bits: 0, 1, all ones, or the low bits of `any`, as choice % 4 selects. */
static uint64_t lower_bits(uint64_t choice, uint64_t any, unsigned bits) {
    const uint64_t all = (UINT64_C(1) << bits) - 1;
    switch (choice % 4) {
    case 0: return 0;
    case 1: return 1;
    case 2: return all;
    default: return any & all;
    }
}

/* Samples a pair of 32-bit or 64-bit operands. The upper 16 bits are those of sample_pairs(), but with the
 * infinities of f32 or f64; lower_bits() gives the bits below. In one eighth of the pairs both operands are
 * equal. */
static void sampled_pair(uint64_t i, unsigned bits, uint64_t *a, uint64_t *b) {
    const unsigned below = bits - 16;
    const uint64_t k = i >> 16 & 31, infinity = bits == 32 ? 0x780 : 0x7f0;
    const uint64_t some = k << 11 | (k % 4 != 3 ? 0 : infinity), all = i % 65536;
    const uint64_t w = splitmix64((UINT64_C(1) << 33) + i), any = splitmix64(w);
    const bool varies_a = i >> 21 == 0;
    *a = (varies_a ? all : some) << below | lower_bits(w, any, below);
    *b = (varies_a ? some : all) << below | lower_bits(w >> 2, splitmix64(any), below);
    if ((w >> 4) % 8 == 0) *b = *a;
}

static void sample_wide_pairs(struct block *block, unsigned bits) {
    for (size_t i = 0; i < block->n; ++i) {
        uint64_t a, b;
        sampled_pair(block->first + i, bits, &a, &b);
        if (bits == 32) {
            block->source.words[i] = (uint32_t)a;
            block->second.words[i] = (uint32_t)b;
        } else {
            block->source.longs[i] = a;
            block->second.longs[i] = b;
        }
    }
}

/* Returns source i of a cast from 32 or 64 bits. In one quarter of the sources the upper 16 bits have all values; the
 * others are pseudorandom sources of the samples. */
static uint64_t cast_source(uint64_t i, unsigned bits) {
    const uint64_t other = (UINT64_C(1) << 22) + i, w = splitmix64((UINT64_C(1) << 34) + i), row = i >> 16;
    if (i % 4 != 0) return bits == 32 ? sampled_32(other) : sampled_64(other);
    return (i + row % 4) % 65536 << (bits - 16) | lower_bits(w, splitmix64(w), bits - 16);
}

/* Writes the sources of a cast, and a random word for each. */
static void fill_cast(const struct form *form, struct block *block) {
    const unsigned bits = (unsigned)pto_dtype_bits(form->cast.src);
    if (bits <= 16) fill_sources(&block->source, form, block->first, block->n);
    for (size_t i = 0; i < block->n; ++i) {
        const uint64_t input = block->first + i;
        if (bits == 32) block->source.words[i] = (uint32_t)cast_source(input, bits);
        if (bits == 64) block->source.longs[i] = cast_source(input, bits);
        block->extra.words[i] = (uint32_t)splitmix64(input);
    }
}

/* Returns the predicate of selp for the inputs from `first` on, up to the next multiple of 2^16. */
static bool predicate(const struct form *form, uint64_t first) {
    return form->coverage == COVERS_SAMPLE ? (first >> 16 & 1) != 0 : first >> 32 != 0;
}

static void fill_selectors(const struct form *form, struct block *block) {
    if (form->operation == OP_SELP)
        memset(block->extra.bytes, predicate(form, block->first) ? 0xff : 0, (block->n + 7) / 8);
    if (form->operation == OP_SLCT)
        (form->coverage == COVERS_SAMPLE ? sample_32 : fill_32)(&block->extra, block->first, block->n);
}

void block_fill(const struct form *form, struct block *block, uint64_t first, size_t n) {
    block->first = first;
    block->n = n;
    if (!is_conversion(form)) {
        if (pto_dtype_bits(form->type) > 16)
            sample_wide_pairs(block, (unsigned)pto_dtype_bits(form->type));
        else if (form->coverage == COVERS_SAMPLE)
            sample_pairs(block);
        else
            fill_pairs(block, form->type);
        fill_selectors(form, block);
        return;
    }
    if (form->operation == OP_CAST) {
        fill_cast(form, block);
        return;
    }
    fill_sources(&block->source, form, first, n);
    if (form->cvt.scale != PTO_SCALE_NONE) fill_scales(form, block);
    if (form->cvt.round == PTO_RS) fill_random(form, block);
}

/* ---- results ---- */

/* Casts a block, row by row. A row is a whole number of blocks, or a block of rows. */
static pto_status run_cast(const struct form *form, struct block *block) {
    const size_t in = pto_dtype_bits(form->cast.src), out = pto_dtype_bits(form->cast.dst);
    const size_t row = (size_t)cast_row_inputs(form);
    for (size_t i = 0; i < block->n; i += row) {
        const pto_cast_op op = cast_of(form, block->first + i);
        const uint32_t *const words = op.round == PTO_RS ? block->extra.words + i : NULL;
        const size_t n = row < block->n - i ? row : block->n - i;
        const pto_status status =
            pto_cast(op, block->source.bytes + i * in / 8, block->result.bytes + i * out / 8, words, n);
        if (status != PTO_OK) return status;
    }
    return PTO_OK;
}

pto_status block_run(const struct form *form, struct block *block) {
    const void *const a = &block->source, *const b = &block->second, *const extra = &block->extra;
    const pto_in in_a = pto_in_array(a), in_b = pto_in_array(b);
    const bool has_extra = form->cvt.scale != PTO_SCALE_NONE || form->cvt.round == PTO_RS;
    void *const result = &block->result;
    const size_t n = block->n;
    switch (form->operation) {
    case OP_CVT: return pto_cvt(form->cvt, a, result, has_extra ? extra : NULL, n);
    case OP_CAST: return run_cast(form, block);
    case OP_VCVT: return pto_vcvt(form->vcvt, a, PTO_NO_MASK, result, n);
    case OP_VTRC: return pto_vtrc(form->vcvt.src, form->vcvt.rnd, a, PTO_NO_MASK, result, n);
    case OP_VCMP:
        return pto_vcmp(form->type, form->cmp, form->flags, a, b, PTO_NO_MASK, pto_packed(result), n);
    case OP_SET: return pto_set(form->set, a, b, PTO_NO_MASK, result, n);
    case OP_SELP: return pto_selp(form->type, a, b, pto_packed_in(extra), result, n);
    case OP_SLCT: return pto_slct(form->type, form->ctype, form->flags != 0, a, b, extra, result, n);
    case OP_VMAX: return pto_vmax(form->type, form->flags, in_a, in_b, result, n);
    default: return pto_vmin(form->type, form->flags, in_a, in_b, result, n);
    }
}

static pto_dtype result_type(const struct form *form) {
    switch (form->operation) {
    case OP_CVT: return form->cvt.dst;
    case OP_VCVT:
    case OP_VTRC: return form->vcvt.dst;
    case OP_CAST: return form->cast.dst;
    case OP_SET: return form->set.dtype;
    default: return form->type;
    }
}

size_t result_bits(const struct form *form) {
    return form->operation == OP_VCMP ? 1 : pto_dtype_bits(result_type(form));
}

size_t result_bytes(const struct form *form, size_t n) {
    return (n * result_bits(form) + 7) / 8;
}

/* ---- text ---- */

/* Writes element i of an array as text. */
static void describe_element(pto_dtype type, const union lanes *array, size_t i, char *text, size_t size) {
    unsigned char element[8];
    char number[VALUE_TEXT_SIZE];
    element_at(type, array, i, element);
    element_text(type, element, number);
    snprintf(text, size, "0x%0*llx (%s)", element_hex_digits(type),
             (unsigned long long)element_bits(type, element), number);
}

/* Writes the rounding and the overflow of input i of a cast, and its random word if it has one. */
static void describe_cast(const struct form *form, const struct block *block, size_t i, char *text,
                          size_t size) {
    const pto_cast_op op = cast_of(form, block->first + i);
    const int length =
        snprintf(text, size, ", %s, %s", cast_round_word(op.round), cast_overflow_word(op.overflow));
    if (op.round == PTO_RS)
        snprintf(text + length, size - (size_t)length, ", random bits 0x%08lx",
                 (unsigned long)block->extra.words[i]);
}

static void describe_extra(const struct form *form, const struct block *block, size_t i, char *text,
                           size_t size) {
    const uint8_t *const bytes = block->extra.bytes;
    char element[64];
    *text = '\0';
    if (form->operation == OP_CAST) {
        describe_cast(form, block, i, text, size);
    } else if (form->operation == OP_SELP) {
        snprintf(text, size, ", p = %d", bytes[i / 8] >> i % 8 & 1);
    } else if (form->operation == OP_SLCT) {
        describe_element(form->ctype, &block->extra, i, element, sizeof element);
        snprintf(text, size, ", c = %s", element);
    } else if (form->operation == OP_CVT && form->cvt.scale != PTO_SCALE_NONE) {
        snprintf(text, size, ", scale 0x%02x", bytes[form->cvt.scale == PTO_SCALE_N1 ? i / 2 : i]);
    } else if (form->operation == OP_CVT && form->cvt.round == PTO_RS) {
        const size_t group = elements_per_random_word(form->cvt.dst);
        snprintf(text, size, ", place %zu of %zu under random bits 0x%08lx", i % group, group,
                 (unsigned long)block->extra.words[i / group]);
    }
}

void describe_input(const struct form *form, const struct block *block, size_t i, char *text, size_t size) {
    const pto_dtype type = source_type(form);
    char a[64], b[64], extra[128];
    describe_element(type, &block->source, i, a, sizeof a);
    describe_extra(form, block, i, extra, sizeof extra);
    if (is_conversion(form)) {
        snprintf(text, size, "%s%s", a, extra);
        return;
    }
    describe_element(type, &block->second, i, b, sizeof b);
    snprintf(text, size, "%s, %s%s", a, b, extra);
}

void describe_result(const struct form *form, const union lanes *results, size_t i, char *text, size_t size) {
    if (form->operation == OP_VCMP)
        snprintf(text, size, "%d", results->bytes[i / 8] >> i % 8 & 1);
    else
        describe_element(result_type(form), results, i, text, size);
}
