/* SPDX-License-Identifier: MIT */
/* In the place of the library's own answer, for CPUs that have Zvfh and systems that do not tell of it. */
#include "dispatch/cpu.h"

bool pto_cpu_itself_has_variant(enum variant variant); /* src/dispatch/cpu.c, compiled with this name */

bool pto_cpu_has_variant(enum variant variant) {
    return variant == VARIANT_RVV_FP16 || pto_cpu_itself_has_variant(variant);
}
