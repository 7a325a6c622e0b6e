# SPDX-License-Identifier: MIT
#
# Detects the target processor from the compiler, regardless of how the user's flags select it, and sets the options
# with which the library is compiled and linked there.

# pto_target(VARIABLE CONDITION): sets the variable to whether a preprocessor condition is true.
function(pto_target variable condition)
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("#if !(${condition})
        #error
        #endif
        int main(void) { return 0; }" ${variable})
endfunction()

# Flags such as -m32 select another processor than CMAKE_SYSTEM_PROCESSOR, so these conditions use the compiler's
# macros.
pto_target(PTO_TARGET_X86_64 "defined __x86_64__")
pto_target(PTO_TARGET_X86_32 "defined __i386__")
pto_target(PTO_TARGET_AARCH64 "defined __aarch64__ && defined __AARCH64EL__")
pto_target(PTO_TARGET_RISCV "defined __riscv && defined __riscv_flen")
pto_target(PTO_TARGET_WASM "defined __wasm__")
pto_target(PTO_TARGET_LITTLE_ENDIAN "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__")
if(NOT PTO_TARGET_LITTLE_ENDIAN)
    message(FATAL_ERROR "libpto is for little-endian processors: its masks and images are laid out that way")
endif()

# These flags come after the user's, and undo those that would change results: reordered arithmetic, unsigned char
# (for which gcc 12 makes wrong blends), and enums that are not as wide as the caller's. -ffp-contract=off must come
# before -fno-fast-math, because otherwise clang warns of the contraction that -Ofast enables. clang's
# -fno-unsafe-math-optimizations means trapping arithmetic, on which clang 14 crashes.
set(pto_exact_flags
    "SHELL:-ffp-contract=off -fno-fast-math" -fno-finite-math-only
    -fno-associative-math -fno-reciprocal-math -fsigned-zeros -ffp-contract=off -fsigned-char -fno-short-enums
    $<$<C_COMPILER_ID:GNU>:-fno-unsafe-math-optimizations> $<$<C_COMPILER_ID:GNU>:-ftrapping-math>
    $<$<C_COMPILER_ID:GNU>:-fno-single-precision-constant>)

# If gcc links with -ffast-math or -Ofast, it adds start-up code that flushes subnormals in the whole process.
set(pto_exact_link_flags -fno-fast-math $<$<C_COMPILER_ID:GNU>:-fno-unsafe-math-optimizations>)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}" MATCHES "-Ofast")
    list(APPEND pto_exact_link_flags -O2)
endif()

# Without optimisation the kernels are dozens of times slower. If the flags of a configuration have no optimisation
# level, it gets -O3, for example in a parent project without a build type. Debug is not changed.
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

# The x87 unit rounds to its own formats, so SSE2 is used instead.
set(pto_target_flags)
if(PTO_TARGET_X86_32)
    set(pto_target_flags -msse2 -mfpmath=sse)
elseif(PTO_TARGET_X86_64)
    set(pto_target_flags $<$<C_COMPILER_ID:GNU>:-mfpmath=sse>)
endif()

