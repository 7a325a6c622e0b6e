/* SPDX-License-Identifier: MIT */
/** Checks dispatch: which backend is chosen at the first use of the library, with and without PTO_ISA. A process
 * chooses once, so each case is a child process. It runs this program again, under the emulator in
 * PTO_TEST_EMULATOR if that is set. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/platform.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#    include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#    include <sys/auxv.h>
#elif defined(__riscv) && defined(__linux__)
#    include <sys/syscall.h>
#endif

enum { THREADS = 3 };

static const char *program;

/* ---- the child ---- */

/** The number of threads that are not ready. They wait until it is 0, because choosing a backend takes microseconds
 * and all of them must do it at the same time. */
static atomic_int not_ready;

static void *first_use(void *unused) {
    (void)unused;
    atomic_fetch_sub(&not_ready, 1);
    while (atomic_load(&not_ready) > 0) {
        sched_yield();
    }
    return (void *)pto_isa_name(pto_isa_active());
}

/** Uses the library for the first time in several threads at once. All must get the same ISA. */
static int child_threads(void) {
    pthread_t threads[THREADS];
    void *names[THREADS];
    atomic_store(&not_ready, THREADS);
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, first_use, NULL) != 0) return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &names[i]);
        if (strcmp(names[i], names[0]) != 0) return 2;
    }
    printf("%s\n", (const char *)names[0]);
    return 0;
}

/** Uses the library for the first time in a compare. A later query must return the ISA that the compare chose. */
static int child_compare(void) {
    const float one = 1, two = 2;
    unsigned char mask = 0xff;
    if (pto_vcmp(PTO_F32, PTO_LT, 0, &one, &two, PTO_NO_MASK, pto_packed(&mask), 1) != PTO_OK || mask != 1)
        return 1;
    platform_set_variable("PTO_ISA", "scalar"); /* too late, must be ignored */
    printf("%s\n", pto_isa_name(pto_isa_active()));
    return 0;
}

/** Sets PTO_ISA before the first use of the library. The library must not have read it earlier, for example in a
 * constructor. */
static int child_late(const char *name) {
    platform_set_variable("PTO_ISA", name);
    printf("%s\n", pto_isa_name(pto_isa_active()));
    return 0;
}

/** Uses the library for the first time in pto_isa_use(). */
static int child_use(void) {
    if (pto_isa_use(PTO_ISA_SCALAR) != PTO_OK) return 1;
    printf("%s\n", pto_isa_name(pto_isa_active()));
    return 0;
}

/** Makes the library write its warning to a pipe without a reader. This must not end the process, and must not change
 * errno or signals. */
static int child_broken_pipe(void) {
    enum { MINE = 77 };
    struct platform_sigpipe before;
    const char *name;
    if (!platform_break_stderr()) return 1;
    before = platform_sigpipe();
    errno = MINE;
    name = pto_isa_name(pto_isa_active());
    if (errno != MINE) return 2;
    if (platform_sigpipe().is_blocked != before.is_blocked || platform_sigpipe().is_pending) return 3;
    printf("%s\n", name);
    return 0;
}

/** Makes the library warn after the program has closed stderr. This must not change errno. */
static int child_closed_stderr(void) {
    close(STDERR_FILENO);
    errno = 0;
    printf("%s\n", pto_isa_name(pto_isa_active()));
    return errno;
}

/** Kernels of an ISA that exist twice. CPUs with certain extensions use the better kernel, unless `variable` is set
 * to 0. */
static const struct variant_case {
    const char *mode, *variable;
    pto_isa isa;
    pto_dtype compared;   /**< the type whose vcmp kernel exists twice, or PTO_U8 if `converted` is tested */
    pto_cvt_op converted; /**< the conversion whose kernel exists twice */
} variant_cases[] = {
    {"avx512 f16", "PTO_AVX512_FP16", PTO_ISA_AVX512, PTO_F16, {0}},
    {"avx512 bf16", "PTO_AVX512_FP16", PTO_ISA_AVX512, PTO_BF16, {0}},
    {"avx512 e4m3",
     "PTO_AVX512_VBMI",
     PTO_ISA_AVX512,
     PTO_U8,
     {.dst = PTO_E4M3, .src = PTO_BF16, .round = PTO_RN, .satfinite = true}},
    {"neon f16", "PTO_ARM_FP16", PTO_ISA_NEON, PTO_F16, {0}},
    {"neon bf16", "PTO_ARM_BF16", PTO_ISA_NEON, PTO_U8, {.dst = PTO_BF16, .src = PTO_F32, .round = PTO_RN}},
    {"sve bf16", "PTO_ARM_BF16", PTO_ISA_SVE, PTO_U8, {.dst = PTO_BF16, .src = PTO_F32, .round = PTO_RN}},
    {"rvv f16", "PTO_RVV_FP16", PTO_ISA_RVV, PTO_F16, {0}},
};

