/* SPDX-License-Identifier: MIT */
/**
 * @file version.h
 * The version of libpto, at compile time and at run time.
 *
 * @code
 * #if PTO_VERSION < 300
 * #    error "libpto 0.3.0 or later is needed"
 * #endif
 * printf("compiled for libpto %d, running with %s\n", PTO_VERSION, pto_version());
 * @endcode
 */
#ifndef PTO_VERSION_H
#define PTO_VERSION_H

#include "types.h"

/** The parts of these headers' version. */
#define PTO_VERSION_MAJOR 0
#define PTO_VERSION_MINOR 3
#define PTO_VERSION_PATCH 0

/** The version as one number for comparisons, 300 for 0.3.0: `#if PTO_VERSION >= 300`. */
#define PTO_VERSION (PTO_VERSION_MAJOR * 10000 + PTO_VERSION_MINOR * 100 + PTO_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the version of the library that was linked or loaded, as "MAJOR.MINOR.PATCH".
 *
 * It differs from the macros above if a program runs with another libpto.so than it was compiled for.
 */
PTO_API const char *pto_version(void);

#ifdef __cplusplus
}
#endif
#endif
