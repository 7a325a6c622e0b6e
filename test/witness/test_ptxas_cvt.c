/* SPDX-License-Identifier: MIT */
/* test_ptxas_cvt PTXAS [since]: compares the parser of cvt with ptxas, NVIDIA's assembler. ptxas gets every
 * combination of modifiers and types, one on each line. It must accept exactly the forms of the table of facts,
 * and the parser must accept the same forms. With `since`, every form is tested under each PTX version for each
 * target. */
#include "support/cmocka_all.h"
#include "support/cvt_forms.h"
#include "support/harness.h"
#include "support/spelling.h"
#include "witness/cvt_facts.h"
#include "witness/ptxas.h"

#include <stdio.h>
#include <string.h>

static struct ptxas ptxas;

/* ---- words ---- */

/** A type in cvt's spelling, the bits of one element, and the number of packed elements. */
struct word {
    const char *name;
    size_t bits;
    int lanes;
};

/* Every word that is a type in cvt's grammar, also if it is never legal. ue8m0x4 is left out, because ptxas 13.0
 * accepts its forms but does not convert with them. */
static const struct word words[] = {
    {"b8", 8, 1},     {"b16", 16, 1},    {"b32", 32, 1},    {"b64", 64, 1},   {"u8", 8, 1},
    {"u16", 16, 1},   {"u32", 32, 1},    {"u64", 64, 1},    {"s8", 8, 1},     {"s16", 16, 1},
    {"s32", 32, 1},   {"s64", 64, 1},    {"f16", 16, 1},    {"bf16", 16, 1},  {"f32", 32, 1},
    {"f64", 64, 1},   {"tf32", 32, 1},   {"e4m3", 8, 1},    {"e5m2", 8, 1},   {"e2m3", 8, 1},
    {"e3m2", 8, 1},   {"e2m1", 4, 1},    {"ue8m0", 8, 1},   {"s2f6", 8, 1},   {"ue5m3", 8, 1},
    {"f16x2", 16, 2}, {"bf16x2", 16, 2}, {"e4m3x2", 8, 2},  {"e5m2x2", 8, 2}, {"e2m3x2", 8, 2},
    {"e3m2x2", 8, 2}, {"e2m1x2", 4, 2},  {"ue8m0x2", 8, 2}, {"s2f6x2", 8, 2}, {"ue5m3x2", 8, 2},
    {"e4m3x4", 8, 4}, {"e5m2x4", 8, 4},  {"e2m3x4", 8, 4},  {"e3m2x4", 8, 4}, {"e2m1x4", 4, 4},
    {"s2f6x4", 8, 4}, {"ue5m3x4", 8, 4},
};
enum { WORDS = sizeof words / sizeof words[0] };

static const char *const rounds[] = {"",    ".rn",  ".rna", ".rz",  ".rm", ".rp",
                                     ".rs", ".rni", ".rzi", ".rmi", ".rpi"};
static const char *const flags[] = {".ftz", ".relu", ".satfinite", ".sat", ".pzo"};
static const char *const scales[] = {"", ".scaled::n1::ue8m0", ".scaled::n2::ue8m0"};
enum { ROUNDS = 11, FLAGS = 5, SCALES = 3, MODIFIERS = ROUNDS * (1 << FLAGS) * SCALES };

static const struct word *word_named(const char *name) {
    for (size_t i = 0; name && i < WORDS; i++) {
        if (strcmp(words[i].name, name) == 0) return &words[i];
    }
    fail_msg("no word %s", name ? name : "at all");
    return NULL;
}

/** Writes the spelling with the i-th combination of modifiers, in PTX's order. */
static void spell(size_t i, const struct word *dst, const struct word *src, char text[SPELLING_TEXT]) {
    size_t used = (size_t)snprintf(text, SPELLING_TEXT, "cvt%s", rounds[i % ROUNDS]);
    for (int k = 0; k < FLAGS; k++) {
        if (i / ROUNDS >> k & 1) used += (size_t)snprintf(text + used, SPELLING_TEXT - used, "%s", flags[k]);
    }
    snprintf(text + used, SPELLING_TEXT - used, "%s.%s.%s", scales[i / ROUNDS >> FLAGS], dst->name,
             src->name);
}

/* ---- instructions ---- */

static char register_of(const struct word *word) {
    return register_for(word->bits * (size_t)word->lanes);
}

/** Returns the operand that holds the scales, or "". */
static const char *extra_of(const char *text) {
    if (strstr(text, ".scaled::n1")) return ", b5";
    if (strstr(text, ".scaled::n2")) return ", h5";
    return "";
}

