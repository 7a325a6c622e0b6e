/* SPDX-License-Identifier: MIT */
/**
 * @file harness.h
 * What every test stands on: which ISA to test, seeded randomness, memory between guard pages, and a report
 * that remembers the first mismatch.
 *
 * Environment: PTO_TEST_SEED replays a run with that seed; PTO_TEST_QUICK=1 thins the sweeps (for -O0,
 * sanitizers and emulators) without dropping a type, operator or mask kind; PTO_TEST_EMULATOR, which ctest sets,
 * is the emulator that runs the tests, if there is one.
 */
#ifndef PTO_TEST_HARNESS_H
#define PTO_TEST_HARNESS_H

#include "model/model.h"

enum { HARNESS_SKIPPED = 77, HARNESS_MAX_LENGTHS = 256, HARNESS_LONGEST = 8259, HARNESS_MARGIN = 64 };

/* ---- start ---- */

/**
 * Read the command line (one argument: the ISA to use; none: the active one) and the environment, print the
 * seed. Returns 0, HARNESS_SKIPPED if that ISA is not available here (then it has said so), or 1 on a wrong
 * argument.
 */
int harness_start(int argc, char **argv);

/** Has SVE's vectors this long from here on, in this process; false where they cannot be. To be called before the library
 * first looks. harness_start does so with PTO_TEST_SVE_BYTES, if that is set. RVV's vectors are as long as they are: with
 * PTO_TEST_RVV_BYTES, harness_start skips where registers have other than so many bytes. */
bool harness_use_vectors(size_t bytes);

bool harness_quick(void);

/** Whether an emulator runs the test, which takes ten times as long: a quick run takes still less there. */
bool harness_emulated(void);
uint64_t harness_seed(void);

/** Use this one, which was available before. */
void use_isa(pto_isa isa);

/** How many ISAs the library has a name for, from number 0 on, available or not. */
enum { HARNESS_MAX_ISAS = 16 };
int harness_isas(void);

/* ---- randomness: splitmix64, started afresh for each purpose so that leaving out one test changes no other
 * ---- */

struct rng {
    uint64_t state;
};

void rng_start(struct rng *rng, const char *purpose);
void rng_start_for(struct rng *rng, const char *purpose, pto_dtype type);
uint64_t rng_next(struct rng *rng);
size_t rng_below(struct rng *rng, size_t bound);
void rng_fill(struct rng *rng, void *bytes, size_t size);

/* ---- memory; what a checker had open when a signal ended it, report_run gives back ---- */

void *harness_allocate(size_t size); /* zeroed; aborts rather than return NULL */
void harness_free(void *block);

/* ---- memory between two unmapped pages ---- */

struct guarded {
    unsigned char *data; /* begins right after an unmapped page */
    size_t size;         /* a multiple of the page size; an unmapped page follows */
};

enum place { AT_BEGIN, AT_END };

void guarded_open(struct guarded *memory, size_t size);
void guarded_close(struct guarded *memory);
void guarded_freeze(struct guarded *memory); /* from now on writing to it traps */

/** Room for that many bytes, right after the leading guard page or right before the trailing one. */
unsigned char *guarded_place(const struct guarded *memory, size_t size, enum place place);

/** Fill the room, and the margins around it with a pattern that margins_intact knows again. */
void room_fill(const struct guarded *memory, unsigned char *room, size_t size, unsigned fill);

/** The margins alone. */
void margins_fill(const struct guarded *memory, unsigned char *room, size_t size);
bool margins_intact(const struct guarded *memory, const unsigned char *room, size_t size);

/** Two ways to pre-fill a result, so that a byte left alone shows: 0x00, 0xff. */
enum { FILLS = 2 };

/* ---- lengths ---- */

/** 0 to three steps of the widest vector plus one; fewer when quick. Returns how many. */
size_t lengths_short(size_t lengths[HARNESS_MAX_LENGTHS], bool quick);

/** Lengths around and beyond 4096; `turn` picks among them, so that a few calls see all. */
size_t length_long(size_t turn);

/* ---- report ---- */

/** The case under test; -1 in a field that does not apply. */
struct where {
    const char *call;
    const char *detail; /* more words, or NULL */
    /* Writes what stands before them, which is asked of it only for a mismatch; or NULL. */
    void (*words)(char *text, size_t room);
    int type;
    int op;
    int flags;
    int kinds[4];
    size_t n;
};

/** Of an exhaustive sweep every step-th row, and each parts-th operation from number `part` on. */
struct sweep {
    size_t step, part, parts;
};

struct report {
    bool quick;
    bool stop_first;    /* checkers return after the first mismatch: for planted faults */
    struct sweep sweep; /* all, unless the caller takes less */
    const char *absent; /* why this build has nothing to check, or NULL */
    size_t cases;
    size_t mismatches;
    struct where now;
    char first[640]; /* description of the first mismatch */
};

void report_init(struct report *report);

/** Begin a call's description; the checkers then set the fields that vary. */
void report_call(struct report *report, const char *call, const char *detail);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void report_mismatch(struct report *report, const char *format, ...);

/** Whether a checker should return early. */
bool report_stop(const struct report *report);

/** For a checker of calls that this build does not have, which then returns. */
void report_absent(struct report *report, const char *why);

/** Run body; a signal (guard page touched, FP exception raised) becomes a mismatch in the case at hand. In
 * another thread it ends the program. */
void report_run(struct report *report, void (*body)(struct report *, void *), void *context);

/** Print the number of cases and let the cmocka test fail if there was a mismatch, or nothing to count. */
void report_expect_clean(const struct report *report, const char *what);

#endif
