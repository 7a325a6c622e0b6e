# SPDX-License-Identifier: MIT
# cmake -DCLANG=... -DINCLUDE=... -DC_INCLUDES=<list> -DCXX_INCLUDES=<list> -DWITHOUT=<list> -DOUT=... -P
#   msvc_headers.cmake
# Checks that the headers have nothing that MSVC does not accept, as far as clang's imitation of MSVC shows that: no GNU
# keywords, and no warning as C11, as C++17, and, for pto.hpp, as C++20. The C and C++ libraries are mingw-w64's,
# because MSVC's are not free.

# Macros with which mingw-w64's headers hide attributes from compilers other than gcc, at places where MSVC has none.
set(begin "#include <_mingw.h>\n")
foreach(macro __MINGW_NOTHROW __MINGW_ATTRIB_NORETURN __MINGW_ATTRIB_DEPRECATED)
    string(APPEND begin "#undef ${macro}\n#define ${macro}\n")
endforeach()
# After the headers of the C library, GNU keywords are errors.
set(no_gnu)
foreach(keyword __attribute__ __extension__ __typeof__ __asm__)
    string(APPEND no_gnu "#undef ${keyword}\n#define ${keyword} GNU_${keyword}\n")
endforeach()

# check(FILE STANDARD INCLUDES LIBRARY HEADER...): compiles a file that includes the headers of the C or C++ library,
# and then these headers of libpto. Sets `result` and `output`.
function(check file standard includes library)
    set(text "${begin}")
    foreach(header IN LISTS library)
        string(APPEND text "#include <${header}>\n")
    endforeach()
    string(APPEND text "${no_gnu}")
    foreach(header IN LISTS ARGN)
        string(APPEND text "#include <${header}>\n")
    endforeach()
    file(WRITE ${OUT}/${file} "${text}")
    list(TRANSFORM includes PREPEND -isystem)
    execute_process(COMMAND ${CLANG} --target=x86_64-pc-windows-msvc -fms-compatibility -fms-extensions
        -fms-compatibility-version=19.29 -fsyntax-only -std=${standard} -Wall -Wextra -Wpedantic -Werror
        -D__STRICT_ANSI__ -I${INCLUDE} -I${OUT} ${includes} ${OUT}/${file} ERROR_VARIABLE output RESULT_VARIABLE result)
    set(result ${result} PARENT_SCOPE)
    set(output "${output}" PARENT_SCOPE)
endfunction()

file(GLOB headers RELATIVE ${INCLUDE} ${INCLUDE}/pto/*.h)
list(REMOVE_ITEM headers ${WITHOUT} "")
set(c_library stdbool.h stddef.h stdint.h string.h)
set(cxx_library array concepts cstddef cstdint limits span stdexcept string string_view type_traits)

file(WRITE ${OUT}/planted.h "__attribute__((unused)) static int planted;\n")
check(planted.c c11 "${C_INCLUDES}" "${c_library}" planted.h)
if(NOT result)
    message(FATAL_ERROR "a planted GNU attribute is not found")
endif()
foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} name)
    check(${name}.c c11 "${C_INCLUDES}" "${c_library}" ${header})
    if(NOT result)
        check(${name}.cpp c++17 "${CXX_INCLUDES}" "${c_library}" ${header})
    endif()
    if(result)
        message(FATAL_ERROR "${output}")
    endif()
endforeach()
check(pto_hpp.cpp c++20 "${CXX_INCLUDES}" "${cxx_library}" pto/pto.hpp)
if(result)
    message(FATAL_ERROR "${output}")
endif()
list(LENGTH headers count)
message(STATUS "${count} headers of C, and pto.hpp")
