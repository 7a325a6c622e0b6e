/* SPDX-License-Identifier: MIT */
/* Explains casts: their steps, and examples. */
#include "explain.h"

#include "cast_text.h"
#include "element.h"

#include <math.h>
#include <string.h>

static const char *rounding_step(pto_round round) {
    switch (round) {
    case PTO_RN: return "rounded to the nearest value, ties to the even code";
    case PTO_RNA: return "rounded to the nearest value, ties away from zero";
    case PTO_RZ: return "rounded towards zero";
    case PTO_RM: return "rounded towards minus infinity";
    case PTO_RP: return "rounded towards plus infinity";
    case PTO_RS:
        return "rounded stochastically: a random word is added to the 32 bits that are cut off; a carry "
               "rounds "
               "the magnitude up";
    default: return "rounded to odd: of the two neighbours the one with the odd code, unless it is exact";
    }
}

static bool is_clamped(pto_dtype type) {
    return element_is_integer(type) || type == PTO_S2F6;
}

static bool has_nan(pto_dtype type) {
    const double nan = NAN;
    unsigned char element[8] = {0};
    double value;
    const pto_cast_op op = {type, PTO_F64, PTO_RN, PTO_OVERFLOW_IEEE};
    return pto_cast(op, &nan, element, NULL, 1) == PTO_OK && element_nearest(type, element, &value) &&
           isnan(value);
}

static const char *overflow_step(pto_cast_op op) {
    const bool stays =
        op.round == PTO_RZ || op.round == PTO_RO || op.overflow == PTO_OVERFLOW_SATURATE_FINITE;
    if (is_clamped(op.dst)) return "clamped to the range, infinities too";
    if (op.overflow == PTO_OVERFLOW_SATURATE)
        return "too large: the largest finite value, also for infinities";
    if (stays) return "too large: the largest finite value; infinities stay, else they become the NaN";
    return op.round == PTO_RM || op.round == PTO_RP
               ? "too large: rounded to an infinity, else the NaN; or to the largest finite value"
               : "too large: an infinity, else the NaN, else the largest value";
}

static void print_steps(pto_cast_op op) {
    int number = 0;
    puts("\nstep by step:");
    printf("  %d. start with the exact source value, of type %s\n", ++number, pto_dtype_name(op.src));
    if (element_has_no_sign(op.dst))
        printf("  %d. the sign is dropped, because it does not exist in %s\n", ++number,
               pto_dtype_name(op.dst));
    printf("  %d. %s, in %s\n", ++number, rounding_step(op.round), pto_dtype_name(op.dst));
    printf("  %d. %s\n", ++number, overflow_step(op));
    printf("  %d. a NaN becomes %s\n", ++number,
           has_nan(op.dst)              ? "the positive canonical NaN"
           : element_is_integer(op.dst) ? "0"
                                        : "the largest value");
}

/* Source values of the examples. Each cast uses those that its source type can represent. */
static const double examples[] = {1,       -1,         0.5,        1.5,   2.5,      -2.7265625, 7,
                                  100,     300,        -500,       70000, 3e9,      1e300,      0x1p-10,
                                  0x1p-25, 0x1.8p-130, -0x1p-1040, -0.0,  INFINITY, -INFINITY,  NAN};
enum { EXAMPLES = sizeof examples / sizeof *examples };

/* Prints the results for the examples. The random words are 2^31. */
static void print_examples(pto_cast_op op) {
    const uint32_t half = 0x80000000;
    printf("\nresults of the conversion%s:\n", op.round == PTO_RS ? ", with random bits of 0x80000000" : "");
    for (size_t i = 0; i < EXAMPLES; ++i) {
        const pto_cast_op to_source = {op.src, PTO_F64, PTO_RN, PTO_OVERFLOW_IEEE};
        unsigned char element[8] = {0}, result[8] = {0};
        char from[VALUE_TEXT_SIZE], to[VALUE_TEXT_SIZE];
        double value;
        if (pto_cast(to_source, &examples[i], element, NULL, 1) != PTO_OK ||
            !element_nearest(op.src, element, &value))
            return;
        if (isnan(value) != isnan(examples[i]) || (!isnan(value) && value != examples[i]) ||
            signbit(value) != signbit(examples[i]))
            continue; /* the source type does not have this value */
        if (pto_cast(op, element, result, op.round == PTO_RS ? &half : NULL, 1) != PTO_OK) return;
        element_text(op.src, element, from);
        element_text(op.dst, result, to);
        printf("  %-24s 0x%0*llx -> 0x%0*llx  %s\n", from, element_hex_digits(op.src),
               (unsigned long long)element_bits(op.src, element), element_hex_digits(op.dst),
               (unsigned long long)element_bits(op.dst, result), to);
    }
}

int explain_cast(const char *text) {
    pto_parse_error error;
    pto_cast_op op;
    if (!parse_cast(text, &op, &error)) return show_error(text, &error);
    printf("%s: the exact conversion of pto_cast() from %s to %s\n", text, pto_dtype_name(op.src),
           pto_dtype_name(op.dst));
    print_steps(op);
    print_examples(op);
    return STATUS_OK;
}
