/* SPDX-License-Identifier: MIT */
/* Tests the arithmetic of PTX programs against the model in exact.h, on all pairs of special values and on
 * random operands of all magnitudes. Also tests the model against known results: constants folded by ptxas,
 * and values computed by hand. */
#include "program/exact.h"
#include "program/example.h"
#include "program/program_tests.h"

#include "support/cmocka_all.h"
#include "support/harness.h"
#include "support/values.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 64 };

static const pto_dtype floats[] = {PTO_F16, PTO_BF16, PTO_F32, PTO_F64};
enum { FLOATS = sizeof floats / sizeof floats[0] };

/* ---- the model ---- */

static const struct {
    enum exact_op op;
    pto_dtype type;
    bool ftz;
    uint64_t a, b, c, result;
} facts[] = {
    /* folded by ptxas: whether .ftz flushes a result is decided after rounding to full precision */
    {EXACT_MUL, PTO_F32, true, 0x3f7fffff, 0x00800000, 0, 0},
    {EXACT_MUL, PTO_F32, true, 0x3f7ffffe, 0x00800001, 0, 0x00800000},
    {EXACT_MUL, PTO_F32, true, 0x3f000000, 0x80ffffff, 0, 0x80000000},
    {EXACT_MUL, PTO_F32, false, 0x3f000000, 0x80ffffff, 0, 0x80800000},
    {EXACT_MUL, PTO_F32, false, 0x80000001, 0, 0, 0x80000000},
    {EXACT_ADD, PTO_F32, true, 0x80000001, 0x80000001, 0, 0x80000000},
    {EXACT_ADD, PTO_F32, true, 0x00800001, 0x80800000, 0, 0},
    {EXACT_SUB, PTO_F32, true, 0x80000001, 0x00000001, 0, 0x80000000},
    {EXACT_ADD, PTO_F32, false, 1, 1, 0, 2},
    {EXACT_NEG, PTO_F32, true, 0x00000001, 0, 0, 0x80000000},
    {EXACT_ABS, PTO_F32, true, 0x80000001, 0, 0, 0},
    {EXACT_NEG, PTO_F16, false, 0xfe05, 0, 0, 0x7fff},
    /* computed by hand: ties, carries, ends of the range */
    {EXACT_ADD, PTO_F16, false, 0x7bff, 0x4b80, 0, 0x7bff},      /* 65504 + 15 */
    {EXACT_ADD, PTO_F16, false, 0x7bff, 0x4c00, 0, 0x7c00},      /* 65504 + 16 */
    {EXACT_FMA, PTO_F16, false, 0x3c01, 0x3c01, 0xbc02, 0x0010}, /* 2^-20 */
    {EXACT_FMA, PTO_F32, false, 0x3f800800, 0x3f800800, 0xbf800000, 0x3a000400},
    {EXACT_FMA, PTO_F32, false, 0x20000000, 0xa0000000, 0x80000000, 0x80800000}, /* -2^-126 */
    /* the product is just below half the last place of c; fmaf() of musl 1.2.3 returns 0x58db3a */
    {EXACT_FMA, PTO_F32, false, 0x1a000001, 0x19fffffe, 0x0058db39, 0x0058db39},
    {EXACT_FMA, PTO_F64, false, 0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002,
     0x3970000000000000},
    {EXACT_FMA, PTO_F64, false, 0x8000000000000001, 0x3fe0000000000000, 0, 0x8000000000000000},
    {EXACT_FMA, PTO_F64, false, 0x1e60000000000001, 0x1e4ffffffffffffe, 0x000123456789abcd,
     0x000123456789abcd},
    {EXACT_FMA, PTO_F64, false, 0x0010000000000000, 0x3ff0000000000000, 0x8010000000000000, 0},
    {EXACT_FMA, PTO_F64, false, 0x8000000000000000, 0x3ff0000000000000, 0x8000000000000000,
     0x8000000000000000},
    {EXACT_MUL, PTO_F64, false, 0x0000000000000001, 0x3fe0000000000000, 0,
     0}, /* a tie, which is rounded to even */
    {EXACT_MUL, PTO_F64, false, 0x0000000000000003, 0x3fe0000000000000, 0, 2},
    {EXACT_MUL, PTO_F64, false, 0x7fefffffffffffff, 0x4000000000000000, 0, 0x7ff0000000000000},
    {EXACT_ADD, PTO_BF16, false, 0x4380, 0x3f80, 0, 0x4380}, /* 256 + 1 */
    {EXACT_ADD, PTO_BF16, false, 0x4380, 0x4040, 0, 0x4382}, /* 256 + 3 */
    /* NaNs */
    {EXACT_ADD, PTO_F32, false, 0x7f800000, 0xff800000, 0, 0x7fffffff},
    {EXACT_FMA, PTO_F32, false, 0x7f800000, 0, 0x3f800000, 0x7fffffff},
    {EXACT_SUB, PTO_F64, false, 0x3ff0000000000000, 0x7ff0000000000001, 0, 0x7ff8000000000001},
    {EXACT_FMA, PTO_F64, false, 0, 0x7ff0000000000000, 0x7ff8000000000005, 0x7ff8000000000005},
    {EXACT_MUL, PTO_F64, false, 0, 0x7ff0000000000000, 0, 0xfff8000000000000},
};

