/* SPDX-License-Identifier: MIT */
/** @file subject.h
 * The calls under test, as function pointers. Checkers are run with the library's own calls, with the same
 * operations through plans, and with wrappers that have a planted fault. */
#ifndef PTO_TEST_SUBJECT_H
#define PTO_TEST_SUBJECT_H

#include <pto/pto.h>
#include <pto/block.h>

typedef pto_status vcmp_call(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                             pto_mask seed, pto_mask dst, size_t n);
typedef pto_status testp_call(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                              pto_mask seed, pto_mask dst, size_t n);
typedef pto_status vsel_call(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                             size_t n);
typedef pto_status vpermute_call(pto_dtype t, size_t lanes, const void *src, const void *index, void *dst,
                                 size_t n);
typedef pto_status move_call(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n, size_t *count);
typedef pto_status vargmax_call(pto_dtype t, unsigned flags, const void *src, pto_mask seed, size_t *index,
                                size_t n);
typedef pto_status vbr_call(pto_dtype t, const void *scalar, void *dst, size_t n);
typedef pto_status vexp_call(pto_dtype t, const void *src, pto_mask m, void *dst, size_t n);
typedef pto_status mask_binary_call(pto_mask a, pto_mask b, pto_mask dst, size_t n);
typedef pto_status mask_unary_call(pto_mask a, pto_mask dst, size_t n);
typedef pto_status mask_sel_call(pto_mask a, pto_mask b, pto_mask sel, pto_mask dst, size_t n);
typedef pto_status mask_size_call(pto_mask m, size_t n, size_t *out);
typedef pto_status mask_bool_call(pto_mask m, size_t n, bool *out);
typedef pto_status mask_copy_call(pto_mask src, size_t src_lane, pto_mask dst, size_t dst_lane, size_t n);
typedef pto_status split_call(size_t n, size_t parts, size_t k, size_t *begin, size_t *count);
typedef pto_status plan_vcmp_call(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags, pto_mask_kind seed,
                                  pto_mask_kind dst);
typedef pto_status plan_testp_call(pto_plan *plan, pto_dtype t, pto_float_test test, unsigned flags,
                                   pto_mask_kind seed, pto_mask_kind dst);
typedef pto_status plan_vsel_call(pto_plan *plan, pto_dtype t, pto_mask_kind mask);
typedef pto_status plan_setp_call(pto_plan *plan, pto_setp_op op, pto_mask_kind c, pto_mask_kind p,
                                  pto_mask_kind q);
typedef pto_status plan_set_call(pto_plan *plan, pto_set_op op, pto_mask_kind c);
typedef pto_status plan_slct_call(pto_plan *plan, pto_dtype t, pto_dtype ctype, bool ftz);
typedef pto_status plan_vsels_call(pto_plan *plan, pto_dtype t, unsigned scalars, pto_mask_kind mask);
typedef pto_status plan_vmax_call(pto_plan *plan, pto_dtype t, unsigned flags, unsigned scalars);
typedef pto_status plan_vrelu_call(pto_plan *plan, pto_dtype t, unsigned flags);
typedef pto_status plan_vcmpsel_call(pto_plan *plan, pto_dtype t, pto_cmp op, unsigned flags,
                                     unsigned scalars);
typedef void run_rows_call(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                           size_t n, size_t rows);
typedef pto_status rows_check_call(const pto_plan *plan, const pto_operands *operands, const pto_steps *steps,
                                   size_t n, size_t rows);
typedef pto_status cvt_call(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n);
typedef pto_status plan_cvt_call(pto_plan *plan, pto_cvt_op op);
typedef pto_status plan_cast_call(pto_plan *plan, pto_cast_op op);
typedef pto_status setp_call(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p, pto_mask q,
                             size_t n);
typedef pto_status set_call(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n);
typedef pto_status slct_call(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b,
                             const void *c, void *dst, size_t n);
typedef pto_status vcmpsel_call(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                pto_in v, void *dst, size_t n);
typedef pto_status vsels_call(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n);
typedef pto_status vmax_call(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n);
typedef pto_status vclamp_call(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                               size_t n);
typedef pto_status vrelu_call(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n);
typedef pto_status preg_pattern_call(unsigned g, pto_pattern pattern, pto_preg *p);
typedef pto_status preg_plt_call(unsigned g, uint32_t *remaining, pto_preg *p);
typedef pto_status preg_not_call(pto_preg a, pto_preg governing, pto_preg *p);
typedef pto_status preg_logic_call(pto_preg a, pto_preg b, pto_preg third, pto_preg *p);
typedef pto_status preg_half_call(pto_preg a, pto_half half, pto_preg *p);
typedef pto_status preg_lanes_call(unsigned g, pto_preg a, pto_preg b, pto_preg *lo, pto_preg *hi);
typedef pto_status setcc_call(pto_cc cc, const uint32_t *eflags, uint8_t *dst, size_t n);
typedef pto_status flags_call(pto_dtype t, const void *a, const void *b, uint32_t *eflags, size_t n);
typedef pto_status cmp_setcc_call(pto_cc cc, pto_dtype t, const void *a, const void *b, uint8_t *dst,
                                  size_t n);

