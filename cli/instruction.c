/* SPDX-License-Identifier: MIT */
/* Parses single instructions, adds operands to opcodes, and has the one-line meanings of instructions. */
#include "instruction.h"

#include "script.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool is_pto(const char *text) {
    return strncmp(text, "pto.", 4) == 0;
}

/* Returns the length of an instruction's name: all of "pto.vcmp", and for PTX the part before the first dot. */
static size_t name_length(const char *opcode) {
    return is_pto(opcode) ? strlen(opcode) : strcspn(opcode, ".");
}

bool instruction_is_known(const char *opcode) {
    const pto_program_language language = is_pto(opcode) ? PTO_PROGRAM_PTO : PTO_PROGRAM_PTX;
    char name[PTO_PROGRAM_INSTRUCTION_SIZE];
    for (size_t i = 0; pto_program_instruction(language, i, name) == PTO_OK; ++i)
        if (strlen(name) == name_length(opcode) && strncmp(name, opcode, strlen(name)) == 0) return true;
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

/* Each instruction of PTX parses with one of these. */
static const char *const ptx_operands[] = {
    "%s p|q, a, b;",          "%s p|q, a, b, c;",     "%s d, a;",       "%s d, a, b;", "%s d, a, b, c;",
    "%s d, {a, b, e, f}, r;", "%s p, a, b;",          "%s p, a, b, c;", "%s;",         "%s L; L:",
    "%s d, a, b, c, e;",      "%s d, a, b, c, 0xe8;", "%s p, a;",
};

#define V32 "!pto.vreg<64xf32>"
#define I32 "!pto.vreg<64xi32>"

/* Operands for operations of PTO: on f32, or on i32 if the operation does not allow f32. */
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

/* Example lines for operations that also need a word, a second type or memory. */
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

/* ---- meanings ---- */

struct meaning {
    const char *name; /* a name that ends in "_b" stands for all lane widths */
    const char *words;
};

static const struct meaning meanings[] = {
    {"setp", "compares, and sets predicates: p is the result, q its opposite"},
    {"set", "compares, and writes true or false as a number or as all bits"},
    {"cvt", "converts between types"},
    {"selp", "d is a where the predicate c is true, otherwise b"},
    {"slct", "d is a where c >= 0, otherwise b; a NaN in c selects b"},
    {"mov", "copies; {a, b} joins a word from parts or splits it, the first part lowest"},
    {"and", "bitwise and, of words or predicates"},
    {"or", "bitwise or, of words or predicates"},
    {"xor", "bitwise exclusive or, of words or predicates"},
    {"not", "inverts all bits, of a word or predicate"},
    {"shl", "shifts left; shifts by the width or more give 0"},
    {"shr", "shifts right; signed types repeat the sign bit, other types insert 0"},
    {"add", "adds; integers wrap, floats are rounded to nearest, ties to even"},
    {"sub", "subtracts; integers wrap, floats are rounded to nearest, ties to even"},
    {"mul", "multiplies; .lo keeps the low half of integers, floats are rounded to nearest, ties to even"},
    {"fma", "a * b + c, rounded once, to nearest, ties to even"},
    {"neg", "changes the sign"},
    {"abs", "the absolute value"},
    {"min", "the smaller one; if only one is a NaN, the other one, unless .NaN is given; -0 is below +0"},
    {"max", "the larger one; if only one is a NaN, the other one, unless .NaN is given; +0 is above -0"},
    {"mad", "a * b + c of integers; .lo and .hi keep a half of the product, .wide all of it"},
    {"madc", "a * b + c of integers, and the carry flag"},
    {"mul24", "multiplies the low 24 bits; .lo keeps bits 0 to 31 of the product, .hi bits 16 to 47"},
    {"mad24", "multiplies the low 24 bits, and adds c"},
    {"addc", "adds the carry flag, too; with .cc, sets it"},
    {"subc", "subtracts the borrow, too; with .cc, sets it"},
    {"div", "divides; integers towards zero, floats as .rn, .rz, .rm, .rp, .approx or .full says"},
    {"rem", "the remainder of a division towards zero; it has the sign of a"},
    {"sad", "the absolute difference of a and b, plus c"},
    {"cnot", "1 if a is 0, otherwise 0"},
    {"popc", "the number of bits that are set"},
    {"clz", "the number of zeros above the highest bit that is set"},
    {"bfind", "the position of the highest bit that differs from the sign; none: all bits"},
    {"brev", "reverses the order of the bits"},
    {"bfe", "extracts c bits from position b on; signed types repeat the highest of them"},
    {"bfi", "inserts the low bits of a into b, from position c on, as many as the last operand says"},
    {"bmsk", "a mask of b bits from position a on"},
    {"szext", "extends the low b bits of a, with copies of their sign or with zeros"},
    {"fns", "the position of the c-th bit that is set, counted from position b"},
    {"lop3", "any logical function of a, b and c, given by a table of 8 bits"},
    {"prmt", "selects four of the eight bytes of a and b"},
    {"shf", "shifts the 64 bits of b and a, and keeps the high word (.l) or the low word (.r)"},
    {"dp4a", "the sum of the products of four bytes, plus c"},
    {"dp2a", "the sum of the products of two halves with two bytes, plus c"},
    {"copysign", "b with the sign of a"},
    {"testp", "whether a is .finite, .infinite, .number, .notanumber, .normal or .subnormal"},
    {"rcp", "1 / a"},
    {"sqrt", "the square root"},
    {"rsqrt", "1 / the square root, rounded to nearest; PTX gives a bound"},
    {"ex2", "2 to the power of a, rounded to nearest; PTX gives a bound"},
    {"lg2", "the logarithm to base 2, rounded to nearest; PTX gives a bound"},
    {"sin", "the sine, rounded to nearest; PTX gives a bound"},
    {"cos", "the cosine, rounded to nearest; PTX gives a bound"},
    {"tanh", "the hyperbolic tangent, rounded to nearest; PTX gives a bound"},
    {"bra", "jumps forward to a label; lanes that jump wait there"},
    {"ret", "ends the program for these lanes"},
    {"exit", "ends the program for these lanes"},
    {"pto.vcmp", "compares vectors; the mask is false where the seed (third operand) is false"},
    {"pto.vcmps",
     "compares a vector with a scalar; the mask is false where the seed (third operand) is false"},
    {"pto.vsel", "d is a where the mask is true, otherwise b"},
    {"pto.vselr",
     "with integers as second operand, d is a at these lane numbers, modulo the lanes of a register; with a "
     "mask, d is b where it is true, otherwise a"},
    {"pto.vselrv2", "d is a where the mask is true, otherwise b"},
    {"pto.vbr", "copies a scalar to every lane"},
    {"pto.vdup", "copies a scalar, or the lowest or highest lane of a register, to every lane of the mask"},
    {"pto.vexp", "e to the power of a, within 1 unit in the last place"},
    {"pto.vadd", "adds; integers wrap, floats are rounded to nearest, ties to even"},
    {"pto.vsub", "subtracts; integers wrap, floats are rounded to nearest, ties to even"},
    {"pto.vmul", "multiplies; integers wrap, floats are rounded to nearest, ties to even"},
    {"pto.vadds", "adds a scalar; integers wrap, floats are rounded to nearest, ties to even"},
    {"pto.vmuls", "multiplies by a scalar; integers wrap, floats are rounded to nearest, ties to even"},
    {"pto.vmax", "the larger one; a NaN in either operand gives a NaN"},
    {"pto.vmin", "the smaller one; a NaN in either operand gives a NaN"},
    {"pto.vmaxs", "the larger one of a lane and a scalar; a NaN in either gives a NaN"},
    {"pto.vmins", "the smaller one of a lane and a scalar; a NaN in either gives a NaN"},
    {"pto.vrelu", "a where it is above 0, otherwise +0, also for a NaN"},
    {"pto.vabs", "the absolute value"},
    {"pto.vneg", "changes the sign"},
    {"pto.vand", "bitwise and"},
    {"pto.vor", "bitwise or"},
    {"pto.vxor", "bitwise exclusive or"},
    {"pto.vnot", "inverts all bits"},
    {"pto.vintlv",
     "interleaves two registers: the low result has the lanes a0 b0 a1 b1 ... of their lower halves"},
    {"pto.vdintlv", "the inverse of vintlv: even lanes to the first result, odd ones to the second"},
    {"pto.vcvt",
     "converts between types; between widths, part selects the positions of the narrower elements"},
    {"pto.vtrc", "rounds floats to integral values: R to even, A ties away, F down, C up, Z towards zero"},
    {"pto.vbitcast", "the same bits as another type"},
    {"pto.vlds", "loads a register from memory"},
    {"pto.vsts", "stores the lanes of the mask to memory; others stay as they are"},
    {"pto.pset_b", "a mask from a pattern such as PAT_VL8: lanes below 8; see pto explain PAT_VL8"},
    {"pto.pge_b", "a mask from a pattern such as PAT_VL8: lanes below 8; see pto explain PAT_VL8"},
    {"pto.plt_b", "a mask of the lanes below a count, and what is left of the count"},
    {"pto.pand", "a and b, where the last operand is true"},
    {"pto.por", "a or b, where the last operand is true"},
    {"pto.pxor", "a exclusive or b, where the last operand is true"},
    {"pto.pnot", "not a, where the last operand is true"},
    {"pto.psel", "d is a where the last operand is true, otherwise b"},
    {"pto.ppack", "packs a mask for twice as many elements: every second bit goes to one half"},
    {"pto.punpack", "copies one half of a mask to every second bit"},
    {"pto.pbitcast", "the same mask for elements of another width"},
    {"pto.pintlv", "interleaves two masks, as vintlv does vectors"},
    {"pto.pintlv_b", "interleaves two masks, as vintlv does vectors"},
    {"pto.pdintlv", "the inverse of pintlv"},
    {"pto.pdintlv_b", "the inverse of pintlv"},
};

/* Returns whether the rest of an opcode is the width of a lane, after a name that ends in "_b". */
static bool is_width(const char *rest) {
    return strcmp(rest, "8") == 0 || strcmp(rest, "16") == 0 || strcmp(rest, "32") == 0;
}

const char *instruction_meaning(const char *opcode) {
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i) {
        const char *const name = meanings[i].name;
        const size_t length = strlen(name);
        const bool has_width = length > 2 && strcmp(name + length - 2, "_b") == 0;
        if (strncmp(name, opcode, length) != 0) continue;
        if (has_width ? is_width(opcode + length) : name_length(opcode) == length) return meanings[i].words;
    }
    return NULL;
}
