# SPDX-License-Identifier: MIT
#
# What the compiler makes code for, whatever flags the user gives it, and how the library is compiled and linked there.

# pto_target(VARIABLE CONDITION): whether the preprocessor's condition holds.
function(pto_target variable condition)
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("#if !(${condition})
        #error
        #endif
        int main(void) { return 0; }" ${variable})
endfunction()

# -m32 and the like make code for another processor than CMAKE_SYSTEM_PROCESSOR.
pto_target(PTO_TARGET_X86_64 "defined __x86_64__")
pto_target(PTO_TARGET_X86_32 "defined __i386__")
pto_target(PTO_TARGET_AARCH64 "defined __aarch64__ && defined __AARCH64EL__")
pto_target(PTO_TARGET_RISCV "defined __riscv && defined __riscv_flen")
pto_target(PTO_TARGET_LITTLE_ENDIAN "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__")
if(NOT PTO_TARGET_LITTLE_ENDIAN)
    message(FATAL_ERROR "libpto is for little-endian processors: its masks and images are laid out that way")
endif()

# Flags of the user's stand before these, which undo what would change bits: reordered arithmetic, unsigned char (of
# which gcc 12 makes wrong blends), enums that are not as wide as the caller's.
# clang warns of contraction that -Ofast allowed unless that is taken back before -fno-fast-math, too. Its
# -fno-unsafe-math-optimizations means trapping arithmetic, on which clang 14 crashes.
set(pto_exact_flags
    "SHELL:-ffp-contract=off -fno-fast-math" -fno-finite-math-only
    -fno-associative-math -fno-reciprocal-math -fsigned-zeros -ffp-contract=off -fsigned-char -fno-short-enums
    $<$<C_COMPILER_ID:GNU>:-fno-unsafe-math-optimizations> $<$<C_COMPILER_ID:GNU>:-ftrapping-math>
    $<$<C_COMPILER_ID:GNU>:-fno-single-precision-constant>)

# gcc links start-up code that flushes subnormals in the whole process to what is linked with -ffast-math or -Ofast.
set(pto_exact_link_flags -fno-fast-math $<$<C_COMPILER_ID:GNU>:-fno-unsafe-math-optimizations>)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}" MATCHES "-Ofast")
    list(APPEND pto_exact_link_flags -O2)
endif()

# Without optimisation the kernels are dozens of times slower. A configuration whose flags name no optimisation level gets
# -O3: that of a parent project without a build type, for example. Debug is left as it is.
set(pto_optimize_flags)
get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
get_directory_property(directory_options COMPILE_OPTIONS)
if(is_multi_config)
    foreach(config ${CMAKE_CONFIGURATION_TYPES})
        string(TOUPPER ${config} upper)
        if(NOT upper STREQUAL DEBUG AND NOT " ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${upper}} ${directory_options}" MATCHES "[ ;]-O")
            list(APPEND pto_optimize_flags $<$<CONFIG:${config}>:-O3>)
        endif()
    endforeach()
elseif(NOT build_type STREQUAL DEBUG
       AND NOT " ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}} ${directory_options}" MATCHES "[ ;]-O")
    set(pto_optimize_flags -O3)
endif()

# The x87 unit rounds to formats of its own.
set(pto_target_flags)
if(PTO_TARGET_X86_32)
    set(pto_target_flags -msse2 -mfpmath=sse)
elseif(PTO_TARGET_X86_64)
    set(pto_target_flags $<$<C_COMPILER_ID:GNU>:-mfpmath=sse>)
endif()

# Where the FP state is read and written through <fenv.h>, that may lie in libm.
set(pto_fenv_library)
if(NOT PTO_TARGET_X86_64 AND NOT PTO_TARGET_X86_32 AND NOT PTO_TARGET_AARCH64 AND NOT PTO_TARGET_RISCV)
    check_c_source_compiles("#include <fenv.h>
        int main(void) { fenv_t env; return fegetenv(&env) + fesetenv(&env); }" PTO_FENV_IN_LIBC)
    if(NOT PTO_FENV_IN_LIBC)
        set(pto_fenv_library m)
    endif()
endif()

# pto_find_header(PREFIX HEADER): sets PREFIX_FOUND, and PREFIX_FLAGS to what the compiler needs to find it. A system's
# own directory is never given to a compiler that does not look there by itself: it is for another C library.
function(pto_find_header prefix header)
    string(MAKE_C_IDENTIFIER "PTO_HAS_${header}" by_itself)
    pto_target(${by_itself} "__has_include(<${header}>)")
    set(flags)
    if(NOT ${by_itself})
        find_path(${prefix}_INCLUDE_DIR ${header})
        mark_as_advanced(${prefix}_INCLUDE_DIR)
        if(NOT ${prefix}_INCLUDE_DIR OR ${prefix}_INCLUDE_DIR MATCHES "^/usr/include/*$")
            set(${prefix}_FOUND FALSE PARENT_SCOPE)
            return()
        endif()
        set(flags -isystem${${prefix}_INCLUDE_DIR})
    endif()
    set(${prefix}_FOUND TRUE PARENT_SCOPE)
    set(${prefix}_FLAGS ${flags} PARENT_SCOPE)
endfunction()

# pto_link_strictly(LIBRARY MAP): every symbol has a version, calls inside go straight, nothing is left undefined or,
# once loaded, writable that need not be; each as far as the linker knows how.
function(pto_link_strictly library map)
    set(map ${PROJECT_SOURCE_DIR}/${map})
    set(CMAKE_REQUIRED_QUIET ON)
    check_linker_flag(C LINKER:--version-script=${map} PTO_LINKER_VERSIONS)
    check_linker_flag(C LINKER:-Bsymbolic-functions PTO_LINKER_SYMBOLIC)
    check_linker_flag(C LINKER:-z,relro,-z,now PTO_LINKER_RELRO)
    check_linker_flag(C LINKER:-z,defs PTO_LINKER_DEFS)
    if(PTO_LINKER_VERSIONS)
        target_link_options(${library} PRIVATE LINKER:--version-script=${map})
        set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${map})
    endif()
    if(PTO_LINKER_SYMBOLIC)
        target_link_options(${library} PRIVATE LINKER:-Bsymbolic-functions)
    endif()
    if(PTO_LINKER_RELRO)
        target_link_options(${library} PRIVATE LINKER:-z,relro,-z,now)
    endif()
    # The sanitizers' own symbols are left to the program.
    if(PTO_LINKER_DEFS AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
        target_link_options(${library} PRIVATE LINKER:-z,defs)
    endif()
    target_link_options(${library} PRIVATE ${pto_exact_link_flags})
endfunction()