# On other processors the FP state is read and written through <fenv.h>, whose functions may be in libm.
set(pto_fenv_library)
if(NOT PTO_TARGET_X86_64 AND NOT PTO_TARGET_X86_32 AND NOT PTO_TARGET_AARCH64 AND NOT PTO_TARGET_RISCV)
    check_c_source_compiles("#include <fenv.h>
        int main(void) { fenv_t env; return fegetenv(&env) + fesetenv(&env); }" PTO_FENV_IN_LIBC)
    if(NOT PTO_FENV_IN_LIBC)
        set(pto_fenv_library m)
    endif()
endif()

# The ABI of Windows aligns the stack to 16 bytes, and gcc (bug 54412) aligns vectors of 32 and 64 bytes there no
# better, but moves them with instructions that trap if they are not aligned. The assembler replaces these by others,
# which are as fast. Debian's mingw-w64 gcc already emits those. clang aligns the stack.
set(pto_vector_flags)
if(MINGW AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    check_c_compiler_flag(-Wa,-muse-unaligned-vector-move PTO_UNALIGNED_MOVES) # binutils 2.38
    if(PTO_UNALIGNED_MOVES)
        set(pto_vector_flags -Wa,-muse-unaligned-vector-move)
    endif()
endif()

# mingw-w64's own printf functions follow C11; those of Windows have other conversions, such as %I64u. gcc checks the
# calls of functions with the format attribute __printf__ by the conversions of Windows, and those with __gnu_printf__
# by C11's.
if(MINGW)
    add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 $<$<C_COMPILER_ID:GNU>:__printf__=__gnu_printf__>)
endif()

# pto_find_header(PREFIX HEADER): sets PREFIX_FOUND, and PREFIX_FLAGS to the flags with which the compiler finds the
# header. A system directory is never added for a compiler that does not search it: its headers belong to another C
# library.
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

# pto_export_list(VARIABLE MAP): writes the symbols that the version script MAP exports to a list for the linker of macOS,
# where the names in C begin with an underscore, and sets the variable to its path.
function(pto_export_list variable map)
    get_filename_component(name ${map} NAME_WE)
    file(STRINGS ${map} line REGEX "global:")
    string(REGEX MATCHALL "[a-z_]+[*]" symbols "${line}")
    list(TRANSFORM symbols PREPEND _)
    list(JOIN symbols "\n" symbols)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.exports CONTENT "${symbols}\n")
    set(${variable} ${PROJECT_BINARY_DIR}/${name}.exports PARENT_SCOPE)
endfunction()

# pto_link_strictly(LIBRARY MAP): gives every symbol a version, binds internal calls directly, allows no undefined
# symbols, and makes relocated data read-only after loading. Options that the linker lacks are left out. On macOS, only
# the symbols that MAP exports are exported.
function(pto_link_strictly library map)
    if(WIN32) # DLLs have none of this; PTO_API in the headers tells what they export
        target_link_options(${library} PRIVATE ${pto_exact_link_flags})
        return()
    endif()
    set(map ${PROJECT_SOURCE_DIR}/${map})
    set(CMAKE_REQUIRED_QUIET ON)
    target_link_options(${library} PRIVATE ${pto_exact_link_flags})
    if(APPLE)
        pto_export_list(exports ${map})
        target_link_options(${library} PRIVATE LINKER:-exported_symbols_list,${exports})
        set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${exports})
        return()
    endif()
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
    # With sanitizers, undefined symbols are allowed, because the program provides the sanitizers' own.
    if(PTO_LINKER_DEFS AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
        target_link_options(${library} PRIVATE LINKER:-z,defs)
    endif()
endfunction()

# pto_name_dll(LIBRARY): on Windows, gives a shared library a name that changes with the ABI, such as libpto-0.3.dll.
# Its import library keeps the name without a version. For other linkers, writes the list of exports, such as
# libpto.def.
function(pto_name_dll library)
    if(WIN32)
        get_target_property(name ${library} OUTPUT_NAME)
        set_target_properties(${library} PROPERTIES RUNTIME_OUTPUT_NAME ${name}-${pto_soversion})
    endif()
    if(MINGW)
        target_link_options(${library} PRIVATE LINKER:--output-def=${PROJECT_BINARY_DIR}/lib${name}.def)
    endif()
endfunction()

# pto_archive_without_exports(LIBRARY): on Windows, tells users of a static library that it is one. Its objects are also
# those of the DLL; what they export is removed, because the programs of users would export it, too.
function(pto_archive_without_exports library)
    if(WIN32)
        target_compile_definitions(${library} INTERFACE PTO_STATIC)
        add_custom_command(TARGET ${library} POST_BUILD
            COMMAND ${CMAKE_OBJCOPY} --remove-section=.drectve $<TARGET_FILE:${library}> VERBATIM)
    endif()
endfunction()
