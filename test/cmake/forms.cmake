# SPDX-License-Identifier: MIT
#
# Converts the table of the PTX versions that introduced each form of cvt from JSON to C. Included by CMakeLists.txt,
# after cmake/cvt.cmake.

set(since_json ${CMAKE_CURRENT_SOURCE_DIR}/data/cvt_since.json)
set(since_inc ${CMAKE_CURRENT_BINARY_DIR}/cvt_since.inc)
pto_test_table(${since_inc} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/cvt_since.cmake "-DJSON=${since_json}" ${since_json})
target_sources(pto_test_support PRIVATE ${since_inc})
