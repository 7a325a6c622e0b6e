/* SPDX-License-Identifier: MIT */
/* Explains an instruction of PTX or PTO by its meaning and its results for sample values. */
#include "explain.h"

#include "element.h"
#include "instruction.h"
#include "script.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 8, REGISTERS = 16, LANE_SIZE = 8 }; /* LANE_SIZE: the largest size of a lane in bytes */

/* ---- the opcode ---- */

/* Copies the opcode of the first instruction. In PTX a guard predicate may precede the opcode, in PTO the
 * results. */
static void opcode_of(const char *text, char opcode[INSTRUCTION_TEXT]) {
    const char *const pto = strstr(text, "pto.");
    const char *at = text + strspn(text, " \t\n");
    if (*at == '@') at += strcspn(at, " \t\n");
    at = pto != NULL ? pto : at + strspn(at, " \t\n");
    snprintf(opcode, INSTRUCTION_TEXT, "%.*s", (int)strcspn(at, " \t\n;,"), at);
}

/* ---- sample values ---- */

/* Returns sample i for an operand as text. The order of samples differs between operands. */
static const char *sample_text(const pto_program_register *r, size_t operand, size_t i) {
    static const char *const floats[SAMPLES] = {"1.5", "-2", "0.1", "inf", "nan", "-0", "3", "1e30"};
    static const char *const integers[SAMPLES] = {"5", "3", "7", "0", "100", "1", "2", "6"};
    static const char *const negative[SAMPLES] = {"5", "-3", "7", "0", "-100", "-1", "2", "1"};
    static const char *const truths[SAMPLES] = {"1", "0", "1", "1", "0", "1", "0", "0"};
    const size_t at = (i + 3 * operand) % SAMPLES;
    pto_dtype part;
    (void)value_element_count(r->type, &part);
    if (r->predicate) return truths[at];
    if (!element_is_integer(part)) return floats[at];
    return pto_dtype_class(part) == PTO_CLASS_SIGNED ? negative[at] : integers[at];
}

/* Fills all elements of a lane with the value of `text`, or with 0.5 if the type cannot represent that
 * value. */
static void fill_lane(const pto_program_register *r, const char *text, unsigned char lane[LANE_SIZE]) {
    const pto_dtype type = r->predicate ? PTO_U8 : r->type;
    pto_dtype part;
    const unsigned parts = value_element_count(type, &part), count = parts * (unsigned)r->each;
    const size_t bits = pto_dtype_bits(part);
    memset(lane, 0, LANE_SIZE);
    for (unsigned i = 0; i < count && i * bits / 8 < LANE_SIZE; ++i) {
        unsigned char one[8] = {0};
        if (value_read(text, part, one) == VALUE_INVALID) (void)value_read("0.5", part, one);
        if (bits == 4)
            lane[i / 2] |= (unsigned char)(one[0] << i % 2 * 4);
        else
            memcpy(lane + i * bits / 8, one, bits / 8);
    }
}

struct table {
    pto_program_register r[REGISTERS];
    size_t count;
    unsigned char in[REGISTERS][SAMPLES * LANE_SIZE], out[REGISTERS][SAMPLES * LANE_SIZE];
};

static bool list_registers(const pto_program *program, struct table *t) {
    for (size_t i = 0; pto_program_register_at(program, i, &t->r[t->count]) == PTO_OK; ++i) {
        if (!t->r[t->count].input && !t->r[t->count].result) continue;
        if (++t->count == REGISTERS) return false;
    }
    return t->count != 0;
}

static size_t lane_bytes(const pto_program_register *r) {
    return (r->each * (r->predicate ? 8 : pto_dtype_bits(r->type)) + 7) / 8;
}

/* Runs the program with one lane, for one sample. A run has one value for each scalar of PTO, so every sample
 * needs its own run. */
static bool run_sample(pto_program *program, struct table *t, size_t sample) {
    unsigned char lane[REGISTERS][LANE_SIZE];
    for (size_t i = 0; i < t->count; ++i) {
        const pto_program_register *const r = &t->r[i];
        if (!r->input) continue;
        fill_lane(r, sample_text(r, i, sample), lane[i]);
        memcpy(t->in[i] + sample * lane_bytes(r), lane[i], lane_bytes(r));
        if (pto_program_bind(program, r->name, r->predicate ? PTO_U8 : r->type, lane[i], r->each) != PTO_OK)
            return false;
    }
    if (pto_program_run(program, 1) != PTO_OK) return false;
    for (size_t i = 0; i < t->count; ++i) {
        const void *data;
        pto_dtype type;
        size_t n;
        if (!t->r[i].result || pto_program_value(program, t->r[i].name, &type, &data, &n) != PTO_OK) continue;
        memcpy(t->out[i] + sample * lane_bytes(&t->r[i]), data, lane_bytes(&t->r[i]));
    }
    return true;
}

static void print_row(const char *role, const pto_program_register *r, const void *data) {
    printf("  %-4s", role);
    script_lanes(r->name, r->type, r->predicate, data, SAMPLES * r->each, false);
}

static void show_samples(pto_program *program) {
    static struct table t;
    if (!list_registers(program, &t)) return;
    for (size_t i = 0; i < t.count; ++i)
        if (lane_bytes(&t.r[i]) > LANE_SIZE) return;
    for (size_t sample = 0; sample < SAMPLES; ++sample)
        if (!run_sample(program, &t, sample)) return;
    puts("\nresults of the instruction, lane by lane:");
    for (size_t i = 0; i < t.count; ++i)
        if (t.r[i].input) print_row("in", &t.r[i], t.in[i]);
    for (size_t i = 0; i < t.count; ++i)
        if (t.r[i].result) print_row("out", &t.r[i], t.out[i]);
}

/* ---- the explanation ---- */

static int explain_opened(const struct instruction *i) {
    char opcode[INSTRUCTION_TEXT];
    const char *meaning;
    pto_cvt_op cvt;
    pto_setp_op setp;
    pto_set_op set;
    opcode_of(i->text, opcode);
    if (pto_parse_cvt(opcode, &cvt, NULL) == PTO_OK) return explain_cvt(opcode);
    if (pto_parse_setp(opcode, &setp, NULL) == PTO_OK) return explain_setp(opcode);
    if (pto_parse_set(opcode, &set, NULL) == PTO_OK) return explain_set(opcode);
    meaning = instruction_meaning(opcode);
    printf("%s: %s\n", opcode, meaning != NULL ? meaning : "an instruction");
    printf("as in: %s\n", i->text);
    show_samples(i->program);
    return STATUS_OK;
}

int explain_instruction(const struct command *command, const char *text) {
    const char *const line = instruction_example(text);
    char opcode[INSTRUCTION_TEXT];
    struct instruction i;
    int status;
    if (instruction_is_for_kernels(text)) {
        printf("%s: %s\nonly kernels of PTO have it\n", text, instruction_meaning(text));
        return STATUS_OK;
    }
    if (instruction_with_types(text, opcode)) text = opcode; /* "add" becomes "add.f32" */
    status = instruction_open(command, line != NULL ? line : text, &i);
    if (status != STATUS_OK) return status;
    status = explain_opened(&i);
    pto_program_free(i.program);
    return status;
}
