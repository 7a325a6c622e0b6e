# SPDX-License-Identifier: MIT
#
# ptx_digest, which computes the digests of docs/digests.md on a GPU. Included by cmake/cvt_witness.cmake, which has
# the list of instructions.
#
#   cmake --build build/gpu --target gpu    for the GPU of -DPTO_GPU

if(NOT TARGET pto_digest_parts OR NOT PTO_XXHASH)
    pto_test_missing(truth.digest "no command pto, or no xxHash")
    return()
endif()

# All parts except the GPU code.
add_library(pto_ptx_digest STATIC ${pto_tools}/ptx_digest.c ${pto_tools}/ptx_list.c ${truth_inc})
target_include_directories(pto_ptx_digest PUBLIC ${pto_tools} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
target_compile_options(pto_ptx_digest PRIVATE ${pto_test_warnings})
target_link_libraries(pto_ptx_digest PUBLIC pto_digest_parts)
set_target_properties(pto_ptx_digest PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)

# ---- with libpto instead of a GPU ----

pto_test_executable(test_ptx_digest truth/test_ptx_digest.c truth/ptx_cpu.c truth/ptx_text.c)
target_link_libraries(test_ptx_digest PRIVATE pto_ptx_digest)
pto_test(truth.digest test_ptx_digest ${PROJECT_SOURCE_DIR}/docs/digests.jsonl)
set_tests_properties(truth.digest PROPERTIES LABELS truth)
add_test(NAME exhaustive.truth.digest COMMAND test_ptx_digest ${PROJECT_SOURCE_DIR}/docs/digests.jsonl whole)
set_tests_properties(exhaustive.truth.digest PROPERTIES LABELS exhaustive TIMEOUT 3600)

# The program itself. test/command compares its lines with those of pto digest.
add_executable(ptx_digest_without_gpu ${pto_tools}/ptx_digest_main.c truth/ptx_cpu.c truth/ptx_text.c)
target_include_directories(ptx_digest_without_gpu PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(ptx_digest_without_gpu PRIVATE ${pto_test_warnings})
target_compile_definitions(ptx_digest_without_gpu PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(ptx_digest_without_gpu PRIVATE pto_ptx_digest)
target_link_options(ptx_digest_without_gpu PRIVATE ${pto_exact_link_flags})
set_target_properties(ptx_digest_without_gpu PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)

# ---- for a GPU ----

if(NOT NVCC OR CMAKE_CROSSCOMPILING)
    return()
endif()

set(PTO_GPU native CACHE STRING "What ptx_digest is compiled for: -arch of nvcc, such as sm_90 or sm_100a")

# Sets `result` to the command that compiles the program for an architecture and links the library.
function(ptx_digest_command arch program result)
    set(${result} ${NVCC} -std=c++17 -O2 -arch=${arch} -I${CMAKE_CURRENT_BINARY_DIR} -o ${program} ${pto_tools}/ptx_gpu.cu
        $<TARGET_FILE:pto_ptx_digest_main> $<TARGET_FILE:pto_ptx_digest> $<TARGET_FILE:pto_digest_parts>
        $<TARGET_FILE:pto::static> -lm PARENT_SCOPE)
endfunction()

add_library(pto_ptx_digest_main STATIC ${pto_tools}/ptx_digest_main.c)
target_compile_options(pto_ptx_digest_main PRIVATE ${pto_test_warnings})
target_compile_definitions(pto_ptx_digest_main PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(pto_ptx_digest_main PRIVATE pto_ptx_digest)
set_target_properties(pto_ptx_digest_main PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)

ptx_digest_command(${PTO_GPU} ${CMAKE_CURRENT_BINARY_DIR}/ptx_digest command)
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/ptx_digest COMMAND ${command}
    DEPENDS ${pto_tools}/ptx_gpu.cu ${pto_tools}/ptx_device.cuh ${pto_tools}/ptx_chip.h ${pto_tools}/ptx_operands.h
        ${pto_tools}/ptx_statements.h ${pto_tools}/truth_inputs.h ${truth_inc} pto_ptx_digest_main pto_ptx_digest
        pto_digest_parts pto::static
    VERBATIM)
add_custom_target(gpu DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/ptx_digest)
add_dependencies(gpu pto_command) # for `pto diff`, which compares the digests of ptx_digest
