/* SPDX-License-Identifier: MIT */
/* PTX's spellings, and writing text of limited length. */
#include "ptx/words.h"

#include <stdarg.h>
#include <stdio.h>

const char *const pto_cmp_words[CMP_COUNT] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                              "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

const char *const pto_cmp_relations[CMP_COUNT] = {
    [PTO_EQ] = "a == b",
    [PTO_NE] = "a != b",
    [PTO_LT] = "a < b",
    [PTO_LE] = "a <= b",
    [PTO_GT] = "a > b",
    [PTO_GE] = "a >= b",
    [PTO_LO] = "a < b",
    [PTO_LS] = "a <= b",
    [PTO_HI] = "a > b",
    [PTO_HS] = "a >= b",
    [PTO_EQU] = "a == b",
    [PTO_NEU] = "a != b",
    [PTO_LTU] = "a < b",
    [PTO_LEU] = "a <= b",
    [PTO_GTU] = "a > b",
    [PTO_GEU] = "a >= b",
    [PTO_NUM] = "neither is a NaN",
    [PTO_NAN] = "either is a NaN",
};

const char *const pto_boolop_words[BOOLOP_COUNT] = {"", "and", "or", "xor"};

const char *const pto_round_words[CVT_ROUNDS] = {"",   "rn",  "rna", "rz",  "rm", "rp",
                                                 "rs", "rni", "rzi", "rmi", "rpi"};

#define WORD(name, member, word, effect) word,
const char *const pto_flag_words[CVT_MODIFIER_COUNT] = {CVT_MODIFIERS(WORD)};

void pto_sink_add(struct sink *s, const char *format, ...) {
    const size_t room = s->size - s->length;
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(s->text + s->length, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room) {
        s->text[s->length] = 0;
        s->cut = true;
        return;
    }
    s->length += (size_t)length;
}

pto_status pto_copy_text(const char *text, char *buf, size_t size) {
    size_t bytes = strlen(text) + 1;
    if (bytes > size) return PTO_ERR_SIZE;
    memcpy(buf, text, bytes);
    return PTO_OK;
}
