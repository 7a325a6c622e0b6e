/* SPDX-License-Identifier: MIT */
/**
 * @file mask.h
 * Masks: one bit of truth per lane, in the memory forms that CPUs, Arm SVE, PTO and tensor libraries speak.
 */
#ifndef PTO_MASK_H
#define PTO_MASK_H

#include "types.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Where lane i of a mask lives.
 *
 * PACKED  bit i, least significant first: AVX-512 k-registers, Arrow bitmaps.
 * B8 B16 B32 B64  bit i*1, i*2, i*4, i*8: one bit per byte of data, the lowest of each group. This is the
 * image of a PTO or Arm SVE predicate register. The other bits of a group are ignored when read and written
 * as 0. BYTE    byte i: 0 or 1 when written, any non-zero counts as true when read. NumPy and PyTorch bool,
 * SETcc.
 *
 * A Bxx mask goes only with elements of xx bits; PACKED and BYTE go with any.
 */
typedef enum pto_mask_kind {
    PTO_MASK_PACKED,
    PTO_MASK_B8,
    PTO_MASK_B16,
    PTO_MASK_B32,
    PTO_MASK_B64,
    PTO_MASK_BYTE
} pto_mask_kind;

/** A view of a mask somewhere in memory; it owns nothing. A mask that is only read is never written through
 * it. */
typedef struct pto_mask {
    void *data;
    pto_mask_kind kind;
} pto_mask;

/** The mask of the given kind at p, to be written or read. */
static inline pto_mask pto_mask_at(void *p, pto_mask_kind kind) {
    pto_mask m;
    m.data = p;
    m.kind = kind;
    return m;
}

/** A PACKED mask at p. */
static inline pto_mask pto_packed(void *p) {
    return pto_mask_at(p, PTO_MASK_PACKED);
}

/** A BYTE mask at p. */
static inline pto_mask pto_bytes(void *p) {
    return pto_mask_at(p, PTO_MASK_BYTE);
}

/** The same for memory that is const: for masks that are only read. As a destination the view would break the
 * promise of the const, which no compiler can notice any more. */
static inline pto_mask pto_mask_in(const void *p, pto_mask_kind kind) {
    pto_mask m;
    memcpy(&m.data, &p, sizeof p); /* a cast draws warnings in C or in C++ */
    m.kind = kind;
    return m;
}

static inline pto_mask pto_packed_in(const void *p) {
    return pto_mask_in(p, PTO_MASK_PACKED);
}

static inline pto_mask pto_bytes_in(const void *p) {
    return pto_mask_in(p, PTO_MASK_BYTE);
}

/** In the place of a seed or guard: every lane takes part. */
#define PTO_NO_MASK (pto_packed(NULL))

/** The bytes that a mask of n lanes takes. Bits of its last byte beyond lane n-1 are written as 0. */
PTO_API size_t pto_mask_bytes(pto_mask_kind kind, size_t n);

/**
 * Lane-wise logic: dst[i] = a[i] AND, OR, XOR b[i] for i < n. Kinds may be mixed freely.
 *
 * In place: dst may be a or b (same address) if its kind takes as many bits per lane.
 * Returns PTO_OK, PTO_ERR_NULL (data of a, b or dst), PTO_ERR_MASK (no such kind) or PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n);
PTO_CALL pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n);
PTO_CALL pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = NOT a[i]. In place and statuses as for pto_mask_and. */
PTO_CALL pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n);

/** dst[i] = a[i]; so also the conversion between kinds. In place and statuses as for pto_mask_and. */
PTO_CALL pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n);

/** dst[i] = sel[i] ? a[i] : b[i]. In place (also on sel) and statuses as for pto_mask_and. */
PTO_CALL pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n);

/**
 * Questions about the first n lanes of m. count: how many are on; any, all, none: whether at least one, every
 * one, not one is on (for n == 0: false, true, true); first: index of the first that is on, n if none is.
 *
 * Returns PTO_OK, PTO_ERR_NULL (m's data, or out, which is needed for n == 0 too) or PTO_ERR_MASK.
 */
PTO_CALL pto_status pto_mask_count(pto_mask m, size_t n, size_t *out);
PTO_CALL pto_status pto_mask_any(pto_mask m, size_t n, bool *out);
PTO_CALL pto_status pto_mask_all(pto_mask m, size_t n, bool *out);
PTO_CALL pto_status pto_mask_none(pto_mask m, size_t n, bool *out);
PTO_CALL pto_status pto_mask_first(pto_mask m, size_t n, size_t *out);

#ifdef __cplusplus
}
#endif
#endif
