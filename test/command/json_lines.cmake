# SPDX-License-Identifier: MIT
# Checks that each line of a file is a JSON object: cmake -DLINES=<file> -P json_lines.cmake

file(STRINGS ${LINES} lines)
list(LENGTH lines count)
if(count EQUAL 0)
    message(FATAL_ERROR "${LINES} is empty")
endif()
foreach(line IN LISTS lines)
    string(JSON type ERROR_VARIABLE error TYPE "${line}")
    if(error OR NOT type STREQUAL OBJECT)
        message(FATAL_ERROR "no object: ${line}: ${error}")
    endif()
endforeach()
