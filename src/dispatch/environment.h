/* SPDX-License-Identifier: MIT */
/* The environment variables that affect the choice of a backend. */
#ifndef PTO_DISPATCH_ENVIRONMENT_H
#define PTO_DISPATCH_ENVIRONMENT_H

#include <stdbool.h>

#include "core/variants.h"
#include "pto/isa.h"

struct overrides {
    bool isa_is_set, isa_is_known; /* PTO_ISA is set and not empty; it names the backend `isa` */
    pto_isa isa;
    unsigned variants_off; /* bit i: the variable of variant i is 0 */
    unsigned vbmi_tables;  /* largest table in bytes: 64 or 128 from PTO_AVX512_VBMI; 0: the CPU decides */
};

/* Returns the settings. The first call reads the environment, and later ones return the cached settings, because
 * getenv() is not safe while another thread calls setenv(). */
struct overrides pto_environment(void);

/* Writes one line to stderr, which says that PTO_ISA names none of the available backends and that `chosen` is used.
 * Bit i of `available` is set if ISA number i is available. */
void pto_warn_about_isa(unsigned available, pto_isa chosen);

#endif
