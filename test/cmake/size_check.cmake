# SPDX-License-Identifier: MIT
# Fails if the first column of `SIZE FILE` is more than LIMIT.
execute_process(COMMAND ${SIZE} ${FILE} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "\n *([0-9]+)")
    message(FATAL_ERROR "${SIZE} prints no size of ${FILE}: ${output}")
endif()
set(bytes ${CMAKE_MATCH_1})
message("${FILE}: ${bytes} bytes of text, at most ${LIMIT}")
if(bytes GREATER LIMIT)
    math(EXPR excess "${bytes} - ${LIMIT}")
    message(FATAL_ERROR "${excess} bytes too many; test/cmake/size.cmake has the limits")
endif()
