/* SPDX-License-Identifier: MIT */
/* The functions that the table of operations names: those that check an operation and those that run it. */
#ifndef PTO_PROGRAM_PTO_KERNEL_OPERATIONS_H
#define PTO_PROGRAM_PTO_KERNEL_OPERATIONS_H

#include "pto_kernel.h"

kernel_prepare pto_kernel_accept, pto_kernel_castptr, pto_kernel_prepare_ar, pto_kernel_prepare_bitcast,
    pto_kernel_prepare_carry_in, pto_kernel_prepare_compare, pto_kernel_prepare_constant_mask,
    pto_kernel_prepare_copy, pto_kernel_prepare_exp, pto_kernel_prepare_expdif, pto_kernel_prepare_extend,
    pto_kernel_prepare_extremum, pto_kernel_prepare_flag, pto_kernel_prepare_gather, pto_kernel_prepare_half,
    pto_kernel_prepare_histogram, pto_kernel_prepare_load_scalar, pto_kernel_prepare_loop_copy,
    pto_kernel_prepare_pattern, pto_kernel_prepare_plds, pto_kernel_prepare_psts, pto_kernel_prepare_scatter,
    pto_kernel_prepare_selr, pto_kernel_prepare_shift, pto_kernel_prepare_store_scalar,
    pto_kernel_prepare_unpack, pto_kernel_prepare_vbrc, pto_kernel_prepare_vcadd, pto_kernel_prepare_vci,
    pto_kernel_prepare_vcvt, pto_kernel_prepare_vdup, pto_kernel_prepare_vlds, pto_kernel_prepare_vldsx2,
    pto_kernel_prepare_vload, pto_kernel_prepare_vmi_logic, pto_kernel_prepare_vmi_mask,
    pto_kernel_prepare_vmi_reduce, pto_kernel_prepare_vpack, pto_kernel_prepare_vstore,
    pto_kernel_prepare_vsts, pto_kernel_prepare_vstsx2, pto_kernel_prepare_vstur, pto_kernel_prepare_vtrc;

kernel_run pto_kernel_addptr, pto_kernel_arithmetic, pto_kernel_bitcast, pto_kernel_constant_mask,
    pto_kernel_copy, pto_kernel_copy_inside, pto_kernel_create_group_mask, pto_kernel_create_mask,
    pto_kernel_gather, pto_kernel_gather_blocks, pto_kernel_histogram, pto_kernel_load_scalar,
    pto_kernel_loop_copy, pto_kernel_nothing, pto_kernel_pbitcast, pto_kernel_pintlv, pto_kernel_plds,
    pto_kernel_plogic, pto_kernel_plt, pto_kernel_pltm, pto_kernel_ppack, pto_kernel_psel, pto_kernel_pset,
    pto_kernel_psts, pto_kernel_pstu, pto_kernel_query, pto_kernel_reduce_and_mark,
    pto_kernel_reduce_extremum, pto_kernel_scatter, pto_kernel_set_flag, pto_kernel_set_loop_size,
    pto_kernel_set_loop_stride, pto_kernel_sprclr, pto_kernel_sprst, pto_kernel_store_scalar, pto_kernel_sum,
    pto_kernel_unpack, pto_kernel_vaxpy, pto_kernel_vbr, pto_kernel_vbrc, pto_kernel_vcarry, pto_kernel_vci,
    pto_kernel_vcmp, pto_kernel_vcpadd, pto_kernel_vcvt, pto_kernel_vdiv, pto_kernel_vdup, pto_kernel_vexp,
    pto_kernel_vexpdif, pto_kernel_vextremum, pto_kernel_vfunction, pto_kernel_vintlv, pto_kernel_vlds,
    pto_kernel_vldsx2, pto_kernel_vldus, pto_kernel_vload, pto_kernel_vlogic, pto_kernel_vlrelu,
    pto_kernel_vmadd, pto_kernel_vmi_logic, pto_kernel_vmi_pset, pto_kernel_vmula, pto_kernel_vmull,
    pto_kernel_vmulscvt, pto_kernel_vpack, pto_kernel_vrelu, pto_kernel_vsel, pto_kernel_vselr,
    pto_kernel_vselr_pair, pto_kernel_vshift, pto_kernel_vsign, pto_kernel_vsldb, pto_kernel_vsqz,
    pto_kernel_vsstb, pto_kernel_vstas, pto_kernel_vstore, pto_kernel_vsts, pto_kernel_vstsx2,
    pto_kernel_vstur, pto_kernel_vstus, pto_kernel_vtrc, pto_kernel_vusqz, pto_kernel_wait_flag;

/* Returns the pointer at which an operation accesses memory: `pointer` advanced by `offset` units of `bytes`
 * bytes. If `next` is not NULL (the post-update form), returns `pointer` itself and sets `next` to the
 * advanced pointer. A NULL offset counts as 0. */
struct kernel_pointer pto_kernel_post(const struct kernel_machine *m, const struct kernel_value *pointer,
                                      const struct kernel_value *next, const struct kernel_value *offset,
                                      int64_t bytes);
/* Returns the flags with which pto_vmax() and pto_vmin() propagate NaNs of this type. */
unsigned pto_kernel_nan_flags(pto_dtype type);
/* Restricts pto_program_value() to the registers that options.keep names. */
void pto_kernel_keep(pto_program *program);
/* Runs the chosen kernel, whose arguments and memory pto_kernel_run() has prepared. */
pto_status pto_kernel_run_machine(pto_program *program, size_t blocks);

#endif