/** Adds the instruction, with the operands that its types and modifiers require, followed by `after`. */
static void list(struct listing *l, const char *text, const struct word *dst, const struct word *src,
                 const char *after) {
    const char d = register_of(dst), s = register_of(src);
    const char *random = strstr(text, ".rs") ? ", w5" : "", *scale = extra_of(text);
    char operands[PTXAS_OPERANDS];
    if (dst->lanes == 4)
        snprintf(operands, sizeof operands, "%c0, {%c1, %c2, %c3, %c4}, w5%s%s", d, s, s, s, s, scale, after);
    else if (dst->lanes == 2 && src->lanes == 1)
        snprintf(operands, sizeof operands, "%c0, %c1, %c2%s%s%s", d, s, s, random, scale, after);
    else
        snprintf(operands, sizeof operands, "%c0, %c1%s%s", d, s, scale, after);
    listing_add(l, text, operands);
}

/** Splits a spelling into its words, which are stored in `copy`. */
static struct spelling split(const char *text, char copy[SPELLING_TEXT]) {
    struct spelling w = {{NULL}, 0, 0};
    snprintf(copy, SPELLING_TEXT, "%s", text);
    for (char *dot = strchr(copy, '.'); dot && w.count < SPELLING_WORDS; dot = strchr(dot + 1, '.')) {
        *dot = 0;
        w.word[w.count++] = dot + 1;
    }
    w.first_type = w.count - 2;
    return w;
}

static const struct word *type_of(const struct spelling *w, size_t which) {
    return word_named(w->word[w->first_type + which]);
}

/** Adds the instruction of a fact. If `used`, the result is stored, because ptxas may drop unused results. */
static void list_fact(struct listing *l, const struct cvt_fact *fact, bool used) {
    char copy[SPELLING_TEXT], store[SPELLING_TEXT];
    const struct spelling w = split(fact->text, copy);
    const struct word *dst = type_of(&w, 0);
    const size_t bits = dst->bits * (size_t)dst->lanes;
    snprintf(store, sizeof store, "; st.volatile.global.b%zu [at], %c0", bits < 8 ? 8 : bits,
             register_of(dst));
    list(l, fact->text, dst, type_of(&w, 1), used ? store : "");
}

/* ---- what is expected ---- */

/** Returns whether `text` is one of two forms that ptxas 13.0 accepts although its ISA does not have them. */
static bool early(const char *text) {
    return strcmp(text, "cvt.rn.satfinite.e2m1x2.f16x2") == 0 ||
           strcmp(text, "cvt.rn.relu.satfinite.e2m1x2.f16x2") == 0;
}

/** Returns whether this ptxas should accept the form. */
static bool expected(const struct cvt_fact *fact) {
    return cvt_fact_holds(fact, ptxas.isa, ptxas.target) || (ptxas.isa == 90 && early(fact->text));
}

/**
 * Returns whether ptxas 13.4 and 13.5 accept `text` although it is not a form of the ISA. With .rm and .rp they crash
 * if the result is read; otherwise they ignore .pzo.
 */
static bool slip(const char *text) {
    static const char *const slips[] = {
        "cvt.rm.pzo.f16.f32",      "cvt.rp.pzo.f16.f32",      "cvt.rm.pzo.bf16.f32",
        "cvt.rp.pzo.bf16.f32",     "cvt.rn.ftz.pzo.bf16.f32", "cvt.rz.ftz.pzo.bf16.f32",
        "cvt.rm.ftz.pzo.bf16.f32", "cvt.rp.ftz.pzo.bf16.f32",
    };
    if (ptxas.isa < 94) return false;
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        if (strcmp(slips[i], text) == 0) return true;
    }
    return false;
}

/** Checks that the library accepts all forms of the table, and only these, whatever PTX version ptxas supports. */
static void compare_parser(const char *text, const struct cvt_fact *fact) {
    pto_cvt_op parsed;
    const bool taken = pto_parse_cvt(text, &parsed, NULL) == PTO_OK;
    if (taken != (fact != NULL)) fail_msg("%s: the parser says otherwise: %d", text, taken);
}

/* ---- every combination ---- */

static struct { size_t combinations, forms, slips; } seen;

static bool pair_in_table(const struct word *dst, const struct word *src) {
    char ending[SPELLING_TEXT];
    const size_t length = (size_t)snprintf(ending, sizeof ending, ".%s.%s", dst->name, src->name);
    for (size_t i = 0; i < cvt_facts_count; i++) {
        const size_t size = strlen(cvt_facts[i].text);
        if (size >= length && strcmp(cvt_facts[i].text + size - length, ending) == 0) return true;
    }
    return false;
}

/** A destination type and its pairs with all source types. */
struct destination {
    const struct word *dst;
    bool known[WORDS]; /* whether the table has any form of the pair */
};

/** Returns whether a quick run skips the spelling. It skips many that are not in the table, and most of those
 * whose pair of types is not in the table. */
