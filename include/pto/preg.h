/* SPDX-License-Identifier: MIT */
/**
 * @file preg.h
 * The PTO predicate register: patterns, loops over vectors, logic, packing and interleaving.
 */
#ifndef PTO_PREG_H
#define PTO_PREG_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The PTO predicate register: 256 bits, one per byte of a 256-byte vector. At granularity g = 8, 16, 32 lane
 * i is bit i * g / 8, of 256, 128, 64 lanes. The calls above and pto_vcmp take it as pto_mask_at(p.w,
 * PTO_MASK_B8), _B16, _B32.
 */
typedef struct pto_preg {
    uint64_t w[4];
} pto_preg;

/**
 * Patterns of pto_pset and pto_pge. VLk: the first k lanes; M3, M4: lanes whose index is a multiple of 3, 4;
 * H, Q: the lowest half, the lowest quarter; ALL, ALLF: every lane, no lane.
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
PTO_CALL pto_status pto_pset(unsigned g, pto_pattern pattern, pto_preg *p);
PTO_CALL pto_status pto_pge(unsigned g, pto_pattern pattern, pto_preg *p);

/** The first min(*remaining, lanes) lanes; *remaining falls by as many. The head of a loop over 256-byte
 * vectors. */
PTO_CALL pto_status pto_plt(unsigned g, uint32_t *remaining, pto_preg *p);

/** Bit by bit a AND, OR, XOR b, NOT a; bits that are off in governing become 0. psel: sel ? a : b. */
PTO_CALL pto_status pto_pand(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);
PTO_CALL pto_status pto_por(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);
PTO_CALL pto_status pto_pxor(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);
PTO_CALL pto_status pto_pnot(pto_preg a, pto_preg governing, pto_preg *p);
PTO_CALL pto_status pto_psel(pto_preg a, pto_preg b, pto_preg sel, pto_preg *p);

/** Bits 0, 2, 4, ... of a side by side in the given half of p, the other half 0: b16 lanes to b8, b32 to b16.
 */
PTO_CALL pto_status pto_ppack(pto_preg a, pto_half half, pto_preg *p);

/** The bits of the given half of a at bits 0, 2, 4, ... of p, the odd bits 0: b8 lanes to b16, b16 to b32. */
PTO_CALL pto_status pto_punpack(pto_preg a, pto_half half, pto_preg *p);

/** Lanes a0 b0 a1 b1 ...: the first half of them in lo, the rest in hi. lo and hi the same: PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_pintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);

/** The even lanes of a, then of b, in lo; the odd ones in hi: pto_pintlv undone. */
PTO_CALL pto_status pto_pdintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);

#ifdef __cplusplus
}
#endif
#endif
