# SPDX-License-Identifier: MIT
#
# Tests of pto::program. Included by CMakeLists.txt.

file(GLOB program_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/program/*.c)
list(FILTER program_tests EXCLUDE REGEX "/(test_)?pto_[a-z]*\\.c$") # those of program/pto.cmake
pto_test_executable(test_program ${program_tests})
target_link_libraries(test_program PRIVATE pto::program)
set_source_files_properties(program/example.c PROPERTIES COMPILE_DEFINITIONS "PTO_TEST_CORPUS=\"${CMAKE_CURRENT_SOURCE_DIR}/program/corpus\"")
# The model of arithmetic does most of the work.
set_source_files_properties(program/exact.c PROPERTIES COMPILE_OPTIONS -O2)
pto_test_per_isa(program test_program)

if(PTXAS AND NOT CMAKE_CROSSCOMPILING)
    pto_test_executable(test_ptxas_program witness/test_ptxas_program.c witness/ptxas.c witness/fold.c
        program/example.c)
    target_link_libraries(test_ptxas_program PRIVATE pto::program)
    pto_test(witness.ptxas_program test_ptxas_program ${PTXAS})
else()
    pto_test_missing(witness.ptxas_program "no ptxas to ask")
endif()
