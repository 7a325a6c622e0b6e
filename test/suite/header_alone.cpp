/* SPDX-License-Identifier: MIT */
/* Compiled once for each public header. Shows that the header needs no include before it and may be included twice. */
#include PTO_TEST_HEADER
#include PTO_TEST_HEADER /* NOLINT(readability-duplicate-include): once more, on purpose */

extern int pto_test_header_alone;
int pto_test_header_alone;
