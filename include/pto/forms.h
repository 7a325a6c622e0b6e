/* SPDX-License-Identifier: MIT */
/**
 * @file forms.h
 * What is legal: every form of cvt, setp and set one by one, since when PTX has it, and in English what is
 * wrong with the others.
 *
 * The forms are those of PTX ISA 9.5, as NVIDIA's assembler ptxas 13.5 takes them, and of cvt the composed
 * pairs of convert.h besides.
 *
 * @code
 * // Every form of cvt to e4m3.
 * size_t to_e4m3 = 0;
 * for (size_t i = 0; i < pto_cvt_form_count(); i++) {
 *     pto_cvt_op op;
 *     if (pto_cvt_form(i, &op) != PTO_OK) return 1;
 *     to_e4m3 += op.dst == PTO_E4M3;
 * }
 * assert(to_e4m3 > 0);
 *
 * // What is wrong with one that is none, and since when PTX has one that is.
 * pto_cvt_op op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN};
 * char words[PTO_EXPLAIN_SIZE];
 * int isa;
 * if (pto_cvt_explain(op, words, sizeof words) != PTO_OK) return 1;
 * puts(words); // e4m3 <- f32 needs .satfinite; legal: .rn[.relu].satfinite[.pzo][.scaled::n1::ue8m0], ...
 * op.satfinite = true;
 * if (pto_cvt_since(op, &isa) != PTO_OK) return 1;
 * assert(isa == 78); // PTX ISA 7.8
 * @endcode
 */
#ifndef PTO_FORMS_H
#define PTO_FORMS_H

#include "compare.h"
#include "convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Form i of what pto_cvt, pto_setp, pto_set take: each once, in an order that stays, those of one pair of
 * types (of setp: of one type) side by side, the pairs in the order of pto_dtype, dst before src. Of cvt the
 * composed pairs are among them. Each operator of setp and set comes with and without ftz and with every
 * BoolOp, where the types take those; not_c is false, because !c belongs to the operands and goes with every
 * BoolOp.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (i is not below the count); then *op is as it
 * was.
 */
PTO_API size_t pto_cvt_form_count(void);
PTO_API size_t pto_setp_form_count(void);
PTO_API size_t pto_set_form_count(void);
PTO_CALL pto_status pto_cvt_form(size_t i, pto_cvt_op *op);
PTO_CALL pto_status pto_setp_form(size_t i, pto_setp_op *op);
PTO_CALL pto_status pto_set_form(size_t i, pto_set_op *op);

/**
 * pto_cvt_since: the version of the PTX ISA in which the first target had the form: 90 for 9.0. 63 stands for
 * 6.3 or earlier.
 * pto_cvt_target: the first target that has the form, such as "sm_89"; the string lives for ever. Letters are
 * PTX's: sm_100a is that chip alone, sm_100f its family.
 *
 * These are two facts: some targets learned a form later than others, e4m3 <- f32 came to sm_90 with 7.8 and
 * to sm_89 with 8.1. Of several spellings (cvt.rn.f16.f32, cvt.rn.f16x2.f32) the earliest counts. Of a
 * composed pair it is what both instructions need, the later of the two.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_MODIFIER (as pto_cvt_check).
 */
PTO_CALL pto_status pto_cvt_since(pto_cvt_op op, int *isa);
PTO_CALL pto_status pto_cvt_target(pto_cvt_op op, const char **target);

/** Bytes that hold every explanation with its terminating 0. */
enum { PTO_EXPLAIN_SIZE = 512 };

/**
 * One or two lines of English about an op, whatever is in it; no line break behind the last.
 *
 * Of a legal one: what it does, and for cvt and the packed set since when PTX has it, and since when as f16x2
 * where that came later; for a composed pair the two instructions.
 * Of any other: which type, operator or modifier is the mistake and, behind "legal: ", what would be right:
 *
 *     e4m3 <- f32 needs .satfinite; legal: .rn[.relu].satfinite[.pzo][.scaled::n1::ue8m0], ...
 *
 * There brackets hold what may be left out, and "none" is no modifier at all.
 * Returns PTO_OK (also for what is not legal), PTO_ERR_NULL (buf) or PTO_ERR_SIZE (`size` bytes do not hold
 * the text; nothing is written; PTO_EXPLAIN_SIZE always do).
 */
PTO_CALL pto_status pto_cvt_explain(pto_cvt_op op, char *buf, size_t size);
PTO_CALL pto_status pto_setp_explain(pto_setp_op op, char *buf, size_t size);
PTO_CALL pto_status pto_set_explain(pto_set_op op, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
