# SPDX-License-Identifier: MIT
#
# Compares pto_cast() with ml_dtypes and NumPy. Included after cmake/block_witness.cmake, which finds Python.

# The second test alters one of the library's results, and passes if this is noticed.
foreach(option "" --plant)
    set(name witness.cast${option})
    string(REPLACE "--" "." name ${name})
    if(python AND NOT CMAKE_CROSSCOMPILING)
        pto_test(${name} ${python} -B ${CMAKE_CURRENT_SOURCE_DIR}/witness/cast_witness.py
            $<TARGET_FILE:pto_shared> ${option})
        if(packages)
            set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PYTHONPATH=${packages})
        endif()
        if(option)
            set_tests_properties(${name} PROPERTIES WILL_FAIL TRUE)
        endif()
    else()
        pto_test_missing(${name} "no Python that could load the library")
    endif()
    set_tests_properties(${name} PROPERTIES LABELS once)
endforeach()