typedef pto_status vcvt_call(pto_vcvt_op op, const void *src, pto_mask mask, void *dst, size_t n);
typedef pto_status cast_call(pto_cast_op op, const void *src, void *dst, const void *random_bits, size_t n);
typedef pto_status vcvt_part_call(pto_vcvt_op op, pto_vpart part, const void *src, pto_mask mask, void *dst,
                                  size_t n);
typedef pto_status vtrc_call(pto_dtype t, pto_vrnd rnd, const void *src, pto_mask mask, void *dst, size_t n);

typedef pto_status block_quantize_call(pto_block_op op, const void *x, size_t stride, size_t rows,
                                       size_t cols, void *codes, size_t codes_stride, void *scales,
                                       size_t scales_stride, const uint32_t *rbits);
typedef pto_status block_requantize_call(pto_block_op op, const void *x, size_t stride, size_t rows,
                                         size_t cols, void *codes, size_t codes_stride, const void *scales,
                                         size_t scales_stride, const uint32_t *rbits);
typedef pto_status block_dequantize_call(pto_block_op op, const void *codes, size_t codes_stride,
                                         const void *scales, size_t scales_stride, size_t rows, size_t cols,
                                         void *y, size_t stride);
typedef pto_status block_amax_call(pto_dtype wide, const void *x, size_t stride, size_t rows, size_t cols,
                                   bool keep_nan, float *amax);
typedef pto_status scales_swizzle_call(pto_scale_layout layout, const void *rowwise, size_t stride,
                                       size_t rows, size_t cols, void *tiled);
typedef pto_status scales_unswizzle_call(pto_scale_layout layout, const void *tiled, size_t rows, size_t cols,
                                         void *rowwise, size_t stride);
typedef pto_status block_pack_call(pto_pack_layout layout, const void *codes, size_t codes_stride,
                                   const void *scales, size_t scales_stride, size_t rows, size_t cols,
                                   void *out);
typedef pto_status block_unpack_call(pto_pack_layout layout, const void *packed, size_t rows, size_t cols,
                                     void *codes, size_t codes_stride, void *scales, size_t scales_stride);
typedef pto_status random_bits_call(const uint32_t key[2], const uint32_t counter[4], uint32_t *out,
                                    size_t words);