/** Uses the ISA with the variable set to `setting`. Then changes the variable, which must have no effect after the
 * first use. */
static bool use_with(const struct variant_case *tested, const char *setting) {
    platform_set_variable(tested->variable, setting);
    if (!pto_isa_available(PTO_ISA_SCALAR)) return false; /* the first use */
    platform_set_variable(tested->variable, strcmp(setting, "0") == 0 ? "1" : "0");
    return pto_isa_use(tested->isa) == PTO_OK && pto_isa_active() == tested->isa;
}

/** Prints a number that depends on which of the two kernels is used: its distance in memory from a kernel that exists
 * only once. */
static int child_variant(const struct variant_case *tested, const char *setting) {
    const pto_cvt_op once = {.dst = PTO_F32, .src = PTO_F64, .round = PTO_RN};
    pto_status status[2];
    pto_plan one, other;
    if (!use_with(tested, setting)) return 1;
    if (tested->compared != PTO_U8) {
        status[0] = pto_plan_vcmp(&one, tested->compared, PTO_LT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED);
        status[1] = pto_plan_vcmp(&other, PTO_S16, PTO_LT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED);
    } else {
        status[0] = pto_plan_cvt(&one, tested->converted);
        status[1] = pto_plan_cvt(&other, once);
    }
    if (status[0] != PTO_OK || status[1] != PTO_OK) return 2;
    printf("%lld\n", (long long)(one.priv[0] - other.priv[0]));
    return 0;
}

/** Prints the number of variants that are used with the ISA and the variable set to `value`. */
static int child_variants(const struct variant_case *tested, const char *value) {
    pto_variant variant;
    int used = 0;
    if (!use_with(tested, value)) return 1;
    for (size_t i = 0; pto_isa_variant(i, &variant) == PTO_OK; i++) {
        used += variant.isa == tested->isa && strcmp(variant.variable, tested->variable) == 0 && variant.used;
    }
    printf("%d\n", used);
    return 0;
}

/** Prints the ISA that is chosen if SVE's vectors have `bytes` bytes. */
static int child_vectors(const char *bytes) {
    const bool so_long = harness_use_vectors(strtoul(bytes, NULL, 10));
    printf("%s\n", so_long ? pto_isa_name(pto_isa_active()) : "no such vectors");
    return 0;
}

static int child(const char *mode, const char *argument) {
    if (strcmp(mode, "threads") == 0) return child_threads();
    if (strcmp(mode, "compare") == 0) return child_compare();
    if (strcmp(mode, "late") == 0) return child_late(argument);
    if (strcmp(mode, "use") == 0) return child_use();
    if (strcmp(mode, "broken pipe") == 0) return child_broken_pipe();
    if (strcmp(mode, "closed stderr") == 0) return child_closed_stderr();
    if (strcmp(mode, "vectors") == 0) return child_vectors(argument);
    for (size_t i = 0; i < sizeof variant_cases / sizeof variant_cases[0]; i++)
        if (strcmp(mode, variant_cases[i].mode) == 0) return child_variant(&variant_cases[i], argument);
    for (size_t i = 0; i < sizeof variant_cases / sizeof variant_cases[0]; i++)
        if (strncmp(mode, "used ", 5) == 0 && strcmp(mode + 5, variant_cases[i].mode) == 0)
            return child_variants(&variant_cases[i], argument);
    printf("%s\n", pto_isa_name(pto_isa_active()));
    return 0;
}

/* ---- the parent ---- */

/** Runs this program as a child and returns its output. PTO_ISA is `isa`, or unset if that is NULL. */
static struct platform_outcome run_child(const char *isa, const char *mode, const char *argument) {
    const char *const arguments[] = {program, "--child", mode, argument ? argument : "", NULL};
    struct platform_outcome outcome;
    platform_set_variable("PTO_ISA", isa);
    if (!platform_run(arguments, &outcome))
        fail_msg("this program cannot start itself again; is PTO_TEST_EMULATOR missing?");
    if (outcome.status != 0) fail_msg("child %s: status %x, %s", mode, (unsigned)outcome.status, outcome.err);
    outcome.out[strcspn(outcome.out, "\n")] = 0;
    return outcome;
}

