/* SPDX-License-Identifier: MIT */
/* NVIDIA's assembler as a witness of cvt: test_ptxas_cvt PTXAS. Every combination of the words of PTX ISA 9.0 goes
 * to it, one a line; what it does not refuse is compiled once more alone and must be the table. */
#include "support/cmocka_all.h"
#include "support/cvt_forms.h"
#include "support/harness.h"
#include "model/model_cvt.h"
#include "support/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 5, ROOM = 1024, PATH = 256 };

static const char *ptxas;
static char directory[] = "/tmp/pto-ptxas-cvt-XXXXXX";

/* ---- a file of instructions, and which of them are refused ---- */

struct listing {
    FILE *file;
    char path[PATH];
    size_t lines;
};

static void listing_open(struct listing *l) {
    snprintf(l->path, sizeof l->path, "%s/cvt.ptx", directory);
    l->file = fopen(l->path, "w");
    l->lines = 0;
    assert_non_null(l->file);
    fputs(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {\n"
          ".reg .b8 c<6>; .reg .b16 h<6>; .reg .b32 w<6>; .reg .b64 d<6>;\n",
          l->file);
}

/** Marks the lines that are refused. Returns whether the whole file was taken. */
static bool listing_judge(struct listing *l, unsigned char *refused) {
    char command[ROOM], message[ROOM];
    FILE *output;

    fputs("ret; }\n", l->file);
    fclose(l->file);
    snprintf(command, sizeof command, "'%s' -arch=sm_100a -o /dev/null '%s' 2>&1", ptxas, l->path);
    output = popen(command, "r");
    assert_non_null(output);
    while (fgets(message, sizeof message, output)) {
        const char *line = strstr(message, ", line ");
        const size_t number = line ? strtoul(line + 7, NULL, 10) : 0;
        if (strstr(message, "error") && number > HEAD && number <= HEAD + l->lines)
            refused[number - HEAD - 1] = 1;
    }
    unlink(l->path);
    return pclose(output) == 0;
}

/** The register that holds this word's type, packed or not. */
static char register_of(const struct model_cvt_word *word) {
    const size_t bits = pto_dtype_bits(word->type) * (size_t)word->lanes;
    if (bits > 32) return 'd';
    if (bits > 16) return 'w';
    return bits > 8 ? 'h' : 'c';
}

/** The instruction with such operands as its types and rounding call for. */
static void list(struct listing *l, const char *text, const struct model_cvt_word *dst,
                 const struct model_cvt_word *src, pto_round round) {
    const char d = register_of(dst), s = register_of(src);
    const bool random = round == PTO_RS;
    l->lines++;
    if (dst->lanes == 4)
        fprintf(l->file, "%s %c0, {%c1, %c2, %c3, %c4}, w5;\n", text, d, s, s, s, s);
    else if (dst->lanes == 2 && src->lanes == 1)
        fprintf(l->file, "%s %c0, %c1, %c2%s;\n", text, d, s, s, random ? ", w5" : "");
    else
        fprintf(l->file, "%s %c0, %c1;\n", text, d, s);
}

/* ---- every combination ---- */

enum { ALL = MODEL_CVT_WORDS * MODEL_CVT_WORDS * MODEL_ROUNDS * MODEL_FLAG_SETS };

static pto_cvt_op op_number(size_t i) {
    pto_cvt_op op = model_cvt_with((unsigned)(i % MODEL_FLAG_SETS));
    op.round = (pto_round)(i / MODEL_FLAG_SETS % MODEL_ROUNDS);
    return op;
}

static const struct model_cvt_word *dst_number(size_t i) {
    return &model_cvt_words[i / MODEL_FLAG_SETS / MODEL_ROUNDS % MODEL_CVT_WORDS];
}

static const struct model_cvt_word *src_number(size_t i) {
    return &model_cvt_words[i / MODEL_FLAG_SETS / MODEL_ROUNDS / MODEL_CVT_WORDS];
}

static void spell(size_t i, char text[SPELLING_TEXT]) {
    const pto_cvt_op op = op_number(i);
    char modifiers[MODEL_CVT_TEXT];
    model_cvt_opcode(&op, modifiers);
    snprintf(text, SPELLING_TEXT, "%s.%s.%s", modifiers, dst_number(i)->name, src_number(i)->name);
}

/** Whether the table has it for PTX ISA 9.0. */
static bool in_table(const char *text) {
    const struct cvt_since *row = cvt_since_of(text);
    return row && row->isa <= 90;
}

/** ptxas 13.0 took these two before the ISA had them, later ones do not. */
static bool is_early(const char *text) {
    return strcmp(text, "cvt.rn.satfinite.e2m1x2.f16x2") == 0 ||
           strcmp(text, "cvt.rn.relu.satfinite.e2m1x2.f16x2") == 0;
}

static size_t count_of_table(void) {
    size_t count = 0;
    for (size_t i = 0; i < cvt_forms_count; i++) {
        count += in_table(cvt_forms[i].text);
    }
    return count;
}

/** Some errors show only when the rest is good: what was not refused goes in again, alone. */
static void confirm(const unsigned char *refused) {
    static unsigned char again[ALL];
    struct listing l;
    listing_open(&l);
    for (size_t i = 0; i < ALL; i++) {
        char text[SPELLING_TEXT];
        if (refused[i]) continue;
        spell(i, text);
        list(&l, text, dst_number(i), src_number(i), op_number(i).round);
    }
    if (!listing_judge(&l, again)) fail_msg("ptxas refuses some of %zu lines after all", l.lines);
}

static void legality(void **state) {
    static unsigned char refused[ALL];
    size_t legal = 0;
    struct listing l;
    (void)state;
    listing_open(&l);
    for (size_t i = 0; i < ALL; i++) {
        char text[SPELLING_TEXT];
        spell(i, text);
        list(&l, text, dst_number(i), src_number(i), op_number(i).round);
    }
    listing_judge(&l, refused);
    confirm(refused);
    for (size_t i = 0; i < ALL; i++) {
        char text[SPELLING_TEXT];
        pto_cvt_op parsed;
        spell(i, text);
        if (is_early(text)) continue;
        if (!refused[i] && pto_parse_cvt(text, &parsed, NULL) != PTO_OK)
            fail_msg("%s: only ptxas takes it", text);
        if (in_table(text) == refused[i]) fail_msg("%s: ptxas says otherwise: %d", text, !refused[i]);
        legal += !refused[i];
    }
    printf("cvt: %d combinations, ptxas takes %zu of them\n", ALL, legal);
    assert_int_equal(legal, count_of_table());
}

/* ---- orders of the words ---- */

static const struct model_cvt_word *word_named(const char *name) {
    for (size_t i = 0; i < MODEL_CVT_WORDS; i++) {
        if (strcmp(model_cvt_words[i].name, name) == 0) return &model_cvt_words[i];
    }
    fail_msg("no word %s", name);
    return NULL;
}

static void list_orders(struct listing *l, const struct cvt_form *form) {
    char copy[SPELLING_TEXT], text[SPELLING_TEXT];
    struct spelling w = {{NULL}, 0, 0};
    size_t order[SPELLING_WORDS] = {0, 1, 2, 3, 4, 5, 6};
    snprintf(copy, sizeof copy, "%s", form->text);
    for (char *dot = strchr(copy, '.'); dot && w.count < SPELLING_WORDS; dot = strchr(dot + 1, '.')) {
        *dot = 0;
        w.word[w.count++] = dot + 1;
    }
    w.first_type = w.count - 2;
    do {
        spelling_join(text, "cvt", &w, order);
        list(l, text, word_named(w.word[w.count - 2]), word_named(w.word[w.count - 1]), form->op.round);
    } while (spelling_next_order(&w, order));
}

/** ptxas takes every order that test_cvt_text shows the parser to take. */
static void orders(void **state) {
    static unsigned char refused[ALL];
    struct listing l;
    (void)state;
    listing_open(&l);
    for (size_t i = 0; i < cvt_forms_count; i++) {
        if (in_table(cvt_forms[i].text)) list_orders(&l, &cvt_forms[i]);
    }
    printf("%zu orders of words\n", l.lines);
    assert_true(l.lines <= ALL);
    if (!listing_judge(&l, refused)) fail_msg("an order is refused");
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
                                        "cvt.rn.satfinite.e4m3x3.f32"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        unsigned char refused[1] = {0};
        struct listing l;
        pto_cvt_op parsed;
        listing_open(&l);
        list(&l, texts[i], word_named("f16"), word_named("f32"), PTO_RN);
        if (listing_judge(&l, refused)) fail_msg("ptxas takes %s", texts[i]);
        if (pto_parse_cvt(texts[i], &parsed, NULL) == PTO_OK) fail_msg("the parser takes %s", texts[i]);
    }
}

/** Whether it is there and knows the newest forms. */
static bool works(void) {
    unsigned char refused[1] = {0};
    struct listing l;
    listing_open(&l);
    list(&l, "cvt.rs.satfinite.e4m3x4.f32", word_named("e4m3x4"), word_named("f32"), PTO_RS);
    return listing_judge(&l, refused);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(legality), cmocka_unit_test(orders),
                                       cmocka_unit_test(malformed)};
    int status;

    if (argc < 2 || !mkdtemp(directory)) return 1;
    ptxas = argv[1];
    if (works()) {
        status = cmocka_run_group_tests_name("ptxas, cvt", tests, NULL, NULL);
    } else {
        printf("skipped: %s does not run here, or does not know PTX 9.0 and sm_100a\n", ptxas);
        status = HARNESS_SKIPPED;
    }
    rmdir(directory);
    return status;
}
