# SPDX-License-Identifier: MIT
#
# 64-bit RISC-V by clang, which has the intrinsics of RVV 1.0, with what Debian's gcc for cross compilation has of a system;
# without clang by that gcc, which has no such intrinsics before gcc 14. Run by qemu-user, whose CPU has vectors where the
# environment variable QEMU_CPU says so.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
find_program(PTO_RISCV64_CC NAMES clang-19 clang-16 riscv64-linux-gnu-gcc REQUIRED)
mark_as_advanced(PTO_RISCV64_CC)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PTO_RISCV64_CC PTO_RISCV64_CXX)
set(CMAKE_C_COMPILER ${PTO_RISCV64_CC})
set(CMAKE_C_COMPILER_TARGET riscv64-linux-gnu) # which clang alone asks for
set(PTO_RISCV64_CXX NOTFOUND CACHE STRING "A compiler of C++, for the bench alone: the headers as C++ are tested elsewhere")
set(CMAKE_CXX_COMPILER ${PTO_RISCV64_CXX})
set(CMAKE_CXX_COMPILER_TARGET riscv64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -L /usr/riscv64-linux-gnu)

set(CMAKE_FIND_ROOT_PATH /usr/riscv64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
