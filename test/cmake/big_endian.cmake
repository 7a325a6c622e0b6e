# SPDX-License-Identifier: MIT
# cmake -DCLANG=... -DTARGET=... -DSOURCE=... -DBUILD=... -P cmake/big_endian.cmake
# Checks that libpto refuses to be configured for a big-endian target, such as s390x-linux-gnu, with one clear error. clang
# needs no C library to configure, because nothing is linked.

file(REMOVE_RECURSE ${BUILD})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja -DCMAKE_SYSTEM_NAME=Linux
    -DCMAKE_C_COMPILER=${CLANG} -DCMAKE_C_COMPILER_TARGET=${TARGET} -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
    -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF -DPTO_SLEEF=OFF -DPTO_PROGRAM=OFF -DPTO_COMMAND=OFF
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
if(result EQUAL 0)
    message(FATAL_ERROR "libpto was configured for ${TARGET}")
endif()
string(REGEX MATCHALL "CMake Error" count "${errors}")
list(LENGTH count count)
if(NOT count EQUAL 1 OR NOT errors MATCHES "libpto is for little-endian processors")
    message(FATAL_ERROR "not the one error that was expected, but ${count}:\n${output}${errors}")
endif()
