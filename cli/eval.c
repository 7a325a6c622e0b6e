/* SPDX-License-Identifier: MIT */
/* pto eval: runs one instruction on values and prints operands and results. */
#include "cast_text.h"
#include "conversion.h"
#include "element.h"
#include "eval_cast.h"
#include "instruction.h"
#include "script.h"
#include "value.h"
#include "words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 16 };

struct evaluation {
    struct instruction instruction;
    unsigned char element[INPUTS + 1][8]; /* values of the inputs, in the order of the text */
    size_t count[INPUTS + 1]; /* the number of values of each input: 1, or as many as a lane has elements */
    enum value_result result[INPUTS + 1];
};

/* ---- values ---- */

static const char *type_word(const pto_program_register *r) {
    return r->predicate ? "pred" : pto_dtype_name(r->type);
}

enum { OPERANDS = 7, OPERAND_SIZE = 48 };

/* A text that is one cvt instruction: its op, and its operands as written, the result first. */
struct cvt_text {
    pto_cvt_op op;
    char operand[OPERANDS][OPERAND_SIZE];
};

static bool has_guard(const char *text) {
    return text[strspn(text, " \t\n")] == '@';
}

/* Returns the text without leading blanks and guard predicate. */
static const char *without_guard(const char *text) {
    text += strspn(text, " \t\n");
    if (has_guard(text)) text += strcspn(text, " \t\n");
    return text + strspn(text, " \t\n");
}

static bool parse_cvt_text(const struct evaluation *e, struct cvt_text *c) {
    static const char between[] = " \t\n,{}";
    const char *text = without_guard(e->instruction.text), *const end = text + strcspn(text, ";");
    char opcode[INSTRUCTION_TEXT] = "";
    memset(c, 0, sizeof *c);
    memcpy(opcode, text, strcspn(text, " \t\n;"));
    if (end[strspn(end, "; \t\n")] != '\0' || pto_parse_cvt(opcode, &c->op, NULL) != PTO_OK) return false;
    text += strlen(opcode);
    for (size_t i = 0; i < OPERANDS; ++i) {
        size_t length;
        text += strspn(text, between);
        length = strcspn(text, " \t\n,{};");
        if (length >= OPERAND_SIZE) return false;
        memcpy(c->operand[i], text, length);
        text += length;
    }
    return true;
}

/* If the instruction is a cvt, returns conversion_elements() for one of its inputs, otherwise 0. */
static unsigned elements_of_input(const struct evaluation *e, const pto_program_register *r,
                                  pto_dtype *element) {
    struct cvt_text c;
    if (r->predicate || !parse_cvt_text(e, &c)) return 0;
    for (unsigned i = 1; i < OPERANDS; ++i)
        if (strcmp(c.operand[i], r->name) == 0) return conversion_elements(c.op, i - 1, r->type, element);
    return 0;
}

static enum value_result read_input(struct evaluation *e, int input, const char *value,
                                    const pto_program_register *r) {
    pto_dtype element;
    const unsigned count = elements_of_input(e, r, &element);
    e->count[input] = 1;
    if (count != 0 && value[0] == '{') return value_read_parts(value, element, count, e->element[input]);
    if (r->each > 1 && value[0] == '{') {
        e->count[input] = r->each;
        return value_read_parts(value, r->type, (unsigned)r->each, e->element[input]);
    }
    return value_read(value, r->predicate ? PTO_U8 : r->type, e->element[input]);
}

/* Parses one value for each input, in the order of the inputs, and binds the inputs to the values. */
static int bind_values(struct evaluation *e, char **values, int count) {
    pto_program_register r;
    int used = 0;
    for (size_t i = 0; pto_program_register_at(e->instruction.program, i, &r) == PTO_OK; ++i) {
        const pto_dtype type = r.predicate ? PTO_U8 : r.type;
        if (!r.input) continue;
        if (used == count)
            return report_error(&command_eval, "expected a value for %s, of type .%s", r.name, type_word(&r));
        e->result[used] = used == INPUTS ? VALUE_INVALID : read_input(e, used, values[used], &r);
        if (e->result[used] == VALUE_INVALID || pto_program_bind(e->instruction.program, r.name, type,
                                                                 e->element[used], e->count[used]) != PTO_OK)
            return report_error(&command_eval, "%s: expected a value of type .%s for %s", values[used],
                                type_word(&r), r.name);
        ++used;
    }
    return used == count ? STATUS_OK
                         : report_error(&command_eval, "%s: expected %d values", values[used], used);
}

