/* SPDX-License-Identifier: MIT */
/* pto info: prints the version of libpto, its backends, and which of them this machine supports and uses. */
#include "safe_text.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The version of the PTX ISA whose forms pto/forms.h lists. */
#define PTX_ISA "9.5"

/* Whether the library was built with SLEEF. */
#ifdef PTO_NO_VMATH
#    define HAS_SLEEF false
#else
#    define HAS_SLEEF true
#endif

/* CMake defines PTO_BACKENDS, the names of the backends that are built, each with a space before and after it. */
static bool is_built(pto_isa isa) {
    char name[16];
    snprintf(name, sizeof name, " %s ", pto_isa_name(isa));
    return strstr(PTO_BACKENDS, name) != NULL;
}

static bool is_zero(const char *variable) {
    const char *const value = getenv(variable);
    return value != NULL && strcmp(value, "0") == 0;
}

/* Writes why this backend is in use; include/pto/isa.h has the rule. */
static void write_reason(char *reason, size_t size) {
    const char *const requested = getenv("PTO_ISA");
    if (requested == NULL || *requested == '\0')
        snprintf(reason, size, "the best one available");
    else if (strcasecmp(requested, pto_isa_name(pto_isa_active())) == 0)
        snprintf(reason, size, "PTO_ISA=%s", requested);
    else
        snprintf(reason, size, "PTO_ISA=%.40s is not available: the best one that is", requested);
}

static const char *yes_or_no(bool yes) {
    return yes ? "yes" : "no";
}

static const char *true_or_false(bool yes) {
    return yes ? "true" : "false";
}

/* Returns how many forms of pto_cvt() are composed of two PTX conversions. */
static size_t composed_count(void) {
    size_t count = 0;
    pto_cvt_op op;
    for (size_t i = 0; pto_cvt_form(i, &op) == PTO_OK; ++i) count += !pto_cvt_is_ptx(op);
    return count;
}

static size_t rule_count(void) {
    size_t count = 0;
    for (int i = 0; i < PTO_BLOCK_RULE_LIMIT; ++i) count += *pto_block_rule_name((pto_block_rule)i) != '?';
    return count;
}

static void print_text(const char *reason) {
    pto_variant variant;
    printf("libpto %s, forms of PTX ISA %s\nin use: %s (", pto_version(), PTX_ISA,
           pto_isa_name(pto_isa_active()));
    put_safe_string(stdout, reason); /* may contain the value of PTO_ISA */
    puts(")\n");
    puts("              in the build  on this machine  in use");
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa) {
        printf("%-13s %-13s %-16s %s\n", pto_isa_name(isa), yes_or_no(is_built(isa)),
               yes_or_no(pto_isa_available(isa)), yes_or_no(isa == pto_isa_active()));
        for (size_t i = 0; pto_isa_variant(i, &variant) == PTO_OK; ++i) {
            if (variant.isa != isa) continue;
            printf("  with %-6s %-13s %-16s %-6s (%s %s=0)\n", variant.name, yes_or_no(variant.built),
                   yes_or_no(variant.supported), yes_or_no(variant.used),
                   is_zero(variant.variable) ? "switched off by" : "off with", variant.variable);
        }
    }
    printf("\nforms: cvt %zu (%zu of them composed), setp %zu, set %zu, vcvt %zu\nblock rules: %zu\n",
           pto_cvt_form_count(), composed_count(), pto_setp_form_count(), pto_set_form_count(),
           pto_vcvt_form_count(), rule_count());
    printf("\npto_vexp (SLEEF): %s\n", yes_or_no(HAS_SLEEF));
}

static void print_json(const char *reason) {
    pto_variant variant;
    printf("{\"version\":\"%s\",\"ptx\":\"%s\",\"isa\":\"%s\",\"why\":", pto_version(), PTX_ISA,
           pto_isa_name(pto_isa_active()));
    put_json_string(stdout, reason);
    fputs(",\"isas\":{", stdout);
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa)
        printf("%s\"%s\":{\"built\":%s,\"here\":%s}", isa == PTO_ISA_SCALAR ? "" : ",", pto_isa_name(isa),
               true_or_false(is_built(isa)), true_or_false(pto_isa_available(isa)));
    fputc('}', stdout);
    for (size_t i = 0; pto_isa_variant(i, &variant) == PTO_OK; ++i)
        printf(",\"%s_%s\":{\"built\":%s,\"here\":%s,\"used\":%s}", pto_isa_name(variant.isa), variant.name,
               true_or_false(variant.built), true_or_false(variant.supported), true_or_false(variant.used));
    printf(",\"forms\":{\"cvt\":%zu,\"composed\":%zu,\"setp\":%zu,\"set\":%zu,\"vcvt\":%zu},\"rules\":%zu",
           pto_cvt_form_count(), composed_count(), pto_setp_form_count(), pto_set_form_count(),
           pto_vcvt_form_count(), rule_count());
    printf(",\"sleef\":%s}\n", true_or_false(HAS_SLEEF));
}

static int run(int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    char reason[96];
    bool json = false;
    int option;
    while ((option = next_option(&command_info, argc, argv, options)) != -1) {
        if (option == '?') return STATUS_ERROR;
        json = true;
    }
    if (optind < argc) return report_error(&command_info, "%s: expected no argument", argv[optind]);
    write_reason(reason, sizeof reason);
    if (json)
        print_json(reason);
    else
        print_text(reason);
    return STATUS_OK;
}

const struct command command_info = {
    .name = "info",
    .arguments = "[--json]",
    .summary = "prints the version of libpto, and which instruction sets this machine and the build have",
    .options = "  --json  print one line of JSON\n",
    .example = "PTO_ISA=avx2 pto info",
    .run = run,
};
