/* SPDX-License-Identifier: MIT */
/* The table of operations of kernel programs. */
#include "pto_kernel.h"

#include "arithmetic.h"
#include "pto_kernel_operations.h"

#include <string.h>

#define BIT(type) ((uint64_t)1 << (type))

enum types {
    FLOATS = BIT(PTO_F16) | BIT(PTO_BF16) | BIT(PTO_F32),
    SIGNED = BIT(PTO_S8) | BIT(PTO_S16) | BIT(PTO_S32) | BIT(PTO_S64),
    UNSIGNED = BIT(PTO_U8) | BIT(PTO_U16) | BIT(PTO_U32) | BIT(PTO_U64),
    INTEGERS = SIGNED | UNSIGNED,
    NUMBERS = INTEGERS | FLOATS,
    WORDS = BIT(PTO_S32) | BIT(PTO_U32),
    EXPONENTIALS = BIT(PTO_F16) | BIT(PTO_F32),
    ALL = 0
};

/* A name that ends in this suffix is followed by the width of a lane in the text, such as 32 in pset_b32. */
static const char width_suffix[] = "_b";

static const struct kernel_operation rows[] = {
    /* pointers and copies */
    {"castptr", KERNEL_MICRO, "*", "*", ALL, pto_kernel_castptr, NULL, 0},
    {"addptr", KERNEL_MICRO, "pi", "p", ALL, NULL, pto_kernel_addptr, 0},
    {"load_scalar", KERNEL_MICRO, "pi", "e", ALL, pto_kernel_prepare_load_scalar, pto_kernel_load_scalar, 0},
    {"store_scalar", KERNEL_MICRO, "epi", "", ALL, pto_kernel_prepare_store_scalar, pto_kernel_store_scalar,
     0},
    {"ld_dev", KERNEL_MICRO, "pi", "e", ALL, pto_kernel_prepare_load_scalar, pto_kernel_load_scalar, 0},
    {"st_dev", KERNEL_MICRO, "epi", "", ALL, pto_kernel_prepare_store_scalar, pto_kernel_store_scalar, 0},
    {"mte_gm_ub", KERNEL_MICRO, "gb?ii", "", ALL, pto_kernel_prepare_copy, pto_kernel_copy, 0},
    {"mte_ub_gm", KERNEL_MICRO, "bgi", "", ALL, pto_kernel_prepare_copy, pto_kernel_copy, 0},
    {"mte_ub_ub", KERNEL_MICRO, "bbi", "", ALL, pto_kernel_prepare_copy, pto_kernel_copy_inside, 0},
    {"copy_gm_to_ubuf", KERNEL_MICRO, "gbiiiiiiiii", "", ALL, pto_kernel_prepare_loop_copy,
     pto_kernel_loop_copy, 0},
    {"copy_ubuf_to_gm", KERNEL_MICRO, "bgiiiiii", "", ALL, pto_kernel_prepare_loop_copy, pto_kernel_loop_copy,
     1},
    {"set_loop_size_outtoub", KERNEL_MICRO, "ii", "", ALL, NULL, pto_kernel_set_loop_size, 0},
    {"set_loop_size_ubtoout", KERNEL_MICRO, "ii", "", ALL, NULL, pto_kernel_set_loop_size, 1},
    {"set_loop1_stride_outtoub", KERNEL_MICRO, "ii", "", ALL, NULL, pto_kernel_set_loop_stride, 0},
    {"set_loop1_stride_ubtoout", KERNEL_MICRO, "ii", "", ALL, NULL, pto_kernel_set_loop_stride, 1},
    {"set_loop2_stride_outtoub", KERNEL_MICRO, "ii", "", ALL, NULL, pto_kernel_set_loop_stride, 2},
    {"set_loop2_stride_ubtoout", KERNEL_MICRO, "ii", "", ALL, NULL, pto_kernel_set_loop_stride, 3},
    /* order and queries */
    {"set_flag", KERNEL_MICRO, "*", "", ALL, pto_kernel_prepare_flag, pto_kernel_set_flag, 0},
    {"wait_flag", KERNEL_MICRO, "*", "", ALL, pto_kernel_prepare_flag, pto_kernel_wait_flag, 0},
    {"set_flag_dyn", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"wait_flag_dyn", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"barrier", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"pipe_barrier", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"mem_bar", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"get_buf", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"rls_buf", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"get_buf_dyn", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"rls_buf_dyn", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"dsb", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"dcci", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"set_atomic_none", KERNEL_MICRO, "*", "", ALL, pto_kernel_accept, pto_kernel_nothing, 0},
    {"get_block_idx", KERNEL_MICRO, "", "i", ALL, NULL, pto_kernel_query, 0},
    {"get_block_num", KERNEL_MICRO, "", "i", ALL, NULL, pto_kernel_query, 1},
    {"get_subblock_idx", KERNEL_MICRO, "", "i", ALL, NULL, pto_kernel_query, 2},
    {"get_subblock_num", KERNEL_MICRO, "", "i", ALL, NULL, pto_kernel_query, 3},
    /* loads and stores */
    {"vlds", KERNEL_MICRO, "bi", "v?p", ALL, pto_kernel_prepare_vlds, pto_kernel_vlds, 0},
    {"vsts", KERNEL_MICRO, "vbiK", "?p", ALL, pto_kernel_prepare_vsts, pto_kernel_vsts, 0},
    {"vldsx2", KERNEL_MICRO, "bi", "vv?p", ALL, pto_kernel_prepare_vldsx2, pto_kernel_vldsx2, 0},
    {"vstsx2", KERNEL_MICRO, "vvbiK", "?p", ALL, pto_kernel_prepare_vstsx2, pto_kernel_vstsx2, 0},
    {"vsldb", KERNEL_MICRO, "biiM", "v?p", ALL, NULL, pto_kernel_vsldb, 0},
    {"vsstb", KERNEL_MICRO, "vbiiM", "?p", ALL, NULL, pto_kernel_vsstb, 0},
    {"vgather2", KERNEL_MICRO, "buM", "v", ALL, pto_kernel_prepare_gather, pto_kernel_gather, 0},
    {"vgather2_bc", KERNEL_MICRO, "buM", "v", ALL, pto_kernel_prepare_gather, pto_kernel_gather, 0},
    {"vgatherb", KERNEL_MICRO, "buK", "v", ALL, NULL, pto_kernel_gather_blocks, 0},
    {"vscatter", KERNEL_MICRO, "vbuK", "", ALL, pto_kernel_prepare_scatter, pto_kernel_scatter, 0},
    {"vldas", KERNEL_MICRO, "b", "a", ALL, NULL, pto_kernel_nothing, 0},
    {"init_align", KERNEL_MICRO, "", "a", ALL, NULL, pto_kernel_nothing, 0},
    {"vldus", KERNEL_MICRO, "ba?i", "va?p", ALL, NULL, pto_kernel_vldus, 0},
    {"vstus", KERNEL_MICRO, "aivb", "a?p", ALL, NULL, pto_kernel_vstus, 0},
    {"vstas", KERNEL_MICRO, "ab?i", "?p", ALL, NULL, pto_kernel_vstas, 0},
    {"vstar", KERNEL_MICRO, "ab", "", ALL, NULL, pto_kernel_vstas, 0},
    {"vstur", KERNEL_MICRO, "avb", "a", ALL, pto_kernel_prepare_vstur, pto_kernel_vstur, 0},
    {"sprclr", KERNEL_MICRO, "", "", ALL, pto_kernel_prepare_ar, pto_kernel_sprclr, 0},
    {"sprsti", KERNEL_MICRO, "bi", "?p", ALL, pto_kernel_prepare_ar, pto_kernel_sprst, 4},
    {"sprsts", KERNEL_MICRO, "bi", "?p", ALL, pto_kernel_prepare_ar, pto_kernel_sprst, 1},
    {"plds", KERNEL_MICRO, "bi", "k?p", ALL, pto_kernel_prepare_plds, pto_kernel_plds, 0},
    {"pldi", KERNEL_MICRO, "bi", "k?p", ALL, pto_kernel_prepare_plds, pto_kernel_plds, 1},
    {"psts", KERNEL_MICRO, "kbi", "?p", ALL, pto_kernel_prepare_psts, pto_kernel_psts, 0},
    {"psti", KERNEL_MICRO, "kbi", "?p", ALL, pto_kernel_prepare_psts, pto_kernel_psts, 1},
    {"pstu", KERNEL_MICRO, "akb", "a?p", ALL, NULL, pto_kernel_pstu, 0},
    /* masks */
    {"pset_b", KERNEL_MICRO, "", "x", ALL, pto_kernel_prepare_pattern, pto_kernel_pset, 0},
    {"pge_b", KERNEL_MICRO, "", "x", ALL, pto_kernel_prepare_pattern, pto_kernel_pset, 0},
    {"plt_b", KERNEL_MICRO, "i", "x?i", ALL, NULL, pto_kernel_plt, 0},
    {"pltm_b", KERNEL_MICRO, "ii", "x", ALL, NULL, pto_kernel_pltm, 0},
    {"pand", KERNEL_MICRO, "kkK", "k", ALL, NULL, pto_kernel_plogic, 0},
    {"por", KERNEL_MICRO, "kkK", "k", ALL, NULL, pto_kernel_plogic, 1},
    {"pxor", KERNEL_MICRO, "kkK", "k", ALL, NULL, pto_kernel_plogic, 2},
    {"pnot", KERNEL_MICRO, "kK", "k", ALL, NULL, pto_kernel_plogic, 3},
    {"psel", KERNEL_MICRO, "kkk", "k", ALL, NULL, pto_kernel_psel, 0},
    {"pbitcast", KERNEL_MICRO, "k", "k", ALL, NULL, pto_kernel_pbitcast, 0},
    {"ppack", KERNEL_MICRO, "k", "k", ALL, pto_kernel_prepare_half, pto_kernel_ppack, 0},
    {"punpack", KERNEL_MICRO, "k", "k", ALL, pto_kernel_prepare_half, pto_kernel_ppack, 1},
    {"pintlv_b", KERNEL_MICRO, "xx", "xx", ALL, NULL, pto_kernel_pintlv, 0},
    {"pdintlv_b", KERNEL_MICRO, "xx", "xx", ALL, NULL, pto_kernel_pintlv, 1},
    /* operations that set all lanes to a scalar, or move lanes */
    {"vbr", KERNEL_MICRO, "s", "v", ALL, NULL, pto_kernel_vbr, 0},
    {"vdup", KERNEL_MICRO, "dM", "v", ALL, pto_kernel_prepare_vdup, pto_kernel_vdup, 0},
    {"vci", KERNEL_BOTH, "s", "v", NUMBERS, pto_kernel_prepare_vci, pto_kernel_vci, 0},
    {"vintlv", KERNEL_BOTH, "vvM", "vv", ALL, NULL, pto_kernel_vintlv, 0},
    {"vdintlv", KERNEL_BOTH, "vvM", "vv", ALL, NULL, pto_kernel_vintlv, 1},
    {"vsqz", KERNEL_MICRO, "vm", "v", ALL, NULL, pto_kernel_vsqz, 0},
    {"vusqz", KERNEL_MICRO, "vm", "v", INTEGERS, NULL, pto_kernel_vusqz, 0},
    {"vpack", KERNEL_MICRO, "v", "u", INTEGERS, pto_kernel_prepare_vpack, pto_kernel_vpack, 0},
    {"vzunpack", KERNEL_MICRO, "vi", "u", INTEGERS, pto_kernel_prepare_unpack, pto_kernel_unpack, 0},
    {"vsunpack", KERNEL_MICRO, "vi", "u", INTEGERS, pto_kernel_prepare_unpack, pto_kernel_unpack, 1},
    {"vbitcast", KERNEL_MICRO, "v", "u", ALL, pto_kernel_prepare_bitcast, pto_kernel_bitcast, 0},
    /* lane by lane */
    {"vabs", KERNEL_BOTH, "vM", "v", NUMBERS, NULL, pto_kernel_vsign, 0},
    {"vneg", KERNEL_BOTH, "vM", "v", NUMBERS, NULL, pto_kernel_vsign, 1},
    {"vand", KERNEL_MICRO, "vvM", "v", ALL, NULL, pto_kernel_vlogic, 0},
    {"vor", KERNEL_MICRO, "vvM", "v", ALL, NULL, pto_kernel_vlogic, 1},
    {"vxor", KERNEL_MICRO, "vvM", "v", ALL, NULL, pto_kernel_vlogic, 2},
    {"vnot", KERNEL_MICRO, "vM", "v", ALL, NULL, pto_kernel_vlogic, 3},
    {"vadd", KERNEL_BOTH, "vvM", "v", NUMBERS, NULL, pto_kernel_arithmetic, ARITHMETIC_ADD},
    {"vsub", KERNEL_BOTH, "vvM", "v", NUMBERS, NULL, pto_kernel_arithmetic, ARITHMETIC_SUB},
    {"vmul", KERNEL_BOTH, "vvM", "v", NUMBERS, NULL, pto_kernel_arithmetic, ARITHMETIC_MUL},
    {"vadds", KERNEL_BOTH, "vsM", "v", NUMBERS, NULL, pto_kernel_arithmetic, ARITHMETIC_ADD},
    {"vmuls", KERNEL_BOTH, "vsM", "v", NUMBERS, NULL, pto_kernel_arithmetic, ARITHMETIC_MUL},
    {"vdiv", KERNEL_BOTH, "vvM", "v", NUMBERS, NULL, pto_kernel_vdiv, 0},
    {"vsqrt", KERNEL_BOTH, "vM", "v", FLOATS, NULL, pto_kernel_vfunction, 0},
    {"vln", KERNEL_BOTH, "vM", "v", EXPONENTIALS, NULL, pto_kernel_vfunction, 1},
    {"vexp", KERNEL_BOTH, "vM", "v", EXPONENTIALS, pto_kernel_prepare_exp, pto_kernel_vexp, 2},
    {"vexpdif", KERNEL_BOTH, "vvM", "u", EXPONENTIALS, pto_kernel_prepare_expdif, pto_kernel_vexpdif, 0},
    {"vmax", KERNEL_BOTH, "vvM", "v", NUMBERS, NULL, pto_kernel_vextremum, 0},
    {"vmin", KERNEL_BOTH, "vvM", "v", NUMBERS, NULL, pto_kernel_vextremum, 1},
    {"vmaxs", KERNEL_BOTH, "vsM", "v", NUMBERS, NULL, pto_kernel_vextremum, 0},
    {"vmins", KERNEL_BOTH, "vsM", "v", NUMBERS, NULL, pto_kernel_vextremum, 1},
    {"vrelu", KERNEL_BOTH, "vM", "v", NUMBERS, NULL, pto_kernel_vrelu, 0},
    {"vlrelu", KERNEL_BOTH, "vsM", "v", FLOATS, NULL, pto_kernel_vlrelu, 0},
    {"vprelu", KERNEL_BOTH, "vvM", "v", FLOATS, NULL, pto_kernel_vlrelu, 0},
    {"vmula", KERNEL_BOTH, "vvvM", "v", NUMBERS, NULL, pto_kernel_vmula, 0},
    {"vmadd", KERNEL_MICRO, "vvvM", "v", NUMBERS, NULL, pto_kernel_vmadd, 0},
    {"vaxpy", KERNEL_BOTH, "vvsM", "v", NUMBERS, NULL, pto_kernel_vaxpy, 0},
    {"vmull", KERNEL_BOTH, "vvM", "vv", WORDS, NULL, pto_kernel_vmull, 0},
    {"vshl", KERNEL_BOTH, "vnM", "v", INTEGERS, pto_kernel_prepare_shift, pto_kernel_vshift, 0},
    {"vshr", KERNEL_BOTH, "vnM", "v", INTEGERS, pto_kernel_prepare_shift, pto_kernel_vshift, 1},
    {"vshls", KERNEL_BOTH, "viM", "v", INTEGERS, pto_kernel_prepare_shift, pto_kernel_vshift, 0},
    {"vshrs", KERNEL_BOTH, "viM", "v", INTEGERS, pto_kernel_prepare_shift, pto_kernel_vshift, 1},
    {"vaddc", KERNEL_BOTH, "vvM", "vm", WORDS, NULL, pto_kernel_vcarry, 0},
    {"vaddcs", KERNEL_BOTH, "vvmM", "vm", WORDS, pto_kernel_prepare_carry_in, pto_kernel_vcarry, 0},
    {"vsubc", KERNEL_BOTH, "vvM", "vm", WORDS, NULL, pto_kernel_vcarry, 1},
    {"vsubcs", KERNEL_BOTH, "vvmM", "vm", WORDS, pto_kernel_prepare_carry_in, pto_kernel_vcarry, 1},
    {"vcvt", KERNEL_BOTH, "vM", "u", ALL, pto_kernel_prepare_vcvt, pto_kernel_vcvt, 0},
    {"vmulscvt", KERNEL_MICRO, "vsM", "u", FLOATS, pto_kernel_prepare_vcvt, pto_kernel_vmulscvt, 0},
    {"vtrc", KERNEL_MICRO, "vM", "v", FLOATS, pto_kernel_prepare_vtrc, pto_kernel_vtrc, 0},
    {"vcmp", KERNEL_BOTH, "vvM", "m", NUMBERS, pto_kernel_prepare_compare, pto_kernel_vcmp, 0},
    {"vcmps", KERNEL_BOTH, "vsM", "m", NUMBERS, pto_kernel_prepare_compare, pto_kernel_vcmp, 0},
    {"vsel", KERNEL_MICRO, "vvm", "v", ALL, NULL, pto_kernel_vsel, 0},
    {"vsel", KERNEL_VMI, "mvv", "v", ALL, NULL, pto_kernel_vsel, 1},
    {"vselr", KERNEL_BOTH, "vuM", "v", ALL, pto_kernel_prepare_selr, pto_kernel_vselr, 0},
    {"vselrv2", KERNEL_MICRO, "vuM", "v", ALL, pto_kernel_prepare_selr, pto_kernel_vselr, 0},
    /* reductions */
    {"vcadd", KERNEL_MICRO, "vM", "u", NUMBERS, pto_kernel_prepare_vcadd, pto_kernel_sum, 1},
    {"vcgadd", KERNEL_MICRO, "vM", "u", NUMBERS, pto_kernel_prepare_vcadd, pto_kernel_sum, 8},
    {"vcpadd", KERNEL_MICRO, "vM", "v", NUMBERS, NULL, pto_kernel_vcpadd, 0},
    {"vcmax", KERNEL_MICRO, "vM", "v", NUMBERS, pto_kernel_prepare_extremum, pto_kernel_reduce_extremum, 0},
    {"vcmin", KERNEL_MICRO, "vM", "v", NUMBERS, pto_kernel_prepare_extremum, pto_kernel_reduce_extremum, 1},
    {"vcgmax", KERNEL_MICRO, "vM", "v", NUMBERS, pto_kernel_prepare_extremum, pto_kernel_reduce_extremum, 2},
    {"vcgmin", KERNEL_MICRO, "vM", "v", NUMBERS, pto_kernel_prepare_extremum, pto_kernel_reduce_extremum, 3},
    {"vcbmax", KERNEL_MICRO, "vM", "vm", NUMBERS, pto_kernel_prepare_extremum, pto_kernel_reduce_and_mark, 4},
    {"vcbmin", KERNEL_MICRO, "vM", "vm", NUMBERS, pto_kernel_prepare_extremum, pto_kernel_reduce_and_mark, 5},
    /* VMI only */
    {"vload", KERNEL_VMI, "bi?i", "v?v", ALL, pto_kernel_prepare_vload, pto_kernel_vload, 0},
    {"load", KERNEL_VMI, "bi?i", "v?v", ALL, pto_kernel_prepare_vload, pto_kernel_vload, 0},
    {"vstore", KERNEL_VMI, "vbi?iM", "", ALL, pto_kernel_prepare_vstore, pto_kernel_vstore, 0},
    {"store", KERNEL_VMI, "vbi?iM", "", ALL, pto_kernel_prepare_vstore, pto_kernel_vstore, 0},
    {"vsstb", KERNEL_VMI, "vbiiM", "", ALL, pto_kernel_prepare_vstore, pto_kernel_vstore, 0},
    {"vgather", KERNEL_VMI, "buM", "v", ALL, pto_kernel_prepare_gather, pto_kernel_gather, 0},
    {"vgatherb", KERNEL_VMI, "buM", "v", ALL, NULL, pto_kernel_gather_blocks, 0},
    {"vscatter", KERNEL_VMI, "vbuM", "", ALL, pto_kernel_prepare_scatter, pto_kernel_scatter, 0},
    {"create_mask", KERNEL_VMI, "i", "k", ALL, pto_kernel_prepare_vmi_mask, pto_kernel_create_mask, 0},
    {"create_group_mask", KERNEL_VMI, "i", "k", ALL, pto_kernel_prepare_vmi_mask,
     pto_kernel_create_group_mask, 1},
    {"pset", KERNEL_VMI, "", "k", ALL, pto_kernel_prepare_pattern, pto_kernel_vmi_pset, 0},
    {"constant_mask", KERNEL_VMI, "", "k", ALL, pto_kernel_prepare_constant_mask, pto_kernel_constant_mask,
     0},
    {"vbrc", KERNEL_VMI, "*", "v", ALL, pto_kernel_prepare_vbrc, pto_kernel_vbrc, 0},
    {"group_broadcast", KERNEL_VMI, "*", "v", ALL, pto_kernel_prepare_vbrc, pto_kernel_vbrc, 1},
    {"vinterpret_cast", KERNEL_VMI, "v", "u", ALL, pto_kernel_prepare_bitcast, pto_kernel_bitcast, 0},
    {"extsi", KERNEL_VMI, "vM", "u", SIGNED, pto_kernel_prepare_extend, pto_kernel_vcvt, 0},
    {"extui", KERNEL_VMI, "vM", "u", UNSIGNED, pto_kernel_prepare_extend, pto_kernel_vcvt, 1},
    {"trunci", KERNEL_VMI, "vM", "u", INTEGERS, pto_kernel_prepare_extend, pto_kernel_vcvt, 2},
    {"vcadd", KERNEL_VMI, "vM", "u", NUMBERS, pto_kernel_prepare_vmi_reduce, pto_kernel_sum, 0},
    {"vcmax", KERNEL_VMI, "vM", "u", NUMBERS, pto_kernel_prepare_vmi_reduce, pto_kernel_reduce_extremum, 0},
    {"vcmin", KERNEL_VMI, "vM", "u", NUMBERS, pto_kernel_prepare_vmi_reduce, pto_kernel_reduce_extremum, 1},
    {"group_reduce_addi", KERNEL_VMI, "vM", "u", INTEGERS, pto_kernel_prepare_vmi_reduce, pto_kernel_sum, 0},
    {"vand", KERNEL_VMI, "*", "*", ALL, pto_kernel_prepare_vmi_logic, pto_kernel_vlogic, 0},
    {"vor", KERNEL_VMI, "*", "*", ALL, pto_kernel_prepare_vmi_logic, pto_kernel_vlogic, 1},
    {"vxor", KERNEL_VMI, "*", "*", ALL, pto_kernel_prepare_vmi_logic, pto_kernel_vlogic, 2},
    {"vnot", KERNEL_VMI, "*", "*", ALL, pto_kernel_prepare_vmi_logic, pto_kernel_vlogic, 3},
    {"vdhist", KERNEL_VMI, "uvM", "u", ALL, pto_kernel_prepare_histogram, pto_kernel_histogram, 0},
    {"vchist", KERNEL_VMI, "uvM", "u", ALL, pto_kernel_prepare_histogram, pto_kernel_histogram, 1},
};

