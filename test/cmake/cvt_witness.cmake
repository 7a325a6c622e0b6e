# SPDX-License-Identifier: MIT
#
# Compares cvt with CUDA's headers, the CPU's own conversions, APFloat, and files from a GPU. Included by
# cmake/cvt.cmake, after cmake/ptx.cmake, which finds CUDA's headers.

set(pto_tools ${PROJECT_SOURCE_DIR}/tools)

# ---- CUDA's headers, if they are installed ----

if(TARGET test_cuda_headers)
    pto_test_executable(test_cuda_cvt witness/test_cuda_cvt.cpp witness/cuda_rows_16.cpp witness/cuda_rows_small.cpp)
    target_include_directories(test_cuda_cvt PRIVATE ${pto_tools})
    target_include_directories(test_cuda_cvt SYSTEM PRIVATE ${CUDA_INCLUDE_DIR} ${CUDA_INCLUDE_DIR}/cccl)
    set_target_properties(test_cuda_cvt PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
    pto_test(witness.cuda_headers_cvt test_cuda_cvt)
else()
    pto_test_missing(witness.cuda_headers_cvt "no cuda_fp16.h and its kin, or no C++ compiler")
endif()

# ---- the CPU's conversions under the four rounding modes of fenv.h ----

if(PTO_TARGET_WASM)
    pto_test_missing(witness.fenv "WebAssembly has only one rounding mode")
else()
    pto_test_executable(test_fenv_cvt witness/test_fenv_cvt.c)
    target_include_directories(test_fenv_cvt PRIVATE ${pto_tools})
    target_compile_options(test_fenv_cvt PRIVATE -frounding-math)
    pto_test(witness.fenv test_fenv_cvt)
endif()

# ---- LLVM's APFloat, which has all small formats since LLVM 19 ----

find_path(APFLOAT_INCLUDE_DIR llvm/ADT/APFloat.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
find_library(APFLOAT_LIBRARY LLVM-19 PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH)
if(APFLOAT_INCLUDE_DIR AND APFLOAT_LIBRARY AND CMAKE_CXX_COMPILER AND NOT CMAKE_CROSSCOMPILING)
    enable_language(CXX)
    pto_test_executable(test_apfloat witness/test_apfloat.cpp)
    target_include_directories(test_apfloat PRIVATE ${pto_tools})
    target_include_directories(test_apfloat SYSTEM PRIVATE ${APFLOAT_INCLUDE_DIR})
    target_link_libraries(test_apfloat PRIVATE ${APFLOAT_LIBRARY})
    set_target_properties(test_apfloat PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
    pto_test(witness.apfloat test_apfloat)
    set_tests_properties(witness.apfloat PROPERTIES LABELS once)
else()
    pto_test_missing(witness.apfloat "no APFloat of LLVM 19, or no C++ compiler")
endif()

# ---- results from a GPU: the files of tools/ptx_truth.cu that are in truth/, under the label `truth` ----
#
#   ctest -L truth                all special results, all digests of the short forms, one in 5003 of the sums of the long ones
#   ctest -R exhaustive.truth     all of them

set(truth_inc ${CMAKE_CURRENT_BINARY_DIR}/ptx_truth_forms.inc)
set(truth_tables ${CMAKE_CURRENT_SOURCE_DIR}/data/cvt_legal.json ${CMAKE_CURRENT_SOURCE_DIR}/data/cvt_since.json
    ${CMAKE_CURRENT_SOURCE_DIR}/data/setp_legal.json)
pto_test_table(${truth_inc} ${pto_tools}/ptx_truth_forms.cmake
    "-DDATA=${CMAKE_CURRENT_SOURCE_DIR}/data" ${truth_tables})

pto_test_executable(test_truth truth/test_truth.c ${truth_inc})
target_include_directories(test_truth PRIVATE ${pto_tools} ${CMAKE_CURRENT_BINARY_DIR})

# Checks that the reader accepts the files that it wrote, and notices planted errors.
pto_test(truth.reader test_truth self ${CMAKE_CURRENT_BINARY_DIR})

file(GLOB truth_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/truth/*.txt)
list(FILTER truth_files EXCLUDE REGEX "/arithmetic-") # used by test/cmake/program.cmake
if(NOT truth_files)
    pto_test_missing(truth.files "no truth files from a GPU are checked in")
    set_tests_properties(truth.files PROPERTIES LABELS truth)
endif()
foreach(file IN LISTS truth_files)
    get_filename_component(name ${file} NAME_WE)
    pto_test(truth.${name} test_truth ${file} 5003)
    pto_test(exhaustive.truth.${name} test_truth ${file} 1)
    set_tests_properties(truth.${name} PROPERTIES LABELS truth)
    set_tests_properties(exhaustive.truth.${name} PROPERTIES LABELS exhaustive TIMEOUT 36000)
endforeach()
set_tests_properties(truth.reader PROPERTIES LABELS truth)

include(cmake/ptx_digest.cmake)

# ---- the tools compile for targets without the newer forms (sm_90), with them, and with the newest ones ----

# Each test takes about a minute and does not depend on how the library is built. The label is `once`, which the quick
# presets leave out.
set(truth_targets sm_90 sm_100a)
if(PTO_WITNESSES AND EXISTS ${PTO_WITNESSES}/complete) # the machine's own CUDA may be too old for it
    list(APPEND truth_targets sm_107a)
endif()
foreach(target IN LISTS truth_targets)
    if(NVCC AND NOT CMAKE_CROSSCOMPILING)
        pto_test(tools.ptx_truth.${target} ${NVCC} -std=c++17 -O2 -arch=${target} -I${CMAKE_CURRENT_BINARY_DIR}
            -o ${CMAKE_CURRENT_BINARY_DIR}/ptx_truth_${target} ${pto_tools}/ptx_truth.cu)
    else()
        pto_test_missing(tools.ptx_truth.${target} "no nvcc to compile with")
    endif()
    set_tests_properties(tools.ptx_truth.${target} PROPERTIES LABELS "once;matrix")
    if(COMMAND ptx_digest_command)
        ptx_digest_command(${target} ${CMAKE_CURRENT_BINARY_DIR}/ptx_digest_${target} command)
        pto_test(tools.ptx_digest.${target} ${command})
    else()
        pto_test_missing(tools.ptx_digest.${target} "no nvcc to compile with, or no command pto with xxHash")
    endif()
    set_tests_properties(tools.ptx_digest.${target} PROPERTIES LABELS "once;matrix")
endforeach()
