/* SPDX-License-Identifier: MIT */
/* Explains setp, set, comparison operators and SETcc mnemonics. */
#include "explain.h"

#include "element.h"

#include <math.h>
#include <stdio.h>

/* ---- setp, set and operators: examples for the four relations between two operands ---- */

static const struct relation {
    const char *words;
    double a, b;
} relations[] = {{"a < b", 1, 2}, {"a = b", 2, 2}, {"a > b", 2, 1}, {"a NaN", NAN, 1}};
enum { RELATIONS = sizeof relations / sizeof *relations };

/* Sets *a and *b to operands of `type` that have the relation. Returns false if the type has no such
 * operands, because it is packed or has no NaN. */
static bool operands(const struct relation *relation, pto_dtype type, uint64_t *a, uint64_t *b) {
    *a = *b = 0;
    return pto_dtype_code(type, relation->a, a) == PTO_OK && pto_dtype_code(type, relation->b, b) == PTO_OK;
}

static void setp_examples(pto_setp_op op) {
    const int kinds_of_c = op.boolop == PTO_BOOL_NONE ? 1 : 2;
    uint64_t a, b;
    if (!operands(&relations[0], op.type, &a, &b)) return;
    printf("\nresults of the comparison:\n");
    for (int i = 0; i < RELATIONS * kinds_of_c; ++i) {
        const struct relation *const relation = &relations[i / kinds_of_c];
        const uint8_t c = (uint8_t)(i % kinds_of_c);
        uint8_t p = 0, q = 0;
        if (!operands(relation, op.type, &a, &b)) continue;
        if (pto_setp(op, &a, &b, kinds_of_c == 1 ? PTO_NO_MASK : pto_bytes_in(&c), pto_bytes(&p),
                     pto_bytes(&q), 1) != PTO_OK)
            return;
        printf("  %s", relation->words);
        if (kinds_of_c == 2) printf(", c = %d", c);
        printf("  ->  p = %d, q = %d\n", p, q);
    }
}

int explain_setp(const char *text) {
    char words[PTO_EXPLAIN_SIZE];
    pto_parse_error error;
    pto_setp_op op;
    if (pto_parse_setp(text, &op, &error) != PTO_OK) return show_error(text, &error);
    if (pto_setp_explain(op, words, sizeof words) != PTO_OK) return STATUS_ERROR;
    puts(words);
    setp_examples(op);
    return STATUS_OK;
}

static void set_examples(pto_set_op op) {
    const uint8_t c = op.boolop == PTO_AND; /* with this c the result depends on the comparison */
    uint64_t a, b;
    if (!operands(&relations[0], op.stype, &a, &b)) return;
    printf("\nresults of the instruction%s:\n", op.boolop == PTO_BOOL_NONE ? ""
                                                : c != 0                   ? ", with c = 1"
                                                                           : ", with c = 0");
    for (int i = 0; i < RELATIONS; ++i) {
        uint64_t result = 0;
        char text[VALUE_TEXT_SIZE];
        if (!operands(&relations[i], op.stype, &a, &b)) continue;
        if (pto_set(op, &a, &b, op.boolop == PTO_BOOL_NONE ? PTO_NO_MASK : pto_bytes_in(&c), &result, 1) !=
            PTO_OK)
            return;
        element_text(op.dtype, &result, text);
        printf("  %s  ->  0x%0*llx  %s\n", relations[i].words, element_hex_digits(op.dtype),
               (unsigned long long)element_bits(op.dtype, &result), text);
    }
}

int explain_set(const char *text) {
    char words[PTO_EXPLAIN_SIZE];
    pto_parse_error error;
    pto_set_op op;
    if (pto_parse_set(text, &op, &error) != PTO_OK) return show_error(text, &error);
    if (pto_set_explain(op, words, sizeof words) != PTO_OK) return STATUS_ERROR;
    puts(words);
    set_examples(op);
    return STATUS_OK;
}

int explain_operator(const char *text) {
    pto_parse_error error;
    pto_cmp cmp;
    if (pto_parse_cmp(text, &cmp, &error) != PTO_OK) return show_error(text, &error);
    printf("%s: an operator of", text);
    for (pto_dtype type = PTO_B8; pto_dtype_bits(type) != 0; ++type)
        if (pto_vcmp(type, cmp, 0, "", "", PTO_NO_MASK, pto_packed(&(uint8_t){0}), 0) == PTO_OK)
            printf(" %s", pto_dtype_name(type));
    puts("\n");
    for (int i = 0; i < RELATIONS; ++i)
        for (pto_dtype type = PTO_F32; type != PTO_B8; type = type == PTO_F32 ? PTO_U32 : PTO_B8) {
            uint8_t truth = 0;
            uint64_t a, b;
            if (!operands(&relations[i], type, &a, &b)) continue;
            if (pto_vcmp(type, cmp, 0, &a, &b, PTO_NO_MASK, pto_packed(&truth), 1) != PTO_OK) continue;
            printf("  %s  ->  %s\n", relations[i].words, truth != 0 ? "true" : "false");
            break;
        }
    return STATUS_OK;
}

/* ---- SETcc ---- */

int explain_setcc(const char *text) {
    static const char *const conditions[] = {"OF",
                                             "not OF",
                                             "CF",
                                             "not CF",
                                             "ZF",
                                             "not ZF",
                                             "CF or ZF",
                                             "neither CF nor ZF",
                                             "SF",
                                             "not SF",
                                             "PF",
                                             "not PF",
                                             "SF differs from OF",
                                             "SF equals OF",
                                             "ZF, or SF differs from OF",
                                             "not ZF, and SF equals OF"};
    static const int8_t a[] = {1, 2, 2, -1, 127}, b[] = {2, 2, 1, 1, -1};
    pto_parse_error error;
    pto_cc cc;
    if (pto_parse_setcc(text, &cc, &error) != PTO_OK) return show_error(text, &error);
    printf("%s: 1 if %s, otherwise 0\n\nafter CMP of two bytes:\n", text, conditions[cc]);
    for (size_t i = 0; i < sizeof a; ++i) {
        uint8_t truth;
        if (pto_cmp_setcc(cc, PTO_S8, &a[i], &b[i], &truth, 1) != PTO_OK) return STATUS_ERROR;
        printf("  %4d, %2d  ->  %d\n", a[i], b[i], truth);
    }
    puts("\nafter UCOMISS:");
    for (int i = 0; i < RELATIONS; ++i) {
        const float x = (float)relations[i].a, y = (float)relations[i].b;
        uint8_t truth;
        if (pto_cmp_setcc(cc, PTO_F32, &x, &y, &truth, 1) != PTO_OK) return STATUS_ERROR;
        printf("  %s  ->  %d\n", relations[i].words, truth);
    }
    return STATUS_OK;
}
