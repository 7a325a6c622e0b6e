/* SPDX-License-Identifier: MIT */
/**
 * @file program.h
 * Programs in text: lines of PTX or of PTO over arrays, each register an array with an element for each thread or lane.
 *
 * This is a library of its own above libpto, pto::program in CMake, because it allocates. A program is text, parsed
 * and checked once; arrays are bound to the registers that it reads before it writes them; after a run any register
 * can be looked at.
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
 * if (pto_program_bind(program, "n", PTO_S32, &n, 1) != PTO_OK) return 1; // the same for every thread
 * if (pto_program_bind(program, "j", PTO_S32, j, 4) != PTO_OK) return 1;
 * if (pto_program_run(program, 4) != PTO_OK) return 1;
 * if (pto_program_value(program, "j", &type, &data, &count) != PTO_OK) return 1;
 * assert(type == PTO_S32 && count == 4);
 * assert(memcmp(data, (int32_t[]){11, 21, 30, 40}, sizeof j) == 0);
 * pto_program_free(program);
 * @endcode
 *
 * PTX, as a straight line of code that every thread runs:
 *
 *  - `.reg` declarations with all types, `%f<4>` included; scopes `{ }`; labels; both kinds of comment. What is not
 *    declared has the type with which it is first used. Registers and instructions must agree as NVIDIA's assembler
 *    wants it: same width; untyped bits go with all, signed with unsigned, f16 and f32 and f64 with themselves.
 *  - setp, set, selp, slct and cvt in every form that libpto has: `p|q`, the sink `_`, `{!}c`, pairs `d, a, b`,
 *    `{a, b, e, f}`, packed registers, random bits, scales.
 *  - and, or, xor, not and mov on predicates and words; mov to and from `{a, b}`; integers in decimal, hexadecimal,
 *    octal and binary, `0f3F800000`, `0d3FF0000000000000`, decimal floats where PTX takes them.
 *  - add, sub, mul.lo, neg, abs, min, max, shl and shr of integers of 16 to 64 bits; add, sub, mul, fma, neg, abs, min
 *    and max of f16, f16x2, bf16, bf16x2, f32 and f64, to nearest even (`.rn`), with `.ftz` where PTX has it.
 *  - guards `@p` and `@!p` on all of these: where the guard is false the destination stays as it is, zero at first.
 *  - `bra` to a label further on, guarded or not: threads that jump wait there. `ret` and `exit` are jumps to the end.
 *  - `%%tid.x` and `%%laneid` are the number of the lane, from 0 on.
 *
 * Anything else is an error that says where and what was expected. `...` stands for code that is left out, and does
 * nothing. The bits are those of libpto's calls; what docs/semantics.md says of NaNs of add, sub, mul and fma holds
 * here.
 *
 * PTO's vector micro-instructions, as its pages and compilers write them:
 *
 * @code
 * // The page's ReLU, on 70 floats.
 * const char *text = "%all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<G>\n"
 *                    "%zero = pto.vbr %c0_f32 : f32 -> !pto.vreg<64xf32>\n"
 *                    "%neg = pto.vcmps %x, %c0_f32, %all, \"lt\"\n"
 *                    "    : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.mask<b32>\n"
 *                    "%y = pto.vsel %zero, %x, %neg\n"; // what is not said is known by now
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
 *  - Arrays: a value of type `!pto.vreg<64xf32>` is an array, register after register of 256 bytes, of which the
 *    last one may have fewer lanes; so is a mask, and what `!pto.ptr<f32, ub>` points to. An unknown name that is
 *    read is an input. What goes across lanes (ppack, pintlv, vselr by numbers, vdup, vintlv) stays in each
 *    register, where lanes that an array does not have are zero; patterns and plt begin anew in each.
 *  - Lanes: pto_program_run() counts those of the widest elements, and masks, in the text. Narrower ones have two,
 *    four or eight elements in each of them: n lanes beside f32 are 2 n of f16 and 4 n of a `!pto.mask<b8>`. Memory
 *    that UNPK or PK spreads is not. e2m1 and e1m2 count by codes of 4 bits, of which a lane of `f4E2M1x2` has two.
 *  - Scalars (f32, i32, ...) are inputs with n = 1, or `arith.constant`.
 *  - Types are checked where they are given, and known from other operands where they are not. `NxT`, `T`,
 *    `!pto.mask<G>` and `!pto.mask` leave it open. i32 is si32.
 *  - vcmp, vcmps, vsel, vselr, vselrv2, vbr, vdup, vexp (f32, where libpto has SLEEF), vcvt, vtrc, vbitcast, vadd,
 *    vsub, vmul, vadds, vmuls, vmax, vmin, vmaxs, vmins, vrelu, vabs, vneg, vand, vor, vxor, vnot, vintlv, vdintlv;
 *    pset, pge and plt of b8, b16, b32; pand, por, pxor, pnot, psel, ppack, punpack, pbitcast, pintlv, pdintlv; vlds
 *    (NORM, UNPK_B8, UNPK_B16, UNPK4_B8) and vsts (NORM, NORM_B8 to _B32, PK_B16, PK_B32, PK4_B32). `pto.mi.` is
 *    `pto.` The mask of arithmetic may be left out; lanes that are off become zero, in memory they stay as they are.
 *  - vselr of two registers of one type selects by the mask that is its third operand, or else by the one made last
 *    above it, as the page leaves it to the pattern around; so does vselrv2. With integers of the width of another
 *    type it takes lanes by numbers, which count modulo the lanes of a register. Two registers of the same integers
 *    need the mask.
 *  - vcvt to another width needs `part`; without `rnd` it rounds to nearest even (hif8: away from zero), and without
 *    `sat` it does not saturate. vmax and vmin hand NaNs on, vrelu does not, as the page's C has it.
 *  - pbitcast, ppack and punpack see the lowest bit of each lane; the others of a group are zero.
 *  - One `func.func`, `module`, `pto.vecscope` around, and one `scf.for`, which goes through the registers of all
 *    arrays: its offsets begin at 0 and go on by a register, its `iter_args` are counts for plt. If its bounds are
 *    constants, arith.constant or names such as %%c1024, a run must have that many registers; a loop whose bounds leave
 *    nothing to do takes a run of 0 lanes only. Integers wrap, as MLIR's do. Loads and stores then stand inside. set_flag, wait_flag, barriers and get_buf, rls_buf do nothing.
 *
 * Threads: a program is one thread's at a time; two programs are apart. The FP state of the caller is left as found.
 */
