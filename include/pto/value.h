/* SPDX-License-Identifier: MIT */
/**
 * @file value.h
 * Converts one element to its exact value and back, and reads or writes one lane of a mask. These calls are for
 * printing and for tables, not for loops.
 *
 * @code
 * const uint8_t largest = 0x7e; // the largest finite e4m3
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
 * Stores the exact value of one element in *value.
 *
 * Types: all except HIF8 and the types of several elements, F16X2 to S16X2. B8 to B64 count as unsigned integers.
 * The element is read as it is stored in memory: for types of 4 and 2 bits it is in the low bits of the byte; the top
 * two bits of e2m3 and e3m2 and the low 13 bits of tf32 are ignored. A NaN keeps its sign, and its payload becomes the
 * leading bits of the double's payload. A signalling NaN stays signalling.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE (a 64-bit integer that a double does not
 * represent exactly).
 */
PTO_CALL pto_status pto_dtype_value(pto_dtype type, const void *element, double *value);

/**
 * Stores the element whose value is exactly `value`; nothing is rounded. This is the inverse of pto_dtype_value(),
 * except that bits which that call ignores are written as 0, including the unused high bits of types of 4 and 2 bits.
 *
 * Types: as for pto_dtype_value(). For integers, s2f6, ue5m3, and the FNUZ and BINARY8 types, which have no -0, -0 is
 * stored as 0. A NaN keeps its sign if the type has one, and the leading bits of its payload that fit. It becomes the
 * type's canonical NaN if none of these bits is set, and always for e4m3, ue8m0, ue5m3, and the FNUZ and BINARY8 types.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_SIZE (the type cannot represent this value,
 * infinity or NaN).
 */
PTO_CALL pto_status pto_dtype_code(pto_dtype type, double value, void *element);

/**
 * Returns whether lane i of a mask of any kind is on. Returns true if data is NULL (no mask: every lane is on), else
 * false if the kind is unknown. The mask must have more than i lanes; this is not checked.
 */
PTO_API bool pto_mask_get(pto_mask mask, size_t i);

/**
 * Switches lane i of a mask of any kind on or off. Other lanes keep their bits; in a Bxx mask, the other bits of the
 * lane's own group become 0. Does nothing if data is NULL or the kind is unknown. The mask must have more than i lanes;
 * this is not checked.
 */
PTO_API void pto_mask_set(pto_mask mask, size_t i, bool on);

#ifdef __cplusplus
}
#endif
#endif
