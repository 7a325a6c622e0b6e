/* SPDX-License-Identifier: MIT */
/**
 * @file mask.h
 * Masks: one bit of truth per lane, in the memory forms that CPUs, Arm SVE, PTO and tensor libraries speak.
 *
 * @code
 * const uint8_t seen[3] = {1, 0, 1};       // bytes, as NumPy has them
 * const uint8_t packed[1] = {0x06};        // lanes 1 and 2
 * uint16_t image[1];                       // what a predicate register holds: four bits for each f32
 * size_t on;
 * if (pto_mask_or(pto_bytes_in(seen), pto_packed_in(packed), pto_mask_at(image, PTO_MASK_B32), 3) != PTO_OK)
 *     return 1;
 * assert(image[0] == 0x111);               // lanes 0, 1 and 2, at bits 0, 4 and 8
 * if (pto_mask_count(pto_mask_in(image, PTO_MASK_B32), 3, &on) != PTO_OK) return 1;
 * assert(on == 3);
 *
 * // A lower triangle whose rows of five lanes follow each other without a gap, which bytes know nothing of.
 * const uint8_t ones[1] = {0xff};
 * uint8_t triangle[4] = {0};
 * for (size_t row = 0; row < 5; row++)
 *     if (pto_mask_copy(pto_packed_in(ones), 0, pto_packed(triangle), row * 5, row + 1) != PTO_OK) return 1;
 * assert(triangle[0] == 0x61 && triangle[1] == 0x9c && triangle[2] == 0xf7 && triangle[3] == 0x01);
 * @endcode
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
 * | kind            | lane i              | whose form it is                    |
 * | --------------- | ------------------- | ----------------------------------- |
 * | PACKED          | bit i               | AVX-512 k-registers, Arrow bitmaps  |
 * | B8 B16 B32 B64  | bit i, 2i, 4i, 8i   | PTO and Arm SVE predicate registers |
 * | BYTE            | byte i              | NumPy and PyTorch bool, x86 SETcc   |
 *
 * Bits count from the least significant one of the first byte. A Bxx mask has one bit per byte of data, the
 * lowest of each group standing for the lane; the others of a group are ignored when read and written as 0. A
 * byte of a BYTE mask is written as 0 or 1; when read, any other than 0 is true.
 *
 * A Bxx mask goes only with elements of xx bits; PACKED and BYTE go with any.
 */
typedef enum pto_mask_kind {
    PTO_MASK_PACKED, /**< a bit a lane */
    PTO_MASK_B8,     /**< a predicate register over elements of 8 bits */
    PTO_MASK_B16,    /**< of 16 bits */
    PTO_MASK_B32,    /**< of 32 bits */
    PTO_MASK_B64,    /**< of 64 bits */
    PTO_MASK_BYTE    /**< a byte a lane */
} pto_mask_kind;

/**
 * A view of a mask somewhere in memory; it owns nothing. A mask that is only read is never written through
 * it.
 */
typedef struct pto_mask {
    void *data;         /**< the first byte; it needs no alignment */
    pto_mask_kind kind; /**< where in that memory lane i lives */
} pto_mask;

/** The mask of the given kind at p, to be written or read. For const memory there is pto_mask_in(). */
static inline pto_mask pto_mask_at(void *p, pto_mask_kind kind) {
    pto_mask m;
    m.data = p;
    m.kind = kind;
    return m;
}

/** A PACKED mask at p, to be written or read. For const memory there is pto_packed_in(). */
static inline pto_mask pto_packed(void *p) {
    return pto_mask_at(p, PTO_MASK_PACKED);
}

/** A BYTE mask at p, to be written or read. For const memory there is pto_bytes_in(). */
static inline pto_mask pto_bytes(void *p) {
    return pto_mask_at(p, PTO_MASK_BYTE);
}

/**
 * The mask of the given kind in memory that is const, to be read alone. As a destination the view would break
 * the promise of the const, which no compiler can notice any more.
 */
static inline pto_mask pto_mask_in(const void *p, pto_mask_kind kind) {
    pto_mask m;
    memcpy(&m.data, &p, sizeof p); /* a cast draws warnings in C or in C++ */
    m.kind = kind;
    return m;
}

/** A PACKED mask in memory that is const, to be read alone. */
static inline pto_mask pto_packed_in(const void *p) {
    return pto_mask_in(p, PTO_MASK_PACKED);
}

/** A BYTE mask in memory that is const, to be read alone. */
static inline pto_mask pto_bytes_in(const void *p) {
    return pto_mask_in(p, PTO_MASK_BYTE);
}

/** In the place of a seed or guard: every lane takes part. */
#define PTO_NO_MASK (pto_packed(NULL))

/**
 * The bytes that a mask of n lanes takes; 0 for a value that is no kind. Where lanes do not fill the last
 * byte, its other bits are written as 0.
 */
PTO_API size_t pto_mask_bytes(pto_mask_kind kind, size_t n);

