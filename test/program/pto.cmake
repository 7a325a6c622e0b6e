# SPDX-License-Identifier: MIT
# Tests of programs in PTO's text: their results on each ISA, and the error messages of invalid ones.

if(PTO_PROGRAM)
    foreach(name pto_examples pto_programs pto_errors)
        pto_test_executable(test_${name} program/test_${name}.c program/pto_running.c)
        target_link_libraries(test_${name} PRIVATE pto::program)
        target_compile_definitions(test_${name} PRIVATE $<$<NOT:$<BOOL:${PTO_SLEEF}>>:PTO_NO_VMATH>)
    endforeach()
    pto_test_per_isa(pto_examples test_pto_examples)
    pto_test_per_isa(pto_programs test_pto_programs)
    pto_test(pto_errors test_pto_errors)
endif()
