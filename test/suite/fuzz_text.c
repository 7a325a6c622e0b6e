/* SPDX-License-Identifier: MIT */
#include "suite/fuzz_text.h"

#include <sanitizer/asan_interface.h>

#include <stdlib.h>
#include <string.h>

uint64_t fuzz_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 32;
}

char *fuzz_text(const uint8_t *data, size_t size, uint64_t *seed) {
    char *text = malloc(size + 1);
    fuzz_require(text != NULL);
    if (size != 0) memcpy(text, data, size);
    text[size] = 0;
    *seed = size;
    for (size_t i = 0; i < size; i++) *seed = (*seed ^ data[i]) * 1099511628211U;
    return text;
}

/* ---- memory ---- */

enum { PREFIX = 16 }; /* malloc() returns multiples of this */

/* The bytes start after a prefix of 1 to 16 bytes, so that fuzz_free_bytes() finds the address to free, and that
 * AddressSanitizer reports accesses to an array of 0 bytes, for which malloc(0) would have 1 byte. */
void *fuzz_new_bytes(size_t size, uint64_t *seed) {
    const size_t prefix = fuzz_random(seed) % 2 ? PREFIX : 1 + fuzz_random(seed) % PREFIX;
    unsigned char *block = malloc(prefix + size);
    fuzz_require(block != NULL);
    for (size_t i = 0; i < size; i++) block[prefix + i] = (unsigned char)(fuzz_random(seed) >> 24);
    ASAN_POISON_MEMORY_REGION(block, prefix); /* only whole groups of 8 bytes */
    return block + prefix;
}

void *fuzz_new_scalar(size_t size, uint64_t *seed) {
    const bool small = fuzz_random(seed) % 4 != 0;
    unsigned char *bytes = fuzz_new_bytes(size, seed);
    for (size_t i = 1; small && i < size; i++) bytes[i] = 0;
    return bytes;
}

void fuzz_free_bytes(const void *bytes) {
    if (bytes) free((char *)bytes - 1 - ((uintptr_t)bytes - 1) % PREFIX);
}

/* ---- callbacks and errors ---- */

static const char *skip_blanks_and_comments(const char *at) {
    for (;;) {
        const char *const begin = at;
        at += strspn(at, " \t\r\n\v\f");
        if (strncmp(at, "//", 2) == 0) at += strcspn(at, "\n");
        if (strncmp(at, "/*", 2) == 0) {
            at = strstr(at + 2, "*/");
            fuzz_require(at != NULL);
            at += 2;
        }
        if (at == begin) return at;
    }
}

/* Returns whether the rest of a word need not be in the text: the number in `%r#0`, where the text has `%r:2`, or the
 * component in `v.x`, where the text has the vector `v`. */
static bool may_be_missing(const char *rest) {
    return *rest == '#' || (*rest == '.' && rest[1] != 0 && strchr("xyzw", rest[1]) && rest[2] == 0);
}

/* Requires `word` at a place of the text. The text may have blanks and comments before a dot of the word. */
static void check_word(const char *at, const char *word) {
    fuzz_require(*word != 0 || *at == 0);
    for (const char *c = word; *c; c++) {
        const char *begin = *c == '.' && c != word ? skip_blanks_and_comments(at) : at;
        if (*begin != *c && c != word && may_be_missing(c)) return;
        fuzz_require(*begin == *c);
        at = begin + 1;
    }
}

void fuzz_check_error(const char *text, const pto_program_error *error) {
    const char *line = text;
    fuzz_require(error->text[0] != 0 && memchr(error->text, 0, sizeof error->text) != NULL);
    fuzz_require(strchr(error->text, '\n') == NULL);
    fuzz_require(error->line >= 1 && error->column >= 1);
    for (size_t i = 1; i < error->line; i++) {
        line = strchr(line, '\n');
        fuzz_require(line++ != NULL);
    }
    fuzz_require(error->column - 1 <= strcspn(line, "\n"));
    fuzz_require(memchr(error->word, 0, sizeof error->word) != NULL);
    check_word(line + error->column - 1, error->word);
}

void fuzz_count_bytes(void *user, const pto_program_step *step) {
    const unsigned char *data = step->data;
    const size_t bytes = (step->lanes * pto_dtype_bits(step->type) + 7) / 8;
    fuzz_require(step->line >= 1 && step->name != NULL && step->lanes != 0);
    for (size_t i = 0; i < bytes; i++) *(unsigned *)user += data[i];
}
