# SPDX-License-Identifier: MIT
#
# Tests of cvt. Included by CMakeLists.txt, after cmake/ptx.cmake.

# The table of legal forms, from JSON to C.
set(cvt_json ${CMAKE_CURRENT_SOURCE_DIR}/data/cvt_legal.json)
set(cvt_inc ${CMAKE_CURRENT_BINARY_DIR}/cvt_forms.inc)
add_custom_command(OUTPUT ${cvt_inc}
    COMMAND ${CMAKE_COMMAND} -DJSON=${cvt_json} -DOUT=${cvt_inc} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/cvt_forms.cmake
    DEPENDS ${cvt_json} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/cvt_forms.cmake VERBATIM)
target_sources(pto_test_support PRIVATE ${cvt_inc}
    support/cvt_forms.c support/cvt_examples.c model/model_cvt.c model/model_cvt_legal.c support/cvt_values.c support/cvt_bench.c check/check_cvt.c
    check/check_cvt_status.c check/check_cvt_fpstate.c check/check_cvt_text.c check/check_cvt_sweep.c)
# The model does most of the work and is not what is tested: fast in every build.
set_source_files_properties(model/model_cvt.c support/cvt_values.c support/cvt_bench.c PROPERTIES COMPILE_OPTIONS -O2)

foreach(group model_cvt cvt_text)
    pto_test_executable(test_${group} suite/test_${group}.c)
    pto_test(${group} test_${group})
endforeach()
set_source_files_properties(suite/test_model_cvt.c PROPERTIES COMPILE_OPTIONS "-frounding-math")

foreach(group cvt cvt_errors cvt_fpstate)
    pto_test_executable(test_${group} suite/test_${group}.c)
    pto_test_per_isa(${group} test_${group})
endforeach()
pto_test_per_isa(cvt_plans test_cvt plans)

# ---- every f32: sampled always; under the label `exhaustive` all, a part of the operations at a time ----

pto_test_executable(test_cvt_sweep suite/test_cvt_sweep.c)
pto_test_per_isa(sampled.cvt test_cvt_sweep)
set(cvt_parts 16)
foreach(part RANGE 1 ${cvt_parts})
    math(EXPR number "${part} - 1")
    pto_test(exhaustive.cvt.model.${part} test_cvt_sweep scalar model 1 ${number} ${cvt_parts})
    set_tests_properties(exhaustive.cvt.model.${part} PROPERTIES LABELS exhaustive TIMEOUT 14400)
    foreach(isa ${PTO_TEST_ISAS})
        if(isa STREQUAL scalar)
            continue() # the others are compared with it
        endif()
        pto_test(exhaustive.cvt.${isa}.${part} test_cvt_sweep ${isa} backend 1 ${number} ${cvt_parts})
        set_tests_properties(exhaustive.cvt.${isa}.${part} PROPERTIES LABELS exhaustive TIMEOUT 14400)
    endforeach()
endforeach()

# ---- NVIDIA's assembler, where it is installed ----

if(PTXAS AND NOT CMAKE_CROSSCOMPILING)
    pto_test_executable(test_ptxas_cvt witness/test_ptxas_cvt.c)
    pto_test(witness.ptxas_cvt test_ptxas_cvt ${PTXAS})
else()
    pto_test_missing(witness.ptxas_cvt "no ptxas to ask")
endif()

include(cmake/cvt_witness.cmake OPTIONAL)
