# SPDX-License-Identifier: MIT
# The examples in the comments of the public headers compile without a warning and do what they assert.

file(GLOB example_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/pto/*.h)
if(NOT PTO_SLEEF)
    list(FILTER example_headers EXCLUDE REGEX "/vmath\\.h$")
endif()
set(header_examples ${CMAKE_CURRENT_BINARY_DIR}/header_examples.c)
add_custom_command(OUTPUT ${header_examples}
    COMMAND ${CMAKE_COMMAND} "-DHEADERS=${example_headers}" -DOUT=${header_examples}
        -P ${CMAKE_CURRENT_LIST_DIR}/header_examples.cmake
    DEPENDS ${example_headers} ${CMAKE_CURRENT_LIST_DIR}/header_examples.cmake VERBATIM)
add_executable(test_header_examples ${header_examples})
target_compile_options(test_header_examples PRIVATE ${pto_test_warnings} -Werror -fno-fast-math) # they have NaNs
target_link_libraries(test_header_examples PRIVATE pto::pto)
set_target_properties(test_header_examples PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
pto_test(header.examples test_header_examples)
