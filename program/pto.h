/* SPDX-License-Identifier: MIT */
/*
 * The PTO front end for programs over lanes: statements (pto.c), loops and constant integers (pto_control.c), types and
 * values (pto_values.c), type checks of operands and results (pto_operands.c), the table of operations
 * (pto_operations.c), whole images of masks (pto_images.c), and names of operations (pto_names.c). Kernel programs have
 * a front end of their own (pto_kernel.h).
 *
 * "Vector register" means a register of PTO's vector unit, which has 256 bytes. The struct reg of a vector in the text
 * is an array of vector registers, as many as the lanes of a run fill.
 */
#ifndef PTO_PROGRAM_PTO_H
#define PTO_PROGRAM_PTO_H

#include "pto_steps.h"

enum { CALL_OPERANDS = 5, CALL_RESULTS = 2, CALL_ATTRIBUTES = 4, SCOPES = 16, LOOP_CARRIED = 4 };

enum pto_kind {
    KIND_VECTOR,
    KIND_MASK,
    KIND_SCALAR,
    KIND_MEMORY, /* an array in memory, !pto.ptr */
    KIND_INDEX   /* an integer for offsets and loop bounds */
};

/* A type in the text, or the type of a value. */
struct pto_type {
    enum pto_kind kind;
    bool known;     /* false if the text has a placeholder for the element type, or for the lanes of a mask */
    pto_dtype type; /* the type of an element */
    unsigned lane;  /* mask: width of the elements for which it is, 8, 16 or 32; 64 only in hidden masks */
    struct token token;
};

/* An integer whose value is known at parse time: base + increment * i in iteration i of the loop. */
struct pto_affine {
    bool known;
    int64_t base, increment;
};

/* What the parser records about a register of the program. The index of a value is the number of its
 * register. */
struct pto_value {
    struct pto_type type;
    size_t line;          /* where it is defined; for an input, where it is read first */
    bool is_defined;      /* defined by a statement or a parameter; false if the first use made it an input */
    bool is_all_true;     /* a mask that is true in all lanes */
    bool is_read;         /* set only by pto_images_drop_unread(): whether a step reads it */
    unsigned width_ratio; /* memory: an element's width in registers divided by that in memory; 0: unknown */
    struct pto_affine affine;
    int image;         /* mask: the hidden register with its whole image, or ABSENT (pto_images.c) */
    int cast_from;     /* index: the scalar from which it was cast, or ABSENT */
    int carried_index; /* count: index in `pto_loop.carried` of the count from which it is computed, or ABSENT */
    uint32_t subtracted; /* count: how much was subtracted from that carried count */
};

/* A count that the loop passes from one iteration to the next (iter_args). */
struct pto_carried {
    int reg;
    size_t step; /* index of the step that computes the count */
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
    size_t value_capacity;
    int last_mask;               /* register of the mask that was defined last, or ABSENT */
    struct token outside_access; /* the last load or store outside a loop */
    bool has_outside_access;     /* whether `outside_access` is set */
    bool has_function;           /* whether the text has a function so far */
    struct pto_loop loop;
    bool is_loop[SCOPES]; /* for each open scope, whether it is the body of the loop */
    size_t depth;         /* number of open scopes */
    int vector_number;    /* register with the number of the current vector register, or ABSENT */
};

struct pto_operand {
    struct token token;
    struct token offset; /* the part in brackets */
    bool has_offset;
};

struct pto_attribute {
    struct token key, value;
};

/* An operation of the text, and the registers and types that the parser finds for it. */
struct pto_call {
    struct token opcode;
    const char *name; /* without "pto." */
    size_t name_length;
    struct token result[CALL_RESULTS];
    size_t result_count;
    struct pto_operand operand[CALL_OPERANDS];
    size_t operand_count;
    struct token word; /* a word in quotes; length 0 if there is no such word */
    struct pto_attribute attribute[CALL_ATTRIBUTES];
    size_t attribute_count;
    struct pto_type in[CALL_OPERANDS + 1], out[CALL_RESULTS];
    size_t in_count, out_count;

    unsigned lane;        /* width of the elements for which its masks are; 0 if not known */
    bool typed;           /* whether `type` and `source` are set */
    pto_dtype type;       /* type of the operation's elements */
    struct token source;  /* the operand or result that has this type */
    unsigned width_ratio; /* loads, stores: an element's width in the register divided by that in memory */
    int src[CALL_OPERANDS], dst[CALL_RESULTS];
};

/* ---- pto_values.c ---- */

/* Reports that there is not enough memory. Returns false. */
bool pto_no_memory(struct pto_front *f);

/* Returns PTO's name of a type. */
const char *pto_type_spelling(pto_dtype type);

/* Sets *type to the element type with this name in PTO, such as "ui8". Returns false if there is no such
 * type. */
bool pto_element_find(const char *at, size_t length, pto_dtype *type);

/* Returns the width in bits of a lane of this type: the width of an element, at least 8. */
unsigned pto_lane_of(pto_dtype type);

/* Parses a type of the text into *type. Returns false after an error. */
bool pto_type_read(struct pto_front *f, struct pto_type *type);

/* The functions for values return the number of the value's register. */

