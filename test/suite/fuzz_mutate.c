/* SPDX-License-Identifier: MIT */
/* The mutator and the crossover of the fuzz targets whose inputs are texts in PTX or PTO. libFuzzer's own mutations
 * seldom leave such a text valid. These copy, remove, exchange and replace whole statements, words, parts of words and
 * numbers. New words are the names of all instructions and the words of other texts of the corpus.
 * libFuzzer's corpus fills with texts that are not valid, so the mutator also starts from valid texts that have run. */
#include "suite/fuzz_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned number);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t room, unsigned number);

/* ---- pieces of a text ---- */

struct text {
    uint8_t *data;
    size_t size, room;
};

struct piece {
    size_t at, length;
};

/* A statement ends after a semicolon or at the end of its line. "setp.lt.f32" and "!pto.vreg<64xf32>" are words;
 * ".lt", ".vreg" and "64xf32" are parts of them. */
enum piece_kind { STATEMENT, WORD, PART, NUMBER };

static bool is_one_of(const char *characters, uint8_t c) {
    return c != 0 && strchr(characters, c) != NULL;
}

static bool is_separator(uint8_t c) {
    return is_one_of(" \t\r\n,;:=()[]{}", c);
}

static bool is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

/* Returns whether a piece ends between two bytes. */
static bool ends_between(enum piece_kind kind, uint8_t left, uint8_t right) {
    switch (kind) {
    case STATEMENT: return left == ';' || left == '\n';
    case WORD: return is_separator(left) || is_separator(right);
    case PART:
        return is_separator(left) || is_one_of("<>|", left) || is_separator(right) ||
               is_one_of(".<>|", right);
    default: return is_digit(left) != is_digit(right);
    }
}

/* Returns the piece that has the byte `at`. */
static struct piece piece_at(const struct text *t, enum piece_kind kind, size_t at) {
    size_t first = at, end = at + 1;
    while (first != 0 && !ends_between(kind, t->data[first - 1], t->data[first])) first--;
    while (end != t->size && !ends_between(kind, t->data[end - 1], t->data[end])) end++;
    return (struct piece){first, end - first};
}

static struct piece random_piece(const struct text *t, enum piece_kind kind, uint64_t *seed) {
    return piece_at(t, kind, fuzz_random(seed) % t->size);
}

static uint8_t *copy_piece(const struct text *t, struct piece p) {
    uint8_t *copy = malloc(p.length + 1);
    fuzz_require(copy != NULL);
    memcpy(copy, t->data + p.at, p.length);
    return copy;
}

/* Replaces a piece by `length` bytes, which must not be in the text. Returns false, and leaves the text as it is, if
 * the result would be too long. */
static bool replace(struct text *t, struct piece old, const uint8_t *by, size_t length) {
    const size_t end = old.at + old.length;
    if (t->size - old.length + length > t->room) return false;
    memmove(t->data + old.at + length, t->data + end, t->size - end);
    memcpy(t->data + old.at, by, length);
    t->size += length - old.length;
    return true;
}

/* Replaces a piece by a copy of another. */
static bool replace_by_piece(struct text *t, struct piece old, struct piece by) {
    uint8_t *copy = copy_piece(t, by);
    const bool fits = replace(t, old, copy, by.length);
    free(copy);
    return fits;
}

/* Exchanges two pieces, unless they overlap. */
static bool exchange(struct text *t, struct piece a, struct piece b) {
    const struct piece first = a.at < b.at ? a : b, second = a.at < b.at ? b : a;
    uint8_t *copy;
    bool fits;
    if (first.at + first.length > second.at) return false;
    copy = copy_piece(t, second);
    fits = replace_by_piece(t, second, first) && replace(t, first, copy, second.length);
    free(copy);
    return fits;
}

/* ---- the vocabulary ---- */

enum { WORDS = 4096, WORD_BYTES = 40 };

/* Words and parts of words of the texts that the mutator has been given, at the places of their hashes. A length of 0
 * marks a place as free. */
static struct word {
    size_t length;
    uint8_t bytes[WORD_BYTES];
} words[WORDS];