void arithmetic_model(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const uint64_t got =
            exact_float(facts[i].op, facts[i].type, facts[i].ftz, facts[i].a, facts[i].b, facts[i].c);
        if (got != facts[i].result)
            fail_msg("fact %zu, %s.%s: %llx, not %llx", i, exact_name(facts[i].op),
                     pto_dtype_name(facts[i].type), (unsigned long long)got,
                     (unsigned long long)facts[i].result);
    }
    assert_int_equal(exact_integer(EXACT_MUL, PTO_U64, 0x0123456789abcdef, 0x68acf13579bde000),
                     0xbc41121e54a42000);
    assert_int_equal(exact_integer(EXACT_SHR, PTO_S16, 0x8000, 20), 0xffff);
    assert_int_equal(exact_integer(EXACT_SHR, PTO_U16, 0x8000, 15), 1);
    assert_int_equal(exact_integer(EXACT_SUB, PTO_S32, 0, 1), 0xffffffff);
}

/* ---- floats ---- */

static void write_opcode(char opcode[TEXT], enum exact_op op, pto_dtype type, bool ftz) {
    snprintf(opcode, TEXT, "%s%s%s.%s", exact_name(op), op == EXACT_FMA ? ".rn" : "", ftz ? ".ftz" : "",
             pto_dtype_name(type));
}

/* Each fact is repeated, so that both whole vectors and the elements after them are tested. */
void arithmetic_facts(void **state) {
    enum { REPEATED = 67 };
    static uint64_t in[3][REPEATED], out[REPEATED];
    (void)state;
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        const pto_dtype type = facts[k].type;
        char opcode[TEXT];
        for (size_t i = 0; i < REPEATED; i++) {
            value_store(type, in[0], i, facts[k].a);
            value_store(type, in[1], i, facts[k].b);
            value_store(type, in[2], i, facts[k].c);
        }
        write_opcode(opcode, facts[k].op, type, facts[k].ftz);
        example_instruction(opcode, type, (const void *const[3]){in[0], in[1], in[2]},
                            exact_sources(facts[k].op), out, REPEATED);
        for (size_t i = 0; i < REPEATED; i++)
            if (value_load(type, out, i) != facts[k].result)
                fail_msg("fact %zu, %s: %llx, not %llx", k, opcode,
                         (unsigned long long)value_load(type, out, i), (unsigned long long)facts[k].result);
    }
}

struct operands {
    size_t n;
    void *in[3];
};

static void operands_free(struct operands *o) {
    for (size_t i = 0; i < 3; i++) harness_free(o->in[i]);
}

/* Sets the pairs from index `first` on to operands whose product is within a few ulp of the smallest normal
 * value, where .ftz matters. */
static void near_smallest(struct rng *rng, pto_dtype type, struct operands *o, size_t first) {
    const int digits = model_fraction_bits(type);
    const uint64_t smallest = (uint64_t)1 << digits, fraction = smallest - 1;
    const uint64_t one = smallest * ((1U << (model_exponent_bits(type) - 1)) - 1);
    for (size_t i = first; i < o->n; i++) {
        const uint64_t step = rng_next(rng) >> rng_below(rng, 60) & fraction;
        value_store(type, o->in[0], i, one - rng_below(rng, 4) + (rng_next(rng) & 1 ? 0 : step));
        value_store(type, o->in[1], i,
                    smallest + (rng_next(rng) & 1 ? rng_below(rng, 4) : 0) -
                        (rng_next(rng) & 1 ? 0 : step / 2));
    }
}

