/* SPDX-License-Identifier: MIT */
/*
 * Conversions and block scaling with AVX512_VBMI and VBMI2: conversions between bf16 or f32 and the formats
 * of 8 bits and less, from these to f16, and both directions of block scaling. This is all that the AVX-512
 * backend does differently on a CPU that has them. Their instructions look up bytes in tables of 64 or 128 entries;
 * without them, AVX-512 has tables of 16.
 */
#if !defined(__AVX512VBMI__) || !defined(__AVX512VBMI2__) || !defined(__GFNI__)
#    error "this file is compiled with -mavx512vbmi -mavx512vbmi2 -mgfni"
#endif

#include <immintrin.h>

#include "core/prefetch.h"
#include "core/formats.h"
#include "core/scaling.h"
#include "loops/convert_kernel.h"

#define VBYTES 64
#include "avx512/bytes.h"
#include "avx512/load.h"

#include "avx512/vbmi_tables.h"

/* ---- chunks ---- */

/*
 * The loops below handle only values in a certain range. They check for others once after a chunk of
 * elements, not in each iteration. If there are any, the AVX-512 kernel converts the chunk again, and some
 * more elements with it: such values cluster, so failed attempts stay cheap. To keep them cheap in short
 * calls, too, the first chunk is short, and each chunk is twice as long as the previous one.
 */
enum {
    VBMI_GRANULE = VBYTES,
    CHUNK_MIN = 2 * VBMI_GRANULE,
    CHUNK_MAX = 64 * VBMI_GRANULE,
    FALLBACK_LANES = 128 * VBMI_GRANULE
};

/* Converts n elements. Returns false if some are not handled; dst must then be written again. */
typedef bool try_fn(const u8 *src, u8 *dst, const u8 *scales, size_t n);

static ALWAYS_INLINE void try_in_chunks(try_fn *try, pto_dtype dst_type, pto_dtype src_type,
                                        const pto_cvt_op *op, const u8 *src, u8 *dst, const u8 *scales,
                                        size_t n) {
    const size_t in_bits = src_type == PTO_E2M1 ? 4 : 8 * element_bytes(src_type);
    size_t lanes, chunk = CHUNK_MIN;
    for (size_t i = 0; i < n; i += lanes) {
        const u8 *from = src + i / 8 * in_bits, *by = scales == NULL ? NULL : scales + i;
        u8 *to = dst + i * element_bytes(dst_type);
        lanes = min_size(n - i, chunk);
        chunk = min_size(2 * chunk, CHUNK_MAX);
        if (try(from, to, by, lanes)) continue;
        chunk = CHUNK_MIN;
        lanes = min_size(n - i, FALLBACK_LANES);
        pto_cvt_avx512(*op)->run(op, from, to, by, lanes);
    }
}

#include "avx512/vbmi_narrow.h"
#include "avx512/vbmi_narrow_128.h"
#include "avx512/vbmi_widen.h"

#include "avx512/vbmi_quantize.h"
#include "avx512/vbmi_scaling.h"

const struct cvt_kernel *pto_cvt_avx512_vbmi(pto_cvt_op op, bool fast_128) {
    const bool widens = op.dst == PTO_BF16 || op.dst == PTO_F32 || op.dst == PTO_F16;
    return widens ? widen_kernel(op) : narrow_kernel(op, fast_128);
}
