/* SPDX-License-Identifier: MIT */
/* test_ptxas_program PTXAS [all]: compares the arithmetic of programs with the constants that ptxas, NVIDIA's
 * assembler, folds. The operands are some or all pairs of special values, and products near the smallest normal
 * value. ptxas almost never folds fma, f16, bf16 and results that are NaN. These are counted and printed. Then compares
 * which types and modifiers the instructions on floats take. */
#include "program/example.h"
#include "support/cmocka_all.h"
#include "support/values.h"
#include "witness/fold.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 512, BATCH = 5000, SOURCES = 3 };

static struct ptxas ptxas;
static bool every_pair;

/* Operations of a type. `folds`: ptxas must fold most constants, otherwise the test would compare nothing. */
static const struct form {
    const char *opcode;
    pto_dtype type;
    unsigned sources;
    bool folds;
} forms[] = {
    {"add.f32", PTO_F32, 2, true},         {"sub.f32", PTO_F32, 2, true},
    {"mul.f32", PTO_F32, 2, true},         {"add.ftz.f32", PTO_F32, 2, true},
    {"sub.ftz.f32", PTO_F32, 2, true},     {"mul.ftz.f32", PTO_F32, 2, true},
    {"neg.f32", PTO_F32, 1, true},         {"neg.ftz.f32", PTO_F32, 1, true},
    {"abs.f32", PTO_F32, 1, true},         {"abs.ftz.f32", PTO_F32, 1, true},
    {"fma.rn.f32", PTO_F32, 3, false},     {"add.f64", PTO_F64, 2, true},
    {"sub.f64", PTO_F64, 2, true},         {"mul.f64", PTO_F64, 2, true},
    {"neg.f64", PTO_F64, 1, true},         {"abs.f64", PTO_F64, 1, true},
    {"fma.rn.f64", PTO_F64, 3, false},     {"add.f16", PTO_F16, 2, false},
    {"sub.f16", PTO_F16, 2, false},        {"mul.f16", PTO_F16, 2, false},
    {"mul.ftz.f16", PTO_F16, 2, false},    {"neg.f16", PTO_F16, 1, true},
    {"abs.f16", PTO_F16, 1, true},         {"neg.bf16", PTO_BF16, 1, true},
    {"abs.bf16", PTO_BF16, 1, false},      {"mul.bf16", PTO_BF16, 2, false},
    {"add.s16", PTO_S16, 2, true},         {"sub.u32", PTO_U32, 2, true},
    {"add.s64", PTO_S64, 2, true},         {"mul.lo.s16", PTO_S16, 2, true},
    {"mul.lo.u32", PTO_U32, 2, true},      {"mul.lo.s64", PTO_S64, 2, true},
    {"neg.s16", PTO_S16, 1, true},         {"neg.s32", PTO_S32, 1, true},
    {"abs.s32", PTO_S32, 1, true},         {"abs.s64", PTO_S64, 1, true},
    {"shl.b16", PTO_B16, 2, true},         {"shl.b32", PTO_B32, 2, true},
    {"shl.b64", PTO_B64, 2, true},         {"shr.s16", PTO_S16, 2, true},
    {"shr.u32", PTO_U32, 2, true},         {"shr.s32", PTO_S32, 2, true},
    {"shr.s64", PTO_S64, 2, true},         {"shr.u64", PTO_U64, 2, true},
    {"add.rz.f32", PTO_F32, 2, false},     {"mul.rp.ftz.f32", PTO_F32, 2, false},
    {"mul.sat.f32", PTO_F32, 2, false},    {"mul.rm.f64", PTO_F64, 2, false},
    {"rcp.rn.f32", PTO_F32, 1, false},     {"sqrt.rn.f32", PTO_F32, 1, false},
    {"rcp.rz.ftz.f32", PTO_F32, 1, false}, {"copysign.f32", PTO_F32, 2, false},
    {"div.rn.f32", PTO_F32, 2, false},
};

/* Constants and the results that a program computes from them. */
struct batch {
    size_t n;
    uint64_t in[SOURCES][BATCH], result[BATCH];
};

static bool is_shift(const struct form *f) {
    return strncmp(f->opcode, "sh", 2) == 0;
}

static void add(struct batch *b, uint64_t x, uint64_t y, uint64_t z) {
    if (b->n == BATCH) return;
    b->in[0][b->n] = x;
    b->in[1][b->n] = y;
    b->in[2][b->n++] = z;
}

