# SPDX-License-Identifier: MIT
# cmake -DINCLUDE=... -DTEST=... -P stack_complete.cmake
#
# Checks that the test of small stacks calls every function that the C headers declare.

# program.h and module.h belong to another library.
file(GLOB headers ${INCLUDE}/*.h)
list(FILTER headers EXCLUDE REGEX "/(program|module)\\.h$")
file(READ ${TEST} test_text)
set(count 0)
set(missing)
foreach(header IN LISTS headers)
    file(READ ${header} text)
    string(REPLACE ";" " " text "${text}")
    string(REGEX MATCHALL "\nPTO_(CALL|API) [^(]*pto_[a-z0-9_]+\\(" declared "${text}")
    foreach(declaration IN LISTS declared)
        string(REGEX REPLACE ".*(pto_[a-z0-9_]+)\\($" "\\1" name "${declaration}")
        math(EXPR count "${count} + 1")
        if(NOT test_text MATCHES "[^a-z_]${name}\\(")
            list(APPEND missing ${name})
        endif()
    endforeach()
endforeach()
if(count LESS 80)
    message(FATAL_ERROR "only ${count} declarations were found")
endif()
if(missing)
    list(JOIN missing "\n  " text)
    message(FATAL_ERROR "${TEST} does not call:\n  ${text}")
endif()
message(STATUS "${count} functions, all called")
