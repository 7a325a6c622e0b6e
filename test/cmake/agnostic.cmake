# SPDX-License-Identifier: MIT
#
# Tests of src/agnostic, the backend for vectors of any length, which replaces neon in this build. They run the groups
# for which it has loops, at several vector lengths. Included by CMakeLists.txt. A vector of 48 bytes has 6 lanes of
# 64 bits, so it ends within a byte of a mask, and 64 lanes are not a whole number of vectors.

set(agnostic_tests
    compare "compare plans" select "select plans" vsels mask errors fpstate setp set choose setcc ptx_errors ptx_fpstate)

function(pto_agnostic_test name)
    foreach(bytes 16 32 48 64 256)
        pto_test(${name}.agnostic-${bytes} ${ARGN})
        set_tests_properties(${name}.agnostic-${bytes} PROPERTIES LABELS agnostic)
        set_property(TEST ${name}.agnostic-${bytes} APPEND PROPERTY ENVIRONMENT PTO_AGNOSTIC_BYTES=${bytes})
    endforeach()
endfunction()

foreach(test ${agnostic_tests})
    separate_arguments(test)
    list(POP_FRONT test group)
    string(JOIN _ name ${group} ${test})
    pto_agnostic_test(${name} test_checks ${group} neon ${test})
endforeach()
pto_agnostic_test(seeds test_seeds neon)

# Checks that this backend runs and uses the length: it must reject a length that no vector can have.
pto_test(length.agnostic test_checks compare neon)
set_tests_properties(length.agnostic PROPERTIES LABELS agnostic PASS_REGULAR_EXPRESSION "PTO_AGNOSTIC_BYTES is to be")
set_property(TEST length.agnostic APPEND PROPERTY ENVIRONMENT PTO_AGNOSTIC_BYTES=7)