static void learn_word(const uint8_t *bytes, size_t length) {
    size_t hash = length;
    if (length > WORD_BYTES || is_separator(bytes[0])) return;
    for (size_t i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 16777619U;
    hash = (hash ^ hash >> 16) % WORDS;
    words[hash].length = length;
    memcpy(words[hash].bytes, bytes, length);
}

static void learn_text(const struct text *t) {
    for (int kind = WORD; kind <= PART; kind++) {
        struct piece p;
        for (size_t at = 0; at < t->size; at += p.length) {
            p = piece_at(t, kind, at);
            learn_word(t->data + at, p.length);
        }
    }
}

/* Learns the names of all instructions, many of which no text of the corpus has. */
static void learn_instructions(void) {
    static const pto_program_language languages[] = {PTO_PROGRAM_PTX, PTO_PROGRAM_PTO};
    char name[PTO_PROGRAM_INSTRUCTION_SIZE];
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; pto_program_instruction(languages[i], k, name) == PTO_OK; k++)
            learn_word((const uint8_t *)name, strlen(name));
}

/* Returns a character that is the same for words that can often stand in the same place: numbers, instructions of PTO,
 * other words that begin with a letter, registers, modifiers, types of PTO, strings. */
static uint8_t class_of(const uint8_t *word, size_t length) {
    if (length > 4 && memcmp(word, "pto.", 4) == 0) return 'p';
    if (is_digit(word[0]) || word[0] == '-') return '0';
    return is_one_of("%.!@\"<>#|", word[0]) ? word[0] : 'a';
}

/* Returns a random word of the vocabulary of the same class as a piece, or NULL if none was found. */
static const struct word *random_word(const struct text *t, struct piece p, uint64_t *seed) {
    const uint8_t class = class_of(t->data + p.at, p.length);
    for (int tries = 0; tries < 200 && !is_separator(t->data[p.at]); tries++) {
        const struct word *w = &words[fuzz_random(seed) % WORDS];
        if (w->length != 0 && class_of(w->bytes, w->length) == class) return w;
    }
    return NULL;
}

/* ---- mutations: each returns whether it has changed the text ---- */

static bool insert_statement(struct text *t, uint64_t *seed) {
    const struct piece from = random_piece(t, STATEMENT, seed), to = random_piece(t, STATEMENT, seed);
    return replace_by_piece(t, (struct piece){to.at, 0}, from);
}

static bool remove_statement(struct text *t, uint64_t *seed) {
    return replace(t, random_piece(t, STATEMENT, seed), t->data, 0);
}

static bool replace_statement(struct text *t, uint64_t *seed) {
    const struct piece from = random_piece(t, STATEMENT, seed), to = random_piece(t, STATEMENT, seed);
    return replace_by_piece(t, to, from);
}

static bool exchange_statements(struct text *t, uint64_t *seed) {
    const struct piece a = random_piece(t, STATEMENT, seed), b = random_piece(t, STATEMENT, seed);
    return exchange(t, a, b);
}

/* Exchanges two words of the same class, which often are two operands. */
static bool exchange_words(struct text *t, uint64_t *seed) {
    const struct piece a = random_piece(t, WORD, seed);
    const uint8_t class = class_of(t->data + a.at, a.length);
    for (int tries = 0; tries < 20 && !is_separator(t->data[a.at]); tries++) {
        const struct piece b = random_piece(t, WORD, seed);
        if (!is_separator(t->data[b.at]) && class_of(t->data + b.at, b.length) == class)
            return exchange(t, a, b);
    }
    return false;
}

static bool replace_by_word(struct text *t, enum piece_kind kind, uint64_t *seed) {
    const struct piece p = random_piece(t, kind, seed);
    const struct word *w = random_word(t, p, seed);
    return w && replace(t, p, w->bytes, w->length);
}

static bool replace_word(struct text *t, uint64_t *seed) {
    return replace_by_word(t, WORD, seed);
}

static bool replace_part(struct text *t, uint64_t *seed) {
    return replace_by_word(t, PART, seed);
}

/* Replaces a part of a word by the same word wherever it occurs, because a statement of PTO repeats the types of its
 * operands. */
static bool replace_part_everywhere(struct text *t, uint64_t *seed) {
    const struct piece old = random_piece(t, PART, seed);
    const struct word *w = random_word(t, old, seed);
    uint8_t *copy = copy_piece(t, old);
    bool changed = false;
    struct piece p;
    for (size_t at = 0; w && at < t->size; at += p.length) {
        p = piece_at(t, PART, at);
        if (p.length != old.length || memcmp(t->data + at, copy, p.length) != 0) continue;
        if (!replace(t, p, w->bytes, w->length)) break;
        p.length = w->length;
        changed = true;
    }
    free(copy);
    return changed;
}

enum { NUMBER_BYTES = 32 };