enum { LANE_TEXT_SIZE = SCRIPT_ELEMENT + CONVERSION_NOTE };

/* Writes the bits of each element in hexadecimal. Returns the length of the text. */
static size_t bits_text(const pto_program_register *r, const void *lane, size_t count,
                        char text[LANE_TEXT_SIZE]) {
    size_t length = 0;
    for (size_t i = 0; i < count && length < LANE_TEXT_SIZE; ++i) {
        unsigned char one[8];
        element_at(r->type, lane, i, one);
        length +=
            (size_t)snprintf(text + length, LANE_TEXT_SIZE - length, "%s0x%0*" PRIx64, i == 0 ? "" : " ",
                             element_hex_digits(r->type), element_bits(r->type, one));
    }
    return length;
}

/* Returns whether the register is a word of several elements whose values are already in the note. */
static bool note_shows_elements(const pto_program_register *r, const char *note) {
    pto_dtype part;
    return value_element_count(r->type, &part) > 1 && strncmp(note, "  {", 3) == 0;
}

static void print_row(const char *role, const pto_program_register *r, const void *lane, size_t count,
                      const char *elements, const char *note) {
    char text[LANE_TEXT_SIZE];
    if (r->predicate) {
        snprintf(text, sizeof text, "%d", *(const unsigned char *)lane != 0);
    } else if (count > 1) {
        const size_t length = bits_text(r, lane, count, text);
        if (length + CONVERSION_NOTE <= LANE_TEXT_SIZE)
            conversion_elements_text(r->type, (unsigned)count, lane, text + length);
    } else if (note_shows_elements(r, note)) {
        bits_text(r, lane, 1, text);
    } else {
        script_element(r->type, lane, text);
    }
    printf("%-3s %-8s .%-7s %s%s%s\n", role, r->name, type_word(r), text, elements, note);
}

static void print_inputs(const struct evaluation *e) {
    pto_program_register r;
    int used = 0;
    for (size_t i = 0; pto_program_register_at(e->instruction.program, i, &r) == PTO_OK; ++i) {
        char elements[CONVERSION_NOTE] = "";
        pto_dtype element;
        unsigned count;
        if (!r.input) continue;
        count = elements_of_input(e, &r, &element);
        if (count != 0) conversion_elements_text(element, count, e->element[used], elements);
        print_row("in", &r, e->element[used], e->count[used], elements,
                  e->result[used] == VALUE_ROUNDED ? "  (the nearest to what was given)" : "");
        ++used;
    }
}

/* ---- results ---- */

/* Returns the index of the input with this name, and sets *r to its register. Returns -1 if no input has the
 * name. */
static int input_named(const struct evaluation *e, const char *name, pto_program_register *r) {
    int used = 0;
    for (size_t i = 0; pto_program_register_at(e->instruction.program, i, r) == PTO_OK; ++i) {
        if (!r->input) continue;
        if (strcmp(r->name, name) == 0) return used;
        ++used;
    }
    return -1;
}

/* Writes a note on the result if the instruction is a cvt without a guard predicate. If an operand is a
 * constant, the note has no remarks. */
static void note_of(const struct evaluation *e, const pto_program_register *result, const void *data,
                    char note[CONVERSION_NOTE]) {
    unsigned char operands[OPERANDS][8] = {{0}};
    pto_dtype type = PTO_B8;
    bool is_known = true;
    struct cvt_text c;
    note[0] = '\0';
    if (result->predicate || has_guard(e->instruction.text) || !parse_cvt_text(e, &c)) return;
    for (size_t i = 1; i < OPERANDS && c.operand[i][0] != '\0'; ++i) {
        pto_program_register r;
        const int input = input_named(e, c.operand[i], &r);
        is_known = is_known && input >= 0;
        if (input >= 0) memcpy(operands[i - 1], e->element[input], 8);
        if (input >= 0 && i == 1) type = r.type;
    }
    conversion_note(c.op, type, is_known ? (const unsigned char(*)[8])operands : NULL, result->type, data,
                    note);
}

