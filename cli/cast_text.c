/* SPDX-License-Identifier: MIT */
/* Parses and prints the text of casts. */
#include "cast_text.h"

#include "words.h"

#include <string.h>

enum { WORD_SIZE = 32 };

static const char *const round_words[] = {"",   "rn",  "rna", "rz",  "rm",  "rp",
                                          "rs", "rni", "rzi", "rmi", "rpi", "ro"};
static const char *const overflow_words[] = {"ieee", "saturate", "saturate_finite"};

const char *cast_round_word(pto_round round) {
    return round_words[round];
}

const char *cast_overflow_word(pto_overflow overflow) {
    return overflow_words[overflow];
}

bool is_cast_text(const char *text) {
    static const char name[] = "cast";
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || strpbrk(text, " \t\n,;") != NULL) return false;
    return text[length] == '\0' || text[length] == '.';
}

/* ---- parsing ---- */

/* A text and the place up to which it is parsed. */
struct reader {
    const char *text;
    size_t at;
};

/* Copies the next word, without the dot before it, to `word`. Leaves the place unchanged. Returns the number of bytes
 * with the dot, or 0 if there is no word or if it is too long. */
static size_t next_word(const struct reader *r, char word[WORD_SIZE]) {
    const char *const at = r->text + r->at;
    const size_t length = *at == '.' ? strcspn(at + 1, ".") : 0;
    word[0] = '\0';
    if (length == 0 || length >= WORD_SIZE) return 0;
    memcpy(word, at + 1, length);
    word[length] = '\0';
    return 1 + length;
}

/* If the next word is one of `words`, passes it and returns its index. Otherwise returns `count`. */
static size_t read_word(struct reader *r, const char *const *words, size_t count) {
    char word[WORD_SIZE];
    const size_t bytes = next_word(r, word);
    for (size_t i = 0; bytes != 0 && i < count; ++i) {
        if (strcmp(word, words[i]) != 0) continue;
        r->at += bytes;
        return i;
    }
    return count;
}

/* Reads the type of elements that pto_cast() takes. */
static bool read_type(struct reader *r, pto_dtype *type) {
    char word[WORD_SIZE];
    const size_t bytes = next_word(r, word);
    if (bytes == 0 || pto_parse_dtype(word, type, NULL) != PTO_OK) return false;
    if (pto_cast_check((pto_cast_op){*type, *type, PTO_RN, PTO_OVERFLOW_IEEE}) != PTO_OK) return false;
    r->at += bytes;
    return true;
}

static bool fail(const struct reader *r, const char *problem, pto_parse_error *error) {
    error->at = r->at + (r->text[r->at] == '.');
    snprintf(error->text, sizeof error->text, "%s", problem);
    return false;
}

bool parse_cast(const char *text, pto_cast_op *op, pto_parse_error *error) {
    enum { ROUNDS = sizeof round_words / sizeof *round_words };
    enum { OVERFLOWS = sizeof overflow_words / sizeof *overflow_words };
    struct reader r = {text, strlen("cast")};
    const size_t round = read_word(&r, round_words, ROUNDS), after_round = r.at;
    size_t overflow;
    if (round == ROUNDS) return fail(&r, "expected a rounding: rn, rna, rz, rm, rp, rs or ro", error);
    overflow = read_word(&r, overflow_words, OVERFLOWS);
    *op = (pto_cast_op){PTO_F32, PTO_F32, (pto_round)round, PTO_OVERFLOW_IEEE};
    if (overflow != OVERFLOWS) op->overflow = (pto_overflow)overflow;
    if (pto_cast_check(*op) != PTO_OK) {
        r.at = after_round - strlen(round_words[round]);
        return fail(&r, "expected a rounding: rn, rna, rz, rm, rp, rs or ro", error);
    }
    if (!read_type(&r, &op->dst))
        return fail(&r,
                    overflow == OVERFLOWS ? "expected saturate, saturate_finite or the type of the result"
                                          : "expected the type of the result",
                    error);
    if (!read_type(&r, &op->src)) return fail(&r, "expected the type of the source", error);
    return text[r.at] == '\0' || fail(&r, "expected the end of the text", error);
}
