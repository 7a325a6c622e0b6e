/* SPDX-License-Identifier: MIT */
/**
 * @file legality.h
 * Mutates lines of PTX, and compares which of them the library takes with which ptxas, NVIDIA's assembler, takes.
 */
#ifndef PTO_TEST_LEGALITY_H
#define PTO_TEST_LEGALITY_H

#include "support/harness.h"
#include "witness/ptxas.h"

/** Sizes in bytes of a line and of one of its words or operands, and how many of these a line has at most. */
enum { LEGALITY_TEXT = 160, LEGALITY_PIECES = 12, LEGALITY_PIECE = 32, LEGALITY_BATCH = 2000 };

/** The words of an opcode, or the operands. */
struct pieces {
    char item[LEGALITY_PIECES][LEGALITY_PIECE];
    size_t count;
};

/** Splits `text` at `sign`, but not within braces. */
struct pieces pieces_split(const char *text, char sign);
void pieces_put(struct pieces *p, size_t i, const char *text);
void pieces_join(const struct pieces *p, const char *sign, char *text);

struct words {
    const char *const *at;
    size_t count;
};

#define WORDS(array)                                                                                         \
    { array, sizeof(array) / sizeof(array)[0] }

/** What mutations choose from. */
struct vocabulary {
    struct words legal; /* lines */
    struct words names, modifiers, types, operands;
};

/** Stores the opcode and the operands of a legal line after one or more changes of a word or of an operand. */
void legality_mutate(struct rng *rng, const struct vocabulary *v, char opcode[LEGALITY_TEXT],
                     char rest[LEGALITY_TEXT]);

/** Returns whether an opcode has a word after its name. */
bool legality_has_word(const char *opcode, const char *word);

struct lines {
    size_t n;
    char opcode[LEGALITY_BATCH][LEGALITY_TEXT], rest[LEGALITY_BATCH][LEGALITY_TEXT];
};

/** The two who judge lines, and what they said. */
struct judges {
    struct ptxas ptxas;
    bool (*library)(const char *opcode, const char *rest); /* returns whether the library takes a line */
    /* Returns whether it refuses on purpose what ptxas takes. */
    bool (*exception)(const char *opcode, const char *rest);
    /* Numbers of lines: all, accepted by ptxas, with different verdicts, whose syntax stops ptxas,
     * refused on purpose. */
    size_t lines, taken, differ, stopped, exceptions;
};

/** Compares the verdicts on all lines, counts them and prints the lines whose verdicts differ. */
void legality_judge(struct judges *j, const struct lines *lines);

/** Fails unless both take every legal line. */
void legality_sources(struct judges *j, struct words legal);

#endif
