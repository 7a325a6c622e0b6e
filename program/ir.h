/* SPDX-License-Identifier: MIT */
/*
 * The intermediate representation of a program: registers and steps. A register is an array with one or more elements
 * for each lane. A step is one operation on the registers of many lanes. The front ends make registers and steps from
 * text, with the functions below. run.c runs programs over lanes, engine.c runs kernels of PTX modules.
 */
#ifndef PTO_PROGRAM_IR_H
#define PTO_PROGRAM_IR_H

#include "integers.h"
#include "text.h"
#include "warp.h"

#include "pto/pto.h"

/* A block of BLOCK_LANES lanes goes through all steps before the next block starts. In kernels of PTX modules
 * a group has at most this many threads. The number is so large that calls cost little, and so small that
 * about ten registers stay in the caches. It is a multiple of 64, so that the packed masks of each block
 * start at a whole word. */
enum { BLOCK_LANES = 2048, STEP_RESULTS = 8, STEP_SOURCES = 9 };

/* Returns whether the elements are integers. Untyped bits are not integers. */
static inline bool pto_is_integer(pto_dtype type) {
    const pto_class class = pto_dtype_class(type);
    return class == PTO_CLASS_UNSIGNED || class == PTO_CLASS_SIGNED;
}

static inline bool pto_is_untyped(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_BITS;
}

/* The register number of an operand that a step does not have. */
enum { ABSENT = -1 };

enum reg_kind {
    REG_NAMED,
    REG_HIDDEN,      /* internal to a front end: callers can neither bind nor read it */
    REG_CONSTANT,    /* `value` in every lane */
    REG_LANE_NUMBER, /* the number of the lane, a u32, shifted right by `value` */
    REG_SPECIAL,     /* kernels only: a special register; `value` is an enum special (launch.h) */
    REG_SHARED_END,  /* kernels only: the size of the shared memory that the kernel declares, in bytes */
    REG_NAMES /* no register: the name stands for `value` registers, which follow it: a vector's components */
};

struct reg {
    enum reg_kind kind;
    char *name;               /* NULL if it has no name */
    pto_dtype type;           /* PTO_B8 for a predicate */
    bool predicate;           /* one bit per element in blocks, one byte per element in the caller's arrays */
    size_t elements_per_lane; /* more than 1 only in PTO: elements narrower than a lane */
    bool declared;            /* whether the text declares the register */
    uint64_t value;           /* as `kind` requires */
    /* whether steps write it; whether a step reads it before one writes it; whether the first step that
     * writes it has a guard predicate */
    bool written, input, partial;
    size_t line, column; /* input: where the text reads it first */
    bool keep;           /* whether its values are retained for pto_program_value() */

    /* the array that pto_program_bind() set */
    const void *data;
    size_t n; /* number of elements of `data_type` */
    pto_dtype data_type;

    /* memory during a run of a program over lanes */
    unsigned char *all_lanes;     /* the values of all lanes, if `keep` is set and steps write the register */
    size_t all_lanes_count;       /* number of lanes in `all_lanes` */
    unsigned char *block;         /* the values of one block, unless they are in all_lanes or `data` */
    bool moves;                   /* whether steps find another block of lanes at another address */
    bool starts;                  /* whether its memory gets other values at the start of each block */
    unsigned char *write_at;      /* where steps write the current block */
    const unsigned char *read_at; /* where steps read the current block */
};

/* The arrays of a step's results and sources for the lanes of one block. Predicates are packed bits. An array
 * is NULL if the register is ABSENT. */
struct prepared;
struct addresses {
    void *dst[STEP_RESULTS];
    const void *src[STEP_SOURCES];
    const struct prepared *ready; /* only for functions that pto_step_prepare() sets */
};

/* Only kernels have steps of other kinds than STEP_COMPUTE. The lanes that take part in a step are those that
 * are at the step and whose guard predicate is true. */
enum step_kind {
    STEP_COMPUTE, /* calls `run` on the lanes */
    STEP_BRANCH,  /* the lanes that take part continue at step `parameters.target` */
    STEP_EXIT,    /* the lanes that take part end */
    STEP_TRAP,    /* the launch ends with an error if a lane takes part */
    STEP_BARRIER, /* the lanes that take part wait until no other lane can run */
    STEP_LOAD,    /* dst: the elements; src: address */
    STEP_STORE,   /* src: address, then the elements */
    STEP_ATOMIC,  /* dst: the old value; src: address, b, c */
    STEP_WARP     /* dst, src: see warp.h */
};

enum space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_PARAMETER, SPACE_SHARED, SPACE_LOCAL };

/* Parameters of a load or store of `count` consecutive elements, or of an atomic access to one element. */
struct memory_parameters {
    enum space space;
    pto_dtype type;
    unsigned count;
    int64_t offset;        /* bytes that are added to the address */
    enum atomic_op atomic; /* the operation of an atomic access */
};

