# SPDX-License-Identifier: MIT
#
# Limits for the size of the x86-64 library, compiled by gcc for Release. Only the preset `release` is compiled like
# that, so only it has these tests. They compare the first column of `size`: code, constants and unwinding tables.
#
# A change that needs more than a limit raises it here, and gives the reason in its commit message.
set(pto_library_limit 4950000)   # libpto.so
set(pto_relu_limit 1500000)      # a program that calls pto_vrelu, linked with libpto.a and --gc-sections
set(pto_two_calls_limit 1010000) # a program that calls pto_vcmps and pto_vsel, linked likewise

if(NOT PTO_TARGET_X86_64 OR NOT CMAKE_C_COMPILER_ID STREQUAL GNU OR NOT pto_is_shared
   OR NOT CMAKE_BUILD_TYPE STREQUAL Release OR NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE}" MATCHES "^ *-O3 -DNDEBUG *$"
   OR NOT PTO_BACKENDS STREQUAL AUTO OR "neon" IN_LIST pto_backends)
    return()
endif()
find_program(SIZE size)
mark_as_advanced(SIZE)
if(NOT SIZE)
    message(STATUS "No program `size`: the library's size is not tested")
    return()
endif()

add_executable(size_relu test/size/relu.c)
add_executable(size_two_calls test/consumer/project/two_calls.c)
foreach(program size_relu size_two_calls)
    target_link_libraries(${program} PRIVATE pto::static)
    target_link_options(${program} PRIVATE LINKER:--gc-sections)
    add_test(NAME ${program}.runs COMMAND ${program})
endforeach()

foreach(subject "library:pto_shared" "relu:size_relu" "two_calls:size_two_calls")
    string(REPLACE ":" ";" subject ${subject})
    list(POP_FRONT subject name target)
    add_test(NAME size.${name} COMMAND ${CMAKE_COMMAND} -DSIZE=${SIZE} -DFILE=$<TARGET_FILE:${target}>
        -DLIMIT=${pto_${name}_limit} -P ${PROJECT_SOURCE_DIR}/test/cmake/size_check.cmake)
    set_tests_properties(size.${name} PROPERTIES LABELS once)
endforeach()