static size_t lines(const char *text) {
    size_t count = 0;
    for (; *text; text++) {
        count += *text == '\n';
    }
    return count;
}

static pto_isa isa_of_name(const char *name) {
    for (int i = 0; i < harness_isas(); i++) {
        if (strcmp(pto_isa_name((pto_isa)i), name) == 0) return (pto_isa)i;
    }
    fail_msg("\"%s\" is no ISA", name);
    return PTO_ISA_SCALAR;
}

static struct platform_outcome best(void) {
    return run_child(NULL, "active", NULL);
}

static void best_by_itself(void **state) {
    const struct platform_outcome outcome = best();
    const pto_isa isa = isa_of_name(outcome.out);

    (void)state;
    printf("the best ISA here: %s\n", outcome.out);
    assert_string_equal(outcome.err, "");
    assert_true(pto_isa_available(isa));
#if defined(__x86_64__)
    assert_int_not_equal(isa, PTO_ISA_NEON);
    if (pto_isa_available(PTO_ISA_AVX2)) assert_true(isa == PTO_ISA_AVX2 || isa == PTO_ISA_AVX512);
#elif defined(__aarch64__)
    if (!pto_isa_available(PTO_ISA_SVE)) assert_int_equal(isa, PTO_ISA_NEON);
    assert_int_not_equal(isa, PTO_ISA_SCALAR);
#elif defined(__riscv)
    if (pto_isa_available(PTO_ISA_RVV)) assert_int_equal(isa, PTO_ISA_RVV);
#endif
    if (pto_isa_available(PTO_ISA_GENERIC)) assert_int_not_equal(isa, PTO_ISA_SCALAR);
}

/** Checks that SVE is chosen for vectors of any length. */
static void best_by_vector_length(void **state) {
    static const char *const lengths[] = {"16", "32", "64", "256"};
    (void)state;
    if (!pto_isa_available(PTO_ISA_SVE)) skip();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const struct platform_outcome outcome = run_child(NULL, "vectors", lengths[i]);
        if (strcmp(outcome.out, "no such vectors") != 0) assert_string_equal(outcome.out, "sve");
        printf("vectors of %s bytes: %s\n", lengths[i], outcome.out);
    }
}

static void each_name(void **state) {
    const struct platform_outcome chosen = best();
    (void)state;
    for (int i = 0; i < harness_isas(); i++) {
        const char *name = pto_isa_name((pto_isa)i);
        const bool available = pto_isa_available((pto_isa)i);
        const struct platform_outcome outcome = run_child(name, "active", NULL);
        assert_string_equal(outcome.out, available ? name : chosen.out);
        assert_int_equal(lines(outcome.err), available ? 0 : 1);
    }
}

static void names_in_capitals(void **state) {
    (void)state;
    assert_string_equal(run_child("SCALAR", "active", NULL).out, "scalar");
    assert_string_equal(run_child("ScalaR", "active", NULL).out, "scalar");
    for (int i = 0; i < harness_isas(); i++) {
        const char *name = pto_isa_name((pto_isa)i);
        char capitals[16] = "";
        if (!pto_isa_available((pto_isa)i)) continue;
        for (size_t k = 0; name[k]; k++) {
            capitals[k] = (char)toupper(name[k]);
        }
        assert_string_equal(run_child(capitals, "active", NULL).out, name);
    }
}

/** Checks that the warning names the available ISAs and the one that is used. */
static void warning_lists_what_is_available(void **state) {
    const struct platform_outcome outcome = run_child("sse9", "active", NULL);
    char used[32];
    (void)state;
    for (int i = 0; i < harness_isas(); i++) {
        const pto_isa isa = (pto_isa)i;
        char word[32];
        char list[PLATFORM_TEXT];
        snprintf(list, sizeof list, "%.*s ", (int)strcspn(outcome.err, ","), outcome.err);
        snprintf(word, sizeof word, " %s ", pto_isa_name(isa));
        assert_int_equal(strstr(list, word) != NULL, pto_isa_available(isa));
    }
    snprintf(used, sizeof used, ", using %.15s\n", outcome.out);
    assert_non_null(strstr(outcome.err, used));
}

