/* SPDX-License-Identifier: MIT */
/*
 * Instructions on integers and bits that libpto has no call for, as plain C loops. Results wrap modulo 2^bits
 * unless the operation saturates. A result array may be one of the source arrays; otherwise they must not overlap.
 */
#ifndef PTO_PROGRAM_INTEGERS_H
#define PTO_PROGRAM_INTEGERS_H

#include <stdbool.h>
#include <stddef.h>

struct addresses;

/* Operations on elements of 8, 16, 32 or 64 bits. dst[0] is d; src is a, b, c and d in the order of the instruction. */
enum integer_op {
    INTEGER_ADD,
    INTEGER_SUB,
    INTEGER_MUL_LO,
    INTEGER_NEG,
    INTEGER_ABS,
    INTEGER_SHL, /* the count is a u32; a count of at least the width gives 0 */
    INTEGER_SHR, /* like SHL; signed types shift in copies of the sign bit */
    INTEGER_ADD_SAT,
    INTEGER_SUB_SAT,
    INTEGER_MIN_RELU,
    INTEGER_MAX_RELU,
    INTEGER_MUL_HI,
    INTEGER_MAD_LO,
    INTEGER_MAD_HI,
    INTEGER_MAD_HI_SAT,
    INTEGER_DIV,
    INTEGER_REM,
    INTEGER_SAD,
    INTEGER_CNOT,
    INTEGER_BREV, /* 32 and 64 bits only */

    /* 8 bits only */
    INTEGER_AND,
    INTEGER_OR,
    INTEGER_XOR,
    INTEGER_NOT,

    /* d, and for mad c, have elements of twice the width */
    INTEGER_MUL_WIDE,
    INTEGER_MAD_WIDE,

    /* src[3]: the carry flag, a u32 of 0 or 1; dst[1]: the new flag, or NULL. The flag of a subtraction is 0 if the
     * subtraction borrows. */
    INTEGER_ADD_CARRY,
    INTEGER_SUB_CARRY,
    INTEGER_MAD_LO_CARRY,
    INTEGER_MAD_HI_CARRY,
    INTEGER_ADD_CARRY_SAT,
    INTEGER_SUB_CARRY_SAT,
    INTEGER_MAD_HI_CARRY_SAT,

    /* d is a u32 */
    INTEGER_POPC,
    INTEGER_CLZ,
    INTEGER_BFIND,
    INTEGER_BFIND_SHIFTAMT,

    /* positions and lengths are u32 */
    INTEGER_BFE,
    INTEGER_BFI,

    /* 32 bits only */
    INTEGER_MUL24_LO,
    INTEGER_MUL24_HI,
    INTEGER_MAD24_LO,
    INTEGER_MAD24_HI,
    INTEGER_MAD24_HI_SAT,
    INTEGER_BMSK_CLAMP,
    INTEGER_BMSK_WRAP,
    INTEGER_SZEXT_CLAMP,
    INTEGER_SZEXT_WRAP,
    INTEGER_FNS,
    INTEGER_LOP3, /* dst[1]: the predicate d != 0 as packed bits, or NULL */
    INTEGER_PRMT,
    INTEGER_PRMT_F4E,
    INTEGER_PRMT_B4E,
    INTEGER_PRMT_RC8,
    INTEGER_PRMT_ECL,
    INTEGER_PRMT_ECR,
    INTEGER_PRMT_RC16,
    INTEGER_SHF_L_CLAMP,
    INTEGER_SHF_L_WRAP,
    INTEGER_SHF_R_CLAMP,
    INTEGER_SHF_R_WRAP,
    INTEGER_DP4A,
    INTEGER_DP2A_LO,
    INTEGER_DP2A_HI,
    INTEGER_PACK /* cvt.pack: a and b, saturated to `part_bits` bits, above them the low bits of c; c may be NULL */
};

/* The parameters of a step. */
struct integer_parameters {
    enum integer_op op;
    unsigned bits; /* of an element of the instruction's type */
    bool
        is_signed; /* whether that type is signed; for dp4a and dp2a, that of a; for pack, that of the parts */
    bool b_is_signed;   /* dp4a and dp2a */
    unsigned table;     /* lop3's immLut */
    unsigned part_bits; /* pack */
    unsigned lane_elements;
};

/* Computes an operation on n lanes. */
void pto_integers(const struct integer_parameters *p, const struct addresses *at, size_t n);

#endif
