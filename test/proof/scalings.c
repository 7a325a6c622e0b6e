/* SPDX-License-Identifier: MIT */
/* Prints the calls of block scaling kernels that have obligations, one per line: the kernel, a text, the bits of an
 * operand and of a result, the largest operand, a limit of products, the offsets of the words of struct scaling that
 * depend on the second-level value or eps (or "-"), and the bytes of the struct. */
#include "calls/block_call.h"
#include "core/types.h"
#include "pto/pto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = sizeof(struct scaling) / 4, TEXTS = 1000 };

static const char *const scale_ops[SCALE_OPS] = {"multiply", "divide", "divide_cast", "clamp", "nearest"};

static char printed[TEXTS][80];
static size_t texts;

/* Returns whether a text is new. */
static bool is_new(const char *text) {
    for (size_t i = 0; i < texts; ++i)
        if (strcmp(printed[i], text) == 0) return false;
    if (texts == TEXTS) {
        fprintf(stderr, "scalings.c: TEXTS is too small\n");
        exit(1);
    }
    snprintf(printed[texts++], sizeof printed[0], "%s", text);
    return true;
}

/* Prints the struct for an op. Words that differ if op.tensor differs depend on it. */
static void print_scaling(pto_block_op op) {
    struct scaling first = pto_block_prepare(&op), second;
    unsigned char a[sizeof first], b[sizeof first];
    bool any = false;
    op.tensor = 3.0F;
    second = pto_block_prepare(&op);
    memcpy(a, &first, sizeof a);
    memcpy(b, &second, sizeof b);
    for (size_t i = 0; i < WORDS; ++i)
        if (memcmp(a + 4 * i, b + 4 * i, 4) != 0) {
            printf("%s%zu", any ? "," : " ", 4 * i);
            any = true;
        }
    printf("%s ", any ? "" : " -");
    for (size_t i = 0; i < sizeof a; ++i) printf("%02x", a[i]);
    putchar('\n');
}

static void print_call(const char *kernel, const char *text, int from, int to, u32 largest, u32 limit,
                       const pto_block_op *op) {
    if (!is_new(text)) return;
    printf("%s %s %d %d %u %u", kernel, text, from, to, (unsigned)largest, (unsigned)limit);
    print_scaling(*op);
}

static void print_elements(const pto_block_op *op, const struct scaling *s) {
    const int type = pto_dtypes[op->wide].bits, elem = pto_dtypes[op->elem].bits;
    const u32 any = (u32)low_bits((size_t)type);
    const char *const how = scale_ops[s->scale_op];
    const enum scale_op by = s->scale_op;
    const bool has_range =
        by == SCALE_MULTIPLY || by == SCALE_NEAREST || (by == SCALE_CLAMP && op->elem == PTO_E2M1);
    char text[80];
    snprintf(text, sizeof text, "quantize.%s.%s.%s", how, pto_dtype_name(op->elem), pto_dtype_name(op->wide));
    print_call("quantize", text, type, elem, any, 0, op);
    if (has_range) {
        snprintf(text, sizeof text, "quantize_in_range.%s.%s.%s", how, pto_dtype_name(op->elem),
                 pto_dtype_name(op->wide));
        print_call("quantize_in_range", text, type, elem, any, bits_of_float(s->product_limit), op);
    }
    snprintf(text, sizeof text, "dequantize.%s", pto_dtype_name(op->wide));
    print_call("dequantize", text, 16, type, 0xffff, 0, op);
    if (s->scale_op > SCALE_DIVIDE_CAST) return;
    snprintf(text, sizeof text, "products.%s.%s", how, pto_dtype_name(op->wide));
    print_call("products", text, type, 32, any, 0, op);
}

static void print_scales(const pto_block_op *op, const struct scaling *s) {
    const struct block_rule *rule = &pto_block_rules[op->rule];
    const int type = pto_dtypes[op->wide].bits, bits = pto_dtypes[pto_block_scale_type(op->rule)].bits;
    const u32 any = (u32)low_bits((size_t)type - 1), scale = (u32)low_bits((size_t)bits);
    const char *const level = op->two_level ? ".two_level" : op->pow2 ? ".pow2" : "";
    char text[80];
    if (rule->choice == CHOICE_NONE) {
        snprintf(text, sizeof text, "scales.%s%s.%s.%s", rule->name, level, pto_dtype_name(op->elem),
                 pto_dtype_name(op->wide));
        print_call("scales", text, type - 1, bits + 32,
                   s->propagates_nan ? any : (u32)cvt_inf_code(cvt_format_of(op->wide)), 0, op);
    }
    snprintf(text, sizeof text, "factors.%s%s", rule->name, level);
    print_call("factors", text, bits, 32, scale, 0, op);
    snprintf(text, sizeof text, "dequantize_factors.%s%s", rule->name, level);
    print_call("dequantize_factors", text, bits, 32, scale, 0, op);
}

static void print_op(pto_block_op op) {
    const struct scaling s = pto_block_prepare(&op);
    print_elements(&op, &s);
    print_scales(&op, &s);
}

static void print_rule(pto_block_rule number) {
    const struct block_rule *rule = &pto_block_rules[number];
    for (unsigned elem = 0; elem < PTO_BFP8; ++elem) {
        if (!is_elem_type((pto_dtype)elem) || (rule->elems & elem_bit((pto_dtype)elem)) == 0) continue;
        for (unsigned type = PTO_F16; type <= PTO_F32; ++type)
            for (unsigned how = 0; how < 2; ++how) {
                pto_block_op op = {0};
                op.wide = (pto_dtype)type;
                op.elem = (pto_dtype)elem;
                op.rule = number;
                op.two_level = rule->level != LEVEL_NONE && (how == 1 || rule->choice != CHOICE_NONE);
                op.pow2 = rule->takes_pow2 && how == 1;
                op.tensor = op.two_level || rule->takes_eps ? 0.7F : 0.0F;
                print_op(op);
            }
    }
}

int main(void) {
    for (unsigned rule = 0; rule < PTO_BLOCK_RULE_LIMIT; ++rule)
        if (is_block_rule((pto_block_rule)rule) && pto_block_rules[rule].family != FAMILY_BFP)
            print_rule((pto_block_rule)rule);
    return 0;
}
