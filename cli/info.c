/* SPDX-License-Identifier: MIT */
/* pto info: prints the version of libpto, its backends, and which of them this machine supports and uses. */
#if defined(__riscv) && !defined(_DEFAULT_SOURCE)
#    define _DEFAULT_SOURCE /* syscall */
#endif

#include "shown.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#if defined(__x86_64__) && defined(__GNUC__)
#    include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#    include <sys/auxv.h>
#elif defined(__riscv) && defined(__linux__)
#    include <stdint.h>
#    include <unistd.h>
#endif

/* The version of the PTX ISA whose forms pto/forms.h lists. */
#define PTX_ISA "9.5"

/* Which backends and optional parts the library was built with. CMake defines PTO_BUILD_AVX2 and so on. */
#ifdef PTO_BUILD_AVX2
#    define HAS_AVX2 true
#else
#    define HAS_AVX2 false
#endif
#ifdef PTO_BUILD_AVX512
#    define HAS_AVX512 true
#else
#    define HAS_AVX512 false
#endif
#ifdef PTO_BUILD_NEON
#    define HAS_NEON true
#else
#    define HAS_NEON false
#endif
#ifdef PTO_BUILD_SVE
#    define HAS_SVE true
#else
#    define HAS_SVE false
#endif
#ifdef PTO_BUILD_RVV
#    define HAS_RVV true
#else
#    define HAS_RVV false
#endif
#ifdef PTO_BUILD_GENERIC
#    define HAS_GENERIC true
#else
#    define HAS_GENERIC false
#endif
#ifdef PTO_BUILD_AVX512_FP16
#    define HAS_FP16 true
#else
#    define HAS_FP16 false
#endif
#ifdef PTO_BUILD_AVX512_VBMI
#    define HAS_VBMI true
#else
#    define HAS_VBMI false
#endif
#ifdef PTO_BUILD_NEON_FP16
#    define HAS_NEON_FP16 true
#else
#    define HAS_NEON_FP16 false
#endif
#ifdef PTO_BUILD_NEON_BF16
#    define HAS_NEON_BF16 true
#else
#    define HAS_NEON_BF16 false
#endif
#ifdef PTO_BUILD_SVE_BF16
#    define HAS_SVE_BF16 true
#else
#    define HAS_SVE_BF16 false
#endif
#ifdef PTO_BUILD_RVV_FP16
#    define HAS_RVV_FP16 true
#else
#    define HAS_RVV_FP16 false
#endif
#ifdef PTO_NO_VMATH
#    define HAS_SLEEF false
#else
#    define HAS_SLEEF true
#endif
#ifdef PTO_NO_RANDOM
#    define HAS_RANDOM false
#else
#    define HAS_RANDOM true
#endif

static bool is_built(pto_isa isa) {
    static const bool built[] = {
        [PTO_ISA_SCALAR] = true,        [PTO_ISA_AVX2] = HAS_AVX2, [PTO_ISA_AVX512] = HAS_AVX512,
        [PTO_ISA_NEON] = HAS_NEON,      [PTO_ISA_SVE] = HAS_SVE,   [PTO_ISA_RVV] = HAS_RVV,
        [PTO_ISA_GENERIC] = HAS_GENERIC};
    return (size_t)isa < sizeof built && built[isa];
}

/* A CPU extension that is optional for a backend, which uses it automatically. */
struct addition {
    const char *name, *variable;
    pto_isa isa;
    bool built, cpu, used;
};
enum { ADDITIONS = 6 };

static bool is_zero(const char *variable) {
    const char *const value = getenv(variable);
    return value != NULL && strcmp(value, "0") == 0;
}

/* Returns whether the CPU has an extension of a backend. The source is CPUID, or on Arm and RISC-V the system.
 * pto_isa_available() has already checked whether the system enables AVX-512. */
