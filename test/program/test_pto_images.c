/* SPDX-License-Identifier: MIT */
/* Checks programs over lanes against a model in which each mask is an image: 256 bits for each vector register, one for
 * each byte. The programs are random chains of operations on masks, with results of any type. */
#include "support/cmocka_all.h"
#include "support/harness.h"

#include "program/pto_running.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 256, REGISTERS = 36, MASKS = 24, TEXT = 8192 };

/* ---- the model ---- */

struct mask {
    unsigned width; /* of the elements for which the text says that it is */
    bool image[REGISTERS][BITS];
};

struct chain {
    struct rng rng;
    struct mask mask[MASKS];
    size_t count;
    size_t bits; /* bits that the lanes of the run take in all images together */
    size_t length;
    char text[TEXT];
};

static struct mask *add(struct chain *c, unsigned width) {
    struct mask *m = &c->mask[c->count++];
    memset(m, 0, sizeof *m);
    m->width = width;
    return m;
}

/* Sets the bits of lanes after the end of the run to 0. */
static void cut(const struct chain *c, struct mask *m) {
    for (size_t i = c->bits; i < (size_t)REGISTERS * BITS; i++) m->image[i / BITS][i % BITS] = false;
}

static void say(struct chain *c, const char *format, ...) __attribute__((format(__printf__, 2, 3)));

static void say(struct chain *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    c->length += (size_t)vsnprintf(c->text + c->length, TEXT - c->length, format, arguments);
    va_end(arguments);
    assert_true(c->length < TEXT);
}

static size_t any(struct chain *c) {
    return rng_below(&c->rng, c->count);
}

/* Returns the number of a random mask of this width. There is one, because the first three masks have the widths 8, 16
 * and 32. */
static size_t any_of(struct chain *c, unsigned width) {
    size_t i = any(c);
    while (c->mask[i].width != width) i = any(c);
    return i;
}

static unsigned any_width(struct chain *c) {
    return 8U << rng_below(&c->rng, 3);
}

/* ---- operations that keep the width ---- */

static void append_pset(struct chain *c) {
    const unsigned width = any_width(c);
    const bool third = rng_below(&c->rng, 2);
    struct mask *m;
    say(c, "%%m%zu = pto.pset_b%u \"%s\" : !pto.mask<b%u>\n", c->count, width, third ? "PAT_M3" : "PAT_ALL",
        width);
    m = add(c, width);
    for (size_t r = 0; r < REGISTERS; r++)
        for (size_t i = 0; i < BITS * 8 / width; i++) m->image[r][i * width / 8] = !third || i % 3 == 0;
    cut(c, m);
}

static bool logic(size_t operation, bool a, bool b) {
    return operation == 0 ? a && b : operation == 1 ? a || b : operation == 2 ? a != b : !a;
}

static void append_logic(struct chain *c) {
    static const char *const names[] = {"pand", "por", "pxor", "pnot"};
    const size_t operation = rng_below(&c->rng, 4), first = any(c), seeded = rng_below(&c->rng, 2);
    const unsigned width = c->mask[first].width;
    const size_t second = any_of(c, width), seed = any_of(c, width);
    struct mask *m;
    say(c, "%%m%zu = pto.%s %%m%zu", c->count, names[operation], first);
    if (operation != 3) say(c, ", %%m%zu", second);
    if (seeded) say(c, ", %%m%zu", seed);
    say(c, "\n");
    m = add(c, width);
    for (size_t r = 0; r < REGISTERS; r++)
        for (size_t i = 0; i < BITS; i++)
            m->image[r][i] = logic(operation, c->mask[first].image[r][i], c->mask[second].image[r][i]) &&
                             (!seeded || c->mask[seed].image[r][i]);
    cut(c, m);
}

static void append_psel(struct chain *c) {
    const size_t first = any(c);
    const unsigned width = c->mask[first].width;
    const size_t second = any_of(c, width), choice = any_of(c, width);
    struct mask *m;
    say(c, "%%m%zu = pto.psel %%m%zu, %%m%zu, %%m%zu\n", c->count, first, second, choice);
    m = add(c, width);
    for (size_t r = 0; r < REGISTERS; r++)
        for (size_t i = 0; i < BITS; i++)
            m->image[r][i] = c->mask[c->mask[choice].image[r][i] ? first : second].image[r][i];
}

