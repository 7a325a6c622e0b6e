/* SPDX-License-Identifier: MIT */
/**
 * @file value.h
 * One element as a number and back, one lane of a mask: for printing and for tables, not for loops.
 *
 * @code
 * const uint8_t largest = 0x7e; // of e4m3
 * uint8_t code, mask[1] = {0};
 * double value;
 * if (pto_dtype_value(PTO_E4M3, &largest, &value) != PTO_OK) return 1;
 * assert(value == 448);
 * if (pto_dtype_code(PTO_E4M3, value, &code) != PTO_OK) return 1;
 * assert(code == largest);
 * assert(pto_dtype_code(PTO_E4M3, 449, &code) == PTO_ERR_SIZE); // nothing is rounded
 *
 * pto_mask_set(pto_packed(mask), 5, true);
 * assert(mask[0] == 0x20 && pto_mask_get(pto_packed(mask), 5));
 * @endcode
 */
#ifndef PTO_VALUE_H
#define PTO_VALUE_H

#include "mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The number that one element is, exactly.
 *
 * Types: all but HIF8 and the words of several elements, F16X2 to S16X2. B8 to B64 count as unsigned integers. The
 * element is read in its memory form: of e2m1 and e1m2 the low nibble of the byte; the top two bits of e2m3 and e3m2
 * and the low 13 bits of tf32 are ignored. A NaN keeps its sign and, in the leading places, its payload; a
 * signalling one stays one.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE (an integer of 64 bits that no
 * double holds).
 */
PTO_CALL pto_status pto_dtype_value(pto_dtype type, const void *element, double *value);

/**
 * The element that is this number, exactly; nothing is rounded. So pto_dtype_code undoes pto_dtype_value,
 * but for the bits ignored there, which are written as 0: of e2m1 and e1m2 the whole high nibble.
 *
 * Types as for pto_dtype_value. -0 is 0 for integers, s2f6 and ue5m3, which do not have it. A NaN keeps its sign
 * and what fits of the leading places of its payload; where none of that is left, and in e4m3, ue8m0 and ue5m3, it
 * is the type's own NaN.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE (the type does not have this
 * number, infinity or NaN).
 */
PTO_CALL pto_status pto_dtype_code(pto_dtype type, double value, void *element);

/** Lane i of a mask of any kind. Where data is NULL every lane is on; false if the kind is none. */
PTO_API bool pto_mask_get(pto_mask mask, size_t i);

/**
 * Switch lane i. Other lanes keep their bits; of a Bxx mask the other bits of the lane's own group become 0.
 * Nothing is done where data is NULL or the kind is none.
 */
PTO_API void pto_mask_set(pto_mask mask, size_t i, bool on);

#ifdef __cplusplus
}
#endif
#endif
