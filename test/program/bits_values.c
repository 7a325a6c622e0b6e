/* SPDX-License-Identifier: MIT */
/* Makes operands for integer instructions, and runs the instructions as programs. */
#include "program/bits_values.h"

#include "program/example.h"
#include "support/cmocka_all.h"
#include "support/values.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 256 };

static pto_dtype type_of(char letter) {
    return letter == 'h' ? PTO_B16 : letter == 'd' ? PTO_B64 : PTO_B32;
}

/* Returns a position or a count. */
static uint64_t count_of(struct rng *rng) {
    static const uint32_t counts[] = {0,   1,   31,  32,  33,  63,         64,        65,
                                      127, 128, 255, 256, 257, 0x80000000, 0xffffffff};
    if (rng_below(rng, 3) == 0) return counts[rng_below(rng, sizeof counts / sizeof counts[0])];
    return rng_below(rng, rng_below(rng, 2) ? 40 : 70);
}

/* Returns an operand: an end of the range or a neighbour of it, or random bits. Random bits are shifted right
 * by a random count, so that all magnitudes occur, and may be negated. */
static uint64_t value_of(struct rng *rng, char letter) {
    const unsigned bits = exact_width(letter);
    const uint64_t mask = ~(uint64_t)0 >> (64 - bits), top = (uint64_t)1 << (bits - 1);
    const uint64_t near = rng_below(rng, 4), random = rng_next(rng) >> rng_below(rng, 64);
    if (letter == 'c') return count_of(rng);
    switch (rng_below(rng, 8)) {
    case 0: return near;
    case 1: return (0 - near) & mask;
    case 2: return (top + near - 2) & mask;
    case 3: return (0 - random) & mask;
    case 4: return (0x8000800080008000 + near * 0x7fff0001) & mask;
    case 5: return (uint64_t)1 << rng_below(rng, bits);
    default: return random & mask;
    }
}

struct bits_values bits_values_of(struct rng *rng, const struct exact_form *form, size_t n) {
    struct bits_values v = {.n = n,
                            .result = harness_allocate(n * sizeof *v.result),
                            .flag_before = harness_allocate(n * sizeof *v.flag_before),
                            .flag_after = harness_allocate(n * sizeof *v.flag_after)};
    for (size_t k = 0; k < EXACT_OPERANDS; k++) {
        v.in[k] = harness_allocate(n * sizeof *v.in[k]);
        for (size_t i = 0; i < n && k + 1 < strlen(form->operands); i++)
            v.in[k][i] = value_of(rng, form->operands[k + 1]);
    }
    for (size_t i = 0; i < n; i++) {
        v.flag_before[i] = rng_below(rng, 2) != 0;
        if (rng_below(rng, 8) == 0 && strlen(form->operands) > 2)
            v.in[1][i] = v.in[0][i] & (~(uint64_t)0 >> (64 - exact_width(form->operands[2])));
    }
    return v;
}

void bits_values_free(struct bits_values *v) {
    for (size_t k = 0; k < EXACT_OPERANDS; k++) harness_free(v->in[k]);
    harness_free(v->result);
    harness_free(v->flag_before);
    harness_free(v->flag_after);
}

/* The arrays that are bound to the registers a, b, c, e and m, at odd addresses. */
struct bound {
    unsigned char *array[EXACT_OPERANDS + 1];
};

static const char *const names[] = {"a", "b", "c", "e"};

static void bind(pto_program *program, const struct bits_values *v, const struct exact_form *form,
                 struct bound *bound) {
    memset(bound, 0, sizeof *bound);
    for (size_t k = 0; k + 1 < strlen(form->operands); k++) {
        const pto_dtype type = type_of(form->operands[k + 1]);
        bound->array[k] = harness_allocate(v->n * 8 + 1);
        for (size_t i = 0; i < v->n; i++) value_store(type, bound->array[k] + 1, i, v->in[k][i]);
        assert_status(pto_program_bind(program, names[k], type, bound->array[k] + 1, v->n), PTO_OK);
    }
    if (!exact_reads_carry(form->opcode)) return;
    bound->array[EXACT_OPERANDS] = harness_allocate(v->n * 8 + 1);
    for (size_t i = 0; i < v->n; i++)
        value_store(PTO_B32, bound->array[EXACT_OPERANDS] + 1, i, v->flag_before[i] ? 0x80000000 : 0);
    assert_status(pto_program_bind(program, "m", PTO_B32, bound->array[EXACT_OPERANDS] + 1, v->n), PTO_OK);
}

static const void *values_of(const pto_program *program, const char *name, size_t n) {
    const void *data = NULL;
    pto_dtype type;
    size_t count = 0;
    assert_status(pto_program_value(program, name, &type, &data, &count), PTO_OK);
    assert_int_equal(count, n);
    return data;
}

void bits_values_run(struct bits_values *v, const struct exact_form *form, int in_place) {
    static const char *const sources[] = {"", ", a", ", a, b", ", a, b, c", ", a, b, c, e"};
    const bool sets = exact_sets_carry(form->opcode);
    const char *d = in_place < 0 ? "d" : names[in_place];
    char text[TEXT];
    struct bound bound;
    pto_program *program;
    const void *got, *flags;
    snprintf(text, sizeof text, "%s%s %s%s;%s", exact_reads_carry(form->opcode) ? "add.cc.u32 t, m, m; " : "",
             form->opcode, d, sources[strlen(form->operands) - 1], sets ? " addc.u32 f, 0, 0;" : "");
    program = example_program(text);
    bind(program, v, form, &bound);
    assert_status(pto_program_run(program, v->n), PTO_OK);
    got = values_of(program, d, v->n);
    flags = sets ? values_of(program, "f", v->n) : NULL;
    for (size_t i = 0; i < v->n; i++) {
        v->result[i] = value_load(type_of(form->operands[0]), got, i);
        v->flag_after[i] = sets ? value_load(PTO_B32, flags, i) != 0 : v->flag_before[i];
    }
    pto_program_free(program);
    for (size_t k = 0; k <= EXACT_OPERANDS; k++) harness_free(bound.array[k]);
}
