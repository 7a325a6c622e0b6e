/* SPDX-License-Identifier: MIT */
/*
 * Kernels of PTX modules, which the front end (ptx_module.c, ptx_memory.c) makes from the text; and the state of a
 * launch. engine.c runs the steps of a launch, with memory.c, atomic.c and warp.c for loads and stores, atomic accesses
 * and exchanges in warps. ramp.h defines groups and ramps.
 */
#ifndef PTO_PROGRAM_LAUNCH_H
#define PTO_PROGRAM_LAUNCH_H

#include "platform.h"
#include "ramp.h"

#include "pto/module.h"

#include <stdatomic.h>
#include <string.h>

/* Returns the same pointer without const. */
static inline void *pto_without_const(const void *pointer) {
    void *plain;
    memcpy(&plain, &pointer, sizeof plain);
    return plain;
}

/* ---- kernels ---- */

/* Special registers; pto_ptx_special() finds them by their names. */
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
 * A window is the range of addresses of one array or variable. The bits of a 64-bit address from WINDOW_SHIFT on are
 * the number of a window, and the lower bits are the offset in this window. An offset is from -2^39 to 2^39 - 1, so an
 * address that is too low or too high for its array does not reach another array.
 */
enum { WINDOW_SHIFT = 40, WINDOW_SHARED = 1, WINDOW_LOCAL = 2, FIRST_WINDOW = 3 };

/* Memory that a kernel can access: an array of the caller, or a variable of the module. */
struct window {
    const char *name;
    unsigned char *data;
    size_t bytes;
    bool is_writable;
    bool is_constant; /* no store of the launch can change it, through this window or another one */
};

/* Returns whether two windows have a byte in common. The arrays may be different objects in C, whose addresses must not
 * be compared as pointers. */
static inline bool pto_windows_overlap(const struct window *a, const struct window *b) {
    const uintptr_t x = (uintptr_t)a->data, y = (uintptr_t)b->data;
    return x < y + b->bytes && y < x + a->bytes;
}

/* A variable in global or constant memory, declared inside or outside kernels. Variable i of the module has
 * the window FIRST_WINDOW + i. */
struct variable {
    char *name;
    size_t bytes;
    unsigned char *data; /* its memory, which has the initial values at first; all launches use it */
    bool is_writable;
};

/* How often a kernel has an instruction, for pto_module_use_at(). */
struct use {
    char *name;
    size_t count, line;
    pto_program_error *problem; /* or NULL */
    struct use *next;           /* in the list of struct survey, while the kernel is parsed */
};

struct ptx_kernel {
    char *name;
    pto_program code; /* its registers and steps */
    pto_parameter *parameters;
    size_t *places; /* for each parameter, its offset in the parameter space, in bytes */
    size_t parameter_count, parameter_bytes;
    size_t shared_bytes, local_bytes; /* of each block, of each thread */
    pto_dim3 required, most;          /* .reqntid and .maxntid; x is 0 if the text has no such directive */
    pto_program_error *problem;       /* the first error in it, or NULL: it can be launched */
    struct use *uses;                 /* sorted by name; only if options.survey is set */
    size_t use_count;
};

enum { ARENAS = 8 };

struct pto_module {
    struct ptx_kernel *kernels;
    size_t kernel_count;
    struct variable *variables;
    size_t variable_count;
    pto_program_options options;
    size_t
        dynamic_shared; /* set by pto_module_share(): bytes that are added to the shared memory of a block */
    _Atomic(void *) arenas[ARENAS]; /* memory that no launch uses now, or NULL; see pto_arena_take() */
    atomic_flag problem_lock;       /* held while a thread writes `problem` */
    pto_program_error problem;
};

/* Frees what a use holds, but not the use itself. */
void pto_use_free(struct use *use);

/* Sets the members `pointer` and `written` of the parameters: whether steps compute an address of global
 * memory from the parameter, and whether they store there. Returns false if there is no memory. */
