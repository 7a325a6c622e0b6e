/* SPDX-License-Identifier: MIT */
/* Parses and runs the asm statements of tools/ptx_statements.h. */
#include "truth/ptx_text.h"

#include <pto/pto.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 24, OPERANDS = 8, NAME = 16, TEXT = 256 };

/* ---- registers ---- */

static struct {
    char names[REGISTERS][NAME];
    uint64_t lanes[REGISTERS][PTX_TEXT_LANES];
    size_t count;
    size_t n;
} file;

void ptx_text_begin(size_t n) {
    file.count = 0;
    file.n = n;
}

uint64_t *ptx_text_register(const char *name) {
    size_t i = 0;
    while (i < file.count && strcmp(file.names[i], name) != 0) ++i;
    if (i == REGISTERS || strlen(name) >= NAME) {
        printf("no room for the register %s\n", name);
        exit(1);
    }
    if (i < file.count) return file.lanes[i];
    ++file.count;
    memcpy(file.names[i], name, strlen(name) + 1);
    memset(file.lanes[i], 0, sizeof file.lanes[i]);
    /* A number is stored like a register that holds it. */
    for (size_t k = 0; *name >= '0' && *name <= '9' && k < file.n; ++k)
        file.lanes[i][k] = strtoull(name, NULL, 10);
    return file.lanes[i];
}

/* ---- operands ---- */

/* An operand, such as "{a, b}", "p|q", "!c" or "%1", split into its parts. */
struct operand {
    char parts[4][NAME];
    size_t count;
    bool is_vector, is_not;
};

struct instruction {
    char text[TEXT]; /* "cvt.rn.f16x2.f32" */
    struct operand operands[OPERANDS];
    size_t count;
};

/* Reads one operand of a list, and the comma that follows it, and advances *at. */
static bool take_operand(const char **at, struct operand *operand) {
    memset(operand, 0, sizeof *operand);
    *at += strspn(*at, " ");
    operand->is_vector = **at == '{';
    operand->is_not = **at == '!';
    if (operand->is_vector || operand->is_not) ++*at;
    do {
        size_t length;
        *at += strspn(*at, " ,|");
        length = strcspn(*at, " ,|}");
        if (length == 0 || length >= NAME || operand->count == 4) return false;
        memcpy(operand->parts[operand->count++], *at, length);
        *at += length;
    } while (**at == '|' || (operand->is_vector && **at == ','));
    if (operand->is_vector && *(*at)++ != '}') return false;
    *at += strspn(*at, " ,");
    return true;
}

static bool read_instruction(const char *text, struct instruction *i) {
    const size_t length = strcspn(text, " ");
    const char *at = text + length;
    if (length >= TEXT) return false;
    memset(i, 0, sizeof *i);
    memcpy(i->text, text, length);
    while (*at != '\0') {
        if (i->count == OPERANDS || !take_operand(&at, &i->operands[i->count++])) return false;
    }
    return i->count != 0;
}

static uint64_t *lanes_of(const struct operand *operand) {
    return ptx_text_register(operand->parts[0]);
}

/* ---- arrays, as libpto reads and writes them ---- */

static struct {
    uint8_t a[4 * 8 * PTX_TEXT_LANES], b[8 * PTX_TEXT_LANES], extra[8 * PTX_TEXT_LANES];
    uint8_t result[4 * 8 * PTX_TEXT_LANES];
    uint64_t c[PTX_TEXT_LANES / 64], p[PTX_TEXT_LANES / 64], q[PTX_TEXT_LANES / 64];
} memory;

/* Stores lane k in element k * of + place of `array`, little-endian. */
static void write_lanes(const uint64_t *lanes, size_t bits, uint8_t *array, size_t of, size_t place) {
    for (size_t k = 0; k < file.n; ++k) memcpy(array + (k * of + place) * bits / 8, &lanes[k], bits / 8);
}

static void read_lanes(const uint8_t *array, size_t bits, uint64_t *lanes) {
    for (size_t k = 0; k < file.n; ++k) {
        lanes[k] = 0;
        memcpy(&lanes[k], array + k * bits / 8, bits / 8);
    }
}

static void write_truths(const struct operand *c, uint64_t *words) {
    const uint64_t *const lanes = lanes_of(c);
    memset(words, 0, PTX_TEXT_LANES / 8);
    for (size_t k = 0; k < file.n; ++k) words[k / 64] |= (lanes[k] & 1) << k % 64;
}

static void read_truths(const uint64_t *words, uint64_t *lanes) {
    for (size_t k = 0; k < file.n; ++k) lanes[k] = words[k / 64] >> k % 64 & 1;
}

