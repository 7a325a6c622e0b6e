/* SPDX-License-Identifier: MIT */
/* Quantizes a tensor by each rule of a format, and compares the results with those of one of the rules. */
#include "element.h"
#include "explorer.h"
#include "script.h"
#include "words.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules and formats ---- */

/* Returns whether a rule is of a family: mx, nv, fp8 or bfp, the part of the rule's name before the first dot. */
static bool is_family(pto_block_rule rule, const char *family) {
    const char *const name = pto_block_rule_name(rule);
    return strncmp(name, family, strlen(family)) == 0 && name[strlen(family)] == '.';
}

/* Returns the eps of the framework that a rule comes from, the default of the Python package. */
static float eps_of(pto_block_rule rule) {
    switch (rule) {
    case PTO_FP8_DIV:
    case PTO_FP8_MUL: return 1e-10F;
    case PTO_FP8_RCP: return 1e-4F;
    case PTO_FP8_AO: return 1e-12F;
    default: return 0;
    }
}

/* Returns whether a NaN in the tensor makes the second-level value of a rule a NaN. */
static bool keeps_nan(pto_block_rule rule) {
    return rule == PTO_NV_AO || rule == PTO_NV_MODELOPT || rule == PTO_NV_CT || rule == PTO_NV_46_MODELOPT;
}

/* Sets *op to a rule with the block and the modifiers that frameworks use. Returns whether the rule has the element
 * type and the rounding. */
static bool make_op(pto_block_rule rule, pto_dtype wide, pto_dtype elem, pto_round round, bool pow2,
                    pto_block_op *op) {
    *op = (pto_block_op){.wide = wide, .elem = elem, .rule = rule, .round = round, .pow2 = pow2};
    op->block_rows = 1;
    op->block_cols = is_family(rule, "mx") ? 32 : is_family(rule, "fp8") ? 128 : 16;
    op->tensor = eps_of(rule);
    op->two_level = is_family(rule, "nv");
    if (pto_block_check(*op) == PTO_OK) return true;
    op->two_level = false;
    return pto_block_check(*op) == PTO_OK;
}

static bool is_rule(pto_block_rule rule) {
    return *pto_block_rule_name(rule) != '?';
}

/* Prints each format, which is a family of rules and an element type, with the number of its rules. */
static int run_groups(int argc, char **argv) {
    static const char *const families[] = {"mx", "nv", "fp8", "bfp"};
    (void)argc, (void)argv;
    for (size_t f = 0; f < sizeof families / sizeof *families; ++f)
        for (pto_dtype elem = PTO_B8; is_type(elem); ++elem) {
            pto_block_op op = {.elem = elem}, first = op;
            unsigned count = 0;
            for (pto_block_rule rule = 0; rule < (pto_block_rule)PTO_BLOCK_RULE_LIMIT; ++rule) {
                if (!is_rule(rule) || !is_family(rule, families[f])) continue;
                for (int pow2 = 0; pow2 < 2; ++pow2)
                    if (make_op(rule, PTO_F32, elem, PTO_RN, pow2 != 0, &op) && count++ == 0) first = op;
            }
            if (count != 0)
                printf("{\"family\":\"%s\",\"elem\":\"%s\",\"rules\":%u,\"block\":[%zu,%zu]}\n", families[f],
                       pto_dtype_name(elem), count, first.block_rows, first.block_cols);
        }
    return STATUS_OK;
}

const struct command command_groups = {.name = "groups", .run = run_groups};

/* ---- one rule ---- */

struct tensor_input {
    pto_dtype wide;
    const void *x;
    size_t rows, cols;
    size_t row, first, shown;      /* the elements to print: `shown` of this row, from column `first` on */
    size_t block_rows, block_cols; /* 0: those of the format */
    uint32_t *random;              /* words for stochastic rounding, NULL for rounding to nearest */
};

/* Returns the number of random words for a row, one for each four elements. */
static size_t row_words(const struct tensor_input *t) {
    return (t->cols + 3) / 4;
}

struct quantized {
    pto_block_op op;
    pto_block_size size;
    unsigned char *codes, *scales;
    void *y;
};

static void *allocate(size_t bytes) {
    void *const memory = calloc(bytes + 8, 1);
    if (memory == NULL) out_of_memory();
    return memory;
}

