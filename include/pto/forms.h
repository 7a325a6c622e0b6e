/* SPDX-License-Identifier: MIT */
/**
 * @file forms.h
 * Lists the legal forms of cvt, setp and set, with the PTX version and target that introduced each cvt, and explains in
 * English what is wrong with an illegal one.
 *
 * The forms are those of PTX ISA 9.5, as NVIDIA's assembler ptxas 13.5 accepts them, and for cvt also the composed
 * pairs of convert.h.
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
 * // What is wrong with an illegal op, and since when PTX has a legal one.
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

/** Returns the number of forms that pto_cvt(), pto_setp() or pto_set() takes, and that the following calls list. */
PTO_API size_t pto_cvt_form_count(void);
PTO_API size_t pto_setp_form_count(void);
PTO_API size_t pto_set_form_count(void);

/**
 * Stores form i in *op; i counts from 0 and must be below the count of that instruction.
 *
 * Each form is listed once, in a fixed order. The forms of one pair of types (for setp: of one type) are adjacent, and
 * pairs are in the order of pto_dtype, dst before src. The composed pairs of cvt are included. Each operator of setp
 * and set is listed with and without ftz and with every BoolOp, if the types take those. not_c is false, because !c
 * belongs to the operands and is legal with every BoolOp.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_SIZE (i is not below the count); then *op is unchanged.
 */
PTO_CALL pto_status pto_cvt_form(size_t i, pto_cvt_op *op);
PTO_CALL pto_status pto_setp_form(size_t i, pto_setp_op *op);
PTO_CALL pto_status pto_set_form(size_t i, pto_set_op *op);

/**
 * Stores in *isa the version of the PTX ISA in which the first target had the form, such as 90 for 9.0.
 *
 * 63 means 6.3 or earlier. If a conversion has several spellings (cvt.rn.f16.f32, cvt.rn.f16x2.f32), the earliest
 * counts. For a composed pair, the later of its two instructions counts.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_MODIFIER (as pto_cvt_check()).
 */
PTO_CALL pto_status pto_cvt_since(pto_cvt_op op, int *isa);

/**
 * Stores in *target the first target that has the form, such as "sm_89". The string is static.
 *
 * Suffixes are PTX's: sm_100a is that chip only, sm_100f its family. This target need not have had the form in the
 * version that pto_cvt_since() gives: e4m3 <- f32 came to sm_90 with 7.8 and to sm_89 with 8.1. Several spellings and
 * composed pairs count as for pto_cvt_since().
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_MODIFIER (as pto_cvt_check()).
 */
PTO_CALL pto_status pto_cvt_target(pto_cvt_op op, const char **target);

/** A buffer of this many bytes holds every explanation with its terminating 0. */
enum { PTO_EXPLAIN_SIZE = 512 };

/**
 * Writes one or two lines of English about an op, with any field values, to buf. The text has a terminating 0 and no
 * line break at its end.
 *
 * For a legal op it describes what the op does. For cvt and the packed forms of set it adds the first PTX version and
 * target that have the form. If PTX took the x2 spelling of a cvt (such as f16x2) later, it adds that version and
 * target, too. For a composed pair it names the two instructions. For an illegal op it names the type, operator or
 * modifier that is wrong and, after "legal: ", what would be right:
 *
 *     e4m3 <- f32 needs .satfinite; legal: .rn[.relu].satfinite[.pzo][.scaled::n1::ue8m0], ...
 *
 * Brackets enclose what may be left out, and "none" means no modifier at all.
 *
 * Returns PTO_OK (for illegal ops too), PTO_ERR_NULL (buf) or PTO_ERR_SIZE (the text does not fit in `size` bytes, and
 * nothing is written; PTO_EXPLAIN_SIZE bytes are always enough).
 */
PTO_CALL pto_status pto_cvt_explain(pto_cvt_op op, char *buf, size_t size);
PTO_CALL pto_status pto_setp_explain(pto_setp_op op, char *buf, size_t size);
PTO_CALL pto_status pto_set_explain(pto_set_op op, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
