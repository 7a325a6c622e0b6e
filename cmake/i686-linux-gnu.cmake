# SPDX-License-Identifier: MIT
#
# Toolchain for 32-bit x86 with Debian's cross compiler. The kernel runs the programs if it supports them, otherwise
# qemu-user does.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER NOTFOUND) # the headers as C++ are tested elsewhere
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386 -L /usr/i686-linux-gnu)
execute_process(COMMAND /usr/i686-linux-gnu/lib/ld-linux.so.2 --version
    RESULT_VARIABLE not_taken OUTPUT_QUIET ERROR_QUIET)
if(NOT not_taken)
    # Programs find libpto through the run path that CMake sets, and the C library through this.
    set(CMAKE_CROSSCOMPILING_EMULATOR /usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only} /usr/i686-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
