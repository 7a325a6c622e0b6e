/* SPDX-License-Identifier: MIT */
/* In the place of the library's own answer, for CPUs that have Zvfh and systems that do not tell of it. */
#include <stdbool.h>

bool pto_cpu_rvv_fp16(void); /* as src/dispatch/cpu.h has it */

bool pto_cpu_rvv_fp16(void) {
    return true;
}
