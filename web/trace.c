/* SPDX-License-Identifier: MIT */
/* Runs a program on small arrays, and prints the result of each line. */
#include "element.h"
#include "explorer.h"
#include "script.h"
#include "value.h"

#include <stdlib.h>
#include <string.h>

struct trace {
    pto_program *program;
    size_t steps;
};

/* ---- output ---- */

void put_lanes(const char *kind, size_t line, const char *name, pto_dtype type, bool predicate,
               const void *data, size_t n) {
    const size_t shown = n < SHOWN_LANES ? n : SHOWN_LANES;
    printf("{\"kind\":\"%s\",\"line\":%zu,\"name\":", kind, line);
    put_json_string(stdout, name);
    printf(",\"type\":\"%s\",\"lanes\":%zu,", predicate ? "pred" : pto_dtype_name(type), n);
    put_bits("bits", type, data, 0, shown);
    putchar(',');
    put_values("values", type, data, 0, shown);
    puts("}");
}

void put_error(const pto_program_error *error) {
    printf("{\"kind\":\"error\",\"line\":%zu,\"column\":%zu,\"word\":", error->line, error->column);
    put_json_string(stdout, error->word);
    printf(",\"text\":");
    put_json_string(stdout, error->text);
    puts("}");
}

static void put_registers(const pto_program *program) {
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(program, i, &r) == PTO_OK; ++i) {
        printf("{\"kind\":\"register\",\"name\":");
        put_json_string(stdout, r.name);
        printf(",\"type\":\"%s\",\"input\":%s,\"memory\":%s,\"each\":%zu}\n",
               r.predicate ? "pred" : pto_dtype_name(r.type), r.input ? "true" : "false",
               r.memory ? "true" : "false", r.each);
    }
}

/* Prints the result of a line for the first block of lanes, which contains all lanes that are printed. */
static void trace_step(void *user, const pto_program_step *step) {
    struct trace *const t = user;
    pto_program_register r;
    if (step->first != 0 || ++t->steps > SHOWN_STEPS) return;
    put_lanes("step", step->line, step->name, step->type,
              pto_program_register_named(t->program, step->name, &r) == PTO_OK && r.predicate, step->data,
              step->lanes);
}

static bool is_kernel(const pto_program *program) {
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(program, i, &r) == PTO_OK; ++i)
        if (r.memory) return true;
    return false;
}

/* Prints the registers that the program writes; of a kernel, the arrays. */
static void put_results(const pto_program *program) {
    const bool only_memory = is_kernel(program);
    pto_program_register r;
    for (size_t i = 0; pto_program_register_at(program, i, &r) == PTO_OK; ++i) {
        const void *data;
        pto_dtype type;
        size_t n;
        if (r.result && (r.memory || !only_memory) &&
            pto_program_value(program, r.name, &type, &data, &n) == PTO_OK)
            put_lanes("result", 0, r.name, type, r.predicate, data, n);
    }
}

/* ---- inputs ---- */

void *read_values(const struct command *command, const char *name, const char *text, pto_dtype type,
                  bool predicate, size_t *count) {
    char *const word = malloc(strlen(text) + 1);
    unsigned char *const data = calloc(strlen(text) / 2 + 2, 8);
    if (word == NULL || data == NULL) out_of_memory();
    for (*count = 0; (text = next_value(text, word)) != NULL; ++*count) {
        unsigned char element[8] = {0};
        if (value_read(word, type, element) == VALUE_INVALID) {
            report_error(command, "%s: expected a value of type .%s%s%s", word,
                         predicate ? "pred" : pto_dtype_name(type), name != NULL ? " for " : "",
                         name != NULL ? name : "");
            free(word);
            free(data);
            return NULL;
        }
        store_element(type, data, *count, element);
    }
    free(word);
    return data;
}

/* Reads "NAME=1, 2, 3" and binds the values. Sets *lanes to their number if that is larger. */
static bool bind_input(pto_program *program, char *argument, size_t *lanes) {
    char *const equals = strchr(argument, '=');
    pto_program_register r;
    size_t count;
    pto_dtype type;
    void *data;
    if (equals == NULL) return report_error(&command_trace, "%s: expected NAME=VALUES", argument), false;
    *equals = '\0';
    if (pto_program_register_named(program, argument, &r) != PTO_OK) return true; /* the text changed */
    type = r.predicate ? PTO_U8 : r.type;
    data = read_values(&command_trace, argument, equals + 1, type, r.predicate, &count);
    if (data == NULL) return false;
    if (count == 0) return free(data), true;
    if (!r.memory && count / r.each > *lanes) *lanes = count / r.each;
    if (pto_program_bind(program, r.name, type, data, count) == PTO_OK)
        return true; /* the program reads `data` */
    free(data);
    return report_error(&command_trace, "%s: expected another number of values", argument), false;
}

/* The program is on stdin. The first argument is the number of blocks of a kernel, the others are inputs. */
static int run_trace(int argc, char **argv) {
    struct trace t = {.program = NULL};
    const pto_program_options options = {.trace = trace_step, .user = &t, .max_steps = KERNEL_STEPS};
    pto_program_error error = {.line = 0};
    const size_t blocks = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    size_t size, lanes = 1;
    char *const text = (char *)read_input(&size);
    t.program = pto_program_new(text, options, &error);
    if (t.program == NULL) {
        put_error(&error);
        return STATUS_DIFFERENT;
    }
    put_registers(t.program);
    for (int i = 2; i < argc; ++i)
        if (!bind_input(t.program, argv[i], &lanes)) return STATUS_ERROR;
    if (pto_program_run(t.program, is_kernel(t.program) ? blocks : lanes) != PTO_OK) {
        put_error(pto_program_problem(t.program));
        return STATUS_DIFFERENT;
    }
    put_results(t.program);
    if (t.steps > SHOWN_STEPS) printf("{\"kind\":\"more\",\"steps\":%zu}\n", t.steps);
    return STATUS_OK;
}

const struct command command_trace = {.name = "trace", .run = run_trace};
