/* SPDX-License-Identifier: MIT */
/**
 * @file mask.h
 * Masks: one bit of truth per lane, in the memory forms that CPUs, Arm SVE, PTO and tensor libraries speak.
 */
#ifndef PTO_MASK_H
#define PTO_MASK_H

#include "types.h"

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

/** The mask of the given kind at p. */
static inline pto_mask pto_image(const void *p, pto_mask_kind kind) {
    pto_mask m;
    m.data = (void *)(uintptr_t)p; /* for readers and writers alike: NOLINT(performance-no-int-to-ptr) */
    m.kind = kind;
    return m;
}

/** A PACKED mask at p. */
static inline pto_mask pto_packed(const void *p) {
    return pto_image(p, PTO_MASK_PACKED);
}

/** A BYTE mask at p. */
static inline pto_mask pto_bytes(const void *p) {
    return pto_image(p, PTO_MASK_BYTE);
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
PTO_API pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n);
PTO_API pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n);
PTO_API pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = NOT a[i]. In place and statuses as for pto_mask_and. */
PTO_API pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n);

/** dst[i] = a[i]; so also the conversion between kinds. In place and statuses as for pto_mask_and. */
PTO_API pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n);

/** dst[i] = sel[i] ? a[i] : b[i]. In place (also on sel) and statuses as for pto_mask_and. */
PTO_API pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n);

/**
 * Questions about the first n lanes of m. count: how many are on; any, all, none: whether at least one, every
 * one, not one is on (for n == 0: false, true, true); first: index of the first that is on, n if none is.
 *
 * Returns PTO_OK, PTO_ERR_NULL (m's data, or out, which is needed for n == 0 too) or PTO_ERR_MASK.
 */
PTO_API pto_status pto_mask_count(pto_mask m, size_t n, size_t *out);
PTO_API pto_status pto_mask_any(pto_mask m, size_t n, bool *out);
PTO_API pto_status pto_mask_all(pto_mask m, size_t n, bool *out);
PTO_API pto_status pto_mask_none(pto_mask m, size_t n, bool *out);
PTO_API pto_status pto_mask_first(pto_mask m, size_t n, size_t *out);

/**
 * The PTO predicate register: 256 bits, one per byte of a 256-byte vector. At granularity g = 8, 16, 32 lane
 * i is bit i * g / 8, of 256, 128, 64 lanes. The calls above and pto_vcmp take it as pto_image(p.w,
 * PTO_MASK_B8), _B16, _B32.
 */
typedef struct pto_preg {
    uint64_t w[4];
} pto_preg;

/**
 * Patterns of pto_pset and pto_pge. VLk: the first k lanes; M3, M4: lanes whose index is a multiple of 3, 4;
 * H, Q: the upper half, the upper quarter; ALL, ALLF: every lane, no lane.
 */
typedef enum pto_pattern {
    PTO_PAT_ALL,
    PTO_PAT_ALLF,
    PTO_PAT_H,
    PTO_PAT_Q,
    PTO_PAT_M3,
    PTO_PAT_M4,
    PTO_PAT_VL1,
    PTO_PAT_VL2,
    PTO_PAT_VL3,
    PTO_PAT_VL4,
    PTO_PAT_VL8,
    PTO_PAT_VL16,
    PTO_PAT_VL32,
    PTO_PAT_VL64,
    PTO_PAT_VL128
} pto_pattern;

/** A half of a register, for pack and unpack. */
typedef enum pto_half { PTO_LOWER, PTO_HIGHER } pto_half;

/**
 * All calls on registers: results may be any of the sources. They return PTO_OK or, in this order,
 * PTO_ERR_NULL, PTO_ERR_MASK (g is not 8, 16 or 32), PTO_ERR_PATTERN (no such pattern, or VLk with more lanes
 * than the register has at g; no such half).
 *
 * pset, pge: the lanes of a pattern; the two differ in PTO's pipeline only.
 */
PTO_API pto_status pto_pset(unsigned g, pto_pattern pattern, pto_preg *p);
PTO_API pto_status pto_pge(unsigned g, pto_pattern pattern, pto_preg *p);

/** The first min(*remaining, lanes) lanes; *remaining falls by as many. The head of a loop over 256-byte
 * vectors. */
PTO_API pto_status pto_plt(unsigned g, uint32_t *remaining, pto_preg *p);

/** Bit by bit a AND, OR, XOR b, NOT a; bits that are off in governing become 0. psel: sel ? a : b. */
PTO_API pto_status pto_pand(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);
PTO_API pto_status pto_por(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);
PTO_API pto_status pto_pxor(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);
PTO_API pto_status pto_pnot(pto_preg a, pto_preg governing, pto_preg *p);
PTO_API pto_status pto_psel(pto_preg a, pto_preg b, pto_preg sel, pto_preg *p);

/** Bits 0, 2, 4, ... of a side by side in the given half of p, the other half 0: b16 lanes to b8, b32 to b16.
 */
PTO_API pto_status pto_ppack(pto_preg a, pto_half half, pto_preg *p);

/** The bits of the given half of a at bits 0, 2, 4, ... of p, the odd bits 0: b8 lanes to b16, b16 to b32. */
PTO_API pto_status pto_punpack(pto_preg a, pto_half half, pto_preg *p);

/** Lanes a0 b0 a1 b1 ...: the first half of them in lo, the rest in hi. lo and hi the same: PTO_ERR_OVERLAP.
 */
PTO_API pto_status pto_pintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);

/** The even lanes of a, then of b, in lo; the odd ones in hi: pto_pintlv undone. */
PTO_API pto_status pto_pdintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);

#ifdef __cplusplus
}
#endif
#endif
