/* SPDX-License-Identifier: MIT */
/*
 * Kernel programs: PTO texts with a kernel function, which runs on arrays in global memory and on a unified
 * buffer. The text is parsed once to a tree of operations whose operands are resolved and whose types are checked:
 *
 *   pto_kernel_types.c     tokens and types
 *   pto_kernel_values.c    memory for the tree, names and values
 *   pto_kernel_call.c      the parts of an operation: operands, attributes, types
 *   pto_kernel_check.c     checks of operands and results against the table of operations
 *   pto_kernel_parse.c     modules, functions and statements; pto_kernel_control.c: loops, branches and calls
 *   pto_kernel_table.c     the table of operations; pto_kernel_refuse.c: operations of other units
 *
 * An interpreter runs the tree: pto_kernel_run.c, pto_kernel_interface.c, and a file for each family of
 * operations. A value has a fixed place in the program's memory, because functions do not recurse.
 */
#ifndef PTO_PROGRAM_PTO_KERNEL_H
#define PTO_PROGRAM_PTO_KERNEL_H

#include "ir.h"

#include <fenv.h>
#include <string.h>

enum {
    KERNEL_VECTOR_BYTES = 256,
    KERNEL_IMAGE_BYTES = 32, /* a mask has one bit for each byte of a vector register */
    KERNEL_VMI_LANES = 4096, /* most lanes of a VMI vector */
    KERNEL_SCRATCH_BYTES = KERNEL_VMI_LANES * 8,
    KERNEL_BUFFER_BYTES = 262144, /* the unified buffer */
    KERNEL_BLOCK_BYTES = 32,
    KERNEL_OPERANDS = 32,
    KERNEL_NUMBERS = 4
};

/* ---- types and values ---- */

enum kernel_kind {
    KERNEL_INTEGER, /* `bits` bits in a uint64_t, with higher bits 0 */
    KERNEL_FLOAT,   /* the element's bits in a uint64_t */
    KERNEL_POINTER, /* struct kernel_pointer */
    KERNEL_VECTOR,  /* `lanes` elements */
    KERNEL_MASK,    /* an image of 256 bits; of VMI one bit for each of `lanes` lanes */
    KERNEL_ALIGN    /* no content: unaligned streams hold no bytes back */
};

struct kernel_type {
    enum kernel_kind kind;
    pto_dtype element; /* of integers, floats, vectors, and what a pointer points to */
    bool is_signless;  /* iN, which counts as signed */
    bool is_index;
    bool is_vmi;
    bool is_global; /* pointer: to global memory, not to the unified buffer */
    unsigned bits;  /* integer: its width; mask: width of the elements that it is for, 0 for VMI */
    unsigned lanes; /* vector, mask */
};

struct kernel_value {
    struct kernel_type type;
    struct token name; /* where the text defines it; length 0 for a constant without a name */
    size_t at;         /* offset in the program's memory */
    bool is_constant;
    uint64_t bits;             /* of a constant */
    bool is_used;              /* of an align value */
    struct kernel_value *root; /* of a pointer to global memory: the function's argument that it comes from */
    bool is_stored;            /* of such an argument: whether the text stores to it */
    struct kernel_value *next; /* in struct kernel.values */
};

struct kernel_pointer {
    int array;      /* index of the array, or KERNEL_UB */
    int64_t offset; /* in bytes */
};

enum { KERNEL_UB = -1 };

/* The lanes that an operation works on. */
struct kernel_lanes {
    pto_dtype type;
    pto_dtype bits; /* the untyped type of a lane's width; a pair of 4-bit codes is one lane */
    unsigned bytes; /* of a lane */
    unsigned count;
};

/* ---- operations ---- */

struct kernel_machine;
struct kernel_op;

/* Runs an operation. Returns false after an error. */
typedef bool kernel_run(struct kernel_machine *m, const struct kernel_op *op);

