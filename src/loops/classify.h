/* SPDX-License-Identifier: MIT */
/*
 * The classes of codes, written in the vocabulary of an ISA's vec.h and the compilers' vector types. ISA must be
 * defined. Other backends have plain loops: see classify_plain.h.
 */
#ifndef PTO_LOOPS_CLASSIFY_H
#define PTO_LOOPS_CLASSIFY_H

#include "core/codes.h"

/* The constants of a class, in every lane. An element is in the class if, under `mask` and with `offset` added, it is
 * below `limit` as a signed integer: `offset` moves the first element of the class to the lowest integer. */
struct class_vectors {
    vec mask, offset, limit, zero;
};

#define WIDTH 8
#include "loops/classify_width.h"
#define WIDTH 16
#include "loops/classify_width.h"
#define WIDTH 32
#include "loops/classify_width.h"
#define WIDTH 64
#include "loops/classify_width.h"

#include "loops/classify_table.h"

#endif
