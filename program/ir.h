/* SPDX-License-Identifier: MIT */
/*
 * The intermediate representation of a program. A register is an array with one or more elements for each lane. A
 * step is one operation on a block of lanes. The front ends build it from text with the functions below, and run.c
 * runs it.
 */
#ifndef PTO_PROGRAM_IR_H
#define PTO_PROGRAM_IR_H

#include "integers.h"
#include "text.h"
#include "warp.h"

#include "pto/pto.h"

/* BLOCK_LANES lanes go through all steps before the next lanes do. This is enough that calls cost little, and few
 * enough that about ten registers stay in the caches. It is a multiple of 64, so that the masks of each block begin
 * with a byte. */
enum { BLOCK_LANES = 2048, STEP_RESULTS = 8, STEP_SOURCES = 9 };

/* Whether the elements are integers. Untyped bits are not. */
static inline bool pto_is_integer(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    return class == PTO_CLASS_UNSIGNED || class == PTO_CLASS_SIGNED;
}

static inline bool pto_is_untyped(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_BITS;
}

/* Stands for the number of a register where there is no register. */
enum { ABSENT = -1 };

enum reg_kind {
    REG_NAMED,
    REG_HIDDEN,      /* internal to a front end: callers can neither bind nor read it */
    REG_CONSTANT,    /* `value` in every lane */
    REG_LANE_NUMBER, /* the number of the lane, a u32, shifted right by `value` */
    REG_SPECIAL,     /* in kernels: a special register, the enum special `value` (launch.h) */
    REG_SHARED_END   /* in kernels: the size of the shared memory that the kernel declares */
};

struct reg {
    enum reg_kind kind;
    char *name;               /* NULL if it has no name */
    pto_dtype type;           /* PTO_B8 for a predicate */
    bool predicate;           /* one bit per element in blocks, one byte per element in the caller's arrays */
    size_t elements_per_lane; /* 1, or more in PTO registers of narrower elements */
    bool declared;
    uint64_t value;
    bool written, input, partial; /* partial: the first write has a guard predicate */
    size_t line, column;          /* of an input: where the text reads it first */
    bool keep;                    /* whether its values are retained for pto_program_value() */

    /* the array that pto_program_bind() set */
    const void *data;
    size_t n;
    pto_dtype data_type;

    /* memory during a run */
    unsigned char *all_lanes;     /* all lanes, if `keep` is set and steps write the register */
    size_t all_lanes_count;       /* number of lanes in `all_lanes` */
    unsigned char *block;         /* the lanes of one block, if they need memory of their own */
    unsigned char *write_at;      /* where steps write the current block */
    const unsigned char *read_at; /* where steps read the current block */
};

/* Addresses of a step's results and sources, for the lanes of one block. Predicates are packed bits. */
struct addresses {
    void *dst[STEP_RESULTS];
    const void *src[STEP_SOURCES];
};

/* What a step does besides computing. Only kernels have other kinds than STEP_COMPUTE. */
enum step_kind {
    STEP_COMPUTE, /* runs `run` on the lanes */
    STEP_BRANCH,  /* the lanes that take part go on at step `parameters.target` */
    STEP_EXIT,    /* the lanes that take part end */
    STEP_TRAP,    /* the launch ends with an error if a lane takes part */
    STEP_BARRIER, /* the lanes that take part wait for the other lanes of their block */
    STEP_LOAD,    /* dst: the elements; src: address */
    STEP_STORE,   /* src: address, then the elements */
    STEP_ATOMIC,  /* dst: the old value; src: address, b, c */
    STEP_WARP     /* as warp.h says */
};

enum space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_PARAMETER, SPACE_SHARED, SPACE_LOCAL };

/* Parameters of a load or store of `count` elements that follow each other. */
struct memory_parameters {
    enum space space;
    pto_dtype type;
    unsigned count;
    int64_t offset;        /* is added to the address */
    enum atomic_op atomic; /* of atomic accesses */
};

struct step;
typedef pto_status step_fn(const struct step *step, const struct addresses *at, size_t n);

/* Parameters of a PTX cvt step. Its registers may be wider than their elements. */
struct cvt_parameters {
    pto_cvt_op op;
    unsigned elements_per_lane;
    unsigned src_bits, dst_bits; /* widths of the registers */
    bool packed;                 /* a lane of one source register has all `elements_per_lane` elements */
};

/* Parameters of a step on elements of one type. */
struct typed_parameters {
    pto_dtype type, other; /* other: the type of slct's operand c */
    unsigned flags;
    unsigned elements_per_lane;
    unsigned operation; /* pto_step_float: an enum arithmetic; pto_step_testp: an enum float_class */
    pto_round round;    /* floats: PTO_RZ, PTO_RM, PTO_RP; any other value: to nearest even */
    bool ftz, sat, relu;
};

