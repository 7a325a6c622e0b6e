/* SPDX-License-Identifier: MIT */
/**
 * @file mask.h
 * Masks: one bit per lane, in the memory layouts of CPUs, Arm SVE, PTO and tensor libraries.
 *
 * @code
 * const uint8_t seen[3] = {1, 0, 1};       // one byte per lane, as in NumPy
 * const uint8_t packed[1] = {0x06};        // lanes 1 and 2
 * uint16_t image[1];                       // as in a predicate register: four bits per f32
 * size_t on;
 * if (pto_mask_or(pto_bytes_in(seen), pto_packed_in(packed), pto_mask_at(image, PTO_MASK_B32), 3) != PTO_OK)
 *     return 1;
 * assert(image[0] == 0x111);               // lanes 0, 1 and 2, at bits 0, 4 and 8
 * if (pto_mask_count(pto_mask_in(image, PTO_MASK_B32), 3, &on) != PTO_OK) return 1;
 * assert(on == 3);
 *
 * // A lower triangle. Its rows of five lanes are contiguous bits and do not start at byte boundaries.
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
 * The layout of a mask: where lane i is stored.
 *
 * | kind            | lane i              | used by                             |
 * | --------------- | ------------------- | ----------------------------------- |
 * | PACKED          | bit i               | AVX-512 k-registers, Arrow bitmaps  |
 * | B8 B16 B32 B64  | bit i, 2i, 4i, 8i   | PTO and Arm SVE predicate registers |
 * | BYTE            | byte i              | NumPy and PyTorch bool, x86 SETcc   |
 *
 * Bits are counted from the least significant bit of the first byte. A Bxx mask, a predicate image, has one bit per
 * byte of data. The lowest bit of each group is the lane; the other bits of the group are ignored when read and written
 * as 0. A byte of a BYTE mask is written as 0 or 1; when read, every value except 0 is true.
 *
 * A Bxx mask fits only elements of xx bits. PACKED and BYTE masks fit elements of any width.
 */
typedef enum pto_mask_kind {
    PTO_MASK_PACKED, /**< one bit per lane */
    PTO_MASK_B8,     /**< predicate image for elements of 8 bits */
    PTO_MASK_B16,    /**< predicate image for elements of 16 bits */
    PTO_MASK_B32,    /**< predicate image for elements of 32 bits */
    PTO_MASK_B64,    /**< predicate image for elements of 64 bits */
    PTO_MASK_BYTE    /**< one byte per lane */
} pto_mask_kind;

/** A view of a mask in memory, which it does not own. Calls that only read a mask do not write through its view. */
typedef struct pto_mask {
    void *data;         /**< the first byte, of any alignment */
    pto_mask_kind kind; /**< the layout of the lanes */
} pto_mask;

/** Returns a view of the mask of the given kind at p, for reading and writing. For const memory use pto_mask_in(). */
static inline pto_mask pto_mask_at(void *p, pto_mask_kind kind) {
    pto_mask m;
    m.data = p;
    m.kind = kind;
    return m;
}

/** Returns a view of the PACKED mask at p, for reading and writing. For const memory use pto_packed_in(). */
static inline pto_mask pto_packed(void *p) {
    return pto_mask_at(p, PTO_MASK_PACKED);
}

/** Returns a view of the BYTE mask at p, for reading and writing. For const memory use pto_bytes_in(). */
static inline pto_mask pto_bytes(void *p) {
    return pto_mask_at(p, PTO_MASK_BYTE);
}

/**
 * Returns a view of the mask of the given kind in const memory, for reading only. The view drops the const, so the
 * compiler does not warn if the view is used as a destination.
 */
static inline pto_mask pto_mask_in(const void *p, pto_mask_kind kind) {
    pto_mask m;
    memcpy(&m.data, &p, sizeof p); /* a cast would cause warnings in C or in C++ */
    m.kind = kind;
    return m;
}

/** Returns a view of the PACKED mask in const memory, for reading only. */
static inline pto_mask pto_packed_in(const void *p) {
    return pto_mask_in(p, PTO_MASK_PACKED);
}

/** Returns a view of the BYTE mask in const memory, for reading only. */
static inline pto_mask pto_bytes_in(const void *p) {
    return pto_mask_in(p, PTO_MASK_BYTE);
}

/** No mask: as a seed or guard predicate, every lane takes part. */
#define PTO_NO_MASK (pto_packed(NULL))

/**
 * Returns the number of bytes of a mask of n lanes, 0 for a value that is not a kind. If the lanes do not fill the last
 * byte, its other bits are written as 0.
 */
PTO_API size_t pto_mask_bytes(pto_mask_kind kind, size_t n);

