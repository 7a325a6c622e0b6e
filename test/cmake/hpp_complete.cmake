# SPDX-License-Identifier: MIT
# cmake -DINCLUDE=... -DTESTS=... -P hpp_complete.cmake
#
# Checks that pto.hpp calls every function that the C headers declare, and that a test calls its C++ name.

# program.h and module.h belong to another library.
file(GLOB headers ${INCLUDE}/*.h)
list(FILTER headers EXCLUDE REGEX "/(program|module)\\.h$")
file(GLOB parts ${INCLUDE}/*.hpp ${INCLUDE}/hpp/*.hpp)
file(GLOB tests ${TESTS}/*.cpp)
foreach(kind headers parts tests)
    set(${kind}_text)
    foreach(file IN LISTS ${kind})
        file(READ ${file} text)
        string(REPLACE ";" " " text "${text}")
        string(APPEND ${kind}_text "${text}")
    endforeach()
endforeach()

string(REGEX MATCHALL "\nPTO_(CALL|API) [^(]*pto_[a-z0-9_]+\\(" declared "${headers_text}")
list(LENGTH declared count)
if(count LESS 80)
    message(FATAL_ERROR "only ${count} declarations were found")
endif()
set(missing)
foreach(declaration IN LISTS declared)
    string(REGEX REPLACE ".*pto_([a-z0-9_]+)\\($" "\\1" name "${declaration}")
    if(NOT parts_text MATCHES "[^a-z_]pto_${name}[^a-z0-9_]")
        list(APPEND missing "pto_${name}: pto.hpp does not call it")
    endif()
    # pto_strerror() has no C++ name. pto::error::what() returns its text.
    if(NOT name STREQUAL strerror AND NOT tests_text MATCHES "pto::${name}[(<]")
        list(APPEND missing "pto::${name}: no test calls it")
    endif()
endforeach()
if(missing)
    list(JOIN missing "\n  " text)
    message(FATAL_ERROR "of ${count} functions:\n  ${text}")
endif()
message(STATUS "${count} functions, each with its C++ name and a test")
