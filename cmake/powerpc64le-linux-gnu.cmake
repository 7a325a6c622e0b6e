# SPDX-License-Identifier: MIT
#
# Toolchain for little-endian 64-bit Power with Debian's cross compiler; programs are run by qemu-user. The library
# has no code for this processor, not even for its FP state, so this tests the portable code.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ppc64le)
set(CMAKE_C_COMPILER powerpc64le-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER NOTFOUND) # the headers as C++ are tested elsewhere
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-ppc64le -L /usr/powerpc64le-linux-gnu)

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only} /usr/powerpc64le-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
