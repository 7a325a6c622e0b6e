# SPDX-License-Identifier: MIT
#
# Tests of cvt. Included by CMakeLists.txt, after cmake/ptx.cmake.

# Converts the table of legal forms from JSON to C.
set(cvt_json ${CMAKE_CURRENT_SOURCE_DIR}/data/cvt_legal.json)
set(cvt_inc ${CMAKE_CURRENT_BINARY_DIR}/cvt_forms.inc)
pto_test_table(${cvt_inc} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/cvt_forms.cmake "-DJSON=${cvt_json}" ${cvt_json})
target_sources(pto_test_support PRIVATE ${cvt_inc})
# gcc clears the upper halves of registers only in optimised builds, and not after the code that sanitizers add.
if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    pto_test_executable(test_cvt_upper suite/test_cvt_upper.c)
    pto_test_per_isa(cvt_upper test_cvt_upper)
else()
    pto_test_missing(cvt_upper "no optimised build")
endif()

# ---- ptxas, NVIDIA's assembler, if it is installed ----

if(PTXAS AND NOT CMAKE_CROSSCOMPILING)
    pto_test_executable(test_ptxas_cvt witness/test_ptxas_cvt.c witness/ptxas.c witness/cvt_facts.c)
    target_include_directories(test_ptxas_cvt PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
    pto_test(witness.ptxas_cvt test_ptxas_cvt ${PTXAS})
    pto_test(witness.ptxas_cvt_since test_ptxas_cvt ${PTXAS} since)
else()
    pto_test_missing(witness.ptxas_cvt "no ptxas to ask")
    pto_test_missing(witness.ptxas_cvt_since "no ptxas to ask")
endif()

include(cmake/cvt_witness.cmake)