struct subject {
    vcmp_call *vcmp, *vcmps;
    testp_call *testp;
    vsel_call *vsel, *vselr, *vselrv2;
    vpermute_call *vpermute;
    vbr_call *vbr;
    move_call *vcompress, *vexpand;
    vargmax_call *vargmax, *vargmin;
    vexp_call *vexp; /* NULL in a library without vexp */
    mask_binary_call *mask_and, *mask_or, *mask_xor;
    mask_unary_call *mask_not, *mask_mov;
    mask_sel_call *mask_sel;
    mask_size_call *mask_count, *mask_first;
    mask_bool_call *mask_any, *mask_all, *mask_none;
    size_t (*mask_bytes)(pto_mask_kind kind, size_t n);
    mask_copy_call *mask_copy;
    pto_status (*mask_range)(pto_mask dst, size_t from, size_t to, size_t n);
    pto_mask (*mask_from)(pto_mask mask, size_t lane);
    split_call *split;
    plan_vcmp_call *plan_vcmp, *plan_vcmps;
    plan_testp_call *plan_testp;
    plan_vsel_call *plan_vsel;
    plan_setp_call *plan_setp;
    plan_set_call *plan_set;
    plan_slct_call *plan_slct;
    plan_vcmpsel_call *plan_vcmpsel;
    plan_vsels_call *plan_vsels;
    plan_vmax_call *plan_vmax, *plan_vmin, *plan_vclamp;
    plan_vrelu_call *plan_vrelu;
    run_rows_call *run_rows;
    rows_check_call *rows_check;
    cvt_call *cvt;
    pto_status (*cvt_check)(pto_cvt_op op);
    bool (*cvt_is_ptx)(pto_cvt_op op);
    plan_cvt_call *plan_cvt;
    setp_call *setp;
    set_call *set;
    vsel_call *selp;
    slct_call *slct;
    vcmpsel_call *vcmpsel;
    vsels_call *vsels;
    vmax_call *vmax, *vmin;
    vclamp_call *vclamp;
    vrelu_call *vrelu;
    preg_pattern_call *pset, *pge;
    preg_plt_call *plt;
    preg_not_call *pnot;
    preg_logic_call *pand, *por, *pxor, *psel;
    preg_half_call *ppack, *punpack;
    preg_lanes_call *pintlv, *pdintlv;
    setcc_call *setcc;
    flags_call *flags_cmp, *flags_test, *flags_ucomi;
    cmp_setcc_call *cmp_setcc;
    pto_status (*parse_setp)(const char *text, pto_setp_op *op, pto_parse_error *error);
    pto_status (*parse_set)(const char *text, pto_set_op *op, pto_parse_error *error);
    pto_status (*parse_cvt)(const char *text, pto_cvt_op *op, pto_parse_error *error);
    pto_status (*parse_dtype)(const char *text, pto_dtype *type, pto_parse_error *error);
    pto_status (*parse_cmp)(const char *text, pto_cmp *cmp, pto_parse_error *error);
    pto_status (*parse_pattern)(const char *text, pto_pattern *pattern, pto_parse_error *error);
    pto_status (*parse_setcc)(const char *mnemonic, pto_cc *cc, pto_parse_error *error);
    pto_status (*format_setp)(pto_setp_op op, char *buf, size_t size);
    pto_status (*format_set)(pto_set_op op, char *buf, size_t size);
    pto_status (*format_cvt)(pto_cvt_op op, char *buf, size_t size);
    size_t (*cvt_form_count)(void), (*setp_form_count)(void), (*set_form_count)(void);
    pto_status (*cvt_form)(size_t i, pto_cvt_op *op);
    pto_status (*setp_form)(size_t i, pto_setp_op *op);
    pto_status (*set_form)(size_t i, pto_set_op *op);
    pto_status (*cvt_since)(pto_cvt_op op, int *isa);
    pto_status (*cvt_target)(pto_cvt_op op, const char **target);
    pto_status (*cvt_explain)(pto_cvt_op op, char *buf, size_t size);
    pto_status (*setp_explain)(pto_setp_op op, char *buf, size_t size);
    pto_status (*set_explain)(pto_set_op op, char *buf, size_t size);
    pto_status (*dtype_value)(pto_dtype type, const void *element, double *value);
    pto_status (*dtype_code)(pto_dtype type, double value, void *element);
    bool (*mask_get)(pto_mask mask, size_t i);
    void (*mask_set)(pto_mask mask, size_t i, bool on);
    cast_call *cast;
    pto_status (*cast_check)(pto_cast_op op);
    plan_cast_call *plan_cast;
    vcvt_call *vcvt;
    vcvt_part_call *vcvt_part;
    vtrc_call *vtrc;
    pto_status (*vcvt_check)(pto_vcvt_op op);
    size_t (*vcvt_form_count)(void);
    pto_status (*vcvt_form)(size_t i, pto_vcvt_op *op);
    const char *(*block_rule_name)(pto_block_rule rule);
    pto_dtype (*block_scale_type)(pto_block_rule rule);
    pto_status (*block_check)(pto_block_op op);
    pto_status (*block_sizes)(pto_block_op op, size_t rows, size_t cols, pto_block_size *size);
    block_amax_call *block_amax;
    pto_status (*block_tensor)(pto_block_rule rule, float amax, float *tensor);
    block_quantize_call *block_quantize;
    block_requantize_call *block_requantize;
    block_dequantize_call *block_dequantize;
    size_t (*scales_bytes)(pto_scale_layout layout, size_t rows, size_t cols);
    scales_swizzle_call *scales_swizzle;
    scales_unswizzle_call *scales_unswizzle;
    size_t (*block_pack_bytes)(pto_pack_layout layout, size_t rows, size_t cols);
    block_pack_call *block_pack;
    block_unpack_call *block_unpack;
    random_bits_call *random_bits; /* this and the next are NULL in a library without random bits */
    pto_status (*random_counter)(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]);
    pto_status (*isa_use)(pto_isa isa);
    const char *(*error_text)(pto_status status);
    pto_class (*dtype_class)(pto_dtype type);
};

/** Returns the library's own calls. */
struct subject subject_library(void);

/** Returns the library's calls, except that each call that has a plan is replaced by one that makes the plan and runs
 * it. */
struct subject subject_plans(void);

#endif
