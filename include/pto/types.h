/* SPDX-License-Identifier: MIT */
/**
 * @file types.h
 * Lane types, comparison operators, flags and status codes, which all other headers use.
 *
 * Rules that hold for every call of libpto:
 *
 *  - Size: `n` counts lanes (elements), not bytes. With n == 0 nothing is read or written, and pointers to
 *    arrays and masks may be NULL. n may be up to SIZE_MAX / 16; a larger n gives PTO_ERR_SIZE.
 *  - Memory: arrays and masks need no alignment. A call reads and writes no byte outside its operands.
 *  - Overlap: a destination may lie exactly on a source if their elements have the same size (in place). Any
 *    other overlap of a destination with a source gives PTO_ERR_OVERLAP. Sources may overlap each other.
 *  - Errors: a call that does not return PTO_OK has written nothing. The checks run in this order, and the first
 *    that fails determines the status: NULL, type, operator, modifier, mask kind, size, overlap. With n == 0,
 *    all arguments except pointers are checked too. Compilers warn if a caller ignores a status.
 *  - Floating-point state: results depend only on the operands. The caller's rounding mode, flush modes and
 *    exception masks (x86 MXCSR, Arm FPCR and FPSR) have no effect on results, and no call traps. A call leaves this
 *    state exactly as it was, sticky flags included.
 *  - Threads: any thread may call any function at any time. libpto starts no threads and allocates no memory.
 *    A stack of 16 KiB is enough for every call if the library was compiled with optimization.
 *  - Backends: every CPU and every backend gives the same bits, NaN payloads included.
 *  - Structs: initialize them by member names ({.dst = PTO_F16}) or with {0}. Members called `reserved` are for later
 *    versions: they must be 0 in a struct that a call takes, and a call that fills a struct sets them to 0.
 *
 * @code
 * // Every call returns a status. pto_strerror returns its text.
 * const float x[4] = {1, 2, 3, 4};
 * uint8_t mask[1] = {0};
 * pto_status status = pto_vcmp(PTO_B32, PTO_LT, 0, x, x, PTO_NO_MASK, pto_packed(mask), 4);
 * assert(status == PTO_ERR_OP); // untyped bits are only compared for equality
 * puts(pto_strerror(status));   // this type does not have this operator
 * assert(mask[0] == 0);         // nothing was written
 * @endcode
 */
#ifndef PTO_TYPES_H
#define PTO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Declares a call of the library. On Windows, programs that link the static library must be compiled with PTO_STATIC,
 * which the CMake targets and pkg-config --static do. libpto itself is compiled with PTO_EXPORTS. */
#if defined(_WIN32) && defined(PTO_EXPORTS)
#    define PTO_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(PTO_STATIC)
#    define PTO_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#    define PTO_API __attribute__((visibility("default")))
#else
#    define PTO_API
#endif

/* Makes the compiler warn if the caller ignores the status that a call returns. */
#if (defined(__cplusplus) && __cplusplus >= 201703L) ||                                                      \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202000L)
#    define PTO_CHECKED [[nodiscard]]
#elif defined(__GNUC__)
#    define PTO_CHECKED __attribute__((warn_unused_result))
#else
#    define PTO_CHECKED
#endif

/* Declares a call that returns a status. */
#define PTO_CALL PTO_CHECKED PTO_API