static void free_quantized(struct quantized *q) {
    free(q->codes);
    free(q->scales);
    free(q->y);
    *q = (struct quantized){.codes = NULL};
}

static pto_status quantize(const struct tensor_input *t, pto_block_op op, struct quantized *q) {
    pto_status status = PTO_OK;
    if (op.two_level) {
        float amax = 0;
        status = pto_block_amax(t->wide, t->x, 0, t->rows, t->cols, keeps_nan(op.rule), &amax);
        if (status == PTO_OK) status = pto_block_tensor(op.rule, amax, &op.tensor);
    }
    *q = (struct quantized){.op = op};
    if (status == PTO_OK) status = pto_block_sizes(op, t->rows, t->cols, &q->size);
    if (status != PTO_OK) return status;
    q->codes = allocate(q->size.row_bytes * t->rows);
    q->scales = allocate(q->size.scale_rows * q->size.scale_cols * q->size.scale_bytes);
    q->y = allocate(t->rows * t->cols * pto_dtype_bits(t->wide) / 8);
    status = pto_block_quantize(op, t->x, 0, t->rows, t->cols, q->codes, 0, q->scales, 0, t->random);
    if (status != PTO_OK) return status;
    return pto_block_dequantize(op, q->codes, 0, q->scales, 0, t->rows, t->cols, q->y, 0);
}

/* Returns the number of elements whose bits differ, in rows of n elements that begin at whole bytes. */
static size_t differences(pto_dtype type, size_t rows, size_t n, size_t row_bytes, const unsigned char *a,
                          const unsigned char *b) {
    size_t count = 0;
    for (size_t row = 0; row < rows; ++row)
        for (size_t i = 0; i < n; ++i) {
            unsigned char x[8], y[8];
            element_at(type, a + row * row_bytes, i, x);
            element_at(type, b + row * row_bytes, i, y);
            count += memcmp(x, y, 8) != 0;
        }
    return count;
}

/* Prints the largest and the root-mean-square error of the elements that are finite before and after. */
static void put_errors(const struct tensor_input *t, const struct quantized *q) {
    const size_t n = t->rows * t->cols;
    double sum = 0, most = 0;
    size_t finite = 0, lost = 0;
    for (size_t i = 0; i < n; ++i) {
        unsigned char a[8], b[8];
        double x, y;
        element_at(t->wide, t->x, i, a);
        element_at(t->wide, q->y, i, b);
        (void)element_value(t->wide, a, &x);
        (void)element_value(t->wide, b, &y);
        if (!isfinite(x)) continue;
        if (!isfinite(y)) {
            ++lost;
            continue;
        }
        ++finite;
        sum += (x - y) * (x - y);
        most = fmax(most, fabs(x - y));
    }
    printf(",\"max_error\":%.6g,\"rms_error\":%.6g,\"not_finite\":%zu", most,
           finite != 0 ? sqrt(sum / (double)finite) : 0, lost);
}

static void put_result(const struct tensor_input *t, const struct quantized *q,
                       const struct quantized *against) {
    const pto_dtype scale = pto_block_scale_type(q->op.rule);
    const size_t high = q->op.block_rows != 0 ? q->op.block_rows : t->rows;
    const size_t wide = q->op.block_cols != 0 ? q->op.block_cols : t->cols;
    const size_t first_scale = t->first / wide, scale_bits = pto_dtype_bits(scale);
    const size_t scales = t->shown == 0 ? 0 : (t->first + t->shown - 1) / wide - first_scale + 1;
    const unsigned char *const scale_row = q->scales + t->row / high * q->size.scale_cols * scale_bits / 8;
    const size_t all_scales = q->size.scale_rows * q->size.scale_cols;
    printf("{\"rule\":\"%s\",\"pow2\":%s,\"two_level\":%s,\"block\":[%zu,%zu],\"scale_type\":\"%s\",",
           pto_block_rule_name(q->op.rule), q->op.pow2 ? "true" : "false", q->op.two_level ? "true" : "false",
           high, wide, pto_dtype_name(scale));
    put_bits("tensor", PTO_F32, &q->op.tensor, 0, 1);
    putchar(',');
    put_values("tensor_value", PTO_F32, &q->op.tensor, 0, 1);
    putchar(',');
    put_bits("scales", scale, scale_row, first_scale, scales);
    putchar(',');
    put_values("scale_values", scale, scale_row, first_scale, scales);
    putchar(',');
    put_bits("codes", q->op.elem, q->codes + t->row * q->size.row_bytes, t->first, t->shown);
    putchar(',');
    put_values("values", t->wide,
               (const unsigned char *)q->y + t->row * t->cols * pto_dtype_bits(t->wide) / 8, t->first,
               t->shown);
    put_errors(t, q);
    printf(",\"elements\":%zu,\"all_scales\":%zu,\"codes_differ\":%zu,\"scales_differ\":%zu}\n",
           t->rows * t->cols, all_scales,
           differences(q->op.elem, t->rows, t->cols, q->size.row_bytes, q->codes, against->codes),
           differences(scale, 1, all_scales, 0, q->scales, against->scales));
}

