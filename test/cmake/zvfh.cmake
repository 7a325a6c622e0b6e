# SPDX-License-Identifier: MIT
#
# Tests RVV's kernels for Zvfh. Systems report Zvfh through riscv_hwprobe. qemu-user 7.2 has no riscv_hwprobe, but it
# has the instructions of Zvfh together with Zfh. The library is unchanged except for the check, which fp16/zvfh.c
# replaces. The tests run only under an emulator. Included by rvv.cmake.

if(NOT PTO_BUILD_RVV_FP16 OR NOT CMAKE_CROSSCOMPILING_EMULATOR)
    pto_test_missing(compare.rvv-fp16 "the compiler does not support Zvfh, or there is no emulator with it")
    return()
endif()

add_library(pto_zvfh OBJECT ${PROJECT_SOURCE_DIR}/src/dispatch/cpu.c fp16/zvfh.c)
target_include_directories(pto_zvfh PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(pto_zvfh PRIVATE ${pto_test_warnings} ${pto_exact_flags} ${pto_target_flags})
set_target_properties(pto_zvfh PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/dispatch/cpu.c PROPERTIES
    COMPILE_DEFINITIONS pto_cpu_has_variant=pto_cpu_itself_has_variant)
set_source_files_properties(fp16/zvfh.c PROPERTIES COMPILE_OPTIONS "-include;dispatch/cpu.h")

pto_test_executable(test_checks_zvfh suite/test_checks.c $<TARGET_OBJECTS:pto_zvfh>
    "$<FILTER:$<TARGET_OBJECTS:pto_objects>,EXCLUDE,dispatch/cpu[.]c>")
target_link_libraries(test_checks_zvfh PRIVATE ${pto_fenv_library} $<$<BOOL:${PTO_SLEEF}>:${SLEEF_LIBRARY}>)

# pto_zvfh_tests BITS TEST...: adds tests with registers of BITS bits.
function(pto_zvfh_tests bits)
    math(EXPR bytes "${bits} / 8")
    foreach(test ${ARGN})
        separate_arguments(test)
        list(POP_FRONT test group)
        pto_test(${group}.rvv-fp16-${bits} test_checks_zvfh ${group} rvv ${test})
        set_property(TEST ${group}.rvv-fp16-${bits} APPEND PROPERTY ENVIRONMENT
            QEMU_CPU=rv64,v=true,vext_spec=v1.0,vlen=${bits},Zfh=true PTO_TEST_RVV_BYTES=${bytes})
        set_tests_properties(${group}.rvv-fp16-${bits} PROPERTIES LABELS rvv TIMEOUT 7200)
    endforeach()
endfunction()

pto_zvfh_tests(128 compare setp set choose fpstate ptx_fpstate maxmin maxmin_fpstate cvt cvt_fpstate sampled.cvt "f16 257"
    "maxmin.f16 257")
pto_zvfh_tests(1024 compare maxmin cvt_fpstate sampled.cvt "f16 257")
