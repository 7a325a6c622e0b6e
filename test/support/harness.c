/* SPDX-License-Identifier: MIT */
/* The ISA to test, random numbers, guarded memory, lengths, and reports. */
#include "support/harness.h"
#include "support/fpstate.h"
#include "support/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__) && defined(__linux__)
#    include <sys/prctl.h>
#endif

#include "support/cmocka_all.h"

enum { MARGIN_PATTERN = 0xa5 };

static uint64_t base_seed = 0x9e0c5eed2024;

/* ---- start ---- */

int harness_isas(void) {
    int count = 0;
    while (strcmp(pto_isa_name((pto_isa)count), "?") != 0) {
        count++;
    }
    if (count > HARNESS_MAX_ISAS) abort();
    return count;
}

void use_isa(pto_isa isa) {
    if (pto_isa_use(isa) == PTO_OK) return;
    fprintf(stderr, "%s was available and no longer is\n", pto_isa_name(isa));
    abort();
}

static int use_named_isa(const char *name) {
    for (int i = 0; i < harness_isas(); i++) {
        const pto_isa isa = (pto_isa)i;
        if (strcmp(name, pto_isa_name(isa)) != 0) continue;
        if (!pto_isa_available(isa)) {
            printf("skipped: no %s\n", name);
            return HARNESS_SKIPPED;
        }
        return pto_isa_use(isa) == PTO_OK && pto_isa_active() == isa ? 0 : 1;
    }
    fprintf(stderr, "no such ISA: %s\n", name);
    return 1;
}

#ifdef PR_SVE_SET_VL
bool harness_use_vectors(size_t bytes) {
    const int length = prctl(PR_SVE_SET_VL, bytes);
    return length >= 0 && (size_t)(length & PR_SVE_VL_LEN_MASK) == bytes;
}
#else
bool harness_use_vectors(size_t bytes) {
    (void)bytes;
    return false;
}
#endif

/** Returns the number in the environment variable, or 0 if it is not set. */
static size_t bytes_asked(const char *variable) {
    const char *asked = getenv(variable);
    return asked ? strtoul(asked, NULL, 10) : 0;
}

static size_t vector_bytes(void) {
    return bytes_asked("PTO_TEST_SVE_BYTES");
}

/** Returns the size of RVV's registers in bytes, or 0. Reads the CSR vlenb by its number, because this file is
 * compiled without V. */
static size_t register_bytes(void) {
    size_t bytes = 0;
#if defined(__riscv)
    if (pto_isa_available(PTO_ISA_RVV)) __asm__("csrr %0, 0xc22" : "=r"(bytes));
#endif
    return bytes;
}

/** Prints a word in single quotes, so that a shell reads it back unchanged. `size` limits its length. */
static void print_quoted(const char *word, size_t size) {
    printf("'");
    for (size_t i = 0; i < size && word[i] != 0; i++) printf(word[i] == '\'' ? "'\\''" : "%c", word[i]);
    printf("'");
}

/** Prints the command that repeats this run. */
static void print_replay(void) {
    char words[4096];
    const size_t size = platform_command_line(words, sizeof words);
    printf("replay: PTO_TEST_SEED=0x%llx", (unsigned long long)base_seed);
    for (char **variable = platform_variables(); *variable; variable++) {
        const char *value = strchr(*variable, '=');
        const bool ours = strncmp(*variable, "PTO_", 4) == 0 || strncmp(*variable, "QEMU_", 5) == 0;
        if (!ours || !value || value[1] == 0 || strncmp(*variable, "PTO_TEST_SEED=", 14) == 0) continue;
        printf(" %.*s", (int)(value + 1 - *variable), *variable);
        print_quoted(value + 1, SIZE_MAX);
    }
    if (harness_emulated()) printf(" %s", getenv("PTO_TEST_EMULATOR"));
    for (size_t i = 0; i < size; i += strnlen(words + i, size - i) + 1) {
        printf(" ");
        print_quoted(words + i, size - i);
    }
    printf("\n");
}

int harness_end(int status) {
    if (status != 0 && status != HARNESS_SKIPPED) print_replay();
    return status;
}