static bool left_out(const struct destination *to, size_t src, size_t modifiers, const char *text) {
    const uint64_t mixed = ((uint64_t)modifiers * WORDS + src + harness_seed()) * 0x9e3779b97f4a7c15U;
    if (!harness_quick() || cvt_facts_find(text)) return false;
    return (mixed >> 32) % (to->known[src] ? 4 : 32) != 0;
}

typedef void visit(struct listing *l, size_t line, const char *text, const struct word *dst,
                   const struct word *src);

static void each_combination(struct listing *l, const struct destination *to, visit *one) {
    size_t line = 0;
    for (size_t src = 0; src < WORDS; src++) {
        for (size_t i = 0; i < MODIFIERS; i++) {
            char text[SPELLING_TEXT];
            spell(i, to->dst, &words[src], text);
            if (!left_out(to, src, i, text)) one(l, line++, text, to->dst, &words[src]);
        }
    }
}

static void list_combination(struct listing *l, size_t line, const char *text, const struct word *dst,
                             const struct word *src) {
    (void)line;
    list(l, text, dst, src, "");
}

static void compare_combination(struct listing *l, size_t line, const char *text, const struct word *dst,
                                const struct word *src) {
    const struct cvt_fact *fact = cvt_facts_find(text);
    const bool taken = l->verdict[line] == 0;
    (void)dst;
    (void)src;
    seen.combinations++;
    seen.forms += fact && taken;
    seen.slips += !fact && taken;
    if (taken != ((fact && expected(fact)) || slip(text)))
        fail_msg("%s: ptxas says otherwise than the table: %d", text, taken);
    compare_parser(text, fact);
}

static void legality(void **state) {
    (void)state;
    for (size_t i = 0; i < WORDS; i++) {
        struct destination to = {&words[i], {false}};
        struct listing l;
        for (size_t src = 0; src < WORDS; src++) {
            to.known[src] = pair_in_table(to.dst, &words[src]);
        }
        listing_open(&l, &ptxas);
        each_combination(&l, &to, list_combination);
        listing_judge(&l);
        each_combination(&l, &to, compare_combination);
        listing_close(&l);
    }
    printf("cvt: %zu combinations, ptxas takes %zu of them that are forms and %zu that are none\n",
           seen.combinations, seen.forms, seen.slips);
}

/** Assembles all forms of the table, because some errors show only if all lines are valid and all results are
 * read. */
static void forms(void **state) {
    size_t listed = 0;
    struct listing l;
    (void)state;
    assert_int_equal(cvt_facts_count, cvt_forms_count);
    listing_open(&l, &ptxas);
    for (size_t i = 0; i < cvt_facts_count; i++) {
        if (!expected(&cvt_facts[i])) continue;
        list_fact(&l, &cvt_facts[i], true);
        listed++;
    }
    if (!listing_judge(&l)) fail_msg("ptxas refuses some of %zu forms after all", listed);
    listing_close(&l);
    printf("%zu of %zu forms are assembled%s\n", listed, cvt_facts_count,
           listed < cvt_facts_count ? ", the others skipped: too new for this ptxas" : "");
}

/** Checks that cvt_legal.json lists the same forms as cvt_since.json. */
static void tables(void **state) {
    (void)state;
    for (size_t i = 0; i < cvt_forms_count; i++) {
        if (!cvt_facts_find(cvt_forms[i].text)) fail_msg("%s: not in cvt_since.json", cvt_forms[i].text);
    }
    if (cvt_forms_count != cvt_facts_count)
        fail_msg("cvt_legal.json has %zu forms, cvt_since.json %zu", cvt_forms_count, cvt_facts_count);
}

static void library(void **state) {
    (void)state;
    for (size_t i = 0; i < cvt_facts_count; i++) compare_parser(cvt_facts[i].text, &cvt_facts[i]);
}

/* ---- orders of the words ---- */

static void start_order(size_t order[SPELLING_WORDS]) {
    for (size_t i = 0; i < SPELLING_WORDS; i++) {
        order[i] = i;
    }
}

/** Adds all orders of the words of a fact, or some of them in a quick run. */
static void list_orders(struct listing *l, const struct cvt_fact *fact, struct rng *rng) {
    char copy[SPELLING_TEXT], text[SPELLING_TEXT];
    const struct spelling w = split(fact->text, copy);
    size_t order[SPELLING_WORDS];
    start_order(order);
    do {
        if (harness_quick() && rng_below(rng, 8) != 0) continue;
        spelling_join(text, "cvt", &w, order);
        list(l, text, type_of(&w, 0), type_of(&w, 1), "");
        compare_parser(text, fact);
    } while (spelling_next_order(&w, order));
}

