/* SPDX-License-Identifier: MIT */
/*
 * Kernel programs: PTO texts with a kernel function, which runs on arrays in global memory and on the unified
 * buffer, the memory that each block of a run has for itself. The text is parsed once, into a tree of operations.
 * Parsing finds the value of each operand and checks its type:
 *
 *   pto_kernel_types.c     tokens and types
 *   pto_kernel_values.c    memory for the tree, names and values
 *   pto_kernel_call.c      the parts of an operation: operands, attributes, types
 *   pto_kernel_check.c     checks of operands and results against the table of operations
 *   pto_kernel_parse.c     modules, functions and statements
 *   pto_kernel_control.c   loops, branches and calls
 *   pto_kernel_table.c     the table of operations
 *   pto_kernel_refuse.c    operations that are refused
 *   pto_kernel_survey.c    continuing after operations that are not supported
 *   pto_kernel_module.c    the list of kernels and their operations for module.h
 *
 * An interpreter runs the tree: pto_kernel_run.c, pto_kernel_machine.c, and a file for each family of operations.
 * pto_kernel_interface.c has the calls of program.h. Each value has a fixed place in struct kernel.memory, because
 * functions do not recurse.
 *
 * Terms:
 *   op     a parsed operation, struct kernel_op
 *   VMI    PTO's operations whose names begin with "pto.vmi.", on vectors of 1 to 4096 lanes
 *   image  the 256 bits of a mask outside VMI, one for each byte of a vector register (PTO calls it a predicate)
 *   block  one execution of the kernel function; in the context of memory, 32 bytes of it (KERNEL_BLOCK_BYTES)
 *
 * Above the function that runs an operation, a comment lists the operands as `in:`, the results as `out:`, and the
 * meaning of `variant` and of the elements of `number` in struct kernel_op.
 */
#ifndef PTO_PROGRAM_PTO_KERNEL_H
#define PTO_PROGRAM_PTO_KERNEL_H

#include "ir.h"
#include "platform.h"

#include <string.h>

enum {
    KERNEL_VECTOR_BYTES = 256,
    KERNEL_IMAGE_BYTES = 32, /* a mask has one bit for each byte of a vector register */
    KERNEL_VMI_LANES = 4096, /* the largest number of lanes of a VMI vector */
    KERNEL_SCRATCH_BYTES = KERNEL_VMI_LANES * 8,
    KERNEL_BUFFER_BYTES = 262144, /* the unified buffer */
    KERNEL_BLOCK_BYTES = 32,
    KERNEL_OPERANDS = 32,
    KERNEL_NUMBERS = 4
};

/* ---- types and values ---- */

enum kernel_kind {
    KERNEL_INTEGER, /* stored as a uint64_t whose bits from `bits` on are 0 */
    KERNEL_FLOAT,   /* the bits of the element, stored as a uint64_t whose higher bits are 0 */
    KERNEL_POINTER, /* stored as a struct kernel_pointer */
    KERNEL_VECTOR,  /* `lanes` elements */
    KERNEL_MASK,    /* an image of 256 bits; VMI: one bit for each of `lanes` lanes */
    KERNEL_ALIGN    /* takes no memory: unaligned loads and stores leave no bytes for a later operation */
};

struct kernel_type {
    enum kernel_kind kind;
    pto_dtype element; /* type of an integer or float, of a vector's elements, or of a pointer's target */
    bool is_signless;  /* written iN; `element` is then the signed type, for i1 PTO_U8 */
    bool is_index;
    bool is_vmi;
    bool is_global; /* pointer: to global memory, not to the unified buffer */
    unsigned bits;  /* integer: its width; mask: width of the elements that it is for, 0 in VMI */
    unsigned lanes; /* vector, mask: number of lanes */
};

struct kernel_value {
    struct kernel_type type;
    struct token name;      /* where the text defines the value; length 0 if the value has no name */
    size_t at;              /* offset in struct kernel.memory, in bytes */
    unsigned element_bytes; /* bytes of type.element; a pair of 4-bit codes is one byte */
    bool is_constant;
    uint64_t bits;             /* constant: its value */
    bool is_used;              /* align value: whether an operation has taken it */
    struct kernel_value *root; /* pointer to global memory: the argument that it is computed from */
    bool is_stored;            /* argument that is such a pointer: whether the text stores to its array */
    struct kernel_value *next; /* the next in struct kernel.values */
};

