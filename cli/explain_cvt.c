/* SPDX-License-Identifier: MIT */
/* Explains cvt: its steps, examples, and for an illegal text the legal forms of the same types. */
#include "explain.h"

#include "element.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- illegal texts ---- */

/* Finds the destination and source types at the end of an illegal text, so that their legal forms can be
 * listed. */
static bool pair_of(const char *text, pto_dtype *dst, pto_dtype *src) {
    char copy[128], *last, *before;
    if (strlen(text) >= sizeof copy) return false;
    memcpy(copy, text, strlen(text) + 1);
    last = strrchr(copy, '.');
    if (last == NULL) return false;
    *last = '\0';
    before = strrchr(copy, '.');
    return before != NULL && find_element_type(last + 1, src) && find_element_type(before + 1, dst);
}

static int cvt_error(const char *text, const pto_parse_error *error) {
    pto_dtype dst, src;
    bool any = false;
    show_error(text, error);
    if (!pair_of(text, &dst, &src)) return STATUS_DIFFERENT;
    for (size_t i = 0; i < pto_cvt_form_count(); ++i) {
        pto_cvt_op op;
        char name[FORM_NAME_SIZE];
        if (pto_cvt_form(i, &op) != PTO_OK || op.dst != dst || op.src != src || !pto_cvt_is_ptx(op)) continue;
        if (!any) printf("\nlegal from %s to %s:\n", pto_dtype_name(src), pto_dtype_name(dst));
        any = true;
        cvt_name(op, name);
        printf("  %s\n", name);
    }
    return STATUS_DIFFERENT;
}

/* ---- the steps of a conversion ---- */

/* Returns the rounding of a conversion. Between f16 and bf16, no modifier means rounding to nearest even. */
static pto_round rounding_of(pto_cvt_op op) {
    const bool narrows =
        (op.dst == PTO_F16 && op.src == PTO_BF16) || (op.dst == PTO_BF16 && op.src == PTO_F16);
    return narrows && op.round == PTO_ROUND_NONE ? PTO_RN : op.round;
}

static const char *rounding_step(pto_round round) {
    switch (round) {
    case PTO_RN: return "rounded to the nearest value, ties to even";
    case PTO_RNA: return "rounded to the nearest value, ties away from zero";
    case PTO_RZ: return "rounded towards zero";
    case PTO_RM: return "rounded towards minus infinity";
    case PTO_RP: return "rounded towards plus infinity";
    case PTO_RS:
        return "rounded stochastically: the random bits are added below the last bit, then the sum is "
               "truncated";
    case PTO_RNI: return "rounded to the nearest integral value, ties to even";
    case PTO_RZI: return "rounded to an integral value, towards zero";
    case PTO_RMI: return "rounded to an integral value, towards minus infinity";
    case PTO_RPI: return "rounded to an integral value, towards plus infinity";
    default: return NULL;
    }
}

/* Prints a numbered step: `words`, then `type`, which may be "". */
static void print_step(int *number, const char *words, const char *type) {
    printf("  %d. %s%s\n", ++*number, words, type);
}

static void print_steps_before_rounding(int *number, pto_cvt_op op) {
    print_step(number, "start with the exact source value, of type ", pto_dtype_name(op.src));
    if (op.ftz && op.dst == PTO_F16) print_step(number, ".ftz: no effect from f32 to f16", "");
    if (op.ftz && op.dst != PTO_F16 && op.src == PTO_F32)
        print_step(number, ".ftz: a subnormal source becomes zero with its sign", "");
    if (op.scale == PTO_SCALE_N1)
        print_step(number, ".scaled::n1: a subnormal source becomes zero with its sign", "");
    if (op.scale != PTO_SCALE_NONE)
        print_step(number,
                   pto_dtype_bits(op.dst) < pto_dtype_bits(op.src)
                       ? "divided exactly by its scale, a power of two"
                       : "multiplied exactly by its scale, a power of two",
                   op.scale == PTO_SCALE_N1 ? "; each pair has one scale" : "");
    if (element_has_no_sign(op.dst))
        print_step(number, "the sign is dropped, because it does not exist in ", pto_dtype_name(op.dst));
}

static const char *integer_step(pto_cvt_op op) {
    const size_t from = pto_dtype_bits(op.src), to = pto_dtype_bits(op.dst);
    if (!element_is_integer(op.src) || op.sat) return "clamped to the range of ";
    if (to < from) return "truncated to the low bits, in ";
    if (to == from) return "the same bits, in ";
    return pto_dtype_class(op.src) == PTO_CLASS_SIGNED ? "sign-extended, in " : "zero-extended, in ";
}

