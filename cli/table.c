/* SPDX-License-Identifier: MIT */
/* pto table: prints every code of a format of up to 8 bits. */
#include "element.h"
#include "words.h"

#include <math.h>
#include <string.h>

static bool has_table(pto_dtype type) {
    const unsigned char zero = 0;
    double value;
    return pto_dtype_bits(type) != 0 && pto_dtype_bits(type) <= 8 && element_value(type, &zero, &value);
}

/* Returns the number of codes of a format. The 6-bit formats use 64 codes of a byte. */
static unsigned codes_of(pto_dtype type) {
    return type == PTO_E2M3 || type == PTO_E3M2 ? 64U : 1U << pto_dtype_bits(type);
}

/* Returns "-" for values below zero and for -0, otherwise "+". */
static const char *sign_of(double value) {
    return signbit(value) ? "-" : "+";
}

static void print_code(pto_dtype type, unsigned code, bool json) {
    unsigned char element = (unsigned char)code;
    char text[VALUE_TEXT_SIZE], hexadecimal[VALUE_TEXT_SIZE];
    double value = 0;
    const char *class;
    (void)element_value(type, &element, &value); /* cannot fail for types of up to 8 bits */
    element_text(type, &element, text);
    /* printf() of Windows writes no sign before nan. */
    if (isnan(value))
        (void)snprintf(hexadecimal, sizeof hexadecimal, "%snan", signbit(value) ? "-" : "");
    else
        (void)snprintf(hexadecimal, sizeof hexadecimal, "%a", value);
    class = element_class(type, code, value);
    if (!json)
        printf("0x%0*x  %-23s %-23s %-9s %s\n", element_hex_digits(type), code, text, hexadecimal, class,
               sign_of(value));
    else
        printf("{\"type\":\"%s\",\"bits\":\"0x%0*x\",\"value\":%s%s%s,\"class\":\"%s\",\"sign\":\"%s\"}\n",
               pto_dtype_name(type), element_hex_digits(type), code, isfinite(value) ? "" : "\"", text,
               isfinite(value) ? "" : "\"", class, sign_of(value));
}

static int no_table(const char *name) {
    char list[160] = "";
    size_t length = 0;
    for (pto_dtype t = PTO_B8; is_type(t); ++t)
        if (has_table(t))
            length += (size_t)snprintf(list + length, sizeof list - length, " %s", pto_dtype_name(t));
    return report_error(&command_table, "%s: expected a type of up to 8 bits:%s", name, list);
}

static int run(int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    pto_dtype type;
    bool json = false;
    int option;
    while ((option = next_option(&command_table, argc, argv, options)) != -1) {
        if (option == '?') return STATUS_ERROR;
        json = true;
    }
    if (optind + 1 != argc) return no_table(optind == argc ? "no type" : argv[optind + 1]);
    if (!find_type(argv[optind], &type) || !has_table(type)) return no_table(argv[optind]);
    for (unsigned code = 0; code < codes_of(type); ++code) print_code(type, code, json);
    return STATUS_OK;
}

const struct command command_table = {
    .name = "table",
    .arguments = "[--json] TYPE",
    .summary = "lists every code of a format of up to 8 bits: bits, value, exact value in hex, class, sign",
    .options = "  --json  print one line of JSON for each code; infinities and NaNs are strings\n"
               "  TYPE    such as e4m3, e4m3fnuz, e2m1, ue8m0, s2f6, hif8, u8, s4\n"
               "Classes are zero, subnormal, normal, infinity and nan.\n"
               "For fixed-point and integer types they are zero and number.\n",
    .example = "pto table e4m3",
    .run = run,
};