static int print_results(struct evaluation *e) {
    const pto_status status = pto_program_run(e->instruction.program, 1);
    pto_program_register r;
    if (status != PTO_OK) {
        script_problem("pto eval", e->instruction.text, pto_program_problem(e->instruction.program));
        return STATUS_ERROR;
    }
    for (size_t i = 0; pto_program_register_at(e->instruction.program, i, &r) == PTO_OK; ++i) {
        char note[CONVERSION_NOTE];
        const void *data;
        pto_dtype type;
        size_t n;
        if (!r.result || pto_program_value(e->instruction.program, r.name, &type, &data, &n) != PTO_OK)
            continue;
        note_of(e, &r, data, note);
        print_row("out", &r, data, r.each, "", note);
    }
    return STATUS_OK;
}

static int print_all_isas(struct evaluation *e) {
    for (pto_isa isa = PTO_ISA_SCALAR; *pto_isa_name(isa) != '?'; ++isa) {
        int status;
        if (!pto_isa_available(isa) || pto_isa_use(isa) != PTO_OK) continue;
        printf("%s\n", pto_isa_name(isa));
        status = print_results(e);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

static int evaluate(char **arguments, int count, bool all_isas) {
    static struct evaluation e;
    int status = instruction_open(&command_eval, arguments[0], &e.instruction);
    if (status != STATUS_OK) return status;
    status = bind_values(&e, arguments + 1, count - 1);
    if (status == STATUS_OK) {
        if (e.instruction.operands_added) printf("%s\n", e.instruction.text);
        print_inputs(&e);
        status = all_isas ? print_all_isas(&e) : print_results(&e);
    }
    pto_program_free(e.instruction.program);
    return status;
}

/* Options must precede the instruction, because the values after it may begin with a minus sign. */
static int run(int argc, char **argv) {
    const bool all_isas = argc > 1 && strcmp(argv[1], "--all-isas") == 0;
    const int first = 1 + all_isas;
    if (argc <= first) return report_error(&command_eval, "expected an instruction");
    if (strncmp(argv[first], "--", 2) == 0)
        return report_error(&command_eval, "%s: expected --all-isas or an instruction", argv[first]);
    if (is_cast_text(argv[first])) return eval_cast(&command_eval, argv + first, argc - first, all_isas);
    return evaluate(argv + first, argc - first, all_isas);
}

const struct command command_eval = {
    .name = "eval",
    .arguments = "[--all-isas] INSTRUCTION VALUE...",
    .summary = "runs one instruction on values; prints operands and results as bits and numbers",
    .options =
        "  --all-isas   must come first: runs the instruction on every instruction set of this machine\n"
        "  INSTRUCTION  with operands, such as \"add.f32 d, a, b\", or only the opcode: add.f32, pto.vadd.\n"
        "               With only the opcode, operations of PTO use f32; those that need a word, a second\n"
        "               type or memory need the whole line\n"
        "               Or a cast between any two types: cast.ROUND[.saturate|.saturate_finite].DST.SRC, "
        "where\n"
        "               ROUND is rn, rna, rz, rm, rp, rs (with random bits as a second value) or ro\n"
        "  VALUE        a number (1.5, -2e-3, nan, -inf), bits (0x3fc0, 0f3FC00000), or {1, 2} for the\n"
        "               elements of a word or of a lane, the lowest first. Values follow the order of the\n"
        "               instruction's operands\n"
        "Exit status 1 if the instruction is illegal.\n",
    .more_help = instruction_list,
    .example = "pto eval cvt.rn.satfinite.relu.f16.f32 70000",
    .run = run,
};
