# SPDX-License-Identifier: MIT
#
# Tests AVX-512's comparisons and maxima with AVX512-FP16 on any CPU with AVX-512. The library is unchanged except for
# two files: src/avx512/fp16.c is compiled with the emulated intrinsics of fp16/intrinsics.h, and fp16/instructions.c
# replaces the check for AVX512-FP16. On CPUs that have it, compare.avx512 and the other tests run the real
# instructions. Included by CMakeLists.txt.

set(fp16_groups compare fpstate setp set choose maxmin maxmin_fpstate rows split threads ptx_fpstate)
set(fp16_planned compare setp set choose maxmin ptx_fpstate)
set(fp16_sweeps f16 bf16 setp.f16 setp.bf16 maxmin.f16)

if(NOT PTO_BUILD_AVX512_FP16)
    foreach(group ${fp16_groups} kernels)
        pto_test_missing(${group}.avx512-fp16 "no AVX512-FP16 known to the compiler, or another processor")
    endforeach()
    return()
endif()

add_library(pto_fp16 OBJECT ${PROJECT_SOURCE_DIR}/src/avx512/fp16.c ${PROJECT_SOURCE_DIR}/src/dispatch/cpu.c fp16/instructions.c)
target_include_directories(pto_fp16 PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(pto_fp16 PRIVATE ${pto_test_warnings} ${pto_exact_flags} ${pto_target_flags})
set_target_properties(pto_fp16 PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/avx512/fp16.c PROPERTIES COMPILE_OPTIONS
    "${avx512_flags};-include;${CMAKE_CURRENT_SOURCE_DIR}/fp16/intrinsics.h")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/dispatch/cpu.c PROPERTIES
    COMPILE_DEFINITIONS pto_cpu_has_variant=pto_cpu_itself_has_variant)
set_source_files_properties(fp16/instructions.c PROPERTIES COMPILE_OPTIONS "-O2;-include;dispatch/cpu.h")

# Adds a test program with these objects, which replace those of the library.
function(pto_fp16_executable name)
    pto_test_executable(${name} ${ARGN} $<TARGET_OBJECTS:pto_fp16>
        "$<FILTER:$<TARGET_OBJECTS:pto_objects>,EXCLUDE,(avx512/fp16|dispatch/cpu)[.]c>")
    target_link_libraries(${name} PRIVATE ${pto_fenv_library} $<$<BOOL:${PTO_SLEEF}>:${SLEEF_LIBRARY}>)
endfunction()

pto_fp16_executable(test_checks_fp16 suite/test_checks.c)
foreach(group ${fp16_groups})
    pto_test(${group}.avx512-fp16 test_checks_fp16 ${group} avx512)
endforeach()
foreach(group ${fp16_planned})
    pto_test(${group}_plans.avx512-fp16 test_checks_fp16 ${group} avx512 plans)
endforeach()
foreach(sweep ${fp16_sweeps})
    pto_test(sampled.${sweep}.avx512-fp16 test_checks_fp16 ${sweep} avx512 257)
    pto_test(exhaustive.${sweep}.avx512-fp16 test_checks_fp16 ${sweep} avx512 1)
    set_tests_properties(exhaustive.${sweep}.avx512-fp16 PROPERTIES LABELS exhaustive TIMEOUT 36000)
endforeach()

pto_fp16_executable(test_fp16 suite/test_fp16.c)
pto_test(kernels.avx512-fp16 test_fp16 avx512)
