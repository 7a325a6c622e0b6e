# SPDX-License-Identifier: MIT
#
# RVV has registers of 128 bits and more. The tests of the loops of src/rvv run at several lengths, which the
# environment variable QEMU_CPU sets for qemu-user's CPU. A real CPU has one length, and skips the others. The tests
# of all backends, such as compare.rvv, run at the length of the machine, or of the preset: 128 bits.
# All lengths in full, which takes hours under an emulator: PTO_TEST_QUICK= ctest -L rvv.
# A CPU may leave tail and masked-off lanes unchanged, or set them to all ones. With 256 and 512 bits qemu sets them
# to ones.

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

# Groups with their own RVV loops run at 256 and 1024 bits in every run, and at other lengths only in full runs. Other
# groups run only in full runs: those that are composed of such loops, and those that use the compiler's vectors, which
# have the same number of lanes at every length.
set(rvv_groups compare select vsels permute move maxmin mask fpstate choose setcc ptx_fpstate cvt cvt_fpstate vcvt
    vcvt_fpstate cast random block block_fpstate)
if(PTO_SLEEF_RVV)
    list(APPEND rvv_groups vexp)
endif()
foreach(bits 128 256 512 1024)
    set(labels "rvv;exhaustive")
    foreach(group set setp testp argmax sampled.block)
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

# An emulated CPU without V, which stops a program at its first V instruction.
if(CMAKE_CROSSCOMPILING_EMULATOR)
    pto_test(isa.without-rvv test_isa)
    pto_test(compare.without-rvv test_checks compare)
    set_property(TEST isa.without-rvv compare.without-rvv APPEND PROPERTY ENVIRONMENT QEMU_CPU=rv64,v=false)
    set_tests_properties(isa.without-rvv compare.without-rvv PROPERTIES LABELS rvv)
endif()
include(cmake/zvfh.cmake)
