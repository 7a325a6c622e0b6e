# SPDX-License-Identifier: MIT
#
# Toolchain for WebAssembly with SIMD128, on Debian's clang 14 and wasi-libc; programs are run by node. The generic
# backend's vectors of 16 bytes are then those of SIMD128.
set(CMAKE_SYSTEM_NAME Generic) # CMake 3.21 has no platform WASI
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
find_program(CMAKE_AR NAMES llvm-ar-14 llvm-ar REQUIRED) # binutils' ar writes no index of WebAssembly's symbols
find_program(CMAKE_RANLIB NAMES llvm-ranlib-14 llvm-ranlib REQUIRED)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_FLAGS_INIT -msimd128)
# By default the stack has 64 KiB, and overwrites variables if it overflows. With --stack-first it lies at the start of
# memory, where an overflow traps.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=1048576 -Wl,--stack-first")
set(CMAKE_CXX_COMPILER NOTFOUND) # the headers as C++ are tested elsewhere
# When its threads collect garbage, node 20.20.2 sometimes crashes after the end of a program that uses much memory
# (choose.generic); with --single-threaded-gc it does not.
set(CMAKE_CROSSCOMPILING_EMULATOR
    node --no-warnings --single-threaded-gc --experimental-wasi-unstable-preview1 ${CMAKE_CURRENT_LIST_DIR}/../tools/run_wasi.mjs)

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only} /usr/lib/wasm32-wasi /usr/include/wasm32-wasi)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
