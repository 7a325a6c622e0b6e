# SPDX-License-Identifier: MIT
#
# Toolchain for 32-bit Arm (Armv7 with NEON) with Debian's cross compiler; programs are run by qemu-user. gcc computes
# vectors of integers with NEON, but not those of floats: 32-bit NEON flushes subnormals.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_C_FLAGS_INIT -mfpu=neon)
set(CMAKE_CXX_COMPILER NOTFOUND) # the headers as C++ are tested elsewhere
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabihf)

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only} /usr/arm-linux-gnueabihf)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
