# SPDX-License-Identifier: MIT
# cmake -DNM=... -DLIBRARY=... -P cmake/symbols.cmake
# Checks that every symbol that the library defines for others begins with pto_.

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
    # Lines are "NAME TYPE ...". A line "archive[member]:" begins the symbols of a member.
    if(NOT line MATCHES "^([^ ]+) [A-Za-z] ?")
        continue()
    endif()
    set(symbol ${CMAKE_MATCH_1})
    math(EXPR count "${count} + 1")
    # Exceptions: __x86.get_pc_thunk... comes from the compiler on 32-bit x86. .refptr... is a
    # pointer to a variable, which mingw-w64's gcc adds. PTO_0.3 or PTO_0.3@@PTO_0.3 is the
    # version itself. AddressSanitizer adds __odr_asan... to each global.
    if(NOT symbol MATCHES "^(pto_|PTO_(PROGRAM_)?0[.][0-9]+(@|$)|[.]refptr[.]|__odr_asan|__x86[.]get_pc_thunk)")
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