static void warning_goes_nowhere(void **state) {
    const struct platform_outcome chosen = best();
    (void)state;
    assert_string_equal(run_child("sse9", "broken pipe", NULL).out, chosen.out);
    assert_string_equal(run_child("sse9", "closed stderr", NULL).out, chosen.out);
}

static void unknown_names(void **state) {
    static const char *const names[] = {"sse9",    "avx",     "avx5120",
                                        "scalar ", "?",       "avx512,avx2",
                                        "SCALAR1", "avx\022", "\x01\x16\x18\x15\x11\x12"};
    const struct platform_outcome chosen = best();
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct platform_outcome outcome = run_child(names[i], "active", NULL);
        assert_string_equal(outcome.out, chosen.out);
        assert_int_equal(lines(outcome.err), 1);
        assert_true(strchr(outcome.err, '\n') == outcome.err + strlen(outcome.err) - 1);
    }
}

static void first_use_in_threads(void **state) {
    const struct platform_outcome chosen = best();
    struct platform_outcome outcome;
    (void)state;
    outcome = run_child(NULL, "threads", NULL);
    assert_string_equal(outcome.out, chosen.out);
    assert_string_equal(outcome.err, "");
    outcome = run_child("scalar", "threads", NULL);
    assert_string_equal(outcome.out, "scalar");
    for (int i = 0; i < 20; i++) { /* a race does not show every time */
        outcome = run_child("sse9", "threads", NULL);
        assert_string_equal(outcome.out, chosen.out);
        assert_int_equal(lines(outcome.err), 1);
    }
}

static void first_use_by_other_calls(void **state) {
    const struct platform_outcome chosen = best();
    struct platform_outcome outcome;
    (void)state;
    outcome = run_child(NULL, "compare", NULL);
    assert_string_equal(outcome.out, chosen.out);
    outcome = run_child("sse9", "compare", NULL);
    assert_string_equal(outcome.out, chosen.out);
    assert_int_equal(lines(outcome.err), 1);
    outcome = run_child(NULL, "late", "scalar");
    assert_string_equal(outcome.out, "scalar");
    assert_string_equal(outcome.err, "");
    outcome = run_child(NULL, "use", NULL);
    assert_string_equal(outcome.out, "scalar");
}

static void availability(void **state) {
    (void)state;
    assert_true(pto_isa_available(PTO_ISA_SCALAR));
    assert_false(pto_isa_available((pto_isa)-1));
    assert_false(pto_isa_available((pto_isa)99));
    assert_true(pto_isa_available(pto_isa_active()));
    for (int i = 0; i < harness_isas(); i++) {
        printf("%-8s %s\n", pto_isa_name((pto_isa)i),
               pto_isa_available((pto_isa)i) ? "available" : "not available");
    }
}