static void judge_orders(struct listing *l, const char *last) {
    if (listing_judge(l)) {
        listing_close(l);
        return;
    }
    for (size_t i = 0; i < l->lines; i++) {
        if (l->verdict[i]) fail_msg("line %zu of the %zu up to %s is refused", i + 1, l->lines, last);
    }
    fail_msg("refused, no line named");
}

static void orders(void **state) {
    enum { BATCH = 20000 };
    size_t lines = 0;
    struct listing l;
    struct rng rng;
    (void)state;
    rng_start(&rng, "orders");
    listing_open(&l, &ptxas);
    for (size_t i = 0; i < cvt_facts_count; i++) {
        if (!expected(&cvt_facts[i])) continue;
        if (l.lines > BATCH) {
            lines += l.lines;
            judge_orders(&l, cvt_facts[i].text);
            listing_open(&l, &ptxas);
        }
        list_orders(&l, &cvt_facts[i], &rng);
    }
    lines += l.lines;
    judge_orders(&l, "the end");
    printf("%zu orders of words\n", lines);
}

/* ---- words twice, missing, unknown ---- */

static void malformed(void **state) {
    static const char *const texts[] = {"cvt.rn.rn.f16.f32",
                                        "cvt.rn.rz.f16.f32",
                                        "cvt.rn.ftz.ftz.f16.f32",
                                        "cvt.rn.f16",
                                        "cvt.rn",
                                        "cvt.rn.f16.f32.f32",
                                        "cvt.rn.foo.f16.f32",
                                        "cvt.rn.F16.f32",
                                        "cvt.RN.f16.f32",
                                        "cvt.rn.f16x4.f32",
                                        "cvt.rn.f32x2.f32",
                                        "cvt.rn.f16.pred",
                                        "cvt.rn.pzo.pzo.f16.f32",
                                        "cvt.rn.satfinite.e4m3x3.f32"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct listing l;
        pto_cvt_op parsed;
        listing_open(&l, &ptxas);
        list(&l, texts[i], word_named("f16"), word_named("f32"), "");
        if (listing_judge(&l)) fail_msg("ptxas takes %s", texts[i]);
        if (pto_parse_cvt(texts[i], &parsed, NULL) == PTO_OK) fail_msg("the parser takes %s", texts[i]);
        listing_close(&l);
    }
}

/* ---- since when ---- */

/** The versions that introduced forms, and those just before them. */
static const int versions[] = {63, 65, 70, 71, 77, 78, 80, 81, 85, 86, 87, 90, 91, 92, 93, 94, 95};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

/** Compares which forms ptxas accepts with the table, for one PTX version and target. ptxas may reject the whole file,
 * for example if the target is newer than the version, but it still reports errors for each line. */
static void compare_target(int isa, const char *target) {
    struct listing l;
    listing_open_for(&l, &ptxas, isa, target);
    for (size_t i = 0; i < cvt_facts_count; i++) {
        list_fact(&l, &cvt_facts[i], false);
    }
    listing_judge(&l);
    for (size_t i = 0; i < cvt_facts_count; i++) {
        const bool taken = l.verdict[i] == 0;
        if (taken != cvt_fact_holds(&cvt_facts[i], isa, target))
            fail_msg("%s: PTX %d.%d, %s: ptxas says otherwise: %d", cvt_facts[i].text, isa / 10, isa % 10,
                     target, taken);
    }
    listing_close(&l);
}

static void since(void **state) {
    const char *targets[CVT_FACTS_TARGETS];
    const size_t count = cvt_facts_targets(targets), step = harness_quick() ? 8 : 1;
    (void)state;
    assert_int_equal(count, 26);
    for (size_t i = step > 1 ? harness_seed() % step : 0; i < count; i += step) {
        for (size_t k = 0; k < VERSIONS; k++) {
            compare_target(versions[k], targets[i]);
        }
    }
}

static int run_since(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(since)};
    if (ptxas.isa == 95) return cmocka_run_group_tests_name("ptxas, since when", tests, NULL, NULL);
    printf("skipped: the table is that of ptxas 13.5\n");
    return HARNESS_SKIPPED;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables),   cmocka_unit_test(library),
                                       cmocka_unit_test(legality), cmocka_unit_test(forms),
                                       cmocka_unit_test(orders),   cmocka_unit_test(malformed)};
    int status;
    if (argc < 2 || harness_start(1, argv) != 0) return 1;
    if (!ptxas_start(&ptxas, argv[1])) return HARNESS_SKIPPED;
    if (argc > 2 && strcmp(argv[2], "since") == 0)
        status = run_since();
    else
        status = cmocka_run_group_tests_name("ptxas, cvt", tests, NULL, NULL);
    ptxas_stop(&ptxas);
    return harness_end(status);
}