static void append_pairs(struct chain *c) {
    const bool apart = rng_below(&c->rng, 2);
    const size_t first = any(c);
    const unsigned width = c->mask[first].width;
    const size_t second = any_of(c, width), group = width / 8, half = BITS / group / 2;
    struct mask *low, *high;
    say(c, "%%m%zu, %%m%zu = pto.%s_b%u %%m%zu, %%m%zu\n", c->count, c->count + 1,
        apart ? "pdintlv" : "pintlv", width, first, second);
    low = add(c, width);
    high = add(c, width);
    for (size_t r = 0; r < REGISTERS; r++)
        for (size_t i = 0; i < 2 * half; i++) /* group i of a, then of b */
            for (size_t k = 0; k < group; k++) {
                const bool a = c->mask[first].image[r][i * group + k];
                const bool b = c->mask[second].image[r][i * group + k];
                struct mask *to = apart ? (i % 2 ? high : low) : (i < half ? low : high);
                const size_t at_a = apart ? i / 2 : i % half * 2, at_b = apart ? half + i / 2 : at_a + 1;
                to->image[r][at_a * group + k] = a;
                to->image[r][at_b * group + k] = b;
            }
    cut(c, low);
    cut(c, high);
}

/* ---- operations that may change the width ---- */

static void append_other_lanes(struct chain *c) {
    static const char *const names[] = {"ppack", "punpack", "pbitcast"};
    const size_t operation = rng_below(&c->rng, 3), from = any(c), higher = rng_below(&c->rng, 2);
    const unsigned width = any_width(c);
    struct mask *m;
    say(c, "%%m%zu = pto.%s %%m%zu", c->count, names[operation], from);
    if (operation != 2) say(c, ", \"%s\"", higher ? "HIGHER" : "LOWER");
    say(c, " : !pto.mask<b%u> -> !pto.mask<b%u>\n", c->mask[from].width, width);
    m = add(c, width);
    for (size_t r = 0; r < REGISTERS; r++) {
        const bool *a = c->mask[from].image[r];
        bool *to = m->image[r];
        for (size_t i = 0; i < BITS / 2; i++) {
            if (operation == 0) to[i + higher * BITS / 2] = a[2 * i];
            if (operation == 1) to[2 * i] = a[i + higher * BITS / 2];
        }
        if (operation == 2) memcpy(to, a, sizeof m->image[r]);
    }
    cut(c, m);
}

/* ---- checking ---- */

static void append_any(struct chain *c) {
    switch (rng_below(&c->rng, 8)) {
    case 0: append_pset(c); break;
    case 1: append_psel(c); break;
    case 2: append_pairs(c); break;
    case 3:
    case 4: append_logic(c); break;
    default: append_other_lanes(c); break;
    }
}

static void check_mask(const pto_program *p, const struct chain *c, size_t number) {
    const struct mask *m = &c->mask[number];
    const size_t apart = m->width / 8, n = c->bits / apart;
    char name[24];
    const unsigned char *is;
    (void)snprintf(name, sizeof name, "%%m%zu", number);
    is = value_of(p, name, PTO_B8, n);
    for (size_t i = 0; i < n; i++)
        if (is[i] != m->image[i * apart / BITS][i * apart % BITS]) {
            print_error("lane %zu of %zu of %s is %d, in\n%s", i, n, name, is[i], c->text);
            fail();
        }
}