#ifndef PTO_PROGRAM_H
#define PTO_PROGRAM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A program with its registers. */
typedef struct pto_program pto_program;

/** What the text is written in. */
typedef enum pto_program_language {
    PTO_PROGRAM_ANY, /**< PTO where a word of the text begins with "pto.", PTX else */
    PTO_PROGRAM_PTX, /**< PTX */
    PTO_PROGRAM_PTO  /**< PTO's vector micro-instructions */
} pto_program_language;

/** What a PTO program's "ne" on floats is where an operand is a NaN. */
typedef enum pto_program_profile {
    PTO_PROFILE_PTX, /**< false, as in PTX */
    PTO_PROFILE_A5   /**< true, as the vendor's tests of its simulator and devices have it */
} pto_program_profile;

/** A line that has run over some lanes. */
typedef struct pto_program_step {
    size_t line;      /**< of the text, from 1 on */
    const char *name; /**< of the register that it wrote */
    pto_dtype type;   /**< of that register; of a predicate PTO_B8, a byte 0 or 1 for each lane */
    const void *data; /**< the register's values of these lanes, good until the callback returns */
    size_t first;     /**< the first of the lanes, or of the elements where a lane of PTO's has several */
    size_t lanes;     /**< how many */
} pto_program_step;

/** Is told of each result, line by line, block of lanes by block of lanes. */
typedef void pto_program_trace(void *user, const pto_program_step *step);

/**
 * Returns whether pto_program_run() is to end early. It is called in the thread of the run, before each block of lanes but
 * the first one, and must return soon.
 */
typedef bool pto_program_stop(void *user);

/** How to read and run a program; all zero is a good choice. */
typedef struct pto_program_options {
    pto_program_language language; /**< what the text is written in */
    pto_program_profile profile;   /**< for PTO */
    const char *const *keep;       /**< the registers to keep for pto_program_value(); NULL: all of them */
    size_t keep_count;             /**< how many these are */
    pto_program_trace *trace;      /**< called for each line, or NULL */
    pto_program_stop *stop;        /**< called between blocks of lanes, or NULL */
    void *user;                    /**< passed to trace and stop */
} pto_program_options;

