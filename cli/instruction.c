/* SPDX-License-Identifier: MIT */
/* Parses single instructions, and adds operands to opcodes. */
#include "instruction.h"

#include "script.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool is_pto(const char *text) {
    return strncmp(text, "pto.", 4) == 0;
}

size_t instruction_name_length(const char *opcode) {
    return is_pto(opcode) ? strlen(opcode) : strcspn(opcode, ".");
}

bool instruction_is_known(const char *opcode) {
    const pto_program_language language = is_pto(opcode) ? PTO_PROGRAM_PTO : PTO_PROGRAM_PTX;
    char name[PTO_PROGRAM_INSTRUCTION_SIZE];
    for (size_t i = 0; pto_program_instruction(language, i, name) == PTO_OK; ++i)
        if (strlen(name) == instruction_name_length(opcode) && strncmp(name, opcode, strlen(name)) == 0)
            return true;
    return false;
}

static void list_language(pto_program_language language, const char *title) {
    enum { COLUMNS = 100, INDENT = 2 };
    char name[PTO_PROGRAM_INSTRUCTION_SIZE];
    size_t column = COLUMNS;
    printf("%s", title);
    for (size_t i = 0; pto_program_instruction(language, i, name) == PTO_OK; ++i) {
        if (column + 1 + strlen(name) > COLUMNS) {
            printf("\n%*s%s", INDENT, "", name);
            column = INDENT + strlen(name);
        } else {
            printf(" %s", name);
            column += 1 + strlen(name);
        }
    }
    puts("");
}

void instruction_list(void) {
    list_language(PTO_PROGRAM_PTX, "\ninstructions of PTX:");
    list_language(PTO_PROGRAM_PTO, "\noperations of PTO:");
}

/* ---- operands for an opcode ---- */

/* Lists of operands. Each instruction of PTX is legal with at least one list. */
static const char *const ptx_operands[] = {
    "%s p|q, a, b;",          "%s p|q, a, b, c;",     "%s d, a;",       "%s d, a, b;", "%s d, a, b, c;",
    "%s d, {a, b, e, f}, r;", "%s p, a, b;",          "%s p, a, b, c;", "%s;",         "%s L; L:",
    "%s d, a, b, c, e;",      "%s d, a, b, c, 0xe8;", "%s p, a;",
};

#define V32 "!pto.vreg<64xf32>"
#define I32 "!pto.vreg<64xi32>"

/* Lists of operands for operations of PTO: of type f32, and of type i32 for operations that do not allow
 * f32. */
static const char *const pto_operands[] = {
    "%%d = %s %%a, %%b : " V32 ", " V32 " -> " V32,
    "%%d = %s %%a, %%b, %%m : " V32 ", " V32 ", !pto.mask<b32> -> " V32,
    "%%d, %%e = %s %%a, %%b : " V32 ", " V32 " -> " V32 ", " V32,
    "%%d = %s %%a : " V32 " -> " V32,
    "%%d = %s %%a, %%s : " V32 ", f32 -> " V32,
    "%%d = %s %%s : f32 -> " V32,
    "%%d = %s %%a : " I32 " -> " I32,
    "%%d = %s %%a, %%b, %%m : !pto.mask<b32>, !pto.mask<b32>, !pto.mask<b32> -> !pto.mask<b32>",
    "%%d = %s %%a, %%m : !pto.mask<b32>, !pto.mask<b32> -> !pto.mask<b32>",
    "%%d, %%e = %s %%a, %%b : !pto.mask<b32>, !pto.mask<b32> -> !pto.mask<b32>, !pto.mask<b32>",
    "%%d, %%e = %s %%a, %%b : !pto.mask<b16>, !pto.mask<b16> -> !pto.mask<b16>, !pto.mask<b16>",
    "%%d, %%e = %s %%a, %%b : !pto.mask<b8>, !pto.mask<b8> -> !pto.mask<b8>, !pto.mask<b8>",
    "%%d, %%n = %s %%c : i32 -> !pto.mask<b32>, i32",
    "%%d, %%n = %s %%c : i32 -> !pto.mask<b16>, i32",
    "%%d, %%n = %s %%c : i32 -> !pto.mask<b8>, i32",
};

/* Example lines for operations that also need a word, a second type or memory, so that no list of operands
 * fits. */
