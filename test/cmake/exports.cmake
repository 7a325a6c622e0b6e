# SPDX-License-Identifier: MIT
# cmake -DOBJDUMP=... or -DNM=... -DFILE=... -DHEADERS=<list> [-DMACRO=PTO_API] -P cmake/exports.cmake
# Checks what a file exports: with OBJDUMP, a DLL or a program of Windows, and with NM, a shared library of macOS (which
# llvm-nm reads on other systems) or of ELF. It must export exactly the calls that the headers declare with `MACRO`, or
# nothing if no headers are given.

# run(COMMAND...): sets `table` to what a program prints.
function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${ARGV0} failed: ${result}")
    endif()
    set(table "${output}" PARENT_SCOPE)
endfunction()

set(exported)
if(NM)
    # Lines such as "pto_vcmp@@PTO_0.3 T 1234 56", or for macOS "_pto_vcmp T 1234 0". ELF files also define the version.
    set(option --dynamic)
    if(FILE MATCHES "[.]dylib$")
        set(option)
    endif()
    run(${NM} ${option} --extern-only --defined-only --format=posix ${FILE})
    string(REGEX MATCHALL "[^\n]+ [A-Z] [^\n]*" lines "${table}")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^[^ @]+" name "${line}")
        if(FILE MATCHES "[.]dylib$")
            string(SUBSTRING ${name} 1 -1 name) # C names begin with an underscore there
        endif()
        list(APPEND exported ${name})
    endforeach()
    # zig's linker exports the address of a library of macOS by two names. Apple's exports none.
    list(FILTER exported EXCLUDE REGEX "^(PTO_(PROGRAM_)?0[.][0-9]+|__dso_handle|_mh_dylib_header)$")
else()
    run(${OBJDUMP} -p ${FILE})
    # Lines such as "	[  12] pto_vcmp", after the ordinals, or since binutils 2.41 "	[  12] +base[  13]  000c pto_vcmp".
    string(FIND "${table}" "[Ordinal/Name Pointer] Table" at)
    if(NOT at EQUAL -1)
        string(SUBSTRING "${table}" ${at} -1 table)
        string(REGEX MATCHALL "\n[ \t]+\\[[ 0-9]+\\][^\n]*" lines "${table}")
        foreach(line IN LISTS lines)
            string(REGEX MATCH "[^ \t]+$" name "${line}")
            list(APPEND exported ${name})
        endforeach()
    endif()
endif()

set(declared)
foreach(header IN LISTS HEADERS)
    file(READ ${header} text)
    string(REGEX MATCHALL "\n${MACRO} [^(;]*\\(" calls "${text}")
    foreach(call IN LISTS calls)
        string(REGEX MATCH "[a-z0-9_]+\\($" name "${call}")
        string(REPLACE "(" "" name "${name}")
        list(APPEND declared ${name})
    endforeach()
endforeach()

list(SORT exported)
list(SORT declared)
if(HEADERS AND NOT declared)
    message(FATAL_ERROR "the headers declare no calls with ${MACRO}")
endif()
set(hidden ${declared})
list(REMOVE_ITEM hidden ${exported} "")
set(superfluous ${exported})
list(REMOVE_ITEM superfluous ${declared} "")
if(hidden OR superfluous)
    message(FATAL_ERROR "${FILE} does not export: ${hidden}\nexports, but should not: ${superfluous}")
endif()
list(LENGTH exported count)
message(STATUS "${FILE}: ${count} exports, as declared")