bool pto_kernel_mark_pointers(struct ptx_kernel *k);

/* Returns memory for a launch, at the start of a cache line, or NULL. Its values are undefined. Launches in other
 * threads may call this and pto_arena_give() at the same time. */
void *pto_arena_take(pto_module *m, size_t bytes);

/* Gives memory back that pto_arena_take() returned; NULL is allowed. */
void pto_arena_give(pto_module *m, void *memory);

void pto_arena_free(pto_module *m);

/* Lists the kernels of a PTO text and their operations in *m. Returns false if a kernel is missing, or if the text has
 * an error after which parsing cannot continue. */
bool pto_kernel_list_module(pto_module *m, const char *text, pto_program_error *error);

/* ---- a launch ---- */

enum { MASK_WORDS = BLOCK_LANES / 64 };

/* One bit for each lane of a group, the lowest lane first. */
struct lane_mask {
    uint64_t words[MASK_WORDS];
};

/* The values of a register in the lanes of the group. */
struct lane_values {
    bool is_ramp; /* the values are `ramp`; otherwise they are the array `data` */
    struct ramp ramp;
    unsigned char *own;        /* memory for the values, aligned to cache lines */
    const unsigned char *data; /* `own`, or a place in a window that is constant */
    ptrdiff_t per_block;       /* record.c: the distance in `data` from one block to the next, 0 for `own` */
    size_t writes;             /* record.c: how many entries of the record write `own` */
    bool has_filled; /* whether `own` has the values of `filled`, or will have them when the record runs */
    struct ramp filled;
    bool has_threads; /* special registers: whether `own` has thread numbers, equal in all groups */
};

/* Stands for the number of a barrier in bar.warp.sync, which has none. */
#define WARP_BARRIER UINT32_MAX

/* Lanes that wait. */
struct waiting {
    size_t step;      /* index of the step at which they continue */
    uint32_t barrier; /* lanes at a barrier: its number */
    struct lane_mask lanes;
};

struct record;

struct launch {
    const struct ptx_kernel *kernel;
    const pto_program_options *options;
    pto_fp_state caller_state; /* the FP state of the caller, in which callbacks run */
    pto_dim3 grid, block;
    struct group group;
    struct lane_values *values; /* for each register */
    unsigned char *memory;      /* `scratch`, `places` and `own` of all values */
    struct window *windows;     /* indexed by number; 0 to FIRST_WINDOW - 1 are unused */
    size_t window_count;
    unsigned char *parameters;        /* the parameter space */
    unsigned char *shared, *local;    /* memory of all blocks, and of all threads, of the group */
    size_t shared_bytes, local_bytes; /* of each block, of each thread */

    /* the state of the group */
    struct lane_mask active;  /* the lanes that run now */
    struct lane_mask alive;   /* the lanes that have not ended */
    bool is_whole;            /* whether `active` is equal to `alive` */
    bool is_complete;         /* whether no lane has ended */
    struct waiting *branched; /* lanes that wait at other steps, sorted by step, the highest first */
    size_t branched_count, branched_capacity;
    struct waiting *arrived; /* lanes that wait at barriers */
    size_t arrived_count, arrived_capacity;
    uint64_t executed; /* steps that the group has executed */

    struct record *record; /* see pto_record(); NULL if none was made */

    unsigned char (*scratch)[BLOCK_LANES * 8]; /* STEP_RESULTS results of a step before they are merged */
    unsigned char **places;                    /* for each lane, the memory that its load or store accesses */
    pto_program_error problem;
};

/* Returns whether `own` has the values of `ramp`. */
bool pto_launch_is_filled(const struct lane_values *v);

/* Returns the lanes of a register as an array. */
const void *pto_launch_lanes(struct launch *l, int reg);

/* Returns memory for the values of a register. The caller must write all lanes to it. */
void *pto_launch_result(struct launch *l, int reg);