/* Adds factors whose product is within a few ULP of the smallest normal value, where .ftz matters. */
static void add_near_smallest(struct batch *b, pto_dtype type) {
    const int digits = model_fraction_bits(type);
    const uint64_t smallest = (uint64_t)1 << digits;
    const uint64_t one = smallest * ((1U << (model_exponent_bits(type) - 1)) - 1);
    for (uint64_t i = 0; i < 6; i++)
        for (uint64_t k = 0; k < 6; k++) add(b, one - i, smallest + k, 0);
    for (uint64_t i = 0; i < 4; i++)
        for (uint64_t k = 0; k < 4; k++) add(b, one - smallest + i, 2 * smallest - 1 - k, 0);
}

static void add_specials(struct batch *b, const struct form *f, size_t step) {
    static const uint64_t by[] = {0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 0x80000000, 0xffffffff};
    const pto_dtype second = is_shift(f) ? PTO_U32 : f->type;
    uint64_t x[VALUES_MAX_SPECIALS], y[VALUES_MAX_SPECIALS];
    const size_t xs = values_special(f->type, x), all = values_special(second, y);
    const size_t shifts = sizeof by / sizeof by[0];
    const size_t ys = f->sources == 1 ? 1 : is_shift(f) ? shifts : all;
    for (size_t i = 0; i < xs * ys; i += f->sources == 1 ? 1 : step)
        add(b, x[i / ys], is_shift(f) ? by[i % ys] : y[i % ys], y[(7 * i + 5 * (i / ys)) % all]);
}

/* Runs the instruction as a program on arrays of the constants, and stores the results in the batch. */
static void compute(struct batch *b, const struct form *f) {
    unsigned char *array[SOURCES + 1];
    for (size_t k = 0; k <= SOURCES; k++) array[k] = harness_allocate(b->n * 8);
    for (size_t k = 0; k < SOURCES; k++)
        for (size_t i = 0; i < b->n; i++)
            value_store(is_shift(f) && k == 1 ? PTO_U32 : f->type, array[k], i, b->in[k][i]);
    example_instruction(f->opcode, f->type, (const void *const[3]){array[0], array[1], array[2]}, f->sources,
                        array[SOURCES], b->n);
    for (size_t i = 0; i < b->n; i++) b->result[i] = value_load(f->type, array[SOURCES], i);
    for (size_t k = 0; k <= SOURCES; k++) harness_free(array[k]);
}

