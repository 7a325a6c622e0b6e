# SPDX-License-Identifier: MIT
# cmake -DCLANG=... -DSOURCE=... -DBUILD=... -P cmake/windows_clang.cmake
# Checks that clang compiles the libraries and the command for Windows without a warning. Debian's clang does not find
# the libraries of mingw-w64's gcc, so nothing is linked.

function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${output}")
    endif()
endfunction()

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G Ninja -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_SYSTEM_PROCESSOR=x86_64
    -DCMAKE_C_COMPILER=${CLANG} -DCMAKE_C_COMPILER_TARGET=x86_64-w64-mingw32 -DCMAKE_C_FLAGS=-Werror
    -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_BUILD_TYPE=Debug -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF
    -DPTO_SLEEF=OFF -DPTO_INSTALL=OFF)
run(${CMAKE_COMMAND} --build ${BUILD} --target pto_objects pto_program_objects pto_command_objects)
