/* SPDX-License-Identifier: MIT */
/* pto_vcompress() and pto_vexpand(). */
#include "pto/lanes.h"

#include "calls/small_floats.h"
#include "core/block.h"
#include "core/check.h"
#include "core/move.h"
#include "dispatch/dispatch.h"

static const struct move_kernels *move_kernels_of(pto_isa isa) {
    switch (isa) {
#ifdef PTO_BUILD_AVX2
    case PTO_ISA_AVX2: return &pto_move_avx2;
#endif
#ifdef PTO_BUILD_AVX512
    case PTO_ISA_AVX512: return &pto_move_avx512;
#endif
#ifdef PTO_BUILD_NEON
    case PTO_ISA_NEON: return &pto_move_neon;
#endif
#ifdef PTO_BUILD_SVE
    case PTO_ISA_SVE: return &pto_move_sve;
#endif
#ifdef PTO_BUILD_RVV
    case PTO_ISA_RVV: return &pto_move_rvv;
#endif
    default: return &pto_move_scalar;
    }
}

/* Returns how many of the first n lanes of m are on. */
static size_t count_on(const struct pto_kernels *k, pto_mask m, size_t n) {
    u64 buffer[BLOCK_WORDS];
    size_t count = 0;
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        count += count_bits(block_bits(k, m, i, buffer, lanes), lanes);
    }
    return count;
}

/* Returns whether dst may be written without a source or the mask being read after that. `packed` has `elements`
 * elements, `all` and the mask have n lanes. Compress may be in place. */
static bool are_apart(const void *all, const void *packed, bool is_compress, pto_mask m, size_t bits,
                      size_t elements, size_t n) {
    const struct operand a = operand_array(all, bits, n), p = operand_array(packed, bits, elements);
    if (elements == 0) return true;
    return disjoint(is_compress ? p : a, operand_mask(m, n)) &&
           ((is_compress && all == packed) || disjoint(a, p));
}

/* Returns whether *count is outside the operands, of which `packed` has as many elements as are passed. */
static bool is_count_apart(const size_t *count, const void *all, const void *packed, pto_mask m, size_t bits,
                           size_t elements, size_t n) {
    const struct operand c = operand_array(count, 8, sizeof *count);
    return disjoint(c, operand_array(all, bits, n)) && disjoint(c, operand_array(packed, bits, elements)) &&
           disjoint(c, operand_mask(m, n));
}

/* Checks the arguments. The array `all` has n elements. `packed` has as many as there are lanes that are on; they are
 * counted only if n elements of it would overlap. */
static pto_status check(const struct pto_kernels *k, pto_dtype t, const void *all, const void *packed,
                        bool is_compress, pto_mask m, const size_t *count, size_t n) {
    const struct dtype_info *type = selectable_info(t);
    size_t on;
    if (count == NULL || (n != 0 && (all == NULL || packed == NULL || m.data == NULL))) return PTO_ERR_NULL;
    if (type == NULL) return PTO_ERR_TYPE;
    if (!mask_fits(m.kind, type->bits)) return PTO_ERR_MASK;
    if (is_empty_or_too_large(n)) return size_status(n);
    if (are_apart(all, packed, is_compress, m, type->bits, n, n) &&
        is_count_apart(count, all, packed, m, type->bits, n, n))
        return PTO_OK;
    on = count_on(k, m, n);
    return are_apart(all, packed, is_compress, m, type->bits, on, n) &&
                   is_count_apart(count, all, packed, m, type->bits, on, n)
               ? PTO_OK
               : PTO_ERR_OVERLAP;
}

pto_status pto_vcompress(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n, size_t *count) {
    const struct pto_kernels *k = pto_active_kernels();
    const pto_status status = check(k, t, src, dst, true, m, count, n);
    const size_t bytes = pto_dtype_bits(t) / 8;
    u64 buffer[BLOCK_WORDS];
    u8 *out = dst;
    move_fn *compress;
    if (status != PTO_OK) return status;
    compress = move_kernels_of(k->isa)->compress[width_index((unsigned)bytes * 8)];
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        out += bytes * compress((const u8 *)src + i * bytes, block_bits(k, m, i, buffer, lanes), out, lanes);
    }
    *count = (size_t)(out - (u8 *)dst) / bytes;
    return PTO_OK;
}

pto_status pto_vexpand(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n, size_t *count) {
    const struct pto_kernels *k = pto_active_kernels();
    const pto_status status = check(k, t, dst, src, false, m, count, n);
    const size_t bytes = pto_dtype_bits(t) / 8;
    u64 buffer[BLOCK_WORDS];
    const u8 *in = src;
    move_fn *expand;
    if (status != PTO_OK) return status;
    expand = move_kernels_of(k->isa)->expand[width_index((unsigned)bytes * 8)];
    for (size_t i = 0; i < n; i += BLOCK_LANES) {
        const size_t lanes = min_size(n - i, BLOCK_LANES);
        in += bytes * expand(in, block_bits(k, m, i, buffer, lanes), (u8 *)dst + i * bytes, lanes);
    }
    *count = (size_t)(in - (const u8 *)src) / bytes;
    return PTO_OK;
}