/**
 * dst[i] = a[i] AND b[i] for i < n. The masks may be of different kinds.
 *
 * In place: dst may be a or b (same address) if its kind has as many bits per lane.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (data of a, b or dst), PTO_ERR_MASK (unknown kind), PTO_ERR_SIZE,
 * PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_mask_and(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = a[i] OR b[i] for i < n. In place and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_or(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = a[i] XOR b[i] for i < n. In place and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_xor(pto_mask a, pto_mask b, pto_mask dst, size_t n);

/** dst[i] = NOT a[i] for i < n. In place and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_not(pto_mask a, pto_mask dst, size_t n);

/**
 * dst[i] = a[i] for i < n: copies a mask or converts it to another kind. In place and statuses as for
 * pto_mask_and().
 */
PTO_CALL pto_status pto_mask_mov(pto_mask a, pto_mask dst, size_t n);

/** dst[i] = sel[i] ? a[i] : b[i] for i < n. In place (also on sel) and statuses as for pto_mask_and(). */
PTO_CALL pto_status pto_mask_sel(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n);

/**
 * Stores in *out how many of the first n lanes of m are on. For n == 0 it stores 0.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (out is NULL; or n is not 0 and the data of m is NULL), PTO_ERR_MASK
 * (unknown kind), PTO_ERR_SIZE, PTO_ERR_OVERLAP (out points into the mask).
 */
PTO_CALL pto_status pto_mask_count(pto_mask m, size_t n, size_t *out);

/** Stores in *out whether any of the first n lanes of m is on; false for n == 0. Statuses as for pto_mask_count(). */
PTO_CALL pto_status pto_mask_any(pto_mask m, size_t n, bool *out);

/** Stores in *out whether all of the first n lanes of m are on; true for n == 0. Statuses as for pto_mask_count(). */
PTO_CALL pto_status pto_mask_all(pto_mask m, size_t n, bool *out);

/** Stores in *out whether none of the first n lanes of m is on; true for n == 0. Statuses as for pto_mask_count(). */
PTO_CALL pto_status pto_mask_none(pto_mask m, size_t n, bool *out);

/**
 * Stores in *out the index of the first lane of m that is on, or n if none of the first n lanes is on. Statuses as for
 * pto_mask_count().
 */
PTO_CALL pto_status pto_mask_first(pto_mask m, size_t n, size_t *out);

/**
 * dst[dst_lane + i] = src[src_lane + i] for i < n. The masks may be of different kinds.
 *
 * Both ranges may start at any lane, also inside a byte, so the call can copy rows of bits that are stored without
 * gaps.
 *
 * All other lanes of dst keep their bits, including those in the same byte as the first or the last lane. Such a byte
 * is read and written back, so two threads must not write to it at the same time. In a Bxx dst, the unused bits of the
 * lanes that are written become 0.
 *
 * The bytes of src that hold copied lanes must not overlap those of dst. That also holds for two ranges of one mask
 * that share a byte. In place: the destination lanes may be exactly the source lanes. They must then be the same bits
 * of the same bytes, in kinds with the same number of bits per lane. So a B64 mask can be converted to a BYTE mask in
 * place, and back.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (data of src or dst), PTO_ERR_MASK (unknown kind), PTO_ERR_SIZE (n,
 * src_lane + n or dst_lane + n is above SIZE_MAX / 16, for n == 0 too), PTO_ERR_OVERLAP.
 */
PTO_CALL pto_status pto_mask_copy(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n);

/**
 * dst[i] = from <= i < to, for i < n: switches lanes `from` to `to` - 1 on and all others of the n lanes off.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (data of dst), PTO_ERR_MASK (unknown kind), PTO_ERR_SIZE (unless
 * from <= to <= n <= SIZE_MAX / 16, for n == 0 too).
 */
PTO_CALL pto_status pto_mask_range(pto_mask dst, size_t from, size_t to, size_t n);

/**
 * Returns a view of the mask from `lane` on: lane 0 of the view is that lane. `lane` must be a multiple of 8.
 * PTO_NO_MASK stays PTO_NO_MASK. To start at any other lane, use pto_mask_copy().
 */
static inline pto_mask pto_mask_from(pto_mask mask, size_t lane) {
    if (mask.data != NULL) {
        unsigned char *p;
        memcpy(&p, &mask.data, sizeof p); /* a cast would cause warnings in C++ */
        p += pto_mask_bytes(mask.kind, lane);
        mask.data = p;
    }
    return mask;
}

/**
 * Computes the k-th of `parts` parts of n lanes, to split work across threads: lanes *begin to *begin + *count - 1.
 *
 * Every lane is in exactly one part. *begin is a multiple of 64. So no byte of a mask or of a 4-bit array, and no group
 * of PTO_RS, belongs to two parts. Threads that write different parts therefore never write to the same byte. A part
 * consists of granules of 64 lanes, and the last granule of all may be shorter. Parts differ by at most one granule. If
 * there are fewer granules than parts, the last parts are empty.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (begin or count), PTO_ERR_SIZE (parts is 0, k is not below parts, or n
 * is above SIZE_MAX / 16), PTO_ERR_OVERLAP (begin and count overlap).
 *
 * @code
 * const float x[200] = {1}, zero = 0;
 * uint8_t mask[25];
 * for (size_t k = 0; k < 3; k++) { // each part on its own thread
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