struct kernel_region {
    struct kernel_op *first;
    struct kernel_value *
        *arguments; /* of a loop: the counter and the values that it carries; of a function: its own */
    size_t argument_count;
    struct kernel_value **results; /* what scf.yield or return gives */
    size_t result_count;
};

/* A group of operands with a name, such as nburst(%a, %b, %c). */
struct kernel_group {
    struct token name;
    struct kernel_value *value[3];
    size_t count;
};

struct kernel_op {
    kernel_run *run;
    struct token place;                   /* its name in the text */
    struct token pointer, second_pointer; /* the names of its pointer operands, for errors */
    struct kernel_value **in, **out;
    size_t in_count, out_count;
    struct kernel_lanes lanes;
    struct kernel_value *mask; /* NULL: every lane */
    int variant;               /* from the table */
    int64_t number[KERNEL_NUMBERS];
    pto_vcvt_op convert;
    struct kernel_group *group;
    size_t group_count;
    const unsigned char *data;        /* bits of a constant mask */
    const struct token *words;        /* the names of a flag */
    struct kernel_function *function; /* func.call */
    struct kernel_region *region[2];
    struct kernel_op *next;
};

struct kernel_function {
    struct token name;
    struct kernel_region body;
    bool has_body, is_kernel, is_private, has_global_pointer, stores;
    struct kernel_type *result; /* types of the results */
    size_t result_count;
    unsigned depth; /* of calls below it; 0: not known yet */
    bool visiting;
    struct kernel_function *next;
};

/* An array in global memory, or a scalar: an argument of a kernel. */
struct kernel_argument {
    const struct kernel_value *value;
    char *name;
    const void *data; /* what pto_program_bind() set */
    size_t n;
    bool is_bound;
    pto_dtype data_type;
    unsigned char *memory; /* the private copy of the last run */
    size_t bytes;
};

/* A vector or mask of the kernel that callers can read after a run. */
struct kernel_register {
    const struct kernel_value *value;
    char *name;
    bool keep;
    unsigned char *lanes, *image; /* what pto_program_value() returns of a mask */
};

struct kernel {
    char *text; /* a copy, to which the tokens point */
    void *arena;
    size_t memory_bytes;
    struct kernel_value *values;
    struct kernel_function *functions;
    struct kernel_function *chosen;
    struct kernel_argument *argument;
    size_t argument_count;
    struct kernel_register *reg;
    size_t register_count;
    unsigned char *memory; /* all values; kept for the next run, like what follows */
    unsigned char *buffer; /* the unified buffer */
    unsigned char *scratch;
    size_t touched; /* bytes of the buffer that may not be zero */
};

/* ---- parsing ---- */

/* A name in a region. */
struct kernel_symbol {
    struct token name;
    struct kernel_value *value;
    size_t hidden; /* index + 1 of the symbol that has the same hash and comes before */
};

enum { KERNEL_HASHES = 256 };

struct kernel_front {
    struct text text;
    pto_program *program;
    struct kernel *kernel;
    struct kernel_function *function; /* the one that is being read */
    struct kernel_symbol *symbol;
    size_t symbol_count, symbol_capacity;
    size_t hash[KERNEL_HASHES]; /* index + 1 of the last symbol, 0 if there is none */
    size_t region_first;        /* index of the first symbol of the innermost region */
    unsigned depth;
    /* Reads the statements of a region, behind its "{", and the "}". The names in them stay known. (A member,
     * because the files that parse statements and regions need each other.) */
    bool (*read_region)(struct kernel_front *f, struct kernel_region *region);
};

struct kernel_operand {
    struct token token;
    struct kernel_value *value;
    bool in_brackets;
};

struct kernel_attribute {
    struct token key, value; /* value: length 0 if there is only a key */
    bool minus;
    bool is_taken;
};

enum {
    KERNEL_RESULTS = 16,
    KERNEL_WORDS = 4,
    KERNEL_ATTRIBUTES = 8,
    KERNEL_GROUPS = 12,
    KERNEL_DEPTH = 64,
    KERNEL_CALL_DEPTH = 32
};

