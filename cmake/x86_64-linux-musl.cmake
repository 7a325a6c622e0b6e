# SPDX-License-Identifier: MIT
#
# Toolchain for musl on x86-64 with Debian's musl-tools, whose musl-gcc is the native gcc with musl's headers and
# libraries. The programs run on this system.
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_CXX_COMPILER NOTFOUND) # musl-gcc compiles no C++

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only} /usr/lib/x86_64-linux-musl)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
