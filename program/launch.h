/* SPDX-License-Identifier: MIT */
/*
 * Kernels of PTX modules: what the front end (ptx_module.c, ptx_memory.c) makes of an entry, and the state of a launch,
 * which engine.c and memory.c run.
 */
#ifndef PTO_PROGRAM_LAUNCH_H
#define PTO_PROGRAM_LAUNCH_H

#include "ramp.h"

#include "pto/module.h"

#include <fenv.h>
#include <stdatomic.h>

/* ---- kernels ---- */

/* Special registers, in the order of `special_names` in ptx_memory.c. */
enum special {
    SPECIAL_TID_X,
    SPECIAL_TID_Y,
    SPECIAL_TID_Z,
    SPECIAL_NTID_X,
    SPECIAL_NTID_Y,
    SPECIAL_NTID_Z,
    SPECIAL_CTAID_X,
    SPECIAL_CTAID_Y,
    SPECIAL_CTAID_Z,
    SPECIAL_NCTAID_X,
    SPECIAL_NCTAID_Y,
    SPECIAL_NCTAID_Z,
    SPECIAL_LANEID,
    SPECIAL_WARPID,
    SPECIAL_NWARPID,
    SPECIALS
};

/*
 * Addresses: the upper bits of a 64-bit address, from WINDOW_SHIFT on, are the number of a window, and the lower ones the
 * offset in it. Offsets below 0 or beyond the end of a window thus are addresses of no other array, as long as they are
 * less than 2^39.
 */
enum { WINDOW_SHIFT = 40, WINDOW_SHARED = 1, WINDOW_LOCAL = 2, FIRST_WINDOW = 3 };

/* Memory that a kernel can access: an array of the caller, or a variable of the module. */
struct window {
    const char *name;
    unsigned char *data;
    size_t bytes;
    bool is_writable;
    bool is_constant; /* nothing in the launch can write it, by this or another window */
};

/* A variable of the module, outside kernels. Its number in the array is that of its window, less FIRST_WINDOW. */
struct variable {
    char *name;
    size_t bytes;
    unsigned char *data; /* initial values, which launches share and write */
    bool is_writable;
};

/* What pto_module_use_at() tells of. */
struct use {
    char *name;
    size_t count, line;
    pto_program_error *problem; /* or NULL */
    struct use *next;           /* while it is in a list */
};

struct ptx_kernel {
    char *name;
    pto_program code; /* its registers and steps */
    pto_parameter *parameters;
    size_t *places; /* of each parameter: its offset in the parameter space */
    size_t parameter_count, parameter_bytes;
    size_t shared_bytes, local_bytes;
    pto_dim3 required, most;    /* .reqntid and .maxntid; x is 0 without */
    pto_program_error *problem; /* the first error in it, or NULL: it can be launched */
    struct use *uses;           /* sorted by name; only if options.survey is set */
    size_t use_count;
};

struct pto_module {
    struct ptx_kernel *kernels;
    size_t kernel_count;
    struct variable *variables;
    size_t variable_count;
    pto_program_options options;
    size_t dynamic_shared;
    atomic_flag problem_lock;
    pto_program_error problem;
};

/* Frees what a use holds, but not the use itself. */
void pto_use_free(struct use *use);

/* Sets `pointer` and `written` of the parameters, by the way that their values take to addresses. Returns false if
 * there is no memory. */
bool pto_kernel_mark_pointers(struct ptx_kernel *k);

/* ---- a launch ---- */

enum { MASK_WORDS = BLOCK_LANES / 64 };

/* One bit for each lane of a group, the lowest lane first. */
struct lane_mask {
    uint64_t words[MASK_WORDS];
};

/* The values of a register in the lanes of the group. */
struct lane_values {
    bool is_ramp; /* they are `ramp`; otherwise they are at `data` */
    struct ramp ramp;
    unsigned char *own;        /* memory for the lanes, aligned to cache lines */
    const unsigned char *data; /* `own`, or in a window that is constant */
    bool has_filled;
    struct ramp filled; /* if has_filled is set: `own` has the values of this ramp */
    bool has_threads;   /* special registers: `own` has the number of the thread, or a part of it */
};

/* The barrier number of bar.warp.sync. */
#define WARP_BARRIER UINT32_MAX

/* Lanes that wait, and the step at which they go on. */
struct waiting {
    size_t step;
    uint32_t barrier;
    struct lane_mask lanes;
};

struct launch {
    const struct ptx_kernel *kernel;
    const pto_program_options *options;
    fenv_t caller_state; /* the FP state of the caller, in which callbacks run */
    pto_dim3 grid, block;
    struct group group;
    struct lane_values *values; /* of each register */
    unsigned char *memory;      /* of all registers */
    struct window *windows;     /* by number; 0 to FIRST_WINDOW - 1 are unused */
    size_t window_count;
    unsigned char *parameters;
    unsigned char *shared, *local; /* of each block, of each thread of the group */
    size_t shared_bytes, local_bytes;

    /* the state of the group */
    struct lane_mask active;  /* the lanes that run now */
    struct lane_mask alive;   /* those that have not ended */
    bool is_whole;            /* active == alive */
    bool is_complete;         /* no lane has ended */
    struct waiting *branched; /* lanes elsewhere, sorted by step, the highest first */
    size_t branched_count, branched_capacity;
    struct waiting *arrived; /* lanes at barriers */
    size_t arrived_count, arrived_capacity;
    uint64_t executed;

    unsigned char (*scratch)[BLOCK_LANES * 8]; /* STEP_RESULTS results of a step before they are merged */
    unsigned char **places;                    /* of each lane: where its access goes */
    pto_program_error problem;
};

/* Returns the lanes of a register as an array. */
const void *pto_launch_lanes(struct launch *l, int reg);

/* Returns the memory of a register's own lanes, into which all lanes will be written. */
void *pto_launch_result(struct launch *l, int reg);

/* Writes the lanes in `mask` of register `reg` from `computed`. */
pto_status pto_launch_merge(struct launch *l, int reg, const void *computed, const struct lane_mask *mask);

static inline bool pto_mask_has(const struct lane_mask *m, size_t lane) {
    return (m->words[lane / 64] >> lane % 64 & 1) != 0;
}

/* Stores the message and the position of step `s`, or none if s is NULL, in l->problem. Returns `status`, which the
 * caller must return to end the launch. */
pto_status pto_launch_error(struct launch *l, const struct step *s, const char *word, pto_status status,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Runs the blocks of the group that begins with block `first`. Returns the number of blocks in *count. */
pto_status pto_launch_group(struct launch *l, size_t first, size_t most, size_t *count);

/* Finds the memory of each lane in `mask` for a load, a store or an atomic access, and sets l->places. */
pto_status pto_memory_find(struct launch *l, const struct step *s, bool is_store,
                           const struct lane_mask *mask);

/* These run a step for the lanes in `mask`; NULL stands for all lanes of the group. */
pto_status pto_memory_load(struct launch *l, const struct step *s, const struct lane_mask *mask);
pto_status pto_memory_store(struct launch *l, const struct step *s, const struct lane_mask *mask);
pto_status pto_atomic_run(struct launch *l, const struct step *s, const struct lane_mask *mask);
pto_status pto_warp_run(struct launch *l, const struct step *s, const struct lane_mask *mask);

#endif