/* A type in the text and its place. */
struct kernel_written {
    struct kernel_type type;
    struct token token;
};

struct kernel_call {
    struct token opcode;
    const char *name; /* without "pto." and "pto.vmi." */
    size_t name_length;
    bool is_vmi;
    struct token result[KERNEL_RESULTS];
    size_t result_count;
    struct kernel_operand operand[KERNEL_OPERANDS];
    size_t operand_count;
    struct token word[KERNEL_WORDS]; /* in quotes, among the operands */
    bool word_is_taken[KERNEL_WORDS];
    size_t word_count;
    struct kernel_attribute attribute[KERNEL_ATTRIBUTES];
    size_t attribute_count;
    struct kernel_group group[KERNEL_GROUPS];
    size_t group_count;
    struct kernel_written in[KERNEL_OPERANDS], out[KERNEL_RESULTS];
    size_t in_count, out_count;
    bool has_types;
    unsigned granularity; /* of a name that ends in _b8, _b16 or _b32 */
    const struct kernel_operation *operation;
    struct kernel_op *op; /* what is being built */
    /* the vector type that the operation's letters "v" stand for */
    struct kernel_type type;
    struct token type_source;
    bool has_type;
};

/* Checks what the letters of the table do not, and sets the op's parameters. Returns false after an error. */
typedef bool kernel_prepare(struct kernel_front *f, struct kernel_call *c);

enum kernel_where { KERNEL_MICRO = 1, KERNEL_VMI = 2, KERNEL_BOTH = 3 };

/*
 * A row of the table. Each letter of `operands` and `results` stands for one operand or result:
 *
 *   v  a vector of the operation's type: the first one sets it
 *   u  a vector of any type
 *   n  a vector of integers with as many lanes, of the same width, as the operation's type
 *   s  a scalar of the operation's elements
 *   d  such a scalar, or a vector of the operation's type
 *   i  an integer; an offset in brackets is one
 *   e  a scalar of any type
 *   p  a pointer; g: to global memory; b: to the unified buffer
 *   m  a mask for the operation's type; M: it may be omitted
 *   k  a mask of any type; K: it may be omitted
 *   x  a mask of the granularity in the operation's name
 *   a  an align value
 *   *  any operands, which `prepare` checks
 *   ?  before a letter: the result or operand may be omitted
 */
struct kernel_operation {
    const char *name;
    enum kernel_where where;
    const char *operands, *results;
    uint64_t types; /* bit t is set if the operation takes elements of type t; 0: all */
    kernel_prepare *prepare;
    kernel_run *run;
    int variant;
};

static inline uint64_t kernel_bit(pto_dtype type) {
    return (uint64_t)1 << type;
}

/* ---- pto_kernel_types.c ---- */

/* Reads the next token. Unlike pto_text_next() it keeps %c-128 and %r#0 together. */
void pto_kernel_next(struct text *t);
bool pto_kernel_take(struct text *t, const char *word);
bool pto_kernel_expect(struct text *t, const char *word);
/* Skips from `open`, which is the current token, to the matching `close`. Returns false after an error. */
bool pto_kernel_skip_pair(struct text *t, const char *open, const char *close);
/* Skips loc(...), if it is the current token. */
bool pto_kernel_skip_location(struct text *t);
static inline bool kernel_is_name(const struct token *t) {
    return t->kind == TOKEN_WORD && t->length > 1 && t->at[0] == '%';
}