/* ---- all rules of a format ---- */

/* Sets *op to a rule with an element type and the block size that the user chose. Returns whether the rule has both. */
static bool op_for(const struct tensor_input *t, pto_block_rule rule, pto_dtype elem, bool pow2,
                   pto_block_op *op) {
    if (!make_op(rule, t->wide, elem, t->random != NULL ? PTO_RS : PTO_RN, pow2, op)) return false;
    if (t->block_cols == 0) return true;
    op->block_rows = t->block_rows;
    op->block_cols = t->block_cols;
    return pto_block_check(*op) == PTO_OK;
}

/* Returns whether a rule is the one with which the results of the others are compared. */
static bool is_reference(pto_block_op op, const char *name) {
    return !op.pow2 && strcmp(pto_block_rule_name(op.rule), name) == 0;
}

/* Quantizes by the rule with this name, or if no rule of the format has it, by the first one. */
static pto_status quantize_reference(const struct tensor_input *t, const char *family, pto_dtype elem,
                                     const char *name, struct quantized *q) {
    pto_block_op op, chosen;
    bool found = false;
    for (pto_block_rule rule = 0; rule < (pto_block_rule)PTO_BLOCK_RULE_LIMIT; ++rule) {
        if (!is_rule(rule) || !is_family(rule, family) || !op_for(t, rule, elem, false, &op)) continue;
        if (!found || is_reference(op, name)) chosen = op;
        found = true;
    }
    return found ? quantize(t, chosen, q) : PTO_ERR_MODIFIER;
}

/* Prints the random word of each element that is shown. */
static void put_random(const struct tensor_input *t) {
    if (t->random == NULL) return;
    printf(",\"random\":[");
    for (size_t i = 0; i < t->shown; ++i)
        printf("%s\"0x%08" PRIx32 "\"", i == 0 ? "" : ",",
               t->random[t->row * row_words(t) + (t->first + i) / 4]);
    putchar(']');
}

static int compare_rules(const struct tensor_input *t, const char *family, pto_dtype elem, const char *name) {
    struct quantized against = {.codes = NULL}, q;
    pto_status status = quantize_reference(t, family, elem, name, &against);
    printf("{\"rows\":%zu,\"cols\":%zu,\"first\":%zu,\"against\":\"%s\",", t->rows, t->cols, t->first,
           pto_block_rule_name(against.op.rule));
    put_bits("bits", t->wide, t->x, t->row * t->cols + t->first, t->shown);
    putchar(',');
    put_values("values", t->wide, t->x, t->row * t->cols + t->first, t->shown);
    put_random(t);
    puts("}");
    for (pto_block_rule rule = 0; status == PTO_OK && rule < (pto_block_rule)PTO_BLOCK_RULE_LIMIT; ++rule)
        for (int pow2 = 0; status == PTO_OK && is_rule(rule) && is_family(rule, family) && pow2 < 2; ++pow2) {
            pto_block_op op;
            if (!op_for(t, rule, elem, pow2 != 0, &op)) continue;
            status = quantize(t, op, &q);
            if (status == PTO_OK) put_result(t, &q, &against);
            free_quantized(&q);
        }
    free_quantized(&against);
    return status == PTO_OK ? STATUS_OK
                            : report_error(&command_blocks, "%s of %s: no rule has this block and rounding",
                                           family, pto_dtype_name(elem));
}

/* ---- arguments ---- */

