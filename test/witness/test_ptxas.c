/* SPDX-License-Identifier: MIT */
/* NVIDIA's assembler as a witness: test_ptxas PTXAS. Every combination of words goes to it, one a line, and
 * the lines that it refuses, with the reason, are compared with what the parser says. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/legal_table.h"
#include "support/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** The types but the packed integers at the end, which set has since PTX ISA 9.4. */
enum { KNOWN_DTYPES = PTO_BF16X2 + 1 };

enum { HEAD = 5, COMMAND = 1024, PATH = 256 };

/** What ptxas says of a line: bits. */
enum { BAD_TYPE = 1, BAD_OP = 2, BAD_MODIFIER = 4, BAD_OTHERWISE = 8 };

static const char *ptxas;
static char directory[] = "/tmp/pto-ptxas-XXXXXX";

/** A file of instructions, and then the verdict on each. */
struct listing {
    FILE *file;
    char path[PATH];
    size_t lines;
    unsigned char *verdict;
};

static void listing_open(struct listing *l, const char *name) {
    snprintf(l->path, sizeof l->path, "%s/%s.ptx", directory, name);
    l->file = fopen(l->path, "w");
    l->lines = 0;
    l->verdict = NULL;
    assert_non_null(l->file);
    fputs(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() {\n"
          ".reg .pred p,c; .reg .b16 h0,h1,h2; .reg .b32 w0,w1,w2; .reg .b64 d0,d1,d2;\n",
          l->file);
}

/** A register that a type of this width goes into: ptxas has none of 8 bits. */
static char register_of(pto_dtype type) {
    switch (pto_dtype_bits(type)) {
    case 64: return 'd';
    case 32: return 'w';
    default: return 'h';
    }
}

static void list_setp(struct listing *l, const pto_setp_op *op, const char *text) {
    const char r = register_of(op->type);
    fprintf(l->file, "%s p, %c0, %c1%s;\n", text, r, r, op->boolop ? ", c" : "");
    l->lines++;
}

static void list_set(struct listing *l, const pto_set_op *op, const char *text) {
    const char r = register_of(op->stype);
    fprintf(l->file, "%s %c2, %c0, %c1%s;\n", text, register_of(op->dtype), r, r, op->boolop ? ", c" : "");
    l->lines++;
}

static unsigned reason(const char *message) {
    if (strstr(message, "Unexpected instruction types")) return BAD_TYPE;
    if (strstr(message, "Mismatch between instruction type and comparison")) return BAD_OP;
    if (strstr(message, "Illegal modifier")) return BAD_MODIFIER;
    return BAD_OTHERWISE;
}

/** Run ptxas and note each complaint. Returns whether it took the whole file. */
static bool listing_judge(struct listing *l) {
    char command[COMMAND], message[COMMAND];
    FILE *output;

    fputs("ret; }\n", l->file);
    fclose(l->file);
    l->verdict = calloc(l->lines + 1, 1);
    assert_non_null(l->verdict);
    snprintf(command, sizeof command, "'%s' -arch=sm_100a -o /dev/null '%s' 2>&1", ptxas, l->path);
    output = popen(command, "r");
    assert_non_null(output);
    while (fgets(message, sizeof message, output)) {
        const char *line = strstr(message, ", line ");
        const size_t number = line ? strtoul(line + 7, NULL, 10) : 0;
        if (number > HEAD && number <= HEAD + l->lines) l->verdict[number - HEAD - 1] |= reason(message);
    }
    return pclose(output) == 0;
}

static void listing_close(struct listing *l) {
    unlink(l->path);
    free(l->verdict);
}

static pto_status status_of(unsigned verdict) {
    if (verdict & BAD_TYPE) return PTO_ERR_TYPE;
    if (verdict & BAD_OP) return PTO_ERR_OP;
    if (verdict & BAD_MODIFIER) return PTO_ERR_MODIFIER;
    return verdict ? PTO_ERR_PARSE : PTO_OK;
}

/* ---- setp ---- */

static pto_setp_op setp_number(size_t i) {
    pto_setp_op op = {.boolop = (pto_boolop)(i % MODEL_BOOLS)};
    op.ftz = i / MODEL_BOOLS % 2;
    op.cmp = (pto_cmp)(i / (size_t)(2 * MODEL_BOOLS) % MODEL_OPS);
    op.type = (pto_dtype)(i / (size_t)(2 * MODEL_BOOLS * MODEL_OPS));
    return op;
}

static void setp_legality(void **state) {
    enum { ALL = KNOWN_DTYPES * MODEL_OPS * MODEL_BOOLS * 2 };
    size_t legal = 0;
    struct listing l;
    (void)state;
    listing_open(&l, "setp");
    for (size_t i = 0; i < ALL; i++) {
        const pto_setp_op op = setp_number(i);
        const struct spelling w = spelling_of_setp(&op);
        char text[SPELLING_TEXT];
        spelling_join(text, "setp", &w, NULL);
        list_setp(&l, &op, text);
    }
    listing_judge(&l);
    for (size_t i = 0; i < ALL; i++) {
        const pto_setp_op op = setp_number(i);
        const struct spelling w = spelling_of_setp(&op);
        const pto_status want = status_of(l.verdict[i]);
        char text[SPELLING_TEXT];
        pto_setp_op parsed;
        spelling_join(text, "setp", &w, NULL);
        if (pto_parse_setp(text, &parsed, NULL) != want)
            fail_msg("%s: ptxas gives status %d", text, (int)want);
        if (legal_table_setp(pto_dtype_name(op.type), op.ftz, model_op_name(op.cmp)) != (want == PTO_OK))
            fail_msg("%s: not as in the table", text);
        legal += want == PTO_OK;
    }
    listing_close(&l);
    printf("setp: %d combinations, ptxas takes %zu of them\n", ALL, legal);
    assert_int_equal(legal, LEGAL_SETP_FORMS * MODEL_BOOLS);
}

/* ---- set ---- */

static pto_set_op set_number(size_t i) {
    pto_set_op op = {.boolop = (pto_boolop)(i % MODEL_BOOLS)};
    op.ftz = i / MODEL_BOOLS % 2;
    op.cmp = (pto_cmp)(i / (size_t)(2 * MODEL_BOOLS) % MODEL_OPS);
    op.stype = (pto_dtype)(i / (size_t)(2 * MODEL_BOOLS * MODEL_OPS) % KNOWN_DTYPES);
    op.dtype = (pto_dtype)(i / (size_t)(2 * MODEL_BOOLS * MODEL_OPS * KNOWN_DTYPES));
    return op;
}

static void set_legality(void **state) {
    enum { ALL = KNOWN_DTYPES * KNOWN_DTYPES * MODEL_OPS * MODEL_BOOLS * 2 };
    size_t legal = 0;
    struct listing l;
    (void)state;
    listing_open(&l, "set");
    for (size_t i = 0; i < ALL; i++) {
        const pto_set_op op = set_number(i);
        const struct spelling w = spelling_of_set(&op);
        char text[SPELLING_TEXT];
        spelling_join(text, "set", &w, NULL);
        list_set(&l, &op, text);
    }
    listing_judge(&l);
    for (size_t i = 0; i < ALL; i++) {
        const pto_set_op op = set_number(i);
        const struct spelling w = spelling_of_set(&op);
        const pto_status want = status_of(l.verdict[i]);
        char text[SPELLING_TEXT];
        pto_set_op parsed;
        spelling_join(text, "set", &w, NULL);
        if (pto_parse_set(text, &parsed, NULL) != want)
            fail_msg("%s: ptxas gives status %d", text, (int)want);
        if (legal_table_set(pto_dtype_name(op.dtype), pto_dtype_name(op.stype), op.ftz,
                            model_op_name(op.cmp)) != (want == PTO_OK))
            fail_msg("%s: not as in the table", text);
        legal += want == PTO_OK;
    }
    listing_close(&l);
    printf("set: %d combinations, ptxas takes %zu of them\n", ALL, legal);
    assert_int_equal(legal, (LEGAL_SET_FORMS - LEGAL_PACKED_FORMS) * MODEL_BOOLS);
}

/* ---- orders of the words ---- */

static void list_setp_orders(struct listing *l, const pto_setp_op *op) {
    const struct spelling w = spelling_of_setp(op);
    size_t order[SPELLING_WORDS] = {0, 1, 2, 3, 4};
    char text[SPELLING_TEXT];
    if (model_setp_status(*op) != PTO_OK) return;
    do {
        spelling_join(text, "setp", &w, order);
        list_setp(l, op, text);
    } while (spelling_next_order(&w, order));
}

static void list_set_orders(struct listing *l, const pto_set_op *op) {
    const struct spelling w = spelling_of_set(op);
    size_t order[SPELLING_WORDS] = {0, 1, 2, 3, 4};
    char text[SPELLING_TEXT];
    if (model_set_status(*op) != PTO_OK) return;
    do {
        spelling_join(text, "set", &w, order);
        list_set(l, op, text);
    } while (spelling_next_order(&w, order));
}

/** ptxas takes every order that test_text shows the parser to take. */
static void orders(void **state) {
    struct listing l;
    (void)state;
    listing_open(&l, "orders");
    for (size_t i = 0; i < (size_t)KNOWN_DTYPES * MODEL_OPS * MODEL_BOOLS * 2; i++) {
        const pto_setp_op op = setp_number(i);
        list_setp_orders(&l, &op);
    }
    for (size_t i = 0; i < (size_t)KNOWN_DTYPES * KNOWN_DTYPES * MODEL_OPS * MODEL_BOOLS * 2; i++) {
        const pto_set_op op = set_number(i);
        list_set_orders(&l, &op);
    }
    printf("%zu orders of words\n", l.lines);
    if (!listing_judge(&l)) {
        for (size_t i = 0; i < l.lines; i++) {
            if (l.verdict[i]) fail_msg("%s: line %zu is refused", l.path, i + HEAD + 1);
        }
        fail_msg("refused, no line named");
    }
    listing_close(&l);
}

/* ---- words twice, missing, unknown ---- */

static void malformed(void **state) {
    static const char *const texts[] = {"setp.lt.lt.f32",      "setp.lt.gt.f32",  "setp.lt.and.and.f32",
                                        "setp.lt.and.or.f32",  "setp.f32",        "setp.lt",
                                        "setp.lt.ftz.ftz.f32", "setp.lt.f32.f32", "setp.lt.f32.f64",
                                        "setp.lt.foo.f32",     "setp.lt.sat.f32", "setp.lt.rn.f32",
                                        "setp.eq.b128",        "setp.LT.f32",     "setp.lt.F32"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const bool boolop = strstr(texts[i], ".and") != NULL;
        const pto_setp_op shape = {PTO_F32, PTO_LT, boolop ? PTO_AND : PTO_BOOL_NONE, false, false};
        struct listing l;
        pto_setp_op parsed;
        listing_open(&l, "malformed");
        list_setp(&l, &shape, texts[i]);
        if (listing_judge(&l)) fail_msg("ptxas takes %s", texts[i]);
        if (pto_parse_setp(texts[i], &parsed, NULL) == PTO_OK) fail_msg("the parser takes %s", texts[i]);
        listing_close(&l);
    }
}

/** Whether it is there and knows the newest forms. */
static bool works(void) {
    char command[COMMAND], path[PATH];
    FILE *file;
    bool good;
    snprintf(path, sizeof path, "%s/probe.ptx", directory);
    file = fopen(path, "w");
    if (!file) return false;
    fputs(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k() { ret; }\n", file);
    fclose(file);
    snprintf(command, sizeof command, "'%s' -arch=sm_100a -o /dev/null '%s' >/dev/null 2>&1", ptxas, path);
    good = system(command) == 0;
    unlink(path);
    return good;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(setp_legality), cmocka_unit_test(set_legality),
                                       cmocka_unit_test(orders), cmocka_unit_test(malformed)};
    int status;

    if (argc < 2 || !mkdtemp(directory)) return 1;
    ptxas = argv[1];
    if (works()) {
        status = cmocka_run_group_tests_name("ptxas", tests, NULL, NULL);
    } else {
        printf("skipped: %s does not run here, or does not know PTX 9.0 and sm_100a\n", ptxas);
        status = HARNESS_SKIPPED;
    }
    rmdir(directory);
    return status;
}