/* Copies the lanes in `mask` from `computed` to register `reg`. */
pto_status pto_launch_merge(struct launch *l, int reg, const void *computed, const struct lane_mask *mask);

/* Writes the values of a ramp in all lanes of the group to an array of register `reg`. */
void pto_launch_fill(const struct launch *l, int reg, const struct ramp *ramp, void *to);

static inline bool pto_mask_has(const struct lane_mask *m, size_t lane) {
    return (m->words[lane / 64] >> lane % 64 & 1) != 0;
}

/* Stores the message in l->problem, with the position of step s unless s is NULL. Returns `status`, which the
 * caller must return to end the launch. */
pto_status pto_launch_error(struct launch *l, const struct step *s, const char *word, pto_status status,
                            const char *format, ...) __attribute__((format(__printf__, 5, 6)));

/* Sets all registers to the values that they have when l->group starts. Returns false if `only_ramps`
 * is set and a special register is not a ramp. */
bool pto_launch_start(struct launch *l, bool only_ramps);

/* Computes a step whose sources are ramps. Returns false if a source or the result is not a ramp; then no register was
 * changed. */
bool pto_launch_ramps(struct launch *l, const struct step *s);

/* Returns the number of steps after which a group ends with an error. */
uint64_t pto_launch_limit(const struct launch *l);

/* Runs a group of at most `most` blocks, which begins with block `first` of the grid. Sets *count to the
 * number of its blocks. */
pto_status pto_launch_group(struct launch *l, size_t first, size_t most, size_t *count);

/*
 * Records what the steps do to all lanes of the next blocks at once, if these lanes take the same branches and access
 * memory at regular addresses. Most kernels do so, except in the last blocks. Index arithmetic and branches
 * are then done once for all these blocks, and a group runs only the recorded loads, stores and calculations. Returns
 * the number of blocks, from block `first` of the grid on, for which the record holds: at most `most`, or 0.
 */
size_t pto_record(struct launch *l, size_t first, size_t most);

/* Runs the record for the next group of these blocks. Sets *count to the number of its blocks. */
pto_status pto_record_run(struct launch *l, size_t *count);

void pto_record_free(struct launch *l);

/* The addresses of a load or store for all lanes of the group, if they are a ramp in one window of global memory or in
 * the parameter space, and all accesses are allowed. */
struct strided {
    struct window window;
    unsigned char *first;            /* the memory of lane 0 */
    ptrdiff_t per_thread, per_block; /* distances in bytes, as in struct ramp */
};

/* Sets *to if the addresses are such a ramp. Returns false otherwise. */
bool pto_memory_strided(const struct launch *l, const struct step *s, bool is_store, struct strided *to);

/* Returns whether the elements of all lanes are an array like that of the register: consecutive and as wide. */
bool pto_memory_is_array(const struct launch *l, const struct step *s, const struct strided *a, int reg);

/* Loads element k of each lane to the array `to`, or stores it from the array `from`. */
void pto_memory_load_strided(const struct launch *l, const struct step *s, const struct strided *a,
                             unsigned k, unsigned char *to);
void pto_memory_store_strided(const struct launch *l, const struct step *s, const struct strided *a,
                              unsigned k, const unsigned char *from);

/* Sets l->places for a load, a store or an atomic access of the lanes in `mask`; NULL stands for all lanes.
 * Reports an access that is not allowed. */
pto_status pto_memory_find(struct launch *l, const struct step *s, bool is_store,
                           const struct lane_mask *mask);

/* Each of these functions runs a step for the lanes in `mask`; NULL stands for all lanes of the group. */
pto_status pto_memory_load(struct launch *l, const struct step *s, const struct lane_mask *mask);
pto_status pto_memory_store(struct launch *l, const struct step *s, const struct lane_mask *mask);
pto_status pto_atomic_run(struct launch *l, const struct step *s, const struct lane_mask *mask);
pto_status pto_warp_run(struct launch *l, const struct step *s, const struct lane_mask *mask);

#endif
