/* SPDX-License-Identifier: MIT */
/*
 * The PTO front end: statements (pto.c), loops and what is known of integers (pto_control.c), types and values
 * (pto_values.c), operands and results by their types (pto_operands.c), the operations (pto_operations.c), and names
 * of operations that programs do not have (pto_names.c).
 */
#ifndef PTO_PROGRAM_PTO_H
#define PTO_PROGRAM_PTO_H

#include "pto_steps.h"

enum { CALL_OPERANDS = 5, CALL_RESULTS = 2, CALL_ATTRIBUTES = 4, SCOPES = 16, LOOP_CARRIED = 4 };

enum pto_kind {
    KIND_VECTOR,
    KIND_MASK,
    KIND_SCALAR,
    KIND_MEMORY, /* an array, !pto.ptr */
    KIND_INDEX   /* an integer that offsets and loops are made of */
};

/* A type as it is written, or as a value has it. */
struct pto_type {
    enum pto_kind kind;
    bool known;     /* the element, or of a mask the lane; else a placeholder stands there */
    pto_dtype type; /* of an element */
    unsigned lane;  /* of a mask, bits of data: 8, 16, 32; 64 beside elements of 64 bits, hidden */
    struct token token;
};

/* An integer that is known when the text is read: base + step for each register that a loop has gone through. */
struct pto_affine {
    bool known;
    int64_t base, step;
};

/* What is known of a register of the program, by its number. */
struct pto_value {
    struct pto_type type;
    size_t line;       /* where it is made, or read first */
    bool made;         /* by a statement, and no input */
    bool all;          /* a mask that is on in all lanes */
    unsigned unpacked; /* of memory: so many times as wide in registers, 0: not looked at yet */
    struct pto_affine affine;
    int alias;         /* of an index: the scalar that it was cast from, or ABSENT */
    int carried;       /* of a count: what of the loop it comes from, or ABSENT */
    uint32_t consumed; /* and how much less it is */
};

/* What a loop hands on from one register to the next. */
struct pto_carried {
    int reg;
    size_t step; /* that computes it */
};

struct pto_loop {
    bool open, closed;
    struct token place;
    struct pto_carried carried[LOOP_CARRIED];
    size_t count, yielded;
};

struct pto_front {
    struct text text;
    pto_program *program;
    struct pto_value *values;
    size_t value_room;
    int last_mask;        /* written last, or ABSENT */
    struct token outside; /* an access to memory outside a loop */
    bool is_outside;
    bool is_function; /* one has begun */
    struct pto_loop loop;
    bool is_loop[SCOPES]; /* of the braces that are open */
    size_t depth;
    int number; /* the register that counts registers, or ABSENT */
};

struct pto_operand {
    struct token token;
    struct token offset; /* in brackets */
    bool has_offset;
};

struct pto_attribute {
    struct token key, value;
};

/* An operation as it stands in the text, and what its names and types were found to be. */
struct pto_call {
    struct token opcode;
    const char *name; /* without "pto." */
    size_t name_length;
    struct token result[CALL_RESULTS];
    size_t results;
    struct pto_operand operand[CALL_OPERANDS];
    size_t operands;
    struct token word; /* in quotes, length 0: none */
    struct pto_attribute attribute[CALL_ATTRIBUTES];
    size_t attributes;
    struct pto_type in[CALL_OPERANDS + 1], out[CALL_RESULTS];
    size_t ins, outs;

    unsigned lane;       /* of masks that the operation is about, 0: not known */
    bool typed;          /* whether the next two are known */
    pto_dtype type;      /* of its elements */
    struct token source; /* the name that says so */
    unsigned unpacked;   /* an element of memory is so many times as wide in a register */
    int src[CALL_OPERANDS], dst[CALL_RESULTS];
};

/* ---- pto_values.c ---- */

bool pto_no_memory(struct pto_front *f);

/* How PTO spells a type. */
const char *pto_type_spelling(pto_dtype type);

/* Of a mask over elements of this type. */
unsigned pto_lane_of(pto_dtype type);

bool pto_type_read(struct pto_front *f, struct pto_type *type);

/* The number of a value, ABSENT if there is none of this name. */
int pto_value_find(const struct pto_front *f, const struct token *name);
/* A value that is not there yet; the name may be NULL. ABSENT after a complaint. */
int pto_value_add(struct pto_front *f, enum reg_kind kind, const struct token *name, struct pto_type type);
/* A value that a statement makes: a complaint if the name is there already. */
int pto_value_make(struct pto_front *f, enum reg_kind kind, const struct token *name, struct pto_type type);
/* An operand of this type: what is not there yet is an input. */
int pto_value_use(struct pto_front *f, const struct token *name, struct pto_type type);
/* A register without a name. */
int pto_value_hidden(struct pto_front *f, enum pto_kind kind, pto_dtype type, unsigned lane);

struct pto_type pto_vector_type(pto_dtype type);
struct pto_type pto_mask_type(unsigned lane);
struct pto_type pto_scalar_type(pto_dtype type);

/* Whether two types of operands that are both known say the same. */
bool pto_types_agree(const struct pto_type *a, const struct pto_type *b);

/* "a mask of 32-bit lanes" and the like, for complaints. */
void pto_type_name(const struct pto_type *type, char *to, size_t size);

/* Numbers of elements, when the whole text is read. */
void pto_values_end(struct pto_front *f);

/* ---- pto_control.c ---- */

bool pto_constant_read(struct pto_front *f, const struct token *result);
bool pto_integer_read(struct pto_front *f, const struct token *opcode, const struct token *result);
bool pto_loop_read(struct pto_front *f, const struct token *place);
bool pto_yield_read(struct pto_front *f);
bool pto_loop_end(struct pto_front *f);
/* Whether the operand goes through an array from register to register, in steps of so many elements. */
bool pto_offset_check(struct pto_front *f, const struct pto_operand *operand, size_t elements);

/* ---- pto_operands.c ---- */

/*
 * What an operation takes and gives, a letter each:
 *   v a vector of its type, y one of that or of another type, u (a result) of another type
 *   s a scalar of its type, d a scalar or a vector, c a count
 *   a an array in memory
 *   m a mask that fits its type, p a mask of its lanes, r (a result) of other lanes; M and P may be left out
 *   " a word in quotes
 */
bool pto_operands_use(struct pto_front *f, struct pto_call *c, const char *operands, const char *results,
                      uint64_t types);
/* The results of the same letters; afterwards nothing can go wrong but a step. */
bool pto_results_make(struct pto_front *f, struct pto_call *c, const char *results);

/* ---- pto_operations.c ---- */

bool pto_operation(struct pto_front *f, struct pto_call *c);

/* Operation number i: its name without "pto.", and whether it ends in "_b", before the width of a lane. Returns false after
 * the last one. */
bool pto_operation_name(size_t i, const char **name, bool *has_width);

/* ---- pto_names.c ---- */

/* Complains about an operation of a name that no row has: what could have been meant, or what it is. Returns false. */
bool pto_operation_unknown(struct pto_front *f, const struct pto_call *c);

/* ---- pto.c ---- */

/* Step over a pair of braces and what is between them. */
bool pto_braces_skip(struct pto_front *f);

/* The whole text into the program. */
bool pto_pto_parse(pto_program *program, const char *text, pto_program_error *error);

#endif
