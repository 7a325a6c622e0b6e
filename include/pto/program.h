/* SPDX-License-Identifier: MIT */
/**
 * @file program.h
 * Runs programs in text: lines of PTX or PTO on arrays. Each register is an array with one element per thread or lane.
 *
 * This is a separate library on top of libpto, because it allocates memory; its CMake target is pto::program. A
 * program is text that is parsed and checked once. Before a run, arrays are bound to the registers that the program
 * reads before it writes them. After a run, the values of registers can be read.
 *
 * @code
 * // if (i < n) j = j + 1, for four threads.
 * const char *text = "setp.lt.s32 p, i, n;\n"
 *                    "@p add.s32 j, j, 1;\n";
 * const int32_t i[4] = {0, 1, 2, 3}, n = 2, j[4] = {10, 20, 30, 40};
 * pto_program_error error;
 * pto_program *program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTX}, &error);
 * pto_dtype type;
 * const void *data;
 * size_t count;
 * if (program == NULL) return 1; // error.line, error.column, error.word, error.text
 * if (pto_program_bind(program, "i", PTO_S32, i, 4) != PTO_OK) return 1;
 * if (pto_program_bind(program, "n", PTO_S32, &n, 1) != PTO_OK) return 1; // one value for all threads
 * if (pto_program_bind(program, "j", PTO_S32, j, 4) != PTO_OK) return 1;
 * if (pto_program_run(program, 4) != PTO_OK) return 1;
 * if (pto_program_value(program, "j", &type, &data, &count) != PTO_OK) return 1;
 * assert(type == PTO_S32 && count == 4);
 * assert(memcmp(data, (int32_t[]){11, 21, 30, 40}, sizeof j) == 0);
 * pto_program_free(program);
 * @endcode
 *
 * PTX, as straight-line code that every thread runs:
 *
 *  - `.reg` declarations of all types, including `%f<4>` and vectors: `.v4 .f32 q` declares q.x, q.y, q.z and q.w, and
 *    q stands for the group of them; scopes `{ }`; labels; both kinds of comment. A register that is not declared has
 *    the type of its first use; `%f4` is an error after `%f<4>`. The types of registers and instructions must agree as
 *    NVIDIA's assembler requires: they must have the same width. Untyped bits match every type, signed integers match
 *    unsigned ones, f16x2 matches most integers of 32 bits, and f16, f32 and f64 match only themselves.
 *  - setp, set, selp, slct and cvt in every form that libpto has: `p|q`, the sink `_`, `{!}c`, pairs `d, a, b`,
 *    `{a, b, e, f}`, packed registers, random bits, scales.
 *  - and, or, xor, not and mov on predicates and words; mov to and from `{a, b}`; constant expressions such as
 *    `(1 + 2) * 4`, `0f3F800000`, `0d3FF0000000000000`, and decimal floats where PTX takes them.
 *  - All instructions on integers and bits, except those of video and of 128 bits: add, sub, mul, mad and their forms
 *    with carry, mul24, mad24, div, rem, sad, neg, abs, min, max, cnot, shl, shr, popc, clz, bfind, brev, bfe, bfi,
 *    bmsk, szext, fns, lop3, prmt, shf, dp4a, dp2a, cvt.pack.
 *  - add, sub, mul, fma, neg, abs, min and max of f16, f16x2, bf16, bf16x2, f32 and f64; f32x2, mixed precision, div,
 *    rcp, sqrt, rsqrt, ex2, lg2, sin, cos, tanh, copysign, testp, and min and max of three, with the roundings and
 *    modifiers that PTX has. Approximate instructions are correctly rounded; a GPU may differ within the error that PTX
 *    allows.
 *  - guards `@p` and `@!p` on all of these. In lanes whose guard is false the destination keeps its value, which is
 *    zero before the first write.
 *  - `bra` to a later label, guarded or not: a thread that jumps does nothing until that label. `ret` and `exit` are
 *    jumps to the end.
 *  - `%%tid.x` and `%%laneid` are the index of the lane, from 0.
 *
 * Anything else is an error, which reports its position and what was expected. `...` stands for omitted code and does
 * nothing. Results have the bits of libpto's calls. docs/semantics.md documents the NaNs of add, sub, mul and fma.
 *
 * PTO's vector micro-instructions, as its pages and compilers write them:
 *
 * @code
 * // The page's ReLU, on 70 floats.
 * const char *text = "%all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<G>\n"
 *                    "%zero = pto.vbr %c0_f32 : f32 -> !pto.vreg<64xf32>\n"
 *                    "%neg = pto.vcmps %x, %c0_f32, %all, \"lt\"\n"
 *                    "    : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>\n"
 *                    "%y = pto.vsel %zero, %x, %neg\n"; // types may be omitted
 * float x[70] = {-1, 2, NAN, -0.0F};
 * const float nothing = 0;
 * pto_program_error error;
 * pto_program *program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTO}, &error);
 * pto_dtype type;
 * const void *data;
 * size_t count;
 * float y[70];
 * if (program == NULL) return 1;
 * if (pto_program_bind(program, "%x", PTO_F32, x, 70) != PTO_OK) return 1;
 * if (pto_program_bind(program, "%c0_f32", PTO_F32, &nothing, 1) != PTO_OK) return 1; // a scalar
 * if (pto_program_run(program, 70) != PTO_OK) return 1;
 * if (pto_program_value(program, "%y", &type, &data, &count) != PTO_OK) return 1;
 * memcpy(y, data, sizeof y);
 * assert(y[0] == 0 && y[1] == 2 && isnan(y[2]) && signbit(y[3]));
 * pto_program_free(program);
 * @endcode
 *
 *  - Arrays: a value of type `!pto.vreg<64xf32>` is an array of registers of 256 bytes; the last one may have fewer
 *    lanes. A mask is such an array, too, and so is the memory that `!pto.ptr<f32, ub>` points to. An unknown name that
 *    is read is an input. Operations across lanes (ppack, pintlv, vselr by indices, vdup, vintlv) stay within each
 *    register; lanes after the end of the array are zero there. Patterns and plt start again in each register.
 *  - Lanes: the number of lanes passed to pto_program_run() counts elements of the widest type, or lanes of the widest
 *    mask, in the text. Narrower types have two, four or eight elements per lane: with f32 in the text, n lanes are 2 n
 *    elements of f16 and 4 n of a `!pto.mask<b8>`. Memory that is loaded with UNPK or stored with PK has one element
 *    per element of its register. e2m1 and e1m2 are counted as codes of 4 bits; a lane of `f4E2M1x2` has two.
 *  - Scalars (f32, i32, ...) are inputs with n = 1, or `arith.constant`.
 *  - Types are checked where they are written, and derived from other operands where they are not. The spellings `NxT`,
 *    `T`, `!pto.mask<G>` and `!pto.mask` leave a type open. i32 is si32.
 *  - vcmp, vcmps, vsel, vselr, vselrv2, vbr, vdup, vexp (f16 and f32, if libpto has SLEEF), vcvt, vtrc, vbitcast, vadd,
 *    vsub, vmul, vadds, vmuls, vmax, vmin, vmaxs, vmins, vrelu, vabs, vneg, vand, vor, vxor, vnot, vintlv, vdintlv;
 *    pset, pge and plt of b8, b16, b32; pand, por, pxor, pnot, psel, ppack, punpack, pbitcast, pintlv, pdintlv; vlds
 *    (NORM, UNPK_B8, UNPK_B16, UNPK4_B8) and vsts (NORM, NORM_B8 to _B32, PK_B16, PK_B32, PK4_B32). `pto.mi.` is
 *    the same as `pto.`. The mask of arithmetic may be omitted. Lanes that are off become zero in registers, and keep
 *    their value in memory.
 *  - vselr of two registers of one type selects by the mask that is its third operand. Without one, it uses the mask
 *    that was defined last in the lines above it, because the PTO page leaves the mask implicit. The same holds for
 *    vselrv2. If the second register has integers as wide as the type of the first, vselr takes lanes by these indices,
 *    modulo the lanes of a register. Two registers of the same integer type need the mask.
 *  - vcvt to another width needs `part`. Without `rnd` it rounds to nearest even (hif8: away from zero), and without
 *    `sat` it does not saturate. vmax and vmin propagate NaNs, vrelu does not, like the C code of the PTO page.
 *  - A mask is an image of 256 bits for each register, one for each byte. The value of a mask, and what is bound to it,
 *    are the lowest bits of its lanes. Operations on masks change whole images, whatever lanes the types have: ppack
 *    LOWER and punpack LOWER of all lanes of b32 give all lanes again. Bits after the end of the array are zero.
 *  - The text may be enclosed in one `module`, `func.func` and `pto.vecscope` each. It may have one `scf.for`, which
 *    iterates over the registers of all arrays. Its offsets start at 0 and advance by one register per iteration, and
 *    its `iter_args` are counts for plt. If its bounds are constants (arith.constant, or names such as %%c1024), a
 *    run must have that many registers; a loop that its bounds make empty requires a run of 0 lanes. Integers wrap,
 *    as in MLIR. In a program with a loop, loads and stores must be inside it. set_flag, wait_flag, barriers, get_buf
 *    and rls_buf do nothing.
 *
 * PTO kernels: a text with a function that has the attribute `pto.kernel` or `pto.aicore`, or a pointer to `gm` among
 * its arguments, is a kernel program, unless it only takes pointers to `ub`. It runs as it stands, with its copies,
 * loops, branches and calls:
 *
 * @code
 * const char *text = "func.func @twice(%in: !pto.ptr<f32, gm>, %out: !pto.ptr<f32, gm>) attributes {pto.kernel} {\n"
 *                    "  %c0 = arith.constant 0 : index\n"
 *                    "  %0 = arith.constant 0 : i64\n"
 *                    "  %1 = arith.constant 1 : i64\n"
 *                    "  %256 = arith.constant 256 : i64\n"
 *                    "  %ub = pto.castptr %0 : i64 -> !pto.ptr<f32, ub>\n"
 *                    "  pto.mte_gm_ub %in, %ub, %0, %256 nburst(%1, %0, %0)\n"
 *                    "  %x = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
 *                    "  %y = pto.vadd %x, %x : !pto.vreg<64xf32>, !pto.vreg<64xf32> -> !pto.vreg<64xf32>\n"
 *                    "  pto.vsts %y, %ub[%c0] : !pto.vreg<64xf32>, !pto.ptr<f32, ub>\n"
 *                    "  pto.mte_ub_gm %ub, %out, %256 nburst(%1, %0, %0)\n"
 *                    "  return\n"
 *                    "}\n";
 * float x[64] = {1.5F}, y[64] = {0};
 * pto_program_error error;
 * pto_program *program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTO}, &error);
 * pto_dtype type;
 * const void *data;
 * size_t count;
 * if (program == NULL) return 1;
 * if (pto_program_bind(program, "%in", PTO_F32, x, 64) != PTO_OK) return 1;
 * if (pto_program_bind(program, "%out", PTO_F32, y, 64) != PTO_OK) return 1;
 * if (pto_program_run(program, 1) != PTO_OK) return 1; // one block
 * if (pto_program_value(program, "%out", &type, &data, &count) != PTO_OK) return 1;
 * memcpy(y, data, sizeof y);
 * assert(y[0] == 3);
 * pto_program_free(program);
 * @endcode
 *
 *  - Each argument is bound by its name: a `gm` pointer to an array of its exact size, a scalar to one element. The
 *    type must be as wide as that of the text. The run works on copies; pto_program_value() returns an array as the
 *    kernel left it. The lanes of pto_program_run() are the blocks of the kernel, which run one after the other.
 *  - Each block has a unified buffer of 262,144 bytes, which is zero at first. An access outside an array or the buffer
 *    ends the run with PTO_ERR_SIZE, and pto_program_problem() has the line, the column, and which lane or row it was.
 *  - Masks are images of 256 bits, one for each byte of a register. pto_program_value() returns their lanes; the name
 *    with the suffix `.image` gives the 32 bytes. Vectors and masks have the value of their last execution.
 *  - Operations of the matrix unit, SIMT functions, atomic accesses and synchronisation of cores are refused.
 *
 * Threads: only one thread at a time may use a program; different programs are independent. The caller's floating-point
 * state has no effect, and each call leaves it as it was. Callbacks run in the caller's state. If a callback changes
 * the state, the change remains after the run, and has no effect on results.
 */