/** Where a text is at fault, and what was expected there. */
typedef struct pto_program_error {
    size_t line;    /**< from 1 on */
    size_t column;  /**< in bytes, from 1 on */
    char word[48];  /**< what stands there, terminated, cut off if it is long; empty at the end of the text */
    char text[160]; /**< one line of English, terminated */
} pto_program_error;

/**
 * Parse and check a program. Returns NULL if text is NULL, at the first mistake, or without memory; then *error, unless
 * error is NULL, says where and what. The text is not needed any more afterwards.
 */
PTO_API pto_program *pto_program_new(const char *text, pto_program_options options, pto_program_error *error);

/** Free it and the values of its registers. NULL is nothing. */
PTO_API void pto_program_free(pto_program *program);

enum { PTO_PROGRAM_INSTRUCTION_SIZE = 32 /**< bytes that hold the name of any instruction */ };

/**
 * The name of instruction number i that programs in a language can have, such as "setp" or "pto.vcmp". Count i up from 0
 * until PTO_ERR_SIZE to list all.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_MODIFIER (the language is neither PTX nor PTO), PTO_ERR_SIZE
 * (there are no more than i).
 */
PTO_CALL pto_status pto_program_instruction(pto_program_language language, size_t i,
                                            char name[PTO_PROGRAM_INSTRUCTION_SIZE]);

/** A register as the program has it. */
typedef struct pto_program_register {
    const char *name; /**< good as long as the program */
    pto_dtype type;   /**< as declared, or as first used; of a predicate PTO_B8 */
    bool predicate;   /**< whether it is one */
    bool input;       /**< whether it is read before it is written, and so must be bound */
    bool result;      /**< whether it is written */
    size_t each;      /**< elements in a lane: 1, but in PTO's registers of narrower elements */
} pto_program_register;

/** How many registers have names, and number i of them in the order in which they first appear. */
PTO_API size_t pto_program_register_count(const pto_program *program);
/** Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (i is not below the count). */
PTO_CALL pto_status pto_program_register_at(const pto_program *program, size_t i, pto_program_register *out);

/**
 * The register of a name. If a name is declared more than once, in scopes, the first register of that name.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such register).
 */
PTO_CALL pto_status pto_program_register_named(const pto_program *program, const char *name,
                                               pto_program_register *out);

/**
 * Give a register its values before a run: n elements of a type at data, which must stay there until the run is over,
 * and are only read.
 *
 * The elements together are as wide as the register in all lanes, or as it is in one, which then is the same in every
 * lane: so an array of 2 n e4m3 codes can be bound to a `.b16` register of n lanes. Where a lane of PTO's has several
 * elements the latter is one of them. Predicates are bytes, of type B8 or U8, and any other than 0 is true. Of names that
 * are declared more than once, in scopes, the first is meant.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such register), PTO_ERR_TYPE (the type is wider than
 * the register or no part of it, or a predicate's not B8 or U8).
 */
PTO_CALL pto_status pto_program_bind(pto_program *program, const char *name, pto_dtype type, const void *data,
                                     size_t n);

/**
 * Run it over so many lanes. Work goes block by block through all lines, so that besides inputs and kept registers
 * memory for some thousand lanes is enough.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (a bound array has another number of lanes; too many
 * lanes; no memory), PTO_ERR_PARSE (a register is read before it is written and has nothing bound), PTO_ERR_STOPPED (the
 * callback `stop` returned true; no register has values then): pto_program_problem() names the register and the line.
 */
PTO_CALL pto_status pto_program_run(pto_program *program, size_t lanes);

/** What was wrong with the last run; its text is empty if nothing was. NULL for NULL. */
PTO_API const pto_program_error *pto_program_problem(const pto_program *program);

/**
 * A register after a run: *data points to *n elements of *type, a predicate's to bytes 0 or 1. It stays good until the
 * next run, or what was bound if the program only reads it.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such register), PTO_ERR_SIZE (there was no run, or
 * it is not among those to be kept).
 */
PTO_CALL pto_status pto_program_value(const pto_program *program, const char *name, pto_dtype *type,
                                      const void **data, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
