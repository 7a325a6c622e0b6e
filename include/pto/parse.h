/* SPDX-License-Identifier: MIT */
/**
 * @file parse.h
 * Parses and prints PTX instructions as text.
 *
 * Text follows the rules of NVIDIA's assembler: lower case, modifiers in any order ("setp.f32.lt" is "setp.lt.f32"),
 * each at most once, no blanks. The assembler accepts a second .sat; these parsers do not.
 *
 * Every parser reads any bytes up to the terminating 0. It returns PTO_OK exactly if the assembler accepts the text,
 * apart from that .sat, and writes its result only then. The statuses are, in this order: PTO_ERR_NULL; PTO_ERR_PARSE
 * if the text does not follow the grammar (an unknown word, a repeated or a missing one); PTO_ERR_TYPE, PTO_ERR_OP or
 * PTO_ERR_MODIFIER if it does, but the instruction does not take this type, or the type does not take this operator or
 * modifier.
 *
 * @code
 * pto_cvt_op op;
 * char text[PTO_TEXT_SIZE];
 * if (pto_parse_cvt("cvt.satfinite.rn.e4m3x2.f32", &op, NULL) != PTO_OK) return 1;
 * assert(op.dst == PTO_E4M3 && op.src == PTO_F32 && op.round == PTO_RN && op.satfinite);
 * if (pto_format_cvt(op, text, sizeof text) != PTO_OK) return 1;
 * assert(strcmp(text, "cvt.rn.satfinite.e4m3x2.f32") == 0); // the order of PTX
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
 * The position of an error in a text, and what was expected there.
 *
 * For a word that is unknown, repeated or not legal with the others, `at` is its first byte. For a missing word it is
 * the end of the text; for a missing modifier it is the first type, because PTX puts modifiers before the types. For
 * text that belongs to the operands it is the first byte of that text.
 *
 * Every parser takes a pointer to a pto_parse_error, or NULL, and writes it for every text. With PTO_OK, `at` is the
 * length of the text and `text` is empty. With PTO_ERR_NULL it is unchanged.
 */
typedef struct pto_parse_error {
    size_t at;      /**< byte offset in the text, at most its length */
    char text[120]; /**< one line of English, with a terminating 0 */
} pto_parse_error;

/** Parses a setp such as "setp.lt.and.ftz.f16x2". A negation !c belongs to the operands, so not_c is set to false. */
PTO_CALL pto_status pto_parse_setp(const char *text, pto_setp_op *op, pto_parse_error *error);

/**
 * Parses a set such as "set.lt.and.ftz.u32.f32". The first of the two types is dtype. A packed type is written once and
 * used for both: "set.lt.u8x4". Next to a packed type the assembler ignores a word "pred", and so does this parser.
 */
PTO_CALL pto_status pto_parse_set(const char *text, pto_set_op *op, pto_parse_error *error);

/**
 * Parses a cvt such as "cvt.rn.satfinite.e4m3x2.f32". The first type is dst. The scalar, x2 and x4 spellings are
 * checked separately, as in PTX: "cvt.rs.f16.f32" gives PTO_ERR_MODIFIER, "cvt.rs.f16x2.f32" is legal.
 */
PTO_CALL pto_status pto_parse_cvt(const char *text, pto_cvt_op *op, pto_parse_error *error);

/** Parses a type name of pto_dtype_name(), such as "bf16". Other text gives PTO_ERR_PARSE. */
PTO_CALL pto_status pto_parse_dtype(const char *text, pto_dtype *type, pto_parse_error *error);

/** Parses a comparison operator, such as "ltu". Other text gives PTO_ERR_PARSE. */
PTO_CALL pto_status pto_parse_cmp(const char *text, pto_cmp *cmp, pto_parse_error *error);

/** Parses a predicate pattern, such as "PAT_VL16". Other text gives PTO_ERR_PARSE. */
PTO_CALL pto_status pto_parse_pattern(const char *text, pto_pattern *pattern, pto_parse_error *error);

/**
 * Parses a SETcc mnemonic: all 30 spellings, in upper or lower case ("SETNBE", "setc").
 *
 * Returns PTO_OK, PTO_ERR_NULL or PTO_ERR_PARSE.
 */
PTO_CALL pto_status pto_parse_setcc(const char *mnemonic, pto_cc *cc, pto_parse_error *error);

/** A buffer of this many bytes is large enough for the text of any setp, set or cvt and its terminating 0. */
enum { PTO_TEXT_SIZE = 64 };

/**
 * Writes an instruction as text to buf, with its modifiers in PTX's order. The parsers accept this text.
 *
 * not_c belongs to the operands and is not written. It is illegal without a BoolOp, and so with a packed type, because
 * there is no c.
 *
 * Returns PTO_OK or, in this order: PTO_ERR_NULL, PTO_ERR_TYPE, PTO_ERR_OP, PTO_ERR_MODIFIER (not a legal instruction;
 * not_c without a BoolOp), PTO_ERR_SIZE (the text with its terminating 0 does not fit in `size` bytes; PTO_TEXT_SIZE
 * bytes are always enough).
 */
PTO_CALL pto_status pto_format_setp(pto_setp_op op, char *buf, size_t size);
PTO_CALL pto_status pto_format_set(pto_set_op op, char *buf, size_t size);

/**
 * Writes a cvt as text to buf, with its modifiers in PTX's order. If a conversion has several spellings, it uses the
 * scalar one if PTX has it, else x2, else x4.
 *
 * A composed pair has no text, because it is not a PTX instruction: it gives PTO_ERR_TYPE. pto_cvt_explain() names its
 * two instructions. Statuses as for pto_format_setp().
 */
PTO_CALL pto_status pto_format_cvt(pto_cvt_op op, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