/* Writes a special number: a power of 2 or one of its neighbours, with or without a sign, or a float. */
static void special_number(char text[NUMBER_BYTES], uint64_t *seed) {
    static const char *const others[] = {"18446744073709551616", "1e39",       "1.5",
                                         "0f7FC00000",           "0f00000001", "0dFFF0000000000000"};
    const uint64_t integer = ((uint64_t)1 << fuzz_random(seed) % 64) + fuzz_random(seed) % 3 - 1;
    const size_t kind = fuzz_random(seed) % 20;
    if (kind < sizeof others / sizeof others[0])
        (void)snprintf(text, NUMBER_BYTES, "%s", others[kind]);
    else
        (void)snprintf(text, NUMBER_BYTES, "%s%" PRIu64, kind == 19 ? "-" : "", integer);
}

/* Replaces the digits of a number or of a name by a special number. */
static bool replace_number(struct text *t, uint64_t *seed) {
    char by[NUMBER_BYTES];
    size_t at = fuzz_random(seed) % t->size;
    for (size_t i = 0; i < t->size && !is_digit(t->data[at]); i++) at = (at + 1) % t->size;
    special_number(by, seed);
    return is_digit(t->data[at]) && replace(t, piece_at(t, NUMBER, at), (const uint8_t *)by, strlen(by));
}

/* Changes a text once, by one of the mutations above or one of libFuzzer. */
static void mutate(struct text *t, uint64_t *seed) {
    static bool (*const mutations[])(struct text *, uint64_t *) = {
        insert_statement, remove_statement, replace_statement,       exchange_statements, exchange_words,
        replace_word,     replace_part,     replace_part_everywhere, replace_number};
    enum { MUTATIONS = sizeof mutations / sizeof mutations[0], OF_LIBFUZZER = 3 };
    const size_t chosen = fuzz_random(seed) % (MUTATIONS + OF_LIBFUZZER);
    if (t->size == 0 || chosen >= MUTATIONS || !mutations[chosen](t, seed))
        t->size = LLVMFuzzerMutate(t->data, t->size, t->room);
}

/* ---- valid texts ---- */

enum { VALID_TEXTS = 256 };

/* Valid texts that have run. A size of 0 marks a place as free. */
static struct valid_text {
    size_t size;
    uint8_t *data;
} valid_texts[VALID_TEXTS];

void fuzz_keep_valid_text(const char *text) {
    static uint64_t seed;
    struct valid_text *v = &valid_texts[fuzz_random(&seed) % VALID_TEXTS];
    const size_t size = strlen(text);
    if (size == 0) return;
    free(v->data);
    v->data = malloc(size);
    fuzz_require(v->data != NULL);
    memcpy(v->data, text, size);
    v->size = size;
}

/* Replaces the text by a valid one, if it finds one that fits. */
static void take_valid_text(struct text *t, uint64_t *seed) {
    const struct valid_text *v = &valid_texts[fuzz_random(seed) % VALID_TEXTS];
    if (v->size != 0) (void)replace(t, (struct piece){0, t->size}, v->data, v->size);
}

/* Half of the results come from a valid text. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned number) {
    static bool is_learned; /* whether the vocabulary has the names of all instructions */
    struct text t = {.size = size, .room = room};
    uint64_t seed = number;
    t.data = data;
    if (!is_learned) learn_instructions();
    is_learned = true;
    learn_text(&t);
    if (fuzz_random(&seed) % 2) take_valid_text(&t, &seed);
    mutate(&t, &seed);
    return t.size;
}

/* Inserts one to eight statements of the second text into the first. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size, const uint8_t *second,
                                 size_t second_size, uint8_t *out, size_t room, unsigned number) {
    uint8_t *other = malloc(second_size + 1);
    struct text t = {out, first_size, room}, from = {other, second_size, second_size};
    uint64_t seed = number;
    struct piece taken;
    fuzz_require(other != NULL);
    if (first_size == 0 || second_size == 0 || first_size > room) {
        free(other);
        return 0;
    }
    memcpy(out, first, first_size);
    memcpy(other, second, second_size);
    taken = random_piece(&from, STATEMENT, &seed);
    for (uint64_t more = fuzz_random(&seed) % 8; more != 0 && taken.at + taken.length < second_size; more--)
        taken.length += piece_at(&from, STATEMENT, taken.at + taken.length).length;
    taken =
        replace(&t, (struct piece){random_piece(&t, STATEMENT, &seed).at, 0}, other + taken.at, taken.length)
            ? taken
            : (struct piece){0};
    free(other);
    return taken.length ? t.size : 0;
}
