/* SPDX-License-Identifier: MIT */
/** @file hpp.hpp  What the tests of pto.hpp share. A call there is held against the C call of its name. */
#ifndef PTO_TEST_HPP_HPP
#define PTO_TEST_HPP_HPP

#include <pto/pto.hpp>

#include <array>
#include <cstring>
#include <utility>
#include <vector>

/** Counts, and says what is not so and where. */
void expect(bool holds, const char *what, int line = __builtin_LINE(), const char *file = __builtin_FILE());

/** The C call that gives what is expected went well. */
inline void expect_ok(pto_status status, int line = __builtin_LINE(), const char *file = __builtin_FILE()) {
    expect(status == PTO_OK, pto_strerror(status), line, file);
}

/** The call throws a pto::error of this status. */
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

/** The call throws a pto::error whose what() is this text. */
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

/** Bit by bit. */
template <class R> bool same(const R &a, const R &b) {
    return std::size(a) == std::size(b) &&
           std::memcmp(std::data(a), std::data(b), std::size(a) * sizeof *std::data(a)) == 0;
}

/** Numbers of all sorts, a NaN, infinities and zeros among them. */
std::vector<float> numbers(std::size_t n, unsigned seed);

/** Bytes that are nearly random. */
std::vector<std::uint8_t> noise(std::size_t n, unsigned seed);

void test_compare();
void test_select();
void test_maxmin();
void test_masks();
void test_registers();
void test_flags();
void test_convert();
void test_vcvt();
void test_random();
void test_block();
void test_text();
void test_forms();
void test_plans();
void test_types();

#endif
