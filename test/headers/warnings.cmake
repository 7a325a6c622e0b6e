# SPDX-License-Identifier: MIT
# cmake -DCC=... -DCXX=... -DINCLUDE=... -DHERE=... -P warnings.cmake
#
# The public headers in every standard of C and C++ that the compilers know: what a user writes first draws no warning,
# what is a mistake draws one. Nothing is kept of what is compiled.

set(levels -Wall -Wextra -Wpedantic -Wcast-qual -Wconversion -Wshadow -Wundef -Werror)
set(levels_c -Wstrict-prototypes -Wno-missing-prototypes)
set(levels_cxx -Wold-style-cast -Wno-c99-extensions)

set(tried 0)
set(faults)

# compile(RESULT COMPILER LANGUAGE STANDARD LEVEL FILE FLAG...)
function(compile result compiler language standard optimisation file)
    execute_process(
        COMMAND ${compiler} -x ${language} -std=${standard} ${optimisation} ${ARGN} -I${INCLUDE} -c ${HERE}/${file}
            -o /dev/null
        RESULT_VARIABLE status ERROR_VARIABLE error OUTPUT_QUIET)
    set(${result} ${status} PARENT_SCOPE)
    set(error "${error}" PARENT_SCOPE)
endfunction()

foreach(language c c++)
    if(language STREQUAL c)
        set(compiler ${CC})
        set(standards c11 gnu11 c17 c2x c23)
        set(more ${levels_c})
    else()
        set(compiler ${CXX})
        set(standards c++11 c++14 c++17 gnu++17 c++20 c++2b c++23)
        set(more ${levels_cxx})
    endif()
    foreach(standard IN LISTS standards)
        execute_process(COMMAND ${compiler} -x ${language} -std=${standard} -fsyntax-only /dev/null
            RESULT_VARIABLE unknown OUTPUT_QUIET ERROR_QUIET)
        if(unknown)
            message(STATUS "${standard}: not known to ${compiler}")
            continue()
        endif()
        foreach(optimisation -O0 -O2)
            compile(status ${compiler} ${language} ${standard} ${optimisation} first_lines.c ${levels} ${more})
            math(EXPR tried "${tried} + 1")
            if(status)
                list(APPEND faults "${standard} ${optimisation}: a warning on what is right:\n${error}")
            endif()
        endforeach()
        foreach(mistake ignored_status const_destination)
            compile(status ${compiler} ${language} ${standard} -O0 ${mistake}.c -Werror)
            math(EXPR tried "${tried} + 1")
            if(NOT status)
                list(APPEND faults "${standard}: no warning on ${mistake}.c\n")
            endif()
        endforeach()
    endforeach()
endforeach()
if(faults)
    list(JOIN faults "\n" faults)
    message(FATAL_ERROR "${faults}")
endif()
if(tried LESS 20)
    message(FATAL_ERROR "only ${tried} compilations: the compilers know hardly a standard")
endif()
message(STATUS "${tried} compilations as they should be")