bool pto_kernel_type_read(struct kernel_front *f, struct kernel_written *to);
/* Returns whether a value of type b may stand where the text has type a. */
bool pto_kernel_types_agree(const struct kernel_type *a, const struct kernel_type *b);
/* Writes a type as the text has it. */
void pto_kernel_type_name(const struct kernel_type *type, char *to, size_t size);
/* Returns the width of an element, at least 8 bits. */
unsigned pto_kernel_lane_bits(pto_dtype element);
/* Returns the bytes of an element of a vector, or of what a pointer points to. */
static inline unsigned kernel_element_bytes(const struct kernel_value *v) {
    return pto_kernel_lane_bits(v->type.element) / 8;
}
struct kernel_lanes pto_kernel_lanes(const struct kernel_type *vector);
struct kernel_type pto_kernel_integer(unsigned bits);
struct kernel_type pto_kernel_index(void);
/* Returns the type of a mask for vectors of this type. */
struct kernel_type pto_kernel_mask_for(const struct kernel_type *vector);

/* ---- pto_kernel_values.c ---- */

/* Returns zeroed memory that lives as long as the program, or NULL after an error. */
void *pto_kernel_allocate(struct kernel_front *f, size_t bytes);
void pto_kernel_free_arena(void *arena);
/* Returns the bytes that a value of this type takes in the program's memory. */
size_t pto_kernel_value_bytes(const struct kernel_type *type);
/* Makes a value; `name` may be NULL. Returns NULL after an error. */
struct kernel_value *pto_kernel_value(struct kernel_front *f, const struct token *name,
                                      struct kernel_type type);
/* Makes a value whose name must be new in its region. */
struct kernel_value *pto_kernel_define(struct kernel_front *f, const struct token *name,
                                       struct kernel_type type);
struct kernel_value *pto_kernel_constant(struct kernel_front *f, struct kernel_type type, uint64_t bits);
/* Binds a further name, such as %r#0, to a value. */
bool pto_kernel_alias(struct kernel_front *f, const struct token *name, struct kernel_value *value);
/* Finds a value, or reports that its name is unknown and returns NULL. */
struct kernel_value *pto_kernel_find(struct kernel_front *f, const struct token *name);
/* Opens and closes a region of names. */
size_t pto_kernel_open_names(struct kernel_front *f);
void pto_kernel_close_names(struct kernel_front *f, size_t mark);
/* Reads a number of the text as an element. Returns false after an error. */
bool pto_kernel_number(struct kernel_front *f, const struct token *number, bool minus,
                       const struct kernel_type *type, uint64_t *bits);

/* ---- pto_kernel_call.c ---- */

/* Reads everything after the opcode into c. */
bool pto_kernel_call_read(struct kernel_front *f, struct kernel_call *c);
/* Takes a word of the operation: the attribute `key`, or a word in quotes among the operands. Sets *index
 * to its place in `words`, which ends with NULL, or to -1 if there is none. */
bool pto_kernel_word(struct kernel_front *f, struct kernel_call *c, const char *key, const char *const *words,
                     int64_t *index);
/* Takes the integer of an attribute. Sets *found to whether there is one. */
bool pto_kernel_integer_attribute(struct kernel_front *f, struct kernel_call *c, const char *key,
                                  int64_t *value, bool *found);
/* Takes an attribute by its key; returns NULL if there is none. */
struct kernel_attribute *pto_kernel_attribute(struct kernel_call *c, const char *key);
/* Reports words and attributes that the operation does not take. */
bool pto_kernel_nothing_left(struct kernel_front *f, const struct kernel_call *c);
/* Reads "(" types ")" or types separated by commas into `to`. */
bool pto_kernel_type_list(struct kernel_front *f, struct kernel_written *to, size_t capacity, size_t *count);

/* ---- pto_kernel_check.c ---- */

/* Checks the call against its row of the table, and makes its op with operands and results. */
bool pto_kernel_check(struct kernel_front *f, struct kernel_call *c);
/* Defines result i with this type; the declared one must agree. */
bool pto_kernel_result(struct kernel_front *f, struct kernel_call *c, size_t i, struct kernel_type type);
/* Reports that an operand or result is of another type than `expected`. Returns false. */
bool pto_kernel_wrong_type(struct kernel_front *f, const struct token *place,
                           const struct kernel_type *expected, const struct kernel_type *actual);
/* Makes an empty op of the call. */
struct kernel_op *pto_kernel_op(struct kernel_front *f, const struct token *place, size_t in, size_t out);

