/* SPDX-License-Identifier: MIT */
/** @file harness.h
 * What all tests use: the ISA to test, seeded random numbers, memory between guard pages, and a report that stores
 * the first mismatch.
 *
 * Environment variables: PTO_TEST_SEED replays a run with that seed. PTO_TEST_QUICK=1 shortens the sweeps (for
 * -O0, sanitizers and emulators) without dropping a type, operator or mask kind. PTO_TEST_EMULATOR, which ctest
 * sets, is the emulator that runs the tests, if any. */
#ifndef PTO_TEST_HARNESS_H
#define PTO_TEST_HARNESS_H

#include "model/model.h"

enum { HARNESS_SKIPPED = 77, HARNESS_MAX_LENGTHS = 256, HARNESS_LONGEST = 8259, HARNESS_MARGIN = 64 };

/* ---- start ---- */

/** Reads the command line (one optional argument, the ISA to use) and the environment, and prints the seed. Returns
 * 0, or HARNESS_SKIPPED after a message if the ISA is not available here, or 1 for an invalid argument. */
int harness_start(int argc, char **argv);

/** Sets the length of SVE vectors of this process. Returns false if the CPU does not have that length. Call it before
 * the first use of the library. harness_start() calls it with the value of PTO_TEST_SVE_BYTES, if that is set.
 * The length of RVV vectors cannot be set: with PTO_TEST_RVV_BYTES, harness_start() skips the test if registers
 * have another size. */
bool harness_use_vectors(size_t bytes);

/** Returns `status`, the exit status of a test program. If the test failed, prints the command that runs it again,
 * with the environment variables that the tests, the library and qemu read. harness_start() prints the command,
 * too, for tests that crash. */
int harness_end(int status);

bool harness_quick(void);

/** Whether an emulator runs the test, which then takes ten times as long. A quick run does even less there. */
bool harness_emulated(void);
uint64_t harness_seed(void);

/** Uses an ISA that was available before; aborts if it no longer is. */
void use_isa(pto_isa isa);

/** Returns the number of ISAs for which the library has a name, whether or not the CPU has them. They are numbered
 * from 0. */
enum { HARNESS_MAX_ISAS = 16 };
int harness_isas(void);

/* ---- random numbers: splitmix64. Each purpose starts its own sequence, so omitting a test changes no other ---- */

struct rng {
    uint64_t state;
};

void rng_start(struct rng *rng, const char *purpose);
void rng_start_for(struct rng *rng, const char *purpose, pto_dtype type);
uint64_t rng_next(struct rng *rng);
size_t rng_below(struct rng *rng, size_t bound);
void rng_fill(struct rng *rng, void *bytes, size_t size);

/* ---- memory; if a signal ends a checker, report_run() frees what it had allocated ---- */

void *harness_allocate(size_t size); /* zeroed; aborts if there is no memory */
void harness_free(void *block);

/* ---- memory between two unmapped pages ---- */

struct guarded {
    unsigned char *data; /* an unmapped page precedes it */
    size_t size;         /* a multiple of the page size; an unmapped page follows */
};

enum place { AT_BEGIN, AT_END };

void guarded_open(struct guarded *memory, size_t size);
void guarded_close(struct guarded *memory);
void guarded_freeze(struct guarded *memory); /* writes trap from now on */

/** Returns `size` bytes right after the leading guard page or right before the trailing one. */
unsigned char *guarded_place(const struct guarded *memory, size_t size, enum place place);

/** Fills the buffer, and the margins around it with a pattern that margins_intact() checks. */
void buffer_fill(const struct guarded *memory, unsigned char *buffer, size_t size, unsigned fill);

/** Fills only the margins. */
void margins_fill(const struct guarded *memory, unsigned char *buffer, size_t size);
bool margins_intact(const struct guarded *memory, const unsigned char *buffer, size_t size);

/** The two values with which results are pre-filled, 0x00 and 0xff, so that bytes that are not written show. */
enum { FILLS = 2 };

/* ---- lengths ---- */

/** Fills in the lengths from 0 to three of the widest vectors plus one, or fewer in a quick run. Returns how many. */
size_t lengths_short(size_t lengths[HARNESS_MAX_LENGTHS], bool quick);

/** Returns a long length: 1000, one near 4096, 5000 or HARNESS_LONGEST. Successive values of `turn` select all of
 * them. */
size_t length_long(size_t turn);

/* ---- report ---- */

/** A source operand whose lanes have `bits` bits. A scalar has one lane. */
struct lane_source {
    pto_in in;
    size_t bits;
};

/** The case under test. A field that does not apply is -1. */
struct where {
    const char *call;
    const char *detail; /* further description, or NULL */
    /* Writes the text that precedes `detail`; may be NULL. It is called only for a mismatch. */
    void (*describe)(char *text, size_t room);
    int type;
    int op;
    int flags;
    int kinds[4];
    size_t n;
    size_t result_bits;            /* bits of a lane of the result, or 0 if unknown */
    struct lane_source sources[4]; /* the operands of a lane; `bits` is 0 if unused */
};

/** A part of an exhaustive sweep: every step-th row, and every parts-th operation from number `part` on. */
struct sweep {
    size_t step, part, parts;
};

struct report {
    bool quick;
    bool stop_first;    /* checkers return after the first mismatch, for planted faults */
    struct sweep sweep; /* everything, unless the caller reduces it */
    const char *absent; /* why this build has nothing to check, or NULL */
    size_t cases;
    size_t mismatches;
    struct where now;
    char first[640]; /* description of the first mismatch */
};

void report_init(struct report *report);

/** Starts the description of a call. The checkers then set the fields that vary. */
void report_call(struct report *report, const char *call, const char *detail);

#if defined(__GNUC__)
__attribute__((format(__printf__, 2, 3)))
#endif
void report_mismatch(struct report *report, const char *format, ...);

/** Returns the name of a status, such as "PTO_ERR_NULL". */
const char *status_name(pto_status status);

/** Fails the cmocka test if the call does not return `want`, and prints the call and both statuses. */
#define assert_status(call, want) (status_is(call, want, #call) ? (void)0 : fail())
bool status_is(pto_status got, pto_status want, const char *call);

/** Returns whether `got` is `want`. If it is not, reports both by name. */
bool report_status(struct report *report, pto_status got, pto_status want);

/** Sets the size of the result's lanes and removes all sources; report_source() adds one. report_image() then names
 * the first wrong lane and its operands. Sources must keep their values until then, except one that the call
 * overwrites in place. */
void report_result(struct report *report, size_t bits);
void report_source(struct report *report, pto_in in, size_t bits);

/** Reports the first lane in which `expected` and `got` differ, or the first byte if the size of a lane is not
 * known. */
void report_image(struct report *report, const unsigned char *expected, const unsigned char *got,
                  size_t size);

/** Whether a checker should return early. */
bool report_stop(const struct report *report);

/** Records that this build lacks the calls that the checker tests, because of `why`. The checker must then return. */
void report_absent(struct report *report, const char *why);

/** Runs `body`. A signal, for example from a guard page or an FP exception, is reported as a mismatch of the current
 * case. A signal in another thread ends the program. */
void report_run(struct report *report, void (*body)(struct report *, void *), void *context);

/** Prints the number of cases. Fails the test if there was a mismatch or no case. */
void report_expect_clean(const struct report *report, const char *what);

#endif