/* Stores operands a and b, which have the same type. */
static void write_pair(const struct instruction *i, pto_dtype type) {
    write_lanes(lanes_of(&i->operands[1]), pto_dtype_bits(type), memory.a, 1, 0);
    write_lanes(lanes_of(&i->operands[2]), pto_dtype_bits(type), memory.b, 1, 0);
}

/* ---- instructions ---- */

/* Runs mov.b16 {low, high}, r or mov.b16 r, {low, high}, where low and high are bytes. */
static bool run_mov(const struct instruction *i) {
    const struct operand *const to = &i->operands[0], *const from = &i->operands[1];
    if (strcmp(i->text, "mov.b16") != 0 || i->count != 2 || to->is_vector == from->is_vector) return false;
    for (size_t k = 0; k < file.n; ++k) {
        if (to->is_vector) {
            const uint64_t bits = lanes_of(from)[k];
            ptx_text_register(to->parts[0])[k] = bits & 0xff;
            ptx_text_register(to->parts[1])[k] = bits >> 8 & 0xff;
        } else {
            const uint64_t high = ptx_text_register(from->parts[1])[k];
            lanes_of(to)[k] = ptx_text_register(from->parts[0])[k] | high << 8;
        }
    }
    return true;
}

/* Returns whether operand c is present exactly if there is a BoolOp. */
static bool third_fits(const struct instruction *i, pto_boolop boolop) {
    return i->count == (boolop == PTO_BOOL_NONE ? 3U : 4U);
}

static bool run_setp(const struct instruction *i) {
    const struct operand *const to = &i->operands[0], *const c = &i->operands[3];
    const bool both = to->count == 2;
    pto_setp_op op;
    bool has_c;
    if (pto_parse_setp(i->text, &op, NULL) != PTO_OK || !third_fits(i, op.boolop)) return false;
    has_c = op.boolop != PTO_BOOL_NONE;
    op.not_c = c->is_not;
    write_pair(i, op.type);
    if (has_c) write_truths(c, memory.c);
    if (pto_setp(op, memory.a, memory.b, has_c ? pto_packed_in(memory.c) : PTO_NO_MASK, pto_packed(memory.p),
                 both ? pto_packed(memory.q) : PTO_NO_MASK, file.n) != PTO_OK)
        return false;
    read_truths(memory.p, ptx_text_register(to->parts[0]));
    if (both) read_truths(memory.q, ptx_text_register(to->parts[1]));
    return true;
}

static bool run_set(const struct instruction *i) {
    const struct operand *const c = &i->operands[3];
    pto_set_op op;
    bool has_c;
    if (pto_parse_set(i->text, &op, NULL) != PTO_OK || !third_fits(i, op.boolop)) return false;
    has_c = op.boolop != PTO_BOOL_NONE;
    op.not_c = c->is_not;
    write_pair(i, op.stype);
    if (has_c) write_truths(c, memory.c);
    if (pto_set(op, memory.a, memory.b, has_c ? pto_packed_in(memory.c) : PTO_NO_MASK, memory.result,
                file.n) != PTO_OK)
        return false;
    read_lanes(memory.result, pto_dtype_bits(op.dtype), lanes_of(&i->operands[0]));
    return true;
}

/* Parses a type that follows a dot of `text`: the last one if `from_end` is 0, the last but one if it is 1. */
static bool type_word(const char *text, int from_end, pto_dtype *type) {
    char copy[TEXT];
    char *dot;
    memcpy(copy, text, TEXT);
    dot = strrchr(copy, '.');
    for (; dot != NULL && from_end > 0; --from_end) {
        *dot = '\0';
        dot = strrchr(copy, '.');
    }
    return dot != NULL && pto_parse_dtype(dot + 1, type, NULL) == PTO_OK;
}

static bool run_selp(const struct instruction *i) {
    pto_dtype type;
    if (!type_word(i->text, 0, &type) || i->count != 4) return false;
    write_pair(i, type);
    write_truths(&i->operands[3], memory.c);
    if (pto_selp(type, memory.a, memory.b, pto_packed_in(memory.c), memory.result, file.n) != PTO_OK)
        return false;
    read_lanes(memory.result, pto_dtype_bits(type), lanes_of(&i->operands[0]));
    return true;
}

static bool run_slct(const struct instruction *i) {
    const bool ftz = strstr(i->text, ".ftz.") != NULL;
    pto_dtype type, ctype;
    if (!type_word(i->text, 1, &type) || !type_word(i->text, 0, &ctype) || i->count != 4) return false;
    write_pair(i, type);
    write_lanes(lanes_of(&i->operands[3]), pto_dtype_bits(ctype), memory.extra, 1, 0);
    if (pto_slct(type, ctype, ftz, memory.a, memory.b, memory.extra, memory.result, file.n) != PTO_OK)
        return false;
    read_lanes(memory.result, pto_dtype_bits(type), lanes_of(&i->operands[0]));
    return true;
}