/* Sets the operands from index `first` on so that a * b is half the distance of two values next to c, or nearly so.
 * Then it matters that fma rounds once. */
static void near_half(struct rng *rng, pto_dtype type, struct operands *o, size_t first) {
    const int digits = model_fraction_bits(type);
    const uint64_t fraction = ((uint64_t)1 << digits) - 1;
    const unsigned bias = (1U << (model_exponent_bits(type) - 1)) - 1;
    const uint64_t sign = (uint64_t)1 << (pto_dtype_bits(type) - 1);
    for (size_t i = first; i < o->n; i++) {
        const unsigned field = (unsigned)rng_below(rng, rng_next(rng) & 1 ? 2 : bias);
        const unsigned below_one = bias + (unsigned)digits + 1 - (field > 1 ? field : 1),
                       part = below_one / 2;
        const uint64_t a = (uint64_t)(bias - part) << digits, b = (uint64_t)(bias + part - below_one)
                                                                  << digits;
        value_store(type, o->in[0], i, a + rng_below(rng, 3) + (rng_next(rng) & 1 ? sign : 0));
        value_store(type, o->in[1], i, b + rng_below(rng, 6) - 3);
        value_store(type, o->in[2], i, ((uint64_t)field << digits) + (rng_next(rng) & fraction));
    }
}

/* Returns operands. The pairs of a and b are all pairs of special values, then mixed pairs, then pairs for
 * which .ftz matters. c is a special value, or makes a * b + c zero or nearly zero. The last operands are those of
 * near_half(). */
static struct operands operands_of(struct rng *rng, pto_dtype type) {
    const size_t crossed = values_cross_size(type), mixed = harness_quick() ? 1000 : 6000;
    const size_t bytes = pto_dtype_bits(type) / 8, half = crossed + 2 * mixed;
    uint64_t special[VALUES_MAX_SPECIALS];
    const size_t specials = values_special(type, special);
    struct operands o = {.n = half + mixed / 2};
    for (size_t i = 0; i < 3; i++) o.in[i] = harness_allocate(o.n * bytes);
    values_cross(type, o.in[0], o.in[1]);
    values_pairs(rng, type, (char *)o.in[0] + crossed * bytes, (char *)o.in[1] + crossed * bytes, mixed);
    near_smallest(rng, type, &o, crossed + mixed);
    near_half(rng, type, &o, half);
    for (size_t i = 0; i < half; i++) {
        const uint64_t a = value_load(type, o.in[0], i), b = value_load(type, o.in[1], i);
        const uint64_t product = exact_float(EXACT_MUL, type, false, a, b, 0);
        const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
        value_store(type, o.in[2], i,
                    i % 3 == 0 ? special[(i / 3 + i / specials) % specials]
                               : (product ^ sign) + rng_below(rng, 3) - (i % 3 == 1));
    }
    return o;
}

static void compare(const char *opcode, enum exact_op op, pto_dtype type, bool ftz, const struct operands *o,
                    const void *got, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t a = value_load(type, o->in[0], i), b = value_load(type, o->in[1], i),
                       c = value_load(type, o->in[2], i);
        const uint64_t want = exact_float(op, type, ftz, a, b, c), is = value_load(type, got, i);
        if (is != want)
            fail_msg("%s of %llx, %llx, %llx: %llx, not %llx", opcode, (unsigned long long)a,
                     (unsigned long long)b, (unsigned long long)c, (unsigned long long)is,
                     (unsigned long long)want);
    }
}

static bool has_ftz(pto_dtype type) {
    return type == PTO_F16 || type == PTO_F32;
}

static void check_float(enum exact_op op, pto_dtype type, bool ftz) {
    struct rng rng;
    char opcode[TEXT];
    struct operands o;
    void *result;
    rng_start_for(&rng, exact_name(op), type);
    o = operands_of(&rng, type);
    result = harness_allocate(o.n * pto_dtype_bits(type) / 8);
    write_opcode(opcode, op, type, ftz);
    example_instruction(opcode, type, (const void *const[3]){o.in[0], o.in[1], o.in[2]}, exact_sources(op),
                        result, o.n);
    compare(opcode, op, type, ftz, &o, result, o.n);
    harness_free(result);
    operands_free(&o);
}

