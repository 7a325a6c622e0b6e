# SPDX-License-Identifier: MIT
#
# Toolchain for 64-bit RISC-V. It uses clang, which has the intrinsics of RVV 1.0, with the headers and libraries of
# Debian's cross gcc. Without clang it uses that gcc, which has these intrinsics from gcc 14 on. Programs are run by
# qemu-user, whose CPU has vectors if the environment variable QEMU_CPU enables them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
find_program(PTO_RISCV64_CC NAMES clang-19 clang-16 riscv64-linux-gnu-gcc REQUIRED)
mark_as_advanced(PTO_RISCV64_CC)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PTO_RISCV64_CC PTO_RISCV64_CXX)
set(CMAKE_C_COMPILER ${PTO_RISCV64_CC})
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu) # only used by clang
set(PTO_RISCV64_CXX NOTFOUND CACHE STRING "A compiler of C++, for the bench alone: the headers as C++ are tested elsewhere")
set(CMAKE_CXX_COMPILER ${PTO_RISCV64_CXX})
set(CMAKE_CXX_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -L /usr/riscv64-linux-gnu)

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only} /usr/riscv64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