int harness_start(int argc, char **argv) {
    const char *seed = getenv("PTO_TEST_SEED");
    int status;

    if (vector_bytes() != 0 && !harness_use_vectors(vector_bytes())) {
        printf("skipped: no vectors of %zu bytes\n", vector_bytes());
        return HARNESS_SKIPPED;
    }
    if (bytes_asked("PTO_TEST_RVV_BYTES") != 0 && register_bytes() != bytes_asked("PTO_TEST_RVV_BYTES")) {
        printf("skipped: no registers of %zu bytes\n", bytes_asked("PTO_TEST_RVV_BYTES"));
        return HARNESS_SKIPPED;
    }
    status = argc > 1 ? use_named_isa(argv[1]) : 0;
    if (seed) base_seed = strtoull(seed, NULL, 0);
    if (status != 0) return status;
    /* Flushes stdout after each line, so that these lines are visible even after a crash. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("isa %s, PTO_TEST_SEED=0x%llx%s\n", pto_isa_name(pto_isa_active()), (unsigned long long)base_seed,
           harness_quick() ? ", quick" : "");
    print_replay();
    return 0;
}

bool harness_quick(void) {
    const char *quick = getenv("PTO_TEST_QUICK");
    return quick && *quick && strcmp(quick, "0") != 0;
}

bool harness_emulated(void) {
    const char *emulator = getenv("PTO_TEST_EMULATOR");
    return emulator && *emulator;
}

uint64_t harness_seed(void) {
    return base_seed;
}

/* ---- randomness ---- */

void rng_start(struct rng *rng, const char *purpose) {
    rng->state = base_seed;
    for (; *purpose; purpose++) {
        rng->state = (rng->state ^ (unsigned char)*purpose) * 0x100000001b3U;
    }
}

void rng_start_for(struct rng *rng, const char *purpose, pto_dtype type) {
    rng_start(rng, purpose);
    rng->state += (uint64_t)type << 32;
}

uint64_t rng_next(struct rng *rng) {
    uint64_t z = rng->state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

size_t rng_below(struct rng *rng, size_t bound) {
    return (size_t)(rng_next(rng) % bound);
}

void rng_fill(struct rng *rng, void *bytes, size_t size) {
    unsigned char *p = bytes;
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        const uint64_t word = rng_next(rng);
        memcpy(p + i, &word, size - i < sizeof word ? size - i : sizeof word);
    }
}

/* ---- memory ---- */

enum { MAX_BLOCKS = 64 };

/** The memory that is allocated now, by malloc() if `mapped` is 0, else as pages of that size. */
static struct block {
    void *start;
    size_t mapped;
} blocks[MAX_BLOCKS];

static void register_block(void *start, size_t mapped) {
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        if (blocks[i].start) continue;
        blocks[i].start = start;
        blocks[i].mapped = mapped;
        return;
    }
    fprintf(stderr, "harness: more than %d blocks\n", MAX_BLOCKS);
    abort();
}

static void unregister_block(const void *start) {
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        if (blocks[i].start == start) blocks[i].start = NULL;
    }
}

static void free_all(void) {
    for (size_t i = 0; i < MAX_BLOCKS; i++) {
        if (blocks[i].start && blocks[i].mapped) platform_release(blocks[i].start, blocks[i].mapped);
        if (blocks[i].start && !blocks[i].mapped) free(blocks[i].start);
        blocks[i].start = NULL;
    }
}

void *harness_allocate(size_t size) {
    void *block = calloc(1, size);
    if (!block) abort();
    register_block(block, 0);
    return block;
}

void harness_free(void *block) {
    unregister_block(block);
    free(block);
}

/* ---- guarded memory ---- */

void guarded_open(struct guarded *memory, size_t size) {
    const size_t page = platform_page_size();
    unsigned char *map;

    memory->size = (size + page - 1) / page * page;
    if (memory->size == 0) memory->size = page;
    map = platform_reserve(memory->size + 2 * page);
    register_block(map, memory->size + 2 * page);
    memory->data = map + page;
    platform_allow(memory->data, memory->size, true);
}

void guarded_close(struct guarded *memory) {
    const size_t page = platform_page_size();
    if (!memory->data) return;
    unregister_block(memory->data - page);
    platform_release(memory->data - page, memory->size + 2 * page);
    memory->data = NULL;
}

void guarded_freeze(struct guarded *memory) {
    platform_allow(memory->data, memory->size, false);
}

unsigned char *guarded_place(const struct guarded *memory, size_t size, enum place place) {
    return place == AT_BEGIN ? memory->data : memory->data + memory->size - size;
}

static size_t margin_before(const struct guarded *memory, const unsigned char *buffer) {
    const size_t there = (size_t)(buffer - memory->data);
    return there < HARNESS_MARGIN ? there : HARNESS_MARGIN;
}

static size_t margin_after(const struct guarded *memory, const unsigned char *buffer, size_t size) {
    const size_t there = (size_t)(memory->data + memory->size - (buffer + size));
    return there < HARNESS_MARGIN ? there : HARNESS_MARGIN;
}

void margins_fill(const struct guarded *memory, unsigned char *buffer, size_t size) {
    const size_t before = margin_before(memory, buffer);
    memset(buffer - before, MARGIN_PATTERN, before);
    memset(buffer + size, MARGIN_PATTERN, margin_after(memory, buffer, size));
}