static void check_float_and_ftz(enum exact_op op, pto_dtype type) {
    check_float(op, type, false);
    if (has_ftz(type)) check_float(op, type, true);
}

void arithmetic_floats(void **state) {
    static const enum exact_op ops[] = {EXACT_ADD, EXACT_SUB, EXACT_MUL, EXACT_NEG, EXACT_ABS};
    (void)state;
    for (size_t t = 0; t < FLOATS; t++)
        for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) check_float_and_ftz(ops[k], floats[t]);
}

void arithmetic_fma(void **state) {
    (void)state;
    for (size_t t = 0; t < FLOATS; t++) check_float_and_ftz(EXACT_FMA, floats[t]);
}

/* ---- roundings and modifiers ---- */

static const struct form {
    const char *opcode;
    enum exact_op op;
    pto_dtype type;
    struct exact_modifiers modifiers;
} forms[] = {
    {"add.rz.f32", EXACT_ADD, PTO_F32, {PTO_RZ, false, false, false}},
    {"add.rm.f32", EXACT_ADD, PTO_F32, {PTO_RM, false, false, false}},
    {"sub.rp.f32", EXACT_SUB, PTO_F32, {PTO_RP, false, false, false}},
    {"add.rm.ftz.sat.f32", EXACT_ADD, PTO_F32, {PTO_RM, true, true, false}},
    {"sub.sat.f32", EXACT_SUB, PTO_F32, {PTO_RN, false, true, false}},
    {"mul.rz.ftz.f32", EXACT_MUL, PTO_F32, {PTO_RZ, true, false, false}},
    {"mul.rm.ftz.f32", EXACT_MUL, PTO_F32, {PTO_RM, true, false, false}},
    {"mul.ftz.rp.f32", EXACT_MUL, PTO_F32, {PTO_RP, true, false, false}},
    {"mul.rp.f32", EXACT_MUL, PTO_F32, {PTO_RP, false, false, false}},
    {"fma.rz.f32", EXACT_FMA, PTO_F32, {PTO_RZ, false, false, false}},
    {"fma.rm.f32", EXACT_FMA, PTO_F32, {PTO_RM, false, false, false}},
    {"fma.rz.ftz.f32", EXACT_FMA, PTO_F32, {PTO_RZ, true, false, false}},
    {"fma.rp.ftz.sat.f32", EXACT_FMA, PTO_F32, {PTO_RP, true, true, false}},
    {"add.rz.f64", EXACT_ADD, PTO_F64, {PTO_RZ, false, false, false}},
    {"sub.rm.f64", EXACT_SUB, PTO_F64, {PTO_RM, false, false, false}},
    {"mul.rp.f64", EXACT_MUL, PTO_F64, {PTO_RP, false, false, false}},
    {"fma.rz.f64", EXACT_FMA, PTO_F64, {PTO_RZ, false, false, false}},
    {"fma.rm.f64", EXACT_FMA, PTO_F64, {PTO_RM, false, false, false}},
    {"fma.rp.f64", EXACT_FMA, PTO_F64, {PTO_RP, false, false, false}},
    {"add.sat.f16", EXACT_ADD, PTO_F16, {PTO_RN, false, true, false}},
    {"mul.ftz.sat.f16", EXACT_MUL, PTO_F16, {PTO_RN, true, true, false}},
    {"fma.rn.sat.f16", EXACT_FMA, PTO_F16, {PTO_RN, false, true, false}},
    {"fma.rn.ftz.relu.f16", EXACT_FMA, PTO_F16, {PTO_RN, true, false, true}},
    {"fma.rn.relu.f16", EXACT_FMA, PTO_F16, {PTO_RN, false, false, true}},
    {"fma.rn.relu.bf16", EXACT_FMA, PTO_BF16, {PTO_RN, false, false, true}},
    {"fma.rz.bf16", EXACT_FMA, PTO_BF16, {PTO_RZ, false, false, false}},
    {"fma.rm.bf16", EXACT_FMA, PTO_BF16, {PTO_RM, false, false, false}},
    {"fma.rp.relu.bf16", EXACT_FMA, PTO_BF16, {PTO_RP, false, false, true}},
    {"div.rn.f32", EXACT_DIV, PTO_F32, {PTO_RN, false, false, false}},
    {"div.full.ftz.f32", EXACT_DIV, PTO_F32, {PTO_RN, true, false, false}},
    {"div.rz.f32", EXACT_DIV, PTO_F32, {PTO_RZ, false, false, false}},
    {"div.rm.ftz.f32", EXACT_DIV, PTO_F32, {PTO_RM, true, false, false}},
    {"div.rp.ftz.f32", EXACT_DIV, PTO_F32, {PTO_RP, true, false, false}},
    {"rcp.rn.f32", EXACT_RCP, PTO_F32, {PTO_RN, false, false, false}},
    {"rcp.approx.ftz.f32", EXACT_RCP, PTO_F32, {PTO_RN, true, false, false}},
    {"rcp.rp.f32", EXACT_RCP, PTO_F32, {PTO_RP, false, false, false}},
    {"sqrt.rn.ftz.f32", EXACT_SQRT, PTO_F32, {PTO_RN, true, false, false}},
    {"sqrt.approx.f32", EXACT_SQRT, PTO_F32, {PTO_RN, false, false, false}},
    {"sqrt.rm.f32", EXACT_SQRT, PTO_F32, {PTO_RM, false, false, false}},
    {"div.rn.f64", EXACT_DIV, PTO_F64, {PTO_RN, false, false, false}},
    {"div.rp.f64", EXACT_DIV, PTO_F64, {PTO_RP, false, false, false}},
    {"rcp.rz.f64", EXACT_RCP, PTO_F64, {PTO_RZ, false, false, false}},
    {"sqrt.rn.f64", EXACT_SQRT, PTO_F64, {PTO_RN, false, false, false}},
    {"sqrt.rp.f64", EXACT_SQRT, PTO_F64, {PTO_RP, false, false, false}},
};

