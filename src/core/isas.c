/* SPDX-License-Identifier: MIT */
/* The names of the backends. */
#include "core/isas.h"

#include "pto/isa.h"

const char *pto_isa_name(pto_isa isa) {
#define NAME(ISA, isa, attribute) [PTO_ISA_##ISA] = #isa,
    static const char *const names[] = {EVERY_ISA(NAME)};
#undef NAME
    return (size_t)isa < sizeof names / sizeof names[0] ? names[isa] : "?";
}
