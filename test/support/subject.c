/* SPDX-License-Identifier: MIT */
/* The library's calls, and the same calls through plans. */
#include "support/subject.h"

struct subject subject_library(void) {
    const struct subject library = {
        .vcmp = pto_vcmp,
        .vcmps = pto_vcmps,
        .testp = pto_testp,
        .vsel = pto_vsel,
        .vselr = pto_vselr,
        .vselrv2 = pto_vselrv2,
        .vbr = pto_vbr,
        .vpermute = pto_vpermute,
        .vcompress = pto_vcompress,
        .vexpand = pto_vexpand,
        .vargmax = pto_vargmax,
        .vargmin = pto_vargmin,
#ifndef PTO_NO_VMATH
        .vexp = pto_vexp,
#endif
        .mask_and = pto_mask_and,
        .mask_or = pto_mask_or,
        .mask_xor = pto_mask_xor,
        .mask_not = pto_mask_not,
        .mask_mov = pto_mask_mov,
        .mask_sel = pto_mask_sel,
        .mask_count = pto_mask_count,
        .mask_first = pto_mask_first,
        .mask_any = pto_mask_any,
        .mask_all = pto_mask_all,
        .mask_none = pto_mask_none,
        .mask_bytes = pto_mask_bytes,
        .mask_copy = pto_mask_copy,
        .mask_range = pto_mask_range,
        .mask_from = pto_mask_from,
        .split = pto_split,
        .plan_vcmp = pto_plan_vcmp,
        .plan_vcmps = pto_plan_vcmps,
        .plan_testp = pto_plan_testp,
        .plan_vsel = pto_plan_vsel,
        .plan_setp = pto_plan_setp,
        .plan_set = pto_plan_set,
        .plan_slct = pto_plan_slct,
        .plan_vcmpsel = pto_plan_vcmpsel,
        .plan_vsels = pto_plan_vsels,
        .plan_vmax = pto_plan_vmax,
        .plan_vmin = pto_plan_vmin,
        .plan_vclamp = pto_plan_vclamp,
        .plan_vrelu = pto_plan_vrelu,
        .run_rows = pto_run_rows,
        .rows_check = pto_rows_check,
        .cvt = pto_cvt,
        .cvt_check = pto_cvt_check,
        .cvt_is_ptx = pto_cvt_is_ptx,
        .plan_cvt = pto_plan_cvt,
        .setp = pto_setp,
        .set = pto_set,
        .selp = pto_selp,
        .slct = pto_slct,
        .vcmpsel = pto_vcmpsel,
        .vsels = pto_vsels,
        .vmax = pto_vmax,
        .vmin = pto_vmin,
        .vclamp = pto_vclamp,
        .vrelu = pto_vrelu,
        .pset = pto_pset,
        .pge = pto_pge,
        .plt = pto_plt,
        .pnot = pto_pnot,
        .pand = pto_pand,
        .por = pto_por,
        .pxor = pto_pxor,
        .psel = pto_psel,
        .ppack = pto_ppack,
        .punpack = pto_punpack,
        .pintlv = pto_pintlv,
        .pdintlv = pto_pdintlv,
        .setcc = pto_setcc,
        .flags_cmp = pto_flags_cmp,
        .flags_test = pto_flags_test,
        .flags_ucomi = pto_flags_ucomi,
        .cmp_setcc = pto_cmp_setcc,
        .parse_setp = pto_parse_setp,
        .parse_set = pto_parse_set,
        .parse_cvt = pto_parse_cvt,
        .parse_dtype = pto_parse_dtype,
        .parse_cmp = pto_parse_cmp,
        .parse_pattern = pto_parse_pattern,
        .parse_setcc = pto_parse_setcc,
        .format_setp = pto_format_setp,
        .format_set = pto_format_set,
        .format_cvt = pto_format_cvt,
        .cvt_form_count = pto_cvt_form_count,
        .setp_form_count = pto_setp_form_count,
        .set_form_count = pto_set_form_count,
        .cvt_form = pto_cvt_form,
        .setp_form = pto_setp_form,
        .set_form = pto_set_form,
        .cvt_since = pto_cvt_since,
        .cvt_target = pto_cvt_target,
        .cvt_explain = pto_cvt_explain,
        .setp_explain = pto_setp_explain,
        .set_explain = pto_set_explain,
        .dtype_value = pto_dtype_value,
        .dtype_code = pto_dtype_code,
        .mask_get = pto_mask_get,
        .mask_set = pto_mask_set,
        .cast = pto_cast,
        .cast_check = pto_cast_check,
        .plan_cast = pto_plan_cast,
        .vcvt = pto_vcvt,
        .vcvt_part = pto_vcvt_part,
        .vtrc = pto_vtrc,
        .vcvt_check = pto_vcvt_check,
        .vcvt_form_count = pto_vcvt_form_count,
        .vcvt_form = pto_vcvt_form,
        .block_rule_name = pto_block_rule_name,
        .block_scale_type = pto_block_scale_type,
        .block_check = pto_block_check,
        .block_sizes = pto_block_sizes,
        .block_amax = pto_block_amax,
        .block_tensor = pto_block_tensor,
        .block_quantize = pto_block_quantize,
        .block_requantize = pto_block_requantize,
        .block_dequantize = pto_block_dequantize,
        .scales_bytes = pto_scales_bytes,
        .scales_swizzle = pto_scales_swizzle,
        .scales_unswizzle = pto_scales_unswizzle,
        .block_pack_bytes = pto_block_pack_bytes,
        .block_pack = pto_block_pack,
        .block_unpack = pto_block_unpack,
        .random_bits = pto_random_bits,
        .random_counter = pto_random_counter,
        .isa_use = pto_isa_use,
        .error_text = pto_strerror,
        .dtype_class = pto_dtype_class,
    };
    return library;
}

