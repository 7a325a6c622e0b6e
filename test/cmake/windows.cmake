# SPDX-License-Identifier: MIT
#
# Tests that only Windows has: what the DLLs export, and users of other compilers. Included by CMakeLists.txt.

file(GLOB pto_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/pto/*.h)
set(pto_absent_headers)
if(NOT PTO_SLEEF)
    list(APPEND pto_absent_headers pto/vmath.h)
endif()
foreach(header ${pto_absent_headers})
    list(REMOVE_ITEM pto_headers ${PROJECT_SOURCE_DIR}/include/${header})
endforeach()

# ---- exports ----

# pto_test_exports(NAME FILE MACRO HEADER...): checks that a file exports exactly the calls that the headers declare.
function(pto_test_exports name file macro)
    add_test(NAME exports.${name} COMMAND ${CMAKE_COMMAND} -DOBJDUMP=${CMAKE_OBJDUMP} -DFILE=${file} -DMACRO=${macro}
        "-DHEADERS=${ARGN}" -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/exports.cmake)
endfunction()

pto_test_exports(pto $<TARGET_FILE:pto_shared> "PTO_(API|CALL)" ${pto_headers})
pto_test_exports(planted $<TARGET_FILE:pto_shared> "PTO_API" ${pto_headers})
set_tests_properties(exports.planted PROPERTIES WILL_FAIL TRUE)
if(PTO_PROGRAM)
    pto_test_exports(program $<TARGET_FILE:pto_program_shared> "PTO_PROGRAM_(API|CALL)" ${pto_headers})
endif()
# A program that links the static library exports nothing.
pto_test_exports(none $<TARGET_FILE:test_without_sleef> "")

# ---- clang ----

find_program(CLANG clang)
find_program(LLVM_DLLTOOL llvm-dlltool)
find_program(LLD_LINK lld-link)
mark_as_advanced(CLANG LLVM_DLLTOOL LLD_LINK)
if(NOT CLANG)
    foreach(name compiles msvc_headers msvc_link)
        pto_test_missing(clang.${name} "no clang")
    endforeach()
    return()
endif()

add_test(NAME clang.compiles COMMAND ${CMAKE_COMMAND} -DCLANG=${CLANG} -DSOURCE=${PROJECT_SOURCE_DIR}
    -DBUILD=${CMAKE_CURRENT_BINARY_DIR}/clang
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/windows_clang.cmake)
set_tests_properties(clang.compiles PROPERTIES TIMEOUT 1800 COST 100)

# The compiler's own headers are left out: clang has its own.
set(c_includes ${CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES})
set(cxx_includes ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
foreach(list c_includes cxx_includes)
    list(FILTER ${list} EXCLUDE REGEX "/lib/gcc/[^;]*/(include|include-fixed)$")
endforeach()
add_test(NAME clang.msvc_headers COMMAND ${CMAKE_COMMAND} -DCLANG=${CLANG} -DINCLUDE=${PROJECT_SOURCE_DIR}/include
    "-DC_INCLUDES=${c_includes}" "-DCXX_INCLUDES=${cxx_includes}" "-DWITHOUT=${pto_absent_headers}"
    -DOUT=${CMAKE_CURRENT_BINARY_DIR}/msvc_headers -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/msvc_headers.cmake)

if(LLVM_DLLTOOL AND LLD_LINK AND PTO_PROGRAM)
    add_test(NAME clang.msvc_link COMMAND ${CMAKE_COMMAND} -DCLANG=${CLANG} -DDLLTOOL=${LLVM_DLLTOOL} -DLINK=${LLD_LINK}
        -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/headers/msvc_user.c
        "-DINCLUDES=${PROJECT_SOURCE_DIR}/include;${c_includes}"
        "-DDLLS=$<TARGET_FILE:pto_shared>;$<TARGET_FILE:pto_program_shared>"
        "-DDEFS=${PROJECT_BINARY_DIR}/libpto.def;${PROJECT_BINARY_DIR}/libpto-program.def"
        "-DIMPORTS=$<TARGET_LINKER_FILE:pto_shared>;$<TARGET_LINKER_FILE:pto_program_shared>"
        -DOUT=${CMAKE_CURRENT_BINARY_DIR}/msvc_link "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
        -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/msvc_link.cmake)
else()
    pto_test_missing(clang.msvc_link "no llvm-dlltool or lld-link")
endif()