struct kernel_pointer {
    int array;      /* index in struct kernel.argument, or KERNEL_UB */
    int64_t offset; /* from the start of the array or buffer, in bytes */
};

enum { KERNEL_UB = -1 }; /* the unified buffer */

/* The lanes that an operation works on. */
struct kernel_lanes {
    pto_dtype type;
    pto_dtype bits; /* the untyped type that is as wide as a lane; a pair of 4-bit codes is one lane */
    unsigned bytes; /* width of a lane */
    unsigned count; /* number of lanes */
};

/* ---- operations ---- */

struct kernel_machine;
struct kernel_op;

/* Runs an operation. Returns false after an error. */
typedef bool kernel_run(struct kernel_machine *m, const struct kernel_op *op);

struct kernel_region {
    struct kernel_op *first;
    /* loop: its counter, then the values that an iteration passes to the next; function: its arguments */
    struct kernel_value **arguments;
    size_t argument_count;
    struct kernel_value **results; /* the operands of scf.yield or return */
    size_t result_count;
    bool is_unknown; /* surveys: whether its scf.yield or return has an error */
};

/* A group of operands with a name, such as nburst(%a, %b, %c). */
struct kernel_group {
    struct token name;
    struct kernel_value *value[3];
    size_t count;
};

struct kernel_op {
    kernel_run *run;
    struct token place;                   /* the operation's name in the text */
    struct token pointer, second_pointer; /* the names of the pointer operands, for errors */
    struct kernel_value **in, **out;
    size_t in_count, out_count;
    struct kernel_lanes lanes;
    struct kernel_value *mask;      /* NULL: all lanes are on */
    int variant;                    /* distinguishes operations that have the same `run` */
    int64_t number[KERNEL_NUMBERS]; /* parameters that `prepare` sets from attributes, words and types */
    pto_vcvt_op convert;
    struct kernel_group *group;
    size_t group_count;
    const unsigned char *data;        /* bits of a constant mask */
    const struct token *words;        /* set_flag, wait_flag: the three names of the flag */
    struct kernel_function *function; /* func.call: the function that is called */
    struct kernel_region *region[2];
    struct kernel_op *next;
};

struct kernel_function {
    struct token name;
    struct kernel_region body;
    bool has_body, is_kernel, is_private, has_global_pointer, stores;
    struct kernel_type *result; /* types of the results */
    size_t result_count;
    unsigned depth;  /* 1 + the largest number of nested calls above this function; 0: not known yet */
    bool visiting;   /* whether pto_kernel_check_calls() is inside this function */
    bool is_unknown; /* surveys: whether the part before the body has an error */
    bool is_reached; /* surveys: whether the kernel that is being listed calls it */
    struct kernel_function *next;
};

/* An argument of a kernel: an array in global memory, or a scalar. */
struct kernel_argument {
    const struct kernel_value *value;
    char *name;
    const void *data; /* set by pto_program_bind(), like `n`, `is_bound` and `data_type` */
    size_t n;         /* number of elements */
    bool is_bound;
    pto_dtype data_type;
    unsigned char *memory; /* array: the copy that the last run has worked on */
    size_t bytes;          /* size of `memory` */
};

/* A vector or mask of the kernel that callers can read after a run. */
struct kernel_register {
    const struct kernel_value *value;
    char *name;
    bool keep;                    /* whether pto_program_value() may return it */
    unsigned char *lanes, *image; /* mask: the copies that pto_program_value() returns */
};

struct kernel {
    char *text;          /* a copy, to which the tokens point */
    void *arena;         /* the memory of the tree: a list of chunks */
    size_t memory_bytes; /* bytes that all values take in `memory` */
    struct kernel_value *values;
    struct kernel_function *functions;
    struct kernel_function *chosen; /* the kernel that runs; NULL if there are several and none was chosen */
    struct kernel_argument *argument;
    size_t argument_count;
    struct kernel_register *reg;
    size_t register_count;
    /* memory that is allocated in the first run and used again by later ones */
    unsigned char *memory;  /* all values */
    unsigned char *buffer;  /* the unified buffer */
    unsigned char *scratch; /* three arrays of KERNEL_SCRATCH_BYTES */
    size_t touched;         /* bytes of `buffer` from this offset on are 0 */
};