/* Runs one chain over `lanes` lanes of `lane_bits` bits. */
static void check_chain(struct chain *c, size_t lanes, unsigned lane_bits) {
    static const uint64_t zero = 0;
    static unsigned char input[3][REGISTERS * BITS];
    pto_program *p;
    c->count = c->length = 0;
    c->bits = lanes * lane_bits / 8;
    for (unsigned k = 0; k < 3; k++) {
        struct mask *m = add(c, 8U << k);
        for (size_t i = 0; i < c->bits >> k; i++) {
            const size_t bit = i << k;
            input[k][i] = m->image[bit / BITS][bit % BITS] = rng_below(&c->rng, 3) != 0;
        }
    }
    say(c, "%%used = pto.pbitcast %%m0 : !pto.mask<b8> -> !pto.mask<b8>\n"
           "%%used1 = pto.pbitcast %%m1 : !pto.mask<b16> -> !pto.mask<b16>\n"
           "%%used2 = pto.pbitcast %%m2 : !pto.mask<b32> -> !pto.mask<b32>\n");
    if (lane_bits == 64) say(c, "%%wide = pto.vadd %%w, %%w : !pto.vreg<32xi64>, !pto.vreg<32xi64>\n");
    while (c->count + 2 <= MASKS) append_any(c);
    p = program_of(c->text, PTO_PROFILE_PTX);
    for (unsigned k = 0; k < 3; k++) {
        const char name[] = {'%', 'm', (char)('0' + k), 0};
        bind_array(p, name, PTO_B8, input[k], c->bits >> k);
    }
    if (lane_bits == 64) bind_array(p, "%w", PTO_S64, &zero, 1);
    run_lanes(p, lanes);
    for (size_t i = 3; i < c->count; i++) check_mask(p, c, i);
    pto_program_free(p);
}

static void chains(void **state) {
    static struct chain c;
    (void)state;
    rng_start(&c.rng, "images");
    for (size_t i = 0; i < 400; i++) check_chain(&c, 2 + rng_below(&c.rng, 180), 32);
    for (size_t i = 0; i < 100; i++) check_chain(&c, 2 + rng_below(&c.rng, 90), 64);
    for (size_t i = 0; i < 20; i++) check_chain(&c, 2048 + rng_below(&c.rng, 200), 32);
}

/* ---- right values ---- */

static void check_text(const char *text, const unsigned char *wanted, size_t n, size_t lanes) {
    pto_program *p = program_of(text, PTO_PROFILE_PTX);
    run_lanes(p, lanes);
    check_value(p, "%r", PTO_B8, wanted, n);
    pto_program_free(p);
}

#define ALL32 "%all = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n"
#define TO32  " : !pto.mask<b32> -> !pto.mask<b32>\n"

static void packed_and_back(void **state) {
    unsigned char on[64], half[64];
    (void)state;
    memset(on, 1, sizeof on);
    for (size_t i = 0; i < sizeof half; i++) half[i] = i < 32;
    check_text(ALL32 "%p = pto.ppack %all, \"LOWER\"" TO32 "%r = pto.punpack %p, \"LOWER\"" TO32, on, 64, 64);
    check_text(ALL32 "%r = pto.ppack %all, \"LOWER\"" TO32, half, 64, 64);
    check_text(ALL32 "%p = pto.ppack %all, \"HIGHER\"" TO32 "%q = pto.pand %p, %p\n"
                     "%r = pto.punpack %q, \"HIGHER\"" TO32,
               on, 64, 64);
}

static void image_bits_of_other_lanes(void **state) {
    unsigned char on[128], odd[128];
    (void)state;
    memset(on, 1, sizeof on);
    for (size_t i = 0; i < sizeof odd; i++) odd[i] = i % 2;
    check_text("%all = pto.pset_b16 \"PAT_ALL\" : !pto.mask<b16>\n"
               "%w = pto.pbitcast %all : !pto.mask<b16> -> !pto.mask<b32>\n"
               "%r = pto.pbitcast %w : !pto.mask<b32> -> !pto.mask<b16>\n",
               on, 128, 64);
    check_text(ALL32 "%n = pto.pnot %all : !pto.mask<b32> -> !pto.mask<b32>\n"
                     "%r = pto.pbitcast %n : !pto.mask<b32> -> !pto.mask<b16>\n",
               odd, 128, 64);
}

static void governed_not_has_no_other_bits(void **state) {
    const unsigned char off[128] = {0};
    (void)state;
    check_text(ALL32 "%n = pto.pnot %all, %all : !pto.mask<b32>, !pto.mask<b32> -> !pto.mask<b32>\n"
                     "%r = pto.pbitcast %n : !pto.mask<b32> -> !pto.mask<b16>\n",
               off, 128, 64);
}

int main(int argc, char **argv) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_and_back),
        cmocka_unit_test(image_bits_of_other_lanes),
        cmocka_unit_test(governed_not_has_no_other_bits),
        cmocka_unit_test(chains),
    };
    const int status = harness_start(argc, argv);
    if (status) return status;
    return harness_end(cmocka_run_group_tests_name("pto_images", tests, NULL, NULL));
}
