/* SPDX-License-Identifier: MIT */
/* Replaces the library's check for Zvfh, for CPUs that have Zvfh under systems that do not report it. */

/* pto_cpu_has_variant() of src/dispatch/cpu.c, which the build compiles under this name. The build also includes
 * src/dispatch/cpu.h before this file. */
bool pto_cpu_itself_has_variant(enum variant variant);

bool pto_cpu_has_variant(enum variant variant) {
    return variant == VARIANT_RVV_FP16 || pto_cpu_itself_has_variant(variant);
}