/* ---- parsing ---- */

/* A name and the value that it stands for in a region. */
struct kernel_symbol {
    struct token name;
    struct kernel_value *value;
    size_t hidden; /* index + 1 of the previous symbol with the same hash; 0 if there is none */
};

/* An operation of a text, or a function whose part before the body has an error. */
struct kernel_use {
    struct token name;
    struct kernel_function *function; /* the function that has it */
    struct kernel_function *callee;   /* func.call: the function that is called; otherwise NULL */
    pto_program_error *problem;       /* why it is not supported, or NULL */
};

/* All operations of a text, in order, and where parsing continued after an error. */
struct kernel_survey {
    struct kernel_use *use;
    size_t count, capacity;
    size_t problem_count;
    /* Whether the last error is that a value is unknown. After the first problem such errors are not recorded,
     * because an operation that is not supported may make the value. */
    bool misses_value;
    bool is_unbalanced; /* whether the regions do not end as they should, so that parsing cannot continue */
};

enum { KERNEL_HASHES = 256 };

struct kernel_front {
    struct text text;
    pto_program *program;
    struct kernel *kernel;
    struct kernel_function *function; /* the function that is being read */
    struct kernel_symbol *symbol;
    size_t symbol_count, symbol_capacity;
    size_t hash[KERNEL_HASHES];   /* for each hash, index + 1 of the last symbol that has it; 0: no symbol */
    size_t region_first;          /* index of the first symbol of the innermost region */
    unsigned depth;               /* number of regions that enclose the statement */
    struct kernel_survey *survey; /* NULL: parsing ends at the first error */
    /* Reads the statements of a region, after its "{", and the "}". The names that they define stay known
     * until the caller removes them. This is a pointer because statements contain regions and regions contain
     * statements, and different files read them. */
    bool (*read_region)(struct kernel_front *f, struct kernel_region *region);
};

struct kernel_operand {
    struct token token;
    struct kernel_value *value;
    bool in_brackets;
};

struct kernel_attribute {
    struct token key, value; /* value: without its minus sign; length 0 if there is only a key */
    bool minus;              /* whether the value has a minus sign */
    bool is_taken;           /* whether the operation has used the attribute */
};

enum {
    KERNEL_RESULTS = 16,
    KERNEL_WORDS = 4,
    KERNEL_ATTRIBUTES = 8,
    KERNEL_GROUPS = 12,
    KERNEL_DEPTH = 64,
    KERNEL_CALL_DEPTH = 32
};

/* A type and its place in the text. */
struct kernel_written {
    struct kernel_type type;
    struct token token;
};

/* An operation while it is parsed. */
struct kernel_call {
    struct token opcode;
    const char *name; /* without "pto.", "pto.mi." or "pto.vmi."; not terminated */
    size_t name_length;
    bool is_vmi;
    struct token result[KERNEL_RESULTS];
    size_t result_count;
    struct kernel_operand operand[KERNEL_OPERANDS];
    size_t operand_count;
    struct token word[KERNEL_WORDS]; /* the words in quotes among the operands */
    bool word_is_taken[KERNEL_WORDS];
    size_t word_count;
    struct kernel_attribute attribute[KERNEL_ATTRIBUTES];
    size_t attribute_count;
    struct kernel_group group[KERNEL_GROUPS];
    size_t group_count;
    struct kernel_written in[KERNEL_OPERANDS], out[KERNEL_RESULTS]; /* the types after ":" and after "->" */
    size_t in_count, out_count;
    bool has_types;
    unsigned granularity; /* the width at the end of a name such as pset_b32, in bits; 0 for other names */
    const struct kernel_operation *operation; /* the row of the table */
    struct kernel_op *op;                     /* the op that is made from this call */
    /* the type of the operation, for which the letter "v" stands in the table, and the token that gives it */
    struct kernel_type type;
    struct token type_source;
    bool has_type;
};

/* Checks what the letters for operands and results in the table of operations do not express, and sets `number` and
 * other parameters of the op. Returns false after an error. */