#ifdef __cplusplus
extern "C" {
#endif

/** The status that a call returns. Zero is success. */
typedef enum pto_status {
    PTO_OK = 0,
    PTO_ERR_NULL,     /**< a required pointer is NULL */
    PTO_ERR_TYPE,     /**< the call does not take this type */
    PTO_ERR_OP,       /**< the type does not have this operator */
    PTO_ERR_MODIFIER, /**< a flag or modifier, or an operand that belongs to one, is not legal here */
    PTO_ERR_MASK,     /**< unknown mask kind or granularity, or it does not fit the elements' width */
    PTO_ERR_OVERLAP,  /**< the destination overlaps a source, and not exactly in place */
    PTO_ERR_ISA,      /**< this CPU or this build does not have that instruction set */
    PTO_ERR_PARSE,    /**< the text does not follow the grammar */
    PTO_ERR_PATTERN,  /**< unknown predicate pattern or half, or one that does not fit the register */
    PTO_ERR_SIZE,     /**< n not a multiple of the group, buffer too short, size or value out of range */
    PTO_ERR_STOPPED   /**< a callback of the caller ended the call early */
} pto_status;

/** Returns one line of English for a status. It is never NULL, not even for a value that is not a status. */
PTO_API const char *pto_strerror(pto_status status);

/**
 * Element types, little-endian in memory.
 *
 * e2m3 and e3m2 are stored one per byte, with the top two bits zero. e2m1, e1m2, u4 and s4 are stored two per byte,
 * with element 2k in the low nibble; u2 and s2 are stored four per byte, with element 4k in the lowest bits. tf32 is a
 * 32-bit word whose low 13 bits are zero.
 *
 * Compare and select take the sixteen one-lane types, B8 to S64, F16, BF16, F32 and F64, and the eleven small floats
 * with a sign, E4M3, E5M2, E2M3, E3M2, E4M3FNUZ, E5M2FNUZ, E4M3B11FNUZ, E4M3IEEE, E3M4, BINARY8P3SE and BINARY8P4SE,
 * which have lanes of 8 bits. docs/names.md lists the names of all types in other software.
 */
typedef enum pto_dtype {
    PTO_B8,     /**< 8 untyped bits: compared only for equality */
    PTO_B16,    /**< 16 untyped bits */
    PTO_B32,    /**< 32 untyped bits */
    PTO_B64,    /**< 64 untyped bits */
    PTO_U8,     /**< unsigned integer of 8 bits */
    PTO_U16,    /**< unsigned integer of 16 bits */
    PTO_U32,    /**< unsigned integer of 32 bits */
    PTO_U64,    /**< unsigned integer of 64 bits */
    PTO_S8,     /**< signed integer of 8 bits, two's complement */
    PTO_S16,    /**< signed integer of 16 bits */
    PTO_S32,    /**< signed integer of 32 bits */
    PTO_S64,    /**< signed integer of 64 bits */
    PTO_F16,    /**< IEEE 754 binary16 */
    PTO_BF16,   /**< bfloat16: the upper half of an f32 */
    PTO_F32,    /**< IEEE 754 binary32 */
    PTO_F64,    /**< IEEE 754 binary64 */
    PTO_TF32,   /**< f32 with 10 fraction bits */
    PTO_E4M3,   /**< OCP fp8: NaN but no infinity, largest value 448 */
    PTO_E5M2,   /**< OCP fp8: NaNs and infinities, largest finite value 57344 */
    PTO_E2M3,   /**< fp6: neither infinity nor NaN, largest value 7.5 */
    PTO_E3M2,   /**< fp6: neither infinity nor NaN, largest value 28 */
    PTO_E2M1,   /**< fp4: neither infinity nor NaN, largest value 6 */
    PTO_UE8M0,  /**< a power of two, 2^-127 to 2^127, or NaN: no sign, no zero */
    PTO_S2F6,   /**< fixed point, two's complement in units of 2^-6: -2 to 127/64, no NaN */
    PTO_UE5M3,  /**< unsigned fp8: NaN but no sign and no infinity, largest value 114688 */
    PTO_F16X2,  /**< a 32-bit lane of two f16: only for setp and set */
    PTO_BF16X2, /**< a 32-bit lane of two bf16: only for setp and set */
    PTO_U8X4,   /**< a 32-bit lane of four u8: only for set */
    PTO_S8X4,   /**< a 32-bit lane of four s8: only for set */
    PTO_U16X2,  /**< a 32-bit lane of two u16: only for set */
    PTO_S16X2,  /**< a 32-bit lane of two s16: only for set */
    PTO_E1M2, /**< PTO fp4 in units of 1/4: no infinity, no NaN, largest value 1.75; only for vcvt and cast */
    PTO_HIF8, /**< PTO HiFloat8: one zero, one NaN, infinities, largest value 32768; only for vcvt and cast */

    /* The types from here to PTO_S2, and the two of P3109, are neither PTX's nor PTO's. pto_cast() and the calls of
       value.h take them. The 8-bit floats are also compared and selected; pto_testp() takes the first five. */
    PTO_E4M3FNUZ,    /**< fp8 of bias 8: one zero, one NaN (code 80), no infinity, largest value 240 */
    PTO_E5M2FNUZ,    /**< fp8 of bias 16: one zero, one NaN (code 80), no infinity, largest value 57344 */
    PTO_E4M3B11FNUZ, /**< fp8 of bias 11: one zero, one NaN (code 80), no infinity, largest value 30 */
    PTO_E4M3IEEE,    /**< fp8 with the NaNs and infinities of IEEE 754, largest finite value 240 */
    PTO_E3M4,        /**< fp8 with the NaNs and infinities of IEEE 754, largest finite value 15.5 */
    PTO_U4,          /**< unsigned integer of 4 bits */
    PTO_S4,          /**< signed integer of 4 bits, two's complement */
    PTO_U2,          /**< unsigned integer of 2 bits */
    PTO_S2,          /**< signed integer of 2 bits */

    /* Only block scaling takes these types: their elements share an exponent, so a code alone has no value. */
    PTO_BFP8, /**< Tenstorrent bfloat8_b: a sign and a magnitude of 7 bits; only for PTO_BFP_TT */
    PTO_BFP4, /**< Tenstorrent bfloat4_b: a sign and a magnitude of 3 bits; only for PTO_BFP_TT */

    /* The extended 8-bit formats of IEEE P3109. The calls that take PTO_E4M3FNUZ take them, except pto_testp(). */
    PTO_BINARY8P3SE, /**< P3109 fp8 of bias 16: one zero, one NaN (80), infinities (7f, ff), largest 49152 */
    PTO_BINARY8P4SE  /**< P3109 fp8 of bias 8: one zero, one NaN (80), infinities (7f, ff), largest 224 */
} pto_dtype;

/**
 * Returns the width of one element in memory, in bits: 2 for u2 and s2, 4 for e2m1, e1m2, u4, s4 and bfp4, 8 for
 * e2m3 and e3m2, 32 for tf32. Returns 0 for a value that is not a type.
 */
PTO_API size_t pto_dtype_bits(pto_dtype type);

/**
 * Returns the PTX name of a type, such as "bf16". PTX does not have "e1m2" and "hif8", which are PTO's names, and the
 * types that follow them: their names are the enumerators in lower case, such as "e4m3fnuz" and "u4". Returns "?" for a
 * value that is not a type.
 */
PTO_API const char *pto_dtype_name(pto_dtype type);

/** The classes of element types. */
typedef enum pto_class {
    PTO_CLASS_NONE,     /**< the value is not a type */
    PTO_CLASS_BITS,     /**< untyped bits: B8 to B64 */
    PTO_CLASS_UNSIGNED, /**< unsigned integers: U2 to U64 */
    PTO_CLASS_SIGNED,   /**< signed integers: S2 to S64 */
    PTO_CLASS_FLOAT,    /**< floats, and the fixed-point type S2F6 */
    PTO_CLASS_PACKED    /**< words of several elements: F16X2, BF16X2, U8X4, S8X4, U16X2, S16X2 */
} pto_class;

/**
 * Returns the class of a type, such as PTO_CLASS_FLOAT for PTO_E4M3; PTO_CLASS_NONE for a value that is not a type.
 * Use it instead of comparing types by < or >: new types are appended to pto_dtype, whatever their class.
 */
PTO_API pto_class pto_dtype_class(pto_dtype type);

/**
 * Comparison operators.
 *
 * Two operands are in one of four relations: less, equal, greater, or unordered (floating point, at least one of them
 * a NaN). An operator is true for a set of these relations. +0 equals -0.
 *
 * | operators                 | true for                                        | types                    |
 * | ------------------------- | ----------------------------------------------- | ------------------------ |
 * | EQ NE                     | equal; less or greater                          | all                      |
 * | LT LE GT GE               | less, less or equal, ...; false if unordered    | unsigned, signed, float  |
 * | LO LS HI HS               | the same as LT LE GT GE                         | unsigned                 |
 * | EQU NEU LTU LEU GTU GEU   | as without the U, and also true if unordered    | float                    |
 * | NUM NAN                   | ordered; unordered                              | float                    |
 *
 * NE on floats is PTX's: it is false if either operand is a NaN. C's != is NEU, and so is the "ne" of a PTO program
 * on floats (docs/semantics.md).
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

/**
 * Flags of the calls that compare or take a maximum or minimum: a set of bits, 0 for none. A call returns
 * PTO_ERR_MODIFIER for a flag that it does not take.
 */
enum {
    /** f16 and f32: a subnormal operand counts as zero of its sign. Other types give PTO_ERR_MODIFIER. */
    PTO_FTZ = 1,
    /**
     * Lanes whose seed is off keep their old value, true or false; without this flag they become 0. The call writes
     * the whole mask, also for these lanes: in a BYTE mask, an old value of 7 becomes 1.
     */
    PTO_MERGE = 2,
    /**
     * For pto_vmax(), pto_vmin(), pto_vclamp() and pto_vrelu(): any NaN operand gives the canonical NaN. For
     * pto_vargmax() and pto_vargmin(): the first NaN is the result.
     */
    PTO_PROPAGATE_NAN = 4,
    /** For pto_vmax() and pto_vmin(): compare magnitudes; the result is negative if the operands' signs differ. */
    PTO_XORSIGN_ABS = 8
};

/* The library is compiled with enums as wide as int. So callers must not be compiled with -fshort-enums. */
#ifdef __cplusplus
static_assert(sizeof(pto_cmp) == sizeof(int), "libpto's enums are as wide as int");
}
#else
_Static_assert(sizeof(pto_cmp) == sizeof(int), "libpto's enums are as wide as int");
#endif
#endif
