# SPDX-License-Identifier: MIT
#
# SVE has vectors of 16 to 256 bytes. The tests of the loops of src/sve run at several lengths, which
# PTO_TEST_SVE_BYTES sets for the harness. They are skipped if the CPU or the emulator does not have the length. A
# vector of 48 bytes has 6 lanes of 64 bits, and its masks are not a whole number of words.
# All lengths in full, which takes hours under an emulator: PTO_TEST_QUICK= ctest -L sve.

set(sve_tests
    compare select vsels permute move argmax testp mask fpstate setp set choose setcc ptx_fpstate "f16 257" "bf16 257"
    maxmin maxmin_fpstate cvt cvt_fpstate sampled.cvt vcvt vcvt_fpstate
    sampled.vcvt cast random vexp block block_fpstate sampled.block)
set(sve_lengths 16 64 256)
set(sve_more_lengths 32 48 128)

function(pto_sve_test name)
    foreach(bytes ${sve_lengths} ${sve_more_lengths})
        pto_test(${name}.sve-${bytes} ${ARGN})
        set_property(TEST ${name}.sve-${bytes} APPEND PROPERTY ENVIRONMENT PTO_TEST_SVE_BYTES=${bytes})
        if(bytes IN_LIST sve_lengths)
            set_tests_properties(${name}.sve-${bytes} PROPERTIES LABELS sve)
        else()
            set_tests_properties(${name}.sve-${bytes} PROPERTIES LABELS "sve;exhaustive")
        endif()
        set_tests_properties(${name}.sve-${bytes} PROPERTIES TIMEOUT 7200)
    endforeach()
endfunction()

foreach(test ${sve_tests})
    separate_arguments(test)
    list(POP_FRONT test group)
    pto_sve_test(${group} test_checks ${group} sve ${test})
endforeach()
pto_sve_test(seeds test_seeds sve)
