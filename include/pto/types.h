/* SPDX-License-Identifier: MIT */
/**
 * @file types.h
 * Lane types, comparison operators, flags and status codes: the words that every other header speaks in.
 *
 * Rules that hold for every call of libpto:
 *
 *  - Size: `n` counts lanes (elements), not bytes. With n == 0 nothing is read or written, and pointers to
 *    arrays and masks may be NULL. Any n up to SIZE_MAX / 16 works; beyond, the status is PTO_ERR_SIZE.
 *  - Memory: no alignment is needed, for data or masks, and not one byte outside the operands is read or
 *    written.
 *  - Overlap: a destination may be exactly one of the sources where their elements have the same size (in
 *    place). Any other overlap of a destination with a source is PTO_ERR_OVERLAP. Sources may overlap each
 *    other.
 *  - Errors: a call that does not return PTO_OK has written nothing. Checks run in this order, and the first
 *    that fails names the status: NULL, type, operator, modifier, mask kind, size, overlap. Arguments other
 *    than pointers are checked for n == 0 too. Compilers warn where a status is ignored.
 *  - Floating-point state: results depend on the operands alone. The caller's rounding mode, flush modes and
 *    unmasked exceptions (x86 MXCSR, Arm FPCR and FPSR) change nothing, never trap, and are left exactly as
 *    found, sticky flags included.
 *  - Threads: every function may be called from any thread at any time. No hidden threads, no allocation. A thread
 *    with a stack of 16 KiB can make every call, if the library was compiled with optimization.
 *  - Backends: the same bits on every CPU and every backend, NaN payloads included.
 *
 * @code
 * // Every call tells how it went, and pto_strerror puts that in words.
 * const float x[4] = {1, 2, 3, 4};
 * uint8_t mask[1] = {0};
 * pto_status status = pto_vcmp(PTO_B32, PTO_LT, 0, x, x, PTO_NO_MASK, pto_packed(mask), 4);
 * assert(status == PTO_ERR_OP); // untyped bits have no order
 * puts(pto_strerror(status));   // this type does not have this operator
 * assert(mask[0] == 0);         // and nothing was written
 * @endcode
 */
#ifndef PTO_TYPES_H
#define PTO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#    define PTO_API __attribute__((visibility("default")))
#else
#    define PTO_API
#endif

/* What a call that returns a status is declared with: the compiler warns where the status is ignored. */
#if (defined(__cplusplus) && __cplusplus >= 201703L) ||                                                      \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202000L)
#    define PTO_CALL [[nodiscard]] PTO_API
#elif defined(__GNUC__)
#    define PTO_CALL __attribute__((warn_unused_result)) PTO_API
#else
#    define PTO_CALL PTO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call returns. Zero is success. */
typedef enum pto_status {
    PTO_OK = 0,
    PTO_ERR_NULL,     /**< a pointer that is needed is NULL */
    PTO_ERR_TYPE,     /**< this operation does not take this type */
    PTO_ERR_OP,       /**< the type does not have this operator */
    PTO_ERR_MODIFIER, /**< a flag, a modifier or an operand that goes with one is not legal here */
    PTO_ERR_MASK,     /**< no such mask kind or granularity, or it does not fit the width of the elements */
    PTO_ERR_OVERLAP,  /**< the destination overlaps a source in another way than exactly in place */
    PTO_ERR_ISA,      /**< this CPU, or this build, lacks that instruction set */
    PTO_ERR_PARSE,    /**< the text does not follow the grammar */
    PTO_ERR_PATTERN,  /**< no such predicate pattern or half, or it does not fit the register */
    PTO_ERR_SIZE,     /**< n is no multiple of the group, a buffer is too short, or a size overflows */
    PTO_ERR_STOPPED   /**< a callback of the caller ended the call early */
} pto_status;

/** One line of English for a status; never NULL, also for a value that is no status. */
PTO_API const char *pto_strerror(pto_status status);

/**
 * Element types, little-endian in memory.
 *
 * e2m3 and e3m2 lie one per byte with the top two bits zero; e2m1 and e1m2 lie two per byte, element 2k in the
 * low nibble; tf32 is a 32-bit word with the low 13 bits zero.
 *
 * The sixteen one-lane types that compare and select take are B8 to S64, F16, BF16, F32 and F64.
 */
