# SPDX-License-Identifier: MIT
#
# The witness of pto run's files: the library of the format. After cmake/block_witness.cmake, which found the Python.

# The second one alters a byte of what pto run wrote: it passes if that is noticed.
foreach(option "" --plant)
    set(name witness.safetensors${option})
    string(REPLACE "--" "." name ${name})
    if(NOT PTO_COMMAND OR NOT PTO_PROGRAM OR NOT PTO_JANSSON)
        pto_test_missing(${name} "no pto run, or one without jansson")
    elseif(NOT python OR CMAKE_CROSSCOMPILING)
        pto_test_missing(${name} "no Python, or another processor")
    else()
        pto_test(${name} ${python} -B ${CMAKE_CURRENT_SOURCE_DIR}/witness/safetensors_witness.py
            $<TARGET_FILE:pto_command> ${option})
        if(packages)
            set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PYTHONPATH=${packages})
        endif()
        if(option)
            set_tests_properties(${name} PROPERTIES WILL_FAIL TRUE)
        endif()
    endif()
    set_tests_properties(${name} PROPERTIES LABELS once)
endforeach()
