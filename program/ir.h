/* SPDX-License-Identifier: MIT */
/*
 * A program as it runs: registers, which are arrays, and steps, which are calls on blocks of them. Front ends make it
 * from text with the functions below, run.c runs it.
 */
#ifndef PTO_PROGRAM_IR_H
#define PTO_PROGRAM_IR_H

#include "text.h"

#include "pto/pto.h"

/* The lanes that go through all steps before the next ones do: enough that calls cost little, few enough that some
 * ten registers stay in the caches. A multiple of 64, so that masks begin with a byte. */
enum { BLOCK_LANES = 2048, STEP_RESULTS = 4, STEP_SOURCES = 6 };

/* In the place of the number of a register: there is none. */
enum { ABSENT = -1 };

enum reg_kind {
    REG_NAMED,
    REG_HIDDEN,     /* of a front end's own */
    REG_CONSTANT,   /* `value` in every lane */
    REG_LANE_NUMBER /* of type u32, without its low `value` bits */
};

struct reg {
    enum reg_kind kind;
    char *name;     /* NULL: none */
    pto_dtype type; /* of a predicate B8 */
    bool predicate; /* in blocks a bit an element, outside a byte an element */
    size_t each;    /* elements of a lane: one, but in PTO's registers of narrower elements */
    bool declared;
    uint64_t value;
    bool written, input, partial; /* partial: a guard may leave out lanes of the first write */
    size_t line, column;          /* of the first read, of an input */
    bool keep;

    /* what is bound */
    const void *data;
    size_t n;
    pto_dtype data_type;

    /* the run */
    unsigned char *kept;     /* all lanes, if they are to be kept */
    size_t kept_lanes;       /* how many these are */
    unsigned char *block;    /* the lanes at hand, if they are nowhere else */
    unsigned char *own;      /* where they are written */
    const unsigned char *at; /* where they are read */
};

/* Where the operands of a step lie, lanes of one block; predicates are packed. */
struct places {
    void *dst[STEP_RESULTS];
    const void *src[STEP_SOURCES];
};

struct step;
typedef pto_status step_fn(const struct step *step, const struct places *at, size_t n);

/* A conversion between registers, which may be wider than their types. */
struct conversion {
    pto_cvt_op op;
    unsigned group;              /* elements of a lane */
    unsigned src_bits, dst_bits; /* of the registers */
    bool packed;                 /* the source is one register, not `group` of them */
};

/* A call on elements of a type. */
struct typed {
    pto_dtype type, other;
    unsigned flags;
    unsigned group; /* elements of a lane */
    bool ftz;
};

/* A call on PTO's registers of 256 bytes, which follow each other in an array. */
struct vector {
    struct typed typed; /* `group` is known when the text is at its end: lane_bits / bits */
    step_fn *compute;   /* what is done under a mask */
    unsigned bits;      /* of the elements that are counted */
    unsigned lane_bits; /* of the program */
    unsigned lane[2];   /* bits of data for a lane of the masks: of the sources, of the results */
    unsigned unpacked;  /* of memory: so many times as wide in a register */
    uint32_t count;     /* lanes that a register of a loop takes */
    bool highest;       /* the last lane, not the first */
    bool same_width;    /* of a conversion */
    pto_cmp cmp;
    pto_vcvt_op cvt;
    pto_vpart part;
    pto_pattern pattern;
    pto_half half;
};

struct step {
    step_fn *run;
    union {
        pto_setp_op setp;
        pto_set_op set;
        struct conversion cvt;
        struct typed typed;
        struct vector vector;
    } how;
    int dst[STEP_RESULTS], src[STEP_SOURCES]; /* numbers of registers */
    int guard;                                /* a predicate, or ABSENT */
    bool guard_not;
    size_t line;
};

/* A register by its name. */
struct named_reg {
    const char *name;
    size_t reg;
};

struct pto_program {
    struct reg *regs;
    size_t reg_count, reg_room;
    struct named_reg *named;  /* the registers that have names, in the order in which they appear */
    struct named_reg *sorted; /* the same by name, and by order of appearance where names are equal */
    size_t named_count;
    size_t *used; /* numbers of the registers that the steps read or write */
    size_t used_count;
    struct step *steps;
    size_t step_count, step_room;
    void *names; /* a tree of <search.h>, of struct binding */
    pto_program_options options;
    pto_program_error problem;
    bool counts_vectors; /* of PTO: whether the text says how many registers its loop goes through */
    size_t vectors;      /* that number, which may be 0 */
    size_t vector_lanes;
    size_t lanes; /* of the last run */
    bool ran;
};

/* ---- for front ends: false, or ABSENT, where there is no memory ---- */

/* The register of a name in a scope, ABSENT if there is none. */
int pto_ir_find(const pto_program *p, int scope, const struct token *name);

/* A register that is not there yet; the name may be NULL. */
int pto_ir_add(pto_program *p, enum reg_kind kind, int scope, const struct token *name, pto_dtype type,
               bool predicate);

/* A constant, the same register for the same one. */
int pto_ir_constant(pto_program *p, pto_dtype type, bool predicate, uint64_t value);

/* A step without operands. */
struct step pto_step_of(step_fn *run, size_t line);

/* Add a step; the place is that of its first word, for complaints about registers that have no value. */
bool pto_ir_step(pto_program *p, const struct step *step, const struct token *place);

/* Fills `named`, `sorted` and `used` when all registers and steps are there. Returns false if there is no memory. */
bool pto_ir_index(pto_program *p);

/* ---- for running ---- */

/* The register of this name that appears first, or NULL. */
struct reg *pto_ir_named(const pto_program *p, const char *name);

/* Of a lane. */
size_t pto_reg_bits(const struct reg *r);

/* Bytes of so many lanes in a block. */
size_t pto_reg_block_bytes(const struct reg *r, size_t lanes);

#endif