/* Parameters of a PTO step. A register of the program holds PTO's vector registers of 256 bytes one after the other. */
struct vector_parameters {
    struct typed_parameters typed; /* elements_per_lane: lane_bits / bits, set at the end of the text */
    step_fn *compute;              /* pto_step_masked: the operation whose results are masked */
    unsigned bits;                 /* width of the elements that `elements_per_lane` counts */
    unsigned lane_bits;            /* width of a lane of the program */
    unsigned lane[2];     /* width of the elements that the source masks are for, and the result masks */
    unsigned width_ratio; /* loads, stores: an element's width in the register divided by that in memory */
    uint32_t subtracted_per_vector; /* pto_step_remaining: lanes subtracted per vector register */
    bool highest;                   /* vdup: copy the last lane, not the first */
    bool same_width;                /* vcvt: both types have one width */
    pto_cmp cmp;
    pto_vcvt_op cvt;
    pto_vpart part;
    pto_pattern pattern;
    pto_half half;
};

struct step {
    enum step_kind kind;
    step_fn *run; /* STEP_COMPUTE only */
    union {
        size_t target; /* index of a step, or the number of steps for the end */
        uint32_t barrier;
        struct warp_parameters warp;
        struct memory_parameters memory;
        pto_setp_op setp;
        pto_set_op set;
        struct cvt_parameters cvt;
        struct typed_parameters typed;
        struct integer_parameters integer;
        struct vector_parameters vector;
    } parameters;
    int dst[STEP_RESULTS], src[STEP_SOURCES]; /* register numbers, or ABSENT */
    int guard;                                /* register number of the guard predicate, or ABSENT */
    bool guard_not;                           /* lanes take part where the guard predicate is false */
    size_t line, column;                      /* of the instruction in the text; PTO: column is 0 */
};

/* A name and the number of its register. */
struct named_reg {
    const char *name;
    size_t reg;
};

struct kernel;

struct pto_program {
    struct reg *regs;
    size_t reg_count, reg_capacity;
    struct named_reg *named;  /* the registers that callers can name, in order of appearance */
    struct named_reg *sorted; /* the same, sorted by name, then by order of appearance */
    size_t named_count;
    size_t *used; /* numbers of the registers that the steps read or write */
    size_t used_count;
    struct step *steps;
    size_t step_count, step_capacity;
    void *names; /* a tree of <search.h> with entries of type struct binding */
    pto_program_options options;
    pto_program_error problem;
    bool counts_vectors; /* PTO: whether constants in the text give the loop's number of vector registers */
    size_t vectors;      /* that number, which may be 0 */
    size_t vector_lanes; /* lanes of the program in one vector register */
    size_t lanes;        /* lanes of the last run */
    bool ran;
    struct kernel *
        kernel; /* a kernel program (pto_kernel.h), for which only options, problem, lanes and ran are used */
};

/* ---- for front ends; these functions return false or ABSENT if there is no memory ---- */

/* Returns the number of the register `name` in `scope`, or ABSENT if there is none. */
int pto_ir_find(const pto_program *p, int scope, const struct token *name);

/* Adds a register and returns its number. `name` may be NULL; otherwise `scope` must not have a register of this
 * name. */
int pto_ir_add(pto_program *p, enum reg_kind kind, int scope, const struct token *name, pto_dtype type,
               bool predicate);

/* Returns the register of a constant. Equal constants of one width share a register. */
int pto_ir_constant(pto_program *p, pto_dtype type, bool predicate, uint64_t value);

/* Returns a step whose operands and guard predicate are ABSENT. `line` is its line in the text. */
struct step pto_step_of(step_fn *run, size_t line);

/* Appends a step. `place` is its first word in the text; errors about registers without a value point there. */
bool pto_ir_step(pto_program *p, const struct step *step, const struct token *place);

/* Fills `named`, `sorted` and `used`. Call it after all registers and steps were added. Returns false if there is no
 * memory. */
bool pto_ir_index(pto_program *p);

/* Frees what a program holds, but not the program itself. */
void pto_ir_free(pto_program *p);

/* Returns whether a reserved option is not 0. */
bool pto_options_have_reserved(const pto_program_options *options);

/* ---- for running ---- */

/* Returns the first register of this name in order of appearance, or NULL. */
struct reg *pto_ir_named(const pto_program *p, const char *name);

/* Returns the bits that one lane of a register takes in a block. */
size_t pto_reg_bits(const struct reg *r);

/* Returns the bytes that `lanes` lanes of a register take in a block. */
size_t pto_reg_block_bytes(const struct reg *r, size_t lanes);

#endif
