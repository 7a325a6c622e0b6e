/* SPDX-License-Identifier: MIT */
/*
 * The kernels of pto_random_bits(). They are not part of struct pto_kernels, because the library can be built without
 * Random123.
 */
#ifndef PTO_CORE_RANDOM_H
#define PTO_CORE_RANDOM_H

#include "core/common.h"
#include "core/isas.h"

/*
 * Writes `words` > 0 words to `out`, which may have any alignment: the sequence of `key`, starting at `counter`.
 * counter[0] must not wrap around before the last word; the kernel does not carry into counter[1].
 */
typedef void random_fn(const u32 key[2], const u32 counter[4], u8 *out, size_t words);

#define EXPORTS(ISA, isa, attribute) random_fn pto_random_##isa attribute;
EVERY_ISA(EXPORTS)
#undef EXPORTS

enum { RANDOM_ROUNDS = 10, RANDOM_BLOCK = 4 /* words */ };

#endif
