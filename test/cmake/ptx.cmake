# SPDX-License-Identifier: MIT
#
# Tests of setp, set, selp, slct, vcmpsel, the predicate registers, SETcc and the parsers. Included by CMakeLists.txt.

# Converts the table of legal forms from JSON to C.
set(legal_json ${CMAKE_CURRENT_SOURCE_DIR}/data/setp_legal.json)
set(legal_inc ${CMAKE_CURRENT_BINARY_DIR}/legal_table.inc)
pto_test_table(${legal_inc} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/legal_table.cmake
    "-DJSON=${legal_json}" ${legal_json})
target_sources(pto_test_support PRIVATE ${legal_inc})
target_include_directories(pto_test_support PRIVATE ${CMAKE_CURRENT_BINARY_DIR})

# ---- comparisons with other implementations, if they are installed ----

# Adds a test that prints why it cannot run, and shows as skipped.
function(pto_test_missing name what)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${what}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
endfunction()

include(cmake/witnesses.cmake)
include(cmake/block_witness.cmake)
include(cmake/cast_witness.cmake)
include(cmake/safetensors_witness.cmake)

if(PTXAS AND NOT CMAKE_CROSSCOMPILING)
    pto_test_executable(test_ptxas witness/test_ptxas.c witness/ptxas.c)
    pto_test(witness.ptxas test_ptxas ${PTXAS})
    pto_test_executable(test_ptxas_maxmin witness/test_ptxas_maxmin.c witness/ptxas.c witness/fold.c)
    pto_test(witness.ptxas_maxmin test_ptxas_maxmin ${PTXAS})
else()
    pto_test_missing(witness.ptxas "no ptxas to ask")
    pto_test_missing(witness.ptxas_maxmin "no ptxas to ask")
endif()

check_language(CXX)
if(CUDA_INCLUDE_DIR AND CMAKE_CXX_COMPILER AND NOT CMAKE_CROSSCOMPILING)
    enable_language(CXX)
    pto_test_executable(test_cuda_headers witness/test_cuda_headers.cpp)
    target_include_directories(test_cuda_headers SYSTEM PRIVATE ${CUDA_INCLUDE_DIR} ${CUDA_INCLUDE_DIR}/cccl)
    set_target_properties(test_cuda_headers PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
    pto_test(witness.cuda_headers test_cuda_headers)
    pto_test_executable(test_cuda_maxmin witness/test_cuda_maxmin.cpp)
    target_include_directories(test_cuda_maxmin SYSTEM PRIVATE ${CUDA_INCLUDE_DIR} ${CUDA_INCLUDE_DIR}/cccl)
    set_target_properties(test_cuda_maxmin PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
    pto_test(witness.cuda_headers_maxmin test_cuda_maxmin)
    pto_test(exhaustive.cuda_headers_maxmin test_cuda_maxmin all)
    set_tests_properties(exhaustive.cuda_headers_maxmin PROPERTIES LABELS exhaustive TIMEOUT 14400)
else()
    pto_test_missing(witness.cuda_headers_maxmin "no cuda_fp16.h and cuda_bf16.h, or no C++ compiler")
    pto_test_missing(witness.cuda_headers "no cuda_fp16.h and cuda_bf16.h, or no C++ compiler")
endif()

# NVIDIA packs cuRAND separately, so its header may be next to those of CUDA or in another installation.
find_path(CURAND_INCLUDE_DIR curand_kernel.h HINTS ${CUDA_INCLUDE_DIR} PATHS /usr/local/cuda/include)
mark_as_advanced(CURAND_INCLUDE_DIR)
if(CURAND_INCLUDE_DIR AND CMAKE_CXX_COMPILER AND NOT CMAKE_CROSSCOMPILING)
    enable_language(CXX)
    pto_test_executable(test_curand witness/test_curand.cpp)
    target_include_directories(test_curand SYSTEM PRIVATE ${CURAND_INCLUDE_DIR} ${CURAND_INCLUDE_DIR}/cccl)
    set_target_properties(test_curand PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
    pto_test(witness.curand test_curand)
else()
    pto_test_missing(witness.curand "no curand_kernel.h, or no C++ compiler")
endif()

# ---- fuzzing: cmake -DPTO_FUZZ=ON with clang; then fuzz_parse -max_total_time=600 ----

option(PTO_FUZZ "Build the fuzz targets of the text parsers and of programs (clang)" OFF)
if(PTO_FUZZ)
    set(src ${PROJECT_SOURCE_DIR}/src)
    file(GLOB ptx_sources CONFIGURE_DEPENDS ${src}/ptx/*.c)
    add_executable(fuzz_parse suite/fuzz_parse.c model/model_cvt.c model/model_cvt_legal.c model/model_number.c
        ${ptx_sources} ${src}/core/types.c ${src}/core/lowering.c)
    target_link_libraries(fuzz_parse PRIVATE pto::static)
    target_include_directories(fuzz_parse PRIVATE ${src} ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_options(fuzz_parse PRIVATE ${pto_test_warnings} -g -O1 -fsanitize=fuzzer,address,undefined
        -fno-sanitize-recover=all)
    target_link_options(fuzz_parse PRIVATE -fsanitize=fuzzer,address,undefined)
    set_target_properties(fuzz_parse PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
endif()