/* ---- pto_kernel_table.c, pto_kernel_refuse.c ---- */

/* Returns the row of this name, or NULL. Sets c->granularity. */
const struct kernel_operation *pto_kernel_row(struct kernel_call *c);
/* Sets *name to the name of operation i. Returns false if i is too large. */
bool pto_kernel_operation_name(size_t i, const char **name, bool *is_vmi, bool *has_width);
bool pto_kernel_unknown(struct kernel_front *f, const struct kernel_call *c);
/* Reports the first operation of the text that another unit runs. Returns false if there is one. */
bool pto_kernel_refuse(struct kernel_front *f);

/* ---- pto_kernel_parse.c ---- */

/* Returns whether the text is a kernel program. */
bool pto_kernel_recognize(const char *text);
/* Parses the whole text into program->kernel. */
bool pto_kernel_parse(pto_program *program, const char *text, pto_program_error *error);

/* ---- pto_kernel_control.c: each returns the op, or NULL after an error ---- */

struct kernel_op *pto_kernel_for(struct kernel_front *f, struct kernel_call *c);
struct kernel_op *pto_kernel_if(struct kernel_front *f, struct kernel_call *c);
struct kernel_op *pto_kernel_scope(struct kernel_front *f, struct kernel_call *c);
struct kernel_op *pto_kernel_call_of(struct kernel_front *f, struct kernel_call *c);
/* Reads the operands of scf.yield or return into the region's results. */
bool pto_kernel_yield(struct kernel_front *f, struct kernel_region *region);
/* Checks that calls have bodies and do not recurse. */
bool pto_kernel_check_calls(struct kernel_front *f);

/* ---- pto_kernel_arith.c ---- */

/* Reads an operation of arith or llvm; sets *op to NULL if nothing must be run. */
bool pto_kernel_arith(struct kernel_front *f, struct kernel_call *c, struct kernel_op **op);

/* ---- running ---- */

struct kernel_machine {
    pto_program *program;
    struct kernel *kernel;
    unsigned char *memory, *buffer, *scratch[3];
    bool *written; /* strict: whether a byte of the unified buffer was written */
    uint64_t budget, steps;
    size_t block, blocks;
    uint32_t stored;   /* the register AR: bytes that vstur stored */
    uint32_t squeezed; /* bytes that the last vsqz kept */
    uint64_t loop_size[2][2],
        loop_stride[2][2][2];  /* [to the buffer, from it][loop 1, 2][source, destination] */
    const struct token **flag; /* strict: each with three names */
    size_t flag_count, flag_capacity;
    pto_status status;
    fenv_t caller_state; /* in which callbacks run */
};

static inline void *kernel_at(const struct kernel_machine *m, const struct kernel_value *v) {
    return m->memory + v->at;
}

static inline uint64_t kernel_bits(const struct kernel_machine *m, const struct kernel_value *v) {
    uint64_t bits;
    memcpy(&bits, m->memory + v->at, sizeof bits);
    return bits;
}

static inline void kernel_set_bits(const struct kernel_machine *m, const struct kernel_value *v,
                                   uint64_t bits) {
    memcpy(m->memory + v->at, &bits, sizeof bits);
}

/* Returns an integer with its sign extended. */
static inline int64_t kernel_signed(const struct kernel_machine *m, const struct kernel_value *v) {
    const uint64_t bits = kernel_bits(m, v);
    const unsigned unused = 64 - v->type.bits;
    return (int64_t)(bits << unused) >> unused;
}

static inline uint64_t kernel_load(const void *from, unsigned bytes, size_t i) {
    uint64_t x = 0;
    memcpy(&x, (const unsigned char *)from + i * bytes, bytes);
    return x;
}

static inline void kernel_store(void *to, unsigned bytes, size_t i, uint64_t x) {
    memcpy((unsigned char *)to + i * bytes, &x, bytes);
}