typedef bool kernel_prepare(struct kernel_front *f, struct kernel_call *c);

/* The names that an operation has: pto.NAME, pto.vmi.NAME, or both. */
enum kernel_where { KERNEL_MICRO = 1, KERNEL_VMI = 2, KERNEL_BOTH = 3 };

/*
 * A row of the table. Each letter of `operands` and `results` stands for one operand or result:
 *
 *   v  a vector of the operation's type, which is the type of the first such vector
 *   u  a vector of any type
 *   n  a vector of integers that has as many lanes as the operation's type, and lanes of the same width
 *   s  a scalar of the operation's element type
 *   d  such a scalar, or a vector of the operation's type
 *   i  an integer, such as an offset in brackets
 *   e  a scalar of any type
 *   p  a pointer
 *   g  a pointer to global memory
 *   b  a pointer to the unified buffer
 *   m  a mask for the operation's type; M: the same, which may be omitted
 *   k  a mask for any type; K: the same, which may be omitted
 *   x  a mask of the granularity in the operation's name
 *   a  an align value
 *   *  any operands or results, which `prepare` checks
 *   ?  before a letter: the operand or result may be omitted
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

/* Reads the next token. Unlike pto_text_next() it reads names such as %c-128 and %r#0 as one token. */
void pto_kernel_next(struct text *t);
bool pto_kernel_take(struct text *t, const char *word);
bool pto_kernel_expect(struct text *t, const char *word);
/* Skips from `open`, which is the current token, to the matching `close`. Returns false after an error. */
bool pto_kernel_skip_pair(struct text *t, const char *open, const char *close);
/* Skips loc(...), if it is the current token. */
bool pto_kernel_skip_location(struct text *t);
/* Skips the types after "->" of a function, up to its attributes, its body, or the next function. */
void pto_kernel_skip_results(struct text *t);
static inline bool kernel_is_name(const struct token *t) {
    return t->kind == TOKEN_WORD && t->length > 1 && t->at[0] == '%';
}

