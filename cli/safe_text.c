/* SPDX-License-Identifier: MIT */
/* Decodes UTF-8, and replaces characters that a terminal would interpret. */
#include "safe_text.h"

#include <string.h>

/* Decodes the first character and returns its length in bytes. If the bytes are not a valid character, sets
 * *character to NOT_UTF8 and returns 1. */
static size_t decode(const char *text, size_t length, uint32_t *character) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* the smallest character, by length */
    const unsigned char *const byte = (const unsigned char *)text;
    const size_t bytes = byte[0] < 0x80   ? 1
                         : byte[0] < 0xc0 ? 0
                         : byte[0] < 0xe0 ? 2
                         : byte[0] < 0xf0 ? 3
                         : byte[0] < 0xf8 ? 4
                                          : 0;
    uint32_t c = bytes < 2 ? byte[0] : byte[0] & (0x7fU >> bytes);
    bool good = bytes != 0 && bytes <= length;
    for (size_t i = 1; good && i < bytes; ++i) {
        good = (byte[i] & 0xc0) == 0x80;
        c = c << 6 | (byte[i] & 0x3f);
    }
    good = good && c >= least[bytes] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
    *character = good ? c : NOT_UTF8;
    return good ? bytes : 1;
}

struct range {
    uint32_t first, last;
};

static bool is_in(uint32_t character, const struct range *ranges, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (character >= ranges[i].first && character <= ranges[i].last) return true;
    return false;
}

/* Returns whether a character is unsafe: a control character, a mark that ends a line or changes the direction of
 * writing, or an invisible format character. Joiners (U+200B to U+200D) are allowed, because scripts and emoji need
 * them. */
static bool is_unsafe(uint32_t character) {
    static const struct range unsafe[] = {
        {0, 0x1f},          {0x7f, 0x9f},       {0xad, 0xad},       {0x61c, 0x61c},      {0x180e, 0x180e},
        {0x200e, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0xfeff, 0xfeff},    {0xfff9, 0xfffb},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe007f}, {NOT_UTF8, NOT_UTF8}};
    return character != '\t' && is_in(character, unsafe, sizeof unsafe / sizeof *unsafe);
}

/* Returns the columns of a character on a terminal: 2 for East Asian characters and emoji, 0 for combining marks,
 * otherwise 1. */
static unsigned width(uint32_t character) {
    static const struct range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
                                        {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
                                        {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x20d0, 0x20ff},
                                        {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    static const struct range two[] = {
        {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},  {0xa960, 0xa97f}, {0xac00, 0xd7a3},
        {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
        {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    if (is_in(character, none, sizeof none / sizeof *none)) return 0;
    return is_in(character, two, sizeof two / sizeof *two) ? 2 : 1;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *character, bool *unsafe) {
    const size_t bytes = decode(text, length, character);
    *unsafe = is_unsafe(*character);
    return bytes;
}

void put_safe(FILE *out, const char *text, size_t length) {
    while (length != 0) {
        uint32_t character;
        const size_t bytes = decode(text, length, &character);
        if (is_unsafe(character))
            fputc('?', out);
        else
            fwrite(text, 1, bytes, out);
        text += bytes;
        length -= bytes;
    }
}

void put_safe_string(FILE *out, const char *text) {
    put_safe(out, text, strlen(text));
}

void put_caret(FILE *out, const char *text, size_t length) {
    while (length != 0) {
        uint32_t character;
        const size_t bytes = decode(text, length, &character);
        if (character == '\t')
            fputc('\t', out);
        else
            fprintf(out, "%*s", (int)(is_unsafe(character) ? 1 : width(character)), "");
        text += bytes;
        length -= bytes;
    }
    fputs("^\n", out);
}
