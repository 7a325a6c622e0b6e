/* SPDX-License-Identifier: MIT */
/* PTX's spellings of operators, roundings and modifiers, and helpers for writing text. */
#ifndef PTO_PTX_WORDS_H
#define PTO_PTX_WORDS_H

#include "core/common.h"
#include "core/formats.h"
#include "core/lowering.h"
#include "pto/compare.h"
#include "pto/convert.h"

enum { BOOLOP_COUNT = PTO_XOR + 1 };

/* Texts indexed by enumerators. An operator has its spelling ("lt") and its relation ("a < b"). BoolOps and roundings
 * have only a spelling, which is "" for none. */
extern const char *const pto_cmp_words[CMP_COUNT];
extern const char *const pto_cmp_relations[CMP_COUNT];
extern const char *const pto_boolop_words[BOOLOP_COUNT];
extern const char *const pto_round_words[CVT_ROUNDS];

/* Spellings of cvt's modifiers, such as "ftz", by enum cvt_modifier_bit. */
extern const char *const pto_flag_words[CVT_MODIFIER_COUNT];

/* How many elements a type stands for in PTX's spelling of cvt: one, two (x2) or four (x4). */
enum cvt_lanes { CVT_X1 = 1, CVT_X2 = 2, CVT_X4 = 4 };

static inline const char *cvt_lanes_suffix(u8 lanes) {
    return lanes == CVT_X2 ? "x2" : lanes == CVT_X4 ? "x4" : "";
}

/* A buffer of `size` bytes to which text is appended. A piece that does not fit is left out as a whole, and `cut` is
 * set. */
struct sink {
    char *text;
    size_t size, length;
    bool cut;
};

static inline struct sink sink_into(char *text, size_t size) {
    const struct sink s = {text, size, 0, false};
    text[0] = 0;
    return s;
}

#if defined(__GNUC__)
__attribute__((format(__printf__, 2, 3)))
#endif
void pto_sink_add(struct sink *s, const char *format, ...);

/* Copies `text` to the caller's buffer of `size` bytes. Returns PTO_ERR_SIZE if it does not fit. */
pto_status pto_copy_text(const char *text, char *buf, size_t size);

#endif
