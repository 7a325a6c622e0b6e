/* SPDX-License-Identifier: MIT */
/* The program that the page runs as WebAssembly: subcommands of `pto`, and those that only the page has. The page makes
 * a new instance for each run, with arguments and stdin, and reads stdout, stderr and the exit status. */
#include "explorer.h"

#include "cast_text.h"
#include "element.h"
#include "instruction.h"
#include "script.h"
#include "value.h"
#include "words.h"

#include <pto/version.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the subcommands share ---- */

unsigned char *read_input(size_t *size) {
    size_t room = 1 << 16;
    unsigned char *bytes = malloc(room);
    if (bytes == NULL) out_of_memory();
    for (*size = 0;;) {
        unsigned char *grown;
        *size += fread(bytes + *size, 1, room - 1 - *size, stdin);
        if (*size < room - 1) break;
        room *= 2;
        grown = realloc(bytes, room);
        if (grown == NULL) out_of_memory();
        bytes = grown;
    }
    bytes[*size] = 0;
    return bytes;
}

const char *next_value(const char *text, char *word) {
    static const char between[] = " \t\r\n,;";
    size_t length;
    text += strspn(text, between);
    length = strcspn(text, *text == '{' ? "}" : between);
    if (text[length] == '}') ++length;
    if (length == 0) return NULL;
    memcpy(word, text, length);
    word[length] = '\0';
    return text + length;
}

void store_element(pto_dtype type, void *array, size_t i, const unsigned char element[8]) {
    const size_t bits = pto_dtype_bits(type);
    unsigned char *const at = (unsigned char *)array + i * bits / 8;
    if (bits < 8)
        *at |= (unsigned char)(element[0] << i * bits % 8);
    else
        memcpy(at, element, bits / 8);
}

void put_bits(const char *name, pto_dtype type, const void *array, size_t first, size_t n) {
    printf("\"%s\":[", name);
    for (size_t i = 0; i < n; ++i) {
        unsigned char element[8];
        element_at(type, array, first + i, element);
        printf("%s\"0x%0*" PRIx64 "\"", i == 0 ? "" : ",", element_hex_digits(type),
               element_bits(type, element));
    }
    putchar(']');
}

void put_values(const char *name, pto_dtype type, const void *array, size_t first, size_t n) {
    printf("\"%s\":[", name);
    for (size_t i = 0; i < n; ++i) {
        unsigned char element[8];
        char text[SCRIPT_ELEMENT];
        element_at(type, array, first + i, element);
        script_element(type, element, text);
        printf("%s\"%s\"", i == 0 ? "" : ",", strstr(text, "  ") + 2);
    }
    putchar(']');
}

/* ---- names ---- */

static void list_language(pto_program_language language) {
    char name[PTO_PROGRAM_INSTRUCTION_SIZE];
    for (size_t i = 0; pto_program_instruction(language, i, name) == PTO_OK; ++i) {
        const char *const example = instruction_example(name), *const meaning = instruction_meaning(name);
        char opcode[INSTRUCTION_TEXT];
        if (instruction_is_for_kernels(name)) continue;
        printf("{\"instruction\":\"%s\",\"example\":", name);
        put_json_string(stdout, example != NULL                        ? example
                                : instruction_with_types(name, opcode) ? opcode
                                                                       : name);
        printf(",\"meaning\":");
        put_json_string(stdout, meaning != NULL ? meaning : "");
        puts("}");
    }
}

static int run_names(int argc, char **argv) {
    (void)argc, (void)argv;
    printf("{\"version\":\"%s\"}\n", pto_version());
    for (pto_dtype type = PTO_B8; is_type(type); ++type) {
        const unsigned char zero[8] = {0};
        double value;
        const bool has_values = element_value(type, zero, &value);
        printf("{\"type\":\"%s\",\"bits\":%zu,\"values\":%s}\n", pto_dtype_name(type), pto_dtype_bits(type),
               has_values ? "true" : "false");
    }
    list_language(PTO_PROGRAM_PTX);
    list_language(PTO_PROGRAM_PTO);
    return STATUS_OK;
}

const struct command command_names = {.name = "names", .run = run_names};

/* ---- operands ---- */

static void put_operand(const char *name, const char *type, size_t each) {
    printf("{\"name\":\"%s\",\"type\":\"%s\",\"each\":%zu}\n", name, type, each);
}

static int cast_operands(const char *text) {
    pto_cast_op op;
    pto_parse_error error;
    if (!parse_cast(text, &op, &error)) {
        report_error(&command_operands, "%s: %s", text, error.text);
        return STATUS_DIFFERENT;
    }
    put_operand("a", pto_dtype_name(op.src), 1);
    if (op.round == PTO_RS) put_operand("r", "u32", 1);
    return STATUS_OK;
}

/* Prints the operands of an instruction for which `pto eval` expects values. */
static int run_operands(int argc, char **argv) {
    struct instruction i;
    pto_program_register r;
    int status;
    if (argc != 2) return report_error(&command_operands, "expected an instruction");
    if (is_cast_text(argv[1])) return cast_operands(argv[1]);
    status = instruction_open(&command_operands, argv[1], &i);
    if (status != STATUS_OK) return status;
    for (size_t k = 0; pto_program_register_at(i.program, k, &r) == PTO_OK; ++k)
        if (r.input) put_operand(r.name, r.predicate ? "pred" : pto_dtype_name(r.type), r.each);
    pto_program_free(i.program);
    return STATUS_OK;
}

const struct command command_operands = {.name = "operands", .run = run_operands};

/* ---- legal ---- */

/* Prints those of the instructions on stdin that are legal. The reasons for the others go to stderr. */
static int run_legal(int argc, char **argv) {
    size_t size;
    char *const text = (char *)read_input(&size);
    (void)argc, (void)argv;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        struct instruction i = {.program = NULL};
        pto_parse_error error;
        pto_cast_op cast;
        if (is_cast_text(line) ? !parse_cast(line, &cast, &error)
                               : instruction_open(&command_legal, line, &i) != STATUS_OK)
            continue;
        puts(line);
        pto_program_free(i.program);
    }
    free(text);
    return STATUS_OK;
}

const struct command command_legal = {.name = "legal", .run = run_legal};

/* ---- main ---- */

static const struct command *const commands[] = {
    &command_eval,   &command_explain, &command_forms, &command_table,  &command_names,    &command_legal,
    &command_groups, &command_blocks,  &command_trace, &command_kernel, &command_operands, NULL,
};

int main(int argc, char **argv) {
    command_prefix = "pto ";
    for (size_t i = 0; argc > 1 && commands[i] != NULL; ++i)
        if (strcmp(commands[i]->name, argv[1]) == 0) return commands[i]->run(argc - 1, argv + 1);
    fputs("expected a subcommand\n", stderr);
    return STATUS_ERROR;
}
