# SPDX-License-Identifier: MIT
#
# Compares block scaling with Python packages. Included by cmake/ptx.cmake after cmake/witnesses.cmake.

set(PTO_WITNESSES_PYTHON ${PROJECT_SOURCE_DIR}/build/witnesses-python
    CACHE PATH "What ./run witnesses installed for Python; empty: not to look")
mark_as_advanced(PTO_WITNESSES_PYTHON)

# Uses the Python for which the packages were installed, otherwise the machine's Python with the packages that it has.
find_program(PYTHON3 python3)
mark_as_advanced(PYTHON3)
set(python ${PYTHON3})
set(packages "")
if(PTO_WITNESSES_PYTHON AND EXISTS ${PTO_WITNESSES_PYTHON}/complete)
    file(STRINGS ${PTO_WITNESSES_PYTHON}/python python LIMIT_COUNT 1)
    set(packages ${PTO_WITNESSES_PYTHON})
endif()

# The second test alters one of the library's codes, and passes if this is noticed.
foreach(option "" --plant)
    set(name witness.block${option})
    string(REPLACE "--" "." name ${name})
    if(python AND NOT CMAKE_CROSSCOMPILING)
        pto_test(${name} ${python} -B ${CMAKE_CURRENT_SOURCE_DIR}/witness/block_witness.py
            $<TARGET_FILE:pto_shared> ${option})
        if(packages)
            set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT PYTHONPATH=${packages})
        endif()
    else()
        pto_test_missing(${name} "no Python that could load the library")
    endif()
    set_tests_properties(${name} PROPERTIES LABELS once)
endforeach()
if(python AND NOT CMAKE_CROSSCOMPILING)
    set_tests_properties(witness.block.plant PROPERTIES WILL_FAIL TRUE)
endif()