/* Ends the run with an error at an operation. `word` may be NULL. Returns false. */
bool pto_kernel_fail(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                     pto_status status, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Returns whether the status is PTO_OK; otherwise ends the run with it. */
bool pto_kernel_is_ok(struct kernel_machine *m, const struct kernel_op *op, pto_status status);
bool pto_kernel_run_region(struct kernel_machine *m, const struct kernel_region *region);
/* Asks the caller's function, in the caller's FP state, whether the run must end early. */
bool pto_kernel_is_stopped(struct kernel_machine *m);
/* Counts one executed operation or row of a copy. Returns false after an error, when the budget is spent. */
bool pto_kernel_spend(struct kernel_machine *m, const struct kernel_op *op);
kernel_run pto_kernel_run_for, pto_kernel_run_if, pto_kernel_run_scope, pto_kernel_run_call;

/* The view of a mask value for libpto's calls; PTO_NO_MASK for NULL. */
pto_mask pto_kernel_mask(const struct kernel_machine *m, const struct kernel_value *v);
/* The mask of the op's lanes, packed, in `to`, which has KERNEL_VMI_LANES / 8 bytes. */
bool pto_kernel_packed(struct kernel_machine *m, const struct kernel_op *op, const struct kernel_value *v,
                       unsigned char *to, size_t lanes);
static inline bool kernel_is_on(const unsigned char *packed, size_t i) {
    return packed[i / 8] >> (i % 8) & 1;
}
/* Makes lanes of `to` zero where the op's mask is off. */
bool pto_kernel_zero_off(struct kernel_machine *m, const struct kernel_op *op, void *to);
/* Copies a scalar to all lanes of a scratch array, and returns it. */
const void *pto_kernel_spread(struct kernel_machine *m, const struct kernel_op *op,
                              const struct kernel_value *v, unsigned scratch);

/* ---- pto_kernel_memory.c ---- */

/* One access for bounds and error messages. */
struct kernel_access {
    const char *unit; /* "lane" or "row", or NULL */
    size_t index;
    bool writes, is_copy;
};

/* Returns the address of `bytes` bytes at `offset` bytes after p, or NULL after an error. */
unsigned char *pto_kernel_access(struct kernel_machine *m, const struct kernel_op *op,
                                 const struct token *word, const struct kernel_pointer *p, int64_t offset,
                                 size_t bytes, struct kernel_access access);
/* Returns the address of `count` units of `bytes` bytes, or reports the first unit out of bounds. */
unsigned char *pto_kernel_units(struct kernel_machine *m, const struct kernel_op *op,
                                const struct kernel_pointer *p, int64_t offset, size_t bytes, size_t count,
                                bool writes);
struct kernel_pointer pto_kernel_pointer(const struct kernel_machine *m, const struct kernel_value *v);
void pto_kernel_set_pointer(const struct kernel_machine *m, const struct kernel_value *v,
                            struct kernel_pointer p);
/* strict: an address off a 32-byte boundary is an error. */
bool pto_kernel_check_aligned(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                              const struct kernel_pointer *p, int64_t offset);

/* ---- pto_kernel_interface.c: the calls of program.h for kernel programs ---- */

void pto_kernel_free(struct kernel *kernel);
size_t pto_kernel_register_count(const pto_program *program);
pto_status pto_kernel_register_at(const pto_program *program, size_t i, pto_program_register *out);
pto_status pto_kernel_register_named(const pto_program *program, const char *name, pto_program_register *out);
pto_status pto_kernel_bind(pto_program *program, const char *name, pto_dtype type, const void *data,
                           size_t n);
pto_status pto_kernel_run(pto_program *program, size_t blocks);
pto_status pto_kernel_value_of(const pto_program *program, const char *name, pto_dtype *type,
                               const void **data, size_t *n);
/* Makes the lists of arguments and registers of the chosen kernel. Returns false if there is no memory. */
bool pto_kernel_list(pto_program *program, struct kernel_function *chosen);

#endif
