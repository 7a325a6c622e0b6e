# SPDX-License-Identifier: MIT
# Tests the example runtime: cmake -DRUNTIME=<command> -DTENSOR=<file> -DOUT=<file> -P runtime.cmake
# Each shape has one digest, with every number of threads and every backend of this machine. OUT is written.

foreach(case "384;384;8b509d6ebd37cd0a" "300;250;4ecec814c56b4708" "77;130;4de1e1547e795f13")
    list(POP_BACK case digest)
    foreach(isa scalar avx2 avx512 neon sve rvv generic)
        foreach(threads 1 2 3)
            execute_process(COMMAND ${CMAKE_COMMAND} -E env PTO_ISA=${isa} ${RUNTIME} ${TENSOR} ${threads} ${case}
                OUTPUT_VARIABLE said RESULT_VARIABLE status)
            if(status EQUAL 0 AND NOT said MATCHES " ${isa}:")
                break() # this machine lacks the backend, and the best one was used
            endif()
            if(NOT status EQUAL 0 OR NOT said MATCHES "digest ${digest}\n$")
                message(FATAL_ERROR "${isa}, ${threads} threads, ${case}: status ${status}, expected ${digest}: ${said}")
            endif()
        endforeach()
    endforeach()
endforeach()

# refuse(MESSAGE ARGUMENT...): the program ends with status 2 and the message.
function(refuse message)
    execute_process(COMMAND ${RUNTIME} ${ARGN} ERROR_VARIABLE said RESULT_VARIABLE status)
    if(NOT status EQUAL 2 OR NOT said MATCHES "${message}")
        message(FATAL_ERROR "runtime ${ARGN}: status ${status}: ${said}")
    endif()
endfunction()

refuse("usage" a b c)
refuse("it cannot be opened" ${TENSOR}.missing)
refuse("not a .npy file" ${CMAKE_CURRENT_LIST_FILE})
refuse("expected a number from 1 to 64" ${TENSOR} 65)
refuse("expected a number from 1 to 384" ${TENSOR} 2 385 1)
# A tensor of one f64, whose header has 59 bytes.
execute_process(COMMAND printf "\\223NUMPY\\001\\000;\\000{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }  12345678"
    OUTPUT_FILE ${OUT})
refuse("32-bit floats" ${OUT})
