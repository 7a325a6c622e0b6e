# SPDX-License-Identifier: MIT
#
# The ordinary x86-64 build, run on an emulated CPU of 2003 that has SSE3 and nothing later: an instruction that
# leaks out of a backend's folder into code that every CPU runs is an illegal one there.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu Opteron_G1)