static pto_status planned_vcmp(pto_dtype t, pto_cmp op, unsigned flags, const void *src0, const void *src1,
                               pto_mask seed, pto_mask dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vcmp(&plan, t, op, flags, seed.kind, dst.kind);
    if (status == PTO_OK) pto_run(&plan, src0, src1, seed.data, dst.data, n);
    return status;
}

static pto_status planned_vcmps(pto_dtype t, pto_cmp op, unsigned flags, const void *src, const void *scalar,
                                pto_mask seed, pto_mask dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vcmps(&plan, t, op, flags, seed.kind, dst.kind);
    if (status == PTO_OK) pto_run(&plan, src, scalar, seed.data, dst.data, n);
    return status;
}

static pto_status planned_testp(pto_dtype t, pto_float_test test, unsigned flags, const void *src,
                                pto_mask seed, pto_mask dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_testp(&plan, t, test, flags, seed.kind, dst.kind);
    if (status == PTO_OK) pto_run(&plan, src, NULL, seed.data, dst.data, n);
    return status;
}

static pto_status planned_vsel(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                               size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vsel(&plan, t, m.kind);
    if (status == PTO_OK) {
        const pto_plan copy = plan; /* a plan can be copied */
        pto_run(&copy, src0, src1, m.data, dst, n);
    }
    return status;
}

static pto_status planned_vselr(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                                size_t n) {
    /* NOLINTNEXTLINE(readability-suspicious-call-argument): vselr is vsel with swapped sources */
    return planned_vsel(t, src1, src0, m, dst, n);
}

static pto_status planned_cvt(pto_cvt_op op, const void *src, void *dst, const void *extra, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_cvt(&plan, op);
    if (status == PTO_OK) pto_run(&plan, src, NULL, extra, dst, n);
    return status;
}

static pto_status planned_cast(pto_cast_op op, const void *src, void *dst, const void *random_bits,
                               size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_cast(&plan, op);
    if (status == PTO_OK) pto_run(&plan, src, NULL, random_bits, dst, n);
    return status;
}

static pto_status planned_setp(pto_setp_op op, const void *a, const void *b, pto_mask c, pto_mask p,
                               pto_mask q, size_t n) {
    const pto_operands operands = {{a, b, c.data}, {p.data, q.data}};
    pto_plan plan;
    const pto_status status = pto_plan_setp(&plan, op, c.kind, p.kind, q.kind);
    if (status == PTO_OK) pto_run_operands(&plan, &operands, n);
    return status;
}

