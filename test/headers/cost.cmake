# SPDX-License-Identifier: MIT
# cmake -DCC=... -DCXX=... -DOBJDUMP=... -DINCLUDE=... -DHERE=... -DOUT=... -P cost.cmake
#
# Checks the cost of calls of pto.hpp. Compiled with -O2, a function that uses pto.hpp may have only a few more
# instructions than one that makes the C call with the same checks by hand. It must call libpto directly.

# The compilers for AArch64 and Windows save and restore more registers around the branch that throws.
execute_process(COMMAND ${CC} -dumpmachine OUTPUT_VARIABLE machine)
if(machine MATCHES "^(aarch64|arm64)|mingw")
    set(most_more 12)
else()
    set(most_more 10)
endif()

function(compile compiler standard file object)
    execute_process(
        COMMAND ${compiler} -std=${standard} -O2 -DPTO_STATIC -I${INCLUDE} -I${HERE}/.. -c ${HERE}/${file} -o ${object}
        RESULT_VARIABLE status ERROR_VARIABLE error)
    if(status)
        message(FATAL_ERROR "${error}")
    endif()
endfunction()

# count(VARIABLE OBJECT FUNCTION CALL): counts the instructions of a function. A relocation shows that it calls CALL.
function(count variable object function call)
    execute_process(COMMAND ${OBJDUMP} -dr --no-show-raw-insn ${object} OUTPUT_VARIABLE text RESULT_VARIABLE status)
    string(FIND "${text}" "<cost_${function}>:" at)
    if(status OR at EQUAL -1)
        message(FATAL_ERROR "${OBJDUMP} shows no cost_${function}")
    endif()
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}\n\n" "\n\n" end)
    string(SUBSTRING "${text}" 0 ${end} text)
    if(NOT text MATCHES "[ \t]${call}([-+ \n]|$)")
        message(FATAL_ERROR "cost_${function} does not call ${call} itself:\n${text}")
    endif()
    string(REGEX MATCHALL "\n +[0-9a-f]+:[ \t]+[a-z]" instructions "${text}")
    list(LENGTH instructions number)
    set(${variable} ${number} PARENT_SCOPE)
endfunction()

compile(${CC} c11 cost.c ${OUT}/cost_c.o)
compile(${CXX} c++20 cost.cpp ${OUT}/cost_cpp.o)
set(dear)
foreach(pair vcmp:pto_vcmp vcmps:pto_vcmps vsel:pto_vsel vcmpsel:pto_vcmpsel vmax:pto_vmax cvt:pto_cvt
        count:pto_mask_count)
    string(REGEX MATCH "^(.*):(.*)$" pair ${pair})
    set(function ${CMAKE_MATCH_1})
    set(call ${CMAKE_MATCH_2})
    count(in_c ${OUT}/cost_c.o ${function} ${call})
    count(in_cpp ${OUT}/cost_cpp.o ${function} ${call})
    message(STATUS "${function}: ${in_c} instructions in C, ${in_cpp} in C++")
    math(EXPR bound "${in_c} + ${most_more}")
    if(in_c LESS 5 OR in_cpp LESS 5 OR in_cpp GREATER bound)
        list(APPEND dear ${function})
    endif()
endforeach()
if(dear)
    message(FATAL_ERROR "more than ${most_more} instructions over C: ${dear}")
endif()
