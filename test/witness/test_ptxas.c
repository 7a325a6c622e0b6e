/* SPDX-License-Identifier: MIT */
/* test_ptxas PTXAS: compares the parsers of setp and set with ptxas, NVIDIA's assembler. ptxas gets every
 * combination of modifiers and types, one on each line. The lines that it rejects, and its reasons, must match the
 * parser's status. */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/legal_table.h"
#include "support/spelling.h"
#include "witness/ptxas.h"

#include <stdio.h>
#include <string.h>

/** All types except packed integers, whose types are one word in the text. They have their own test. */
enum { KNOWN_DTYPES = PTO_BF16X2 + 1 };

static struct ptxas ptxas;

static char register_of(pto_dtype type) {
    return register_for(pto_dtype_bits(type) < 16 ? 16 : pto_dtype_bits(type)); /* b registers are not used */
}

static void list_setp(struct listing *l, const pto_setp_op *op, const char *text) {
    const char r = register_of(op->type);
    char operands[PTXAS_OPERANDS];
    snprintf(operands, sizeof operands, "p, %c0, %c1%s", r, r, op->boolop ? ", c" : "");
    listing_add(l, text, operands);
}

static void list_set(struct listing *l, const pto_set_op *op, const char *text) {
    const char r = register_of(op->stype);
    char operands[PTXAS_OPERANDS];
    snprintf(operands, sizeof operands, "%c2, %c0, %c1%s", register_of(op->dtype), r, r,
             op->boolop ? ", c" : "");
    listing_add(l, text, operands);
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
    listing_open(&l, &ptxas);
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
            fail_msg("%s: ptxas gives %s", text, status_name(want));
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
    listing_open(&l, &ptxas);
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
            fail_msg("%s: ptxas gives %s", text, status_name(want));
        if (legal_table_set(pto_dtype_name(op.dtype), pto_dtype_name(op.stype), op.ftz,
                            model_op_name(op.cmp)) != (want == PTO_OK))
            fail_msg("%s: not as in the table", text);
        legal += want == PTO_OK;
    }
    listing_close(&l);
    printf("set: %d combinations, ptxas takes %zu of them\n", ALL, legal);
    assert_int_equal(legal, (LEGAL_SET_FORMS - LEGAL_PACKED_FORMS) * MODEL_BOOLS);
}

/* ---- set of packed integers: one type, that of the lanes of d, a and b, which are 32-bit registers ---- */

/* Types that have forms, and similar ones that have none. */
static const char *const packed_types[] = {"u8x4", "s8x4",  "u16x2", "s16x2",
                                           "b8x4", "b16x2", "u8x2",  "s16x4"};
static const char *const packed_bools[] = {"", ".and", ".or", ".xor"};
enum {
    PACKED_TYPES = sizeof packed_types / sizeof packed_types[0],
    PACKED_BOOLS = 4,
    PACKED_ALL = PACKED_TYPES * MODEL_OPS * 2 * PACKED_BOOLS
};
static const int packed_since = 94; /* the PTX version that introduced them */

struct packed {
    const char *type, *cmp, *boolop;
    bool ftz;
};

static struct packed packed_number(size_t i) {
    const struct packed op = {packed_types[i / (size_t)(2 * PACKED_BOOLS * MODEL_OPS)],
                              model_op_name((pto_cmp)(i / (size_t)(2 * PACKED_BOOLS) % MODEL_OPS)),
                              packed_bools[i % PACKED_BOOLS], i / PACKED_BOOLS % 2 != 0};
    return op;
}

/** Writes the spelling, with the operator first, as in PTX, or with the type first. */
static void packed_spell(const struct packed *op, bool type_first, char text[SPELLING_TEXT]) {
    snprintf(text, SPELLING_TEXT, "set.%s%s%s.%s", type_first ? op->type : op->cmp, op->boolop,
             op->ftz ? ".ftz" : "", type_first ? op->cmp : op->type);
}

static void list_packed(struct listing *l, const struct packed *op, bool type_first) {
    char text[SPELLING_TEXT];
    packed_spell(op, type_first, text);
    listing_add(l, text, *op->boolop ? "w0, w1, w2, c" : "w0, w1, w2");
}

static bool packed_legal(const struct packed *op) {
    return !*op->boolop && legal_table_set(op->type, op->type, op->ftz, op->cmp);
}

/** Returns whether the parser accepts the operation. Both orders must agree, and illegal operations must be
 * rejected. */
static bool parser_takes(const struct packed *op) {
    bool takes[2];
    char text[SPELLING_TEXT];
    for (int i = 0; i < 2; i++) {
        pto_set_op parsed;
        packed_spell(op, i == 1, text);
        takes[i] = pto_parse_set(text, &parsed, NULL) == PTO_OK;
    }
    if (takes[0] != takes[1] || (takes[0] && !packed_legal(op)))
        fail_msg("%s: the parser says otherwise", text);
    return takes[0];
}

