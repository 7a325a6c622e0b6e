/* SPDX-License-Identifier: MIT */
/*
 * Compares a GPU's results of floating-point instructions with those of pto_program.
 *
 * test_arithmetic FILE: FILE was written by tools/ptx_arithmetic.cu, which documents its format. Instructions
 * that programs do not support are counted and skipped.
 *
 * test_arithmetic FILE planted: changes one bit of each instruction's results, which must be found.
 *
 * Results of .approx and .full instructions may differ as much as PTX allows a GPU to differ from the exact result.
 */
#include <pto/program.h>
#include <pto/pto.h>

#include "support/harness.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUES = 24,
    TRIPLE_VALUES = 10,
    MOST_RESULTS = 1000,
    TEXT = 64,
    LINE = 1 << 15,
    TYPES = 4,
    SHOWN = 6
};

/** The operand values of a type, read from a line of the file. */
struct values {
    char type[TEXT];
    uint64_t bits[VALUES];
};

/** An instruction of the file and its results. */
struct instruction {
    char text[TEXT];
    const struct values *values;
    size_t operands, count;
    uint64_t results[MOST_RESULTS];
};

/** Ends the test with an error if `condition` is false. */
static void need(bool condition) {
    if (condition) return;
    fputs("test_arithmetic: the file is malformed, or a call failed\n", stderr);
    exit(harness_end(1));
}

/** Reads hexadecimal numbers from the rest of a line. Returns their number. */
static size_t read_numbers(uint64_t *to, size_t most) {
    const char *word;
    size_t n = 0;
    while ((word = strtok(NULL, " \n")) != NULL && n < most) to[n++] = strtoull(word, NULL, 16);
    return n;
}

static const char *type_of(const char *text) {
    return strrchr(text, '.') + 1;
}

static bool read_instruction(const char *text, const struct values *types, struct instruction *out) {
    const size_t pairs = (size_t)VALUES * VALUES;
    snprintf(out->text, sizeof out->text, "%s", text);
    for (size_t i = 0; i < TYPES; i++)
        if (strcmp(types[i].type, type_of(text)) == 0) out->values = &types[i];
    out->count = read_numbers(out->results, MOST_RESULTS);
    out->operands = out->count == VALUES ? 1 : out->count == pairs ? 2 : 3;
    return out->values != NULL && (out->operands < 3 || out->count == MOST_RESULTS);
}

/** Writes operand number `which` of each result as elements of `bytes` bytes, little-endian. */
static void write_operand(const struct instruction *x, size_t which, size_t bytes, unsigned char *to) {
    const size_t base = x->operands == 3 ? TRIPLE_VALUES : VALUES;
    for (size_t i = 0; i < x->count; i++) {
        size_t place = i;
        for (size_t k = which + 1; k < x->operands; k++) place /= base;
        for (size_t k = 0; k < bytes; k++)
            to[i * bytes + k] = (unsigned char)(x->values->bits[place % base] >> 8 * k);
    }
}

/** Runs the instruction as a program. Returns false if programs do not support it. */
static bool run(const struct instruction *x, uint64_t *results) {
    static const char names[3][2] = {"a", "b", "c"};
    unsigned char operands[3][MOST_RESULTS * 8];
    char text[2 * TEXT];
    pto_dtype type;
    const void *data;
    size_t n, bytes;
    pto_program *program;
    snprintf(text, sizeof text, "%s d, a%s%s;", x->text, x->operands > 1 ? ", b" : "",
             x->operands > 2 ? ", c" : "");
    program = pto_program_new(text, (pto_program_options){0}, NULL);
    if (program == NULL) return false;
    need(pto_parse_dtype(type_of(x->text), &type, NULL) == PTO_OK);
    bytes = pto_dtype_bits(type) / 8;
    for (size_t k = 0; k < x->operands; k++) {
        write_operand(x, k, bytes, operands[k]);
        need(pto_program_bind(program, names[k], type, operands[k], x->count) == PTO_OK);
    }
    need(pto_program_run(program, x->count) == PTO_OK);
    need(pto_program_value(program, "d", &type, &data, &n) == PTO_OK);
    need(n == x->count);
    for (size_t i = 0; i < n; i++) {
        results[i] = 0;
        memcpy(&results[i], (const unsigned char *)data + i * bytes, bytes);
    }
    pto_program_free(program);
    return true;
}

