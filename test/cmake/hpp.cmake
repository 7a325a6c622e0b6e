# SPDX-License-Identifier: MIT
#
# Tests of <pto/pto.hpp>: its calls against those of C, each of its headers by itself, examples, and its cost over C.
# Included by CMakeLists.txt if there is a C++ compiler.

if(NOT "cxx_std_20" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
    message(STATUS "${CMAKE_CXX_COMPILER} has no C++20: pto.hpp is not tested")
    return()
endif()

set(pto_hpp_warnings ${pto_header_flags} -Wshadow -Wconversion -Wold-style-cast)

function(pto_hpp_target name)
    target_compile_options(${name} PRIVATE ${pto_hpp_warnings})
    target_link_libraries(${name} PRIVATE pto::pto)
    set_target_properties(${name} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endfunction()

file(GLOB pto_hpp_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/hpp/*.cpp)
add_executable(test_hpp ${pto_hpp_tests})
target_include_directories(test_hpp PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
pto_hpp_target(test_hpp)
target_link_libraries(test_hpp PRIVATE pto::vmath)
pto_test(hpp test_hpp)

# With -ffast-math, the compiler assumes that there are no NaNs, and these tests use them.
target_compile_options(test_hpp PRIVATE -fno-fast-math)

file(GLOB hpp_headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/pto/*.hpp ${PROJECT_SOURCE_DIR}/include/pto/hpp/*.hpp)
foreach(header ${hpp_headers})
    string(MAKE_C_IDENTIFIER ${header} word)
    add_library(test_header_${word} OBJECT suite/header_alone.cpp)
    target_compile_definitions(test_header_${word} PRIVATE "PTO_TEST_HEADER=<${header}>")
    pto_hpp_target(test_header_${word})
endforeach()

# ---- the examples of pto.hpp, the cookbook and README ----

set(hpp_examples ${CMAKE_CURRENT_BINARY_DIR}/hpp_examples.cpp)
set(hpp_example_sources ${PROJECT_SOURCE_DIR}/include/pto/pto.hpp ${PROJECT_SOURCE_DIR}/docs/cookbook.md)
add_custom_command(OUTPUT ${hpp_examples}
    COMMAND ${CMAKE_COMMAND} "-DSOURCES=${hpp_example_sources}" -DOUT=${hpp_examples}
        -P ${CMAKE_CURRENT_LIST_DIR}/header_examples.cmake
    DEPENDS ${hpp_example_sources} ${CMAKE_CURRENT_LIST_DIR}/header_examples.cmake VERBATIM)
add_executable(test_hpp_examples ${hpp_examples})
target_compile_options(test_hpp_examples PRIVATE -fno-fast-math)
pto_hpp_target(test_hpp_examples)
pto_test(hpp.examples test_hpp_examples)

foreach(language c cpp)
    set(readme_${language} ${CMAKE_CURRENT_BINARY_DIR}/readme.${language})
    add_custom_command(OUTPUT ${readme_${language}}
        COMMAND ${CMAKE_COMMAND} -DPAGE=${PROJECT_SOURCE_DIR}/README.md -DLANGUAGE=${language}
            -DOUT=${readme_${language}} -P ${CMAKE_CURRENT_LIST_DIR}/page_listings.cmake
        DEPENDS ${PROJECT_SOURCE_DIR}/README.md ${CMAKE_CURRENT_LIST_DIR}/page_listings.cmake VERBATIM)
    add_library(test_readme_${language} OBJECT ${readme_${language}})
    target_compile_options(test_readme_${language} PRIVATE ${pto_header_flags})
    target_link_libraries(test_readme_${language} PRIVATE pto::pto)
    set_target_properties(test_readme_${language} PROPERTIES
        C_STANDARD 11 C_EXTENSIONS OFF CXX_STANDARD 20 CXX_EXTENSIONS OFF)
endforeach()

# ---- all calls exist, and cost about as much as in C ----

add_test(NAME hpp.complete COMMAND ${CMAKE_COMMAND} -DINCLUDE=${PROJECT_SOURCE_DIR}/include/pto
    -DTESTS=${CMAKE_CURRENT_SOURCE_DIR}/hpp -P ${CMAKE_CURRENT_LIST_DIR}/hpp_complete.cmake)
set_tests_properties(hpp.complete PROPERTIES LABELS once)

if(CMAKE_OBJDUMP AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    add_test(NAME hpp.cost COMMAND ${CMAKE_COMMAND} -DCC=${CMAKE_C_COMPILER} -DCXX=${CMAKE_CXX_COMPILER}
        -DOBJDUMP=${CMAKE_OBJDUMP} -DINCLUDE=${PROJECT_SOURCE_DIR}/include
        -DHERE=${CMAKE_CURRENT_SOURCE_DIR}/headers -DOUT=${CMAKE_CURRENT_BINARY_DIR}
        -P ${CMAKE_CURRENT_SOURCE_DIR}/headers/cost.cmake)
endif()