struct step;
/* Computes a step for n lanes. */
typedef pto_status step_fn(const struct step *step, const struct addresses *at, size_t n);

/* Parameters of a PTX cvt step. A register may be wider than its element. */
struct cvt_parameters {
    pto_cvt_op op;
    unsigned elements_per_lane;
    unsigned src_bits, dst_bits; /* widths of the registers */
    bool packed;                 /* one source register has all `elements_per_lane` elements of a lane */
};

/* Parameters of a step on elements of one type. */
struct typed_parameters {
    pto_dtype type, other; /* other: the type of slct's operand c */
    unsigned flags;
    unsigned elements_per_lane;
    unsigned operation; /* pto_step_float: an enum arithmetic; pto_step_testp: a pto_float_test */
    pto_round round;    /* floats: PTO_RZ, PTO_RM or PTO_RP; any other value means to nearest even */
    bool ftz, sat, relu;
};

/* Parameters of a PTO step. A register of the program is an array of PTO's vector registers, which have 256
 * bytes each. */
struct vector_parameters {
    struct typed_parameters typed; /* elements_per_lane is lane_bits / bits, set at the end of the text */
    step_fn *compute;              /* pto_step_masked: the step whose results are masked */
    unsigned bits;                 /* width of the elements that `elements_per_lane` counts */
    unsigned lane_bits;            /* width of a lane of the program */
    unsigned lane[2];     /* widths of the elements for which the source masks and the result masks are */
    unsigned group;       /* pintlv, pdintlv: width of the elements that they move, at least lane[0] */
    unsigned width_ratio; /* loads, stores: an element's width in the register divided by that in memory */
    uint32_t subtracted_per_vector; /* pto_step_remaining: lanes that each vector register subtracts */
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
    bool guard_not;      /* whether lanes take part where the guard predicate is false, not true */
    size_t line, column; /* position of the instruction in the text; PTO: column is 0 */
};

/* A name and the number of its register. */
struct named_reg {
    const char *name;
    size_t reg;
};

struct loops;

/* A step that is ready to run on blocks of lanes by the instruction set that was active when it was prepared. */
struct prepared {
    step_fn *run;
    struct addresses at; /* in the current block */
    size_t each;         /* elements per lane */
    const struct loops *loops;
    bool is_float;                     /* whether `loops` compute floats */
    unsigned operation;                /* if so, the enum arithmetic */
    struct integer_parameters integer; /* otherwise the operation */
    pto_plan plan;
};

/* The address of an operand in a prepared step: either `source` or `result` points to it. */
struct slot {
    const struct reg *reg;
    const void **source;
    void **result;
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
    bool counts_vectors; /* PTO: whether the bounds of the loop are constants */
    size_t vectors;      /* if so, the number of vector registers that the loop processes, which may be 0 */
    size_t vector_lanes; /* PTO: lanes of the program in one vector register */
    struct prepared *prepared; /* for each step, made by the first run and used again by later ones */
    pto_isa prepared_for;      /* the instruction set that they use */
    struct slot *slots;        /* for runs: the operands whose address is another one in each block */
    size_t slot_count, slot_capacity;
    /* for runs: STEP_RESULTS results of a step with a guard predicate, before they are merged into the registers */
    unsigned char (*guarded)[BLOCK_LANES * 8];
    size_t lanes; /* lanes of the last run */
    bool ran;     /* whether the last run succeeded */
    /* a kernel program (pto_kernel.h), which uses only options, problem, lanes and ran; otherwise NULL */
    struct kernel *kernel;
};

/* ---- for front ends; functions that add something return false or ABSENT if there is no memory ---- */

/* Returns the number of the register `name` in `scope`, or ABSENT if there is no such register. */
int pto_ir_find(const pto_program *p, int scope, const struct token *name);

/* Adds a register and returns its number. `name` may be NULL; otherwise `scope` must not have a register of this
 * name. */
int pto_ir_add(pto_program *p, enum reg_kind kind, int scope, const struct token *name, pto_dtype type,
               bool predicate);

/* Returns the number of the register with this constant. Equal constants of one width share a register. */
int pto_ir_constant(pto_program *p, pto_dtype type, bool predicate, uint64_t value);

/* Returns a step whose registers and guard predicate are ABSENT. `line` is the line of the instruction in the
 * text. */
struct step pto_step_of(step_fn *run, size_t line);

/* Appends a step. `place` is the first word of the instruction in the text. Errors about inputs that are not
 * bound report this position. */
bool pto_ir_step(pto_program *p, const struct step *step, const struct token *place);

/* Sets `named`, `sorted` and `used`. Must be called after all registers and steps were added. Returns false
 * if there is no memory. */
bool pto_ir_index(pto_program *p);

/* Frees the registers and steps of a program, but not the program itself. */
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