/**
 * The largest error of a GPU's result, from the notes on each instruction in PTX ISA 9.1, sections 9.7.3 "Floating
 * Point Instructions" and 9.7.4 "Half Precision Floating Point Instructions". Each member except `ulps` is the binary
 * logarithm of a bound, and 0 means no bound. If there are two, `absolute` is for operands between 0.5 and 2,
 * `relative` for others. The document has no bound for rsqrt.approx.f64, of which an H100 has the same results as
 * libpto.
 */
static const struct bound {
    const char *name, *type;
    double ulps, relative, absolute;
} bounds[] = {
    {"div.full", "f32", 2, 0, 0},
    {"div.approx", "f32", 2, 0, 0}, /* for divisors up to 2^126; see 9.7.3 for larger ones */
    {"rcp.approx", "f32", 1, 0, 0},
    {"sqrt.approx", "f32", 0, -23, 0},
    {"rsqrt.approx", "f32", 0, -22.9, 0},
    {"sin.approx", "f32", 0, 0, -20.5}, /* for operands from -2 pi to 2 pi; see angle_bound() */
    {"cos.approx", "f32", 0, 0, -20.5}, /* the same */
    {"lg2.approx", "f32", 0, -22, -22},
    {"ex2.approx", "f32", 2, 0, 0},
    {"tanh.approx", "f32", 0, -11, 0},
    {"tanh.approx", "f16", 0, 0, -10.987},
    {"tanh.approx", "bf16", 0, 0, -8},
    {"ex2.approx", "f16", 0, -9.9, 0},
    {"ex2.approx", "bf16", 0, -7, 0},
};

static const struct bound *bound_of(const char *text) {
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (strncmp(text, bounds[i].name, strlen(bounds[i].name)) == 0 &&
            strcmp(type_of(text), bounds[i].type) == 0)
            return &bounds[i];
    return NULL;
}

static double value_of(const char *type, uint64_t bits) {
    const bool half = strcmp(type, "f16") == 0, single = strcmp(type, "f32") == 0,
               brief = strcmp(type, "bf16") == 0;
    const int fraction = half     ? 10
                         : brief  ? 7
                         : single ? 23
                                  : 52,
              width = half || brief ? 16
                      : single      ? 32
                                    : 64;
    const int exponents = width - 1 - fraction, bias = (1 << (exponents - 1)) - 1;
    const int field = (int)(bits >> fraction) & ((1 << exponents) - 1);
    const uint64_t hidden = (uint64_t)1 << fraction, rest = bits & (hidden - 1);
    const double sign = bits >> (width - 1) & 1 ? -1 : 1;
    if (field == (1 << exponents) - 1) return rest != 0 ? NAN : sign * INFINITY;
    return sign * ldexp((double)(field ? rest | hidden : rest), (field ? field : 1) - bias - fraction);
}

/** Returns the distance from a finite value of a type to the next value of greater magnitude. */
static double ulp_of(const char *type, uint64_t bits) {
    const unsigned width = strcmp(type, "f64") == 0 ? 64 : strcmp(type, "f32") == 0 ? 32 : 16;
    const uint64_t magnitude = bits & (UINT64_MAX >> (65 - width));
    return value_of(type, magnitude + 1) - value_of(type, magnitude);
}

/** Returns the bound of the absolute error of sin and cos for an angle, or 2 if the document has none. */
static double angle_bound(const struct bound *b, double angle) {
    const double pi = 3.14159265358979323846;
    if (fabs(angle) <= 2 * pi) return exp2(b->absolute);
    return fabs(angle) <= 100 * pi ? exp2(-14.7) : 2;
}

