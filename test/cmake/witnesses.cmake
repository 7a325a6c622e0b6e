# SPDX-License-Identifier: MIT
#
# Finds NVIDIA's assembler, compiler and headers: those that `./run witnesses` installed, otherwise the machine's
# CUDA. Included by cmake/ptx.cmake. Sets PTXAS, NVCC and CUDA_INCLUDE_DIR, or leaves them false.

set(PTO_WITNESSES ${PROJECT_SOURCE_DIR}/build/witnesses CACHE PATH "What ./run witnesses installed; empty: not to look")
mark_as_advanced(PTO_WITNESSES)

# Ordinary variables hide the cache entries of an earlier run without that folder.
set(installed ${PTO_WITNESSES}/nvidia/cu13)
if(PTO_WITNESSES AND EXISTS ${PTO_WITNESSES}/complete)
    set(PTXAS ${installed}/bin/ptxas)
    set(NVCC ${installed}/bin/nvcc)
    set(CUDA_INCLUDE_DIR ${installed}/include)
else()
    find_program(PTXAS ptxas HINTS /usr/local/cuda/bin)
    find_program(NVCC nvcc HINTS /usr/local/cuda/bin)
    find_path(CUDA_INCLUDE_DIR cuda_bf16.h HINTS /usr/local/cuda/include)
    mark_as_advanced(PTXAS NVCC CUDA_INCLUDE_DIR)
endif()
if(NOT CMAKE_CROSSCOMPILING)
    message(STATUS "Witnesses: ${PTXAS}, ${NVCC}, ${CUDA_INCLUDE_DIR}")
endif()
