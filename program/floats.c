/* SPDX-License-Identifier: MIT */
/* Chooses the rounding mode for arithmetic on floats. */
#include "approximate.h"
#include "loops.h"

#include <fenv.h>
#include <string.h>

/* Sets the rounding mode. Returns whether this machine has it. */
static bool set_rounding(pto_round round) {
    switch (round) {
#ifdef FE_TOWARDZERO
    case PTO_RZ: return fesetround(FE_TOWARDZERO) == 0;
#endif
#ifdef FE_DOWNWARD
    case PTO_RM: return fesetround(FE_DOWNWARD) == 0;
#endif
#ifdef FE_UPWARD
    case PTO_RP: return fesetround(FE_UPWARD) == 0;
#endif
    default: return false;
    }
}

pto_status pto_floats(enum arithmetic op, const struct typed_parameters *t, const struct addresses *at,
                      size_t n) {
    float_loops *loops = pto_loops()->floats;
    if (op >= ARITHMETIC_EX2) return pto_approximate(op, t, at, n);
    if (!pto_is_directed(t->round)) {
        loops(op, t, at, n);
        return PTO_OK;
    }
    if (!set_rounding(t->round)) return PTO_ERR_ISA;
    loops(op, t, at, n);
    (void)fesetround(FE_TONEAREST);
    return PTO_OK;
}

/* ---- testp ---- */

/* Returns whether a value with these magnitude bits belongs to the class. `smallest` has the bits of the
 * smallest normal value, `infinity` those of infinity. */
static bool is_of_class(enum float_class class, uint64_t magnitude, uint64_t smallest, uint64_t infinity) {
    switch (class) {
    case CLASS_OF_FINITE: return magnitude < infinity;
    case CLASS_OF_INFINITE: return magnitude == infinity;
    case CLASS_OF_NUMBER: return magnitude <= infinity;
    case CLASS_OF_NAN: return magnitude > infinity;
    case CLASS_OF_NORMAL: return magnitude == 0 || (magnitude >= smallest && magnitude < infinity);
    default: return magnitude != 0 && magnitude < smallest;
    }
}

static inline bool test_element(enum float_class class, pto_dtype type, const unsigned char *from, size_t i) {
    uint32_t x;
    uint64_t y;
    if (type == PTO_F32) {
        memcpy(&x, from + 4 * i, 4);
        return is_of_class(class, x & 0x7fffffff, 0x00800000, 0x7f800000);
    }
    memcpy(&y, from + 8 * i, 8);
    return is_of_class(class, y & INT64_MAX, (uint64_t)1 << 52, (uint64_t)0x7ff << 52);
}

void pto_test_floats(enum float_class class, pto_dtype type, const void *from, void *to, size_t n) {
    unsigned char *mask = to;
    for (size_t i = 0; i < n; i += 8) {
        unsigned byte = 0;
        for (size_t k = 0; k < 8 && i + k < n; k++)
            byte |= (unsigned)test_element(class, type, from, i + k) << k;
        mask[i / 8] = (unsigned char)byte;
    }
}
