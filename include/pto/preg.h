/* SPDX-License-Identifier: MIT */
/**
 * @file preg.h
 * The PTO predicate register: patterns, loops over vectors, logic, packing and interleaving.
 *
 * Sources are passed by value, so a result may be the same register as a source. `g`, the granularity, is the width
 * of a lane in bits: 8, 16 or 32.
 *
 * @code
 * // 70 floats in vectors of 64: all lanes of the first vector are on, 6 of the second.
 * uint32_t remaining = 70;
 * pto_preg active;
 * if (pto_plt(32, &remaining, &active) != PTO_OK || remaining != 6) return 1;
 * if (pto_plt(32, &remaining, &active) != PTO_OK || remaining != 0) return 1;
 * assert(active.w[0] == 0x111111 && active.w[1] == 0); // six lanes, four bits each
 *
 * // For other calls the register is a mask of kind B32 with n = 64 lanes.
 * size_t on;
 * if (pto_mask_count(pto_mask_at(active.w, PTO_MASK_B32), 64, &on) != PTO_OK) return 1;
 * assert(on == 6);
 * @endcode
 */
#ifndef PTO_PREG_H
#define PTO_PREG_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The PTO predicate register: 256 bits, one for each byte of a 256-byte vector.
 *
 * At granularity g, lane i is bit i * g / 8: there are 256 lanes of 8 bits, 128 of 16 bits or 64 of 32 bits. To pass
 * the register p to other calls, use pto_mask_at(p.w, PTO_MASK_B8), _B16 or _B32.
 */
typedef struct pto_preg {
    uint64_t w[4]; /**< bit i of the register is bit i % 64 of w[i / 64] */
} pto_preg;

/**
 * Patterns of pto_pset() and pto_pge(): which lanes of the register are on.
 *
 *  - ALL, ALLF: every lane, no lane.
 *  - H, Q: the lowest half, the lowest quarter of the lanes, as in the vendor's header and simulator. The text of the
 *    PTO pages says upper (docs/semantics.md).
 *  - M3, M4: the lanes whose index is a multiple of 3, of 4.
 *  - VLk: the first k lanes.
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

/** A half of a register, for pto_ppack() and pto_punpack(). */
typedef enum pto_half { PTO_LOWER, PTO_HIGHER } pto_half;

/**
 * Stores in *p a register in which the lanes of a pattern are on, at granularity g.
 *
 * Semantics: pto.pset_b8, _b16 and _b32.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (p), PTO_ERR_MASK (g is not 8, 16 or 32), PTO_ERR_PATTERN (unknown
 * pattern, or VLk with more lanes than the register has at g).
 */
PTO_CALL pto_status pto_pset(unsigned g, pto_pattern pattern, pto_preg *p);

/** The same as pto_pset(): PTO's pge differs from its pset only in the pipeline that executes it. */
PTO_CALL pto_status pto_pge(unsigned g, pto_pattern pattern, pto_preg *p);

/**
 * Stores in *p a register in which the first min(*remaining, lanes) lanes are on, at granularity g, and subtracts that
 * number of lanes from *remaining. It is called at the start of each iteration of a loop over 256-byte vectors.
 *
 * Semantics: pto.plt_b8, _b16 and _b32.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (remaining, p), PTO_ERR_MASK (g is not 8, 16 or 32),
 * PTO_ERR_OVERLAP (remaining points into *p).
 */
PTO_CALL pto_status pto_plt(unsigned g, uint32_t *remaining, pto_preg *p);

/** Stores a AND b AND governing in *p, bitwise. Returns PTO_OK or PTO_ERR_NULL (p). */
PTO_CALL pto_status pto_pand(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);

/** Stores (a OR b) AND governing in *p, bitwise. Returns PTO_OK or PTO_ERR_NULL (p). */
PTO_CALL pto_status pto_por(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);

/** Stores (a XOR b) AND governing in *p, bitwise. Returns PTO_OK or PTO_ERR_NULL (p). */
PTO_CALL pto_status pto_pxor(pto_preg a, pto_preg b, pto_preg governing, pto_preg *p);

/** Stores (NOT a) AND governing in *p, bitwise. Returns PTO_OK or PTO_ERR_NULL (p). */
PTO_CALL pto_status pto_pnot(pto_preg a, pto_preg governing, pto_preg *p);

/** Stores sel ? a : b in *p, bitwise. Returns PTO_OK or PTO_ERR_NULL (p). */
PTO_CALL pto_status pto_psel(pto_preg a, pto_preg b, pto_preg sel, pto_preg *p);

/**
 * Stores bits 0, 2, 4, ... of a contiguously in the given half of *p, and 0 in the other half. So lanes of 16 bits
 * become lanes of 8 bits, and lanes of 32 bits become lanes of 16 bits.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (p), PTO_ERR_PATTERN (unknown half).
 */
PTO_CALL pto_status pto_ppack(pto_preg a, pto_half half, pto_preg *p);

/**
 * Stores the bits of the given half of a at bits 0, 2, 4, ... of *p, and 0 at the odd bits. So lanes of 8 bits become
 * lanes of 16 bits, and lanes of 16 bits become lanes of 32 bits. Statuses as for pto_ppack().
 */
PTO_CALL pto_status pto_punpack(pto_preg a, pto_half half, pto_preg *p);

/**
 * Interleaves the lanes of a and b at granularity g: of a0 b0 a1 b1 ..., the first half goes to *lo, the rest to *hi.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (lo, hi), PTO_ERR_MASK (g is not 8, 16 or 32),
 * PTO_ERR_OVERLAP (lo and hi are the same register or overlap).
 */
PTO_CALL pto_status pto_pintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);

/**
 * Deinterleaves, the inverse of pto_pintlv(): the even lanes of a, then those of b, go to *lo, the odd lanes to *hi.
 * Statuses as for pto_pintlv().
 */
PTO_CALL pto_status pto_pdintlv(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);

#ifdef __cplusplus
}
#endif
#endif