typedef enum pto_dtype {
    PTO_B8,     /**< untyped bits: compared for equality alone */
    PTO_B16,    /**< the same, of 16 bits */
    PTO_B32,    /**< the same, of 32 bits */
    PTO_B64,    /**< the same, of 64 bits */
    PTO_U8,     /**< unsigned integers */
    PTO_U16,    /**< of 16 bits */
    PTO_U32,    /**< of 32 bits */
    PTO_U64,    /**< of 64 bits */
    PTO_S8,     /**< signed integers, two's complement */
    PTO_S16,    /**< of 16 bits */
    PTO_S32,    /**< of 32 bits */
    PTO_S64,    /**< of 64 bits */
    PTO_F16,    /**< IEEE 754 binary16 */
    PTO_BF16,   /**< the upper half of an f32 */
    PTO_F32,    /**< IEEE 754 binary32 */
    PTO_F64,    /**< IEEE 754 binary64 */
    PTO_TF32,   /**< f32 with 10 digits behind the point */
    PTO_E4M3,   /**< fp8 of OCP: no infinity, largest 448 */
    PTO_E5M2,   /**< fp8 of OCP: with infinity, largest 57344 */
    PTO_E2M3,   /**< fp6: neither infinity nor NaN, largest 7.5 */
    PTO_E3M2,   /**< fp6: neither infinity nor NaN, largest 28 */
    PTO_E2M1,   /**< fp4: neither infinity nor NaN, largest 6 */
    PTO_UE8M0,  /**< a power of two, 2^-127 to 2^127, or NaN: no sign, no zero */
    PTO_S2F6,   /**< fixed point, two's complement in units of 2^-6: -2 to 127/64, no NaN */
    PTO_UE5M3,  /**< unsigned, largest 114688: no sign, no infinity */
    PTO_F16X2,  /**< a 32-bit lane of two f16: for setp and set */
    PTO_BF16X2, /**< a 32-bit lane of two bf16: for setp and set */
    PTO_U8X4,   /**< a 32-bit lane of four u8: for set alone */
    PTO_S8X4,   /**< the same of four s8 */
    PTO_U16X2,  /**< the same of two u16 */
    PTO_S16X2,  /**< the same of two s16 */
    PTO_E1M2,   /**< fp4 of PTO, quarters: neither infinity nor NaN, largest 1.75: for vcvt alone */
    PTO_HIF8    /**< HiFloat8, 8 bits of PTO: one zero, one NaN, infinities, largest 32768: for vcvt alone */
} pto_dtype;

/**
 * Storage width of one element in bits (e2m1 and e1m2: 4; e2m3 and e3m2: 8; tf32: 32); 0 for a value that is no type.
 */
PTO_API size_t pto_dtype_bits(pto_dtype type);

/** The PTX spelling, such as "bf16"; PTO's for "e1m2" and "hif8", which PTX does not have; "?" for a value that is no type. */
PTO_API const char *pto_dtype_name(pto_dtype type);

/**
 * Comparison operators.
 *
 * Two operands stand in one of four relations: less, equal, greater, or unordered (floating point, at least
 * one NaN); an operator is the set of relations for which it answers true. +0 equals -0.
 *
 * | operators                 | true for                                   | types                    |
 * | ------------------------- | ------------------------------------------ | ------------------------ |
 * | EQ NE                     | equal; less or greater                     | all                      |
 * | LT LE GT GE               | as written, false if unordered             | unsigned, signed, float  |
 * | LO LS HI HS               | the same as LT LE GT GE                    | unsigned                 |
 * | EQU NEU LTU LEU GTU GEU   | as without the U, and true if unordered    | float                    |
 * | NUM NAN                   | ordered; unordered                         | float                    |
 *
 * Floating-point NE is PTX's: false when either operand is a NaN. C's != is NEU, and so is the "ne" of a PTO
 * program on floats (docs/semantics.md).
 */
typedef enum pto_cmp {
    PTO_EQ,
    PTO_NE,
    PTO_LT,
    PTO_LE,
    PTO_GT,
    PTO_GE,
    PTO_LO,
    PTO_LS,
    PTO_HI,
    PTO_HS,
    PTO_EQU,
    PTO_NEU,
    PTO_LTU,
    PTO_LEU,
    PTO_GTU,
    PTO_GEU,
    PTO_NUM,
    PTO_NAN
} pto_cmp;

/** Flags of the calls that compare: a set of bits, 0 for none. A call that does not take one: PTO_ERR_MODIFIER. */
enum {
    /** f16 and f32: a subnormal operand counts as zero of its sign. On other types: PTO_ERR_MODIFIER. */
    PTO_FTZ = 1,
    /**
     * Lanes whose seed is off keep their old truth; without it they become 0. What is kept is the truth, not
     * the byte: every byte of the mask is written, in its kind's own form. So a 7 in a BYTE mask becomes 1.
     */
    PTO_MERGE = 2,
    /** Of pto_vmax() and its like: any NaN gives the canonical NaN. */
    PTO_PROPAGATE_NAN = 4,
    /** Of pto_vmax() and pto_vmin(): magnitudes are compared, and the result's sign is whether the operands' differ. */
    PTO_XORSIGN_ABS = 8
};

/* The library is compiled with enums as wide as int, and so must be who calls it: not with -fshort-enums. */
#ifdef __cplusplus
static_assert(sizeof(pto_cmp) == sizeof(int), "libpto's enums are as wide as int");
}
#else
_Static_assert(sizeof(pto_cmp) == sizeof(int), "libpto's enums are as wide as int");
#endif
#endif
