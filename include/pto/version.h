/* SPDX-License-Identifier: MIT */
/**
 * @file version.h
 * Which libpto this is, at compile time and at run time.
 *
 * @code
 * #if PTO_VERSION < 200
 * #    error "libpto 0.2.0 or later is needed"
 * #endif
 * printf("compiled for libpto %d, running with %s\n", PTO_VERSION, pto_version());
 * @endcode
 */
#ifndef PTO_VERSION_H
#define PTO_VERSION_H

#include "types.h"

#define PTO_VERSION_MAJOR 0 /**< a program needs the library of the MAJOR version that it was compiled for */
#define PTO_VERSION_MINOR 2 /**< grows with the contract */
#define PTO_VERSION_PATCH 0 /**< grows with repairs */

/** The version as one number that grows with it: 10000 MAJOR + 100 MINOR + PATCH. */
#define PTO_VERSION (PTO_VERSION_MAJOR * 10000 + PTO_VERSION_MINOR * 100 + PTO_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the library that was linked (or loaded), as "MAJOR.MINOR.PATCH".
 * It differs from the macros above when a program runs with another libpto.so than it was compiled for.
 */
PTO_API const char *pto_version(void);

#ifdef __cplusplus
}
#endif
#endif
