/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of PTX that libpto has no call for, exact to the bit and in plain C: integers modulo 2^bits, floats rounded
 * once to nearest even. The FP state must be the default one.
 */
#ifndef PTO_PROGRAM_ARITHMETIC_H
#define PTO_PROGRAM_ARITHMETIC_H

#include "ir.h"

enum arithmetic {
    ARITHMETIC_ADD,
    ARITHMETIC_SUB,
    ARITHMETIC_MUL, /* of integers the low half */
    ARITHMETIC_FMA, /* floats alone */
    ARITHMETIC_NEG,
    ARITHMETIC_ABS,
    ARITHMETIC_SHL, /* by a word of 32 bits; beyond the width nothing is left */
    ARITHMETIC_SHR  /* of signed types sign by sign */
};

pto_status pto_arithmetic(enum arithmetic op, const struct typed *typed, const struct places *at, size_t n);

#endif