void buffer_fill(const struct guarded *memory, unsigned char *buffer, size_t size, unsigned fill) {
    memset(buffer, fill % FILLS ? 0xff : 0x00, size);
    margins_fill(memory, buffer, size);
}

bool margins_intact(const struct guarded *memory, const unsigned char *buffer, size_t size) {
    unsigned char pattern[HARNESS_MARGIN];
    const size_t before = margin_before(memory, buffer);
    memset(pattern, MARGIN_PATTERN, sizeof pattern);
    return memcmp(buffer - before, pattern, before) == 0 &&
           memcmp(buffer + size, pattern, margin_after(memory, buffer, size)) == 0;
}

/* ---- lengths ---- */

/** Adds lengths around one, two, four and eight times PTO_TEST_SVE_BYTES. A length counts lanes, so with wider
 * lanes the same length fills more vectors. For RVV, which uses up to eight registers at once, adds lengths around one
 * to sixteen times the register size. */
static size_t lengths_of_vectors(size_t *lengths, size_t count) {
    const size_t vector = pto_isa_active() == PTO_ISA_RVV ? register_bytes() : vector_bytes();
    const size_t most = pto_isa_active() == PTO_ISA_RVV ? 16 * vector : 8 * vector;
    for (size_t n = vector; n != 0 && n <= most; n *= 2) {
        lengths[count++] = n - 1;
        lengths[count++] = n;
        lengths[count++] = n + 1;
    }
    return count;
}

size_t lengths_short(size_t lengths[HARNESS_MAX_LENGTHS], bool quick) {
    static const size_t few[] = {0, 1, 2, 3, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 127, 129, 193};
    size_t count = 0;

    if (quick) {
        memcpy(lengths, few, sizeof few);
        return lengths_of_vectors(lengths, sizeof few / sizeof few[0]);
    }
    for (size_t n = 0; n <= 3 * 64 + 1; n++) {
        lengths[count++] = n;
    }
    return lengths_of_vectors(lengths, count);
}

size_t length_long(size_t turn) {
    static const size_t lengths[] = {1000, 4095, 4096, 4097, 5000, HARNESS_LONGEST};
    return lengths[turn % (sizeof lengths / sizeof lengths[0])];
}

/* ---- report ---- */

void report_init(struct report *report) {
    memset(report, 0, sizeof *report);
    report->quick = harness_quick();
    report->sweep = (struct sweep){.step = 1, .part = 0, .parts = 1};
    report_call(report, "?", NULL);
}

void report_call(struct report *report, const char *call, const char *detail) {
    const struct where blank = {call, detail, NULL, -1, -1, -1, {-1, -1, -1, -1}, 0, 0, {{{NULL, false}, 0}}};
    report->now = blank;
}

/** Appends to a text like snprintf. May truncate the text, but never writes past its end. */
#if defined(__GNUC__)
__attribute__((format(__printf__, 3, 4)))
#endif
static void
append(char *text, size_t capacity, const char *format, ...) {
    const size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, capacity - used, format, list);
    va_end(list);
}

static void describe(const struct where *now, char *text, size_t capacity) {
    char words[256] = "";
    text[0] = 0;
    append(text, capacity, "%s", now->call);
    if (now->type >= 0) append(text, capacity, " %s", pto_dtype_name((pto_dtype)now->type));
    if (now->op >= 0) append(text, capacity, " %s", model_op_name((pto_cmp)now->op));
    if (now->flags >= 0 && (now->flags & PTO_FTZ)) append(text, capacity, " FTZ");
    if (now->flags >= 0 && (now->flags & PTO_MERGE)) append(text, capacity, " MERGE");
    if (now->flags >= 0 && (now->flags & PTO_PROPAGATE_NAN)) append(text, capacity, " NAN");
    if (now->flags >= 0 && (now->flags & PTO_XORSIGN_ABS)) append(text, capacity, " XORSIGN_ABS");
    for (size_t i = 0; i < sizeof now->kinds / sizeof now->kinds[0]; i++) {
        if (now->kinds[i] >= 0) append(text, capacity, " %s", model_kind_name((pto_mask_kind)now->kinds[i]));
    }
    append(text, capacity, " n=%zu", now->n);
    if (now->describe) now->describe(words, sizeof words);
    if (now->detail) append(text, capacity, " (%s%s%s)", words, *words ? ", " : "", now->detail);
    append(text, capacity, " isa=%s seed=0x%llx: ", pto_isa_name(pto_isa_active()),
           (unsigned long long)base_seed);
}