/* Finds a value by its name. Returns ABSENT if there is no such value. */
int pto_value_find(const struct pto_front *f, const struct token *name);
/* Adds a value. `name` must be new, or NULL. Returns ABSENT after an error. */
int pto_value_add(struct pto_front *f, enum reg_kind kind, const struct token *name, struct pto_type type);
/* Adds a value that a statement defines. Reports an error and returns ABSENT if the name exists. */
int pto_value_make(struct pto_front *f, enum reg_kind kind, const struct token *name, struct pto_type type);
/* Finds an operand and checks that it has this type. A new name becomes an input. Returns ABSENT after an error. */
int pto_value_use(struct pto_front *f, const struct token *name, struct pto_type type);
/* Adds a value without a name. Returns ABSENT after an error. */
int pto_value_hidden(struct pto_front *f, enum pto_kind kind, pto_dtype type, unsigned lane);

struct pto_type pto_vector_type(pto_dtype type);
struct pto_type pto_mask_type(unsigned lane);
struct pto_type pto_scalar_type(pto_dtype type);

/* Returns whether PTO has arithmetic for this float type. */
static inline bool pto_is_float(pto_dtype type) {
    return type == PTO_F16 || type == PTO_BF16 || type == PTO_F32;
}

/* Returns whether two types are compatible: they have the same kind, and equal elements or lanes unless one
 * of them has a placeholder. Integer scalars of the same width are compatible even if only one is signed. */
bool pto_types_agree(const struct pto_type *a, const struct pto_type *b);

/* Writes a type in the form that error messages show, such as "!pto.mask<b32>". */
void pto_type_name(const struct pto_type *type, char *to, size_t size);

/* Sets the number of elements per lane in all registers and steps. Must be called at the end of the text. */
void pto_values_set_widths(struct pto_front *f);

/* Returns the integer for which a name or a number stands. Names such as %c64 and %c64_i32, which MLIR gives
 * to constants, need no definition. */
struct pto_affine pto_integer_of(const struct pto_front *f, const struct token *token);

/* Checks the offset of an operand in memory. In the loop it must start at 0 and increase by `elements` per
 * iteration. Returns false after an error. */
bool pto_offset_check(struct pto_front *f, const struct pto_operand *operand, size_t elements);

/* ---- pto_control.c; these functions return false after an error ---- */

/* Each reads a statement after its opcode or keyword. */
bool pto_constant_read(struct pto_front *f, const struct token *result);
bool pto_integer_read(struct pto_front *f, const struct token *opcode, const struct token *result);
bool pto_loop_read(struct pto_front *f, const struct token *place);
bool pto_yield_read(struct pto_front *f);
/* Ends the loop, at its "}". */
bool pto_loop_end(struct pto_front *f);

/* ---- pto_operands.c ---- */

/*
 * Checks the operands of an operation and sets c->src. `types` has bit t set if the operation allows type t. Each
 * letter of `operands` and `results` stands for one operand or result:
 *
 *   v  a vector of the operation's type
 *   y  a vector of any type
 *   u  a result: a vector of any type
 *   s  a scalar of the operation's type
 *   d  a scalar or a vector of the operation's type
 *   c  a count
 *   a  an array in memory
 *   m  a mask for elements of the operation's type; M: the same, which may be omitted
 *   p  a mask with lanes of the operation's width; P: the same, which may be omitted
 *   r  a result: a mask with lanes of any width
 *   "  a word in quotes
 */
bool pto_operands_use(struct pto_front *f, struct pto_call *c, const char *operands, const char *results,
                      uint64_t types);
/* Checks and defines the results, for which `results` has the same letters, and sets c->dst. */
bool pto_results_make(struct pto_front *f, struct pto_call *c, const char *results);

/* ---- pto_operations.c ---- */

/* Checks an operation and appends its steps. Returns false after an error. If the table has no operation of
 * this name, returns false and reports no error. */
bool pto_operation(struct pto_front *f, struct pto_call *c);

/* Sets *name to the name of operation i, without "pto.". Sets *has_width if the name ends in "_b" and the width of a
 * lane follows it. Returns false if i is too large. */
bool pto_operation_name(size_t i, const char **name, bool *has_width);

/* ---- pto_images.c ---- */

/* Returns a register with the whole image of a mask, for which it appends a step if the mask has no image so far.
 * Without one, all bits but the lowest of each lane are 0. Returns ABSENT for ABSENT, and after an error. */
int pto_image_of(struct pto_front *f, const struct pto_call *c, int mask);

/* Appends a step that computes the images of the results from those of the operands. `lanes` is the step that computes
 * the lanes of the results. Returns false after an error. */
bool pto_image_step(struct pto_front *f, const struct pto_call *c, const struct step *lanes);

/* Removes, at the end of the text, the steps whose only results are images that no other step reads. */
void pto_images_drop_unread(struct pto_front *f);

/* ---- pto_names.c ---- */

/* Reports an operation whose name is not in the table. The message suggests a similar name, or says that PTO has this
 * operation. Returns false. */
bool pto_operation_unknown(struct pto_front *f, const struct pto_call *c);

/* Returns the edit distance of two names: the number of letters that must be changed, inserted or deleted to
 * turn one into the other. Exchanging two neighbours counts as one change. */
size_t pto_name_distance(const char *a, size_t a_length, const char *b);
/* Returns the largest edit distance at which an error message suggests another name for a name of this
 * length. */
size_t pto_name_tolerance(size_t length);

/* ---- pto.c ---- */

/* Parses the whole text into the program. */
bool pto_pto_parse(pto_program *program, const char *text, pto_program_error *error);

#endif