static void add_kernel(struct folding *fold, const struct batch *b, const struct form *f, size_t i,
                       const char *last) {
    const size_t bits = pto_dtype_bits(f->type);
    const char r = register_for(bits);
    char text[4 * TEXT];
    size_t used = 0;
    for (size_t k = 0; k < f->sources; k++) {
        const size_t width = is_shift(f) && k == 1 ? 32 : bits;
        used += (size_t)snprintf(text + used, sizeof text - used, "mov.b%zu %c%zu, 0x%llx; ", width,
                                 register_for(width), k + 1, (unsigned long long)b->in[k][i]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s %c0, %c1", f->opcode, r, r);
    for (size_t k = 1; k < f->sources; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %c%zu", is_shift(f) ? 'w' : r, k + 1);
    if (bits < 64)
        snprintf(text + used, sizeof text - used, "; cvt.u64.u%zu d0, %c0; %s", bits, r, last);
    else
        snprintf(text + used, sizeof text - used, "; %s", last);
    fold_add(fold, text);
}

static struct {
    size_t same, not_folded; /* results that are not NaN */
    size_t nans;             /* NaNs that are not folded */
    size_t itself;           /* NaNs that are folded to an operand */
} seen;

/* Returns whether ptxas may fold the result to an operand that is a NaN. Chips compute neg and abs of f32 and f64
 * as additions, so NaN results are quiet, and canonical for f32. A product with 1 or -1 is a NaN like any other.
 * When ptxas folds these, NaNs keep their payloads, and some are not made quiet. */
static bool is_taken_for_operand(const struct batch *b, const struct form *f, size_t i) {
    const uint64_t one = f->type == PTO_F64 ? 0x3ff0000000000000 : 0x3f800000;
    if (f->type != PTO_F32 && f->type != PTO_F64) return false;
    if (f->sources == 1) return value_is_nan(f->type, b->in[0][i]);
    return strncmp(f->opcode, "mul", 3) == 0 && value_is_nan(f->type, b->result[i]) &&
           ((b->in[0][i] ^ one) << 1 == 0 || (b->in[1][i] ^ one) << 1 == 0);
}

/* Checks that ptxas does not fold the instruction at all for the operands with the indices in `rest`. For these it did
 * not fold it to the program's result. The kernels extract the lowest bit of the result. If ptxas folds the
 * instruction, that bit is the constant 0 or 1. */
static void judge_rest(const struct batch *b, const struct form *f, const size_t *rest, size_t count) {
    struct folding fold;
    if (count == 0) return;
    fold_open(&fold, &ptxas);
    for (size_t i = 0; i < count; i++) add_kernel(&fold, b, f, rest[i], "and.b64 d0, d0, 1;");
    assert_true(fold_assemble(&fold));
    for (size_t i = 0; i < count; i++) {
        if (fold_same(&fold, i + 2, FOLD_ZERO) || fold_same(&fold, i + 2, FOLD_ONE))
            fail_msg("%s of %llx, %llx: ptxas folds something else than the program's %llx", f->opcode,
                     (unsigned long long)b->in[0][rest[i]], (unsigned long long)b->in[1][rest[i]],
                     (unsigned long long)b->result[rest[i]]);
        if (value_is_nan(f->type, b->result[rest[i]]))
            seen.nans++;
        else
            seen.not_folded++;
    }
    fold_close(&fold);
}

static void judge(const struct batch *b, const struct form *f) {
    static size_t rest[BATCH];
    struct folding fold;
    size_t count = 0;
    fold_open(&fold, &ptxas);
    for (size_t i = 0; i < b->n; i++) {
        char last[TEXT];
        snprintf(last, sizeof last, "xor.b64 d0, d0, 0x%llx;", (unsigned long long)b->result[i]);
        add_kernel(&fold, b, f, i, last);
    }
    assert_true(fold_assemble(&fold));
    assert_false(fold_same(&fold, FOLD_ZERO, FOLD_ONE)); /* otherwise no difference could be found */
    for (size_t i = 0; i < b->n; i++) {
        if (fold_same(&fold, i + 2, FOLD_ZERO))
            seen.same++;
        else if (is_taken_for_operand(b, f, i))
            seen.itself++;
        else
            rest[count++] = i;
    }
    fold_close(&fold);
    judge_rest(b, f, rest, count);
}

/* Uses sm_100a, because ptxas 13.5 folds less for sm_107a than for earlier targets. */
static void folds(void **state) {
    struct batch *b = harness_allocate(sizeof *b);
    size_t same = 0;
    (void)state;
    ptxas.target = "sm_100a";
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct form *f = &forms[i];
        memset(&seen, 0, sizeof seen);
        b->n = 0;
        if (f->sources == 2 && model_is_float(f->type)) add_near_smallest(b, f->type);
        add_specials(b, f, every_pair ? 1 : harness_quick() || !f->folds ? 29 : 7);
        compute(b, f);
        judge(b, f);
        printf("%s: %zu folded as here, not folded %zu and %zu NaNs; %zu NaNs taken for an operand\n",
               f->opcode, seen.same, seen.not_folded, seen.nans, seen.itself);
        if (f->folds && seen.same <= 9 * seen.not_folded)
            fail_msg("%s: not enough of it is folded", f->opcode);
        same += seen.same;
    }
    printf("%zu constants folded as programs have them\n", same);
    harness_free(b);
}

/* ---- which types and modifiers instructions take ---- */

static const struct {
    const char *name;
    size_t sources;
} named[] = {{"add", 2},  {"sub", 2}, {"mul", 2},      {"fma", 3},  {"div", 2},   {"rcp", 1},
             {"sqrt", 1}, {"neg", 1}, {"abs", 1},      {"ex2", 1},  {"lg2", 1},   {"rsqrt", 1},
             {"sin", 1},  {"cos", 1}, {"copysign", 2}, {"tanh", 1}, {"testp", 1}, {"max", 3}};

/* The letters of the registers of the result and the last source, and of the other sources. */
static const struct {
    const char *type;
    char last, others;
} typed[] = {{"f16", 'h', 'h'},   {"bf16", 'h', 'h'},    {"f32", 'w', 'w'},
             {"f64", 'd', 'd'},   {"f16x2", 'w', 'w'},   {"bf16x2", 'w', 'w'},
             {"f32x2", 'd', 'd'}, {"f32.f16", 'w', 'h'}, {"f32.bf16", 'w', 'h'}};

static void write_operands(char *to, size_t size, size_t name, size_t type) {
    const size_t n = named[name].sources;
    size_t used = strcmp(named[name].name, "testp") == 0
                      ? (size_t)snprintf(to, size, "p")
                      : (size_t)snprintf(to, size, "%c0", typed[type].last);
    for (size_t i = 1; i <= n; i++)
        used += (size_t)snprintf(to + used, size - used, ", %c%zu",
                                 i == n ? typed[type].last : typed[type].others, i);
}

/* Appends the modifiers whose bits are set in `chosen`, then the type. */
static void write_opcode(char *to, size_t size, const char *name, const char *rounding, unsigned chosen,
                         const char *type) {
    static const char *const modifiers[] = {".approx", ".full", ".ftz", ".sat", ".relu", ".NaN"};
    size_t used = (size_t)snprintf(to, size, "%s%s", name, rounding);
    for (size_t i = 0; i < sizeof modifiers / sizeof modifiers[0]; i++)
        if (chosen >> i & 1) used += (size_t)snprintf(to + used, size - used, "%s", modifiers[i]);
    snprintf(to + used, size - used, ".%s", type);
}

static bool is_program(const char *opcode, const char *operands) {
    char text[2 * TEXT];
    pto_program *program;
    snprintf(text, sizeof text, "%s %s;", opcode, operands);
    program = pto_program_new(text, (pto_program_options){.language = PTO_PROGRAM_PTX}, NULL);
    pto_program_free(program);
    return program != NULL;
}

enum { MODIFIER_SETS = 64 };
static const char *const roundings[] = {"", ".rn", ".rz", ".rm", ".rp"};
/* Classes of testp. ptxas ignores them in other instructions, and takes testp without a class; programs do neither. */
static const char *const classes[] = {".number", ".normal", ".notanumber", ".subnormal.finite", ".infinite"};
enum { ROUNDINGS = sizeof roundings / sizeof roundings[0], TYPES = sizeof typed / sizeof typed[0] };

/* Adds all opcodes of an instruction to the listing, or compares the verdicts on them with programs. Returns the number
 * of opcodes that programs take. */
static size_t each_opcode(struct listing *l, size_t name, bool compare) {
    size_t line = 0, taken = 0;
    for (size_t i = 0; i < (size_t)TYPES * ROUNDINGS * MODIFIER_SETS; i++) {
        const size_t type = i / MODIFIER_SETS % TYPES, rounding = i / MODIFIER_SETS / TYPES;
        char opcode[TEXT / 4], operands[TEXT / 4];
        bool is;
        write_operands(operands, sizeof operands, name, type);
        write_opcode(opcode, sizeof opcode, named[name].name,
                     strcmp(named[name].name, "testp") == 0 ? classes[rounding] : roundings[rounding],
                     (unsigned)(i % MODIFIER_SETS), typed[type].type);
        if (!compare) {
            listing_add(l, opcode, operands);
            continue;
        }
        is = is_program(opcode, operands);
        taken += is;
        if (is != (l->verdict[line++] == 0))
            fail_msg("%s %s: ptxas %s it, programs do not", opcode, operands, is ? "refuses" : "takes");
    }
    return taken;
}

static void takes_as_ptxas(void **state) {
    (void)state;
    for (size_t name = 0; name < sizeof named / sizeof named[0]; name++) {
        struct listing l;
        size_t taken;
        listing_open_for(&l, &ptxas, ptxas.isa, "sm_100a");
        each_opcode(&l, name, false);
        listing_judge(&l);
        taken = each_opcode(&l, name, true);
        printf("%s: %zu opcodes are taken\n", named[name].name, taken);
        assert_true(taken > 0);
        listing_close(&l);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_as_ptxas), cmocka_unit_test(folds)};
    int status;
    if (argc < 2 || harness_start(1, argv) != 0) return 1;
    every_pair = argc > 2 && strcmp(argv[2], "all") == 0;
    if (!ptxas_start(&ptxas, argv[1])) return HARNESS_SKIPPED;
    status = cmocka_run_group_tests_name("ptxas, arithmetic of programs", tests, NULL, NULL);
    ptxas_stop(&ptxas);
    return harness_end(status);
}