void report_mismatch(struct report *report, const char *format, ...) {
    va_list list;
    size_t used;

    if (report->mismatches++ != 0) return;
    describe(&report->now, report->first, sizeof report->first);
    used = strlen(report->first);
    va_start(list, format);
    vsnprintf(report->first + used, sizeof report->first - used, format, list);
    va_end(list);
}

const char *status_name(pto_status status) {
    static const char *const names[] = {"PTO_OK",          "PTO_ERR_NULL",     "PTO_ERR_TYPE",
                                        "PTO_ERR_OP",      "PTO_ERR_MODIFIER", "PTO_ERR_MASK",
                                        "PTO_ERR_OVERLAP", "PTO_ERR_ISA",      "PTO_ERR_PARSE",
                                        "PTO_ERR_PATTERN", "PTO_ERR_SIZE",     "PTO_ERR_STOPPED"};
    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : "an unknown status";
}

bool status_is(pto_status got, pto_status want, const char *call) {
    if (got != want) print_error("%s: expected %s, got %s\n", call, status_name(want), status_name(got));
    return got == want;
}

bool report_status(struct report *report, pto_status got, pto_status want) {
    if (got != want) report_mismatch(report, "expected %s, got %s", status_name(want), status_name(got));
    return got == want;
}

void report_result(struct report *report, size_t bits) {
    report->now.result_bits = bits;
    memset(report->now.sources, 0, sizeof report->now.sources);
}

void report_source(struct report *report, pto_in in, size_t bits) {
    size_t i = 0;
    while (report->now.sources[i].bits != 0) {
        i++;
    }
    report->now.sources[i] = (struct lane_source){in, bits};
}

/** Returns lane `i` of an array whose lanes have `bits` bits. */
static uint64_t load_lane(const unsigned char *array, size_t bits, size_t i) {
    uint64_t value = 0;
    if (bits < 8) return array[i * bits / 8] >> i * bits % 8 & ((1U << bits) - 1);
    memcpy(&value, array + i * (bits / 8), bits / 8);
    return value;
}

static void report_lane(struct report *report, size_t i, const unsigned char *expected,
                        const unsigned char *got) {
    const size_t bits = report->now.result_bits;
    char operands[160] = "";
    for (size_t k = 0; k < sizeof report->now.sources / sizeof report->now.sources[0]; k++) {
        const struct lane_source *source = &report->now.sources[k];
        if (source->bits == 0) continue;
        if (source->in.data == got)
            append(operands, sizeof operands, " (overwritten)");
        else
            append(operands, sizeof operands, " %llx",
                   (unsigned long long)load_lane(source->in.data, source->bits, source->in.scalar ? 0 : i));
    }
    report_mismatch(report, "lane %zu%s%s: expected %llx, got %llx", i, *operands ? ", operands" : "",
                    operands, (unsigned long long)load_lane(expected, bits, i),
                    (unsigned long long)load_lane(got, bits, i));
}

void report_image(struct report *report, const unsigned char *expected, const unsigned char *got,
                  size_t size) {
    const size_t bits = report->now.result_bits;
    for (size_t i = 0; i < size; i++) {
        size_t lane;
        if (expected[i] == got[i]) continue;
        lane = bits == 0 ? SIZE_MAX : i * 8 / bits;
        while (lane < report->now.n && load_lane(expected, bits, lane) == load_lane(got, bits, lane)) {
            lane++; /* several lanes share this byte */
        }
        if (lane < report->now.n)
            report_lane(report, lane, expected, got);
        else
            report_mismatch(report, "byte %zu of %zu: expected %02x, got %02x", i, size, expected[i], got[i]);
        return;
    }
}

bool report_stop(const struct report *report) {
    return report->stop_first && report->mismatches != 0;
}

void report_absent(struct report *report, const char *why) {
    report->absent = why;
}

/** A call of a checker. */
struct run {
    struct report *report;
    void (*body)(struct report *, void *);
    void *context;
};

static void run_body(void *context) {
    const struct run *run = context;
    run->body(run->report, run->context);
}

void report_run(struct report *report, void (*body)(struct report *, void *), void *context) {
    struct run run = {report, body, context};
    const struct fp_state state = fp_state_get();
    const char *const trap = platform_catch(run_body, &run);
    if (!trap) return;
    fp_state_set(&state);
    report_mismatch(report, "%s", trap);
    free_all();
}

void report_expect_clean(const struct report *report, const char *what) {
    printf("%s: %zu cases, %zu mismatches\n", what, report->cases, report->mismatches);
    if (report->mismatches != 0) fail_msg("%zu mismatches; first: %s", report->mismatches, report->first);
    if (report->cases == 0) fail_msg("%s: no case was run", what);
}