#ifndef PTO_PROGRAM_H
#define PTO_PROGRAM_H

#include "types.h"

/* Declares a call of the program library, as PTO_API does for libpto. */
#if defined(_WIN32) && defined(PTO_PROGRAM_EXPORTS)
#    define PTO_PROGRAM_API __declspec(dllexport)
#else
#    define PTO_PROGRAM_API PTO_API
#endif
#define PTO_PROGRAM_CALL PTO_CHECKED PTO_PROGRAM_API

#ifdef __cplusplus
extern "C" {
#endif

/** A program with its registers. pto_program_new() makes it, pto_program_free() frees it. */
typedef struct pto_program pto_program;

/** The language of a program's text. */
typedef enum pto_program_language {
    PTO_PROGRAM_ANY, /**< PTO if a word of the text begins with "pto.", else PTX */
    PTO_PROGRAM_PTX, /**< PTX */
    PTO_PROGRAM_PTO  /**< PTO's vector micro-instructions */
} pto_program_language;

/** The result of a PTO program's "ne" on floats if an operand is a NaN. */
typedef enum pto_program_profile {
    PTO_PROFILE_PTX, /**< false, as in PTX */
    PTO_PROFILE_A5   /**< true, as in the vendor's tests of its simulator and devices */
} pto_program_profile;

/** How a kernel program's pto.vmi.vcmp and vcmps count NaNs. */
typedef enum pto_program_vmi_compare {
    PTO_VMI_COMPARE_CHIP, /**< as the chip's vcmp, to which both spellings of a relation are lowered */
    PTO_VMI_COMPARE_PAGE /**< as VMI's page: eq to ge are true if an operand is a NaN, oeq to oge are false */
} pto_program_vmi_compare;

/**
 * The result of one line of a program for a block of lanes, as passed to the trace callback. libpto makes it, so later
 * versions may append members.
 */
typedef struct pto_program_step {
    size_t line;        /**< line of the text, from 1 */
    const char *name;   /**< name of the register that the line wrote */
    pto_dtype type;     /**< type of that register; PTO_B8 for a predicate, one byte 0 or 1 per lane */
    const void *data;   /**< values of the register in this block, valid until the callback returns */
    size_t first;       /**< index of the first lane, or of the first element if a lane of PTO has several */
    size_t lanes;       /**< number of lanes, or of elements if a lane of PTO has several */
    const void *active; /**< modules: packed mask of the threads that executed the line; NULL: all of them */
} pto_program_step;

/** A callback that receives each result: for each block of lanes, line by line. */
typedef void pto_program_trace(void *user, const pto_program_step *step);

/**
 * A callback that returns true to end pto_program_run() early. It is called in the thread of the run, before each block
 * of lanes except the first, and must return soon.
 */
typedef bool pto_program_stop(void *user);

/** Options for parsing and running a program. All fields zero is a good default. */
typedef struct pto_program_options {
    pto_program_language language; /**< language of the text */
    pto_program_profile profile;   /**< for PTO: the result of "ne" on NaNs */
    const char *const *keep;       /**< names of registers to keep for pto_program_value(); NULL keeps all */
    size_t keep_count;             /**< number of these names */
    pto_program_trace *trace;      /**< called for each line, or NULL */
    pto_program_stop *stop;        /**< called between blocks of lanes, or NULL */
    void *user;                    /**< passed to trace and stop */
    /** Operations after which a kernel ends with an error. 0: 2^32 in a run of PTO, 2^26 in each block of a module */
    size_t max_steps;
    bool strict;   /**< PTO kernels: alignment, unwritten bytes, flags and align values are checked */
    bool recorded; /**< PTO kernels: overflows of e4m3 and e5m2 have the values of the vendor's test cases */
    pto_program_vmi_compare vmi_compare; /**< PTO kernels: NaNs in comparisons of VMI */
    /** Modules: make pto_module_use_at()'s lists, and return a module of which no kernel is supported, too */
    bool survey;
    size_t reserved[6 - 8 / sizeof(size_t)]; /**< must be 0; for later options */
} pto_program_options;

/** The position of an error in a text, and what was expected there. */
typedef struct pto_program_error {
    size_t line;   /**< line, from 1 */
    size_t column; /**< byte of the line, from 1 */
    /** The word at that position, terminated; cut off if long, empty at the end of the text. An opcode is without the
     * blanks and comments that may be before its dots. */
    char word[48];
    char text[160];     /**< one line of English, terminated */
    size_t reserved[6]; /**< set to 0; for later positions, such as a thread */
} pto_program_error;

/**
 * Parses and checks a program, and returns it. The caller frees it with pto_program_free().
 *
 * Returns NULL if text is NULL, if a reserved option is not 0, if the text has an error, or if memory is exhausted.
 * Then *error, unless error is NULL, has the position and the reason. The text and options.keep are not needed after
 * the call.
 */
PTO_PROGRAM_API pto_program *pto_program_new(const char *text, pto_program_options options,
                                             pto_program_error *error);

/** Frees a program and the values of its registers. NULL is allowed and does nothing. */
PTO_PROGRAM_API void pto_program_free(pto_program *program);

enum {
    PTO_PROGRAM_INSTRUCTION_SIZE = 32 /**< a buffer of this many bytes holds the name of every instruction */
};

/**
 * Stores in name the name of instruction i of a language, such as "setp" or "pto.vcmp". To list all, count i up from 0
 * until the status is PTO_ERR_SIZE.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_MODIFIER (the language is neither PTX nor PTO), PTO_ERR_SIZE
 * (i is not below the number of instructions).
 */
PTO_PROGRAM_CALL pto_status pto_program_instruction(pto_program_language language, size_t i,
                                                    char name[PTO_PROGRAM_INSTRUCTION_SIZE]);

/** A register of a program. */
typedef struct pto_program_register {
    const char *name; /**< name, valid as long as the program */
    pto_dtype type;   /**< declared type, or that of the first use; PTO_B8 for a predicate */
    bool predicate;   /**< whether it is a predicate */
    bool input;       /**< whether it is read before it is written, and so must be bound */
    bool result;      /**< whether it is written */
    bool memory;      /**< whether it is an array in global memory: an argument of a kernel program */
    size_t each;      /**< elements per lane: 1, except for narrower types in PTO */

    size_t reserved[4]; /**< set to 0; for later properties */
} pto_program_register;

/**
 * Chooses the kernel of a text with several kernels. Call it before pto_program_bind(): each kernel has its own
 * arguments, and what was bound before is dropped.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (the text has no kernel of this name), PTO_ERR_SIZE (no
 * memory).
 */
PTO_PROGRAM_CALL pto_status pto_program_kernel(pto_program *program, const char *name);

/** Returns the number of registers that have names, 0 for NULL. */
PTO_PROGRAM_API size_t pto_program_register_count(const pto_program *program);
/**
 * Stores in *out register i of those that have names, in the order in which they first appear in the text.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (i is not below the count).
 */
PTO_PROGRAM_CALL pto_status pto_program_register_at(const pto_program *program, size_t i,
                                                    pto_program_register *out);

/**
 * Stores in *out the register with this name. If several scopes declare a register with this name, the first of them
 * is returned.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such register).
 */
PTO_PROGRAM_CALL pto_status pto_program_register_named(const pto_program *program, const char *name,
                                                       pto_program_register *out);

/**
 * Binds an array to a register, which sets its values before a run: n elements of a type at data. The array is only
 * read, and must stay valid until the last run that uses it has ended.
 *
 * The n elements together must be as wide as the register is in all lanes, or as wide as one element of the register.
 * In the latter case all lanes have the same value; registers of 4-bit elements do not allow it. (A lane of PTX is one
 * element. A lane of PTO may be several.) So an array of 2 n e4m3 codes can be bound to a `.b16` register of n lanes.
 * Predicates are bytes, of type B8 or U8; every value except 0 is true. If a name is declared several times, in scopes,
 * the first of these registers is bound. A second call for a register replaces the array of the first call.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such register), PTO_ERR_TYPE (the width of the type
 * does not divide that of the register; or not B8 or U8 for a predicate).
 */
PTO_PROGRAM_CALL pto_status pto_program_bind(pto_program *program, const char *name, pto_dtype type,
                                             const void *data, size_t n);

/**
 * Runs a program over `lanes` lanes. Each block of lanes runs through all lines before the next block starts. So apart
 * from inputs and kept registers, the run needs memory for only a few thousand lanes.
 *
 * Returns PTO_OK, PTO_ERR_NULL, PTO_ERR_SIZE (a bound array does not have that many lanes; the constant bounds of a
 * PTO loop require another number; too many lanes; memory is exhausted), PTO_ERR_PARSE (a register is read before it is
 * written, and nothing is bound to it) or PTO_ERR_STOPPED (the callback `stop` returned true). After an error no
 * register has values, and pto_program_problem() describes it, with register and line if it concerns one.
 */
PTO_PROGRAM_CALL pto_status pto_program_run(pto_program *program, size_t lanes);

/** Returns the error of the last run; its text is empty if there was none. Returns NULL for NULL. */
PTO_PROGRAM_API const pto_program_error *pto_program_problem(const pto_program *program);

/**
 * Reads a register after a run: *data points to *n elements of *type, for a predicate to bytes 0 or 1. The values are
 * valid until the next run. If the program only reads the register, *data is the bound array.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such register), PTO_ERR_SIZE (the last run failed
 * or there was none, or the register is not kept).
 */
PTO_PROGRAM_CALL pto_status pto_program_value(const pto_program *program, const char *name, pto_dtype *type,
                                              const void **data, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
