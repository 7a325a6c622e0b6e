/* SPDX-License-Identifier: MIT */
/** @file version.h  Which libpto this is, at compile time and at run time. */
#ifndef PTO_VERSION_H
#define PTO_VERSION_H

#include "types.h"

#define PTO_VERSION_MAJOR 0
#define PTO_VERSION_MINOR 1
#define PTO_VERSION_PATCH 0

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