static bool cpu_has(pto_isa isa, const char *name) {
    const bool fp16 = strcmp(name, "fp16") == 0;
    if (!pto_isa_available(isa)) return false;
#if defined(__x86_64__) && defined(__GNUC__)
    unsigned a, b, c, d;
    if (isa != PTO_ISA_AVX512 || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
    return fp16 ? (d >> 23 & 1) != 0 : (c >> 1 & 1) != 0 && (c >> 6 & 1) != 0 && (c >> 8 & 1) != 0;
#elif defined(__aarch64__) && defined(__linux__)
    const unsigned bit = isa == PTO_ISA_SVE ? 12 : fp16 ? 10 : 14;
    return isa != PTO_ISA_AVX512 && (getauxval(fp16 ? AT_HWCAP : AT_HWCAP2) >> bit & 1) != 0;
#elif defined(__riscv) && defined(__linux__) && !defined(__riscv_zvfh)
    int64_t asked[2] = {4, 0}; /* riscv_hwprobe key 4, RISCV_HWPROBE_KEY_IMA_EXT_0; bit 30 is Zvfh */
    return fp16 && syscall(258, asked, 1UL, 0UL, NULL, 0UL) == 0 && asked[0] == 4 &&
           (asked[1] >> 30 & 1) != 0;
#else
    return fp16; /* the library was compiled for this CPU */
#endif
}

static void find_additions(struct addition additions[ADDITIONS]) {
    const struct addition every[ADDITIONS] = {
        {"fp16", "PTO_AVX512_FP16", PTO_ISA_AVX512, HAS_FP16, false, false},
        {"vbmi", "PTO_AVX512_VBMI", PTO_ISA_AVX512, HAS_VBMI, false, false},
        {"fp16", "PTO_ARM_FP16", PTO_ISA_NEON, HAS_NEON_FP16, false, false},
        {"bf16", "PTO_ARM_BF16", PTO_ISA_NEON, HAS_NEON_BF16, false, false},
        {"bf16", "PTO_ARM_BF16", PTO_ISA_SVE, HAS_SVE_BF16, false, false},
        {"fp16", "PTO_RVV_FP16", PTO_ISA_RVV, HAS_RVV_FP16, false, false},
    };
    for (int i = 0; i < ADDITIONS; ++i) {
        struct addition *const one = &additions[i];
        *one = every[i];
        one->cpu = cpu_has(one->isa, one->name);
        one->used = one->built && one->cpu && !is_zero(one->variable) && pto_isa_active() == one->isa;
    }
}

/* Writes why this backend is in use, by the rule in isa.h. */
static void say_why(char *why, size_t size) {
    const char *const wish = getenv("PTO_ISA");
    if (wish == NULL || *wish == '\0')
        snprintf(why, size, "the best that is here");
    else if (strcasecmp(wish, pto_isa_name(pto_isa_active())) == 0)
        snprintf(why, size, "PTO_ISA=%s", wish);
    else
        snprintf(why, size, "PTO_ISA=%.40s is not here: the best that is", wish);
}

static const char *yes_or_no(bool yes) {
    return yes ? "yes" : "no";
}

static const char *true_or_false(bool yes) {
    return yes ? "true" : "false";
}

static void print_text(const char *why, const struct addition additions[ADDITIONS]) {
    printf("libpto %s, forms of PTX ISA %s\nin use: %s (", pto_version(), PTX_ISA,
           pto_isa_name(pto_isa_active()));
    put_shown_string(stdout, why); /* may contain the value of PTO_ISA */
    puts(")\n");
    puts("              in the build  on this machine  in use");
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa) {
        printf("%-13s %-13s %-16s %s\n", pto_isa_name(isa), yes_or_no(is_built(isa)),
               yes_or_no(pto_isa_available(isa)), yes_or_no(isa == pto_isa_active()));
        for (int i = 0; i < ADDITIONS; ++i) {
            if (additions[i].isa != isa) continue;
            printf("  with %-6s %-13s %-16s %s%s\n", additions[i].name, yes_or_no(additions[i].built),
                   yes_or_no(additions[i].cpu), yes_or_no(additions[i].used),
                   is_zero(additions[i].variable) ? " (switched off by the environment)" : "");
        }
    }
    printf("\npto_vexp (SLEEF): %s\npto_random_bits (Random123): %s\n", yes_or_no(HAS_SLEEF),
           yes_or_no(HAS_RANDOM));
}

static void print_json(const char *why, const struct addition additions[ADDITIONS]) {
    printf("{\"version\":\"%s\",\"ptx\":\"%s\",\"isa\":\"%s\",\"why\":", pto_version(), PTX_ISA,
           pto_isa_name(pto_isa_active()));
    put_json_string(stdout, why);
    fputs(",\"isas\":{", stdout);
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa)
        printf("%s\"%s\":{\"built\":%s,\"here\":%s}", isa == PTO_ISA_SCALAR ? "" : ",", pto_isa_name(isa),
               true_or_false(is_built(isa)), true_or_false(pto_isa_available(isa)));
    fputc('}', stdout);
    for (int i = 0; i < ADDITIONS; ++i)
        printf(",\"%s_%s\":{\"built\":%s,\"here\":%s,\"used\":%s}", pto_isa_name(additions[i].isa),
               additions[i].name, true_or_false(additions[i].built), true_or_false(additions[i].cpu),
               true_or_false(additions[i].used));
    printf(",\"sleef\":%s,\"random\":%s}\n", true_or_false(HAS_SLEEF), true_or_false(HAS_RANDOM));
}

static int run(int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    struct addition additions[ADDITIONS];
    char why[96];
    bool json = false;
    int option;
    while ((option = next_option(&command_info, argc, argv, options)) != -1) {
        if (option == '?') return BAD_USE;
        json = true;
    }
    if (optind < argc) return bad_use(&command_info, "%s: expected no operand", argv[optind]);
    find_additions(additions);
    say_why(why, sizeof why);
    if (json)
        print_json(why, additions);
    else
        print_text(why, additions);
    return ALL_WELL;
}

const struct command command_info = {
    .name = "info",
    .arguments = "[--json]",
    .line = "which libpto this is, and which instruction sets it runs on here",
    .options = "  --json  as one line of JSON\n",
    .example = "PTO_ISA=avx2 pto info",
    .run = run,
};
