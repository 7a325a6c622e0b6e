/* SPDX-License-Identifier: MIT */
/* The text of casts: "cast.rn.saturate.e4m3fnuz.f32". */
#ifndef PTO_CLI_CAST_TEXT_H
#define PTO_CLI_CAST_TEXT_H

#include <pto/pto.h>

/* Returns whether the text is the opcode of a cast, legal or not: "cast", or "cast." and more words without
 * operands. */
bool is_cast_text(const char *text);

/* Parses "cast.ROUND[.OVERFLOW].DST.SRC". The overflow "ieee" is not written. Returns false after an error, which is
 * in *error. */
bool parse_cast(const char *text, pto_cast_op *op, pto_parse_error *error);

/* Returns the word of a rounding, "rn", or of an overflow, "saturate". */
const char *cast_round_word(pto_round round);
const char *cast_overflow_word(pto_overflow overflow);

#endif
