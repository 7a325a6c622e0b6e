# SPDX-License-Identifier: MIT
#
# Recomputes docs/digests.jsonl with every backend, at several vector lengths if it has them: a part in every run, all
# of it under the label `exhaustive`. docs/digests.md says how long that takes.

if(NOT TARGET pto_digest_parts OR NOT PTO_XXHASH)
    pto_test_missing(record "no command pto, or no xxHash")
    return()
endif()

pto_test_executable(test_record suite/test_record.c)
target_link_libraries(test_record PRIVATE pto_digest_parts)
set(record ${PROJECT_SOURCE_DIR}/docs/digests.jsonl)

foreach(isa ${PTO_TEST_ISAS})
    pto_test(record.${isa} test_record ${isa} ${record})
    pto_test(exhaustive.record.${isa} test_record ${isa} ${record} whole)
    set_tests_properties(exhaustive.record.${isa} PROPERTIES LABELS exhaustive TIMEOUT 43200)
endforeach()

# Checks that the digests of an H100 are equal to those of the record.
add_test(NAME record.sm_90
    COMMAND ${CMAKE_COMMAND} -DPTO=$<TARGET_FILE:pto_command> "-DEMULATOR=${pto_test_emulator}" -DRECORD=${record}
        -DCHIP=${PROJECT_SOURCE_DIR}/docs/digests-sm_90.jsonl -DOUT=${CMAKE_CURRENT_BINARY_DIR}/digests-sm_90-planted.jsonl
        -P ${CMAKE_CURRENT_SOURCE_DIR}/truth/compare_digests.cmake)
set_tests_properties(record.sm_90 PROPERTIES LABELS once)

# Runs avx512 as on CPUs without AVX512-FP16, VBMI and VBMI2.
pto_test(exhaustive.record.avx512-base test_record avx512 ${record} whole)
set_tests_properties(exhaustive.record.avx512-base PROPERTIES LABELS exhaustive TIMEOUT 43200)
set_property(TEST exhaustive.record.avx512-base APPEND PROPERTY ENVIRONMENT ${pto_avx512_variants_off})

if(PTO_BUILD_SVE)
    pto_sve_test(record test_record sve ${record})
    pto_sve_test(exhaustive.record test_record sve ${record} whole)
    foreach(bytes ${sve_lengths} ${sve_more_lengths})
        set_tests_properties(exhaustive.record.sve-${bytes} PROPERTIES LABELS "sve;exhaustive" TIMEOUT 43200)
    endforeach()
endif()
if(PTO_BUILD_RVV)
    foreach(bits 128 256 512 1024)
        pto_rvv_test(record ${bits} rvv test_record rvv ${record})
        pto_rvv_test(exhaustive.record ${bits} "rvv;exhaustive" test_record rvv ${record} whole)
        set_tests_properties(exhaustive.record.rvv-${bits} PROPERTIES TIMEOUT 43200)
    endforeach()
endif()
