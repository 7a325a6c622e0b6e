# SPDX-License-Identifier: MIT
# Checks that the examples of the public headers and of pages in docs/ compile without warnings and do what they
# assert.

file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/pto/*.h)
list(APPEND example_sources ${PROJECT_SOURCE_DIR}/docs/cookbook.md ${PROJECT_SOURCE_DIR}/docs/calls.md)
if(NOT PTO_SLEEF)
    list(FILTER example_sources EXCLUDE REGEX "/vmath\\.h$")
endif()
if(NOT PTO_PROGRAM)
    list(FILTER example_sources EXCLUDE REGEX "/program\\.h$")
endif()
set(header_examples ${CMAKE_CURRENT_BINARY_DIR}/header_examples.c)
add_custom_command(OUTPUT ${header_examples}
    COMMAND ${CMAKE_COMMAND} "-DSOURCES=${example_sources}" -DOUT=${header_examples}
        -P ${CMAKE_CURRENT_LIST_DIR}/header_examples.cmake
    DEPENDS ${example_sources} ${CMAKE_CURRENT_LIST_DIR}/header_examples.cmake VERBATIM)
add_executable(test_header_examples ${header_examples})
target_compile_options(test_header_examples PRIVATE ${pto_test_warnings} -Werror -fno-fast-math) # the examples use NaNs
target_link_libraries(test_header_examples PRIVATE pto::pto Threads::Threads $<$<BOOL:${PTO_PROGRAM}>:pto::program>)
if(NOT WIN32) # mingw-w64's OpenMP is a DLL, which programs do not find
    find_package(OpenMP COMPONENTS C)
endif()
if(OpenMP_C_FOUND)
    target_link_libraries(test_header_examples PRIVATE OpenMP::OpenMP_C)
else()
    target_compile_options(test_header_examples PRIVATE -Wno-unknown-pragmas) # the parts run one after the other
endif()
set_target_properties(test_header_examples PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
pto_test(header.examples test_header_examples)
