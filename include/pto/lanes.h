/* SPDX-License-Identifier: MIT */
/**
 * @file lanes.h
 * Moves the lanes of a mask together and apart again, and finds the largest or smallest element.
 *
 * @code
 * // The elements that are positive, and back to their places.
 * const float x[6] = {3, -1, 0, 5, -2, 7}, zero = 0;
 * float some[6], y[6] = {0};
 * uint8_t mask[1];
 * size_t count;
 * if (pto_vcmps(PTO_F32, PTO_GT, 0, x, &zero, PTO_NO_MASK, pto_packed(mask), 6) != PTO_OK) return 1;
 * if (pto_vcompress(PTO_F32, x, pto_packed_in(mask), some, 6, &count) != PTO_OK) return 1;
 * assert(count == 3 && some[0] == 3 && some[1] == 5 && some[2] == 7);
 * if (pto_vexpand(PTO_F32, some, pto_packed_in(mask), y, 6, &count) != PTO_OK) return 1;
 * assert(count == 3 && y[0] == 3 && y[1] == 0 && y[3] == 5 && y[5] == 7);
 * @endcode
 */
#ifndef PTO_LANES_H
#define PTO_LANES_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Copies the elements of src whose lane is on to dst, in order, and stores their number in *count: NumPy's x[m].
 *
 * src: n elements. m: n lanes; PTO_NO_MASK is not legal here. dst: *count elements, which are all that is written.
 * count: not NULL, outside the other operands. Bits are copied: NaN payloads and subnormals stay unchanged.
 *
 * Types: those of pto_vsel().
 *
 * Semantics: AVX-512's VPCOMPRESSD and PTO's vsqz, for arrays of any length.
 *
 * In place: dst may be src.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (count; and if n is not 0: src, m's data, dst), PTO_ERR_TYPE,
 * PTO_ERR_MASK, PTO_ERR_SIZE, PTO_ERR_OVERLAP (also if count points into an operand). After an error *count is
 * unchanged; for n == 0 it is 0.
 */
PTO_CALL pto_status pto_vcompress(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n,
                                  size_t *count);

/**
 * Copies the first elements of src, in order, to the lanes of dst that are on, and stores their number in *count:
 * NumPy's y[m] = x. Lanes that are off keep their value; their memory may be read and written again.
 *
 * src: *count elements. m: n lanes; PTO_NO_MASK is not legal here. dst: n elements. dst must not overlap src. The rest
 * is as for pto_vcompress(), whose inverse this is.
 */
PTO_CALL pto_status pto_vexpand(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n, size_t *count);

/**
 * Stores in *index the index of the first element that is the largest of those whose seed is on, or SIZE_MAX if no lane
 * is on.
 *
 * src: n elements. seed: n lanes, or PTO_NO_MASK for every lane. index: not NULL, outside the other operands.
 *
 * Types: those of pto_vmax(). Elements are compared as by pto_vcmp(): +0 equals -0, so the first zero is the result. A
 * NaN loses against every other element; if all are NaNs, the first one is the result.
 *
 * | flag              | types              | effect                                                           |
 * | ----------------- | ------------------ | ---------------------------------------------------------------- |
 * | PTO_PROPAGATE_NAN | all floats         | the first NaN is the result, as in NumPy and PyTorch             |
 * | PTO_FTZ           | F16, F32           | a subnormal element counts as zero                               |
 *
 * @code
 * const float x[4] = {1, 7, NAN, 7};
 * size_t i;
 * if (pto_vargmax(PTO_F32, 0, x, PTO_NO_MASK, &i, 4) != PTO_OK) return 1;
 * assert(i == 1);
 * if (pto_vargmax(PTO_F32, PTO_PROPAGATE_NAN, x, PTO_NO_MASK, &i, 4) != PTO_OK) return 1;
 * assert(i == 2);
 * @endcode
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL (index; src if n is not 0), PTO_ERR_TYPE, PTO_ERR_MODIFIER,
 * PTO_ERR_MASK (the kind of a seed with data), PTO_ERR_SIZE, PTO_ERR_OVERLAP (index points into src or the seed). For n
 * == 0 it stores SIZE_MAX.
 */
PTO_CALL pto_status pto_vargmax(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                                size_t n);

/** The same for the smallest element. */
PTO_CALL pto_status pto_vargmin(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                                size_t n);

#ifdef __cplusplus
}
#endif
#endif
