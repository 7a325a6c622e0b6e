# SPDX-License-Identifier: MIT
#
# Compares pto run's files with the safetensors library. Included after cmake/block_witness.cmake, which finds Python.

# The second test alters a byte of pto run's output, and passes if this is noticed.
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