static void compare_library(size_t taken) {
    printf("packed set: the parser takes %zu of %d forms\n", taken, LEGAL_PACKED_FORMS);
    assert_int_equal(taken, LEGAL_PACKED_FORMS);
}

/** Compares the verdicts of ptxas on one operation, in both orders, with `want`. */
static void compare_packed(const struct listing *l, size_t i, const struct packed *op, bool want) {
    char text[SPELLING_TEXT];
    for (size_t order = 0; order < 2; order++) {
        packed_spell(op, order == 1, text);
        if ((l->verdict[2 * i + order] == 0) != want)
            fail_msg("%s: ptxas says otherwise than the table", text);
    }
}

static void packed_set(void **state) {
    const bool known = ptxas.isa >= packed_since;
    size_t legal = 0, parsed = 0;
    struct listing l;
    (void)state;
    listing_open(&l, &ptxas);
    for (size_t i = 0; i < 2 * (size_t)PACKED_ALL; i++) {
        const struct packed op = packed_number(i / 2);
        list_packed(&l, &op, i % 2 != 0);
    }
    listing_judge(&l);
    for (size_t i = 0; i < PACKED_ALL; i++) {
        const struct packed op = packed_number(i);
        const bool want = packed_legal(&op) && known;
        compare_packed(&l, i, &op, want);
        legal += want;
        parsed += parser_takes(&op);
    }
    listing_close(&l);
    assert_int_equal(legal, known ? LEGAL_PACKED_FORMS : 0);
    printf("packed set: %d combinations, ptxas takes %zu of them%s\n", PACKED_ALL, legal,
           known ? "" : "; the forms of PTX 9.4 are skipped: too new for this ptxas");
    compare_library(parsed);
}

/* ---- orders of the words ---- */

static void start_order(size_t order[SPELLING_WORDS]) {
    for (size_t i = 0; i < SPELLING_WORDS; i++) {
        order[i] = i;
    }
}

static void list_setp_orders(struct listing *l, const pto_setp_op *op) {
    const struct spelling w = spelling_of_setp(op);
    size_t order[SPELLING_WORDS];
    char text[SPELLING_TEXT];
    if (model_setp_status(*op) != PTO_OK) return;
    start_order(order);
    do {
        spelling_join(text, "setp", &w, order);
        list_setp(l, op, text);
    } while (spelling_next_order(&w, order));
}

static void list_set_orders(struct listing *l, const pto_set_op *op) {
    const struct spelling w = spelling_of_set(op);
    size_t order[SPELLING_WORDS];
    char text[SPELLING_TEXT];
    if (model_set_status(*op) != PTO_OK) return;
    start_order(order);
    do {
        spelling_join(text, "set", &w, order);
        list_set(l, op, text);
    } while (spelling_next_order(&w, order));
}

/** Checks that ptxas accepts every order of the words of a legal form. check_text.c tests the same orders with the
 * parser. */
static void orders(void **state) {
    struct listing l;
    (void)state;
    listing_open(&l, &ptxas);
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
            if (l.verdict[i]) fail_msg("line %zu of %zu is refused", i + 1, l.lines);
        }
        fail_msg("refused, no line named");
    }
    listing_close(&l);
}

/* ---- words twice, missing, unknown ---- */

static void malformed(void **state) {
    static const char *const texts[] = {
        "setp.lt.lt.f32",  "setp.lt.gt.f32",  "setp.lt.and.and.f32", "setp.lt.and.or.f32",
        "setp.f32",        "setp.lt",         "setp.lt.ftz.ftz.f32", "setp.lt.f32.f32",
        "setp.lt.f32.f64", "setp.lt.foo.f32", "setp.lt.sat.f32",     "setp.lt.rn.f32",
        "setp.eq.b128",    "setp.LT.f32",     "setp.lt.F32",         "setp.lt.u8x4"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const bool boolop = strstr(texts[i], ".and") != NULL;
        const pto_setp_op shape = {PTO_F32, PTO_LT, boolop ? PTO_AND : PTO_BOOL_NONE, false, false};
        struct listing l;
        pto_setp_op parsed;
        listing_open(&l, &ptxas);
        list_setp(&l, &shape, texts[i]);
        if (listing_judge(&l)) fail_msg("ptxas takes %s", texts[i]);
        if (pto_parse_setp(texts[i], &parsed, NULL) == PTO_OK) fail_msg("the parser takes %s", texts[i]);
        listing_close(&l);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(setp_legality), cmocka_unit_test(set_legality),
                                       cmocka_unit_test(packed_set), cmocka_unit_test(orders),
                                       cmocka_unit_test(malformed)};
    int status;

    if (argc < 2) return 1;
    if (!ptxas_start(&ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas", tests, NULL, NULL);
    ptxas_stop(&ptxas);
    return harness_end(status);
}