/** Returns how much a GPU's result may differ from libpto's, which is the exact result after rounding to nearest. */
static double allowed(const struct bound *b, const char *type, double operand, uint64_t exact) {
    const double ulp = ulp_of(type, exact), magnitude = fabs(value_of(type, exact));
    if (b->ulps != 0) return b->ulps * ulp;
    if (strncmp(b->name, "sin", 3) == 0 || strncmp(b->name, "cos", 3) == 0)
        return angle_bound(b, operand) + ulp / 2;
    if (b->relative == 0 || (b->absolute != 0 && operand > 0.5 && operand < 2))
        return exp2(b->absolute) + ulp / 2;
    return exp2(b->relative) * magnitude + ulp / 2;
}

/** Returns whether a GPU may give the result `gpu` where libpto gives `exact`. */
static bool agrees(const struct instruction *x, uint64_t operand, uint64_t gpu, uint64_t exact) {
    const struct bound *b = bound_of(x->text);
    const char *type = type_of(x->text);
    const double difference = fabs(value_of(type, gpu) - value_of(type, exact));
    if (gpu == exact || !b) return gpu == exact;
    return isfinite(difference) && difference <= allowed(b, type, value_of(type, operand), exact);
}

/** Returns the number of results that differ, and prints the first of them. */
static size_t differences(const struct instruction *x, const uint64_t *results) {
    const size_t base = x->operands == 3 ? TRIPLE_VALUES : VALUES;
    size_t found = 0;
    for (size_t i = 0; i < x->count; i++) {
        size_t places[3] = {0, 0, 0}, rest = i;
        for (size_t k = x->operands; k-- > 0; rest /= base) places[k] = rest % base;
        if (agrees(x, x->values->bits[places[0]], x->results[i], results[i]) || ++found > SHOWN) continue;
        printf("%s of", x->text);
        for (size_t k = 0; k < x->operands && k < 3; k++) printf(" %" PRIx64, x->values->bits[places[k]]);
        printf(": the file %" PRIx64 ", libpto %" PRIx64 "\n", x->results[i], results[i]);
    }
    return found;
}

static size_t compare(struct instruction *x, bool planted, size_t *compared) {
    static uint64_t results[MOST_RESULTS];
    pto_dtype type;
    size_t found;
    if (!run(x, results)) return 0;
    need(pto_parse_dtype(type_of(x->text), &type, NULL) == PTO_OK);
    ++*compared;
    if (planted) {
        /* a high bit of an approximation, the lowest bit of an exact result */
        x->results[x->count / 2] ^= bound_of(x->text) ? (uint64_t)1 << (pto_dtype_bits(type) - 2) : 1;
        need(differences(x, results) == 1);
        return 0;
    }
    found = differences(x, results);
    if (found != 0) printf("%s: %zu of %zu results differ\n", x->text, found, x->count);
    return found;
}

int main(int argc, char **argv) {
    static struct values types[TYPES];
    static char line[LINE];
    size_t type_count = 0, listed = 0, compared = 0, found = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: test_arithmetic FILE [planted]\n");
        return 1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        struct instruction x = {.values = NULL};
        const char *word = line[0] == '#' ? NULL : strtok(line, " \n");
        if (word == NULL) continue;
        if (strcmp(word, "values") == 0) {
            need(type_count < TYPES);
            snprintf(types[type_count].type, TEXT, "%s", strtok(NULL, " \n"));
            need(read_numbers(types[type_count++].bits, VALUES) == VALUES);
        } else {
            need(read_instruction(word, types, &x));
            ++listed;
            found += compare(&x, argc > 2, &compared);
        }
    }
    fclose(file);
    printf("%zu of %zu instructions compared, %zu results differ\n", compared, listed, found);
    return harness_end(found != 0 || compared != listed);
}