/** Whether the build has the better kernel and the CPU has the extensions that it needs. */
static bool is_expected(const struct variant_case *tested) {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    if (tested->isa != PTO_ISA_AVX512 || __get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
#    if defined(PTO_BUILD_AVX512_FP16)
    if (strcmp(tested->variable, "PTO_AVX512_FP16") == 0) return (d >> 23 & 1) != 0;
#    endif
#    if defined(PTO_BUILD_AVX512_VBMI)
    if (strcmp(tested->variable, "PTO_AVX512_VBMI") == 0)
        return (c >> 1 & 1) != 0 && (c >> 6 & 1) != 0 && (c >> 8 & 1) != 0;
#    endif
#elif defined(__aarch64__) && defined(__linux__)
#    if defined(PTO_BUILD_NEON_FP16)
    if (strcmp(tested->mode, "neon f16") == 0) return (getauxval(AT_HWCAP) & HWCAP_ASIMDHP) != 0;
#    endif
#    if defined(PTO_BUILD_NEON_BF16)
    if (strcmp(tested->mode, "neon bf16") == 0) return (getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0;
#    endif
#    if defined(PTO_BUILD_SVE_BF16)
    if (strcmp(tested->mode, "sve bf16") == 0) return (getauxval(AT_HWCAP2) & HWCAP2_SVEBF16) != 0;
#    endif
#elif defined(PTO_BUILD_RVV_FP16) && defined(__linux__)
    int64_t asked[2] = {4, 0}; /* key 4 of riscv_hwprobe (IMA_EXT_0); bit 30 is Zvfh */
    return syscall(258, asked, 1UL, 0UL, NULL, 0UL) == 0 && asked[0] == 4 && (asked[1] >> 30 & 1) != 0;
#endif
    (void)tested;
    return false;
}

/** Checks that the expected one of two kernels is used. Both give the same results, so the children print a number
 * from the plan. */
static void one_of_two(const struct variant_case *tested) {
    const struct platform_outcome base = run_child(NULL, tested->mode, "0"),
                                  own = run_child(NULL, tested->mode, "1");
    printf("%s with more: %s\n", tested->mode, strcmp(own.out, base.out) != 0 ? "used" : "not used");
    assert_int_equal(strcmp(own.out, base.out) != 0, is_expected(tested));
    assert_string_equal(run_child(NULL, tested->mode, "").out, own.out);
}

static void cpu_variants(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof variant_cases / sizeof variant_cases[0]; i++)
        if (pto_isa_available(variant_cases[i].isa)) one_of_two(&variant_cases[i]);
}

/** Returns the variant with the ISA and the environment variable of a case. */
static pto_variant variant_of(const struct variant_case *tested) {
    pto_variant variant;
    for (size_t i = 0; pto_isa_variant(i, &variant) == PTO_OK; i++) {
        if (variant.isa == tested->isa && strcmp(variant.variable, tested->variable) == 0) return variant;
    }
    fail_msg("no variant for %s", tested->mode);
    return variant;
}

/** Checks that pto_isa_variant() lists each variant with kernels, and that what it returns agrees with the kernels that
 * are used. */
static void variants_are_listed(void **state) {
    pto_variant variant;
    size_t count = 0;
    (void)state;
    assert_status(pto_isa_variant(0, NULL), PTO_ERR_NULL);
    memset(&variant, 0x5a, sizeof variant);
    for (; pto_isa_variant(count, &variant) == PTO_OK; count++) {
        bool has_kernels = false;
        assert_true(strcmp(pto_isa_name(variant.isa), "?") != 0);
        assert_memory_equal(variant.variable, "PTO_", 4);
        assert_true(*variant.name != 0);
        for (size_t k = 0; k < sizeof variant_cases / sizeof variant_cases[0]; k++) {
            has_kernels = has_kernels || strcmp(variant_cases[k].variable, variant.variable) == 0;
        }
        assert_true(has_kernels || !variant.built);
        assert_false(variant.used && !(variant.built && variant.supported));
        for (size_t k = 0; k < sizeof variant.reserved; k++) assert_int_equal(variant.reserved[k], 0);
    }
    assert_status(pto_isa_variant(count, &variant), PTO_ERR_SIZE);
    assert_status(pto_isa_variant(SIZE_MAX, &variant), PTO_ERR_SIZE);
    for (size_t i = 0; i < sizeof variant_cases / sizeof variant_cases[0]; i++) {
        char mode[64];
        variant = variant_of(&variant_cases[i]);
        if (!pto_isa_available(variant_cases[i].isa)) continue;
        assert_int_equal(variant.built && variant.supported, is_expected(&variant_cases[i]));
        snprintf(mode, sizeof mode, "used %s", variant_cases[i].mode);
        assert_string_equal(run_child(NULL, mode, "0").out, "0");
        assert_string_equal(run_child(NULL, mode, "1").out, is_expected(&variant_cases[i]) ? "1" : "0");
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(availability),
                                       cmocka_unit_test(best_by_itself),
                                       cmocka_unit_test(best_by_vector_length),
                                       cmocka_unit_test(each_name),
                                       cmocka_unit_test(names_in_capitals),
                                       cmocka_unit_test(unknown_names),
                                       cmocka_unit_test(warning_lists_what_is_available),
                                       cmocka_unit_test(warning_goes_nowhere),
                                       cmocka_unit_test(first_use_in_threads),
                                       cmocka_unit_test(first_use_by_other_calls),
                                       cmocka_unit_test(cpu_variants),
                                       cmocka_unit_test(variants_are_listed)};
    if (argc > 2 && strcmp(argv[1], "--child") == 0) return child(argv[2], argc > 3 ? argv[3] : "");
    program = argv[0];
    return harness_end(cmocka_run_group_tests_name("isa", tests, NULL, NULL));
}
