# SPDX-License-Identifier: MIT
# cmake -DNM=... -DLIBRARY=... -P cmake/symbols.cmake
# Every symbol that the library defines for others begins with pto_.

if(LIBRARY MATCHES "\\.a$")
    set(options --extern-only --defined-only)
else()
    set(options --dynamic --extern-only --defined-only)
endif()
execute_process(COMMAND ${NM} ${options} --format=posix ${LIBRARY} OUTPUT_VARIABLE output RESULT_VARIABLE result)
if(result)
    message(FATAL_ERROR "${NM} failed: ${result}")
endif()

string(REPLACE "\n" ";" lines "${output}")
set(count 0)
set(strangers)
foreach(line ${lines})
    # "NAME TYPE ..."; "archive[member]:" heads the symbols of a member.
    if(NOT line MATCHES "^([^ ]+) [A-Za-z] ?")
        continue()
    endif()
    set(symbol ${CMAKE_MATCH_1})
    math(EXPR count "${count} + 1")
    # __x86.get_pc_thunk...: the compiler's, on 32-bit x86. PTO_0.2, or PTO_0.2@@PTO_0.2: the version itself.
    # __odr_asan...: what AddressSanitizer adds to each global.
    if(NOT symbol MATCHES "^(pto_|PTO_(PROGRAM_)?0[.][0-9]+(@|$)|__odr_asan|__x86[.]get_pc_thunk)")
        list(APPEND strangers ${symbol})
    endif()
endforeach()
if(strangers)
    message(FATAL_ERROR "${LIBRARY} defines: ${strangers}")
endif()
if(count EQUAL 0)
    message(FATAL_ERROR "${LIBRARY}: no symbols seen")
endif()
message(STATUS "${LIBRARY}: ${count} symbols, all of them pto_")
