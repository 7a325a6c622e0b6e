/* SPDX-License-Identifier: MIT */
#include "witness/legality.h"

#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = LEGALITY_TEXT, PIECES = LEGALITY_PIECES, PIECE = LEGALITY_PIECE };

/* ---- lines ---- */

struct pieces pieces_split(const char *text, char sign) {
    struct pieces p = {{{0}}, 1};
    size_t used = 0, depth = 0;
    for (; *text; text++) {
        depth += *text == '{';
        depth -= *text == '}';
        if (*text == sign && depth == 0 && p.count < PIECES) {
            p.count++;
            used = 0;
            while (text[1] == ' ') text++;
        } else if (used + 1 < PIECE) {
            p.item[p.count - 1][used++] = *text;
        }
    }
    return p;
}

void pieces_join(const struct pieces *p, const char *sign, char *text) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < p->count; i++)
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s", i ? sign : "", p->item[i]);
}

void pieces_put(struct pieces *p, size_t i, const char *text) {
    snprintf(p->item[i], PIECE, "%s", text);
}

static void insert(struct pieces *p, size_t i, const char *text) {
    if (p->count == PIECES) return;
    memmove(p->item[i + 1], p->item[i], (p->count - i) * PIECE);
    p->count++;
    pieces_put(p, i, text);
}

static void delete (struct pieces *p, size_t i) {
    if (p->count < 2) return;
    memmove(p->item[i], p->item[i + 1], (p->count - i - 1) * PIECE);
    p->count--;
}

static void swap(struct pieces *p, size_t i, size_t k) {
    char kept[PIECE];
    memcpy(kept, p->item[i], PIECE);
    memcpy(p->item[i], p->item[k], PIECE);
    memcpy(p->item[k], kept, PIECE);
}

bool legality_has_word(const char *opcode, const char *word) {
    const size_t length = strlen(word);
    for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.'))
        if (strncmp(dot + 1, word, length) == 0 && (dot[1 + length] == 0 || dot[1 + length] == '.'))
            return true;
    return false;
}

/* ---- mutations ---- */

static const char *any(struct rng *rng, struct words w) {
    return w.at[rng_below(rng, (uint32_t)w.count)];
}

static bool is_one_of(struct words w, const char *word) {
    for (size_t i = 0; i < w.count; i++)
        if (strcmp(w.at[i], word) == 0) return true;
    return false;
}

static void change_words(struct rng *rng, const struct vocabulary *v, struct pieces *words) {
    const size_t i = rng_below(rng, (uint32_t)words->count);
    switch (rng_below(rng, 8)) {
    case 0: pieces_put(words, 0, any(rng, v->names)); break;
    case 1: insert(words, i + 1, any(rng, v->modifiers)); break;
    case 2:
        if (i != 0) delete (words, i);
        break;
    case 3:
        if (i != 0) swap(words, i, words->count - 1);
        break;
    default:
        if (is_one_of(v->types, words->item[i]))
            pieces_put(words, i, any(rng, v->types));
        else if (i != 0)
            pieces_put(words, i, any(rng, v->modifiers));
        break;
    }
}

static void change_operands(struct rng *rng, const struct vocabulary *v, struct pieces *p) {
    const size_t i = rng_below(rng, (uint32_t)p->count);
    switch (rng_below(rng, 12)) {
    case 0: delete (p, i); break;
    case 1: insert(p, i, any(rng, v->operands)); break;
    case 2: swap(p, i, rng_below(rng, (uint32_t)p->count)); break;
    default: pieces_put(p, i, any(rng, v->operands)); break;
    }
}

/* Registers of the width that the last type of the opcode has, so that lines stay legal after its type changes. */
static void fit_operands(const struct pieces *words, struct pieces *p) {
    const char *word = words->item[words->count - 1], *digits = word + strcspn(word, "0123456789");
    const long bits = strstr(word, "x") ? 32 : strtol(digits, NULL, 10);
    for (size_t i = 0; i < p->count; i++) {
        char *operand = p->item[i];
        if (strlen(operand) == 2 && strchr("bhwd", operand[0])) operand[0] = register_for((size_t)bits);
    }
}

void legality_mutate(struct rng *rng, const struct vocabulary *v, char opcode[TEXT], char rest[TEXT]) {
    const char *line = any(rng, v->legal);
    const size_t end = strcspn(line, " ");
    char text[TEXT];
    struct pieces words, operands;
    snprintf(text, sizeof text, "%.*s", (int)end, line);
    words = pieces_split(text, '.');
    operands = pieces_split(line + end + (line[end] != 0), ',');
    do {
        if (rng_below(rng, 2) == 0) {
            change_words(rng, v, &words);
            if (rng_below(rng, 2) == 0) fit_operands(&words, &operands);
        } else {
            change_operands(rng, v, &operands);
        }
    } while (rng_below(rng, 3) == 0);
    pieces_join(&words, ".", opcode);
    pieces_join(&operands, ", ", rest);
}

/* ---- verdicts ---- */

/* Sets taken[i] to whether ptxas takes line i. A line whose syntax stops ptxas is refused, and the others are judged
 * without it. */
static void ask(struct judges *j, const struct lines *lines, bool *taken) {
    static bool bad[LEGALITY_BATCH];
    struct listing l;
    memset(bad, 0, sizeof bad);
    do {
        listing_open(&l, &j->ptxas);
        for (size_t i = 0; i < lines->n; i++)
            listing_add(&l, bad[i] ? "mov.b32" : lines->opcode[i], bad[i] ? "w0, w1" : lines->rest[i]);
        listing_judge(&l);
        for (size_t i = 0; i < lines->n; i++) taken[i] = l.verdict[i] == 0 && !bad[i];
        if (l.stopped != 0) {
            if (l.stopped > lines->n || bad[l.stopped - 1])
                fail_msg("ptxas stops at line %zu, %s %s", l.stopped, lines->opcode[l.stopped - 1],
                         lines->rest[l.stopped - 1]);
            bad[l.stopped - 1] = true;
            j->stopped++;
        }
        listing_close(&l);
    } while (l.stopped != 0);
}

void legality_judge(struct judges *j, const struct lines *lines) {
    static bool taken[LEGALITY_BATCH];
    ask(j, lines, taken);
    for (size_t i = 0; i < lines->n; i++) {
        j->lines++;
        j->taken += taken[i];
        if (taken[i] == j->library(lines->opcode[i], lines->rest[i])) continue;
        if (taken[i] && j->exception(lines->opcode[i], lines->rest[i])) {
            j->exceptions++;
            continue;
        }
        j->differ++;
        printf("%s %s;  ptxas %s it\n", lines->opcode[i], lines->rest[i], taken[i] ? "takes" : "refuses");
    }
}

void legality_sources(struct judges *j, struct words legal) {
    struct listing l;
    listing_open(&l, &j->ptxas);
    for (size_t i = 0; i < legal.count; i++) {
        listing_add(&l, legal.at[i], "");
        if (!j->library(legal.at[i], "")) fail_msg("the library refuses %s", legal.at[i]);
    }
    if (!listing_judge(&l)) fail_msg("ptxas refuses one of the legal lines");
    listing_close(&l);
}
