/* SPDX-License-Identifier: MIT */
/**
 * @file programs.h
 * Four small vector programs, each in its own file, to copy from.
 *
 * All of them process n lanes. y may be x itself (for max_f32 either operand). mask is a result too: n packed bits, in
 * pto_mask_bytes(PTO_MASK_PACKED, n) bytes. It has for each lane which operand the select took. The programs process
 * tiles that stay in the first-level cache. A tile corresponds to a vector register of a PTO program.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <pto/pto.h>

#if defined(PTO_VMATH_H) && !defined(PTO_NO_VMATH)
#    define HAVE_SAFE_EXP 1 /* this libpto was built with SLEEF and has pto_vexp */
#endif

/** Lanes per tile: a multiple of 8, so that every tile starts at a byte of the mask. */
enum { TILE = 1024 };

static inline size_t tile_lanes(size_t n, size_t at) {
    return n - at < TILE ? n - at : TILE;
}

/** y = x < 0 ? 0 : x. mask: the lanes that became 0. */
pto_status relu_f32(const float *x, float *y, uint8_t *mask, size_t n);

/** y = a > b ? a : b. mask: the lanes where a was taken. */
pto_status max_f32(const float *a, const float *b, float *y, uint8_t *mask, size_t n);

/** y = x >= at_least ? x : 0. mask: the lanes where x was taken. */
pto_status threshold_f32(const float *x, float at_least, float *y, uint8_t *mask, size_t n);

#ifdef HAVE_SAFE_EXP
/** y = exp(x < min_arg ? min_arg : x). mask: the lanes that were clamped. */
pto_status safe_exp_f32(const float *x, float min_arg, float *y, uint8_t *mask, size_t n);
#endif

#endif