static bool run_extreme(const struct instruction *i) {
    const pto_in a = pto_in_array(memory.a), b = pto_in_array(memory.b);
    const bool is_max = strncmp(i->text, "max.", 4) == 0;
    const unsigned flags = (strstr(i->text, ".ftz") != NULL ? PTO_FTZ : 0) |
                           (strstr(i->text, ".NaN") != NULL ? PTO_PROPAGATE_NAN : 0) |
                           (strstr(i->text, ".xorsign.abs") != NULL ? PTO_XORSIGN_ABS : 0);
    pto_dtype type;
    if (!type_word(i->text, 0, &type) || i->count != 3) return false;
    write_pair(i, type);
    if ((is_max ? pto_vmax : pto_vmin)(type, flags, a, b, memory.result, file.n) != PTO_OK) return false;
    read_lanes(memory.result, pto_dtype_bits(type), lanes_of(&i->operands[0]));
    return true;
}

/* ---- cvt ---- */

/* Returns the number of elements in a register of the type that ends `text`: 4 for e4m3x4. */
static size_t packed_elements(const char *text) {
    const char last = text[strlen(text) - 1], before = text[strlen(text) - 2];
    return before == 'x' ? (size_t)(last - '0') : 1;
}

/*
 * Writes the source registers to memory.a. Returns their number, or 0 if the order of the operands is unknown.
 * In PTX's `d, a, b`, the upper half of d comes from a. In `d, {a, b, e, f}`, the uppermost quarter comes from
 * a, and the lowest from f.
 */
static size_t write_sources(const struct instruction *i, size_t plain, size_t bits) {
    const struct operand *const first = &i->operands[1];
    if (plain == 1 && !first->is_vector) {
        write_lanes(lanes_of(first), bits, memory.a, 1, 0);
        return 1;
    }
    if (plain == 1 && first->count == 4) {
        for (size_t k = 0; k < 4; ++k)
            write_lanes(ptx_text_register(first->parts[3 - k]), bits, memory.a, 4, k);
        return 4;
    }
    if (plain != 2 || first->is_vector) return 0;
    write_lanes(lanes_of(&i->operands[2]), bits, memory.a, 2, 0);
    write_lanes(lanes_of(first), bits, memory.a, 2, 1);
    return 2;
}

static bool run_cvt(const struct instruction *i) {
    const size_t packed = packed_elements(i->text);
    size_t registers, elements;
    bool has_extra;
    pto_cvt_op op;
    if (pto_parse_cvt(i->text, &op, NULL) != PTO_OK) return false;
    has_extra = op.round == PTO_RS || op.scale != PTO_SCALE_NONE;
    if (i->count < (has_extra ? 3U : 2U)) return false;
    registers = write_sources(i, i->count - (has_extra ? 2 : 1), packed * pto_dtype_bits(op.src));
    elements = registers * packed;
    if (elements == 0) return false;
    if (has_extra)
        write_lanes(lanes_of(&i->operands[i->count - 1]),
                    op.round == PTO_RS         ? 32
                    : op.scale == PTO_SCALE_N1 ? 8
                                               : 16,
                    memory.extra, 1, 0);
    if (pto_cvt(op, memory.a, memory.result, has_extra ? memory.extra : NULL, elements * file.n) != PTO_OK)
        return false;
    read_lanes(memory.result, elements * pto_dtype_bits(op.dst), lanes_of(&i->operands[0]));
    return true;
}

/* ---- statements ---- */

static bool run_one(const char *text) {
    static const struct {
        const char *name;
        bool (*run)(const struct instruction *i);
    } rows[] = {{"mov.", run_mov},   {"setp.", run_setp}, {"set.", run_set},     {"selp.", run_selp},
                {"slct.", run_slct}, {"cvt.", run_cvt},   {"max.", run_extreme}, {"min.", run_extreme}};
    struct instruction i;
    if (*text == '.') return true; /* .reg: registers are created on first use */
    if (!read_instruction(text, &i)) return false;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        if (strncmp(text, rows[k].name, strlen(rows[k].name)) == 0) return rows[k].run(&i);
    return false;
}

bool ptx_text_run(const char *statement) {
    const char *at = statement;
    for (;;) {
        char text[TEXT];
        size_t length;
        at += strspn(at, " {};"); /* block punctuation; no instruction begins with it */
        length = strcspn(at, ";");
        if (length == 0) return true;
        if (length >= TEXT) return false;
        memcpy(text, at, length);
        text[length] = '\0';
        if (!run_one(text)) {
            printf("%s: cannot be run\n", text);
            return false;
        }
        at += length;
    }
}
