/* SPDX-License-Identifier: MIT */
/* Helpers that run programs, fill inputs and check results. */
#include "program/pto_running.h"

#include "support/cmocka_all.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

/* ---- running ---- */

pto_program *program_of(const char *text, pto_program_profile profile) {
    const pto_program_options options = {.language = PTO_PROGRAM_ANY, .profile = profile};
    pto_program_error error;
    pto_program *p = pto_program_new(text, options, &error);
    if (!p) print_error("%zu:%zu '%s': %s\n", error.line, error.column, error.word, error.text);
    assert_non_null(p);
    return p;
}

void bind_array(pto_program *p, const char *name, pto_dtype type, const void *data, size_t n) {
    assert_status(pto_program_bind(p, name, type, data, n), PTO_OK);
}

void run_lanes(pto_program *p, size_t lanes) {
    const pto_status status = pto_program_run(p, lanes);
    if (status != PTO_OK) print_error("%s: %s\n", pto_program_problem(p)->word, pto_program_problem(p)->text);
    assert_status(status, PTO_OK);
}

const void *value_of(const pto_program *p, const char *name, pto_dtype type, size_t n) {
    const void *data = NULL;
    pto_dtype is;
    size_t count;
    assert_status(pto_program_value(p, name, &is, &data, &count), PTO_OK);
    assert_int_equal(is, type);
    assert_int_equal(count, n);
    return data;
}

void check_value(const pto_program *p, const char *name, pto_dtype type, const void *wanted, size_t n) {
    const unsigned char *is = value_of(p, name, type, n), *should = wanted;
    const size_t bytes = pto_dtype_bits(type) / 8;
    for (size_t i = 0; i < n; i++)
        if (memcmp(is + i * bytes, should + i * bytes, bytes) != 0) {
            print_error("%s, element %zu of %zu differs: %02x.. and not %02x..\n", name, i, n, is[i * bytes],
                        should[i * bytes]);
            fail();
        }
}

/* ---- values ---- */

float bits_f32(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t f32_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

void fill_f32(const char *purpose, float *x, size_t n) {
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                       0x7fc00001, 0xffa00000, 1,          0x80000001};
    struct rng rng;
    rng_start(&rng, purpose);
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = rng_next(&rng);
        x[i] = r % 7 == 0 ? bits_f32(special[r / 7 % 8]) : (float)((double)(r >> 40) / 1048576.0 - 8.0);
    }
}

void fill_bytes(const char *purpose, void *to, size_t bytes) {
    struct rng rng;
    rng_start(&rng, purpose);
    rng_fill(&rng, to, bytes);
}
