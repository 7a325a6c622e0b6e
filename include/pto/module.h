/* SPDX-License-Identifier: MIT */
/**
 * @file module.h
 * Runs PTX files as compilers write them: modules with kernels, launched over arrays as on a GPU.
 *
 * This is part of pto::program, like program.h. A module is text that is parsed and checked once. A launch runs one of
 * its kernels for every thread of a grid, on memory of the caller.
 *
 * @code
 * // y[i] = max(x[i], 0), as a compiler writes it.
 * const char *text = ".version 8.0\n"
 *                    ".target sm_90\n"
 *                    ".address_size 64\n"
 *                    ".visible .entry relu(.param .u64 x, .param .u64 y, .param .u32 n) {\n"
 *                    "    .reg .pred %p1;\n"
 *                    "    .reg .f32 %f<3>;\n"
 *                    "    .reg .b32 %r<6>;\n"
 *                    "    .reg .b64 %rd<6>;\n"
 *                    "    mov.u32 %r1, %ctaid.x;\n"
 *                    "    mov.u32 %r2, %ntid.x;\n"
 *                    "    mov.u32 %r3, %tid.x;\n"
 *                    "    mul.lo.s32 %r1, %r1, %r2;\n"
 *                    "    add.s32 %r4, %r1, %r3;\n"
 *                    "    ld.param.u32 %r5, [n];\n"
 *                    "    setp.ge.s32 %p1, %r4, %r5;\n"
 *                    "    @%p1 bra done;\n"
 *                    "    ld.param.u64 %rd1, [x];\n"
 *                    "    ld.param.u64 %rd2, [y];\n"
 *                    "    cvt.s64.s32 %rd3, %r4;\n"
 *                    "    shl.b64 %rd3, %rd3, 2;\n"
 *                    "    add.s64 %rd4, %rd1, %rd3;\n"
 *                    "    add.s64 %rd5, %rd2, %rd3;\n"
 *                    "    ld.global.f32 %f1, [%rd4];\n"
 *                    "    max.f32 %f2, %f1, 0f00000000;\n"
 *                    "    st.global.f32 [%rd5], %f2;\n"
 *                    "done:\n"
 *                    "    ret;\n"
 *                    "}\n";
 * const float x[5] = {1, -2, NAN, -0.0F, 5};
 * float y[5];
 * const uint32_t n = 5;
 * const pto_argument arguments[] = {{.input = x, .bytes = sizeof x},
 *                                   {.memory = y, .bytes = sizeof y},
 *                                   {.scalar = &n, .bytes = sizeof n}};
 * pto_program_error error;
 * pto_module *module = pto_module_new(text, (pto_program_options){0}, &error);
 * if (module == NULL) return 1; // error.line, error.column, error.word, error.text
 * if (pto_module_launch(module, "relu", (pto_dim3){1, 1, 1}, (pto_dim3){32, 1, 1}, arguments, 3) != PTO_OK)
 *     return 1; // pto_module_problem(module)
 * assert(y[0] == 1 && y[1] == 0 && y[2] == 0 && y[4] == 5);
 * pto_module_free(module);
 * @endcode
 *
 * Memory: an argument for a pointer is an array of the caller. Every access is checked. An access outside its array, or
 * at an address that is not a multiple of its size, or a store to an array that was given as `input`, ends the launch
 * with an error that names the line, the thread, the array and the byte. What earlier instructions stored stays, so
 * arrays may be partly written. The address that a kernel sees is a multiple of 2^40, whatever the alignment of
 * the caller's array.
 *
 * Order: blocks run one after the other or together, and the threads of some blocks run in step: each instruction for
 * all threads that are at the same place. That is one of the orders that PTX allows. Threads that have branched apart
 * come together again at the first instruction that all of them reach. Registers that a kernel reads before it writes
 * them are 0.
 *
 * Threads of the caller: launches of one module may run at the same time in several threads, if pto_module_problem() is
 * called only when none runs. libpto starts no threads. The caller's floating-point state has no effect, and each call
 * leaves it as it was.
 */
#ifndef PTO_MODULE_H
#define PTO_MODULE_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A PTX module. pto_module_new() makes it, pto_module_free() frees it. */
typedef struct pto_module pto_module;

/** Numbers of blocks in a grid, or of threads in a block. A y or z of 0 counts as 1. */
typedef struct pto_dim3 {
    uint32_t x, y, z;
} pto_dim3;

/** A parameter of a kernel. */
typedef struct pto_parameter {
    const char *name;   /**< name, valid as long as the module */
    pto_dtype type;     /**< declared type; the type of an element for byte arrays and pointers of PTO */
    size_t bytes;       /**< size; that of an element if it is a pointer of PTO */
    bool pointer;       /**< whether the kernel uses it as an address of global memory */
    bool written;       /**< whether the kernel stores to that memory */
    size_t reserved[4]; /**< set to 0; for later properties */
} pto_parameter;

/** A kernel of a module. */
typedef struct pto_kernel {
    const char *name;                /**< name, valid as long as the module */
    const pto_parameter *parameters; /**< its parameters, in order */
    size_t parameter_count;          /**< number of parameters */
    pto_dim3 block;      /**< .reqntid: the block that it must be launched with; x is 0 if there is none */
    size_t shared_bytes; /**< shared memory that it declares, in bytes for each block */
    const pto_program_error *problem; /**< NULL, or why it is not supported: a launch fails with this error */
    size_t reserved[3];               /**< set to 0; for later properties */
} pto_kernel;

