# SPDX-License-Identifier: MIT
#
# Toolchain that runs the ordinary x86-64 build on an emulated CPU of 2003, which has nothing later than SSE3. Code that
# every CPU runs must not contain an instruction from a backend's folder; on this CPU it would be illegal.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-x86_64 -cpu Opteron_G1)