static const char *const pto_examples[] = {
    "%p = pto.vcmp %a, %b, %m, \"lt\" : " V32 ", " V32 ", !pto.mask<b32> -> !pto.mask<b32>",
    "%p = pto.vcmps %a, %s, %m, \"lt\" : " V32 ", f32, !pto.mask<b32> -> !pto.mask<b32>",
    "%d = pto.vcvt %a, %m {rnd = \"R\"} : " V32 ", !pto.mask<b32> -> " I32,
    "%d = pto.vtrc %a, %m, \"R\" : " V32 ", !pto.mask<b32> -> " V32,
    "%d = pto.vbitcast %a : " V32 " -> " I32,
    "%d = pto.vlds %x[%c0] : !pto.ptr<f32, ub> -> " V32,
    "pto.vsts %a, %x[%c0], %m : " V32 ", !pto.ptr<f32, ub>, !pto.mask<b32>",
    "%d = pto.pset_b8 \"PAT_ALL\" : !pto.mask<b8>",
    "%d = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>",
    "%d = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>",
    "%d = pto.pge_b8 \"PAT_VL8\" : !pto.mask<b8>",
    "%d = pto.pge_b16 \"PAT_VL8\" : !pto.mask<b16>",
    "%d = pto.pge_b32 \"PAT_VL8\" : !pto.mask<b32>",
    "%d = pto.ppack %a, \"LOWER\" : !pto.mask<b32> -> !pto.mask<b16>",
    "%d = pto.punpack %a, \"LOWER\" : !pto.mask<b16> -> !pto.mask<b32>",
    "%d = pto.pbitcast %a : !pto.mask<b32> -> !pto.mask<b16>",
};

const char *instruction_example(const char *opcode) {
    const size_t length = strlen(opcode);
    for (size_t i = 0; i < sizeof pto_examples / sizeof *pto_examples; ++i) {
        const char *const at = strstr(pto_examples[i], "pto.");
        if (strncmp(at, opcode, length) == 0 && at[length] == ' ') return pto_examples[i];
    }
    return NULL;
}

static bool try_operands(struct instruction *i, const char *format, const char *opcode) {
    const int length = snprintf(i->text, sizeof i->text, format, opcode);
    if (length >= (int)sizeof i->text) return false;
    i->program = pto_program_new(i->text, (pto_program_options){0}, NULL);
    return i->program != NULL;
}

static bool try_all(struct instruction *i, const char *const *formats, size_t count, const char *opcode) {
    for (size_t k = 0; k < count; ++k)
        if (try_operands(i, formats[k], opcode)) return true;
    return false;
}

bool instruction_with_types(const char *name, char opcode[INSTRUCTION_TEXT]) {
    static const char *const types[] = {
        ".f32",       ".b32",        ".rn.f32",  ".approx.f32", ".approx.ftz.f32",
        ".f32.s32",   ".s32",        ".lo.s32",  ".l.wrap.b32", ".clamp.b32",
        ".clamp.s32", ".finite.f32", ".s32.s32", ".lo.s32.s32", ""};
    if (strchr(name, '.') != NULL || !instruction_is_known(name)) return false;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
        struct instruction i;
        snprintf(opcode, INSTRUCTION_TEXT, "%s%s", name, types[k]);
        if (!try_all(&i, ptx_operands, sizeof ptx_operands / sizeof *ptx_operands, opcode)) continue;
        pto_program_free(i.program);
        return true;
    }
    return false;
}

/* ---- opening ---- */

static int parse(const struct command *command, struct instruction *i) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", command_prefix, command->name);
    i->program = script_parse(name, i->text, (pto_program_options){0});
    return i->program != NULL ? STATUS_OK : STATUS_DIFFERENT;
}

static int complete_ptx(const struct command *command, const char *opcode, struct instruction *i) {
    if (try_all(i, ptx_operands, sizeof ptx_operands / sizeof *ptx_operands, opcode)) return STATUS_OK;
    snprintf(i->text, sizeof i->text, "%s d, a, b;", opcode); /* the text that the error message shows */
    return parse(command, i);
}

bool instruction_is_for_kernels(const char *opcode) {
    pto_program_error error;
    pto_program *program;
    if (!is_pto(opcode) || !instruction_is_known(opcode)) return false;
    program = pto_program_new(opcode, (pto_program_options){.language = PTO_PROGRAM_PTO}, &error);
    pto_program_free(program);
    return program == NULL && strstr(error.text, "only kernels") != NULL;
}

static int complete_pto(const struct command *command, const char *opcode, struct instruction *i) {
    const char *const line = instruction_example(opcode);
    if (line != NULL) return report_error(command, "%s: expected the whole line, such as '%s'", opcode, line);
    if (try_all(i, pto_operands, sizeof pto_operands / sizeof *pto_operands, opcode)) return STATUS_OK;
    snprintf(i->text, sizeof i->text, "%s", opcode);
    return parse(command, i);
}

static bool is_opcode(const char *text) {
    return strpbrk(text, " \t\n,;") == NULL;
}

int instruction_open(const struct command *command, const char *text, struct instruction *i) {
    const bool ends = strstr(text, "pto.") != NULL || strchr(text, ';') != NULL;
    i->program = NULL;
    i->operands_added = is_opcode(text);
    if (strlen(text) + sizeof " d, a, b;" > sizeof i->text)
        return report_error(command, "expected an instruction of at most %d bytes", INSTRUCTION_TEXT - 16);
    if (i->operands_added) return (is_pto(text) ? complete_pto : complete_ptx)(command, text, i);
    snprintf(i->text, sizeof i->text, "%s%s", text, ends ? "" : ";");
    return parse(command, i);
}