/** Instructions of one kind in a kernel, or directives and labels that are not supported. */
typedef struct pto_instruction_use {
    const char *name; /**< opcode, such as "fma.rn.f32", or first word; valid as long as the module */
    size_t count;     /**< number of instructions */
    size_t line;      /**< line of the first one */
    const pto_program_error *problem; /**< NULL, or why the first one that is not supported is not */
    size_t reserved[4];               /**< set to 0; for later properties */
} pto_instruction_use;

/**
 * An argument of a launch. One of the pointers is set, and bytes is the size of what it points to. An argument in which
 * no pointer is set is a null pointer, or 0.
 */
typedef struct pto_argument {
    const void *scalar; /**< the value of a scalar or struct parameter, as many bytes as the parameter has */
    const void *input;  /**< memory for a pointer, which is only read */
    void *memory;       /**< memory for a pointer */
    size_t bytes;       /**< size of the value or of the memory, in bytes */
} pto_argument;

/**
 * Parses and checks a PTX module, and returns it. The caller frees it with pto_module_free().
 *
 * A kernel may have instructions that are not supported, or other errors between its name and its last brace. If at
 * least one other kernel is without, the module is made, and pto_kernel.problem tells which kernels cannot be launched.
 *
 * Of the options, keep is not used. PTO_PROGRAM_ANY as the language means PTX. PTO_PROGRAM_PTO needs options.survey:
 * the module lists the kernels of a PTO text, with their arguments and operations, and cannot be launched.
 * pto_program_new() and pto_program_run() run such kernels. If a kernel of PTO has a problem, none of the text runs.
 *
 * Returns NULL if text is NULL, if an option is not legal, if the text has an error outside kernels or has no kernel,
 * if no kernel is supported (unless options.survey is set), or if memory is exhausted. Then *error, unless error is
 * NULL, has the position and the reason. The text is not needed after the call.
 */
PTO_PROGRAM_API pto_module *pto_module_new(const char *text, pto_program_options options,
                                           pto_program_error *error);

/** Frees a module. NULL is allowed and does nothing. */
PTO_PROGRAM_API void pto_module_free(pto_module *module);

/** Returns the number of kernels, with those that are not supported, 0 for NULL. */
PTO_PROGRAM_API size_t pto_module_kernel_count(const pto_module *module);

/**
 * Stores in *out kernel i, in the order of the text.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (i is not below the count).
 */
PTO_PROGRAM_CALL pto_status pto_module_kernel_at(const pto_module *module, size_t i, pto_kernel *out);

/**
 * Stores in *out kind i of the instructions of kernel `kernel`, sorted by name. Needs options.survey; other modules
 * have no such list. What is not supported is in the list with all of its kinds, and not only the first.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (kernel or i is not below the count).
 */
PTO_PROGRAM_CALL pto_status pto_module_use_at(const pto_module *module, size_t kernel, size_t i,
                                              pto_instruction_use *out);

/**
 * Runs a kernel for all blocks of a grid.
 *
 * kernel may be NULL if the module has one kernel. There may be fewer arguments than parameters: those that are left
 * out are null pointers, or 0. Arrays may overlap each other.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_PARSE (no such kernel, one that is not supported, or PTO),
 * PTO_ERR_TYPE (an argument does not fit its parameter), PTO_ERR_SIZE (an empty grid or block, a block of more than
 * 1024 threads or of another size than the kernel requires, not enough memory, or an access that is not allowed),
 * PTO_ERR_STOPPED (the callback options.stop ended the launch, the kernel executed `trap`, or its threads executed
 * options.max_steps instructions). Then pto_module_problem() tells more.
 */
PTO_PROGRAM_CALL pto_status pto_module_launch(pto_module *module, const char *kernel, pto_dim3 grid,
                                              pto_dim3 block, const pto_argument *arguments, size_t n);

/**
 * Runs a kernel for `count` blocks of a grid, from block `first` on. Blocks are numbered in the order x, y, z. So
 * several threads of the caller can share a launch. Otherwise it is the same as pto_module_launch(), and PTO_ERR_SIZE
 * includes blocks that the grid does not have.
 */
PTO_PROGRAM_CALL pto_status pto_module_launch_blocks(pto_module *module, const char *kernel, pto_dim3 grid,
                                                     pto_dim3 block, const pto_argument *arguments, size_t n,
                                                     size_t first, size_t count);

/**
 * Sets the size of the shared memory that later launches add to what a kernel declares, in bytes for each block: the
 * size of `.extern .shared` arrays. It is 0 at first.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (more than 1 MiB).
 */
PTO_PROGRAM_CALL pto_status pto_module_share(pto_module *module, size_t bytes);

/**
 * Returns where and why the last launch failed, valid until the next one. Line and text are empty if none has failed
 * since pto_module_launch() was called last: pto_module_launch_blocks() erases no failure, because other parts of the
 * same launch may run. Returns NULL for NULL.
 */
PTO_PROGRAM_API const pto_program_error *pto_module_problem(const pto_module *module);

#ifdef __cplusplus
}
#endif

#endif
