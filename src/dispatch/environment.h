/* SPDX-License-Identifier: MIT */
/* What the environment asks of the choice of a backend. */
#ifndef PTO_DISPATCH_ENVIRONMENT_H
#define PTO_DISPATCH_ENVIRONMENT_H

#include <stdbool.h>

#include "pto/isa.h"

struct wishes {
    bool isa_is_set, isa_is_known; /* PTO_ISA is there; it names the backend `isa` */
    pto_isa isa;
    bool without_fp16;     /* PTO_AVX512_FP16 is 0 */
    bool without_vbmi;     /* PTO_AVX512_VBMI is 0 */
    unsigned vbmi_tables;  /* or 64, or 128: bytes of the largest tables; else 0, the CPU's own choice */
    bool without_arm_fp16; /* PTO_ARM_FP16 is 0 */
    bool without_arm_bf16; /* PTO_ARM_BF16 is 0 */
    bool without_rvv_fp16; /* PTO_RVV_FP16 is 0 */
};

/* The environment is read by the first call, in whichever thread: getenv is not safe beside setenv. */
struct wishes pto_wishes(void);

/* One line on stderr: PTO_ISA names nothing that is available, `chosen` is used. */
void pto_warn_of_isa(pto_isa chosen);

#endif
