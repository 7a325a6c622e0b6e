# SPDX-License-Identifier: MIT
#
# Toolchain of `zig cc`, which has the C library's headers and stubs of many systems: -DPTO_ZIG_TARGET=aarch64-macos.
# It uses zig in build/zig: `./run test cross` installs it there, or make an environment of Python there, and install
# tools/requirements/zig.txt with pip.
set(PTO_ZIG_TARGET "" CACHE STRING "What to compile for: processor-system-libc, such as aarch64-macos")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PTO_ZIG_TARGET)
string(REGEX MATCH "^([^-]+)-([^-]+)" found "${PTO_ZIG_TARGET}")
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
set(system_macos Darwin)
set(system_freebsd FreeBSD)
set(system_linux Linux)
set(CMAKE_SYSTEM_NAME ${system_${CMAKE_MATCH_2}})

# CMake's variables name programs without arguments, so each subcommand of zig needs a script. zig refuses extensions of
# Arm in -march; it has names of its own for them in -mcpu, whose `baseline` is the processor that it compiles for.
file(GLOB zig ${CMAKE_CURRENT_LIST_DIR}/../build/zig/lib/python*/site-packages/ziglang/zig)
set(wrappers ${CMAKE_CURRENT_LIST_DIR}/../build/zig/bin)
set(script_cc [=[
for word; do
    shift
    case $word in
    -march=armv8-a+*) word=-mcpu=baseline+${word#*+} ;;
    -march=armv8.2-a+fp16) word=-mcpu=baseline+v8_2a+fullfp16 ;;
    -march=armv8.2-a+*) word=-mcpu=baseline+v8_2a+${word#*+} ;;
    esac
    set -- "$@" "$word"
done
]=])
foreach(tool cc ar ranlib)
    file(CONFIGURE OUTPUT ${wrappers}/zig-${tool} @ONLY
        CONTENT "#!/bin/sh\n${script_${tool}}exec ${zig} ${tool} \"$@\"\n")
    file(CHMOD ${wrappers}/zig-${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
set(CMAKE_C_COMPILER ${wrappers}/zig-cc)
set(CMAKE_C_COMPILER_TARGET ${PTO_ZIG_TARGET})
set(CMAKE_AR ${wrappers}/zig-ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${wrappers}/zig-ranlib CACHE FILEPATH "")
set(CMAKE_CXX_COMPILER NOTFOUND) # the headers as C++ are tested elsewhere
set(CMAKE_INSTALL_NAME_TOOL true CACHE FILEPATH "") # zig has none; only `cmake --install` needs it
set(CMAKE_OSX_DEPLOYMENT_TARGET 11.0 CACHE STRING "")
if(CMAKE_SYSTEM_NAME STREQUAL Darwin)
    # On other systems CMake takes macOS for older than 10.5, which had no @rpath.
    file(CONFIGURE OUTPUT ${wrappers}/rules.cmake CONTENT "set(CMAKE_SHARED_LIBRARY_RUNTIME_C_FLAG -Wl,-rpath,)\n")
    set(CMAKE_USER_MAKE_RULES_OVERRIDE ${wrappers}/rules.cmake)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/header_only.cmake)
set(CMAKE_FIND_ROOT_PATH ${pto_header_only})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
