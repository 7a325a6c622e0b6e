# SPDX-License-Identifier: MIT
#
# Tests that read the ELF files of what is shipped: hardening.pto_shared and so on. hardening.planted reads a program
# without any hardening, in which the script must miss every feature.

if(NOT pto_hardening OR NOT READELF)
    message(STATUS "Not hardened, or no readelf: no tests of hardening")
    return()
endif()

function(pto_test_hardening name target features)
    add_test(NAME hardening.${name} COMMAND ${CMAKE_COMMAND} -DREADELF=${READELF} -DFILE=$<TARGET_FILE:${target}>
        "-DFEATURES=noexecstack;${features}" -DCC=${CMAKE_C_COMPILER} ${ARGN} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/hardening_check.cmake)
endfunction()

foreach(target pto_shared pto_program_shared pto_command pto_python)
    if(TARGET ${target})
        get_target_property(features ${target} PTO_HARDENING)
        if(NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
            list(REMOVE_ITEM features fortify)
        endif()
        pto_test_hardening(${target} ${target} "${features}")
    endif()
endforeach()

set(planted ${pto_hardening})
list(REMOVE_ITEM planted bti) # the start files decide
add_executable(test_unhardened suite/unhardened.c)
target_compile_options(test_unhardened PRIVATE -fno-stack-protector -U_FORTIFY_SOURCE -fno-pie)
target_link_options(test_unhardened PRIVATE -no-pie LINKER:-z,norelro,-z,lazy,-z,execstack)
if(cet IN_LIST planted)
    target_compile_options(test_unhardened PRIVATE -fcf-protection=none)
endif()
pto_test_hardening(planted test_unhardened "${planted}" -DPLANTED=ON)