bool pto_kernel_type_read(struct kernel_front *f, struct kernel_written *to);
/* Returns whether a value of type b is allowed where type a is required. */
bool pto_kernel_types_agree(const struct kernel_type *a, const struct kernel_type *b);
/* Writes the name of a type as PTO texts spell it. */
void pto_kernel_type_name(const struct kernel_type *type, char *to, size_t size);
/* Returns the width of a lane in bits: 8 for a pair of 4-bit codes, otherwise the width of the element. */
unsigned pto_kernel_lane_bits(pto_dtype element);
/* Returns the bytes in a lane of a vector, or in an element that a pointer points to. */
static inline unsigned kernel_element_bytes(const struct kernel_value *v) {
    return v->element_bytes;
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
/* Returns the bytes that a value of this type takes in struct kernel.memory. */
size_t pto_kernel_value_bytes(const struct kernel_type *type);
/* Makes a value; `name` may be NULL. Returns NULL after an error. */
struct kernel_value *pto_kernel_value(struct kernel_front *f, const struct token *name,
                                      struct kernel_type type);
/* Makes a value whose name must be new in its region. */
struct kernel_value *pto_kernel_define(struct kernel_front *f, const struct token *name,
                                       struct kernel_type type);
struct kernel_value *pto_kernel_constant(struct kernel_front *f, struct kernel_type type, uint64_t bits);
/* Makes `name` stand for the value, in addition to the names that it has. Returns false after an error. */
bool pto_kernel_alias(struct kernel_front *f, const struct token *name, struct kernel_value *value);
/* Finds a value, or reports that its name is unknown and returns NULL. */
struct kernel_value *pto_kernel_find(struct kernel_front *f, const struct token *name);
/* Starts a region of names. Returns the mark that pto_kernel_close_names() needs to remove these names. */
size_t pto_kernel_open_names(struct kernel_front *f);
void pto_kernel_close_names(struct kernel_front *f, size_t mark);
/* Sets *bits to the value that a number in the text has in this type. Returns false after an error. */
bool pto_kernel_number(struct kernel_front *f, const struct token *number, bool minus,
                       const struct kernel_type *type, uint64_t *bits);

/* ---- pto_kernel_call.c ---- */

/* Returns whether the current name begins the next statement, "%a, %b = ..." or "%r:2 = ...". */
bool pto_kernel_begins_statement(const struct kernel_front *f);
/* Reads everything after the opcode into c. */
bool pto_kernel_call_read(struct kernel_front *f, struct kernel_call *c);
/* Takes a word of the operation: the value of the attribute `key`, or a word in quotes among the operands.
 * Sets *index to its index in `words`, which ends with NULL, or to -1 if the operation has no such word.
 * Returns false after an error. */
bool pto_kernel_word(struct kernel_front *f, struct kernel_call *c, const char *key, const char *const *words,
                     int64_t *index);
/* Sets *value to the integer that is the value of the attribute `key`, and *found to whether the operation
 * has this attribute. Returns false after an error. */
bool pto_kernel_integer_attribute(struct kernel_front *f, struct kernel_call *c, const char *key,
                                  int64_t *value, bool *found);
/* Returns the attribute `key` and marks it as taken; returns NULL if the operation has no such attribute. */
struct kernel_attribute *pto_kernel_attribute(struct kernel_call *c, const char *key);
/* Reports the first word or attribute that the operation has not taken. Returns false if there is one. */
bool pto_kernel_nothing_left(struct kernel_front *f, const struct kernel_call *c);
/* Reads types separated by commas, with or without parentheses around them, into `to`, and adds their number
 * to *count. */
bool pto_kernel_type_list(struct kernel_front *f, struct kernel_written *to, size_t capacity, size_t *count);

/* ---- pto_kernel_check.c ---- */

/* Checks the call against its row of the table, and makes the op with its operands and results. */
bool pto_kernel_check(struct kernel_front *f, struct kernel_call *c);
/* Makes the value of result i, which has this type. If the text declares a type, it must agree. */
bool pto_kernel_result(struct kernel_front *f, struct kernel_call *c, size_t i, struct kernel_type type);
/* Reports that the operand or result at `place` has type `actual`, not `expected`. Returns false. */
bool pto_kernel_wrong_type(struct kernel_front *f, const struct token *place,
                           const struct kernel_type *expected, const struct kernel_type *actual);
/* Makes an op with `in` operands and `out` results, which are still NULL. Returns NULL after an error. */
struct kernel_op *pto_kernel_op(struct kernel_front *f, const struct token *place, size_t in, size_t out);

/* ---- pto_kernel_table.c, pto_kernel_refuse.c ---- */

/* Returns the table's row for the name in c, or NULL. Sets c->granularity. */
const struct kernel_operation *pto_kernel_row(struct kernel_call *c);
/* Sets *name to the name of operation i, *is_vmi to whether "pto.vmi." precedes the name, and *has_width to
 * whether a width follows it. *name is empty if the table has no operation for this i. Returns false if i is
 * too large. */
bool pto_kernel_operation_name(size_t i, const char **name, bool *is_vmi, bool *has_width);
/* Reports that the name of the call is unknown, with the most similar known name. Returns false. */
bool pto_kernel_unknown(struct kernel_front *f, const struct kernel_call *c);
/* Returns why kernel programs refuse a text with the token `now`, or NULL. `before` and `last` are the two tokens
 * before it. */
const char *pto_kernel_reason(const struct token *before, const struct token *last, const struct token *now);
/* Reports the first operation of the text that kernel programs refuse. Returns false if there is one. */
bool pto_kernel_refuse(struct kernel_front *f);

/* ---- pto_kernel_survey.c ---- */

/* Adds an operation of the current function to the survey. Does nothing without a survey. Returns false if
 * memory is exhausted. */
bool pto_kernel_count(struct kernel_front *f, const struct token *name);
/* Records the error in the statement that begins at `start`, which is use number `use` of the survey if it was
 * counted, and moves the text to the next statement. Operations in regions that the error has kept from being
 * read are recorded, too. Returns false if there is no survey, or parsing cannot continue. */
bool pto_kernel_recover(struct kernel_front *f, const struct text *start, size_t use);
/* Records the error in the part of a function before its body, which begins at `start` with the parentheses, and moves
 * the text to the attributes or the body. Returns false if there is no survey, or parsing cannot continue. */
bool pto_kernel_recover_function(struct kernel_front *f, struct kernel_function *function,
                                 const struct text *start);

/* ---- pto_kernel_parse.c ---- */

/* Returns whether the text is a kernel program. */
bool pto_kernel_recognize(const char *text);
/* Parses the whole text into program->kernel. If `survey` is not NULL, continues after errors in statements. */
bool pto_kernel_parse(pto_program *program, const char *text, struct kernel_survey *survey,
                      pto_program_error *error);

/* ---- pto_kernel_control.c: each returns the op, or NULL after an error ---- */

struct kernel_op *pto_kernel_for(struct kernel_front *f, struct kernel_call *c);
struct kernel_op *pto_kernel_if(struct kernel_front *f, struct kernel_call *c);
struct kernel_op *pto_kernel_scope(struct kernel_front *f, struct kernel_call *c);
struct kernel_op *pto_kernel_call_of(struct kernel_front *f, struct kernel_call *c);
/* Sets the region's results to the operands of scf.yield or return, which it reads. */
bool pto_kernel_yield(struct kernel_front *f, struct kernel_region *region);
/* Checks that calls have bodies and do not recurse. */
bool pto_kernel_check_calls(struct kernel_front *f);

/* ---- pto_kernel_arith.c ---- */

/* Reads an operation of the dialects arith or llvm. Sets *op to NULL for a constant, which needs no op. */
bool pto_kernel_arith(struct kernel_front *f, struct kernel_call *c, struct kernel_op **op);

/* ---- running ---- */

struct kernel_machine {
    pto_program *program;
    struct kernel *kernel;
    unsigned char *memory, *buffer, *scratch[3];
    bool *written;          /* options.strict: for each byte of the unified buffer, whether it was written */
    uint64_t budget, steps; /* operations that the run may execute, and has executed */
    size_t block, blocks;   /* index of the current block, and number of blocks */
    uint32_t stored;        /* PTO's register AR: bytes that vstur has stored since the last sprclr */
    uint32_t squeezed;      /* bytes that the last vsqz moved to the front */
    /* iterations and strides of copy_gm_to_ubuf and copy_ubuf_to_gm. First index: 0 to the buffer, 1 from it;
     * second: 0 for loop 1, 1 for loop 2; third: 0 for the source, 1 for the destination */
    uint64_t loop_size[2][2], loop_stride[2][2][2];
    const struct token **flag; /* options.strict: the flags that were set, three names each */
    size_t flag_count, flag_capacity;
    pto_status status;
    pto_fp_state caller_state; /* the floating-point state in which callbacks run */
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

/* Returns the integer v, sign-extended to 64 bits. */
static inline int64_t kernel_signed(const struct kernel_machine *m, const struct kernel_value *v) {
    const uint64_t bits = kernel_bits(m, v);
    const unsigned unused = 64 - v->type.bits;
    return (int64_t)(bits << unused) >> unused;
}

static inline struct kernel_pointer kernel_get_pointer(const struct kernel_machine *m,
                                                       const struct kernel_value *v) {
    struct kernel_pointer p;
    memcpy(&p, m->memory + v->at, sizeof p);
    return p;
}

static inline void kernel_set_pointer(const struct kernel_machine *m, const struct kernel_value *v,
                                      struct kernel_pointer p) {
    memcpy(m->memory + v->at, &p, sizeof p);
}

/* Returns p advanced by `count` elements of `bytes` bytes. The offset wraps: an address that is out of bounds is an
 * error only where it is accessed. */
static inline struct kernel_pointer kernel_advance(struct kernel_pointer p, int64_t count, int64_t bytes) {
    p.offset = (int64_t)((uint64_t)p.offset + (uint64_t)count * (uint64_t)bytes);
    return p;
}

/* Returns element i of an array of elements of 1, 2, 4 or 8 bytes. Each case copies a constant number of bytes, for
 * which compilers emit one load instead of a call of memcpy(). */
static inline uint64_t kernel_load(const void *from, unsigned bytes, size_t i) {
    const unsigned char *at = (const unsigned char *)from + i * bytes;
    uint64_t x = 0;
    switch (bytes) {
    case 1: return *at;
    case 2: memcpy(&x, at, 2); return x;
    case 4: memcpy(&x, at, 4); return x;
    default: memcpy(&x, at, 8); return x;
    }
}

/* Stores the low `bytes` bytes of x as element i. */
static inline void kernel_store(void *to, unsigned bytes, size_t i, uint64_t x) {
    unsigned char *at = (unsigned char *)to + i * bytes;
    switch (bytes) {
    case 1: *at = (unsigned char)x; break;
    case 2: memcpy(at, &x, 2); break;
    case 4: memcpy(at, &x, 4); break;
    default: memcpy(at, &x, 8);
    }
}

/* Ends the run with an error at an operation. `word` is the token that the error names; NULL means the
 * operation's name. Returns false. */
bool pto_kernel_fail(struct kernel_machine *m, const struct kernel_op *op, const struct token *word,
                     pto_status status, const char *format, ...) __attribute__((format(__printf__, 5, 6)));
/* Returns whether the status is PTO_OK. Otherwise ends the run with an error of this status. */
bool pto_kernel_is_ok(struct kernel_machine *m, const struct kernel_op *op, pto_status status);
bool pto_kernel_run_region(struct kernel_machine *m, const struct kernel_region *region);
/* Calls options.stop in the caller's floating-point state, and returns its result: whether the run must end
 * early. */
bool pto_kernel_is_stopped(struct kernel_machine *m);
/* Counts one operation, one row of a copy, or one iteration of a loop around the rows. Returns false if the
 * run has reached its budget, or if options.stop ends it. */
bool pto_kernel_spend(struct kernel_machine *m, const struct kernel_op *op);
kernel_run pto_kernel_run_for, pto_kernel_run_if, pto_kernel_run_scope, pto_kernel_run_call;

/* Returns a mask value in the form that libpto's calls take; PTO_NO_MASK for NULL. */
pto_mask pto_kernel_mask(const struct kernel_machine *m, const struct kernel_value *v);
/* Returns the mask of an op, or PTO_NO_MASK if all its lanes are on: most are, and calls without a mask are faster. */
pto_mask pto_kernel_active(const struct kernel_machine *m, const struct kernel_op *op);
/* Writes the first `lanes` lanes of mask v to `to` as packed bits, which take (lanes + 7) / 8 bytes. If v is
 * NULL, all lanes are on. Returns false after an error. */
bool pto_kernel_packed(struct kernel_machine *m, const struct kernel_op *op, const struct kernel_value *v,
                       unsigned char *to, size_t lanes);
static inline bool kernel_is_on(const unsigned char *packed, size_t i) {
    return packed[i / 8] >> (i % 8) & 1;
}
/* Sets the lanes of `to` to 0 where the op's mask is off. Returns false after an error. */
bool pto_kernel_zero_off(struct kernel_machine *m, const struct kernel_op *op, void *to);
/* Copies a scalar to all lanes of scratch array number `scratch`, and returns this array, or NULL after an
 * error. */
const void *pto_kernel_spread(struct kernel_machine *m, const struct kernel_op *op,
                              const struct kernel_value *v, unsigned scratch);

/* ---- pto_kernel_memory.c ---- */

/* The description of one access to memory, for error messages. */
struct kernel_access {
    const char *unit; /* what is accessed: "lane", "block" or "row"; NULL for a single access */
    size_t index;     /* number of that lane, block or row */
    bool writes, is_copy;
};

/* Checks an access to the `bytes` bytes that start `offset` bytes after p. Returns their address, or NULL
 * after an error. */
unsigned char *pto_kernel_access(struct kernel_machine *m, const struct kernel_op *op,
                                 const struct token *word, const struct kernel_pointer *p, int64_t offset,
                                 size_t bytes, struct kernel_access access);
/* Checks an access to `count` consecutive units of `bytes` bytes each. Returns their address; or reports the
 * first unit that is out of bounds and returns NULL. */
unsigned char *pto_kernel_units(struct kernel_machine *m, const struct kernel_op *op,
                                const struct kernel_pointer *p, int64_t offset, size_t bytes, size_t count,
                                bool writes);
/* With options.strict, reports an address in the unified buffer that is not a multiple of 32. Returns false
 * after an error. */
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
/* Chooses a kernel and lists its arguments and registers. Returns false if there is no memory. */
bool pto_kernel_list(pto_program *program, struct kernel_function *chosen);

#endif