static size_t at_most(size_t n, size_t most) {
    return n < most ? n : most;
}

/* Reads `text` or `raw` elements from stdin, and limits the row and columns to show to those of the tensor. */
static bool read_tensor(const char *form, struct tensor_input *t, void **x) {
    size_t size, count;
    unsigned char *const input = read_input(&size);
    if (strcmp(form, "text") == 0) {
        *x = read_values(&command_blocks, NULL, (char *)input, t->wide, false, &count);
        free(input);
        if (*x == NULL) return false;
    } else {
        *x = input;
        count = size * 8 / pto_dtype_bits(t->wide);
    }
    t->x = *x;
    if (t->rows == 0 || count == 0 || count % t->rows != 0) {
        report_error(&command_blocks, "expected at least one value, and as many in each row");
        return false;
    }
    t->cols = count / t->rows;
    t->row = at_most(t->row, t->rows - 1);
    t->first = at_most(t->first, t->cols - 1);
    t->shown = at_most(t->shown, t->cols - t->first);
    return true;
}

/* Fills the random words from the text of a seed, " 7": the Philox words of that key, from counter 0 on. Reports an
 * error and returns false if the text is not a number below 2^64. */
static bool fill_by_seed(const char *seed, uint32_t *words, size_t count) {
    const char *digits = seed + strspn(seed, " ");
    const uint32_t counter[4] = {0};
    uint32_t key[2];
    uint64_t number;
    char *end;
    errno = 0;
    number = strtoull(digits, &end, 0);
    end += strspn(end, " ");
    if (*digits < '0' || *digits > '9' || *end != '\0' || errno != 0) {
        report_error(&command_blocks, "random words: expected a seed from 0 to 2^64 - 1, not \"%s\"", digits);
        return false;
    }
    key[0] = (uint32_t)number;
    key[1] = (uint32_t)(number >> 32);
    if (pto_random_bits(key, counter, words, count) != PTO_OK) out_of_memory();
    return true;
}

/* Sets t->random to the words of a text: those of a seed, or a list, which is repeated to the end of the tensor. An
 * empty text means rounding to nearest. */
static bool read_random(const char *text, struct tensor_input *t) {
    static const char seed[] = "seed";
    const size_t count = row_words(t) * t->rows;
    size_t given;
    uint32_t *list;
    text += strspn(text, " ");
    if (*text == '\0') return true;
    t->random = allocate(count * sizeof *t->random);
    if (strncmp(text, seed, sizeof seed - 1) == 0)
        return fill_by_seed(text + sizeof seed - 1, t->random, count);
    list = read_values(&command_blocks, "random words", text, PTO_U32, false, &given);
    if (list == NULL) return false;
    for (size_t i = 0; given != 0 && i < count; ++i) t->random[i] = list[i % given];
    free(list);
    return true;
}

/* Returns the number of a text, at most SIZE_MAX: the explorer's size_t has 32 bits. */
static size_t number(const char *text) {
    const unsigned long long value = strtoull(text, NULL, 10);
    return value < SIZE_MAX ? (size_t)value : SIZE_MAX;
}

/* The arguments are: family, element type, rule to compare with, type of the tensor, "text" or "raw", rows, row to
 * show, first column to show, columns to show, rows and columns of a block or 0, random words for stochastic
 * rounding. */
static int run_blocks(int argc, char **argv) {
    enum { ARGUMENTS = 13 };
    struct tensor_input t = {.x = NULL};
    pto_dtype elem;
    void *x = NULL;
    int status = STATUS_ERROR;
    if (argc != ARGUMENTS || !find_type(argv[2], &elem) || !find_type(argv[4], &t.wide))
        return report_error(&command_blocks, "expected %d arguments", ARGUMENTS - 1);
    t.rows = number(argv[6]);
    t.row = number(argv[7]);
    t.first = number(argv[8]);
    t.shown = number(argv[9]);
    t.block_rows = number(argv[10]);
    t.block_cols = number(argv[11]);
    if (read_tensor(argv[5], &t, &x) && read_random(argv[12], &t))
        status = compare_rules(&t, argv[1], elem, argv[3]);
    free(t.random);
    free(x);
    return status;
}

const struct command command_blocks = {.name = "blocks", .run = run_blocks};
