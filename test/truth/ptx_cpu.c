/* SPDX-License-Identifier: MIT */
/* Runs batches of PTX instructions with libpto instead of a GPU. */
#include "truth/ptx_cpu.h"

#include "truth/ptx_text.h"

#include <stdio.h>
#include <stdlib.h>

enum ptx_fault ptx_cpu_fault = PTX_SOUND;

void ptx_chip_open(struct ptx_chip *chip) {
    *chip = (struct ptx_chip){.name = "text", .levels = ~0U};
}

/* ---- faults ---- */

static void swap(uint64_t *a, uint64_t *b) {
    const uint64_t kept = *a;
    *a = *b;
    *b = kept;
}

static void spoil_operands(struct ptx_operands *o, const struct ptx_operands *before,
                           const struct truth_shape *shape) {
    const bool four = shape->units_in == 4;
    switch (ptx_cpu_fault) {
    case PTX_SWAPPED_SOURCES: swap(four ? &o->f : &o->a, four ? &o->e : &o->b); break;
    case PTX_OTHER_RANDOM: o->random = before->random; break;
    case PTX_OTHER_SCALE: o->scales ^= 0x101; break;
    case PTX_SWAPPED_SCALES: o->scales = (o->scales >> 8 & 0xff) | (o->scales & 0xff) << 8; break;
    case PTX_OTHER_CHOICE: o->c ^= shape->family == TRUTH_SLCT ? 0x80000000U : 1; break;
    default: break;
    }
}

static void spoil_statement(char *statement) {
    if (ptx_cpu_fault != PTX_SWAPPED_STATEMENT) return;
    for (char *at = statement; (at = strchr(at, '%')) != NULL; ++at)
        if (at[1] == '1' || at[1] == '2') at[1] = at[1] == '1' ? '2' : '1';
}

/* ---- one batch ---- */

static uint64_t letter_mask(char letter) {
    return letter == 'R' ? UINT32_MAX : letter == 'L' ? UINT64_MAX : UINT16_MAX;
}

/* Returns the number of results of a statement. Its inputs are numbered after its results. */
static unsigned result_count(const struct ptx_instruction *instruction) {
    return *instruction->result == 'P' ? 2 : 1;
}

static void load_inputs(const struct ptx_instruction *instruction, const struct truth_shape *shape,
                        const struct ptx_batch *batch) {
    static struct ptx_operands sources[PTX_TEXT_LANES];
    for (size_t k = 0; k < batch->instructions; ++k) sources[k] = ptx_fetch(shape, batch, k);
    for (size_t k = batch->instructions; k-- > 0;)
        spoil_operands(&sources[k], &sources[k != 0 ? k - 1 : 0], shape);
    for (unsigned i = 0; instruction->inputs[i].letter != NULL; ++i) {
        const struct ptx_input *const input = &instruction->inputs[i];
        const char name[3] = {'%', (char)('0' + result_count(instruction) + i), '\0'};
        uint64_t *const lanes = ptx_text_register(name);
        for (size_t k = 0; k < batch->instructions; ++k) {
            memcpy(&lanes[k], (const char *)&sources[k] + input->offset, sizeof lanes[k]);
            lanes[k] &= letter_mask(*input->letter);
        }
    }
}

static void store_results(const struct ptx_instruction *instruction, const struct truth_shape *shape,
                          const struct ptx_batch *batch) {
    static const uint64_t none[PTX_TEXT_LANES];
    const uint64_t *const d = ptx_text_register("%0");
    const uint64_t *const q = result_count(instruction) == 2 ? ptx_text_register("%1") : none;
    const size_t off = ptx_cpu_fault == PTX_OTHER_PLACE;
    for (size_t first = 0; first < batch->instructions; first += PTX_GROUP) {
        uint64_t results[PTX_GROUP];
        for (size_t k = 0; k < PTX_GROUP; ++k) {
            const size_t at = (first + k + off) % PTX_TEXT_LANES;
            results[k] = d[at] + q[at];
        }
        ptx_store(shape, batch, first, results);
    }
}

void ptx_chip_run(const struct ptx_instruction *instruction, const struct truth_shape *shape,
                  const struct ptx_batch *batch) {
    char statement[512];
    if (batch->instructions > PTX_TEXT_LANES || strlen(instruction->statement) >= sizeof statement) {
        printf("%s: too long\n", instruction->text);
        exit(1);
    }
    memcpy(statement, instruction->statement, strlen(instruction->statement) + 1);
    spoil_statement(statement);
    ptx_text_begin(batch->instructions);
    load_inputs(instruction, shape, batch);
    if (!ptx_text_run(statement)) exit(1);
    store_results(instruction, shape, batch);
}
