# SPDX-License-Identifier: MIT
#
# Hardens the libraries, the command and the Python module on ELF systems: stack protector, _FORTIFY_SOURCE, CET on
# x86-64, BTI on 64-bit Arm, full RELRO, and position-independent programs. Sets pto_hardening to the features that are
# in use. The tests hardening.* check them in the built files.

option(PTO_HARDENING "Harden the libraries and the command: stack protector, FORTIFY, RELRO, PIE, CET, BTI"
    ${PROJECT_IS_TOP_LEVEL})

set(pto_hardening)
set(pto_hardening_flags)
set(pto_hardening_link_flags)
# A call of a few lanes takes about 20 ns. Kernels, which have only buffers of constant sizes, are compiled without stack
# protector and _FORTIFY_SOURCE. In calls, the stack protector covers only functions with arrays of bytes. With both in
# all code, a short call took up to 60 ns more (AMD EPYC with AVX2).
set(pto_kernel_hardening_flags)
set(pto_call_hardening_flags)
# Sanitizers find more errors, and are incompatible with _FORTIFY_SOURCE.
if(NOT PTO_HARDENING OR NOT CMAKE_SYSTEM_NAME MATCHES "^(Linux|Android|.*BSD)$" OR CMAKE_C_FLAGS MATCHES "-fsanitize")
    function(pto_harden)
    endfunction()
    return()
endif()

# pto_hardening_compiles(VARIABLE CODE FLAG...): sets the variable to whether a program with this code can be linked.
function(pto_hardening_compiles variable code)
    set(CMAKE_REQUIRED_QUIET ON)
    string(JOIN " " CMAKE_REQUIRED_FLAGS ${ARGN})
    check_c_source_compiles("${code}" ${variable})
endfunction()

pto_hardening_compiles(PTO_HAS_STACK_PROTECTOR "
    int main(int count, char **words) { volatile char text[64] = {0}; return text[count] + (words == 0); }"
    -fstack-protector-strong)
if(PTO_HAS_STACK_PROTECTOR)
    list(APPEND pto_hardening stack-protector)
    list(APPEND pto_hardening_flags -fstack-protector-strong)
    list(APPEND pto_kernel_hardening_flags -fno-stack-protector)
    list(APPEND pto_call_hardening_flags -fstack-protector)
endif()

# Level 3 needs gcc 12 or clang 9, and glibc 2.33; glibc treats it as 2 otherwise, with a warning. musl has none.
# The C library warns if code is not optimized, as in Debug.
foreach(level 3 2)
    pto_hardening_compiles(PTO_HAS_FORTIFY_${level} "#include <stdlib.h>
        #if __USE_FORTIFY_LEVEL < ${level}
        #error
        #endif
        int main(void) { return 0; }" -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
    if(PTO_HAS_FORTIFY_${level})
        list(APPEND pto_hardening fortify)
        list(APPEND pto_hardening_flags
            "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level}>")
        list(APPEND pto_kernel_hardening_flags -U_FORTIFY_SOURCE)
        break()
    endif()
endforeach()

check_linker_flag(C LINKER:-z,relro,-z,now PTO_LINKER_RELRO)
if(PTO_LINKER_RELRO)
    list(APPEND pto_hardening relro)
    list(APPEND pto_hardening_link_flags LINKER:-z,relro,-z,now)
endif()

if(PTO_TARGET_X86_64)
    pto_hardening_compiles(PTO_HAS_CF_PROTECTION "int main(void) { return 0; }" -fcf-protection=full)
    check_linker_flag(C LINKER:-z,ibt,-z,shstk PTO_LINKER_CET)
    if(PTO_HAS_CF_PROTECTION)
        list(APPEND pto_hardening_flags -fcf-protection=full)
        # Without these options, the linker marks a file for CET only if all its object files are marked. Debian's start
        # files are not.
        if(PTO_LINKER_CET)
            list(APPEND pto_hardening cet)
        endif()
    endif()
elseif(PTO_TARGET_AARCH64)
    pto_hardening_compiles(PTO_HAS_BRANCH_PROTECTION "int main(void) { return 0; }" -mbranch-protection=standard)
    if(PTO_HAS_BRANCH_PROTECTION)
        list(APPEND pto_hardening bti)
        list(APPEND pto_hardening_flags -mbranch-protection=standard)
    endif()
endif()

# A program that is linked statically is not position-independent.
include(CheckPIESupported)
if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-static")
    check_pie_supported(LANGUAGES C)
    if(CMAKE_C_LINK_PIE_SUPPORTED)
        list(APPEND pto_hardening pie)
    endif()
endif()

# pto_harden(TARGET): hardens a library or a program, or the code of one. Its property PTO_HARDENING lists the features.
function(pto_harden target)
    set(features ${pto_hardening})
    set(link_flags ${pto_hardening_link_flags})
    # A static SLEEF or jansson may have been compiled without CET, so the linker is not forced to mark the file.
    if("${SLEEF_LIBRARY};${JANSSON_LIBRARY}" MATCHES "[.]a(;|$)")
        list(REMOVE_ITEM features cet)
    endif()
    if(cet IN_LIST features)
        list(APPEND link_flags LINKER:-z,ibt,-z,shstk)
    endif()
    get_target_property(type ${target} TYPE)
    get_target_property(is_pic ${target} POSITION_INDEPENDENT_CODE)
    if(NOT type STREQUAL EXECUTABLE)
        list(REMOVE_ITEM features pie)
    endif()
    target_compile_options(${target} PRIVATE ${pto_hardening_flags})
    if(pie IN_LIST pto_hardening AND NOT is_pic)
        if(type STREQUAL EXECUTABLE)
            set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        else()
            target_compile_options(${target} PRIVATE -fPIE)
        endif()
    endif()
    if(type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
        target_link_options(${target} PRIVATE ${link_flags})
    endif()
    set_target_properties(${target} PROPERTIES PTO_HARDENING "${features}")
endfunction()
