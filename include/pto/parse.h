/* SPDX-License-Identifier: MIT */
/**
 * @file parse.h
 * PTX spellings in and out. Text is taken as NVIDIA's assembler takes it: lower case, modifiers in any order
 * ("setp.f32.lt" is "setp.lt.f32"), each at most once, no blanks.
 *
 * Every parser takes any bytes up to the terminating 0, returns PTO_OK exactly for what the assembler allows,
 * and writes its result only then. Statuses: PTO_ERR_NULL; PTO_ERR_PARSE (not the grammar: unknown words, a
 * word twice, a missing one); PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER (the grammar, but the instruction
 * does not have this type, the type not this operator or modifier).
 *
 * @code
 * pto_cvt_op op;
 * char text[PTO_TEXT_SIZE];
 * if (pto_parse_cvt("cvt.satfinite.rn.e4m3x2.f32", &op, NULL) != PTO_OK) return 1;
 * assert(op.dst == PTO_E4M3 && op.src == PTO_F32 && op.round == PTO_RN && op.satfinite);
 * if (pto_format_cvt(op, text, sizeof text) != PTO_OK) return 1;
 * assert(strcmp(text, "cvt.rn.satfinite.e4m3x2.f32") == 0); // PTX's own order
 * assert(pto_parse_cvt("cvt.rn.e4m3x2.f32", &op, NULL) == PTO_ERR_MODIFIER); // .satfinite is required
 * @endcode
 */
#ifndef PTO_PARSE_H
#define PTO_PARSE_H

#include "compare.h"
#include "convert.h"
#include "preg.h"
#include "setcc.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Where the text is at fault, and what was expected there: of a word that is none, comes twice or is not legal
 * beside the others, its first byte; of something missing, the end of the text, or of a modifier the first
 * type, before which PTX has it; of what belongs to operands, the first byte of that.
 *
 * Every parser takes a pointer to one, or NULL. It is written for each text: with PTO_OK `at` is the length
 * and `text` empty. With PTO_ERR_NULL it stays as it is.
 */
typedef struct pto_parse_error {
    size_t at;      /**< bytes from the beginning of the text, its length at most */
    char text[120]; /**< one line of English, terminated */
} pto_parse_error;

/** "setp.lt.and.ftz.f16x2". The negated operand !c belongs to the operands: not_c stays false. */
PTO_CALL pto_status pto_parse_setp(const char *text, pto_setp_op *op, pto_parse_error *error);

/**
 * "set.lt.and.ftz.u32.f32": of the two types the first is dtype. A packed type stands alone and is both:
 * "set.lt.u8x4"; beside it the assembler takes a word "pred" that means nothing, and so does this parser.
 */
PTO_CALL pto_status pto_parse_set(const char *text, pto_set_op *op, pto_parse_error *error);

/**
 * "cvt.rn.satfinite.e4m3x2.f32": the first type is dst. Each spelling is judged as PTX judges it, x2 and x4
 * forms apart: "cvt.rs.f16.f32" is PTO_ERR_MODIFIER, "cvt.rs.f16x2.f32" is not.
 */
PTO_CALL pto_status pto_parse_cvt(const char *text, pto_cvt_op *op, pto_parse_error *error);

/** A type as pto_dtype_name spells it: "bf16". PTO_ERR_PARSE if there is none. */
PTO_CALL pto_status pto_parse_dtype(const char *text, pto_dtype *type, pto_parse_error *error);

/** An operator: "ltu". PTO_ERR_PARSE if there is none. */
PTO_CALL pto_status pto_parse_cmp(const char *text, pto_cmp *cmp, pto_parse_error *error);

/** A predicate pattern: "PAT_VL16". PTO_ERR_PARSE if there is none. */
PTO_CALL pto_status pto_parse_pattern(const char *text, pto_pattern *pattern, pto_parse_error *error);

/**
 * The condition of a SETcc mnemonic: all 30 spellings, in any case ("SETNBE", "setc").
 * Returns PTO_OK, PTO_ERR_NULL or PTO_ERR_PARSE.
 */
PTO_CALL pto_status pto_parse_setcc(const char *mnemonic, pto_cc *cc, pto_parse_error *error);

/** Bytes that hold the text of every setp, set and cvt with its terminating 0. */
enum { PTO_TEXT_SIZE = 64 };

/**
 * The instruction as text, with its modifiers in PTX's own order, as the parsers take it back.
 * not_c belongs to the operands and is not written, but without a BoolOp, and so with a packed type, there is no c.
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER (no legal
 * instruction; not_c without a BoolOp), PTO_ERR_SIZE (`size` bytes do not hold the text with its terminating 0;
 * PTO_TEXT_SIZE always do).
 */
PTO_CALL pto_status pto_format_setp(pto_setp_op op, char *buf, size_t size);
PTO_CALL pto_status pto_format_set(pto_set_op op, char *buf, size_t size);

/**
 * The same; of the spellings of one conversion the scalar one where PTX has it, else x2, else x4. A composed
 * pair has no text, as PTX has no instruction for it: PTO_ERR_TYPE. pto_cvt_explain names the two.
 */
PTO_CALL pto_status pto_format_cvt(pto_cvt_op op, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