/* Returns whether the destination has infinities and the conversion rounds without saturation, so that the rounding
 * decides what a result beyond the range becomes. */
static bool may_overflow(pto_cvt_op op) {
    const bool has_infinity = op.dst == PTO_F16 || op.dst == PTO_BF16 || op.dst == PTO_TF32 ||
                              op.dst == PTO_F32 || op.dst == PTO_F64;
    return has_infinity && op.src != op.dst && !op.satfinite && !op.sat && rounding_of(op) != PTO_ROUND_NONE;
}

/* Prints the steps in the order of docs/semantics.md. */
static void print_steps(pto_cvt_op op) {
    const char *const rounding = rounding_step(rounding_of(op));
    int number = 0;
    puts("\nstep by step:");
    print_steps_before_rounding(&number, op);
    if (rounding != NULL) print_step(&number, rounding, "");
    if (may_overflow(op))
        print_step(&number, "on overflow: infinity or the largest finite value, depending on the rounding",
                   "");
    if (element_has_no_sign(op.dst) && !op.satfinite)
        print_step(&number, "infinity, and values that round beyond the largest one, become the NaN of ",
                   pto_dtype_name(op.dst));
    if (op.satfinite)
        print_step(&number, ".satfinite: values beyond the largest finite value become that value, in ",
                   pto_dtype_name(op.dst));
    if (op.ftz && op.dst == PTO_F32 && op.src != PTO_F32)
        print_step(&number, ".ftz: a subnormal result becomes zero with its sign", "");
    if (op.relu) print_step(&number, ".relu: negative values and -0 become +0", "");
    if (op.sat && !element_is_integer(op.dst))
        print_step(&number, ".sat: clamped to [0, 1]; a NaN and -0 become +0", "");
    if (op.pzo) print_step(&number, ".pzo: -0 becomes +0", "");
    if (element_is_integer(op.dst)) print_step(&number, integer_step(op), pto_dtype_name(op.dst));
}

/* ---- examples ---- */

/* Source values of the examples. Each form uses those that its source type can represent. */
static const double examples[] = {1,          -1,         0.5,    1.5,      2.5,       -2.7265625, 300,
                                  500,        70000,      -70000, 3e9,      1e300,     0x1p-10,    0x1p-25,
                                  0x1.8p-130, -0x1p-1040, -0.0,   INFINITY, -INFINITY, NAN};
enum { EXAMPLES = sizeof examples / sizeof *examples };

/* Converts one element with pto_cvt(). Scales are 1, and random bits are 0. */
static bool convert_one(pto_cvt_op op, const void *element, void *result) {
    uint64_t source[4] = {0}, out[4];
    const uint8_t scales[4] = {127, 127, 127, 127};
    const uint32_t random[2] = {0, 0};
    const void *extra = op.scale != PTO_SCALE_NONE ? (const void *)scales
                        : op.round == PTO_RS       ? random
                                                   : NULL;
    memcpy(source, element, sizeof *source);
    if (pto_cvt(op, source, out, extra, 4) != PTO_OK) return false;
    memcpy(result, out, sizeof *out);
    return true;
}

static void cvt_examples(pto_cvt_op op) {
    printf("\nresults of the conversion%s:\n", op.scale != PTO_SCALE_NONE ? ", with scales of 1"
                                               : op.round == PTO_RS       ? ", with random bits of 0"
                                                                          : "");
    for (size_t i = 0; i < EXAMPLES; ++i) {
        uint64_t element = 0, result;
        char from[VALUE_TEXT_SIZE], to[VALUE_TEXT_SIZE];
        if (pto_dtype_code(op.src, examples[i], &element) != PTO_OK) continue;
        if (signbit(examples[i]) != 0 && element == 0) continue; /* this type has no -0 */
        if (!convert_one(op, &element, &result)) return;
        element_text(op.src, &element, from);
        element_text(op.dst, &result, to);
        printf("  %-24s 0x%0*llx -> 0x%0*llx  %s\n", from, element_hex_digits(op.src),
               (unsigned long long)element_bits(op.src, &element), element_hex_digits(op.dst),
               (unsigned long long)element_bits(op.dst, &result), to);
    }
}

int explain_cvt(const char *text) {
    char words[PTO_EXPLAIN_SIZE];
    pto_parse_error error;
    pto_cvt_op op;
    if (pto_parse_cvt(text, &op, &error) != PTO_OK) return cvt_error(text, &error);
    if (pto_cvt_explain(op, words, sizeof words) != PTO_OK) return STATUS_ERROR;
    puts(words);
    print_steps(op);
    cvt_examples(op);
    return STATUS_OK;
}
