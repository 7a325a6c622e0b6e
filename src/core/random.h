/* SPDX-License-Identifier: MIT */
/*
 * What pto_random_bits runs on. These kernels are no part of struct pto_kernels, as a library may be built without
 * Random123.
 */
#ifndef PTO_CORE_RANDOM_H
#define PTO_CORE_RANDOM_H

#include "core/common.h"
#include "core/isas.h"

/*
 * words > 0 of the sequence, in out of any alignment, from counter on, whose lowest word does not wrap before the
 * last of them.
 */
typedef void random_fn(const u32 key[2], const u32 counter[4], u8 *out, size_t words);

#define EXPORTS(ISA, isa, attribute) random_fn pto_random_##isa attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

enum { RANDOM_ROUNDS = 10, RANDOM_BLOCK = 4 /* words */ };

#endif