static void check_form(const struct form *f) {
    const bool searched = f->op == EXACT_DIV || f->op == EXACT_RCP || f->op == EXACT_SQRT;
    struct rng rng;
    struct operands o;
    void *result;
    rng_start_for(&rng, f->opcode, f->type);
    o = operands_of(&rng, f->type);
    result = harness_allocate(o.n * pto_dtype_bits(f->type) / 8);
    example_instruction(f->opcode, f->type, (const void *const[3]){o.in[0], o.in[1], o.in[2]},
                        exact_sources(f->op), result, o.n);
    /* the model of division and roots is slow */
    for (size_t i = 0; i < o.n; i += searched ? 1 + rng_below(&rng, harness_quick() ? 40 : 10) : 1) {
        const uint64_t a = value_load(f->type, o.in[0], i), b = value_load(f->type, o.in[1], i),
                       c = value_load(f->type, o.in[2], i), is = value_load(f->type, result, i);
        const uint64_t want = exact_modified(f->op, f->type, f->modifiers, a, b, c);
        if (is != want)
            fail_msg("%s of %llx, %llx, %llx: %llx, not %llx", f->opcode, (unsigned long long)a,
                     (unsigned long long)b, (unsigned long long)c, (unsigned long long)is,
                     (unsigned long long)want);
    }
    harness_free(result);
    operands_free(&o);
}

void arithmetic_modifiers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) check_form(&forms[i]);
}