/**
 * dst[i] = a[i] AND b[i] for i < n. Kinds may be mixed freely.
 *
 * In place: dst may be a or b (same address) if its kind takes as many bits per lane.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (data of a, b or dst), PTO_ERR_MASK (no such kind),
 * PTO_ERR_SIZE, PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = a[i] OR b[i] for i < n. In place and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = a[i] XOR b[i] for i < n. In place and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = NOT a[i] for i < n. In place and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n);

/**
 * dst[i] = a[i] for i < n; so also the conversion between kinds. In place and statuses as for pto_mask_and().
 */
PTO_CALL pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n);

/** dst[i] = sel[i] ? a[i] : b[i] for i < n. In place (also on sel) and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n);

/**
 * How many of the first n lanes of m are on, in *out. For n == 0 that is 0.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (m's data; out, which is needed for n == 0 too),
 * PTO_ERR_MASK (no such kind), PTO_ERR_SIZE, PTO_ERR_OVERLAP (out lies inside the mask).
 */
PTO_CALL pto_status pto_mask_count(pto_mask m, size_t n, size_t *out);

/**
 * Whether at least one of the first n lanes of m is on; for n == 0: false. Statuses as for pto_mask_count().
 */
PTO_CALL pto_status pto_mask_any(pto_mask m, size_t n, bool *out);

/** Whether every one of the first n lanes of m is on; for n == 0: true. Statuses as for pto_mask_count(). */
PTO_CALL pto_status pto_mask_all(pto_mask m, size_t n, bool *out);

/** Whether not one of the first n lanes of m is on; for n == 0: true. Statuses as for pto_mask_count(). */
PTO_CALL pto_status pto_mask_none(pto_mask m, size_t n, bool *out);

/**
 * The index of the first lane of m that is on, n if none of the first n is. Statuses as for pto_mask_count().
 */
PTO_CALL pto_status pto_mask_first(pto_mask m, size_t n, size_t *out);

/**
 * dst[dst_lane + i] = src[src_lane + i] for i < n, from any lane to any lane, where no mask need begin: so rows
 * of bits that follow each other without a gap. Kinds may be mixed freely.
 *
 * Other lanes of dst keep every bit they have, those too that share a byte with the first lane or the last; a
 * byte that is shared so is read and written back, so two threads may not write into it at one time. Of a Bxx
 * dst the spare bits of the lanes that are written become 0.
 *
 * The bytes of src and of dst that hold one of the lanes may not overlap, not even two ranges of one mask that
 * share a byte. In place: the lanes themselves, that is the same bits of the same bytes by kinds that take as
 * many bits per lane; this converts between B64 and BYTE.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (data of src or dst), PTO_ERR_MASK (no such kind),
 * PTO_ERR_SIZE (n, src_lane + n or dst_lane + n above SIZE_MAX / 16, for n == 0 too), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_mask_copy(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n);

/**
 * dst[i] = from <= i < to, for i < n: lanes from to to - 1 are on, all others of the n off.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (data of dst), PTO_ERR_MASK (no such kind), PTO_ERR_SIZE (not
 * from <= to <= n <= SIZE_MAX / 16, for n == 0 too).
 */
PTO_CALL pto_status pto_mask_range(pto_mask dst, size_t from, size_t to, size_t n);

/**
 * The same mask from a lane on, which is a multiple of 8: so lane 0 of the view is that lane. PTO_NO_MASK stays
 * PTO_NO_MASK. To begin at any other lane there is pto_mask_copy().
 */
static inline pto_mask pto_mask_from(pto_mask mask, size_t lane) {
    if (mask.data != NULL) {
        unsigned char *p;
        memcpy(&p, &mask.data, sizeof p); /* a cast draws warnings in C++ */
        p += pto_mask_bytes(mask.kind, lane);
        mask.data = p;
    }
    return mask;
}

/**
 * The k-th of so many shares of n lanes, for work on several threads: lanes *begin to *begin + *count - 1.
 *
 * Every lane is in one share. *begin is a multiple of 64, so that a share begins at a byte of its own in each
 * kind of mask and in types of 4 bits, and at a group of PTO_RS, and no two threads write into one byte. In steps
 * of 64 lanes, of which the last one may be cut short by n, shares differ by one at most; where there are not
 * enough steps the last shares are empty.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (begin or count), PTO_ERR_SIZE (no parts, k no less than parts,
 * n above SIZE_MAX / 16), PTO_ERR_OVERLAP (begin lies in count).
 *
 * @code
 * const float x[200] = {1}, zero = 0;
 * uint8_t mask[25];
 * for (size_t k = 0; k < 3; k++) { // each of them on a thread of its own
 *     size_t begin, count;
 *     if (pto_split(200, 3, k, &begin, &count) != PTO_OK) return 1;
 *     if (pto_vcmps(PTO_F32, PTO_GT, 0, x + begin, &zero, PTO_NO_MASK, pto_mask_from(pto_packed(mask), begin),
 *                   count) != PTO_OK)
 *         return 1;
 * }
 * assert(mask[0] == 1 && mask[24] == 0);
 * @endcode
 */
PTO_CALL pto_status pto_split(size_t n, size_t parts, size_t k, size_t *begin, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
