# SPDX-License-Identifier: MIT
# cmake -DREADELF=... -DLIBRARY=... -P cmake/linking.cmake
# Checks how libpto.so is linked. Every exported symbol has a version, and no internal call goes through the procedure
# linkage table. All relocated data becomes read-only, and no start-up code changes the floating-point state of the
# process.

function(read_elf variable)
    execute_process(COMMAND ${READELF} --wide ${ARGN} ${LIBRARY} OUTPUT_VARIABLE output RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${READELF} failed: ${result}")
    endif()
    set(${variable} "${output}" PARENT_SCOPE)
endfunction()

set(faults)

read_elf(dynamic --dynamic)
if(NOT dynamic MATCHES "BIND_NOW|FLAGS_1[^\n]*NOW")
    list(APPEND faults "is bound lazily")
endif()
if(NOT dynamic MATCHES "SONAME[^\n]*libpto\\.so\\.(0\\.[0-9]+|[1-9][0-9]*)\\]")
    list(APPEND faults "its soname does not end in the major version, or before 1.0 in the minor version too")
endif()

read_elf(segments --program-headers)
if(NOT segments MATCHES "GNU_RELRO")
    list(APPEND faults "has no RELRO segment")
endif()
if(NOT segments MATCHES "GNU_STACK [^\n]* RW ")
    list(APPEND faults "has an executable stack")
endif()

read_elf(relocations --relocs)
if(relocations MATCHES "JU?MP_SLOT?[^\n]* (pto_[a-z0-9_]+)")
    list(APPEND faults "calls ${CMAKE_MATCH_1} through the procedure linkage table")
endif()

read_elf(exports --dyn-syms)
string(REGEX MATCHALL " pto_[^\n]*" exported "${exports}")
if(exported STREQUAL "")
    list(APPEND faults "exports nothing")
endif()
foreach(symbol IN LISTS exported)
    if(NOT symbol MATCHES "@@PTO_0\\.")
        list(APPEND faults "exports${symbol} without a version")
    endif()
endforeach()

read_elf(symbols --symbols)
if(symbols MATCHES "set_fast_math")
    list(APPEND faults "flushes subnormals as it is loaded")
endif()

if(faults)
    list(JOIN faults "\n  " text)
    message(FATAL_ERROR "${LIBRARY}:\n  ${text}")
endif()
list(LENGTH exported count)
message(STATUS "${LIBRARY}: ${count} symbols with a version, full RELRO, no detours")