/* Instructions on f16x2 and bf16x2 compute two values in each lane. The result register may be a source. */
void arithmetic_pairs(void **state) {
    static const struct {
        const char *text;
        enum exact_op op;
        pto_dtype half;
        bool ftz;
    } rows[] = {
        {"add.f16x2 a, a, b;", EXACT_ADD, PTO_F16, false},
        {"mul.rn.ftz.f16x2 a, a, b;", EXACT_MUL, PTO_F16, true},
        {"fma.rn.f16x2 a, a, b, c;", EXACT_FMA, PTO_F16, false},
        {"sub.bf16x2 a, a, b;", EXACT_SUB, PTO_BF16, false},
        {"fma.rn.bf16x2 a, a, b, c;", EXACT_FMA, PTO_BF16, false},
        {"neg.ftz.f16x2 a, a;", EXACT_NEG, PTO_F16, true},
        {"abs.bf16x2 a, a;", EXACT_ABS, PTO_BF16, false},
        {"sub.f64 a, a, b;", EXACT_SUB, PTO_F64, false},
        {"fma.rn.f64 a, b, c, a;", EXACT_OPS, PTO_F64,
         false}, /* handled separately below, because a is the last operand */
        {"mul.ftz.f32 a, a, b;", EXACT_MUL, PTO_F32, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const pto_dtype type = rows[k].half;
        struct rng rng;
        struct operands o;
        pto_program *program = example_program(rows[k].text);
        pto_dtype got_type;
        const void *got;
        size_t n;
        rng_start_for(&rng, rows[k].text, type);
        o = operands_of(&rng, type);
        o.n -= o.n % 2;
        for (size_t i = 0; i < 3; i++) {
            char name[2] = {(char)('a' + i), 0};
            if (strchr(strchr(rows[k].text, ' '), name[0]))
                assert_status(pto_program_bind(program, name, type, o.in[i], o.n), PTO_OK);
        }
        assert_status(pto_program_run(program, pto_dtype_bits(type) == 16 ? o.n / 2 : o.n), PTO_OK);
        assert_status(pto_program_value(program, "a", &got_type, &got, &n), PTO_OK);
        if (rows[k].op == EXACT_OPS) {
            const struct operands turned = {o.n, {o.in[1], o.in[2], o.in[0]}};
            compare(rows[k].text, EXACT_FMA, type, rows[k].ftz, &turned, got, o.n);
        } else {
            compare(rows[k].text, rows[k].op, type, rows[k].ftz, &o, got, o.n);
        }
        pto_program_free(program);
        operands_free(&o);
    }
}

/* ---- integers ---- */

static void check_integer(enum exact_op op, pto_dtype type) {
    const size_t crossed = values_cross_size(type), mixed = harness_quick() ? 500 : 4000, n = crossed + mixed;
    const size_t bytes = pto_dtype_bits(type) / 8;
    const bool shift = op == EXACT_SHL || op == EXACT_SHR;
    unsigned char *a = harness_allocate(n * bytes), *b = harness_allocate(n * bytes);
    unsigned char *result = harness_allocate(n * bytes);
    uint32_t *by = harness_allocate(n * sizeof *by);
    struct rng rng;
    char opcode[TEXT];
    rng_start_for(&rng, exact_name(op), type);
    values_cross(type, a, b);
    values_pairs(&rng, type, a + crossed * bytes, b + crossed * bytes, mixed);
    for (size_t i = 0; i < n; i++) by[i] = i % 8 ? (uint32_t)rng_below(&rng, 70) : (uint32_t)rng_next(&rng);
    if (op == EXACT_SHL)
        snprintf(opcode, sizeof opcode, "shl.b%zu", 8 * bytes);
    else
        snprintf(opcode, sizeof opcode, "%s%s.%s", exact_name(op), op == EXACT_MUL ? ".lo" : "",
                 pto_dtype_name(type));
    example_instruction(opcode, type, (const void *const[3]){a, shift ? (void *)by : b, NULL},
                        exact_sources(op), result, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = value_load(type, a, i), y = shift ? by[i] : value_load(type, b, i);
        const uint64_t want = exact_integer(op, type, x, y), is = value_load(type, result, i);
        if (is != want)
            fail_msg("%s of %llx, %llx: %llx, not %llx", opcode, (unsigned long long)x, (unsigned long long)y,
                     (unsigned long long)is, (unsigned long long)want);
    }
    harness_free(a);
    harness_free(b);
    harness_free(result);
    harness_free(by);
}

void arithmetic_integers(void **state) {
    static const pto_dtype types[] = {PTO_U16, PTO_U32, PTO_U64, PTO_S16, PTO_S32, PTO_S64};
    static const enum exact_op ops[] = {EXACT_ADD, EXACT_SUB, EXACT_MUL, EXACT_SHL,
                                        EXACT_SHR, EXACT_NEG, EXACT_ABS};
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
            if (t >= 3 || (ops[k] != EXACT_NEG && ops[k] != EXACT_ABS)) check_integer(ops[k], types[t]);
}
