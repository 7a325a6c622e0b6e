# SPDX-License-Identifier: MIT
#
# RVV has registers of 128 bits and more: the tests of what src/rvv has loops for, at several lengths, which qemu-user's CPU
# has by the environment variable QEMU_CPU. A CPU of silicon has one length, and skips the others. The tests of all
# instruction sets, such as compare.rvv, run at the length that the machine has, or the preset asks for: 128 bits. All
# lengths in full, in hours under an emulator: PTO_TEST_QUICK= ctest -L rvv. Lanes of no value, beyond the last one or masked
# off, keep what they had or become all ones, as a CPU likes: with 256 and 512 bits they become ones.

function(pto_rvv_test name bits labels)
    math(EXPR bytes "${bits} / 8")
    set(cpu rv64,v=true,vext_spec=v1.0,vlen=${bits})
    if(bits MATCHES "256|512")
        string(APPEND cpu ,rvv_ta_all_1s=true,rvv_ma_all_1s=true)
    endif()
    pto_test(${name}.rvv-${bits} ${ARGN})
    set_property(TEST ${name}.rvv-${bits} APPEND PROPERTY ENVIRONMENT QEMU_CPU=${cpu} PTO_TEST_RVV_BYTES=${bytes})
    set_tests_properties(${name}.rvv-${bits} PROPERTIES LABELS "${labels}" TIMEOUT 7200)
endfunction()

# What has loops of its own runs at 256 and 1024 bits always. In full runs alone: what is put together from them, and what
# has lanes that the compiler sets, which are as many at every length.
set(rvv_groups compare select vsels maxmin mask fpstate choose setcc ptx_fpstate cvt cvt_fpstate vcvt vcvt_fpstate random
    block block_fpstate)
if(PTO_SLEEF_RVV)
    list(APPEND rvv_groups vexp)
endif()
foreach(bits 128 256 512 1024)
    set(labels "rvv;exhaustive")
    foreach(group set setp sampled.block)
        pto_rvv_test(${group} ${bits} "${labels}" test_checks ${group} rvv)
    endforeach()
    if(bits MATCHES "256|1024")
        set(labels rvv)
    endif()
    foreach(group ${rvv_groups})
        pto_rvv_test(${group} ${bits} "${labels}" test_checks ${group} rvv)
    endforeach()
    pto_rvv_test(f16 ${bits} "${labels}" test_checks f16 rvv 257)
    pto_rvv_test(bf16 ${bits} "${labels}" test_checks bf16 rvv 257)
    pto_rvv_test(seeds ${bits} "${labels}" test_seeds rvv)
endforeach()

# An emulated CPU without V, which ends a program at the first instruction of it.
if(CMAKE_CROSSCOMPILING_EMULATOR)
    pto_test(isa.without-rvv test_isa)
    pto_test(compare.without-rvv test_checks compare)
    set_property(TEST isa.without-rvv compare.without-rvv APPEND PROPERTY ENVIRONMENT QEMU_CPU=rv64,v=false)
    set_tests_properties(isa.without-rvv compare.without-rvv PROPERTIES LABELS rvv)
endif()
include(cmake/zvfh.cmake)
