# SPDX-License-Identifier: MIT
#
# Makes two builds of the same source identical, also in different folders: no paths of these folders in the code or in
# the debug information, no times in static libraries. A debugger needs the paths, so Debug keeps them.

set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

check_c_compiler_flag(-ffile-prefix-map=a=b PTO_HAS_PREFIX_MAP)
if(PTO_HAS_PREFIX_MAP)
    # The last option that matches takes effect, so a build folder within the source folder becomes ./build.
    add_compile_options($<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>
        $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${PROJECT_BINARY_DIR}=./build>)
endif()

# GNU ar writes times unless the modifier D is given or is the default.
execute_process(COMMAND ${CMAKE_AR} --version OUTPUT_VARIABLE ar_version ERROR_QUIET)
if(ar_version MATCHES "GNU ar")
    set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
    set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
endif()