static pto_status planned_set(pto_set_op op, const void *a, const void *b, pto_mask c, void *dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_set(&plan, op, c.kind);
    if (status == PTO_OK) pto_run(&plan, a, b, c.data, dst, n);
    return status;
}

static pto_status planned_slct(pto_dtype t, pto_dtype ctype, bool ftz, const void *a, const void *b,
                               const void *c, void *dst, size_t n) {
    const pto_operands operands = {{a, b, c}, {dst}};
    pto_plan plan;
    const pto_status status = pto_plan_slct(&plan, t, ctype, ftz);
    if (status == PTO_OK) pto_run_operands(&plan, &operands, n);
    return status;
}

static unsigned scalars_of(pto_in first, pto_in second) {
    return (first.scalar ? PTO_SCALAR_0 : 0U) | (second.scalar ? PTO_SCALAR_1 : 0U);
}

static pto_status planned_vsels(pto_dtype t, pto_in src0, pto_in src1, pto_mask m, void *dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vsels(&plan, t, scalars_of(src0, src1), m.kind);
    if (status == PTO_OK) pto_run(&plan, src0.data, src1.data, m.data, dst, n);
    return status;
}

static pto_status planned_vmax(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vmax(&plan, t, flags, scalars_of(a, b));
    if (status == PTO_OK) pto_run(&plan, a.data, b.data, NULL, dst, n);
    return status;
}

static pto_status planned_vmin(pto_dtype t, unsigned flags, pto_in a, pto_in b, void *dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vmin(&plan, t, flags, scalars_of(a, b));
    if (status == PTO_OK) pto_run(&plan, a.data, b.data, NULL, dst, n);
    return status;
}

static pto_status planned_vclamp(pto_dtype t, unsigned flags, pto_in x, pto_in lo, pto_in hi, void *dst,
                                 size_t n) {
    const pto_operands operands = {{x.data, lo.data, hi.data}, {dst}};
    pto_plan plan;
    const pto_status status =
        pto_plan_vclamp(&plan, t, flags, scalars_of(x, lo) | (hi.scalar ? PTO_SCALAR_2 : 0U));
    if (status == PTO_OK) pto_run_operands(&plan, &operands, n);
    return status;
}

static pto_status planned_vrelu(pto_dtype t, unsigned flags, const void *x, void *dst, size_t n) {
    pto_plan plan;
    const pto_status status = pto_plan_vrelu(&plan, t, flags);
    if (status == PTO_OK) pto_run(&plan, x, NULL, NULL, dst, n);
    return status;
}

static pto_status planned_vcmpsel(pto_dtype t, pto_cmp op, unsigned flags, pto_in x, pto_in y, pto_in u,
                                  pto_in v, void *dst, size_t n) {
    const pto_operands operands = {{x.data, y.data, u.data, v.data}, {dst}};
    const unsigned scalars = (x.scalar ? PTO_SCALAR_0 : 0U) | (y.scalar ? PTO_SCALAR_1 : 0U) |
                             (u.scalar ? PTO_SCALAR_2 : 0U) | (v.scalar ? PTO_SCALAR_3 : 0U);
    pto_plan plan;
    const pto_status status = pto_plan_vcmpsel(&plan, t, op, flags, scalars);
    if (status == PTO_OK) pto_run_operands(&plan, &operands, n);
    return status;
}

struct subject subject_plans(void) {
    struct subject plans = subject_library();
    plans.vcmp = planned_vcmp;
    plans.vcmps = planned_vcmps;
    plans.testp = planned_testp;
    plans.vsel = planned_vsel;
    plans.vselr = planned_vselr;
    plans.vselrv2 = planned_vselr;
    plans.cvt = planned_cvt;
    plans.cast = planned_cast;
    plans.setp = planned_setp;
    plans.set = planned_set;
    plans.selp = planned_vsel;
    plans.slct = planned_slct;
    plans.vcmpsel = planned_vcmpsel;
    plans.vsels = planned_vsels;
    plans.vmax = planned_vmax;
    plans.vmin = planned_vmin;
    plans.vclamp = planned_vclamp;
    plans.vrelu = planned_vrelu;
    return plans;
}