/* Returns whether texts replace the end of this name by the width of a lane: 8, 16 or 32. */
static bool has_width(const char *name) {
    const size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, width_suffix) == 0;
}

/* Returns the width that the text spells: 8, 16 or 32; 0 for any other text. */
static unsigned width_of(const char *at, size_t length) {
    if (length == 1 && at[0] == '8') return 8;
    if (length == 2 && memcmp(at, "16", 2) == 0) return 16;
    return length == 2 && memcmp(at, "32", 2) == 0 ? 32 : 0;
}

const struct kernel_operation *pto_kernel_row(struct kernel_call *c) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = strlen(rows[i].name);
        if ((rows[i].where & (c->is_vmi ? KERNEL_VMI : KERNEL_MICRO)) == 0) continue;
        if (c->name_length < length || memcmp(c->name, rows[i].name, length) != 0) continue;
        if (!has_width(rows[i].name)) {
            if (c->name_length == length) return &rows[i];
            continue;
        }
        c->granularity = width_of(c->name + length, c->name_length - length);
        if (c->granularity != 0) return &rows[i];
    }
    return NULL;
}

bool pto_kernel_operation_name(size_t i, const char **name, bool *is_vmi, bool *width) {
    const size_t count = sizeof rows / sizeof rows[0];
    if (i >= 2 * count) return false;
    *is_vmi = i >= count;
    *name = rows[i % count].name;
    *width = has_width(*name);
    if ((rows[i % count].where & (*is_vmi ? KERNEL_VMI : KERNEL_MICRO)) == 0) *name = "";
    return true;
}
