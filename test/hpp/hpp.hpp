/* SPDX-License-Identifier: MIT */
/** @file hpp.hpp Shared code of the tests of pto.hpp, which compare each call with the C call of its name. */
#ifndef PTO_TEST_HPP_HPP
#define PTO_TEST_HPP_HPP

#include <pto/pto.hpp>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

/** Counts an expectation. If `holds` is false, prints `what` with file and line. */
void expect(bool holds, const char *what, int line = __builtin_LINE(), const char *file = __builtin_FILE());

/** Expects that the C call that computes the expected result returned PTO_OK. */
inline void expect_ok(pto_status status, int line = __builtin_LINE(), const char *file = __builtin_FILE()) {
    expect(status == PTO_OK, pto_strerror(status), line, file);
}

/** Expects that the call throws a pto::error with status `want`. */
template <class Call>
void expect_error(pto_status want, Call call, int line = __builtin_LINE(),
                  const char *file = __builtin_FILE()) {
    try {
        call();
        expect(false, "nothing was thrown", line, file);
    } catch (const pto::error &e) {
        expect(e.status() == want, e.what(), line, file);
    }
}

/** Expects that the call throws a pto::error whose what() is `want`. */
template <class Call>
void expect_text(const char *want, Call call, int line = __builtin_LINE(),
                 const char *file = __builtin_FILE()) {
    try {
        call();
        expect(false, "nothing was thrown", line, file);
    } catch (const pto::error &e) {
        expect(std::strcmp(e.what(), want) == 0, e.what(), line, file);
    }
}

/** Returns whether a and b have the same size and bits. */
template <class R> bool same(const R &a, const R &b) {
    return std::size(a) == std::size(b) &&
           std::memcmp(std::data(a), std::data(b), std::size(a) * sizeof *std::data(a)) == 0;
}

/** Returns n values, with a NaN, infinities, zeros and a subnormal among them. */
std::vector<float> numbers(std::size_t n, unsigned seed);

/** Returns n pseudo-random bytes. */
std::vector<std::uint8_t> noise(std::size_t n, unsigned seed);

void test_compare();
void test_select();
void test_maxmin();
void test_masks();
void test_registers();
void test_flags();
void test_convert();
void test_cast();
void test_vcvt();
void test_random();
void test_block();
void test_text();
void test_forms();
void test_plans();
void test_types();

#endif
